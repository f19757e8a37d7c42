/* SPDX-License-Identifier: MIT */
/* Dense regions of all densities: a line by hand, both ways to a shortest tree, weights, equal
 * rows, new rows. */
#include "base/random.h"
#include "data/table.h"
#include "data/view.h"
#include "learners/cluster/hdbscan.h"
#include "support/learn.h"

static void assert_values(const fitted *f, const char *what, const double *wanted, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char name[40];
        snprintf(name, sizeof name, "%s.%zu", what, i + 1);
        assert_value(f->report, name, wanted[i], 1e-12);
    }
}

/* min-points 2: core distances are those to the nearest row. 0 1 2 and 10 11 12 14 split at
 * distance 8; in the first all leave at 1, in the second 14 leaves at 2 and the others at 1; 30
 * leaves the root at 16. Stabilities: 3 (1 - 1/8) and 3 (1 - 1/8) + (1/2 - 1/8). */
static void test_hdbscan__a_line_by_hand(void **state)
{
    static const double line[] = {0, 1, 2, 10, 11, 12, 14, 30};
    fitted f = fit_numbers(*state, "hdbscan:min-size=3,min-points=2", "x", line, 8, 1, NULL);
    assert_value(f.report, "clusters", 2, 0);
    assert_values(&f, "assign", (const double[]){1, 1, 1, 2, 2, 2, 2, 0}, 8);
    assert_values(&f, "probability", (const double[]){1, 1, 1, 1, 1, 1, 0.5, 0}, 8);
    assert_values(&f, "outlier", (const double[]){0, 0, 0, 0, 0, 0, 0.5, 1 - 1.0 / 16}, 8);
    assert_value(f.report, "node1.size", 8, 0);
    assert_value(f.report, "cluster1.stability", 3 * (1 - 0.125), 1e-12);
    assert_value(f.report, "cluster2.stability", 3 * (1 - 0.125) + 0.5 - 0.125, 1e-12);
    drop(&f);
}

static void test_hdbscan__equal_rows_are_one_cluster(void **state)
{
    static const double same[] = {4, 4, 4, 4, 4, 4};
    fitted f = fit_numbers(*state, "hdbscan:min-size=3", "x", same, 6, 1, NULL);
    assert_value(f.report, "clusters", 1, 0);
    assert_values(&f, "assign", (const double[]){1, 1, 1, 1, 1, 1}, 6);
    drop(&f);
}

/* The same line with weights in place of repeated rows. */
static void test_hdbscan__weights_are_repeated_rows(void **state)
{
    static const double rows[] = {0, 0, 0, 1, 1, 3, 9, 9, 10, 10, 10, 12, 30};
    static const double weighted[] = {0, 3, 1, 2, 3, 1, 9, 2, 10, 3, 12, 1, 30, 1};
    cairn_table *table;
    fitted f = fit_numbers(*state, "hdbscan:min-size=3", "x", rows, 13, 1, NULL), g = {0};
    assert_ok(*state, table_of(*state, &table, "x w", weighted, 7, 2));
    assert_ok(*state, learn(*state, &g.model, &g.report, table, "hdbscan:min-size=3", NULL, "w"));
    static const int which[] = {1, 4, 6, 7, 9, 12, 13};
    for (int i = 0; i < 7; i++) {
        static const char *const names[] = {"assign", "probability", "outlier"};
        for (int k = 0; k < 3; k++) {
            char ours[40], theirs[40];
            double wanted;
            snprintf(ours, sizeof ours, "%s.%d", names[k], i + 1);
            snprintf(theirs, sizeof theirs, "%s.%d", names[k], which[i]);
            assert_true(cairn_report_number(f.report, theirs, &wanted));
            assert_value(g.report, ours, wanted, 1e-12);
        }
    }
    drop(&f);
    cairn_model_free(g.model);
    cairn_report_free(g.report);
    cairn_table_free(table);
}

/* A new row in the middle of a cluster, at its edge, and far from all. */
static void test_hdbscan__new_rows(void **state)
{
    static const double line[] = {0, 1, 2, 10, 11, 12, 14, 30};
    static const double rows[] = {0.5, 13, 60};
    static const char *const wanted[] = {"1", "2", "?"};
    fitted f = fit_numbers(*state, "hdbscan:min-size=3,min-points=2", "x", line, 8, 1, NULL);
    cairn_table *table, *answer;
    assert_ok(*state, table_of(*state, &table, "x", rows, 3, 1));
    assert_ok(*state, cairn_model_predict(*state, &answer, f.model, table, false));
    for (size_t i = 0; i < 3; i++) {
        char cell[20];
        cairn_table_cell(answer, 0, i, cell, sizeof cell);
        assert_string_equal(cell, wanted[i]);
    }
    cairn_table_free(answer);
    cairn_table_free(table);
    drop(&f);
}

static int by_length(const void *a, const void *b)
{
    double x = ((const cairn_join *)a)->height, y = ((const cairn_join *)b)->height;
    return (x > y) - (x < y);
}

/* Lengths of a shortest tree are the same whichever it is: by boxes and row by row. */
static void test_hdbscan__both_trees_are_as_short(void **state)
{
    enum { N = 1500 };
    static double values[N * 2], core[N];
    static cairn_join boxes[N], rows[N];
    cairn_random random;
    cairn_table *table;
    cairn_view view;
    cairn_random_start(&random, 9, 1);
    for (size_t i = 0; i < 2 * N; i++) values[i] = (double)cairn_random_below(&random, 400) / 10;
    assert_ok(*state, table_of(*state, &table, "x y", values, N, 2));
    assert_ok(*state, cairn_view_make(*state, &view, table, cairn_all_rows(table)));
    for (int least = 1; least <= 9; least += 4)
        for (int threads = 1; threads <= 3; threads += 2) {
            cairn_density density = {0};
            cairn_context_set_threads(*state, threads);
            assert_ok(*state, cairn_density_open(*state, &density, &view, "euclidean"));
            assert_ok(*state, cairn_density_core_distances(*state, &density, least, core));
            assert_int_equal(density.search.method, CAIRN_SEARCH_KD);
            assert_ok(*state, cairn_spanning_tree(*state, &density, core, boxes));
            density.search.method = CAIRN_SEARCH_BRUTE;
            assert_ok(*state, cairn_spanning_tree(*state, &density, core, rows));
            qsort(boxes, N - 1, sizeof *boxes, by_length);
            qsort(rows, N - 1, sizeof *rows, by_length);
            for (size_t i = 0; i < N - 1; i++) assert_true(boxes[i].height == rows[i].height);
            cairn_density_clear(&density);
        }
    cairn_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_hdbscan__a_line_by_hand),
        context_test(test_hdbscan__equal_rows_are_one_cluster),
        context_test(test_hdbscan__weights_are_repeated_rows),
        context_test(test_hdbscan__new_rows),
        context_test(test_hdbscan__both_trees_are_as_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
