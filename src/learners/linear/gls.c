/* SPDX-License-Identifier: MIT */
/* Generalised least squares: rows whose errors go together.
 *
 * Problem: the errors of the rows have the covariance σ² V. Minimise (y − Xw)' V⁻¹ (y − Xw), which
 * is ordinary least squares on rows that are whitened: with V = LL', L⁻¹y on L⁻¹X.
 *
 * V is one of
 * - ar1: rows in order, the error of a row is ρ times that of the row before plus something new;
 *   L⁻¹ takes ρ times the row before from every row (the first is multiplied by √(1 − ρ²));
 * - groups: any two rows of a group have errors with the correlation ρ; L⁻¹ takes a part of the
 *   group's mean from every row;
 * - given: a matrix for the rows of the table, of which a Cholesky factor is made.
 * A row of weight v has a 1/v part of the variance: it is multiplied by √v first.
 *
 * Without a given ρ it is estimated from the residuals, fitted again, and so on until it stands
 * (Prais and Winsten). Standard errors are those of the whitened rows and take ρ for known.
 * Cost: n p² for each fit; n³/3 for a given matrix.
 *
 * Sources: Aitken, On least squares and linear combination of observations (1935); Prais and
 * Winsten, Trend estimators and serial correlation (1954). */
#include "base/memory.h"
#include "data/shape.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "learners/linear/coefficients.h"
#include "learners/linear/row_span.h"
#include "learners/linear/weights.h"
#include "report/table_rows.h"
#include "rows/slopes.h"
#include "stats/distributions.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { BY_AR1, BY_GROUPS, BY_MATRIX };
enum { MOST_ROUNDS = 100, STEP_ROWS = 50, SHOWN = 8 };

typedef struct gls_params {
    int errors;
    double rho;
    const char *matrix;
    bool intercept;
    double level;
    int weights_are;
} gls_params;

static const cairn_choice kinds[] = {
    {"ar1", BY_AR1, "rows in order, each error ρ times the one before plus something new"},
    {"groups", BY_GROUPS, "rows of one group (--group COLUMN) have the correlation ρ"},
    {"matrix", BY_MATRIX, "a covariance matrix of the rows is given by --matrix"},
    {0},
};

static const cairn_param gls_parameters[] = {
    CAIRN_PARAM_CHOICE(gls_params, errors, "ar1", kinds, "how the errors of the rows go together",
                       .often = true),
    CAIRN_PARAM(gls_params, rho, CAIRN_NOT_GIVEN, "(-1,1)",
                "correlation ρ; estimated from the residuals unless given",
                .when = "errors=ar1|groups", .often = true),
    CAIRN_PARAM_AS(gls_params, matrix, CAIRN_TYPE_FILE, NULL,
                   "table of the covariances, a row and a column for each row of the data",
                   .when = "errors=matrix"),
    CAIRN_PARAM(gls_params, intercept, "yes", NULL, "fit a constant term"),
    CAIRN_WEIGHTS_ARE(gls_params, "precisions"),
    CAIRN_PARAM(gls_params, level, "0.95", "(0,1)", "level of the intervals of coefficients"),
    CAIRN_PARAM_END,
};

typedef struct gls_history {
    size_t n_terms, rounds;
    bool converged;
    double rho; /* NaN with a matrix */
    double df, sse;
    double *errors;   /* n_terms + 1, the constant last; NaN = not determined */
    double *ordinary; /* n_terms + 1: weights of ordinary least squares */
} gls_history;

typedef struct problem {
    const gls_params *params;
    const cairn_job *job;
    cairn_row_matrix x; /* terms, target, ones */
    size_t n, p, width; /* rows with a weight, terms, columns of a row */
    size_t *rows;       /* n: of the view */
    double *plain;      /* n x width: rows multiplied by the roots of their weights */
    double *white;      /* n x width */
    int32_t *groups;    /* n; NULL = not needed */
    size_t n_groups;
    double *factor;       /* n x n upper triangle R, V = R'R; NULL = not needed */
    double *theta;        /* width: weights of z, the constant behind the terms */
    double *sizes, *sums; /* n_groups, n_groups x width */
    double *inverse;      /* of the cross products of the terms of z and the constant, last */
    bool determined;      /* there is one */
    double *residuals;    /* n: of the plain rows */
    double sse, rho;
    size_t rank;
} problem;

/* -- the rows -- */

/* Rows of weight 0 are left out, and the others multiplied by the root of their weight, so that
 * nothing behind this has to weigh them. */
