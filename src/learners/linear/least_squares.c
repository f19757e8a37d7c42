/* SPDX-License-Identifier: MIT */
/* Least squares of several targets at once.
 *
 * 1. One pass sums the cross products of the terms with each other and with every target, in z
 *    units (rows/matrix.h).
 * 2. The terms that have spread, centred and made columns of length 1, are factorised once:
 *    Cholesky where that is safe, an orthogonal triangle where it is not (linear_solve.c).
 * 3. Every target is the inverse times its moments; a pass over the residuals tells the sums of
 *    squares, and where the columns are badly conditioned corrects the slopes by what the residuals
 *    still have in common with the terms. */
#include "base/memory.h"
#include "base/number.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "learners/linear/coefficients.h"
#include "learners/linear/least_squares.h"
#include "learners/linear/least_squares_classifier.h"
#include "learners/linear/linear.h"
#include "learners/linear/logistic.h"
#include "learners/linear/row_span.h"
#include "learners/linear/weights.h"
#include "report/table_rows.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* What a least-squares classifier says of itself: codes, weights, boundary, quality, misclassified
 * rows; the reasons of an answer; and the work as a lecturer shows it: codes of the classes, means,
 * X'y as a sum over the classes, normal equations, for one feature the closed forms, and every
 * row's score. */

enum { EQUATION_TERMS = 20, TABLE_ROWS = 2000, MATRIX_TERMS = 12, STEP_ROWS = 50 };

typedef struct page {
    cairn_report *out;
    const cairn_codes_model *m;
    const cairn_job *job;
    const cairn_map *classes;
    const char *const *names; /* of the terms */
    bool intercept;
} page;

static const char *class_name(const page *g, size_t class)
{
    return cairn_map_key(g->classes, class);
}

static double weight(const page *g, size_t term, size_t score)
{
    return g->m->weights[term * g->m->n_scores + score];
}

/* Scratch memory of now; false when there is nobody to tell. */
static bool open_page(page *g, cairn_report *out, const cairn_codes_model *m, const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    ptrdiff_t target = cairn_schema_role(job->schema, CAIRN_TARGET);
    const cairn_codes_params *params = job->params;
    if (!ctx || target < 0) return false;
    *g = (page){.out = out, .m = m, .job = job};
    g->classes = &job->schema->fields[target].names;
    g->intercept = params->intercept != CAIRN_INTERCEPT_NONE;
    cairn_status status = cairn_term_names(ctx, &g->names, job->schema);
    cairn_report_failed(out, status);
    return status == CAIRN_OK;
}

/* -- describing -- */

/* w·x − t = 0, or w·x + w0 = 0, and for one feature the place of the boundary. */
static void show_boundary(const page *g)
{
    const cairn_codes_params *params = g->job->params;
    const cairn_codes_model *m = g->m;
    size_t n = m->n_terms;
    double t = m->threshold - weight(g, n, 0);
    bool minus = params->intercept != CAIRN_INTERCEPT_PLUS, any = false;
    cairn_text text = cairn_text_start(cairn_report_context(g->out));
    for (size_t j = 0; j < n && j < EQUATION_TERMS; j++)
        cairn_add_term(&text, &any, weight(g, j, 0), g->names[j], false);
    if (n > EQUATION_TERMS) cairn_text_add(&text, " + …");
    cairn_add_term(&text, &any, -t, NULL, false);
    cairn_text_add(&text, " = 0");
    cairn_report_failed(g->out, cairn_text_status(&text));
    cairn_report_word(g->out, "boundary", cairn_text_string(&text), "boundary");
    cairn_report_value(g->out, minus ? "t in w·x − t" : "w₀ in w·x + w₀", minus ? t : -t,
                       minus ? "boundary.t" : "boundary.w0");
    if (n == 1 && weight(g, 0, 0) != 0)
        cairn_report_value(g->out, "boundary at", t / weight(g, 0, 0), "boundary.at");
    cairn_text_clear(&text);
}

/* Codes of two classes; zeros and ones need no table. */
static void show_codes(const page *g)
{
    const cairn_codes_model *m = g->m;
    if (m->n_scores > 1) {
        cairn_report_paragraph(g->out, "Every class has a target of its own, 1 for its rows and 0 "
                                       "for the others; the largest score answers.");
        return;
    }
    cairn_report_table_of(g->out, "Codes", 0, "lr", "class", "code");
    for (size_t c = 0; c < 2; c++)
        cairn_report_cells(g->out, "- code.$1:6", class_name(g, c), cairn_codes_code(m, c));
    cairn_report_table_end(g->out);
    cairn_report_value(g->out,
                       m->coding == CAIRN_CODING_FISHER ? "threshold"
                                                        : "threshold, halfway between the codes",
                       m->threshold, "threshold");
}

static void show_weight_row(const page *g, size_t term)
{
    const cairn_codes_model *m = g->m;
    bool constant = term == m->n_terms;
    const char *name = constant ? "intercept" : g->names[term];
    const char *key = constant ? "intercept" : cairn_term_key(g->out, name);
    cairn_report_cell(g->out, name);
    for (size_t k = 0; k < m->n_scores; k++)
        if (m->n_scores == 1)
            cairn_report_cell_number(g->out, weight(g, term, k), 6, "coefficient.%s", key);
        else
            cairn_report_cell_number(g->out, weight(g, term, k), 6, "coefficient.%s.%s",
                                     cairn_report_key(g->out, class_name(g, k)), key);
}

