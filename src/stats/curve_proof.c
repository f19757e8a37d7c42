/* SPDX-License-Identifier: MIT */
/* Whether a curve has the least squared errors: what its residuals have in common with the
 * directions in which its parameters move it must be 0. In wide numbers, by bases and sums that no
 * fit uses: polynomials of Chebyshev where powers were fitted, segments by their means.
 *
 * A slope is told beside the lengths of the two columns that it is the product of, and beside what
 * the rounding of the residuals, which are differences of larger numbers, may leave of it; a curve
 * whose rounding is more than a millionth of y is none. */
#include "base/functions.h"
#include "base/memory.h"
#include "stats/curve_fit.h"
#include <float.h>
#include <math.h>

typedef long double wide;

static const double DIRECT = 1e-9, ITERATED = 1e-6;

typedef struct proof {
    cairn_certificate *certificate;
    const cairn_curve_fit *curve;
    const cairn_points_xy *points;
    double bound;
    wide *residuals, *sizes; /* n: and of the numbers that they are differences of */
    wide *column;            /* n: how a parameter moves the curve */
    wide penalty;            /* λ Σ w² */
} proof;

static wide weight_of(const proof *p, size_t i)
{
    return p->points->weights ? p->points->weights[i] : 1;
}

/* The product of residuals and column. A penalty λ w²/2 is one more row, with the root of λ in the
 * column of its w and the residual 0 − √λ w. */
static void certify_slope(const proof *p, double lambda, double w_k)
{
    wide slope = -lambda * (wide)w_k, size = 0, length = lambda, target = 0;
    wide residual = p->penalty;
    for (size_t i = 0; i < p->points->n; i++) {
        wide w = weight_of(p, i);
        slope += w * p->residuals[i] * p->column[i];
        residual += w * p->residuals[i] * p->residuals[i];
        size += w * p->sizes[i] * p->sizes[i];
        length += w * p->column[i] * p->column[i];
        target += w * p->points->y[i] * p->points->y[i];
    }
    wide noise = 8 * (wide)(p->curve->n_parameters + 2) * DBL_EPSILON * sqrtl(size * length);
    noise = fminl(noise, ITERATED * sqrtl(target * length));
    wide whole = sqrtl(residual * length) + noise / p->bound;
    cairn_certify(p->certificate, CAIRN_PROOF_RESIDUAL,
                  (double)(whole > 0 ? fabsl(slope) / whole : fabsl(slope)), p->bound);
}

/* -- polynomials -- */

static wide power_of(wide x, size_t k)
{
    wide power = 1;
    while (k--) power *= x;
    return power;
}

static wide chebyshev(wide u, size_t k)
{
    wide before = u, now = 1; /* of degrees -1 and 0 */
    while (k--) {
        wide next = 2 * u * now - before;
        before = now;
        now = next;
    }
    return now;
}

/* By the powers of x where these are penalised. */
static void certify_polynomial(proof *p, double lambda)
{
    const cairn_curve_fit *c = p->curve;
    const double *factors = c->centred ? c->centred : c->coefficients;
    for (size_t i = 0; i < p->points->n; i++) {
        wide x = p->points->x[i], at = c->centred ? (x - c->middle) / c->half : x;
        wide power = 1, sum = 0, size = 0;
        for (size_t k = 0; k <= c->size; k++, power *= at) {
            sum += factors[k] * power;
            size += fabsl(factors[k] * power);
        }
        p->residuals[i] = p->points->y[i] - sum;
        p->sizes[i] = size + fabsl((wide)p->points->y[i]);
    }
    for (size_t k = 0; lambda > 0 && k <= c->size; k++)
        p->penalty += lambda * (wide)c->coefficients[k] * c->coefficients[k];
    for (size_t k = 0; k <= c->size; k++) {
        for (size_t i = 0; i < p->points->n; i++) {
            p->column[i] = lambda > 0 ? power_of(p->points->x[i], k)
                                      : chebyshev(((wide)p->points->x[i] - c->middle) / c->half, k);
        }
        certify_slope(p, lambda, lambda > 0 ? c->coefficients[k] : 0);
    }
}

