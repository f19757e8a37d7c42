/* SPDX-License-Identifier: MIT */
/* Tables as CSV: numbers with the fewest digits that read back the same, quotes only where they
 * are needed, missing cells empty (a question mark where an empty line would be lost). */
#include "base/memory.h"
#include "base/number.h"
#include "data/cell.h"
#include "data/column.h"
#include "data/csv.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

/* Names of the levels or items of a column. Short ones are copied as cells of a fixed size, each
 * with a blank behind it: that is quicker than asking how long they are. */
typedef struct csv_names {
    bool plain;  /* none ever needs quotes */
    char *cells; /* n x SHORT; NULL when some are longer */
} csv_names;

enum { SHORT = 16 };

typedef struct csv_writer {
    cairn_context *ctx;
    const cairn_table *table;
    char separator;
    const csv_names *names; /* of every column */
    cairn_text line;
    cairn_text cell;
} csv_writer;

/* Rows of about so many cells become text together; some such pieces are made side by side and
 * written in order. */
enum { PIECE_CELLS = 16384, MOST_ROWS = 4096, PIECES = 16, STEPS_OF_A_CELL = 50 };

/* Whatever a reader could take for a separator, a quote or the end of a line: it finds the
 * separator by what stands in the first lines, and takes blanks where there is none. */
static bool needs_quotes(const csv_writer *w, const char *text, size_t length)
{
    bool alone = w->table->n_columns == 1;
    if (length == 0) return true;
    if (text[0] == ' ' || text[0] == '#' ||
        memcmp(text, "\xEF\xBB\xBF", length < 3 ? length : 3) == 0)
        return true;
    if (text[length - 1] == ' ') return true;
    for (size_t i = 0; i < length; i++) switch (text[i]) {
        case ',':
        case ';':
        case '\t':
        case '|':
        case '\n':
        case '\r':
        case '"': return true;
        case ' ':
            if (alone) return true;
            break;
        default:
            if (text[i] == w->separator) return true;
        }
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

static void add_name(csv_writer *w, const cairn_column *column, const csv_names *names, size_t code)
{
    size_t length = column->names.lengths[code];
    if (!names->plain) {
        add_text(w, cairn_map_key(&column->names, code), length);
        return;
    }
    char *to = names->cells ? cairn_text_buffer(&w->line, SHORT) : NULL;
    if (!to) {
        cairn_text_add_bytes(&w->line, cairn_map_key(&column->names, code), length);
        return;
    }
    memcpy(to, names->cells + code * SHORT, SHORT);
    w->line.length += length;
}

/* Anything else, as it is shown; a row that were an empty line would be none. */
static void add_shown(csv_writer *w, const cairn_column *column, size_t row)
{
    size_t length = cairn_column_cell(column, row, NULL, 0);
    w->cell.length = 0;
    cairn_text_add_repeat(&w->cell, ' ', length);
    if (!length && w->table->n_columns == 1) add_quoted(w, "", 0);
    if (w->cell.status || !length) return;
    cairn_column_cell(column, row, w->cell.bytes, length + 1);
    add_text(w, w->cell.bytes, length);
}

/* Whether a sequence has an item that is not known. */
static bool has_unknown(const cairn_column *column, size_t row)
{
    for (size_t k = column->starts[row]; k < column->starts[row + 1]; k++)
        if (column->items[k] < 0) return true;
    return false;
}

/* Items of a row with blanks between them; none of their names needs quotes. */
static void add_items(csv_writer *w, const cairn_column *column, const csv_names *names, size_t row)
{
    size_t begin = column->starts[row], end = column->starts[row + 1];
    if (column->kind == CAIRN_SEQUENCE && has_unknown(column, row)) {
        add_shown(w, column, row);
        return;
    }
    char *to = names->cells ? cairn_text_buffer(&w->line, (end - begin) * SHORT) : NULL;
    if (to && begin < end) {
        const char *from = to;
        for (size_t k = begin; k < end; k++) {
            size_t item = (size_t)column->items[k];
            memcpy(to, names->cells + item * SHORT, SHORT);
            to += column->names.lengths[item] + 1;
        }
        w->line.length += (size_t)(to - from) - 1;
        return;
    }
    for (size_t k = begin; k < end; k++) {
        if (k > begin) cairn_text_add_char(&w->line, ' ');
        add_name(w, column, names, (size_t)column->items[k]);
    }
}

static void add_cell(csv_writer *w, const cairn_column *column, const csv_names *names, size_t row)
{
    if (column->kind == CAIRN_TIME) {
        char time[CAIRN_TIME_SIZE];
        add_text(w, time, cairn_time_format(time, column->numbers[row], column->pattern));
    } else if (column->numbers) {
        double number = column->numbers[row];
        char *to = cairn_text_buffer(&w->line, CAIRN_NUMBER_SIZE);
        if (to) w->line.length += cairn_number_format(to, number, CAIRN_SHORTEST);
    } else if (column->codes) {
        add_name(w, column, names, (size_t)column->codes[row]);
    } else if (column->kind == CAIRN_TEXT) {
        size_t at = column->starts[row];
        add_text(w, column->bytes + at, column->starts[row + 1] - at);
    } else if (names->plain && !column->amounts) {
        add_items(w, column, names, row);
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
                add_cell(w, column, &w->names[j], i);
            else if (table->n_columns == 1)
                cairn_text_add_char(&w->line, '?');
        }
        cairn_text_add_char(&w->line, '\n');
    }
}

