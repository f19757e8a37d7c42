/* SPDX-License-Identifier: MIT */
/* k-medoids: the swaps of the textbook, local and global optima against brute force, starts, ties,
 * weights, given distances, levels and missing cells, samples, bad input. */
#include "base/random.h"
#include "support/fail_alloc.h"
#include "support/learn.h"

static const double five[] = {8, 44, 50, 58, 84};
static const char *const manhattan = "kmedoids:clusters=2,distance=manhattan";

static double value_of(const fitted *f, const char *name)
{
    double value = NAN;
    if (!cairn_report_number(f->report, name, &value)) fail_msg("there is no value %s", name);
    return value;
}

static size_t medoid_of(const fitted *f, size_t c)
{
    char name[40];
    snprintf(name, sizeof name, "cluster%zu.medoid", c + 1);
    return (size_t)value_of(f, name) - 1;
}

static fitted fit_five(cairn_context *ctx, const char *rest)
{
    char spec[160];
    snprintf(spec, sizeof spec, "%s,%s", manhattan, rest);
    return fit_numbers(ctx, spec, "x", five, 5, 1, NULL);
}

/* Rows in three clouds of the plane. */
static double *make_clouds(size_t n, size_t d, uint64_t seed)
{
    double *v = malloc(n * d * sizeof *v);
    cairn_random random;
    cairn_random_start(&random, seed, 0);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++)
            v[i * d + j] = cairn_random_normal(&random) + 3 * (double)(i % 3 == j % 3);
    return v;
}

static double apart(const double *v, size_t d, size_t i, size_t j)
{
    double sum = 0;
    for (size_t c = 0; c < d; c++)
        sum += (v[i * d + c] - v[j * d + c]) * (v[i * d + c] - v[j * d + c]);
    return sqrt(sum);
}

/* The cost of a set of medoids by the definition; weights may be NULL. */
static double cost_of(const double *v, size_t n, size_t d, const size_t *medoids, size_t k,
                      const double *weights)
{
    double cost = 0;
    for (size_t i = 0; i < n; i++) {
        double near = INFINITY;
        for (size_t c = 0; c < k; c++) near = fmin(near, apart(v, d, i, medoids[c]));
        cost += weights ? weights[i] * near : near;
    }
    return cost;
}

/* No swap of a medoid and another row lowers the cost. */
static void assert_no_swap(const double *v, size_t n, size_t d, const size_t *medoids, size_t k,
                           double cost)
{
    size_t set[16];
    for (size_t c = 0; c < k; c++)
        for (size_t i = 0; i < n; i++) {
            memcpy(set, medoids, k * sizeof *set);
            set[c] = i;
            assert_true(cost_of(v, n, d, set, k, NULL) >= cost * (1 - 1e-9));
        }
}

static void test_kmedoids__swaps_of_five_values(void **state)
{
    fitted f = fit_five(*state, "method=pam,init=\"1,2\"");
    assert_value(f.report, "state0.q", 60, 0);
    assert_value(f.report, "swap1.q.1.3", 78, 0);
    assert_value(f.report, "swap1.q.2.3", 48, 0);
    assert_value(f.report, "swap1.q.1.4", 68, 0);
    assert_value(f.report, "swap1.q.2.4", 48, 0);
    assert_value(f.report, "swap1.q.1.5", 56, 0);
    assert_value(f.report, "swap1.q.2.5", 96, 0);
    assert_value(f.report, "swap1.out", 2, 0);
    assert_value(f.report, "swap1.in", 3, 0);
    assert_value(f.report, "swap1.improvement", 12, 0);
    assert_value(f.report, "swap1.ties", 1, 0);
    assert_value(f.report, "swap2.stays", 48, 0);
    assert_value(f.report, "cost", 48, 0);
    assert_value(f.report, "iterations", 1, 0);
    assert_value(f.report, "cluster2.size", 4, 0);
    assert_value(f.report, "cluster2.widest", 34, 0);
    assert_value(f.report, "medoid2.x", 50, 0);
    drop(&f);
    f = fit_five(*state, "exact=yes");
    assert_value(f.report, "cost", 48, 0);
    assert_value(f.report, "exact.sets", 10, 0);
    assert_value(f.report, "exact.optima", 2, 0);
    assert_value(f.report, "set.2-5.q", 56, 0);
    drop(&f);
}

