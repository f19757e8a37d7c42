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
#endif
