/* SPDX-License-Identifier: MIT */
/* Rows that come one by one, with cells that know what they are, into columns.
 *
 * A column begins as one of numbers. When a text arrives it becomes one of words, each different
 * text held once, and the numbers before it are written out; at the end the kind of words is found
 * in the same way as that of a CSV column. NULL is missing; truth values are the levels false and
 * true; times are times. Integers beyond 2^53 are rounded and told of, as are decimals of more
 * digits than a double holds. */
#include "data/row_gather.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/bag.h"
#include "data/cell.h"
#include "data/column.h"
#include "data/table_limits.h"
#include "data/schema.h"
#include <math.h>
#include <string.h>

enum { TICK_ROWS = 1 << 12 };
#define EXACT_INTEGERS INT64_C(9007199254740992) /* 2^53 */

void cairn_gather_clear(cairn_gather *g)
{
    for (size_t j = 0; j < g->n_columns; j++) {
        FREE_EACH(g->columns[j].numbers, g->columns[j].codes, g->columns[j].items,
                  g->columns[j].ends, g->columns[j].absent);
        cairn_map_clear(&g->columns[j].words);
    }
    cairn_free(g->columns);
    cairn_map_clear(&g->names);
    cairn_map_clear(&g->marks);
}

bool cairn_gather_names(void *data, const char *const *names, size_t n)
{
    cairn_gather *g = data;
    cairn_status status = CAIRN_OK;
    TRY(cairn_columns_allowed(g->ctx, n, g->shown));
    TRY(NEW(g->ctx, &g->columns, n));
    g->n_columns = n;
    for (size_t j = 0; j < n; j++) {
        const char *name = names[j];
        char number[6 + CAIRN_NUMBER_SIZE];
        if (cairn_utf8_check(name, strlen(name)) < strlen(name))
            TRY(cairn_fail(g->ctx, CAIRN_BAD_DATA,
                           "%s: the name of column %zu is not UTF-8; give it another with AS",
                           g->shown, j + 1));
        if (!*name) {
            memcpy(number, "column", 6);
            number[6 + cairn_number_format(number + 6, (double)(j + 1), CAIRN_SHORTEST)] = 0;
            name = number;
        }
        TRY(cairn_name_column(g->ctx, &g->names, name, strlen(name), g->shown));
    }
done:
    g->status = status;
    return status == CAIRN_OK;
}

bool cairn_gather_levels(void *data, size_t column, const char *const *names, size_t n)
{
    cairn_gather *g = data;
    cairn_gather_column *c = &g->columns[column];
    cairn_status status = CAIRN_OK;
    size_t code;
    c->mode = CAIRN_GATHER_LEVELS;
    for (size_t i = 0; i < n; i++) {
        if (cairn_utf8_check(names[i], strlen(names[i])) < strlen(names[i]))
            TRY(cairn_fail(g->ctx, CAIRN_BAD_DATA, "%s, column '%s': a level is not UTF-8",
                           g->shown, cairn_map_key(&g->names, column)));
        TRY(cairn_map_add(g->ctx, &c->words, names[i], strlen(names[i]), &code));
    }
done:
    g->status = status;
    return status == CAIRN_OK;
}

static cairn_status refuse_cell(cairn_gather *g, size_t j, const char *text, size_t length,
                                const char *why)
{
    return cairn_fail(g->ctx, CAIRN_BAD_DATA, "%s, row %zu, column '%s': '%.*s' %s", g->shown,
                      g->n_rows + 1, cairn_map_key(&g->names, j), (int)(length < 60 ? length : 60),
                      text, cairn_say(g->ctx, why));
}

static cairn_status put_number(cairn_gather *g, cairn_gather_column *c, double number)
{
    cairn_status status = GROW(g->ctx, &c->numbers, &c->numbers_capacity, c->n_rows + 1);
    if (!status) c->numbers[c->n_rows++] = number;
    return status;
}

static cairn_status put_code(cairn_gather *g, cairn_gather_column *c, int32_t code)
{
    cairn_status status = GROW(g->ctx, &c->codes, &c->codes_capacity, c->n_rows + 1);
    if (!status) c->codes[c->n_rows++] = code;
    return status;
}

/* A cell of items, none of them yet. */
static cairn_status put_list(cairn_gather *g, cairn_gather_column *c, bool absent)
{
    CHECK(GROW(g->ctx, &c->ends, &c->ends_capacity, c->n_rows + 1));
    CHECK(GROW(g->ctx, &c->absent, &c->absent_capacity, c->n_rows + 1));
    c->ends[c->n_rows] = c->n_items;
    c->absent[c->n_rows++] = absent;
    return CAIRN_OK;
}

