/* SPDX-License-Identifier: MIT */
/* Drawing of a trellis: steps from left to right, states from top to bottom. */
#include "plots/trellis_plot.h"

#include "base/functions.h"
#include "base/number.h"

#include <math.h>

enum { OUTLINE = 48 };

/* In units of the plot: between steps, between states, half the size of a state. */
static const double across = 1.5, down = 0.9, radius = 0.3;
static const double turn = 6.283185307179586;

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
    double x[OUTLINE], y[OUTLINE], log = t->delta[step * t->n_states + state];
    char text[CAIRN_NUMBER_SIZE];
    for (int k = 0; k < OUTLINE; k++) {
        x[k] = x_of(step) + radius * cairn_cos(turn * k / OUTLINE);
        y[k] = y_of(state) + radius * cairn_sin(turn * k / OUTLINE);
    }
    cairn_figure_shape(figure, t->path[step] == (int32_t)state, x, y, OUTLINE);
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
    if (t->n_steps > CAIRN_MOST_TRELLIS_STEPS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "at most %d steps can be drawn, and the sequence has %zu",
                          CAIRN_MOST_TRELLIS_STEPS, t->n_steps);
    if (t->n_states > CAIRN_MOST_TRELLIS_STATES)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "at most %d states can be drawn, and the model has %zu",
                          CAIRN_MOST_TRELLIS_STATES, t->n_states);
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
