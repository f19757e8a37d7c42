/* SPDX-License-Identifier: MIT */
#include "stats/distributions.h"
#include "stats/significance.h"
#include "support/fail_alloc.h"
#include <math.h>

static void assert_near(double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance * fmax(fabs(wanted), 1e-300)))
        fail_msg("got %.17g, wanted %.17g", got, wanted);
}

/* x, groups, degrees, lower, upper: integrated with 22 digits. */
static const double studentized_values[][5] = {
    {3.5, 3.0, 10.0, 0.92289668916158818, 0.077103310838411823},
    {0.5, 5.0, 7.0, 0.0041590631989377892, 0.99584093680106221},
    {20.0, 4.0, 3.0, 0.99765941085186595, 0.0023405891481336858},
    {0.25, 6.0, 12.0, 3.1283327208634333e-5, 0.99996871667279137},
    {4.5, 8.0, 120.0, 0.96187918977189314, 0.03812081022810686},
};

static void test_studentized__matches_long_integrals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof studentized_values / sizeof *studentized_values; i++) {
        const double *v = studentized_values[i];
        assert_near(cairn_studentized_lower(v[0], v[1], v[2]), v[3], 1e-12);
        assert_near(cairn_studentized_upper(v[0], v[1], v[2]), v[4], 1e-12);
    }
}

/* The range of two is the size of their difference: Student's t. */
static void test_studentized__of_two_is_student(void **state)
{
    (void)state;
    static const double degrees[] = {1, 2.5, 8, 40, 3000, INFINITY};
    static const double points[] = {0.001, 0.4, 2, 6, 60};
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 5; j++) {
            double x = points[j], df = degrees[i], t = x / sqrt(2.0);
            double upper = 2 * cairn_t_upper(t, df);
            if (upper > 1e-290) assert_near(cairn_studentized_upper(x, 2, df), upper, 1e-12);
            double lower = cairn_t_lower(t, df) - cairn_t_lower(-t, df);
            assert_near(cairn_studentized_lower(x, 2, df), lower, x < 0.01 ? 1e-11 : 1e-12);
            if (upper > 1e-290)
                assert_near(cairn_studentized_density(x, 2, df), sqrt(2.0) * cairn_t_density(t, df),
                            1e-12);
        }
}

static void test_studentized__quantiles_undo_tails(void **state)
{
    (void)state;
    static const double tails[] = {1e-12, 0.01, 0.05, 0.4};
    for (size_t i = 0; i < 4; i++) {
        double q = cairn_studentized_quantile_upper(tails[i], 5, 12);
        assert_near(cairn_studentized_upper(q, 5, 12), tails[i], 1e-12);
        q = cairn_studentized_quantile(tails[i], 5, 12);
        assert_near(cairn_studentized_lower(q, 5, 12), tails[i], 1e-12);
    }
    assert_near(cairn_studentized_quantile_upper(0.05, 3, INFINITY), 3.314493155398112, 1e-12);
    assert_true(isnan(cairn_studentized_upper(1, 1, 5)));
    assert_true(isnan(cairn_studentized_quantile(2, 3, 5)));
    assert_true(cairn_studentized_quantile(0, 3, 5) == 0);
    assert_true(isinf(cairn_studentized_quantile(1, 3, 5)));
    assert_true(cairn_studentized_upper(-1, 3, 5) == 1);
}

static void test_proportion__normal_and_exact(void **state)
{
    (void)state;
    cairn_proportion_test t;
    cairn_proportion_test_of(&t, 80, 100, 0.5);
    assert_near(t.z, 6, 1e-14);
    assert_near(t.p_upper, 9.865876450376946e-10, 1e-12);
    assert_near(t.exact_upper, 5.579544528625976e-10, 1e-12);
    assert_near(t.exact_two, 2 * 5.579544528625976e-10, 1e-12);
    cairn_proportion_test_of(&t, 3, 10, 0.2); /* 0 is less likely than 3, 1 is not */
    assert_near(t.exact_two, 0.42957465600000017, 1e-12);
    cairn_proportion_test_of(&t, 5, 10, 0.5);
    assert_near(t.exact_two, 1, 1e-15);
}

