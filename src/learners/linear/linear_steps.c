/* SPDX-License-Identifier: MIT */
/* The work of least squares as a lecturer shows it: for one feature the sums, variance and
 * covariance; for a few features the normal equations with their inverse; for two features the
 * closed forms; then fitted values, residuals and the properties that they must have. */
#include "base/memory.h"
#include "base/number.h"
#include "learners/linear/linear.h"
#include <math.h>

enum { MATRIX_COLUMNS = 12, STEP_ROWS = 50, PROJECTION_ROWS = 30 };

typedef struct steps {
    const cairn_linear_model *m;
    const cairn_linear_account *account;
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
        cairn_report_cellf(s->out, "%zu", cairn_view_row(s->view, r) + 1);
        cairn_report_cell_number(s->out, x, 0, NULL);
        cairn_report_cell_number(s->out, y, 0, NULL);
        cairn_report_cell_number(s->out, dx, 0, NULL);
        cairn_report_cell_number(s->out, dy, 0, NULL);
        cairn_report_cell_number(s->out, dx * dy, 0, NULL);
        cairn_report_cell_number(s->out, dx * dx, 0, NULL);
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
    double var = s->account->squares[0] / s->divisor, cov = s->account->alone[0] * var;
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
                         show(var).text, show(s->account->alone[0]).text);
    cairn_report_formula(out, "a = ȳ − b·x̄ = %s − %s · %s = %s", show(m->target_mean).text,
                         show(s->account->alone[0]).text, show(m->means[0]).text,
                         show(m->constant).text);
    cairn_report_hidden(out, s->account->alone[0], "slope");
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
    cairn_report_value(out, "slope with x − x̄", s->account->alone[0], "centred.slope");
    cairn_report_value(out, "intercept with x + 1", m->constant - s->account->alone[0],
                       "shifted.intercept");
    cairn_report_value(out, "slope with x / Var(x)", s->account->alone[0] * var, "scaled.slope");
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
    for (size_t j = 0; j < s->m->n_columns; j++) {
        cairn_report_cell(out, s->names[j]);
        cairn_report_cell_number(out, s->account->alone[j], 0, NULL);
        cairn_report_cell_number(out, s->m->coefficients[j], 0, NULL);
    }
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
        cairn_report_cellf(out, "%zu", number);
        cairn_report_cell_number(out, y, 0, NULL);
        cairn_report_cell_number(out, f, 0, "fitted.%zu", number);
        cairn_report_cell_number(out, y - f, 0, "residual.%zu", number);
        cairn_report_cell_number(out, cairn_linear_leverage(m, row), 4, "leverage.%zu", number);
    }
    end_rows(s);
    cairn_report_formula(out, "SSE = Σ (y − ŷ)² = %s,  SST = %s,  R² = 1 − SSE/SST = %s",
                         show(m->sse).text, show(m->sst).text, show(cairn_linear_r2(m)).text);
    if (m->intercept) {
        for (size_t j = 0; j < m->n_columns; j++) at_means += m->coefficients[j] * m->means[j];
        cairn_report_paragraph(out, "Checks: the residuals sum to 0, and at the means of the "
                                    "features the fit gives the mean of the target.");
        cairn_report_value(out, "sum of residuals", m->sse == 0 ? 0 : s->account->checks.sum,
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
                                     const cairn_linear_account *account, const cairn_job *job)
{
    const cairn_linear_params *params = job->params;
    cairn_matrix_wish wish = {.apart = true};
    steps s = {.m = m, .account = account, .view = job->view, .out = job->steps};
    double *row;
    s.skip = m->intercept ? 1 : 0;
    s.n = m->n_columns + s.skip;
    s.wide = s.n < MATRIX_COLUMNS ? s.n : MATRIX_COLUMNS;
    s.divisor = m->total - params->divisor > 0 ? m->total - params->divisor : 1;
    CHECK(SCRATCH(ctx, &row, m->n_columns));
    CHECK(cairn_matrix_open(ctx, &s.x, job->view, &wish));
    CHECK(cairn_term_names(ctx, &s.names, job->schema));
    if (m->n_columns == 1 && m->intercept && !cairn_linear_singular(m)) show_one_feature(&s);
    if (s.n > 0) show_normal_equations(&s);
    if (m->n_columns == 2 && m->intercept) show_two_features(&s);
    if (m->n_columns > 1) show_alone(&s);
    show_residuals(&s, row);
    if (params->projection && job->view->rows.n <= PROJECTION_ROWS) CHECK(show_projection(ctx, &s));
    return CAIRN_OK;
}
