/* SPDX-License-Identifier: MIT */
/* Least squares of several targets at once.
 *
 * 1. One pass sums the cross products of the terms with each other and with every target, in z
 *    units (rows/matrix.h).
 * 2. The terms that have spread, centred and made columns of length 1, are factorised once:
 *    Cholesky where that is safe, an orthogonal triangle where it is not (linear_solve.c).
 * 3. Every target is the inverse times its moments; a pass over the residuals tells the sums of
 *    squares, and where the columns are badly conditioned corrects the slopes by what the residuals
 *    still have in common with the terms. */
#include "learners/linear/least_squares.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "learners/linear/linear.h"
#include "learners/linear/row_span.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Up to this condition the slopes are right to ten digits as they are. */
static const double SURE = 1000;

typedef struct problem {
    cairn_row_matrix x; /* with ones, the last column */
    const double *targets;
    size_t m;
    bool intercept;
    double *gram;    /* width x width */
    double *moments; /* m x width: with the targets, ones last */
    double *centres; /* width: means of z with an intercept, else 0 */
    double *lengths; /* n_terms: of the columns without their centres; 0 = constant */
    double *theta;   /* m x width: weights of z, the constant last */
    size_t *active;  /* terms with a length */
    cairn_linear_system system;
} problem;

/* -- passes -- */

static void products_piece(void *data, const cairn_piece *piece, double *sums)
{
    const problem *p = data;
    size_t width = p->x.width;
    cairn_gram_add(sums, NULL, piece->z, width, NULL, piece->weights, piece->n, width);
    for (size_t k = 0; k < p->m; k++)
        cairn_gram_add(NULL, sums + (width + k) * width, piece->z, width,
                       p->targets + k * p->x.n + piece->first, piece->weights, piece->n, width);
}

/* Squared residuals of every target, then what they have in common with the terms. */
static void residuals_piece(void *data, const cairn_piece *piece, double *sums)
{
    const problem *p = data;
    size_t width = p->x.width;
    for (size_t k = 0; k < p->m; k++) {
        const double *target = p->targets + k * p->x.n + piece->first, *w = p->theta + k * width;
        for (size_t i = 0; i < piece->n; i++) {
            double e = target[i] - cairn_dot(piece->z + i * width, w, width);
            piece->room[i] = e;
            sums[k] += (piece->weights ? piece->weights[i] : 1) * e * e;
        }
        cairn_gram_add(NULL, sums + p->m + k * width, piece->z, width, piece->room, piece->weights,
                       piece->n, width);
    }
}

static cairn_status sum_products(cairn_context *ctx, problem *p)
{
    size_t width = p->x.width;
    cairn_row_sum sum = {.size = cairn_product(width, width + p->m), .data = p};
    sum.piece = products_piece;
    CHECK(SCRATCH(ctx, &p->gram, sum.size));
    CHECK(cairn_matrix_sum(ctx, &p->x, &sum, p->gram));
    p->moments = p->gram + width * width;
    for (size_t j = 0; j < width; j++)
        if (!isfinite(p->gram[j * width + j])) return cairn_matrix_refuse(ctx, &p->x, NULL);
    cairn_mirror_upper(p->gram, width);
    return CAIRN_OK;
}

/* -- one factorisation -- */

/* Means and lengths; what is left of a column without its mean may be rounding. */
static void measure_columns(problem *p)
{
    size_t width = p->x.width, last = width - 1;
    double total = p->gram[width * width - 1];
    for (size_t j = 0; j < last; j++) {
        double mean = p->gram[last * width + j] / total;
        double own = fabs(mean + p->x.shift[j] * p->x.scale[j]);
        double noise = 8 * DBL_EPSILON * own, square = p->gram[j * width + j];
        p->centres[j] = p->intercept ? mean : 0;
        if (p->intercept) square -= total * mean * mean;
        if (p->intercept && square <= total * noise * noise) square = 0;
        p->lengths[j] = square > 0 ? sqrt(square) : 0;
        if (p->lengths[j] > 0) p->active[p->system.q++] = j;
    }
}

/* Product of two columns without their centres. */
static double centred(const problem *p, size_t i, size_t j)
{
    size_t width = p->x.width;
    return p->gram[i * width + j] - p->gram[width * width - 1] * p->centres[i] * p->centres[j];
}

