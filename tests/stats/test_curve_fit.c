/* SPDX-License-Identifier: MIT */
/* Curves of one input: polynomials against exact ones, steps against brute force, power laws and
 * logarithms against scipy. */
#include "base/memory.h"
#include "base/random.h"
#include "stats/curve_fit.h"
#include "support/fail_alloc.h"
#include "support/unit.h"
#include <math.h>
#include <string.h>

static const double xs[] = {1, 2, 3, 5, 8, 13, 21, 34};
static const double ys[] = {60, 88, 84, 110, 125, 130, 170, 180};
static const cairn_points_xy points = {xs, ys, NULL, 8};

static void near(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance * fmax(1, fabs(wanted))))
        fail_msg("%.17g is not %.17g", value, wanted);
}

static void test_curve__forms_agree_with_scipy(void **state)
{
    cairn_curve_fit c;
    assert_ok(*state, cairn_curve_of_form(*state, &c, &points, CAIRN_CURVE_POWER));
    near(c.coefficients[0], 64.28248189273904, 1e-12);
    near(c.coefficients[1], 0.30248647141131524, 1e-12);
    near(c.sse, 387.02854420169126, 1e-10);
    assert_ok(*state, cairn_curve_of_form(*state, &c, &points, CAIRN_CURVE_POWER_DIRECT));
    near(c.coefficients[0], 65.82502057868032, 1e-7);
    near(c.coefficients[1], 0.2923393023993369, 1e-7);
    near(c.sse, 374.2618821922197, 1e-12);
    assert_true(c.converged);
    assert_ok(*state, cairn_curve_of_form(*state, &c, &points, CAIRN_CURVE_LOGARITHM));
    near(c.coefficients[0], 56.3153123335963, 1e-12);
    near(c.coefficients[1], 33.96698786406036, 1e-12);
    near(c.sse, 478.73294217309126, 1e-10);
    assert_true(isnan(cairn_curve_at(&c, 0)));
}

/* A polynomial of degree 9 far from 0 keeps its values. */
static void test_curve__polynomial_far_from_zero(void **state)
{
    enum { N = 40 };
    double x[N], y[N];
    cairn_curve_fit c;
    for (int i = 0; i < N; i++) {
        double u = (i - 19.5) / 19.5;
        x[i] = 1000 + i;
        y[i] = 1 + u * (2 - u * u * (3 + u * u * u * u * (1 - 5 * u * u)));
    }
    assert_ok(*state, cairn_curve_polynomial(*state, &c, &(cairn_points_xy){x, y, NULL, N}, 9));
    assert_false(c.loose);
    assert_int_equal(c.n_parameters, 10);
    assert_true(c.sse < 1e-24);
    near(cairn_curve_at(&c, 1019.5), 1, 1e-12);
}

/* As many points as coefficients: all of them are met; one more coefficient is loose. */
static void test_curve__interpolates(void **state)
{
    cairn_curve_fit c;
    assert_ok(*state, cairn_curve_polynomial(*state, &c, &points, 7));
    assert_false(c.loose);
    assert_true(c.sse < 1e-12);
    assert_ok(*state, cairn_curve_polynomial(*state, &c, &points, 8));
    assert_true(c.loose);
    static const double same[] = {2, 2, 2}, some[] = {1, 2, 6};
    assert_ok(*state,
              cairn_curve_polynomial(*state, &c, &(cairn_points_xy){same, some, NULL, 3}, 1));
    assert_true(c.loose);
    near(cairn_curve_at(&c, 2), 3, 1e-12);
}

/* Least squared error of points first .. last in k parts, tried one by one; ys are sorted by x. */
static double brute(const double *y, size_t first, size_t last, size_t k)
{
    double best = INFINITY;
    if (k == 1) {
        double mean = 0, sum = 0;
        for (size_t i = first; i < last; i++) mean += y[i] / (double)(last - first);
        for (size_t i = first; i < last; i++) sum += (y[i] - mean) * (y[i] - mean);
        return sum;
    }
    for (size_t cut = first + 1; cut + k - 1 <= last; cut++)
        best = fmin(best, brute(y, first, cut, 1) + brute(y, cut, last, k - 1));
    return best;
}

static void test_curve__steps_are_the_best(void **state)
{
    cairn_curve_fit c[8];
    assert_ok(*state, cairn_curve_steps(*state, c, &points, 8));
    for (size_t k = 1; k <= 8; k++) {
        near(c[k - 1].sse, brute(ys, 0, 8, k), 1e-10);
        assert_int_equal(c[k - 1].n_parameters, 2 * k - 1);
    }
    assert_int_equal(cairn_curve_steps(*state, c, &(cairn_points_xy){xs, ys, NULL, 3}, 4),
                     CAIRN_BAD_DATA);
}

