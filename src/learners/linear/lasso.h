/* SPDX-License-Identifier: MIT */
/* Lasso, elastic net and q-norm penalties, shared by the parts of the learner `lasso`. */
#ifndef CAIRN_LEARNERS_LASSO_H
#define CAIRN_LEARNERS_LASSO_H

#include "learners/linear/weights.h"
#include "resample/resample.h"
#include "solve/penalised.h"

/* Which strength held-out rows choose. */
extern const cairn_choice cairn_lasso_choosing[];

enum { CAIRN_LASSO_HALF, CAIRN_LASSO_FULL, CAIRN_LASSO_MEAN };

typedef struct cairn_lasso_params {
    const char *lambda;
    double mix, q;
    int objective;
    int path;
    double path_ratio;
    const char *inner;
    int choose;
    bool intercept, penalise_intercept;
    int protocol; /* cairn_protocol */
    double eta;
    int epochs;
} cairn_lasso_params;

/* Columns of the path. */
enum {
    CAIRN_LASSO_LAMBDA,
    CAIRN_LASSO_NONZERO,
    CAIRN_LASSO_DF,
    CAIRN_LASSO_SSE,
    CAIRN_LASSO_GCV,
    CAIRN_LASSO_HELD,
    CAIRN_LASSO_ERROR,
    CAIRN_LASSO_COLUMNS
};

typedef struct cairn_lasso_history {
    double spread; /* squares of the target about its mean, about 0 without a free constant */
    double most;   /* least strength that leaves no coefficient; NaN = there is none (q above 1) */
    double loss, penalty; /* at the strength that was taken, before λ */
    double ridge;         /* Σ c²/2 there; NaN unless the penalty is mixed */
    size_t n_terms;
    size_t n_path, chosen;
    double *path;      /* n_path x COLUMNS */
    size_t n_splits;   /* of the cross-validation; 0 = none */
    size_t n_unsolved; /* strengths at which the iteration did not converge */
    bool ends_early;   /* a later strength has too many coefficients other than 0 */
    size_t n_traced;   /* coefficients that are kept along the path */
    int32_t *traced;   /* their terms */
    double *traces;    /* n_path x n_traced */
    size_t n_events;   /* a coefficient becomes other than 0, or 0 again */
    int32_t *events;   /* n_events x 2: strength, and the term, or -1 - term when it becomes 0 */
} cairn_lasso_history;

void cairn_lasso_history_clear(cairn_lasso_history *history);

/* Least squares as sums over some rows, in the units of the matrix. */
typedef struct cairn_lasso_sums {
    size_t n;       /* coefficients: the terms, and the constant where it is penalised */
    double total;   /* weight of the rows */
    double squares; /* of the target, about its mean where the constant is free */
    double *gram;   /* n x n */
    double *side;   /* n */
    double *means;  /* n_terms, and the target's; zeros without a free constant */
} cairn_lasso_sums;

typedef struct cairn_lasso_problem {
    const cairn_lasso_params *params;
    cairn_row_matrix x;
    bool free;         /* a constant that is not penalised */
    size_t n;          /* coefficients of the sums */
    double *units;     /* n: a coefficient in own units is so many times that in the matrix's */
    double *strengths; /* n_path, falling */
    size_t n_path;
    bool wide;      /* products of all pairs of columns would not fit memory: `all` has no gram */
    bool validated; /* by folds */
    cairn_plan plan;
    size_t n_folds;
    double *grams; /* (n_folds + 1) x width x width: those of the folds and of the other rows */
    cairn_lasso_sums all; /* of all rows */
} cairn_lasso_problem;

/* The rows as a matrix, and whether folds are needed; p is zeroed. Scratch. */
CAIRN_CHECKED cairn_status cairn_lasso_open(cairn_context *ctx, cairn_lasso_problem *p,
                                            const cairn_job *job, const cairn_lasso_params *params);
/* Which penalty a strength is, for rows of this weight out of all: factors of |c|^q and c²/2 in
 * own units. */
void cairn_lasso_factors(const cairn_lasso_problem *p, double strength, double total, double *lasso,
                         double *ridge);
/* The function to minimise for sums of some rows at a strength; `buffer` has 2 n numbers. */
cairn_penalised cairn_lasso_at(const cairn_lasso_problem *p, const cairn_lasso_sums *sums,
                               double strength, double *buffer);
/* p->all by one pass over the rows, fold by fold where they are to be validated. Scratch. */
CAIRN_CHECKED cairn_status cairn_lasso_sum_rows(cairn_context *ctx, cairn_lasso_problem *p,
                                                const cairn_job *job);
/* Mean squared errors of held-out rows at every strength with their standard errors, n_path each,
 * and the strength that they choose. */
CAIRN_CHECKED cairn_status cairn_lasso_validate(cairn_context *ctx, cairn_lasso_problem *p,
                                                double *means, double *errors, size_t *chosen);
/* The same for many terms: the sums of all rows; the path, into account and thetas (n_path x n),
 * which ends, with n_path, where too many coefficients are other than 0; and the squared errors of
 * the rows of a fold at every strength, with their weight. */
CAIRN_CHECKED cairn_status cairn_lasso_wide_sums(cairn_context *ctx, cairn_lasso_problem *p);
CAIRN_CHECKED cairn_status cairn_lasso_wide_path(cairn_context *ctx, cairn_lasso_problem *p,
                                                 cairn_lasso_history *history, double *thetas);
CAIRN_CHECKED cairn_status cairn_lasso_wide_fold(cairn_context *ctx, const cairn_lasso_problem *p,
                                                 cairn_rows train, cairn_rows test, double *losses,
                                                 double *weight);

/* lasso_rows.c: the coefficients (n) at one strength, from rows that are taken one by one, and
 * whether they are the least. */
CAIRN_CHECKED cairn_status cairn_lasso_by_rows(cairn_context *ctx, const cairn_lasso_problem *p,
                                               const cairn_job *job, double strength, double *theta,
                                               bool *converged);

/* Proofs that the coefficients of the path (n_path x n) and the weights in own units, those of the
 * strength that was taken, are the least. */
CAIRN_CHECKED cairn_status cairn_lasso_certify(cairn_context *ctx, const cairn_lasso_problem *p,
                                               const cairn_job *job,
                                               const cairn_lasso_history *history,
                                               const double *thetas, const double *weights);

/* The sums, the first updates and the conditions of the minimum. */
void cairn_lasso_steps(cairn_report *out, const cairn_lasso_problem *p, const cairn_job *job,
                       double strength, const double *theta);
void cairn_lasso_show_path(cairn_report *out, const cairn_lasso_history *history,
                           const cairn_job *job);

#endif
