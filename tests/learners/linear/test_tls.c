/* SPDX-License-Identifier: MIT */
/* Total least squares: numpy's singular vectors, the closed form, columns that repeat others. */
#include "support/fail_alloc.h"
#include "support/learn.h"

/* x, y, t */
static const double rows[] = {1, 2, 3.1,  2, 1, 3.9, 3, 5, 9.2,  4, 3, 8,
                              5, 8, 14.1, 6, 2, 9.8, 7, 7, 15.3, 8, 1, 10.2};

static void test_tls__agrees_with_numpy(void **state)
{
    fitted f = fit_numbers(*state, "tls", "x y t", rows, 8, 3, "t");
    assert_value(f.report, "coefficient.x", 1.142353519531498, 1e-12);
    assert_value(f.report, "coefficient.y", 1.0099077467139423, 1e-12);
    assert_value(f.report, "coefficient.intercept", 0.3984935802702161, 1e-11);
    assert_value(f.report, "tss.left", 0.2389552878668368, 1e-11);
    drop(&f);
    f = fit_numbers(*state, "tls:ratio=4", "x y t", rows, 8, 3, "t");
    assert_value(f.report, "coefficient.x", 1.139648720741559, 1e-12);
    assert_value(f.report, "coefficient.intercept", 0.4168893990771796, 1e-11);
    assert_value(f.report, "tss.left", 0.12552824586643682, 1e-11);
    drop(&f);
}

/* The more errors the target has beside the features, the nearer to ordinary least squares. */
static void test_tls__large_ratio_is_ordinary(void **state)
{
    double wanted;
    fitted f = fit_numbers(*state, "tls:ratio=1e12", "x y t", rows, 8, 3, "t");
    assert_true(cairn_report_number(f.report, "ordinary.x", &wanted));
    assert_value(f.report, "coefficient.x", wanted, 1e-9);
    drop(&f);
}

/* Exchanging x and y turns the slope over. */
static void test_tls__is_symmetric(void **state)
{
    static const double ahead[] = {1, 1, 2, 2, 3, 1.3, 4, 3.75, 5, 2.25};
    static const double back[] = {1, 1, 2, 2, 1.3, 3, 3.75, 4, 2.25, 5};
    double slope;
    fitted f = fit_numbers(*state, "tls", "x t", ahead, 5, 2, "t");
    assert_true(cairn_report_number(f.report, "coefficient.x", &slope));
    assert_value(f.report, "closed.slope", slope, 1e-12);
    drop(&f);
    f = fit_numbers(*state, "tls", "x t", back, 5, 2, "t");
    assert_value(f.report, "coefficient.x", 1 / slope, 1e-12);
    drop(&f);
}

/* Twins have the least spread across them, where the target has no part. */
static void test_tls__twins_and_constants(void **state)
{
    static const double twins[] = {1, 1, 5, 2.2, 2, 2, 5, 3.8, 3, 3, 5, 6.1, 4, 4, 5, 8.3};
    fitted f = fit_numbers(*state, "tls", "x y c t", twins, 4, 4, "t");
    double x, y;
    assert_true(cairn_report_number(f.report, "coefficient.x", &x));
    assert_true(cairn_report_number(f.report, "coefficient.y", &y));
    assert_true(isfinite(x) && fabs(x - y) < 1e-9);
    assert_value(f.report, "coefficient.c", 0, 1e-9);
    drop(&f);
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    fitted f = {0};
    cairn_status status = table_of(ctx, &f.table, "x y t", rows, 8, 3);
    (void)data;
    if (status == CAIRN_OK) status = learn(ctx, &f.model, &f.report, f.table, "tls", "t", NULL);
    drop(&f);
    return status;
}

static void test_tls__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(whole_way, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_tls__agrees_with_numpy),
        context_test(test_tls__large_ratio_is_ordinary),
        context_test(test_tls__is_symmetric),
        context_test(test_tls__twins_and_constants),
        context_test(test_tls__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