static void test_kmedoids__build_takes_the_best_row_each_time(void **state)
{
    fitted f = fit_five(*state, "method=pam,max-iter=0");
    assert_value(f.report, "build1.sum.1", 36 + 42 + 50 + 76, 0);
    assert_value(f.report, "build1.chosen", 3, 0);
    assert_value(f.report, "build2.gain.1", 42, 0);
    assert_value(f.report, "build2.gain.5", 34, 0);
    assert_value(f.report, "build2.gain.2", 6 + 6, 0);
    assert_value(f.report, "build2.chosen", 1, 0);
    assert_value(f.report, "cost", 48, 0);
    drop(&f);
}

static void test_kmedoids__alternating_takes_the_best_member(void **state)
{
    fitted f = fit_five(*state, "method=alternate,init=\"1,2\"");
    assert_value(f.report, "round1.sum.2", 60, 0);
    assert_value(f.report, "round1.sum.3", 48, 0);
    assert_value(f.report, "round1.sum.4", 48, 0);
    assert_value(f.report, "round1.medoid.2", 3, 0);
    assert_value(f.report, "cost", 48, 0);
    drop(&f);
    f = fit_five(*state, "method=alternate,given=\"1,1,1,2,2\"");
    assert_value(f.report, "state0.medoid1.x", 44, 0);
    assert_value(f.report, "state0.medoid2.x", 58, 0);
    drop(&f);
}

/* All sets of three rows of fifteen, tried here, against {exact}. */
static void test_kmedoids__exact_is_the_best_of_all_sets(void **state)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        enum { N = 15 };
        double *v = make_clouds(N, 2, seed), best = INFINITY;
        for (size_t a = 0; a < N; a++)
            for (size_t b = a + 1; b < N; b++)
                for (size_t c = b + 1; c < N; c++) {
                    size_t set[] = {a, b, c};
                    best = fmin(best, cost_of(v, N, 2, set, 3, NULL));
                }
        fitted f = fit_numbers(*state, "kmedoids:clusters=3,exact=yes", "x y", v, N, 2, NULL);
        assert_value(f.report, "cost", best, 1e-12);
        drop(&f);
        free(v);
    }
}

static void test_kmedoids__no_swap_improves_in_the_end(void **state)
{
    enum { N = 90, K = 4 };
    static const char *const specs[] = {"kmedoids:clusters=4,method=pam",
                                        "kmedoids:clusters=4,method=eager",
                                        "kmedoids:clusters=4,method=eager,init=random,starts=3",
                                        "kmedoids:clusters=4,method=pam,init=plusplus,starts=2",
                                        "kmedoids:clusters=4,method=pam,init=first"};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        double *v = make_clouds(N, 3, 11 + s);
        size_t medoids[K];
        fitted f = fit_numbers(*state, specs[s], "x y z", v, N, 3, NULL);
        for (size_t c = 0; c < K; c++) medoids[c] = medoid_of(&f, c);
        double cost = cost_of(v, N, 3, medoids, K, NULL);
        assert_value(f.report, "cost", cost, 1e-12);
        assert_no_swap(v, N, 3, medoids, K, cost);
        drop(&f);
        free(v);
    }
}

static void test_kmedoids__one_cluster_has_the_medoid_of_all(void **state)
{
    enum { N = 40 };
    double *v = make_clouds(N, 2, 3), best = INFINITY;
    for (size_t i = 0; i < N; i++) best = fmin(best, cost_of(v, N, 2, &i, 1, NULL));
    static const char *const specs[] = {"kmedoids:clusters=1", "kmedoids:clusters=1,init=first",
                                        "kmedoids:clusters=1,method=alternate,init=first",
                                        "kmedoids:clusters=1,method=eager,init=first"};
    for (size_t s = 0; s < 4; s++) {
        fitted f = fit_numbers(*state, specs[s], "x y", v, N, 2, NULL);
        assert_value(f.report, "cost", best, 1e-12);
        drop(&f);
    }
    free(v);
}