/* -- steps -- */

typedef struct group {
    wide weight, mean;
} group;

/* Weight and mean of the points with low < x <= high. */
static group group_of(const proof *p, double low, double high)
{
    group g = {0, 0};
    for (size_t i = 0; i < p->points->n; i++) {
        if (!(p->points->x[i] > low && p->points->x[i] <= high)) continue;
        wide w = weight_of(p, i);
        g.weight += w;
        g.mean += w * (p->points->y[i] - g.mean) / g.weight;
    }
    return g;
}

/* By how much the squared errors fall when the points `moved` go from one segment to the other. */
static wide gain(group from, group to, group moved)
{
    wide left = from.weight - moved.weight;
    if (!(left > 0)) return 0;
    wide out = moved.mean - from.mean, in = moved.mean - to.mean;
    return moved.weight *
           (from.weight / left * out * out - to.weight / (to.weight + moved.weight) * in * in);
}

/* The largest x up to a cut and the smallest beyond, and the x before and behind these. */
static void find_neighbours(const proof *p, double cut, double *around)
{
    around[0] = around[1] = -INFINITY;
    around[2] = around[3] = INFINITY;
    for (size_t i = 0; i < p->points->n; i++) {
        double x = p->points->x[i];
        around[1] = x <= cut ? fmax(around[1], x) : around[1];
        around[2] = x > cut ? fmin(around[2], x) : around[2];
    }
    for (size_t i = 0; i < p->points->n; i++) {
        double x = p->points->x[i];
        around[0] = x < around[1] ? fmax(around[0], x) : around[0];
    }
}

/* Every value is the mean of its segment, and no cut is better one x further to either side. */
static void certify_steps(const proof *p)
{
    const cairn_curve_fit *c = p->curve;
    wide errors = 0, size = 0, best = 0;
    for (size_t k = 0; k < c->size; k++) {
        double low = k ? c->cuts[k - 1] : -INFINITY;
        double high = k + 1 < c->size ? c->cuts[k] : INFINITY;
        for (size_t i = 0; i < p->points->n; i++) {
            double x = p->points->x[i], y = p->points->y[i];
            p->column[i] = x > low && x <= high;
            if (p->column[i] == 0) continue;
            p->residuals[i] = (wide)y - c->coefficients[k];
            p->sizes[i] = fabs(y) + fabs(c->coefficients[k]);
            errors += weight_of(p, i) * p->residuals[i] * p->residuals[i];
            size += weight_of(p, i) * p->sizes[i] * p->sizes[i];
        }
        certify_slope(p, 0, 0);
    }
    for (size_t k = 0; k + 1 < c->size; k++) {
        double around[4];
        find_neighbours(p, c->cuts[k], around);
        group left = group_of(p, k ? c->cuts[k - 1] : -INFINITY, c->cuts[k]);
        group right = group_of(p, c->cuts[k], k + 2 < c->size ? c->cuts[k + 1] : INFINITY);
        best = fmaxl(best, gain(left, right, group_of(p, around[0], around[1])));
        best = fmaxl(best, gain(right, left, group_of(p, c->cuts[k], around[2])));
    }
    wide noise = 8 * (wide)p->points->n * DBL_EPSILON * size;
    wide whole = errors + noise / p->bound;
    cairn_certify(p->certificate, CAIRN_PROOF_SWAP, (double)(whole > 0 ? best / whole : best),
                  p->bound);
}

/* -- power laws and logarithms -- */

