/* SPDX-License-Identifier: MIT */
/* Changing the kind of a column: every cell is read as text and understood anew. Columns in a table
 * are constant, so a change is a new column in place of the old one. */
#include "base/number.h"
#include "base/text.h"
#include "data/cell.h"
#include "data/column.h"
#include "entry/entry.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {"number",   "level", "text",  "bag",
                                         "sequence", "time",  "series"};

const char *cairn_kind_name(cairn_kind kind)
{
    return kind_names[kind];
}

const char *cairn_kind_plural(cairn_kind kind)
{
    static const char *const names[] = {"numbers",   "levels", "texts", "bags",
                                        "sequences", "times",  "series"};
    return names[kind];
}

/* The words that books have for kinds; none is shorter than ours, which is written over it. */
static const struct {
    const char *word, *kind;
} other_words[] = {{"quantitative", "number"}, {"numeric", "number"}, {"categorical", "level"},
                   {"nominal", "level"},       {"boolean", "level"},  {"ordinal", "ordered"}};
enum { N_OTHER_WORDS = sizeof other_words / sizeof *other_words };

/* Our word in place of such a one, whatever stands in brackets behind it. */
static void use_own_word(char *word)
{
    size_t length = strcspn(word, "(");
    for (size_t i = 0; i < N_OTHER_WORDS; i++) {
        size_t own = strlen(other_words[i].kind);
        if (strlen(other_words[i].word) != length ||
            strncmp(word, other_words[i].word, length) != 0)
            continue;
        memcpy(word, other_words[i].kind, own);
        memmove(word + own, word + length, strlen(word + length) + 1);
        return;
    }
}

int cairn_kind_find(const char *name)
{
    for (int i = 0; i < (int)(sizeof kind_names / sizeof *kind_names); i++)
        if (strcmp(kind_names[i], name) == 0) return i;
    return -1;
}

static const char *candidate_kind(size_t i, const void *data)
{
    (void)data;
    return i < sizeof kind_names / sizeof *kind_names ? kind_names[i] : NULL;
}

/* A conversion under way. `cell` holds the text of cells that have none of their own. */
typedef struct conversion {
    const cairn_column *from;
    cairn_column *to;
    const char *name, *source, *advice, *pattern;
    cairn_text cell;
} conversion;

/* The text of a cell that is not missing. */
static cairn_status read_cell(conversion *c, size_t row, const char **text, size_t *length)
{
    const cairn_column *from = c->from;
    if (from->kind == CAIRN_TEXT) {
        *text = from->bytes + from->starts[row];
        *length = from->starts[row + 1] - from->starts[row];
        return CAIRN_OK;
    }
    if (from->kind == CAIRN_LEVEL) {
        size_t code = (size_t)from->codes[row];
        *text = cairn_map_key(&from->names, code);
        *length = from->names.lengths[code];
        return CAIRN_OK;
    }
    size_t whole = cairn_column_cell(from, row, NULL, 0);
    c->cell.length = 0;
    cairn_text_add_repeat(&c->cell, ' ', whole);
    cairn_status status = cairn_text_status(&c->cell);
    if (status) return status;
    *length = cairn_column_cell(from, row, c->cell.bytes, whole + 1);
    *text = c->cell.bytes;
    return CAIRN_OK;
}

/* A decimal comma is the likeliest reason why a cell is no number, so it is tried before the
 * general advice. */
static cairn_status refuse_cell(cairn_context *ctx, const conversion *c, size_t row,
                                const char *text, size_t length)
{
    const char *source = c->source ? c->source : "the table";
    int shown = (int)(length < 60 ? length : 60);
    double number;
    if (cairn_cell_number(text, length, ',', &number))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s, column '%s', row %zu: '%.*s' is not a number; if that is a decimal "
                          "comma, {decimal} , reads it%s%s",
                          source, c->name, row + 1, shown, text, c->advice ? "; else " : "",
                          c->advice ? c->advice : "");
    if (c->advice)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s, column '%s', row %zu: '%.*s' is not a number; %s", source, c->name,
                          row + 1, shown, text, c->advice);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%s, column '%s', row %zu: '%.*s' is not a number; correct the cell or give "
                      "the column another kind with {kinds '%s=level'}",
                      source, c->name, row + 1, shown, text, c->name);
}