static cairn_status read_rows(cairn_context *ctx, problem *f)
{
    const cairn_view *view = f->job->view;
    cairn_matrix_options options = {.target = true, .ones = true, .units = CAIRN_UNITS_SHIFTED};
    if (!f->params->intercept) options.units = CAIRN_UNITS_SCALED;
    CHECK(cairn_matrix_open(ctx, &f->x, view, &options));
    f->p = f->x.n_terms;
    f->width = f->x.width;
    CHECK(cairn_memory_check(ctx, 16 * (double)f->x.n * (double)f->width,
                             "generalised least squares",
                             cairn_say(ctx, "use fewer rows or raise {memory}")));
    CHECK(SCRATCH(ctx, &f->rows, f->x.n + 1));
    CHECK(SCRATCH_RAW(ctx, &f->plain, cairn_product(f->x.n, f->width) + 1));
    for (size_t i = 0; i < f->x.n; i++) {
        double weight = cairn_view_weight(view, i), *row = f->plain + f->n * f->width;
        if (!(weight > 0)) continue;
        cairn_matrix_rows(&f->x, i, 1, row);
        for (size_t j = 0; j < f->width; j++) {
            if (!isfinite(row[j])) return cairn_matrix_refuse(ctx, &f->x, NULL);
            row[j] *= sqrt(weight);
        }
        f->rows[f->n++] = i;
    }
    if (f->n == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "there is no row to learn from: generalised least squares needs at least "
                          "one row with a positive weight");
    CHECK(SCRATCH_RAW(ctx, &f->white, f->n * f->width));
    CHECK(SCRATCH(ctx, &f->theta, f->width));
    CHECK(SCRATCH(ctx, &f->inverse, cairn_product(f->p + 1, f->p + 1)));
    return SCRATCH(ctx, &f->residuals, f->n);
}

/* The group of every row, by the column with that role. */
static cairn_status read_groups(cairn_context *ctx, problem *f)
{
    const cairn_view *view = f->job->view;
    ptrdiff_t at = cairn_table_role_column(view->table, CAIRN_GROUP);
    if (at < 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{errors groups} needs the column of the groups: say {group COLUMN}");
    const cairn_column *column = view->table->slots[at].column;
    SCOPED(cairn_map_clear) cairn_map names = {0};
    CHECK(SCRATCH(ctx, &f->groups, f->n));
    for (size_t i = 0; i < f->n; i++) {
        size_t row = cairn_view_row(view, f->rows[i]), index = 0;
        double number = column->kind == CAIRN_LEVEL    ? (double)column->codes[row]
                        : column->kind == CAIRN_NUMBER ? column->numbers[row]
                                                       : NAN;
        if (isnan(number) || (column->kind == CAIRN_LEVEL && number < 0))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "column '%s', row %zu: the group is missing, or neither a level nor "
                              "a number",
                              view->table->slots[at].name, row + 1);
        CHECK(cairn_map_add(ctx, &names, (const char *)&number, sizeof number, &index));
        f->groups[i] = (int32_t)index;
    }
    f->n_groups = names.n;
    CHECK(SCRATCH(ctx, &f->sizes, f->n_groups));
    return SCRATCH(ctx, &f->sums, cairn_product(f->n_groups, f->width));
}

/* The covariances of the rows that are learned from, as a Cholesky factor. */
static cairn_status read_matrix(cairn_context *ctx, problem *f)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    const cairn_view *view = f->job->view;
    cairn_square_matrix given;
    size_t pivot;
    double condition;
    if (!f->params->matrix)
        return cairn_fail(ctx, CAIRN_USAGE, "{errors matrix} needs {matrix FILE}");
    CHECK(cairn_table_read(ctx, &table, f->params->matrix, NULL));
    CHECK(cairn_matrix_of_table(ctx, &given, table, CAIRN_SHAPE_GRAM));
    if (given.n != view->table->n_rows)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s has %zu rows and the table %zu; they describe the same rows in the "
                          "same order",
                          f->params->matrix, given.n, view->table->n_rows);
    CHECK(SCRATCH(ctx, &f->factor, cairn_product(f->n, f->n)));
    for (size_t i = 0; i < f->n; i++)
        for (size_t j = 0; j < f->n; j++)
            f->factor[i * f->n + j] = given.values[cairn_view_row(view, f->rows[i]) * given.n +
                                                   cairn_view_row(view, f->rows[j])];
    CHECK(cairn_cholesky(ctx, f->factor, f->n, &condition, &pivot));
    if (!(condition > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s is no covariance matrix: it is not positive definite, as row %zu "
                          "shows",
                          f->params->matrix,
                          pivot < f->n ? cairn_view_row(view, f->rows[pivot]) + 1 : f->n);
    return CAIRN_OK;
}

