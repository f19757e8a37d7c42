/* SPDX-License-Identifier: MIT */
/* Programs with constraints, against every active set and every basis of random small ones. */
#include "base/memory.h"
#include "base/random.h"
#include "solve/constrained.h"
#include "support/unit.h"
#include <math.h>
#include <string.h>

enum { MOST = 8, TRIES = 400 };

/* Gauss with pivoting, in place; false when the matrix is singular. */
static bool solve(double a[MOST + 1][MOST + 2], size_t n)
{
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        if (fabs(a[best][k]) < 1e-9) return false;
        for (size_t j = 0; j <= n; j++) {
            double other = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = other;
        }
        for (size_t i = 0; i < n; i++) {
            double by = a[i][k] / a[k][k];
            for (size_t j = k; i != k && j <= n; j++) a[i][j] -= by * a[k][j];
        }
    }
    for (size_t i = 0; i < n; i++) a[i][n] /= a[i][i];
    return true;
}

/* -- quadratic programs -- */

typedef struct quadratic {
    size_t n;
    cairn_wide hessian[MOST * MOST];
    cairn_wide gradient[MOST], lower[MOST], upper[MOST];
    double factors[MOST];
} quadratic;

static cairn_box_program program_of(const quadratic *q)
{
    return (cairn_box_program){.n = q->n,
                               .hessian = q->hessian,
                               .gradient = q->gradient,
                               .lower = q->lower,
                               .upper = q->upper,
                               .factors = q->factors,
                               .n_groups = 1};
}

static double value_at(const quadratic *q, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < q->n; i++) {
        sum += q->gradient[i] * x[i];
        for (size_t j = 0; j < q->n; j++) sum += x[i] * (double)q->hessian[i * q->n + j] * x[j] / 2;
    }
    return sum;
}

/* Least value with the numbers of this code at their bounds (0 lower, 1 upper, 2 free). */
static double value_of_face(const quadratic *q, size_t code)
{
    double a[MOST + 1][MOST + 2] = {{0}}, x[MOST], rest = 0;
    size_t free[MOST], n = 0;
    for (size_t i = 0; i < q->n; i++, code /= 3) {
        x[i] = code % 3 == 1 ? q->upper[i] : code % 3 == 0 ? q->lower[i] : 0;
        if (code % 3 == 2) free[n++] = i;
        if (isinf(x[i])) return INFINITY;
        rest += q->factors[i] * x[i];
    }
    if (!n) return fabs(rest) < 1e-12 ? value_at(q, x) : INFINITY;
    for (size_t r = 0; r < n; r++) {
        for (size_t c = 0; c < n; c++) a[r][c] = (double)q->hessian[free[r] * q->n + free[c]];
        a[r][n] = a[n][r] = q->factors[free[r]];
        a[r][n + 1] = -q->gradient[free[r]];
        for (size_t j = 0; j < q->n; j++)
            a[r][n + 1] -= (double)q->hessian[free[r] * q->n + j] * x[j];
    }
    a[n][n + 1] = -rest;
    if (!solve(a, n + 1)) return INFINITY;
    for (size_t r = 0; r < n; r++) {
        x[free[r]] = a[r][n + 1];
        if (x[free[r]] < q->lower[free[r]] - 1e-9 || x[free[r]] > q->upper[free[r]] + 1e-9)
            return INFINITY;
    }
    return value_at(q, x);
}

static double least_of_faces(const quadratic *q)
{
    size_t codes = 1;
    double least = INFINITY;
    for (size_t i = 0; i < q->n; i++) codes *= 3;
    for (size_t code = 0; code < codes; code++) least = fmin(least, value_of_face(q, code));
    return least;
}

/* A Hessian of the given rank, of small whole numbers, so that ties and degenerate corners are
 * usual. */
static quadratic random_quadratic(cairn_random *random, size_t rank)
{
    quadratic q = {.n = 2 + cairn_random_below(random, 5)};
    double b[MOST][MOST];
    for (size_t i = 0; i < q.n; i++) {
        for (size_t k = 0; k < rank; k++) b[i][k] = (double)cairn_random_below(random, 7) - 3;
        q.factors[i] = cairn_random_below(random, 2) ? 1 : -1;
        q.gradient[i] = (double)cairn_random_below(random, 5) - 3;
        q.upper[i] = 1 + (double)cairn_random_below(random, 3);
    }
    for (size_t i = 0; i < q.n; i++)
        for (size_t j = 0; j < q.n; j++)
            for (size_t k = 0; k < rank; k++) q.hessian[i * q.n + j] += b[i][k] * b[j][k];
    return q;
}

