/* SPDX-License-Identifier: MIT */
/* Problem: with residuals e = M ε, M the projection beside the columns of X, DW = e'Ae / e'e, where
 * A takes the squared steps between neighbours. P(DW <= d) = P(Σ λ_j z_j² <= 0) with λ_j the
 * eigenvalues of M (A - d) M beside X and z_j independent standard normal numbers.
 *
 * Method (Imhof): P(Σ λ z² > 0) = 1/2 + 1/π ∫ Im φ(u)/u du, u > 0, φ(u) = Π (1 - iλ_j u)^(-1/2).
 * The product is a determinant, so no eigenvalue is needed: with Q an orthonormal basis of X and
 * the tridiagonal B = 1 - iu(A - d), it is det B · det Q'B⁻¹Q, one pass over the rows for each u.
 * All pivots have positive real parts, so the sum of their logarithms is the right branch.
 * With many degrees of freedom φ falls like a normal density, and the midpoint rule in u is exact
 * to rounding with few points; with fewer, the rule in ln u is (with one to three, whose φ falls so
 * slowly that cancellation is felt, to 1e-8).
 *
 * Cost: n k² for each of 15 to 500 points; beyond MOST_WORK numbers, the normal distribution with
 * the same mean and variance. Sources: Imhof, Computing the distribution of quadratic forms in
 * normal variables (1961); Durbin and Watson, Testing for serial correlation in least squares
 * regression (1951). */
#include "stats/durbin_watson.h"

#include "base/functions.h"
#include "base/memory.h"
#include "stats/distributions.h"
#include <math.h>
#include <string.h>

enum { MANY = 100, MOST_POINTS = 5000 };
#define MOST_WORK 3e7
#define PI        3.14159265358979323846

typedef struct number {
    double re, im;
} number;

typedef struct problem {
    size_t n, k;       /* rows, independent columns */
    double d;          /* the statistic */
    double *basis;     /* n x k, orthonormal columns */
    double first;      /* Σ λ */
    double second;     /* Σ λ² */
    number *row, *sum; /* k, k x k */
} problem;

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static number inverse(number a)
{
    double size = a.re * a.re + a.im * a.im;
    return (number){a.re / size, -a.im / size};
}

static void add_logarithm(number *sum, number a)
{
    sum->re += cairn_log(a.re * a.re + a.im * a.im) / 2;
    sum->im += cairn_atan2(a.im, a.re);
}

/* -- the basis -- */

/* Column `from` of x, scaled, as column k of the basis; what lies in those before is taken out
 * twice. Returns whether something is left. */
static bool take_column(problem *p, const double *x, size_t stride, size_t from)
{
    double largest = 0, before = 0, after = 0;
    double *to = p->basis + p->k;
    size_t width = stride;
    for (size_t i = 0; i < p->n; i++) largest = fmax(largest, fabs(x[i * stride + from]));
    if (!(largest > 0) || !isfinite(largest)) return false;
    for (size_t i = 0; i < p->n; i++) {
        to[i * width] = x[i * stride + from] / largest;
        before += to[i * width] * to[i * width];
    }
    for (size_t round = 0; round < 2; round++)
        for (size_t j = 0; j < p->k; j++) {
            double dot = 0;
            for (size_t i = 0; i < p->n; i++) dot += p->basis[i * width + j] * to[i * width];
            for (size_t i = 0; i < p->n; i++) to[i * width] -= dot * p->basis[i * width + j];
        }
    for (size_t i = 0; i < p->n; i++) after += to[i * width] * to[i * width];
    if (!(after > 1e-22 * before)) return false;
    for (size_t i = 0; i < p->n; i++) to[i * width] /= sqrt(after);
    return true;
}

/* (A q)_i of column j of the basis. */
static double step_of(const problem *p, size_t width, size_t i, size_t j)
{
    const double *q = p->basis + j;
    double here = q[i * width], value = 0;
    if (i > 0) value += here - q[(i - 1) * width];
    if (i + 1 < p->n) value += here - q[(i + 1) * width];
    return value;
}

/* Traces of M(A - d) and of its square. */
static void take_moments(problem *p, size_t width)
{
    double n = (double)p->n, free = (double)(p->n - p->k);
    double trace = 2 * n - 2, square = n > 1 ? 6 * n - 8 : 0;
    for (size_t j = 0; j < p->k; j++)
        for (size_t l = 0; l < p->k; l++) {
            double dot = 0, twice = 0;
            for (size_t i = 0; i < p->n; i++) {
                double step = step_of(p, width, i, l);
                dot += p->basis[i * width + j] * step;
                if (j == l) twice += step * step;
            }
            if (j == l) trace -= dot;
            square += dot * dot - 2 * twice;
        }
    p->first = trace - free * p->d;
    p->second = square - 2 * p->d * trace + free * p->d * p->d;
}

