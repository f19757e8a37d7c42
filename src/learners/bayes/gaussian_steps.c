/* SPDX-License-Identifier: MIT */
/* The work as on a blackboard: priors, means, covariances, their inverse, the discriminant with its
 * numbers put in, and the first rows. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/text.h"
#include "learners/bayes/gaussian.h"
#include "learners/linear/class_metric.h"
#include "stats/summary.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 50, MOST_TERMS = 50, WRITTEN_TERMS = 4, WRITTEN_CLASSES = 6 };

typedef struct board {
    cairn_context *ctx;
    cairn_report *out;
    const cairn_gaussian_model *m;
    const cairn_job *job;
    const char *const *names;
} board;

static const char *class_of(const board *b, size_t c)
{
    return cairn_bayes_class(b->job->schema, c);
}

/* P(class) = n_class / n, or what was given. */
static void show_priors(const board *b)
{
    const cairn_gaussian_model *m = b->m;
    double total = 0;
    char label[200];
    for (size_t c = 0; c < m->n_classes; c++) total += m->totals[c];
    cairn_report_step_begin(b->out, "Priors and means of the classes");
    for (size_t c = 0; c < m->n_classes && c < WRITTEN_CLASSES; c++) {
        if (m->prior_kind != CAIRN_PRIOR_EMPIRICAL || !(m->totals[c] > 0)) continue;
        snprintf(label, sizeof label, "P(%.150s)", class_of(b, c));
        cairn_report_worked(b->out, label, "n_k / n = # / # = #", m->totals[c], total,
                            m->totals[c] / total);
    }
    if (m->prior_kind == CAIRN_PRIOR_UNIFORM)
        cairn_report_paragraph(b->out, "All classes have the same prior: the largest density "
                                       "decides (maximum likelihood).");
    cairn_report_formula(b->out, "μ_k = 1/n_k Σ x  over the rows of class k%s",
                         m->incomplete > 0 ? ", where cells are missing with the expected x, given "
                                             "those that are there (EM)"
                                           : "");
    cairn_gaussian_show_classes(b->out, m, b->job);
    cairn_report_step_end(b->out);
}

/* -- covariances -- */

/* Covariances of the single classes. The model may keep their sum only, so the rows are read once
 * more; where these are not all there is (missing cells, later rows), it is NULL. */
static cairn_status class_covariances(const board *b, double **out)
{
    const cairn_gaussian_model *m = b->m;
    size_t p = m->n_columns;
    cairn_view view;
    int32_t *places;
    double weight;
    cairn_class_sums sums;
    *out = NULL;
    CHECK(cairn_gaussian_complete(b->ctx, &view, b->job->view, &weight));
    CHECK(SCRATCH(b->ctx, &places, m->n_classes + 1));
    for (size_t c = 0; c < m->n_classes; c++) places[c] = (int32_t)c;
    CHECK(cairn_class_sums_of(b->ctx, &sums, &view, places, m->n_classes, CAIRN_CLASS_OWN_SCATTER));
    for (size_t c = 0; c < m->n_classes; c++) {
        double divisor = cairn_gaussian_divisor(m, c);
        if (sums.totals[c] < m->totals[c]) return CAIRN_OK;
        for (size_t i = 0; divisor > 0 && i < p * p; i++) sums.own[c * p * p + i] /= divisor;
    }
    *out = sums.own;
    return CAIRN_OK;
}

static void show_class_covariances(const board *b, const double *own)
{
    const cairn_gaussian_model *m = b->m;
    size_t p = m->n_columns;
    char title[200], key[200];
    cairn_report_formula(b->out, "S_k = 1/%s Σ (x − μ_k)(x − μ_k)ᵀ  over the rows of class k",
                         m->divisor == CAIRN_DIVISOR_N_1 ? "(n_k − 1)" : "n_k");
    for (size_t c = 0; c < m->n_classes && c < WRITTEN_CLASSES; c++) {
        if (!(m->totals[c] > 0)) continue;
        snprintf(title, sizeof title, "S of %.150s", class_of(b, c));
        snprintf(key, sizeof key, "class_covariance.%.150s",
                 cairn_report_key(b->out, class_of(b, c)));
        cairn_show_term_matrix(b->out, title, key, own + c * p * p, p, b->names);
    }
}

