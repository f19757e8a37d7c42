/* SPDX-License-Identifier: MIT */
/* Cutting a grown tree back, so that it keeps what it knows of other rows and forgets the noise.
 *
 *     rep             greedy: the node whose replacement by a leaf helps most on validation rows
 *     rep-bottomup    from the leaves up: replace where the validation rows that get there do
 *                     worse with the subtree than with their own majority
 *     pessimistic     C4.5: errors of a node are taken at the upper end of their confidence
 *                     interval; no rows are held out. With raising a node may also be replaced by
 *                     its heaviest branch
 *     cost-complexity CART: nested trees that are best for error + alpha x leaves; alpha given, or
 *                     found on validation rows or by cross-validation
 *     same-label      subtrees whose leaves all answer alike
 *     chi             splits whose parts do not differ significantly
 *     small           splits with a branch of few rows
 *     mdl             subtrees that take more bits than the exceptions that they save */
#ifndef CAIRN_LEARNERS_TREE_PRUNE_H
#define CAIRN_LEARNERS_TREE_PRUNE_H

#include "learners/tree/grow/grow.h"
#include "model/learner.h"

typedef enum cairn_prune {
    CAIRN_PRUNE_NONE,
    CAIRN_PRUNE_REP,
    CAIRN_PRUNE_BOTTOM_UP,
    CAIRN_PRUNE_PESSIMISTIC,
    CAIRN_PRUNE_COST_COMPLEXITY,
    CAIRN_PRUNE_SAME_LABEL,
    CAIRN_PRUNE_CHI,
    CAIRN_PRUNE_MDL,
    CAIRN_PRUNE_SMALL
} cairn_prune;

typedef struct cairn_prune_params {
    int prune; /* cairn_prune */
    double prune_share;
    const char *prune_rows;
    bool prune_ties;
    bool collapse, raise, global_prune;
    double confidence, prune_level, prune_size;
    double alpha; /* NaN = found */
    int prune_folds;
    double se;
} cairn_prune_params;

extern const cairn_param cairn_prune_group[];

/* What the methods share. */
typedef struct cairn_pruning {
    cairn_context *ctx;
    const cairn_prune_params *params;
    const cairn_job *job;             /* its view has all rows */
    const cairn_grow_options *growth; /* for further trees of a cross-validation */
    const cairn_binned *data;         /* what the tree was grown on */
    cairn_tree_model *tree;
    cairn_tree_history *history; /* NULL = nobody wants to know */
    cairn_view kept;             /* rows that the tree is grown on */
    cairn_view tested;           /* rows to judge by; none without validation rows */
    cairn_report *steps;
} cairn_pruning;

/* Divide the rows, before growing; `kept` is all of them for methods without validation rows. */
CAIRN_CHECKED cairn_status cairn_prune_divide(cairn_pruning *p);
/* Prune p->tree as the parameters say. */
CAIRN_CHECKED cairn_status cairn_prune_tree(cairn_pruning *p);

/* Losses of validation rows at every node (errors, or squared errors; all scratch). */
typedef struct cairn_node_losses {
    double *leaf;    /* n_nodes: if the node were a leaf */
    double *subtree; /* n_nodes: of the tree below it as it is */
    double *counts;  /* n_nodes x n_classes: rows that reach the node; NULL = not wanted */
    double weight;   /* of all rows */
} cairn_node_losses;
/* Leads the rows of the view down the tree; `counts` asks for the classes at every node too. */
CAIRN_CHECKED cairn_status cairn_prune_losses(cairn_context *ctx, cairn_node_losses *out,
                                              const cairn_tree_model *tree, const cairn_view *view,
                                              bool counts);

/* One tree of the cost-complexity sequence. */
typedef struct cairn_prune_step {
    double alpha; /* from which on this tree is best */
    size_t leaves;
    double error;  /* per unit of weight, on the rows it was grown on */
    double tested; /* likewise on validation rows, or by cross-validation; NaN = none */
    double se;
} cairn_prune_step;
/* The sequence from the whole tree to its root; `collapse` (n_nodes) gets the alpha from which on
 * an inner node is a leaf, infinity for leaves. `test` may be NULL. Scratch. */
CAIRN_CHECKED cairn_status cairn_prune_path(cairn_context *ctx, const cairn_tree_model *tree,
                                            const cairn_node_losses *test, double *collapse,
                                            cairn_prune_step **out, size_t *n);
CAIRN_CHECKED cairn_status cairn_prune_cost_complexity(cairn_pruning *p, uint8_t *marks);
/* A last pass over a pruned tree: the smallest tree of its sequence whose errors on its own rows
 * are within `se` standard errors of those of the whole. */
CAIRN_CHECKED cairn_status cairn_prune_global(cairn_pruning *p);

/* Pessimistic pruning that may also put the heaviest branch of a node into its place. Then the tree
 * is a new one and nothing is marked. */
CAIRN_CHECKED cairn_status cairn_prune_raise(cairn_pruning *p, uint8_t *marks);

/* Errors of n rows at the upper limit of a one-sided confidence interval. */
double cairn_pessimistic_errors(double n, double errors, double confidence);

/* Notes of nodes by their paths. */
void cairn_prune_add_name(cairn_text *out, const cairn_pruning *p, size_t node);

#endif
