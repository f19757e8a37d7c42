/* SPDX-License-Identifier: MIT */
/* Fisher's linear discriminant, and its axes for many classes.
 *
 * Problem: the direction w along which two classes lie apart most, measured in their scatter:
 * J(w) = (w·(m₊ − m₋))² / wᵀS_W w is largest for w = S_W⁻¹ (m₊ − m₋), with S_W the scatter of the
 * rows about the means of their classes. The plane lies across w at a threshold.
 *
 * Normal model: with a common covariance Σ = S_W/n the logarithm of the density of class k is
 * m_k'Σ⁻¹x − m_k'Σ⁻¹m_k/2 and something common to all; with the prior this is the score of a class,
 * and the probabilities are their softmax. For two classes of equal priors this is the same plane,
 * with the threshold halfway.
 *
 * Axes: eigenvectors of S_W⁻¹S_B, one less than the classes, by S_W^(-1/2).
 *
 * Choices: the positive class is on the positive side. Shrinkage γ takes (1 − γ) S_W + γ s I with s
 * the mean of the diagonal. Directions in which no class has any scatter are left out, and it is
 * said. A row weight counts as so many equal rows. Cost: n p²/2 for the pass, p³. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "entry/probabilities.h"
#include "learners/linear/class_metric.h"
#include "learners/linear/logistic.h"
#include "kernels/kernels.h"
#include "report/table_rows.h"
#include "rows/slopes.h"
#include <math.h>
#include <string.h>

enum { SHOWN_TERMS = 20 };

typedef struct discriminant_params {
    cairn_class_planes_params planes;
    int threshold;
    const char *prior;
    double shrinkage;
    bool probabilities;
} discriminant_params;

static const cairn_param discriminant_parameters[] = {
    CAIRN_PARAM_CHOICE(discriminant_params, threshold, "midpoint", cairn_threshold_choices,
                       "two classes: where the plane is put along w", .often = true),
    CAIRN_PARAM(discriminant_params, prior, "equal", NULL,
                "probabilities of the classes before anything is known: equal, data (shares of the "
                "rows), or a number per class in their order",
                .often = true),
    CAIRN_PARAM(discriminant_params, shrinkage, "0", "[0,1]",
                "share of a sphere in the scatter within the classes: 0 = the scatter, 1 = only "
                "its size"),
    CAIRN_PARAM(discriminant_params, probabilities, "no", NULL,
                "scores are probabilities by normal densities with a common covariance",
                .often = true),
    CAIRN_CLASS_PLANES(discriminant_params),
    CAIRN_PARAM_END,
};

typedef struct discriminant_history {
    double criterion; /* J of two classes; NaN of more */
    size_t rank;
    size_t n_axes;
    double *values; /* n_axes: ratios of the squares between and within */
    double *axes;   /* n_axes x n_terms */
    cairn_class_planes_tally tally;
} discriminant_history;

static void clear_history(void *data)
{
    discriminant_history *history = data;
    FREE_EACH(history->values, history->axes, history->tally.distances);
    *history = (discriminant_history){0};
}

/* -- priors -- */

static bool is_word(const char *prior)
{
    return cairn_same(prior, "equal") || cairn_same(prior, "data");
}

static cairn_status discriminant_check(cairn_context *ctx, const void *values)
{
    const discriminant_params *p = values;
    double *numbers;
    size_t n;
    if (is_word(p->prior)) return CAIRN_OK;
    CHECK(cairn_list_numbers(ctx, cairn_say(ctx, "{prior}"), p->prior, &numbers, &n));
    CHECK(cairn_check_probabilities(ctx, "prior", numbers, n));
    for (size_t i = 0; i < n; i++)
        if (!(numbers[i] > 0))
            return cairn_fail(ctx, CAIRN_USAGE, "{prior} must be numbers above 0, not '%s'",
                              p->prior);
    return CAIRN_OK;
}

