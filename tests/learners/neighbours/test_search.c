/* SPDX-License-Identifier: MIT */
/* Searches: every method finds what comparing all pairs finds, ties and all. */
#include "learners/neighbours/search.h"
#include "support/fail_alloc.h"
#include "support/learn.h"
#include "base/random.h"
#include "data/table.h"
#include "stats/edit_distance.h"

/* A fixed sequence; `grid` > 0 puts numbers on a coarse grid, so that many distances are equal. */
static double number(size_t i, int grid)
{
    double x = sin((double)i * 12.9898) * 43758.5453;
    x -= floor(x);
    return grid > 0 ? floor(x * grid) : x * 10 - 3;
}

static cairn_points points_of(cairn_context *ctx, size_t n, size_t width, size_t salt, int grid)
{
    cairn_points p = {.n = n, .width = width};
    assert_ok(ctx, NEW(ctx, &p.places, n * width));
    for (size_t i = 0; i < n * width; i++) p.places[i] = number(i + salt, grid);
    return p;
}

typedef struct pair {
    double order;
    uint32_t row;
} pair;

static int compare_pairs(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Puts one in its place among the n nearest of at most k so far; returns their number then. */
static size_t keep_near(pair *near, size_t n, size_t k, pair one)
{
    if (n == k && compare_pairs(&one, &near[k - 1]) > 0) return n;
    size_t at = n < k ? n : k - 1;
    for (; at > 0 && compare_pairs(&one, &near[at - 1]) < 0; at--) near[at] = near[at - 1];
    near[at] = one;
    return n < k ? n + 1 : k;
}

/* The slow way. */
static void assert_right(const cairn_metric *metric, const cairn_points *points,
                         const cairn_points *queries, bool own, const cairn_neighbours *found)
{
    pair *all = calloc(found->k + 1, sizeof *all);
    for (size_t q = 0; q < queries->n; q++) {
        size_t n = 0;
        for (size_t j = 0; j < points->n; j++) {
            if (own && j == q) continue;
            double order = cairn_metric_order(metric, queries, q, points, j, NULL);
            n = keep_near(all, n, found->k, (pair){order, (uint32_t)j});
        }
        assert_int_equal(n, found->k);
        assert_int_equal(found->found[q], found->k);
        for (size_t i = 0; i < found->k; i++) {
            assert_int_equal(found->rows[q * found->k + i], all[i].row);
            assert_true(found->distances[q * found->k + i] ==
                        cairn_metric_value(metric, all[i].order));
        }
    }
    free(all);
}

static void check(cairn_context *ctx, const char *distance, cairn_search_method method, size_t n,
                  size_t width, size_t k, int grid)
{
    cairn_metric metric;
    cairn_points points = points_of(ctx, n, width, 1, grid);
    cairn_points queries = points_of(ctx, 70, width, 77777, grid);
    cairn_neighbour_search search;
    cairn_neighbours found;
    assert_ok(ctx, cairn_metric_open(ctx, &metric, "'distance'", distance));
    metric.n_columns = width;
    assert_ok(ctx, cairn_search_make(ctx, &search, &metric, &points, NULL, method));
    for (int own = 0; own < 2; own++) {
        const cairn_points *asked = own ? &points : &queries;
        cairn_neighbours again;
        cairn_context_set_threads(ctx, 1);
        assert_ok(ctx, cairn_search_nearest(ctx, &search, asked, k, own, &found));
        assert_right(&metric, &points, asked, own, &found);
        cairn_context_set_threads(ctx, 3);
        assert_ok(ctx, cairn_search_nearest(ctx, &search, asked, k, own, &again));
        assert_int_equal(again.k, found.k);
        for (size_t i = 0; i < asked->n; i++) assert_int_equal(again.found[i], found.found[i]);
        for (size_t i = 0; i < asked->n * k; i++) {
            assert_int_equal(again.rows[i], found.rows[i]);
            assert_true(again.distances[i] == found.distances[i]);
        }
        cairn_neighbours_clear(&found);
        cairn_neighbours_clear(&again);
    }
    cairn_search_clear(&search);
    cairn_points_clear(&points);
    cairn_points_clear(&queries);
    cairn_metric_clear(&metric);
}

/* Points on a grid of tenths, where distances that are equal are not equal as doubles: the order is
 * that of the whole numbers behind them, of equal ones that of the rows. */
static void test_search__equal_but_for_rounding(void **state)
{
    enum { CASES = 2000, POINTS = 12, WIDTH = 2 };
    static const cairn_search_method methods[] = {CAIRN_SEARCH_BRUTE, CAIRN_SEARCH_KD,
                                                  CAIRN_SEARCH_BALL};
    cairn_random random;
    cairn_metric metric;
    cairn_random_start(&random, 12, 1);
    cairn_context_set_threads(*state, 1);
    assert_ok(*state, cairn_metric_open(*state, &metric, "--distance", "euclidean"));
    metric.n_columns = WIDTH;
    for (int c = 0; c < CASES; c++) {
        cairn_points points = points_of(*state, POINTS, WIDTH, 0, 1);
        cairn_points query = points_of(*state, 1, WIDTH, 0, 1);
        int64_t whole[POINTS + 1][WIDTH];
        pair all[POINTS];
        cairn_neighbour_search search;
        cairn_neighbours found;
        size_t k = 1 + (size_t)cairn_random_below(&random, 4);
        for (size_t i = 0; i <= POINTS; i++)
            for (size_t j = 0; j < WIDTH; j++) {
                whole[i][j] = (int64_t)cairn_random_below(&random, 9);
                (i < POINTS ? points.places + i * WIDTH : query.places)[j] =
                    (double)whole[i][j] * 0.1;
            }
        for (uint32_t i = 0; i < POINTS; i++) {
            int64_t x = whole[i][0] - whole[POINTS][0], y = whole[i][1] - whole[POINTS][1];
            all[i] = (pair){(double)(x * x + y * y), i};
        }
        qsort(all, POINTS, sizeof *all, compare_pairs);
        bool crowded = all[k].order == all[k - 1].order && k + 2 < POINTS &&
                       all[k + 2].order == all[k - 1].order; /* more equal ones than are kept */
        assert_ok(*state,
                  cairn_search_make(*state, &search, &metric, &points, NULL, methods[c % 3]));
        assert_ok(*state, cairn_search_nearest(*state, &search, &query, k, false, &found));
        for (size_t i = 0; i < k && !crowded; i++) assert_int_equal(found.rows[i], all[i].row);
        for (size_t i = 1; i < k; i++)
            assert_int_equal(found.distances[i] == found.distances[i - 1],
                             all[i].order == all[i - 1].order);
        cairn_neighbours_clear(&found);
        cairn_search_clear(&search);
        cairn_points_clear(&points);
        cairn_points_clear(&query);
    }
    cairn_metric_clear(&metric);
}

static const char *const distances[] = {"euclidean", "manhattan",       "chebyshev",
                                        "squared",   "minkowski:p=3.5", "minkowski:p=1.5"};

static void test_search__trees_find_what_brute_force_finds(void **state)
{
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++)
        for (cairn_search_method m = CAIRN_SEARCH_BRUTE; m <= CAIRN_SEARCH_BALL; m++) {
            check(*state, distances[i], m, 700, 3, 5, 0);
            check(*state, distances[i], m, 333, 2, 40, 4);
            check(*state, distances[i], m, 200, 11, 3, 0);
        }
    check(*state, "minkowski:p=0.5", CAIRN_SEARCH_KD, 500, 3, 7, 0);
}

