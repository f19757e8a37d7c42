/* SPDX-License-Identifier: MIT */
/* ARFF, the format of Weka: a header that declares the attributes, then rows.
 *
 * numeric, real and integer give number columns; {a, b, c} a level column with exactly these values
 * in this order; string text; date times, in the pattern that may follow it. Rows are
 * dense (values separated by commas, or by blanks if a row has no comma) or sparse ({index value,
 * ...}, what is left out being 0 or the first value).
 * A weight after a row, {w}, gives the column `weight` with that role; no other roles are set. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/cell.h"
#include "data/column.h"
#include "data/format.h"
#include "data/grow.h"
#include "data/table_limits.h"
#include "data/lines.h"
#include <string.h>

enum { TICK_LINES = 1 << 14, FLUSH_AT = 1 << 15 };

typedef struct reader {
    cairn_lines lines;
    cairn_map marks; /* of missing cells, beside the bare ? */
    cairn_map names; /* of the attributes */
    cairn_grow_column *columns;
    size_t columns_capacity;
    size_t n_rows;
    double *weights; /* one per row; NULL until a row has one */
    size_t weights_capacity;
    cairn_text cell; /* a quoted value without its quotes */
} reader;

typedef struct token {
    const char *text;
    size_t length;
    bool quoted;
} token;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at)) at++;
    return at;
}

static char unescape(char c)
{
    switch (c) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return c;
    }
}

/* A value in quotes, which stand at *at. */
static cairn_status read_quoted(cairn_context *ctx, reader *r, const char **at, const char *end,
                                token *out)
{
    const char *c = *at;
    char quote = *c++;
    r->cell.length = 0;
    cairn_text_add_bytes(&r->cell, "", 0);
    for (; c < end && *c != quote; c++) {
        if (*c == '\\' && c + 1 < end)
            cairn_text_add_char(&r->cell, unescape(*++c));
        else
            cairn_text_add_char(&r->cell, *c);
    }
    if (c >= end)
        return cairn_lines_refuse(ctx, &r->lines, *at, NULL,
                                  "the quote before '%.*s' is not closed",
                                  cairn_lines_shown(*at + 1, end), *at + 1);
    *at = c + 1;
    *out = (token){r->cell.bytes, r->cell.length, true};
    return cairn_text_status(&r->cell);
}

/* What ends a bare value. */
enum { AT_COMMA = 1, AT_BLANK = 2, AT_OPEN = 4, AT_CLOSE = 8, AT_PERCENT = 16 };

static const unsigned char classes[256] = {
    [','] = AT_COMMA, [' '] = AT_BLANK, ['\t'] = AT_BLANK,
    ['{'] = AT_OPEN,  ['}'] = AT_CLOSE, ['%'] = AT_PERCENT,
};

static cairn_status read_token(cairn_context *ctx, reader *r, const char **at, const char *end,
                               unsigned stops, token *out)
{
    *at = skip_blanks(*at, end);
    if (*at < end && (**at == '\'' || **at == '"')) return read_quoted(ctx, r, at, end, out);
    /* A bare value: up to one of the stops, a comment or the end, without the blanks at its end. */
    const char *from = *at, *c = from;
    for (;; c++) {
        while (c < end && !(classes[(unsigned char)*c] & (stops | AT_PERCENT))) c++;
        if (c == end || *c != '%' || c == from || is_blank(c[-1])) break;
    }
    *at = c < end && *c == '%' ? end : c;
    const char *to = cairn_lines_trim(from, c);
    *out = (token){from, (size_t)(to - from), false};
    return CAIRN_OK;
}

/* -- the header -- */

/* Whether the line goes on with the word, in any case, and then a blank, a brace or the end. */
static bool take_word(const char **at, const char *end, const char *word)
{
    const char *c = *at;
    for (; *word; word++, c++)
        if (c == end || (*c != *word && (*word == '@' || (*c | 0x20) != *word))) return false;
    if (c < end && !is_blank(*c) && *c != '{' && *c != '%') return false;
    *at = skip_blanks(c, end);
    return true;
}

