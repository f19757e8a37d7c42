/* SPDX-License-Identifier: MIT */
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "base/text.h"
#include "data/column.h"
#include "data/table.h"
#include "support/fail_alloc.h"
#include <math.h>
#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

static cairn_table *read_with(cairn_context *ctx, const char *text, const cairn_read_options *o)
{
    cairn_table *t = NULL;
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "x.csv", text, strlen(text), o));
    return t;
}

static cairn_table *read_text(cairn_context *ctx, const char *text)
{
    return read_with(ctx, text, NULL);
}

static const char *cell(const cairn_table *t, size_t column, size_t row)
{
    static char text[4][200];
    static int at;
    at = (at + 1) % 4;
    cairn_table_cell(t, column, row, text[at], sizeof text[at]);
    return text[at];
}

#define assert_refused(ctx, text, part)                                                            \
    do {                                                                                           \
        cairn_table *refused_ = NULL;                                                              \
        assert_fails(                                                                              \
            ctx, cairn_table_read_memory(ctx, &refused_, "x.csv", text, sizeof(text) - 1, NULL),   \
            CAIRN_BAD_DATA, part);                                                                 \
        assert_null(refused_);                                                                     \
    } while (0)

static void test_csv__numbers_and_levels(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "a,b,c\n1,x,2.5\n-3,y,1e3\n+4,x,.5\n");
    assert_int_equal(cairn_table_rows(t), 3);
    assert_int_equal(cairn_table_kind(t, 0), CAIRN_NUMBER);
    assert_int_equal(cairn_table_kind(t, 1), CAIRN_LEVEL);
    assert_true(cairn_table_numbers(t, 0)[1] == -3);
    assert_true(cairn_table_numbers(t, 0)[2] == 4);
    assert_true(cairn_table_numbers(t, 2)[1] == 1000);
    assert_true(cairn_table_numbers(t, 2)[2] == 0.5);
    assert_int_equal(cairn_table_codes(t, 1)[2], 0);
    cairn_table_free(t);
}

static void test_csv__times(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "day,when,bad,late\n"
                                    "2026-11-15,2026-11-15T14:30,2026-02-28,?\n"
                                    ",2026-11-16T14:30:05,2026-02-30,?\n"
                                    "2026-11-17, \"2026-11-16T00:00\",2026-02-27,2026/01/02\n");
    assert_int_equal(cairn_table_kind(t, 0), CAIRN_TIME);
    assert_int_equal(cairn_table_kind(t, 1), CAIRN_TIME);
    assert_int_equal(cairn_table_kind(t, 2), CAIRN_LEVEL);
    assert_int_equal(cairn_table_kind(t, 3), CAIRN_TIME);
    assert_int_equal(t->slots[0].column->n_missing, 1);
    assert_true(cairn_table_numbers(t, 0)[0] == 1794700800);
    assert_string_equal(cell(t, 0, 2), "2026-11-17");
    assert_string_equal(cell(t, 1, 0), "2026-11-15T14:30:00");
    assert_string_equal(cell(t, 1, 2), "2026-11-16T00:00:00");
    assert_string_equal(cell(t, 3, 2), "2026/01/02");
    cairn_table_free(t);
}

static void test_csv__times_as_marks(void **state)
{
    cairn_context *ctx = *state;
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    o.missing = "1900-01-01";
    cairn_table *t = read_with(ctx, "d\n2026-11-15\n1900-01-01\n?\n", &o);
    assert_int_equal(cairn_table_kind(t, 0), CAIRN_TIME);
    assert_int_equal(t->slots[0].column->n_missing, 2);
    cairn_table_free(t);
}

/* A first line of dates is no header, and one above dates is. */
static void test_csv__times_and_headers(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "2026-11-15,a\n2026-11-16,b\n");
    assert_int_equal(cairn_table_rows(t), 2);
    cairn_table_free(t);
    t = read_text(ctx, "when,kind\n2026-11-15,a\n2026-11-16,kind\n");
    assert_int_equal(cairn_table_rows(t), 2);
    assert_string_equal(cairn_table_name(t, 0), "when");
    cairn_table_free(t);
}

static void test_csv__time_patterns(void **state)
{
    cairn_context *ctx = *state;
    static const char text[] =
        "a,b,c\n15.11.2026,20261115,2026-11-15\n1.2.2026,20260201,2026-02-01\n";
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    cairn_table *t, *refused = NULL;
    o.time_format = "%d.%m.%Y";
    o.kinds = "b=time(%Y%m%d)";
    t = read_with(ctx, text, &o);
    for (size_t j = 0; j < 3; j++) {
        assert_int_equal(cairn_table_kind(t, j), CAIRN_TIME);
        assert_true(cairn_table_numbers(t, j)[0] == 1794700800);
        assert_true(cairn_table_numbers(t, j)[1] == 1769904000);
    }
    assert_string_equal(cell(t, 0, 1), "01.02.2026");
    assert_string_equal(cell(t, 1, 1), "20260201");
    cairn_table_free(t);
    o.kinds = "c=time";
    assert_fails(ctx, cairn_table_read_memory(ctx, &refused, "x.csv", text, sizeof text - 1, &o),
                 CAIRN_BAD_DATA, "line 2, column 'c': '2026-11-15' is not a time");
    o.time_format = NULL;
    t = read_with(ctx, "a,b\n1,2026-11-15\n2,2026-02-28\n", NULL);
    o.kinds = "b=time";
    assert_fails(ctx,
                 cairn_table_read_memory(ctx, &refused, "x.csv", "b,a\n2026-02-30,1\n", 17, &o),
                 CAIRN_BAD_DATA, "there is no such day in that month");
    cairn_table_free(t);
    o.kinds = NULL;
    o.time_format = "%K";
    assert_fails(ctx, cairn_table_read_memory(ctx, &refused, "x.csv", text, sizeof text - 1, &o),
                 CAIRN_USAGE, "%K");
}

/* Many times over several chunks, one of them no time at the end: the column is read again. */
static void test_csv__times_turn_out_to_be_text(void **state)
{
    cairn_context *ctx = *state;
    cairn_text text = cairn_text_start(ctx);
    enum { ROWS = 120000 };
    cairn_text_add(&text, "t,u\n");
    for (int i = 0; i < ROWS; i++)
        cairn_text_addf(&text, "20%02d-%02d-%02d,2026-11-15 %02d:%02d:%02d%s\n", i % 100,
                        i / 100 % 12 + 1, i / 1200 % 28 + 1, i / 3600 % 24, i / 60 % 60, i % 60,
                        i == ROWS - 1 ? "x" : "");
    cairn_table *t = read_text(ctx, text.bytes);
    assert_int_equal(cairn_table_kind(t, 0), CAIRN_TIME);
    assert_int_equal(cairn_table_kind(t, 1), CAIRN_TEXT);
    assert_string_equal(cell(t, 0, ROWS - 1), "2099-12-16");
    assert_string_equal(cell(t, 1, ROWS - 1), "2026-11-15 09:19:59x");
    cairn_table_free(t);
    cairn_text_clear(&text);
}

