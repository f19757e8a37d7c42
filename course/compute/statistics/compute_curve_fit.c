/* SPDX-License-Identifier: MIT */
/* cairn compute curve-fit: curves of one input compared: polynomials of several degrees, steps,
 * power laws and logarithms, and what learners make of the same points. */
#include "compute/statistics/curve_fits.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "rows/matrix.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

enum { SHOWN_WEIGHTS = 10, SHOWN_CURVES = 10, STEP_ROWS = 50, MATRIX = 6 };

static const cairn_param curve_fit_table[] = {
    CAIRN_PARAM_AS(cairn_curve_fit_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "the input; the first feature of numbers if not given"),
    CAIRN_PARAM_AS(cairn_curve_fit_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "the column that is fitted; the target if not given"),
    CAIRN_PARAM_CELLS(cairn_curve_fit_params, degrees, WHOLE, "1,2,3", "[0,60]",
                      "degrees of polynomials; empty = none", .often = true),
    CAIRN_PARAM_CELLS(cairn_curve_fit_params, segments, WHOLE, NULL, "[1,200]",
                      "numbers of segments with a constant on each, cut where that is best",
                      .often = true),
    CAIRN_PARAM(cairn_curve_fit_params, power, "no", NULL,
                "a x^b, as a line through the logarithms and directly", .often = true),
    CAIRN_PARAM(cairn_curve_fit_params, log, "no", NULL, "a + b ln x", .often = true),
    {.name = "learner",
     .names = "learner",
     .type = CAIRN_TYPE_SPEC,
     .offset = offsetof(cairn_curve_fit_params, learner),
     .help = "what a learner makes of the points, such as knn:k=3; may be given several times",
     .repeated = true},
    CAIRN_PARAM_TRANSFORMS(cairn_curve_fit_params,
                           "a transform before the learners; may be given several times, in order",
                           .when = "learner"),
    CAIRN_PARAM_CELLS(cairn_curve_fit_params, at, NUMBERS, NULL, NULL,
                      "values of the curves at these x"),
    CAIRN_PARAM(cairn_curve_fit_params, lambda, CAIRN_NOT_GIVEN, "[0,inf)",
                "show beside each polynomial the one with the least E + λ/2 Σ w², the constant "
                "penalised too"),
    CAIRN_PARAM(cairn_curve_fit_params, move, NULL, NULL,
                "fit again with a point moved to x,y (5:30,2) or left out (5:out)"),
    {.name = "function",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(cairn_curve_fit_params, function),
     .help = "a function of x that is drawn with the curves: 'true=65*x^0.3'",
     .repeated = true},
    CAIRN_PARAM(cairn_curve_fit_params, errors, "yes", NULL,
                "draw the error of every point where a plot has one curve"),
    CAIRN_PARAM(cairn_curve_fit_params, means, "no", NULL, "draw lines at the means of x and y"),
    CAIRN_PARAM(cairn_curve_fit_params, panels, "no", NULL, "draw a panel for each curve"),
    CAIRN_PARAM_END,
};

/* -- the comparison -- */

static double total_weight(const cairn_points_xy *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->n; i++) sum += p->weights ? p->weights[i] : 1;
    return sum;
}

/* Sum of squares of y about its mean. */
static double spread_of(const cairn_points_xy *p)
{
    double mean = 0, total = 0, sum = 0;
    for (size_t i = 0; i < p->n; i++) {
        double w = p->weights ? p->weights[i] : 1;
        total += w;
        mean += w * (p->y[i] - mean) / total;
    }
    for (size_t i = 0; i < p->n; i++)
        sum += (p->weights ? p->weights[i] : 1) * (p->y[i] - mean) * (p->y[i] - mean);
    return sum;
}

static void show_row(cairn_report *out, const cairn_fitted_curve *c, const cairn_points_xy *points,
                     const char *after)
{
    double n = total_weight(points), spread = spread_of(points), sse = c->sse;
    double variance = sse / n, parameters = c->model ? NAN : (double)c->curve.n_parameters;
    double likelihood =
        variance > 0 ? -n / 2 * (cairn_log(2 * 3.14159265358979323846 * variance) + 1) : INFINITY;
    cairn_report_cell(out, c->label);
    cairn_report_cell_number(out, parameters, 6, "%s%s.parameters", after, c->key);
    cairn_report_cell_number(out, n / parameters, 4, "%s%s.points", after, c->key);
    cairn_report_cell_number(out, sse, 6, "%s%s.sse", after, c->key);
    cairn_report_cell_number(out, sse / 2, 6, "%s%s.E", after, c->key);
    cairn_report_cell_number(out, variance, 6, "%s%s.variance", after, c->key);
    cairn_report_cell_number(out, likelihood, 6, "%s%s.likelihood", after, c->key);
    cairn_report_cell_number(out, spread > 0 ? 1 - sse / spread : NAN, 6, "%s%s.r2", after, c->key);
}

