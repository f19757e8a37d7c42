/* SPDX-License-Identifier: MIT */
/* Generalised linear models: a mean that is a function of a linear score.
 *
 * Problem: y has mean m and variance φ V(m), V that of a family; its link g(m) = a is the score
 * a = offset + b + c·x. Minimise the deviance, twice the log-likelihood that the rows lose against
 * means equal to their values; a weight w counts as w equal rows.
 *
 * Method:
 * 1. Least squares on the working response at means near the values (the first step of iteratively
 *    reweighted least squares) gives a start; with many rows, a sample of them is fitted first.
 * 2. Terms that earlier ones determine are found in its cross products and get no weight.
 * 3. Newton's method with the expected Hessian X'WX, W = (dm/da)²/V: Fisher scoring, with steps
 *    that are halved until the deviance falls.
 * 4. The inverse of the Hessian times the dispersion φ is the covariance of the weights, or the
 *    rows' own slopes make one (sandwich.h). φ is 1 for counts and shares, else the sum of squared
 *    Pearson residuals over the degrees of freedom.
 *
 * Cost: n p²/2 for each of a few passes. Deviances that can fall for ever (separated shares) end
 * with a flag. Sources: Nelder and Wedderburn, Generalized linear models (1972); McCullagh and
 * Nelder, Generalized Linear Models (1989). */
#include "learners/linear/glm.h"
#include "learners/linear/coefficients.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sort_by.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "learners/linear/glm_steps.h"
#include "learners/linear/tested.h"
#include "rows/family_loss.h"
#include "rows/slopes.h"
#include "solve/solvers.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TERMS = 5000,
    SAMPLE_FROM = 32 * 1024,
    SAMPLE_SHARE = 16,
    SAMPLE_RUN = 32,
    MOST_POLISH = 10,
    MOST_EXACT = 100
};

const cairn_choice cairn_family_choices[] = {
    {"gaussian", CAIRN_GAUSSIAN, "numbers of any sign, constant variance"},
    {"binomial", CAIRN_BINOMIAL, "0, 1 or shares between them; variance m(1-m)"},
    {"poisson", CAIRN_POISSON, "counts; variance m"},
    {"gamma", CAIRN_GAMMA, "numbers above 0; variance m²"},
    {"inverse-gaussian", CAIRN_INVERSE_GAUSSIAN, "numbers above 0 with long tails; variance m³"},
    {"negative-binomial", CAIRN_NEGATIVE_BINOMIAL,
     "counts that vary more than poisson's; variance m + m²/theta"},
    {0},
};

const cairn_choice cairn_link_choices[] = {
    {"canonical", CAIRN_LINK_USUAL,
     "the family's own: identity, logit, log, inverse, inverse-square, log"},
    {"identity", CAIRN_LINK_IDENTITY, "a = m"},
    {"log", CAIRN_LINK_LOG, "a = ln m"},
    {"inverse", CAIRN_LINK_INVERSE, "a = 1/m"},
    {"sqrt", CAIRN_LINK_SQRT, "a = √m"},
    {"inverse-square", CAIRN_LINK_INVERSE_SQUARE, "a = 1/m²"},
    {"logit", CAIRN_LINK_LOGIT, "a = ln m/(1-m)"},
    {"probit", CAIRN_LINK_PROBIT, "a = normal quantile of m"},
    {"cloglog", CAIRN_LINK_CLOGLOG, "a = ln(-ln(1-m))"},
    {0},
};

static const cairn_param glm_parameters[] = {
    CAIRN_PARAM_CHOICE(cairn_glm_params, family, "gaussian", cairn_family_choices,
                       "distribution of the target", .often = true),
    CAIRN_PARAM_CHOICE(cairn_glm_params, link, "canonical", cairn_link_choices,
                       "function of the mean that is a sum of terms", .often = true),
    CAIRN_PARAM(cairn_glm_params, theta, "1", "(0,inf)", "size of the negative binomial",
                .when = "family=negative-binomial"),
    CAIRN_PARAM(cairn_glm_params, intercept, "yes", NULL, "fit a constant term", .often = true),
    CAIRN_PARAM(cairn_glm_params, quasi, "no", NULL,
                "estimate the dispersion where the family has 1 (quasi-likelihood)",
                .when = "family=poisson|binomial|negative-binomial"),
    CAIRN_PARAM_AS(cairn_glm_params, offset, CAIRN_TYPE_COLUMNS, NULL,
                   "columns that are added to the score as they are"),
    CAIRN_PARAM_AS(cairn_glm_params, exposure, CAIRN_TYPE_COLUMNS, NULL,
                   "the column whose logarithm is added to the score: time or size that counts "
                   "come from"),
    CAIRN_PARAM_CHOICE(cairn_glm_params, errors, "usual", cairn_errors_choices,
                       "where standard errors come from", .often = true),
    CAIRN_WEIGHTS_ARE(cairn_glm_params, "counts"),
    CAIRN_PARAM(cairn_glm_params, level, "0.95", "(0,1)", "level of the intervals"),
    CAIRN_PARAM(cairn_glm_params, max_iter, "100", "[1,1000]", "most iterations"),
    CAIRN_PARAM_END,
};

typedef struct problem {
    const cairn_job *job;
    cairn_glm_model *model;
    cairn_glm_history *history;
    cairn_row_matrix x;
    cairn_family_rows rows;
    cairn_row_loss loss;
    cairn_scored scored;
    cairn_objective objective;
    cairn_place place;
    cairn_progress progress;
    uint8_t *fixed; /* width */
    double *means;  /* n, once fitted */
    double *raw;    /* weights in own units, the constant last */
    double *inverse;
    double limit; /* half deviance below which nothing is left to fit */
} problem;

/* Whether the expected Hessian is the Hessian itself. */
static bool has_own_link(const cairn_family *family)
{
    return family->kind != CAIRN_NEGATIVE_BINOMIAL &&
           cairn_family_make(family->kind, CAIRN_LINK_USUAL, 1).link == family->link;
}

