/* SPDX-License-Identifier: MIT */
/* Growing trees: what the tree learner and everything else made of trees share.
 *
 *     binned data  columns as small codes and the target, made once and shared by many trees
 *     split        the best test of one column for the rows of a node
 *     tree         nodes in depth-first order, the first child right behind its parent
 *
 * The result depends only on data, row order, options and seed, never on threads. */
#ifndef CAIRN_LEARNERS_TREE_GROW_H
#define CAIRN_LEARNERS_TREE_GROW_H

#include "base/archive.h"
#include "base/map.h"
#include "base/memory.h"
#include "data/view.h"
#include "stats/impurity.h"

/* Differences of scores below this are ties, and a gain below it is 0. */
#define CAIRN_TREE_TIE 1e-12
/* A gain that is so much below the average counts as average. */
#define CAIRN_GAIN_SLACK 1e-3

/* -- binned data -- */

enum { CAIRN_ITEMS = 8 };

/* Codes of a number column are the ranks of its distinct values, of a level column its level
 * codes; ordered levels count as the numbers of their places. Code n_codes stands for a missing
 * cell. A number column of two values without missing cells is one bit in the packed words: set
 * where the cell has the rarer value. */
typedef struct cairn_binned_column {
    bool is_number;
    bool ordered; /* ordered levels: their codes are cut like numbers */
    bool has_missing;
    bool flipped;  /* bit columns: a set bit means code 0 */
    uint8_t width; /* bytes per code: 1, 2 or 4; 0 = bit number `bit` of word `word`; CAIRN_ITEMS =
                      with what the row has of items */
    uint8_t bit;
    uint32_t word;
    uint32_t n_codes;
    uint32_t common; /* number columns: the code that most rows have; UINT32_MAX = none has most. Of
                        items: the code of 0, which no list of a row has */
    void *codes;     /* n_rows */
    double *values;  /* number columns: n_codes distinct values, ascending; of bins the least */
    double *highs;   /* the largest value of each bin; NULL = a code is a value */
    const double *reals; /* the cells themselves, where cuts are drawn: of row i the one at
                            real_rows[i]; NULL = `values` has them. Borrowed from the view */
} cairn_binned_column;

typedef struct cairn_binned {
    size_t n_rows, n_columns, n_words;
    cairn_binned_column *columns;
    uint64_t **words;      /* n_words arrays of n_rows */
    uint32_t *word_column; /* n_words x 64: the column of each bit */
    size_t *item_starts;   /* n_rows + 1: what each row has of the columns of items; NULL = there
                              are none */
    uint32_t *item_columns, *item_codes; /* columns ascend in a row */
    size_t n_classes;                    /* 0 = regression */
    int32_t *classes;                    /* n_rows, classification */
    double *numbers;                     /* n_rows, regression: the target */
    double *centred;      /* n_rows, regression: the target less its mean, on a grid so coarse that
                           sums of it are exact */
    double *weights;      /* n_rows; NULL = as `repeats` says */
    uint32_t *repeats;    /* n_rows: weights that are all whole numbers; NULL = all 1 */
    uint32_t *table_rows; /* n_rows: the table's row of each; NULL in data that was taken */
    const uint32_t *real_rows; /* n_rows: see `reals`; NULL = row i has cell i. Borrowed */
    bool copies_reals;         /* small data that are taken get cells of their own */
    double spread;             /* regression: variance of all rows, the unit of ties; else 1 */
    const struct cairn_criterion *criterion; /* what is learned (criterion.h) */
    size_t n_stats;                          /* numbers that it sums up a part of a node by */
    size_t n_means; /* length of the vector that a node answers; 0 = one class or number */
    struct cairn_tree_targets *targets; /* of several targets, distances, linear models
                                           (tree_targets.h); NULL = one target. Borrowed */
    double *target_values; /* n_rows x targets->step: numbers, codes of levels; NaN = missing */
    const double *near; /* n_rows x n_rows: half the squared distances of the rows in the targets;
                           NULL = splits are searched by sums. Scratch */
} cairn_binned;