static void test_kmedoids__weights_count_as_rows(void **state)
{
    cairn_context *ctx = *state;
    static const double weighted[] = {0, 2, 1, 1, 2, 0, 9, 1, 10, 3, 14, 1};
    static const double repeated[] = {0, 0, 1, 9, 10, 10, 10, 14};
    static const char *const specs[] = {"kmedoids:clusters=2", "kmedoids:clusters=2,exact=yes",
                                        "kmedoids:clusters=2,method=eager",
                                        "kmedoids:clusters=2,method=alternate"};
    for (size_t s = 0; s < 4; s++) {
        fitted a = {0}, b = fit_numbers(ctx, specs[s], "x", repeated, 8, 1, NULL);
        assert_ok(ctx, table_of(ctx, &a.table, "x w", weighted, 6, 2));
        assert_ok(ctx, learn(ctx, &a.model, &a.report, a.table, specs[s], NULL, "w"));
        assert_value(a.report, "cost", value_of(&b, "cost"), 1e-12);
        assert_value(a.report, "cost", 1 + 1 + 4, 1e-12);
        assert_value(a.report, "medoid1.x", value_of(&b, "medoid1.x"), 0);
        assert_value(a.report, "cluster1.size", value_of(&b, "cluster1.size"), 0);
        drop(&a);
        drop(&b);
    }
}

/* A matrix of the distances of the rows gives what the rows give; its new rows are distances. */
static void test_kmedoids__given_distances_are_as_good_as_rows(void **state)
{
    enum { N = 30 };
    cairn_context *ctx = *state;
    double *v = make_clouds(N, 2, 5), matrix[N * N];
    char names[N * 5] = "";
    for (size_t i = 0; i < N; i++) {
        snprintf(names + strlen(names), sizeof names - strlen(names), "r%zu ", i + 1);
        for (size_t j = 0; j < N; j++) matrix[i * N + j] = apart(v, 2, i, j);
    }
    static const char *const specs[] = {"kmedoids:clusters=3", "kmedoids:clusters=3,method=eager",
                                        "kmedoids:clusters=3,method=alternate,init=first",
                                        "kmedoids:clusters=3,method=sample,sample-size=20"};
    for (size_t s = 0; s < 4; s++) {
        fitted a = fit_numbers(ctx, specs[s], "x y", v, N, 2, NULL), b = {0};
        assert_ok(ctx, table_of(ctx, &b.table, names, matrix, N, N));
        assert_ok(ctx, cairn_table_as(ctx, &b.table, "distances"));
        assert_ok(ctx, learn(ctx, &b.model, &b.report, b.table, specs[s], NULL, NULL));
        assert_value(b.report, "cost", value_of(&a, "cost"), 1e-12);
        cairn_table *one, *two;
        assert_ok(ctx, cairn_model_predict(ctx, &one, a.model, a.table, false));
        assert_ok(ctx, cairn_model_predict(ctx, &two, b.model, b.table, false));
        assert_memory_equal(cairn_table_codes(one, 0), cairn_table_codes(two, 0),
                            N * sizeof(int32_t));
        cairn_table_free(one);
        cairn_table_free(two);
        drop(&a);
        drop(&b);
    }
    free(v);
}

static void test_kmedoids__fewer_different_rows_than_clusters(void **state)
{
    const double same[] = {1, 1, 1, 2, 2, 2};
    static const char *const specs[] = {"kmedoids:clusters=3", "kmedoids:clusters=3,method=eager",
                                        "kmedoids:clusters=3,method=alternate",
                                        "kmedoids:clusters=3,init=plusplus",
                                        "kmedoids:clusters=3,method=sample"};
    for (size_t s = 0; s < 5; s++) {
        fitted f = fit_numbers(*state, specs[s], "x", same, 6, 1, NULL);
        assert_value(f.report, "cost", 0, 0);
        assert_value(f.report, "empty", 1, 0);
        drop(&f);
    }
    const double all[] = {7, 7, 7};
    fitted f = fit_numbers(*state, "kmedoids:clusters=3,exact=yes", "x", all, 3, 1, NULL);
    assert_value(f.report, "cost", 0, 0);
    drop(&f);
}