/* -- the rows -- */

static ptrdiff_t find_term(const cairn_view *view, const char *name)
{
    for (size_t j = 0; j < view->n_features; j++)
        if (strcmp(view->names[j], name) == 0) return (ptrdiff_t)j;
    return -1;
}

static cairn_status need_term(cairn_context *ctx, const cairn_view *view, const char *option,
                              const char *name, int32_t *out)
{
    ptrdiff_t at = find_term(view, name);
    if (at < 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s names '%s', which is no number column among the features", option,
                          name);
    *out = (int32_t)at;
    return CAIRN_OK;
}

/* Which terms are offsets, and which one is the exposure. */
static cairn_status find_offsets(cairn_context *ctx, problem *p)
{
    const cairn_glm_params *params = p->job->params;
    const cairn_view *view = p->job->view;
    cairn_glm_model *m = p->model;
    char **names;
    size_t n;
    m->exposure = -1;
    if (cairn_same(params->offset, "(offset)")) { /* that a formula made */
        CHECK(NEW(ctx, &m->offsets, 1));
        CHECK(need_term(ctx, view, cairn_say(ctx, "{offset}"), params->offset,
                        &m->offsets[m->n_offsets++]));
    } else if (params->offset) {
        CHECK(cairn_list_split(ctx, params->offset, &names, &n));
        CHECK(NEW(ctx, &m->offsets, n));
        for (size_t i = 0; i < n; i++)
            CHECK(need_term(ctx, view, cairn_say(ctx, "{offset}"), names[i],
                            &m->offsets[m->n_offsets++]));
    }
    if (params->exposure)
        CHECK(need_term(ctx, view, cairn_say(ctx, "{exposure}"), params->exposure, &m->exposure));
    return CAIRN_OK;
}

/* Logarithms of the exposure, which must be above 0. */
static cairn_status list_exposures(cairn_context *ctx, problem *p)
{
    const cairn_view *view = p->job->view;
    double *logs;
    if (p->model->exposure < 0) return CAIRN_OK;
    const cairn_column *column = view->features[p->model->exposure];
    CHECK(SCRATCH_RAW(ctx, &logs, view->rows.n + 1));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        double value = column->numbers[row];
        if (!(value > 0 && isfinite(value))) {
            char number[CAIRN_NUMBER_SIZE];
            cairn_number_format(number, value, 6);
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the exposure '%s' is %s in row %zu, but it must be above 0",
                              p->job->view->names[p->model->exposure], number, row + 1);
        }
        logs[i] = cairn_log(value);
    }
    p->rows.offsets = logs;
    return CAIRN_OK;
}

/* A place for the solver with all weights 0 but those of offsets. */
static cairn_status open_place(cairn_context *ctx, problem *p)
{
    size_t n = p->x.width;
    double *raw;
    CHECK(SCRATCH_EACH(ctx, n + 1, &p->place.x, &p->place.gradient));
    CHECK(SCRATCH_RAW(ctx, &p->place.hessian, cairn_product(n, n) + 1));
    CHECK(SCRATCH(ctx, &raw, p->x.n_terms + 1));
    for (size_t i = 0; i < p->model->n_offsets; i++) raw[p->model->offsets[i]] = 1;
    /* the means that the units take out of offsets are put back by the constant, if there is one */
    cairn_matrix_from_raw(&p->x, raw, 1, p->place.x, 1);
    return CAIRN_OK;
}

/* The weights of offsets and of the exposure are fixed, and never fitted. */
static cairn_status open_problem(cairn_context *ctx, problem *p)
{
    const cairn_glm_params *params = p->job->params;
    cairn_family family = cairn_family_make((cairn_family_kind)params->family,
                                            (cairn_mean_link)params->link, params->theta);
    size_t n_terms = p->job->view->n_features;
    cairn_matrix_options options = {
        .ones = params->intercept, .buffer = cairn_scored_buffer(1), .scores = 1};
    if (p->job->task == CAIRN_CLASSIFY && p->job->n_classes != 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "glm tells two classes apart, and '%s' has %zu; logistic takes any "
                          "number of them, one-vs-rest makes many of two",
                          p->job->view->target_name, p->job->n_classes);
    if (n_terms > MOST_TERMS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "glm takes at most %d terms, not %zu; leave columns "
                          "out with {ignore}",
                          MOST_TERMS, n_terms);
    options.units = params->intercept ? CAIRN_UNITS_SHIFTED : CAIRN_UNITS_SCALED;
    options.sum_size = cairn_scored_sum(n_terms + 1, 1);
    p->model->family = family;
    CHECK(cairn_family_rows_open(ctx, &p->rows, family, p->job->view, p->job->positive));
    CHECK(cairn_matrix_open(ctx, &p->x, p->job->view, &options));
    p->x.weighted = false; /* the loss weighs the rows */
    CHECK(find_offsets(ctx, p));
    CHECK(list_exposures(ctx, p));
    CHECK(SCRATCH(ctx, &p->fixed, p->x.width + 1));
    for (size_t i = 0; i < p->model->n_offsets; i++) p->fixed[p->model->offsets[i]] = 1;
    if (p->model->exposure >= 0) p->fixed[p->model->exposure] = 1;
    return open_place(ctx, p);
}

/* -- the start -- */

/* Terms that those before them determine, the constant first: what is left of their square after
 * the others are taken out is rounding. They keep the weight 0. */
