/* SPDX-License-Identifier: MIT */
/* k-means: the tables of the textbook examples, ties, starts, empty clusters, all partitions. */
#include "support/fail_alloc.h"
#include "support/learn.h"
#include <unistd.h>

static double value_of(const fitted *f, const char *name)
{
    double value = NAN;
    if (!cairn_report_number(f->report, name, &value)) fail_msg("there is no value %s", name);
    return value;
}

/* The clusters of the rows as one string of digits. */
static void assert_clusters(const fitted *f, const char *prefix, const char *wanted)
{
    for (size_t i = 0; wanted[i]; i++) {
        char name[40];
        snprintf(name, sizeof name, "%s.%zu", prefix, i + 1);
        assert_value(f->report, name, wanted[i] - '0', 0);
    }
}

static const double six[] = {1, 1, 2, 1, 2, 3, 3, 2, 4, 3, 5, 5};
static const double twelve[] = {185, 72, 170, 56, 168, 60, 179, 68, 182, 72, 188, 77,
                                180, 71, 180, 70, 183, 84, 180, 88, 180, 67, 177, 76};
static const double fifteen[] = {2, 4, 6, 3, 31, 12, 15, 16, 38, 35, 14, 21, 3, 25, 30};
static const double five[] = {8, 44, 50, 58, 84};

/* A file with centres, gone when the test ends. */
static char *centre_file(const char *text)
{
    static char path[] = "/tmp/cairn-centres-XXXXXX.csv";
    strcpy(path, "/tmp/cairn-centres-XXXXXX.csv");
    int descriptor = mkstemps(path, 4);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
    close(descriptor);
    return path;
}

static fitted fit_from(cairn_context *ctx, const char *centres, const char *rest, const char *names,
                       const double *values, size_t n, size_t d)
{
    char spec[200];
    const char *path = centre_file(centres);
    snprintf(spec, sizeof spec, "kmeans:init=%s,%s", path, rest);
    fitted f = fit_numbers(ctx, spec, names, values, n, d, NULL);
    unlink(path);
    return f;
}

static void test_kmeans__six_points_round_by_round(void **state)
{
    fitted f = fit_from(*state, "x1,x2\n2,1\n2,3\n", "clusters=2", "x1 x2", six, 6, 2);
    assert_value(f.report, "iteration1.distance.1.2", 2.23606797749979, 1e-12);
    assert_value(f.report, "iteration1.distance.4.1", 1.4142135623730951, 1e-12);
    assert_value(f.report, "iteration1.tied.4", 2, 0);
    assert_clusters(&f, "iteration1.assign", "112122");
    assert_value(f.report, "iteration1.sse", 20, 1e-12);
    assert_value(f.report, "iteration2.centre.1.x2", 4.0 / 3, 1e-12);
    assert_value(f.report, "iteration2.centre.2.x1", 11.0 / 3, 1e-12);
    assert_value(f.report, "iteration2.distance.3.2", 1.7950549357115013, 1e-12);
    assert_clusters(&f, "iteration2.assign", "111122");
    assert_value(f.report, "iteration2.sse", 9.555555555555555, 1e-12);
    assert_value(f.report, "iteration3.centre.2.x1", 4.5, 1e-12);
    assert_value(f.report, "iteration3.distance.6.2", 1.118033988749895, 1e-12);
    assert_value(f.report, "iteration3.sse", 7.25, 1e-12);
    assert_value(f.report, "iteration3.changes", 0, 0);
    assert_clusters(&f, "assign", "111122");
    assert_value(f.report, "inertia", 7.25, 1e-12);
    assert_value(f.report, "iterations", 2, 0);
    assert_value(f.report, "rounds", 3, 0);
    assert_value(f.report, "cluster1.size", 4, 0);
    assert_value(f.report, "centre2.x2", 4, 1e-12);
    assert_string_equal(cairn_report_string(f.report, "converged"), "yes");
    drop(&f);
}

