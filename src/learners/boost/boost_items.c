/* SPDX-License-Identifier: MIT */
/* Bags: every item is a column of numbers, of which only what rows hold is stored.
 *
 * An item that many rows hold gets codes for all rows and goes into a lane like any column. Of the
 * others there are lists, of the rows that hold them with the codes of their amounts; rows without
 * the item have the code of 0. Rows whose bag is missing have no code in any item, so that there is
 * one list of them for the whole bag. The same entries lie row by row as numbers of bins, to add up
 * small nodes. An item that fewer rows hold than a leaf must have can never be tested, and is left
 * out.
 *
 * Codes and bins are those that the item would have as a number column with all its zeros. Cost:
 * what is stored, sorted item by item. */
#include "base/memory.h"
#include "learners/boost/boost.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include <math.h>
#include <string.h>

/* An item of more than one in so many rows has codes for all. */
enum { FEW_OF = 8, TASK_ENTRIES = 1 << 15, MOST_MADE = 1 << 10 };

/* While items are coded. */
typedef struct coding {
    cairn_boost_work *work;
    cairn_boost_items *items;
    double *amounts;  /* of entries */
    uint32_t *groups; /* items of a task: from groups[t] to groups[t + 1] */
    uint64_t least;   /* weight of a leaf */
    uint64_t *absent; /* per bag: the weight of the rows that have none */
} coding;

/* -- what rows hold -- */

static double amount_of(const cairn_column *bag, size_t entry)
{
    return bag->amounts ? bag->amounts[entry] : 1;
}

/* Whether an entry is stored: the model knows the item, and there is some of it. */
static bool is_stored(const cairn_boost_items *items, size_t b, size_t entry)
{
    const cairn_column *bag = items->bags[b];
    return (size_t)bag->items[entry] < items->firsts[b + 1] - items->firsts[b] &&
           amount_of(bag, entry) != 0;
}

static bool is_absent(const cairn_column *bag, size_t row)
{
    return bag->absent && bag->absent[row];
}

/* How long the lists are: starts[l + 1] counts those of list l, then all of them are added up. */
static void measure_lists(const cairn_boost_work *work, cairn_boost_items *items)
{
    for (size_t i = 0; i < work->n; i++)
        for (size_t b = 0; b < items->n_bags; b++) {
            const cairn_column *bag = items->bags[b];
            size_t row = work->data->table_rows[i];
            if (is_absent(bag, row)) {
                items->starts[items->n + b + 1]++;
                continue;
            }
            for (size_t e = bag->starts[row]; e < bag->starts[row + 1]; e++)
                if (is_stored(items, b, e))
                    items->starts[items->firsts[b] + (size_t)bag->items[e] + 1]++;
        }
    for (size_t l = 0; l < items->n + items->n_bags; l++) items->starts[l + 1] += items->starts[l];
}

/* Rows come in their order, so every list is ascending. */
static void fill_lists(const coding *c, size_t *ends)
{
    const cairn_boost_items *items = c->items;
    for (size_t i = 0; i < c->work->n; i++)
        for (size_t b = 0; b < items->n_bags; b++) {
            const cairn_column *bag = items->bags[b];
            size_t row = c->work->data->table_rows[i];
            if (is_absent(bag, row)) {
                items->rows[ends[items->n + b]++] = (uint32_t)i;
                continue;
            }
            for (size_t e = bag->starts[row]; e < bag->starts[row + 1]; e++) {
                if (!is_stored(items, b, e)) continue;
                size_t at = ends[items->firsts[b] + (size_t)bag->items[e]]++;
                items->rows[at] = (uint32_t)i;
                c->amounts[at] = amount_of(bag, e);
            }
        }
}

/* Lists of all items, then of the rows without a bag, with the amounts. */
static cairn_status make_lists(cairn_context *ctx, coding *c)
{
    cairn_boost_items *items = c->items;
    size_t n_lists = items->n + items->n_bags, *ends;
    CHECK(NEW(ctx, &items->starts, n_lists + 1));
    measure_lists(c->work, items);
    size_t n_entries = items->starts[n_lists];
    CHECK(NEW_RAW(ctx, &items->rows, n_entries));
    CHECK(NEW(ctx, &items->codes, n_entries));
    CHECK(NEW_RAW(ctx, &c->amounts, n_entries));
    CHECK(SCRATCH(ctx, &c->absent, items->n_bags + 1));
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &ends, n_lists + 1));
    memcpy(ends, items->starts, (n_lists + 1) * sizeof *ends);
    fill_lists(c, ends);
    return CAIRN_OK;
}

/* -- codes of an item -- */

