/* SPDX-License-Identifier: MIT */
/* cairn compute calibrated-density: how the calibrated probability F of a feature is spread in each
 * of two classes, when the feature is normal in both with the same variance and the class means are
 * d' deviations apart. Its log-odds are then normal with means -+ d'^2/2 and deviation d', so that
 *
 *     density(F | class) = phi(logit(F) / d' -+ d'/2) / (d' F (1 - F))
 *
 * with + for the negative class. The accuracy of cutting at 1/2 is Phi(d'/2), the area under the
 * ROC curve Phi(d'/sqrt 2). */
#include "model/calculator.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "stats/distributions.h"

#include <math.h>
#include <stdio.h>

typedef struct density_params {
    cairn_list separations, at;
} density_params;

static const cairn_param density_table[] = {
    CAIRN_PARAM_CELLS(density_params, separations, NUMBERS, "0.5,1,1.4,1.8", "(0,inf)",
                      "distances d' between the class means, in deviations"),
    CAIRN_PARAM_CELLS(density_params, at, NUMBERS, "0.1,0.3,0.5,0.7,0.9", "(0,1)",
                      "probabilities F at which the densities are tabulated"),
    CAIRN_PARAM_END,
};

/* `sign` is 1 for the positive class, -1 for the negative. */
static double density_at(double f, double d, double sign)
{
    double odds = cairn_log(f / (1 - f));
    return cairn_normal_density(odds / d - sign * d / 2) / (d * f * (1 - f));
}

/* Accuracy and area follow from the distance of the means alone, so they are the key to the
 * table. */
/* The two shares, and the densities at the first probabilities, with the numbers put in. */
static void show_work(cairn_report *out, double d, const double *f, size_t m)
{
    enum { MOST_WORKED = 5 };
    cairn_report_step_begin(out, "The numbers");
    cairn_report_worked(out, "right when cut at 1/2", "Φ(d'/2) = Φ(#) = #", d / 2,
                        cairn_normal_lower(d / 2));
    cairn_report_worked(out, "area", "Φ(d'/√2) = Φ(#) = #", d / sqrt(2),
                        cairn_normal_lower(d / sqrt(2)));
    for (size_t i = 0; i < m && i < MOST_WORKED; i++) {
        double odds = cairn_log(f[i] / (1 - f[i]));
        cairn_report_worked(out, "log-odds", "ln(# / #) = #", f[i], 1 - f[i], odds);
        cairn_report_worked(out, "positive class", "φ(#/# − #/2) / (# · # · #) = #", odds, d, d, d,
                            f[i], 1 - f[i], density_at(f[i], d, 1));
        cairn_report_worked(out, "negative class", "φ(#/# + #/2) / (# · # · #) = #", odds, d, d, d,
                            f[i], 1 - f[i], density_at(f[i], d, -1));
    }
    cairn_report_step_end(out);
}

static void tabulate(cairn_report *out, double d, size_t number, const cairn_list *at, bool steps)
{
    const double *f = at->values;
    char text[CAIRN_NUMBER_SIZE];
    cairn_number_format(text, d, 6);
    cairn_report_heading(out, 2, "d' = %s", text);
    cairn_report_value(out, "right when cut at 1/2", cairn_normal_lower(d / 2),
                       "separation%zu.accuracy", number);
    cairn_report_value(out, "area under the ROC curve", cairn_normal_lower(d / sqrt(2)),
                       "separation%zu.auc", number);
    cairn_report_table_of(out, NULL, 0, "rrr", "F", "positive class", "negative class");
    for (size_t i = 0; i < at->n; i++) {
        cairn_report_prefix(out, "separation%zu.positive.%zu", number, i + 1);
        cairn_report_cells(out, "- @", f[i], density_at(f[i], d, 1));
        cairn_report_cell_number(out, density_at(f[i], d, -1), 0, "separation%zu.negative.%zu",
                                 number, i + 1);
    }
    if (steps) show_work(out, d, f, at->n);
}

/* Ends are left out, as the density may be infinite there. */
static cairn_status draw_panel(cairn_context *ctx, cairn_figure *figure, double d)
{
    enum { POINTS = 199 };
    double x[POINTS], y[2][POINTS];
    char title[64] = "d' = ";
    cairn_figure *panel = NULL;
    cairn_number_format(title + 5, d, 4);
    cairn_status status = cairn_figure_new(ctx, &panel, "density", title);
    if (status) return status;
    for (int i = 0; i < POINTS; i++) {
        x[i] = (i + 1) / (double)(POINTS + 1);
        y[0][i] = density_at(x[i], d, -1);
        y[1][i] = density_at(x[i], d, 1);
    }
    cairn_figure_size(panel, 260, 240);
    cairn_figure_axes(panel, "calibrated feature", "density");
    cairn_figure_line(panel, "negative", x, y[0], POINTS);
    cairn_figure_line(panel, "positive", x, y[1], POINTS);
    cairn_figure_panel(figure, panel);
    return CAIRN_OK;
}

/* One table for each separation; at most six are drawn, as more panels would not be legible. */
static cairn_status density_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const density_params *p = job->params;
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    const double *d = p->separations.values;
    size_t n = p->separations.n;
    cairn_report_heading(out, 1, "Densities of a calibrated feature");
    cairn_report_formula(out, "density(F) = φ(ln(F/(1−F)) / d' ∓ d'/2) / (d' F (1−F))");
    for (size_t i = 0; i < n; i++) tabulate(out, d[i], i + 1, &p->at, job->steps);
    CHECK(
        cairn_figure_new(ctx, &figure, "calibrated-density", "Densities of a calibrated feature"));
    for (size_t i = 0; i < n && i < 6; i++) CHECK(draw_panel(ctx, figure, d[i]));
    cairn_report_figure(out, figure);
    figure = NULL;
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_calibrated_density = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "calibrated-density",
              .also = "beta density of a calibrated feature",
              .title = "Densities of a calibrated feature",
              .summary = "A feature that is normal in two classes, with means d' deviations apart, "
                         "becomes a probability by logistic calibration. Tabulates and draws how "
                         "that probability is spread in each class, with the accuracy and the area "
                         "under the ROC curve that d' allows.",
              .references = "Flach, Machine Learning, Cambridge University Press 2012",
              .example = "cairn compute calibrated-density --separations 0.5,1.8",
              .params = density_table,
              .params_size = sizeof(density_params)},
    .arguments = "",
    .run = density_run,
};
