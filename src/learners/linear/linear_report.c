/* SPDX-License-Identifier: MIT */
/* What a fitted line or plane looks like in a report: equation, coefficients with their statistics,
 * quality of the fit, weight of the features, residual checks, pictures. */
#include "learners/linear/weights.h"
#include "base/memory.h"
#include "base/sort_by.h"
#include "base/text.h"
#include "entry/entry.h"
#include "learners/linear/linear.h"
#include "learners/linear/coefficients.h"
#include "learners/linear/sandwich.h"
#include "model/explain.h"
#include "report/document.h"
#include "stats/distributions.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_ROWS = 2000, EQUATION_TERMS = 20 };

typedef struct page {
    cairn_report *out;
    const cairn_linear_model *m;
    const cairn_linear_account *account; /* NULL = how it came about is not known */
    const cairn_job *job;
    const char *const *names; /* of the terms */
} page;

static const char *target_name(const cairn_schema *schema)
{
    ptrdiff_t i = cairn_schema_role(schema, CAIRN_TARGET);
    return i < 0 ? "target" : schema->fields[i].name;
}

static void remember(cairn_report *out, cairn_status status)
{
    if (out->status == CAIRN_OK) out->status = status;
}

static void show_equation(const page *g)
{
    cairn_text text = cairn_text_start(g->out->ctx);
    bool any = g->m->intercept || g->m->n_columns == 0;
    cairn_text_addf(&text, "%s = ", target_name(g->job->schema));
    if (any) cairn_text_add_number(&text, g->m->constant, 6);
    for (size_t j = 0; j < g->m->n_columns && j < EQUATION_TERMS; j++)
        cairn_add_term(&text, &any, g->m->coefficients[j], g->names[j], false);
    if (g->m->n_columns > EQUATION_TERMS) cairn_text_add(&text, " + …");
    remember(g->out, cairn_text_status(&text));
    cairn_report_formula(g->out, "%s", cairn_text_string(&text));
    cairn_report_hidden_word(g->out, cairn_text_string(&text), "equation");
    cairn_text_clear(&text);
}

/* Statistics of a column with the standard error that was asked for. */
static cairn_linear_row row_of(const page *g, size_t j, double level)
{
    cairn_linear_row row = cairn_linear_row_of(g->m, j, level);
    if (!g->account || !g->account->has_robust) return row;
    double error = g->account->robust[j];
    double reach = cairn_t_quantile((1 + level) / 2, g->m->df) * error;
    row.error = error;
    row.t = row.coefficient / error;
    row.p = isnan(row.t) ? NAN : 2 * cairn_t_upper(fabs(row.t), g->m->df);
    row.low = row.coefficient - reach;
    row.high = row.coefficient + reach;
    return row;
}

static void show_coefficient(const page *g, size_t j, double level, const char *name,
                             const char *key)
{
    cairn_linear_row row = row_of(g, j, level);
    cairn_report_cell(g->out, name);
    cairn_report_cell_number(g->out, row.coefficient, 6, "coefficient.%s", key);
    cairn_report_cell_number(g->out, row.error, 5, "se.%s", key);
    cairn_report_cell_number(g->out, row.t, 4, "t.%s", key);
    cairn_report_cell_number(g->out, row.p, 3, "p.%s", key);
    cairn_report_cell_number(g->out, row.low, 6, "low.%s", key);
    cairn_report_cell_number(g->out, row.high, 6, "high.%s", key);
}

/* Without degrees of freedom nothing can be said about how sure a coefficient is; the note tells
 * why those cells are empty. */