/* Whether nothing but a comment is left. */
static bool is_over(const char *at, const char *end)
{
    at = skip_blanks(at, end);
    return at == end || *at == '%';
}

/* The declared values fix the levels and their order, so one that is declared twice is a mistake; a
 * comma before the closing brace is let pass. */
static cairn_status read_values(cairn_context *ctx, reader *r, cairn_grow_column *column,
                                const char *at, const char *end)
{
    const char *open = at++;
    column->kind = CAIRN_LEVEL;
    column->declared = true;
    at = skip_blanks(at, end);
    while (at < end && *at != '}') {
        token value = {0};
        size_t before = column->names.n, index;
        CHECK(read_token(ctx, r, &at, end, AT_COMMA | AT_CLOSE, &value));
        CHECK(cairn_map_add(ctx, &column->names, value.text, value.length, &index));
        if (index != before)
            CHECK(cairn_lines_refuse(ctx, &r->lines, open, column->name,
                                     "the value '%.*s' is declared twice", (int)value.length,
                                     value.text));
        at = skip_blanks(at, end);
        if (at < end && *at == ',')
            at = skip_blanks(at + 1, end);
        else if (at < end && *at != '}')
            CHECK(cairn_lines_refuse(ctx, &r->lines, open, column->name,
                                     "a comma or } is expected before '%.*s'",
                                     cairn_lines_shown(at, end), at));
    }
    CHECK(cairn_levels_allowed(ctx, column->names.n, r->lines.name, column->name));
    if (at >= end || !is_over(at + 1, end))
        CHECK(cairn_lines_refuse(ctx, &r->lines, open, column->name,
                                 "the list of values does not end with }"));
    return CAIRN_OK;
}

/* A date attribute: its pattern, in quotes or bare, or the usual one. What a pattern says that no
 * time column can hold is kept as text. */
static cairn_status read_date(cairn_context *ctx, reader *r, cairn_grow_column *column,
                              const char *at, const char *end)
{
    token letters = {0};
    CHECK(read_token(ctx, r, &at, end, 0, &letters));
    if (!letters.length) letters = (token){"yyyy-MM-dd'T'HH:mm:ss", 21, true};
    column->kind = CAIRN_TIME;
    if (cairn_time_from_letters(column->pattern, letters.text, letters.length)) return CAIRN_OK;
    column->kind = CAIRN_TEXT;
    column->pattern[0] = 0;
    cairn_warn(ctx,
               "%s: the date pattern '%.*s' of attribute '%s' is not known; it is read as text",
               r->lines.name, (int)letters.length, letters.text, column->name);
    return CAIRN_OK;
}

static cairn_status read_type(cairn_context *ctx, reader *r, cairn_grow_column *column,
                              const char *at, const char *end)
{
    const char *type = at;
    if (at < end && *at == '{') return read_values(ctx, r, column, at, end);
    bool number = take_word(&at, end, "numeric") || take_word(&at, end, "real") ||
                  take_word(&at, end, "integer");
    bool text = !number && take_word(&at, end, "string");
    bool date = !number && !text && take_word(&at, end, "date"); /* a format may follow */
    if ((number || text) && !is_over(at, end)) number = text = false;
    if (!number && !text && !date)
        return cairn_lines_refuse(ctx, &r->lines, type, column->name,
                                  "'%.*s' is not a type; use numeric, string, date or {a, b, ...}",
                                  cairn_lines_shown(type, end), type);
    if (date) return read_date(ctx, r, column, at, end);
    column->kind = number ? CAIRN_NUMBER : CAIRN_TEXT;
    return CAIRN_OK;
}

