/* SPDX-License-Identifier: MIT */
/* Decision tree: ask one column at a time until the rows that are left agree.
 *
 * Fitting codes the columns (binned.c), then grows the tree from the root (tree_grow.c): the column
 * with the best split (split.c) divides the rows, and every part is treated in the same way, until
 * it is pure or a limit is reached. It goes on through splits without gain, since two columns may
 * separate together what neither separates alone. Without options a tree of few rows is grown to
 * purity, of more its leaves have a least size and it is pruned (limit_size).
 *
 * Predicting follows the branches. A missing cell goes down all branches with the shares of the
 * training rows, and the answer is the average of the leaves; other treatments are options.
 *
 * Choices: ties between columns go to the first, between classes to the one seen first at the node;
 * a branch without rows answers as the node above; a column of levels that was used with a branch
 * per level is not used again below; cuts are midpoints. All of them are options.
 *
 * Cost: fitting about O(rows x columns x depth), predicting O(depth) per row. */
#include "learners/tree/tree.h"
#include "learners/tree/tree_codes.h"
#include "model/model.h"
#include "learners/tree/targets/tree_targets.h"
#include "learners/tree/prune/prune.h"
#include "learners/tree/grow/stump.h"
#include "learners/tree/grow/tree_costs.h"
#include "learners/tree/tree_leaves.h"
#include "learners/tree/tree_lower.h"
#include "learners/tree/tree_plan.h"
#include "learners/tree/linear_leaves.h"
#include "data/item_columns.h"
#include "parallel/parallel.h"
#include "stats/smoothing.h"
#include <math.h>
#include <string.h>

enum { PREDICT_ROWS = 512, SIDE_BY_SIDE = 8 };

typedef struct tree_params {
    int preset, size;
    cairn_tree_settings grow;
    int q_rule;
    int select;
    double select_level, cut_share, min_drop, split_level;
    bool cut_penalty, above_average;
    int missing_gain, surrogates;
    cairn_cost_params costs;
    int engine, bins;
    cairn_prune_params pruning;
    cairn_smoothing_option smoothing;
    cairn_leaf_params leaves;
    cairn_linear_leaf_params linear;
    bool together;
    int target_scale;
    const char *target_category;
    const char *column_order;
    bool complete;
} tree_params;

enum { SPLIT_MULTIWAY, SPLIT_BINARY, SPLIT_SUBSET };
enum { BRANCHES_ALL, BRANCHES_PRESENT };

const cairn_choice cairn_tree_impurities[] = {
    {"entropy", CAIRN_ENTROPY, "−Σ p·log₂ p, in bits"},
    {"gini", CAIRN_GINI, "1 − Σ p²"},
    {"minority", CAIRN_MINORITY, "1 − max p: the share of errors"},
    {"sqrtgini", CAIRN_SQRT_GINI,
     "½·Σ √(p·(1 − p)); of two classes, repeating one does not change the choice"},
    {NULL, 0, NULL},
};
const cairn_choice cairn_tree_scores[] = {
    {"reduction", CAIRN_TREE_REDUCTION, "what the impurity falls by: information gain for entropy"},
    {"ratio", CAIRN_TREE_RATIO, "reduction divided by the split information: gain ratio"},
    {"chi", CAIRN_TREE_CHI, "chi-squared of parts and classes, divided by the rows"},
    {NULL, 0, NULL},
};
const cairn_choice cairn_tree_splits[] = {
    {"multiway", SPLIT_MULTIWAY, "one branch per level"},
    {"binary", SPLIT_BINARY, "one level against the rest"},
    {NULL, 0, NULL},
};
const cairn_choice cairn_tree_cuts[] = {
    {"mid", CAIRN_TREE_MID, "x ≤ midpoint of two neighbours"},
    {"lt", CAIRN_TREE_LT, "x < an observed value"},
    {"le", CAIRN_TREE_LE, "x ≤ an observed value"},
    {NULL, 0, NULL},
};
static const cairn_choice all_splits[] = {
    {"multiway", SPLIT_MULTIWAY, "one branch per level"},
    {"binary", SPLIT_BINARY, "one level against the rest"},
    {"subset", SPLIT_SUBSET,
     "some levels against the others: the best set of all for two classes, for numbers and for up "
     "to 10 levels at the node, else the best one that an order of the levels by the share of a "
     "class gives"},
    {NULL, 0, NULL},
};
static const cairn_choice all_missings[] = {
    {"weights", CAIRN_TREE_WEIGHTS, "down all branches, with their shares as weights"},
    {"branch", CAIRN_TREE_BRANCH, "a branch of their own"},
    {"mode", CAIRN_TREE_MODE, "the most frequent branch at the node"},
    {"class-mode", CAIRN_TREE_CLASS_MODE, "the most frequent branch among rows of the same class"},
    {"surrogate", CAIRN_TREE_SURROGATE,
     "where another column sends them whose test agrees most with that of the node"},
    {NULL, 0, NULL},
};
static const cairn_choice all_cuts[] = {
    {"mid", CAIRN_TREE_MID, "x ≤ midpoint of two neighbours"},
    {"lt", CAIRN_TREE_LT, "x < an observed value"},
    {"le", CAIRN_TREE_LE, "x ≤ an observed value"},
    {"observed", CAIRN_TREE_OBSERVED,
     "x ≤ the largest value of all rows of the tree that is not above the midpoint"},
    {"discriminant", CAIRN_TREE_DISCRIMINANT,
     "x ≤ where the normal curves of two groups of classes meet; with --split subset levels are "
     "ordered by their discriminant coordinate and cut likewise"},
    {NULL, 0, NULL},
};
const cairn_choice cairn_tree_branches[] = {
    {"all", BRANCHES_ALL, "every declared level (of more than 256: those that the rows have)"},
    {"present", BRANCHES_PRESENT, "levels that the rows of the node have"},
    {NULL, 0, NULL},
};
const cairn_choice cairn_tree_missings[] = {
    {"weights", CAIRN_TREE_WEIGHTS, "down all branches, with their shares as weights"},
    {"branch", CAIRN_TREE_BRANCH, "a branch of their own"},
    {"mode", CAIRN_TREE_MODE, "the most frequent branch at the node"},
    {"class-mode", CAIRN_TREE_CLASS_MODE, "the most frequent branch among rows of the same class"},
    {NULL, 0, NULL},
};
const cairn_choice cairn_tree_ties[] = {
    {"first", CAIRN_TREE_FIRST, "the first column"},
    {"last", CAIRN_TREE_LAST, "the last column"},
    {"random", CAIRN_TREE_RANDOM, "one drawn with --seed"},
    {NULL, 0, NULL},
};
const cairn_choice cairn_tree_class_ties[] = {
    {"first", CAIRN_TREE_FIRST, "the class whose first row at the node comes first"},
    {"parent", CAIRN_TREE_PARENT, "the class of the node above if it is among them, else first"},
    {"listed", CAIRN_TREE_LISTED, "the class that comes first in the list of classes"},
    {"random", CAIRN_TREE_RANDOM, "one drawn with --seed"},
    {NULL, 0, NULL},
};

/* -- presets: names of well-known programs and what they are made of here -- */

enum {
    PRESET_NONE,
    PRESET_FULL,
    PRESET_ID3,
    PRESET_C45,
    PRESET_C50,
    PRESET_CART,
    PRESET_CHAID,
    PRESET_CLATREE,
    PRESET_CLATREE_CHI,
    PRESET_CLATREE_GAIN,
    PRESET_QUEST,
    PRESET_RANKING,
    PRESET_RECIPE
};

enum { ENGINE_AUTO, ENGINE_EXACT, ENGINE_HISTOGRAM, MANY_ROWS = 1000000 };
static const cairn_choice engines[] = {
    {"auto", ENGINE_AUTO, "histogram from a million rows on, else exact"},
    {"exact", ENGINE_EXACT, "every place between two values is a possible cut"},
    {"histogram", ENGINE_HISTOGRAM, "numbers are put into bins first; cuts lie between bins"},
    {NULL, 0, NULL},
};

