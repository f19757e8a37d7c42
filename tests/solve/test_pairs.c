/* SPDX-License-Identifier: MIT */
/* The pairs solver: conditions of the optimum, worked out from the matrix itself, in all forms; and
 * that memory and rows set aside do not show. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/random.h"
#include "solve/dual_rows.h"
#include "solve/constrained.h"
#include "solve/pairs.h"
#include "support/unit.h"
#include <math.h>
#include <string.h>

enum { N = 300 };

typedef struct problem {
    double x[N][2];
    float matrix[N][N];
    uint32_t columns[N];
    size_t n_columns, asked;
    double linear[2 * N], lower[2 * N], upper[2 * N], diagonal[N], beta[2 * N], rest[2 * N];
    cairn_pairs pairs;
} problem;

static cairn_status set_columns(cairn_context *ctx, void *data, const uint32_t *points, size_t n)
{
    problem *p = data;
    (void)ctx;
    memcpy(p->columns, points, n * sizeof *points);
    p->n_columns = n;
    return CAIRN_OK;
}

static cairn_status make_rows(cairn_context *ctx, void *data, const uint32_t *points, size_t m,
                              float *out, size_t stride)
{
    problem *p = data;
    (void)ctx;
    p->asked += m;
    for (size_t r = 0; r < m; r++)
        for (size_t j = 0; j < p->n_columns; j++)
            out[r * stride + j] = p->matrix[points[r]][p->columns[j]];
    return CAIRN_OK;
}

/* Points of two overlapping clouds, those of the first class first, under a Gaussian kernel. */
static void fill(problem *p, double c)
{
    cairn_random random;
    *p = (problem){0};
    cairn_random_start(&random, 7, 0);
    for (size_t i = 0; i < N; i++) {
        double y = i < N / 3 ? 1 : -1;
        for (int j = 0; j < 2; j++) p->x[i][j] = cairn_random_normal(&random) + 0.7 * y;
        p->linear[i] = y;
        p->upper[i] = y > 0 ? c : 0;
        p->lower[i] = y > 0 ? 0 : -c;
        p->diagonal[i] = 1;
    }
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            double a = p->x[i][0] - p->x[j][0], b = p->x[i][1] - p->x[j][1];
            p->matrix[i][j] = (float)cairn_exp(-(a * a + b * b) / 2);
        }
    p->pairs = (cairn_pairs){.n = N,
                             .n_points = N,
                             .tolerance = 1e-6,
                             .most = 1000000,
                             .cache = 1 << 30,
                             .shrink = true};
}

static void solve(void **state, problem *p)
{
    cairn_pairs *s = &p->pairs;
    s->linear = p->linear, s->lower = p->lower, s->upper = p->upper, s->diagonal = p->diagonal;
    s->beta = p->beta, s->rest = p->rest;
    s->rows = (cairn_pair_rows){p, set_columns, make_rows, NULL};
    assert_ok(*state, cairn_pairs_solve(*state, s));
    assert_true(s->converged && s->steps > 0);
}

/* The active set from the start of the problem, in place of what the pairs found; both agree. */
static void solve_exactly(void **state, problem *p, const double *start)
{
    cairn_ending ending;
    double value = p->pairs.value;
    cairn_wide *gram = test_malloc(sizeof(cairn_wide) * N * N);
    for (size_t i = 0; i < N * N; i++) gram[i] = p->matrix[i / N][i % N];
    memcpy(p->beta, start, p->pairs.n * sizeof *start);
    assert_ok(*state, cairn_pairs_exact(*state, &p->pairs, gram, &ending, NULL));
    assert_int_equal(ending, CAIRN_ENDING_OPTIMAL);
    assert_true(fabs(p->pairs.value - value) < 1e-3 * fmax(1, fabs(value)));
    assert_true(p->pairs.value < value + 1e-7 * fmax(1, fabs(value)));
    test_free(gram);
}

/* Largest push upwards less the smallest push downwards among variables [first, last), from the
 * matrix; the sums stay as they were. */
