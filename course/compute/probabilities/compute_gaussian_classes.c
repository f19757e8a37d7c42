/* SPDX-License-Identifier: MIT */
/* cairn compute gaussian-classes: classes whose means, covariances and priors are known.
 *
 *  1. P(k | x) of points, from score_k(x) = ln P_k + ln p(x | k), and of two classes the
 *     difference B(x) = P(1 | x) − P(2 | x)
 *  2. where two classes are equally probable: with one covariance a plane, else a quadratic
 *  3. how well two classes can be told apart: Bhattacharyya's distance and his bound of the error
 *         D = ⅛ (μ₁ − μ₂)'Σ⁻¹(μ₁ − μ₂) + ½ ln(|Σ| / √(|Σ₁||Σ₂|)),  Σ = (Σ₁ + Σ₂)/2
 *         error ≤ √(P₁P₂) e^−D
 *     and with one covariance the error itself
 *
 * The classes are a model of the learner 'gaussian', which shows 2 and draws the pictures. */
#include "model/calculator.h"

#include "base/functions.h"
#include "base/memory.h"
#include "data/schema.h"
#include "data/view.h"
#include "decompose/linalg.h"
#include "learners/bayes/gaussian.h"
#include "report/table_rows.h"
#include "rows/matrix.h"
#include "stats/distributions.h"
#include "typed/vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COLUMNS = 20, MOST_CLASSES = 50, MOST_PAIRS = 45, WRITTEN_TERMS = 4 };

#define TARGET "class of x"

typedef struct classes_params {
    const char *means, *points;
    cairn_list covariance, deviations, prior, features;
} classes_params;

static const cairn_param classes_table[] = {
    {.name = "means",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(classes_params, means),
     .help = "the mean of each class, perhaps with its name, such as 'yes=0,0;no=4,2'; of one "
             "column 'yes=0;no=4'",
     .often = true,
     .required = true},
    CAIRN_PARAM_CELLS(classes_params, covariance, MATRIX, NULL, NULL,
                      "a covariance for all classes, such as [2,1;1,3], or given once for each "
                      "class in their order; 1 in every column, with no covariances, if neither "
                      "this nor the deviations are given",
                      .repeated = true, .often = true),
    CAIRN_PARAM_CELLS(classes_params, deviations, MATRIX, NULL, "(0,inf)",
                      "standard deviations in place of covariances: a row for all classes or for "
                      "each, a number per column, such as 1,2;3,4",
                      .when = "!covariance", .often = true),
    CAIRN_PARAM_CELLS(classes_params, prior, PROBABILITIES, NULL, "(0,1]",
                      "P(k) of each class; all alike if not given", .often = true),
    CAIRN_PARAM(classes_params, points, NULL, NULL,
                "points to be classified, such as 'a=1,2;b=0,1'", .often = true),
    CAIRN_PARAM_CELLS(classes_params, features, NAMES, NULL, NULL,
                      "names of the columns; x, y or x1, x2, x3 ... if not given"),
    CAIRN_PARAM_END,
};

typedef struct known_classes {
    cairn_gaussian_known known;
    cairn_gaussian_model model;
    cairn_table *table; /* the points, maybe none, and the classes as levels of its target */
    cairn_schema schema;
    cairn_job job;
    cairn_vectors means, points;
    const char **columns;
} known_classes;

static void known_clear(known_classes *w)
{
    cairn_gaussian_clear(&w->model);
    cairn_schema_clear(&w->schema);
    cairn_table_free(w->table);
}

/* -- reading -- */

/* A matrix for all classes or one for each, symmetric. */
static cairn_status read_covariances(cairn_context *ctx, known_classes *w, const cairn_list *typed)
{
    size_t k = w->means.n, p = w->means.width;
    bool own = typed->rows == k * p && k > 1;
    if (typed->columns != p || (typed->rows != p && !own))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{covariance}: a matrix of %zu x %zu is wanted for all classes, or given "
                          "%zu times, for each; there are %zu row%s of %zu",
                          p, p, k, typed->rows, typed->rows == 1 ? "" : "s", typed->columns);
    for (size_t i = 0; i < typed->n; i++) {
        size_t matrix = i / (p * p), row = i / p % p, column = i % p;
        const double *of = typed->values + matrix * p * p;
        if (of[row * p + column] != of[column * p + row])
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{covariance}: matrix %zu is not symmetric: row %zu has another "
                              "number in column %zu than row %zu in column %zu",
                              matrix + 1, row + 1, column + 1, column + 1, row + 1);
    }
    w->known.covariance = own ? CAIRN_GAUSSIAN_OWN : CAIRN_GAUSSIAN_SHARED;
    w->known.covariances = typed->values;
    return CAIRN_OK;
}

