/* SPDX-License-Identifier: MIT */
/* Columns that name or number the rows.
 *
 * Names of columns are taken apart into words: at what is no letter, and before a capital that
 * follows a small letter (PassengerId). A number is one by its last word ("Sl. No.", "Example nr"),
 * and "number of rooms" is none. Columns without such a name are judged by their place and their
 * values; x1, hours and year may count from 1 to n and still be measured. */
#include "data/row_names.h"
#include "base/text.h"
#include "data/shape.h"
#include "parallel/sort.h"
#include <math.h>
#include <string.h>

enum {
    LEAST_CLEAR = 2,
    LEAST_OPEN = 3, /* one more of levels, which three rows often differ by */
    LEAST_LIKELY = 5,
    MOST_WORDS = 8,
    MOST_LETTERS = 24
};

/* What a column is to its rows. */
typedef enum verdict {
    MEASURES, /* something of them */
    OPEN,     /* that or their numbers or names: few rows, and no name that tells */
    NAMES
} verdict;

typedef struct name_words {
    char words[MOST_WORDS][MOST_LETTERS];
    size_t n;
} name_words;

static bool is_small(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Small letters, in words; the longest names are cut. */
static name_words words_of(const char *name)
{
    name_words w = {.n = 0};
    size_t length = 0;
    for (const char *at = name; *at; at++) {
        char c = *at;
        bool letter = is_small(c) || is_capital(c) || (c >= '0' && c <= '9') || (c & 0x80);
        bool begins = length && is_capital(c) && is_small(at[-1]);
        if (length && (!letter || begins)) w.n++, length = 0;
        if (!letter || w.n == MOST_WORDS || length + 1 == MOST_LETTERS) continue;
        w.words[w.n][length++] = is_capital(c) ? (char)(c - 'A' + 'a') : c;
    }
    if (length) w.n++;
    if (w.n > MOST_WORDS) w.n = MOST_WORDS;
    return w;
}

static bool is_among(const char *word, const char *const *list)
{
    for (size_t i = 0; list[i]; i++)
        if (strcmp(word, list[i]) == 0) return true;
    return false;
}

static bool has_word(const name_words *w, const char *const *list)
{
    for (size_t i = 0; i < w->n; i++)
        if (is_among(w->words[i], list)) return true;
    return false;
}

bool cairn_name_says(const char *name, const char *word)
{
    name_words w = words_of(name);
    return has_word(&w, (const char *const[]){word, NULL});
}

/* What a row can be, which a number then counts. */
static const char *const things[] = {
    "row",         "rows",       "record",   "case",     "example",   "instance",
    "observation", "obs",        "student",  "subject",  "person",    "patient",
    "passenger",   "customer",   "user",     "employee", "member",    "respondent",
    "participant", "individual", "object",   "sample",   "item",      "entry",
    "transaction", "tuple",      "specimen", "pupil",    "applicant", NULL};

/* "Student", "name", "i": what a row is, or is called. */
static bool says_thing(const char *name)
{
    static const char *const called[] = {"name", "names", "i", NULL};
    name_words w = words_of(name);
    bool all = w.n > 0;
    for (size_t i = 0; i < w.n; i++)
        all &= is_among(w.words[i], things) || is_among(w.words[i], called);
    return all;
}

static bool says_number(const char *name)
{
    static const char *const last[] = {"id",  "ids",   "no",  "nr",     "num", "number",
                                       "idx", "rowid", "uid", "rownum", "sno", NULL};
    name_words w = words_of(name);
    if (!w.n) return true; /* "#" */
    const char *first = w.words[0], *end = w.words[w.n - 1];
    if (is_among(end, last) || strcmp(first, "unnamed") == 0) return true;
    if (strcmp(first, "id") == 0 && w.n <= 2) return true;
    if (strcmp(end, "index") == 0) return w.n == 1 || is_among(first, things);
    return w.n > 1 && strcmp(end, "i") == 0; /* "Student i" */
}

/* Names under which 1, 2, ..., n may be measured or given: one letter with or without a number, and
 * quantities. */
static bool says_quantity(const char *name)
{
    static const char *const quantities[] = {
        "time",       "year",      "years",    "month",   "months",    "day",
        "days",       "date",      "week",     "weeks",   "hour",      "hours",
        "minute",     "minutes",   "second",   "seconds", "period",    "quarter",
        "age",        "step",      "steps",    "epoch",   "iteration", "generation",
        "dose",       "dosage",    "level",    "rank",    "ranking",   "order",
        "size",       "length",    "width",    "height",  "depth",     "weight",
        "distance",   "degree",    "position", "place",   "temp",      "temperature",
        "count",      "amount",    "score",    "grade",   "rating",    "price",
        "cost",       "income",    "salary",   "speed",   "rate",      "rooms",
        "experience", "of",        "input",    "feature", "attribute", "column",
        "variable",   "var",       "value",    "mass",    "volume",    "concentration",
        "duration",   "frequency", "points",   NULL};
    name_words w = words_of(name);
    if (has_word(&w, quantities)) return true;
    if (w.n != 1 || !is_small(w.words[0][0])) return w.n == 2 && !w.words[0][1];
    const char *rest = w.words[0] + 1;
    rest += strspn(rest, "0123456789");
    return !*rest && w.words[0][0] != 'i';
}

/* Names in one word that end as numbers of rows do: Kundennr, custid. */
static bool ends_as_number(const char *name)
{
    static const char *const endings[] = {"id", "nr", "nummer", "number", "key"};
    name_words w = words_of(name);
    const char *last = w.n ? w.words[w.n - 1] : "";
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (cairn_ends_with(last, endings[i])) return true;
    return false;
}

/* Whole numbers without a gap; `counts`: whether they are 1, 2, ..., n in order, or 0, 1, ...;
 * `runs`: the same from any number on. */
static bool are_whole(const cairn_column *column, bool *counts, bool *runs)
{
    *counts = *runs = true;
    if (column->kind != CAIRN_NUMBER || column->n_missing || !column->numbers) return false;
    for (size_t i = 0; i < column->n_rows; i++) {
        double x = column->numbers[i];
        if (!isfinite(x) || x != floor(x)) return false;
        *counts &= x == (double)i + (column->numbers[0] == 0 ? 0 : 1);
        *runs &= x == (double)i + column->numbers[0];
    }
    return true;
}

/* Whether no two of the numbers, or of the codes of levels, are the same. */
static cairn_status all_differ(cairn_context *ctx, const cairn_column *column, bool *out)
{
    SCOPED_SCRATCH(ctx);
    uint64_t *keys;
    size_t n = column->n_rows;
    *out = false;
    if (column->n_missing || (column->codes && column->names.n < n)) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &keys, n + 1));
    for (size_t i = 0; i < n; i++) {
        double x = column->codes ? (double)column->codes[i] : column->numbers[i] + 0.0;
        memcpy(&keys[i], &x, sizeof x);
    }
    CHECK(cairn_sort_keys(ctx, keys, NULL, n));
    *out = true;
    for (size_t i = 1; i < n; i++) *out &= keys[i] != keys[i - 1];
    return CAIRN_OK;
}