static void test_kmeans__a_tie_to_the_last_centre_ends_elsewhere(void **state)
{
    fitted f = fit_from(*state, "x1,x2\n2,1\n2,3\n", "clusters=2,tie=last", "x1 x2", six, 6, 2);
    assert_clusters(&f, "assign", "112222");
    assert_value(f.report, "inertia", 10.25, 1e-12);
    assert_value(f.report, "centre1.x1", 1.5, 1e-12);
    assert_value(f.report, "centre2.x2", 3.25, 1e-12);
    drop(&f);
}

static void test_kmeans__one_column(void **state)
{
    fitted f = fit_from(*state, "x\n2\n16\n38\n", "clusters=3", "x", fifteen, 15, 1);
    assert_value(f.report, "iteration1.sse", 271, 1e-12);
    assert_value(f.report, "centre1.x", 3.6, 1e-12);
    assert_value(f.report, "centre2.x", 103.0 / 6, 1e-12);
    assert_value(f.report, "centre3.x", 33.5, 1e-12);
    assert_value(f.report, "inertia", 169.03333333333333, 1e-12);
    assert_value(f.report, "rounds", 2, 0);
    assert_clusters(&f, "assign", "111132223322123");
    drop(&f);
}

static void test_kmeans__first_rows_and_the_exact_optimum(void **state)
{
    fitted f = fit_numbers(*state, "kmeans:clusters=2,init=first", "x y", twelve, 12, 2, NULL);
    assert_value(f.report, "iteration1.sse", 729, 1e-12);
    assert_value(f.report, "iteration1.distance.9.2", 30.870698080866262, 1e-12);
    assert_value(f.report, "inertia", 526.9, 1e-12);
    assert_clusters(&f, "assign", "122111111111");
    drop(&f);
    f = fit_numbers(*state, "kmeans:clusters=2,exact=yes", "x y", twelve, 12, 2, NULL);
    assert_value(f.report, "inertia", 526.9, 1e-12);
    assert_value(f.report, "exact.partitions", 2047, 0);
    assert_value(f.report, "exact.optima", 1, 0);
    assert_value(f.report, "centre1.x", 181.4, 1e-12);
    assert_clusters(&f, "assign", "122111111111");
    drop(&f);
}

static void test_kmeans__intervals_of_the_principal_component(void **state)
{
    fitted f = fit_numbers(*state, "kmeans:clusters=2,init=pc", "x1 x2", six, 6, 2, NULL);
    assert_value(f.report, "iteration1.centre.1.x1", 2, 1e-12);
    assert_value(f.report, "iteration1.centre.1.x2", 1.75, 1e-12);
    assert_value(f.report, "iteration1.centre.2.x1", 4.5, 1e-12);
    assert_clusters(&f, "assign", "111122");
    drop(&f);
}

static void test_kmeans__given_partitions_and_stationary_points(void **state)
{
    static const char *const given[] = {"1,2,2,2,2", "1,1,2,2,2", "1,1,1,2,2", "1,1,1,1,2"};
    static const double within[] = {932, 1280, 1370, 1464};
    for (int i = 0; i < 4; i++) {
        char spec[80];
        snprintf(spec, sizeof spec, "kmeans:clusters=2,given=\"%s\"", given[i]);
        fitted f = fit_numbers(*state, spec, "x", five, 5, 1, NULL);
        assert_value(f.report, "given.within", within[i], 1e-12);
        assert_string_equal(cairn_report_string(f.report, "given.stationary"), "yes");
        assert_value(f.report, "inertia", within[i], 1e-12);
        assert_value(f.report, "iterations", 1, 0);
        assert_value(f.report, "total_ss", 3012.8, 1e-12);
        drop(&f);
    }
    fitted f = fit_numbers(*state, "kmeans:clusters=2,given=\"1,2,1,2,1\"", "x", five, 5, 1, NULL);
    assert_string_equal(cairn_report_string(f.report, "given.stationary"), "no");
    drop(&f);
    f = fit_numbers(*state, "kmeans:clusters=2,exact=yes", "x", five, 5, 1, NULL);
    assert_value(f.report, "inertia", 932, 1e-12);
    assert_clusters(&f, "assign", "12222");
    drop(&f);
}

