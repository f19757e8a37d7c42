/* SPDX-License-Identifier: MIT */
/* Kernel k-means: both rules against sums over all pairs, starts, empty clusters, weights, a given
 * matrix, new rows. */
#include "base/random.h"
#include "support/learn.h"

static const double five[] = {0, 3, 3, 3, 3, 0, -2, -4, -4, -2};
/* Two rings around the origin, eight rows each. */
static const double rings[] = {1,    0,   0.7, 0.7, 0,    1,    -0.7, 0.7,  -1,  0,   -0.7,
                               -0.7, 0,   -1,  0.7, -0.7, 5,    0.1,  3.5,  3.6, 0,   5.1,
                               -3.6, 3.5, -5,  0.2, -3.5, -3.5, 0,    -5.2, 3.6, -3.4};

static void assert_clusters(const fitted *f, const char *prefix, const char *wanted)
{
    for (size_t i = 0; wanted[i]; i++) {
        char name[40];
        snprintf(name, sizeof name, "%s.%zu", prefix, i + 1);
        assert_value(f->report, name, wanted[i] - '0', 0);
    }
}

static double gauss(const double *a, const double *b, double gamma)
{
    double x = a[0] - b[0], y = a[1] - b[1];
    return exp(-gamma * (x * x + y * y));
}

/* The mean distance of row i to the members of cluster c of a partition, by the definition. */
static double average_distance(const double *rows, size_t n, size_t i, const char *codes, char c,
                               double gamma)
{
    double sum = 0, size = 0;
    for (size_t j = 0; j < n; j++) {
        if (codes[j] != c) continue;
        sum += sqrt(2 - 2 * gauss(rows + 2 * i, rows + 2 * j, gamma));
        size++;
    }
    return sum / size;
}

/* The squared distance of row i to the mean of cluster c, by the definition. */
static double mean_distance(const double *rows, size_t n, size_t i, const char *codes, char c,
                            double gamma)
{
    double cross = 0, within = 0, size = 0;
    for (size_t j = 0; j < n; j++) {
        if (codes[j] != c) continue;
        size++;
        cross += gauss(rows + 2 * i, rows + 2 * j, gamma);
        for (size_t l = 0; l < n; l++)
            if (codes[l] == c) within += gauss(rows + 2 * j, rows + 2 * l, gamma);
    }
    return 1 - 2 * cross / size + within / size / size;
}

static void test_kernel_kmeans__the_third_of_five_points(void **state)
{
    fitted f = fit_numbers(*state, "kernel-kmeans:clusters=2,kernel=linear,given=\"1,1,2,2,2\"",
                           "x y", five, 5, 2, NULL);
    assert_clusters(&f, "iteration0.assign", "11222");
    assert_clusters(&f, "iteration1.assign", "11122");
    assert_clusters(&f, "assign", "11122");
    assert_value(f.report, "iteration1.distance.3.1", (sqrt(18) + 3) / 2, 1e-12);
    assert_value(f.report, "iteration1.distance.3.2", (sqrt(41) + sqrt(53)) / 3, 1e-12);
    assert_value(f.report, "iterations", 2, 0);
    drop(&f);
    f = fit_numbers(*state, "kernel-kmeans:clusters=2,sigma=3,given=\"1,1,2,2,2\"", "x y", five, 5,
                    2, NULL);
    assert_clusters(&f, "assign", "11222");
    assert_value(f.report, "iterations", 1, 0);
    drop(&f);
}

static void test_kernel_kmeans__distances_are_those_of_all_pairs(void **state)
{
    const char *codes = "1212121212121212";
    for (int mean = 0; mean < 2; mean++) {
        char spec[160];
        snprintf(spec, sizeof spec,
                 "kernel-kmeans:clusters=2,gamma=0.3,assign=%s,max-iter=1,"
                 "given=\"1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2\"",
                 mean ? "mean" : "average");
        fitted f = fit_numbers(*state, spec, "x y", rings, 16, 2, NULL);
        for (size_t i = 0; i < 16; i++)
            for (char c = '1'; c <= '2'; c++) {
                char name[60];
                snprintf(name, sizeof name, "iteration1.distance.%zu.%c", i + 1, c);
                assert_value(f.report, name,
                             (mean ? mean_distance : average_distance)(rings, 16, i, codes, c, 0.3),
                             1e-12);
            }
        drop(&f);
    }
}

