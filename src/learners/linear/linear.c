/* SPDX-License-Identifier: MIT */
/* Least squares: the line, plane or hyperplane with the smallest sum of squared residuals.
 *
 * Problem: minimise sum_i w_i (y_i - b - sum_j c_j x_ij)^2; a weight w_i counts as w_i equal rows.
 *
 * Method:
 * 1. One pass sums the cross products of all columns, shifted near their means and scaled.
 * 2. The features, centred and divided by their lengths, give a correlation matrix. If its
 *    condition is good, Cholesky solves it. If it is bad, a second pass makes an orthogonal
 *    triangle of the rows themselves, whose condition is the square root, and pivoted QR solves it.
 *    If columns depend on each other exactly, the dependences are named and of all solutions the
 *    one with the smallest norm is kept.
 * 3. A pass over the residuals gives their sum of squares and checks; what they still have in
 *    common with the features corrects the slopes when that is more than rounding.
 *
 * Cost: n p^2 / 2 multiplications for step 1, memory p^2 numbers; the table is never copied.
 *
 * Sources: Bjorck, Numerical Methods for Least Squares Problems (1996); Bring, How to standardize
 * regression coefficients (1994). */
#include "base/memory.h"
#include "base/number.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "learners/linear/linear.h"
#include "learners/linear/row_span.h"
#include "learners/linear/sandwich.h"
#include "learners/linear/tested.h"
#include "learners/linear/weights.h"
#include "rows/slopes.h"
#include "stats/distributions.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Least squares as a program: one affine operation. */

/* The model as a program (model/program.h). */
static cairn_status cairn_linear_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_linear_model *m = model;
    (void)job;
    return cairn_lower_linear(out, m->intercept ? m->target_mean : 0, m->coefficients,
                              m->intercept ? m->means : NULL);
}

/* Robust and grouped standard errors of least squares (sandwich.h): a pass for the cross products,
 * one for the residuals, one for their squares. */

typedef struct errors_work {
    const cairn_row_matrix *x;
    const double *theta, *weights;
    double *residuals; /* the targets as they arrive */
} errors_work;

static void errors_piece(void *data, const cairn_piece *piece, double *sums)
{
    const errors_work *w = data;
    size_t n = w->x->width;
    double *at = w->residuals + piece->first;
    cairn_gram_add(sums, NULL, piece->z, n, NULL, w->weights + piece->first, piece->n, n);
    cairn_row_dots(piece->buffer, piece->z, n, piece->n, n, w->theta, 0);
    for (size_t i = 0; i < piece->n; i++) at[i] -= piece->buffer[i];
}

/* Residuals of the rows, and the inverse of X'WX; false when it has none. */
static cairn_status invert(cairn_context *ctx, const errors_work *w, double *inverse, bool *known)
{
    size_t n = w->x->width, pivot;
    double condition;
    cairn_row_sum sum = {.piece = errors_piece, .data = (void *)(uintptr_t)w, .size = n * n};
    CHECK(cairn_matrix_sum(ctx, w->x, &sum, inverse));
    CHECK(cairn_cholesky(ctx, inverse, n, &condition, &pivot));
    *known = condition > 1e-14;
    return *known ? cairn_cholesky_inverse(ctx, inverse, n) : CAIRN_OK;
}

/* Standard errors from the rows' own residuals, as the parameters ask, into the history. */
static cairn_status cairn_linear_robust_errors(cairn_context *ctx, const cairn_linear_model *m,
                                               cairn_linear_history *history, const cairn_job *job)
{
    const cairn_linear_params *params = job->params;
    SCOPED_SCRATCH(ctx);
    size_t n = job->view->rows.n, p = m->n_columns;
    cairn_matrix_options options = {.ones = m->intercept, .buffer = 1, .scores = 1};
    cairn_row_matrix x;
    cairn_tested tested = {.n_terms = p};
    double *theta, *raw, *inverse, *out, *weights, *residuals, *ones;
    bool known = false;
    options.units = m->intercept ? CAIRN_UNITS_SHIFTED : CAIRN_UNITS_SCALED;
    options.sum_size = cairn_product(p + 1, p + 1);
    CHECK(cairn_matrix_open(ctx, &x, job->view, &options));
    x.weighted = false;
    CHECK(SCRATCH(ctx, &theta, x.width + 1));
    CHECK(SCRATCH(ctx, &raw, p + 1));
    CHECK(SCRATCH_EACH(ctx, cairn_product(x.width, x.width) + 1, &inverse, &out));
    CHECK(SCRATCH_EACH(ctx, n + 1, &weights, &residuals, &ones));
    for (size_t j = 0; j < p; j++) raw[j] = m->coefficients[j];
    raw[p] = m->constant;
    cairn_matrix_from_raw(&x, raw, 1, theta, 1);
    cairn_view_target_numbers(job->view, 0, n, residuals);
    cairn_view_weights(job->view, 0, n, weights);
    for (size_t i = 0; i < n; i++) ones[i] = 1;
    errors_work work = {&x, theta, weights, residuals};
    if (x.width) CHECK(invert(ctx, &work, inverse, &known));
    CHECK(NEW(ctx, &history->robust, p + 1));
    for (size_t j = 0; j <= p; j++) history->robust[j] = NAN;
    history->has_robust = true;
    if (!known || !(m->df > 0)) return CAIRN_OK;
    cairn_row_slopes rows = {&x, residuals, ones, weights, inverse, m->total, (double)x.width};
    CHECK(cairn_sandwich(ctx, &rows, (cairn_error_kind)params->errors, out, &history->n_groups));
    tested.errors = history->robust;
    return cairn_tested_fill(ctx, &tested, &x, out);
}

static const cairn_choice solvers[] = {
    {"auto", CAIRN_LINEAR_AUTO, "gram where it is safe, else qr"},
    {"gram", CAIRN_LINEAR_GRAM, "normal equations by Cholesky, qr when they are singular"},
    {"qr", CAIRN_LINEAR_QR, "orthogonal triangle of the rows, with pivoting"},
    {"svd", CAIRN_LINEAR_SVD, "singular values of that triangle"},
    {0},
};

static const cairn_choice norms[] = {
    {"slopes", CAIRN_LINEAR_NORM_SLOPES, "the sum of squared coefficients without the intercept"},
    {"all", CAIRN_LINEAR_NORM_ALL, "with the intercept, as the pseudo-inverse of X and a 1 gives"},
    {0},
};

static const cairn_choice divisors[] = {
    {"n", 0, "the number of rows"},
    {"n-1", 1, "one less"},
    {0},
};