static void test_kmeans__updates_are_counted(void **state)
{
    for (int most = 0; most < 3; most++) {
        char rest[40];
        static const double sse[] = {20, 9.555555555555555, 7.25};
        snprintf(rest, sizeof rest, "clusters=2,max_iter=%d", most);
        fitted f = fit_from(*state, "x1,x2\n2,1\n2,3\n", rest, "x1 x2", six, 6, 2);
        assert_value(f.report, "iterations", most, 0);
        assert_value(f.report, "inertia", sse[most], 1e-12);
        assert_string_equal(cairn_report_string(f.report, "converged"), most == 2 ? "yes" : "no");
        drop(&f);
    }
}

/* Three clouds far apart. */
static double *make_clouds(size_t n, size_t d)
{
    double *v = malloc(n * d * sizeof *v);
    uint64_t bits = 99;
    for (size_t i = 0; i < n * d; i++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        v[i] = (double)(bits >> 11) / 9007199254740992.0 + (double)(i / d % 3) * 5;
    }
    return v;
}

static void test_kmeans__every_start_finds_three_clouds(void **state)
{
    static const char *const inits[] = {"plusplus", "random", "mean", "pc", "partition"};
    double *v = make_clouds(300, 2);
    for (int i = 0; i < 5; i++) {
        char spec[60];
        snprintf(spec, sizeof spec, "kmeans:clusters=3,init=%s", inits[i]);
        fitted f = fit_numbers(*state, spec, "a b", v, 300, 2, NULL);
        for (int c = 1; c <= 3; c++) {
            char name[40];
            snprintf(name, sizeof name, "cluster%d.size", c);
            assert_value(f.report, name, 100, 0);
        }
        drop(&f);
    }
    free(v);
}

static void test_kmeans__the_best_start_is_kept(void **state)
{
    fitted f =
        fit_numbers(*state, "kmeans:clusters=3,init=random,starts=20", "x y", twelve, 12, 2, NULL);
    double least = INFINITY;
    for (int i = 1; i <= 20; i++) {
        char name[40];
        snprintf(name, sizeof name, "start%d.inertia", i);
        least = fmin(least, value_of(&f, name));
    }
    assert_value(f.report, "inertia", least, 0);
    drop(&f);
}

static void test_kmeans__empty_clusters(void **state)
{
    static const double v[] = {0, 1, 10, 11};
    const char *centres = "x\n0.5\n10.5\n100\n";
    fitted f = fit_from(*state, centres, "clusters=3,empty=reseed", "x", v, 4, 1);
    assert_value(f.report, "empty", 0, 0);
    assert_value(f.report, "inertia", 0.5, 1e-12);
    drop(&f);
    f = fit_from(*state, centres, "clusters=3,empty=keep", "x", v, 4, 1);
    assert_value(f.report, "empty", 1, 0);
    assert_value(f.report, "centre3.x", 100, 0);
    assert_value(f.report, "inertia", 1, 1e-12);
    drop(&f);
    f = fit_from(*state, centres, "clusters=3,empty=drop", "x", v, 4, 1);
    double none;
    assert_value(f.report, "empty", 0, 0);
    assert_false(cairn_report_number(f.report, "cluster3.size", &none));
    assert_value(f.report, "inertia", 1, 1e-12);
    drop(&f);
}

static void test_kmeans__fewer_different_rows_than_clusters(void **state)
{
    static const double v[] = {1, 1, 1, 2, 2};
    fitted f = fit_numbers(*state, "kmeans:clusters=4", "x", v, 5, 1, NULL);
    assert_value(f.report, "inertia", 0, 0);
    assert_string_equal(cairn_report_string(f.report, "converged"), "yes");
    drop(&f);
}

