/* SPDX-License-Identifier: MIT */
/* Tables of the same columns in another form: renamed, dropped, chosen, shared, some rows. */
#include "cairn/table.h"
#include "base/call.h"
#include "data/column.h"
#include "data/shape.h"
#include "data/table_index.h"
#include <string.h>

cairn_status cairn_table_rename(cairn_context *ctx, cairn_table *table, const char *column,
                                const char *name)
{
    PUBLIC_CALL(ctx);
    size_t i;
    char *copy;
    CAIRN_ALIVE(table);
    CHECK(cairn_table_get(ctx, table, column, &i));
    if (name && strcmp(table->slots[i].name, name) == 0) return CAIRN_OK;
    CHECK(cairn_table_name_allowed(ctx, table, name));
    CHECK(cairn_copy_text(ctx, &copy, name, name ? strlen(name) : 0));
    cairn_free(table->slots[i].name);
    table->slots[i].name = copy;
    cairn_table_index_again(table);
    return CAIRN_OK;
}

/* A matrix over cases that has lost one of its columns is a table like any other. */
cairn_status cairn_table_drop(cairn_context *ctx, cairn_table *table, const char *column)
{
    PUBLIC_CALL(ctx);
    size_t i;
    CAIRN_ALIVE(table);
    CHECK(cairn_table_get(ctx, table, column, &i));
    if (table->slots[i].role == CAIRN_FEATURE) table->shape = CAIRN_SHAPE_TABLE;
    cairn_table_remove_column(table, i);
    return CAIRN_OK;
}

static cairn_status add_selected(cairn_context *ctx, cairn_table *to, const cairn_table *from,
                                 const char *name)
{
    size_t i;
    CHECK(cairn_table_get(ctx, from, name, &i));
    const cairn_slot *slot = &from->slots[i];
    return cairn_table_add_column(ctx, to, slot->name, slot->role, cairn_column_hold(slot->column));
}

cairn_status cairn_table_select(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                const char *const *columns, size_t n)
{
    PUBLIC_CALL(ctx);
    OWNED(cairn_table_free) cairn_table *made = NULL;
    CAIRN_ALIVE(table);
    CHECK(cairn_table_new(ctx, &made, table->n_rows));
    CHECK(cairn_table_copy_source(ctx, made, table));
    for (size_t i = 0; i < n; i++) CHECK(add_selected(ctx, made, table, columns[i]));
    *out = TAKE(made);
    return CAIRN_OK;
}

cairn_status cairn_table_copy(cairn_context *ctx, cairn_table **out, const cairn_table *table)
{
    PUBLIC_CALL(ctx);
    CAIRN_ALIVE(table);
    return cairn_table_share(ctx, out, table);
}

cairn_status cairn_table_take(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                              const size_t *rows, size_t n)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    uint32_t *numbers;
    CAIRN_ALIVE(table);
    CHECK(SCRATCH_RAW(ctx, &numbers, n));
    for (size_t i = 0; i < n; i++) {
        if (rows[i] >= table->n_rows)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "row %zu is asked for, but the table has %zu rows, numbered from 0",
                              rows[i], table->n_rows);
        numbers[i] = (uint32_t)rows[i];
    }
    return cairn_table_take_rows(ctx, out, table, numbers, n);
}
