/* SPDX-License-Identifier: MIT */
/* Outcomes and their probabilities, and propositions in the notation of a board made into
 * expressions. */
#include "typed/outcomes.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/column.h"
#include "data/expression.h"
#include "model/task.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_OUTCOMES = 1000000, FEW_NUMBERS = 20 };

const cairn_param cairn_outcomes_params[] = {
    CAIRN_PARAM(cairn_outcomes_option, variables, NULL, NULL,
                "typed: names, each with its values, such as cavity,weather=sunny/rain/snow; a "
                "name alone is true or false. Of a table: the columns that count",
                .often = true),
    CAIRN_PARAM(cairn_outcomes_option, table, NULL, NULL,
                "the probabilities of all combinations, typed; the values of the last variable "
                "change fastest, true before false",
                .often = true),
    CAIRN_PARAM_AS(cairn_outcomes_option, probability, CAIRN_TYPE_COLUMNS, NULL,
                   "number column with the probabilities of the rows; a column p or probability "
                   "if there is one, else rows are counted"),
    CAIRN_PARAM_END,
};

void cairn_outcomes_clear(cairn_outcomes *outcomes)
{
    cairn_table_free(outcomes->table);
    cairn_table_free(outcomes->levels);
    *outcomes = (cairn_outcomes){0};
}

/* -- typed tables -- */

/* A variable as it is typed: its name and values, which lie in `text`, cut up. */
static cairn_status read_values(cairn_context *ctx, char *text, const char ***values, size_t *n)
{
    char *equals = strchr(text, '='), *at = equals ? equals + 1 : NULL;
    *n = 1;
    for (const char *c = at; c && *c; c++) *n += *c == '/';
    if (!at) *n = 2;
    CHECK(SCRATCH(ctx, values, *n));
    if (!at) {
        (*values)[0] = "true";
        (*values)[1] = "false";
        return CAIRN_OK;
    }
    *equals = 0;
    for (size_t i = 0; i < *n; i++) {
        char *slash = strchr(at, '/');
        (*values)[i] = at;
        if (slash) *slash = 0;
        if (!*at)
            return cairn_fail(ctx, CAIRN_USAGE, "{variables}: a value of '%s' has no name", text);
        at = slash ? slash + 1 : at;
    }
    return CAIRN_OK;
}

/* The table of all combinations; `after` outcomes follow with the same value of a variable. */
static cairn_status add_variables(cairn_context *ctx, cairn_table *table, char **typed, size_t n,
                                  size_t n_rows)
{
    size_t after = n_rows;
    int32_t *codes;
    CHECK(SCRATCH(ctx, &codes, n_rows + 1));
    for (size_t v = 0; v < n; v++) {
        const char **values;
        size_t k;
        CHECK(read_values(ctx, typed[v], &values, &k));
        after /= k;
        for (size_t i = 0; i < n_rows; i++) codes[i] = after ? (int32_t)(i / after % k) : 0;
        CHECK(cairn_table_add_levels(ctx, table, typed[v], codes, values, k));
    }
    return CAIRN_OK;
}

/* The variables span all combinations of their values, and --table gives each its probability. */
static cairn_status read_typed(cairn_context *ctx, cairn_outcomes *out,
                               const cairn_outcomes_option *o)
{
    char **typed;
    size_t n, n_values, rows = 1;
    double *p;
    if (!o->variables)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{table} needs {variables}, such as {variables toothache,cavity}");
    CHECK(cairn_list_split(ctx, o->variables, &typed, &n));
    for (size_t v = 0; v < n && rows <= MOST_OUTCOMES; v++) {
        size_t k = 2;
        const char *values = strchr(typed[v], '=');
        for (k = values ? 1 : 2; values && *values; values++) k += *values == '/';
        rows *= k;
    }
    CHECK(cairn_list_numbers(ctx, "table", o->table, &p, &n_values));
    if (rows != n_values)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{table} has %zu probabilities, and the variables have %zu combinations",
                          n_values, rows);
    CHECK(cairn_table_new(ctx, &out->table, rows));
    CHECK(add_variables(ctx, out->table, typed, n, rows));
    out->p = p;
    return CAIRN_OK;
}