/* Deviations of all classes are a covariance that they share. */
static cairn_status read_deviations(cairn_context *ctx, known_classes *w, const cairn_list *typed)
{
    size_t k = w->means.n, p = w->means.width;
    bool own = typed->rows == k && k > 1;
    double *squares;
    if (typed->columns != p || (typed->rows != 1 && !own))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{deviations}: %zu number%s for all classes are wanted, or %zu rows of "
                          "them, one for each class; there are %zu row%s of %zu",
                          p, p == 1 ? "" : "s", k, typed->rows, typed->rows == 1 ? "" : "s",
                          typed->columns);
    CHECK(SCRATCH(ctx, &squares, own ? k * p : p * p));
    for (size_t i = 0; i < typed->n; i++)
        squares[own ? i : i * p + i] = typed->values[i] * typed->values[i];
    w->known.covariance = own ? CAIRN_GAUSSIAN_DIAGONAL : CAIRN_GAUSSIAN_SHARED;
    w->known.covariances = squares;
    return CAIRN_OK;
}

/* The points as a table whose schema names columns and classes. */
static cairn_status make_job(cairn_context *ctx, known_classes *w)
{
    size_t k = w->means.n, p = w->means.width, n = w->points.n;
    double *column;
    int32_t *codes;
    CHECK(SCRATCH_EACH(ctx, n + 1, &column, &codes));
    CHECK(cairn_table_new(ctx, &w->table, n));
    for (size_t j = 0; j < p; j++) {
        for (size_t i = 0; i < n; i++) column[i] = w->points.values[i * p + j];
        CHECK(cairn_table_add_numbers(ctx, w->table, w->columns[j], column));
    }
    for (size_t i = 0; i < n; i++) codes[i] = -1;
    CHECK(cairn_table_add_levels(ctx, w->table, TARGET, codes, w->means.names, k));
    CHECK(cairn_table_set_role(ctx, w->table, TARGET, CAIRN_TARGET));
    CHECK(cairn_schema_from_table(ctx, &w->schema, w->table));
    w->job = (cairn_job){
        .task = CAIRN_CLASSIFY, .schema = &w->schema, .n_classes = k, .positive = k == 2 ? 0 : -1};
    return CAIRN_OK;
}

static cairn_status read_classes(cairn_context *ctx, known_classes *w, const classes_params *p)
{
    double *priors;
    CHECK(cairn_read_vectors(ctx, &w->means, "means", p->means, "class"));
    size_t k = w->means.n, d = w->means.width;
    if (k < 2 || k > MOST_CLASSES || d > MOST_COLUMNS)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{means}: 2 to %d classes of at most %d columns are wanted, not %zu of "
                          "%zu; classes are separated by semicolons",
                          MOST_CLASSES, MOST_COLUMNS, k, d);
    w->known = (cairn_gaussian_known){.n_classes = k,
                                      .n_columns = d,
                                      .covariance = CAIRN_GAUSSIAN_IDENTITY,
                                      .means = w->means.values};
    if (p->covariance.text) CHECK(read_covariances(ctx, w, &p->covariance));
    if (p->deviations.text) CHECK(read_deviations(ctx, w, &p->deviations));
    CHECK(cairn_list_or(ctx, &priors, &p->prior, "prior", k, "classes", 1 / (double)k));
    w->known.priors = priors;
    if (p->points) {
        CHECK(cairn_read_vectors(ctx, &w->points, "points", p->points, "x"));
        if (w->points.width != d)
            return cairn_fail(ctx, CAIRN_USAGE, "{points} have %zu numbers, and the {means} %zu",
                              w->points.width, d);
    }
    CHECK(cairn_coordinate_names(ctx, &w->columns, d));
    if (d == 1) w->columns[0] = "x";
    if (p->features.text) CHECK(cairn_list_fits(ctx, &p->features, "features", d, "columns"));
    for (size_t j = 0; p->features.text && j < d; j++) w->columns[j] = p->features.names[j];
    CHECK(make_job(ctx, w));
    CHECK(cairn_gaussian_know(ctx, &w->model, &w->known));
    for (size_t f = 0; f < w->model.n_factors; f++)
        if (w->model.raised[f])
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the covariance%s%s is not positive definite: a column follows from "
                              "the others, or the matrix is none of a density",
                              w->model.n_factors > 1 ? " of class " : "",
                              w->model.n_factors > 1 ? w->means.names[f] : "");
    return CAIRN_OK;
}