static void test_kernel_kmeans__linear_means_are_k_means(void **state)
{
    fitted a = fit_numbers(*state,
                           "kernel-kmeans:clusters=2,kernel=linear,assign=mean,given=\"1,2,1,2,1\"",
                           "x y", five, 5, 2, NULL);
    fitted b =
        fit_numbers(*state, "kmeans:clusters=2,given=\"1,2,1,2,1\"", "x y", five, 5, 2, NULL);
    for (size_t i = 1; i <= 5; i++) {
        char name[20];
        double value;
        snprintf(name, sizeof name, "assign.%zu", i);
        assert_true(cairn_report_number(b.report, name, &value));
        assert_value(a.report, name, value, 0);
    }
    double inertia;
    assert_true(cairn_report_number(b.report, "inertia", &inertia));
    assert_value(a.report, "cost", inertia, 1e-12);
    drop(&a);
    drop(&b);
}

static void test_kernel_kmeans__the_inner_ring_is_found(void **state)
{
    fitted f = fit_numbers(*state,
                           "kernel-kmeans:clusters=2,assign=mean,kernel=poly,"
                           "degree=2,init=plusplus",
                           "x y", rings, 16, 2, NULL);
    assert_string_equal(cairn_report_string(f.report, "converged"), "yes");
    drop(&f);
    f = fit_numbers(*state, "kernel-kmeans:clusters=2,gamma=0.5,assign=average", "x y", rings, 16,
                    2, NULL);
    double first, other;
    assert_true(cairn_report_number(f.report, "assign.1", &first));
    for (size_t i = 2; i <= 8; i++) {
        char name[20];
        snprintf(name, sizeof name, "assign.%zu", i);
        assert_value(f.report, name, first, 0);
    }
    assert_true(cairn_report_number(f.report, "assign.9", &other));
    assert_true(other != first);
    drop(&f);
}

static void test_kernel_kmeans__equal_rows_and_many_clusters(void **state)
{
    const double same[] = {1, 1, 1, 1, 1, 1, 1, 1};
    fitted f = fit_numbers(*state, "kernel-kmeans:clusters=3", "x y", same, 4, 2, NULL);
    assert_value(f.report, "cost", 0, 1e-12);
    drop(&f);
    f = fit_numbers(*state, "kernel-kmeans:clusters=3,empty=drop,assign=mean", "x y", same, 4, 2,
                    NULL);
    assert_value(f.report, "cost", 0, 1e-12);
    drop(&f);
    f = fit_numbers(*state, "kernel-kmeans:clusters=1", "x y", five, 5, 2, NULL);
    assert_clusters(&f, "assign", "11111");
    drop(&f);
}

/* A partition that moves little after its first round is mended, not summed anew. */
static void test_kernel_kmeans__mended_sums_end_as_fresh_ones(void **state)
{
    enum { N = 300 };
    double *v = malloc(2 * N * sizeof *v), cost = 0;
    char codes[N + 1] = {0};
    cairn_random random;
    cairn_random_start(&random, 7, 0);
    for (size_t i = 0; i < N; i++) {
        v[2 * i] = cairn_random_normal(&random) + 2.5 * (double)(i % 3);
        v[2 * i + 1] = cairn_random_normal(&random) + (i % 3 == 1 ? 3 : 0);
    }
    for (int mean = 0; mean < 2; mean++) {
        fitted f = fit_numbers(*state,
                               mean ? "kernel-kmeans:clusters=3,gamma=0.2,assign=mean,starts=1"
                                    : "kernel-kmeans:clusters=3,gamma=0.2,starts=1",
                               "x y", v, N, 2, NULL);
        cairn_table *answers;
        assert_string_equal(cairn_report_string(f.report, "converged"), "yes");
        assert_ok(*state, cairn_model_predict(*state, &answers, f.model, f.table, false));
        for (size_t i = 0; i < N; i++) codes[i] = (char)('1' + cairn_table_codes(answers, 0)[i]);
        cost = 0;
        for (size_t i = 0; i < N; i++) {
            double own = (mean ? mean_distance : average_distance)(v, N, i, codes, codes[i], 0.2);
            cost += own;
            for (char c = '1'; c <= '3'; c++)
                assert_true((mean ? mean_distance : average_distance)(v, N, i, codes, c, 0.2) >=
                            own - 1e-12);
        }
        assert_value(f.report, "cost", cost, 1e-10);
        cairn_table_free(answers);
        drop(&f);
    }
    free(v);
}

