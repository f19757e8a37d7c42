/* SPDX-License-Identifier: MIT */
#include "data/format_test.h"
#include <math.h>

static const char weather[] = "% the weather\n"
                              "@RELATION 'the weather'\n"
                              "\n"
                              "@attribute outlook {sunny, overcast, 'light rain'} % three\n"
                              "@ATTRIBUTE \"air temperature\"\tREAL\n"
                              "@attribute note string\n"
                              "@attribute day date 'yyyy-MM-dd'\n"
                              "@attribute play{yes,no}\r\n"
                              "@data\n"
                              "sunny, 21.5, 'it''s', 2020-01-01, yes\n"
                              "% between\n"
                              "'light rain',?,\"two words\",?,no % after\n"
                              "\n"
                              "?,-3e2,'a\\'b\\n\\\\',\"2020-01-03\",?\n";

static void test_arff__kinds(void **state)
{
    cairn_context *ctx = *state;
    static const char text[] = "@relation r\n"
                               "@attribute outlook {sunny, overcast, 'light rain'} % three\n"
                               "@ATTRIBUTE \"air temperature\"\tREAL\n"
                               "@attribute note string\n"
                               "@attribute day date 'yyyy-MM-dd'\n"
                               "@attribute play{yes,no}\r\n"
                               "@DATA\n"
                               "sunny, 21.5, plain, 2020-01-01, yes\n"
                               "% between\n"
                               "'light rain',?,\"two words\",?,no % after\n"
                               "\n"
                               "?,-3e2,'a\\'b\\n\\\\',\"2020-01-03\",?";
    cairn_table *t = read_text(ctx, "arff", text);
    assert_int_equal(t->n_rows, 3);
    assert_int_equal(t->n_columns, 5);
    const cairn_column *outlook = column_of(t, "outlook");
    assert_int_equal(outlook->kind, CAIRN_LEVEL);
    assert_true(outlook->declared);
    assert_int_equal(outlook->names.n, 3);
    assert_int_equal(outlook->codes[1], 2);
    assert_int_equal(outlook->codes[2], -1);
    assert_int_equal(outlook->n_missing, 1);
    const cairn_column *air = column_of(t, "air temperature");
    assert_true(air->numbers[0] == 21.5 && isnan(air->numbers[1]) && air->numbers[2] == -300);
    assert_int_equal(column_of(t, "note")->kind, CAIRN_TEXT);
    assert_string_equal(cell(t, "note", 1), "two words");
    assert_string_equal(cell(t, "note", 2), "a'b\n\\");
    assert_int_equal(column_of(t, "day")->kind, CAIRN_TIME);
    assert_string_equal(cell(t, "day", 1), "?");
    assert_string_equal(cell(t, "day", 2), "2020-01-03");
    assert_true(column_of(t, "day")->numbers[0] == 1577836800);
    assert_string_equal(cell(t, "play", 1), "no");
    for (size_t j = 0; j < 5; j++) assert_int_equal(t->slots[j].role, CAIRN_FEATURE);
    assert_round_trip(ctx, t, "arff");
    cairn_table_free(t);
}

static void test_arff__dates(void **state)
{
    cairn_context *ctx = *state;
    static const char text[] = "@relation r\n"
                               "@attribute a date\n"
                               "@attribute b DATE \"dd.MM.yyyy HH:mm\"\n"
                               "@attribute c date qqq\n"
                               "@data\n"
                               "2020-01-01T10:20:30,'31.12.2019 23:59',x\n"
                               "2020-01-02,?,y\n"
                               "{0 2020-01-03T00:00:00}\n";
    static const char bad[] = "@relation r\n@attribute a date\n@data\n2020-02-30T00:00:00\n";
    cairn_table *t = read_text(ctx, "arff", text), *refused = NULL;
    assert_true(column_of(t, "a")->numbers[0] == 1577836800 + 37230);
    assert_string_equal(cell(t, "a", 1), "2020-01-02T00:00:00");
    assert_string_equal(cell(t, "b", 0), "31.12.2019 23:59");
    assert_string_equal(cell(t, "b", 2), "?");
    assert_int_equal(column_of(t, "c")->kind, CAIRN_TEXT);
    assert_round_trip(ctx, t, "arff");
    cairn_table_free(t);
    assert_fails(ctx, cairn_table_read_memory(ctx, &refused, "x.arff", bad, sizeof bad - 1, NULL),
                 CAIRN_BAD_DATA, "line 4, column 'a': '2020-02-30T00:00:00' is not a time");
}

