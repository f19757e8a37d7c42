/* SPDX-License-Identifier: MIT */
/* Sums and parts of rows by what they hold.
 *
 * The rows of a node are added up in the bins of what they hold; the sum of those that do not hold
 * an item is what is left of the node's. A node of many rows goes from list to list: every item
 * adds up in few bins that stay in the cache, rows of other nodes counting nothing. A node of fewer
 * goes from row to row. Both give the same whole numbers.
 *
 * A list divides a node by the rows that it has in common with it; the others stay together. */
#include "base/memory.h"
#include "learners/boost/boost.h"
#include "parallel/parallel.h"
#include <string.h>

enum {
    CODES = CAIRN_BOOST_CODES,
    CHUNK = CAIRN_BOOST_WORD_ROWS,
    PART_ROWS = 1 << 13,
    AHEAD = 8, /* rows */
    TASK_ENTRIES = 1 << 16,
    MANY_OF = 4 /* a node of more than one in so many rows goes from list to list */
};

/* -- list by list -- */

typedef struct listing {
    const cairn_boost_work *work;
    const int64_t *words;             /* n: 0 where the row is not of the node; or */
    const cairn_boost_bin *gradients; /* the same */
    cairn_boost_bin *bins;
    size_t per_task; /* lists */
} listing;

/* The bins of one list. */
static void count_list(const listing *c, size_t list)
{
    const cairn_boost_items *items = &c->work->items;
    size_t n = items->list_bins[list + 1] - items->list_bins[list];
    cairn_boost_bin *bins = c->bins + items->list_bins[list];
    memset(bins, 0, n * sizeof *bins);
    if (c->words) {
        /* Words are added up in a few bytes first. */
        int64_t buffer[CODES] = {0};
        for (size_t e = items->kept[list], end = items->kept[list + 1]; e < end;) {
            size_t stop = end - e < CHUNK ? end : e + CHUNK;
            for (; e < stop; e++) buffer[items->codes[e]] += c->words[items->rows[e]];
            for (size_t v = 0; v < n; v++) {
                cairn_boost_bin more = cairn_boost_unpack(c->work, buffer[v]);
                bins[v].g += more.g;
                bins[v].hw += more.hw;
                buffer[v] = 0;
            }
        }
        return;
    }
    for (size_t e = items->kept[list]; e < items->kept[list + 1]; e++) {
        cairn_boost_bin add = c->gradients[items->rows[e]], *to = &bins[items->codes[e]];
        to->g += add.g;
        to->hw += add.hw;
    }
}

static cairn_status count_lists(cairn_context *ctx, void *data, size_t task)
{
    const listing *c = data;
    size_t begin = task * c->per_task, end = begin + c->per_task, n = c->work->items.n_lists;
    (void)ctx;
    for (size_t l = begin; l < end && l < n; l++) count_list(c, l);
    return CAIRN_OK;
}

/* The derivatives of the rows of a node, 0 for all others. */
static cairn_status mask_rows(cairn_context *ctx, listing *c, const uint32_t *rows, size_t n)
{
    const cairn_boost_work *work = c->work;
    int64_t *words;
    cairn_boost_bin *gradients;
    c->words = work->words;
    c->gradients = work->gradients;
    if (n == work->n) return CAIRN_OK;
    if (work->words) {
        CHECK(SCRATCH(ctx, &words, work->n));
        for (size_t i = 0; i < n; i++) words[rows[i]] = work->words[rows[i]];
        c->words = words;
    } else {
        CHECK(SCRATCH(ctx, &gradients, work->n));
        for (size_t i = 0; i < n; i++) gradients[rows[i]] = work->gradients[rows[i]];
        c->gradients = gradients;
    }
    return CAIRN_OK;
}

/* Tasks of some lists each, so many that they have enough to do. */
static cairn_status count_by_lists(cairn_context *ctx, const cairn_boost_work *work,
                                   cairn_boost_bin *bins, const uint32_t *rows, size_t n)
{
    SCOPED_SCRATCH(ctx);
    const cairn_boost_items *items = &work->items;
    size_t per = 1 + items->n_lists * TASK_ENTRIES / (items->n_entries + 1);
    listing c = {.work = work, .bins = bins, .per_task = per};
    CHECK(mask_rows(ctx, &c, rows, n));
    return cairn_tasks(ctx, cairn_block_count(items->n_lists, per), count_lists, &c);
}