/* Every length of integer and fraction through the fast and the slow way. */
static void test_csv__numbers_are_exact(void **state)
{
    cairn_context *ctx = *state;
    cairn_text text = cairn_text_start(ctx);
    const char *digits = "98765432109876543210987654321";
    cairn_text_add(&text, "x,y\n");
    for (int whole = 0; whole <= 20; whole++)
        for (int part = whole == 0; part <= 20; part++)
            cairn_text_addf(&text, "%.*s%s%.*s,-%.*s%s%.*s\n", whole, digits, part ? "." : "", part,
                            digits + 3, whole, digits + 1, part ? "." : "", part, digits);
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    cairn_table *t = NULL;
    options.kinds = "x=number,y=number"; /* some are beyond 2^53 and would stay text */
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "x.csv", text.bytes, text.length, &options));
    assert_int_equal(cairn_table_rows(t), 21 * 21 - 1);
    size_t row = 0;
    for (const char *line = strchr(text.bytes, '\n') + 1; *line; row++) {
        const char *comma = strchr(line, ','), *end = strchr(line, '\n');
        double first, second;
        assert_true(cairn_number_parse(line, (size_t)(comma - line), &first));
        assert_true(cairn_number_parse(comma + 1, (size_t)(end - comma - 1), &second));
        assert_true(cairn_table_numbers(t, 0)[row] == first);
        assert_true(cairn_table_numbers(t, 1)[row] == second);
        line = end + 1;
    }
    cairn_table_free(t);
    cairn_text_clear(&text);
}

static void test_csv__quotes(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t =
        read_text(ctx, "name,n\n\"a \"\"b\"\", c\",1\n\"two\nlines\", \"2\" \r\n x ,3\n5\" pipe,4");
    assert_int_equal(cairn_table_rows(t), 4);
    assert_string_equal(cell(t, 0, 0), "a \"b\", c");
    assert_string_equal(cell(t, 0, 1), "two\nlines");
    assert_string_equal(cell(t, 0, 2), "x");
    assert_string_equal(cell(t, 0, 3), "5\" pipe");
    assert_true(cairn_table_numbers(t, 1)[1] == 2);
    cairn_table_free(t);
}

static void test_csv__line_ends_marks_and_empty_lines(void **state)
{
    cairn_context *ctx = *state;
    static const char *const texts[] = {"a,b\n1,x\n2,y\n",
                                        "a,b\r\n1,x\r\n2,y\r\n",
                                        "a,b\r1,x\r2,y\r",
                                        "a,b\n1,x\n2,y",
                                        "a,b\r\n1,x\r\n2,y\r\n\r\n",
                                        "\n\na,b\n\n1,x\n\n\n2,y\n\n",
                                        "\xEF\xBB\xBF"
                                        "a,b\n1,x\n2,y\n",
                                        "a,b\r\n\r\n1,x\r\n2,y\r\n\r",
                                        "a;b\n1;x\n2;y\n",
                                        "a\tb\n1\tx\n2\ty\n",
                                        "a|b\n1|x\n2|y\n",
                                        "a b\n1   x\n 2\t y  \n",
                                        "\"a\",\"b\"\n\"1\",\"x\"\n\"2\",\"y\"\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cairn_table *t = read_text(ctx, texts[i]);
        assert_int_equal(cairn_table_rows(t), 2);
        assert_int_equal(cairn_table_columns(t), 2);
        assert_string_equal(cairn_table_name(t, 0), "a");
        assert_string_equal(cairn_table_name(t, 1), "b");
        assert_true(cairn_table_numbers(t, 0)[1] == 2);
        assert_string_equal(cell(t, 1, 0), "x");
        assert_string_equal(cell(t, 1, 1), "y");
        cairn_table_free(t);
    }
}

static void test_csv__missing_marks(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "a,b\n?,None\n,-\nNA,NA\nNaN,null\n1,?\n");
    assert_int_equal(cairn_table_kind(t, 0), CAIRN_NUMBER);
    assert_int_equal(t->slots[0].column->n_missing, 4);
    assert_int_equal(cairn_table_level_count(t, 1), 2);
    assert_int_equal(t->slots[1].column->n_missing, 3);
    assert_int_equal(cairn_table_codes(t, 1)[2], -1);
    assert_string_equal(cell(t, 0, 0), "?");
    cairn_table_free(t);
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    o.missing = "-999,none";
    t = read_with(ctx, "a,b\n-999,none\n1,NA\n?,x\n", &o);
    assert_int_equal(cairn_table_kind(t, 0), CAIRN_NUMBER);
    assert_int_equal(t->slots[0].column->n_missing, 2);
    assert_int_equal(t->slots[1].column->n_missing, 2); /* NA counts as it always does */
    cairn_table_free(t);
    o.only_marks = true;
    t = read_with(ctx, "a,b\n-999,none\n1,NA\n?,x\n", &o);
    assert_int_equal(t->slots[0].column->n_missing, 2);
    assert_string_equal(cell(t, 1, 1), "NA");
    assert_int_equal(t->slots[1].column->n_missing, 1);
    cairn_table_free(t);
}

static void test_csv__a_column_of_nothing_is_numbers(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "a,b\n1,\n2,?\n");
    assert_int_equal(cairn_table_kind(t, 1), CAIRN_NUMBER);
    assert_int_equal(t->slots[1].column->n_missing, 2);
    assert_true(isnan(cairn_table_numbers(t, 1)[0]));
    cairn_table_free(t);
}

static void test_csv__suffixes_need_numbers_everywhere(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "a,b,c\n55K,12%,5M\n1.1M,3,x\n7,4.5%,5M\n");
    assert_int_equal(cairn_table_kind(t, 0), CAIRN_NUMBER);
    assert_true(cairn_table_numbers(t, 0)[0] == 55000);
    assert_true(cairn_table_numbers(t, 0)[1] == 1100000);
    assert_true(cairn_table_numbers(t, 1)[2] == 0.045);
    assert_int_equal(cairn_table_kind(t, 2), CAIRN_LEVEL);
    assert_string_equal(cell(t, 2, 0), "5M");
    cairn_table_free(t);
}

