/* SPDX-License-Identifier: MIT */
/* Names and cells of any letters, numbers of any bits and files of any bytes through every format:
 * what comes back is what was written, or it is refused with the column. What is only read is
 * written here. */
#include "data/format_test.h"
#include "base/number.h"
#include "base/random.h"
#include "cairn/columns.h"
#include "data/c45.h"
#ifdef WITH_XLSX
#include "support/zip_maker.h"
#endif
#include <ctype.h>
#include <math.h>

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
        if (strlen(out) + strlen(piece) + 3 < MOST_BYTES) strcat(out, piece);
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
static bool is_separated(const char *format)
{
    return !strcmp(format, "csv") || !strcmp(format, "tsv") || !strcmp(format, "xlsx");
}

static void compare_cell(const cairn_table *table, const cairn_table *back, const char *format,
                         size_t j, size_t r, uint64_t seed)
{
    static char wanted[1 << 16], found[1 << 16];
    double a, b;
    const cairn_column *from = table->slots[j].column, *to = back->slots[j].column;
    bool absent = cairn_column_is_missing(from, r), missing = cairn_column_is_missing(to, r);
    cairn_table_cell(table, j, r, wanted, sizeof wanted);
    cairn_table_cell(back, j, r, found, sizeof found);
    if (absent && missing) return;
    if (missing && is_separated(format) && (!*wanted || !strcmp(wanted, "?"))) return;
    if (from->kind == CAIRN_NUMBER && to->kind == CAIRN_NUMBER && !absent && !missing) {
        if (from->numbers[r] != to->numbers[r]) /* the zero of a text has no sign */
            tell("%s, table %zu, column %zu, row %zu: %a comes back as %a\n", format, (size_t)seed,
                 j + 1, r + 1, from->numbers[r], to->numbers[r]);
        return;
    }
    bool guesses = is_separated(format) || !strcmp(format, "sqlite"); /* kinds, by the cells */
    if (to->kind == CAIRN_NUMBER && !missing && guesses &&
        cairn_number_parse(wanted, strlen(wanted), &a) &&
        cairn_number_parse(found, strlen(found), &b) && a == b)
        return;
    if (absent != missing || strcmp(found, wanted) != 0)
        tell("%s, table %zu, column %zu, row %zu: '%s'%s comes back as '%s'%s\n", format,
             (size_t)seed, j + 1, r + 1, wanted, absent ? " (missing)" : "", found,
             missing ? " (missing)" : "");
}

/* `named` says that the format keeps the names of columns. */
static void compare_table(const cairn_table *table, const cairn_table *back, const char *format,
                          bool named, uint64_t seed)
{
    if (back->n_rows != table->n_rows || back->n_columns != table->n_columns) {
        tell("%s, table %zu: %zu x %zu comes back as %zu x %zu\n", format, (size_t)seed,
             table->n_rows, table->n_columns, back->n_rows, back->n_columns);
        return;
    }
    for (size_t j = 0; j < table->n_columns; j++) {
        if (named && strcmp(back->slots[j].name, table->slots[j].name) != 0)
            tell("%s, table %zu: the name '%s' comes back as '%s'\n", format, (size_t)seed,
                 table->slots[j].name, back->slots[j].name);
        for (size_t r = 0; r < table->n_rows; r++) compare_cell(table, back, format, j, r, seed);
    }
}

/* A database, where its module is; in memory of the system, since it is made safe on disk. */
static cairn_status try_database(cairn_context *ctx, const cairn_table *table, cairn_table **back,
                                 cairn_status *reading)
{
    char path[128], file[80];
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(file, sizeof file, "%s/cairn-test-%ld.db", folder, (long)getpid());
    snprintf(path, sizeof path, "sqlite:%s?table=a \"b", file);
    unlink(file);
    cairn_status status = cairn_table_write(ctx, table, path, NULL);
    if (!status) *reading = cairn_table_read(ctx, back, path, NULL);
    unlink(file);
    return status;
}

