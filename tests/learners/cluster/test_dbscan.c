/* SPDX-License-Identifier: MIT */
/* Dense regions: kinds of points by hand, ties at the border, chains, and the grid against the
 * searches. */
#include "data/table.h"
#include "data/view.h"
#include "learners/cluster/dbscan.h"
#include "base/random.h"
#include "support/learn.h"

static void assert_clusters(const fitted *f, const char *wanted)
{
    for (size_t i = 0; wanted[i]; i++) {
        char name[40];
        snprintf(name, sizeof name, "assign.%zu", i + 1);
        assert_value(f->report, name, wanted[i] - '0', 0);
    }
}

static void assert_word(const fitted *f, const char *name, const char *wanted)
{
    const char *word = cairn_report_string(f->report, name);
    assert_non_null(word);
    assert_string_equal(word, wanted);
}

/* Two runs of four on a line, and between them a point that both reach: it goes to the first, also
 * when it comes before both. */
static void test_dbscan__border_between_two_goes_to_the_first(void **state)
{
    static const double line[] = {0, 1, 2, 3, 5, 7, 8, 9, 10};
    static const double transposed[] = {5, 7, 8, 9, 10, 0, 1, 2, 3};
    fitted f = fit_numbers(*state, "dbscan:eps=2,min-points=4", "x", line, 9, 1, NULL);
    assert_clusters(&f, "111112222");
    assert_word(&f, "kind.5", "border");
    assert_word(&f, "kind.4", "core");
    assert_value(f.report, "clusters", 2, 0);
    assert_value(f.report, "tied", 1, 0);
    assert_value(f.report, "second.5", 2, 0);
    double second;
    assert_false(cairn_report_number(f.report, "second.4", &second));
    drop(&f);
    f = fit_numbers(*state, "dbscan:eps=2,min-points=4", "x", transposed, 9, 1, NULL);
    assert_clusters(&f, "111112222");
    drop(&f);
}

static void test_dbscan__rules_differ_at_the_edge(void **state)
{
    static const double line[] = {0, 0.1, 0.2, 0.3, 0.4};
    fitted f = fit_numbers(*state, "dbscan:eps=0.1,min-points=3", "x", line, 5, 1, NULL);
    assert_value(f.report, "core", 3, 0);
    assert_value(f.report, "border", 2, 0);
    drop(&f);
    f = fit_numbers(*state, "dbscan:eps=0.1,min-points=3,rule=seed", "x", line, 5, 1, NULL);
    assert_value(f.report, "noise", 5, 0);
    assert_clusters(&f, "00000");
    drop(&f);
    f = fit_numbers(*state, "dbscan:eps=0.11,min-points=2,rule=seed", "x", line, 5, 1, NULL);
    assert_value(f.report, "core", 3, 0);
    drop(&f);
}

static void test_dbscan__chains(void **state)
{
    static const double line[] = {0, 1, 2, 3, 4, 9};
    fitted f = fit_numbers(*state, "dbscan:eps=1,min-points=3,query=\"2,5;2,3;5,2;2,6\"", "x", line,
                           6, 1, NULL);
    assert_word(&f, "query1.chain", "2 → 3 → 4 → 5");
    assert_value(f.report, "query1.steps", 3, 0);
    assert_word(&f, "query1.direct", "no");
    assert_word(&f, "query2.direct", "yes");
    assert_word(&f, "query3.reachable", "no"); /* from the border */
    assert_word(&f, "query4.reachable", "no");
    assert_value(f.report, "visit.1", 1, 0);
    assert_value(f.report, "visit.6", 6, 0);
    drop(&f);
}

