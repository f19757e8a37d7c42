/* SPDX-License-Identifier: MIT */
/* Growing a tree.
 *
 * 1. Take the node on top of the stack, with the rows that reached it. If it is pure, empty or one
 *    of the limits holds, it is a leaf.
 * 2. Else find the best split of every column that may be used, choose the best column, and divide
 *    the rows among the branches, keeping their order. A missing cell goes down all branches with
 *    parts of its weight (or as the options say); a part lighter than 1/256 of its row is not
 *    divided again but follows the heaviest branch, which bounds the work.
 * 3. Put the branches on the stack, the first one on top: nodes come out in depth-first order, and
 *    the rows of the node on top of the stack are the last ones of one array.
 *
 * No recursion, so depth is limited by memory only. Large nodes are searched with their columns
 * side by side; a node of at most TASK_ROWS rows is put aside and its subtree grown as a task on a
 * copy of its rows that fits the cache, smaller ones again on a smaller copy. Subtrees do not
 * depend on each other, so the tree is the same for any number of threads.
 *
 * With --max-leaves the whole tree is grown and then cut back to the splits that a best-first
 * search would have made; a node's split does not depend on the order in which nodes are looked at.
 * When somebody looks, the tree that is left is grown once more: they see no node that is not in
 * it, and the same numbers of nodes.
 *
 * Cost: about O(rows x columns x depth) time; memory for the codes and a few words per row. */
#include "learners/tree/grow/grow.h"
#include "learners/tree/grow/fast_split.h"
#include "learners/tree/grow/criterion.h"
#include "learners/tree/grow/quest.h"
#include "learners/tree/grow/surrogate.h"
#include "base/random.h"
#include "parallel/parallel.h"
#include "stats/distributions.h"
#include <math.h>
#include <string.h>

enum {
    TASK_ROWS = 32768,
    CACHE_ROWS = 2048,
    FEW_ROWS = 64, /* of a task among many classes ... */
    MANY_CLASSES = 256,
    SHARE_LEAST = 256,
    PARALLEL_CELLS = 1 << 17,
    MOST_EMPTY = 256
};

/* A node that waits, its entries being the last ones of the stack when it is its turn. */
typedef struct open_node {
    size_t n;
    int64_t depth;
    uint64_t stream; /* its number for random draws */
    int32_t parent;  /* -1 = root */
    int32_t used;    /* nearest node above with a branch per level, -1 = none */
    uint32_t link;   /* place in the parent's links */
    int32_t plan;    /* its node in the plan, -1 = none */
} open_node;

/* A subtree to be grown as a task. */
typedef struct deferred {
    int32_t node; /* the place holder in the tree */
    size_t n;
    uint32_t *rows;
    double *weights;
    uint8_t *used; /* columns used above */
    int64_t depth;
    uint64_t stream;
    int32_t label; /* of the parent */
    cairn_tree_model tree;
} deferred;

/* A piece of the search at a node: a column, or the bit columns of a word. */
typedef struct search_item {
    bool is_word, is_fast;
    uint32_t index; /* place in `columns`, or the word */
} search_item;

typedef struct growth {
    cairn_context *ctx;
    const cairn_binned *data;
    const cairn_grow_options *options;
    cairn_tree_model *tree;
    uint32_t *rows;  /* entries of all open nodes */
    double *weights; /* NULL = all 1 */
    size_t n_entries, rows_capacity, weights_capacity;
    uint32_t *new_rows; /* entries being divided */
    double *new_weights;
    size_t new_capacity, new_weights_capacity;
    open_node *open;
    size_t n_open, open_capacity;
    bool weighted;
    bool levels;               /* some column is used up by a branch per level */
    const uint8_t *used_above; /* n_columns; NULL = none */
    int32_t label_above;       /* label of the root's parent */
    uint8_t *used;             /* n_columns */
    uint32_t *columns;         /* n_columns: those to be searched */
    size_t n_columns;
    cairn_split *splits; /* n_columns */
    uint8_t **sides;     /* n_columns: memory for sets of levels; NULL = none are made */
    cairn_split_space *spaces;
    double *totals, *cells, *shares;
    double *vector;         /* several targets: means of the node */
    size_t *sizes, *places; /* branches */
    int32_t *branch;        /* branch of every entry */
    size_t branch_capacity;
    int32_t *filled;
    size_t max_branches;
    size_t put_aside; /* nodes of at most so many entries become tasks; 0 = none */
    deferred *deferred;
    size_t n_deferred, deferred_capacity;
    uint32_t *largest;           /* n_deferred: their numbers, the largest first */
    const cairn_node_rows *node; /* being searched */
    bool only_best;              /* only the best split of all columns is wanted */
    int n_workers;
    cairn_surrogates surrogates; /* of the split that was chosen, under SURROGATE */
    double whole_weight;         /* of all rows of the tree */
    double gain_wanted;          /* the gain that columns of the node must have */
    cairn_split planned_split;   /* the one that the plan asks for */
    const cairn_fast *made;      /* NULL = the fast search cannot be used at all ... */
    const cairn_fast *fast;      /* ... or here */
    cairn_fast_node fast_node;
    bool watching;
    const cairn_tree_model *left; /* the tree that --max-leaves left; NULL = all is grown */
    bool planned;                 /* the root is the root of the plan */
    bool use_fast;                /* for the node being searched: all its weights are 1 */
    uint32_t *marks;              /* of the entries of the node */
    uint32_t *counts;             /* 2 x classes */
    int64_t *whole;               /* class counts of the node */
    double *lefts;                /* n_columns x classes: counts below the cut of each split */
    uint32_t *places_of;          /* n_columns: place of a column in `columns` */
    uint64_t *masks;              /* n_words: bits to be searched */
    search_item *items;           /* n_columns + n_words */
    size_t n_items;
    cairn_node_items held; /* what the rows of the node have of items */
} growth;

static void growth_clear(growth *g)
{
    FREE_EACH(g->rows, g->weights, g->new_rows, g->new_weights, g->open, g->branch);
    for (size_t i = 0; i < g->n_deferred; i++) {
        deferred *part = &g->deferred[i];
        FREE_EACH(part->rows, part->weights, part->used);
        cairn_tree_clear(&part->tree);
    }
    cairn_free(g->deferred);
}

/* -- starting -- */

static size_t most_branches(const cairn_binned *data)
{
    size_t most = 2;
    for (size_t c = 0; c < data->n_columns; c++)
        if (!data->columns[c].is_number && data->columns[c].n_codes > most)
            most = data->columns[c].n_codes;
    return most + 1;
}

/* Everything that a node needs is taken here once, so that growing allocates only where the tree
 * itself gets longer. */
