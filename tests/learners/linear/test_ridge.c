/* SPDX-License-Identifier: MIT */
/* Ridge regression: its closed form, the choice of the strength, weights, bags, many terms. */
#include "support/fail_alloc.h"
#include "bag_rows.h"
#include "support/run.h"

/* (X'X + λI) c = X'y of two centred columns, by Cramer's rule, on all rows but one (-1 = all). */
static void closed_form_without(int out, double lambda, double *b, double *c1, double *c2)
{
    double m[3] = {0}, a11 = lambda, a12 = 0, a22 = lambda, r1 = 0, r2 = 0;
    for (int i = 0; i < 24; i++)
        if (i / 3 != out) m[i % 3] += rows[i] / (out < 0 ? 8 : 7);
    for (int i = 0; i < 8; i++) {
        if (i == out) continue;
        double x = rows[3 * i] - m[0], y = rows[3 * i + 1] - m[1], t = rows[3 * i + 2] - m[2];
        a11 += x * x, a12 += x * y, a22 += y * y, r1 += x * t, r2 += y * t;
    }
    double det = a11 * a22 - a12 * a12;
    *c1 = (a22 * r1 - a12 * r2) / det;
    *c2 = (a11 * r2 - a12 * r1) / det;
    *b = m[2] - *c1 * m[0] - *c2 * m[1];
}

static void closed_form(double lambda, double *b, double *c1, double *c2)
{
    closed_form_without(-1, lambda, b, c1, c2);
}

static void test_ridge__agrees_with_the_closed_form(void **state)
{
    static const double lambdas[] = {0, 0.1, 1, 17.5, 1e4};
    for (size_t i = 0; i < 5; i++) {
        char spec[40];
        double b, c1, c2;
        snprintf(spec, sizeof spec, "ridge:lambda=%g", lambdas[i]);
        fitted f = fit_numbers(*state, spec, "x y t", rows, 8, 3, "t");
        closed_form(lambdas[i], &b, &c1, &c2);
        assert_value(f.report, "coefficient.intercept", b, 1e-10);
        assert_value(f.report, "coefficient.x", c1, 1e-10);
        assert_value(f.report, "coefficient.y", c2, 1e-10);
        assert_value(f.report, "lambda", lambdas[i], 0);
        drop(&f);
    }
}

/* The degrees of freedom of one column are s / (s + λ) and 1 for the constant. */
static void test_ridge__degrees_of_freedom(void **state)
{
    static const double line[] = {1, 2, 2, 3, 3, 7, 4, 6};
    fitted f = fit_numbers(*state, "ridge:lambda=5", "x t", line, 4, 2, "t");
    assert_value(f.report, "df", 1.5, 1e-12);
    assert_value(f.report, "coefficient.x", 8.0 / 10, 1e-12);
    double sse, gcv;
    assert_true(cairn_report_number(f.report, "sse", &sse));
    assert_true(cairn_report_number(f.report, "gcv", &gcv));
    assert_true(fabs(gcv - 4 * sse / (2.5 * 2.5)) < 1e-12);
    drop(&f);
    f = fit_numbers(*state, "ridge:lambda=5,intercept=no", "x t", line, 4, 2, "t");
    assert_value(f.report, "coefficient.x", 53.0 / 35, 1e-12);
    drop(&f);
}

static void test_ridge__least_gcv_is_chosen(void **state)
{
    fitted f = fit_numbers(*state, "ridge:lambda=\"0.01,0.3,1000\"", "x y t", rows, 8, 3, "t");
    double best = INFINITY, gcv, chosen;
    for (int i = 1; i <= 3; i++) {
        char name[20];
        snprintf(name, sizeof name, "path%d.gcv", i);
        assert_true(cairn_report_number(f.report, name, &gcv));
        best = fmin(best, gcv);
    }
    assert_value(f.report, "path1.lambda", 1000, 0);
    assert_true(cairn_report_number(f.report, "gcv", &chosen) && chosen == best);
    drop(&f);
    f = fit_numbers(*state, "ridge", "x y t", rows, 8, 3, "t");
    assert_true(cairn_report_number(f.report, "path50.lambda", &chosen));
    drop(&f);
}

