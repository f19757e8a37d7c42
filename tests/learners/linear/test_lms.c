/* SPDX-License-Identifier: MIT */
/* Least mean squares: the formula row by row, the batch answer, rates that are too large. */
#include "support/fail_alloc.h"
#include "support/learn.h"

/* x, t */
static const double rows[] = {0, 0.1, 0.2, 1, 0.4, 0.8, 0.6, 0.1, 0.8, -0.6, 1, -0.9, 1.2, 0.2};

/* The rule by hand, one pass. */
static void by_hand(double eta, bool squared, int passes, double *a, double *b)
{
    *a = *b = 0;
    for (int i = 0; i < 7 * passes; i++) {
        double x = rows[2 * (i % 7)], e = rows[2 * (i % 7) + 1] - *a - *b * x;
        double step = eta * (squared ? e * e : e);
        *a += step;
        *b += step * x;
    }
}

static void test_lms__is_the_rule(void **state)
{
    double a, b;
    by_hand(0.1, false, 1, &a, &b);
    fitted f = fit_numbers(*state, "lms:eta=0.1,protocol=online", "x t", rows, 7, 2, "t");
    assert_value(f.report, "coefficient.intercept", a, 1e-14);
    assert_value(f.report, "coefficient.x", b, 1e-14);
    assert_value(f.report, "update7.w.1", b, 1e-14);
    drop(&f);
    by_hand(0.3, false, 5, &a, &b);
    f = fit_numbers(*state, "lms:eta=0.3,epochs=5", "x t", rows, 7, 2, "t");
    assert_value(f.report, "coefficient.intercept", a, 1e-14);
    assert_value(f.report, "epoch5.w.1", b, 1e-14);
    drop(&f);
    by_hand(0.1, true, 1, &a, &b);
    f = fit_numbers(*state, "lms:eta=0.1,protocol=online,printed_update=yes", "x t", rows, 7, 2,
                    "t");
    assert_value(f.report, "coefficient.x", b, 1e-14);
    assert_true(b > 0); /* although the points fall */
    drop(&f);
}

/* One update per epoch is gradient descent: it ends at the batch answer. */
static void test_lms__epochs_end_at_the_batch_answer(void **state)
{
    fitted f = fit_numbers(*state, "lms:update=epoch,epochs=20000,tolerance=1e-15", "x t", rows, 7,
                           2, "t");
    assert_value(f.report, "batch.intercept", 0.625, 1e-12);
    assert_value(f.report, "batch.x", -0.875, 1e-12);
    assert_value(f.report, "batch.E", 0.97125, 1e-12);
    assert_value(f.report, "coefficient.intercept", 0.625, 1e-5);
    assert_value(f.report, "coefficient.x", -0.875, 1e-5);
    drop(&f);
}

/* Columns that differ by little, but by more than rounding, count for the batch answer as they do
 * for linear regression. */
static void test_lms__batch_answer_of_columns_that_nearly_depend(void **state)
{
    static const int signs[] = {1, -1, -1, 1, 1, 1, -1, -1};
    double cells[8 * 3];
    for (int i = 0; i < 8; i++) {
        cells[3 * i] = i / 8.0;
        cells[3 * i + 1] = 3 - 2 * cells[3 * i] + ldexp(signs[i], -42);
        cells[3 * i + 2] = signs[i];
    }
    fitted f = fit_numbers(*state, "lms", "x z t", cells, 8, 3, "t");
    assert_value(f.report, "batch.E", 0, 1e-3);
    drop(&f);
}

static void test_lms__starts_from_given_weights(void **state)
{
    fitted f =
        fit_numbers(*state, "lms:init=\"0.625,-0.875\",eta=1e-9,epochs=1", "x t", rows, 7, 2, "t");
    assert_value(f.report, "coefficient.x", -0.875, 1e-8);
    drop(&f);
}

/* A rate that is too large is refused by name; without one, long rows get a smaller one. */
static void test_lms__rates(void **state)
{
    static const double long_rows[] = {1000, 1, 2000, 2, -1500, 3, 500, 1};
    fitted f = {0};
    assert_ok(*state, table_of(*state, &f.table, "x t", long_rows, 4, 2));
    assert_int_equal(learn(*state, &f.model, &f.report, f.table, "lms:eta=0.1", "t", NULL),
                     CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(*state), "'x', row 2"));
    drop(&f);
    f = fit_numbers(*state, "lms", "x t", long_rows, 4, 2, "t");
    assert_value(f.report, "eta", 1 / (1 + 2000.0 * 2000), 1e-12);
    drop(&f);
    assert_ok(*state, table_of(*state, &f.table, "x t", rows, 7, 2));
    assert_int_equal(learn(*state, &f.model, &f.report, f.table, "lms:init=1", "t", NULL),
                     CAIRN_USAGE);
    assert_non_null(strstr(cairn_message(*state), "2 weights"));
    drop(&f);
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    fitted f = {0};
    cairn_status status = table_of(ctx, &f.table, "x t", rows, 7, 2);
    (void)data;
    if (status == CAIRN_OK)
        status = learn(ctx, &f.model, &f.report, f.table, "lms:epochs=3", "t", NULL);
    drop(&f);
    return status;
}

static void test_lms__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(whole_way, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_lms__is_the_rule),
        context_test(test_lms__epochs_end_at_the_batch_answer),
        context_test(test_lms__batch_answer_of_columns_that_nearly_depend),
        context_test(test_lms__starts_from_given_weights),
        context_test(test_lms__rates),
        context_test(test_lms__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
