/* SPDX-License-Identifier: MIT */
/* Components of a mixture: densities of many rows, their shares, and weighted sums of products. */
#include "kernels/lane_rows.h"
#include "kernels/elementwise.h"
#include <stdint.h>

#define KERNEL_BODY "kernels/lane_rows_body.h"
#include "kernels/each_level.h"

void cairn_standardise_column(double *z, const double *x, size_t n, double shift, double scale)
{
    CHOOSE(standardise)(z, x, n, shift, scale);
}

void cairn_component_columns(double *out, const double *z, size_t stride, size_t n,
                             size_t n_columns, size_t k, const double *starts, const double *rates,
                             const double *shifts)
{
    CHOOSE(component_columns)(out, z, stride, n, n_columns, k, starts, rates, shifts);
}

void cairn_component_triangle(double *out, const double *z, size_t stride, size_t n,
                              size_t n_columns, double start, const double *factor, size_t width,
                              const double *shifts)
{
    CHOOSE(component_triangle)(out, z, stride, n, n_columns, start, factor, width, shifts);
}

void cairn_component_shares(double *x, double *logs, size_t stride, size_t n, size_t k,
                            const double *w, double *buffer)
{
    double *most = buffer, *sums = buffer + n;
    if (k == 0) return;
    CHOOSE(lower_scores)(x, most, stride, n, k);
    for (size_t c = 0; c < k; c++) cairn_exp_each(x + c * stride, x + c * stride, n);
    CHOOSE(share_rows)(x, sums, stride, n, k, w);
    cairn_log_each(logs, sums, n);
    for (size_t i = 0; i < n; i++) logs[i] += most[i];
}

void cairn_component_sums(double *sums, const double *r, const double *z, size_t stride, size_t n,
                          size_t k, const size_t *a, const size_t *b, size_t n_pairs)
{
    CHOOSE(component_sums)(sums, r, z, stride, n, k, a, b, n_pairs);
}
