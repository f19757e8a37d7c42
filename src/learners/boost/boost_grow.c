/* SPDX-License-Identifier: MIT */
/* Growing one tree on derivatives.
 *
 * The rows of the tree lie in one array, leaf by leaf from left to right; splitting a leaf divides
 * its part of the array and keeps the order of the rows on either side. Every leaf that may still
 * be split knows its best split. The next one to be split is the one that gains most (best first),
 * or the first one of the highest level.
 *
 * Bins are kept for leaves that wait, so that those of a larger child are what the smaller one
 * leaves of its parent's; when they would take too much memory, they are added up again. */
#include "base/memory.h"
#include "base/sort_by.h"
#include "learners/boost/boost.h"
#include "parallel/parallel.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MANY_ROWS = 1 << 16, DIVIDED = 1 << 14 };

typedef struct leaf {
    size_t begin, end; /* of work->rows */
    int depth;
    int32_t parent; /* node above, -1 = none; it is its left or right child */
    bool is_right;
    cairn_boost_bin *bins;  /* NULL = not kept */
    cairn_boost_bin *items; /* the same of items */
    cairn_boost_bin sums;
    cairn_boost_limits limits;
    cairn_boost_split split;
    uint8_t *sides; /* of the levels of its split's column */
} leaf;

typedef struct growth {
    cairn_context *ctx;
    cairn_boost_work *work;
    cairn_boost_model *model;
    leaf *leaves;
    size_t n_leaves, most_leaves;
    uint32_t *waiting; /* most_leaves: those that can be split, the next one first */
    size_t n_waiting;
    int most_depth; /* 0 = no limit */
    size_t first_node, first_leaf;
    size_t output;   /* that the tree is for */
    uint32_t *codes; /* most_leaves: per node of the tree, the last code on the left */
    cairn_boost_bin **free_bins;
    size_t n_free, n_bins_made, most_bins;
    cairn_boost_bin *passing; /* bins of a leaf that keeps none */
    uint8_t *sides;           /* n_bins + n_orders + CODES */
} growth;

/* -- bins -- */

/* The same for items, if the leaf has so many rows that most bins have some. They stay for the next
 * tree. */
static cairn_status take_item_bins(growth *g, const leaf *at, cairn_boost_bin **out)
{
    cairn_boost_items *items = &g->work->items;
    double entries = (double)items->n_entries * (double)(at->end - at->begin) / (double)g->work->n;
    *out = NULL;
    if (at->parent >= 0 && entries < (double)items->n_bins / 2) return CAIRN_OK;
    if (items->n_free == 0 && items->n_made < items->most_made) {
        CHECK(NEW_RAW(g->ctx, &items->pool[0], items->n_bins));
        items->made[items->n_made++] = items->pool[0];
        items->n_free = 1;
    }
    if (items->n_free > 0) *out = items->pool[--items->n_free];
    return CAIRN_OK;
}

static void give_back(growth *g, leaf *of)
{
    cairn_boost_items *items = &g->work->items;
    if (of->bins) g->free_bins[g->n_free++] = of->bins;
    if (of->items) items->pool[items->n_free++] = of->items;
    of->bins = of->items = NULL;
}

/* -- leaves -- */

static cairn_boost_bin sum_rows(const cairn_boost_work *work)
{
    cairn_boost_bin sums = {0};
    for (size_t i = 0; i < work->n_rows; i++) {
        cairn_boost_bin at = cairn_boost_gradient(work, work->rows[i]);
        sums.g += at.g;
        sums.hw += at.hw;
    }
    return sums;
}

static bool may_split(const growth *g, const leaf *at)
{
    if (g->most_depth > 0 && at->depth >= g->most_depth) return false;
    return at->end - at->begin > 1 &&
           cairn_boost_total_of(g->work, at->sums).w >= 2 * g->work->params->min_leaf * (1 - 1e-11);
}

/* The best split of a leaf, from `bins`; levels and their sides are noted. */
static cairn_status search(growth *g, leaf *at, cairn_boost_bins bins)
{
    CHECK(cairn_boost_search(g->ctx, g->work, bins, at->sums, at->limits, &at->split, g->sides));
    if (!at->split.found) return CAIRN_OK;
    const cairn_boost_column *column = &g->work->columns[at->split.column];
    if (column->is_number) return CAIRN_OK;
    CHECK(SCRATCH_RAW(g->ctx, &at->sides, (size_t)column->n_codes + 1));
    memcpy(at->sides, g->sides + column->order, (size_t)column->n_codes + 1);
    return CAIRN_OK;
}

