/* SPDX-License-Identifier: MIT */
/* Tables into databases: numbers as numbers (whole ones as integers), truths as truths, times as
 * dates or times, lists as lists where the database has any, everything else as text, missing cells
 * as NULL. */
#include "base/memory.h"
#include "base/number.h"
#include "base/signals.h"
#include "base/text.h"
#include "data/column.h"
#include "data/source.h"
#include <math.h>
#include <string.h>

typedef struct giver {
    cairn_context *ctx;
    const cairn_table *table;
    const cairn_source_type *types;
    cairn_text *texts;         /* one per column: cells that have no text of their own */
    cairn_source_item **items; /* one per column, room for the longest list */
    size_t row;
    bool failed; /* a text could not be made: nothing is kept */
} giver;

/* -- types -- */

static cairn_source_type type_of_numbers(const cairn_column *column)
{
    for (size_t i = 0; i < column->n_rows; i++) {
        double x = column->numbers[i];
        if (!isnan(x) && (x != floor(x) || fabs(x) > 9007199254740992.0)) return CAIRN_SOURCE_REAL;
    }
    return CAIRN_SOURCE_INTEGER;
}

static cairn_source_type type_of_times(const cairn_column *column)
{
    if (strstr(column->pattern, "%z")) return CAIRN_SOURCE_ZONED;
    for (size_t i = 0; i < column->n_rows; i++)
        if (!isnan(column->numbers[i]) && fmod(column->numbers[i], 86400) != 0)
            return CAIRN_SOURCE_TIME;
    return CAIRN_SOURCE_DATE;
}

static cairn_source_type type_of(const cairn_column *column, const cairn_source_module *module)
{
    cairn_source_type type;
    bool list = column->kind == CAIRN_SEQUENCE || (column->kind == CAIRN_BAG && !column->amounts);
    if (column->kind == CAIRN_TIME) return type_of_times(column);
    if (cairn_column_has_truths(column)) return CAIRN_SOURCE_TRUTH;
    if (column->kind != CAIRN_NUMBER)
        return list && module->has_lists ? CAIRN_SOURCE_ITEMS : CAIRN_SOURCE_TEXT;
    type = type_of_numbers(column);
    return type == CAIRN_SOURCE_REAL && module->takes_numerals ? CAIRN_SOURCE_NUMERAL : type;
}

/* -- cells -- */

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

/* As every database reads it, however the table writes it. */
static void give_time(giver *g, size_t j, cairn_source_cell *cell)
{
    char time[CAIRN_TIME_SIZE];
    const char *pattern = cell->type == CAIRN_SOURCE_DATE    ? "%Y-%m-%d"
                          : cell->type == CAIRN_SOURCE_ZONED ? "%Y-%m-%d %H:%M:%S%z"
                                                             : "%Y-%m-%d %H:%M:%S";
    double seconds = g->table->slots[j].column->numbers[g->row];
    g->texts[j].length = 0;
    cairn_text_add_bytes(&g->texts[j], time, cairn_time_format(time, seconds, pattern));
    if (cairn_text_status(&g->texts[j])) g->failed = true;
    cell->type = CAIRN_SOURCE_TIME;
    cell->text = g->texts[j].bytes;
    cell->length = g->texts[j].length;
}

static void give_numeral(giver *g, size_t j, cairn_source_cell *cell)
{
    char text[CAIRN_NUMBER_SIZE];
    double number = g->table->slots[j].column->numbers[g->row];
    g->texts[j].length = 0;
    cairn_text_add_bytes(&g->texts[j], text, cairn_number_format(text, number, CAIRN_SHORTEST));
    if (cairn_text_status(&g->texts[j])) g->failed = true;
    cell->text = g->texts[j].bytes;
    cell->length = g->texts[j].length;
}

static void give_items(giver *g, size_t j, cairn_source_cell *cell)
{
    const cairn_column *column = g->table->slots[j].column;
    size_t first = column->starts[g->row], end = column->starts[g->row + 1];
    for (size_t k = first; k < end; k++) {
        size_t item = column->items[k] < 0 ? SIZE_MAX : (size_t)column->items[k];
        bool known = item != SIZE_MAX;
        g->items[j][k - first] =
            (cairn_source_item){known ? cairn_map_key(&column->names, item) : NULL,
                                known ? column->names.lengths[item] : 0};
    }
    cell->items = g->items[j];
    cell->length = end - first;
}

