/* SPDX-License-Identifier: MIT */
/* k-means, shared by the parts of the learner `kmeans`. Clusters are numbered from 0 inside and
 * from 1 for users. */
#ifndef CAIRN_LEARNERS_KMEANS_H
#define CAIRN_LEARNERS_KMEANS_H

#include "base/random.h"
#include "model/learner.h"
#include "rows/matrix.h"
#include "solve/progress.h"
#include "solve/solvers.h"

enum { CAIRN_KMEANS_FIRST, CAIRN_KMEANS_LAST };                      /* ties */
enum { CAIRN_KMEANS_RESEED, CAIRN_KMEANS_KEEP, CAIRN_KMEANS_DROP };  /* empty clusters */
enum { CAIRN_KMEANS_AUTO, CAIRN_KMEANS_PLAIN, CAIRN_KMEANS_BOUNDS }; /* methods */
enum { CAIRN_KMEANS_EUCLIDEAN, CAIRN_KMEANS_SPHERICAL };             /* forms */
enum { CAIRN_KMEANS_MINI_BATCH = CAIRN_PROTOCOL_ONLINE + 1 };        /* behind the protocols */
enum {
    CAIRN_KMEANS_SAMPLE = 1000, /* most rows kept for the picture */
    CAIRN_KMEANS_HISTORY = 1000 /* most rounds whose inertia is kept */
};

typedef struct cairn_kmeans_params {
    int clusters;
    const char *init;
    const char *given;
    int starts;
    int max_iter;
    double tolerance;
    int tie;
    int empty;
    int sign; /* 0 = first, 1 = largest component positive */
    int method;
    int protocol; /* cairn_protocol, or CAIRN_KMEANS_MINI_BATCH */
    int batch_size;
    int form;
    bool exact;
} cairn_kmeans_params;

typedef struct cairn_kmeans_model {
    size_t n_clusters, n_columns;
    double *centres; /* n_clusters x n_columns */
    int32_t tie;
} cairn_kmeans_model;

/* How the centres came about, and how the training rows lie around them. */
typedef struct cairn_kmeans_history {
    double *sizes;         /* n_clusters: weight of the rows */
    double *within;        /* n_clusters: sum of squared distances */
    double inertia, total; /* within clusters; about the overall mean */
    int64_t iterations;    /* centre updates of the best start */
    bool converged;
    int64_t reseeded; /* empty clusters given a new centre, dropped or kept, in the best start */
    int64_t tied;     /* rows as near to another centre in the end; -1 = not known */
    size_t n_starts;
    double *start_inertia; /* n_starts */
    int32_t best_start;
    size_t n_values;
    double *values;      /* n_history: inertia of the rounds of the best start */
    double partitions;   /* --exact: how many there are; 0 = not asked for */
    double optima;       /* --exact: how many of them are best */
    double given_within; /* --given: its sum of squares; NaN = not given */
    int64_t given_moves; /* rows that are nearer to another centre; 0 = stationary */
    size_t n_kept;       /* rows whose cluster is kept: all when they are few, else 0 */
    int32_t *kept;       /* n_kept */
    size_t n_sample;     /* rows of the picture */
    double *picture;     /* (n_sample + n_clusters) x 2 places: the sample, then the centres */
    int32_t *groups;     /* n_sample */
    bool components;     /* the places are principal components, not columns */
} cairn_kmeans_history;

/* The rows, and where they lie as a whole. */
typedef struct cairn_kmeans_data {
    cairn_row_matrix x;
    const cairn_view *view;
    size_t n, d;
    bool spherical; /* rows and centres have the length 1 */
    size_t n_used;  /* rows with a positive weight */
    double *mean;   /* d */
    double *spread; /* d: sums of squares about the mean */
    double total;   /* their sum */
    double weight;  /* of all rows */
} cairn_kmeans_data;

/* Opens the rows for sums over n_clusters centres; numbers whose squares overflow fail
 * (CAIRN_BAD_DATA). Scratch that borrows the view. */
CAIRN_CHECKED cairn_status cairn_kmeans_data_make(cairn_context *ctx, cairn_kmeans_data *out,
                                                  const cairn_view *view, size_t n_clusters,
                                                  bool spherical);
/* One row. */
void cairn_kmeans_row(const cairn_kmeans_data *data, size_t row, double *out);

