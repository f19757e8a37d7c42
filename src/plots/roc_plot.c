/* SPDX-License-Identifier: MIT */
/* Figures of rankings. */
#include "plots/roc_plot.h"

#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>

enum { MOST_POINTS = 4000, MOST_LABELS = 24, COST_STEPS = 200 };
#define PLOT_SIZE 400.0
#define EDGE      0.04 /* room around the unit square, for marks at the border */

/* Several curves share the points, so that a page of them stays small. */
static size_t points_of(size_t n_curves)
{
    return n_curves > MOST_POINTS / 500 ? 500 : MOST_POINTS / n_curves;
}

/* The points of a curve in the space that is drawn. */
static cairn_status curve_in_space(cairn_context *ctx, double **x, double **y, size_t **at,
                                   size_t *n, const cairn_ranking *r, bool coverage, size_t most)
{
    CHECK(cairn_curve_points(ctx, x, y, at, n, r, most));
    for (size_t i = 0; i < *n && !coverage; i++) {
        (*x)[i] /= r->negatives;
        (*y)[i] /= r->positives;
    }
    return CAIRN_OK;
}

static void draw_frame(cairn_figure *f, const cairn_ranking *r, const cairn_roc_options *o)
{
    double right = o->coverage ? r->negatives : 1, top = o->coverage ? r->positives : 1;
    double ratio = right / top;
    cairn_figure_x_range(f, -EDGE * right, (1 + EDGE) * right);
    cairn_figure_y_range(f, -EDGE * top, (1 + EDGE) * top);
    if (o->coverage) {
        double scale = PLOT_SIZE / fmax(right, top);
        double width = fmax(scale * right, 0.75 * PLOT_SIZE),
               height = fmax(scale * top, PLOT_SIZE / 2);
        cairn_figure_axes(f, "negatives covered (FP)", "positives covered (TP)");
        cairn_figure_size(f, width + 60, height + 60);
    } else {
        cairn_figure_axes(f, "false positive rate", "true positive rate");
        cairn_figure_size(f, PLOT_SIZE, PLOT_SIZE);
    }
    if (ratio > 0.4 && ratio < 2.5) cairn_figure_equal_axes(f);
}

static void draw_diagonals(cairn_figure *f, const cairn_ranking *r, const cairn_roc_options *o)
{
    double right = o->coverage ? r->negatives : 1, top = o->coverage ? r->positives : 1;
    cairn_figure_dashed(f, NULL, (double[]){0, right}, (double[]){0, top}, 2);
    if (o->descending) cairn_figure_dashed(f, NULL, (double[]){0, right}, (double[]){top, 0}, 2);
}

static cairn_status draw_hull(cairn_context *ctx, cairn_figure *f, const cairn_ranking *r,
                              const cairn_roc_options *o, bool lower, const char *of)
{
    cairn_ranking hull;
    char label[120];
    double *x, *y;
    size_t *at, n;
    snprintf(label, sizeof label, "%s%s%.80s", lower ? "lower hull" : "hull", of ? " of " : "",
             of ? of : "");
    if (lower)
        CHECK(cairn_ranking_lower_hull(ctx, &hull, r, o->keep_collinear));
    else if (!o->known_hull || of)
        CHECK(cairn_ranking_hull(ctx, &hull, r, o->keep_collinear));
    else
        hull = *o->known_hull;
    CHECK(curve_in_space(ctx, &x, &y, &at, &n, &hull, o->coverage, MOST_POINTS));
    cairn_figure_beside(f, label, x, y, n);
    return CAIRN_OK;
}

/* The point of a split in the space that is drawn. */
static void mark_split(cairn_figure *f, const char *label, const cairn_ranking *r,
                       const cairn_curve_split *s, bool coverage)
{
    cairn_figure_mark(f, label, coverage ? s->fp : s->fp / r->negatives,
                      coverage ? s->tp : s->tp / r->positives);
}