/* -- the classes -- */

static void show_known(cairn_report *out, const known_classes *w)
{
    cairn_report_table_of(out, "Classes", 0, "lr", "class", "P(k)");
    for (size_t j = 0; j < w->means.width; j++) cairn_report_column(out, w->columns[j], 'r');
    for (size_t c = 0; c < w->means.n; c++) {
        const char *key = cairn_report_key(out, w->means.names[c]);
        cairn_report_cells(out, "- prior.$1", w->means.names[c], w->known.priors[c]);
        for (size_t j = 0; j < w->means.width; j++)
            cairn_report_cell_number(out, w->means.values[c * w->means.width + j], 0, "mean.%s.%s",
                                     key, cairn_term_key(out, w->columns[j]));
    }
}

/* -- how well two classes can be told apart -- */

typedef struct apart {
    double squares; /* (μ₁ − μ₂)'Σ⁻¹(μ₁ − μ₂) of the mean covariance */
    double between, first, last; /* ln |Σ|, ln |Σ₁|, ln |Σ₂| */
    double distance, bound;
    double error; /* of the best rule; NaN where it is no normal probability */
} apart;

static cairn_status tell_apart(cairn_context *ctx, apart *out, const known_classes *w, size_t a,
                               size_t b)
{
    SCOPED_SCRATCH(ctx);
    const cairn_gaussian_model *m = &w->model;
    size_t p = w->means.width, pivot;
    double *mean, *solved, condition;
    CHECK(SCRATCH(ctx, &mean, p * p));
    CHECK(SCRATCH(ctx, &solved, p));
    for (size_t i = 0; i < p * p; i++)
        mean[i] =
            (cairn_gaussian_entry(m, a, i / p, i % p) + cairn_gaussian_entry(m, b, i / p, i % p)) /
            2;
    CHECK(cairn_cholesky(ctx, mean, p, &condition, &pivot));
    *out = (apart){.first = 2 * m->log_roots[cairn_gaussian_factor(m, a)],
                   .last = 2 * m->log_roots[cairn_gaussian_factor(m, b)]};
    /* with Σ = R'R the squares are those of y, R'y = μ₁ − μ₂ */
    for (size_t j = 0; j < p; j++) {
        solved[j] = m->means[a * p + j] - m->means[b * p + j];
        for (size_t i = 0; i < j; i++) solved[j] -= mean[i * p + j] * solved[i];
        solved[j] /= mean[j * p + j];
        out->squares += solved[j] * solved[j];
        out->between += 2 * cairn_log(mean[j * p + j]);
    }
    if (m->n_factors == 1) out->between = out->first;
    double prior = m->log_prior[a] - m->log_prior[b], d = sqrt(out->squares);
    out->distance = out->squares / 8 + (out->between - (out->first + out->last) / 2) / 2;
    out->bound = cairn_exp((m->log_prior[a] + m->log_prior[b]) / 2 - out->distance);
    out->error = NAN;
    if (m->n_factors == 1 && w->means.n == 2)
        out->error = d == 0 ? fmin(w->known.priors[a], w->known.priors[b])
                            : w->known.priors[a] * cairn_normal_upper(d / 2 + prior / d) +
                                  w->known.priors[b] * cairn_normal_upper(d / 2 - prior / d);
    return CAIRN_OK;
}