static const cairn_param linear_params[] = {
    CAIRN_PARAM(cairn_linear_params, intercept, "yes", NULL, "fit a constant term", .often = true),
    CAIRN_PARAM(cairn_linear_params, level, "0.95", "(0,1)",
                "level of the intervals of coefficients and predictions", .often = true),
    CAIRN_PARAM_CHOICE(cairn_linear_params, solver, "auto", solvers,
                       "how the least-squares problem is solved", .often = true),
    CAIRN_PARAM_CHOICE(cairn_linear_params, norm, "slopes", norms,
                       "what is smallest when columns depend on each other"),
    CAIRN_PARAM_CHOICE(cairn_linear_params, divisor, "n-1", divisors,
                       "divisor of variances and covariances that are shown"),
    CAIRN_PARAM_CHOICE(cairn_linear_params, errors, "usual", cairn_errors_choices,
                       "where standard errors come from"),
    CAIRN_WEIGHTS_ARE(cairn_linear_params, "counts"),
    CAIRN_PARAM(cairn_linear_params, standardised, "yes", NULL,
                "show the weight of the features: w·sd, partial sd, loss of R²", .often = true),
    CAIRN_PARAM(cairn_linear_params, partial_df, "no", NULL,
                "multiply partial deviations by √((n−1)/(n−p)) for p features",
                .when = "standardised"),
    CAIRN_PARAM(cairn_linear_params, projection, "no", NULL,
                "with --steps, show the projection matrix (at most 30 rows)"),
    CAIRN_PARAM_AS(cairn_linear_params, at, CAIRN_TYPE_LIST, NULL,
                   "predict at these values, one per feature in column order"),
    CAIRN_PARAM_AS(cairn_linear_params, without, CAIRN_TYPE_COLUMNS, NULL,
                   "show the model without these features beside the full one, and what they add "
                   "to R²"),
    CAIRN_PARAM(cairn_linear_params, move, NULL, NULL,
                "one feature: the line before and after a row is moved to x,y (5:30,2) or left "
                "out (5:out)"),
    CAIRN_PARAM_END,
};

/* -- fitting -- */

static void clear_history(void *data)
{
    cairn_linear_history *history = data;
    FREE_EACH(history->squares, history->alone, history->relations, history->pairs,
              history->correlations, history->fitted, history->residuals, history->inputs,
              history->robust);
    *history = (cairn_linear_history){0};
}

/* The model holds what prediction needs, the history what only the report shows: fitted values
 * and residuals of every step-th row, enough for a picture. */
static cairn_status model_allocate(cairn_context *ctx, cairn_linear_model *m,
                                   cairn_linear_history *history, const cairn_row_matrix *x)
{
    size_t p = m->n_columns = history->n_columns = x->n_terms, n = x->n;
    size_t step = n / CAIRN_LINEAR_SAMPLE + (n % CAIRN_LINEAR_SAMPLE != 0);
    history->n_sample = (n + step - 1) / step;
    CHECK(NEW_EACH(ctx, p, &m->coefficients, &m->means, &m->lengths));
    if (!cairn_row_span_pays(x->view)) CHECK(NEW(ctx, &m->inverse, cairn_product(p, p)));
    CHECK(NEW_EACH(ctx, p, &m->loose, &history->squares, &history->alone));
    CHECK(NEW_EACH(ctx, history->n_sample, &history->fitted, &history->residuals));
    if (p != 1) return CAIRN_OK;
    CHECK(NEW(ctx, &history->inputs, history->n_sample));
    for (size_t i = 0; i < history->n_sample; i++)
        history->inputs[i] = cairn_matrix_value(x, i * step, 0);
    return CAIRN_OK;
}

/* Cross products with the means taken out, or with the shift put back when there is no intercept;
 * (p+1) x (p+1) in z units, in place in the corner of the (p+2) x (p+2) gram. */
static void centre_gram(double *gram, const cairn_row_matrix *x, bool intercept)
{
    size_t width = x->width, p = x->n_terms;
    const double *ones = gram + (p + 1) * width;
    double n = ones[p + 1];
    for (size_t j = 0; j <= p; j++)
        for (size_t k = 0; k <= p; k++) {
            double sj = x->shift[j] * x->scale[j], sk = x->shift[k] * x->scale[k];
            double change =
                intercept ? -ones[j] / n * ones[k] : sj * ones[k] + sk * ones[j] + n * sj * sk;
            gram[j * width + k] += change;
        }
}

/* Means, sums of squares and lengths; a feature without spread gets length 0. */
static void take_moments(cairn_linear_model *m, cairn_linear_history *history,
                         const cairn_row_matrix *x, const double *gram)
{
    size_t width = x->width, p = x->n_terms;
    const double *ones = gram + (p + 1) * width;
    m->total = ones[p + 1];
    for (size_t j = 0; j <= p; j++) {
        double mean = x->shift[j] + ones[j] / m->total / x->scale[j];
        double noise = 8 * DBL_EPSILON * fabs(mean) * x->scale[j];
        double square = gram[j * width + j] - ones[j] / m->total * ones[j];
        if (square <= m->total * noise * noise) square = 0;
        square /= x->scale[j] * x->scale[j];
        *(j < p ? &m->means[j] : &m->target_mean) = mean;
        *(j < p ? &history->squares[j] : &history->target_ss) = square;
    }
}

static void take_lengths(cairn_linear_model *m, cairn_linear_history *history,
                         const cairn_row_matrix *x, const double *gram)
{
    size_t width = x->width, p = x->n_terms;
    for (size_t j = 0; j <= p; j++) {
        double square = gram[j * width + j] / x->scale[j] / x->scale[j];
        if (m->intercept) square = j < p ? history->squares[j] : history->target_ss;
        if (j < p)
            m->lengths[j] = square > 0 ? sqrt(square) : 0;
        else
            m->sst = square > 0 ? square : 0;
    }
    for (size_t j = 0; j < p; j++) {
        double cross = gram[j * width + p] / x->scale[j] / x->scale[p];
        history->alone[j] = m->lengths[j] > 0 ? cross / m->lengths[j] / m->lengths[j] : 0;
    }
}