/* -- whitening -- */

/* V = (1 − ρ) I + ρ 11' in a group of m rows: the mean gets the part 1 − √((1 − ρ)/(1 + (m−1) ρ))
 * taken out, and the rest is divided by √(1 − ρ). */
static void whiten_groups(problem *f)
{
    size_t w = f->width;
    memset(f->sizes, 0, f->n_groups * sizeof *f->sizes);
    memset(f->sums, 0, f->n_groups * w * sizeof *f->sums);
    for (size_t i = 0; i < f->n; i++) {
        f->sizes[f->groups[i]]++;
        cairn_axpy(f->sums + (size_t)f->groups[i] * w, 1, f->plain + i * w, w);
    }
    for (size_t i = 0; i < f->n; i++) {
        double m = f->sizes[f->groups[i]], *out = f->white + i * w;
        const double *sum = f->sums + (size_t)f->groups[i] * w;
        double part = 1 - sqrt((1 - f->rho) / (1 + (m - 1) * f->rho));
        for (size_t j = 0; j < w; j++)
            out[j] = (f->plain[i * w + j] - part * sum[j] / m) / sqrt(1 - f->rho);
    }
}

/* R'Z = X from the first row on. */
static void whiten_matrix(problem *f)
{
    size_t w = f->width, n = f->n;
    memcpy(f->white, f->plain, n * w * sizeof *f->white);
    for (size_t i = 0; i < n; i++) {
        double *row = f->white + i * w, pivot = f->factor[i * n + i];
        for (size_t j = 0; j < w; j++) row[j] /= pivot;
        for (size_t k = i + 1; k < n; k++)
            cairn_axpy(f->white + k * w, -f->factor[i * n + k], row, w);
    }
}

/* -- one fit -- */

/* Columns of the whitened rows in the order terms, constant, target, each of length 1. */
static cairn_status make_triangle(cairn_context *ctx, const problem *f, double *r, double *lengths)
{
    size_t p = f->p, w = f->width, most = 4 * w < 64 ? 64 : 4 * w;
    double *transposed;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &transposed, most * w));
    memset(r, 0, w * w * sizeof *r);
    for (size_t i = 0; i < f->n; i += most) {
        size_t n = f->n - i < most ? f->n - i : most;
        for (size_t j = 0; j < w; j++) {
            size_t from = j < p ? j : j == p ? p + 1 : p;
            bool out = j == p && !f->params->intercept;
            for (size_t k = 0; k < n; k++)
                transposed[j * n + k] = out ? 0 : f->white[(i + k) * w + from];
        }
        CHECK(cairn_qr_add(ctx, r, transposed, n, w));
    }
    for (size_t j = 0; j < w; j++) {
        lengths[j] = 0;
        for (size_t i = 0; i <= j; i++) lengths[j] += r[i * w + j] * r[i * w + j];
        lengths[j] = sqrt(lengths[j]);
        for (size_t i = 0; i <= j && lengths[j] > 0; i++) r[i * w + j] /= lengths[j];
    }
    return CAIRN_OK;
}

/* The inverse of the cross products of terms and constant, where they have one. */
static cairn_status take_inverse(cairn_context *ctx, problem *f, const double *r,
                                 const double *lengths, size_t q)
{
    size_t w = f->width, pivot;
    double condition = 0, *cross = f->inverse;
    memset(cross, 0, q * q * sizeof *cross);
    f->determined = false;
    if (!q || f->rank < q) return CAIRN_OK;
    for (size_t a = 0; a < q; a++) {
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        for (size_t b = 0; b < q; b++)
            for (size_t i = 0; i <= (a < b ? a : b); i++)
                cross[a * q + b] += r[i * w + a] * r[i * w + b];
    }
    CHECK(cairn_cholesky(ctx, cross, q, &condition, &pivot));
    f->determined = condition > 1e-14;
    if (!f->determined) return CAIRN_OK;
    CHECK(cairn_cholesky_inverse(ctx, cross, q));
    for (size_t a = 0; a < q; a++)
        for (size_t b = 0; b < q; b++) cross[a * q + b] /= lengths[a] * lengths[b];
    return CAIRN_OK;
}

/* Least squares on the whitened rows; dependent columns get the solution of least norm of columns
 * of length 1. */