/* Repeated names are refused, where CSV numbers them, because ARFF demands that names be unique. */
static cairn_status read_attribute(cairn_context *ctx, reader *r, const char *at, const char *end)
{
    const char *line = at;
    token name = {0};
    size_t index, n = r->names.n;
    CHECK(cairn_columns_allowed(ctx, n + 1, r->lines.name));
    CHECK(GROW(ctx, &r->columns, &r->columns_capacity, n + 1));
    CHECK(read_token(ctx, r, &at, end, AT_BLANK | AT_OPEN, &name));
    if (!name.length)
        return cairn_lines_refuse(ctx, &r->lines, line, NULL, "the attribute has no name");
    if (memchr(name.text, 0, name.length))
        return cairn_lines_refuse(ctx, &r->lines, line, NULL, "the name holds a zero byte");
    CHECK(cairn_map_add(ctx, &r->names, name.text, name.length, &index));
    if (index != n)
        return cairn_lines_refuse(ctx, &r->lines, line, cairn_map_key(&r->names, index),
                                  "the attribute is declared twice; rename one");
    cairn_grow_column *column = &r->columns[n];
    *column = (cairn_grow_column){.role = CAIRN_FEATURE};
    CHECK(cairn_copy_text(ctx, &column->name, name.text, name.length));
    return read_type(ctx, r, column, skip_blanks(at, end), end);
}

/* All lines up to @data; *at is then the line after it. */
static cairn_status read_header(cairn_context *ctx, reader *r, const char **at)
{
    while (*at < r->lines.end) {
        const char *feed = cairn_lines_end(&r->lines, *at);
        const char *c = skip_blanks(*at, feed), *end = cairn_lines_trim(c, feed), *line = c;
        *at = feed < r->lines.end ? feed + 1 : feed;
        if (c == end || *c == '%' || take_word(&c, end, "@relation")) continue;
        if (take_word(&c, end, "@attribute")) {
            CHECK(read_attribute(ctx, r, c, end));
        } else if (take_word(&c, end, "@data") && is_over(c, end)) {
            if (r->names.n) return CAIRN_OK;
            return cairn_lines_refuse(ctx, &r->lines, line, NULL, "no @attribute stands before it");
        } else {
            return cairn_lines_refuse(ctx, &r->lines, line, NULL,
                                      "'%.*s' is none of @relation, @attribute and @data",
                                      cairn_lines_shown(line, end), line);
        }
    }
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: there is no @data line; this is not an ARFF file",
                      r->lines.name);
}

/* -- rows -- */

static const char *candidate_level(size_t i, const void *data)
{
    const cairn_map *names = data;
    return i < names->n ? cairn_map_key(names, i) : NULL;
}

static cairn_status refuse_level(cairn_context *ctx, reader *r, const cairn_grow_column *column,
                                 const char *at, const token *value)
{
    char word[64] = "";
    if (value->length < sizeof word) memcpy(word, value->text, value->length);
    const char *near = cairn_nearest_word(word, candidate_level, &column->names);
    int shown = cairn_lines_shown(value->text, value->text + value->length);
    if (near)
        return cairn_lines_refuse(ctx, &r->lines, at, column->name,
                                  "'%.*s' is not among the declared values; did you mean '%s'?",
                                  shown, value->text, near);
    return cairn_lines_refuse(ctx, &r->lines, at, column->name,
                              "'%.*s' is not among the declared values; add it to the attribute",
                              shown, value->text);
}

static bool is_missing(const reader *r, const token *value)
{
    if (value->quoted) return false;
    return (value->length == 1 && *value->text == '?') ||
           cairn_map_find(&r->marks, value->text, value->length) >= 0;
}