static void show_coefficients(const page *g)
{
    const cairn_linear_params *params = g->job->params;
    static const char *const heads[] = {"coefficient", "std error", "t", "p", "low", "high"};
    cairn_report_table_of(g->out, "Coefficients", TABLE_ROWS, "l", "term");
    for (size_t i = 0; i < 6; i++) cairn_report_column(g->out, heads[i], 'r');
    if (g->m->intercept)
        show_coefficient(g, g->m->n_columns, params->level, "intercept", "intercept");
    for (size_t j = 0; j < g->m->n_columns; j++)
        show_coefficient(g, j, params->level, g->names[j], cairn_term_key(g->out, g->names[j]));
    cairn_report_table_end(g->out);
    char level[CAIRN_NUMBER_SIZE], number[CAIRN_NUMBER_SIZE];
    cairn_number_format(level, 100 * params->level, 6);
    cairn_number_format(number, g->m->df > 0 ? g->m->df : g->m->total, 10);
    size_t n = g->m->rank + (g->m->intercept ? 1 : 0);
    if (g->m->df > 0) cairn_note_filled(g->out, g->job);
    if (g->account && g->account->has_robust)
        cairn_report_paragraph(g->out, "Standard errors: %s.",
                               cairn_errors_choices[params->errors].help);
    if (g->account && g->account->n_groups)
        cairn_report_value(g->out, "groups", (double)g->account->n_groups, "groups");
    if (g->m->df > 0)
        cairn_report_paragraph(g->out,
                               "low and high are the ends of %s %% intervals; p is the chance of a "
                               "t at least as far from 0 if the coefficient were 0 (two-sided, %s "
                               "degrees of freedom).",
                               level, number);
    else if (g->m->total > (double)n)
        cairn_report_note(g->out, "The weights were given and not estimated: there are no standard "
                                  "errors, tests or intervals.");
    else
        cairn_report_note(g->out,
                          "No degrees of freedom are left (%s row%s, %zu coefficient%s): there are "
                          "no standard errors, tests or intervals.",
                          number, g->m->total == 1 ? "" : "s", n, n == 1 ? "" : "s");
}

/* Where a transform changed the units. */
static cairn_status show_raw(const page *g)
{
    const cairn_linear_model *m = g->m;
    double *weights;
    CHECK(SCRATCH(g->out->ctx, &weights, m->n_columns + 1));
    memcpy(weights, m->coefficients, m->n_columns * sizeof *weights);
    weights[m->n_columns] = m->constant;
    cairn_coefficients_show_raw(g->out, g->job,
                                &(cairn_coefficients){.n_terms = m->n_columns,
                                                      .weights = weights,
                                                      .intercept = m->intercept});
    return CAIRN_OK;
}

/* Without an intercept the sums of squares are around 0 and not the mean, which makes R² look
 * better; so that is said. */
static void show_quality(const page *g)
{
    double r2 = cairn_linear_r2(g->m), df = g->m->df, rank = (double)g->m->rank;
    double free = cairn_linear_observations(g->m) - (g->m->intercept ? 1 : 0);
    double f = df > 0 && rank > 0 && g->m->sst > 0
                   ? (g->m->sst - g->m->sse) / rank / (g->m->sse / df)
                   : NAN;
    cairn_report_heading(g->out, 3, "Quality of the fit");
    cairn_report_value(g->out, "R²", r2, "r2");
    cairn_report_value(g->out, "adjusted R²", df > 0 ? 1 - (1 - r2) * free / df : NAN,
                       "r2_adjusted");
    cairn_report_value(g->out, "multiple correlation", sqrt(fmax(0, r2)), "multiple_correlation");
    cairn_report_value(g->out, "F", f, "f");
    cairn_report_value(g->out, "p of F",
                       isinf(f)   ? 0
                       : isnan(f) ? NAN
                                  : cairn_f_upper(f, rank, df),
                       "f.p");
    cairn_report_hidden(g->out, rank, "f.df1");
    cairn_report_hidden(g->out, df, "f.df2");
    cairn_report_value(g->out, "residual standard error", df > 0 ? sqrt(g->m->sse / df) : NAN,
                       "sigma");
    cairn_report_hidden(g->out, df > 0 ? g->m->sse / df : NAN, "residual_variance");
    cairn_report_value(g->out, "degrees of freedom", df, "df");
    cairn_report_value(g->out, "sum of squared errors", g->m->sse, "sse");
    cairn_report_hidden(g->out, g->m->sst, "sst");
    cairn_report_value(g->out, "mean squared error", g->m->sse / g->m->total, "mse");
    cairn_report_value(g->out, "root of it", sqrt(g->m->sse / g->m->total), "rmse");
    if (!g->m->intercept)
        cairn_report_paragraph(g->out, "Without an intercept R² and F compare with 0, not with the "
                                       "mean of the target.");
}

/* Which solver was taken shows how well the features determine the coefficients; exact
 * dependences are written out so that one can be left out. */