static cairn_status fit_white(cairn_context *ctx, problem *f)
{
    size_t p = f->p, w = f->width, q = f->params->intercept ? p + 1 : p;
    double *r, *lengths, *x, *y, *found;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &r, w * w));
    CHECK(SCRATCH(ctx, &lengths, w));
    CHECK(SCRATCH(ctx, &x, w * w));
    CHECK(SCRATCH_EACH(ctx, w, &y, &found));
    CHECK(make_triangle(ctx, f, r, lengths));
    for (size_t i = 0; i < w; i++) {
        y[i] = r[i * w + p + 1];
        for (size_t j = 0; j < q; j++) x[j * w + i] = r[i * w + j];
    }
    f->rank = 0;
    if (q) CHECK(cairn_svd_least_squares(ctx, found, NULL, &f->rank, x, y, w, q, 1e-13));
    memset(f->theta, 0, w * sizeof *f->theta);
    for (size_t j = 0; j < q; j++) {
        double value = lengths[j] > 0 ? found[j] * lengths[p + 1] / lengths[j] : 0;
        f->theta[j] = value; /* the constant at p */
    }
    CHECK(take_inverse(ctx, f, r, lengths, q));
    f->sse = 0;
    for (size_t i = 0; i < f->n; i++) {
        const double *plain = f->plain + i * w, *white = f->white + i * w;
        double e = white[p] - cairn_dot(white, f->theta, p) - white[p + 1] * f->theta[p];
        f->sse += e * e;
        f->residuals[i] = plain[p] - cairn_dot(plain, f->theta, p) - plain[p + 1] * f->theta[p];
    }
    return CAIRN_OK;
}

/* ρ from the residuals: of neighbours, or of all pairs in a group. */
static double estimate_rho(problem *f)
{
    double squares = 0, all = 0, products = 0, pairs = 0, largest = 0;
    const double *e = f->residuals;
    for (size_t i = 0; i < f->n; i++) {
        squares += e[i] * e[i];
        all += f->plain[i * f->width + f->p] * f->plain[i * f->width + f->p];
    }
    if (!(squares > fmax(DBL_MIN, 1e-24 * all))) return 0; /* an exact fit: rounding */
    if (f->params->errors == BY_AR1) {
        for (size_t i = 1; i < f->n; i++) products += e[i] * e[i - 1];
        return fmax(-0.999, fmin(0.999, products / squares));
    }
    memset(f->sizes, 0, f->n_groups * sizeof *f->sizes);
    memset(f->sums, 0, f->n_groups * sizeof *f->sums);
    for (size_t i = 0; i < f->n; i++) {
        f->sizes[f->groups[i]]++;
        f->sums[f->groups[i]] += e[i];
    }
    for (size_t g = 0; g < f->n_groups; g++) {
        products += f->sums[g] * f->sums[g];
        pairs += f->sizes[g] * (f->sizes[g] - 1);
        largest = fmax(largest, f->sizes[g]);
    }
    if (pairs == 0) return 0;
    double rho = (products - squares) / pairs / (squares / (double)f->n);
    double least = largest > 1 ? -0.999 / (largest - 1) : 0;
    return fmax(least, fmin(0.999, rho));
}

static cairn_status fit_once(cairn_context *ctx, problem *f, bool plainly)
{
    if (plainly)
        memcpy(f->white, f->plain, f->n * f->width * sizeof *f->white);
    else if (f->params->errors == BY_AR1) {
        size_t w = f->width;
        double first = sqrt(1 - f->rho * f->rho);
        for (size_t j = 0; j < w; j++) f->white[j] = first * f->plain[j];
        for (size_t i = 1; i < f->n; i++)
            for (size_t j = 0; j < w; j++)
                f->white[i * w + j] = f->plain[i * w + j] - f->rho * f->plain[(i - 1) * w + j];
    } else if (f->params->errors == BY_GROUPS)
        whiten_groups(f);
    else
        whiten_matrix(f);
    return fit_white(ctx, f);
}

/* -- fitting -- */