/* Many points, many of them the same. */
static void test_search__large_trees(void **state)
{
    cairn_context *ctx = *state;
    for (int grid = 0; grid <= 30; grid += 30)
        for (cairn_search_method m = CAIRN_SEARCH_KD; m <= CAIRN_SEARCH_BALL; m++) {
            cairn_points points = points_of(ctx, 20000, 3, 5, grid);
            cairn_points queries = points_of(ctx, 30, 3, 99, grid);
            cairn_metric metric;
            cairn_neighbour_search search;
            cairn_neighbours found;
            assert_ok(ctx, cairn_metric_open(ctx, &metric, "'distance'", "euclidean"));
            assert_ok(ctx, cairn_search_make(ctx, &search, &metric, &points, NULL, m));
            assert_ok(ctx, cairn_search_nearest(ctx, &search, &queries, 6, false, &found));
            assert_right(&metric, &points, &queries, false, &found);
            cairn_neighbours_clear(&found);
            cairn_search_clear(&search);
            cairn_points_clear(&points);
            cairn_points_clear(&queries);
            cairn_metric_clear(&metric);
        }
}

/* Of 30 columns that lie near two dimensions a tree looks at few rows, of others at nearly all: a
 * probe of some of the points tells, whatever the number of threads. */
static void test_search__columns_near_few_dimensions(void **state)
{
    enum { N = 24000, WIDTH = 30 };
    cairn_context *ctx = *state;
    for (int thin = 0; thin < 2; thin++) {
        cairn_points points = points_of(ctx, N, WIDTH, 3, 0);
        cairn_metric metric;
        cairn_neighbour_search search;
        for (size_t i = 0; thin && i < N; i++)
            for (size_t t = 2; t < WIDTH; t++)
                points.places[i * WIDTH + t] =
                    sin(points.places[i * WIDTH + t % 2] * (double)(t / 2) / 10);
        assert_ok(ctx, cairn_metric_open(ctx, &metric, "'distance'", "euclidean"));
        metric.n_columns = WIDTH;
        assert_ok(ctx, cairn_search_make(ctx, &search, &metric, &points, NULL, CAIRN_SEARCH_AUTO));
        assert_int_equal(search.method, thin ? CAIRN_SEARCH_KD : CAIRN_SEARCH_BRUTE);
        assert_true(cairn_search_probes(&search));
        cairn_search_clear(&search);
        cairn_points_clear(&points);
        cairn_metric_clear(&metric);
    }
}

