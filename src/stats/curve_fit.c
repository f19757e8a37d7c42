/* SPDX-License-Identifier: MIT */
/* Curves of one input by least squares.
 *
 * Polynomials: QR of the powers of u = (x − middle)/half, which lies between −1 and 1, and from its
 * coefficients those of x. With more coefficients than different x, those of x with the least sum
 * of squares, by singular values.
 * Steps: a table of the least error of the first i different x in k segments, O(segments · n²).
 * Power laws: a line through the logarithms; from there, for squared errors of y itself,
 * Gauss-Newton steps in a and b. */
#include "stats/curve_fit.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sort_by.h"
#include "kernels/linalg.h"
#include "solve/solvers.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DISTINCT = 5000 };

static double weight_of(const cairn_points_xy *p, size_t i)
{
    return p->weights ? p->weights[i] : 1;
}

cairn_status cairn_points_distinct(cairn_context *ctx, size_t *out, const cairn_points_xy *points)
{
    double *sorted;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &sorted, points->n + 1));
    memcpy(sorted, points->x, points->n * sizeof *sorted);
    qsort(sorted, points->n, sizeof *sorted, cairn_by_number);
    *out = points->n > 0;
    for (size_t i = 1; i < points->n; i++) *out += sorted[i] != sorted[i - 1];
    return CAIRN_OK;
}

static void sum_errors(cairn_curve_fit *c, const cairn_points_xy *points)
{
    c->sse = 0;
    for (size_t i = 0; i < points->n; i++) {
        double e = points->y[i] - cairn_curve_at(c, points->x[i]);
        c->sse += weight_of(points, i) * e * e;
    }
}

/* -- polynomials -- */

/* Coefficients of powers of x from those of u = (x − middle)/half. */
static void expand(cairn_curve_fit *c)
{
    size_t d = c->size;
    memset(c->coefficients, 0, (d + 1) * sizeof *c->coefficients);
    for (size_t k = d + 1; k-- > 0;) { /* p ← p·u + c_k */
        for (size_t j = d + 1; j-- > 0;) {
            double below = j ? c->coefficients[j - 1] : 0;
            c->coefficients[j] = (below - c->middle * c->coefficients[j]) / c->half;
        }
        c->coefficients[0] += c->centred[k];
    }
}

/* Powers by columns, rows multiplied by the roots of their weights: n x (degree + 1). */
static cairn_status make_powers(cairn_context *ctx, const cairn_points_xy *p, size_t degree,
                                double middle, double half, double **powers, double **target)
{
    CHECK(SCRATCH(ctx, powers, cairn_product(p->n, degree + 1)));
    CHECK(SCRATCH(ctx, target, p->n));
    for (size_t i = 0; i < p->n; i++) {
        double value = sqrt(weight_of(p, i)), u = (p->x[i] - middle) / half;
        (*target)[i] = value * p->y[i];
        for (size_t k = 0; k <= degree; k++, value *= u) (*powers)[k * p->n + i] = value;
        if (!isfinite((*powers)[degree * p->n + i]) || !isfinite((*target)[i])) {
            char x[CAIRN_NUMBER_SIZE];
            cairn_number_format(x, p->x[i], 6);
            return cairn_fail(
                ctx, CAIRN_BAD_DATA,
                "power %zu of point %zu, x = %s, is beyond all numbers; divide x by a power "
                "of ten, or lower the degree",
                degree, i + 1, x);
        }
    }
    return CAIRN_OK;
}

static cairn_status open_polynomial(cairn_context *ctx, cairn_curve_fit *out,
                                    const cairn_points_xy *points, size_t degree)
{
    double low = INFINITY, high = -INFINITY;
    if (points->n == 0) return cairn_fail(ctx, CAIRN_BAD_DATA, "there are no points to fit");
    *out = (cairn_curve_fit){.kind = CAIRN_CURVE_POLYNOMIAL, .size = degree};
    out->n_parameters = degree + 1;
    out->converged = true;
    for (size_t i = 0; i < points->n; i++) {
        low = fmin(low, points->x[i]);
        high = fmax(high, points->x[i]);
    }
    out->middle = low + (high - low) / 2;
    out->half = high > low ? (high - low) / 2 : 1;
    return SCRATCH(ctx, &out->coefficients, degree + 1);
}

