/* SPDX-License-Identifier: MIT */
/* The path of weights over the strength of the penalty, and the strength by cross-validation.
 *
 * The strengths fall by equal factors from one that leaves (almost) no weight: the largest slope of
 * the loss at the model of shares alone, over the L1 part of the penalty, which counts as at least
 * a hundredth. Each is solved from the weights before. The folds of cross-validation run side by
 * side, each with the whole path, and the cross-entropy of the held-out rows is averaged. */
#include "base/functions.h"
#include "base/memory.h"
#include "learners/linear/logistic_path.h"
#include "learners/linear/path_figures.h"
#include "parallel/parallel.h"
#include "resample/resample.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CV_STRENGTHS = 30, MOST_KEPT = 1 << 22 };

typedef struct path {
    const cairn_logistic_plan *plan;
    const cairn_logistic_params *params;
    cairn_logistic_solver solver;
    double mix;
    const cairn_job *job;
    size_t n;
    double *strengths; /* n */
    size_t n_folds;
    int32_t *folds;  /* fold of each row of the view */
    double *held;    /* n_folds x n: loss of held-out rows */
    double *weights; /* n_folds: their weight */
} path;

/* The largest slope at the model that knows the shares only, in the columns' own units. */
static cairn_status largest_slope(cairn_context *ctx, const cairn_logistic_data *d, double *out)
{
    size_t m = d->n_vectors, *terms;
    double *slopes, *values;
    CHECK(SCRATCH(ctx, &slopes, (d->x.n_terms + 1) * m));
    CHECK(SCRATCH(ctx, &terms, d->x.n_terms + 1));
    CHECK(SCRATCH(ctx, &values, d->x.n_terms + 1));
    for (size_t i = 0; i < d->x.n; i++) {
        size_t n = cairn_logistic_entries(d, i, terms, values);
        for (size_t k = 0; k < m; k++) {
            double share = d->x.ones ? d->class_totals[k] / d->total : 1 / (double)d->n_classes;
            double r = d->weights[i] * (share - ((size_t)d->answers[i] == k));
            for (size_t e = 0; e < n; e++) slopes[terms[e] * m + k] += r * values[e];
        }
    }
    *out = 0;
    for (size_t j = 0; j < d->x.n_terms * m; j++) *out = fmax(*out, fabs(slopes[j]));
    return CAIRN_OK;
}

static cairn_status solve_at(cairn_context *ctx, cairn_logistic_fit *fit, const path *p, double at)
{
    cairn_logistic_set_penalty(fit, at * (1 - p->mix), at * p->mix);
    return p->solver == CAIRN_LOGISTIC_CG ? cairn_logistic_cg(ctx, fit)
                                          : cairn_logistic_newton(ctx, fit);
}

/* Loss and weight of the rows of a fold under weights w. */
static cairn_status held_out_loss(cairn_context *ctx, const cairn_logistic_data *d, const path *p,
                                  size_t fold, const double *w, double *loss, double *weight)
{
    size_t m = d->n_vectors, *terms;
    SCOPED_SCRATCH(ctx);
    double *values, *scores, margin;
    CHECK(SCRATCH(ctx, &terms, d->x.n_terms + 1));
    CHECK(SCRATCH(ctx, &values, d->x.n_terms + 1));
    CHECK(SCRATCH(ctx, &scores, m + 1));
    *loss = *weight = 0;
    for (size_t i = 0; i < d->x.n; i++) {
        if (p->folds[i] != (int32_t)fold || d->weights[i] == 0) continue;
        size_t n = cairn_logistic_entries(d, i, terms, values);
        memset(scores, 0, m * sizeof *scores);
        for (size_t e = 0; e < n; e++)
            for (size_t k = 0; k < m; k++) scores[k] += values[e] * w[terms[e] * m + k];
        *weight += d->weights[i];
        *loss +=
            d->weights[i] * cairn_softmax(scores, m, d->pinned, (size_t)d->answers[i], &margin);
    }
    return CAIRN_OK;
}

