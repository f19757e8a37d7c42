/* SPDX-License-Identifier: MIT */
/* Ridge regression: least squares with a penalty on the size of the coefficients.
 *
 * Problem: minimise Σ w_i (y_i - b - c·x_i)²/2 + λ Σ c_j²/2, that is (X'X + λI) c = X'y with the
 * means taken out; a weight w_i counts as w_i equal rows. The intercept b is free unless asked.
 *
 * Method:
 * 1. One pass over the rows sums gradient and Hessian of the squared loss at 0.
 * 2. For every λ, falling, the quadratic function is minimised by Newton's method, which is one
 *    Cholesky factor. Its inverse gives the degrees of freedom df = tr (X'X + λI)⁻¹ X'X (+ 1).
 * 3. Of several λ the one with the least generalised cross-validation n SSE / (n - df)² is taken,
 *    the largest of equal ones; without any, of a grid from a thousand times the largest sum of
 *    squares downwards.
 *    {inner loo} leaves each row out instead, by one eigendecomposition (ridge_loo.c), and
 *    {inner cv:10} folds, from their products of columns (lasso_path.c, without a lasso).
 * More than 1000 terms: one λ, by conjugate gradients, without df. Cost: n p²/2 for the pass, p³/2
 * for every λ. The penalty counts in the units of the columns as they come; the framework
 * standardises them unless it is told otherwise. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "learners/linear/class_metric.h"
#include "learners/linear/lasso.h"
#include "learners/linear/linear.h"
#include "learners/linear/path_figures.h"
#include "learners/linear/weights.h"
#include "rows/row_losses.h"
#include "rows/slopes.h"
#include "solve/solvers.h"
#include <math.h>
#include <string.h>

typedef struct cairn_ridge_rows {
    const cairn_view *view;
    cairn_units units; /* in which the quadratic function was summed */
    bool ones;         /* there is a constant */
    const cairn_squares_loss *squares;
    const cairn_quadratic *quadratic; /* of the rows' squares, without a ridge */
    bool free;                        /* the constant is not penalised */
    const double *lambdas;
    size_t n_lambdas;
} cairn_ridge_rows;

/* Leaving one out without fitting again: with e the residual of a row and h = x'(X'X + λI)⁻¹x its
 * leverage (and 1/n for a free constant), the row's error when it is left out is e / (1 − h).
 *
 * One eigendecomposition X'X = V'DV serves all strengths. With t = Vx for a row,
 * h = Σ_k t_k² / (d_k + λ), and the prediction is Σ_k t_k a_k / (d_k + λ) with a = VX'y: two
 * products of a block of rows with a matrix that has a column for every strength.
 *
 * Cost: n p² for the turning and 2 n p L for L strengths, a pass over the rows; p³ once. */

typedef struct turning {
    const cairn_ridge_rows *rows;
    cairn_row_matrix x;
    size_t width, n; /* columns of the matrix, coefficients with a penalty */
    double *turn;    /* width x n: from columns of the matrix to t */
    double *shares;  /* n x n_lambdas: 1 / (d + λ) */
    double *fits;    /* n x n_lambdas: a / (d + λ) */
    double constant; /* leverage of a free constant */
} turning;

/* Errors of a piece: sums of w e² and w e⁴ by strength. */
static void add_errors(const turning *t, const cairn_piece *piece, const double *fits,
                       const double *leverages, double *sums)
{
    const cairn_squares_loss *squares = t->rows->squares;
    size_t m = t->rows->n_lambdas;
    for (size_t i = 0; i < piece->n; i++) {
        double w = squares->weights[piece->first + i], y = squares->targets[piece->first + i];
        if (w == 0) continue;
        for (size_t l = 0; l < m; l++) {
            double left = 1 - t->constant - leverages[i * m + l];
            double e = left > 1e-12 ? (y - fits[i * m + l]) / left : INFINITY;
            sums[l] += w * e * e;
            sums[m + l] += w * e * e * e * e;
        }
    }
}

static void loo_piece(void *data, const cairn_piece *piece, double *sums)
{
    const turning *t = data;
    size_t rows = piece->n, n = t->n, m = t->rows->n_lambdas;
    double *transposed = piece->buffer, *squares = transposed + rows * n,
           *fits = squares + rows * n;
    double *leverages = fits + rows * m;
    cairn_rows_product(transposed, n, piece->z, t->width, rows, t->width, t->turn, n, n,
                       piece->product);
    for (size_t i = 0; i < rows * n; i++) squares[i] = transposed[i] * transposed[i];
    cairn_rows_product(fits, m, transposed, n, rows, n, t->fits, m, m, piece->product);
    cairn_rows_product(leverages, m, squares, n, rows, n, t->shares, m, m, piece->product);
    add_errors(t, piece, fits, leverages, sums);
}