static void give_cell(giver *g, size_t j, cairn_source_cell *cell)
{
    const cairn_column *column = g->table->slots[j].column;
    *cell = (cairn_source_cell){.type = g->types[j], .text = ""};
    if (cairn_column_is_missing(column, g->row)) cell->type = CAIRN_SOURCE_NULL;
    switch (cell->type) {
    case CAIRN_SOURCE_NULL: break;
    case CAIRN_SOURCE_INTEGER: cell->integer = (int64_t)column->numbers[g->row]; break;
    case CAIRN_SOURCE_TRUTH: cell->integer = column->codes[g->row]; break;
    case CAIRN_SOURCE_REAL: cell->real = column->numbers[g->row]; break;
    case CAIRN_SOURCE_NUMERAL: give_numeral(g, j, cell); break;
    case CAIRN_SOURCE_TEXT: give_text(g, j, cell); break;
    case CAIRN_SOURCE_ITEMS: give_items(g, j, cell); break;
    default: give_time(g, j, cell); break;
    }
}

/* Called by the module that writes, one row at a time, so that a table is never held twice; false
 * ends the rows. */
static bool give_row(void *data, cairn_source_cell *cells)
{
    giver *g = data;
    if (g->row >= g->table->n_rows) return false;
    for (size_t j = 0; j < g->table->n_columns; j++) give_cell(g, j, &cells[j]);
    g->row++;
    return true;
}

static bool is_cancelled(const void *data)
{
    const giver *g = data;
    return g->failed || cairn_is_cancelled(g->ctx);
}

/* Names, types and buffers of all columns. */
static cairn_status prepare(giver *g, const char **names, cairn_source_type *types,
                            const cairn_source_module *module)
{
    for (size_t j = 0; j < g->table->n_columns; j++) {
        const cairn_column *column = g->table->slots[j].column;
        size_t longest = 0;
        names[j] = g->table->slots[j].name;
        types[j] = type_of(column, module);
        g->texts[j] = cairn_text_start(g->ctx);
        for (size_t i = 0; types[j] == CAIRN_SOURCE_ITEMS && i < column->n_rows; i++)
            if (column->starts[i + 1] - column->starts[i] > longest)
                longest = column->starts[i + 1] - column->starts[i];
        CHECK(SCRATCH(g->ctx, &g->items[j], longest + 1));
    }
    g->types = types;
    return CAIRN_OK;
}

/* -- the whole -- */

static cairn_status check_locator(cairn_context *ctx, const cairn_locator *l)
{
    if (!l->module->write)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s: %s is read but not written; write parquet and load it there",
                          l->shown, l->source->entry.name);
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

/* A query that the database refuses is one that was made here: its table is at fault. */
static cairn_status how_it_ended(cairn_context *ctx, const cairn_locator *l, cairn_source_end end,
                                 const char *said, cairn_existing existing)
{
    if (end == CAIRN_SOURCE_TAKEN)
        return cairn_fail(ctx, CAIRN_USAGE, "%s: a table of this name is there already; %s",
                          l->shown,
                          existing == CAIRN_EXISTING_ASKS
                              ? cairn_say(ctx, "name another one, or say {force} to replace it")
                              : "name another one, or take it away there");
    if (end == CAIRN_SOURCE_BAD_QUERY)
        return cairn_fail(ctx, CAIRN_USAGE, "%s: %s; nothing was written", l->shown, said);
    return cairn_source_failed(ctx, l, end, said);
}

cairn_status cairn_source_write(cairn_context *ctx, const cairn_table *table, const char *path,
                                cairn_existing existing)
{
    cairn_status status;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    size_t n = table->n_columns;
    const char **names;
    cairn_source_type *types;
    cairn_locator l;
    cairn_text quoted = cairn_text_start(ctx);
    giver g = {.ctx = ctx, .table = table};
    TRY(SCRATCH_EACH(ctx, n, &names, &types, &g.texts, &g.items));
    TRY(cairn_locator_open(ctx, &l, path));
    TRY(check_locator(ctx, &l));
    TRY(prepare(&g, names, types, l.module));
    cairn_source_add_name(&quoted, &l, l.table);
    TRY(cairn_text_status(&quoted));
    cairn_source_writing job = {.place = l.place,
                                .table = l.table,
                                .quoted = quoted.bytes,
                                .replaces = existing == CAIRN_EXISTING_GOES,
                                .n_columns = n,
                                .names = names,
                                .types = types,
                                .memory = cairn_source_memory(ctx),
                                .data = &g,
                                .next = give_row,
                                .is_cancelled = is_cancelled};
    cairn_source_end end = write_quietly(&l, &job);
    for (size_t j = 0; j < n; j++) TRY(cairn_text_status(&g.texts[j]));
    TRY(how_it_ended(ctx, &l, end, job.message, existing));
done:
    for (size_t j = 0; g.texts && j < n; j++) cairn_text_clear(&g.texts[j]);
    cairn_text_clear(&quoted);
    cairn_scratch_release(ctx, mark);
    return status;
}
