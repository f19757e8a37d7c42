/* SPDX-License-Identifier: MIT */
/* The critical difference diagram, drawn with lines and labels in a plot without axes. The line of
 * ranks runs from 1 (best, left) to k; the better half of the learners is named on the left, the
 * other half on the right, each joined to its place by a thin line. */
#include "plots/ranks_plot.h"
#include "base/memory.h"
#include "base/number.h"
#include "draw/canvas.h"
#include <math.h>
#include <stdio.h>

/* Heights in units of one line of names; the line of ranks is at 0. */
static const double tick = 0.25, group_step = 0.45, bar = 1.3;

static void segment(cairn_figure *figure, double x1, double y1, double x2, double y2)
{
    double x[] = {x1, x2}, y[] = {y1, y2};
    cairn_figure_guide(figure, x, y, 2);
}

enum { BAR_POINTS = 3 };

/* A thick bar as points of a line, with a gap behind it. */
static void put_bar(double *x, double *y, double from, double to, double at)
{
    const double xs[BAR_POINTS] = {from, to, NAN}, ys[BAR_POINTS] = {at, at, NAN};
    for (size_t i = 0; i < BAR_POINTS; i++) x[i] = xs[i], y[i] = ys[i];
}

static void draw_scale(cairn_figure *figure, size_t k)
{
    segment(figure, 1, 0, (double)k, 0);
    for (size_t r = 1; r <= k; r++) {
        char text[24];
        snprintf(text, sizeof text, "%zu", r);
        segment(figure, (double)r, 0, (double)r, tick);
        cairn_figure_text(figure, (double)r, tick, 'c', text);
    }
}

/* The i-th best learner, at depth y, named at the side x. */
static void draw_learner(cairn_figure *figure, const char *name, double rank, double x, double y)
{
    char text[200], number[CAIRN_NUMBER_SIZE];
    cairn_number_format(number, rank, 3);
    snprintf(text, sizeof text, "%.120s (%s)", name, number);
    segment(figure, rank, 0, rank, y);
    segment(figure, rank, y, x, y);
    cairn_figure_text(figure, x, y, x < rank ? 'l' : 'r', text);
}

/* Points that the longest name takes with its rank. */
static double widest_name(const cairn_rank_comparison *c)
{
    double widest = 0;
    for (size_t i = 0; i < c->k; i++) widest = fmax(widest, cairn_measure(c->names[i], 10, false));
    return fmin(widest + cairn_measure(" (10.25)", 10, false), 420);
}

static cairn_status draw_groups(cairn_context *ctx, cairn_figure *figure,
                                const cairn_rank_comparison *c, double critical, size_t *order,
                                size_t *n_groups)
{
    size_t *first, *last;
    double *x, *y;
    CHECK(SCRATCH_EACH(ctx, BAR_POINTS * c->k, &x, &y));
    CHECK(SCRATCH_EACH(ctx, c->k, &first, &last));
    *n_groups = cairn_rank_groups(c->averages, c->k, critical, order, first, last);
    for (size_t g = 0; g < *n_groups; g++)
        put_bar(x + BAR_POINTS * g, y + BAR_POINTS * g, c->averages[order[first[g]]] - 0.03,
                c->averages[order[last[g]]] + 0.03, -group_step * ((double)g + 1));
    if (*n_groups)
        cairn_figure_thick(figure, "no significant difference", x, y, BAR_POINTS * *n_groups);
    return CAIRN_OK;
}

cairn_status cairn_plot_ranks(cairn_context *ctx, cairn_figure **out,
                              const cairn_rank_comparison *c, double critical, bool control)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    size_t *order, n_groups;
    char text[80], number[CAIRN_NUMBER_SIZE];
    double k = (double)c->k, half = ceil(k / 2);
    CHECK(SCRATCH(ctx, &order, c->k));
    CHECK(draw_groups(ctx, NULL, c, critical, order, &n_groups));
    if (control) n_groups = 1;
    double top = -group_step * ((double)n_groups + 1) - 0.5;
    CHECK(cairn_figure_new(ctx, &figure, "critical-difference",
                           control ? "Average ranks and the reach of the control"
                                   : "Average ranks and the critical difference"));
    cairn_figure_no_axes(figure);
    const double line = 300, side = fmax(0.42, (widest_name(c) + 16) / line) * (k - 1);
    cairn_figure_size(figure, line * (1 + 2 * side / (k - 1)) + 60,
                      120 + 24 * (half + (double)n_groups));
    cairn_figure_x_range(figure, 1 - 1.05 * side - 0.2, k + 1.05 * side + 0.2);
    cairn_figure_y_range(figure, top - half, bar + 0.6);
    draw_scale(figure, c->k);
    cairn_number_format(number, critical, 4);
    snprintf(text, sizeof text, "CD = %s", number);
    double middle = control ? c->averages[c->control] : 1;
    if (control) {
        double x[BAR_POINTS], y[BAR_POINTS];
        put_bar(x, y, fmax(1, middle - critical), fmin(k, middle + critical), -group_step);
        cairn_figure_thick(figure, "reach of the control", x, y, BAR_POINTS);
        cairn_figure_mark(figure, "control", middle, 0);
    } else
        CHECK(draw_groups(ctx, figure, c, critical, order, &n_groups));
    segment(figure, 1, bar, 1 + critical, bar);
    segment(figure, 1, bar - 0.12, 1, bar + 0.12);
    segment(figure, 1 + critical, bar - 0.12, 1 + critical, bar + 0.12);
    cairn_figure_text(figure, 1 + critical / 2, bar, 'c', text);
    for (size_t i = 0; i < c->k; i++) {
        bool left = (double)i < half;
        double depth = left ? (double)i : k - 1 - (double)i;
        double x = left ? 1 - side : k + side;
        draw_learner(figure, c->names[order[i]], c->averages[order[i]], x, top - depth);
    }
    CHECK(cairn_figure_status(figure));
    *out = TAKE(figure);
    return CAIRN_OK;
}
