/* SPDX-License-Identifier: MIT */
/* Huber's robust regression: least squares for small residuals, absolute deviations for large ones.
 *
 * Problem: minimise Σ w_i s² ρ((y_i - b - c·x_i)/s) with ρ(u) = u²/2 up to |u| = k and k|u| - k²/2
 * beyond; s is the median size of the residuals over 0.6745, which is the standard deviation of
 * normal ones.
 *
 * Method: iteratively reweighted least squares from the least-squares fit. A row counts
 * min(1, k s/|r|); the new weights solve X'VX d = X'V r, then s is found anew, until both stand
 * still. At the end (the H1 form of Huber 1981, as in rlm of R's MASS)
 *   cov = κ² Σψ²s²/(n-p) / m² (X'X)⁻¹,  κ = 1 + p var(ψ')/(n m²),  m the share of small residuals.
 *
 * Cost: n p²/2 and a sort of the residuals per iteration. Source: Huber, Robust Statistics
 * (1981). */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "learners/linear/tested.h"
#include "parallel/sort.h"
#include "report/table_rows.h"
#include "rows/row_losses.h"
#include "rows/slopes.h"
#include "stats/quantile.h"
#include <math.h>
#include <string.h>

enum { MOST_TERMS = 5000, SHOWN_ROWS = 50 };
static const double NORMAL_MEDIAN = 0.6745; /* of sizes, as rlm rounds it */

typedef struct huber_params {
    double k;
    double deviation;
    bool intercept;
    double level;
    int max_iter;
    int weights_are;
} huber_params;

static const cairn_param huber_parameters[] = {
    CAIRN_PARAM(huber_params, k, "1.345", "(0,inf)",
                "deviations from which a residual counts by its size, not by its square; 1.345 "
                "loses 5 % against least squares when all is normal",
                .often = true),
    CAIRN_PARAM(huber_params, deviation, CAIRN_NOT_GIVEN, "(0,inf)",
                "the deviation s, in units of the target; from the median size of the residuals "
                "if not given"),
    CAIRN_PARAM(huber_params, intercept, "yes", NULL, "fit a constant term"),
    CAIRN_WEIGHTS_ARE(huber_params, "counts"),
    CAIRN_PARAM(huber_params, level, "0.95", "(0,1)", "level of the intervals"),
    CAIRN_PARAM(huber_params, max_iter, "200", "[1,10000]", "most iterations"),
    CAIRN_PARAM_END,
};

typedef struct huber_history {
    cairn_tested tested;
    double deviation, total, n_large;
    size_t iterations;
    bool converged;
} huber_history;

typedef struct problem {
    const cairn_job *job;
    cairn_row_matrix x;
    cairn_squares_loss rows; /* targets and weights */
    double *theta, *residuals, *factors, *sizes;
    double *gram, *moment, *factor;
    double deviation;
    const double *asked; /* of the pass: rows of the gram matrix count by it */
} problem;

static void residual_piece(void *data, const cairn_piece *piece, double *sums)
{
    const problem *p = data;
    (void)sums;
    cairn_row_dots(piece->buffer, piece->z, p->x.width, piece->n, p->x.width, p->theta, 0);
    for (size_t i = 0; i < piece->n; i++)
        p->residuals[piece->first + i] = p->rows.targets[piece->first + i] - piece->buffer[i];
}

static void gram_piece(void *data, const cairn_piece *piece, double *sums)
{
    const problem *p = data;
    size_t n = p->x.width;
    cairn_gram_add(sums, sums + n * n, piece->z, n, p->residuals + piece->first,
                   p->asked + piece->first, piece->n, n);
}

static cairn_status find_residuals(cairn_context *ctx, problem *p)
{
    cairn_row_sum sum = {.piece = residual_piece, .data = p};
    return cairn_matrix_sum(ctx, &p->x, &sum, NULL);
}

