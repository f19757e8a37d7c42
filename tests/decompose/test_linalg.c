/* SPDX-License-Identifier: MIT */
#include "support/fail_alloc.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "kernels/products.h"
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

static uint64_t number_state = 362436069362436069u;

static double draw(void)
{
    number_state ^= number_state << 13;
    number_state ^= number_state >> 7;
    number_state ^= number_state << 17;
    return (double)(number_state >> 11) * 0x1p-53 - 0.5;
}

static void fill(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = draw();
}

static void assert_close(double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance)) fail_msg("got %.17g, wanted %.17g", got, wanted);
}

/* Rows of x'x + I, whole. */
static void make_definite(double *a, size_t n)
{
    double *x = malloc((40 * n + 1) * sizeof *x);
    fill(x, 40 * n);
    memset(a, 0, n * n * sizeof *a);
    cairn_gram_add(a, NULL, x, n, NULL, NULL, 40, n);
    for (size_t i = 0; i < n; i++) a[i * n + i] += 1;
    cairn_mirror_upper(a, n);
    free(x);
}

static void test_multiply__all_four_ways(void **state)
{
    cairn_context *ctx = *state;
    enum { M = 3, K = 5, N = 4 };
    double a[M * K], b[K * N], a_transposed[K * M], b_transposed[N * K], out[M * N];
    fill(a, M * K), fill(b, K * N);
    for (size_t i = 0; i < M; i++)
        for (size_t k = 0; k < K; k++) a_transposed[k * M + i] = a[i * K + k];
    for (size_t k = 0; k < K; k++)
        for (size_t j = 0; j < N; j++) b_transposed[j * K + k] = b[k * N + j];
    for (int way = 0; way < 4; way++) {
        cairn_transposed left = way & 1 ? CAIRN_TRANSPOSED : CAIRN_AS_IT_IS;
        cairn_transposed right = way & 2 ? CAIRN_TRANSPOSED : CAIRN_AS_IT_IS;
        assert_ok(ctx, cairn_multiply(ctx, out, left ? a_transposed : a, left,
                                      right ? b_transposed : b, right, M, K, N));
        for (size_t i = 0; i < M; i++)
            for (size_t j = 0; j < N; j++)
                assert_close(out[i * N + j], cairn_dot(a + i * K, b_transposed + j * K, K), 1e-15);
    }
    assert_ok(ctx, cairn_multiply(ctx, out, a, CAIRN_AS_IT_IS, b, CAIRN_AS_IT_IS, M, 0, N));
    assert_true(out[0] == 0 && out[M * N - 1] == 0);
}

static void test_cholesky__solves_and_inverts(void **state)
{
    cairn_context *ctx = *state;
    for (size_t n = 0; n <= 40; n += 1 + n / 4) {
        double a[1600], factor[1600], b[80], x[80], condition = -1;
        size_t pivot = 99;
        make_definite(a, n);
        memcpy(factor, a, sizeof a);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < i; j++) factor[i * n + j] = NAN; /* must not be read */
        fill(b, 2 * n);
        memcpy(x, b, sizeof b);
        assert_ok(ctx, cairn_cholesky(ctx, factor, n, &condition, &pivot));
        assert_int_equal(pivot, n);
        assert_true(condition > 0.001 && condition <= 1);
        assert_ok(ctx, cairn_cholesky_solve(ctx, factor, n, x, 2));
        for (size_t r = 0; r < 2; r++)
            for (size_t i = 0; i < n; i++)
                assert_close(cairn_dot(a + i * n, x + r * n, n), b[r * n + i], 1e-12);
        assert_ok(ctx, cairn_cholesky_inverse(ctx, factor, n));
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                assert_close(cairn_dot(a + i * n, factor + j * n, n), i == j, 1e-12);
    }
}

/* So large that products are done in parts: the factor is one, and its eigenvectors are. Once, at
 * the machine's own level; the generic one needs half a minute for that, and sanitizers more. */