static void test_csv__kinds_come_from_the_whole_column(void **state)
{
    cairn_context *ctx = *state;
    cairn_text text = cairn_text_start(ctx);
    cairn_text_add(&text, "number,level,free\n");
    for (int i = 0; i < 1000; i++)
        cairn_text_addf(&text, "%d,%02d,%s%d\n", i, i % 100, i == 999 ? "t" : "", i);
    cairn_text_add(&text, "7,word,8\n");
    cairn_table *t = read_text(ctx, text.bytes);
    assert_int_equal(cairn_table_kind(t, 0), CAIRN_NUMBER);
    assert_int_equal(cairn_table_kind(t, 1), CAIRN_TEXT); /* 101 > max(50, 1001 / 10) */
    assert_int_equal(cairn_table_kind(t, 2), CAIRN_TEXT);
    assert_string_equal(cell(t, 1, 3), "03");
    assert_string_equal(cell(t, 1, 1000), "word");
    assert_string_equal(cell(t, 2, 998), "998");
    cairn_table_free(t);
    cairn_text_add(&text, "1,word,x\n2,word,x\n3,word,x\n4,word,x\n5,word,x\n6,word,x\n7,word,x\n"
                          "8,word,x\n9,word,x\n");
    t = read_text(ctx, text.bytes); /* 1010 rows: 101 levels are few enough */
    assert_int_equal(cairn_table_kind(t, 1), CAIRN_LEVEL);
    assert_int_equal(cairn_table_level_count(t, 1), 101);
    assert_string_equal(cairn_table_level(t, 1, 0), "00");
    cairn_table_free(t);
    cairn_text_clear(&text);
}

static void test_csv__declared_kinds(void **state)
{
    cairn_context *ctx = *state;
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    o.kinds = "zip=level,note=text,path=sequence";
    cairn_table *t = read_with(ctx, "zip,note,path,n\n01,a,x y x,1\n10,b,y,2\n02,a,,3\n", &o);
    assert_int_equal(cairn_table_kind(t, 0), CAIRN_LEVEL);
    assert_string_equal(cairn_table_level(t, 0, 1), "02"); /* names that are numbers are sorted */
    assert_int_equal(cairn_table_codes(t, 0)[1], 2);
    assert_int_equal(cairn_table_kind(t, 1), CAIRN_TEXT);
    assert_int_equal(cairn_table_kind(t, 2), CAIRN_SEQUENCE);
    assert_string_equal(cell(t, 2, 0), "x y x");
    assert_string_equal(cell(t, 2, 2), "?");
    cairn_table_free(t);
    cairn_table *none = NULL;
    const char *text = "a,b\n1,2\n3,x\n";
    o.kinds = "b=number";
    assert_fails(ctx, cairn_table_read_memory(ctx, &none, "x.csv", text, strlen(text), &o),
                 CAIRN_BAD_DATA, "x.csv, line 3, column 'b': 'x' is not a number");
    o.kinds = "bb=number";
    assert_fails(ctx, cairn_table_read_memory(ctx, &none, "x.csv", text, strlen(text), &o),
                 CAIRN_USAGE, "there is no column 'bb' in x.csv; did you mean 'b'?");
    o.kinds = "b=nmber";
    assert_fails(ctx, cairn_table_read_memory(ctx, &none, "x.csv", text, strlen(text), &o),
                 CAIRN_USAGE, "did you mean 'number'?");
}

static void test_csv__declared_levels(void **state)
{
    cairn_context *ctx = *state;
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    const char *text = "size,n\nlarge,3\nsmall,1\n?,2\nsmall,1\n";
    o.kinds = "size=ordered(small,medium,large),n=level(1,2,3,4)";
    cairn_table *t = read_with(ctx, text, &o);
    assert_true(t->slots[0].column->ordered && t->slots[0].column->declared);
    assert_int_equal(cairn_table_level_count(t, 0), 3);
    assert_string_equal(cairn_table_level(t, 0, 1), "medium");
    assert_int_equal(cairn_table_codes(t, 0)[0], 2);
    assert_int_equal(cairn_table_codes(t, 0)[2], -1);
    assert_int_equal(cairn_table_level_count(t, 1), 4);
    assert_false(t->slots[1].column->ordered);
    cairn_table_free(t);
    o.kinds = "size=level(large,*)";
    t = read_with(ctx, text, &o);
    assert_int_equal(cairn_table_level_count(t, 0), 2);
    assert_int_equal(cairn_table_codes(t, 0)[1], 1);
    cairn_table_free(t);
    cairn_table *none = NULL;
    o.kinds = "size=ordered(medium,large)";
    assert_fails(ctx, cairn_table_read_memory(ctx, &none, "x.csv", text, strlen(text), &o),
                 CAIRN_BAD_DATA, "x.csv, column 'size', row 2: 'small' is none of the 2 values");
    o.kinds = "size=ordered(small,large,small)";
    assert_fails(ctx, cairn_table_read_memory(ctx, &none, "x.csv", text, strlen(text), &o),
                 CAIRN_USAGE, "'small' stands twice");
    o.kinds = "size=ordered";
    assert_fails(ctx, cairn_table_read_memory(ctx, &none, "x.csv", text, strlen(text), &o),
                 CAIRN_USAGE, "ordered(LOWEST,...,HIGHEST)");
}

static void test_csv__header_or_none(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "1,2\n3,4\n");
    assert_int_equal(cairn_table_rows(t), 2);
    assert_string_equal(cairn_table_name(t, 1), "column2");
    cairn_table_free(t);
    t = read_text(ctx, "p,x\ne,x\np,y\n"); /* p comes again: data */
    assert_int_equal(cairn_table_rows(t), 3);
    cairn_table_free(t);
    t = read_text(ctx, "outlook,play\nsunny,no\nrain,yes\n");
    assert_int_equal(cairn_table_rows(t), 2);
    cairn_table_free(t);
    t = read_text(ctx, "country,1990,pop\nFrance,5,6\nSpain,7,8\n");
    assert_string_equal(cairn_table_name(t, 1), "1990");
    cairn_table_free(t);
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    o.header = 0;
    t = read_with(ctx, "a,b\nc,d\n", &o);
    assert_int_equal(cairn_table_rows(t), 2);
    cairn_table_free(t);
    o.header = 1;
    t = read_with(ctx, "1,2\n3,4\n", &o);
    assert_string_equal(cairn_table_name(t, 0), "1");
    cairn_table_free(t);
}

static void count_warning(cairn_log_level level, const char *message, void *data)
{
    if (level == CAIRN_LOG_WARNING && strstr(message, "several columns 'a'")) ++*(int *)data;
}

