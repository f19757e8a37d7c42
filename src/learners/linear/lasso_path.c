/* SPDX-License-Identifier: MIT */
/* The path of coefficients over the strength of the penalty, and the strength by cross-validation,
 * from products of columns alone: the rows are read once. What a model learned from all folds but
 * one needs is the sum of their products; its squared error on that fold is a quadratic form of the
 * fold's products. */
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "learners/linear/lasso.h"
#include "learners/linear/linear.h"
#include "parallel/parallel.h"
#include "rows/fold_grams.h"
#include "solve/solvers.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_TERMS = 2000,
    MOST_GRAMS = 1 << 27 /* numbers in the products of all folds */
};

#define FOLD_TOLERANCE 1e-14

/* -- opening -- */

/* What more terms than products fit memory can be solved with. */
static cairn_status check_wide(cairn_context *ctx, const cairn_lasso_params *params, size_t n)
{
    bool plain = isnan(params->q) || params->q == 1;
    if (plain && (params->mix > 0 || !isnan(params->q))) return CAIRN_OK;
    return cairn_fail(
        ctx, CAIRN_BAD_DATA,
        "%zu terms are more than the %d whose products fit memory, and a penalty that "
        "leaves no coefficient 0 needs all of them; {mix 0.1} leaves some, 'ridge' "
        "with one {lambda} none",
        n, MOST_TERMS);
}

cairn_status cairn_lasso_open(cairn_context *ctx, cairn_lasso_problem *p, const cairn_job *job,
                              const cairn_lasso_params *params)
{
    size_t n_dense, n;
    cairn_matrix_wish wish = {.target = true};
    cairn_terms_count(job->schema, &n_dense, &n);
    p->params = params;
    p->wide = n > MOST_TERMS;
    if (p->wide) CHECK(check_wide(ctx, params, n));
    p->free = params->intercept && !params->penalise_intercept;
    p->n = n + (params->intercept && !p->free);
    wish.units = p->free ? CAIRN_UNITS_SHIFTED : CAIRN_UNITS_SCALED;
    wish.apart = p->wide;
    wish.ones = !p->wide;
    wish.sum_size = p->wide ? 0 : (n + 2) * (n + 2);
    CHECK(cairn_matrix_open(ctx, &p->x, job->view, &wish));
    CHECK(SCRATCH_RAW(ctx, &p->units, p->n + 1));
    for (size_t j = 0; j < p->n; j++) p->units[j] = (j < n ? p->x.scale[j] : 1) / p->x.scale[n];
    bool several = !params->lambda || strchr(params->lambda, ',');
    p->validated = params->inner ? !cairn_same(params->inner, "gcv") : several && p->x.n > 2;
    return CAIRN_OK;
}

/* -- the penalty -- */

void cairn_lasso_factors(const cairn_lasso_problem *p, double strength, double total, double *lasso,
                         double *ridge)
{
    const cairn_lasso_params *params = p->params;
    double share = p->all.total > 0 ? total / p->all.total : 1, mix = params->mix;
    bool plain = isnan(params->q);
    double base = strength * (params->objective == CAIRN_LASSO_MEAN ? total : share);
    *lasso = base * (plain ? mix : 1) * (params->objective == CAIRN_LASSO_FULL ? 0.5 : 1);
    *ridge = plain ? base * (1 - mix) : 0;
}

/* The power of |c|. */
static double power_of(const cairn_lasso_problem *p)
{
    return isnan(p->params->q) ? 1 : p->params->q;
}

/* Squares of the matrix's units of the target in one of its own. */
static double target_square(const cairn_lasso_problem *p)
{
    double scale = p->x.scale[p->x.n_terms];
    return scale * scale;
}

cairn_penalised cairn_lasso_at(const cairn_lasso_problem *p, const cairn_lasso_sums *sums,
                               double strength, double *room)
{
    double lasso, ridge, q = power_of(p), square = target_square(p);
    double *lassos = room, *ridges = room + p->n;
    cairn_lasso_factors(p, strength, sums->total, &lasso, &ridge);
    for (size_t j = 0; j < p->n; j++) {
        double unit = p->units[j];
        lassos[j] = lasso * square * (q == 1 ? unit : cairn_pow(unit, q));
        ridges[j] = ridge * square * unit * unit;
    }
    return (cairn_penalised){.n = p->n,
                             .gram = sums->gram,
                             .side = sums->side,
                             .lassos = lassos,
                             .ridges = ridges,
                             .q = q,
                             .size = sums->squares,
                             .tolerance = 1e-20};
}

/* -- sums -- */