static void test_kmeans__weights_count_as_rows(void **state)
{
    cairn_context *ctx = *state;
    static const double weighted[] = {0, 2, 1, 1, 2, 0, 9, 1, 10, 3};
    static const double repeated[] = {0, 0, 1, 9, 10, 10, 10};
    fitted a = {0}, b = fit_from(ctx, "x\n0\n10\n", "clusters=2", "x", repeated, 7, 1);
    const char *path = centre_file("x\n0\n10\n");
    char spec[100];
    snprintf(spec, sizeof spec, "kmeans:clusters=2,init=%s", path);
    assert_ok(ctx, table_of(ctx, &a.table, "x w", weighted, 5, 2));
    assert_ok(ctx, learn(ctx, &a.model, &a.report, a.table, spec, NULL, "w"));
    unlink(path);
    assert_value(a.report, "inertia", value_of(&b, "inertia"), 1e-12);
    assert_value(a.report, "centre2.x", value_of(&b, "centre2.x"), 1e-12);
    assert_value(a.report, "cluster1.size", 3, 0);
    assert_value(a.report, "total_ss", value_of(&b, "total_ss"), 1e-12);
    drop(&a);
    drop(&b);
}

static void test_kmeans__bad_input_is_reported(void **state)
{
    cairn_context *ctx = *state;
    double v[] = {1, 2, INFINITY};
    cairn_table *t;
    cairn_model *m;
    cairn_report *r;
    assert_ok(ctx, table_of(ctx, &t, "x", v, 3, 1));
    assert_fails(ctx, learn(ctx, &m, &r, t, "kmeans:clusters=4", NULL, NULL), CAIRN_BAD_DATA,
                 "4 clusters cannot be made of 3 rows");
    assert_fails(ctx, learn(ctx, &m, &r, t, "kmeans:clusters=2", NULL, NULL), CAIRN_BAD_DATA,
                 "column 'x', row 3: inf");
    assert_fails(ctx, learn(ctx, &m, &r, t, "kmeans", NULL, NULL), CAIRN_USAGE, "clusters");
    assert_fails(ctx, learn(ctx, &m, &r, t, "kmeans:clusters=0", NULL, NULL), CAIRN_USAGE,
                 "clusters");
    cairn_table_free(t);
    assert_ok(ctx, table_of(ctx, &t, "x", five, 5, 1));
    assert_fails(ctx, learn(ctx, &m, &r, t, "kmeans:clusters=2,init=plusplsu", NULL, NULL),
                 CAIRN_USAGE, "did you mean 'plusplus'");
    assert_fails(ctx, learn(ctx, &m, &r, t, "kmeans:clusters=2,given=\"1,2\"", NULL, NULL),
                 CAIRN_BAD_DATA, "2 cluster numbers for 5 rows");
    assert_fails(ctx, learn(ctx, &m, &r, t, "kmeans:clusters=2,given=\"1,2,3,1,1\"", NULL, NULL),
                 CAIRN_BAD_DATA, "number 3");
    cairn_table_free(t);
    double *clouds = make_clouds(60, 1);
    assert_ok(ctx, table_of(ctx, &t, "x", clouds, 60, 1));
    assert_fails(ctx, learn(ctx, &m, &r, t, "kmeans:clusters=3,exact=yes", NULL, NULL),
                 CAIRN_BAD_DATA, "partitions");
    cairn_table_free(t);
    free(clouds);
}