/* The part of the problem that has spread, in unit columns. `active` are its columns. */
static cairn_status make_system(cairn_context *ctx, cairn_linear_system *s, size_t **active,
                                const cairn_linear_model *m, const cairn_row_matrix *x,
                                const double *gram, const cairn_linear_params *params)
{
    size_t p = m->n_columns, width = x->width, q = 0, *index;
    *s = (cairn_linear_system){.target_mean = m->target_mean};
    CHECK(SCRATCH(ctx, active, p));
    index = *active;
    for (size_t j = 0; j < p; j++)
        if (m->lengths[j] > 0) index[q++] = j;
    s->q = q;
    s->target_unit = m->sst > 0 ? sqrt(m->sst) : 1;
    CHECK(SCRATCH(ctx, &s->cross, q * q));
    CHECK(SCRATCH_EACH(ctx, q, &s->right, &s->units, &s->rounding, &s->slopes));
    CHECK(SCRATCH(ctx, &s->inverse, q * q));
    CHECK(SCRATCH_EACH(ctx, q, &s->loose, &s->order));
    if (m->intercept && params->norm == CAIRN_LINEAR_NORM_ALL) CHECK(SCRATCH(ctx, &s->means, q));
    for (size_t a = 0; a < q; a++) {
        const double *row = gram + index[a] * width;
        double unit = m->lengths[index[a]] * x->scale[index[a]];
        s->units[a] = m->lengths[index[a]];
        s->rounding[a] = cairn_linear_rounding(m->means[index[a]], m->total, s->units[a]);
        if (s->means) s->means[a] = m->means[index[a]];
        s->right[a] = m->sst > 0 ? row[p] / unit / (s->target_unit * x->scale[p]) : 0;
        for (size_t b = 0; b < q; b++)
            s->cross[a * q + b] =
                a == b ? 1 : row[index[b]] / unit / (m->lengths[index[b]] * x->scale[index[b]]);
    }
    return CAIRN_OK;
}

/* The orthogonal triangle of the active columns in unit length, and the target beside it. */
static cairn_status make_triangle(cairn_context *ctx, cairn_linear_system *s, const size_t *active,
                                  const cairn_linear_model *m, const cairn_row_matrix *x)
{
    size_t p = m->n_columns, width = p + 2, q = s->q;
    double *all;
    CHECK(SCRATCH(ctx, &all, width * width));
    CHECK(cairn_linear_triangle(ctx, x, m->intercept, NULL, 0, all));
    /* the first row belongs to the constant; without one it is empty */
    s->n_triangle = p + 1;
    CHECK(SCRATCH(ctx, &s->triangle, s->n_triangle * q));
    CHECK(SCRATCH(ctx, &s->rotated, s->n_triangle));
    for (size_t i = 0; i <= p; i++) {
        const double *from = all + (i + 1) * width + 1;
        s->rotated[i] = m->sst > 0 ? from[p] / x->scale[p] / s->target_unit : 0;
        for (size_t a = 0; a < q; a++)
            s->triangle[i * q + a] = from[active[a]] / x->scale[active[a]] / s->units[a];
    }
    return CAIRN_OK;
}

static cairn_matrix_options rows_options(const cairn_view *view, bool shifted)
{
    size_t n_terms = 0;
    for (size_t j = 0; j < view->n_features; j++)
        n_terms += view->features[j]->kind == CAIRN_BAG ? view->features[j]->names.n : 1;
    return (cairn_matrix_options){.units = shifted ? CAIRN_UNITS_SHIFTED : CAIRN_UNITS_SCALED,
                                  .target = true,
                                  .ones = true,
                                  .buffer = 1,
                                  .sum_size = cairn_product(n_terms + 2, n_terms + 2)};
}

static cairn_status solve(cairn_context *ctx, cairn_linear_system *s, cairn_linear_model *m,
                          cairn_linear_history *history, const size_t *active, const cairn_job *job)
{
    const cairn_linear_params *params = job->params;
    bool good = s->q == 0;
    history->route = CAIRN_LINEAR_GRAM;
    s->condition = 1;
    if (s->q && (params->solver == CAIRN_LINEAR_AUTO || params->solver == CAIRN_LINEAR_GRAM)) {
        if (cairn_linear_shared_slopes(job, s)) return CAIRN_OK;
        CHECK(cairn_linear_solve_gram(ctx, s, params->solver == CAIRN_LINEAR_GRAM, &good));
    }
    if (good) return cairn_linear_share_inverse(ctx, job, s);
    cairn_matrix_options options = rows_options(job->view, m->intercept);
    cairn_row_matrix x;
    history->route = params->solver == CAIRN_LINEAR_SVD ? CAIRN_LINEAR_SVD : CAIRN_LINEAR_QR;
    CHECK(cairn_matrix_open(ctx, &x, job->view, &options));
    CHECK(make_triangle(ctx, s, active, m, &x));
    return cairn_linear_solve_qr(ctx, s, history->route == CAIRN_LINEAR_SVD);
}

/* From unit columns, whose slopes can be compared, to the features' own units. */
static void keep_slopes(cairn_linear_model *m, const cairn_linear_system *s, const size_t *active)
{
    double size = fabs(m->target_mean), largest = 0;
    for (size_t a = 0; a < s->q; a++) largest = fmax(largest, fabs(s->slopes[a]));
    m->constant = m->intercept ? m->target_mean : 0;
    for (size_t a = 0; a < s->q; a++) {
        size_t j = active[a];
        double slope = cairn_number_left(s->slopes[a], largest);
        m->coefficients[j] = slope * s->target_unit / m->lengths[j];
        if (m->intercept) m->constant -= m->coefficients[j] * m->means[j];
        size += fabs(m->coefficients[j] * m->means[j]);
    }
    if (fabs(m->constant) < 4 * DBL_EPSILON * size) m->constant = 0; /* rounding noise */
}

static void keep_solution(cairn_linear_model *m, const cairn_linear_system *s, const size_t *active)
{
    size_t p = m->n_columns;
    m->rank = s->rank;
    m->df = m->total - (double)m->rank - (m->intercept ? 1 : 0);
    for (size_t j = 0; j < p; j++) m->loose[j] = m->lengths[j] > 0 ? 0 : 1;
    for (size_t a = 0; a < s->q; a++) {
        m->loose[active[a]] = s->loose[a];
        for (size_t b = 0; b < s->q; b++)
            m->inverse[active[a] * p + active[b]] = s->inverse[a * s->q + b];
    }
    keep_slopes(m, s, active);
}

