/* SPDX-License-Identifier: MIT */
/* Kernel k-means, shared by the parts of the learner `kernel-kmeans`. Clusters are numbered from 0
 * inside and from 1 for users. */
#ifndef CAIRN_LEARNERS_KERNEL_KMEANS_H
#define CAIRN_LEARNERS_KERNEL_KMEANS_H

#include "model/learner.h"
#include "rows/kernel.h"

enum { CAIRN_KERNEL_AVERAGE, CAIRN_KERNEL_MEAN };              /* how clusters are compared */
enum { CAIRN_KERNEL_RANDOM, CAIRN_KERNEL_PLUSPLUS };           /* first partitions */
enum { CAIRN_KERNEL_RESEED, CAIRN_KERNEL_DROP };               /* clusters without rows */
enum { CAIRN_KERNEL_HISTORY = 1000, CAIRN_KERNEL_KEPT = 200 }; /* most that is kept */

typedef struct cairn_kernel_kmeans_params {
    int clusters;
    int assign;
    int init;
    const char *given;
    int starts;
    int max_iter;
    int empty;
    cairn_kernel_params kernel;
} cairn_kernel_kmeans_params;

typedef struct cairn_kernel_kmeans_model {
    cairn_kernel kernel;
    cairn_kernel_rows rows; /* all that have weight */
    size_t n_clusters;
    int32_t mean;      /* rows are compared with the means, not with all members */
    int32_t *codes;    /* rows.n: their clusters */
    double *weights;   /* rows.n */
    double *diagonal;  /* rows.n: k of a row with itself */
    double *sizes;     /* n_clusters: sums of weights */
    double *constants; /* n_clusters: squared lengths of the means; mean only */
} cairn_kernel_kmeans_model;

/* How the partition came about. */
typedef struct cairn_kernel_kmeans_history {
    double *within; /* n_clusters: weighted sum of the rows' own distances */
    double cost;    /* of all rows */
    int64_t iterations;
    bool converged;
    int64_t reseeded; /* clusters that had lost all their rows */
    int64_t tied;     /* rows as near to another cluster in the end */
    size_t n_starts;
    double *costs; /* n_starts */
    int32_t best;
    size_t n_values;
    double *values; /* n_history: costs of the best start, of the partition before each round */
    size_t n_kept;
    int32_t *kept; /* n_kept: clusters of all rows, when they are few */
} cairn_kernel_kmeans_history;

/* -- rows against clusters -- */

/* Rows that are compared with clusters of other rows. Borrowed. */
typedef struct cairn_cluster_sums {
    const cairn_kernel *kernel;
    const cairn_kernel_rows *asked;
    const double *asked_diagonal; /* distances only */
    const cairn_kernel_rows *members;
    const double *diagonal; /* of the members; distances only */
    const int32_t *codes;   /* of the members: to whose sum they are added; -1 = to none */
    const int32_t *less;    /* of the members: from whose sum they are taken; NULL = from none */
    const double *weights;  /* of the members */
    size_t k;
    bool distances; /* Σ w √(k(x,x) - 2 k(x,y) + k(y,y)), else Σ w k(x,y) */
} cairn_cluster_sums;

/* Adds to sums (asked.n x k). Fails when a sum is not finite, naming the row by `view`. */
CAIRN_CHECKED cairn_status cairn_cluster_sums_add(cairn_context *ctx, const cairn_cluster_sums *c,
                                                  const cairn_view *view, double *sums);

/* What a row is compared by: the average distance to the members, or the squared distance to their
 * mean (`constants`), from its sum. Infinite for a cluster without rows. */
double cairn_cluster_score(double sum, double size, double own, const double *constant);

/* -- rounds -- */

typedef struct cairn_kernel_kmeans_run {
    const cairn_job *job;
    const cairn_view *view; /* rows that have weight */
    const cairn_kernel *kernel;
    const cairn_kernel_rows *rows;
    size_t n, k;
    bool mean;
    const double *weights, *diagonal; /* n */
    int32_t *codes;                   /* n: the partition */
    int32_t *before;                  /* n: that of the round before */
    double *sums;                     /* n x k: of the partition `summed` */
    int32_t *summed;                  /* n; -1 = not in the sums */
    double *sizes, *constants;        /* k */
    double *scores;                   /* n x k */
    double cost;
    size_t changes;
    size_t iterations;
    bool converged;
    size_t reseeded;
    double *values;
    size_t n_values;
} cairn_kernel_kmeans_run;

/* -- kernel_kmeans_proof.c -- */

/* What the certificate (NULL = nobody asks) is to know of a run that has ended. */
CAIRN_CHECKED cairn_status cairn_kernel_kmeans_prove(cairn_context *ctx, cairn_certificate *out,
                                                     const cairn_kernel_kmeans_run *run,
                                                     bool converged);

extern const cairn_learned cairn_kernel_kmeans_tables[];

#endif