/* Numbers are seconds since 1970 unless a pattern reads their digits. */
static cairn_status to_times(cairn_context *ctx, conversion *c)
{
    cairn_time_form form = 0;
    bool by_pattern = c->pattern && *c->pattern;
    for (size_t i = 0; i < c->from->n_rows; i++) {
        const char *text, *why;
        size_t length;
        c->to->numbers[i] = NAN;
        if (cairn_column_is_missing(c->from, i)) continue;
        if (c->from->numbers && !by_pattern) {
            c->to->numbers[i] = c->from->numbers[i];
            continue;
        }
        CHECK(read_cell(c, i, &text, &length));
        if (!cairn_time_parse(text, length, c->pattern, &c->to->numbers[i], &form, &why)) {
            return cairn_fail(
                ctx, CAIRN_BAD_DATA,
                "%s, column '%s', row %zu: '%.*s' is not a time: %s; correct the cell, or %s",
                c->source ? c->source : "the table", c->name, i + 1,
                (int)(length < 60 ? length : 60), text, cairn_say(ctx, why),
                cairn_say(ctx, c->advice
                                   ? c->advice
                                   : "declare how times are written or another kind with {kinds}, "
                                     "such as 'when=time(%d.%m.%Y)'"));
        }
    }
    if (by_pattern)
        memcpy(c->to->pattern, c->pattern, strlen(c->pattern) + 1);
    else if (!c->from->numbers)
        cairn_time_form_pattern(c->to->pattern, form);
    cairn_column_set_pattern(c->to);
    return CAIRN_OK;
}

static cairn_status to_numbers(cairn_context *ctx, conversion *c)
{
    for (size_t i = 0; i < c->from->n_rows; i++) {
        const char *text;
        size_t length;
        c->to->numbers[i] = NAN;
        if (cairn_column_is_missing(c->from, i)) continue;
        if (c->from->numbers) {
            c->to->numbers[i] = c->from->numbers[i];
            continue;
        }
        CHECK(read_cell(c, i, &text, &length));
        if (!cairn_cell_number(text, length, '.', &c->to->numbers[i]))
            return refuse_cell(ctx, c, i, text, length);
    }
    return CAIRN_OK;
}

/* Classes that are numbers repeat: the codes of those met lately, by the bits of the number, save
 * writing each of them out again. */
enum { LATELY = 256 };
typedef struct number_code {
    uint64_t bits;
    int32_t code; /* -1 = none yet */
} number_code;

/* Numbers seen lately keep their code at hand: formatting one as a name is what costs time in a
 * long column. */
static cairn_status to_levels(cairn_context *ctx, conversion *c)
{
    number_code codes[LATELY], *known = NULL;
    for (size_t k = 0; k < LATELY; k++) codes[k] = (number_code){0, -1};
    for (size_t i = 0; i < c->from->n_rows; i++) {
        const char *text;
        size_t length, code;
        c->to->codes[i] = -1;
        if (cairn_column_is_missing(c->from, i)) continue;
        if (c->from->numbers) {
            double number = c->from->numbers[i];
            uint64_t bits;
            memcpy(&bits, &number, sizeof bits);
            number_code *at = &codes[(bits * UINT64_C(0x9E3779B97F4A7C15)) >> 56];
            if (at->bits != bits) *at = (number_code){bits, -1};
            known = at;
            c->to->codes[i] = known->code;
            if (known->code >= 0) continue;
        }
        CHECK(read_cell(c, i, &text, &length));
        CHECK(cairn_map_add(ctx, &c->to->names, text, length, &code));
        if (code > INT32_MAX)
            return cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s' has too many levels", c->name);
        c->to->codes[i] = (int32_t)code;
        if (known) known->code = (int32_t)code;
    }
    return cairn_column_sort_levels(ctx, c->to);
}

/* The bytes grow as cells come, since the length of a formatted cell is known only then. */
static cairn_status to_texts(cairn_context *ctx, conversion *c)
{
    size_t capacity = 0, at = 0;
    CHECK(GROW(ctx, &c->to->bytes, &capacity, 1));
    for (size_t i = 0; i < c->from->n_rows; i++) {
        const char *text;
        size_t length;
        c->to->starts[i] = at;
        if (cairn_column_is_missing(c->from, i)) {
            CHECK(cairn_column_mark_absent(ctx, c->to, i));
            continue;
        }
        CHECK(read_cell(c, i, &text, &length));
        CHECK(GROW(ctx, &c->to->bytes, &capacity, at + length));
        if (length) memcpy(c->to->bytes + at, text, length);
        at += length;
    }
    c->to->starts[c->from->n_rows] = at;
    return CAIRN_OK;
}