static cairn_status make_working_memory(growth *g, size_t n)
{
    cairn_context *ctx = g->ctx;
    const cairn_binned *data = g->data;
    int workers = g->n_workers = cairn_workers(ctx);
    g->max_branches = most_branches(data);
    for (size_t c = 0; c < data->n_columns; c++)
        g->levels |=
            !data->columns[c].is_number && !g->options->binary_levels && !g->options->subsets;
    CHECK(SCRATCH_EACH(ctx, data->n_columns, &g->used, &g->columns, &g->splits));
    CHECK(SCRATCH(ctx, &g->spaces, (size_t)workers));
    CHECK(SCRATCH(ctx, &g->totals, 2 * data->n_stats));
    CHECK(SCRATCH(ctx, &g->vector, data->n_means));
    CHECK(SCRATCH(ctx, &g->filled, data->n_stats));
    CHECK(SCRATCH(ctx, &g->cells, g->max_branches * data->n_stats));
    CHECK(SCRATCH_EACH(ctx, g->max_branches, &g->shares, &g->sizes, &g->places));
    CHECK(SCRATCH(ctx, &g->items, data->n_columns + data->n_words));
    if (g->fast) {
        CHECK(SCRATCH_RAW(ctx, &g->marks, n));
        CHECK(SCRATCH(ctx, &g->whole, data->n_classes));
        CHECK(SCRATCH(ctx, &g->counts, 2 * data->n_classes));
        CHECK(SCRATCH_RAW(ctx, &g->lefts, data->n_columns * data->n_classes));
        CHECK(SCRATCH_RAW(ctx, &g->places_of, data->n_columns));
        CHECK(SCRATCH_RAW(ctx, &g->masks, data->n_words));
    }
    if (data->item_starts) {
        size_t most = data->item_starts[data->n_rows] + 1;
        CHECK(SCRATCH(ctx, &g->held.counts, data->n_columns));
        CHECK(SCRATCH_RAW_EACH(ctx, data->n_columns, &g->held.firsts, &g->held.touched));
        CHECK(SCRATCH_RAW_EACH(ctx, most, &g->held.entries, &g->held.codes));
    }
    if (g->options->subsets) {
        CHECK(SCRATCH(g->ctx, &g->sides, g->data->n_columns));
        for (size_t c = 0; c < g->data->n_columns; c++)
            if (!g->data->columns[c].is_number)
                CHECK(SCRATCH(g->ctx, &g->sides[c], g->data->columns[c].n_codes));
    }
    if (g->options->missing == CAIRN_TREE_SURROGATE)
        CHECK(cairn_surrogates_make(ctx, &g->surrogates, data, (size_t)g->options->surrogates));
    for (int w = 0; w < workers; w++)
        CHECK(cairn_split_space_make(ctx, &g->spaces[w], data, g->options, n));
    return CAIRN_OK;
}

/* The root's entries: all rows, with the given weights or those of the data. */
static cairn_status start_entries(growth *g, const double *weights, size_t n)
{
    CHECK(GROW(g->ctx, &g->rows, &g->rows_capacity, n));
    if (g->weighted) CHECK(GROW(g->ctx, &g->weights, &g->weights_capacity, n));
    for (size_t i = 0; i < n; i++) {
        g->rows[i] = (uint32_t)i;
        if (g->weighted) g->weights[i] = weights ? weights[i] : cairn_binned_weight(g->data, i);
    }
    g->n_entries = n;
    return CAIRN_OK;
}

/* -- one node -- */

/* What the rows of a node add up to: its weight, its answer, its error. */
static cairn_status total_node(growth *g, cairn_node_rows *rows, cairn_tree_node *node,
                               const open_node *open, bool *pure)
{
    const cairn_tree_node *parent = open->parent < 0 ? NULL : &g->tree->nodes[open->parent];
    const double *above = parent ? cairn_tree_means(g->tree, (size_t)open->parent) : NULL;
    int32_t label_above = parent ? parent->label : g->label_above;
    if (rows->n == 0) {
        node->label = label_above;
        node->mean = parent ? parent->mean : 0;
        if (parent && g->tree->n_means)
            memcpy(g->vector, above, g->tree->n_means * sizeof *g->vector);
        node->counts = (uint32_t)g->tree->n_counts;
        return CAIRN_OK;
    }
    cairn_node_job job = {.ctx = g->ctx,
                          .data = g->data,
                          .options = g->options,
                          .tree = g->tree,
                          .rows = rows,
                          .sums = g->totals,
                          .counted = g->fast && !rows->weights,
                          .vector = g->vector,
                          .above = above,
                          .label_above = label_above};
    if (job.counted) {
        cairn_fast_marks(g->marks, g->whole, g->counts, g->data, g->fast, rows->rows, rows->n);
        for (size_t l = 0; l < g->data->n_stats; l++) g->totals[l] = (double)g->whole[l];
    }
    CHECK(g->data->criterion->leaf(&job, node, pure));
    rows->weight = node->weight;
    return CAIRN_OK;
}

static cairn_leaf_reason early_leaf(const growth *g, const cairn_tree_node *node,
                                    const open_node *open, bool pure)
{
    const cairn_grow_options *o = g->options;
    if (open->n == 0) return CAIRN_LEAF_EMPTY;
    if (o->only_class) {
        double share = g->totals[o->only_class - 1];
        pure |= !(share > 0) || share == node->weight;
    }
    bool goes_on = o->complete && o->order && (size_t)open->depth < o->n_order;
    if (pure && !goes_on) return CAIRN_LEAF_PURE;
    if (g->data->n_classes && !goes_on && g->totals[node->label] >= o->purity * node->weight)
        return CAIRN_LEAF_SHARE;
    if (o->max_depth > 0 && open->depth >= o->max_depth) return CAIRN_LEAF_MAX_DEPTH;
    if (node->weight < o->min_rows * (1 - CAIRN_TREE_TIE)) return CAIRN_LEAF_MIN_ROWS;
    if (node->error < o->min_variance * node->weight * (1 - CAIRN_TREE_TIE))
        return CAIRN_LEAF_MIN_VARIANCE;
    return CAIRN_LEAF_NONE;
}

/* -- search -- */

/* Columns that the node may use into g->columns, ascending. */
static void list_columns(growth *g, const open_node *open)
{
    const uint8_t *barred = g->options->barred;
    size_t n = g->data->n_columns;
    if (g->options->order) { /* guided: the column is given, and none is left below */
        g->n_columns = 0;
        if ((size_t)open->depth < g->options->n_order)
            g->columns[g->n_columns++] = (uint32_t)g->options->order[open->depth];
        return;
    }
    if (!g->levels && !barred) {
        for (size_t c = 0; c < n; c++) g->columns[c] = (uint32_t)c;
        g->n_columns = n;
        return;
    }
    if (g->used_above)
        memcpy(g->used, g->used_above, n);
    else
        memset(g->used, 0, n);
    for (int32_t at = open->used; at >= 0; at = g->tree->nodes[at].used_above)
        g->used[g->tree->nodes[at].column] = 1;
    g->n_columns = 0;
    for (size_t c = 0; c < n; c++)
        if (!g->used[c] && !(barred && barred[c])) g->columns[g->n_columns++] = (uint32_t)c;
}

/* What the rows of the node have of items, column by column. */
static void list_held(growth *g, const cairn_node_rows *rows)
{
    const cairn_binned *data = g->data;
    cairn_node_items *held = &g->held;
    uint32_t next = 0;
    for (size_t t = 0; t < held->n_touched; t++) held->counts[held->touched[t]] = 0;
    held->n_touched = 0;
    for (size_t i = 0; i < rows->n; i++)
        for (size_t e = data->item_starts[rows->rows[i]]; e < data->item_starts[rows->rows[i] + 1];
             e++) {
            uint32_t c = data->item_columns[e];
            if (data->item_codes[e] == data->columns[c].common) continue;
            if (!held->counts[c]++) held->touched[held->n_touched++] = c;
        }
    for (size_t t = 0; t < held->n_touched; t++) {
        uint32_t c = held->touched[t];
        held->firsts[c] = next;
        next += held->counts[c];
        held->counts[c] = 0;
    }
    for (size_t i = 0; i < rows->n; i++)
        for (size_t e = data->item_starts[rows->rows[i]]; e < data->item_starts[rows->rows[i] + 1];
             e++) {
            uint32_t c = data->item_columns[e];
            if (data->item_codes[e] == data->columns[c].common) continue;
            uint32_t to = held->firsts[c] + held->counts[c]++;
            held->entries[to] = (uint32_t)i;
            held->codes[to] = data->item_codes[e];
        }
}

