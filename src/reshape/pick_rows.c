/* SPDX-License-Identifier: MIT */
/* Some rows of a table: the first ones, a sample, one of each combination of values; and what the
 * steps share. */
#include "base/call.h"
#include "base/memory.h"
#include "base/random.h"
#include "cairn/reshape.h"
#include "data/column.h"
#include "entry/entry.h"
#include "reshape/keys.h"

cairn_status cairn_pick_columns(cairn_context *ctx, size_t **out, size_t *n,
                                const cairn_table *table, const char *list)
{
    ptrdiff_t whole = cairn_table_find(table, list);
    char **names;
    size_t *columns;
    CHECK(cairn_list_split(ctx, list, &names, n));
    if (whole >= 0) *n = 1;
    CHECK(SCRATCH(ctx, &columns, *n + 1));
    *out = columns;
    if (whole >= 0) {
        columns[0] = (size_t)whole;
        return CAIRN_OK;
    }
    for (size_t i = 0; i < *n; i++) {
        CHECK(cairn_table_get(ctx, table, names[i], &columns[i]));
        for (size_t k = 0; k < i; k++)
            if (columns[k] == columns[i])
                return cairn_fail(ctx, CAIRN_USAGE, "column '%s' is named twice in '%s'", names[i],
                                  list);
    }
    return CAIRN_OK;
}

double cairn_table_row_bytes(const cairn_table *table)
{
    double bytes = 0;
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_column *column = table->slots[i].column;
        if (column->codes) bytes += sizeof *column->codes;
        if (column->numbers) bytes += sizeof *column->numbers;
        if (!column->starts) continue;
        bytes += sizeof *column->starts + (column->absent != NULL);
        if (table->n_rows)
            bytes += (double)column->starts[table->n_rows] / (double)table->n_rows *
                     (double)(cairn_column_width(column) +
                              (column->amounts ? sizeof *column->amounts : 0));
    }
    return bytes;
}

cairn_status cairn_table_distinct(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                  const char *columns)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    cairn_row_groups groups;
    size_t *keys, n = table->n_columns;
    if (columns) {
        CHECK(cairn_pick_columns(ctx, &keys, &n, table, columns));
    } else {
        CHECK(SCRATCH(ctx, &keys, n + 1));
        for (size_t i = 0; i < n; i++) keys[i] = i;
    }
    CHECK(cairn_group_rows(ctx, &groups, table, keys, n));
    if (groups.n_groups >= table->n_rows)
        CHECK(cairn_table_share(ctx, out, table));
    else
        CHECK(cairn_table_take_rows(ctx, out, table, groups.first, groups.n_groups));
    return CAIRN_OK;
}

cairn_status cairn_table_limit(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                               size_t n)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    uint32_t *rows;
    if (n >= table->n_rows) return cairn_table_share(ctx, out, table);
    CHECK(SCRATCH_RAW(ctx, &rows, n + 1));
    for (size_t i = 0; i < n; i++) rows[i] = (uint32_t)i;
    return cairn_table_take_rows(ctx, out, table, rows, n);
}

/* Go over the rows once: with `left` rows to look at and `wanted` still to draw, a row is drawn
 * with probability wanted / left. */
cairn_status cairn_table_sample(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                size_t n)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    cairn_random random;
    size_t drawn = 0;
    uint32_t *rows;
    if (n >= table->n_rows) return cairn_table_share(ctx, out, table);
    CHECK(SCRATCH_RAW(ctx, &rows, n + 1));
    cairn_random_start(&random, ctx->seed, 0);
    for (size_t i = 0; drawn < n; i++)
        if (cairn_random_below(&random, table->n_rows - i) < n - drawn) rows[drawn++] = (uint32_t)i;
    return cairn_table_take_rows(ctx, out, table, rows, n);
}