static cairn_status code_of(cairn_gather *g, cairn_gather_column *c, const char *text,
                            size_t length, int32_t *out)
{
    size_t code;
    *out = -1;
    if (g->has_marks && cairn_cell_is_missing(&g->marks, text, length)) return CAIRN_OK;
    cairn_status status = cairn_map_add(g->ctx, &c->words, text, length, &code);
    if (status) return status;
    if (code > INT32_MAX)
        return cairn_fail(g->ctx, CAIRN_BAD_DATA, "%s: a column has too many different texts",
                          g->shown);
    *out = (int32_t)code;
    return CAIRN_OK;
}

/* What was numbers or times so far becomes words. */
static cairn_status turn_to_words(cairn_gather *g, cairn_gather_column *c)
{
    char text[CAIRN_TIME_SIZE];
    CHECK(GROW(g->ctx, &c->codes, &c->codes_capacity, c->n_rows + 1));
    for (size_t i = 0; i < c->n_rows; i++) {
        c->codes[i] = -1;
        if (isnan(c->numbers[i])) continue;
        size_t length = c->mode == CAIRN_GATHER_TIMES
                            ? cairn_time_format(text, c->numbers[i], NULL)
                            : cairn_number_format(text, c->numbers[i], CAIRN_SHORTEST);
        CHECK(code_of(g, c, text, length, &c->codes[i]));
    }
    cairn_free(c->numbers);
    c->numbers = NULL;
    c->numbers_capacity = 0;
    c->mode = CAIRN_GATHER_WORDS;
    return CAIRN_OK;
}

static cairn_status check_text(cairn_gather *g, size_t j, const char *text, size_t length)
{
    CHECK(cairn_cell_allowed(g->ctx, length, g->shown, g->n_rows, cairn_map_key(&g->names, j)));
    if (cairn_utf8_check(text, length) < length)
        return refuse_cell(g, j, "", 0, "is not UTF-8; convert it in the query");
    if (memchr(text, 0, length))
        return refuse_cell(g, j, text, length, "holds a zero byte; leave it out of the query");
    return CAIRN_OK;
}

static cairn_status put_word(cairn_gather *g, size_t j, const char *text, size_t length)
{
    cairn_gather_column *c = &g->columns[j];
    int32_t code;
    CHECK(check_text(g, j, text, length));
    if (c->mode == CAIRN_GATHER_NUMBERS || c->mode == CAIRN_GATHER_TIMES)
        CHECK(turn_to_words(g, c));
    c->mode = CAIRN_GATHER_WORDS;
    CHECK(code_of(g, c, text, length, &code));
    return put_code(g, c, code);
}

/* A number, into a column of whatever it holds so far. */
static cairn_status take_number(cairn_gather *g, size_t j, double number)
{
    cairn_gather_column *c = &g->columns[j];
    char text[CAIRN_NUMBER_SIZE];
    if (isinf(number))
        return refuse_cell(g, j, "", 0,
                           "is an infinite number, which no table may hold; leave the row out or "
                           "replace it in the query");
    if (c->mode == CAIRN_GATHER_NUMBERS) return put_number(g, c, number);
    if (isnan(number)) return put_code(g, c, -1);
    return put_word(g, j, text, cairn_number_format(text, number, CAIRN_SHORTEST));
}

static cairn_status take_time(cairn_gather *g, size_t j, const cairn_source_cell *cell)
{
    cairn_gather_column *c = &g->columns[j];
    double time;
    const char *why;
    if (c->mode == CAIRN_GATHER_NUMBERS && !c->seen) c->mode = CAIRN_GATHER_TIMES;
    if (c->mode != CAIRN_GATHER_TIMES) return put_word(g, j, cell->text, cell->length);
    if (cairn_time_parse(cell->text, cell->length, NULL, &time, &c->form, &why))
        return put_number(g, c, time);
    return refuse_cell(g, j, cell->text, cell->length,
                       "is no time of the years 0001 to 9999; leave the row out or replace it in "
                       "the query");
}

/* Truth values are declared levels, so that both are known when one occurs. */
static cairn_status take_truth(cairn_gather *g, size_t j, bool value)
{
    cairn_gather_column *c = &g->columns[j];
    int32_t code;
    if (c->mode == CAIRN_GATHER_NUMBERS && !c->seen) {
        CHECK(turn_to_words(g, c));
        c->mode = CAIRN_GATHER_TRUTHS;
        CHECK(code_of(g, c, "false", 5, &code));
        CHECK(code_of(g, c, "true", 4, &code));
    }
    if (c->mode != CAIRN_GATHER_TRUTHS) return take_number(g, j, value);
    return put_code(g, c, value);
}

