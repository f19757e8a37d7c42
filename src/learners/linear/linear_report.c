/* SPDX-License-Identifier: MIT */
/* What a fitted line or plane looks like in a report: equation, coefficients with their statistics,
 * quality of the fit, weight of the features, residual checks, pictures. */
#include "base/memory.h"
#include "base/number.h"
#include "base/sort_by.h"
#include "base/text.h"
#include "entry/entry.h"
#include "learners/linear/coefficients.h"
#include "learners/linear/linear.h"
#include "learners/linear/sandwich.h"
#include "learners/linear/weights.h"
#include "model/explain.h"
#include "report/document.h"
#include "report/table_rows.h"
#include "stats/distributions.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The work of least squares as a lecturer shows it: for one feature the sums, variance and
 * covariance; for a few features the normal equations with their inverse; for two features the
 * closed forms; then fitted values, residuals and the properties that they must have. */

enum { MATRIX_COLUMNS = 12, STEP_ROWS = 50, PROJECTION_ROWS = 30 };

typedef struct steps {
    const cairn_linear_model *m;
    const cairn_linear_history *history;
    const cairn_view *view;
    cairn_row_matrix x; /* in own units */
    const char *const *names;
    cairn_report *out;
    size_t n;       /* terms: the constant, if any, and the features */
    size_t skip;    /* 1 with an intercept: term 0 is the constant */
    size_t wide;    /* terms of matrices that are shown */
    double divisor; /* of variances */
} steps;

/* A number in a formula; the array is the caller's. */
typedef struct shown {
    char text[CAIRN_NUMBER_SIZE];
} shown;

static shown show(double number)
{
    shown s;
    cairn_number_format(s.text, number, 6);
    return s;
}

/* Term i of row r: 1 for the constant. */
static double term_value(const steps *s, size_t i, size_t r)
{
    if (i < s->skip) return 1;
    return cairn_matrix_value(&s->x, r, i - s->skip);
}

static const char *term_name(const steps *s, size_t i)
{
    return i < s->skip ? "1" : s->names[i - s->skip];
}

static double target_value(const steps *s, size_t r)
{
    return s->view->target->numbers[cairn_view_row(s->view, r)];
}

/* Weighted sum over rows of term i times term j (j = n: the target). */
static double sum_products(const steps *s, size_t i, size_t j)
{
    double sum = 0;
    for (size_t r = 0; r < s->view->rows.n; r++)
        sum += cairn_view_weight(s->view, r) * term_value(s, i, r) *
               (j == s->n ? target_value(s, r) : term_value(s, j, r));
    return sum;
}

/* Number of term i in names: 0 is the constant, 1 the first feature. */
static size_t term_number(const steps *s, size_t i)
{
    return i + 1 - s->skip;
}

/* Tables of rows show the first ones and count the rest. */
static size_t shown_rows(const steps *s)
{
    return s->view->rows.n < STEP_ROWS ? s->view->rows.n : STEP_ROWS;
}

static void end_rows(const steps *s)
{
    cairn_report_table_end(s->out);
    if (s->view->rows.n > STEP_ROWS)
        cairn_report_paragraph(s->out, "and %zu more row%s", s->view->rows.n - STEP_ROWS,
                               s->view->rows.n - STEP_ROWS == 1 ? "" : "s");
}

/* -- one feature -- */

/* The sums of the last two columns are all that the slope needs. */
static void show_deviations(const steps *s)
{
    const cairn_linear_model *m = s->m;
    static const char *const heads[] = {"x − x̄", "y − ȳ", "product", "(x − x̄)²"};
    cairn_report_table_of(s->out, "Deviations from the means", STEP_ROWS, "rrr", "row", s->names[0],
                          s->view->target_name);
    for (size_t i = 0; i < 4; i++) cairn_report_column(s->out, heads[i], 'r');
    for (size_t r = 0; r < shown_rows(s); r++) {
        double x = term_value(s, 1, r), y = target_value(s, r);
        double dx = x - m->means[0], dy = y - m->target_mean;
        cairn_report_cells(s->out, NULL, cairn_view_row(s->view, r) + 1, x, y, dx, dy, dx * dy,
                           dx * dx);
    }
    end_rows(s);
}

/* The same line twice, from variance and covariance and from the normal equations, and how it
 * follows a change of units. */