static int by_item(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Sort the items of a bag and count repeats; returns the number of distinct items. */
static size_t gather_bag(int32_t *items, double *amounts, size_t n)
{
    size_t kept = 0;
    qsort(items, n, sizeof *items, by_item);
    for (size_t i = 0; i < n; i++) {
        if (kept && items[kept - 1] == items[i]) {
            amounts[kept - 1]++;
            continue;
        }
        items[kept] = items[i];
        amounts[kept++] = 1;
    }
    return kept;
}

/* Words separated by blanks: a sequence keeps their order, a bag counts them. */
static cairn_status to_items(cairn_context *ctx, conversion *c)
{
    cairn_column *to = c->to;
    bool is_bag = to->kind == CAIRN_BAG;
    size_t capacity = 0, amount_capacity = 0, at = 0;
    CHECK(GROW(ctx, &to->items, &capacity, 1));
    for (size_t i = 0; i < c->from->n_rows; i++) {
        const char *text = NULL;
        size_t length = 0;
        to->starts[i] = at;
        if (cairn_column_is_missing(c->from, i))
            CHECK(cairn_column_mark_absent(ctx, to, i));
        else
            CHECK(read_cell(c, i, &text, &length));
        for (size_t k = 0; k < length;) {
            size_t begin = k, item = 0;
            while (k < length && text[k] != ' ' && text[k] != '\t') k++;
            if (k == begin) {
                k++;
                continue;
            }
            bool unknown = !is_bag && k - begin == 1 && text[begin] == '?';
            if (!unknown) CHECK(cairn_map_add(ctx, &to->names, text + begin, k - begin, &item));
            CHECK(GROW(ctx, &to->items, &capacity, at + 1));
            to->items[at++] = unknown ? -1 : (int32_t)item;
        }
        if (!is_bag) continue;
        CHECK(GROW(ctx, &to->amounts, &amount_capacity, at + 1));
        at = to->starts[i] +
             gather_bag(to->items + to->starts[i], to->amounts + to->starts[i], at - to->starts[i]);
    }
    to->starts[c->from->n_rows] = at;
    return CAIRN_OK;
}

/* The numbers of one cell, separated by blanks; ? is one that is missing. */
static cairn_status add_series(cairn_context *ctx, conversion *c, size_t row, size_t *capacity,
                               size_t *at)
{
    const char *text;
    size_t length;
    CHECK(read_cell(c, row, &text, &length));
    for (size_t k = 0; k < length;) {
        size_t begin = k;
        while (k < length && text[k] != ' ' && text[k] != '\t') k++;
        if (k == begin) {
            k++;
            continue;
        }
        double value = NAN;
        bool missing = k - begin == 1 && text[begin] == '?';
        if (!missing && !cairn_cell_number(text + begin, k - begin, '.', &value))
            return refuse_cell(ctx, c, row, text + begin, k - begin);
        CHECK(GROW(ctx, &c->to->amounts, capacity, *at + 1));
        c->to->amounts[(*at)++] = value;
    }
    return CAIRN_OK;
}

static cairn_status to_series(cairn_context *ctx, conversion *c)
{
    size_t capacity = 0, at = 0;
    CHECK(GROW(ctx, &c->to->amounts, &capacity, 1));
    for (size_t i = 0; i < c->from->n_rows; i++) {
        if (cairn_column_is_missing(c->from, i))
            CHECK(cairn_column_mark_absent(ctx, c->to, i));
        else
            CHECK(add_series(ctx, c, i, &capacity, &at));
        c->to->starts[i + 1] = at;
    }
    return CAIRN_OK;
}

cairn_status cairn_column_convert(cairn_context *ctx, cairn_column **out,
                                  const cairn_column *column, cairn_kind kind, const char *name,
                                  const char *source, const char *advice, const char *pattern)
{
    cairn_status status;
    if (kind == CAIRN_TIME && pattern && *pattern) {
        status = cairn_time_check_pattern(ctx, pattern);
        if (status) return status;
    }
    conversion c = {.from = column,
                    .name = name,
                    .source = source,
                    .advice = advice,
                    .pattern = pattern,
                    .cell = cairn_text_start(ctx)};
    TRY(cairn_column_new(ctx, &c.to, kind, column->n_rows));
    switch (kind) {
    case CAIRN_NUMBER: TRY(to_numbers(ctx, &c)); break;
    case CAIRN_TIME: TRY(to_times(ctx, &c)); break;
    case CAIRN_LEVEL: TRY(to_levels(ctx, &c)); break;
    case CAIRN_TEXT: TRY(to_texts(ctx, &c)); break;
    case CAIRN_BAG:
    case CAIRN_SEQUENCE: TRY(to_items(ctx, &c)); break;
    case CAIRN_SERIES: TRY(to_series(ctx, &c)); break;
    }
    cairn_column_count_missing(c.to);
    *out = c.to;
    c.to = NULL;
done:
    cairn_column_drop(c.to);
    cairn_text_clear(&c.cell);
    return status;
}

static cairn_status change_kind(cairn_context *ctx, cairn_table *table, size_t column,
                                cairn_kind kind, const char *pattern)
{
    cairn_slot *slot = &table->slots[column];
    cairn_column *changed;
    if (slot->column->kind == kind) return CAIRN_OK;
    cairn_status status = cairn_column_convert(ctx, &changed, slot->column, kind, slot->name,
                                               table->source, NULL, pattern);
    if (!status) cairn_table_replace_column(table, column, changed);
    return status;
}

cairn_status cairn_table_change_kind(cairn_context *ctx, cairn_table *table, size_t column,
                                     cairn_kind kind)
{
    return change_kind(ctx, table, column, kind, NULL);
}

/* Give the column new names; order[old] is the new code of an old one. */
static void recode(cairn_column *column, cairn_map *names, const int32_t *order)
{
    for (size_t i = 0; i < column->n_rows && column->codes; i++)
        if (column->codes[i] >= 0) column->codes[i] = order[column->codes[i]];
    size_t n_items = column->items ? column->starts[column->n_rows] : 0;
    for (size_t i = 0; i < n_items; i++)
        if (column->items[i] >= 0) column->items[i] = order[column->items[i]];
    cairn_map_clear(&column->names);
    column->names = *names;
    *names = (cairn_map){0};
}

/* What a kind may have in brackets: "time(%d.%m.%Y)", "level(a,b)", "ordered(low,high)". */
static cairn_status read_brackets(cairn_context *ctx, char *word, cairn_kind_choice *choice)
{
    use_own_word(word);
    char *open = strchr(word, '('), *end = word + strlen(word);
    bool is_time = strncmp(word, "time(", 5) == 0, is_level = strncmp(word, "level(", 6) == 0;
    choice->ordered = strncmp(word, "ordered", 7) == 0 && (word[7] == '(' || !word[7]);
    if (!open && !choice->ordered) return CAIRN_OK;
    if (!open || end[-1] != ')' || !(is_time || is_level || choice->ordered))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{kinds}: '%s' is not of the form time(PATTERN), such as "
                          "time(%%d.%%m.%%Y), level(VALUE,...) or ordered(LOWEST,...,HIGHEST)",
                          word);
    end[-1] = 0;
    *open = 0;
    if (choice->ordered) memcpy(word, "level", 6);
    choice->pattern = is_time ? open + 1 : NULL;
    if (is_time) return cairn_time_check_pattern(ctx, open + 1);
    return cairn_list_split(ctx, open + 1, &choice->levels, &choice->n_levels);
}