/* X'X of the columns in their own units, about their means where the constant is free, and X'y. */
static cairn_status own_sums(cairn_context *ctx, const turning *t, double *gram, double *side,
                             double *means)
{
    const cairn_ridge_rows *rows = t->rows;
    const cairn_quadratic *q = rows->quadratic;
    const cairn_row_matrix *x = &t->x;
    size_t n = t->n;
    double total = rows->squares->total;
    for (size_t j = 0; j < n; j++) {
        means[j] = rows->free ? q->hessian[(q->n - 1) * q->n + j] / total : 0;
        double unit = j < x->n_terms ? x->scale[j] : 1, moved = 0;
        if (rows->free) moved = means[j] * q->gradient[q->n - 1];
        side[j] = (moved - q->gradient[j]) / unit;
    }
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < n; k++) {
            double a = j < x->n_terms ? x->scale[j] : 1, b = k < x->n_terms ? x->scale[k] : 1;
            gram[j * n + k] = (q->hessian[j * q->n + k] - total * means[j] * means[k]) / a / b;
            if (!isfinite(gram[j * n + k]))
                return cairn_matrix_refuse(ctx, x,
                                           "leaving rows out: the squares of some columns are no "
                                           "numbers (the largest number is %s); rescale them");
        }
    return CAIRN_OK;
}

/* What rows are multiplied by. The means are taken out through the column of ones. */
static cairn_status make_turning(cairn_context *ctx, turning *t)
{
    const cairn_ridge_rows *rows = t->rows;
    size_t n = t->n, m = rows->n_lambdas;
    double *gram, *side, *means, *values, *vectors;
    CHECK(SCRATCH_RAW(ctx, &gram, n * n + 1));
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &side, &means, &values));
    CHECK(SCRATCH_RAW(ctx, &vectors, n * n + 1));
    CHECK(SCRATCH(ctx, &t->turn, t->width * n + 1));
    CHECK(SCRATCH_EACH(ctx, n * m + 1, &t->shares, &t->fits));
    CHECK(own_sums(ctx, t, gram, side, means));
    CHECK(cairn_symmetric_eigen(ctx, values, vectors, gram, n));
    for (size_t k = 0; k < n; k++) {
        const double *v = vectors + k * n;
        double a = cairn_dot(v, side, n), floor = 1e-14 * values[0];
        for (size_t j = 0; j < n; j++) {
            double unit = j < t->x.n_terms ? t->x.scale[j] : 1;
            t->turn[j * n + k] = v[j] / unit;
            if (rows->free) t->turn[(t->width - 1) * n + k] -= means[j] * v[j] / unit;
        }
        for (size_t l = 0; l < m; l++) {
            double whole = fmax(0, values[k]) + rows->lambdas[l];
            if (!(whole > floor)) continue; /* nothing varies that way */
            t->shares[k * m + l] = 1 / whole;
            t->fits[k * m + l] = a / whole;
        }
    }
    return CAIRN_OK;
}

/* The mean squared error of rows that are left out, one at a time (of a row of weight w one of its
 * w copies), and its standard error, for each strength. Infinite where a row alone determines a
 * coefficient. Fails where the squares of the columns in their own units are no numbers. */
static cairn_status cairn_ridge_loo(cairn_context *ctx, const cairn_ridge_rows *rows, double *means,
                                    double *errors)
{
    SCOPED_SCRATCH(ctx);
    size_t m = rows->n_lambdas, n = rows->quadratic->n;
    double *sums, total = rows->squares->total;
    turning t = {.rows = rows, .width = n, .n = n - (rows->free ? 1 : 0)};
    cairn_row_sum sum = {.size = 2 * m, .piece = loo_piece, .data = &t};
    cairn_matrix_options options = {
        .units = rows->units, .ones = rows->ones, .buffer = 2 * (n + m)};
    options.scores = n > m ? n : m;
    t.constant = rows->free ? 1 / total : 0;
    CHECK(cairn_matrix_open(ctx, &t.x, rows->view, &options));
    CHECK(SCRATCH_RAW(ctx, &sums, 2 * m + 1));
    CHECK(make_turning(ctx, &t));
    CHECK(cairn_matrix_sum(ctx, &t.x, &sum, sums));
    for (size_t l = 0; l < m; l++) {
        means[l] = sums[l] / total;
        double spread = sums[m + l] / total - means[l] * means[l];
        errors[l] = total > 1 ? sqrt(fmax(0, spread) / (total - 1)) : NAN;
    }
    return CAIRN_OK;
}

