/* SPDX-License-Identifier: MIT */
/* Dense regions of all densities at once, shared by the parts of the learner `hdbscan`. Density is
 * lambda = 1 / distance. */
#ifndef CAIRN_LEARNERS_CLUSTER_HDBSCAN_H
#define CAIRN_LEARNERS_CLUSTER_HDBSCAN_H

#include "learners/cluster/dense_rows.h"
#include "stats/dendrogram.h"

/* The shortest tree over all rows by mutual reachability: what of single linkage is left when rows
 * that lie alone are kept apart. */

/* joins (n - 1): a minimum spanning tree whose lengths are max(core(a), core(b), d(a, b)), in no
 * particular order. The search must be made. Fails (CAIRN_BAD_DATA) when two rows cannot be
 * compared. Lengths are the same whatever the method and the number of threads. */
CAIRN_CHECKED cairn_status cairn_spanning_tree(cairn_context *ctx, const cairn_density *density,
                                               const double *core, cairn_join *joins);

/* Dense regions of all densities at once, shared by the parts of the learner `hdbscan`. Density is
 * lambda = 1 / distance. */

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

/* -- the model -- */

typedef struct cairn_hdbscan_model {
    double enough; /* weight within a core distance */
    cairn_distance_rows rows;
    double *core;    /* n */
    double *weights; /* n; NULL = ones */
    cairn_condensed tree;
} cairn_hdbscan_model;

extern const cairn_learned cairn_hdbscan_tables[];

#endif