/* Columns of items of which no row has anything cannot split; where all columns are searched they
 * need not be looked at. */
static void drop_untouched(growth *g)
{
    size_t n = 0;
    for (size_t i = 0; i < g->n_columns; i++) {
        uint32_t c = g->columns[i];
        if (g->data->columns[c].width != CAIRN_ITEMS || g->held.counts[c]) g->columns[n++] = c;
    }
    g->n_columns = n;
}

/* Move one of the columns that are left to the end of those that were drawn. */
static void draw_one(growth *g, cairn_random *random, size_t drawn)
{
    size_t at = drawn + (size_t)cairn_random_below(random, g->n_columns - drawn);
    uint32_t column = g->columns[at];
    g->columns[at] = g->columns[drawn];
    g->columns[drawn] = column;
}

/* Columns in ascending order, so that ties are broken as without drawing. */
static void sort_columns(growth *g, size_t n)
{
    if (n < 32) {
        for (size_t i = 1; i < n; i++) {
            uint32_t column = g->columns[i];
            size_t at = i;
            for (; at > 0 && g->columns[at - 1] > column; at--) g->columns[at] = g->columns[at - 1];
            g->columns[at] = column;
        }
        return;
    }
    memset(g->used, 0, g->data->n_columns);
    for (size_t i = 0; i < n; i++) g->used[g->columns[i]] = 1;
    for (size_t c = 0, next = 0; next < n; c++)
        if (g->used[c]) g->columns[next++] = (uint32_t)c;
}

/* What the fast search needs of a node: classes in one piece and whole counts. */
static void prepare_fast(growth *g, const cairn_node_rows *rows)
{
    size_t k = g->data->n_classes;
    g->use_fast = g->fast && !g->watching;
    for (size_t i = 0; g->use_fast && rows->weights && i < rows->n; i++)
        g->use_fast = rows->weights[i] == cairn_binned_weight(g->data, rows->rows[i]);
    if (!g->use_fast) return;
    if (rows->weights)
        cairn_fast_marks(g->marks, g->whole, g->counts, g->data, g->fast, rows->rows, rows->n);
    g->fast_node = (cairn_fast_node){.rows = rows->rows,
                                     .marks = g->marks,
                                     .totals = g->whole,
                                     .items = rows->items,
                                     .n = rows->n,
                                     .weight = (int64_t)rows->weight,
                                     .least = cairn_cut_least(g->data, g->options, rows->weight) *
                                              (1 - CAIRN_TREE_TIE)};
    cairn_fast_node_make(&g->fast_node, g->fast, k);
}

/* The cells of a small node lie anywhere in a column: they are asked for while columns before it
 * are searched. */
static inline void expect_column(const growth *g, size_t item, size_t end)
{
    enum { MOST_ROWS = 32 };
    const cairn_node_rows *node = g->node;
    if (item >= end || node->n > MOST_ROWS || g->items[item].is_word) return;
    const cairn_binned_column *column = &g->data->columns[g->columns[g->items[item].index]];
    const uint32_t *of = g->data->real_rows;
    if (g->options->random_cuts && column->reals)
        for (size_t i = 0; i < node->n; i++)
            __builtin_prefetch(column->reals + (of ? of[node->rows[i]] : node->rows[i]));
    else if (column->codes)
        for (size_t i = 0; i < node->n; i++)
            __builtin_prefetch((const char *)column->codes + (size_t)node->rows[i] * column->width);
}

/* A worker remembers the best gain that it has met as a floor, by which later columns that
 * cannot win are left early; only where nobody looks at the losers. */
static void search_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    growth *g = data;
    cairn_split_space *space = &g->spaces[worker];
    (void)block;
    for (size_t i = begin; i < end; i++) {
        size_t at = g->items[i].index;
        expect_column(g, i + 4, end);
        if (g->items[i].is_word) {
            size_t k = g->data->n_classes;
            uint64_t found = cairn_fast_bits(space->bit_splits, space->bit_lefts, g->data, g->fast,
                                             &g->fast_node, at, g->masks[at], space);
            for (; found; found &= found - 1) {
                size_t b = (size_t)__builtin_ctzll(found);
                size_t place = g->places_of[g->data->word_column[at * 64 + b]];
                g->splits[place] = space->bit_splits[b];
                memcpy(g->lefts + place * k, space->bit_lefts + b * k, k * sizeof *g->lefts);
            }
            continue;
        }
        if (g->items[i].is_fast &&
            cairn_fast_cut(&g->splits[at], g->lefts + at * g->data->n_classes, g->data, g->fast,
                           &g->fast_node, g->columns[at], space))
            continue;
        cairn_split_column(&g->splits[at], g->data, g->options, g->node, g->columns[at], space);
        if (g->only_best && g->splits[at].test != CAIRN_TEST_NONE &&
            g->splits[at].gain > space->floor)
            space->floor = g->splits[at].gain;
    }
}

/* Exact scores for the estimated splits that may be the best. */
static void settle_splits(growth *g, size_t first, size_t last)
{
    size_t k = g->data->n_classes;
    const cairn_grow_options *o = g->options;
    bool all = o->score == CAIRN_TREE_RATIO || o->costs || o->cut_penalty || o->above_average;
    double best = -INFINITY;
    if (!g->use_fast) return;
    for (size_t i = first; i < last; i++)
        if (g->splits[i].test != CAIRN_TEST_NONE && g->splits[i].score > best)
            best = g->splits[i].score;
    best -= cairn_fast_error(g->fast, &g->fast_node, k);
    for (size_t i = first; i < last; i++) {
        cairn_split *split = &g->splits[i];
        if (!split->rough || split->test == CAIRN_TEST_NONE) continue;
        if (!all && split->score < best) {
            split->test = CAIRN_TEST_NONE;
            continue;
        }
        for (size_t l = 0; l < k; l++) {
            g->cells[l] = g->lefts[i * k + l];
            g->cells[k + l] = g->totals[l] - g->cells[l];
        }
        cairn_split_rate(split, g->data, g->options, g->cells, 2, 0, &g->spaces[0]);
        split->rough = false;
        split->cut = NAN;
    }
}

/* A column with so many levels, as a share of all rows, does not count in the average gain. */
static const double MANY_LEVELS = 0.3;

/* The gain that a column must have to compete: the average less a little. */
static double gain_wanted(const growth *g, size_t first, size_t last)
{
    double sums[2] = {0, 0}, n[2] = {0, 0};
    if (!g->options->above_average) return -INFINITY;
    for (size_t i = first; i < last; i++) {
        if (g->splits[i].test == CAIRN_TEST_NONE) continue;
        const cairn_binned_column *column = &g->data->columns[(&g->splits[i])->column];
        bool many = !column->is_number && column->n_codes >= MANY_LEVELS * g->whole_weight;
        sums[many] += g->splits[i].gain;
        n[many]++;
    }
    bool only_many = n[0] == 0;
    return n[only_many] > 0 ? sums[only_many] / n[only_many] - CAIRN_GAIN_SLACK * g->data->spread
                            : -INFINITY;
}

static bool competes(const cairn_split *split, double gain)
{
    return split->test != CAIRN_TEST_NONE && split->gain >= gain;
}