/* A weight is as good as repeated points. */
static void test_curve__weights_repeat(void **state)
{
    static const double x[] = {1, 2, 3, 3, 3, 5}, y[] = {1, 4, 2, 2, 2, 7};
    static const double x1[] = {1, 2, 3, 5}, y1[] = {1, 4, 2, 7}, w[] = {1, 1, 3, 1};
    cairn_points_xy many = {x, y, NULL, 6}, few = {x1, y1, w, 4};
    cairn_curve_fit a, b, s[2], t[2];
    assert_ok(*state, cairn_curve_polynomial(*state, &a, &many, 2));
    assert_ok(*state, cairn_curve_polynomial(*state, &b, &few, 2));
    for (int k = 0; k < 3; k++) near(a.coefficients[k], b.coefficients[k], 1e-12);
    assert_ok(*state, cairn_curve_steps(*state, s, &many, 2));
    assert_ok(*state, cairn_curve_steps(*state, t, &few, 2));
    near(s[1].sse, t[1].sse, 1e-12);
    near(s[1].cuts[0], t[1].cuts[0], 0);
}

static void test_curve__refuses_numbers(void **state)
{
    static const double x[] = {0, 1, 2}, y[] = {1, 2, 3};
    cairn_curve_fit c;
    assert_int_equal(
        cairn_curve_of_form(*state, &c, &(cairn_points_xy){x, y, NULL, 3}, CAIRN_CURVE_LOGARITHM),
        CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(*state), "point 1"));
    static const double far[] = {1, 1e300, 2};
    assert_int_equal(cairn_curve_polynomial(*state, &c, &(cairn_points_xy){far, y, NULL, 3}, 5),
                     CAIRN_BAD_DATA);
    assert_non_null(strstr(cairn_message(*state), "point 2"));
}

/* More coefficients than points: all of them are met, though powers of 30 go to 1e13. */
static void test_curve__loose_polynomial_meets_its_points(void **state)
{
    static const double x[] = {20, 21, 22, 24, 27, 30}, y[] = {3, 10, 7, 8, 4, 9};
    cairn_curve_fit c;
    assert_ok(*state, cairn_curve_polynomial(*state, &c, &(cairn_points_xy){x, y, NULL, 6}, 9));
    assert_true(c.loose);
    assert_true(c.sse < 1e-14);
}

/* The value of a light segment behind heavy ones keeps its digits. */
static void test_curve__steps_of_very_different_weights(void **state)
{
    static const double x[] = {1, 2, 3, 4}, y[] = {1, -1.1, 1 / 3.0, 2};
    static const double w[] = {1e12, 1e12, 1, 1e12};
    cairn_curve_fit c[4];
    assert_ok(*state, cairn_curve_steps(*state, c, &(cairn_points_xy){x, y, w, 4}, 4));
    near(c[3].coefficients[2], 1 / 3.0, 1e-15);
}

/* What is left beside its bound: at most 1 is proved. */
static double left_of(cairn_context *ctx, const cairn_curve_fit *curve, const cairn_points_xy *at,
                      double lambda)
{
    cairn_certificate proof = {0};
    double most = 0;
    assert_ok(ctx, cairn_curve_certify(ctx, &proof, curve, at, lambda));
    assert_true(proof.has != 0);
    for (int k = 0; k < CAIRN_N_PROOFS; k++)
        if (proof.has & 1 << k) most = fmax(most, proof.left[k] / proof.bound[k]);
    return most;
}

/* The curve is proved; moved a little in any of its numbers it is not. */
static void assert_proof(cairn_context *ctx, cairn_curve_fit *c, const cairn_points_xy *at,
                         double lambda)
{
    double *numbers = c->centred ? c->centred : c->coefficients;
    size_t n = c->kind == CAIRN_CURVE_POLYNOMIAL ? c->size + 1
               : c->kind == CAIRN_CURVE_STEPS    ? c->size
                                                 : 2;
    assert_true(left_of(ctx, c, at, lambda) <= 1);
    for (size_t k = 0; k < n; k++) {
        double was = numbers[k];
        numbers[k] += 1e-4 * fmax(1, fabs(was));
        assert_true(left_of(ctx, c, at, lambda) > 1);
        numbers[k] = was;
    }
}

static void test_curve__proofs(void **state)
{
    cairn_curve_fit c, steps[3];
    double objective;
    for (size_t d = 0; d < 6; d++) {
        assert_ok(*state, cairn_curve_polynomial(*state, &c, &points, d));
        assert_proof(*state, &c, &points, 0);
    }
    assert_ok(*state, cairn_curve_ridge(*state, &c, &points, 2, 0.1, &objective));
    assert_proof(*state, &c, &points, 0.1);
    for (cairn_curve_form form = CAIRN_CURVE_POWER; form <= CAIRN_CURVE_LOGARITHM; form++) {
        assert_ok(*state, cairn_curve_of_form(*state, &c, &points, form));
        assert_proof(*state, &c, &points, 0);
    }
    assert_ok(*state, cairn_curve_steps(*state, steps, &points, 3));
    for (size_t k = 0; k < 3; k++) assert_proof(*state, &steps[k], &points, 0);
    /* values that are right for cuts that are not */
    steps[1].cuts[0] = 1.5;
    steps[1].coefficients[0] = ys[0];
    steps[1].coefficients[1] = 887 / 7.0;
    assert_true(left_of(*state, &steps[1], &points, 0) > 1);
}

