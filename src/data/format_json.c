/* SPDX-License-Identifier: MIT */
/* JSON: one object per line (ndjson), or an array of objects (json). An object is a row, its keys
 * are columns in the order in which they first come; a key that an object lacks is a missing cell.
 *
 * Values say what they are: numbers are numbers, true and false are levels, strings are levels,
 * texts, or times when all are written as such, and never numbers. The values of an object inside
 * an object are columns a.b. An array of strings is a bag of them, or a sequence where the column
 * is declared so; arrays of numbers are taken in that way only where the column is declared.
 *
 * Objects are parsed one at a time, so that a file of lines is never in memory as a whole. */
#include "data/format_json.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/cell.h"
#include "data/column.h"
#include "data/encoding.h"
#include "data/row_gather.h"
#include <math.h>
#include <string.h>

enum { PART = 1 << 16, FLUSH = 1 << 16, MOST_REPEATS = 1000 };

typedef struct json_reader {
    cairn_context *ctx;
    const char *name;
    const cairn_read_options *options;
    cairn_kind_choice *choices;
    size_t n_choices;
    cairn_gather gather;
    cairn_text path; /* of the value under way: a.b */
    size_t line;     /* that is under way, from 1 */
} json_reader;

/* -- one object -- */

static cairn_status refuse(const json_reader *r, const char *why)
{
    return cairn_fail(r->ctx, CAIRN_BAD_DATA, "%s, line %zu, column '%s': %s", r->name, r->line,
                      cairn_text_string(&r->path), why);
}

/* Whether the column is declared as one of items. */
static bool wants_items(const json_reader *r)
{
    for (size_t i = 0; i < r->n_choices; i++)
        if (strcmp(r->choices[i].column, cairn_text_string(&r->path)) == 0)
            return cairn_kind_is_many(r->choices[i].kind);
    return false;
}

/* Numbers are items only of a column that is declared so: they may be meant as a series. */
static cairn_status take_item(json_reader *r, size_t column, const cairn_json *item)
{
    char digits[CAIRN_NUMBER_SIZE];
    const char *string = cairn_json_string(item);
    double number;
    if (string) return cairn_gather_item(&r->gather, column, string, strlen(string));
    if (!cairn_json_number(item, &number))
        return refuse(r, "an array may hold strings or numbers, but neither objects, arrays, truth "
                         "values nor null; write those as keys of their own");
    if (!wants_items(r))
        return refuse(
            r,
            cairn_say(r->ctx,
                      "an array of numbers; give each a key of its own, or declare {kinds "
                      "COLUMN=series} to keep them in order as numbers, or sequence or bag to take "
                      "them as items"));
    size_t length = cairn_number_format(digits, number, CAIRN_SHORTEST);
    return cairn_gather_item(&r->gather, column, digits, length);
}

static cairn_status take_array(json_reader *r, size_t column, const cairn_json *array)
{
    const cairn_gather_column *c = &r->gather.columns[column];
    if (c->seen && c->mode != CAIRN_GATHER_ITEMS)
        return refuse(r, "an array, where rows before it have a single value");
    CHECK(cairn_gather_item(&r->gather, column, NULL, 0));
    for (size_t i = 0; i < cairn_json_size(array); i++)
        CHECK(take_item(r, column, cairn_json_at(array, i)));
    return CAIRN_OK;
}

/* A value that is neither object nor array. */
static cairn_status take_single(json_reader *r, size_t column, const cairn_json *value)
{
    cairn_source_cell cell = {.type = CAIRN_SOURCE_NULL};
    const char *string = cairn_json_string(value);
    bool truth;
    if (string) {
        cell.type = CAIRN_SOURCE_TEXT;
        cell.text = string;
        cell.length = strlen(string);
    } else if (cairn_json_truth(value, &truth)) {
        cell.type = CAIRN_SOURCE_TRUTH;
        cell.integer = truth;
    } else if (cairn_json_integer(value, &cell.integer)) {
        cell.type = CAIRN_SOURCE_INTEGER;
    } else if (cairn_json_number(value, &cell.real)) {
        cell.type = CAIRN_SOURCE_REAL;
    }
    if (cell.type != CAIRN_SOURCE_NULL && r->gather.columns[column].mode == CAIRN_GATHER_ITEMS)
        return refuse(r, "a single value, where rows before it have an array");
    return cairn_gather_cell(&r->gather, column, &cell);
}

