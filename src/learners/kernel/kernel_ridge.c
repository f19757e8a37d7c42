/* SPDX-License-Identifier: MIT */
/* Kernel ridge regression: ridge regression in the space whose inner product the kernel is.
 *
 * Problem: minimise Σ w_i (t_i - f(x_i))² + λ |f|² over f(x) = Σ_i α_i k(x_i, x), without an
 * intercept: (K + λ W⁻¹) α = t, with W the weights of the rows. Classes are numbers, too: +1 for a
 * class and -1 for the others, a column of α for each (one for two classes).
 *
 * Method:
 * 1. One strength λ: K, its upper triangle alone, is factored by Cholesky in place.
 * 2. Several: one eigendecomposition W½ K W½ = Q Λ Q' serves all of them. The error of a row that
 *    is left out is α_i / ((K + λ W⁻¹)⁻¹)_ii, without another fit; the λ of the least mean square
 *    of these is taken, the largest of equal ones.
 * A residual is t_i - f(x_i) = λ α_i / w_i, so no α is 0 unless its row is met exactly: the model
 * keeps all rows. Cost: n² p for K, n³/3 for the factor, about 9 n³ for eigenvectors; memory n²
 * numbers (twice that for several λ). */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "learners/kernel/kernel_method.h"
#include "data/ledger.h"
#include "report/table_rows.h"
#include "rows/matrix.h"
#include "rows/used.h"
#include "solve/solvers.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_PATH = 1000,
    MOST_LEFT_OUT = 1000, /* rows up to which one λ is judged by leaving rows out */
    SHOWN_MATRIX = 12,
    SHOWN_ALPHAS = 200
};

typedef struct kernel_ridge_params {
    cairn_kernel_params kernel;
    const char *lambda;
    bool intercept;
} kernel_ridge_params;

static const cairn_param kernel_ridge_parameters[] = {
    CAIRN_PARAM_AS(kernel_ridge_params, lambda, CAIRN_TYPE_LIST, "1",
                   "strength λ of the penalty, or several to choose from by leaving rows out",
                   .often = true),
    CAIRN_PARAM(kernel_ridge_params, intercept, "no", NULL,
                "the mean of the target is taken off before and added to predictions"),
    CAIRN_KERNEL(kernel_ridge_params),
    CAIRN_PARAM_END,
};

typedef struct kernel_ridge_model {
    cairn_kernel kernel;
    cairn_kernel_rows rows;
    size_t n_scores;
    int32_t positive;  /* classes: of one score, the class that it speaks for; else -1 */
    double *alphas;    /* n_scores x rows.n */
    double *constants; /* n_scores */
} kernel_ridge_model;

enum { LAMBDA, DF, LEFT_OUT, TRAINING, COLUMNS }; /* of the path */

typedef struct kernel_ridge_history {
    size_t n_path, chosen;
    double *path;  /* n_path x COLUMNS */
    double spread; /* mean square of the targets about their constants */
} kernel_ridge_history;

/* What is solved. */
typedef struct problem {
    const cairn_job *job;
    cairn_view view; /* rows that count */
    size_t n, m;     /* rows, scores */
    const double *weights;
    double *targets; /* m x n, less the constants */
    double *lambdas;
    double total; /* sum of weights */
} problem;

/* -- targets -- */

/* +1 for the class of the score and -1 for all others, or numbers. */
static void code_targets(const problem *p, double *out, size_t score, int32_t *codes)
{
    const cairn_job *job = p->job;
    if (job->task != CAIRN_CLASSIFY) {
        cairn_view_target_numbers(&p->view, 0, p->n, out);
        return;
    }
    int32_t code = p->m == 1 ? job->positive : (int32_t)score;
    cairn_view_target_codes(&p->view, 0, p->n, codes);
    for (size_t i = 0; i < p->n; i++) out[i] = codes[i] == code ? 1 : -1;
}