static void test_csv__names(void **state)
{
    cairn_context *ctx = *state;
    int warnings = 0;
    cairn_context_set_log(ctx, count_warning, &warnings);
    cairn_table *t = read_text(ctx, " a ,,a,a_2,\"b,c\"\n1,2,3,4,5\n");
    assert_string_equal(cairn_table_name(t, 0), "a");
    assert_string_equal(cairn_table_name(t, 1), "column2");
    assert_string_equal(cairn_table_name(t, 2), "a_2");
    assert_string_equal(cairn_table_name(t, 3), "a_2_2");
    assert_string_equal(cairn_table_name(t, 4), "b,c");
    assert_int_equal(warnings, 1);
    cairn_table_free(t);
}

static void test_csv__decimal_comma_and_encoding(void **state)
{
    cairn_context *ctx = *state;
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    o.decimal = ',';
    cairn_table *t = read_with(ctx, "a;b\n1,5;x\n-2,25;y\n", &o);
    assert_true(cairn_table_numbers(t, 0)[1] == -2.25);
    cairn_table_free(t);
    o.decimal = 0;
    o.encoding = "latin1";
    t = read_with(ctx, "caf\xE9,n\nna\xEFve,1\nb,2\n", &o);
    assert_string_equal(cairn_table_name(t, 0), "caf\xC3\xA9");
    assert_string_equal(cell(t, 0, 0), "na\xC3\xAFve");
    cairn_table_free(t);
    static const char wide[] = "\xFF\xFE"
                               "a\0,\0b\0\n\0"
                               "1\0,\0"
                               "2\0\n\0";
    o.encoding = "utf-16";
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "x.csv", wide, sizeof wide - 1, &o));
    assert_true(cairn_table_numbers(t, 1)[0] == 2);
    cairn_table_free(t);
    cairn_table *none = NULL;
    assert_fails(ctx, cairn_table_read_memory(ctx, &none, "x.csv", wide, sizeof wide - 1, NULL),
                 CAIRN_BAD_DATA, "encoding=utf-16");
    o.encoding = "martian";
    assert_fails(ctx, cairn_table_read_memory(ctx, &none, "x.csv", "a\n1\n", 4, &o), CAIRN_USAGE,
                 "there is no encoding 'martian'");
    o.encoding = "ascii";
    assert_fails(ctx, cairn_table_read_memory(ctx, &none, "x.csv", "a\n1\n\xE9\n", 6, &o),
                 CAIRN_BAD_DATA, "line 3: byte 0xE9");
}

static void test_csv__transpose(void **state)
{
    cairn_context *ctx = *state;
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    o.transpose = true;
    cairn_table *t = read_with(ctx, "height,170,180\nname,\"A, B\",\"say \"\"x\"\"\"\n", &o);
    assert_int_equal(cairn_table_rows(t), 2);
    assert_string_equal(cairn_table_name(t, 0), "height");
    assert_true(cairn_table_numbers(t, 0)[1] == 180);
    assert_string_equal(cell(t, 1, 0), "A, B");
    assert_string_equal(cell(t, 1, 1), "say \"x\"");
    cairn_table_free(t);
    cairn_table *none = NULL;
    assert_fails(ctx, cairn_table_read_memory(ctx, &none, "x.csv", "a,1,2\nb,3\n", 10, &o),
                 CAIRN_BAD_DATA, "x.csv, line 2: 2 cells");
}

static void test_csv__bad_input_is_named(void **state)
{
    cairn_context *ctx = *state;
    assert_refused(ctx, "", "x.csv: the file is empty");
    assert_refused(ctx, "\n\n\r\n", "x.csv: the file is empty");
    assert_refused(ctx, "\xEF\xBB\xBF", "x.csv: the file is empty");
    assert_refused(ctx, "a,b,c\n", "x.csv: there is only a header");
    assert_refused(ctx, "a,b\n1,2\n3\n4,5\n", "x.csv, line 3: 1 cell where 2 are expected");
    assert_refused(ctx, "a,b\r\n1,2\n3,4\r5,6\r\n7,8\n",
                   "x.csv, line 3: 3 cells where 2 are expected: a carriage return");
    assert_refused(ctx, "a,b\r\n1,2\r\n3,4,5\r\n7,8\r\n",
                   "x.csv, line 3: 3 cells where 2 are expected; add");
    assert_refused(ctx, "a,b\n1,2\n\n3,4,5\n4,5\n", "x.csv, line 4: 3 cells where 2 are expected");
    assert_refused(ctx, "a,b\n1,2\nx,\"y\nz\n4,5\n", "x.csv, line 3, column 'b': a quote begins");
    assert_refused(ctx, "a,b\n1,2\n3,\"4\"5\n", "x.csv, line 3, column 'b': text follows");
    assert_refused(ctx, "a,b\n1,x\n2,\xC3(\n", "x.csv, line 3, column 'b': byte 0xC3 is not UTF-8");
    assert_refused(ctx, "a,\xE9\n1,x\n", "encoding=latin1");
    assert_refused(ctx, "a,b\n1,x\n2,\0y\n", "x.csv, line 3: a zero byte");
    assert_refused(ctx, "a\0,b\n1,x\n", "x.csv, line 1: a zero byte");
    assert_refused(ctx, "a,b\n1,2\n3,inf\n", "x.csv, line 3, column 'b': 'inf' is not a finite");
    assert_refused(ctx, "a,b\n1,2\n\n3,-1e999\n", "x.csv, line 4, column 'b': '-1e999'");
}

static void test_csv__inf_is_a_word_among_words(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "a,b\n1,inf\n2,x\n");
    assert_string_equal(cell(t, 1, 0), "inf");
    cairn_table_free(t);
}

static void test_csv__files_folders_and_formats(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    assert_fails(ctx, cairn_table_read(ctx, &t, "/nowhere/x.csv", NULL), CAIRN_FILE_ERROR,
                 "/nowhere/x.csv");
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    o.format = "csv";
    assert_fails(ctx, cairn_table_read(ctx, &t, "/tmp", &o), CAIRN_BAD_DATA, "this is a folder");
    o.format = "cvs";
    assert_fails(ctx, cairn_table_read_memory(ctx, &t, "x", "a\n1\n", 4, &o), CAIRN_USAGE,
                 "did you mean 'csv'?");
    o.format = "tsv";
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "x", "a b,\tc\n1\t2\n", 11, &o));
    assert_string_equal(cairn_table_name(t, 0), "a b,");
    assert_fails(ctx, cairn_table_write(ctx, t, "/tmp/x.csv.gz", NULL), CAIRN_USAGE, "compress");
    cairn_table_free(t);
}