static cairn_status take_value(json_reader *r, const cairn_json *value);

/* Every member, under the path of the object and its key. */
static cairn_status take_members(json_reader *r, const cairn_json *object)
{
    size_t before = r->path.length;
    const char *key;
    const cairn_json *value;
    for (size_t i = 0; (key = cairn_json_member(object, i, &value)); i++) {
        if (before) cairn_text_add_char(&r->path, '.');
        cairn_text_add(&r->path, *key ? key : "column");
        CHECK(cairn_text_status(&r->path));
        CHECK(take_value(r, value));
        r->path.length = before;
        r->path.bytes[before] = 0;
    }
    return CAIRN_OK;
}

static cairn_status take_value(json_reader *r, const cairn_json *value)
{
    size_t column;
    if (cairn_json_is_object(value)) return take_members(r, value);
    CHECK(cairn_gather_column_of(&r->gather, r->path.bytes, r->path.length, &column));
    if (r->gather.columns[column].n_rows > r->gather.n_rows)
        return refuse(r, "two values in one object: a key with a dot and an object inside the "
                         "object give the same column; rename one");
    return cairn_json_is_array(value) ? take_array(r, column, value)
                                      : take_single(r, column, value);
}

/* The object that begins at `bytes`, `at` bytes into its line; *used is where it ends. */
static cairn_status take_object(json_reader *r, const char *bytes, size_t length, size_t at,
                                size_t *used)
{
    cairn_status status;
    cairn_json *object = NULL;
    TRY(cairn_json_parse_one(r->ctx, &object, r->name, bytes, length, r->line, at, used));
    if (!cairn_json_is_object(object))
        TRY(cairn_fail(r->ctx, CAIRN_BAD_DATA,
                       "%s, line %zu, column %zu: this is %s, but every row must be an object such "
                       "as {\"name\": \"Ada\", \"age\": 36}",
                       r->name, r->line, at + 1,
                       cairn_json_is_array(object) ? "an array" : "a single value"));
    TRY(take_members(r, object));
    TRY(cairn_gather_end_row(&r->gather));
done:
    cairn_json_free(object);
    return status;
}

/* -- lines -- */

static size_t count_blanks(const char *bytes, size_t length)
{
    size_t n = 0;
    while (n < length && strchr(" \t\r\n", bytes[n]) && bytes[n]) n++;
    return n;
}

static cairn_status take_line(json_reader *r, const char *bytes, size_t length)
{
    size_t blanks = count_blanks(bytes, length), used;
    if (blanks == length) return CAIRN_OK;
    CHECK(take_object(r, bytes + blanks, length - blanks, blanks, &used));
    used += blanks;
    used += count_blanks(bytes + used, length - used);
    if (used == length) return CAIRN_OK;
    return cairn_fail(r->ctx, CAIRN_BAD_DATA,
                      "%s, line %zu, column %zu: text follows the object; write one object per "
                      "line",
                      r->name, r->line, used + 1);
}

/* All lines that are whole; *used is where the rest begins. */
static cairn_status take_lines(json_reader *r, const char *bytes, size_t length, bool last,
                               size_t *used)
{
    size_t at = 0;
    while (at < length) {
        const char *end = memchr(bytes + at, '\n', length - at);
        if (!end && !last) break;
        size_t stop = end ? (size_t)(end - bytes) : length;
        CHECK(take_line(r, bytes + at, stop - at));
        r->line++;
        at = end ? stop + 1 : length;
    }
    *used = at;
    return CAIRN_OK;
}