/* Put a value into the column; `at` is its place, for messages. */
static cairn_status add_value(cairn_context *ctx, reader *r, size_t j, const char *at,
                              const token *value)
{
    cairn_grow_column *column = &r->columns[j];
    double number;
    if (is_missing(r, value)) return cairn_grow_missing(ctx, column);
    if (!value->length && !value->quoted)
        return cairn_lines_refuse(ctx, &r->lines, at, column->name,
                                  "there is no value; write ? where it is missing");
    if (column->kind == CAIRN_TEXT) {
        CHECK(cairn_cell_allowed(ctx, value->length, r->lines.name, column->n_rows, column->name));
        return cairn_grow_text(ctx, column, value->text, value->length);
    }
    if (column->kind == CAIRN_LEVEL) {
        int64_t code = cairn_map_find(&column->names, value->text, value->length);
        if (code < 0) return refuse_level(ctx, r, column, at, value);
        return cairn_grow_code(ctx, column, (int32_t)code);
    }
    if (column->kind == CAIRN_TIME) {
        double time;
        const char *why;
        if (cairn_time_parse(value->text, value->length, column->pattern, &time, NULL, &why) ||
            cairn_time_parse(value->text, value->length, NULL, &time, NULL, NULL))
            return cairn_grow_number(ctx, column, time);
        return cairn_lines_refuse(
            ctx, &r->lines, at, column->name,
            "'%.*s' is not a time: %s; correct it, or write ? where it is missing",
            cairn_lines_shown(value->text, value->text + value->length), value->text,
            cairn_say(ctx, why));
    }
    if (cairn_cell_number(value->text, value->length, '.', &number))
        return cairn_grow_number(ctx, column, number);
    return cairn_lines_refuse(ctx, &r->lines, at, column->name,
                              "'%.*s' is not a number that a table can hold; write ? where it is "
                              "missing, or declare the attribute as string",
                              cairn_lines_shown(value->text, value->text + value->length),
                              value->text);
}

/* {w} after a row, if it is there. */
static cairn_status read_weight(cairn_context *ctx, reader *r, const char *at, const char *end)
{
    double weight;
    at = skip_blanks(at, end);
    if (at < end && *at == ',') at = skip_blanks(at + 1, end);
    if (at == end || *at == '%') return CAIRN_OK;
    const char *close = memchr(at, '}', (size_t)(end - at));
    if (*at != '{' || !close || !is_over(close + 1, end))
        return cairn_lines_refuse(ctx, &r->lines, at, NULL,
                                  "'%.*s' follows the last of %zu values; quote values that hold "
                                  "commas or blanks",
                                  cairn_lines_shown(at, end), at, r->names.n);
    if (!cairn_cell_number(at + 1, (size_t)(close - at - 1), '.', &weight) || weight < 0)
        return cairn_lines_refuse(ctx, &r->lines, at, NULL, "'%.*s' is not a weight",
                                  cairn_lines_shown(at, close + 1), at);
    size_t before = r->weights_capacity;
    CHECK(GROW(ctx, &r->weights, &r->weights_capacity, r->n_rows + 1));
    for (size_t i = before; i < r->weights_capacity; i++) r->weights[i] = 1;
    r->weights[r->n_rows] = weight;
    return CAIRN_OK;
}

/* A line with a comma is cut at commas, any other at blanks; behind the last value only the weight
 * of the row may follow. */
static cairn_status read_dense(cairn_context *ctx, reader *r, const char *at, const char *end)
{
    const char *line = at;
    bool commas = memchr(at, ',', (size_t)(end - at));
    unsigned stops = commas ? AT_COMMA : AT_BLANK;
    for (size_t j = 0; j < r->names.n; j++) {
        token value = {0};
        if (j && commas) {
            at = skip_blanks(at, end);
            if (at < end && *at != ',' && *at != '%')
                CHECK(cairn_lines_refuse(ctx, &r->lines, at, r->columns[j - 1].name,
                                         "a comma is expected before '%.*s'",
                                         cairn_lines_shown(at, end), at));
            at += at < end && *at == ',';
        }
        const char *from = skip_blanks(at, end);
        if (j && is_over(from, end) && !(commas && from > line && from[-1] == ',')) {
            CHECK(cairn_lines_refuse(ctx, &r->lines, line, NULL,
                                     "the row has %zu values and there are %zu attributes", j,
                                     r->names.n));
        }
        at = from;
        CHECK(read_token(ctx, r, &at, end, stops, &value));
        CHECK(add_value(ctx, r, j, from, &value));
    }
    return read_weight(ctx, r, at, end);
}

/* What a sparse row does not name is 0, the first declared value, or missing text or time. */
static cairn_status add_default(cairn_context *ctx, cairn_grow_column *column)
{
    if (column->kind == CAIRN_NUMBER) return cairn_grow_number(ctx, column, 0);
    if (column->kind == CAIRN_LEVEL && column->names.n) return cairn_grow_code(ctx, column, 0);
    return cairn_grow_missing(ctx, column);
}

