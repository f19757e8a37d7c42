/* SPDX-License-Identifier: MIT */
/* Columns that grow cell by cell. */
#include "data/grow.h"
#include "base/memory.h"
#include "data/column.h"
#include <math.h>
#include <string.h>

void cairn_grow_clear(cairn_grow_column *column)
{
    cairn_free(column->name);
    cairn_map_clear(&column->names);
    FREE_EACH(column->numbers, column->codes, column->starts, column->bytes, column->absent);
    *column = (cairn_grow_column){0};
}

cairn_status cairn_grow_number(cairn_context *ctx, cairn_grow_column *column, double number)
{
    cairn_status status =
        GROW(ctx, &column->numbers, &column->numbers_capacity, column->n_rows + 1);
    if (!status) column->numbers[column->n_rows++] = number;
    return status;
}

cairn_status cairn_grow_code(cairn_context *ctx, cairn_grow_column *column, int32_t code)
{
    cairn_status status = GROW(ctx, &column->codes, &column->codes_capacity, column->n_rows + 1);
    if (!status) column->codes[column->n_rows++] = code;
    return status;
}

static cairn_status add_text(cairn_context *ctx, cairn_grow_column *column, const char *text,
                             size_t length, uint8_t absent)
{
    size_t row = column->n_rows;
    CHECK(GROW(ctx, &column->starts, &column->starts_capacity, row + 2));
    CHECK(GROW(ctx, &column->absent, &column->absent_capacity, row + 1));
    /* one more, so that a column of empty texts has bytes to point to */
    CHECK(GROW(ctx, &column->bytes, &column->bytes_capacity, column->n_bytes + length + 1));
    if (length) memcpy(column->bytes + column->n_bytes, text, length);
    column->starts[row] = column->n_bytes;
    column->absent[row] = absent;
    column->n_bytes += length;
    column->n_rows++;
    return CAIRN_OK;
}

cairn_status cairn_grow_text(cairn_context *ctx, cairn_grow_column *column, const char *text,
                             size_t length)
{
    return add_text(ctx, column, text, length, 0);
}

cairn_status cairn_grow_missing(cairn_context *ctx, cairn_grow_column *column)
{
    if (column->kind == CAIRN_NUMBER || column->kind == CAIRN_TIME)
        return cairn_grow_number(ctx, column, NAN);
    if (column->kind == CAIRN_LEVEL) return cairn_grow_code(ctx, column, -1);
    return add_text(ctx, column, NULL, 0, 1);
}

/* Shrink the arrays and hand them over. */
static cairn_status hand_over(cairn_context *ctx, cairn_column *to, cairn_grow_column *from)
{
    size_t n = from->n_rows;
    if (from->numbers) CHECK(RESIZE(ctx, &from->numbers, n));
    if (from->codes) CHECK(RESIZE(ctx, &from->codes, n));
    if (from->bytes) CHECK(RESIZE(ctx, &from->bytes, from->n_bytes + 1));
    if (from->starts) from->starts[n] = from->n_bytes;
    to->n_rows = n;
    to->numbers = from->numbers;
    to->codes = from->codes;
    to->starts = from->starts;
    to->bytes = from->bytes;
    to->absent = from->absent;
    to->names = from->names;
    to->declared = from->declared;
    to->ordered = from->ordered;
    from->numbers = NULL;
    from->codes = NULL;
    from->starts = NULL;
    from->bytes = NULL;
    from->absent = NULL;
    from->names = (cairn_map){0};
    memcpy(to->pattern, from->pattern, sizeof to->pattern);
    if (to->kind == CAIRN_TIME) cairn_column_set_pattern(to);
    cairn_column_count_missing(to);
    if (to->absent && !to->n_missing) {
        cairn_free(to->absent);
        to->absent = NULL;
    }
    return CAIRN_OK;
}

cairn_status cairn_grow_finish(cairn_context *ctx, cairn_table *table, cairn_grow_column *column)
{
    cairn_status status;
    cairn_column *made = NULL;
    TRY(NEW(ctx, &made, 1));
    made->holders = 1;
    made->kind = column->kind;
    TRY(hand_over(ctx, made, column));
    status = cairn_table_append(ctx, table, column->name, column->role, made);
    made = NULL;
done:
    cairn_column_drop(made);
    cairn_grow_clear(column);
    return status;
}
