/* SPDX-License-Identifier: MIT */
/* What a model of normal classes says of itself: classes, means, covariances, the boundary as an
 * equation; and why a row gets its class. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "learners/bayes/gaussian.h"
#include "learners/linear/class_metric.h"
#include "stats/summary.h"
#include <math.h>
#include <stdio.h>

enum { SHOWN_TERMS = 12, SHOWN_CLASSES = 10, SHOWN_PAIRS = 6, MOST_TERMS = 200 };

static const char *class_key(cairn_report *out, const cairn_job *job, size_t c)
{
    return cairn_report_key(out, cairn_bayes_class(job->schema, c));
}

void cairn_gaussian_show_classes(cairn_report *out, const cairn_gaussian_model *m,
                                 const cairn_job *job)
{
    size_t p = m->n_columns, shown = p < SHOWN_TERMS ? p : SHOWN_TERMS;
    const char *const *names;
    cairn_status status = cairn_term_names(cairn_report_context(out), &names, job->schema);
    cairn_report_failed(out, status);
    if (status) return;
    cairn_report_table_of(out, "Classes and their means", 200, "lrr", "class", "rows", "prior");
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, names[j], 'r');
    for (size_t c = 0; c < m->n_classes; c++) {
        const char *key = class_key(out, job, c);
        bool there = m->totals[c] > 0;
        cairn_report_cell(out, cairn_bayes_class(job->schema, c));
        cairn_report_cell_number(out, m->totals[c], 0, "rows.%s", key);
        cairn_report_hidden(out, m->log_prior[c], "log_prior.%s", key);
        cairn_report_cell_number(out, cairn_exp(m->log_prior[c]), 0, "prior.%s", key);
        for (size_t j = 0; j < shown; j++)
            cairn_report_cell_number(out, there ? m->means[c * p + j] : NAN, 6, "mean.%s.%s", key,
                                     cairn_term_key(out, names[j]));
    }
    cairn_report_table_end(out);
}

/* -- covariances -- */

/* Variances of the classes, a row for each. */
static void show_variances(cairn_report *out, const cairn_gaussian_model *m, const cairn_job *job,
                           const char *const *names)
{
    size_t shown = m->n_columns < SHOWN_TERMS ? m->n_columns : SHOWN_TERMS;
    cairn_report_table_of(out, "Variances of the classes", 200, "l", "class");
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, names[j], 'r');
    for (size_t c = 0; c < m->n_classes; c++) {
        if (!(m->totals[c] > 0)) continue;
        cairn_report_cell(out, cairn_bayes_class(job->schema, c));
        for (size_t j = 0; j < shown; j++)
            cairn_report_cell_number(out, cairn_gaussian_entry(m, c, j, j), 6, "variance.%s.%s",
                                     class_key(out, job, c), cairn_term_key(out, names[j]));
    }
    cairn_report_table_end(out);
}

cairn_status cairn_gaussian_show_covariances(cairn_report *out, const cairn_gaussian_model *m,
                                             const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    size_t p = m->n_columns;
    const char *const *names;
    char title[200], key[200];
    if (m->covariance == CAIRN_GAUSSIAN_IDENTITY) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_term_names(ctx, &names, job->schema));
    if (m->diagonal) {
        show_variances(out, m, job, names);
        return CAIRN_OK;
    }
    for (size_t f = 0; f < m->n_factors && f < SHOWN_CLASSES; f++) {
        bool one = m->n_factors == 1;
        if (!one && !(m->totals[f] > 0)) continue;
        snprintf(title, sizeof title, one ? "Shared covariance Σ" : "Covariance of %s",
                 cairn_bayes_class(job->schema, f));
        snprintf(key, sizeof key, one ? "covariance" : "covariance.%s", class_key(out, job, f));
        cairn_show_term_matrix(out, title, key, m->covariance_of + f * p * p, p, names);
    }
    if (p > SHOWN_TERMS)
        cairn_report_paragraph(out, "The first %d of %zu columns are shown.", SHOWN_TERMS, p);
    return CAIRN_OK;
}

/* -- boundaries -- */

