/* SPDX-License-Identifier: MIT */
/* Logistic and softmax regression, shared by the parts of the learner `logistic`.
 *
 * Terms are the numbers that are multiplied with weights: the number columns first, then the items
 * of the bags, then a 1 for the intercept. Classes that occur are counted from 0; of two classes
 * class 0 is the positive one. Class k has a vector of weights and the score a_k = w_k·x; when the
 * last class is pinned, its score is 0 and it has no vector. So two classes have one vector, and
 * everything is softmax.
 *
 * The solvers work on z = (x - shift) * scale for number columns (rows/matrix.h). Weights of all
 * vectors lie together, term by term: theta[term * stride + vector]. */
#ifndef CAIRN_LEARNERS_LOGISTIC_H
#define CAIRN_LEARNERS_LOGISTIC_H

#include "learners/linear/planes.h"
#include "rows/row_losses.h"
#include "solve/solvers.h"

typedef enum {
    CAIRN_PENALTY_AUTO,
    CAIRN_PENALTY_NONE,
    CAIRN_PENALTY_L2,
    CAIRN_PENALTY_L1,
    CAIRN_PENALTY_ELASTIC
} cairn_logistic_penalty;
typedef enum {
    CAIRN_LOGISTIC_AUTO,
    CAIRN_LOGISTIC_NEWTON,
    CAIRN_LOGISTIC_CG,
    CAIRN_LOGISTIC_ASCENT,
    CAIRN_LOGISTIC_GIVEN /* nothing was solved: the weights are somebody's */
} cairn_logistic_solver;
typedef enum { CAIRN_GAUGE_AUTO, CAIRN_GAUGE_PIN, CAIRN_GAUGE_RIDGE } cairn_logistic_gauge;
typedef enum {
    CAIRN_INTERCEPT_MINUS,
    CAIRN_INTERCEPT_PLUS,
    CAIRN_INTERCEPT_NONE
} cairn_logistic_side;
extern const cairn_choice cairn_intercept_choices[];
typedef enum { CAIRN_SEPARABLE_RIDGE, CAIRN_SEPARABLE_STOP, CAIRN_SEPARABLE_FAIL } cairn_separable;
typedef enum {
    CAIRN_SEPARATION_NONE,
    CAIRN_SEPARATION_COMPLETE,
    CAIRN_SEPARATION_QUASI
} cairn_separation;

enum { CAIRN_LOGISTIC_SAMPLE = 1000 }; /* rows kept for the picture */

typedef struct cairn_logistic_params {
    int penalty;
    const char *strength;
    double mix;
    int path;
    double path_ratio;
    int folds;
    int choose; /* 1 = within one standard error */
    int solver;
    int gauge;
    int intercept;
    int logit_sign;
    const char *class_weight;
    int if_separable;
    int max_iter;
    double tolerance;
    double max_step;
    const char *init;
    int protocol, update;
    double eta;
    int epochs;
    double level;
} cairn_logistic_params;

/* The rows with their classes. */
typedef struct cairn_logistic_data {
    cairn_row_matrix x;         /* with ones for the intercept */
    const cairn_schema *schema; /* of its columns */
    size_t n_classes;           /* that occur */
    size_t n_vectors;
    size_t stride; /* of weights and scores */
    bool pinned;
    const int32_t *classes; /* n_classes codes of the target */
    int32_t *answers;       /* class of each row */
    double *weights;        /* of each row and its class */
    double *signs;        /* two classes and all weights 1: 1 = class 0, -1 = class 1; else NULL */
    double total;         /* sum of the weights */
    double *class_totals; /* n_classes */
} cairn_logistic_data;

/* What is minimised: sum of losses + Σ ridge_j θ²/2 + Σ lasso_j |θ|, and the answer. */
typedef struct cairn_logistic_fit {
    cairn_logistic_data *data;
    cairn_classes_loss classes;
    cairn_row_loss loss;
    cairn_scored scored;
    cairn_objective objective;
    cairn_place place; /* theta, gradient and Hessian in z units, the objective's value */
    cairn_progress progress;
    double ridge, lasso;   /* strengths in the columns' own units */
    const double *spreads; /* n_terms: the ridge is of weights times these; NULL = of weights */
    double *lassos;        /* of every weight, in z units */
    uint8_t *fixed;        /* width: 1 = the term depends on others and is left out */
    bool check_terms;      /* NEWTON without a penalty: look for dependent terms */
    char *relations;       /* what was found, one per line; the caller frees it; NULL = none */
    double max_step;
    size_t by_slopes;    /* steps by gradients alone that led to the start */
    cairn_report *steps; /* NULL = not shown */
    int32_t separation;  /* cairn_separation */
    double *direction;   /* width x stride: along which the likelihood grows for ever */
} cairn_logistic_fit;

typedef cairn_class_planes cairn_logistic_model;