/* -- large files: several chunks -- */

static void write_file(cairn_context *ctx, const char *path, const cairn_text *text)
{
    assert_ok(ctx, cairn_file_write_all(ctx, path, text->bytes, text->length));
}

/* About 3 MB with numbers, levels, texts, quotes in the second half, a late change of kind. */
static void make_large(cairn_text *text, bool quotes)
{
    cairn_random random;
    cairn_random_start(&random, 5, 0);
    cairn_text_add(text, "id,real,level,late,text\n");
    for (int i = 0; i < 90000; i++) {
        double real = cairn_random_normal(&random);
        uint64_t level = cairn_random_below(&random, 40);
        cairn_text_addf(text, "%d,%.6f,v%d,%s%d,", i, real, (int)level,
                        i > 80000 && i % 1000 == 0 ? "L" : "", i % 7);
        if (quotes && i > 45000)
            cairn_text_addf(text, "\"row %d,\n\"\"x\"\"\"\n", i);
        else
            cairn_text_addf(text, "row %d\n", i);
        if (i % 5000 == 0) cairn_text_add(text, "\n");
    }
}

static void read_large(void **state, bool quotes)
{
    cairn_context *ctx = *state;
    cairn_text text = cairn_text_start(ctx);
    char path[] = "/tmp/cairn-test-csv-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    make_large(&text, quotes);
    assert_ok(ctx, cairn_text_status(&text));
    write_file(ctx, path, &text);
    uint64_t hash = 0;
    for (int threads = 1; threads <= 4; threads *= 2) {
        cairn_table *t;
        cairn_context_set_threads(ctx, threads);
        assert_ok(ctx, cairn_table_read(ctx, &t, path, NULL));
        assert_int_equal(cairn_table_rows(t), 90000);
        assert_int_equal(cairn_table_kind(t, 2), CAIRN_LEVEL);
        assert_int_equal(cairn_table_kind(t, 3), CAIRN_LEVEL);
        assert_int_equal(cairn_table_level_count(t, 3), 7 + 7);
        assert_int_equal(cairn_table_kind(t, 4), CAIRN_TEXT);
        for (size_t i = 0; i < 90000; i++) assert_true(cairn_table_numbers(t, 0)[i] == (double)i);
        assert_string_equal(cell(t, 3, 81000), "L3");
        assert_string_equal(cell(t, 4, 60000), quotes ? "row 60000,\n\"x\"" : "row 60000");
        uint64_t now = cairn_table_hash(t);
        if (threads > 1) assert_true(now == hash);
        hash = now;
        cairn_table_free(t);
    }
    cairn_table *t;
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "m.csv", text.bytes, text.length, NULL));
    assert_true(cairn_table_hash(t) == hash);
    cairn_table_free(t);
    unlink(path);
    cairn_text_clear(&text);
}

static void test_csv__same_table_for_any_threads(void **state)
{
    read_large(state, false);
}

static void test_csv__same_table_with_quotes(void **state)
{
    read_large(state, true);
}

/* Cells with line ends, separators and doubled quotes, at random, some rows so long that a quote
 * goes over the edge of a chunk. */
static void add_quoted_rows(cairn_text *text, cairn_random *random, size_t n, bool odd)
{
    static const char *const parts[] = {"\n", ",", "\"\"", "a", "words ", "\r\n", "\"\"\"\"", " "};
    for (size_t i = 0; i < n; i++) {
        cairn_text_addf(text, "%zu,\"", i);
        for (uint64_t k = cairn_random_below(random, i % 5000 ? 12 : 9000); k > 0; k--)
            cairn_text_add(text, parts[cairn_random_below(random, 8)]);
        cairn_text_addf(text, "x%zu\",%s\n", i, odd && i % 1000 == 999 ? "5\" pipe" : "plain");
    }
}

/* Rows are found side by side where quotes stand at the edges of cells, else, as with a mark of
 * comments, one after the other: the tables are the same. */
static void test_csv__quoted_rows_side_by_side(void **state)
{
    cairn_context *ctx = *state;
    cairn_read_options in_order = CAIRN_READ_OPTIONS_INIT;
    in_order.comment = "##";
    for (int odd = 0; odd < 2; odd++) {
        SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
        cairn_table *a = NULL, *b = NULL;
        cairn_random random;
        cairn_random_start(&random, 5, (uint64_t)odd);
        cairn_text_add(&text, "id,quoted,word\n");
        add_quoted_rows(&text, &random, 90000, odd);
        assert_true(text.length > 3 << 20);
        cairn_context_set_threads(ctx, 4);
        assert_ok(ctx, cairn_table_read_memory(ctx, &a, "x.csv", text.bytes, text.length, NULL));
        cairn_context_set_threads(ctx, 1);
        assert_ok(ctx,
                  cairn_table_read_memory(ctx, &b, "x.csv", text.bytes, text.length, &in_order));
        assert_int_equal(cairn_table_rows(a), 90000);
        for (size_t j = 0; j < 3; j++) {
            assert_int_equal(cairn_table_kind(a, j), cairn_table_kind(b, j));
            assert_true(cairn_column_hash(a->slots[j].column, 1) ==
                        cairn_column_hash(b->slots[j].column, 1));
        }
        cairn_table_free(a);
        cairn_table_free(b);
    }
}

/* A column that begins with different words and goes on with few is one of levels all the same, and
 * one that has just too many different words is one of texts, with its missing cells. */
static void test_csv__words_that_stop_being_new(void **state)
{
    cairn_context *ctx = *state;
    for (int few = 0; few < 2; few++) {
        SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
        cairn_table *t;
        const size_t n = 40000, most = n / 10;
        cairn_text_add(&text, "word,x\n");
        for (size_t i = 0; i < n; i++)
            if (i % 7 == 3)
                cairn_text_add(&text, "?,1\n");
            else
                cairn_text_addf(&text, "a \"w\" %zu,1\n",
                                i < most + 1500 ? i % (most + 1 - (size_t)few) : i % 5);
        assert_ok(ctx, cairn_text_status(&text));
        t = read_text(ctx, text.bytes);
        size_t known = 0;
        for (size_t i = 0; i < most + 1 - (size_t)few; i++) known += i % 7 != 3;
        /* those that are missing in the first round are there in the second */
        for (size_t i = most + 1 - (size_t)few; i < most + 1500; i++)
            known += i % 7 != 3 && (i % (most + 1 - (size_t)few)) % 7 == 3;
        assert_int_equal(cairn_table_kind(t, 0), known > most ? CAIRN_TEXT : CAIRN_LEVEL);
        assert_int_equal(t->slots[0].column->n_missing, (n + 3) / 7);
        assert_string_equal(cell(t, 0, 4), "a \"w\" 4");
        assert_string_equal(cell(t, 0, 3), "?");
        assert_string_equal(cell(t, 0, 39999), "a \"w\" 4");
        assert_string_equal(cell(t, 0, 2001), "a \"w\" 2001");
        cairn_table_free(t);
    }
}