/* One score of one term is a straight line, whose two numbers have names of their own. */
static void show_weights(const page *g)
{
    const cairn_codes_model *m = g->m;
    cairn_report_table_of(g->out, "Coefficients", TABLE_ROWS, "l", "term");
    for (size_t k = 0; k < m->n_scores; k++)
        cairn_report_column(g->out, m->n_scores == 1 ? "coefficient" : class_name(g, k), 'r');
    if (g->intercept) show_weight_row(g, m->n_terms);
    for (size_t t = 0; t < m->n_terms; t++) show_weight_row(g, t);
    cairn_report_table_end(g->out);
    for (size_t k = 0; k < m->n_scores; k++)
        cairn_coefficients_show_raw(
            g->out, g->job,
            &(cairn_coefficients){.class = m->n_scores > 1 ? class_name(g, k) : NULL,
                                  .n_terms = m->n_terms,
                                  .weights = m->weights + k,
                                  .stride = m->n_scores,
                                  .intercept = g->intercept,
                                  .linked = true});
    if (m->n_terms != 1 || m->n_scores != 1) return;
    cairn_report_hidden(g->out, weight(g, 0, 0), "slope");
    cairn_report_hidden(g->out, weight(g, 1, 0), "intercept");
}

static void show_wrong(const page *g, const cairn_codes_history *history)
{
    if (!history->n_wrong) return;
    cairn_report_table_of(g->out, "Misclassified training rows", 20, "rll", "row", "class",
                          "answer");
    for (size_t i = 0; i < history->n_listed; i++) {
        const int32_t *row = history->wrong + 3 * i;
        cairn_report_cells(g->out, "- - wrong.row$1", row[0] + 1, class_name(g, (size_t)row[1]),
                           class_name(g, (size_t)row[2]));
    }
    cairn_report_table_end(g->out);
}

/* R² is told only with an intercept: without one there is no mean to compare with. */
static void show_quality(const page *g, const cairn_codes_history *history)
{
    const cairn_codes_model *m = g->m;
    double share = history->total > 0 ? history->right / history->total : NAN;
    cairn_report_value(
        g->out, m->n_scores == 1 ? "E = ½ Σ (code − score)²" : "E = ½ trace (XW − T)ᵀ(XW − T)",
        history->squares / 2, "E");
    if (g->intercept)
        cairn_report_value(g->out, "R² of the codes",
                           history->spread > 0 ? 1 - history->squares / history->spread : NAN,
                           "r2");
    cairn_report_value(g->out, "right on the training rows", share, "training.accuracy");
    cairn_report_value(g->out, "misclassified training rows", (double)history->n_wrong,
                       "training.errors");
    if (history->rejected > 0)
        cairn_report_value(g->out, "training rows on the boundary", history->rejected,
                           "training.rejected");
    if (history->rank < m->n_terms)
        cairn_report_note(g->out,
                          "The columns depend on each other (rank %zu of %zu): of all solutions "
                          "the one of least norm is given.",
                          history->rank, m->n_terms);
    show_wrong(g, history);
}

void cairn_codes_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    page g;
    if (!ctx) return;
    SCOPED_SCRATCH(ctx);
    if (!open_page(&g, out, model, job)) return;
    cairn_report_heading(out, 2, "Least-squares classifier");
    show_codes(&g);
    show_weights(&g);
    if (g.m->n_scores == 1) show_boundary(&g);
    if (job->history) show_quality(&g, job->history);
}

/* -- reasons -- */

/* Scores of a row, constants included. */
static cairn_status row_scores(cairn_context *ctx, const cairn_codes_model *m,
                               const cairn_view *view, size_t row, double **out)
{
    cairn_matrix_options options = {.n_terms = m->n_terms};
    cairn_row_matrix x;
    CHECK(SCRATCH(ctx, out, m->n_scores + 1));
    CHECK(cairn_matrix_open(ctx, &x, view, &options));
    for (size_t k = 0; k < m->n_scores; k++) {
        (*out)[k] = m->weights[m->n_terms * m->n_scores + k];
        for (size_t t = 0; t < m->n_terms; t++)
            (*out)[k] += cairn_matrix_value(&x, row, t) * m->weights[t * m->n_scores + k];
    }
    return CAIRN_OK;
}

/* The sum that decided: of the one score less its threshold, or of the class that is answered. */
static cairn_status explain_sum(cairn_context *ctx, const page *g, size_t row)
{
    const cairn_codes_model *m = g->m;
    double *scores, *weights, constant;
    CHECK(row_scores(ctx, m, g->job->view, row, &scores));
    CHECK(SCRATCH(ctx, &weights, m->n_terms + 1));
    int32_t answer = cairn_codes_answer(m, scores);
    size_t k = m->n_scores > 1 ? (size_t)answer : 0;
    for (size_t t = 0; t < m->n_terms; t++) weights[t] = weight(g, t, k);
    constant = weight(g, m->n_terms, k) - (m->n_scores == 1 ? m->threshold : 0);
    if (m->n_scores == 1) {
        cairn_report_paragraph(g->out, "The score less its threshold; above 0 is '%s'.",
                               class_name(g, (size_t)m->positive));
        cairn_report_value(g->out, "w·x − t", scores[0] - m->threshold, "activation");
    } else {
        cairn_report_table_of(g->out, "Scores", TABLE_ROWS, "lr", "class", "score");
        for (size_t c = 0; c < m->n_scores; c++) {
            if (c == k) cairn_report_row_mark(g->out);
            cairn_report_cells(g->out, "- score.$1:6", class_name(g, c), scores[c]);
        }
        cairn_report_table_end(g->out);
        cairn_report_paragraph(g->out, "The terms of the largest, that of '%s':", class_name(g, k));
    }
    cairn_linear_explain_row(g->out, g->job, row, weights, constant, m->n_terms);
    return CAIRN_OK;
}

