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
#include "learners/linear/linear.h"
#include "base/memory.h"
#include "base/number.h"
#include "kernels/kernels.h"
#include "parallel/parallel.h"
#include "stats/distributions.h"
#include <float.h>
#include <math.h>
#include <string.h>

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
    CAIRN_PARAM(cairn_linear_params, intercept, "yes", NULL, "fit a constant term"),
    CAIRN_PARAM(cairn_linear_params, level, "0.95", "(0,1)",
                "level of the intervals of coefficients and predictions"),
    CAIRN_PARAM_CHOICE(cairn_linear_params, solver, "auto", solvers,
                       "how the least-squares problem is solved"),
    CAIRN_PARAM_CHOICE(cairn_linear_params, norm, "slopes", norms,
                       "what is smallest when columns depend on each other"),
    CAIRN_PARAM_CHOICE(cairn_linear_params, divisor, "n-1", divisors,
                       "divisor of variances and covariances that are shown"),
    CAIRN_PARAM(cairn_linear_params, standardised, "yes", NULL,
                "show the weight of the features: w·sd, partial sd, loss of R²"),
    CAIRN_PARAM(cairn_linear_params, partial_df, "no", NULL,
                "multiply partial deviations by √((n−1)/(n−p)) for p features"),
    CAIRN_PARAM(cairn_linear_params, projection, "no", NULL,
                "with --steps, show the projection matrix (at most 30 rows)"),
    CAIRN_PARAM_AS(cairn_linear_params, at, CAIRN_TYPE_LIST, NULL,
                   "predict at these values, one per feature in column order"),
    CAIRN_PARAM_END,
};

/* -- fitting -- */

static cairn_status check_rows(cairn_context *ctx, const cairn_job *job)
{
    const cairn_view *view = job->view;
    double p = (double)view->n_features + 2;
    for (size_t i = 0; i < view->rows.n; i++)
        if (cairn_view_weight(view, i) > 0)
            return cairn_memory_check(ctx, 6 * p * p * 8, "least squares",
                                      "use fewer columns or raise --memory");
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "there is no row to learn from: least squares needs at least one row with a "
                      "positive weight");
}

static cairn_status model_allocate(cairn_context *ctx, cairn_linear_model *m, const cairn_job *job)
{
    const cairn_view *view = job->view;
    size_t p = m->n_columns = view->n_features, n = view->rows.n;
    size_t step = n / CAIRN_LINEAR_SAMPLE + (n % CAIRN_LINEAR_SAMPLE != 0);
    m->n_sample = (n + step - 1) / step;
    CHECK(NEW(ctx, &m->coefficients, p));
    CHECK(NEW(ctx, &m->means, p));
    CHECK(NEW(ctx, &m->squares, p));
    CHECK(NEW(ctx, &m->lengths, p));
    CHECK(NEW(ctx, &m->alone, p));
    CHECK(NEW(ctx, &m->inverse, cairn_product(p, p)));
    CHECK(NEW(ctx, &m->loose, p));
    CHECK(NEW(ctx, &m->fitted, m->n_sample));
    CHECK(NEW(ctx, &m->residuals, m->n_sample));
    if (p == 1) {
        CHECK(NEW(ctx, &m->inputs, m->n_sample));
        for (size_t i = 0; i < m->n_sample; i++)
            m->inputs[i] = view->features[0]->numbers[cairn_view_row(view, i * step)];
    }
    return CAIRN_OK;
}

/* Cross products with the means taken out, or with the shift put back when there is no intercept;
 * (p+1) x (p+1) in z units, in place in the corner of the (p+2) x (p+2) gram. */
static void centre_gram(double *gram, const cairn_linear_pass *pass, bool intercept)
{
    size_t width = pass->stride, p = pass->p;
    const double *ones = gram + (p + 1) * width;
    double n = ones[p + 1];
    for (size_t j = 0; j <= p; j++)
        for (size_t k = 0; k <= p; k++) {
            double sj = pass->shift[j] * pass->scale[j], sk = pass->shift[k] * pass->scale[k];
            double change =
                intercept ? -ones[j] / n * ones[k] : sj * ones[k] + sk * ones[j] + n * sj * sk;
            gram[j * width + k] += change;
        }
}