static const cairn_choice selects[] = {
    {"score", CAIRN_SELECT_SCORE, "the best --score of its best split"},
    {"test", CAIRN_SELECT_TEST,
     "the smallest p of a test against the classes (numbers: F test, levels: chi-squared; if none "
     "is significant, Levene's test of the spreads), before its split is looked at"},
    {NULL, 0, NULL},
};

static const cairn_choice missing_gains[] = {
    {"filled", CAIRN_GAIN_FILLED, "all rows, missing cells being treated first"},
    {"known", CAIRN_GAIN_KNOWN, "the rows whose cell is known"},
    {"discounted", CAIRN_GAIN_DISCOUNTED,
     "those rows, times their share; in the split information missing cells are one more part"},
    {NULL, 0, NULL},
};

enum { Q_ADMISSIBLE, Q_TWO, Q_LITERAL };
static const cairn_choice q_rules[] = {
    {"admissible", Q_ADMISSIBLE, "the best split whose branches are large enough is made"},
    {"two", Q_TWO, "the best split of which two branches are large enough is made"},
    {"literal", Q_LITERAL, "when the best split of all makes a smaller branch, none is made"},
    {NULL, 0, NULL},
};

/* A tree of so many rows (by weight) that is limited by nothing else gets such leaves. */
#define AUTO_ROWS 100
#define AUTO_LEAF 5
enum { SIZE_AUTO, SIZE_FULL };
static const cairn_choice sizes[] = {
    {"auto", SIZE_AUTO,
     "from 100 rows on leaves have 5 rows or more, and of classes splits are pruned that the "
     "pessimistic estimate does not want"},
    {"full", SIZE_FULL, "nothing: every leaf is pure, or cannot be split"},
    {NULL, 0, NULL},
};

static const cairn_setting id3_settings[] = {
    {"size", "full"},      {"impurity", "entropy"}, {"score", "reduction"},
    {"split", "multiway"}, {"branches", "all"},     {"prune", "none"},
    {NULL, NULL}};
/* What c4.5 sets, and c5.0 before its own; ends with a comma. */
#define C45_SETTINGS                                                                               \
    {"size", "full"}, {"impurity", "entropy"}, {"score", "ratio"}, {"above_average", "yes"},       \
        {"split", "multiway"}, {"cut", "observed"}, {"cut_penalty", "yes"},                        \
        {"min_gain", "0.000001"}, {"min_rows", "4"}, {"min_leaf", "2"}, {"q_rule", "two"},         \
        {"cut_share", "0.1"}, {"missing_in_model", "weights"}, {"missing_gain", "discounted"},     \
        {"class_tie", "listed"}, {"collapse", "yes"}, {"prune", "pessimistic"},                    \
        {"confidence", "0.25"}, {"raise", "yes"},
static const cairn_setting c45_settings[] = {C45_SETTINGS{NULL, NULL}};
static const cairn_setting c50_settings[] = {
    C45_SETTINGS{"global_prune", "yes"}, {"se", "1"}, {NULL, NULL}};
#undef C45_SETTINGS
static const cairn_setting cart_settings[] = {{"size", "full"},
                                              {"impurity", "gini"},
                                              {"score", "reduction"},
                                              {"split", "subset"},
                                              {"cut", "mid"},
                                              {"missing_in_model", "surrogate"},
                                              {"missing_gain", "discounted"},
                                              {"prune", "cost-complexity"},
                                              {"se", "1"},
                                              {NULL, NULL}};
static const cairn_setting chaid_settings[] = {{"size", "full"},      {"score", "chi"},
                                               {"split", "multiway"}, {"split_level", "0.05"},
                                               {"prune", "none"},     {NULL, NULL}};
static const cairn_setting clatree_settings[] = {
    {"size", "full"},      {"impurity", "gini"}, {"score", "reduction"},
    {"split", "binary"},   {"cut", "le"},        {"tie", "last"},
    {"min_rows", "10"},    {"purity", "0.8"},    {"min_gain", "0.03"},
    {"node_table", "yes"}, {NULL, NULL}};
static const cairn_setting clatree_chi_settings[] = {
    {"size", "full"},     {"impurity", "gini"},  {"score", "chi"},   {"split", "binary"},
    {"cut", "le"},        {"tie", "last"},       {"min_rows", "10"}, {"purity", "0.8"},
    {"min_gain", "0.08"}, {"node_table", "yes"}, {NULL, NULL}};
static const cairn_setting clatree_gain_settings[] = {{"size", "full"},
                                                      {"impurity", "entropy"},
                                                      {"score", "reduction"},
                                                      {"split", "binary"},
                                                      {"cut", "le"},
                                                      {"tie", "last"},
                                                      {"min_rows", "10"},
                                                      {"purity", "0.8"},
                                                      {"min_gain", "0.15"},
                                                      {"node_table", "yes"},
                                                      {NULL, NULL}};
static const cairn_setting quest_settings[] = {{"size", "full"},
                                               {"impurity", "gini"},
                                               {"select", "test"},
                                               {"select_level", "0.05"},
                                               {"split", "subset"},
                                               {"cut", "discriminant"},
                                               {"missing_in_model", "mode"},
                                               {"missing_gain", "known"},
                                               {"prune", "cost-complexity"},
                                               {"se", "1"},
                                               {NULL, NULL}};
static const cairn_setting ranking_settings[] = {{"size", "full"},       {"impurity", "sqrtgini"},
                                                 {"score", "reduction"}, {"prune", "none"},
                                                 {"smooth", "laplace"},  {NULL, NULL}};
static const cairn_setting recipe_settings[] = {{"size", "full"},        {"impurity", "sqrtgini"},
                                                {"score", "reduction"},  {"smooth", "laplace"},
                                                {"prune", "same-label"}, {NULL, NULL}};
static const cairn_setting full_settings[] = {{"size", "full"}, {NULL, NULL}};
static const cairn_choice preset_choices[] = {
    {"none", PRESET_NONE, "every option as it is given"},
    {"full", PRESET_FULL, "nothing is limited: every leaf is pure, or cannot be split"},
    {"id3", PRESET_ID3, "information gain, a branch per value, no pruning"},
    {"c4.5", PRESET_C45, "gain ratio, fractions for missing cells, pessimistic pruning"},
    {"c5.0", PRESET_C50,
     "c4.5, and then a global pass that keeps the smallest tree about as good on its rows"},
    {"cart", PRESET_CART,
     "two branches, Gini or squares, surrogates for missing cells, cost-complexity pruning"},
    {"chaid", PRESET_CHAID, "chi-squared as score and as test: splits must be significant"},
    {"clatree", PRESET_CLATREE, "two branches, stopping by size, purity and score"},
    {"clatree-chi", PRESET_CLATREE_CHI, "the same by chi-squared / n, from 0.08 on"},
    {"clatree-gain", PRESET_CLATREE_GAIN, "the same by information gain, from 0.15 on"},
    {"quest", PRESET_QUEST,
     "columns chosen by significance tests, none preferred for its many splits; cuts by "
     "discriminants, two branches, cost-complexity pruning"},
    {"ranking", PRESET_RANKING, "for good probabilities: a score that class ratios do not change"},
    {"recipe", PRESET_RECIPE,
     "ranking, and then the leaves are labelled for the costs of --label-cost and splits whose "
     "leaves have one label are taken back"},
    {NULL, 0, NULL},
};
static const cairn_setting *const preset_settings[] = {[PRESET_NONE] = NULL,
                                                       [PRESET_FULL] = full_settings,
                                                       [PRESET_ID3] = id3_settings,
                                                       [PRESET_C45] = c45_settings,
                                                       [PRESET_C50] = c50_settings,
                                                       [PRESET_CART] = cart_settings,
                                                       [PRESET_CHAID] = chaid_settings,
                                                       [PRESET_CLATREE] = clatree_settings,
                                                       [PRESET_CLATREE_CHI] = clatree_chi_settings,
                                                       [PRESET_CLATREE_GAIN] =
                                                           clatree_gain_settings,
                                                       [PRESET_QUEST] = quest_settings,
                                                       [PRESET_RANKING] = ranking_settings,
                                                       [PRESET_RECIPE] = recipe_settings};

