/* SPDX-License-Identifier: MIT */
/* What a fitted line or plane looks like in a report: equation, coefficients with their statistics,
 * quality of the fit, weight of the features, residual checks, pictures. */
#include "base/memory.h"
#include "base/text.h"
#include "entry/entry.h"
#include "learners/linear/linear.h"
#include "model/explain.h"
#include "report/document.h"
#include "stats/distributions.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_ROWS = 2000, EQUATION_TERMS = 20 };

/* Name of feature j. */
static const char *feature_name(const cairn_schema *schema, size_t j)
{
    for (size_t i = 0; i < schema->n_fields; i++)
        if (schema->fields[i].role == CAIRN_FEATURE && j-- == 0) return schema->fields[i].name;
    return "?";
}

static const char *target_name(const cairn_schema *schema)
{
    ptrdiff_t i = cairn_schema_role(schema, CAIRN_TARGET);
    return i < 0 ? "target" : schema->fields[i].name;
}

static void remember(cairn_report *out, cairn_status status)
{
    if (out->status == CAIRN_OK) out->status = status;
}

static void show_equation(cairn_report *out, const cairn_linear_model *m, const cairn_job *job)
{
    cairn_text text = cairn_text_start(out->ctx);
    bool any = m->intercept || m->n_columns == 0;
    cairn_text_addf(&text, "%s = ", target_name(job->schema));
    if (any) cairn_text_add_number(&text, m->constant, 6);
    for (size_t j = 0; j < m->n_columns && j < EQUATION_TERMS; j++)
        cairn_linear_add_term(&text, &any, m->coefficients[j], feature_name(job->schema, j), false);
    if (m->n_columns > EQUATION_TERMS) cairn_text_add(&text, " + …");
    remember(out, cairn_text_status(&text));
    cairn_report_formula(out, "%s", cairn_text_string(&text));
    cairn_report_hidden_word(out, cairn_text_string(&text), "equation");
    cairn_text_clear(&text);
}

static void show_coefficient(cairn_report *out, const cairn_linear_model *m, size_t j, double level,
                             const char *name)
{
    cairn_linear_row row = cairn_linear_row_of(m, j, level);
    const char *key = cairn_report_key(out, name);
    cairn_report_cell(out, name);
    cairn_report_cell_number(out, row.coefficient, 6, "coefficient.%s", key);
    cairn_report_cell_number(out, row.error, 5, "se.%s", key);
    cairn_report_cell_number(out, row.t, 4, "t.%s", key);
    cairn_report_cell_number(out, row.p, 3, "p.%s", key);
    cairn_report_cell_number(out, row.low, 6, "low.%s", key);
    cairn_report_cell_number(out, row.high, 6, "high.%s", key);
}

static void show_coefficients(cairn_report *out, const cairn_linear_model *m, const cairn_job *job)
{
    const cairn_linear_params *params = job->params;
    static const char *const heads[] = {"coefficient", "std error", "t", "p", "low", "high"};
    cairn_report_table_begin(out, "Coefficients", TABLE_ROWS);
    cairn_report_column(out, "term", 'l');
    for (size_t i = 0; i < 6; i++) cairn_report_column(out, heads[i], 'r');
    if (m->intercept) show_coefficient(out, m, m->n_columns, params->level, "intercept");
    for (size_t j = 0; j < m->n_columns; j++)
        show_coefficient(out, m, j, params->level, feature_name(job->schema, j));
    cairn_report_table_end(out);
    char level[CAIRN_NUMBER_SIZE], number[CAIRN_NUMBER_SIZE];
    cairn_number_format(level, 100 * params->level, 6);
    cairn_number_format(number, m->df > 0 ? m->df : m->total, 10);
    size_t n = m->rank + (m->intercept ? 1 : 0);
    if (m->df > 0)
        cairn_report_paragraph(out,
                               "low and high are the ends of %s %% intervals; p is the chance of a "
                               "t at least as far from 0 if the coefficient were 0 (two-sided, %s "
                               "degrees of freedom).",
                               level, number);
    else
        cairn_report_note(out,
                          "No degrees of freedom are left (%s row%s, %zu coefficient%s): there are "
                          "no standard errors, tests or intervals.",
                          number, m->total == 1 ? "" : "s", n, n == 1 ? "" : "s");
}

