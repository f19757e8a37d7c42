/* SPDX-License-Identifier: MIT */
/* Curves of one input by least squares.
 *
 * Polynomials: each of those of Forsythe, which are at right angles over the points, takes its part
 * of the residuals; as powers of u = (x − middle)/half, which lies between −1 and 1, and from these
 * of x. With more coefficients than different x, those of x with the least sum of squares that pass
 * through the means of y: a combination of the rows of powers, made orthogonal. With a penalty: QR
 * of the powers, brought to length 1, with the rows of the penalty below.
 * Steps: a table of the least error of the first i different x in k segments, O(segments · n²).
 * Power laws: a line through the logarithms; from there, for squared errors of y itself,
 * Gauss-Newton steps in a and b. */
#include "stats/curve_fit.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sort_by.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "solve/solvers.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DISTINCT = 5000 };

typedef long double wide;

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
static cairn_status expand(cairn_context *ctx, cairn_curve_fit *c)
{
    size_t d = c->size;
    wide *to;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &to, d + 1));
    for (size_t k = d + 1; k-- > 0;) { /* p ← p·u + c_k */
        for (size_t j = d + 1; j-- > 0;)
            to[j] = ((j ? to[j - 1] : 0) - c->middle * to[j]) / c->half;
        to[0] += c->centred[k];
    }
    for (size_t k = 0; k <= d; k++) c->coefficients[k] = (double)to[k];
    return CAIRN_OK;
}

static cairn_status check_powers(cairn_context *ctx, const cairn_points_xy *p, size_t degree)
{
    for (size_t i = 0; i < p->n; i++) {
        double value = sqrt(weight_of(p, i));
        for (size_t k = 0; k < degree; k++) value *= p->x[i];
        if (isfinite(value * value)) continue;
        char x[CAIRN_NUMBER_SIZE];
        cairn_number_format(x, p->x[i], 6);
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "power %zu of point %zu, x = %s, is beyond all numbers; divide x by a "
                          "power of ten, or lower the degree",
                          degree, i + 1, x);
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

/* A polynomial of the next degree: its values at the points, its coefficients of u, and the
 * weighted sum of squares of the values. */
typedef struct orthogonal {
    wide *at, *of_u, squares;
} orthogonal;

static wide product_of(const cairn_points_xy *p, const wide *a, const wide *b)
{
    wide sum = 0;
    for (size_t i = 0; i < p->n; i++) sum += weight_of(p, i) * a[i] * b[i];
    return sum;
}

/* u times the last polynomial, without its parts along all before it; twice, since the first time
 * leaves rounding of what is taken away. */
static void next_orthogonal(orthogonal *all, size_t k, const cairn_points_xy *p, const wide *u)
{
    orthogonal *to = &all[k];
    for (size_t i = 0; i < p->n; i++) to->at[i] = k ? u[i] * all[k - 1].at[i] : 1;
    to->of_u[0] = k ? 0 : 1;
    for (size_t j = 1; j <= k; j++) to->of_u[j] = all[k - 1].of_u[j - 1];
    for (size_t again = 0; again < 2; again++)
        for (size_t b = k; b-- > 0;) {
            wide part = product_of(p, to->at, all[b].at) / all[b].squares;
            for (size_t i = 0; i < p->n; i++) to->at[i] -= part * all[b].at[i];
            for (size_t j = 0; j <= b; j++) to->of_u[j] -= part * all[b].of_u[j];
        }
    to->squares = product_of(p, to->at, to->at);
}

/* The least squares in powers of u, of which there are fewer than different x. */
static cairn_status fit_orthogonal(cairn_context *ctx, cairn_curve_fit *out,
                                   const cairn_points_xy *points)
{
    size_t n = points->n, d = out->size;
    orthogonal *all;
    wide *u, *left, *sum;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &all, d + 1));
    CHECK(SCRATCH_EACH(ctx, n, &u, &left));
    CHECK(SCRATCH(ctx, &sum, d + 1));
    for (size_t i = 0; i < n; i++) {
        u[i] = ((wide)points->x[i] - out->middle) / out->half;
        left[i] = points->y[i];
    }
    for (size_t k = 0; k <= d; k++) {
        CHECK(SCRATCH(ctx, &all[k].at, n));
        CHECK(SCRATCH(ctx, &all[k].of_u, d + 1));
        next_orthogonal(all, k, points, u);
        if (!(all[k].squares > 0)) continue;
        wide part = product_of(points, left, all[k].at) / all[k].squares;
        for (size_t i = 0; i < n; i++) left[i] -= part * all[k].at[i];
        for (size_t j = 0; j <= k; j++) sum[j] += part * all[k].of_u[j];
    }
    for (size_t k = 0; k <= d; k++) out->centred[k] = (double)sum[k];
    return CAIRN_OK;
}

/* A different x: the mean of its y, and its row of powers, of length 1 and at right angles to those
 * before; `length` is what was left of it. */
typedef struct place {
    wide x, mean, length, *row;
} place;