/* X'VX, both triangles, and X'Vr. */
static cairn_status find_gram(cairn_context *ctx, problem *p, const double *factors)
{
    size_t n = p->x.width;
    cairn_row_sum sum = {.piece = gram_piece, .data = p, .size = n * n + n};
    p->asked = factors;
    CHECK(cairn_matrix_sum(ctx, &p->x, &sum, p->gram));
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < j; k++) p->gram[j * n + k] = p->gram[k * n + j];
    p->moment = p->gram + n * n;
    return CAIRN_OK;
}

/* The solution of X'VX d = X'Vr, columns brought to one size by powers of two; those that others
 * determine get a little on the diagonal and so share the weight. */
static cairn_status solve(cairn_context *ctx, problem *p)
{
    SCOPED_SCRATCH(ctx);
    size_t n = p->x.width, pivot;
    double condition = 0, *units;
    CHECK(SCRATCH(ctx, &units, n + 1));
    for (size_t j = 0; j < n; j++) {
        double own = p->gram[j * (n + 1)];
        int power = 0;
        if (!isfinite(own)) return cairn_matrix_refuse(ctx, &p->x, NULL);
        if (own > 0) (void)frexp(own, &power);
        units[j] = ldexp(1, -power / 2);
    }
    for (double extra = 0; n && condition == 0; extra = extra == 0 ? 1e-14 : 10 * extra) {
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++)
                p->factor[j * n + k] = p->gram[j * n + k] * units[j] * units[k];
        for (size_t j = 0; j < n; j++)
            p->factor[j * (n + 1)] += extra + (p->gram[j * (n + 1)] == 0);
        CHECK(cairn_cholesky(ctx, p->factor, n, &condition, &pivot));
    }
    for (size_t j = 0; j < n; j++) p->moment[j] *= units[j];
    if (n) CHECK(cairn_cholesky_solve(ctx, p->factor, n, p->moment, 1));
    for (size_t j = 0; j < n; j++) p->moment[j] *= units[j];
    return CAIRN_OK;
}

/* The median size of the residuals by the rows' weights, over that of a normal. */
static cairn_status find_deviation(cairn_context *ctx, problem *p)
{
    SCOPED_SCRATCH(ctx);
    const huber_params *params = p->job->params;
    size_t n = p->x.n;
    uint64_t *order;
    double *sorted, *weights;
    p->deviation = params->deviation;
    if (!isnan(params->deviation)) return CAIRN_OK;
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &order, &sorted, &weights));
    for (size_t i = 0; i < n; i++) p->sizes[i] = fabs(p->residuals[i]);
    CHECK(cairn_sort_order(ctx, order, p->sizes, n));
    for (size_t i = 0; i < n; i++) {
        sorted[i] = p->sizes[order[i]];
        weights[i] = p->rows.weights[order[i]];
    }
    p->deviation =
        cairn_weighted_quantile(sorted, weights, n, 0.5, CAIRN_QUANTILE_AVERAGED) / NORMAL_MEDIAN;
    return CAIRN_OK;
}

/* How much each row counts; returns the weight of those with large residuals. */
static double find_factors(problem *p)
{
    double limit = ((const huber_params *)p->job->params)->k * p->deviation, large = 0;
    for (size_t i = 0; i < p->x.n; i++) {
        double size = fabs(p->residuals[i]);
        p->factors[i] = p->rows.weights[i] * (size <= limit ? 1 : limit / size);
        if (size > limit) large += p->rows.weights[i];
    }
    return large;
}

