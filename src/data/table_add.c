/* SPDX-License-Identifier: MIT */
/* Columns of the caller's arrays, copied or lent. Everything is checked here, at the door: what has
 * become a column is trusted everywhere. */
#include "base/call.h"
#include "base/text.h"
#include "cairn/columns.h"
#include "data/bag.h"
#include "data/lent.h"
#include "data/odd_numbers.h"
#include "data/table_index.h"
#include <math.h>
#include <string.h>

/* -- numbers and times -- */

static cairn_status copy_numbers(cairn_context *ctx, cairn_column **out, cairn_kind kind,
                                 const double *numbers, size_t n)
{
    CHECK(cairn_column_new(ctx, out, kind, n));
    if (n) memcpy((*out)->numbers, numbers, n * sizeof *numbers);
    return CAIRN_OK;
}

cairn_status cairn_table_put_numbers(cairn_context *ctx, cairn_table *table, const char *name,
                                     const double *numbers)
{
    cairn_column *column;
    CHECK(copy_numbers(ctx, &column, CAIRN_NUMBER, numbers, table->n_rows));
    cairn_column_count_missing(column);
    return cairn_table_add_column(ctx, table, name, CAIRN_FEATURE, column);
}

static cairn_status add_reals(cairn_context *ctx, cairn_table *table, const char *name,
                              cairn_kind kind, const double *numbers)
{
    cairn_column *column;
    size_t n_missing;
    CAIRN_ALIVE(table);
    CHECK(cairn_table_name_allowed(ctx, table, name));
    CHECK(cairn_numbers_allowed(ctx, name, numbers, table->n_rows, &n_missing));
    CHECK(copy_numbers(ctx, &column, kind, numbers, table->n_rows));
    column->n_missing = n_missing;
    if (kind == CAIRN_TIME) cairn_column_set_pattern(column);
    return cairn_table_append(ctx, table, name, CAIRN_FEATURE, column);
}

cairn_status cairn_table_add_numbers(cairn_context *ctx, cairn_table *table, const char *name,
                                     const double *numbers)
{
    PUBLIC_CALL(ctx);
    return add_reals(ctx, table, name, CAIRN_NUMBER, numbers);
}

cairn_status cairn_table_add_times(cairn_context *ctx, cairn_table *table, const char *name,
                                   const double *seconds)
{
    PUBLIC_CALL(ctx);
    return add_reals(ctx, table, name, CAIRN_TIME, seconds);
}

/* -- levels -- */

/* The names of levels or items, which must be UTF-8 and differ. */
static cairn_status add_names(cairn_context *ctx, cairn_map *out, const char *column,
                              const char *what, const char *const *names, size_t n)
{
    size_t index;
    if (n > INT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s': %zu %ss are more than there can be",
                          column, n, what);
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(names[i]);
        if (cairn_utf8_check(names[i], length) < length)
            return cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s': the name of %s %zu is not UTF-8",
                              column, what, i);
        CHECK(cairn_map_add(ctx, out, names[i], length, &index));
        if (index != i)
            return cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s': the %s '%s' is named twice",
                              column, what, names[i]);
    }
    return CAIRN_OK;
}

static cairn_status refuse_code(cairn_context *ctx, const char *column, size_t row, int32_t code,
                                const char *what, size_t n)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "column '%s', row %zu: code %d, but there are %zu %ss; a code is 0 or more "
                      "and below that",
                      column, row + 1, code, n, what);
}

/* Fails at a code that has no name, or that is below `least`. */
static cairn_status check_codes(cairn_context *ctx, const char *column, const int32_t *codes,
                                size_t n_rows, size_t n_levels, int32_t least)
{
    for (size_t i = 0; i < n_rows; i++)
        if (codes[i] < least || (codes[i] >= 0 && (size_t)codes[i] >= n_levels))
            return refuse_code(ctx, column, i, codes[i], "level", n_levels);
    return CAIRN_OK;
}

static cairn_status add_codes(cairn_context *ctx, cairn_table *table, const char *name,
                              const int32_t *codes, const char *const *level_names, size_t n_levels,
                              bool ordered)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    CAIRN_ALIVE(table);
    CHECK(cairn_table_name_allowed(ctx, table, name));
    CHECK(cairn_column_new(ctx, &column, CAIRN_LEVEL, table->n_rows));
    CHECK(add_names(ctx, &column->names, name, "level", level_names, n_levels));
    CHECK(check_codes(ctx, name, codes, table->n_rows, n_levels, INT32_MIN));
    for (size_t i = 0; i < table->n_rows; i++) column->codes[i] = codes[i] < 0 ? -1 : codes[i];
    column->ordered = column->declared = ordered;
    cairn_column_count_missing(column);
    return cairn_table_append(ctx, table, name, CAIRN_FEATURE, TAKE(column));
}

