/* SPDX-License-Identifier: MIT */
/* Means, extents and sums of products of number columns, over the rows of a view and with its
 * weights. The table is read in blocks and never copied whole; results do not depend on the number
 * of threads. */
#ifndef CAIRN_STATS_COVARIANCE_H
#define CAIRN_STATS_COVARIANCE_H

#include "data/view.h"

typedef struct cairn_centre {
    size_t n;             /* columns */
    double weight;        /* sum of the weights */
    double *means;        /* n; 0 when the weights sum to 0 */
    double *lows, *highs; /* n; over all rows, whatever their weight */
    bool weighted;        /* some weight is not 1 */
    bool whole;           /* only whole numbers */
} cairn_centre;

/* The view's features (which must be number columns) in one pass. A cell that is missing or
 * infinite fails with column, row and what to do; `who` begins the message. Memory is scratch. */
CAIRN_CHECKED cairn_status cairn_centre_of(cairn_context *ctx, cairn_centre *out,
                                           const cairn_view *view, const char *who);

/* products[j][k] = sum_i w_i (x_ij - mean_j)(x_ik - mean_k), both triangles, n x n. Divided by the
 * weight (or one less) it is the covariance. Columns of whole numbers that span at most 512 are
 * multiplied as floats in runs so short that every sum is exact. */
CAIRN_CHECKED cairn_status cairn_column_products(cairn_context *ctx, double *products,
                                                 const cairn_view *view,
                                                 const cairn_centre *centre);

/* The same between rows: products[a][b] = sum_j sqrt(w_a w_b) (x_aj - mean_j)(x_bj - mean_j) /
 * scale_j^2, rows x rows: for more columns than rows. `scales` NULL = ones. */
CAIRN_CHECKED cairn_status cairn_row_products(cairn_context *ctx, double *products,
                                              const cairn_view *view, const cairn_centre *centre,
                                              const double *scales);

#endif