/* The values of an item with how many rows have each. */
typedef struct ranks {
    double *values;
    uint32_t *counts, *codes; /* codes of the entries */
    size_t n, zero;           /* values; the rank of 0, SIZE_MAX = no row has it */
} ranks;

static void add_rank(ranks *r, double value, size_t count)
{
    r->values[r->n] = value;
    r->counts[r->n++] = (uint32_t)count;
}

/* Ranks of n amounts and of `n_zero` zeros, which are put where they belong; an amount that is no
 * number is a missing cell and gets UINT32_MAX. */
static cairn_status rank_amounts(cairn_context *ctx, ranks *r, const double *amounts, size_t n,
                                 size_t n_zero)
{
    uint64_t *keys, *places, zero = cairn_order_key(0);
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &r->values, &r->counts, &r->codes, &keys, &places));
    bool sorted = true;
    for (size_t i = 0; i < n; i++) {
        keys[i] = cairn_order_key(amounts[i]);
        places[i] = i;
        sorted &= i == 0 || keys[i - 1] <= keys[i];
    }
    if (!sorted) CHECK(cairn_sort_keys(ctx, keys, places, n));
    r->n = 0;
    r->zero = SIZE_MAX;
    for (size_t i = 0; i <= n; i++) {
        if (n_zero && r->zero == SIZE_MAX && (i == n || keys[i] > zero)) {
            r->zero = r->n;
            add_rank(r, 0, n_zero);
        }
        if (i == n) break;
        bool known = keys[i] != UINT64_MAX;
        if (known && (i == 0 || keys[i] != keys[i - 1]))
            add_rank(r, cairn_order_number(keys[i]), 0);
        if (known) r->counts[r->n - 1]++;
        r->codes[places[i]] = known ? (uint32_t)r->n - 1 : UINT32_MAX;
    }
    return CAIRN_OK;
}

/* Values of the column from its ranks, put together in bins when there are too many. */
static cairn_status settle_ranks(cairn_context *ctx, cairn_binned_column *column, ranks *r,
                                 size_t n, size_t bins)
{
    uint32_t *bin_of;
    column->n_codes = (uint32_t)r->n;
    CHECK(NEW_RAW(ctx, &column->values, r->n < bins ? r->n : bins));
    if (r->n <= bins) {
        memcpy(column->values, r->values, r->n * sizeof *r->values);
        return CAIRN_OK;
    }
    CHECK(NEW_RAW(ctx, &column->highs, bins));
    CHECK(SCRATCH_RAW(ctx, &bin_of, r->n));
    column->n_codes = (uint32_t)cairn_bins_of_ranks(r->counts, r->values, r->n, bins, bin_of,
                                                    column->values, column->highs);
    for (size_t i = 0; i < n; i++)
        if (r->codes[i] != UINT32_MAX) r->codes[i] = bin_of[r->codes[i]];
    if (r->zero != SIZE_MAX) r->zero = bin_of[r->zero];
    return CAIRN_OK;
}

/* Codes for all rows. */
static cairn_status spread_codes(cairn_context *ctx, const coding *c, size_t item, size_t bag,
                                 cairn_binned_column *column)
{
    const cairn_boost_items *items = c->items;
    uint8_t *codes;
    CHECK(NEW_RAW(ctx, &codes, c->work->n));
    column->codes = codes;
    column->width = 1;
    uint32_t zero = items->zeros[item];
    memset(codes, zero == CAIRN_BOOST_NONE ? 0 : (int)zero, c->work->n);
    for (size_t e = items->starts[items->n + bag]; e < items->starts[items->n + bag + 1]; e++)
        codes[items->rows[e]] = (uint8_t)column->n_codes;
    for (size_t e = items->starts[item]; e < items->starts[item + 1]; e++)
        codes[items->rows[e]] = items->codes[e];
    return CAIRN_OK;
}

/* Whether enough rows hold the item, or have no bag, to be a leaf. */
static bool may_be_tested(const coding *c, size_t item, size_t bag)
{
    const cairn_boost_items *items = c->items;
    uint64_t weight = c->absent[bag];
    for (size_t e = items->starts[item]; weight < c->least && e < items->starts[item + 1]; e++)
        weight += cairn_boost_whole_weight(c->work, items->rows[e]);
    return weight >= c->least;
}