/* Where the kind of "COLUMN=KIND" begins: brackets may hold anything. */
static char *find_equals(char *item)
{
    static const char *const starts[] = {"=time(",    "=level(",   "=ordered(",    "=ordinal(",
                                         "=nominal(", "=boolean(", "=categorical("};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        char *found = strstr(item, starts[i]);
        if (found) return found;
    }
    return strrchr(item, '=');
}

cairn_status cairn_kinds_split(cairn_context *ctx, const char *kinds, cairn_kind_choice **out,
                               size_t *n)
{
    char **items;
    cairn_kind_choice *choices;
    CHECK(cairn_list_split(ctx, kinds, &items, n));
    CHECK(SCRATCH(ctx, &choices, *n));
    for (size_t i = 0; i < *n; i++) {
        char *equals = find_equals(items[i]);
        if (!equals || equals == items[i])
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{kinds}: '%s' is not of the form COLUMN=KIND, such as code=level",
                              items[i]);
        *equals = 0;
        choices[i].column = items[i];
        CHECK(read_brackets(ctx, equals + 1, &choices[i]));
        int kind = cairn_kind_find(equals + 1);
        if (kind < 0) {
            const char *near = cairn_nearest_word(equals + 1, candidate_kind, NULL);
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{kinds}: there is no kind '%s' (number, level, ordered, text, bag, "
                              "sequence, time)%s%s%s",
                              equals + 1, near ? "; did you mean '" : "", near ? near : "",
                              near ? "'?" : "");
        }
        choices[i].kind = (cairn_kind)kind;
    }
    *out = choices;
    return CAIRN_OK;
}