static cairn_status find_aliased(cairn_context *ctx, problem *p, const double *gram, bool *found)
{
    size_t n = p->x.width, ones = p->x.ones ? p->x.n_terms : n;
    double *a, *first;
    size_t *order;
    CHECK(SCRATCH_RAW(ctx, &a, cairn_product(n, n) + 1));
    CHECK(SCRATCH_EACH(ctx, n + 1, &first, &order));
    *found = false;
    memcpy(a, gram, n * n * sizeof *a);
    for (size_t i = 0, at = 0; i < n; i++) order[i] = ones < n && i == 0 ? ones : at++;
    for (size_t j = 0; j < n; j++) first[j] = a[j * (n + 1)];
    for (size_t i = 0; i < n; i++) {
        size_t j = order[i];
        if (p->fixed[j]) continue;
        double left = a[j * (n + 1)];
        if (!(left > 1e-13 * first[j])) {
            *found = true;
            p->fixed[j] = 1;
            if (j < p->x.n_terms) p->history->aliased[j] = 1;
            continue;
        }
        for (size_t s = i + 1; s < n; s++) {
            size_t k = order[s];
            double factor = a[k * n + j] / left;
            for (size_t l = 0; l < n; l++) a[k * n + l] -= factor * a[j * n + l];
        }
    }
    return CAIRN_OK;
}

/* Value, gradient and Hessian here, without the terms that others determine if these are asked
 * for. */
static cairn_status look(cairn_context *ctx, problem *p, const cairn_objective *f, bool find)
{
    cairn_place *at = &p->place;
    bool found;
    CHECK(f->look(ctx, f->data, at->x, &at->value, at->gradient, at->hessian));
    if (!find || !isfinite(at->value)) return CAIRN_OK;
    CHECK(find_aliased(ctx, p, at->hessian, &found));
    return found ? look(ctx, p, f, false) : CAIRN_OK;
}

/* The minimum of the quadratic function of the first step; place->x is it. */
static cairn_status first_step(cairn_context *ctx, problem *p, bool find)
{
    cairn_row_loss loss = cairn_family_start_loss(&p->rows);
    cairn_scored scored;
    cairn_objective objective;
    cairn_progress progress = {.most = 1};
    CHECK(cairn_scored_open(ctx, &scored, &objective, &p->x, &loss));
    scored.fixed = p->fixed;
    CHECK(look(ctx, p, &objective, find));
    if (!isfinite(p->place.value)) {
        return cairn_matrix_refuse(ctx, &p->x,
                                   cairn_say(ctx, "sums over the rows are beyond all numbers (the "
                                                  "largest number is %s); bring the columns to one "
                                                  "scale ({scale standardise})"));
    }
    return objective.n ? cairn_newton(ctx, &objective, &p->place, &progress, NULL, 0, false)
                       : CAIRN_OK;
}

/* Only a constant: the score of the mean value, which every family can have. */
static void start_at_mean(problem *p)
{
    double mean = cairn_dot(p->rows.weights, p->rows.values, p->x.n) / p->rows.total;
    for (size_t j = 0; j < p->x.n_terms; j++)
        if (!p->fixed[j]) p->place.x[j] = 0;
    if (p->x.ones) p->place.x[p->x.n_terms] = cairn_link_score(p->rows.family.link, mean);
}

static cairn_status open_loss(cairn_context *ctx, problem *p)
{
    p->loss = cairn_family_row_loss(&p->rows);
    CHECK(cairn_scored_open(ctx, &p->scored, &p->objective, &p->x, &p->loss));
    p->scored.fixed = p->fixed;
    return CAIRN_OK;
}

/* Weights from which the deviance is a number, from here or from the constant alone. */
static cairn_status start(cairn_context *ctx, problem *p, bool find)
{
    CHECK(open_loss(ctx, p));
    CHECK(look(ctx, p, &p->objective, find));
    if (isfinite(p->place.value)) return CAIRN_OK;
    start_at_mean(p);
    CHECK(look(ctx, p, &p->objective, find));
    if (isfinite(p->place.value)) return CAIRN_OK;
    CHECK(cairn_matrix_refuse(ctx, &p->x,
                              cairn_say(ctx, "no weights were found for which every row has a "
                                             "mean that the family can have (the largest number "
                                             "is %s); another {link}, such as log, has no such "
                                             "limits")));
    return CAIRN_OK;
}

/* Deviances that fall towards 0, as those of separated shares do, end the iteration. */
static cairn_status watch(cairn_context *ctx, void *data, const double *change, bool *stop)
{
    problem *p = data;
    CHECK(cairn_glm_show_iteration(ctx, p->job, &p->x, p->place.x, 2 * p->place.value,
                                   p->progress.iterations));
    (void)change;
    *stop = p->place.value <= p->limit;
    return CAIRN_OK;
}

/* With `rough`, a last step of which the deviance could not tell is made without another look. */
static cairn_status minimise(cairn_context *ctx, problem *p, const cairn_watch *watching,
                             bool rough)
{
    return p->objective.n
               ? cairn_newton(ctx, &p->objective, &p->place, &p->progress, watching, 0, rough)
               : cairn_progress_start(ctx, &p->progress, p->place.value);
}

/* Fisher scoring with a link that is not the family's own comes nearer by a factor at a step, not
 * by squares: a few more steps, of which the deviance cannot tell, bring the last digits. */
static cairn_status polish(cairn_context *ctx, problem *p)
{
    /* where every row is fitted exactly, the deviance is rounding of the values that it compares */
    double size = 0, *before;
    for (size_t i = 0; i < p->x.n; i++) size += p->rows.weights[i] * fabs(p->rows.values[i]);
    bool exact = p->rows.family.kind == CAIRN_POISSON && p->place.value <= 1e-9 * size;
    cairn_progress more = {.most = 1, .tolerance = 1e-14, .size = exact ? size : 0};
    if (!p->objective.n || !(p->progress.converged || exact)) return CAIRN_OK;
    if (has_own_link(&p->rows.family) && !exact) return CAIRN_OK;
    size_t bytes = p->objective.n * sizeof(double);
    CHECK(SCRATCH_RAW(ctx, &before, p->objective.n + 1));
    /* of a count of 0 scoring halves the root at each step, as its curvature is half of what is
     * expected */
    for (size_t round = 0; round < (exact ? MOST_EXACT : MOST_POLISH); round++) {
        double value = p->place.value;
        memcpy(before, p->place.x, bytes);
        CHECK(cairn_newton(ctx, &p->objective, &p->place, &more, NULL, 0, true));
        CHECK(look(ctx, p, &p->objective, false));
        if (!(p->place.value <= value + 1e-12 * fmax(value, more.size))) {
            memcpy(p->place.x, before, bytes); /* weights that grow for ever lead anywhere */
            CHECK(look(ctx, p, &p->objective, false));
            break;
        }
        if (more.expected <= fmax(1e-24 * fabs(p->place.value), 1e-32 * more.size)) break;
    }
    p->progress.converged = p->progress.converged || more.expected <= DBL_EPSILON * size;
    return CAIRN_OK;
}