/* Means, sums of squares and lengths; a feature without spread gets length 0. */
static void take_moments(cairn_linear_model *m, const cairn_linear_pass *pass, const double *gram)
{
    size_t width = pass->stride, p = pass->p;
    const double *ones = gram + (p + 1) * width;
    m->total = ones[p + 1];
    for (size_t j = 0; j <= p; j++) {
        double mean = pass->shift[j] + ones[j] / m->total / pass->scale[j];
        double noise = 8 * DBL_EPSILON * fabs(mean) * pass->scale[j];
        double square = gram[j * width + j] - ones[j] / m->total * ones[j];
        if (square <= m->total * noise * noise) square = 0;
        square /= pass->scale[j] * pass->scale[j];
        *(j < p ? &m->means[j] : &m->target_mean) = mean;
        *(j < p ? &m->squares[j] : &m->target_ss) = square;
    }
}

static void take_lengths(cairn_linear_model *m, const cairn_linear_pass *pass, const double *gram)
{
    size_t width = pass->stride, p = pass->p;
    for (size_t j = 0; j <= p; j++) {
        double square = gram[j * width + j] / pass->scale[j] / pass->scale[j];
        if (m->intercept) square = j < p ? m->squares[j] : m->target_ss;
        if (j < p)
            m->lengths[j] = square > 0 ? sqrt(square) : 0;
        else
            m->sst = square > 0 ? square : 0;
    }
    for (size_t j = 0; j < p; j++) {
        double cross = gram[j * width + p] / pass->scale[j] / pass->scale[p];
        m->alone[j] = m->lengths[j] > 0 ? cross / m->lengths[j] / m->lengths[j] : 0;
    }
}

/* The part of the problem that has spread, in unit columns. `active` are its columns. */
static cairn_status make_system(cairn_context *ctx, cairn_linear_system *s, size_t **active,
                                const cairn_linear_model *m, const cairn_linear_pass *pass,
                                const double *gram, const cairn_linear_params *params)
{
    size_t p = m->n_columns, width = pass->stride, q = 0, *index;
    *s = (cairn_linear_system){.target_mean = m->target_mean};
    CHECK(SCRATCH(ctx, active, p));
    index = *active;
    for (size_t j = 0; j < p; j++)
        if (m->lengths[j] > 0) index[q++] = j;
    s->q = q;
    s->tolerance = 1e-11;
    for (size_t a = 0; a < q; a++) {
        double far = fabs(m->means[index[a]]) * sqrt(m->total) / m->lengths[index[a]];
        s->tolerance = fmin(1e-6, fmax(s->tolerance, 8 * DBL_EPSILON * far));
    }
    s->target_unit = m->sst > 0 ? sqrt(m->sst) : 1;
    CHECK(SCRATCH(ctx, &s->cross, q * q));
    CHECK(SCRATCH(ctx, &s->right, q));
    CHECK(SCRATCH(ctx, &s->units, q));
    CHECK(SCRATCH(ctx, &s->slopes, q));
    CHECK(SCRATCH(ctx, &s->inverse, q * q));
    CHECK(SCRATCH(ctx, &s->loose, q));
    CHECK(SCRATCH(ctx, &s->order, q));
    if (m->intercept && params->norm == CAIRN_LINEAR_NORM_ALL) CHECK(SCRATCH(ctx, &s->means, q));
    for (size_t a = 0; a < q; a++) {
        const double *row = gram + index[a] * width;
        double unit = m->lengths[index[a]] * pass->scale[index[a]];
        s->units[a] = m->lengths[index[a]];
        if (s->means) s->means[a] = m->means[index[a]];
        s->right[a] = m->sst > 0 ? row[p] / unit / (s->target_unit * pass->scale[p]) : 0;
        for (size_t b = 0; b < q; b++)
            s->cross[a * q + b] =
                a == b ? 1 : row[index[b]] / unit / (m->lengths[index[b]] * pass->scale[index[b]]);
    }
    return CAIRN_OK;
}