enum { NEWTON_TERMS = 1000, MOST_PATH = 1000 };

typedef struct ridge_params {
    const char *lambda;
    int path;
    double path_ratio;
    const char *inner;
    int choose;
    bool intercept, penalise_intercept;
    int weights_are;
} ridge_params;

static const cairn_param ridge_parameters[] = {
    CAIRN_PARAM_AS(ridge_params, lambda, CAIRN_TYPE_LIST, NULL,
                   "strength λ of the penalty, or several to choose from; a grid unless given",
                   .often = true),
    CAIRN_PARAM(ridge_params, path, "50", "[2,1000]", "strengths of the grid"),
    CAIRN_PARAM(ridge_params, path_ratio, "1e-10", "(0,1)",
                "last strength of the grid over its first"),
    CAIRN_PARAM(ridge_params, inner, "gcv", NULL,
                "how a strength is chosen: gcv, generalised cross-validation, loo, each row left "
                "out, or a resampling whose held-out rows judge, such as cv:10",
                .often = true),
    CAIRN_PARAM_CHOICE(ridge_params, choose, "best", cairn_lasso_choosing,
                       "which strength the held-out rows choose", .when = "!inner=gcv"),
    CAIRN_PARAM(ridge_params, intercept, "yes", NULL, "fit a constant term"),
    CAIRN_PARAM(ridge_params, penalise_intercept, "no", NULL,
                "the penalty counts the constant too"),
    CAIRN_WEIGHTS_ARE(ridge_params, "counts"),
    CAIRN_PARAM_END,
};

enum { LAMBDA, DF, SSE, GCV, COLUMNS }; /* of the path */

typedef struct ridge_history {
    double spread; /* squares of the target about its mean */
    size_t n_path, chosen;
    double *path;             /* n_path x COLUMNS */
    bool held;                /* rows were held out */
    double *means, *errors;   /* n_path: their mean squared error and its standard error */
    size_t n_terms, n_traced; /* coefficients that are kept along the path */
    int32_t *traced;          /* their terms */
    double *traces;           /* n_path x n_traced */
} ridge_history;

static void clear_history(void *data)
{
    ridge_history *history = data;
    FREE_EACH(history->path, history->means, history->errors, history->traced, history->traces);
}

typedef struct problem {
    cairn_row_matrix x;
    cairn_squares_loss squares;
    cairn_row_loss loss;
    cairn_scored scored;
    cairn_objective objective;
    cairn_place place;
    cairn_quadratic quadratic;
    cairn_progress progress;
    double observations; /* that the weights of the rows come to */
} problem;

/* -- fitting -- */

/* The rows, and up to NEWTON_TERMS the quadratic function that the sums of squares are. */
static cairn_status open_problem(cairn_context *ctx, problem *p, const cairn_job *job)
{
    const ridge_params *params = job->params;
    size_t n_dense, n;
    cairn_terms_count(job->schema, &n_dense, &n);
    bool wide = n > NEWTON_TERMS, free = params->intercept && !params->penalise_intercept;
    cairn_matrix_options options = {
        .ones = params->intercept, .buffer = cairn_scored_buffer(1), .scores = 1};
    options.units = free ? CAIRN_UNITS_SHIFTED : CAIRN_UNITS_SCALED;
    options.tile = wide;
    options.sum_size = wide ? 0 : cairn_scored_sum(n + 1, 1);
    p->progress = (cairn_progress){.what = "ridge", .most = 100, .tolerance = 1e-14};
    CHECK(cairn_squares_open(ctx, &p->squares, job->view, free));
    p->observations = cairn_weights_observations(job->view, params->weights_are);
    CHECK(cairn_matrix_open(ctx, &p->x, job->view, &options));
    p->x.weighted = false; /* the loss weighs the rows */
    p->loss = cairn_squares_row_loss(&p->squares);
    CHECK(cairn_scored_open(ctx, &p->scored, &p->objective, &p->x, &p->loss));
    n = p->objective.n;
    CHECK(SCRATCH_EACH(ctx, n + 1, &p->place.x, &p->place.gradient));
    if (wide) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &p->place.hessian, cairn_product(n, n) + 1));
    CHECK(cairn_quadratic_of(ctx, &p->quadratic, &p->objective));
    p->quadratic.ridges = p->scored.ridges;
    p->objective = cairn_quadratic_objective(&p->quadratic);
    return CAIRN_OK;
}

