/* SPDX-License-Identifier: MIT */
/* Densities of proofs, against what a board says. */
#include "stats/plain_normal.h"

#include "support/unit.h"

#include <math.h>

static const double log_two_pi = 1.8378770664093454836;

static void test_plain_normal__densities_by_hand(void **state)
{
    cairn_context *ctx = *state;
    static const double covariance[] = {4, 2, 2, 5}, mean[] = {1, -1}, x[] = {3, 2};
    const double gap[] = {NAN, 2}, nothing[] = {NAN, NAN};
    cairn_plain_normal p;
    assert_ok(ctx, cairn_plain_normal_make(ctx, &p, 2, false));
    cairn_plain_normal_set(&p, covariance, NULL);
    /* determinant 16; (2, 3) S^-1 (2, 3)' = (5*4 - 2*2*6 + 4*9) / 16 = 2 */
    assert_true(fabs(cairn_plain_normal_log(&p, x, mean) + log_two_pi + log(16) / 2 + 1) < 1e-14);
    assert_true(fabs(p.least - 0.8) < 1e-15);
    cairn_plain_normal_set(&p, covariance, gap);
    assert_true(fabs(cairn_plain_normal_log(&p, gap, mean) + log_two_pi / 2 + log(5) / 2 + 0.9) <
                1e-14);
    cairn_plain_normal_set(&p, covariance, nothing);
    assert_true(cairn_plain_normal_log(&p, nothing, mean) == 0);
}

static void test_plain_normal__variances_alone(void **state)
{
    cairn_context *ctx = *state;
    static const double variances[] = {4, 9}, mean[] = {0, 0}, x[] = {2, 3};
    cairn_plain_normal p;
    assert_ok(ctx, cairn_plain_normal_make(ctx, &p, 2, true));
    cairn_plain_normal_set(&p, variances, x);
    assert_true(fabs(cairn_plain_normal_log(&p, x, mean) + log_two_pi + log(6) + 1) < 1e-14);
    assert_true(cairn_plain_normal_rounding(&p, mean, 1) == 1e-9);
    assert_true(cairn_plain_normal_rounding(&p, (const double[]){1e8, 0}, 1) > 1e-8);
    assert_true(isinf(cairn_plain_normal_rounding(&p, (const double[]){0, 1e15}, 1)));
}

static void test_plain_normal__shares(void **state)
{
    double logs[] = {-1000, -1000 + log(3), -INFINITY}, none[] = {-INFINITY};
    (void)state;
    assert_true(fabs(cairn_plain_shares(logs, 3) + 1000 - log(4)) < 1e-12);
    assert_true(fabs(logs[1] - 0.75) < 1e-12 && logs[2] == 0);
    assert_true(cairn_plain_shares(none, 1) == -INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_plain_normal__densities_by_hand),
        context_test(test_plain_normal__variances_alone),
        context_test(test_plain_normal__shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