/* -- tables -- */

/* The column of probabilities: the named one, else one that is called so; -1 = none. */
static cairn_status find_probability(cairn_context *ctx, ptrdiff_t *out, const cairn_table *table,
                                     const char *name)
{
    static const char *const usual[] = {"p", "P", "probability", "prob"};
    size_t at;
    *out = -1;
    if (name) {
        CHECK(cairn_table_get(ctx, table, name, &at));
        if (!cairn_table_numbers(table, at))
            return cairn_fail(ctx, CAIRN_USAGE, "{probability}: '%s' holds no numbers", name);
        *out = (ptrdiff_t)at;
    }
    for (size_t i = 0; i < sizeof usual / sizeof *usual && *out < 0; i++) {
        ptrdiff_t found = cairn_table_find(table, usual[i]);
        if (found >= 0 && cairn_table_numbers(table, (size_t)found)) *out = found;
    }
    return CAIRN_OK;
}

/* Whether a column has at most FEW_NUMBERS different numbers. */
static bool has_few_numbers(const cairn_column *column)
{
    double seen[FEW_NUMBERS];
    size_t n = 0, k;
    if (column->kind != CAIRN_NUMBER) return false;
    for (size_t i = 0; i < column->n_rows; i++) {
        double x = column->numbers[i];
        for (k = 0; k < n && seen[k] != x; k++) continue;
        if (k < n || isnan(x)) continue;
        if (n == FEW_NUMBERS) return false;
        seen[n++] = x;
    }
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 128;
}

/* Whether a name stands as a word in a text (NULL = there is none). */
static bool is_named(const char *text, const char *name)
{
    size_t length = strlen(name);
    const char *at = text ? strstr(text, name) : NULL;
    for (; at; at = strstr(at + 1, name)) {
        bool begins = at == text || !(is_letter(at[-1]) || is_digit(at[-1]));
        if (begins && !is_letter(at[length]) && !is_digit(at[length])) return true;
    }
    return false;
}

/* Leave the variables only: the named columns, else all but the probabilities and weights, and of
 * rows that are counted the columns of levels, of few numbers, and those that are asked about. */
static cairn_status choose_variables(cairn_context *ctx, cairn_table *table,
                                     const cairn_outcomes_option *option, ptrdiff_t probability)
{
    const char *named = option->variables;
    char **names = NULL;
    bool *wanted;
    size_t n = 0, at;
    if (named) CHECK(cairn_list_split(ctx, named, &names, &n));
    CHECK(SCRATCH(ctx, &wanted, table->n_columns + 1));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_table_get(ctx, table, names[i], &at));
        wanted[at] = true;
    }
    for (size_t i = 0; i < table->n_columns && !named; i++) {
        const cairn_slot *slot = &table->slots[i];
        bool counts = slot->role == CAIRN_FEATURE || slot->role == CAIRN_TARGET;
        wanted[i] = counts && (ptrdiff_t)i != probability &&
                    (slot->column->kind == CAIRN_LEVEL ||
                     (probability >= 0 || is_named(option->asked, slot->name)
                          ? slot->column->kind == CAIRN_NUMBER
                          : has_few_numbers(slot->column)));
    }
    for (size_t i = 0; i < table->n_columns; i++)
        if (!wanted[i]) cairn_table_take_out(table, i);
    cairn_table_close_gaps(table);
    if (table->n_columns) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "no column is left as a variable; name some with {variables}");
}

/* Rows of the same cells become one outcome, in the order of their first rows; rows that lack a
 * cell are left out and told of. */