static void test_csv__errors_far_down_name_the_line(void **state)
{
    cairn_context *ctx = *state;
    cairn_text text = cairn_text_start(ctx);
    cairn_table *t = NULL;
    make_large(&text, false);
    size_t lines = 1;
    for (size_t i = 0; i < text.length; i++) lines += text.bytes[i] == '\n';
    size_t length = text.length;
    char expected[60];
    cairn_context_set_threads(ctx, 4);
    cairn_text_add(&text, "1,2\n1,2,3\n");
    snprintf(expected, sizeof expected, "m.csv, line %zu: 2 cells", lines);
    assert_fails(ctx, cairn_table_read_memory(ctx, &t, "m.csv", text.bytes, text.length, NULL),
                 CAIRN_BAD_DATA, expected);
    text.length = length;
    cairn_text_add(&text, "1,2,\xFF,4,5\n");
    snprintf(expected, sizeof expected, "m.csv, line %zu, column 'level': byte 0xFF", lines);
    assert_fails(ctx, cairn_table_read_memory(ctx, &t, "m.csv", text.bytes, text.length, NULL),
                 CAIRN_BAD_DATA, expected);
    text.length = length;
    cairn_text_add(&text, "1,2,3,4,\"5\n6\n");
    snprintf(expected, sizeof expected, "m.csv, line %zu, column 'text': a quote", lines);
    assert_fails(ctx, cairn_table_read_memory(ctx, &t, "m.csv", text.bytes, text.length, NULL),
                 CAIRN_BAD_DATA, expected);
    text.length = length;
    cairn_text_add(&text, "1,infinity,3,4,5\n");
    snprintf(expected, sizeof expected, "m.csv, line %zu, column 'real': 'infinity'", lines);
    assert_fails(ctx, cairn_table_read_memory(ctx, &t, "m.csv", text.bytes, text.length, NULL),
                 CAIRN_BAD_DATA, expected);
    cairn_text_clear(&text);
}

/* A row that is longer than several chunks. */
static void test_csv__very_long_rows(void **state)
{
    cairn_context *ctx = *state;
    cairn_text text = cairn_text_start(ctx);
    cairn_text_add(&text, "a,b\nx,1\n");
    for (int quotes = 0; quotes < 2; quotes++) {
        if (quotes) cairn_text_add_char(&text, '"');
        cairn_text_add_repeat(&text, 'z', 3500000);
        if (quotes) cairn_text_add_char(&text, '"');
        cairn_text_add(&text, ",2\ny,3\n");
        cairn_table *t = read_text(ctx, text.bytes);
        assert_int_equal(cairn_table_rows(t), quotes ? 5 : 3);
        assert_int_equal(cairn_table_cell(t, 0, 1, NULL, 0), 3500000);
        assert_true(cairn_table_numbers(t, 1)[2] == 3);
        cairn_table_free(t);
    }
    cairn_text_clear(&text);
}

static void test_csv__compressed(void **state)
{
    cairn_context *ctx = *state;
    static unsigned char packed[1000];
    const char text[] = "a,b\n1,x\n2,y\n";
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)text;
    z.avail_in = sizeof text - 1;
    z.next_out = packed;
    z.avail_out = sizeof packed;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    cairn_table *t;
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "x.csv.gz", packed, z.total_out, NULL));
    assert_int_equal(cairn_table_rows(t), 2);
    assert_string_equal(cell(t, 1, 1), "y");
    cairn_table_free(t);
    deflateEnd(&z);
}

static void test_csv__a_pipe_is_read_to_its_end(void **state)
{
    cairn_context *ctx = *state;
    const char text[] = "a,b\n1,x\n2,y\n3,x\n";
    char path[40];
    int ends[2];
    cairn_table *t;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, sizeof text - 1), sizeof text - 1);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_ok(ctx, cairn_table_read(ctx, &t, path, NULL));
    assert_int_equal(cairn_table_rows(t), 3);
    cairn_table_free(t);
    close(ends[0]);
}

static void test_csv__too_large_for_the_memory(void **state)
{
    cairn_context *ctx = *state;
    cairn_text text = cairn_text_start(ctx);
    cairn_table *t = NULL;
    char path[] = "/tmp/cairn-test-csv-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int i = 0; i < 200000; i++) cairn_text_add(&text, "1,2,3,4,5,6,7,8\n");
    write_file(ctx, path, &text);
    cairn_text_clear(&text);
    cairn_context_set_memory(ctx, 4 << 20);
    assert_fails(ctx, cairn_table_read(ctx, &t, path, NULL), CAIRN_NO_MEMORY, "raise 'memory'");
    cairn_context_set_memory(ctx, 0);
    assert_ok(ctx, cairn_table_read(ctx, &t, path, NULL));
    cairn_table_free(t);
    unlink(path);
}

/* -- writing -- */

static char *write_text(cairn_context *ctx, const cairn_table *t, const char *name, size_t *length)
{
    char *bytes;
    assert_ok(ctx, cairn_table_write(ctx, t, name, NULL));
    assert_ok(ctx, cairn_file_read_all(ctx, name, &bytes, length));
    unlink(name);
    return bytes;
}

static void test_csv__writer_quotes_where_needed(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t;
    size_t length;
    const double numbers[] = {0.1, NAN, -1e300, 12345678};
    const char *texts[] = {"plain", "a,b", NULL, "say \"x\"\nnow"};
    assert_ok(ctx, cairn_table_new(ctx, &t, 4));
    assert_ok(ctx, cairn_table_add_numbers(ctx, t, "n", numbers));
    assert_ok(ctx, cairn_table_add_texts(ctx, t, "t, u", texts));
    char *bytes = write_text(ctx, t, "/tmp/cairn-test-write.csv", &length);
    assert_string_equal(bytes, "n,\"t, u\"\n0.1,plain\n,\"a,b\"\n-1e+300,\n12345678,"
                               "\"say \"\"x\"\"\nnow\"\n");
    cairn_free(bytes);
    cairn_table_remove_column(t, 1);
    bytes = write_text(ctx, t, "/tmp/cairn-test-write.tsv", &length);
    assert_string_equal(bytes, "n\n0.1\n?\n-1e+300\n12345678\n");
    cairn_free(bytes);
    cairn_table_free(t);
}

