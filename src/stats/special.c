/* SPDX-License-Identifier: MIT */
/* Tails of the gamma and beta distributions.
 *
 * Both are a density at the cut times a factor of moderate size. The density is written through
 * Stirling errors and deviances, whose terms do not cancel, so its relative error stays near
 * rounding even for parameters of many millions. The factor is, on the side of the cut that has
 * less mass,
 *
 * 1. a power series with positive terms, when the parameter on this side is small, or
 * 2. the integral of the density relative to the cut, by Gauss quadrature on panels that double in
 *    width, when it is large (the series would be long) and for the upper tail of the gamma
 *    distribution (there is no such series). The integrand is smooth on the scale of the panels.
 *
 * Notation: a, b parameters of the beta distribution, a also the shape of the gamma distribution,
 * x the cut, y = 1 - x, n = a + b. */
#include "stats/special.h"
#include "base/functions.h"
#include <math.h>
#include <stddef.h>

static const double half_log_2pi = 0.91893853320467274178;
static const double euler_gamma = 0.57721566490153286061;

/* From this parameter on the integral is used. */
static const double large_parameter = 200;

double cairn_tail_log(cairn_tail tail, bool upper)
{
    double log_value = fmin(tail.log_value, 0);
    if (tail.is_upper == upper) return log_value;
    return log_value > -0.7 ? cairn_log(-cairn_expm1(log_value))
                            : cairn_log1p(-cairn_exp(log_value));
}

double cairn_tail_value(cairn_tail tail, bool upper)
{
    double log_value = fmin(tail.log_value, 0);
    return tail.is_upper == upper ? cairn_exp(log_value) : -cairn_expm1(log_value);
}

double cairn_log1p_minus(double u)
{
    if (!(fabs(u) < 0.5)) return cairn_log1p(u) - u;
    /* log(1 + u) = 2 artanh(r) with r = u / (2 + u), and 2r - u = -ur */
    double r = u / (2 + u), square = r * r, sum = 0;
    for (int k = 35; k >= 3; k -= 2) sum = sum * square + 2.0 / k;
    return r * (square * sum - u);
}

double cairn_stirling_error(double z)
{
    static const double series[] = {
        0.083333333333333333333,   -0.0027777777777777777778, 0.00079365079365079365079,
        -0.0005952380952380952381, 0.00084175084175084175084, -0.0019175269175269175269,
        0.0064102564102564102564,  -0.02955065359477124183,   0.17964437236883057316};
    if (z < 10) {
        return cairn_lgamma(z + 1) - (z + 0.5) * cairn_log(z) + z - half_log_2pi;
    }
    double inverse = 1 / (z * z), sum = 0;
    for (size_t k = sizeof series / sizeof *series; k-- > 0;) sum = sum * inverse + series[k];
    return sum / z;
}

double cairn_deviance(double x, double mean, double difference)
{
    double u = difference / x;
    if (fabs(u) < 0.5) return -x * cairn_log1p_minus(-u);
    return x * cairn_log(x / mean) - difference;
}

/* Gauss-Legendre with 16 nodes, of which only one half is listed since they are symmetric; the
 * integrand is given by its logarithm, as it spans many powers of ten. */
static double panel_sum(double (*exponent)(double s, const void *data), const void *data,
                        double from, double to)
{
    static const double nodes[8][2] = {
        {0.095012509837637440185, 0.18945061045506849629},
        {0.28160355077925891323, 0.18260341504492358887},
        {0.45801677765722738634, 0.16915651939500253819},
        {0.61787624440264374845, 0.14959598881657673208},
        {0.7554044083550030339, 0.12462897125553387205},
        {0.86563120238783174388, 0.09515851168249278481},
        {0.94457502307323257608, 0.062253523938647892863},
        {0.9894009349916499326, 0.027152459411754094852},
    };
    double middle = (from + to) / 2, half = (to - from) / 2, sum = 0;
    for (int i = 0; i < 8; i++) {
        double offset = half * nodes[i][0];
        sum += nodes[i][1] * (cairn_exp(exponent(middle - offset, data)) +
                              cairn_exp(exponent(middle + offset, data)));
    }
    return sum * half;
}

double cairn_integrate_decay(double (*exponent)(double s, const void *data), const void *data,
                             double scale, double limit)
{
    double end = fmin(scale, limit), sum = 0;
    for (int i = 0; i < 2000 && end < limit && exponent(end, data) > -42; i++) end *= 2;
    for (int i = 0; i < 2000 && exponent(end / 2, data) < -42; i++) end /= 2;
    end = fmin(end, limit);
    for (int i = 0; i < 8; i++) sum += panel_sum(exponent, data, end / 2, end), end /= 2;
    return sum + panel_sum(exponent, data, 0, end);
}

static double log_gamma_scale(double x, double a)
{
    return 0.5 * cairn_log(a) - half_log_2pi - cairn_stirling_error(a) -
           cairn_deviance(a, x, a - x);
}

typedef struct gamma_cut {
    double x, a;
    double slope; /* of the exponent at the cut */
} gamma_cut;

static double gamma_above(double s, const void *data)
{
    const gamma_cut *cut = data;
    return (cut->a - 1) * cairn_log1p_minus(s / cut->x) + s * cut->slope;
}

static double gamma_below(double s, const void *data)
{
    const gamma_cut *cut = data;
    if (s >= cut->x) return -INFINITY;
    return (cut->a - 1) * cairn_log1p_minus(-s / cut->x) + s * cut->slope;
}

/* Series for the lower tail: 1 + x/(a+1) + x^2/((a+1)(a+2)) + ... */
static double gamma_series(double x, double a)
{
    double sum = 1, term = 1;
    for (double n = 1; term > 1e-17 * sum; n++) {
        term *= x / (a + n);
        sum += term;
    }
    return sum;
}