/* Weight of a row. */
static inline double cairn_binned_weight(const cairn_binned *data, size_t row)
{
    return data->weights ? data->weights[row] : data->repeats ? data->repeats[row] : 1;
}

/* Code the rows of a view that have a target and a positive weight; n_classes 0 = regression. Bags
 * are left out: the columns are the other features, in their order. Fails when there is no such
 * row. Free it with cairn_binned_clear, also after a failure. */
CAIRN_CHECKED cairn_status cairn_binned_make(cairn_context *ctx, cairn_binned *out,
                                             const cairn_view *view, size_t n_classes);
/* The same with number columns of more distinct values put into at most `bins` bins of about as
 * many rows each; 0 = none. Columns with fewer values are coded as they are, so the tree is then
 * the same. */
CAIRN_CHECKED cairn_status cairn_binned_make_bins(cairn_context *ctx, cairn_binned *out,
                                                  const cairn_view *view, size_t n_classes,
                                                  size_t bins);
void cairn_binned_clear(cairn_binned *data);
/* Put n values, ascending, of which there are `counts`, into at most `bins` bins: a bin is full
 * when it has its share of the rows that are left. Returns the number of bins; `bin_of` (n) gets
 * the bin of every value, `lows` and `highs` (bins) the least and the largest of every bin. */
size_t cairn_bins_of_ranks(const uint32_t *counts, const double *values, size_t n, size_t bins,
                           uint32_t *bin_of, double *lows, double *highs);
/* Most bins of a number column that has fewer than it has values; 0 = there is none. */
int32_t cairn_binned_most(const cairn_binned *data);
/* The same data for some rows only, in their order, so small that it stays in the cache. Its memory
 * is scratch and it borrows from `data`; it is not cleared. */
CAIRN_CHECKED cairn_status cairn_binned_take(cairn_context *ctx, cairn_binned *out,
                                             const cairn_binned *data, const uint32_t *rows,
                                             size_t n);
/* The same for an `out` that says what the target is, and is empty otherwise. */
CAIRN_CHECKED cairn_status cairn_binned_of(cairn_context *ctx, cairn_binned *out,
                                           const cairn_view *view, size_t bins);
/* Numbers of some rows. Scratch; *out stays NULL when there are none. */
CAIRN_CHECKED cairn_status cairn_binned_take_reals(cairn_context *ctx, double **out,
                                                   const double *from, const uint32_t *rows,
                                                   size_t n);
/* Have the cells of number columns at hand, for cuts that are drawn; the view must stay as it is.
 * `copied` when nodes look at most columns. */
void cairn_binned_hold_reals(cairn_binned *data, const cairn_view *view, bool copied);
/* Codes of the given rows in one column. */
void cairn_binned_gather(const cairn_binned *data, size_t column, const uint32_t *rows, size_t n,
                         uint32_t *out);

/* Codes of a node's rows in one column. */
struct cairn_node_rows;
void cairn_node_gather(const cairn_binned *data, size_t column, const struct cairn_node_rows *node,
                       uint32_t *out);

/* -- options -- */