/* Targets are centred where there is an intercept; `spread` is about the mean in either case. */
static cairn_status read_targets(cairn_context *ctx, problem *p, kernel_ridge_model *m,
                                 double *spread)
{
    const kernel_ridge_params *params = p->job->params;
    double *weights;
    int32_t *codes;
    CHECK(SCRATCH_RAW_EACH(ctx, p->n, &weights, &codes));
    CHECK(SCRATCH_RAW(ctx, &p->targets, cairn_product(p->m, p->n)));
    CHECK(NEW(ctx, &m->constants, p->m));
    cairn_view_weights(&p->view, 0, p->n, weights);
    p->weights = weights;
    p->total = cairn_sum(weights, p->n);
    *spread = 0;
    for (size_t s = 0; s < p->m; s++) {
        double *t = p->targets + s * p->n, mean = 0;
        code_targets(p, t, s, codes);
        for (size_t i = 0; i < p->n; i++) {
            if (!isfinite(t[i]))
                return cairn_refuse_number(ctx, p->view.target_name, cairn_view_row(&p->view, i),
                                           t[i]);
            mean += weights[i] / p->total * t[i];
        }
        if (params->intercept) m->constants[s] = mean;
        for (size_t i = 0; i < p->n; i++) {
            *spread += weights[i] * (t[i] - mean) * (t[i] - mean) / p->total;
            t[i] -= m->constants[s];
        }
    }
    return CAIRN_OK;
}

/* -- solving -- */

static cairn_status refuse_matrix(cairn_context *ctx, const problem *p, double lambda,
                                  const cairn_kernel *kernel, double smallest)
{
    char number[CAIRN_NUMBER_SIZE], strength[CAIRN_NUMBER_SIZE], why[128] = "";
    cairn_number_format(strength, lambda, 6);
    cairn_number_format(number, smallest, 6);
    if (!isnan(smallest)) snprintf(why, sizeof why, ", whose smallest eigenvalue is %s", number);
    return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                      "K + λI is not positive definite with λ = %s: the matrix K of the %s of %zu "
                      "rows%s is none of inner products, or rows are alike and λ is too small; "
                      "take a larger {lambda}%s",
                      strength, kernel->function ? kernel->function->entry.title : "given values",
                      p->n, why, kernel->function ? cairn_say(ctx, " or another {kernel}") : "");
}

/* A row of the path from α and, where they are known, the diagonal of the inverse. */
static void judge(const problem *p, const double *alphas, const double *inverse, double lambda,
                  double *row)
{
    double training = 0, left_out = 0;
    for (size_t s = 0; s < p->m; s++)
        for (size_t i = 0; i < p->n; i++) {
            double w = p->weights[i], a = alphas[s * p->n + i], e = lambda * a / w;
            training += w * e * e;
            if (!inverse) continue;
            e = a / inverse[i];
            left_out += w * e * e;
        }
    row[LAMBDA] = lambda;
    row[TRAINING] = training / p->total;
    row[LEFT_OUT] = inverse ? left_out / p->total : NAN;
}

/* One strength: Cholesky in place; few rows are left out in turn by its inverse. */
static cairn_status solve_one(cairn_context *ctx, const problem *p, kernel_ridge_model *m,
                              double *row)
{
    SCOPED_SCRATCH(ctx);
    double *k, *inverse = NULL, lambda = p->lambdas[0];
    size_t n = p->n, pivot;
    CHECK(SCRATCH_RAW(ctx, &k, cairn_product(n, n)));
    CHECK(cairn_kernel_gram(ctx, &m->kernel, &m->rows, true, k));
    for (size_t i = 0; i < n; i++) k[i * (n + 1)] += lambda / p->weights[i];
    CHECK(cairn_cholesky_large(ctx, k, n, &pivot));
    if (pivot < n) return refuse_matrix(ctx, p, lambda, &m->kernel, NAN);
    memcpy(m->alphas, p->targets, p->m * n * sizeof *m->alphas);
    CHECK(cairn_cholesky_solve(ctx, k, n, m->alphas, p->m));
    row[DF] = NAN;
    if (n <= MOST_LEFT_OUT) {
        CHECK(cairn_cholesky_inverse(ctx, k, n));
        CHECK(SCRATCH_RAW(ctx, &inverse, n));
        row[DF] = (double)n;
        for (size_t i = 0; i < n; i++) {
            inverse[i] = k[i * (n + 1)];
            row[DF] -= lambda / p->weights[i] * inverse[i];
        }
    }
    judge(p, m->alphas, inverse, lambda, row);
    return CAIRN_OK;
}

typedef struct spectrum {
    double *values, *vectors; /* n; n x n, a row for each value */
    double *parts;            /* m x n: of the targets along the vectors */
    double *roots;            /* of the weights */
} spectrum;

