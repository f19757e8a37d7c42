/* SPDX-License-Identifier: MIT */
/* Pictures of normal classes: the curves of one column with every threshold, and the ellipses of
 * two columns with the boundary. */
#include "base/functions.h"
#include "base/memory.h"
#include "draw/contour.h"
#include "learners/bayes/gaussian.h"
#include <math.h>

enum { CURVE = 301, ROUND = 180, CELLS = 200, MOST_CLASSES = 12 };

/* ln(prior x density) of class c at x. */
static double score_at(const cairn_gaussian_model *m, size_t c, const double *x)
{
    size_t p = m->n_columns;
    const double *f = m->factors + cairn_gaussian_factor(m, c) * cairn_gaussian_size(m);
    double squares = 0;
    for (size_t j = 0; j < p; j++) {
        double sum = 0;
        for (size_t i = m->diagonal ? j : 0; i <= j; i++)
            sum += (x[i] - m->means[c * p + i]) * (m->diagonal ? f[j] : f[i * p + j]);
        squares += sum * sum;
    }
    return m->log_bases[c] - squares / 2;
}

/* Whether some class has a larger score at x than a and b. */
static bool is_third(const cairn_gaussian_model *m, size_t a, size_t b, const double *x)
{
    double most = fmax(score_at(m, a, x), score_at(m, b, x));
    for (size_t c = 0; c < m->n_classes; c++)
        if (c != a && c != b && m->totals[c] > 0 && score_at(m, c, x) > most) return true;
    return false;
}

/* Ends of a column: some deviations around every mean. */
static void find_ends(const cairn_gaussian_model *m, size_t j, double reach, double *low,
                      double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t c = 0; c < m->n_classes; c++) {
        double mean = m->means[c * m->n_columns + j];
        double sd = sqrt(cairn_gaussian_entry(m, c, j, j));
        if (!(m->totals[c] > 0)) continue;
        *low = fmin(*low, mean - reach * sd);
        *high = fmax(*high, mean + reach * sd);
    }
}

static bool can_draw(const cairn_gaussian_model *m, size_t n_columns)
{
    size_t n = 0;
    for (size_t c = 0; c < m->n_classes; c++) n += m->totals[c] > 0;
    return m->n_columns == n_columns && m->n_constant == 0 && n > 0 && n <= MOST_CLASSES;
}

/* -- one column -- */

enum { MOST_THRESHOLDS = MOST_CLASSES * (MOST_CLASSES - 1) };

/* Thresholds between all pairs of classes, where no third one is more probable. */
static cairn_status find_thresholds(cairn_context *ctx, const cairn_gaussian_model *m,
                                    double out[MOST_THRESHOLDS], size_t *n)
{
    cairn_gaussian_boundary boundary;
    *n = 0;
    for (size_t a = 0; a < m->n_classes; a++)
        for (size_t b = a + 1; b < m->n_classes; b++) {
            if (!(m->totals[a] > 0) || !(m->totals[b] > 0)) continue;
            CHECK(cairn_gaussian_boundary_of(ctx, &boundary, m, a, b));
            for (size_t i = 0; i < boundary.n_roots; i++)
                if (!is_third(m, a, b, &boundary.roots[i])) out[(*n)++] = boundary.roots[i];
        }
    return CAIRN_OK;
}

/* The axis reaches to the thresholds that are not farther away than half its length. */
static void widen(double *low, double *high, const double *thresholds, size_t n)
{
    double reach = (*high - *low) / 2, margin = (*high - *low) / 20, from = *low, to = *high;
    for (size_t i = 0; i < n; i++) {
        double at = thresholds[i];
        if (at < from && at > from - reach) *low = fmin(*low, at - margin);
        if (at > to && at < to + reach) *high = fmax(*high, at + margin);
    }
}

static cairn_status draw_densities(cairn_context *ctx, cairn_figure **out, const void *model,
                                   const cairn_job *job)
{
    const cairn_gaussian_model *m = model;
    double low, high, *x, *y, thresholds[MOST_THRESHOLDS];
    size_t at = 0, n, n_shown = 0;
    if (!can_draw(m, 1)) return CAIRN_OK;
    CHECK(find_thresholds(ctx, m, thresholds, &n));
    find_ends(m, 0, 4, &low, &high);
    widen(&low, &high, thresholds, n);
    CHECK(SCRATCH(ctx, &x, CURVE));
    CHECK(SCRATCH(ctx, &y, CURVE));
    CHECK(cairn_figure_new(ctx, out, "densities", "Prior times density of the classes"));
    cairn_figure_axes(*out, cairn_schema_next_feature(job->schema, &at)->name,
                      "P(class) · p(x | class)");
    for (size_t c = 0; c < m->n_classes; c++) {
        if (!(m->totals[c] > 0)) continue;
        size_t peak = (size_t)(0.5 + (m->means[c] - low) / (high - low) * (CURVE - 1));
        for (size_t i = 0; i < CURVE; i++) { /* the point next to the mean is there */
            x[i] = i == peak ? m->means[c] : low + (high - low) * (double)i / (CURVE - 1);
            y[i] = cairn_exp(score_at(m, c, &x[i]));
        }
        cairn_figure_line(*out, cairn_bayes_class(job->schema, c), x, y, CURVE);
    }
    cairn_figure_y_range(*out, 0, NAN);
    for (size_t i = 0; i < n; i++)
        if (thresholds[i] >= low && thresholds[i] <= high)
            cairn_figure_rule_x(*out, n_shown++ ? NULL : "boundary", thresholds[i]);
    return CAIRN_OK;
}