/* Logarithms of the priors of the classes that occur. */
static cairn_status read_priors(cairn_context *ctx, double **out, const cairn_class_planes *m,
                                const cairn_class_sums *s, const discriminant_params *p)
{
    double *given = NULL, total = 0;
    size_t n = 0;
    CHECK(SCRATCH(ctx, out, m->n_present + 1));
    if (!is_word(p->prior)) CHECK(cairn_list_numbers(ctx, "prior", p->prior, &given, &n));
    if (given && n != m->n_classes)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "{prior} gives %zu numbers for %zu classes", n,
                          m->n_classes);
    for (size_t k = 0; k < m->n_present; k++) {
        (*out)[k] = given ? given[m->classes[k]] : cairn_same(p->prior, "data") ? s->totals[k] : 1;
        total += (*out)[k];
    }
    for (size_t k = 0; k < m->n_present; k++) (*out)[k] = cairn_log((*out)[k] / total);
    return CAIRN_OK;
}

/* -- fitting -- */

static void shrink(cairn_class_sums *s, double by)
{
    size_t p = s->n_terms;
    double size = 0;
    for (size_t i = 0; i < p; i++) size += s->within[i * p + i] / (double)p;
    for (size_t i = 0; by > 0 && i < p * p; i++)
        s->within[i] = (1 - by) * s->within[i] + (i / p == i % p ? by * size : 0);
}

static void fit_many(cairn_class_planes *m, const cairn_class_sums *s, const double *priors,
                     const double *v)
{
    size_t p = m->n_terms, nv = m->n_vectors;
    for (size_t k = 0; k < nv; k++) {
        double constant = priors[k];
        for (size_t t = 0; t < p; t++) {
            m->weights[t * nv + k] = s->total * v[k * p + t];
            constant -= s->total * v[k * p + t] * s->means[k * p + t] / 2;
        }
        m->weights[p * nv + k] = m->intercept ? constant : 0;
    }
}

/* J(w) = (w·d)² / wᵀS_W w, with d the difference of the means. */
static double criterion(const cairn_class_planes *m, const cairn_class_sums *s)
{
    size_t p = m->n_terms;
    double between = 0, within = 0;
    if (m->n_present != 2) return NAN;
    for (size_t i = 0; i < p; i++) {
        between += m->weights[i] * (s->means[i] - s->means[p + i]);
        for (size_t j = 0; j < p; j++)
            within += m->weights[i] * s->within[i * p + j] * m->weights[j];
    }
    return within > 0 ? between * between / within : NAN;
}

static cairn_status keep_axes(cairn_context *ctx, discriminant_history *history,
                              const cairn_class_sums *s)
{
    SCOPED_SCRATCH(ctx);
    double *values, *axes;
    size_t p = s->n_terms;
    CHECK(SCRATCH(ctx, &values, p + 1));
    CHECK(SCRATCH(ctx, &axes, cairn_product(s->n_classes, p) + 1));
    CHECK(cairn_class_axes(ctx, s, values, axes, &history->n_axes));
    CHECK(NEW(ctx, &history->values, history->n_axes));
    CHECK(NEW(ctx, &history->axes, history->n_axes * p));
    memcpy(history->values, values, history->n_axes * sizeof *values);
    memcpy(history->axes, axes, history->n_axes * p * sizeof *axes);
    return CAIRN_OK;
}

/* S_B a = λ S_W a for every axis, in columns of scatter 1; times S_W, where directions without
 * scatter are 0. */
static cairn_status prove_axes(cairn_context *ctx, cairn_certificate *c,
                               const discriminant_history *history, const cairn_class_sums *s)
{
    SCOPED_SCRATCH(ctx);
    size_t p = s->n_terms;
    double *between, *within, *axis, *rest, size_between = 0, size_within = 0;
    if (!c || !history->n_axes) return CAIRN_OK;
    CHECK(SCRATCH_EACH(ctx, cairn_product(p, p), &between, &within));
    CHECK(SCRATCH_EACH(ctx, p, &axis, &rest));
    cairn_class_sums_between(s, between);
    for (size_t i = 0; i < p * p; i++) {
        double unit = sqrt(s->within[i / p * (p + 1)]) * sqrt(s->within[i % p * (p + 1)]);
        between[i] = unit > 0 ? between[i] / unit : 0;
        within[i] = unit > 0 ? s->within[i] / unit : 0;
        size_between += between[i] * between[i];
        size_within += within[i] * within[i];
    }
    size_between = sqrt(size_between), size_within = sqrt(size_within);
    for (size_t k = 0; k < history->n_axes; k++) {
        double value = history->values[k], length = 0, left = 0;
        for (size_t i = 0; i < p; i++)
            axis[i] = history->axes[k * p + i] * sqrt(s->within[i * (p + 1)]);
        for (size_t i = 0; i < p; i++) {
            rest[i] =
                cairn_dot(between + i * p, axis, p) - value * cairn_dot(within + i * p, axis, p);
            length += axis[i] * axis[i];
        }
        for (size_t i = 0; i < p; i++) {
            double one = cairn_dot(within + i * p, rest, p);
            left += one * one;
        }
        double whole = size_within * (size_between + value * size_within) * sqrt(length);
        /* they are found by a root, which has half of the digits */
        cairn_certify(c, CAIRN_PROOF_RESIDUAL, whole > 0 ? sqrt(left) / whole : sqrt(left), 1e-8);
    }
    return CAIRN_OK;
}

