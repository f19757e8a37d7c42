/* SPDX-License-Identifier: MIT */
/* Which class a leaf answers, whether it answers at all, and the table of all nodes. */
#ifndef CAIRN_LEARNERS_TREE_TREE_LEAVES_H
#define CAIRN_LEARNERS_TREE_TREE_LEAVES_H

#include "learners/tree/grow/grow.h"
#include "model/learner.h"

typedef enum cairn_leaf_rule {
    CAIRN_LEAF_BY_MAJORITY,
    CAIRN_LEAF_BY_ABSOLUTE,
    CAIRN_LEAF_BY_RELATIVE
} cairn_leaf_rule;
enum { CAIRN_SMALL_REJECT, CAIRN_SMALL_PARENT };

typedef struct cairn_leaf_params {
    int leaf_label; /* cairn_leaf_rule */
    double label_cost;
    double reject_below;
    int small_leaf;
    bool node_table;
    double mark_above, mark_below;
} cairn_leaf_params;

extern const cairn_choice cairn_leaf_rules[], cairn_small_leaves[];
extern const cairn_param cairn_leaf_group[];

/* Settings that need classes fail for a number as target (CAIRN_USAGE). */
CAIRN_CHECKED cairn_status cairn_leaf_check_task(cairn_context *ctx, const cairn_leaf_params *p,
                                                 const cairn_job *job);
/* Let the leaves answer the class that the parameters say; `positive` as in a job. */
CAIRN_CHECKED cairn_status cairn_tree_label_leaves(cairn_context *ctx, cairn_tree_model *tree,
                                                   const cairn_leaf_params *p, int32_t positive);
/* After growing and pruning: the same, and what becomes of small leaves. */
CAIRN_CHECKED cairn_status cairn_tree_finish_leaves(cairn_context *ctx, cairn_tree_model *tree,
                                                    const cairn_leaf_params *p, int32_t positive);

/* Class shares of a node. */
void cairn_tree_shares(const cairn_tree_model *tree, size_t node, double *shares);
/* What a rule compares classes by: the share itself, or its change against the prior. */
double cairn_leaf_change(cairn_leaf_rule rule, double share, double prior);
/* The class that a rule answers; among equals the first. */
int32_t cairn_leaf_choose(cairn_leaf_rule rule, const double *shares, const double *prior,
                          size_t n);
/* Of two classes: positive where its share times `cost` is larger than the other. */
int32_t cairn_leaf_choose_by_cost(const double *shares, int32_t positive, double cost);

/* The table of nodes and the list of leaves, if they are wanted. */
void cairn_tree_show_nodes(cairn_report *out, const cairn_tree_model *tree,
                           const cairn_schema *schema, const cairn_leaf_params *params);

#endif
