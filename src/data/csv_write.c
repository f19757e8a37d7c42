/* SPDX-License-Identifier: MIT */
/* Tables as CSV: numbers with the fewest digits that read back the same, quotes only where they
 * are needed, missing cells empty (a question mark where an empty line would be lost). */
#include "base/memory.h"
#include "base/number.h"
#include "data/column.h"
#include "data/csv.h"
#include <math.h>
#include <string.h>

typedef struct csv_writer {
    cairn_context *ctx;
    cairn_output_file *file;
    char separator;
    cairn_text line;
    cairn_text cell;
} csv_writer;

enum { FLUSH_AT = 1 << 15 };

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

static void add_text(csv_writer *w, const char *text, size_t length)
{
    if (!needs_quotes(w, text, length)) {
        cairn_text_add_bytes(&w->line, text, length);
        return;
    }
    cairn_text_add_char(&w->line, '"');
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"') cairn_text_add_char(&w->line, '"');
        cairn_text_add_char(&w->line, text[i]);
    }
    cairn_text_add_char(&w->line, '"');
}

static void add_number(csv_writer *w, double number)
{
    char digits[CAIRN_NUMBER_SIZE];
    cairn_text_add_bytes(&w->line, digits, cairn_number_format(digits, number, CAIRN_SHORTEST));
}

static void add_cell(csv_writer *w, const cairn_column *column, size_t row)
{
    if (column->kind == CAIRN_TIME) {
        char time[CAIRN_TIME_SIZE];
        add_text(w, time, cairn_time_format(time, column->numbers[row], column->pattern));
    } else if (column->numbers) {
        add_number(w, column->numbers[row]);
    } else if (column->codes) {
        size_t code = (size_t)column->codes[row];
        add_text(w, cairn_map_key(&column->names, code), column->names.lengths[code]);
    } else if (column->kind == CAIRN_TEXT) {
        size_t at = column->starts[row];
        add_text(w, column->bytes + at, column->starts[row + 1] - at);
    } else {
        size_t length = cairn_column_cell(column, row, NULL, 0);
        w->cell.length = 0;
        cairn_text_add_repeat(&w->cell, ' ', length);
        if (w->cell.status || !length) return;
        cairn_column_cell(column, row, w->cell.bytes, length + 1);
        add_text(w, w->cell.bytes, length);
    }
}

static cairn_status flush(csv_writer *w)
{
    cairn_status status = cairn_text_status(&w->line);
    if (!status) status = cairn_text_status(&w->cell);
    if (!status) status = cairn_output_write(w->ctx, w->file, w->line.bytes, w->line.length);
    w->line.length = 0;
    return status;
}

static cairn_status write_rows(csv_writer *w, const cairn_table *table)
{
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < table->n_rows; i++) {
        for (size_t j = 0; j < table->n_columns; j++) {
            const cairn_column *column = table->slots[j].column;
            if (j) cairn_text_add_char(&w->line, w->separator);
            if (!cairn_column_is_missing(column, i))
                add_cell(w, column, i);
            else if (table->n_columns == 1)
                cairn_text_add_char(&w->line, '?');
        }
        cairn_text_add_char(&w->line, '\n');
        if (w->line.length > FLUSH_AT) {
            TRY(flush(w));
            TRY(cairn_tick(w->ctx, "writing", (double)i, (double)table->n_rows));
        }
    }
done:
    return status;
}

cairn_status cairn_csv_write(cairn_context *ctx, const cairn_table *table, cairn_output_file *file,
                             char separator)
{
    cairn_status status;
    csv_writer w = {ctx, file, separator, cairn_text_start(ctx), cairn_text_start(ctx)};
    for (size_t j = 0; j < table->n_columns; j++) {
        if (j) cairn_text_add_char(&w.line, separator);
        add_text(&w, table->slots[j].name, strlen(table->slots[j].name));
    }
    cairn_text_add_char(&w.line, '\n');
    TRY(write_rows(&w, table));
    TRY(flush(&w));
done:
    cairn_text_clear(&w.line);
    cairn_text_clear(&w.cell);
    return status;
}
