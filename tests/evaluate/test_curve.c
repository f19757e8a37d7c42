/* SPDX-License-Identifier: MIT */
/* Learning curves, distributions over splits, sizes of the parts, lists of samples. */
#include "support/fail_alloc.h"
#include "evaluate/curve.h"
#include "evaluate/spread.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static cairn_status evaluate(cairn_context *ctx, cairn_report **out, const char *learner,
                             const char *data, const char *by, const char *curve_text, bool list,
                             const char *shares)
{
    cairn_status status;
    cairn_table *table = NULL;
    cairn_params *params = NULL;
    cairn_report *report = NULL;
    cairn_evaluation e = {0};
    cairn_curve curve = {0};
    cairn_sample_list samples = {0};
    cairn_split_visit visits[2];
    cairn_evaluate_how how = {.by = by, .training = CAIRN_TRAINING_YES, .visits = visits};
    TRY(cairn_builtin_read(ctx, &table, data));
    TRY(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_LEARNER, learner));
    if (curve_text) {
        TRY(cairn_curve_parse(ctx, &curve, curve_text));
        visits[how.n_visits++] = cairn_curve_visit(&curve);
    }
    if (list) visits[how.n_visits++] = cairn_samples_visit(&samples);
    TRY(cairn_evaluate_learner(ctx, &e, params, table, &how));
    TRY(cairn_report_new(ctx, &report));
    TRY(cairn_spread_report(ctx, report, &e));
    if (curve_text) TRY(cairn_curve_report(ctx, report, &curve, &e));
    if (list) cairn_samples_report(report, &samples);
    if (shares) TRY(cairn_tradeoff_report(ctx, report, params, table, shares, 5, &how));
    TRY(cairn_report_status(report));
    *out = report;
    report = NULL;
done:
    cairn_report_free(report);
    cairn_evaluation_clear(&e);
    cairn_curve_clear(&curve);
    cairn_samples_clear(&samples);
    cairn_params_free(params);
    cairn_table_free(table);
    return status;
}

static double number(const cairn_report *report, const char *name)
{
    double value = NAN;
    if (!cairn_report_number(report, name, &value)) fail_msg("no value %s", name);
    return value;
}

static void test_curve__sizes_are_shares_of_the_training_rows(void **state)
{
    cairn_report *report;
    assert_ok(*state,
              evaluate(*state, &report, "tree:full", "iris", "cv:5", "0.1,0.5,1", false, NULL));
    assert_true(number(report, "learning_curve.1.rows") == 12);
    assert_true(number(report, "learning_curve.2.rows") == 60);
    assert_true(number(report, "learning_curve.3.rows") == 120);
    assert_true(number(report, "learning_curve.3.training") == 1);
    assert_true(number(report, "learning_curve.3.held_out") > 0.9);
    assert_true(number(report, "learning_curve.1.low") <=
                number(report, "learning_curve.1.held_out"));
    assert_true(number(report, "splits.shared_parts") == 3);
    assert_true(number(report, "splits.shared_share") == 0.75);
    cairn_report_free(report);
}

/* The last point is the whole training part, so it is what the split itself gives. */
static void test_curve__ends_at_the_estimate(void **state)
{
    cairn_report *report;
    assert_ok(*state, evaluate(*state, &report, "tree:full", "iris", "holdout:0.3,repeats=20", "4",
                               false, NULL));
    assert_float_equal(number(report, "learning_curve.4.held_out"),
                       number(report, "distribution.mean"), 1e-12);
    assert_float_equal(number(report, "learning_curve.4.training"),
                       number(report, "distribution.training"), 1e-12);
    assert_float_equal(
        number(report, "distribution.bias"),
        number(report, "distribution.training") - number(report, "distribution.mean"), 1e-12);
    cairn_report_free(report);
}

static void test_curve__small_parts_keep_the_class_shares(void **state)
{
    cairn_report *report;
    /* 3 of 120 rows: one of each class, so the majority is right in a third of the held-out rows */
    assert_ok(*state, evaluate(*state, &report, "majority", "iris", "cv:5", "3,6", false, NULL));
    assert_float_equal(number(report, "learning_curve.1.training"), 1.0 / 3, 1e-12);
    assert_float_equal(number(report, "learning_curve.2.training"), 1.0 / 3, 1e-12);
    cairn_report_free(report);
}

static void test_curve__bad_sizes(void **state)
{
    static const char *const bad[] = {"0", "-1", "x", "0.5,0.2", "2.5,3", "", "1e9"};
    cairn_curve curve;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(*state, cairn_curve_parse(*state, &curve, bad[i]), CAIRN_USAGE,
                     "learning-curve=");
}

static void test_spread__samples_are_listed(void **state)
{
    cairn_report *report;
    assert_ok(*state, evaluate(*state, &report, "majority", "weather",
                               "cv:7,shuffle=no,stratified=no", NULL, true, NULL));
    assert_string_equal(cairn_report_string(report, "split1.tested"), "1 2");
    assert_string_equal(cairn_report_string(report, "split7.learned"),
                        "1 2 3 4 5 6 7 8 9 10 11 12");
    cairn_report_free(report);
}

static void test_spread__shares(void **state)
{
    cairn_report *report;
    assert_ok(*state,
              evaluate(*state, &report, "tree:full", "iris", "cv:5", NULL, false, "0.2,0.6"));
    assert_true(number(report, "shares.1.tested") == 30);
    assert_true(number(report, "shares.2.learned") == 60);
    double p = number(report, "shares.2.mean");
    assert_float_equal(number(report, "shares.2.chance"), sqrt(p * (1 - p) / 90), 1e-12);
    cairn_report_free(report);
    assert_fails(*state, evaluate(*state, &report, "tree:full", "iris", "cv:5", NULL, false, "1.5"),
                 CAIRN_USAGE, "'shares'");
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    cairn_report *report;
    (void)data;
    cairn_status status =
        evaluate(ctx, &report, "majority", "weather", "boot:3,urn=2", "2", true, NULL);
    if (status == CAIRN_OK) cairn_report_free(report);
    return status;
}

static void test_curve__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(whole_way, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_curve__sizes_are_shares_of_the_training_rows),
        context_test(test_curve__ends_at_the_estimate),
        context_test(test_curve__small_parts_keep_the_class_shares),
        context_test(test_curve__bad_sizes),
        context_test(test_spread__samples_are_listed),
        context_test(test_spread__shares),
        cmocka_unit_test(test_curve__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