/* The row that first has the level; n_rows = none. */
static size_t first_row_of(const cairn_column *column, int32_t code)
{
    size_t i = 0;
    while (i < column->n_rows && column->codes[i] != code) i++;
    return i;
}

/* The levels become those that were declared, in their order. A declared "*" takes all others. */
static cairn_status declare_levels(cairn_context *ctx, cairn_table *table, cairn_column *column,
                                   const cairn_kind_choice *choice)
{
    SCOPED(cairn_map_clear) cairn_map names = {0};
    int32_t *order;
    size_t code;
    CHECK(SCRATCH(ctx, &order, column->names.n));
    for (size_t i = 0; i < choice->n_levels; i++) {
        CHECK(cairn_map_add(ctx, &names, choice->levels[i], strlen(choice->levels[i]), &code));
        if (code == i) continue;
        return cairn_fail(ctx, CAIRN_USAGE, "{kinds}: '%s' stands twice among the values of '%s'",
                          choice->levels[i], choice->column);
    }
    int64_t others = cairn_map_find(&names, "*", 1);
    if (choice->ordered && others >= 0) {
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{kinds}: * cannot stand among the ordered values of '%s': values that "
                          "are not listed have no place in the order; list them all",
                          choice->column);
    }
    for (size_t i = 0; i < column->names.n; i++) {
        const char *name = cairn_map_key(&column->names, i);
        int64_t found = cairn_map_find(&names, name, column->names.lengths[i]);
        order[i] = (int32_t)(found < 0 ? others : found);
        if (order[i] >= 0) continue;
        size_t row = first_row_of(column, (int32_t)i);
        if (row == column->n_rows) continue;
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s, column '%s', row %zu: '%s' is none of the %zu values that {kinds} "
                          "declares; correct the cell or add the value%s",
                          table->source ? table->source : "the table", choice->column, row + 1,
                          name, choice->n_levels,
                          choice->ordered ? " at its place in the order"
                                          : ", or add * for all others");
    }
    recode(column, &names, order);
    column->declared = true;
    column->ordered = choice->ordered;
    return CAIRN_OK;
}

/* A column that other tables have as well, or that lies in memory of somebody else's, is copied
 * before its codes are changed. */
static cairn_status own_column(cairn_context *ctx, cairn_table *table, size_t column)
{
    SCOPED_SCRATCH(ctx);
    const cairn_column *shared = table->slots[column].column;
    cairn_column *own;
    uint32_t *rows;
    bool alone = __atomic_load_n(&shared->holders, __ATOMIC_ACQUIRE) == 1;
    if (alone && !shared->release) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &rows, shared->n_rows + 1));
    for (size_t i = 0; i < shared->n_rows; i++) rows[i] = (uint32_t)i;
    CHECK(cairn_column_take(ctx, &own, shared, rows, shared->n_rows));
    cairn_table_replace_column(table, column, own);
    return CAIRN_OK;
}

cairn_status cairn_table_apply_kinds(cairn_context *ctx, cairn_table *table, const char *kinds,
                                     const char *time_format)
{
    SCOPED_SCRATCH(ctx);
    cairn_kind_choice *choices;
    size_t n, column;
    if (!kinds) return CAIRN_OK;
    CHECK(cairn_kinds_split(ctx, kinds, &choices, &n));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_table_get(ctx, table, choices[i].column, &column));
        CHECK(change_kind(ctx, table, column, choices[i].kind,
                          choices[i].pattern ? choices[i].pattern : time_format));
        if (choices[i].levels) CHECK(own_column(ctx, table, column));
        if (choices[i].levels)
            CHECK(declare_levels(ctx, table, table->slots[column].column, &choices[i]));
    }
    return CAIRN_OK;
}

/* -- finding the kind -- */

size_t cairn_most_levels(size_t n_rows)
{
    return n_rows / 10 > 50 ? n_rows / 10 : 50;
}

bool cairn_words_to_times(const cairn_map *words, const char *pattern, double *out,
                          cairn_time_form *form)
{
    for (size_t i = 0; i < words->n; i++)
        if (!cairn_time_parse(cairn_map_key(words, i), words->lengths[i], pattern, &out[i], form,
                              NULL))
            return false;
    return true;
}