static cairn_status gather(cairn_context *ctx, cairn_outcomes *out, const cairn_table *table,
                           const double *weights)
{
    SCOPED(cairn_map_clear) cairn_map map = {0};
    SCOPED(cairn_text_clear) cairn_text key = cairn_text_start(ctx);
    uint32_t *first;
    double total = 0;
    size_t left_out = 0, at;
    CHECK(SCRATCH_EACH(ctx, table->n_rows + 1, &first, &out->n, &out->p));
    for (size_t i = 0; i < table->n_rows; i++) {
        bool lacks = false;
        if (i % 4096 == 0) CHECK(cairn_tick(ctx, "counting", (double)i, (double)table->n_rows));
        key.length = 0;
        for (size_t j = 0; j < table->n_columns; j++) {
            char cell[64];
            cairn_table_cell(table, j, i, cell, sizeof cell);
            lacks = lacks || cairn_column_is_missing(table->slots[j].column, i);
            cairn_text_addf(&key, "%s\x1f", cell);
        }
        left_out += lacks;
        if (lacks) continue;
        CHECK(cairn_map_add(ctx, &map, cairn_text_string(&key), key.length, &at));
        if (at + 1 == map.n && out->n[at] == 0) first[at] = (uint32_t)i;
        out->n[at] += weights ? weights[i] : 1;
        total += weights ? weights[i] : 1;
    }
    CHECK(cairn_text_status(&key));
    if (!(total > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "there are no rows with all variables to count");
    if (left_out)
        cairn_warn(ctx, "%zu row%s left out: a variable is missing there", left_out,
                   left_out == 1 ? " is" : "s are");
    for (size_t k = 0; k < map.n; k++) out->p[k] = out->n[k] / total;
    return cairn_table_take_rows(ctx, &out->table, table, first, map.n);
}

static cairn_status read_table(cairn_context *ctx, cairn_outcomes *out, const cairn_table *table,
                               const cairn_outcomes_option *o)
{
    OWNED(cairn_table_free) cairn_table *chosen = NULL;
    ptrdiff_t probability, weight = cairn_table_role_column(table, CAIRN_WEIGHT);
    CHECK(find_probability(ctx, &probability, table, o->probability));
    CHECK(cairn_table_share(ctx, &chosen, table));
    CHECK(choose_variables(ctx, chosen, o, probability));
    if (probability < 0)
        return gather(ctx, out, chosen,
                      weight >= 0 ? cairn_table_numbers(table, (size_t)weight) : NULL);
    out->p = (double *)cairn_table_numbers(table, (size_t)probability);
    out->table = TAKE(chosen);
    return CAIRN_OK;
}

/* Not negative, and 1 in all but for rounding of what was typed. */
static cairn_status check_probabilities(cairn_context *ctx, const cairn_outcomes *out)
{
    double sum = 0;
    char value[CAIRN_NUMBER_SIZE];
    for (size_t i = 0; i < out->table->n_rows; i++) {
        if (!(out->p[i] >= 0)) {
            cairn_number_format(value, out->p[i], CAIRN_SHORTEST);
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "outcome %zu has the probability %s; probabilities lie between 0 "
                              "and 1",
                              i + 1, value);
        }
        sum += out->p[i];
    }
    if (fabs(sum - 1) <= 1e-6) return CAIRN_OK;
    cairn_number_format(value, sum, 6);
    return cairn_fail(ctx, CAIRN_BAD_DATA, "the probabilities sum to %s and not to 1", value);
}

cairn_status cairn_outcomes_read(cairn_context *ctx, cairn_outcomes *out,
                                 const cairn_outcomes_option *option, const cairn_table *table,
                                 const char *what)
{
    SCOPED(cairn_outcomes_clear) cairn_outcomes read = {0};
    if (option->table)
        CHECK(read_typed(ctx, &read, option));
    else if (table)
        CHECK(read_table(ctx, &read, table, option));
    else
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s needs a table of outcomes: a file, or {variables} and {table}", what);
    CHECK(check_probabilities(ctx, &read));
    /* Numbers as levels, for margins and for independence of variables. */
    CHECK(cairn_table_share(ctx, &read.levels, read.table));
    for (size_t i = 0; i < read.levels->n_columns; i++)
        if (read.levels->slots[i].column->kind == CAIRN_NUMBER)
            CHECK(cairn_table_change_kind(ctx, read.levels, i, CAIRN_LEVEL));
    *out = read;
    read = (cairn_outcomes){0};
    return CAIRN_OK;
}

/* -- propositions -- */

