/* SPDX-License-Identifier: MIT */
/* Where a legend may stand: the area of a plot as a coarse grid of cells, each marked when data
 * fall into it; a summed table then tells for any box whether it is free. */
#include "base/functions.h"
#include "base/memory.h"
#include "draw/plot.h"
#include <math.h>

static const double cell = 5;

typedef struct grid {
    const cairn_plot *plot;
    int32_t *sums; /* (rows + 1) x (columns + 1); counts first, then sums over all above and left */
    size_t columns, rows;
} grid;

static void touch(grid *g, double x, double y)
{
    x = floor((x - g->plot->area.x) / cell);
    y = floor((y - g->plot->area.y) / cell);
    if (!(x >= 0 && y >= 0 && x < (double)g->columns && y < (double)g->rows)) return;
    g->sums[((size_t)y + 1) * (g->columns + 1) + (size_t)x + 1] = 1;
}

static void touch_box(grid *g, cairn_box box)
{
    cairn_box area = g->plot->area;
    if (isnan(box.x + box.y + box.width + box.height)) return;
    double right = fmin(box.x + box.width, area.x + area.width);
    double bottom = fmin(box.y + box.height, area.y + area.height);
    double left = fmax(box.x, area.x), top = fmax(box.y, area.y);
    int rows = (int)((bottom - top) / cell) + 1, columns = (int)((right - left) / cell) + 1;
    if (!(right >= left && bottom >= top)) return;
    for (int r = 0; r <= rows; r++)
        for (int c = 0; c <= columns; c++)
            touch(g, fmin(left + c * cell, right), fmin(top + r * cell, bottom));
}

/* Sample the part of a segment that can be inside. */
static void touch_segment(grid *g, double x1, double y1, double x2, double y2)
{
    double length = cairn_hypot(x2 - x1, y2 - y1);
    if (!(length < 1e7)) return;
    cairn_box area = g->plot->area;
    if (fmax(x1, x2) < area.x || fmin(x1, x2) > area.x + area.width || fmax(y1, y2) < area.y ||
        fmin(y1, y2) > area.y + area.height)
        return;
    int steps = (int)fmin(ceil(length / (cell / 2)), 20000);
    for (int i = 0; i <= steps; i++) {
        double t = steps > 0 ? (double)i / steps : 0;
        touch(g, x1 + t * (x2 - x1), y1 + t * (y2 - y1));
    }
}

static void touch_curve(grid *g, const double *xs, const double *ys, size_t n)
{
    const cairn_plot *plot = g->plot;
    double last_x = NAN, last_y = NAN;
    for (size_t i = 0; i < n; i++) {
        double x = cairn_axis_place(&plot->x, xs[i]), y = cairn_axis_place(&plot->y, ys[i]);
        if (!isnan(x) && !isnan(y) && !isnan(last_x) && !isnan(last_y))
            touch_segment(g, last_x, last_y, x, y);
        else if (!isnan(x) && !isnan(y))
            touch(g, x, y);
        last_x = x;
        last_y = y;
    }
}

static void touch_points(grid *g, const cairn_series *series)
{
    const cairn_plot *plot = g->plot;
    for (size_t i = 0; i < series->n; i++) {
        double x = cairn_axis_place(&plot->x, series->x[i]);
        double y = cairn_axis_place(&plot->y, series->y[i]);
        if (!isnan(x) && !isnan(y)) touch(g, x, y);
    }
}

static void touch_piles(grid *g, const cairn_series *series)
{
    const cairn_plot *plot = g->plot;
    double zero = cairn_axis_place(&plot->y, 0);
    if (isnan(zero)) zero = plot->y.from;
    for (size_t i = 0; i < series->n; i++) {
        double left, width, top = cairn_axis_place(&plot->y, series->y[i]);
        if (series->kind == CAIRN_BARS) {
            cairn_plot_bar(plot, series, i, &left, &width);
        } else {
            left = cairn_axis_place(&plot->x, series->x[i]);
            width = cairn_axis_place(&plot->x, series->x[i + 1]) - left;
        }
        if (isnan(left) || isnan(width) || isnan(top)) continue;
        touch_box(g, (cairn_box){left, fmin(top, zero), width, fabs(top - zero)});
    }
}

/* Marks what a series covers on the grid, where the legend looks for a free place; areas count as
 * empty, since a legend may stand on them. */