typedef enum cairn_tree_score {
    CAIRN_TREE_REDUCTION,
    CAIRN_TREE_RATIO,
    CAIRN_TREE_CHI
} cairn_tree_score;
typedef enum cairn_tree_cut {
    CAIRN_TREE_MID,
    CAIRN_TREE_LT,
    CAIRN_TREE_LE,
    CAIRN_TREE_OBSERVED,    /* the largest value of all rows that is not above the midpoint */
    CAIRN_TREE_DISCRIMINANT /* where two normal curves meet (quest.h) */
} cairn_tree_cut;
/* What the column of a node is chosen by. */
typedef enum cairn_tree_select { CAIRN_SELECT_SCORE, CAIRN_SELECT_TEST } cairn_tree_select;
/* Which rows the gain of a column with missing cells is computed from. */
typedef enum cairn_missing_gain {
    CAIRN_GAIN_FILLED,    /* all, the missing cells being treated first */
    CAIRN_GAIN_KNOWN,     /* those whose cell is known */
    CAIRN_GAIN_DISCOUNTED /* likewise, times their share; missing cells are a part in the split
                             information */
} cairn_missing_gain;
/* How the cost of a column lowers its score s. */
typedef enum cairn_cost_rule {
    CAIRN_COST_SQUARED, /* s^2 / cost */
    CAIRN_COST_POWERS,  /* (2^s - 1) / (cost + 1)^w */
    CAIRN_COST_RATIO    /* s / cost */
} cairn_cost_rule;
typedef enum cairn_tree_missing {
    CAIRN_TREE_WEIGHTS,
    CAIRN_TREE_BRANCH,
    CAIRN_TREE_MODE,
    CAIRN_TREE_CLASS_MODE,
    CAIRN_TREE_SURROGATE
} cairn_tree_missing;
typedef enum cairn_tree_tie {
    CAIRN_TREE_FIRST,
    CAIRN_TREE_LAST,
    CAIRN_TREE_RANDOM,
    CAIRN_TREE_PARENT,
    CAIRN_TREE_LISTED
} cairn_tree_tie;

/* The merit of a partition, the larger the better: n_parts rows of n_classes class weights. */
typedef double (*cairn_partition_score)(const double *cells, size_t n_parts, size_t n_classes,
                                        const void *data);

typedef struct cairn_grow_event cairn_grow_event;
/* Hears of nodes in depth-first order, when it is decided what becomes of them, until it answers
 * false. While somebody looks, nothing is estimated and nothing runs side by side. */
typedef bool (*cairn_grow_watch)(void *data, const cairn_grow_event *event);

typedef enum cairn_test {
    CAIRN_TEST_NONE,   /* a leaf, or a column that cannot split */
    CAIRN_TEST_CUT,    /* two branches: below the cut, and the rest */
    CAIRN_TEST_LEVEL,  /* two branches: one level, and the rest */
    CAIRN_TEST_LEVELS, /* one branch per level */
    CAIRN_TEST_SET     /* two branches: some levels, and others */
} cairn_test;

/* Nodes that are given (tree_plan.h); the root is the first. */
typedef enum cairn_plan_kind { CAIRN_PLAN_SPLIT, CAIRN_PLAN_LEAF, CAIRN_PLAN_FREE } cairn_plan_kind;

typedef struct cairn_plan_node {
    cairn_plan_kind kind;
    cairn_test test;
    int32_t column, level;
    double cut;
    int32_t label;  /* LEAF: the class, -1 = what the rows say */
    bool reject;    /* LEAF: it answers no class */
    double number;  /* LEAF: the answer; NaN = what the rows say */
    uint8_t *sides; /* SET: as in a split; scratch */
    size_t n_sides;
    int32_t *links; /* SPLIT: node of each branch and of missing cells, -1 = none; scratch */
    size_t n_links;
} cairn_plan_node;
typedef struct cairn_tree_plan {
    cairn_plan_node *nodes;
    size_t n;
} cairn_tree_plan;

