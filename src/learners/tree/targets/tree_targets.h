/* SPDX-License-Identifier: MIT */
/* Several targets in one tree, and trees whose leaves are clusters.
 *
 * Every target is a number, or levels that count as one 0/1 column each. With y such a column, b
 * its unit and S a partition of a node's rows into parts k with shares p_k, its contribution is
 *
 *     sum_k p_k (mean_k - mean)^2 / b^2
 *
 * and a split is scored by the sum over all columns: the fall of the sum of their variances. For
 * levels b = 1 makes this the Gini reduction and b = sqrt(p) chi-squared / N, for a number b = its
 * deviation makes it the correlation ratio. So targets of all kinds add up. A row that lacks a
 * target does not count for it.
 *
 * In place of columns, a matrix of dissimilarities between the rows may be given: then a node is as
 * mixed as the mean over all ordered pairs of its rows, each with itself included. */
#ifndef CAIRN_LEARNERS_TREE_TREE_TARGETS_H
#define CAIRN_LEARNERS_TREE_TREE_TARGETS_H

#include "data/schema.h"
#include "entry/entry.h"
#include "learners/tree/grow/criterion.h"
#include "report/report.h"

typedef enum cairn_target_scale {
    CAIRN_SCALE_IMPURITY,  /* levels: the fall of an impurity; numbers: the share of variance */
    CAIRN_SCALE_NONE,      /* b = 1 */
    CAIRN_SCALE_SPREAD,    /* numbers: deviation; levels: sqrt(p) */
    CAIRN_SCALE_BERNOULLI, /* numbers: deviation; levels: sqrt(p (1-p)) */
    CAIRN_SCALE_RANGE      /* numbers: range; levels: 1 */
} cairn_target_scale;
extern const cairn_choice cairn_target_scales[];

/* Targets of a schema: those it names, or all features when it names none, by name. */
typedef struct cairn_target_field {
    const cairn_field *field;
    size_t first, n; /* its places in a node's vector: one, or one per level */
} cairn_target_field;
/* Scratch; returns the number of fields. */
CAIRN_CHECKED cairn_status cairn_target_fields(cairn_context *ctx, cairn_target_field **out,
                                               size_t *n, size_t *n_means,
                                               const cairn_schema *schema);

typedef struct cairn_tree_target {
    const char *name;
    const cairn_column *column;
    bool is_level;
    size_t n;            /* columns that it counts as */
    size_t first;        /* of them in a node's vector */
    size_t at;           /* of its sums: weight and sum of a number, the weight of every level */
    double centre, grid; /* of a number: its mean, and what it is rounded to */
    double *scale;       /* n: 1 / b^2; 0 = does not count */
} cairn_tree_target;

/* What the criteria for several targets, distances and linear models need to know. */
typedef struct cairn_tree_targets {
    const cairn_criterion *criterion;
    size_t n_targets, n_means, n_stats;
    size_t step; /* values of a row in target_values: one per target, its row of the matrix, or the
                    target and the regressors */
    cairn_tree_target *list;
    ptrdiff_t answer; /* the target that node->error is about; -1 = all of them */
    cairn_target_scale kind;
    cairn_impurity impurity; /* of CAIRN_SCALE_IMPURITY */
    const char *category;    /* the only level of the targets that counts; NULL = all count */
    /* distances */
    const double *matrix; /* matrix_n x matrix_n, by table rows */
    size_t matrix_n;
    /* linear models */
    bool drop; /* columns that depend on others have no slope */
    size_t n_regressors;
    const cairn_column **regressors, *y;
    double y_mean;
} cairn_tree_targets;

/* The targets of a view; `out` says kind, impurity and category. Scratch that borrows the view. */
CAIRN_CHECKED cairn_status cairn_tree_targets_make(cairn_context *ctx, cairn_tree_targets *out,
                                                   const cairn_view *view,
                                                   const cairn_schema *schema);
/* As cairn_binned_make_bins for several targets; `targets` is borrowed, and a row needs one of them
 * at least. */
CAIRN_CHECKED cairn_status cairn_binned_make_targets(cairn_context *ctx, cairn_binned *out,
                                                     const cairn_view *view,
                                                     cairn_tree_targets *targets, size_t bins);