/* The best split of columns first .. last-1 by the tie rule; NULL when none can split. */
static const cairn_split *choose_split(growth *g, size_t first, size_t last, uint64_t stream)
{
    double best = -INFINITY, tie = CAIRN_TREE_TIE * g->data->spread;
    double gain = gain_wanted(g, first, last);
    size_t ties = 0, wanted = 0;
    g->gain_wanted = gain;
    if (g->options->select == CAIRN_SELECT_TEST) {
        cairn_test_choice choice;
        bool any = cairn_choose_by_test(&choice, g->splits + first, last - first,
                                        g->options->select_level);
        return any ? &g->splits[first + choice.chosen] : NULL;
    }
    for (size_t i = first; i < last; i++)
        if (competes(&g->splits[i], gain) && g->splits[i].score > best) best = g->splits[i].score;
    for (size_t i = first; i < last; i++)
        ties += competes(&g->splits[i], gain) && g->splits[i].score >= best - tie;
    if (ties == 0) return NULL;
    if (g->options->tie == CAIRN_TREE_LAST) wanted = ties - 1;
    if (g->options->tie == CAIRN_TREE_RANDOM && ties > 1) {
        cairn_random random;
        cairn_random_start(&random, g->options->seed, ~stream);
        wanted = cairn_random_below(&random, ties);
    }
    for (size_t i = first; i < last; i++)
        if (competes(&g->splits[i], gain) && g->splits[i].score >= best - tie && wanted-- == 0)
            return &g->splits[i];
    return NULL;
}

/* Search columns first .. last-1 of the list. */
static cairn_status search_columns(growth *g, size_t first, size_t last)
{
    const cairn_grow_options *o = g->options;
    /* Divide columns first .. last-1 of the list into pieces of work. */
    g->n_items = 0;
    for (size_t w = 0; g->use_fast && w < g->data->n_words; w++) g->masks[w] = 0;
    for (size_t i = first; i < last; i++) {
        const cairn_binned_column *column = &g->data->columns[g->columns[i]];
        bool fast = g->use_fast && cairn_fast_column(g->data, g->fast, g->columns[i]);
        if (fast && column->width == 0) {
            g->masks[column->word] |= (uint64_t)1 << column->bit;
            g->places_of[g->columns[i]] = (uint32_t)i;
            g->splits[i].column = (int32_t)g->columns[i];
            g->splits[i].test = CAIRN_TEST_NONE; /* nothing else of it is read then */
        } else {
            g->items[g->n_items++] = (search_item){false, fast, (uint32_t)i};
            if (g->sides) g->splits[i].sides = g->sides[g->columns[i]];
        }
    }
    for (size_t w = 0; g->use_fast && w < g->data->n_words; w++)
        if (g->masks[w]) g->items[g->n_items++] = (search_item){true, true, (uint32_t)w};
    /* columns that lose are not looked at again, so which of them found a split does not matter */
    g->only_best = g->data->n_classes && o->score == CAIRN_TREE_REDUCTION && !o->own_score &&
                   !o->above_average && !o->costs && o->select == CAIRN_SELECT_SCORE &&
                   !g->watching;
    for (int w = 0; w < g->n_workers; w++) g->spaces[w].floor = -INFINITY;
    if (g->node->n * g->n_items >= PARALLEL_CELLS)
        CHECK(cairn_blocks(g->ctx, g->n_items, 1, search_block, g));
    else
        search_block(g, 0, 0, g->n_items, 0);
    return CAIRN_OK;
}

/* With a draw of columns, further ones are drawn one by one until a column can split, so that a
 * node is a leaf only when no column could have divided it. */
static cairn_status find_split(growth *g, cairn_node_rows *rows, const open_node *open,
                               const cairn_split **out)
{
    size_t n = g->options->draw;
    cairn_random random;
    list_columns(g, open);
    if (g->data->item_starts) {
        list_held(g, rows);
        rows->items = &g->held;
        if (n == 0 && g->options->select == CAIRN_SELECT_SCORE && !g->watching) drop_untouched(g);
    }
    prepare_fast(g, rows);
    g->node = rows;
    if (n == 0 || n >= g->n_columns) {
        n = g->n_columns;
    } else {
        cairn_random_start(&random, g->options->seed, open->stream);
        for (size_t i = 0; i < n; i++) draw_one(g, &random, i);
        sort_columns(g, n);
    }
    CHECK(search_columns(g, 0, n));
    settle_splits(g, 0, n);
    *out = choose_split(g, 0, n, open->stream);
    for (; !*out && n < g->n_columns; n++) { /* none of the drawn columns can split */
        draw_one(g, &random, n);
        CHECK(search_columns(g, n, n + 1));
        settle_splits(g, n, n + 1);
        *out = choose_split(g, n, n + 1, open->stream);
    }
    g->n_columns = n;
    /* The number of a cut takes longer to write than the cut to find: only the chosen split gets
     * one, and all of them when somebody looks. */
    const cairn_split *chosen = *out;
    for (size_t i = 0; i < g->n_columns; i++) {
        cairn_split *split = &g->splits[i];
        if (split->test != CAIRN_TEST_CUT || !(split == chosen || g->watching)) continue;
        if (split->drawn)
            cairn_drawn_cut_codes(split, g->data, g->options, rows, &g->spaces[0]);
        else if (isnan(split->cut))
            split->cut = cairn_cut_between(&g->data->columns[split->column], split->code,
                                           split->next, g->options->cut);
    }
    return CAIRN_OK;
}

/* -- dividing -- */

static bool is_divided(const growth *g, const cairn_node_rows *rows, size_t i)
{
    double whole = cairn_binned_weight(g->data, rows->rows[i]);
    return g->branch[i] < 0 && rows->weights && rows->weights[i] * SHARE_LEAST >= whole;
}

/* The planned node of a branch; without a plan there is none. */
static int32_t planned_branch(const growth *g, const open_node *open, size_t branch)
{
    if (open->plan < 0) return -1;
    const cairn_plan_node *planned = &g->options->plan->nodes[open->plan];
    return planned->kind == CAIRN_PLAN_SPLIT ? planned->links[branch] : -1;
}

static bool follows_plan(const growth *g, const open_node *open)
{
    return open->plan >= 0 && g->options->plan->nodes[open->plan].kind != CAIRN_PLAN_FREE;
}

/* Number of entries of every branch in g->sizes, known weight of each in g->shares; entries
 * too light to be divided are given to the heaviest branch. */
static void size_branches(growth *g, const cairn_node_rows *rows, const open_node *open,
                          size_t n_branches)
{
    size_t heaviest = 0;
    double known = 0;
    while (follows_plan(g, open) && planned_branch(g, open, heaviest) < 0) heaviest++;
    memset(g->sizes, 0, n_branches * sizeof *g->sizes);
    memset(g->shares, 0, n_branches * sizeof *g->shares);
    for (size_t i = 0; i < rows->n; i++)
        if (g->branch[i] >= 0) g->shares[g->branch[i]] += cairn_entry_weight(g->data, rows, i);
    for (size_t b = 0; b < n_branches; b++) {
        known += g->shares[b];
        if (g->shares[b] > g->shares[heaviest]) heaviest = b;
    }
    if (!(known > 0)) g->shares[heaviest] = known = 1; /* the plan has no node for any row */
    for (size_t b = 0; b < n_branches; b++) g->shares[b] /= known;
    for (size_t i = 0; i < rows->n; i++) {
        if (g->branch[i] < 0 && !is_divided(g, rows, i)) g->branch[i] = (int32_t)heaviest;
        if (g->branch[i] >= 0)
            g->sizes[g->branch[i]]++;
        else
            for (size_t b = 0; b < n_branches; b++) g->sizes[b] += g->shares[b] > 0;
    }
}

