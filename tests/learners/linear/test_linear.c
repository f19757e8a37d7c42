/* SPDX-License-Identifier: MIT */
/* Least squares: the numbers of the textbook examples, statistics, singular and hard problems. */
#include "support/fail_alloc.h"
#include "support/learn.h"

static const double line[] = {1, 1, 2, 2, 3, 1.3, 4, 3.75, 5, 2.25};
static const double plane[] = {1, 1, 3.25, 1, 2, 6.5, 2, 2, 3.5, 0, 1, 5};
static const double salary[] = {20000, 2.8, 48, 24500, 3.4, 24, 23000, 3.2, 24, 25000, 3.8, 24,
                                20000, 3.2, 48, 22500, 3.4, 36, 27500, 4.0, 24, 19000, 2.6, 48,
                                24000, 3.2, 36, 28500, 3.8, 12};
static const double cars[] = {13500, 23,   46986, 1165, 13750, 23,   72937, 1165, 13950, 24,
                              41711, 1165, 14950, 26,   48000, 1165, 13750, 30,   38500, 1170,
                              12950, 32,   61000, 1170, 16900, 27,   94612, 1245, 18600, 30,
                              75889, 1245, 21500, 27,   19700, 1185, 12950, 23,   71138, 1105};

static void test_linear__one_feature_in_steps(void **state)
{
    fitted f = fit_numbers(*state, "linear", "x y", line, 5, 2, "y");
    static const double fits[] = {1.21, 1.635, 2.06, 2.485, 2.91};
    static const double rests[] = {-0.21, 0.365, -0.76, 1.265, -0.66};
    assert_value(f.report, "coefficient.x", 0.425, 1e-12);
    assert_value(f.report, "coefficient.intercept", 0.785, 1e-12);
    assert_value(f.report, "mean.x", 3, 1e-12);
    assert_value(f.report, "mean.y", 2.06, 1e-12);
    assert_value(f.report, "var.x", 2.5, 1e-12);
    assert_value(f.report, "cov.x", 1.0625, 1e-12);
    assert_value(f.report, "sse", 2.79075, 1e-12);
    assert_value(f.report, "r2", 0.39291929519251684, 1e-12);
    assert_value(f.report, "mse", 0.55815, 1e-12);
    assert_value(f.report, "rmse", 0.7470943715488694, 1e-12);
    assert_value(f.report, "check.residual_sum", 0, 1e-12);
    assert_value(f.report, "check.at_means", 2.06, 1e-12);
    assert_value(f.report, "scaled.slope", 1.0625, 1e-12);
    for (int i = 0; i < 5; i++) {
        char name[32];
        snprintf(name, sizeof name, "fitted.%d", i + 1);
        assert_value(f.report, name, fits[i], 1e-12);
        snprintf(name, sizeof name, "residual.%d", i + 1);
        assert_value(f.report, name, rests[i], 1e-12);
    }
    assert_string_equal(cairn_report_string(f.report, "equation"), "y = 0.785 + 0.425·x");
    drop(&f);
}

static void test_linear__two_features_by_normal_equations(void **state)
{
    fitted f = fit_numbers(*state, "linear:projection=yes", "x1 x2 y", plane, 4, 3, "y");
    static const double xtx[3][3] = {{4, 4, 6}, {4, 6, 7}, {6, 7, 10}};
    static const double inverse[3][3] = {{2.75, 0.5, -2}, {0.5, 1, -1}, {-2, -1, 2}};
    static const double xty[3] = {18.25, 16.75, 28.25};
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "xty.%d", i);
        assert_value(f.report, name, xty[i], 1e-12);
        for (int j = 0; j < 3; j++) {
            snprintf(name, sizeof name, "xtx.%d.%d", i, j);
            assert_value(f.report, name, xtx[i][j], 1e-12);
            snprintf(name, sizeof name, "inverse.%d.%d", i, j);
            assert_value(f.report, name, inverse[i][j], 1e-11);
        }
    }
    assert_value(f.report, "coefficient.intercept", 2.0625, 1e-12);
    assert_value(f.report, "coefficient.x1", -2.375, 1e-12);
    assert_value(f.report, "coefficient.x2", 3.25, 1e-12);
    assert_value(f.report, "closed.w1", -2.375, 1e-12);
    assert_value(f.report, "closed.w2", 3.25, 1e-12);
    assert_value(f.report, "sse", 0.390625, 1e-12);
    assert_value(f.report, "r2", 0.9425287356321839, 1e-12);
    assert_value(f.report, "projection.1.1", 0.75, 1e-11);
    drop(&f);
}

