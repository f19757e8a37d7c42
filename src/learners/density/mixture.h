/* SPDX-License-Identifier: MIT */
/* Mixtures, shared by the parts of the learner `mixture`. Components are numbered from 0 inside and
 * from 1 for users.
 *
 * Inside, numbers are z = (x − shift) / scale, with the shift and the scale of all rows, so that
 * columns of any size lose no digits and a floor means the same in every column. The scale is that
 * of the column, or, where the components are spherical, one for all columns. */
#ifndef CAIRN_LEARNERS_MIXTURE_H
#define CAIRN_LEARNERS_MIXTURE_H

#include "base/random.h"
#include "model/learner.h"
#include "solve/em.h"
#include "solve/solvers.h"

typedef enum cairn_mixture_form {
    CAIRN_MIXTURE_SPHERICAL, /* one variance per component */
    CAIRN_MIXTURE_DIAGONAL,  /* one per component and column */
    CAIRN_MIXTURE_TIED,      /* one covariance matrix for all components */
    CAIRN_MIXTURE_FULL       /* one per component */
} cairn_mixture_form;
enum { CAIRN_MIXTURE_KMEANS, CAIRN_MIXTURE_RANDOM };         /* starts */
enum { CAIRN_MIXTURE_BIC, CAIRN_MIXTURE_HELD_OUT };          /* choice of the number */
enum { CAIRN_MIXTURE_LIKELIHOOD, CAIRN_MIXTURE_PARAMETERS }; /* what stops */
enum {
    CAIRN_MIXTURE_MOST = 1000,    /* components */
    CAIRN_MIXTURE_HISTORY = 1000, /* log-likelihoods kept */
    CAIRN_MIXTURE_KEPT = 200,     /* rows whose responsibilities are kept */
    CAIRN_MIXTURE_LEAST = 10,     /* rows of the lowest density that are told */
    CAIRN_MIXTURE_FOLDS = 5       /* of the choice by held-out rows */
};

typedef struct cairn_mixture_params {
    const char *components;
    int covariance;
    int init;
    const char *start_means, *start_variances, *start_weights;
    const char *given;
    int starts;
    int max_iter;
    double tolerance;
    int stop;
    double floor;
    int choose;
    int protocol; /* cairn_protocol */
} cairn_mixture_params;

/* A mixture: of each component the weight, a Gaussian for the d numbers, and for each column with
 * levels their probabilities. `values` holds, one behind the other: k weights, k x d means,
 * variances (k; k x d; d x d; k x d x d, as the form says), and probabilities, of all levels of all
 * columns one behind the other (n_levels x k). */
typedef struct cairn_mixture_model {
    size_t k, d, n_columns, n_levels;
    int32_t form;
    int32_t *levels;       /* n_columns: how many it has; 0 = numbers */
    double *shift, *scale; /* d */
    double *values;
} cairn_mixture_model;

static inline size_t cairn_mixture_spread_size(const cairn_mixture_model *m)
{
    static const int by_component[] = {1, 1, 0, 1}, columns[] = {0, 1, 2, 2};
    size_t size = by_component[m->form] ? m->k : 1;
    for (int i = 0; i < columns[m->form]; i++) size = cairn_product(size, m->d);
    return size;
}
static inline size_t cairn_mixture_size(const cairn_mixture_model *m)
{
    return m->k + cairn_product(m->k, m->d) + cairn_mixture_spread_size(m) +
           cairn_product(m->k, m->n_levels);
}
static inline double *cairn_mixture_means(const cairn_mixture_model *m)
{
    return m->values + m->k;
}
static inline double *cairn_mixture_spreads(const cairn_mixture_model *m)
{
    return m->values + m->k + m->k * m->d;
}
static inline double *cairn_mixture_levels(const cairn_mixture_model *m)
{
    return cairn_mixture_spreads(m) + cairn_mixture_spread_size(m);
}
/* Whether components have covariances between columns. */
static inline bool cairn_mixture_is_matrix(const cairn_mixture_model *m)
{
    return m->form >= CAIRN_MIXTURE_TIED;
}
/* Covariance of columns a and b in component c, in the units of z and of the columns. */
double cairn_mixture_covariance(const cairn_mixture_model *m, size_t c, size_t a, size_t b);
double cairn_mixture_covariance_in_units(const cairn_mixture_model *m, size_t c, size_t a,
                                         size_t b);