static cairn_status open_system(cairn_context *ctx, problem *p)
{
    cairn_linear_system *s = &p->system;
    size_t q = s->q;
    double total = p->gram[p->x.width * p->x.width - 1];
    s->tolerance = 1e-11;
    s->target_unit = 1;
    s->condition = 1;
    CHECK(SCRATCH(ctx, &s->cross, cairn_product(q, q) + 1));
    CHECK(SCRATCH(ctx, &s->inverse, cairn_product(q, q) + 1));
    CHECK(SCRATCH(ctx, &s->right, q + 1));
    CHECK(SCRATCH(ctx, &s->slopes, q + 1));
    CHECK(SCRATCH(ctx, &s->units, q + 1));
    CHECK(SCRATCH(ctx, &s->loose, q + 1));
    CHECK(SCRATCH(ctx, &s->order, q + 1));
    for (size_t a = 0; a < q; a++) {
        size_t j = p->active[a];
        double mean = p->centres[j] + p->x.shift[j] * p->x.scale[j];
        double far = fabs(mean) * sqrt(total) / p->lengths[j];
        s->units[a] = p->lengths[j] / p->x.scale[j];
        s->tolerance = fmin(1e-6, fmax(s->tolerance, 8 * DBL_EPSILON * far));
        for (size_t b = 0; b < q; b++)
            s->cross[a * q + b] =
                a == b ? 1 : centred(p, j, p->active[b]) / p->lengths[j] / p->lengths[p->active[b]];
    }
    return CAIRN_OK;
}

/* The orthogonal triangle of the active columns and the targets; its first row belongs to the
 * constant. */
static cairn_status make_triangle(cairn_context *ctx, problem *p)
{
    cairn_linear_system *s = &p->system;
    size_t width = p->x.width + p->m, q = s->q, n;
    double *all;
    n = s->n_triangle = width - 1;
    s->n_rotated = p->m;
    CHECK(SCRATCH(ctx, &all, cairn_product(width, width)));
    CHECK(SCRATCH(ctx, &s->triangle, cairn_product(n, q) + 1));
    CHECK(SCRATCH(ctx, &s->rotated, cairn_product(n, p->m) + 1));
    CHECK(SCRATCH(ctx, &s->many, cairn_product(q, p->m) + 1));
    CHECK(cairn_linear_triangle(ctx, &p->x, p->intercept, p->targets, p->m, all));
    for (size_t i = 0; i < n; i++) {
        const double *row = all + (i + 1) * width;
        for (size_t a = 0; a < q; a++)
            s->triangle[i * q + a] = row[1 + p->active[a]] / p->lengths[p->active[a]];
        for (size_t k = 0; k < p->m; k++) s->rotated[k * n + i] = row[p->x.width + k];
    }
    return CAIRN_OK;
}

static cairn_status factorise(cairn_context *ctx, problem *p)
{
    bool good = p->system.q == 0;
    CHECK(open_system(ctx, p));
    if (good) return CAIRN_OK;
    CHECK(cairn_linear_solve_gram(ctx, &p->system, false, &good));
    if (good) return CAIRN_OK;
    CHECK(make_triangle(ctx, p));
    return cairn_linear_solve_qr(ctx, &p->system, false);
}

/* -- every target -- */

/* Add unit slopes to the weights of target k. */
static void add_weights(problem *p, size_t k, const double *slopes, double sign)
{
    size_t width = p->x.width, last = width - 1;
    double *w = p->theta + k * width;
    for (size_t a = 0; a < p->system.q; a++) {
        size_t j = p->active[a];
        double slope = sign * slopes[a] / p->lengths[j];
        w[j] += slope;
        w[last] -= slope * p->centres[j];
    }
}

/* The unit slopes that these moments ask for, into the system. */
static void find_slopes(problem *p, const double *moments)
{
    cairn_linear_system *s = &p->system;
    size_t last = p->x.width - 1;
    for (size_t a = 0; a < s->q; a++) {
        size_t j = p->active[a];
        s->right[a] = (moments[j] - p->centres[j] * moments[last]) / p->lengths[j];
    }
    for (size_t a = 0; a < s->q; a++)
        s->slopes[a] = cairn_dot(s->inverse + a * s->q, s->right, s->q);
}