/* Found by its content when the name says nothing; two quotes side by side are no escape. */
static void test_arff__found_by_content(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = NULL;
    assert_fails(ctx, read_bytes(ctx, &t, NULL, weather, sizeof weather - 1), CAIRN_BAD_DATA,
                 "x, line 10, column 'note': a comma is expected before ''s'");
}

static void test_arff__blanks_separate(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "arff",
                               "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n"
                               "1 x\n2\t'y'\n");
    assert_int_equal(t->n_rows, 2);
    assert_int_equal(column_of(t, "b")->codes[1], 1);
    cairn_table_free(t);
}

static void test_arff__values_with_blanks(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "arff",
                               "@relation r\n@attribute a {iris setosa, 50%}\n@attribute b "
                               "integer\n@data\niris setosa , 1\n50%,2\n");
    assert_int_equal(column_of(t, "a")->codes[0], 0);
    assert_int_equal(column_of(t, "a")->codes[1], 1);
    cairn_table_free(t);
}

static void test_arff__sparse(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "arff",
                               "@relation r\n@attribute a numeric\n@attribute b {x,y}\n"
                               "@attribute c string\n@attribute d numeric\n@data\n"
                               "{1 y, 3 2.5}\n{}\n{0 ?,2 'q r'} , {0.5}\n");
    assert_int_equal(t->n_columns, 5);
    assert_true(column_of(t, "a")->numbers[0] == 0 && isnan(column_of(t, "a")->numbers[2]));
    assert_int_equal(column_of(t, "b")->codes[0], 1);
    assert_int_equal(column_of(t, "b")->codes[1], 0);
    assert_string_equal(cell(t, "c", 0), "?");
    assert_string_equal(cell(t, "c", 2), "q r");
    assert_true(column_of(t, "d")->numbers[0] == 2.5);
    assert_int_equal(t->slots[4].role, CAIRN_WEIGHT);
    assert_true(column_of(t, "weight")->numbers[0] == 1);
    assert_true(column_of(t, "weight")->numbers[2] == 0.5);
    assert_round_trip(ctx, t, "arff");
    cairn_table_free(t);
}

static void test_arff__dense_weights(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "arff",
                               "@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n"
                               "1,2,{3}\n4,5 % no weight\n");
    assert_true(column_of(t, "weight")->numbers[0] == 3);
    assert_true(column_of(t, "weight")->numbers[1] == 1);
    assert_round_trip(ctx, t, "arff");
    cairn_table_free(t);
}

static void test_arff__writes(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t = read_text(ctx, "csv", "a b,c\n1,it's\n?,50%\n0.5,\n");
    assert_written(ctx, t, "arff",
                   "@relation data\n\n@attribute 'a b' numeric\n@attribute c {'it\\'s','50%'}\n\n"
                   "@data\n1,'it\\'s'\n?,'50%'\n0.5,?\n");
    cairn_table_free(t);
    t = read_text(ctx, "basket", "a b\n");
    write_refused(ctx, t, "arff", "column 'items' (bag)");
    cairn_table_free(t);
}

static void test_arff__missing_marks(void **state)
{
    cairn_context *ctx = *state;
    static const char text[] = "@relation r\n@attribute a numeric\n@data\n-\n1\n";
    cairn_table *t = NULL;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.format = "arff";
    options.missing = "-";
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "x", text, strlen(text), &options));
    assert_int_equal(column_of(t, "a")->n_missing, 1);
    cairn_table_free(t);
}

static void test_arff__other_encodings(void **state)
{
    cairn_context *ctx = *state;
    static const char text[] = "@relation r\n@attribute a {caf\xE9}\n@data\ncaf\xE9\n";
    cairn_table *t = NULL;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.format = "arff";
    options.encoding = "latin1";
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "x", text, strlen(text), &options));
    assert_string_equal(cell(t, "a", 0), "caf\xC3\xA9");
    cairn_table_free(t);
}

#define HEAD "@relation r\n@attribute a numeric\n@attribute b {red,green}\n@data\n"