double cairn_mixture_mean_in_units(const cairn_mixture_model *m, size_t c, size_t j);
/* Numbers that are free to choose, for criteria that count them. */
double cairn_mixture_free(const cairn_mixture_model *m);

/* How a mixture came about. */
typedef struct cairn_mixture_history {
    double log_likelihood, weight;
    int64_t iterations;
    bool converged;
    int64_t floored; /* components with a variance at its floor */
    double *sizes;   /* k: sums of responsibilities */
    double *hard;    /* k: weight of the rows whose likeliest component it is */
    size_t n_starts;
    double *start_ends; /* n_starts: log-likelihoods, -inf = given up */
    int32_t best_start;
    size_t n_values;
    double *values;    /* n_history: log-likelihoods of the best start */
    size_t n_choices;  /* numbers of components that were tried; 0 = one was given */
    double *choices;   /* n_choices x 4: components, log-likelihood, BIC, held-out (or NaN) */
    size_t n_kept;     /* rows whose responsibilities are kept */
    double *kept;      /* n_kept x (k + 1): responsibilities, log density */
    size_t n_constant; /* number columns with one value only */
    size_t n_least;    /* rows of the lowest density, the lowest first */
    double *least;     /* n_least x 2: number of the row, log density */
} cairn_mixture_history;

/* -- rows -- */

/* The features of a view, numbers apart from levels. Scratch that borrows the view. */
typedef struct cairn_mixture_rows {
    const cairn_view *view;
    size_t n, d, n_level_columns;
    const double **columns;             /* d */
    size_t *number_columns;             /* d: which features they are */
    const cairn_column **level_columns; /* n_level_columns */
    size_t *level_starts;               /* n_level_columns + 1: first of its levels among all */
    const double *weights;              /* n */
    const double *shift, *inverse;      /* d: z = (x − shift) inverse */
    bool plain;                         /* no number is missing, and all z have squares */
} cairn_mixture_rows;

/* `m` has the columns already (cairn_mixture_columns). */
CAIRN_CHECKED cairn_status cairn_mixture_rows_open(cairn_context *ctx, cairn_mixture_rows *out,
                                                   const cairn_view *view,
                                                   const cairn_mixture_model *m);
/* Kinds of columns, shifts and scales of a new model (NEW); fails on a number that is infinite or
 * whose square is. */
CAIRN_CHECKED cairn_status cairn_mixture_columns(cairn_context *ctx, cairn_mixture_model *m,
                                                 const cairn_view *view, const cairn_schema *schema,
                                                 size_t *n_constant);
/* A row as z; NaN where a number is missing. */
void cairn_mixture_read(const cairn_mixture_rows *rows, size_t row, double *z);
/* Level of a row in level column c, -1 = missing or not known to the model. */
int32_t cairn_mixture_level(const cairn_mixture_rows *rows, size_t c, size_t row);

/* -- densities -- */

enum { CAIRN_MIXTURE_CHUNK = 256 }; /* rows that are worked on together */

/* What makes densities of a model's numbers quick: y = z'U + u, so that the density falls with the
 * squared length of y. Scratch. */
typedef struct cairn_mixture_scorer {
    const cairn_mixture_model *m;
    size_t n_pairs;     /* products of a row that are summed up: z_a z_b for a <= b (without
                           covariances z²), z and 1 */
    size_t *left;       /* n_pairs: their factors; d stands for 1 */
    size_t *right;      /* n_pairs */
    size_t width;       /* d, with covariances made up to a multiple */
    size_t factor_size; /* numbers of U: d x width; without covariances d, its diagonal */
    double *factors;    /* k x factor_size */
    double *shifts;     /* k x width */
    double *constants;  /* k: logarithms of weight and of the density's factor */
    double *precision;  /* matrices: k x d x d, inverses of the covariances */
    double *logs;       /* n_levels x k: logarithms of the probabilities */
} cairn_mixture_scorer;