typedef struct cairn_grow_options {
    cairn_impurity impurity;
    cairn_tree_score score;
    cairn_partition_score own_score; /* NULL = as `score` says */
    const cairn_tree_plan *plan;     /* NULL = nothing is given */
    const void *data;                /* for the two above */
    size_t draw;            /* columns drawn at every node; when none of them can split, more are
                              drawn until one can; 0 = all columns */
    const uint8_t *barred;  /* n_columns: 1 = never used; NULL = none is */
    bool random_cuts;       /* one random cut (or level) per column instead of the best one */
    cairn_grow_watch watch; /* NULL = nobody looks */
    void *watch_data;
    bool binary_levels; /* one level against the rest, instead of a branch per level */
    bool subsets;       /* some levels against the others */
    int surrogates;     /* most tests that stand in for that of a node, under SURROGATE */
    bool only_present;  /* branches only for levels that the node's rows have */
    cairn_tree_cut cut;
    cairn_tree_missing missing;
    cairn_tree_tie tie, class_tie;
    double cell_add;
    int64_t max_depth, max_leaves; /* 0 = no limit */
    double min_rows, min_leaf, min_gain, purity;
    double min_variance; /* of a target that is a number */
    bool strict;         /* splits without gain are not made */
    double stop_leaf;    /* a node whose best split has a smaller branch is a leaf, and no other
                           split is tried; 0 = none is too small */
    double min_drop;     /* least fall of the impurity times the weight of the node */
    double split_level;  /* a split with a larger p-value is not made; 0 = all are */
    cairn_tree_select select;
    double select_level; /* CAIRN_SELECT_TEST: what counts as significant */
    cairn_missing_gain missing_gain;
    bool two_branches;   /* min_leaf holds for two branches, not for all that have rows */
    double cut_share;    /* a cut leaves this share of the known rows, divided by the number of
                            classes, on either side, but more than 25 are not asked for */
    bool cut_penalty;    /* the gain of a cut is lowered by log2(cuts tried) / rows */
    bool above_average;  /* only columns of at least average gain compete */
    const double *costs; /* n_columns: what asking a column costs; NULL = nothing */
    cairn_cost_rule cost_rule;
    double cost_weight;   /* w of CAIRN_COST_POWERS */
    const int32_t *order; /* n_order: the column of every depth; NULL = the best one */
    size_t n_order;
    bool complete;      /* with an order: nodes that are pure are split as well */
    int32_t only_class; /* 1 + the class that counts alone; 0 = all do */
    bool keeps_digits;  /* how far cuts can be rounded is kept, for people who read them */
    uint64_t seed;
} cairn_grow_options;

/* -- a node's rows and the best split of a column -- */

/* What the rows of a node have of items, by column: entries of the node, ascending, whose code is
 * not the common one. Columns that no row has anything of take no time. */
typedef struct cairn_node_items {
    uint32_t *counts, *firsts; /* n_columns */
    uint32_t *entries, *codes; /* as many as the rows have together */
    uint32_t *touched;         /* columns with entries */
    size_t n_touched;
} cairn_node_items;

typedef struct cairn_node_rows {
    const uint32_t *rows;  /* n */
    const double *weights; /* n; NULL = those that the data have for the rows, all whole */
    size_t n;
    uint64_t stream;               /* the node's number for random draws */
    const double *totals;          /* classification: weight per class */
    double weight;                 /* of all rows */
    double sum;                    /* regression: weighted sum of the centred target */
    double mixed;                  /* dissimilarities: their mean over all pairs */
    const cairn_node_items *items; /* NULL = not listed */
} cairn_node_rows;

/* Weight of entry i of a node. */
static inline double cairn_entry_weight(const cairn_binned *data, const cairn_node_rows *node,
                                        size_t i)
{
    if (node->weights) return node->weights[i];
    return data->repeats ? data->repeats[node->rows[i]] : 1;
}

/* Up to so many levels all sets are tried when there are more than two classes; of more, only those
 * that are neighbours in an order of the levels. */
enum { CAIRN_SET_EXACT = 10 };

typedef struct cairn_split {
    int32_t column;
    cairn_test test;
    bool rough;     /* gain and score are estimates and `cut` is not set yet */
    bool drawn;     /* CUT: its number is drawn, its codes are not known yet */
    uint32_t code;  /* CUT: last code below the cut, unless all are above; LEVEL: the level */
    uint32_t next;  /* CUT: first code above the cut */
    uint8_t *sides; /* SET: 1 + the branch of every level, 0 = no row of the node has it; memory of
                       whoever asks for the split */
    double cut;
    double gain;         /* reduction of impurity (regression: of variance) */
    double information;  /* entropy of the sizes of the parts; only for RATIO and watchers */
    double ratio;        /* gain / information */
    double score;        /* what columns are compared by */
    double uncosted;     /* the score before the cost of the column; only with costs */
    uint32_t n_cuts;     /* CUT: places that were tried; only for the penalty */
    double statistic, p; /* F or chi-squared test of column and class; only for SELECT_TEST */
    double spread_p;     /* Levene's test; NaN for levels */
} cairn_split;