void cairn_codes_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    cairn_context *ctx = cairn_report_context(out);
    page g;
    if (!ctx) return;
    SCOPED_SCRATCH(ctx);
    if (!open_page(&g, out, model, job)) return;
    cairn_report_failed(out, explain_sum(ctx, &g, row));
}

/* -- steps -- */

typedef struct steps {
    page g;
    const cairn_least_squares *fit;
    const cairn_view *view;
    cairn_row_matrix x;     /* in own units */
    const int32_t *classes; /* of the rows */
    double *counts;         /* n_classes: weights of the rows */
    double *means;          /* n_classes x n_terms */
    double *all;            /* (n_terms + 1) x (n_terms + 1): X'X, the ones last */
} steps;

/* Weights and means of the classes, and X'X where it is shown. */
static void take_sums(steps *s, bool matrix)
{
    size_t n = s->fit->n_terms;
    for (size_t i = 0; i < s->view->rows.n; i++) {
        double w = cairn_view_weight(s->view, i), *mean = s->means + (size_t)s->classes[i] * n;
        s->counts[s->classes[i]] += w;
        for (size_t t = 0; t < n; t++) mean[t] += w * cairn_matrix_value(&s->x, i, t);
        for (size_t a = 0; matrix && a <= n; a++)
            for (size_t b = a; b <= n; b++)
                s->all[a * (n + 1) + b] += w * (a < n ? cairn_matrix_value(&s->x, i, a) : 1) *
                                           (b < n ? cairn_matrix_value(&s->x, i, b) : 1);
    }
    for (size_t c = 0; c < s->g.m->n_classes; c++)
        for (size_t t = 0; t < n; t++) s->means[c * n + t] /= s->counts[c] > 0 ? s->counts[c] : 1;
}

/* What the codes and means of the classes are. */
static void show_class_means(const steps *s)
{
    const page *g = &s->g;
    size_t n = s->fit->n_terms < MATRIX_TERMS ? s->fit->n_terms : MATRIX_TERMS;
    cairn_report_step_begin(g->out, "Codes and means of the classes");
    cairn_report_table_of(g->out, "Classes", TABLE_ROWS, "lr", "class", "rows");
    if (g->m->n_scores == 1) cairn_report_column(g->out, "code", 'r');
    for (size_t t = 0; t < n; t++) cairn_report_column(g->out, g->names[t], 'r');
    for (size_t c = 0; c < g->m->n_classes; c++) {
        const char *key = cairn_report_key(g->out, class_name(g, c));
        cairn_report_cells(g->out, "- rows.$1:6", class_name(g, c), s->counts[c]);
        if (g->m->n_scores == 1)
            cairn_report_cell_number(g->out, cairn_codes_code(g->m, c), 6, NULL);
        for (size_t t = 0; t < n; t++)
            cairn_report_cell_number(g->out, s->means[c * s->fit->n_terms + t], 6, "mean.%s.%s",
                                     key, cairn_term_key(g->out, g->names[t]));
    }
    cairn_report_table_end(g->out);
    cairn_report_step_end(g->out);
}

/* Entry of X'y, for score k: the sum over the classes of code times rows times mean. */
static double moment(const steps *s, size_t term, size_t k)
{
    const cairn_codes_model *m = s->g.m;
    double sum = 0;
    for (size_t c = 0; c < m->n_classes; c++) {
        double code = m->n_scores == 1 ? cairn_codes_code(m, c) : c == k;
        sum += code * s->counts[c] * (term < m->n_terms ? s->means[c * m->n_terms + term] : 1);
    }
    return sum;
}

static void show_moment_row(const steps *s, size_t term)
{
    const page *g = &s->g;
    bool constant = term == g->m->n_terms;
    cairn_report_cell(g->out, constant ? "1" : g->names[term]);
    for (size_t k = 0; k < g->m->n_scores; k++)
        if (g->m->n_scores == 1)
            cairn_report_cell_number(g->out, moment(s, term, k), 6, "xty.%zu",
                                     constant ? 0 : term + 1);
        else
            cairn_report_cell_number(g->out, moment(s, term, k), 6, "xty.%zu.%s",
                                     constant ? 0 : term + 1,
                                     cairn_report_key(g->out, class_name(g, k)));
}

/* X'y is made of the class means alone: with the codes +1 and −1 it is Pos μ₊ − Neg μ₋. */
static void show_moments(const steps *s)
{
    const page *g = &s->g;
    const cairn_codes_model *m = g->m;
    cairn_report_step_begin(g->out, "What the features have in common with the codes");
    if (m->n_scores > 1)
        cairn_report_formula(g->out, "Xᵀt_k = N_k μ_k");
    else if (m->coding == CAIRN_CODING_PM1)
        cairn_report_formula(g->out, "Xᵀy = Pos μ₊ − Neg μ₋");
    else
        cairn_report_formula(g->out, "Xᵀy = y₊ N₊ μ₊ + y₋ N₋ μ₋");
    cairn_report_table_of(g->out, m->n_scores > 1 ? "XᵀT" : "Xᵀy", TABLE_ROWS, "l", "");
    for (size_t k = 0; k < m->n_scores; k++)
        cairn_report_column(g->out, m->n_scores > 1 ? class_name(g, k) : "sum", 'r');
    if (g->intercept) show_moment_row(s, m->n_terms);
    for (size_t t = 0; t < m->n_terms; t++) show_moment_row(s, t);
    cairn_report_table_end(g->out);
    cairn_report_step_end(g->out);
}