/* The line through a point of ROC space, cut at the border and drawn in the space that is drawn. */
static void draw_slope(cairn_figure *f, const char *label, double fpr, double tpr, double slope,
                       double right, double top)
{
    double x[2] = {0, 1}, y[2] = {0, 1};
    if (isinf(slope)) x[0] = x[1] = fpr;
    for (int i = 0; i < 2 && !isinf(slope); i++) {
        y[i] = tpr + slope * (x[i] - fpr);
        double border = y[i] < 0 ? 0 : 1;
        if (y[i] >= 0 && y[i] <= 1) continue;
        x[i] = fpr + (border - tpr) / slope;
        y[i] = border;
    }
    for (int i = 0; i < 2; i++) x[i] *= right, y[i] *= top;
    cairn_figure_dashed(f, label, x, y, 2);
}

static cairn_status draw_rules(cairn_context *ctx, cairn_figure *f, const cairn_ranking *r,
                               bool coverage)
{
    static const char *const names[] = {"ML", "MAP"};
    for (int i = 0; i < 2; i++) {
        cairn_curve_split *best;
        size_t n;
        CHECK(cairn_best_splits(ctx, &best, &n, r,
                                cairn_operating_context_of(r, 1, 1, i == 0 ? 1 : 0)));
        double x = coverage ? best[0].fp : best[0].fp / r->negatives;
        double y = coverage ? best[0].tp : best[0].tp / r->positives;
        mark_split(f, NULL, r, &best[0], coverage);
        cairn_figure_label(f, x, y, names[i]);
    }
    return CAIRN_OK;
}

/* The splits at the mean and at the median of the scores. */
static void draw_centres(cairn_figure *f, const cairn_ranking *r, bool coverage)
{
    double sum = 0, all = r->positives + r->negatives, before = 0, median = NAN;
    for (size_t i = 0; i < r->n; i++) {
        double size = r->segments[i].positives + r->segments[i].negatives;
        sum += size * r->segments[i].score;
        if (isnan(median) && before + size >= all / 2) {
            median = r->segments[i].score;
            if (before + size == all / 2 && i + 1 < r->n)
                median = (median + r->segments[i + 1].score) / 2;
        }
        before += size;
    }
    const double at[2] = {sum / all, median};
    for (int k = 0; k < 2; k++) {
        cairn_curve_split s = {0};
        for (size_t i = 0; i < r->n && r->segments[i].score > at[k]; i++)
            s.tp += r->segments[i].positives, s.fp += r->segments[i].negatives;
        mark_split(f, NULL, r, &s, coverage);
        cairn_figure_label(f, coverage ? s.fp : s.fp / r->negatives,
                           coverage ? s.tp : s.tp / r->positives, k == 0 ? "mean" : "median");
    }
}

/* What only the first curve has. */
static cairn_status draw_extras(cairn_context *ctx, cairn_figure *f, const cairn_ranking *r,
                                const cairn_roc_options *o, const double *x, const double *y,
                                const size_t *at, size_t n)
{
    if (o->best && o->isometric > 0) {
        /* The line of equal value through the best point. */
        char label[80], value[CAIRN_NUMBER_SIZE];
        cairn_number_format(value, o->best->value, 4);
        snprintf(label, sizeof label, "line of equal value %s", value);
        draw_slope(f, label, o->best->fp / r->negatives, o->best->tp / r->positives, o->isometric,
                   o->coverage ? r->negatives : 1, o->coverage ? r->positives : 1);
    }
    if (o->thresholds) {
        /* Thresholds at corners, as many as stay readable. */
        size_t step = n > MOST_LABELS ? n / MOST_LABELS + 1 : 1;
        for (size_t i = step; i + 1 < n; i += step) {
            char text[CAIRN_NUMBER_SIZE];
            cairn_number_format(text, cairn_split_threshold(r, at[i]), 3);
            cairn_figure_label(f, x[i], y[i], text);
        }
    }
    if (o->centres) draw_centres(f, r, o->coverage);
    if (o->rules) CHECK(draw_rules(ctx, f, r, o->coverage));
    /* what has a name in the legend lies on top */
    if (o->best) mark_split(f, "chosen", r, o->best, o->coverage);
    if (o->nearest) {
        cairn_curve_split s = o->known ? o->known->nearest : cairn_nearest_split(r);
        mark_split(f, "nearest to (0,1)", r, &s, o->coverage);
    }
    return CAIRN_OK;
}

