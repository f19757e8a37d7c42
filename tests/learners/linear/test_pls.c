/* SPDX-License-Identifier: MIT */
/* Partial least squares: coefficients of scikit-learn, errors of leaving one row out, columns that
 * depend on each other. */
#include "support/fail_alloc.h"
#include "support/learn.h"

/* x, y, z, t; z is nearly x + y */
static const double rows[] = {1, 2, 3,    3.1,  2, 1, 2.9, 3.9, 3, 5, 8.2,  9.2,  4, 3, 7.1, 8,
                              5, 8, 12.8, 14.1, 6, 2, 8.3, 9.8, 7, 7, 13.9, 15.3, 8, 1, 9.1, 10.2};

static void test_pls__agrees_with_scikit_learn(void **state)
{
    static const double wanted[3][3] = {
        {0.3421167447168763, 0.3761493004740525, 0.7128924837555852},
        {0.4076087112248618, 0.3107633071129359, 0.7186284423819707},
        {-0.24314895251482824, -0.30970624650123785, 1.3588132178859125}};
    for (int a = 1; a <= 3; a++) {
        char spec[40];
        snprintf(spec, sizeof spec, "pls:components=%d", a);
        fitted f = fit_numbers(*state, spec, "x y z t", rows, 8, 4, "t");
        assert_value(f.report, "coefficient.x", wanted[a - 1][0], 1e-8);
        assert_value(f.report, "coefficient.y", wanted[a - 1][1], 1e-8);
        assert_value(f.report, "coefficient.z", wanted[a - 1][2], 1e-8);
        drop(&f);
    }
}

/* With as many folds as rows every row is left out once; two components do best. */
static void test_pls__chooses_by_held_out_rows(void **state)
{
    fitted f = fit_numbers(*state, "pls", "x y z t", rows, 8, 4, "t");
    assert_value(f.report, "components1.mse", 0.28496362165786526, 1e-9);
    assert_value(f.report, "components2.mse", 0.2396286530541334, 1e-9);
    assert_value(f.report, "components3.mse", 0.3252152778072776, 1e-9);
    assert_value(f.report, "components", 2, 0);
    assert_value(f.report, "components3.x", 1, 1e-12);
    drop(&f);
}

/* More components than the columns have directions are not to be had. */
static void test_pls__ends_at_the_rank(void **state)
{
    static const double twins[] = {1, 1, 2, 2, 2, 3, 3, 3, 7, 4, 4, 6};
    fitted f = fit_numbers(*state, "pls:components=2", "x y t", twins, 4, 3, "t");
    assert_value(f.report, "components", 1, 0);
    assert_value(f.report, "coefficient.x", 0.8, 1e-12);
    assert_value(f.report, "coefficient.y", 0.8, 1e-12);
    drop(&f);
    static const double constant[] = {1, 5, 2, 5, 3, 5, 4, 5};
    f = fit_numbers(*state, "pls", "x t", constant, 4, 2, "t");
    assert_value(f.report, "components", 0, 0);
    assert_value(f.report, "coefficient.intercept", 5, 1e-14);
    drop(&f);
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    fitted f = {0};
    cairn_status status = table_of(ctx, &f.table, "x y z t", rows, 8, 4);
    (void)data;
    if (status == CAIRN_OK) status = learn(ctx, &f.model, &f.report, f.table, "pls", "t", NULL);
    drop(&f);
    return status;
}

static void test_pls__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(whole_way, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_pls__agrees_with_scikit_learn),
        context_test(test_pls__chooses_by_held_out_rows),
        context_test(test_pls__ends_at_the_rank),
        context_test(test_pls__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
