/* SPDX-License-Identifier: MIT */
/* The basic linear classifier and its relatives: w = M⁻¹ (n₊ m₊ − n₋ m₋).
 *
 * With M the identity and n = 1 the plane is halfway between the means of the classes, across the
 * line that joins them: the nearer mean is the answer. Other matrices measure distances otherwise:
 * variances of the columns, covariances of all rows, covariances within the classes (Fisher's
 * discriminant), XᵀX. With XᵀX, rows with a 1 in front and n the rows of the classes, w is the
 * least-squares classifier of targets ±1, threshold and all.
 *
 * More than two classes: the score of a class is m'M⁻¹x − m'M⁻¹m/2, the nearer mean again. A row
 * weight counts as so many equal rows. Cost: one pass, and p³/6 where M is a full matrix. */
#include "base/memory.h"
#include "learners/linear/class_metric.h"
#include <math.h>

typedef struct basic_params {
    cairn_class_planes_params planes;
    int matrix, count, threshold;
} basic_params;

enum { COUNT_ONE, COUNT_ROWS };

static const cairn_choice counts[] = {
    {"one", COUNT_ONE, "every mean counts 1"},
    {"rows", COUNT_ROWS, "a mean counts the rows of its class; two classes"},
    {0},
};

static const cairn_param basic_parameters[] = {
    CAIRN_PARAM_CHOICE(basic_params, matrix, "identity", cairn_class_metric_choices,
                       "the matrix M in w = M⁻¹ (n₊ m₊ − n₋ m₋)", .often = true),
    CAIRN_PARAM_CHOICE(basic_params, count, "one", counts, "what n₊ and n₋ are"),
    CAIRN_PARAM_CHOICE(basic_params, threshold, "midpoint", cairn_threshold_choices,
                       "two classes: where the plane is put along w", .when = "!matrix=gram",
                       .often = true),
    CAIRN_CLASS_PLANES(basic_params),
    CAIRN_PARAM_END,
};

typedef struct basic_history {
    size_t rank; /* of M */
    cairn_class_planes_tally tally;
} basic_history;

/* n₊ m₊ − n₋ m₋, or the means of more classes one after the other; with the 1 of homogeneous
 * coordinates at the end where M has a row for it. */
static void put_sides(const cairn_class_planes *m, const cairn_class_sums *s, bool rows, size_t n,
                      double *out)
{
    size_t p = s->n_terms;
    for (size_t k = 0; k < m->n_present; k++) {
        double count = rows ? s->totals[k] : 1, sign = m->n_vectors > 1 || k == 0 ? 1 : -1;
        double *to = out + (m->n_vectors > 1 ? k * n : 0);
        for (size_t t = 0; t < p; t++) to[t] += sign * count * s->means[k * p + t];
        if (n > p) to[p] += sign * count;
    }
}

/* Without a matrix the means of the classes are all the work that there is. */
static void show_work(cairn_report *out, const cairn_class_planes *m, const cairn_job *job,
                      const cairn_class_sums *s, const double *matrix, size_t n)
{
    const basic_params *p = job->params;
    cairn_context *ctx = cairn_report_context(out);
    const char *const *names;
    if (!ctx) return;
    cairn_report_step_begin(out, "Means of the classes");
    cairn_show_class_means(out, m, job, s);
    cairn_report_step_end(out);
    if (!matrix) return;
    cairn_status status = cairn_term_names(ctx, &names, job->schema);
    cairn_report_failed(out, status);
    if (status) return;
    cairn_report_step_begin(out, "The matrix M");
    cairn_report_formula(out, p->matrix == CAIRN_METRIC_GRAM ? "M = XᵀX, rows with a 1 at the end"
                              : p->matrix == CAIRN_METRIC_POOLED ? "M = Σ (x − m_k)(x − m_k)ᵀ / n"
                                                                 : "M = Σ (x − m)(x − m)ᵀ / n");
    cairn_show_term_matrix(out, "M", "m", matrix, n, names);
    cairn_report_step_end(out);
}

