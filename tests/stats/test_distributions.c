/* SPDX-License-Identifier: MIT */
#include "support/unit.h"
#include "distribution_values.h"
#include "stats/distributions.h"
#include "stats/intervals.h"
#include <math.h>

static void assert_close(const char *name, double x, double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance * fabs(wanted)))
        fail_msg("%s at %.17g: got %.17g, wanted %.17g", name, x, got, wanted);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define CHECK_1(NAME)                                                                              \
    for (size_t i = 0; i < COUNT(NAME##_values); i++) {                                            \
        const double *row = NAME##_values[i];                                                      \
        assert_close(#NAME, row[0], cairn_##NAME(row[0]), row[1], 1e-15);                          \
    }
#define CHECK_2(NAME)                                                                              \
    for (size_t i = 0; i < COUNT(NAME##_values); i++) {                                            \
        const double *row = NAME##_values[i];                                                      \
        assert_close(#NAME, row[0], cairn_##NAME(row[0], row[1]), row[2], 2e-13);                  \
    }
#define CHECK_3(NAME)                                                                              \
    for (size_t i = 0; i < COUNT(NAME##_values); i++) {                                            \
        const double *row = NAME##_values[i];                                                      \
        assert_close(#NAME, row[0], cairn_##NAME(row[0], row[1], row[2]), row[3], 2e-13);          \
    }

static void test_distributions__match_values_of_fifty_digits(void **state)
{
    (void)state;
    CHECK_1(normal_density)
    CHECK_1(normal_lower)
    CHECK_1(normal_upper)
    CHECK_1(normal_quantile)
    CHECK_1(normal_quantile_upper)
    CHECK_2(t_density)
    CHECK_2(t_lower)
    CHECK_2(t_upper)
    CHECK_2(t_quantile)
    CHECK_2(t_quantile_upper)
    CHECK_2(chi2_quantile)
    CHECK_2(chi2_quantile_upper)
    CHECK_3(gamma_density)
    CHECK_3(gamma_lower)
    CHECK_3(gamma_upper)
    CHECK_3(beta_density)
    CHECK_3(beta_lower)
    CHECK_3(beta_upper)
    CHECK_3(beta_quantile)
    CHECK_3(f_density)
    CHECK_3(f_lower)
    CHECK_3(f_upper)
    CHECK_3(binomial_mass)
    CHECK_3(binomial_lower)
    CHECK_3(binomial_upper)
}

/* Quantiles undo tails over a wide grid of parameters. */
static void test_distributions__quantiles_undo_tails(void **state)
{
    (void)state;
    static const double sizes[] = {0.05, 0.5, 1, 2, 7.5, 100, 1e4, 1e7};
    static const double tails[] = {1e-250, 1e-30, 1e-8, 0.01, 0.2, 0.5};
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (size_t k = 0; k < COUNT(tails); k++) {
            double a = sizes[i], q = tails[k], x = cairn_gamma_quantile_upper(q, a, 3);
            double t = cairn_t_quantile_upper(q, a), c = cairn_chi2_quantile(q, a);
            if (x > 1e-300) assert_close("gamma", q, cairn_gamma_upper(x, a, 3), q, 1e-10);
            if (c > 1e-300) assert_close("chi2", q, cairn_chi2_lower(c, a), q, 1e-10);
            if (isfinite(t) && t > 0) assert_close("t", q, cairn_t_upper(t, a), q, 1e-10);
            for (size_t j = 0; j < COUNT(sizes); j++) {
                double b = sizes[j], f = cairn_f_quantile(q, a, b);
                double low = cairn_beta_quantile(q, a, b);
                double high = cairn_beta_quantile_upper(q, a, b);
                if (f > 1e-300) assert_close("f", q, cairn_f_lower(f, a, b), q, 1e-9);
                if (low > 1e-300 && low < 0.99)
                    assert_close("beta", q, cairn_beta_lower(low, a, b), q, 1e-8);
                if (high > 1e-300 && high < 0.99)
                    assert_close("beta", q, cairn_beta_upper(high, a, b), q, 1e-8);
            }
        }
}

static void test_distributions__ends_of_the_support(void **state)
{
    (void)state;
    assert_true(cairn_normal_upper(INFINITY) == 0 && cairn_normal_lower(INFINITY) == 1);
    assert_true(cairn_normal_quantile(0) == -INFINITY && cairn_normal_quantile(1) == INFINITY);
    assert_true(cairn_normal_quantile(0.5) == 0 && cairn_normal_density(-INFINITY) == 0);
    assert_true(cairn_t_upper(0, 3) == 0.5 && cairn_t_upper(-INFINITY, 3) == 1);
    assert_true(cairn_t_quantile(0.5, 3) == 0 && cairn_t_quantile(1, 3) == INFINITY);
    assert_true(cairn_chi2_upper(0, 3) == 1 && cairn_chi2_upper(-1, 3) == 1);
    assert_true(cairn_chi2_upper(INFINITY, 3) == 0 && cairn_chi2_quantile(1, 3) == INFINITY);
    assert_true(isinf(cairn_chi2_density(0, 1)) && cairn_chi2_density(0, 2) == 0.5);
    assert_true(cairn_chi2_density(0, 3) == 0 && cairn_chi2_density(-1, 3) == 0);
    assert_true(cairn_f_upper(0, 2, 3) == 1 && cairn_f_lower(INFINITY, 2, 3) == 1);
    assert_true(cairn_f_quantile(0, 2, 3) == 0 && cairn_f_density(0, 2, 3) == 1);
    assert_true(cairn_beta_lower(-1, 2, 3) == 0 && cairn_beta_lower(2, 2, 3) == 1);
    assert_true(cairn_beta_quantile(1, 2, 3) == 1 && cairn_beta_density(1, 3, 1) == 3);
    assert_true(cairn_gamma_quantile(0, 2, 1) == 0 && cairn_gamma_density(0, 1, 4) == 0.25);
}

static void test_distributions__bad_arguments_give_nan(void **state)
{
    (void)state;
    const double results[] = {
        cairn_normal_upper(NAN),
        cairn_normal_quantile(-0.1),
        cairn_normal_density(NAN),
        cairn_t_upper(1, 0),
        cairn_t_lower(NAN, 2),
        cairn_t_quantile(2, 2),
        cairn_t_density(1, -1),
        cairn_chi2_upper(1, -2),
        cairn_chi2_quantile(NAN, 2),
        cairn_f_lower(1, 2, NAN),
        cairn_f_quantile(0.5, 0, 1),
        cairn_f_density(NAN, 1, 1),
        cairn_gamma_lower(1, 1, 0),
        cairn_gamma_density(1, 0, 1),
        cairn_beta_lower(0.5, -1, 1),
        cairn_beta_quantile(0, 0, 1),
        cairn_binomial_mass(1, 2.5, 0.5),
        cairn_binomial_lower(1, 2, 1.5),
        cairn_binomial_quantile(0.5, -1, 0.5),
        cairn_f_upper(1, INFINITY, INFINITY),
    };
    for (size_t i = 0; i < COUNT(results); i++)
        if (!isnan(results[i])) fail_msg("result %zu is %g", i, results[i]);
}

static void test_distributions__limits_of_many_degrees_of_freedom(void **state)
{
    (void)state;
    assert_true(cairn_t_upper(2, INFINITY) == cairn_normal_upper(2));
    assert_true(cairn_t_quantile(0.975, INFINITY) == cairn_normal_quantile(0.975));
    assert_close("t", 2, cairn_t_upper(2, 1e15), cairn_normal_upper(2), 1e-13);
    assert_close("t", 2, cairn_t_upper(2, 1e300), cairn_normal_upper(2), 1e-13);
    assert_close("f", 2, cairn_f_upper(2, 3, INFINITY), cairn_chi2_upper(6, 3), 1e-14);
    assert_close("f", 2, cairn_f_upper(2, 3, 1e15), cairn_chi2_upper(6, 3), 1e-13);
    assert_close("f", 2, cairn_f_upper(2, INFINITY, 3), cairn_chi2_lower(1.5, 3), 1e-14);
    assert_close("f", 2, cairn_f_upper(2, 1e15, 3), cairn_chi2_lower(1.5, 3), 1e-13);
    assert_close("f", 0.95, cairn_f_quantile(0.95, 3, INFINITY), cairn_f_quantile(0.95, 3, 1e16),
                 1e-13);
    assert_close("chi2", 1e10, cairn_chi2_quantile(0.5, 1e10), 1e10 - 2.0 / 3, 1e-13);
}

static void test_binomial__edges_and_quantiles(void **state)
{
    (void)state;
    assert_true(cairn_binomial_lower(0, 0, 0.5) == 1 && cairn_binomial_mass(0, 0, 0.5) == 1);
    assert_true(cairn_binomial_mass(2, 5, 0) == 0 && cairn_binomial_mass(5, 5, 1) == 1);
    assert_true(cairn_binomial_lower(-1, 5, 0.5) == 0 && cairn_binomial_upper(5, 5, 0.5) == 0);
    assert_close("2.5 counts as 2", 2.5, cairn_binomial_lower(2.5, 5, 0.5), 0.5, 1e-14);
    assert_true(cairn_binomial_mass(2.5, 5, 0.5) == 0);
    assert_true(cairn_binomial_quantile(0.5, 1, 0.5) == 0);
    assert_true(cairn_binomial_quantile(0, 10, 0.5) == 0);
    assert_true(cairn_binomial_quantile(1, 10, 0.5) == 10);
    for (double k = 0; k < 20; k++) {
        double p = cairn_binomial_lower(k, 20, 0.3), q = cairn_binomial_upper(k, 20, 0.3);
        if (k < 15) assert_true(cairn_binomial_quantile(p, 20, 0.3) == k);
        assert_true(cairn_binomial_quantile_upper(q, 20, 0.3) == k);
        assert_true(cairn_binomial_quantile_upper(q * 1.0001, 20, 0.3) == k);
        assert_true(cairn_binomial_quantile_upper(q * 0.9999, 20, 0.3) == k + 1);
    }
}

static void check_interval(cairn_interval got, double low, double high)
{
    if (!(fabs(got.low - low) < 1e-12 && fabs(got.high - high) < 1e-12))
        fail_msg("got %.15g .. %.15g, wanted %.15g .. %.15g", got.low, got.high, low, high);
}

static void test_intervals__of_a_proportion(void **state)
{
    (void)state;
    check_interval(cairn_wilson_interval(3, 10, 0.95), 0.10779126740630104, 0.6032218525388546);
    check_interval(cairn_wilson_interval(0, 10, 0.95), 0, 0.2775327998628892);
    check_interval(cairn_wilson_interval(10, 10, 0.95), 0.7224672001371108, 1);
    check_interval(cairn_exact_interval(3, 10, 0.95), 0.06673951117773447, 0.6524528500599971);
    check_interval(cairn_exact_interval(0, 10, 0.95), 0, 1 - pow(0.025, 0.1));
    check_interval(cairn_exact_interval(10, 10, 0.95), pow(0.025, 0.1), 1);
    check_interval(cairn_wilson_interval(0, 0, 0.95), 0, 1);
    check_interval(cairn_exact_interval(0, 0, 0.95), 0, 1);
    assert_true(isnan(cairn_wilson_interval(11, 10, 0.95).low));
    assert_true(isnan(cairn_exact_interval(1, 10, 1).high));
    assert_true(isnan(cairn_exact_interval(-1, 10, 0.9).high));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distributions__match_values_of_fifty_digits),
        cmocka_unit_test(test_distributions__quantiles_undo_tails),
        cmocka_unit_test(test_distributions__ends_of_the_support),
        cmocka_unit_test(test_distributions__bad_arguments_give_nan),
        cmocka_unit_test(test_distributions__limits_of_many_degrees_of_freedom),
        cmocka_unit_test(test_binomial__edges_and_quantiles),
        cmocka_unit_test(test_intervals__of_a_proportion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