/* Codes that numbers as target are summed by without sorting, at most. */
enum { CAIRN_SUMMED = 4096 };

/* Working memory of one worker. */
typedef struct cairn_split_space {
    const cairn_context *ctx;       /* a search that is cancelled ends with what it has */
    uint32_t *keys, *order, *other; /* n_rows */
    uint32_t *counts;               /* n_counts */
    uint32_t *present;              /* n_rows + 2: levels that occur, where they are numbered */
    bool numbered;                  /* ... as those of the column looked at last are */
    uint64_t *pairs, *other_pairs;  /* n_rows */
    size_t n_counts;
    double *cells, *levels;                         /* parts x stats */
    double *missing, *known, *left, *right, *total; /* stats, of total twice as many */
    int32_t *filled;                                /* stats */
    int32_t usual; /* the branch of the most frequent level or the heavier side of the split whose
                      cells were found last */
    int32_t *frequent;               /* stats: levels */
    int32_t *lacking;                /* stats: classes with missing cells ... */
    size_t n_lacking;                /* ... of the column being walked over */
    double *scores;                  /* parts: by which levels are ordered */
    uint32_t *listed;                /* parts: levels in order */
    uint8_t *sides;                  /* parts */
    uint32_t *buffer;                /* parts: for sorting them */
    double *moments;                 /* 5 x stats */
    double *numbers, *known_weights; /* n_rows; NULL unless columns are tested */
    double *reals;                   /* n_rows; NULL unless cuts are drawn */
    uint8_t *group;                  /* stats */
    int64_t *whole;                  /* 2 x stats: counts of the fast search */
    double *summed;          /* numbers as target: weight and sum of up to CAIRN_SUMMED codes */
    uint32_t *bit_counts;    /* 64 x stats */
    cairn_split *bit_splits; /* 64 */
    double *bit_lefts;       /* 64 x stats */
    double floor; /* gain of another column: splits that are surely worse need not be found;
                     -INFINITY = all are wanted */
} cairn_split_space;

/* Room for nodes of up to n_rows entries. Scratch. */
CAIRN_CHECKED cairn_status cairn_split_space_make(cairn_context *ctx, cairn_split_space *out,
                                                  const cairn_binned *data,
                                                  const cairn_grow_options *options, size_t n_rows);

/* The best split of one column; test NONE when it has none that the options admit. A cut is known
 * by its codes, and its number is NaN as long as nobody asks cairn_cut_between for it. Does not
 * allocate or fail. */
void cairn_split_column(cairn_split *out, const cairn_binned *data,
                        const cairn_grow_options *options, const cairn_node_rows *node,
                        size_t column, cairn_split_space *space);

/* Class weights (or weight and sum) of every branch that a split makes, missing cells treated as
 * the options say; under BRANCH the last one is theirs when there are any. Returns the number of
 * branches. `filled` (one per class) tells the branch that missing cells join under MODE and
 * CLASS_MODE. `cells` has room for cairn_split_branches() + 1 rows. */
size_t cairn_split_cells(double *cells, int32_t *filled, const cairn_binned *data,
                         const cairn_grow_options *options, const cairn_node_rows *node,
                         const cairn_split *split, cairn_split_space *space);
/* The cells that the split is judged by: those above, or known cells only. */
size_t cairn_split_judged(double *cells, int32_t *filled, const cairn_binned *data,
                          const cairn_grow_options *options, const cairn_node_rows *node,
                          const cairn_split *split, cairn_split_space *space);
