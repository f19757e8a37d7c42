/* SPDX-License-Identifier: MIT */
/* Trees in words, tables and figures, and how they were grown. */
#ifndef CAIRN_LEARNERS_TREE_TREE_SHOW_H
#define CAIRN_LEARNERS_TREE_TREE_SHOW_H

#include "base/text.h"
#include "learners/tree/grow/grow.h"
#include "model/learner.h"

/* Words about an impurity: the name in options and values, and how it is written in formulas. */
typedef struct cairn_impurity_words {
    const char *name;    /* "gini" */
    const char *symbol;  /* "Gini" */
    const char *formula; /* "Gini(S) = 1 − Σ p²" */
    const char *gain;    /* what a reduction of it is called */
} cairn_impurity_words;
const cairn_impurity_words *cairn_tree_impurity_words(cairn_impurity impurity);

/* Write branch b of a node, b = n_branches for missing cells: "sunny", "≤ 2.45" (in plain letters:
 * "<= 2.45"). With the column in front, always plain: "outlook=sunny", "petal_length<=2.45". */
void cairn_tree_add_branch(cairn_text *text, const cairn_tree_model *tree,
                           const cairn_tree_node *node, size_t branch, const cairn_schema *schema,
                           bool plain);
void cairn_tree_add_condition(cairn_text *text, const cairn_tree_model *tree,
                              const cairn_tree_node *node, size_t branch,
                              const cairn_schema *schema);
/* The sign of the test of a branch in plain letters: "=", "!=", "in", "<=", ">". */
const char *cairn_tree_sign(const cairn_tree_model *tree, const cairn_tree_node *node,
                            size_t branch);
/* The nodes below the root on the way to a node, each of which stands for the condition that leads
 * to it; of a path longer than CAIRN_LONG_PATH those are left out whose condition others of the
 * same column imply. *out is freed by the caller. */
enum { CAIRN_LONG_PATH = 50 };
CAIRN_CHECKED cairn_status cairn_tree_path(cairn_context *ctx, const cairn_tree_model *tree,
                                           size_t node, size_t **out, size_t *n);
/* These conditions, joined by `joint`; nothing for the root. Fails only when
 * memory runs out, which the text remembers. */
void cairn_tree_add_path(cairn_text *text, const cairn_tree_model *tree, size_t node,
                         const cairn_schema *schema, const char *joint);
/* The class or the number that a leaf predicts. */
/* A weight of rows for a picture: whole ones as they are, parts of rows with two decimals. */
void cairn_tree_add_weight(cairn_text *text, double weight);
void cairn_tree_add_label(cairn_text *text, const cairn_tree_model *tree,
                          const cairn_tree_node *node, const cairn_schema *schema);
/* The whole tree in one line: outlook(sunny: humidity(high: no, normal: yes), overcast: yes). */
void cairn_tree_add_nested(cairn_text *text, const cairn_tree_model *tree,
                           const cairn_schema *schema);
/* The branch of its parent that leads to a node; the root has none. */
size_t cairn_tree_branch_to(const cairn_tree_model *tree, size_t node);
/* Why a leaf is one, as a clause. */
const char *cairn_tree_reason(cairn_leaf_reason reason); /* with marks: cairn_say */

/* The tests that a row goes through, and the leaf where it ends. */
void cairn_tree_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);

/* In brief: the first levels, with counts of the positive class (-1 = of the commonest). False
 * where the tree is of a kind that has no such form: several targets, equations in its leaves. */
bool cairn_tree_glance(cairn_report *out, const cairn_tree_model *tree, const cairn_schema *schema,
                       int32_t positive);
/* The description: size, drawn tree, figure, use of columns, leaves. */
void cairn_tree_describe(cairn_report *out, const cairn_tree_model *tree,
                         const cairn_tree_history *history, const cairn_schema *schema,
                         int32_t positive);
/* Weights of training rows. */
typedef struct cairn_tree_errors {
    double total, rejected;
    double errors; /* among the rows that are answered */
    double above;  /* rejected rows that the node above the leaf would get wrong */
} cairn_tree_errors;
/* Sums over the leaves; showing writes the error, and what rejecting costs and spares. */
cairn_tree_errors cairn_tree_count_errors(const cairn_tree_model *tree);
void cairn_tree_show_error(cairn_report *out, const cairn_tree_model *tree);
/* "1.2 − 2.4·x"; with `all`, every term and all digits. */
void cairn_linear_leaf_add(cairn_text *out, const cairn_tree_model *tree,
                           const cairn_tree_node *node, const cairn_schema *schema, bool all);
/* The equations of all leaves; nothing for a tree without linear leaves. */
void cairn_tree_show_linear_leaves(cairn_report *out, const cairn_tree_model *tree,
                                   const cairn_schema *schema);
/* The terms of a linear model at one row. */
void cairn_linear_leaf_explain(cairn_report *out, const cairn_tree_model *tree,
                               const cairn_tree_node *node, const cairn_job *job, size_t row);

/* "tree" and "tree-regions" */
extern const cairn_model_figure cairn_tree_figures[];
/* "nodes", and "equations" of linear leaves */
extern const cairn_learned cairn_tree_tables[];

/* The tree in letters as it is after its first splits, depth first; nodes that wait for their split
 * are dots. */
void cairn_tree_draw_partial(cairn_report *out, const cairn_tree_model *tree,
                             const cairn_schema *schema, size_t n_splits);

/* The rectangles of its leaves as a figure "tree-regions"; NULL unless it tests one or two
 * columns. */
CAIRN_CHECKED cairn_status cairn_tree_draw_regions(cairn_context *ctx, cairn_figure **out,
                                                   const cairn_tree_model *tree,
                                                   const cairn_schema *schema);

/* Watches the growing and writes the work of every node: put it in cairn_grow_options. */
typedef struct cairn_tree_steps {
    cairn_report *report;
    const cairn_schema *schema;
    const cairn_grow_options *options;
    const cairn_table *table; /* whose rows are shown when the tree is guided; NULL = none */
    bool list_rows;           /* the rows of leaves are named */
    double *cells;
    double *variances, *known; /* of the parts, numbers as target */
    int32_t *branch;           /* of the rows, likewise */
    int32_t *filled;
    size_t shown;
} cairn_tree_steps;

/* A split as if it were the node's, so that its branches can be named by a copy of the tree. */
cairn_tree_node cairn_tree_as_node(cairn_tree_model *named, const cairn_grow_event *event,
                                   const cairn_split *split);
CAIRN_CHECKED cairn_status cairn_tree_steps_make(cairn_context *ctx, cairn_tree_steps *out,
                                                 cairn_report *report, const cairn_schema *schema,
                                                 const cairn_binned *data,
                                                 const cairn_grow_options *options);
bool cairn_tree_steps_node(void *data, const cairn_grow_event *event);
void cairn_tree_steps_end(cairn_tree_steps *steps, const cairn_tree_model *tree);

/* The forms of a tree for `cairn export`. */
extern const cairn_export_form cairn_tree_forms[];

#endif