/* One of the levels that were told; they keep their numbers, also when one is a mark of missing
 * cells. */
static cairn_status take_level(cairn_gather *g, size_t j, const cairn_source_cell *cell)
{
    cairn_gather_column *c = &g->columns[j];
    size_t code = (size_t)cell->integer;
    if (c->mode != CAIRN_GATHER_LEVELS || cell->integer < 0 || code >= c->words.n)
        return refuse_cell(g, j, "", 0, "is none of the levels that the database told");
    const char *name = cairn_map_key(&c->words, code);
    bool marked = g->has_marks && cairn_cell_is_missing(&g->marks, name, c->words.lengths[code]);
    return put_code(g, c, marked ? -1 : (int32_t)code);
}

static cairn_status take_items(cairn_gather *g, size_t j, const cairn_source_cell *cell)
{
    CHECK(cairn_gather_item(g, j, NULL, 0));
    for (size_t i = 0; i < cell->length; i++) {
        const cairn_source_item *item = &cell->items[i];
        if (item->text) CHECK(check_text(g, j, item->text, item->length));
        CHECK(
            cairn_gather_item(g, j, item->text ? item->text : "?", item->text ? item->length : 1));
    }
    return CAIRN_OK;
}

static cairn_status take_null(cairn_gather *g, cairn_gather_column *c)
{
    bool numbers = c->mode == CAIRN_GATHER_NUMBERS || c->mode == CAIRN_GATHER_TIMES;
    if (c->mode == CAIRN_GATHER_ITEMS) return put_list(g, c, true);
    return numbers ? put_number(g, c, NAN) : put_code(g, c, -1);
}

/* Integers beyond 2^53 are counted, because a double rounds them and the user is told; only a
 * value, never a null, makes the column `seen`. */
static cairn_status take_cell(cairn_gather *g, size_t j, const cairn_source_cell *cell)
{
    cairn_gather_column *c = &g->columns[j];
    double number;
    cairn_status status;
    switch (cell->type) {
    case CAIRN_SOURCE_NULL: return take_null(g, c);
    case CAIRN_SOURCE_INTEGER:
        if (cell->integer > EXACT_INTEGERS || cell->integer < -EXACT_INTEGERS) c->n_rounded++;
        status = take_number(g, j, (double)cell->integer);
        break;
    case CAIRN_SOURCE_REAL: status = take_number(g, j, cell->real); break;
    case CAIRN_SOURCE_NUMERAL:
        if (!cairn_number_parse(cell->text, cell->length, &number))
            return refuse_cell(g, j, cell->text, cell->length, "is not a number");
        cairn_digits_take(&c->lost, cell->text, cell->length, number);
        status = take_number(g, j, number);
        break;
    case CAIRN_SOURCE_TEXT: status = put_word(g, j, cell->text, cell->length); break;
    case CAIRN_SOURCE_TIME: status = take_time(g, j, cell); break;
    case CAIRN_SOURCE_TRUTH: status = take_truth(g, j, cell->integer != 0); break;
    case CAIRN_SOURCE_LEVEL: status = take_level(g, j, cell); break;
    case CAIRN_SOURCE_ITEMS: status = take_items(g, j, cell); break;
    default:
        return refuse_cell(g, j, "", 0,
                           "holds bytes, which no table can hold; leave the column out of the "
                           "query or write it as text there");
    }
    c->seen = true;
    return status;
}

cairn_status cairn_gather_end_row(cairn_gather *g)
{
    if (++g->n_rows >= UINT32_MAX)
        return cairn_fail(g->ctx, CAIRN_BAD_DATA, "%s: more rows than a table can have (%zu)",
                          g->shown, (size_t)UINT32_MAX - 1);
    return g->n_rows % TICK_ROWS ? CAIRN_OK : cairn_tick(g->ctx, "reading", (double)g->n_rows, 0);
}

bool cairn_gather_row(void *data, const cairn_source_cell *cells)
{
    cairn_gather *g = data;
    cairn_status status = CAIRN_OK;
    for (size_t j = 0; j < g->n_columns; j++) TRY(take_cell(g, j, &cells[j]));
    TRY(cairn_gather_end_row(g));
done:
    g->status = status;
    return status == CAIRN_OK;
}

/* -- rows that bring their columns with them -- */