static void test_linear__statistics(void **state)
{
    fitted f =
        fit_numbers(*state, "linear:at=\"3,30\"", "Salary GPA Months", salary, 10, 3, "Salary");
    assert_value(f.report, "coefficient.intercept", 17175.531914893618, 1e-11);
    assert_value(f.report, "se.intercept", 5535.712230247228, 1e-11);
    assert_value(f.report, "se.GPA", 1286.0568378869725, 1e-11);
    assert_value(f.report, "se.Months", 44.78860338474888, 1e-11);
    assert_value(f.report, "t.GPA", 2.5022884, 1e-7);
    assert_value(f.report, "p.GPA", 0.0408552, 1e-7);
    assert_value(f.report, "p.intercept", 0.01725738, 1e-7);
    assert_value(f.report, "low.GPA", 177.043918589, 1e-10);
    assert_value(f.report, "high.Months", -33.7194418159, 1e-10);
    assert_value(f.report, "residual_variance", 1046732.5227963526, 1e-11);
    assert_value(f.report, "r2_adjusted", 0.8957899037039031, 1e-12);
    assert_value(f.report, "f", 39.68199637023598, 1e-11);
    assert_value(f.report, "f.p", 0.00015159282532873413, 1e-11);
    assert_value(f.report, "loss.GPA", 0.07250066879687422, 1e-11);
    assert_value(f.report, "loss.Months", 0.11253177367727374, 1e-11);
    assert_value(f.report, "vif.GPA", 2.7872966207759666, 1e-11);
    assert_value(f.report, "partial_sd.GPA", 0.2651773593336927, 1e-11);
    assert_value(f.report, "alone.GPA", 6428.57142857143, 1e-11);
    assert_value(f.report, "residual.durbin_watson", 0.8696065181295125, 1e-10);
    assert_value(f.report, "residual.skewness", 0.2550880105668773, 1e-10);
    assert_value(f.report, "residual.kurtosis", 1.8549646508132775, 1e-10);
    assert_value(f.report, "residual.spread", 0.18034361684197042, 1e-10);
    assert_value(f.report, "prediction", 22640.957446808497, 1e-11);
    assert_value(f.report, "prediction.low", 19813.839926, 1e-11);
    assert_value(f.report, "prediction.high", 25468.0749677, 1e-11);
    assert_value(f.report, "prediction.leverage", 0.365613266583228, 1e-11);
    drop(&f);
}

/* Bring: the squares of w times partial sd are the losses of R2 times the target's variance. */
static void test_linear__partial_deviations_and_losses_agree(void **state)
{
    static const char *const names[] = {"age", "distance", "weight"};
    fitted f = fit_numbers(*state, "linear", "price age distance weight", cars, 10, 4, "price");
    double sst, w, loss;
    cairn_report_number(f.report, "sst", &sst);
    for (int i = 0; i < 3; i++) {
        char name[40];
        snprintf(name, sizeof name, "loss.%s", names[i]);
        cairn_report_number(f.report, name, &loss);
        snprintf(name, sizeof name, "partial_weight.%s", names[i]);
        assert_true(cairn_report_number(f.report, name, &w));
        assert_true(fabs(w * w / (loss * sst / 9) - 1) < 1e-9);
    }
    drop(&f);
}

static void test_linear__all_solvers_agree_on_badly_scaled_columns(void **state)
{
    static const char *const specs[] = {"linear", "linear:solver=gram", "linear:solver=qr",
                                        "linear:solver=svd"};
    for (int i = 0; i < 4; i++) {
        fitted f = fit_numbers(*state, specs[i], "price age distance weight", cars, 10, 4, "price");
        assert_value(f.report, "coefficient.intercept", -47607.37152907942, 1e-10);
        assert_value(f.report, "coefficient.age", -148.39048990706692, 1e-10);
        assert_value(f.report, "coefficient.distance", -0.06294981350617576, 1e-12);
        assert_value(f.report, "coefficient.weight", 59.771507986118465, 1e-10);
        assert_value(f.report, "sse", 31072241.99605896, 1e-10);
        assert_value(f.report, "r2", 0.5738917184890641, 1e-10);
        assert_value(f.report, "rmse", 1762.7320271685926, 1e-10);
        drop(&f);
    }
}