cairn_status cairn_curve_polynomial(cairn_context *ctx, cairn_curve_fit *out,
                                    const cairn_points_xy *points, size_t degree)
{
    double *powers, *target;
    size_t rank, distinct;
    CHECK(open_polynomial(ctx, out, points, degree));
    CHECK(cairn_points_distinct(ctx, &distinct, points));
    out->loose = degree >= distinct;
    CHECK(SCRATCH(ctx, &out->centred, degree + 1));
    if (out->loose) {
        CHECK(make_powers(ctx, points, degree, 0, 1, &powers, &target));
        CHECK(cairn_svd_least_squares(ctx, out->coefficients, NULL, &rank, powers, target,
                                      points->n, degree + 1, 1e-15));
        out->centred = NULL;
    } else {
        CHECK(make_powers(ctx, points, degree, out->middle, out->half, &powers, &target));
        CHECK(cairn_qr_least_squares(ctx, out->centred, NULL, &rank, powers, target, points->n,
                                     degree + 1, 0));
        expand(out);
    }
    sum_errors(out, points);
    return CAIRN_OK;
}

/* The rows of √λ I below the powers of x make the penalty a part of the squares. */
cairn_status cairn_curve_ridge(cairn_context *ctx, cairn_curve_fit *out,
                               const cairn_points_xy *points, size_t degree, double lambda,
                               double *objective)
{
    size_t n = points->n, rows = n + degree + 1, rank;
    double *powers, *target, *x, *y, penalty = 0;
    CHECK(open_polynomial(ctx, out, points, degree));
    CHECK(make_powers(ctx, points, degree, 0, 1, &powers, &target));
    CHECK(SCRATCH(ctx, &x, cairn_product(rows, degree + 1)));
    CHECK(SCRATCH(ctx, &y, rows));
    memcpy(y, target, n * sizeof *y);
    for (size_t k = 0; k <= degree; k++) {
        memcpy(x + k * rows, powers + k * n, n * sizeof *x);
        x[k * rows + n + k] = sqrt(lambda);
    }
    CHECK(cairn_svd_least_squares(ctx, out->coefficients, NULL, &rank, x, y, rows, degree + 1,
                                  1e-15));
    sum_errors(out, points);
    for (size_t k = 0; k <= degree; k++) penalty += out->coefficients[k] * out->coefficients[k];
    *objective = out->sse / 2 + lambda * penalty / 2;
    return CAIRN_OK;
}

/* -- power laws and logarithms -- */

static cairn_status refuse_logarithm(cairn_context *ctx, const cairn_points_xy *points, size_t i,
                                     bool both)
{
    char x[CAIRN_NUMBER_SIZE], y[CAIRN_NUMBER_SIZE];
    cairn_number_format(x, points->x[i], 6);
    cairn_number_format(y, points->y[i], 6);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "point %zu, (%s, %s), has no logarithm: %s positive numbers; leave the point "
                      "out, or add a constant",
                      i + 1, x, y, both ? "x and y of a power law need" : "x of a logarithm needs");
}

/* The line through (ln x, y) or (ln x, ln y): intercept and slope. */
static cairn_status fit_logs(cairn_context *ctx, const cairn_points_xy *points, bool both,
                             double line[2])
{
    double *x, *y;
    cairn_curve_fit c;
    CHECK(SCRATCH(ctx, &x, points->n));
    CHECK(SCRATCH(ctx, &y, points->n));
    for (size_t i = 0; i < points->n; i++) {
        if (!(points->x[i] > 0) || (both && !(points->y[i] > 0)))
            return refuse_logarithm(ctx, points, i, both);
        x[i] = cairn_log(points->x[i]);
        y[i] = both ? cairn_log(points->y[i]) : points->y[i];
    }
    cairn_points_xy logs = {x, y, points->weights, points->n};
    CHECK(cairn_curve_polynomial(ctx, &c, &logs, 1));
    memcpy(line, c.coefficients, 2 * sizeof *line);
    return CAIRN_OK;
}

