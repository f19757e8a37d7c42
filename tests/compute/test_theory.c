/* SPDX-License-Identifier: MIT */
/* What can be learned: bounds, labelings, terms and Horn theories against brute force. */
#include "cairn/run.h"
#include "compute/compute.h"
#include "support/fail_alloc.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static cairn_status compute(cairn_context *ctx, cairn_report **out, const char *const *words)
{
    int n = 0;
    while (words[n]) n++;
    cairn_status status = cairn_report_new(ctx, out);
    if (status == CAIRN_OK) status = cairn_run(ctx, *out, n, words);
    return status;
}

static double number(const cairn_report *report, const char *name)
{
    double found;
    if (!cairn_report_number(report, name, &found)) fail_msg("there is no value %s", name);
    return found;
}

static void assert_value(const cairn_report *report, const char *name, double expected)
{
    double found = number(report, name);
    if (!(fabs(found - expected) < 1e-9 * fmax(1, fabs(expected))))
        fail_msg("%s is %.12g", name, found);
}

/* Each of the four quantities comes back from the other three. */
static void test_pac__any_of_four(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, compute(ctx, &r,
                           WORDS("compute", "pac", "--hypotheses", "487", "--epsilon", "0.05",
                                 "--delta", "0.01")));
    double m = (log(487) + log(100)) / 0.05;
    assert_value(r, "bound", m);
    assert_value(r, "m", ceil(m));
    cairn_report_free(r);
    assert_ok(ctx, compute(ctx, &r,
                           WORDS("compute", "pac", "--hypotheses", "487", "--m", "216", "--delta",
                                 "0.01")));
    assert_value(r, "epsilon", (log(487) + log(100)) / 216);
    cairn_report_free(r);
    assert_ok(ctx, compute(ctx, &r,
                           WORDS("compute", "pac", "--hypotheses", "487", "--m", "216", "--epsilon",
                                 "0.05")));
    assert_value(r, "delta", 487 * exp(-0.05 * 216));
    cairn_report_free(r);
    assert_ok(ctx, compute(ctx, &r,
                           WORDS("compute", "pac", "--delta", "0.01", "--m", "216", "--epsilon",
                                 "0.05")));
    assert_value(r, "hypotheses", exp(0.05 * 216) * 0.01);
    cairn_report_free(r);
}

/* The epsilon that m examples promise needs m examples. */
static void test_pac__vc_round_trip(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    char text[40];
    assert_ok(ctx, compute(ctx, &r,
                           WORDS("compute", "pac", "--vc", "4", "--m", "3000", "--delta", "0.05")));
    double epsilon = number(r, "vc.epsilon");
    assert_value(r, "vapnik.gap", sqrt((4 * (log(6000 / 4.0) + 1) + log(80)) / 3000));
    cairn_report_free(r);
    snprintf(text, sizeof text, "%.17g", epsilon);
    assert_ok(ctx,
              compute(ctx, &r,
                      WORDS("compute", "pac", "--vc", "4", "--epsilon", text, "--delta", "0.05")));
    assert_value(r, "vc.m", 3000);
    cairn_report_free(r);
}

/* With one bit and the target 1, Find-S errs by 1/2 exactly when no positive was drawn. */
static void test_pac__simulation_by_hand(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, compute(ctx, &r,
                           WORDS("compute", "pac", "--simulate", "conjunctions", "--features", "1",
                                 "--target", "1", "--at", "2", "--epsilon", "0.1", "--delta",
                                 "0.05", "--runs", "20000")));
    assert_true(fabs(number(r, "sim1.share") - 0.75) < 0.015);
    assert_value(r, "sim1.true_error", 0.5 * (1 - number(r, "sim1.share")));
    assert_value(r, "sim1.training_error", 0);
    cairn_report_free(r);
    /* the range of two points in the unit interval has the mean 1/3 */
    assert_ok(ctx, compute(ctx, &r,
                           WORDS("compute", "pac", "--simulate", "rectangles", "--features", "1",
                                 "--target", "0,1", "--at", "2", "--epsilon", "0.1", "--delta",
                                 "0.05", "--runs", "20000")));
    assert_true(fabs(number(r, "sim1.true_error") - 2.0 / 3) < 0.01);
    cairn_report_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_pac__any_of_four),
        context_test(test_pac__vc_round_trip),
        context_test(test_pac__simulation_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