/* Missing cells for the rows that lacked the column. */
static cairn_status catch_up(cairn_gather *g, cairn_gather_column *c)
{
    while (c->n_rows < g->n_rows) CHECK(take_null(g, c));
    return CAIRN_OK;
}

cairn_status cairn_gather_column_of(cairn_gather *g, const char *name, size_t length, size_t *out)
{
    int64_t found = cairn_map_find(&g->names, name, length);
    if (found < 0) {
        CHECK(cairn_columns_allowed(g->ctx, g->n_columns + 1, g->shown));
        CHECK(GROW(g->ctx, &g->columns, &g->columns_capacity, g->n_columns + 1));
        CHECK(cairn_map_add(g->ctx, &g->names, name, length, out));
        g->columns[g->n_columns++] = (cairn_gather_column){0};
        return CAIRN_OK;
    }
    *out = (size_t)found;
    return CAIRN_OK;
}

cairn_status cairn_gather_cell(cairn_gather *g, size_t column, const cairn_source_cell *cell)
{
    CHECK(catch_up(g, &g->columns[column]));
    return take_cell(g, column, cell);
}

cairn_status cairn_gather_item(cairn_gather *g, size_t column, const char *text, size_t length)
{
    cairn_gather_column *c = &g->columns[column];
    size_t item = 0;
    bool unknown = text && length == 1 && *text == '?';
    if (!text) {
        if (c->mode != CAIRN_GATHER_ITEMS) c->n_rows = 0; /* only missing cells so far */
        c->mode = CAIRN_GATHER_ITEMS;
        c->seen = true;
        CHECK(catch_up(g, c));
        return put_list(g, c, false);
    }
    if (!unknown) CHECK(cairn_map_add(g->ctx, &c->words, text, length, &item));
    if (item > INT32_MAX)
        return cairn_fail(g->ctx, CAIRN_BAD_DATA, "%s: a column has too many different items",
                          g->shown);
    CHECK(GROW(g->ctx, &c->items, &c->items_capacity, c->n_items + 1));
    c->items[c->n_items++] = unknown ? -1 : (int32_t)item;
    c->ends[c->n_rows - 1] = c->n_items;
    return CAIRN_OK;
}

/* -- columns -- */

/* Hand the values of one gathered column over to a new one. */
static cairn_status make_column(cairn_gather *g, cairn_gather_column *c, cairn_column **out)
{
    cairn_column *column;
    bool numbers = c->mode == CAIRN_GATHER_NUMBERS || c->mode == CAIRN_GATHER_TIMES;
    if (numbers) CHECK(RESIZE(g->ctx, &c->numbers, g->n_rows));
    if (!numbers) CHECK(RESIZE(g->ctx, &c->codes, g->n_rows));
    CHECK(NEW(g->ctx, &column, 1));
    column->holders = 1;
    column->kind = !numbers                        ? CAIRN_LEVEL
                   : c->mode == CAIRN_GATHER_TIMES ? CAIRN_TIME
                                                   : CAIRN_NUMBER;
    column->n_rows = g->n_rows;
    column->numbers = numbers ? c->numbers : NULL;
    column->codes = numbers ? NULL : c->codes;
    column->names = c->words;
    column->declared = c->mode == CAIRN_GATHER_TRUTHS || c->mode == CAIRN_GATHER_LEVELS;
    if (c->mode == CAIRN_GATHER_TIMES) cairn_time_form_pattern(column->pattern, c->form);
    c->words = (cairn_map){0};
    if (numbers) c->numbers = NULL;
    if (!numbers) c->codes = NULL;
    cairn_column_count_missing(column);
    *out = column;
    return CAIRN_OK;
}

/* Items in the order in which they came. */
static cairn_status make_sequence(cairn_gather *g, cairn_gather_column *c, cairn_column **out)
{
    cairn_status status;
    cairn_column *column = NULL;
    TRY(cairn_column_new(g->ctx, &column, CAIRN_SEQUENCE, g->n_rows));
    for (size_t i = 0; i < g->n_rows; i++) {
        column->starts[i + 1] = c->ends[i];
        if (c->absent[i]) TRY(cairn_column_mark_absent(g->ctx, column, i));
    }
    TRY(GROW(g->ctx, &c->items, &c->items_capacity, 1));
    column->items = c->items;
    column->names = c->words;
    c->items = NULL;
    c->words = (cairn_map){0};
    cairn_column_count_missing(column);
    *out = column;
    column = NULL;
done:
    cairn_column_drop(column);
    return status;
}