/* One decomposition serves every strength of the penalty, so that many can be tried. */
static cairn_status decompose(cairn_context *ctx, const problem *p, const kernel_ridge_model *m,
                              spectrum *s)
{
    size_t n = p->n;
    double *k, *weighted;
    CHECK(SCRATCH_RAW_EACH(ctx, n, &s->values, &s->roots));
    CHECK(SCRATCH_RAW(ctx, &s->parts, cairn_product(p->m, n)));
    CHECK(SCRATCH_RAW(ctx, &s->vectors, cairn_product(n, n)));
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &k, cairn_product(n, n)));
    CHECK(SCRATCH_RAW(ctx, &weighted, n));
    CHECK(cairn_kernel_gram(ctx, &m->kernel, &m->rows, true, k));
    for (size_t i = 0; i < n; i++) s->roots[i] = sqrt(p->weights[i]);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) k[i * n + j] *= s->roots[i] * s->roots[j];
    CHECK(cairn_symmetric_eigen(ctx, s->values, s->vectors, k, n));
    for (size_t r = 0; r < p->m; r++) {
        for (size_t i = 0; i < n; i++) weighted[i] = s->roots[i] * p->targets[r * n + i];
        for (size_t e = 0; e < n; e++)
            s->parts[r * n + e] = cairn_dot(s->vectors + e * n, weighted, n);
    }
    return CAIRN_OK;
}

/* Strengths fall, and a later one must be better: of equally good ones the largest is taken. */
static cairn_status solve_path(cairn_context *ctx, const problem *p, kernel_ridge_model *m,
                               kernel_ridge_history *history)
{
    SCOPED_SCRATCH(ctx);
    spectrum s;
    double *alphas, *inverse, smallest;
    size_t size = cairn_product(p->m, p->n);
    CHECK(decompose(ctx, p, m, &s));
    CHECK(SCRATCH_RAW(ctx, &alphas, size));
    CHECK(SCRATCH_RAW(ctx, &inverse, p->n));
    smallest = p->lambdas[history->n_path - 1];
    if (!(s.values[p->n - 1] + smallest > 0))
        return refuse_matrix(ctx, p, smallest, &m->kernel, s.values[p->n - 1]);
    for (size_t l = 0; l < history->n_path; l++) {
        double *row = history->path + l * COLUMNS;
        /* α and the diagonal of the inverse for one strength. */
        double lambda = p->lambdas[l];
        size_t n = p->n;
        memset(alphas, 0, p->m * n * sizeof *alphas);
        memset(inverse, 0, n * sizeof *inverse);
        row[DF] = 0;
        for (size_t e = 0; e < n; e++) {
            const double *q = s.vectors + e * n;
            double over = 1 / (s.values[e] + lambda);
            row[DF] += s.values[e] * over;
            for (size_t i = 0; i < n; i++) inverse[i] += over * q[i] * q[i];
            for (size_t r = 0; r < p->m; r++)
                cairn_axpy(alphas + r * n, over * s.parts[r * n + e], q, n);
        }
        for (size_t i = 0; i < n; i++) inverse[i] *= p->weights[i];
        for (size_t r = 0; r < p->m; r++)
            for (size_t i = 0; i < n; i++) alphas[r * n + i] *= s.roots[i];
        judge(p, alphas, inverse, lambda, row);
        if (l && !(row[LEFT_OUT] < history->path[history->chosen * COLUMNS + LEFT_OUT])) continue;
        history->chosen = l;
        memcpy(m->alphas, alphas, size * sizeof *alphas);
    }
    return CAIRN_OK;
}

/* -- steps -- */