/* -- row by row -- */

/* A bin as one vector, which is added in one step. */
typedef long long pair __attribute__((vector_size(16), aligned(8), may_alias));

typedef struct counting {
    const cairn_boost_work *work;
    cairn_boost_bin *bins;
    const uint32_t *rows;
    size_t n;
    size_t *bounds; /* bins of a task: from bounds[t] to bounds[t + 1] */
} counting;

/* Some of the bins; others are other tasks'. */
static cairn_status count_range(cairn_context *ctx, void *data, size_t task)
{
    const counting *c = data;
    const cairn_boost_items *items = &c->work->items;
    size_t first = c->bounds[task], end = c->bounds[task + 1];
    pair *bins = (pair *)c->bins;
    (void)ctx;
    memset(c->bins + first, 0, (end - first) * sizeof *c->bins);
    for (size_t i = 0; i < c->n; i++) {
        cairn_boost_bin at = cairn_boost_gradient(c->work, c->rows[i]);
        pair add = {at.g, (long long)at.hw};
        size_t e = items->row_starts[c->rows[i]], stop = items->row_starts[c->rows[i] + 1];
        for (size_t high = stop; e < high;) {
            size_t middle = e + (high - e) / 2;
            if (items->row_bins[middle] < first)
                e = middle + 1;
            else
                high = middle;
        }
        for (; e < stop && items->row_bins[e] < end; e++) bins[items->row_bins[e]] += add;
    }
    return CAIRN_OK;
}

/* As many tasks as threads, with as many entries each. */
static cairn_status count_by_rows(cairn_context *ctx, const cairn_boost_work *work,
                                  cairn_boost_bin *bins, const uint32_t *rows, size_t n)
{
    SCOPED_SCRATCH(ctx);
    const cairn_boost_items *items = &work->items;
    size_t tasks = n / PART_ROWS, workers = (size_t)cairn_workers(ctx), t = 1;
    tasks = tasks < 1 ? 1 : tasks < workers ? tasks : workers;
    counting c = {.work = work, .bins = bins, .rows = rows, .n = n};
    CHECK(SCRATCH(ctx, &c.bounds, tasks + 1));
    for (size_t l = 0; l < items->n_lists && t < tasks; l++)
        while (t < tasks && items->kept[l] >= items->n_entries / tasks * t)
            c.bounds[t++] = items->list_bins[l];
    while (t <= tasks) c.bounds[t++] = items->n_bins;
    return cairn_tasks(ctx, tasks, count_range, &c);
}

cairn_status cairn_boost_count_items(cairn_context *ctx, const cairn_boost_work *work,
                                     cairn_boost_bins bins, const uint32_t *rows, size_t n)
{
    if (bins.touched) {
        /* Few rows: the bins that they touch are noted. */
        const cairn_boost_items *items = &work->items;
        pair *to = (pair *)bins.items;
        for (size_t i = 0; i < n; i++) {
            uint32_t ahead = rows[i + AHEAD < n ? i + AHEAD : i];
            __builtin_prefetch(items->row_bins + items->row_starts[ahead]);
            cairn_boost_bin at = cairn_boost_gradient(work, rows[i]);
            pair add = {at.g, (long long)at.hw};
            for (size_t e = items->row_starts[rows[i]]; e < items->row_starts[rows[i] + 1]; e++) {
                uint32_t bin = items->row_bins[e];
                to[bin] += add;
                bins.touched[bin / 64] |= UINT64_C(1) << bin % 64;
            }
        }
        return CAIRN_OK;
    }
    return n > work->n / MANY_OF ? count_by_lists(ctx, work, bins.items, rows, n)
                                 : count_by_rows(ctx, work, bins.items, rows, n);
}

/* -- bins that were touched -- */

/* For each of them: what is done with bin `b`. */
#define EACH_TOUCHED(work, bins, b, what)                                                          \
    for (size_t word_ = 0; word_ < (work)->items.n_bins / 64 + 1; word_++)                         \
        for (uint64_t bits_ = (bins).touched[word_]; bits_; bits_ &= bits_ - 1) {                  \
            size_t b = word_ * 64 + (size_t)__builtin_ctzll(bits_);                                \
            what;                                                                                  \
        }