static size_t byte_order_mark(const char *bytes, size_t length)
{
    return length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* The input in parts: the lines of a part, and the beginning of the next line. */
static cairn_status take_input(json_reader *r, cairn_input *input)
{
    cairn_status status = CAIRN_OK;
    char *bytes = NULL;
    size_t capacity = 0, n = 0, got, used;
    bool first = true;
    do {
        TRY(GROW(r->ctx, &bytes, &capacity, n + (n > PART ? n : PART)));
        TRY(cairn_input_read(r->ctx, input, bytes + n, capacity - n, &got));
        n += got;
        if (got && n < 3) continue; /* a byte order mark may be cut */
        size_t mark = first ? byte_order_mark(bytes, n) : 0;
        first = false;
        TRY(take_lines(r, bytes + mark, n - mark, got == 0, &used));
        used += mark;
        n -= used;
        if (n) memmove(bytes, bytes + used, n);
    } while (got);
done:
    cairn_free(bytes);
    return status;
}

/* -- an array of objects -- */

/* A place in a text, with the number of its line and what came before it there. */
typedef struct json_place {
    const char *bytes;
    size_t length, at, line_start;
} json_place;

static void move_on(json_reader *r, json_place *p, size_t n)
{
    for (size_t end = p->at + n; p->at < end; p->at++)
        if (p->bytes[p->at] == '\n') {
            r->line++;
            p->line_start = p->at + 1;
        }
}

/* The next byte that is not blank, 0 at the end. */
static char next_byte(json_reader *r, json_place *p)
{
    move_on(r, p, count_blanks(p->bytes + p->at, p->length - p->at));
    return p->at < p->length ? p->bytes[p->at] : 0;
}

static cairn_status refuse_place(const json_reader *r, const json_place *p, const char *why)
{
    return cairn_fail(r->ctx, CAIRN_BAD_DATA, "%s, line %zu, column %zu: %s", r->name, r->line,
                      p->at - p->line_start + 1, cairn_say(r->ctx, why));
}

/* [{...}, {...}], or objects one after the other without an array around them. */
static cairn_status take_document(json_reader *r, const char *bytes, size_t length)
{
    json_place p = {.bytes = bytes, .length = length, .at = byte_order_mark(bytes, length)};
    p.line_start = p.at;
    bool array = next_byte(r, &p) == '[';
    if (array) move_on(r, &p, 1);
    for (size_t n = 0;; n++) {
        char next = next_byte(r, &p);
        if (array && next == ']') break;
        if (!array && !next) return CAIRN_OK;
        if (array && n && next == ',') {
            move_on(r, &p, 1);
            next = next_byte(r, &p);
        } else if (array && n) {
            return refuse_place(r, &p, "a comma or ] is missing behind an object");
        }
        if (!next) return refuse_place(r, &p, "the array is not closed; is the file cut short?");
        size_t used;
        CHECK(take_object(r, p.bytes + p.at, p.length - p.at, p.at - p.line_start, &used));
        move_on(r, &p, used);
    }
    move_on(r, &p, 1);
    return next_byte(r, &p) ? refuse_place(r, &p, "text follows the array") : CAIRN_OK;
}

/* -- reading -- */

/* Columns that are known before the first row keep their places. */
static cairn_status start(json_reader *r, const cairn_map *known)
{
    const cairn_read_options *o = r->options;
    size_t column;
    r->gather = (cairn_gather){.ctx = r->ctx, .shown = r->name, .texts_are_texts = true};
    r->path = cairn_text_start(r->ctx);
    r->line = 1;
    if (o->missing) CHECK(cairn_cell_marks(r->ctx, &r->gather.marks, o->missing, true));
    r->gather.has_marks = o->missing != NULL;
    if (o->kinds) CHECK(cairn_kinds_split(r->ctx, o->kinds, &r->choices, &r->n_choices));
    for (size_t i = 0; known && i < known->n; i++)
        CHECK(cairn_gather_column_of(&r->gather, cairn_map_key(known, i), known->lengths[i],
                                     &column));
    return CAIRN_OK;
}

/* Refuse a table that would not fit: rows that all have other keys make a large one of a small
 * file. */
static cairn_status check_size(const json_reader *r)
{
    const cairn_gather *g = &r->gather;
    cairn_text what = cairn_text_start(r->ctx);
    if (g->n_rows == 0 || g->n_columns == 0)
        return cairn_fail(
            r->ctx, CAIRN_BAD_DATA,
            "%s: there is no object with a value in it; write rows such as {\"name\": "
            "\"Ada\", \"age\": 36}",
            r->name);
    cairn_text_addf(&what, "%s: a table of %zu rows and %zu columns", r->name, g->n_rows,
                    g->n_columns);
    cairn_status status = cairn_text_status(&what);
    if (!status)
        status = cairn_memory_check(
            r->ctx, (double)sizeof(double) * (double)g->n_rows * (double)g->n_columns, what.bytes,
            cairn_say(r->ctx, "raise {memory}, or give the objects the same keys"));
    cairn_text_clear(&what);
    return status;
}

static cairn_status finish(json_reader *r, cairn_table **out)
{
    CHECK(check_size(r));
    /* A string stays a string in JSON even if it reads as a number: the reader warns when a
     * whole column is like that, codes with leading zeros excepted. */
    for (size_t j = 0; j < r->gather.n_columns; j++) {
        const cairn_gather_column *c = &r->gather.columns[j];
        const char *name = cairn_map_key(&r->gather.names, j);
        double number;
        size_t n = 0;
        if (c->mode != CAIRN_GATHER_WORDS || c->words.n < 2) continue;
        while (n < c->words.n &&
               cairn_cell_number(cairn_map_key(&c->words, n), c->words.lengths[n], '.', &number) &&
               !cairn_cell_is_code(cairn_map_key(&c->words, n), c->words.lengths[n]))
            n++;
        if (n < c->words.n || (r->options->kinds && strstr(r->options->kinds, name))) continue;
        cairn_warn(r->ctx,
                   "%s, column '%s': all values are numbers in quotes and stay strings; {kinds "
                   "'%s=number'} reads numbers",
                   r->name, name, name);
    }
    return cairn_gather_table(&r->gather, out, r->options);
}

static void reader_clear(json_reader *r)
{
    cairn_gather_clear(&r->gather);
    cairn_text_clear(&r->path);
}

cairn_status cairn_ndjson_read(cairn_context *ctx, cairn_table **out, const char *name,
                               const char *bytes, size_t length, size_t line,
                               const cairn_read_options *options, cairn_map *known)
{
    cairn_status status;
    json_reader r = {.ctx = ctx, .name = name, .options = options};
    size_t used, index;
    TRY(start(&r, known));
    r.line = line;
    TRY(take_lines(&r, bytes, length, true, &used));
    TRY(finish(&r, out));
    for (size_t i = 0; known && i < r.gather.names.n; i++)
        TRY(cairn_map_add(ctx, known, cairn_map_key(&r.gather.names, i), r.gather.names.lengths[i],
                          &index));
done:
    if (status && *out) {
        cairn_table_free(*out);
        *out = NULL;
    }
    reader_clear(&r);
    return status;
}

/* Everything at once: of an array, or in another encoding. */
static cairn_status take_whole(json_reader *r, cairn_input *input, bool lines)
{
    cairn_status status;
    char *bytes = NULL;
    size_t length, used;
    if (cairn_encoding_is_utf8(r->options->encoding))
        TRY(cairn_input_read_all(r->ctx, input, &bytes, &length));
    else
        TRY(cairn_encoding_read(r->ctx, input, r->options->encoding, &bytes, &length));
    size_t mark = byte_order_mark(bytes, length);
    if (lines)
        TRY(take_lines(r, bytes + mark, length - mark, true, &used));
    else
        TRY(take_document(r, bytes, length));
done:
    cairn_free(bytes);
    return status;
}

static cairn_status read_json(cairn_context *ctx, cairn_table **out, cairn_input *input,
                              const cairn_read_options *options, bool lines)
{
    cairn_status status;
    json_reader r = {.ctx = ctx, .name = cairn_input_name(input), .options = options};
    TRY(start(&r, NULL));
    if (lines && cairn_encoding_is_utf8(options->encoding))
        TRY(take_input(&r, input));
    else
        TRY(take_whole(&r, input, lines));
    TRY(finish(&r, out));
done:
    reader_clear(&r);
    return status;
}

static cairn_status read_lines(cairn_context *ctx, cairn_table **out, cairn_input *input,
                               const cairn_read_options *options)
{
    return read_json(ctx, out, input, options, true);
}

static cairn_status read_array(cairn_context *ctx, cairn_table **out, cairn_input *input,
                               const cairn_read_options *options)
{
    return read_json(ctx, out, input, options, false);
}

/* -- writing -- */

/* Bags are written as arrays, each item as often as it counts. */
static cairn_status check_bags(cairn_context *ctx, const cairn_table *table)
{
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_column *c = table->slots[j].column;
        for (size_t k = 0; c->kind == CAIRN_BAG && c->amounts && k < c->starts[c->n_rows]; k++)
            if (!(c->amounts[k] >= 1 && c->amounts[k] <= MOST_REPEATS) ||
                c->amounts[k] != floor(c->amounts[k]))
                return cairn_fail(ctx, CAIRN_USAGE,
                                  "JSON has no bags with amounts that are no counts, as in column "
                                  "'%s'; write libsvm",
                                  table->slots[j].name);
    }
    return CAIRN_OK;
}