/* The weights of target k by the factors, or as the triangle has given them. */
static void first_weights(problem *p, size_t k)
{
    size_t width = p->x.width, last = width - 1;
    const double *moments = p->moments + k * width;
    double total = p->gram[width * width - 1];
    p->theta[k * width + last] = p->intercept ? moments[last] / total : 0;
    if (!p->system.n_rotated) find_slopes(p, moments);
    add_weights(p, k, p->system.n_rotated ? p->system.many + k * p->system.q : p->system.slopes, 1);
}

/* A correction of target k by what its residuals have in common with the terms. Returns its size
 * beside the largest slope. */
static double correct(problem *p, size_t k, const double *moments)
{
    size_t width = p->x.width, last = width - 1;
    const double *w = p->theta + k * width;
    double total = p->gram[width * width - 1], most = 0, size = 0;
    find_slopes(p, moments);
    for (size_t a = 0; a < p->system.q; a++) {
        most = fmax(most, fabs(p->system.slopes[a]));
        size = fmax(size, fabs(w[p->active[a]] * p->lengths[p->active[a]]));
    }
    p->theta[k * width + last] += p->intercept ? moments[last] / total : 0;
    add_weights(p, k, p->system.slopes, 1);
    return size > 0 ? most / size : most;
}

/* Sums of squared residuals, and up to three corrections of the slopes by them; a target whose
 * squares grow gets back what it had. */
static cairn_status finish(cairn_context *ctx, problem *p, cairn_least_squares *out)
{
    size_t width = p->x.width, size = p->m * (width + 1);
    cairn_row_sum sum = {.size = size, .piece = residuals_piece, .data = p};
    bool going = out->rank == out->n_terms && out->condition > SURE;
    double *sums, *before, change;
    CHECK(SCRATCH(ctx, &sums, size + 1));
    CHECK(SCRATCH(ctx, &before, cairn_product(p->m, width) + 1));
    for (size_t k = 0; k < p->m; k++) out->squares[k] = INFINITY;
    for (int round = 0;; round++) {
        CHECK(cairn_matrix_sum(ctx, &p->x, &sum, sums));
        change = 0;
        for (size_t k = 0; k < p->m; k++) {
            double *w = p->theta + k * width;
            if (round && !(sums[k] <= out->squares[k])) {
                memcpy(w, before + k * width, width * sizeof *w);
                continue;
            }
            out->squares[k] = sums[k];
            memcpy(before + k * width, w, width * sizeof *w);
            if (going && round < 3) change = fmax(change, correct(p, k, sums + p->m + k * width));
        }
        if (!(change > 0)) return CAIRN_OK;
        going = going && change > 1e-9;
    }
}

static cairn_status refuse_weights(cairn_context *ctx)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "there is no row to learn from: least squares needs at least one row with a "
                      "positive weight");
}

static cairn_status open_problem(cairn_context *ctx, problem *p, const cairn_view *view)
{
    size_t terms = 0;
    for (size_t j = 0; j < view->n_features; j++)
        terms += view->features[j]->kind == CAIRN_BAG ? view->features[j]->names.n : 1;
    double width = (double)terms + 1;
    cairn_matrix_wish wish = {.ones = true, .room = 1};
    wish.units = p->intercept ? CAIRN_UNITS_SHIFTED : CAIRN_UNITS_SCALED;
    wish.sum_size = cairn_product(terms + 1, terms + 1 + p->m);
    CHECK(cairn_memory_check(ctx, (4 * width + 2 * (double)p->m) * width * 8, "least squares",
                             cairn_say(ctx, "use fewer columns or raise {memory}")));
    CHECK(cairn_matrix_open(ctx, &p->x, view, &wish));
    if (cairn_matrix_used(&p->x) == 0) return refuse_weights(ctx);
    CHECK(SCRATCH(ctx, &p->centres, p->x.width));
    CHECK(SCRATCH(ctx, &p->lengths, p->x.width));
    CHECK(SCRATCH(ctx, &p->active, p->x.width));
    return SCRATCH(ctx, &p->theta, cairn_product(p->x.width, p->m) + 1);
}