/* Among several curves the number comes first: it stays when a long name is cut. */
static void curve_label(char out[120], const char *name, const char *measure, double value,
                        bool several)
{
    char number[CAIRN_NUMBER_SIZE];
    cairn_number_format(number, value, 4);
    if (several && name)
        snprintf(out, 120, "%s %s, %.70s", measure, number, name);
    else
        snprintf(out, 120, "%.70s%s%s %s", name ? name : "", name ? ", " : "", measure, number);
}

/* Only the first curve has the area and the extras: with several, these would cover each other. */
static cairn_status fill_roc(cairn_context *ctx, cairn_figure *f, const cairn_roc_curve *curves,
                             size_t n_curves, const cairn_roc_options *o)
{
    draw_frame(f, curves[0].ranking, o);
    if (n_curves == 1) draw_diagonals(f, curves[0].ranking, o);
    for (size_t i = 0; i < n_curves; i++) {
        double *x, *y, *floor;
        size_t *at, n;
        char label[120];
        CHECK(curve_in_space(ctx, &x, &y, &at, &n, curves[i].ranking, o->coverage,
                             points_of(n_curves)));
        CHECK(SCRATCH(ctx, &floor, n));
        curve_label(label, curves[i].name, "AUC",
                    i == 0 && o->known ? o->known->auc : cairn_ranking_auc(curves[i].ranking),
                    n_curves > 1);
        if (i == 0 && o->area) cairn_figure_band(f, NULL, x, floor, y, n);
        cairn_figure_line(f, label, x, y, n);
        const char *of = n_curves > 1 ? curves[i].name : NULL;
        if (o->hull) CHECK(draw_hull(ctx, f, curves[i].ranking, o, false, of));
        if (o->lower_hull) CHECK(draw_hull(ctx, f, curves[i].ranking, o, true, of));
        if (i == 0) CHECK(draw_extras(ctx, f, curves[0].ranking, o, x, y, at, n));
    }
    if (n_curves > 1) /* last, so that curves have the colours that they have elsewhere */
        draw_diagonals(f, curves[0].ranking, o);
    return cairn_figure_status(f);
}

/* Give the figure to the caller, or free it. */
static cairn_status finish(cairn_figure **out, cairn_figure *figure, cairn_status status)
{
    if (status == CAIRN_OK)
        *out = figure;
    else
        cairn_figure_free(figure);
    return status;
}

cairn_status cairn_plot_roc(cairn_context *ctx, cairn_figure **out, const cairn_roc_curve *curves,
                            size_t n, const cairn_roc_options *o)
{
    cairn_figure *figure;
    const char *title = o->title ? o->title : o->coverage ? "Coverage curve" : "ROC curve";
    const char *name = o->name ? o->name : o->coverage ? "coverage" : "roc";
    cairn_status status = cairn_figure_new(ctx, &figure, name, title);
    if (status) return status;
    return finish(out, figure, fill_roc(ctx, figure, curves, n, o));
}

/* -- points -- */

static int by_fpr(const cairn_roc_point *a, const cairn_roc_point *b)
{
    double x = a->fp / a->negatives, y = b->fp / b->negatives;
    if (x != y) return x < y ? -1 : 1;
    return a->tp / a->positives < b->tp / b->positives ? -1 : 1;
}

