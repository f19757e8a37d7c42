/* SPDX-License-Identifier: MIT */
/* Classes with normal densities, the inside. What a file keeps are the sums of the classes: weight,
 * mean, scatter about the mean. Everything else is made from them, so that more rows can be added
 * later. gaussian_missing.c does what missing cells need; gaussian_show.c finds where two classes
 * are equally probable, and shows the work. */
#ifndef CAIRN_LEARNERS_BAYES_GAUSSIAN_H
#define CAIRN_LEARNERS_BAYES_GAUSSIAN_H

#include "learners/bayes/bayes.h"
#include "solve/em.h"

typedef enum cairn_gaussian_covariance {
    CAIRN_GAUSSIAN_SHARED,
    CAIRN_GAUSSIAN_OWN,
    CAIRN_GAUSSIAN_DIAGONAL, /* variances of each class */
    CAIRN_GAUSSIAN_IDENTITY,
    CAIRN_GAUSSIAN_COVARIANCES
} cairn_gaussian_covariance;

typedef struct cairn_gaussian_model {
    size_t n_classes, n_columns;
    int32_t covariance, divisor, prior_kind;
    double pooling, shrinkage, least_variance;
    double *given_prior; /* n_given */
    size_t n_given;
    double incomplete; /* weight of the training rows with a missing cell */
    double likelihood; /* ln of the likelihood of the training rows, where some are incomplete or
                          the classes were typed; else 0, and the sums have it */
    size_t n_kept;     /* those rows, for when others come later; 0 where they are too many */
    double *kept;      /* n_kept x n_columns: NaN = missing */
    double *kept_weights;
    int32_t *kept_classes;
    double *complete; /* with them: totals, means and scatters of the complete rows, in a row */
    double *totals;   /* n_classes: weight of the training rows; 0 = the class does not occur */
    double *means;    /* n_classes x n_columns */
    double *scatters; /* sums of products about the class means: one matrix, n_classes of them, or
                         n_classes x n_columns squares, by the covariance; NULL for the identity */

    /* made from the above by cairn_gaussian_make_tables */
    double *log_prior; /* n_classes; -inf: no training row */
    double *centre;    /* n_columns: mean of all rows; distances are measured from here */
    uint8_t *constant; /* n_columns: the same in all rows, left out */
    size_t n_constant;
    size_t n_factors;      /* covariances: 1, or n_classes */
    bool diagonal;         /* ... which are variances only */
    double *covariance_of; /* n_factors x n_columns (x n_columns) */
    double *factors;       /* the same shape: M, upper, with MM' the inverse; or 1 / deviations */
    double *log_roots;     /* n_factors: ln of the root of the determinant */
    double *offsets;       /* n_classes x n_columns: (mean − centre) M */
    double *log_bases;     /* n_classes: the logarithm of prior times density at the mean */
    double *planes;  /* (n_columns + 1) x n_classes, where there is one factor: linear scores of
                           x − centre, the constants last */
    uint8_t *raised; /* n_factors: the covariance was singular, and variances were raised */
} cairn_gaussian_model;

/* Classes that were typed and not learned (gaussian_given.c): there are no sums of rows. */
static inline bool cairn_gaussian_is_typed(const cairn_gaussian_model *m)
{
    return !(m->incomplete > 0) && m->likelihood != 0;
}

/* Numbers of a covariance, and of all scatters that are kept. */
size_t cairn_gaussian_size(const cairn_gaussian_model *m);
size_t cairn_gaussian_scatter_size(const cairn_gaussian_model *m);

/* The factor of class c. */
static inline size_t cairn_gaussian_factor(const cairn_gaussian_model *m, size_t c)
{
    return m->n_factors == 1 ? 0 : c;
}

/* Totals, means and scatters together. */
size_t cairn_gaussian_sums_size(const cairn_gaussian_model *m);
/* Element (i, j) of the covariance of class c. */
double cairn_gaussian_entry(const cairn_gaussian_model *m, size_t c, size_t i, size_t j);
/* The weight that the scatter of a class, or with `c` = n_classes the pooled one, is divided by. */
double cairn_gaussian_divisor(const cairn_gaussian_model *m, size_t c);
/* Inverse of the covariance of class c, n_columns x n_columns; constant columns are 0. */
void cairn_gaussian_inverse(const cairn_gaussian_model *m, size_t c, double *out);
/* Linear score of class c by the inverse of the shared covariance: w = Σ⁻¹μ (n_columns) and w0 =
 * ln P − ½ μ'Σ⁻¹μ. */
void cairn_gaussian_plane(const cairn_gaussian_model *m, const double *inverse, size_t c, double *w,
                          double *w0);
/* Σ ln P(x, class) over the training rows, from their sums. */
CAIRN_CHECKED cairn_status cairn_gaussian_log_likelihood(cairn_context *ctx, double *out,
                                                         const cairn_gaussian_model *m);
/* Squares of rows about the means of their classes in the covariance of factor f, from their
 * scatter. */
CAIRN_CHECKED cairn_status cairn_gaussian_squares(cairn_context *ctx, double *out,
                                                  const cairn_gaussian_model *m, size_t f,
                                                  const double *scatter);
