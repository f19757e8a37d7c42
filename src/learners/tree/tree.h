/* SPDX-License-Identifier: MIT */
/* The parts of the tree learner that show a tree and how it was grown. */
#ifndef CAIRN_LEARNERS_TREE_TREE_H
#define CAIRN_LEARNERS_TREE_TREE_H

#include "base/text.h"
#include "learners/tree/grow/grow.h"
#include "learners/tree/tree_leaves.h"
#include "model/learner.h"
#include "stats/smoothing.h"

/* Parameters of growing that all learners made of trees share; their defaults are each learner's
 * own. Use the rows in a table that is included as a group. */
typedef struct cairn_tree_settings {
    int impurity, score, split, cut, branches, missing_in_model, tie, class_tie;
    int max_depth, max_leaves;
    double min_rows, min_leaf, min_gain, min_variance, purity, cell_add;
} cairn_tree_settings;

/* The choices of `cut` that every learner made of trees has; `tree` has more. */
extern const cairn_choice cairn_tree_impurities[], cairn_tree_scores[], cairn_tree_splits[],
    cairn_tree_cuts[], cairn_tree_branches[], cairn_tree_missings[], cairn_tree_ties[],
    cairn_tree_class_ties[];

#define CAIRN_TREE_SETTINGS(IMPURITY, SPLIT, MISSING, TIE)                                         \
    CAIRN_TREE_SETTINGS_OF(IMPURITY, SPLIT, MISSING, TIE, cairn_tree_splits, cairn_tree_cuts,      \
                           cairn_tree_missings)
#define CAIRN_TREE_SETTINGS_OF(IMPURITY, SPLIT, MISSING, TIE, SPLITS, CUTS, MISSINGS)              \
    CAIRN_PARAM_CHOICE(cairn_tree_settings, impurity, IMPURITY, cairn_tree_impurities,             \
                       "how mixed the classes of a node are (numbers as target: the variance)",    \
                       .often = true),                                                             \
        CAIRN_PARAM_CHOICE(cairn_tree_settings, score, "reduction", cairn_tree_scores,             \
                           "what columns are compared by"),                                        \
        CAIRN_PARAM_CHOICE(cairn_tree_settings, split, SPLIT, SPLITS,                              \
                           "how a column of levels divides", .often = true),                       \
        CAIRN_PARAM_CHOICE(cairn_tree_settings, cut, "mid", CUTS, "form of the test of a number"), \
        CAIRN_PARAM_CHOICE(cairn_tree_settings, branches, "all", cairn_tree_branches,              \
                           "levels that get a branch"),                                            \
        CAIRN_PARAM_CHOICE(cairn_tree_settings, missing_in_model, MISSING, MISSINGS,               \
                           "where rows go whose cell is missing"),                                 \
        CAIRN_PARAM_CHOICE(cairn_tree_settings, tie, TIE, cairn_tree_ties,                         \
                           "which of equally good columns is taken"),                              \
        CAIRN_PARAM_CHOICE(cairn_tree_settings, class_tie, "first", cairn_tree_class_ties,         \
                           "which of equally frequent classes a node answers"),                    \
        CAIRN_PARAM(cairn_tree_settings, max_depth, "0", "[0,inf)",                                \
                    "greatest depth, the root being 0; 0 = no limit", .often = true),              \
        CAIRN_PARAM(cairn_tree_settings, max_leaves, "0", "[0,inf)",                               \
                    "most leaves, the best splits being made first; 0 = no limit", .often = true), \
        CAIRN_PARAM(cairn_tree_settings, min_rows, "0", "[0,inf)",                                 \
                    "a node with less weight is not split"),                                       \
        CAIRN_PARAM(cairn_tree_settings, min_leaf, "0", "[0,inf)",                                 \
                    "least weight of a branch that has rows; splits that make a smaller one do "   \
                    "not count",                                                                   \
                    .often = true),                                                                \
        CAIRN_PARAM(cairn_tree_settings, min_gain, "0", "[0,inf)",                                 \
                    "a node whose best split scores less is not split"),                           \
        CAIRN_PARAM(cairn_tree_settings, min_variance, "0", "[0,inf)",                             \
                    "a node whose target has a smaller variance (divisor n) is not split; "        \
                    "targets that are numbers"),                                                   \
        CAIRN_PARAM(cairn_tree_settings, purity, "1", "(0,1]",                                     \
                    "a node in which one class has this share is not split"),                      \
        CAIRN_PARAM(cairn_tree_settings, cell_add, "0", "[0,inf)",                                 \
                    "added to every count of parts and classes when splits are scored")

