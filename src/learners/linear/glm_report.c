/* SPDX-License-Identifier: MIT */
/* What a generalised linear model says: of itself in a report, of new rows, and as a program. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "kernels/kernels.h"
#include "learners/linear/coefficients.h"
#include "learners/linear/glm.h"
#include "learners/linear/glm_steps.h"
#include "report/table_rows.h"
#include "stats/distributions.h"
#include "transforms/computing.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Fisher scoring on the board: the formulas, the weights and the deviance at each iteration, and
 * the rows with their means, working weights and residuals at the end. */

enum { SHOWN_ROWS = 50, SHOWN_TERMS = 50 };

/* The weights in own units as a table, under PREFIX.TERM. */
static cairn_status show_weights(cairn_context *ctx, const cairn_job *job,
                                 const cairn_row_matrix *x, const double *theta, const char *prefix)
{
    SCOPED_SCRATCH(ctx);
    cairn_report *out = job->steps;
    const char *const *names;
    double *raw;
    CHECK(SCRATCH(ctx, &raw, x->n_terms + 1));
    CHECK(cairn_term_names(ctx, &names, job->schema));
    cairn_matrix_raw(x, theta, 1, 1, raw);
    cairn_report_table_of(out, "Weights", SHOWN_TERMS, "lr", "term", "weight");
    if (x->ones) {
        cairn_report_cell(out, "intercept");
        cairn_report_cell_number(out, raw[x->n_terms], 8, "%s.intercept", prefix);
    }
    for (size_t t = 0; t < x->n_terms; t++) {
        cairn_report_cell(out, names[t]);
        cairn_report_cell_number(out, raw[t], 8, "%s.%s", prefix, cairn_term_key(out, names[t]));
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

cairn_status cairn_glm_show_start(cairn_context *ctx, const cairn_job *job,
                                  const cairn_row_matrix *x, const double *theta, double deviance,
                                  const cairn_family *family)
{
    cairn_report *out = job->steps;
    if (!out) return CAIRN_OK;
    cairn_report_step_begin(out, "The model");
    cairn_report_formula(out, "η = offset + b + Σ c·x,  link η = %s,  mean μ = %s",
                         cairn_link_text(family->link), cairn_mean_text(family->link));
    cairn_report_formula(out, "variance of a row: φ V(μ) with V(μ) = %s",
                         cairn_variance_text(family->kind));
    cairn_report_formula(out, "an iteration solves XᵀWX w = XᵀWz with W = (dμ/dη)²/V(μ) and "
                              "z = η + (y − μ)·dη/dμ");
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "The start: means near the values of the rows");
    CHECK(show_weights(ctx, job, x, theta, "start"));
    cairn_report_value(out, "deviance", deviance, "start.deviance");
    cairn_report_step_end(out);
    return CAIRN_OK;
}

cairn_status cairn_glm_show_iteration(cairn_context *ctx, const cairn_job *job,
                                      const cairn_row_matrix *x, const double *theta,
                                      double deviance, size_t number)
{
    cairn_report *out = job->steps;
    char prefix[32];
    if (!out) return CAIRN_OK;
    snprintf(prefix, sizeof prefix, "iteration%zu", number);
    cairn_report_step_begin(out, "Iteration %zu", number);
    CHECK(show_weights(ctx, job, x, theta, prefix));
    cairn_report_value(out, "deviance", deviance, "iteration%zu.deviance", number);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* The first rows: value, score, mean, working weight, residuals. */
static void show_rows(cairn_report *out, const cairn_family_rows *rows, const double *means,
                      size_t n)
{
    static const char *const heads[] = {
        "y", "η", "μ", "W", "deviance residual", "Pearson residual"};
    const cairn_family *f = &rows->family;
    cairn_report_table_of(out, "Rows", SHOWN_ROWS, "r", "row");
    for (size_t j = 0; j < 6; j++) cairn_report_column(out, heads[j], 'r');
    for (size_t i = 0; i < n && cairn_report_row_wanted(out); i++) {
        double y = rows->values[i], mean = means[i], slope, score = cairn_link_score(f->link, mean);
        double variance = cairn_family_variance(f, mean), d = cairn_family_deviance(f, y, mean);
        (void)cairn_link_mean(f->link, score, &slope);
        cairn_report_cells(out,
                           "- row$1.y:6 row$1.link:6 row$1.mean:6 row$1.working_weight:6 "
                           "row$1.deviance_residual:6 row$1.pearson:6",
                           i + 1, y, score, mean, rows->weights[i] * slope * slope / variance,
                           (y < mean ? -1 : 1) * sqrt(fmax(0, d)), (y - mean) / sqrt(variance));
    }
    cairn_report_table_end(out);
}

cairn_status cairn_glm_show_end(cairn_context *ctx, const cairn_job *job, const cairn_glm_model *m,
                                const cairn_glm_history *history, const cairn_family_rows *rows,
                                const double *means)
{
    cairn_report *out = job->steps;
    const char *const *names;
    if (!out) return CAIRN_OK;
    CHECK(cairn_term_names(ctx, &names, job->schema));
    cairn_report_step_begin(out, "The rows at the end");
    cairn_report_formula(out, "deviance residual = sign(y − μ)·√d(y, μ),  Pearson residual = "
                              "(y − μ)/√V(μ)");
    show_rows(out, rows, means, job->view->rows.n);
    cairn_report_worked(out, "deviance", "Σ w·d(y, μ) = #", history->deviance);
    if (isfinite(m->df))
        cairn_report_worked(out, "dispersion φ", "Σ w·(y − μ)²/V(μ) / (n − p) = # / (# − #) = #",
                            history->pearson, history->total, history->rank, m->dispersion);
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "Standard errors");
    cairn_report_formula(out,
                         "covariance of the weights: φ (XᵀWX)⁻¹;  z = weight / standard error");
    for (size_t t = 0; t < m->weights.n_terms && t < SHOWN_TERMS; t++) {
        cairn_glm_row row = cairn_glm_row_of(m, t, 0.95);
        if (row.error > 0)
            cairn_report_worked(out, names[t], "# / # = #", row.weight, row.error, row.z);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

enum { TABLE_ROWS = 2000, EQUATION_TERMS = 20 };

/* -- statistics -- */

/* Factor of standard errors for an interval: from the normal or the t distribution. */
static double cairn_glm_reach(const cairn_glm_model *m, double level)
{
    if (isinf(m->df)) return cairn_normal_quantile((1 + level) / 2);
    return m->df > 0 ? cairn_t_quantile((1 + level) / 2, m->df) : NAN;
}

cairn_glm_row cairn_glm_row_of(const cairn_glm_model *m, size_t j, double level)
{
    size_t all = m->weights.n_terms + 1;
    double variance = m->covariance[j * (all + 1)];
    cairn_glm_row row = {.weight = m->weights.weights[j]};
    row.error = row.z = row.p = row.low = row.high = NAN;
    if (!(variance > 0)) return row;
    row.error = sqrt(variance);
    double reach = cairn_glm_reach(m, level) * row.error;
    row.z = row.weight / row.error;
    row.p = isinf(m->df) ? 2 * cairn_normal_upper(fabs(row.z))
            : m->df > 0  ? 2 * cairn_t_upper(fabs(row.z), m->df)
                         : NAN;
    row.low = row.weight - reach;
    row.high = row.weight + reach;
    return row;
}

/* -- the report -- */

typedef struct page {
    cairn_report *out;
    const cairn_glm_model *m;
    const cairn_glm_history *history; /* NULL = how it came about is not known */
    const cairn_glm_params *params;
    const cairn_job *job;
    const char *const *names;
} page;

static const char *word_of(const cairn_choice *choices, int value)
{
    for (; choices->name; choices++)
        if (choices->value == value) return choices->name;
    return "";
}

/* The exposure stands at the end as a logarithm, since its weight is always 1. */
static void show_equation(const page *g)
{
    const cairn_weights *w = &g->m->weights;
    ptrdiff_t target = cairn_schema_role(g->job->schema, CAIRN_TARGET);
    const char *name = target < 0 ? "target" : g->job->schema->fields[target].name;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(g->out));
    bool any = w->intercept || w->n_terms == 0;
    cairn_text_add(&text, "η = ");
    if (any) cairn_text_add_number(&text, w->weights[w->n_terms], 6);
    for (size_t t = 0; t < w->n_terms && t < EQUATION_TERMS; t++)
        if ((int32_t)t != g->m->exposure)
            cairn_add_term(&text, &any, w->weights[t], g->names[t], true);
    if (w->n_terms > EQUATION_TERMS) cairn_text_add(&text, " + …");
    if (g->m->exposure >= 0) cairn_text_addf(&text, " + ln %s", g->names[g->m->exposure]);
    cairn_report_failed(g->out, cairn_text_status(&text));
    cairn_report_formula(g->out, "mean of %s = %s", name, cairn_mean_text(g->m->family.link));
    cairn_report_formula(g->out, "%s", cairn_text_string(&text));
    cairn_report_hidden_word(g->out, cairn_text_string(&text), "equation");
}

static bool is_offset(const cairn_glm_model *m, size_t t)
{
    for (size_t i = 0; i < m->n_offsets; i++)
        if (m->offsets[i] == (int32_t)t) return true;
    return m->exposure == (int32_t)t;
}

static void show_coefficient(const page *g, size_t j, const char *name, const char *key)
{
    cairn_glm_row row = cairn_glm_row_of(g->m, j, g->params->level);
    bool aliased = j < g->m->weights.n_terms && g->history && g->history->aliased[j];
    cairn_report_cell(g->out, name);
    cairn_report_cell_number(g->out, aliased ? NAN : row.weight, 6, "coefficient.%s", key);
    cairn_report_cell_number(g->out, row.error, 5, "se.%s", key);
    cairn_report_cell_number(g->out, row.z, 4, isinf(g->m->df) ? "z.%s" : "t.%s", key);
    cairn_report_cell_number(g->out, row.p, 3, "p.%s", key);
    cairn_report_cell_number(g->out, row.low, 6, "low.%s", key);
    cairn_report_cell_number(g->out, row.high, 6, "high.%s", key);
}

/* Where the standard errors come from, and what cannot be told. */
static void note_errors(const page *g)
{
    char level[CAIRN_NUMBER_SIZE];
    size_t n_aliased = 0;
    cairn_number_format(level, 100 * g->params->level, 6);
    if (isinf(g->m->df) || g->m->df > 0) {
        cairn_note_filled(g->out, g->job);
        cairn_report_paragraph(g->out,
                               "low and high are the ends of %s %% intervals (Wald); p is that of "
                               "the coefficient being 0, from the %s distribution. Standard "
                               "errors: %s.",
                               level, isinf(g->m->df) ? "normal" : "t",
                               cairn_errors_choices[g->params->errors].help);
    } else {
        cairn_report_note(g->out, "No degrees of freedom are left: there are no standard errors, "
                                  "tests or intervals.");
    }
    if (g->history && g->history->n_groups)
        cairn_report_value(g->out, "groups", (double)g->history->n_groups, "groups");
    for (size_t t = 0; g->history && t < g->history->n_terms; t++)
        n_aliased += g->history->aliased[t];
    if (n_aliased)
        cairn_report_note(g->out,
                          "%zu term%s no weight, because the terms before determine %s; fitted "
                          "values do not suffer. {ignore} leaves columns out.",
                          n_aliased, n_aliased == 1 ? " has" : "s have",
                          n_aliased == 1 ? "it" : "them");
}

static void show_coefficients(const page *g)
{
    const cairn_weights *w = &g->m->weights;
    const char *statistic = isinf(g->m->df) ? "z" : "t";
    cairn_report_table_of(g->out, "Coefficients", TABLE_ROWS, "lrrrrrr", "term", "coefficient",
                          "std error", statistic, "p", "low", "high");
    if (w->intercept) show_coefficient(g, w->n_terms, "intercept", "intercept");
    for (size_t t = 0; t < w->n_terms; t++)
        if (!is_offset(g->m, t))
            show_coefficient(g, t, g->names[t], cairn_term_key(g->out, g->names[t]));
    cairn_report_table_end(g->out);
    note_errors(g);
}

/* Deviances are to each other as sums of squares are; the dispersion says whether the variance of
 * the family is that of the rows. */
static void show_quality(const page *g)
{
    const cairn_glm_history *a = g->history;
    double df = a->total - a->rank;
    cairn_report_heading(g->out, 3, "Quality of the fit");
    cairn_report_value(g->out, "deviance", a->deviance, "deviance");
    cairn_report_value(g->out, "degrees of freedom", df, "df");
    cairn_report_value(g->out, "null deviance", a->null_deviance, "null_deviance");
    cairn_report_value(g->out, "its degrees of freedom", a->null_df, "null_df");
    cairn_report_value(g->out, "share of the deviance that is explained",
                       a->null_deviance > 0 ? 1 - a->deviance / a->null_deviance : NAN,
                       "deviance_explained");
    cairn_report_value(g->out, "dispersion", g->m->dispersion, "dispersion");
    cairn_report_value(g->out, "Pearson statistic", a->pearson, "pearson");
    cairn_report_value(g->out, "AIC", g->params->quasi ? NAN : a->aic, "aic");
    cairn_report_value(g->out, "rows", a->total, "rows");
    cairn_weights_show_meaning(g->out, g->job,
                               ((const cairn_glm_params *)g->job->params)->weights_are, a->total);
    cairn_report_value(g->out, "iterations", (double)a->iterations, "iterations");
    cairn_report_hidden_word(g->out, a->converged ? "yes" : "no", "converged");
    bool fixed = !cairn_family_has_dispersion(g->m->family.kind) && !g->params->quasi;
    double spread = df > 0 ? a->pearson / df : NAN;
    bool counts = g->m->family.kind != CAIRN_BINOMIAL;
    char number[CAIRN_NUMBER_SIZE];
    cairn_number_format(number, spread, 3);
    if (fixed && counts && spread > 1.5)
        cairn_report_note(g->out,
                          "The rows vary more than the family says (Pearson statistic over "
                          "degrees of freedom %s, not 1), so standard errors are too small; "
                          "{quasi}, {errors hc3} or {family negative-binomial} allow for it.",
                          number);
}

static void note_course(const page *g)
{
    bool all = g->history->deviance <= 1e-6 * g->history->total;
    if (g->history->separated)
        cairn_report_note(g->out,
                          "%s: some combination of the terms separates %s, so that weights would "
                          "grow for ever and standard errors mean nothing. 'cairn fit logistic' "
                          "finds the combination and can penalise weights.",
                          all ? "The deviance falls to 0" : "Some shares are fitted as 0 or 1",
                          all ? "the rows of 0 from those of 1" : "these rows from the others");
    else if (!g->history->converged)
        cairn_report_note(g->out,
                          "It has not converged within %zu iterations: weights may still grow. "
                          "Raise {max-iter}, or look for terms that determine the target.",
                          g->history->iterations);
}

static void show_residuals(const page *g)
{
    static const char *const keys[] = {"min", "q1", "median", "q3", "max"};
    static const char *const heads[] = {"least", "lower quartile", "median", "upper quartile",
                                        "largest"};
    cairn_report_heading(g->out, 3, "Deviance residuals");
    for (size_t q = 0; q < CAIRN_GLM_QUARTILES; q++)
        cairn_report_value(g->out, heads[q], g->history->quartiles[q], "residual.%s", keys[q]);
}

static cairn_status draw_residuals(const page *g)
{
    cairn_figure *figure = NULL;
    CHECK(cairn_figure_new(cairn_report_context(g->out), &figure, "residuals",
                           "Deviance residuals against fitted means"));
    cairn_figure_axes(figure, "fitted mean", "deviance residual");
    cairn_figure_points(figure, g->history->fitted, g->history->residuals, NULL,
                        g->history->n_sample, NULL, 0);
    cairn_figure_rule_y(figure, NULL, 0);
    cairn_report_figure(g->out, figure);
    return CAIRN_OK;
}

/* Which of the two classes counts as 1. */
static void name_positive(const page *g)
{
    const cairn_field *target = cairn_schema_target(g->job->schema);
    cairn_report_word(g->out, "the mean is the probability of",
                      cairn_map_key(&target->names, (size_t)g->job->positive), "positive");
}

void cairn_glm_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    page g = {.out = out, .m = model, .history = job->history, .params = job->params, .job = job};
    if (!ctx) return;
    SCOPED_SCRATCH(ctx);
    cairn_status status = cairn_term_names(ctx, &g.names, job->schema);
    cairn_report_failed(out, status);
    if (status) return;
    cairn_report_heading(out, 2, "Generalised linear model");
    cairn_report_word(out, "family", word_of(cairn_family_choices, (int)g.m->family.kind),
                      "family");
    cairn_report_word(out, "link", word_of(cairn_link_choices, (int)g.m->family.link), "link");
    if (job->task == CAIRN_CLASSIFY) name_positive(&g);
    show_equation(&g);
    show_coefficients(&g);
    cairn_coefficients_show_raw(
        out, job,
        &(cairn_coefficients){.n_terms = g.m->weights.n_terms,
                              .weights = g.m->weights.weights,
                              .intercept = g.m->weights.intercept,
                              .linked = g.m->family.link != CAIRN_LINK_IDENTITY});
    if (!g.history) return;
    show_quality(&g);
    note_course(&g);
    show_residuals(&g);
    if (g.history->n_sample > 2) cairn_report_failed(out, draw_residuals(&g));
}

/* -- new rows -- */

typedef struct prediction_run {
    const cairn_glm_model *m;
    const cairn_row_matrix *x;
    double *numbers, *link, *low, *high; /* NULL = not wanted */
    double reach;
} prediction_run;

/* Variance of the score of a row, whose 1 comes last. */
static double score_variance(const cairn_glm_model *m, const double *row)
{
    size_t all = m->weights.n_terms + 1;
    double sum = 0;
    for (size_t j = 0; j < all; j++) sum += row[j] * cairn_dot(m->covariance + j * all, row, all);
    return sum;
}

/* The interval is symmetric before the link and turned to the mean by it; both its ends are
 * missing where one of them is. */
static void predict_piece(void *data, const cairn_piece *piece, double *sums)
{
    const prediction_run *run = data;
    const cairn_glm_model *m = run->m;
    size_t p = m->weights.n_terms;
    double slope, *row = piece->buffer;
    (void)sums;
    for (size_t i = 0; i < piece->n; i++) {
        size_t at = piece->first + i;
        const double *z = piece->z + i * p;
        double score = m->weights.weights[p] + (p ? cairn_dot(z, m->weights.weights, p) : 0);
        if (m->exposure >= 0) score += cairn_log(z[m->exposure]);
        if (run->numbers) run->numbers[at] = cairn_link_mean(m->family.link, score, &slope);
        if (!run->link) continue;
        if (p) memcpy(row, z, p * sizeof *z);
        row[p] = 1;
        double reach = run->reach * sqrt(fmax(0, score_variance(m, row)));
        double one = cairn_link_mean(m->family.link, score - reach, &slope);
        double other = cairn_link_mean(m->family.link, score + reach, &slope);
        run->link[at] = score;
        run->low[at] = isnan(one + other) ? NAN : fmin(one, other);
        run->high[at] = isnan(one + other) ? NAN : fmax(one, other);
    }
}

/* Probabilities of both classes by that of the positive one. */
static void put_shares(cairn_prediction *out, const double *means, int32_t positive)
{
    for (size_t i = 0; i < out->n_rows; i++) {
        double *scores = out->scores + 2 * i;
        scores[positive] = means[i];
        scores[1 - positive] = 1 - means[i];
    }
}

cairn_status cairn_glm_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                               const cairn_job *job)
{
    const cairn_glm_model *m = model;
    const cairn_glm_params *params = job->params;
    cairn_row_matrix x;
    size_t n = job->view->rows.n;
    prediction_run run = {.m = m, .x = &x, .numbers = out->numbers};
    cairn_matrix_options options = {.n_terms = m->weights.n_terms,
                                    .buffer = m->weights.n_terms + 1};
    cairn_row_sum sum = {.piece = predict_piece, .data = &run};
    CHECK(cairn_matrix_open(ctx, &x, job->view, &options));
    run.reach = cairn_glm_reach(m, params->level);
    if (out->extra) {
        CHECK(SCRATCH_EACH(ctx, n + 1, &run.link, &run.low, &run.high));
    }
    if (out->scores) CHECK(SCRATCH(ctx, &run.numbers, n + 1));
    CHECK(cairn_matrix_sum(ctx, &x, &sum, NULL));
    if (out->scores) put_shares(out, run.numbers, job->positive);
    if (!out->extra) return CAIRN_OK;
    CHECK(cairn_table_put_numbers(ctx, out->extra, "link", run.link));
    CHECK(cairn_table_put_numbers(ctx, out->extra, "low", run.low));
    return cairn_table_put_numbers(ctx, out->extra, "high", run.high);
}