static void test_search__few_points(void **state)
{
    for (cairn_search_method m = CAIRN_SEARCH_BRUTE; m <= CAIRN_SEARCH_BALL; m++)
        for (size_t n = 2; n < 40; n += 5) check(*state, "euclidean", m, n, 1, n - 1, 3);
}

/* Products of matrices: wide rows, ordinary numbers, a grid with many ties, and huge offsets. */
static void test_search__products_are_exact(void **state)
{
    check(*state, "euclidean", CAIRN_SEARCH_BRUTE, 1500, 40, 5, 0);
    check(*state, "euclidean", CAIRN_SEARCH_BRUTE, 1500, 9, 30, 2);
    check(*state, "squared", CAIRN_SEARCH_BRUTE, 1100, 17, 1, 0);
}

/* Many queries round all points once, few round them block by block: the answers are the same. */
static void test_search__many_queries(void **state)
{
    cairn_context *ctx = *state;
    cairn_points points = points_of(ctx, 1200, 9, 5, 0), queries = points_of(ctx, 4200, 9, 9, 0);
    cairn_points few = {.n = 90, .width = 9, .places = queries.places};
    cairn_metric metric;
    cairn_neighbour_search search;
    cairn_neighbours found, again;
    assert_ok(ctx, cairn_metric_open(ctx, &metric, "'distance'", "euclidean"));
    assert_ok(ctx, cairn_search_make(ctx, &search, &metric, &points, NULL, CAIRN_SEARCH_BRUTE));
    assert_ok(ctx, cairn_search_nearest(ctx, &search, &queries, 4, false, &found));
    assert_ok(ctx, cairn_search_nearest(ctx, &search, &few, 4, false, &again));
    assert_right(&metric, &points, &few, false, &again);
    assert_memory_equal(found.rows, again.rows, 90 * 4 * sizeof *again.rows);
    assert_memory_equal(found.distances, again.distances, 90 * 4 * sizeof *again.distances);
    cairn_neighbours_clear(&found);
    cairn_neighbours_clear(&again);
    cairn_search_clear(&search);
    cairn_points_clear(&points);
    cairn_points_clear(&queries);
    cairn_metric_clear(&metric);
}

/* Rows that differ in digits that floats do not have. */
static void test_search__products_beyond_the_digits_of_floats(void **state)
{
    cairn_context *ctx = *state;
    cairn_metric metric;
    cairn_neighbour_search search;
    cairn_neighbours found;
    for (int kind = 0; kind < 4; kind++) {
        cairn_points points = points_of(ctx, 1500, 12, 5, 0),
                     queries = points_of(ctx, 60, 12, 9, 0);
        double factors[] = {1e-9, 1e-300, 1e140, 0}, offsets[] = {1e6, 0, 0, 3};
        for (size_t i = 0; i < points.n * 12; i++)
            points.places[i] = offsets[kind] + factors[kind] * points.places[i];
        for (size_t i = 0; i < queries.n * 12; i++)
            queries.places[i] = offsets[kind] + factors[kind] * queries.places[i];
        assert_ok(ctx, cairn_metric_open(ctx, &metric, "'distance'", "euclidean"));
        assert_ok(ctx, cairn_search_make(ctx, &search, &metric, &points, NULL, CAIRN_SEARCH_BRUTE));
        assert_ok(ctx, cairn_search_nearest(ctx, &search, &queries, 4, false, &found));
        assert_right(&metric, &points, &queries, false, &found);
        cairn_neighbours_clear(&found);
        cairn_search_clear(&search);
        cairn_points_clear(&points);
        cairn_points_clear(&queries);
        cairn_metric_clear(&metric);
    }
}

