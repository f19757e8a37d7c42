/* SPDX-License-Identifier: MIT */
/* cairn compute isometrics: lines of equal value in coverage and ROC space, and cairn compute
 * dominance: classifiers as points, which of them can be best. */
#include "typed/labels.h"
#include "typed/points.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "plots/roc_plot.h"
#include "stats/confusion.h"
#include "report/table_rows.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* -- isometrics -- */

typedef struct isometrics_params {
    double positives, negatives, cost_fp, cost_fn;
    const char *tp, *fp;
} isometrics_params;

static const cairn_param isometrics_table[] = {
    CAIRN_PARAM(isometrics_params, positives, NULL, "(0,inf)", "number of positives"),
    CAIRN_PARAM(isometrics_params, negatives, NULL, "(0,inf)", "number of negatives"),
    CAIRN_PARAM(isometrics_params, cost_fp, "1", "[0,inf)", "cost of a false positive"),
    CAIRN_PARAM(isometrics_params, cost_fn, "1", "(0,inf)", "cost of a false negative"),
    CAIRN_PARAM(isometrics_params, tp, NULL, NULL, "true positives of a point, with --fp"),
    CAIRN_PARAM(isometrics_params, fp, NULL, NULL, "false positives of a point"),
    CAIRN_PARAM_END,
};

static void slope_row(cairn_report *out, const char *title, const char *name, double coverage,
                      double roc)
{
    cairn_report_cell(out, title);
    cairn_report_cell_number(out, coverage, 0, "coverage.%s", name);
    cairn_report_cell_number(out, roc, 0, "roc.%s", name);
}

static void point_row(cairn_report *out, const char *title, const char *name, double value,
                      double slope, const char *through)
{
    cairn_report_prefix(out, "point.%s", name);
    cairn_report_cells(out, "- @ @.slope", title, value, slope, through);
}

/* -- picture -- */

/* The line through (fp, tp) of the given slope, cut at the box. */
static void draw_line(cairn_figure *f, const char *label, const isometrics_params *p, double fp,
                      double tp, double slope)
{
    double x[2] = {0, p->negatives}, y[2];
    if (isinf(slope)) {
        cairn_figure_line(f, label, (double[]){fp, fp}, (double[]){0, p->positives}, 2);
        return;
    }
    for (int i = 0; i < 2; i++) {
        y[i] = tp + slope * (x[i] - fp);
        double border = y[i] < 0 ? 0 : p->positives;
        if (y[i] >= 0 && y[i] <= p->positives) continue;
        x[i] = fp + (border - tp) / slope;
        y[i] = border;
    }
    cairn_figure_line(f, label, x, y, 2);
}

/* The coverage box with the point and the lines of equal value through it. */
static cairn_status add_figure(cairn_context *ctx, cairn_report *out, const isometrics_params *p,
                               double fp, double tp)
{
    cairn_figure *f;
    double right = p->negatives, top = p->positives, cost = p->cost_fp / p->cost_fn;
    cairn_status status =
        cairn_figure_new(ctx, &f, "isometrics", "Lines of equal value through the point");
    if (status) return status;
    cairn_figure_axes(f, "negatives covered (FP)", "positives covered (TP)");
    cairn_figure_x_range(f, -0.02 * right, 1.02 * right);
    cairn_figure_y_range(f, -0.02 * top, 1.02 * top);
    cairn_figure_guide(f, (double[]){0, right, right, 0, 0}, (double[]){0, 0, top, top, 0}, 5);
    cairn_figure_dashed(f, "tpr = 1 − fpr", (double[]){0, right}, (double[]){top, 0}, 2);
    draw_line(f, cost == 1 ? "accuracy" : "cost", p, fp, tp, cost);
    draw_line(f, "average recall", p, fp, tp, top / right);
    if (tp + fp > 0) draw_line(f, "precision", p, fp, tp, fp > 0 ? tp / fp : INFINITY);
    draw_line(f, "Laplace precision", p, fp, tp, (tp + 1) / (fp + 1));
    draw_line(f, "F", p, fp, tp, tp / (fp + top));
    cairn_figure_mark(f, "the point", fp, tp);
    status = cairn_figure_status(f);
    if (status)
        cairn_figure_free(f);
    else
        cairn_report_figure(out, f);
    return status;
}

