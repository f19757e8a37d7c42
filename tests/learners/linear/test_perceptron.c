/* SPDX-License-Identifier: MIT */
/* The perceptron against the same rules written plainly: every update, the mean of the weights,
 * many classes, batches, bags, weights. */
#include "data/bag.h"
#include "support/fail_alloc.h"
#include "support/learn.h"

enum { N = 12 };

/* x, y, and the class: 0, 1 or 2 */
static const double rows[] = {1,   2, 0, 2,   1, 0, 0.5, -1, 1, -1, -2, 1, 3,   -2, 2, 2.5, -3, 2,
                              1.5, 3, 0, -.5, 0, 1, 4,   -1, 2, -2, 1,  1, 0.5, 3,  0, 3,   -4, 2};

static fitted fit(cairn_context *ctx, const char *spec, bool two, const char *weight)
{
    double values[N * 4];
    cairn_params *params;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    fitted f = {0};
    for (size_t i = 0; i < N; i++) {
        double class = rows[3 * i + 2];
        values[4 * i] = rows[3 * i];
        values[4 * i + 1] = rows[3 * i + 1];
        values[4 * i + 2] = two && class == 2 ? 1 : class;
        values[4 * i + 3] = 1 + (double)(i % 3);
    }
    assert_ok(ctx, table_of(ctx, &f.table, "x y class w", values, N, 4));
    assert_ok(ctx, cairn_table_set_role(ctx, f.table, "class", CAIRN_TARGET));
    assert_ok(ctx, cairn_table_set_role(ctx, f.table, "w", weight ? CAIRN_WEIGHT : CAIRN_IGNORED));
    assert_ok(ctx, cairn_report_new(ctx, &f.report));
    assert_ok(ctx, cairn_params_new(ctx, &params, spec));
    options.task = CAIRN_CLASSIFY;
    options.positive = two ? "1" : NULL;
    options.steps = f.report;
    assert_ok(ctx, cairn_model_fit(ctx, &f.model, params, f.table, &options));
    assert_ok(ctx, cairn_model_describe(ctx, f.report, f.model));
    cairn_params_free(params);
    return f;
}

static double value(const fitted *f, const char *name)
{
    double x = NAN;
    if (!cairn_report_number(f->report, name, &x)) fail_msg("there is no value '%s'", name);
    return x;
}

/* Two classes, η y x on mistakes, weights (constant, x, y); the mean of them after every visit. */
static void plain_two(int epochs, double eta, bool weighted, double w[3], double mean[3])
{
    double sum[3] = {0}, visits = 0;
    memset(w, 0, 3 * sizeof *w);
    for (int e = 0; e < epochs; e++)
        for (size_t i = 0; i < N; i++, visits++) {
            const double *r = rows + 3 * i;
            double y = r[2] == 0 ? -1 : 1, x[3] = {1, r[0], r[1]};
            double factor = eta * y * (weighted ? 1 + (double)(i % 3) : 1);
            if (y * (w[0] + w[1] * x[1] + w[2] * x[2]) <= 0)
                for (int j = 0; j < 3; j++) w[j] += factor * x[j];
            for (int j = 0; j < 3; j++) sum[j] += w[j];
        }
    for (int j = 0; j < 3; j++) mean[j] = sum[j] / visits;
}

static void check_two(const fitted *f, const double w[3])
{
    assert_true(fabs(value(f, "coefficient.intercept") - w[0]) < 1e-9);
    assert_true(fabs(value(f, "coefficient.x") - w[1]) < 1e-9);
    assert_true(fabs(value(f, "coefficient.y") - w[2]) < 1e-9);
}

static void test_perceptron__mistakes_and_their_mean(void **state)
{
    for (int epochs = 1; epochs <= 3; epochs++)
        for (int weighted = 0; weighted <= 1; weighted++) {
            double w[3], mean[3];
            char spec[80];
            snprintf(spec, sizeof spec, "perceptron:epochs=%d,eta=0.5", epochs);
            plain_two(epochs, 0.5, weighted, w, mean);
            fitted f = fit(*state, spec, true, weighted ? "w" : NULL);
            if (value(&f, "epochs") == epochs) check_two(&f, w);
            drop(&f);
            snprintf(spec, sizeof spec, "perceptron:epochs=%d,eta=0.5,average=yes", epochs);
            f = fit(*state, spec, true, weighted ? "w" : NULL);
            if (value(&f, "epochs") == epochs) check_two(&f, mean);
            drop(&f);
        }
}

