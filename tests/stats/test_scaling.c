/* SPDX-License-Identifier: MIT */
/* Distances between rows, and maps from them. */
#include "support/learn.h"
#include "data/table.h"
#include "stats/distance.h"
#include "stats/scaling.h"

static cairn_view view_of(cairn_context *ctx, const cairn_table *table)
{
    cairn_view view;
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    return view;
}

static void test_distance__values(void **state)
{
    cairn_context *ctx = *state;
    static const double rows[] = {0, 0, 0, 3, 4, 0, 3, 0, 1};
    static const struct {
        const char *distance;
        double d01, d02, d12;
    } wanted[] = {
        {"euclidean", 5, 3.1622776601683795, 4.123105625617661},
        {"manhattan", 7, 4, 5},
        {"chebyshev", 4, 3, 4},
        {"hamming", 2, 2, 2},
        {"jaccard", 1, 1, 1 - 1.0 / 3},
        {"cosine", 1, 1, 1 - 9 / (5 * 3.1622776601683795)},
        {"gower", 2.0 / 3, 2.0 / 3, 2.0 / 3},
        {"squared", 25, 10, 17},
        {"minkowski:p=1", 7, 4, 5},
        {"minkowski:p=inf", 4, 3, 4},
        {"minkowski:p=0", 2, 2, 2},
        {"minkowski:p=3", 4.497941445275415, 3.0365889718756625, 4.020725758589058},
        {"minkowski:p=0.5", 13.928203230275509, 7.464101615137755, 9},
        {"canberra", 2, 2, 2},
        {"kernel:linear", 5, 3.1622776601683795, 4.123105625617661},
        {"kernel:poly:degree=2,offset=1", 25.980762113533160, 10.954451150103322,
         24.43358344574123},
        {"kernel:rbf:sigma=5", 0.887095643419994, 0.6021116954885002, 0.7592492044610786},
        {"mahalanobis:matrix=[1,0,0;0,1,0;0,0,1]", 5, 3.1622776601683795, 4.123105625617661},
        {"mahalanobis:matrix=[4,0,0;0,1,0;0,0,9]", 7.211102550927978, 6.708203932499369, 5},
    };
    cairn_table *table;
    double d[9];
    assert_ok(ctx, table_of(ctx, &table, "x y z", rows, 3, 3));
    cairn_view view = view_of(ctx, table);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_ok(ctx, cairn_distance_matrix(ctx, d, &view, wanted[i].distance, NULL));
        assert_true(fabs(d[1] - wanted[i].d01) < 1e-12 && d[1] == d[3]);
        assert_true(fabs(d[2] - wanted[i].d02) < 1e-12 && d[2] == d[6]);
        assert_true(fabs(d[5] - wanted[i].d12) < 1e-12 && d[0] == 0 && d[8] == 0);
    }
    cairn_table_free(table);
}

static void test_distance__levels_and_gaps(void **state)
{
    cairn_context *ctx = *state;
    static const char *const names[] = {"red", "green"};
    static const int32_t codes[] = {0, 1, -1};
    static const double x[] = {0, 10, NAN};
    cairn_table *table;
    double d[9];
    assert_ok(ctx, cairn_table_new(ctx, &table, 3));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "colour", codes, names, 2));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "x", x));
    cairn_view view = view_of(ctx, table);
    assert_ok(ctx, cairn_distance_matrix(ctx, d, &view, "gower", NULL));
    assert_true(d[1] == 1 && d[2] == 0);
    assert_fails(ctx, cairn_distance_matrix(ctx, d, &view, "euclidean", NULL), CAIRN_BAD_DATA,
                 "column 'colour' holds levels, which the euclidean distance cannot use");
    assert_fails(ctx, cairn_distance_matrix(ctx, d, &view, "hamming", NULL), CAIRN_BAD_DATA,
                 "column 'colour' is missing in row 3");
    cairn_table_free(table);
}

/* Points of a plane come back, up to turning: their distances are the given ones. */
static void test_scaling__finds_a_plane_again(void **state)
{
    cairn_context *ctx = *state;
    static const double rows[] = {0, 0, 4, 0, 0, 3, 4, 3, 1, 1};
    cairn_table *table;
    cairn_scaling s;
    double d[25];
    assert_ok(ctx, table_of(ctx, &table, "x y", rows, 5, 2));
    cairn_view view = view_of(ctx, table);
    assert_ok(ctx, cairn_distance_matrix(ctx, d, &view, "euclidean", NULL));
    assert_ok(ctx, cairn_classical_scaling(ctx, &s, d, 5, 2, CAIRN_SIGN_FIRST, NULL));
    assert_int_equal(s.n_negative, 0);
    assert_true(s.stress < 1e-12 && fabs(s.goodness - 1) < 1e-12);
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++) {
            double dx = s.places[i] - s.places[j], dy = s.places[5 + i] - s.places[5 + j];
            assert_true(fabs(sqrt(dx * dx + dy * dy) - d[i * 5 + j]) < 1e-12);
        }
    assert_true(s.places[0] > 0 && s.places[5] != 0);
    cairn_table_free(table);
}

/* Three towns whose distances break the triangle inequality: no map has them. */
static void test_scaling__tells_negative_eigenvalues(void **state)
{
    cairn_context *ctx = *state;
    static const double d[] = {0, 1, 5, 1, 0, 1, 5, 1, 0}, zero[4] = {0};
    cairn_scaling s;
    assert_ok(ctx, cairn_classical_scaling(ctx, &s, d, 3, 2, CAIRN_SIGN_FIRST, NULL));
    assert_int_equal(s.n_negative, 1);
    assert_true(fabs(s.values[0] - 12.5) < 1e-12 && s.stress > 0.1);
    assert_ok(ctx, cairn_classical_scaling(ctx, &s, zero, 2, 2, CAIRN_SIGN_FIRST, NULL));
    assert_true(isnan(s.stress) && s.places[0] == 0);
}

static void test_scaling__gram_gives_distances(void **state)
{
    cairn_context *ctx = *state;
    static const double gram[] = {25, 20, 20, 17}, wrong[] = {1, 5, 5, 1};
    double d[4];
    assert_ok(ctx, cairn_distances_of_gram(ctx, d, gram, 2));
    assert_true(fabs(d[1] - sqrt(2)) < 1e-12 && d[0] == 0);
    assert_fails(ctx, cairn_distances_of_gram(ctx, d, wrong, 2), CAIRN_BAD_DATA,
                 "rows 1 and 2 have the inner product 5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_distance__values),
        context_test(test_distance__levels_and_gaps),
        context_test(test_scaling__finds_a_plane_again),
        context_test(test_scaling__tells_negative_eigenvalues),
        context_test(test_scaling__gram_gives_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
