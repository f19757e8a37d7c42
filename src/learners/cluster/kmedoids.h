/* SPDX-License-Identifier: MIT */
/* k-medoids, shared by the parts of the learner `kmedoids`. Clusters are numbered from 0 inside and
 * from 1 for users; rows are those of the view that have weight, in its order. */
#ifndef CAIRN_LEARNERS_KMEDOIDS_H
#define CAIRN_LEARNERS_KMEDOIDS_H

#include "base/random.h"
#include "model/learner.h"
#include "rows/distances.h"

typedef enum cairn_kmedoids_method {
    CAIRN_KMEDOIDS_AUTO,
    CAIRN_KMEDOIDS_PAM,       /* the best of all swaps, until none improves */
    CAIRN_KMEDOIDS_EAGER,     /* candidates in turn, each swapped as soon as that improves */
    CAIRN_KMEDOIDS_ALTERNATE, /* assign, then the member of least summed distance */
    CAIRN_KMEDOIDS_SAMPLE,    /* swaps within samples, judged by all rows */
    CAIRN_KMEDOIDS_EXACT      /* every set of medoids */
} cairn_kmedoids_method;

enum {
    CAIRN_KMEDOIDS_HISTORY = 1000, /* most costs that are kept */
    CAIRN_KMEDOIDS_KEPT = 200,     /* most rows whose cluster is kept */
    CAIRN_KMEDOIDS_SAMPLE_ROWS = 1000
};

typedef struct cairn_kmedoids_params {
    int clusters;
    const char *distance;
    int method;
    const char *init;
    const char *given;
    int starts;
    int max_iter;
    int samples;
    int sample_size; /* 0 = by the number of clusters */
    bool exact;
} cairn_kmedoids_params;

typedef struct cairn_kmedoids_model {
    size_t n_clusters;
    cairn_distance_rows rows; /* the medoids */
    uint32_t *numbers;        /* n_clusters: their rows in the training table, from 0 */
} cairn_kmedoids_model;

/* How the medoids came about, and how the training rows lie around them. */
typedef struct cairn_kmedoids_history {
    int32_t method;     /* cairn_kmedoids_method that was used */
    double *sizes;      /* n_clusters: weight of the rows */
    double *within;     /* n_clusters: sums of distances */
    double *widest;     /* n_clusters: largest distance */
    double cost;        /* of all rows */
    int64_t iterations; /* swaps, or moves of all medoids, of the best start */
    bool converged;
    int64_t tied;    /* rows as near to another medoid */
    double ties;     /* swaps as good as the ones made, in all; NaN = not known */
    double sets;     /* exact: sets of medoids; 0 = not asked for */
    double optima;   /* exact: how many of them are best */
    double sample;   /* sample: rows of each; 0 = there was none */
    size_t n_starts; /* starts, or samples */
    double *costs;   /* n_starts */
    int32_t best;    /* which of them */
    size_t n_course; /* of the best start */
    double *course;  /* n_history: costs */
    size_t n_values; /* columns with values below; 0 = there are none to show */
    double *values;  /* n_clusters x n_values: of the medoids; codes of levels, NaN = missing */
    size_t n_kept;   /* rows whose cluster is kept: all when they are few, else 0 */
    int32_t *kept;   /* n_kept */
} cairn_kmedoids_history;

/* The rows that are clustered. */
typedef struct cairn_medoid_rows {
    const cairn_view *view; /* them, to name and to show */
    const cairn_view *all;  /* those without weight, too */
    const cairn_distance_rows *rows;
    size_t n;
    const double *weights; /* n; NULL = all 1 */
    const double **lines;  /* n: distances of a row to all rows; NULL = there is no room for all */
} cairn_medoid_rows;

static inline double cairn_medoid_weight(const cairn_medoid_rows *x, size_t i)
{
    return x->weights ? x->weights[i] : 1;
}

/* Medoids, and for every row the nearest and the next of them. */
typedef struct cairn_medoids {
    const cairn_medoid_rows *x;
    size_t k;
    uint32_t *rows;   /* k: which rows are medoids */
    int32_t *nearest; /* n: number of the medoid */
    int32_t *second;  /* n: -1 when k is 1 */
    double *near;     /* n: distances */
    double *next;     /* n: infinite when k is 1 */
    double *losses;   /* k: what the cost rises by when a medoid is taken away */
    double cost;
} cairn_medoids;

/* What a run shows as it goes; `out` may be NULL. */
typedef struct cairn_kmedoids_steps {
    cairn_report *out;
    size_t n_states; /* sets of medoids that were shown */
} cairn_kmedoids_steps;

/* What happened on the way. */
typedef struct cairn_kmedoids_course {
    size_t iterations, most;
    bool converged;
    double ties;
    double *course; /* CAIRN_KMEDOIDS_HISTORY */
    size_t n_course;
} cairn_kmedoids_course;

/* One more cost. */
void cairn_kmedoids_note(cairn_kmedoids_course *course, double cost);

/* Whether b is no better than a: they differ by no more than a part in 1e12 of `size`. */
static inline bool cairn_medoids_tie(double a, double b, double size)
{
    double apart = a > b ? a - b : b - a;
    return apart <= 1e-12 * size;
}