static cairn_status open_problem(cairn_context *ctx, problem *p)
{
    const huber_params *params = p->job->params;
    size_t n_dense, n;
    cairn_terms_count(p->job->schema, &n_dense, &n);
    if (n > MOST_TERMS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "huber takes at most %d terms, not %zu; leave columns out with {ignore}",
                          MOST_TERMS, n);
    cairn_matrix_options options = {.ones = params->intercept, .buffer = 1, .scores = 1};
    options.units = params->intercept ? CAIRN_UNITS_SHIFTED : CAIRN_UNITS_SCALED;
    options.sum_size = cairn_product(n + 2, n + 2);
    CHECK(cairn_squares_open(ctx, &p->rows, p->job->view, false));
    CHECK(cairn_matrix_open(ctx, &p->x, p->job->view, &options));
    p->x.weighted = false;
    size_t width = p->x.width;
    CHECK(SCRATCH(ctx, &p->theta, width + 1));
    CHECK(SCRATCH_EACH(ctx, p->x.n + 1, &p->residuals, &p->factors, &p->sizes));
    CHECK(SCRATCH(ctx, &p->gram, cairn_product(width, width) + width + 1));
    return SCRATCH(ctx, &p->factor, cairn_product(width, width) + 1);
}

/* One step, and the residuals after it; *change is its size in deviations of the target. */
static cairn_status step(cairn_context *ctx, problem *p, const double *factors, double *change)
{
    double before, most = 0;
    CHECK(find_gram(ctx, p, factors));
    CHECK(solve(ctx, p));
    for (size_t j = 0; j < p->x.width; j++) p->theta[j] += p->moment[j];
    memcpy(p->sizes, p->residuals, p->x.n * sizeof *p->sizes);
    CHECK(find_residuals(ctx, p));
    for (size_t i = 0; i < p->x.n; i++) most = fmax(most, fabs(p->residuals[i] - p->sizes[i]));
    before = p->deviation;
    CHECK(find_deviation(ctx, p));
    *change = fmax(most, fabs(p->deviation - before));
    return CAIRN_OK;
}

static void show_iteration(const problem *p, size_t number, double large)
{
    cairn_report *out = p->job->steps;
    cairn_report_step_begin(out, "Iteration %zu", number);
    cairn_report_worked(out, "s", "median |r| / 0.6745 = #", p->deviation);
    cairn_report_table_of(out, "Rows", SHOWN_ROWS, "rrr", "row", "residual", "counts");
    for (size_t i = 0; i < p->x.n && cairn_report_row_wanted(out); i++) {
        cairn_report_prefix(out, "iteration%zu", number);
        cairn_report_cells(out, "- @.residual.$1:6 @.weight.$1:6", i + 1, p->residuals[i],
                           p->factors[i]);
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "rows with large residuals", large, "iteration%zu.large", number);
    cairn_report_step_end(out);
}

/* Weights and deviation stand still together, or the fit is exact. */
static cairn_status iterate(cairn_context *ctx, problem *p, huber_history *history)
{
    const huber_params *params = p->job->params;
    double change;
    CHECK(find_residuals(ctx, p));
    CHECK(step(ctx, p, p->rows.weights, &change)); /* least squares */
    cairn_report_step_begin(p->job->steps, "The method");
    cairn_report_formula(p->job->steps, "a row counts min(1, k·s/|r|),  XᵀVX d = XᵀVr,  "
                                        "s = median |r| / 0.6745");
    cairn_report_step_end(p->job->steps);
    double size = sqrt(p->rows.spread / p->rows.total);
    while (history->iterations < (size_t)params->max_iter && !history->converged) {
        CHECK(cairn_tick(ctx, "huber", (double)history->iterations, (double)params->max_iter));
        history->n_large = find_factors(p);
        if (p->job->steps) show_iteration(p, history->iterations + 1, history->n_large);
        if (!(p->deviation > 1e-12 * size)) break; /* half of the rows lie on the plane */
        CHECK(step(ctx, p, p->factors, &change));
        history->iterations++;
        history->converged = change <= 1e-11 * p->deviation;
    }
    history->converged |= !(p->deviation > 1e-12 * size);
    history->n_large = find_factors(p);
    history->deviation = p->deviation;
    return CAIRN_OK;
}

/* -- standard errors -- */

/* The errors stay missing without degrees of freedom, without small residuals, or where columns
 * depend on each other; κ corrects for few rows. */
