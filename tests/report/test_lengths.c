/* SPDX-License-Identifier: MIT */
/* A report in brief and in full: one document, whose parts say which length they are for. */
#include "report/samples.h"

#include <string.h>

static const size_t SCREEN = 14;

/* The report as text: of so many lines, or in full (0). */
static char *printed(cairn_context *ctx, const cairn_report *report, cairn_format format,
                     size_t lines)
{
    cairn_print_options options = CAIRN_PRINT_OPTIONS_INIT;
    char *text = NULL;
    options.lines = lines;
    assert_ok(ctx, cairn_report_print(ctx, report, format, &options, &text));
    return text;
}

static void fill(cairn_report *report)
{
    cairn_report_heading(report, 1, "Title");
    unsigned before = cairn_report_only(report, CAIRN_IN_BRIEF);
    cairn_report_table_of(report, NULL, 0, "lr", "what", "value");
    cairn_report_cell(report, "accuracy");
    cairn_report_cell_number(report, 0.8, 2, NULL);
    cairn_report_for(report, before);
    before = cairn_report_only(report, CAIRN_IN_FULL);
    cairn_report_value(report, "accuracy", 0.8125, "accuracy");
    (void)cairn_report_only(report, CAIRN_IN_BRIEF); /* for neither */
    cairn_report_value(report, "nowhere", 3, "nowhere");
    cairn_report_for(report, before);
    cairn_report_paragraph(report, "Both.");
}

static void test_lengths__each_shows_its_parts(void **state)
{
    cairn_report *report = new_report(*state);
    fill(report);
    cairn_report_more(report, "%s", "--full · --figure roc");
    char *brief = printed(*state, report, CAIRN_FORMAT_TEXT, SCREEN);
    char *full = printed(*state, report, CAIRN_FORMAT_TEXT, 0);
    assert_string_equal(brief, "Title\n═════\n"
                               "what      value\n────────  ─────\naccuracy    0.8\n\n"
                               "Both.\n\nMore: --full · --figure roc\n");
    assert_string_equal(full, "Title\n═════\naccuracy: 0.8125\n\nBoth.\n");
    cairn_string_free(brief);
    cairn_string_free(full);
    cairn_report_free(report);
}

static void test_lengths__names_and_tables_are_those_of_the_full_form(void **state)
{
    cairn_report *report = new_report(*state);
    double value;
    fill(report);
    assert_true(cairn_report_number(report, "accuracy", &value));
    assert_true(cairn_report_number(report, "nowhere", &value));
    assert_int_equal(cairn_report_table_count(report), 0);
    char *json = printed(*state, report, CAIRN_FORMAT_JSON, SCREEN);
    assert_non_null(strstr(json, "\"accuracy\": 0.8125"));
    assert_null(strstr(json, "\"table\""));
    assert_null(strstr(json, "\"label\": \"nowhere\""));
    cairn_string_free(json);
    cairn_report_free(report);
}

static void test_lengths__a_part_is_for_what_its_place_is_for(void **state)
{
    cairn_report *report = new_report(*state), *part = new_report(*state);
    fill(part);
    unsigned before = cairn_report_only(report, CAIRN_IN_FULL);
    cairn_report_append(report, part, NULL);
    cairn_report_for(report, before);
    cairn_report_more(report, "%s", "--full");
    cairn_report_paragraph(report, "Outside.");
    char *brief = printed(*state, report, CAIRN_FORMAT_TEXT, SCREEN);
    char *full = printed(*state, report, CAIRN_FORMAT_TEXT, 0);
    assert_string_equal(brief, "Outside.\n\nMore: --full\n");
    assert_string_equal(full, "Title\n═════\naccuracy: 0.8125\n\nBoth.\n\nOutside.\n");
    cairn_string_free(brief);
    cairn_string_free(full);
    cairn_report_free(report);
    cairn_report_free(part);
}

static void test_lengths__what_is_clipped_ends_where_the_screen_does(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_paragraph(report, "Before.");
    cairn_report_clip_begin(report, 3);
    cairn_report_verbatim(report, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
    cairn_report_clip_end(report);
    cairn_report_more(report, "%s", "--full");
    cairn_report_paragraph(report, "After.");
    char *brief = printed(*state, report, CAIRN_FORMAT_TEXT, SCREEN);
    assert_string_equal(brief, "Before.\n\n1\n2\n3\n4\n5\n… and 5 more lines\n\nAfter.\n\n"
                               "More: --full\n");
    cairn_string_free(brief);
    char *full = printed(*state, report, CAIRN_FORMAT_TEXT, 0);
    assert_string_equal(full, "Before.\n\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n\nAfter.\n");
    cairn_string_free(full);
    cairn_report_free(report);
}

static void test_lengths__nothing_is_said_where_nothing_was_left_out(void **state)
{
    cairn_report *report = new_report(*state);
    fill_sample(report);
    cairn_report_clip_begin(report, 3);
    cairn_report_paragraph(report, "Short.");
    cairn_report_clip_end(report);
    char *brief = printed(*state, report, CAIRN_FORMAT_TEXT, 100);
    char *full = printed(*state, report, CAIRN_FORMAT_TEXT, 0);
    assert_string_equal(brief, full);
    cairn_string_free(brief);
    cairn_string_free(full);
    cairn_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_lengths__each_shows_its_parts),
        context_test(test_lengths__names_and_tables_are_those_of_the_full_form),
        context_test(test_lengths__a_part_is_for_what_its_place_is_for),
        context_test(test_lengths__what_is_clipped_ends_where_the_screen_does),
        context_test(test_lengths__nothing_is_said_where_nothing_was_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