/* One row in SAMPLE_SHARE, in short runs, fitted loosely: its answer is a start for all rows, which
 * decide for themselves which terms others determine. */
static cairn_status start_from_sample(cairn_context *ctx, problem *p, bool *done)
{
    SCOPED_SCRATCH(ctx);
    size_t n = 0, most = p->x.n / SAMPLE_SHARE + SAMPLE_RUN, width = p->x.width;
    problem part = *p;
    cairn_glm_history loose = {0};
    cairn_view view;
    uint32_t *rows;
    double *values, *weights, *offsets = NULL, *constants = NULL, total = 0;
    *done = false;
    if (p->x.n < SAMPLE_FROM || p->x.n < 32 * SAMPLE_SHARE * width) return CAIRN_OK;
    CHECK(SCRATCH_RAW_EACH(ctx, most, &rows, &values, &weights));
    if (p->rows.offsets) CHECK(SCRATCH_RAW(ctx, &offsets, most));
    if (p->rows.constants) CHECK(SCRATCH_RAW(ctx, &constants, most));
    for (size_t first = 0; first + SAMPLE_RUN <= p->x.n; first += SAMPLE_RUN * SAMPLE_SHARE)
        for (size_t i = first; i < first + SAMPLE_RUN; i++, n++) {
            rows[n] = (uint32_t)cairn_view_row(p->x.view, i);
            values[n] = p->rows.values[i];
            total += weights[n] = p->rows.weights[i];
            if (offsets) offsets[n] = p->rows.offsets[i];
            if (constants) constants[n] = p->rows.constants[i];
        }
    part.rows =
        (cairn_family_rows){p->rows.family, values, weights, offsets, constants, total, NULL};
    part.progress = (cairn_progress){.most = 25, .tolerance = 1e-4};
    part.history = &loose;
    CHECK(SCRATCH(ctx, &loose.aliased, p->x.n_terms + 1));
    CHECK(SCRATCH_RAW(ctx, &part.fixed, width + 1));
    memcpy(part.fixed, p->fixed, width);
    CHECK(cairn_matrix_part(ctx, &part.x, &view, &p->x, rows, n));
    CHECK(first_step(ctx, &part, true));
    CHECK(start(ctx, &part, false));
    CHECK(minimise(ctx, &part, NULL, true));
    *done = isfinite(part.place.value);
    return CAIRN_OK;
}

/* -- the fit -- */

/* Half the deviance of a piece whose rows all have the score of the constant. */
static void constant_piece(void *data, const cairn_piece *piece, double *sums)
{
    const problem *p = data;
    size_t n = piece->n;
    double *scores = piece->buffer, *kept = scores + n, *slopes = kept + n;
    for (size_t i = 0; i < n; i++) scores[i] = p->place.x[p->x.n_terms];
    p->loss.rows(p->loss.data, piece->first, n, scores, 1, kept, slopes, sums);
}

/* The deviance of the constant alone (with offsets), or of no term at all. */
static cairn_status fit_null(cairn_context *ctx, problem *p)
{
    SCOPED_SCRATCH(ctx);
    problem null = *p;
    size_t n = p->x.width;
    bool offsets = p->model->n_offsets || p->model->exposure >= 0;
    cairn_row_sum sum = {.piece = constant_piece, .data = &null, .size = 1, .unread = true};
    null.rows.means = NULL;
    CHECK(SCRATCH(ctx, &null.fixed, n + 1));
    memset(null.fixed, 1, n);
    if (p->x.ones) null.fixed[p->x.n_terms] = 0;
    CHECK(open_place(ctx, &null));
    if (p->x.ones && !offsets) {
        start_at_mean(&null);
        CHECK(open_loss(ctx, &null));
        CHECK(cairn_matrix_sum(ctx, &p->x, &sum, &p->history->null_deviance));
        p->history->null_deviance *= 2;
        return CAIRN_OK;
    }
    null.progress = (cairn_progress){.most = 100, .tolerance = 1e-14};
    if (p->x.ones) CHECK(first_step(ctx, &null, false));
    CHECK(open_loss(ctx, &null));
    CHECK(look(ctx, &null, &null.objective, false));
    if (p->x.ones && isfinite(null.place.value)) CHECK(minimise(ctx, &null, NULL, false));
    p->history->null_deviance = isfinite(null.place.value) ? 2 * null.place.value : NAN;
    return CAIRN_OK;
}

/* Squared Pearson residuals of a piece, and what -2 log-likelihoods have beyond the deviance where
 * that is known of counts, else the whole of them. */
static void statistic_piece(void *data, const cairn_piece *piece, double *sums)
{
    const problem *p = data;
    const cairn_family_rows *rows = &p->rows;
    double dispersion = p->history->deviance / p->history->total;
    for (size_t at = piece->first; at < piece->first + piece->n; at++) {
        double w = rows->weights[at], y = rows->values[at], mean = p->means[at];
        if (w == 0) continue;
        sums[0] += w * (y - mean) * (y - mean) / cairn_family_variance(&rows->family, mean);
        sums[1] += w * (rows->constants ? 2 * (cairn_log_factorial(y) - rows->constants[at])
                                        : cairn_family_loss(&rows->family, y, mean, dispersion));
    }
}

/* -- the covariance -- */