static const cairn_param tree_grow_group[] = {
    CAIRN_TREE_SETTINGS_OF("entropy", "multiway", "weights", "first", all_splits, all_cuts,
                           all_missings),
    CAIRN_PARAM_END,
};

static const cairn_param tree_param_table[] = {
    {.name = "preset",
     .often = true,
     .type = CAIRN_TYPE_CHOICE,
     .offset = offsetof(tree_params, preset),
     .initial = "none",
     .choices = preset_choices,
     .presets = preset_settings,
     .help = "a well-known way of growing; an option that is given by itself counts more"},
    CAIRN_PARAM_CHOICE(tree_params, size, "auto", sizes,
                       "what limits the tree when no other option does", .often = true),
    CAIRN_PARAM_GROUP(tree_params, grow, tree_grow_group),
    CAIRN_PARAM_CHOICE(tree_params, q_rule, "admissible", q_rules,
                       "what --min-leaf does to the split of a node"),
    CAIRN_PARAM_CHOICE(tree_params, select, "score", selects, "what the column is chosen by"),
    CAIRN_PARAM(tree_params, select_level, "0.05", "(0,1)",
                "level of significance, divided by the number of tests", .when = "select=test"),
    CAIRN_PARAM(tree_params, cut_share, "0", "[0,1]",
                "a cut leaves at least this share of the rows, divided by the number of classes, "
                "on either side; more than 25 rows are not asked for"),
    CAIRN_PARAM(tree_params, cut_penalty, "no", NULL,
                "the gain of a number column is lowered by log₂(cuts tried) / rows"),
    CAIRN_PARAM(tree_params, above_average, "no", NULL,
                "only columns whose gain is at least the average of all columns compete"),
    CAIRN_PARAM_CHOICE(tree_params, missing_gain, "filled", missing_gains,
                       "rows that the gain of a column with missing cells is computed from"),
    CAIRN_PARAM(tree_params, surrogates, "5", "[0,255]",
                "most tests of a node that stand in for it", .when = "missing_in_model=surrogate"),
    CAIRN_PARAM_GROUP(tree_params, costs, cairn_cost_group),
    CAIRN_PARAM(tree_params, min_drop, "0", "[0,inf)",
                "a split that lowers the sum of squares (classes: impurity times rows) by less is "
                "not made"),
    CAIRN_PARAM(tree_params, split_level, "0", "[0,1)",
                "a split that is not significant at this level (chi-squared test; numbers as "
                "target: F test) is not made; 0 = no test"),
    CAIRN_PARAM_CHOICE(tree_params, engine, "auto", engines, "how cuts of numbers are searched"),
    CAIRN_PARAM(tree_params, bins, "255", "[2,65535]",
                "most bins of a column; one with fewer values is taken as it is",
                .when = "engine=auto|histogram"),
    CAIRN_PARAM_GROUP(tree_params, pruning, cairn_prune_group),
    CAIRN_PARAM_GROUP(tree_params, smoothing, cairn_smoothing_group),
    CAIRN_PARAM_GROUP(tree_params, leaves, cairn_leaf_group),
    CAIRN_PARAM_GROUP(tree_params, linear, cairn_linear_leaf_group),
    CAIRN_PARAM(tree_params, together, "no", NULL,
                "several targets: one tree for all of them, which adds up their scores, instead of "
                "one for each",
                .often = true),
    CAIRN_PARAM_CHOICE(tree_params, target_scale, "impurity", cairn_target_scales,
                       "how targets of one tree, or the category, are made comparable",
                       .when = "together or target_category"),
    CAIRN_PARAM(tree_params, target_category, NULL, NULL,
                "only this class counts: splits are scored by what they tell about it"),
    CAIRN_PARAM_AS(tree_params, column_order, CAIRN_TYPE_COLUMNS, NULL,
                   "guided growing: the column that is asked at each depth, the root's first"),
    CAIRN_PARAM(
        tree_params, complete, "no", NULL,
        "nodes whose rows agree are split as well, so that every combination of values has a leaf",
        .when = "column_order"),
    CAIRN_PARAM_END,
};

static cairn_status check_params(cairn_context *ctx, const void *values)
{
    const tree_params *p = values;
    cairn_smoothing smoothing;
    return cairn_smoothing_read(ctx, &smoothing, p->smoothing.smooth);
}

/* -- fit -- */

cairn_grow_options cairn_tree_options(const cairn_tree_settings *p, uint64_t seed)
{
    return (cairn_grow_options){
        .impurity = (cairn_impurity)p->impurity,
        .score = (cairn_tree_score)p->score,
        .binary_levels = p->split == SPLIT_BINARY,
        .subsets = p->split == SPLIT_SUBSET,
        .only_present = p->branches == BRANCHES_PRESENT,
        .cut = (cairn_tree_cut)p->cut,
        .missing = (cairn_tree_missing)p->missing_in_model,
        .tie = (cairn_tree_tie)p->tie,
        .class_tie = (cairn_tree_tie)p->class_tie,
        .cell_add = p->cell_add,
        .max_depth = p->max_depth,
        .max_leaves = p->max_leaves,
        .min_rows = p->min_rows,
        .min_leaf = p->min_leaf,
        .min_gain = p->min_gain,
        .min_variance = p->min_variance,
        .purity = p->purity,
        .seed = seed,
    };
}

cairn_status cairn_tree_check_task(cairn_context *ctx, const cairn_tree_settings *p,
                                   const cairn_job *job)
{
    if (job->task == CAIRN_REGRESS && p->missing_in_model == CAIRN_TREE_CLASS_MODE)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{missing-in-model class-mode} needs classes, and '%s' is a number; use "
                          "mode or weights",
                          job->view->target_name);
    if (job->task == CAIRN_CLASSIFY && p->min_variance > 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{min-variance} is about numbers, and '%s' has classes; use {purity}",
                          job->view->target_name);
    return CAIRN_OK;
}

/* Codes, entries of open nodes and the working memory of every thread. */
static cairn_status check_memory(cairn_context *ctx, const cairn_view *view)
{
    double per_row = 2 * (double)view->n_features + 60 + 100 * (double)cairn_workers(ctx);
    return cairn_memory_check(
        ctx, per_row * (double)view->rows.n, "growing the tree",
        cairn_say(ctx, "raise {memory}, or use fewer rows, columns or {threads}"));
}

/* Whether every row has another level in this column. */
static cairn_status is_name(cairn_context *ctx, const cairn_binned *data,
                            const cairn_column *levels, bool *out)
{
    uint8_t *seen;
    *out = false;
    CHECK(SCRATCH(ctx, &seen, levels->names.n + 1));
    for (size_t i = 0; i < data->n_rows; i++) {
        int32_t code = levels->codes[data->table_rows[i]];
        if (code < 0 || seen[code]++) return CAIRN_OK;
    }
    *out = true;
    return CAIRN_OK;
}

/* A column with another level in every row wins by gain and says nothing about other rows. Where it
 * is pruned away, nothing of the other columns is left either. */