static void test_linalg__large_in_parts(void **state)
{
    cairn_context *ctx = *state;
#ifdef CAIRN_SANITIZED
    bool own = false;
#else
    bool own = !getenv("CAIRN_KERNELS");
#endif
    enum { LARGE = 2600, LESS = 900, MIDDLE = 600 };
    size_t n = own ? LARGE : LESS, pivot;
    double *a = malloc(n * n * sizeof *a), *r = malloc(n * n * sizeof *a), condition;
    make_definite(a, n);
    memcpy(r, a, n * n * sizeof *a);
    assert_ok(ctx, cairn_cholesky(ctx, r, n, &condition, &pivot));
    assert_int_equal(pivot, n);
    for (size_t i = 0; i < n; i += 37)
        for (size_t j = i; j < n; j += 41) {
            double sum = 0;
            for (size_t k = 0; k <= i; k++) sum += r[k * n + i] * r[k * n + j];
            assert_close(sum, a[i * n + j], 1e-10);
        }
    n = own ? MIDDLE : MIDDLE / 2;
    double *vectors = malloc(n * n * sizeof *a), *values = malloc(n * sizeof *a);
    make_definite(a, n);
    memcpy(r, a, n * n * sizeof *a);
    assert_ok(ctx, cairn_symmetric_eigen(ctx, values, vectors, r, n));
    for (size_t i = 0; i < n; i += 13)
        for (size_t j = 0; j < n; j += 7)
            assert_close(cairn_dot(a + j * n, vectors + i * n, n), values[i] * vectors[i * n + j],
                         1e-9);
    free(a);
    free(r);
    free(vectors);
    free(values);
}

static void test_linalg__stops(void **state)
{
    cairn_context *ctx = *state;
    enum { LARGE = 700 };
    size_t n = LARGE, pivot, rank;
    double *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b),
           *values = malloc(n * sizeof *values), *right = malloc(n * n * sizeof *right), condition;
    make_definite(a, n);
    cairn_context_cancel(ctx);
    memcpy(b, a, n * n * sizeof *a);
    assert_int_equal(cairn_cholesky(ctx, b, n, &condition, &pivot), CAIRN_CANCELLED);
    memcpy(b, a, n * n * sizeof *a);
    assert_int_equal(cairn_symmetric_eigen(ctx, values, right, b, n), CAIRN_CANCELLED);
    memcpy(b, a, n * n * sizeof *a);
    assert_int_equal(cairn_symmetric_top(ctx, values, right, b, n, 3), CAIRN_CANCELLED);
    memcpy(b, a, n * n * sizeof *a);
    assert_int_equal(cairn_svd(ctx, values, a, right, b, n, n), CAIRN_CANCELLED);
    make_definite(a, n);
    fill(right, n);
    assert_int_equal(cairn_qr_least_squares(ctx, values, NULL, &rank, a, right, n, n, 0),
                     CAIRN_CANCELLED);
    make_definite(a, n);
    assert_int_equal(cairn_svd_least_squares(ctx, values, NULL, &rank, a, right, n, n, 0),
                     CAIRN_CANCELLED);
    cairn_context_resume(ctx);
    make_definite(a, n);
    assert_ok(ctx, cairn_cholesky(ctx, a, n, &condition, &pivot));
    free(a);
    free(b);
    free(values);
    free(right);
}

/* By blocks on any number of threads, with the same bits; the lower triangle is not touched. */
static void test_cholesky_factor__is_the_factor(void **state)
{
    cairn_context *ctx = *state;
    enum { LARGE = 700 };
    size_t n = LARGE, pivot;
    double *a = malloc(n * n * sizeof *a), *one = malloc(n * n * sizeof *a),
           *b = malloc(n * sizeof *b);
    double *four = malloc(n * n * sizeof *a);
    make_definite(a, n);
    fill(b, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) one[i * n + j] = four[i * n + j] = j < i ? 7 : a[i * n + j];
    cairn_context_set_threads(ctx, 1);
    assert_ok(ctx, cairn_cholesky_large(ctx, one, n, &pivot));
    assert_int_equal(pivot, n);
    cairn_context_set_threads(ctx, 4);
    assert_ok(ctx, cairn_cholesky_large(ctx, four, n, &pivot));
    assert_memory_equal(one, four, n * n * sizeof *one);
    assert_true(one[(n - 1) * n] == 7 && one[n] == 7);
    double *x = four;
    memcpy(x, b, n * sizeof *x);
    assert_ok(ctx, cairn_cholesky_solve(ctx, one, n, x, 1));
    for (size_t i = 0; i < n; i++) assert_close(cairn_dot(a + i * n, x, n), b[i], 1e-10);
    a[601 * n + 601] = -1e9;
    assert_ok(ctx, cairn_cholesky_large(ctx, a, n, &pivot));
    assert_int_equal(pivot, 601);
    free(a), free(one), free(b), free(four);
}