static cairn_status try_format(cairn_context *ctx, const cairn_table *table, const char *format,
                               cairn_table **back, cairn_status *reading)
{
    const cairn_data_format *writer = NULL;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    SCOPED(cairn_text_clear) cairn_text bytes = cairn_text_start(ctx);
    cairn_output_file *file;
    assert_ok(ctx, cairn_format_get(ctx, &writer, format));
    assert_ok(ctx, cairn_output_memory(ctx, &file, &bytes));
    cairn_status status = cairn_format_write(ctx, writer, table, file);
    if (status) {
        cairn_output_abort(file);
        return status;
    }
    assert_ok(ctx, cairn_output_commit(ctx, file));
    options.format = format;
    options.header = 1;
    options.only_marks = true;
    *reading =
        cairn_table_read_memory(ctx, back, "x", cairn_text_string(&bytes), bytes.length, &options);
    return status;
}

/* Written it comes back the same, or is refused with the column, the row or the word. */
static bool there_and_back(cairn_context *ctx, const cairn_table *table, const char *format,
                           bool named, uint64_t seed)
{
    cairn_table *back = NULL;
    cairn_status reading = CAIRN_OK;
    cairn_status status = strcmp(format, "sqlite") ? try_format(ctx, table, format, &back, &reading)
                                                   : try_database(ctx, table, &back, &reading);
    const char *said = cairn_message(ctx);
    if (status)
        assert_true(strstr(said, "olumn") || strstr(said, "row ") || strstr(said, "item"));
    else if (reading && !(is_separated(format) && strstr(said, "is not a finite number")))
        tell("%s, table %zu ('%s'): %s\n", format, (size_t)seed, table->slots[0].name,
             said); /* a word for infinity is a number
                                                                    to whoever knows no more */
    else if (!reading)
        compare_table(table, back, format, named, seed);
    cairn_table_free(back);
    return status == CAIRN_OK;
}

/* The formats that hold texts; a database, too, where its module is. */
static const char *const text_formats[] = {
    "csv",    "tsv", "json", "ndjson", "arff", "arrow", "parquet",
#ifdef WITH_SQLITE
    "sqlite",
#endif
#ifdef WITH_XLSX
    "xlsx",
#endif
};
enum { N_TEXT_FORMATS = sizeof text_formats / sizeof *text_formats };

/* Of 300 tables at least so many can be written; most have a letter that no sheet holds. */
static size_t least_written(const char *format)
{
    return strcmp(format, "xlsx") ? 200 : 20;
}

static void test_round_trips__hostile_names_and_cells(void **state)
{
    cairn_context *ctx = *state;
    words *w = calloc(1, sizeof *w);
    assert_non_null(w);
    for (size_t f = 0; f < N_TEXT_FORMATS; f++) {
        size_t n_written = 0;
        for (uint64_t seed = 1; seed <= 300; seed++) {
            make_words(w, seed);
            cairn_table *table = make_table(ctx, w, seed % 2 == 0);
            n_written += there_and_back(ctx, table, text_formats[f], true, seed);
            cairn_table_free(table);
        }
        print_message("%s: %zu of 300 tables written\n", text_formats[f], n_written);
        assert_true(n_written > least_written(text_formats[f]));
    }
    free(w);
    assert_int_equal(n_failures, 0);
}

/* -- numbers -- */

/* Any bits that are no infinite number; whole ones and those of few digits, too. */
static double make_number(cairn_random *random, bool missing)
{
    uint64_t bits = cairn_random_bits(random);
    double x;
    switch (cairn_random_below(random, 6)) {
    case 0: return (double)(int64_t)bits;
    case 1: return (double)(bits >> 60) / 4;
    case 2: return bits & 1 ? 0.0 : -0.0;
    case 3: return missing ? NAN : 1;
    default: memcpy(&x, &bits, sizeof x); return isfinite(x) ? x : 5e-324;
    }
}

