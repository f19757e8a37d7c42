/* SPDX-License-Identifier: MIT */
/* Names and cells of any letters through every format that is both written and read: what comes
 * back is what was written, or the writer refuses it with the column. */
#include "data/format_test.h"
#include "base/random.h"
#include <cairn/columns.h>
#include "base/number.h"

/* What separates, quotes, comments, ends, is missing, is a number or a time in some format. */
static const char *const pieces[] = {
    ",",
    ";",
    "\t",
    "|",
    " ",
    "\"",
    "'",
    "\\",
    "#",
    "%",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ":",
    "=",
    "@",
    "\n",
    "\r",
    "\r\n",
    "/",
    "//",
    "--",
    "<",
    "&",
    "\xEF\xBB\xBF",
    "\x01",
    "\x1b[31m",
    "\xC2\x9B",
    "\xE2\x80\xAE",
    "\xE2\x80\xA8",
    "NA",
    "?",
    "nan",
    "null",
    "true",
    "inf",
    "0",
    "12",
    "-3.5",
    "1e5",
    "2026-11-15",
    "14:30",
    "x",
    "yes",
    "column",
    "a.b",
    "\xC3\xA9",
    "\xF0\x9F\x98\x80",
    "@attribute",
    "@data",
    "qid:1",
    "1:2",
    "\\n",
    "\\u0041",
};
enum { N_PIECES = sizeof pieces / sizeof *pieces, ROWS = 7, COLUMNS = 4, MOST_BYTES = 400 };

/* A hostile word: one to four pieces; sometimes a long one. */
static void make_word(cairn_random *random, char out[MOST_BYTES])
{
    size_t n = 1 + cairn_random_below(random, 4);
    if (cairn_random_below(random, 40) == 0) n = 60;
    *out = 0;
    for (size_t i = 0; i < n; i++) {
        const char *piece = pieces[cairn_random_below(random, N_PIECES)];
        if (strlen(out) + strlen(piece) + 1 < MOST_BYTES) strcat(out, piece);
    }
}

/* Words of the table: those of the names come first. */
typedef struct words {
    char names[COLUMNS][MOST_BYTES];
    char cells[COLUMNS][ROWS][MOST_BYTES];
    size_t n_columns;
} words;

static void make_words(words *w, uint64_t seed)
{
    cairn_random random;
    cairn_random_start(&random, seed, 1);
    memset(w, 0, sizeof *w);
    w->n_columns = 1 + cairn_random_below(&random, COLUMNS);
    for (size_t j = 0; j < w->n_columns; j++) {
        bool same = true;
        while (same) {
            make_word(&random, w->names[j]);
            same = false;
            for (size_t i = 0; i < j; i++) same = same || !strcmp(w->names[i], w->names[j]);
        }
        for (size_t r = 0; r < ROWS; r++) make_word(&random, w->cells[j][r]);
    }
}

/* A table of texts, or of levels. */
static cairn_table *make_table(cairn_context *ctx, const words *w, bool levels)
{
    cairn_table *table = NULL;
    assert_ok(ctx, cairn_table_new(ctx, &table, ROWS));
    for (size_t j = 0; j < w->n_columns; j++) {
        const char *cells[ROWS];
        for (size_t r = 0; r < ROWS; r++) cells[r] = w->cells[j][r];
        if (levels) {
            int32_t codes[ROWS];
            cairn_map names = {0};
            const char *list[ROWS];
            size_t code;
            for (size_t r = 0; r < ROWS; r++) {
                assert_ok(ctx, cairn_map_add(ctx, &names, cells[r], strlen(cells[r]), &code));
                codes[r] = (int32_t)code;
                list[code] = cells[r];
            }
            assert_ok(ctx, cairn_table_add_levels(ctx, table, w->names[j], codes, list, names.n));
            cairn_map_clear(&names);
        } else {
            assert_ok(ctx, cairn_table_add_texts(ctx, table, w->names[j], cells));
        }
    }
    return table;
}

static size_t n_failures;

/* All of them are told before the test fails, as far as anybody reads. */
__attribute__((format(printf, 1, 2))) static void tell(const char *format, ...)
{
    va_list arguments;
    if (n_failures++ >= 60) return;
    va_start(arguments, format);
    vprint_message(format, arguments);
    va_end(arguments);
}

/* In text files the empty cell and the question mark are missing, in quotes or not. */
static bool is_lost(const char *format, const char *text)
{
    bool separated = !strcmp(format, "csv") || !strcmp(format, "tsv");
    return separated && (!*text || !strcmp(text, "?"));
}

static void compare_cell(const words *w, const cairn_table *back, const char *format, size_t j,
                         size_t r, uint64_t seed)
{
    char found[MOST_BYTES + 1] = "";
    double wanted, number;
    const char *text = w->cells[j][r];
    cairn_table_cell(back, j, r, found, sizeof found);
    bool missing = cairn_column_is_missing(back->slots[j].column, r);
    if (missing && is_lost(format, text)) return;
    if (back->slots[j].column->kind == CAIRN_NUMBER && !missing &&
        cairn_number_parse(text, strlen(text), &wanted) &&
        cairn_number_parse(found, strlen(found), &number) && wanted == number)
        return; /* a text file does not tell numbers from their digits */
    if (missing || strcmp(found, text) != 0)
        tell("%s, table %zu, column %zu, row %zu: '%s' comes back as '%s'%s\n", format,
             (size_t)seed, j + 1, r + 1, text, found, missing ? " (missing)" : "");
}