/* -- two columns -- */

/* The ellipse of class c at a Mahalanobis distance: a circle under Cholesky's factor. */
static void ellipse(const cairn_gaussian_model *m, size_t c, double radius, double *x, double *y)
{
    double a = sqrt(cairn_gaussian_entry(m, c, 0, 0)), b = cairn_gaussian_entry(m, c, 0, 1) / a;
    double d = sqrt(fmax(0, cairn_gaussian_entry(m, c, 1, 1) - b * b));
    for (size_t i = 0; i < ROUND; i++) {
        double turn = 2 * 3.14159265358979323846 * (double)i / ROUND;
        double u = radius * cairn_cos(turn), v = radius * cairn_sin(turn);
        x[i] = m->means[2 * c] + a * u;
        y[i] = m->means[2 * c + 1] + b * u + d * v;
    }
}

/* Where each pair of classes shares the largest score, traced on a grid. */
static cairn_status draw_boundaries(cairn_context *ctx, cairn_figure *figure,
                                    const cairn_gaussian_model *m, const double low[2],
                                    const double high[2])
{
    double *values, dx = (high[0] - low[0]) / CELLS, dy = (high[1] - low[1]) / CELLS;
    cairn_contour all = {0}, one;
    CHECK(SCRATCH_RAW(ctx, &values, (size_t)(CELLS + 1) * (CELLS + 1)));
    cairn_contour_grid grid = {values, CELLS + 1, CELLS + 1, low[0], low[1], dx, dy};
    for (size_t a = 0; a < m->n_classes; a++)
        for (size_t b = a + 1; b < m->n_classes; b++) {
            if (!(m->totals[a] > 0) || !(m->totals[b] > 0)) continue;
            for (size_t i = 0; i < (size_t)(CELLS + 1) * (CELLS + 1); i++) {
                size_t column = i % (CELLS + 1), line = i / (CELLS + 1);
                double at[2] = {low[0] + dx * (double)column, low[1] + dy * (double)line};
                values[i] = is_third(m, a, b, at) ? NAN : score_at(m, a, at) - score_at(m, b, at);
            }
            CHECK(cairn_contour_trace(ctx, &one, &grid, 0));
            CHECK(cairn_contour_join(ctx, &all, &one));
        }
    if (all.n) cairn_figure_dark(figure, "boundary", all.x, all.y, all.n);
    return CAIRN_OK;
}

static cairn_status draw_contours(cairn_context *ctx, cairn_figure **out, const void *model,
                                  const cairn_job *job)
{
    const cairn_gaussian_model *m = model;
    double x[ROUND], y[ROUND], low[2], high[2], means[2][MOST_CLASSES];
    const char *names[MOST_CLASSES], *axes[2];
    int32_t groups[MOST_CLASSES];
    size_t n = 0, at = 0;
    if (!can_draw(m, 2)) return CAIRN_OK;
    for (size_t j = 0; j < 2; j++) {
        find_ends(m, j, 2.5, &low[j], &high[j]);
        axes[j] = cairn_schema_next_feature(job->schema, &at)->name;
    }
    CHECK(cairn_figure_new(ctx, out, "contours", "Densities of the classes"));
    cairn_figure_axes(*out, axes[0], axes[1]);
    for (size_t c = 0; c < m->n_classes; c++) {
        if (!(m->totals[c] > 0)) continue;
        for (int level = 2; level > 0; level--) {
            ellipse(m, c, level, x, y);
            cairn_figure_shape(*out, (int32_t)n, x, y, ROUND);
        }
        names[n] = cairn_bayes_class(job->schema, c);
        means[0][n] = m->means[2 * c];
        means[1][n] = m->means[2 * c + 1];
        groups[n] = (int32_t)n;
        n++;
    }
    cairn_figure_points(*out, means[0], means[1], groups, n, names, n);
    cairn_figure_x_range(*out, low[0], high[0]);
    cairn_figure_y_range(*out, low[1], high[1]);
    return draw_boundaries(ctx, *out, m, low, high);
}

const cairn_model_figure cairn_gaussian_figures[] = {
    {.name = "densities", .make = draw_densities},
    {.name = "contours", .make = draw_contours},
    {0},
};
