/* SPDX-License-Identifier: MIT */
/* Agglomerative trees against the plain method, which looks at all pairs for every merge: all
 * linkages, tables with many ties, weights, matrices of distances, both directions of ties. */
#include "support/learn.h"
#include "base/memory.h"
#include "base/random.h"
#include "data/shape.h"
#include "learners/cluster/hierarchy.h"

enum { MOST = 180, COLUMNS = 2 };

/* -- the plain method -- */

typedef struct plain {
    size_t n;           /* clusters in the list */
    uint32_t ids[MOST]; /* in the order of the list */
    double sizes[MOST];
    double values[MOST][MOST]; /* squared where the linkage wants it */
    double places[MOST][COLUMNS];
} plain;

static bool squares(int linkage)
{
    return linkage >= CAIRN_LINKAGE_CENTROID;
}

static double place_value(const plain *p, size_t i, size_t j, int linkage)
{
    double sum = 0;
    for (size_t t = 0; t < COLUMNS; t++) {
        double d = p->places[i][t] - p->places[j][t];
        sum += d * d;
    }
    if (linkage == CAIRN_LINKAGE_WARD)
        sum *= 2 * p->sizes[i] * p->sizes[j] / (p->sizes[i] + p->sizes[j]);
    return sum;
}

static double joined_value(const plain *p, size_t a, size_t b, size_t x, int linkage)
{
    double s = p->sizes[a], t = p->sizes[b], u = p->sizes[x], v = p->values[a][x],
           w = p->values[b][x], h = p->values[a][b];
    switch (linkage) {
    case CAIRN_LINKAGE_SINGLE: return fmin(v, w);
    case CAIRN_LINKAGE_COMPLETE: return fmax(v, w);
    case CAIRN_LINKAGE_AVERAGE: return (s * v + t * w) / (s + t);
    case CAIRN_LINKAGE_WEIGHTED: return (v + w) / 2;
    case CAIRN_LINKAGE_CENTROID: return (s * v + t * w) / (s + t) - s * t * h / (s + t) / (s + t);
    case CAIRN_LINKAGE_MEDIAN: return (v + w) / 2 - h / 4;
    default: return ((s + u) * v + (t + u) * w - u * h) / (s + t + u);
    }
}

static bool before(size_t i, size_t j, size_t a, size_t b, bool last)
{
    return last ? j > b || (j == b && i > a) : i < a || (i == a && j < b);
}

/* The pair with the least value, of those within a part in 1e12 the first or the last. */
static size_t least_pair(const plain *p, size_t *a, size_t *b, bool last)
{
    double least = INFINITY;
    size_t n_tied = 0;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = i + 1; j < p->n; j++) least = fmin(least, p->values[i][j]);
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = i + 1; j < p->n; j++) {
            if (p->values[i][j] > least + 1e-12 * least) continue;
            if (n_tied++ == 0 || before(i, j, *a, *b, last)) *a = i, *b = j;
        }
    return n_tied;
}

static void drop_cluster(plain *p, size_t gone)
{
    p->n--;
    for (size_t i = gone; i < p->n; i++) {
        p->ids[i] = p->ids[i + 1];
        p->sizes[i] = p->sizes[i + 1];
        memcpy(p->places[i], p->places[i + 1], sizeof p->places[i]);
        memcpy(p->values[i], p->values[i + 1], sizeof p->values[i]);
    }
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = gone; j < p->n; j++) p->values[i][j] = p->values[i][j + 1];
}

/* The joined cluster at the end of the list. `centres`: places say how far it is. */
static void join_plain(plain *p, size_t a, size_t b, int linkage, uint32_t id, bool centres)
{
    size_t end = p->n;
    double share =
        linkage == CAIRN_LINKAGE_MEDIAN ? 0.5 : p->sizes[b] / (p->sizes[a] + p->sizes[b]);
    for (size_t t = 0; t < COLUMNS; t++)
        p->places[end][t] = p->places[a][t] + share * (p->places[b][t] - p->places[a][t]);
    p->sizes[end] = p->sizes[a] + p->sizes[b];
    p->ids[end] = id;
    for (size_t x = 0; x < end; x++)
        p->values[end][x] = p->values[x][end] =
            fmax(0, centres ? place_value(p, end, x, linkage) : joined_value(p, a, b, x, linkage));
    p->values[end][end] = 0;
    p->n++;
    drop_cluster(p, b);
    drop_cluster(p, a);
}