/* The first column is the label, the others are pairs of their places and what is not 0. */
static bool libsvm_and_back(cairn_context *ctx, const cairn_table *table, uint64_t seed)
{
    cairn_table *back = NULL;
    size_t length;
    char *bytes = written(ctx, table, "libsvm", &length);
    assert_ok(ctx, read_bytes(ctx, &back, "libsvm", bytes, length));
    const cairn_column *bag = column_of(back, "features");
    for (size_t r = 0; r < ROWS; r++) {
        double found[COLUMNS + 1] = {column_of(back, "target")->numbers[r]};
        for (size_t k = bag->starts[r]; k < bag->starts[r + 1]; k++)
            found[atoi(cairn_map_key(&bag->names, (size_t)bag->items[k]))] =
                bag->amounts ? bag->amounts[k] : 1;
        for (size_t j = 0; j < table->n_columns; j++)
            if (found[j] != table->slots[j].column->numbers[r])
                tell("libsvm, table %zu, column %zu, row %zu: %a comes back as %a\n", (size_t)seed,
                     j + 1, r + 1, table->slots[j].column->numbers[r], found[j]);
    }
    cairn_table_free(back);
    cairn_free(bytes);
    return true;
}

static void test_round_trips__numbers_of_any_bits(void **state)
{
    cairn_context *ctx = *state;
    static const char *const nameless[] = {"npy", "libsvm"};
    words *w = calloc(1, sizeof *w);
    assert_non_null(w);
    n_failures = 0;
    for (size_t f = 0; f < N_TEXT_FORMATS + 2; f++) {
        bool named = f < N_TEXT_FORMATS;
        const char *format = named ? text_formats[f] : nameless[f - N_TEXT_FORMATS];
        size_t n_written = 0;
        for (uint64_t seed = 1; seed <= 300; seed++) {
            cairn_random random;
            cairn_table *table = NULL;
            make_words(w, seed);
            cairn_random_start(&random, seed, 2);
            assert_ok(ctx, cairn_table_new(ctx, &table, ROWS));
            for (size_t j = 0; j < w->n_columns; j++) {
                double numbers[ROWS];
                for (size_t r = 0; r < ROWS; r++)
                    numbers[r] = make_number(&random, r > 1 && strcmp(format, "libsvm") != 0);
                numbers[0] = 0.25; /* so that the kind is plain */
                assert_ok(ctx, cairn_table_add_numbers(ctx, table, w->names[j], numbers));
            }
            if (strcmp(format, "libsvm") == 0) {
                assert_ok(ctx, cairn_table_set_role(ctx, table, w->names[0], CAIRN_TARGET));
                n_written += libsvm_and_back(ctx, table, seed);
            } else {
                n_written += there_and_back(ctx, table, format, named, seed);
            }
            cairn_table_free(table);
        }
        print_message("%s: %zu of 300 tables written\n", format, n_written);
        assert_true(n_written > least_written(format));
    }
    free(w);
    assert_int_equal(n_failures, 0);
}

/* Items of a bag, each of which stands alone in a row of its own. */
static void test_round_trips__hostile_items(void **state)
{
    cairn_context *ctx = *state;
    static const char *const formats[] = {"json", "ndjson", "basket"};
    words *w = calloc(1, sizeof *w);
    assert_non_null(w);
    n_failures = 0;
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        size_t n_written = 0;
        for (uint64_t seed = 1; seed <= 300; seed++) {
            const char *names[ROWS];
            size_t starts[ROWS + 1] = {0};
            int32_t items[ROWS];
            cairn_table *table = NULL;
            cairn_map map = {0};
            make_words(w, seed);
            for (size_t r = 0; r < ROWS; r++) {
                size_t item;
                const char *name = w->cells[0][r];
                assert_ok(ctx, cairn_map_add(ctx, &map, name, strlen(name), &item));
                names[item] = name;
                items[r] = (int32_t)item;
                starts[r + 1] = r + 1;
            }
            assert_ok(ctx, cairn_table_new(ctx, &table, ROWS));
            assert_ok(ctx, cairn_table_add_bags(ctx, table, "items", starts, items, NULL, names,
                                                map.n, NULL));
            n_written += there_and_back(ctx, table, formats[f], true, seed);
            cairn_map_clear(&map);
            cairn_table_free(table);
        }
        print_message("%s: %zu of 300 tables written\n", formats[f], n_written);
    }
    free(w);
    assert_int_equal(n_failures, 0);
}

/* -- formats that are only read: files that the test writes by itself -- */