/* Add up the rows of a leaf, in bins that it keeps if it can; what it has already stays. */
static cairn_status count_leaf(growth *g, leaf *at, cairn_boost_bins *bins)
{
    const uint32_t *rows = g->work->rows + at->begin;
    size_t n = at->end - at->begin;
    const cairn_boost_items *items = &g->work->items;
    bool lanes = !at->bins, lists = items->n_live && !at->items;
    if (lanes) {
        /* Bins for one more leaf; NULL when there are too many already. */
        at->bins = NULL;
        if (g->n_free > 0) {
            at->bins = g->free_bins[--g->n_free];
        } else if (g->n_bins_made != g->most_bins) {
            g->n_bins_made++;
            CHECK(SCRATCH_RAW(g->ctx, &at->bins, g->work->n_bins));
        }
    }
    if (lists) CHECK(take_item_bins(g, at, &at->items));
    *bins = (cairn_boost_bins){.lanes = at->bins ? at->bins : g->passing,
                               .items = at->items ? at->items : items->passing,
                               .touched = at->items ? NULL : items->touched};
    if (lanes) CHECK(cairn_boost_count(g->ctx, g->work, bins->lanes, rows, n));
    if (lists) CHECK(cairn_boost_count_items(g->ctx, g->work, *bins, rows, n));
    return CAIRN_OK;
}

/* After a leaf has been looked at: bins that it does not need, and those that it passed through. */
static void leave(growth *g, leaf *at, cairn_boost_bins bins)
{
    if (g->work->items.n_live && bins.touched) cairn_boost_forget(g->work, bins);
    if (!at->split.found) give_back(g, at);
}

/* The split of a leaf, whose bins are added up unless it has them from its parent. */
static cairn_status look_at(growth *g, leaf *at)
{
    cairn_boost_bins bins;
    if (!may_split(g, at)) return CAIRN_OK;
    CHECK(count_leaf(g, at, &bins));
    CHECK(search(g, at, bins));
    leave(g, at, bins);
    return CAIRN_OK;
}

/* Two new leaves: rows of the smaller one are added up, and the larger one gets what they leave of
 * the parent's bins, unless these were not kept. */
static cairn_status look_at_both(growth *g, leaf *small, leaf *large, leaf *parent)
{
    cairn_boost_bins bins;
    if (!may_split(g, large)) give_back(g, parent);
    if (!parent->bins && !parent->items) {
        CHECK(look_at(g, small));
        return look_at(g, large);
    }
    CHECK(count_leaf(g, small, &bins));
    if (parent->bins) {
        /* Less the rows of a part. */
        cairn_boost_bin *from = parent->bins;
        const cairn_boost_bin *part = bins.lanes;
        for (size_t b = 0; b < g->work->n_bins; b++) {
            from[b].g -= part[b].g;
            from[b].hw -= part[b].hw;
        }
    }
    if (parent->items) cairn_boost_subtract_items(g->work, parent->items, bins);
    large->bins = parent->bins;
    large->items = parent->items;
    if (may_split(g, small)) CHECK(search(g, small, bins));
    leave(g, small, bins);
    return look_at(g, large);
}

/* -- which leaf is next -- */

/* Whether leaf a is split before leaf b. */
static bool comes_first(const growth *g, uint32_t a, uint32_t b)
{
    const leaf *x = &g->leaves[a], *y = &g->leaves[b];
    if (g->work->params->grow == CAIRN_BOOST_DEPTH && x->depth != y->depth)
        return x->depth < y->depth;
    if (g->work->params->grow == CAIRN_BOOST_BEST && x->split.gain != y->split.gain)
        return x->split.gain > y->split.gain;
    return x->begin < y->begin;
}

/* Leaves that can be split wait in a heap: none comes before the one above it. */
static void enqueue(growth *g, uint32_t leaf_number)
{
    if (!g->leaves[leaf_number].split.found) return;
    size_t at = g->n_waiting++;
    for (; at > 0 && comes_first(g, leaf_number, g->waiting[(at - 1) / 2]); at = (at - 1) / 2)
        g->waiting[at] = g->waiting[(at - 1) / 2];
    g->waiting[at] = leaf_number;
}