static void test_difference__of_two_errors(void **state)
{
    (void)state;
    cairn_difference d;
    cairn_difference_of(&d, 0.3, 100, 0.2, 100, 0.95);
    assert_near(d.deviation, sqrt(0.0037), 1e-14);
    assert_near(d.interval.low, 0.1 - 1.959963984540054 * sqrt(0.0037), 1e-12);
    cairn_difference_of(&d, 0, 10, 0, 10, 0.95);
    assert_true(isnan(d.p_two));
}

static void test_mcnemar__all_forms(void **state)
{
    (void)state;
    cairn_mcnemar m;
    cairn_mcnemar_of(&m, 10, 2);
    assert_near(m.statistic, 64.0 / 12, 1e-14);
    assert_near(m.corrected_statistic, 49.0 / 12, 1e-14);
    assert_near(m.exact_p, 2 * (1 + 12 + 66) / 4096.0, 1e-12);
    assert_near(m.mid_p, m.exact_p - 66 / 4096.0, 1e-12);
    cairn_mcnemar_of(&m, 0, 0);
    assert_true(isnan(m.p) && m.exact_p == 1);
}

static void test_t__plain_and_corrected(void **state)
{
    (void)state;
    static const double d[] = {1, 2, 3, 4, 5};
    cairn_t_test t;
    cairn_t_test_of(&t, d, 5, 0, 0.95);
    assert_near(t.mean, 3, 1e-15);
    assert_near(t.t, 3 / sqrt(0.5), 1e-14);
    assert_near(t.p_two, 0.013235599563682, 1e-9);
    cairn_t_test_of(&t, d, 5, 0.25, 0.95);
    assert_near(t.error, sqrt(2.5 * (0.2 + 0.25)), 1e-14);
    static const double same[] = {0.1, 0.1, 0.1};
    cairn_t_test_of(&t, same, 3, 0, 0.95);
    assert_true(isnan(t.t) && isnan(t.p_two) && fabs(t.mean - 0.1) < 1e-15);
    cairn_t_test_of(&t, same, 1, 0, 0.95);
    assert_true(isnan(t.t) && t.mean == 0.1);
}

static void test_five_by_two__both_forms(void **state)
{
    (void)state;
    static const double d[10] = {0.1, 0.3, 0.2, 0.2, 0, 0.1, 0.3, 0.1, 0.2, 0.4};
    cairn_five_by_two f;
    cairn_five_by_two_of(&f, d);
    assert_near(f.t, 0.1 / sqrt(0.065 / 5), 1e-12);
    assert_near(f.f, 0.49 / 0.13, 1e-12);
}

/* Differences of accuracies: four are 0.05 but for the last bit. By hand: the ranks are 2.5 four
 * times and 5; W- = 2.5; of the 32 signs, those with a sum of at most 2.5 are none and each of the
 * four alone: p = 2 * 5 / 32. */
static void test_wilcoxon__sizes_that_differ_by_rounding_are_tied(void **state)
{
    cairn_context *ctx = *state;
    const double d[] = {0.85 - 0.8, 0.75 - 0.7, 0.9 - 0.8, 0.6 - 0.65, 0.7 - 0.65};
    const double wanted[] = {2.5, 2.5, 5, 2.5, 2.5};
    double ranks[5];
    cairn_wilcoxon w;
    assert_true(d[0] != d[1]);
    assert_ok(ctx, cairn_wilcoxon_of(ctx, &w, ranks, d, 5, 0.05, CAIRN_EXACT_AUTO));
    for (size_t i = 0; i < 5; i++) assert_true(ranks[i] == wanted[i]);
    assert_true(w.tied && w.statistic == 2.5);
    assert_near(w.p_exact, 0.3125, 1e-14);
    /* data sets of other scales have small differences that are not 0 */
    const double scales[] = {1e-9, 2e-9, 1e6, INFINITY, INFINITY};
    assert_ok(ctx, cairn_wilcoxon_of(ctx, &w, ranks, scales, 5, 0.05, CAIRN_EXACT_AUTO));
    assert_true(w.n == 5 && ranks[0] == 1 && ranks[1] == 2 && ranks[4] == 4.5);
}

