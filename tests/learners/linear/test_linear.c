/* SPDX-License-Identifier: MIT */
/* Least squares: the numbers of the textbook examples, statistics, singular and hard problems. */
#include "base/text.h"
#include "data/bag.h"
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

/* What is more than rounding of the numbers is a direction; what is not is said to be rounding. */
static void test_linear__columns_that_depend_but_for_little(void **state)
{
    double rows[] = {1, 0.5, 2, 2, 1, 3, 3, 1.5, 5, 4, 2, 4, 7, 3.5, 9};
    double last[] = {1, 1e8, 2, 2, 1e8, 3, 3, 1e8, 5, 4, 1e8, 4, 7, 1e8, 9};
    static const double little[] = {3, -2, 4, -6, 1};
    for (size_t i = 0; i < 5; i++) rows[3 * i + 1] += 4e-12 * little[i];
    for (size_t i = 0; i < 5; i++) rows[3 * i + 2] = rows[3 * i] + little[i];
    fitted f = fit_numbers(*state, "linear", "a b y", rows, 5, 3, "y");
    assert_value(f.report, "rank", 2, 0);
    assert_value(f.report, "r2", 1, 1e-6);
    drop(&f);
    last[4] = nextafter(1e8, INFINITY);
    f = fit_numbers(*state, "linear", "a b y", last, 5, 3, "y");
    assert_value(f.report, "rank", 1, 0);
    assert_string_equal(cairn_report_string(f.report, "relation1"),
                        "b = 1e+08 in every row but for rounding");
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
    /* the interval of the mean is √(h / (1 + h)) of that of a new row */
    ptrdiff_t low = cairn_table_find(a, "low"), mean = cairn_table_find(a, "mean_low");
    ptrdiff_t mean_high = cairn_table_find(a, "mean_high");
    for (int i = 0; i < 10; i++) {
        double h = cairn_table_numbers(a, (size_t)leverage)[i];
        double wide =
            cairn_table_numbers(a, (size_t)high)[i] - cairn_table_numbers(a, (size_t)low)[i];
        double narrow =
            cairn_table_numbers(a, (size_t)mean_high)[i] - cairn_table_numbers(a, (size_t)mean)[i];
        assert_true(fabs(narrow / wide - sqrt(h / (1 + h))) < 1e-9);
    }
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

static void test_linear__bad_input_is_reported(void **state)
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

/* -- published problems with certified answers -- */

/* y of Wampler's problems: 1 + x + ... + x^5 (or tenths of it), and noise orthogonal to it. */
static void fill_wampler(double *out, int number)
{
    static const double noise[] = {759,   -2048, 2048,  -2048, 2523,  -2048, 2048,
                                   -2048, 1838,  -2048, 2048,  -2048, 1838,  -2048,
                                   2048,  -2048, 2523,  -2048, 2048,  -2048, 759};
    static const double sizes[] = {0, 0, 1, 100, 10000};
    for (int i = 0; i < 21; i++) {
        double *row = out + 6 * i, power = 1, whole = 0;
        for (int j = 0; j <= 5; j++, power *= i) {
            if (j) row[j - 1] = power;
            whole += number == 2 ? power * pow(10, 5 - j) : power;
        }
        row[5] = number == 2 ? whole / 1e5 : whole + sizes[number - 1] * noise[i];
    }
}

static void test_linear__wampler(void **state)
{
    static const double exact[] = {1e-8, 1e-11, 1e-8, 1e-7, 1e-5};
    double rows[21 * 6];
    for (int number = 1; number <= 5; number++) {
        fill_wampler(rows, number);
        fitted f = fit_numbers(*state, "linear", "x1 x2 x3 x4 x5 y", rows, 21, 6, "y");
        double tolerance = exact[number - 1], factor = number == 2 ? 0.1 : 1;
        assert_value(f.report, "coefficient.intercept", 1, tolerance);
        for (int j = 1; j <= 5; j++) {
            char name[20];
            snprintf(name, sizeof name, "coefficient.x%d", j);
            assert_value(f.report, name, pow(factor, j), tolerance);
        }
        if (number == 3) {
            assert_value(f.report, "se.intercept", 2152.32624678170, 1e-9);
            assert_value(f.report, "se.x5", 0.112324854679312, 1e-9);
            assert_value(f.report, "sigma", 2360.14502379268, 1e-9);
        }
        drop(&f);
    }
}

static void test_linear__longley(void **state)
{
    static const double rows[] = {
        60323,  83.0,   234289, 2356,   1590,   107608, 1947,   61122,  88.5,   259426, 2325,
        1456,   108632, 1948,   60171,  88.2,   258054, 3682,   1616,   109773, 1949,   61187,
        89.5,   284599, 3351,   1650,   110929, 1950,   63221,  96.2,   328975, 2099,   3099,
        112075, 1951,   63639,  98.1,   346999, 1932,   3594,   113270, 1952,   64989,  99.0,
        365385, 1870,   3547,   115094, 1953,   63761,  100.0,  363112, 3578,   3350,   116219,
        1954,   66019,  101.2,  397469, 2904,   3048,   117388, 1955,   67857,  104.6,  419180,
        2822,   2857,   118734, 1956,   68169,  108.4,  442769, 2936,   2798,   120445, 1957,
        66513,  110.8,  444546, 4681,   2637,   121950, 1958,   68655,  112.6,  482704, 3813,
        2552,   123366, 1959,   69564,  114.2,  502601, 3931,   2514,   125368, 1960,   69331,
        115.7,  518173, 4806,   2572,   127852, 1961,   70551,  116.9,  554894, 4007,   2827,
        130081, 1962};
    static const double wanted[] = {15.0618722713733,  -0.0358191792925910, -2.02022980381683,
                                    -1.03322686717359, -0.0511041056535807, 1829.15146461355};
    fitted f = fit_numbers(*state, "linear", "y a b c d e f", rows, 16, 7, "y");
    assert_value(f.report, "coefficient.intercept", -3482258.63459582, 1e-10);
    assert_value(f.report, "sigma", 304.854073561965, 1e-10);
    for (int j = 0; j < 6; j++) {
        char name[20];
        snprintf(name, sizeof name, "coefficient.%c", 'a' + j);
        assert_value(f.report, name, wanted[j], 1e-9);
    }
    drop(&f);
}

/* A polynomial of degree 10 on a short interval: the wanted numbers are those of rational
 * arithmetic on the same (rounded) powers. */
static void test_linear__degree_ten(void **state)
{
    static const double points[] = {
        -6.860120914, 0.8116, -4.324130045, 0.9072, -4.358625055, 0.9052, -4.358426747, 0.9039,
        -6.955852379, 0.8053, -6.661145254, 0.8377, -6.355462942, 0.8667, -6.118102026, 0.8809,
        -7.115148017, 0.7975, -6.815308569, 0.8162, -6.519993057, 0.8515, -6.204119983, 0.8766,
        -5.853871964, 0.8885, -6.109523091, 0.8859, -5.79832982,  0.8959, -5.482672118, 0.8913,
        -5.171791386, 0.8959, -4.851705903, 0.8971, -4.517126416, 0.9021, -4.143573228, 0.909,
        -3.709075441, 0.9139, -3.499489089, 0.9199, -6.300769497, 0.8692, -5.953504836, 0.8872,
        -5.642065153, 0.89,   -5.031376979, 0.891,  -4.680685696, 0.8977, -4.329846955, 0.9035,
        -3.928486195, 0.9078, -8.56735134,  0.7675, -8.363211311, 0.7705, -8.107682739, 0.7713,
        -7.823908741, 0.7736, -7.522878745, 0.7775, -7.218819279, 0.7841, -6.920818754, 0.7971,
        -6.628932138, 0.8329, -6.323946875, 0.8641, -5.991399828, 0.8804, -8.781464495, 0.7668,
        -8.663140179, 0.7633, -8.473531488, 0.7678, -8.247337057, 0.7697, -7.971428747, 0.77,
        -7.676129393, 0.7749, -7.352812702, 0.7796, -7.072065318, 0.7897, -6.774174009, 0.8131,
        -6.478861916, 0.8498, -6.159517513, 0.8741, -6.835647144, 0.8061, -6.53165267,  0.846,
        -6.224098421, 0.8751, -5.910094889, 0.8856, -5.598599459, 0.8919, -5.290645224, 0.8934,
        -4.974284616, 0.894,  -4.64454848,  0.8957, -4.290560426, 0.9047, -3.885055584, 0.9129,
        -3.408378962, 0.9209, -3.13200249,  0.9219, -8.726767166, 0.7739, -8.66695597,  0.7681,
        -8.511026475, 0.7665, -8.165388579, 0.7703, -7.886056648, 0.7702, -7.588043762, 0.7761,
        -7.283412422, 0.7809, -6.995678626, 0.7961, -6.691862621, 0.8253, -6.392544977, 0.8602,
        -6.067374056, 0.8809, -6.684029655, 0.8301, -6.378719832, 0.8664, -6.065855188, 0.8834,
        -5.752272167, 0.8898, -5.132414673, 0.8964, -4.811352704, 0.8963, -4.098269308, 0.8974,
        -3.66174277,  0.9119, -3.2644011,   0.9228};
    static const double wanted[] = {
        -1497.4532380104622,  -2820.413742762155,    -2350.0199034520224,   -1141.28975234091,
        -357.7547176253479,   -75.63798473343384,    -10.925167001939442,   -1.0648301720610998,
        -0.06704969021859511, -0.002464225463584576, -4.016391724776776e-05};
    double rows[82 * 11];
    for (int i = 0; i < 82; i++) {
        double power = 1;
        for (int j = 0; j < 10; j++) rows[11 * i + j] = power *= points[2 * i];
        rows[11 * i + 10] = points[2 * i + 1];
    }
    fitted f = fit_numbers(*state, "linear", "x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 y", rows, 82, 11, "y");
    assert_value(f.report, "coefficient.intercept", wanted[0], 1e-5);
    for (int j = 1; j <= 10; j++) {
        char name[20];
        snprintf(name, sizeof name, "coefficient.x%d", j);
        assert_value(f.report, name, wanted[j], 1e-5);
    }
    drop(&f);
}

/* A column that is called intercept does not hide the constant. */
static void test_linear__a_column_called_intercept(void **state)
{
    fitted f = fit_numbers(*state, "linear", "intercept y", line, 5, 2, "y");
    assert_value(f.report, "coefficient.intercept", 0.785, 1e-12);
    assert_value(f.report, "coefficient.\"intercept\"", 0.425, 1e-12);
    drop(&f);
}

/* There is a value for every coefficient, also where the table ends. */
static void test_linear__values_are_not_cut(void **state)
{
    enum { N = 4, P = 2100 };
    double *wide = malloc(N * (P + 1) * sizeof *wide), value;
    cairn_text names = cairn_text_start(*state);
    for (size_t i = 0; i < N * (P + 1); i++) wide[i] = (double)(i * 7919 % 1013);
    for (size_t j = 0; j < P; j++) cairn_text_addf(&names, "x%zu ", j);
    cairn_text_add(&names, "y");
    fitted f =
        fit_numbers(*state, "ridge:lambda=1", cairn_text_string(&names), wide, N, P + 1, "y");
    assert_true(cairn_report_number(f.report, "coefficient.x2099", &value));
    drop(&f);
    cairn_text_clear(&names);
    free(wide);
}

/* The words of a bag are columns, for fitting and for predicting. */
static void test_linear__bags_are_columns(void **state)
{
    cairn_context *ctx = *state;
    cairn_bag_builder bag = {0};
    cairn_column *column;
    fitted whole = fit_numbers(ctx, "linear", "x1 x2 y", plane, 4, 3, "y"), f = {0};
    double targets[4];
    for (size_t i = 0; i < 4; i++) {
        assert_ok(ctx, cairn_bag_begin_row(ctx, &bag));
        assert_ok(ctx, cairn_bag_add(ctx, &bag, "a", 1, plane[3 * i]));
        assert_ok(ctx, cairn_bag_add(ctx, &bag, "b", 1, plane[3 * i + 1]));
        targets[i] = plane[3 * i + 2];
    }
    assert_ok(ctx, cairn_bag_finish(ctx, &column, &bag));
    assert_ok(ctx, cairn_table_new(ctx, &f.table, 4));
    assert_ok(ctx, cairn_table_add_column(ctx, f.table, "words", CAIRN_FEATURE, column));
    assert_ok(ctx, cairn_table_add_numbers(ctx, f.table, "y", targets));
    assert_ok(ctx, learn(ctx, &f.model, &f.report, f.table, "linear", "y", NULL));
    assert_value(f.report, "coefficient.words=a", -2.375, 1e-12);
    assert_value(f.report, "coefficient.words=b", 3.25, 1e-12);
    cairn_table *answers = NULL, *wanted = NULL;
    assert_ok(ctx, cairn_model_predict(ctx, &answers, f.model, f.table, NULL));
    assert_ok(ctx, cairn_model_predict(ctx, &wanted, whole.model, whole.table, NULL));
    for (size_t i = 0; i < 4; i++)
        assert_true(fabs(cairn_table_numbers(answers, 0)[i] - cairn_table_numbers(wanted, 0)[i]) <
                    1e-12);
    cairn_table_free(answers);
    cairn_table_free(wanted);
    drop(&whole);
    drop(&f);
}

/* Coefficient of x for target `name` alone, or as one of several. */
static double slope_of(cairn_context *ctx, const double *values, size_t n, const char *name,
                       bool alone, const char *weight)
{
    fitted f = {0};
    cairn_params *params = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    static const char *const targets[] = {"s", "t", "u"};
    char key[40];
    double slope = 0;
    assert_ok(ctx, table_of(ctx, &f.table, "x y w s t u", values, n, 6));
    assert_ok(ctx, cairn_table_set_role(ctx, f.table, "w", weight ? CAIRN_WEIGHT : CAIRN_IGNORED));
    for (size_t k = 0; k < 3; k++)
        assert_ok(ctx, cairn_table_set_role(ctx, f.table, targets[k],
                                            !alone || !strcmp(targets[k], name) ? CAIRN_TARGET
                                                                                : CAIRN_IGNORED));
    assert_ok(ctx, cairn_params_new(ctx, &params, "linear"));
    options.task = CAIRN_REGRESS;
    assert_ok(ctx, cairn_model_fit(ctx, &f.model, params, f.table, &options));
    assert_ok(ctx, cairn_report_new(ctx, &f.report));
    assert_ok(ctx, cairn_model_describe(ctx, f.report, f.model));
    snprintf(key, sizeof key, "%s%scoefficient.x", alone ? "" : name, alone ? "" : ".");
    assert_true(cairn_report_number(f.report, key, &slope));
    cairn_params_free(params);
    drop(&f);
    return slope;
}

/* Products of the features are summed once for all targets; a target that some rows lack has other
 * rows and gets products of its own. */
static void test_linear__several_targets_share_the_rows(void **state)
{
    enum { N = 12 };
    double values[N * 6];
    static const char *const targets[] = {"s", "t", "u"};
    for (size_t i = 0; i < N; i++) {
        double x = (double)(i * i % 7), y = (double)(i * 5 % 11);
        double row[] = {x, y, (double)(1 + i % 3), 2 * x - y + (double)(i % 2), y - x, x * y + 1e6};
        memcpy(values + 6 * i, row, sizeof row);
    }
    values[6 * 4 + 4] = NAN;
    for (int weighted = 0; weighted < 2; weighted++)
        for (size_t k = 0; k < 3; k++) {
            const char *weight = weighted ? "w" : NULL;
            double alone = slope_of(*state, values, N, targets[k], true, weight);
            double among = slope_of(*state, values, N, targets[k], false, weight);
            assert_true(fabs(alone - among) <= 1e-12 * fmax(1, fabs(alone)));
        }
}

/* Standard errors of R's lm(y ~ x, weights = w); counts divide by the sum of the weights
 * instead. */
static void test_linear__weights_are_precisions(void **state)
{
    static const double rows[] = {1, 2.1, 0.5, 2, 3.9, 1.5, 3, 6.2, 2.25, 4, 7.8, 0.7, 5, 10.1, 1};
    fitted f = {0};
    assert_ok(*state, table_of(*state, &f.table, "x y w", rows, 5, 3));
    assert_ok(*state, learn(*state, &f.model, &f.report, f.table, "linear:weights_are=precisions",
                            "y", "w"));
    assert_value(f.report, "se.intercept", 0.23712943061523475, 1e-12);
    assert_value(f.report, "se.x", 0.07290311313877793, 1e-12);
    assert_value(f.report, "df", 3, 0);
    cairn_model_free(f.model);
    cairn_report_free(f.report);
    assert_ok(*state, learn(*state, &f.model, &f.report, f.table, "linear", "y", "w"));
    assert_value(f.report, "df", 3.95, 1e-12);
    drop(&f);
}

/* A column with few digits, 10 and some 1e-8, does not make two others dependent, which have all of
 * theirs and differ by 1e-8: each distance is judged by the columns that are in it. */
static void test_linear__dependence_is_judged_by_its_own_columns(void **state)
{
    static const int few[] = {3, -1, 0, 2, -3, 1, 2, -2}, wave[] = {1, 1, -1, -1, 1, 1, -1, -1};
    static const int signs[] = {1, -1, -1, 1, 1, 1, -1, -1};
    static const char *const specs[] = {"linear", "linear:solver=svd", "lms"};
    double cells[8 * 4];
    for (int i = 0; i < 8; i++) {
        cells[4 * i] = 10 + ldexp(few[i], -27);
        cells[4 * i + 1] = wave[i];
        cells[4 * i + 2] = wave[i] + ldexp(signs[i], -26);
        cells[4 * i + 3] = signs[i];
    }
    for (size_t k = 0; k < 3; k++) {
        fitted f = fit_numbers(*state, specs[k], "far a b t", cells, 8, 4, "t");
        assert_value(f.report, k < 2 ? "sse" : "batch.E", 0, 1e-9);
        drop(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_linear__dependence_is_judged_by_its_own_columns),
        context_test(test_linear__weights_are_precisions),
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
        context_test(test_linear__columns_that_depend_but_for_little),
        context_test(test_linear__few_rows),
        context_test(test_linear__weights_are_repeated_rows),
        context_test(test_linear__scales_from_1e_minus_8_to_1e8),
        context_test(test_linear__nearly_dependent_columns_go_to_qr),
        context_test(test_linear__large_means_do_not_hurt),
        context_test(test_linear__threads_do_not_show),
        context_test(test_linear__saved_model_predicts_the_same),
        context_test(test_linear__bad_input_is_reported),
        context_test(test_linear__can_be_cancelled),
        cmocka_unit_test(test_linear__survives_allocation_failures),
        context_test(test_linear__wampler),
        context_test(test_linear__longley),
        context_test(test_linear__degree_ten),
        context_test(test_linear__a_column_called_intercept),
        context_test(test_linear__values_are_not_cut),
        context_test(test_linear__several_targets_share_the_rows),
        context_test(test_linear__bags_are_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