/* Values, bins and codes of an item, unless it can never be tested. */
static cairn_status code_item(cairn_context *ctx, const coding *c, size_t item, size_t bag)
{
    SCOPED_SCRATCH(ctx);
    cairn_boost_items *items = c->items;
    cairn_binned_column *column = &items->columns[item];
    size_t begin = items->starts[item], n = items->starts[item + 1] - begin;
    size_t n_absent = items->starts[items->n + bag + 1] - items->starts[items->n + bag];
    ranks r = {0};
    column->is_number = true;
    items->zeros[item] = CAIRN_BOOST_NONE;
    if (!may_be_tested(c, item, bag)) return CAIRN_OK;
    CHECK(rank_amounts(ctx, &r, c->amounts + begin, n, c->work->n - n - n_absent));
    CHECK(settle_ranks(ctx, column, &r, n, (size_t)c->work->params->bins));
    if (r.zero != SIZE_MAX) items->zeros[item] = (uint32_t)r.zero;
    for (size_t i = 0; i < n; i++) {
        column->has_missing |= r.codes[i] == UINT32_MAX;
        items->codes[begin + i] =
            (uint8_t)(r.codes[i] == UINT32_MAX ? column->n_codes : r.codes[i]);
    }
    column->has_missing |= n_absent > 0;
    items->alive[item] = column->n_codes + column->has_missing > 1;
    if (items->alive[item] && n > c->work->n / FEW_OF)
        CHECK(spread_codes(ctx, c, item, bag, column));
    return CAIRN_OK;
}

static cairn_status code_group(cairn_context *ctx, void *data, size_t group)
{
    const coding *c = data;
    size_t bag = 0;
    for (size_t item = c->groups[group]; item < c->groups[group + 1]; item++) {
        while (item >= c->items->firsts[bag + 1]) bag++;
        CHECK(code_item(ctx, c, item, bag));
    }
    return CAIRN_OK;
}

/* Items are coded side by side, some at a time. */
static cairn_status code_items(cairn_context *ctx, coding *c)
{
    cairn_boost_items *items = c->items;
    size_t n = 0, before = 0;
    for (size_t b = 0; b < items->n_bags; b++)
        for (size_t e = items->starts[items->n + b]; e < items->starts[items->n + b + 1]; e++)
            c->absent[b] += cairn_boost_whole_weight(c->work, items->rows[e]);
    CHECK(SCRATCH(ctx, &c->groups, items->n + 2));
    for (size_t item = 0; item < items->n; item++) {
        if (items->starts[item + 1] + item - before < TASK_ENTRIES) continue;
        c->groups[++n] = (uint32_t)item + 1;
        before = items->starts[item + 1] + item;
    }
    c->groups[++n] = (uint32_t)items->n;
    return cairn_tasks_sized(ctx, n, 20 * (double)items->starts[items->n], code_group, c);
}

/* -- the lists that stay -- */

/* A list is moved to the end of those that are kept. */
static void keep_list(cairn_boost_items *items, size_t list)
{
    size_t begin = items->starts[list], n = items->starts[list + 1] - begin;
    size_t to = items->kept[items->n_lists];
    memmove(items->rows + to, items->rows + begin, n * sizeof *items->rows);
    memmove(items->codes + to, items->codes + begin, n);
    items->kept[++items->n_lists] = to + n;
}

/* Items that can be tested, and lists of those that have no codes for all rows. */
static cairn_status keep_items(cairn_context *ctx, cairn_boost_items *items)
{
    size_t n_lists = items->n + items->n_bags;
    CHECK(SCRATCH_RAW(ctx, &items->live, items->n));
    CHECK(SCRATCH(ctx, &items->kept, n_lists + 1));
    for (size_t item = 0; item < items->n; item++) {
        if (!items->alive[item]) continue;
        items->live[items->n_live++] = (uint32_t)item;
        if (!items->columns[item].codes) keep_list(items, item);
    }
    items->n_listed = items->n_lists;
    for (size_t b = 0; b < items->n_bags; b++) keep_list(items, items->n + b);
    items->n_entries = items->kept[items->n_lists];
    CHECK(RESIZE(ctx, &items->rows, items->n_entries + 1));
    CHECK(RESIZE(ctx, &items->codes, items->n_entries + 1));
    cairn_free(items->starts);
    items->starts = NULL;
    return CAIRN_OK;
}

cairn_status cairn_boost_make_items(cairn_context *ctx, cairn_boost_work *work)
{
    cairn_boost_items *items = &work->items;
    const cairn_view *view = work->job->view;
    coding c = {.work = work, .items = items, .least = cairn_boost_least(work)};
    CHECK(SCRATCH_EACH(ctx, view->n_features + 1, &items->bags, &items->firsts));
    for (size_t j = 0; j < view->n_features; j++) {
        if (view->features[j]->kind != CAIRN_BAG) continue;
        items->bags[items->n_bags] = view->features[j];
        items->n += cairn_schema_feature(work->job->schema, j)->names.n;
        items->firsts[++items->n_bags] = items->n;
    }
    if (!items->n) return CAIRN_OK;
    CHECK(NEW(ctx, &items->columns, items->n));
    CHECK(SCRATCH_RAW(ctx, &items->zeros, items->n));
    CHECK(SCRATCH(ctx, &items->alive, items->n));
    cairn_status status = make_lists(ctx, &c);
    if (!status) status = code_items(ctx, &c);
    cairn_free(c.amounts);
    CHECK(status);
    return keep_items(ctx, items);
}