/* Element by element Σ_ij = Σ_k n_k/n S_k,ij for few columns. */
static void show_pooled(const board *b, const double *own)
{
    const cairn_gaussian_model *m = b->m;
    size_t p = m->n_columns, n = 0;
    double numbers[3 * WRITTEN_CLASSES], all = cairn_gaussian_divisor(m, m->n_classes);
    char label[200];
    bool n_1 = m->divisor == CAIRN_DIVISOR_N_1;
    cairn_report_formula(b->out, n_1 ? "Σ = Σ_k (n_k − 1)/(n − K) · S_k" : "Σ = Σ_k n_k/n · S_k");
    if (p > 2 || m->n_classes > WRITTEN_CLASSES) return;
    for (size_t i = 0; i < p; i++)
        for (size_t j = i; j < p; j++) {
            double sum = 0;
            n = 0;
            for (size_t c = 0; c < m->n_classes; c++) {
                if (!(m->totals[c] > 0)) continue;
                numbers[3 * n] = cairn_gaussian_divisor(m, c);
                numbers[3 * n + 1] = all;
                numbers[3 * n + 2] = own[c * p * p + i * p + j];
                sum += numbers[3 * n] / all * numbers[3 * n + 2];
                n++;
            }
            snprintf(label, sizeof label, "Σ(%.80s, %.80s)", b->names[i], b->names[j]);
            cairn_report_worked_sum(b->out, label, "#/#·#", numbers, 3, n, sum);
        }
}

static cairn_status show_covariances(const board *b)
{
    const cairn_gaussian_model *m = b->m;
    double *own;
    if (m->covariance == CAIRN_GAUSSIAN_IDENTITY || m->n_columns > MOST_TERMS) return CAIRN_OK;
    CHECK(class_covariances(b, &own));
    cairn_report_step_begin(b->out, "Covariances");
    if (own)
        show_class_covariances(b, own);
    else if (m->incomplete > 0)
        cairn_report_formula(b->out, "(x − μ_k)(x − μ_k)ᵀ is the expected one where cells are "
                                     "missing, given those that are there (EM)");
    if (own && m->covariance == CAIRN_GAUSSIAN_SHARED) show_pooled(b, own);
    if (m->pooling > 0)
        cairn_report_worked(b->out, "Σ_k", "(1 − λ) S_k + λ Σ = # S_k + # Σ", 1 - m->pooling,
                            m->pooling);
    if (m->shrinkage > 0)
        cairn_report_worked(b->out, "elements off the diagonal", "times 1 − # = #", m->shrinkage,
                            1 - m->shrinkage);
    bool shown = own && m->covariance == CAIRN_GAUSSIAN_OWN && !(m->pooling > 0) &&
                 !(m->shrinkage > 0) && m->n_classes <= WRITTEN_CLASSES;
    if (!shown) CHECK(cairn_gaussian_show_covariances(b->out, m, b->job));
    cairn_report_step_end(b->out);
    return CAIRN_OK;
}

/* -- the discriminant -- */

static cairn_status show_inverses(const board *b, double *inverse)
{
    const cairn_gaussian_model *m = b->m;
    size_t p = m->n_columns;
    char title[200], key[200];
    for (size_t f = 0; f < m->n_factors && f < WRITTEN_CLASSES; f++) {
        bool one = m->n_factors == 1;
        if (!one && !(m->totals[f] > 0)) continue;
        cairn_gaussian_inverse(m, f, inverse);
        const char *name = cairn_report_key(b->out, class_of(b, f));
        snprintf(title, sizeof title, one ? "Σ⁻¹" : "Σ⁻¹ of %.150s", class_of(b, f));
        snprintf(key, sizeof key, one ? "inverse" : "inverse.%.150s", name);
        cairn_show_term_matrix(b->out, title, key, inverse, p, b->names);
        snprintf(title, sizeof title, one ? "|Σ|" : "|Σ| of %.150s", class_of(b, f));
        cairn_report_value(b->out, title, cairn_exp(2 * m->log_roots[f]), "determinant%s%s",
                           one ? "" : ".", one ? "" : name);
    }
    return CAIRN_OK;
}

