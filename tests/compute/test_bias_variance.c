/* SPDX-License-Identifier: MIT */
/* compute bias-variance: the identity, cases that are known, refusals. */
#include "support/unit.h"
#include "support/figures.h"
#include "cairn/run.h"
#include "report/report.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static cairn_status run(cairn_context *ctx, cairn_report **out, int argc, const char *const *argv)
{
    cairn_report *report;
    cairn_status status = cairn_report_new(ctx, &report);
    if (status == CAIRN_OK) status = cairn_run(ctx, report, argc, argv);
    *out = report;
    return status;
}

#define RUN(state, out, ...)                                                                       \
    run(state, out, (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)),                 \
        (const char *[]){__VA_ARGS__})

static double number(const cairn_report *report, const char *name)
{
    double value = NAN;
    if (!cairn_report_number(report, name, &value)) fail_msg("no value %s", name);
    return value;
}

static void test_bias_variance__parts_add_up(void **state)
{
    cairn_report *r;
    assert_ok(*state, RUN(*state, &r, "compute", "bias-variance", "--formula", "sin(6*x)",
                          "--learner", "tree:max-depth=3", "--samples", "30", "--points", "7"));
    assert_float_equal(number(r, "bias2") + number(r, "variance"), number(r, "total"), 1e-12);
    assert_float_equal(number(r, "total") + 0.09, number(r, "expected"), 1e-12);
    assert_float_equal(number(r, "x3.bias2") + number(r, "x3.variance"), number(r, "x3.total"),
                       1e-12);
    cairn_report_free(r);
}

/* The mean of y = 2x over x evenly in 0..1 is 1 on average: bias² at x is (2x - 1)², and over five
 * places from 0 to 1 its mean is 0.5. The variance is that of a mean of 30: 4/12/30. */
static void test_bias_variance__of_the_mean(void **state)
{
    cairn_report *r;
    assert_ok(*state, RUN(*state, &r, "compute", "bias-variance", "--formula", "2*x", "--learner",
                          "majority", "--noise", "0", "--samples", "4000", "--points", "5"));
    assert_float_equal(number(r, "bias2"), 0.5, 0.01);
    assert_float_equal(number(r, "variance"), 4.0 / 12 / 30, 0.001);
    cairn_report_free(r);
}

/* Four boards of eight settings, both ends among them. */
static void test_bias_variance__dartboards(void **state)
{
    cairn_report *r;
    const cairn_figure *boards;
    char *text;
    assert_ok(*state, RUN(*state, &r, "compute", "bias-variance", "--formula", "sin(6*x)",
                          "--learner", "tree", "--over", "max-depth=1:8", "--samples", "4"));
    boards = find_figure(r, "dartboards");
    assert_non_null(boards);
    assert_ok(*state, cairn_figure_svg(*state, boards, &text));
    assert_non_null(strstr(text, "max-depth=1<"));
    assert_non_null(strstr(text, "max-depth=8<"));
    assert_null(strstr(text, "max-depth=2<"));
    cairn_string_free(text);
    cairn_report_free(r);
}

static void test_bias_variance__nothing_is_left_of_a_line(void **state)
{
    cairn_report *r;
    assert_ok(*state, RUN(*state, &r, "compute", "bias-variance", "--formula", "3 - 2*x", "--noise",
                          "0", "--samples", "5"));
    assert_true(number(r, "total") < 1e-20);
    cairn_report_free(r);
}

static void test_bias_variance__votes(void **state)
{
    cairn_report *r;
    assert_ok(*state, RUN(*state, &r, "compute", "bias-variance", "@iris", "--learner", "tree",
                          "--over", "max-depth=1,3", "--samples", "25"));
    /* a stump gives one of three classes up */
    assert_true(number(r, "setting1.bias") > 0.3);
    assert_true(number(r, "setting2.total") < 0.1);
    assert_float_equal(number(r, "setting1.variance.harmful") +
                           number(r, "setting1.variance.helpful"),
                       number(r, "setting1.variance"), 1e-12);
    assert_string_equal(cairn_report_string(r, "best"), "max-depth=3");
    cairn_report_free(r);
}

static void test_bias_variance__refusals(void **state)
{
    cairn_report *r;
    assert_fails(*state, RUN(*state, &r, "compute", "bias-variance"), CAIRN_USAGE, "--formula");
    cairn_report_free(r);
    assert_fails(*state, RUN(*state, &r, "compute", "bias-variance", "--formula", "log(x - 2)"),
                 CAIRN_BAD_DATA, "--low");
    cairn_report_free(r);
    assert_fails(*state,
                 RUN(*state, &r, "compute", "bias-variance", "--formula", "x", "--low", "2"),
                 CAIRN_USAGE, "--low");
    cairn_report_free(r);
    assert_fails(
        *state,
        RUN(*state, &r, "compute", "bias-variance", "--formula", "x", "--learner", "kmeans"),
        CAIRN_USAGE, "kmeans");
    cairn_report_free(r);
    assert_fails(*state,
                 RUN(*state, &r, "compute", "bias-variance", "@iris", "--learner", "tree", "--over",
                     "breadth=1,2"),
                 CAIRN_USAGE, "breadth");
    cairn_report_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_bias_variance__parts_add_up),
        context_test(test_bias_variance__of_the_mean),
        context_test(test_bias_variance__dartboards),
        context_test(test_bias_variance__nothing_is_left_of_a_line),
        context_test(test_bias_variance__votes),
        context_test(test_bias_variance__refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