/* -- distances, assignments, costs -- */

/* Distances between all rows, which are rows `which` of *from (NULL = all of them, *from itself),
 * in memory; a pair that cannot be compared or is infinite fails. The lines are those of a given
 * matrix where they can be, else *owned has them. */
CAIRN_CHECKED cairn_status cairn_medoid_lines(cairn_context *ctx, cairn_medoid_rows *x,
                                              const cairn_distance_rows *from,
                                              const uint32_t *which, double **owned);
/* Room for k medoids; scratch. */
CAIRN_CHECKED cairn_status cairn_medoids_make(cairn_context *ctx, cairn_medoids *out,
                                              const cairn_medoid_rows *x, size_t k);
/* Everything that follows from the rows that are medoids; of equally near ones the first. A row
 * that cannot be compared with any fails. */
CAIRN_CHECKED cairn_status cairn_medoids_assign(cairn_context *ctx, cairn_medoids *m);
/* Only the nearest distances and the cost; the rest is spoilt. */
CAIRN_CHECKED cairn_status cairn_medoids_cost(cairn_context *ctx, cairn_medoids *m);
/* Row `in` takes the place of medoid number `out`; needs the lines. */
void cairn_medoids_swap(cairn_medoids *m, size_t out, size_t in);

/* -- kmedoids_start.c -- */

/* The first medoids of start number `start`. */
CAIRN_CHECKED cairn_status cairn_kmedoids_start(cairn_context *ctx, cairn_medoids *m,
                                                const cairn_kmedoids_params *params, size_t start,
                                                cairn_kmedoids_steps *steps);
/* One after the other the row that lowers the cost most; needs the lines. */
CAIRN_CHECKED cairn_status cairn_kmedoids_build(cairn_context *ctx, cairn_medoids *m,
                                                cairn_kmedoids_steps *steps);
/* Whether starts differ from one another. */
bool cairn_kmedoids_is_random(const cairn_kmedoids_params *params);
/* Fails (CAIRN_USAGE) when {init} is neither a word nor row numbers. */
CAIRN_CHECKED cairn_status cairn_kmedoids_check_start(cairn_context *ctx,
                                                      const cairn_kmedoids_params *params);

/* -- from assigned medoids to a local optimum; needs the lines -- */

CAIRN_CHECKED cairn_status cairn_kmedoids_eager(cairn_context *ctx, cairn_medoids *m,
                                                cairn_kmedoids_course *course,
                                                cairn_kmedoids_steps *steps);

/* Which of `members` (rising) has the least summed distance to them, by weight: `keep` where it is
 * one of the best, else the first of them. `sums` (n) are theirs. */
CAIRN_CHECKED cairn_status cairn_medoid_of(cairn_context *ctx, const cairn_medoid_rows *x,
                                           const uint32_t *members, size_t n, uint32_t keep,
                                           double *sums, size_t *out);

/* -- kmedoids_proof.c -- */

/* What the certificate (NULL = nobody asks) is to know of medoids that were found. */
CAIRN_CHECKED cairn_status cairn_kmedoids_prove(cairn_context *ctx, cairn_certificate *out,
                                                const cairn_medoids *m, int method, bool converged);

void cairn_kmedoids_describe(cairn_report *out, const void *model, const cairn_job *job);
void cairn_kmedoids_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);
const char *cairn_kmedoids_method_name(int method);

/* -- kmedoids_steps.c; all do nothing without a report -- */

/* The medoids, and every row with its distances to them. */
void cairn_kmedoids_show_state(cairn_kmedoids_steps *steps, const cairn_medoids *m,
                               const char *title);
/* What each row would add as medoid number `at`, and the one that was taken. */
void cairn_kmedoids_show_build(cairn_kmedoids_steps *steps, const cairn_medoids *m, size_t at,
                               const double *worth, size_t chosen);
/* The cost after every swap: costs (n x k), NaN for rows that are medoids. `in` is m->x->n when
 * none improves. */
void cairn_kmedoids_show_swaps(cairn_kmedoids_steps *steps, const cairn_medoids *m, size_t number,
                               const double *costs, size_t out, size_t in, size_t ties);
/* The list of eager swaps: begin, each with the change of the cost, end. */
void cairn_kmedoids_trace_begin(cairn_kmedoids_steps *steps);
void cairn_kmedoids_trace_swap(cairn_kmedoids_steps *steps, const cairn_medoids *m, size_t number,
                               size_t out, size_t in, double change);
void cairn_kmedoids_trace_end(cairn_kmedoids_steps *steps);
/* Members of a cluster with their summed distances to it; `chosen` is the new medoid. */
void cairn_kmedoids_show_sums(cairn_kmedoids_steps *steps, const cairn_medoids *m, size_t round,
                              size_t cluster, const double *sums, const uint32_t *members, size_t n,
                              size_t chosen);
/* A set of medoids and its cost, in a table that is begun and ended by the caller. */
void cairn_kmedoids_show_set(cairn_kmedoids_steps *steps, const cairn_medoid_rows *x,
                             const uint32_t *rows, size_t k, double cost);

extern const cairn_learned cairn_kmedoids_tables[];

#endif
