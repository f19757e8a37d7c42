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
#include "learners/tree/grow/grow.h"
#include "report/report.h"

typedef enum cairn_goal_scale {
    CAIRN_GOAL_IMPURITY, /* levels: the fall of an impurity; numbers: the share of their variance */
    CAIRN_GOAL_NONE,     /* b = 1 */
    CAIRN_GOAL_SPREAD,   /* numbers: deviation; levels: sqrt(p) */
    CAIRN_GOAL_BERNOULLI, /* numbers: deviation; levels: sqrt(p (1-p)) */
    CAIRN_GOAL_RANGE      /* numbers: range; levels: 1 */
} cairn_goal_scale;
extern const cairn_choice cairn_goal_scales[];

/* Targets of a schema: those it names, or all features when it names none, by name. */
typedef struct cairn_goal_field {
    const cairn_field *field;
    size_t first, n; /* its places in a node's vector: one, or one per level */
} cairn_goal_field;
/* Scratch; returns the number of fields. */
CAIRN_CHECKED cairn_status cairn_goal_fields(cairn_context *ctx, cairn_goal_field **out, size_t *n,
                                             size_t *n_goals, const cairn_schema *schema);

typedef struct cairn_goal_target {
    const char *name;
    const cairn_column *column;
    bool is_level;
    size_t n;            /* columns that it counts as */
    size_t first;        /* of them in a node's vector */
    size_t at;           /* of its sums: weight and sum of a number, the weight of every level */
    double centre, grid; /* of a number: its mean, and what it is rounded to */
    double *scale;       /* n: 1 / b^2; 0 = does not count */
} cairn_goal_target;

typedef struct cairn_goals {
    size_t n_targets, n_goals, n_stats;
    cairn_goal_target *targets;
    ptrdiff_t answer; /* the target that node->error is about; -1 = all of them */
    cairn_goal_scale kind;
    cairn_impurity impurity; /* of CAIRN_GOAL_IMPURITY */
    const char *category;    /* the only level of the targets that counts; NULL = all count */
    const double *matrix;    /* matrix_n x matrix_n, by table rows; NULL = the targets count */
    size_t matrix_n;
    bool planes; /* one number as target, and parts are judged by planes (target_linear.c) */
    bool drop;   /* columns that depend on others have no slope */
    size_t n_regressors;
    const cairn_column **regressors, *y;
    double y_mean;
} cairn_goals;

/* Values that a coded row has in goal_values: one per target, its row of the matrix, or the target
 * and the regressors. */
static inline size_t cairn_goals_step(const cairn_goals *goals)
{
    if (goals->planes) return goals->n_regressors + 1;
    return goals->matrix ? 1 : goals->n_targets;
}

/* The targets of a view; `out` says kind, impurity and category. Scratch that borrows the view. */
CAIRN_CHECKED cairn_status cairn_goals_make(cairn_context *ctx, cairn_goals *out,
                                            const cairn_view *view, const cairn_schema *schema);
/* Whether a table row has one of the targets. */
bool cairn_goals_known(const cairn_goals *goals, size_t row);
/* For binned.c: values of the rows that are kept, units, spread; some rows only. */
CAIRN_CHECKED cairn_status cairn_goals_take(cairn_context *ctx, cairn_coded *data,
                                            cairn_goals *goals);
CAIRN_CHECKED cairn_status cairn_goals_take_rows(cairn_context *ctx, cairn_coded *out,
                                                 const cairn_coded *data, const uint32_t *rows,
                                                 size_t n);

/* Add a row to sums; what a partition gains (`total` is working memory of twice n_stats); the sum
 * of variances of some rows (`sums`: n_stats; `by` gets the part of every target unless it is
 * NULL). */
void cairn_goals_add(double *cell, const cairn_coded *data, uint32_t row, double weight);
double cairn_goals_gain(const cairn_goals *goals, const double *cells, size_t n_parts,
                        double *total);
double cairn_goals_spread(const cairn_coded *data, const cairn_node_rows *rows, double *sums,
                          double *by);
/* Weight, error and vector of a node (`sums`: twice n_stats); `above` is the vector of its parent,
 * for targets that no row has. */
void cairn_goals_total(double *vector, cairn_tree_node *node, bool *pure, const cairn_coded *data,
                       cairn_node_rows *rows, const double *above, double *sums);

/* What a cut gains, nearly: rows are moved to the left one by one, at a step per target and not per
 * level, so that only cuts that may be the best are judged exactly. */
typedef struct cairn_goal_screen {
    bool on;
    const cairn_coded *data;
    const double *left, *known; /* sums of the cut's left side and of both, borrowed */
    double *sums[2];            /* per target and side: sum of f over its levels */
    double *weights[2];         /* and their weight */
    double *totals;             /* per target: sum of f over the levels of both sides */
} cairn_goal_screen;
/* `room`: five numbers per target. Off when there is no such measure, or few levels. */
void cairn_goal_screen_start(cairn_goal_screen *screen, const cairn_coded *data, const double *left,
                             const double *known, double *room);