/* "b = 2·a + 1" for every exact dependence, one per line. */
static void add_relation(cairn_text *text, const cairn_linear_model *m,
                         const cairn_linear_system *s, const size_t *active, size_t k,
                         const char *const *names)
{
    size_t from = s->order[s->rank + k], d = active[from];
    double rest = m->intercept ? m->means[d] : 0;
    bool any = false;
    cairn_text_addf(text, "%s = ", names[d]);
    for (size_t i = 0; i < s->rank; i++) {
        size_t a = s->order[i], j = active[a];
        double unit = -s->null[a * s->n_null + k];
        if (fabs(unit) < 1e-9) continue;
        double factor = unit * m->lengths[d] / m->lengths[j];
        cairn_add_term(text, &any, factor, names[j], true);
        if (m->intercept) rest -= factor * m->means[j];
    }
    if (m->intercept && fabs(rest) > 1e-9 * (fabs(m->means[d]) + m->lengths[d]))
        cairn_add_term(text, &any, rest, NULL, false);
    cairn_text_add_char(text, '\n');
}

/* Whether a column that counts as constant has different numbers after all. */
static bool changes(const cairn_row_matrix *x, size_t j)
{
    size_t i = 1;
    while (i < x->n && cairn_matrix_value(x, i, j) == cairn_matrix_value(x, 0, j)) i++;
    return i < x->n;
}

static cairn_status keep_relations(cairn_context *ctx, cairn_linear_history *history,
                                   const cairn_linear_model *m, const cairn_linear_system *s,
                                   const size_t *active, const cairn_row_matrix *x,
                                   const cairn_job *job)
{
    const char *const *names;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    if (!cairn_linear_singular(m)) return CAIRN_OK;
    CHECK(cairn_term_names(ctx, &names, job->schema));
    for (size_t j = 0; j < m->n_columns; j++) {
        if (m->lengths[j] > 0) continue;
        cairn_text_addf(&text, "%s = ", names[j]);
        cairn_text_add_number(&text, m->means[j], 6);
        cairn_text_add(&text,
                       changes(x, j) ? " in every row but for rounding\n" : " in every row\n");
    }
    for (size_t k = 0; k < s->n_null; k++) add_relation(&text, m, s, active, k, names);
    CHECK(cairn_text_status(&text));
    if (text.length) CHECK(cairn_text_take(&text, &history->relations));
    return CAIRN_OK;
}

/* The (at most ten) pairs of features with the largest correlations of 0.95 and more. */
static cairn_status keep_pairs(cairn_context *ctx, cairn_linear_history *m, bool intercept,
                               const cairn_linear_system *s, const size_t *active)
{
    enum { MOST = 10 };
    CHECK(NEW(ctx, &m->pairs, 2 * MOST));
    CHECK(NEW(ctx, &m->correlations, MOST));
    if (!intercept) return CAIRN_OK;
    for (size_t a = 0; a < s->q; a++)
        for (size_t b = a + 1; b < s->q; b++) {
            double r = s->cross[a * s->q + b];
            size_t at = m->n_pairs;
            if (fabs(r) < 0.95) continue;
            while (at > 0 && fabs(r) > fabs(m->correlations[at - 1])) at--;
            if (at == MOST) continue;
            if (m->n_pairs < MOST) m->n_pairs++;
            for (size_t i = m->n_pairs - 1; i > at; i--) {
                m->correlations[i] = m->correlations[i - 1];
                memcpy(m->pairs + 2 * i, m->pairs + 2 * i - 2, 2 * sizeof *m->pairs);
            }
            m->correlations[at] = fmax(-1, fmin(1, r));
            m->pairs[2 * at] = (int32_t)active[a];
            m->pairs[2 * at + 1] = (int32_t)active[b];
        }
    return CAIRN_OK;
}

/* The slopes for z, the constant last. */
static void slopes_for_z(double *out, const cairn_linear_model *m, const cairn_row_matrix *x)
{
    size_t p = m->n_columns;
    double constant =
        m->intercept ? (m->target_mean - x->shift[p]) * x->scale[p] : -x->shift[p] * x->scale[p];
    for (size_t j = 0; j < p; j++) {
        out[j] = m->coefficients[j] * (x->scale[p] / x->scale[j]);
        double mean = m->intercept ? m->means[j] - x->shift[j] : -x->shift[j];
        constant -= out[j] * mean * x->scale[j];
    }
    out[p] = constant;
}

/* What the residuals still have in common with the features, as a change of the unit slopes.
 * Returns its size relative to them. */
static double correction(double *change, const cairn_linear_system *s, const size_t *active,
                         const cairn_linear_model *m, const cairn_row_matrix *x,
                         const double *moments, double *unit)
{
    size_t p = m->n_columns;
    double most = 0, size = 0;
    for (size_t a = 0; a < s->q; a++) {
        size_t j = active[a];
        double mean = m->intercept ? m->means[j] - x->shift[j] : -x->shift[j];
        double moment = moments[j] - mean * x->scale[j] * moments[p];
        unit[a] = moment / (m->lengths[j] * x->scale[j]) / (s->target_unit * x->scale[p]);
    }
    for (size_t a = 0; a < s->q; a++) {
        change[a] = cairn_dot(s->inverse + a * s->q, unit, s->q);
        most = fmax(most, fabs(change[a]));
        size = fmax(size, fabs(s->slopes[a]));
    }
    return size > 0 ? most / size : most;
}

/* Up to this condition of the unit columns the slopes are right to ten digits as they are. */
static const double SURE = 1000;

/* Residuals, and up to three corrections of the slopes by them; one that makes the squares larger,
 * as those of very dependent columns can, is taken back. Slopes from the cross products, which have
 * lost twice the digits of an orthogonal method, take every correction: a small one gives the rest
 * of the digits back and leaves the squares as they are, unless nothing is left of these. */
static cairn_status refine(cairn_context *ctx, cairn_linear_model *m, cairn_linear_history *history,
                           cairn_linear_system *s, const cairn_row_matrix *x, const size_t *active)
{
    size_t p = m->n_columns;
    double *moments, *change, *unit;
    cairn_linear_pass pass = {.x = x, .total = m->total};
    CHECK(SCRATCH_EACH(ctx, p + 1, &pass.slopes, &moments));
    CHECK(SCRATCH_EACH(ctx, s->q, &change, &unit));
    pass.fitted = history->fitted;
    pass.residuals = history->residuals;
    pass.correct = !cairn_linear_singular(m) && history->condition > SURE;
    pass.sample_step = history->n_sample ? (x->n + history->n_sample - 1) / history->n_sample : 1;
    double before = INFINITY, enough = history->route == CAIRN_LINEAR_GRAM ? 1e-16 : 1e-9;
    for (int round = 0;; round++) {
        slopes_for_z(pass.slopes, m, x);
        CHECK(cairn_linear_residuals(ctx, &pass, &history->checks, &m->sse, moments));
        if (!pass.correct || round == 3) break;
        bool worse = m->sse > before;
        double size = worse ? 0 : correction(change, s, active, m, x, moments, unit);
        if (!worse && !(size > enough)) break;
        for (size_t a = 0; a < s->q; a++) s->slopes[a] += worse ? -change[a] : change[a];
        keep_slopes(m, s, active);
        if (history->route == CAIRN_LINEAR_GRAM && !worse && size <= 1e-8 && m->sse > 1e-8 * m->sst)
            break;
        pass.correct = !worse; /* the last look */
        before = m->sse;
    }
    return CAIRN_OK;
}