/* The inverse of the Hessian of the free weights, zeros elsewhere; NaN where it has none. */
static cairn_status invert(cairn_context *ctx, problem *p)
{
    size_t n = p->x.width, pivot;
    double condition = 1;
    CHECK(SCRATCH_RAW(ctx, &p->inverse, cairn_product(n, n) + 1));
    if (n) {
        memcpy(p->inverse, p->place.hessian, n * n * sizeof *p->inverse);
        CHECK(cairn_cholesky(ctx, p->inverse, n, &condition, &pivot));
        if (condition > 0) CHECK(cairn_cholesky_inverse(ctx, p->inverse, n));
    }
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < n; k++)
            p->inverse[j * n + k] = p->fixed[j] || p->fixed[k] ? 0
                                    : condition > 0            ? p->inverse[j * n + k]
                                                               : NAN;
    return CAIRN_OK;
}

/* Slopes and curvatures of the rows, each of weight 1. */
static cairn_status row_slopes(cairn_context *ctx, problem *p, cairn_row_slopes *out)
{
    double *slopes, *curves, slope;
    CHECK(SCRATCH_RAW_EACH(ctx, p->x.n + 1, &slopes, &curves));
    for (size_t i = 0; i < p->x.n; i++) {
        double mean = p->means[i], variance = cairn_family_variance(&p->rows.family, mean);
        (void)cairn_link_mean(p->rows.family.link, cairn_link_score(p->rows.family.link, mean),
                              &slope);
        slopes[i] = (mean - p->rows.values[i]) * slope / variance;
        curves[i] = slope * slope / variance;
    }
    *out = (cairn_row_slopes){
        &p->x, slopes, curves, p->rows.weights, p->inverse, p->history->total, p->history->rank};
    return CAIRN_OK;
}

/* The dispersion scales the usual covariance only: other errors take the spread from the
 * residuals. */
static cairn_status keep_covariance(cairn_context *ctx, problem *p)
{
    const cairn_glm_params *params = p->job->params;
    cairn_glm_model *m = p->model;
    size_t n = p->x.width, all = p->x.n_terms + 1;
    double *used = p->inverse;
    CHECK(NEW(ctx, &m->covariance, cairn_product(all, all)));
    CHECK(invert(ctx, p));
    used = p->inverse;
    if (params->errors != CAIRN_ERRORS_USUAL) {
        cairn_row_slopes rows;
        CHECK(row_slopes(ctx, p, &rows));
        CHECK(SCRATCH_RAW(ctx, &used, cairn_product(n, n) + 1));
        CHECK(cairn_sandwich(ctx, &rows, (cairn_error_kind)params->errors, used,
                             &p->history->n_groups));
    }
    CHECK(cairn_raw_covariance(ctx, &p->x, used, m->covariance));
    double factor = params->errors == CAIRN_ERRORS_USUAL ? m->dispersion : 1;
    for (size_t j = 0; j < all * all; j++) m->covariance[j] *= factor;
    return CAIRN_OK;
}

/* What the fit says of the rows, and the dispersion. */
static cairn_status keep_statistics(cairn_context *ctx, problem *p)
{
    const cairn_glm_params *params = p->job->params;
    cairn_glm_history *a = p->history;
    cairn_glm_model *m = p->model;
    a->total = cairn_weights_observations(p->job->view, params->weights_are);
    for (size_t i = 0; i < p->x.n; i++) a->n_rows += p->rows.weights[i] > 0;
    for (size_t j = 0; j < p->x.width; j++) a->rank += !p->fixed[j];
    a->deviance = fmax(0, 2 * p->place.value);
    a->null_df = a->total - (p->x.ones ? 1 : 0);
    cairn_row_sum sum = {.piece = statistic_piece, .data = p, .size = 2, .unread = true};
    double sums[2];
    p->means = p->rows.means;
    CHECK(cairn_matrix_sum(ctx, &p->x, &sum, sums));
    bool estimated = cairn_family_has_dispersion(p->rows.family.kind);
    a->pearson = sums[0];
    a->aic = sums[1] + (p->rows.constants ? a->deviance : 0) + 2 * a->rank + (estimated ? 2 : 0);
    if (estimated && !(a->total > a->rank)) a->aic = NAN; /* the likelihood has no limit */
    /* Every step-th row for the pictures, and the quartiles of these. */
    cairn_glm_history *history = p->history;
    size_t n = p->x.n, step = n / CAIRN_GLM_SAMPLE + (n % CAIRN_GLM_SAMPLE != 0);
    double *sorted;
    history->n_sample = (n + step - 1) / step;
    CHECK(NEW_EACH(ctx, history->n_sample, &history->fitted, &history->residuals));
    CHECK(SCRATCH_RAW(ctx, &sorted, history->n_sample + 1));
    for (size_t i = 0; i < history->n_sample; i++) {
        history->fitted[i] = p->means[i * step];
        double value = p->rows.values[i * step];
        double mean = p->means[i * step];
        double deviance = fmax(0, cairn_family_deviance(&p->rows.family, value, mean));
        history->residuals[i] = value >= mean ? sqrt(deviance) : -sqrt(deviance);
        sorted[i] = history->residuals[i];
    }
    qsort(sorted, history->n_sample, sizeof *sorted, cairn_by_number);
    for (size_t q = 0; q < CAIRN_GLM_QUARTILES; q++) {
        double at = (double)q / 4 * (double)(history->n_sample - 1);
        size_t low = (size_t)at, high = low + (low + 1 < history->n_sample);
        history->quartiles[q] = sorted[low] + (at - (double)low) * (sorted[high] - sorted[low]);
    }
    bool known = !cairn_family_has_dispersion(m->family.kind) && !params->quasi;
    double df = a->total - a->rank;
    m->df = known ? INFINITY : df;
    m->dispersion = known ? 1 : df > 0 ? a->pearson / df : NAN;
    CHECK(fit_null(ctx, p));
    return keep_covariance(ctx, p);
}

