/* SPDX-License-Identifier: MIT */
/* Permutation importance: how much worse the predictions for rows become when one column is
 * shuffled among them, so that it tells nothing any more. */
#ifndef CAIRN_EVALUATE_IMPORTANCE_H
#define CAIRN_EVALUATE_IMPORTANCE_H

#include "evaluate/evaluate.h"
#include "stats/measure.h"

/* For each column of the table that is a feature of the model: the mean loss over `repeats`
 * shuffles among the rows (accuracy that is lost, or squared error that is added); NaN for other
 * columns. `out` has table->n_columns places. Random streams follow from the seed and `stream`. */
CAIRN_CHECKED cairn_status cairn_importance_of(cairn_context *ctx, double *out,
                                               const cairn_model *model, const cairn_table *table,
                                               cairn_rows rows, size_t repeats, size_t stream);

/* A model, the rows that judge it, and by what; the table has the target as the model knows it. */
typedef struct cairn_shuffling {
    const cairn_model *model;
    const cairn_table *table;
    cairn_rows rows;
    const cairn_measure *measure;
} cairn_shuffling;
/* The measure of the rows as they are, and with a column shuffled among them, `repeats` times. */
CAIRN_CHECKED cairn_status cairn_shuffling_whole(cairn_context *ctx, double *out,
                                                 const cairn_shuffling *s);
CAIRN_CHECKED cairn_status cairn_shuffling_values(cairn_context *ctx, double *out,
                                                  const cairn_shuffling *s, size_t column,
                                                  size_t repeats);

/* The table, largest first, and bars, from e->importance. */
CAIRN_CHECKED cairn_status cairn_importance_report(cairn_context *ctx, cairn_report *out,
                                                   const cairn_evaluation *e);

#endif
