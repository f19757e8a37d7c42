/* SPDX-License-Identifier: MIT */
/* Rows of a database into columns, as they come.
 *
 * A column begins as one of numbers. When a text arrives it becomes one of words, each different
 * text held once, and the numbers before it are written out; at the end the kind of words is found
 * in the same way as that of a CSV column. NULL is missing; truth values are the levels false and
 * true; times are times. Integers beyond 2^53 are rounded and told of. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/cell.h"
#include "data/column.h"
#include "data/schema.h"
#include "data/source.h"
#include <math.h>
#include <string.h>

enum { TICK_ROWS = 1 << 12 };
#define EXACT_INTEGERS INT64_C(9007199254740992) /* 2^53 */

typedef enum gather_mode { GATHER_NUMBERS, GATHER_TIMES, GATHER_WORDS, GATHER_TRUTHS } gather_mode;

typedef struct gather_column {
    gather_mode mode;
    bool seen;       /* a cell that is not missing */
    double *numbers; /* NUMBERS, TIMES */
    size_t numbers_capacity;
    int32_t *codes; /* WORDS, TRUTHS */
    size_t codes_capacity;
    cairn_map words;
    cairn_time_form form;
    size_t n_rounded; /* integers beyond 2^53 */
} gather_column;

typedef struct gather {
    cairn_context *ctx;
    const cairn_locator *locator;
    cairn_status status; /* of what went wrong in here */
    cairn_map names;
    gather_column *columns;
    size_t n_columns, n_rows;
    cairn_map marks; /* of missing cells, when some were given */
    bool has_marks;
} gather;

static void gather_clear(gather *g)
{
    for (size_t j = 0; j < g->n_columns; j++) {
        cairn_free(g->columns[j].numbers);
        cairn_free(g->columns[j].codes);
        cairn_map_clear(&g->columns[j].words);
    }
    cairn_free(g->columns);
    cairn_map_clear(&g->names);
    cairn_map_clear(&g->marks);
}

static bool take_names(void *data, const char *const *names, size_t n)
{
    gather *g = data;
    cairn_status status = CAIRN_OK;
    TRY(NEW(g->ctx, &g->columns, n));
    g->n_columns = n;
    for (size_t j = 0; j < n; j++) {
        const char *name = names[j];
        char number[6 + CAIRN_NUMBER_SIZE];
        if (cairn_utf8_check(name, strlen(name)) < strlen(name))
            TRY(cairn_fail(g->ctx, CAIRN_BAD_DATA,
                           "%s: the name of column %zu is not UTF-8; give it another with AS",
                           g->locator->shown, j + 1));
        if (!*name) {
            memcpy(number, "column", 6);
            number[6 + cairn_number_format(number + 6, (double)(j + 1), CAIRN_SHORTEST)] = 0;
            name = number;
        }
        TRY(cairn_name_column(g->ctx, &g->names, name, strlen(name), g->locator->shown));
    }
done:
    g->status = status;
    return status == CAIRN_OK;
}

static cairn_status refuse_cell(gather *g, size_t j, const char *text, size_t length,
                                const char *why)
{
    return cairn_fail(g->ctx, CAIRN_BAD_DATA, "%s, row %zu, column '%s': '%.*s' %s",
                      g->locator->shown, g->n_rows + 1, cairn_map_key(&g->names, j),
                      (int)(length < 60 ? length : 60), text, cairn_say(g->ctx, why));
}

static cairn_status put_number(gather *g, gather_column *c, double number)
{
    cairn_status status = GROW(g->ctx, &c->numbers, &c->numbers_capacity, g->n_rows + 1);
    if (!status) c->numbers[g->n_rows] = number;
    return status;
}

static cairn_status put_code(gather *g, gather_column *c, int32_t code)
{
    cairn_status status = GROW(g->ctx, &c->codes, &c->codes_capacity, g->n_rows + 1);
    if (!status) c->codes[g->n_rows] = code;
    return status;
}