static uint32_t take_next(growth *g)
{
    uint32_t first = g->waiting[0], last = g->waiting[--g->n_waiting];
    size_t at = 0;
    for (size_t child = 1; child < g->n_waiting; child = 2 * at + 1) {
        child +=
            child + 1 < g->n_waiting && comes_first(g, g->waiting[child + 1], g->waiting[child]);
        if (!comes_first(g, g->waiting[child], last)) break;
        g->waiting[at] = g->waiting[child];
        at = child;
    }
    g->waiting[at] = last;
    return first;
}

/* -- splitting -- */

/* For every code that the rows have, of the column or of its lane, whether they go left. */
static void find_lefts(const growth *g, const leaf *at, uint8_t *lefts)
{
    const cairn_boost_split *split = &at->split;
    const cairn_boost_column *column = &g->work->columns[split->column];
    uint32_t n = column->part ? g->work->lane_codes[column->lane] : column->n_codes + 1;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = column->part ? column->part[i] : i;
        if (v == column->n_codes)
            lefts[i] = !split->missing_right;
        else if (column->is_number)
            lefts[i] = v <= split->code;
        else
            lefts[i] = at->sides[v] ? at->sides[v] == 1 : !split->missing_right;
    }
}

typedef struct dividing {
    const cairn_boost_column *column;
    const uint8_t *lefts;
    uint32_t *rows, *space; /* of the leaf */
    size_t *counts;         /* of every block: rows that go left; *befores: of those before it */
    size_t *befores;
    size_t n_left;
} dividing;

static inline uint8_t side_of(const dividing *d, size_t row)
{
    return d->lefts[d->column->quads ? d->column->quads[row] : d->column->codes[row]];
}

/* Which side a row takes cannot be foreseen: it is written to both, and only one of them counts.
 * Returns how many go left. */
static size_t divide_few(const dividing *d, size_t n)
{
    size_t left = 0, n_right = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t row = d->rows[i];
        uint8_t goes = side_of(d, row);
        d->rows[left] = row;
        d->space[n_right] = row;
        left += goes;
        n_right += !goes;
    }
    memcpy(d->rows + left, d->space, n_right * sizeof *d->rows);
    return left;
}

/* Many rows are divided in blocks: those that go left are put at the begin of the block's part of
 * `space`, the others at its end in reverse. */
static void split_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const dividing *d = data;
    size_t left = begin, right = end - 1;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        uint32_t row = d->rows[i];
        uint8_t goes = side_of(d, row);
        d->space[goes ? left : right] = row;
        left += goes;
        right -= !goes;
    }
    d->counts[block] = left - begin;
}

/* Then every block knows where its rows go. */
static void place_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const dividing *d = data;
    size_t n = d->counts[block], before = d->befores[block];
    uint32_t *right = d->rows + d->n_left + (begin - before);
    (void)worker;
    memcpy(d->rows + before, d->space + begin, n * sizeof *d->rows);
    for (size_t i = end; i > begin + n; i--) *right++ = d->space[i - 1];
}

/* Rows of the left child first, both in their order; `middle` is where the right ones begin. */
static cairn_status divide(growth *g, const leaf *at, size_t *middle)
{
    dividing d = {.column = &g->work->columns[at->split.column],
                  .lefts = g->sides,
                  .rows = g->work->rows + at->begin,
                  .space = g->work->space};
    size_t n = at->end - at->begin;
    find_lefts(g, at, g->sides);
    if (d.column->list != CAIRN_BOOST_NONE)
        d.n_left = cairn_boost_divide_list(g->work, d.column, g->sides, d.rows, n);
    else if (n > MANY_ROWS) {
        SCOPED_SCRATCH(g->ctx);
        size_t blocks = cairn_block_count(n, DIVIDED);
        CHECK(SCRATCH_RAW_EACH(g->ctx, blocks, &d.counts, &d.befores));
        CHECK(cairn_blocks(g->ctx, n, DIVIDED, split_block, &d));
        for (size_t b = 0; b < blocks; b++) {
            d.befores[b] = d.n_left;
            d.n_left += d.counts[b];
        }
        CHECK(cairn_blocks(g->ctx, n, DIVIDED, place_block, &d));
    } else
        d.n_left = divide_few(&d, n);
    *middle = at->begin + d.n_left;
    return CAIRN_OK;
}