static cairn_status warn_of_names(cairn_context *ctx, const cairn_tree_model *tree,
                                  const cairn_binned *data, const cairn_job *job)
{
    for (size_t c = 0; c < data->n_columns && data->n_rows >= 4 && data->table_rows; c++) {
        const char *name = job->view->names[c];
        bool found;
        if (data->columns[c].is_number || data->columns[c].n_codes < data->n_rows) continue;
        CHECK(is_name(ctx, data, job->view->features[c], &found));
        if (!found) continue;
        cairn_warn(ctx,
                   "column '%s' has another level in every row, so %s only learn%s names; leave it "
                   "out with {id %s}",
                   name, tree->nodes[0].column == (int32_t)c ? "the tree" : "tests of it",
                   tree->nodes[0].column == (int32_t)c ? "s" : "", name);
        break;
    }
    return CAIRN_OK;
}

/* Bins for the histogram engine, 0 for the exact one; a given tree names cuts of its own. */
static size_t bins_of(const tree_params *p, const cairn_view *view,
                      const cairn_grow_options *options)
{
    bool many = p->engine == ENGINE_AUTO && view->rows.n >= MANY_ROWS;
    return (many || p->engine == ENGINE_HISTOGRAM) && !options->plan ? (size_t)p->bins : 0;
}

/* Tests and discriminants compare classes. */
static cairn_status check_tests(cairn_context *ctx, const tree_params *p, const cairn_job *job)
{
    if (job->task == CAIRN_CLASSIFY) return CAIRN_OK;
    bool of_classes = p->select == CAIRN_SELECT_TEST || p->pruning.collapse ||
                      p->pruning.prune == CAIRN_PRUNE_PESSIMISTIC;
    if (of_classes &&
        (p->preset == PRESET_C45 || p->preset == PRESET_C50 || p->preset == PRESET_QUEST))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{preset %s} is for classes, and '%s' is a number; use {preset cart}",
                          preset_choices[p->preset].name, job->view->target_name);
    if (p->select == CAIRN_SELECT_TEST)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{select test} compares classes, and '%s' is a number; use {select "
                          "score}, perhaps with {split-level 0.05}",
                          job->view->target_name);
    if (p->grow.cut == CAIRN_TREE_DISCRIMINANT)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{cut discriminant} separates classes, and '%s' is a number; use {cut "
                          "mid}",
                          job->view->target_name);
    return CAIRN_OK;
}

/* Whether splits are scored by what linear models leave. */
static bool by_residuals(const tree_params *p)
{
    return p->linear.leaf == CAIRN_LEAF_LINEAR && p->linear.leaf_search == CAIRN_SEARCH_RESIDUALS;
}

static cairn_status check_residuals(cairn_context *ctx, const tree_params *p)
{
    if (p->pruning.prune != CAIRN_PRUNE_NONE)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "{prune} compares means of nodes, and {leaf-search residuals} compares "
            "linear models; use {min-drop}, {split-level}, {min-leaf} or {max-leaves}");
    if (p->grow.cell_add > 0)
        return cairn_fail(ctx, CAIRN_USAGE, "{cell-add} is about counts of classes; leave it out");
    return CAIRN_OK;
}

/* Say why a tree has fewer leaves than it may have: splits with a branch per level are made whole
 * or not at all. */
static void warn_of_wide_splits(cairn_context *ctx, const cairn_tree_model *tree,
                                const cairn_grow_options *options)
{
    size_t leaves = cairn_tree_leaves(tree), wide = 0;
    if (options->max_leaves <= 0 || leaves >= (size_t)options->max_leaves) return;
    for (size_t i = 0; i < tree->n_nodes; i++)
        wide += tree->nodes[i].column < 0 && tree->nodes[i].reason == CAIRN_LEAF_MAX_LEAVES;
    if (wide)
        cairn_warn(ctx,
                   "the tree has %zu leaves and may have %lld: the next splits have more branches "
                   "than that leaves room for; {split binary} divides in two",
                   leaves, (long long)options->max_leaves);
}

/* Whether an option, or what was written by hand, limits the tree. */
static bool is_limited(const tree_params *p, const cairn_grow_options *o)
{
    return o->min_leaf > 0 || o->min_rows > 0 || o->min_gain > 0 || o->min_variance > 0 ||
           o->purity < 1 || o->max_depth > 0 || o->max_leaves > 0 || o->min_drop > 0 ||
           o->split_level > 0 || o->stop_leaf > 0 || o->cut_share > 0 || o->plan || o->order ||
           p->pruning.prune != CAIRN_PRUNE_NONE || p->pruning.collapse || p->pruning.global_prune;
}

/* The tree that a person would use where nothing else is asked for: few rows are a board's example
 * and are shown whole, of many the last splits are noise. */
static void limit_size(cairn_grow_options *options, cairn_prune_params *pruning,
                       const cairn_job *job)
{
    const tree_params *p = job->params;
    double weight = 0;
    if (p->size != SIZE_AUTO || is_limited(p, options)) return;
    for (size_t i = 0; i < job->view->rows.n; i++) weight += cairn_view_weight(job->view, i);
    if (weight < AUTO_ROWS) return;
    options->min_leaf = AUTO_LEAF;
    if (job->task == CAIRN_CLASSIFY) pruning->prune = CAIRN_PRUNE_PESSIMISTIC;
}

/* A tree of one test is found from sums where that is possible. */
static cairn_status grow_nodes(cairn_context *ctx, cairn_tree_model *model,
                               const cairn_binned *data, const cairn_grow_options *options)
{
    bool done = false;
    if (cairn_stump_fits(data, options)) CHECK(cairn_stump_grow(ctx, model, data, options, &done));
    return done ? CAIRN_OK : cairn_tree_grow(ctx, model, data, options);
}

/* Options are checked against the task before any work; rows for pruning are divided off first,
 * and linear leaves are fitted last, on the shape that stays. */
static cairn_status grow(cairn_context *ctx, cairn_tree_model *model, const cairn_job *job,
                         cairn_grow_options options)
{
    const tree_params *p = job->params;
    cairn_prune_params prune_params = p->pruning;
    SCOPED(cairn_binned_clear) cairn_binned own = {0};
    cairn_binned shared = {0}, *data = &own;
    bool taken = false;
    cairn_tree_targets targets = {0};
    cairn_tree_steps steps;
    cairn_pruning pruning = {.ctx = ctx,
                             .params = &prune_params,
                             .job = job,
                             .growth = &options,
                             .data = data,
                             .tree = model,
                             .history = job->history,
                             .steps = job->steps};
    CHECK(cairn_tree_check_task(ctx, &p->grow, job));
    CHECK(check_tests(ctx, p, job));
    CHECK(cairn_tree_read_costs(ctx, &options, &p->costs, job));
    CHECK(cairn_leaf_check_task(ctx, &p->leaves, job));
    CHECK(cairn_linear_leaf_check_task(ctx, &p->linear, job));
    CHECK(check_memory(ctx, job->view));
    limit_size(&options, &prune_params, job);
    CHECK(cairn_prune_divide(&pruning));
    if (by_residuals(p)) {
        CHECK(check_residuals(ctx, p));
        CHECK(cairn_linear_target_make(ctx, &targets, &pruning.kept,
                                       p->linear.singular == CAIRN_SINGULAR_DROP));
        CHECK(cairn_binned_make_targets(ctx, data, &pruning.kept, &targets,
                                        bins_of(p, &pruning.kept, &options)));
    } else if (!job->steps) {
        CHECK(cairn_tree_codes_take(ctx, &shared, &taken, job->shared, &pruning.kept));
        if (taken) pruning.data = data = &shared;
    }
    if (!by_residuals(p) && !taken)
        CHECK(cairn_binned_make_bins(ctx, data, &pruning.kept,
                                     job->task == CAIRN_CLASSIFY ? job->n_classes : 0,
                                     bins_of(p, &pruning.kept, &options)));
    if (job->steps) {
        CHECK(cairn_tree_steps_make(ctx, &steps, job->steps, job->schema, data, &options));
        steps.table = job->view->table;
        steps.list_rows = p->leaves.node_table;
        options.watch = cairn_tree_steps_node;
        options.watch_data = &steps;
    }
    CHECK(grow_nodes(ctx, model, data, &options));
    if (job->history) ((cairn_tree_history *)job->history)->bins = cairn_binned_most(data);
    warn_of_wide_splits(ctx, model, &options);
    if (job->steps) cairn_tree_steps_end(&steps, model);
    if (p->pruning.prune == CAIRN_PRUNE_SAME_LABEL)
        CHECK(cairn_tree_label_leaves(ctx, model, &p->leaves, job->positive));
    CHECK(cairn_prune_tree(&pruning));
    CHECK(cairn_tree_finish_leaves(ctx, model, &p->leaves, job->positive));
    CHECK(cairn_tree_fit_linear_leaves(ctx, model, &p->linear, &pruning.kept, job->schema,
                                       job->steps));
    return warn_of_names(ctx, model, data, job);
}