static void show_one_feature(const steps *s)
{
    const cairn_linear_model *m = s->m;
    cairn_report *out = s->out;
    const char *x = cairn_report_key(out, s->names[0]);
    const char *y = cairn_report_key(out, s->view->target_name);
    double var = s->history->squares[0] / s->divisor, cov = s->history->alone[0] * var;
    cairn_report_step_begin(out, "Means, variance and covariance");
    show_deviations(s);
    cairn_report_value(out, "mean of x", m->means[0], "mean.%s", x);
    cairn_report_value(out, "mean of y", m->target_mean, "mean.%s", y);
    cairn_report_formula(out, "Var(x) = Σ (x − x̄)² / (%s),  Cov(x, y) = Σ (x − x̄)(y − ȳ) / (%s)",
                         s->divisor < m->total ? "n − 1" : "n",
                         s->divisor < m->total ? "n − 1" : "n");
    cairn_report_value(out, "Var(x)", var, "var.%s", x);
    cairn_report_value(out, "Cov(x, y)", cov, "cov.%s", x);
    cairn_report_step_end(out);

    cairn_report_step_begin(out, "Slope and intercept");
    cairn_report_formula(out, "b = Cov(x, y) / Var(x) = %s / %s = %s", show(cov).text,
                         show(var).text, show(s->history->alone[0]).text);
    cairn_report_formula(out, "a = ȳ − b·x̄ = %s − %s · %s = %s", show(m->target_mean).text,
                         show(s->history->alone[0]).text, show(m->means[0]).text,
                         show(m->constant).text);
    cairn_report_hidden(out, s->history->alone[0], "slope");
    cairn_report_hidden(out, m->constant, "intercept");
    cairn_report_paragraph(out, "The same from the normal equations:");
    cairn_report_formula(out, "n·a + Σx·b = Σy:  %s·a + %s·b = %s", show(m->total).text,
                         show(sum_products(s, 0, 1)).text, show(sum_products(s, 0, 2)).text);
    cairn_report_formula(out, "Σx·a + Σx²·b = Σxy:  %s·a + %s·b = %s",
                         show(sum_products(s, 0, 1)).text, show(sum_products(s, 1, 1)).text,
                         show(sum_products(s, 1, 2)).text);
    cairn_report_step_end(out);

    cairn_report_step_begin(out, "What a change of x does");
    cairn_report_paragraph(out, "Centred x − x̄: the slope stays, the intercept becomes ȳ. Adding a "
                                "constant to x changes only the intercept. x divided by its "
                                "variance: the slope becomes the covariance.");
    cairn_report_value(out, "intercept with x − x̄", m->target_mean, "centred.intercept");
    cairn_report_value(out, "slope with x − x̄", s->history->alone[0], "centred.slope");
    cairn_report_value(out, "intercept with x + 1", m->constant - s->history->alone[0],
                       "shifted.intercept");
    cairn_report_value(out, "slope with x / Var(x)", s->history->alone[0] * var, "scaled.slope");
    cairn_report_step_end(out);
}

/* -- normal equations -- */

/* Entry of the inverse of X'X in the features' own units, the constant included. */
static double inverse_entry(const steps *s, size_t i, size_t j)
{
    const cairn_linear_model *m = s->m;
    size_t p = m->n_columns;
    if (i >= s->skip && j >= s->skip) {
        size_t a = i - s->skip, b = j - s->skip;
        return m->inverse[a * p + b] / m->lengths[a] / m->lengths[b];
    }
    double sum = i < s->skip && j < s->skip ? 1 / m->total : 0;
    if (i < s->skip && j < s->skip) {
        for (size_t a = 0; a < p; a++) sum -= m->means[a] * inverse_entry(s, 0, a + 1);
        return sum;
    }
    size_t other = i < s->skip ? j : i;
    for (size_t a = 0; a < p; a++) sum -= m->means[a] * inverse_entry(s, a + 1, other);
    return sum;
}

static void show_matrix(const steps *s, const char *title, const char *name,
                        double (*entry)(const steps *, size_t, size_t))
{
    cairn_report_table_of(s->out, title, 0, "l", "");
    for (size_t j = 0; j < s->wide; j++) cairn_report_column(s->out, term_name(s, j), 'r');
    for (size_t i = 0; i < s->wide; i++) {
        cairn_report_cell(s->out, term_name(s, i));
        for (size_t j = 0; j < s->wide; j++)
            cairn_report_cell_number(s->out, entry(s, i, j), 0, "%s.%zu.%zu", name,
                                     term_number(s, i), term_number(s, j));
    }
    cairn_report_table_end(s->out);
}

