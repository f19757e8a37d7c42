/* SPDX-License-Identifier: MIT */
/* Discriminants against scikit-learn's LinearDiscriminantAnalysis, and the family w = M⁻¹ (n₊ m₊ −
 * n₋ m₋) against its members by other ways. */
#include "model/model.h"
#include "support/fail_alloc.h"
#include "support/learn.h"
#include "support/run.h"

enum { N = 15 };

/* Fifteen irises: four lengths and the kind. */
static const double irises[] = {
    5.1, 3.5, 1.4, 0.2, 0,   5.4, 3.7, 1.5, 0.2, 0,   5.4, 3.4, 1.7, 0.2, 0,   4.8, 3.1, 1.6, 0.2,
    0,   5.0, 3.5, 1.3, 0.3, 0,   7.0, 3.2, 4.7, 1.4, 1,   5.0, 2.0, 3.5, 1.0, 1,   5.9, 3.2, 4.8,
    1.8, 1,   5.5, 2.4, 3.8, 1.1, 1,   5.5, 2.6, 4.4, 1.2, 1,   6.3, 3.3, 6.0, 2.5, 2,   6.5, 3.2,
    5.1, 2.0, 2,   6.9, 3.2, 5.7, 2.3, 2,   7.4, 2.8, 6.1, 1.9, 2,   6.7, 3.1, 5.6, 2.4, 2};

static cairn_status fit_rows(cairn_context *ctx, fitted *f, const char *spec, size_t n)
{
    cairn_params *params = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_status status = table_of(ctx, &f->table, "a b c d kind", irises, n, 5);
    if (status == CAIRN_OK) status = cairn_table_set_role(ctx, f->table, "kind", CAIRN_TARGET);
    if (status == CAIRN_OK) status = cairn_params_new(ctx, &params, spec);
    if (status == CAIRN_OK) status = cairn_report_new(ctx, &f->report);
    options.task = CAIRN_CLASSIFY;
    options.positive = n == 10 ? "1" : NULL;
    options.steps = f->report;
    if (status == CAIRN_OK) status = cairn_model_fit(ctx, &f->model, params, f->table, &options);
    if (status == CAIRN_OK) status = cairn_model_describe(ctx, f->report, f->model);
    cairn_params_free(params);
    return status;
}

static fitted fit(cairn_context *ctx, const char *spec, size_t n)
{
    fitted f = {0};
    assert_ok(ctx, fit_rows(ctx, &f, spec, n));
    return f;
}

static double value(const fitted *f, const char *name)
{
    double x = NAN;
    if (!cairn_report_number(f->report, name, &x)) fail_msg("there is no value '%s'", name);
    return x;
}

/* Weights of the plane between classes 1 and 0, or the later and the first of three. */
static void check_weights(const fitted *f, int class, const double wanted[5], double tolerance)
{
    static const char *const terms[] = {"intercept", "a", "b", "c", "d"};
    for (size_t j = 0; j < 5; j++) {
        char own[40], first[40];
        snprintf(own, sizeof own, "coefficient.%d.%s", class, terms[j]);
        snprintf(first, sizeof first, "coefficient.0.%s", terms[j]);
        if (class == 0) snprintf(own, sizeof own, "coefficient.%s", terms[j]);
        double found = value(f, own) - (class == 0 ? 0 : value(f, first));
        if (fabs(found - wanted[j]) > tolerance * fmax(1, fabs(wanted[j])))
            fail_msg("%s is %.10g, not %.10g", own, found, wanted[j]);
    }
}

static void test_discriminant__scores_of_three_classes(void **state)
{
    static const double one[] = {-92.32311352 + 120.21782672, 24.05984075 - 4.29367636,
                                 -9.72911242 - 68.29635348, 9.52984374 + 2.69820326,
                                 22.34662061 + 66.92372155};
    static const double two[] = {-168.84273158 + 120.21782672, 38.94458249 - 4.29367636,
                                 -43.11307122 - 68.29635348, 6.20867445 + 2.69820326,
                                 77.18297243 + 66.92372155};
    fitted f = fit(*state, "discriminant:probabilities=yes", N);
    cairn_table *answer;
    check_weights(&f, 1, one, 1e-7);
    check_weights(&f, 2, two, 1e-7);
    assert_ok(*state, cairn_model_predict(*state, &answer, f.model, f.table, true));
    assert_true(fabs(cairn_table_numbers(answer, 2)[7] - 9.99997139e-01) < 1e-9);
    assert_true(fabs(cairn_table_numbers(answer, 3)[7] - 2.86056301e-06) < 1e-13);
    assert_true(fabs(cairn_table_numbers(answer, 2)[11] - 2.15614395e-03) < 1e-10);
    cairn_table_free(answer);
    drop(&f);
}