static void touch_series(grid *g, const cairn_series *series)
{
    const cairn_plot *plot = g->plot;
    cairn_box area = plot->area;
    double x = series->n ? cairn_axis_place(&plot->x, series->x[0]) : NAN;
    double y = series->n ? cairn_axis_place(&plot->y, series->y[0]) : NAN;
    switch (series->kind) {
    case CAIRN_POINTS: touch_points(g, series); break;
    case CAIRN_COLOURS:
        for (size_t i = 0; i < series->n; i++)
            touch_box(g, (cairn_box){cairn_axis_place(&plot->x, series->x[i]) - 3,
                                     cairn_axis_place(&plot->y, series->y[i]) - 3, 6, 6});
        break;
    case CAIRN_BAND:
        if (series->is_area && series->high) break;
        if (series->high) touch_curve(g, series->x, series->high, series->n); /* fall through */
    case CAIRN_FACE:
    case CAIRN_LINE: touch_curve(g, series->x, series->y, series->n); break;
    case CAIRN_BARS:
    case CAIRN_HISTOGRAM: touch_piles(g, series); break;
    case CAIRN_RULE_X: touch_box(g, (cairn_box){x, area.y, 0, area.height}); break;
    case CAIRN_RULE_Y: touch_box(g, (cairn_box){area.x, y, area.width, 0}); break;
    case CAIRN_MARK: touch_box(g, (cairn_box){x - 7, y - 7, 14, 14}); break;
    case CAIRN_LABEL: {
        double width = cairn_measure(series->label, CAIRN_TICK_SIZE, false);
        touch_box(g, (cairn_box){x - width / 2, y - 15, width * 1.5 + 6, 20});
        break;
    }
    default: break;
    }
}

static void sum_up(grid *g)
{
    size_t stride = g->columns + 1;
    for (size_t r = 1; r <= g->rows; r++)
        for (size_t c = 1; c <= g->columns; c++)
            g->sums[r * stride + c] += g->sums[(r - 1) * stride + c] + g->sums[r * stride + c - 1] -
                                       g->sums[(r - 1) * stride + c - 1];
}

static bool box_is_free(const grid *g, cairn_box box)
{
    cairn_box area = g->plot->area;
    size_t stride = g->columns + 1;
    double left = floor((box.x - area.x) / cell) - 1, top = floor((box.y - area.y) / cell) - 1;
    double right = ceil((box.x + box.width - area.x) / cell) + 1;
    double bottom = ceil((box.y + box.height - area.y) / cell) + 1;
    size_t c1 = (size_t)fmax(left, 0), r1 = (size_t)fmax(top, 0);
    size_t c2 = (size_t)fmin(right, (double)g->columns);
    size_t r2 = (size_t)fmin(bottom, (double)g->rows);
    return g->sums[r2 * stride + c2] - g->sums[r1 * stride + c2] - g->sums[r2 * stride + c1] +
               g->sums[r1 * stride + c1] ==
           0;
}

cairn_status cairn_plot_find_buffer(cairn_plot *plot, double width, double height, cairn_box *out,
                                    bool *found)
{
    /* corners first, then the middles of the sides */
    static const double places[][2] = {{1, 0},   {0, 0},   {1, 1},   {0, 1},
                                       {1, 0.5}, {0, 0.5}, {0.5, 0}, {0.5, 1}};
    cairn_box area = plot->area;
    grid g = {.plot = plot,
              .columns = (size_t)(area.width / cell) + 1,
              .rows = (size_t)(area.height / cell) + 1};
    *found = false;
    if (width + 16 > area.width || height + 16 > area.height) return CAIRN_OK;
    CHECK(SCRATCH(plot->ctx, &g.sums, (g.rows + 1) * (g.columns + 1)));
    for (size_t s = 0; s < plot->figure->n_series; s++) touch_series(&g, &plot->figure->series[s]);
    sum_up(&g);
    for (size_t i = 0; i < sizeof places / sizeof *places && !*found; i++) {
        cairn_box box = {area.x + 8 + places[i][0] * (area.width - width - 16),
                         area.y + 8 + places[i][1] * (area.height - height - 16), width, height};
        *found = box_is_free(&g, box);
        if (*found) *out = box;
    }
    return CAIRN_OK;
}