static cairn_status code_of(gather *g, gather_column *c, const char *text, size_t length,
                            int32_t *out)
{
    size_t code;
    *out = -1;
    if (g->has_marks && cairn_cell_is_missing(&g->marks, text, length)) return CAIRN_OK;
    cairn_status status = cairn_map_add(g->ctx, &c->words, text, length, &code);
    if (status) return status;
    if (code > INT32_MAX)
        return cairn_fail(g->ctx, CAIRN_BAD_DATA, "%s: a column has too many different texts",
                          g->locator->shown);
    *out = (int32_t)code;
    return CAIRN_OK;
}

/* What was numbers or times so far becomes words. */
static cairn_status turn_to_words(gather *g, gather_column *c)
{
    char text[CAIRN_TIME_SIZE];
    CHECK(GROW(g->ctx, &c->codes, &c->codes_capacity, g->n_rows + 1));
    for (size_t i = 0; i < g->n_rows; i++) {
        c->codes[i] = -1;
        if (isnan(c->numbers[i])) continue;
        size_t length = c->mode == GATHER_TIMES
                            ? cairn_time_format(text, c->numbers[i], NULL)
                            : cairn_number_format(text, c->numbers[i], CAIRN_SHORTEST);
        CHECK(code_of(g, c, text, length, &c->codes[i]));
    }
    cairn_free(c->numbers);
    c->numbers = NULL;
    c->numbers_capacity = 0;
    c->mode = GATHER_WORDS;
    return CAIRN_OK;
}

static cairn_status put_word(gather *g, size_t j, const char *text, size_t length)
{
    gather_column *c = &g->columns[j];
    int32_t code;
    if (cairn_utf8_check(text, length) < length)
        return refuse_cell(g, j, "", 0, "is not UTF-8; convert it in the query");
    if (memchr(text, 0, length))
        return refuse_cell(g, j, text, length, "holds a zero byte; leave it out of the query");
    if (c->mode == GATHER_NUMBERS || c->mode == GATHER_TIMES) CHECK(turn_to_words(g, c));
    c->mode = GATHER_WORDS;
    CHECK(code_of(g, c, text, length, &code));
    return put_code(g, c, code);
}

/* A number, into a column of whatever it holds so far. */
static cairn_status take_number(gather *g, size_t j, double number)
{
    gather_column *c = &g->columns[j];
    char text[CAIRN_NUMBER_SIZE];
    if (isinf(number))
        return refuse_cell(g, j, "", 0,
                           "is an infinite number, which no table may hold; leave the row out or "
                           "replace it in the query");
    if (c->mode == GATHER_NUMBERS) return put_number(g, c, number);
    if (isnan(number)) return put_code(g, c, -1);
    return put_word(g, j, text, cairn_number_format(text, number, CAIRN_SHORTEST));
}

static cairn_status take_time(gather *g, size_t j, const cairn_source_cell *cell)
{
    gather_column *c = &g->columns[j];
    double time;
    const char *why;
    if (c->mode == GATHER_NUMBERS && !c->seen) c->mode = GATHER_TIMES;
    if (c->mode != GATHER_TIMES) return put_word(g, j, cell->text, cell->length);
    if (cairn_time_parse(cell->text, cell->length, NULL, &time, &c->form, &why))
        return put_number(g, c, time);
    return refuse_cell(g, j, cell->text, cell->length,
                       "is no time of the years 0001 to 9999; leave the row out or replace it in "
                       "the query");
}

/* Truth values are declared levels, so that both are known when one occurs. */
static cairn_status take_truth(gather *g, size_t j, bool value)
{
    gather_column *c = &g->columns[j];
    int32_t code;
    if (c->mode == GATHER_NUMBERS && !c->seen) {
        CHECK(turn_to_words(g, c));
        c->mode = GATHER_TRUTHS;
        CHECK(code_of(g, c, "false", 5, &code));
        CHECK(code_of(g, c, "true", 4, &code));
    }
    if (c->mode != GATHER_TRUTHS) return take_number(g, j, value);
    return put_code(g, c, value);
}

static cairn_status take_null(gather *g, gather_column *c)
{
    bool numbers = c->mode == GATHER_NUMBERS || c->mode == GATHER_TIMES;
    return numbers ? put_number(g, c, NAN) : put_code(g, c, -1);
}

