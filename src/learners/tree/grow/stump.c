/* SPDX-License-Identifier: MIT */
/* Stumps from sums.
 *
 * 1. For every number column, side by side, the weights of the classes are summed by code; of
 *    columns that are bits, all of a word at once, by the bits that are set.
 * 2. The codes in their order are the cuts: sums move from the right side to the left, and the
 *    impurity that is left decides, of equal cuts the first, then of equal columns the first.
 * 3. The sums on the two sides are the leaves.
 *
 * Cost: one pass over the rows per column, all of it in order. The sums of a column are those of
 * one worker, so that they do not depend on the threads. */
#include "learners/tree/grow/stump.h"
#include "learners/tree/grow/criterion.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

enum { MOST_CELLS = 1 << 20, BITS = 64 };

/* A piece of the search: a column, or a word of bit columns. */
typedef struct stump_item {
    bool is_word;
    uint32_t index;
} stump_item;

typedef struct stump_search {
    const cairn_binned *data;
    const cairn_grow_options *options;
    const double *weights; /* rows */
    stump_item *items;
    size_t n_items;
    double *totals;    /* classes */
    double least;      /* weight of a side */
    size_t buffer;     /* of a worker, in numbers */
    double *cells;     /* workers x room: sums by code and class */
    double *sides;     /* workers x 4 classes: the two sides, and what gains are found with */
    cairn_split *best; /* columns: the best cut of each */
    double *lefts;     /* columns x classes: what is below it */
} stump_search;

bool cairn_stump_fits(const cairn_binned *data, const cairn_grow_options *o)
{
    if (!data->n_classes || data->targets || data->n_means) return false;
    if (o->max_depth != 1 || o->plan || o->order || o->watch || o->draw || o->barred ||
        o->random_cuts || o->own_score || o->costs || o->cut_penalty || o->above_average ||
        o->only_class || o->score != CAIRN_TREE_REDUCTION || o->select != CAIRN_SELECT_SCORE ||
        o->cut == CAIRN_TREE_DISCRIMINANT || o->tie != CAIRN_TREE_FIRST || o->cell_add > 0 ||
        o->missing == CAIRN_TREE_SURROGATE || o->two_branches || o->strict || o->min_gain > 0 ||
        o->min_drop > 0 || o->stop_leaf > 0 || o->split_level > 0)
        return false;
    for (size_t c = 0; c < data->n_columns; c++) {
        const cairn_binned_column *column = &data->columns[c];
        if (!column->is_number || column->has_missing || column->width == CAIRN_ITEMS) return false;
        if (((size_t)column->n_codes + 1) * data->n_classes > MOST_CELLS) return false;
    }
    return true;
}

/* -- sums -- */

/* Sums by code and class; codes lie densely, so the sums of two rows seldom wait for each other. */
#define SUM_CODES(TYPE)                                                                            \
    for (size_t i = 0; i < data->n_rows; i++)                                                      \
    cells[((const TYPE *)column->codes)[i] * k + (size_t)data->classes[i]] += weights[i]

static void sum_codes(const cairn_binned *data, const double *weights, size_t c, double *cells)
{
    const cairn_binned_column *column = &data->columns[c];
    size_t k = data->n_classes;
    memset(cells, 0, ((size_t)column->n_codes + 1) * k * sizeof *cells);
    if (column->width == 1)
        SUM_CODES(uint8_t);
    else if (column->width == 2)
        SUM_CODES(uint16_t);
    else
        SUM_CODES(uint32_t);
}

/* Sums of the rows whose bit is set, bit by bit. */
static void sum_bits(const cairn_binned *data, const double *weights, size_t word, double *cells)
{
    const uint64_t *words = data->words[word];
    size_t k = data->n_classes;
    memset(cells, 0, BITS * k * sizeof *cells);
    for (size_t i = 0; i < data->n_rows; i++)
        for (uint64_t set = words[i]; set; set &= set - 1)
            cells[(size_t)__builtin_ctzll(set) * k + (size_t)data->classes[i]] += weights[i];
}

/* -- cuts -- */

/* Try the cut whose left side is in `left`; `merit` is that of the best so far. */
static void try_cut(const stump_search *s, size_t column, double *left, uint32_t code,
                    uint32_t next, double *merit)
{
    const cairn_binned *data = s->data;
    size_t k = data->n_classes;
    double *right = left + k;
    cairn_split *best = &s->best[column];
    cairn_part_subtract(data, right, s->totals, left);
    double a = cairn_part_weight(data, left), b = cairn_part_weight(data, right);
    if (!(a > 0) || !(b > 0) || a < s->least || b < s->least) return;
    double value = data->criterion->merit(data, s->options, left, 2, right + k);
    if (best->test != CAIRN_TEST_NONE && !(value > *merit + CAIRN_TREE_TIE * data->spread)) return;
    *merit = value;
    *best = (cairn_split){
        .column = (int32_t)column, .test = CAIRN_TEST_CUT, .code = code, .next = next, .cut = NAN};
    memcpy(s->lefts + column * k, left, k * sizeof *left);
}