/* One fold: the whole path on the other rows. */
static cairn_status run_fold(cairn_context *ctx, void *data, size_t fold)
{
    path *p = data;
    SCOPED_SCRATCH(ctx);
    cairn_view view = *p->job->view;
    cairn_logistic_data all, d;
    cairn_logistic_fit fit;
    double *w, *weights;
    uint32_t *rows;
    size_t n = 0;
    cairn_logistic_plan whole = *p->plan;
    whole.sparse = false;
    CHECK(cairn_logistic_data_make(ctx, &all, p->job->view, &whole));
    CHECK(SCRATCH_RAW(ctx, &rows, all.x.n + 1));
    CHECK(SCRATCH_RAW(ctx, &weights, all.x.n + 1));
    for (size_t i = 0; i < all.x.n; i++) {
        if (p->folds[i] == (int32_t)fold) continue;
        weights[n] = view.rows.weights ? view.rows.weights[i] : 1;
        rows[n++] = (uint32_t)cairn_view_row(p->job->view, i);
    }
    view.rows = (cairn_rows){.indices = rows, .n = n, .weights = weights};
    CHECK(cairn_logistic_data_make(ctx, &d, &view, p->plan));
    CHECK(cairn_logistic_fit_make(ctx, &fit, &d, p->params->max_iter));
    fit.progress.tolerance = p->solver == CAIRN_LOGISTIC_CG ? 1e-7 : 1e-10;
    CHECK(SCRATCH(ctx, &w, (d.x.n_terms + 1) * d.n_vectors));
    for (size_t i = 0; i < p->n; i++) {
        CHECK(solve_at(ctx, &fit, p, p->strengths[i]));
        cairn_logistic_raw(&fit, fit.place.x, w);
        CHECK(held_out_loss(ctx, &all, p, fold, w, &p->held[fold * p->n + i], &p->weights[fold]));
    }
    return CAIRN_OK;
}

/* The folds of a cross-validation of these rows: classes in equal shares, groups together. */
static cairn_status deal_folds(cairn_context *ctx, path *p, const cairn_logistic_data *d)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_plan plan;
    char by[32];
    p->n_folds = (size_t)p->params->folds;
    if (d->x.n < p->n_folds)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "{folds %zu}: there are only %zu rows", p->n_folds,
                          d->x.n);
    snprintf(by, sizeof by, "cv:%zu", p->n_folds);
    CHECK(SCRATCH(ctx, &p->folds, d->x.n + 1));
    CHECK(SCRATCH(ctx, &p->held, p->n_folds * p->n));
    CHECK(SCRATCH(ctx, &p->weights, p->n_folds));
    CHECK(cairn_table_share(ctx, &table, p->job->view->table));
    CHECK(cairn_plan_view(ctx, &plan, p->job->view, table, by));
    for (size_t i = 0; i < plan.n; i++) p->folds[plan.rows[i]] = plan.folds[i];
    return CAIRN_OK;
}

/* Mean loss of held-out rows per strength, its standard error over the folds, and the choice. */
static cairn_status judge(cairn_context *ctx, cairn_logistic_account *account, const path *p)
{
    cairn_held held = {.n_folds = p->n_folds, .n = p->n, .losses = p->held, .weights = p->weights};
    CHECK(NEW(ctx, &account->path_held, p->n));
    CHECK(NEW(ctx, &account->path_errors, p->n));
    account->chosen = cairn_strengths_choose(&held, p->params->choose != 0, account->path_held,
                                             account->path_errors);
    return CAIRN_OK;
}

