/* SPDX-License-Identifier: MIT */
/* Lasso, elastic net and q-norm penalties: least squares whose coefficients cost.
 *
 * Problem: minimise L + λ P with L = Σ w_i (y_i − b − c·x_i)²/2 and P = mix Σ |c_j| + (1 − mix) Σ
 * c_j²/2, or P = Σ |c_j|^q; a weight w_i counts as w_i equal rows, b is free unless asked. The
 * scale of L may be the whole sum (L = Σ w r², then P has Σ c², too) or half the mean.
 *
 * Method:
 * 1. One pass over the rows sums the products of all pairs of columns; with cross-validation one
 *    matrix for each fold, whose sum is that of all rows.
 * 2. From the least strength that leaves every coefficient 0, strengths fall by equal factors. Each
 *    is solved by coordinate descent from the coefficients before it (solve/penalised.c). For q
 *    below 1 the way back up is gone, too, and the lower of the two minima is kept.
 * 3. Each fold in turn: the same on the sum of the others' products, with λ times the share of the
 *    rows that they are; squared errors on the fold are a quadratic form of its products. The
 *    strength with the least mean, of equal ones the strongest, is taken, or by one-se the
 *    strongest within one standard error of it. {inner gcv} takes n·SSE / (n − df)² in its place.
 * Rows can be taken one by one, too, at one strength (lasso_rows.c).
 * More than 2000 terms: products of a growing set of terms only (lasso_wide.c).
 * Cost: n p²/2 multiplications for the pass, a few p² for every strength and fold.
 *
 * Degrees of freedom are the coefficients other than 0 (with a ridge part tr (H + ridge)⁻¹H over
 * them) and the constant; they are not known for q other than 1.
 *
 * Sources: Tibshirani, Regression shrinkage and selection via the lasso (1996); Zou and Hastie,
 * Regularization and variable selection via the elastic net (2005); Frank and Friedman, A
 * statistical view of some chemometrics regression tools (1993); Friedman, Hastie and Tibshirani,
 * Regularization paths (2010); Zou, Hastie and Tibshirani, On the degrees of freedom of the lasso
 * (2007). */
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "learners/linear/lasso.h"
#include "learners/linear/linear.h"
#include "learners/linear/path_figures.h"
#include "parallel/parallel.h"
#include "rows/fold_grams.h"
#include "solve/solvers.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The path of coefficients over the strength of the penalty, and the strength by cross-validation,
 * from products of columns alone: the rows are read once. What a model learned from all folds but
 * one needs is the sum of their products; its squared error on that fold is a quadratic form of the
 * fold's products. */

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
    cairn_matrix_options options = {.target = true};
    cairn_terms_count(job->schema, &n_dense, &n);
    p->params = params;
    p->wide = n > MOST_TERMS;
    if (p->wide) CHECK(check_wide(ctx, params, n));
    p->free = params->intercept && !params->penalise_intercept;
    p->n = n + (params->intercept && !p->free);
    options.units = p->free ? CAIRN_UNITS_SHIFTED : CAIRN_UNITS_SCALED;
    options.apart = p->wide;
    options.ones = !p->wide;
    options.sum_size = p->wide ? 0 : (n + 2) * (n + 2);
    CHECK(cairn_matrix_open(ctx, &p->x, job->view, &options));
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
                               double strength, double *buffer)
{
    double lasso, ridge, q = power_of(p), square = target_square(p);
    double *lassos = buffer, *ridges = buffer + p->n;
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

/* The sums of a matrix of products of columns. Scratch. */
static cairn_status cairn_lasso_reduce(cairn_context *ctx, const cairn_lasso_problem *p,
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
    double *buffer, *x, *slopes, *there;
    bool converged;
    CHECK(SCRATCH(ctx, &buffer, 2 * n + 1));
    CHECK(SCRATCH_EACH(ctx, n + 1, &x, &slopes, &there));
    memcpy(slopes, sums->side, n * sizeof *slopes);
    cairn_penalised f = cairn_lasso_at(p, sums, 0, buffer);
    CHECK(cairn_penalised_solve(ctx, &f, x, slopes, &converged, NULL));
    for (size_t i = p->n_path; i-- > 0;) {
        double *theta = thetas + i * n;
        f = cairn_lasso_at(p, sums, p->strengths[i], buffer);
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

/* Coefficients (n) at every strength, from the strongest down; returns through n_unsolved at how
 * many it did not converge. */
static cairn_status cairn_lasso_path(cairn_context *ctx, const cairn_lasso_problem *p,
                                     const cairn_lasso_sums *sums, double tolerance, double *thetas,
                                     size_t *n_unsolved)
{
    SCOPED_SCRATCH(ctx);
    size_t n = p->n;
    double *buffer, *x, *slopes;
    CHECK(SCRATCH(ctx, &buffer, 2 * n + 1));
    CHECK(SCRATCH_EACH(ctx, n + 1, &x, &slopes));
    memcpy(slopes, sums->side, n * sizeof *slopes);
    for (size_t i = 0; i < p->n_path; i++) {
        bool converged;
        cairn_penalised f = cairn_lasso_at(p, sums, p->strengths[i], buffer);
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

/* -- cross-validation -- */

typedef struct validation {
    const cairn_lasso_problem *p;
    double *losses;  /* n_folds x n_path */
    double *weights; /* n_folds */
} validation;

/* Squared errors of the rows of some products: v'Gv with v = (c, −1, constant). */
static double path_squared_errors(const cairn_lasso_problem *p, const double *gram,
                                  const double *theta, double constant, double *v)
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
            path_squared_errors(p, own, theta, constant_of(p, &sums, theta), v) / target_square(p);
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

enum { MOST_PATH = 1000, MOST_EVENTS = 100000 };

#define TOLERANCE 1e-20

static const cairn_choice objectives[] = {
    {"half", CAIRN_LASSO_HALF, "Σ r²/2 + λ (mix Σ |c| + (1 − mix) Σ c²/2)"},
    {"full", CAIRN_LASSO_FULL, "Σ r² + λ (mix Σ |c| + (1 − mix) Σ c²)"},
    {"mean", CAIRN_LASSO_MEAN, "half with the mean of r² in place of their sum"},
    {0},
};
const cairn_choice cairn_lasso_choosing[] = {
    {"best", 0, "the least squared error of held-out rows"},
    {"one-se", 1, "the strongest penalty within one standard error of it"},
    {0},
};

static const cairn_choice protocols[] = {
    {"batch", CAIRN_PROTOCOL_BATCH, "the sums over all rows"},
    {"random", CAIRN_PROTOCOL_RANDOM, "one by one, drawn with repeats, until the minimum is there"},
    {"online", CAIRN_PROTOCOL_ONLINE, "every row once, in order"},
    {0},
};

static const cairn_param lasso_parameters[] = {
    CAIRN_PARAM_AS(cairn_lasso_params, lambda, CAIRN_TYPE_LIST, NULL,
                   "strength λ of the penalty, or several to choose from; a grid unless given",
                   .often = true),
    CAIRN_PARAM(cairn_lasso_params, mix, "1", "[0,1]",
                "share of the absolute values in the penalty: 1 = lasso, between = elastic net, "
                "0 = ridge",
                .often = true),
    CAIRN_PARAM(cairn_lasso_params, q, CAIRN_NOT_GIVEN, "(0,20]",
                "penalty Σ |c|^q in place of the mix; below 1 it has several minima, of which a "
                "low one is found"),
    CAIRN_PARAM_CHOICE(cairn_lasso_params, objective, "half", objectives,
                       "scale of what λ is compared with"),
    CAIRN_PARAM(cairn_lasso_params, path, "100", "[2,1000]", "strengths of the grid",
                .when = "!lambda"),
    CAIRN_PARAM(
        cairn_lasso_params, path_ratio, CAIRN_NOT_GIVEN, "(0,1)",
        "last strength of the grid over its first; 0.0001 unless given, 0.01 for more terms "
        "than rows",
        .when = "!lambda"),
    CAIRN_PARAM(cairn_lasso_params, inner, NULL, NULL,
                "how a strength is chosen: a resampling whose held-out rows judge, such as cv:10, "
                "or gcv, generalised cross-validation; cv:10 unless given, or as many folds as "
                "there are rows",
                .when = "protocol=batch", .often = true),
    CAIRN_PARAM_CHOICE(cairn_lasso_params, choose, "best", cairn_lasso_choosing,
                       "which strength the held-out rows choose", .when = "!inner=gcv"),
    CAIRN_PARAM(cairn_lasso_params, intercept, "yes", NULL, "fit a constant term"),
    CAIRN_PARAM(cairn_lasso_params, penalise_intercept, "no", NULL,
                "the penalty counts the constant too", .when = "intercept"),
    CAIRN_PARAM_CHOICE(cairn_lasso_params, protocol, "batch", protocols, "which rows are taken"),
    CAIRN_PARAM(cairn_lasso_params, eta, CAIRN_NOT_GIVEN, "(0,inf)",
                "learning rate η; unless given by the longest row", .when = "!protocol=batch"),
    CAIRN_PARAM(cairn_lasso_params, epochs, "1000", "[1,10000000]",
                "most passes of as many rows as there are", .when = "protocol=random"),
    CAIRN_PARAM_END,
};

/* -- fitting -- */

/* The least strength that leaves every coefficient 0, in the user's scale; for a penalty that
 * leaves none 0, one that makes all of them small. */
static double first_strength(const cairn_lasso_problem *p)
{
    double square = p->x.scale[p->x.n_terms], first = 0, lasso, ridge;
    double q = isnan(p->params->q) ? 1 : p->params->q;
    square *= square;
    for (size_t j = 0; j < p->n; j++) {
        double own = square * cairn_pow(p->units[j], q);
        double curve = p->wide ? 1 : p->all.gram[j * (p->n + 1)];
        double least = cairn_penalised_first(curve, p->all.side[j], q) / own;
        first = fmax(first, least);
    }
    cairn_lasso_factors(p, 1, p->all.total, &lasso, &ridge);
    if (isnan(p->params->q)) lasso = fmax(lasso, (lasso + ridge) * 0.001);
    return first / lasso;
}

/* The strengths; rounding must not let a coefficient in at the first of a grid. */
static cairn_status list_strengths(cairn_context *ctx, cairn_lasso_problem *p,
                                   cairn_lasso_history *history)
{
    const cairn_lasso_params *params = p->params;
    double first = first_strength(p);
    bool zeros = isnan(params->q) ? params->mix > 0 : params->q <= 1;
    history->most = zeros ? first : NAN;
    if (!isfinite(first)) return cairn_matrix_refuse(ctx, &p->x, NULL);
    first = first > 0 ? first * (1 + 1e-9) : 1;
    double ratio =
        isnan(params->path_ratio) ? (p->x.n_terms > p->x.n ? 0.01 : 1e-4) : params->path_ratio;
    CHECK(cairn_strengths(ctx, cairn_say(ctx, "{lambda}"), params->lambda, first, ratio,
                          (size_t)params->path, &p->strengths, &p->n_path));
    if (p->n_path > MOST_PATH)
        return cairn_fail(ctx, CAIRN_USAGE, "{lambda}: at most %d strengths", MOST_PATH);
    history->n_path = p->n_path;
    CHECK(NEW(ctx, &history->path, p->n_path * CAIRN_LASSO_COLUMNS));
    return CAIRN_OK;
}

/* Rows that come one by one are learned from at one strength. */
static cairn_status check_protocol(cairn_context *ctx, const cairn_lasso_problem *p)
{
    if (p->params->protocol == CAIRN_PROTOCOL_BATCH) return CAIRN_OK;
    if (p->n_path > 1)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{protocol}: rows that come one by one are learned from at one strength, "
                          "and held-out rows to choose it by are none of them: give {lambda}, such "
                          "as the one that {protocol batch} chooses");
    if (!p->wide) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{protocol}: a step per row moves every coefficient, and %zu terms are more "
                      "than the %d for which that is done; take {protocol batch}",
                      p->x.n_terms, MOST_TERMS);
}

/* The path on all rows, or one strength row by row. */
static cairn_status find_coefficients(cairn_context *ctx, cairn_lasso_problem *p,
                                      const cairn_job *job, double *thetas,
                                      cairn_lasso_history *history)
{
    bool converged;
    CHECK(check_protocol(ctx, p));
    if (p->wide) return cairn_lasso_wide_path(ctx, p, history, thetas);
    if (p->params->protocol == CAIRN_PROTOCOL_BATCH)
        return cairn_lasso_path(ctx, p, &p->all, TOLERANCE, thetas, &history->n_unsolved);
    CHECK(cairn_lasso_by_rows(ctx, p, job, p->strengths[0], thetas, &converged));
    history->n_unsolved = !converged;
    return CAIRN_OK;
}

/* The coefficients, and the least GCV; of equal ones the strongest. */
static cairn_status solve_all(cairn_context *ctx, cairn_lasso_problem *p, const cairn_job *job,
                              double *thetas, cairn_lasso_history *history)
{
    double total = p->all.total, best = INFINITY;
    CHECK(find_coefficients(ctx, p, job, thetas, history));
    for (size_t i = 0; i < p->n_path; i++) {
        double *row = history->path + i * CAIRN_LASSO_COLUMNS;
        if (!p->wide) {
            /* One row of the path. */
            const double *theta = thetas + i * p->n;
            SCOPED_SCRATCH(ctx);
            double *buffer, nonzero = 0;
            CHECK(SCRATCH(ctx, &buffer, 2 * p->n + 1));
            cairn_penalised f = cairn_lasso_at(p, &p->all, p->strengths[i], buffer);
            for (size_t j = 0; j < p->n; j++) nonzero += theta[j] != 0;
            row[CAIRN_LASSO_LAMBDA] = p->strengths[i];
            row[CAIRN_LASSO_NONZERO] = nonzero;
            /* Squared errors of all rows at coefficients of the matrix: y'y − c'(s + slopes). */
            const cairn_lasso_sums *all = &p->all;
            double sum = all->squares, unit = p->x.scale[p->x.n_terms];
            for (size_t j = 0; j < p->n; j++) {
                if (theta[j] == 0) continue;
                double product = 0;
                for (size_t k = 0; k < p->n; k++) product += all->gram[j * p->n + k] * theta[k];
                sum += theta[j] * (product - 2 * all->side[j]);
            }
            row[CAIRN_LASSO_SSE] = fmax(0, sum) / unit / unit;
            row[CAIRN_LASSO_HELD] = row[CAIRN_LASSO_ERROR] = NAN;
            row[CAIRN_LASSO_DF] = NAN;
            if (f.q == 1) CHECK(cairn_penalised_freedom(ctx, &f, theta, &row[CAIRN_LASSO_DF]));
            row[CAIRN_LASSO_DF] += p->free ? 1 : 0;
        }
        double left = total - row[CAIRN_LASSO_DF];
        row[CAIRN_LASSO_GCV] = left > 0 ? total * row[CAIRN_LASSO_SSE] / (left * left) : NAN;
        if (!(row[CAIRN_LASSO_GCV] < best)) continue;
        best = row[CAIRN_LASSO_GCV];
        history->chosen = i;
    }
    return CAIRN_OK;
}

/* The coefficients that are largest somewhere on the path, per deviation of their columns. */
static cairn_status choose_traced(cairn_context *ctx, const cairn_lasso_problem *p,
                                  const double *thetas, cairn_lasso_history *history)
{
    SCOPED_SCRATCH(ctx);
    double *sizes;
    CHECK(NEW(ctx, &history->traced, CAIRN_PATH_LINES));
    CHECK(SCRATCH(ctx, &sizes, p->x.n_terms + 1));
    for (size_t j = 0; j < p->x.n_terms; j++) {
        double spread = p->wide ? 1 : sqrt(fmax(0, p->all.gram[j * (p->n + 1)]));
        for (size_t i = 0; i < p->n_path; i++)
            sizes[j] = fmax(sizes[j], fabs(thetas[i * p->n + j]) * spread);
    }
    history->n_traced = cairn_path_largest(sizes, p->x.n_terms, history->traced);
    return CAIRN_OK;
}

/* Lines of the picture, and where coefficients become other than 0 or 0 again. */
static cairn_status trace(cairn_context *ctx, const cairn_lasso_problem *p, const double *thetas,
                          cairn_lasso_history *history)
{
    size_t n = p->n, buffer = 0;
    CHECK(choose_traced(ctx, p, thetas, history));
    CHECK(NEW(ctx, &history->traces, p->n_path * history->n_traced + 1));
    for (size_t i = 0; i < p->n_path; i++) {
        const double *now = thetas + i * n, *before = i ? now - n : NULL;
        for (size_t t = 0; t < history->n_traced; t++) {
            size_t j = (size_t)history->traced[t];
            history->traces[i * history->n_traced + t] = now[j] * p->units[j];
        }
        for (size_t j = 0; j < p->x.n_terms && history->n_events < MOST_EVENTS; j++) {
            bool was = before && before[j] != 0, is = now[j] != 0;
            if (was == is) continue;
            CHECK(GROW(ctx, &history->events, &buffer, 2 * history->n_events + 2));
            history->events[2 * history->n_events] = (int32_t)i;
            history->events[2 * history->n_events++ + 1] = is ? (int32_t)j : -1 - (int32_t)j;
        }
    }
    return CAIRN_OK;
}

/* What the taken strength comes to, in own units. */
static void sum_up(const cairn_lasso_problem *p, const double *theta, cairn_lasso_history *history)
{
    const double *row = history->path + history->chosen * CAIRN_LASSO_COLUMNS;
    double q = isnan(p->params->q) ? 1 : p->params->q;
    double part = p->params->objective == CAIRN_LASSO_FULL   ? 1
                  : p->params->objective == CAIRN_LASSO_HALF ? 0.5
                                                             : 0.5 / p->all.total;
    history->loss = row[CAIRN_LASSO_SSE] * part;
    history->ridge = isnan(p->params->q) && p->params->mix < 1 ? 0 : NAN;
    for (size_t j = 0; j < p->n; j++) {
        double c = fabs(theta[j] * p->units[j]);
        if (c > 0) history->penalty += cairn_pow(c, q);
        history->ridge += p->params->objective == CAIRN_LASSO_FULL ? c * c : c * c / 2;
    }
}

/* The sums, the path, the choice, and what is kept of them. */
static cairn_status lasso_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_lasso_history own = {0}, *history = job->history ? job->history : &own;
    cairn_lasso_problem p = {0};
    double *thetas, *weights;
    cairn_status status;
    TRY(cairn_lasso_open(ctx, &p, job, job->params));
    TRY(cairn_lasso_sum_rows(ctx, &p, job));
    if (!(p.all.total > 0))
        TRY(cairn_fail(ctx, CAIRN_BAD_DATA,
                       "there is no row to learn from: at least one needs a positive weight"));
    TRY(list_strengths(ctx, &p, history));
    TRY(SCRATCH_RAW(ctx, &thetas, cairn_product(p.n_path, p.n) + 1));
    TRY(SCRATCH(ctx, &weights, p.x.n_terms + 1));
    TRY(solve_all(ctx, &p, job, thetas, history));
    if (p.validated) {
        /* The choice of held-out rows in place of that of GCV. */
        double *means, *errors;
        TRY(SCRATCH_EACH(ctx, p.n_path, &means, &errors));
        TRY(cairn_lasso_validate(ctx, &p, means, errors, &history->chosen));
        history->n_splits = cairn_plan_splits(&p.plan);
        for (size_t i = 0; i < p.n_path; i++) {
            history->path[i * CAIRN_LASSO_COLUMNS + CAIRN_LASSO_HELD] = means[i];
            history->path[i * CAIRN_LASSO_COLUMNS + CAIRN_LASSO_ERROR] = errors[i];
        }
    }
    double *theta = thetas + history->chosen * p.n;
    history->spread = p.all.squares / p.x.scale[p.x.n_terms] / p.x.scale[p.x.n_terms];
    history->n_terms = p.x.n_terms;
    sum_up(&p, theta, history);
    if (job->history || job->steps) TRY(trace(ctx, &p, thetas, history));
    cairn_lasso_steps(job->steps, &p, job, p.strengths[history->chosen], theta);
    cairn_report_step_begin(job->steps, "The path over the strengths");
    cairn_lasso_show_path(job->steps, history, job);
    cairn_report_step_end(job->steps);
    /* Weights in the columns' own units, n_terms and the constant. */
    const cairn_row_matrix *x = &p.x;
    size_t terms = x->n_terms;
    double constant = constant_of(&p, &p.all, theta), unit = x->scale[terms];
    for (size_t j = 0; j < terms; j++) {
        constant -= theta[j] * x->scale[j] * x->shift[j];
        weights[j] = theta[j] * p.units[j];
    }
    weights[terms] = p.params->intercept ? constant / unit + x->shift[terms] : 0;
    TRY(cairn_lasso_certify(ctx, &p, job, history, thetas, weights));
    TRY(cairn_weights_keep(ctx, model, weights, p.x.n_terms, p.params->intercept));
done:
    cairn_lasso_history_clear(&own);
    return status;
}

/* -- showing and keeping -- */

/* The terms whose coefficient is 0, by name as far as they are few. */
static void show_zeros(cairn_report *out, const cairn_weights *m, const char *const *names)
{
    enum { NAMED = 20 };
    cairn_text text = cairn_text_start(cairn_report_context(out));
    size_t zeros = 0;
    for (size_t t = 0; t < m->n_terms; t++) {
        if (m->weights[t] != 0) continue;
        if (zeros < NAMED) cairn_text_addf(&text, "%s%s", zeros ? ", " : "", names[t]);
        zeros++;
    }
    if (zeros > NAMED) cairn_text_addf(&text, " and %zu more", zeros - NAMED);
    cairn_report_value(out, "coefficients other than 0", (double)(m->n_terms - zeros), "nonzero");
    cairn_report_value(out, "coefficients set to 0", (double)zeros, "zero");
    cairn_report_failed(out, cairn_text_status(&text));
    if (zeros) cairn_report_word(out, "set to 0", cairn_text_string(&text), "zero.names");
    cairn_text_clear(&text);
}

/* Loss, penalty and their sum, and how good the fit is. */
static void show_values(cairn_report *out, const cairn_lasso_history *history,
                        const cairn_lasso_params *params)
{
    const double *row = history->path + history->chosen * CAIRN_LASSO_COLUMNS;
    double lambda = row[CAIRN_LASSO_LAMBDA], mix = isnan(params->q) ? params->mix : 1;
    double penalty = mix * history->penalty;
    if (!isnan(history->ridge)) penalty += (1 - mix) * history->ridge;
    cairn_report_value(out, "strength λ", lambda, "lambda");
    cairn_report_value(out, "least λ that leaves no coefficient", history->most, "lambda.most");
    cairn_report_value(out, "loss", history->loss, "loss");
    cairn_report_value(out, "penalty, before λ", penalty, "penalty");
    cairn_report_value(out, "objective", history->loss + lambda * penalty, "objective");
    cairn_report_value(out, "degrees of freedom", row[CAIRN_LASSO_DF], "df");
    cairn_report_value(out, "squared errors", row[CAIRN_LASSO_SSE], "sse");
    cairn_report_value(
        out, "R²", history->spread > 0 ? 1 - row[CAIRN_LASSO_SSE] / history->spread : NAN, "r2");
    cairn_report_value(out, "generalised cross-validation", row[CAIRN_LASSO_GCV], "gcv");
    if (!history->n_splits) return;
    cairn_report_value(out, "mean squared error of held-out rows", row[CAIRN_LASSO_HELD],
                       "held_out");
    cairn_report_value(out, "its standard error over the folds", row[CAIRN_LASSO_ERROR],
                       "held_out.error");
}

static void show_notes(cairn_report *out, const cairn_lasso_history *history,
                       const cairn_lasso_params *params)
{
    if (params->q < 1)
        cairn_report_note(out,
                          "For q below 1 the objective has several minima. The lower one of "
                          "two is shown, found from strong to weak penalties and back; a lower "
                          "one may exist.");
    if (history->ends_early)
        cairn_report_note(out, "The path ends where more coefficients are other than 0 than there "
                               "is room for.");
    if (params->protocol == CAIRN_PROTOCOL_ONLINE)
        cairn_report_note(out, "Every row was seen once: the certificate says how far that is from "
                               "the least, to which {protocol random} and {protocol batch} go on.");
    if (!history->n_unsolved) return;
    if (params->protocol == CAIRN_PROTOCOL_RANDOM)
        cairn_report_note(out, "The least was not reached in %d epochs: raise {epochs}.",
                          params->epochs);
    if (params->protocol == CAIRN_PROTOCOL_BATCH)
        cairn_report_note(out,
                          "The iteration did not converge at %zu of %zu strengths: columns nearly "
                          "depend on each other. A mix below 1 or a larger {path-ratio} helps.",
                          history->n_unsolved, history->n_path);
    cairn_report_hidden(out, (double)history->n_unsolved, "warning.unsolved");
}

/* A column of the path by itself. */
static cairn_status path_column(cairn_context *ctx, const cairn_lasso_history *history,
                                size_t column, double **out)
{
    CHECK(SCRATCH_RAW(ctx, out, history->n_path + 1));
    for (size_t i = 0; i < history->n_path; i++)
        (*out)[i] = history->path[i * CAIRN_LASSO_COLUMNS + column];
    return CAIRN_OK;
}

static cairn_status path_of(cairn_context *ctx, const void *data, cairn_squares_path *out)
{
    const cairn_lasso_history *history = data;
    double *strengths, *means, *errors;
    CHECK(path_column(ctx, history, CAIRN_LASSO_LAMBDA, &strengths));
    CHECK(path_column(ctx, history, CAIRN_LASSO_HELD, &means));
    CHECK(path_column(ctx, history, CAIRN_LASSO_ERROR, &errors));
    *out = (cairn_squares_path){.n = history->n_path, .chosen = history->chosen};
    out->strengths = strengths;
    out->n_traced = history->n_traced;
    out->traced = history->traced;
    out->traces = history->traces;
    out->means = history->n_splits ? means : NULL;
    out->errors = errors;
    return CAIRN_OK;
}

CAIRN_SQUARES_FIGURES(lasso_figures, path_of);

/* The heading names the method by its penalty, since one learner serves all of them. */
static void lasso_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_lasso_history *history = job->history;
    const cairn_lasso_params *params = job->params;
    cairn_context *ctx = cairn_report_context(out);
    const char *const *names;
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_report_heading(out, 2, "%s",
                         !isnan(params->q)  ? "Least squares with a q-norm penalty"
                         : params->mix == 1 ? "Lasso"
                         : params->mix == 0 ? "Ridge regression"
                                            : "Elastic net");
    cairn_weights_show(out, model, job);
    cairn_status status = cairn_term_names(ctx, &names, job->schema);
    cairn_report_failed(out, status);
    if (!status) show_zeros(out, model, names);
    if (history && !status) {
        show_values(out, history, params);
        show_notes(out, history, params);
        if (history->n_path > 1) cairn_lasso_show_path(out, history, job);
        cairn_squares_show(out, path_of, job, false);
    }
    cairn_scratch_release(ctx, mark);
}

/* Whether what the file says of terms and strengths can be looked up. */
static cairn_status check_history(cairn_archive *a, const cairn_lasso_history *history)
{
    for (size_t t = 0; t < history->n_traced; t++)
        if (history->traced[t] < 0 || (size_t)history->traced[t] >= history->n_terms)
            return cairn_archive_damaged(a, "a traced coefficient is of no term");
    for (size_t e = 0; e < history->n_events; e++) {
        int32_t at = history->events[2 * e], term = history->events[2 * e + 1];
        if (term < 0) term = -1 - term;
        if (at < 0 || (size_t)at >= history->n_path || (size_t)term >= history->n_terms)
            return cairn_archive_damaged(a, "a change of the path is of no strength or term");
    }
    return CAIRN_OK;
}

/* The path of a file must have a chosen strength, and the same terms as the model. */
static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    cairn_lasso_history *history = data;
    const cairn_weights *weights = model;
    CHECK(cairn_archive_real(a, "spread", &history->spread));
    CHECK(cairn_archive_real(a, "most", &history->most));
    CHECK(cairn_archive_real(a, "loss", &history->loss));
    CHECK(cairn_archive_real(a, "penalty", &history->penalty));
    CHECK(cairn_archive_real(a, "ridge", &history->ridge));
    CHECK(cairn_archive_size(a, "n_terms", &history->n_terms, UINT32_MAX));
    CHECK(cairn_archive_size(a, "n_path", &history->n_path, MOST_PATH));
    CHECK(cairn_archive_size(a, "chosen", &history->chosen, MOST_PATH));
    CHECK(cairn_archive_size(a, "n_splits", &history->n_splits, UINT32_MAX));
    CHECK(cairn_archive_size(a, "n_unsolved", &history->n_unsolved, MOST_PATH));
    CHECK(cairn_archive_bool(a, "ends_early", &history->ends_early));
    CHECK(cairn_archive_size(a, "n_traced", &history->n_traced, CAIRN_PATH_LINES));
    CHECK(cairn_archive_size(a, "n_events", &history->n_events, MOST_EVENTS));
    if (history->chosen >= history->n_path)
        CHECK(cairn_archive_damaged(a, "no strength was chosen"));
    if (history->n_terms != weights->n_terms)
        CHECK(cairn_archive_damaged(a, "the path has other terms than the model"));
    CHECK(cairn_archive_reals(a, "path", &history->path, history->n_path * CAIRN_LASSO_COLUMNS));
    CHECK(cairn_archive_ints(a, "traced", &history->traced, history->n_traced));
    CHECK(cairn_archive_reals(a, "traces", &history->traces, history->n_path * history->n_traced));
    CHECK(cairn_archive_ints(a, "events", &history->events, 2 * history->n_events));
    return check_history(a, history);
}