static void show_quality(cairn_report *out, const cairn_linear_model *m)
{
    double r2 = cairn_linear_r2(m), df = m->df, rank = (double)m->rank;
    double free = m->total - (m->intercept ? 1 : 0);
    double f = df > 0 && rank > 0 && m->sst > 0 ? (m->sst - m->sse) / rank / (m->sse / df) : NAN;
    cairn_report_heading(out, 3, "Quality of the fit");
    cairn_report_value(out, "R²", r2, "r2");
    cairn_report_value(out, "adjusted R²", df > 0 ? 1 - (1 - r2) * free / df : NAN, "r2_adjusted");
    cairn_report_value(out, "multiple correlation", sqrt(fmax(0, r2)), "multiple_correlation");
    cairn_report_value(out, "F", f, "f");
    cairn_report_value(out, "p of F",
                       isinf(f)   ? 0
                       : isnan(f) ? NAN
                                  : cairn_f_upper(f, rank, df),
                       "f.p");
    cairn_report_hidden(out, rank, "f.df1");
    cairn_report_hidden(out, df, "f.df2");
    cairn_report_value(out, "residual standard error", df > 0 ? sqrt(m->sse / df) : NAN, "sigma");
    cairn_report_hidden(out, df > 0 ? m->sse / df : NAN, "residual_variance");
    cairn_report_value(out, "degrees of freedom", df, "df");
    cairn_report_value(out, "sum of squared errors", m->sse, "sse");
    cairn_report_hidden(out, m->sst, "sst");
    cairn_report_value(out, "mean squared error", m->sse / m->total, "mse");
    cairn_report_value(out, "root of it", sqrt(m->sse / m->total), "rmse");
    if (!m->intercept)
        cairn_report_paragraph(out, "Without an intercept R² and F compare with 0, not with the "
                                    "mean of the target.");
}

static void show_route(cairn_report *out, const cairn_linear_model *m)
{
    static const char *const words[] = {"", "Cholesky of the normal equations",
                                        "QR with column exchanges", "singular values"};
    cairn_report_value(out, "rows", m->total, "rows");
    cairn_report_word(out, "solved by", words[m->route], "solver");
    cairn_report_value(out, "rank", (double)m->rank, "rank");
    cairn_report_value(out, "condition of the scaled features", m->condition, "condition");
    if (!m->singular) return;
    cairn_report_note(
        out,
        "The features depend on each other (rank %zu of %zu), so that their coefficients "
        "are not determined by the data. Fitted values are not affected; of all "
        "solutions this is the one with the smallest coefficients. Leave a column "
        "out (--ignore) to get standard errors for the rest.",
        m->rank, m->n_columns);
    size_t k = 0;
    for (const char *line = m->relations ? m->relations : ""; *line; k++) {
        int length = (int)strcspn(line, "\n");
        cairn_report_formula(out, "%.*s", length, line);
        char *copy = NULL;
        cairn_status status = cairn_copy_text(out->ctx, &copy, line, (size_t)length);
        remember(out, status);
        if (status == CAIRN_OK) cairn_report_hidden_word(out, copy, "relation%zu", k + 1);
        cairn_free(copy);
        line += length + (line[length] == '\n');
    }
}

static void show_weight(cairn_report *out, const cairn_linear_model *m, size_t j,
                        const cairn_job *job)
{
    const cairn_linear_params *params = job->params;
    const char *name = feature_name(job->schema, j), *key = cairn_report_key(out, name);
    double divisor = m->total - params->divisor, w = m->coefficients[j];
    double sd = divisor > 0 ? sqrt(m->squares[j] / divisor) : NAN;
    double vif = cairn_linear_variance_inflation(m, j);
    double target_sd = divisor > 0 ? sqrt(m->target_ss / divisor) : NAN;
    double partial = isnan(vif) ? 0 : sd / sqrt(vif);
    if (params->partial_df) partial *= sqrt((m->total - 1) / (m->total - (double)m->n_columns));
    double loss = m->loose[j] || !(m->sst > 0)
                      ? (m->sst > 0 ? 0 : NAN)
                      : w * w * m->lengths[j] * m->lengths[j] / vif / m->sst;
    cairn_report_cell(out, name);
    cairn_report_cell_number(out, sd, 5, "sd.%s", key);
    cairn_report_cell_number(out, w * sd, 5, "weight.%s", key);
    cairn_report_cell_number(out, target_sd > 0 ? w * sd / target_sd : NAN, 4, "beta.%s", key);
    cairn_report_cell_number(out, partial, 5, "partial_sd.%s", key);
    cairn_report_cell_number(out, w * partial, 5, "partial_weight.%s", key);
    cairn_report_cell_number(out, loss, 4, "loss.%s", key);
    cairn_report_cell_number(out, vif, 4, "vif.%s", key);
    cairn_report_cell_number(out, m->alone[j], 5, "alone.%s", key);
}