/* Half the squared errors of a x^b, with the Gauss-Newton matrix for its curvature. */
static cairn_status look_power(cairn_context *ctx, void *data, const double *x, double *value,
                               double *gradient, double *hessian)
{
    const cairn_points_xy *p = data;
    double g[2] = {0}, h[3] = {0}, sum = 0;
    (void)ctx;
    for (size_t i = 0; i < p->n; i++) {
        double power = cairn_pow(p->x[i], x[1]), by_b = x[0] * power * cairn_log(p->x[i]);
        double w = weight_of(p, i), e = x[0] * power - p->y[i];
        sum += w * e * e / 2;
        g[0] += w * e * power;
        g[1] += w * e * by_b;
        h[0] += w * power * power;
        h[1] += w * power * by_b;
        h[2] += w * by_b * by_b;
    }
    *value = sum;
    if (gradient) memcpy(gradient, g, sizeof g);
    if (hessian) hessian[0] = h[0], hessian[1] = hessian[2] = h[1], hessian[3] = h[2];
    return CAIRN_OK;
}

cairn_status cairn_curve_of_form(cairn_context *ctx, cairn_curve_fit *out,
                                 const cairn_points_xy *points, cairn_curve_form kind)
{
    double line[2];
    if (points->n == 0) return cairn_fail(ctx, CAIRN_BAD_DATA, "there are no points to fit");
    *out = (cairn_curve_fit){.kind = kind, .size = 1, .n_parameters = 2, .converged = true};
    CHECK(SCRATCH(ctx, &out->coefficients, 2));
    CHECK(fit_logs(ctx, points, kind != CAIRN_CURVE_LOGARITHM, line));
    out->coefficients[0] = kind == CAIRN_CURVE_LOGARITHM ? line[0] : cairn_exp(line[0]);
    out->coefficients[1] = line[1];
    if (kind == CAIRN_CURVE_POWER_DIRECT) {
        double gradient[2], hessian[4];
        cairn_objective f = {.n = 2, .data = (void *)points, .look = look_power};
        cairn_place place = {.x = out->coefficients, .gradient = gradient, .hessian = hessian};
        cairn_progress progress = {.most = 200, .tolerance = 1e-15};
        CHECK(look_power(ctx, (void *)points, place.x, &place.value, gradient, hessian));
        if (!isfinite(place.value))
            return cairn_fail(ctx, CAIRN_BAD_DATA, "the powers of x are beyond all numbers");
        CHECK(cairn_newton(ctx, &f, &place, &progress, NULL, 0, true));
        out->converged = progress.converged;
    }
    sum_errors(out, points);
    return CAIRN_OK;
}

/* -- steps -- */

/* Different x, rising, with sums over their points: weight, Σ w y, Σ w y² from the first on. */
typedef struct steps_table {
    size_t n;
    double *x;                      /* n */
    double *weight, *sum, *squares; /* n + 1 */
    double *least;                  /* most x (n + 1): error of the first i in k + 1 segments */
    size_t *from;                   /* most x (n + 1): where the last segment begins */
} steps_table;

typedef struct xy {
    double x, y, w;
} xy;

static int by_x(const void *a, const void *b)
{
    return cairn_by_number(&((const xy *)a)->x, &((const xy *)b)->x);
}

/* y about its mean, so that the sums of squares lose no digits to it; *mean is added again. */
static cairn_status sum_points(cairn_context *ctx, steps_table *t, const cairn_points_xy *points,
                               double *mean)
{
    xy *all;
    double total = 0;
    size_t n = points->n;
    CHECK(SCRATCH(ctx, &all, n + 1));
    CHECK(SCRATCH(ctx, &t->x, n + 1));
    CHECK(SCRATCH(ctx, &t->weight, n + 2));
    CHECK(SCRATCH(ctx, &t->sum, n + 2));
    CHECK(SCRATCH(ctx, &t->squares, n + 2));
    *mean = 0;
    for (size_t i = 0; i < n; i++) {
        all[i] = (xy){points->x[i], points->y[i], weight_of(points, i)};
        total += all[i].w;
        *mean += all[i].w * all[i].y;
    }
    *mean /= total > 0 ? total : 1;
    qsort(all, n, sizeof *all, by_x);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || all[i].x != all[i - 1].x) {
            t->x[t->n++] = all[i].x;
            t->weight[t->n] = t->weight[t->n - 1];
            t->sum[t->n] = t->sum[t->n - 1];
            t->squares[t->n] = t->squares[t->n - 1];
        }
        double y = all[i].y - *mean;
        t->weight[t->n] += all[i].w;
        t->sum[t->n] += all[i].w * y;
        t->squares[t->n] += all[i].w * y * y;
    }
    return CAIRN_OK;
}

