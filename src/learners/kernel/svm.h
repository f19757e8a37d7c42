/* SPDX-License-Identifier: MIT */
/* Support vector machines, shared by the parts of the learner `svm`.
 *
 * A machine has a score f(x) = Σ_i β_i k(x_i, x) + constant. Two classes are told apart by one
 * machine, f >= 0 for the class `plus` and f < 0 for `minus`; more classes by one machine for every
 * pair or one for every class against the rest; numbers are f itself. All machines of a model share
 * its support vectors: those rows whose β is not 0 in one of them. β = y α for classes, α - α' for
 * numbers. */
#ifndef CAIRN_LEARNERS_SVM_H
#define CAIRN_LEARNERS_SVM_H

#include "model/learner.h"
#include "rows/kernel.h"

typedef enum { CAIRN_SVM_C, CAIRN_SVM_NU, CAIRN_SVM_ONE_CLASS } cairn_svm_type;
typedef enum { CAIRN_SVM_PAIRS, CAIRN_SVM_REST } cairn_svm_scheme;
typedef enum { CAIRN_SVM_MINUS, CAIRN_SVM_PLUS } cairn_svm_side;  /* of the intercept */
typedef enum { CAIRN_SVM_HALF, CAIRN_SVM_FULL } cairn_svm_margin; /* 1/|w|, 2/|w| */
typedef enum { CAIRN_SVM_FREE, CAIRN_SVM_MIDPOINT, CAIRN_SVM_FIRST } cairn_svm_bias;
typedef enum { CAIRN_SVM_ALPHA, CAIRN_SVM_ON_MARGIN } cairn_svm_who; /* is a support vector */

typedef enum {
    CAIRN_SVM_AUTO,
    CAIRN_SVM_BY_PAIRS,
    CAIRN_SVM_BY_ROWS,
    CAIRN_SVM_EXACTLY,
    CAIRN_SVM_BY_PRIMAL
} cairn_svm_solver;
typedef enum { CAIRN_SVM_HINGE, CAIRN_SVM_SQUARED } cairn_svm_loss;

/* Rows up to which the history keeps what the solution says of every one of them. */
enum { CAIRN_SVM_SHOWN = 1000 };
/* Rows up to which a description has a line for each. */
enum { CAIRN_SVM_PAGE = 200 };

typedef struct cairn_svm_params {
    cairn_kernel_params kernel;
    int type;
    double c, nu, epsilon;
    const char *class_weight;
    int classes; /* cairn_svm_scheme */
    int solver, loss;
    int protocol; /* cairn_protocol */
    int preset;
    double tolerance;
    int64_t max_iter;
    double cache; /* megabytes; 0 = chosen */
    bool shrinking;
    int intercept, margin, bias_from, sv;
    int slack_power;
    bool go_on; /* with a given matrix that is no kernel's */
} cairn_svm_params;

typedef struct cairn_svm_model {
    cairn_task task;
    cairn_kernel kernel;
    size_t n_terms;
    size_t n_classes, n_present; /* levels of the target, those that occur; 0 for numbers */
    int32_t *classes;            /* n_present codes */
    size_t n_machines;
    int32_t *plus, *minus;     /* n_machines codes; minus -1 = all others, or whatever is unlike
                                  the one class that there is */
    cairn_kernel_rows vectors; /* the support vectors */
    double *betas;             /* n_machines x vectors.n */
    double *constants;         /* n_machines */
    double *weights; /* linear kernel: (n_terms + 1) x n_machines, the constants last; NULL
                                  for the others */
} cairn_svm_model;

/* What is known of a machine's solution. */
typedef struct cairn_svm_machine {
    size_t n;                  /* rows that it was fitted to */
    size_t n_vectors, n_bound; /* with β not 0, of them at their bound */
    double value;              /* -dual, of the form with C or epsilon */
    double gap;                /* of the optimality conditions, at the end */
    double top, bottom;        /* between which the constant may lie */
    size_t n_free;             /* vectors strictly within their bounds */
    double rho;                /* ν form: what the solution was divided by; numbers: width
                                         of the tube */
    size_t steps;
    bool converged;
    bool indefinite; /* the kernel matrix has a negative eigenvalue */
    /* Up to CAIRN_SVM_SHOWN rows, else NULL: numbers of the rows in the training table from 0,
     * which class (1, -1) or number they have, β, score and bound of α. */
    int32_t *rows;
    double *targets, *betas, *scores, *bounds; /* n */
    size_t n_coordinates; /* 1 or 2: then `points` has those of every row, for pictures; else 0 */
    double *points;       /* n x n_coordinates */
} cairn_svm_machine;

typedef struct cairn_svm_history {
    size_t n_machines;
    cairn_svm_machine *machines;
} cairn_svm_history;

/* svm_fit.c */
CAIRN_CHECKED cairn_status cairn_svm_fit(cairn_context *ctx, void *model, const cairn_job *job);
CAIRN_CHECKED cairn_status cairn_svm_predict(cairn_context *ctx, cairn_prediction *out,
                                             const void *model, const cairn_job *job);
/* Scores of all machines for the rows of a view, n x n_machines. */
CAIRN_CHECKED cairn_status cairn_svm_scores(cairn_context *ctx, const cairn_svm_model *m,
                                            const cairn_view *view, double *out);
extern const cairn_history cairn_svm_story;
/* svm_show.c */
void cairn_svm_describe(cairn_report *out, const void *model, const cairn_job *job);
extern const cairn_model_figure cairn_svm_figures[];

extern const cairn_learned cairn_svm_tables[];

#endif
