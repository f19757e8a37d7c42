/* SPDX-License-Identifier: MIT */
/* Sums of products of all pairs of columns, one matrix for every fold: what least squares on any
 * union of folds, and its error on any fold, needs to know of the rows. */
#ifndef CAIRN_ROWS_FOLD_GRAMS_H
#define CAIRN_ROWS_FOLD_GRAMS_H

#include "rows/matrix.h"

/* out: n_folds matrices of width x width, both triangles, weights counted; folds[i] is the fold of
 * row i, one that is below 0 is left out. One pass over the rows whatever the number of folds; the
 * sums may be other than finite where numbers are huge. */
CAIRN_CHECKED cairn_status cairn_fold_grams(cairn_context *ctx, const cairn_row_matrix *matrix,
                                            const int32_t *folds, size_t n_folds, double *out);

#endif
