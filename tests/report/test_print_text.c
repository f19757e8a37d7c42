/* SPDX-License-Identifier: MIT */
/* Reports as text: exact snapshots at several widths, and nothing wider than the terminal. */
#include "report/samples.h"
#include "base/text.h"
#include <math.h>
#include <stdio.h>

static void test_text__sample_at_80(void **state)
{
    cairn_report *report = new_report(*state);
    fill_sample(report);
    assert_prints(*state, report, CAIRN_FORMAT_TEXT, 80,
                  "Tree on @weather\n"
                  "════════════════\n"
                  "Note: The target play is a class; --task regress changes that.\n"
                  "\n"
                  "Data\n"
                  "────\n"
                  "Rows:           14\n"
                  "Entropy:        0.940286\n"
                  "Positive class: yes\n"
                  "\n"
                  "Step 1. Choose the root\n"
                  "Every feature is tried as the first question.\n"
                  "\n"
                  "    Gain(S, A) = H(S) − Σ |Sv|/|S| · H(Sv)\n"
                  "\n"
                  "Information gain\n"
                  "  feature          gain\n"
                  "  ───────────  ────────\n"
                  "* outlook      0.246750\n"
                  "  temperature  0.029223\n"
                  "  humidity     0.151836\n"
                  "  windy        0.048127\n"
                  "* marks the chosen row\n"
                  "\n"
                  "Step 1.1. Split\n"
                  "The rows go to three branches.\n"
                  "\n"
                  "Step 2. Stop\n"
                  "outlook\n"
                  "  overcast: yes\n"
                  "  rainy: ...\n"
                  "\n"
                  "Result\n"
                  "──────\n"
                  "All 14 rows are classified correctly.\n");
    cairn_report_free(report);
}

static void test_text__sample_at_20(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_heading(report, 1, "A title that is longer than a line");
    cairn_report_note(report, "The target is a class; an option changes that.");
    cairn_report_value(report, "Rows", 14, NULL);
    cairn_report_word(report, "Positive class", "yes", NULL);
    cairn_report_word(report, "Path", "one two three four", NULL);
    cairn_report_formula(report, "H(S) = −Σ p log₂ p");
    fill_gain_table(report);
    assert_prints(*state, report, CAIRN_FORMAT_TEXT, 20,
                  "A title that is\n"
                  "longer than a line\n"
                  "════════════════════\n"
                  "Note: The target is\n"
                  "  a class; an option\n"
                  "  changes that.\n"
                  "\n"
                  "Rows: 14\n"
                  "Positive class: yes\n"
                  "Path: one two three\n"
                  "      four\n"
                  "\n"
                  "    H(S) = −Σ p log₂\n"
                  "      p\n"
                  "\n"
                  "Information gain\n"
                  "  feature       gain\n"
                  "  ────────  ────────\n"
                  "* outlook   0.246750\n"
                  "  temperat  0.029223\n"
                  "  ure\n"
                  "  humidity  0.151836\n"
                  "  windy     0.048127\n"
                  "* marks the chosen\n"
                  "row\n");
    cairn_report_free(report);
}

static void test_text__colour_is_only_added(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report = new_report(ctx);
    cairn_print_options options = CAIRN_PRINT_OPTIONS_INIT;
    char *out = NULL;
    options.colour = true;
    cairn_report_heading(report, 1, "Title");
    cairn_report_heading(report, 2, "Section");
    cairn_report_step_begin(report, "Begin");
    fill_gain_table(report);
    assert_ok(ctx, cairn_report_print(ctx, report, CAIRN_FORMAT_TEXT, &options, &out));
    assert_string_equal(out, "\x1b[1;4mTitle\x1b[0m\n"
                             "\x1b[1mSection\x1b[0m\n"
                             "\x1b[1;36mStep 1. Begin\x1b[0m\n"
                             "\x1b[1mInformation gain\x1b[0m\n"
                             "  \x1b[1mfeature          gain\x1b[0m\n"
                             "  ───────────  ────────\n"
                             "* \x1b[1moutlook      0.246750\x1b[0m\n"
                             "  temperature  0.029223\n"
                             "  humidity     0.151836\n"
                             "  windy        0.048127\n"
                             "* marks the chosen row\n");
    cairn_string_free(out);
    cairn_report_free(report);
}

static void one_column(cairn_report *report, const double *numbers, int n, int digits)
{
    cairn_report_table_begin(report, NULL, 0);
    cairn_report_column(report, "x", 'r');
    for (int i = 0; i < n; i++) cairn_report_cell_number(report, numbers[i], digits, NULL);
    cairn_report_table_end(report);
}