/* -- the characteristic function -- */

/* The pivots of a symmetric matrix of complex numbers, by elimination. */
static void add_pivots(const problem *p, number *log)
{
    size_t k = p->k;
    for (size_t j = 0; j < k; j++) {
        number pivot = p->sum[j * k + j], over = inverse(pivot);
        add_logarithm(log, pivot);
        for (size_t i = j + 1; i < k; i++) {
            number factor = times(p->sum[j * k + i], over);
            for (size_t l = i; l < k; l++) {
                number a = p->sum[i * k + l];
                number b = times(factor, p->sum[j * k + l]);
                p->sum[i * k + l] = (number){a.re - b.re, a.im - b.im};
            }
        }
    }
}

/* *size = |φ(u)|; returns Im φ(u). Rows of L⁻¹Q are made one after the other, B = L D L'. */
static double look(const problem *p, size_t width, double u, double *size)
{
    number log = {0, 0}, pivot = {1, 0}, over = {1, 0};
    size_t k = p->k;
    memset(p->sum, 0, k * k * sizeof *p->sum);
    for (size_t i = 0; i < p->n; i++) {
        double own = (i > 0) + (i + 1 < p->n) - p->d;
        number factor = {-u * over.im, u * over.re}; /* iu over the pivot before */
        pivot = (number){1, -u * own};
        if (i > 0) pivot.re += u * u * over.re, pivot.im += u * u * over.im;
        for (size_t j = 0; j < k; j++) {
            number part = i > 0 ? times(factor, p->row[j]) : (number){0, 0};
            p->row[j] = (number){p->basis[i * width + j] - part.re, -part.im};
        }
        over = inverse(pivot);
        add_logarithm(&log, pivot);
        for (size_t j = 0; j < k; j++) {
            number scaled = times(p->row[j], over);
            for (size_t l = j; l < k; l++) {
                number add = times(scaled, p->row[l]);
                p->sum[j * k + l].re += add.re;
                p->sum[j * k + l].im += add.im;
            }
        }
    }
    add_pivots(p, &log);
    *size = cairn_exp(-log.re / 2);
    return -*size * cairn_sin(log.im / 2);
}

/* ∫ Im φ(u)/u du by the midpoint rule, for many degrees of freedom. */
static double integrate_plain(const problem *p, size_t width)
{
    double step = fmin(0.03, 2 * PI / sqrt(45 * p->second)), sum = 0, size = 1;
    for (size_t j = 0; j < MOST_POINTS && size > 1e-18; j++) {
        double u = ((double)j + 0.5) * step;
        sum += look(p, width, u, &size) / u;
    }
    return sum * step;
}

/* The same in t = ln u, where du/u = dt. */
static double integrate_logarithms(const problem *p, size_t width)
{
    double step = fmin(0.2, 0.9 / sqrt((double)(p->n - p->k))), sum = 0, size = 1;
    double from = -42 - cairn_log(fabs(p->first) + 1);
    for (size_t j = 0; j < MOST_POINTS && size > 1e-18; j++)
        sum += look(p, width, cairn_exp(from + (double)j * step), &size);
    return sum * step;
}

cairn_status cairn_durbin_watson_below(cairn_context *ctx, double *out, bool *exact,
                                       const double *x, size_t n, size_t k, double d)
{
    SCOPED_SCRATCH(ctx);
    problem p = {.n = n, .d = d};
    *out = NAN;
    *exact = true;
    CHECK(SCRATCH_RAW(ctx, &p.basis, cairn_product(n, k) + 1));
    CHECK(SCRATCH(ctx, &p.row, k + 1));
    CHECK(SCRATCH(ctx, &p.sum, cairn_product(k, k) + 1));
    for (size_t j = 0; j < k && p.k < n; j++) p.k += take_column(&p, x, k, j);
    if (p.k >= n || isnan(d)) return CAIRN_OK;
    take_moments(&p, k);
    *exact = (double)n * (double)(p.k * p.k + 1) <= MOST_WORK;
    if (!*exact) {
        double m = (double)(p.n - p.k), mean = p.first / m;
        double variance = 2 * (p.second / m - mean * mean) / (m + 2);
        *out = cairn_normal_lower(-mean / sqrt(variance));
        return CAIRN_OK;
    }
    double area = n - p.k >= MANY ? integrate_plain(&p, k) : integrate_logarithms(&p, k);
    *out = fmin(1, fmax(0, 0.5 - area / PI));
    return CAIRN_OK;
}