/* Means and scatter, as on the board. */
static cairn_status show_sums(cairn_context *ctx, const cairn_class_planes *m, const cairn_job *job,
                              const cairn_class_sums *s)
{
    cairn_report *out = job->steps;
    const char *const *names;
    double *between;
    size_t p = s->n_terms;
    if (!out) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_term_names(ctx, &names, job->schema));
    CHECK(SCRATCH(ctx, &between, cairn_product(p, p) + 1));
    cairn_report_step_begin(out, "Means of the classes");
    cairn_show_class_means(out, m, job, s);
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "Scatter within the classes and between them");
    cairn_report_formula(out, "S_W = Σ_k Σ (x − m_k)(x − m_k)ᵀ");
    cairn_show_term_matrix(out, "S_W", "within", s->within, p, names);
    if (m->n_present == 2) {
        for (size_t i = 0; i < p * p; i++)
            between[i] =
                (s->means[i / p] - s->means[p + i / p]) * (s->means[i % p] - s->means[p + i % p]);
        cairn_report_formula(out, "S_B = (m₊ − m₋)(m₊ − m₋)ᵀ");
    } else {
        cairn_class_sums_between(s, between);
        cairn_report_formula(out, "S_B = Σ_k n_k (m_k − m)(m_k − m)ᵀ");
    }
    cairn_show_term_matrix(out, "S_B", "between", between, p, names);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* The direction, its criterion, the threshold and the rows along it. */
