/* SPDX-License-Identifier: MIT */
/* The distributions, on top of the gamma and beta tails of special.h and of erfc.
 *
 * chi-squared is a gamma distribution; t, F and the binomial are beta distributions, cut at a point
 * whose distance from 0, from 1 and from the mean are each computed from the arguments, so that
 * none of them is a rounded difference. Quantiles are found on the scale of log x or log(x/(1-x)),
 * where the logarithm of a tail is concave and Newton's method converges from everywhere. */
#include "base/functions.h"
#include "stats/distributions.h"
#include "stats/hypergeometric.h"
#include "stats/special.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

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

static const double half_log_2pi = 0.91893853320467274178;
static const double euler_gamma = 0.57721566490153286061;

/* From this parameter on the integral is used. */
static const double large_parameter = 200;

/* Which side of a cut is wanted, and whether its logarithm; the first is what `upper` says
 * elsewhere. */
enum { UPPER = 1, LOG = 2 };

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

static double tail_side(cairn_tail tail, int side)
{
    return side & LOG ? cairn_tail_log(tail, side & UPPER) : cairn_tail_value(tail, side & UPPER);
}

/* A side that has all of the mass, or nothing of it. */
static double sure_side(bool all, int side)
{
    return side & LOG ? (all ? 0 : -INFINITY) : all;
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
    double log_scale =
        0.5 * cairn_log(a) - half_log_2pi - cairn_stirling_error(a) - cairn_deviance(a, x, a - x);
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
    /* log of x^a y^b / B(a, b) */
    double n = a + b;
    double log_scale = 0.5 * (cairn_log(a) + cairn_log(b / n)) - half_log_2pi +
                       cairn_stirling_error(n) - cairn_stirling_error(a) - cairn_stirling_error(b) -
                       cairn_deviance(a, n * x, excess) - cairn_deviance(b, n * y, -excess);
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

/* The studentized range: r / s, where r is the range of k standard normals and s^2 is an
 * independent chi-squared over its degrees of freedom.
 *
 * With m = k - 1, the range has
 *
 *     P(R <= r) = k int phi(z) (Phi(z) - Phi(z-r))^m dz
 *     P(R > r)  = k int phi(z) (Phi(z)^m - (Phi(z) - Phi(z-r))^m) dz
 *     density   = k m int phi(z) phi(z-r) (Phi(z) - Phi(z-r))^(m-1) dz
 *
 * and the studentized range averages these at r = x s over the distribution of u = log s. Both
 * integrands are smooth and vanish fast at both ends, where the trapezoidal rule gains digits
 * exponentially as its step shrinks; the steps are set to the narrowest bump there can be. */

typedef enum { RANGE_LOWER, RANGE_UPPER, RANGE_DENSITY } range_part;

static const double log_root_2pi = 0.91893853320467274178;

/* -- the range of k normals -- */

/* x^2/2 with the error of the square, so that exp(-37^2/2) keeps its digits. */
double cairn_normal_density(double x)
{
    double square = x * x, lost = fma(x, x, -square);
    if (isinf(square)) return 0;
    return cairn_exp(-square / 2) * (1 - lost / 2) * 0.39894228040143267794;
}

double cairn_normal_upper(double x)
{
    /* x / sqrt(2) = z + rest */
    const double root = 0.70710678118654752440, root_rest = -4.8336466567264565e-17;
    double z = x * root;
    if (!isfinite(z)) return isnan(x) ? x : x > 0 ? 0 : 1;
    double rest = fma(x, root, -z) + x * root_rest;
    return 0.5 * (cairn_erfc(z) - 1.1283791670955125739 * cairn_exp(-z * z) * rest);
}

/* Far out the tail is φ(x)/x (1 − 1/x² + 3/x⁴ − 15/x⁶ ...), whose terms fall to rounding before
 * they grow. */
double cairn_normal_log_upper(double x)
{
    if (!(x > 30))
        return x < -1 ? cairn_log1p(-cairn_normal_upper(-x)) : cairn_log(cairn_normal_upper(x));
    if (isinf(x)) return -INFINITY;
    double square = x * x, term = 1, sum = 1;
    for (int k = 1; k < 20; k++) sum += term *= -(2 * k - 1) / square;
    return -square / 2 - half_log_2pi - cairn_log(x) + cairn_log(sum);
}

double cairn_normal_lower(double x)
{
    return cairn_normal_upper(-x);
}

/* What the normal distribution has between z - r and z, from the side on which digits are kept. */
static double mass_between(double z, double r)
{
    if (r < 1) {
        /* Phi(z) - Phi(z-r) by Gauss and Legendre for a small r, where a difference would lose
         * digits. */
        static const double points[] = {0.1488743389816312108848, 0.4333953941292471907993,
                                        0.6794095682990244062343, 0.8650633666889845107321,
                                        0.9739065285171717200780};
        static const double weights[] = {0.2955242247147528701739, 0.2692667193099963550912,
                                         0.2190863625159820439955, 0.1494513491505805931458,
                                         0.0666713443086881375936};
        double middle = z - r / 2, sum = 0;
        for (int i = 0; i < 5; i++)
            sum += weights[i] * (cairn_normal_density(middle + points[i] * r / 2) +
                                 cairn_normal_density(middle - points[i] * r / 2));
        return sum * r / 2;
    }
    if (z <= 0) return cairn_normal_lower(z) - cairn_normal_lower(z - r);
    if (z - r >= 0) return cairn_normal_upper(z - r) - cairn_normal_upper(z);
    return 1 - (cairn_normal_upper(z) + cairn_normal_lower(z - r));
}

/* From 10 below 0 to 10 above r/2 (where the tail's integrand peaks) or above 0. */
static double range_part_of(range_part part, double r, double k)
{
    double step = fmin(0.25, 0.5 / sqrt(k)), sum = 0;
    /* beyond 100 the normal density is 0 */
    double high = part == RANGE_LOWER ? 10 + fmin(r, 20) : 10 + fmin(r, 200) / 2;
    for (double z = -10; z <= high; z += step) {
        double m = k - 1;
        double phi = cairn_normal_density(z);
        if (part == RANGE_LOWER)
            sum += phi * cairn_pow(mass_between(z, r), m);
        else if (part == RANGE_DENSITY) {
            sum += m * phi * cairn_normal_density(z - r) * cairn_pow(mass_between(z, r), m - 1);
        } else {
            double below = cairn_normal_lower(z), out = cairn_normal_lower(z - r);
            if (below == 0) {
                sum += 0;
            } else {
                double share = out / below;
                double kept = share < 1 ? -cairn_expm1(m * cairn_log1p(-share)) : 1;
                sum += phi * cairn_pow(below, m) * kept;
            }
        }
    }
    return k * step * sum;
}

/* -- averaged over the deviation -- */

typedef struct studentized {
    range_part part;
    double x, k, df;
    double log_peak; /* log density of u = log s at 0, its mode */
} studentized;

/* Density of u times the part of the range at x exp(u). */
static double deviation_integrand(const studentized *q, double u)
{
    double spread = cairn_expm1(2 * u);
    /* near 0 the two terms nearly cancel; far below it, 1 + spread has no digits left */
    double fall = fabs(u) < 0.3 ? cairn_log1p_minus(spread) : 2 * u - spread;
    double density = q->log_peak + q->df / 2 * fall;
    if (density < -700) return 0;
    double part = range_part_of(q->part, q->x * cairn_exp(u), q->k);
    return cairn_exp(density + (q->part == RANGE_DENSITY ? u : 0)) * part;
}

static double sum_from(const studentized *q, double at, double step)
{
    double sum = 0;
    for (int small = 0; small < 3;) {
        double term = deviation_integrand(q, at);
        small = term <= 1e-17 * sum ? small + 1 : 0;
        sum += term;
        at += step;
    }
    return sum;
}

/* The mean of a part of the range over what an estimate of the deviation with df can be. */
static double averaged(range_part part, double x, double k, double df)
{
    if (df >= 1e12) return range_part_of(part, x, k); /* s differs from 1 by less than rounding */
    double half = df / 2, height;
    studentized q = {part, x, k, df,
                     cairn_log(2.0) + cairn_log(half) / 2 - log_root_2pi -
                         cairn_stirling_error(half)};
    double step = fmin(0.09, 0.6 / sqrt(2 * (df + k)));
    /* Where the integrand is largest, to within a step: it has one peak. The search starts where
     * a range far out still has a chance that is not 0. */
    double peak = q.part != RANGE_LOWER && q.x > 30 ? cairn_log(30 / q.x) : 0, direction = 1;
    height = deviation_integrand(&q, peak);
    for (double stride = 16 * step; stride >= step; stride /= 4)
        for (int turns = 0; turns < 2; direction = -direction, turns++)
            for (;;) {
                double next = deviation_integrand(&q, peak + direction * stride);
                if (!(next > height)) break;
                height = next;
                peak += direction * stride;
            }
    if (!(height > 0)) return 0;
    return step * (sum_from(&q, peak, step) + sum_from(&q, peak - step, -step));
}

static bool is_valid(double k, double df)
{
    return k >= 2 && k == floor(k) && k <= 1e6 && df > 0;
}

double cairn_studentized_density(double x, double groups, double df)
{
    if (!is_valid(groups, df) || isnan(x)) return NAN;
    return x > 0 && isfinite(x) ? averaged(RANGE_DENSITY, x, groups, df) : 0;
}

double cairn_studentized_upper(double x, double groups, double df)
{
    if (!is_valid(groups, df) || isnan(x)) return NAN;
    if (!(x > 0)) return 1;
    double upper = isfinite(x) ? averaged(RANGE_UPPER, x, groups, df) : 0;
    return upper < 0.75 ? upper : 1 - averaged(RANGE_LOWER, x, groups, df);
}

double cairn_studentized_lower(double x, double groups, double df)
{
    if (!is_valid(groups, df) || isnan(x)) return NAN;
    if (!(x > 0)) return 0;
    double lower = isfinite(x) ? averaged(RANGE_LOWER, x, groups, df) : 1;
    return lower < 0.75 ? lower : 1 - cairn_studentized_upper(x, groups, df);
}

/* -- quantiles -- */

typedef struct tail_search {
    double groups, df, log_wanted;
    bool upper;
} tail_search;

/* Logarithm of the tail at exp(z) less the wanted one, rising in z. */
static double tail_error(const tail_search *t, double z)
{
    double x = cairn_exp(z);
    double tail = t->upper ? cairn_studentized_upper(x, t->groups, t->df)
                           : cairn_studentized_lower(x, t->groups, t->df);
    double error = cairn_log(tail) - t->log_wanted;
    return t->upper ? -error : error;
}

/* A bracket by doubling, then false position with the stale end's weight halved. */
static double search_tail(const tail_search *t)
{
    double low = 0, high = 0.5, f_low = tail_error(t, low), f_high, stride = 0.5;
    while (f_low > 0 && low > -745) low -= stride *= 2, f_low = tail_error(t, low);
    high = low + stride;
    while ((f_high = tail_error(t, high)) < 0 && high < 709)
        low = high, f_low = f_high, high += stride *= 2;
    for (int i = 0, side = 0; i < 200 && high - low > 1e-15 * fmax(1, fabs(low)); i++) {
        bool flat = !isfinite(f_low) || !isfinite(f_high) || i % 8 == 7;
        double z = flat ? (low + high) / 2 : (low * f_high - high * f_low) / (f_high - f_low);
        if (!(z > low && z < high)) z = (low + high) / 2;
        double f = tail_error(t, z);
        if (f == 0 || z == low || z == high) return cairn_exp(z);
        if (f < 0) {
            low = z, f_low = f;
            if (side == -1) f_high /= 2;
            side = -1;
        } else {
            high = z, f_high = f;
            if (side == 1) f_low /= 2;
            side = 1;
        }
        if (fabs(f) < 1e-15) return cairn_exp(z);
    }
    return cairn_exp(low + (high - low) / 2);
}

static double quantile(double p, double groups, double df, bool upper)
{
    if (!is_valid(groups, df) || !(p >= 0 && p <= 1)) return NAN;
    if (p == 0 || p == 1) return (p == 0) == upper ? INFINITY : 0;
    tail_search search = {groups, df, cairn_log(p), upper};
    return search_tail(&search);
}

double cairn_studentized_quantile(double p, double groups, double df)
{
    return p > 0.5 ? quantile(1 - p, groups, df, true) : quantile(p, groups, df, false);
}

double cairn_studentized_quantile_upper(double q, double groups, double df)
{
    return q > 0.5 ? quantile(1 - q, groups, df, false) : quantile(q, groups, df, true);
}

static const double log_sqrt_2pi = 0.91893853320467274178;

/* From so many degrees of freedom on, t and F differ from their limits by less than rounding. */
static bool is_endless(double df)
{
    return df >= 1e20;
}

static bool is_probability(double p)
{
    return p >= 0 && p <= 1;
}

/* The x >= 0 whose upper tail is q <= 1/2: a rational guess with three good digits, then Halley. */
static double normal_above(double q)
{
    if (q == 0) return INFINITY;
    double t = sqrt(-2 * cairn_log(q));
    double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    if (x < 0) x = 0;
    for (int i = 0; i < 3; i++) {
        double error = x < 0.7 ? (0.5 - q) - 0.5 * cairn_erf(x * 0.70710678118654752440)
                               : cairn_normal_upper(x) - q;
        double step = error / cairn_normal_density(x);
        x += step / (1 - step * x / 2);
    }
    return x;
}

double cairn_normal_quantile_upper(double q)
{
    if (!is_probability(q)) return NAN;
    return q <= 0.5 ? normal_above(q) : -normal_above(1 - q);
}

double cairn_normal_quantile(double p)
{
    return 0 - cairn_normal_quantile_upper(p);
}

/* Beyond this logarithm tails follow a power law to the last digit, and x itself may underflow. */
enum { FAR = 500 };

/* Gamma cut at x = exp(z). */
static cairn_tail gamma_tail_at(double z, double shape)
{
    if (z >= -FAR) return cairn_gamma_tail(cairn_exp(fmin(z, 709)), shape);
    cairn_tail tail = cairn_gamma_tail(cairn_exp(-FAR), shape);
    double log_lower = cairn_tail_log(tail, false) + shape * (z + FAR);
    return (cairn_tail){log_lower, false, tail.log_slope + shape * (z + FAR)};
}

/* Beta cut at x = 1/(1 + exp(-z)). */
static cairn_tail beta_tail_at(double z, double a, double b)
{
    double r = cairn_exp(fmax(-FAR, fmin(z, FAR))), y = 1 / (1 + r), x = r * y;
    cairn_tail tail = cairn_beta_tail(x, y, a, b, (a - b * r) * y);
    if (fabs(z) <= FAR) return tail;
    double change = z < 0 ? a * (z + FAR) : b * (FAR - z);
    return (cairn_tail){cairn_tail_log(tail, z > 0) + change, z > 0, tail.log_slope + change};
}

typedef struct quantile_problem {
    double a, b, log_probability;
    bool upper;
} quantile_problem;

/* Value and slope of the logarithm of the wanted tail, with the sign that makes it increase. */
static void compare_tail(cairn_tail tail, const quantile_problem *problem, double *value,
                         double *slope)
{
    double log_tail = cairn_tail_log(tail, problem->upper);
    *value = log_tail - problem->log_probability;
    *slope = cairn_exp(tail.log_slope - log_tail);
    if (problem->upper) *value = -*value;
}

static void compare_gamma(double z, double *value, double *slope, const void *data)
{
    const quantile_problem *problem = data;
    compare_tail(gamma_tail_at(z, problem->a), problem, value, slope);
}

static void compare_beta(double z, double *value, double *slope, const void *data)
{
    const quantile_problem *problem = data;
    compare_tail(beta_tail_at(z, problem->a, problem->b), problem, value, slope);
}

/* log of the gamma quantile; the smaller tail is matched. */
static double log_gamma_quantile(double p, bool upper, double shape)
{
    if (p > 0.5) p = 1 - p, upper = !upper;
    quantile_problem problem = {.a = shape, .log_probability = cairn_log(p), .upper = upper};
    /* the normal approximation of the cube root, or the first term of the series near 0 */
    double normal = normal_above(p), ninth = 1 / (9 * shape);
    double cube = 1 - ninth + (upper ? normal : -normal) * sqrt(ninth);
    double start = cube > 0.1 ? cairn_log(shape) + 3 * cairn_log(cube) : cairn_log(shape) - 7;
    if (!upper) start = fmin(start, (cairn_log(p) + cairn_lgamma(shape + 1)) / shape + 1);
    return cairn_find_root(compare_gamma, &problem, start);
}

/* log(x / (1 - x)) of the beta quantile; the smaller tail is matched. */
static double logit_beta_quantile(double p, bool upper, double a, double b)
{
    if (p > 0.5) p = 1 - p, upper = !upper;
    quantile_problem problem = {a, b, cairn_log(p), upper};
    return cairn_find_root(compare_beta, &problem, cairn_log(a / b));
}

/* Density at x of a variable whose density with respect to log x is known. */
static double density_from(cairn_tail tail, double x)
{
    return cairn_exp(tail.log_slope - cairn_log(x));
}

/* Density at the lower end of a support, where it goes like x^(power - 1). */
static double density_at_end(double power, double value)
{
    return power < 1 ? INFINITY : power > 1 ? 0 : value;
}

static bool is_gamma(double shape, double scale)
{
    return shape > 0 && scale > 0 && isfinite(shape) && isfinite(scale);
}

static cairn_tail gamma_cut_at(double x, double shape, double scale)
{
    double ratio = x / scale;
    if (ratio > 1e-200 && isfinite(ratio)) return cairn_gamma_tail(ratio, shape);
    return gamma_tail_at(cairn_log(x) - cairn_log(scale), shape);
}

double cairn_gamma_density(double x, double shape, double scale)
{
    if (isnan(x) || !is_gamma(shape, scale)) return NAN;
    if (x < 0 || isinf(x)) return 0;
    if (x == 0) return density_at_end(shape, 1 / scale);
    return density_from(gamma_cut_at(x, shape, scale), x);
}

static double gamma_side(double x, double shape, double scale, int side)
{
    if (isnan(x) || !is_gamma(shape, scale)) return NAN;
    if (x <= 0 || isinf(x)) return sure_side((side & UPPER) == (x <= 0), side);
    return tail_side(gamma_cut_at(x, shape, scale), side);
}

double cairn_gamma_log_tail(double x, double shape, double scale, bool upper)
{
    return gamma_side(x, shape, scale, LOG | upper);
}

double cairn_gamma_lower(double x, double shape, double scale)
{
    return gamma_side(x, shape, scale, false);
}

double cairn_gamma_upper(double x, double shape, double scale)
{
    return gamma_side(x, shape, scale, true);
}

static double gamma_quantile(double p, bool upper, double shape, double scale)
{
    if (!is_probability(p) || !is_gamma(shape, scale)) return NAN;
    if (p == 0 || p == 1) return upper == (p == 0) ? INFINITY : 0;
    return scale * cairn_exp(log_gamma_quantile(p, upper, shape));
}

double cairn_gamma_quantile(double p, double shape, double scale)
{
    return gamma_quantile(p, false, shape, scale);
}

double cairn_gamma_quantile_upper(double q, double shape, double scale)
{
    return gamma_quantile(q, true, shape, scale);
}

double cairn_chi2_density(double x, double df)
{
    return cairn_gamma_density(x, df / 2, 2);
}

double cairn_chi2_lower(double x, double df)
{
    return cairn_gamma_lower(x, df / 2, 2);
}

double cairn_chi2_upper(double x, double df)
{
    return cairn_gamma_upper(x, df / 2, 2);
}

double cairn_chi2_quantile(double p, double df)
{
    return cairn_gamma_quantile(p, df / 2, 2);
}

double cairn_chi2_quantile_upper(double q, double df)
{
    return cairn_gamma_quantile_upper(q, df / 2, 2);
}

static bool is_beta(double a, double b)
{
    return a > 0 && b > 0 && isfinite(a) && isfinite(b);
}

static cairn_tail beta_cut_at(double x, double a, double b)
{
    if (x < 1e-200) return beta_tail_at(cairn_log(x), a, b);
    return cairn_beta_tail(x, 1 - x, a, b, cairn_beta_excess(x, a, b));
}

double cairn_beta_density(double x, double a, double b)
{
    if (isnan(x) || !is_beta(a, b)) return NAN;
    if (x < 0 || x > 1) return 0;
    if (x == 0) return density_at_end(a, b);
    if (x == 1) return density_at_end(b, a);
    return cairn_exp(beta_cut_at(x, a, b).log_slope - cairn_log(x) - cairn_log1p(-x));
}

static double beta_side(double x, double a, double b, int side)
{
    if (isnan(x) || !is_beta(a, b)) return NAN;
    if (x <= 0 || x >= 1) return sure_side((side & UPPER) == (x <= 0), side);
    return tail_side(beta_cut_at(x, a, b), side);
}

double cairn_beta_log_tail(double x, double a, double b, bool upper)
{
    return beta_side(x, a, b, LOG | upper);
}

double cairn_beta_lower(double x, double a, double b)
{
    return beta_side(x, a, b, false);
}

double cairn_beta_upper(double x, double a, double b)
{
    return beta_side(x, a, b, true);
}

static double beta_quantile(double p, bool upper, double a, double b)
{
    if (!is_probability(p) || !is_beta(a, b)) return NAN;
    if (p == 0 || p == 1) return upper == (p == 0);
    double z = logit_beta_quantile(p, upper, a, b);
    return z < 0 ? cairn_exp(z) / (1 + cairn_exp(z)) : 1 / (1 + cairn_exp(-z));
}

double cairn_beta_quantile(double p, double a, double b)
{
    return beta_quantile(p, false, a, b);
}

double cairn_beta_quantile_upper(double q, double a, double b)
{
    return beta_quantile(q, true, a, b);
}

/* log of Gamma(a + 1/2) / Gamma(a), less half the log of 2 pi a: the density at 0 for df = 2a. */
double cairn_t_density(double x, double df)
{
    if (isnan(x) || !(df > 0)) return NAN;
    if (is_endless(df)) return cairn_normal_density(x);
    double a = df / 2, size = fabs(x);
    double log_peak = cairn_stirling_error(a + 0.5) - cairn_stirling_error(a) +
                      a * cairn_log1p_minus(0.5 / a) - log_sqrt_2pi;
    double stretch =
        size > 1e100 ? 2 * cairn_log(size) - cairn_log(df) : cairn_log1p(size * size / df);
    return cairn_exp(log_peak - (a + 0.5) * stretch);
}

/* Upper tail at x >= 0: half that of the beta variable x^2 / (df + x^2). */
static cairn_tail t_cut_at(double x, double df)
{
    double square = x * x, r = square / df, w = 1 / (1 + r);
    if (!(r > 1e-200 && r < 1e200))
        return beta_tail_at(2 * cairn_log(x) - cairn_log(df), 0.5, df / 2);
    return cairn_beta_tail(r * w, w, 0.5, df / 2, (1 - square) / 2 * w);
}

static double t_above(double x, double df)
{
    if (is_endless(df)) return cairn_normal_upper(x);
    if (isinf(x)) return 0;
    if (x * x < 1e-100) return 0.5 - x * cairn_t_density(0, df);
    return cairn_tail_value(t_cut_at(x, df), true) / 2;
}

double cairn_t_log_upper(double x, double df)
{
    if (isnan(x) || !(df > 0)) return NAN;
    if (is_endless(df)) return cairn_normal_log_upper(x);
    if (!(x > 1)) return cairn_log(cairn_t_upper(x, df));
    return isinf(x) ? -INFINITY : cairn_tail_log(t_cut_at(x, df), true) - cairn_log(2);
}

double cairn_t_upper(double x, double df)
{
    if (isnan(x) || !(df > 0)) return NAN;
    return x < 0 ? 1 - t_above(-x, df) : t_above(x, df);
}

double cairn_t_lower(double x, double df)
{
    return cairn_t_upper(-x, df);
}

/* The x >= 0 whose upper tail is q <= 1/2. */
static double t_quantile_above(double q, double df)
{
    double middle = 0.5 - q;
    if (q == 0) return INFINITY;
    if (is_endless(df)) return normal_above(q);
    if (middle < 1e-30) return middle / cairn_t_density(0, df);
    double z = q < 0.25 ? logit_beta_quantile(2 * q, true, 0.5, df / 2)
                        : logit_beta_quantile(2 * middle, false, 0.5, df / 2);
    return cairn_exp(z / 2 + cairn_log(df) / 2);
}

double cairn_t_quantile_upper(double q, double df)
{
    if (!is_probability(q) || !(df > 0)) return NAN;
    return q <= 0.5 ? t_quantile_above(q, df) : -t_quantile_above(1 - q, df);
}

double cairn_t_quantile(double p, double df)
{
    return 0 - cairn_t_quantile_upper(p, df);
}

static bool is_f(double df1, double df2)
{
    return df1 > 0 && df2 > 0 && !(is_endless(df1) && is_endless(df2));
}

static cairn_tail f_cut_at(double x, double df1, double df2)
{
    double r = df1 / df2 * x, y = 1 / (1 + r);
    if (!(r > 1e-200 && r < 1e200))
        return beta_tail_at(cairn_log(x) + cairn_log(df1) - cairn_log(df2), df1 / 2, df2 / 2);
    return cairn_beta_tail(r * y, y, df1 / 2, df2 / 2, df1 / 2 * (1 - x) * y);
}

double cairn_f_density(double x, double df1, double df2)
{
    if (isnan(x) || !is_f(df1, df2)) return NAN;
    if (x < 0 || isinf(x)) return 0;
    if (is_endless(df2)) return df1 * cairn_chi2_density(df1 * x, df1);
    if (x == 0) return density_at_end(df1 / 2, 1);
    if (is_endless(df1)) return cairn_chi2_density(df2 / x, df2) * df2 / (x * x);
    return density_from(f_cut_at(x, df1, df2), x);
}

static double f_side(double x, double df1, double df2, int side)
{
    if (isnan(x) || !is_f(df1, df2)) return NAN;
    if (x <= 0 || isinf(x)) return sure_side((side & UPPER) == (x <= 0), side);
    if (is_endless(df2)) return gamma_side(df1 * x, df1 / 2, 2, side);
    if (is_endless(df1)) return gamma_side(df2 / x, df2 / 2, 2, side ^ UPPER);
    return tail_side(f_cut_at(x, df1, df2), side);
}

double cairn_f_log_tail(double x, double df1, double df2, bool upper)
{
    return f_side(x, df1, df2, LOG | upper);
}

double cairn_f_lower(double x, double df1, double df2)
{
    return f_side(x, df1, df2, false);
}

double cairn_f_upper(double x, double df1, double df2)
{
    return f_side(x, df1, df2, true);
}

static double f_quantile(double p, bool upper, double df1, double df2)
{
    if (!is_probability(p) || !is_f(df1, df2)) return NAN;
    if (p == 0 || p == 1) return upper == (p == 0) ? INFINITY : 0;
    if (is_endless(df2)) return gamma_quantile(p, upper, df1 / 2, 2) / df1;
    if (is_endless(df1)) return df2 / gamma_quantile(p, !upper, df2 / 2, 2);
    double z = logit_beta_quantile(p, upper, df1 / 2, df2 / 2);
    return cairn_exp(z + cairn_log(df2 / df1));
}

double cairn_f_quantile(double p, double df1, double df2)
{
    return f_quantile(p, false, df1, df2);
}

double cairn_f_quantile_upper(double q, double df1, double df2)
{
    return f_quantile(q, true, df1, df2);
}

static bool is_binomial(double n, double p)
{
    return n >= 0 && isfinite(n) && n == floor(n) && is_probability(p);
}

double cairn_binomial_mass(double k, double n, double p)
{
    if (isnan(k) || !is_binomial(n, p)) return NAN;
    if (k < 0 || k > n || k != floor(k)) return 0;
    if (p == 0 || p == 1) return k == n * p;
    if (k == 0) return cairn_exp(n * cairn_log1p(-p));
    if (k == n) return cairn_exp(n * cairn_log(p));
    double excess = fma(-n, p, k), rest = n - k;
    double log_mass = cairn_stirling_error(n) - cairn_stirling_error(k) -
                      cairn_stirling_error(rest) - cairn_deviance(k, n * p, excess) -
                      cairn_deviance(rest, n * (1 - p), -excess);
    return cairn_exp(log_mass - log_sqrt_2pi - 0.5 * (cairn_log(k) + cairn_log1p(-k / n)));
}

/* P(X <= k) is the lower tail at 1 - p of the beta distribution with n - k and k + 1. */
static double binomial_side_of(double k, double n, double p, int side)
{
    bool upper = side & UPPER;
    if (isnan(k) || !is_binomial(n, p)) return NAN;
    k = floor(k);
    if (k < 0) return sure_side(upper, side);
    if (k >= n || p == 0) return sure_side(!upper, side);
    if (p == 1) return sure_side(upper, side);
    double excess = fma(n + 1, p, -(k + 1));
    return tail_side(cairn_beta_tail(1 - p, p, n - k, k + 1, excess), side);
}

static double binomial_side(double k, double n, double p, bool upper)
{
    return binomial_side_of(k, n, p, upper);
}

double cairn_binomial_log_tail(double k, double n, double p, bool upper)
{
    return binomial_side_of(k, n, p, LOG | upper);
}

double cairn_binomial_lower(double k, double n, double p)
{
    return binomial_side(k, n, p, false);
}

double cairn_binomial_upper(double k, double n, double p)
{
    return binomial_side(k, n, p, true);
}

/* The least k up to `most` (which may be infinite) that satisfies the quantile's condition, looked
 * for around a guess. Probabilities that are equal on paper may differ in their last digits, hence
 * the slack. */
static double least_count(double (*side)(double k, double a, double b, bool upper), double a,
                          double b, double probability, bool upper, double guess, double most)
{
    const double slack = 64 * DBL_EPSILON;
    double low = -1, high = most, step = 1;
    while (high - low > 1) {
        double k = guess > low && guess < high ? guess : floor(low + (high - low) / 2);
        if (!(k > low && k < high)) break; /* above 2^53 no number lies between neighbours */
        bool enough = upper ? side(k, a, b, true) <= probability * (1 + slack)
                            : side(k, a, b, false) >= probability * (1 - slack);
        if (enough)
            high = k;
        else
            low = k;
        guess = enough ? k - step : k + step;
        step *= 2;
    }
    return high;
}

/* Where a normal distribution of the same mean and variance has the quantile. */
static double guess_count(double probability, bool upper, double mean, double variance)
{
    double normal = cairn_normal_quantile(probability);
    return floor(mean + (upper ? -normal : normal) * sqrt(variance));
}

static double binomial_quantile(double probability, bool upper, double n, double p)
{
    if (!is_probability(probability) || !is_binomial(n, p)) return NAN;
    double guess = guess_count(probability, upper, n * p, n * p * (1 - p));
    return least_count(binomial_side, n, p, probability, upper, guess, n);
}

double cairn_binomial_quantile(double probability, double n, double p)
{
    return binomial_quantile(probability, false, n, p);
}

double cairn_binomial_quantile_upper(double probability, double n, double p)
{
    return binomial_quantile(probability, true, n, p);
}

/* Up to here every count near the mean is a double. */
static bool is_poisson(double rate)
{
    return rate >= 0 && rate <= 1e15;
}

/* The mass at k is the density at the rate of the gamma distribution with shape k + 1. */
double cairn_poisson_mass(double k, double rate)
{
    if (isnan(k) || !is_poisson(rate)) return NAN;
    if (k < 0 || isinf(k) || k != floor(k)) return 0;
    return cairn_gamma_density(rate, k + 1, 1);
}

static double poisson_side_of(double k, double rate, int side)
{
    if (isnan(k) || !is_poisson(rate)) return NAN;
    k = floor(k);
    if (k < 0 || isinf(k)) return sure_side((side & UPPER) == (k < 0), side);
    return gamma_side(rate, k + 1, 1, side ^ UPPER);
}

static double poisson_side(double k, double rate, double unused, bool upper)
{
    (void)unused;
    return poisson_side_of(k, rate, upper);
}

double cairn_poisson_log_tail(double k, double rate, bool upper)
{
    return poisson_side_of(k, rate, LOG | upper);
}

double cairn_poisson_lower(double k, double rate)
{
    return poisson_side(k, rate, 0, false);
}

double cairn_poisson_upper(double k, double rate)
{
    return poisson_side(k, rate, 0, true);
}

static double poisson_quantile(double probability, bool upper, double rate)
{
    if (!is_probability(probability) || !is_poisson(rate)) return NAN;
    if (rate == 0) return 0;
    if (probability == (upper ? 0 : 1)) return INFINITY;
    if (probability == (upper ? 1 : 0)) return 0;
    double guess = guess_count(probability, upper, rate, rate);
    return least_count(poisson_side, rate, 0, probability, upper, fmax(guess, 0), INFINITY);
}

double cairn_poisson_quantile(double probability, double rate)
{
    return poisson_quantile(probability, false, rate);
}

double cairn_poisson_quantile_upper(double probability, double rate)
{
    return poisson_quantile(probability, true, rate);
}

/* The tail is summed term by term from the wanted overlap on, each term from the one before; the
 * first one comes from logarithms of factorials. When the overlap is below the expected one, the
 * other tail is the shorter sum. */

static double log_factorial(uint64_t n)
{
    return cairn_lgamma((double)n + 1);
}

static double log_choose(uint64_t n, uint64_t k)
{
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

static double chance_of(uint64_t k, uint64_t a, uint64_t b, uint64_t total)
{
    return cairn_exp(log_choose(a, k) + log_choose(total - a, b - k) - log_choose(total, b));
}

double cairn_hypergeometric_upper(uint64_t common, uint64_t a, uint64_t b, uint64_t total)
{
    uint64_t most = a < b ? a : b, least = a + b > total ? a + b - total : 0;
    if (common <= least) return 1;
    if (common > most) return 0;
    double expected = (double)a * (double)b / (double)total, sum = 0, term;
    if ((double)common > expected) {
        term = chance_of(common, a, b, total);
        for (uint64_t k = common; k <= most && (sum == 0 || term > sum * 1e-17); k++) {
            sum += term;
            term *= (double)(a - k) * (double)(b - k) /
                    ((double)(k + 1) * (double)(total + k + 1 - a - b));
        }
        return fmin(sum, 1);
    }
    term = chance_of(common - 1, a, b, total);
    for (uint64_t k = common - 1;; k--) {
        sum += term;
        if (k == least || term <= sum * 1e-17) break;
        term *=
            (double)k * (double)(total + k - a - b) / ((double)(a - k + 1) * (double)(b - k + 1));
    }
    return fmax(0, 1 - sum);
}

double cairn_fisher_two_sided(uint64_t common, uint64_t a, uint64_t b, uint64_t total)
{
    enum { MOST_TABLES = 1000000 };
    uint64_t most = a < b ? a : b, least = a + b > total ? a + b - total : 0;
    double sum = 0, limit = chance_of(common, a, b, total) * (1 + 1e-7);
    if (most - least > MOST_TABLES) return NAN;
    for (uint64_t k = least; k <= most; k++) {
        double chance = chance_of(k, a, b, total);
        if (chance <= limit) sum += chance;
    }
    return fmin(sum, 1);
}