static void check_conditions(const quadratic *q, const cairn_wide *x,
                             const cairn_box_answer *answer)
{
    cairn_wide sum = 0;
    for (size_t i = 0; i < q->n; i++) {
        cairn_wide slope = q->gradient[i] + answer->multipliers[0] * q->factors[i];
        for (size_t j = 0; j < q->n; j++) slope += q->hessian[i * q->n + j] * x[j];
        sum += q->factors[i] * x[i];
        assert_true(x[i] >= q->lower[i] && x[i] <= q->upper[i]);
        if (x[i] > q->lower[i]) assert_true(slope < 1e-9);
        if (x[i] < q->upper[i]) assert_true(slope > -1e-9);
    }
    assert_true(fabsl(sum) < 1e-10);
}

static void test_active_set__is_the_best_of_all_active_sets(void **state)
{
    cairn_random random;
    cairn_random_start(&random, 7, 0);
    for (int t = 0; t < TRIES; t++) {
        quadratic q = random_quadratic(&random, 1 + cairn_random_below(&random, 4));
        cairn_box_program program = program_of(&q);
        cairn_box_answer answer;
        cairn_wide x[MOST] = {0};
        SCOPED_SCRATCH(*state);
        assert_ok(*state, cairn_active_set(*state, &answer, x, &program));
        assert_int_equal(answer.ending, CAIRN_ENDING_OPTIMAL);
        assert_true(fabs(answer.value - least_of_faces(&q)) < 1e-9);
        check_conditions(&q, x, &answer);
    }
}

/* The dual of a classifier with the largest margin: H = y y' K, gradient -1, factors y. */
static quadratic dual_of(const double *points, const double *y, size_t n, size_t p, double c)
{
    quadratic q = {.n = n};
    for (size_t i = 0; i < n; i++) {
        q.gradient[i] = -1;
        q.upper[i] = c;
        q.factors[i] = y[i];
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < p; k++)
                q.hessian[i * n + j] += y[i] * y[j] * points[i * p + k] * points[j * p + k];
    }
    return q;
}

static void test_active_set__three_points_of_which_one_is_no_support(void **state)
{
    static const double points[] = {2, 2, 4, 5, 7, 4}, y[] = {-1, 1, 1};
    quadratic q = dual_of(points, y, 3, 2, INFINITY);
    cairn_box_program program = program_of(&q);
    cairn_box_answer answer;
    cairn_wide x[MOST] = {0};
    assert_ok(*state, cairn_active_set(*state, &answer, x, &program));
    assert_int_equal(answer.ending, CAIRN_ENDING_OPTIMAL);
    assert_true(fabsl(x[0] - 2.0 / 13) < 1e-13 && fabsl(x[1] - 2.0 / 13) < 1e-13 && x[2] == 0);
    assert_true(fabs(answer.multipliers[0] + 33.0 / 13) < 1e-12);
    assert_true(fabs(answer.value + 2.0 / 13) < 1e-13);
}

/* Classes that no line separates: the dual rises for ever. */
static void test_active_set__xor_has_no_hard_margin(void **state)
{
    static const double points[] = {0, 0, 0, 1, 1, 0, 1, 1}, y[] = {-1, 1, 1, -1};
    quadratic q = dual_of(points, y, 4, 2, INFINITY);
    cairn_box_program program = program_of(&q);
    cairn_box_answer answer;
    cairn_wide x[MOST] = {0};
    assert_ok(*state, cairn_active_set(*state, &answer, x, &program));
    assert_int_equal(answer.ending, CAIRN_ENDING_UNBOUNDED);
    for (size_t i = 0; i < 4; i++) assert_true(answer.ray[i] > 0);
}

/* Every number at its bound: the multiplier is known up to an interval. */
static void test_active_set__interval_of_the_multiplier(void **state)
{
    static const double points[] = {1, 2, -1, 2, -1, -2, 3, 1}, y[] = {-1, -1, 1, 1};
    quadratic q = dual_of(points, y, 4, 2, 0.05);
    cairn_box_program program = program_of(&q);
    cairn_box_answer answer;
    cairn_wide x[MOST] = {0};
    assert_ok(*state, cairn_active_set(*state, &answer, x, &program));
    assert_int_equal(answer.ending, CAIRN_ENDING_OPTIMAL);
    assert_true(fabs(answer.low[0] + 0.4) < 1e-13 && fabs(answer.high[0] - 0.6) < 1e-13);
    assert_true(fabs(answer.multipliers[0] - 0.1) < 1e-13);
}

