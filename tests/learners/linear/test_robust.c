/* SPDX-License-Identifier: MIT */
/* Huber and quantile regression: beside MASS and quantreg of R, by brute force, at their edges. */
#include "base/random.h"
#include "model/model.h"
#include "support/learn.h"

static const double wild[] = {1,    2.1, 2,    3.9, 3,    6.2, 4,  7.8, 5,
                              10.1, 6,   12.2, 7,   13.8, 8,   40, 9,   18.15};

static void test_huber__is_that_of_rlm(void **state)
{
    fitted f = fit_numbers(*state, "huber", "x y", wild, 9, 2, "y");
    assert_value(f.report, "coefficient.intercept", -0.0334559050857671, 1e-9);
    assert_value(f.report, "coefficient.x", 2.0239441953934110, 1e-9);
    assert_value(f.report, "se.x", 0.0383303708975868, 1e-9);
    drop(&f);
}

/* With a wide k nothing is large: least squares. */
static void test_huber__with_a_wide_k_is_least_squares(void **state)
{
    fitted f = fit_numbers(*state, "huber:k=1000", "x y", wild, 9, 2, "y");
    assert_value(f.report, "coefficient.x", 3.20166666666667, 1e-9);
    assert_value(f.report, "large", 0, 0);
    drop(&f);
}

static void test_huber__rows_on_a_plane(void **state)
{
    static const double exact[] = {1, 3, 2, 5, 3, 7, 4, 9, 5, 90, 6, 13, 7, 15, 8, 17, 9, 19};
    fitted f = fit_numbers(*state, "huber", "x y", exact, 9, 2, "y");
    assert_value(f.report, "coefficient.x", 2, 1e-6);
    drop(&f);
}

/* The best line goes through two of the points: all pairs are tried. */
static double best_loss(double tau)
{
    double best = INFINITY;
    for (int a = 0; a < 9; a++)
        for (int b = a + 1; b < 9; b++) {
            double slope = (wild[2 * b + 1] - wild[2 * a + 1]) / (wild[2 * b] - wild[2 * a]);
            double level = wild[2 * a + 1] - slope * wild[2 * a], sum = 0;
            for (int i = 0; i < 9; i++) {
                double r = wild[2 * i + 1] - level - slope * wild[2 * i];
                if (i == a || i == b) r = 0;
                sum += r * (tau - (r < 0));
            }
            best = fmin(best, sum);
        }
    return best;
}

static void test_quantile__loss_is_the_least_of_all_pairs(void **state)
{
    for (int i = 1; i < 20; i++) {
        char spec[60];
        snprintf(spec, sizeof spec, "quantile-regression:tau=%.2f,errors=no", 0.05 * i);
        fitted f = fit_numbers(*state, spec, "x y", wild, 9, 2, "y");
        assert_value(f.report, "loss", best_loss(0.05 * i), 1e-9);
        drop(&f);
    }
}

/* Without features it is the quantile of the target. */
static void test_quantile__of_no_feature(void **state)
{
    static const double numbers[] = {5, 1, 9, 2, 7};
    fitted f = fit_numbers(*state, "quantile-regression", "y", numbers, 5, 1, "y");
    assert_value(f.report, "coefficient.intercept", 5, 1e-12);
    drop(&f);
}

static void test_quantile__one_row_and_a_constant_column(void **state)
{
    static const double one[] = {4, 7}, flat[] = {2, 1, 2, 5, 2, 6, 2, 8, 2, 30};
    fitted f = fit_numbers(*state, "quantile-regression", "x y", one, 1, 2, "y");
    assert_value(f.report, "loss", 0, 1e-9);
    drop(&f);
    f = fit_numbers(*state, "quantile-regression", "x y", flat, 5, 2, "y");
    assert_value(f.report, "loss", 0.5 * (5 + 1 + 0 + 2 + 24), 1e-9);
    drop(&f);
}

/* A column that differs from another by little is as good as the difference itself. */
static void test_quantile__columns_that_nearly_depend(void **state)
{
    enum { ROWS = 24, CASES = 20 };
    double apart[3 * ROWS], near[3 * ROWS], best, loss;
    cairn_random random;
    cairn_random_start(&random, 4, 0);
    for (int k = 0; k < CASES; k++) {
        double size = pow(10, -4 - 4.0 * k / CASES);
        for (size_t i = 0; i < ROWS; i++) {
            double x = floor(10 * cairn_random_normal(&random)), e = cairn_random_normal(&random);
            double y = x + 2 * e + cairn_random_normal(&random);
            memcpy(apart + 3 * i, (double[]){x, e, y}, 3 * sizeof y);
            memcpy(near + 3 * i, (double[]){x, x + size * e, y}, 3 * sizeof y);
        }
        fitted f = fit_numbers(*state, "quantile-regression:tau=0.3,errors=no", "a b y", apart,
                               ROWS, 3, "y");
        assert_true(cairn_report_number(f.report, "loss", &best));
        drop(&f);
        f = fit_numbers(*state, "quantile-regression:tau=0.3,errors=no", "a b y", near, ROWS, 3,
                        "y");
        assert_true(cairn_report_number(f.report, "loss", &loss));
        assert_true(f.model->certificate.has);
        drop(&f);
        assert_float_equal(loss, best, 1e-5 * best);
    }
}

/* Every row is met: the dual problem's 0 proves it. */
static void test_quantile__as_many_columns_as_rows(void **state)
{
    static const double rows[] = {1e5, 2, 3, 1.5, 1e5, -1, 2, 7.25, 1e5, 4, 4, -3};
    fitted f = fit_numbers(*state, "quantile-regression:tau=0.9", "a b c y", rows, 3, 4, "y");
    assert_value(f.report, "loss", 0, 1e-9);
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_huber__is_that_of_rlm),
        context_test(test_huber__with_a_wide_k_is_least_squares),
        context_test(test_huber__rows_on_a_plane),
        context_test(test_quantile__loss_is_the_least_of_all_pairs),
        context_test(test_quantile__columns_that_nearly_depend),
        context_test(test_quantile__as_many_columns_as_rows),
        context_test(test_quantile__of_no_feature),
        context_test(test_quantile__one_row_and_a_constant_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