/* Three classes: the right one gains the row, the best of the others loses it. */
static void test_perceptron__many_classes(void **state)
{
    double w[3][3] = {0};
    for (size_t i = 0; i < N; i++) {
        const double *r = rows + 3 * i, x[3] = {1, r[0], r[1]};
        size_t c = (size_t)r[2], rival = c == 0;
        double a[3] = {0};
        for (size_t k = 0; k < 3; k++)
            for (size_t j = 0; j < 3; j++) a[k] += w[k][j] * x[j];
        for (size_t k = 0; k < 3; k++)
            if (k != c && a[k] > a[rival]) rival = k;
        for (size_t j = 0; a[c] <= a[rival] && j < 3; j++) {
            w[c][j] += x[j];
            w[rival][j] -= x[j];
        }
    }
    fitted f = fit(*state, "perceptron:epochs=1", false, NULL);
    for (size_t k = 0; k < 3; k++) {
        static const char *const terms[] = {"intercept", "x", "y"};
        for (size_t j = 0; j < 3; j++) {
            char name[40];
            snprintf(name, sizeof name, "coefficient.%zu.%s", k, terms[j]);
            assert_true(fabs(value(&f, name) - w[k][j]) < 1e-9);
        }
    }
    drop(&f);
    f = fit(*state, "perceptron", false, NULL);
    assert_value(f.report, "training.accuracy", 1, 0);
    assert_value(f.report, "converged", 1, 0);
    drop(&f);
}

/* Batches of five rows of a linear unit: the sums of their changes. */
static void test_perceptron__mini_batches(void **state)
{
    double w[3] = {0}, sum[3] = {0};
    for (size_t i = 0; i < N; i++) {
        const double *r = rows + 3 * i, x[3] = {1, r[0], r[1]};
        double d = r[2] == 0 ? 0 : 1, o = w[0] + w[1] * x[1] + w[2] * x[2];
        for (int j = 0; j < 3; j++) sum[j] += 0.01 * (d - o) * x[j];
        if ((i + 1) % 5 && i + 1 < N) continue;
        for (int j = 0; j < 3; j++) w[j] += sum[j], sum[j] = 0;
    }
    fitted f =
        fit(*state, "perceptron:update=delta,unit=linear,truth=01,eta=0.01,batch-size=5,epochs=1",
            true, NULL);
    check_two(&f, w);
    drop(&f);
}

/* A start at the basic linear classifier that already separates the classes is the end. */
static void test_perceptron__starts_and_orders(void **state)
{
    static const char *const specs[] = {
        "perceptron:init=basic", "perceptron:init=random", "perceptron:order=shuffled",
        "perceptron:protocol=random,epochs=1000", "perceptron:order=given,visit=(12,11,7-10,1-6)"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        fitted f = fit(*state, specs[i], true, NULL), g = fit(*state, specs[i], true, NULL);
        assert_value(f.report, "training.accuracy", 1, 0);
        assert_value(f.report, "coefficient.x", value(&g, "coefficient.x"), 0);
        drop(&f);
        drop(&g);
    }
}

/* Words of a bag are columns. */
static void test_perceptron__bags_are_columns(void **state)
{
    cairn_bag_builder bag = {0};
    cairn_column *column;
    cairn_params *params;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    double classes[N], w[3], mean[3];
    fitted f = {0};
    for (size_t i = 0; i < N; i++) {
        assert_ok(*state, cairn_bag_begin_row(*state, &bag));
        assert_ok(*state, cairn_bag_add(*state, &bag, "x", 1, rows[3 * i]));
        assert_ok(*state, cairn_bag_add(*state, &bag, "y", 1, rows[3 * i + 1]));
        classes[i] = rows[3 * i + 2] == 0 ? 0 : 1;
    }
    assert_ok(*state, cairn_bag_finish(*state, &column, &bag));
    assert_ok(*state, cairn_table_new(*state, &f.table, N));
    assert_ok(*state, cairn_table_add_column(*state, f.table, "b", CAIRN_FEATURE, column));
    assert_ok(*state, cairn_table_add_numbers(*state, f.table, "t", classes));
    assert_ok(*state, cairn_table_set_role(*state, f.table, "t", CAIRN_TARGET));
    assert_ok(*state, cairn_report_new(*state, &f.report));
    assert_ok(*state, cairn_params_new(*state, &params, "perceptron:epochs=2,average=yes"));
    options.task = CAIRN_CLASSIFY;
    options.positive = "1";
    assert_ok(*state, cairn_model_fit(*state, &f.model, params, f.table, &options));
    assert_ok(*state, cairn_model_describe(*state, f.report, f.model));
    plain_two((int)value(&f, "epochs"), 1, false, w, mean);
    assert_true(fabs(value(&f, "coefficient.intercept") - mean[0]) < 1e-9);
    assert_true(fabs(value(&f, "coefficient.b=x") - mean[1]) < 1e-9);
    assert_true(fabs(value(&f, "coefficient.b=y") - mean[2]) < 1e-9);
    cairn_params_free(params);
    drop(&f);
}