/* Weight of the missing cells, just found, that count against the gain. */
double cairn_split_unknown(const cairn_binned *data, const cairn_grow_options *options,
                           const cairn_split_space *space);
/* Gain, split information, ratio and score of a partition; `unknown` is the weight of rows that are
 * in none of its parts. A split whose penalty exceeds its gain is none any more. */
void cairn_split_rate(cairn_split *split, const cairn_binned *data,
                      const cairn_grow_options *options, const double *cells, size_t n_parts,
                      double unknown, cairn_split_space *space);
/* The codes at a cut that was drawn among the cells of a node; the search leaves them out. */
void cairn_drawn_cut_codes(cairn_split *split, const cairn_binned *data,
                           const cairn_grow_options *options, const cairn_node_rows *node,
                           cairn_split_space *space);
/* Least weight of either side of a cut in a node with so many known rows. */
double cairn_cut_least(const cairn_binned *data, const cairn_grow_options *options, double known);
/* space->pairs: space->keys[0 .. n) by ascending key, key << 32 | position. */
void cairn_split_sort(cairn_split_space *space, size_t n);
/* Branches of a split without the one for missing cells. */
size_t cairn_split_branches(const cairn_binned *data, const cairn_split *split);
/* The branch of every entry, -1 for a missing cell that is divided by weight. */
void cairn_node_branches(int32_t *child, const cairn_binned *data,
                         const cairn_grow_options *options, const cairn_node_rows *node,
                         const cairn_split *split, const int32_t *filled, cairn_split_space *space);
/* The number of branch `branch` of a node whose number is `stream`, for random draws. */
uint64_t cairn_branch_stream(uint64_t stream, size_t branch);
/* The cut between two codes that are neighbours in a node. */
double cairn_cut_between(const cairn_binned_column *column, uint32_t code, uint32_t next,
                         cairn_tree_cut form);
/* The fewest digits, three or more, to which the cut of a split can be rounded while every row goes
 * where it went; 0 = the cut has to be written whole. */
uint8_t cairn_cut_digits(const cairn_binned_column *column, const cairn_split *split,
                         cairn_tree_cut form);
/* -- the tree -- */

typedef enum cairn_leaf_reason {
    CAIRN_LEAF_NONE,
    CAIRN_LEAF_PURE,
    CAIRN_LEAF_EMPTY,
    CAIRN_LEAF_NO_COLUMN,
    CAIRN_LEAF_SHARE,
    CAIRN_LEAF_MAX_DEPTH,
    CAIRN_LEAF_MIN_ROWS,
    CAIRN_LEAF_MIN_GAIN,
    CAIRN_LEAF_MAX_LEAVES,
    CAIRN_LEAF_GIVEN,
    CAIRN_LEAF_PRUNED,
    CAIRN_LEAF_SMALL_BRANCH,
    CAIRN_LEAF_MIN_DROP,
    CAIRN_LEAF_CHANCE,
    CAIRN_LEAF_NAMED,    /* given with its answer */
    CAIRN_LEAF_REJECTED, /* it answers no class; its label is what it would say */
    CAIRN_LEAF_SENT_UP,  /* it answers as the node above */
    CAIRN_LEAF_COLLAPSED,
    CAIRN_LEAF_NO_GAIN,
    CAIRN_LEAF_MIN_VARIANCE,
    CAIRN_LEAF_REASONS
} cairn_leaf_reason;

