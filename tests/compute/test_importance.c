/* SPDX-License-Identifier: MIT */
/* What a model loses without a column, and how its answers depend on one. */
#include "support/run.h"
#include "cairn/cairn.h"
#include <stdio.h>

/* y = 2x exactly; z tells nothing. */
static void put_line(cairn_context *ctx, cairn_virtual_files *files)
{
    char data[2048] = "x,z,y\n";
    for (int i = 0; i < 40; i++) {
        size_t at = strlen(data);
        snprintf(data + at, sizeof data - at, "%d,%d,%d\n", i, i * 7 % 11, 2 * i);
    }
    assert_ok(ctx, cairn_virtual_put(ctx, files, "line.csv", data, strlen(data)));
    cairn_report *report;
    assert_ok(ctx, run_words_with(ctx, &report, files,
                                  WORDS("fit", "linear", "line.csv", "--target", "y", "--task",
                                        "regress", "--save", "line")));
    cairn_report_free(report);
}

/* A cell and one drawn from all of them differ by twice the variance in the mean of squares; the
 * variance of 0 .. 39 is (40² − 1) / 12. */
static void test_importance__squared_error_of_a_line(void **state)
{
    cairn_virtual_files files = {0};
    cairn_report *report;
    double wanted = 4 * 2 * (40.0 * 40 - 1) / 12;
    put_line(*state, &files);
    assert_ok(*state, run_words_with(*state, &report, &files,
                                     WORDS("compute", "importance", "line", "line.csv",
                                           "--shuffles", "2000")));
    assert_number(report, "whole", 0, 1e-12);
    assert_number(report, "importance.z", 0, 1e-9);
    assert_number(report, "importance.x", wanted, wanted * 0.01);
    assert_true(number_of(report, "importance.x.low") < number_of(report, "importance.x"));
    assert_true(number_of(report, "importance.x.low") < wanted);
    assert_true(number_of(report, "importance.x.high") > wanted);
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

/* The mean and Student's interval of the losses on the board: t(2; 0.975) = 4.302653. */
static void test_importance__steps_add_up(void **state)
{
    cairn_virtual_files files = {0};
    cairn_report *report;
    double losses[3], mean = 0, square = 0;
    char name[32];
    put_line(*state, &files);
    assert_ok(*state, run_words_with(*state, &report, &files,
                                     WORDS("compute", "importance", "line", "line.csv",
                                           "--shuffles", "3", "--measure", "rmse", "--steps")));
    for (int r = 0; r < 3; r++) {
        snprintf(name, sizeof name, "lost.x.%d", r + 1);
        losses[r] = number_of(report, name);
        snprintf(name, sizeof name, "shuffled.x.%d", r + 1);
        assert_number(report, name, losses[r], 1e-9);
        mean += losses[r] / 3;
    }
    for (int r = 0; r < 3; r++) square += (losses[r] - mean) * (losses[r] - mean) / 2;
    assert_number(report, "importance.x", mean, 1e-9);
    assert_number(report, "importance.x.sd", sqrt(square), 1e-9);
    assert_number(report, "importance.x.low", mean - 4.302653 * sqrt(square / 3), 1e-4);
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

/* Rows that the model was fitted to are called so, others are not. */
static void test_importance__training_rows_are_called_so(void **state)
{
    static const char other[] = "x,z,y\n1,3,2\n2,1,4\n5,2,10\n9,4,18\n";
    cairn_virtual_files files = {0};
    cairn_report *report;
    put_line(*state, &files);
    assert_ok(*state, cairn_virtual_put(*state, &files, "other.csv", other, sizeof other - 1));
    assert_ok(*state, run_words_with(*state, &report, &files,
                                     WORDS("compute", "importance", "line", "line.csv")));
    assert_string_equal(cairn_report_string(report, "rows_are"), "the training rows");
    cairn_report_free(report);
    assert_ok(*state, run_words_with(*state, &report, &files,
                                     WORDS("compute", "importance", "line", "other.csv")));
    assert_string_equal(cairn_report_string(report, "rows_are"), "given");
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

static void test_importance__refusals_and_the_picture(void **state)
{
    cairn_virtual_files files = {0};
    cairn_report *report = NULL;
    put_line(*state, &files);
    assert_int_equal(
        run_words_with(*state, &report, &files,
                       WORDS("compute", "importance", "line", "line.csv", "--measure", "accuracy")),
        CAIRN_USAGE);
    cairn_report_free(report);
    assert_ok(*state, cairn_virtual_put(*state, &files, "bare.csv", "x,z\n1,2\n2,3\n", 12));
    assert_int_equal(
        run_words_with(*state, &report, &files, WORDS("compute", "importance", "line", "bare.csv")),
        CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(*state), "'y'"));
    cairn_report_free(report);
    assert_ok(*state, run_words_with(*state, &report, &files,
                                     WORDS("draw", "importance", "line", "line.csv")));
    assert_string_equal(cairn_figure_name(cairn_report_figure_at(report, 0)), "importance");
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

/* -- dependence -- */

/* y = 2x, so that the mean answer at x is 2x, whatever the rows are. */
static void test_dependence__of_a_line_is_the_line(void **state)
{
    cairn_virtual_files files = {0};
    cairn_report *report;
    put_line(*state, &files);
    assert_ok(*state,
              run_words_with(*state, &report, &files,
                             WORDS("compute", "dependence", "line", "line.csv", "--points", "4")));
    assert_number(report, "dependence.x.1.at", 0, 0);
    assert_number(report, "dependence.x.4.at", 39, 0);
    for (int p = 1; p <= 4; p++) {
        char at[32], mean[32], sd[32];
        snprintf(at, sizeof at, "dependence.x.%d.at", p);
        snprintf(mean, sizeof mean, "dependence.x.%d", p);
        snprintf(sd, sizeof sd, "dependence.x.%d.sd", p);
        assert_number(report, mean, 2 * number_of(report, at), 1e-9);
        assert_number(report, sd, 0, 1e-9);
    }
    assert_number(report, "range.x", 78, 1e-9);
    assert_number(report, "range.z", 0, 1e-9);
    assert_number(report, "dependence.z.1", 39, 1e-9);
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

/* The weather tree: with rain 8 of 14 days (weak wind) are yes, with sun 7 (normal humidity), with
 * clouds all. */
static void test_dependence__of_levels_counts_answers(void **state)
{
    cairn_virtual_files files = {0};
    cairn_report *report;
    assert_ok(*state, run_words_with(*state, &report, &files,
                                     WORDS("fit", "tree", "@weather", "--save", "w")));
    cairn_report_free(report);
    assert_ok(*state, run_words_with(*state, &report, &files,
                                     WORDS("compute", "dependence", "w", "@weather", "--columns",
                                           "outlook", "--steps")));
    assert_string_equal(cairn_report_string(report, "dependence.outlook.1.at"), "sunny");
    assert_number(report, "dependence.outlook.1", 7.0 / 14, 1e-12);
    assert_number(report, "dependence.outlook.2", 1, 1e-12);
    assert_number(report, "dependence.outlook.3", 8.0 / 14, 1e-12);
    cairn_report_free(report);
    assert_ok(*state, run_words_with(*state, &report, &files,
                                     WORDS("draw", "dependence", "w", "@weather")));
    assert_string_equal(cairn_figure_name(cairn_report_figure_at(report, 0)), "dependence");
    cairn_report_free(report);
    assert_int_equal(
        run_words_with(*state, &report, &files,
                       WORDS("compute", "dependence", "w", "@weather", "--columns", "moon")),
        CAIRN_USAGE);
    cairn_report_free(report);
    assert_int_equal(
        run_words_with(*state, &report, &files,
                       WORDS("compute", "dependence", "w", "@weather", "--of-class", "perhaps")),
        CAIRN_USAGE);
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

/* Of three classes all are told, and their means sum to 1. */
static void test_dependence__of_three_classes(void **state)
{
    cairn_virtual_files files = {0};
    cairn_report *report;
    assert_ok(*state, run_words_with(*state, &report, &files,
                                     WORDS("fit", "bayes", "@iris", "--save", "b")));
    cairn_report_free(report);
    assert_ok(*state, run_words_with(*state, &report, &files,
                                     WORDS("compute", "dependence", "b", "@iris", "--columns",
                                           "petal_width", "--sample", "50", "--points", "10")));
    assert_number(report, "rows", 50, 0);
    double sum = number_of(report, "dependence.petal_width.2.setosa") +
                 number_of(report, "dependence.petal_width.2.versicolor") +
                 number_of(report, "dependence.petal_width.2.virginica");
    assert_true(fabs(sum - 1) < 1e-9);
    assert_string_equal(cairn_report_string(report, "answer"), "setosa, versicolor, virginica");
    double low = INFINITY, high = -INFINITY, mean;
    char name[64];
    for (int p = 1; p <= 10; p++) {
        snprintf(name, sizeof name, "dependence.petal_width.%d.virginica", p);
        mean = number_of(report, name);
        low = fmin(low, mean);
        high = fmax(high, mean);
    }
    assert_number(report, "range.petal_width.virginica", high - low, 1e-12);
    assert_true(number_of(report, "range.petal_width.versicolor") > 0.1);
    cairn_report_free(report);
    cairn_virtual_clear(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_importance__squared_error_of_a_line),
        context_test(test_importance__steps_add_up),
        context_test(test_importance__training_rows_are_called_so),
        context_test(test_importance__refusals_and_the_picture),
        context_test(test_dependence__of_a_line_is_the_line),
        context_test(test_dependence__of_levels_counts_answers),
        context_test(test_dependence__of_three_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