static void test_cholesky__names_the_pivot_of_a_matrix_that_is_not_definite(void **state)
{
    cairn_context *ctx = *state;
    double a[9] = {1, 2, 0, 2, 4, 0, 0, 0, 1}, condition;
    size_t pivot;
    assert_ok(ctx, cairn_cholesky(ctx, a, 3, &condition, &pivot));
    assert_int_equal(pivot, 1);
    assert_true(condition == 0);
    double bad[4] = {1, NAN, 0, 1};
    assert_fails(ctx, cairn_cholesky(ctx, bad, 2, &condition, &pivot), CAIRN_BAD_DATA, "finite");
}

static void test_cholesky__estimates_the_condition(void **state)
{
    cairn_context *ctx = *state;
    double a[4] = {1, 0, 0, 1e-10}, condition;
    size_t pivot;
    assert_ok(ctx, cairn_cholesky(ctx, a, 2, &condition, &pivot));
    assert_close(condition, 1e-10, 1e-14);
}

static void test_solve__finds_solutions_and_singularity(void **state)
{
    cairn_context *ctx = *state;
    double a[9] = {0, 2, 1, 1, -2, -3, -1, 1, 2}, b[3] = {-8, 0, 3}, condition;
    assert_ok(ctx, cairn_solve(ctx, a, 3, b, 1, &condition));
    assert_close(b[0], -4, 1e-14), assert_close(b[1], -5, 1e-14), assert_close(b[2], 2, 1e-14);
    assert_true(condition > 0.01);
    double singular[4] = {1, 2, 2, 4}, c[2] = {1, 1};
    assert_ok(ctx, cairn_solve(ctx, singular, 2, c, 1, &condition));
    assert_true(condition < 1e-15);
}

/* x by columns with a true solution; y = x * truth. */
static void make_problem(double *x, double *y, const double *truth, size_t n, size_t p)
{
    fill(x, n * p);
    for (size_t i = 0; i < n; i++) {
        y[i] = 0;
        for (size_t j = 0; j < p; j++) y[i] += x[j * n + i] * truth[j];
    }
}

static void test_qr__recovers_the_coefficients(void **state)
{
    cairn_context *ctx = *state;
    double x[300], y[30], truth[10], found[10];
    size_t order[10], rank;
    for (size_t p = 0; p <= 10; p++) {
        fill(truth, p);
        make_problem(x, y, truth, 30, p);
        assert_ok(ctx, cairn_qr_least_squares(ctx, found, order, &rank, x, y, 30, p, 0));
        assert_int_equal(rank, p);
        for (size_t j = 0; j < p; j++) assert_close(found[j], truth[j], 1e-12);
    }
}

static void test_qr__names_dependent_columns(void **state)
{
    cairn_context *ctx = *state;
    double x[120], y[30], truth[4] = {1, 2, 3, 0}, found[4];
    size_t order[4], rank;
    make_problem(x, y, truth, 30, 4);
    for (size_t i = 0; i < 30; i++) x[90 + i] = 0.1 * (x[i] - x[30 + i]);
    assert_ok(ctx, cairn_qr_least_squares(ctx, found, order, &rank, x, y, 30, 4, 1e-10));
    assert_int_equal(rank, 3);
    assert_int_equal(order[3], 3);
    for (size_t j = 0; j < 4; j++) assert_close(found[j], truth[j], 1e-12);
    double zeros[20] = {0}, right[10] = {1};
    assert_ok(ctx, cairn_qr_least_squares(ctx, found, NULL, &rank, zeros, right, 10, 2, 0));
    assert_true(rank == 0 && found[0] == 0 && found[1] == 0);
}

static void test_qr__adding_blocks_gives_the_gram_matrix(void **state)
{
    cairn_context *ctx = *state;
    enum { P = 6 };
    double r[P * P] = {0}, gram[P * P] = {0}, back[P * P] = {0}, x[P * 13], row[P * 13];
    for (size_t block = 0; block < 4; block++) {
        size_t n = block == 2 ? 3 : 13;
        fill(x, n * P);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < P; j++) row[i * P + j] = x[j * n + i];
        cairn_gram_add(gram, NULL, row, P, NULL, NULL, n, P);
        assert_ok(ctx, cairn_qr_add(ctx, r, x, n, P));
    }
    cairn_gram_add(back, NULL, r, P, NULL, NULL, P, P);
    for (size_t i = 0; i < P; i++) {
        for (size_t j = 0; j < i; j++) assert_true(r[i * P + j] == 0);
        for (size_t j = i; j < P; j++) assert_close(back[i * P + j], gram[i * P + j], 1e-13);
    }
}

