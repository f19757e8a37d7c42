/* SPDX-License-Identifier: MIT */
/* Drawing of what states give off. */
#include "plots/emission_plot.h"

#include "base/functions.h"
#include "base/memory.h"

#include <math.h>

enum { BALLS = 10, ACROSS = 3, CURVE = 200, ROUND = 72 };

static const double turn = 6.283185307179586;
static const double apart = 1.7, half_width = 0.5, ball = 0.3; /* of urns, and between balls */

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
    CHECK(SCRATCH(ctx, &x, BALLS * e->n_states));
    CHECK(SCRATCH(ctx, &y, BALLS * e->n_states));
    CHECK(SCRATCH(ctx, &group, BALLS * e->n_states));
    CHECK(SCRATCH(ctx, &balls, e->n_symbols));
    CHECK(cairn_figure_new(ctx, out, "urns", "What the states give off"));
    cairn_figure_no_axes(*out);
    for (size_t i = 0; i < e->n_states; i++) {
        double at = apart * (double)i;
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
    cairn_figure_x_range(*out, -1, apart * (double)(e->n_states - 1) + 1);
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

static cairn_status draw_curves(cairn_context *ctx, cairn_figure *figure, const cairn_emissions *e)
{
    double low = INFINITY, high = -INFINITY, *x, *y;
    CHECK(SCRATCH(ctx, &x, CURVE + 1));
    CHECK(SCRATCH(ctx, &y, CURVE + 1));
    for (size_t i = 0; i < e->n_states; i++) {
        low = fmin(low, e->mean[i] - 3.5 * sd_of(e, i, 0));
        high = fmax(high, e->mean[i] + 3.5 * sd_of(e, i, 0));
    }
    for (size_t i = 0; i < e->n_states; i++) {
        double sd = sd_of(e, i, 0);
        for (int k = 0; k <= CURVE; k++) {
            x[k] = low + (high - low) * k / CURVE;
            double z = (x[k] - e->mean[i]) / sd;
            y[k] = cairn_exp(-z * z / 2) / (sd * sqrt(turn));
        }
        cairn_figure_line(figure, e->states[i], x, y, CURVE + 1);
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
    CHECK(SCRATCH(ctx, &x, ROUND + 1));
    CHECK(SCRATCH(ctx, &y, ROUND + 1));
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
