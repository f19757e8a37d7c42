/* SPDX-License-Identifier: MIT */
/* Rows of distances between clusters against plain loops. Run once per variant, chosen through the
 * environment. */
#include "support/unit.h"
#include "kernels/linkage.h"
#include <math.h>
#include <stdlib.h>

enum { MOST = 200 };
static const size_t sizes[] = {0, 1, 3, 7, 8, 15, 31, 32, 33, 64, 65, 130, 199};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

static uint64_t state_of_numbers = 88172645463325252u;

static double draw(void)
{
    state_of_numbers ^= state_of_numbers << 13;
    state_of_numbers ^= state_of_numbers >> 7;
    state_of_numbers ^= state_of_numbers << 17;
    return (double)(state_of_numbers >> 11) * 0x1p-53;
}

static void fill(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = draw();
}

static void test_linkage__squares_of_places_in_tiles(void **state)
{
    enum { D = 5 };
    double places[MOST][D], tiles[D * (MOST + CAIRN_TILE)] = {0}, queries[CAIRN_QUERIES * D];
    double rows[CAIRN_QUERIES][MOST + CAIRN_TILE], *out[CAIRN_QUERIES];
    double others[CAIRN_QUERIES][MOST + CAIRN_TILE], *roots[CAIRN_QUERIES];
    (void)state;
    for (size_t i = 0; i < MOST; i++)
        for (size_t t = 0; t < D; t++) tiles[cairn_tile_at(D, i, t)] = places[i][t] = draw();
    fill(queries, CAIRN_QUERIES * D);
    for (size_t q = 0; q < CAIRN_QUERIES; q++) out[q] = rows[q], roots[q] = others[q];
    for (size_t count = 1; count <= CAIRN_QUERIES; count++) {
        cairn_squares_to(out, tiles, queries, count, D, cairn_tiled(MOST));
        for (size_t q = 0; q < count; q++)
            for (size_t i = 0; i < MOST; i++) {
                double sum = 0;
                for (size_t t = 0; t < D; t++)
                    sum = fma(places[i][t] - queries[q * D + t], places[i][t] - queries[q * D + t],
                              sum);
                assert_true(rows[q][i] == sum);
            }
        cairn_distances_to(roots, tiles, queries, count, D, cairn_tiled(MOST));
        for (size_t q = 0; q < count; q++)
            for (size_t i = 0; i < MOST; i++) assert_true(roots[q][i] == sqrt(rows[q][i]));
    }
}

static void test_linkage__least_squares_of_tiles_of_floats(void **state)
{
    enum { D = 3, N = 96 };
    float tiles[D * N], queries[CAIRN_QUERIES * D], leasts[CAIRN_QUERIES][N / CAIRN_TILE];
    float *out[CAIRN_QUERIES];
    (void)state;
    for (size_t i = 0; i < D * N; i++) tiles[i] = (float)draw();
    for (size_t i = 0; i < CAIRN_QUERIES * D; i++) queries[i] = (float)draw();
    for (size_t q = 0; q < CAIRN_QUERIES; q++) out[q] = leasts[q];
    for (size_t count = 1; count <= CAIRN_QUERIES; count++) {
        memset(leasts, 0, sizeof leasts);
        cairn_least_of_tiles(out, tiles, queries, count, D, N);
        for (size_t q = 0; q < count; q++)
            for (size_t k = 0; k < N / CAIRN_TILE; k++) {
                double least = INFINITY;
                for (size_t i = k * CAIRN_TILE; i < (k + 1) * CAIRN_TILE; i++) {
                    double sum = 0;
                    for (size_t t = 0; t < D; t++) {
                        double d =
                            (double)tiles[cairn_tile_at(D, i, t)] - (double)queries[q * D + t];
                        sum += d * d;
                    }
                    least = fmin(least, sum);
                }
                assert_true(fabs((double)leasts[q][k] - least) <= 1e-6 * least);
            }
    }
}

static void test_linkage__finds_near_points_in_tiles_of_floats(void **state)
{
    enum { D = 3, N = 96 };
    float tiles[D * N], query[D] = {0.5F, 0.25F, 0.75F}, limits[N];
    uint32_t found[N];
    size_t expected = 0;
    (void)state;
    for (size_t i = 0; i < D * N; i++) tiles[i] = (float)draw();
    for (size_t i = 0; i < N; i++) limits[i] = i % 5 ? 0.2F : -1;
    size_t got = cairn_find_near(found, tiles, query, limits, D, N);
    for (size_t i = 0; i < N; i++) {
        float sum = 0;
        for (size_t t = 0; t < D; t++) {
            float d = tiles[cairn_tile_at(D, i, t)] - query[t];
            sum += d * d;
        }
        if (sum <= limits[i]) assert_int_equal(found[expected++], i);
    }
    assert_true(expected > 3);
    assert_int_equal(got, expected);
}

static void test_linkage__searches(void **state)
{
    double x[MOST], y[MOST];
    uint32_t found[MOST];
    (void)state;
    for (size_t k = 0; k < N_SIZES; k++) {
        size_t n = sizes[k], below = 0, above = 0;
        double least = INFINITY;
        fill(x, n);
        fill(y, n);
        if (n > 3) x[n / 2] = INFINITY, y[n / 2] = INFINITY;
        for (size_t i = 0; i < n; i++) least = fmin(least, x[i]);
        assert_true(cairn_least(x, n) == least);
        size_t got = cairn_find_at_most(found, x, n, 0.1);
        for (size_t i = 0; i < n; i++)
            if (x[i] <= 0.1) assert_int_equal(found[below++], i);
        assert_int_equal(got, below);
        got = cairn_find_not_above(found, x, y, n, 0.5);
        for (size_t i = 0; i < n; i++)
            if (x[i] <= 1.5 * y[i] && isfinite(x[i])) assert_int_equal(found[above++], i);
        assert_int_equal(got, above);
    }
}

