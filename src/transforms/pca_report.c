/* SPDX-License-Identifier: MIT */
/* Principal components on the board: means, covariance, characteristic equation, eigenvalues,
 * vectors, scores, spread and the way back. Wide tables show their first columns only. */
#include "transforms/pca.h"
#include "base/memory.h"
#include "base/number.h"
#include <math.h>
#include <stdio.h>

enum { MOST_MATRIX = 16, MOST_COMPONENTS = 8, MOST_BARS = 40 };

static const char *name_of(const cairn_pca_state *s, size_t j)
{
    return cairn_map_key(&s->names, j);
}

static const char *key_of(cairn_report *out, const cairn_pca_state *s, size_t j)
{
    return cairn_report_key(out, name_of(s, j));
}

static size_t shown(const cairn_pca_state *s)
{
    return s->c.n < MOST_COMPONENTS ? s->c.n : MOST_COMPONENTS;
}

/* What rounding leaves of a score that is 0. */
static double tidy(const cairn_pca_state *s, double score)
{
    return fabs(score) < 1e-13 * sqrt(s->c.total) ? 0 : score;
}

/* Heads "pc1", "pc2" ... */
static void component_heads(cairn_report *out, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        char head[32];
        snprintf(head, sizeof head, "pc%zu", k + 1);
        cairn_report_column(out, head, 'r');
    }
}

static void tell_cut(cairn_report *out, const cairn_pca_state *s)
{
    if (s->c.n > MOST_COMPONENTS)
        cairn_report_paragraph(out, "The first %d of %zu components are shown.", MOST_COMPONENTS,
                               s->c.n);
}

void cairn_pca_show_means(cairn_report *out, const cairn_pca_state *s, const char *divisor)
{
    bool scaled = false;
    for (size_t j = 0; j < s->c.n_columns; j++) scaled = scaled || s->c.scales[j] != 1;
    cairn_report_word(out, "divisor of the covariance", divisor, "pca.divisor");
    cairn_report_table_of(out, "Means", 0, "lr", "column", "mean");
    if (scaled) cairn_report_column(out, "deviation", 'r');
    for (size_t j = 0; j < s->c.n_columns; j++) {
        const char *key = key_of(out, s, j);
        cairn_report_cell(out, name_of(s, j));
        cairn_report_cell_number(out, s->c.means[j], 0, "pca.mean.%s", key);
        if (scaled) cairn_report_cell_number(out, s->c.scales[j], 0, "pca.deviation.%s", key);
    }
    cairn_report_table_end(out);
}

/* λ² − (a + d) λ + (ad − b²) = 0 with numbers. */
static void show_equation(cairn_report *out, const cairn_pca_state *s, const double *m)
{
    char sum[CAIRN_NUMBER_SIZE], product[CAIRN_NUMBER_SIZE], root[2][CAIRN_NUMBER_SIZE];
    double trace = m[0] + m[3], determinant = m[0] * m[3] - m[1] * m[2];
    /* what rounding leaves of a singular matrix */
    if (fabs(determinant) < 1e-14 * fabs(m[0] * m[3])) determinant = 0;
    cairn_number_format(sum, trace, 6);
    cairn_number_format(product, fabs(determinant), 6);
    for (int i = 0; i < 2; i++) cairn_number_format(root[i], s->c.values[i], 6);
    cairn_report_formula(out, "|S − λI| = λ² − (a + d)λ + (ad − b²) = 0");
    cairn_report_formula(out, "λ² − %s λ %s %s = 0, λ1 = %s, λ2 = %s", sum,
                         determinant < 0 ? "−" : "+", product, root[0], root[1]);
    cairn_report_hidden(out, trace, "pca.trace");
    cairn_report_hidden(out, determinant, "pca.determinant");
}

/* (S − λI) v = 0 of two columns: a vector that is not yet divided by its length. */
static void show_unscaled(cairn_report *out, const cairn_pca_state *s, const double *m)
{
    size_t n = shown(s);
    if (m[1] == 0) return; /* the axes themselves */
    cairn_report_formula(out, "(S − λI) v = 0:  (a − λ) v1 + b v2 = 0,  v = (1, (λ − a) / b)");
    for (size_t k = 0; k < n && k < 2; k++) {
        char label[32];
        double second = (s->c.values[k] - m[0]) / m[1], length = sqrt(1 + second * second);
        snprintf(label, sizeof label, "v of λ%zu", k + 1);
        cairn_report_worked(out, label, "(1, (# − #) / #) = (1, #),  length √(1 + #²) = #",
                            s->c.values[k], m[0], m[1], second, second, length);
        cairn_report_hidden(out, second, "pca.unscaled%zu", k + 1);
        cairn_report_hidden(out, length, "pca.length%zu", k + 1);
    }
}