/* -- one tree for several targets -- */

/* What has a meaning for one target only. */
static cairn_status check_together(cairn_context *ctx, const tree_params *p,
                                   const cairn_grow_options *options)
{
    const struct {
        bool given;
        const char *option, *remedy;
    } alone[] = {
        {options->plan, "{given}", "leave it out"},
        {p->pruning.prune != CAIRN_PRUNE_NONE, "{prune}", "use {min-leaf} or {max-leaves}"},
        {p->linear.leaf != CAIRN_LEAF_CONSTANT, "{leaf linear}", "leave it out"},
        {p->leaves.leaf_label != CAIRN_LEAF_BY_MAJORITY, "{leaf-label}", "leave it out"},
        {p->leaves.label_cost != 1, "{label-cost}", "leave it out"},
        {p->leaves.reject_below > 0, "{reject-below}", "use {min-leaf}"},
        {p->leaves.node_table, "{node-table}", "leave it out"},
        {p->grow.score == CAIRN_TREE_CHI, "{score chi}", "use {target-scale spread}"},
        {p->grow.cell_add > 0, "{cell-add}", "leave it out"},
        {p->grow.missing_in_model == CAIRN_TREE_CLASS_MODE, "{missing-in-model class-mode}",
         "use mode or weights"},
        {p->split_level > 0, "{split-level}", "use {min-gain} or {min-leaf}"},
        {p->select == CAIRN_SELECT_TEST, "{select test}", "use {select score}"},
        {p->grow.cut == CAIRN_TREE_DISCRIMINANT, "{cut discriminant}", "use {cut mid}"},
        {p->pruning.collapse, "{collapse}", "use {min-leaf} or {max-leaves}"},
        {p->pruning.global_prune, "{global-prune}", "use {min-leaf} or {max-leaves}"},
    };
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (alone[i].given)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "%s is about one target, and {together} makes one tree for several; "
                              "%s",
                              cairn_say(ctx, alone[i].option), cairn_say(ctx, alone[i].remedy));
    return CAIRN_OK;
}

static cairn_status grow_together(cairn_context *ctx, cairn_tree_model *model, const cairn_job *job,
                                  cairn_grow_options *options)
{
    const tree_params *p = job->params;
    cairn_tree_targets targets = {.kind = (cairn_target_scale)p->target_scale,
                                  .impurity = (cairn_impurity)p->grow.impurity,
                                  .category = p->target_category};
    CHECK(check_together(ctx, p, options));
    CHECK(cairn_tree_read_costs(ctx, options, &p->costs, job));
    CHECK(check_memory(ctx, job->view));
    CHECK(cairn_tree_targets_make(ctx, &targets, job->view, job->schema));
    for (size_t t = 0; t < targets.n_targets; t++)
        if (strcmp(targets.list[t].name, job->view->target_name) == 0)
            targets.answer = (ptrdiff_t)t;
    CHECK(cairn_tree_targets_grow(ctx, model, job->history, &targets, job->view, job->schema,
                                  *options, bins_of(p, job->view, options), job->steps));
    return cairn_tree_targets_answer(ctx, model, job->schema, job->view->target_name);
}

static bool is_for_several(const cairn_job *job)
{
    const tree_params *p = job->params;
    return p->together && cairn_table_role_count(job->view->table, CAIRN_TARGET) > 1;
}

/* Only what the tree has beyond the options common to trees and forests; the literal q-rule
 * counts rows to stop but lets a split make smaller parts. */
static cairn_grow_options options_of(const cairn_context *ctx, const cairn_job *job)
{
    const tree_params *p = job->params;
    cairn_grow_options options = cairn_tree_options(&p->grow, cairn_context_seed(ctx));
    options.min_drop = p->min_drop;
    options.split_level = p->split_level;
    options.cut_share = p->cut_share;
    options.cut_penalty = p->cut_penalty;
    options.above_average = p->above_average;
    options.missing_gain = (cairn_missing_gain)p->missing_gain;
    options.select = (cairn_tree_select)p->select;
    options.select_level = p->select_level;
    options.two_branches = p->q_rule == Q_TWO;
    options.surrogates = p->surrogates;
    options.keeps_digits = true;
    if (p->linear.leaf == CAIRN_LEAF_LINEAR)
        options.min_leaf = fmax(options.min_leaf, p->linear.leaf_rows);
    if (p->q_rule == Q_LITERAL) {
        options.stop_leaf = options.min_leaf;
        options.min_leaf = 0;
    }
    return options;
}

/* --column-order: columns by their depths. */
static cairn_status choose_order(cairn_context *ctx, const cairn_job *job,
                                 cairn_grow_options *options)
{
    const tree_params *p = job->params;
    const cairn_view *view = job->view;
    char **names;
    int32_t *order;
    size_t n;
    if (!p->column_order) return CAIRN_OK;
    CHECK(cairn_list_split(ctx, p->column_order, &names, &n));
    CHECK(SCRATCH(ctx, &order, n + 1));
    for (size_t i = 0; i < n; i++) {
        size_t c = 0;
        while (c < view->n_features && strcmp(view->names[c], names[i]) != 0) c++;
        if (c == view->n_features)
            CHECK(
                cairn_fail(ctx, CAIRN_USAGE, "{column-order}: there is no feature '%s'", names[i]));
        order[i] = (int32_t)c;
    }
    options->order = order;
    options->n_order = n;
    options->complete = p->complete;
    return CAIRN_OK;
}

/* --target-category: only this class counts. */
static cairn_status choose_category(cairn_context *ctx, const cairn_job *job,
                                    cairn_grow_options *options, cairn_category *out)
{
    const tree_params *p = job->params;
    const char *name = p->target_category;
    if (!name) return CAIRN_OK;
    int64_t code = job->task == CAIRN_CLASSIFY
                       ? cairn_map_find(&job->view->target->names, name, strlen(name))
                       : -1;
    if (code < 0)
        return cairn_fail(ctx, CAIRN_USAGE, "{target-category}: '%s' has no level '%s'",
                          job->view->target_name, name);
    *out = (cairn_category){(int32_t)code, (cairn_target_scale)p->target_scale};
    options->own_score = cairn_category_score;
    options->data = out;
    options->only_class = (int32_t)code + 1;
    return CAIRN_OK;
}

static cairn_status tree_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_grow_options options = options_of(ctx, job);
    cairn_category category;
    CHECK(choose_order(ctx, job, &options));
    if (is_for_several(job)) return grow_together(ctx, model, job, &options);
    CHECK(choose_category(ctx, job, &options, &category));
    return grow(ctx, model, job, options);
}

/* Rows that stop at a given node because their level has no branch, by the link it would have. */
static cairn_status count_stopped(cairn_context *ctx, size_t **out, const cairn_tree_model *tree,
                                  const cairn_view *view)
{
    CHECK(SCRATCH(ctx, out, tree->n_links));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        for (int32_t at = 0; at >= 0 && tree->nodes[at].column >= 0;) {
            const cairn_tree_node *node = &tree->nodes[at];
            size_t link = cairn_tree_link(tree, node, view->features[node->column], row);
            at = tree->links[node->links + link];
            if (at < 0 && link < (size_t)node->n_branches) (*out)[node->links + link]++;
        }
    }
    return CAIRN_OK;
}

