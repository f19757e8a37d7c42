/* SPDX-License-Identifier: MIT */
/* The geometric median: on a line it is the median, of a triangle the point that sees its sides
 * alike, at a row where the others cannot pull it away; weights are repeated rows. */
#include "stats/geometric_median.h"
#include "support/learn.h"

static void assert_place(cairn_context *ctx, const double *rows, const double *weights, size_t n,
                         size_t width, const double *wanted, double tolerance)
{
    double place[3];
    cairn_median_path how;
    assert_ok(ctx, cairn_geometric_median(ctx, place, &how, rows, weights, n, width, 0));
    assert_true(how.converged);
    for (size_t t = 0; t < width; t++)
        if (!(fabs(place[t] - wanted[t]) <= tolerance))
            fail_msg("column %zu: %.17g, not %.17g", t + 1, place[t], wanted[t]);
}

static void test_median__on_a_line(void **state)
{
    static const double rows[] = {1, 2, 4, 8, 100}, heavy[] = {1, 1, 1, 1, 5};
    assert_place(*state, rows, NULL, 5, 1, (const double[]){4}, 0);
    assert_place(*state, rows, heavy, 5, 1, (const double[]){100}, 0);
    assert_place(*state, rows, NULL, 1, 1, (const double[]){1}, 0);
}

/* Corners of a square have its centre; an equal-sided triangle has its Fermat point. */
static void test_median__of_figures(void **state)
{
    static const double square[] = {0, 0, 2, 0, 2, 2, 0, 2};
    static const double same[] = {3, 4, 3, 4, 3, 4};
    const double triangle[] = {0, 0, 2, 0, 1, sqrt(3)};
    assert_place(*state, square, NULL, 4, 2, (const double[]){1, 1}, 1e-9);
    assert_place(*state, triangle, NULL, 3, 2, (const double[]){1, 1 / sqrt(3)}, 1e-9);
    assert_place(*state, same, NULL, 3, 2, (const double[]){3, 4}, 0);
}

/* A triangle with an angle above 120 degrees: the corner itself; the mean of the rows may be a row,
 * which the iteration leaves. */
static void test_median__at_a_row(void **state)
{
    cairn_context *ctx = *state;
    static const double flat[] = {-1, 0.1, 1, 0.1, 0, 0};
    static const double middle[] = {0, 0, 4, 0, -1, 0, -1, 0, -2, 0};
    double place[2];
    cairn_median_path how;
    assert_place(ctx, flat, NULL, 3, 2, (const double[]){0, 0}, 0);
    assert_ok(ctx, cairn_geometric_median(ctx, place, &how, middle, NULL, 5, 2, 3));
    assert_true(how.path[0] == 0 && how.path[1] == 0);
    assert_true(how.converged && place[0] == -1 && place[1] == 0);
    double least = how.total;
    for (int i = 0; i < 400; i++) {
        double near[2] = {place[0] + 0.01 * cos(i), place[1] + 0.01 * sin(i)};
        assert_true(cairn_total_distance(near, middle, NULL, 5, 2) >= least);
    }
}

/* Columns of very different scales: the rows are nearly in a line, along which the steps of
 * Weiszfeld hardly move. */
static void test_median__of_rows_nearly_in_a_line(void **state)
{
    cairn_context *ctx = *state;
    double rows[60], place[3], weights[20];
    cairn_median_path how;
    for (int i = 0; i < 20; i++) {
        rows[3 * i] = 1e8 * sin(3.7 * i + 0.3);
        rows[3 * i + 1] = 1e-3 * cos(5.1 * i);
        rows[3 * i + 2] = 1e5 * sin(1.9 * i + 1);
        weights[i] = 1 + i % 3;
    }
    for (int weighted = 0; weighted < 2; weighted++) {
        const double *w = weighted ? weights : NULL;
        assert_ok(ctx, cairn_geometric_median(ctx, place, &how, rows, w, 20, 3, 0));
        assert_true(how.converged && how.iterations < 1000);
        assert_true(cairn_median_pull(place, rows, w, 20, 3) < 1e-9);
        place[0] += 1e6;
        assert_true(cairn_median_pull(place, rows, w, 20, 3) > 1e-6);
    }
}

/* The mean lies on a row, or beside it by rounding, from which the others pull it away. */
static void test_median__beside_a_row(void **state)
{
    static const double line[] = {2, 3, 3, 3, 1, 0, 1, 3, 1, 1, 3, 3, 3, 0, 3};
    static const double near[] = {1e-9, 3, 3, 3, -3, -3, 0.7, -3.7, 3};
    assert_place(*state, line, NULL, 15, 1, (const double[]){3}, 0);
    assert_place(*state, near, NULL, 9, 1, (const double[]){0.7}, 0);
}

static void test_median__weights_repeat_rows(void **state)
{
    cairn_context *ctx = *state;
    static const double rows[] = {0, 1, 4, 2, -1, 5, 3, 3}, weights[] = {1, 3, 2, 1};
    static const double repeated[] = {0, 1, 4, 2, 4, 2, 4, 2, -1, 5, -1, 5, 3, 3};
    double a[2], b[2];
    cairn_median_path how;
    assert_ok(ctx, cairn_geometric_median(ctx, a, &how, rows, weights, 4, 2, 0));
    assert_ok(ctx, cairn_geometric_median(ctx, b, &how, repeated, NULL, 7, 2, 0));
    assert_true(fabs(a[0] - b[0]) < 1e-9 && fabs(a[1] - b[1]) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_median__on_a_line),
        context_test(test_median__of_figures),
        context_test(test_median__at_a_row),
        context_test(test_median__of_rows_nearly_in_a_line),
        context_test(test_median__beside_a_row),
        context_test(test_median__weights_repeat_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
