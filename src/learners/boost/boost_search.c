/* SPDX-License-Identifier: MIT */
/* The best split of a node by sums of derivatives.
 *
 * A loss that is nearly a parabola, G v + H v^2 / 2, is least at v = -G / (H + l2), where it has
 * fallen by G^2 / (H + l2) / 2; a split gains what its parts fall more than the whole (the half is
 * left out). Rows are added up once per node in bins, one for every code of every column; of two
 * children only the smaller one is, the bins of the other are what is left of the parent's.
 *
 * Numbers are cut between two bins, missing cells being tried on both sides. Levels, a missing cell
 * being one of them, are sorted by what they ask for, G / (H + smoothing), and cut in that order:
 * for a parabola the best of all sets is among those.
 *
 * Columns are looked at side by side, every one by one thread, so sums do not depend on the
 * threads. Cost: O(rows x columns) per node and O(bins) to search. */
#include "base/memory.h"
#include "base/sort_by.h"
#include "learners/boost/boost.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

enum { BLOCK = 8192 };

/* Weights below this part of the node's are what rounding left of an empty bin. */
static const double nothing = 1e-11;

/* -- leaves -- */

double cairn_boost_shrunk(double g, double l1)
{
    return g > l1 ? g - l1 : g < -l1 ? g + l1 : 0;
}

double cairn_boost_value(const cairn_boost_params *p, cairn_boost_bin sums,
                         cairn_boost_limits limits)
{
    double by = sums.h + p->l2, value = by > 0 ? -cairn_boost_shrunk(sums.g, p->l1) / by : 0;
    return fmin(fmax(value, limits.low), limits.high);
}

double cairn_boost_worth(const cairn_boost_params *p, cairn_boost_bin sums,
                         cairn_boost_limits limits)
{
    double g = cairn_boost_shrunk(sums.g, p->l1), by = sums.h + p->l2;
    if (!(by > 0)) return 0;
    if (limits.low == -INFINITY && limits.high == INFINITY) return g * g / by;
    double value = cairn_boost_value(p, sums, limits);
    return -(2 * g * value + by * value * value);
}

/* -- adding up -- */

typedef struct counting {
    const cairn_boost_work *work;
    cairn_boost_bin *bins;
    const uint32_t *rows;
    const cairn_boost_bin *entries; /* derivatives and weights of these rows, in their order */
    size_t n;
} counting;

/* Two loops, so that the width of a code is not asked for in every row. */
static cairn_status count_column(cairn_context *ctx, void *data, size_t c)
{
    const counting *job = data;
    const cairn_boost_column *column = &job->work->columns[c];
    cairn_boost_bin *bins = job->bins + column->first;
    const cairn_boost_bin *entries = job->entries;
    const uint32_t *rows = job->rows;
    (void)ctx;
    if (job->work->barred[c]) return CAIRN_OK;
    memset(bins, 0, ((size_t)column->n_codes + 1) * sizeof *bins);
    for (size_t i = 0; column->bytes && i < job->n; i++) {
        cairn_boost_bin *bin = &bins[column->bytes[rows[i]]];
        bin->g += entries[i].g;
        bin->h += entries[i].h;
        bin->w += entries[i].w;
    }
    for (size_t i = 0; column->quads && i < job->n; i++) {
        cairn_boost_bin *bin = &bins[column->quads[rows[i]]];
        bin->g += entries[i].g;
        bin->h += entries[i].h;
        bin->w += entries[i].w;
    }
    return CAIRN_OK;
}

typedef struct gathering {
    const cairn_boost_work *work;
    const uint32_t *rows;
    cairn_boost_bin *entries;
} gathering;

static void gather_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const gathering *g = data;
    (void)block, (void)worker;
    for (size_t i = begin; i < end; i++) {
        uint32_t row = g->rows[i];
        cairn_gradient at = g->work->gradients[row];
        g->entries[i] = (cairn_boost_bin){at.g, at.h, g->work->weights[row]};
    }
}

/* Derivatives are brought together once, not once for every column. */
cairn_status cairn_boost_count(cairn_context *ctx, const cairn_boost_work *work,
                               cairn_boost_bin *bins, const uint32_t *rows, size_t n)
{
    gathering g = {work, rows, work->entries};
    counting job = {work, bins, rows, work->entries, n};
    CHECK(cairn_blocks_sized(ctx, n, BLOCK, 4 * (double)n, gather_block, &g));
    return cairn_tasks_sized(ctx, work->n_columns, 2 * (double)n * (double)work->n_columns,
                             count_column, &job);
}

/* -- searching -- */

typedef struct searching {
    const cairn_boost_work *work;
    const cairn_boost_bin *bins;
    cairn_boost_bin total;
    cairn_boost_limits limits;
    double worth;            /* of the whole node */
    double little;           /* weight that counts as none */
    cairn_boost_split *best; /* of every column */
    uint32_t *order;         /* n_bins: levels in their order */
} searching;

static cairn_boost_bin plus(cairn_boost_bin a, cairn_boost_bin b)
{
    return (cairn_boost_bin){a.g + b.g, a.h + b.h, a.w + b.w};
}

static cairn_boost_bin minus(cairn_boost_bin a, cairn_boost_bin b)
{
    return (cairn_boost_bin){a.g - b.g, a.h - b.h, a.w - b.w};
}

static bool large_enough(const searching *s, cairn_boost_bin part)
{
    const cairn_boost_params *p = s->work->params;
    return part.w > s->little && part.w >= p->min_leaf * (1 - nothing) && part.h >= p->min_hessian;
}

/* Whether a split with these parts is better than the best so far of its column; then it becomes
 * that. Gains that differ by rounding only are ties, which the first one wins. */