/* Copy the entries branch by branch, the last branch first, keeping their order. */
static void place_entries(growth *g, const cairn_node_rows *rows, size_t n_branches, size_t *at)
{
    for (size_t i = 0; i < rows->n; i++) {
        double weight = cairn_entry_weight(g->data, rows, i);
        size_t first = g->branch[i] >= 0 ? (size_t)g->branch[i] : 0;
        size_t last = g->branch[i] >= 0 ? first : n_branches - 1;
        for (size_t b = first; b <= last; b++) {
            double share = g->branch[i] >= 0 ? 1 : g->shares[b];
            if (!(share > 0)) continue;
            g->new_rows[at[b]] = rows->rows[i];
            if (g->weighted) g->new_weights[at[b]] = weight * share;
            at[b]++;
        }
    }
}

/* Whether a branch gets a node: all values have one, those without rows unless the options say
 * otherwise or there are so many that empty leaves would fill the memory; under a plan those that
 * it names. */
static bool wants_node(const growth *g, const open_node *open, const cairn_tree_node *node,
                       size_t branch, size_t size)
{
    if (follows_plan(g, open)) return planned_branch(g, open, branch) >= 0;
    bool all = node->test != CAIRN_TEST_LEVELS ||
               (!g->options->only_present && node->n_branches <= MOST_EMPTY);
    return size > 0 || (all && branch < (size_t)node->n_branches);
}

/* Branches go on the stack from the last to the first, so nodes are numbered depth-first; the
 * random stream belongs to the path, not to the order of the work. */
static cairn_status push_branches(growth *g, int32_t parent, const open_node *open,
                                  const size_t *sizes, size_t n_branches)
{
    const cairn_tree_node *node = &g->tree->nodes[parent];
    size_t n = follows_plan(g, open) ? (size_t)node->n_branches + 1 : n_branches;
    CHECK(GROW(g->ctx, &g->open, &g->open_capacity, g->n_open + n));
    for (size_t b = n; b-- > 0;) {
        size_t size = sizes && b < n_branches ? sizes[b] : 0;
        if (!wants_node(g, open, node, b, size)) continue;
        g->open[g->n_open++] = (open_node){
            .n = size,
            .depth = open->depth + 1,
            .stream = cairn_branch_stream(open->stream, b),
            .parent = parent,
            .used = node->test == CAIRN_TEST_LEVELS ? parent : open->used,
            .link = node->links + (uint32_t)b,
            .plan = planned_branch(g, open, b),
        };
    }
    return CAIRN_OK;
}

/* The same for a cut of a column without missing cells: no entry is divided. */
static cairn_status divide_in_two(growth *g, int32_t parent, const open_node *open,
                                  const cairn_node_rows *rows, const cairn_split *split)
{
    size_t base = g->n_entries - rows->n, n_left = 0, n_right = 0;
    uint32_t *all = g->rows + base;
    double *weights = g->weighted ? g->weights + base : NULL, sum_left = 0, sum_right = 0;
    const uint32_t *codes = g->spaces[0].keys;
    CHECK(GROW(g->ctx, &g->new_rows, &g->new_capacity, rows->n));
    if (weights) CHECK(GROW(g->ctx, &g->new_weights, &g->new_weights_capacity, rows->n));
    cairn_node_gather(g->data, (size_t)split->column, rows, g->spaces[0].keys);
    for (size_t i = 0; i < rows->n; i++) {
        size_t right = codes[i] >= split->next;
        uint32_t row = all[i];
        if (weights) {
            double weight = weights[i];
            g->new_weights[n_left] = weight;
            weights[n_right] = weight;
            if (right)
                sum_right += weight;
            else
                sum_left += weight;
        }
        g->new_rows[n_left] = row;
        all[n_right] = row;
        n_right += right;
        n_left += !right;
    }
    memcpy(all + n_right, g->new_rows, n_left * sizeof *all);
    if (weights) {
        memcpy(weights + n_right, g->new_weights, n_left * sizeof *weights);
    } else {
        for (size_t i = 0; g->data->repeats && i < n_left; i++)
            sum_left += g->data->repeats[g->new_rows[i]];
        if (!g->data->repeats) sum_left = (double)n_left;
        sum_right = rows->weight - sum_left;
    }
    g->tree->nodes[parent].usual = sum_right > sum_left;
    size_t sizes[] = {n_left, n_right};
    return push_branches(g, parent, open, sizes, 2);
}

/* Replace the entries of the node, the last ones of the stack, by those of its branches. */
static cairn_status divide(growth *g, int32_t parent, const open_node *open,
                           const cairn_node_rows *rows, const cairn_split *split)
{
    size_t base = g->n_entries - rows->n, total = 0, n_branches;
    const cairn_binned_column *column = &g->data->columns[split->column];
    if (rows->n == 0) return push_branches(g, parent, open, NULL, 0); /* only a plan comes here */
    if (column->is_number && !column->has_missing)
        return divide_in_two(g, parent, open, rows, split);
    n_branches =
        cairn_split_cells(g->cells, g->filled, g->data, g->options, rows, split, &g->spaces[0]);
    g->tree->nodes[parent].usual = g->spaces[0].usual;
    CHECK(GROW(g->ctx, &g->branch, &g->branch_capacity, rows->n));
    cairn_node_branches(g->branch, g->data, g->options, rows, split, g->filled, &g->spaces[0]);
    if (g->options->missing == CAIRN_TREE_SURROGATE)
        cairn_surrogates_send(&g->surrogates, g->data, rows, g->branch, g->filled[0],
                              &g->spaces[0]);
    if (follows_plan(g, open)) {
        /* Entries in branches that the plan has no node for are treated like missing cells. */
        int32_t usual = g->filled[0];
        for (size_t i = 0; i < rows->n; i++)
            if (g->branch[i] >= 0 && planned_branch(g, open, (size_t)g->branch[i]) < 0)
                g->branch[i] = g->options->missing >= CAIRN_TREE_MODE &&
                                       planned_branch(g, open, (size_t)usual) >= 0
                                   ? usual
                                   : -1;
    }
    size_branches(g, rows, open, n_branches);
    for (size_t b = n_branches; b-- > 0; total += g->sizes[b]) g->places[b] = total;
    CHECK(GROW(g->ctx, &g->new_rows, &g->new_capacity, total));
    if (g->weighted) CHECK(GROW(g->ctx, &g->new_weights, &g->new_weights_capacity, total));
    place_entries(g, rows, n_branches, g->places);
    CHECK(GROW(g->ctx, &g->rows, &g->rows_capacity, base + total));
    memcpy(g->rows + base, g->new_rows, total * sizeof *g->rows);
    if (g->weighted) {
        CHECK(GROW(g->ctx, &g->weights, &g->weights_capacity, base + total));
        memcpy(g->weights + base, g->new_weights, total * sizeof *g->weights);
    }
    g->n_entries = base + total;
    return push_branches(g, parent, open, g->sizes, n_branches);
}