static void show_solution(cairn_report *out, const problem *p, const kernel_ridge_model *m,
                          double lambda)
{
    cairn_report_step_begin(out, "The system is solved");
    cairn_report_formula(out, "(K + λ W⁻¹) α = t,  f(x) = Σ αᵢ k(xᵢ, x),  t − f = λ α / w");
    cairn_report_value(out, "λ", lambda, NULL);
    cairn_report_table_of(out, "Rows", 0, "rrrrr", "row", "t", "α", "f(x)", "t − f(x)");
    for (size_t i = 0; i < p->n && cairn_report_row_wanted(out); i++) {
        double t = p->targets[i], e = lambda * m->alphas[i] / p->weights[i];
        cairn_report_prefix(out, "row%zu", i + 1);
        cairn_report_cells(out, "- @.t @.alpha @.fitted @.residual",
                           cairn_view_row(&p->view, i) + 1, t + m->constants[0], m->alphas[i],
                           t - e + m->constants[0], e);
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* Only a linear kernel has weights of columns; other kernels show nothing here. */
static cairn_status show_weights(cairn_context *ctx, cairn_report *out, const problem *p,
                                 const kernel_ridge_model *m)
{
    const char *const *names;
    double *w, *terms;
    if (cairn_kernel_kind_of(&m->kernel) != CAIRN_KERNEL_LINEAR) return CAIRN_OK;
    CHECK(cairn_kernel_primal(ctx, &w, &m->rows, m->alphas));
    CHECK(cairn_term_names(ctx, &names, p->job->schema));
    CHECK(SCRATCH(ctx, &terms, 2 * p->n + 1));
    cairn_report_step_begin(out, "The weights that it stands for");
    cairn_report_formula(out, "w = Σ αᵢ xᵢ = (XᵀWX + λI)⁻¹ XᵀWt");
    for (size_t t = 0; t < m->rows.n_terms && t < SHOWN_MATRIX; t++) {
        for (size_t i = 0; i < p->n; i++) {
            terms[2 * i] = m->alphas[i];
            terms[2 * i + 1] = m->rows.dense ? m->rows.dense[i * m->rows.n_terms + t] : NAN;
        }
        if (m->rows.dense) cairn_report_worked_sum(out, names[t], "#·#", terms, 2, p->n, w[t]);
        cairn_report_hidden(out, w[t], "w.%s", cairn_term_key(out, names[t]));
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

static void show_path(cairn_report *out, const kernel_ridge_history *history, bool classify)
{
    static const char *const keys[] = {"lambda", "df", "left_out", "training"};
    cairn_report_table_of(out, "Strengths of the penalty", 0, "rrrr", "λ", "degrees of freedom",
                          classify ? "mean squared error of codes, rows left out"
                                   : "mean squared error, rows left out",
                          "training");
    for (size_t i = 0; i < history->n_path; i++) {
        if (i == history->chosen) cairn_report_row_mark(out);
        for (size_t j = 0; j < COLUMNS; j++)
            cairn_report_cell_number(out, history->path[i * COLUMNS + j], 6, "path%zu.%s", i + 1,
                                     keys[j]);
    }
    cairn_report_table_end(out);
}

static cairn_status show_steps(cairn_context *ctx, const problem *p, const kernel_ridge_model *m,
                               const kernel_ridge_history *history)
{
    cairn_report *out = p->job->steps;
    SCOPED_SCRATCH(ctx);
    double *k;
    if (!out) return CAIRN_OK;
    if (p->n <= SHOWN_MATRIX) {
        CHECK(SCRATCH_RAW(ctx, &k, p->n * p->n));
        CHECK(cairn_kernel_gram(ctx, &m->kernel, &m->rows, false, k));
        cairn_kernel_show_gram(out, &m->kernel, k, p->n, false);
    }
    if (history->n_path > 1) {
        cairn_report_step_begin(out, "The strength is chosen by leaving rows out");
        cairn_report_formula(out, "error of row i, left out = αᵢ / ((K + λ W⁻¹)⁻¹)ᵢᵢ");
        show_path(out, history, p->job->task == CAIRN_CLASSIFY);
        cairn_report_step_end(out);
    }
    show_solution(out, p, m, history->path[history->chosen * COLUMNS + LAMBDA]);
    return show_weights(ctx, out, p, m);
}

/* -- fitting -- */

/* n² numbers are asked for before anything is computed. */
static cairn_status open_problem(cairn_context *ctx, problem *p, kernel_ridge_model *m,
                                 size_t *n_path)
{
    const kernel_ridge_params *params = p->job->params;
    size_t n_dense, n_terms;
    cairn_terms_count(p->job->schema, &n_dense, &n_terms);
    CHECK(cairn_view_used(ctx, &p->view, p->job->view));
    p->n = p->view.rows.n;
    if (!p->n) return cairn_fail(ctx, CAIRN_BAD_DATA, "no row has a positive weight");
    CHECK(cairn_strengths(ctx, cairn_say(ctx, "{lambda}"), params->lambda, 1, 0.5, 2, &p->lambdas,
                          n_path));
    if (*n_path > MOST_PATH)
        return cairn_fail(ctx, CAIRN_USAGE, "lambda: at most %d strengths", MOST_PATH);
    double size = 8.0 * (double)p->n * (double)p->n;
    CHECK(cairn_memory_check(ctx, *n_path > 1 ? 2.1 * size : size,
                             "the matrix of all pairs of rows",
                             cairn_say(ctx, "use fewer rows, or raise {memory}")));
    bool classify = p->job->task == CAIRN_CLASSIFY;
    p->m = classify && p->job->n_classes > 2 ? p->job->n_classes : 1;
    m->n_scores = p->m;
    m->positive = classify && p->m == 1 ? (p->job->positive >= 0 ? p->job->positive : 0) : -1;
    m->kernel = cairn_kernel_of(&params->kernel, n_terms);
    return cairn_kernel_rows_open(ctx, &m->rows, &m->kernel, &p->view, &(cairn_kernel_options){0});
}

/* f + λα/w = t for every row; what rounding leaves of it is that of the terms of f, each at most
 * |α_j| √(k_ii k_jj). */
static cairn_status certify(cairn_context *ctx, const problem *p, const kernel_ridge_model *m,
                            double lambda)
{
    const double bound = 1e-8, many = 8 * sqrt((double)p->n) * DBL_EPSILON;
    if (!p->job->certificate) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    double *scores, *diagonal;
    CHECK(SCRATCH(ctx, &scores, cairn_product(p->m, p->n)));
    CHECK(SCRATCH(ctx, &diagonal, p->n));
    CHECK(cairn_kernel_own_scores(ctx, &m->kernel, &m->rows, m->alphas, p->m, scores));
    CHECK(cairn_kernel_diagonal(ctx, &m->kernel, &m->rows, diagonal));
    for (size_t s = 0; s < p->m; s++) {
        double left = 0, size = 0, terms = 0, noise = 0;
        const double *alphas = m->alphas + s * p->n, *targets = p->targets + s * p->n;
        for (size_t i = 0; i < p->n; i++) terms += fabs(alphas[i]) * sqrt(fabs(diagonal[i]));
        for (size_t i = 0; i < p->n; i++) {
            double t = targets[i], f = scores[i * p->m + s], e = lambda * alphas[i] / p->weights[i];
            left = cairn_hypot(left, t - f - e);
            size = cairn_hypot(size, fabs(t) + fabs(f) + fabs(e));
            noise = cairn_hypot(noise, many * sqrt(fabs(diagonal[i])) * terms);
        }
        size += noise / bound;
        cairn_certify(p->job->certificate, CAIRN_PROOF_RESIDUAL, size > 0 ? left / size : left,
                      bound);
    }
    p->job->certificate->remedy = "take a larger {lambda}";
    return CAIRN_OK;
}

static cairn_status kernel_ridge_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    kernel_ridge_model *m = model;
    kernel_ridge_history own = {0}, *history = job->history ? job->history : &own;
    problem p = {.job = job};
    CHECK(open_problem(ctx, &p, m, &history->n_path));
    CHECK(read_targets(ctx, &p, m, &history->spread));
    CHECK(NEW_RAW(ctx, &m->alphas, cairn_product(p.m, p.n)));
    cairn_status status = NEW(ctx, &history->path, history->n_path * COLUMNS);
    if (!status)
        status = history->n_path == 1 ? solve_one(ctx, &p, m, history->path)
                                      : solve_path(ctx, &p, m, history);
    if (!status) status = certify(ctx, &p, m, history->path[history->chosen * COLUMNS + LAMBDA]);
    if (!status) status = show_steps(ctx, &p, m, history);
    cairn_free(own.path);
    return status;
}

/* -- predicting -- */

static cairn_status kernel_ridge_predict(cairn_context *ctx, cairn_prediction *out,
                                         const void *model, const cairn_job *job)
{
    const kernel_ridge_model *m = model;
    size_t n = job->view->rows.n;
    double *scores = out->numbers;
    if (m->positive >= 0 && out->scores) CHECK(SCRATCH_RAW(ctx, &scores, n));
    if (m->n_scores > 1) scores = out->scores;
    if (!scores) return CAIRN_OK;
    CHECK(cairn_kernel_scores(ctx, &m->kernel, &m->rows, m->alphas, m->n_scores, m->constants,
                              job->view, scores));
    for (size_t i = 0; m->positive >= 0 && out->scores && i < n; i++)
        for (size_t k = 0; k < out->n_classes; k++)
            out->scores[i * out->n_classes + k] =
                (int32_t)k == m->positive ? scores[i] : -scores[i];
    return CAIRN_OK;
}

static void kernel_ridge_explain(cairn_report *out, const void *model, const cairn_job *job,
                                 size_t row)
{
    const kernel_ridge_model *m = model;
    cairn_kernel_explain(out, &m->kernel, &m->rows, m->alphas, m->n_scores, m->constants, NULL, job,
                         row);
}

/* The linear kernel of numbers is a sum of weights. */
static cairn_status kernel_ridge_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const kernel_ridge_model *m = model;
    bool classify = job->task == CAIRN_CLASSIFY;
    double *w;
    int32_t first;
    if (cairn_kernel_kind_of(&m->kernel) == CAIRN_KERNEL_LINEAR && !classify) {
        CHECK(cairn_kernel_primal(out->ctx, &w, &m->rows, m->alphas));
        return cairn_lower_linear(out, m->constants[0], w, NULL);
    }
    CHECK(cairn_kernel_lower(out, &m->kernel, &m->rows, m->alphas, m->n_scores, m->constants,
                             &first));
    if (classify) return cairn_kernel_lower_classes(out, first, m->n_scores, m->positive);
    out->answer.number = first;
    return CAIRN_OK;
}

/* -- showing and keeping -- */

static void kernel_ridge_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const kernel_ridge_model *m = model;
    const kernel_ridge_history *history = job->history;
    bool classify = job->task == CAIRN_CLASSIFY;
    cairn_report_heading(out, 2, "Kernel ridge regression");
    cairn_kernel_show(out, &m->kernel, m->rows.n_terms);
    cairn_report_value(out, "rows kept", (double)m->rows.n, "rows");
    if (history) {
        const double *row = history->path + history->chosen * COLUMNS;
        cairn_report_value(out, "strength λ", row[LAMBDA], "lambda");
        cairn_report_value(out, "degrees of freedom", row[DF], "df");
        cairn_report_value(out, classify ? "mean squared error of codes" : "mean squared error",
                           row[TRAINING], "mse");
        if (!classify)
            cairn_report_value(
                out, "R²", history->spread > 0 ? 1 - row[TRAINING] / history->spread : NAN, "r2");
        cairn_report_value(out, "with every row left out in turn", row[LEFT_OUT], "left_out.mse");
        if (history->n_path > 1) show_path(out, history, classify);
    }
    if (m->rows.n > SHOWN_ALPHAS || m->n_scores > 1) return;
    cairn_report_table_of(out, "Coefficients of the rows", 0, "rr", "row", "α");
    for (size_t i = 0; i < m->rows.n; i++)
        cairn_report_cells(out, "- alpha$1", i + 1, m->alphas[i]);
    cairn_report_table_end(out);
}

static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    kernel_ridge_history *history = data;
    (void)model;
    CHECK(cairn_archive_real(a, "spread", &history->spread));
    CHECK(cairn_archive_size(a, "n_path", &history->n_path, MOST_PATH));
    CHECK(cairn_archive_size(a, "chosen", &history->chosen, MOST_PATH));
    if (history->chosen >= history->n_path)
        CHECK(cairn_archive_damaged(a, "no strength was chosen"));
    return cairn_archive_reals(a, "path", &history->path, history->n_path * COLUMNS);
}