/* A tree that was written by hand: its counts come from the rows, and where it says so it is grown
 * on. */
static cairn_status tree_read(cairn_context *ctx, void *model, const cairn_job *job,
                              const cairn_given *given)
{
    cairn_grow_options options = options_of(ctx, job);
    cairn_category category;
    cairn_tree_plan plan = {0};
    bool missing_branch = false;
    CHECK(choose_category(ctx, job, &options, &category));
    CHECK(cairn_plan_read(ctx, &plan, given, job, &options.cut, &missing_branch));
    if (missing_branch) options.missing = CAIRN_TREE_BRANCH;
    options.plan = &plan;
    options.keeps_digits = false; /* cuts are shown as they were written */
    if (is_for_several(job)) CHECK(check_together(ctx, job->params, &options));
    CHECK(grow(ctx, model, job, options));
    /* A level that was forgotten is easily taken for one that no row has. */
    const cairn_tree_model *tree = model;
    enum { REPORTED = 5 };
    SCOPED(cairn_text_clear) cairn_text where = cairn_text_start(ctx);
    size_t *counts, reported = 0;
    CHECK(count_stopped(ctx, &counts, tree, job->view));
    for (size_t i = 0; i < tree->n_nodes && reported < REPORTED; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        for (size_t b = 0; node->column >= 0 && b < (size_t)node->n_branches; b++) {
            size_t n = counts[node->links + b];
            if (n == 0 || reported++ >= REPORTED) continue;
            where.length = 0;
            if (i) cairn_text_add(&where, " below ");
            cairn_tree_add_path(&where, tree, i, job->schema, " & ");
            if (i) cairn_text_add(&where, ",");
            cairn_text_add(&where, " ");
            cairn_tree_add_condition(&where, tree, node, b, job->schema);
            CHECK(cairn_text_status(&where));
            cairn_warn(ctx,
                       "the given tree:%s has no branch: %zu row%s treated as if the cell were "
                       "missing",
                       cairn_text_string(&where), n, n == 1 ? " is" : "s are");
        }
    }
    return CAIRN_OK;
}

/* -- predict -- */

typedef struct pending {
    int32_t node;
    double share;
} pending;

/* What a walk reads of a node with a cut; the branch below the cut is the node that follows. */
typedef struct quick_node {
    double cut;     /* x ≤ cut goes to the next node */
    int32_t column; /* -1 = a leaf, or a test of another kind */
    int32_t right;
} quick_node;

typedef struct prediction_run {
    const cairn_tree_model *tree;
    quick_node *quick;      /* n_nodes */
    const double **numbers; /* n_columns: values of number columns */
    const cairn_view *view;
    cairn_prediction *out;
    double *leaves;   /* per row: number of the leaf; NULL = not wanted */
    double *vectors;  /* per row: means of several targets; NULL = not wanted */
    pending **stacks; /* per worker: n_nodes */
    double **sums;    /* per worker: n_classes */
    cairn_smoothing smoothing;
    cairn_leaf_rule rule; /* how averaged shares become a class */
    double *prior;        /* n_classes: shares at the root */
    int32_t costly;       /* majority: this class counts ... */
    double label_cost;    /* ... so often; -1 = none does */
} prediction_run;

/* Follow the branches from `at` as far as one branch is certain. */
static int32_t walk(const prediction_run *run, int32_t at, size_t row)
{
    const cairn_tree_model *tree = run->tree;
    for (;;) {
        const cairn_tree_node *node = &tree->nodes[at];
        if (node->column < 0) return at;
        size_t link = cairn_tree_way(tree, node, run->view->features, row, NULL);
        int32_t child = tree->links[node->links + link];
        if (child < 0) return at;
        at = child;
    }
}

/* Follow cuts for some rows at once, so that waiting for the memory of one is work for the others.
 * A row stops at a leaf, at a test of levels and at a missing cell. */
static void walk_cuts(const prediction_run *run, const size_t *rows, int32_t *at, size_t n)
{
    uint32_t moving = ((uint32_t)1 << n) - 1;
    for (size_t j = 0; j < n; j++) at[j] = 0;
    while (moving) {
        for (size_t j = 0; j < n; j++) {
            const quick_node *node = &run->quick[at[j]];
            double x = node->column < 0 ? NAN : run->numbers[node->column][rows[j]];
            if (isnan(x))
                moving &= ~((uint32_t)1 << j);
            else
                at[j] = x <= node->cut ? at[j] + 1 : node->right;
        }
    }
}

static cairn_status make_quick(cairn_context *ctx, prediction_run *run)
{
    const cairn_tree_model *tree = run->tree;
    CHECK(SCRATCH(ctx, &run->numbers, tree->n_columns));
    for (size_t c = 0; c < tree->n_columns; c++) run->numbers[c] = run->view->features[c]->numbers;
    CHECK(SCRATCH_RAW(ctx, &run->quick, tree->n_nodes));
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        run->quick[i] = (quick_node){.column = -1};
        if (node->test != CAIRN_TEST_CUT || tree->links[node->links] != (int32_t)i + 1 ||
            tree->links[node->links + 1] < 0 || !run->numbers[node->column])
            continue;
        bool below = tree->cut_form == CAIRN_TREE_LT;
        run->quick[i] = (quick_node){below ? nextafter(node->cut, -INFINITY) : node->cut,
                                     node->column, tree->links[node->links + 1]};
    }
    return CAIRN_OK;
}

/* Add a leaf's probabilities, times a share. Only counts that are not 0 are kept with a node; a
 * smoothed estimate gives the other classes their part first. */
static void add_leaf(double *sums, const prediction_run *run, int32_t leaf, double share)
{
    const cairn_tree_model *tree = run->tree;
    /* A branch without rows, or with too few, has the class shares of the node above. */
    const cairn_tree_node *node = &tree->nodes[leaf];
    if (node->reason == CAIRN_LEAF_SENT_UP && node->column < 0) node = &tree->nodes[node->parent];
    while (node->n_counts == 0 && node->parent >= 0) node = &tree->nodes[node->parent];
    size_t k = tree->n_classes;
    double total = 0, nothing = 0;
    for (size_t j = 0; j < node->n_counts; j++) total += tree->weights[node->counts + j];
    if (run->smoothing.kind != CAIRN_SMOOTH_NONE) {
        nothing = cairn_smoothed(run->smoothing, 0, total, k, NULL, 0);
        for (size_t l = 0; l < k; l++) sums[l] += share * nothing;
    }
    for (size_t j = 0; j < node->n_counts; j++) {
        double weight = tree->weights[node->counts + j];
        double p = run->smoothing.kind == CAIRN_SMOOTH_NONE
                       ? weight / total
                       : cairn_smoothed(run->smoothing, weight, total, k, NULL, 0) - nothing;
        sums[tree->classes[node->counts + j]] += share * p;
    }
}

/* Put the children of a node on the stack, with their parts of the share. */
static size_t push_children(const cairn_tree_model *tree, pending *stack, size_t n, pending from)
{
    const cairn_tree_node *node = &tree->nodes[from.node];
    double total = 0;
    for (size_t b = 0; b < (size_t)node->n_branches; b++) {
        int32_t child = tree->links[node->links + b];
        if (child >= 0) total += tree->nodes[child].weight;
    }
    for (size_t b = (size_t)node->n_branches; b-- > 0;) {
        int32_t child = tree->links[node->links + b];
        if (child < 0 || !(tree->nodes[child].weight > 0)) continue;
        stack[n++] = (pending){child, from.share * tree->nodes[child].weight / total};
    }
    return n;
}