/* Ordinary least squares, then ρ and the fit by turns until ρ stands. */
static cairn_status run_rounds(cairn_context *ctx, problem *f, gls_history *history)
{
    cairn_report *out = f->job->steps;
    bool estimated = f->params->errors != BY_MATRIX && isnan(f->params->rho);
    f->rho = f->params->rho;
    if (estimated) {
        cairn_report_step_begin(out, "The correlation of the errors");
        cairn_report_formula(out, f->params->errors == BY_AR1
                                      ? "ρ = Σ e_i e_{i−1} / Σ e_i²,  fitted again with it"
                                      : "ρ = mean of e_i e_j over pairs of a group / mean of e²");
        cairn_report_table_of(out, "Rounds", 0, "rrr", "round", "ρ", "change");
    }
    history->converged = !estimated;
    for (size_t round = 0; round < (estimated ? MOST_ROUNDS : 1); round++) {
        double before = round ? f->rho : 0;
        if (estimated) f->rho = estimate_rho(f);
        history->rounds = round + 1;
        CHECK(cairn_tick(ctx, "rounds", (double)round, MOST_ROUNDS));
        CHECK(fit_once(ctx, f, false));
        if (!estimated) break;
        cairn_report_cells(out, "- round$1.rho:6 -:6", round + 1, f->rho, f->rho - before);
        history->converged = fabs(f->rho - before) <= 1e-10;
        if (history->converged) break;
    }
    if (estimated) {
        cairn_report_table_end(out);
        cairn_report_step_end(out);
    }
    return CAIRN_OK;
}

/* Weights of z and the target's units into own ones. */
static void to_own(const problem *f, double *out)
{
    double unit = f->x.scale[f->p];
    cairn_matrix_raw(&f->x, f->theta, 1, 1, out);
    for (size_t t = 0; t <= f->p; t++) out[t] /= unit;
    if (f->params->intercept)
        out[f->p] += f->x.shift[f->p];
    else
        out[f->p] = 0;
}

/* Standard errors in own units. The constant there is the value at x = 0, a sum of the constant of
 * z and the slopes, so its variance is a quadratic form. */
static cairn_status take_errors(cairn_context *ctx, const problem *f, gls_history *history)
{
    size_t p = f->p, q = f->params->intercept ? p + 1 : p;
    double s = history->df > 0 ? sqrt(f->sse / history->df) / f->x.scale[p] : NAN, sum = 0, *at;
    CHECK(SCRATCH(ctx, &at, q + 1));
    for (size_t t = 0; t <= p; t++) history->errors[t] = NAN;
    if (!f->determined) return CAIRN_OK;
    for (size_t t = 0; t < p; t++) {
        history->errors[t] = s * sqrt(f->inverse[t * (q + 1)]) * f->x.scale[t];
        at[t] = -f->x.scale[t] * f->x.shift[t];
    }
    if (!f->params->intercept) return CAIRN_OK;
    at[p] = 1;
    for (size_t t = 0; t < q; t++) sum += at[t] * cairn_dot(f->inverse + t * q, at, q);
    history->errors[p] = s * sqrt(fmax(0, sum));
    return CAIRN_OK;
}