static void show_weights(cairn_report *out, const cairn_linear_model *m, const cairn_job *job)
{
    static const char *const heads[] = {"sd",           "w·sd",       "beta", "partial sd",
                                        "w·partial sd", "loss of R²", "VIF",  "w alone"};
    if (m->n_columns == 0) return;
    cairn_report_table_begin(out, "Weight of the features", TABLE_ROWS);
    cairn_report_column(out, "feature", 'l');
    for (size_t i = 0; i < 8; i++) cairn_report_column(out, heads[i], 'r');
    for (size_t j = 0; j < m->n_columns; j++) show_weight(out, m, j, job);
    cairn_report_table_end(out);
    cairn_report_paragraph(out,
                           "w·sd is the change of the target for a change of the feature by its "
                           "standard deviation, beta the same in deviations of the target; the "
                           "partial sd is what of the sd the other features do not explain; loss "
                           "of R² is what leaving the feature out costs; w alone is the slope of a "
                           "regression on this feature only.");
}

static void show_pairs(cairn_report *out, const cairn_linear_model *m, const cairn_job *job)
{
    if (m->n_pairs == 0) return;
    cairn_report_table_begin(out, "Nearly the same features", 0);
    cairn_report_column(out, "feature", 'l');
    cairn_report_column(out, "feature", 'l');
    cairn_report_column(out, "correlation", 'r');
    for (size_t i = 0; i < m->n_pairs; i++) {
        cairn_report_cell(out, feature_name(job->schema, (size_t)m->pairs[2 * i]));
        cairn_report_cell(out, feature_name(job->schema, (size_t)m->pairs[2 * i + 1]));
        cairn_report_cell_number(out, m->correlations[i], 6, "pair%zu.correlation", i + 1);
    }
    cairn_report_table_end(out);
    cairn_report_note(out, "Features that nearly repeat each other share their weight in an "
                           "arbitrary way, sometimes with opposite signs; compare with a fit that "
                           "leaves one of each pair out (--ignore).");
}

static void show_checks(cairn_report *out, const cairn_linear_model *m)
{
    const cairn_linear_checks *c = &m->checks;
    cairn_report_heading(out, 3, "Residuals");
    if (m->sse == 0)
        cairn_report_note(out, "The fit is exact up to rounding; the residuals say nothing.");
    cairn_report_value(out, "sum", m->sse == 0 ? 0 : c->sum, "residual.sum");
    cairn_report_value(out, "largest", m->sse == 0 ? 0 : c->largest, "residual.largest");
    cairn_report_value(out, "at row", (double)c->largest_row + 1, "residual.largest_row");
    cairn_report_value(out, "skewness (normal: 0)", c->skewness, "residual.skewness");
    cairn_report_value(out, "kurtosis (normal: 3)", c->kurtosis, "residual.kurtosis");
    cairn_report_value(out, "Durbin-Watson (no autocorrelation: 2)", c->durbin_watson,
                       "residual.durbin_watson");
    cairn_report_value(out, "correlation of squares with fitted (constant variance: 0)", c->spread,
                       "residual.spread");
}

/* --at: the prediction for one row given by hand. */
static cairn_status show_at(cairn_report *out, const cairn_linear_model *m, const cairn_job *job)
{
    const cairn_linear_params *params = job->params;
    cairn_context *ctx = out->ctx;
    double *values, y = m->constant;
    size_t n;
    cairn_status status = CAIRN_OK;
    if (!params->at) return status;
    TRY(cairn_list_numbers(ctx, "--at", params->at, &values, &n));
    if (n != m->n_columns)
        TRY(cairn_fail(ctx, CAIRN_BAD_DATA, "--at gives %zu values for %zu features", n,
                       m->n_columns));
    for (size_t j = 0; j < n; j++) y += m->coefficients[j] * values[j];
    double h = cairn_linear_leverage(m, values), reach = NAN;
    if (m->df > 0)
        reach = cairn_t_quantile((1 + params->level) / 2, m->df) * sqrt(m->sse / m->df * (1 + h));
    cairn_report_heading(out, 3, "Prediction at %s", params->at);
    cairn_report_value(out, target_name(job->schema), y, "prediction");
    cairn_report_value(out, "low", y - reach, "prediction.low");
    cairn_report_value(out, "high", y + reach, "prediction.high");
    cairn_report_value(out, "leverage", h, "prediction.leverage");
done:
    return status;
}

