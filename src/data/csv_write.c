/* SPDX-License-Identifier: MIT */
/* Tables as CSV: numbers with the fewest digits that read back the same, quotes only where they
 * are needed, missing cells empty (a question mark where an empty line would be lost). */
#include "base/memory.h"
#include "base/number.h"
#include "data/column.h"
#include "data/csv.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

typedef struct csv_writer {
    cairn_context *ctx;
    const cairn_table *table;
    char separator;
    const bool *plain; /* columns whose names of levels or items never need quotes */
    cairn_text line;
    cairn_text cell;
} csv_writer;

/* Rows that become text together; some such pieces are made side by side and written in order. */
enum { PIECE_ROWS = 4096, PIECES = 16, STEPS_OF_A_CELL = 50 };

static bool needs_quotes(const csv_writer *w, const char *text, size_t length)
{
    if (length == 0) return true;
    if (text[0] == ' ' || text[0] == '\t' || text[0] == '"') return true;
    if (text[length - 1] == ' ' || text[length - 1] == '\t') return true;
    for (size_t i = 0; i < length; i++)
        if (text[i] == w->separator || text[i] == '\n' || text[i] == '\r' || text[i] == '"')
            return true;
    return false;
}

static void add_quoted(csv_writer *w, const char *text, size_t length)
{
    cairn_text_add_char(&w->line, '"');
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"') cairn_text_add_char(&w->line, '"');
        cairn_text_add_char(&w->line, text[i]);
    }
    cairn_text_add_char(&w->line, '"');
}

static void add_text(csv_writer *w, const char *text, size_t length)
{
    if (needs_quotes(w, text, length))
        add_quoted(w, text, length);
    else
        cairn_text_add_bytes(&w->line, text, length);
}

static void add_number(csv_writer *w, double number)
{
    char digits[CAIRN_NUMBER_SIZE];
    cairn_text_add_bytes(&w->line, digits, cairn_number_format(digits, number, CAIRN_SHORTEST));
}

/* Items of a row with blanks between them; none of their names needs quotes. */
static void add_items(csv_writer *w, const cairn_column *column, size_t row)
{
    for (size_t k = column->starts[row]; k < column->starts[row + 1]; k++) {
        size_t item = (size_t)column->items[k];
        if (k > column->starts[row]) cairn_text_add_char(&w->line, ' ');
        cairn_text_add_bytes(&w->line, cairn_map_key(&column->names, item),
                             column->names.lengths[item]);
    }
}

/* Anything else, as it is shown. */
static void add_shown(csv_writer *w, const cairn_column *column, size_t row)
{
    size_t length = cairn_column_cell(column, row, NULL, 0);
    w->cell.length = 0;
    cairn_text_add_repeat(&w->cell, ' ', length);
    if (w->cell.status || !length) return;
    cairn_column_cell(column, row, w->cell.bytes, length + 1);
    add_text(w, w->cell.bytes, length);
}

static void add_cell(csv_writer *w, const cairn_column *column, bool plain, size_t row)
{
    if (column->kind == CAIRN_TIME) {
        char time[CAIRN_TIME_SIZE];
        add_text(w, time, cairn_time_format(time, column->numbers[row], column->pattern));
    } else if (column->numbers) {
        add_number(w, column->numbers[row]);
    } else if (column->codes) {
        size_t code = (size_t)column->codes[row], length = column->names.lengths[code];
        const char *name = cairn_map_key(&column->names, code);
        if (plain)
            cairn_text_add_bytes(&w->line, name, length);
        else
            add_text(w, name, length);
    } else if (column->kind == CAIRN_TEXT) {
        size_t at = column->starts[row];
        add_text(w, column->bytes + at, column->starts[row + 1] - at);
    } else if (plain && !column->amounts) {
        add_items(w, column, row);
    } else {
        add_shown(w, column, row);
    }
}

