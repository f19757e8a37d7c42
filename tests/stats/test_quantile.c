/* SPDX-License-Identifier: MIT */
#include "support/unit.h"
#include "stats/quantile.h"
#include <math.h>

enum { N_RULES = CAIRN_QUANTILE_NORMAL_UNBIASED + 1 };

static const double weight[20] = {56, 61, 64, 67, 68, 73,  77,  79,  80,  81,
                                  82, 85, 86, 90, 96, 103, 106, 111, 127, 130};

static void assert_close(double got, double wanted)
{
    if (isnan(wanted) ? !isnan(got) : !(fabs(got - wanted) <= 1e-12 * (1 + fabs(wanted))))
        fail_msg("got %.17g, wanted %.17g", got, wanted);
}

static void test_quantile__quartiles_of_twenty_weights(void **state)
{
    (void)state;
    assert_close(cairn_quantile(weight, 20, 0.25, CAIRN_QUANTILE_LINEAR), 71.75);
    assert_close(cairn_quantile(weight, 20, 0.5, CAIRN_QUANTILE_LINEAR), 81.5);
    assert_close(cairn_quantile(weight, 20, 0.75, CAIRN_QUANTILE_LINEAR), 97.75);
}

/* By hand: five values, p = 0.3. */
static void test_quantile__every_rule_by_hand(void **state)
{
    (void)state;
    const double x[5] = {10, 20, 40, 80, 160};
    const struct {
        cairn_quantile_rule rule;
        double value;
    } wanted[] = {
        {CAIRN_QUANTILE_LINEAR, 24},   /* place 0.3 * 4 + 1 = 2.2 */
        {CAIRN_QUANTILE_INVERSE, 20},  /* 2/5 is the first share >= 0.3 */
        {CAIRN_QUANTILE_AVERAGED, 20}, /* no share is 0.3 */
        {CAIRN_QUANTILE_NEAREST, 20},  /* 1.5 to the even 2 */
        {CAIRN_QUANTILE_HAZEN, 20},    /* 1.5 + 0.5 */
        {CAIRN_QUANTILE_WEIBULL, 18},  /* 6 * 0.3 = 1.8 */
        {CAIRN_QUANTILE_MEDIAN_UNBIASED, 10 + 10 * (16.0 / 3 * 0.3 + 1.0 / 3 - 1)},
        {CAIRN_QUANTILE_LOWER, 20},
        {CAIRN_QUANTILE_HIGHER, 40},
        {CAIRN_QUANTILE_MIDPOINT, 30},
        {CAIRN_QUANTILE_INTERPOLATED, 15}, /* 1.5 */
        {CAIRN_QUANTILE_NORMAL_UNBIASED, 10 + 10 * (5.25 * 0.3 + 0.375 - 1)},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_close(cairn_quantile(x, 5, 0.3, wanted[i].rule), wanted[i].value);
    assert_close(cairn_quantile(x, 5, 0.4, CAIRN_QUANTILE_INVERSE), 20);
    assert_close(cairn_quantile(x, 5, 0.4, CAIRN_QUANTILE_AVERAGED), 30);
    assert_close(cairn_quantile(x, 5, 0.5, CAIRN_QUANTILE_NEAREST), 20); /* 2.5 to the even 2 */
    assert_close(cairn_quantile(x, 5, 0.7, CAIRN_QUANTILE_NEAREST), 80); /* 3.5 to the even 4 */
}

static void test_quantile__ends_and_refusals(void **state)
{
    (void)state;
    const double one[1] = {7}, far[2] = {-INFINITY, INFINITY};
    for (int rule = 0; rule < N_RULES; rule++) {
        cairn_quantile_rule r = (cairn_quantile_rule)rule;
        assert_close(cairn_quantile(weight, 20, 0, r), 56);
        assert_close(cairn_quantile(weight, 20, 1, r), 130);
        for (double p = 0; p <= 1; p += 0.125) assert_close(cairn_quantile(one, 1, p, r), 7);
        assert_true(isnan(cairn_quantile(weight, 0, 0.5, r)));
        assert_true(isnan(cairn_quantile(weight, 20, -0.1, r)));
        assert_true(isnan(cairn_quantile(weight, 20, 1.1, r)));
        assert_true(isnan(cairn_quantile(weight, 20, NAN, r)));
        assert_true(cairn_quantile(far, 2, 0, r) == -INFINITY);
    }
}

/* 0.55 * 100 is 55.00000000000001 in doubles: the 55th value all the same. */
static void test_quantile__rounding_of_the_rank_does_not_matter(void **state)
{
    (void)state;
    double x[100];
    for (int i = 0; i < 100; i++) x[i] = i + 1;
    for (int i = 1; i < 100; i++) {
        double p = i / 100.0;
        assert_close(cairn_quantile(x, 100, p, CAIRN_QUANTILE_INVERSE), i);
        assert_close(cairn_quantile(x, 100, p, CAIRN_QUANTILE_AVERAGED), i + 0.5);
    }
}

static void test_quantile__whole_weights_are_repeats(void **state)
{
    (void)state;
    const double x[6] = {-3, 0, 0, 2.5, 9, 11}, w[6] = {2, 0, 3, 1, 1, 4};
    double repeated[11];
    size_t n = 0;
    for (size_t i = 0; i < 6; i++)
        for (double k = 0; k < w[i]; k++) repeated[n++] = x[i];
    assert_int_equal(n, 11);
    for (int rule = 0; rule < N_RULES; rule++)
        for (int i = 0; i <= 1000; i++)
            assert_close(cairn_weighted_quantile(x, w, 6, i / 1000.0, (cairn_quantile_rule)rule),
                         cairn_quantile(repeated, 11, i / 1000.0, (cairn_quantile_rule)rule));
}

static void test_quantile__equal_weights_of_any_size_below_one_are_no_weights(void **state)
{
    (void)state;
    double w[20];
    for (int i = 0; i < 20; i++) w[i] = 1.0 / 20;
    for (int rule = 0; rule < N_RULES; rule++)
        for (int i = 0; i <= 100; i++)
            assert_close(
                cairn_weighted_quantile(weight, w, 20, i / 100.0, (cairn_quantile_rule)rule),
                cairn_quantile(weight, 20, i / 100.0, (cairn_quantile_rule)rule));
}

static void test_quantile__weights_of_nothing(void **state)
{
    (void)state;
    const double zero[3] = {0, 0, 0}, x[3] = {1, 2, 3}, one[3] = {0, 0.25, 0};
    for (int rule = 0; rule < N_RULES; rule++) {
        assert_true(isnan(cairn_weighted_quantile(x, zero, 3, 0.5, (cairn_quantile_rule)rule)));
        for (double p = 0; p <= 1; p += 0.25)
            assert_close(cairn_weighted_quantile(x, one, 3, p, (cairn_quantile_rule)rule), 2);
    }
}

static void test_quantile__rules_have_names(void **state)
{
    (void)state;
    for (int rule = 0; rule < N_RULES; rule++)
        assert_true(*cairn_quantile_rule_name((cairn_quantile_rule)rule) != 0);
    assert_string_equal(cairn_quantile_rule_name(CAIRN_QUANTILE_LINEAR), "linear");
}

static void test_quantile__between_numbers_whose_difference_overflows(void **state)
{
    static const double x[] = {-1e308, 1e308};
    (void)state;
    assert_close(cairn_quantile(x, 2, 0.5, CAIRN_QUANTILE_LINEAR), 0);
    assert_close(cairn_quantile(x, 2, 0.75, CAIRN_QUANTILE_LINEAR) / 1e308, 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantile__quartiles_of_twenty_weights),
        cmocka_unit_test(test_quantile__every_rule_by_hand),
        cmocka_unit_test(test_quantile__ends_and_refusals),
        cmocka_unit_test(test_quantile__rounding_of_the_rank_does_not_matter),
        cmocka_unit_test(test_quantile__whole_weights_are_repeats),
        cmocka_unit_test(test_quantile__equal_weights_of_any_size_below_one_are_no_weights),
        cmocka_unit_test(test_quantile__weights_of_nothing),
        cmocka_unit_test(test_quantile__rules_have_names),
        cmocka_unit_test(test_quantile__between_numbers_whose_difference_overflows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