/* Add the means of a leaf to those of row i, times a share. */
static void add_vector(const prediction_run *run, size_t i, int32_t leaf, double share)
{
    size_t k = run->tree->n_means;
    for (size_t g = 0; run->vectors && g < k; g++)
        run->vectors[i * k + g] += share * run->tree->means[(size_t)leaf * k + g];
}

/* Average the leaves that a row with missing cells reaches. Returns the one of the largest
 * share. */
static int32_t average(const prediction_run *run, size_t i, int worker, double *sums, double *mean)
{
    size_t row = cairn_view_row(run->view, i);
    pending *stack = run->stacks[worker];
    size_t n = 0;
    pending best = {0, -1}; /* shares may all round to 0 */
    stack[n++] = (pending){0, 1};
    while (n > 0) {
        pending at = stack[--n];
        at.node = walk(run, at.node, row);
        if (run->tree->nodes[at.node].column >= 0) {
            size_t before = n;
            n = push_children(run->tree, stack, n, at);
            if (n > before) continue;
        }
        if (sums) add_leaf(sums, run, at.node, at.share);
        add_vector(run, i, at.node, at.share);
        *mean += at.share * cairn_tree_value(run->tree, (size_t)at.node, run->view->features, row);
        if (at.share > best.share) best = at;
    }
    return best.node;
}

static int32_t largest(const prediction_run *run, const double *sums)
{
    size_t best = 0, n = run->tree->n_classes;
    if (run->rule != CAIRN_LEAF_BY_MAJORITY)
        return cairn_leaf_choose(run->rule, sums, run->prior, n);
    if (run->costly >= 0) return cairn_leaf_choose_by_cost(sums, run->costly, run->label_cost);
    for (size_t l = 1; l < n; l++)
        if (sums[l] > sums[best] + CAIRN_TREE_TIE) best = l; /* of equals the first */
    return (int32_t)best;
}

/* The code of a leaf that answers with `label`. */
static int32_t code_of_leaf(const cairn_tree_node *leaf, int32_t label)
{
    return leaf->column < 0 && leaf->reason == CAIRN_LEAF_REJECTED ? -2 : label;
}

/* A row that a missing cell stops at an inner node is answered by the average over the leaves it
 * may reach; the heaviest of them counts as its leaf. */
static void predict_row(const prediction_run *run, size_t i, int32_t from, int worker)
{
    const cairn_tree_model *tree = run->tree;
    size_t row = cairn_view_row(run->view, i), k = tree->n_classes;
    int32_t leaf = walk(run, from, row);
    double mean = cairn_tree_value(tree, (size_t)leaf, run->view->features, row);
    double *scores = run->out->scores ? run->out->scores + i * k : NULL;
    if (tree->nodes[leaf].column < 0) {
        add_vector(run, i, leaf, 1);
        if (scores) add_leaf(scores, run, leaf, 1);
        if (run->out->codes)
            run->out->codes[i] = code_of_leaf(&tree->nodes[leaf], tree->nodes[leaf].label);
    } else {
        double *sums = scores ? scores : run->sums[worker];
        memset(sums, 0, k * sizeof *sums);
        mean = 0;
        leaf = average(run, i, worker, k ? sums : NULL, &mean);
        if (run->out->codes)
            run->out->codes[i] = code_of_leaf(&tree->nodes[leaf], largest(run, sums));
    }
    if (run->out->numbers) run->out->numbers[i] = mean;
    if (run->leaves) run->leaves[i] = leaf + 1;
}

static void predict_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const prediction_run *run = data;
    size_t rows[SIDE_BY_SIDE], n;
    int32_t at[SIDE_BY_SIDE];
    (void)block;
    for (size_t i = begin; i < end; i += n) {
        n = end - i < SIDE_BY_SIDE ? end - i : SIDE_BY_SIDE;
        for (size_t j = 0; j < n; j++) rows[j] = cairn_view_row(run->view, i + j);
        walk_cuts(run, rows, at, n);
        for (size_t j = 0; j < n; j++) predict_row(run, i + j, at[j], worker);
    }
}

static cairn_status check_columns(cairn_context *ctx, const cairn_tree_model *tree,
                                  const cairn_view *view)
{
    if (view->n_features != tree->n_columns)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the tree was grown on %zu columns, not on %zu",
                          tree->n_columns, view->n_features);
    for (size_t c = 0; c < tree->n_columns; c++)
        if (view->features[c]->kind != (tree->is_number[c] == 1 ? CAIRN_NUMBER : CAIRN_LEVEL))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "column '%s' is of another kind than in the tree", view->names[c]);
    return CAIRN_OK;
}

cairn_status cairn_tree_add_outputs(cairn_context *ctx, cairn_table *out,
                                    const cairn_tree_model *tree, const double *leaves,
                                    const cairn_schema *schema)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    int32_t *code_of = NULL;
    size_t n = out->n_rows;
    SCOPED(cairn_text_clear) cairn_text path = cairn_text_start(ctx);
    CHECK(cairn_table_put_numbers(ctx, out, "leaf", leaves));
    CHECK(SCRATCH(ctx, &code_of, tree->n_nodes));
    CHECK(cairn_column_new(ctx, &column, CAIRN_LEVEL, n));
    for (size_t i = 0; i < n; i++) {
        size_t leaf = (size_t)leaves[i] - 1, code;
        if (!code_of[leaf]) {
            path.length = 0;
            cairn_tree_add_path(&path, tree, leaf, schema, " & ");
            CHECK(cairn_text_status(&path));
            CHECK(cairn_map_add(ctx, &column->names, path.bytes ? path.bytes : "", path.length,
                                &code));
            code_of[leaf] = (int32_t)code + 1;
        }
        column->codes[i] = code_of[leaf] - 1;
    }
    cairn_column *given = column;
    column = NULL;
    return cairn_table_add_column(ctx, out, "path", CAIRN_FEATURE, given);
}

cairn_status cairn_tree_predict_rows(cairn_context *ctx, cairn_prediction *out,
                                     const cairn_tree_model *tree, const cairn_view *view,
                                     cairn_tree_reading reading)
{
    prediction_run run = {.tree = tree,
                          .view = view,
                          .out = out,
                          .leaves = reading.leaves,
                          .vectors = reading.vectors,
                          .smoothing = reading.smoothing,
                          .rule = reading.rule,
                          .costly = reading.label_cost > 0 ? reading.positive : -1,
                          .label_cost = reading.label_cost};
    size_t workers = (size_t)cairn_workers(ctx);
    CHECK(check_columns(ctx, tree, view));
    CHECK(SCRATCH(ctx, &run.prior, tree->n_classes));
    if (tree->n_classes) cairn_tree_shares(tree, 0, run.prior);
    CHECK(make_quick(ctx, &run));
    CHECK(SCRATCH_EACH(ctx, workers, &run.stacks, &run.sums));
    for (size_t w = 0; w < workers; w++) {
        CHECK(SCRATCH_RAW(ctx, &run.stacks[w], tree->n_nodes));
        CHECK(SCRATCH_RAW(ctx, &run.sums[w], tree->n_classes));
    }
    return cairn_blocks(ctx, out->n_rows, PREDICT_ROWS, predict_block, &run);
}

/* Leaves and vectors are asked for only where further columns are wanted, as plain predictions
 * should not pay for them. */