/* One pair "index value"; `next` is the first attribute that has no cell yet. */
static cairn_status read_pair(cairn_context *ctx, reader *r, const char **at, const char *end,
                              size_t *next)
{
    const char *from = *at;
    size_t index = 0;
    token value = {0};
    while (*at < end && **at >= '0' && **at <= '9' && index < r->names.n)
        index = index * 10 + (size_t)(*(*at)++ - '0');
    if (*at == from || (*at < end && !is_blank(**at) && index < r->names.n))
        return cairn_lines_refuse(ctx, &r->lines, from, NULL,
                                  "'%.*s' is not a pair of index and value",
                                  cairn_lines_shown(from, end), from);
    if (index >= r->names.n || index < *next)
        return cairn_lines_refuse(ctx, &r->lines, from, NULL,
                                  "the index in '%.*s' is out of order or not below %zu; indices "
                                  "ascend from 0",
                                  cairn_lines_shown(from, end), from, r->names.n);
    for (; *next < index; ++*next) CHECK(add_default(ctx, &r->columns[*next]));
    from = *at = skip_blanks(*at, end);
    CHECK(read_token(ctx, r, at, end, AT_COMMA | AT_CLOSE, &value));
    CHECK(add_value(ctx, r, (*next)++, from, &value));
    *at = skip_blanks(*at, end);
    return CAIRN_OK;
}

static cairn_status read_sparse(cairn_context *ctx, reader *r, const char *at, const char *end)
{
    const char *line = at;
    size_t next = 0;
    at = skip_blanks(at + 1, end);
    while (at < end && *at != '}') {
        CHECK(read_pair(ctx, r, &at, end, &next));
        if (at < end && *at == ',')
            at = skip_blanks(at + 1, end);
        else if (at < end && *at != '}')
            break;
    }
    if (at >= end || *at != '}')
        CHECK(cairn_lines_refuse(ctx, &r->lines, line, NULL, "the sparse row does not end with }"));
    for (; next < r->names.n; next++) CHECK(add_default(ctx, &r->columns[next]));
    return read_weight(ctx, r, at + 1, end);
}

/* Dense and sparse rows may be mixed: the first character of each line decides. */
static cairn_status read_rows(cairn_context *ctx, reader *r, const char *at)
{
    const cairn_lines *lines = &r->lines;
    double length = (double)(lines->end - lines->begin);
    while (at < lines->end) {
        const char *feed = cairn_lines_end(lines, at);
        const char *from = skip_blanks(at, feed), *end = cairn_lines_trim(from, feed);
        at = feed + 1;
        if (from == end || *from == '%') continue;
        CHECK(*from == '{' ? read_sparse(ctx, r, from, end) : read_dense(ctx, r, from, end));
        if (++r->n_rows % TICK_LINES == 0)
            CHECK(cairn_tick(ctx, "reading", (double)(at - lines->begin), length));
    }
    if (r->n_rows == 0)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "%s: there is only a header and no row of data; add rows after @data",
                         lines->name));
    return CAIRN_OK;
}

/* -- the table -- */

/* The weights as a column; its name must not be taken. */
static cairn_status add_weights(cairn_context *ctx, cairn_table *table, const reader *r)
{
    cairn_column *column;
    if (!r->weights) return CAIRN_OK;
    if (cairn_table_find(table, "weight") >= 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: rows have weights and an attribute is called weight; rename it",
                          r->lines.name);
    cairn_status status = cairn_column_new(ctx, &column, CAIRN_NUMBER, table->n_rows);
    if (status) return status;
    for (size_t i = 0; i < table->n_rows; i++)
        column->numbers[i] = i < r->weights_capacity ? r->weights[i] : 1;
    return cairn_table_append(ctx, table, "weight", CAIRN_WEIGHT, column);
}

static void reader_clear(reader *r)
{
    size_t n = r->names.n < r->columns_capacity ? r->names.n : r->columns_capacity;
    for (size_t j = 0; j < n; j++) cairn_grow_clear(&r->columns[j]);
    cairn_free(r->columns);
    cairn_map_clear(&r->names);
    cairn_map_clear(&r->marks);
    cairn_free(r->weights);
    cairn_text_clear(&r->cell);
    cairn_lines_clear(&r->lines);
}