/* Every row left out in turn and predicted by the others. */
static void test_ridge__leaves_each_row_out(void **state)
{
    static const double lambdas[] = {50, 2, 0.1};
    fitted f = fit_numbers(*state, "ridge:lambda=\"50,2,0.1\",inner=loo", "x y t", rows, 8, 3, "t");
    double least = INFINITY;
    for (int l = 0; l < 3; l++) {
        char name[24];
        double b, c1, c2, sum = 0;
        for (int i = 0; i < 8; i++) {
            const double *row = rows + 3 * i;
            closed_form_without(i, lambdas[l], &b, &c1, &c2);
            double rest = row[2] - b - c1 * row[0] - c2 * row[1];
            sum += rest * rest / 8;
        }
        snprintf(name, sizeof name, "path%d.held_out", l + 1);
        assert_value(f.report, name, sum, 1e-10);
        least = fmin(least, sum);
    }
    assert_value(f.report, "held_out", least, 1e-10);
    drop(&f);
}

/* As many folds as rows are the same. */
static void test_ridge__folds_of_one_row(void **state)
{
    double loo;
    fitted f = fit_numbers(*state, "ridge:lambda=2,inner=loo", "x y t", rows, 8, 3, "t");
    assert_true(cairn_report_number(f.report, "held_out", &loo));
    drop(&f);
    /* the strength counts for the share of the rows that are learned from */
    f = fit_numbers(*state, "ridge:lambda=2.2857142857142856,inner=cv:8", "x y t", rows, 8, 3, "t");
    assert_value(f.report, "held_out", loo, 1e-10);
    drop(&f);
}

static void test_ridge__refusals(void **state)
{
    fitted f = {0};
    assert_ok(*state, table_of(*state, &f.table, "x y t", rows, 8, 3));
    assert_fails(*state, learn(*state, &f.model, &f.report, f.table, "ridge:lambda=-1", "t", NULL),
                 CAIRN_USAGE, "at least 0");
    drop(&f);
}

/* Up to a thousand terms by Newton's method, more by conjugate gradients: the same answer. */
static void test_ridge__bags_are_columns(void **state)
{
    double b, c1, c2;
    closed_form(2, &b, &c1, &c2);
    for (size_t extra = 0; extra <= 1100; extra += 1100) {
        fitted f = fit_bag(*state, extra, "ridge:lambda=2", CAIRN_OK);
        assert_value(f.report, "coefficient.intercept", b, extra ? 1e-6 : 1e-10);
        assert_value(f.report, "coefficient.words=x", c1, extra ? 1e-6 : 1e-10);
        assert_value(f.report, "coefficient.words=y", c2, extra ? 1e-6 : 1e-10);
        drop(&f);
    }
    fitted f = fit_bag(*state, 1100, "ridge", CAIRN_USAGE);
    drop(&f);
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    fitted f = {0};
    cairn_status status = table_of(ctx, &f.table, "x y t", rows, 8, 3);
    (void)data;
    if (status == CAIRN_OK)
        status = learn(ctx, &f.model, &f.report, f.table, "ridge:path=3", "t", NULL);
    drop(&f);
    return status;
}

static void test_ridge__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(whole_way, NULL);
}

/* The steps show a system whose product with the coefficients is the right side: the sums of
 * squares with the strength on the diagonal. */
static void test_ridge__shows_its_equations(void **state)
{
    static const char *const names[] = {"sepal_width", "petal_length"};
    static const char *const specs[] = {"ridge:lambda=2", "ridge:lambda=2,intercept=no"};
    cairn_context *ctx = *state;
    for (size_t k = 0; k < 2; k++) {
        OWNED(cairn_report_free) cairn_report *report = NULL;
        double w[2], sums[2];
        char name[80];
        assert_ok(ctx, run_words(ctx, &report,
                                 WORDS("fit", specs[k], "@iris", "--target", "sepal_length",
                                       "--features", "sepal_width,petal_length", "--steps")));
        for (size_t i = 0; i < 2; i++) {
            snprintf(name, sizeof name, "solution.%s", names[i]);
            w[i] = number_of(report, name);
        }
        for (size_t i = 0; i < 2; i++) {
            for (size_t j = 0; j < 2; j++) {
                snprintf(name, sizeof name, "system.%s.%s", names[i], names[j]);
                sums[j] = number_of(report, name);
            }
            assert_true(fabs(sums[i] - (150 + 2)) < 1e-9); /* standardised */
            snprintf(name, sizeof name, "right.%s", names[i]);
            assert_number(report, name, sums[0] * w[0] + sums[1] * w[1], 1e-9);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_ridge__shows_its_equations),
        context_test(test_ridge__agrees_with_the_closed_form),
        context_test(test_ridge__degrees_of_freedom),
        context_test(test_ridge__least_gcv_is_chosen),
        context_test(test_ridge__leaves_each_row_out),
        context_test(test_ridge__folds_of_one_row),
        context_test(test_ridge__refusals),
        context_test(test_ridge__bags_are_columns),
        context_test(test_ridge__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