void cairn_glm_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    const cairn_weights *w = &((const cairn_glm_model *)model)->weights;
    cairn_linear_explain_row(out, job, row, w->weights, w->weights[w->n_terms], w->n_terms);
}

/* -- as operations on a row -- */

/* numbers[0] OP top, or top OP numbers[0] */
static void with_number(cairn_computing *c, int instruction, double number)
{
    cairn_computing_number(c, number);
    cairn_computing_do(c, instruction, 2);
}

/* The top of the stack, which is the score, becomes the mean. */
static void lower_mean(cairn_computing *c, cairn_mean_link link, int32_t score)
{
    switch (link) {
    case CAIRN_LINK_LOG: (void)cairn_computing_function(c, "exp"); break;
    case CAIRN_LINK_SQRT: (void)cairn_computing_function(c, "square"); break;
    case CAIRN_LINK_LOGIT: (void)cairn_computing_function(c, "sigmoid"); break;
    case CAIRN_LINK_PROBIT:
        with_number(c, CAIRN_DO_DIVIDE, 1.4142135623730950488);
        (void)cairn_computing_function(c, "erf");
        with_number(c, CAIRN_DO_DIVIDE, 2);
        cairn_computing_number(c, 0.5);
        cairn_computing_do(c, CAIRN_DO_SUM, 2);
        break;
    case CAIRN_LINK_CLOGLOG:
        (void)cairn_computing_function(c, "exp");
        with_number(c, CAIRN_DO_MULTIPLY, -1);
        (void)cairn_computing_function(c, "expm1");
        with_number(c, CAIRN_DO_MULTIPLY, -1);
        break;
    case CAIRN_LINK_INVERSE:
        with_number(c, CAIRN_DO_MULTIPLY, 0);
        with_number(c, CAIRN_DO_SUBTRACT, -1); /* 1, or missing where the score is */
        cairn_computing_slot(c, score);
        cairn_computing_do(c, CAIRN_DO_DIVIDE, 2);
        break;
    case CAIRN_LINK_INVERSE_SQUARE: with_number(c, CAIRN_DO_POWER, -0.5); break;
    default: break;
    }
}

