/* SPDX-License-Identifier: MIT */
/* cairn compute influence: what single rows do to a regression, and whether its residuals are what
 * the model says.
 *
 * With C = (X'WX)⁻¹, x a row, W its working weight, d its deviance residual and r its Pearson
 * residual (both the plain residual of least squares), p free weights and φ the dispersion:
 *   leverage h = W x'Cx;  σ_(i) = root of (Σd² - d²/(1-h)) / (n-p-1), the deviation without the row
 *   studentised = sign(d) root of (d² + h r²/(1-h)), over σ_(i) where φ is estimated
 *   Cook's distance = (r/(1-h))² h / (φ p);  dffits = d root(h) / (σ_(i) (1-h))
 *   dfbetas_j = (Cx)_j root(W) d / (1-h) / (σ_(i) root C_jj)
 * Checks: Breusch-Pagan in Koenker's form, n R² of the squared residuals on the columns of the
 * model; Durbin-Watson; Jarque-Bera. */
#include "compute/regression/regression_fit.h"

#include "base/memory.h"
#include "kernels/kernels.h"
#include "kernels/linalg.h"
#include "stats/distributions.h"
#include "stats/durbin_watson.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_ROWS = 50, SHOWN_TERMS = 8, MOST_BARS = 2000 };

typedef struct influence_params {
    const char *formula;
    cairn_regression_options regression;
} influence_params;

static const cairn_param influence_table[] = {
    {.name = "formula",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(influence_params, formula),
     .help = "the model, such as 'y ~ a + b'",
     .required = true,
     .often = true},
    CAIRN_PARAM_GROUP(influence_params, regression, cairn_regression_params),
    CAIRN_PARAM_END,
};

typedef struct influence_row {
    double residual, pearson, leverage, sigma, studentised, cook, dffits;
} influence_row;

typedef struct influence {
    cairn_report *out;
    cairn_regression fitted;
    cairn_regression_rows rows;
    double *inverse;     /* (n_terms + 1)²: of X'WX */
    influence_row *list; /* rows.n; NaN for rows that were not learned from */
    double *dfbetas;     /* rows.n x (n_terms + 1) */
    size_t *worst;       /* the rows by falling Cook's distance, at most 5 */
    size_t n_worst;
} influence;

static double working_weight(const cairn_family *f, double mean)
{
    double slope;
    (void)cairn_link_mean(f->link, cairn_link_score(f->link, mean), &slope);
    return slope * slope / cairn_family_variance(f, mean);
}

/* Residuals and leverages; returns the sum of squared deviance residuals. */
static double find_leverages(influence *a)
{
    const cairn_family *f = &a->fitted.glm->family;
    size_t all = a->rows.n_terms + 1;
    double sum = 0;
    for (size_t i = 0; i < a->rows.n; i++) {
        double y = a->rows.values[i], mean = a->rows.means[i], h = 0;
        const double *x = a->rows.x + i * all;
        influence_row *row = &a->list[i];
        double d = cairn_family_deviance(f, y, mean);
        row->residual = (y < mean ? -1 : 1) * sqrt(fmax(0, d));
        row->pearson = (y - mean) / sqrt(cairn_family_variance(f, mean));
        for (size_t j = 0; j < all; j++) h += x[j] * cairn_dot(a->inverse + j * all, x, all);
        row->leverage = h * working_weight(f, mean);
        if (isnan(y + mean) || !(a->rows.weights[i] > 0)) row->residual = NAN;
        if (isfinite(row->residual)) sum += a->rows.weights[i] * row->residual * row->residual;
    }
    return sum;
}

static void find_row(influence *a, size_t i, double sum)
{
    const cairn_glm_model *m = a->fitted.glm;
    size_t all = a->rows.n_terms + 1;
    influence_row *row = &a->list[i];
    const double *x = a->rows.x + i * all;
    double d = row->residual, h = row->leverage, left = 1 - h, p = a->fitted.account->rank;
    double df = cairn_regression_df(&a->fitted) - 1;
    bool sure = !(left > 1e-12); /* the row alone determines its fit */
    row->sigma = df > 0 && !sure ? sqrt(fmax(0, (sum - d * d / left) / df)) : NAN;
    double size = sqrt(d * d + h * row->pearson * row->pearson / left);
    row->studentised = (d < 0 ? -size : size) / (isinf(m->df) ? 1 : row->sigma);
    row->cook = row->pearson / left * (row->pearson / left) * h / (m->dispersion * p);
    row->dffits = d * sqrt(h) / (row->sigma * left);
    double root = sqrt(working_weight(&m->family, a->rows.means[i]));
    for (size_t j = 0; j < all; j++) {
        double change = cairn_dot(a->inverse + j * all, x, all) * root * d / left;
        a->dfbetas[i * all + j] = change / (row->sigma * sqrt(a->inverse[j * (all + 1)]));
    }
    if (sure) row->studentised = row->cook = row->dffits = NAN;
}