/* Parameters against points, errors, and what maximum likelihood makes of them. */
static void show_table(cairn_report *out, const char *title, const cairn_fitted_curve *curves,
                       size_t n, const cairn_points_xy *points, const char *after)
{
    static const char *const heads[] = {"parameters",  "points each", "SSE", "E = ½ SSE",
                                        "1/β = SSE/n", "ln L",        "R²"};
    cairn_report_table_of(out, title, 0, "l", "curve");
    for (size_t i = 0; i < 7; i++) cairn_report_column(out, heads[i], 'r');
    for (size_t c = 0; c < n; c++) show_row(out, &curves[c], points, after);
    cairn_report_table_end(out);
}

/* -- each curve -- */

static void show_equation(cairn_report *out, const cairn_fitted_curve *c, const char *x,
                          const char *y, const char *after)
{
    cairn_text text = cairn_text_start(cairn_report_context(out));
    const double *w = c->curve.coefficients;
    bool any = false;
    char power[80];
    cairn_text_addf(&text, "%s = ", y);
    if (c->curve.kind == CAIRN_CURVE_POLYNOMIAL) {
        for (size_t k = 0; k <= c->curve.size && k < SHOWN_WEIGHTS; k++) {
            snprintf(power, sizeof power, k == 1 ? "%.60s" : "%.60s^%zu", x, k);
            cairn_add_term(&text, &any, w[k], k ? power : NULL, false);
        }
        if (c->curve.size >= SHOWN_WEIGHTS) cairn_text_add(&text, " + …");
    } else if (c->curve.kind == CAIRN_CURVE_LOGARITHM) {
        snprintf(power, sizeof power, "ln %.60s", x);
        cairn_add_term(&text, &any, w[0], NULL, false);
        cairn_add_term(&text, &any, w[1], power, false);
    } else {
        cairn_text_add_number(&text, w[0], 6);
        cairn_text_addf(&text, "·%s^", x);
        cairn_text_add_number(&text, w[1], 6);
    }
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_report_word(out, c->label, cairn_text_string(&text), "%s%s.equation", after, c->key);
    cairn_text_clear(&text);
}

/* Values of the segments and the places where they change. */
static void show_segments(cairn_report *out, const cairn_fitted_curve *c, const char *after)
{
    const cairn_curve_fit *curve = &c->curve;
    cairn_report_table_of(out, c->label, 0, "rrrr", "segment", "from", "to", "value");
    for (size_t k = 0; k < curve->size; k++) {
        bool first = k == 0, last = k + 1 == curve->size;
        cairn_report_cellf(out, "%zu", k + 1);
        if (first)
            cairn_report_cell(out, "");
        else
            cairn_report_cell_number(out, curve->cuts[k - 1], 6, NULL);
        if (last)
            cairn_report_cell(out, "");
        else
            cairn_report_cell_number(out, curve->cuts[k], 6, "%s%s.cut.%zu", after, c->key, k + 1);
        cairn_report_cell_number(out, curve->coefficients[k], 6, "%s%s.value.%zu", after, c->key,
                                 k + 1);
    }
    cairn_report_table_end(out);
}

static void show_coefficients(cairn_report *out, const cairn_fitted_curve *curves, size_t n,
                              const char *x, const char *y, const char *after)
{
    for (size_t c = 0; c < n; c++) {
        const cairn_curve_fit *curve = &curves[c].curve;
        if (curves[c].model || curve->kind == CAIRN_CURVE_STEPS) continue;
        show_equation(out, &curves[c], x, y, after);
        bool powers = curve->kind == CAIRN_CURVE_POLYNOMIAL;
        for (size_t k = 0; powers && k <= curve->size; k++)
            cairn_report_hidden(out, curve->coefficients[k], "%s%s.w.%zu", after, curves[c].key, k);
        if (powers) continue;
        cairn_report_hidden(out, curve->coefficients[0], "%s%s.a", after, curves[c].key);
        cairn_report_hidden(out, curve->coefficients[1], "%s%s.b", after, curves[c].key);
    }
    for (size_t c = 0; c < n; c++)
        if (!curves[c].model && curves[c].curve.kind == CAIRN_CURVE_STEPS)
            show_segments(out, &curves[c], after);
}