static void test_svd__gives_the_shortest_solution(void **state)
{
    cairn_context *ctx = *state;
    double x[6] = {1, 2, 3, 1, 2, 3}, y[3] = {2, 4, 6}, found[2], values[2];
    size_t rank;
    assert_ok(ctx, cairn_svd_least_squares(ctx, found, values, &rank, x, y, 3, 2, 0));
    assert_int_equal(rank, 1);
    assert_close(found[0], 1, 1e-14), assert_close(found[1], 1, 1e-14);
    assert_close(values[0], sqrt(28), 1e-13), assert_close(values[1], 0, 1e-13);
    double wide[6] = {1, 0, 0, 1, 1, 1}, right[2] = {2, 4}, three[3]; /* 2 rows, 3 columns */
    assert_ok(ctx, cairn_svd_least_squares(ctx, three, NULL, &rank, wide, right, 2, 3, 0));
    assert_int_equal(rank, 2);
    assert_close(three[0], 0, 1e-14), assert_close(three[1], 2, 1e-14);
    assert_close(three[2], 2, 1e-14);
}

static void test_eigen__values_fall_and_vectors_fit(void **state)
{
    cairn_context *ctx = *state;
    for (size_t n = 0; n <= 40; n += 1 + n / 3) {
        double a[1600], kept[1600], values[40], vectors[1600], only[40];
        make_definite(a, n);
        memcpy(kept, a, sizeof a);
        assert_ok(ctx, cairn_symmetric_eigen(ctx, values, vectors, a, n));
        memcpy(a, kept, sizeof a);
        assert_ok(ctx, cairn_symmetric_eigen(ctx, only, NULL, a, n));
        for (size_t i = 0; i < n; i++) {
            const double *v = vectors + i * n;
            double largest = 0;
            assert_true(i == 0 || values[i] <= values[i - 1]);
            assert_close(only[i], values[i], 1e-12);
            for (size_t j = 0; j < n; j++) {
                assert_close(cairn_dot(kept + j * n, v, n), values[i] * v[j], 1e-12);
                if (fabs(v[j]) > fabs(largest)) largest = v[j];
            }
            assert_true(largest > 0);
            assert_close(cairn_dot(v, v, n), 1, 1e-13);
        }
    }
}

static void test_linalg__refuses_what_is_not_finite(void **state)
{
    cairn_context *ctx = *state;
    double bad[4] = {1, INFINITY, 1, 1}, values[2], left[4], right[4], condition;
    size_t rank;
    assert_fails(ctx, cairn_symmetric_eigen(ctx, values, NULL, bad, 2), CAIRN_BAD_DATA, "finite");
    assert_fails(ctx, cairn_cholesky(ctx, bad, 2, &condition, &rank), CAIRN_BAD_DATA, "finite");
    assert_fails(ctx, cairn_svd(ctx, values, left, right, bad, 2, 2), CAIRN_BAD_DATA, "finite");
    assert_fails(ctx, cairn_qr_least_squares(ctx, values, NULL, &rank, bad, right, 2, 2, 0),
                 CAIRN_BAD_DATA, "finite");
    assert_fails(ctx, cairn_svd_least_squares(ctx, values, NULL, &rank, bad, right, 2, 2, 0),
                 CAIRN_BAD_DATA, "finite");
}

static cairn_status everything(cairn_context *ctx, void *data)
{
    (void)data;
    cairn_status status;
    double a[9] = {4, 1, 0, 1, 3, 1, 0, 1, 2}, b[3] = {1, 2, 3}, c[3], v[9], condition, r[9] = {0};
    size_t pivot, rank;
    TRY(cairn_cholesky(ctx, memcpy(v, a, sizeof a), 3, &condition, &pivot));
    TRY(cairn_solve(ctx, memcpy(v, a, sizeof a), 3, b, 1, &condition));
    TRY(cairn_qr_add(ctx, r, memcpy(v, a, sizeof a), 3, 3));
    TRY(cairn_qr_least_squares(ctx, c, NULL, &rank, memcpy(v, a, sizeof a), b, 3, 3, 0));
    TRY(cairn_svd_least_squares(ctx, c, NULL, &rank, memcpy(v, a, sizeof a), b, 3, 3, 0));
    TRY(cairn_symmetric_eigen(ctx, c, v, a, 3));
done:
    return status;
}