/* The points that are not dominated, from left to right, with both ends. */
static cairn_status draw_front(cairn_context *ctx, cairn_figure *f, const cairn_roc_point *points,
                               size_t n, const bool *front, bool coverage)
{
    double *x, *y;
    const cairn_roc_point **sorted;
    size_t m = 0;
    CHECK(SCRATCH_EACH(ctx, n + 2, &x, &y));
    CHECK(SCRATCH(ctx, &sorted, n));
    for (size_t i = 0; i < n; i++) {
        if (!front[i]) continue;
        size_t j = m++;
        for (; j > 0 && by_fpr(&points[i], sorted[j - 1]) < 0; j--) sorted[j] = sorted[j - 1];
        sorted[j] = &points[i];
    }
    for (size_t i = 0; i < m; i++) {
        x[i + 1] = sorted[i]->fp / (coverage ? 1 : sorted[i]->negatives);
        y[i + 1] = sorted[i]->tp / (coverage ? 1 : sorted[i]->positives);
    }
    x[m + 1] = coverage ? points[0].negatives : 1;
    y[m + 1] = coverage ? points[0].positives : 1;
    cairn_figure_line(f, "not dominated", x, y, m + 2);
    return CAIRN_OK;
}

/* Points in place of curves, for classifiers without scores; names and lines only while they are
 * few enough to be read. */
static cairn_status fill_points(cairn_context *ctx, cairn_figure *f, const cairn_roc_point *points,
                                size_t n, const bool *front, bool coverage, cairn_point_lines lines)
{
    cairn_ranking box = {.positives = points[0].positives, .negatives = points[0].negatives};
    double *x, *y;
    draw_frame(f, &box, &(cairn_roc_options){.coverage = coverage});
    draw_diagonals(f, &box, &(cairn_roc_options){.coverage = coverage});
    CHECK(SCRATCH_EACH(ctx, n, &x, &y));
    for (size_t i = 0; i < n; i++) {
        x[i] = points[i].fp / (coverage ? 1 : points[i].negatives);
        y[i] = points[i].tp / (coverage ? 1 : points[i].positives);
        if (n <= 40) cairn_figure_label(f, x[i], y[i], points[i].name);
    }
    if (front) CHECK(draw_front(ctx, f, points, n, front, coverage));
    cairn_figure_points(f, x, y, NULL, n, NULL, 0);
    double right = coverage ? box.negatives : 1, top = coverage ? box.positives : 1;
    for (size_t i = 0; i < n && n <= 8; i++) {
        /* The line of equal value through one point, labelled with its name and value. */
        const cairn_roc_point *p = &points[i];
        double fpr = p->fp / p->negatives, tpr = p->tp / p->positives;
        double right_ones = p->tp + p->negatives - p->fp, all = p->positives + p->negatives;
        double value = lines == CAIRN_LINES_ACCURACY ? right_ones / all
                       : lines == CAIRN_LINES_RECALL ? (tpr + 1 - fpr) / 2
                                                     : p->tp / (p->tp + p->fp);
        double slope = lines == CAIRN_LINES_ACCURACY ? p->negatives / p->positives
                       : lines == CAIRN_LINES_RECALL ? 1
                       : fpr > 0                     ? tpr / fpr
                                                     : INFINITY;
        char label[120], number[CAIRN_NUMBER_SIZE];
        if (lines == CAIRN_LINES_NONE || !(p->tp + p->fp > 0)) continue;
        cairn_number_format(number, value, 3);
        snprintf(label, sizeof label, "%s %s, %.60s",
                 lines == CAIRN_LINES_ACCURACY ? "accuracy"
                 : lines == CAIRN_LINES_RECALL ? "average recall"
                                               : "precision",
                 number, p->name);
        draw_slope(f, label, fpr, tpr, slope, right, top);
    }
    cairn_figure_y_range(f, -EDGE * top, 1.1 * top); /* names above the corners */
    cairn_figure_text(f, 0.05 * right, 0, 'l', "always negative");
    cairn_figure_text(f, right, top, 'r', "always positive");
    cairn_figure_text(f, 0, top, 'l', "perfect");
    return cairn_figure_status(f);
}