/* A square matrix over the terms, the constant first. */
static void show_matrix(const steps *s, const char *title, const char *name, const double *a,
                        size_t size)
{
    const page *g = &s->g;
    size_t n = g->m->n_terms;
    cairn_report_table_of(g->out, title, 0, "l", "");
    for (size_t i = 0; i < size; i++)
        cairn_report_column(g->out, g->intercept ? i ? g->names[i - 1] : "1" : g->names[i], 'r');
    for (size_t i = 0; i < size; i++) {
        size_t from = !g->intercept ? i : i ? i - 1 : n;
        cairn_report_cell(g->out, from == n ? "1" : g->names[from]);
        for (size_t j = 0; j < size; j++) {
            size_t to = !g->intercept ? j : j ? j - 1 : n;
            cairn_report_cell_number(g->out, a[from * (n + 1) + to], 6, "%s.%zu.%zu", name,
                                     from == n ? 0 : from + 1, to == n ? 0 : to + 1);
        }
    }
    cairn_report_table_end(g->out);
}

/* The normal equations on paper: X'X, its inverse, and their product with X'y. */
static cairn_status show_equations(cairn_context *ctx, const steps *s)
{
    const page *g = &s->g;
    size_t n = g->m->n_terms, width = n + 1, size = g->intercept ? width : n, pivot;
    double *inverse, *small, condition;
    if (size == 0 || size > MATRIX_TERMS) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &inverse, width * width));
    CHECK(SCRATCH(ctx, &small, size * size));
    for (size_t i = 0; i < width; i++)
        for (size_t j = 0; j < i; j++) s->all[i * width + j] = s->all[j * width + i];
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++) small[i * size + j] = s->all[i * width + j];
    CHECK(cairn_cholesky(ctx, small, size, &condition, &pivot));
    cairn_report_step_begin(g->out, "Normal equations");
    cairn_report_formula(g->out, g->m->n_scores > 1 ? "W = (XᵀX)⁻¹ XᵀT" : "w = (XᵀX)⁻¹ Xᵀy");
    show_matrix(s, "XᵀX", "xtx", s->all, size);
    if (condition > 1e-13 && g->m->n_terms == s->fit->rank) {
        CHECK(cairn_cholesky_inverse(ctx, small, size));
        for (size_t i = 0; i < size; i++)
            for (size_t j = 0; j < size; j++) inverse[i * width + j] = small[i * size + j];
        show_matrix(s, "(XᵀX)⁻¹", "inverse", inverse, size);
    } else {
        cairn_report_note(g->out, "XᵀX is singular: it has no inverse, and the solution of least "
                                  "norm is taken.");
    }
    cairn_report_step_end(g->out);
    return CAIRN_OK;
}

/* One feature: slope and boundary from means and variance alone. */
static void show_one_feature(const steps *s)
{
    const page *g = &s->g;
    const cairn_codes_model *m = g->m;
    size_t p = (size_t)m->positive, q = 1 - p;
    double n = s->fit->total, pos = s->counts[p] / n, neg = s->counts[q] / n;
    double mean = s->fit->means[0], apart = s->means[p] - s->means[q], var = 0;
    for (size_t i = 0; i < s->view->rows.n; i++) {
        double d = cairn_matrix_value(&s->x, i, 0) - mean;
        var += cairn_view_weight(s->view, i) * d * d / n;
    }
    if (!(var > 0) || apart == 0 || pos == 0 || neg == 0) return;
    double slope = (m->high - m->low) * pos * neg * apart / var;
    double code = pos * m->high + neg * m->low, at = mean + (m->threshold - code) / slope;
    cairn_report_step_begin(g->out, "One feature: the closed forms");
    cairn_report_value(g->out, "share of the positive class", pos, "univariate.pos");
    cairn_report_value(g->out, "variance of x (divisor n)", var, "univariate.variance");
    cairn_report_worked(g->out, "b", "(y₊ − y₋) pos neg (μ₊ − μ₋) / Var(x) = # · # · # · # / # = #",
                        m->high - m->low, pos, neg, apart, var, slope);
    cairn_report_worked(g->out, "a", "ȳ − b x̄ = # − # · # = #", code, slope, mean,
                        code - slope * mean);
    cairn_report_hidden(g->out, slope, "univariate.slope");
    cairn_report_hidden(g->out, code - slope * mean, "univariate.intercept");
    if (m->coding == CAIRN_CODING_PM1)
        cairn_report_worked(g->out, "x₀",
                            "x̄ − (pos − neg)/(2 pos neg) · Var(x)/(μ₊ − μ₋) = # − #/# · #/# = #",
                            mean, pos - neg, 2 * pos * neg, var, apart, at);
    else
        cairn_report_worked(g->out, "x₀", "x̄ + (threshold − ȳ)/b = # + (# − #)/# = #", mean,
                            m->threshold, code, slope, at);
    cairn_report_hidden(g->out, at, "x0");
    cairn_report_step_end(g->out);
}