static void test_linear__without_intercept(void **state)
{
    static const char *const specs[] = {"linear:intercept=no", "linear:intercept=no,solver=qr"};
    for (int i = 0; i < 2; i++) {
        fitted f = fit_numbers(*state, specs[i], "Salary GPA Months", salary, 10, 3, "Salary");
        double none;
        assert_value(f.report, "coefficient.GPA", 7151.90346921, 1e-9);
        assert_value(f.report, "coefficient.Months", -16.85263165, 1e-8);
        assert_value(f.report, "sse", 17403613.492080446, 1e-10);
        assert_value(f.report, "r2", 0.996873227902968, 1e-12);
        assert_value(f.report, "se.GPA", 310.6273831, 1e-9);
        assert_value(f.report, "df", 8, 0);
        assert_false(cairn_report_number(f.report, "coefficient.intercept", &none));
        drop(&f);
    }
}

static void test_linear__a_feature_twice_gets_half_each(void **state)
{
    static const double twice[] = {1, 1, 1, 2, 2, 3, 3, 3, 2, 4, 4, 5};
    static const char *const specs[] = {"linear", "linear:solver=svd", "linear:norm=all"};
    for (int i = 0; i < 3; i++) {
        fitted f = fit_numbers(*state, specs[i], "x1 x2 y", twice, 4, 3, "y");
        assert_value(f.report, "coefficient.x1", 0.55, 1e-12);
        assert_value(f.report, "coefficient.x2", 0.55, 1e-12);
        assert_value(f.report, "coefficient.intercept", 0, 1e-12);
        assert_value(f.report, "r2", 0.6914285714285713, 1e-12);
        assert_value(f.report, "multiple_correlation", 0.8315218406202998, 1e-12);
        assert_value(f.report, "fitted.3", 3.3, 1e-12);
        assert_value(f.report, "rank", 1, 0);
        assert_value(f.report, "se.x1", NAN, 0);
        assert_string_equal(cairn_report_string(f.report, "relation1"), "x2 = x1");
        drop(&f);
    }
}

/* x3 = x1 + 2 x2 + 5 */
static void test_linear__dependence_is_named_and_norm_is_least(void **state)
{
    double v[8 * 5];
    static const double y[] = {1, 4, 2, 8, 5, 7, 3, 9};
    for (int i = 0; i < 8; i++) {
        double a = i, b = i * 3 % 8;
        double row[] = {a, b, a + 2 * b + 5, i == 2 || i == 5, y[i]};
        memcpy(v + 5 * i, row, sizeof row);
    }
    fitted f = fit_numbers(*state, "linear", "x1 x2 x3 free y", v, 8, 5, "y");
    assert_value(f.report, "rank", 3, 0);
    assert_value(f.report, "se.x2", NAN, 0);
    assert_value(f.report, "vif.x2", INFINITY, 0);
    double error;
    assert_true(cairn_report_number(f.report, "se.free", &error) && error > 0);
    const char *relation = cairn_report_string(f.report, "relation1");
    assert_non_null(relation);
    assert_null(strstr(relation, "free"));
    drop(&f);

    double w[8 * 4];
    for (int i = 0; i < 8; i++) {
        memcpy(w + 4 * i, v + 5 * i, 3 * sizeof *w);
        w[4 * i + 3] = y[i];
    }
    f = fit_numbers(*state, "linear", "x1 x2 x3 y", w, 8, 4, "y");
    assert_value(f.report, "coefficient.x1", 0.58472222222, 1e-9);
    assert_value(f.report, "coefficient.x2", -0.22222222222, 1e-9);
    assert_value(f.report, "coefficient.x3", 0.14027777778, 1e-9);
    assert_value(f.report, "coefficient.intercept", 1.43194444444, 1e-9);
    drop(&f);
    f = fit_numbers(*state, "linear:norm=all", "x1 x2 x3 y", w, 8, 4, "y");
    assert_value(f.report, "coefficient.x1", 0.35376344, 1e-7);
    assert_value(f.report, "coefficient.x3", 0.37123656, 1e-7);
    assert_value(f.report, "coefficient.intercept", 0.27715054, 1e-7);
    drop(&f);
}

static void test_linear__exact_line(void **state)
{
    static const double exact[] = {55, 52, 60, 54, 65, 56, 70, 58, 80, 62};
    fitted f = fit_numbers(*state, "linear", "x y", exact, 5, 2, "y");
    assert_value(f.report, "coefficient.intercept", 30, 1e-12);
    assert_value(f.report, "coefficient.x", 0.4, 1e-12);
    assert_value(f.report, "sse", 0, 0);
    assert_value(f.report, "r2", 1, 0);
    assert_value(f.report, "p.x", 0, 0);
    drop(&f);
}