static void test_kmedoids__samples_are_judged_by_all_rows(void **state)
{
    enum { N = 600, K = 3 };
    double *v = make_clouds(N, 2, 21);
    size_t medoids[K];
    fitted f = fit_numbers(*state, "kmedoids:clusters=3,method=sample,samples=4,sample-size=50",
                           "x y", v, N, 2, NULL);
    fitted g = fit_numbers(*state, "kmedoids:clusters=3,method=eager", "x y", v, N, 2, NULL);
    for (size_t c = 0; c < K; c++) medoids[c] = medoid_of(&f, c);
    assert_value(f.report, "cost", cost_of(v, N, 2, medoids, K, NULL), 1e-12);
    assert_value(f.report, "sample_size", 50, 0);
    assert_true(value_of(&f, "cost") >= value_of(&g, "cost") * (1 - 1e-12));
    assert_true(value_of(&f, "cost") <= value_of(&g, "cost") * 1.1);
    for (size_t s = 1; s <= 4; s++) {
        char name[24];
        snprintf(name, sizeof name, "start%zu.cost", s);
        assert_true(value_of(&f, name) >= value_of(&f, "cost"));
    }
    drop(&f);
    drop(&g);
    free(v);
}

static void test_kmedoids__saved_model_predicts_the_same(void **state)
{
    enum { N = 200 };
    cairn_context *ctx = *state;
    double *v = make_clouds(N, 3, 2);
    fitted f = fit_numbers(ctx, "kmedoids:clusters=3,distance=manhattan", "a b c", v, N, 3, NULL);
    cairn_model *again;
    cairn_table *a, *b;
    char *bytes;
    size_t length;
    assert_ok(ctx, cairn_model_save_memory(ctx, f.model, &bytes, &length));
    assert_ok(ctx, cairn_model_load_memory(ctx, &again, "memory", bytes, length));
    assert_ok(ctx, cairn_model_predict(ctx, &a, f.model, f.table, false));
    assert_ok(ctx, cairn_model_predict(ctx, &b, again, f.table, false));
    assert_memory_equal(cairn_table_codes(a, 0), cairn_table_codes(b, 0), N * sizeof(int32_t));
    const double *reported = cairn_table_numbers(a, (size_t)cairn_table_find(a, "distance"));
    const double *next = cairn_table_numbers(a, (size_t)cairn_table_find(a, "next_distance"));
    double sum = 0;
    for (size_t i = 0; i < N; i++) {
        size_t own = medoid_of(&f, (size_t)cairn_table_codes(a, 0)[i]);
        double d = 0;
        for (size_t j = 0; j < 3; j++) d += fabs(v[i * 3 + j] - v[own * 3 + j]);
        assert_true(fabs(reported[i] - d) < 1e-12 && next[i] >= reported[i]);
        sum += reported[i];
    }
    assert_value(f.report, "cost", sum, 1e-12);
    for (size_t cut = 0; cut < length; cut += 97) {
        cairn_model *bad = NULL;
        assert_int_not_equal(cairn_model_load_memory(ctx, &bad, "memory", bytes, cut), CAIRN_OK);
    }
    cairn_table_free(a);
    cairn_table_free(b);
    cairn_model_free(again);
    cairn_string_free(bytes);
    drop(&f);
    free(v);
}

static void test_kmedoids__threads_do_not_show(void **state)
{
    enum { N = 700 };
    cairn_context *ctx = *state;
    double *v = make_clouds(N, 4, 9), costs[2], medoids[2];
    for (int t = 0; t < 2; t++) {
        cairn_context_set_threads(ctx, t ? 4 : 1);
        fitted f = fit_numbers(ctx, "kmedoids:clusters=5,method=eager,init=random,starts=2",
                               "a b c d", v, N, 4, NULL);
        costs[t] = value_of(&f, "cost");
        medoids[t] = value_of(&f, "cluster5.medoid");
        drop(&f);
    }
    assert_true(costs[0] == costs[1] && medoids[0] == medoids[1]);
    free(v);
}