/* The lines through a point of coverage space. */
static cairn_status show_point(cairn_context *ctx, cairn_report *out, const isometrics_params *p)
{
    double tp, fp;
    cairn_binary_measures m;
    if (!p->tp || !p->fp) return cairn_fail(ctx, CAIRN_USAGE, "a point needs both {tp} and {fp}");
    CHECK(cairn_read_count(ctx, &tp, "tp", p->tp));
    CHECK(cairn_read_count(ctx, &fp, "fp", p->fp));
    if (tp > p->positives || fp > p->negatives)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the point lies outside the box: {tp} is at most the "
                          "positives, {fp} at most the negatives");
    cairn_binary_counts c = {tp, p->positives - tp, fp, p->negatives - fp};
    cairn_binary_measures_of(&m, c, CAIRN_UNDEFINED_NA);
    double weighted = (p->cost_fn * tp + p->cost_fp * c.tn) /
                      (p->cost_fn * p->positives + p->cost_fp * p->negatives);
    cairn_report_table_of(out, "Lines through the point (FP, TP), slopes in coverage space", 0,
                          "lrrl", "measure", "value there", "slope", "also goes through");
    point_row(out, "accuracy", "accuracy", m.accuracy, 1, "");
    point_row(out, "weighted by costs", "weighted_accuracy", weighted, p->cost_fp / p->cost_fn, "");
    point_row(out, "average recall", "average_recall", m.average_recall,
              p->positives / p->negatives, "");
    point_row(out, "precision", "precision", m.precision, fp > 0 ? tp / fp : INFINITY, "(0, 0)");
    point_row(out, "Laplace-corrected precision", "laplace_precision", (tp + 1) / (tp + fp + 2),
              (tp + 1) / (fp + 1), "(−1, −1)");
    point_row(out, "F", "f", m.f, tp / (fp + p->positives), "(−Pos, 0)");
    cairn_report_value(out, "accuracy line meets tpr = tnr at tpr", weighted, "descending.tpr");
    cairn_report_value(out, "distance of (fpr, tpr) to (0,1)", m.distance, "point.distance");
    return add_figure(ctx, out, p, fp, tp);
}

/* The slopes, and the values at the point, with the counts put in. */
static void show_work(cairn_report *out, const isometrics_params *p)
{
    double cost = p->cost_fp / p->cost_fn, tp, fp;
    cairn_report_step_begin(out, "The slopes");
    cairn_report_worked(out, "accuracy, coverage space", "cost(FP) / cost(FN) = # / # = #",
                        p->cost_fp, p->cost_fn, cost);
    cairn_report_worked(out, "accuracy, ROC space",
                        "cost(FP) · Neg / (cost(FN) · Pos) = # · # / (# · #) = #", p->cost_fp,
                        p->negatives, p->cost_fn, p->positives, cost * p->negatives / p->positives);
    cairn_report_worked(out, "average recall, coverage space", "Pos / Neg = # / # = #",
                        p->positives, p->negatives, p->positives / p->negatives);
    cairn_report_step_end(out);
    if (!p->tp || !p->fp || !cairn_number_parse(p->tp, strlen(p->tp), &tp) ||
        !cairn_number_parse(p->fp, strlen(p->fp), &fp))
        return;
    cairn_report_step_begin(out, "Lines through the point");
    cairn_report_worked(out, "accuracy", "(TP + TN) / N = (# + #) / # = #", tp, p->negatives - fp,
                        p->positives + p->negatives,
                        (tp + p->negatives - fp) / (p->positives + p->negatives));
    if (fp > 0)
        cairn_report_worked(out, "slope of precision", "TP / FP = # / # = #", tp, fp, tp / fp);
    cairn_report_worked(out, "slope of Laplace precision", "(TP + 1) / (FP + 1) = # / # = #",
                        tp + 1, fp + 1, (tp + 1) / (fp + 1));
    cairn_report_worked(out, "slope of F", "TP / (FP + Pos) = # / (# + #) = #", tp, fp,
                        p->positives, tp / (fp + p->positives));
    cairn_report_step_end(out);
}

