/* SPDX-License-Identifier: MIT */
/* Drawing of state diagrams, with the pieces that plots are made of. */
#include "plots/state_plot.h"

#include "base/functions.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>

/* In units of the plot: half the height of a state, the radius of a loop, how far a label stands
 * off, half the width of one of its letters, and how much lower a text must begin to stand in the
 * middle. */
static const double state_radius = 0.3, loop_radius = 0.2, label_off = 0.11, half_letter = 0.045,
                    text_down = 0.1;
static const double far = 2.2; /* lines of that length cross others in the middle */
static const double turn = 6.283185307179586;

enum {
    OUTLINE = 48,
    CURVE = 96, /* points of a line, of which every STRIDE-th is looked at for room */
    STRIDE = 4,
    FEW_STATES = 3, /* of more the lines cross so often that numbers stand in gaps of their lines */
    MOST_LETTERS = 24
};

typedef struct point {
    double x, y;
} point;

typedef struct diagram {
    cairn_figure *figure;
    size_t n;
    double wide; /* half the width of a state */
    double ring; /* radius of the circle that the states stand on */
    const double *move;
    point places[CAIRN_MOST_DRAWN_STATES];
    point numbers[CAIRN_MOST_DRAWN_STATES * CAIRN_MOST_DRAWN_STATES]; /* that stand in gaps */
    size_t n_numbers;
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

static void place_states(diagram *d)
{
    for (size_t i = 0; i < d->n; i++) {
        point u = direction(d, i);
        d->places[i] = (point){d->ring * u.x, d->ring * u.y};
    }
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

/* Whether a point lies in the state that stands at `state`. */
static bool is_inside(const diagram *d, point p, point state)
{
    double x = (p.x - state.x) / d->wide, y = (p.y - state.y) / state_radius;
    return x * x + y * y < 1;
}

/* The name, or its first letters and dots. */
static void shorten(cairn_text *out, const char *name)
{
    size_t cells, used = 0, at = 0;
    bool cut = cairn_text_width(name) > MOST_LETTERS;
    while (name[at] && (!cut || used < MOST_LETTERS - 1)) {
        at += cairn_text_letter(name + at, &cells);
        used += cells;
    }
    cairn_text_addf(out, cut ? "%.*s…" : "%.*s", (int)at, name);
}

/* Names of all states fit into the widest of them; longer ones are cut. */
static void draw_state(diagram *d, size_t i, const char *name)
{
    double x[OUTLINE], y[OUTLINE];
    point at = d->places[i];
    for (int k = 0; k < OUTLINE; k++) {
        x[k] = at.x + d->wide * cairn_cos(turn * k / OUTLINE);
        y[k] = at.y + state_radius * cairn_sin(turn * k / OUTLINE);
    }
    cairn_figure_shape(d->figure, 0, x, y, OUTLINE);
    cairn_figure_text(d->figure, at.x, at.y - text_down, 'c', name);
    keep_room(d, (point){at.x - d->wide, at.y - state_radius}, 0.1);
    keep_room(d, (point){at.x + d->wide, at.y + state_radius}, 0.1);
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

/* Leave points out so that the last piece of a line has room for the head of an arrow. */
static size_t leave_head(double *x, double *y, size_t n)
{
    static const double head = 0.13;
    while (n > 2 && apart((point){x[n - 2], y[n - 2]}, (point){x[n - 1], y[n - 1]}) < head) {
        x[n - 2] = x[n - 1];
        y[n - 2] = y[n - 1];
        n--;
    }
    return n;
}

/* An arrow along the points that lie outside the states `from` and `to`. */
static void draw_outside(diagram *d, const point *points, size_t n, point from, point to)
{
    double x[CURVE + 1], y[CURVE + 1];
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        if (is_inside(d, points[k], from) || is_inside(d, points[k], to)) continue;
        x[kept] = points[k].x;
        y[kept++] = points[k].y;
    }
    for (size_t k = 0; k < kept; k++) keep_room(d, (point){x[k], y[k]}, 0.05);
    kept = leave_head(x, y, kept);
    if (kept > 1) cairn_figure_grey_arrow(d->figure, x, y, kept);
}

/* Points 0, stride, 2 stride ... of the line from state i to another, bent to its left, so that the
 * way back has one of its own. */
static void bend_move(const diagram *d, size_t i, size_t j, int stride, point *points)
{
    point a = d->places[i], b = d->places[j], aside = {-(b.y - a.y), b.x - a.x};
    point middle = {(a.x + b.x) / 2 + 0.2 * aside.x, (a.y + b.y) / 2 + 0.2 * aside.y};
    for (int k = 0; k <= CURVE; k += stride) {
        double t = (double)k / CURVE, s = 1 - t;
        *points++ = (point){s * s * a.x + 2 * s * t * middle.x + t * t * b.x,
                            s * s * a.y + 2 * s * t * middle.y + t * t * b.y};
    }
}

/* How far a point is from the nearest state, other number, and other line than that of i to j. */
static double clearance(const diagram *d, point at, size_t i, size_t j)
{
    point line[CURVE / STRIDE + 1];
    double nearest = INFINITY;
    for (size_t k = 0; k < d->n_numbers; k++)
        nearest = fmin(nearest, apart(at, d->numbers[k]) - 2 * label_off);
    for (size_t a = 0; a < d->n; a++) {
        nearest = fmin(nearest, apart(at, d->places[a]) - d->wide - label_off);
        for (size_t b = 0; b < d->n; b++) {
            if (a == b || (a == i && b == j) || !(d->move[a * d->n + b] > 0)) continue;
            bend_move(d, a, b, STRIDE, line);
            for (int k = 0; k <= CURVE / STRIDE; k++) nearest = fmin(nearest, apart(at, line[k]));
        }
    }
    return nearest;
}

/* The number stands in a gap of its own line, where other lines are far. */
static void draw_interrupted(diagram *d, size_t i, size_t j, const point *points, double p)
{
    char text[CAIRN_NUMBER_SIZE];
    double best = -INFINITY, x[CURVE + 1], y[CURVE + 1];
    double gap = 0.06 + half_letter * (double)cairn_number_format(text, p, 3);
    size_t before = 0;
    int at = CURVE / 2, after = CURVE;
    for (int k = CURVE / 8; k <= CURVE * 7 / 8; k += STRIDE) {
        double free = clearance(d, points[k], i, j);
        if (free > best) at = k;
        best = fmax(best, free);
    }
    for (int k = 0; k <= at && apart(points[k], points[at]) > gap; k++) {
        if (is_inside(d, points[k], points[0])) continue;
        x[before] = points[k].x;
        y[before++] = points[k].y;
    }
    if (before > 1) cairn_figure_faint(d->figure, x, y, before);
    while (after > at && apart(points[after], points[at]) > gap) after--;
    draw_outside(d, points + after + 1, (size_t)(CURVE - after), points[0], points[CURVE]);
    cairn_figure_text(d->figure, points[at].x, points[at].y - text_down, 'c', text);
    keep_room(d, points[at], gap);
    d->numbers[d->n_numbers++] = points[at];
}

/* From state i to another; with few states the number stands beside the line, near the beginning,
 * where fewer lines cross. */
static void draw_move(diagram *d, size_t i, size_t j, double p)
{
    point a = d->places[i], b = d->places[j], points[CURVE + 1];
    double length = apart(a, b);
    point aside = {-(b.y - a.y) / length, (b.x - a.x) / length};
    bend_move(d, i, j, 1, points);
    if (d->n > FEW_STATES) {
        draw_interrupted(d, i, j, points, p);
        return;
    }
    draw_outside(d, points, CURVE + 1, a, b);
    draw_probability(d, points[length > far ? CURVE / 4 : CURVE * 3 / 8], aside, p);
}

/* A loop on the side that looks away from the others. */
static void draw_loop(diagram *d, size_t i, double p)
{
    point at = d->places[i], u = direction(d, i), points[CURVE + 1];
    double edge =
        1 / sqrt(u.x * u.x / (d->wide * d->wide) + u.y * u.y / (state_radius * state_radius));
    double reach = edge + 0.6 * loop_radius, begin = cairn_atan2(u.y, u.x) + turn / 2;
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

/* Half the width that the longest name needs. */
static double find_width(const char *const *states, size_t n)
{
    size_t longest = 0;
    for (size_t i = 0; i < n; i++) {
        size_t length = cairn_text_width(states[i]);
        if (length > longest) longest = length;
    }
    if (longest > MOST_LETTERS) longest = MOST_LETTERS;
    return fmax(state_radius, 0.12 + 0.7 * half_letter * (double)longest);
}

/* The size follows from what was drawn, since loops and numbers stick out. */
cairn_status cairn_state_plot(cairn_context *ctx, cairn_figure **out, const char *name,
                              const char *title, const char *const *states, const double *move,
                              size_t n)
{
    double wide = find_width(states, n), one = n > FEW_STATES ? 0.4 : 0.32;
    double ring = n > 1 ? fmax(1.1, one * (double)n) + wide - state_radius : 0;
    diagram d = {.n = n, .wide = wide, .ring = ring, .move = move};
    if (n > CAIRN_MOST_DRAWN_STATES)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "at most %d states can be drawn, and there are %zu",
                          CAIRN_MOST_DRAWN_STATES, n);
    CHECK(cairn_figure_new(ctx, out, name, title));
    d.figure = *out;
    place_states(&d);
    cairn_figure_no_axes(d.figure);
    cairn_figure_equal_axes(d.figure);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double p = move[i * n + j];
            if (p > 0 && i == j) draw_loop(&d, i, p);
            if (p > 0 && i != j) draw_move(&d, i, j, p);
        }
    for (size_t i = 0; i < n; i++) {
        SCOPED(cairn_text_clear) cairn_text short_name = cairn_text_start(ctx);
        shorten(&short_name, states[i]);
        CHECK(cairn_text_status(&short_name));
        draw_state(&d, i, cairn_text_string(&short_name));
    }
    cairn_figure_x_range(d.figure, d.low.x, d.high.x);
    cairn_figure_y_range(d.figure, d.low.y, d.high.y);
    cairn_figure_size(d.figure, 90 * (d.high.x - d.low.x) + 40, 90 * (d.high.y - d.low.y) + 60);
    return CAIRN_OK;
}