/* The values of some rows: take_rows of all these criteria. */
CAIRN_CHECKED cairn_status cairn_tree_targets_take_rows(cairn_context *ctx, cairn_binned *out,
                                                        const cairn_binned *data,
                                                        const uint32_t *rows, size_t n);

/* The best split of a column by pairs of rows (target_distances.c), and the mean dissimilarity of
 * all pairs of some rows. */
bool cairn_distance_search(cairn_split *out, const cairn_binned *data,
                           const cairn_grow_options *options, const cairn_node_rows *node,
                           size_t column, cairn_split_space *space);
double cairn_distance_mean(const cairn_binned *data, const cairn_node_rows *rows);
/* Prepare the search by distances where it is the faster one: few rows, very many targets. Fails
 * when the other one would take too long. */
CAIRN_CHECKED cairn_status cairn_distance_prepare(cairn_context *ctx, cairn_binned *data,
                                                  const cairn_grow_options *options);

/* Grow a tree for the targets; with `steps` (may be NULL) its work is shown. */
CAIRN_CHECKED cairn_status cairn_tree_targets_grow(
    cairn_context *ctx, cairn_tree_model *out, cairn_tree_history *history,
    cairn_tree_targets *targets, const cairn_view *view, const cairn_schema *schema,
    cairn_grow_options options, size_t bins, cairn_report *steps);

/* Judge parts by the linear models that they would get (target_linear.c). Scratch that borrows the
 * view. */
CAIRN_CHECKED cairn_status cairn_linear_target_make(cairn_context *ctx, cairn_tree_targets *out,
                                                    const cairn_view *view, bool drop);
/* One class of one target: a cairn_partition_score that adds up its column of contributions,
 * sum_k (p_kl - p_k p_l)^2 / (p_k b_l^2), with shares of the node; `data` is this. */
typedef struct cairn_category {
    int32_t code;
    cairn_target_scale kind;
} cairn_category;
double cairn_category_score(const double *cells, size_t n_parts, size_t n_classes,
                            const void *data);

/* -- showing (targets_show.c) -- */

/* What a leaf answers: "price 12.5, sold yes", or "like A100". */
void cairn_tree_targets_add_answer(cairn_text *text, const cairn_tree_model *tree, size_t node,
                                   const cairn_schema *schema);
/* Watches the growing and writes the work of every node, as cairn_tree_steps does. */
typedef struct cairn_target_steps {
    cairn_report *report;
    const cairn_schema *schema;
    const cairn_grow_options *options;
    double *cells, *sums, *by, *weights;
    int32_t *filled, *branch;
    uint32_t *rows;
    size_t shown;
} cairn_target_steps;
/* Scratch that borrows report, schema and options. The node function is a watch of the growing
 * and returns whether it wants to see more; the end says how many were not shown. */
CAIRN_CHECKED cairn_status cairn_target_steps_make(cairn_context *ctx, cairn_target_steps *out,
                                                   cairn_report *report, const cairn_schema *schema,
                                                   const cairn_binned *data,
                                                   const cairn_grow_options *options);
bool cairn_target_steps_node(void *data, const cairn_grow_event *event);
void cairn_target_steps_end(cairn_target_steps *steps, const cairn_tree_model *tree);
/* The table of leaves with the means and shares of all targets. */
void cairn_tree_targets_show_leaves(cairn_report *out, const cairn_tree_model *tree,
                                    const cairn_schema *schema);

/* -- predicting -- */

/* Columns of answers of n rows, from their vectors: a number, or the level of the largest share;
 * the target `but` is left out. With `shares`, also "p(target=level)". */
CAIRN_CHECKED cairn_status cairn_tree_targets_outputs(cairn_context *ctx, cairn_table *out,
                                                      const double *vectors,
                                                      const cairn_schema *schema, const char *but,
                                                      bool shares);
/* For a tree of several targets: let class, counts and mean of every node be those of the target
 * that is named. */
CAIRN_CHECKED cairn_status cairn_tree_targets_answer(cairn_context *ctx, cairn_tree_model *tree,
                                                     const cairn_schema *schema,
                                                     const char *target);
/* After loading: whether the vectors have the length that the schema wants. */
CAIRN_CHECKED cairn_status cairn_tree_targets_check(cairn_archive *archive,
                                                    const cairn_tree_model *tree,
                                                    const cairn_schema *schema);

#endif