/* A fit that is exact up to rounding is said to be exact: its residuals are noise. */
static void settle_exact(cairn_linear_model *m, cairn_linear_history *history)
{
    double size = history->target_ss + m->total * m->target_mean * m->target_mean;
    double noise = 64 * DBL_EPSILON * DBL_EPSILON * size * fmax(1, history->condition);
    if (m->sse > noise && m->df > 0) return;
    if (m->df <= 0 && m->sse > 1e-20 * size) return;
    m->sse = 0;
    history->checks.skewness = history->checks.kurtosis = NAN;
    history->checks.durbin_watson = history->checks.spread = NAN;
}

/* Slopes along the directions of the space of the rows, and the columns alone. */
static void take_directions(cairn_linear_model *m, cairn_linear_history *history,
                            const cairn_row_span *s, double *slopes)
{
    const cairn_view *view = &s->view;
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        double w = cairn_view_weight(view, i), e = view->target->numbers[row];
        if (m->intercept) e -= m->target_mean;
        for (size_t a = 0; a < s->k; a++)
            slopes[a] += w * e / s->values[a] * view->features[a]->numbers[row] / s->values[a];
    }
    for (size_t j = 0; j < s->p; j++) {
        double square = 0, cross = 0;
        for (size_t a = 0; a < s->k; a++) {
            double part = s->basis[a * s->p + j] * s->values[a];
            square += part * part;
            cross += part * s->values[a] * slopes[a];
            m->factor[a * s->p + j] = s->basis[a * s->p + j] / s->values[a];
        }
        m->means[j] = s->means[j];
        m->lengths[j] = sqrt(square);
        m->loose[j] = 1;
        history->squares[j] = square;
        history->alone[j] = square > 0 ? cross / square : 0;
    }
}

/* More columns than rows: the solution of least norm lies in the space of the rows, where the
 * directions are independent. All coefficients are loose. */
static cairn_status fit_wide(cairn_context *ctx, cairn_linear_model *m,
                             cairn_linear_history *history, const cairn_row_matrix *x,
                             const cairn_job *job)
{
    const cairn_linear_params *params = job->params;
    cairn_linear_system none = {0};
    cairn_row_span s;
    double *slopes, *own;
    if (params->norm == CAIRN_LINEAR_NORM_ALL)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{norm all} is for at most as many columns as rows, and there are %zu "
                          "columns; leave it out",
                          x->n_terms);
    CHECK(cairn_row_span_open(ctx, &s, job, m->intercept));
    CHECK(SCRATCH(ctx, &slopes, s.k + 1));
    CHECK(SCRATCH(ctx, &own, s.p + 1));
    CHECK(NEW(ctx, &m->factor, cairn_product(s.k, s.p) + 1));
    m->n_factor = s.k;
    for (size_t i = 0; i < x->n; i++) m->total += cairn_view_weight(x->view, i);
    for (size_t i = 0; i < x->n; i++)
        m->target_mean += cairn_view_weight(x->view, i) / m->total *
                          x->view->target->numbers[cairn_view_row(x->view, i)];
    for (size_t i = 0; i < x->n; i++) {
        double y = x->view->target->numbers[cairn_view_row(x->view, i)];
        double w = cairn_view_weight(x->view, i), e = y - m->target_mean;
        history->target_ss += w * e * e;
        m->sst += m->intercept ? w * e * e : w * y * y;
    }
    if (!isfinite(m->sst)) return cairn_matrix_refuse(ctx, x, NULL);
    take_directions(m, history, &s, slopes);
    slopes[s.k] = m->intercept ? m->target_mean : 0;
    cairn_row_span_raw(&s, slopes, own);
    memcpy(m->coefficients, own, s.p * sizeof *own);
    m->constant = own[s.p];
    m->rank = s.k;
    m->df = m->total - (double)m->rank - (m->intercept ? 1 : 0);
    history->route = CAIRN_LINEAR_SVD;
    history->condition = s.k ? s.values[0] / s.values[s.k - 1] : 1;
    CHECK(NEW_EACH(ctx, 1, &history->pairs, &history->correlations));
    CHECK(refine(ctx, m, history, &none, x, NULL));
    settle_exact(m, history);
    return CAIRN_OK;
}

/* Degrees of freedom by what the weights mean. */
static cairn_status count_rows(cairn_context *ctx, cairn_linear_model *m, const cairn_job *job)
{
    const cairn_linear_params *params = job->params;
    bool precise = params->weights_are == CAIRN_WEIGHTS_PRECISIONS;
    double n = cairn_weights_observations(job->view, params->weights_are);
    if (precise && job->view->row_weights && params->errors != CAIRN_ERRORS_USUAL)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{weights-are precisions} goes with {errors usual}: other errors take "
                          "weights as counts");
    if (precise) m->df = n - (double)m->rank - (m->intercept ? 1 : 0);
    return CAIRN_OK;
}

/* The residuals have nothing in common with any column. Answers are made about the means. */
static cairn_status certify(cairn_context *ctx, const cairn_linear_model *m, const cairn_job *job)
{
    SCOPED_SCRATCH(ctx);
    size_t p = m->n_columns;
    double *weights;
    CHECK(SCRATCH(ctx, &weights, p + 1));
    memcpy(weights, m->coefficients, p * sizeof *weights);
    weights[p] = m->intercept ? m->target_mean : 0;
    cairn_slopes s = {.view = job->view, .weights = weights, .constant = m->intercept};
    if (m->intercept) s.centres = m->means;
    return cairn_slopes_certify_squares(ctx, job->certificate, &s, CAIRN_SLOPES_DIRECT);
}

