/* SPDX-License-Identifier: MIT */
/* Asking a column may cost something: a test in a laboratory, a question to a person. The score of
 * a column is then lowered by its cost. */
#ifndef CAIRN_LEARNERS_TREE_TREE_COSTS_H
#define CAIRN_LEARNERS_TREE_TREE_COSTS_H

#include "learners/tree/grow/grow.h"
#include "model/learner.h"

typedef struct cairn_cost_params {
    const char *attribute_costs;
    int cost_rule; /* cairn_cost_rule */
    double cost_weight;
} cairn_cost_params;

extern const cairn_param cairn_cost_group[];

/* Put the costs of all columns (scratch) and their rule into the options; nothing when none are
 * given. */
CAIRN_CHECKED cairn_status cairn_tree_read_costs(cairn_context *ctx, cairn_grow_options *options,
                                                 const cairn_cost_params *params,
                                                 const cairn_job *job);
/* Costs of the features of a view (scratch) from the text of the option. */
CAIRN_CHECKED cairn_status cairn_costs_of(cairn_context *ctx, double **out, const cairn_view *view,
                                          const char *text);
/* A score lowered by the cost of the column. */
double cairn_cost_score(cairn_cost_rule rule, double score, double cost, double weight);
/* How the score s and the cost c of a column are joined, as a formula. */
const char *cairn_cost_formula(cairn_cost_rule rule);

#endif
