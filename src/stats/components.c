/* SPDX-License-Identifier: MIT */
/* Principal components.
 *
 * 1. Means; sums of products about them; divided by n - 1 (or n): the covariance matrix S.
 * 2. Eigenvalues of S, falling, and unit eigenvectors of the first of them. A negative value is
 *    rounding and becomes 0.
 * 3. More columns than rows: the matrix of products of rows, K = X X' with X centred, has the same
 *    eigenvalues but for zeros, and u is a vector of K when X'u / sqrt(value) is one of S. Vectors
 *    that belong to the value 0 are any that are at right angles to the others: unit vectors are
 *    tried in order.
 *
 * Cost: rows x columns^2 for S (or rows^2 x columns for K), columns^3 for the vectors; memory
 * columns^2 beside the table, which is not copied. */
#include "stats/components.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

enum { SCORE_ROWS = 64 };

bool cairn_vector_sign(double *vector, size_t n, cairn_sign sign)
{
    size_t at = 0;
    double most = 0;
    for (size_t i = 0; i < n; i++)
        if (fabs(vector[i]) > most * (1 + 1e-12)) most = fabs(vector[i]), at = i;
    for (size_t i = 0; sign == CAIRN_SIGN_FIRST && i < n; i++)
        if (fabs(vector[i]) > 1e-10 * most) {
            at = i;
            break;
        }
    if (n == 0 || vector[at] >= 0) return false;
    for (size_t i = 0; i < n; i++) vector[i] = -vector[i];
    return true;
}

/* -- sizes -- */

/* Rows bound the number of components, too: centred rows span no more directions than there are
 * rows. */
static cairn_status check_number(cairn_context *ctx, const cairn_view *view,
                                 const cairn_component_options *options, const char *who)
{
    size_t p = view->n_features, n = view->rows.n;
    if (p == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: there is no number column among the features; {with indicators} "
                          "makes numbers of levels",
                          who);
    if (n == 0) return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: there are no rows", who);
    if (options->n > p)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: more components than columns: %zu asked for, but there are %zu "
                          "number columns; ask for at most %zu",
                          who, options->n, p, p < n ? p : n);
    if (options->n > n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: more components than rows: %zu asked for, but there are %zu rows; "
                          "ask for at most %zu",
                          who, options->n, n, n);
    return CAIRN_OK;
}

static cairn_status allocate(cairn_context *ctx, cairn_components *c, const cairn_centre *centre)
{
    size_t p = c->n_columns, bytes = p * sizeof(double);
    CHECK(NEW_EACH(ctx, p, &c->means, &c->scales, &c->lows, &c->highs));
    CHECK(NEW(ctx, &c->values, c->n_values));
    memcpy(c->means, centre->means, bytes);
    memcpy(c->lows, centre->lows, bytes);
    memcpy(c->highs, centre->highs, bytes);
    for (size_t j = 0; j < p; j++) c->scales[j] = 1;
    return CAIRN_OK;
}

void cairn_components_clear(cairn_components *c)
{
    FREE_EACH(c->means, c->scales, c->lows, c->highs, c->values, c->vectors);
    *c = (cairn_components){0};
}

/* The deviation of a column from its sum of squares; 1 for a constant one. */
static double scale_of(const cairn_components *c, size_t column, double squares)
{
    double deviation = sqrt(squares / c->below), size = fabs(c->means[column]);
    bool constant = c->lows[column] == c->highs[column] || deviation <= 1e-15 * size;
    return constant ? 1 : deviation;
}

/* The number of components that the wish asks for, from the variances. */
static size_t count_kept(const cairn_components *c, const cairn_component_options *options)
{
    double sum = 0;
    if (options->n) return options->n;
    for (size_t i = 0; i < c->n_values && options->share < 1; i++) {
        sum += c->values[i];
        if (sum >= options->share * c->total * (1 - 1e-12)) return i + 1;
    }
    return c->n_values;
}

/* -- through the columns -- */

/* The covariance matrix and its eigenvectors; dividing by the scales afterwards saves a second pass
 * over the rows. Values that rounding makes negative are 0. */