/* Before the row is added to the left sums. */
void cairn_goal_screen_move(cairn_goal_screen *screen, uint32_t row, double weight);
/* What the cut gains, but for `error`. */
double cairn_goal_screen_gain(const cairn_goal_screen *screen, double *error);

/* The best split of a column by a matrix (target_distances.c), and how mixed rows are by it. */
void cairn_goals_search(cairn_split *out, const cairn_coded *data,
                        const cairn_grow_options *options, const cairn_node_rows *node,
                        size_t column, cairn_split_space *space);
double cairn_goals_pairs(const cairn_coded *data, const cairn_node_rows *rows);
/* Prepare the search by distances where it is the faster one: few rows, very many targets. Fails
 * when the other one would take too long. */
CAIRN_CHECKED cairn_status cairn_goals_near(cairn_context *ctx, cairn_coded *data,
                                            const cairn_grow_options *options);

/* Grow a tree for the goals; with `steps` (may be NULL) its work is shown. */
CAIRN_CHECKED cairn_status cairn_goals_grow(cairn_context *ctx, cairn_tree_model *out,
                                            cairn_goals *goals, const cairn_view *view,
                                            const cairn_schema *schema, cairn_grow_options options,
                                            size_t bins, cairn_report *steps);

/* Judge parts by the planes that they would get (target_linear.c). Scratch that borrows the
 * view. */
CAIRN_CHECKED cairn_status cairn_goals_planes(cairn_context *ctx, cairn_goals *out,
                                              const cairn_view *view, bool drop);
void cairn_planes_take(cairn_coded *data, cairn_goals *goals);
void cairn_planes_add(double *cell, const cairn_coded *data, uint32_t row, double weight);
double cairn_planes_gain(const cairn_goals *goals, const double *cells, size_t n_parts,
                         double *total);
void cairn_planes_total(cairn_tree_node *node, bool *pure, const cairn_coded *data,
                        cairn_node_rows *rows, double *sums);
/* Rows from one cut that is tried to the next, in a node of n rows: 1 unless it takes long. */
size_t cairn_goals_stride(const cairn_coded *data, size_t n);

/* One class of one target: a cairn_partition_score that adds up its column of contributions,
 * sum_k (p_kl - p_k p_l)^2 / (p_k b_l^2), with shares of the node; `data` is this. */
typedef struct cairn_category {
    int32_t code;
    cairn_goal_scale kind;
} cairn_category;
double cairn_category_score(const double *cells, size_t n_parts, size_t n_classes,
                            const void *data);

/* -- showing (targets_show.c) -- */

/* What a leaf answers: "price 12.5, sold yes", or "like A100". */
void cairn_goals_add_answer(cairn_text *text, const cairn_tree_model *tree, size_t node,
                            const cairn_schema *schema);
/* Watches the growing and writes the work of every node, as cairn_tree_steps does. */
typedef struct cairn_goal_steps {
    cairn_report *report;
    const cairn_schema *schema;
    const cairn_grow_options *options;
    double *cells, *sums, *by, *weights;
    int32_t *filled, *branch;
    uint32_t *rows;
    size_t shown;
} cairn_goal_steps;
CAIRN_CHECKED cairn_status cairn_goal_steps_make(cairn_context *ctx, cairn_goal_steps *out,
                                                 cairn_report *report, const cairn_schema *schema,
                                                 const cairn_coded *data,
                                                 const cairn_grow_options *options);
bool cairn_goal_steps_node(void *data, const cairn_grow_event *event);
void cairn_goal_steps_end(cairn_goal_steps *steps, const cairn_tree_model *tree);
/* The table of leaves with the means and shares of all targets. */
void cairn_goals_show_leaves(cairn_report *out, const cairn_tree_model *tree,
                             const cairn_schema *schema);

/* -- predicting -- */

/* Columns of answers of n rows, from their vectors: a number, or the level of the largest share;
 * the target `but` is left out. With `shares`, also "p(target=level)". */
CAIRN_CHECKED cairn_status cairn_goals_outputs(cairn_context *ctx, cairn_table *out,
                                               const double *vectors, const cairn_schema *schema,
                                               const char *but, bool shares);
/* For a tree of several targets: let class, counts and mean of every node be those of the target
 * that is named. */
CAIRN_CHECKED cairn_status cairn_goals_answer(cairn_context *ctx, cairn_tree_model *tree,
                                              const cairn_schema *schema, const char *target);
/* After loading: whether the vectors have the length that the schema wants. */
CAIRN_CHECKED cairn_status cairn_goals_check(cairn_archive *archive, const cairn_tree_model *tree,
                                             const cairn_schema *schema);

#endif