/* A line through logarithms: of x, and of y where it is a power law. */
static void certify_logs(const proof *p)
{
    const cairn_curve_fit *c = p->curve;
    bool both = c->kind == CAIRN_CURVE_POWER;
    wide constant = both ? cairn_log(c->coefficients[0]) : c->coefficients[0];
    wide total = 0, mean = 0;
    for (size_t i = 0; i < p->points->n; i++) {
        wide x = cairn_log(p->points->x[i]), by_x = c->coefficients[1] * x;
        wide y = both ? cairn_log(p->points->y[i]) : p->points->y[i];
        p->residuals[i] = y - constant - by_x;
        p->sizes[i] = fabsl(y) + fabsl(constant) + fabsl(by_x) + (both ? 1 : 0); /* of a itself */
        p->column[i] = 1;
        total += weight_of(p, i);
        mean += weight_of(p, i) * (x - mean) / total;
    }
    certify_slope(p, 0, 0);
    for (size_t i = 0; i < p->points->n; i++) p->column[i] = cairn_log(p->points->x[i]) - mean;
    certify_slope(p, 0, 0);
}

/* a x^b itself: the slopes by a and, without what moves a, by b; and that it bends upwards. With
 * logarithms of x about a mean, which is another unit of x, the two directions are at right angles.
 */
static void certify_power(const proof *p)
{
    const cairn_curve_fit *c = p->curve;
    wide a = c->coefficients[0], b = c->coefficients[1], mean = 0, squares = 0;
    wide by_b = 0, bend_b = 0, bend_ab = 0;
    for (size_t i = 0; i < p->points->n; i++) {
        wide log_x = cairn_log(p->points->x[i]),
             power = cairn_pow(p->points->x[i], c->coefficients[1]);
        p->residuals[i] = p->points->y[i] - a * power;
        p->sizes[i] = fabsl((wide)p->points->y[i]) + fabsl(a * power) * (1 + fabsl(b * log_x));
        p->column[i] = power;
        squares += weight_of(p, i) * power * power;
        if (squares > 0) mean += weight_of(p, i) * power * power * (log_x - mean) / squares;
    }
    certify_slope(p, 0, 0);
    for (size_t i = 0; i < p->points->n; i++) {
        wide power = p->column[i], l = cairn_log(p->points->x[i]) - mean, w = weight_of(p, i);
        wide move = a * power * l;
        by_b += w * move * move;
        bend_b -= w * p->residuals[i] * move * l;
        bend_ab += w * (power * move - p->residuals[i] * power * l);
        p->column[i] = move;
    }
    certify_slope(p, 0, 0);
    if (!(squares > 0 && by_b > 0)) return;
    /* the matrix of second derivatives, for columns of length 1: 1, off and own */
    wide own = 1 + bend_b / by_b, off = bend_ab / sqrtl(squares * by_b);
    wide middle = (1 + own) / 2, half = sqrtl((1 - own) * (1 - own) / 4 + off * off);
    cairn_certify(p->certificate, CAIRN_PROOF_CURVATURE,
                  (double)(fmaxl(0, half - middle) / (fabsl(middle) + half)), p->bound);
}

cairn_status cairn_curve_certify(cairn_context *ctx, cairn_certificate *c,
                                 const cairn_curve_fit *curve, const cairn_points_xy *points,
                                 double lambda)
{
    proof p = {.certificate = c, .curve = curve, .points = points, .bound = DIRECT};
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_EACH(ctx, points->n + 1, &p.residuals, &p.sizes, &p.column));
    switch (curve->kind) {
    case CAIRN_CURVE_POLYNOMIAL: certify_polynomial(&p, lambda); break;
    case CAIRN_CURVE_STEPS: certify_steps(&p); break;
    case CAIRN_CURVE_POWER:
    case CAIRN_CURVE_LOGARITHM: certify_logs(&p); break;
    case CAIRN_CURVE_POWER_DIRECT:
        p.bound = ITERATED;
        certify_power(&p);
        c->limited |= !curve->converged;
    }
    return CAIRN_OK;
}
