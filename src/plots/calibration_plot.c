/* SPDX-License-Identifier: MIT */
/* Figures of probabilities. */
#include "plots/calibration_plot.h"

#include "base/memory.h"
#include "base/number.h"
#include "stats/intervals.h"

#include <math.h>
#include <stdio.h>

enum { MAP_STEPS = 400, MOST_ROWS = 400 };

static cairn_status finish(cairn_figure **out, cairn_figure *figure, cairn_status status)
{
    if (status == CAIRN_OK) status = cairn_figure_status(figure);
    if (status == CAIRN_OK)
        *out = figure;
    else
        cairn_figure_free(figure);
    return status;
}

/* -- reliability -- */

/* Mean prediction and share that happened per bin; bins without rows are left out. A line that is
 * alone has intervals; marks have one colour, so several learners have none. */
static cairn_status draw_line(cairn_context *ctx, cairn_figure *f, const cairn_reliability *line,
                              size_t bins, bool alone, bool points)
{
    double *said, *seen, *size, *low, *high;
    size_t m = 0;
    CHECK(SCRATCH_EACH(ctx, bins, &said, &seen, &size, &low, &high));
    for (size_t i = 0; i < line->n; i++) {
        double value = line->p[i], w = line->weights ? line->weights[i] : 1;
        if (line->happened[i] < 0 || !(value >= 0 && value <= 1)) continue;
        size_t bin = (size_t)(value * (double)bins);
        if (bin == bins) bin--;
        said[bin] += w * value;
        seen[bin] += line->happened[i] == 1 ? w : 0;
        size[bin] += w;
    }
    for (size_t b = 0; b < bins; b++) {
        if (!(size[b] > 0)) continue;
        cairn_interval interval;
        cairn_share_interval(seen[b] / size[b], size[b], 0.95, &interval);
        low[m] = interval.low, high[m] = interval.high;
        said[m] = said[b] / size[b];
        seen[m++] = seen[b] / size[b];
    }
    if (alone) cairn_figure_band(f, "95% of each share", said, low, high, m);
    if (!points && m == 1) { /* a single bin is a dash */
        const double x[2] = {said[0] - 0.015, said[0] + 0.015}, y[2] = {seen[0], seen[0]};
        cairn_figure_line(f, line->name, x, y, 2);
    } else {
        cairn_figure_line(f, line->name, said, seen, m);
    }
    if (points) cairn_figure_points(f, said, seen, NULL, m, NULL, 0);
    return CAIRN_OK;
}

static cairn_status open_reliability(cairn_context *ctx, cairn_figure **out, const char *share)
{
    cairn_status status = cairn_figure_new(ctx, out, "reliability", "Reliability diagram");
    if (status) return status;
    cairn_figure_axes(*out, "predicted probability", share);
    cairn_figure_x_range(*out, -0.02, 1.02);
    cairn_figure_y_range(*out, -0.02, 1.02);
    cairn_figure_equal_axes(*out);
    cairn_figure_size(*out, 400, 400);
    return CAIRN_OK;
}

static void draw_perfect(cairn_figure *f)
{
    cairn_figure_dashed(f, "perfect", (double[]){0, 1}, (double[]){0, 1}, 2);
}

cairn_status cairn_plot_reliabilities(cairn_context *ctx, cairn_figure **out,
                                      const cairn_reliability *lines, size_t n_lines,
                                      const char *share, size_t bins)
{
    cairn_figure *f;
    cairn_status status = open_reliability(ctx, &f, share);
    if (status) return status;
    for (size_t i = 0; i < n_lines && status == CAIRN_OK; i++)
        status = draw_line(ctx, f, &lines[i], bins, n_lines == 1, n_lines == 1);
    draw_perfect(f); /* last, so that lines have the colours that they have elsewhere */
    return finish(out, f, status);
}