/* A row far from all core points has no cluster, one near the edge has that of the nearest. */
static void test_dbscan__new_rows(void **state)
{
    static const double line[] = {0, 1, 2, 3, 7, 8, 9, 10};
    static const double rows[] = {-0.5, 4, 4.5, 6.1, 20};
    static const char *const wanted[] = {"1", "1", "?", "2", "?"};
    fitted f = fit_numbers(*state, "dbscan:eps=1,min-points=2", "x", line, 8, 1, NULL);
    cairn_table *table, *answer;
    assert_ok(*state, table_of(*state, &table, "x", rows, 5, 1));
    assert_ok(*state, cairn_model_predict(*state, &answer, f.model, table, false));
    for (size_t i = 0; i < 5; i++) {
        char cell[20];
        cairn_table_cell(answer, 0, i, cell, sizeof cell);
        assert_string_equal(cell, wanted[i]);
    }
    cairn_table_free(answer);
    cairn_table_free(table);
    drop(&f);
}

/* eps is not given: the distances to the third neighbour are 1 but for one row. */
static void test_dbscan__eps_at_the_bend(void **state)
{
    static const double line[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 30};
    fitted f = fit_numbers(*state, "dbscan:min-points=3", "x", line, 10, 1, NULL);
    assert_value(f.report, "eps", 2, 1e-12);
    assert_clusters(&f, "1111111110");
    drop(&f);
}

/* -- the grid -- */

static void compare_ways(cairn_context *ctx, size_t n, size_t width, int cells, double eps,
                         bool strict, bool weighted)
{
    cairn_random random;
    cairn_view view;
    cairn_table *table;
    cairn_density density = {0};
    cairn_dbscan_clusters grid = {0}, search = {0};
    double *values = malloc(n * (width + 1) * sizeof *values);
    cairn_random_start(&random, 3, n);
    for (size_t i = 0; i < n * (width + 1); i++)
        values[i] = i % (width + 1) == width
                        ? (double)(1 + cairn_random_below(&random, 3))
                        : (double)cairn_random_below(&random, (uint64_t)cells) / 10;
    assert_ok(ctx, table_of(ctx, &table, "a b c d" + 2 * (3 - width), values, n, width + 1));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "d", weighted ? CAIRN_WEIGHT : CAIRN_IGNORED));
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    assert_ok(ctx, cairn_density_open(ctx, &density, &view, "euclidean"));
    for (int least = 1; least <= 12; least += 3) {
        cairn_dbscan_options options = {.eps = eps,
                                        .min_points = least,
                                        .rule = strict ? CAIRN_DBSCAN_SEED : CAIRN_DBSCAN_USUAL};
        assert_ok(ctx, cairn_dbscan_run(ctx, &grid, &density, &options));
        options.counts = true;
        assert_ok(ctx, cairn_dbscan_run(ctx, &search, &density, &options));
        assert_int_equal(grid.n_clusters, search.n_clusters);
        assert_int_equal(grid.n_core, search.n_core);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(grid.core[i], search.core[i]);
            assert_int_equal(grid.clusters[i], search.clusters[i]);
            assert_int_equal(grid.seconds[i], search.seconds[i]);
        }
        cairn_dbscan_clusters_clear(&grid);
        cairn_dbscan_clusters_clear(&search);
    }
    cairn_density_clear(&density);
    cairn_table_free(table);
    free(values);
}

static void test_dbscan__the_grid_finds_what_searches_find(void **state)
{
    for (int threads = 1; threads <= 3; threads += 2) {
        cairn_context_set_threads(*state, threads);
        compare_ways(*state, 1500, 1, 20000, 0.7, false, false);
        compare_ways(*state, 4000, 2, 900, 0.5, false, false);
        compare_ways(*state, 4000, 2, 900, 0.5, true, false);
        compare_ways(*state, 3000, 2, 400, 0.4, false, true);
        compare_ways(*state, 3000, 3, 120, 0.6, false, false);
        compare_ways(*state, 2000, 3, 120, 1.1, true, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_dbscan__border_between_two_goes_to_the_first),
        context_test(test_dbscan__rules_differ_at_the_edge),
        context_test(test_dbscan__chains),
        context_test(test_dbscan__new_rows),
        context_test(test_dbscan__eps_at_the_bend),
        context_test(test_dbscan__the_grid_finds_what_searches_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