/* Make the node an inner one. */
static cairn_status write_split(growth *g, cairn_tree_node *node, const cairn_split *split)
{
    cairn_tree_model *tree = g->tree;
    size_t n = cairn_split_branches(g->data, split);
    CHECK(GROW(g->ctx, &tree->links, &tree->links_capacity, tree->n_links + n + 1));
    node->column = split->column;
    node->test = (uint8_t)split->test;
    node->cut = split->cut;
    if (g->options->keeps_digits && split->test == CAIRN_TEST_CUT)
        node->digits = cairn_cut_digits(&g->data->columns[split->column], split, g->options->cut);
    node->gain = split->gain;
    node->level = split->test == CAIRN_TEST_LEVEL ? (int32_t)split->code : -1;
    if (split->test == CAIRN_TEST_SET) {
        node->n_levels = g->data->columns[split->column].n_codes;
        CHECK(cairn_tree_add_set(g->ctx, tree, split->sides, node->n_levels, &node->level));
    }
    node->n_branches = (int32_t)n;
    node->links = (uint32_t)tree->n_links;
    for (size_t b = 0; b <= n; b++) tree->links[tree->n_links++] = -1;
    return CAIRN_OK;
}

static cairn_status add_node(growth *g, const open_node *open, const cairn_tree_node *node)
{
    cairn_tree_model *tree = g->tree;
    if (tree->n_nodes >= INT32_MAX / 2)
        return cairn_fail(g->ctx, CAIRN_BAD_DATA,
                          "the tree has more than a thousand million nodes; limit it with "
                          "{max-depth}, {min-rows} or {max-leaves}");
    CHECK(GROW(g->ctx, &tree->nodes, &tree->nodes_capacity, tree->n_nodes + 1));
    if (tree->n_means) {
        CHECK(
            GROW(g->ctx, &tree->means, &tree->means_capacity, (tree->n_nodes + 1) * tree->n_means));
        memcpy(tree->means + tree->n_nodes * tree->n_means, g->vector,
               tree->n_means * sizeof *tree->means);
    }
    if (open->parent >= 0) tree->links[open->link] = (int32_t)tree->n_nodes;
    tree->nodes[tree->n_nodes++] = *node;
    return CAIRN_OK;
}

/* The first code whose number the cut leaves above. */
static uint32_t first_above(const cairn_binned_column *column, double cut, cairn_tree_cut form)
{
    uint32_t low = 0, high = column->n_codes;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        double value = column->values[middle];
        if (form == CAIRN_TREE_LT ? value < cut : value <= cut)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The split that the plan asks for, rated on the rows of the node. */
static const cairn_split *planned_split(growth *g, const cairn_node_rows *rows,
                                        const cairn_plan_node *planned)
{
    cairn_split *split = &g->planned_split;
    *split = (cairn_split){.column = planned->column, .test = planned->test};
    if (planned->test == CAIRN_TEST_CUT) {
        split->cut = planned->cut;
        split->next =
            first_above(&g->data->columns[planned->column], planned->cut, g->options->cut);
        split->code = split->next > 0 ? split->next - 1 : 0;
    } else if (planned->test == CAIRN_TEST_LEVEL) {
        split->code = (uint32_t)planned->level;
    } else if (planned->test == CAIRN_TEST_SET) {
        split->sides = planned->sides;
    }
    if (rows->n == 0) return split;
    size_t n =
        cairn_split_judged(g->cells, g->filled, g->data, g->options, rows, split, &g->spaces[0]);
    cairn_split_rate(split, g->data, g->options, g->cells, n,
                     cairn_split_unknown(g->data, g->options, &g->spaces[0]), &g->spaces[0]);
    return split;
}

/* A node of the plan: a leaf, or the given split. Somebody who looks sees all columns as well. */
static cairn_status follow_plan(growth *g, const open_node *open, cairn_node_rows *rows,
                                cairn_tree_node *node, const cairn_split **split)
{
    const cairn_plan_node *planned = &g->options->plan->nodes[open->plan];
    node->reason = CAIRN_LEAF_NONE;
    if (planned->kind == CAIRN_PLAN_LEAF) {
        /* The answer that the plan gives a leaf. */
        node->reason = planned->reject                                  ? CAIRN_LEAF_REJECTED
                       : planned->label >= 0 || !isnan(planned->number) ? CAIRN_LEAF_NAMED
                                                                        : CAIRN_LEAF_GIVEN;
        if (planned->label >= 0) {
            node->label = planned->label;
            node->error = node->weight > 0 ? node->weight - g->totals[node->label] : 0;
        }
        if (!isnan(planned->number)) {
            double off = node->mean - planned->number;
            node->error += node->weight * off * off;
            node->mean = planned->number;
        }
        return CAIRN_OK;
    }
    if (g->watching && rows->n > 0) CHECK(find_split(g, rows, open, split));
    *split = planned_split(g, rows, planned);
    for (size_t i = 0; i < g->n_columns; i++) /* the watcher knows the chosen one by its place */
        if (g->splits[i].column == planned->column) {
            g->splits[i] = **split;
            *split = &g->splits[i];
            break;
        }
    return CAIRN_OK;
}

/* Whether the options forbid the split that is the best; cells are counted only when they are
 * needed. */
static cairn_leaf_reason forbidden(growth *g, const cairn_node_rows *rows,
                                   const cairn_tree_node *node, const cairn_split *split)
{
    const cairn_grow_options *o = g->options;
    double tie = CAIRN_TREE_TIE * g->data->spread;
    if (split->score < o->min_gain - tie) return CAIRN_LEAF_MIN_GAIN;
    if (o->strict && !(split->gain > tie)) return CAIRN_LEAF_NO_GAIN;
    if (split->gain * node->weight < o->min_drop - tie) return CAIRN_LEAF_MIN_DROP;
    if (!(o->stop_leaf > 0) && !(o->split_level > 0)) return CAIRN_LEAF_NONE;
    size_t n = cairn_split_cells(g->cells, g->filled, g->data, o, rows, split, &g->spaces[0]);
    for (size_t b = 0; b < n; b++) {
        double weight = cairn_part_weight(g->data, g->cells + b * g->data->n_stats);
        if (weight > 0 && weight < o->stop_leaf * (1 - CAIRN_TREE_TIE))
            return CAIRN_LEAF_SMALL_BRANCH;
    }
    if (o->split_level > 0 &&
        g->data->criterion->chance(g->data, node, split->gain, g->cells, n) > o->split_level)
        return CAIRN_LEAF_CHANCE;
    return CAIRN_LEAF_NONE;
}

/* What becomes of a node: a leaf for a reason, or the best split. */
static cairn_status decide(growth *g, const open_node *open, cairn_node_rows *rows,
                           cairn_tree_node *node, bool pure, const cairn_split **split)
{
    node->reason = (uint8_t)early_leaf(g, node, open, pure);
    if (node->reason) return CAIRN_OK;
    CHECK(find_split(g, rows, open, split));
    node->reason = (uint8_t)(*split ? forbidden(g, rows, node, *split) : CAIRN_LEAF_NO_COLUMN);
    if (node->reason) *split = NULL;
    return CAIRN_OK;
}

/* Tests that stand in for that of the node; one with more than two branches has none. */
static cairn_status find_surrogates(growth *g, const cairn_node_rows *rows,
                                    const cairn_split *split, cairn_tree_node *node)
{
    g->surrogates.n = 0;
    if (split->test == CAIRN_TEST_LEVELS || rows->n == 0) return CAIRN_OK;
    CHECK(GROW(g->ctx, &g->branch, &g->branch_capacity, rows->n));
    cairn_node_branches(g->branch, g->data, g->options, rows, split, g->filled, &g->spaces[0]);
    cairn_surrogates_find(&g->surrogates, g->data, g->options, rows, split->column, g->branch,
                          &g->spaces[0]);
    return cairn_surrogates_store(g->ctx, &g->surrogates, g->tree, node, g->data, g->options->cut);
}

/* Whether the tree that --max-leaves left has a leaf in the place of the next node. */
static bool is_cut_off(const growth *g)
{
    return g->left && g->left->nodes[g->tree->n_nodes].reason == CAIRN_LEAF_MAX_LEAVES;
}

/* The node is added before its rows are divided: what comes next on the stack are its branches,
 * and a leaf gives its rows back at once. */
static cairn_status grow_node(growth *g, const open_node *open)
{
    cairn_node_rows rows = {
        .n = open->n, .rows = g->rows + g->n_entries - open->n, .stream = open->stream};
    cairn_tree_node node = {
        .column = -1, .parent = open->parent, .level = -1, .used_above = open->used};
    const cairn_split *split = NULL;
    bool pure = false;
    g->n_columns = 0;
    if (g->weighted) rows.weights = g->weights + g->n_entries - open->n;
    CHECK(total_node(g, &rows, &node, open, &pure));
    if (is_cut_off(g))
        node.reason = CAIRN_LEAF_MAX_LEAVES;
    else if (follows_plan(g, open))
        CHECK(follow_plan(g, open, &rows, &node, &split));
    else
        CHECK(decide(g, open, &rows, &node, pure, &split));
    if (split) CHECK(write_split(g, &node, split));
    if (split && g->options->missing == CAIRN_TREE_SURROGATE)
        CHECK(find_surrogates(g, &rows, split, &node));
    CHECK(add_node(g, open, &node));
    cairn_grow_event event = {.data = g->data,
                              .tree = g->tree,
                              .node = g->tree->n_nodes - 1,
                              .rows = &rows,
                              .splits = g->splits,
                              .n_splits = g->n_columns,
                              .gain_wanted = g->gain_wanted,
                              .chosen = split,
                              .space = &g->spaces[0]};
    if (g->watching) g->watching = g->options->watch(g->options->watch_data, &event);
    if (split)
        CHECK(divide(g, (int32_t)g->tree->n_nodes - 1, open, &rows, split));
    else
        g->n_entries -= open->n;
    return CAIRN_OK;
}

/* -- classes of few rows -- */

typedef struct few_classes {
    size_t n;
    int32_t *class; /* n: what they are called outside; NULL = as inside */
} few_classes;

enum { WORTH = 2 }; /* classes per row from which numbering pays */

/* Whether nothing that the options ask for depends on classes that no row has. */
static bool may_number(const cairn_binned *data, const cairn_grow_options *options)
{
    bool plain = !options->own_score && !options->plan && options->only_class == 0 &&
                 options->cell_add == 0 && !(options->cut_share > 0) &&
                 options->select == CAIRN_SELECT_SCORE && options->cut != CAIRN_TREE_DISCRIMINANT &&
                 (options->impurity == CAIRN_ENTROPY || options->impurity == CAIRN_GINI);
    return plain && data->n_classes / WORTH > data->n_rows;
}

/* Number the classes of `data`, which was taken from data with all of them, where that pays and the
 * options do not ask for a class or their number. Scratch. */
static cairn_status number_classes(cairn_context *ctx, few_classes *out, cairn_binned *data,
                                   const cairn_grow_options *options)
{
    int32_t *number = NULL;
    *out = (few_classes){0};
    if (!may_number(data, options)) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &number, data->n_classes));
    CHECK(SCRATCH_RAW(ctx, &out->class, data->n_rows));
    for (size_t i = 0; i < data->n_rows; i++) number[data->classes[i]] = 1;
    for (size_t l = 0; l < data->n_classes; l++) {
        if (!number[l]) continue;
        out->class[out->n] = (int32_t)l;
        number[l] = (int32_t)out->n++;
    }
    for (size_t i = 0; i < data->n_rows; i++) data->classes[i] = number[data->classes[i]];
    data->n_classes = data->n_stats = out->n;
    return CAIRN_OK;
}