static void note_loose(cairn_report *out, const cairn_curve_fits *f)
{
    for (size_t c = 0; c < f->n_own; c++) {
        const cairn_curve_fit *curve = &f->curves[c].curve;
        if (curve->loose)
            cairn_report_note(
                out,
                "Degree %zu has %zu coefficients for %zu different x: infinitely many "
                "polynomials fit as well, and the one with the least sum of squared "
                "coefficients is given. Degree %zu passes through all of them.",
                curve->size, curve->n_parameters, f->distinct, f->distinct - 1);
        if (!curve->converged)
            cairn_report_note(out, "The direct fit of the power law has not converged; its errors "
                                   "may fall further.");
    }
}

/* -- values, residuals, ridge -- */

static cairn_status show_at(cairn_context *ctx, cairn_report *out, const cairn_curve_fits *f)
{
    const double *places = f->params->at.values;
    double *values;
    size_t n = f->params->at.n, shown = f->n < SHOWN_CURVES ? f->n : SHOWN_CURVES;
    if (!places) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &values, n * shown + 1));
    for (size_t c = 0; c < shown; c++)
        CHECK(cairn_fitted_values(ctx, f, &f->curves[c], places, n, values + c * n));
    cairn_report_table_of(out, "Values", 0, "r", f->x_name);
    for (size_t c = 0; c < shown; c++) cairn_report_column(out, f->curves[c].label, 'r');
    for (size_t i = 0; i < n; i++) {
        cairn_report_cell_number(out, places[i], 6, NULL);
        for (size_t c = 0; c < shown; c++)
            cairn_report_cell_number(out, values[c * n + i], 6, "%s.at.%zu", f->curves[c].key,
                                     i + 1);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

static cairn_status show_residuals(cairn_context *ctx, cairn_report *out, const cairn_curve_fits *f)
{
    size_t n = f->points.n, shown = f->n < SHOWN_CURVES ? f->n : SHOWN_CURVES;
    double *values;
    CHECK(SCRATCH(ctx, &values, cairn_product(n, shown) + 1));
    for (size_t c = 0; c < shown; c++)
        CHECK(cairn_fitted_values(ctx, f, &f->curves[c], f->points.x, n, values + c * n));
    cairn_report_table_of(out, "Residuals", 20, "rrr", "row", f->x_name, f->y_name);
    for (size_t c = 0; c < shown; c++) cairn_report_column(out, f->curves[c].label, 'r');
    for (size_t i = 0; i < n; i++) {
        cairn_report_cellf(out, "%zu", f->rows[i] + 1);
        cairn_report_cell_number(out, f->points.x[i], 6, NULL);
        cairn_report_cell_number(out, f->points.y[i], 6, NULL);
        for (size_t c = 0; c < shown; c++)
            cairn_report_cell_difference(out, f->points.y[i] - values[c * n + i], f->points.y[i], 5,
                                         "%s.residual.%zu", f->curves[c].key, f->rows[i] + 1);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* Every polynomial with a penalty, beside the one without. */
static cairn_status show_ridge(cairn_context *ctx, cairn_report *out, const cairn_curve_fits *f)
{
    double lambda = f->params->lambda, objective;
    cairn_curve_fit c;
    if (isnan(lambda)) return CAIRN_OK;
    cairn_report_formula(out, "E + λ/2 Σ w²,  w = (ΦᵀΦ + λI)⁻¹ Φᵀy");
    cairn_report_value(out, "λ", lambda, "lambda");
    cairn_report_table_of(out, "Polynomials with a penalty", 0, "lrr", "curve", "objective", "SSE");
    for (size_t k = 0; k < SHOWN_WEIGHTS; k++) {
        char head[8];
        snprintf(head, sizeof head, "w%zu", k);
        cairn_report_column(out, head, 'r');
    }
    for (size_t i = 0; i < f->n_own; i++) {
        const cairn_fitted_curve *from = &f->curves[i];
        if (from->curve.kind != CAIRN_CURVE_POLYNOMIAL) continue;
        CHECK(cairn_curve_ridge(ctx, &c, &f->points, from->curve.size, lambda, &objective));
        cairn_report_cell(out, from->label);
        cairn_report_cell_number(out, objective, 6, "%s.ridge.objective", from->key);
        cairn_report_cell_number(out, c.sse, 6, "%s.ridge.sse", from->key);
        for (size_t k = 0; k < SHOWN_WEIGHTS; k++)
            if (k <= c.size)
                cairn_report_cell_number(out, c.coefficients[k], 6, "%s.ridge.w.%zu", from->key, k);
            else
                cairn_report_cell(out, "");
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* -- steps -- */

/* Σ w x^(i+j) and Σ w y x^i: the normal equations of a polynomial. */
static void show_normal_equations(cairn_report *out, const cairn_curve_fits *f,
                                  const cairn_fitted_curve *c)
{
    size_t d = c->curve.size;
    if (d + 1 > MATRIX || c->curve.loose) return;
    cairn_report_step_begin(out, "Normal equations of %s", c->label);
    cairn_report_formula(out, "ΦᵀΦ w = Φᵀy,  entries Σ x^(i+j) and Σ x^i y");
    cairn_report_table_of(out, "ΦᵀΦ | Φᵀy", 0, "l", "");
    for (size_t j = 0; j <= d + 1; j++) {
        char head[16];
        snprintf(head, sizeof head, j <= d ? "w%zu" : "Φᵀy", j);
        cairn_report_column(out, head, 'r');
    }
    for (size_t i = 0; i <= d; i++) {
        cairn_report_cellf(out, "x^%zu", i);
        for (size_t j = 0; j <= d + 1; j++) {
            double sum = 0;
            for (size_t r = 0; r < f->points.n; r++) {
                double x = f->points.x[r], w = f->points.weights ? f->points.weights[r] : 1;
                double value = j <= d ? 1 : f->points.y[r];
                for (size_t k = 0; k < (j <= d ? i + j : i); k++) value *= x;
                sum += w * value;
            }
            if (j <= d)
                cairn_report_cell_number(out, sum, 8, "%s.normal.%zu.%zu", c->key, i, j);
            else
                cairn_report_cell_number(out, sum, 8, "%s.right.%zu", c->key, i);
        }
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* Logarithms of the points, through which the line of a power law goes. */
static void show_logs(cairn_report *out, const cairn_curve_fits *f, const cairn_fitted_curve *c)
{
    bool both = c->curve.kind == CAIRN_CURVE_POWER;
    cairn_report_step_begin(out, both ? "A power law is a line in logarithms"
                                      : "A logarithm is a line in ln x");
    cairn_report_formula(out,
                         both ? "y = a x^b  ⇔  ln y = ln a + b ln x" : "y = a + b z,  z = ln x");
    cairn_report_table_of(out, "Points", STEP_ROWS, "rr", "row", "ln x");
    cairn_report_column(out, both ? "ln y" : "y", 'r');
    for (size_t i = 0; i < f->points.n && i < STEP_ROWS; i++) {
        cairn_report_cellf(out, "%zu", f->rows[i] + 1);
        cairn_report_cell_number(out, cairn_log(f->points.x[i]), 6, NULL);
        cairn_report_cell_number(out, both ? cairn_log(f->points.y[i]) : f->points.y[i], 6, NULL);
    }
    cairn_report_table_end(out);
    if (both)
        cairn_report_worked(out, "a", "exp(#) = #", cairn_log(c->curve.coefficients[0]),
                            c->curve.coefficients[0]);
    cairn_report_worked(out, "b", "#", c->curve.coefficients[1]);
    cairn_report_step_end(out);
}

/* How the segments were found, once for all numbers of them. */
static void show_search(cairn_report *out)
{
    cairn_report_step_begin(out, "The best segments");
    cairn_report_paragraph(out, "Of all ways to cut the sorted x into k parts the one with the "
                                "least squared errors about the means of the parts, by dynamic "
                                "programming: the first i points in k parts are the first j in "
                                "k − 1 parts and one part more. k values and k − 1 cuts are "
                                "2k − 1 parameters.");
    cairn_report_formula(out, "E(i, k) = min over j of E(j, k − 1) + SSE(j + 1 .. i)");
    cairn_report_step_end(out);
}

static void show_work(cairn_report *out, const cairn_curve_fits *f)
{
    bool searched = false;
    for (size_t c = 0; c < f->n_own; c++) {
        const cairn_fitted_curve *curve = &f->curves[c];
        cairn_curve_form kind = curve->curve.kind;
        if (kind == CAIRN_CURVE_POLYNOMIAL) show_normal_equations(out, f, curve);
        if (kind == CAIRN_CURVE_POWER || kind == CAIRN_CURVE_LOGARITHM) show_logs(out, f, curve);
        if (kind == CAIRN_CURVE_STEPS && !searched) show_search(out);
        searched = searched || kind == CAIRN_CURVE_STEPS;
    }
}

/* -- the record -- */

static cairn_status report_fits(cairn_context *ctx, cairn_report *out, const cairn_curve_fits *f,
                                bool steps)
{
    cairn_figure *figure = NULL;
    cairn_report_heading(out, 1, "Curves of %s through %s", f->x_name, f->y_name);
    cairn_report_value(out, "points", (double)f->points.n, "points");
    cairn_report_value(out, "different x", (double)f->distinct, "distinct");
    if (steps) show_work(out, f);
    show_table(out, "Curves", f->curves, f->n, &f->points, "");
    note_loose(out, f);
    show_coefficients(out, f->curves, f->n, f->x_name, f->y_name, "");
    CHECK(show_ridge(ctx, out, f));
    if (f->moved) {
        cairn_report_heading(out, 2,
                             f->how.out ? "With point %zu left out" : "With point %zu moved",
                             f->how.row + 1);
        show_table(out, "Curves after it", f->again, f->n_own, &f->after, "after.");
        show_coefficients(out, f->again, f->n_own, f->x_name, f->y_name, "after.");
    }
    CHECK(show_at(ctx, out, f));
    CHECK(show_residuals(ctx, out, f));
    CHECK(cairn_curve_fits_draw(ctx, &figure, f));
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status curve_fit_run(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job)
{
    SCOPED(cairn_curve_fits_clear) cairn_curve_fits fits = {0};
    CHECK(cairn_curve_fits_make(ctx, &fits, job));
    return report_fits(ctx, out, &fits, job->steps);
}

static cairn_status curve_fit_draw(cairn_context *ctx, cairn_figure **out,
                                   const cairn_compute_job *job)
{
    SCOPED(cairn_curve_fits_clear) cairn_curve_fits fits = {0};
    CHECK(cairn_curve_fits_make(ctx, &fits, job));
    return cairn_curve_fits_draw(ctx, out, &fits);
}

const cairn_calculator cairn_compute_curve_fit = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "curve-fit",
              .also = "polynomial regression, polyfit, degree sweep, piecewise constant, step "
                      "function, power law, logarithmic fit, segmented regression",
              .title = "Curves through points",
              .summary =
                  "Fits curves of one input to the same points by least squares and compares them: "
                  "polynomials of several degrees, constants on segments that are cut where "
                  "it is best, a power law by logarithms and directly, a logarithm, and what "
                  "any learner makes of the points; with parameters against points, errors, "
                  "noise variance and likelihood.",
              .references = "Gergonne, The application of the method of least squares to the "
                            "interpolation of sequences (1815); Bellman, On the approximation of "
                            "curves by line segments using dynamic programming (1961)",
              .example = "cairn compute curve-fit @five-points --degrees 1,2,3,4 --segments 2",
              .params = curve_fit_table,
              .params_size = sizeof(cairn_curve_fit_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "curve-fit",
                .also = "regression line, residuals as segments, overlay of polynomials, outlier",
                .title = "Curves through points",
                .summary =
                    "Points and the curves that are fitted to them: polynomials, constants on "
                    "segments, a power law, a logarithm, what any learner makes of them; with "
                    "the error of every point, the means, the function that the points come "
                    "from, and the curves before and after a point is moved or left out.",
                .example =
                    "cairn draw curve-fit @regression-line --degrees 1 --means --out fit.svg",
                .params = curve_fit_table,
                .params_size = sizeof(cairn_curve_fit_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = curve_fit_run,
    .draw = curve_fit_draw,
};