/* The orthogonal triangle of the active columns in unit length, and the target beside it. */
static cairn_status make_triangle(cairn_context *ctx, cairn_linear_system *s, const size_t *active,
                                  const cairn_linear_model *m, const cairn_view *view)
{
    size_t p = m->n_columns, width = p + 2, q = s->q;
    cairn_linear_pass pass;
    double *all;
    CHECK(cairn_linear_pass_make(ctx, &pass, view, m->intercept));
    CHECK(SCRATCH(ctx, &all, width * width));
    CHECK(cairn_linear_triangle(ctx, &pass, m->intercept, all));
    /* the first row belongs to the constant; without one it is empty */
    s->n_triangle = p + 1;
    CHECK(SCRATCH(ctx, &s->triangle, s->n_triangle * q));
    CHECK(SCRATCH(ctx, &s->rotated, s->n_triangle));
    for (size_t i = 0; i <= p; i++) {
        const double *from = all + (i + 1) * width + 1;
        s->rotated[i] = m->sst > 0 ? from[p] / pass.scale[p] / s->target_unit : 0;
        for (size_t a = 0; a < q; a++)
            s->triangle[i * q + a] = from[active[a]] / pass.scale[active[a]] / s->units[a];
    }
    return CAIRN_OK;
}

static cairn_status solve(cairn_context *ctx, cairn_linear_system *s, cairn_linear_model *m,
                          const size_t *active, const cairn_job *job)
{
    const cairn_linear_params *params = job->params;
    bool good = s->q == 0;
    m->route = CAIRN_LINEAR_GRAM;
    s->condition = 1;
    if (s->q && (params->solver == CAIRN_LINEAR_AUTO || params->solver == CAIRN_LINEAR_GRAM))
        CHECK(cairn_linear_solve_gram(ctx, s, params->solver == CAIRN_LINEAR_GRAM, &good));
    if (!good) {
        m->route = params->solver == CAIRN_LINEAR_SVD ? CAIRN_LINEAR_SVD : CAIRN_LINEAR_QR;
        CHECK(make_triangle(ctx, s, active, m, job->view));
        CHECK(cairn_linear_solve_qr(ctx, s, m->route == CAIRN_LINEAR_SVD));
    }
    return CAIRN_OK;
}

/* From unit columns to the features' own units. */
static void keep_slopes(cairn_linear_model *m, const cairn_linear_system *s, const size_t *active)
{
    double size = fabs(m->target_mean);
    m->constant = m->intercept ? m->target_mean : 0;
    for (size_t a = 0; a < s->q; a++) {
        size_t j = active[a];
        m->coefficients[j] = s->slopes[a] * s->target_unit / m->lengths[j];
        if (m->intercept) m->constant -= m->coefficients[j] * m->means[j];
        size += fabs(m->coefficients[j] * m->means[j]);
    }
    if (fabs(m->constant) < 4 * DBL_EPSILON * size) m->constant = 0; /* rounding noise */
}

static void keep_solution(cairn_linear_model *m, const cairn_linear_system *s, const size_t *active)
{
    size_t p = m->n_columns;
    m->rank = s->rank;
    m->singular = s->rank < p;
    m->condition = s->condition;
    m->df = m->total - (double)m->rank - (m->intercept ? 1 : 0);
    for (size_t j = 0; j < p; j++) m->loose[j] = m->lengths[j] > 0 ? 0 : 1;
    for (size_t a = 0; a < s->q; a++) {
        m->loose[active[a]] = s->loose[a];
        for (size_t b = 0; b < s->q; b++)
            m->inverse[active[a] * p + active[b]] = s->inverse[a * s->q + b];
    }
    keep_slopes(m, s, active);
}

void cairn_linear_add_term(cairn_text *text, bool *any, double factor, const char *name,
                           bool hide_one)
{
    cairn_text_add(text, *any ? (factor < 0 ? " − " : " + ") : factor < 0 ? "−" : "");
    *any = true;
    bool shown = !name || !hide_one || fabs(fabs(factor) - 1) > 1e-9;
    if (shown) cairn_text_add_number(text, fabs(factor), 6);
    if (name) cairn_text_addf(text, "%s%s", shown ? "·" : "", name);
}