static cairn_status fit_by_columns(cairn_context *ctx, cairn_components *c, const cairn_view *view,
                                   const cairn_centre *centre,
                                   const cairn_component_options *options, double **covariance)
{
    size_t p = c->n_columns, n_vectors = options->n ? options->n : c->n_values;
    double *s, *values;
    CHECK(cairn_memory_check(ctx, 8.0 * (double)p * (double)p * (n_vectors > p / 2 ? 3 : 1),
                             "the covariance matrix",
                             cairn_say(ctx, "use fewer columns or raise {memory}")));
    CHECK(SCRATCH_RAW(ctx, &s, cairn_product(p, p)));
    CHECK(SCRATCH(ctx, &values, p));
    CHECK(cairn_column_products(ctx, s, view, centre));
    for (size_t j = 0; options->scale && j < p; j++) c->scales[j] = scale_of(c, j, s[j * p + j]);
    for (size_t j = 0; j < p; j++)
        for (size_t k = 0; k < p; k++) s[j * p + k] /= c->below * c->scales[j] * c->scales[k];
    for (size_t j = 0; j < p; j++) c->total += s[j * p + j];
    if (covariance) {
        CHECK(SCRATCH_RAW(ctx, covariance, p * p));
        memcpy(*covariance, s, p * p * sizeof *s);
    }
    CHECK(NEW(ctx, &c->vectors, cairn_product(n_vectors, p)));
    CHECK(cairn_symmetric_top(ctx, values, c->vectors, s, p, n_vectors));
    for (size_t i = 0; i < c->n_values; i++) c->values[i] = values[i] > 0 ? values[i] : 0;
    return CAIRN_OK;
}

/* -- through the rows -- */

typedef struct back_work {
    const cairn_view *view;
    cairn_components *c;
    const double *u; /* n x rows: vectors of the products of rows, times the roots of weights */
} back_work;

static void turn_back(void *data, size_t column, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end, (void)worker;
    const back_work *work = data;
    const cairn_components *c = work->c;
    const double *x = work->view->features[column]->numbers;
    size_t n = work->view->rows.n;
    for (size_t k = 0; k < c->n; k++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += (x[cairn_view_row(work->view, i)] - c->means[column]) * work->u[k * n + i];
        c->vectors[k * c->n_columns + column] = sum / c->scales[column];
    }
}

/* Make vector k at right angles to those before it and of length 1; false when nothing is left. */
static bool straighten(double *vectors, size_t k, size_t p)
{
    double *v = vectors + k * p, before = sqrt(cairn_dot(v, v, p));
    for (int twice = 0; twice < 2; twice++)
        for (size_t i = 0; i < k; i++)
            cairn_axpy(v, -cairn_dot(v, vectors + i * p, p), vectors + i * p, p);
    double length = sqrt(cairn_dot(v, v, p));
    if (!(length > 1e-6 * before)) return false;
    for (size_t j = 0; j < p; j++) v[j] /= length;
    return true;
}

/* Some vector at right angles to the k before it: there is one, since k < p. */
static void complete(double *vectors, size_t k, size_t p)
{
    for (size_t j = 0; j < p; j++) {
        memset(vectors + k * p, 0, p * sizeof *vectors);
        vectors[k * p + j] = 1;
        if (straighten(vectors, k, p)) return;
    }
}

/* With more columns than rows the eigenvectors of the small row matrix are turned back into
 * columns; directions without variance are not determined and are completed to a basis. */
static cairn_status fit_by_rows(cairn_context *ctx, cairn_components *c, const cairn_view *view,
                                const cairn_centre *centre, const cairn_component_options *options)
{
    size_t n = view->rows.n, p = c->n_columns, n_vectors = options->n ? options->n : n;
    double *k, *u;
    back_work work = {.view = view, .c = c};
    if (options->scale) {
        for (size_t j = 0; j < c->n_columns; j++) {
            const double *x = view->features[j]->numbers;
            double squares = 0;
            for (size_t i = 0; i < view->rows.n; i++) {
                double d = x[cairn_view_row(view, i)] - c->means[j];
                squares += cairn_view_weight(view, i) * d * d;
            }
            c->scales[j] = scale_of(c, j, squares);
        }
        CHECK(cairn_tick(ctx, NULL, 0, 1));
    }
    CHECK(SCRATCH_RAW(ctx, &k, cairn_product(n, n)));
    CHECK(SCRATCH_RAW(ctx, &u, cairn_product(n_vectors, n)));
    CHECK(cairn_row_products(ctx, k, view, centre, c->scales));
    for (size_t i = 0; i < n; i++) c->total += k[i * n + i] / c->below;
    CHECK(cairn_symmetric_top(ctx, c->values, u, k, n, n_vectors));
    for (size_t i = 0; i < n; i++) c->values[i] = fmax(c->values[i], 0) / c->below;
    c->n = count_kept(c, options);
    for (size_t i = 0; i < c->n * n; i++) u[i] *= sqrt(cairn_view_weight(view, i % n));
    CHECK(NEW(ctx, &c->vectors, cairn_product(c->n, p)));
    work.u = u;
    CHECK(cairn_blocks(ctx, p, 1, turn_back, &work));
    for (size_t i = 0; i < c->n; i++) {
        bool empty = c->values[i] <= 1e-14 * (double)n * c->values[0];
        if (empty || !straighten(c->vectors, i, p)) complete(c->vectors, i, p);
    }
    return CAIRN_OK;
}

