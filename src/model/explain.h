/* SPDX-License-Identifier: MIT */
/* The reasons for single predictions.
 *
 * A learner that can tell them does (`explain` of its record: the path of a tree, the terms of a
 * sum, distances to centres). For every other one, and on request, each raw column is exchanged in
 * turn for the cells that background rows have there, and the change of the score is told. */
#ifndef CAIRN_MODEL_EXPLAIN_H
#define CAIRN_MODEL_EXPLAIN_H

#include "model/background.h"

typedef struct cairn_explain_how {
    const uint32_t *rows; /* rows of the table to explain */
    size_t n_rows;
    bool by_columns;               /* exchange columns even when the learner can tell more */
    const cairn_table *background; /* raw rows to exchange cells with; NULL = those of the keeper,
                                      or the table itself where it has none */
    const cairn_model *keeper;     /* the model around this one that was fitted to the rows; NULL =
                                      this one */
    size_t draws;                  /* most background rows, drawn with the seed */
} cairn_explain_how;

/* A step of the report per row; values are named "explain.ROW.…". */
CAIRN_CHECKED cairn_status cairn_model_explain(cairn_context *ctx, cairn_report *out,
                                               const cairn_model *model, const cairn_table *table,
                                               const cairn_explain_how *options);

/* Rows of a raw table to hold others against, matched to the model's schema; drawn without repeats
 * (stream 0 of the seed) when there are more than `draws`. */
CAIRN_CHECKED cairn_status cairn_explain_background(cairn_context *ctx, cairn_table **out,
                                                    const cairn_model *model,
                                                    const cairn_table *from, size_t draws);
/* The raw field that the chain made a column of, by its name: the field itself, or the longest one
 * that the name begins with, followed by something that is no letter or digit ("outlook=sunny").
 * -1 = none. Names come in the order of the fields as a rule, so the one at `guess` is looked at
 * first. */
ptrdiff_t cairn_explain_raw_field(const cairn_schema *raw, const char *name, size_t guess);

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