static cairn_status read_arff(cairn_context *ctx, cairn_table **out, cairn_input *input,
                              const cairn_read_options *options)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    SCOPED(reader_clear) reader r = {.cell = cairn_text_start(ctx)};
    if (options->missing) CHECK(cairn_cell_marks(ctx, &r.marks, options->missing, true));
    CHECK(cairn_lines_read(ctx, &r.lines, input, options->encoding));
    const char *at = r.lines.begin;
    CHECK(read_header(ctx, &r, &at));
    CHECK(read_rows(ctx, &r, at));
    CHECK(cairn_table_new(ctx, &table, r.n_rows));
    for (size_t j = 0; j < r.names.n; j++) CHECK(cairn_grow_finish(ctx, table, &r.columns[j]));
    CHECK(add_weights(ctx, table, &r));
    *out = TAKE(table);
    return CAIRN_OK;
}

/* A file whose first line that says something begins with @relation. */
static bool detect_arff(const char *name, const char *head, size_t n)
{
    const char *at = head, *end = head + n;
    (void)name;
    while (at < end && (*at == '%' || *at == '\n' || is_blank(*at))) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        if (*at == '%' && feed)
            at = feed;
        else if (*at == '%')
            return false;
        at++;
    }
    return take_word(&at, end, "@relation");
}

/* -- writing -- */

static void add_quoted(cairn_text *text, const char *value, size_t length)
{
    bool plain = length > 0 && !(length == 1 && *value == '?');
    for (size_t i = 0; i < length && plain; i++)
        plain = !strchr(" \t\r\n,{}%'\"\\@", value[i]) && (unsigned char)value[i] >= ' ';
    if (plain) {
        cairn_text_add_bytes(text, value, length);
        return;
    }
    cairn_text_add_char(text, '\'');
    for (size_t i = 0; i < length; i++) {
        char c = value[i];
        char letter = c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : c;
        if (letter != c || c == '\'' || c == '\\') cairn_text_add_char(text, '\\');
        cairn_text_add_char(text, letter);
    }
    cairn_text_add_char(text, '\'');
}

/* Weights that stand after the rows: a complete weight column of that name at the end. */
static const cairn_column *find_weights(const cairn_table *table)
{
    if (table->n_columns < 2) return NULL;
    const cairn_slot *slot = &table->slots[table->n_columns - 1];
    if (slot->role != CAIRN_WEIGHT || slot->column->kind != CAIRN_NUMBER) return NULL;
    return cairn_same(slot->name, "weight") && !slot->column->n_missing ? slot->column : NULL;
}

/* The pattern of a time column as ARFF writes it; *pattern is the one to write cells with. */
static const char *date_letters(char letters[2 * CAIRN_TIME_PATTERN], const char **pattern)
{
    if (cairn_time_to_letters(letters, *pattern)) return letters;
    *pattern = "%Y-%m-%dT%H:%M:%S";
    return "yyyy-MM-dd'T'HH:mm:ss";
}

static void add_date(cairn_text *text, const cairn_column *column)
{
    char letters[2 * CAIRN_TIME_PATTERN];
    const char *pattern = column->pattern;
    cairn_text_addf(text, " date \"%s\"\n", date_letters(letters, &pattern));
}

/* All levels are declared in their order, so that the file reads back with the same codes even if
 * some never occur. */