CAIRN_CHECKED cairn_status cairn_mixture_scorer_make(cairn_context *ctx, cairn_mixture_scorer *out,
                                                     const cairn_mixture_model *m);
/* After the model has changed. Fails when a covariance is not positive definite. */
CAIRN_CHECKED cairn_status cairn_mixture_scorer_set(cairn_context *ctx, cairn_mixture_scorer *s);

/* Working memory of one worker for a chunk of rows, which stand by columns: number i of each run of
 * CHUNK numbers is row i's. */
typedef struct cairn_mixture_buffer {
    double *z;        /* (d + 1) x CHUNK, the last are 1; rows with gaps are 0 */
    double *scores;   /* k x CHUNK: log densities with the weight, then responsibilities */
    double *logs;     /* CHUNK: log densities of the mixture */
    double *weights;  /* CHUNK: of the rows, 0 behind the last */
    double *numbers;  /* 2 CHUNK: of the shares */
    double *shares;   /* k: responsibilities of one row */
    double *row;      /* d: a row with gaps */
    double *filled;   /* d: the same with what is expected in them */
    double *block;    /* d x d: covariances of what is missing */
    double *solved;   /* d */
    size_t *gaps;     /* d: which are missing */
    bool *incomplete; /* CHUNK */
} cairn_mixture_buffer;

CAIRN_CHECKED cairn_status cairn_mixture_buffer_make(cairn_context *ctx, cairn_mixture_buffer *out,
                                                     const cairn_mixture_scorer *s);
/* Responsibilities (room->scores), times the rows' weights where that is asked for, and log
 * densities (room->logs) of n rows, at most a chunk. Behind the last row they are of no meaning, or
 * 0 with weights. Returns how many numbers of a run are set. */
size_t cairn_mixture_chunk(const cairn_mixture_scorer *s, const cairn_mixture_rows *rows,
                           size_t first, size_t n, cairn_mixture_buffer *buffer, bool weighted);
/* Fill the gaps of room->row for component c: room->filled; where the component has covariances
 * room->block (n_gaps x n_gaps) is their covariance, given the rest. Returns the logarithm of the
 * density of what is there, with weight. */
double cairn_mixture_fill(const cairn_mixture_scorer *s, size_t c, cairn_mixture_buffer *buffer,
                          size_t *n_gaps);

/* Of all rows, as they are wanted (NULL = not): responsibilities (n x k), the first largest of
 * them, log densities. On all threads. */
typedef struct cairn_mixture_answer {
    double *scores;
    int32_t *codes;
    double *logs;
} cairn_mixture_answer;
CAIRN_CHECKED cairn_status cairn_mixture_answers(cairn_context *ctx,
                                                 const cairn_mixture_answer *out,
                                                 const cairn_mixture_model *m,
                                                 const cairn_mixture_rows *rows);

/* -- EM -- */

typedef struct cairn_mixture_run {
    const cairn_mixture_rows *rows;
    const cairn_mixture_params *params;
    cairn_mixture_model *m; /* the parameters of now */
    double *best;           /* those of the best start */
    double *before;         /* those before the last M step */
    cairn_mixture_scorer scorer;
    cairn_mixture_buffer *buffers; /* of the workers */
    size_t n_buffers;
    double *sums; /* the log-likelihood, then moments, then counts of levels */
    size_t n_sums, n_moments;
    double *partial;        /* n_blocks x n_sums */
    size_t n_blocks, block; /* rows */
    const int32_t *hard;    /* n: components that are given, for one pass; else NULL */
    double weight;          /* of the rows */
    int64_t floored;        /* in the last step */
    int64_t best_floored;
    double *ends;        /* log-likelihood at the end of each start */
    cairn_report *steps; /* NULL = not shown */
    size_t first_start;  /* the number of the driver's first */
    size_t iteration;    /* of the last E step */
    /* row by row */
    double *running; /* n_sums, of the parameters of now; NULL = all rows at once */
    double *each;    /* drawn rows, n x n_sums: what each adds to them; NULL = seen once */
    size_t updates;
    cairn_random random;
} cairn_mixture_run;