static void test_linear__constant_column_and_constant_target(void **state)
{
    static const double v[] = {1, 0.1, 3, 2, 0.1, 5, 3, 0.1, 4, 4, 0.1, 9};
    fitted f = fit_numbers(*state, "linear", "x c y", v, 4, 3, "y");
    assert_value(f.report, "coefficient.c", 0, 0);
    assert_value(f.report, "coefficient.x", 1.7, 1e-12);
    assert_value(f.report, "df", 2, 0);
    assert_string_equal(cairn_report_string(f.report, "relation1"), "c = 0.1 in every row");
    drop(&f);
    f = fit_numbers(*state, "linear", "y x c", v, 4, 3, "x");
    assert_value(f.report, "coefficient.y", 0, 1e-15);
    assert_value(f.report, "coefficient.intercept", 0.1, 1e-15);
    assert_value(f.report, "r2", NAN, 0);
    drop(&f);
}

static void test_linear__few_rows(void **state)
{
    static const double v[] = {1, 2, 3, 10, 2, 5, 1, 20};
    fitted f = fit_numbers(*state, "linear", "a b c y", v, 2, 4, "y");
    assert_value(f.report, "rank", 1, 0);
    assert_value(f.report, "sse", 0, 1e-20);
    assert_value(f.report, "df", 0, 0);
    assert_value(f.report, "se.a", NAN, 0);
    assert_value(f.report, "fitted.2", 20, 1e-12);
    drop(&f);
    f = fit_numbers(*state, "linear", "a b c y", v, 1, 4, "y");
    assert_value(f.report, "coefficient.intercept", 10, 1e-12);
    assert_value(f.report, "coefficient.b", 0, 0);
    drop(&f);
}

static void test_linear__weights_are_repeated_rows(void **state)
{
    cairn_context *ctx = *state;
    static const double weighted[] = {1, 1, 2, 2, 2, 0, 3, 1.3, 1, 4, 3.75, 3, 5, 2.25, 1};
    static const double repeated[] = {1, 1, 1, 1, 3, 1.3, 4, 3.75, 4, 3.75, 4, 3.75, 5, 2.25};
    static const char *const names[] = {
        "coefficient.x",          "se.x",  "p.intercept", "r2",  "df", "sse",
        "residual.durbin_watson", "vif.x", "sd.x",        "rows"};
    fitted a = {0}, b = fit_numbers(ctx, "linear", "x y", repeated, 7, 2, "y");
    assert_ok(ctx, table_of(ctx, &a.table, "x y w", weighted, 5, 3));
    assert_ok(ctx, learn(ctx, &a.model, &a.report, a.table, "linear", "y", "w"));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        double value;
        assert_true(cairn_report_number(b.report, names[i], &value));
        assert_value(a.report, names[i], value, 1e-12);
    }
    drop(&a);
    drop(&b);
}

/* A smooth random problem of n rows and p features with known coefficients j + 1. */
static double *make_problem(size_t n, size_t p, double offset, double noise)
{
    double *v = malloc(n * (p + 1) * sizeof *v);
    uint64_t bits = 12345;
    for (size_t i = 0; i < n; i++) {
        double y = 7;
        for (size_t j = 0; j <= p; j++) {
            bits = bits * 6364136223846793005u + 1442695040888963407u;
            double x = (double)(bits >> 11) / 9007199254740992.0 - 0.5;
            double scale = pow(10, (double)(j % 9) * 2 - 8);
            if (j < p)
                v[i * (p + 1) + j] = offset + x * scale, y += (double)(j + 1) * x;
            else
                v[i * (p + 1) + p] = y + noise * x;
        }
    }
    return v;
}

static void test_linear__scales_from_1e_minus_8_to_1e8(void **state)
{
    enum { N = 500, P = 9 };
    double *v = make_problem(N, P, 0, 0.01);
    fitted f = fit_numbers(*state, "linear", "a b c d e f g h i y", v, N, P + 1, "y");
    assert_string_equal(cairn_report_string(f.report, "solver"),
                        "Cholesky of the normal equations");
    for (int j = 0; j < P; j++) {
        char name[32];
        double value;
        snprintf(name, sizeof name, "coefficient.%c", 'a' + j);
        assert_true(cairn_report_number(f.report, name, &value));
        value *= pow(10, j * 2 - 8);
        assert_true(fabs(value - (j + 1)) < 0.01);
    }
    drop(&f);
    free(v);
}