static void add_items(cairn_text *out, const cairn_column *column, size_t row)
{
    bool any = false;
    cairn_text_add_char(out, '[');
    for (size_t k = column->starts[row]; k < column->starts[row + 1]; k++) {
        double times = column->amounts ? column->amounts[k] : 1;
        for (double i = 0; i < times; i++) {
            if (any) cairn_text_add_char(out, ',');
            any = true;
            cairn_text_add_json(out, column->items[k] < 0
                                         ? "?"
                                         : cairn_map_key(&column->names, (size_t)column->items[k]));
        }
    }
    cairn_text_add_char(out, ']');
}

/* Numbers as they are, and "?" for one that is missing. */
static void add_series(cairn_text *out, const cairn_column *column, size_t row)
{
    cairn_text_add_char(out, '[');
    for (size_t k = column->starts[row]; k < column->starts[row + 1]; k++) {
        if (k > column->starts[row]) cairn_text_add_char(out, ',');
        if (isnan(column->amounts[k]))
            cairn_text_add_json(out, "?");
        else
            cairn_text_add_number(out, column->amounts[k], CAIRN_SHORTEST);
    }
    cairn_text_add_char(out, ']');
}

/* A missing value is null; numbers and truths stay bare, all other single cells become strings. */
static void add_value(cairn_text *out, cairn_text *cell, const cairn_column *column, size_t row)
{
    if (cairn_column_is_missing(column, row)) {
        cairn_text_add(out, "null");
    } else if (column->kind == CAIRN_NUMBER) {
        cairn_text_add_number(out, column->numbers[row], CAIRN_SHORTEST);
    } else if (cairn_column_has_truths(column)) {
        cairn_text_add(out, column->codes[row] ? "true" : "false");
    } else if (column->items) {
        add_items(out, column, row);
    } else if (column->kind == CAIRN_SERIES) {
        add_series(out, column, row);
    } else {
        size_t length = cairn_column_cell(column, row, NULL, 0);
        cell->length = 0;
        char *to = cairn_text_buffer(cell, length + 1);
        if (to) cairn_column_cell(column, row, to, length + 1);
        cairn_text_add_json(out, to ? to : "");
    }
}

