/* SPDX-License-Identifier: MIT */
/* Parts of fitting the learner `svm`. */
#ifndef CAIRN_LEARNERS_SVM_FIT_H
#define CAIRN_LEARNERS_SVM_FIT_H

#include "learners/kernel/svm.h"
#include "solve/constrained.h"
#include "solve/pairs.h"
#include "solve/solvers.h"

/* Rows up to which kernel rows are in double precision. */
enum { CAIRN_SVM_EXACT = 1000 };
/* Rows of a machine up to which pairs go on until hardly anything is left. */
enum { CAIRN_SVM_FINE = 5000 };
/* Rows above which linear machines are fitted row by row. */
enum { CAIRN_SVM_MANY = 20000 };

/* Rows up to which a machine is solved exactly: as a rule, and where nothing else does. */
enum { CAIRN_SVM_EXACT_ROWS = 200, CAIRN_SVM_EXACT_MOST = CAIRN_SVM_EXACT };

/* What counts as rounding in a proof, as a part of the objective. */
#define CAIRN_SVM_ROUNDING 1e-6

/* What is left of the conditions of a solution; see svm_proof.c. */
typedef struct cairn_svm_proof {
    double primal, dual, whole; /* the objectives, and what the gap is a part of */
    double gap, gap_bound;      /* relative */
    double conditions, bound;
    double digits;  /* of the gap, that the digits of the scores leave */
    double rounded; /* what the digits of a score leave, as a part of 1 or of the targets' size */
} cairn_svm_proof;

/* The problem of a machine over its n rows. */
typedef struct cairn_svm_problem {
    uint32_t *which; /* n rows of the prepared ones; NULL = all */
    size_t n;
    double *targets; /* n: 1 and -1, or the numbers */
    double *bounds;  /* n: C times the weight */
    double *betas;   /* n: the solution */
    double *rest;
    double *buffer;  /* linear kernel over numbers: for the weights; else NULL */
    double *weights; /* linear kernel, few rows: of the terms, where they are known better than as a
                        sum over β; else NULL */
    const cairn_quad *exact; /* n: β with all digits, for the proof of those weights; in units of
                                β times `divide`; NULL = there are no more */
    double constant;         /* as {bias-from} says */
    double best;             /* the one of the solution */
    double divide;           /* what the ν form was divided by */
    double power_cost; /* what a unit of slack costs, where the power of their sum is above 1 */
    bool limited;      /* the limit of steps ended the work */
    cairn_svm_proof proof;
    cairn_svm_machine reported;
} cairn_svm_problem;

typedef struct cairn_svm_fitting {
    const cairn_job *job;
    const cairn_svm_params *params;
    cairn_kernel kernel;
    size_t n;         /* rows of positive weight */
    uint32_t *used;   /* n: rows of the view */
    uint32_t *places; /* n: rows of the table */
    double *weights;  /* n, with those of the classes */
    int32_t *codes;   /* n, where classes are told apart */
    double *numbers;  /* n, else */
    size_t n_terms;
    bool dense;             /* there are no bags */
    cairn_kernel_rows rows; /* prepared for the kernel */
    size_t n_machines;
    cairn_svm_problem *machines;
    int32_t *plus, *minus;
    size_t cache;            /* bytes for each machine */
    bool linear;             /* row by row */
    bool primal;             /* by the weights, as far as a machine allows */
    double least_eigenvalue; /* of the kernel matrix, where it was looked for; else 0 */
} cairn_svm_fitting;

/* Linear machines by a method of their own, solve/dual_rows.h, over the rows as they are: weights
 * and constants of the model, and what is told of the machines. */
CAIRN_CHECKED cairn_status cairn_svm_fit_linear(cairn_context *ctx, cairn_svm_model *model,
                                                cairn_svm_fitting *f);

/* svm_exact.c: a hard margin of classes that no boundary separates fails with the least violation:
 * the same answer as that of compute separability. */
CAIRN_CHECKED cairn_status cairn_svm_check_separable(cairn_context *ctx, const cairn_svm_fitting *f,
                                                     const cairn_svm_problem *m,
                                                     const cairn_kernel_rows *rows);