/* The strengths, falling; the grid starts where a thousandth is left of the coefficients: at a
 * thousand times the largest sum of squares of a column. */
static cairn_status list_lambdas(cairn_context *ctx, const problem *p, const ridge_params *params,
                                 double **out, size_t *n)
{
    size_t most = p->x.tiles ? 1 : MOST_PATH;
    double first = 0;
    if (p->x.tiles && !params->lambda)
        return cairn_fail(ctx, CAIRN_USAGE, "{lambda} must be given for %zu terms", p->x.n_terms);
    for (size_t t = 0; t < p->x.n_terms && !p->x.tiles; t++)
        first = fmax(first, p->quadratic.hessian[t * (p->quadratic.n + 1)] / p->x.scale[t] /
                                p->x.scale[t]);
    CHECK(cairn_strengths(ctx, cairn_say(ctx, "{lambda}"), params->lambda,
                          first > 0 ? 1000 * first : 1, params->path_ratio, (size_t)params->path,
                          out, n));
    if (*n <= most) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "lambda: at most %zu strengths for %zu terms", most,
                      p->x.n_terms);
}

/* The minimum at a strength, from where the last one was, as a row of the path. */
static cairn_status solve(cairn_context *ctx, problem *p, double lambda, bool all, double *row)
{
    cairn_place *at = &p->place;
    size_t n = p->objective.n;
    double penalty = 0, total = p->observations, *ridges = p->scored.ridges;
    for (size_t t = 0; t < p->x.n_terms; t++) ridges[t] = lambda * p->x.scale[t] * p->x.scale[t];
    if (all && p->x.ones) ridges[p->x.n_terms] = lambda;
    CHECK(p->objective.look(ctx, p->objective.data, at->x, &at->value, at->gradient, at->hessian));
    if (!isfinite(at->value)) return cairn_matrix_refuse(ctx, &p->x, NULL);
    if (n && p->x.tiles) CHECK(cairn_newton_cg(ctx, &p->objective, at, &p->progress, NULL));
    if (n && !p->x.tiles) CHECK(cairn_newton(ctx, &p->objective, at, &p->progress, NULL, 0, false));
    for (size_t j = 0; j < n; j++) penalty += ridges[j] * at->x[j] * at->x[j] / 2;
    row[LAMBDA] = lambda;
    row[SSE] = fmax(0, 2 * (at->value - penalty));
    row[DF] = row[GCV] = NAN;
    if (p->x.tiles) return CAIRN_OK;
    CHECK(cairn_degrees_of_freedom(ctx, at->hessian, ridges, n, &row[DF]));
    double left = fmax(0, total - row[DF]);
    row[GCV] = total * row[SSE] / (left * left);
    return CAIRN_OK;
}

static void show_path(cairn_report *out, const ridge_history *history)
{
    static const char *const heads[] = {"λ", "degrees of freedom", "squared errors", "GCV"};
    static const char *const keys[] = {"lambda", "df", "sse", "gcv"};
    cairn_report_table_begin(out, "Strengths of the penalty", 0);
    for (size_t j = 0; j < COLUMNS; j++) cairn_report_column(out, heads[j], 'r');
    if (history->held) cairn_report_columns(out, "rr", "held-out, per row", "its error");
    for (size_t i = 0; i < history->n_path; i++) {
        if (i == history->chosen) cairn_report_row_mark(out);
        for (size_t j = 0; j < COLUMNS; j++)
            cairn_report_cell_number(out, history->path[i * COLUMNS + j], 6, "path%zu.%s", i + 1,
                                     keys[j]);
        if (!history->held) continue;
        cairn_report_cell_number(out, history->means[i], 6, "path%zu.held_out", i + 1);
        cairn_report_cell_number(out, history->errors[i], 6, "path%zu.error", i + 1);
    }
    cairn_report_table_end(out);
}

/* The equations that the coefficients solve at the chosen strength: XᵀX + λI and Xᵀy in the units
 * of the columns that the learner sees, a free constant eliminated, which takes the means out. */