static bool is_zero_one(const cairn_column *column)
{
    for (size_t i = 0; i < column->n_rows; i++)
        if (column->numbers[i] != 0 && column->numbers[i] != 1) return false;
    return true;
}

int32_t cairn_truth_level(const cairn_table *outcomes, size_t column)
{
    const cairn_column *c = outcomes->slots[column].column;
    if (c->kind == CAIRN_NUMBER) return is_zero_one(c) ? 1 : -1;
    if (c->kind != CAIRN_LEVEL || c->names.n > 2) return -1;
    for (size_t l = 0; l < c->names.n; l++)
        if (cairn_is_positive_word(cairn_map_key(&c->names, l))) return (int32_t)l;
    return -1;
}

/* A word of the proposition and what stands around it. */
typedef struct word {
    const char *at;
    size_t length;
    bool after_relation, before_relation;
} word;

typedef struct scan {
    cairn_context *ctx;
    const cairn_table *table;
    cairn_text out;
    bool after_relation;  /* the last thing that was not blank is =, <, ... */
    const cairn_slot *of; /* ... and compares this column of levels; NULL = something else */
    cairn_status status;
} scan;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static size_t word_length(const char *at)
{
    size_t n = 0;
    while (is_letter(at[n]) || is_digit(at[n]) || at[n] == '.') n++;
    return n;
}

static bool is_word(const char *at, size_t length, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == length && !strncmp(at, *words, length)) return true;
    return false;
}

/* Whether what follows compares what is before it. */
static bool relation_follows(const char *at)
{
    static const char *const words[] = {"in", "is", "between", NULL};
    while (*at == ' ' || *at == '\t') at++;
    if (*at && strchr("=<>", *at)) return true;
    if (*at == '!' && at[1] == '=') return true;
    if (!strncmp(at, "not ", 4)) return relation_follows(at + 4);
    return *at && strchr("+-*/%^", *at) ? true : is_word(at, word_length(at), words);
}

/* A variable that stands by itself: it is true. */
static void put_truth(scan *s, size_t column)
{
    const cairn_slot *slot = &s->table->slots[column];
    int32_t level = cairn_truth_level(s->table, column);
    if (level < 0) {
        s->status = cairn_fail(s->ctx, CAIRN_USAGE,
                               "'%s' is neither true nor false; say what it is, such as %s = %s",
                               slot->name, slot->name,
                               slot->column->kind == CAIRN_LEVEL && slot->column->names.n
                                   ? cairn_map_key(&slot->column->names, 0)
                                   : "1");
        return;
    }
    if (slot->column->kind == CAIRN_NUMBER)
        cairn_text_addf(&s->out, "([%s] = 1)", slot->name);
    else
        cairn_text_addf(&s->out, "([%s] = \"%s\")", slot->name,
                        cairn_level_name(slot->column, level));
}

/* Levels by themselves can only be truths; numbers may be part of a calculation. */
static bool is_a_truth(const cairn_table *table, size_t column)
{
    return table->slots[column].column->kind == CAIRN_LEVEL ||
           cairn_truth_level(table, column) >= 0;
}

/* A value that the compared column never has is a slip, and its probability of 0 would hide it. */
static void check_level(scan *s, const char *value, size_t length)
{
    if (!s->after_relation || !s->of || s->status) return;
    const cairn_map *names = &s->of->column->names;
    if (cairn_map_find(names, value, length) >= 0) return;
    SCOPED(cairn_text_clear) cairn_text list = cairn_text_start(s->ctx);
    cairn_add_names(&list, names);
    s->status = cairn_text_status(&list);
    if (!s->status)
        s->status = cairn_fail(s->ctx, CAIRN_USAGE, "'%s' has no value '%.*s'; it has %s",
                               s->of->name, (int)length, value, cairn_text_string(&list));
}