/* The first whitened rows, on which ordinary least squares is done. */
static cairn_status show_white(cairn_context *ctx, const problem *f)
{
    cairn_report *out = f->job->steps;
    size_t p = f->p, shown = p < SHOWN ? p : SHOWN, w = f->width;
    const char *const *names;
    CHECK(cairn_term_names(ctx, &names, f->job->schema));
    cairn_report_step_begin(out, "Whitened rows");
    if (f->params->errors == BY_AR1)
        cairn_report_formula(out, "row₁ · √(1 − ρ²),  row_i − ρ · row_{i−1}");
    else if (f->params->errors == BY_GROUPS)
        cairn_report_formula(out, "(row − θ · mean of its group) / √(1 − ρ),  "
                                  "θ = 1 − √((1 − ρ)/(1 + (m − 1) ρ))");
    else
        cairn_report_formula(out, "L⁻¹ times the rows,  V = L Lᵀ");
    cairn_report_table_of(out, "Rows after it, on which least squares is done", STEP_ROWS, "r",
                          "row");
    if (f->params->intercept) cairn_report_column(out, "1", 'r');
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, names[j], 'r');
    cairn_report_column(out, f->job->view->target_name, 'r');
    for (size_t i = 0; i < f->n && i < STEP_ROWS; i++) {
        const double *row = f->white + i * w;
        size_t number = cairn_view_row(f->job->view, f->rows[i]) + 1;
        double one = row[p + 1];
        cairn_report_cellf(out, "%zu", number);
        if (f->params->intercept) cairn_report_cell_number(out, one, 6, "row%zu.1", number);
        for (size_t j = 0; j < shown; j++)
            cairn_report_cell_number(out, row[j] / f->x.scale[j] + one * f->x.shift[j], 6,
                                     "row%zu.%s", number, cairn_term_key(out, names[j]));
        cairn_report_cell_number(out, row[p] / f->x.scale[p] + one * f->x.shift[p], 6,
                                 "row%zu.target", number);
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* -- proof -- */

/* Of every row of the view what V⁻¹ makes of the residuals, over the root of its weight. */
typedef struct transposed {
    double *slopes;
    const double *targets;
    double size, unit; /* how much V⁻¹ enlarges; brings residuals near 1 */
} transposed;

static void transposed_rows(const void *data, size_t first, size_t n, const double *scores,
                            double *slopes, double *bends, double *sizes)
{
    const transposed *t = data;
    (void)scores;
    for (size_t i = 0; i < n; i++) {
        slopes[i] = t->slopes[first + i];
        bends[i] = t->size * t->unit;
        sizes[i] = t->size * t->unit * fabs(t->targets[first + i]);
    }
}

/* v = V⁻¹ e of neighbours, but for a factor. */
static double turn_ar1(const problem *f, const double *e, double *v)
{
    double rho = f->rho;
    for (size_t i = 0; i < f->n; i++) {
        bool inner = i > 0 && i + 1 < f->n;
        v[i] = (inner ? 1 + rho * rho : f->n > 1 ? 1 : 1 - rho * rho) * e[i];
        if (i > 0) v[i] -= rho * e[i - 1];
        if (i + 1 < f->n) v[i] -= rho * e[i + 1];
    }
    return (1 + fabs(rho)) * (1 + fabs(rho));
}

/* The same in groups: e less a part of the sum of its group. */
static double turn_groups(const problem *f, const double *e, double *v)
{
    double rho = f->rho, most = 1;
    memset(f->sizes, 0, f->n_groups * sizeof *f->sizes);
    memset(f->sums, 0, f->n_groups * sizeof *f->sums);
    for (size_t i = 0; i < f->n; i++) {
        f->sizes[f->groups[i]]++;
        f->sums[f->groups[i]] += e[i];
    }
    for (size_t i = 0; i < f->n; i++) {
        double m = f->sizes[f->groups[i]], part = rho / (1 + (m - 1) * rho);
        v[i] = e[i] - part * f->sums[f->groups[i]];
        most = fmax(most, 1 + fabs(part) * m);
    }
    return most;
}

/* By a matrix V = R'R. */
static double turn_matrix(const problem *f, const double *e, double *v)
{
    size_t n = f->n;
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        v[i] = e[i];
        for (size_t k = 0; k < i; k++) v[i] -= f->factor[k * n + i] * v[k];
        v[i] /= f->factor[i * n + i];
        least = fmin(least, f->factor[i * n + i]);
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++) v[i] -= f->factor[i * n + k] * v[k];
        v[i] /= f->factor[i * n + i];
    }
    return 1 / least / least;
}

/* X'V⁻¹(y - Xb) = 0, and the correlation is that of these residuals. */
static cairn_status certify(cairn_context *ctx, problem *f, const double *own, bool converged)
{
    const cairn_view *view = f->job->view;
    cairn_certificate *c = f->job->certificate;
    size_t n = view->rows.n, p = f->p;
    double *targets, *theta, *scores, *e, *v, *buffer, most = 0;
    transposed t = {.size = 1};
    if (!c) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_EACH(ctx, n + 1, &targets, &t.slopes, &scores, &buffer));
    CHECK(SCRATCH_EACH(ctx, f->n, &e, &v));
    CHECK(SCRATCH(ctx, &theta, p + 1));
    cairn_view_target_numbers(view, 0, n, targets);
    theta[p] = own[p];
    for (size_t j = 0; j < p; j++) {
        theta[j] = own[j] / f->x.scale[j];
        theta[p] += own[j] * f->x.shift[j];
    }
    for (size_t i = 0; i < n; i++) scores[i] = theta[p];
    cairn_matrix_times(&f->x, 0, n, theta, scores, buffer);
    for (size_t i = 0; i < f->n; i++) most = fmax(most, fabs(targets[f->rows[i]]));
    t.unit = cairn_slopes_unit(most);
    t.targets = targets;
    for (size_t i = 0; i < f->n; i++)
        e[i] = sqrt(cairn_view_weight(view, f->rows[i])) *
               ((scores[f->rows[i]] - targets[f->rows[i]]) * t.unit);
    t.size = f->params->errors == BY_AR1      ? turn_ar1(f, e, v)
             : f->params->errors == BY_GROUPS ? turn_groups(f, e, v)
                                              : turn_matrix(f, e, v);
    for (size_t i = 0; i < f->n; i++)
        t.slopes[f->rows[i]] = v[i] / sqrt(cairn_view_weight(view, f->rows[i]));
    cairn_slopes s = {
        .view = view, .weights = own, .n_scores = 1, .rows = transposed_rows, .data = &t};
    s.constant = f->params->intercept;
    if (f->params->errors != BY_MATRIX && isnan(f->params->rho)) {
        cairn_certify(c, CAIRN_PROOF_CONDITIONS, fabs(estimate_rho(f) - f->rho), 1e-8);
        c->limited |= !converged;
        c->remedy = "give {rho}";
    }
    return cairn_slopes_certify(ctx, c, CAIRN_PROOF_RESIDUAL, &s, CAIRN_SLOPES_DIRECT);
}