static void assert_plain_tree(plain *p, const cairn_dendrogram *tree, int linkage, bool last,
                              bool centres, int64_t tied)
{
    size_t n = p->n;
    int64_t n_tied = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        size_t a = 0, b = 0;
        n_tied += least_pair(p, &a, &b, last) > 1;
        double height = squares(linkage) ? sqrt(p->values[a][b]) : p->values[a][b];
        const cairn_merge *m = tree->merges + i;
        if (m->left != p->ids[a] || m->right != p->ids[b] ||
            fabs(m->height - height) > 1e-9 * fmax(1, height))
            fail_msg("linkage %d, merge %zu of %zu: %u and %u at %.17g, not %u and %u at %.17g",
                     linkage, i + 1, n - 1, m->left, m->right, m->height, p->ids[a], p->ids[b],
                     height);
        assert_true(fabs(m->size - p->sizes[a] - p->sizes[b]) < 1e-9);
        join_plain(p, a, b, linkage, (uint32_t)(n + i), centres);
    }
    assert_int_equal(tied, n_tied);
}

/* -- trees of the learner -- */

/* A table of small whole numbers, so that ties are many; weights are 1, 2 or 3 if asked. */
static void draw_rows(cairn_random *random, double *rows, size_t n, uint64_t range)
{
    for (size_t i = 0; i < n * COLUMNS; i++) rows[i] = (double)cairn_random_below(random, range);
}

static void start_plain(plain *p, const cairn_hierarchy_data *data, const double *rows, int linkage)
{
    size_t n = p->n = data->n;
    int32_t buffer[64];
    for (size_t i = 0; i < n; i++) {
        p->ids[i] = (uint32_t)i;
        p->sizes[i] = data->weights ? data->weights[i] : 1;
        for (size_t t = 0; rows && t < COLUMNS; t++) p->places[i][t] = rows[i * COLUMNS + t];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double d = cairn_distance_pair(data->rows, i, data->rows, j, buffer);
            double ward = 2 * p->sizes[i] * p->sizes[j] / (p->sizes[i] + p->sizes[j]);
            p->values[i][j] = !squares(linkage)               ? d
                              : linkage == CAIRN_LINKAGE_WARD ? ward * d * d
                                                              : d * d;
        }
}

/* The tree of rows that are measured when they are first needed, as those of large tables are. */
static cairn_status join_late(cairn_context *ctx, cairn_dendrogram *tree,
                              const cairn_hierarchy_data *data,
                              const cairn_hierarchy_params *params,
                              cairn_hierarchy_history *history)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_stored_rows_close) cairn_joiner joiner = {0};
    CHECK(cairn_joiner_make(ctx, &joiner, tree, params));
    joiner.keep_all = 0;
    CHECK(cairn_stored_rows_open(ctx, &joiner, data));
    CHECK(cairn_joiner_run(ctx, &joiner));
    history->tied = (int64_t)joiner.n_tied;
    return CAIRN_OK;
}

static void check_tree(cairn_context *ctx, const cairn_table *table, const double *rows,
                       const double *weights, const char *distance, int linkage, int tie, bool late)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows opened = {0};
    cairn_hierarchy_params params = {.linkage = linkage, .tie = tie, .distance = distance};
    cairn_hierarchy_history history = {0};
    plain *p = calloc(1, sizeof *p);
    cairn_view view;
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    assert_ok(ctx, cairn_distance_rows_open(ctx, &opened, &view, distance));
    assert_ok(ctx, cairn_dendrogram_new(ctx, &tree, opened.n));
    if (weights) {
        assert_ok(ctx, NEW(ctx, &tree.weights, opened.n));
        memcpy(tree.weights, weights, opened.n * sizeof *weights);
    }
    cairn_hierarchy_data data = {
        .view = &view, .n = opened.n, .rows = &opened, .weights = tree.weights};
    start_plain(p, &data, rows, linkage);
    assert_ok(ctx, late ? join_late(ctx, &tree, &data, &params, &history)
                        : cairn_hierarchy_join(ctx, &tree, &data, &params, &history, NULL));
    assert_plain_tree(p, &tree, linkage, tie == CAIRN_HIERARCHY_LAST,
                      !late && squares(linkage) && cairn_hierarchy_has_places(&opened),
                      history.tied);
    free(p);
}

