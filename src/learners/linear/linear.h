/* SPDX-License-Identifier: MIT */
/* Least squares, shared by the parts of the learner `linear`.
 *
 * The passes over the rows work on z = (x - shift) * scale (rows/matrix.h): nothing overflows, and
 * sums of squares lose no digits to large means. Columns of z are the terms 0 .. p-1, the target p,
 * and ones p+1. The solver works on unit columns: z centred (with an intercept) and divided by its
 * length. */
#ifndef CAIRN_LEARNERS_LINEAR_H
#define CAIRN_LEARNERS_LINEAR_H

#include "model/learner.h"
#include "rows/matrix.h"

enum { CAIRN_LINEAR_AUTO, CAIRN_LINEAR_GRAM, CAIRN_LINEAR_QR, CAIRN_LINEAR_SVD };
enum { CAIRN_LINEAR_NORM_SLOPES, CAIRN_LINEAR_NORM_ALL };
enum { CAIRN_LINEAR_SAMPLE = 1000 }; /* most rows kept for the pictures */

typedef struct cairn_linear_params {
    bool intercept;
    double level;
    int solver;
    int norm;
    int divisor; /* 0 = n, 1 = n - 1 */
    int errors;  /* cairn_error_kind */
    int weights_are;
    bool standardised;
    bool partial_df;
    bool projection;
    const char *at, *without, *move;
} cairn_linear_params;

/* What the residuals look like; sums are weighted. */
typedef struct cairn_linear_checks {
    double sum;           /* of the residuals */
    double largest;       /* by size, with its sign */
    int64_t largest_row;  /* in the table, from 0 */
    double skewness;      /* third standardised moment */
    double kurtosis;      /* fourth standardised moment, 3 for a normal */
    double durbin_watson; /* near 2 without autocorrelation of neighbours */
    double spread;        /* correlation of squared residuals with fitted values */
} cairn_linear_checks;

typedef struct cairn_linear_model {
    size_t n_columns; /* terms: number columns and items of bags */
    double total;     /* sum of weights */
    bool intercept;
    size_t rank;
    double constant; /* the intercept, 0 without one */
    double df;       /* total - rank - intercept, may be negative or 0: then no statistics */
    double sse, sst; /* sst is about the mean with an intercept, about 0 without */
    double target_mean;
    double *coefficients; /* n_columns */
    double *means;        /* n_columns */
    double *lengths;      /* n_columns: length of the column that is divided out; 0 = constant */
    double *inverse;      /* n_columns x n_columns: (generalised) inverse of the unit columns'
                             cross products */
    uint8_t *loose;       /* n_columns: 1 = not determined by the data alone */
    size_t n_factor;      /* more columns than rows: 0, or `factor` is in place of `inverse` */
    double *factor;       /* n_factor x n_columns: F'F is the generalised inverse, own units */
} cairn_linear_model;

/* How the model came about, and what the training rows look like beside it. */
typedef struct cairn_linear_history {
    size_t n_columns;
    size_t n_rows;        /* with positive weight */
    int32_t route;        /* CAIRN_LINEAR_GRAM, _QR or _SVD */
    double condition;     /* estimate for unit columns */
    double target_ss;     /* centred sum of squares of the target */
    double *squares;      /* n_columns: centred sums of squares of the features */
    double *alone;        /* n_columns: slope of the regression on this feature only */
    char *relations;      /* exact dependences, one per line; NULL = none */
    size_t n_pairs;       /* near-duplicate pairs of features */
    int32_t *pairs;       /* n_pairs x 2 columns */
    double *correlations; /* n_pairs */
    cairn_linear_checks checks;
    size_t n_sample;   /* rows kept for the pictures */
    double *fitted;    /* n_sample */
    double *residuals; /* n_sample */
    double *inputs;    /* n_sample values of the only feature; NULL when there are several */
    bool has_robust;
    double *robust;  /* n_columns + 1: standard errors that were asked for, the constant's last */
    size_t n_groups; /* of grouped ones */
} cairn_linear_history;

/* Observations that the rows were taken for: the sum of weights, or the number of rows. */
static inline double cairn_linear_observations(const cairn_linear_model *m)
{
    return m->df > 0 ? m->df + (double)m->rank + (m->intercept ? 1 : 0) : m->total;
}

/* Whether the features depend on each other, so that the data do not determine the coefficients. */
static inline bool cairn_linear_singular(const cairn_linear_model *m)
{
    return m->rank < m->n_columns;
}

/* A pass over the residuals. */
typedef struct cairn_linear_pass {
    const cairn_row_matrix *x;  /* with the target and ones */
    double total;               /* sum of weights */
    bool correct;               /* moments are wanted, to correct the slopes */
    double *slopes;             /* n_terms + 1, the constant last; for z */
    size_t sample_step;         /* every so many rows are kept */
    double *fitted, *residuals; /* of the sample, in units of the target */
} cairn_linear_pass;

/* gram (width x width, both triangles) = Z'WZ of terms, target and ones; fails on numbers that are
 * not finite. */
CAIRN_CHECKED cairn_status cairn_linear_gram(cairn_context *ctx, const cairn_row_matrix *x,
                                             double *gram);
/* The same where fits of other targets on the same rows may have left the products of the terms:
 * then only those with the target are summed. The inverse of the system goes the same way; both
 * leave what they made for the next. `job->shared` may be NULL. */
CAIRN_CHECKED cairn_status cairn_linear_shared_gram(cairn_context *ctx, const cairn_row_matrix *x,
                                                    const cairn_job *job, double *gram);