static void test_discriminant__axes(void **state)
{
    fitted f = fit(*state, "discriminant", N);
    assert_true(fabs(value(&f, "axis1.a") - 1.47361008) < 1e-7);
    assert_true(fabs(value(&f, "axis1.b") + 4.89115956) < 1e-7);
    assert_true(fabs(value(&f, "axis1.d") - 6.20327752) < 1e-7);
    assert_true(fabs(value(&f, "axis2.c") + 2.5121614) < 1e-6);
    assert_true(fabs(value(&f, "axis1.share") - 0.9865403) < 1e-7);
    drop(&f);
}

/* The plane of two classes with a covariance, and with the scatter: a multiple of it. */
static void test_discriminant__two_classes(void **state)
{
    static const double wanted[] = {7.43461274, 54.89086656, -166.30626907, 28.41805648,
                                    158.15607508};
    double scatter[5];
    fitted f = fit(*state, "discriminant:probabilities=yes", 10);
    check_weights(&f, 0, wanted, 1e-7);
    drop(&f);
    for (size_t j = 0; j < 5; j++) scatter[j] = wanted[j] / 10;
    f = fit(*state, "discriminant", 10);
    check_weights(&f, 0, scatter, 1e-7);
    drop(&f);
    f = fit(*state, "basic-linear:matrix=pooled", 10);
    check_weights(&f, 0, wanted, 1e-7);
    drop(&f);
}

static void test_discriminant__shrinkage(void **state)
{
    fitted f = fit(*state, "discriminant:shrinkage=0.3", N);
    double found = value(&f, "coefficient.1.a") - value(&f, "coefficient.0.a");
    assert_true(fabs(found - (22.33883091 - 23.16690566)) < 1e-6);
    found = value(&f, "coefficient.2.d") - value(&f, "coefficient.0.d");
    assert_true(fabs(found - (17.34515376 + 9.70960591)) < 1e-6);
    drop(&f);
}

/* A prior moves the plane by ln(π₊/π₋)/n, and leaves its direction. */
static void test_discriminant__priors(void **state)
{
    fitted f = fit(*state, "discriminant", 10),
           g = fit(*state, "discriminant:prior=(0.25,0.75)", 10);
    assert_true(fabs(value(&g, "coefficient.a") - value(&f, "coefficient.a")) < 1e-12);
    assert_true(fabs(value(&f, "threshold") - value(&g, "threshold") - log(3) / 10) < 1e-12);
    drop(&f);
    drop(&g);
}

/* XᵀX with counts is least squares of targets +1 and −1: its normal equations hold. */
static void test_discriminant__least_squares_is_a_member(void **state)
{
    fitted f = fit(*state, "basic-linear:matrix=gram,count=rows", 10);
    double w[5] = {value(&f, "coefficient.a"), value(&f, "coefficient.b"),
                   value(&f, "coefficient.c"), value(&f, "coefficient.d"),
                   value(&f, "coefficient.intercept")};
    for (size_t j = 0; j < 5; j++) {
        double sum = 0;
        for (size_t i = 0; i < 10; i++) {
            const double *x = irises + 5 * i;
            double sure = w[4], y = x[4] == 1 ? 1 : -1;
            for (size_t t = 0; t < 4; t++) sure += w[t] * x[t];
            sum += (y - sure) * (j < 4 ? x[j] : 1);
        }
        assert_true(fabs(sum) < 1e-8);
    }
    drop(&f);
}

/* The nearer mean, in units of the columns and in deviations. */
static void test_discriminant__basic_linear(void **state)
{
    fitted f = fit(*state, "basic-linear", 10), g = fit(*state, "basic-linear:matrix=diagonal", 10);
    double mean[2] = {0}, square = 0, all = 0;
    for (size_t i = 0; i < 10; i++) {
        mean[i / 5] += irises[5 * i] / 5;
        all += irises[5 * i] / 10;
    }
    for (size_t i = 0; i < 10; i++) square += (irises[5 * i] - all) * (irises[5 * i] - all) / 10;
    assert_true(fabs(value(&f, "coefficient.a") - (mean[1] - mean[0])) < 1e-12);
    assert_true(fabs(value(&g, "coefficient.a") - (mean[1] - mean[0]) / square) < 1e-10);
    drop(&f);
    drop(&g);
    f = fit(*state, "basic-linear", N);
    assert_true(value(&f, "training.accuracy") > 0.8);
    drop(&f);
}

/* Repeated columns leave the plane where it is, and it is said. */
static void test_discriminant__singular_scatter(void **state)
{
    double rows[10 * 4];
    cairn_params *params;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    fitted f = {0};
    for (size_t i = 0; i < 10; i++) {
        rows[4 * i] = rows[4 * i + 1] = irises[5 * i];
        rows[4 * i + 2] = 7;
        rows[4 * i + 3] = irises[5 * i + 4];
    }
    assert_ok(*state, table_of(*state, &f.table, "a b c kind", rows, 10, 4));
    assert_ok(*state, cairn_table_set_role(*state, f.table, "kind", CAIRN_TARGET));
    assert_ok(*state, cairn_params_new(*state, &params, "discriminant"));
    assert_ok(*state, cairn_report_new(*state, &f.report));
    options.task = CAIRN_CLASSIFY;
    assert_ok(*state, cairn_model_fit(*state, &f.model, params, f.table, &options));
    assert_ok(*state, cairn_model_describe(*state, f.report, f.model));
    assert_true(fabs(value(&f, "coefficient.a") - value(&f, "coefficient.b")) < 1e-9);
    assert_value(f.report, "coefficient.c", 0, 0);
    cairn_params_free(params);
    drop(&f);
}