cairn_status cairn_plot_roc_lines(cairn_context *ctx, cairn_figure **out,
                                  const cairn_roc_point *points, size_t n, const bool *front,
                                  bool coverage, cairn_point_lines lines)
{
    cairn_figure *figure;
    cairn_status status =
        cairn_figure_new(ctx, &figure, coverage ? "coverage" : "roc",
                         coverage ? "Classifiers in coverage space" : "Classifiers in ROC space");
    if (status) return status;
    return finish(out, figure, fill_points(ctx, figure, points, n, front, coverage, lines));
}

cairn_status cairn_plot_roc_points(cairn_context *ctx, cairn_figure **out,
                                   const cairn_roc_point *points, size_t n, const bool *front,
                                   bool coverage)
{
    return cairn_plot_roc_lines(ctx, out, points, n, front, coverage, CAIRN_LINES_NONE);
}

/* -- precision and recall -- */

/* Precision is undefined before the first answer, hence no point there; the rule at the share of
 * positives is what chance gives. */
static cairn_status fill_precision(cairn_context *ctx, cairn_figure *f,
                                   const cairn_roc_curve *curves, size_t n_curves)
{
    cairn_figure_axes(f, "recall", "precision");
    cairn_figure_x_range(f, 0, 1 + EDGE);
    cairn_figure_y_range(f, 0, 1 + EDGE);
    for (size_t i = 0; i < n_curves; i++) {
        const cairn_ranking *r = curves[i].ranking;
        double *x, *y;
        size_t *at, n;
        char label[120];
        CHECK(cairn_curve_points(ctx, &x, &y, &at, &n, r, points_of(n_curves)));
        for (size_t k = 0; k < n; k++) {
            double all = x[k] + y[k], tp = y[k];
            y[k] = all > 0 ? tp / all : NAN;
            x[k] = tp / r->positives;
        }
        curve_label(label, curves[i].name, n_curves > 1 ? "AP" : "average precision",
                    cairn_average_precision(r), n_curves > 1);
        cairn_figure_line(f, label, x, y, n);
    }
    const cairn_ranking *r = curves[0].ranking;
    cairn_figure_rule_y(f, "share of positives", r->positives / (r->positives + r->negatives));
    return cairn_figure_status(f);
}

cairn_status cairn_plot_precision_recall(cairn_context *ctx, cairn_figure **out,
                                         const cairn_roc_curve *curves, size_t n)
{
    cairn_figure *figure;
    cairn_status status =
        cairn_figure_new(ctx, &figure, "precision-recall", "Precision and recall");
    if (status) return status;
    return finish(out, figure, fill_precision(ctx, figure, curves, n));
}

/* -- lift -- */

/* Steps are per cent of the rows taken by score; the last one is always all rows. Only the curve of
 * gain has a point at 0, where the others divide by 0. */
static cairn_status draw_lift(cairn_context *ctx, cairn_figure *f, const cairn_roc_curve *curve,
                              cairn_lift_kind kind, double step)
{
    const cairn_ranking *r = curve->ranking;
    size_t n = (size_t)ceil(100 / step - 1e-9), m = 0;
    double *x, *y, all = r->positives + r->negatives, base = r->positives / all;
    CHECK(SCRATCH_EACH(ctx, n + 1, &x, &y));
    if (kind == CAIRN_LIFT_GAIN) m = 1; /* begins at (0,0) */
    for (size_t i = 1; i <= n; i++, m++) {
        double share = i == n ? 1 : (double)i * step / 100;
        double found = cairn_positives_in_best(r, share), rate = found / (share * all);
        x[m] = 100 * share;
        y[m] = kind == CAIRN_LIFT_LIFT       ? rate / base
               : kind == CAIRN_LIFT_RESPONSE ? 100 * rate
                                             : 100 * found / r->positives;
    }
    cairn_figure_line(f, curve->name ? curve->name : "by score", x, y, m);
    return CAIRN_OK;
}

