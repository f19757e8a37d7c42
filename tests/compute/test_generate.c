/* SPDX-License-Identifier: MIT */
/* Generators: shapes, what is true about them, seeds and threads, refusals. */
#include "cairn/table.h"
#include "data/table.h"
#include "support/fail_alloc.h"
#include <math.h>

static const double *numbers(const cairn_table *t, const char *name)
{
    ptrdiff_t at = cairn_table_find(t, name);
    if (at < 0) fail_msg("there is no column %s", name);
    return cairn_table_numbers(t, (size_t)at);
}

static const int32_t *classes(const cairn_table *t)
{
    return cairn_table_codes(t, (size_t)cairn_table_find(t, "class"));
}

static void moments(const double *x, size_t n, double *mean, double *sd)
{
    double squares = 0;
    *mean = 0;
    for (size_t i = 0; i < n; i++) *mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++) squares += (x[i] - *mean) * (x[i] - *mean);
    *sd = sqrt(squares / (double)n);
}

static void test_generate__formula(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 20000 };
    cairn_table *t;
    static double noise[N];
    double mean, sd;
    assert_ok(ctx, cairn_table_generate(ctx, &t, "formula",
                                        "rows=20000,y=65*x^0.3,low=1,high=100,sd=15"));
    assert_int_equal(cairn_table_rows(t), N);
    for (size_t i = 0; i < N; i++) {
        double x = numbers(t, "x")[i], truth = numbers(t, "true")[i];
        assert_true(x >= 1 && x < 100);
        assert_true(fabs(truth - 65 * pow(x, 0.3)) < 1e-9);
        noise[i] = numbers(t, "y")[i] - truth;
    }
    moments(noise, N, &mean, &sd);
    assert_true(fabs(mean) < 0.4 && fabs(sd - 15) < 0.3);
    assert_int_equal(cairn_table_role(t, (size_t)cairn_table_find(t, "y")), CAIRN_TARGET);
    assert_int_equal(cairn_table_role(t, (size_t)cairn_table_find(t, "true")), CAIRN_IGNORED);
    cairn_table_free(t);
    assert_ok(ctx, cairn_table_generate(ctx, &t, "formula",
                                        "y=a+10*b,x=\"a,b\",design=grid,rows=12,high=2,sd=0"));
    assert_int_equal(cairn_table_rows(t), 9);
    assert_true(numbers(t, "y")[8] == 22 && numbers(t, "y")[1] == 10);
    cairn_table_free(t);
    assert_ok(ctx, cairn_table_generate(ctx, &t, "formula", "y=x^2,at=[1,2,5],sd=0,truth=no"));
    assert_int_equal(cairn_table_rows(t), 3);
    assert_true(numbers(t, "y")[2] == 25);
    assert_int_equal(cairn_table_columns(t), 2);
    cairn_table_free(t);
}

static void test_generate__clouds_have_their_moments_and_chances(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 40000 };
    cairn_table *t;
    assert_ok(ctx, cairn_table_generate(ctx, &t, "clouds",
                                        "rows=40000,means=[0,0;2,1],covariances=[1,0.5;0.5,2],"
                                        "priors=[0.8,0.2]"));
    double n[2] = {0}, sums[2][2] = {{0}}, product = 0, expected[2] = {0};
    for (size_t i = 0; i < N; i++) {
        int32_t c = classes(t)[i];
        n[c]++;
        sums[c][0] += numbers(t, "x1")[i];
        sums[c][1] += numbers(t, "x2")[i];
        if (c == 0) product += numbers(t, "x1")[i] * numbers(t, "x2")[i];
        double a = numbers(t, "p_a")[i], b = numbers(t, "p_b")[i];
        assert_true(fabs(a + b - 1) < 1e-12 && a >= 0 && b >= 0);
        expected[1] += b;
    }
    assert_true(fabs(n[1] / N - 0.2) < 0.01 && fabs(expected[1] / N - 0.2) < 0.01);
    assert_true(fabs(sums[1][0] / n[1] - 2) < 0.05 && fabs(sums[1][1] / n[1] - 1) < 0.07);
    assert_true(fabs(product / n[0] - 0.5) < 0.04);
    cairn_table_free(t);
}