double cairn_boost_cut(const cairn_boost_column *column, const cairn_boost_split *split)
{
    if (split->next == split->code) return DBL_MAX;
    double low = column->highs ? column->highs[split->code] : column->values[split->code];
    double high = column->values[split->next], middle = low / 2 + high / 2;
    return middle >= low && middle < high ? middle : low;
}

static cairn_status add_set(growth *g, const cairn_boost_column *column, const uint8_t *sides,
                            int32_t *out)
{
    cairn_boost_model *m = g->model;
    size_t n = column->n_codes;
    if (m->n_sets + n + 1 > INT32_MAX)
        return cairn_fail(g->ctx, CAIRN_USAGE,
                          "the trees have too many sets of levels; use fewer {rounds}");
    CHECK(GROW(g->ctx, &m->sets, &m->sets_buffer, m->n_sets + n + 1));
    *out = (int32_t)m->n_sets;
    m->sets[m->n_sets++] = (int32_t)n;
    for (size_t v = 0; v < n; v++) m->sets[m->n_sets++] = sides[v];
    return CAIRN_OK;
}

static void link_to(growth *g, const leaf *at, int32_t reference)
{
    if (at->parent < 0) {
        g->model->roots[g->model->n_trees] = reference;
        return;
    }
    cairn_boost_node *node = &g->model->nodes[at->parent];
    if (at->is_right)
        node->right = reference;
    else
        node->left = reference;
}

/* A leaf becomes a node of the model. */
static cairn_status add_node(growth *g, const leaf *at, int32_t *number)
{
    cairn_boost_model *m = g->model;
    const cairn_boost_split *split = &at->split;
    const cairn_boost_column *column = &g->work->columns[split->column];
    cairn_boost_history *history = g->work->history;
    int32_t set = -1;
    if (!column->is_number) CHECK(add_set(g, column, at->sides, &set));
    CHECK(GROW(g->ctx, &m->nodes, &m->nodes_buffer, m->n_nodes + 1));
    CHECK(GROW(g->ctx, &m->cuts, &m->cuts_buffer, m->n_nodes + 1));
    *number = (int32_t)m->n_nodes;
    m->cuts[m->n_nodes] = column->is_number ? cairn_boost_cut(column, split) : 0;
    m->nodes[m->n_nodes] = (cairn_boost_node){
        .column = split->column, .set = set, .missing_right = split->missing_right};
    g->codes[m->n_nodes - g->first_node] = split->code;
    m->n_nodes++;
    link_to(g, at, *number);
    history->gains[split->column] += split->gain;
    history->splits[split->column]++;
    return CAIRN_OK;
}

/* What constraints leave to the children: neither may pass the middle of their values, and the
 * columns below must have a set in common with all above. */
static void limit(const cairn_boost_work *work, const cairn_boost_split *split, leaf *left,
                  leaf *right)
{
    double middle = split->left_value / 2 + split->right_value / 2;
    int monotone = work->columns[split->column].monotone;
    if (work->sets) {
        left->limits.tested = right->limits.tested = true;
        left->limits.sets = right->limits.sets &= work->sets[split->column];
        if (!work->sets[split->column]) left->limits.only = right->limits.only = split->column;
    }
    if (monotone > 0) {
        left->limits.high = right->limits.low = middle;
    } else if (monotone < 0) {
        left->limits.low = right->limits.high = middle;
    }
}

/* A leaf becomes a node with two leaves: the left one takes its place, the right one is put last.
 * Their splits are looked for unless the tree has no room for more leaves. */