static cairn_status take_cell(gather *g, size_t j, const cairn_source_cell *cell)
{
    gather_column *c = &g->columns[j];
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
        status = take_number(g, j, number);
        break;
    case CAIRN_SOURCE_TEXT: status = put_word(g, j, cell->text, cell->length); break;
    case CAIRN_SOURCE_TIME: status = take_time(g, j, cell); break;
    case CAIRN_SOURCE_TRUTH: status = take_truth(g, j, cell->integer != 0); break;
    default:
        return refuse_cell(g, j, "", 0,
                           "holds bytes, which no table can hold; leave the column out of the "
                           "query or write it as text there");
    }
    c->seen = true;
    return status;
}

static bool take_row(void *data, const cairn_source_cell *cells)
{
    gather *g = data;
    cairn_status status = CAIRN_OK;
    for (size_t j = 0; j < g->n_columns; j++) TRY(take_cell(g, j, &cells[j]));
    if (++g->n_rows >= UINT32_MAX)
        TRY(cairn_fail(g->ctx, CAIRN_BAD_DATA, "%s: more rows than a table can have (%zu)",
                       g->locator->shown, (size_t)UINT32_MAX - 1));
    if (g->n_rows % TICK_ROWS == 0) TRY(cairn_tick(g->ctx, "reading", (double)g->n_rows, 0));
done:
    g->status = status;
    return status == CAIRN_OK;
}

static bool is_cancelled(const void *data)
{
    return cairn_is_cancelled(((const gather *)data)->ctx);
}

static cairn_status run_query(gather *g, const char *query)
{
    const cairn_locator *l = g->locator;
    cairn_source_job job = {.place = l->place,
                            .query = query,
                            .data = g,
                            .begin = take_names,
                            .row = take_row,
                            .is_cancelled = is_cancelled};
    cairn_source_end end = l->module->read(&job);
    if (g->status) return g->status;
    return cairn_source_failed(g->ctx, l, end, job.message);
}

/* -- columns -- */