/* y = (x + 1e-5 z) differences: the condition is about 1e5, so QR takes over and keeps digits. */
static void test_linear__nearly_dependent_columns_go_to_qr(void **state)
{
    enum { N = 300 };
    double v[N * 3];
    for (int i = 0; i < N; i++) {
        double x = sin(i), z = cos(3.7 * i);
        v[3 * i] = x;
        v[3 * i + 1] = x + 1e-6 * z;
        v[3 * i + 2] = 2 * v[3 * i] + 3 * v[3 * i + 1] + 1;
    }
    fitted f = fit_numbers(*state, "linear", "a b y", v, N, 3, "y");
    assert_string_equal(cairn_report_string(f.report, "solver"), "QR with column exchanges");
    assert_value(f.report, "coefficient.a", 2, 1e-8);
    assert_value(f.report, "coefficient.b", 3, 1e-8);
    assert_value(f.report, "rank", 2, 0);
    double r;
    assert_true(cairn_report_number(f.report, "pair1.correlation", &r) && r > 0.999);
    drop(&f);
}

/* Large means: the sums of squares would lose all digits without the shift. */
static void test_linear__large_means_do_not_hurt(void **state)
{
    enum { N = 1000 };
    double v[N * 2];
    for (int i = 0; i < N; i++) {
        v[2 * i] = 1e9 + i % 17;
        v[2 * i + 1] = 5e8 + 3 * (i % 17) + (i % 2 ? 0.5 : -0.5);
    }
    fitted f = fit_numbers(*state, "linear", "x y", v, N, 2, "y");
    assert_true(f.report != NULL);
    double slope, sse;
    assert_true(cairn_report_number(f.report, "coefficient.x", &slope));
    assert_true(cairn_report_number(f.report, "sse", &sse));
    assert_true(fabs(slope - 3) < 1e-3 && fabs(sse - 250) < 0.01);
    drop(&f);
}

static void test_linear__threads_do_not_show(void **state)
{
    enum { N = 20000, P = 6 };
    cairn_context *ctx = *state;
    double *v = make_problem(N, P, 3, 1);
    char *first = NULL;
    size_t first_length = 0;
    for (int threads = 1; threads <= 4; threads *= 2) {
        static const char *const specs[] = {"linear", "linear:solver=qr"};
        for (int s = 0; s < 2; s++) {
            char *bytes;
            size_t length;
            cairn_context_set_threads(ctx, threads);
            fitted f = fit_numbers(ctx, specs[s], "a b c d e f y", v, N, P + 1, "y");
            assert_ok(ctx, cairn_model_save_memory(ctx, f.model, &bytes, &length));
            if (s == 0 && !first)
                first = bytes, first_length = length;
            else {
                if (s == 0) {
                    assert_int_equal(length, first_length);
                    assert_memory_equal(bytes, first, length);
                }
                cairn_string_free(bytes);
            }
            drop(&f);
        }
    }
    cairn_string_free(first);
    free(v);
}

static void test_linear__saved_model_predicts_the_same(void **state)
{
    cairn_context *ctx = *state;
    fitted f = fit_numbers(ctx, "linear", "Salary GPA Months", salary, 10, 3, "Salary");
    cairn_model *again;
    cairn_table *a, *b;
    char *bytes;
    size_t length;
    assert_ok(ctx, cairn_model_save_memory(ctx, f.model, &bytes, &length));
    assert_ok(ctx, cairn_model_load_memory(ctx, &again, "memory", bytes, length));
    assert_ok(ctx, cairn_model_predict(ctx, &a, f.model, f.table, false));
    assert_ok(ctx, cairn_model_predict(ctx, &b, again, f.table, false));
    for (size_t j = 0; j < cairn_table_columns(a); j++)
        assert_memory_equal(cairn_table_numbers(a, j), cairn_table_numbers(b, j),
                            10 * sizeof(double));
    ptrdiff_t high = cairn_table_find(a, "high"), leverage = cairn_table_find(a, "leverage");
    assert_true(high > 0 && leverage > 0);
    double sum = 0;
    for (int i = 0; i < 10; i++) sum += cairn_table_numbers(a, (size_t)leverage)[i];
    assert_true(fabs(sum - 3) < 1e-12);
    cairn_report *one, *two;
    char *text, *text_again;
    assert_ok(ctx, cairn_report_new(ctx, &one));
    assert_ok(ctx, cairn_report_new(ctx, &two));
    assert_ok(ctx, cairn_model_describe(ctx, one, f.model));
    assert_ok(ctx, cairn_model_describe(ctx, two, again));
    assert_ok(ctx, cairn_report_print(ctx, one, CAIRN_FORMAT_JSON, NULL, &text));
    assert_ok(ctx, cairn_report_print(ctx, two, CAIRN_FORMAT_JSON, NULL, &text_again));
    assert_string_equal(text, text_again);
    cairn_string_free(text);
    cairn_string_free(text_again);
    cairn_report_free(one);
    cairn_report_free(two);
    cairn_table_free(a);
    cairn_table_free(b);
    cairn_model_free(again);
    cairn_string_free(bytes);
    drop(&f);
}

