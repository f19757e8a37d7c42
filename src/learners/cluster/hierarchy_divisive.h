/* SPDX-License-Identifier: MIT */
/* What the two divisive methods of `hierarchy` share: a cluster is a range of one order of the
 * rows, and a split puts the rows of its left part before those of its right part. */
#ifndef CAIRN_LEARNERS_HIERARCHY_DIVISIVE_H
#define CAIRN_LEARNERS_HIERARCHY_DIVISIVE_H

#include "learners/cluster/hierarchy.h"
#include "rows/distances.h"

/* A part that is a single row is not split. */
enum { CAIRN_NO_SPLIT = UINT32_MAX };

typedef struct cairn_split_node {
    uint32_t first, count; /* rows of the cluster */
    uint32_t kept;         /* how many of them are its left part */
    uint32_t left, right;  /* splits of the parts, CAIRN_NO_SPLIT = single rows */
    double height;
} cairn_split_node;

/* Fill the merges of the tree: the splits (n_leaves - 1) in the order `sequence` (NULL = as they
 * stand), in which a part comes after the whole, the first as the last merge. */
CAIRN_CHECKED cairn_status cairn_splits_to_tree(cairn_context *ctx, cairn_dendrogram *tree,
                                                const uint32_t *order,
                                                const cairn_split_node *splits,
                                                const uint32_t *sequence);

/* "{a, b, c}" of rows[0 .. n-1], by their names; of more than a dozen the first and how many. */
void cairn_rows_text(cairn_text *out, const cairn_hierarchy_data *data, const uint32_t *rows,
                     size_t n);

CAIRN_CHECKED cairn_status cairn_hierarchy_diana(cairn_context *ctx, cairn_dendrogram *tree,
                                                 const cairn_hierarchy_data *data,
                                                 const cairn_hierarchy_params *params,
                                                 cairn_report *steps);
CAIRN_CHECKED cairn_status cairn_hierarchy_bisect(cairn_context *ctx, cairn_dendrogram *tree,
                                                  const cairn_hierarchy_data *data,
                                                  cairn_report *steps);

/* Splits that are shown among the steps. */
enum { CAIRN_SHOWN_SPLITS = 30 };

#endif