/* "b = 2·a + 1" for every exact dependence, one per line. */
static void add_relation(cairn_text *text, const cairn_linear_model *m,
                         const cairn_linear_system *s, const size_t *active, size_t k,
                         const cairn_view *view)
{
    size_t from = s->order[s->rank + k], d = active[from];
    double rest = m->intercept ? m->means[d] : 0;
    bool any = false;
    cairn_text_addf(text, "%s = ", view->names[d]);
    for (size_t i = 0; i < s->rank; i++) {
        size_t a = s->order[i], j = active[a];
        double unit = -s->null[a * s->n_null + k];
        if (fabs(unit) < 1e-9) continue;
        double factor = unit * m->lengths[d] / m->lengths[j];
        cairn_linear_add_term(text, &any, factor, view->names[j], true);
        if (m->intercept) rest -= factor * m->means[j];
    }
    if (m->intercept && fabs(rest) > 1e-9 * (fabs(m->means[d]) + m->lengths[d]))
        cairn_linear_add_term(text, &any, rest, NULL, false);
    cairn_text_add_char(text, '\n');
}

static cairn_status keep_relations(cairn_context *ctx, cairn_linear_model *m,
                                   const cairn_linear_system *s, const size_t *active,
                                   const cairn_view *view)
{
    cairn_text text = cairn_text_start(ctx);
    cairn_status status = CAIRN_OK;
    for (size_t j = 0; j < m->n_columns; j++) {
        if (m->lengths[j] > 0) continue;
        cairn_text_addf(&text, "%s = ", view->names[j]);
        cairn_text_add_number(&text, m->means[j], 6);
        cairn_text_add(&text, " in every row\n");
    }
    for (size_t k = 0; k < s->n_null; k++) add_relation(&text, m, s, active, k, view);
    TRY(cairn_text_status(&text));
    if (text.length) TRY(cairn_text_take(&text, &m->relations));
done:
    cairn_text_clear(&text);
    return status;
}

/* The (at most ten) pairs of features with the largest correlations of 0.95 and more. */
static cairn_status keep_pairs(cairn_context *ctx, cairn_linear_model *m,
                               const cairn_linear_system *s, const size_t *active)
{
    enum { MOST = 10 };
    cairn_status status;
    TRY(NEW(ctx, &m->pairs, 2 * MOST));
    TRY(NEW(ctx, &m->correlations, MOST));
    if (!m->intercept) goto done;
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
done:
    return status;
}

/* The slopes for z, the constant last. */
static void slopes_for_z(double *out, const cairn_linear_model *m, const cairn_linear_pass *pass)
{
    size_t p = m->n_columns;
    double constant = m->intercept ? (m->target_mean - pass->shift[p]) * pass->scale[p]
                                   : -pass->shift[p] * pass->scale[p];
    for (size_t j = 0; j < p; j++) {
        out[j] = m->coefficients[j] * (pass->scale[p] / pass->scale[j]);
        double mean = m->intercept ? m->means[j] - pass->shift[j] : -pass->shift[j];
        constant -= out[j] * mean * pass->scale[j];
    }
    out[p] = constant;
}

/* What the residuals still have in common with the features, as a change of the unit slopes.
 * Returns its size relative to them. */