static cairn_status show_direction(cairn_context *ctx, const cairn_class_planes *m,
                                   const cairn_job *job, const cairn_class_sums *s, double j)
{
    const discriminant_params *p = job->params;
    cairn_report *out = job->steps;
    double plus = 0, minus = 0, all = 0, t = -m->weights[m->n_terms] + 0.0;
    if (!out || m->n_present != 2) return CAIRN_OK;
    for (size_t i = 0; i < m->n_terms; i++) {
        plus += m->weights[i] * s->means[i];
        minus += m->weights[i] * s->means[m->n_terms + i];
        all += m->weights[i] * s->mean[i];
    }
    cairn_report_step_begin(out, "The direction and the threshold");
    cairn_report_formula(out,
                         p->probabilities ? "w = Σ⁻¹ (m₊ − m₋), Σ = S_W/n" : "w = S_W⁻¹ (m₊ − m₋)");
    cairn_report_value(out, "J = (w·(m₊ − m₋))² / wᵀS_W w", j, "criterion");
    cairn_report_value(out, "w·m₊", plus, "projection.positive");
    cairn_report_value(out, "w·m₋", minus, "projection.negative");
    cairn_report_value(out, "w·m, the mean of all rows", all, "projection.all");
    bool equal = cairn_same(p->prior, "equal");
    if (p->threshold == CAIRN_THRESHOLD_MIDPOINT && equal && m->intercept)
        cairn_report_worked(out, "t", "(w·m₊ + w·m₋) / 2 = (# + #) / 2 = #", plus, minus, t);
    if (p->threshold == CAIRN_THRESHOLD_GLOBAL && equal && m->intercept)
        cairn_report_worked(out, "t", "w·m = #", t);
    CHECK(cairn_show_projections(ctx, out, m, job));
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* One pass over the rows, then S_W⁻¹ of all means at once. */
static cairn_status fit_both(cairn_context *ctx, cairn_class_planes *m,
                             discriminant_history *history, const cairn_job *job)
{
    const discriminant_params *p = job->params;
    const int32_t *classes;
    cairn_class_sums sums;
    double *v, *matrix, *priors;
    size_t n_present, width;
    CHECK(cairn_class_planes_classes(ctx, &classes, &n_present, job, false));
    if (n_present > 2 && p->threshold != CAIRN_THRESHOLD_MIDPOINT)
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "{threshold} is for two classes, and there are %zu; leave it out, or give "
            "a {prior}",
            n_present);
    CHECK(cairn_class_planes_new(ctx, m, job, classes, n_present, false,
                                 p->planes.intercept != CAIRN_PLANE_NONE));
    CHECK(cairn_class_planes_sums(ctx, &sums, m, job, CAIRN_CLASS_SCATTER));
    shrink(&sums, p->shrinkage);
    width = sums.n_terms;
    CHECK(SCRATCH(ctx, &v, cairn_product(n_present, width) + 1));
    CHECK(SCRATCH(ctx, &matrix, cairn_product(width, width) + 1));
    memcpy(v, sums.means, n_present * width * sizeof *v);
    memcpy(matrix, sums.within, width * width * sizeof *matrix);
    CHECK(read_priors(ctx, &priors, m, &sums, p));
    CHECK(show_sums(ctx, m, job, &sums));
    CHECK(cairn_class_metric_solve(ctx, matrix, width, v, n_present, &history->rank,
                                   job->certificate));
    if (n_present == 2) {
        /* w, threshold and J of two classes; `priors` are logarithms. */
        double factor = p->probabilities ? sums.total : 1;
        for (size_t t = 0; t < m->n_terms; t++) m->weights[t] = v[t] - v[m->n_terms + t];
        CHECK(cairn_class_planes_place(ctx, m, &sums, job, (cairn_threshold_rule)p->threshold));
        if (m->intercept) m->weights[m->n_terms] += (priors[0] - priors[1]) / sums.total;
        for (size_t t = 0; t <= m->n_terms; t++) m->weights[t] *= factor;
    } else
        fit_many(m, &sums, priors, v);
    CHECK(cairn_class_planes_check_finite(ctx, m, job->view));
    history->criterion = criterion(m, &sums);
    CHECK(show_direction(ctx, m, job, &sums, history->criterion));
    CHECK(keep_axes(ctx, history, &sums));
    CHECK(prove_axes(ctx, job->certificate, history, &sums));
    return cairn_class_planes_judge(ctx, &history->tally, m, job, (cairn_at_zero)p->planes.at_zero);
}

static cairn_status discriminant_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    discriminant_history own = {0};
    cairn_status status = fit_both(ctx, model, job->history ? job->history : &own, job);
    clear_history(&own);
    return status;
}

/* -- predicting -- */

static cairn_status discriminant_predict(cairn_context *ctx, cairn_prediction *out,
                                         const void *model, const cairn_job *job)
{
    const discriminant_params *p = job->params;
    if (!p->probabilities) return cairn_class_planes_predict(ctx, out, model, job);
    double *scores = out->scores;
    out->scores = NULL;
    CHECK(cairn_class_planes_predict(ctx, out, model, job));
    cairn_prediction soft = {.n_rows = out->n_rows, .n_classes = out->n_classes, .scores = scores};
    out->scores = scores;
    return cairn_logistic_predict(ctx, &soft, model, job);
}

static cairn_status discriminant_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const discriminant_params *p = job->params;
    CHECK(cairn_class_planes_lower(model, job, out));
    return p->probabilities ? cairn_logistic_lower(model, job, out) : CAIRN_OK;
}

/* -- showing and keeping -- */