void cairn_pca_show_covariance(cairn_report *out, const cairn_pca_state *s,
                               const double *covariance)
{
    size_t p = s->c.n_columns;
    if (!covariance || p > MOST_MATRIX) {
        cairn_report_paragraph(out,
                               covariance ? "The covariance matrix of %zu columns is not shown."
                                          : "There are more columns than rows: the products of "
                                            "rows took the place of the covariance matrix of %zu "
                                            "columns.",
                               p);
        return;
    }
    cairn_report_table_of(out, "Covariance matrix S", 0, "l", "");
    for (size_t j = 0; j < p; j++) cairn_report_column(out, name_of(s, j), 'r');
    for (size_t j = 0; j < p; j++) {
        cairn_report_cell(out, name_of(s, j));
        for (size_t k = 0; k < p; k++)
            cairn_report_cell_number(out, covariance[j * p + k], 0, "pca.covariance.%s.%s",
                                     key_of(out, s, j), key_of(out, s, k));
    }
    cairn_report_table_end(out);
    if (p == 2) show_equation(out, s, covariance);
    if (p == 2) show_unscaled(out, s, covariance);
}

void cairn_pca_show_values(cairn_report *out, const cairn_pca_state *s)
{
    double sum = 0, total = s->c.total;
    cairn_report_value(out, "columns", (double)s->c.n_columns, "pca.columns");
    cairn_report_value(out, "components kept", (double)s->c.n, "pca.components");
    cairn_report_value(out, "variance of all columns together", total, "pca.total");
    cairn_report_table_of(out, "Variance along each component", 0, "lrrrl", "component",
                          "eigenvalue", "share", "running share", "kept");
    for (size_t k = 0; k < s->c.n_values; k++) {
        double value = s->c.values[k];
        sum += value;
        double share = total > 0 ? value / total : NAN, running = total > 0 ? sum / total : NAN;
        if (k + 1 == s->c.n) cairn_report_hidden(out, running, "pca.explained");
        if (!cairn_report_row_wanted(out) && k + 1 != s->c.n) continue;
        cairn_report_cellf(out, "pc%zu", k + 1);
        cairn_report_cell_number(out, value, 0, "pca.eigenvalue%zu", k + 1);
        cairn_report_cell_number(out, share, 0, "pca.share%zu", k + 1);
        cairn_report_cell_number(out, running, 0, "pca.running%zu", k + 1);
        cairn_report_cell(out, k < s->c.n ? "yes" : "no");
    }
    cairn_report_table_end(out);
}

void cairn_pca_show_vectors(cairn_report *out, const cairn_pca_state *s)
{
    size_t p = s->c.n_columns, n = shown(s);
    cairn_report_table_of(out, "Unit eigenvectors, one per column", 0, "l", "column");
    component_heads(out, n);
    for (size_t j = 0; j < p; j++) {
        const char *key = key_of(out, s, j);
        cairn_report_cell(out, name_of(s, j));
        for (size_t k = 0; k < n; k++)
            cairn_report_cell_number(out, s->c.vectors[k * p + j], 0, "pca.vector%zu.%s", k + 1,
                                     key);
    }
    cairn_report_table_end(out);
    tell_cut(out, s);
}

void cairn_pca_show_scores(cairn_report *out, const cairn_pca_state *s, const cairn_view *view,
                           double *const *scores)
{
    size_t n = shown(s);
    cairn_report_formula(out, "score k of row x = (x − mean) · vector k");
    cairn_report_table_of(out, "Scores", 0, "r", "row");
    component_heads(out, n);
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i) + 1;
        cairn_report_cellf(out, "%zu", row);
        for (size_t k = 0; k < n; k++)
            cairn_report_cell_number(out, tidy(s, scores[k][i]), 0, "pca.score%zu.row%zu", k + 1,
                                     row);
    }
    cairn_report_table_end(out);
}

/* Extent of the scores along one component. */
static void extent_of(const double *x, size_t n, double *low, double *high)
{
    *low = INFINITY, *high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        *low = fmin(*low, x[i]);
        *high = fmax(*high, x[i]);
    }
}