static void show_route(const page *g)
{
    static const char *const words[] = {"", "Cholesky of the normal equations",
                                        "QR with column exchanges", "singular values"};
    cairn_report_value(g->out, "rows", g->m->total, "rows");
    cairn_weights_show_meaning(
        g->out, g->job, ((const cairn_linear_params *)g->job->params)->weights_are, g->m->total);
    cairn_report_word(g->out, "solved by", words[g->account->route], "solver");
    cairn_report_value(g->out, "rank", (double)g->m->rank, "rank");
    cairn_report_value(g->out, "condition of the scaled features", g->account->condition,
                       "condition");
    if (!cairn_linear_singular(g->m)) return;
    cairn_report_note(
        g->out,
        "The features depend on each other (rank %zu of %zu), so that their coefficients "
        "are not determined by the data. Fitted values are not affected; of all "
        "solutions this is the one with the smallest coefficients. Leave a column "
        "out ({ignore}) to get standard errors for the rest.",
        g->m->rank, g->m->n_columns);
    size_t k = 0;
    for (const char *line = g->account->relations ? g->account->relations : ""; *line; k++) {
        int length = (int)strcspn(line, "\n");
        cairn_report_formula(g->out, "%.*s", length, line);
        char *copy = NULL;
        cairn_status status = cairn_copy_text(g->out->ctx, &copy, line, (size_t)length);
        remember(g->out, status);
        if (status == CAIRN_OK) cairn_report_hidden_word(g->out, copy, "relation%zu", k + 1);
        cairn_free(copy);
        line += length + (line[length] == '\n');
    }
}

/* A coefficient depends on the unit of its column, so it is also given per standard deviation,
 * per the deviation that other columns do not explain, and as the loss of R² without it. */
static void show_weight(const page *g, size_t j)
{
    const cairn_linear_params *params = g->job->params;
    const char *name = g->names[j], *key = cairn_term_key(g->out, name);
    double divisor = g->m->total - params->divisor, w = g->m->coefficients[j];
    double sd = divisor > 0 ? sqrt(g->account->squares[j] / divisor) : NAN;
    double vif = cairn_linear_variance_inflation(g->m, j);
    double target_sd = divisor > 0 ? sqrt(g->account->target_ss / divisor) : NAN;
    double partial = isnan(vif) ? 0 : sd / sqrt(vif);
    if (params->partial_df)
        partial *= sqrt((g->m->total - 1) / (g->m->total - (double)g->m->n_columns));
    double loss = g->m->loose[j] || !(g->m->sst > 0)
                      ? (g->m->sst > 0 ? 0 : NAN)
                      : w * w * g->m->lengths[j] * g->m->lengths[j] / vif / g->m->sst;
    cairn_report_cell(g->out, name);
    cairn_report_cell_number(g->out, sd, 5, "sd.%s", key);
    cairn_report_cell_number(g->out, w * sd, 5, "weight.%s", key);
    cairn_report_cell_number(g->out, target_sd > 0 ? w * sd / target_sd : NAN, 4, "beta.%s", key);
    cairn_report_cell_number(g->out, partial, 5, "partial_sd.%s", key);
    cairn_report_cell_number(g->out, w * partial, 5, "partial_weight.%s", key);
    cairn_report_cell_number(g->out, loss, 4, "loss.%s", key);
    cairn_report_cell_number(g->out, vif, 4, "vif.%s", key);
    cairn_report_cell_number(g->out, g->account->alone[j], 5, "alone.%s", key);
}

static void show_weights(const page *g)
{
    static const char *const heads[] = {"sd",           "w·sd",       "beta", "partial sd",
                                        "w·partial sd", "loss of R²", "VIF",  "w alone"};
    if (g->m->n_columns == 0) return;
    cairn_report_table_of(g->out, "Weight of the features", TABLE_ROWS, "l", "feature");
    for (size_t i = 0; i < 8; i++) cairn_report_column(g->out, heads[i], 'r');
    for (size_t j = 0; j < g->m->n_columns; j++) show_weight(g, j);
    cairn_report_table_end(g->out);
    cairn_report_paragraph(g->out,
                           "w·sd is the change of the target for a change of the feature by its "
                           "standard deviation, beta the same in deviations of the target; the "
                           "partial sd is what of the sd the other features do not explain; loss "
                           "of R² is what leaving the feature out costs; w alone is the slope of a "
                           "regression on this feature only.");
}

static void show_pairs(const page *g)
{
    if (g->account->n_pairs == 0) return;
    cairn_report_table_of(g->out, "Nearly the same features", 0, "llr", "feature", "feature",
                          "correlation");
    for (size_t i = 0; i < g->account->n_pairs; i++) {
        cairn_report_cell(g->out, g->names[(size_t)g->account->pairs[2 * i]]);
        cairn_report_cell(g->out, g->names[(size_t)g->account->pairs[2 * i + 1]]);
        cairn_report_cell_number(g->out, g->account->correlations[i], 6, "pair%zu.correlation",
                                 i + 1);
    }
    cairn_report_table_end(g->out);
    cairn_report_note(g->out,
                      "Features that nearly repeat each other share their weight in an "
                      "arbitrary way, sometimes with opposite signs; compare with a fit that "
                      "leaves one of each pair out ({ignore}).");
}