void cairn_boost_clear_items(cairn_boost_items *items)
{
    for (size_t i = 0; items->columns && i < items->n; i++) {
        cairn_free(items->columns[i].codes);
        cairn_free(items->columns[i].values);
        cairn_free(items->columns[i].highs);
    }
    for (size_t i = 0; i < items->n_made; i++) cairn_free(items->made[i]);
    cairn_free(items->columns);
    cairn_free(items->starts);
    cairn_free(items->rows);
    cairn_free(items->codes);
    cairn_free(items->row_bins);
    cairn_free(items->passing);
    *items = (cairn_boost_items){0};
}

/* -- bins and rows -- */

/* The bins of listed items follow each other, then there is one for each bag that is missing. */
static cairn_status place_bins(cairn_context *ctx, cairn_boost_work *work)
{
    cairn_boost_items *items = &work->items;
    CHECK(SCRATCH_RAW(ctx, &items->list_bins, items->n_lists + 1));
    size_t at = 0, list = 0;
    for (size_t l = 0; l < items->n_live; l++) {
        cairn_boost_column *column = &work->columns[work->n_dense + items->live[l]];
        if (column->list == CAIRN_BOOST_NONE) continue;
        column->first = at;
        items->list_bins[list++] = at;
        at += (size_t)column->n_codes + 1;
    }
    items->missing_bins = at;
    for (; list <= items->n_lists; list++) items->list_bins[list] = at++;
    items->n_bins = at - 1;
    if (items->n_bins > UINT32_MAX / 2)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the items of the bags have too many values; use fewer {bins}");
    CHECK(SCRATCH_RAW(ctx, &items->bin_live, items->missing_bins + 1));
    for (uint32_t l = 0; l < items->n_live; l++) {
        const cairn_boost_column *column = &work->columns[work->n_dense + items->live[l]];
        if (column->list == CAIRN_BOOST_NONE) continue;
        for (size_t v = 0; v <= column->n_codes; v++) items->bin_live[column->first + v] = l;
    }
    return CAIRN_OK;
}

cairn_status cairn_boost_place_items(cairn_context *ctx, cairn_boost_work *work)
{
    cairn_boost_items *items = &work->items;
    if (!items->n) return CAIRN_OK;
    CHECK(place_bins(ctx, work));
    /* The bins of every row, ascending. */
    CHECK(SCRATCH(ctx, &items->row_starts, work->n + 2));
    CHECK(NEW_RAW(ctx, &items->row_bins, items->n_entries + 1));
    size_t *ends = items->row_starts + 1;
    for (size_t e = 0; e < items->n_entries; e++) items->row_starts[items->rows[e] + 2]++;
    for (size_t i = 0; i < work->n; i++) ends[i + 1] += ends[i];
    for (size_t l = 0; l < items->n_lists; l++)
        for (size_t e = items->kept[l]; e < items->kept[l + 1]; e++)
            items->row_bins[ends[items->rows[e]]++] =
                (uint32_t)items->list_bins[l] + (l < items->n_listed ? items->codes[e] : 0);
    CHECK(NEW(ctx, &items->passing, items->n_bins + 1));
    CHECK(SCRATCH(ctx, &items->touched, items->n_bins / 64 + 1));
    items->most_made = 2 + CAIRN_BOOST_KEPT_BYTES / ((items->n_bins + 1) * sizeof *items->passing);
    if (items->most_made > MOST_MADE) items->most_made = MOST_MADE;
    CHECK(SCRATCH_EACH(ctx, items->most_made, &items->made, &items->pool));
    CHECK(SCRATCH_RAW(ctx, &items->places, cairn_product(3, work->n)));
    return SCRATCH(ctx, &items->gains, items->n_live + 1);
}

uint32_t cairn_boost_item_code(const cairn_boost_work *work, const cairn_boost_column *column,
                               size_t row)
{
    const cairn_boost_items *items = &work->items;
    const uint32_t *bins = items->row_bins;
    size_t low = items->row_starts[row], end = items->row_starts[row + 1], high = end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (bins[middle] < column->first)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < end && bins[low] <= column->first + column->n_codes)
        return bins[low] - (uint32_t)column->first;
    for (uint32_t missing = (uint32_t)items->missing_bins + column->bag; low < end; end--)
        if (bins[end - 1] <= missing) {
            if (bins[end - 1] == missing) return column->n_codes;
            break;
        }
    return column->zero;
}
