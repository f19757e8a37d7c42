/* SPDX-License-Identifier: MIT */
/* The dual perceptron beside the primal one and beside a plain loop; many classes, the mean,
 * weights, orders, a given matrix. */
#include "data/shape.h"
#include "support/learn.h"

enum { N = 12 };

/* x, y, class (0, 1, 2), weight */
static const double rows[] = {1, 2, 0, 1, 2, 1, 0, 2, 1.5, 1,   0, 1,   5, 5,  1, 1,
                              6, 4, 1, 3, 5, 6, 1, 1, 9,   1,   2, 0.5, 8, -1, 2, 1,
                              9, 0, 2, 1, 2, 2, 0, 2, 6,   5.5, 1, 1.5, 8, .5, 2, 1};

static fitted fit(cairn_context *ctx, const char *spec, bool two, const char *weight)
{
    fitted f = {0};
    double copy[N * 4];
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_params *params = NULL;
    memcpy(copy, rows, sizeof copy);
    for (size_t i = 0; two && i < N; i++) copy[4 * i + 2] = copy[4 * i + 2] > 0;
    assert_ok(ctx, table_of(ctx, &f.table, "x y c w", copy, N, 4));
    assert_ok(ctx, cairn_table_set_role(ctx, f.table, "c", CAIRN_TARGET));
    assert_ok(ctx, cairn_table_set_role(ctx, f.table, "w", weight ? CAIRN_WEIGHT : CAIRN_IGNORED));
    assert_ok(ctx, cairn_params_new(ctx, &params, spec));
    assert_ok(ctx, cairn_report_new(ctx, &f.report));
    options.task = CAIRN_CLASSIFY;
    options.with = own_units;
    options.positive = two ? "1" : NULL;
    options.steps = f.report;
    assert_ok(ctx, cairn_model_fit(ctx, &f.model, params, f.table, &options));
    assert_ok(ctx, cairn_model_describe(ctx, f.report, f.model));
    cairn_params_free(params);
    return f;
}

static double value(const fitted *f, const char *name)
{
    double out = NAN;
    if (!cairn_report_number(f->report, name, &out)) fail_msg("there is no value %s", name);
    return out;
}

/* The linear kernel with a constant has the weights of the primal perceptron, with weights of rows,
 * means and orders. */
static void test_kernel_perceptron__is_the_primal_one(void **state)
{
    static const char *const primal[] = {"perceptron:epochs=50", "perceptron:epochs=3,average=yes",
                                         "perceptron:order=given,visit=\"7,3,1,2,4-6,8-12\""};
    static const char *const dual[] = {
        "kernel-perceptron:kernel=linear,intercept=yes,epochs=50",
        "kernel-perceptron:kernel=linear,intercept=yes,epochs=3,average=yes",
        "kernel-perceptron:kernel=linear,intercept=yes,order=given,visit=\"7,3,1,2,4-6,8-12\""};
    for (size_t i = 0; i < 6; i++) {
        fitted a = fit(*state, primal[i / 2], true, i % 2 ? "w" : NULL);
        fitted b = fit(*state, dual[i / 2], true, i % 2 ? "w" : NULL);
        assert_value(b.report, "w.x", value(&a, "coefficient.x"), 1e-10);
        assert_value(b.report, "w.y", value(&a, "coefficient.y"), 1e-10);
        assert_value(b.report, "w.intercept", value(&a, "coefficient.intercept"), 1e-10);
        assert_value(b.report, "updates", value(&a, "updates"), 0);
        assert_value(b.report, "epochs", value(&a, "epochs"), 0);
        drop(&a);
        drop(&b);
    }
}

/* Three classes with a Gaussian kernel, by a plain loop. */
static void test_kernel_perceptron__many_classes(void **state)
{
    double c[3][N] = {0}, updates = 0;
    for (int epoch = 0, changed = 1; changed && epoch < 100; epoch++) {
        changed = 0;
        for (size_t i = 0; i < N; i++) {
            const double *r = rows + 4 * i;
            double f[3] = {0};
            for (size_t j = 0; j < N; j++) {
                double dx = r[0] - rows[4 * j], dy = r[1] - rows[4 * j + 1];
                for (size_t k = 0; k < 3; k++) f[k] += c[k][j] * exp(-0.1 * (dx * dx + dy * dy));
            }
            size_t right = (size_t)r[2], rival = right == 0;
            for (size_t k = 0; k < 3; k++)
                if (k != right && f[k] > f[rival]) rival = k;
            if (f[right] > f[rival]) continue;
            c[right][i]++, c[rival][i]--, updates++, changed = 1;
        }
    }
    fitted f = fit(*state, "kernel-perceptron:gamma=0.1", false, NULL);
    assert_value(f.report, "updates", updates, 0);
    for (size_t i = 0; i < N; i++) {
        char name[32];
        snprintf(name, sizeof name, "alpha%zu", i + 1);
        assert_value(f.report, name, c[(size_t)rows[4 * i + 2]][i], 1e-12);
    }
    assert_value(f.report, "converged", 1, 0);
    drop(&f);
}

/* A given matrix is the kernel. */
static void test_kernel_perceptron__given_matrix(void **state)
{
    cairn_context *ctx = *state;
    static const double corners[] = {9, 1, 1, 1, 0, 1, 9, 1, 1, 1, 1, 1, 9, 1, 1, 1, 1, 1, 9, 0};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_params *params = NULL;
    fitted f = {0};
    assert_ok(ctx, table_of(ctx, &f.table, "a b c d class", corners, 4, 5));
    assert_ok(ctx, cairn_table_set_role(ctx, f.table, "class", CAIRN_TARGET));
    assert_ok(ctx, cairn_table_reshape(ctx, &f.table, CAIRN_SHAPE_GRAM));
    assert_ok(ctx, cairn_params_new(ctx, &params, "kernel-perceptron"));
    assert_ok(ctx, cairn_report_new(ctx, &f.report));
    options.task = CAIRN_CLASSIFY;
    assert_ok(ctx, cairn_model_fit(ctx, &f.model, params, f.table, &options));
    assert_ok(ctx, cairn_model_describe(ctx, f.report, f.model));
    assert_value(f.report, "updates", 4, 0);
    assert_value(f.report, "alpha3", 1, 0);
    cairn_params_free(params);
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_kernel_perceptron__is_the_primal_one),
        context_test(test_kernel_perceptron__many_classes),
        context_test(test_kernel_perceptron__given_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