struct cairn_linear_system;
/* Whether the slopes were found by an inverse that was left; `keep` leaves one. */
bool cairn_linear_shared_slopes(const cairn_job *job, struct cairn_linear_system *s);
CAIRN_CHECKED cairn_status cairn_linear_share_inverse(cairn_context *ctx, const cairn_job *job,
                                                      const struct cairn_linear_system *s);
/* triangle ((width + n_targets)², upper) with R'R = Z'WZ, by orthogonal steps: columns in the order
 * ones, terms, target, further targets (n_targets x rows). Without an intercept the ones are
 * zeros. */
CAIRN_CHECKED cairn_status cairn_linear_triangle(cairn_context *ctx, const cairn_row_matrix *x,
                                                 bool intercept, const double *targets,
                                                 size_t n_targets, double *triangle);
/* Residuals of the slopes: checks, their sum of squares (units of the target) and moments
 * (n_terms + 1) = Z'We in z units, ones last; zeros unless `correct` is set. */
CAIRN_CHECKED cairn_status cairn_linear_residuals(cairn_context *ctx, const cairn_linear_pass *pass,
                                                  cairn_linear_checks *checks, double *sse,
                                                  double *moments);

/* A least-squares problem in unit columns, and its answer. */
typedef struct cairn_linear_system {
    size_t q;
    double *cross;     /* q x q: inner products of the unit columns */
    double *right;     /* q: with the unit target */
    size_t n_triangle; /* rows of the next two, 0 = not made */
    double *triangle;  /* n_triangle x q: the unit columns, rotated */
    double *rotated;   /* n_triangle: the unit target, rotated in the same way */
    size_t n_rotated;  /* 0, or so many targets are in `rotated`, one after the other */
    double *rounding;  /* q: of the unit columns; closer to others than theirs is dependent */
    double *units;     /* q: length of the column in its own units, for the minimum norm */
    double *means;     /* q: in their own units, when the constant counts in the norm, else NULL */
    double target_mean, target_unit;
    /* the answer */
    bool singular;
    size_t rank;
    double condition;
    double *slopes;  /* q */
    double *many;    /* n_rotated x q: those of every target */
    double *inverse; /* q x q generalised inverse of cross */
    uint8_t *loose;  /* q */
    size_t n_null;   /* q - rank */
    size_t *order;   /* q: independent columns first, then the dependent ones */
    double *null;    /* q x n_null: column k is a dependence, 1 at order[rank + k] */
} cairn_linear_system;

/* Rounding of a column that was centred and brought to length 1: the further its mean is from 0 in
 * this length, the more digits are lost. */
double cairn_linear_rounding(double mean, double total, double length);

/* Cholesky of `cross`. *good is false when it is too ill-conditioned to be trusted; `forced` trusts
 * it as long as it is not singular. */
CAIRN_CHECKED cairn_status cairn_linear_solve_gram(cairn_context *ctx, cairn_linear_system *s,
                                                   bool forced, bool *good);
/* Pivoted QR of `triangle`, the rank and a solution of full rank by singular values if `svd`. The
 * minimum norm, in the features' own units, when it is singular. */
CAIRN_CHECKED cairn_status cairn_linear_solve_qr(cairn_context *ctx, cairn_linear_system *s,
                                                 bool svd);

/* Statistics of column j, or of the intercept (j = n_columns). NaN where undefined. */
typedef struct cairn_linear_row {
    double coefficient, error, t, p, low, high;
} cairn_linear_row;
/* The interval is at `level`. The variance inflation is infinite for a feature that others
 * determine; R² is missing (NaN) where the target does not vary. */
cairn_linear_row cairn_linear_row_of(const cairn_linear_model *m, size_t j, double level);
double cairn_linear_variance_inflation(const cairn_linear_model *m, size_t j);
double cairn_linear_r2(const cairn_linear_model *m);
/* Leverage of a row of features, whose buffer of n_columns numbers is overwritten. */
double cairn_linear_leverage(const cairn_linear_model *m, double *row);

/* Functions of the learner's record. */
void cairn_linear_describe(cairn_report *out, const void *model, const cairn_job *job);
void cairn_linear_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);
/* The model without the named features (a list of columns or terms) beside the full one, and what
 * they add: loss of R², partial F. */
CAIRN_CHECKED cairn_status cairn_linear_show_reduced(cairn_report *out, const cairn_linear_model *m,
                                                     const char *const *names, const char *list);
/* A row that is moved or left out. */
typedef struct cairn_moved {
    size_t row; /* from 0 */
    bool out;   /* it is left out */
    double x, y;
} cairn_moved;
/* "5:30,2" or "5:out", of n rows; messages speak of {move}. */
CAIRN_CHECKED cairn_status cairn_read_moved(cairn_context *ctx, cairn_moved *out, const char *text,
                                            size_t n);
/* The line of one feature before and after a row is moved ("5:30,2") or left out ("5:out"); names
 * are those of the feature and the target. */
CAIRN_CHECKED cairn_status cairn_linear_show_moved(cairn_report *out, const cairn_linear_model *m,
                                                   const cairn_linear_history *history,
                                                   const char *const names[2], const char *text);
/* The work in steps, after the fit; reads the rows of the view again. */
CAIRN_CHECKED cairn_status cairn_linear_show_steps(cairn_context *ctx, const cairn_linear_model *m,
                                                   const cairn_linear_history *history,
                                                   const cairn_job *job);

/* Ways to write the model down; and the weights of such a text for the terms of the view, the
 * constant last; scratch. */
extern const cairn_learned cairn_linear_tables[];
extern const cairn_export_form cairn_linear_forms[];
CAIRN_CHECKED cairn_status cairn_linear_read_weights(cairn_context *ctx, const cairn_given *given,
                                                     const cairn_job *job, bool intercept,
                                                     double **out);

#endif
