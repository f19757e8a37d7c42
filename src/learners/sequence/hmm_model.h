/* SPDX-License-Identifier: MIT */
/* Learned hidden Markov models: one, or one for each class. */
#ifndef CAIRN_LEARNERS_SEQUENCE_HMM_MODEL_H
#define CAIRN_LEARNERS_SEQUENCE_HMM_MODEL_H

#include "learners/sequence/hmm_learn.h"
#include "model/learner.h"

/* Where the steps of a table are. */
typedef enum cairn_hmm_shape {
    CAIRN_HMM_SEQUENCES,      /* in a column of sequences: a row is a sequence */
    CAIRN_HMM_LEVEL_COLUMNS,  /* in columns of levels, from left to right: a row is a sequence */
    CAIRN_HMM_NUMBER_COLUMNS, /* in columns of numbers, from left to right */
    CAIRN_HMM_NUMBER_ROWS,    /* in the rows, from the first to the last: one sequence of vectors */
    CAIRN_HMM_LEVEL_ROWS,     /* likewise of the levels of a column */
    CAIRN_HMM_SERIES,         /* in columns of series: a row is a sequence of vectors */
    CAIRN_HMM_SHAPES
} cairn_hmm_shape;

typedef struct cairn_hmm_model {
    int32_t shape;     /* cairn_hmm_shape */
    bool known;        /* states are the classes of items */
    size_t n_models;   /* classes, or 1 */
    double *weights;   /* n_models: rows of each class */
    double *lengths;   /* n_models: mean steps of their sequences */
    cairn_hmm *models; /* n_models, of the same symbols or numbers */
} cairn_hmm_model;

/* How the models came about. */
typedef struct cairn_hmm_account {
    size_t n;                                           /* models */
    double *lengths, *iterations, *converged, *floored; /* n */
    double *history; /* log-likelihoods, model after model, `lengths` of each */
    size_t n_history;
} cairn_hmm_account;

/* Decide where the steps are; `rows` = rows may be steps. Fails where there are none. */
CAIRN_CHECKED cairn_status cairn_hmm_find_steps(cairn_context *ctx, const cairn_view *view,
                                                bool rows, int32_t *shape);
/* The steps of these rows of a view (of all in their order, where `list` is NULL); scratch. Symbols
 * that the map lacks are added to it if `grow`, else they are missing. */
CAIRN_CHECKED cairn_status cairn_hmm_read_steps(cairn_context *ctx, cairn_hmm_data *out,
                                                const cairn_view *view, int32_t shape,
                                                const uint32_t *list, size_t n, cairn_map *symbols,
                                                bool grow);
/* Numbers of a step: columns of numbers where rows are steps, or of series, 1 where columns are. */
size_t cairn_hmm_width(const cairn_view *view, int32_t shape);

/* The names of the columns that a step's numbers stand in; none where columns are the steps. */
CAIRN_CHECKED cairn_status cairn_hmm_name_numbers(cairn_context *ctx, cairn_map *out,
                                                  const cairn_schema *schema, int32_t shape);

CAIRN_CHECKED cairn_status cairn_hmm_predict(cairn_context *ctx, cairn_prediction *out,
                                             const void *model, const cairn_job *job);
void cairn_hmm_describe(cairn_report *out, const void *model, const cairn_job *job);
void cairn_hmm_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);
cairn_status cairn_hmm_sample_rows(cairn_context *ctx, cairn_table *out, const void *model,
                                   const cairn_job *job, cairn_random *random);
/* The name of model i: of its class, or "" where there is one. */
const char *cairn_hmm_model_name(const cairn_hmm_model *model, const cairn_job *job, size_t i);

extern const cairn_learned cairn_hmm_learned[];

#endif