static cairn_status find_errors(cairn_context *ctx, problem *p, huber_history *history)
{
    size_t n = p->x.width, pivot;
    double squares = 0, total = p->rows.total, free = (double)n, condition = 0;
    double m = 1 - history->n_large / total;
    CHECK(cairn_tested_new(ctx, &history->tested, p->x.n_terms));
    double rows = cairn_weights_observations(p->job->view,
                                             ((const huber_params *)p->job->params)->weights_are);
    history->tested.df = rows - free;
    if (!(history->tested.df > 0) || !(m > 0) || !n) return CAIRN_OK;
    for (size_t i = 0; i < p->x.n; i++) {
        double w = p->rows.weights[i], psi = w > 0 ? p->factors[i] / w * p->residuals[i] : 0;
        squares += w * psi * psi;
    }
    double spread = m * (1 - m) * total / (total - 1); /* variance of 0 and 1 */
    double kappa = 1 + free * spread / (total * m * m);
    double variance = squares / history->tested.df * (kappa / m) * (kappa / m);
    CHECK(find_gram(ctx, p, p->rows.weights));
    memcpy(p->factor, p->gram, n * n * sizeof *p->factor);
    CHECK(cairn_cholesky(ctx, p->factor, n, &condition, &pivot));
    if (!(condition > 1e-15)) return CAIRN_OK;
    CHECK(cairn_cholesky_inverse(ctx, p->factor, n));
    for (size_t j = 0; j < n * n; j++) p->factor[j] *= variance;
    return cairn_tested_fill(ctx, &history->tested, &p->x, p->factor);
}

/* -- proof -- */

typedef struct proof {
    const double *targets;
    double *sizes; /* of the residuals */
    double limit, unit;
} proof;

static void proof_rows(const void *data, size_t first, size_t n, const double *scores,
                       double *slopes, double *bends, double *sizes)
{
    const proof *f = data;
    for (size_t i = 0; i < n; i++) {
        double y = f->targets[first + i], r = scores[i] - y;
        f->sizes[first + i] = fabs(r);
        slopes[i] = fmax(-f->limit, fmin(f->limit, r)) * f->unit;
        bends[i] = f->unit;
        sizes[i] = fabs(y) * f->unit;
    }
}

/* The sum of ρ, which bends upwards everywhere, has no slope, and the deviation is that of these
 * residuals. Where half of the rows lie on the plane the deviation is 0 and ρ is flat. */
static cairn_status certify(cairn_context *ctx, problem *p, const huber_history *history,
                            const double *weights)
{
    SCOPED_SCRATCH(ctx);
    const huber_params *params = p->job->params;
    cairn_certificate *c = p->job->certificate;
    double most = 0, size = sqrt(p->rows.spread / p->rows.total), found = p->deviation;
    proof f = {.targets = p->rows.targets, .limit = params->k * found};
    if (!c) return CAIRN_OK;
    for (size_t i = 0; i < p->x.n; i++) most = fmax(most, fabs(p->rows.targets[i]));
    CHECK(SCRATCH(ctx, &f.sizes, p->x.n + 1));
    f.unit = cairn_slopes_unit(most);
    cairn_slopes s = {.view = p->job->view, .weights = weights, .n_scores = 1};
    s.row_weights = p->rows.weights;
    s.constant = params->intercept;
    s.rows = proof_rows;
    s.data = &f;
    c->limited |= !history->converged;
    if (!history->converged) c->remedy = "raise {max-iter}, or give the {deviation}";
    bool flat = !(found > 1e-12 * size);
    CHECK(cairn_slopes_certify(ctx, c, CAIRN_PROOF_GRADIENT, &s, flat ? INFINITY : 1e-6));
    memcpy(p->residuals, f.sizes, p->x.n * sizeof *f.sizes);
    CHECK(find_deviation(ctx, p));
    double change = fabs(p->deviation - found), noise = 1e-10 * (size + most);
    p->deviation = found;
    if (!flat) cairn_certify(c, CAIRN_PROOF_CONDITIONS, change / (found + noise), 1e-6);
    return CAIRN_OK;
}

