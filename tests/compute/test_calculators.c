/* SPDX-License-Identifier: MIT */
#include "model/calculator.h"
#include "support/fail_alloc.h"
#include "support/run.h"

#include "base/memory.h"

#include <math.h>

static void assert_value(const cairn_report *report, const char *name, double expected)
{
    assert_number(report, name, expected, 1e-9);
}

/* At F = 1/2 both densities are 4 phi(d'/2) / d'. */
static void test_compute__calibrated_density(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *report;
    assert_ok(ctx, run_words(ctx, &report,
                             WORDS("compute", "calibrated-density", "--separations", "1", "--at",
                                   "0.5,0.25,0.75")));
    assert_value(report, "separation1.positive.1", 4 * exp(-0.125) / sqrt(2 * acos(-1)));
    assert_value(report, "separation1.negative.1", 4 * exp(-0.125) / sqrt(2 * acos(-1)));
    double low, high;
    assert_true(cairn_report_number(report, "separation1.positive.3", &high));
    assert_true(cairn_report_number(report, "separation1.negative.2", &low));
    assert_value(report, "separation1.positive.3", low); /* one is the mirror of the other */
    assert_value(report, "separation1.accuracy", 0.6914624612740131);
    assert_value(report, "separation1.auc", 0.7602499389065233);
    cairn_report_free(report);
    assert_fails(ctx,
                 run_words(ctx, &report, WORDS("compute", "calibrated-density", "--at", "0.5,1")),
                 CAIRN_USAGE, "number 2");
    cairn_report_free(report);
    assert_fails(
        ctx, run_words(ctx, &report, WORDS("compute", "calibrated-density", "--separations", "0")),
        CAIRN_USAGE, "number 1 must be in (0,inf), not 0");
    cairn_report_free(report);
}

static void test_compute__impurity_of_counts(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r, WORDS("compute", "impurity", "--counts", "9,5")));
    double p = 9 / 14.0, q = 5 / 14.0;
    assert_value(r, "entropy", -p * log2(p) - q * log2(q));
    assert_value(r, "gini", 1 - p * p - q * q);
    assert_value(r, "minority", q);
    assert_value(r, "sqrt_gini", sqrt(p * q));
    assert_value(r, "share.1", p);
    cairn_report_free(r);
}

static void test_compute__impurity_of_several_sets(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r, WORDS("compute", "impurity", "--counts", "1,1;4,0")));
    assert_value(r, "set1.entropy", 1);
    assert_value(r, "set2.entropy", 0);
    cairn_report_free(r);
}

static void test_compute__impurity_curves_come_with_a_figure(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r, WORDS("compute", "impurity", "--at", "0.5,0.1")));
    assert_value(r, "at.entropy.1", 1);
    assert_value(r, "at.gini.2", 0.18);
    assert_value(r, "at.sqrt_gini.2", 0.3);
    assert_int_equal(cairn_report_figure_count(r), 1);
    cairn_report_free(r);
}

static void test_compute__split_of_a_typed_table(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r, WORDS("compute", "split", "--table", "50,0,0;0,50,50")));
    assert_value(r, "gain", log2(3) - 2 / 3.0);
    assert_value(r, "gini_reduction", 1 / 3.0);
    assert_value(r, "chi_squared", 150);
    assert_value(r, "chi_squared_share", 1);
    assert_value(r, "gini_after", 1 / 3.0);
    cairn_report_free(r);
}

static void test_compute__split_of_a_table(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    double gain;
    assert_ok(ctx, run_words(ctx, &r, WORDS("compute", "split", "@weather")));
    assert_true(cairn_report_number(r, "gain.outlook", &gain));
    assert_true(fabs(gain - 0.24674981977443933) < 1e-12);
    assert_value(r, "split_information.humidity", 1);
    cairn_report_free(r);
}

/* Ten times the positives: Gini prefers another column, its root does not, and what a part keeps of
 * the root stays the same. */
static void test_compute__split_with_a_class_repeated(void **state)
{
    static const char *const splits[] = {"compute",  "split",     "--table", "8,2;2,8", "--table",
                                         "10,6;0,4", "--inflate", "10",      NULL};
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r, splits));
    assert_value(r, "split1.part1.relative_gini", 0.32);
    assert_value(r, "split1.part1.relative_sqrt_gini", 0.4);
    assert_value(r, "inflated.split1.part1.relative_sqrt_gini", 0.4);
    assert_string_equal(cairn_report_string(r, "order.gini"), "1, 2");
    assert_string_equal(cairn_report_string(r, "inflated.order.gini"), "2, 1");
    assert_string_equal(cairn_report_string(r, "inflated.order.sqrt_gini"), "2, 1");
    cairn_report_free(r);
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "split", "@weather", "--inflate", "10",
                                   "--inflated-class", "2")));
    assert_value(r, "best.gini", 1);
    assert_string_equal(cairn_report_string(r, "order.gini"),
                        "outlook, humidity, wind, temperature");
    /* 20+3, 40+0, 30+2 rows: 2 (20 3 / 23 + 30 2 / 32) / 95 */
    assert_value(r, "inflated.gini.outlook", 2 * (60. / 23 + 60. / 32) / 95);
    cairn_report_free(r);
}

/* Four times as many positives in use as in the leaves: every cost ratio counts four times. */
static void test_compute__leaves_with_other_class_ratios(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "leaves", "--leaves", "3,1;1,7", "--at", "2",
                                   "--class-ratio", "2", "--score-add", "1")));
    assert_value(r, "class_shift", 4);
    assert_value(r, "at.2.c", 8);
    assert_string_equal(cairn_report_string(r, "at.2.labels"), "++");
    assert_value(r, "leaf2.breakpoint", 7);
    assert_value(r, "leaf1.score", 1);
    assert_value(r, "leaf2.score", -2);
    cairn_report_free(r);
}

static void test_compute__refusals(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    const struct {
        const char *const *words;
        const char *part;
    } bad[] = {
        {WORDS("compute", "impurity"), "needs DATA, --counts or --at"},
        {WORDS("compute", "impurity", "--counts", "1,x"), "x"},
        {WORDS("compute", "impurity", "--counts", "1,-1"), "not negative"},
        {WORDS("compute", "impurity", "--counts", "1,inf"), "finite"},
        {WORDS("compute", "impurity", "--counts", "1,2;"), "row 2"},
        {WORDS("compute", "impurity", "--at", "2"), "[0,1]"},
        {WORDS("compute", "split"), "needs --table"},
        {WORDS("compute", "split", "--table", "1,2;3"), "row 2"},
        {WORDS("compute", "split", "@iris", "--target", "petal_width"), "not classes"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_fails(ctx, run_words(ctx, &r, bad[i].words), CAIRN_USAGE, bad[i].part);
        cairn_report_free(r);
    }
}

static cairn_status split_work(cairn_context *ctx, void *data)
{
    cairn_report *r = NULL;
    (void)data;
    cairn_status status =
        run_words(ctx, &r, WORDS("compute", "split", "--table", "3,2;4,0;2,3", "--steps"));
    cairn_report_free(r);
    return status;
}

static void test_compute__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(split_work, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_compute__calibrated_density),
        context_test(test_compute__impurity_of_counts),
        context_test(test_compute__impurity_of_several_sets),
        context_test(test_compute__impurity_curves_come_with_a_figure),
        context_test(test_compute__split_of_a_typed_table),
        context_test(test_compute__split_of_a_table),
        context_test(test_compute__split_with_a_class_repeated),
        context_test(test_compute__leaves_with_other_class_ratios),
        context_test(test_compute__refusals),
        context_test(test_compute__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