/* "x² + 2·x·y − 3·x + 1 = 0" with the numbers of the boundary. */
static cairn_status write_equation(cairn_report *out, const cairn_gaussian_model *m,
                                   const cairn_gaussian_boundary *b, const char *const *names)
{
    size_t p = m->n_columns;
    bool any = false;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(cairn_report_context(out));
    for (size_t i = 0; !b->is_linear && i < p; i++)
        for (size_t j = i; j < p; j++) {
            double q = b->quadratic[i * p + j] * (i == j ? 1 : 2);
            cairn_text_clear(&name);
            name = cairn_text_start(cairn_report_context(out));
            if (i == j)
                cairn_text_addf(&name, "%s²", names[i]);
            else
                cairn_text_addf(&name, "%s·%s", names[i], names[j]);
            if (q != 0) cairn_add_term(&text, &any, q, cairn_text_string(&name), true);
        }
    for (size_t j = 0; j < p; j++)
        if (b->linear[j] != 0) cairn_add_term(&text, &any, b->linear[j], names[j], true);
    if (b->constant != 0 || !any) cairn_add_term(&text, &any, b->constant, NULL, false);
    CHECK(cairn_text_status(&name));
    CHECK(cairn_text_status(&text));
    cairn_report_formula(out, "%s = 0", cairn_text_string(&text));
    return CAIRN_OK;
}

/* The numbers of the equation by name; those of a large quadratic form are not listed. */
static void name_numbers(cairn_report *out, const cairn_gaussian_model *m,
                         const cairn_gaussian_boundary *b, const char *const *names,
                         const char *key)
{
    size_t p = m->n_columns, shown = p < SHOWN_TERMS ? p : SHOWN_TERMS;
    for (size_t i = 0; i < shown; i++)
        for (size_t j = 0; j < shown; j++) {
            const char *row = cairn_term_key(out, names[i]);
            cairn_report_hidden(out, b->is_linear ? 0 : b->quadratic[i * p + j],
                                "%s.quadratic.%s.%s", key, row, cairn_term_key(out, names[j]));
        }
    for (size_t j = 0; j < p; j++)
        cairn_report_hidden(out, b->linear[j], "%s.linear.%s", key, cairn_term_key(out, names[j]));
    cairn_report_hidden(out, b->constant, "%s.constant", key);
}

/* Where class a lies, in one column. */
static void say_region(cairn_report *out, const cairn_gaussian_boundary *b, const cairn_job *job,
                       const char *key)
{
    const char *a = cairn_bayes_class(job->schema, b->a),
               *other = cairn_bayes_class(job->schema, b->b);
    bool inside = b->quadratic[0] < 0;
    for (size_t i = 0; i < b->n_roots; i++) {
        char label[40];
        snprintf(label, sizeof label, b->n_roots == 1 ? "threshold" : "threshold %zu", i + 1);
        cairn_report_value(out, label, b->roots[i], "%s.root%zu", key, i + 1);
    }
    cairn_report_hidden(out, (double)b->n_roots, "%s.roots", key);
    if (b->n_roots == 2)
        cairn_report_paragraph(out, "%s is more probable between the two, %s outside.",
                               inside ? a : other, inside ? other : a);
    if (b->n_roots == 1)
        cairn_report_paragraph(out, "%s is more probable %s it.", a,
                               b->linear[0] > 0 ? "above" : "below");
}

cairn_status cairn_gaussian_show_boundary(cairn_report *out, const cairn_gaussian_model *m,
                                          const cairn_job *job, size_t a, size_t b)
{
    cairn_context *ctx = cairn_report_context(out);
    SCOPED_SCRATCH(ctx);
    cairn_gaussian_boundary boundary;
    const char *const *names;
    char key[400] = "boundary";
    size_t first, second;
    CHECK(cairn_gaussian_boundary_of(ctx, &boundary, m, a, b));
    CHECK(cairn_term_names(ctx, &names, job->schema));
    if (!cairn_gaussian_two(m, job, &first, &second))
        snprintf(key, sizeof key, "boundary.%.150s.%.150s", class_key(out, job, a),
                 class_key(out, job, b));
    cairn_report_paragraph(out, "Boundary between %s (positive side) and %s:",
                           cairn_bayes_class(job->schema, a), cairn_bayes_class(job->schema, b));
    if (m->n_columns <= SHOWN_TERMS) CHECK(write_equation(out, m, &boundary, names));
    cairn_report_word(out, "kind", boundary.kind, "%s.kind", key);
    name_numbers(out, m, &boundary, names, key);
    if (m->n_columns == 1) say_region(out, &boundary, job, key);
    return CAIRN_OK;
}

