/* SPDX-License-Identifier: MIT */
#include "support/fail_alloc.h"
#include "stats/calibration.h"
#include <math.h>

enum { N = 20 };
static const double weight[N] = {130, 127, 111, 106, 103, 96, 90, 86, 85, 82,
                                 81,  80,  79,  77,  73,  68, 67, 64, 61, 56};
static const int8_t ill[N] = {1, 1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0};

static void assert_near(double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance)) fail_msg("got %.17g, wanted %.17g", got, wanted);
}

static cairn_calibration fit(cairn_context *ctx, const cairn_calibration_options *options)
{
    cairn_calibration c;
    assert_ok(ctx, cairn_calibration_fit(ctx, &c, options, weight, ill, NULL, N));
    return c;
}

static void test_calibration__isotonic_plateaus_and_lines(void **state)
{
    const double laplace[N] = {5.0 / 6, 5.0 / 6, 5.0 / 6, 5.0 / 6, 0.6, 0.6, 0.6, 0.5, 0.5, 3.0 / 7,
                               3.0 / 7, 3.0 / 7, 3.0 / 7, 3.0 / 7, 0.4, 0.4, 0.4, 0.2, 0.2, 0.2};
    cairn_calibration c = fit(*state, &(cairn_calibration_options){.laplace = true});
    assert_int_equal(c.n, 6);
    for (int i = 0; i < N; i++)
        assert_near(cairn_calibration_apply(&c, weight[i]), laplace[i], 1e-15);
    assert_near(cairn_calibration_apply(&c, 104), 0.6 + (5.0 / 6 - 0.6) / 3, 1e-15);
    assert_near(cairn_calibration_apply(&c, 1000), 5.0 / 6, 1e-15);
    assert_near(cairn_calibration_apply(&c, -1000), 0.2, 1e-15);
    assert_near(cairn_calibration_threshold(&c, 0.5), 85.5, 1e-12);
    assert_true(isnan(cairn_calibration_apply(&c, NAN)));
    assert_true(isnan(cairn_calibration_threshold(&c, 0.9)));
    cairn_calibration_clear(&c);
    c = fit(*state, &(cairn_calibration_options){.steps = true});
    assert_near(cairn_calibration_apply(&c, 104), 2.0 / 3, 1e-15);
    assert_near(cairn_calibration_apply(&c, 105), 1, 1e-15);
    assert_near(cairn_calibration_threshold(&c, 0.9), 104.5, 1e-12);
    cairn_calibration_clear(&c);
}

static void test_calibration__falling_is_rising_of_the_negative_score(void **state)
{
    cairn_context *ctx = *state;
    double negated[N];
    for (int i = 0; i < N; i++) negated[i] = -weight[i];
    cairn_calibration up = fit(ctx, &(cairn_calibration_options){0}), down;
    assert_ok(ctx, cairn_calibration_fit(ctx, &down, &(cairn_calibration_options){.falling = true},
                                         negated, ill, NULL, N));
    for (double x = 50; x < 140; x += 0.25)
        assert_near(cairn_calibration_apply(&down, -x), cairn_calibration_apply(&up, x), 1e-12);
    assert_near(cairn_calibration_threshold(&down, 0.45), -cairn_calibration_threshold(&up, 0.45),
                1e-12);
    cairn_calibration_clear(&up);
    cairn_calibration_clear(&down);
}

static void test_calibration__logistic_from_means_and_variance(void **state)
{
    cairn_calibration_options o = {.kind = CAIRN_CALIBRATE_LOGISTIC};
    cairn_calibration c = fit(*state, &o);
    assert_near(c.variance, 289.25, 1e-10);
    assert_near(c.gamma, 0.074675885911841, 1e-14);
    assert_near(c.centre, 86.1, 1e-12);
    assert_near(cairn_calibration_apply(&c, 80), 0.38804845135072114, 1e-14);
    assert_near(cairn_calibration_threshold(&c, 0.5), 86.1, 1e-12);
    o.unbiased = true;
    c = fit(*state, &o);
    assert_near(c.variance, 321.3888888888889, 1e-10);
    assert_near(cairn_calibration_apply(&c, 100), 0.7179256518778495, 1e-14);
    o.class_ratio = 0.5;
    c = fit(*state, &o);
    double lr = exp(c.gamma * (100 - c.centre));
    assert_near(cairn_calibration_apply(&c, 100), lr / (lr + 2), 1e-14);
    double p = cairn_calibration_apply(&c, cairn_calibration_threshold(&c, 0.3));
    assert_near(p, 0.3, 1e-12);
}

static void test_calibration__platt_is_the_most_likely(void **state)
{
    cairn_calibration_options o = {.kind = CAIRN_CALIBRATE_PLATT};
    cairn_calibration c = fit(*state, &o);
    assert_near(c.a, 0.0764041510153646, 1e-10);
    assert_near(c.b, -6.457138343513725, 1e-8);
    assert_near(c.log_likelihood, -10.47256832170121, 1e-12);
    assert_near(cairn_calibration_threshold(&c, 0.5), 84.512925773041, 1e-8);
}