/* `between` stands behind all rows but the last, which ends with `end`. */
static cairn_status write_rows(cairn_context *ctx, const cairn_table *table,
                               cairn_output_file *file, const char *begin, const char *between,
                               const char *end)
{
    cairn_status status = CAIRN_OK;
    cairn_text out = cairn_text_start(ctx), cell = cairn_text_start(ctx);
    TRY(check_bags(ctx, table));
    cairn_text_add(&out, begin);
    for (size_t i = 0; i < table->n_rows; i++) {
        cairn_text_add_char(&out, '{');
        for (size_t j = 0; j < table->n_columns; j++) {
            if (j) cairn_text_add_char(&out, ',');
            cairn_text_add_json(&out, table->slots[j].name);
            cairn_text_add_char(&out, ':');
            add_value(&out, &cell, table->slots[j].column, i);
        }
        cairn_text_add_char(&out, '}');
        cairn_text_add(&out, i + 1 < table->n_rows ? between : "");
        if (out.length < FLUSH) continue;
        TRY(cairn_text_status(&cell));
        TRY(cairn_text_status(&out));
        TRY(cairn_output_write(ctx, file, out.bytes, out.length));
        TRY(cairn_tick(ctx, "writing", (double)i, (double)table->n_rows));
        out.length = 0;
    }
    cairn_text_add(&out, end);
    TRY(cairn_text_status(&cell));
    TRY(cairn_text_status(&out));
    TRY(cairn_output_write(ctx, file, out.bytes, out.length));
done:
    cairn_text_clear(&out);
    cairn_text_clear(&cell);
    return status;
}