static void test_linkage__takes_what_is_nearer(void **state)
{
    double best[MOST], from[MOST], x[MOST], old[MOST];
    (void)state;
    for (size_t k = 0; k < N_SIZES; k++) {
        size_t n = sizes[k];
        double least = INFINITY;
        fill(best, n);
        fill(x, n);
        memcpy(old, best, n * sizeof *best);
        for (size_t i = 0; i < n; i++) from[i] = 3, least = fmin(least, fmin(x[i], best[i]));
        assert_true(cairn_take_nearer(best, from, x, 8, n) == least);
        for (size_t i = 0; i < n; i++) {
            assert_true(best[i] == fmin(old[i], x[i]));
            assert_true(from[i] == (x[i] < old[i] ? 8 : 3));
        }
    }
}

static void test_linkage__roots_and_ward(void **state)
{
    double x[MOST], y[MOST], s[MOST];
    (void)state;
    fill(x, MOST);
    fill(s, MOST);
    memcpy(y, x, sizeof x);
    cairn_square_roots(y, MOST - 1);
    for (size_t i = 0; i < MOST - 1; i++) assert_true(y[i] == sqrt(x[i]));
    memcpy(y, x, sizeof x);
    cairn_ward_squares(y, s, 3, MOST - 1);
    for (size_t i = 0; i < MOST - 1; i++) assert_true(y[i] == x[i] * (2 * 3.0 * s[i] / (3 + s[i])));
}

/* A join of two rows, and the same join noted by the rows of the others: to the last bit. */
static void test_linkage__rows_and_columns_are_joined_alike(void **state)
{
    uint32_t columns[] = {4, 9};
    double a[] = {0.3}, b[] = {2}, shift[] = {0.25}, sizes_of[MOST], x[MOST], y[MOST], row[MOST];
    (void)state;
    for (int joining = CAIRN_JOIN_LEAST; joining <= CAIRN_JOIN_WARD; joining++) {
        cairn_column_joins joins = {.joining = (cairn_joining)joining,
                                    .shifted = true,
                                    .columns = columns,
                                    .a = a,
                                    .b = b,
                                    .shift = shift};
        fill(x, MOST);
        fill(y, MOST);
        fill(sizes_of, MOST);
        for (size_t i = 20; i < MOST; i += 7) {
            double before = x[i];
            memcpy(row, x, sizeof row);
            row[4] = x[i];
            row[9] = y[i];
            cairn_join_columns(row, &joins, 0, 1, sizes_of[i], MOST);
            double joined[MOST];
            memcpy(joined, x, sizeof joined);
            cairn_join_rows(joined, y, &joins, 0, sizes_of, MOST - 1);
            assert_true(row[4] == joined[i] || i == MOST - 1);
            assert_true(isinf(row[9]) && x[i] == before);
        }
    }
}

/* Clusters of 1 to 19 points, whose values come in pieces of any length. */
static void test_linkage__points_of_clusters_in_layers(void **state)
{
    enum { CLUSTERS = 37, LAYERS = 19 };
    uint32_t starts[LAYERS + 1] = {0};
    double x[CLUSTERS * LAYERS], shares[CLUSTERS * LAYERS], expected[CLUSTERS], out[CLUSTERS];
    (void)state;
    for (uint32_t k = 0; k < LAYERS; k++) starts[k + 1] = starts[k] + CLUSTERS - 2 * k;
    cairn_layers layers = {.n_layers = LAYERS, .starts = starts, .shares = shares};
    size_t n = starts[LAYERS];
    fill(x, n);
    fill(shares, n);
    for (int joining = CAIRN_JOIN_LEAST; joining <= CAIRN_JOIN_MEAN; joining++)
        for (size_t piece = 1; piece <= n; piece += 10) {
            size_t layer = 0;
            for (size_t k = 0; k < LAYERS; k++)
                for (size_t c = 0; c < starts[k + 1] - starts[k]; c++) {
                    double v = x[starts[k] + c], *e = expected + c;
                    if (joining == CAIRN_JOIN_MEAN)
                        *e = fma(shares[starts[k] + c], v, k ? *e : 0);
                    else
                        *e = k == 0 ? v : joining == CAIRN_JOIN_MOST ? fmax(*e, v) : fmin(*e, v);
                }
            for (size_t at = 0; at < n; at += piece) {
                size_t end = at + piece < n ? at + piece : n;
                layer =
                    cairn_join_layers(out, x + at, at, end, &layers, layer, (cairn_joining)joining);
            }
            assert_int_equal(layer, LAYERS);
            for (size_t c = 0; c < CLUSTERS; c++) assert_true(out[c] == expected[c]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linkage__squares_of_places_in_tiles),
        cmocka_unit_test(test_linkage__least_squares_of_tiles_of_floats),
        cmocka_unit_test(test_linkage__finds_near_points_in_tiles_of_floats),
        cmocka_unit_test(test_linkage__searches),
        cmocka_unit_test(test_linkage__takes_what_is_nearer),
        cmocka_unit_test(test_linkage__roots_and_ward),
        cmocka_unit_test(test_linkage__rows_and_columns_are_joined_alike),
        cmocka_unit_test(test_linkage__points_of_clusters_in_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
