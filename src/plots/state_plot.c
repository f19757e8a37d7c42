/* SPDX-License-Identifier: MIT */
/* Drawing of state diagrams, with the pieces that plots are made of. */
#include "plots/state_plot.h"

#include "base/functions.h"
#include "base/number.h"

#include <math.h>

/* In units of the plot: radius of a state, of a loop, how far a label stands off, half the width of
 * one of its letters, and how much lower a text must begin to stand in the middle. */
static const double state_radius = 0.3, loop_radius = 0.2, label_off = 0.11, half_letter = 0.045,
                    text_down = 0.1;
static const double far = 2.2; /* lines of that length cross others in the middle */
static const double turn = 6.283185307179586;

enum { OUTLINE = 48, CURVE = 24 };

typedef struct point {
    double x, y;
} point;

typedef struct diagram {
    cairn_figure *figure;
    size_t n;
    double ring;     /* radius of the circle that the states stand on */
    point low, high; /* corners of what is drawn */
} diagram;

/* The direction from the middle to state i: the first is on top, the others follow clockwise; two
 * stand side by side. */
static point direction(const diagram *d, size_t i)
{
    double angle = turn / 4 - turn * (double)i / (double)d->n;
    if (d->n == 2) angle = i ? 0 : turn / 2;
    return (point){cairn_cos(angle), cairn_sin(angle)};
}

static point place(const diagram *d, size_t i)
{
    point u = direction(d, i);
    return (point){d->ring * u.x, d->ring * u.y};
}

static double apart(point a, point b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

/* What lies `room` around a point is in the picture. */
static void keep_room(diagram *d, point at, double room)
{
    d->low = (point){fmin(d->low.x, at.x - room), fmin(d->low.y, at.y - room)};
    d->high = (point){fmax(d->high.x, at.x + room), fmax(d->high.y, at.y + room)};
}

static void draw_state(diagram *d, size_t i, const char *name)
{
    double x[OUTLINE], y[OUTLINE];
    point at = place(d, i);
    for (int k = 0; k < OUTLINE; k++) {
        x[k] = at.x + state_radius * cairn_cos(turn * k / OUTLINE);
        y[k] = at.y + state_radius * cairn_sin(turn * k / OUTLINE);
    }
    cairn_figure_shape(d->figure, 0, x, y, OUTLINE);
    cairn_figure_text(d->figure, at.x, at.y - text_down, 'c', name);
    keep_room(d, at, state_radius);
}

/* The number beside a line at `at`, off in the direction `aside`, further off where it is wide. */
static void draw_probability(diagram *d, point at, point aside, double p)
{
    char text[CAIRN_NUMBER_SIZE];
    size_t length = cairn_number_format(text, p, 3);
    double off = label_off + half_letter * (double)length * fabs(aside.x);
    at = (point){at.x + off * aside.x, at.y + off * aside.y};
    cairn_figure_text(d->figure, at.x, at.y - text_down, 'c', text);
    keep_room(d, at, half_letter * (double)length + 0.05);
}

/* An arrow along the points that lie outside the states `from` and `to`. */
static void draw_outside(diagram *d, const point *points, size_t n, point from, point to)
{
    double x[CURVE + 1], y[CURVE + 1];
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        if (apart(points[k], from) < state_radius || apart(points[k], to) < state_radius) continue;
        x[kept] = points[k].x;
        y[kept++] = points[k].y;
    }
    for (size_t k = 0; k < kept; k++) keep_room(d, (point){x[k], y[k]}, 0.05);
    if (kept > 1) cairn_figure_grey_arrow(d->figure, x, y, kept);
}

/* From state i to another, bent to its left, so that the way back has a line of its own; the number
 * stands near the beginning, where fewer lines cross. */
static void draw_move(diagram *d, size_t i, size_t j, double p)
{
    point a = place(d, i), b = place(d, j), points[CURVE + 1];
    double length = apart(a, b), bend = 0.2 * length;
    point aside = {-(b.y - a.y) / length, (b.x - a.x) / length};
    point middle = {(a.x + b.x) / 2 + bend * aside.x, (a.y + b.y) / 2 + bend * aside.y};
    for (int k = 0; k <= CURVE; k++) {
        double t = (double)k / CURVE, s = 1 - t;
        points[k] = (point){s * s * a.x + 2 * s * t * middle.x + t * t * b.x,
                            s * s * a.y + 2 * s * t * middle.y + t * t * b.y};
    }
    draw_outside(d, points, CURVE + 1, a, b);
    draw_probability(d, points[length > far ? CURVE / 4 : CURVE * 3 / 8], aside, p);
}

/* A loop on the side that looks away from the others. */
static void draw_loop(diagram *d, size_t i, double p)
{
    point at = place(d, i), u = direction(d, i), points[CURVE + 1];
    double reach = state_radius + 0.6 * loop_radius, begin = cairn_atan2(u.y, u.x) + turn / 2;
    point centre = {at.x + reach * u.x, at.y + reach * u.y};
    for (int k = 0; k <= CURVE; k++) {
        double angle = begin + turn * (double)k / CURVE;
        points[k] = (point){centre.x + loop_radius * cairn_cos(angle),
                            centre.y + loop_radius * cairn_sin(angle)};
    }
    draw_outside(d, points, CURVE + 1, at, at);
    double off = reach + loop_radius;
    draw_probability(d, (point){at.x + off * u.x, at.y + off * u.y}, u, p);
}

/* The size follows from what was drawn, since loops and numbers stick out. */
cairn_status cairn_state_plot(cairn_context *ctx, cairn_figure **out, const char *name,
                              const char *title, const char *const *states, const double *move,
                              size_t n)
{
    diagram d = {.n = n, .ring = n > 1 ? fmax(1.1, 0.32 * (double)n) : 0};
    if (n > CAIRN_MOST_DRAWN_STATES)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "at most %d states can be drawn, and there are %zu",
                          CAIRN_MOST_DRAWN_STATES, n);
    CHECK(cairn_figure_new(ctx, out, name, title));
    d.figure = *out;
    cairn_figure_no_axes(d.figure);
    cairn_figure_equal_axes(d.figure);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double p = move[i * n + j];
            if (p > 0 && i == j) draw_loop(&d, i, p);
            if (p > 0 && i != j) draw_move(&d, i, j, p);
        }
    for (size_t i = 0; i < n; i++) draw_state(&d, i, states[i]);
    cairn_figure_x_range(d.figure, d.low.x, d.high.x);
    cairn_figure_y_range(d.figure, d.low.y, d.high.y);
    cairn_figure_size(d.figure, 90 * (d.high.x - d.low.x) + 40, 90 * (d.high.y - d.low.y) + 60);
    return CAIRN_OK;
}
