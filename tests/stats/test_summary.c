/* SPDX-License-Identifier: MIT */
#include "support/unit.h"
#include "base/memory.h"
#include "stats/summary.h"
#include <math.h>

static const cairn_part all = {NULL, 0};

static void assert_close(double got, double wanted)
{
    if (isnan(wanted) ? !isnan(got) : !(fabs(got - wanted) <= 1e-11 * (1 + fabs(wanted))))
        fail_msg("got %.17g, wanted %.17g", got, wanted);
}

static cairn_summary summary_of(cairn_context *ctx, const double *x, const double *w, size_t n,
                                cairn_divisor divisor)
{
    cairn_sample sample;
    cairn_summary s;
    assert_ok(ctx, cairn_sample_make(ctx, &sample, x, w, n, all));
    cairn_summarise(&s, &sample, divisor, CAIRN_QUANTILE_LINEAR);
    return s;
}

/* 2, 4, 4, 4, 5, 5, 7, 9: mean 5, sum of squares of differences 32, of cubes 42, of fourths 356. */
static void test_summary__by_hand(void **state)
{
    const double x[9] = {9, 4, 2, NAN, 4, 5, 7, 5, 4};
    cairn_summary s = summary_of(*state, x, NULL, 9, CAIRN_DIVISOR_N);
    assert_close(s.n, 8);
    assert_close(s.mean, 5);
    assert_close(s.variance, 4);
    assert_close(s.sd, 2);
    assert_close(s.m3, 42.0 / 8);
    assert_close(s.skewness, 42.0 / 8 / 8);
    assert_close(s.kurtosis, 356.0 / 8 / 16);
    assert_close(s.excess, 356.0 / 8 / 16 - 3);
    assert_close(s.median, 4.5);
    assert_close(s.range, 7);
    assert_close(s.midrange, 5.5);
    assert_close(s.iqr, 5.5 - 4);
    assert_close(s.modes[0], 4);
    assert_close(s.n_modes, 1);
    assert_close(s.mode_weight, 3);
    assert_int_equal(s.n_distinct, 5);
    assert_true(s.whole);
    s = summary_of(*state, x, NULL, 9, CAIRN_DIVISOR_N_1);
    assert_close(s.variance, 32.0 / 7);
    assert_close(s.skewness, 42.0 / 8 / 8); /* moments divide by n all the same */
}

static void test_summary__weights_are_repeats(void **state)
{
    const double x[5] = {3, 1, 8, 1, 5}, w[5] = {2, 1, 0, 3, 1};
    const double repeated[7] = {3, 3, 1, 1, 1, 1, 5};
    cairn_summary a = summary_of(*state, x, w, 5, CAIRN_DIVISOR_N_1);
    cairn_summary b = summary_of(*state, repeated, NULL, 7, CAIRN_DIVISOR_N_1);
    assert_close(a.n, b.n);
    assert_close(a.mean, b.mean);
    assert_close(a.variance, b.variance);
    assert_close(a.skewness, b.skewness);
    assert_close(a.kurtosis, b.kurtosis);
    assert_close(a.q1, b.q1);
    assert_close(a.median, b.median);
    assert_close(a.max, 5); /* the row of weight 0 does not count */
    assert_close(a.modes[0], 1);
    assert_close(a.mode_weight, 4);
}

static void test_summary__weights_that_sum_to_one_are_no_weights(void **state)
{
    const double x[4] = {1, 2, 4, 9}, w[4] = {0.25, 0.25, 0.25, 0.25};
    cairn_summary a = summary_of(*state, x, w, 4, CAIRN_DIVISOR_N_1);
    cairn_summary b = summary_of(*state, x, NULL, 4, CAIRN_DIVISOR_N_1);
    assert_close(a.variance, b.variance);
    assert_close(a.q3, b.q3);
    assert_close(a.mean, b.mean);
}

static void test_summary__of_little(void **state)
{
    const double none[2] = {NAN, NAN}, one[1] = {7}, same[3] = {0.1, 0.1, 0.1};
    cairn_summary s = summary_of(*state, none, NULL, 2, CAIRN_DIVISOR_N);
    assert_close(s.mean, NAN);
    assert_close(s.median, NAN);
    assert_int_equal(s.n_distinct, 0);
    s = summary_of(*state, one, NULL, 1, CAIRN_DIVISOR_N_1);
    assert_close(s.mean, 7);
    assert_close(s.variance, NAN);
    assert_close(summary_of(*state, one, NULL, 1, CAIRN_DIVISOR_N).variance, 0);
    s = summary_of(*state, same, NULL, 3, CAIRN_DIVISOR_N_1);
    assert_true(s.mean == 0.1 && s.sd == 0);
    assert_close(s.skewness, NAN);
    assert_close(s.kurtosis, NAN);
}

static void test_summary__far_from_zero_keeps_its_digits(void **state)
{
    double x[1000];
    for (int i = 0; i < 1000; i++) x[i] = 1e9 + i % 10;
    cairn_summary s = summary_of(*state, x, NULL, 1000, CAIRN_DIVISOR_N);
    assert_close(s.mean - 1e9, 4.5);
    assert_close(s.variance, 8.25);
    assert_close(s.skewness, 0);
}

static void test_sample__modes_places_and_shares(void **state)
{
    cairn_context *ctx = *state;
    const double x[6] = {5, 1, 5, 2, 1, 9};
    double modes[3], weight;
    cairn_sample sample;
    assert_ok(ctx, cairn_sample_make(ctx, &sample, x, NULL, 6, all));
    assert_int_equal(cairn_sample_modes(&sample, modes, 3, &weight), 2);
    assert_close(modes[0], 1);
    assert_close(modes[1], 5);
    assert_close(weight, 2);
    assert_close(cairn_sample_share(&sample, 5), 5.0 / 6);
    assert_close(cairn_sample_share_below(&sample, 5), 0.5);
    assert_close(cairn_sample_share(&sample, 0), 0);
    assert_close(cairn_sample_share(&sample, 10), 1);
    assert_close(cairn_sample_share(&sample, NAN), NAN);
}

static void test_sample__of_one_group(void **state)
{
    cairn_context *ctx = *state;
    const double x[4] = {4, 3, 2, 1};
    const int32_t codes[4] = {0, 1, 0, -1};
    cairn_sample sample;
    assert_ok(ctx, cairn_sample_make(ctx, &sample, x, NULL, 4, (cairn_part){codes, 0}));
    assert_int_equal(sample.n, 2);
    assert_close(sample.values[0], 2);
    assert_close(sample.values[1], 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_summary__by_hand),
        context_test(test_summary__weights_are_repeats),
        context_test(test_summary__weights_that_sum_to_one_are_no_weights),
        context_test(test_summary__of_little),
        context_test(test_summary__far_from_zero_keeps_its_digits),
        context_test(test_sample__modes_places_and_shares),
        context_test(test_sample__of_one_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