/* Hand the values of one gathered column over to a new one. */
static cairn_status make_column(gather *g, gather_column *c, cairn_column **out)
{
    cairn_column *column;
    bool numbers = c->mode == GATHER_NUMBERS || c->mode == GATHER_TIMES;
    if (numbers) CHECK(RESIZE(g->ctx, &c->numbers, g->n_rows));
    if (!numbers) CHECK(RESIZE(g->ctx, &c->codes, g->n_rows));
    CHECK(NEW(g->ctx, &column, 1));
    column->holders = 1;
    column->kind = !numbers ? CAIRN_LEVEL : c->mode == GATHER_TIMES ? CAIRN_TIME : CAIRN_NUMBER;
    column->n_rows = g->n_rows;
    column->numbers = numbers ? c->numbers : NULL;
    column->codes = numbers ? NULL : c->codes;
    column->names = c->words;
    column->declared = c->mode == GATHER_TRUTHS;
    if (c->mode == GATHER_TIMES) cairn_time_form_pattern(column->pattern, c->form);
    c->words = (cairn_map){0};
    if (numbers) c->numbers = NULL;
    if (!numbers) c->codes = NULL;
    cairn_column_count_missing(column);
    *out = column;
    return CAIRN_OK;
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
static cairn_status settle_column(cairn_context *ctx, cairn_column **column, gather_mode mode,
                                  int declared, const char *time_format)
{
    cairn_column *text;
    if (mode != GATHER_WORDS) return CAIRN_OK;
    if (declared < 0) return cairn_column_settle(ctx, column, time_format);
    if (declared == CAIRN_LEVEL) return cairn_column_sort_levels(ctx, *column);
    CHECK(cairn_column_convert(ctx, &text, *column, CAIRN_TEXT, "", NULL, NULL, NULL));
    cairn_column_drop(*column);
    *column = text;
    return CAIRN_OK;
}

static cairn_status make_table(gather *g, cairn_table **out, const cairn_read_options *options)
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
        gather_column *c = &g->columns[j];
        const char *name = cairn_map_key(&g->names, j);
        if (c->n_rounded)
            cairn_warn(g->ctx,
                       "%s, column '%s': %zu whole numbers beyond 2^53 were rounded to the nearest "
                       "double",
                       g->locator->shown, name, c->n_rounded);
        TRY(make_column(g, c, &column));
        int declared = declared_kind(choices, n_choices, name);
        if (declared < 0 && expected[j].kind != CAIRN_TIME) declared = expected[j].kind;
        TRY(settle_column(g->ctx, &column, c->mode, declared, options->time_format));
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

/* -- which table -- */

/* "name", its parts quoted; a dot separates a schema from a table. */
static void add_quoted(cairn_text *text, const char *name)
{
    cairn_text_add_char(text, '"');
    for (; *name; name++) {
        if (*name == '.')
            cairn_text_add(text, "\".\"");
        else
            cairn_text_add_char(text, *name);
        if (*name == '"') cairn_text_add_char(text, '"');
    }
    cairn_text_add_char(text, '"');
}

static cairn_status refuse_choice(const gather *tables)
{
    cairn_text list = cairn_text_start(tables->ctx);
    const cairn_locator *l = tables->locator;
    const cairn_map *names = tables->n_columns ? &tables->columns[0].words : &tables->names;
    for (size_t i = 0; i < names->n && i < 20; i++)
        cairn_text_addf(&list, "%s%s", i ? ", " : "", cairn_map_key(names, i));
    if (names->n > 20) cairn_text_addf(&list, ", ... (%zu in all)", names->n);
    cairn_status status = cairn_text_status(&list);
    if (!status && !tables->n_rows)
        status = cairn_fail(tables->ctx, CAIRN_BAD_DATA, "%s: the database has no table", l->shown);
    else if (!status)
        status = cairn_fail(tables->ctx, CAIRN_USAGE,
                            "%s: the database has several tables; add ?table=NAME or ?query=SQL. "
                            "There are: %s",
                            l->shown, cairn_text_string(&list));
    cairn_text_clear(&list);
    return status;
}

/* The only table of the database. */
static cairn_status only_table(cairn_context *ctx, const cairn_locator *l, cairn_text *query)
{
    SCOPED(gather_clear) gather tables = {.ctx = ctx, .locator = l};
    CHECK(run_query(&tables, l->module->list_tables));
    if (tables.n_rows != 1 || tables.columns[0].words.n != 1) CHECK(refuse_choice(&tables));
    add_quoted(query, cairn_map_key(&tables.columns[0].words, 0));
    return CAIRN_OK;
}

static cairn_status make_query(cairn_context *ctx, const cairn_locator *l, cairn_text *query)
{
    if (l->query) {
        cairn_text_add(query, l->query);
    } else {
        cairn_text_add(query, "SELECT * FROM ");
        if (l->table)
            add_quoted(query, l->table);
        else
            CHECK(only_table(ctx, l, query));
    }
    return cairn_text_status(query);
}

cairn_status cairn_source_read(cairn_context *ctx, cairn_table **out, const char *path,
                               const cairn_read_options *options)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text query = cairn_text_start(ctx);
    cairn_locator l;
    SCOPED(gather_clear) gather g = {.ctx = ctx, .locator = &l};
    OWNED(cairn_table_free) cairn_table *table = NULL;
    if (options->missing) CHECK(cairn_cell_marks(ctx, &g.marks, options->missing, true));
    g.has_marks = options->missing != NULL;
    CHECK(cairn_locator_open(ctx, &l, path));
    CHECK(make_query(ctx, &l, &query));
    CHECK(run_query(&g, cairn_text_string(&query)));
    if (!g.n_columns)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "%s: the statement gives no rows; write a SELECT",
                         l.shown));
    if (!g.n_rows)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "%s: the query gave no row of data", l.shown));
    CHECK(make_table(&g, &table, options));
    CHECK(cairn_copy_text(ctx, &table->source, l.shown, strlen(l.shown)));
    *out = TAKE(table);
    return CAIRN_OK;
}