static void clear_history(void *data)
{
    gls_history *history = data;
    FREE_EACH(history->errors, history->ordinary);
    *history = (gls_history){0};
}

/* Ordinary least squares come first: the first ρ is found from them, and the report sets them
 * beside the answer. */
static cairn_status fit_both(cairn_context *ctx, cairn_weights *m, gls_history *history,
                             const cairn_job *job)
{
    problem f = {.params = job->params, .job = job};
    double *own;
    CHECK(read_rows(ctx, &f));
    if (f.params->errors == BY_GROUPS) CHECK(read_groups(ctx, &f));
    if (f.params->errors == BY_MATRIX) CHECK(read_matrix(ctx, &f));
    history->n_terms = f.p;
    CHECK(NEW_EACH(ctx, f.p + 1, &history->errors, &history->ordinary));
    CHECK(SCRATCH(ctx, &own, f.p + 1));
    CHECK(fit_once(ctx, &f, true));
    to_own(&f, history->ordinary);
    CHECK(run_rounds(ctx, &f, history));
    to_own(&f, own);
    history->rho = f.params->errors == BY_MATRIX ? NAN : f.rho;
    history->df = cairn_weights_observations(job->view, f.params->weights_are) - (double)f.rank;
    history->sse = f.sse / f.x.scale[f.p] / f.x.scale[f.p];
    CHECK(take_errors(ctx, &f, history));
    CHECK(certify(ctx, &f, own, history->converged));
    if (job->steps) CHECK(show_white(ctx, &f));
    return cairn_weights_keep(ctx, m, own, f.p, f.params->intercept);
}

/* The same in the space of the rows; errors of the single coefficients are not determined. */
static cairn_status fit_wide(cairn_context *ctx, cairn_weights *m, gls_history *history,
                             const cairn_job *job)
{
    const gls_params *params = job->params;
    cairn_row_span s;
    cairn_weights short_ones = {0};
    double *own, *errors, *ordinary;
    CHECK(cairn_row_span_open(ctx, &s, job, params->intercept));
    CHECK(SCRATCH(ctx, &own, s.p + 1));
    cairn_status status = fit_both(ctx, &short_ones, history, &s.job);
    if (!status) cairn_row_span_raw(&s, short_ones.weights, own);
    cairn_weights_clear(&short_ones);
    CHECK(status);
    history->n_terms = s.p;
    CHECK(NEW(ctx, &ordinary, s.p + 1));
    cairn_row_span_raw(&s, history->ordinary, ordinary);
    cairn_free(history->ordinary);
    history->ordinary = ordinary;
    CHECK(NEW(ctx, &errors, s.p + 1));
    for (size_t t = 0; t <= s.p; t++) errors[t] = NAN;
    cairn_free(history->errors);
    history->errors = errors;
    return cairn_weights_keep(ctx, m, own, s.p, params->intercept);
}

static cairn_status gls_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    gls_history own = {0}, *history = job->history ? job->history : &own;
    cairn_status status = cairn_row_span_pays(job->view) ? fit_wide(ctx, model, history, job)
                                                         : fit_both(ctx, model, history, job);
    clear_history(&own);
    return status;
}

/* -- showing and keeping -- */

