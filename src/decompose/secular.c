/* SPDX-License-Identifier: MIT */
/* Roots of the secular equation. Between two poles the sums over the poles on each side are
 * replaced by one pole each that has the same value and slope at the point in hand; the root of
 * that is the next point (Bunch, Nielsen & Sorensen 1978). Everything is counted from the nearer
 * pole, so that the gaps are right though the root be next to it; a bracket keeps the points from
 * running away. */
#include "decompose/divide.h"
#include <float.h>
#include <math.h>

static double gap(const cairn_secular *s, size_t j, size_t from)
{
    double off = s->d[j] - s->d[from];
    return s->squared ? off * (s->d[j] + s->d[from]) : off;
}

/* The sums of the poles up to root i and of those after it at a point, with their slopes. */
typedef struct sides {
    double below, below_slope, above, above_slope;
} sides;

static void add_poles(const cairn_secular *s, const double *gaps, double x, size_t from, size_t to,
                      double *sum, double *slope)
{
    double value[2] = {0, 0}, rise[2] = {0, 0};
    size_t j = from;
    for (; j + 1 < to; j += 2)
        for (size_t k = 0; k < 2; k++) {
            double over = 1 / (gaps[j + k] - x), share = s->squares[j + k] * over;
            value[k] += share;
            rise[k] += share * over;
        }
    if (j < to) {
        double over = 1 / (gaps[j] - x), share = s->squares[j] * over;
        value[0] += share;
        rise[0] += share * over;
    }
    *sum = s->rho * (value[0] + value[1]);
    *slope = s->rho * (rise[0] + rise[1]);
}

static sides sides_at(const cairn_secular *s, const double *gaps, double x, size_t i)
{
    sides out;
    add_poles(s, gaps, x, 0, i + 1, &out.below, &out.below_slope);
    add_poles(s, gaps, x, i + 1, s->n, &out.above, &out.above_slope);
    return out;
}

/* The root of c + p / (left - y) + q / (right - y) between left < right, for p, q >= 0. */
static double two_poles(double c, double p, double q, double left, double right)
{
    double a = c * (left + right) + p + q, b = c * left * right + p * right + q * left;
    double root = sqrt(fmax(0, a * a - 4 * b * c));
    if (a > 0) return 2 * b / (a + root);
    return c != 0 ? (a - root) / (2 * c) : NAN;
}

/* The next point after x; NaN where it cannot be told. */
static double next_point(const cairn_secular *s, const double *gaps, double x, size_t i,
                         const sides *at)
{
    double left = gaps[i] - x;
    if (i + 1 == s->n) {
        double rest = 1 + at->below - left * at->below_slope;
        return rest > 0 ? x + left + left * left * at->below_slope / rest : NAN;
    }
    double right = gaps[i + 1] - x;
    double rest = 1 + at->below + at->above - left * at->below_slope - right * at->above_slope;
    return x + two_poles(rest, left * left * at->below_slope, right * right * at->above_slope, left,
                         right);
}

typedef struct bracket {
    double low, high;
} bracket;

/* Whether the root is next to pole i, not i + 1, and a first point: as the two poles have it when
 * the others are taken to be what they are halfway. */
static double start(const cairn_secular *s, size_t i, double *gaps, size_t *origin, bracket *around)
{
    for (size_t j = 0; j < s->n; j++) gaps[j] = gap(s, j, i);
    if (i + 1 == s->n) {
        double sum = 0;
        for (size_t j = 0; j < s->n; j++) sum += s->squares[j];
        *origin = i;
        *around = (bracket){0, s->rho * sum * (1 + 8 * DBL_EPSILON)};
        return around->high;
    }
    double whole = gaps[i + 1], half = whole / 2;
    sides at = sides_at(s, gaps, half, i);
    double value = 1 + at.below + at.above, p = s->rho * s->squares[i];
    double q = s->rho * s->squares[i + 1], rest = value + p / half - q / (whole - half);
    bool first = value >= 0;
    *origin = first ? i : i + 1;
    *around = first ? (bracket){0, half} : (bracket){-half, 0};
    for (size_t j = 0; !first && j < s->n; j++) gaps[j] = gap(s, j, i + 1);
    return two_poles(rest, p, q, gaps[i], gaps[i + 1]);
}

double cairn_secular_root(const cairn_secular *s, size_t i, double *gaps, size_t *origin)
{
    enum { STEPS = 200 };
    bracket around;
    double x = start(s, i, gaps, origin, &around);
    for (int step = 0; step < STEPS; step++) {
        if (!(x > around.low && x < around.high)) x = (around.low + around.high) / 2;
        if (x == around.low || x == around.high) break;
        sides at = sides_at(s, gaps, x, i);
        double value = 1 + at.below + at.above;
        double noise =
            8 * (1 + fabs(at.below) + fabs(at.above)) + fabs(x) * (at.below_slope + at.above_slope);
        if (fabs(value) <= DBL_EPSILON * noise) break;
        if (value < 0)
            around.low = x;
        else
            around.high = x;
        double next = next_point(s, gaps, x, i, &at);
        if (next == x) break;
        x = next;
    }
    for (size_t j = 0; j < s->n; j++) gaps[j] -= x;
    return x;
}

void cairn_secular_weights(const cairn_secular *s, const double *gaps, double *squares)
{
    size_t n = s->n;
    for (size_t j = 0; j < n; j++) squares[j] = 1;
    for (size_t i = 0; i < n; i++) {
        const double *row = gaps + i * n;
        for (size_t j = 0; j < i; j++) squares[j] *= row[j] / gap(s, j, i);
        squares[i] *= row[i];
        for (size_t j = i + 1; j < n; j++) squares[j] *= row[j] / gap(s, j, i);
    }
    for (size_t j = 0; j < n; j++) squares[j] = fabs(squares[j]);
}
