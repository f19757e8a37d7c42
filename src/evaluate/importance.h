/* SPDX-License-Identifier: MIT */
/* Permutation importance: how much worse the predictions for rows become when one column is
 * shuffled among them, so that it tells nothing any more. */
#ifndef CAIRN_EVALUATE_IMPORTANCE_H
#define CAIRN_EVALUATE_IMPORTANCE_H

#include "evaluate/evaluate.h"

/* For each column of the table that is a feature of the model: the mean loss over `repeats`
 * shuffles among the rows (accuracy that is lost, or squared error that is added); NaN for other
 * columns. `out` has table->n_columns places. Random streams follow from the seed and `stream`. */
CAIRN_CHECKED cairn_status cairn_importance_of(cairn_context *ctx, double *out,
                                               const cairn_model *model, const cairn_table *table,
                                               cairn_rows rows, size_t repeats, size_t stream);

/* The table, largest first, and bars, from e->importance. */
CAIRN_CHECKED cairn_status cairn_importance_report(cairn_context *ctx, cairn_report *out,
                                                   const cairn_evaluation *e);

#endif