/* w = Σ⁻¹(μ₊ − μ₋) number by number, and w0. */
static cairn_status show_two(const board *b, const double *inverse, size_t plus, size_t minus)
{
    const cairn_gaussian_model *m = b->m;
    size_t p = m->n_columns;
    double *v, *w, plus0, minus0, *terms;
    char label[200];
    CHECK(SCRATCH(b->ctx, &v, p + 1));
    CHECK(SCRATCH(b->ctx, &w, p + 1));
    CHECK(SCRATCH(b->ctx, &terms, 2 * p + 1));
    cairn_gaussian_plane(m, inverse, plus, v, &plus0);
    cairn_gaussian_plane(m, inverse, minus, w, &minus0);
    cairn_report_formula(b->out, "w = Σ⁻¹ (μ₊ − μ₋),  + is %s, − is %s", class_of(b, plus),
                         class_of(b, minus));
    for (size_t i = 0; i < p; i++) {
        for (size_t j = 0; j < p; j++) {
            terms[2 * j] = inverse[i * p + j];
            terms[2 * j + 1] = m->means[plus * p + j] - m->means[minus * p + j];
        }
        snprintf(label, sizeof label, "w(%.150s)", b->names[i]);
        if (p <= WRITTEN_TERMS)
            cairn_report_worked_sum(b->out, label, "#·#", terms, 2, p, v[i] - w[i]);
        cairn_report_hidden(b->out, v[i] - w[i], "coefficient.%s",
                            cairn_term_key(b->out, b->names[i]));
    }
    double prior = m->log_prior[plus] - m->log_prior[minus];
    cairn_report_formula(b->out, "w₀ = −½ μ₊ᵀΣ⁻¹μ₊ + ½ μ₋ᵀΣ⁻¹μ₋ + ln P₊/P₋");
    cairn_report_worked(b->out, "w₀", "−½·# + ½·# + # = #", -2 * (plus0 - m->log_prior[plus]),
                        -2 * (minus0 - m->log_prior[minus]), prior, plus0 - minus0);
    cairn_report_hidden(b->out, plus0 - minus0, "coefficient.intercept");
    cairn_report_formula(b->out, "P(%s | x) = 1 / (1 + exp(−(w·x + w₀)))", class_of(b, plus));
    return CAIRN_OK;
}

/* μᵀΣ⁻¹μ of a class. */
static double form_of(const cairn_gaussian_model *m, const double *inverse, size_t c)
{
    size_t p = m->n_columns;
    const double *mean = m->means + c * p;
    double sum = 0;
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < p; j++) sum += mean[i] * inverse[i * p + j] * mean[j];
    return sum;
}

/* Elements of Q = ½ (Σ₋⁻¹ − Σ₊⁻¹) on and above the diagonal. */
static void work_quadratic(const board *b, const cairn_gaussian_boundary *of, const double *plus,
                           const double *minus)
{
    size_t p = b->m->n_columns;
    char label[200];
    for (size_t i = 0; i < p; i++)
        for (size_t j = i; j < p; j++) {
            if (p == 1)
                snprintf(label, sizeof label, "Q");
            else
                snprintf(label, sizeof label, "Q(%.80s, %.80s)", b->names[i], b->names[j]);
            cairn_report_worked(b->out, label, "½ (# − #) = #", minus[i * p + j], plus[i * p + j],
                                of->quadratic[i * p + j]);
        }
}

/* Elements of L = Σ₊⁻¹μ₊ − Σ₋⁻¹μ₋, the terms of + first. */
static cairn_status work_linear(const board *b, const cairn_gaussian_boundary *of,
                                const double *plus, const double *minus)
{
    const cairn_gaussian_model *m = b->m;
    size_t p = m->n_columns;
    double *terms;
    char label[200] = "L";
    CHECK(SCRATCH(b->ctx, &terms, 4 * p + 1));
    for (size_t i = 0; i < p; i++) {
        for (size_t j = 0; j < p; j++) {
            terms[2 * j] = plus[i * p + j];
            terms[2 * j + 1] = m->means[of->a * p + j];
            terms[2 * (p + j)] = -minus[i * p + j];
            terms[2 * (p + j) + 1] = m->means[of->b * p + j];
        }
        if (p > 1) snprintf(label, sizeof label, "L(%.150s)", b->names[i]);
        cairn_report_worked_sum(b->out, label, "#·#", terms, 2, 2 * p, of->linear[i]);
    }
    return CAIRN_OK;
}