static bool try_parts(const searching *s, int monotone, cairn_boost_bin left,
                      cairn_boost_split *best)
{
    const cairn_boost_params *p = s->work->params;
    cairn_boost_bin right = minus(s->total, left);
    if (!large_enough(s, left) || !large_enough(s, right)) return false;
    double gain =
        cairn_boost_worth(p, left, s->limits) + cairn_boost_worth(p, right, s->limits) - s->worth;
    double size = fmax(1e-300, fabs(s->worth) + fabs(gain));
    if (!(gain > p->min_gain + CAIRN_TREE_TIE * size) || !isfinite(gain)) return false;
    if (best->found && !(gain > best->gain + CAIRN_TREE_TIE * size)) return false;
    double a = cairn_boost_value(p, left, s->limits), b = cairn_boost_value(p, right, s->limits);
    if ((monotone > 0 && a > b) || (monotone < 0 && a < b)) return false;
    best->found = true;
    best->gain = gain;
    best->left = left;
    best->right = right;
    best->left_value = a;
    best->right_value = b;
    return true;
}

/* All cuts of a number column, with missing cells on one side. */
static void search_cuts(const searching *s, size_t c, bool missing_right, cairn_boost_split *best)
{
    const cairn_boost_column *column = &s->work->columns[c];
    const cairn_boost_bin *bins = s->bins + column->first;
    cairn_boost_bin left = {0};
    bool open = false; /* the last split that was kept has not met its next code yet */
    if (!missing_right) left = bins[column->n_codes];
    for (uint32_t v = 0; v < column->n_codes; v++) {
        if (bins[v].w <= s->little) continue;
        if (open) best->next = v;
        left = plus(left, bins[v]);
        open = try_parts(s, column->monotone, left, best);
        if (!open) continue;
        best->code = best->next = v;
        best->missing_right = missing_right;
    }
}

/* What levels are sorted by. */
typedef struct level_order {
    const cairn_boost_bin *bins;
    double smooth;
} level_order;

static bool asks_less(const void *a, const void *b, const void *data)
{
    const level_order *by = data;
    const cairn_boost_bin *x = &by->bins[*(const uint32_t *)a],
                          *y = &by->bins[*(const uint32_t *)b];
    return x->g / (x->h + by->smooth) < y->g / (y->h + by->smooth);
}

/* `order` holds the levels of the node, those on the left first; code is how many these are. */
static void search_levels(const searching *s, size_t c, cairn_boost_split *best)
{
    const cairn_boost_column *column = &s->work->columns[c];
    const cairn_boost_bin *bins = s->bins + column->first;
    uint32_t *order = s->order + 2 * column->first, n = 0;
    level_order by = {bins, s->work->params->level_smoothing + s->work->params->l2};
    cairn_boost_bin left = {0};
    for (uint32_t v = 0; v <= column->n_codes; v++)
        if (bins[v].w > s->little) order[n++] = v;
    cairn_sort_in(order, order + column->n_codes + 1, n, sizeof *order, asks_less, &by);
    for (uint32_t i = 0; i + 1 < n; i++) {
        left = plus(left, bins[order[i]]);
        if (!try_parts(s, 0, left, best)) continue;
        best->code = i + 1;
        best->next = n;
    }
}

static cairn_status search_column(cairn_context *ctx, void *data, size_t c)
{
    const searching *s = data;
    const cairn_boost_column *column = &s->work->columns[c];
    cairn_boost_split *best = &s->best[c];
    (void)ctx;
    *best = (cairn_boost_split){.column = (int32_t)c};
    if (s->work->barred[c]) return CAIRN_OK;
    if (!column->is_number) {
        search_levels(s, c, best);
        return CAIRN_OK;
    }
    bool missing = s->bins[column->first + column->n_codes].w > s->little;
    search_cuts(s, c, true, best);
    if (missing) search_cuts(s, c, false, best);
    if (best->found && !missing) best->missing_right = best->right.w > best->left.w;
    return CAIRN_OK;
}

/* The side of every level of the column that was chosen. */
static void mark_sides(const searching *s, cairn_boost_split *split, uint8_t *sides)
{
    const cairn_boost_column *column = &s->work->columns[split->column];
    const uint32_t *order = s->order + 2 * column->first;
    uint8_t *mine = sides + column->first;
    memset(mine, 0, (size_t)column->n_codes + 1);
    for (uint32_t i = 0; i < split->next; i++) mine[order[i]] = i < split->code ? 1 : 2;
    uint8_t missing = mine[column->n_codes];
    split->missing_right = missing ? missing == 2 : split->right.w > split->left.w;
}

cairn_status cairn_boost_search(cairn_context *ctx, const cairn_boost_work *work,
                                const cairn_boost_bin *bins, cairn_boost_bin total,
                                cairn_boost_limits limits, cairn_boost_split *out, uint8_t *sides)
{
    SCOPED_SCRATCH(ctx);
    searching s = {.work = work,
                   .bins = bins,
                   .total = total,
                   .limits = limits,
                   .worth = cairn_boost_worth(work->params, total, limits),
                   .little = nothing * total.w};
    CHECK(SCRATCH_RAW(ctx, &s.best, work->n_columns));
    CHECK(SCRATCH_RAW(ctx, &s.order, 2 * work->n_bins));
    CHECK(cairn_tasks_sized(ctx, work->n_columns, 10 * (double)work->n_bins, search_column, &s));
    *out = (cairn_boost_split){0};
    for (size_t c = 0; c < work->n_columns; c++)
        if (s.best[c].found &&
            (!out->found || s.best[c].gain > out->gain + CAIRN_TREE_TIE * fabs(out->gain)))
            *out = s.best[c];
    if (out->found && !work->columns[out->column].is_number) mark_sides(&s, out, sides);
    return CAIRN_OK;
}
