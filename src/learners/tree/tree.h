/* SPDX-License-Identifier: MIT */
/* Trees as learners: settings that all of them share, rows sent down a tree, codes that samples
 * share. */
#ifndef CAIRN_LEARNERS_TREE_TREE_H
#define CAIRN_LEARNERS_TREE_TREE_H

#include "learners/tree/show/tree_show.h"
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

/* Trees alone in the model file, and their history. */
CAIRN_CHECKED cairn_status cairn_tree_archive_model(cairn_archive *archive, void *model);
extern const cairn_history cairn_tree_histories;

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