static void search_codes(const stump_search *s, size_t c, const double *cells, double *left)
{
    size_t k = s->data->n_classes;
    uint32_t last = UINT32_MAX; /* the last code that has weight */
    double merit = 0;
    memset(left, 0, k * sizeof *left);
    for (uint32_t code = 0; code < s->data->columns[c].n_codes; code++) {
        const double *cell = cells + code * k;
        if (!(cairn_part_weight(s->data, cell) > 0)) continue;
        if (last != UINT32_MAX) try_cut(s, c, left, last, code, &merit);
        cairn_part_add(left, cell, 1, k);
        last = code;
    }
}

/* Columns of one word: code 0 is the set bit or the other one. */
static void search_bits(const stump_search *s, size_t word, const double *cells, double *left)
{
    const cairn_binned *data = s->data;
    size_t k = data->n_classes;
    for (size_t c = 0; c < data->n_columns; c++) {
        const cairn_binned_column *column = &data->columns[c];
        double merit = 0;
        if (column->width != 0 || column->word != word) continue;
        const double *set = cells + column->bit * k;
        if (column->flipped)
            memcpy(left, set, k * sizeof *left);
        else
            cairn_part_subtract(data, left, s->totals, set);
        if (cairn_part_weight(data, set) > 0) try_cut(s, c, left, 0, 1, &merit);
    }
}

static void search_block(void *work, size_t block, size_t begin, size_t end, int worker)
{
    const stump_search *s = work;
    double *cells = s->cells + (size_t)worker * s->buffer;
    double *left = s->sides + (size_t)worker * 4 * s->data->n_classes;
    (void)block;
    for (size_t i = begin; i < end; i++) {
        size_t at = s->items[i].index;
        if (s->items[i].is_word) {
            sum_bits(s->data, s->weights, at, cells);
            search_bits(s, at, cells, left);
        } else {
            sum_codes(s->data, s->weights, at, cells);
            search_codes(s, at, cells, left);
        }
    }
}

/* -- the search -- */

static cairn_status take_weights(cairn_context *ctx, stump_search *s)
{
    double *weights;
    s->weights = s->data->weights;
    if (s->weights) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &weights, s->data->n_rows));
    for (size_t i = 0; i < s->data->n_rows; i++) weights[i] = cairn_binned_weight(s->data, i);
    s->weights = weights;
    return CAIRN_OK;
}

/* Words of bits are the longest pieces and come first. */
static cairn_status open_search(cairn_context *ctx, stump_search *s)
{
    const cairn_binned *data = s->data;
    size_t k = data->n_classes, workers = (size_t)cairn_workers(ctx);
    s->buffer = BITS * k;
    CHECK(SCRATCH(ctx, &s->items, data->n_columns + data->n_words));
    for (size_t w = 0; w < data->n_words; w++)
        s->items[s->n_items++] = (stump_item){true, (uint32_t)w};
    for (size_t c = 0; c < data->n_columns; c++) {
        size_t cells = ((size_t)data->columns[c].n_codes + 1) * k;
        if (data->columns[c].width == 0) continue;
        s->items[s->n_items++] = (stump_item){false, (uint32_t)c};
        if (cells > s->buffer) s->buffer = cells;
    }
    CHECK(SCRATCH_RAW(ctx, &s->cells, cairn_product(workers, s->buffer)));
    CHECK(SCRATCH_RAW(ctx, &s->sides, workers * 4 * k));
    CHECK(SCRATCH(ctx, &s->best, data->n_columns + 1));
    CHECK(SCRATCH_RAW(ctx, &s->lefts, cairn_product(data->n_columns, k) + 1));
    CHECK(SCRATCH(ctx, &s->totals, 2 * k));
    for (size_t i = 0; i < data->n_rows; i++) s->totals[data->classes[i]] += s->weights[i];
    double known = cairn_part_weight(data, s->totals);
    s->least = cairn_cut_least(data, s->options, known) * (1 - CAIRN_TREE_TIE);
    return CAIRN_OK;
}

/* Gains of the best cuts of all columns; the first of the best ones, NULL = no column can split. */
static cairn_split *choose(const stump_search *s)
{
    const cairn_binned *data = s->data;
    size_t k = data->n_classes;
    double best = -INFINITY, *cells = s->sides;
    cairn_split_space space = {.total = s->sides + 2 * k};
    for (size_t c = 0; c < data->n_columns; c++) {
        if (s->best[c].test == CAIRN_TEST_NONE) continue;
        memcpy(cells, s->lefts + c * k, k * sizeof *cells);
        cairn_part_subtract(data, cells + k, s->totals, cells);
        cairn_split_rate(&s->best[c], data, s->options, cells, 2, 0, &space);
        if (s->best[c].score > best) best = s->best[c].score;
    }
    for (size_t c = 0; c < data->n_columns; c++)
        if (s->best[c].test != CAIRN_TEST_NONE &&
            s->best[c].score >= best - CAIRN_TREE_TIE * data->spread)
            return &s->best[c];
    return NULL;
}

