/* SPDX-License-Identifier: MIT */
/* Solvers on problems with known minima, and the course of an iteration. */
#include "base/functions.h"
#include "solve/downhill.h"
#include "solve/em.h"
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
    assert_true(progress.values[0] == 7 && fabs(progress.values[1] - 1) < 1e-13);
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
    assert_int_equal(p.n_values, 4);
}

/* Rosenbrock's valley in six numbers, 1 above its least value 0 at (1, 1, ...). */
static cairn_status valley(cairn_context *ctx, void *data, const double *x, double *value,
                           double *slope, double *curve)
{
    (void)ctx;
    (void)data;
    (void)curve;
    *value = 1;
    for (int j = 0; j < 6; j++) slope[j] = 0;
    for (int j = 0; j + 1 < 6; j++) {
        double bend = x[j + 1] - x[j] * x[j], left = 1 - x[j];
        *value += 100 * bend * bend + left * left;
        slope[j] -= 400 * x[j] * bend + 2 * left;
        slope[j + 1] += 200 * bend;
    }
    return CAIRN_OK;
}

static void test_lbfgs__follows_a_bent_valley(void **state)
{
    double x[6] = {-1.2, 1, -1.2, 1, -1.2, 1}, g[6];
    cairn_objective f = {.n = 6, .look = valley};
    cairn_place place = {.x = x, .gradient = g};
    cairn_progress progress = {.most = 500, .tolerance = 1e-16};
    assert_ok(*state, cairn_lbfgs(*state, &f, &place, &progress, NULL));
    for (int j = 0; j < 6; j++) assert_true(fabs(x[j] - 1) < 1e-7);
    assert_true(fabs(place.value - 1) < 1e-14);
    assert_true(progress.converged && progress.iterations < 100);
    for (size_t i = 1; i < progress.n_values; i++)
        assert_true(progress.values[i] <= progress.values[i - 1] + 1e-14);
}

/* Logistic regression of 20 rows with a ridge of 0.3 on two of its three weights. */
static cairn_status cross_entropy(cairn_context *ctx, void *data, const double *w, double *value,
                                  double *slope, double *curve)
{
    static const double hours[] = {0.5,  0.75, 1,    1.25, 1.5, 1.75, 1.75, 2,    2.25, 2.5,
                                   2.75, 3,    3.25, 3.5,  4,   4.25, 4.5,  4.75, 5,    5.5};
    static const char passed[] = "00000010101010111111";
    (void)ctx;
    (void)data;
    (void)curve;
    *value = 0.15 * (w[0] * w[0] + w[1] * w[1]);
    slope[0] = 0.3 * w[0], slope[1] = 0.3 * w[1], slope[2] = 0;
    for (int i = 0; i < 20; i++) {
        double second = cairn_cos(i), sign = passed[i] == '1' ? 1 : -1;
        double margin = sign * (w[0] * hours[i] + w[1] * second + w[2]);
        double away = -sign / (1 + cairn_exp(margin));
        *value += cairn_log1p(cairn_exp(-margin));
        slope[0] += away * hours[i], slope[1] += away * second, slope[2] += away;
    }
    return CAIRN_OK;
}

static void test_lbfgs__logistic_regression(void **state)
{
    double x[3] = {0}, g[3];
    cairn_objective f = {.n = 3, .look = cross_entropy};
    cairn_place place = {.x = x, .gradient = g};
    cairn_progress progress = {.what = "L-BFGS", .most = 100, .tolerance = 1e-15};
    assert_ok(*state, cairn_lbfgs(*state, &f, &place, &progress, NULL));
    assert_true(progress.converged && progress.iterations < 40);
    assert_true(fabs(place.value - 8.33498485495542) < 1e-12); /* as scipy finds it */
    assert_true(fabs(x[0] - 1.35850023022437) < 1e-6);
    assert_true(fabs(x[1] - 0.02551756588835) < 1e-6);
    assert_true(fabs(x[2] + 3.694331047184505) < 1e-6);
}

