/* SPDX-License-Identifier: MIT */
/* Level lines: straight ones, rings, gaps where there is no value, several levels as one line. */
#include "draw/contour.h"
#include "draw/figure_data.h"
#include "support/fail_alloc.h"

#include "base/memory.h"

#include <math.h>

static double slope(const void *data, double x, double y)
{
    (void)data;
    return y - x;
}

static double hill(const void *data, double x, double y)
{
    const double *middle = data;
    return hypot(x - *middle, y - *middle);
}

static double ray(const void *data, double x, double y)
{
    (void)data;
    return y / (x + y);
}

static size_t count_pieces(const cairn_contour *line)
{
    size_t n = line->n > 0;
    for (size_t i = 0; i < line->n; i++) n += isnan(line->x[i]);
    return n;
}

static void test_contour__straight(void **state)
{
    cairn_context *ctx = *state;
    cairn_contour_grid grid;
    cairn_contour line;
    double low, high;
    assert_ok(ctx, cairn_contour_sample(ctx, &grid, slope, NULL, 4, 2, &low, &high));
    assert_true(low == -4 && high == 2);
    assert_ok(ctx, cairn_contour_trace(ctx, &line, &grid, 0.4999));
    assert_int_equal(count_pieces(&line), 1);
    for (size_t i = 0; i < line.n; i++) assert_true(fabs(line.y[i] - line.x[i] - 0.4999) < 1e-9);
    assert_ok(ctx, cairn_contour_trace(ctx, &line, &grid, 7));
    assert_int_equal(line.n, 0);
}

static void test_contour__ring_is_closed(void **state)
{
    cairn_context *ctx = *state;
    cairn_contour_grid grid;
    cairn_contour line;
    double low, high, middle = 1;
    assert_ok(ctx, cairn_contour_sample(ctx, &grid, hill, &middle, 2, 2, &low, &high));
    assert_ok(ctx, cairn_contour_trace(ctx, &line, &grid, 0.7));
    assert_int_equal(count_pieces(&line), 1);
    assert_true(line.n > 100);
    assert_true(line.x[0] == line.x[line.n - 1] && line.y[0] == line.y[line.n - 1]);
    for (size_t i = 0; i < line.n; i++)
        assert_true(fabs(hypot(line.x[i] - 1, line.y[i] - 1) - 0.7) < 1e-3);
    assert_ok(ctx, cairn_contour_trace(ctx, &line, &grid, 1.2)); /* four corners */
    assert_int_equal(count_pieces(&line), 4);
}

static void test_contour__undefined_places_are_left_out(void **state)
{
    cairn_context *ctx = *state;
    cairn_contour_grid grid;
    cairn_contour line;
    double low, high;
    assert_ok(ctx, cairn_contour_sample(ctx, &grid, ray, NULL, 1, 1, &low, &high));
    assert_true(low == 0 && high == 1);
    assert_ok(ctx, cairn_contour_trace(ctx, &line, &grid, 0.75));
    for (size_t i = 0; i < line.n; i++) assert_true(fabs(line.y[i] - 3 * line.x[i]) < 1e-2);
}

static cairn_status add_work(cairn_context *ctx, void *data)
{
    cairn_figure *figure = NULL;
    cairn_contour_grid grid;
    double low, high, middle = 1;
    const double levels[] = {0.3, 0.6};
    cairn_status status;
    (void)data;
    TRY(cairn_figure_new(ctx, &figure, "f", "f"));
    TRY(cairn_contour_sample(ctx, &grid, hill, &middle, 2, 2, &low, &high));
    TRY(cairn_contour_add(ctx, figure, "rings", &grid, levels, 2));
    TRY(cairn_contour_add(ctx, figure, NULL, &grid, levels, 1));
    TRY(cairn_figure_status(figure));
    assert_int_equal(figure->n_series, 2);
    assert_true(figure->series[1].faint && !figure->series[0].faint);
done:
    cairn_figure_free(figure);
    return status;
}

static void test_contour__is_added_to_a_figure(void **state)
{
    assert_ok(*state, add_work(*state, NULL));
    assert_survives_allocation_failures(add_work, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_contour__straight),
        context_test(test_contour__ring_is_closed),
        context_test(test_contour__undefined_places_are_left_out),
        context_test(test_contour__is_added_to_a_figure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