static place place_of(const cairn_points_xy *points, size_t i)
{
    place at = {.x = points->x[i]};
    wide weight = 0;
    for (size_t k = 0; k < points->n; k++) {
        if (points->x[k] != points->x[i]) continue;
        weight += weight_of(points, k);
        at.mean += weight_of(points, k) * (points->y[k] - at.mean) / weight;
    }
    return at;
}

static void make_row(place *all, size_t m, size_t width)
{
    wide *row = all[m].row, square = 0;
    row[0] = 1;
    for (size_t k = 1; k < width; k++) row[k] = row[k - 1] * all[m].x;
    for (size_t again = 0; again < 2; again++)
        for (size_t b = 0; b < m; b++) {
            wide part = 0;
            for (size_t k = 0; k < width; k++) part += row[k] * all[b].row[k];
            for (size_t k = 0; k < width; k++) row[k] -= part * all[b].row[k];
        }
    for (size_t k = 0; k < width; k++) square += row[k] * row[k];
    all[m].length = sqrtl(square);
    for (size_t k = 0; k < width && square > 0; k++) row[k] /= all[m].length;
}

/* Powers of x with the least sum of squared coefficients through the mean of y at every different
 * x: each row takes what is left of its mean. Once would do but for rounding. */
static cairn_status fit_least_norm(cairn_context *ctx, cairn_curve_fit *out,
                                   const cairn_points_xy *points, size_t distinct)
{
    enum { ROUNDS = 4 };
    size_t width = out->size + 1, m = 0;
    place *all;
    wide *sum;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &all, distinct));
    CHECK(SCRATCH(ctx, &sum, width));
    for (size_t i = 0; i < points->n; i++) {
        bool seen = false;
        for (size_t k = 0; k < m; k++) seen = seen || all[k].x == points->x[i];
        if (seen) continue;
        all[m] = place_of(points, i);
        CHECK(SCRATCH(ctx, &all[m].row, width));
        make_row(all, m++, width);
    }
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < m; i++) {
            wide left = all[i].mean, power = 1;
            for (size_t k = 0; k < width; k++, power *= all[i].x) left -= power * sum[k];
            for (size_t k = 0; k < width && all[i].length > 0; k++)
                sum[k] += left / all[i].length * all[i].row[k];
        }
    for (size_t k = 0; k < width; k++) out->coefficients[k] = (double)sum[k];
    return CAIRN_OK;
}

cairn_status cairn_curve_polynomial(cairn_context *ctx, cairn_curve_fit *out,
                                    const cairn_points_xy *points, size_t degree)
{
    size_t distinct;
    CHECK(open_polynomial(ctx, out, points, degree));
    CHECK(cairn_points_distinct(ctx, &distinct, points));
    out->loose = degree >= distinct;
    if (out->loose) {
        CHECK(check_powers(ctx, points, degree));
        CHECK(fit_least_norm(ctx, out, points, distinct));
    } else {
        CHECK(SCRATCH(ctx, &out->centred, degree + 1));
        CHECK(fit_orthogonal(ctx, out, points));
        CHECK(expand(ctx, out));
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
    double *x, *y, *lengths, penalty = 0;
    CHECK(open_polynomial(ctx, out, points, degree));
    CHECK(check_powers(ctx, points, degree));
    CHECK(SCRATCH(ctx, &x, cairn_product(rows, degree + 1)));
    CHECK(SCRATCH(ctx, &y, rows));
    CHECK(SCRATCH(ctx, &lengths, degree + 1));
    for (size_t i = 0; i < n; i++) {
        double value = sqrt(weight_of(points, i));
        y[i] = value * points->y[i];
        for (size_t k = 0; k <= degree; k++, value *= points->x[i]) x[k * rows + i] = value;
    }
    for (size_t k = 0; k <= degree; k++) {
        x[k * rows + n + k] = sqrt(lambda);
        lengths[k] = sqrt(cairn_dot(x + k * rows, x + k * rows, rows));
        for (size_t i = 0; i < rows && lengths[k] > 0; i++) x[k * rows + i] /= lengths[k];
    }
    CHECK(cairn_qr_least_squares(ctx, out->coefficients, NULL, &rank, x, y, rows, degree + 1,
                                 DBL_MIN));
    for (size_t k = 0; k <= degree; k++) out->coefficients[k] /= lengths[k] > 0 ? lengths[k] : 1;
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
    CHECK(SCRATCH_EACH(ctx, points->n, &x, &y));
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
        cairn_place best = {.x = out->coefficients, .gradient = gradient, .hessian = hessian};
        cairn_progress progress = {.most = 200, .tolerance = 1e-15};
        CHECK(look_power(ctx, (void *)points, best.x, &best.value, gradient, hessian));
        if (!isfinite(best.value))
            return cairn_fail(ctx, CAIRN_BAD_DATA, "the powers of x are beyond all numbers");
        CHECK(cairn_newton(ctx, &f, &best, &progress, NULL, 0, true));
        out->converged = progress.converged;
    }
    sum_errors(out, points);
    return CAIRN_OK;
}