/* Where coefficient j stands among the columns of the matrix: terms, target, ones. */
static size_t column_of(const cairn_lasso_problem *p, size_t j)
{
    return j < p->x.n_terms ? j : j + 1;
}

/* Products about the means. What is left of a column that does not vary is rounding: it is 0. */
static void centre(const cairn_lasso_problem *p, const double *gram, cairn_lasso_sums *out)
{
    size_t n = out->n, terms = p->x.n_terms, width = p->x.width;
    const double *ones = gram + (width - 1) * width;
    for (size_t j = 0; j <= terms; j++) out->means[j] = ones[j] / out->total;
    for (size_t j = 0; j < n; j++) {
        double *row = out->gram + j * n;
        for (size_t k = 0; k < n; k++) row[k] -= ones[j] * out->means[k];
        out->side[j] -= ones[j] * out->means[terms];
    }
    out->squares = fmax(0, out->squares - ones[terms] * out->means[terms]);
    for (size_t j = 0; j < n; j++) {
        if (out->gram[j * (n + 1)] > 1e-13 * gram[j * (width + 1)]) continue;
        for (size_t k = 0; k < n; k++) out->gram[j * n + k] = out->gram[k * n + j] = 0;
        out->side[j] = 0;
    }
}

cairn_status cairn_lasso_reduce(cairn_context *ctx, const cairn_lasso_problem *p,
                                const double *gram, cairn_lasso_sums *out)
{
    size_t n = p->n, terms = p->x.n_terms, width = p->x.width;
    *out = (cairn_lasso_sums){.n = n};
    CHECK(SCRATCH_RAW(ctx, &out->gram, cairn_product(n, n) + 1));
    CHECK(SCRATCH_RAW(ctx, &out->side, n + 1));
    CHECK(SCRATCH(ctx, &out->means, terms + 1));
    for (size_t j = 0; j < n; j++) {
        const double *row = gram + column_of(p, j) * width;
        for (size_t k = 0; k < n; k++) out->gram[j * n + k] = row[column_of(p, k)];
        out->side[j] = row[terms];
    }
    out->squares = gram[terms * (width + 1)];
    out->total = gram[(width - 1) * (width + 1)];
    if (p->free) centre(p, gram, out);
    return CAIRN_OK;
}

/* -- the path -- */

/* For q below 1 minima beside the least one are common. Going up from the weakest strength finds
 * others than going down; of the two the lower one is kept. */
static cairn_status go_back(cairn_context *ctx, const cairn_lasso_problem *p,
                            const cairn_lasso_sums *sums, double tolerance, double *thetas)
{
    SCOPED_SCRATCH(ctx);
    size_t n = p->n;
    double *room, *x, *slopes, *there;
    bool converged;
    CHECK(SCRATCH(ctx, &room, 2 * n + 1));
    CHECK(SCRATCH(ctx, &x, n + 1));
    CHECK(SCRATCH(ctx, &slopes, n + 1));
    CHECK(SCRATCH(ctx, &there, n + 1));
    memcpy(slopes, sums->side, n * sizeof *slopes);
    cairn_penalised f = cairn_lasso_at(p, sums, 0, room);
    CHECK(cairn_penalised_solve(ctx, &f, x, slopes, &converged, NULL));
    for (size_t i = p->n_path; i-- > 0;) {
        double *theta = thetas + i * n;
        f = cairn_lasso_at(p, sums, p->strengths[i], room);
        f.tolerance = tolerance;
        CHECK(cairn_penalised_solve(ctx, &f, x, slopes, &converged, NULL));
        memcpy(there, sums->side, n * sizeof *there);
        for (size_t j = 0; j < n; j++)
            if (theta[j] != 0) cairn_axpy(there, -theta[j], sums->gram + j * n, n);
        double known = cairn_penalised_value(&f, theta, there);
        if (cairn_penalised_value(&f, x, slopes) < known - 1e-12 * fabs(known))
            memcpy(theta, x, n * sizeof *x);
    }
    return CAIRN_OK;
}

cairn_status cairn_lasso_path(cairn_context *ctx, const cairn_lasso_problem *p,
                              const cairn_lasso_sums *sums, double tolerance, double *thetas,
                              size_t *n_unsolved)
{
    SCOPED_SCRATCH(ctx);
    size_t n = p->n;
    double *room, *x, *slopes;
    CHECK(SCRATCH(ctx, &room, 2 * n + 1));
    CHECK(SCRATCH(ctx, &x, n + 1));
    CHECK(SCRATCH(ctx, &slopes, n + 1));
    memcpy(slopes, sums->side, n * sizeof *slopes);
    for (size_t i = 0; i < p->n_path; i++) {
        bool converged;
        cairn_penalised f = cairn_lasso_at(p, sums, p->strengths[i], room);
        f.tolerance = tolerance;
        CHECK(cairn_penalised_solve(ctx, &f, x, slopes, &converged, NULL));
        *n_unsolved += !converged;
        memcpy(thetas + i * n, x, n * sizeof *x);
    }
    return power_of(p) < 1 ? go_back(ctx, p, sums, tolerance, thetas) : CAIRN_OK;
}