/* Give the classes of a tree their names outside. */
static void restore_classes(const few_classes *few, cairn_tree_model *tree)
{
    if (!few->class) return;
    for (size_t i = 0; i < tree->n_nodes; i++)
        if (tree->nodes[i].label >= 0) tree->nodes[i].label = few->class[tree->nodes[i].label];
    for (size_t j = 0; j < tree->n_counts; j++) tree->classes[j] = few->class[tree->classes[j]];
}

/* -- subtrees as tasks -- */

/* A part small enough for one worker keeps copies of its rows, weights and used columns, and a
 * place in the tree where its own tree is put later. */
static cairn_status put_aside(growth *g, const open_node *open)
{
    cairn_tree_node holder = {.column = -1, .parent = open->parent};
    size_t first = g->n_entries - open->n, n_columns = g->data->n_columns;
    CHECK(GROW(g->ctx, &g->deferred, &g->deferred_capacity, g->n_deferred + 1));
    deferred *part = &g->deferred[g->n_deferred++];
    *part = (deferred){.node = (int32_t)g->tree->n_nodes,
                       .n = open->n,
                       .depth = open->depth,
                       .stream = open->stream,
                       .label = g->label_above};
    if (open->parent >= 0) part->label = g->tree->nodes[open->parent].label;
    CHECK(NEW_RAW(g->ctx, &part->rows, open->n));
    memcpy(part->rows, g->rows + first, open->n * sizeof *part->rows);
    if (g->weighted) {
        CHECK(NEW_RAW(g->ctx, &part->weights, open->n));
        memcpy(part->weights, g->weights + first, open->n * sizeof *part->weights);
    }
    if (g->levels) {
        list_columns(g, open);
        CHECK(NEW_RAW(g->ctx, &part->used, n_columns));
        memcpy(part->used, g->used, n_columns);
    }
    CHECK(add_node(g, open, &holder));
    g->n_entries = first;
    return CAIRN_OK;
}

static cairn_status grow_all(growth *g)
{
    size_t total = g->n_entries, seen = 0;
    while (g->n_open > 0) {
        open_node open = g->open[--g->n_open];
        if ((seen++ & 63) == 0 || open.n > TASK_ROWS)
            CHECK(cairn_tick(g->ctx, "growing", (double)(total - g->n_entries), (double)total));
        if (open.n > 0 && open.n <= g->put_aside && !g->watching && !g->left &&
            !follows_plan(g, &open))
            CHECK(put_aside(g, &open));
        else
            CHECK(grow_node(g, &open));
    }
    return CAIRN_OK;
}

static cairn_status grow_part(cairn_context *ctx, const growth *above, deferred *part,
                              size_t limit);

static cairn_status grow_deferred(cairn_context *ctx, void *data, size_t i)
{
    growth *g = data;
    size_t limit = g->data->n_classes > MANY_CLASSES && g->put_aside > FEW_ROWS ? FEW_ROWS : 0;
    return grow_part(ctx, g, &g->deferred[g->largest[i]],
                     g->put_aside > CACHE_ROWS ? CACHE_ROWS : limit);
}

