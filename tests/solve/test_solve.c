/* SPDX-License-Identifier: MIT */
/* Solvers on problems with known minima, and the course of an iteration. */
#include "solve/solvers.h"
#include "support/unit.h"
#include <math.h>

/* x'Hx/2 + g'x with its minimum at (1, -2). */
static const double hessian[] = {4, 1, 1, 3}, gradient[] = {-2, 5};

static void test_newton__a_quadratic_takes_one_step(void **state)
{
    cairn_quadratic q = {2, 7, gradient, hessian, NULL};
    cairn_objective f = cairn_quadratic_objective(&q);
    double x[2] = {0}, g[2], h[4];
    cairn_place place = {.x = x, .gradient = g, .hessian = h};
    cairn_progress progress = {.most = 10, .tolerance = 1e-12};
    assert_ok(*state, f.look(*state, f.data, x, &place.value, g, h));
    assert_ok(*state, cairn_newton(*state, &f, &place, &progress, NULL, 0, false));
    assert_true(fabs(x[0] - 1) < 1e-14 && fabs(x[1] + 2) < 1e-14);
    assert_true(fabs(place.value - 1) < 1e-13);
    assert_true(progress.converged && progress.iterations <= 2);
    assert_true(progress.history[0] == 7 && fabs(progress.history[1] - 1) < 1e-13);
}

/* With an L1 penalty of 3 the minimum has x0 = 0, where 3 x1 + 5 - 3 = 0. */
static void test_newton__l1_sets_numbers_to_0(void **state)
{
    static const double lassos[] = {3, 3};
    cairn_quadratic q = {2, 0, gradient, hessian, NULL};
    cairn_objective f = cairn_quadratic_objective(&q);
    double x[2] = {5, 5}, g[2], h[4];
    cairn_place place = {.x = x, .gradient = g, .hessian = h};
    cairn_progress progress = {.most = 50, .tolerance = 1e-14};
    f.lassos = lassos;
    assert_ok(*state, f.look(*state, f.data, x, &place.value, g, h));
    place.value += cairn_lasso_sum(&f, x);
    assert_ok(*state, cairn_newton(*state, &f, &place, &progress, NULL, 0, false));
    assert_true(x[0] == 0 && fabs(x[1] + 2.0 / 3) < 1e-12);
    assert_true(progress.converged);
}

/* A step that may change no number by more than 1/4. */
static void test_newton__steps_are_bounded(void **state)
{
    cairn_quadratic q = {2, 0, gradient, hessian, NULL};
    cairn_objective f = cairn_quadratic_objective(&q);
    double x[2] = {0}, g[2], h[4];
    cairn_place place = {.x = x, .gradient = g, .hessian = h};
    cairn_progress progress = {.most = 1, .tolerance = 1e-14};
    assert_ok(*state, f.look(*state, f.data, x, &place.value, g, h));
    assert_ok(*state, cairn_newton(*state, &f, &place, &progress, NULL, 0.25, false));
    assert_true(fabs(x[0] - 0.125) < 1e-15 && fabs(x[1] + 0.25) < 1e-15);
    assert_false(progress.converged);
}

static void test_freedom__falls_with_the_ridge(void **state)
{
    static const double h[] = {4, 0, 0, 9}, ridges[] = {1, 3};
    double df;
    assert_ok(*state, cairn_degrees_of_freedom(*state, h, ridges, 2, &df));
    assert_true(fabs(df - (3.0 / 4 + 6.0 / 9)) < 1e-14);
}

/* Σ (x - row)²/2 of the rows 1, 2, 6. */
static const double points[] = {1, 2, 6};

static void pull(void *data, const double *x, size_t i, double factor, double *into)
{
    (void)data;
    into[0] += factor * (points[i] - x[0]);
}

static cairn_status sum_of_squares(cairn_context *ctx, void *data, const double *x, double *value)
{
    (void)ctx;
    (void)data;
    *value = 0;
    for (int i = 0; i < 3; i++) *value += (x[0] - points[i]) * (x[0] - points[i]) / 2;
    return CAIRN_OK;
}

static void test_stochastic__protocols(void **state)
{
    cairn_stochastic f = {.n = 1, .n_rows = 3, .eta = 0.5, .row = pull, .look = sum_of_squares};
    cairn_progress progress = {.most = 1};
    double x = 0;
    assert_ok(*state, cairn_stochastic_descent(*state, &f, &x, &progress, NULL));
    assert_true(x == 3.625); /* 0, 0.5, 1.25, 3.625 */
    f.update = CAIRN_UPDATE_EPOCH;
    f.eta = 0.25;
    x = 0;
    progress = (cairn_progress){.most = 200, .tolerance = 1e-15};
    assert_ok(*state, cairn_stochastic_descent(*state, &f, &x, &progress, NULL));
    assert_true(fabs(x - 3) < 1e-6 && progress.converged);
}

static void test_progress__patience_and_history(void **state)
{
    static const double held[] = {5, 4, 4.5, 3, 3.5, 3.1, 9};
    cairn_progress p = {.most = 100, .keep = 4, .patience = 2};
    assert_ok(*state, cairn_progress_start(*state, &p, 10));
    for (size_t i = 0; cairn_progress_goes_on(&p); i++) {
        assert_ok(*state, cairn_progress_next(*state, &p, 10 - (double)i, 1, NAN));
        assert_int_equal(cairn_progress_held(&p, held[i]), i == 0 || i == 1 || i == 3);
    }
    assert_int_equal(p.iterations, 6);
    assert_int_equal(p.best_iteration, 4);
    assert_int_equal(p.n_history, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_newton__a_quadratic_takes_one_step),
        context_test(test_newton__l1_sets_numbers_to_0),
        context_test(test_newton__steps_are_bounded),
        context_test(test_freedom__falls_with_the_ridge),
        context_test(test_stochastic__protocols),
        context_test(test_progress__patience_and_history),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