CAIRN_CHECKED cairn_status cairn_mixture_run_make(cairn_context *ctx, cairn_mixture_run *out,
                                                  const cairn_mixture_rows *rows,
                                                  cairn_mixture_model *m,
                                                  const cairn_mixture_params *params);
/* The E step: sums over all rows; run->sums[0] is the log-likelihood. */
CAIRN_CHECKED cairn_status cairn_mixture_pass(cairn_context *ctx, cairn_mixture_run *run);
/* The M step: the parameters that the sums make likeliest, not below the floors. */
CAIRN_CHECKED cairn_status cairn_mixture_step(cairn_context *ctx, cairn_mixture_run *run);
/* Row by row: what the parameters that EM starts from stand for in sums, and the E and the M step
 * of a row after the other, as many as there are rows. */
CAIRN_CHECKED cairn_status cairn_mixture_begin_rows(cairn_context *ctx, cairn_mixture_run *run,
                                                    size_t start);
CAIRN_CHECKED cairn_status cairn_mixture_take_rows(cairn_context *ctx, cairn_mixture_run *run);
/* Of component c: the sum of responsibilities, of r z_j, and of r z_a z_b with a <= b. */
double cairn_mixture_share(const cairn_mixture_run *run, size_t c);
double cairn_mixture_sum(const cairn_mixture_run *run, size_t c, size_t j);
double cairn_mixture_product(const cairn_mixture_run *run, size_t c, size_t a, size_t b);
/* Where the product of z_a and z_b, a <= b, stands in a row that is written out. */
static inline size_t cairn_mixture_pair(size_t d, size_t a, size_t b)
{
    return a * (2 * d + 1 - a) / 2 + b - a;
}
/* Parameters of start number `start`. */
CAIRN_CHECKED cairn_status cairn_mixture_start(cairn_context *ctx, cairn_mixture_run *run,
                                               size_t start);
/* How many starts differ. */
size_t cairn_mixture_starts(const cairn_mixture_params *params);
/* Room for the values of k components (NEW), all 0. */
CAIRN_CHECKED cairn_status cairn_mixture_values(cairn_context *ctx, cairn_mixture_model *m,
                                                size_t k);

/* The range of {components}: "3" or "1:8". */
CAIRN_CHECKED cairn_status cairn_mixture_range(cairn_context *ctx, const char *text, size_t *least,
                                               size_t *most);
CAIRN_CHECKED cairn_status cairn_mixture_fit(cairn_context *ctx, void *model, const cairn_job *job);
extern const cairn_kept cairn_mixture_history_keeps[];

/* Hills and valleys of the density of the one number column, in turn, hills first and last: where
 * and how high; scratch. */
CAIRN_CHECKED cairn_status cairn_mixture_turns(cairn_context *ctx, const cairn_mixture_model *m,
                                               double **at, double **heights, size_t *n);

/* -- mixture_proof.c -- */
/* What the certificate (NULL = nobody asks) is to know of a run that ended with these values. */
CAIRN_CHECKED cairn_status cairn_mixture_prove(cairn_context *ctx, cairn_certificate *out,
                                               const cairn_mixture_model *m,
                                               const cairn_mixture_rows *rows,
                                               const cairn_em_result *result,
                                               const cairn_progress *progress);

/* -- showing -- */
extern const cairn_model_figure cairn_mixture_figures[];
void cairn_mixture_describe(cairn_report *out, const void *model, const cairn_job *job);
void cairn_mixture_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);
/* What an E step and an M step found. */
void cairn_mixture_show_expected(cairn_context *ctx, const cairn_mixture_run *run,
                                 double log_likelihood);
void cairn_mixture_show_step(cairn_context *ctx, const cairn_mixture_run *run);

extern const cairn_learned cairn_mixture_tables[];

#endif
