/* SPDX-License-Identifier: MIT */
/* Places for the boxes of a tree, so that no two overlap and every parent stands over the middle
 * of its children. */
#ifndef CAIRN_DRAW_TREELAYOUT_H
#define CAIRN_DRAW_TREELAYOUT_H

#include "base/context.h"

typedef struct cairn_layout_node {
    int parent;           /* smaller than the node's own number; -1 for the root, number 0 */
    double width, height; /* in: what the node needs */
    double x, y;          /* out: middle and top; the leftmost box begins at 0 */
    int depth;            /* out */
} cairn_layout_node;

/* `gap` separates neighbours, `level_gap` the levels. The size of the whole goes to width and
 * height. Uses scratch memory. */
CAIRN_CHECKED cairn_status cairn_tree_layout(cairn_context *ctx, cairn_layout_node *nodes, size_t n,
                                             double gap, double level_gap, double *width,
                                             double *height);

#endif
