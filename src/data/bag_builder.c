/* SPDX-License-Identifier: MIT */
/* Building bag columns. Items are kept as they come; at the end the names are put in order, the
 * items renumbered, and the rows that are not ascending are sorted. */
#include "data/bag.h"
#include "base/memory.h"
#include "data/cell.h"
#include <stdlib.h>
#include <string.h>

void cairn_bag_clear(cairn_bag_builder *bag)
{
    cairn_map_clear(&bag->names);
    FREE_EACH(bag->codes, bag->items, bag->amounts, bag->starts);
    *bag = (cairn_bag_builder){0};
}

cairn_status cairn_bag_begin_row(cairn_context *ctx, cairn_bag_builder *bag)
{
    cairn_status status = GROW(ctx, &bag->starts, &bag->starts_capacity, bag->n_rows + 2);
    if (!status) bag->starts[bag->n_rows++] = bag->n_items;
    return status;
}

/* The value of a name that is a small whole number without needless zeros, else -1. */
static ptrdiff_t small_number(const char *name, size_t length)
{
    enum { LONGEST = 6 };
    ptrdiff_t value = 0;
    if (length == 0 || length > LONGEST || (name[0] == '0' && length > 1)) return -1;
    for (size_t i = 0; i < length; i++) {
        if (name[i] < '0' || name[i] > '9') return -1;
        value = value * 10 + (name[i] - '0');
    }
    return value;
}

static cairn_status number_new(cairn_context *ctx, cairn_bag_builder *bag, const char *name,
                               size_t length, int32_t *item)
{
    size_t index;
    cairn_status status = cairn_map_add(ctx, &bag->names, name, length, &index);
    if (status) return status;
    if (index >= INT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "more than two thousand million different items");
    *item = (int32_t)index;
    return CAIRN_OK;
}

/* The item's number. Most files number their items; for those a table is quicker than a hash. */
static cairn_status number_item(cairn_context *ctx, cairn_bag_builder *bag, const char *name,
                                size_t length, int32_t *item)
{
    ptrdiff_t small = small_number(name, length);
    if (small < 0) return number_new(ctx, bag, name, length, item);
    if ((size_t)small >= bag->codes_capacity) {
        size_t before = bag->codes_capacity;
        CHECK(GROW(ctx, &bag->codes, &bag->codes_capacity, (size_t)small + 1));
        memset(bag->codes + before, 0, (bag->codes_capacity - before) * sizeof *bag->codes);
    }
    if (!bag->codes[small]) {
        CHECK(number_new(ctx, bag, name, length, item));
        bag->codes[small] = *item + 1;
    }
    *item = bag->codes[small] - 1;
    return CAIRN_OK;
}

cairn_status cairn_bag_add(cairn_context *ctx, cairn_bag_builder *bag, const char *name,
                           size_t length, double amount)
{
    int32_t item = 0;
    CHECK(number_item(ctx, bag, name, length, &item));
    if (bag->n_items >= bag->items_capacity)
        CHECK(GROW(ctx, &bag->items, &bag->items_capacity, bag->n_items + 1));
    /* Keep an amount; the first that is not 1 makes room for those before it. */
    size_t n = bag->n_items;
    if (amount != 1 || bag->amounts) {
        bool first = !bag->amounts;
        if (first || n >= bag->amounts_capacity)
            CHECK(GROW(ctx, &bag->amounts, &bag->amounts_capacity, n + 1));
        for (size_t k = 0; first && k < n; k++) bag->amounts[k] = 1;
        bag->amounts[n] = amount;
    }
    bag->items[bag->n_items++] = item;
    return CAIRN_OK;
}

typedef struct named_number {
    double value;
    int32_t item;
} named_number;

static int by_value(const void *a, const void *b)
{
    const named_number *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

/* Ascending order of names that are all numbers: order[new] = old; NULL when they are not, or are
 * in order already. From scratch. */
static cairn_status order_names(cairn_context *ctx, const cairn_map *names, named_number **out)
{
    named_number *order;
    bool ascending = true;
    *out = NULL;
    cairn_status status = SCRATCH_RAW(ctx, &order, names->n);
    if (status) return status;
    for (size_t i = 0; i < names->n; i++) {
        if (!cairn_cell_number(cairn_map_key(names, i), names->lengths[i], '.', &order[i].value))
            return CAIRN_OK;
        order[i].item = (int32_t)i;
        if (i && order[i - 1].value > order[i].value) ascending = false;
    }
    if (ascending) return CAIRN_OK;
    qsort(order, names->n, sizeof *order, by_value);
    *out = order;
    return CAIRN_OK;
}

/* Items whose names are all numbers are ordered by value, as in files of indices; other names keep
 * the order in which they came. */
static cairn_status sort_names(cairn_context *ctx, cairn_bag_builder *bag)
{
    SCOPED_SCRATCH(ctx);
    cairn_map *names = &bag->names;
    SCOPED(cairn_map_clear) cairn_map sorted = {0};
    named_number *order;
    int32_t *renumbered;
    size_t index;
    CHECK(order_names(ctx, names, &order));
    if (!order) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &renumbered, names->n));
    for (size_t i = 0; i < names->n; i++) {
        size_t old = (size_t)order[i].item;
        CHECK(cairn_map_add(ctx, &sorted, cairn_map_key(names, old), names->lengths[old], &index));
        renumbered[old] = (int32_t)i;
    }
    for (size_t k = 0; k < bag->n_items; k++) bag->items[k] = renumbered[bag->items[k]];
    cairn_map_clear(names);
    *names = sorted;
    sorted = (cairn_map){0};
    return CAIRN_OK;
}