/* The largest of Cook's distances, one after the other. */
static void find_worst(influence *a)
{
    while (a->n_worst < 5 && a->n_worst < a->rows.n) {
        double most = 0;
        size_t at = a->rows.n;
        for (size_t i = 0; i < a->rows.n; i++) {
            bool taken = false;
            for (size_t k = 0; k < a->n_worst; k++) taken |= a->worst[k] == i;
            if (!taken && a->list[i].cook > most) most = a->list[i].cook, at = i;
        }
        if (at == a->rows.n) return;
        a->worst[a->n_worst++] = at;
    }
}

static cairn_status find_influence(cairn_context *ctx, influence *a)
{
    const cairn_glm_model *m = a->fitted.glm;
    size_t all;
    CHECK(cairn_regression_read(ctx, &a->rows, &a->fitted));
    all = a->rows.n_terms + 1;
    CHECK(SCRATCH(ctx, &a->inverse, cairn_product(all, all)));
    CHECK(SCRATCH(ctx, &a->list, a->rows.n + 1));
    CHECK(SCRATCH(ctx, &a->dfbetas, cairn_product(a->rows.n, all) + 1));
    CHECK(SCRATCH(ctx, &a->worst, 6));
    if (!(m->dispersion > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "no degrees of freedom are left, or the fit is exact: there is nothing "
                          "to judge rows by; leave terms out of the formula");
    for (size_t j = 0; j < all * all; j++) a->inverse[j] = m->covariance[j] / m->dispersion;
    double sum = find_leverages(a);
    for (size_t i = 0; i < a->rows.n; i++) find_row(a, i, sum);
    find_worst(a);
    return CAIRN_OK;
}

/* -- checks of the residuals -- */

/* n R² of the squared residuals on the columns of the model, by normal equations of unit
 * columns; NaN when they are singular. */
static cairn_status breusch_pagan(cairn_context *ctx, const influence *a, double *out, double *df)
{
    SCOPED_SCRATCH(ctx);
    size_t n = a->rows.n, m = a->rows.n_terms, used = 0, pivot;
    double *mean, *cross, *right, condition, total = 0, level = 0, explained = 0;
    CHECK(SCRATCH(ctx, &mean, m + 1));
    CHECK(SCRATCH(ctx, &cross, cairn_product(m, m) + 1));
    CHECK(SCRATCH(ctx, &right, 2 * m + 1));
    for (size_t i = 0; i < n; i++) {
        double e = a->list[i].residual;
        if (!isfinite(e)) continue;
        for (size_t j = 0; j < m; j++) mean[j] += a->rows.x[i * (m + 1) + j];
        level += e * e;
        used++;
    }
    for (size_t j = 0; j < m; j++) mean[j] /= (double)used;
    level /= (double)used;
    for (size_t i = 0; i < n; i++) {
        double e = a->list[i].residual, s = e * e - level;
        const double *x = a->rows.x + i * (m + 1);
        if (!isfinite(e)) continue;
        total += s * s;
        for (size_t j = 0; j < m; j++) {
            right[j] += (x[j] - mean[j]) * s;
            for (size_t k = 0; k < m; k++) cross[j * m + k] += (x[j] - mean[j]) * (x[k] - mean[k]);
        }
    }
    *out = *df = NAN;
    if (m == 0 || !(total > 0)) return CAIRN_OK;
    memcpy(right + m, right, m * sizeof *right);
    CHECK(cairn_cholesky(ctx, cross, m, &condition, &pivot));
    if (!(condition > 1e-14)) return CAIRN_OK;
    CHECK(cairn_cholesky_solve(ctx, cross, m, right, 1));
    for (size_t j = 0; j < m; j++) explained += right[j] * right[m + j];
    *out = (double)used * explained / total;
    *df = (double)m;
    return CAIRN_OK;
}

/* The fitted columns of the rows that were learned from; false where the test has no meaning: it is
 * one of least squares with rows of equal weight. */
static cairn_status list_columns(cairn_context *ctx, const influence *a, double **x, size_t *n,
                                 size_t *k, bool *meant)
{
    const cairn_family *f = &a->fitted.glm->family;
    size_t all = a->rows.n_terms + 1;
    *meant = f->kind == CAIRN_GAUSSIAN && f->link == CAIRN_LINK_IDENTITY;
    *n = *k = 0;
    for (size_t j = 0; j < all; j++) *k += a->inverse[j * (all + 1)] > 0;
    CHECK(SCRATCH_RAW(ctx, x, cairn_product(a->rows.n, *k) + 1));
    for (size_t i = 0; i < a->rows.n; i++) {
        if (!isfinite(a->list[i].residual)) continue;
        *meant = *meant && a->rows.weights[i] == 1;
        for (size_t j = 0, at = 0; j < all; j++)
            if (a->inverse[j * (all + 1)] > 0) (*x)[*n * *k + at++] = a->rows.x[i * all + j];
        ++*n;
    }
    return CAIRN_OK;
}

/* The statistic with the chances of one that small and of one that large. */
static cairn_status show_watson(cairn_context *ctx, const influence *a, double d)
{
    double *x, below = NAN;
    size_t n, k;
    bool meant, exact = true;
    CHECK(list_columns(ctx, a, &x, &n, &k, &meant));
    if (meant) CHECK(cairn_durbin_watson_below(ctx, &below, &exact, x, n, k, d));
    cairn_report_value(a->out, "Durbin-Watson (no autocorrelation: 2)", d, "durbin_watson");
    cairn_report_value(
        a->out, exact ? "p (neighbours alike)" : "p (neighbours alike; normal approximation)",
        below, "durbin_watson.p");
    cairn_report_value(a->out, "p (neighbours opposed)", 1 - below, "durbin_watson.p_opposed");
    return CAIRN_OK;
}

typedef struct residual_moments {
    double watson; /* Durbin-Watson, of neighbours in the order of the table */
    double skewness, kurtosis, jarque_bera;
} residual_moments;

static residual_moments find_moments(const influence *a)
{
    double before = NAN, steps = 0, squares = 0, third = 0, fourth = 0, n = 0, sum = 0;
    for (size_t i = 0; i < a->rows.n; i++) {
        double e = a->list[i].residual;
        if (!isfinite(e)) continue;
        if (!isnan(before)) steps += (e - before) * (e - before);
        before = e;
        sum += e;
        n++;
    }
    double mean = sum / n;
    double about = 0;
    for (size_t i = 0; i < a->rows.n; i++) {
        double e = a->list[i].residual, c = e - mean;
        if (!isfinite(e)) continue;
        squares += e * e;
        about += c * c;
        third += c * c * c;
        fourth += c * c * c * c;
    }
    double variance = about / n, skewness = third / n / (variance * sqrt(variance));
    double kurtosis = fourth / n / (variance * variance);
    return (residual_moments){
        .watson = steps / squares,
        .skewness = skewness,
        .kurtosis = kurtosis,
        .jarque_bera = n / 6 * (skewness * skewness + (kurtosis - 3) * (kurtosis - 3) / 4)};
}

static cairn_status show_checks(cairn_context *ctx, const influence *a)
{
    double bp, df;
    CHECK(breusch_pagan(ctx, a, &bp, &df));
    cairn_report_heading(a->out, 2, "Checks of the residuals");
    cairn_report_value(a->out, "Breusch-Pagan (constant variance)", bp, "breusch_pagan");
    cairn_report_value(a->out, "degrees of freedom", df, "breusch_pagan.df");
    cairn_report_value(a->out, "p", isnan(bp) ? NAN : cairn_chi2_upper(bp, df), "breusch_pagan.p");
    residual_moments m = find_moments(a);
    CHECK(show_watson(ctx, a, m.watson));
    cairn_report_value(a->out, "skewness", m.skewness, "skewness");
    cairn_report_value(a->out, "kurtosis (normal: 3)", m.kurtosis, "kurtosis");
    cairn_report_value(a->out, "Jarque-Bera (normal residuals)", m.jarque_bera, "jarque_bera");
    cairn_report_value(a->out, "p", cairn_chi2_upper(m.jarque_bera, 2), "jarque_bera.p");
    return CAIRN_OK;
}

/* -- the report -- */

static const char *term_name(const influence *a, size_t j)
{
    return j < a->rows.n_terms ? a->rows.names[j] : "intercept";
}

static void show_rows(const influence *a)
{
    static const char *const heads[] = {"fitted",      "residual",        "leverage",
                                        "studentised", "Cook's distance", "dffits"};
    static const char *const keys[] = {"fitted",      "residual", "leverage",
                                       "studentised", "cook",     "dffits"};
    cairn_report_table_of(a->out, "Rows", SHOWN_ROWS, "r", "row");
    for (size_t j = 0; j < 6; j++) cairn_report_column(a->out, heads[j], 'r');
    for (size_t i = 0; i < a->rows.n && cairn_report_row_wanted(a->out); i++) {
        const influence_row *r = &a->list[i];
        const double values[] = {a->rows.means[i], r->residual, r->leverage,
                                 r->studentised,   r->cook,     r->dffits};
        for (size_t k = 0; k < a->n_worst; k++)
            if (a->worst[k] == i && k == 0) cairn_report_row_mark(a->out);
        cairn_report_cellf(a->out, "%zu", i + 1);
        for (size_t j = 0; j < 6; j++)
            cairn_report_cell_number(a->out, values[j], 5, "%s.%zu", keys[j], i + 1);
    }
    cairn_report_table_end(a->out);
}

/* How far each coefficient moves, in standard errors, when the row is left out. */
static void show_dfbetas(const influence *a)
{
    size_t all = a->rows.n_terms + 1, first = a->fitted.glm->weights.intercept ? all : all - 1;
    size_t n = first < SHOWN_TERMS ? first : SHOWN_TERMS;
    cairn_report_table_of(a->out, "dfbetas", SHOWN_ROWS, "r", "row");
    for (size_t j = 0; j < n; j++) cairn_report_column(a->out, term_name(a, j), 'r');
    for (size_t i = 0; i < a->rows.n && cairn_report_row_wanted(a->out); i++) {
        cairn_report_cellf(a->out, "%zu", i + 1);
        for (size_t j = 0; j < n; j++)
            cairn_report_cell_number(a->out, a->dfbetas[i * all + j], 4, "dfbetas.%zu.%s", i + 1,
                                     j < a->rows.n_terms ? cairn_term_key(a->out, a->rows.names[j])
                                                         : "intercept");
    }
    cairn_report_table_end(a->out);
}

static void show_worst(const influence *a)
{
    double p = a->fitted.account->rank, n = a->fitted.account->total;
    cairn_report_table_of(a->out, "Rows with the most influence", 0, "rrrr", "row",
                          "Cook's distance", "leverage", "studentised residual");
    for (size_t k = 0; k < a->n_worst; k++) {
        const influence_row *r = &a->list[a->worst[k]];
        cairn_report_cell_number(a->out, (double)a->worst[k] + 1, 0, "worst%zu.row", k + 1);
        cairn_report_cell_number(a->out, r->cook, 5, "worst%zu.cook", k + 1);
        cairn_report_cell_number(a->out, r->leverage, 5, "worst%zu.leverage", k + 1);
        cairn_report_cell_number(a->out, r->studentised, 5, "worst%zu.studentised", k + 1);
    }
    cairn_report_table_end(a->out);
    cairn_report_value(a->out, "mean leverage p/n", p / n, "leverage.mean");
    cairn_report_paragraph(a->out,
                           "A row with a leverage above twice the mean, a studentised residual "
                           "beyond 3, or a Cook's distance near 1 deserves a look: the fit without "
                           "it is another one.");
}

static cairn_status draw_influence(cairn_context *ctx, const influence *a)
{
    cairn_figure *figure = NULL;
    double *x, *y;
    char text[24];
    CHECK(SCRATCH(ctx, &x, a->rows.n + 1));
    CHECK(SCRATCH(ctx, &y, a->rows.n + 1));
    for (size_t i = 0; i < a->rows.n; i++) {
        x[i] = a->list[i].leverage;
        y[i] = a->list[i].studentised;
    }
    CHECK(cairn_figure_new(ctx, &figure, "influence", "Residuals and leverages"));
    cairn_figure_axes(figure, "leverage", "studentised residual");
    cairn_figure_points(figure, x, y, NULL, a->rows.n, NULL, 0);
    cairn_figure_rule_y(figure, NULL, 0);
    for (size_t k = 0; k < a->n_worst && k < 3; k++) {
        snprintf(text, sizeof text, "%zu", a->worst[k] + 1);
        cairn_figure_label(figure, x[a->worst[k]], y[a->worst[k]], text);
    }
    cairn_report_figure(a->out, figure);
    return CAIRN_OK;
}

static cairn_status draw_cook(cairn_context *ctx, const influence *a)
{
    cairn_figure *figure = NULL;
    char text[24];
    if (a->rows.n > MOST_BARS) return CAIRN_OK; /* the table names the largest */
    CHECK(cairn_figure_new(ctx, &figure, "cook", "Cook's distance of the rows"));
    cairn_figure_axes(figure, "row", "Cook's distance");
    for (size_t i = 0; i < a->rows.n; i++) {
        double at = (double)i + 1, x[2] = {at, at}, y[2] = {0, a->list[i].cook};
        if (isfinite(y[1])) cairn_figure_thick(figure, NULL, x, y, 2);
    }
    for (size_t k = 0; k < a->n_worst && k < 3; k++) {
        snprintf(text, sizeof text, "%zu", a->worst[k] + 1);
        cairn_figure_label(figure, (double)a->worst[k] + 1, a->list[a->worst[k]].cook, text);
    }
    cairn_figure_rule_y(figure, NULL, 0);
    cairn_report_figure(a->out, figure);
    return CAIRN_OK;
}

/* All rows, for --out. */
static cairn_status keep_result(cairn_context *ctx, const influence *a, cairn_table **result)
{
    static const char *const names[] = {"fitted",      "residual", "leverage",
                                        "studentised", "cook",     "dffits"};
    OWNED(cairn_table_free) cairn_table *table = NULL;
    double *values;
    if (!result) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &values, a->rows.n + 1));
    CHECK(cairn_table_new(ctx, &table, a->rows.n));
    for (size_t j = 0; j < 6; j++) {
        for (size_t i = 0; i < a->rows.n; i++) {
            const influence_row *r = &a->list[i];
            const double all[] = {a->rows.means[i], r->residual, r->leverage,
                                  r->studentised,   r->cook,     r->dffits};
            values[i] = all[j];
        }
        CHECK(cairn_table_put_numbers(ctx, table, names[j], values));
    }
    *result = TAKE(table);
    return CAIRN_OK;
}

