/* SPDX-License-Identifier: MIT */
/* Tables and the limits of their context. */
#include "data/table_limits.h"

static const char *shown(const char *source)
{
    return source ? source : "the table";
}

cairn_status cairn_columns_allowed(cairn_context *ctx, size_t n, const char *source)
{
    if (n <= cairn_context_limit(ctx, CAIRN_LIMIT_COLUMNS)) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: %zu columns are too many: %s", shown(source), n,
                      cairn_limit_said(ctx, CAIRN_LIMIT_COLUMNS, n));
}

cairn_status cairn_cell_allowed(cairn_context *ctx, size_t length, const char *source, size_t row,
                                const char *column)
{
    if (length <= cairn_context_limit(ctx, CAIRN_LIMIT_CELL)) return CAIRN_OK;
    return cairn_fail(
        ctx, CAIRN_BAD_DATA, "%s, row %zu, column '%s': a cell of %zu bytes is too long: %s",
        shown(source), row + 1, column, length, cairn_limit_said(ctx, CAIRN_LIMIT_CELL, length));
}

cairn_status cairn_levels_allowed(cairn_context *ctx, size_t n, const char *source,
                                  const char *column)
{
    if (n <= cairn_context_limit(ctx, CAIRN_LIMIT_LEVELS)) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%s, column '%s': %zu levels are too many: %s",
                      shown(source), column, n, cairn_limit_said(ctx, CAIRN_LIMIT_LEVELS, n));
}

/* The first row that holds the name, which may be declared only; then it counts as the first. */
static size_t row_of_name(const cairn_column *column, size_t name)
{
    size_t row = 0;
    if (column->codes) {
        while (row < column->n_rows && column->codes[row] != (int32_t)name) row++;
    } else if (column->items) {
        size_t item = 0, n = column->starts[column->n_rows];
        while (item < n && column->items[item] != (int32_t)name) item++;
        while (row < column->n_rows && column->starts[row + 1] <= item) row++;
    }
    return row < column->n_rows ? row : 0;
}

static cairn_status names_allowed(cairn_context *ctx, const cairn_table *table,
                                  const cairn_slot *slot)
{
    const cairn_column *column = slot->column;
    const cairn_map *names = &column->names;
    if (column->kind == CAIRN_LEVEL)
        CHECK(cairn_levels_allowed(ctx, names->n, table->source, slot->name));
    uint64_t most = cairn_context_limit(ctx, CAIRN_LIMIT_CELL);
    for (size_t i = 0; i < names->n; i++)
        if (names->lengths[i] > most)
            return cairn_cell_allowed(ctx, names->lengths[i], table->source, row_of_name(column, i),
                                      slot->name);
    return CAIRN_OK;
}

static cairn_status texts_allowed(cairn_context *ctx, const cairn_table *table,
                                  const cairn_slot *slot)
{
    const size_t *starts = slot->column->starts;
    uint64_t most = cairn_context_limit(ctx, CAIRN_LIMIT_CELL);
    if (starts[table->n_rows] - starts[0] <= most) return CAIRN_OK;
    for (size_t i = 0; i < table->n_rows; i++)
        CHECK(cairn_cell_allowed(ctx, starts[i + 1] - starts[i], table->source, i, slot->name));
    return CAIRN_OK;
}

cairn_status cairn_table_allowed(cairn_context *ctx, const cairn_table *table)
{
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_slot *slot = &table->slots[j];
        CHECK(names_allowed(ctx, table, slot));
        if (slot->column->kind == CAIRN_TEXT) CHECK(texts_allowed(ctx, table, slot));
    }
    return CAIRN_OK;
}
