/* SPDX-License-Identifier: MIT */
/* Predictions of a model put beside the truth, for measures. */
#ifndef CAIRN_MODEL_JUDGED_ROWS_H
#define CAIRN_MODEL_JUDGED_ROWS_H

#include "model/model.h"
#include "stats/judged.h"

/* Predictions for the rows of a view beside its target and weights. `positive` as in cairn_judged.
 * The truth is copied to scratch, answers and scores are borrowed from the prediction. Where every
 * item of a sequence is labelled the items are the answers, one row after the other, and a row is a
 * unit; rows without labels weigh nothing. */
CAIRN_CHECKED cairn_status cairn_judged_rows(cairn_context *ctx, cairn_judged *out,
                                             const cairn_view *view,
                                             const cairn_prediction *prediction, int32_t positive);

/* Ask the model for rows of a raw table that holds the target as the model numbers its classes (the
 * one it was fitted to, or that of cairn_model_truth) and put them beside it; *prediction
 * is cleared by the caller once *out is no longer used. Rows whose target is missing have
 * the actual class -1, or the number NaN. */
CAIRN_CHECKED cairn_status cairn_judged_model(cairn_context *ctx, cairn_judged *out,
                                              cairn_prediction *prediction,
                                              const cairn_model *model, const cairn_table *table,
                                              cairn_rows rows, bool scores);

/* The table in the coding of the model, its target with it: levels have the model's numbers,
 * however the table numbers them. Fails when the column is not there. */
CAIRN_CHECKED cairn_status cairn_model_truth(cairn_context *ctx, cairn_table **out,
                                             const cairn_model *model, const cairn_table *table,
                                             cairn_match *match);

/* Accuracy or mean squared error of the model on rows of a raw table whose target is of the task's
 * kind. */
CAIRN_CHECKED cairn_status cairn_measure_model(cairn_context *ctx, double *out,
                                               const cairn_model *model, const cairn_table *table,
                                               cairn_rows rows);

#endif