static void test_kmedoids__bad_input_is_refused(void **state)
{
    static const struct {
        const char *rest, *message;
        cairn_status status;
    } bad[] = {
        {"init=buidl", "did you mean 'build'", CAIRN_USAGE},
        {"init=\"1,9\"", "9", CAIRN_BAD_DATA},
        {"init=\"1,2,3\"", "names 3 rows for 2 medoids", CAIRN_BAD_DATA},
        {"init=\"2,2\"", "row 2 is named twice", CAIRN_BAD_DATA},
        {"given=\"1,2\"", "2 cluster numbers for 5 rows", CAIRN_BAD_DATA},
        {"given=\"1,1,1,1,1\"", "no row in cluster 2", CAIRN_BAD_DATA},
        {"distance=manhatan", "manhattan", CAIRN_USAGE},
    };
    cairn_context *ctx = *state;
    cairn_table *t;
    cairn_model *m;
    cairn_report *r;
    assert_ok(ctx, table_of(ctx, &t, "x", five, 5, 1));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char spec[120];
        snprintf(spec, sizeof spec, "kmedoids:clusters=2,%s", bad[i].rest);
        assert_fails(ctx, learn(ctx, &m, &r, t, spec, NULL, NULL), bad[i].status, bad[i].message);
    }
    assert_fails(ctx, learn(ctx, &m, &r, t, "kmedoids:clusters=6", NULL, NULL), CAIRN_BAD_DATA,
                 "6 medoids cannot be found among 5 rows");
    cairn_table_free(t);
    double *v = make_clouds(400, 1, 1);
    assert_ok(ctx, table_of(ctx, &t, "x", v, 400, 1));
    assert_fails(ctx, learn(ctx, &m, &r, t, "kmedoids:clusters=9,exact=yes", NULL, NULL),
                 CAIRN_BAD_DATA, "sets of 9 medoids");
    cairn_table_free(t);
    free(v);
}

static cairn_status fit_with_little_memory(cairn_context *ctx, void *spec)
{
    static const double v[] = {0, 1, 2, 9, 10, 11};
    cairn_table *t = NULL;
    cairn_model *m = NULL;
    cairn_report *r = NULL;
    cairn_status status = table_of(ctx, &t, "x", v, 6, 1);
    if (status == CAIRN_OK) status = learn(ctx, &m, &r, t, spec, NULL, NULL);
    cairn_model_free(m);
    cairn_report_free(r);
    cairn_table_free(t);
    return status;
}

static void test_kmedoids__survives_allocation_failures(void **state)
{
    (void)state;
    char specs[][80] = {"kmedoids:clusters=2", "kmedoids:clusters=2,exact=yes",
                        "kmedoids:clusters=2,method=alternate,init=first",
                        "kmedoids:clusters=2,method=sample,sample-size=4,samples=2"};
    for (int i = 0; i < 4; i++)
        assert_survives_allocation_failures(fit_with_little_memory, specs[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_kmedoids__swaps_of_five_values),
        context_test(test_kmedoids__build_takes_the_best_row_each_time),
        context_test(test_kmedoids__alternating_takes_the_best_member),
        context_test(test_kmedoids__exact_is_the_best_of_all_sets),
        context_test(test_kmedoids__no_swap_improves_in_the_end),
        context_test(test_kmedoids__one_cluster_has_the_medoid_of_all),
        context_test(test_kmedoids__weights_count_as_rows),
        context_test(test_kmedoids__given_distances_are_as_good_as_rows),
        context_test(test_kmedoids__fewer_different_rows_than_clusters),
        context_test(test_kmedoids__samples_are_judged_by_all_rows),
        context_test(test_kmedoids__saved_model_predicts_the_same),
        context_test(test_kmedoids__threads_do_not_show),
        context_test(test_kmedoids__bad_input_is_refused),
        cmocka_unit_test(test_kmedoids__survives_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