static cairn_status influence_show(cairn_context *ctx, influence *a, const cairn_compute_job *job)
{
    CHECK(find_influence(ctx, a));
    cairn_report_heading(a->out, 1, "Influence of rows: %s",
                         ((const influence_params *)job->params)->formula);
    if (job->steps) {
        cairn_report_step_begin(a->out, "What a row does");
        cairn_report_formula(a->out, "h = W·xᵀ(XᵀWX)⁻¹x,  σ₍ᵢ₎² = (Σd² − d²/(1−h)) / (n−p−1)");
        cairn_report_formula(a->out,
                             "studentised = d / (σ₍ᵢ₎ √(1−h)),  Cook = (r/(1−h))² h / (φ p)");
        cairn_report_formula(a->out,
                             "dffits = d √h / (σ₍ᵢ₎ (1−h)),  dfbetas_j = ((XᵀWX)⁻¹x)_j √W d "
                             "/ ((1−h) σ₍ᵢ₎ √C_jj)");
        for (size_t i = 0; i < a->rows.n && i < 10; i++)
            cairn_report_worked(a->out, NULL, "row #: Cook = (# / (1 − #))² · # / (# · #) = #",
                                (double)i + 1, a->list[i].pearson, a->list[i].leverage,
                                a->list[i].leverage, a->fitted.glm->dispersion,
                                a->fitted.account->rank, a->list[i].cook);
        cairn_report_step_end(a->out);
    }
    show_worst(a);
    show_rows(a);
    show_dfbetas(a);
    CHECK(show_checks(ctx, a));
    CHECK(draw_influence(ctx, a));
    CHECK(draw_cook(ctx, a));
    return keep_result(ctx, a, job->result);
}