static void compare_table(const words *w, const cairn_table *back, const char *format,
                          uint64_t seed)
{
    if (back->n_rows != ROWS || back->n_columns != w->n_columns) {
        tell("%s, table %zu: %zu rows and %zu columns\n", format, (size_t)seed, back->n_rows,
             back->n_columns);
        return;
    }
    for (size_t j = 0; j < w->n_columns; j++) {
        if (strcmp(back->slots[j].name, w->names[j]) != 0)
            tell("%s, table %zu: the name '%s' comes back as '%s'\n", format, (size_t)seed,
                 w->names[j], back->slots[j].name);
        for (size_t r = 0; r < ROWS; r++) compare_cell(w, back, format, j, r, seed);
    }
}

/* Written with hostile words it comes back the same, or is refused with the column or the word. */
static bool try_table(cairn_context *ctx, const char *format, uint64_t seed, bool levels)
{
    words *w = calloc(1, sizeof *w);
    char path[64], *bytes = NULL;
    size_t length;
    cairn_table *back = NULL;
    assert_non_null(w);
    make_words(w, seed);
    cairn_table *table = make_table(ctx, w, levels);
    temporary_name(path, "");
    cairn_status status = cairn_table_write(ctx, table, path, format);
    if (status) assert_true(strstr(cairn_message(ctx), "olumn") != NULL);
    if (!status) {
        cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
        options.format = format;
        options.header = 1;
        options.only_marks = true;
        assert_ok(ctx, cairn_file_read_all(ctx, path, &bytes, &length));
        if (cairn_table_read_memory(ctx, &back, "x", bytes, length, &options))
            tell("%s, table %zu: %s\n", format, (size_t)seed, cairn_message(ctx));
        else
            compare_table(w, back, format, seed);
        cairn_table_free(back);
        cairn_free(bytes);
    }
    unlink(path);
    cairn_table_free(table);
    free(w);
    return status == CAIRN_OK;
}

static void test_round_trips__hostile_names_and_cells(void **state)
{
    cairn_context *ctx = *state;
    static const char *const formats[] = {"csv", "tsv", "json", "ndjson", "arff"};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        size_t n_written = 0;
        for (uint64_t seed = 1; seed <= 300; seed++)
            n_written += try_table(ctx, formats[f], seed, seed % 2 == 0);
        print_message("%s: %zu of 300 tables written\n", formats[f], n_written);
        assert_true(n_written > 200);
    }
    assert_int_equal(n_failures, 0);
}

/* Items of a bag, each of which stands alone in a row of its own. */
static bool try_items(cairn_context *ctx, const char *format, uint64_t seed)
{
    words *w = calloc(1, sizeof *w);
    const char *names[ROWS];
    size_t starts[ROWS + 1] = {0}, length;
    int32_t items[ROWS];
    char path[64], *bytes = NULL, found[MOST_BYTES + 1];
    cairn_table *table = NULL, *back = NULL;
    cairn_map map = {0};
    assert_non_null(w);
    make_words(w, seed);
    for (size_t r = 0; r < ROWS; r++) {
        size_t item;
        assert_ok(ctx, cairn_map_add(ctx, &map, w->cells[0][r], strlen(w->cells[0][r]), &item));
        names[item] = w->cells[0][r];
        items[r] = (int32_t)item;
        starts[r + 1] = r + 1;
    }
    assert_ok(ctx, cairn_table_new(ctx, &table, ROWS));
    assert_ok(ctx,
              cairn_table_add_bags(ctx, table, "items", starts, items, NULL, names, map.n, NULL));
    temporary_name(path, "");
    cairn_status status = cairn_table_write(ctx, table, path, format);
    if (status) assert_true(strstr(cairn_message(ctx), "item") != NULL);
    if (!status) {
        cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
        options.format = format;
        assert_ok(ctx, cairn_file_read_all(ctx, path, &bytes, &length));
        if (cairn_table_read_memory(ctx, &back, "x", bytes, length, &options))
            tell("%s, items %zu: %s\n", format, (size_t)seed, cairn_message(ctx));
        for (size_t r = 0; back && r < ROWS; r++) {
            *found = 0;
            if (r < back->n_rows) cairn_table_cell(back, 0, r, found, sizeof found);
            if (back->n_rows != ROWS || strcmp(found, w->cells[0][r]) != 0)
                tell("%s, items %zu, row %zu: '%s' comes back as '%s'\n", format, (size_t)seed,
                     r + 1, w->cells[0][r], found);
        }
        cairn_table_free(back);
        cairn_free(bytes);
    }
    unlink(path);
    cairn_map_clear(&map);
    cairn_table_free(table);
    free(w);
    return status == CAIRN_OK;
}

static void test_round_trips__hostile_items(void **state)
{
    cairn_context *ctx = *state;
    static const char *const formats[] = {"json", "ndjson", "basket"};
    n_failures = 0;
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        size_t n_written = 0;
        for (uint64_t seed = 1; seed <= 300; seed++) n_written += try_items(ctx, formats[f], seed);
        print_message("%s: %zu of 300 tables written\n", formats[f], n_written);
    }
    assert_int_equal(n_failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_round_trips__hostile_names_and_cells),
        context_test(test_round_trips__hostile_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