static void work_apart(cairn_report *out, const known_classes *w, const apart *of, size_t a,
                       size_t b)
{
    const double *priors = w->known.priors;
    cairn_report_step_begin(out, "Bhattacharyya's bound of %s and %s", w->means.names[a],
                            w->means.names[b]);
    cairn_report_formula(out, "D = ⅛ (μ₁ − μ₂)ᵀΣ⁻¹(μ₁ − μ₂) + ½ ln(|Σ| / √(|Σ₁|·|Σ₂|)),  "
                              "Σ = (Σ₁ + Σ₂)/2");
    cairn_report_worked(out, "D", "#/8 + ½ (# − ½ (# + #)) = #", of->squares, of->between,
                        of->first, of->last, of->distance);
    cairn_report_worked(out, "bound √(P₁·P₂)·e^(−D)", "√(#·#)·e^(−#) = #", priors[a], priors[b],
                        of->distance, of->bound);
    if (isfinite(of->error) && of->squares > 0) {
        double d = sqrt(of->squares), prior = w->model.log_prior[a] - w->model.log_prior[b];
        cairn_report_formula(out, "with one covariance: error = P₁ Φ(−d/2 − ln(P₁/P₂)/d) + "
                                  "P₂ Φ(−d/2 + ln(P₁/P₂)/d),  d² = (μ₁ − μ₂)ᵀΣ⁻¹(μ₁ − μ₂)");
        cairn_report_worked(out, "error", "#·# + #·# = #", priors[a],
                            cairn_normal_upper(d / 2 + prior / d), priors[b],
                            cairn_normal_upper(d / 2 - prior / d), of->error);
    }
    cairn_report_step_end(out);
}

/* A row for each pair of classes. */
static cairn_status show_apart(cairn_context *ctx, cairn_report *out, const known_classes *w,
                               cairn_report *steps)
{
    size_t k = w->means.n;
    bool error = w->model.n_factors == 1 && k == 2;
    apart of;
    if (k * (k - 1) / 2 > MOST_PAIRS) return CAIRN_OK;
    for (size_t a = 0; steps && a < k; a++)
        for (size_t b = a + 1; b < k; b++) {
            CHECK(tell_apart(ctx, &of, w, a, b));
            work_apart(steps, w, &of, a, b);
        }
    cairn_report_table_of(out, "How well pairs can be told apart", 0, "llrr", "class", "and",
                          "Bhattacharyya D", "error at most");
    if (error) cairn_report_column(out, "error", 'r');
    for (size_t a = 0; a < k; a++)
        for (size_t b = a + 1; b < k; b++) {
            const char *first = cairn_report_key(out, w->means.names[a]);
            const char *second = cairn_report_key(out, w->means.names[b]);
            CHECK(tell_apart(ctx, &of, w, a, b));
            cairn_report_prefix(out, "bhattacharyya.%s.%s", first, second);
            cairn_report_cells(out, "- - @.distance @.bound error", w->means.names[a],
                               w->means.names[b], of.distance, of.bound,
                               cairn_cell_if(error, of.error));
        }
    return CAIRN_OK;
}

/* -- points -- */