static cairn_status fill_lift(cairn_context *ctx, cairn_figure *f, const cairn_roc_curve *curves,
                              size_t n, cairn_lift_kind kind, double step)
{
    static const char *const titles[] = {"lift", "response, per cent",
                                         "share of all positives, per cent"};
    const cairn_ranking *r = curves[0].ranking;
    double base = r->positives / (r->positives + r->negatives);
    cairn_figure_axes(f, "best rows, per cent", titles[kind]);
    cairn_figure_x_range(f, 0, 102);
    cairn_figure_y_range(f, 0, NAN);
    for (size_t i = 0; i < n; i++) CHECK(draw_lift(ctx, f, &curves[i], kind, step));
    if (kind == CAIRN_LIFT_GAIN)
        cairn_figure_dashed(f, "at random", (double[]){0, 100}, (double[]){0, 100}, 2);
    else
        cairn_figure_rule_y(f, "at random", kind == CAIRN_LIFT_LIFT ? 1 : 100 * base);
    return cairn_figure_status(f);
}

cairn_status cairn_plot_lift(cairn_context *ctx, cairn_figure **out, const cairn_roc_curve *curves,
                             size_t n, cairn_lift_kind kind, double step)
{
    static const char *const titles[] = {"Lift chart", "Response of the best rows", "Gain chart"};
    cairn_figure *figure;
    cairn_status status = cairn_figure_new(ctx, &figure, "lift", titles[kind]);
    if (status) return status;
    return finish(out, figure, fill_lift(ctx, figure, curves, n, kind, step));
}

/* -- costs -- */

/* The least cost over all thresholds is read off the hull; the dashed tent is what answering the
 * same for all costs. */
static cairn_status fill_cost(cairn_context *ctx, cairn_figure *f, const cairn_roc_curve *curves,
                              size_t n)
{
    double *x;
    CHECK(SCRATCH(ctx, &x, COST_STEPS + 1));
    for (size_t i = 0; i <= COST_STEPS; i++) x[i] = (double)i / COST_STEPS;
    cairn_figure_axes(f, "share of the cost that lies on the positives", "normalised cost");
    cairn_figure_x_range(f, 0, 1);
    cairn_figure_y_range(f, 0, 0.5);
    for (size_t c = 0; c < n; c++) {
        double *y;
        cairn_ranking hull;
        CHECK(cairn_ranking_hull(ctx, &hull, curves[c].ranking, false));
        CHECK(SCRATCH(ctx, &y, COST_STEPS + 1));
        for (size_t i = 0; i <= COST_STEPS; i++) {
            /* Lowest cost over the corners of the hull for one share of the costs. */
            double share = x[i];
            double tp = 0, fp = 0, best = share; /* the split before the first segment */
            for (size_t j = 0; j < hull.n; j++) {
                tp += hull.segments[j].positives, fp += hull.segments[j].negatives;
                best = fmin(best,
                            share * (1 - tp / hull.positives) + (1 - share) * fp / hull.negatives);
            }
            y[i] = best;
        }
        cairn_figure_line(f, curves[c].name ? curves[c].name : "best threshold", x, y,
                          COST_STEPS + 1);
    }
    cairn_figure_dashed(f, "one answer for all", (double[]){0, 0.5, 1}, (double[]){0, 0.5, 0}, 3);
    return cairn_figure_status(f);
}

cairn_status cairn_plot_cost(cairn_context *ctx, cairn_figure **out, const cairn_roc_curve *curves,
                             size_t n)
{
    cairn_figure *figure;
    cairn_status status = cairn_figure_new(ctx, &figure, "cost-curve", "Cost curve");
    if (status) return status;
    return finish(out, figure, fill_cost(ctx, figure, curves, n));
}
