/* SPDX-License-Identifier: MIT */
#include "support/unit.h"
#include "base/memory.h"
#include "stats/contingency.h"
#include "stats/correlation.h"
#include <math.h>

static const cairn_part all = {NULL, 0};

static void assert_close(double got, double wanted)
{
    if (isnan(wanted) ? !isnan(got) : !(fabs(got - wanted) <= 1e-10 * (1 + fabs(wanted))))
        fail_msg("got %.17g, wanted %.17g", got, wanted);
}

static void test_contingency__by_hand(void **state)
{
    cairn_context *ctx = *state;
    const double cells[6] = {10, 20, 0, 30, 40, 0};
    cairn_contingency t;
    assert_ok(ctx, cairn_contingency_make(ctx, &t, cells, 2, 3));
    assert_close(t.total, 100);
    assert_close(cairn_contingency_expected(&t, 0, 0), 12);
    assert_close(t.chi_squared, 4.0 / 12 + 4.0 / 18 + 4.0 / 28 + 4.0 / 42);
    assert_int_equal(t.degrees, 1); /* the empty column does not count */
    assert_close(t.p_value, erfc(sqrt(t.chi_squared / 2)));
    assert_close(t.cramer_v, sqrt(t.chi_squared / 100));
    assert_close(cairn_quetelet_relative(&t, 0, 0), (10.0 / 30) / 0.4 - 1);
    assert_close(cairn_quetelet_absolute(&t, 0, 0), 10.0 / 30 - 0.4);
    assert_close(cairn_quetelet_relative(&t, 0, 2), NAN);
    double relative = 0, absolute = 0;
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < 2; j++) {
            relative += cells[i * 3 + j] / 100 * cairn_quetelet_relative(&t, i, j);
            absolute += cells[i * 3 + j] / 100 * cairn_quetelet_absolute(&t, i, j);
        }
    assert_close(relative, t.share);
    assert_close(absolute, t.gini_reduction);
}

static void test_contingency__of_nothing(void **state)
{
    cairn_context *ctx = *state;
    const double cells[4] = {0, 0, 0, 0}, row[2] = {3, 4};
    cairn_contingency t;
    assert_ok(ctx, cairn_contingency_make(ctx, &t, cells, 2, 2));
    assert_close(t.chi_squared, NAN);
    assert_close(t.p_value, NAN);
    assert_ok(ctx, cairn_contingency_make(ctx, &t, row, 1, 2));
    assert_close(t.chi_squared, 0);
    assert_close(t.p_value, NAN);
    assert_close(t.cramer_v, NAN);
}

static void test_correlation_ratio__by_hand(void **state)
{
    (void)state;
    const double y[7] = {5, 6, 7, 1, 2, NAN, 3};
    const int32_t codes[7] = {0, 0, 0, 1, 1, 0, -1};
    cairn_group_stats groups[3];
    cairn_correlation_ratio r;
    cairn_correlation_ratio_of(&r, groups, 3, y, codes, NULL, 7);
    assert_close(r.total, 5);
    assert_int_equal(r.n_groups, 2);
    assert_close(r.variance, 5.36);
    assert_close(r.within, 0.5);
    assert_close(r.between, 4.86);
    assert_close(r.eta_squared, 4.86 / 5.36);
    assert_close(r.f, 4.86 / (0.5 / 3));
    assert_close(groups[1].mean, 1.5);
}

/* Of the 20 orders of 3 and 3 values, 2 keep them apart: distance 1 has the chance 0.1. */
static void test_ks__exact_and_limit(void **state)
{
    cairn_context *ctx = *state;
    const double a[3] = {1, 2, 3}, b[3] = {4, 5, 6}, c[3] = {1, 2, 3};
    cairn_sample x, y;
    cairn_ks ks;
    assert_ok(ctx, cairn_sample_make(ctx, &x, a, NULL, 3, all));
    assert_ok(ctx, cairn_sample_make(ctx, &y, b, NULL, 3, all));
    assert_ok(ctx, cairn_ks_test(ctx, &ks, &x, &y));
    assert_close(ks.distance, 1);
    assert_close(ks.p_value, 0.1);
    assert_close(ks.at, 3);
    assert_ok(ctx, cairn_sample_make(ctx, &y, c, NULL, 3, all));
    assert_ok(ctx, cairn_ks_test(ctx, &ks, &x, &y));
    assert_close(ks.distance, 0);
    assert_close(ks.p_value, 1);
    assert_close(cairn_kolmogorov_upper(1), 0.26999967167735456);
    assert_close(cairn_kolmogorov_upper(0.5), 0.9639452436648751);
    assert_close(cairn_kolmogorov_upper(1.5), 0.022217962616525127);
    assert_close(cairn_kolmogorov_upper(1.18), cairn_kolmogorov_upper(1.18 - 1e-15));
}