static void test_arff__refuses_headers(void **state)
{
    cairn_context *ctx = *state;
    refuses(ctx, "arff", "", "empty");
    refuses(ctx, "arff", "a,b\n1,2\n", "line 1: 'a,b' is none of @relation");
    refuses(ctx, "arff", "@relation r\n@attribute a numeric\n", "no @data line");
    refuses(ctx, "arff", "@relation r\n@data\n1\n", "no @attribute");
    refuses(ctx, "arff", "@relation r\n@attribute a complex\n@data\n1\n",
            "line 2, column 'a': 'complex' is not a type");
    refuses(ctx, "arff", "@attribute a relational\n@data\n1\n", "'relational' is not a type");
    refuses(ctx, "arff", "@attribute a numeric x\n@data\n1\n", "is not a type");
    refuses(ctx, "arff", "@attribute a {x, y\n@data\nx\n", "does not end with }");
    refuses(ctx, "arff", "@attribute a {x, y} z\n@data\nx\n", "does not end with }");
    refuses(ctx, "arff", "@attribute a {'x' y}\n@data\nx\n", "a comma or } is expected");
    refuses(ctx, "arff", "@attribute a {x, x}\n@data\nx\n", "'x' is declared twice");
    refuses(ctx, "arff", "@attribute a real\n@attribute a real\n@data\n1\n",
            "line 2, column 'a': the attribute is declared twice");
    refuses(ctx, "arff", "@attribute 'a real\n@data\n1\n", "not closed");
    refuses(ctx, "arff", "@attribute {x,y}\n@data\n1\n", "has no name");
    refuses(ctx, "arff", HEAD, "only a header");
}

static void test_arff__refuses_rows(void **state)
{
    cairn_context *ctx = *state;
    refuses(ctx, "arff", HEAD "1\n", "line 5: the row has 1 values and there are 2");
    refuses(ctx, "arff", HEAD "1,red\n1,red,3\n", "line 6: '3' follows the last of 2 values");
    refuses(ctx, "arff", HEAD "1,reed\n",
            "column 'b': 'reed' is not among the declared values; "
            "did you mean 'red'?");
    refuses(ctx, "arff", HEAD "x,red\n", "column 'a': 'x' is not a number");
    refuses(ctx, "arff", HEAD "1e999,red\n", "column 'a': '1e999' is not a number that");
    refuses(ctx, "arff", HEAD "inf,red\n", "'inf' is not a number that");
    refuses(ctx, "arff", HEAD ",red\n", "column 'a': there is no value");
    refuses(ctx, "arff", HEAD "1,\n", "column 'b': there is no value");
    refuses(ctx, "arff", HEAD "1,'red\n", "not closed");
    refuses(ctx, "arff", HEAD "1,'red'x\n", "'x' follows");
    refuses(ctx, "arff", HEAD "1,red,{x}\n", "'{x}' is not a weight");
    refuses(ctx, "arff", HEAD "1,red,{-1}\n", "'{-1}' is not a weight");
    refuses(ctx, "arff", HEAD "{0 1, 0 2}\n", "out of order");
    refuses(ctx, "arff", HEAD "{2 1}\n", "not below 2");
    refuses(ctx, "arff", HEAD "{99999999999999999999999 1}\n", "not below 2");
    refuses(ctx, "arff", HEAD "{x 1}\n", "'x 1}' is not a pair");
    refuses(ctx, "arff", HEAD "{0 1\n", "does not end with }");
    refuses(ctx, "arff", HEAD "{0 1, 1 \"red\" 5}\n", "does not end with }");
    refuses(ctx, "arff", HEAD "1,red\xFF\n", "line 5: byte 0xFF is not UTF-8");
    refuses(ctx, "arff", "@attribute weight real\n@data\n1,{2}\n", "rename it");
}

static void test_arff__failing_allocations(void **state)
{
    (void)state;
    static const char text[] = "@relation r\n@attribute a numeric\n@attribute b {x,'y z'}\n"
                               "@attribute c string\n@data\n1,x,'q\\'r'\n?,'y z',?,{2}\n";
    survives("arff", text, sizeof text - 1, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_arff__kinds),
        context_test(test_arff__dates),
        context_test(test_arff__found_by_content),
        context_test(test_arff__blanks_separate),
        context_test(test_arff__values_with_blanks),
        context_test(test_arff__sparse),
        context_test(test_arff__dense_weights),
        context_test(test_arff__writes),
        context_test(test_arff__missing_marks),
        context_test(test_arff__other_encodings),
        context_test(test_arff__refuses_headers),
        context_test(test_arff__refuses_rows),
        cmocka_unit_test(test_arff__failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