/* -- steps -- */

/* Different x, rising, with sums over their points: weight, Σ w y, Σ w y² from the first on. */
typedef struct steps_table {
    size_t n;
    double *x;                    /* n */
    wide *weight, *sum, *squares; /* n + 1 */
    double *least;                /* most x (n + 1): error of the first i in k + 1 segments */
    size_t *from;                 /* most x (n + 1): where the last segment begins */
} steps_table;

typedef struct xy {
    double x, y, w;
} xy;

static int by_x(const void *a, const void *b)
{
    return cairn_by_number(&((const xy *)a)->x, &((const xy *)b)->x);
}

/* y about its mean, so that the sums of squares lose no digits to it. */
static cairn_status sum_points(cairn_context *ctx, steps_table *t, const cairn_points_xy *points)
{
    xy *all;
    wide total = 0, mean = 0;
    size_t n = points->n;
    CHECK(SCRATCH_EACH(ctx, n + 1, &all, &t->x));
    CHECK(SCRATCH_EACH(ctx, n + 2, &t->weight, &t->sum, &t->squares));
    for (size_t i = 0; i < n; i++) {
        all[i] = (xy){points->x[i], points->y[i], weight_of(points, i)};
        total += all[i].w;
        mean += all[i].w * all[i].y;
    }
    mean /= total > 0 ? total : 1;
    qsort(all, n, sizeof *all, by_x);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || all[i].x != all[i - 1].x) {
            t->x[t->n++] = all[i].x;
            t->weight[t->n] = t->weight[t->n - 1];
            t->sum[t->n] = t->sum[t->n - 1];
            t->squares[t->n] = t->squares[t->n - 1];
        }
        wide y = all[i].y - mean;
        t->weight[t->n] += all[i].w;
        t->sum[t->n] += all[i].w * y;
        t->squares[t->n] += all[i].w * y * y;
    }
    return CAIRN_OK;
}

/* Squared error of one constant for the different x from a up to, not with, b. */
static double segment_error(const steps_table *t, size_t a, size_t b)
{
    wide w = t->weight[b] - t->weight[a], s = t->sum[b] - t->sum[a];
    wide left = t->squares[b] - t->squares[a] - (w > 0 ? s * s / w : 0);
    return left > 0 ? (double)left : 0;
}

/* The least error of the first i x in k + 1 segments; the first of equal places is kept. */
static void fill_row(steps_table *t, size_t k)
{
    size_t width = t->n + 1;
    double *least = t->least + k * width;
    const double *before = k ? t->least + (k - 1) * width : NULL;
    for (size_t i = k + 1; i <= t->n; i++) {
        least[i] = INFINITY;
        for (size_t j = k; j < (k ? i : 1); j++) {
            double error = (before ? before[j] : 0) + segment_error(t, j, i);
            if (!(error < least[i] - 1e-12 * fabs(least[i])) && !isinf(least[i])) continue;
            least[i] = error;
            t->from[k * width + i] = j;
        }
    }
}

/* Values and cuts of the best steps with `n` segments. */
static cairn_status trace_steps(cairn_context *ctx, cairn_curve_fit *out, const steps_table *t,
                                const cairn_points_xy *points, size_t n)
{
    size_t end = t->n;
    *out = (cairn_curve_fit){.kind = CAIRN_CURVE_STEPS, .size = n, .n_parameters = 2 * n - 1};
    out->converged = true;
    CHECK(SCRATCH_EACH(ctx, n, &out->coefficients, &out->cuts));
    for (size_t k = n; k-- > 0;) {
        size_t begin = t->from[k * (t->n + 1) + end];
        wide w = 0, mean = 0;
        for (size_t i = 0; i < points->n; i++) {
            if (points->x[i] < t->x[begin] || points->x[i] > t->x[end - 1]) continue;
            w += weight_of(points, i);
            mean += weight_of(points, i) * (points->y[i] - mean) / w;
        }
        out->coefficients[k] = (double)mean;
        if (k) out->cuts[k - 1] = cairn_number_between(t->x[begin - 1], t->x[begin]);
        end = begin;
    }
    return CAIRN_OK;
}

cairn_status cairn_curve_steps(cairn_context *ctx, cairn_curve_fit *out,
                               const cairn_points_xy *points, size_t most)
{
    steps_table t = {0};
    CHECK(sum_points(ctx, &t, points));
    if (t.n < most || t.n == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%zu segments need at least as many different x; there are %zu", most,
                          t.n);
    if (t.n > MOST_DISTINCT)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the best steps are found for at most %d different x; there are %zu: "
                          "take a sample of the rows, or a regression tree",
                          MOST_DISTINCT, t.n);
    CHECK(SCRATCH_EACH(ctx, cairn_product(most, t.n + 1), &t.least, &t.from));
    for (size_t k = 0; k < most; k++) {
        fill_row(&t, k);
        CHECK(cairn_tick(ctx, NULL, 0, 1));
        CHECK(trace_steps(ctx, &out[k], &t, points, k + 1));
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