static void add_rows(csv_writer *w, size_t first, size_t last)
{
    const cairn_table *table = w->table;
    for (size_t i = first; i < last; i++) {
        for (size_t j = 0; j < table->n_columns; j++) {
            const cairn_column *column = table->slots[j].column;
            if (j) cairn_text_add_char(&w->line, w->separator);
            if (!cairn_column_is_missing(column, i))
                add_cell(w, column, w->plain[j], i);
            else if (table->n_columns == 1)
                cairn_text_add_char(&w->line, '?');
        }
        cairn_text_add_char(&w->line, '\n');
    }
}

/* -- pieces side by side -- */

typedef struct csv_pieces {
    const csv_writer *model;
    cairn_text texts[PIECES];
    size_t first; /* row of the first piece */
} csv_pieces;

static cairn_status make_piece(cairn_context *ctx, void *data, size_t i)
{
    csv_pieces *p = data;
    csv_writer w = *p->model;
    size_t first = p->first + i * PIECE_ROWS, last = first + PIECE_ROWS;
    w.ctx = ctx;
    w.line = cairn_text_start(ctx);
    w.cell = cairn_text_start(ctx);
    add_rows(&w, first, last < w.table->n_rows ? last : w.table->n_rows);
    cairn_status status = cairn_text_status(&w.line);
    if (!status) status = cairn_text_status(&w.cell);
    p->texts[i] = w.line;
    cairn_text_clear(&w.cell);
    return status;
}

static cairn_status write_pieces(csv_writer *w, cairn_output_file *file)
{
    csv_pieces p = {.model = w};
    size_t n_rows = w->table->n_rows, n = 0;
    cairn_status status = CAIRN_OK;
    for (; p.first < n_rows; p.first += PIECES * PIECE_ROWS) {
        size_t left = n_rows - p.first,
               rows = left < PIECES * PIECE_ROWS ? left : PIECES * PIECE_ROWS;
        double work = STEPS_OF_A_CELL * (double)rows * (double)w->table->n_columns;
        n = (rows + PIECE_ROWS - 1) / PIECE_ROWS;
        TRY(cairn_tasks_sized(w->ctx, n, work, make_piece, &p));
        for (size_t i = 0; i < n; i++) {
            TRY(cairn_output_write(w->ctx, file, p.texts[i].bytes, p.texts[i].length));
            cairn_text_clear(&p.texts[i]);
        }
        TRY(cairn_tick(w->ctx, "writing", (double)(p.first + rows), (double)n_rows));
    }
done:
    for (size_t i = 0; i < n; i++) cairn_text_clear(&p.texts[i]);
    return status;
}

/* -- the whole -- */

/* Whether no name of a level or item needs quotes, alone or beside others. */
static bool is_plain(const csv_writer *w, const cairn_column *column)
{
    if (column->kind != CAIRN_LEVEL && column->kind != CAIRN_BAG && column->kind != CAIRN_SEQUENCE)
        return false;
    for (size_t i = 0; i < column->names.n; i++)
        if (needs_quotes(w, cairn_map_key(&column->names, i), column->names.lengths[i]))
            return false;
    return true;
}

cairn_status cairn_csv_write(cairn_context *ctx, const cairn_table *table, cairn_output_file *file,
                             char separator)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    csv_writer w = {.ctx = ctx,
                    .table = table,
                    .separator = separator,
                    .line = cairn_text_start(ctx),
                    .cell = cairn_text_start(ctx)};
    bool *plain;
    cairn_status status;
    TRY(SCRATCH(ctx, &plain, table->n_columns));
    for (size_t j = 0; j < table->n_columns; j++) {
        plain[j] = is_plain(&w, table->slots[j].column);
        if (j) cairn_text_add_char(&w.line, separator);
        add_text(&w, table->slots[j].name, strlen(table->slots[j].name));
    }
    w.plain = plain;
    cairn_text_add_char(&w.line, '\n');
    TRY(cairn_text_status(&w.line));
    TRY(cairn_output_write(ctx, file, w.line.bytes, w.line.length));
    TRY(write_pieces(&w, file));
done:
    cairn_text_clear(&w.line);
    cairn_text_clear(&w.cell);
    cairn_scratch_release(ctx, mark);
    return status;
}