/* A query without a place finds nothing, one that is beyond all numbers is refused. */
static void test_search__odd_queries(void **state)
{
    cairn_context *ctx = *state;
    for (cairn_search_method m = CAIRN_SEARCH_BRUTE; m <= CAIRN_SEARCH_BALL; m++) {
        cairn_points points = points_of(ctx, 900, 9, 5, 0), queries = points_of(ctx, 40, 9, 9, 0);
        cairn_metric metric;
        cairn_neighbour_search search;
        cairn_neighbours found;
        queries.places[3] = NAN;
        assert_ok(ctx, cairn_metric_open(ctx, &metric, "'distance'", "euclidean"));
        assert_ok(ctx, cairn_search_make(ctx, &search, &metric, &points, NULL, m));
        assert_ok(ctx, cairn_search_nearest(ctx, &search, &queries, 3, false, &found));
        assert_int_equal(found.found[0], 0);
        assert_int_equal(found.found[1], 3);
        cairn_neighbours_clear(&found);
        queries.places[9 + 2] = m == CAIRN_SEARCH_KD ? INFINITY : 1e300;
        assert_fails(ctx, cairn_search_nearest(ctx, &search, &queries, 3, false, &found),
                     CAIRN_BAD_DATA,
                     "query 2: its euclidean distance from a training row is beyond all numbers; "
                     "rescale the columns, or leave the row out");
        cairn_search_clear(&search);
        cairn_points_clear(&points);
        cairn_points_clear(&queries);
        cairn_metric_clear(&metric);
    }
}

static void test_search__refuses_trees_where_they_mislead(void **state)
{
    cairn_context *ctx = *state;
    cairn_points points = points_of(ctx, 50, 2, 5, 0);
    cairn_metric metric;
    cairn_neighbour_search search;
    assert_ok(ctx, cairn_metric_open(ctx, &metric, "'distance'", "cosine"));
    assert_fails(ctx, cairn_search_make(ctx, &search, &metric, &points, NULL, CAIRN_SEARCH_KD),
                 CAIRN_USAGE, "method=kd cannot be used with the distance cosine");
    cairn_metric_clear(&metric);
    assert_ok(ctx, cairn_metric_open(ctx, &metric, "'distance'", "minkowski:p=0.5"));
    assert_fails(ctx, cairn_search_make(ctx, &search, &metric, &points, NULL, CAIRN_SEARCH_BALL),
                 CAIRN_USAGE, "triangle inequality");
    cairn_metric_clear(&metric);
    cairn_points_clear(&points);
}

static void assert_edits(const char *a, const char *b, size_t wanted)
{
    int32_t x[40], y[40], buffer[41];
    size_t n = strlen(a), m = strlen(b);
    for (size_t i = 0; i < n; i++) x[i] = a[i];
    for (size_t i = 0; i < m; i++) y[i] = b[i];
    assert_int_equal(cairn_edit_distance(x, n, y, m, buffer), wanted);
    assert_int_equal(cairn_edit_distance(y, m, x, n, buffer), wanted);
}

static void test_distance__edits(void **state)
{
    (void)state;
    assert_edits("kitten", "sitting", 3);
    assert_edits("", "abc", 3);
    assert_edits("flaw", "lawn", 2);
    assert_edits("same", "same", 0);
}

static cairn_status search_work(cairn_context *ctx, void *data)
{
    (void)data;
    cairn_metric metric = {0};
    cairn_points points = {.n = 400, .width = 9};
    cairn_neighbour_search search = {0};
    cairn_neighbours found = {0};
    cairn_status status;
    TRY(NEW(ctx, &points.places, 400 * 9));
    for (size_t i = 0; i < 400 * 9; i++) points.places[i] = number(i, 0);
    TRY(cairn_metric_open(ctx, &metric, "'distance'", "euclidean"));
    for (cairn_search_method m = CAIRN_SEARCH_BRUTE; m <= CAIRN_SEARCH_BALL; m++) {
        TRY(cairn_search_make(ctx, &search, &metric, &points, NULL, m));
        TRY(cairn_search_nearest(ctx, &search, &points, 3, true, &found));
        cairn_neighbours_clear(&found);
        cairn_search_clear(&search);
    }
done:
    cairn_neighbours_clear(&found);
    cairn_search_clear(&search);
    cairn_points_clear(&points);
    cairn_metric_clear(&metric);
    return status;
}

static void test_search__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(search_work, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_search__trees_find_what_brute_force_finds),
        context_test(test_search__large_trees),
        context_test(test_search__columns_near_few_dimensions),
        context_test(test_search__few_points),
        context_test(test_search__products_are_exact),
        context_test(test_search__many_queries),
        context_test(test_search__products_beyond_the_digits_of_floats),
        context_test(test_search__equal_but_for_rounding),
        context_test(test_search__odd_queries),
        context_test(test_search__refuses_trees_where_they_mislead),
        context_test(test_distance__edits),
        context_test(test_search__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