static cairn_status split_leaf(growth *g, size_t i)
{
    leaf at = g->leaves[i], *left = &g->leaves[i], *right = &g->leaves[g->n_leaves];
    int32_t number;
    size_t middle;
    cairn_boost_show_split(g->work, &(cairn_boost_choice){.number = g->n_leaves,
                                                          .output = g->output,
                                                          .rows = g->work->rows + at.begin,
                                                          .n = at.end - at.begin,
                                                          .sums = at.sums,
                                                          .limits = at.limits,
                                                          .split = &at.split});
    CHECK(add_node(g, &at, &number));
    CHECK(divide(g, &at, &middle));
    *left = (leaf){.begin = at.begin,
                   .end = middle,
                   .depth = at.depth + 1,
                   .parent = number,
                   .limits = at.limits};
    *right = (leaf){.begin = middle,
                    .end = at.end,
                    .depth = at.depth + 1,
                    .parent = number,
                    .is_right = true,
                    .limits = at.limits};
    left->sums = at.split.left;
    right->sums = at.split.right;
    limit(g->work, &at.split, left, right);
    g->n_leaves++;
    if (g->n_leaves == g->most_leaves) {
        give_back(g, &at);
        return CAIRN_OK;
    }
    bool left_small = middle - at.begin <= at.end - middle;
    CHECK(look_at_both(g, left_small ? left : right, left_small ? right : left, &at));
    enqueue(g, (uint32_t)i);
    enqueue(g, (uint32_t)g->n_leaves - 1);
    return CAIRN_OK;
}

/* -- the whole tree -- */

/* Room for the tree, and its root as a leaf with all rows. */
static cairn_status start(growth *g)
{
    cairn_boost_model *m = g->model;
    cairn_boost_bin sums = sum_rows(g->work);
    /* How large the tree may become: as the options say, and as its rows (of weight `weight`)
     * allow. */
    double weight = cairn_boost_total_of(g->work, sums).w;
    const cairn_boost_params *p = g->work->params;
    size_t n = g->work->n_rows, bytes = g->work->n_bins * sizeof(cairn_boost_bin);
    g->most_depth = p->max_depth ? p->max_depth : p->grow == CAIRN_BOOST_DEPTH ? 6 : 0;
    g->most_leaves = n < 1 ? 1 : n;
    if (p->grow == CAIRN_BOOST_BEST && p->max_leaves && (size_t)p->max_leaves < n)
        g->most_leaves = (size_t)p->max_leaves;
    if (g->most_depth && g->most_depth < 30 && g->most_leaves > (size_t)1 << g->most_depth)
        g->most_leaves = (size_t)1 << g->most_depth;
    if (weight < p->min_leaf * (double)(g->most_leaves - 1))
        g->most_leaves = 1 + (size_t)(weight / p->min_leaf);
    g->most_bins = 2 + CAIRN_BOOST_KEPT_BYTES / (bytes + 1);
    if (g->most_bins > g->most_leaves + 1) g->most_bins = g->most_leaves + 1;
    if (m->n_nodes + g->most_leaves > CAIRN_BOOST_MOST)
        return cairn_fail(g->ctx, CAIRN_USAGE,
                          "the trees have too many nodes; use fewer {rounds} or {max-leaves}");
    g->first_node = m->n_nodes;
    g->first_leaf = m->n_leaves;
    CHECK(GROW(g->ctx, &m->roots, &m->roots_buffer, m->n_trees + 1));
    CHECK(SCRATCH_RAW(g->ctx, &g->leaves, g->most_leaves + 1));
    CHECK(SCRATCH_RAW_EACH(g->ctx, g->most_leaves, &g->waiting, &g->codes));
    CHECK(SCRATCH_RAW(g->ctx, &g->free_bins, g->most_bins + 1));
    CHECK(SCRATCH_RAW(g->ctx, &g->passing, g->work->n_bins));
    CHECK(SCRATCH_RAW(g->ctx, &g->sides, g->work->n_bins + g->work->n_orders + CAIRN_BOOST_CODES));
    g->n_leaves = 1;
    g->leaves[0] = (leaf){.end = g->work->n_rows,
                          .parent = -1,
                          .sums = sums,
                          .limits = {-INFINITY, INFINITY, UINT64_MAX, false, -1}};
    if (g->most_leaves > 1) CHECK(look_at(g, &g->leaves[0]));
    enqueue(g, 0);
    return CAIRN_OK;
}

static bool lies_left(const void *a, const void *b, const void *data)
{
    (void)data;
    return ((const leaf *)a)->begin < ((const leaf *)b)->begin;
}

