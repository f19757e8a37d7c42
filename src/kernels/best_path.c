/* SPDX-License-Identifier: MIT */
/* Steps of the most probable path. */
#include "kernels/best_path.h"
#include <math.h>
#include <string.h>

enum { LEVEL_EVERY = 32 };

static const double within = 1e-12;

/* Take the largest off all, so that sums of many logarithms keep their digits. */
static void level_out(double *delta, size_t m)
{
    double top = -INFINITY;
    for (size_t j = 0; j < m; j++) top = delta[j] > top ? delta[j] : top;
    if (isinf(top)) return;
    for (size_t j = 0; j < m; j++) delta[j] -= top;
}

#define KERNEL_BODY "kernels/best_path_body.h"
#include "kernels/each_level.h"

void cairn_best_path_steps(double *delta, uint16_t *from, const double *move, const double *rows,
                           const int32_t *at, size_t m, size_t steps)
{
    CHOOSE(best_path_steps)(delta, from, move, rows, at, m, steps);
}