static cairn_status judge(cairn_context *ctx, const cairn_table *table, size_t column,
                          cairn_row_names sure, verdict *out)
{
    const cairn_slot *slot = &table->slots[column];
    const cairn_column *cells = slot->column;
    size_t n = table->n_rows;
    bool level = cells->kind == CAIRN_LEVEL, counts = false, runs = false, differ;
    bool first =
        column == 0 && (sure == CAIRN_NAMED_LIKELY || (level && sure != CAIRN_NAMED_CLEARLY));
    bool number = says_number(slot->name), thing = says_thing(slot->name);
    *out = MEASURES;
    if (n < LEAST_CLEAR) return CAIRN_OK;
    if (level ? sure == CAIRN_NAMED_CLEARLY || !(first || number)
              : !are_whole(cells, &counts, &runs))
        return CAIRN_OK;
    CHECK(all_differ(ctx, cells, &differ));
    if (!differ) return CAIRN_OK;
    verdict plain = n >= LEAST_LIKELY ? NAMES : n >= LEAST_OPEN ? OPEN : MEASURES;
    if (level)
        *out = n >= LEAST_OPEN && (number || thing) ? NAMES : n > LEAST_OPEN ? plain : MEASURES;
    else if (number || (thing && counts) || (runs && ends_as_number(slot->name)))
        *out = NAMES;
    else if (first && counts && !says_quantity(slot->name))
        *out = plain;
    return CAIRN_OK;
}

cairn_status cairn_column_names_rows(cairn_context *ctx, const cairn_table *table, size_t column,
                                     cairn_row_names sure, bool *out)
{
    verdict found;
    CHECK(judge(ctx, table, column, sure, &found));
    *out = found == NAMES;
    return CAIRN_OK;
}