/* The constant in the matrix's units. */
static double constant_of(const cairn_lasso_problem *p, const cairn_lasso_sums *sums,
                          const double *theta)
{
    size_t terms = p->x.n_terms;
    if (!p->free) return p->n > terms ? theta[terms] : 0;
    return sums->means[terms] - cairn_dot(theta, sums->means, terms);
}

void cairn_lasso_raw(const cairn_lasso_problem *p, const cairn_lasso_sums *sums,
                     const double *theta, double *out)
{
    const cairn_row_matrix *x = &p->x;
    size_t terms = x->n_terms;
    double constant = constant_of(p, sums, theta), unit = x->scale[terms];
    for (size_t j = 0; j < terms; j++) {
        constant -= theta[j] * x->scale[j] * x->shift[j];
        out[j] = theta[j] * p->units[j];
    }
    out[terms] = p->params->intercept ? constant / unit + x->shift[terms] : 0;
}

/* -- cross-validation -- */

typedef struct validation {
    const cairn_lasso_problem *p;
    double *losses;  /* n_folds x n_path */
    double *weights; /* n_folds */
} validation;

/* Squared errors of the rows of some products: v'Gv with v = (c, −1, constant). */
static double squared_errors(const cairn_lasso_problem *p, const double *gram, const double *theta,
                             double constant, double *v)
{
    size_t width = p->x.width, terms = p->x.n_terms;
    double sum = 0;
    memcpy(v, theta, terms * sizeof *v);
    v[terms] = -1;
    v[terms + 1] = constant;
    for (size_t j = 0; j < width; j++)
        if (v[j] != 0) sum += v[j] * cairn_dot(gram + j * width, v, width);
    return fmax(0, sum);
}

/* One fold: the path on the products of all others, which are added up anew, since the difference
 * to those of all rows would lose the digits that one fold of huge numbers takes. */
static cairn_status run_fold(cairn_context *ctx, void *data, size_t fold)
{
    const validation *work = data;
    const cairn_lasso_problem *p = work->p;
    SCOPED_SCRATCH(ctx);
    size_t width = p->x.width, size = width * width, unsolved = 0;
    const double *own = p->grams + fold * size;
    double *gram, *thetas, *v;
    cairn_lasso_sums sums;
    CHECK(SCRATCH(ctx, &gram, size));
    CHECK(SCRATCH_RAW(ctx, &thetas, cairn_product(p->n_path, p->n) + 1));
    CHECK(SCRATCH_RAW(ctx, &v, width + 2));
    for (size_t f = 0; f < p->n_folds; f++)
        if (f != fold) cairn_axpy(gram, 1, p->grams + f * size, size);
    CHECK(cairn_lasso_reduce(ctx, p, gram, &sums));
    work->weights[fold] = own[size - 1];
    if (!(sums.total > 0)) return CAIRN_OK;
    CHECK(cairn_lasso_path(ctx, p, &sums, FOLD_TOLERANCE, thetas, &unsolved));
    for (size_t i = 0; i < p->n_path; i++) {
        const double *theta = thetas + i * p->n;
        work->losses[fold * p->n_path + i] =
            squared_errors(p, own, theta, constant_of(p, &sums, theta), v) / target_square(p);
    }
    return CAIRN_OK;
}

/* The same without products: the rows of the fold are read. */
static cairn_status run_wide_fold(cairn_context *ctx, void *data, size_t split)
{
    const validation *work = data;
    const cairn_lasso_problem *p = work->p;
    SCOPED_SCRATCH(ctx);
    cairn_rows train, test;
    CHECK(cairn_plan_split(ctx, &p->plan, split, &train, &test));
    CHECK(cairn_rows_at(ctx, &train, p->x.view, train.indices, train.n));
    CHECK(cairn_rows_at(ctx, &test, p->x.view, test.indices, test.n));
    return cairn_lasso_wide_fold(ctx, p, train, test, work->losses + split * p->n_path,
                                 &work->weights[split]);
}