static double correction(double *change, const cairn_linear_system *s, const size_t *active,
                         const cairn_linear_model *m, const cairn_linear_pass *pass,
                         const double *moments, double *unit)
{
    size_t p = m->n_columns;
    double most = 0, size = 0;
    for (size_t a = 0; a < s->q; a++) {
        size_t j = active[a];
        double mean = m->intercept ? m->means[j] - pass->shift[j] : -pass->shift[j];
        double moment = moments[j] - mean * pass->scale[j] * moments[p];
        unit[a] = moment / (m->lengths[j] * pass->scale[j]) / (s->target_unit * pass->scale[p]);
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

/* Residuals, and up to three corrections of the slopes by them. */
static cairn_status refine(cairn_context *ctx, cairn_linear_model *m, cairn_linear_system *s,
                           cairn_linear_pass *pass, const size_t *active)
{
    size_t p = m->n_columns;
    double *slopes, *moments, *change, *unit;
    CHECK(SCRATCH(ctx, &slopes, p + 1));
    CHECK(SCRATCH(ctx, &moments, p + 1));
    CHECK(SCRATCH(ctx, &change, s->q));
    CHECK(SCRATCH(ctx, &unit, s->q));
    pass->slopes = slopes;
    pass->fitted = m->fitted;
    pass->residuals = m->residuals;
    pass->total = m->total;
    pass->correct = !m->singular && m->condition > SURE;
    pass->sample_step = m->n_sample ? (pass->n_rows + m->n_sample - 1) / m->n_sample : 1;
    for (int round = 0;; round++) {
        slopes_for_z(slopes, m, pass);
        CHECK(cairn_linear_residuals(ctx, pass, &m->checks, &m->sse, moments));
        if (!pass->correct || round == 3) break;
        if (!(correction(change, s, active, m, pass, moments, unit) > 1e-9)) break;
        for (size_t a = 0; a < s->q; a++) s->slopes[a] += change[a];
        keep_slopes(m, s, active);
    }
    return CAIRN_OK;
}

/* A fit that is exact up to rounding is said to be exact: its residuals are noise. */
static void settle_exact(cairn_linear_model *m)
{
    double size = m->target_ss + m->total * m->target_mean * m->target_mean;
    double noise = 64 * DBL_EPSILON * DBL_EPSILON * size * fmax(1, m->condition);
    if (m->sse > noise && m->df > 0) return;
    if (m->df <= 0 && m->sse > 1e-20 * size) return;
    m->sse = 0;
    m->checks.skewness = m->checks.kurtosis = NAN;
    m->checks.durbin_watson = m->checks.spread = NAN;
}

static size_t count_rows(const cairn_view *view)
{
    size_t n = 0;
    for (size_t i = 0; i < view->rows.n; i++) n += cairn_view_weight(view, i) > 0;
    return n;
}

static cairn_status linear_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const cairn_linear_params *params = job->params;
    cairn_linear_model *m = model;
    cairn_linear_pass pass;
    cairn_linear_system system;
    double *gram;
    size_t *active;

    CHECK(check_rows(ctx, job));
    m->intercept = params->intercept;
    m->n_rows = count_rows(job->view);
    CHECK(model_allocate(ctx, m, job));
    CHECK(cairn_linear_pass_make(ctx, &pass, job->view, true));
    CHECK(SCRATCH_RAW(ctx, &gram, cairn_product(pass.stride, pass.stride)));
    CHECK(cairn_tick(ctx, "cross products", 0, 1));
    CHECK(cairn_linear_gram(ctx, &pass, gram));
    take_moments(m, &pass, gram);
    centre_gram(gram, &pass, m->intercept);
    take_lengths(m, &pass, gram);
    CHECK(make_system(ctx, &system, &active, m, &pass, gram, params));
    CHECK(solve(ctx, &system, m, active, job));
    keep_solution(m, &system, active);
    CHECK(keep_relations(ctx, m, &system, active, job->view));
    CHECK(keep_pairs(ctx, m, &system, active));
    CHECK(cairn_tick(ctx, "residuals", 0.5, 1));
    CHECK(refine(ctx, m, &system, &pass, active));
    settle_exact(m);
    if (job->steps) CHECK(cairn_linear_show_steps(ctx, m, job));
    return CAIRN_OK;
}

/* -- predicting -- */

typedef struct prediction_run {
    const cairn_linear_model *m;
    const cairn_view *view;
    double *buffers; /* a worker's block of rows */
    size_t block;
    double *numbers, *low, *high, *leverage; /* NULL = not wanted */
    double reach;                            /* of the interval for a new row without leverage */
} prediction_run;

static double predict_row(const cairn_linear_model *m, const double *row)
{
    double sum = m->intercept ? m->target_mean : 0;
    for (size_t j = 0; j < m->n_columns; j++)
        sum += m->coefficients[j] * (m->intercept ? row[j] - m->means[j] : row[j]);
    return sum;
}

static void predict_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    prediction_run *run = data;
    size_t p = run->m->n_columns;
    double *rows = run->buffers + (size_t)worker * run->block * p;
    (void)block;
    cairn_view_block(run->view, begin, end - begin, rows);
    for (size_t i = begin; i < end; i++, rows += p) {
        double y = predict_row(run->m, rows);
        if (run->numbers) run->numbers[i] = y;
        if (!run->leverage) continue;
        run->leverage[i] = cairn_linear_leverage(run->m, rows);
        run->low[i] = y - run->reach * sqrt(1 + run->leverage[i]);
        run->high[i] = y + run->reach * sqrt(1 + run->leverage[i]);
    }
}