/* The plane as on the board: w and t with the numbers put in. */
static cairn_status show_plane(cairn_context *ctx, cairn_report *out, const cairn_class_planes *m,
                               const cairn_job *job, const cairn_class_sums *s)
{
    const basic_params *p = job->params;
    double plus = 0, minus = 0, t = -m->weights[m->n_terms];
    if (!out || m->n_present != 2) return CAIRN_OK;
    cairn_report_step_begin(out, "The plane");
    cairn_report_formula(out, "w = M⁻¹ (n₊ m₊ − n₋ m₋)");
    for (size_t j = 0; j < m->n_terms; j++) {
        plus += m->weights[j] * s->means[j];
        minus += m->weights[j] * s->means[m->n_terms + j];
    }
    if (p->matrix != CAIRN_METRIC_GRAM && p->threshold == CAIRN_THRESHOLD_MIDPOINT && m->intercept)
        cairn_report_worked(out, "t", "(w·m₊ + w·m₋) / 2 = (# + #) / 2 = #", plus, minus, t);
    if (p->matrix == CAIRN_METRIC_IDENTITY && p->count == COUNT_ONE && m->intercept &&
        p->threshold == CAIRN_THRESHOLD_MIDPOINT) {
        double a = 0, b = 0;
        for (size_t j = 0; j < m->n_terms; j++) {
            a += s->means[j] * s->means[j];
            b += s->means[m->n_terms + j] * s->means[m->n_terms + j];
        }
        cairn_report_worked(out, "t", "(‖m₊‖² − ‖m₋‖²) / 2 = (# − #) / 2 = #", a, b, t);
    }
    CHECK(cairn_show_projections(ctx, out, m, job));
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* What makes a probability of the distance d from the plane, as if the distances of both classes
 * were normal with one variance: p = 1 / (1 + exp(−γ (d − d₀))). With M the identity the means of
 * the distances are ‖m₊ − m₋‖ apart. */
static cairn_status show_calibration(cairn_context *ctx, cairn_report *out,
                                     const cairn_class_planes *m, const cairn_job *job)
{
    const cairn_view *view = job->view;
    double *scores, length = cairn_class_planes_length(m, 0, 1);
    double sums[2] = {0}, totals[2] = {0}, squares = 0;
    if (!out || m->n_present != 2 || !(length > 0)) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_class_planes_project(ctx, &scores, m, view));
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < view->rows.n; i++) {
            bool negative = view->target->codes[cairn_view_row(view, i)] != m->classes[0];
            double w = cairn_view_weight(view, i), d = scores[i] / length;
            if (round == 0) sums[negative] += w * d, totals[negative] += w;
            if (round == 0 || !(w > 0)) continue;
            double apart = d - sums[negative] / totals[negative];
            squares += w * apart * apart;
        }
    double plus = sums[0] / totals[0], minus = sums[1] / totals[1];
    double variance = squares / (totals[0] + totals[1]), gamma = (plus - minus) / variance;
    double centre = (plus + minus) / 2;
    if (!(variance > 0) || !isfinite(gamma)) return CAIRN_OK;
    if (fabs(centre) <= 1e-14 * fabs(plus)) centre = 0; /* halfway, but for rounding */
    cairn_report_step_begin(out, "From distance to probability");
    cairn_report_formula(out, "d = (w·x − t) / ‖w‖,  p = 1 / (1 + exp(−γ (d − d₀)))");
    cairn_report_value(out, "length ‖w‖", length, "calibration.length");
    cairn_report_value(out, "mean distance d̄₊", plus, "calibration.positive_mean");
    cairn_report_value(out, "mean distance d̄₋", minus, "calibration.negative_mean");
    cairn_report_value(out, "common variance σ²", variance, "calibration.variance");
    cairn_report_worked(out, "γ", "(d̄₊ − d̄₋) / σ² = (# − #) / # = #", plus, minus, variance, gamma);
    cairn_report_worked(out, "d₀", "(d̄₊ + d̄₋) / 2 = (# + #) / 2 = #", plus, minus, centre);
    cairn_report_hidden(out, gamma, "calibration.gamma");
    cairn_report_hidden(out, centre, "calibration.centre");
    cairn_report_paragraph(out,
                           "These are the training rows; the learner 'calibrated' takes held-out "
                           "scores.");
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* Weights and constants from M⁻¹ of the means. */
static cairn_status place(cairn_context *ctx, cairn_class_planes *m, const cairn_class_sums *s,
                          const cairn_job *job, const double *sides, size_t n)
{
    const basic_params *params = job->params;
    size_t p = m->n_terms, nv = m->n_vectors;
    for (size_t k = 0; k < nv; k++) {
        double constant = 0;
        for (size_t t = 0; t < p; t++) {
            m->weights[t * nv + k] = sides[k * n + t];
            if (nv > 1) constant -= sides[k * n + t] * s->means[k * p + t] / 2;
        }
        m->weights[p * nv + k] = !m->intercept ? 0 : n > p && nv == 1 ? sides[p] : constant;
    }
    if (nv > 1 || n > p) return CAIRN_OK;
    return cairn_class_planes_place(ctx, m, s, job, (cairn_threshold_rule)params->threshold);
}

/* Counted rows, the Gram matrix and a threshold elsewhere than halfway have a meaning for two
 * classes only, so that more are refused. */