/* Whether a machine is solved exactly, and doing so: the pairs are filled as their own
 * solver would. Changes the bounds of the machine where the power of the slacks is above 1. */
bool cairn_svm_is_small(const cairn_svm_fitting *f, const cairn_svm_problem *m);
CAIRN_CHECKED cairn_status cairn_svm_solve_exact(cairn_context *ctx, const cairn_svm_fitting *f,
                                                 cairn_svm_problem *m,
                                                 const cairn_kernel_rows *rows, cairn_pairs *pairs);
/* The same for machines of dual_rows.h: n points of p numbers, their targets, bounds and β. The
 * first point is 0 everywhere, has infinite bounds, and takes what β add up to. A margin is
 * asked for that is `clear` wider. Fills β, `exact`, `rest` and the p weights. */
CAIRN_CHECKED cairn_status cairn_svm_finish_rows(cairn_context *ctx, const cairn_svm_fitting *f,
                                                 cairn_svm_problem *m, double *points, size_t p,
                                                 double clear);
/* svm_primal.c: whether a machine can be and is solved by its weights, and doing so: β, the group
 * and the course of the pairs, and the weights of the machine. */
bool cairn_svm_can_primal(const cairn_svm_fitting *f);
bool cairn_svm_is_primal(const cairn_svm_fitting *f, const cairn_svm_problem *m);
CAIRN_CHECKED cairn_status cairn_svm_solve_primal(cairn_context *ctx, const cairn_svm_fitting *f,
                                                  cairn_svm_problem *m,
                                                  const cairn_kernel_rows *rows,
                                                  cairn_pairs *pairs);
/* svm_indefinite.c: where the kernel matrix has negative eigenvalues and rows are few, a lower
 * place than the one of the pairs, from there, from `start` and from elsewhere. */
CAIRN_CHECKED cairn_status cairn_svm_search(cairn_context *ctx, const cairn_svm_fitting *f,
                                            const cairn_svm_problem *m,
                                            const cairn_kernel_rows *rows, cairn_pairs *pairs,
                                            const double *start);
/* What is asked for of the conditions: of few rows it is nearly everything, of many that would take
 * too long. */
double cairn_svm_tolerance(const cairn_svm_params *params, size_t n);
/* What needs few rows and has many fails. */
CAIRN_CHECKED cairn_status cairn_svm_refuse_large(cairn_context *ctx, const cairn_svm_fitting *f,
                                                  size_t n);
/* A hard margin that was not found fails. */
CAIRN_CHECKED cairn_status cairn_svm_check_hard(cairn_context *ctx, const cairn_svm_fitting *f,
                                                const cairn_pairs *pairs);
/* The constant of a solution, from the rows that {bias-from} names. */
double cairn_svm_constant(const cairn_svm_params *params, const cairn_pairs *pairs,
                          const double *targets);

/* svm_proof.c: fills the proof of a machine and its scores from the rows and the solution alone;
 * `diagonal` is k of each row with itself, `tolerance` what the solver was asked for. */
CAIRN_CHECKED cairn_status cairn_svm_prove(cairn_context *ctx, const cairn_svm_fitting *f,
                                           cairn_svm_problem *m, const cairn_kernel_rows *rows,
                                           const double *diagonal, double tolerance);

/* svm_show.c: the work of machines of few rows, where it is to be shown. */
CAIRN_CHECKED cairn_status cairn_svm_show_steps(cairn_context *ctx, const cairn_svm_model *m,
                                                const cairn_svm_fitting *f);

/* Looks for negative eigenvalues of a given matrix and of the sigmoid kernel: f->least_eigenvalue.
 * Fails (CAIRN_BAD_DATA) where a given matrix, which is symmetric, has one and nobody said to go
 * on; else that is a warning. Of more than 3000 rows (sigmoid: 1000) they are not looked at. */
CAIRN_CHECKED cairn_status cairn_svm_check_gram(cairn_context *ctx, cairn_svm_fitting *f);

#endif
