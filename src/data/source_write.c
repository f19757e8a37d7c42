/* SPDX-License-Identifier: MIT */
/* Tables into databases: numbers as numbers (whole ones as integers), everything else as text,
 * missing cells as NULL. */
#include "base/memory.h"
#include "base/signals.h"
#include "base/text.h"
#include "data/column.h"
#include "data/source.h"
#include <math.h>

typedef struct giver {
    cairn_context *ctx;
    const cairn_table *table;
    const cairn_source_type *types;
    cairn_text *texts; /* one per column: cells that have no text of their own */
    size_t row;
    bool failed; /* a text could not be made: nothing is kept */
} giver;

static cairn_source_type type_of(const cairn_column *column)
{
    if (column->kind != CAIRN_NUMBER) return CAIRN_SOURCE_TEXT;
    for (size_t i = 0; i < column->n_rows; i++) {
        double x = column->numbers[i];
        if (!isnan(x) && (x != floor(x) || fabs(x) > 9007199254740992.0)) return CAIRN_SOURCE_REAL;
    }
    return CAIRN_SOURCE_INTEGER;
}

/* Levels and texts are lent from the table; any other cell is formatted into a buffer of its
 * column, which lasts until the next row. */
static void give_text(giver *g, size_t j, cairn_source_cell *cell)
{
    const cairn_column *column = g->table->slots[j].column;
    cairn_text *text = &g->texts[j];
    if (column->kind == CAIRN_LEVEL) {
        size_t code = (size_t)column->codes[g->row];
        cell->text = cairn_map_key(&column->names, code);
        cell->length = column->names.lengths[code];
        return;
    }
    if (column->kind == CAIRN_TEXT) {
        cell->text = column->bytes + column->starts[g->row];
        cell->length = column->starts[g->row + 1] - column->starts[g->row];
        return;
    }
    size_t whole = cairn_column_cell(column, g->row, NULL, 0);
    text->length = 0;
    cairn_text_add_repeat(text, ' ', whole);
    if (cairn_text_status(text)) {
        g->failed = true;
        return;
    }
    cell->length = cairn_column_cell(column, g->row, text->bytes, whole + 1);
    cell->text = text->bytes;
}

/* Called by the module that writes, one row at a time, so that a table is never held twice; false
 * ends the rows. */
static bool give_row(void *data, cairn_source_cell *cells)
{
    giver *g = data;
    if (g->row >= g->table->n_rows) return false;
    for (size_t j = 0; j < g->table->n_columns; j++) {
        const cairn_column *column = g->table->slots[j].column;
        cairn_source_cell cell = {.type = g->types[j], .text = ""};
        if (cairn_column_is_missing(column, g->row))
            cell.type = CAIRN_SOURCE_NULL;
        else if (cell.type == CAIRN_SOURCE_TEXT)
            give_text(g, j, &cell);
        else if (cell.type == CAIRN_SOURCE_INTEGER)
            cell.integer = (int64_t)column->numbers[g->row];
        else
            cell.real = column->numbers[g->row];
        cells[j] = cell;
    }
    g->row++;
    return true;
}

static bool is_cancelled(const void *data)
{
    const giver *g = data;
    return g->failed || cairn_is_cancelled(g->ctx);
}

static cairn_status check_locator(cairn_context *ctx, const cairn_locator *l)
{
    if (!l->module->write)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s: %s is read but not written; write csv and load it there", l->shown,
                          l->source->entry.name);
    if (!l->table)
        return cairn_fail(ctx, CAIRN_USAGE, "%s: which table is to be made? Add ?table=NAME",
                          l->shown);
    return CAIRN_OK;
}

/* The module's library writes files and sockets by itself. */
static cairn_source_end write_quietly(const cairn_locator *l, cairn_source_writing *job)
{
    HOLD_SIGNALS();
    return l->module->write(job);
}

cairn_status cairn_source_write(cairn_context *ctx, const cairn_table *table, const char *path)
{
    cairn_status status;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    size_t n = table->n_columns;
    const char **names;
    cairn_source_type *types;
    cairn_locator l;
    giver g = {.ctx = ctx, .table = table};
    TRY(SCRATCH(ctx, &names, n));
    TRY(SCRATCH(ctx, &types, n));
    TRY(SCRATCH(ctx, &g.texts, n));
    for (size_t j = 0; j < n; j++) {
        names[j] = table->slots[j].name;
        types[j] = type_of(table->slots[j].column);
        g.texts[j] = cairn_text_start(ctx);
    }
    g.types = types;
    TRY(cairn_locator_open(ctx, &l, path));
    TRY(check_locator(ctx, &l));
    cairn_source_writing job = {.place = l.place,
                                .table = l.table,
                                .n_columns = n,
                                .names = names,
                                .types = types,
                                .memory = cairn_source_memory(ctx),
                                .data = &g,
                                .next = give_row,
                                .is_cancelled = is_cancelled};
    cairn_source_end end = write_quietly(&l, &job);
    for (size_t j = 0; j < n; j++) TRY(cairn_text_status(&g.texts[j]));
    TRY(cairn_source_failed(ctx, &l, end, job.message));
done:
    for (size_t j = 0; g.texts && j < n; j++) cairn_text_clear(&g.texts[j]);
    cairn_scratch_release(ctx, mark);
    return status;
}