static void clear_history(void *data)
{
    cairn_free(((kernel_ridge_history *)data)->path);
}

static const cairn_history kernel_ridge_story = {
    .size = sizeof(kernel_ridge_history), .archive = archive_history, .clear = clear_history};

static cairn_status kernel_ridge_archive(cairn_archive *a, void *model)
{
    kernel_ridge_model *m = model;
    CHECK(cairn_kernel_archive(a, &m->kernel));
    CHECK(cairn_kernel_rows_archive(a, &m->kernel, &m->rows));
    CHECK(cairn_archive_size(a, "n_scores", &m->n_scores, INT32_MAX));
    CHECK(cairn_archive_int(a, "positive", &m->positive));
    CHECK(cairn_archive_reals(a, "alphas", &m->alphas, cairn_product(m->n_scores, m->rows.n)));
    return cairn_archive_reals(a, "constants", &m->constants, m->n_scores);
}

static cairn_status kernel_ridge_check_model(cairn_archive *a, const void *model,
                                             const cairn_job *job)
{
    const kernel_ridge_model *m = model;
    bool classify = job->task == CAIRN_CLASSIFY;
    bool several = classify && job->n_classes > 2;
    if (m->n_scores != (several ? job->n_classes : 1) ||
        (m->positive >= 0) != (classify && !several) ||
        m->positive >= (int32_t)(classify ? job->n_classes : 1))
        return cairn_archive_damaged(a, "the coefficients do not fit the target");
    return cairn_kernel_rows_check(a, job, &m->rows);
}