static cairn_status add_attribute(cairn_context *ctx, cairn_text *text, const cairn_slot *slot)
{
    const cairn_column *column = slot->column;
    cairn_text_add(text, "@attribute ");
    add_quoted(text, slot->name, strlen(slot->name));
    switch (column->kind) {
    case CAIRN_NUMBER: cairn_text_add(text, " numeric\n"); break;
    case CAIRN_TEXT: cairn_text_add(text, " string\n"); break;
    case CAIRN_TIME: add_date(text, column); break;
    case CAIRN_LEVEL:
        cairn_text_add(text, " {");
        for (size_t i = 0; i < column->names.n; i++) {
            if (i) cairn_text_add_char(text, ',');
            add_quoted(text, cairn_map_key(&column->names, i), column->names.lengths[i]);
        }
        cairn_text_add(text, "}\n");
        break;
    default:
        return cairn_fail(ctx, CAIRN_USAGE,
                          "column '%s' (%s): ARFF cannot hold it; change its kind ({kinds}), leave "
                          "it out, or write csv",
                          slot->name, cairn_kind_name(column->kind));
    }
    return CAIRN_OK;
}

/* Writes a value such that it reads back the same; times are put by the pattern that the
 * attribute's declaration announced. */
static void add_cell(cairn_text *text, const cairn_column *column, size_t row)
{
    if (cairn_column_is_missing(column, row)) {
        cairn_text_add_char(text, '?');
    } else if (column->kind == CAIRN_NUMBER) {
        cairn_text_add_number(text, column->numbers[row], CAIRN_SHORTEST);
    } else if (column->kind == CAIRN_TIME) {
        char letters[2 * CAIRN_TIME_PATTERN], time[CAIRN_TIME_SIZE];
        const char *pattern = column->pattern;
        date_letters(letters, &pattern);
        add_quoted(text, time, cairn_time_format(time, column->numbers[row], pattern));
    } else if (column->kind == CAIRN_LEVEL) {
        size_t code = (size_t)column->codes[row];
        add_quoted(text, cairn_map_key(&column->names, code), column->names.lengths[code]);
    } else {
        add_quoted(text, column->bytes + column->starts[row],
                   column->starts[row + 1] - column->starts[row]);
    }
}

static cairn_status flush(cairn_context *ctx, cairn_text *text, cairn_output_file *file)
{
    cairn_status status = cairn_text_status(text);
    if (!status && text->length) status = cairn_output_write(ctx, file, text->bytes, text->length);
    text->length = 0;
    return status;
}

/* The weight is no attribute in ARFF but stands in braces behind the row; its column is the last.
 * */
static cairn_status write_rows(cairn_context *ctx, const cairn_table *table,
                               const cairn_column *weights, cairn_text *text,
                               cairn_output_file *file)
{
    size_t d = table->n_columns - (weights != NULL);
    for (size_t i = 0; i < table->n_rows; i++) {
        for (size_t j = 0; j < d; j++) {
            if (j) cairn_text_add_char(text, ',');
            add_cell(text, table->slots[j].column, i);
        }
        if (weights) {
            cairn_text_add(text, ", {");
            cairn_text_add_number(text, weights->numbers[i], CAIRN_SHORTEST);
            cairn_text_add_char(text, '}');
        }
        cairn_text_add_char(text, '\n');
        if (text->length < FLUSH_AT) continue;
        CHECK(flush(ctx, text, file));
        CHECK(cairn_tick(ctx, "writing", (double)i, (double)table->n_rows));
    }
    return CAIRN_OK;
}

static cairn_status write_arff(cairn_context *ctx, const cairn_table *table,
                               cairn_output_file *file)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    const cairn_column *weights = find_weights(table);
    cairn_text_add(&text, "@relation data\n\n");
    for (size_t j = 0; j < table->n_columns - (weights != NULL); j++)
        CHECK(add_attribute(ctx, &text, &table->slots[j]));
    cairn_text_add(&text, "\n@data\n");
    CHECK(write_rows(ctx, table, weights, &text, file));
    return flush(ctx, &text, file);
}

const cairn_data_format cairn_arff_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "arff",
            .also = "Weka",
            .title = "Attributes and rows, as Weka keeps them",
            .summary =
                "A header declares the attributes: numbers, lists of values, dates, text. Rows are "
                "dense or sparse; ? is missing; % begins a comment; a weight may follow a "
                "row. Declared values keep their order and may be unseen. The format knows "
                "no target: choose it with --target.",
            .example = "cairn convert @iris iris.arff",
        },
    .extensions = "arff",
    .detect = detect_arff,
    .read = read_arff,
    .write = write_arff,
};