/* -- pictures -- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The rows, the line, and the interval for the mean at each place. */
static cairn_status draw_line(cairn_report *out, const cairn_linear_model *m, const cairn_job *job)
{
    enum { PLACES = 61 };
    const cairn_linear_params *params = job->params;
    double x[PLACES], y[PLACES], low[PLACES], high[PLACES], *heights;
    double first = INFINITY, last = -INFINITY, sigma = m->df > 0 ? sqrt(m->sse / m->df) : 0;
    cairn_figure *figure = NULL;
    CHECK(SCRATCH(out->ctx, &heights, m->n_sample));
    for (size_t i = 0; i < m->n_sample; i++) {
        heights[i] = m->fitted[i] + m->residuals[i];
        first = fmin(first, m->inputs[i]);
        last = fmax(last, m->inputs[i]);
    }
    double reach = m->df > 0 ? cairn_t_quantile((1 + params->level) / 2, m->df) * sigma : 0;
    for (int i = 0; i < PLACES; i++) {
        double at = x[i] = first + (last - first) * i / (PLACES - 1);
        y[i] = m->constant + m->coefficients[0] * at;
        double h = reach * sqrt(cairn_linear_leverage(m, &at));
        low[i] = y[i] - h;
        high[i] = y[i] + h;
    }
    CHECK(cairn_figure_new(out->ctx, &figure, "line", "Rows and fitted line"));
    cairn_figure_axes(figure, feature_name(job->schema, 0), target_name(job->schema));
    if (reach > 0) cairn_figure_band(figure, "interval of the mean", x, low, high, PLACES);
    cairn_figure_points(figure, m->inputs, heights, NULL, m->n_sample, NULL, 0);
    cairn_figure_line(figure, "least squares", x, y, PLACES);
    cairn_figure_rule_x(figure, NULL, m->means[0]);
    cairn_figure_rule_y(figure, NULL, m->target_mean);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status draw_residuals(cairn_report *out, const cairn_linear_model *m)
{
    cairn_figure *figure = NULL;
    CHECK(cairn_figure_new(out->ctx, &figure, "residuals", "Residuals against fitted values"));
    cairn_figure_axes(figure, "fitted value", "residual");
    cairn_figure_points(figure, m->fitted, m->residuals, NULL, m->n_sample, NULL, 0);
    cairn_figure_rule_y(figure, NULL, 0);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

/* Sorted residuals against the quantiles of a normal; a straight line if they are normal. */
static cairn_status draw_normal(cairn_report *out, const cairn_linear_model *m)
{
    size_t n = m->n_sample;
    double *x, *y, sigma = sqrt(m->sse / m->total);
    cairn_figure *figure = NULL;
    CHECK(SCRATCH(out->ctx, &x, n));
    CHECK(SCRATCH(out->ctx, &y, n));
    memcpy(y, m->residuals, n * sizeof *y);
    qsort(y, n, sizeof *y, by_size);
    for (size_t i = 0; i < n; i++) x[i] = cairn_normal_quantile(((double)i + 0.5) / (double)n);
    CHECK(cairn_figure_new(out->ctx, &figure, "normal", "Normal plot of the residuals"));
    cairn_figure_axes(figure, "quantile of the normal distribution", "residual");
    cairn_figure_points(figure, x, y, NULL, n, NULL, 0);
    double ends[2] = {x[0], x[n - 1]}, line[2] = {x[0] * sigma, x[n - 1] * sigma};
    cairn_figure_dashed(figure, "normal", ends, line, 2);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

void cairn_linear_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    const cairn_linear_model *m = model;
    cairn_context *ctx = cairn_report_context(out);
    double *values;
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status = SCRATCH(ctx, &values, m->n_columns + 1);
    cairn_report_failed(out, status);
    if (status) return;
    cairn_view_block(job->view, row, 1, values);
    cairn_explain_terms(out, job, job->view->names, m->coefficients, values, m->n_columns,
                        m->constant);
    cairn_scratch_release(ctx, mark);
}

void cairn_linear_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_linear_model *m = model;
    const cairn_linear_params *params = job->params;
    if (!out) return;
    cairn_scratch_mark mark = cairn_scratch_now(out->ctx);
    cairn_status status = CAIRN_OK;
    cairn_report_heading(out, 2, "Linear regression");
    show_equation(out, m, job);
    show_coefficients(out, m, job);
    show_quality(out, m);
    show_route(out, m);
    if (params->standardised) show_weights(out, m, job);
    show_pairs(out, m, job);
    show_checks(out, m);
    TRY(show_at(out, m, job));
    if (m->inputs && m->n_sample > 1) TRY(draw_line(out, m, job));
    if (m->sse > 0 && m->n_sample > 2) {
        TRY(draw_residuals(out, m));
        TRY(draw_normal(out, m));
    }
done:
    remember(out, status);
    cairn_scratch_release(out->ctx, mark);
}
