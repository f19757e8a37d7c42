/* SPDX-License-Identifier: MIT */
/* A clusterer on all rows of a table, or on splits of them.
 *
 * Labels of different models do not mean the same, so that nothing is pooled over splits: every
 * split has its own value of a measure. */
#ifndef CAIRN_EVALUATE_CLUSTER_SPLITS_H
#define CAIRN_EVALUATE_CLUSTER_SPLITS_H

#include "evaluate/evaluate.h"
#include "model/judged_clusters.h"

/* What is fitted and how it is judged. All borrowed. */
typedef struct cairn_cluster_job {
    const cairn_params *params;
    const cairn_table *table;
    const cairn_fit_options *fit; /* NULL = defaults */
    const char *distance;         /* of the rows, a spec; NULL = one that fits their columns */
    const cairn_measure *const *measures;
    size_t n_measures;
    bool own; /* the rows that are learned from are judged, not those that are held out */
    /* As in cairn_evaluate_how: chooses the settings of each split, split after split. */
    cairn_status (*choose)(cairn_context *ctx, void *data, const cairn_table *table,
                           cairn_rows train, size_t split, cairn_settings *out);
    void *choose_data;
} cairn_cluster_job;

/* What is told of the clusters that were judged. */
typedef struct cairn_clusters_seen {
    size_t n;          /* rows that were judged */
    size_t n_clusters; /* that have rows among them */
    size_t n_without;  /* rows in none */
    const char *distance;
    bool labelled; /* there is a known labelling */
} cairn_clusters_seen;

/* Whether the clusterer labels the rows that it is fitted to and has no rule for others. */
bool cairn_clusters_own_rows(const cairn_params *params);

/* Every row may be learned from and judged. Scratch. */
CAIRN_CHECKED cairn_status cairn_cluster_plan(cairn_context *ctx, cairn_plan *out, const char *by,
                                              const cairn_table *table);
/* A model of all rows: `values` has one number per measure, `codes` (NULL = not wanted) the cluster
 * of every row, -1 = none. */
CAIRN_CHECKED cairn_status cairn_cluster_whole(cairn_context *ctx, double *values,
                                               cairn_clusters_seen *seen, int32_t *codes,
                                               const cairn_cluster_job *job);
/* `values` is splits x measures, NaN for a split that judges no row; `seen` one per split. */
CAIRN_CHECKED cairn_status cairn_cluster_splits(cairn_context *ctx, double *values,
                                                cairn_clusters_seen *seen,
                                                const cairn_cluster_job *job,
                                                const cairn_plan *plan);

/* The different rows of a set as a table of their own, in table order; of a matrix of distances
 * with their columns. */
CAIRN_CHECKED cairn_status cairn_cluster_part(cairn_context *ctx, cairn_table **out,
                                              const cairn_table *table, cairn_rows rows);

/* How alike the clusters of samples are to those of all rows: bootstrap samples, every row that was
 * drawn once. Of every cluster of all rows the mean of the largest Jaccard index with a cluster of
 * the sample, among the rows of the sample; of all of them the adjusted Rand index. */
CAIRN_CHECKED cairn_status cairn_cluster_stability(cairn_context *ctx, cairn_report *out,
                                                   const cairn_cluster_job *job, size_t n_samples);

#endif
