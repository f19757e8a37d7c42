/* SPDX-License-Identifier: MIT */
/* pca: number columns are replaced by their first principal components.
 *
 * Fitting is in stats/components.c. Applying takes the training means off (and divides by the
 * training deviations when scaling) and multiplies by the vectors; whitening divides by the
 * deviation along each component, so that all have variance 1. The new columns pc1, pc2 ... stand
 * where the first of the old ones stood; columns that are not of numbers stay. A missing cell makes
 * all scores of its row missing; in training rows it is refused. */
#include "base/memory.h"
#include "base/number.h"
#include "data/column.h"
#include "data/ledger.h"
#include "report/table_rows.h"
#include "transforms/columns.h"
#include "transforms/pca.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Principal components on the board: means, covariance, characteristic equation, eigenvalues,
 * vectors, scores, spread and the way back. Wide tables show their first columns only. */

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
            cairn_report_cell_difference(out, s->c.vectors[k * p + j], 1, 0, "pca.vector%zu.%s",
                                         k + 1, key);
    }
    cairn_report_table_end(out);
    if (s->c.n > MOST_COMPONENTS)
        cairn_report_paragraph(out, "The first %d of %zu components are shown.", MOST_COMPONENTS,
                               s->c.n);
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
        cairn_report_cells(out, NULL, name_of(s, j), s->c.lows[j], s->c.highs[j]);
        cairn_report_cell_number(out, s->c.highs[j] - s->c.lows[j], 0, "pca.range.%s", key);
        cairn_report_cell_number(out, variance_of(s, view, j), 0, "pca.variance.%s", key);
    }
    for (size_t k = 0; k < s->c.n; k++) {
        double low, high;
        extent_of(scores[k], view->rows.n, &low, &high);
        low = tidy(s, low), high = tidy(s, high);
        cairn_report_cellf(out, "pc%zu", k + 1);
        cairn_report_cells(out, NULL, low, high);
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

static const cairn_choice divisors[] = {
    {"n-1", 0, "sums of products over one less than the rows"},
    {"n", 1, "over the number of rows"},
    {0},
};
static const cairn_choice signs[] = {
    {"first", CAIRN_SIGN_FIRST, "the first number of a vector that is not 0 is positive"},
    {"largest", CAIRN_SIGN_LARGEST, "the largest number of a vector is positive"},
    {0},
};

const cairn_param cairn_pca_param_table[] = {
    CAIRN_PARAM(cairn_pca_params, components, "0", "[0,inf)",
                "number of components; 0 = as many as --keep needs"),
    CAIRN_PARAM(cairn_pca_params, keep, "1", "(0,1]",
                "share of the variance that the components must explain; 1 = all components",
                .when = "!components"),
    CAIRN_PARAM_AS(cairn_pca_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to turn; all number features when not given"),
    CAIRN_PARAM_CHOICE(cairn_pca_params, divisor, "n-1", divisors, "divisor of the covariance"),
    CAIRN_PARAM_CHOICE(cairn_pca_params, sign, "first", signs, "which way a vector points"),
    CAIRN_PARAM(cairn_pca_params, scale, "no", NULL,
                "divide columns by their deviations first: the correlation matrix"),
    CAIRN_PARAM(cairn_pca_params, whiten, "no", NULL,
                "divide scores by their deviations, so that all have variance 1"),
    CAIRN_PARAM_END,
};

cairn_status cairn_pca_view(cairn_context *ctx, cairn_view *out, const cairn_view *view,
                            const char *columns, const char *who)
{
    size_t n, *chosen;
    cairn_view part = *view;
    CHECK(cairn_choose_features(ctx, view, who, columns, cairn_fits_number, "a number column",
                                &chosen, &n));
    CHECK(SCRATCH_EACH(ctx, n, &part.features, &part.names));
    part.n_features = n;
    for (size_t j = 0; j < n; j++) {
        part.features[j] = view->features[chosen[j]];
        part.names[j] = view->names[chosen[j]];
    }
    *out = part;
    return CAIRN_OK;
}

cairn_status cairn_pca_fit(cairn_context *ctx, cairn_pca_state *s, const cairn_view *view,
                           const cairn_pca_params *p, double **covariance)
{
    size_t index;
    cairn_component_options options = {.n = (size_t)p->components,
                                       .share = p->keep,
                                       .divide_by_n = p->divisor == 1,
                                       .scale = p->scale,
                                       .sign = (cairn_sign)p->sign};
    for (size_t j = 0; j < view->n_features; j++)
        CHECK(cairn_map_add(ctx, &s->names, view->names[j], strlen(view->names[j]), &index));
    if (s->names.n != view->n_features)
        return cairn_fail(ctx, CAIRN_USAGE, "pca: a column is named twice");
    return cairn_components_fit(ctx, &s->c, view, &options, "pca", covariance);
}

cairn_status cairn_pca_view_scores(cairn_context *ctx, double ***out, const cairn_pca_state *s,
                                   const cairn_view *view)
{
    const double **columns;
    double **scores;
    size_t n = view->rows.n;
    CHECK(SCRATCH(ctx, &columns, view->n_features));
    CHECK(SCRATCH(ctx, &scores, s->c.n));
    for (size_t j = 0; j < view->n_features; j++) {
        columns[j] = view->features[j]->numbers;
        if (!view->rows.indices) continue;
        double *gathered;
        CHECK(SCRATCH_RAW(ctx, &gathered, n));
        for (size_t i = 0; i < n; i++) gathered[i] = columns[j][view->rows.indices[i]];
        columns[j] = gathered;
    }
    for (size_t k = 0; k < s->c.n; k++) CHECK(SCRATCH_RAW(ctx, &scores[k], n));
    CHECK(cairn_components_scores(ctx, scores, &s->c, false, columns, n));
    *out = scores;
    return CAIRN_OK;
}

/* The covariance is kept only for the steps of a report. */
static cairn_status pca_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const cairn_pca_params *p = job->params;
    cairn_view view;
    double *covariance = NULL;
    CHECK(cairn_pca_view(ctx, &view, job->view, p->columns, "pca"));
    CHECK(cairn_pca_fit(ctx, state, &view, p, job->steps ? &covariance : NULL));
    if (job->steps) {
        /* The work as on the board. */
        const cairn_pca_state *s = state;
        double **scores;
        CHECK(cairn_pca_view_scores(ctx, &scores, s, &view));
        cairn_report_step_begin(job->steps, "Principal components of %zu columns", view.n_features);
        cairn_pca_show_means(job->steps, s, p->divisor == 1 ? "n" : "n − 1");
        cairn_pca_show_covariance(job->steps, s, covariance);
        cairn_pca_show_values(job->steps, s);
        cairn_pca_show_vectors(job->steps, s);
        cairn_pca_show_scores(job->steps, s, &view, scores);
        cairn_pca_show_spread(job->steps, s, &view, scores);
        cairn_report_step_end(job->steps);
    }
    return CAIRN_OK;
}

static cairn_status make_scores(cairn_context *ctx, cairn_column **columns,
                                const cairn_pca_state *s, const cairn_pca_params *p,
                                const double *const *from, size_t n_rows)
{
    double **out;
    CHECK(SCRATCH(ctx, &out, s->c.n));
    for (size_t k = 0; k < s->c.n; k++) {
        CHECK(cairn_column_new(ctx, &columns[k], CAIRN_NUMBER, n_rows));
        out[k] = columns[k]->numbers;
    }
    return cairn_components_scores(ctx, out, &s->c, p->whiten, from, n_rows);
}

static cairn_status pca_apply(cairn_context *ctx, cairn_table **out, const void *state,
                              const void *params, const cairn_table *table)
{
    const cairn_pca_state *s = state;
    cairn_status status;
    cairn_column **columns = NULL;
    const double **from;
    uint8_t *used;
    TRY(SCRATCH(ctx, &from, s->names.n));
    TRY(SCRATCH(ctx, &used, table->n_columns));
    TRY(SCRATCH(ctx, &columns, s->c.n + 1));
    /* The columns that were fitted, in order. */
    for (size_t j = 0, at = 0; j < s->names.n; j++) {
        TRY(cairn_next_column(ctx, table, cairn_map_key(&s->names, j), &at));
        TRY(cairn_expect_kind(ctx, &table->slots[at], CAIRN_NUMBER));
        from[j] = table->slots[at].column->numbers;
        used[at] = 1;
    }
    TRY(make_scores(ctx, columns, s, params, from, table->n_rows));
    for (size_t k = 0; k < s->c.n; k++) cairn_column_count_missing(columns[k]);
    TRY(cairn_put_columns(ctx, out, table, used, "pc", columns, s->c.n));
done:
    for (size_t k = 0; columns && k < s->c.n; k++) cairn_column_drop(columns[k]);
    return status;
}

static void pca_describe(cairn_report *out, const void *state, const void *params)
{
    const cairn_pca_params *p = params;
    cairn_report_formula(out, p->whiten ? "score k = (x − mean) · vector k / √(variance k)"
                                        : "score k = (x − mean) · vector k");
    cairn_pca_show_values(out, state);
    cairn_pca_show_vectors(out, state);
}

/* As cairn_components_scores does it; what has no variance is 0 when it is whitened. */
static cairn_status pca_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const cairn_pca_state *s = state;
    const cairn_pca_params *params = job->params;
    size_t p = s->c.n_columns;
    double *weights, *zeros;
    int32_t *in, first;
    CHECK(cairn_program_columns(out, &s->names, &in));
    CHECK(SCRATCH(out->ctx, &weights, cairn_product(s->c.n, p) + 1));
    CHECK(SCRATCH(out->ctx, &zeros, s->c.n + 1));
    for (size_t k = 0; k < s->c.n; k++) {
        bool empty = s->c.values[k] <= 1e-14 * s->c.values[0];
        double factor = !params->whiten ? 1 : empty ? 0 : 1 / sqrt(s->c.values[k]);
        for (size_t j = 0; j < p; j++)
            weights[k * p + j] = s->c.vectors[k * p + j] * factor / s->c.scales[j];
    }
    CHECK(cairn_lower_affine(out, in, p, s->c.n, zeros, weights, s->c.means, &first));
    cairn_program_put_new(out, first, s->c.n);
    return CAIRN_OK;
}