static void test_linalg__survives_allocation_failures(void **state)
{
    (void)state;
    assert_survives_allocation_failures(everything, NULL);
}

/* The few vectors that are asked for, and all values, of small and of large matrices. */
static void test_eigen__top_vectors_fit(void **state)
{
    static const size_t sizes[][2] = {{3, 3}, {30, 2}, {100, 7}, {100, 90}, {150, 0}, {1, 1}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t n = sizes[s][0], k = sizes[s][1];
        double *x = malloc(2 * n * n * sizeof *x), *a = malloc(n * n * sizeof *a);
        double *copy = malloc(n * n * sizeof *copy), *values = malloc(n * sizeof *values);
        double *all = malloc(n * sizeof *all), *vectors = malloc((k + 1) * n * sizeof *vectors);
        fill(x, 2 * n * n);
        memset(a, 0, n * n * sizeof *a);
        cairn_gram_add(a, NULL, x, n, NULL, NULL, 2 * n, n);
        cairn_mirror_upper(a, n);
        memcpy(copy, a, n * n * sizeof *a);
        assert_ok(*state, cairn_symmetric_top(*state, values, vectors, copy, n, k));
        memcpy(copy, a, n * n * sizeof *a);
        assert_ok(*state, cairn_symmetric_eigen(*state, all, NULL, copy, n));
        for (size_t i = 0; i < n; i++) assert_close(values[i], all[i], 1e-11 * (1 + all[0]));
        for (size_t i = 0; i < k; i++) {
            const double *v = vectors + i * n;
            for (size_t j = 0; j < n; j++)
                assert_close(cairn_dot(a + j * n, v, n), values[i] * v[j], 1e-10 * (1 + all[0]));
            for (size_t j = 0; j <= i; j++)
                assert_close(cairn_dot(v, vectors + j * n, n), i == j, 1e-11);
        }
        free(x), free(a), free(copy), free(values), free(all), free(vectors);
    }
}

/* U S V' is the matrix again; U and V have orthogonal columns. */
static void test_svd__factors_multiply_to_the_matrix(void **state)
{
    static const size_t shapes[][2] = {{4, 3}, {3, 4}, {1, 5}, {5, 1}, {40, 25}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        size_t n = shapes[s][0], m = shapes[s][1], r = n < m ? n : m;
        double a[1000], copy[1000], left[1000], right[1000], values[40];
        fill(a, n * m);
        memcpy(copy, a, n * m * sizeof *a);
        assert_ok(*state, cairn_svd(*state, values, left, right, copy, n, m));
        for (size_t k = 1; k < r; k++) assert_true(values[k] <= values[k - 1]);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < m; j++) {
                double sum = 0;
                for (size_t k = 0; k < r; k++)
                    sum += left[i * r + k] * values[k] * right[k * m + j];
                assert_close(sum, a[i * m + j], 1e-12);
            }
        for (size_t k = 0; k < r; k++)
            for (size_t l = 0; l < r; l++)
                assert_close(cairn_dot(right + k * m, right + l * m, m), k == l, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_multiply__all_four_ways),
        context_test(test_cholesky__solves_and_inverts),
        context_test(test_cholesky_factor__is_the_factor),
        context_test(test_cholesky__names_the_pivot_of_a_matrix_that_is_not_definite),
        context_test(test_cholesky__estimates_the_condition),
        context_test(test_solve__finds_solutions_and_singularity),
        context_test(test_qr__recovers_the_coefficients),
        context_test(test_qr__names_dependent_columns),
        context_test(test_qr__adding_blocks_gives_the_gram_matrix),
        context_test(test_svd__gives_the_shortest_solution),
        context_test(test_eigen__values_fall_and_vectors_fit),
        context_test(test_eigen__top_vectors_fit),
        context_test(test_svd__factors_multiply_to_the_matrix),
        context_test(test_linalg__refuses_what_is_not_finite),
        context_test(test_linalg__large_in_parts),
        context_test(test_linalg__stops),
        cmocka_unit_test(test_linalg__survives_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