static void show_checks(const page *g)
{
    const cairn_linear_checks *c = &g->account->checks;
    cairn_report_heading(g->out, 3, "Residuals");
    if (g->m->sse == 0)
        cairn_report_note(g->out, "The fit is exact up to rounding; the residuals say nothing.");
    cairn_report_value(g->out, "sum", g->m->sse == 0 ? 0 : c->sum, "residual.sum");
    cairn_report_value(g->out, "largest", g->m->sse == 0 ? 0 : c->largest, "residual.largest");
    cairn_report_value(g->out, "at row", (double)c->largest_row + 1, "residual.largest_row");
    cairn_report_value(g->out, "skewness (normal: 0)", c->skewness, "residual.skewness");
    cairn_report_value(g->out, "kurtosis (normal: 3)", c->kurtosis, "residual.kurtosis");
    cairn_report_value(g->out, "Durbin-Watson (no autocorrelation: 2)", c->durbin_watson,
                       "residual.durbin_watson");
    cairn_report_value(g->out, "correlation of squares with fitted (constant variance: 0)",
                       c->spread, "residual.spread");
}

/* --at: the prediction for one row given by hand. */
static cairn_status show_at(const page *g)
{
    const cairn_linear_params *params = g->job->params;
    cairn_context *ctx = g->out->ctx;
    double *values, y = g->m->constant;
    size_t n;
    cairn_status status = CAIRN_OK;
    if (!params->at) return status;
    TRY(cairn_list_numbers(ctx, cairn_say(ctx, "{at}"), params->at, &values, &n));
    if (n != g->m->n_columns)
        TRY(cairn_fail(ctx, CAIRN_BAD_DATA, "{at} gives %zu values for %zu features", n,
                       g->m->n_columns));
    for (size_t j = 0; j < n; j++) y += g->m->coefficients[j] * values[j];
    double h = cairn_linear_leverage(g->m, values), reach = NAN;
    if (g->m->df > 0)
        reach = cairn_t_quantile((1 + params->level) / 2, g->m->df) *
                sqrt(g->m->sse / g->m->df * (1 + h));
    cairn_report_heading(g->out, 3, "Prediction at %s", params->at);
    cairn_report_value(g->out, target_name(g->job->schema), y, "prediction");
    cairn_report_value(g->out, "low", y - reach, "prediction.low");
    cairn_report_value(g->out, "high", y + reach, "prediction.high");
    cairn_report_value(g->out, "leverage", h, "prediction.leverage");
done:
    return status;
}

/* -- pictures -- */

/* The rows, the line, and the interval for the mean at each place. */
static cairn_status draw_line(const page *g)
{
    enum { PLACES = 61 };
    const cairn_linear_params *params = g->job->params;
    double x[PLACES], y[PLACES], low[PLACES], high[PLACES], *heights;
    double first = INFINITY, last = -INFINITY,
           sigma = g->m->df > 0 ? sqrt(g->m->sse / g->m->df) : 0;
    cairn_figure *figure = NULL;
    CHECK(SCRATCH(g->out->ctx, &heights, g->account->n_sample));
    for (size_t i = 0; i < g->account->n_sample; i++) {
        heights[i] = g->account->fitted[i] + g->account->residuals[i];
        first = fmin(first, g->account->inputs[i]);
        last = fmax(last, g->account->inputs[i]);
    }
    double reach = g->m->df > 0 ? cairn_t_quantile((1 + params->level) / 2, g->m->df) * sigma : 0;
    for (int i = 0; i < PLACES; i++) {
        double at = x[i] = first + (last - first) * i / (PLACES - 1);
        y[i] = g->m->constant + g->m->coefficients[0] * at;
        double h = reach * sqrt(cairn_linear_leverage(g->m, &at));
        low[i] = y[i] - h;
        high[i] = y[i] + h;
    }
    CHECK(cairn_figure_new(g->out->ctx, &figure, "line", "Rows and fitted line"));
    cairn_figure_axes(figure, g->names[0], target_name(g->job->schema));
    if (reach > 0) cairn_figure_band(figure, "interval of the mean", x, low, high, PLACES);
    cairn_figure_points(figure, g->account->inputs, heights, NULL, g->account->n_sample, NULL, 0);
    cairn_figure_line(figure, "least squares", x, y, PLACES);
    cairn_figure_rule_x(figure, NULL, g->m->means[0]);
    cairn_figure_rule_y(figure, NULL, g->m->target_mean);
    cairn_report_figure(g->out, figure);
    return CAIRN_OK;
}