/* Random tables survive text: the same hash, and the same bytes when written again. */
static void test_csv__random_round_trips(void **state)
{
    cairn_context *ctx = *state;
    static const char *const words[] = {"a", "b c", "d,e", "\"q\"", "x\ny", " z", "Zürich", "?x"};
    cairn_random random;
    cairn_random_start(&random, 11, 0);
    for (int round = 0; round < 60; round++) {
        size_t n = 1 + cairn_random_below(&random, 60), length, again;
        double numbers[60];
        int32_t codes[60];
        cairn_table *t, *back;
        for (size_t i = 0; i < n; i++) {
            uint64_t bits = cairn_random_bits(&random) & ~(UINT64_C(1) << 62);
            memcpy(&numbers[i], &bits, sizeof bits);
            if (cairn_random_below(&random, 5) == 0) numbers[i] = NAN;
            if (cairn_random_below(&random, 5) == 0) numbers[i] = (double)(bits % 1000);
            codes[i] = (int32_t)cairn_random_below(&random, 9) - 1;
        }
        assert_ok(ctx, cairn_table_new(ctx, &t, n));
        assert_ok(ctx, cairn_table_add_levels(ctx, t, "word", codes, words, 8));
        assert_ok(ctx, cairn_table_add_numbers(ctx, t, "number", numbers));
        char *bytes = write_text(ctx, t, "/tmp/cairn-test-round.csv", &length);
        cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
        o.header = 1;
        o.separator = ',';
        assert_ok(ctx, cairn_table_read_memory(ctx, &back, "r.csv", bytes, length, &o));
        assert_int_equal(cairn_table_rows(back), n);
        for (size_t i = 0; i < n; i++) {
            assert_string_equal(cell(back, 0, i), cell(t, 0, i));
            double x = cairn_table_numbers(back, 1)[i];
            assert_true(isnan(numbers[i]) ? isnan(x) : x == numbers[i]);
        }
        char *second = write_text(ctx, back, "/tmp/cairn-test-round.csv", &again);
        assert_int_equal(length, again);
        assert_memory_equal(bytes, second, length);
        cairn_free(bytes);
        cairn_free(second);
        cairn_table_free(t);
        cairn_table_free(back);
    }
}

/* -- lines that are left out, marks in numbers -- */

/* Reads and gives the warnings, one per line. */
static void add_warning(cairn_log_level level, const char *message, void *data)
{
    char *all = data;
    size_t length = strlen(all);
    if (level == CAIRN_LOG_WARNING) snprintf(all + length, 1000 - length, "%s\n", message);
}

static const char lines_to_leave[] = "Made by a program, version \"2\n"
                                     "second line\n"
                                     "# a remark with a \"quote\n"
                                     "a,b\n"
                                     "1,x\n"
                                     "  # another, in, the, middle\n"
                                     "2,\"y\n#y\"\n"
                                     "3\n"
                                     "4,z,5\n"
                                     "6,\"w\"v\n"
                                     "7,u\n";

static void test_csv__skipped_lines_and_comments(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *none = NULL;
    char warnings[1000] = "";
    cairn_context_set_log(ctx, add_warning, warnings);
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    o.skip = 2;
    o.comment = "#";
    assert_fails(
        ctx,
        cairn_table_read_memory(ctx, &none, "x.csv", lines_to_leave, strlen(lines_to_leave), &o),
        CAIRN_BAD_DATA, "x.csv, line 9: 1 cell where 2 are expected");
    o.bad_lines = CAIRN_BAD_LINES_SKIP;
    cairn_table *t = read_with(ctx, lines_to_leave, &o);
    assert_int_equal(cairn_table_rows(t), 3);
    assert_string_equal(cairn_table_name(t, 1), "b");
    assert_string_equal(cell(t, 1, 1), "y\n#y");
    assert_string_equal(cell(t, 0, 2), "7");
    assert_non_null(strstr(warnings, "3 lines do not have 2 cells and are left out (lines 9, 10, "
                                     "11)"));
    cairn_table_free(t);
    o.skip = 12;
    assert_fails(ctx, cairn_table_read_memory(ctx, &none, "x.csv", "a\n1\n", 4, &o), CAIRN_BAD_DATA,
                 "x.csv: the file has no line behind the 12");
    o.comment = "12345678";
    assert_fails(ctx, cairn_table_read_memory(ctx, &none, "x.csv", "a\n1\n", 4, &o), CAIRN_USAGE,
                 "comment");
}

static void test_csv__comment_marks_of_two_bytes_and_carriage_returns(void **state)
{
    cairn_context *ctx = *state;
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    o.comment = "//";
    cairn_table *t = read_with(ctx, "\xEF\xBB\xBF// x\r\na,b\r\n1,/\r\n// y\r\n2,//\r\n", &o);
    assert_int_equal(cairn_table_rows(t), 2);
    assert_string_equal(cell(t, 1, 1), "//");
    cairn_table_free(t);
    o.skip = 1;
    t = read_with(ctx, "title\ra b\r1 2\r// z\r3 4\r", &o);
    assert_int_equal(cairn_table_rows(t), 2);
    assert_true(cairn_table_numbers(t, 1)[1] == 4);
    cairn_table_free(t);
}

static void test_csv__short_lines_are_filled_up(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *none = NULL;
    char warnings[1000] = "";
    cairn_context_set_log(ctx, add_warning, warnings);
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    o.bad_lines = CAIRN_BAD_LINES_PAD;
    cairn_table *t = read_with(ctx, "a,b,c,d\n1,x,2020-01-01,5\n2\n3,y\n4,z,2020-02-01,6\n", &o);
    assert_int_equal(cairn_table_rows(t), 4);
    assert_true(isnan(cairn_table_numbers(t, 3)[1]) && isnan(cairn_table_numbers(t, 2)[2]));
    assert_int_equal(cairn_table_codes(t, 1)[1], -1);
    assert_string_equal(cell(t, 1, 2), "y");
    assert_non_null(strstr(warnings, "2 lines do not have 4 cells and are filled up"));
    assert_non_null(strstr(warnings, "(lines 3, 4)"));
    cairn_table_free(t);
    assert_fails(ctx, cairn_table_read_memory(ctx, &none, "x.csv", "a\n1\n2,3\n", 8, &o),
                 CAIRN_BAD_DATA, "line 3: 2 cells where 1 is expected");
}