static void clear_history(void *data)
{
    cairn_lasso_history_clear(data);
}

static const cairn_history lasso_story = {
    .size = sizeof(cairn_lasso_history), .archive = archive_history, .clear = clear_history};

const cairn_learner cairn_lasso = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "lasso",
            .also = "elastic net (mix=0.5), elastic-net, L1 regularisation, bridge regression, "
                    "q-norm penalty, penalised regression, sparse regression, glmnet, shrinkage, "
                    "regularisation path, ElasticNet (mix=0.5), LassoCV, cv.glmnet",
            .title = "Lasso and elastic net",
            .summary =
                "Fits the target as a constant plus a weighted sum of the features, with the "
                "smallest sum of squared residuals plus a penalty on the sizes of the "
                "coefficients, which sets many of them to 0. The whole path over the strength of "
                "the penalty comes from one pass over the rows, and so does the strength that "
                "cross-validation chooses. The penalty compares coefficients, so columns are "
                "standardised first unless --scale says otherwise.",
            .references =
                "Tibshirani, Regression shrinkage and selection via the lasso (1996); Zou and "
                "Hastie, Regularization and variable selection via the elastic net (2005); "
                "Friedman, Hastie and Tibshirani, Regularization paths for generalized linear "
                "models via coordinate descent (2010)",
            .example = "cairn fit lasso @used-cars --target price",
            .params = lasso_parameters,
            .params_size = sizeof(cairn_lasso_params),
        },
    .tasks = CAIRN_REGRESS,
    .space = "mix=1,0.5,0.1",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_BAGS |
               CAIRN_ACCEPTS_NO_FEATURES | CAIRN_WANTS_REFERENCE | CAIRN_WANTS_SCALING,
    .claims = CAIRN_CLAIM_COLUMN_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING,
    CAIRN_WEIGHTS_RECORD,
    .tables = cairn_weights_tables,
    .history = &lasso_story,
    .fit = lasso_fit,
    .describe = lasso_describe,
    .figures = lasso_figures,
};
