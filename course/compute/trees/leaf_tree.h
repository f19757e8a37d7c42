/* SPDX-License-Identifier: MIT */
/* Trees as what they do to two classes: positives and negatives of every node, from typed counts or
 * from a model, the order in which the splits were made, and pictures of all that in coverage
 * space. */
#ifndef CAIRN_COMPUTE_TREES_LEAF_TREE_H
#define CAIRN_COMPUTE_TREES_LEAF_TREE_H

#include "base/text.h"
#include "draw/figure.h"
#include "entry/entry.h"
#include "learners/tree/grow/grow.h"
#include "model/model.h"

/* -- the order of splits -- */

enum { CAIRN_GROWTH_DEPTH, CAIRN_GROWTH_LEVELS, CAIRN_GROWTH_BEST };
extern const cairn_choice cairn_growth_orders[];

/* What the order is found from: nodes with parents before children. */
typedef struct cairn_growing {
    int32_t parent; /* -1 = root */
    bool inner;
    double merit; /* for BEST: what the split is worth, weight included */
} cairn_growing;

/* The first `most` inner nodes in the order in which they are split, into `out`; returns their
 * number. DEPTH is the order of the nodes. Scratch. */
CAIRN_CHECKED cairn_status cairn_growth_order(cairn_context *ctx, uint32_t *out, size_t *n_out,
                                              size_t most, const cairn_growing *nodes, size_t n,
                                              int order);
/* The same for the nodes of a tree. */
CAIRN_CHECKED cairn_status cairn_tree_growth(cairn_context *ctx, uint32_t *out, size_t *n_out,
                                             size_t most, const cairn_tree_model *tree, int order);

/* -- trees of counts -- */

typedef struct cairn_leaf {
    double p, n;
} cairn_leaf;

typedef struct cairn_leaf_node {
    int parent, depth;
    int first, next; /* child, sibling; -1 = none */
    int leaf;        /* its place among the leaves; -1 = inner */
    double p, n;
    double merit; /* inner: weight times gain */
    int split;    /* number of the split, level by level from 1; 0 = leaf */
} cairn_leaf_node;

enum { CAIRN_MOST_LEAVES = 64 }; /* typed, and with labellings */

typedef struct cairn_leaf_tree {
    cairn_leaf *leaves;
    size_t n_leaves;
    cairn_leaf_node *nodes; /* parents before children */
    int n_nodes;            /* 0 = leaves without structure */
    double p, n;
    const char *positive; /* name of the class; NULL = typed */
} cairn_leaf_tree;

/* 29,10;1,25 or ((29,10)(1,25))((15,3)(5,62)), for messages the value of --leaves. Scratch. */
CAIRN_CHECKED cairn_status cairn_leaf_tree_read(cairn_context *ctx, cairn_leaf_tree *out,
                                                const char *text);
/* The training rows of a model of `tree`: `positive` (NULL = the positive one of two classes)
 * against all others. Fails for other learners, trees that predict numbers or are very large,
 * unknown classes, and more than two classes without a name. Scratch. */
CAIRN_CHECKED cairn_status cairn_leaf_tree_of_model(cairn_context *ctx, cairn_leaf_tree *out,
                                                    const cairn_model *model, const char *positive);
/* From the option or from the model, whichever is there (exactly one has to be). */
CAIRN_CHECKED cairn_status cairn_leaf_tree_find(cairn_context *ctx, cairn_leaf_tree *out,
                                                const char *text, const cairn_model *model,
                                                const char *positive);

/* Leaves in the order of their share of positives; leaves of the same share are one segment of the
 * curve, and their order here does not matter. */
void cairn_leaves_sort(const cairn_leaf *leaves, size_t *order, size_t n);
/* Area under the curve of leaves taken in an order (NULL = as they come). */
double cairn_leaves_area(const cairn_leaf *leaves, const size_t *order, size_t n, double p,
                         double all_n);
/* "[29+,10-]" */
void cairn_leaf_add(cairn_text *out, cairn_leaf at);

/* A tree after some of its splits: the leaves that it has then. */
typedef struct cairn_leaf_stage {
    cairn_leaf *leaves; /* room for all nodes */
    int *nodes;         /* the node of each */
    size_t *order;      /* by share */
    bool *present;      /* per node of the tree */
    size_t n;
    double auc;
} cairn_leaf_stage;
/* Room for any stage of the tree, scratch; it holds none until it is filled. */
CAIRN_CHECKED cairn_status cairn_leaf_stage_make(cairn_context *ctx, cairn_leaf_stage *out,
                                                 const cairn_leaf_tree *tree);
/* Nodes marked in `split` are divided, all others are leaves or not there yet. */
void cairn_leaf_stage_fill(cairn_leaf_stage *out, const cairn_leaf_tree *tree, const bool *split);
/* The inner nodes in the order of growth. Scratch. */
CAIRN_CHECKED cairn_status cairn_leaf_tree_growth(cairn_context *ctx, uint32_t **out, size_t *n_out,
                                                  size_t most, const cairn_leaf_tree *tree,
                                                  int order);

/* -- pictures (leaf_plots.c) -- */

/* Every node as a segment of the coverage plot, beside each other level by level, and the curve of
 * the leaves by share. */
CAIRN_CHECKED cairn_status cairn_leaf_tree_figure(cairn_context *ctx, cairn_figure **out,
                                                  const cairn_leaf_tree *tree);
/* The curve after each of the first splits: one panel each, at most `most`; or all in one plot. */
CAIRN_CHECKED cairn_status cairn_growth_figure(cairn_context *ctx, cairn_figure **out,
                                               const cairn_leaf_tree *tree, int order, size_t most,
                                               bool overlaid);
/* All labellings of at most ten leaves as points, those that differ in one leaf joined, and the
 * path of the best ones. */
CAIRN_CHECKED cairn_status cairn_labellings_figure(cairn_context *ctx, cairn_figure **out,
                                                   const cairn_leaf_tree *tree);
/* The curves of the whole tree and of the one that is left when splits whose leaves all have the
 * same label are taken back; `labels` as typed, NULL = majorities. */
CAIRN_CHECKED cairn_status cairn_same_label_figure(cairn_context *ctx, cairn_figure **out,
                                                   const cairn_leaf_tree *tree, const char *labels);
/* The same beside the tree, in which what is taken back is dashed. */
CAIRN_CHECKED cairn_status cairn_pruned_figure(cairn_context *ctx, cairn_figure **out,
                                               const cairn_leaf_tree *tree, const char *labels);
/* The splits that such labels take back: marks inner nodes. Fails when the labels do not fit. */
CAIRN_CHECKED cairn_status cairn_same_label_cuts(cairn_context *ctx, bool *cut,
                                                 const cairn_leaf_tree *tree, const char *labels);

#endif