static cairn_status keep_weights(cairn_context *ctx, problem *p)
{
    cairn_glm_history *a = p->history;
    CHECK(SCRATCH(ctx, &p->raw, p->x.n_terms + 1));
    cairn_matrix_raw(&p->x, p->place.x, 1, 1, p->raw);
    for (size_t i = 0; i < p->model->n_offsets; i++) p->raw[p->model->offsets[i]] = 1;
    for (size_t j = 0; j < p->x.n_terms; j++)
        if (a->aliased[j]) p->raw[j] = 0;
    a->iterations = p->progress.iterations;
    a->converged = p->progress.converged || p->place.value <= 1e-20 * p->limit;
    a->n_values = p->progress.n_values;
    CHECK(NEW(ctx, &a->values, a->n_values + 1));
    for (size_t i = 0; i < a->n_values; i++) a->values[i] = 2 * p->progress.values[i];
    return cairn_weights_keep(ctx, &p->model->weights, p->raw, p->x.n_terms, p->x.ones);
}

/* Nothing is left to gain where the mean of the half deviance is that small. */
static void set_limit(problem *p)
{
    bool share = p->rows.family.kind == CAIRN_BINOMIAL;
    p->limit = share ? 1e-10 * p->rows.total : 0;
}

/* Whether a share is fitted to its last digit: weights have grown for ever, since some rows, if not
 * all, are separated from the others. */
static bool has_end(const problem *p)
{
    for (size_t i = 0; i < p->x.n; i++) {
        double mean = p->rows.means[i], rest = fabs(mean - p->rows.values[i]);
        if (p->rows.weights[i] > 0 && fmin(mean, 1 - mean) <= 2 * DBL_EPSILON && rest < 0.5)
            return true;
    }
    return false;
}

/* -- proof -- */

/* Slopes of half the deviance by the score. */
static void proof_rows(const void *data, size_t first, size_t n, const double *scores,
                       double *slopes, double *bends, double *sizes)
{
    const cairn_family_rows *rows = data;
    for (size_t i = 0; i < n; i++) {
        double y = rows->values[first + i], slope, mean;
        double score = scores[i] + (rows->offsets ? rows->offsets[first + i] : 0);
        mean = cairn_link_mean(rows->family.link, score, &slope);
        double turn = slope / cairn_family_variance(&rows->family, mean);
        slopes[i] = (mean - y) * turn;
        bends[i] = slope * turn;
        sizes[i] = (fabs(mean) + fabs(y)) * fabs(turn);
        bool high = mean > 0.5;
        double wrong = high ? 1 - y : y;
        if (rows->family.kind != CAIRN_BINOMIAL || fmin(mean, 1 - mean) > DBL_EPSILON || wrong <= 0)
            continue;
        (void)cairn_link_tail(rows->family.link, high, score, &slope, &bends[i]);
        slopes[i] = wrong * slope;
        sizes[i] = wrong * fabs(slope);
        bends[i] *= wrong;
    }
}

typedef struct curve_work {
    const problem *p;
    const double *theta;
} curve_work;

/* z'hz of rows, h the curvature of half the deviance by the score: differences of its slopes. */
static void curve_piece(void *data, const cairn_piece *piece, double *sums)
{
    const curve_work *w = data;
    const cairn_family_rows *rows = &w->p->rows;
    double scores[CAIRN_PIECE_ROWS], factors[CAIRN_PIECE_ROWS], below, above, bend, size;
    size_t n = w->p->x.width, first = piece->first;
    cairn_row_dots(scores, piece->z, n, piece->n, n, w->theta, 0);
    for (size_t i = 0; i < piece->n; i++) {
        double step = 1e-5 * (1 + fabs(scores[i])), lower = scores[i] - step;
        double upper = scores[i] + step;
        proof_rows(rows, first + i, 1, &lower, &below, &bend, &size);
        proof_rows(rows, first + i, 1, &upper, &above, &bend, &size);
        double curve = (above - below) / (upper - lower);
        if (!isfinite(curve)) proof_rows(rows, first + i, 1, &scores[i], &below, &curve, &size);
        factors[i] = rows->weights[first + i] * curve;
    }
    cairn_gram_add(sums, NULL, piece->z, n, NULL, factors, piece->n, n);
}

/* With another link than the family's own a place without slope may be a saddle: the curvature is
 * downwards in no direction of the free weights, in columns of the same curvature. */
static cairn_status certify_curvature(cairn_context *ctx, const problem *p)
{
    enum { MOST_WIDTH = 500 };
    SCOPED_SCRATCH(ctx);
    size_t n = p->x.width;
    double *gram, *theta, *values;
    curve_work work = {.p = p};
    cairn_row_sum sum = {.size = cairn_product(n, n), .piece = curve_piece, .data = &work};
    if (has_own_link(&p->rows.family) || !n || n > MOST_WIDTH) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &gram, n * n));
    CHECK(SCRATCH(ctx, &values, n));
    CHECK(SCRATCH(ctx, &theta, n + 1));
    cairn_matrix_from_raw(&p->x, p->raw, 1, theta, 1);
    work.theta = theta;
    CHECK(cairn_matrix_sum(ctx, &p->x, &sum, gram));
    for (size_t j = 0; j < n; j++) {
        double own = p->fixed[j] ? 0 : fabs(gram[j * (n + 1)]);
        values[j] = own > 0 ? 1 / sqrt(own) : 0;
    }
    for (size_t i = 0; i < n * n; i++) gram[i] *= values[i / n] * values[i % n];
    for (size_t i = 0; i < n * n; i++)
        if (!isfinite(gram[i])) return CAIRN_OK; /* beyond all numbers: the slopes tell */
    CHECK(cairn_symmetric_eigen(ctx, values, NULL, gram, n));
    cairn_certify(p->job->certificate, CAIRN_PROOF_CURVATURE,
                  values[0] > 0 ? fmax(0, -values[n - 1]) / values[0] : -values[n - 1], 1e-6);
    return CAIRN_OK;
}

