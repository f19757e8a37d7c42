/* SPDX-License-Identifier: MIT */
/* The reasons for single predictions.
 *
 * A learner that can tell them does (`explain` of its record: the path of a tree, the terms of a
 * sum, distances to centres). For every other one, and on request, each raw column is exchanged in
 * turn for the cells that background rows have there, and the change of the score is told. */
#ifndef CAIRN_MODEL_EXPLAIN_H
#define CAIRN_MODEL_EXPLAIN_H

#include "model/model.h"

typedef struct cairn_explain_options {
    const uint32_t *rows; /* rows of the table to explain */
    size_t n_rows;
    bool by_columns;               /* exchange columns even when the learner can tell more */
    const cairn_table *background; /* raw rows to exchange cells with; NULL = the table itself */
    size_t draws;                  /* most background rows, drawn with the seed */
} cairn_explain_options;

/* A step of the report per row; values are named "explain.ROW.…". */
CAIRN_CHECKED cairn_status cairn_model_explain(cairn_context *ctx, cairn_report *out,
                                               const cairn_model *model, const cairn_table *table,
                                               const cairn_explain_options *options);

/* -- for learners -- */

typedef struct cairn_sum_terms { /* constant + Σ coefficient · value; arrays of n */
    const char *const *names;
    const double *coefficients, *values;
    const double *centres; /* values of the row that the terms are told beside; NULL = zeros */
    size_t n;
    double constant;
} cairn_sum_terms;

/* A sum of terms as the reason: baseline + Σ coefficient · (value − centre), the largest term
 * first, with the terms of columns that the chain made (outlook=sunny) added up by raw column. The
 * terms as they stand in the sum are named values, raw.NAME. */
void cairn_explain_terms(cairn_report *out, const cairn_job *job, const cairn_sum_terms *sum);
/* Class weights as a table: the counts of a leaf, of all rows. */
void cairn_explain_classes(cairn_report *out, const cairn_job *job, const double *weights,
                           int32_t answer);

#endif