/* The model with its history. */
static cairn_status fit_both(cairn_context *ctx, cairn_linear_model *m,
                             cairn_linear_history *history, const cairn_job *job)
{
    const cairn_linear_params *params = job->params;
    cairn_matrix_options options = rows_options(job->view, true);
    cairn_row_matrix x;
    cairn_linear_system system;
    double *gram;
    size_t *active;

    CHECK(cairn_matrix_open(ctx, &x, job->view, &options));
    m->intercept = params->intercept;
    history->n_rows = cairn_matrix_used(&x);
    double width = cairn_row_span_pays(x.view) ? 0 : (double)x.width;
    if (history->n_rows == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "there is no row to learn from: least squares needs at least one row "
                          "with a positive weight");
    CHECK(cairn_memory_check(ctx, 6 * width * width * 8, "least squares",
                             cairn_say(ctx, "use fewer columns or raise {memory}")));
    CHECK(model_allocate(ctx, m, history, &x));
    if (cairn_row_span_pays(job->view)) {
        CHECK(fit_wide(ctx, m, history, &x, job));
        CHECK(count_rows(ctx, m, job));
        return certify(ctx, m, job);
    }
    CHECK(SCRATCH_RAW(ctx, &gram, cairn_product(x.width, x.width)));
    CHECK(cairn_tick(ctx, "cross products", 0, 1));
    CHECK(cairn_linear_shared_gram(ctx, &x, job, gram));
    take_moments(m, history, &x, gram);
    centre_gram(gram, &x, m->intercept);
    take_lengths(m, history, &x, gram);
    CHECK(make_system(ctx, &system, &active, m, &x, gram, params));
    CHECK(solve(ctx, &system, m, history, active, job));
    history->condition = system.condition;
    keep_solution(m, &system, active);
    CHECK(keep_relations(ctx, history, m, &system, active, &x, job));
    CHECK(keep_pairs(ctx, history, m->intercept, &system, active));
    CHECK(cairn_tick(ctx, "residuals", 0.5, 1));
    CHECK(refine(ctx, m, history, &system, &x, active));
    settle_exact(m, history);
    CHECK(count_rows(ctx, m, job));
    CHECK(certify(ctx, m, job));
    if (params->errors != CAIRN_ERRORS_USUAL)
        CHECK(cairn_linear_robust_errors(ctx, m, history, job));
    return job->steps ? cairn_linear_show_steps(ctx, m, history, job) : CAIRN_OK;
}

static cairn_status linear_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_linear_history own = {0};
    cairn_status status = fit_both(ctx, model, job->history ? job->history : &own, job);
    clear_history(&own);
    return status;
}

/* Weights that somebody wrote down, beside the rows: errors and leverage are those of the rows,
 * but nothing was estimated, so that there are no degrees of freedom, standard errors and tests.
 * The mean of the target becomes what the weights say at the means, from which answers are made. */
static cairn_status take_weights(cairn_context *ctx, cairn_linear_model *m,
                                 cairn_linear_history *history, const cairn_job *job,
                                 const double *weights)
{
    cairn_matrix_options options = rows_options(job->view, true);
    cairn_linear_system none = {0};
    cairn_row_matrix x;
    m->constant = m->intercept ? weights[m->n_columns] : 0;
    m->target_mean = m->constant;
    m->df = 0;
    for (size_t j = 0; j < m->n_columns; j++) {
        m->coefficients[j] = weights[j];
        m->target_mean += weights[j] * m->means[j];
    }
    history->condition = 1; /* no corrections */
    CHECK(cairn_matrix_open(ctx, &x, job->view, &options));
    return refine(ctx, m, history, &none, &x, NULL);
}

static cairn_status linear_read(cairn_context *ctx, void *model, const cairn_job *job,
                                const cairn_given *given)
{
    cairn_linear_history own = {0}, *history = job->history ? job->history : &own;
    const cairn_linear_params *params = job->params;
    cairn_job quiet = *job;
    double *weights;
    quiet.steps = NULL;
    quiet.certificate = NULL;
    cairn_status status = cairn_linear_read_weights(ctx, given, job, params->intercept, &weights);
    if (!status) status = fit_both(ctx, model, history, &quiet);
    if (!status) status = take_weights(ctx, model, history, job, weights);
    clear_history(&own);
    return status;
}

/* -- predicting -- */

typedef struct prediction_run {
    const cairn_linear_model *m;
    double *numbers, *low, *high, *leverage; /* NULL = not wanted */
    double *mean_low, *mean_high;            /* with them */
    double reach;                            /* of the interval for a new row without leverage */
} prediction_run;

static double predict_row(const cairn_linear_model *m, const double *row)
{
    double sum = m->intercept ? m->target_mean : 0;
    for (size_t j = 0; j < m->n_columns; j++)
        sum += m->coefficients[j] * (m->intercept ? row[j] - m->means[j] : row[j]);
    return sum;
}

static void predict_piece(void *data, const cairn_piece *piece, double *sums)
{
    const prediction_run *run = data;
    size_t p = run->m->n_columns;
    (void)sums;
    for (size_t i = 0; i < piece->n; i++) {
        size_t at = piece->first + i;
        double y = predict_row(run->m, piece->z + i * p);
        if (run->numbers) run->numbers[at] = y;
        if (!run->leverage) continue;
        memcpy(piece->buffer, piece->z + i * p, p * sizeof *piece->z);
        run->leverage[at] = cairn_linear_leverage(run->m, piece->buffer);
        double new = run->reach *sqrt(1 + run->leverage[at]);
        double mean = run->reach * sqrt(run->leverage[at]);
        run->low[at] = y - new;
        run->high[at] = y + new;
        run->mean_low[at] = y - mean;
        run->mean_high[at] = y + mean;
    }
}

/* low and high bound a single new row, with the residual variance, mean_low and mean_high what rows
 * like it have on the mean; without degrees of freedom they are missing. */
static cairn_status linear_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                   const cairn_job *job)
{
    const cairn_linear_params *params = job->params;
    const cairn_linear_model *m = model;
    size_t n = job->view->rows.n;
    prediction_run run = {.m = m, .numbers = out->numbers, .reach = NAN};
    cairn_matrix_options options = {.n_terms = m->n_columns, .buffer = m->n_columns};
    cairn_row_sum sum = {.piece = predict_piece, .data = &run};
    cairn_row_matrix x;
    CHECK(cairn_matrix_open(ctx, &x, job->view, &options));
    if (x.n_terms != m->n_columns)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the model has %zu columns, the data %zu",
                          m->n_columns, x.n_terms);
    if (out->extra) {
        CHECK(SCRATCH_EACH(ctx, n, &run.low, &run.high, &run.mean_low, &run.mean_high,
                           &run.leverage));
        if (m->df > 0)
            run.reach = cairn_t_quantile((1 + params->level) / 2, m->df) * sqrt(m->sse / m->df);
    }
    CHECK(cairn_matrix_sum(ctx, &x, &sum, NULL));
    if (!out->extra) return CAIRN_OK;
    CHECK(cairn_table_put_numbers(ctx, out->extra, "low", run.low));
    CHECK(cairn_table_put_numbers(ctx, out->extra, "high", run.high));
    CHECK(cairn_table_put_numbers(ctx, out->extra, "mean_low", run.mean_low));
    CHECK(cairn_table_put_numbers(ctx, out->extra, "mean_high", run.mean_high));
    return cairn_table_put_numbers(ctx, out->extra, "leverage", run.leverage);
}