static cairn_status show_system(cairn_context *ctx, cairn_report *out, const problem *p,
                                const cairn_job *job, double lambda, const double *weights)
{
    enum { MOST_SHOWN = 8 };
    const ridge_params *params = job->params;
    const cairn_quadratic *q = &p->quadratic;
    const char *const *names;
    size_t n = p->x.n_terms;
    double *system, *right;
    bool free = params->intercept && !params->penalise_intercept;
    if (!out || p->x.tiles || !n || n > MOST_SHOWN || (params->intercept && !free)) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_term_names(ctx, &names, job->schema));
    CHECK(SCRATCH(ctx, &system, n * n));
    CHECK(SCRATCH(ctx, &right, n));
    for (size_t i = 0; i < n; i++) {
        const double *row = q->hessian + i * q->n;
        double by = free ? row[n] / q->hessian[n * q->n + n] : 0;
        for (size_t j = 0; j < n; j++)
            system[i * n + j] = (row[j] - (free ? by * q->hessian[n * q->n + j] : 0)) /
                                    (p->x.scale[i] * p->x.scale[j]) +
                                (i == j ? lambda : 0);
        right[i] = -(q->gradient[i] - (free ? by * q->gradient[n] : 0)) / p->x.scale[i];
    }
    cairn_report_paragraph(out, free ? "The equations at the chosen strength, the means of columns "
                                       "and target taken out:"
                                     : "The equations at the chosen strength:");
    cairn_show_term_matrix(out, "XᵀX + λI", "system", system, n, names);
    cairn_report_table_of(out, "Right side and solution", 0, "lrr", "term", "Xᵀy", "w");
    for (size_t i = 0; i < n; i++) {
        const char *key = cairn_term_key(out, names[i]);
        cairn_report_cell(out, names[i]);
        cairn_report_cell_number(out, right[i], 0, "right.%s", key);
        cairn_report_cell_number(out, weights[i], 0, "solution.%s", key);
    }
    cairn_report_table_end(out);
    if (n == 1)
        cairn_report_worked(out, "w", "Xᵀy / (XᵀX + λ) = # / (# + #) = #", right[0],
                            system[0] - lambda, lambda, weights[0]);
    return CAIRN_OK;
}

/* Errors of folds: those of a penalty without a lasso. */
static cairn_status hold_out(cairn_context *ctx, const cairn_job *job, double *lambdas,
                             ridge_history *history)
{
    const ridge_params *params = job->params;
    cairn_lasso_params as = {.mix = 0, .q = NAN, .objective = CAIRN_LASSO_HALF};
    cairn_lasso_problem p = {0};
    as.inner = params->inner;
    as.choose = params->choose;
    as.intercept = params->intercept;
    as.penalise_intercept = params->penalise_intercept;
    CHECK(cairn_lasso_open(ctx, &p, job, &as));
    CHECK(cairn_lasso_sum_rows(ctx, &p, job));
    p.strengths = lambdas;
    p.n_path = history->n_path;
    return cairn_lasso_validate(ctx, &p, history->means, history->errors, &history->chosen);
}

/* The choice by held-out rows, where they are asked for. */
static cairn_status judge_held_out(cairn_context *ctx, const problem *p, const cairn_job *job,
                                   double *lambdas, ridge_history *history)
{
    const ridge_params *params = job->params;
    if (cairn_same(params->inner, "gcv")) return CAIRN_OK;
    if (p->x.tiles)
        return cairn_fail(ctx, CAIRN_USAGE, "{inner %s}: %zu terms are too many for a choice",
                          params->inner, p->x.n_terms);
    CHECK(NEW_EACH(ctx, history->n_path, &history->means, &history->errors));
    history->held = true;
    if (cairn_same(params->inner, "loo")) {
        /* Errors of rows that are left out one at a time. */
        bool free = params->intercept && !params->penalise_intercept;
        cairn_ridge_rows rows = {.view = job->view, .ones = p->x.ones, .squares = &p->squares};
        rows.units = free ? CAIRN_UNITS_SHIFTED : CAIRN_UNITS_SCALED;
        rows.quadratic = &p->quadratic;
        rows.free = free;
        rows.lambdas = lambdas;
        rows.n_lambdas = history->n_path;
        if (job->view->rows.n < 2)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "{inner loo} needs at least two rows, there is %zu",
                              job->view->rows.n);
        CHECK(cairn_ridge_loo(ctx, &rows, history->means, history->errors));
        history->chosen = cairn_strengths_least(history->means, history->errors, history->n_path,
                                                params->choose != 0);
        return CAIRN_OK;
    }
    return hold_out(ctx, job, lambdas, history);
}