/* One class of several as a line. */
static cairn_status draw_class(cairn_context *ctx, cairn_figure *f, const double *p,
                               const int32_t *classes, const double *weights, size_t n, size_t k,
                               size_t class, const char *name, size_t bins, bool alone)
{
    SCOPED_SCRATCH(ctx);
    double *column;
    int32_t *happened;
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &column, &happened));
    for (size_t i = 0; i < n; i++) {
        column[i] = p[i * k + class];
        happened[i] = classes[i] < 0 ? -1 : (size_t)classes[i] == class;
    }
    cairn_reliability line = {column, happened, weights, n, name};
    return draw_line(ctx, f, &line, bins, alone, true);
}

cairn_status cairn_plot_reliability(cairn_context *ctx, cairn_figure **out, const double *p,
                                    const int32_t *classes, const double *weights, size_t n,
                                    size_t k, const char *const *names, int32_t only, size_t bins)
{
    cairn_figure *f;
    cairn_status status = open_reliability(ctx, &f, "share of the class");
    if (status) return status;
    draw_perfect(f);
    for (size_t class = 0; class < k && status == CAIRN_OK; class ++)
        if (only < 0 || (size_t)only == class)
            status = draw_class(ctx, f, p, classes, weights, n, k, class,
                                names ? names[class] : NULL, bins, only >= 0 || k == 1);
    return finish(out, f, status);
}

/* -- maps -- */

static void draw_map(cairn_figure *f, const cairn_calibration_curve *c, double low, double high)
{
    double x[MAP_STEPS + 1], y[MAP_STEPS + 1];
    for (int i = 0; i <= MAP_STEPS; i++) {
        x[i] = low + (high - low) * i / MAP_STEPS;
        y[i] = cairn_calibration_apply(c->calibration, x[i]);
    }
    cairn_figure_line(f, c->name, x, y, MAP_STEPS + 1);
}

/* The rows: positives at 1, negatives at 0. */
static cairn_status draw_rows(cairn_context *ctx, cairn_figure *f, const cairn_ranking *r)
{
    static const char *const names[] = {"negatives", "positives"};
    double *x, *y;
    int32_t *group;
    size_t n = 0;
    if (r->n > MOST_ROWS) return CAIRN_OK;
    CHECK(SCRATCH_EACH(ctx, 2 * r->n, &x, &y, &group));
    for (size_t i = 0; i < r->n; i++)
        for (int32_t class = 0; class < 2; class ++) {
            if (!((class ? r->segments[i].positives : r->segments[i].negatives) > 0)) continue;
            x[n] = r->segments[i].score, y[n] = class, group[n++] = class;
        }
    cairn_figure_points(f, x, y, group, n, names, 2);
    return CAIRN_OK;
}

cairn_status cairn_plot_calibration(cairn_context *ctx, cairn_figure **out,
                                    const cairn_calibration_curve *curves, size_t n,
                                    const cairn_ranking *r, const char *score, bool thresholds)
{
    cairn_figure *f;
    double high = r->segments[0].score, low = r->segments[r->n - 1].low_score;
    double margin = high > low ? (high - low) / 20 : 1;
    cairn_status status = cairn_figure_new(ctx, &f, "calibration", "Calibration map");
    if (status) return status;
    cairn_figure_axes(f, score ? score : "score", "probability of the positive class");
    cairn_figure_y_range(f, -0.04, 1.04);
    for (size_t i = 0; i < n; i++) draw_map(f, &curves[i], low - margin, high + margin);
    status = draw_rows(ctx, f, r);
    cairn_figure_rule_y(f, NULL, 0.5);
    for (size_t i = 0; i < n && thresholds; i++) {
        double at = cairn_calibration_threshold(curves[i].calibration, 0.5);
        char label[120], place[CAIRN_NUMBER_SIZE];
        cairn_number_format(place, at, 4);
        snprintf(label, sizeof label, "½ of %.60s: %s", curves[i].name, place);
        if (at >= low && at <= high) cairn_figure_rule_x(f, label, at);
    }
    return finish(out, f, status);
}