/* -- pieces side by side -- */

/* Two turns of pieces: while those of one are made, those of the other are written. */
typedef struct csv_pieces {
    const csv_writer *model;
    cairn_output_file *file;
    cairn_text texts[2][PIECES];
    size_t n[2];
    size_t rows;  /* of a piece */
    size_t first; /* row of the first piece that is made */
    int turn;     /* of the pieces that are made */
} csv_pieces;

static cairn_status write_turn(cairn_context *ctx, csv_pieces *p, int turn)
{
    for (size_t i = 0; i < p->n[turn]; i++) {
        CHECK(cairn_output_write(ctx, p->file, p->texts[turn][i].bytes, p->texts[turn][i].length));
        cairn_text_clear(&p->texts[turn][i]);
    }
    p->n[turn] = 0;
    return CAIRN_OK;
}

static cairn_status make_piece(cairn_context *ctx, csv_pieces *p, size_t i)
{
    enum { BYTES_OF_A_CELL = 12 };
    csv_writer w = *p->model;
    size_t first = p->first + i * p->rows, left = w.table->n_rows - first;
    size_t rows = left < p->rows ? left : p->rows;
    w.ctx = ctx;
    w.line = cairn_text_start(ctx);
    w.cell = cairn_text_start(ctx);
    (void)cairn_text_buffer(&w.line, rows * w.table->n_columns * BYTES_OF_A_CELL);
    add_rows(&w, first, first + rows);
    cairn_status status = cairn_text_status(&w.line);
    if (!status) status = cairn_text_status(&w.cell);
    p->texts[p->turn][i] = w.line;
    cairn_text_clear(&w.cell);
    return status;
}

/* The first task writes what the turn before made. */
static cairn_status run_task(cairn_context *ctx, void *data, size_t i)
{
    csv_pieces *p = data;
    return i == 0 ? write_turn(ctx, p, !p->turn) : make_piece(ctx, p, i - 1);
}

/* While one half of the pieces is being formatted, one task writes the other half; pieces are
 * written in order, so the file does not depend on threads. */
static cairn_status write_pieces(csv_writer *w, cairn_output_file *file)
{
    csv_pieces p = {.model = w, .file = file};
    size_t n_rows = w->table->n_rows, n_columns = w->table->n_columns;
    cairn_status status = CAIRN_OK;
    p.rows = PIECE_CELLS / (n_columns ? n_columns : 1) + 1;
    if (p.rows > MOST_ROWS) p.rows = MOST_ROWS;
    for (; p.first < n_rows; p.first += PIECES * p.rows, p.turn = !p.turn) {
        size_t left = n_rows - p.first, rows = left < PIECES * p.rows ? left : PIECES * p.rows;
        double work = STEPS_OF_A_CELL * (double)rows * (double)n_columns;
        p.n[p.turn] = (rows + p.rows - 1) / p.rows;
        TRY(cairn_tasks_sized(w->ctx, 1 + p.n[p.turn], work, run_task, &p));
        TRY(cairn_tick(w->ctx, "writing", (double)(p.first + rows), (double)n_rows));
    }
    TRY(write_turn(w->ctx, &p, !p.turn));
done:
    for (size_t i = 0; i < PIECES; i++) {
        cairn_text_clear(&p.texts[0][i]);
        cairn_text_clear(&p.texts[1][i]);
    }
    return status;
}