/* Squared distance, score and share of each class. */
static cairn_status work_point(cairn_context *ctx, cairn_report *out, const known_classes *w,
                               size_t point, const double *scores, const double *posterior)
{
    SCOPED_SCRATCH(ctx);
    const cairn_gaussian_model *m = &w->model;
    size_t k = w->means.n, p = w->means.width;
    const double *x = w->points.values + point * p;
    double *inverse, *terms, sum = 0, *parts;
    char label[200];
    CHECK(SCRATCH(ctx, &inverse, p * p));
    CHECK(SCRATCH(ctx, &terms, 3 * p * p));
    CHECK(SCRATCH(ctx, &parts, k));
    cairn_report_step_begin(out, "Point %s", w->points.names[point]);
    cairn_report_formula(out,
                         "score_k(x) = ln P_k − ½ ln |Σ_k| − ½ d²_k(x) − %zu/2 ln 2π,  "
                         "d²_k(x) = (x − μ_k)ᵀΣ_k⁻¹(x − μ_k)",
                         p);
    for (size_t c = 0; c < k; c++) {
        double squares = 0;
        const char *name = w->means.names[c];
        cairn_gaussian_inverse(m, c, inverse);
        for (size_t i = 0; i < p * p; i++) {
            terms[3 * i] = inverse[i];
            terms[3 * i + 1] = x[i / p] - m->means[c * p + i / p];
            terms[3 * i + 2] = x[i % p] - m->means[c * p + i % p];
            squares += terms[3 * i] * terms[3 * i + 1] * terms[3 * i + 2];
        }
        snprintf(label, sizeof label, "d²(%.150s)", name);
        if (p <= WRITTEN_TERMS)
            cairn_report_worked_sum(out, label, "#·#·#", terms, 3, p * p, squares);
        snprintf(label, sizeof label, "score(%.150s)", name);
        cairn_report_worked(out, label, "ln # − ½·# − ½·# − ½·# = #", w->known.priors[c],
                            2 * m->log_roots[cairn_gaussian_factor(m, c)], squares,
                            (double)p * 1.8378770664093454836, scores[c]);
        sum += parts[c] = cairn_exp(scores[c]);
    }
    cairn_report_formula(out, "P(k | x) = e^score_k(x) / Σ e^score(x)");
    for (size_t c = 0; c < k && sum > 0; c++) {
        snprintf(label, sizeof label, "P(%.150s | %.20s)", w->means.names[c],
                 w->points.names[point]);
        cairn_report_worked(out, label, "# / # = #", parts[c], sum, posterior[c]);
    }
    if (k == 2)
        cairn_report_worked(out, "B(x)", "# − # = #", posterior[0], posterior[1],
                            posterior[0] - posterior[1]);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

static void show_point(cairn_report *out, const known_classes *w, size_t point,
                       const double *scores, const double *posterior)
{
    size_t k = w->means.n, best = 0;
    cairn_report_prefix(out, "point%zu", point + 1);
    cairn_report_cell(out, w->points.names[point]);
    for (size_t c = 0; c < k; c++) {
        const char *key = cairn_report_key(out, w->means.names[c]);
        if (posterior[c] > posterior[best]) best = c;
        cairn_report_hidden(out, scores[c], "point%zu.score.%s", point + 1, key);
        cairn_report_cell_number(out, posterior[c], 0, "point%zu.posterior.%s", point + 1, key);
    }
    if (k == 2)
        cairn_report_cell_number(out, posterior[0] - posterior[1], 0, "point%zu.discriminant",
                                 point + 1);
    cairn_report_cells(out, "@.error @.answer", 1 - posterior[best], w->means.names[best]);
}

/* P(k | x) of every point; the steps come before the table. */
static cairn_status show_points(cairn_context *ctx, cairn_report *out, const known_classes *w,
                                bool steps)
{
    size_t k = w->means.n, n = w->points.n;
    cairn_view view;
    double *scores, *posterior;
    char head[200];
    if (!n) return CAIRN_OK;
    CHECK(cairn_view_make(ctx, &view, w->table, cairn_all_rows(w->table)));
    CHECK(SCRATCH_EACH(ctx, cairn_product(n, k), &scores, &posterior));
    CHECK(cairn_gaussian_scores(ctx, scores, &w->model, &view));
    memcpy(posterior, scores, n * k * sizeof *posterior);
    for (size_t i = 0; i < n; i++) {
        cairn_gaussian_posterior(posterior + i * k, k);
        if (steps) CHECK(work_point(ctx, out, w, i, scores + i * k, posterior + i * k));
    }
    cairn_report_table_of(out, "Points", 0, "l", "point");
    for (size_t c = 0; c < k; c++) {
        snprintf(head, sizeof head, "P(%.150s)", w->means.names[c]);
        cairn_report_column(out, head, 'r');
    }
    if (k == 2) cairn_report_column(out, "B(x) = P₁ − P₂", 'r');
    cairn_report_columns(out, "rl", "error 1 − max P", "answer");
    for (size_t i = 0; i < n; i++) show_point(out, w, i, scores + i * k, posterior + i * k);
    return CAIRN_OK;
}

/* -- pictures -- */

enum { CURVE = 301 };

/* One column: P(k | x) from four deviations below the least mean to as many above the largest. */
static cairn_status posterior_figure(cairn_context *ctx, cairn_figure **out, const known_classes *w)
{
    const cairn_gaussian_model *m = &w->model;
    size_t k = w->means.n;
    double low = INFINITY, high = -INFINITY, *x, *y, *scores;
    *out = NULL;
    if (w->means.width != 1) return CAIRN_OK;
    for (size_t c = 0; c < k; c++) {
        double reach = 4 * sqrt(cairn_gaussian_entry(m, c, 0, 0));
        low = fmin(low, m->means[c] - reach);
        high = fmax(high, m->means[c] + reach);
    }
    CHECK(SCRATCH(ctx, &x, CURVE));
    CHECK(SCRATCH(ctx, &y, cairn_product(CURVE, k)));
    CHECK(SCRATCH(ctx, &scores, k));
    for (size_t i = 0; i < CURVE; i++) {
        x[i] = low + (high - low) * (double)i / (CURVE - 1);
        for (size_t c = 0; c < k; c++) {
            double z = (x[i] - m->means[c]) / sqrt(cairn_gaussian_entry(m, c, 0, 0));
            scores[c] = m->log_bases[c] - z * z / 2;
        }
        cairn_gaussian_posterior(scores, k);
        for (size_t c = 0; c < k; c++) y[c * CURVE + i] = scores[c];
    }
    CHECK(cairn_figure_new(ctx, out, "posteriors", "P(class | x)"));
    cairn_figure_axes(*out, w->columns[0], "P(class | x)");
    for (size_t c = 0; c < k; c++)
        cairn_figure_line(*out, w->means.names[c], x, y + c * CURVE, CURVE);
    cairn_figure_y_range(*out, 0, 1);
    return CAIRN_OK;
}

/* The learner's picture of its densities, with the points that are asked for. NULL: more than two
 * columns. */
static cairn_status density_figure(cairn_context *ctx, cairn_figure **out, const known_classes *w)
{
    *out = NULL;
    for (size_t i = 0; cairn_gaussian_figures[i].name && !*out; i++)
        CHECK(cairn_gaussian_figures[i].make(ctx, out, &w->model, &w->job));
    for (size_t i = 0; *out && w->means.width == 2 && i < w->points.n; i++)
        cairn_figure_square(*out, w->points.names[i], w->points.values[2 * i],
                            w->points.values[2 * i + 1]);
    return CAIRN_OK;
}

static cairn_status classes_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    SCOPED(known_clear) known_classes w = {0};
    cairn_figure *densities, *posteriors;
    CHECK(read_classes(ctx, &w, job->params));
    cairn_report_heading(out, 1, "Classes with known normal densities");
    cairn_report_formula(out, "P(k | x) = P_k p(x | k) / Σ P p(x)");
    show_known(out, &w);
    if (job->steps) {
        w.job.steps = out;
        CHECK(cairn_gaussian_discriminant_step(ctx, &w.model, &w.job));
    }
    CHECK(cairn_gaussian_show(out, &w.model, &w.job));
    CHECK(show_apart(ctx, out, &w, job->steps ? out : NULL));
    CHECK(show_points(ctx, out, &w, job->steps));
    CHECK(density_figure(ctx, &densities, &w));
    if (densities) cairn_report_figure(out, densities);
    CHECK(posterior_figure(ctx, &posteriors, &w));
    if (posteriors) cairn_report_figure(out, posteriors);
    return CAIRN_OK;
}