static void test_calibration__beta_restores_a_distorted_probability(void **state)
{
    cairn_context *ctx = *state;
    enum { M = 99 };
    double scores[2 * M], weights[2 * M];
    int8_t classes[2 * M];
    cairn_calibration c;
    /* true log-odds 2 ln s - 0.5 ln(1-s) + 0.3, given as weights of both classes */
    for (int i = 0; i < M; i++) {
        double s = (i + 1) / 100.0;
        double p = 1 / (1 + exp(-(2 * log(s) - 0.5 * log(1 - s) + 0.3)));
        scores[2 * i] = scores[2 * i + 1] = s;
        classes[2 * i] = 1, classes[2 * i + 1] = 0;
        weights[2 * i] = p, weights[2 * i + 1] = 1 - p;
    }
    cairn_calibration_options o = {.kind = CAIRN_CALIBRATE_BETA};
    assert_ok(ctx, cairn_calibration_fit(ctx, &c, &o, scores, classes, weights, 2 * M));
    assert_near(c.a, 2, 1e-9);
    assert_near(c.b, 0.5, 1e-9);
    assert_near(c.c, 0.3, 1e-9);
    double s = cairn_calibration_threshold(&c, 0.6);
    assert_near(cairn_calibration_apply(&c, s), 0.6, 1e-12);
    for (int i = 0; i < 2 * M; i++) classes[i] = (int8_t)!classes[i];
    assert_ok(ctx, cairn_calibration_fit(ctx, &c, &o, scores, classes, weights, 2 * M));
    assert_true(c.a == 0 && c.b == 0);
}

static void test_calibration__what_cannot_be_fitted_is_refused(void **state)
{
    cairn_context *ctx = *state;
    cairn_calibration c;
    const double scores[] = {1, 2, 3, 4}, flat[] = {1, 1, 2, 2};
    const int8_t apart[] = {0, 0, 1, 1}, one[] = {1, 1, 1, 1};
    cairn_calibration_options o = {.kind = CAIRN_CALIBRATE_PLATT};
    assert_fails(ctx, cairn_calibration_fit(ctx, &c, &o, scores, one, NULL, 4), CAIRN_BAD_DATA,
                 "both classes");
    assert_fails(ctx, cairn_calibration_fit(ctx, &c, &o, scores, apart, NULL, 4), CAIRN_NO_SOLUTION,
                 "separate");
    const double half[] = {1, 2, 2, 3};
    assert_fails(ctx, cairn_calibration_fit(ctx, &c, &o, half, apart, NULL, 4), CAIRN_NO_SOLUTION,
                 "separate");
    o.laplace = true;
    assert_ok(ctx, cairn_calibration_fit(ctx, &c, &o, scores, apart, NULL, 4));
    assert_near(cairn_calibration_apply(&c, 2.5), 0.5, 1e-12);
    o.kind = CAIRN_CALIBRATE_BETA;
    assert_fails(ctx, cairn_calibration_fit(ctx, &c, &o, scores, apart, NULL, 4), CAIRN_BAD_DATA,
                 "from 0 to 1, not 4");
    o.kind = CAIRN_CALIBRATE_LOGISTIC;
    assert_fails(ctx, cairn_calibration_fit(ctx, &c, &o, flat, apart, NULL, 4), CAIRN_BAD_DATA,
                 "vary within");
}

static cairn_status calibrate_some(cairn_context *ctx, void *data)
{
    cairn_calibration c = {0};
    cairn_calibration_options o = {.kind = *(const cairn_calibration_kind *)data};
    cairn_status status = cairn_calibration_fit(ctx, &c, &o, weight, ill, NULL, N);
    cairn_calibration_clear(&c);
    return status;
}

static void test_calibration__survives_failing_allocations(void **state)
{
    (void)state;
    for (int kind = CAIRN_CALIBRATE_ISOTONIC; kind <= CAIRN_CALIBRATE_PLATT; kind++) {
        cairn_calibration_kind k = (cairn_calibration_kind)kind;
        assert_survives_allocation_failures(calibrate_some, &k);
    }
}

/* Shares that are added up may miss 0 and 1 by the last digit. */
static void test_calibration__beta_forgives_rounding(void **state)
{
    static const double scores[] = {-1e-16, 0.2, 0.4, 0.6, 0.8, 1 + 3e-16, 1.5};
    static const int8_t classes[] = {0, 0, 1, 0, 1, 1, 1};
    cairn_calibration_options o = {.kind = CAIRN_CALIBRATE_BETA, .laplace = true};
    cairn_calibration c;
    assert_ok(*state, cairn_calibration_fit(*state, &c, &o, scores, classes, NULL, 6));
    assert_true(cairn_calibration_apply(&c, 1 + 3e-16) > cairn_calibration_apply(&c, 0.6));
    assert_true(cairn_calibration_apply(&c, -1e-16) < 0.5);
    cairn_calibration_clear(&c);
    assert_int_equal(cairn_calibration_fit(*state, &c, &o, scores, classes, NULL, 7),
                     CAIRN_BAD_DATA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_calibration__isotonic_plateaus_and_lines),
        context_test(test_calibration__falling_is_rising_of_the_negative_score),
        context_test(test_calibration__logistic_from_means_and_variance),
        context_test(test_calibration__platt_is_the_most_likely),
        context_test(test_calibration__beta_restores_a_distorted_probability),
        context_test(test_calibration__beta_forgives_rounding),
        context_test(test_calibration__what_cannot_be_fitted_is_refused),
        cmocka_unit_test(test_calibration__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