static void test_csv__marks_between_thousands(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *none = NULL;
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    o.thousands = ',';
    cairn_table *t = read_with(ctx, "a;b\n1,234,567;x\n-12,345.5;y\n7;z\n1,000K;w\n", &o);
    assert_int_equal(cairn_table_kind(t, 0), CAIRN_NUMBER);
    assert_true(cairn_table_numbers(t, 0)[0] == 1234567);
    assert_true(cairn_table_numbers(t, 0)[1] == -12345.5);
    assert_true(cairn_table_numbers(t, 0)[3] == 1000000);
    cairn_table_free(t);
    t = read_with(ctx, "a\n\"1,234\"\n\"12,34\"\n\"1234,567\"\n\"1,2345\"\n", &o);
    assert_int_equal(cairn_table_kind(t, 0), CAIRN_LEVEL); /* 12,34 and the like are no numbers */
    cairn_table_free(t);
    o.thousands = '.';
    o.decimal = ',';
    t = read_with(ctx, "a;b\n1.234.567,89;1\n1.000;2\n0,5;3\n", &o);
    assert_true(cairn_table_numbers(t, 0)[0] == 1234567.89);
    assert_true(cairn_table_numbers(t, 0)[1] == 1000);
    cairn_table_free(t);
    o.thousands = ' ';
    t = read_with(ctx, "a;b\n1 234 567,5;1\n1\xC2\xA0\x30\x30\x30;2\n2\xE2\x80\xAF\x30\x30\x30;3\n",
                  &o);
    assert_true(cairn_table_numbers(t, 0)[0] == 1234567.5);
    assert_true(cairn_table_numbers(t, 0)[1] == 1000 && cairn_table_numbers(t, 0)[2] == 2000);
    cairn_table_free(t);
    o.thousands = ',';
    assert_fails(ctx, cairn_table_read_memory(ctx, &none, "x.csv", "a\n1\n", 4, &o), CAIRN_USAGE,
                 "are both ','");
}

static void test_csv__thousands_are_hinted_at(void **state)
{
    cairn_context *ctx = *state;
    char warnings[1000] = "";
    cairn_context_set_log(ctx, add_warning, warnings);
    cairn_table_free(read_text(ctx, "a;b\n1,234,567;1\n2,500;2\n"));
    assert_non_null(strstr(warnings, "thousands=,"));
    warnings[0] = 0;
    cairn_table_free(read_text(ctx, "a;b\n1.234.567,8;1\n2.500,1;2\n"));
    assert_non_null(strstr(warnings, "thousands=."));
    assert_non_null(strstr(warnings, "decimal=,"));
}

static void test_csv__encoding_of_windows(void **state)
{
    cairn_context *ctx = *state;
    char warnings[1000] = "";
    static const char price[] = "id,price\n1,a \x80\n2,b \x80\n";
    assert_refused(ctx, price, "encoding=cp1252");
    cairn_context_set_log(ctx, add_warning, warnings);
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    o.encoding = "cp1252";
    cairn_table *t = read_with(ctx, price, &o);
    assert_string_equal(cell(t, 1, 0), "a \xE2\x82\xAC");
    cairn_table_free(t);
    assert_string_equal(warnings, "");
    o.encoding = "latin1";
    cairn_table_free(read_with(ctx, price, &o));
    assert_non_null(strstr(warnings, "2 bytes such as 0x80 are control characters in latin1"));
}

/* -- failing allocations -- */

static cairn_status read_some(cairn_context *ctx, void *data)
{
    cairn_table *t;
    cairn_read_options o = CAIRN_READ_OPTIONS_INIT;
    o.transpose = strstr(data, "transpose") != NULL;
    if (strstr(data, "caf\xE9")) o.encoding = "latin1";
    o.missing = "none,-";
    if (strstr(data, "leave")) {
        o.skip = 1;
        o.comment = "#";
        o.bad_lines = CAIRN_BAD_LINES_SKIP;
    }
    cairn_status status = cairn_table_read_memory(ctx, &t, "x.csv", data, strlen(data), &o);
    if (!status) cairn_table_free(t);
    return status;
}

static void test_csv__allocation_failures(void **state)
{
    (void)state;
    char plain[] = "a,b,b\n1,x,\"y \"\"q\"\" \"\nz,none,y\n?,x,y\n";
    char transposed[] = "transpose,1,2\nb,x,y\n";
    char foreign[] = "caf\xE9,b\n1,x\n2,y\n";
    assert_survives_allocation_failures(read_some, plain);
    assert_survives_allocation_failures(read_some, transposed);
    assert_survives_allocation_failures(read_some, foreign);
    char left_out[] = "leave\n# it\na,b\n1,x\n2\n3,y\n";
    assert_survives_allocation_failures(read_some, left_out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_csv__numbers_and_levels),
        context_test(test_csv__skipped_lines_and_comments),
        context_test(test_csv__comment_marks_of_two_bytes_and_carriage_returns),
        context_test(test_csv__short_lines_are_filled_up),
        context_test(test_csv__marks_between_thousands),
        context_test(test_csv__thousands_are_hinted_at),
        context_test(test_csv__encoding_of_windows),
        context_test(test_csv__times),
        context_test(test_csv__times_as_marks),
        context_test(test_csv__times_and_headers),
        context_test(test_csv__time_patterns),
        context_test(test_csv__times_turn_out_to_be_text),
        context_test(test_csv__numbers_are_exact),
        context_test(test_csv__quotes),
        context_test(test_csv__line_ends_marks_and_empty_lines),
        context_test(test_csv__missing_marks),
        context_test(test_csv__a_column_of_nothing_is_numbers),
        context_test(test_csv__suffixes_need_numbers_everywhere),
        context_test(test_csv__kinds_come_from_the_whole_column),
        context_test(test_csv__declared_kinds),
        context_test(test_csv__declared_levels),
        context_test(test_csv__header_or_none),
        context_test(test_csv__names),
        context_test(test_csv__decimal_comma_and_encoding),
        context_test(test_csv__transpose),
        context_test(test_csv__bad_input_is_named),
        context_test(test_csv__inf_is_a_word_among_words),
        context_test(test_csv__files_folders_and_formats),
        context_test(test_csv__same_table_for_any_threads),
        context_test(test_csv__same_table_with_quotes),
        context_test(test_csv__quoted_rows_side_by_side),
        context_test(test_csv__words_that_stop_being_new),
        context_test(test_csv__errors_far_down_name_the_line),
        context_test(test_csv__very_long_rows),
        context_test(test_csv__compressed),
        context_test(test_csv__a_pipe_is_read_to_its_end),
        context_test(test_csv__too_large_for_the_memory),
        context_test(test_csv__writer_quotes_where_needed),
        context_test(test_csv__random_round_trips),
        cmocka_unit_test(test_csv__allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