static double gap_of(const problem *p, size_t first, size_t last, double sum)
{
    double top = -INFINITY, bottom = INFINITY, total = 0, width = p->pairs.width;
    for (size_t v = first; v < last; v++) {
        double beta = p->beta[v], push = p->linear[v];
        for (size_t w = 0; w < p->pairs.n; w++)
            push -= p->beta[w] * (double)p->matrix[v % N][w % N];
        total += beta;
        assert_true(beta >= p->lower[v] && beta <= p->upper[v]);
        if (beta < p->upper[v]) top = fmax(top, push + (beta < 0 ? width : -width));
        if (beta > p->lower[v]) bottom = fmin(bottom, push + (beta > 0 ? -width : width));
    }
    assert_true(fabs(total - sum) < 1e-9);
    return top - bottom;
}

static void test_pairs__classes_end_at_the_optimum(void **state)
{
    static const double zeros[N];
    for (int shrink = 0; shrink < 2; shrink++) {
        problem *p = test_malloc(sizeof *p);
        fill(p, 10);
        p->pairs.shrink = shrink;
        solve(state, p);
        assert_true(gap_of(p, 0, N, 0) < 2e-6);
        solve_exactly(state, p, zeros);
        assert_true(gap_of(p, 0, N, 0) < 1e-10);
        test_free(p);
    }
}

static void test_pairs__memory_does_not_show(void **state)
{
    problem *a = test_malloc(sizeof *a), *b = test_malloc(sizeof *b);
    fill(a, 10);
    fill(b, 10);
    b->pairs.cache = 0;
    solve(state, a);
    solve(state, b);
    assert_memory_equal(a->beta, b->beta, sizeof a->beta);
    assert_true(a->asked < b->asked);
    test_free(a);
    test_free(b);
}

static void test_pairs__a_kink_at_0_is_a_tube(void **state)
{
    static const double start[N];
    problem *p = test_malloc(sizeof *p);
    size_t zeros = 0;
    fill(p, 1);
    p->pairs.width = 0.2;
    for (size_t i = 0; i < N; i++) {
        p->linear[i] = p->x[i][0] * p->x[i][1];
        p->lower[i] = -2, p->upper[i] = 2;
    }
    solve(state, p);
    assert_true(gap_of(p, 0, N, 0) < 2e-6);
    for (size_t i = 0; i < N; i++) zeros += p->beta[i] == 0;
    assert_true(zeros > N / 10 && zeros < N);
    solve_exactly(state, p, start);
    assert_true(gap_of(p, 0, N, 0) < 1e-10);
    test_free(p);
}

/* Two sums are fixed: those of the two classes. */
static void test_pairs__groups_keep_their_sums(void **state)
{
    double start[N];
    problem *p = test_malloc(sizeof *p);
    fill(p, 1);
    p->pairs.split = N / 3;
    p->pairs.tolerance = 1e-4;
    for (size_t i = 0; i < N; i++) {
        p->linear[i] = 0;
        if (i < 40) p->beta[i] = 1;
        if (i >= N - 40) p->beta[i] = -1;
    }
    memcpy(start, p->beta, sizeof start);
    solve(state, p);
    assert_true(gap_of(p, 0, N / 3, 40) < 1.1e-4);
    assert_true(gap_of(p, N / 3, N, -40) < 1.1e-4);
    assert_true(p->pairs.groups[0].middle < p->pairs.groups[1].middle);
    solve_exactly(state, p, start);
    assert_true(gap_of(p, 0, N / 3, 40) < 1e-10);
    assert_true(gap_of(p, N / 3, N, -40) < 1e-10);
    test_free(p);
}

/* Two variables for every point, as in regression with a tube whose width is found. */
static void test_pairs__two_variables_for_a_point(void **state)
{
    problem *p = test_malloc(sizeof *p);
    fill(p, 1);
    p->pairs.n = 2 * N;
    p->pairs.split = N;
    for (size_t i = 0; i < N; i++) {
        p->linear[i] = p->linear[N + i] = p->x[i][0] * p->x[i][1];
        p->lower[i] = 0, p->upper[i] = 1;
        p->lower[N + i] = -1, p->upper[N + i] = 0;
        p->beta[i] = i < 50 ? 1 : 0;
        p->beta[N + i] = i < 50 ? -1 : 0;
    }
    solve(state, p);
    assert_true(gap_of(p, 0, N, 50) < 2e-6);
    assert_true(gap_of(p, N, 2 * N, -50) < 2e-6);
    test_free(p);
}