/* An item with its amount, for sorting long rows. */
typedef struct amounted {
    int32_t item;
    size_t at; /* keeps equal items in their order, so that sums have the same bits every time */
    double amount;
} amounted;

static int by_item(const void *a, const void *b)
{
    const amounted *x = a, *y = b;
    if (x->item != y->item) return x->item < y->item ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Stable, and quick on the few dozen items that most rows have. */
static void sort_short(int32_t *items, double *amounts, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        int32_t item = items[i];
        double amount = amounts ? amounts[i] : 1;
        size_t j = i;
        for (; j > 0 && items[j - 1] > item; j--) {
            items[j] = items[j - 1];
            if (amounts) amounts[j] = amounts[j - 1];
        }
        items[j] = item;
        if (amounts) amounts[j] = amount;
    }
}

static cairn_status sort_long(cairn_context *ctx, int32_t *items, double *amounts, size_t n)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    amounted *row;
    cairn_status status = SCRATCH_RAW(ctx, &row, n);
    if (status) return status;
    for (size_t i = 0; i < n; i++) row[i] = (amounted){items[i], i, amounts ? amounts[i] : 1};
    qsort(row, n, sizeof *row, by_item);
    for (size_t i = 0; i < n; i++) {
        items[i] = row[i].item;
        if (amounts) amounts[i] = row[i].amount;
    }
    cairn_scratch_release(ctx, mark);
    return CAIRN_OK;
}

/* Whether every item is larger than the one before. */
static bool is_ascending(const int32_t *items, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (items[i - 1] >= items[i]) return false;
    return true;
}

/* Sort every row that needs it; tells whether any item is repeated in its row. */
static cairn_status sort_rows(cairn_context *ctx, cairn_column *bag, bool *repeats)
{
    enum { SHORT = 64 };
    *repeats = false;
    for (size_t i = 0; i < bag->n_rows; i++) {
        size_t begin = bag->starts[i], n = bag->starts[i + 1] - begin;
        if (n < 2 || is_ascending(bag->items + begin, n)) continue;
        int32_t *items = bag->items + begin;
        double *amounts = bag->amounts ? bag->amounts + begin : NULL;
        if (n <= SHORT)
            sort_short(items, amounts, n);
        else
            CHECK(sort_long(ctx, items, amounts, n));
        if (!*repeats) *repeats = !is_ascending(items, n);
    }
    return CAIRN_OK;
}

/* Add up the amounts of repeated items and leave out amounts of 0; needs amounts. */
static void merge_items(cairn_column *bag)
{
    size_t kept = 0, begin = 0;
    for (size_t i = 0; i < bag->n_rows; i++) {
        size_t end = bag->starts[i + 1], k = begin;
        bag->starts[i] = kept;
        while (k < end) {
            int32_t item = bag->items[k];
            double amount = 0;
            for (; k < end && bag->items[k] == item; k++) amount += bag->amounts[k];
            if (amount == 0) continue;
            bag->items[kept] = item;
            bag->amounts[kept++] = amount;
        }
        begin = end;
    }
    bag->starts[bag->n_rows] = kept;
}

/* Amounts that all turned out to be 1 are not kept. */
static void drop_plain_amounts(cairn_column *bag)
{
    size_t n = bag->starts[bag->n_rows];
    for (size_t k = 0; bag->amounts && k < n; k++)
        if (bag->amounts[k] != 1) return;
    cairn_free(bag->amounts);
    bag->amounts = NULL;
}

cairn_status cairn_bag_tidy(cairn_context *ctx, cairn_column *bag)
{
    bool repeats;
    size_t n = bag->starts[bag->n_rows];
    CHECK(sort_rows(ctx, bag, &repeats));
    if (repeats && !bag->amounts) {
        CHECK(NEW_RAW(ctx, &bag->amounts, n));
        for (size_t k = 0; k < n; k++) bag->amounts[k] = 1;
    }
    if (bag->amounts) merge_items(bag);
    drop_plain_amounts(bag);
    /* growth left room at the ends of the arrays */
    n = bag->starts[bag->n_rows];
    CHECK(RESIZE(ctx, &bag->starts, bag->n_rows + 1));
    CHECK(RESIZE(ctx, &bag->items, n));
    if (bag->amounts) CHECK(RESIZE(ctx, &bag->amounts, n));
    return CAIRN_OK;
}

/* What was collected moves over into a column. */
static cairn_status make_column(cairn_context *ctx, cairn_column **out, cairn_bag_builder *bag)
{
    cairn_column *column;
    CHECK(sort_names(ctx, bag));
    CHECK(GROW(ctx, &bag->starts, &bag->starts_capacity, bag->n_rows + 1));
    bag->starts[bag->n_rows] = bag->n_items;
    CHECK(cairn_column_new(ctx, &column, CAIRN_BAG, 0));
    cairn_free(column->starts);
    column->n_rows = bag->n_rows;
    column->starts = bag->starts;
    column->items = bag->items;
    column->amounts = bag->amounts;
    column->names = bag->names;
    bag->starts = NULL;
    bag->items = NULL;
    bag->amounts = NULL;
    bag->names = (cairn_map){0};
    *out = column;
    return CAIRN_OK;
}

cairn_status cairn_bag_finish(cairn_context *ctx, cairn_column **out, cairn_bag_builder *bag)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    cairn_status status = make_column(ctx, &column, bag);
    cairn_bag_clear(bag);
    CHECK(status);
    CHECK(cairn_bag_tidy(ctx, column));
    *out = TAKE(column);
    return CAIRN_OK;
}