/* Values of the leaves, shrunken by the learning rate. */
static cairn_status settle_leaves(growth *g, size_t output)
{
    cairn_boost_model *m = g->model;
    const cairn_boost_work *work = g->work;
    CHECK(GROW(g->ctx, &m->values, &m->leaves_buffer, m->n_leaves + g->n_leaves));
    for (size_t i = 0; i < g->n_leaves; i++) {
        const leaf *at = &g->leaves[i];
        double value =
            cairn_boost_value(work->params, cairn_boost_total_of(work, at->sums), at->limits);
        if (cairn_boost_asks_rows(work))
            CHECK(cairn_boost_leaf_of_rows(g->ctx, &value, work, work->rows + at->begin,
                                           at->end - at->begin, output));
        link_to(g, at, ~(int32_t)m->n_leaves);
        m->values[m->n_leaves++] = work->params->eta * value;
    }
    return CAIRN_OK;
}

/* The leaf of a row by its codes, in the tree that has just been grown. */
static size_t leaf_of(const growth *g, uint32_t row)
{
    const cairn_boost_model *m = g->model;
    int32_t at = m->roots[m->n_trees];
    while (at >= 0) {
        const cairn_boost_node *node = &m->nodes[at];
        const cairn_boost_column *column = &g->work->columns[node->column];
        uint32_t code = cairn_boost_code(g->work, column, row);
        bool right = node->missing_right;
        if (code < column->n_codes && node->set < 0)
            right = code > g->codes[(size_t)at - g->first_node];
        else if (code < column->n_codes && m->sets[(size_t)node->set + 1 + code])
            right = m->sets[(size_t)node->set + 1 + code] == 2;
        at = right ? node->right : node->left;
    }
    return (size_t)~at;
}

typedef struct adding {
    const growth *g;
    double *scores;
} adding;

static cairn_status add_leaf(cairn_context *ctx, void *data, size_t l)
{
    const adding *a = data;
    const leaf *at = &a->g->leaves[l];
    double value = a->g->model->values[a->g->first_leaf + l];
    (void)ctx;
    for (size_t i = at->begin; i < at->end; i++) a->scores[a->g->work->rows[i]] += value;
    return CAIRN_OK;
}

/* Add the tree to the sums: rows that it was grown on are known by leaf, others are asked. */
static cairn_status add_to_scores(const growth *g, size_t output)
{
    const cairn_boost_work *work = g->work;
    adding a = {g, work->scores + output * work->n};
    CHECK(cairn_tasks_sized(g->ctx, g->n_leaves, 4 * (double)work->n_rows, add_leaf, &a));
    if (work->n_rows == work->n) return CAIRN_OK;
    memset(work->space, 0, work->n * sizeof *work->space);
    for (size_t i = 0; i < work->n_rows; i++) work->space[work->rows[i]] = 1;
    for (size_t i = 0; i < work->n; i++)
        if (!work->space[i]) a.scores[i] += g->model->values[leaf_of(g, (uint32_t)i)];
    return CAIRN_OK;
}

static cairn_status show(const growth *g, size_t output)
{
    uint32_t *begins;
    if (!g->work->job->steps) return CAIRN_OK;
    CHECK(SCRATCH_RAW(g->ctx, &begins, g->n_leaves + 1));
    for (size_t l = 0; l < g->n_leaves; l++) begins[l] = (uint32_t)g->leaves[l].begin;
    begins[g->n_leaves] = (uint32_t)g->work->n_rows;
    cairn_boost_show_tree(g->work, output, g->first_leaf, begins);
    return CAIRN_OK;
}

cairn_status cairn_boost_grow_tree(cairn_context *ctx, cairn_boost_work *work, size_t output)
{
    SCOPED_SCRATCH(ctx);
    growth g = {.ctx = ctx, .work = work, .model = work->model, .output = output};
    cairn_boost_show_round(work, output);
    CHECK(start(&g));
    while (g.n_leaves < g.most_leaves && g.n_waiting > 0) CHECK(split_leaf(&g, take_next(&g)));
    CHECK(cairn_sort_by(ctx, g.leaves, g.n_leaves, sizeof *g.leaves, lies_left, NULL));
    CHECK(settle_leaves(&g, output));
    CHECK(show(&g, output));
    CHECK(add_to_scores(&g, output));
    work->model->n_trees++;
    return CAIRN_OK;
}