static void write_components(cairn_ledger *out, const void *state, const cairn_job *job)
{
    const cairn_pca_state *s = state;
    (void)job;
    cairn_directions_write(out, (const char *const[]){"component", "variance"}, &s->names,
                           s->c.values, s->c.vectors, s->c.n);
}

static void write_columns(cairn_ledger *out, const void *state, const cairn_job *job)
{
    const cairn_pca_state *s = state;
    (void)job;
    cairn_ledger_columns(out, "tnn", "column", "mean", "scale");
    for (size_t j = 0; j < s->names.n; j++)
        cairn_ledger_cells(out, cairn_map_key(&s->names, j), s->c.means[j], s->c.scales[j]);
}

static const cairn_learned pca_tables[] = {
    CAIRN_LEARNED("pca.components", "component: its variance, and its part of every column",
                  write_components),
    CAIRN_LEARNED("pca.columns", "column: its mean, and what it is divided by", write_columns),
    CAIRN_LEARNED_END};

static cairn_status count_columns(cairn_archive *a, void *state, const void *around)
{
    cairn_pca_state *s = state;
    (void)a;
    (void)around;
    s->c.n_columns = s->names.n;
    return CAIRN_OK;
}

/* Counts come before the arrays they size, each bounded by the one before it, so that a damaged
 * file cannot ask for more than its columns allow. */