/* Two sums, each kept: numbers 0, 1 sum to 1, numbers 2, 3 to 2. */
static void test_active_set__two_sums(void **state)
{
    static const cairn_wide hessian[] = {1, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const cairn_wide zeros[4], upper[4] = {5, 5, 1.5, 0.75};
    static const double ones[4] = {1, 1, 1, 1};
    static const size_t groups[4] = {0, 0, 1, 1};
    cairn_box_program program = {4, hessian, zeros, zeros, upper, ones, groups, 2};
    cairn_box_answer answer;
    cairn_wide x[4] = {1, 0, 1.5, 0.5};
    assert_ok(*state, cairn_active_set(*state, &answer, x, &program));
    assert_true(fabsl(x[0] - 0.75) < 1e-14 && fabsl(x[1] - 0.25) < 1e-14);
    assert_true(fabsl(x[2] - 1.25) < 1e-14 && x[3] == 0.75);
}

/* -- linear programs -- */

typedef struct linear {
    size_t rows, columns;
    double matrix[MOST * MOST], side[MOST], gain[MOST], upper[MOST];
} linear;

/* The gain of the corner whose basis and bounds are coded (2 = in the basis); NaN = no corner. */
static double gain_of_corner(const linear *l, size_t code)
{
    double a[MOST + 1][MOST + 2] = {{0}}, x[MOST], gain = 0;
    size_t basis[MOST], n = 0;
    for (size_t j = 0; j < l->columns; j++, code /= 3) {
        x[j] = code % 3 == 1 ? l->upper[j] : 0;
        if (isinf(x[j])) return NAN;
        if (code % 3 == 2) basis[n++] = j;
    }
    if (n != l->rows) return NAN;
    for (size_t i = 0; i < n; i++) {
        a[i][n] = l->side[i];
        for (size_t j = 0; j < l->columns; j++) a[i][n] -= l->matrix[i * l->columns + j] * x[j];
        for (size_t k = 0; k < n; k++) a[i][k] = l->matrix[i * l->columns + basis[k]];
    }
    if (!solve(a, n)) return NAN;
    for (size_t k = 0; k < n; k++) x[basis[k]] = a[k][n];
    for (size_t j = 0; j < l->columns; j++) {
        if (x[j] < -1e-9 || x[j] > l->upper[j] + 1e-9) return NAN;
        gain += l->gain[j] * x[j];
    }
    return gain;
}

static double best_of_corners(const linear *l)
{
    size_t codes = 1;
    double best = NAN;
    for (size_t j = 0; j < l->columns; j++) codes *= 3;
    for (size_t code = 0; code < codes; code++) best = fmax(best, gain_of_corner(l, code));
    return best;
}

static linear random_linear(cairn_random *random)
{
    linear l = {.rows = 1 + cairn_random_below(random, 2),
                .columns = 3 + cairn_random_below(random, 4)};
    for (size_t i = 0; i < l.rows; i++) {
        l.side[i] = (double)cairn_random_below(random, 5) - 2;
        for (size_t j = 0; j < l.columns; j++)
            l.matrix[i * l.columns + j] = (double)cairn_random_below(random, 5) - 2;
    }
    for (size_t j = 0; j < l.columns; j++) {
        l.gain[j] = (double)cairn_random_below(random, 7) - 3;
        l.upper[j] = 1 + (double)cairn_random_below(random, 3);
    }
    return l;
}

/* With a full row rank, where corners exist at all. */
static void test_simplex__is_the_best_of_all_corners(void **state)
{
    cairn_random random;
    cairn_random_start(&random, 11, 0);
    int feasible = 0, infeasible = 0;
    for (int t = 0; t < TRIES; t++) {
        linear l = random_linear(&random);
        cairn_linear_program program = {l.rows, l.columns, l.matrix, l.side,
                                        l.gain, l.upper,   1e-11};
        cairn_linear_answer answer;
        double best = best_of_corners(&l), priced = 0;
        SCOPED_SCRATCH(*state);
        assert_ok(*state, cairn_simplex(*state, &answer, &program));
        assert_true(answer.left < 1e-9);
        if (isnan(best)) {
            infeasible += answer.ending == CAIRN_ENDING_INFEASIBLE;
            continue;
        }
        feasible++;
        assert_int_equal(answer.ending, CAIRN_ENDING_OPTIMAL);
        assert_true(fabs(answer.value - best) < 1e-9);
        for (size_t i = 0; i < l.rows; i++) priced += answer.prices[i] * l.side[i];
        for (size_t j = 0; j < l.columns; j++) {
            double worth = l.gain[j];
            for (size_t i = 0; i < l.rows; i++)
                worth -= answer.prices[i] * l.matrix[i * l.columns + j];
            priced += fmax(worth, 0) * l.upper[j];
        }
        assert_true(fabs(priced - best) < 1e-9);
    }
    assert_true(feasible > TRIES / 2 && infeasible > 10);
}

static void test_simplex__a_gain_without_end(void **state)
{
    static const double matrix[] = {1, -1}, side[] = {1}, gain[] = {1, 0};
    cairn_linear_program program = {1, 2, matrix, side, gain, NULL, 1e-11};
    cairn_linear_answer answer;
    assert_ok(*state, cairn_simplex(*state, &answer, &program));
    assert_int_equal(answer.ending, CAIRN_ENDING_UNBOUNDED);
}

/* x1 + x2 = -1 for positive numbers: the least shortfall is 1, and the price proves it. */
static void test_simplex__no_solution_is_proved(void **state)
{
    static const double matrix[] = {1, 1}, side[] = {-1};
    cairn_linear_program program = {1, 2, matrix, side, NULL, NULL, 1e-11};
    cairn_linear_answer answer;
    assert_ok(*state, cairn_simplex(*state, &answer, &program));
    assert_int_equal(answer.ending, CAIRN_ENDING_INFEASIBLE);
    assert_true(answer.value == 1 && answer.prices[0] == 1);
    assert_true(answer.left == 0);
}

/* -- planes between classes -- */

static double violation_of(void **state, const double *points, const double *signs, size_t n,
                           size_t p)
{
    cairn_least_violation least;
    double sum = 0;
    assert_ok(*state, cairn_separate(*state, &least, points, signs, n, p, 1e-10));
    assert_int_equal(least.ending, CAIRN_ENDING_OPTIMAL);
    assert_true(least.gap < 1e-6 && least.conditions < 1e-6);
    for (size_t i = 0; i < n; i++) {
        double score = least.plane[p];
        for (size_t j = 0; j < p; j++) score += least.plane[j] * points[i * p + j];
        sum += fmax(0, 1 - signs[i] * score);
    }
    assert_true(fabs(sum - least.violation) < 1e-5);
    assert_true(least.separable == (least.violation == 0));
    return least.violation;
}

static void test_separate__planes_lines_and_points_that_touch(void **state)
{
    static const double signs[] = {-1, 1, 1, -1}, pair[] = {-1, 1};
    static const double xor [] = {0, 0, 0, 1, 1, 0, 1, 1}, line[] = {1, 3, 4, 2};
    static const double mixed[] = {1, 3, 4, 5}, same[] = {2, 2}, near[] = {1e6, 1e6 + 1e-3};
    assert_true(fabs(violation_of(state, xor, signs, 4, 2) - 4) < 1e-9);
    assert_true(violation_of(state, line, signs, 4, 1) == 0);
    assert_true(violation_of(state, mixed, signs, 4, 1) >= 2);
    assert_true(violation_of(state, same, pair, 2, 1) == 2);
    assert_true(violation_of(state, near, pair, 2, 1) == 0);
}

/* Points of which a third coordinate settles the class, drawn at random: what separates them is
 * found, and one that is moved to the other side costs two at least. */
static void test_separate__random_points(void **state)
{
    cairn_random random;
    cairn_random_start(&random, 3, 0);
    for (int t = 0; t < 50; t++) {
        double points[60], signs[20];
        SCOPED_SCRATCH(*state);
        for (size_t i = 0; i < 20; i++) {
            signs[i] = i % 2 ? 1 : -1;
            for (size_t j = 0; j < 3; j++) points[3 * i + j] = cairn_random_normal(&random);
            points[3 * i + 2] = signs[i] * (0.01 + fabs(points[3 * i + 2])) + points[3 * i];
        }
        assert_true(violation_of(state, points, signs, 20, 3) == 0);
        for (size_t j = 0; j < 3; j++) points[j] = (points[3 + j] + points[9 + j]) / 2;
        assert_true(violation_of(state, points, signs, 20, 3) >= 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_active_set__is_the_best_of_all_active_sets),
        context_test(test_active_set__three_points_of_which_one_is_no_support),
        context_test(test_active_set__xor_has_no_hard_margin),
        context_test(test_active_set__interval_of_the_multiplier),
        context_test(test_active_set__two_sums),
        context_test(test_simplex__is_the_best_of_all_corners),
        context_test(test_simplex__a_gain_without_end),
        context_test(test_simplex__no_solution_is_proved),
        context_test(test_separate__planes_lines_and_points_that_touch),
        context_test(test_separate__random_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