/* -- statistics -- */

double cairn_linear_leverage(const cairn_linear_model *m, double *row)
{
    size_t p = m->n_columns;
    double sum = m->intercept ? 1 / m->total : 0;
    for (size_t j = 0; j < p && m->intercept; j++) row[j] -= m->means[j];
    for (size_t a = 0; a < m->n_factor; a++) {
        double part = cairn_dot(m->factor + a * p, row, p);
        sum += part * part;
    }
    if (m->n_factor) return sum;
    for (size_t j = 0; j < p; j++) {
        row[j] = m->lengths[j] > 0 ? row[j] / m->lengths[j] : 0;
    }
    for (size_t j = 0; j < p; j++) sum += row[j] * cairn_dot(m->inverse + j * p, row, p);
    return sum;
}

double cairn_linear_r2(const cairn_linear_model *m)
{
    return m->sst > 0 ? cairn_number_left(1 - m->sse / m->sst, 1) : NAN;
}

double cairn_linear_variance_inflation(const cairn_linear_model *m, size_t j)
{
    return m->loose[j] ? (m->lengths[j] > 0 ? INFINITY : NAN) : m->inverse[j * m->n_columns + j];
}

/* Variance of the coefficient over that of a row; NaN when it is not determined. */
static double relative_variance(const cairn_linear_model *m, size_t j)
{
    size_t p = m->n_columns;
    if (j < p) return m->loose[j] ? NAN : m->inverse[j * p + j] / m->lengths[j] / m->lengths[j];
    double sum = 1 / m->total;
    for (size_t a = 0; a < p; a++) {
        if (m->lengths[a] <= 0) continue;
        if (m->loose[a]) return NAN;
        for (size_t b = 0; b < p; b++)
            if (m->lengths[b] > 0)
                sum += m->means[a] / m->lengths[a] * m->inverse[a * p + b] *
                       (m->means[b] / m->lengths[b]);
    }
    return sum;
}

cairn_linear_row cairn_linear_row_of(const cairn_linear_model *m, size_t j, double level)
{
    cairn_linear_row row = {.coefficient = j < m->n_columns ? m->coefficients[j] : m->constant};
    double variance = relative_variance(m, j);
    row.error = row.t = row.p = row.low = row.high = NAN;
    if (!(m->df > 0) || isnan(variance)) return row;
    row.error = sqrt(m->sse / m->df * variance);
    double reach = cairn_t_quantile((1 + level) / 2, m->df) * row.error;
    row.low = row.coefficient - reach;
    row.high = row.coefficient + reach;
    if (row.error > 0 || row.coefficient != 0) {
        row.t = row.coefficient / row.error;
        row.p = isinf(row.t) ? 0 : 2 * cairn_t_upper(fabs(row.t), m->df);
    }
    return row;
}

/* -- keeping -- */

/* The inverse is kept with the coefficients because intervals and leverages of new rows need it. */
static cairn_status linear_archive(cairn_archive *a, void *model)
{
    cairn_linear_model *m = model;
    CHECK(cairn_archive_size(a, "n_columns", &m->n_columns, UINT32_MAX));
    size_t p = m->n_columns;
    CHECK(cairn_archive_real(a, "total", &m->total));
    CHECK(cairn_archive_bool(a, "intercept", &m->intercept));
    CHECK(cairn_archive_size(a, "rank", &m->rank, p));
    CHECK(cairn_archive_real(a, "constant", &m->constant));
    CHECK(cairn_archive_real(a, "df", &m->df));
    CHECK(cairn_archive_real(a, "sse", &m->sse));
    CHECK(cairn_archive_real(a, "sst", &m->sst));
    CHECK(cairn_archive_real(a, "target_mean", &m->target_mean));
    CHECK(cairn_archive_reals(a, "coefficients", &m->coefficients, p));
    CHECK(cairn_archive_reals(a, "means", &m->means, p));
    CHECK(cairn_archive_reals(a, "lengths", &m->lengths, p));
    if (cairn_archive_version(a) >= 17) CHECK(cairn_archive_size(a, "n_factor", &m->n_factor, p));
    if (m->n_factor)
        CHECK(cairn_archive_reals(a, "factor", &m->factor, cairn_product(m->n_factor, p)));
    else
        CHECK(cairn_archive_reals(a, "inverse", &m->inverse, cairn_product(p, p)));
    return cairn_archive_bytes(a, "loose", &m->loose, p);
}

static cairn_status archive_route(cairn_archive *a, cairn_linear_history *history)
{
    CHECK(cairn_archive_int(a, "route", &history->route));
    if (history->route < CAIRN_LINEAR_GRAM || history->route > CAIRN_LINEAR_SVD)
        CHECK(cairn_archive_damaged(a, "there is no solver %d", history->route));
    return CAIRN_OK;
}

/* Relations, pairs, the sample and the checks: the same in files of all versions. */
static cairn_status archive_rest(cairn_archive *a, cairn_linear_history *history)
{
    size_t p = history->n_columns, n;
    CHECK(cairn_archive_text(a, "relations", &history->relations));
    CHECK(cairn_archive_size(a, "n_pairs", &history->n_pairs, 10));
    n = 2 * history->n_pairs;
    CHECK(cairn_archive_ints(a, "pairs", &history->pairs, n));
    CHECK(cairn_archive_reals(a, "correlations", &history->correlations, history->n_pairs));
    for (size_t i = 0; i < n; i++)
        if (history->pairs[i] < 0 || (size_t)history->pairs[i] >= p)
            CHECK(cairn_archive_damaged(a, "a pair names column %d of %zu", history->pairs[i], p));
    CHECK(cairn_archive_size(a, "n_sample", &history->n_sample, CAIRN_LINEAR_SAMPLE));
    CHECK(cairn_archive_reals(a, "fitted", &history->fitted, history->n_sample));
    CHECK(cairn_archive_reals(a, "residuals", &history->residuals, history->n_sample));
    if (p == 1) CHECK(cairn_archive_reals(a, "inputs", &history->inputs, history->n_sample));
    CHECK(cairn_archive_real(a, "residual_sum", &history->checks.sum));
    CHECK(cairn_archive_real(a, "residual_largest", &history->checks.largest));
    CHECK(cairn_archive_int64(a, "residual_largest_row", &history->checks.largest_row));
    CHECK(cairn_archive_real(a, "residual_skewness", &history->checks.skewness));
    CHECK(cairn_archive_real(a, "residual_kurtosis", &history->checks.kurtosis));
    CHECK(cairn_archive_real(a, "durbin_watson", &history->checks.durbin_watson));
    return cairn_archive_real(a, "residual_spread", &history->checks.spread);
}