/* What the settings common to trees ask of the grower; `seed` draws columns and breaks ties. */
cairn_grow_options cairn_tree_options(const cairn_tree_settings *settings, uint64_t seed);
/* Settings that the task does not allow fail (CAIRN_USAGE). */
CAIRN_CHECKED cairn_status cairn_tree_check_task(cairn_context *ctx,
                                                 const cairn_tree_settings *settings,
                                                 const cairn_job *job);

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

/* The link that a table row follows at a node: a branch, or n_branches when the cell is missing. */
size_t cairn_tree_link(const cairn_tree_model *tree, const cairn_tree_node *node,
                       const cairn_column *column, size_t row);
/* The same with what the tree does about missing cells: a surrogate (*surrogate is its number from
 * 1, 0 = none was asked; may be NULL), or the usual branch. Under weights and branch as above. */
size_t cairn_tree_way(const cairn_tree_model *tree, const cairn_tree_node *node,
                      const cairn_column *const *features, size_t row, size_t *surrogate);
/* The tests that a row goes through, and the leaf where it ends. */
void cairn_tree_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);

/* What is wanted of rows besides a prediction; all may be empty. */
typedef struct cairn_tree_reading {
    cairn_smoothing smoothing;
    cairn_leaf_rule rule; /* how averaged shares become a class */
    int32_t positive;     /* and by cost: the class that counts ... */
    double label_cost;    /* ... so often; 0 = once */
    double *leaves;       /* per row: number of its leaf, from 1 */
    double *vectors;      /* rows x n_means, zeroed: means of the leaf, averaged where cells are
                             missing */
} cairn_tree_reading;
/* Send rows down the tree. */
CAIRN_CHECKED cairn_status cairn_tree_predict_rows(cairn_context *ctx, cairn_prediction *out,
                                                   const cairn_tree_model *tree,
                                                   const cairn_view *view,
                                                   cairn_tree_reading reading);
/* Columns "leaf" (its number) and "path" (its conditions). */
CAIRN_CHECKED cairn_status cairn_tree_add_outputs(cairn_context *ctx, cairn_table *out,
                                                  const cairn_tree_model *tree,
                                                  const double *leaves, const cairn_schema *schema);
/* After loading: whether the columns of the tree are the features. */
CAIRN_CHECKED cairn_status cairn_tree_check_columns(cairn_archive *archive,
                                                    const cairn_tree_model *tree,
                                                    const cairn_job *job);

/* The description: size, drawn tree, figure, use of columns, leaves. */
void cairn_tree_describe(cairn_report *out, const cairn_tree_model *tree,
                         const cairn_tree_account *account, const cairn_schema *schema);
/* Trees alone in the model file, and their account. */
CAIRN_CHECKED cairn_status cairn_tree_archive_model(cairn_archive *archive, void *model);
extern const cairn_account cairn_tree_accounts;

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

/* For samples of the rows of a view that get a tree each by cairn_model_fit_shared: the codes of
 * all rows, which the caller clears, also after a failure. Nothing where the settings are of
 * another learner, or of trees that cannot share them. */
CAIRN_CHECKED cairn_status cairn_tree_share(cairn_context *ctx, cairn_shared *out,
                                            const cairn_params *params, const cairn_view *view,
                                            size_t n_classes);

/* The side of every row that was coded, in the order of the rows, in a model of one cut and without
 * transforms that was fitted with these codes; *found is false where it is another model, or there
 * are not n coded rows. */
CAIRN_CHECKED cairn_status cairn_tree_sides(cairn_context *ctx, uint8_t *out, bool *found, size_t n,
                                            const cairn_shared *shared,
                                            const struct cairn_model *model);

#endif
