/* SPDX-License-Identifier: MIT */
/* Plots of Markov chains and hidden Markov models: states and moves, what they give off, the
 * trellis. */
#include "plots/chain_plot.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>

enum { MOST_TRELLIS_STEPS = 30, MOST_TRELLIS_STATES = 12 };

/* -- drawing of state diagrams, with the pieces that plots are made of -- */

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

static double apart(point a, point b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

/* What lies `buffer` around a point is in the picture. */
static void keep_buffer(diagram *d, point at, double buffer)
{
    d->low = (point){fmin(d->low.x, at.x - buffer), fmin(d->low.y, at.y - buffer)};
    d->high = (point){fmax(d->high.x, at.x + buffer), fmax(d->high.y, at.y + buffer)};
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
    keep_buffer(d, (point){at.x - d->wide, at.y - state_radius}, 0.1);
    keep_buffer(d, (point){at.x + d->wide, at.y + state_radius}, 0.1);
}

/* The number beside a line at `at`, off in the direction `aside`, further off where it is wide. */
static void draw_probability(diagram *d, point at, point aside, double p)
{
    char text[CAIRN_NUMBER_SIZE];
    size_t length = cairn_number_format(text, p, 3);
    double off = label_off + half_letter * (double)length * fabs(aside.x);
    at = (point){at.x + off * aside.x, at.y + off * aside.y};
    cairn_figure_text(d->figure, at.x, at.y - text_down, 'c', text);
    keep_buffer(d, at, half_letter * (double)length + 0.05);
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
    for (size_t k = 0; k < kept; k++) keep_buffer(d, (point){x[k], y[k]}, 0.05);
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
    keep_buffer(d, points[at], gap);
    d->numbers[d->n_numbers++] = points[at];
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
    for (size_t i = 0; i < d.n; i++) {
        point u = direction(&d, i);
        d.places[i] = (point){d.ring * u.x, d.ring * u.y};
    }
    cairn_figure_no_axes(d.figure);
    cairn_figure_equal_axes(d.figure);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double p = move[i * n + j];
            if (p > 0 && i == j) draw_loop(&d, i, p);
            if (p > 0 && i != j) {
                /* From state i to another; with few states the number stands beside the line,
                 * near the beginning, where fewer lines cross. */
                point a = d.places[i], b = d.places[j], points[CURVE + 1];
                double length = apart(a, b);
                point aside = {-(b.y - a.y) / length, (b.x - a.x) / length};
                bend_move(&d, i, j, 1, points);
                if (d.n > FEW_STATES) {
                    draw_interrupted(&d, i, j, points, p);
                    continue;
                }
                draw_outside(&d, points, CURVE + 1, a, b);
                draw_probability(&d, points[length > far ? CURVE / 4 : CURVE * 3 / 8], aside, p);
            }
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

/* -- drawing of what states give off -- */

enum { BALLS = 10, ACROSS = 3, DENSITY_CURVE = 200, ROUND = 72 };
static const double means_apart = 1.7, half_width = 0.5,
                    ball = 0.3; /* of urns, and between balls */

cairn_status cairn_emission_bars(cairn_context *ctx, cairn_figure **out, const cairn_emissions *e)
{
    SCOPED_SCRATCH(ctx);
    double *heights;
    CHECK(SCRATCH(ctx, &heights, e->n_states));
    CHECK(cairn_figure_new(ctx, out, "emissions", "What the states give off"));
    cairn_figure_axes(*out, "state", "probability");
    cairn_figure_stacked(*out);
    for (size_t k = 0; k < e->n_symbols; k++) {
        for (size_t i = 0; i < e->n_states; i++) heights[i] = e->emit[i * e->n_symbols + k];
        cairn_figure_bars(*out, e->names[k], e->states, heights, e->n_states);
    }
    return CAIRN_OK;
}

/* -- urns -- */

/* How many of the balls each symbol gets. */
static void share_balls(const double *shares, size_t n, int *balls)
{
    int left = BALLS;
    for (size_t k = 0; k < n; k++) {
        balls[k] = (int)floor(BALLS * shares[k] + 1e-9);
        left -= balls[k];
    }
    for (; left > 0; left--) {
        size_t best = 0;
        double most = -INFINITY;
        for (size_t k = 0; k < n; k++) {
            double rest = BALLS * shares[k] - balls[k];
            if (rest > most) {
                most = rest;
                best = k;
            }
        }
        balls[best]++;
    }
}

static void draw_urn(cairn_figure *figure, double at, const char *name)
{
    double top = ball * (BALLS / (double)ACROSS + 1.2);
    double x[] = {at - half_width - 0.1, at - half_width, at + half_width, at + half_width + 0.1};
    double y[] = {top, 0, 0, top};
    cairn_figure_guide(figure, x, y, 4);
    cairn_figure_text(figure, at, -0.3, 'c', name);
}

/* Balls lie in rows of three from the bottom, symbol after symbol. */
cairn_status cairn_emission_urns(cairn_context *ctx, cairn_figure **out, const cairn_emissions *e)
{
    SCOPED_SCRATCH(ctx);
    size_t n = 0;
    double *x, *y;
    int32_t *group;
    int *balls;
    CHECK(SCRATCH_EACH(ctx, BALLS * e->n_states, &x, &y, &group));
    CHECK(SCRATCH(ctx, &balls, e->n_symbols));
    CHECK(cairn_figure_new(ctx, out, "urns", "What the states give off"));
    cairn_figure_no_axes(*out);
    for (size_t i = 0; i < e->n_states; i++) {
        double at = means_apart * (double)i;
        size_t first = n;
        share_balls(e->emit + i * e->n_symbols, e->n_symbols, balls);
        for (size_t k = 0; k < e->n_symbols; k++)
            for (int b = 0; b < balls[k]; b++, n++) {
                size_t place = n - first, layer = place / ACROSS;
                x[n] = at + ball * ((double)(place % ACROSS) - 1);
                y[n] = ball * (0.6 + (double)layer);
                group[n] = (int32_t)k;
            }
        draw_urn(*out, at, e->states[i]);
    }
    cairn_figure_points(*out, x, y, group, n, e->names, e->n_symbols);
    cairn_figure_x_range(*out, -1, means_apart * (double)(e->n_states - 1) + 1);
    cairn_figure_y_range(*out, -0.5, 1.7);
    cairn_figure_size(*out, 60 + 110 * (double)e->n_states, 240);
    return CAIRN_OK;
}

/* -- normal densities -- */

static double sd_of(const cairn_emissions *e, size_t state, size_t k)
{
    size_t d = e->n_numbers;
    return sqrt(e->covariance[(state * d + k) * d + k]);
}

/* The densities of all states over one range, to 3.5 standard deviations beyond the means. */
static cairn_status draw_curves(cairn_context *ctx, cairn_figure *figure, const cairn_emissions *e)
{
    double low = INFINITY, high = -INFINITY, *x, *y;
    CHECK(SCRATCH_EACH(ctx, DENSITY_CURVE + 1, &x, &y));
    for (size_t i = 0; i < e->n_states; i++) {
        low = fmin(low, e->mean[i] - 3.5 * sd_of(e, i, 0));
        high = fmax(high, e->mean[i] + 3.5 * sd_of(e, i, 0));
    }
    for (size_t i = 0; i < e->n_states; i++) {
        double sd = sd_of(e, i, 0);
        for (int k = 0; k <= DENSITY_CURVE; k++) {
            x[k] = low + (high - low) * k / DENSITY_CURVE;
            double z = (x[k] - e->mean[i]) / sd;
            y[k] = cairn_exp(-z * z / 2) / (sd * sqrt(turn));
        }
        cairn_figure_line(figure, e->states[i], x, y, DENSITY_CURVE + 1);
    }
    cairn_figure_axes(figure, e->columns ? e->columns[0] : "number", "density");
    return CAIRN_OK;
}

/* One deviation around the mean: the image of a circle under the root of the covariance. */
static cairn_status draw_ellipses(cairn_context *ctx, cairn_figure *figure,
                                  const cairn_emissions *e)
{
    double *x, *y;
    size_t d = e->n_numbers;
    CHECK(SCRATCH_EACH(ctx, ROUND + 1, &x, &y));
    for (size_t i = 0; i < e->n_states; i++) {
        const double *c = e->covariance + i * d * d, *mean = e->mean + i * d;
        double a = sqrt(c[0]), b = c[1] / a, r = sqrt(fmax(0, c[d + 1] - b * b));
        for (int k = 0; k <= ROUND; k++) {
            double u = cairn_cos(turn * k / ROUND), v = cairn_sin(turn * k / ROUND);
            x[k] = mean[0] + a * u;
            y[k] = mean[1] + b * u + r * v;
        }
        cairn_figure_line(figure, e->states[i], x, y, ROUND + 1);
        cairn_figure_mark(figure, NULL, mean[0], mean[1]);
    }
    cairn_figure_axes(figure, e->columns ? e->columns[0] : "first number",
                      e->columns ? e->columns[1] : "second number");
    return CAIRN_OK;
}

cairn_status cairn_emission_normals(cairn_context *ctx, cairn_figure **out,
                                    const cairn_emissions *e)
{
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_figure_new(ctx, out, "densities", "What the states give off"));
    return e->n_numbers == 1 ? draw_curves(ctx, *out, e) : draw_ellipses(ctx, *out, e);
}

/* -- drawing of a trellis: steps from left to right, states from top to bottom -- */

enum { TRELLIS_OUTLINE = 48 };

/* In units of the plot: between steps, between states, half the size of a state. */
static const double across = 1.5, down = 0.9, radius = 0.3;

static double x_of(size_t step)
{
    return across * (double)step;
}

static double y_of(size_t state)
{
    return -down * (double)state;
}

/* A broad arrow in the colour of the path. */
static void draw_strong(cairn_figure *figure, const double x[2], const double y[2])
{
    static const double half = 0.025, head = 0.09, head_length = 0.18;
    double dx = x[1] - x[0], dy = y[1] - y[0], length = sqrt(dx * dx + dy * dy);
    double u = dx / length, v = dy / length, neck = length - head_length;
    const double along[] = {0, neck, neck, length, neck, neck, 0};
    const double aside[] = {half, half, head, 0, -head, -half, -half};
    double outline_x[7], outline_y[7];
    for (int k = 0; k < 7; k++) {
        outline_x[k] = x[0] + along[k] * u - aside[k] * v;
        outline_y[k] = y[0] + along[k] * v + aside[k] * u;
    }
    cairn_figure_shape(figure, 1, outline_x, outline_y, 7);
}

/* An arrow from a state of the step before, between the outlines of both; in colour on the path. */
static void draw_way(cairn_figure *figure, const cairn_trellis *t, size_t step, size_t from,
                     size_t to)
{
    double dx = across, dy = y_of(to) - y_of(from), length = sqrt(dx * dx + dy * dy);
    double rx = radius * dx / length, ry = radius * dy / length;
    double x[] = {x_of(step - 1) + rx, x_of(step) - rx}, y[] = {y_of(from) + ry, y_of(to) - ry};
    bool on_path = t->path[step - 1] == (int32_t)from && t->path[step] == (int32_t)to;
    if (on_path)
        draw_strong(figure, x, y);
    else
        cairn_figure_grey_arrow(figure, x, y, 2);
}

/* A disc with the logarithm in it, in another colour on the path. */
static void draw_node(cairn_figure *figure, const cairn_trellis *t, size_t step, size_t state)
{
    double x[TRELLIS_OUTLINE], y[TRELLIS_OUTLINE], log = t->delta[step * t->n_states + state];
    char text[CAIRN_NUMBER_SIZE];
    for (int k = 0; k < TRELLIS_OUTLINE; k++) {
        x[k] = x_of(step) + radius * cairn_cos(turn * k / TRELLIS_OUTLINE);
        y[k] = y_of(state) + radius * cairn_sin(turn * k / TRELLIS_OUTLINE);
    }
    cairn_figure_shape(figure, t->path[step] == (int32_t)state, x, y, TRELLIS_OUTLINE);
    if (isinf(log))
        cairn_figure_text(figure, x_of(step), y_of(state) - 0.1, 'c', "−∞");
    else if (cairn_number_format(text, log, 3))
        cairn_figure_text(figure, x_of(step), y_of(state) - 0.1, 'c', text);
}

/* Names at the left, what is seen below. */
static void draw_margins(cairn_figure *figure, const cairn_trellis *t)
{
    for (size_t i = 0; i < t->n_states; i++)
        cairn_figure_text(figure, -0.5, y_of(i) - 0.1, 'r', t->states[i]);
    for (size_t s = 0; s < t->n_steps; s++)
        cairn_figure_text(figure, x_of(s), y_of(t->n_states) - 0.05, 'c', t->seen[s]);
}

cairn_status cairn_trellis_plot(cairn_context *ctx, cairn_figure **out, const cairn_trellis *t)
{
    if (t->n_steps > MOST_TRELLIS_STEPS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "at most %d steps can be drawn, and the sequence has %zu",
                          MOST_TRELLIS_STEPS, t->n_steps);
    if (t->n_states > MOST_TRELLIS_STATES)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "at most %d states can be drawn, and the model has %zu",
                          MOST_TRELLIS_STATES, t->n_states);
    CHECK(cairn_figure_new(ctx, out, "trellis", "The most probable path (numbers: ln P)"));
    cairn_figure_no_axes(*out);
    cairn_figure_equal_axes(*out);
    double low = -1.6, high = x_of(t->n_steps - 1) + 0.5, bottom = y_of(t->n_states) - 0.3;
    cairn_figure_x_range(*out, low, high);
    cairn_figure_y_range(*out, bottom, 0.5);
    cairn_figure_size(*out, 75 * (high - low) + 40, 75 * (0.5 - bottom) + 60);
    for (size_t s = 1; s < t->n_steps; s++)
        for (size_t i = 0; i < t->n_states; i++) {
            int32_t from = t->from[s * t->n_states + i];
            if (from >= 0) draw_way(*out, t, s, (size_t)from, i);
        }
    for (size_t s = 0; s < t->n_steps; s++)
        for (size_t i = 0; i < t->n_states; i++) draw_node(*out, t, s, i);
    draw_margins(*out, t);
    return CAIRN_OK;
}