/* The lines of the picture: the coefficients that are largest somewhere on the path, per size of
 * their columns. */
static cairn_status trace(cairn_context *ctx, const problem *p, const double *weights,
                          ridge_history *history)
{
    size_t width = p->x.n_terms + 1, n = history->n_path;
    double *sizes;
    history->n_terms = p->x.n_terms;
    if (n < 2) return CAIRN_OK;
    CHECK(NEW(ctx, &history->traced, CAIRN_PATH_LINES));
    CHECK(SCRATCH(ctx, &sizes, width));
    for (size_t j = 0; j < p->x.n_terms; j++) {
        double size = sqrt(p->quadratic.hessian[j * (p->quadratic.n + 1)]) / p->x.scale[j];
        for (size_t i = 0; i < n; i++)
            sizes[j] = fmax(sizes[j], fabs(weights[i * width + j]) * size);
    }
    history->n_traced = cairn_path_largest(sizes, p->x.n_terms, history->traced);
    CHECK(NEW(ctx, &history->traces, n * history->n_traced + 1));
    for (size_t i = 0; i < n; i++)
        for (size_t t = 0; t < history->n_traced; t++)
            history->traces[i * history->n_traced + t] =
                weights[i * width + (size_t)history->traced[t]];
    return CAIRN_OK;
}

/* Whether the columns, with the penalty, nearly depend on each other. */
static cairn_status is_close(cairn_context *ctx, const problem *p, double lambda, bool *close)
{
    SCOPED_SCRATCH(ctx);
    size_t n = p->quadratic.n, pivot;
    double *a, *units, condition;
    *close = false;
    if (p->x.tiles || !n) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &a, cairn_product(n, n)));
    CHECK(SCRATCH(ctx, &units, n));
    for (size_t j = 0; j < n; j++) {
        double scale = j < p->x.n_terms ? p->x.scale[j] : 1, ridge = lambda * scale * scale;
        if (j == p->x.n_terms) ridge = p->scored.ridges[j];
        double own = p->quadratic.hessian[j * (n + 1)] + ridge;
        a[j * (n + 1)] = own > 0 ? ridge / own : 1;
        units[j] = own > 0 ? 1 / sqrt(own) : 0;
    }
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < n; k++)
            a[j * n + k] += p->quadratic.hessian[j * n + k] * units[j] * units[k];
    CHECK(cairn_cholesky(ctx, a, n, &condition, &pivot));
    *close = condition < 1e-8;
    return CAIRN_OK;
}

/* Products of columns that nearly depend on each other have lost half of the digits that tell them
 * apart: then the weights come from an orthogonal triangle of the rows and √λ I. */
static cairn_status sharpen(cairn_context *ctx, const cairn_job *job, double lambda,
                            double *weights)
{
    SCOPED_SCRATCH(ctx);
    const ridge_params *params = job->params;
    bool free = params->intercept && !params->penalise_intercept;
    size_t n_dense, p, width, n, rank, q;
    cairn_terms_count(job->schema, &n_dense, &p);
    cairn_matrix_options options = {.target = true, .ones = true};
    cairn_row_matrix x;
    double *all, *a, *y, *lengths, *found;
    options.units = free ? CAIRN_UNITS_SHIFTED : CAIRN_UNITS_SCALED;
    width = p + 2;
    options.sum_size = cairn_product(width, width);
    CHECK(cairn_matrix_open(ctx, &x, job->view, &options));
    CHECK(SCRATCH(ctx, &all, options.sum_size));
    CHECK(cairn_linear_triangle(ctx, &x, params->intercept, NULL, 0, all));
    q = p + (params->intercept ? 1 : 0); /* the constant last, which is first in the triangle */
    n = width + q;
    CHECK(SCRATCH(ctx, &a, cairn_product(n, q) + 1));
    CHECK(SCRATCH(ctx, &y, n));
    CHECK(SCRATCH_EACH(ctx, q + 1, &lengths, &found));
    for (size_t i = 0; i < width; i++) y[i] = all[i * width + p + 1];
    for (size_t j = 0; j < q; j++) {
        double *column = a + j * n, scale = j < p ? x.scale[j] : 1, square = 0;
        for (size_t i = 0; i < width; i++) column[i] = all[i * width + (j < p ? j + 1 : 0)];
        if (j < p || !free) column[width + j] = sqrt(lambda) * scale;
        for (size_t i = 0; i < n; i++) square += column[i] * column[i];
        lengths[j] = square > 0 ? sqrt(square) : 1;
        for (size_t i = 0; i < n; i++) column[i] /= lengths[j];
    }
    if (q) CHECK(cairn_svd_least_squares(ctx, found, NULL, &rank, a, y, n, q, 1e-15));
    for (size_t j = 0; j < q; j++) found[j] /= lengths[j] * x.scale[p];
    cairn_row_matrix own = x; /* of the features alone */
    own.width = p + (params->intercept ? 1 : 0);
    own.ones = params->intercept;
    cairn_matrix_raw(&own, found, 1, 1, weights);
    if (params->intercept) weights[p] += x.shift[p];
    return CAIRN_OK;
}