/* The folds of the view: those of the resampling, or as many as there are rows for. */
static cairn_status make_plan(cairn_context *ctx, const cairn_lasso_problem *p,
                              const cairn_job *job, cairn_plan *out)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    char few[32];
    const char *by = p->params->inner;
    if (!by) {
        snprintf(few, sizeof few, "cv:%zu", p->x.n < 10 ? p->x.n : 10);
        by = few;
    }
    OWNED(cairn_params_free) cairn_params *params = NULL;
    cairn_status status = cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_RESAMPLING, by);
    CHECK(cairn_table_share(ctx, &table, job->view->table));
    if (!status) status = cairn_plan_view(ctx, out, job->view, table, by);
    if (status) cairn_message_prefix(ctx, "{inner %s}", by);
    CHECK(status);
    if (out->draws)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{inner %s}: rows are drawn several times; the strength is chosen by "
                          "folds, such as cv:10",
                          by);
    return CAIRN_OK;
}

/* The products of the folds of a repeat; rows that are neither learned from nor tested come last,
 * since the model is learned from them, too, in the end. */
static cairn_status fold_sums(cairn_context *ctx, cairn_lasso_problem *p, size_t repeat)
{
    SCOPED_SCRATCH(ctx);
    const cairn_plan *plan = &p->plan;
    int32_t *folds, rest = (int32_t)p->n_folds;
    CHECK(SCRATCH_RAW(ctx, &folds, p->x.n + 1));
    for (size_t i = 0; i < p->x.n; i++) folds[i] = rest;
    for (size_t i = 0; i < plan->n; i++) {
        int32_t fold = plan->folds[repeat * plan->n + i];
        folds[plan->rows[i]] = fold < 0 ? rest : fold;
    }
    return cairn_fold_grams(ctx, &p->x, folds, p->n_folds + 1, p->grams);
}

/* The plan, and the products of the folds of its first repeat, which add up to those of all. */
static cairn_status sum_by_folds(cairn_context *ctx, cairn_lasso_problem *p, const cairn_job *job,
                                 double *gram)
{
    size_t size = cairn_product(p->x.width, p->x.width);
    CHECK(make_plan(ctx, p, job, &p->plan));
    p->n_folds = p->plan.n_tested;
    for (size_t i = 0; i < p->plan.n * p->plan.n_repeats; i++)
        if (p->plan.folds[i] >= (int32_t)p->n_folds) p->n_folds = (size_t)p->plan.folds[i] + 1;
    if (cairn_product(p->n_folds, size) > MOST_GRAMS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "{inner}: products of %zu columns for each of %zu folds take too much "
                          "memory; take fewer folds",
                          p->x.width, p->n_folds);
    CHECK(SCRATCH_RAW(ctx, &p->grams, cairn_product(p->n_folds + 1, size)));
    CHECK(fold_sums(ctx, p, 0));
    for (size_t f = 0; f <= p->n_folds; f++) cairn_axpy(gram, 1, p->grams + f * size, size);
    for (size_t j = 0; j < p->x.width; j++)
        if (!isfinite(gram[j * (p->x.width + 1)])) return cairn_matrix_refuse(ctx, &p->x, NULL);
    return CAIRN_OK;
}

cairn_status cairn_lasso_sum_rows(cairn_context *ctx, cairn_lasso_problem *p, const cairn_job *job)
{
    double *gram;
    if (p->wide) {
        if (p->validated) CHECK(make_plan(ctx, p, job, &p->plan));
        return cairn_lasso_wide_sums(ctx, p);
    }
    CHECK(SCRATCH(ctx, &gram, cairn_product(p->x.width, p->x.width)));
    if (p->validated)
        CHECK(sum_by_folds(ctx, p, job, gram));
    else
        CHECK(cairn_linear_gram(ctx, &p->x, gram));
    return cairn_lasso_reduce(ctx, p, gram, &p->all);
}

cairn_status cairn_lasso_validate(cairn_context *ctx, cairn_lasso_problem *p, double *means,
                                  double *errors, size_t *chosen)
{
    size_t n = p->n_path, n_splits = cairn_plan_splits(&p->plan);
    double *losses, *weights;
    CHECK(SCRATCH(ctx, &losses, cairn_product(n_splits, n)));
    CHECK(SCRATCH(ctx, &weights, n_splits));
    validation all = {p, losses, weights};
    if (p->wide) CHECK(cairn_tasks(ctx, n_splits, run_wide_fold, &all));
    for (size_t r = 0; r < p->plan.n_repeats && !p->wide; r++) {
        size_t first = r * p->plan.n_tested;
        validation work = {p, losses + first * n, weights + first};
        if (r) CHECK(fold_sums(ctx, p, r));
        CHECK(cairn_tasks(ctx, p->plan.n_tested, run_fold, &work));
    }
    cairn_held held = {n_splits, n, losses, weights};
    *chosen = cairn_strengths_choose(&held, p->params->choose != 0, means, errors);
    return CAIRN_OK;
}
