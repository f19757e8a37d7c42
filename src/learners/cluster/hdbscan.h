/* SPDX-License-Identifier: MIT */
/* Dense regions of all densities at once, shared by the parts of the learner `hdbscan`. Density is
 * lambda = 1 / distance. */
#ifndef CAIRN_LEARNERS_HDBSCAN_H
#define CAIRN_LEARNERS_HDBSCAN_H

#include "learners/cluster/spanning.h"

typedef enum cairn_hdbscan_select { CAIRN_HDBSCAN_MASS, CAIRN_HDBSCAN_LEAF } cairn_hdbscan_select;

typedef struct cairn_hdbscan_params {
    int min_size;
    int min_points; /* 0 = min_size */
    const char *distance;
    int select;
} cairn_hdbscan_params;

/* A cluster of the condensed tree. */
typedef struct cairn_dense_cluster {
    int32_t parent;   /* -1 = the root */
    double birth;     /* lambda at which it splits off */
    double death;     /* the largest lambda at which a row or a part leaves it */
    double size;      /* weight at its birth */
    double stability; /* sum over its rows of weight * (lambda of leaving - birth) */
    double below;     /* the best sum of stabilities in its subtree */
    double peak;      /* the largest death in its subtree */
    int32_t label;    /* cluster number when it is chosen; else -1 */
    bool leaf;        /* it is never split */
} cairn_dense_cluster;

/* Owned. Cluster 0 is the root; a part has a larger number than its parent. */
typedef struct cairn_condensed {
    size_t n_rows, n_clusters, n_labels;
    cairn_dense_cluster *clusters;
    int32_t *leaves; /* n_rows: the cluster that a row leaves when it becomes alone */
    double *lambdas; /* n_rows: ... and when */
} cairn_condensed;

/* The tree of single linkage without its small branches. `core` (one per row) says until when a row
 * of great weight hangs together with itself. */
CAIRN_CHECKED cairn_status cairn_condense(cairn_context *ctx, cairn_condensed *out,
                                          const cairn_dendrogram *tree, const double *core,
                                          double min_size);
/* Choose clusters and number them by their first rows. Rows of one density are one cluster. */
CAIRN_CHECKED cairn_status cairn_condensed_select(cairn_context *ctx, cairn_condensed *tree,
                                                  cairn_hdbscan_select how, double min_size);
extern const cairn_kept cairn_condensed_keeps[];

/* The chosen cluster that cluster `at` is in, itself or one above it; -1 = none. */
int32_t cairn_condensed_chosen(const cairn_condensed *tree, int32_t at);
/* How surely something that leaves at lambda is in a chosen cluster: its share of the death. */
double cairn_condensed_probability(const cairn_condensed *tree, int32_t chosen, double lambda);
/* 1 - lambda / peak: how much less dense a row is than the densest of its surroundings. */
double cairn_condensed_outlier(const cairn_condensed *tree, size_t row);

/* -- the model -- */

typedef struct cairn_hdbscan_model {
    double enough; /* weight within a core distance */
    cairn_distance_rows rows;
    double *core;    /* n */
    double *weights; /* n; NULL = ones */
    cairn_condensed tree;
} cairn_hdbscan_model;

typedef struct cairn_hdbscan_account {
    double *sizes;  /* n_labels: weight */
    size_t n_noise; /* rows */
    cairn_density_sample sample;
} cairn_hdbscan_account;

CAIRN_CHECKED cairn_status cairn_hdbscan_steps(cairn_context *ctx, const cairn_density *density,
                                               const double *core, const cairn_join *joins,
                                               const cairn_condensed *tree, const cairn_job *job);
void cairn_hdbscan_describe(cairn_report *out, const void *model, const cairn_job *job);
extern const cairn_model_figure cairn_hdbscan_figures[];

extern const cairn_learned cairn_hdbscan_tables[];

#endif