static cairn_status write_lines(cairn_context *ctx, const cairn_table *table,
                                cairn_output_file *file)
{
    return write_rows(ctx, table, file, "", "\n", table->n_rows ? "\n" : "");
}

static cairn_status write_array(cairn_context *ctx, const cairn_table *table,
                                cairn_output_file *file)
{
    return write_rows(ctx, table, file, "[", ",\n", "]\n");
}

/* -- records -- */

static size_t first_byte(const char *head, size_t n)
{
    size_t at = byte_order_mark(head, n);
    return at + count_blanks(head + at, n - at);
}

static bool is_lines(const char *name, const char *head, size_t n)
{
    size_t at = first_byte(head, n);
    (void)name;
    if (at >= n || head[at] != '{') return false;
    at += 1 + count_blanks(head + at + 1, n - at - 1);
    return at < n && (head[at] == '"' || head[at] == '}');
}

static bool is_array(const char *name, const char *head, size_t n)
{
    size_t at = first_byte(head, n);
    return at < n && head[at] == '[' && is_lines(name, head + at + 1, n - at - 1);
}

const cairn_data_format cairn_ndjson_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "ndjson",
            .title = "One JSON object per line",
            .summary =
                "Every line is an object, the values of its keys are the cells of a row. A key "
                "that "
                "an object lacks, and null, is a missing cell. Strings are never numbers; true and "
                "false are levels; values of objects inside become columns a.b; an array of "
                "strings "
                "is a bag, or a sequence where --kinds says so, and one of numbers a series.",
            .example = "cairn convert @iris iris.ndjson",
        },
    .extensions = "ndjson jsonl",
    .detect = is_lines,
    .read = read_lines,
    .write = write_lines,
};

const cairn_data_format cairn_json_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "json",
            .title = "A JSON array of objects",
            .summary = "The same as ndjson with the objects in one array. Objects one after the "
                       "other without an array are read as well.",
            .example = "cairn convert @iris - --to json",
        },
    .extensions = "json",
    .detect = is_array,
    .read = read_array,
    .write = write_array,
};