/* A pair of C4.5 files: names and values with a backslash before whatever might mean something. */
static void add_escaped(cairn_text *out, const char *word)
{
    for (; *word; word++) {
        bool plain = (unsigned char)*word >= 128 || isalnum((unsigned char)*word);
        cairn_text_addf(out, plain ? "%c" : "\\%c", *word);
    }
}

static void test_round_trips__c45(void **state)
{
    cairn_context *ctx = *state;
    words *w = calloc(1, sizeof *w);
    assert_non_null(w);
    n_failures = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        cairn_table *back = NULL;
        cairn_text names = cairn_text_start(ctx), data = cairn_text_start(ctx);
        make_words(w, seed);
        for (size_t j = 0; j < w->n_columns;
             j++) /* no escape brings a line end, and ? is missing */
            for (size_t r = 0; r <= ROWS; r++) {
                char *word = r ? w->cells[j][r - 1] : w->names[j];
                for (char *c = word; *c; c++)
                    if (*c == '\n' || *c == '\r') *c = '_';
                if (strcmp(word, "?") == 0) strcpy(word, "!");
                if (r == 0) snprintf(word + strlen(word), 3, "%zu", j);
            }
        cairn_table *table = make_table(ctx, w, true);
        cairn_text_add(&names, "the class, no class.\n");
        for (size_t j = 0; j < w->n_columns; j++) {
            const cairn_map *levels = &table->slots[j].column->names;
            add_escaped(&names, w->names[j]);
            for (size_t k = 0; k < levels->n; k++) {
                cairn_text_add(&names, k ? ", " : ": ");
                add_escaped(&names, cairn_map_key(levels, k));
            }
            cairn_text_add(&names, levels->n == 1 ? ", an other.\n" : ".\n");
        }
        for (size_t r = 0; r < ROWS; r++) {
            for (size_t j = 0; j < w->n_columns; j++) {
                add_escaped(&data, w->cells[j][r]);
                cairn_text_add(&data, ", ");
            }
            cairn_text_add(&data, "the class\n");
        }
        cairn_lines n = {.name = "names", .begin = cairn_text_string(&names)},
                    d = {.name = "data", .begin = cairn_text_string(&data)};
        n.end = n.begin + names.length;
        d.end = d.begin + data.length;
        if (cairn_c45_read(ctx, &back, &n, &d)) {
            tell("c45, table %zu: %s\n%s", (size_t)seed, cairn_message(ctx), n.begin);
        } else {
            double ones[ROWS] = {0};
            assert_ok(ctx, cairn_table_add_numbers(ctx, table, "class", ones));
            assert_int_equal(back->n_columns, table->n_columns);
            for (size_t j = 0; j + 1 < table->n_columns; j++) {
                if (strcmp(back->slots[j].name, table->slots[j].name) != 0)
                    tell("c45, table %zu: the name '%s' comes back as '%s'\n", (size_t)seed,
                         table->slots[j].name, back->slots[j].name);
                for (size_t r = 0; r < ROWS; r++) compare_cell(table, back, "c45", j, r, seed);
            }
        }
        cairn_table_free(back);
        cairn_table_free(table);
        cairn_text_clear(&names);
        cairn_text_clear(&data);
    }
    free(w);
    assert_int_equal(n_failures, 0);
}

/* A matrix of doubles, the most significant byte first. */
static void test_round_trips__idx(void **state)
{
    cairn_context *ctx = *state;
    n_failures = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        cairn_random random;
        cairn_table *table = NULL, *back = NULL;
        unsigned char bytes[12 + 8 * ROWS * COLUMNS] = {0, 0,    14, 2, 0, 0,
                                                        0, ROWS, 0,  0, 0, COLUMNS};
        cairn_random_start(&random, seed, 4);
        assert_ok(ctx, cairn_table_new(ctx, &table, ROWS));
        for (size_t j = 0; j < COLUMNS; j++) {
            double numbers[ROWS];
            for (size_t r = 0; r < ROWS; r++) {
                uint64_t bits;
                numbers[r] = make_number(&random, true);
                memcpy(&bits, &numbers[r], sizeof bits);
                for (size_t k = 0; k < 8; k++)
                    bytes[12 + 8 * (r * COLUMNS + j) + k] = (unsigned char)(bits >> (56 - 8 * k));
            }
            assert_ok(ctx, cairn_table_add_numbers(ctx, table, &"abcdefgh"[7 - j], numbers));
        }
        if (read_bytes(ctx, &back, "idx", bytes, sizeof bytes))
            tell("idx, table %zu: %s\n", (size_t)seed, cairn_message(ctx));
        else
            compare_table(table, back, "idx", false, seed);
        cairn_table_free(back);
        cairn_table_free(table);
    }
    assert_int_equal(n_failures, 0);
}