/* With centred, uncorrelated features of equal variance and classes of equal size the weights are
 * those of the basic linear classifier; and slopes of every coding point where Fisher's do, which
 * follows from the fit: S_w⁻¹d is a multiple of the slopes. */
static void show_relatives(const steps *s)
{
    const page *g = &s->g;
    const cairn_codes_model *m = g->m;
    size_t p = (size_t)m->positive, q = 1 - p, n = m->n_terms;
    const double *here = s->means + p * n, *there = s->means + q * n;
    double factor = (m->high - m->low) * s->counts[p] * s->counts[q] / s->fit->total, dot = 0;
    double t = 0;
    for (size_t j = 0; j < n; j++) {
        dot += (here[j] - there[j]) * weight(g, j, 0);
        t += (here[j] - there[j]) * (here[j] + there[j]) / 2;
    }
    double left = 1 - dot / (m->high - m->low);
    cairn_report_step_begin(g->out, "Beside its relatives");
    cairn_report_paragraph(g->out,
                           "Were the features uncorrelated with equal variances and the classes of "
                           "equal size, w would be μ₊ − μ₋, the basic linear classifier. Fisher's "
                           "discriminant S_w⁻¹(μ₊ − μ₋), with the scatter S_w within the classes, "
                           "has the direction of w.");
    cairn_report_table_of(g->out, "Directions", TABLE_ROWS, "lrrr", "term", "w", "μ₊ − μ₋",
                          "S_w⁻¹(μ₊ − μ₋)");
    for (size_t j = 0; j < n; j++) {
        const char *key = cairn_term_key(g->out, g->names[j]);
        cairn_report_cell(g->out, g->names[j]);
        cairn_report_cell_number(g->out, weight(g, j, 0), 6, "w.%s", key);
        cairn_report_cell_number(g->out, here[j] - there[j], 6, "basic.%s", key);
        cairn_report_cell_number(
            g->out, left > 1e-12 && g->intercept ? weight(g, j, 0) / factor / left : NAN, 6,
            "fisher.%s", key);
    }
    cairn_report_table_end(g->out);
    cairn_report_worked(g->out, "t of the basic linear classifier", "(μ₊ − μ₋)·(μ₊ + μ₋)/2 = #", t);
    cairn_report_hidden(g->out, t, "basic.t");
    cairn_report_step_end(g->out);
}

/* Scores of the first rows and what they answer. */
static cairn_status show_rows(cairn_context *ctx, const steps *s)
{
    const page *g = &s->g;
    const cairn_codes_model *m = g->m;
    size_t rows = s->view->rows.n;
    double *scores;
    CHECK(SCRATCH(ctx, &scores, m->n_scores + 1));
    cairn_report_step_begin(g->out, "Scores of the rows");
    cairn_report_formula(g->out, m->n_scores == 1 ? "score = w·x + w₀" : "scores = Wᵀx");
    cairn_report_table_of(g->out, "Training rows", STEP_ROWS, "rl", "row", "class");
    for (size_t k = 0; k < m->n_scores; k++)
        cairn_report_column(g->out, m->n_scores == 1 ? "score" : class_name(g, k), 'r');
    cairn_report_column(g->out, "answer", 'l');
    for (size_t i = 0; i < rows && i < STEP_ROWS; i++) {
        size_t row = cairn_view_row(s->view, i) + 1;
        cairn_report_cells(g->out, NULL, row, class_name(g, (size_t)s->classes[i]));
        for (size_t k = 0; k < m->n_scores; k++) {
            scores[k] = weight(g, m->n_terms, k);
            for (size_t t = 0; t < m->n_terms; t++)
                scores[k] += weight(g, t, k) * cairn_matrix_value(&s->x, i, t);
            if (m->n_scores == 1)
                cairn_report_cell_number(g->out, scores[k], 6, "row%zu.score", row);
            else
                cairn_report_cell_number(g->out, scores[k], 6, "row%zu.score.%s", row,
                                         cairn_report_key(g->out, class_name(g, k)));
        }
        int32_t answer = cairn_codes_answer(m, scores);
        if (answer != s->classes[i]) cairn_report_row_mark(g->out);
        cairn_report_cell_word(g->out,
                               answer >= 0    ? class_name(g, (size_t)answer)
                               : answer == -2 ? "rejected"
                                              : "unknown",
                               "row%zu.answer", row);
    }
    cairn_report_table_end(g->out);
    if (rows > STEP_ROWS)
        cairn_report_paragraph(g->out, "and %zu more row%s", rows - STEP_ROWS,
                               rows - STEP_ROWS == 1 ? "" : "s");
    cairn_report_step_end(g->out);
    return CAIRN_OK;
}

cairn_status cairn_codes_show_steps(cairn_context *ctx, const cairn_codes_model *m,
                                    const cairn_least_squares *fit, const cairn_job *job)
{
    steps s = {.fit = fit, .view = job->view};
    size_t n = fit->n_terms, width = n + 1;
    bool matrix = width <= MATRIX_TERMS;
    cairn_matrix_options options = {.n_terms = n};
    int32_t *classes;
    if (!open_page(&s.g, job->steps, m, job)) return cairn_report_status(job->steps);
    CHECK(cairn_matrix_open(ctx, &s.x, job->view, &options));
    CHECK(SCRATCH(ctx, &classes, job->view->rows.n + 1));
    CHECK(SCRATCH(ctx, &s.counts, m->n_classes + 1));
    CHECK(SCRATCH(ctx, &s.means, cairn_product(m->n_classes, n) + 1));
    if (matrix) CHECK(SCRATCH(ctx, &s.all, width * width));
    cairn_view_target_codes(job->view, 0, job->view->rows.n, classes);
    s.classes = classes;
    take_sums(&s, matrix);
    show_class_means(&s);
    show_moments(&s);
    CHECK(show_equations(ctx, &s));
    if (m->n_scores == 1 && n == 1 && s.g.intercept) show_one_feature(&s);
    if (m->n_scores == 1 && n > 0) show_relatives(&s);
    return show_rows(ctx, &s);
}

