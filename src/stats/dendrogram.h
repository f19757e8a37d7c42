/* SPDX-License-Identifier: MIT */
/* A tree of clusters as a list of merges: what hierarchical methods make, and what is cut, drawn,
 * written and read.
 *
 * Clusters are numbered: leaf i is cluster i, merge i makes cluster n_leaves + i. The list is in
 * the order in which the clusters came about (or, of a tree that was made by splitting, the other
 * way round), so a part of a cluster stands before it, and the last merge is the root. Heights need
 * not rise: a merge that is lower than one below it is an inversion. */
#ifndef CAIRN_STATS_DENDROGRAM_H
#define CAIRN_STATS_DENDROGRAM_H

#include "base/archive.h"

typedef struct cairn_merge {
    uint32_t left, right; /* clusters, made before it */
    double height;        /* may be lower than those of its parts (an inversion) */
    double size;          /* weight of its leaves */
} cairn_merge;

/* Owned. */
typedef struct cairn_dendrogram {
    size_t n_leaves;
    cairn_merge *merges; /* n_leaves - 1 */
    double *weights;     /* n_leaves; NULL = all 1 */
    char **names;        /* n_leaves; NULL = numbers of rows */
} cairn_dendrogram;

/* Room for the merges of so many leaves, at least one and at most 2^31. */
CAIRN_CHECKED cairn_status cairn_dendrogram_new(cairn_context *ctx, cairn_dendrogram *out,
                                                size_t n_leaves);
void cairn_dendrogram_clear(cairn_dendrogram *tree);
/* Sizes are not kept, they follow from the weights; what is read is checked. */
CAIRN_CHECKED cairn_status cairn_dendrogram_archive(cairn_archive *archive, cairn_dendrogram *tree);
/* Fills the sizes; fails (CAIRN_BAD_DATA) naming the first merge that has a height that is not
 * finite, a part that does not exist yet or one that has been merged before. */
CAIRN_CHECKED cairn_status cairn_dendrogram_complete(cairn_context *ctx, cairn_dendrogram *tree);

/* Two leaves that are joined, or any of those that have been joined with them: how a minimum
 * spanning tree or a chain of nearest neighbours tells its merges. */
typedef struct cairn_join {
    uint32_t a, b;
    double height;
} cairn_join;
/* The tree of n_leaves - 1 joins, the lowest first and equal ones as they stand; the weights must
 * be there before. Of the two parts of a merge the one with the smaller number stands left. */
CAIRN_CHECKED cairn_status cairn_dendrogram_of_joins(cairn_context *ctx, cairn_dendrogram *tree,
                                                     const cairn_join *joins);

/* Weight of a cluster. */
double cairn_dendrogram_size(const cairn_dendrogram *tree, size_t cluster);
/* Height of a cluster: 0 of a leaf. */
double cairn_dendrogram_height(const cairn_dendrogram *tree, size_t cluster);
/* The height of the highest merge; 0 of a single leaf. Without inversions that of the root. */
double cairn_dendrogram_top(const cairn_dendrogram *tree);
/* The mean over the leaves of 1 − (height at which a leaf is joined first) / (height of the tree):
 * the agglomerative coefficient, of a tree that was made by splits the divisive one. Near 1 the
 * clusters are clear; it grows with the leaves. NaN of one leaf, or of height 0. */
double cairn_dendrogram_coefficient(const cairn_dendrogram *tree);
/* Whether merge i is lower than one of its parts, by more than rounding. */
bool cairn_dendrogram_inverted(const cairn_dendrogram *tree, size_t merge);
/* Merges that are. */
size_t cairn_dendrogram_inversions(const cairn_dendrogram *tree);
/* Whether `height` is lower than `below` by more than rounding. */
bool cairn_height_falls(double below, double height);

/* The leaves as they stand side by side, left parts first: order (n_leaves). */
CAIRN_CHECKED cairn_status cairn_dendrogram_order(cairn_context *ctx, const cairn_dendrogram *tree,
                                                  uint32_t *order);

/* A partition of the leaves. Clusters are numbered from 0 in the order of their first leaves. */
typedef struct cairn_cut {
    size_t n_clusters;
    double height;   /* cut by number: the highest merge that was kept, else as asked */
    size_t n_hidden; /* merges not above the height that are undone all the same, since a part of
                         them is: inversions make them */
    int32_t *codes;  /* n_leaves */
    uint32_t *nodes; /* n_clusters: the cluster of the tree that each is */
} cairn_cut;         /* scratch */
/* Into k clusters: the last k - 1 merges are undone. Fails (CAIRN_BAD_DATA) for more than there are
 * leaves. */
CAIRN_CHECKED cairn_status cairn_dendrogram_cut_number(cairn_context *ctx, cairn_cut *out,
                                                       const cairn_dendrogram *tree, size_t k);
/* Merges above `height` are undone, and whatever lies above them. A cut above all merges fails
 * (CAIRN_BAD_DATA) with the height of the root. */
CAIRN_CHECKED cairn_status cairn_dendrogram_cut_height(cairn_context *ctx, cairn_cut *out,
                                                       const cairn_dendrogram *tree, double height);

#endif