static void test_generate__other_shapes(void **state)
{
    static const struct {
        const char *shape, *settings;
        size_t features, n_classes, n_columns;
    } cases[] = {{"blobs", "rows=500,features=3,classes=4", 3, 4, 8},
                 {"blobs", "rows=500,features=3,classes=30,truth=no", 3, 30, 4},
                 {"rings", "rows=500,classes=3,sd=0.1", 2, 3, 6},
                 {"moons", "rows=500", 2, 2, 3},
                 {"spirals", "rows=500,classes=3", 2, 3, 3},
                 {"xor", "rows=500,features=4,flip=0.1", 4, 2, 7},
                 {"classify", "rows=500,features=6,classes=3,informative=2", 6, 3, 10},
                 {"regress", "rows=500,features=6,informative=2", 6, 0, 8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_table *t;
        assert_ok(*state, cairn_table_generate(*state, &t, cases[i].shape, cases[i].settings));
        assert_int_equal(cairn_table_rows(t), 500);
        assert_int_equal(cairn_table_columns(t), cases[i].n_columns);
        assert_int_equal(cairn_table_role_count(t, CAIRN_FEATURE), cases[i].features);
        if (cases[i].n_classes)
            assert_int_equal(cairn_table_level_count(t, cases[i].features), cases[i].n_classes);
        cairn_table_free(t);
    }
}

static void test_generate__xor_has_the_share_of_wrong_rows(void **state)
{
    cairn_table *t;
    enum { N = 20000 };
    size_t wrong = 0;
    assert_ok(*state, cairn_table_generate(*state, &t, "xor", "rows=20000,flip=0.2"));
    for (size_t i = 0; i < N; i++) {
        int32_t right = (numbers(t, "x1")[i] > 0) != (numbers(t, "x2")[i] > 0);
        wrong += classes(t)[i] != right;
        assert_true(fabs(numbers(t, right ? "p_b" : "p_a")[i] - 0.8) < 1e-12);
    }
    assert_true(fabs((double)wrong / N - 0.2) < 0.02);
    cairn_table_free(t);
}

static void test_generate__seed_decides_and_threads_do_not(void **state)
{
    cairn_context *ctx = *state;
    static const char *const shapes[] = {"clouds", "classify", "regress", "rings"};
    for (size_t s = 0; s < 4; s++) {
        cairn_table *t[3];
        for (int i = 0; i < 3; i++) {
            cairn_context_set_threads(ctx, i == 1 ? 4 : 1);
            cairn_context_set_seed(ctx, i == 2 ? 2 : 1);
            assert_ok(ctx, cairn_table_generate(ctx, &t[i], shapes[s], "rows=20000"));
        }
        assert_true(cairn_table_hash(t[0]) == cairn_table_hash(t[1]));
        assert_true(cairn_table_hash(t[0]) != cairn_table_hash(t[2]));
        for (int i = 0; i < 3; i++) cairn_table_free(t[i]);
    }
}

static void test_generate__refusals(void **state)
{
    static const struct {
        const char *shape, *settings, *message;
    } cases[] = {{"cloud", NULL, "did you mean 'clouds'?"},
                 {"formula", NULL, "needs 'y'"},
                 {"formula", "y=zz", "no column 'zz'"},
                 {"formula", "y=x+", "'y'"},
                 {"formula", "y='a'", "gives a text"},
                 {"formula", "y=x,x=", "'x'"},
                 {"formula", "y=x,at=[1,2;3,4]", "'at' has 2 numbers per row"},
                 {"formula", "y=x,low=2", "'low' must not be above"},
                 {"clouds", "means=[0,0;1]", "row 2 has 1 numbers"},
                 {"clouds", "covariances=[1,2;2,1]", "not positive definite"},
                 {"clouds", "covariances=[1,0;1,1]", "not symmetric"},
                 {"clouds", "covariances=[1]", "is 1 by 1"},
                 {"clouds", "priors=[0.5,0.3,0.2]", "'priors' has 3 numbers"},
                 {"clouds", "priors=[1,-1]", "not positive"},
                 {"clouds", "sd=0", "'sd' above 0"},
                 {"blobs", "rows=0", "rows must be in"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_table *t = NULL;
        cairn_status status = cairn_table_generate(*state, &t, cases[i].shape, cases[i].settings);
        if (status != CAIRN_USAGE)
            fail_msg("%s %s: status %d", cases[i].shape, cases[i].settings, status);
        if (!strstr(cairn_message(*state), cases[i].message))
            fail_msg("%s %s: %s", cases[i].shape, cases[i].settings, cairn_message(*state));
    }
}

static cairn_status generate_all(cairn_context *ctx, void *data)
{
    cairn_status status;
    cairn_table *a = NULL, *b = NULL, *c = NULL;
    (void)data;
    TRY(cairn_table_generate(ctx, &a, "formula", "y=x+uniform(),rows=10"));
    TRY(cairn_table_generate(ctx, &b, "clouds", "rows=10,covariances=[1,0;0,1]"));
    TRY(cairn_table_generate(ctx, &c, "classify", "rows=10"));
done:
    cairn_table_free(a);
    cairn_table_free(b);
    cairn_table_free(c);
    return status;
}

static void test_generate__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(generate_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_generate__formula),
        context_test(test_generate__clouds_have_their_moments_and_chances),
        context_test(test_generate__other_shapes),
        context_test(test_generate__xor_has_the_share_of_wrong_rows),
        context_test(test_generate__seed_decides_and_threads_do_not),
        context_test(test_generate__refusals),
        cmocka_unit_test(test_generate__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