/* Ten equal differences but for rounding leave no variance to test against. */
static void test_five_by_two__the_same_both_ways_is_undefined(void **state)
{
    (void)state;
    double d[10];
    for (size_t i = 0; i < 10; i++) d[i] = i % 2 ? 0.85 - 0.8 : 0.75 - 0.7;
    cairn_five_by_two f;
    cairn_five_by_two_of(&f, d);
    assert_true(isnan(f.t) && isnan(f.p_t) && isnan(f.f) && isnan(f.p_f));
}

static void test_wilcoxon__exact_with_zeros_and_ties(void **state)
{
    cairn_context *ctx = *state;
    static const double d[] = {1, -2, 0, 3, 4, 5, 5, -1};
    double ranks[8], lower;
    cairn_wilcoxon w;
    assert_ok(ctx, cairn_wilcoxon_of(ctx, &w, ranks, d, 8, 0.05, CAIRN_EXACT_AUTO));
    assert_int_equal(w.n, 7);
    assert_int_equal(w.zeros, 1);
    assert_true(w.tied && w.exact && ranks[2] == 0 && ranks[0] == 1.5 && ranks[5] == 6.5);
    assert_near(w.statistic, 4.5, 1e-15);
    /* of the 128 signs of 1.5 1.5 3 4 5 6.5 6.5, eight have a sum of at most 4.5 */
    assert_near(w.p_exact, 2 * 8 / 128.0, 1e-15);
    assert_ok(ctx, cairn_wilcoxon_lower(ctx, &lower, 8, 10));
    assert_near(2 * lower, 0.048828125, 1e-15);
    assert_ok(ctx, cairn_wilcoxon_of(ctx, &w, NULL, d, 0, 0.05, CAIRN_EXACT_AUTO));
    assert_true(w.p == 1);
}

static void test_friedman__exact_tail(void **state)
{
    cairn_context *ctx = *state;
    double ranks[30], averages[3];
    cairn_friedman f;
    static const double values[30] = {3, 1, 2, 3, 1, 2, 2, 3, 1, 2, 1, 3, 3, 1, 2,
                                      3, 2, 1, 1, 3, 2, 2, 1, 3, 3, 1, 2, 1, 2, 3};
    assert_ok(ctx, cairn_friedman_of(ctx, &f, ranks, averages, values, 10, 3, true, 0.05,
                                     CAIRN_EXACT_AUTO));
    assert_near(f.statistic, 2.6, 1e-12);
    assert_near(f.p_exact, 0.31587279473403446, 1e-12);
    assert_near(f.critical_exact, 6.2, 1e-12);
    assert_near(f.p_chi2, 0.27253179303401265, 1e-12);
    /* one row of two: both orders are as far from the middle */
    assert_ok(ctx, cairn_friedman_of(ctx, &f, ranks, averages, values, 1, 2, false, 0.05,
                                     CAIRN_EXACT_AUTO));
    assert_near(f.p_exact, 1, 1e-15);
    static const double tied[6] = {1, 1, 2, 2, 2, 2}; /* the second row says nothing */
    assert_ok(ctx, cairn_friedman_of(ctx, &f, ranks, averages, tied, 2, 3, false, 0.05,
                                     CAIRN_EXACT_AUTO));
    assert_near(averages[2], 1.5, 1e-15);
    assert_near(f.p_exact, 1, 1e-15);
    assert_int_equal(
        cairn_friedman_of(ctx, &f, ranks, averages, values, 1, 1, false, 0.05, CAIRN_EXACT_AUTO),
        CAIRN_BAD_DATA);
}