/* A place where both slopes are 0, but from which the errors fall to either side: the outer points
 * lie too far above the mean for a flat curve to be the least. */
static void test_curve__power_that_bends_downwards_is_not_proved(void **state)
{
    static const double x[] = {0.5, 1, 2}, bent[] = {1, -0.8, 1}, flat[] = {1, 0.8, 1};
    double numbers[] = {0.4, 0};
    cairn_curve_fit c = {.kind = CAIRN_CURVE_POWER_DIRECT, .size = 1, .n_parameters = 2};
    c.coefficients = numbers;
    c.converged = true;
    assert_true(left_of(*state, &c, &(cairn_points_xy){x, bent, NULL, 3}, 0) > 1);
    numbers[0] = 2.8 / 3;
    assert_true(left_of(*state, &c, &(cairn_points_xy){x, flat, NULL, 3}, 0) <= 1);
}

/* A small share of bench/agree/curve_random.py: every curve of such points is proved. */
static void test_curve__random_points_are_proved(void **state)
{
    enum { N = 30, PROBLEMS = 60 };
    double x[N], y[N], w[N], objective;
    for (uint64_t problem = 0; problem < PROBLEMS; problem++) {
        cairn_random random;
        cairn_random_start(&random, 34, problem);
        double scale = pow(10, (double)cairn_random_below(&random, 9) - 4);
        double far = cairn_random_below(&random, 3) ? 0 : 20 * scale;
        size_t n = 9 + cairn_random_below(&random, N - 8), kind = cairn_random_below(&random, 3);
        for (size_t i = 0; i < n; i++) {
            double draw = cairn_random_uniform(&random);
            x[i] = far + scale * (i < 8 ? (double)i + 1 : kind ? 1 + floor(8 * draw) : 8 * draw);
            if (kind == 2) x[i] = fmax(x[i], scale / 100);
            y[i] = 5 + cairn_random_normal(&random) + (x[i] - far) / scale;
            y[i] = fmax(y[i], 0.1);
            w[i] = pow(10, 6 * cairn_random_uniform(&random) - 3);
        }
        cairn_points_xy at = {x, y, cairn_random_below(&random, 2) ? w : NULL, n};
        cairn_curve_fit c, steps[4];
        for (size_t d = 0; d < 7; d++) {
            assert_ok(*state, cairn_curve_polynomial(*state, &c, &at, d));
            assert_true(left_of(*state, &c, &at, 0) <= 1);
        }
        assert_ok(*state, cairn_curve_ridge(*state, &c, &at, 2, scale, &objective));
        assert_true(left_of(*state, &c, &at, scale) <= 1);
        assert_ok(*state, cairn_curve_steps(*state, steps, &at, 4));
        for (size_t k = 0; k < 4; k++) assert_true(left_of(*state, &steps[k], &at, 0) <= 1);
        assert_ok(*state, cairn_curve_of_form(*state, &c, &at, CAIRN_CURVE_POWER));
        assert_true(left_of(*state, &c, &at, 0) <= 1);
        assert_ok(*state, cairn_curve_of_form(*state, &c, &at, CAIRN_CURVE_LOGARITHM));
        assert_true(left_of(*state, &c, &at, 0) <= 1);
    }
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    cairn_curve_fit c, steps[3];
    double objective;
    (void)data;
    CHECK(cairn_curve_polynomial(ctx, &c, &points, 3));
    CHECK(cairn_curve_polynomial(ctx, &c, &points, 9));
    CHECK(cairn_curve_ridge(ctx, &c, &points, 2, 0.1, &objective));
    CHECK(cairn_curve_of_form(ctx, &c, &points, CAIRN_CURVE_POWER_DIRECT));
    CHECK(cairn_curve_certify(ctx, &(cairn_certificate){0}, &c, &points, 0));
    return cairn_curve_steps(ctx, steps, &points, 3);
}

static void test_curve__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(whole_way, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_curve__forms_agree_with_scipy),
        context_test(test_curve__polynomial_far_from_zero),
        context_test(test_curve__interpolates),
        context_test(test_curve__steps_are_the_best),
        context_test(test_curve__weights_repeat),
        context_test(test_curve__refuses_numbers),
        context_test(test_curve__loose_polynomial_meets_its_points),
        context_test(test_curve__steps_of_very_different_weights),
        context_test(test_curve__proofs),
        context_test(test_curve__power_that_bends_downwards_is_not_proved),
        context_test(test_curve__random_points_are_proved),
        context_test(test_curve__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