cairn_status cairn_table_add_levels(cairn_context *ctx, cairn_table *table, const char *name,
                                    const int32_t *codes, const char *const *level_names,
                                    size_t n_levels)
{
    PUBLIC_CALL(ctx);
    return add_codes(ctx, table, name, codes, level_names, n_levels, false);
}

cairn_status cairn_table_add_ordered(cairn_context *ctx, cairn_table *table, const char *name,
                                     const int32_t *codes, const char *const *level_names,
                                     size_t n_levels)
{
    PUBLIC_CALL(ctx);
    return add_codes(ctx, table, name, codes, level_names, n_levels, true);
}

/* -- lent -- */

cairn_status cairn_table_lend_numbers(cairn_context *ctx, cairn_table *table, const char *name,
                                      const double *numbers, cairn_release_function release,
                                      void *owner)
{
    PUBLIC_CALL(ctx);
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    CAIRN_ALIVE(table);
    CHECK(cairn_column_over_numbers(ctx, &column, numbers, table->n_rows, release, owner));
    CHECK(cairn_table_name_allowed(ctx, table, name));
    CHECK(cairn_numbers_allowed(ctx, name, numbers, table->n_rows, &column->n_missing));
    return cairn_table_append(ctx, table, name, CAIRN_FEATURE, TAKE(column));
}

cairn_status cairn_table_lend_codes(cairn_context *ctx, cairn_table *table, const char *name,
                                    const int32_t *codes, const char *const *level_names,
                                    size_t n_levels, cairn_release_function release, void *owner)
{
    PUBLIC_CALL(ctx);
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    CAIRN_ALIVE(table);
    CHECK(cairn_column_over_codes(ctx, &column, codes, table->n_rows, release, owner));
    CHECK(cairn_table_name_allowed(ctx, table, name));
    CHECK(check_codes(ctx, name, codes, table->n_rows, n_levels, -1));
    CHECK(add_names(ctx, &column->names, name, "level", level_names, n_levels));
    cairn_column_count_missing(column);
    return cairn_table_append(ctx, table, name, CAIRN_FEATURE, TAKE(column));
}

/* -- texts -- */

/* The lengths of all texts; a text that is not UTF-8 fails with its row. */
static cairn_status check_texts(cairn_context *ctx, const char *column, const char *const *texts,
                                const size_t *lengths, size_t *starts, size_t n)
{
    size_t total = 0;
    for (size_t i = 0; i < n; i++) {
        size_t length = !texts[i] ? 0 : lengths ? lengths[i] : strlen(texts[i]);
        starts[i] = total;
        total += length;
        if (length && cairn_utf8_check(texts[i], length) < length)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "column '%s', row %zu: the text is not UTF-8; convert it first",
                              column, i + 1);
    }
    starts[n] = total;
    return CAIRN_OK;
}

cairn_status cairn_table_add_texts_sized(cairn_context *ctx, cairn_table *table, const char *name,
                                         const char *const *texts, const size_t *lengths)
{
    PUBLIC_CALL(ctx);
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    size_t n = table->n_rows;
    CAIRN_ALIVE(table);
    CHECK(cairn_table_name_allowed(ctx, table, name));
    CHECK(cairn_column_new(ctx, &column, CAIRN_TEXT, n));
    CHECK(check_texts(ctx, name, texts, lengths, column->starts, n));
    CHECK(NEW_RAW(ctx, &column->bytes, column->starts[n]));
    for (size_t i = 0; i < n; i++) {
        size_t at = column->starts[i], length = column->starts[i + 1] - at;
        if (length) memcpy(column->bytes + at, texts[i], length);
        if (!texts[i]) CHECK(cairn_column_mark_absent(ctx, column, i));
    }
    cairn_column_count_missing(column);
    return cairn_table_append(ctx, table, name, CAIRN_FEATURE, TAKE(column));
}

cairn_status cairn_table_add_texts(cairn_context *ctx, cairn_table *table, const char *name,
                                   const char *const *texts)
{
    PUBLIC_CALL(ctx);
    return cairn_table_add_texts_sized(ctx, table, name, texts, NULL);
}

/* -- bags, sequences and series -- */

/* Runs of a caller: starts that ascend, counted from the first of them, and which are missing. */
static cairn_status copy_starts(cairn_context *ctx, cairn_column *column, const char *name,
                                const size_t *starts, const bool *missing)
{
    size_t n = column->n_rows;
    for (size_t i = 0; i < n; i++) {
        if (starts[i + 1] < starts[i])
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "column '%s', row %zu: it starts at %zu and ends at %zu; starts "
                              "ascend",
                              name, i + 1, starts[i], starts[i + 1]);
        if (missing && missing[i] && starts[i + 1] > starts[i])
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "column '%s', row %zu: the cell is missing and holds %zu items; it "
                              "is one or the other",
                              name, i + 1, starts[i + 1] - starts[i]);
        if (missing && missing[i]) CHECK(cairn_column_mark_absent(ctx, column, i));
        column->starts[i + 1] = starts[i + 1] - starts[0];
    }
    return CAIRN_OK;
}