/* Variables by themselves are truths, words behind = are texts, the rest is as it stands. */
static void put_word(scan *s, const word *w)
{
    static const char *const language[] = {"and", "or",      "not",     "in",
                                           "is",  "between", "missing", NULL};
    char name[256];
    bool fits = w->length < sizeof name;
    if (fits) memcpy(name, w->at, w->length), name[w->length] = 0;
    ptrdiff_t column = fits ? cairn_table_find(s->table, name) : -1;
    bool function = w->at[w->length] == '(';
    if (w->before_relation)
        s->of = column >= 0 && s->table->slots[column].column->kind == CAIRN_LEVEL
                    ? &s->table->slots[column]
                    : NULL;
    if (is_word(w->at, w->length, language) || function) {
        cairn_text_addf(&s->out, "%.*s", (int)w->length, w->at);
    } else if (w->after_relation && column < 0) {
        check_level(s, w->at, w->length);
        cairn_text_addf(&s->out, "\"%.*s\"", (int)w->length, w->at);
    } else if (column >= 0 && !w->after_relation && !w->before_relation &&
               is_a_truth(s->table, (size_t)column)) {
        put_truth(s, (size_t)column);
    } else if (column >= 0) {
        cairn_text_addf(&s->out, "[%s]", name);
    } else {
        cairn_text_addf(&s->out, "%.*s", (int)w->length, w->at);
    }
}

/* Quoted parts are copied whole. Returns the end. */
static const char *put_quoted(scan *s, const char *at)
{
    char end = *at == '[' ? ']' : *at;
    const char *close = strchr(at + 1, end);
    size_t length = close ? (size_t)(close - at) + 1 : strlen(at);
    if (close && (end == '"' || end == '\'')) check_level(s, at + 1, length - 2);
    cairn_text_addf(&s->out, "%.*s", (int)length, at);
    return at + length;
}

/* A number that a level is compared with is its name. Returns the end. */
static const char *put_level(scan *s, const char *at)
{
    double number;
    const char *end = cairn_number_scan(at, at + strlen(at), &number);
    if (!end) end = at + 1;
    check_level(s, at, (size_t)(end - at));
    cairn_text_addf(&s->out, "\"%.*s\"", (int)(end - at), at);
    return end;
}

/* The board's notation as an expression, in s->out. */
static void translate(scan *s, const char *at)
{
    static const char not_sign[] = "\xc2\xac";
    int depth = 0;
    while (*at && !s->status) {
        if (strchr("'\"`[", *at)) {
            at = put_quoted(s, at);
        } else if (*at == '~' || !strncmp(at, not_sign, 2)) {
            at += *at == '~' ? 1 : 2;
            cairn_text_add(&s->out, " not ");
            continue;
        } else if (is_letter(*at)) {
            word w = {at, word_length(at), s->after_relation, false};
            w.before_relation = relation_follows(at + w.length);
            put_word(s, &w);
            at += w.length;
        } else if (s->after_relation && s->of && is_digit(*at)) {
            at = put_level(s, at);
        } else {
            depth += (*at == '(') - (*at == ')');
            cairn_text_addf(&s->out, *at == ',' && depth == 0 ? " and " : "%c", *at);
            if (*at != ' ') s->after_relation = strchr("=<>", *at) != NULL;
            at++;
            continue;
        }
        s->after_relation = false;
    }
}

cairn_status cairn_event_read(cairn_context *ctx, double **out, const char *option,
                              const char *text, const cairn_table *outcomes)
{
    OWNED(cairn_expression_free) cairn_expression *expression = NULL;
    scan s = {.ctx = ctx, .table = outcomes, .out = cairn_text_start(ctx)};
    translate(&s, text);
    cairn_status status = s.status ? s.status : cairn_text_status(&s.out);
    if (!status)
        status = cairn_expression_new(ctx, &expression, cairn_text_string(&s.out), outcomes);
    cairn_text_clear(&s.out);
    if (status) {
        cairn_message_prefix(ctx, "%s: %s", option, text);
        return status;
    }
    if (cairn_expression_type(expression) != CAIRN_VALUE_TRUTH)
        return cairn_fail(ctx, CAIRN_USAGE, "%s: '%s' is neither true nor false", option, text);
    cairn_faults faults = {0};
    CHECK(SCRATCH(ctx, out, outcomes->n_rows + 1));
    CHECK(cairn_expression_numbers(ctx, expression, *out, &faults));
    for (size_t i = 0; i < outcomes->n_rows; i++)
        if (isnan((*out)[i])) (*out)[i] = 0; /* undecided: it does not hold */
    return CAIRN_OK;
}