/* Where Qx² + Lx + c = 0 changes its sign. */
static void work_roots(const board *b, const cairn_gaussian_boundary *of)
{
    double q = of->quadratic[0], l = of->linear[0], c = of->constant;
    if (of->is_linear) {
        if (of->n_roots)
            cairn_report_worked(b->out, "x", "−c / L = −# / # = #", c, l, of->roots[0]);
        return;
    }
    cairn_report_formula(b->out, "x = (−L ± √D) / (2Q),  D = L² − 4Qc");
    double inside = l * l - 4 * q * c;
    cairn_report_worked(b->out, "D", "#² − 4·#·# = #", l, q, c, inside);
    if (!of->n_roots) {
        cairn_report_paragraph(b->out, "D is not positive: the sides never change.");
        return;
    }
    for (size_t i = 0; i < of->n_roots; i++) {
        bool adds = (i == 0) == (q < 0); /* the smaller root takes the root with this sign */
        cairn_report_worked(b->out, i ? "x₂" : "x₁",
                            adds ? "(−# + √#) / (2·#) = #" : "(−# − √#) / (2·#) = #", l, inside, q,
                            of->roots[i]);
    }
}

/* The boundary between two classes with their own covariances: Q, L and c with their numbers, for
 * few columns, and in one dimension its points. */
static cairn_status show_quadratic(const board *b, size_t plus, size_t minus)
{
    const cairn_gaussian_model *m = b->m;
    size_t p = m->n_columns;
    double *first, *second;
    cairn_gaussian_boundary of;
    cairn_report_formula(
        b->out,
        "xᵀQx + L·x + c = 0,  Q = ½ (Σ₋⁻¹ − Σ₊⁻¹),  L = Σ₊⁻¹μ₊ − Σ₋⁻¹μ₋,  c = ½ (μ₋ᵀΣ₋⁻¹μ₋ − "
        "μ₊ᵀΣ₊⁻¹μ₊) + ½ ln |Σ₋|/|Σ₊| + ln P₊/P₋,  + is %s, − is %s",
        class_of(b, plus), class_of(b, minus));
    if (p > WRITTEN_TERMS) return CAIRN_OK;
    CHECK(cairn_gaussian_boundary_of(b->ctx, &of, m, plus, minus));
    CHECK(SCRATCH(b->ctx, &first, cairn_product(p, p) + 1));
    CHECK(SCRATCH(b->ctx, &second, cairn_product(p, p) + 1));
    cairn_gaussian_inverse(m, plus, first);
    cairn_gaussian_inverse(m, minus, second);
    work_quadratic(b, &of, first, second);
    CHECK(work_linear(b, &of, first, second));
    cairn_report_worked(b->out, "c", "½ (# − #) + ½ ln(# / #) + # = #", form_of(m, second, minus),
                        form_of(m, first, plus),
                        cairn_exp(2 * m->log_roots[cairn_gaussian_factor(m, minus)]),
                        cairn_exp(2 * m->log_roots[cairn_gaussian_factor(m, plus)]),
                        m->log_prior[plus] - m->log_prior[minus], of.constant);
    if (p == 1) work_roots(b, &of);
    return CAIRN_OK;
}

static cairn_status show_discriminant(const board *b)
{
    const cairn_gaussian_model *m = b->m;
    size_t plus, minus, p = m->n_columns;
    double *inverse;
    if (p > MOST_TERMS) return CAIRN_OK;
    bool two = cairn_gaussian_two(m, b->job, &plus, &minus);
    CHECK(SCRATCH(b->ctx, &inverse, cairn_product(p, p) + 1));
    cairn_report_step_begin(b->out, two ? "The discriminant" : "The scores of the classes");
    CHECK(show_inverses(b, inverse));
    if (m->planes && two) {
        CHECK(show_two(b, inverse, plus, minus));
    } else if (m->planes) {
        cairn_report_formula(
            b->out, "score_k(x) = w_k·x + w_k0,  w_k = Σ⁻¹μ_k,  w_k0 = −½ μ_kᵀΣ⁻¹μ_k + ln P_k");
        CHECK(cairn_gaussian_show_planes(b->out, m, b->job));
    } else {
        cairn_report_formula(b->out,
                             "score_k(x) = ln P_k − ½ ln |Σ_k| − ½ (x − μ_k)ᵀΣ_k⁻¹(x − μ_k)");
    }
    if (two && !m->planes) CHECK(show_quadratic(b, plus, minus));
    if (two) CHECK(cairn_gaussian_show_boundary(b->out, m, b->job, plus, minus));
    cairn_report_step_end(b->out);
    return CAIRN_OK;
}

