/* SPDX-License-Identifier: MIT */
/* JSON reports, read back with a parser that refuses what is not strict. */
#include "report/samples.h"
#include <jansson.h>
#include <math.h>
#include <stdio.h>

static json_t *parse(cairn_context *ctx, const cairn_report *report)
{
    char *text = print(ctx, report, CAIRN_FORMAT_JSON, 0);
    json_error_t error;
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!json) fail_msg("line %d: %s in\n%s", error.line, error.text, text);
    cairn_string_free(text);
    return json;
}

static const char *string_at(const json_t *object, const char *key)
{
    const char *string = json_string_value(json_object_get(object, key));
    return string ? string : "(no string)";
}

static void test_json__empty_report(void **state)
{
    cairn_report *report = new_report(*state);
    assert_prints(*state, report, CAIRN_FORMAT_JSON, 0,
                  "{\n"
                  "  \"title\": \"\",\n"
                  "  \"values\": {},\n"
                  "  \"blocks\": [],\n"
                  "  \"steps\": []\n"
                  "}\n");
    cairn_report_free(report);
}

static void test_json__small_snapshot(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_heading(report, 1, "Title");
    cairn_report_step_begin(report, "One");
    cairn_report_value(report, "Rows", 14, "rows");
    cairn_report_table_begin(report, "T", 1);
    cairn_report_column(report, "name", 'l');
    cairn_report_column(report, "x", 'r');
    cairn_report_row_mark(report);
    cairn_report_cell_word(report, "a", "first");
    cairn_report_cell_number(report, 0.1, 3, "x.%s", cairn_report_key(report, "a.b"));
    cairn_report_cell(report, "b");
    cairn_report_cell_number(report, 0.2, 3, NULL);
    cairn_report_table_end(report);
    cairn_report_step_end(report);
    assert_prints(*state, report, CAIRN_FORMAT_JSON, 0,
                  "{\n"
                  "  \"title\": \"Title\",\n"
                  "  \"values\": {\n"
                  "    \"rows\": 14,\n"
                  "    \"first\": \"a\",\n"
                  "    \"x.a\\\\.b\": 0.1\n"
                  "  },\n"
                  "  \"blocks\": [\n"
                  "    {\"kind\": \"heading\", \"level\": 1, \"text\": \"Title\"},\n"
                  "    {\"kind\": \"step\", \"step\": \"1\", \"title\": \"One\"},\n"
                  "    {\"kind\": \"value\", \"step\": \"1\", \"label\": \"Rows\", \"value\": 14, "
                  "\"name\": \"rows\"},\n"
                  "    {\"kind\": \"table\", \"step\": \"1\", \"title\": \"T\", \"columns\": "
                  "[\"name\", \"x\"], \"rows\": [\n"
                  "      [\"a\", 0.1]], \"marked\": [0], \"more_rows\": 1}\n"
                  "  ],\n"
                  "  \"steps\": [\n"
                  "    {\"number\": \"1\", \"title\": \"One\"}\n"
                  "  ]\n"
                  "}\n");
    cairn_report_free(report);
}

static void test_json__numbers_read_back_exactly(void **state)
{
    static const double numbers[] = {0.1,    1.0 / 3, 1e300, -2.5e-310, 123456789012345678.0,
                                     -1e-20, 1e22,    -0.0};
    enum { N = sizeof numbers / sizeof *numbers };
    cairn_report *report = new_report(*state);
    for (int i = 0; i < N; i++) cairn_report_hidden(report, numbers[i], "n%d", i);
    cairn_report_hidden(report, NAN, "undefined");
    cairn_report_hidden(report, INFINITY, "up");
    cairn_report_hidden(report, -INFINITY, "down");
    json_t *json = parse(*state, report), *values = json_object_get(json, "values");
    for (int i = 0; i < N; i++) {
        char name[16];
        snprintf(name, sizeof name, "n%d", i);
        assert_true(json_number_value(json_object_get(values, name)) == numbers[i]);
    }
    assert_true(json_is_null(json_object_get(values, "undefined")));
    assert_string_equal(string_at(values, "up"), "inf");
    assert_string_equal(string_at(values, "down"), "-inf");
    json_decref(json);
    cairn_report_free(report);
}

static void test_json__hostile_text_is_text(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_heading(report, 1, "%s", HOSTILE);
    cairn_report_word(report, HOSTILE, HOSTILE, "%s", cairn_report_key(report, HOSTILE));
    cairn_report_table_begin(report, HOSTILE, 0);
    cairn_report_column(report, HOSTILE, 'l');
    cairn_report_cell(report, "line\nline\ttab\x01");
    cairn_report_table_end(report);
    json_t *json = parse(*state, report);
    const char *title = string_at(json, "title");
    assert_non_null(strstr(title, "<script>alert('x')</script> a|b `c` \\ \"d\" & *e* \x1b[31m "));
    assert_non_null(strstr(title, "\uFFFD\uFFFD( \x7f"));
    json_t *table = json_array_get(json_object_get(json, "blocks"), 2);
    json_t *cell = json_array_get(json_array_get(json_object_get(table, "rows"), 0), 0);
    assert_string_equal(json_string_value(cell), "line\nline\ttab\x01");
    json_decref(json);
    cairn_report_free(report);
}

static void test_json__steps_are_flat_however_deep(void **state)
{
    cairn_report *report = new_report(*state);
    for (int i = 0; i < 3000; i++) cairn_report_step_begin(report, "level %d", i);
    cairn_report_paragraph(report, "bottom");
    json_t *json = parse(*state, report);
    json_t *steps = json_object_get(json, "steps"), *blocks = json_object_get(json, "blocks");
    assert_int_equal(json_array_size(steps), 3000);
    assert_int_equal(json_array_size(blocks), 3001);
    assert_string_equal(string_at(json_array_get(steps, 2), "number"), "1.1.1");
    assert_string_equal(string_at(json_array_get(blocks, 3000), "step"),
                        "1.1.1.1.1.1.….1.1.1.1.1.1");
    json_decref(json);
    cairn_report_free(report);
}

static void test_json__sample_has_all_blocks(void **state)
{
    static const char *const kinds[] = {
        "heading", "note",  "heading", "value",     "value", "value",    "step",    "paragraph",
        "formula", "table", "step",    "paragraph", "step",  "verbatim", "heading", "paragraph"};
    cairn_report *report = new_report(*state);
    fill_sample(report);
    json_t *json = parse(*state, report), *blocks = json_object_get(json, "blocks");
    assert_int_equal(json_array_size(blocks), sizeof kinds / sizeof *kinds);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_string_equal(string_at(json_array_get(blocks, i), "kind"), kinds[i]);
    assert_string_equal(string_at(json_array_get(blocks, 11), "step"), "1.1");
    assert_string_equal(string_at(json_array_get(blocks, 13), "step"), "2");
    assert_null(json_object_get(json_array_get(blocks, 14), "step"));
    json_t *values = json_object_get(json, "values");
    assert_true(json_number_value(json_object_get(values, "node1.gain.outlook")) ==
                0.24674981977443911);
    json_decref(json);
    cairn_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_json__empty_report),
        context_test(test_json__small_snapshot),
        context_test(test_json__numbers_read_back_exactly),
        context_test(test_json__hostile_text_is_text),
        context_test(test_json__steps_are_flat_however_deep),
        context_test(test_json__sample_has_all_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