static cairn_status classes_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    SCOPED(known_clear) known_classes w = {0};
    CHECK(read_classes(ctx, &w, job->params));
    CHECK(density_figure(ctx, out, &w));
    if (!*out)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "classes of one or two columns, and at most 12, can be drawn; these are "
                          "%zu of %zu columns",
                          w.means.n, w.means.width);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_gaussian_classes = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "gaussian-classes",
              .also = "known Gaussian classes, Bayes decision boundary, Bayes decision function "
                      "B(x), discriminant functions of normal densities, Bhattacharyya bound, "
                      "Bhattacharyya distance, Bayes error",
              .title = "Classes with known normal densities",
              .summary =
                  "From the means, covariances and priors of any number of classes: P(k | x) of "
                  "points, of two classes the difference B(x) too, the discriminant functions and "
                  "the boundary of each pair as an equation in letters and numbers, linear where "
                  "the covariances are equal and quadratic where not, Bhattacharyya's bound of the "
                  "error, and of two classes with one covariance the error itself. 'fit gaussian' "
                  "learns such classes from rows.",
              .references = "Duda, Hart and Stork: Pattern Classification, 2001, chapter 2",
              .example = "cairn compute gaussian-classes --means '1,1;4,3' --covariance "
                         "'2,1;1,2' --prior 0.6,0.4 --points 2,2 --steps",
              .params = classes_table,
              .params_size = sizeof(classes_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "gaussian-classes",
                .also = "known Gaussian classes, Bayes decision boundary",
                .title = "Known normal densities and their boundary",
                .summary = "Classes whose means, covariances and priors are typed: of one column "
                           "the curves of prior times density with the points where they cross, of "
                           "two columns ellipses at one and two deviations with the boundary, and "
                           "the points that are asked for.",
                .example = "cairn draw gaussian-classes --means 'plus=0,0;minus=3,1' --deviations "
                           "'1,1;2,0.7' --points 1,1 --out classes.svg",
                .params = classes_table,
                .params_size = sizeof(classes_params)},
    .arguments = "",
    .run = classes_run,
    .draw = classes_draw,
};
