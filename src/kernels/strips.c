/* SPDX-License-Identifier: MIT */
#include "kernels/strips.h"
#include "kernels/real_float.h"
#include "kernels/product_rule.h"

enum {
    LINE = 16,      /* floats of a line of the cache */
    LINES_AHEAD = 4 /* that rows of inputs are called for; they may come from main memory */
};

/* What one level offers: a panel of either sum. */
typedef struct kernels {
    void (*nets)(const cairn_strip *strip, const float *weights, const float *const *x, size_t m,
                 size_t from, size_t depth, float *nets, size_t step);
    void (*slopes)(const cairn_strip *strip, const float *const *x, size_t m, size_t from,
                   size_t to, const float *deltas, float *slopes);
} kernels;

#define TILE_BODY "kernels/strips_body.h"
#include "kernels/tile_levels.h"

void cairn_strip_nets(const cairn_strip *strip, const float *weights, const float *const *x,
                      size_t m, float *nets, size_t step)
{
    size_t panel = panel_of(strip->n_in);
    for (size_t k = 0; k < strip->n_in; k += panel)
        chosen_kernels()->nets(strip, weights + k * strip->width, x, m, k,
                               smaller(panel, strip->n_in - k), nets, step);
}

void cairn_strip_slopes(const cairn_strip *strip, const float *const *x, size_t m, size_t from,
                        size_t to, const float *deltas, float *slopes)
{
    size_t panel = panel_of(m);
    memset(slopes, 0, (to - from) * strip->width * sizeof *slopes);
    for (size_t k = 0; k < m; k += panel)
        chosen_kernels()->slopes(strip, x + k, smaller(panel, m - k), from, to,
                                 deltas + k * strip->width, slopes);
}