/* Bounds only save work: same centres, same clusters, same sums, bit by bit. */
static void test_kmeans__bounds_change_nothing(void **state)
{
    static const struct {
        size_t n, d;
        const char *rest;
    } cases[] = {{5000, 3, "clusters=12,starts=2"},
                 {3000, 1, "clusters=30,starts=1,tie=last"},
                 {2000, 70, "clusters=5,starts=1"},
                 {4000, 2, "clusters=40,init=first,empty=drop"},
                 {900, 2, "clusters=3,max_iter=2"}};
    cairn_context *ctx = *state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double *v = make_clouds(cases[c].n, cases[c].d);
        char names[600] = "", spec[100];
        for (size_t j = 0; j < cases[c].d; j++) snprintf(names + strlen(names), 24, "x%zu ", j);
        if (c == 3) /* a grid: many ties */
            for (size_t i = 0; i < cases[c].n * cases[c].d; i++) v[i] = floor(v[i] * 4);
        snprintf(spec, sizeof spec, "kmeans:method=plain,%s", cases[c].rest);
        fitted plain = fit_numbers(ctx, spec, names, v, cases[c].n, cases[c].d, NULL);
        snprintf(spec, sizeof spec, "kmeans:method=bounds,%s", cases[c].rest);
        fitted bounds = fit_numbers(ctx, spec, names, v, cases[c].n, cases[c].d, NULL);
        cairn_table *a, *b;
        assert_ok(ctx, cairn_model_predict(ctx, &a, plain.model, plain.table, false));
        assert_ok(ctx, cairn_model_predict(ctx, &b, bounds.model, plain.table, false));
        assert_memory_equal(cairn_table_codes(a, 0), cairn_table_codes(b, 0), cases[c].n * 4);
        assert_value(bounds.report, "inertia", value_of(&plain, "inertia"), 0);
        assert_value(bounds.report, "iterations", value_of(&plain, "iterations"), 0);
        assert_value(bounds.report, "centre1.x0", value_of(&plain, "centre1.x0"), 0);
        assert_value(bounds.report, "cluster2.within", value_of(&plain, "cluster2.within"), 0);
        cairn_table_free(a);
        cairn_table_free(b);
        drop(&plain);
        drop(&bounds);
        free(v);
    }
}

static void test_kmeans__threads_do_not_show(void **state)
{
    enum { N = 9000, D = 3 };
    cairn_context *ctx = *state;
    double *v = make_clouds(N, D);
    char *first = NULL;
    size_t first_length = 0;
    for (int threads = 1; threads <= 4; threads *= 2) {
        char *bytes;
        size_t length;
        cairn_context_set_threads(ctx, threads);
        fitted f = fit_numbers(ctx, "kmeans:clusters=7,starts=2", "a b c", v, N, D, NULL);
        assert_ok(ctx, cairn_model_save_memory(ctx, f.model, &bytes, &length));
        drop(&f);
        if (!first) {
            first = bytes;
            first_length = length;
            continue;
        }
        assert_int_equal(length, first_length);
        assert_memory_equal(bytes, first, length);
        cairn_string_free(bytes);
    }
    cairn_string_free(first);
    free(v);
}