/* -- rows -- */

/* One row of the table: `scores` are ln of prior times density, and become probabilities. */
static void show_row(const board *b, size_t row, const char *name, double *scores, size_t shown)
{
    const cairn_gaussian_model *m = b->m;
    size_t k = m->n_classes, plus, minus;
    double most = 0;
    for (size_t c = 0; c < k; c++)
        cairn_report_hidden(b->out, scores[c] - m->log_prior[c], "row%zu.log_density.%s", row,
                            cairn_report_key(b->out, class_of(b, c)));
    double density = cairn_gaussian_posterior(scores, k);
    cairn_report_hidden(b->out, density, "row%zu.log_density", row);
    cairn_report_cellf(b->out, "%zu", row);
    cairn_report_cell(b->out, name);
    for (size_t c = 0; c < k; c++) {
        const char *key = cairn_report_key(b->out, class_of(b, c));
        most = fmax(most, scores[c]);
        if (c < shown)
            cairn_report_cell_number(b->out, scores[c], 6, "row%zu.posterior.%s", row, key);
        else
            cairn_report_hidden(b->out, scores[c], "row%zu.posterior.%s", row, key);
    }
    bool two = cairn_gaussian_two(m, b->job, &plus, &minus);
    cairn_report_cell_number(b->out, two ? scores[plus] - scores[minus] : most, 6, "row%zu.%s", row,
                             two ? "discriminant" : "largest");
    cairn_report_cell_number(b->out, 1 - most, 6, "row%zu.error", row);
}

/* Probabilities of the classes for the first rows. */
static cairn_status show_rows(const board *b)
{
    const cairn_gaussian_model *m = b->m;
    cairn_view view = *b->job->view;
    size_t k = m->n_classes, shown = k < WRITTEN_CLASSES ? k : WRITTEN_CLASSES, plus, minus;
    double *scores;
    char head[200];
    if (view.rows.n > MOST_ROWS) view.rows.n = MOST_ROWS;
    CHECK(SCRATCH_RAW(b->ctx, &scores, cairn_product(view.rows.n, k) + 1));
    CHECK(cairn_gaussian_scores(b->ctx, scores, m, &view));
    cairn_report_step_begin(b->out, "Score the rows");
    cairn_report_formula(b->out, "P(class | x) = P(class) p(x | class) / Σ P(class) p(x | class)");
    cairn_report_table_of(b->out, "Rows", 0, "rl", "row", "class");
    for (size_t c = 0; c < shown; c++) {
        snprintf(head, sizeof head, "P(%.150s)", class_of(b, c));
        cairn_report_column(b->out, head, 'r');
    }
    bool two = cairn_gaussian_two(m, b->job, &plus, &minus);
    cairn_report_columns(b->out, "rr", two ? "B(x) = P₊ − P₋" : "largest", "error 1 − max P");
    for (size_t i = 0; i < view.rows.n; i++) {
        size_t row = cairn_view_row(&view, i);
        show_row(b, row + 1, cairn_level_name(view.target, view.target->codes[row]), scores + i * k,
                 shown);
    }
    cairn_report_table_end(b->out);
    if (view.rows.n < b->job->view->rows.n)
        cairn_report_paragraph(b->out, "These are the first of %zu rows.", b->job->view->rows.n);
    cairn_report_step_end(b->out);
    return CAIRN_OK;
}

cairn_status cairn_gaussian_steps(cairn_context *ctx, const cairn_gaussian_model *m,
                                  const cairn_job *job)
{
    SCOPED_SCRATCH(ctx);
    board b = {.ctx = ctx, .out = job->steps, .m = m, .job = job};
    CHECK(cairn_term_names(ctx, &b.names, job->schema));
    show_priors(&b);
    CHECK(show_covariances(&b));
    CHECK(show_discriminant(&b));
    CHECK(show_rows(&b));
    cairn_report_step_begin(b.out, "Log likelihood");
    cairn_report_formula(b.out, "ln L = Σ ln P(class) p(x | class)  over the rows");
    double likelihood;
    CHECK(cairn_gaussian_log_likelihood(ctx, &likelihood, m));
    if (isfinite(likelihood)) cairn_report_value(b.out, "ln L", likelihood, "log_likelihood");
    cairn_report_step_end(b.out);
    return CAIRN_OK;
}