static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    cairn_linear_history *history = data;
    history->n_columns = ((const cairn_linear_model *)model)->n_columns;
    CHECK(cairn_archive_size(a, "n_rows", &history->n_rows, SIZE_MAX));
    CHECK(archive_route(a, history));
    CHECK(cairn_archive_real(a, "condition", &history->condition));
    CHECK(cairn_archive_real(a, "target_ss", &history->target_ss));
    CHECK(cairn_archive_reals(a, "squares", &history->squares, history->n_columns));
    CHECK(cairn_archive_reals(a, "alone", &history->alone, history->n_columns));
    CHECK(archive_rest(a, history));
    /* From version 14 on. */
    if (cairn_archive_version(a) < 14) return CAIRN_OK;
    CHECK(cairn_archive_bool(a, "has_robust", &history->has_robust));
    if (!history->has_robust) return CAIRN_OK;
    CHECK(cairn_archive_size(a, "n_groups", &history->n_groups, SIZE_MAX));
    return cairn_archive_reals(a, "robust", &history->robust, history->n_columns + 1);
}

/* Files before version 9. */
static cairn_status archive_together(cairn_archive *a, void *model, void *data)
{
    cairn_linear_model *m = model;
    cairn_linear_history *history = data;
    bool singular = cairn_linear_singular(m);
    CHECK(cairn_archive_size(a, "n_columns", &m->n_columns, UINT32_MAX));
    size_t p = history->n_columns = m->n_columns;
    CHECK(cairn_archive_size(a, "n_rows", &history->n_rows, SIZE_MAX));
    CHECK(cairn_archive_real(a, "total", &m->total));
    CHECK(cairn_archive_bool(a, "intercept", &m->intercept));
    CHECK(archive_route(a, history));
    CHECK(cairn_archive_bool(a, "singular", &singular));
    CHECK(cairn_archive_size(a, "rank", &m->rank, m->n_columns));
    CHECK(cairn_archive_real(a, "condition", &history->condition));
    CHECK(cairn_archive_real(a, "constant", &m->constant));
    CHECK(cairn_archive_real(a, "df", &m->df));
    CHECK(cairn_archive_real(a, "sse", &m->sse));
    CHECK(cairn_archive_real(a, "sst", &m->sst));
    CHECK(cairn_archive_real(a, "target_mean", &m->target_mean));
    CHECK(cairn_archive_real(a, "target_ss", &history->target_ss));
    CHECK(cairn_archive_reals(a, "coefficients", &m->coefficients, p));
    CHECK(cairn_archive_reals(a, "means", &m->means, p));
    CHECK(cairn_archive_reals(a, "squares", &history->squares, p));
    CHECK(cairn_archive_reals(a, "lengths", &m->lengths, p));
    CHECK(cairn_archive_reals(a, "alone", &history->alone, p));
    CHECK(cairn_archive_reals(a, "inverse", &m->inverse, cairn_product(p, p)));
    CHECK(cairn_archive_bytes(a, "loose", &m->loose, p));
    return archive_rest(a, history);
}

static const cairn_history linear_history = {
    .size = sizeof(cairn_linear_history),
    .archive = archive_history,
    .clear = clear_history,
    .archive_together = archive_together,
};

static cairn_status linear_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    return cairn_terms_check(a, job->schema, ((const cairn_linear_model *)model)->n_columns);
}

static void linear_clear(void *model)
{
    cairn_linear_model *m = model;
    FREE_EACH(m->coefficients, m->means, m->lengths, m->inverse, m->factor, m->loose);
    *m = (cairn_linear_model){0};
}

static cairn_model_size linear_size(const void *model)
{
    const cairn_linear_model *m = model;
    return (cairn_model_size){.parameters = (double)m->n_columns + (m->intercept ? 1 : 0)};
}

static const cairn_output linear_outputs[] = {
    {"low", "lower end of the interval for a new row"},
    {"high", "upper end of the interval for a new row"},
    {"mean_low", "lower end of the interval of the mean of rows like it"},
    {"mean_high", "upper end of it"},
    {"leverage", "how far the row lies from the rows that were learned from"},
    {0},
};

const cairn_learner cairn_linear = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "linear",
            .also = "least squares, OLS, ordinary least squares, multiple regression, simple "
                    "regression, lm, LinearRegression, linear model, least squares regression",
            .about = "minimisation of error, criterion of least squares, confint, pseudo-inverse, "
                     "hat matrix, projection matrix, normal equations",
            .title = "Linear regression",
            .summary =
                "Fits the target as a constant plus a weighted sum of the features, with the "
                "smallest sum of squared residuals, and reports how certain each coefficient is. "
                "The "
                "normal equations are solved where they are well conditioned, an orthogonal "
                "factorisation where they are not; when columns depend on each other, the "
                "dependences are named and the solution of smallest norm is given.",
            .references =
                "Legendre (1805); Björck, Numerical Methods for Least Squares Problems (1996); "
                "Bring, How to standardize regression coefficients (1994)",
            .example = "cairn fit linear @used-cars --target price",
            .params = linear_params,
            .params_size = sizeof(cairn_linear_params),
        },
    .tasks = CAIRN_REGRESS,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_BAGS |
               CAIRN_ACCEPTS_NO_FEATURES | CAIRN_WANTS_REFERENCE,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER | CAIRN_CLAIM_COLUMN_ORDER,
    .reports = CAIRN_REPORTS_ERRORS,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING,
    .model_size = sizeof(cairn_linear_model),
    .tables = cairn_linear_tables,
    .outputs = linear_outputs,
    .outputs_in_units = 4,
    .fit = linear_fit,
    .read = linear_read,
    .forms = cairn_linear_forms,
    .lower = cairn_linear_lower,
    .predict = linear_predict,
    .describe = cairn_linear_describe,
    .keeps_means = true,
    .shares = true,
    .explain = cairn_linear_explain,
    .history = &linear_history,
    .archive = linear_archive,
    .check = linear_check,
    .clear = linear_clear,
    .size = linear_size,
};
