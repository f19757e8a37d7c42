/* SPDX-License-Identifier: MIT */
/* The row that has the least distances to the others, by any distance or a given matrix. */
#ifndef CAIRN_ROWS_MEDOID_H
#define CAIRN_ROWS_MEDOID_H

#include "rows/distances.h"

/* out[r] = Σ_j w_j d(row which[r], row which[j]) over the n rows of the list (NULL = all rows of
 * `rows`, n of them); weights (n) NULL = ones. Nothing of the matrix is kept. Fails when a pair
 * cannot be compared. */
CAIRN_CHECKED cairn_status cairn_distance_totals(cairn_context *ctx, double *out,
                                                 const cairn_distance_rows *rows,
                                                 const uint32_t *which, size_t n,
                                                 const double *weights);
/* The first of the least totals (those of rows with weight), and how many are as small, within a
 * part in 1e12. */
size_t cairn_least_total(const double *totals, const double *weights, size_t n, size_t *tied);

#endif