static void test_lbfgs__stands_at_the_minimum(void **state)
{
    cairn_quadratic q = {2, 7, gradient, hessian, NULL};
    cairn_objective f = cairn_quadratic_objective(&q);
    double x[2] = {1, -2}, g[2];
    cairn_place place = {.x = x, .gradient = g};
    cairn_progress progress = {.most = 10, .tolerance = 1e-12};
    assert_ok(*state, cairn_lbfgs(*state, &f, &place, &progress, NULL));
    assert_true(x[0] == 1 && x[1] == -2 && progress.converged);
}

static void test_nonnegative__stops_at_the_border(void **state)
{
    static const double gram[] = {2, 1, 1, 2}, side[] = {1, -4};
    double x[2] = {3, 3};
    (void)state;
    cairn_nonnegative_descent(x, gram, side, 2, 1e-14, 1000);
    assert_true(fabs(x[0] - 0.5) < 1e-12 && x[1] == 0);
}

/* Two normal distributions; start 0 has equal means, which never part. */
typedef struct mixture {
    double share[2], mean[2], variance[2], belongs[12][2];
    double kept[2];
    size_t n_seen, n_kept;
} mixture;

static const double seen[] = {-2.1, -1.9, -1.4, -1.1, -0.7, 0.2, 0.9, 1.3, 1.8, 2.2, 2.4, 3.1};

static cairn_status begin(cairn_context *ctx, void *data, size_t start)
{
    static const double means[3][2] = {{0.6, 0.6}, {-1, 1}, {1, -1}};
    mixture *m = data;
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        m->share[k] = 0.5;
        m->mean[k] = means[start][k];
        m->variance[k] = 1;
    }
    return CAIRN_OK;
}

static cairn_status expect(cairn_context *ctx, void *data, double *log_likelihood)
{
    mixture *m = data;
    (void)ctx;
    *log_likelihood = 0;
    for (int i = 0; i < 12; i++) {
        double *p = m->belongs[i];
        for (int k = 0; k < 2; k++) {
            double off = seen[i] - m->mean[k], v = m->variance[k];
            p[k] = m->share[k] * cairn_exp(-off * off / (2 * v)) /
                   sqrt(2 * 3.14159265358979323846 * v);
        }
        double sum = p[0] + p[1];
        p[0] /= sum, p[1] /= sum;
        *log_likelihood += cairn_log(sum);
    }
    return CAIRN_OK;
}

static cairn_status maximise(cairn_context *ctx, void *data)
{
    mixture *m = data;
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        double n = 0, sum = 0, squares = 0;
        for (int i = 0; i < 12; i++) n += m->belongs[i][k], sum += m->belongs[i][k] * seen[i];
        for (int i = 0; i < 12; i++)
            squares += m->belongs[i][k] * (seen[i] - sum / n) * (seen[i] - sum / n);
        m->share[k] = n / 12, m->mean[k] = sum / n, m->variance[k] = squares / n;
    }
    return CAIRN_OK;
}

static void keep(void *data, size_t start)
{
    mixture *m = data;
    (void)start;
    memcpy(m->kept, m->mean, sizeof m->kept);
    m->n_kept++;
}

static void count(void *data, size_t start, size_t iteration, double log_likelihood)
{
    (void)start;
    (void)iteration;
    (void)log_likelihood;
    ((mixture *)data)->n_seen++;
}

static void test_em__best_start_of_a_mixture(void **state)
{
    mixture m = {.n_kept = 0};
    cairn_em em = {3, &m, begin, expect, maximise, keep, NULL, count};
    cairn_progress progress = {.most = 5000, .tolerance = 1e-15};
    cairn_em_result result;
    assert_ok(*state, cairn_em_run(*state, &result, &em, &progress));
    assert_int_equal(result.best_start, 1); /* the third is its mirror image */
    assert_int_equal(m.n_kept, 2);
    assert_true(fabs(result.log_likelihood + 21.029770294263685) < 1e-10);
    assert_true(fabs(m.kept[0] + 1.4447743094089) < 1e-5);
    assert_true(fabs(m.kept[1] - 1.66771771492379) < 1e-5);
    assert_true(progress.converged && result.largest_fall == 0);
    assert_true(fabs(progress.values[0] + 23.87146586410179) < 1e-12);
    assert_int_equal(progress.n_values, progress.iterations + 1);
    assert_true(m.n_seen > progress.n_values);
}

