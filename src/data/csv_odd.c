/* SPDX-License-Identifier: MIT */
/* Columns that would hold numbers but for a few cells: a slip such as 12x makes a column of levels
 * or texts of them, which nobody notices in a long file. */
#include "data/cell.h"
#include "data/column.h"
#include "data/csv.h"

/* At most one cell in a hundred is odd; at the beginning a few more are not held against it. */
enum { PER_ODD = 100, AT_FIRST = 3 };

typedef struct odd_cells {
    size_t n_numbers, n_odd;
    size_t row; /* the first odd one */
    const char *text;
    size_t length;
} odd_cells;

static bool is_number(const cairn_csv_reader *reader, const char *text, size_t length)
{
    double number;
    return cairn_cell_number(text, length, reader->dialect.decimal, &number) ||
           cairn_cell_is_infinite(text, length);
}

static void count_cell(odd_cells *odd, const char *text, size_t length, size_t row, bool number)
{
    odd->n_numbers += number;
    if (number || odd->n_odd++) return;
    odd->row = row;
    odd->text = text;
    odd->length = length;
}

/* Texts: most columns of them are given up after a few cells. */
static void look_at_texts(odd_cells *odd, const cairn_csv_reader *reader,
                          const cairn_column *column)
{
    for (size_t i = 0; i < column->n_rows; i++) {
        if (cairn_column_is_missing(column, i)) continue;
        const char *text = column->bytes + column->starts[i];
        size_t length = column->starts[i + 1] - column->starts[i];
        count_cell(odd, text, length, i, is_number(reader, text, length));
        if (odd->n_odd > AT_FIRST + odd->n_numbers / PER_ODD) return;
    }
}

/* Levels: each is looked at once. */
static cairn_status look_at_levels(cairn_context *ctx, odd_cells *odd,
                                   const cairn_csv_reader *reader, const cairn_column *column)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    bool *numbers;
    size_t n_odd = 0;
    const cairn_map *names = &column->names;
    TRY(SCRATCH(ctx, &numbers, names->n + 1));
    for (size_t k = 0; k < names->n; k++) {
        numbers[k] = is_number(reader, cairn_map_key(names, k), names->lengths[k]);
        n_odd += !numbers[k];
    }
    for (size_t i = 0; n_odd < names->n && i < column->n_rows; i++) {
        int32_t code = column->codes[i];
        if (code >= 0)
            count_cell(odd, cairn_map_key(names, (size_t)code), names->lengths[code], i,
                       numbers[code]);
    }
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

cairn_status cairn_csv_tell_odd(cairn_context *ctx, const cairn_csv_reader *reader)
{
    cairn_status status = CAIRN_OK;
    for (size_t j = 0; j < reader->n_columns; j++) {
        const cairn_column *column = reader->columns[j];
        odd_cells odd = {0};
        if (reader->declared[j] >= 0) continue;
        if (column->kind == CAIRN_TEXT) look_at_texts(&odd, reader, column);
        if (column->kind == CAIRN_LEVEL) TRY(look_at_levels(ctx, &odd, reader, column));
        if (odd.n_odd == 0 || odd.n_odd * PER_ODD > odd.n_numbers) continue;
        int shown = (int)(odd.length < 60 ? odd.length : 60);
        cairn_warn(ctx,
                   "%s, column '%s': %zu of %zu cells %s not a number (row %zu: '%.*s'), so the "
                   "column is read as %s; correct %s, or --missing-mark '%.*s' takes such cells as "
                   "missing",
                   reader->source.name, cairn_map_key(&reader->names, j), odd.n_odd,
                   odd.n_odd + odd.n_numbers, odd.n_odd == 1 ? "is" : "are", odd.row + 1, shown,
                   odd.text, column->kind == CAIRN_TEXT ? "text" : "levels",
                   odd.n_odd == 1 ? "it" : "them", shown, odd.text);
    }
done:
    return status;
}