typedef struct cairn_tree_node {
    double cut;
    double weight;
    double mean;        /* regression */
    double error;       /* weight of other classes, or sum of squared deviations from the mean */
    double gain;        /* of the split */
    int32_t column;     /* -1 = leaf */
    int32_t parent;     /* -1 = root */
    int32_t label;      /* most frequent class; -1 in regression */
    int32_t level;      /* LEVEL: the level; SET: where its sides are in tree->sets */
    int32_t n_branches; /* without the one for missing cells */
    int32_t linear;     /* leaf: 1 + number of its linear model; 0 = it answers its mean */
    int32_t usual;      /* the branch that missing cells join under MODE and CLASS_MODE */
    int32_t used_above; /* while growing: nearest node above with a branch per level */
    uint32_t links;     /* n_branches + 1 entries of tree->links: the child of each branch, and of
                           missing cells; -1 = none */
    uint32_t counts;    /* n_counts entries of tree->classes and tree->weights */
    uint32_t n_counts;
    uint32_t n_levels;    /* SET: how many sides */
    uint32_t surrogates;  /* n_surrogates entries of tree->surrogates */
    uint8_t test;         /* cairn_test */
    uint8_t reason;       /* cairn_leaf_reason */
    uint8_t n_surrogates; /* the best one first */
    uint8_t digits;       /* CUT: so many of the cut divide the rows as it does; 0 = all do */
} cairn_tree_node;

/* A test that stands in for that of a node when the cell which that one asks for is missing. */
typedef struct cairn_surrogate {
    double cut;
    double agreement; /* share of the rows that it sends where the node's own test does */
    int32_t column;
    int32_t level;     /* SET: as in a node */
    uint32_t n_levels; /* likewise */
    uint8_t test;      /* CUT or SET */
    uint8_t flipped;   /* what is below the cut goes to branch 1 */
} cairn_surrogate;

typedef struct cairn_tree_model {
    size_t n_nodes, n_links, n_counts; /* used */
    size_t nodes_capacity, links_capacity, classes_capacity, weights_capacity;
    cairn_tree_node *nodes;
    int32_t *links;
    int32_t *classes; /* n_counts: classes that occur in a node ... */
    double *weights;  /* ... and their weights */
    size_t n_sets, n_surrogates, sets_capacity, surrogates_capacity;
    uint8_t *sets; /* n_sets: sides of levels, as in a split */
    cairn_surrogate *surrogates;
    size_t n_columns, n_classes;
    size_t n_means, means_capacity; /* several targets: length of a node's vector; 0 = one target */
    double *means;                  /* n_nodes x n_means: means of numbers, shares of levels */
    cairn_map examples; /* rows that stand for the leaves of a clustering; empty = none do */
    int32_t *example;   /* n_nodes: number in `examples`, -1 of inner nodes */
    uint8_t *is_number; /* n_columns: 0 = levels, 1 = numbers, 2 = ordered levels, cut by code */
    size_t n_regressors, n_linear;
    int32_t *regressors; /* n_regressors: number columns that linear models use */
    double *slopes;      /* n_linear x n_regressors */
    double *centres;     /* likewise: means of the columns in the leaf */
    int32_t cut_form;    /* cairn_tree_cut */
    int32_t missing;     /* cairn_tree_missing */
} cairn_tree_model;

/* How it came about. */
typedef struct cairn_tree_history {
    int32_t bins;                     /* most bins of a column; 0 = by all values */
    size_t grown_nodes, grown_leaves; /* before pruning; 0 = it was not pruned */
} cairn_tree_history;

/* Means of several targets at a node; NULL when there are none (only dissimilarities are known). */
static inline double *cairn_tree_means(const cairn_tree_model *tree, size_t node)
{
    return tree->means ? tree->means + node * tree->n_means : NULL;
}

/* The link that a table row follows at a node: a branch, or n_branches when the cell is missing. */
size_t cairn_tree_link(const cairn_tree_model *tree, const cairn_tree_node *node,
                       const cairn_column *column, size_t row);
/* The same with what the tree does about missing cells: a surrogate (*surrogate is its number from
 * 1, 0 = none was asked; may be NULL), or the usual branch. Under weights and branch as above. */
size_t cairn_tree_way(const cairn_tree_model *tree, const cairn_tree_node *node,
                      const cairn_column *const *features, size_t row, size_t *surrogate);