static void test_pairs__few_steps_are_reported(void **state)
{
    problem *p = test_malloc(sizeof *p);
    fill(p, 10);
    cairn_pairs *s = &p->pairs;
    s->linear = p->linear, s->lower = p->lower, s->upper = p->upper, s->diagonal = p->diagonal;
    s->beta = p->beta, s->rest = p->rest, s->most = 5;
    s->rows = (cairn_pair_rows){p, set_columns, make_rows, NULL};
    assert_ok(*state, cairn_pairs_solve(*state, s));
    assert_true(!s->converged && s->steps == 5 && s->gap > 1e-6);
    test_free(p);
}

/* -- row after row -- */

/* Points of `fill` with a column of ones, two machines: the classes, and the other way round. */
static void test_dual_rows__ends_at_the_optimum(void **state)
{
    problem *p = test_malloc(sizeof *p);
    size_t starts[N + 1];
    int32_t items[3 * N];
    double values[3 * N], costs[N], weights[3 * CAIRN_LANES], *alphas;
    int8_t signs[N * CAIRN_LANES] = {0};
    fill(p, 1);
    for (size_t i = 0; i < N; i++) {
        costs[i] = i % 2 ? 1 : 0.5;
        starts[i] = 3 * i;
        for (int t = 0; t < 3; t++) items[3 * i + (size_t)t] = t;
        values[3 * i] = p->x[i][0], values[3 * i + 1] = p->x[i][1], values[3 * i + 2] = 1;
        signs[i * CAIRN_LANES] = (int8_t)p->linear[i];
        signs[i * CAIRN_LANES + 1] = (int8_t)-p->linear[i];
    }
    starts[N] = 3 * N;
    alphas = test_malloc(N * CAIRN_LANES * sizeof *alphas);
    for (int squared = 0; squared < 2; squared++) {
        cairn_sparse_rows rows = {N, 3, starts, items, values};
        cairn_dual_rows d = {.rows = &rows,
                             .n_lanes = 2,
                             .signs = signs,
                             .costs = costs,
                             .squared = squared,
                             .tolerance = 1e-8,
                             .most = 100000,
                             .weights = weights,
                             .alphas = alphas};
        double primal = 0, dual = 0;
        assert_ok(*state, cairn_dual_rows_solve(*state, &d, 0));
        assert_true(d.converged[0] && d.converged[1]);
        for (int t = 0; t < 3; t++) {
            double w = weights[t * CAIRN_LANES];
            primal += w * w / 2;
            dual -= w * w / 2;
            assert_true(fabs(w + weights[t * CAIRN_LANES + 1]) < 1e-12);
        }
        for (size_t i = 0; i < N; i++) {
            double score = 0;
            for (size_t t = 0; t < 3; t++) score += values[3 * i + t] * weights[t * CAIRN_LANES];
            double slack = fmax(0, 1 - p->linear[i] * score);
            primal += costs[i] * (squared ? slack * slack : slack);
            double alpha = alphas[i * CAIRN_LANES];
            dual += alpha - (squared ? alpha * alpha / (4 * costs[i]) : 0);
        }
        assert_true(fabs(primal - dual) < 1e-6 * primal);
    }
    test_free(alphas);
    test_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_pairs__classes_end_at_the_optimum),
        context_test(test_pairs__memory_does_not_show),
        context_test(test_pairs__a_kink_at_0_is_a_tube),
        context_test(test_pairs__groups_keep_their_sums),
        context_test(test_pairs__two_variables_for_a_point),
        context_test(test_pairs__few_steps_are_reported),
        context_test(test_dual_rows__ends_at_the_optimum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