/* One run from given centres. */
typedef struct cairn_kmeans_run {
    const cairn_kmeans_data *data;
    size_t k;
    bool last;       /* ties go to the last centre */
    double *centres; /* k x d */
    double *ordered; /* the same in the order in which the nearest is looked for */
    int32_t *assign; /* n: -1 before the first round */
    double *sums;    /* k x d, and behind it the next two and the changes: one sum over the rows */
    double *sizes;   /* k */
    double *within;  /* k */
    double inertia;
    size_t changes; /* rows that went to another centre in the last round */
    bool can_bound; /* there is memory for bounds */
    bool bounded;   /* distances are bounded, so that most rows need not look at all centres */
    bool fresh;     /* the bounds say nothing yet */
    double *lower;  /* n: no centre but the row's own is nearer than this */
    double *old;    /* k x d: the centres of the round before */
    double *drift;  /* k: how far any other centre moved at most since then */
    double *half;   /* k: half the distance to the nearest other centre */
    double *before; /* k x d: the centres before they moved */
} cairn_kmeans_run;

/* Room for runs from any start; the centres are the caller's to set. Scratch that borrows the
 * data. */
CAIRN_CHECKED cairn_status cairn_kmeans_run_make(cairn_context *ctx, cairn_kmeans_run *out,
                                                 const cairn_kmeans_data *data, size_t k,
                                                 const cairn_kmeans_params *params);
/* Assign every row to its nearest centre; sums, sizes, within, inertia and changes follow. */
CAIRN_CHECKED cairn_status cairn_kmeans_assign(cairn_context *ctx, cairn_kmeans_run *run);
/* Another number of clusters, at most as many as it was made for. */
void cairn_kmeans_resize(cairn_kmeans_run *run, size_t k);
/* How many rows of positive weight are as near to another centre; -1 for very many rows. */
CAIRN_CHECKED cairn_status cairn_kmeans_count_ties(cairn_context *ctx, const cairn_kmeans_run *run,
                                                   int64_t *ties);
/* Whether two squared distances tie. */
bool cairn_kmeans_is_tie(double a, double b);
/* Spherical: k centres brought to the length 1; zeros stay. */
void cairn_kmeans_to_sphere(const cairn_kmeans_data *data, double *centres, size_t k);
/* Centres to the means of their rows. *empty is the number of clusters without rows, whose centres
 * stay. */
void cairn_kmeans_move(cairn_kmeans_run *run, size_t *empty);
/* Nearest of k centres for packed rows, ties as asked. `ordered` as in the run. */
void cairn_kmeans_nearest(int32_t *nearest, double *squares, const double *rows, size_t n, size_t d,
                          const double *ordered, size_t k, bool last);
void cairn_kmeans_order(double *ordered, const double *centres, size_t k, size_t d, bool last);

/* A table of the run's centres, called PREFIX.centre.K.COLUMN. */
void cairn_kmeans_show_centres(cairn_report *out, const cairn_kmeans_run *run, const char *prefix);

/* First centres (k x d) of start number `start` as --init and --given say; `steps` may be NULL. */
CAIRN_CHECKED cairn_status cairn_kmeans_start(cairn_context *ctx, double *centres,
                                              const cairn_kmeans_data *data, size_t k,
                                              const cairn_kmeans_params *params, size_t start,
                                              cairn_report *steps);
/* Whether the first centres come from a file, in its units. */
bool cairn_kmeans_start_is_file(const cairn_kmeans_params *params);
/* Fail when --init is neither a word nor a file; `values` are cairn_kmeans_params. */
CAIRN_CHECKED cairn_status cairn_kmeans_check(cairn_context *ctx, const void *values);
/* Whether --init draws at random, so that several starts differ. */
bool cairn_kmeans_start_is_random(const cairn_kmeans_params *params);

/* What the certificate (NULL = nobody asks) is to know of a run that has ended. */
CAIRN_CHECKED cairn_status cairn_kmeans_prove(cairn_context *ctx, cairn_certificate *out,
                                              const cairn_kmeans_run *run,
                                              const cairn_kmeans_params *params, bool converged);

/* Functions of the learner's record; what only the history knows is left out without one. */
void cairn_kmeans_describe(cairn_report *out, const void *model, const cairn_job *job);
void cairn_kmeans_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);
/* One round of assignment; `round` is numbered from 1. */
CAIRN_CHECKED cairn_status cairn_kmeans_show_round(cairn_context *ctx, cairn_report *out,
                                                   const cairn_kmeans_run *run, size_t round);
/* The places of rows and centres in the picture. */
CAIRN_CHECKED cairn_status cairn_kmeans_keep_picture(cairn_context *ctx,
                                                     cairn_kmeans_history *history,
                                                     const cairn_kmeans_run *run);

extern const cairn_learned cairn_kmeans_tables[];

#endif