static const cairn_kept pca_keeps[] = {
    KEEP(cairn_pca_state, names),
    KEEP_BY(count_columns),
    KEEP_SIZE_IN(cairn_pca_state, c.n_values, "names", .name = "values"),
    KEEP_SIZE_IN(cairn_pca_state, c.n, "c.n_values", .name = "components", .least = 1,
                 .why = "there are no principal components"),
    KEEP(cairn_pca_state, c.by_rows, c.weight, c.below, c.total),
    KEEP_ARRAYS(cairn_pca_state, "names", c.means, c.scales, c.lows, c.highs),
    KEEP_ARRAY(cairn_pca_state, c.values, "c.n_values", .name = "variances"),
    KEEP_ARRAYS(cairn_pca_state, "c.n*names", c.vectors),
    KEEP_END,
};

void cairn_pca_clear(void *state)
{
    cairn_kept_clear(pca_keeps, state);
}

const cairn_transform cairn_pca = {
    .entry =
        {.kind = CAIRN_ENTRY_TRANSFORM,
         .name = "pca",
         .also = "principal component analysis, principal components, dimensionality reduction, "
                 "Karhunen-Loeve, whitening, prcomp, princomp",
         .title = "Principal components",
         .summary =
             "Replaces number columns by their principal components pc1, pc2 ...: the "
             "directions along which the training rows vary most, each at right angles to "
             "those before it. A few of them often say nearly as much as all the columns. "
             "Give their number, or the share of the variance to keep. Columns in different "
             "units should be scaled. More columns than rows, and columns that depend on each "
             "other, are no obstacle. Missing cells must be filled before: --with impute "
             "--with pca.",
         .references =
             "Pearson: On lines and planes of closest fit to systems of points in space, "
             "Philosophical Magazine 2, 1901; Hotelling: Analysis of a complex of statistical "
             "variables into principal components, Journal of Educational Psychology 24, 1933; "
             "Jolliffe: Principal Component Analysis, 2002",
         .example = "cairn fit kmeans @iris --clusters 3 --with pca:2",
         .params = cairn_pca_param_table,
         .params_size = sizeof(cairn_pca_params)},
    .state_size = sizeof(cairn_pca_state),
    .tables = pca_tables,
    .sets_scale = true,
    .wants_complete = true,
    .fit = pca_fit,
    .apply = pca_apply,
    .lower = pca_lower,
    .describe = pca_describe,
    .keeps = pca_keeps,
};