static cairn_status influence_run(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job)
{
    const influence_params *p = job->params;
    influence a = {.out = out};
    CHECK(cairn_regression_fit(ctx, &a.fitted, job->table, p->formula, &p->regression));
    cairn_status status = influence_show(ctx, &a, job);
    cairn_regression_clear(&a.fitted);
    return status;
}

const cairn_calculator cairn_compute_influence = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "influence",
              .also = "Cook's distance, leverage, dfbetas, dffits, studentized residuals, "
                      "regression diagnostics, hat values, Breusch-Pagan, Durbin-Watson, "
                      "Jarque-Bera",
              .title = "Influence of rows on a regression",
              .summary = "Fits a model formula and tells of every row its leverage, studentised "
                         "residual, Cook's distance, dffits and dfbetas, names the rows with the "
                         "most influence, and checks the residuals: constant variance "
                         "(Breusch-Pagan), autocorrelation (Durbin-Watson), normality "
                         "(Jarque-Bera). --out FILE.csv writes the table of all rows.",
              .references = "Cook, Detection of influential observation in linear regression "
                            "(1977); Belsley, Kuh and Welsch, Regression Diagnostics (1980); "
                            "Koenker, A note on studentizing a test for heteroscedasticity (1981)",
              .example = "cairn compute influence @used-cars --formula 'price ~ age + distance'",
              .params = influence_table,
              .params_size = sizeof(influence_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_WEIGHT,
    .run = influence_run,
};