/* distance = w·x / |w|, with the sign of the side; of many classes from the nearest plane. */
static void test_perceptron__distances(void **state)
{
    fitted f = fit(*state, "perceptron", true, NULL);
    cairn_table *answer;
    double w0 = value(&f, "coefficient.intercept"), w1 = value(&f, "coefficient.x"),
           w2 = value(&f, "coefficient.y"), length = sqrt(w1 * w1 + w2 * w2);
    assert_ok(*state, cairn_model_predict(*state, &answer, f.model, f.table, true));
    for (size_t i = 0; i < N; i++) {
        double wanted = (w0 + w1 * rows[3 * i] + w2 * rows[3 * i + 1]) / length;
        assert_true(fabs(cairn_table_numbers(answer, 3)[i] - wanted) < 1e-12);
    }
    assert_value(f.report, "length", length, 1e-12);
    assert_value(f.report, "origin_distance", -w0 / length, 1e-12);
    cairn_table_free(answer);
    drop(&f);
}

/* So has the least-squares classifier, whatever its codes are. */
static void test_perceptron__distances_of_least_squares(void **state)
{
    static const char *const specs[] = {"least-squares-classifier",
                                        "least-squares-classifier:coding=(3,10)",
                                        "least-squares-classifier:coding=(10,3)"};
    cairn_table *first = NULL, *answer;
    for (size_t s = 0; s < 3; s++) {
        fitted f = fit(*state, specs[s], true, NULL);
        assert_ok(*state, cairn_model_predict(*state, &answer, f.model, f.table, true));
        for (size_t i = 0; i < N; i++) {
            double d = cairn_table_numbers(answer, 3)[i];
            assert_int_equal(d > 0, cairn_table_codes(answer, 0)[i] == 1);
            if (first) assert_true(fabs(d - cairn_table_numbers(first, 3)[i]) < 1e-9);
        }
        if (first)
            cairn_table_free(answer);
        else
            first = answer;
        drop(&f);
    }
    cairn_table_free(first);
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    fitted f = {0};
    cairn_params *params = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_status status = table_of(ctx, &f.table, "x y class", rows, N, 3);
    (void)data;
    if (status == CAIRN_OK) status = cairn_table_set_role(ctx, f.table, "class", CAIRN_TARGET);
    if (status == CAIRN_OK) status = cairn_report_new(ctx, &f.report);
    if (status == CAIRN_OK)
        status = cairn_params_new(ctx, &params, "perceptron:average=yes,order=shuffled,init=basic");
    options.task = CAIRN_CLASSIFY;
    options.steps = f.report;
    if (status == CAIRN_OK) status = cairn_model_fit(ctx, &f.model, params, f.table, &options);
    if (status == CAIRN_OK) status = cairn_model_describe(ctx, f.report, f.model);
    cairn_params_free(params);
    drop(&f);
    return status;
}

static void test_perceptron__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(whole_way, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_perceptron__mistakes_and_their_mean),
        context_test(test_perceptron__many_classes),
        context_test(test_perceptron__mini_batches),
        context_test(test_perceptron__starts_and_orders),
        context_test(test_perceptron__bags_are_columns),
        context_test(test_perceptron__distances),
        context_test(test_perceptron__distances_of_least_squares),
        context_test(test_perceptron__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
