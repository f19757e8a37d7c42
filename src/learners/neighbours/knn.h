/* SPDX-License-Identifier: MIT */
/* k nearest neighbours, shared by the parts of the learner `knn`. */
#ifndef CAIRN_LEARNERS_KNN_H
#define CAIRN_LEARNERS_KNN_H

#include "learners/neighbours/search.h"
#include "model/learner.h"

typedef enum cairn_knn_weights {
    CAIRN_KNN_EQUAL,
    CAIRN_KNN_INVERSE,        /* 1 / d */
    CAIRN_KNN_INVERSE_SQUARE, /* 1 / d^2 */
    CAIRN_KNN_KERNEL          /* a window of d / width */
} cairn_knn_weights;
typedef enum cairn_knn_tie {
    CAIRN_KNN_NEAREST,   /* the tied class that has the nearest neighbour */
    CAIRN_KNN_SMALLER_K, /* one neighbour less, until there is no tie */
    CAIRN_KNN_FIRST      /* the first class */
} cairn_knn_tie;
typedef enum cairn_knn_local { CAIRN_KNN_MEAN, CAIRN_KNN_LINE, CAIRN_KNN_POWERS } cairn_knn_local;
typedef enum cairn_knn_curve { CAIRN_KNN_AUTO, CAIRN_KNN_YES, CAIRN_KNN_NO } cairn_knn_curve;

typedef struct cairn_knn_params {
    int k;
    const char *distance;
    int weights;
    int window; /* cairn_window */
    double width;
    int tie;
    int local;
    int degree;
    int method; /* cairn_search_method */
    int curve;
    int curve_k;
    const char *query;
} cairn_knn_params;

typedef struct cairn_knn_model {
    size_t n, n_columns;
    bool given; /* the features are distances to the training rows */
    cairn_metric metric;
    cairn_points points;
    double *values;    /* n x n_columns: for local models, where places are not the numbers */
    double *targets;   /* REGRESS: n */
    int32_t *codes;    /* CLASSIFY: n */
    double *weights;   /* n; NULL = all 1 */
    uint32_t *numbers; /* n: row numbers of the training table, from 0 */
    uint32_t *columns; /* given: n, the feature that is the distance to the row */
    double *spreads;   /* n_columns: standard deviations, NaN where a column has none */
    bool same;         /* all rows are the same point */
    cairn_neighbour_search search;
} cairn_knn_model;

/* How the training rows do when the others answer them. */
typedef struct cairn_knn_history {
    size_t n_curve;
    double *curve; /* n_curve: leaving one out, share of right answers or root mean squared error
                      for k = 1 .. n_curve */
    double *tied;  /* n_curve: rows whose vote was tied */
} cairn_knn_history;

/* What the neighbours of one query say. Arrays belong to the caller. */
typedef struct cairn_knn_answer {
    double *weights; /* of the neighbours */
    double *shares;  /* CLASSIFY: n_classes */
    int32_t code;    /* -1 = no neighbours */
    size_t tied;     /* classes that share the first place; 0 or at least 2 */
    size_t used;     /* neighbours that decided, fewer than k after --tie smaller-k */
    bool equal;      /* weights by distance would all be 0: equal ones were taken */
    double number;   /* REGRESS */
    double *terms;   /* local models: constant and coefficients about the query, n_terms */
    size_t rank;     /* ... how many of them the neighbours determine */
    bool flat;       /* ... a cell is missing: the mean was taken */
} cairn_knn_answer;

/* Columns of a local model, with the constant; 0 when there is none. */
size_t cairn_knn_terms(const cairn_knn_params *params, size_t n_columns);
/* Memory for an answer of up to k neighbours; scratch. */
CAIRN_CHECKED cairn_status cairn_knn_answer_make(cairn_context *ctx, cairn_knn_answer *out,
                                                 const cairn_knn_params *params, size_t k,
                                                 size_t n_classes, size_t n_columns);
/* The nearest n neighbours (training rows and distances, the nearest first) decide about the query
 * whose numbers are `place` (local models only). */
CAIRN_CHECKED cairn_status cairn_knn_decide(cairn_context *ctx, cairn_knn_answer *answer,
                                            const cairn_knn_model *m, const cairn_job *job,
                                            const uint32_t *rows, const double *distances, size_t n,
                                            const double *place);
/* Numbers of training row i for local models; NULL when rows are distances, texts or bags. */
const double *cairn_knn_row(const cairn_knn_model *m, size_t i);

/* Queries of a view, ready for the search. */
typedef struct cairn_knn_queries {
    cairn_points points;
    double *values; /* as in the model, NULL = the places */
} cairn_knn_queries;

/* Codes the rows of a view as the training rows were; cleared by the caller. A given distance that
 * is negative fails (CAIRN_BAD_DATA). */
CAIRN_CHECKED cairn_status cairn_knn_ask(cairn_context *ctx, cairn_knn_queries *out,
                                         const cairn_knn_model *m, const cairn_knn_params *params,
                                         const cairn_view *view);
void cairn_knn_queries_clear(cairn_knn_queries *queries);

/* Functions of the learner's record. */
void cairn_knn_describe(cairn_report *out, const void *model, const cairn_job *job);
void cairn_knn_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);
/* The rows of --query, or the first training rows against the others. */
CAIRN_CHECKED cairn_status cairn_knn_steps(cairn_context *ctx, const cairn_knn_model *m,
                                           const cairn_job *job);

extern const cairn_learned cairn_knn_tables[];

#endif