/* As columns: variance 1 within the classes along each axis, and nothing shared by two. */
static void test_discriminant__projected_rows(void **state)
{
    static const char *const with[] = {"discriminant-axes", NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_table *table, *made;
    cairn_model *recipe;
    double squares[3] = {0};
    assert_ok(*state, table_of(*state, &table, "a b c d kind", irises, N, 5));
    assert_ok(*state, cairn_table_set_role(*state, table, "kind", CAIRN_TARGET));
    options.with = with;
    options.task = CAIRN_CLASSIFY;
    assert_ok(*state, cairn_recipe_fit(*state, &recipe, &made, table, &options));
    const double *one = cairn_table_numbers(made, 0), *two = cairn_table_numbers(made, 1);
    for (size_t k = 0; k < 3; k++) {
        double m1 = 0, m2 = 0;
        for (size_t i = 5 * k; i < 5 * k + 5; i++) m1 += one[i] / 5, m2 += two[i] / 5;
        for (size_t i = 5 * k; i < 5 * k + 5; i++) {
            squares[0] += (one[i] - m1) * (one[i] - m1);
            squares[1] += (two[i] - m2) * (two[i] - m2);
            squares[2] += (one[i] - m1) * (two[i] - m2);
        }
    }
    assert_true(fabs(squares[0] - 12) < 1e-8 && fabs(squares[1] - 12) < 1e-8);
    assert_true(fabs(squares[2]) < 1e-8);
    cairn_table_free(table);
    cairn_table_free(made);
    cairn_model_free(recipe);
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    fitted f = {0};
    cairn_status status = fit_rows(ctx, &f, data, N);
    drop(&f);
    return status;
}

static void test_discriminant__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(whole_way, (char[]){"discriminant:probabilities=yes"});
    assert_survives_allocation_failures(whole_way, (char[]){"basic-linear:matrix=covariance"});
}

/* Weights and axes, by what they must fulfil. */
static void test_discriminant__is_proved(void **state)
{
    static const char *const specs[] = {"discriminant", "discriminant:shrinkage=0.5",
                                        "basic-linear:matrix=pooled", "basic-linear:matrix=gram"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        fitted f = fit(*state, specs[i], i < 2 ? 15 : 10);
        assert_int_equal(f.model->certificate.has, 1 << CAIRN_PROOF_RESIDUAL);
        assert_true(f.model->certificate.left[CAIRN_PROOF_RESIDUAL] <= 1e-12);
        drop(&f);
    }
}

/* The means of the distances are ‖m₊ − m₋‖ apart, d₀ is 0 halfway, and γ per distance is γ of the
 * scores times ‖w‖. */
static void test_discriminant__gamma_per_distance(void **state)
{
    cairn_context *ctx = *state;
    OWNED(cairn_report_free) cairn_report *plain = NULL, *calibrated = NULL;
    assert_ok(ctx,
              run_words(ctx, &plain, WORDS("fit", "basic-linear", "@fisher-points", "--steps")));
    double apart = hypot(number_of(plain, "mean.1.x1") - number_of(plain, "mean.0.x1"),
                         number_of(plain, "mean.1.x2") - number_of(plain, "mean.0.x2"));
    double variance = number_of(plain, "calibration.variance");
    assert_number(plain, "calibration.gamma", apart / variance, 1e-12);
    assert_number(plain, "calibration.centre", 0, 0);
    assert_ok(ctx, run_words(ctx, &calibrated,
                             WORDS("fit", "calibrated", "@fisher-points", "--learner",
                                   "basic-linear", "--method", "logistic")));
    assert_number(calibrated, "calibrated.1.distance.gamma",
                  apart * number_of(calibrated, "calibrated.1.gamma"), 1e-12);
    assert_number(calibrated, "calibrated.1.distance.centre",
                  number_of(calibrated, "calibrated.1.centre") / apart, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_discriminant__is_proved),
        context_test(test_discriminant__scores_of_three_classes),
        context_test(test_discriminant__axes),
        context_test(test_discriminant__two_classes),
        context_test(test_discriminant__shrinkage),
        context_test(test_discriminant__priors),
        context_test(test_discriminant__least_squares_is_a_member),
        context_test(test_discriminant__basic_linear),
        context_test(test_discriminant__singular_scatter),
        context_test(test_discriminant__projected_rows),
        context_test(test_discriminant__gamma_per_distance),
        context_test(test_discriminant__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