/* P values and intervals are missing where no degree of freedom is left. */
static void show_errors(cairn_report *out, const cairn_weights *m, const gls_history *history,
                        const cairn_job *job, const char *const *names)
{
    const gls_params *params = job->params;
    double reach = history->df > 0 ? cairn_t_quantile((1 + params->level) / 2, history->df) : NAN;
    cairn_report_table_of(out, "How certain they are", 0, "lrrrrrr", "term", "coefficient",
                          "std error", "t", "p", "low", "high");
    for (size_t i = m->intercept ? 0 : 1; i <= m->n_terms; i++) {
        size_t t = i ? i - 1 : m->n_terms;
        const char *key = i ? cairn_term_key(out, names[t]) : "intercept";
        double b = m->weights[t], e = history->errors[t], ratio = b / e;
        cairn_report_cells(out, "- -:6", i ? names[t] : "intercept", b);
        cairn_report_cell_number(out, e, 5, "error.%s", key);
        cairn_report_cell_number(out, ratio, 4, "t.%s", key);
        cairn_report_cell_number(
            out,
            history->df > 0 && isfinite(ratio) ? 2 * cairn_t_upper(fabs(ratio), history->df) : NAN,
            4, "p.%s", key);
        cairn_report_cell_number(out, b - reach * e, 5, "low.%s", key);
        cairn_report_cell_number(out, b + reach * e, 5, "high.%s", key);
    }
    cairn_report_table_end(out);
}

/* A given matrix of the errors leaves no ρ to show. */
static void gls_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const gls_history *history = job->history;
    const gls_params *params = job->params;
    cairn_context *ctx = cairn_report_context(out);
    const char *const *names;
    cairn_report_heading(out, 2, "Generalised least squares");
    cairn_weights_show(out, model, job);
    if (!history || !ctx) return;
    SCOPED_SCRATCH(ctx);
    cairn_status status = cairn_term_names(ctx, &names, job->schema);
    cairn_report_failed(out, status);
    if (status) return;
    show_errors(out, model, history, job, names);
    cairn_note_filled(out, job);
    if (params->errors != BY_MATRIX)
        cairn_report_value(out,
                           isnan(params->rho) ? "correlation ρ of the errors, estimated"
                                              : "correlation ρ of the errors",
                           history->rho, "rho");
    cairn_report_value(out, "whitened squared errors", history->sse, "sse");
    cairn_report_value(out, "degrees of freedom", history->df, "df");
    cairn_weights_show_meaning(out, job, params->weights_are, history->df);
    if (history->df > 0) cairn_report_value(out, "σ", sqrt(history->sse / history->df), "sigma");
    if (!history->converged)
        cairn_report_note(out, "ρ still changes after %zu rounds.", history->rounds);
    cairn_weights_beside(out, model, job, history->ordinary, "Beside ordinary least squares",
                         "generalised", "ordinary");
}

static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    gls_history *history = data;
    history->n_terms = ((const cairn_weights *)model)->n_terms;
    CHECK(cairn_archive_size(a, "rounds", &history->rounds, MOST_ROUNDS));
    CHECK(cairn_archive_bool(a, "converged", &history->converged));
    CHECK(cairn_archive_real(a, "rho", &history->rho));
    CHECK(cairn_archive_real(a, "df", &history->df));
    CHECK(cairn_archive_real(a, "sse", &history->sse));
    CHECK(cairn_archive_reals(a, "errors", &history->errors, history->n_terms + 1));
    return cairn_archive_reals(a, "ordinary", &history->ordinary, history->n_terms + 1);
}

static const cairn_history gls_story = {
    .size = sizeof(gls_history), .archive = archive_history, .clear = clear_history};

static void write_coefficients(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const gls_history *history = job->history;
    cairn_weights_write(out, model, job, history ? history->errors : NULL,
                        history ? history->df : 0);
}

static const cairn_learned gls_tables[] = {CAIRN_COEFFICIENTS(write_coefficients),
                                           CAIRN_LEARNED_END};

const cairn_learner cairn_gls = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "gls",
            .also = "generalised least squares, generalized least squares, Prais-Winsten, "
                    "Cochrane-Orcutt, Aitken, correlated errors, random intercept",
            .title = "Generalised least squares",
            .summary =
                "Least squares for rows whose errors go together: those of neighbours in a series, "
                "those of one group, or as a given covariance matrix says. Rows are whitened, and "
                "least squares is done on them; the correlation is given or estimated from the "
                "residuals. Ordinary least squares is shown beside it.",
            .references = "Aitken, On least squares and linear combination of observations (1935); "
                          "Prais and Winsten, Trend estimators and serial correlation (1954)",
            .example = "cairn fit gls @regression-line --rho 0.5 --steps",
            .params = gls_parameters,
            .params_size = sizeof(gls_params),
        },
    .tasks = CAIRN_REGRESS,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_BAGS |
               CAIRN_ACCEPTS_NO_FEATURES | CAIRN_WANTS_REFERENCE,
    .claims = CAIRN_CLAIM_COLUMN_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING,
    .history = &gls_story,
    .fit = gls_fit,
    .describe = gls_describe,
    CAIRN_WEIGHTS_RECORD,
    .tables = gls_tables,
};