static cairn_status fit_both(cairn_context *ctx, cairn_class_planes *m, basic_history *history,
                             const cairn_job *job)
{
    const basic_params *p = job->params;
    cairn_class_metric metric = (cairn_class_metric)p->matrix;
    const int32_t *classes;
    cairn_class_sums sums;
    double *matrix, *sides;
    size_t n_present, n;
    CHECK(cairn_class_planes_classes(ctx, &classes, &n_present, job, false));
    if (n_present > 2 && (p->count == COUNT_ROWS || metric == CAIRN_METRIC_GRAM ||
                          p->threshold != CAIRN_THRESHOLD_MIDPOINT))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "{%s} is for two classes, and there are %zu; leave it out, or use "
                          "one-vs-rest:learner=basic-linear",
                          p->count == COUNT_ROWS        ? "count rows"
                          : metric == CAIRN_METRIC_GRAM ? "matrix gram"
                                                        : "threshold",
                          n_present);
    CHECK(cairn_class_planes_new(ctx, m, job, classes, n_present, false,
                                 p->planes.intercept != CAIRN_PLANE_NONE));
    CHECK(cairn_class_planes_sums(ctx, &sums, m, job, cairn_class_metric_sums(metric)));
    CHECK(cairn_class_metric_matrix(ctx, &matrix, &n, &sums, metric));
    CHECK(SCRATCH(ctx, &sides, cairn_product(m->n_vectors, n) + 1));
    put_sides(m, &sums, p->count == COUNT_ROWS, n, sides);
    show_work(job->steps, m, job, &sums, matrix, n);
    CHECK(cairn_class_metric_solve(ctx, matrix, n, sides, m->n_vectors, &history->rank,
                                   job->certificate));
    CHECK(place(ctx, m, &sums, job, sides, n));
    CHECK(cairn_class_planes_check_finite(ctx, m, job->view));
    CHECK(show_plane(ctx, job->steps, m, job, &sums));
    CHECK(show_calibration(ctx, job->steps, m, job));
    return cairn_class_planes_judge(ctx, &history->tally, m, job, (cairn_at_zero)p->planes.at_zero);
}

static void clear_history(void *data)
{
    basic_history *history = data;
    cairn_free(history->tally.distances);
    *history = (basic_history){0};
}

static cairn_status basic_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    basic_history own = {0};
    cairn_status status = fit_both(ctx, model, job->history ? job->history : &own, job);
    clear_history(&own);
    return status;
}

static cairn_status basic_read(cairn_context *ctx, void *model, const cairn_job *job,
                               const cairn_given *given)
{
    const basic_params *p = job->params;
    basic_history own = {0}, *history = job->history ? job->history : &own;
    cairn_status status =
        cairn_class_planes_read(ctx, model, job, given, p->planes.intercept != CAIRN_PLANE_NONE);
    history->rank = status ? 0 : ((cairn_class_planes *)model)->n_terms;
    if (!status)
        status = cairn_class_planes_judge(ctx, &history->tally, model, job,
                                          (cairn_at_zero)p->planes.at_zero);
    clear_history(&own);
    return status;
}

static void basic_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const basic_history *history = job->history;
    const basic_params *p = job->params;
    const cairn_class_planes *m = model;
    cairn_report_heading(out, 2, "Basic linear classifier");
    cairn_class_planes_show(out, m, job, (cairn_plane_side)p->planes.intercept,
                            history ? &history->tally : NULL);
    if (history && history->rank < m->n_terms)
        cairn_report_note(out,
                          "The matrix M has rank %zu of %zu: directions in which the rows do not "
                          "differ are left out.",
                          history->rank, m->n_terms);
}

static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    basic_history *history = data;
    CHECK(cairn_archive_size(a, "rank", &history->rank, UINT32_MAX));
    return cairn_class_planes_tally_archive(a, &history->tally, model);
}

static const cairn_history basic_histories = {
    .size = sizeof(basic_history),
    .reports = CAIRN_REPORTS_ACCURACY,
    .archive = archive_history,
    .clear = clear_history,
};

const cairn_learner cairn_basic_linear = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "basic-linear",
            .also = "nearest centroid, nearest mean classifier, centroid classifier, "
                    "linear threshold classifier, scoring rule",
            .title = "Basic linear classifier",
            .summary =
                "Puts a plane halfway between the means of two classes: w is the difference of "
                "the means, and a row belongs to the nearer one. With --matrix the family "
                "w = M⁻¹ (n₊ m₊ − n₋ m₋): variances, covariances, covariances within the classes, "
                "XᵀX. Many classes by the nearest mean. With --given it is a scorer whose weights "
                "and threshold somebody typed; 'predict --explain' lists what adds to a score.",
            .references = "Flach, Machine Learning, Cambridge University Press 2012",
            .example = "cairn fit basic-linear @fisher-points --steps",
            .params = basic_parameters,
            .params_size = sizeof(basic_params),
        },
    CAIRN_CLASS_PLANES_RECORD,
    .space = "matrix=identity,diagonal,pooled",
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER | CAIRN_CLAIM_COLUMN_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING,
    .history = &basic_histories,
    .fit = basic_fit,
    .read = basic_read,
    .lower = cairn_class_planes_lower,
    .predict = cairn_class_planes_predict,
    .describe = basic_describe,
};
