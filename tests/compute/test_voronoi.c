/* SPDX-License-Identifier: MIT */
/* Voronoi cells: they fill the box, every place lies in the cell of its nearest point, and parts of
 * second order fill their cell. */
#include "plots/voronoi.h"
#include "support/learn.h"

enum { N = 23 };
static const cairn_plane_box box = {-1, 2, -1, 1.5};

static double drawn(size_t i)
{
    double x = sin((double)i * 12.9898) * 43758.5453;
    return x - floor(x);
}

static void draw_points(double *points)
{
    for (size_t i = 0; i < 2 * N; i++) points[i] = drawn(i + 1);
    points[2 * 7] = points[2 * 3], points[2 * 7 + 1] = points[2 * 3 + 1]; /* the same place twice */
}

static bool holds(const cairn_convex *c, double x, double y)
{
    for (size_t i = 0; i < c->n; i++) {
        size_t next = (i + 1) % c->n;
        if ((c->x[next] - c->x[i]) * (y - c->y[i]) - (c->y[next] - c->y[i]) * (x - c->x[i]) <
            -1e-12)
            return false;
    }
    return c->n > 0;
}

/* The nearest point of a place but for those where `without` is; of equal ones the first. */
static size_t nearest(const double *points, double x, double y, size_t without)
{
    size_t best = SIZE_MAX;
    double least = INFINITY;
    for (size_t i = 0; i < N; i++) {
        double dx = x - points[2 * i], dy = y - points[2 * i + 1], d = dx * dx + dy * dy;
        bool same = without < N && points[2 * i] == points[2 * without] &&
                    points[2 * i + 1] == points[2 * without + 1];
        if (!same && d < least) least = d, best = i;
    }
    return best;
}

static void test_voronoi__cells_hold_what_is_nearest(void **state)
{
    cairn_context *ctx = *state;
    double points[2 * N], sum = 0;
    cairn_convex cells[N], parts[N];
    draw_points(points);
    assert_ok(ctx, cairn_voronoi_cells(ctx, cells, points, N, &box));
    for (size_t i = 0; i < N; i++) sum += cairn_convex_area(&cells[i]);
    assert_true(fabs(sum - 7.5) < 1e-12);
    assert_int_equal(cells[7].n, 0);
    for (size_t i = 0; i < N; i++) {
        double filled = 0;
        if (!cells[i].n) continue;
        assert_ok(ctx, cairn_voronoi_next(ctx, parts, &cells[i], i, points, N));
        for (size_t j = 0; j < N; j++) filled += cairn_convex_area(&parts[j]);
        assert_true(fabs(filled - cairn_convex_area(&cells[i])) < 1e-12);
        for (size_t c = 0; c < cells[i].n; c++) /* edges are shared */
            if (cells[i].beside[c] >= 0) {
                const cairn_convex *other = &cells[cells[i].beside[c]];
                bool back = false;
                for (size_t e = 0; e < other->n; e++) back = back || other->beside[e] == (int32_t)i;
                assert_true(back);
            }
    }
    for (size_t k = 0; k < 2000; k++) {
        double x = -1 + 3 * drawn(3 * k + 1000), y = -1 + 2.5 * drawn(3 * k + 1001);
        size_t first = nearest(points, x, y, SIZE_MAX), next = nearest(points, x, y, first);
        assert_true(holds(&cells[first], x, y));
        assert_ok(ctx, cairn_voronoi_next(ctx, parts, &cells[first], first, points, N));
        assert_true(holds(&parts[next], x, y));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_voronoi__cells_hold_what_is_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