static cairn_status linear_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                   const cairn_job *job)
{
    const cairn_linear_params *params = job->params;
    const cairn_linear_model *m = model;
    size_t n = job->view->rows.n, p = m->n_columns;
    prediction_run run = {.m = m, .view = job->view, .numbers = out->numbers, .block = 256};
    if (job->view->n_features != p)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the model has %zu columns, the data %zu", p,
                          job->view->n_features);
    CHECK(SCRATCH_RAW(ctx, &run.buffers, cairn_product((size_t)cairn_workers(ctx) * run.block, p)));
    if (out->extra) {
        CHECK(SCRATCH(ctx, &run.low, n));
        CHECK(SCRATCH(ctx, &run.high, n));
        CHECK(SCRATCH(ctx, &run.leverage, n));
        run.reach = NAN;
        if (m->df > 0)
            run.reach = cairn_t_quantile((1 + params->level) / 2, m->df) * sqrt(m->sse / m->df);
    }
    CHECK(cairn_blocks(ctx, n, run.block, predict_block, &run));
    if (out->extra) {
        CHECK(cairn_table_add_numbers(ctx, out->extra, "low", run.low));
        CHECK(cairn_table_add_numbers(ctx, out->extra, "high", run.high));
        CHECK(cairn_table_add_numbers(ctx, out->extra, "leverage", run.leverage));
    }
    return CAIRN_OK;
}

/* -- statistics -- */

double cairn_linear_leverage(const cairn_linear_model *m, double *row)
{
    size_t p = m->n_columns;
    double sum = m->intercept ? 1 / m->total : 0;
    for (size_t j = 0; j < p; j++) {
        if (m->intercept) row[j] -= m->means[j];
        row[j] = m->lengths[j] > 0 ? row[j] / m->lengths[j] : 0;
    }
    for (size_t j = 0; j < p; j++) sum += row[j] * cairn_dot(m->inverse + j * p, row, p);
    return sum;
}