static cairn_status tree_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                 const cairn_job *job)
{
    const cairn_tree_model *tree = model;
    const tree_params *p = job->params;
    cairn_tree_reading reading = {.rule = (cairn_leaf_rule)p->leaves.leaf_label,
                                  .positive = job->positive,
                                  .label_cost =
                                      p->leaves.label_cost == 1 ? 0 : p->leaves.label_cost};
    CHECK(cairn_smoothing_read(ctx, &reading.smoothing, p->smoothing.smooth));
    if (out->extra) CHECK(SCRATCH_RAW(ctx, &reading.leaves, out->n_rows));
    if (out->extra && tree->n_means)
        CHECK(SCRATCH(ctx, &reading.vectors, cairn_product(out->n_rows, tree->n_means)));
    CHECK(cairn_tree_predict_rows(ctx, out, tree, job->view, reading));
    out->codes_set = true;
    if (!out->extra) return CAIRN_OK;
    CHECK(cairn_tree_add_outputs(ctx, out->extra, tree, reading.leaves, job->schema));
    if (reading.vectors)
        CHECK(cairn_tree_targets_outputs(ctx, out->extra, reading.vectors, job->schema,
                                         cairn_schema_target(job->schema)->name,
                                         out->scores != NULL));
    return CAIRN_OK;
}

/* -- the rest -- */

static cairn_status tree_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const tree_params *p = job->params;
    return cairn_tree_lower_with(model, job, &p->leaves, p->smoothing.smooth, out);
}

static void tree_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const tree_params *p = job->params;
    cairn_tree_describe(out, model, job->history, job->schema, job->positive);
    cairn_tree_show_nodes(out, model, job->schema, &p->leaves);
    cairn_tree_targets_show_leaves(out, model, job->schema);
}

cairn_status cairn_tree_archive_model(cairn_archive *archive, void *model)
{
    return cairn_tree_archive(archive, model, NULL);
}

static cairn_status archive_together(cairn_archive *archive, void *model, void *history)
{
    return cairn_tree_archive(archive, model, history);
}

const cairn_history cairn_tree_histories = {
    .size = sizeof(cairn_tree_history),
    .archive = cairn_tree_archive_history,
    .archive_together = archive_together,
    .since = 10,
};

/* The columns that the tree was grown on are the features, number for number and level for
 * level. */
cairn_status cairn_tree_check_columns(cairn_archive *archive, const cairn_tree_model *tree,
                                      const cairn_job *job)
{
    CHECK(cairn_check_columns(archive, job, tree->n_columns));
    for (size_t i = 0, at = 0; i < tree->n_columns; i++) {
        const cairn_field *field = cairn_schema_next_feature(job->schema, &at);
        if (!field || field->kind != (tree->is_number[i] == 1 ? CAIRN_NUMBER : CAIRN_LEVEL))
            CHECK(
                cairn_archive_damaged(archive, "column %zu of the tree is of another kind", i + 1));
    }
    return CAIRN_OK;
}

static cairn_status tree_check(cairn_archive *archive, const void *model, const cairn_job *job)
{
    const cairn_tree_model *tree = model;
    CHECK(cairn_tree_check_columns(archive, tree, job));
    if (tree->n_classes != (job->task == CAIRN_CLASSIFY ? job->n_classes : 0))
        CHECK(cairn_archive_damaged(archive, "the tree has other classes than the target"));
    return cairn_tree_targets_check(archive, tree, job->schema);
}

/* A tree for all targets takes as many as there are. */
static unsigned tree_accepts(const void *params)
{
    const tree_params *p = params;
    unsigned alone = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
                     CAIRN_ACCEPTS_WEIGHTS;
    if (!p->together && !p->linear.leaf) alone |= CAIRN_ACCEPTS_ITEMS;
    return p->together ? alone | CAIRN_ACCEPTS_TARGETS | CAIRN_ACCEPTS_ONE_CLASS : alone;
}

static void tree_clear(void *model)
{
    cairn_tree_clear(model);
}

/* A test is a column and a cut or level, a leaf is its answer. */
static cairn_model_size tree_size(const void *model)
{
    const cairn_tree_model *tree = model;
    size_t leaves = cairn_tree_leaves(tree);
    double answers = (double)leaves + (double)tree->n_linear * (double)tree->n_regressors;
    return (cairn_model_size){2 * (double)(tree->n_nodes - leaves) + answers, true};
}

static double count_leaves(const void *model)
{
    return (double)cairn_tree_leaves(model);
}

static const cairn_output tree_outputs[] = {
    {"leaf", "number of the leaf that the row reaches, counted depth first from the root as 1"},
    {"path", "the conditions on the way to that leaf"},
    {NULL, NULL},
};

const cairn_learner cairn_tree = {
    .entry =
        {.kind = CAIRN_ENTRY_LEARNER,
         .name = "tree",
         .also =
             "decision tree, classification tree, regression tree, model tree (leaf=linear), ID3 "
             "(preset=id3), C4.5 (preset=c4.5), C5.0 (preset=c5.0), CART (preset=cart), CHAID "
             "(preset=chaid), QUEST (preset=quest), J48 (preset=c4.5), rpart (preset=cart), "
             "recursive partitioning, DecisionTreeClassifier, DecisionTreeRegressor",
         .about = "internal node, leaf node, DTL, tree learning as variance reduction, "
                  "hand-written tree",
         .title = "Decision tree",
         .summary =
             "Asks one column at a time until the rows that are left agree: the column whose "
             "answer tells most about the target divides the rows, and each part is treated "
             "in the same way. Classes or numbers as target, numbers and levels as features "
             "(ordered levels are cut like numbers, which --with unorder undoes), "
             "missing cells, any number of classes. It can be read, explained and drawn. Grown "
             "to purity it also learns the noise: without options only a tree of few rows is, of "
             "more its leaves have a least size and it is pruned.",
         .references = "Quinlan, Induction of decision trees, Machine Learning 1 (1986); Quinlan, "
                       "C4.5 (1993); Breiman, Friedman, Olshen, Stone, Classification and "
                       "regression trees (1984); Loh, Shih, Split selection methods for "
                       "classification trees, Statistica Sinica 7 (1997)",
         .example = "cairn fit tree @weather --steps",
         .params = tree_param_table,
         .params_size = sizeof(tree_params),
         .check = check_params},
    .tasks = CAIRN_CLASSIFY | CAIRN_REGRESS,
    .space = "max-depth=1,2,3,4,6,8,0\n"
             "min-leaf=20,5,0",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
               CAIRN_ACCEPTS_WEIGHTS,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT,
    .reports = CAIRN_REPORTS_ACCURACY | CAIRN_REPORTS_MSE,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_LOGICAL | CAIRN_GROUPING |
              CAIRN_GIVES_PROBABILITIES | CAIRN_MAY_ABSTAIN,
    .model_size = sizeof(cairn_tree_model),
    .tables = cairn_tree_tables,
    .gives_scores = true,
    .sets_codes = true,
    .outputs = tree_outputs,
    .fit = tree_fit,
    .read = tree_read,
    .forms = cairn_tree_forms,
    .lower = tree_lower,
    .predict = tree_predict,
    .describe = tree_describe,
    .figures = cairn_tree_figures,
    .explain = cairn_tree_explain,
    .history = &cairn_tree_histories,
    .archive = cairn_tree_archive_model,
    .check = tree_check,
    .clear = tree_clear,
    .size = tree_size,
    .pieces = count_leaves,
    .pieces_name = "leaves",
    .accepts_with = tree_accepts,
};

cairn_status cairn_tree_share(cairn_context *ctx, cairn_shared *out, const cairn_params *params,
                              const cairn_view *view, size_t n_classes)
{
    const tree_params *p = params->values;
    cairn_grow_options options = {0};
    *out = (cairn_shared){0};
    if (params->entry != &cairn_tree.entry || by_residuals(p)) return CAIRN_OK;
    return cairn_tree_codes_make(ctx, out, view, n_classes, bins_of(p, view, &options));
}

cairn_status cairn_tree_sides(cairn_context *ctx, uint8_t *out, bool *found, size_t n,
                              const cairn_shared *shared, const cairn_model *model)
{
    *found = false;
    if (!shared || model->learner != &cairn_tree || model->n_chain) return CAIRN_OK;
    return cairn_tree_codes_sides(ctx, out, found, n, shared, model->state);
}