/* The row that run entry k belongs to, for a message. */
static size_t row_of(const cairn_column *column, size_t k)
{
    size_t row = 0;
    while (column->starts[row + 1] <= k) row++;
    return row;
}

static cairn_status copy_items(cairn_context *ctx, cairn_column *column, const char *name,
                               const int32_t *items, int32_t least)
{
    size_t n = column->starts[column->n_rows];
    CHECK(NEW_RAW(ctx, &column->items, n));
    for (size_t k = 0; k < n; k++) {
        if (items[k] < least || (items[k] >= 0 && (size_t)items[k] >= column->names.n))
            return refuse_code(ctx, name, row_of(column, k), items[k], "item", column->names.n);
        column->items[k] = items[k];
    }
    return CAIRN_OK;
}

/* The amounts of bags, which are all there, or the numbers of series, of which some may be missing.
 */
static cairn_status copy_amounts(cairn_context *ctx, cairn_column *column, const char *name,
                                 const double *amounts)
{
    size_t n = column->starts[column->n_rows];
    CHECK(NEW_RAW(ctx, &column->amounts, n));
    for (size_t k = 0; k < n; k++) {
        double amount = column->amounts[k] = amounts[k];
        if (isfinite(amount) || (isnan(amount) && column->kind == CAIRN_SERIES)) continue;
        return cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s', row %zu: one of its numbers is %s",
                          name, row_of(column, k) + 1,
                          isnan(amount) ? "not a number; leave the item out"
                                        : "infinite; replace it");
    }
    return CAIRN_OK;
}

/* A column of runs of items, which are as the caller gave them. */
static cairn_status start_items(cairn_context *ctx, cairn_column **out, const cairn_table *table,
                                cairn_kind kind, const char *name, const size_t *starts,
                                const int32_t *items, const char *const *item_names, size_t n_items,
                                const bool *missing)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    CHECK(cairn_table_name_allowed(ctx, table, name));
    CHECK(cairn_column_new(ctx, &column, kind, table->n_rows));
    CHECK(copy_starts(ctx, column, name, starts, missing));
    CHECK(add_names(ctx, &column->names, name, "item", item_names, n_items));
    CHECK(copy_items(ctx, column, name, table->n_rows ? items + starts[0] : items,
                     kind == CAIRN_SEQUENCE ? -1 : 0));
    cairn_column_count_missing(column);
    *out = TAKE(column);
    return CAIRN_OK;
}

cairn_status cairn_table_add_bags(cairn_context *ctx, cairn_table *table, const char *name,
                                  const size_t *starts, const int32_t *items, const double *values,
                                  const char *const *item_names, size_t n_items,
                                  const bool *missing)
{
    PUBLIC_CALL(ctx);
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    CAIRN_ALIVE(table);
    CHECK(start_items(ctx, &column, table, CAIRN_BAG, name, starts, items, item_names, n_items,
                      missing));
    if (values && table->n_rows) CHECK(copy_amounts(ctx, column, name, values + starts[0]));
    CHECK(cairn_bag_tidy(ctx, column));
    return cairn_table_append(ctx, table, name, CAIRN_FEATURE, TAKE(column));
}

cairn_status cairn_table_add_sequences(cairn_context *ctx, cairn_table *table, const char *name,
                                       const size_t *starts, const int32_t *items,
                                       const char *const *item_names, size_t n_items,
                                       const bool *missing)
{
    PUBLIC_CALL(ctx);
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    CAIRN_ALIVE(table);
    CHECK(start_items(ctx, &column, table, CAIRN_SEQUENCE, name, starts, items, item_names, n_items,
                      missing));
    return cairn_table_append(ctx, table, name, CAIRN_FEATURE, TAKE(column));
}

cairn_status cairn_table_add_series(cairn_context *ctx, cairn_table *table, const char *name,
                                    const size_t *starts, const double *numbers,
                                    const bool *missing)
{
    PUBLIC_CALL(ctx);
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    CAIRN_ALIVE(table);
    CHECK(cairn_table_name_allowed(ctx, table, name));
    CHECK(cairn_column_new(ctx, &column, CAIRN_SERIES, table->n_rows));
    CHECK(copy_starts(ctx, column, name, starts, missing));
    CHECK(copy_amounts(ctx, column, name, table->n_rows ? numbers + starts[0] : numbers));
    cairn_column_count_missing(column);
    return cairn_table_append(ctx, table, name, CAIRN_FEATURE, TAKE(column));
}