static bool words_to_numbers(const cairn_map *words, double *out)
{
    for (size_t i = 0; i < words->n; i++)
        if (!cairn_cell_number(cairn_map_key(words, i), words->lengths[i], '.', &out[i]))
            return false;
    return true;
}

/* What all words are, as a number each; LEVEL when they are neither numbers nor times. */
static cairn_kind kind_of_words(const cairn_map *words, const char *time_format, bool numbers,
                                double *out, char pattern[CAIRN_TIME_PATTERN])
{
    cairn_time_form form = 0;
    if ((numbers || words->n == 0) && words_to_numbers(words, out)) return CAIRN_NUMBER;
    if (cairn_words_to_times(words, NULL, out, &form)) {
        cairn_time_form_pattern(pattern, form);
        return CAIRN_TIME;
    }
    if (!time_format || !cairn_words_to_times(words, time_format, out, &form)) return CAIRN_LEVEL;
    memcpy(pattern, time_format, strlen(time_format) + 1);
    return CAIRN_TIME;
}

cairn_status cairn_column_settle(cairn_context *ctx, cairn_column **column, const char *time_format,
                                 bool numbers)
{
    SCOPED_SCRATCH(ctx);
    cairn_column *from = *column, *to = NULL;
    char pattern[CAIRN_TIME_PATTERN] = "";
    double *values;
    CHECK(SCRATCH_RAW(ctx, &values, from->names.n));
    cairn_kind kind = kind_of_words(&from->names, time_format, numbers, values, pattern);
    if (kind == CAIRN_LEVEL && from->names.n <= cairn_most_levels(from->n_rows)) {
        CHECK(cairn_column_sort_levels(ctx, from));
        return CAIRN_OK;
    }
    if (kind == CAIRN_LEVEL) {
        CHECK(cairn_column_convert(ctx, &to, from, CAIRN_TEXT, "", NULL, NULL, NULL));
    } else {
        CHECK(cairn_column_new(ctx, &to, kind, from->n_rows));
        for (size_t i = 0; i < from->n_rows; i++)
            to->numbers[i] = from->codes[i] < 0 ? NAN : values[from->codes[i]];
        memcpy(to->pattern, pattern, sizeof pattern);
        cairn_column_count_missing(to);
    }
    *column = to;
    cairn_column_drop(from);
    return CAIRN_OK;
}

/* -- the order of levels -- */

cairn_status cairn_column_declare(cairn_context *ctx, cairn_column *column,
                                  const char *const *declared, size_t n)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_map_clear) cairn_map names = {0};
    int32_t *order;
    size_t code;
    CHECK(SCRATCH(ctx, &order, column->names.n));
    for (size_t i = 0; i < n; i++)
        CHECK(cairn_map_add(ctx, &names, declared[i], strlen(declared[i]), &code));
    for (size_t i = 0; i < column->names.n; i++) {
        CHECK(cairn_map_add(ctx, &names, cairn_map_key(&column->names, i), column->names.lengths[i],
                            &code));
        order[i] = (int32_t)code;
    }
    recode(column, &names, order);
    column->declared = true;
    return CAIRN_OK;
}

typedef struct ranked_level {
    double value;
    size_t code;
} ranked_level;

static int by_value(const void *a, const void *b)
{
    const ranked_level *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return (x->code > y->code) - (x->code < y->code);
}

cairn_status cairn_column_sort_levels(cairn_context *ctx, cairn_column *column)
{
    SCOPED_SCRATCH(ctx);
    size_t n = column->names.n, code;
    SCOPED(cairn_map_clear) cairn_map names = {0};
    ranked_level *ranks;
    int32_t *order;
    CHECK(SCRATCH_EACH(ctx, n, &ranks, &order));
    for (size_t i = 0; i < n; i++) {
        ranks[i].code = i;
        if (!cairn_cell_number(cairn_map_key(&column->names, i), column->names.lengths[i], '.',
                               &ranks[i].value))
            return CAIRN_OK;
    }
    qsort(ranks, n, sizeof *ranks, by_value);
    for (size_t i = 0; i < n; i++) {
        size_t old = ranks[i].code;
        CHECK(cairn_map_add(ctx, &names, cairn_map_key(&column->names, old),
                            column->names.lengths[old], &code));
        order[old] = (int32_t)code;
    }
    recode(column, &names, order);
    return CAIRN_OK;
}