static void test_friedman__too_many_to_count(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 12, K = 9 };
    double values[N * K], ranks[N * K], averages[K];
    cairn_friedman f;
    for (int i = 0; i < N * K; i++) values[i] = (i * 37) % 101;
    assert_ok(ctx, cairn_friedman_of(ctx, &f, ranks, averages, values, N, K, false, 0.05,
                                     CAIRN_EXACT_AUTO));
    assert_true(isnan(f.p_exact) && !f.exact && f.p == f.p_chi2);
    assert_int_equal(
        cairn_friedman_of(ctx, &f, ranks, averages, values, N, K, false, 0.05, CAIRN_EXACT_YES),
        CAIRN_USAGE);
}

static void test_post_hoc__differences_and_groups(void **state)
{
    (void)state;
    size_t order[3], first[3], last[3];
    static const double averages[] = {2.7, 1.3, 2.0};
    double q = cairn_nemenyi_q(3, 0.05), critical = cairn_critical_difference(q, 3, 10);
    assert_near(q, 2.343700586378409, 1e-11);
    assert_near(critical, 1.048134766009648, 1e-11);
    assert_near(cairn_dunn_q(3, 0.05), 2.241402727604947, 1e-12);
    assert_int_equal(cairn_rank_groups(averages, 3, critical, order, first, last), 2);
    assert_int_equal(order[0], 1);
    assert_true(first[0] == 0 && last[0] == 1 && first[1] == 1 && last[1] == 2);
    assert_near(cairn_nemenyi_p(critical, 3, 10), 0.05, 1e-11);
    assert_near(cairn_dunn_p(cairn_critical_difference(cairn_dunn_q(3, 0.05), 3, 10), 3, 10), 0.05,
                1e-12);
}

static void test_holm__steps_down(void **state)
{
    cairn_context *ctx = *state;
    static const double p[] = {0.04, 0.01, 0.03};
    double adjusted[3];
    assert_ok(ctx, cairn_holm(ctx, adjusted, p, 3));
    assert_near(adjusted[1], 0.03, 1e-15);
    assert_near(adjusted[2], 0.06, 1e-15);
    assert_near(adjusted[0], 0.06, 1e-15);
}

static cairn_status all_tests(cairn_context *ctx, void *data)
{
    (void)data;
    static const double d[] = {1, -2, 0, 3, 4, 5};
    double ranks[6], averages[3];
    cairn_wilcoxon w;
    cairn_friedman f;
    cairn_status status = cairn_wilcoxon_of(ctx, &w, ranks, d, 6, 0.05, CAIRN_EXACT_AUTO);
    if (status) return status;
    return cairn_friedman_of(ctx, &f, ranks, averages, d, 2, 3, true, 0.05, CAIRN_EXACT_AUTO);
}

static void test_significance__failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(all_tests, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_studentized__matches_long_integrals),
        context_test(test_studentized__of_two_is_student),
        context_test(test_studentized__quantiles_undo_tails),
        context_test(test_proportion__normal_and_exact),
        context_test(test_difference__of_two_errors),
        context_test(test_mcnemar__all_forms),
        context_test(test_t__plain_and_corrected),
        context_test(test_five_by_two__both_forms),
        context_test(test_wilcoxon__exact_with_zeros_and_ties),
        context_test(test_wilcoxon__sizes_that_differ_by_rounding_are_tied),
        context_test(test_five_by_two__the_same_both_ways_is_undefined),
        context_test(test_friedman__exact_tail),
        context_test(test_friedman__too_many_to_count),
        context_test(test_post_hoc__differences_and_groups),
        context_test(test_holm__steps_down),
        context_test(test_significance__failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