/* The deviance has no slope by any weight that is free. Weights of separated shares grow for
 * ever. */
static cairn_status certify(cairn_context *ctx, const problem *p)
{
    cairn_certificate *c = p->job->certificate;
    cairn_slopes s = {.view = p->job->view, .weights = p->raw, .n_scores = 1};
    if (!c) return CAIRN_OK;
    s.row_weights = p->rows.weights;
    s.constant = p->x.ones && !p->fixed[p->x.n_terms];
    s.fixed = p->fixed;
    s.rows = proof_rows;
    s.data = &p->rows;
    c->limited |= !p->history->converged;
    if (!p->history->converged) c->remedy = "raise {max-iter}";
    if (!p->history->separated) CHECK(certify_curvature(ctx, p));
    return cairn_slopes_certify(ctx, c, CAIRN_PROOF_GRADIENT, &s,
                                p->history->separated ? INFINITY : 1e-6);
}

/* Weights that are precisions are refused with errors other than the usual ones, which take
 * weights as counts. */
static cairn_status fit_both(cairn_context *ctx, problem *p)
{
    const cairn_glm_params *params = p->job->params;
    if (params->weights_are == CAIRN_WEIGHTS_PRECISIONS && p->job->view->row_weights &&
        params->errors != CAIRN_ERRORS_USUAL)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{weights-are precisions} goes with {errors usual}: other errors take "
                          "weights as counts");
    cairn_watch watching = {.data = p, .after = watch};
    bool sampled = false;
    CHECK(open_problem(ctx, p));
    /* with the family's own link the last step squares the error */
    p->progress = (cairn_progress){.what = "Fisher scoring",
                                   .most = (size_t)params->max_iter,
                                   .tolerance = has_own_link(&p->rows.family) ? 1e-11 : 1e-14};
    p->history->n_terms = p->x.n_terms;
    CHECK(NEW(ctx, &p->history->aliased, p->x.n_terms + 1));
    CHECK(start_from_sample(ctx, p, &sampled));
    if (!sampled) CHECK(first_step(ctx, p, true));
    CHECK(SCRATCH_RAW(ctx, &p->rows.means, p->x.n + 1));
    CHECK(start(ctx, p, sampled));
    set_limit(p);
    CHECK(
        cairn_glm_show_start(ctx, p->job, &p->x, p->place.x, 2 * p->place.value, &p->rows.family));
    CHECK(minimise(ctx, p, &watching, sampled));
    CHECK(polish(ctx, p));
    p->history->separated = p->limit > 0 && (p->place.value <= p->limit || has_end(p));
    CHECK(keep_weights(ctx, p));
    CHECK(certify(ctx, p));
    CHECK(keep_statistics(ctx, p));
    return cairn_glm_show_end(ctx, p->job, p->model, p->history, &p->rows, p->means);
}

static void clear_history(void *data)
{
    cairn_glm_history *a = data;
    FREE_EACH(a->aliased, a->values, a->fitted, a->residuals);
    *a = (cairn_glm_history){0};
}

static cairn_status glm_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_glm_history own = {0};
    problem p = {.job = job, .model = model, .history = job->history ? job->history : &own};
    cairn_status status = fit_both(ctx, &p);
    clear_history(&own);
    return status;
}

/* -- keeping -- */

/* A family, a link, an offset or an exposure that does not exist makes the file a damaged one. */
static cairn_status glm_archive(cairn_archive *a, void *model)
{
    cairn_glm_model *m = model;
    CHECK(cairn_weights_archive(a, &m->weights));
    int32_t kind = (int32_t)m->family.kind, link = (int32_t)m->family.link;
    CHECK(cairn_archive_int(a, "family", &kind));
    CHECK(cairn_archive_int(a, "link", &link));
    CHECK(cairn_archive_real(a, "theta", &m->family.theta));
    if (kind < 0 || kind >= CAIRN_FAMILIES || link <= CAIRN_LINK_USUAL || link >= CAIRN_LINKS)
        CHECK(cairn_archive_damaged(a, "there is no family %d with link %d", kind, link));
    m->family.kind = (cairn_family_kind)kind;
    m->family.link = (cairn_mean_link)link;
    CHECK(cairn_archive_size(a, "n_offsets", &m->n_offsets, m->weights.n_terms));
    CHECK(cairn_archive_ints(a, "offsets", &m->offsets, m->n_offsets));
    CHECK(cairn_archive_int(a, "exposure", &m->exposure));
    for (size_t i = 0; i < m->n_offsets; i++)
        if (m->offsets[i] < 0 || (size_t)m->offsets[i] >= m->weights.n_terms)
            CHECK(cairn_archive_damaged(a, "an offset is no term"));
    if (m->exposure < -1 || m->exposure >= (int64_t)m->weights.n_terms)
        CHECK(cairn_archive_damaged(a, "the exposure is no term"));
    CHECK(cairn_archive_real(a, "dispersion", &m->dispersion));
    CHECK(cairn_archive_real(a, "df", &m->df));
    size_t all = m->weights.n_terms + 1;
    return cairn_archive_reals(a, "covariance", &m->covariance, cairn_product(all, all));
}