static cairn_status isometrics_run(cairn_context *ctx, cairn_report *out,
                                   const cairn_compute_job *job)
{
    const isometrics_params *p = job->params;
    cairn_report_heading(out, 1, "Lines of equal value");
    double cost = p->cost_fp / p->cost_fn, ratio = p->negatives / p->positives;
    cairn_report_table_of(out, "Slopes of lines of equal value", 0, "lrr", "measure",
                          "coverage space", "ROC space");
    slope_row(out, "accuracy, or cost", "accuracy", cost, cost * ratio);
    slope_row(out, "average recall", "average_recall", 1 / ratio, 1);
    cairn_report_formula(out, "coverage space: accuracy 1, average recall Pos/Neg");
    cairn_report_formula(out, "ROC space: accuracy (cost₋·Neg)/(cost₊·Pos), average recall 1");
    if (p->tp || p->fp) CHECK(show_point(ctx, out, p));
    if (job->steps) show_work(out, p);
    cairn_report_paragraph(out,
                           "Precision is constant on rays through the origin, Laplace-corrected "
                           "precision on rays through (−1,−1). A steeper line of accuracy means "
                           "that negatives weigh more.");
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_isometrics = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "isometrics",
              .also = "iso-performance lines, isometric, iso-accuracy lines",
              .title = "Lines of equal value in coverage and ROC space",
              .summary = "Slopes of the lines on which accuracy, cost and average recall are the "
                         "same, for given numbers of positives and negatives and costs; with a "
                         "point also its values and the lines of precision and F through it.",
              .references = "Fürnkranz, Flach: ROC 'n' Rule Learning, Machine Learning 58, 2005",
              .example = "cairn compute isometrics --positives 75 --negatives 25 --tp 60 --fp 10",
              .params = isometrics_table,
              .params_size = sizeof(isometrics_params)},
    .arguments = "",
    .run = isometrics_run,
};

/* -- dominance -- */

typedef struct dominance_params {
    const char *points, *positive;
    bool coverage;
} dominance_params;

static const cairn_param dominance_table[] = {
    CAIRN_PARAM(dominance_params, points, NULL, NULL,
                "classifiers, typed: tp,fn,fp,tn separated by semicolons, each perhaps with a name "
                "in front, such as 'A=30,20,10,40;B=20,30,5,45'"),
    CAIRN_PARAM(dominance_params, positive, NULL, NULL,
                "of models: the class that counts as positive"),
    CAIRN_PARAM(dominance_params, coverage, "no", NULL, "draw counts in place of rates"),
    CAIRN_PARAM_END,
};

/* Rates, distance, and who dominates whom. */
static cairn_status show_points(cairn_context *ctx, cairn_report *out,
                                const cairn_typed_points *list, bool *front)
{
    cairn_status status = CAIRN_OK;
    size_t nearest = 0;
    double best = INFINITY;
    cairn_report_table_begin(out, "Classifiers as points", 0);
    static const char *const heads[] = {"FP", "TP", "fpr", "tpr", "to (0,1)"};
    cairn_report_column(out, "classifier", 'l');
    for (size_t i = 0; i < 5; i++) cairn_report_column(out, heads[i], 'r');
    cairn_report_column(out, "dominated by", 'l');
    for (size_t i = 0; i < list->n; i++) {
        const cairn_roc_point *p = &list->points[i];
        double fpr = p->fp / p->negatives, tpr = p->tp / p->positives,
               away = cairn_hypot(fpr, 1 - tpr);
        cairn_text by = cairn_text_start(ctx);
        for (size_t j = 0; j < list->n; j++)
            if (cairn_point_dominates(&list->points[j], p) && by.length < 200)
                cairn_text_addf(&by, "%s%s", by.length ? ", " : "", list->points[j].name);
        front[i] = by.length == 0;
        if (away < best - 1e-12) best = away, nearest = i;
        cairn_report_cells(out, "- fp.$1 tp.$1 fpr.$1 tpr.$1 distance.$1 dominated.$1", p->name,
                           p->fp, p->tp, fpr, tpr, away,
                           front[i] ? "none" : cairn_text_string(&by));
        status = cairn_text_status(&by);
        cairn_text_clear(&by);
        if (status) return status;
    }
    cairn_report_word(out, "nearest to (0,1)", list->points[nearest].name, "nearest");
    return status;
}

