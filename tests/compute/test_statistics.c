/* SPDX-License-Identifier: MIT */
#include "model/calculator.h"
#include "support/fail_alloc.h"
#include "support/run.h"

#include <math.h>

static void assert_value(const cairn_report *report, const char *name, double expected)
{
    assert_number(report, name, expected, 1e-7);
}

static void assert_refused(cairn_context *ctx, const char *const *words, const char *part)
{
    cairn_report *r = NULL;
    assert_fails(ctx, run_words(ctx, &r, words), CAIRN_USAGE, part);
    cairn_report_free(r);
}

static void test_statistics__by_group_and_with_missing(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "statistics", "--values", "1,2,nan,6,8", "--groups",
                                   "a,a,a,b,b", "--steps")));
    assert_value(r, "n", 4);
    assert_value(r, "missing", 1);
    assert_value(r, "mean", 4.25);
    assert_value(r, "by.a.mean", 1.5);
    assert_value(r, "by.b.variance", 2);
    assert_value(r, "modes", 4);
    assert_value(r, "steps.square.1", 3.25 * 3.25);
    cairn_report_free(r);
}

static void test_statistics__of_nothing_is_undefined(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r, WORDS("compute", "statistics", "--values", "nan")));
    assert_value(r, "n", 0);
    assert_value(r, "mean", NAN);
    assert_value(r, "median", NAN);
    cairn_report_free(r);
}

static void test_modality__of_known_distributions_and_mixtures(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(
        ctx, run_words(ctx, &r,
                       WORDS("compute", "modality", "--distribution", "chi-squared", "--df", "6")));
    assert_value(r, "peaks", 1);
    assert_value(r, "peak.1", 4); /* df - 2 */
    cairn_report_free(r);
    assert_ok(ctx, run_words(ctx, &r, WORDS("compute", "modality", "--distribution", "t")));
    assert_value(r, "peaks", 1);
    assert_value(r, "peak.1", 0);
    cairn_report_free(r);
    assert_ok(ctx, run_words(ctx, &r, WORDS("compute", "modality", "--mixture", "1,0,1;1,2,1")));
    assert_value(r, "peaks", 1); /* two sd apart is not enough */
    cairn_report_free(r);
    assert_ok(ctx, run_words(ctx, &r, WORDS("compute", "modality", "--mixture", "1,0,1;1,6,1")));
    assert_value(r, "peaks", 2);
    assert_value(r, "antimode.1", 3);
    cairn_report_free(r);
}

static void test_contingency__of_two_columns(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx,
              run_words(ctx, &r, WORDS("compute", "contingency", "@weather", "--rows", "wind")));
    assert_value(r, "count.1.1", 2);
    assert_value(r, "count.total", 14);
    assert_value(r, "expected.1.1", 8 * 5 / 14.0);
    assert_value(r, "quetelet.1.1", 2 / (8 * 5 / 14.0) - 1);
    cairn_report_free(r);
}

static void test_percentiles__and_back(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx,
              run_words(ctx, &r,
                        WORDS("compute", "percentiles", "--values", "10,20,30,40", "--percents",
                              "25,50", "--at", "20,25", "--quantile", "inverse")));
    assert_value(r, "percentile.1", 10);
    assert_value(r, "percentile.2", 20);
    assert_value(r, "at.1.share", 0.5);
    assert_value(r, "at.1.below", 0.25);
    assert_value(r, "at.2.share", 0.5);
    assert_value(r, "mean.share", 0.5);
    cairn_report_free(r);
}

static void test_statistics__refusals(void **state)
{
    cairn_context *ctx = *state;
    assert_refused(ctx, WORDS("compute", "statistics"), "needs --values");
    assert_refused(ctx, WORDS("compute", "statistics", "@iris", "--values", "1"), "either");
    assert_refused(ctx, WORDS("compute", "statistics", "@iris", "--column", "species"),
                   "not numbers");
    assert_refused(ctx, WORDS("compute", "statistics", "--values", "1,2", "--weights", "1,-1"),
                   "number 2 must be in [0,inf), not -1");
    assert_refused(ctx, WORDS("compute", "statistics", "--quartiles", "3,2,1"), "do not descend");
    assert_refused(ctx, WORDS("compute", "statistics", "--values", "1", "--probabilities", "2"),
                   "number 1 must be in [0,1], not 2");
    assert_refused(ctx, WORDS("compute", "frequency", "@iris", "--by", "sepal_width"),
                   "holds no levels");
    assert_refused(ctx, WORDS("compute", "percentiles", "--values", "1", "--percents", "101"),
                   "in [0,100], not");
    assert_refused(ctx, WORDS("compute", "modality"), "needs one of");
    assert_refused(ctx, WORDS("compute", "modality", "--mixture", "1,0,0"), "sd above 0");
    assert_refused(ctx, WORDS("compute", "modality", "--mixture", "1,0"), "weight,mean,sd");
    assert_refused(ctx, WORDS("compute", "contingency", "@iris"), "--rows");
    assert_refused(ctx, WORDS("compute", "contingency", "--table", "1,-1"), "not negative");
    assert_refused(ctx, WORDS("draw", "splits", "@iris"), "no level column");
    assert_refused(ctx, WORDS("draw", "splits", "@iris", "--cuts", "petal_length"),
                   "COLUMN=NUMBER");
    assert_refused(ctx, WORDS("draw", "splits", "@iris", "--columns", "petal_length"), "--cuts");
    assert_refused(ctx, WORDS("compute", "correlation-ratio", "--values", "1,2"), "needs groups");
}

static cairn_status run_data(cairn_context *ctx, void *data)
{
    cairn_report *r = NULL;
    cairn_status status = run_words(ctx, &r, data);
    cairn_report_free(r);
    return status;
}

static void test_statistics__survive_failing_allocations(void **state)
{
    const char *const *const commands[] = {
        WORDS("compute", "statistics", "@iris", "--by", "species", "--at", "3", "--steps"),
        WORDS("compute", "frequency", "@iris", "--by", "species"),
        WORDS("compute", "percentiles", "@iris", "--at", "3", "--by", "species"),
        WORDS("compute", "rescaling", "@iris", "--k", "2"),
        WORDS("draw", "basis", "--with", "basis:rbf,count=3"),
        WORDS("draw", "basis", "@iris", "--with", "basis:powers,degree=2"),
        WORDS("compute", "modality", "@iris"),
        WORDS("compute", "modality", "@iris", "--method", "histogram", "--by", "species"),
        WORDS("compute", "modality", "--mixture", "1,0,1;1,2,1"),
        WORDS("compute", "contingency", "@weather"),
        WORDS("compute", "correlation-ratio", "@iris", "--by", "species"),
        WORDS("draw", "histogram", "@iris", "--density", "--normal", "--mark-at", "3"),
        WORDS("draw", "density", "@iris", "--histogram", "--normal", "--peaks"),
        WORDS("draw", "splits", "@weather"),
        WORDS("draw", "splits", "@iris", "--cuts", "petal_length=2.45"),
        WORDS("draw", "percentiles", "@iris", "--at", "3", "--colour", "species"),
    };
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        assert_survives_allocation_failures(run_data, (void *)commands[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_statistics__by_group_and_with_missing),
        context_test(test_statistics__of_nothing_is_undefined),
        context_test(test_modality__of_known_distributions_and_mixtures),
        context_test(test_contingency__of_two_columns),
        context_test(test_percentiles__and_back),
        context_test(test_statistics__refusals),
        cmocka_unit_test(test_statistics__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
