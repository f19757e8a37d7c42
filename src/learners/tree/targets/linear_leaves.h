/* SPDX-License-Identifier: MIT */
/* Model trees: leaves that answer by a linear model instead of one number. */
#ifndef CAIRN_LEARNERS_TREE_LINEAR_LEAVES_H
#define CAIRN_LEARNERS_TREE_LINEAR_LEAVES_H

#include "learners/tree/grow/grow.h"
#include "model/learner.h"

enum { CAIRN_LEAF_CONSTANT, CAIRN_LEAF_LINEAR };
enum { CAIRN_SINGULAR_MEAN, CAIRN_SINGULAR_DROP };
enum { CAIRN_SEARCH_VARIANCE, CAIRN_SEARCH_RESIDUALS };

typedef struct cairn_linear_leaf_params {
    int leaf;
    double leaf_rows;
    int singular;
    int leaf_search;
} cairn_linear_leaf_params;

extern const cairn_param cairn_linear_leaf_group[];

/* Linear leaves need a number as target (CAIRN_USAGE). */
CAIRN_CHECKED cairn_status cairn_linear_leaf_check_task(cairn_context *ctx,
                                                        const cairn_linear_leaf_params *p,
                                                        const cairn_job *job);
/* Give every leaf its linear model, by least squares over the rows of the view that end there. */
CAIRN_CHECKED cairn_status cairn_tree_fit_linear_leaves(cairn_context *ctx, cairn_tree_model *tree,
                                                        const cairn_linear_leaf_params *p,
                                                        const cairn_view *view,
                                                        const cairn_schema *schema,
                                                        cairn_report *steps);
/* What a node answers for a table row: its linear model at the row, or its mean. */
double cairn_tree_value(const cairn_tree_model *tree, size_t node,
                        const cairn_column *const *features, size_t row);
/* The constant of a leaf's linear model, written for columns that are not centred. */
double cairn_linear_leaf_constant(const cairn_tree_model *tree, const cairn_tree_node *node);
/* "1.2 − 2.4·x"; with `all`, every term and all digits. */
void cairn_linear_leaf_add(cairn_text *out, const cairn_tree_model *tree,
                           const cairn_tree_node *node, const cairn_schema *schema, bool all);
/* The equations of all leaves; nothing for a tree without linear leaves. */
void cairn_tree_show_linear_leaves(cairn_report *out, const cairn_tree_model *tree,
                                   const cairn_schema *schema);
/* The terms of a linear model at one row. */
void cairn_linear_leaf_explain(cairn_report *out, const cairn_tree_model *tree,
                               const cairn_tree_node *node, const cairn_job *job, size_t row);

#endif