static void test_kernel_kmeans__weights_count_as_rows(void **state)
{
    cairn_context *ctx = *state;
    static const double weighted[] = {0, 2, 1, 1, 2, 0, 9, 1, 10, 3};
    static const double repeated[] = {0, 0, 1, 9, 10, 10, 10};
    for (int mean = 0; mean < 2; mean++) {
        char spec[120];
        const char *rule = mean ? "mean" : "average";
        fitted a = {0};
        double cost;
        snprintf(spec, sizeof spec,
                 "kernel-kmeans:clusters=2,gamma=0.1,assign=%s,given=\"1,1,2,2,1,1,1\"", rule);
        fitted b = fit_numbers(ctx, spec, "x", repeated, 7, 1, NULL);
        snprintf(spec, sizeof spec,
                 "kernel-kmeans:clusters=2,gamma=0.1,assign=%s,given=\"1,2,1,2,1\"", rule);
        assert_ok(ctx, table_of(ctx, &a.table, "x w", weighted, 5, 2));
        assert_ok(ctx, learn(ctx, &a.model, &a.report, a.table, spec, NULL, "w"));
        assert_true(cairn_report_number(b.report, "cost", &cost));
        assert_value(a.report, "cost", cost, 1e-12);
        double size;
        assert_true(cairn_report_number(b.report, "cluster1.size", &size));
        assert_value(a.report, "cluster1.size", size, 0);
        drop(&a);
        drop(&b);
    }
}

static void test_kernel_kmeans__saved_model_predicts_the_same(void **state)
{
    cairn_context *ctx = *state;
    fitted f = fit_numbers(ctx, "kernel-kmeans:clusters=2,gamma=0.3", "x y", rings, 16, 2, NULL);
    static const double asked[] = {0.1, 0.2, 4.8, 0.3, 0, -4.9};
    cairn_table *t, *a, *b;
    cairn_model *again;
    char *bytes;
    size_t length;
    assert_ok(ctx, table_of(ctx, &t, "x y", asked, 3, 2));
    assert_ok(ctx, cairn_model_save_memory(ctx, f.model, &bytes, &length));
    assert_ok(ctx, cairn_model_load_memory(ctx, &again, "memory", bytes, length));
    assert_ok(ctx, cairn_model_predict(ctx, &a, f.model, t, false));
    assert_ok(ctx, cairn_model_predict(ctx, &b, again, t, false));
    assert_memory_equal(cairn_table_codes(a, 0), cairn_table_codes(b, 0), 3 * sizeof(int32_t));
    char codes[17] = {0};
    for (size_t i = 0; i < 16; i++) {
        char name[20];
        double value;
        snprintf(name, sizeof name, "assign.%zu", i + 1);
        assert_true(cairn_report_number(f.report, name, &value));
        codes[i] = (char)('0' + (int)value);
    }
    double rows[34];
    memcpy(rows, rings, sizeof rings);
    for (size_t q = 0; q < 3; q++) {
        memcpy(rows + 32, asked + 2 * q, 2 * sizeof *asked);
        double one = average_distance(rows, 16, 16, codes, '1', 0.3);
        double two = average_distance(rows, 16, 16, codes, '2', 0.3);
        assert_int_equal(cairn_table_codes(a, 0)[q], two < one);
        double reported = cairn_table_numbers(a, (size_t)cairn_table_find(a, "distance"))[q];
        assert_true(fabs(reported - fmin(one, two)) < 1e-12);
    }
    cairn_table_free(t);
    cairn_table_free(a);
    cairn_table_free(b);
    cairn_model_free(again);
    cairn_string_free(bytes);
    drop(&f);
}

static void test_kernel_kmeans__bad_input_is_refused(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t;
    cairn_model *m;
    cairn_report *r;
    assert_ok(ctx, table_of(ctx, &t, "x y", five, 5, 2));
    assert_fails(ctx, learn(ctx, &m, &r, t, "kernel-kmeans:clusters=6", NULL, NULL), CAIRN_BAD_DATA,
                 "6 clusters cannot be made of 5 rows");
    assert_fails(ctx,
                 learn(ctx, &m, &r, t, "kernel-kmeans:clusters=2,given=\"1,1,1,1,1\"", NULL, NULL),
                 CAIRN_BAD_DATA, "puts no row in cluster 2");
    assert_fails(ctx, learn(ctx, &m, &r, t, "kernel-kmeans:clusters=2,given=\"1,2\"", NULL, NULL),
                 CAIRN_BAD_DATA, "2 cluster numbers for 5 rows");
    assert_fails(ctx,
                 learn(ctx, &m, &r, t, "kernel-kmeans:clusters=2,kernel=poly,degree=90,factor=1e9",
                       NULL, NULL),
                 CAIRN_BAD_DATA, "overflows for row");
    cairn_table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_kernel_kmeans__the_third_of_five_points),
        context_test(test_kernel_kmeans__distances_are_those_of_all_pairs),
        context_test(test_kernel_kmeans__linear_means_are_k_means),
        context_test(test_kernel_kmeans__the_inner_ring_is_found),
        context_test(test_kernel_kmeans__equal_rows_and_many_clusters),
        context_test(test_kernel_kmeans__mended_sums_end_as_fresh_ones),
        context_test(test_kernel_kmeans__weights_count_as_rows),
        context_test(test_kernel_kmeans__saved_model_predicts_the_same),
        context_test(test_kernel_kmeans__bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