/* log Gamma(1 + a) for small a, with small relative error. */
static double log_gamma_above_one(double a)
{
    static const double series[] = {
        0.82246703342411321824,  0.40068563438653142847,  0.27058080842778454788,
        0.20738555102867398527,  0.16955717699740818995,  0.14404989676884611812,
        0.12550966952474304242,  0.11133426586956469049,  0.10009945751278180853,
        0.090954017145829042233, 0.083353840546109004025, 0.076932516411352191473,
        0.071432946295361336059, 0.066668705882420468033, 0.062500955141213040742,
        0.058823978658684582339};
    double sum = 0;
    for (size_t k = sizeof series / sizeof *series; k-- > 0;) sum = series[k] - a * sum;
    return a * (a * sum - euler_gamma);
}

/* Upper tail for a < 0.1 and x < 1, where the lower one is often nearly 1. */
static double gamma_upper_small(double x, double a)
{
    double w = a * cairn_log(x) - log_gamma_above_one(a), term = 1, sum = 0;
    for (double n = 1; n < 30; n++) {
        term *= -x / n;
        sum += term / (a + n);
    }
    return -cairn_expm1(w) - cairn_exp(w) * a * sum;
}

cairn_tail cairn_gamma_tail(double x, double a)
{
    double log_scale = log_gamma_scale(x, a);
    cairn_tail tail = {.log_slope = log_scale};
    gamma_cut cut = {x, a, (a - 1 - x) / x};
    double width = fmin(sqrt(a) + 1, fmax(x, 1));
    double upper_small = x < 1 && a < 0.1 ? gamma_upper_small(x, a) : 1;
    if (upper_small < 0.5) {
        tail.is_upper = true;
        tail.log_value = cairn_log(upper_small);
    } else if (x >= fmax(a, 1)) {
        double integral = cairn_integrate_decay(gamma_above, &cut, width, INFINITY);
        tail.is_upper = true;
        tail.log_value = log_scale + cairn_log(integral / x);
    } else if (a < large_parameter) {
        tail.log_value = log_scale + cairn_log(gamma_series(x, a) / a);
    } else {
        cut.slope = -cut.slope;
        tail.log_value =
            log_scale + cairn_log(cairn_integrate_decay(gamma_below, &cut, width, x) / x);
    }
    return tail;
}

double cairn_beta_excess(double x, double a, double b)
{
    double n = a + b, part = n - a, lost = (a - (n - part)) + (b - part);
    double product = n * x, product_lost = fma(n, x, -product);
    return (a - product) - product_lost - lost * x;
}

/* log of x^a y^b / B(a, b) */
static double log_beta_scale(double x, double y, double a, double b, double excess)
{
    double n = a + b;
    return 0.5 * (cairn_log(a) + cairn_log(b / n)) - half_log_2pi + cairn_stirling_error(n) -
           cairn_stirling_error(a) - cairn_stirling_error(b) - cairn_deviance(a, n * x, excess) -
           cairn_deviance(b, n * y, -excess);
}

/* Series for the lower tail: 1 + (a+b)/(a+1) x + (a+b)(a+b+1)/((a+1)(a+2)) x^2 + ... */
static double beta_series(double x, double a, double b)
{
    double sum = 1, term = 1;
    for (double n = 0; term > 1e-17 * sum; n++) {
        term *= x * ((a + b + n) / (a + 1 + n));
        sum += term;
    }
    return sum;
}

typedef struct beta_cut {
    double x, y, a, b;
    double slope; /* of the exponent at the cut */
} beta_cut;

static double beta_below(double s, const void *data)
{
    const beta_cut *cut = data;
    if (s >= cut->x) return -INFINITY;
    return (cut->a - 1) * cairn_log1p_minus(-s / cut->x) +
           (cut->b - 1) * cairn_log1p_minus(s / cut->y) + s * cut->slope;
}

/* The lower tail relative to the scale; x is not far above the mean. */
static double beta_factor(double x, double y, double a, double b, double excess)
{
    if (a < large_parameter) return beta_series(x, a, b) / a;
    beta_cut cut = {x, y, a, b, (y - x - excess) / (x * y)};
    double n = a + b, width = sqrt(a / n) * sqrt(b / n) / sqrt(n);
    return cairn_integrate_decay(beta_below, &cut, width, x) / (x * y);
}

cairn_tail cairn_beta_tail(double x, double y, double a, double b, double excess)
{
    double log_scale = log_beta_scale(x, y, a, b, excess);
    cairn_tail tail = {.log_slope = log_scale};
    /* x below (a + 1) / (a + b + 2), in terms that do not cancel */
    tail.is_upper = excess + y - x < 0;
    double factor =
        tail.is_upper ? beta_factor(y, x, b, a, -excess) : beta_factor(x, y, a, b, excess);
    tail.log_value = log_scale + cairn_log(factor);
    return tail;
}

double cairn_find_root(void (*function)(double z, double *value, double *slope, const void *data),
                       const void *data, double start)
{
    double low = -INFINITY, high = INFINITY, z = start;
    for (int i = 0; i < 200; i++) {
        double value, slope;
        function(z, &value, &slope, data);
        if (value == 0 || isnan(value)) break;
        if (value < 0)
            low = z;
        else
            high = z;
        double step = -value / slope, reach = 4 * (1 + fabs(z));
        if (fabs(step) <= 1e-15 * fmax(1, fabs(z))) return z + step;
        if (!(fabs(step) < 1000 * reach)) step = value < 0 ? reach : -reach;
        double next = z + step;
        if (!(next > low && next < high)) next = low + (high - low) / 2;
        if (next == low || next == high) return next;
        z = next;
    }
    return z;
}