static void test_text__numbers_stand_at_the_point(void **state)
{
    static const double like[] = {0.5, 12.25, 100}, unlike[] = {12345.5, 0.001234567, NAN, 3};
    static const double whole[] = {1, 1000000, -25}, large[] = {1e20, 2.5, -INFINITY};
    static const double counts[] = {1234567.25, 99.5};
    cairn_report *report = new_report(*state);
    one_column(report, like, 3, 4);
    one_column(report, unlike, 4, 6);
    one_column(report, whole, 3, 3);
    one_column(report, large, 3, 0);
    one_column(report, counts, 2, 4);
    assert_prints(*state, report, CAIRN_FORMAT_TEXT, 40,
                  "    x\n─────\n  0.5\n 12.2\n100.0\n"
                  "\n"
                  "             x\n──────────────\n12345.5\n    0.00123457\n"
                  "           n/a\n    3\n"
                  "\n"
                  "      x\n───────\n      1\n1000000\n    -25\n"
                  "\n"
                  "      x\n───────\n1e+20\n    2.5\n   -inf\n"
                  "\n"
                  "        x\n─────────\n1234567\n     99.5\n");
    cairn_report_free(report);
}

static void test_text__digits_can_be_asked_for(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report = new_report(ctx);
    cairn_print_options options = CAIRN_PRINT_OPTIONS_INIT;
    char *out = NULL;
    options.digits = 3;
    cairn_report_value(report, "pi", 3.14159265358979, NULL);
    fill_gain_table(report);
    assert_ok(ctx, cairn_report_print(ctx, report, CAIRN_FORMAT_TEXT, &options, &out));
    assert_non_null(strstr(out, "pi: 3.14\n"));
    assert_non_null(strstr(out, "* outlook      0.247\n  temperature  0.029\n"));
    cairn_string_free(out);
    cairn_report_free(report);
}

static void test_text__groups_repeat_the_columns_that_name_a_row(void **state)
{
    static const char *const names[][2] = {{"a", "b"}, {"a", "c"}};
    cairn_report *report = new_report(*state);
    cairn_report_table_of(report, NULL, 0, "llrrr", "x", "y", "first", "second", "third");
    for (size_t i = 0; i < 2; i++) {
        cairn_report_cell(report, names[i][0]);
        cairn_report_cell(report, names[i][1]);
        for (size_t j = 0; j < 3; j++)
            cairn_report_cell_number(report, 100000.5 + (double)(3 * i + j), 7, NULL);
    }
    cairn_report_table_end(report);
    assert_prints(*state, report, CAIRN_FORMAT_TEXT, 26,
                  "x  y     first    second\n"
                  "─  ─  ────────  ────────\n"
                  "a  b  100000.5  100001.5\n"
                  "a  c  100003.5  100004.5\n"
                  "\n"
                  "x  y     third\n"
                  "─  ─  ────────\n"
                  "a  b  100002.5\n"
                  "a  c  100005.5\n");
    cairn_report_free(report);
}

static void test_text__long_cells_wrap_and_wide_tables_split(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_table_begin(report, "Rules", 0);
    cairn_report_column(report, "rule", 'l');
    cairn_report_column(report, "number of rows", 'r');
    cairn_report_cell(report, "if outlook is sunny and humidity is high then no");
    cairn_report_cell_number(report, 3, 0, NULL);
    cairn_report_cell(report, "機械学習は楽しい機械学習は楽しい");
    cairn_report_cell_number(report, 12, 0, NULL);
    cairn_report_table_end(report);
    assert_prints(*state, report, CAIRN_FORMAT_TEXT, 40,
                  "Rules\n"
                  "                                  number\n"
                  "                                      of\n"
                  "rule                                rows\n"
                  "────────────────────────────────  ──────\n"
                  "if outlook is sunny and humidity       3\n"
                  "is high then no\n"
                  "機械学習は楽しい機械学習は楽しい      12\n");
    cairn_report_free(report);
    report = new_report(*state);
    cairn_report_table_begin(report, NULL, 0);
    for (int j = 0; j < 5; j++) {
        char head[16];
        snprintf(head, sizeof head, "part%d", j);
        cairn_report_column(report, head, j ? 'r' : 'l');
    }
    cairn_report_cell(report, "row");
    for (int j = 1; j < 5; j++) cairn_report_cell_number(report, 100000.5 + j, 7, NULL);
    cairn_report_table_end(report);
    assert_prints(*state, report, CAIRN_FORMAT_TEXT, 30,
                  "part0     part1     part2\n"
                  "─────  ────────  ────────\n"
                  "row    100001.5  100002.5\n"
                  "\n"
                  "part0     part3     part4\n"
                  "─────  ────────  ────────\n"
                  "row    100003.5  100004.5\n");
    cairn_report_free(report);
}