/* Weighted sum of squares of a column about its mean, over the divisor. */
static double variance_of(const cairn_pca_state *s, const cairn_view *view, size_t j)
{
    double sum = 0;
    for (size_t i = 0; i < view->rows.n; i++) {
        double d = view->features[j]->numbers[cairn_view_row(view, i)] - s->c.means[j];
        sum += cairn_view_weight(view, i) * d * d;
    }
    return sum / s->c.below;
}

void cairn_pca_show_spread(cairn_report *out, const cairn_pca_state *s, const cairn_view *view,
                           double *const *scores)
{
    cairn_report_table_of(out, "Spread by range and by variance", 0, "lrrrr", "direction", "from",
                          "to", "range", "variance");
    for (size_t j = 0; j < s->c.n_columns && cairn_report_row_wanted(out); j++) {
        const char *key = key_of(out, s, j);
        cairn_report_cell(out, name_of(s, j));
        cairn_report_cell_number(out, s->c.lows[j], 0, NULL);
        cairn_report_cell_number(out, s->c.highs[j], 0, NULL);
        cairn_report_cell_number(out, s->c.highs[j] - s->c.lows[j], 0, "pca.range.%s", key);
        cairn_report_cell_number(out, variance_of(s, view, j), 0, "pca.variance.%s", key);
    }
    for (size_t k = 0; k < s->c.n; k++) {
        double low, high;
        extent_of(scores[k], view->rows.n, &low, &high);
        low = tidy(s, low), high = tidy(s, high);
        cairn_report_cellf(out, "pc%zu", k + 1);
        cairn_report_cell_number(out, low, 0, NULL);
        cairn_report_cell_number(out, high, 0, NULL);
        cairn_report_cell_number(out, high - low, 0, "pca.range%zu", k + 1);
        cairn_report_cell_number(out, s->c.values[k], 0, NULL);
    }
    cairn_report_table_end(out);
    cairn_report_paragraph(out, "Components maximise the variance. The range depends on the two "
                                "outermost rows alone and may be larger in another direction.");
}

static cairn_status go_back(cairn_context *ctx, double ***out, const cairn_pca_state *s,
                            double *const *scores, size_t n)
{
    double **back;
    CHECK(SCRATCH(ctx, &back, s->c.n_columns));
    for (size_t j = 0; j < s->c.n_columns; j++) CHECK(SCRATCH_RAW(ctx, &back[j], n));
    CHECK(cairn_components_back(ctx, back, &s->c, (const double *const *)scores, n));
    *out = back;
    return CAIRN_OK;
}

cairn_status cairn_pca_show_back(cairn_context *ctx, cairn_report *out, const cairn_pca_state *s,
                                 const cairn_view *view, double *const *scores)
{
    size_t p = s->c.n_columns < MOST_MATRIX ? s->c.n_columns : MOST_MATRIX;
    double **back, error = 0;
    CHECK(go_back(ctx, &back, s, scores, view->rows.n));
    for (size_t j = 0; j < s->c.n_columns; j++)
        for (size_t i = 0; i < view->rows.n; i++) {
            double d = view->features[j]->numbers[cairn_view_row(view, i)] - back[j][i];
            error += d * d;
        }
    cairn_report_formula(out, "x ≈ mean + Σ score k · vector k");
    cairn_report_table_of(out, "Rows projected back", 0, "r", "row");
    for (size_t j = 0; j < p; j++) cairn_report_column(out, name_of(s, j), 'r');
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i) + 1;
        cairn_report_cellf(out, "%zu", row);
        for (size_t j = 0; j < p; j++)
            cairn_report_cell_number(out, back[j][i], 0, "pca.back.row%zu.%s", row,
                                     key_of(out, s, j));
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "squared distance from the rows, summed", error, "pca.error");
    return CAIRN_OK;
}

cairn_status cairn_pca_scree(cairn_context *ctx, cairn_figure **out, const cairn_components *c)
{
    const char **names;
    size_t n = c->n_values < MOST_BARS ? c->n_values : MOST_BARS;
    cairn_figure *figure = NULL;
    CHECK(SCRATCH(ctx, &names, n));
    for (size_t k = 0; k < n; k++) {
        char *name;
        CHECK(SCRATCH(ctx, &name, 24));
        snprintf(name, 24, "%zu", k + 1);
        names[k] = name;
    }
    CHECK(cairn_figure_new(ctx, &figure, "scree", "Variance along each component"));
    cairn_figure_axes(figure, "component", "eigenvalue");
    cairn_figure_bars(figure, NULL, names, c->values, n);
    *out = figure;
    return CAIRN_OK;
}