cairn_status cairn_components_fit(cairn_context *ctx, cairn_components *out, const cairn_view *view,
                                  const cairn_component_options *options, const char *who,
                                  double **covariance)
{
    cairn_centre centre;
    size_t p = view->n_features, n = view->rows.n;
    *out = (cairn_components){.n_columns = p, .n_values = p < n ? p : n, .by_rows = p > n};
    if (covariance) *covariance = NULL;
    CHECK(check_number(ctx, view, options, who));
    CHECK(cairn_centre_of(ctx, &centre, view, who));
    out->weight = centre.weight;
    out->below = options->divide_by_n ? centre.weight : centre.weight - 1;
    /* one row has no spread: its sums of squares are 0, whatever they are divided by */
    if (!(out->below > 0)) out->below = 1;
    CHECK(allocate(ctx, out, &centre));
    if (out->by_rows)
        CHECK(fit_by_rows(ctx, out, view, &centre, options));
    else
        CHECK(fit_by_columns(ctx, out, view, &centre, options, covariance));
    out->n = count_kept(out, options);
    for (size_t k = 0; k < out->n; k++) cairn_vector_sign(out->vectors + k * p, p, options->sign);
    return CAIRN_OK;
}

/* -- scores and back -- */

typedef struct score_work {
    const cairn_components *c;
    const double *const *columns;
    double *const *out;
    double *buffers;
    const double *factors; /* n_columns: 1 / scale */
    const double *weights; /* vectors, divided by the deviations when whitening */
} score_work;

static void score_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const score_work *work = data;
    size_t p = work->c->n_columns, n = end - begin;
    double *buffer = work->buffers + (size_t)worker * SCORE_ROWS * p;
    cairn_pack_rows(buffer, p, work->columns, p, NULL, begin, n);
    cairn_standardise_rows(buffer, p, n, p, work->c->means, work->factors);
    for (size_t k = 0; k < work->c->n; k++)
        cairn_row_dots(work->out[k] + begin, buffer, p, n, p, work->weights + k * p, 0);
}

cairn_status cairn_components_scores(cairn_context *ctx, double *const *out,
                                     const cairn_components *c, bool whiten,
                                     const double *const *columns, size_t n)
{
    SCOPED_SCRATCH(ctx);
    size_t p = c->n_columns, workers = (size_t)cairn_workers(ctx);
    double *factors, *weights;
    score_work work = {.c = c, .columns = columns, .out = out};
    CHECK(SCRATCH(ctx, &factors, p));
    CHECK(SCRATCH_RAW(ctx, &weights, cairn_product(c->n, p)));
    CHECK(SCRATCH_RAW(ctx, &work.buffers, cairn_product(workers * SCORE_ROWS, p)));
    for (size_t j = 0; j < p; j++) factors[j] = 1 / c->scales[j];
    for (size_t k = 0; k < c->n; k++) {
        bool empty = c->values[k] <= 1e-14 * c->values[0];
        double factor = !whiten ? 1 : empty ? 0 : 1 / sqrt(c->values[k]);
        for (size_t j = 0; j < p; j++) weights[k * p + j] = c->vectors[k * p + j] * factor;
    }
    work.factors = factors;
    work.weights = weights;
    return cairn_blocks(ctx, n, SCORE_ROWS, score_block, &work);
}

typedef struct return_work {
    const cairn_components *c;
    const double *const *scores;
    double *const *out;
    size_t n;
} return_work;

static void return_column(void *data, size_t column, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end, (void)worker;
    const return_work *work = data;
    const cairn_components *c = work->c;
    double *out = work->out[column];
    for (size_t i = 0; i < work->n; i++) out[i] = c->means[column];
    for (size_t k = 0; k < c->n; k++)
        cairn_axpy(out, c->scales[column] * c->vectors[k * c->n_columns + column], work->scores[k],
                   work->n);
}

cairn_status cairn_components_back(cairn_context *ctx, double *const *out,
                                   const cairn_components *c, const double *const *scores, size_t n)
{
    return_work work = {.c = c, .scores = scores, .out = out, .n = n};
    return cairn_blocks(ctx, c->n_columns, 1, return_column, &work);
}
