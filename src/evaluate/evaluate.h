/* SPDX-License-Identifier: MIT */
/* Honest estimates: held-out predictions of a learner over a resampling, or of a model on new data,
 * and what they say. */
#ifndef CAIRN_EVALUATE_EVALUATE_H
#define CAIRN_EVALUATE_EVALUATE_H

#include "evaluate/resample.h"
#include "model/model.h"

typedef struct cairn_evaluate_options {
    const char *by;               /* resampling spec; NULL = "cv:10" */
    double level;                 /* of the intervals; 0 = 0.95 */
    const cairn_fit_options *fit; /* task, transforms, missing; NULL = defaults */
} cairn_evaluate_options;

/* Held-out predictions, one per tested row and repeat, split after split. Owned. */
typedef struct cairn_evaluation {
    cairn_task task;
    const char *learner; /* name, borrowed from the record */
    char *by;            /* the resampling, or NULL: a given model on given data */
    char *decision;      /* how the task was decided */
    char *target;        /* name */
    cairn_map classes;   /* names */
    int32_t positive;
    double level;
    uint64_t seed;
    size_t n; /* predictions */
    size_t n_splits;
    size_t *starts;     /* n_splits + 1: where each split's predictions begin */
    uint32_t *rows;     /* n: table rows */
    double *weights;    /* n */
    int32_t *actual;    /* CLASSIFY: n */
    int32_t *predicted; /* CLASSIFY: n; -1 = no answer */
    int32_t *baseline;  /* CLASSIFY: n: what the majority of the training rows says */
    double *scores;     /* CLASSIFY, when given: n x classes */
    double *actual_number, *predicted_number, *baseline_number; /* REGRESS: n */
    bool training;    /* these are the rows that the model was fitted to */
    size_t n_unknown; /* CLASSIFY: rows whose class the model does not know; they count as wrong */
    size_t n_unseen;  /* cells with levels that were not seen in training */
    size_t n_rows;    /* rows of the table that have a target */
} cairn_evaluation;

CAIRN_CHECKED cairn_status cairn_evaluate_learner(cairn_context *ctx, cairn_evaluation *out,
                                                  const cairn_params *params,
                                                  const cairn_table *table,
                                                  const cairn_evaluate_options *options);
/* The table must have the target column. */
CAIRN_CHECKED cairn_status cairn_evaluate_model(cairn_context *ctx, cairn_evaluation *out,
                                                const cairn_model *model, const cairn_table *table,
                                                double level);
void cairn_evaluation_clear(cairn_evaluation *evaluation);

/* Measures with intervals and the baseline beside them, confusion table, folds, figures. */
CAIRN_CHECKED cairn_status cairn_evaluation_judge(cairn_context *ctx, cairn_report *out,
                                                  const cairn_evaluation *evaluation);

/* row, split, actual, predicted, right or residual: for --out. */
CAIRN_CHECKED cairn_status cairn_evaluation_table(cairn_context *ctx, cairn_table **out,
                                                  const cairn_evaluation *evaluation);

#endif
