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
 * Sums are whole numbers, so they depend neither on the threads nor on the order of the rows. Cost:
 * O(rows x lanes) per node and O(bins) to search. */
#include "base/memory.h"
#include "kernels/unroll.h"
#include "learners/boost/boost.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include <math.h>
#include <string.h>

enum {
    CODES = CAIRN_BOOST_CODES,
    AHEAD = 64,
    CHUNK = CAIRN_BOOST_WORD_ROWS,
    PART_ROWS = 1 << 13,
    TASK_BINS = 1 << 13
};

/* Weights that fall so little short of a limit reach it. */
static const double nearly = 1 - 1e-11;

/* -- leaves -- */

double cairn_boost_shrunk(double g, double l1)
{
    return g > l1 ? g - l1 : g < -l1 ? g + l1 : 0;
}

double cairn_boost_value(const cairn_boost_params *p, cairn_boost_total sums,
                         cairn_boost_limits limits)
{
    double by = sums.h + p->l2, value = by > 0 ? -cairn_boost_shrunk(sums.g, p->l1) / by : 0;
    return fmin(fmax(value, limits.low), limits.high);
}

double cairn_boost_worth(const cairn_boost_params *p, cairn_boost_total sums,
                         cairn_boost_limits limits)
{
    double g = cairn_boost_shrunk(sums.g, p->l1), by = sums.h + p->l2;
    if (!(by > 0)) return 0;
    if (limits.low == -INFINITY && limits.high == INFINITY) return g * g / by;
    double value = cairn_boost_value(p, sums, limits);
    return -(2 * g * value + by * value * value);
}

/* -- adding up -- */

/* A bin as one vector, which is added in one step. */
typedef long long pair __attribute__((vector_size(16), aligned(8), may_alias));

typedef struct counting {
    const cairn_boost_work *work;
    cairn_boost_bin *bins;
    const uint32_t *rows;
    size_t n, n_parts;
} counting;

/* Add up entries, pairs or words, of some rows in the bins of their codes. Made for every width of
 * a panel, so that the codes of a row are not counted. */
#define COUNTER(name, entry, width)                                                                \
    static void name##_##width(entry *bins, const uint8_t *codes, const uint32_t *rows,            \
                               const entry *entries, size_t n)                                     \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            const uint8_t *row = codes + (size_t)rows[i] * (width);                                \
            entry add = entries[i];                                                                \
            __builtin_prefetch(codes + (size_t)rows[i + AHEAD < n ? i + AHEAD : i] * (width));     \
            UNROLL for (size_t l = 0; l < (width); l++) bins[l * CODES + row[l]] += add;           \
        }                                                                                          \
    }