static void kernel_ridge_clear(void *model)
{
    kernel_ridge_model *m = model;
    cairn_kernel_rows_clear(&m->rows);
    FREE_EACH(m->alphas, m->constants);
    *m = (kernel_ridge_model){0};
}

static cairn_model_size kernel_ridge_size(const void *model)
{
    const kernel_ridge_model *m = model;
    return (cairn_model_size){.parameters = (double)m->n_scores * (double)m->rows.n, .grows = true};
}

static unsigned kernel_ridge_accepts(const void *params)
{
    return cairn_kernel_accepts(&((const kernel_ridge_params *)params)->kernel);
}

static cairn_status kernel_ridge_check(cairn_context *ctx, const void *values)
{
    return cairn_kernel_check(ctx, &((const kernel_ridge_params *)values)->kernel);
}

static void write_vectors(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const kernel_ridge_model *m = model;
    const char **names = NULL;
    cairn_ledger_failed(out,
                        cairn_kernel_score_names(out->ctx, &names, m->n_scores, m->positive, job));
    if (!out->status) cairn_kernel_write(out, job, &m->rows, m->alphas, m->n_scores, names, NULL);
}

static void write_constants(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const kernel_ridge_model *m = model;
    const char **names = NULL;
    cairn_ledger_failed(out,
                        cairn_kernel_score_names(out->ctx, &names, m->n_scores, m->positive, job));
    if (!out->status) cairn_kernel_write_constants(out, m->constants, m->n_scores, names);
}