/* X'(y - Xc) = λc at the strength that was chosen. */
static cairn_status certify(cairn_context *ctx, const cairn_job *job, const double *weights,
                            double lambda, size_t n_terms, bool direct)
{
    SCOPED_SCRATCH(ctx);
    const ridge_params *params = job->params;
    double *ridges;
    CHECK(SCRATCH(ctx, &ridges, n_terms + 1));
    for (size_t t = 0; t < n_terms + (params->penalise_intercept ? 1 : 0); t++) ridges[t] = lambda;
    cairn_slopes s = {.view = job->view, .weights = weights, .constant = params->intercept};
    s.ridges = ridges;
    return cairn_slopes_certify_squares(ctx, job->certificate, &s,
                                        direct ? CAIRN_SLOPES_DIRECT : 1e-6);
}

/* One pass over the rows serves all strengths; they come falling and a later one must be better,
 * so of equally good ones the largest is taken. */
static cairn_status ridge_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const ridge_params *params = job->params;
    ridge_history own = {0}, *history = job->history ? job->history : &own;
    problem p = {0};
    double *lambdas, *weights;
    cairn_status status;
    TRY(open_problem(ctx, &p, job));
    TRY(list_lambdas(ctx, &p, params, &lambdas, &history->n_path));
    TRY(NEW(ctx, &history->path, history->n_path * COLUMNS));
    size_t width = p.x.n_terms + 1;
    TRY(SCRATCH(ctx, &weights, cairn_product(history->n_path, width)));
    for (size_t i = 0; i < history->n_path; i++) {
        double *row = history->path + i * COLUMNS;
        TRY(solve(ctx, &p, lambdas[i], params->penalise_intercept, row));
        cairn_matrix_raw(&p.x, p.place.x, 1, 1, weights + i * width);
        if (row[GCV] < history->path[history->chosen * COLUMNS + GCV]) history->chosen = i;
    }
    TRY(judge_held_out(ctx, &p, job, lambdas, history));
    if (job->history) TRY(trace(ctx, &p, weights, history));
    history->spread = p.squares.spread;
    double *best = weights + history->chosen * width;
    best[p.x.n_terms] += p.squares.shift;
    bool close;
    TRY(is_close(ctx, &p, lambdas[history->chosen], &close));
    if (close) TRY(sharpen(ctx, job, lambdas[history->chosen], best));
    cairn_report *out = job->steps;
    cairn_report_step_begin(out, "The minimum for every strength");
    cairn_report_formula(out, "(XᵀX + λI) w = Xᵀy,  df = tr (XᵀX + λI)⁻¹XᵀX,  "
                              "GCV = n·SSE / (n − df)²");
    show_path(out, history);
    TRY(show_system(ctx, out, &p, job, lambdas[history->chosen], best));
    cairn_report_step_end(out);
    TRY(certify(ctx, job, best, lambdas[history->chosen], p.x.n_terms, !p.x.tiles));
    TRY(cairn_weights_keep(ctx, model, best, p.x.n_terms, p.x.ones));
done:
    clear_history(&own);
    return status;
}

/* -- showing and keeping -- */

static cairn_status path_of(cairn_context *ctx, const void *data, cairn_squares_path *out)
{
    const ridge_history *history = data;
    double *strengths;
    CHECK(SCRATCH(ctx, &strengths, history->n_path));
    for (size_t i = 0; i < history->n_path; i++) strengths[i] = history->path[i * COLUMNS + LAMBDA];
    *out = (cairn_squares_path){.n = history->n_path, .chosen = history->chosen};
    out->strengths = strengths;
    out->n_traced = history->n_traced;
    out->traced = history->traced;
    out->traces = history->traces;
    out->means = history->means;
    out->errors = history->errors;
    return CAIRN_OK;
}

CAIRN_SQUARES_FIGURES(ridge_figures, path_of);