cairn_status cairn_event_named(cairn_context *ctx, const char **name, double **out,
                               const char *line, const cairn_table *outcomes)
{
    const char *colon = strchr(line, ':');
    size_t length = colon ? (size_t)(colon - line) : strlen(line);
    char *copy;
    CHECK(SCRATCH(ctx, &copy, length + 1));
    memcpy(copy, line, length);
    *name = copy;
    return cairn_event_read(ctx, out, cairn_say(ctx, "{event}"), colon ? colon + 1 : line,
                            outcomes);
}

/* A piece of the text without blanks around it, in scratch. */
static cairn_status keep_piece(cairn_context *ctx, const char **out, const char *at, size_t length)
{
    char *kept;
    while (length && is_blank(*at)) at++, length--;
    while (length && is_blank(at[length - 1])) length--;
    CHECK(SCRATCH_RAW(ctx, &kept, length + 1));
    memcpy(kept, at, length);
    kept[length] = 0;
    *out = kept;
    return CAIRN_OK;
}

/* The bar outside quotes and brackets, or NULL. */
static const char *find_bar(const char *at, const char *end)
{
    char quote = 0;
    for (; at < end; at++) {
        if (quote)
            quote = *at == quote ? 0 : quote;
        else if (strchr("'\"`", *at))
            quote = *at;
        else if (*at == '|')
            return at;
    }
    return NULL;
}

/* Brackets that are opened and never closed; those in quotes count too, which only a question that
 * fails anyway could feel. */
static bool is_left_open(const char *text)
{
    int depth = 0;
    for (; *text; text++) depth += (*text == '(') - (*text == ')');
    return depth > 0;
}

cairn_status cairn_event_split(cairn_context *ctx, const char **event, const char **given,
                               const char *option, const char *text)
{
    const char *whole;
    CHECK(keep_piece(ctx, &whole, text, strlen(text)));
    size_t length = strlen(whole);
    bool wrapped = (whole[0] == 'P' || whole[0] == 'p') && whole[1] == '(' && length > 2 &&
                   whole[length - 1] == ')';
    if (!wrapped && (whole[0] == 'P' || whole[0] == 'p') && whole[1] == '(' && is_left_open(whole))
        return cairn_fail(ctx, CAIRN_USAGE, "%s: '%s' lacks its closing bracket", option, text);
    const char *begin = wrapped ? whole + 2 : whole, *end = whole + length - wrapped;
    const char *bar = find_bar(begin, end);
    *given = NULL;
    CHECK(keep_piece(ctx, event, begin, (size_t)((bar ? bar : end) - begin)));
    if (bar) CHECK(keep_piece(ctx, given, bar + 1, (size_t)(end - bar - 1)));
    if (!**event || (*given && !**given))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s: '%s' asks for nothing; P(a or b | c) is a question", option, text);
    return CAIRN_OK;
}

cairn_status cairn_event_query_read(cairn_context *ctx, cairn_event_query *out, const char *option,
                                    const char *text, const cairn_table *outcomes)
{
    cairn_event_query query = {.variable = -1};
    CHECK(cairn_event_split(ctx, &query.event, &query.given, option, text));
    query.variable = cairn_table_find(outcomes, query.event);
    query.whole = query.variable >= 0 && cairn_truth_level(outcomes, (size_t)query.variable) < 0;
    if (!query.whole) CHECK(cairn_event_read(ctx, &query.holds, option, query.event, outcomes));
    if (query.given) {
        CHECK(cairn_event_read(ctx, &query.known, option, query.given, outcomes));
    } else {
        CHECK(SCRATCH(ctx, &query.known, outcomes->n_rows + 1));
        for (size_t i = 0; i < outcomes->n_rows; i++) query.known[i] = 1;
    }
    *out = query;
    return CAIRN_OK;
}

double cairn_event_probability(const cairn_outcomes *outcomes, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < outcomes->table->n_rows; i++)
        if (a[i] > 0 && (!b || b[i] > 0)) sum += outcomes->p[i];
    return sum;
}