/* The number is the probability of the positive class. */
static cairn_status lower_shares(cairn_program *out, int32_t positive)
{
    cairn_computing c = cairn_computing_start(out);
    for (int32_t k = 0; k < 2; k++) {
        if (k != positive) cairn_computing_number(&c, 1);
        cairn_computing_slot(&c, out->answer.number);
        if (k != positive) cairn_computing_do(&c, CAIRN_DO_SUBTRACT, 2);
        cairn_computing_write(&c);
    }
    out->answer.number = -1;
    return cairn_computing_end(&c, &out->answer.scores);
}

cairn_status cairn_glm_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_glm_model *m = model;
    const cairn_weights *w = &m->weights;
    CHECK(cairn_weights_lower(w, job, out));
    cairn_computing c = cairn_computing_start(out);
    int32_t score = out->answer.number, *in;
    size_t n;
    if (m->exposure >= 0) {
        CHECK(cairn_program_terms(out, &in, &n));
        cairn_computing_slot(&c, in[m->exposure]);
        (void)cairn_computing_function(&c, "log");
        cairn_computing_slot(&c, score);
        cairn_computing_do(&c, CAIRN_DO_SUM, 2);
        cairn_computing_write(&c);
        CHECK(cairn_computing_end(&c, &score));
        c = cairn_computing_start(out);
    }
    cairn_computing_slot(&c, score);
    lower_mean(&c, m->family.link, score);
    cairn_computing_write(&c);
    CHECK(cairn_computing_end(&c, &out->answer.number));
    return job->task == CAIRN_CLASSIFY ? lower_shares(out, job->positive) : CAIRN_OK;
}