/* How it came about. */
typedef struct cairn_logistic_history {
    double *errors;   /* of the weights: standard errors; NULL = none */
    uint8_t *aliased; /* n_terms: 1 = depends on earlier terms */
    char *relations;  /* such dependences, one per line; NULL = none */
    int32_t solver, penalty;
    bool forced; /* the penalty was added because the classes are separable */
    double ridge, lasso;
    int32_t separation;
    char *separators; /* columns that separate; NULL = none */
    double total;
    double loss, objective, null_loss, accuracy;
    double *shares; /* n_present: of the rows */
    double *means;  /* n_present: mean probability of the class */
    double moment;  /* the largest |Σ (y - p) x| over its own scale Σ |x| */
    size_t iterations, products;
    bool converged;
    double expected;
    size_t n_curve;
    double *curve; /* cross-entropy before each iteration and at the end */
    size_t n_path; /* strengths of the path, falling */
    double *path_strengths, *path_losses, *path_sizes; /* n_path: strength, loss, weights not 0 */
    double *path_held, *path_errors; /* n_path: mean loss of held-out rows and its error; NULL */
    size_t n_traced;
    int32_t *traced;  /* n_traced: term * n_vectors + vector */
    double *traces;   /* n_path x n_traced */
    size_t chosen;    /* number of the strength in the path; n_path = none of them */
    size_t n_sample;  /* rows for the picture; 0 unless there is one number and two classes */
    double *inputs;   /* n_sample */
    double *outcomes; /* n_sample: 1 = positive */
} cairn_logistic_history;

/* -- the data -- */

/* What the data are made with. `class_weights` are by code of the target, NULL = all 1. */
typedef struct cairn_logistic_plan {
    const cairn_schema *schema;
    const int32_t *classes; /* n_present codes in the order of the vectors */
    size_t n_present;
    size_t n_terms;
    bool pinned, intercept;
    const double *class_weights;
    bool sparse;    /* bags by columns, padded vectors: for conjugate gradients and ascent */
    bool penalised; /* there is a penalty, also on columns of tiny numbers */
} cairn_logistic_plan;
/* Opens the rows of the view, weighted by row and class. Scratch that borrows the view and the
 * plan's arrays. */
CAIRN_CHECKED cairn_status cairn_logistic_data_make(cairn_context *ctx, cairn_logistic_data *out,
                                                    const cairn_view *view,
                                                    const cairn_logistic_plan *plan);
/* Terms of row i that are not 0 in the columns' own units, and the intercept last; n_terms + 1 at
 * most. */
size_t cairn_logistic_entries(const cairn_logistic_data *data, size_t i, size_t *terms,
                              double *values);
/* What is wrong with numbers whose sums are none: fails with the column and the row. */
CAIRN_CHECKED cairn_status cairn_logistic_check_finite(cairn_context *ctx,
                                                       const cairn_logistic_data *data);

/* -- fitting -- */
CAIRN_CHECKED cairn_status cairn_logistic_fit_make(cairn_context *ctx, cairn_logistic_fit *out,
                                                   cairn_logistic_data *data, int max_iter);
/* Strengths of the penalties in the columns' own units. */
void cairn_logistic_set_penalty(cairn_logistic_fit *fit, double ridge, double lasso);
/* The factor of w²/2 of a term's weights in own units. */
double cairn_logistic_ridge(const cairn_logistic_fit *fit, size_t term);
/* Standard deviations of the terms, scratch; 1 where a term is constant. */
CAIRN_CHECKED cairn_status cairn_logistic_spreads(cairn_context *ctx,
                                                  const cairn_logistic_data *data,
                                                  const double **out);
/* Newton's method from fit->place.x, with the whole Hessian or by conjugate gradients; without a
 * penalty it looks for separation. */
CAIRN_CHECKED cairn_status cairn_logistic_newton(cairn_context *ctx, cairn_logistic_fit *fit);
CAIRN_CHECKED cairn_status cairn_logistic_cg(cairn_context *ctx, cairn_logistic_fit *fit);
CAIRN_CHECKED cairn_status cairn_logistic_ascent(cairn_context *ctx, cairn_logistic_fit *fit,
                                                 const cairn_logistic_params *params);
/* Weights of the fit, (n_terms + 1) x n_vectors in the columns' own units. */
void cairn_logistic_raw(const cairn_logistic_fit *fit, const double *theta, double *out);
/* Standard errors ((n_terms + 1) x n_vectors, columns' own units) from the Hessian; NaN where a
 * weight is not determined. */
CAIRN_CHECKED cairn_status cairn_logistic_errors(cairn_context *ctx, const cairn_logistic_fit *fit,
                                                 double *out);

/* -- what is kept -- */
extern const cairn_history cairn_logistic_histories;

/* -- what is shown -- */
void cairn_logistic_describe(cairn_report *out, const void *model, const cairn_job *job);
extern const cairn_model_figure cairn_logistic_figures[]; /* the path, and what held-out rows say */
void cairn_logistic_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);

/* Probabilities of the classes, and distances from the boundary, for any learner whose scores are
 * logarithms of them. */
CAIRN_CHECKED cairn_status cairn_logistic_predict(cairn_context *ctx, cairn_prediction *out,
                                                  const void *model, const cairn_job *job);

/* The model as a program (model/program.h). */
CAIRN_CHECKED cairn_status cairn_logistic_lower(const void *model, const cairn_job *job,
                                                cairn_program *out);

#endif