/* Items with how often they came. */
static cairn_status make_bag(cairn_gather *g, const cairn_gather_column *c, cairn_column **out)
{
    cairn_status status = CAIRN_OK;
    cairn_bag_builder bag = {0};
    size_t at = 0;
    for (size_t i = 0; i < g->n_rows; i++) {
        TRY(cairn_bag_begin_row(g->ctx, &bag));
        for (; at < c->ends[i]; at++) {
            size_t item = (size_t)c->items[at];
            bool unknown = c->items[at] < 0;
            TRY(cairn_bag_add(g->ctx, &bag, unknown ? "?" : cairn_map_key(&c->words, item),
                              unknown ? 1 : c->words.lengths[item], 1));
        }
    }
    TRY(cairn_bag_finish(g->ctx, out, &bag));
    for (size_t i = 0; i < g->n_rows; i++)
        if (c->absent[i]) TRY(cairn_column_mark_absent(g->ctx, *out, i));
    cairn_column_count_missing(*out);
done:
    cairn_bag_clear(&bag);
    return status;
}

/* The kind that was declared for a column, -1 when it is to be found. */
static int declared_kind(const cairn_kind_choice *choices, size_t n, const char *name)
{
    int kind = -1;
    for (size_t i = 0; i < n; i++)
        if (strcmp(choices[i].column, name) == 0) kind = (int)choices[i].kind;
    return kind;
}

/* Words that were declared to be something are left as they are for the caller to convert. */
static cairn_status settle_column(cairn_context *ctx, cairn_column **column, cairn_gather_mode mode,
                                  int declared, const char *time_format, bool numbers)
{
    cairn_column *text;
    if (mode != CAIRN_GATHER_WORDS) return CAIRN_OK;
    if (declared < 0) return cairn_column_settle(ctx, column, time_format, numbers);
    if (declared == CAIRN_LEVEL) return cairn_column_sort_levels(ctx, *column);
    CHECK(cairn_column_convert(ctx, &text, *column, CAIRN_TEXT, "", NULL, NULL, NULL));
    cairn_column_drop(*column);
    *column = text;
    return CAIRN_OK;
}

/* What is lost of words that become numbers; each different one counts once. */
static void look_at_words(cairn_gather_column *c)
{
    double number;
    for (size_t i = 0; c->mode == CAIRN_GATHER_WORDS && i < c->words.n; i++) {
        const char *text = cairn_map_key(&c->words, i);
        if (cairn_number_parse(text, c->words.lengths[i], &number))
            cairn_digits_take(&c->lost, text, c->words.lengths[i], number);
    }
}

cairn_status cairn_gather_table(cairn_gather *g, cairn_table **out,
                                const cairn_read_options *options)
{
    cairn_status status;
    cairn_table *table = NULL;
    cairn_column *column = NULL;
    cairn_kind_choice *choices = NULL;
    cairn_expected *expected;
    size_t n_choices = 0;
    TRY(cairn_schema_expect(g->ctx, &expected, options->expected, &g->names));
    if (options->kinds) TRY(cairn_kinds_split(g->ctx, options->kinds, &choices, &n_choices));
    TRY(cairn_table_new(g->ctx, &table, g->n_rows));
    for (size_t j = 0; j < g->n_columns; j++) {
        cairn_gather_column *c = &g->columns[j];
        const char *name = cairn_map_key(&g->names, j);
        if (c->n_rounded)
            cairn_warn(g->ctx,
                       "%s, column '%s': %zu whole numbers beyond 2^53 were rounded to the nearest "
                       "double",
                       g->shown, name, c->n_rounded);
        int declared = declared_kind(choices, n_choices, name);
        TRY(catch_up(g, c));
        look_at_words(c);
        if (c->mode != CAIRN_GATHER_ITEMS)
            TRY(make_column(g, c, &column));
        else if (declared == CAIRN_SEQUENCE || declared == CAIRN_SERIES ||
                 expected[j].kind == CAIRN_SEQUENCE)
            TRY(make_sequence(g, c, &column));
        else
            TRY(make_bag(g, c, &column));
        if (declared < 0 && expected[j].kind != CAIRN_TIME) declared = expected[j].kind;
        TRY(settle_column(g->ctx, &column, c->mode, declared, options->time_format,
                          !g->texts_are_texts));
        if (column->kind == CAIRN_NUMBER) cairn_digits_warn(g->ctx, &c->lost, g->shown, name);
        status = cairn_table_append(g->ctx, table, name, CAIRN_FEATURE, column);
        column = NULL;
        if (status) goto done;
    }
    *out = table;
    table = NULL;
done:
    cairn_column_drop(column);
    cairn_table_free(table);
    return status;
}
