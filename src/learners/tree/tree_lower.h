/* SPDX-License-Identifier: MIT */
/* Trees as an operation of a program. */
#ifndef CAIRN_LEARNERS_TREE_TREE_LOWER_H
#define CAIRN_LEARNERS_TREE_TREE_LOWER_H

#include "learners/tree/tree_leaves.h"

/* How the runtime tests a cell: see tree_side in src/export/runtime.h. */
enum {
    CAIRN_LOWER_AT_MOST,
    CAIRN_LOWER_BELOW,
    CAIRN_LOWER_LEVEL,
    CAIRN_LOWER_LEVELS,
    CAIRN_LOWER_SET
};
/* Tables of CAIRN_OP_TREES, in the order of cairn_op_forms. */
enum {
    CAIRN_TREES_ROOTS,
    CAIRN_TREES_NODES, /* 4 each: input (-1 = leaf), test, first link, row of the values */
    CAIRN_TREES_LINKS,
    CAIRN_TREES_LABELS,
    CAIRN_TREES_USUAL,
    CAIRN_TREES_SURROGATE_STARTS,
    CAIRN_TREES_SURROGATES, /* 3 each: input, test, flipped */
    CAIRN_TREES_SETS,
    CAIRN_TREES_ORDER,
    CAIRN_TREES_LINEAR,
    CAIRN_TREES_REGRESSORS
};
enum {
    CAIRN_TREES_CUTS,
    CAIRN_TREES_PARTS,
    CAIRN_TREES_VALUES,
    CAIRN_TREES_SURROGATE_CUTS,
    CAIRN_TREES_CHOICE, /* per class: what is taken off; per class: a factor; then the tie */
    CAIRN_TREES_SLOPES,
    CAIRN_TREES_CENTRES
};
/* Sizes. */
enum {
    CAIRN_TREES_N,
    CAIRN_TREES_WIDTH,
    CAIRN_TREES_VOTES,
    CAIRN_TREES_CHOOSES,
    CAIRN_TREES_N_REGRESSORS,
    CAIRN_TREES_FOREST
};

/* Room for the sums and for the stack of the deepest way through nodes whose children come behind
 * them; to be called when nodes and links are there. */
CAIRN_CHECKED cairn_status cairn_trees_work(cairn_program *program, cairn_operation *op);
/* Classes in their order, nothing taken off; `tie` is what a later one must be better by. */
CAIRN_CHECKED cairn_status cairn_trees_choice(cairn_program *program, cairn_operation *op, size_t n,
                                              double tie);

/* A tree of one target; `smooth` as the option has it. */
CAIRN_CHECKED cairn_status cairn_tree_lower_with(const cairn_tree_model *tree, const cairn_job *job,
                                                 const cairn_leaf_params *leaves,
                                                 const char *smooth, cairn_program *out);
CAIRN_CHECKED cairn_status cairn_clustering_tree_lower(const void *model, const cairn_job *job,
                                                       cairn_program *out);

#endif
