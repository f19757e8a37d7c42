/* SPDX-License-Identifier: MIT */
/* The passes of the pairs solver. */
#include "kernels/pair_scan.h"
#include <math.h>
#include <stdint.h>

#define KERNEL_BODY "kernels/pair_scan_body.h"
#include "kernels/each_level.h"

void cairn_pair_move(cairn_pair_ends *out, double *rest, const float *a, const float *b, double by,
                     const float *up, const float *low, size_t n)
{
    CHOOSE(pair_move)(out, rest, a, b, by, up, low, n);
}

size_t cairn_pair_partner(const double *rest, const float *low, const float *row,
                          const float *diagonal, double top, float own, float tau, size_t n)
{
    return CHOOSE(pair_partner)(rest, low, row, diagonal, top, own, tau, n);
}

void cairn_rows_take(double *rest, const float *const *rows, const double *by, size_t n_rows,
                     size_t first, size_t n)
{
    CHOOSE(rows_take)(rest, rows, by, n_rows, first, n);
}