/* -- the tree -- */

/* Whether one class weighs more than all others: which of equal ones is the answer, rows say. */
static bool has_label(const double *sums, size_t k)
{
    double most = 0;
    size_t ties = 0;
    for (size_t l = 0; l < k; l++) most = fmax(most, sums[l]);
    for (size_t l = 0; l < k; l++) ties += sums[l] >= most * (1 - CAIRN_TREE_TIE);
    return ties == 1;
}

/* Whether the root is to be split at all, and all three nodes have an answer. */
static bool is_plain(const stump_search *s, const cairn_split *split, double *sides)
{
    const cairn_binned *data = s->data;
    size_t k = data->n_classes, classes = 0;
    double weight = cairn_part_weight(data, s->totals), most = 0;
    for (size_t l = 0; l < k; l++) {
        classes += s->totals[l] > 0;
        most = fmax(most, s->totals[l]);
    }
    if (!split || classes < 2 || most >= s->options->purity * weight ||
        weight < s->options->min_rows * (1 - CAIRN_TREE_TIE))
        return false;
    memcpy(sides, s->lefts + (size_t)split->column * k, k * sizeof *sides);
    cairn_part_subtract(data, sides + k, s->totals, sides);
    return has_label(s->totals, k) && has_label(sides, k) && has_label(sides + k, k);
}

/* A node from its sums alone, with the reasons for which cairn_tree_grow ends. */
static cairn_status add_node(cairn_context *ctx, cairn_tree_model *tree, const stump_search *s,
                             double *sums, int32_t parent)
{
    cairn_node_rows rows = {0};
    cairn_tree_node node = {.column = -1, .parent = parent, .level = -1, .used_above = -1};
    cairn_node_job job = {.ctx = ctx,
                          .data = s->data,
                          .options = s->options,
                          .tree = tree,
                          .rows = &rows,
                          .sums = sums,
                          .counted = true,
                          .label_above = -1};
    bool pure = false;
    CHECK(s->data->criterion->leaf(&job, &node, &pure));
    if (parent >= 0)
        node.reason = pure                                                   ? CAIRN_LEAF_PURE
                      : sums[node.label] >= s->options->purity * node.weight ? CAIRN_LEAF_SHARE
                                                                             : CAIRN_LEAF_MAX_DEPTH;
    CHECK(GROW(ctx, &tree->nodes, &tree->nodes_capacity, tree->n_nodes + 1));
    tree->nodes[tree->n_nodes++] = node;
    return CAIRN_OK;
}

/* The root and its two leaves, whose sums are in `sides`. */
static cairn_status write_tree(cairn_context *ctx, cairn_tree_model *tree, const stump_search *s,
                               const cairn_split *split, double *sides)
{
    size_t k = s->data->n_classes;
    CHECK(add_node(ctx, tree, s, s->totals, -1));
    CHECK(GROW(ctx, &tree->links, &tree->links_capacity, 3));
    cairn_tree_node *root = &tree->nodes[0];
    root->column = split->column;
    root->test = CAIRN_TEST_CUT;
    root->cut = cairn_cut_between(&s->data->columns[split->column], split->code, split->next,
                                  s->options->cut);
    root->gain = split->gain;
    root->n_branches = 2;
    root->usual = cairn_part_weight(s->data, sides + k) > cairn_part_weight(s->data, sides);
    tree->links[0] = 1;
    tree->links[1] = 2;
    tree->links[2] = -1;
    tree->n_links = 3;
    CHECK(add_node(ctx, tree, s, sides, 0));
    return add_node(ctx, tree, s, sides + k, 0);
}

cairn_status cairn_stump_grow(cairn_context *ctx, cairn_tree_model *out, const cairn_binned *data,
                              const cairn_grow_options *options, bool *done)
{
    SCOPED_SCRATCH(ctx);
    stump_search s = {.data = data, .options = options};
    double *sides;
    *done = false;
    CHECK(SCRATCH(ctx, &sides, 2 * data->n_classes));
    CHECK(take_weights(ctx, &s));
    CHECK(open_search(ctx, &s));
    CHECK(cairn_blocks(ctx, s.n_items, 1, search_block, &s));
    const cairn_split *split = choose(&s);
    if (!is_plain(&s, split, sides)) return CAIRN_OK;
    CHECK(write_tree(ctx, out, &s, split, sides));
    *done = true;
    return cairn_tree_note(ctx, out, data, options);
}