/* Up to this condition the slopes are right to ten digits as they are. */
static const double SURE = 1000;

typedef struct problem {
    cairn_row_matrix x; /* with ones, the last column */
    const double *targets;
    size_t m;
    bool intercept;
    double *gram;    /* width x width */
    double *moments; /* m x width: with the targets, ones last */
    double *centres; /* width: means of z with an intercept, else 0 */
    double *lengths; /* n_terms: of the columns without their centres; 0 = constant */
    double *theta;   /* m x width: weights of z, the constant last */
    size_t *active;  /* terms with a length */
    cairn_linear_system system;
} problem;

/* -- passes -- */

static void products_piece(void *data, const cairn_piece *piece, double *sums)
{
    const problem *p = data;
    size_t width = p->x.width;
    cairn_gram_add(sums, NULL, piece->z, width, NULL, piece->weights, piece->n, width);
    for (size_t k = 0; k < p->m; k++)
        cairn_gram_add(NULL, sums + (width + k) * width, piece->z, width,
                       p->targets + k * p->x.n + piece->first, piece->weights, piece->n, width);
}

/* Squared residuals of every target, then what they have in common with the terms. */
static void residuals_piece(void *data, const cairn_piece *piece, double *sums)
{
    const problem *p = data;
    size_t width = p->x.width;
    for (size_t k = 0; k < p->m; k++) {
        const double *target = p->targets + k * p->x.n + piece->first, *w = p->theta + k * width;
        for (size_t i = 0; i < piece->n; i++) {
            double e = target[i] - cairn_dot(piece->z + i * width, w, width);
            piece->buffer[i] = e;
            sums[k] += (piece->weights ? piece->weights[i] : 1) * e * e;
        }
        cairn_gram_add(NULL, sums + p->m + k * width, piece->z, width, piece->buffer,
                       piece->weights, piece->n, width);
    }
}

static cairn_status sum_products(cairn_context *ctx, problem *p)
{
    size_t width = p->x.width;
    cairn_row_sum sum = {.size = cairn_product(width, width + p->m), .data = p};
    sum.piece = products_piece;
    CHECK(SCRATCH(ctx, &p->gram, sum.size));
    CHECK(cairn_matrix_sum(ctx, &p->x, &sum, p->gram));
    p->moments = p->gram + width * width;
    for (size_t j = 0; j < width; j++)
        if (!isfinite(p->gram[j * width + j])) return cairn_matrix_refuse(ctx, &p->x, NULL);
    cairn_mirror_upper(p->gram, width);
    return CAIRN_OK;
}

/* -- one factorisation -- */

/* Means and lengths; what is left of a column without its mean may be rounding. */
static void measure_columns(problem *p)
{
    size_t width = p->x.width, last = width - 1;
    double total = p->gram[width * width - 1];
    for (size_t j = 0; j < last; j++) {
        double mean = p->gram[last * width + j] / total;
        double own = fabs(mean + p->x.shift[j] * p->x.scale[j]);
        double noise = 8 * DBL_EPSILON * own, square = p->gram[j * width + j];
        p->centres[j] = p->intercept ? mean : 0;
        if (p->intercept) square -= total * mean * mean;
        if (p->intercept && square <= total * noise * noise) square = 0;
        p->lengths[j] = square > 0 ? sqrt(square) : 0;
        if (p->lengths[j] > 0) p->active[p->system.q++] = j;
    }
}

/* Product of two columns without their centres. */
static double centred(const problem *p, size_t i, size_t j)
{
    size_t width = p->x.width;
    return p->gram[i * width + j] - p->gram[width * width - 1] * p->centres[i] * p->centres[j];
}

/* Columns are brought to length 1 around their centres. */
static cairn_status open_system(cairn_context *ctx, problem *p)
{
    cairn_linear_system *s = &p->system;
    size_t q = s->q;
    double total = p->gram[p->x.width * p->x.width - 1];
    s->target_unit = 1;
    s->condition = 1;
    CHECK(SCRATCH_EACH(ctx, cairn_product(q, q) + 1, &s->cross, &s->inverse));
    CHECK(SCRATCH_EACH(ctx, q + 1, &s->right, &s->slopes, &s->units, &s->rounding, &s->loose,
                       &s->order));
    for (size_t a = 0; a < q; a++) {
        size_t j = p->active[a];
        double mean = p->centres[j] + p->x.shift[j] * p->x.scale[j];
        s->units[a] = p->lengths[j] / p->x.scale[j];
        s->rounding[a] = cairn_linear_rounding(mean, total, p->lengths[j]);
        for (size_t b = 0; b < q; b++)
            s->cross[a * q + b] =
                a == b ? 1 : centred(p, j, p->active[b]) / p->lengths[j] / p->lengths[p->active[b]];
    }
    return CAIRN_OK;
}

