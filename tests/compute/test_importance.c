/* SPDX-License-Identifier: MIT */
/* What a model loses without a column. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_importance__squared_error_of_a_line),
        context_test(test_importance__steps_add_up),
        context_test(test_importance__refusals_and_the_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