static void test_hierarchy_join__trees_of_rows_are_those_of_the_plain_method(void **state)
{
    cairn_context *ctx = *state;
    static const char *const distances[] = {"euclidean", "manhattan", "chebyshev"};
    cairn_random random;
    cairn_random_start(&random, 7, 1);
    for (size_t round = 0; round < 40; round++) {
        size_t n = 2 + (size_t)cairn_random_below(&random, 45);
        double rows[MOST * COLUMNS], weights[MOST];
        cairn_table *table;
        draw_rows(&random, rows, n, round % 2 ? 4 : 1000);
        for (size_t i = 0; i < n; i++) weights[i] = 1 + (double)cairn_random_below(&random, 3);
        assert_ok(ctx, table_of(ctx, &table, "x y", rows, n, COLUMNS));
        for (int linkage = CAIRN_LINKAGE_SINGLE; linkage <= CAIRN_LINKAGE_WARD; linkage++)
            check_tree(ctx, table, rows, round % 3 ? NULL : weights, distances[round % 3], linkage,
                       round % 4 < 2 ? CAIRN_HIERARCHY_FIRST : CAIRN_HIERARCHY_LAST, false);
        cairn_table_free(table);
    }
}

/* Enough rows that slots without a cluster are left out more than once: what is measured after that
 * has values of clusters at once. Few places give many equal rows, and ties of floats. */
static void test_hierarchy_join__rows_that_are_measured_late_have_the_values_of_clusters(
    void **state)
{
    cairn_context *ctx = *state;
    static const char *const distances[] = {"euclidean", "manhattan"};
    cairn_random random;
    cairn_random_start(&random, 17, 1);
    for (size_t round = 0; round < 8; round++) {
        size_t n = MOST - 1 - 30 * (round / 4);
        double rows[MOST * COLUMNS], weights[MOST];
        cairn_table *table;
        draw_rows(&random, rows, n, round % 4 == 3 ? 12 : 1000000);
        for (size_t i = 0; i < n; i++) weights[i] = 1 + (double)cairn_random_below(&random, 3);
        assert_ok(ctx, table_of(ctx, &table, "x y", rows, n, COLUMNS));
        for (int linkage = CAIRN_LINKAGE_SINGLE; linkage <= CAIRN_LINKAGE_WARD; linkage++)
            check_tree(ctx, table, rows, round % 3 ? NULL : weights, distances[round % 2], linkage,
                       round < 4 ? CAIRN_HIERARCHY_FIRST : CAIRN_HIERARCHY_LAST, true);
        cairn_table_free(table);
    }
}

static void test_hierarchy_join__trees_of_matrices_are_those_of_the_plain_method(void **state)
{
    cairn_context *ctx = *state;
    cairn_random random;
    cairn_random_start(&random, 8, 1);
    for (size_t round = 0; round < 20; round++) {
        size_t n = 2 + (size_t)cairn_random_below(&random, 20);
        double matrix[32 * 32] = {0};
        char names[32 * 4 + 1] = "";
        cairn_table *table;
        for (size_t i = 0; i < n; i++) {
            snprintf(names + 4 * i, 5, "c%02u ", (unsigned)i % 100);
            for (size_t j = 0; j < i; j++)
                matrix[i * n + j] = matrix[j * n + i] =
                    1 + (double)cairn_random_below(&random, round % 2 ? 6 : 100000);
        }
        assert_ok(ctx, table_of(ctx, &table, names, matrix, n, n));
        table->shape = CAIRN_SHAPE_DISTANCES;
        for (int linkage = CAIRN_LINKAGE_SINGLE; linkage <= CAIRN_LINKAGE_WEIGHTED; linkage++)
            check_tree(ctx, table, NULL, NULL, "euclidean", linkage, (int)(round % 2), false);
        cairn_table_free(table);
    }
}

