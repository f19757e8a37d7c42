/* SPDX-License-Identifier: MIT */
/* Kernel ridge regression against numbers of numpy and scikit-learn: weights, leaving rows out,
 * classes, the linear case, a given matrix, refusals. */
#include "data/shape.h"
#include "support/learn.h"

/* x, y, t, weight, class */
static const double rows[] = {1, 2, 3.1, 1, 0,    2, 1, 3.9, 2,    1,    3, 5, 9.2, 1,
                              2, 4, 3,   8, 3,    0, 5, 8,   14.1, 0.5,  1, 6, 2,   9.8,
                              1, 2, 7,   7, 15.3, 1, 0, 8,   1,    10.2, 2, 1};
enum { N = 8, WIDTH = 5 };

static fitted fit(cairn_context *ctx, const char *spec, const char *target, const char *weight)
{
    fitted f = {0};
    static const char *const others[] = {"t", "w", "c"};
    assert_ok(ctx, table_of(ctx, &f.table, "x y t w c", rows, N, WIDTH));
    for (size_t i = 0; i < 3; i++)
        assert_ok(ctx, cairn_table_set_role(ctx, f.table, others[i], CAIRN_IGNORED));
    assert_ok(ctx, learn(ctx, &f.model, &f.report, f.table, spec, target, weight));
    return f;
}

static void test_kernel_ridge__weights(void **state)
{
    fitted f = fit(*state, "kernel-ridge:gamma=0.1,lambda=0.3", "t", "w");
    assert_value(f.report, "alpha1", -0.18085548261975345, 1e-12);
    assert_value(f.report, "alpha2", 1.821964456534334, 1e-12);
    assert_value(f.report, "alpha3", 3.970484293891633, 1e-12);
    assert_value(f.report, "left_out.mse", 17.247867930795408, 1e-12);
    drop(&f);
    f = fit(*state, "kernel-ridge:gamma=0.1,lambda=\"0.3,5\"", "t", "w");
    assert_value(f.report, "path2.left_out", 17.247867930795408, 1e-12);
    assert_value(f.report, "path1.left_out", 53.04588100274277, 1e-12);
    assert_value(f.report, "alpha1", -0.18085548261975345, 1e-12);
    drop(&f);
}

static void test_kernel_ridge__leaves_rows_out(void **state)
{
    fitted f = fit(*state, "kernel-ridge:gamma=0.1,lambda=\"0.3,5,0.01\"", "t", NULL);
    assert_value(f.report, "path1.lambda", 5, 0);
    assert_value(f.report, "path1.left_out", 70.44927987419011, 1e-12);
    assert_value(f.report, "path2.left_out", 20.154530485010213, 1e-12);
    assert_value(f.report, "path3.left_out", 10.544067480658592, 1e-12);
    assert_value(f.report, "path1.df", 1.212290318444412, 1e-12);
    assert_value(f.report, "path3.df", 7.792206801068778, 1e-12);
    assert_value(f.report, "lambda", 0.01, 0);
    drop(&f);
}

/* The linear kernel is ridge regression without an intercept. */
static void test_kernel_ridge__linear_is_ridge(void **state)
{
    fitted f = fit(*state, "kernel-ridge:kernel=linear,lambda=0.3", "t", NULL);
    assert_value(f.report, "w.x", 1.1916548543879064, 1e-12);
    assert_value(f.report, "w.y", 1.0360350946325052, 1e-12);
    drop(&f);
    f = fit(*state, "kernel-ridge:kernel=laplace,sigma=2,manhattan=yes,lambda=0.3", "t", NULL);
    assert_value(f.report, "alpha1", 0.8154505866545576, 1e-12);
    assert_value(f.report, "alpha2", 1.4546064466269923, 1e-12);
    drop(&f);
}

/* Codes of +1 and -1, a score for each of three classes. */
static void test_kernel_ridge__classes(void **state)
{
    cairn_context *ctx = *state;
    static const double scores[] = {0.37122422, -0.40668725, -0.84497407};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_table *table = NULL, *answers = NULL;
    cairn_params *params = NULL;
    cairn_model *model = NULL;
    cairn_report *report = NULL;
    assert_ok(ctx, table_of(ctx, &table, "x y t w c", rows, N, WIDTH));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "t", CAIRN_IGNORED));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "w", CAIRN_IGNORED));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "c", CAIRN_TARGET));
    assert_ok(ctx, cairn_params_new(ctx, &params, "kernel-ridge:gamma=0.1,lambda=0.3"));
    options.task = CAIRN_CLASSIFY;
    options.with = own_units;
    assert_ok(ctx, cairn_model_fit(ctx, &model, params, table, &options));
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_model_describe(ctx, report, model));
    assert_value(report, "mse", 0.722954180944609, 1e-12);
    assert_ok(ctx, cairn_model_predict(ctx, &answers, model, table, true));
    for (size_t k = 0; k < 3; k++)
        assert_true(fabs(cairn_table_numbers(answers, k + 1)[0] - scores[k]) < 1e-8);
    cairn_table_free(answers);
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_params_free(params);
    cairn_table_free(table);
}

static void test_kernel_ridge__refusals(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model;
    cairn_report *report;
    cairn_table *table = NULL;
    static const double given[] = {1, 2, 5, 2, 1, 6};
    assert_ok(ctx, table_of(ctx, &table, "a b t", given, 2, 3));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "t", CAIRN_TARGET));
    assert_ok(ctx, cairn_table_reshape(ctx, &table, CAIRN_SHAPE_GRAM));
    assert_fails(ctx, learn(ctx, &model, &report, table, "kernel-ridge:lambda=0.5", "t", NULL),
                 CAIRN_NO_SOLUTION, "not positive definite with λ = 0.5");
    assert_fails(ctx,
                 learn(ctx, &model, &report, table, "kernel-ridge:lambda=\"0.5,1\"", "t", NULL),
                 CAIRN_NO_SOLUTION, "smallest eigenvalue is -1");
    assert_ok(ctx, learn(ctx, &model, &report, table, "kernel-ridge:lambda=3", "t", NULL));
    assert_value(report, "alpha1", (4 * 5 - 2 * 6) / 12.0, 1e-14);
    cairn_model_free(model);
    cairn_report_free(report);
    cairn_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_kernel_ridge__weights),
        context_test(test_kernel_ridge__leaves_rows_out),
        context_test(test_kernel_ridge__linear_is_ridge),
        context_test(test_kernel_ridge__classes),
        context_test(test_kernel_ridge__refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