static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    cairn_glm_history *history = data;
    history->n_terms = ((const cairn_glm_model *)model)->weights.n_terms;
    CHECK(cairn_archive_size(a, "n_rows", &history->n_rows, SIZE_MAX));
    double *const reals[] = {
        &history->total,   &history->rank,    &history->deviance, &history->null_deviance,
        &history->null_df, &history->pearson, &history->aic};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        CHECK(cairn_archive_real(a, "statistic", reals[i]));
    CHECK(cairn_archive_size(a, "iterations", &history->iterations, CAIRN_GLM_MOST_ITERATIONS));
    CHECK(cairn_archive_bool(a, "converged", &history->converged));
    CHECK(cairn_archive_bool(a, "separated", &history->separated));
    CHECK(cairn_archive_bytes(a, "aliased", &history->aliased, history->n_terms));
    CHECK(cairn_archive_size(a, "n_groups", &history->n_groups, SIZE_MAX));
    CHECK(cairn_archive_size(a, "n_history", &history->n_values, CAIRN_GLM_MOST_ITERATIONS + 1));
    CHECK(cairn_archive_reals(a, "history", &history->values, history->n_values));
    for (size_t q = 0; q < CAIRN_GLM_QUARTILES; q++)
        CHECK(cairn_archive_real(a, "quartile", &history->quartiles[q]));
    CHECK(cairn_archive_size(a, "n_sample", &history->n_sample, CAIRN_GLM_SAMPLE));
    CHECK(cairn_archive_reals(a, "fitted", &history->fitted, history->n_sample));
    return cairn_archive_reals(a, "residuals", &history->residuals, history->n_sample);
}

static const cairn_history glm_story = {
    .size = sizeof(cairn_glm_history), .archive = archive_history, .clear = clear_history};

static cairn_status glm_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    return cairn_weights_check(a, &((const cairn_glm_model *)model)->weights, job);
}

static void glm_clear(void *model)
{
    cairn_glm_model *m = model;
    cairn_weights_clear(&m->weights);
    FREE_EACH(m->offsets, m->covariance);
    *m = (cairn_glm_model){0};
}

static cairn_model_size glm_size(const void *model)
{
    return cairn_weights_size(&((const cairn_glm_model *)model)->weights);
}

/* A link must reach the means of the family: shares need one that stays between 0 and 1, or the
 * identity or logarithm, whose weights then have limits. */
static cairn_status check_link(cairn_context *ctx, const void *values)
{
    const cairn_glm_params *p = values;
    bool shares = p->link >= CAIRN_LINK_LOGIT;
    if (shares && p->family != CAIRN_BINOMIAL)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "this {link} is for means between 0 and 1, which only {family binomial} "
                          "has; log, identity, inverse, sqrt and inverse-square are for others");
    bool sized = p->link == CAIRN_LINK_INVERSE || p->link == CAIRN_LINK_SQRT ||
                 p->link == CAIRN_LINK_INVERSE_SQUARE;
    if (sized && p->family == CAIRN_BINOMIAL)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{family binomial} takes the {link} logit, probit, cloglog, log or "
                          "identity");
    return CAIRN_OK;
}

/* Classes are shares of 0 and 1. */
static cairn_status glm_tasks(cairn_context *ctx, const void *params, unsigned *out)
{
    (void)ctx;
    bool shares = ((const cairn_glm_params *)params)->family == CAIRN_BINOMIAL;
    *out = CAIRN_REGRESS | (shares ? CAIRN_CLASSIFY : 0);
    return CAIRN_OK;
}

static const cairn_output glm_outputs[] = {
    {"low", "lower end of the interval of the mean"},
    {"high", "upper end of the interval of the mean"},
    {"link", "the linear score"},
    {0},
};

/* Standard errors are the roots of the diagonal of the covariance; a weight that is fixed has
 * none. */
static void write_coefficients(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_glm_model *m = model;
    size_t n = m->weights.n_terms + 1;
    double *errors = NULL;
    cairn_ledger_failed(out, SCRATCH(out->ctx, &errors, n));
    if (!errors) return;
    for (size_t j = 0; j < n; j++) {
        double variance = m->covariance[j * (n + 1)];
        errors[j] = variance > 0 ? sqrt(variance) : NAN;
    }
    cairn_coefficients_begin(out);
    cairn_coefficients_write(out, job,
                             &(cairn_coefficients){.n_terms = n - 1,
                                                   .weights = m->weights.weights,
                                                   .intercept = m->weights.intercept,
                                                   .errors = errors,
                                                   .df = m->df,
                                                   .linked = true});
}

static const cairn_learned glm_tables[] = {CAIRN_COEFFICIENTS(write_coefficients),
                                           CAIRN_LEARNED_END};

const cairn_learner cairn_glm = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "glm",
            .also = "generalized linear model, generalised linear model, Poisson regression, "
                    "gamma regression, probit, complementary log-log, quasi-Poisson, negative "
                    "binomial regression, log-linear model",
            .title = "Generalised linear model",
            .summary =
                "Fits the mean of the target as a function of a constant plus a weighted sum of "
                "the features: counts by --family poisson, positive numbers by gamma or "
                "inverse-gaussian, shares and two classes by binomial, with any of the usual "
                "links. "
                "Reports "
                "deviance, dispersion, AIC, and for each coefficient its standard error (the "
                "model's own, robust HC0 to HC3, or grouped), test and interval. offset(x) in a "
                "--formula, --offset and --exposure add known parts to the score.",
            .references = "Nelder and Wedderburn, Generalized linear models (1972); McCullagh and "
                          "Nelder, Generalized Linear Models (1989)",
            .example = "cairn fit glm @used-cars --formula 'price ~ age + distance' --family gamma "
                       "--link log",
            .params = glm_parameters,
            .params_size = sizeof(cairn_glm_params),
            .check = check_link,
        },
    .tasks = CAIRN_CLASSIFY | CAIRN_REGRESS,
    .tasks_of = glm_tasks,
    .gives_scores = true,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_NO_FEATURES |
               CAIRN_WANTS_REFERENCE | CAIRN_PREFERS_NUMBERS,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_PROBABILISTIC | CAIRN_GRADING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_glm_model),
    .tables = glm_tables,
    .history = &glm_story,
    .outputs = glm_outputs,
    .outputs_in_units = 2,
    .fit = glm_fit,
    .lower = cairn_glm_lower,
    .predict = cairn_glm_predict,
    .describe = cairn_glm_describe,
    .keeps_means = true,
    .explain = cairn_glm_explain,
    .archive = glm_archive,
    .check = glm_check,
    .clear = glm_clear,
    .size = glm_size,
};