#ifdef WITH_XLSX
/* A cell of a sheet: what XML knows otherwise is spelt, and so is what it would change. */
static void add_cell(cairn_text *out, const char *word)
{
    cairn_text_add(out, "<c t=\"inlineStr\"><is><t xml:space=\"preserve\">");
    for (; *word; word++)
        if (strchr("<>&\"'\r\n\t", *word))
            cairn_text_addf(out, "&#%d;", *word);
        else
            cairn_text_add_char(out, *word);
    cairn_text_add(out, "</t></is></c>");
}

static void test_round_trips__xlsx(void **state)
{
    cairn_context *ctx = *state;
    static const char book[] = "<workbook xmlns:r=\"r\"><sheets><sheet name=\"a\" sheetId=\"1\" "
                               "r:id=\"i\"/></sheets></workbook>",
                      relations[] = "<Relationships><Relationship Id=\"i\" Type=\"x/worksheet\" "
                                    "Target=\"s.xml\"/></Relationships>";
    size_t n_read = 0;
    words *w = calloc(1, sizeof *w);
    assert_non_null(w);
    n_failures = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        cairn_table *back = NULL;
        cairn_text sheet = cairn_text_start(ctx);
        cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
        make_words(w, seed);
        for (size_t j = 0; j < w->n_columns; j++) { /* blanks are taken off a name, as in csv */
            char *name = w->names[j];
            memmove(name + 1, name, strlen(name) + 1);
            name[0] = 'n';
            strcat(name, "n");
            for (size_t r = 0; r <= ROWS && seed % 3;
                 r++) /* mostly without letters that XML lacks */
                for (char *c = r ? w->cells[j][r - 1] : name; *c; c++)
                    if (*c == 1 || *c == 27) *c = '_';
        }
        cairn_table *table = make_table(ctx, w, seed % 2);
        cairn_text_add(&sheet, "<worksheet><sheetData>");
        for (size_t r = 0; r <= ROWS; r++) {
            cairn_text_add(&sheet, "<row>");
            for (size_t j = 0; j < w->n_columns; j++)
                add_cell(&sheet, r ? w->cells[j][r - 1] : w->names[j]);
            cairn_text_add(&sheet, "</row>");
        }
        cairn_text_add(&sheet, "</sheetData></worksheet>");
        zip_part parts[] = {{"xl/workbook.xml", book, sizeof book - 1, 1, 0},
                            {"xl/_rels/workbook.xml.rels", relations, sizeof relations - 1, 1, 0},
                            {"xl/s.xml", cairn_text_string(&sheet), sheet.length, 1, 0}};
        zip_bytes zip = zip_make(parts, 3);
        options.header = 1;
        options.only_marks = true;
        bool foreign =
            memchr(sheet.bytes, 1, sheet.length) || memchr(sheet.bytes, 27, sheet.length);
        if (cairn_table_read_memory(ctx, &back, "x.xlsx", zip.bytes, zip.n, &options)) {
            if (!foreign) /* letters that no XML holds */
                tell("xlsx, table %zu: %s\n", (size_t)seed, cairn_message(ctx));
        } else {
            n_read++;
            compare_table(table, back, "xlsx", true, seed);
        }
        free(zip.bytes);
        cairn_table_free(back);
        cairn_table_free(table);
        cairn_text_clear(&sheet);
    }
    free(w);
    assert_true(n_read > 200);
    print_message("xlsx: %zu of 300 tables read\n", n_read);
    assert_int_equal(n_failures, 0);
}
#endif

/* -- any bytes -- */