/* An M step that makes it worse. */
static cairn_status spoil(cairn_context *ctx, void *data)
{
    (void)ctx;
    ((mixture *)data)->mean[0] -= 10;
    return CAIRN_OK;
}

static cairn_status no_likelihood(cairn_context *ctx, void *data, double *log_likelihood)
{
    (void)ctx;
    (void)data;
    *log_likelihood = NAN;
    return CAIRN_OK;
}

static double never_still(const void *data)
{
    (void)data;
    return 1;
}

/* How far the first mean is from where it ends. */
static double distance_left(const void *data)
{
    return fabs(((const mixture *)data)->mean[0] + 1.4447743094089);
}

static void test_em__stops_by_the_parameters(void **state)
{
    mixture m = {.n_kept = 0};
    cairn_em em = {2, &m, begin, expect, maximise, keep, distance_left, NULL};
    cairn_progress progress = {.most = 5000, .tolerance = 1e-3};
    cairn_em_result result;
    assert_ok(*state, cairn_em_run(*state, &result, &em, &progress));
    assert_int_equal(result.best_start, 1);
    assert_true(progress.converged && progress.iterations > 3);
    assert_true(fabs(m.kept[0] + 1.4447743094089) <= 1e-3);
    assert_true(fabs(m.kept[0] + 1.4447743094089) > 1e-5);
}

static void test_em__says_that_the_likelihood_fell(void **state)
{
    mixture m = {.n_kept = 0};
    cairn_em em = {1, &m, begin, expect, spoil, keep, NULL, NULL};
    cairn_progress progress = {.most = 100, .tolerance = 1e-9};
    cairn_em_result result;
    assert_ok(*state, cairn_em_run(*state, &result, &em, &progress));
    assert_true(result.largest_fall > 1 && progress.iterations == 1);
    em.change = never_still;
    assert_ok(*state, cairn_em_run(*state, &result, &em, &progress));
    assert_true(result.largest_fall > 1 && progress.iterations == 1);
    em.expect = no_likelihood;
    assert_ok(*state, cairn_em_run(*state, &result, &em, &progress));
    assert_int_equal(result.best_start, 1);
}

/* 100 (y − x²)² + (1 − x)²; left of 0 there is no value. */
static cairn_status bent_valley(cairn_context *ctx, void *data, const double *x, double *out)
{
    (void)ctx, (void)data;
    double apart = x[1] - x[0] * x[0];
    *out = x[0] < 0 ? NAN : 100 * apart * apart + (1 - x[0]) * (1 - x[0]);
    return CAIRN_OK;
}

static void test_downhill__follows_a_bent_valley_beside_a_wall(void **state)
{
    cairn_valley f = {2, NULL, bent_valley};
    cairn_progress progress = {.most = 2000, .tolerance = 1e-10};
    double x[2] = {0.05, 3}, value;
    assert_ok(*state, cairn_downhill(*state, &f, x, &value, &progress));
    assert_true(progress.converged);
    assert_true(fabs(x[0] - 1) < 1e-6 && fabs(x[1] - 1) < 1e-6 && value < 1e-12);
}

static cairn_status endless_slope(cairn_context *ctx, void *data, const double *x, double *out)
{
    (void)ctx, (void)data;
    *out = -x[0];
    return CAIRN_OK;
}

static void test_downhill__does_not_converge_on_an_endless_slope(void **state)
{
    cairn_valley f = {1, NULL, endless_slope};
    cairn_progress progress = {.most = 100, .tolerance = 1e-10};
    double x[1] = {1}, value;
    assert_ok(*state, cairn_downhill(*state, &f, x, &value, &progress));
    assert_false(progress.converged);
    assert_true(progress.iterations == 100 && x[0] > 1000);
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
        context_test(test_lbfgs__follows_a_bent_valley),
        context_test(test_lbfgs__logistic_regression),
        context_test(test_lbfgs__stands_at_the_minimum),
        context_test(test_nonnegative__stops_at_the_border),
        context_test(test_downhill__follows_a_bent_valley_beside_a_wall),
        context_test(test_downhill__does_not_converge_on_an_endless_slope),
        context_test(test_em__best_start_of_a_mixture),
        context_test(test_em__stops_by_the_parameters),
        context_test(test_em__says_that_the_likelihood_fell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