/* The length of the shortest tree that joins all rows, the plain way. */
static double spanning_length(const double *rows, size_t n)
{
    double *best = malloc(n * sizeof *best), sum = 0;
    size_t last = 0;
    for (size_t i = 0; i < n; i++) best[i] = INFINITY;
    for (size_t step = 1; step < n; step++) {
        size_t next = 0;
        best[last] = -1;
        for (size_t i = 0; i < n; i++) {
            if (best[i] < 0) continue;
            best[i] = fmin(
                best[i], hypot(rows[2 * i] - rows[2 * last], rows[2 * i + 1] - rows[2 * last + 1]));
            if (best[next] < 0 || best[i] < best[next]) next = i;
        }
        sum += best[next];
        last = next;
    }
    free(best);
    return sum;
}

/* Far clusters of near rows: floats cannot tell these apart, and must not have to. */
static void test_hierarchy_join__single_linkage_is_the_shortest_tree(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 2100 };
    double *rows = malloc(N * COLUMNS * sizeof *rows);
    cairn_random random;
    cairn_random_start(&random, 13, 1);
    for (int far = 0; far < 2; far++) {
        for (size_t i = 0; i < N; i++) {
            rows[2 * i] = cairn_random_uniform(&random) + (far ? 1e7 * (double)(i % 3) : 0);
            rows[2 * i + 1] = cairn_random_uniform(&random);
        }
        fitted f = fit_numbers(ctx, "hierarchy:linkage=single", "x y", rows, N, COLUMNS, NULL);
        assert_value(f.report, "heights", spanning_length(rows, N), 1e-12);
        drop(&f);
    }
    free(rows);
}

/* Thousands of rows: slots without a cluster are left out, and single linkage is a spanning tree.
 * Heights have to be those of the same rows in another order. */
static void test_hierarchy_join__the_order_of_rows_does_not_change_heights(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 2300 };
    double *rows = malloc(N * COLUMNS * sizeof *rows),
           *transposed = malloc(N * COLUMNS * sizeof *rows);
    cairn_random random;
    cairn_random_start(&random, 9, 1);
    for (size_t i = 0; i < N * COLUMNS; i++) rows[i] = cairn_random_uniform(&random);
    for (size_t i = 0; i < N; i++)
        memcpy(transposed + i * COLUMNS, rows + (N - 1 - i) * COLUMNS, COLUMNS * sizeof *rows);
    for (int linkage = CAIRN_LINKAGE_SINGLE; linkage <= CAIRN_LINKAGE_WARD; linkage++) {
        double tops[2], middles[2];
        for (int k = 0; k < 2; k++) {
            char spec[80];
            static const char *const names[] = {"single",   "complete", "average", "weighted",
                                                "centroid", "median",   "ward"};
            snprintf(spec, sizeof spec, "hierarchy:linkage=%s", names[linkage]);
            fitted f = fit_numbers(ctx, spec, "x y", k ? transposed : rows, N, COLUMNS, NULL);
            assert_true(cairn_report_number(f.report, "height", &tops[k]));
            assert_true(cairn_report_number(f.report, "merge2280.height", &middles[k]));
            drop(&f);
        }
        assert_true(fabs(tops[0] - tops[1]) < 1e-9 && fabs(middles[0] - middles[1]) < 1e-9);
    }
    free(rows);
    free(transposed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_hierarchy_join__trees_of_rows_are_those_of_the_plain_method),
        context_test(test_hierarchy_join__rows_that_are_measured_late_have_the_values_of_clusters),
        context_test(test_hierarchy_join__trees_of_matrices_are_those_of_the_plain_method),
        context_test(test_hierarchy_join__single_linkage_is_the_shortest_tree),
        context_test(test_hierarchy_join__the_order_of_rows_does_not_change_heights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