/* The orthogonal triangle of the active columns and the targets; its first row belongs to the
 * constant. */
static cairn_status make_triangle(cairn_context *ctx, problem *p)
{
    cairn_linear_system *s = &p->system;
    size_t width = p->x.width + p->m, q = s->q, n;
    double *all;
    n = s->n_triangle = width - 1;
    s->n_rotated = p->m;
    CHECK(SCRATCH(ctx, &all, cairn_product(width, width)));
    CHECK(SCRATCH(ctx, &s->triangle, cairn_product(n, q) + 1));
    CHECK(SCRATCH(ctx, &s->rotated, cairn_product(n, p->m) + 1));
    CHECK(SCRATCH(ctx, &s->many, cairn_product(q, p->m) + 1));
    CHECK(cairn_linear_triangle(ctx, &p->x, p->intercept, p->targets, p->m, all));
    for (size_t i = 0; i < n; i++) {
        const double *row = all + (i + 1) * width;
        for (size_t a = 0; a < q; a++)
            s->triangle[i * q + a] = row[1 + p->active[a]] / p->lengths[p->active[a]];
        for (size_t k = 0; k < p->m; k++) s->rotated[k * n + i] = row[p->x.width + k];
    }
    return CAIRN_OK;
}

static cairn_status factorise(cairn_context *ctx, problem *p)
{
    bool good = p->system.q == 0;
    CHECK(open_system(ctx, p));
    if (good) return CAIRN_OK;
    CHECK(cairn_linear_solve_gram(ctx, &p->system, false, &good));
    if (good) return CAIRN_OK;
    CHECK(make_triangle(ctx, p));
    return cairn_linear_solve_qr(ctx, &p->system, false);
}

/* -- every target -- */

/* Add unit slopes to the weights of target k. */
static void add_weights(problem *p, size_t k, const double *slopes, double sign)
{
    size_t width = p->x.width, last = width - 1;
    double *w = p->theta + k * width;
    for (size_t a = 0; a < p->system.q; a++) {
        size_t j = p->active[a];
        double slope = sign * slopes[a] / p->lengths[j];
        w[j] += slope;
        w[last] -= slope * p->centres[j];
    }
}

/* The unit slopes that these moments ask for, into the system. */
static void find_slopes(problem *p, const double *moments)
{
    cairn_linear_system *s = &p->system;
    size_t last = p->x.width - 1;
    for (size_t a = 0; a < s->q; a++) {
        size_t j = p->active[a];
        s->right[a] = (moments[j] - p->centres[j] * moments[last]) / p->lengths[j];
    }
    for (size_t a = 0; a < s->q; a++)
        s->slopes[a] = cairn_dot(s->inverse + a * s->q, s->right, s->q);
}

/* A correction of target k by what its residuals have in common with the terms. Returns its size
 * beside the largest slope. */
static double correct(problem *p, size_t k, const double *moments)
{
    size_t width = p->x.width, last = width - 1;
    const double *w = p->theta + k * width;
    double total = p->gram[width * width - 1], most = 0, size = 0;
    find_slopes(p, moments);
    for (size_t a = 0; a < p->system.q; a++) {
        most = fmax(most, fabs(p->system.slopes[a]));
        size = fmax(size, fabs(w[p->active[a]] * p->lengths[p->active[a]]));
    }
    p->theta[k * width + last] += p->intercept ? moments[last] / total : 0;
    add_weights(p, k, p->system.slopes, 1);
    return size > 0 ? most / size : most;
}

/* Sums of squared residuals, and up to three corrections of the slopes by them; a target whose
 * squares grow gets back what it had. */
static cairn_status finish(cairn_context *ctx, problem *p, cairn_least_squares *out)
{
    size_t width = p->x.width, size = p->m * (width + 1);
    cairn_row_sum sum = {.size = size, .piece = residuals_piece, .data = p};
    bool going = out->rank == out->n_terms && out->condition > SURE;
    double *sums, *before, change;
    CHECK(SCRATCH(ctx, &sums, size + 1));
    CHECK(SCRATCH(ctx, &before, cairn_product(p->m, width) + 1));
    for (size_t k = 0; k < p->m; k++) out->squares[k] = INFINITY;
    for (int round = 0;; round++) {
        CHECK(cairn_matrix_sum(ctx, &p->x, &sum, sums));
        change = 0;
        for (size_t k = 0; k < p->m; k++) {
            double *w = p->theta + k * width;
            if (round && !(sums[k] <= out->squares[k])) {
                memcpy(w, before + k * width, width * sizeof *w);
                continue;
            }
            out->squares[k] = sums[k];
            memcpy(before + k * width, w, width * sizeof *w);
            if (going && round < 3) change = fmax(change, correct(p, k, sums + p->m + k * width));
        }
        if (!(change > 0)) return CAIRN_OK;
        going = going && change > 1e-9;
    }
}

static cairn_status refuse_weights(cairn_context *ctx)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "there is no row to learn from: least squares needs at least one row with a "
                      "positive weight");
}