/* What a node answers for a table row: its linear model at the row, or its mean. */
double cairn_tree_value(const cairn_tree_model *tree, size_t node,
                        const cairn_column *const *features, size_t row);
/* The constant of a leaf's linear model, written for columns that are not centred. */
double cairn_linear_leaf_constant(const cairn_tree_model *tree, const cairn_tree_node *node);
struct cairn_grow_event {
    const cairn_binned *data;
    const cairn_tree_model *tree;
    size_t node; /* its number; the node is in the tree already, its children are not */
    const cairn_node_rows *rows;
    const cairn_split *splits; /* the best one of every column that was looked at */
    size_t n_splits;           /* 0 = none was looked at */
    double gain_wanted;        /* the gain that a column must have to compete */
    const cairn_split *chosen; /* NULL = a leaf */
    cairn_split_space *space;
};

/* Grow the whole tree, without pruning; the same bits for any number of threads. *out is empty
 * before and cleared by the caller, also after a failure. */
CAIRN_CHECKED cairn_status cairn_tree_grow(cairn_context *ctx, cairn_tree_model *out,
                                           const cairn_binned *data,
                                           const cairn_grow_options *options);
/* What a tree says of itself beside its nodes: classes, kinds of columns, the form of its tests. */
CAIRN_CHECKED cairn_status cairn_tree_note(cairn_context *ctx, cairn_tree_model *tree,
                                           const cairn_binned *data,
                                           const cairn_grow_options *options);
void cairn_tree_clear(cairn_tree_model *tree);
/* Saves or loads; what is read is checked to be a tree within all bounds. `together` is the history
 * that files before version 10 have here, NULL in later ones. */
CAIRN_CHECKED cairn_status cairn_tree_archive(cairn_archive *archive, cairn_tree_model *tree,
                                              cairn_tree_history *together);

/* Saves or loads what is known of the growing beside the tree; for the learners' records. */
CAIRN_CHECKED cairn_status cairn_tree_archive_history(cairn_archive *archive, void *history,
                                                      const void *tree);

/* Copy nodes first .. first+n-1 to the end of `tree`; links and parents are moved along. */
CAIRN_CHECKED cairn_status cairn_tree_append(cairn_context *ctx, cairn_tree_model *tree,
                                             const cairn_tree_model *from, size_t first, size_t n);
/* Copy what a node of `from` has in the arrays of sets and surrogates; the node, which is to be put
 * into `tree`, learns the new places. */
CAIRN_CHECKED cairn_status cairn_tree_take_extras(cairn_context *ctx, cairn_tree_model *tree,
                                                  const cairn_tree_model *from,
                                                  cairn_tree_node *node);
/* Put n sides of levels at the end of tree->sets; *place is where. */
CAIRN_CHECKED cairn_status cairn_tree_add_set(cairn_context *ctx, cairn_tree_model *tree,
                                              const uint8_t *sides, size_t n, int32_t *place);
/* Give `tree` the nodes of another one that was made from it; that one is empty then. */
void cairn_tree_replace(cairn_tree_model *tree, cairn_tree_model *nodes);
/* Turn every inner node that is marked into a leaf and drop what was below it. */
CAIRN_CHECKED cairn_status cairn_tree_cut_back(cairn_context *ctx, cairn_tree_model *tree,
                                               const uint8_t *marks, cairn_leaf_reason reason);
/* Cut back to the tree of at most n leaves that growing the best leaf first would have made. */
CAIRN_CHECKED cairn_status cairn_tree_limit(cairn_context *ctx, cairn_tree_model *tree, size_t n);
/* Depth of every node (n_nodes entries), root 0. Returns the greatest. */
int32_t cairn_tree_depths(const cairn_tree_model *tree, int32_t *depths);
size_t cairn_tree_leaves(const cairn_tree_model *tree);
/* Whether its leaves answer something else than one class or number. */
static inline bool cairn_tree_is_vector(const cairn_tree_model *tree)
{
    return tree->n_means > 0 || tree->example;
}

#endif