cairn_status cairn_gaussian_show_planes(cairn_report *out, const cairn_gaussian_model *m,
                                        const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    SCOPED_SCRATCH(ctx);
    const char *const *names;
    size_t p = m->n_columns, shown = p < SHOWN_TERMS ? p : SHOWN_TERMS;
    double *inverse, *w, constant;
    if (!m->planes || p > MOST_TERMS) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &inverse, cairn_product(p, p) + 1));
    CHECK(SCRATCH(ctx, &w, p + 1));
    CHECK(cairn_term_names(ctx, &names, job->schema));
    cairn_gaussian_inverse(m, 0, inverse);
    cairn_report_table_of(out, "Linear scores w·x + w0", 200, "l", "class");
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, names[j], 'r');
    cairn_report_column(out, "w0", 'r');
    for (size_t c = 0; c < m->n_classes; c++) {
        const char *key = class_key(out, job, c);
        if (!(m->totals[c] > 0)) continue;
        cairn_gaussian_plane(m, inverse, c, w, &constant);
        cairn_report_cell(out, cairn_bayes_class(job->schema, c));
        for (size_t j = 0; j < shown; j++)
            cairn_report_cell_number(out, w[j], 6, "coefficient.%s.%s", key,
                                     cairn_term_key(out, names[j]));
        cairn_report_cell_number(out, constant, 6, "coefficient.%s.intercept", key);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* -- the description -- */

static cairn_status show_boundaries(cairn_report *out, const cairn_gaussian_model *m,
                                    const cairn_job *job)
{
    size_t a, b, pairs = 0, k = 0;
    if (m->n_columns > MOST_TERMS) return CAIRN_OK;
    if (cairn_gaussian_two(m, job, &a, &b)) return cairn_gaussian_show_boundary(out, m, job, a, b);
    for (size_t c = 0; c < m->n_classes; c++) k += m->totals[c] > 0;
    if (k * (k - 1) / 2 > SHOWN_PAIRS) return CAIRN_OK;
    for (a = 0; a < m->n_classes; a++)
        for (b = a + 1; b < m->n_classes; b++)
            if (m->totals[a] > 0 && m->totals[b] > 0 && pairs++ < SHOWN_PAIRS)
                CHECK(cairn_gaussian_show_boundary(out, m, job, a, b));
    return CAIRN_OK;
}

/* What was done to the data, or could not be. */
static cairn_status note_repairs(cairn_report *out, const cairn_gaussian_model *m,
                                 const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    const char *const *names;
    uint8_t *dependent;
    size_t n = 0, raised = m->n_factors;
    char share[CAIRN_NUMBER_SIZE], rows[CAIRN_NUMBER_SIZE];
    cairn_number_format(share, m->least_variance, 3);
    cairn_number_format(rows, m->incomplete, 6);
    CHECK(cairn_term_names(ctx, &names, job->schema));
    CHECK(SCRATCH(ctx, &dependent, m->n_columns + 1));
    if (m->incomplete > 0)
        cairn_report_note(out, "Missing cells of %s training rows were summed over (EM).", rows);
    for (size_t j = 0; j < m->n_columns && n < SHOWN_TERMS; j++)
        if (m->constant[j]) cairn_text_addf(&text, "%s%s", n++ ? ", " : "", names[j]);
    if (n) cairn_report_note(out, "Constant columns are left out: %s.", cairn_text_string(&text));
    for (size_t f = m->n_factors; f-- > 0;)
        if (m->raised[f]) raised = f;
    if (raised == m->n_factors) return cairn_text_status(&text);
    CHECK(cairn_gaussian_dependent(ctx, dependent, &n, m, raised));
    SCOPED(cairn_text_clear) cairn_text blame = cairn_text_start(ctx);
    n = 0;
    for (size_t j = 0; j < m->n_columns && n < SHOWN_TERMS; j++)
        if (dependent[j]) cairn_text_addf(&blame, "%s%s", n++ ? ", " : "", names[j]);
    cairn_report_note(out,
                      "The covariance%s%s is singular (%s); %s of the columns' variances was added "
                      "to it.",
                      m->n_factors == 1 ? "" : " of ",
                      m->n_factors == 1 ? "" : cairn_bayes_class(job->schema, raised),
                      cairn_text_string(&blame), share);
    CHECK(cairn_text_status(&blame));
    return cairn_text_status(&text);
}

/* Settings first, then what was learned in the order in which it is worked out. */
static cairn_status describe_all(cairn_report *out, const cairn_gaussian_model *m,
                                 const cairn_job *job)
{
    static const char *const words[] = {"shared by the classes", "of each class",
                                        "variances of each class", "1 for every column"};
    cairn_report_heading(out, 2, "Normal densities of the classes");
    cairn_report_word(out, "covariance", words[m->covariance], "covariance");
    if (m->covariance != CAIRN_GAUSSIAN_IDENTITY)
        cairn_report_word(out, "divisor", cairn_divisors[m->divisor].name, "divisor");
    if (m->pooling > 0) cairn_report_value(out, "pooling", m->pooling, "pooling");
    if (m->shrinkage > 0) cairn_report_value(out, "shrinkage", m->shrinkage, "shrinkage");
    double likelihood;
    CHECK(cairn_gaussian_log_likelihood(cairn_report_context(out), &likelihood, m));
    if (isfinite(likelihood))
        cairn_report_value(out, "log likelihood of the training rows", likelihood,
                           "log_likelihood");
    cairn_gaussian_show_classes(out, m, job);
    CHECK(cairn_gaussian_show_covariances(out, m, job));
    CHECK(cairn_gaussian_show_planes(out, m, job));
    CHECK(show_boundaries(out, m, job));
    for (size_t i = 0; cairn_gaussian_figures[i].name; i++) {
        cairn_figure *figure = NULL;
        cairn_status made =
            cairn_gaussian_figures[i].make(cairn_report_context(out), &figure, m, job);
        if (made || figure) cairn_describe_figure(out, made, &figure, true);
    }
    return note_repairs(out, m, job);
}

void cairn_gaussian_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_report_failed(out, describe_all(out, model, job));
    cairn_scratch_release(ctx, mark);
}