static void test_linear__bad_input_is_told(void **state)
{
    cairn_context *ctx = *state;
    double v[] = {1, 1, 2, INFINITY, 3, 1.3};
    cairn_table *t;
    cairn_model *m;
    cairn_report *r;
    assert_ok(ctx, table_of(ctx, &t, "x y", v, 3, 2));
    assert_fails(ctx, learn(ctx, &m, &r, t, "linear", "y", NULL), CAIRN_BAD_DATA,
                 "column 'y', row 2: inf");
    cairn_table_free(t);
    assert_ok(ctx, table_of(ctx, &t, "x y", line, 5, 2));
    assert_fails(ctx, learn(ctx, &m, &r, t, "linear:at=\"1,2\"", "y", NULL), CAIRN_BAD_DATA,
                 "2 values for 1 feature");
    assert_fails(ctx, learn(ctx, &m, &r, t, "linear:level=1", "y", NULL), CAIRN_USAGE, "level");
    cairn_table_free(t);
}

static void test_linear__can_be_cancelled(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t;
    cairn_model *m;
    cairn_report *r;
    assert_ok(ctx, table_of(ctx, &t, "x y", line, 5, 2));
    cairn_context_cancel(ctx);
    assert_int_equal(learn(ctx, &m, &r, t, "linear", "y", NULL), CAIRN_CANCELLED);
    cairn_table_free(t);
}

static cairn_status fit_with_little_memory(cairn_context *ctx, void *data)
{
    static const double twice[] = {1, 1, 1, 2, 2, 3, 3, 3, 2, 4, 4, 5};
    cairn_table *table = NULL, *answer = NULL;
    cairn_model *model = NULL;
    cairn_report *report = NULL;
    cairn_status status = table_of(ctx, &table, "x1 x2 y", twice, 4, 3);
    if (!status) status = learn(ctx, &model, &report, table, data, "y", NULL);
    if (!status) status = cairn_model_predict(ctx, &answer, model, table, false);
    cairn_table_free(table);
    cairn_table_free(answer);
    cairn_model_free(model);
    cairn_report_free(report);
    return status;
}

static void test_linear__survives_allocation_failures(void **state)
{
    (void)state;
    char singular[] = "linear", svd[] = "linear:solver=svd";
    assert_survives_allocation_failures(fit_with_little_memory, singular);
    assert_survives_allocation_failures(fit_with_little_memory, svd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_linear__one_feature_in_steps),
        context_test(test_linear__two_features_by_normal_equations),
        context_test(test_linear__statistics),
        context_test(test_linear__partial_deviations_and_losses_agree),
        context_test(test_linear__all_solvers_agree_on_badly_scaled_columns),
        context_test(test_linear__without_intercept),
        context_test(test_linear__a_feature_twice_gets_half_each),
        context_test(test_linear__dependence_is_named_and_norm_is_least),
        context_test(test_linear__exact_line),
        context_test(test_linear__constant_column_and_constant_target),
        context_test(test_linear__few_rows),
        context_test(test_linear__weights_are_repeated_rows),
        context_test(test_linear__scales_from_1e_minus_8_to_1e8),
        context_test(test_linear__nearly_dependent_columns_go_to_qr),
        context_test(test_linear__large_means_do_not_hurt),
        context_test(test_linear__threads_do_not_show),
        context_test(test_linear__saved_model_predicts_the_same),
        context_test(test_linear__bad_input_is_told),
        context_test(test_linear__can_be_cancelled),
        cmocka_unit_test(test_linear__survives_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