static const cairn_learned kernel_ridge_tables[] = {
    CAIRN_LEARNED("support-vectors", "row with a coefficient in a score, as the learner saw it",
                  write_vectors),
    CAIRN_LEARNED("constants", "score, and what it begins with", write_constants),
    CAIRN_LEARNED_END};

const cairn_learner cairn_kernel_ridge = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "kernel-ridge",
            .also = "KRR, kernelised ridge regression, least-squares SVM, Gaussian process mean, "
                    "regularisation network, KernelRidge",
            .title = "Kernel ridge regression",
            .summary =
                "Ridge regression in the space whose inner product the kernel is: predicts a sum "
                "over the training rows of their coefficients times their kernel with the new row, "
                "without an intercept. Of several strengths the one with the least error of rows "
                "that are left out is taken. Classes are predicted by codes of +1 and -1. With the "
                "linear kernel it is ridge regression without an intercept. All rows are kept, and "
                "time grows with their cube. Columns are standardised first unless --scale says "
                "otherwise; --as gram takes a matrix of kernel values.",
            .references = "Saunders, Gammerman and Vovk, Ridge regression learning algorithm in "
                          "dual variables (1998)",
            .example = "cairn fit kernel-ridge @squares --target t --lambda 0.01,0.1,1",
            .params = kernel_ridge_parameters,
            .params_size = sizeof(kernel_ridge_params),
            .check = kernel_ridge_check,
        },
    .tasks = CAIRN_REGRESS | CAIRN_CLASSIFY,
    .space = "lambda=10,1,0.1,0.01\n"
             "gamma=0.01,0.1,1",
    .accepts = CAIRN_KERNEL_ACCEPTS,
    .accepts_with = kernel_ridge_accepts,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER | CAIRN_CLAIM_COLUMN_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING,
    .model_size = sizeof(kernel_ridge_model),
    .tables = kernel_ridge_tables,
    .history = &kernel_ridge_story,
    .gives_scores = true,
    .answers_slowly = true,
    .fit = kernel_ridge_fit,
    .lower = kernel_ridge_lower,
    .predict = kernel_ridge_predict,
    .describe = kernel_ridge_describe,
    .explain = kernel_ridge_explain,
    .archive = kernel_ridge_archive,
    .check = kernel_ridge_check_model,
    .clear = kernel_ridge_clear,
    .size = kernel_ridge_size,
};