static cairn_status fit_both(cairn_context *ctx, cairn_weights *model, huber_history *history,
                             const cairn_job *job)
{
    problem p = {.job = job};
    double *raw;
    CHECK(open_problem(ctx, &p));
    CHECK(iterate(ctx, &p, history));
    history->total = p.rows.total;
    CHECK(find_errors(ctx, &p, history));
    CHECK(SCRATCH(ctx, &raw, p.x.n_terms + 1));
    cairn_matrix_raw(&p.x, p.theta, 1, 1, raw);
    CHECK(certify(ctx, &p, history, raw));
    return cairn_weights_keep(ctx, model, raw, p.x.n_terms, p.x.ones);
}

static cairn_status huber_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    huber_history own = {0};
    cairn_status status = fit_both(ctx, model, job->history ? job->history : &own, job);
    cairn_tested_clear(&own.tested);
    return status;
}

/* -- showing and keeping -- */

static void huber_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const huber_history *history = job->history;
    const huber_params *params = job->params;
    cairn_report_heading(out, 2, "Huber regression");
    cairn_tested_show(out, history ? &history->tested : NULL, model, job, params->level);
    if (!history) return;
    cairn_report_value(out, "deviation s", history->deviation, "deviation");
    cairn_report_value(out, "rows", history->total, "rows");
    cairn_weights_show_meaning(out, job, params->weights_are, history->total);
    cairn_report_value(out, "rows with large residuals", history->n_large, "large");
    cairn_report_value(out, "iterations", (double)history->iterations, "iterations");
    cairn_report_hidden_word(out, history->converged ? "yes" : "no", "converged");
    if (!history->converged)
        cairn_report_note(out,
                          "It has not converged within %zu iterations; raise {max-iter}, or give "
                          "the {deviation}.",
                          history->iterations);
}

static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    huber_history *history = data;
    CHECK(cairn_tested_archive(a, &history->tested, model));
    CHECK(cairn_archive_real(a, "deviation", &history->deviation));
    CHECK(cairn_archive_real(a, "total", &history->total));
    CHECK(cairn_archive_real(a, "n_large", &history->n_large));
    CHECK(cairn_archive_size(a, "iterations", &history->iterations, 10000));
    return cairn_archive_bool(a, "converged", &history->converged);
}

static void clear_history(void *data)
{
    cairn_tested_clear(&((huber_history *)data)->tested);
}

static const cairn_history huber_story = {
    .size = sizeof(huber_history), .archive = archive_history, .clear = clear_history};

const cairn_learner cairn_huber = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "huber",
            .also = "robust regression, Huber loss, M-estimation, rlm, outlier-resistant "
                    "regression, HuberRegressor",
            .title = "Huber's robust regression",
            .summary =
                "Fits the target as a constant plus a weighted sum of the features; residuals "
                "count by their squares while they are small and by their sizes beyond k "
                "deviations, so that single wild values move the plane little. The deviation "
                "comes from the median size of the residuals.",
            .references = "Huber, Robust Statistics (1981); Venables and Ripley, Modern Applied "
                          "Statistics with S (2002)",
            .example = "cairn fit huber @used-cars --target price",
            .params = huber_parameters,
            .params_size = sizeof(huber_params),
        },
    .tasks = CAIRN_REGRESS,
    .space = "k=1,1.345,2,3",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_NO_FEATURES |
               CAIRN_WANTS_REFERENCE,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER | CAIRN_CLAIM_COLUMN_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING,
    CAIRN_WEIGHTS_RECORD,
    .tables = cairn_tested_tables,
    .history = &huber_story,
    .fit = huber_fit,
    .describe = huber_describe,
};