/* Whether row i of the view has all its cells. */
bool cairn_gaussian_is_complete(const cairn_view *view, size_t i);
/* The job's rows without those that have a missing cell, scratch; *weight is what is left out. */
CAIRN_CHECKED cairn_status cairn_gaussian_complete(cairn_context *ctx, cairn_view *out,
                                                   const cairn_view *view, double *weight);

/* Classes that are known and not learned. */
typedef struct cairn_gaussian_known {
    size_t n_classes, n_columns;
    cairn_gaussian_covariance covariance;
    const double *means;       /* n_classes x n_columns */
    const double *covariances; /* one matrix, one for each class, or n_classes x n_columns
                                  variances, by `covariance` */
    const double *priors;      /* n_classes */
} cairn_gaussian_known;

/* -- gaussian.c -- */
/* A zeroed model of such classes. A covariance that is not positive definite is `raised`. */
CAIRN_CHECKED cairn_status cairn_gaussian_know(cairn_context *ctx, cairn_gaussian_model *m,
                                               const cairn_gaussian_known *known);
void cairn_gaussian_clear(void *model);
CAIRN_CHECKED cairn_status cairn_gaussian_make_tables(cairn_context *ctx, cairn_gaussian_model *m);
/* Columns that are combinations of those before them in the covariance of factor f before it was
 * raised: 1 in `out` (n_columns); returns how many. */
CAIRN_CHECKED cairn_status cairn_gaussian_dependent(cairn_context *ctx, uint8_t *out, size_t *n,
                                                    const cairn_gaussian_model *m, size_t f);

/* -- gaussian_given.c -- */
CAIRN_CHECKED cairn_status cairn_gaussian_read(cairn_context *ctx, cairn_gaussian_model *m,
                                               const cairn_job *job, const cairn_given *given);

/* -- gaussian_missing.c -- */
/* A row with missing cells. Where few are missing, and no covariance is singular, it is worked on
 * through the inverses, whose part of the missing cells is small; else through the covariances of
 * the cells that are there, whose factors are kept, since rows with the same cells often follow
 * each other. */
typedef struct cairn_gaussian_observed {
    size_t n, n_holes;
    size_t *at, *holes; /* n_columns: which columns are there, and which are not; constant ones are
                           in neither */
    bool by_inverses;
    double *inverses; /* n_factors x n_columns x n_columns */
    double *small;    /* n_columns x n_columns: factor of the inverse's part, lower, rows of
                           n_holes */
    double *apart, *solved, *transposed; /* n_columns */
    double *factors;                     /* n_factors x n_columns x n_columns: lower, rows of n */
    double *log_roots;                   /* n_factors */
    uint8_t *made;                       /* n_factors: the factor is that of these cells */
} cairn_gaussian_observed;

/* Scratch. */
CAIRN_CHECKED cairn_status cairn_gaussian_observed_new(cairn_context *ctx,
                                                       cairn_gaussian_observed *out,
                                                       const cairn_gaussian_model *m);
/* Scores of a row z = x − centre with missing cells, n_classes. */
void cairn_gaussian_observed_scores(const cairn_gaussian_model *m, cairn_gaussian_observed *o,
                                    const double *z, double *out);

/* -- gaussian_missing.c -- */
/* The incomplete rows of a view come to those that are kept. */
CAIRN_CHECKED cairn_status cairn_gaussian_keep_rows(cairn_context *ctx, cairn_gaussian_model *m,
                                                    const cairn_view *view);
/* With rows that are kept: the sums of all rows by EM, from those of the complete ones, which the
 * model has, and which it puts aside. */
CAIRN_CHECKED cairn_status cairn_gaussian_expect_missing(cairn_context *ctx,
                                                         cairn_gaussian_model *m,
                                                         const cairn_job *job);
/* The sums of the complete rows again, so that others can be added. */
CAIRN_CHECKED cairn_status cairn_gaussian_recall(cairn_context *ctx, cairn_gaussian_model *m);
void cairn_gaussian_clear_kept(cairn_gaussian_model *m);

/* -- gaussian.c -- */
/* ln(prior x density) of every row of the view and every class, n x n_classes; missing cells are
 * summed over. */
CAIRN_CHECKED cairn_status cairn_gaussian_scores(cairn_context *ctx, double *out,
                                                 const cairn_gaussian_model *m,
                                                 const cairn_view *view);
/* Scores into probabilities, in place; returns ln of their sum. */
double cairn_gaussian_posterior(double *scores, size_t n);

/* -- showing -- */
CAIRN_CHECKED cairn_status cairn_gaussian_steps(cairn_context *ctx, const cairn_gaussian_model *m,
                                                const cairn_job *job);
/* What follows from priors, means and covariances: the covariances, of a shared one the linear
 * scores, and the boundaries. */
CAIRN_CHECKED cairn_status cairn_gaussian_show(cairn_report *out, const cairn_gaussian_model *m,
                                               const cairn_job *job);
/* The step that works it out, into job->steps. */
CAIRN_CHECKED cairn_status cairn_gaussian_discriminant_step(cairn_context *ctx,
                                                            const cairn_gaussian_model *m,
                                                            const cairn_job *job);
void cairn_gaussian_describe(cairn_report *out, const void *model, const cairn_job *job);
/* -- gaussian_show.c: densities of one column, contours of two -- */
extern const cairn_model_figure cairn_gaussian_figures[];
void cairn_gaussian_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);

extern const cairn_learned cairn_gaussian_tables[];

#endif