static cairn_status draw_residuals(const page *g)
{
    cairn_figure *figure = NULL;
    CHECK(cairn_figure_new(g->out->ctx, &figure, "residuals", "Residuals against fitted values"));
    cairn_figure_axes(figure, "fitted value", "residual");
    cairn_figure_points(figure, g->account->fitted, g->account->residuals, NULL,
                        g->account->n_sample, NULL, 0);
    cairn_figure_rule_y(figure, NULL, 0);
    cairn_report_figure(g->out, figure);
    return CAIRN_OK;
}

/* Sorted residuals against the quantiles of a normal; a straight line if they are normal. */
static cairn_status draw_normal(const page *g)
{
    size_t n = g->account->n_sample;
    double *x, *y, sigma = sqrt(g->m->sse / g->m->total);
    cairn_figure *figure = NULL;
    CHECK(SCRATCH(g->out->ctx, &x, n));
    CHECK(SCRATCH(g->out->ctx, &y, n));
    memcpy(y, g->account->residuals, n * sizeof *y);
    qsort(y, n, sizeof *y, cairn_by_number);
    for (size_t i = 0; i < n; i++) x[i] = cairn_normal_quantile(((double)i + 0.5) / (double)n);
    CHECK(cairn_figure_new(g->out->ctx, &figure, "normal", "Normal plot of the residuals"));
    cairn_figure_axes(figure, "quantile of the normal distribution", "residual");
    cairn_figure_points(figure, x, y, NULL, n, NULL, 0);
    double ends[2] = {x[0], x[n - 1]}, line[2] = {x[0] * sigma, x[n - 1] * sigma};
    cairn_figure_dashed(figure, "normal", ends, line, 2);
    cairn_report_figure(g->out, figure);
    return CAIRN_OK;
}

void cairn_linear_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    const cairn_linear_model *m = model;
    cairn_linear_explain_row(out, job, row, m->coefficients, m->constant, m->n_columns);
}

void cairn_linear_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_linear_params *params = job->params;
    page g = {.out = out, .m = model, .account = job->account, .job = job};
    if (!out) return;
    cairn_scratch_mark mark = cairn_scratch_now(out->ctx);
    cairn_status status;
    TRY(cairn_term_names(out->ctx, &g.names, job->schema));
    cairn_report_heading(out, 2, "Linear regression");
    show_equation(&g);
    show_coefficients(&g);
    TRY(show_raw(&g));
    show_quality(&g);
    if (g.account) {
        show_route(&g);
        if (params->standardised) show_weights(&g);
        show_pairs(&g);
        show_checks(&g);
    }
    if (params->without) TRY(cairn_linear_show_reduced(out, g.m, g.names, params->without));
    if (params->move && g.account && g.m->n_columns)
        TRY(cairn_linear_show_moved(out, g.m, g.account,
                                    (const char *const[2]){g.names[0], target_name(job->schema)},
                                    params->move));
    TRY(show_at(&g));
    if (!g.account) goto done;
    if (g.account->inputs && g.account->n_sample > 1) TRY(draw_line(&g));
    if (g.m->sse > 0 && g.account->n_sample > 2) {
        TRY(draw_residuals(&g));
        TRY(draw_normal(&g));
    }
done:
    remember(out, status);
    cairn_scratch_release(out->ctx, mark);
}

/* Weights and standard errors side by side, the constant last. */
static void write_coefficients(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_linear_model *m = model;
    const cairn_linear_account *account = job->account;
    size_t n = m->n_columns + 1;
    double *weights = NULL, *errors;
    cairn_ledger_failed(out, SCRATCH(out->ctx, &weights, 2 * n));
    if (!weights) return;
    errors = weights + n;
    for (size_t j = 0; j < n; j++) {
        cairn_linear_row row = cairn_linear_row_of(m, j, 0.95);
        weights[j] = row.coefficient;
        errors[j] = account && account->has_robust ? account->robust[j] : row.error;
    }
    cairn_coefficients_begin(out);
    cairn_coefficients_write(out, job,
                             &(cairn_coefficients){.n_terms = n - 1,
                                                   .weights = weights,
                                                   .intercept = m->intercept,
                                                   .errors = errors,
                                                   .df = m->df});
}

const cairn_learned cairn_linear_tables[] = {CAIRN_COEFFICIENTS(write_coefficients),
                                             CAIRN_LEARNED_END};