/* Squared error of one constant for the different x from a up to, not with, b. */
static double segment_error(const steps_table *t, size_t a, size_t b)
{
    double w = t->weight[b] - t->weight[a], s = t->sum[b] - t->sum[a];
    double left = t->squares[b] - t->squares[a] - (w > 0 ? s * s / w : 0);
    return left > 0 ? left : 0;
}

/* The least error of the first i x in k + 1 segments; the first of equal places is kept. */
static void fill_row(steps_table *t, size_t k)
{
    size_t wide = t->n + 1;
    double *least = t->least + k * wide;
    const double *before = k ? t->least + (k - 1) * wide : NULL;
    for (size_t i = k + 1; i <= t->n; i++) {
        least[i] = INFINITY;
        for (size_t j = k; j < (k ? i : 1); j++) {
            double error = (before ? before[j] : 0) + segment_error(t, j, i);
            if (!(error < least[i] - 1e-12 * fabs(least[i])) && !isinf(least[i])) continue;
            least[i] = error;
            t->from[k * wide + i] = j;
        }
    }
}

/* Values and cuts of the best steps with `n` segments. */
static cairn_status trace_steps(cairn_context *ctx, cairn_curve_fit *out, const steps_table *t,
                                size_t n, double mean)
{
    size_t end = t->n;
    *out = (cairn_curve_fit){.kind = CAIRN_CURVE_STEPS, .size = n, .n_parameters = 2 * n - 1};
    out->converged = true;
    CHECK(SCRATCH(ctx, &out->coefficients, n));
    CHECK(SCRATCH(ctx, &out->cuts, n));
    for (size_t k = n; k-- > 0;) {
        size_t begin = t->from[k * (t->n + 1) + end];
        double w = t->weight[end] - t->weight[begin];
        out->coefficients[k] = mean + (w > 0 ? (t->sum[end] - t->sum[begin]) / w : 0);
        if (k) out->cuts[k - 1] = cairn_number_between(t->x[begin - 1], t->x[begin]);
        end = begin;
    }
    return CAIRN_OK;
}

cairn_status cairn_curve_steps(cairn_context *ctx, cairn_curve_fit *out,
                               const cairn_points_xy *points, size_t most)
{
    steps_table t = {0};
    double mean;
    CHECK(sum_points(ctx, &t, points, &mean));
    if (t.n < most || t.n == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%zu segments need at least as many different x; there are %zu", most,
                          t.n);
    if (t.n > MOST_DISTINCT)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the best steps are found for at most %d different x; there are %zu: "
                          "take a sample of the rows, or a regression tree",
                          MOST_DISTINCT, t.n);
    CHECK(SCRATCH(ctx, &t.least, cairn_product(most, t.n + 1)));
    CHECK(SCRATCH(ctx, &t.from, cairn_product(most, t.n + 1)));
    for (size_t k = 0; k < most; k++) {
        fill_row(&t, k);
        CHECK(cairn_tick(ctx, NULL, 0, 1));
        CHECK(trace_steps(ctx, &out[k], &t, k + 1, mean));
        sum_errors(&out[k], points);
    }
    return CAIRN_OK;
}

/* -- values -- */

double cairn_curve_at(const cairn_curve_fit *c, double x)
{
    const double *w = c->coefficients;
    if (c->kind == CAIRN_CURVE_STEPS) {
        size_t k = 0;
        while (k + 1 < c->size && x > c->cuts[k]) k++;
        return w[k];
    }
    if (c->kind != CAIRN_CURVE_POLYNOMIAL) {
        if (!(x > 0)) return NAN;
        if (c->kind == CAIRN_CURVE_LOGARITHM) return w[0] + w[1] * cairn_log(x);
        return w[0] * cairn_pow(x, w[1]);
    }
    double sum = 0, u = c->centred ? (x - c->middle) / c->half : x;
    const double *from = c->centred ? c->centred : w;
    for (size_t k = c->size + 1; k-- > 0;) sum = sum * u + from[k];
    return sum;
}