/* -- a row -- */

/* Prior, squared distance and density of the row in every class. */
static cairn_status explain_row(cairn_report *out, const cairn_gaussian_model *m,
                                const cairn_job *job, size_t row)
{
    cairn_context *ctx = cairn_report_context(out);
    size_t k = m->n_classes, best = 0, at = cairn_view_row(job->view, row), there = 0;
    size_t a, b;
    uint32_t index = (uint32_t)at;
    cairn_view view = *job->view;
    double *scores, *posterior;
    view.rows = (cairn_rows){&index, 1, NULL};
    CHECK(SCRATCH(ctx, &scores, k + 1));
    CHECK(SCRATCH(ctx, &posterior, k + 1));
    CHECK(cairn_gaussian_scores(ctx, scores, m, &view));
    for (size_t j = 0; j < m->n_columns; j++) there += !isnan(view.features[j]->numbers[at]);
    for (size_t c = 0; c < k; c++) {
        posterior[c] = scores[c];
        if (scores[c] > scores[best]) best = c;
    }
    double density = cairn_gaussian_posterior(posterior, k);
    cairn_report_formula(out, "P(class | row) = prior · density / Σ prior · density");
    if (there < m->n_columns)
        cairn_report_paragraph(out,
                               "Missing cells are summed over: the densities are those of the "
                               "%zu cells that are there.",
                               there);
    cairn_report_table_of(out, "Classes", 200, "lrrrr", "class", "prior", "ln density",
                          "prior · density", "probability");
    for (size_t c = 0; c < k; c++) {
        const char *key = class_key(out, job, c);
        if (c == best) cairn_report_row_mark(out);
        cairn_report_cell(out, cairn_bayes_class(job->schema, c));
        cairn_report_cell_number(out, cairn_exp(m->log_prior[c]), 0, "prior.%s", key);
        cairn_report_cell_number(out, m->totals[c] > 0 ? scores[c] - m->log_prior[c] : -INFINITY, 0,
                                 "log_density.%s", key);
        cairn_report_cell_number(out, cairn_exp(scores[c]), 0, "product.%s", key);
        cairn_report_cell_number(out, posterior[c], 0, "posterior.%s", key);
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "ln of the sum of the products", density, "log_density");
    cairn_report_value(out, "error, 1 − the largest probability", 1 - posterior[best], "error");
    if (cairn_gaussian_two(m, job, &a, &b))
        cairn_report_value(out, "discriminant, the positive probability less the other",
                           posterior[a] - posterior[b], "discriminant");
    return CAIRN_OK;
}

void cairn_gaussian_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_report_failed(out, explain_row(out, model, job, row));
    cairn_scratch_release(ctx, mark);
}