void cairn_boost_forget(const cairn_boost_work *work, cairn_boost_bins bins)
{
    EACH_TOUCHED(work, bins, b, bins.items[b] = (cairn_boost_bin){0})
    memset(bins.touched, 0, (work->items.n_bins / 64 + 1) * sizeof *bins.touched);
}

static void take_off(cairn_boost_bin *from, cairn_boost_bin part)
{
    from->g -= part.g;
    from->hw -= part.hw;
}

void cairn_boost_subtract_items(const cairn_boost_work *work, cairn_boost_bin *from,
                                cairn_boost_bins part)
{
    if (part.touched) {
        EACH_TOUCHED(work, part, b, take_off(&from[b], part.items[b]))
        return;
    }
    for (size_t b = 0; b < work->items.n_bins; b++) take_off(&from[b], part.items[b]);
}

/* -- dividing -- */

/* The first place from `at` on whose row is not below `row`; near places are found quickly. */
static size_t find_row(const uint32_t *rows, size_t at, size_t n, uint32_t row)
{
    size_t step = 1, low = at, high = at;
    while (high < n && rows[high] < row) {
        low = high + 1;
        high += step;
        step *= 2;
    }
    if (high > n) high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Places of the rows of a list that leave the others; without codes all of them have lefts[0]. */
static size_t find_leaving(const cairn_boost_items *items, size_t list, const uint8_t *lefts,
                           bool codes, bool usual, const uint32_t *rows, size_t n, uint32_t *places)
{
    const uint32_t *held = items->rows + items->kept[list];
    const uint8_t *coded = items->codes + items->kept[list];
    size_t k = items->kept[list + 1] - items->kept[list], at = 0, found = 0, e = 0;
    while (at < n && e < k) {
        if (n - at > k - e)
            at = find_row(rows, at, n, held[e]);
        else
            e = find_row(held, e, k, rows[at]);
        if (at == n || e == k) break;
        if (rows[at] == held[e]) {
            if ((bool)lefts[codes ? coded[e] : 0] != usual) places[found++] = (uint32_t)at;
            at++;
            e++;
        } else if (rows[at] < held[e]) {
            at++;
        } else {
            e++;
        }
    }
    return found;
}

static void merge_places(const uint32_t *a, size_t n_a, const uint32_t *b, size_t n_b, uint32_t *to)
{
    size_t i = 0, j = 0;
    for (size_t k = 0; k < n_a + n_b; k++)
        to[k] = j == n_b || (i < n_a && a[i] < b[j]) ? a[i++] : b[j++];
}

/* Rows at the places go to the end, or to the begin; the others close up. */
static void move_rows(uint32_t *rows, size_t n, const uint32_t *places, size_t k, bool to_end,
                      uint32_t *buffer)
{
    for (size_t i = 0; i < k; i++) buffer[i] = rows[places[i]];
    if (to_end) {
        for (size_t i = 0; i < k; i++) {
            size_t end = i + 1 < k ? places[i + 1] : n;
            memmove(rows + places[i] - i, rows + places[i] + 1,
                    (end - places[i] - 1) * sizeof *rows);
        }
        memcpy(rows + n - k, buffer, k * sizeof *rows);
        return;
    }
    for (size_t i = k; i > 0; i--) {
        size_t begin = i > 1 ? places[i - 2] + 1 : 0, m = places[i - 1] - begin;
        memmove(rows + begin + (k - i + 1), rows + begin, m * sizeof *rows);
    }
    memcpy(rows, buffer, k * sizeof *rows);
}

size_t cairn_boost_divide_list(const cairn_boost_work *work, const cairn_boost_column *column,
                               const uint8_t *lefts, uint32_t *rows, size_t n)
{
    const cairn_boost_items *items = &work->items;
    bool usual = column->zero == CAIRN_BOOST_NONE || lefts[column->zero];
    uint32_t *places = items->places, *more = places + n, *all = more + n;
    const uint8_t *missing = lefts + column->n_codes;
    size_t k = find_leaving(items, column->list, lefts, true, usual, rows, n, places), n_more = 0;
    if ((bool)*missing != usual)
        n_more = find_leaving(items, items->n_listed + column->bag, missing, false, usual, rows, n,
                              more);
    if (n_more) merge_places(places, k, more, n_more, all);
    k += n_more;
    move_rows(rows, n, n_more ? all : places, k, usual, work->space);
    return usual ? n - k : k;
}