static void say_left_out(cairn_context *ctx, const char *names, bool one, cairn_row_names sure)
{
    const char *them = one ? "it" : "them";
    if (sure == CAIRN_NAMED_LIKELY)
        cairn_warn(ctx,
                   "column%s '%s' seem%s to name or number the rows and %s left out; {id none} "
                   "learns from %s, {id '%s'} says that %s to be left out",
                   one ? "" : "s", names, one ? "s" : "", one ? "is" : "are", them, names,
                   one ? "it is" : "they are");
    else
        cairn_warn(ctx,
                   "column%s '%s' seem%s to name or number the rows and %s no feature; {id none} "
                   "takes %s as one, {id '%s'} keeps this quiet",
                   one ? "" : "s", names, one ? "s" : "", one ? "is" : "are", them, names);
}

static void say_kept(cairn_context *ctx, const char *names, bool one)
{
    cairn_warn(ctx,
               "column%s '%s' seem%s to name or number the rows and %s learned from because there "
               "is no other feature",
               one ? "" : "s", names, one ? "s" : "", one ? "is" : "are");
}

/* Few rows do not tell, and a small table is often looked at closely. */
static void say_open(cairn_context *ctx, const cairn_slot *slot, cairn_row_names sure)
{
    cairn_warn(ctx,
               "column '%s' has another value in every row and is %s; if it only names or numbers "
               "the rows, {id '%s'} leaves it out",
               slot->name, sure == CAIRN_NAMED_LIKELY ? "learned from" : "taken as a feature",
               slot->name);
}

cairn_status cairn_table_name_rows(cairn_context *ctx, cairn_table *table, cairn_row_names sure)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text names = cairn_text_start(ctx);
    bool *found, clear = false;
    size_t n = 0, others = 0;
    ptrdiff_t open = -1;
    CHECK(SCRATCH(ctx, &found, table->n_columns + 1));
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        if (slot->role != CAIRN_FEATURE) continue;
        verdict seen = MEASURES;
        if (slot->chosen == CAIRN_ROLE_OPEN) CHECK(judge(ctx, table, i, sure, &seen));
        found[i] = seen == NAMES;
        if (seen == OPEN) open = (ptrdiff_t)i;
        if (found[i]) cairn_text_addf(&names, "%s%s", n++ ? "," : "", slot->name);
        clear |= found[i] && slot->column->kind == CAIRN_NUMBER && says_number(slot->name);
        others += !found[i] && slot->column->kind != CAIRN_TEXT;
    }
    CHECK(cairn_text_status(&names));
    bool matters = sure == CAIRN_NAMED_LIKELY || cairn_table_role_column(table, CAIRN_TARGET) >= 0;
    if (open >= 0 && others > 1 && matters) say_open(ctx, &table->slots[open], sure);
    if (open >= 0) table->slots[open].chosen = CAIRN_ROLE_SAID; /* once */
    if (!n) return CAIRN_OK;
    for (size_t i = 0; i < table->n_columns; i++) {
        if (!found[i]) continue;
        table->slots[i].role = others ? CAIRN_ID : CAIRN_FEATURE;
        table->slots[i].chosen = CAIRN_ROLE_FOUND; /* and said once */
    }
    if (!others) {
        if (clear) say_kept(ctx, cairn_text_string(&names), n == 1);
        return CAIRN_OK;
    }
    /* what is called "row" is so by our own hand, and is no news to a calculator */
    if (sure == CAIRN_NAMED_LIKELY || strcmp(cairn_text_string(&names), "row") != 0)
        say_left_out(ctx, cairn_text_string(&names), n == 1, sure);
    return CAIRN_OK;
}

cairn_status cairn_row_name(cairn_context *ctx, const char **out, const cairn_table *table,
                            size_t row)
{
    ptrdiff_t id = cairn_table_role_column(table, CAIRN_ID);
    size_t feature = 0;
    char *text;
    *out = NULL;
    if (id >= 0) {
        size_t length = cairn_table_cell(table, (size_t)id, row, NULL, 0);
        CHECK(SCRATCH(ctx, &text, length + 1));
        cairn_table_cell(table, (size_t)id, row, text, length + 1);
        *out = text;
        return CAIRN_OK;
    }
    for (size_t j = 0; table->shape == CAIRN_SHAPE_DISTANCES && !*out && j < table->n_columns; j++)
        if (table->slots[j].role == CAIRN_FEATURE && feature++ == row) *out = table->slots[j].name;
    return CAIRN_OK;
}
