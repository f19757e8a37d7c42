/* SPDX-License-Identifier: MIT */
/* Columns that would hold numbers or times but for a few cells: a slip such as 12x or 2026-02-30
 * makes a column of levels or texts of them, which nobody notices in a long file. And --time-format
 * where it fits no column. */
#include "data/cell.h"
#include "data/column.h"
#include "data/csv.h"
#include <string.h>

/* At most one cell in a hundred is odd, or one in ten where they are up to three. */
enum { PER_ODD = 100, AT_FIRST = 3, PER_FIRST = 9 };

/* What most cells are; `pattern` is that of times beside the usual way, may be NULL. */
typedef struct odd_test {
    const cairn_csv_reader *reader;
    bool times;
    const char *pattern;
} odd_test;

typedef struct odd_cells {
    size_t n_right, n_odd;
    size_t row; /* the first odd one */
    const char *text;
    size_t length;
} odd_cells;

static bool is_right(const odd_test *test, const char *text, size_t length)
{
    double number;
    if (!test->times)
        return cairn_csv_number(&test->reader->dialect, text, length, &number) ||
               cairn_cell_is_infinite(text, length);
    return cairn_time_parse(text, length, NULL, &number, NULL, NULL) ||
           (test->pattern && cairn_time_parse(text, length, test->pattern, &number, NULL, NULL));
}

static void count_cell(odd_cells *odd, const char *text, size_t length, size_t row, bool right)
{
    odd->n_right += right;
    if (right || odd->n_odd++) return;
    odd->row = row;
    odd->text = text;
    odd->length = length;
}

/* Texts: most columns of them are given up after a few cells. */
static void look_at_texts(odd_cells *odd, const odd_test *test, const cairn_column *column)
{
    for (size_t i = 0; i < column->n_rows; i++) {
        if (cairn_column_is_missing(column, i)) continue;
        const char *text = column->bytes + column->starts[i];
        size_t length = column->starts[i + 1] - column->starts[i];
        count_cell(odd, text, length, i, is_right(test, text, length));
        if (odd->n_odd > AT_FIRST + odd->n_right / PER_ODD) return;
    }
}

/* Numbers all over, but read as they are written, since one of them would lose digits. */
static bool tell_codes(cairn_context *ctx, const cairn_csv_reader *reader, size_t j,
                       const cairn_column *column)
{
    const char *name = cairn_map_key(&reader->names, j), *text = NULL;
    size_t length = 0;
    for (size_t i = 0; i < column->n_rows; i++) {
        if (cairn_column_is_missing(column, i)) continue;
        bool level = column->kind == CAIRN_LEVEL;
        text = level ? cairn_map_key(&column->names, (size_t)column->codes[i])
                     : column->bytes + column->starts[i];
        length = level ? column->names.lengths[column->codes[i]]
                       : column->starts[i + 1] - column->starts[i];
        if (cairn_cell_is_code(text, length)) break;
        text = NULL;
    }
    if (!text) return false;
    cairn_warn(ctx,
               "%s, column '%s': as a number '%.*s' would lose %s, so the column is read as %s, as "
               "it is written; {kinds '%s=number'} reads numbers",
               reader->source.name, name, (int)(length < 60 ? length : 60), text,
               *text == '0' ? "its leading zero" : "digits",
               column->kind == CAIRN_TEXT ? "text" : "levels", name);
    return true;
}

/* Warn of the odd cells of a column; *told says whether there are any, and few. */
static cairn_status tell_few(cairn_context *ctx, const odd_test *test, size_t j, bool *reported)
{
    const cairn_csv_reader *reader = test->reader;
    const cairn_column *column = reader->columns[j];
    const char *why = NULL;
    odd_cells odd = {0};
    double time;
    if (column->kind == CAIRN_TEXT)
        look_at_texts(&odd, test, column);
    else {
        /* Levels: each is looked at once. */
        SCOPED_SCRATCH(ctx);
        bool *right;
        size_t n_odd = 0;
        const cairn_map *names = &column->names;
        CHECK(SCRATCH(ctx, &right, names->n + 1));
        for (size_t k = 0; k < names->n; k++) {
            right[k] = is_right(test, cairn_map_key(names, k), names->lengths[k]);
            n_odd += !right[k];
        }
        for (size_t i = 0; n_odd < names->n && i < column->n_rows; i++) {
            int32_t code = column->codes[i];
            if (code >= 0)
                count_cell(&odd, cairn_map_key(names, (size_t)code), names->lengths[code], i,
                           right[code]);
        }
    }
    *reported = odd.n_odd && (odd.n_odd * PER_ODD <= odd.n_right ||
                              (odd.n_odd <= AT_FIRST && odd.n_odd * PER_FIRST <= odd.n_right));
    if (!*reported && !odd.n_odd && odd.n_right && !test->times)
        *reported = tell_codes(ctx, reader, j, column);
    if (!*reported || !odd.n_odd) return CAIRN_OK;
    int shown = (int)(odd.length < 60 ? odd.length : 60);
    if (test->times) (void)cairn_time_parse(odd.text, odd.length, test->pattern, &time, NULL, &why);
    cairn_warn(ctx,
               "%s, column '%s': %zu of %zu cells %s not a %s (row %zu: '%.*s'%s%s), so the "
               "column is read as %s; correct %s, or {missing-mark '%.*s'} takes such cells as "
               "missing",
               reader->source.name, cairn_map_key(&reader->names, j), odd.n_odd,
               odd.n_odd + odd.n_right, odd.n_odd == 1 ? "is" : "are",
               test->times ? "time" : "number", odd.row + 1, shown, odd.text, why ? ", " : "",
               cairn_say(ctx, why ? why : ""), column->kind == CAIRN_TEXT ? "text" : "levels",
               odd.n_odd == 1 ? "it" : "them", shown, odd.text);
    return CAIRN_OK;
}

static void tell_idle_format(cairn_context *ctx, const cairn_csv_reader *reader)
{
    for (size_t j = 0; j < reader->n_columns; j++) {
        const cairn_column *column = reader->columns[j];
        bool declared = reader->declared[j] == CAIRN_TIME; /* the caller has yet to convert it */
        if (declared ||
            (column->kind == CAIRN_TIME && strcmp(column->pattern, reader->time_format) == 0))
            return;
    }
    cairn_warn(ctx, "%s: {time-format '%s'} fits the cells of no column", reader->source.name,
               reader->time_format);
}

cairn_status cairn_csv_tell_odd(cairn_context *ctx, const cairn_csv_reader *reader)
{
    bool nearly = false; /* a column would be of times but for a few cells */
    for (size_t j = 0; j < reader->n_columns; j++) {
        const cairn_column *column = reader->columns[j];
        bool reported = false;
        if (reader->declared[j] >= 0) continue;
        if (column->kind == CAIRN_TIME) cairn_csv_tell_way(ctx, reader, j);
        if (column->kind != CAIRN_TEXT && column->kind != CAIRN_LEVEL) continue;
        const char *pattern = reader->patterns[j] ? reader->patterns[j] : reader->time_format;
        CHECK(tell_few(ctx, &(odd_test){.reader = reader}, j, &reported));
        if (reported) continue;
        CHECK(tell_few(ctx, &(odd_test){reader, true, pattern}, j, &reported));
        nearly = nearly || reported;
        if (!reported) cairn_csv_hint(ctx, reader, j);
    }
    if (reader->time_format && !nearly) tell_idle_format(ctx, reader);
    return CAIRN_OK;
}
