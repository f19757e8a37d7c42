/* SPDX-License-Identifier: MIT */
/* Mixtures as pictures: of one number column the density and its components, of two the ellipses of
 * the components at one and two deviations. */
#include "base/functions.h"
#include "base/memory.h"
#include "learners/density/mixture.h"
#include "parallel/sort.h"
#include <math.h>
#include <stdio.h>

enum { GRID = 200, NEAR = 29, TURN = 64, DRAWN_ROWS = 500, DRAWN_COMPONENTS = 20, MOST_BINS = 30 };

static const double two_pi = 6.283185307179586477;

/* Weight times density of component c at x, of one number column. */
static double part_density(const cairn_mixture_model *m, size_t c, double x)
{
    double v = cairn_mixture_covariance_in_units(m, c, 0, 0);
    double u = x - cairn_mixture_mean_in_units(m, c, 0);
    return m->values[c] * cairn_exp(-0.5 * u * u / v) / sqrt(two_pi * v);
}

/* Places in order, GRID equally spaced ones that hold three and a half deviations of each component
 * and NEAR around each mean, so that no peak is stepped over, however narrow it is. */
static cairn_status place_grid(cairn_context *ctx, double **out, size_t *n,
                               const cairn_mixture_model *m)
{
    size_t near = m->k < DRAWN_COMPONENTS ? m->k : DRAWN_COMPONENTS;
    double low = INFINITY, high = -INFINITY;
    *n = GRID + NEAR * near;
    CHECK(SCRATCH(ctx, out, *n));
    for (size_t c = 0; c < m->k; c++) {
        double sd = sqrt(cairn_mixture_covariance_in_units(m, c, 0, 0));
        double mean = cairn_mixture_mean_in_units(m, c, 0);
        low = fmin(low, mean - 3.5 * sd);
        high = fmax(high, mean + 3.5 * sd);
        for (int i = 0; c < near && i < NEAR; i++) {
            int step = i - NEAR / 2;
            (*out)[GRID + NEAR * c + (size_t)i] = mean + sd * 0.25 * step;
        }
    }
    for (size_t i = 0; i < GRID; i++) (*out)[i] = low + (high - low) * (double)i / (GRID - 1);
    return cairn_sort_numbers(ctx, *out, *n);
}

/* The mixture as a dark line, and over it, so that they are seen, its components. */
static cairn_status draw_curves(cairn_context *ctx, cairn_figure *figure,
                                const cairn_mixture_model *m)
{
    double *x, *y, *sum;
    size_t n;
    char label[32];
    CHECK(place_grid(ctx, &x, &n, m));
    CHECK(SCRATCH_EACH(ctx, n, &y, &sum));
    for (size_t c = 0; c < m->k; c++)
        for (size_t i = 0; i < n; i++) sum[i] += part_density(m, c, x[i]);
    cairn_figure_thick(figure, "mixture", x, sum, n);
    for (size_t c = 0; c < m->k && c < DRAWN_COMPONENTS; c++) {
        for (size_t i = 0; i < n; i++) y[i] = part_density(m, c, x[i]);
        snprintf(label, sizeof label, "component %zu", c + 1);
        cairn_figure_dashed(figure, label, x, y, n);
    }
    return CAIRN_OK;
}

/* Bars of the heights as one grey area behind the curves, which so keep their colours. */
static void draw_bars(cairn_figure *figure, double low, double width, const double *heights,
                      size_t n)
{
    double x[2 * MOST_BINS], top[2 * MOST_BINS], bottom[2 * MOST_BINS] = {0};
    for (size_t b = 0; b < 2 * n; b++) {
        size_t edge = (b + 1) / 2;
        x[b] = low + width * (double)edge;
        top[b] = heights[b / 2];
    }
    cairn_figure_shade(figure, "rows", -1, 0.5, x, bottom, top, 2 * n);
}

/* The rows as a histogram of the area 1. */
static void draw_histogram(cairn_figure *figure, const cairn_mixture_rows *rows)
{
    double low = INFINITY, high = -INFINITY, total = 0, heights[MOST_BINS] = {0};
    size_t n = (size_t)fmin(MOST_BINS, ceil(sqrt((double)rows->n)));
    for (size_t i = 0; i < rows->n; i++) {
        double x = rows->columns[0][cairn_view_row(rows->view, i)];
        low = fmin(low, x), high = fmax(high, x);
        if (!isnan(x)) total += rows->weights[i];
    }
    double width = (high - low) / (double)n;
    if (!(width > 0) || !(total > 0)) return;
    for (size_t i = 0; i < rows->n; i++) {
        double x = rows->columns[0][cairn_view_row(rows->view, i)];
        if (isnan(x)) continue;
        size_t bin = (size_t)((x - low) / width);
        heights[bin < n ? bin : n - 1] += rows->weights[i] / (total * width);
    }
    draw_bars(figure, low, width, heights, n);
}