static cairn_status show_front(cairn_context *ctx, cairn_report *out,
                               const cairn_typed_points *list, const bool *front)
{
    cairn_text names = cairn_text_start(ctx);
    for (size_t i = 0; i < list->n; i++)
        if (front[i])
            cairn_text_addf(&names, "%s%s", names.length ? ", " : "", list->points[i].name);
    cairn_status status = cairn_text_status(&names);
    if (status == CAIRN_OK)
        cairn_report_word(out, "not dominated (Pareto front)", cairn_text_string(&names), "front");
    cairn_text_clear(&names);
    return status;
}

/* A dominated point is never better, whatever the costs; among the others the costs decide. */
/* The rates of the first points with the counts put in. */
static void work_points(cairn_report *out, const cairn_typed_points *list)
{
    enum { MOST_WORKED = 10 };
    for (size_t i = 0; i < list->n && i < MOST_WORKED; i++) {
        const cairn_roc_point *p = &list->points[i];
        double tpr = p->tp / p->positives, fpr = p->fp / p->negatives;
        cairn_report_step_begin(out, "%s", p->name);
        cairn_report_worked(out, "tpr", "TP / Pos = # / # = #", p->tp, p->positives, tpr);
        cairn_report_worked(out, "fpr", "FP / Neg = # / # = #", p->fp, p->negatives, fpr);
        cairn_report_worked(out, "to (0,1)", "√(fpr² + (1 − tpr)²) = √(#² + #²) = #", fpr, 1 - tpr,
                            cairn_hypot(fpr, 1 - tpr));
        cairn_report_step_end(out);
    }
}

static cairn_status dominance_run(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job)
{
    const dominance_params *p = job->params;
    cairn_typed_points list = {0};
    cairn_figure *figure;
    bool *front;
    CHECK(cairn_read_points(ctx, &list, p->points, job->table, "compute dominance"));
    CHECK(SCRATCH(ctx, &front, list.n));
    cairn_report_heading(out, 1, "Classifiers in ROC space");
    cairn_report_formula(out, "A dominates B: tpr(A) ≥ tpr(B) and fpr(A) ≤ fpr(B), one strictly");
    CHECK(show_points(ctx, out, &list, front));
    CHECK(show_front(ctx, out, &list, front));
    if (job->steps) work_points(out, &list);
    cairn_report_paragraph(out,
                           "(0,0) is always negative, (1,1) always positive, (0,1) perfect; on "
                           "the diagonal a classifier only guesses, and one below it becomes one "
                           "above when its predictions are inverted.");
    CHECK(cairn_plot_roc_points(ctx, &figure, list.points, list.n, front, p->coverage));
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_dominance = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "dominance",
              .also = "ROC dominance, ROC space, iso-accuracy",
              .title = "Classifiers as points in ROC space",
              .summary = "Places of classifiers in coverage and ROC space from their four counts, "
                         "which of them dominate which, the front of those that can be best for "
                         "some costs, and their distances to the perfect point. The counts are "
                         "typed, columns of a table, or those of several models on one data file.",
              .references = "Provost, Fawcett: Robust Classification for Imprecise Environments, "
                            "Machine Learning 42, 2001",
              .example = "cairn compute dominance --points 'A=30,20,10,40;B=20,30,20,30'",
              .params = dominance_table,
              .params_size = sizeof(dominance_params)},
    .arguments = "[MODEL ...] [DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .several = true,
    .answers = CAIRN_ANSWERS_POINTS,
    .run = dominance_run,
};