#define COUNTERS(name, entry)                                                                      \
    COUNTER(name, entry, 1)                                                                        \
    COUNTER(name, entry, 2)                                                                        \
    COUNTER(name, entry, 3)                                                                        \
    COUNTER(name, entry, 4)                                                                        \
    COUNTER(name, entry, 5)                                                                        \
    COUNTER(name, entry, 6)                                                                        \
    COUNTER(name, entry, 7)                                                                        \
    COUNTER(name, entry, 8)                                                                        \
    COUNTER(name, entry, 9)                                                                        \
    COUNTER(name, entry, 10)                                                                       \
    COUNTER(name, entry, 11)                                                                       \
    COUNTER(name, entry, 12)                                                                       \
    COUNTER(name, entry, 13)                                                                       \
    COUNTER(name, entry, 14)                                                                       \
    static void (*const name[CAIRN_BOOST_PANEL + 1])(entry *, const uint8_t *, const uint32_t *,   \
                                                     const entry *, size_t) = {                    \
        NULL,     name##_1, name##_2,  name##_3,  name##_4,  name##_5,  name##_6, name##_7,        \
        name##_8, name##_9, name##_10, name##_11, name##_12, name##_13, name##_14};
COUNTERS(count_pairs, pair)
COUNTERS(count_words, int64_t)

/* The sums of words are added to the bins, and begin again with 0. */
static void empty_buffer(const cairn_boost_work *work, const cairn_boost_panel *panel,
                         cairn_boost_bin *bins, int64_t *buffer)
{
    size_t first = panel->first * CODES, end = first + panel->width * CODES;
    for (size_t b = first; b < end; b++) {
        cairn_boost_bin more = cairn_boost_unpack(work, buffer[b]);
        bins[b].g += more.g;
        bins[b].hw += more.hw;
        buffer[b] = 0;
    }
}

/* Columns with an array of their own. */
static void count_quads(const cairn_boost_work *work, cairn_boost_bin *bins, const uint32_t *rows,
                        size_t n)
{
    for (size_t c = 0; c < work->n_dense; c++) {
        const cairn_boost_column *column = &work->columns[c];
        if (!column->quads || work->barred[c]) continue;
        for (size_t i = 0; i < n; i++) {
            cairn_boost_bin at = cairn_boost_gradient(work, rows[i]);
            bins[column->first + column->quads[rows[i]]].g += at.g;
            bins[column->first + column->quads[rows[i]]].hw += at.hw;
        }
    }
}

/* What a part adds up in. */
typedef struct sums_of_part {
    cairn_boost_bin *bins;
    int64_t *buffer; /* NULL = no words */
} sums_of_part;

/* Some rows, whose derivatives are brought together once, not for every panel. */
static void count_chunk(const cairn_boost_work *work, sums_of_part sums, const uint32_t *rows,
                        size_t n)
{
    union {
        int64_t words[CHUNK];
        cairn_boost_bin pairs[CHUNK / 2];
    } entries;
    for (size_t i = 0; sums.buffer && work->words && i < n; i++)
        entries.words[i] = work->words[rows[i]];
    for (size_t i = 0; !sums.buffer && i < n; i++) entries.pairs[i] = work->gradients[rows[i]];
    for (size_t p = 0; p < work->n_panels; p++) {
        const cairn_boost_panel *panel = &work->panels[p];
        size_t first = panel->first * CODES;
        if (!sums.buffer) {
            count_pairs[panel->width]((pair *)(sums.bins + first), panel->codes, rows,
                                      (const pair *)entries.pairs, n);
            continue;
        }
        count_words[panel->width](sums.buffer + first, panel->codes, rows, entries.words, n);
        if (!panel->fits) empty_buffer(work, panel, sums.bins, sums.buffer);
    }
    count_quads(work, sums.bins, rows, n);
}

/* A part of the rows. */
static cairn_status count_part(cairn_context *ctx, void *data, size_t part)
{
    const counting *job = data;
    const cairn_boost_work *work = job->work;
    sums_of_part sums = {part ? work->more[part] : job->bins, work->buffers[part]};
    size_t begin = job->n * part / job->n_parts, end = job->n * (part + 1) / job->n_parts;
    size_t chunk = work->words ? CHUNK : CHUNK / 2;
    (void)ctx;
    memset(sums.bins, 0, work->n_bins * sizeof *sums.bins);
    if (sums.buffer) memset(sums.buffer, 0, work->n_lanes * CODES * sizeof *sums.buffer);
    for (; begin < end; begin += chunk)
        count_chunk(work, sums, job->rows + begin, end - begin < chunk ? end - begin : chunk);
    for (size_t p = 0; sums.buffer && p < work->n_panels; p++)
        if (work->panels[p].fits) empty_buffer(work, &work->panels[p], sums.bins, sums.buffer);
    return CAIRN_OK;
}

/* As many parts as threads: whole numbers add up to the same whatever the parts are. */
cairn_status cairn_boost_count(cairn_context *ctx, const cairn_boost_work *work,
                               cairn_boost_bin *bins, const uint32_t *rows, size_t n)
{
    size_t parts = n / PART_ROWS, workers = (size_t)cairn_workers(ctx);
    if (!work->n_bins) return CAIRN_OK; /* only lists of items */
    parts = parts < 1 ? 1 : parts < workers ? parts : workers;
    counting job = {work, bins, rows, n, parts};
    CHECK(cairn_tasks(ctx, parts, count_part, &job));
    for (size_t p = 1; p < parts; p++)
        for (size_t b = 0; b < work->n_bins; b++) {
            bins[b].g += work->more[p][b].g;
            bins[b].hw += work->more[p][b].hw;
        }
    return CAIRN_OK;
}

/* -- searching -- */

typedef struct searching {
    const cairn_boost_work *work;
    cairn_boost_bins bins;
    cairn_boost_bin total;
    cairn_boost_total all; /* the same as numbers */
    cairn_boost_limits limits;
    double worth;            /* of the whole node */
    uint64_t least;          /* weight of a part */
    bool plain;              /* parts are worth g^2 / (h + l2), without limits */
    cairn_boost_split *best; /* of every column that is no item */
    uint32_t *order;         /* n_orders: levels in their order */
    size_t per_task;         /* items */
    double found;            /* what the best split of those columns gains */
} searching;

static cairn_boost_bin plus(cairn_boost_bin a, cairn_boost_bin b)
{
    return (cairn_boost_bin){a.g + b.g, a.hw + b.hw};
}

static cairn_boost_bin minus(cairn_boost_bin a, cairn_boost_bin b)
{
    return (cairn_boost_bin){a.g - b.g, a.hw - b.hw};
}

static double gain_of(const searching *s, cairn_boost_total left, cairn_boost_total right)
{
    const cairn_boost_params *p = s->work->params;
    return cairn_boost_worth(p, left, s->limits) + cairn_boost_worth(p, right, s->limits) -
           s->worth;
}

/* Whether a split with these parts is better than the best so far of its column; then it becomes
 * that. Gains that differ by rounding only are ties, which the first one wins. */
static bool take_parts(const searching *s, int monotone, cairn_boost_bin left,
                       cairn_boost_split *best)
{
    const cairn_boost_params *p = s->work->params;
    cairn_boost_bin right = minus(s->total, left);
    cairn_boost_total l = cairn_boost_total_of(s->work, left),
                      r = cairn_boost_total_of(s->work, right);
    if (l.h < p->min_hessian || r.h < p->min_hessian) return false;
    double gain = gain_of(s, l, r);
    double size = fmax(1e-300, fabs(s->worth) + fabs(gain));
    if (!(gain > p->min_gain + CAIRN_TREE_TIE * size) || !isfinite(gain)) return false;
    if (best->found && !(gain > best->gain + CAIRN_TREE_TIE * size)) return false;
    double a = cairn_boost_value(p, l, s->limits), b = cairn_boost_value(p, r, s->limits);
    if ((monotone > 0 && a > b) || (monotone < 0 && a < b)) return false;
    best->found = true;
    best->gain = gain;
    best->left = left;
    best->right = right;
    best->left_value = a;
    best->right_value = b;
    return true;
}

/* Most parts are not better than the best so far, which is found quickly. */
static inline bool try_parts(const searching *s, int monotone, cairn_boost_bin left,
                             cairn_boost_split *best)
{
    const cairn_boost_units *units = &s->work->units;
    uint64_t w = cairn_boost_weight(s->work, left), all = cairn_boost_weight(s->work, s->total);
    if (w < s->least || all - w < s->least) return false;
    if (s->plain) {
        double g = (double)left.g * units->g, h = (double)(left.hw >> units->bits) * units->h;
        double l2 = s->work->params->l2, rest = s->all.g - g;
        double a = h + l2, b = s->all.h - h + l2; /* g^2 / a + rest^2 / b, without the divisions */
        if (!(g * g * b + rest * rest * a > (s->worth + best->gain) * nearly * (a * b)))
            return false;
    }
    return take_parts(s, monotone, left, best);
}

/* All cuts of a number column, with missing cells on one side. */
static void search_cuts(const searching *s, size_t c, const cairn_boost_bin *bins,
                        bool missing_right, cairn_boost_split *best)
{
    const cairn_boost_column *column = &s->work->columns[c];
    cairn_boost_bin left = {0};
    bool open = false; /* the last split that was kept has not met its next code yet */
    if (!missing_right) left = bins[column->n_codes];
    for (uint32_t v = 0; v < column->n_codes; v++) {
        if (!bins[v].hw) continue;
        if (open) best->next = v;
        left = plus(left, bins[v]);
        open = try_parts(s, column->monotone, left, best);
        if (!open) continue;
        best->code = best->next = v;
        best->missing_right = missing_right;
    }
}

/* Short lists; longer ones are sorted as others are. */
static cairn_status sort_keys(cairn_context *ctx, uint64_t *keys, size_t n)
{
    uint64_t buffer[CODES + 1], *from = keys, *to = buffer;
    if (n > CODES + 1) return cairn_sort_keys(ctx, keys, NULL, n);
    for (size_t run = 1; run < n; run *= 2) {
        /* n keys from `from` to `to`: of every two runs of `run` keys in order one becomes. */
        for (size_t begin = 0; begin < n; begin += 2 * run) {
            size_t a = begin, middle = begin + run < n ? begin + run : n, b = middle;
            size_t end = middle + run < n ? middle + run : n, at = begin;
            while (a < middle && b < end) {
                bool second = from[b] < from[a];
                to[at++] = second ? from[b] : from[a];
                a += !second;
                b += second;
            }
            while (a < middle) to[at++] = from[a++];
            while (b < end) to[at++] = from[b++];
        }
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != keys) memcpy(keys, from, n * sizeof *keys);
    return CAIRN_OK;
}

/* Levels that rows have, in the order of what they ask for. The key of a level has its number in
 * the lowest bits, which differences so small do not need. */
static cairn_status order_levels(cairn_context *ctx, const searching *s, size_t c,
                                 const cairn_boost_bin *bins, uint32_t *order, uint32_t *count)
{
    SCOPED_SCRATCH(ctx);
    const cairn_boost_column *column = &s->work->columns[c];
    double smooth = s->work->params->level_smoothing + s->work->params->l2;
    uint64_t *keys, mask = 1;
    uint32_t n = 0;
    while (mask <= column->n_codes) mask = 2 * mask + 1;
    CHECK(SCRATCH_RAW(ctx, &keys, (size_t)column->n_codes + 1));
    for (uint32_t v = 0; v <= column->n_codes; v++) {
        if (!bins[v].hw) continue;
        cairn_boost_total at = cairn_boost_total_of(s->work, bins[v]);
        double by = at.h + smooth;
        keys[n++] = (cairn_order_key(by > 0 ? at.g / by : 0) & ~mask) | v;
    }
    CHECK(sort_keys(ctx, keys, n));
    for (uint32_t i = 0; i < n; i++) order[i] = (uint32_t)(keys[i] & mask);
    *count = n;
    return CAIRN_OK;
}

/* What of the bins of a list is not 0, in `buffer`; returns their sum. */
static cairn_boost_bin copy_bins(const searching *s, const cairn_boost_column *column,
                                 cairn_boost_bin *buffer)
{
    const cairn_boost_bin *bins = s->bins.items + column->first;
    const uint64_t *touched = s->bins.touched;
    size_t n = (size_t)column->n_codes + 1, end = column->first + n;
    cairn_boost_bin sum = {0};
    if (!touched) {
        for (size_t v = 0; v < n; v++) sum = plus(sum, buffer[v] = bins[v]);
        return sum;
    }
    memset(buffer, 0, n * sizeof *buffer);
    for (size_t b = column->first; b < end; b = (b / 64 + 1) * 64)
        for (uint64_t bits = touched[b / 64] >> b % 64; bits; bits &= bits - 1) {
            size_t v = b - column->first + (size_t)__builtin_ctzll(bits);
            if (v < n) sum = plus(sum, buffer[v] = bins[v]);
        }
    return sum;
}

/* The bins of a column: those of its lane, or in `buffer` what they add up to for its codes. NULL =
 * it has no split. */
static const cairn_boost_bin *bins_of(const searching *s, const cairn_boost_column *column,
                                      cairn_boost_bin *buffer)
{
    if (column->list != CAIRN_BOOST_NONE) {
        /* The bins of a list, in `buffer`: what is left of the node has the code of 0. NULL =
         * those that hold the item, and those without a bag, are too few to be a part. */
        const cairn_boost_work *work = s->work;
        cairn_boost_bin absent = s->bins.items[work->items.missing_bins + column->bag];
        cairn_boost_bin held = plus(copy_bins(s, column, buffer), absent);
        if (cairn_boost_weight(work, held) < s->least) return NULL;
        buffer[column->n_codes] = plus(buffer[column->n_codes], absent);
        if (column->zero != CAIRN_BOOST_NONE)
            buffer[column->zero] = minus(s->total, minus(held, buffer[column->zero]));
        return buffer;
    }
    const cairn_boost_bin *bins = s->bins.lanes + column->first;
    if (!column->part) return bins;
    memset(buffer, 0, ((size_t)column->n_codes + 1) * sizeof *buffer);
    for (uint32_t v = 0; v < s->work->lane_codes[column->lane]; v++)
        buffer[column->part[v]] = plus(buffer[column->part[v]], bins[v]);
    return buffer;
}

/* The best split of a column; those that gain less than `floor` need not be found. */
static cairn_status find_best(cairn_context *ctx, const searching *s, size_t c, double floor,
                              cairn_boost_split *best)
{
    const cairn_boost_column *column = &s->work->columns[c];
    cairn_boost_bin buffer[CODES];
    *best = (cairn_boost_split){.column = (int32_t)c, .gain = floor};
    if (s->work->barred[c] || !cairn_boost_may_test(s->work, &s->limits, c)) return CAIRN_OK;
    const cairn_boost_bin *bins = bins_of(s, column, buffer);
    if (!bins) return CAIRN_OK;
    if (!column->is_number) {
        /* `order` holds the levels of the node, those on the left first; code is how many these
         * are. */
        uint32_t *order = s->order + s->work->columns[c].order, n;
        cairn_boost_bin left = {0};
        CHECK(order_levels(ctx, s, c, bins, order, &n));
        for (uint32_t i = 0; i + 1 < n; i++) {
            left = plus(left, bins[order[i]]);
            if (!try_parts(s, 0, left, best)) continue;
            best->code = i + 1;
            best->next = n;
        }
        return CAIRN_OK;
    }
    bool missing = bins[column->n_codes].hw;
    search_cuts(s, c, bins, true, best);
    if (missing) search_cuts(s, c, bins, false, best);
    if (best->found && !missing)
        best->missing_right =
            cairn_boost_weight(s->work, best->right) > cairn_boost_weight(s->work, best->left);
    return CAIRN_OK;
}

static cairn_status search_column(cairn_context *ctx, void *data, size_t c)
{
    const searching *s = data;
    return find_best(ctx, s, c, 0, &s->best[c]);
}

/* -- items -- */

/* What the best split of an item gains; 0 = it has none, or another item (or column) that comes
 * before it has one that gains `most`, clearly more. */
static cairn_status search_item(cairn_context *ctx, const searching *s, size_t l, double *most)
{
    const cairn_boost_items *items = &s->work->items;
    cairn_boost_split best;
    double floor = fmax(0, *most - 1e-9 * (*most + fabs(s->worth)));
    CHECK(find_best(ctx, s, s->work->n_dense + items->live[l], floor, &best));
    items->gains[l] = best.found ? best.gain : 0;
    *most = fmax(*most, items->gains[l]);
    return CAIRN_OK;
}

static cairn_status search_items(cairn_context *ctx, void *data, size_t task)
{
    const searching *s = data;
    size_t begin = task * s->per_task, end = begin + s->per_task;
    double most = s->found;
    for (size_t l = begin; l < end && l < s->work->items.n_live; l++)
        CHECK(search_item(ctx, s, l, &most));
    return CAIRN_OK;
}

/* Whether a row of the node has no bag: any item divides such rows from the others. */
static bool lacks_bags(const searching *s)
{
    const cairn_boost_items *items = &s->work->items;
    for (size_t b = 0; b < items->n_bags; b++)
        if (s->bins.items[items->missing_bins + b].hw) return true;
    return false;
}

/* Else items that no row of the node holds have no split. */
static cairn_status search_touched(cairn_context *ctx, const searching *s)
{
    const cairn_boost_work *work = s->work;
    const cairn_boost_items *items = &work->items;
    const uint64_t *touched = s->bins.touched;
    double most = s->found, most_laned = s->found;
    memset(items->gains, 0, items->n_live * sizeof *items->gains);
    for (size_t b = 0; b < items->missing_bins;) {
        uint64_t bits = touched[b / 64] >> b % 64;
        b = bits ? b + (size_t)__builtin_ctzll(bits) : (b / 64 + 1) * 64;
        if (!bits || b >= items->missing_bins) continue;
        uint32_t l = items->bin_live[b];
        const cairn_boost_column *column = &work->columns[work->n_dense + items->live[l]];
        CHECK(search_item(ctx, s, l, &most));
        b = column->first + column->n_codes + 1;
    }
    for (size_t l = 0; l < items->n_live; l++)
        if (work->columns[work->n_dense + items->live[l]].list == CAIRN_BOOST_NONE)
            CHECK(search_item(ctx, s, l, &most_laned));
    return CAIRN_OK;
}

/* The best split of all items becomes the best of all, unless that is as good. */
static cairn_status choose_item(cairn_context *ctx, searching *s, cairn_boost_split *best)
{
    const cairn_boost_items *items = &s->work->items;
    size_t chosen = SIZE_MAX;
    double least = best->found ? best->gain + CAIRN_TREE_TIE * fabs(best->gain) : 0;
    s->found = best->found ? best->gain : 0;
    s->per_task = 1 + (size_t)(((double)items->n_live * TASK_BINS) / (double)(items->n_bins + 1));
    if (s->bins.touched && !lacks_bags(s))
        CHECK(search_touched(ctx, s));
    else
        CHECK(cairn_tasks_sized(ctx, cairn_block_count(items->n_live, s->per_task),
                                10 * (double)(items->n_bins + items->n_live), search_items, s));
    for (size_t l = 0; l < items->n_live; l++) {
        if (!(items->gains[l] > least)) continue;
        chosen = l;
        least = items->gains[l] + CAIRN_TREE_TIE * items->gains[l];
    }
    if (chosen == SIZE_MAX) return CAIRN_OK;
    return find_best(ctx, s, s->work->n_dense + items->live[chosen], 0, best);
}

/* The side of every level of the column that was chosen. */
static void mark_sides(const searching *s, cairn_boost_split *split, uint8_t *sides)
{
    const cairn_boost_column *column = &s->work->columns[split->column];
    const uint32_t *order = s->order + column->order;
    uint8_t *mine = sides + column->order;
    memset(mine, 0, (size_t)column->n_codes + 1);
    for (uint32_t i = 0; i < split->next; i++) mine[order[i]] = i < split->code ? 1 : 2;
    uint8_t missing = mine[column->n_codes];
    split->missing_right = missing ? missing == 2
                                   : cairn_boost_weight(s->work, split->right) >
                                         cairn_boost_weight(s->work, split->left);
}

/* A part has a row at least. */
uint64_t cairn_boost_least(const cairn_boost_work *work)
{
    double least = ceil(work->params->min_leaf * nearly / work->units.w);
    return least < 1 ? 1 : least < 1e18 ? (uint64_t)least : UINT64_MAX;
}

static searching start_search(const cairn_boost_work *work, cairn_boost_bins bins,
                              cairn_boost_bin total, cairn_boost_limits limits)
{
    const cairn_boost_params *p = work->params;
    searching s = {.work = work,
                   .bins = bins,
                   .total = total,
                   .all = cairn_boost_total_of(work, total),
                   .limits = limits,
                   .least = cairn_boost_least(work),
                   .plain = p->l1 == 0 && p->l2 + p->min_hessian > 0 && limits.low == -INFINITY &&
                            limits.high == INFINITY};
    s.worth = cairn_boost_worth(p, s.all, limits);
    return s;
}

cairn_status cairn_boost_search(cairn_context *ctx, const cairn_boost_work *work,
                                cairn_boost_bins bins, cairn_boost_bin total,
                                cairn_boost_limits limits, cairn_boost_split *out, uint8_t *sides)
{
    SCOPED_SCRATCH(ctx);
    searching s = start_search(work, bins, total, limits);
    CHECK(SCRATCH_RAW(ctx, &s.best, work->n_dense));
    CHECK(SCRATCH_RAW(ctx, &s.order, work->n_orders));
    CHECK(cairn_tasks_sized(ctx, work->n_dense, 10 * (double)work->n_bins, search_column, &s));
    *out = (cairn_boost_split){0};
    for (size_t c = 0; c < work->n_dense; c++)
        if (s.best[c].found &&
            (!out->found || s.best[c].gain > out->gain + CAIRN_TREE_TIE * fabs(out->gain)))
            *out = s.best[c];
    if (work->items.n_live) CHECK(choose_item(ctx, &s, out));
    if (out->found && !work->columns[out->column].is_number) mark_sides(&s, out, sides);
    return CAIRN_OK;
}

/* -- all candidates -- */

typedef struct listing {
    searching s;
    cairn_boost_each *each;
    void *data;
} listing;

/* Tell a split, whatever it gains, unless a part is too small or a constraint forbids it. */
static void tell_parts(const listing *to, cairn_boost_split split, const uint32_t *levels)
{
    const searching *s = &to->s;
    const cairn_boost_work *work = s->work;
    const cairn_boost_params *p = work->params;
    int monotone = work->columns[split.column].monotone;
    split.right = minus(s->total, split.left);
    cairn_boost_total l = cairn_boost_total_of(work, split.left),
                      r = cairn_boost_total_of(work, split.right);
    if (cairn_boost_weight(work, split.left) < s->least ||
        cairn_boost_weight(work, split.right) < s->least || l.h < p->min_hessian ||
        r.h < p->min_hessian)
        return;
    split.left_value = cairn_boost_value(p, l, s->limits);
    split.right_value = cairn_boost_value(p, r, s->limits);
    if ((monotone > 0 && split.left_value > split.right_value) ||
        (monotone < 0 && split.left_value < split.right_value))
        return;
    split.gain = gain_of(s, l, r);
    to->each(to->data, &split, levels);
}

/* A cut lies between two codes that rows have; the last one has only missing cells on its right. */
static void tell_cuts(const listing *to, size_t c, const cairn_boost_bin *bins, bool missing_right)
{
    uint32_t n = to->s.work->columns[c].n_codes;
    cairn_boost_split split = {.column = (int32_t)c, .missing_right = missing_right};
    bool begun = false;
    if (!missing_right) split.left = bins[n];
    for (uint32_t v = 0; v < n; v++) {
        if (!bins[v].hw) continue;
        split.next = v;
        if (begun) tell_parts(to, split, NULL);
        begun = true;
        split.code = v;
        split.left = plus(split.left, bins[v]);
    }
    if (begun && missing_right && bins[n].hw) tell_parts(to, split, NULL);
}

static cairn_status tell_levels(cairn_context *ctx, const listing *to, size_t c,
                                const cairn_boost_bin *bins)
{
    uint32_t *order = to->s.order + to->s.work->columns[c].order, n;
    cairn_boost_split split = {.column = (int32_t)c};
    CHECK(order_levels(ctx, &to->s, c, bins, order, &n));
    for (uint32_t i = 0; i + 1 < n; i++) {
        split.left = plus(split.left, bins[order[i]]);
        split.code = i + 1;
        split.next = n;
        tell_parts(to, split, order);
    }
    return CAIRN_OK;
}

static bool is_idle(const cairn_boost_work *work, size_t c)
{
    return c >= work->n_dense && !work->items.alive[c - work->n_dense];
}

cairn_status cairn_boost_candidates(cairn_context *ctx, const cairn_boost_work *work,
                                    const uint32_t *rows, size_t n, cairn_boost_bin total,
                                    cairn_boost_limits limits, cairn_boost_each *each, void *data)
{
    SCOPED_SCRATCH(ctx);
    cairn_boost_bin buffer[CODES];
    cairn_boost_bins bins = {0};
    CHECK(SCRATCH_RAW(ctx, &bins.lanes, work->n_bins));
    CHECK(SCRATCH_RAW(ctx, &bins.items, work->items.n_bins));
    CHECK(cairn_boost_count(ctx, work, bins.lanes, rows, n));
    if (work->items.n_live) CHECK(cairn_boost_count_items(ctx, work, bins, rows, n));
    listing to = {start_search(work, bins, total, limits), each, data};
    CHECK(SCRATCH_RAW(ctx, &to.s.order, work->n_orders));
    for (size_t c = 0; c < work->n_columns; c++) {
        const cairn_boost_column *column = &work->columns[c];
        if (work->barred[c] || is_idle(work, c) || !cairn_boost_may_test(work, &limits, c))
            continue;
        const cairn_boost_bin *mine = bins_of(&to.s, column, buffer);
        if (!mine) continue;
        if (!column->is_number) {
            CHECK(tell_levels(ctx, &to, c, mine));
            continue;
        }
        tell_cuts(&to, c, mine, true);
        if (mine[column->n_codes].hw) tell_cuts(&to, c, mine, false);
    }
    return CAIRN_OK;
}
