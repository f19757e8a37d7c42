/* SPDX-License-Identifier: MIT */
/* Which nodes of a tree are shown; shared by the pictures and the terminal. */
#ifndef CAIRN_DRAW_TREEPLOT_H
#define CAIRN_DRAW_TREEPLOT_H

#include "draw/canvas.h"
#include "draw/figure_data.h"

typedef struct cairn_tree_view {
    bool *shown;    /* n_nodes */
    size_t *hidden; /* n_nodes: how many nodes below are left out directly under this one */
} cairn_tree_view;

/* Show all nodes of a tree of at most `most`; of a larger one as many whole levels as stay within
 * `few` nodes (two levels at least) and at most 40 children of one node. Nothing below the level
 * `deepest` is shown. Scratch. */
CAIRN_CHECKED cairn_status cairn_tree_choose(cairn_context *ctx, cairn_tree_view *out,
                                             const cairn_figure *figure, size_t most, size_t few,
                                             size_t deepest);

/* -- the text of a node (nodetext.c): what it needs, and writing it below `top` -- */
CAIRN_CHECKED cairn_status cairn_node_measure(cairn_context *ctx, const char *text, double *width,
                                              double *height);
CAIRN_CHECKED cairn_status cairn_node_write(cairn_context *ctx, cairn_canvas *canvas,
                                            const char *text, double middle, double top);

#endif
