/* SPDX-License-Identifier: MIT */
/* Factors of matrices: exact products are found again, errors fall, nothing leaks. */
#include "support/fail_alloc.h"
#include "stats/factors.h"
#include <math.h>

/* 6 people x 3 genres, weights 1 2 1, 3 genres x 4 films. */
static const double ratings[] = {1, 0, 1, 0, 0, 2, 2, 2, 0, 0, 0, 1,
                                 1, 2, 3, 2, 1, 0, 1, 1, 0, 2, 2, 3};

static cairn_factor_options options_of(cairn_factor_kind kind, size_t g)
{
    return (cairn_factor_options){
        .kind = kind, .g = g, .starts = 3, .max_iter = 2000, .tolerance = 1e-13, .seed = 1};
}

static cairn_factors find(cairn_context *ctx, const double *r, size_t n, size_t m,
                          cairn_factor_kind kind, size_t g)
{
    cairn_factors f;
    cairn_factor_options options = options_of(kind, g);
    assert_ok(ctx, cairn_factors_find(ctx, &f, r, n, m, &options));
    return f;
}

static void test_factors__svd_leaves_the_later_singular_values(void **state)
{
    cairn_factors f = find(*state, ratings, 6, 4, CAIRN_FACTORS_SVD, 0);
    assert_int_equal(f.g, 3);
    assert_int_equal(f.rank, 3);
    assert_true(f.error < 1e-24 && fabs(f.weights[0] - 6.923170419867266) < 1e-9);
    f = find(*state, ratings, 6, 4, CAIRN_FACTORS_SVD, 1);
    double left = f.singular[1] * f.singular[1] + f.singular[2] * f.singular[2];
    assert_true(fabs(f.error - left) < 1e-12);
    assert_true(f.right[0] > 0);
}

static void test_factors__nonnegative_are_not_negative_and_fit(void **state)
{
    cairn_factors f = find(*state, ratings, 6, 4, CAIRN_FACTORS_NONNEGATIVE, 3);
    cairn_factors two = find(*state, ratings, 6, 4, CAIRN_FACTORS_NONNEGATIVE, 2);
    double best = two.singular[2] * two.singular[2];
    assert_true(f.error < 1e-8 * f.total);
    assert_true(two.error >= best - 1e-12 && two.error < 4 * best && two.converged);
    for (size_t i = 0; i < 18; i++) assert_true(f.left[i] >= 0 && f.left[i] <= 1);
    for (size_t i = 0; i < 12; i++) assert_true(f.right[i] >= 0 && f.right[i] <= 1);
    for (size_t k = 1; k < 3; k++) assert_true(f.weights[k] > 0);
}

/* The three genres come out again; the one that counts double is first. */
static void test_factors__boolean_finds_the_genres(void **state)
{
    static const double right[] = {0, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 1};
    cairn_factors f = find(*state, ratings, 6, 4, CAIRN_FACTORS_BOOLEAN, 3);
    assert_true(f.error < 1e-20);
    assert_true(fabs(f.weights[0] - 2) < 1e-9 && fabs(f.weights[1] - 1) < 1e-9);
    for (size_t i = 0; i < 12; i++) assert_true(f.right[i] == right[i]);
    for (size_t i = 0; i < 18; i++) assert_true(f.left[i] == 0 || f.left[i] == 1);
}

/* A wide table with eleven parts takes the other search; its answers are 0 and 1 and it beats
 * nothing at all. */
static void test_factors__boolean_of_many_parts(void **state)
{
    enum { N = 30, M = 20 };
    double r[N * M];
    for (size_t i = 0; i < N * M; i++) r[i] = (i * 7919 % 13) % 3;
    cairn_factors f = find(*state, r, N, M, CAIRN_FACTORS_BOOLEAN, 11);
    assert_true(f.error < f.total / 2 && f.converged);
    for (size_t i = 0; i < N * 11; i++) assert_true(f.left[i] == 0 || f.left[i] == 1);
    for (size_t k = 0; k < 11; k++) assert_true(f.weights[k] >= 0);
}

/* Training rows get their own row factor back as if they were new. */
static void test_factors__of_new_rows(void **state)
{
    for (int kind = CAIRN_FACTORS_SVD; kind <= CAIRN_FACTORS_BOOLEAN; kind++) {
        cairn_factors f = find(*state, ratings, 6, 4, (cairn_factor_kind)kind, 3);
        double out[3], buffer[15];
        for (size_t i = 0; i < 6; i++) {
            double error = 0;
            cairn_factors_row(out, f.kind, ratings + 4 * i, f.weights, f.right, 3, 4, buffer);
            for (size_t j = 0; j < 4; j++) {
                double x = ratings[4 * i + j];
                for (size_t k = 0; k < 3; k++) x -= out[k] * f.weights[k] * f.right[k * 4 + j];
                error += x * x;
            }
            assert_true(error < 1e-6);
        }
    }
}

static void test_factors__given_are_judged(void **state)
{
    double left[] = {1, 0, 0, 1, 1, 1}, right[] = {1, 0, 1, 0, 1, 1}, weights[] = {1, 2};
    static const double r[] = {1, 0, 1, 0, 2, 2, 1, 2, 4};
    double *product;
    cairn_factors f = {.n = 3, .m = 3, .g = 2, .left = left, .weights = weights, .right = right};
    assert_ok(*state, cairn_factors_judge(*state, &f, &product, r));
    assert_true(product[8] == 3 && fabs(f.error - 1) < 1e-12);
    assert_int_equal(f.rank, 3);
}

static void test_factors__of_zeros(void **state)
{
    static const double zeros[6] = {0};
    for (int kind = CAIRN_FACTORS_SVD; kind <= CAIRN_FACTORS_BOOLEAN; kind++) {
        cairn_factors f = find(*state, zeros, 3, 2, (cairn_factor_kind)kind, 1);
        assert_true(f.error == 0 && f.rank == 0);
    }
}

static cairn_status find_all(cairn_context *ctx, void *data)
{
    cairn_status status = CAIRN_OK;
    for (int kind = CAIRN_FACTORS_SVD; kind <= CAIRN_FACTORS_BOOLEAN; kind++) {
        cairn_factors f;
        cairn_factor_options options = options_of((cairn_factor_kind)kind, 2);
        options.max_iter = 2;
        TRY(cairn_factors_find(ctx, &f, data, 6, 4, &options));
    }
done:
    return status;
}

static void test_factors__survive_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(find_all, (void *)ratings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_factors__svd_leaves_the_later_singular_values),
        context_test(test_factors__nonnegative_are_not_negative_and_fit),
        context_test(test_factors__boolean_finds_the_genres),
        context_test(test_factors__boolean_of_many_parts),
        context_test(test_factors__of_new_rows),
        context_test(test_factors__given_are_judged),
        context_test(test_factors__of_zeros),
        context_test(test_factors__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
