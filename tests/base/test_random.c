/* SPDX-License-Identifier: MIT */
#include "support/unit.h"
#include "base/random.h"
#include <math.h>

/* The numbers are part of the promise "same seed, same bytes": a change must be deliberate. */
static void test_random__fixed_sequence(void **state)
{
    (void)state;
    cairn_random a, b;
    cairn_random_start(&a, 1, 0);
    cairn_random_start(&b, 1, 0);
    for (int i = 0; i < 1000; i++) assert_true(cairn_random_bits(&a) == cairn_random_bits(&b));
    /* xoshiro256++ from the state 1, 2, 3, 4: 1 + 4 = 5, turned left by 23, plus 1 */
    cairn_random known = {{1, 2, 3, 4}};
    assert_true(cairn_random_bits(&known) == (UINT64_C(5) << 23) + 1);
    assert_true(known.state[0] == (1 ^ (4 ^ 2)) && known.state[1] == (2 ^ (3 ^ 1)));
}

static void test_random__streams_differ(void **state)
{
    (void)state;
    enum { N = 64 };
    uint64_t first[N * N];
    size_t n = 0;
    for (uint64_t seed = 0; seed < N; seed++)
        for (uint64_t stream = 0; stream < N; stream++) {
            cairn_random random;
            cairn_random_start(&random, seed, stream);
            first[n++] = cairn_random_bits(&random);
        }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) assert_true(first[i] != first[j]);
}

static void test_random__uniform_moments(void **state)
{
    (void)state;
    cairn_random random;
    double sum = 0, squares = 0;
    enum { N = 200000 };
    cairn_random_start(&random, 1, 5);
    for (int i = 0; i < N; i++) {
        double u = cairn_random_uniform(&random);
        assert_true(u >= 0 && u < 1);
        sum += u;
        squares += u * u;
    }
    assert_true(fabs(sum / N - 0.5) < 4 * 0.2887 / sqrt(N));
    assert_true(fabs(squares / N - 1.0 / 3) < 4 * 0.2981 / sqrt(N));
}

static void test_random__normal_moments(void **state)
{
    (void)state;
    cairn_random random;
    double sum = 0, squares = 0, fourth = 0;
    enum { N = 200000 };
    cairn_random_start(&random, 1, 6);
    for (int i = 0; i < N; i++) {
        double z = cairn_random_normal(&random);
        sum += z;
        squares += z * z;
        fourth += z * z * z * z;
    }
    assert_true(fabs(sum / N) < 4 / sqrt(N));
    assert_true(fabs(squares / N - 1) < 4 * sqrt(2.0 / N));
    assert_true(fabs(fourth / N - 3) < 4 * sqrt(96.0 / N));
}

/* Chi-square over the values of below(n), also for an n that does not divide 2^64. */
static void test_random__below_is_even(void **state)
{
    (void)state;
    cairn_random random;
    cairn_random_start(&random, 1, 7);
    assert_true(cairn_random_below(&random, 0) == 0 && cairn_random_below(&random, 1) == 0);
    for (uint64_t n = 2; n <= 11; n++) {
        double counts[11] = {0}, chi = 0;
        for (int i = 0; i < 22000; i++) {
            uint64_t x = cairn_random_below(&random, n);
            assert_true(x < n);
            counts[x]++;
        }
        for (uint64_t v = 0; v < n; v++)
            chi += pow(counts[v] - 22000.0 / (double)n, 2) / (22000.0 / (double)n);
        assert_true(chi < (double)n + 6 * sqrt(2.0 * (double)n));
    }
    uint64_t huge = (UINT64_C(1) << 63) + 1;
    for (int i = 0; i < 1000; i++) assert_true(cairn_random_below(&random, huge) < huge);
}

static void test_random__shuffle_permutes(void **state)
{
    (void)state;
    cairn_random random;
    size_t items[100], seen[100] = {0}, first[3] = {0};
    cairn_random_start(&random, 1, 8);
    for (size_t i = 0; i < 100; i++) items[i] = i;
    cairn_random_shuffle(&random, items, 100);
    for (size_t i = 0; i < 100; i++) seen[items[i]]++;
    for (size_t i = 0; i < 100; i++) assert_int_equal(seen[i], 1);
    for (int i = 0; i < 30000; i++) { /* each of three is first equally often */
        size_t three[3] = {0, 1, 2};
        cairn_random_shuffle(&random, three, 3);
        first[three[0]]++;
    }
    for (int i = 0; i < 3; i++) assert_true(first[i] > 9600 && first[i] < 10400);
    cairn_random_shuffle(&random, items, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random__fixed_sequence),
        cmocka_unit_test(test_random__streams_differ),
        cmocka_unit_test(test_random__uniform_moments),
        cmocka_unit_test(test_random__normal_moments),
        cmocka_unit_test(test_random__below_is_even),
        cmocka_unit_test(test_random__shuffle_permutes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