/* What was found, in the columns' own units. */
static cairn_status keep(cairn_context *ctx, problem *p, cairn_least_squares *out)
{
    size_t n = out->n_terms, width = p->x.width;
    double *own;
    CHECK(SCRATCH(ctx, &own, width));
    CHECK(SCRATCH(ctx, &out->weights, width * p->m + 1));
    CHECK(SCRATCH(ctx, &out->means, n + 1));
    for (size_t j = 0; j < n; j++)
        out->means[j] = p->x.shift[j] + p->gram[n * width + j] / out->total / p->x.scale[j];
    for (size_t k = 0; k < p->m; k++) {
        cairn_matrix_raw(&p->x, p->theta + k * width, 1, 1, own);
        for (size_t t = 0; t <= n; t++) out->weights[t * p->m + k] = own[t];
    }
    return CAIRN_OK;
}

/* More columns than rows: along each direction of the space of the rows the slope is the product
 * with the target over the square of the length. */
static cairn_status fit_wide(cairn_context *ctx, cairn_least_squares *out, const cairn_view *view,
                             const double *targets, size_t m, bool intercept)
{
    cairn_row_span s;
    cairn_job job = {.view = view};
    double *own, *slopes;
    size_t n = view->rows.n;
    CHECK(cairn_row_span_open(ctx, &s, &job, intercept));
    *out = (cairn_least_squares){.n_terms = s.p, .n_targets = m, .rank = s.k};
    out->condition = s.k ? s.values[0] / s.values[s.k - 1] : 1;
    out->means = s.means;
    CHECK(SCRATCH(ctx, &out->squares, m + 1));
    CHECK(SCRATCH(ctx, &out->weights, cairn_product(s.p + 1, m)));
    CHECK(SCRATCH(ctx, &own, s.p + 1));
    CHECK(SCRATCH(ctx, &slopes, s.k + 1));
    for (size_t i = 0; i < n; i++) out->total += cairn_view_weight(view, i);
    if (!(out->total > 0)) return refuse_weights(ctx);
    for (size_t k = 0; k < m; k++) {
        const double *target = targets + k * n;
        double mean = 0;
        for (size_t i = 0; i < n && intercept; i++)
            mean += cairn_view_weight(view, i) / out->total * target[i];
        memset(slopes, 0, (s.k + 1) * sizeof *slopes);
        slopes[s.k] = mean;
        for (size_t a = 0; a < s.k; a++)
            for (size_t i = 0; i < n; i++)
                slopes[a] += cairn_view_weight(view, i) * (target[i] - mean) / s.values[a] *
                             s.view.features[a]->numbers[cairn_view_row(view, i)] / s.values[a];
        for (size_t i = 0; i < n; i++) {
            double e = target[i] - mean;
            for (size_t a = 0; a < s.k; a++)
                e -= slopes[a] * s.view.features[a]->numbers[cairn_view_row(view, i)];
            out->squares[k] += cairn_view_weight(view, i) * e * e;
        }
        cairn_row_span_raw(&s, slopes, own);
        for (size_t t = 0; t <= s.p; t++) out->weights[t * m + k] = own[t];
    }
    return CAIRN_OK;
}

cairn_status cairn_least_squares_fit(cairn_context *ctx, cairn_least_squares *out,
                                     const cairn_view *view, const double *targets,
                                     size_t n_targets, bool intercept)
{
    problem p = {.targets = targets, .m = n_targets, .intercept = intercept};
    if (cairn_row_span_pays(view)) return fit_wide(ctx, out, view, targets, n_targets, intercept);
    CHECK(open_problem(ctx, &p, view));
    CHECK(sum_products(ctx, &p));
    measure_columns(&p);
    CHECK(factorise(ctx, &p));
    *out = (cairn_least_squares){.n_terms = p.x.n_terms, .n_targets = n_targets};
    out->total = p.gram[p.x.width * p.x.width - 1];
    out->rank = p.system.rank;
    out->condition = p.system.condition;
    CHECK(SCRATCH(ctx, &out->squares, n_targets + 1));
    for (size_t k = 0; k < n_targets; k++) first_weights(&p, k);
    CHECK(finish(ctx, &p, out));
    return keep(ctx, &p, out);
}