/* A head is broken only where that keeps the table in one piece. */
static void test_text__heads_of_split_tables_stay_whole(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_table_begin(report, NULL, 0);
    cairn_report_column(report, "row", 'l');
    cairn_report_column(report, "precision", 'r');
    cairn_report_column(report, "correlation", 'r');
    cairn_report_cell(report, "a");
    for (int j = 1; j < 3; j++) cairn_report_cell_number(report, 0.25 * j, 0, NULL);
    cairn_report_table_end(report);
    assert_prints(*state, report, CAIRN_FORMAT_TEXT, 20,
                  "row  precision\n"
                  "───  ─────────\n"
                  "a         0.25\n"
                  "\n"
                  "row  correlation\n"
                  "───  ───────────\n"
                  "a            0.5\n");
    cairn_report_free(report);
}

static void test_text__empty_tables(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_table_begin(report, "Nothing", 0);
    cairn_report_table_end(report);
    cairn_report_table_begin(report, "No rows", 0);
    cairn_report_column(report, "a", 'l');
    cairn_report_column(report, "b", 'c');
    cairn_report_table_end(report);
    assert_prints(*state, report, CAIRN_FORMAT_TEXT, 40,
                  "Nothing\n(no rows)\n\nNo rows\na  b\n─  ─\n(no rows)\n");
    cairn_report_free(report);
}

/* Everything that is hard to fit. */
static cairn_report *hard_report(cairn_context *ctx)
{
    cairn_report *report = new_report(ctx);
    fill_sample(report);
    cairn_report_paragraph(report, "%s", HOSTILE);
    cairn_report_paragraph(report,
                           "機械学習は e\u0301\u0301\u0301 Donaudampfschifffahrtsgesellschaft");
    for (int i = 0; i < 40; i++) cairn_report_step_begin(report, "deep %s", HOSTILE);
    cairn_report_word(report, HOSTILE, HOSTILE, NULL);
    cairn_report_table_begin(report, HOSTILE, 0);
    for (int j = 0; j < 200; j++) cairn_report_column(report, j % 3 ? HOSTILE : "x", "lrc"[j % 3]);
    for (int i = 0; i < 3; i++) {
        if (i == 1) cairn_report_row_mark(report);
        for (int j = 0; j < 200; j++)
            if ((i + j) % 5 < 3)
                cairn_report_cell_number(report, pow(-j, i * 4) / 7, 17, NULL);
            else
                cairn_report_cell(report, j % 2 ? HOSTILE : "多字节字符很宽 and more\nlines");
    }
    cairn_report_table_end(report);
    cairn_report_figure(report, NULL);
    return report;
}

static void test_text__nothing_is_wider_than_the_terminal(void **state)
{
    static const int widths[] = {20, 21, 33, 40, 80, 200, 500};
    cairn_report *report = hard_report(*state);
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        char *out = print(*state, report, CAIRN_FORMAT_TEXT, widths[i]);
        assert_int_equal(cairn_utf8_check(out, strlen(out)), strlen(out));
        for (char *line = strtok(out, "\n"); line; line = strtok(NULL, "\n")) {
            size_t length = strlen(line);
            if (cairn_text_width(line) > (size_t)widths[i])
                fail_msg("wider than %d: %s", widths[i], line);
            if (line[length - 1] == ' ') fail_msg("blanks at the end of: %s", line);
            for (const char *at = line; *at; at++)
                if ((unsigned char)*at < ' ' || *at == 0x7f) fail_msg("control letter: %s", line);
        }
        cairn_string_free(out);
    }
    cairn_report_free(report);
}

static void test_text__width_out_of_range_is_brought_in(void **state)
{
    cairn_report *report = new_report(*state);
    cairn_report_paragraph(report, "one two three four five six seven");
    assert_prints(*state, report, CAIRN_FORMAT_TEXT, 1, "one two three four\nfive six seven\n");
    assert_prints(*state, report, CAIRN_FORMAT_TEXT, -7, "one two three four five six seven\n");
    assert_prints(*state, report, CAIRN_FORMAT_TEXT, 100000, "one two three four five six seven\n");
    cairn_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_text__sample_at_80),
        context_test(test_text__sample_at_20),
        context_test(test_text__colour_is_only_added),
        context_test(test_text__numbers_stand_at_the_point),
        context_test(test_text__digits_can_be_asked_for),
        context_test(test_text__groups_repeat_the_columns_that_name_a_row),
        context_test(test_text__long_cells_wrap_and_wide_tables_split),
        context_test(test_text__heads_of_split_tables_stay_whole),
        context_test(test_text__empty_tables),
        context_test(test_text__nothing_is_wider_than_the_terminal),
        context_test(test_text__width_out_of_range_is_brought_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
