/* SPDX-License-Identifier: MIT */
/* Components of a mixture over rows that stand by columns: number j of row i is z[j * stride + i],
 * and what component c has to say of row i is x[c * stride + i]. A lane is a row. Conventions as in
 * kernels.h, but the number of rows is a multiple of CAIRN_COMPONENT_ROWS: a caller fills up with
 * rows of zeros. */
#ifndef CAIRN_KERNELS_LANE_ROWS_H
#define CAIRN_KERNELS_LANE_ROWS_H

#include <stddef.h>

enum {
    CAIRN_COMPONENT_ROWS = 32,
    CAIRN_COMPONENT_TILE = 4 /* columns of a triangle are made up to a multiple of these */
};

/* z[i] = (x[i] - shift) * scale of n numbers, any count of them; z may be x. */
void cairn_standardise_column(double *z, const double *x, size_t n, double shift, double scale);

/* out[c][i] = starts[c] - sum_j (z[j][i] rates[c][j] + shifts[c][j])², for k components of
 * n_columns: the logarithm of a normal density without covariances. */
void cairn_component_columns(double *out, const double *z, size_t stride, size_t n,
                             size_t n_columns, size_t k, const double *starts, const double *rates,
                             const double *shifts);

/* out[i] = start - sum_j (shifts[j] + sum_{l <= j} z[l][i] factor[l][j])², for one component with
 * covariances. Rows of the factor and the shifts have `width` numbers, n_columns made up to a
 * multiple of CAIRN_COMPONENT_TILE by zeros. */
void cairn_component_triangle(double *out, const double *z, size_t stride, size_t n,
                              size_t n_columns, double start, const double *factor, size_t width,
                              const double *shifts);

/* Scores x become shares: x[c][i] = w[i] exp(x[c][i]) / sum_b exp(x[b][i]), without overflow, and
 * logs[i] = ln sum_b exp(x[b][i]); w NULL means ones. `buffer` has 2 n numbers. A row needs one
 * finite score at least and none that is +infinite. */
void cairn_component_shares(double *x, double *logs, size_t stride, size_t n, size_t k,
                            const double *w, double *buffer);

/* sums[c * n_pairs + p] += sum_i r[c][i] z[a[p]][i] z[b[p]][i], for k components and the pairs of
 * columns that are wanted. */
void cairn_component_sums(double *sums, const double *r, const double *z, size_t stride, size_t n,
                          size_t k, const size_t *a, const size_t *b, size_t n_pairs);

#endif