double cairn_linear_r2(const cairn_linear_model *m)
{
    return m->sst > 0 ? 1 - m->sse / m->sst : NAN;
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

static cairn_status archive_checks(cairn_archive *a, cairn_linear_checks *c)
{
    CHECK(cairn_archive_real(a, "residual_sum", &c->sum));
    CHECK(cairn_archive_real(a, "residual_largest", &c->largest));
    CHECK(cairn_archive_int64(a, "residual_largest_row", &c->largest_row));
    CHECK(cairn_archive_real(a, "residual_skewness", &c->skewness));
    CHECK(cairn_archive_real(a, "residual_kurtosis", &c->kurtosis));
    CHECK(cairn_archive_real(a, "durbin_watson", &c->durbin_watson));
    return cairn_archive_real(a, "residual_spread", &c->spread);
}

static cairn_status archive_arrays(cairn_archive *a, cairn_linear_model *m)
{
    size_t p = m->n_columns;
    CHECK(cairn_archive_reals(a, "coefficients", &m->coefficients, p));
    CHECK(cairn_archive_reals(a, "means", &m->means, p));
    CHECK(cairn_archive_reals(a, "squares", &m->squares, p));
    CHECK(cairn_archive_reals(a, "lengths", &m->lengths, p));
    CHECK(cairn_archive_reals(a, "alone", &m->alone, p));
    CHECK(cairn_archive_reals(a, "inverse", &m->inverse, cairn_product(p, p)));
    CHECK(cairn_archive_bytes(a, "loose", &m->loose, p));
    CHECK(cairn_archive_text(a, "relations", &m->relations));
    CHECK(cairn_archive_size(a, "n_pairs", &m->n_pairs, 10));
    CHECK(cairn_archive_ints(a, "pairs", &m->pairs, 2 * m->n_pairs));
    CHECK(cairn_archive_reals(a, "correlations", &m->correlations, m->n_pairs));
    for (size_t i = 0; i < 2 * m->n_pairs; i++)
        if (m->pairs[i] < 0 || (size_t)m->pairs[i] >= p)
            CHECK(cairn_archive_damaged(a, "a pair names column %d of %zu", m->pairs[i], p));
    CHECK(cairn_archive_size(a, "n_sample", &m->n_sample, CAIRN_LINEAR_SAMPLE));
    CHECK(cairn_archive_reals(a, "fitted", &m->fitted, m->n_sample));
    CHECK(cairn_archive_reals(a, "residuals", &m->residuals, m->n_sample));
    if (p == 1) CHECK(cairn_archive_reals(a, "inputs", &m->inputs, m->n_sample));
    return CAIRN_OK;
}

static cairn_status linear_archive(cairn_archive *a, void *model)
{
    cairn_linear_model *m = model;
    CHECK(cairn_archive_size(a, "n_columns", &m->n_columns, UINT32_MAX));
    CHECK(cairn_archive_size(a, "n_rows", &m->n_rows, SIZE_MAX));
    CHECK(cairn_archive_real(a, "total", &m->total));
    CHECK(cairn_archive_bool(a, "intercept", &m->intercept));
    CHECK(cairn_archive_int(a, "route", &m->route));
    if (m->route < CAIRN_LINEAR_GRAM || m->route > CAIRN_LINEAR_SVD)
        CHECK(cairn_archive_damaged(a, "there is no solver %d", m->route));
    CHECK(cairn_archive_bool(a, "singular", &m->singular));
    CHECK(cairn_archive_size(a, "rank", &m->rank, m->n_columns));
    CHECK(cairn_archive_real(a, "condition", &m->condition));
    CHECK(cairn_archive_real(a, "constant", &m->constant));
    CHECK(cairn_archive_real(a, "df", &m->df));
    CHECK(cairn_archive_real(a, "sse", &m->sse));
    CHECK(cairn_archive_real(a, "sst", &m->sst));
    CHECK(cairn_archive_real(a, "target_mean", &m->target_mean));
    CHECK(cairn_archive_real(a, "target_ss", &m->target_ss));
    CHECK(archive_arrays(a, m));
    return archive_checks(a, &m->checks);
}

static cairn_status linear_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    return cairn_check_columns(a, job, ((const cairn_linear_model *)model)->n_columns);
}

static void linear_clear(void *model)
{
    cairn_linear_model *m = model;
    cairn_free(m->coefficients);
    cairn_free(m->means);
    cairn_free(m->squares);
    cairn_free(m->lengths);
    cairn_free(m->alone);
    cairn_free(m->inverse);
    cairn_free(m->loose);
    cairn_free(m->relations);
    cairn_free(m->pairs);
    cairn_free(m->correlations);
    cairn_free(m->fitted);
    cairn_free(m->residuals);
    cairn_free(m->inputs);
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
    {"leverage", "how far the row lies from the rows that were learned from"},
    {0},
};

const cairn_learner cairn_linear = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "linear",
            .title = "Linear regression",
            .summary =
                "Fits the target as a constant plus a weighted sum of the features, with the "
                "smallest sum of squared residuals, and tells how sure each coefficient is. The "
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
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_NO_FEATURES |
               CAIRN_WANTS_REFERENCE,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER | CAIRN_CLAIM_COLUMN_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING,
    .model_size = sizeof(cairn_linear_model),
    .outputs = linear_outputs,
    .fit = linear_fit,
    .predict = linear_predict,
    .describe = cairn_linear_describe,
    .explain = cairn_linear_explain,
    .archive = linear_archive,
    .check = linear_check,
    .clear = linear_clear,
    .size = linear_size,
};