/* Terms beyond the first few have no column in the table; their values are there, but hidden. */
static void show_axes(cairn_report *out, const discriminant_history *history,
                      const cairn_class_planes *m, const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    const char *const *names;
    double total = 0;
    if (!ctx || !history->n_axes) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status = cairn_term_names(ctx, &names, job->schema);
    cairn_report_failed(out, status);
    if (status) return;
    for (size_t k = 0; k < history->n_axes; k++) total += history->values[k];
    cairn_report_table_of(out, "Discriminant axes", 0, "lrr", "axis", "between / within", "share");
    for (size_t t = 0; t < m->n_terms && t < SHOWN_TERMS; t++)
        cairn_report_column(out, names[t], 'r');
    for (size_t k = 0; k < history->n_axes; k++) {
        cairn_report_cells(out, "- axis$1.eigenvalue:6 axis$1.share:6", k + 1, history->values[k],
                           history->values[k] / total);
        for (size_t t = 0; t < m->n_terms; t++) {
            const char *key = cairn_term_key(out, names[t]);
            double x = history->axes[k * m->n_terms + t];
            if (t < SHOWN_TERMS)
                cairn_report_cell_number(out, x, 6, "axis%zu.%s", k + 1, key);
            else
                cairn_report_hidden(out, x, "axis%zu.%s", k + 1, key);
        }
    }
    cairn_report_table_end(out);
    cairn_scratch_release(ctx, mark);
}

static void discriminant_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const discriminant_history *history = job->history;
    const discriminant_params *p = job->params;
    const cairn_class_planes *m = model;
    cairn_report_heading(out, 2, "Linear discriminant");
    cairn_class_planes_show(out, m, job, (cairn_plane_side)p->planes.intercept,
                            history ? &history->tally : NULL);
    if (!history) return;
    if (m->n_present == 2) cairn_report_value(out, "criterion J", history->criterion, "criterion");
    show_axes(out, history, m, job);
    if (history->rank < m->n_terms)
        cairn_report_note(out,
                          "The scatter within the classes has rank %zu of %zu: directions in which "
                          "the rows of no class differ are left out. {shrinkage} above 0 keeps "
                          "them.",
                          history->rank, m->n_terms);
}

static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    discriminant_history *history = data;
    const cairn_class_planes *m = model;
    CHECK(cairn_archive_real(a, "criterion", &history->criterion));
    CHECK(cairn_archive_size(a, "rank", &history->rank, UINT32_MAX));
    CHECK(cairn_archive_size(a, "n_axes", &history->n_axes, m->n_present));
    CHECK(cairn_archive_reals(a, "values", &history->values, history->n_axes));
    CHECK(
        cairn_archive_reals(a, "axes", &history->axes, cairn_product(history->n_axes, m->n_terms)));
    return cairn_class_planes_tally_archive(a, &history->tally, model);
}

static const cairn_history discriminant_histories = {
    .size = sizeof(discriminant_history),
    .reports = CAIRN_REPORTS_ACCURACY,
    .archive = archive_history,
    .clear = clear_history,
};

enum {
    DISCRIMINANT_TRAITS = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING
};

static unsigned discriminant_traits(const void *params)
{
    bool shares = ((const discriminant_params *)params)->probabilities;
    return DISCRIMINANT_TRAITS | (shares ? CAIRN_GIVES_PROBABILITIES : 0);
}

const cairn_learner cairn_discriminant = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "discriminant",
            .also = "Fisher's discriminant, linear discriminant analysis, LDA, canonical "
                    "discriminants, shrunken LDA (shrinkage=0.1), LinearDiscriminantAnalysis",
            .title = "Fisher's linear discriminant",
            .summary =
                "Finds the direction along which two classes lie apart most, measured in their "
                "scatter: w = S_W⁻¹ (m₊ − m₋). The plane lies across it, halfway between the means "
                "of the classes, at the mean of all rows, or where the training rows have the "
                "fewest errors. Many classes by normal densities with a common covariance, with "
                "the discriminant axes; priors, shrinkage, and on request probabilities. The steps "
                "show means, scatter, direction, criterion and every row on the line.",
            .references = "Fisher, The use of multiple measurements in taxonomic problems (1936); "
                          "Bishop, Pattern Recognition and Machine Learning (2006), 4.1",
            .example = "cairn fit discriminant @fisher-points --steps",
            .params = discriminant_parameters,
            .params_size = sizeof(discriminant_params),
            .check = discriminant_check,
        },
    .space = "shrinkage=0,0.1,0.3,0.6",
    CAIRN_CLASS_PLANES_RECORD,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER | CAIRN_CLAIM_COLUMN_ORDER,
    .traits = DISCRIMINANT_TRAITS,
    .traits_with = discriminant_traits,
    .history = &discriminant_histories,
    .fit = discriminant_fit,
    .lower = discriminant_lower,
    .predict = discriminant_predict,
    .describe = discriminant_describe,
};