/* The weights that are largest at the end of the path, in scaled columns. */
static cairn_status choose_traced(cairn_context *ctx, cairn_logistic_account *account,
                                  const cairn_logistic_fit *fit)
{
    const cairn_logistic_data *d = fit->data;
    size_t m = d->n_vectors;
    double *sizes;
    CHECK(NEW(ctx, &account->traced, CAIRN_PATH_LINES));
    CHECK(SCRATCH(ctx, &sizes, d->x.n_terms * m + 1));
    for (size_t t = 0; t < d->x.n_terms; t++)
        for (size_t k = 0; k < m; k++) sizes[t * m + k] = fabs(fit->place.x[t * d->stride + k]);
    account->n_traced = cairn_path_largest(sizes, d->x.n_terms * m, account->traced);
    return CAIRN_OK;
}

/* The path on all rows. */
static cairn_status trace(cairn_context *ctx, cairn_logistic_account *account, const path *p,
                          cairn_logistic_data *d)
{
    size_t size = cairn_product(d->x.n_terms + 1, d->n_vectors), kept = cairn_product(size, p->n);
    cairn_logistic_fit fit;
    double *w;
    bool all = kept <= MOST_KEPT;
    CHECK(NEW(ctx, &account->path_losses, p->n));
    CHECK(NEW(ctx, &account->path_sizes, p->n));
    CHECK(SCRATCH(ctx, &w, all ? kept : size));
    CHECK(cairn_logistic_fit_make(ctx, &fit, d, p->params->max_iter));
    fit.progress.tolerance = p->solver == CAIRN_LOGISTIC_CG ? 1e-7 : 1e-12;
    for (size_t i = 0; i < p->n; i++) {
        double *here = all ? w + i * size : w;
        CHECK(solve_at(ctx, &fit, p, p->strengths[i]));
        cairn_logistic_raw(&fit, fit.place.x, here);
        account->path_losses[i] = fit.scored.sum;
        for (size_t j = 0; j < d->x.n_terms * d->n_vectors; j++)
            account->path_sizes[i] += here[j] != 0;
    }
    if (!all) return CAIRN_OK;
    CHECK(choose_traced(ctx, account, &fit));
    CHECK(NEW(ctx, &account->traces, p->n * account->n_traced));
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < account->n_traced; j++)
            account->traces[i * account->n_traced + j] = w[i * size + (size_t)account->traced[j]];
    return CAIRN_OK;
}

cairn_status cairn_logistic_path(cairn_context *ctx, cairn_logistic_account *account,
                                 const cairn_logistic_plan *plan, cairn_logistic_solver solver,
                                 double mix, const cairn_job *job, double *strength)
{
    const cairn_logistic_params *params = job->params;
    path p = {.plan = plan, .params = params, .solver = solver, .mix = mix, .job = job};
    SCOPED_SCRATCH(ctx);
    cairn_logistic_data d;
    double first;
    bool held = cairn_same(params->strength, "cv");
    CHECK(cairn_logistic_data_make(ctx, &d, job->view, plan));
    CHECK(largest_slope(ctx, &d, &first));
    if (!isfinite(first)) CHECK(cairn_logistic_check_finite(ctx, &d));
    if (first == 0) first = 1;
    first *= (1 + 1e-9) / fmax(mix, 0.01); /* rounding must not let a weight in */
    p.n = params->path ? (size_t)params->path : CV_STRENGTHS;
    CHECK(cairn_strengths(ctx, cairn_say(ctx, "{path}"), NULL, first, params->path_ratio, p.n,
                          &p.strengths, &p.n));
    CHECK(NEW(ctx, &account->path_strengths, p.n));
    memcpy(account->path_strengths, p.strengths, p.n * sizeof *p.strengths);
    account->n_path = account->chosen = p.n;
    CHECK(trace(ctx, account, &p, &d));
    if (!held) return CAIRN_OK;
    CHECK(deal_folds(ctx, &p, &d));
    CHECK(cairn_tasks(ctx, p.n_folds, run_fold, &p));
    CHECK(judge(ctx, account, &p));
    *strength = account->path_strengths[account->chosen];
    return CAIRN_OK;
}