/* The figures are those of the chosen strength; held-out errors are there only where rows were
 * held out. */
static void ridge_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const ridge_history *history = job->history;
    cairn_report_heading(out, 2, "Ridge regression");
    cairn_weights_show(out, model, job);
    cairn_weights_show_meaning(out, job, ((const ridge_params *)job->params)->weights_are, 0);
    if (!history) return;
    const double *row = history->path + history->chosen * COLUMNS;
    cairn_report_value(out, "strength λ", row[LAMBDA], "lambda");
    cairn_report_value(out, "degrees of freedom", row[DF], "df");
    cairn_report_value(out, "squared errors", row[SSE], "sse");
    cairn_report_value(out, "R²", history->spread > 0 ? 1 - row[SSE] / history->spread : NAN, "r2");
    cairn_report_value(out, "generalised cross-validation", row[GCV], "gcv");
    if (history->held) {
        cairn_report_value(out, "mean squared error of held-out rows",
                           history->means[history->chosen], "held_out");
        cairn_report_value(out, "its standard error", history->errors[history->chosen],
                           "held_out.error");
    }
    if (history->n_path > 1) show_path(out, history);
    cairn_squares_show(out, path_of, job, true);
}

/* Files from before version 14 end with the path. */
static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    ridge_history *history = data;
    CHECK(cairn_archive_real(a, "spread", &history->spread));
    CHECK(cairn_archive_size(a, "n_path", &history->n_path, MOST_PATH));
    CHECK(cairn_archive_size(a, "chosen", &history->chosen, MOST_PATH));
    if (history->chosen >= history->n_path)
        CHECK(cairn_archive_damaged(a, "no strength was chosen"));
    CHECK(cairn_archive_reals(a, "path", &history->path, history->n_path * COLUMNS));
    if (cairn_archive_version(a) < 14) return CAIRN_OK;
    CHECK(cairn_archive_size(a, "n_terms", &history->n_terms, UINT32_MAX));
    CHECK(cairn_archive_size(a, "n_traced", &history->n_traced, CAIRN_PATH_LINES));
    CHECK(cairn_archive_ints(a, "traced", &history->traced, history->n_traced));
    CHECK(cairn_archive_reals(a, "traces", &history->traces, history->n_path * history->n_traced));
    for (size_t t = 0; t < history->n_traced; t++)
        if (history->traced[t] < 0 || (size_t)history->traced[t] >= history->n_terms ||
            history->n_terms != ((const cairn_weights *)model)->n_terms)
            CHECK(cairn_archive_damaged(a, "a traced coefficient is of no term"));
    CHECK(cairn_archive_bool(a, "held", &history->held));
    if (!history->held) return CAIRN_OK;
    CHECK(cairn_archive_reals(a, "means", &history->means, history->n_path));
    return cairn_archive_reals(a, "errors", &history->errors, history->n_path);
}

static const cairn_history ridge_story = {
    .size = sizeof(ridge_history), .archive = archive_history, .clear = clear_history};

const cairn_learner cairn_ridge = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "ridge",
            .also = "Tikhonov regularisation, L2 regularisation, penalised regression, weight "
                    "decay, shrinkage, RidgeClassifier, RidgeCV, ridge regression, regularised "
                    "least squares, regularised regression",
            .title = "Ridge regression",
            .summary =
                "Fits the target as a constant plus a weighted sum of the features, with the "
                "smallest sum of squared residuals plus a penalty on the squared coefficients, "
                "whose strength is given or chosen by generalised cross-validation, by leaving "
                "rows out or by folds. The penalty "
                "compares coefficients, so columns are standardised first unless --scale says "
                "otherwise.",
            .references = "Hoerl and Kennard, Ridge regression (1970); Golub, Heath and Wahba, "
                          "Generalized cross-validation (1979)",
            .example = "cairn fit ridge @used-cars --target price",
            .params = ridge_parameters,
            .params_size = sizeof(ridge_params),
        },
    .tasks = CAIRN_REGRESS,
    .space = "lambda=1000,100,10,1,0.1,0.01,0.001",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_BAGS |
               CAIRN_ACCEPTS_NO_FEATURES | CAIRN_WANTS_REFERENCE | CAIRN_WANTS_SCALING,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER | CAIRN_CLAIM_COLUMN_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING,
    CAIRN_WEIGHTS_RECORD,
    .tables = cairn_weights_tables,
    .history = &ridge_story,
    .fit = ridge_fit,
    .describe = ridge_describe,
    .figures = ridge_figures,
};
