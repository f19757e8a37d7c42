/* SPDX-License-Identifier: MIT */
/* All points within a radius: every method finds what comparing all pairs finds. */
#include "learners/neighbours/search.h"
#include "support/learn.h"
#include "base/random.h"

enum { POINTS = 300, MOST_WIDTH = 9 };

typedef struct seen {
    size_t n;
    unsigned char hits[POINTS][POINTS]; /* by query and point */
} seen;

static void note(void *data, size_t query, uint32_t row, double order, int worker)
{
    seen *s = data;
    (void)worker;
    assert_true(order >= 0);
    s->hits[query][row]++;
}

static cairn_points random_points(cairn_context *ctx, cairn_random *random, size_t width,
                                  double step)
{
    cairn_points p = {.n = POINTS, .width = width};
    assert_ok(ctx, NEW(ctx, &p.places, POINTS * width));
    for (size_t i = 0; i < POINTS * width; i++)
        p.places[i] = (double)cairn_random_below(random, 12) * step;
    return p;
}

/* Numbers on a grid of tenths, so that many distances equal the radius but for rounding; whole
 * numbers say which. */
static bool is_within(const cairn_points *p, size_t i, size_t j, const char *distance, double step,
                      double radius, bool open)
{
    double squares = 0, absolutes = 0, largest = 0;
    for (size_t t = 0; t < p->width; t++) {
        double a = round(p->places[i * p->width + t] / step);
        double d = fabs(a - round(p->places[j * p->width + t] / step));
        squares += d * d;
        absolutes += d;
        largest = d > largest ? d : largest;
    }
    double whole = round(radius / step), mine = absolutes;
    if (strcmp(distance, "euclidean") == 0) mine = squares, whole *= whole;
    if (strcmp(distance, "chebyshev") == 0) mine = largest;
    return open ? mine < whole : mine <= whole;
}

static void check(cairn_context *ctx, const char *distance, cairn_search_method method,
                  size_t width, double radius, bool open)
{
    cairn_random random;
    cairn_metric metric;
    cairn_neighbour_search search;
    static seen s;
    cairn_random_start(&random, 5, width);
    cairn_points points = random_points(ctx, &random, width, 0.1);
    assert_ok(ctx, cairn_metric_open(ctx, &metric, "'distance'", distance));
    metric.n_columns = width;
    assert_ok(ctx, cairn_search_make(ctx, &search, &metric, &points, NULL, method));
    for (int threads = 1; threads <= 3; threads += 2) {
        cairn_context_set_threads(ctx, threads);
        s = (seen){0};
        assert_ok(ctx, cairn_search_within(ctx, &search, &points, NULL, POINTS,
                                           cairn_search_reach(&metric, radius, open), note, &s));
        for (size_t i = 0; i < POINTS; i++)
            for (size_t j = 0; j < POINTS; j++)
                assert_int_equal(s.hits[i][j],
                                 is_within(&points, i, j, distance, 0.1, radius, open));
    }
    cairn_search_clear(&search);
    cairn_points_clear(&points);
    cairn_metric_clear(&metric);
}

static void test_radius__all_methods_agree(void **state)
{
    static const char *const distances[] = {"euclidean", "manhattan", "chebyshev"};
    static const cairn_search_method methods[] = {CAIRN_SEARCH_BRUTE, CAIRN_SEARCH_KD,
                                                  CAIRN_SEARCH_BALL};
    for (size_t d = 0; d < 3; d++)
        for (size_t m = 0; m < 3; m++)
            for (size_t width = 1; width <= MOST_WIDTH; width += 4) {
                check(*state, distances[d], methods[m], width, 0.3, false);
                check(*state, distances[d], methods[m], width, 0.7, true);
            }
}

static void test_radius__of_some_queries(void **state)
{
    static seen s;
    static const uint32_t which[] = {3, 299, 41};
    double places[POINTS];
    cairn_metric metric;
    cairn_neighbour_search search;
    for (size_t i = 0; i < POINTS; i++) places[i] = (double)i;
    cairn_points points = {.n = POINTS, .width = 1, .places = places};
    assert_ok(*state, cairn_metric_open(*state, &metric, "'distance'", "euclidean"));
    metric.n_columns = 1;
    for (int method = CAIRN_SEARCH_BRUTE; method <= CAIRN_SEARCH_KD; method++) {
        assert_ok(*state, cairn_search_make(*state, &search, &metric, &points, NULL,
                                            (cairn_search_method)method));
        double reach = cairn_search_reach(&metric, 2, false);
        size_t all = 0;
        s = (seen){0};
        assert_ok(*state, cairn_search_within(*state, &search, &points, which, 3, reach, note, &s));
        for (size_t i = 0; i < POINTS; i++)
            for (size_t j = 0; j < POINTS; j++) all += s.hits[i][j];
        assert_int_equal(all, 5 + 3 + 5);
        assert_int_equal(s.hits[299][297], 1);
        assert_int_equal(s.hits[41][44], 0);
        cairn_search_within_one(&search, &points, 10, reach, NULL, note, &s);
        assert_int_equal(s.hits[10][12], 1);
        cairn_search_clear(&search);
    }
    cairn_metric_clear(&metric);
}

/* The largest order that still is a distance up to the radius, in either sense of "up to". */
static void test_radius__reach(void **state)
{
    cairn_metric metric;
    assert_ok(*state, cairn_metric_open(*state, &metric, "'distance'", "euclidean"));
    assert_float_equal(cairn_search_reach(&metric, 5, false), 25, 1e-9);
    assert_true(cairn_search_reach(&metric, 5, false) > 25);
    assert_true(cairn_search_reach(&metric, 5, true) < 25);
    assert_float_equal(cairn_search_reach(&metric, 5, true), 25, 1e-9);
    assert_float_equal(cairn_search_reach(NULL, 5, false), 5, 1e-9);
    assert_true(cairn_search_reach(NULL, 0, true) < 0);
    assert_true(cairn_search_reach(NULL, 0, false) == 0);
    cairn_metric_clear(&metric);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_radius__all_methods_agree),
        context_test(test_radius__of_some_queries),
        context_test(test_radius__reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