/* Bytes of a few pieces that come again and again, now and then one that is none, between what a
 * file of the format begins and ends with. */
static size_t make_bytes(uint64_t seed, const char *head, const char *tail, char out[1200])
{
    cairn_random random;
    const char *some[6];
    size_t length = strlen(head), n_pieces, kind;
    cairn_random_start(&random, seed, 3);
    n_pieces = cairn_random_below(&random, 40);
    for (size_t i = 0; i < 6; i++) some[i] = pieces[cairn_random_below(&random, N_PIECES)];
    memcpy(out, head, length);
    for (size_t i = 0; i < n_pieces; i++) {
        const char *piece = some[cairn_random_below(&random, 6)];
        if ((kind = cairn_random_below(&random, 100)) == 0)
            out[length++] = (char)cairn_random_below(&random, 256);
        else if (kind < 30)
            out[length++] = "\n,x"[kind % 3];
        else
            memcpy(out + length, piece, strlen(piece)), length += strlen(piece);
    }
    memcpy(out + length, tail, strlen(tail));
    return length + strlen(tail);
}

/* What is read of any bytes is written and read again, in every format that can hold it; or the
 * bytes are refused with a message that is text itself. */
static void test_round_trips__any_bytes(void **state)
{
    cairn_context *ctx = *state;
    static const struct {
        const char *format, *head, *tail;
    } files[] = {{"csv", "", ""},
                 {"csv", "a,b\n1,\"", "\"\n"},
                 {"tsv", "a\tb\nx\t", "\n"},
                 {"json", "[{\"a", "\":1}]"},
                 {"json", "[{\"a\":\"", "\"}]"},
                 {"ndjson", "{\"a\":1}\n{\"a\":2,\"b\":\"", "\"}"},
                 {"ndjson", "{\"a\":[\"", "\"]}"},
                 {"arff", "@relation r\n@attribute a string\n@data\n", ""},
                 {"arff", "@relation r\n@attribute '", "' {a,b}\n@data\na\n"},
                 {"arff", "@relation r\n@attribute a {x,", "}\n@data\nx\n"},
                 {"libsvm", "1 1:1\n", ""},
                 {"basket", "", ""},
                 {"newick", "(a:1,", ":1);"},
                 {"newick", "('", "':1,b:1);"},
                 {"lines", "", ""}};
#ifdef CAIRN_SANITIZED
    enum { FILES = 100 };
#else
    enum { FILES = 400 };
#endif
    n_failures = 0;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        size_t n_read = 0, n_written = 0;
        for (uint64_t seed = 1; seed <= FILES; seed++) {
            char bytes[1200];
            cairn_table *table = NULL;
            size_t length = make_bytes(seed, files[f].head, files[f].tail, bytes);
            if (read_bytes(ctx, &table, files[f].format, bytes, length)) {
                const char *said = cairn_message(ctx);
                assert_true(*said && cairn_utf8_check(said, strlen(said)) == strlen(said));
                continue;
            }
            n_read++;
            for (size_t g = 0; g <= N_TEXT_FORMATS; g++) {
                size_t before = n_failures;
                const char *to = g < N_TEXT_FORMATS ? text_formats[g] : files[f].format;
                if (strcmp(to, "lines") == 0) continue; /* is only read */
                n_written += there_and_back(ctx, table, to, true, seed);
                if (n_failures > before && n_failures < 60)
                    print_message("  read as %s: %.*s\n", files[f].format, (int)length, bytes);
            }
            cairn_table_free(table);
        }
        print_message("%s %zu: %zu of %d read, written %zu times\n", files[f].format, f, n_read,
                      FILES, n_written);
        assert_true(n_read >= FILES / 40); /* most files of any bytes are refused, not all */
    }
    assert_int_equal(n_failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_round_trips__hostile_names_and_cells),
        context_test(test_round_trips__numbers_of_any_bits),
        context_test(test_round_trips__hostile_items),
        context_test(test_round_trips__c45),
        context_test(test_round_trips__idx),
#ifdef WITH_XLSX
        context_test(test_round_trips__xlsx),
#endif
        context_test(test_round_trips__any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