/* Entries are in the features' own units, as on paper, although the fit itself was made on
 * scaled columns. */
static void show_normal_equations(const steps *s)
{
    cairn_report *out = s->out;
    cairn_report_step_begin(out, "Normal equations");
    cairn_report_formula(out, "XᵀX w = Xᵀy,  w = (XᵀX)⁻¹ Xᵀy");
    if (s->skip) cairn_report_paragraph(out, "X has a column of ones for the intercept.");
    if (s->wide < s->n)
        cairn_report_note(out, "Of the %zu columns of X the matrices show the first %zu.", s->n,
                          s->wide);
    show_matrix(s, "XᵀX", "xtx", sum_products);
    cairn_report_table_of(out, "Xᵀy", 0, "lr", "", s->view->target_name);
    for (size_t i = 0; i < s->n; i++) {
        cairn_report_cell(out, term_name(s, i));
        cairn_report_cell_number(out, sum_products(s, i, s->n), 0, "xty.%zu", term_number(s, i));
    }
    cairn_report_table_end(out);
    if (cairn_linear_singular(s->m))
        cairn_report_note(out, "XᵀX is singular: it has no inverse, and the solution of least norm "
                               "is taken.");
    else
        show_matrix(s, "(XᵀX)⁻¹", "inverse", inverse_entry);
    cairn_report_table_of(out, "w = (XᵀX)⁻¹ Xᵀy", 0, "lr", "term", "w");
    for (size_t i = 0; i < s->n; i++) {
        cairn_report_cell(out, i < s->skip ? "intercept" : term_name(s, i));
        cairn_report_cell_number(out,
                                 i < s->skip ? s->m->constant : s->m->coefficients[i - s->skip], 0,
                                 "w.%zu", term_number(s, i));
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* Centred products of two features' deviations, divided as variances are. */
static double covariance(const steps *s, size_t i, size_t j)
{
    double sum = 0, mi = s->m->means[i - 1], mj = j == 3 ? s->m->target_mean : s->m->means[j - 1];
    for (size_t r = 0; r < s->view->rows.n; r++)
        sum += cairn_view_weight(s->view, r) * (term_value(s, i, r) - mi) *
               ((j == 3 ? target_value(s, r) : term_value(s, j, r)) - mj);
    return sum / s->divisor;
}

/* Solved from covariances alone, independently of the solver: a check that agrees only if both
 * are right. */
static void show_two_features(const steps *s)
{
    cairn_report *out = s->out;
    double s11 = covariance(s, 1, 1), s22 = covariance(s, 2, 2), s12 = covariance(s, 1, 2);
    double s1y = covariance(s, 1, 3), s2y = covariance(s, 2, 3), det = s11 * s22 - s12 * s12;
    cairn_report_step_begin(out, "Closed forms for two features");
    cairn_report_formula(out, "w₁ = (s₂₂ s₁y − s₁₂ s₂y) / (s₁₁ s₂₂ − s₁₂²),  "
                              "w₂ = (s₁₁ s₂y − s₁₂ s₁y) / (s₁₁ s₂₂ − s₁₂²)");
    cairn_report_value(out, "s₁₁", s11, "closed.s11");
    cairn_report_value(out, "s₂₂", s22, "closed.s22");
    cairn_report_value(out, "s₁₂", s12, "closed.s12");
    cairn_report_value(out, "s₁y", s1y, "closed.s1y");
    cairn_report_value(out, "s₂y", s2y, "closed.s2y");
    cairn_report_value(out, "s₁₁ s₂₂ − s₁₂²", det, "closed.determinant");
    if (!cairn_linear_singular(s->m)) {
        cairn_report_value(out, "w₁", (s22 * s1y - s12 * s2y) / det, "closed.w1");
        cairn_report_value(out, "w₂", (s11 * s2y - s12 * s1y) / det, "closed.w2");
    }
    cairn_report_step_end(out);
}

/* The d regressions on one feature each, which is what remains if correlations are ignored. */
static void show_alone(const steps *s)
{
    cairn_report *out = s->out;
    cairn_report_step_begin(out, "As if the features were uncorrelated");
    cairn_report_formula(out, "wⱼ = Cov(xⱼ, y) / Var(xⱼ)");
    cairn_report_table_of(out, "One regression per feature beside all together", 0, "lrr",
                          "feature", "alone", "together");
    for (size_t j = 0; j < s->m->n_columns; j++)
        cairn_report_cells(out, NULL, s->names[j], s->history->alone[j], s->m->coefficients[j]);
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* -- residuals -- */

/* Fits are added up around the means as the model does, so that large offsets do not cancel;
 * then the properties that every fit with an intercept has. */
static void show_residuals(const steps *s, double *row)
{
    const cairn_linear_model *m = s->m;
    cairn_report *out = s->out;
    double at_means = m->constant;
    cairn_report_step_begin(out, "Fitted values and residuals");
    cairn_report_table_of(out, NULL, STEP_ROWS, "rrrrr", "row", s->view->target_name, "fitted",
                          "residual", "leverage");
    for (size_t r = 0; r < shown_rows(s); r++) {
        double y = target_value(s, r), f = m->intercept ? m->target_mean : 0;
        size_t number = cairn_view_row(s->view, r) + 1;
        for (size_t j = 0; j < m->n_columns; j++) {
            row[j] = term_value(s, j + s->skip, r);
            f += m->coefficients[j] * (m->intercept ? row[j] - m->means[j] : row[j]);
        }
        cairn_report_cells(out, "- - fitted.$1", number, y, f);
        cairn_report_cell_difference(out, y - f, fabs(y) + fabs(m->target_mean), 0, "residual.%zu",
                                     number);
        cairn_report_cell_number(out, cairn_linear_leverage(m, row), 4, "leverage.%zu", number);
    }
    end_rows(s);
    cairn_report_formula(out, "SSE = Σ (y − ŷ)² = %s,  SST = %s,  R² = 1 − SSE/SST = %s",
                         show(m->sse).text, show(m->sst).text, show(cairn_linear_r2(m)).text);
    if (m->intercept) {
        for (size_t j = 0; j < m->n_columns; j++) at_means += m->coefficients[j] * m->means[j];
        cairn_report_paragraph(out, "Checks: the residuals sum to 0, and at the means of the "
                                    "features the fit gives the mean of the target.");
        double size = m->total * fabs(m->target_mean) + sqrt(m->total * m->sst);
        cairn_report_value(out, "sum of residuals", cairn_number_left(s->history->checks.sum, size),
                           "check.residual_sum");
        cairn_report_value(out, "fit at the means", at_means, "check.at_means");
        cairn_report_value(out, "mean of the target", m->target_mean, "check.target_mean");
    }
    cairn_report_step_end(out);
}

/* P = X (X'X)^-1 X', row by row. */
static cairn_status show_projection(cairn_context *ctx, const steps *s)
{
    const cairn_linear_model *m = s->m;
    size_t n = s->view->rows.n, p = m->n_columns;
    double *units;
    CHECK(SCRATCH(ctx, &units, n * p));
    for (size_t i = 0; i < n * p; i++) {
        size_t j = i % p;
        double x = term_value(s, j + s->skip, i / p) - (m->intercept ? m->means[j] : 0);
        units[i] = m->lengths[j] > 0 ? x / m->lengths[j] : 0;
    }
    cairn_report_step_begin(s->out, "Projection");
    cairn_report_formula(s->out, "ŷ = P y,  P = X (XᵀX)⁻¹ Xᵀ");
    cairn_report_table_begin(s->out, "P", 0);
    for (size_t j = 0; j <= n; j++) cairn_report_column(s->out, j ? "" : "row", 'r');
    for (size_t i = 0; i < n; i++) {
        cairn_report_cellf(s->out, "%zu", i + 1);
        for (size_t j = 0; j < n; j++) {
            double sum = m->intercept ? 1 / m->total : 0;
            for (size_t a = 0; a < p; a++)
                for (size_t b = 0; b < p; b++)
                    sum += units[i * p + a] * m->inverse[a * p + b] * units[j * p + b];
            cairn_report_cell_number(s->out, sum * cairn_view_weight(s->view, j), 4,
                                     "projection.%zu.%zu", i + 1, j + 1);
        }
    }
    cairn_report_table_end(s->out);
    cairn_report_step_end(s->out);
    return CAIRN_OK;
}

cairn_status cairn_linear_show_steps(cairn_context *ctx, const cairn_linear_model *m,
                                     const cairn_linear_history *history, const cairn_job *job)
{
    const cairn_linear_params *params = job->params;
    cairn_matrix_options options = {.apart = true};
    steps s = {.m = m, .history = history, .view = job->view, .out = job->steps};
    double *row;
    s.skip = m->intercept ? 1 : 0;
    s.n = m->n_columns + s.skip;
    s.wide = s.n < MATRIX_COLUMNS ? s.n : MATRIX_COLUMNS;
    s.divisor = m->total - params->divisor > 0 ? m->total - params->divisor : 1;
    CHECK(SCRATCH(ctx, &row, m->n_columns));
    CHECK(cairn_matrix_open(ctx, &s.x, job->view, &options));
    CHECK(cairn_term_names(ctx, &s.names, job->schema));
    if (m->n_columns == 1 && m->intercept && !cairn_linear_singular(m)) show_one_feature(&s);
    if (s.n > 0) show_normal_equations(&s);
    if (m->n_columns == 2 && m->intercept) show_two_features(&s);
    if (m->n_columns > 1) show_alone(&s);
    show_residuals(&s, row);
    if (params->projection && job->view->rows.n <= PROJECTION_ROWS) CHECK(show_projection(ctx, &s));
    return CAIRN_OK;
}

enum { TABLE_ROWS = 2000, EQUATION_TERMS = 20 };

typedef struct page {
    cairn_report *out;
    const cairn_linear_model *m;
    const cairn_linear_history *history; /* NULL = how it came about is not known */
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
    if (!g->history || !g->history->has_robust) return row;
    double error = g->history->robust[j];
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
    if (g->history && g->history->has_robust)
        cairn_report_paragraph(g->out, "Standard errors: %s.",
                               cairn_errors_choices[params->errors].help);
    if (g->history && g->history->n_groups)
        cairn_report_value(g->out, "groups", (double)g->history->n_groups, "groups");
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

static double adjusted_r2(const cairn_linear_model *m)
{
    double free = cairn_linear_observations(m) - (m->intercept ? 1 : 0);
    return m->df > 0 ? 1 - (1 - cairn_linear_r2(m)) * free / m->df : NAN;
}

/* F of all features together. */
static double all_f(const cairn_linear_model *m)
{
    double rank = (double)m->rank;
    return m->df > 0 && rank > 0 && m->sst > 0 ? (m->sst - m->sse) / rank / (m->sse / m->df) : NAN;
}

static double all_f_p(const cairn_linear_model *m)
{
    double f = all_f(m);
    return isinf(f) ? 0 : isnan(f) ? NAN : cairn_f_upper(f, (double)m->rank, m->df);
}

/* Without an intercept the sums of squares are around 0 and not the mean, which makes R² look
 * better; so that is said. */
static void show_quality(const page *g)
{
    double r2 = cairn_linear_r2(g->m), df = g->m->df, rank = (double)g->m->rank;
    cairn_report_heading(g->out, 3, "Quality of the fit");
    cairn_report_value(g->out, "R²", r2, "r2");
    cairn_report_value(g->out, "adjusted R²", adjusted_r2(g->m), "r2_adjusted");
    cairn_report_value(g->out, "multiple correlation", sqrt(fmax(0, r2)), "multiple_correlation");
    cairn_report_value(g->out, "F", all_f(g->m), "f");
    cairn_report_value(g->out, "p of F", all_f_p(g->m), "f.p");
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

/* In brief the table of coefficients may fill the screen, so how good the fit is stands before
 * it. */
static void show_verdict(const page *g)
{
    enum { R2, ADJUSTED, F, DF, P, ERROR, N };
    const cairn_linear_model *m = g->m;
    char said[N][CAIRN_NUMBER_SIZE];
    if (!(m->df > 0) || isnan(all_f(m))) return;
    unsigned before = cairn_report_only(g->out, CAIRN_IN_BRIEF);
    cairn_number_format(said[R2], cairn_linear_r2(m), 3);
    cairn_number_format(said[ADJUSTED], adjusted_r2(m), 3);
    cairn_number_format(said[F], all_f(m), 4);
    cairn_number_format(said[DF], m->df, 10);
    cairn_number_format(said[P], all_f_p(m), 3);
    cairn_number_format(said[ERROR], sqrt(m->sse / m->df), 4);
    cairn_report_paragraph(g->out,
                           "R² %s, adjusted %s; F %s on %zu and %s degrees of freedom, p %s; "
                           "residual standard error %s.",
                           said[R2], said[ADJUSTED], said[F], m->rank, said[DF], said[P],
                           said[ERROR]);
    cairn_report_for(g->out, before);
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
    cairn_report_word(g->out, "solved by", words[g->history->route], "solver");
    cairn_report_value(g->out, "rank", (double)g->m->rank, "rank");
    cairn_report_value(g->out, "condition of the scaled features", g->history->condition,
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
    for (const char *line = g->history->relations ? g->history->relations : ""; *line; k++) {
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
    double sd = divisor > 0 ? sqrt(g->history->squares[j] / divisor) : NAN;
    double vif = cairn_linear_variance_inflation(g->m, j);
    double target_sd = divisor > 0 ? sqrt(g->history->target_ss / divisor) : NAN;
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
    cairn_report_cell_number(g->out, g->history->alone[j], 5, "alone.%s", key);
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
    if (g->history->n_pairs == 0) return;
    cairn_report_table_of(g->out, "Nearly the same features", 0, "llr", "feature", "feature",
                          "correlation");
    for (size_t i = 0; i < g->history->n_pairs; i++) {
        cairn_report_prefix(g->out, "pair%zu", i + 1);
        cairn_report_cells(
            g->out, "- - @.correlation:6", g->names[(size_t)g->history->pairs[2 * i]],
            g->names[(size_t)g->history->pairs[2 * i + 1]], g->history->correlations[i]);
    }
    cairn_report_table_end(g->out);
    cairn_report_note(g->out,
                      "Features that nearly repeat each other share their weight in an "
                      "arbitrary way, sometimes with opposite signs; compare with a fit that "
                      "leaves one of each pair out ({ignore}).");
}

static void show_checks(const page *g)
{
    const cairn_linear_checks *c = &g->history->checks;
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
    CHECK(SCRATCH(g->out->ctx, &heights, g->history->n_sample));
    for (size_t i = 0; i < g->history->n_sample; i++) {
        heights[i] = g->history->fitted[i] + g->history->residuals[i];
        first = fmin(first, g->history->inputs[i]);
        last = fmax(last, g->history->inputs[i]);
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
    cairn_figure_points(figure, g->history->inputs, heights, NULL, g->history->n_sample, NULL, 0);
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
    cairn_figure_points(figure, g->history->fitted, g->history->residuals, NULL,
                        g->history->n_sample, NULL, 0);
    cairn_figure_rule_y(figure, NULL, 0);
    cairn_report_figure(g->out, figure);
    return CAIRN_OK;
}

/* Sorted residuals against the quantiles of a normal; a straight line if they are normal. */
static cairn_status draw_normal(const page *g)
{
    size_t n = g->history->n_sample;
    double *x, *y, sigma = sqrt(g->m->sse / g->m->total);
    cairn_figure *figure = NULL;
    CHECK(SCRATCH_EACH(g->out->ctx, n, &x, &y));
    memcpy(y, g->history->residuals, n * sizeof *y);
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
    page g = {.out = out, .m = model, .history = job->history, .job = job};
    if (!out) return;
    cairn_scratch_mark mark = cairn_scratch_now(out->ctx);
    cairn_status status;
    TRY(cairn_term_names(out->ctx, &g.names, job->schema));
    cairn_report_heading(out, 2, "Linear regression");
    show_equation(&g);
    show_verdict(&g);
    show_coefficients(&g);
    TRY(show_raw(&g));
    show_quality(&g);
    if (g.history) {
        show_route(&g);
        if (params->standardised) show_weights(&g);
        show_pairs(&g);
        show_checks(&g);
    }
    if (params->without) TRY(cairn_linear_show_reduced(out, g.m, g.names, params->without));
    if (params->move && g.history && g.m->n_columns)
        TRY(cairn_linear_show_moved(out, g.m, g.history,
                                    (const char *const[2]){g.names[0], target_name(job->schema)},
                                    params->move));
    TRY(show_at(&g));
    if (!g.history) goto done;
    if (g.history->inputs && g.history->n_sample > 1) TRY(draw_line(&g));
    if (g.m->sse > 0 && g.history->n_sample > 2) {
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
    const cairn_linear_history *history = job->history;
    size_t n = m->n_columns + 1;
    double *weights = NULL, *errors;
    cairn_ledger_failed(out, SCRATCH(out->ctx, &weights, 2 * n));
    if (!weights) return;
    errors = weights + n;
    for (size_t j = 0; j < n; j++) {
        cairn_linear_row row = cairn_linear_row_of(m, j, 0.95);
        weights[j] = row.coefficient;
        errors[j] = history && history->has_robust ? history->robust[j] : row.error;
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