static void test_kmeans__saved_model_predicts_the_same(void **state)
{
    cairn_context *ctx = *state;
    double *v = make_clouds(400, 3);
    fitted f = fit_numbers(ctx, "kmeans:clusters=3", "a b c", v, 400, 3, NULL);
    cairn_model *again;
    cairn_table *a, *b;
    char *bytes;
    size_t length;
    assert_ok(ctx, cairn_model_save_memory(ctx, f.model, &bytes, &length));
    assert_ok(ctx, cairn_model_load_memory(ctx, &again, "memory", bytes, length));
    assert_ok(ctx, cairn_model_predict(ctx, &a, f.model, f.table, false));
    assert_ok(ctx, cairn_model_predict(ctx, &b, again, f.table, false));
    assert_memory_equal(cairn_table_codes(a, 0), cairn_table_codes(b, 0), 400 * sizeof(int32_t));
    ptrdiff_t at = cairn_table_find(a, "distance");
    assert_true(at > 0);
    double sum = 0;
    for (int i = 0; i < 400; i++) sum += pow(cairn_table_numbers(a, (size_t)at)[i], 2);
    assert_value(f.report, "inertia", sum, 1e-10);
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

static void test_kmeans__can_be_cancelled(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *t;
    cairn_model *m;
    cairn_report *r;
    assert_ok(ctx, table_of(ctx, &t, "x y", twelve, 12, 2));
    cairn_context_cancel(ctx);
    assert_int_equal(learn(ctx, &m, &r, t, "kmeans:clusters=2", NULL, NULL), CAIRN_CANCELLED);
    cairn_table_free(t);
}

static cairn_status fit_with_little_memory(cairn_context *ctx, void *data)
{
    cairn_table *table = NULL, *answer = NULL;
    cairn_model *model = NULL;
    cairn_report *report = NULL;
    cairn_status status = table_of(ctx, &table, "x y", twelve, 12, 2);
    if (!status) status = learn(ctx, &model, &report, table, data, NULL, NULL);
    if (!status) status = cairn_model_predict(ctx, &answer, model, table, false);
    cairn_table_free(table);
    cairn_table_free(answer);
    cairn_model_free(model);
    cairn_report_free(report);
    return status;
}

static void test_kmeans__survives_allocation_failures(void **state)
{
    (void)state;
    char specs[][60] = {"kmeans:clusters=3,starts=2", "kmeans:clusters=2,exact=yes",
                        "kmeans:clusters=2,init=pc"};
    for (int i = 0; i < 3; i++)
        assert_survives_allocation_failures(fit_with_little_memory, specs[i]);
}

/* 0.2 lies halfway between 0.1 and 0.3 whatever their last digits are, and is counted as a tie. */
static void test_kmeans__rounding_makes_no_difference_to_ties(void **state)
{
    static const double tenths[] = {0.1, 0.3, 0.2}, whole[] = {1, 3, 2};
    fitted a =
        fit_numbers(*state, "kmeans:clusters=2,init=first,max-iter=0", "x", tenths, 3, 1, NULL);
    fitted b =
        fit_numbers(*state, "kmeans:clusters=2,init=first,max-iter=0", "x", whole, 3, 1, NULL);
    assert_clusters(&a, "assign", "121");
    assert_clusters(&b, "assign", "121");
    assert_value(a.report, "tied", 1, 0);
    assert_value(b.report, "tied", 1, 0);
    assert_value(a.report, "iteration1.tied.3", 2, 0);
    drop(&a);
    a = fit_numbers(*state, "kmeans:clusters=2,init=first,max-iter=0,tie=last", "x", tenths, 3, 1,
                    NULL);
    assert_clusters(&a, "assign", "122");
    drop(&a);
    drop(&b);
}

static void test_kmeans__spherical_rows_are_directions(void **state)
{
    /* lengths differ, directions do not; the last row has none and is as near to both centres */
    static const double v[] = {1, 0, 30, 3, 0, 2, 0.1, 5, 0, 0};
    fitted f = fit_numbers(*state, "kmeans:clusters=2,form=spherical", "x y", v, 5, 2, NULL);
    double a = 30 / sqrt(909), b = 3 / sqrt(909), length = sqrt((1 + a) * (1 + a) + b * b);
    double first = 4 - 2 * length; /* Σ ‖u − c‖² = 2 n − 2 ‖Σ u‖ */
    double c = 0.1 / sqrt(25.01), d = 5 / sqrt(25.01);
    double second = 4 - 2 * sqrt(c * c + (1 + d) * (1 + d));
    bool x_first = value_of(&f, "assign.1") == 1;
    const char *along = x_first ? "centre1.x" : "centre2.x";
    assert_value(f.report, along, (1 + a) / length, 1e-12);
    assert_clusters(&f, "assign", x_first ? "11221" : "22111");
    assert_value(f.report, "inertia", first + second + 1, 1e-12);
    assert_value(f.report, "mean_cosine", 1 - (first + second + 1) / 10, 1e-12);
    drop(&f);
}

static void test_kmeans__batches_come_near_to_all_rows(void **state)
{
    double *v = make_clouds(600, 2);
    fitted all = fit_numbers(*state, "kmeans:clusters=3", "a b", v, 600, 2, NULL);
    fitted some = fit_numbers(*state, "kmeans:clusters=3,protocol=mini-batch,batch-size=50", "a b",
                              v, 600, 2, NULL);
    double least = value_of(&all, "inertia"), found = value_of(&some, "inertia");
    assert_true(found >= least * (1 - 1e-12) && found < least * 1.02);
    assert_value(some.report, "cluster1.size", 200, 0);
    assert_string_equal(cairn_report_string(some.report, "converged"), "yes");
    double rows = value_of(&some, "batch1.size.1") + value_of(&some, "batch1.size.2") +
                  value_of(&some, "batch1.size.3");
    assert_true(rows == 50);
    drop(&all);
    drop(&some);
    free(v);
}

/* Two far clouds, half of their rows first: the centres end as the means of all rows, whatever the
 * batches. */
static void test_kmeans__more_rows_move_the_centres(void **state)
{
    static const char *const protocols[] = {"batch", "online", "mini-batch,batch-size=3"};
    static const double before[] = {0, 1, 100, 103}, later[] = {2, 5, 104, 1, 105};
    cairn_context *ctx = *state;
    for (int i = 0; i < 3; i++) {
        char spec[120];
        snprintf(spec, sizeof spec, "kmeans:clusters=2,given=(1,1,2,2),protocol=%s", protocols[i]);
        fitted f = fit_numbers(ctx, spec, "x", before, 4, 1, NULL);
        bool exact = i == 0; /* elsewhere the first centres count as rows, or rows are drawn */
        cairn_table *more;
        cairn_report *report;
        assert_ok(ctx, table_of(ctx, &more, "x", later, 5, 1));
        assert_ok(ctx, cairn_model_update(ctx, f.model, more, NULL));
        assert_ok(ctx, cairn_report_new(ctx, &report));
        assert_ok(ctx, cairn_model_describe(ctx, report, f.model));
        assert_value(report, "cluster1.size", 5, 0);
        assert_value(report, "cluster2.size", 4, 0);
        if (exact) {
            assert_value(report, "centre1.x", 1.8, 1e-12);
            assert_value(report, "centre2.x", 103, 1e-12);
            assert_value(report, "cluster1.within", 14.8, 1e-12);
            assert_value(report, "cluster2.within", 14, 1e-12);
            assert_value(report, "total_ss", 28.8 + 20.0 / 9 * 101.2 * 101.2, 1e-10);
        }
        cairn_report_free(report);
        cairn_table_free(more);
        drop(&f);
    }
}

static void test_kmeans__scores_are_memberships(void **state)
{
    static const double v[] = {0, 0, 4, 4, 1, 2}; /* squares to 0 and 4: 1 and 9, 4 and 4 */
    static const double wanted[] = {1, 0, 1, 0, 0, 1, 0, 1, 0.9, 0.1, 0.5, 0.5};
    cairn_context *ctx = *state;
    fitted f = fit_from(ctx, "x\n0\n4\n", "clusters=2,max-iter=0", "x", v, 6, 1);
    cairn_table *answers;
    assert_ok(ctx, cairn_model_predict(ctx, &answers, f.model, f.table, true));
    for (size_t c = 0; c < 2; c++) {
        ptrdiff_t at = cairn_table_find(answers, c ? "p(2)" : "p(1)");
        assert_true(at > 0);
        for (size_t i = 0; i < 6; i++)
            assert_true(fabs(cairn_table_numbers(answers, (size_t)at)[i] - wanted[2 * i + c]) <
                        1e-12);
    }
    cairn_table_free(answers);
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_kmeans__six_points_round_by_round),
        context_test(test_kmeans__a_tie_to_the_last_centre_ends_elsewhere),
        context_test(test_kmeans__one_column),
        context_test(test_kmeans__first_rows_and_the_exact_optimum),
        context_test(test_kmeans__intervals_of_the_principal_component),
        context_test(test_kmeans__given_partitions_and_stationary_points),
        context_test(test_kmeans__updates_are_counted),
        context_test(test_kmeans__every_start_finds_three_clouds),
        context_test(test_kmeans__the_best_start_is_kept),
        context_test(test_kmeans__empty_clusters),
        context_test(test_kmeans__fewer_different_rows_than_clusters),
        context_test(test_kmeans__weights_count_as_rows),
        context_test(test_kmeans__bad_input_is_reported),
        context_test(test_kmeans__bounds_change_nothing),
        context_test(test_kmeans__threads_do_not_show),
        context_test(test_kmeans__saved_model_predicts_the_same),
        context_test(test_kmeans__rounding_makes_no_difference_to_ties),
        context_test(test_kmeans__spherical_rows_are_directions),
        context_test(test_kmeans__batches_come_near_to_all_rows),
        context_test(test_kmeans__more_rows_move_the_centres),
        context_test(test_kmeans__scores_are_memberships),
        context_test(test_kmeans__can_be_cancelled),
        cmocka_unit_test(test_kmeans__survives_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