/* Every pair against the plain formula over the rows that both have. */
static void check_pairs(const cairn_correlations *c, const double *const *columns, size_t n,
                        size_t n_rows, const double *w)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double s = 0, sx = 0, sy = 0, xx = 0, yy = 0, xy = 0;
            for (size_t r = 0; r < n_rows; r++) {
                double x = columns[i][r], y = columns[j][r], weight = w ? w[r] : 1;
                if (isnan(x) || isnan(y)) continue;
                s += weight, sx += weight * x, sy += weight * y;
            }
            for (size_t r = 0; r < n_rows; r++) {
                double x = columns[i][r] - sx / s, y = columns[j][r] - sy / s;
                if (isnan(x) || isnan(y)) continue;
                xx += (w ? w[r] : 1) * x * x, yy += (w ? w[r] : 1) * y * y;
                xy += (w ? w[r] : 1) * x * y;
            }
            assert_close(c->weight[i * n + j], s);
            assert_close(c->covariance[i * n + j], xy / s);
            assert_close(c->correlation[i * n + j], xy / sqrt(xx * yy));
        }
}

static void test_correlations__with_weights_and_gaps(void **state)
{
    cairn_context *ctx = *state;
    enum { ROWS = 700, N = 4 };
    double values[N][ROWS], w[ROWS];
    const double *columns[N];
    cairn_correlations c;
    for (size_t j = 0; j < N; j++) columns[j] = values[j];
    for (size_t r = 0; r < ROWS; r++) {
        values[0][r] = 1e4 + sin((double)r);
        values[1][r] = cos((double)r * 1.7) + 0.5 * sin((double)r);
        values[2][r] = fmod((double)r * 7.3, 5);
        values[3][r] = values[2][r] * -2 + 0.1 * values[1][r];
        w[r] = (double)(r % 4);
    }
    assert_ok(ctx, cairn_correlations_make(ctx, &c, columns, N, ROWS, NULL));
    check_pairs(&c, columns, N, ROWS, NULL);
    assert_ok(ctx, cairn_correlations_make(ctx, &c, columns, N, ROWS, w));
    check_pairs(&c, columns, N, ROWS, w);
    for (size_t r = 0; r < ROWS; r += 5) values[r % 3][r] = NAN;
    assert_ok(ctx, cairn_correlations_make(ctx, &c, columns, N, ROWS, w));
    check_pairs(&c, columns, N, ROWS, w);
}

static void test_rank_correlations__of_a_curve_is_one(void **state)
{
    cairn_context *ctx = *state;
    const double x[6] = {1, 2, 3, 4, 5, NAN}, y[6] = {1, 8, 27, 64, 1000, 2},
                 z[6] = {5, 4, 4, 2, 1, 9};
    const double *columns[3] = {x, y, z};
    cairn_correlations c;
    assert_ok(ctx, cairn_rank_correlations(ctx, &c, columns, 3, 6, NULL));
    assert_close(c.correlation[1], 1);
    assert_close(c.correlation[2], -9.5 / sqrt(10 * 9.5));
    assert_close(cairn_correlation_p(0, 10), 1);
    assert_close(cairn_correlation_p(0.5, 2), NAN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_contingency__by_hand),
        context_test(test_contingency__of_nothing),
        cmocka_unit_test(test_correlation_ratio__by_hand),
        context_test(test_ks__exact_and_limit),
        context_test(test_correlations__with_weights_and_gaps),
        context_test(test_rank_correlations__of_a_curve_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