/* -- the whole -- */

/* Readers take blanks off a name, in quotes or not. */
static cairn_status check_name(cairn_context *ctx, const char *name)
{
    const char *trimmed = name;
    size_t length = strlen(name), kept = length;
    cairn_cell_trim(&trimmed, &kept);
    if (kept == length && length) return CAIRN_OK;
    return cairn_fail(
        ctx, CAIRN_USAGE,
        "column '%s': readers of text files and sheets take blanks off a name; give it "
        "another ({with rename}), or write json",
        name);
}

/* Whether no name of a level or item needs quotes, alone or beside others. */
static bool is_plain(const csv_writer *w, const cairn_column *column)
{
    if (column->kind != CAIRN_LEVEL && column->kind != CAIRN_BAG && column->kind != CAIRN_SEQUENCE)
        return false;
    if (column->items && w->table->n_columns == 1) return false; /* blanks would separate */
    for (size_t i = 0; i < column->names.n; i++)
        if (needs_quotes(w, cairn_map_key(&column->names, i), column->names.lengths[i]))
            return false;
    return true;
}

/* The first text of a column, not an empty one, that readers take for a missing cell, with quotes
 * or without; NULL = there is none. */
static const char *find_mark(const cairn_map *marks, const cairn_column *c, size_t *length)
{
    bool level = c->kind == CAIRN_LEVEL;
    size_t n = level ? c->names.n : c->kind == CAIRN_TEXT ? c->n_rows : 0;
    for (size_t i = 0; i < n; i++) {
        const char *text = level ? cairn_map_key(&c->names, i) : c->bytes + c->starts[i];
        *length = level ? c->names.lengths[i] : c->starts[i + 1] - c->starts[i];
        if (*length && cairn_cell_is_missing(marks, text, *length)) return text;
    }
    return NULL;
}

/* A value such as NA is written, since it can be read with the right option, but not silently. */
static cairn_status warn_of_marks(cairn_context *ctx, const cairn_table *table)
{
    SCOPED(cairn_map_clear) cairn_map marks = {0};
    size_t n;
    CHECK(cairn_cell_marks(ctx, &marks, NULL, false));
    for (size_t j = 0; j < table->n_columns; j++) {
        const char *text = find_mark(&marks, table->slots[j].column, &n);
        if (text)
            cairn_warn(ctx,
                       "column '%s' has the value '%.*s', which a reader takes for a missing cell; "
                       "%s",
                       table->slots[j].name, (int)n, text,
                       *text == '?' ? "json keeps them apart"
                                    : cairn_say(ctx, "{only-marks} reads it back"));
    }
    return CAIRN_OK;
}

cairn_status cairn_csv_check(cairn_context *ctx, const cairn_table *table)
{
    for (size_t j = 0; j < table->n_columns; j++) CHECK(check_name(ctx, table->slots[j].name));
    return warn_of_marks(ctx, table);
}

static cairn_status prepare_names(csv_writer *w, const cairn_column *column, csv_names *out)
{
    const cairn_map *names = &column->names;
    out->plain = is_plain(w, column);
    if (!out->plain) return CAIRN_OK;
    for (size_t i = 0; i < names->n; i++)
        if (names->lengths[i] >= SHORT) return CAIRN_OK;
    CHECK(SCRATCH(w->ctx, &out->cells, names->n * SHORT));
    for (size_t i = 0; i < names->n; i++) {
        memcpy(out->cells + i * SHORT, cairn_map_key(names, i), names->lengths[i]);
        out->cells[i * SHORT + names->lengths[i]] = ' ';
    }
    return CAIRN_OK;
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
    csv_names *names;
    cairn_status status;
    TRY(cairn_csv_check(ctx, table));
    TRY(SCRATCH(ctx, &names, table->n_columns));
    for (size_t j = 0; j < table->n_columns; j++) {
        TRY(prepare_names(&w, table->slots[j].column, &names[j]));
        if (j) cairn_text_add_char(&w.line, separator);
        add_text(&w, table->slots[j].name, strlen(table->slots[j].name));
    }
    w.names = names;
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