static cairn_status open_problem(cairn_context *ctx, problem *p, const cairn_view *view)
{
    size_t terms = 0;
    for (size_t j = 0; j < view->n_features; j++)
        terms += view->features[j]->kind == CAIRN_BAG ? view->features[j]->names.n : 1;
    double width = (double)terms + 1;
    cairn_matrix_options options = {.ones = true, .buffer = 1};
    options.units = p->intercept ? CAIRN_UNITS_SHIFTED : CAIRN_UNITS_SCALED;
    options.sum_size = cairn_product(terms + 1, terms + 1 + p->m);
    CHECK(cairn_memory_check(ctx, (4 * width + 2 * (double)p->m) * width * 8, "least squares",
                             cairn_say(ctx, "use fewer columns or raise {memory}")));
    CHECK(cairn_matrix_open(ctx, &p->x, view, &options));
    if (cairn_matrix_used(&p->x) == 0) return refuse_weights(ctx);
    CHECK(SCRATCH_EACH(ctx, p->x.width, &p->centres, &p->lengths, &p->active));
    return SCRATCH(ctx, &p->theta, cairn_product(p->x.width, p->m) + 1);
}

/* What was found, in the columns' own units. */
static cairn_status keep(cairn_context *ctx, problem *p, cairn_least_squares *out)
{
    size_t n = out->n_terms, width = p->x.width;
    double *own;
    CHECK(SCRATCH(ctx, &own, width));
    CHECK(SCRATCH(ctx, &out->weights, width * p->m + 1));
    CHECK(SCRATCH(ctx, &out->means, n + 1));
    for (size_t j = 0; j < n; j++)
        out->means[j] = p->x.shift[j] + p->gram[n * width + j] / out->total / p->x.scale[j];
    for (size_t k = 0; k < p->m; k++) {
        cairn_matrix_raw(&p->x, p->theta + k * width, 1, 1, own);
        for (size_t t = 0; t <= n; t++) out->weights[t * p->m + k] = own[t];
    }
    return CAIRN_OK;
}

/* More columns than rows: along each direction of the space of the rows the slope is the product
 * with the target over the square of the length. */
static cairn_status fit_wide(cairn_context *ctx, cairn_least_squares *out, const cairn_view *view,
                             const double *targets, size_t m, bool intercept)
{
    cairn_row_span s;
    cairn_job job = {.view = view};
    double *own, *slopes;
    size_t n = view->rows.n;
    CHECK(cairn_row_span_open(ctx, &s, &job, intercept));
    *out = (cairn_least_squares){.n_terms = s.p, .n_targets = m, .rank = s.k};
    out->condition = s.k ? s.values[0] / s.values[s.k - 1] : 1;
    out->means = s.means;
    CHECK(SCRATCH(ctx, &out->squares, m + 1));
    CHECK(SCRATCH(ctx, &out->weights, cairn_product(s.p + 1, m)));
    CHECK(SCRATCH(ctx, &own, s.p + 1));
    CHECK(SCRATCH(ctx, &slopes, s.k + 1));
    for (size_t i = 0; i < n; i++) out->total += cairn_view_weight(view, i);
    if (!(out->total > 0)) return refuse_weights(ctx);
    for (size_t k = 0; k < m; k++) {
        const double *target = targets + k * n;
        double mean = 0;
        for (size_t i = 0; i < n && intercept; i++)
            mean += cairn_view_weight(view, i) / out->total * target[i];
        memset(slopes, 0, (s.k + 1) * sizeof *slopes);
        slopes[s.k] = mean;
        for (size_t a = 0; a < s.k; a++)
            for (size_t i = 0; i < n; i++)
                slopes[a] += cairn_view_weight(view, i) * (target[i] - mean) / s.values[a] *
                             s.view.features[a]->numbers[cairn_view_row(view, i)] / s.values[a];
        for (size_t i = 0; i < n; i++) {
            double e = target[i] - mean;
            for (size_t a = 0; a < s.k; a++)
                e -= slopes[a] * s.view.features[a]->numbers[cairn_view_row(view, i)];
            out->squares[k] += cairn_view_weight(view, i) * e * e;
        }
        cairn_row_span_raw(&s, slopes, own);
        for (size_t t = 0; t <= s.p; t++) out->weights[t * m + k] = own[t];
    }
    return CAIRN_OK;
}

cairn_status cairn_least_squares_fit(cairn_context *ctx, cairn_least_squares *out,
                                     const cairn_view *view, const double *targets,
                                     size_t n_targets, bool intercept)
{
    problem p = {.targets = targets, .m = n_targets, .intercept = intercept};
    if (cairn_row_span_pays(view)) return fit_wide(ctx, out, view, targets, n_targets, intercept);
    CHECK(open_problem(ctx, &p, view));
    CHECK(sum_products(ctx, &p));
    measure_columns(&p);
    CHECK(factorise(ctx, &p));
    *out = (cairn_least_squares){.n_terms = p.x.n_terms, .n_targets = n_targets};
    out->total = p.gram[p.x.width * p.x.width - 1];
    out->rank = p.system.rank;
    out->condition = p.system.condition;
    CHECK(SCRATCH(ctx, &out->squares, n_targets + 1));
    for (size_t k = 0; k < n_targets; k++) {
        /* The weights of target k by the factors, or as the triangle has given them. */
        size_t width = p.x.width, last = width - 1;
        const double *moments = p.moments + k * width;
        double total = p.gram[width * width - 1];
        p.theta[k * width + last] = p.intercept ? moments[last] / total : 0;
        if (!p.system.n_rotated) find_slopes(&p, moments);
        add_weights(&p, k, p.system.n_rotated ? p.system.many + k * p.system.q : p.system.slopes,
                    1);
    }
    CHECK(finish(ctx, &p, out));
    return keep(ctx, &p, out);
}