/* The ellipse of component c at so many deviations: L (cos, sin) with the factor L L' = S. */
static void draw_ellipse(cairn_figure *figure, const cairn_mixture_model *m, size_t c,
                         double deviations)
{
    double xs[TURN + 1], ys[TURN + 1];
    double a = sqrt(cairn_mixture_covariance_in_units(m, c, 0, 0));
    double b = cairn_mixture_covariance_in_units(m, c, 0, 1) / a;
    double d = sqrt(fmax(0, cairn_mixture_covariance_in_units(m, c, 1, 1) - b * b));
    for (size_t i = 0; i <= TURN; i++) {
        double turn = two_pi * (double)i / TURN;
        double u = deviations * cairn_cos(turn), v = deviations * cairn_sin(turn);
        xs[i] = cairn_mixture_mean_in_units(m, c, 0) + a * u;
        ys[i] = cairn_mixture_mean_in_units(m, c, 1) + b * u + d * v;
    }
    if (deviations > 1)
        cairn_figure_shape(figure, (int32_t)c, xs, ys, TURN);
    else
        cairn_figure_guide(figure, xs, ys, TURN + 1);
}

/* Some rows as points, each in the colour of its likeliest component; one with a missing number has
 * no place. */
static cairn_status draw_rows(cairn_context *ctx, cairn_figure *figure,
                              const cairn_mixture_model *m, const cairn_mixture_rows *rows)
{
    cairn_mixture_rows some = *rows;
    cairn_mixture_answer answer = {0};
    double *x, *y;
    if (some.n > DRAWN_ROWS) some.n = DRAWN_ROWS;
    CHECK(SCRATCH_EACH(ctx, some.n, &x, &y, &answer.codes));
    CHECK(cairn_mixture_answers(ctx, &answer, m, &some));
    size_t n = 0;
    for (size_t i = 0; i < some.n; i++) {
        x[n] = rows->columns[0][cairn_view_row(rows->view, i)];
        y[n] = rows->columns[1][cairn_view_row(rows->view, i)];
        answer.codes[n] = answer.codes[i];
        n += !isnan(x[n]) && !isnan(y[n]);
    }
    cairn_figure_points(figure, x, y, answer.codes, n, NULL, 0);
    return CAIRN_OK;
}

/* Component c as its ellipses and mean, named in the legend by an area without size. */
static void draw_component(cairn_figure *figure, const cairn_mixture_model *m, size_t c)
{
    double x = cairn_mixture_mean_in_units(m, c, 0), y = cairn_mixture_mean_in_units(m, c, 1);
    bool last = c + 1 == m->k || c + 1 == DRAWN_COMPONENTS;
    char label[32];
    snprintf(label, sizeof label, "component %zu", c + 1);
    cairn_figure_shade(figure, label, (int32_t)c, 1, &x, &y, &y, 1);
    draw_ellipse(figure, m, c, 2);
    draw_ellipse(figure, m, c, 1);
    cairn_figure_mark(figure, last ? "mean, 1 and 2 deviations" : NULL, x, y);
}

cairn_status cairn_mixture_draw(cairn_context *ctx, cairn_figure **out, const char *name,
                                const char *title, const cairn_mixture_model *m,
                                const char *const *columns, const cairn_mixture_rows *rows)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED_SCRATCH(ctx);
    if (m->d == 0 || m->d > 2) return CAIRN_OK;
    CHECK(cairn_figure_new(ctx, &figure, name, title));
    cairn_figure_axes(figure, columns[0], m->d > 1 ? columns[1] : "density");
    if (m->d == 1 && rows) draw_histogram(figure, rows);
    if (m->d == 1) CHECK(draw_curves(ctx, figure, m));
    if (m->d == 2 && rows) CHECK(draw_rows(ctx, figure, m, rows));
    for (size_t c = 0; m->d == 2 && c < m->k && c < DRAWN_COMPONENTS; c++)
        draw_component(figure, m, c);
    *out = TAKE(figure);
    return CAIRN_OK;
}

/* The picture of a model with so many number columns. */
static cairn_status draw_model(cairn_context *ctx, cairn_figure **out, const char *name,
                               const cairn_mixture_model *m, const cairn_job *job, size_t d)
{
    const char *columns[2] = {NULL};
    size_t at = 0, n = 0;
    if (m->d != d) return CAIRN_OK;
    for (size_t j = 0; j < m->n_columns; j++) {
        const cairn_field *field = cairn_schema_next_feature(job->schema, &at);
        if (!m->levels[j]) columns[n++] = field->name;
    }
    return cairn_mixture_draw(ctx, out, name, "The mixture", m, columns, NULL);
}

static cairn_status draw_densities(cairn_context *ctx, cairn_figure **out, const void *model,
                                   const cairn_job *job)
{
    return draw_model(ctx, out, "densities", model, job, 1);
}

static cairn_status draw_contours(cairn_context *ctx, cairn_figure **out, const void *model,
                                  const cairn_job *job)
{
    return draw_model(ctx, out, "contours", model, job, 2);
}

const cairn_model_figure cairn_mixture_figures[] = {
    {.name = "densities", .make = draw_densities},
    {.name = "contours", .make = draw_contours},
    {0},
};