/* Put the nodes of the subtrees where their place holders are. */
static cairn_status join_parts(growth *g)
{
    cairn_tree_model *top = g->tree;
    SCOPED(cairn_tree_clear) cairn_tree_model all = {.n_means = g->tree->n_means};
    int32_t *moved = NULL;
    size_t next = 0;
    CHECK(SCRATCH(g->ctx, &moved, top->n_nodes));
    for (size_t i = 0; i < top->n_nodes; i++) {
        moved[i] = (int32_t)all.n_nodes;
        if (next < g->n_deferred && g->deferred[next].node == (int32_t)i) {
            CHECK(cairn_tree_append(g->ctx, &all, &g->deferred[next].tree, 0,
                                    g->deferred[next].tree.n_nodes));
            cairn_tree_clear(&g->deferred[next++].tree);
        } else {
            CHECK(cairn_tree_append(g->ctx, &all, top, i, 1));
        }
    }
    for (size_t i = 0; i < top->n_nodes; i++) { /* links between nodes of the top */
        const cairn_tree_node *from = &top->nodes[i];
        cairn_tree_node *to = &all.nodes[moved[i]];
        to->parent = from->parent < 0 ? -1 : moved[from->parent];
        if (from->column < 0) continue;
        for (size_t b = 0; b <= (size_t)from->n_branches; b++) {
            int32_t child = top->links[from->links + b];
            all.links[to->links + b] = child < 0 ? -1 : moved[child];
        }
    }
    cairn_tree_clear(top);
    *top = all;
    all = (cairn_tree_model){0};
    return CAIRN_OK;
}

/* Grow from the open root; nodes of at most `limit` entries as tasks on copies of their rows. */
static cairn_status grow_from_root(growth *g, size_t limit, int64_t depth, uint64_t stream)
{
    g->put_aside = g->n_entries > limit ? limit : 0;
    CHECK(GROW(g->ctx, &g->open, &g->open_capacity, 1));
    g->open[g->n_open++] = (open_node){.n = g->n_entries,
                                       .depth = depth,
                                       .stream = stream,
                                       .parent = -1,
                                       .used = -1,
                                       .plan = g->planned ? 0 : -1};
    CHECK(grow_all(g));
    if (g->n_deferred == 0) return CAIRN_OK;
    /* The larger subtrees first (by powers of 2): no thread is left alone with one at the end. */
    size_t next = 0;
    CHECK(SCRATCH(g->ctx, &g->largest, g->n_deferred));
    for (size_t least = (size_t)1 << 31; least > 0; least /= 2)
        for (size_t i = 0; i < g->n_deferred; i++)
            if (g->deferred[i].n >= least && g->deferred[i].n / 2 < least)
                g->largest[next++] = (uint32_t)i;
    CHECK(cairn_tasks(g->ctx, g->n_deferred, grow_deferred, g));
    return join_parts(g);
}

/* A part is grown as a tree of its own on recoded rows, with the options and the random stream
 * that it would have had in place: threads do not change the result. */
static cairn_status grow_part(cairn_context *ctx, const growth *above, deferred *part, size_t limit)
{
    SCOPED_SCRATCH(ctx);
    cairn_binned data;
    few_classes few;
    cairn_fast fast;
    SCOPED(growth_clear)
    growth g = {.ctx = ctx,
                .options = above->options,
                .made = above->made,
                .whole_weight = above->whole_weight,
                .tree = &part->tree,
                .weighted = above->weighted,
                .used_above = part->used,
                .data = &data};
    part->tree.n_means = above->tree->n_means;
    CHECK(cairn_binned_take(ctx, &data, above->data, part->rows, part->n));
    CHECK(number_classes(ctx, &few, &data, above->options));
    /* The number inside of a class outside; -1 = no row has it. */
    int32_t class = part->label;
    size_t low = 0, high = few.n;
    if (!few.class) {
        g.label_above = class;
    } else {
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (few.class[middle] < class)
                low = middle + 1;
            else
                high = middle;
        }
        g.label_above = low < few.n && few.class[low] == class ? (int32_t)low : -1;
    }
    if (g.made && cairn_fast_buffer(&data)) {
        fast = *g.made;
        cairn_fast_classes(&fast, data.n_classes);
        g.fast = &fast;
    }
    CHECK(make_working_memory(&g, part->n));
    CHECK(start_entries(&g, part->weights, part->n));
    CHECK(grow_from_root(&g, limit, part->depth, part->stream));
    restore_classes(&few, &part->tree);
    return CAIRN_OK;
}

static void note_settings(cairn_tree_model *tree, const cairn_binned *data,
                          const cairn_grow_options *options)
{
    tree->n_classes = data->n_classes;
    tree->n_means = data->n_means;
    tree->cut_form = options->cut >= CAIRN_TREE_OBSERVED ? CAIRN_TREE_LE : (int32_t)options->cut;
    tree->missing = (int32_t)options->missing;
}

cairn_status cairn_tree_note(cairn_context *ctx, cairn_tree_model *tree, const cairn_binned *data,
                             const cairn_grow_options *options)
{
    note_settings(tree, data, options);
    CHECK(NEW(ctx, &tree->is_number, data->n_columns));
    for (size_t c = 0; c < data->n_columns; c++) {
        const cairn_binned_column *column = &data->columns[c];
        tree->is_number[c] = column->ordered ? 2 : column->is_number;
    }
    tree->n_columns = data->n_columns;
    return CAIRN_OK;
}

/* Grow a tree; `left` is what it has to become, NULL = that is not known yet. */
static cairn_status grow_tree(cairn_context *ctx, cairn_tree_model *out, const cairn_binned *data,
                              const cairn_grow_options *options, const cairn_tree_model *left)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(growth_clear)
    growth g = {
        .ctx = ctx, .options = options, .tree = out, .label_above = -1, .data = data, .left = left};
    cairn_fast fast;
    if (cairn_fast_fits(data, options)) {
        CHECK(cairn_fast_make(ctx, &fast, data, options));
        g.made = &fast;
        if (cairn_fast_buffer(data)) g.fast = &fast;
    }
    bool missing = false;
    for (size_t c = 0; c < data->n_columns; c++) missing |= data->columns[c].has_missing;
    bool divides = missing && options->missing == CAIRN_TREE_WEIGHTS;
    g.weighted = data->weights || divides || options->plan;
    CHECK(make_working_memory(&g, data->n_rows));
    CHECK(start_entries(&g, NULL, data->n_rows));
    for (size_t i = 0; options->above_average && i < data->n_rows; i++)
        g.whole_weight += cairn_binned_weight(data, i);
    note_settings(out, data, options); /* a watcher names branches */
    g.watching = options->watch != NULL;
    g.planned = options->plan != NULL;
    /* rows that are divided become many more, and many classes fewer: even few are worth tasks */
    bool early = divides || data->n_classes > MANY_CLASSES;
    size_t limit = early && data->n_rows <= TASK_ROWS ? CACHE_ROWS : TASK_ROWS;
    CHECK(grow_from_root(&g, limit, 0, 1));
    CHECK(cairn_tree_note(ctx, out, data, options));
    if (options->max_leaves > 0 && !left)
        CHECK(cairn_tree_limit(ctx, out, (size_t)options->max_leaves));
    return CAIRN_OK;
}

cairn_status cairn_tree_grow(cairn_context *ctx, cairn_tree_model *out, const cairn_binned *data,
                             const cairn_grow_options *options)
{
    cairn_grow_options unseen = *options;
    SCOPED(cairn_tree_clear) cairn_tree_model left = {0};
    if (!options->watch || options->max_leaves <= 0)
        return grow_tree(ctx, out, data, options, NULL);
    unseen.watch = NULL;
    CHECK(grow_tree(ctx, &left, data, &unseen, NULL));
    return grow_tree(ctx, out, data, options, &left);
}
