/* SPDX-License-Identifier: MIT */
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
#include "stats/distributions.h"
#include "stats/special.h"
#include "base/functions.h"

#include <math.h>
#include <stdbool.h>

typedef enum { RANGE_LOWER, RANGE_UPPER, RANGE_DENSITY } range_part;

static const double log_root_2pi = 0.91893853320467274178;

/* -- the range of k normals -- */

/* Phi(z) - Phi(z-r) by Gauss and Legendre for a small r, where a difference would lose digits. */
static double narrow_mass(double z, double r)
{
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

static double mass_between(double z, double r)
{
    if (r < 1) return narrow_mass(z, r);
    if (z <= 0) return cairn_normal_lower(z) - cairn_normal_lower(z - r);
    if (z - r >= 0) return cairn_normal_upper(z - r) - cairn_normal_upper(z);
    return 1 - (cairn_normal_upper(z) + cairn_normal_lower(z - r));
}

static double range_integrand(range_part part, double z, double r, double m)
{
    double phi = cairn_normal_density(z);
    if (part == RANGE_LOWER) return phi * cairn_pow(mass_between(z, r), m);
    if (part == RANGE_DENSITY)
        return m * phi * cairn_normal_density(z - r) * cairn_pow(mass_between(z, r), m - 1);
    double below = cairn_normal_lower(z), out = cairn_normal_lower(z - r);
    if (below == 0) return 0;
    double share = out / below;
    double kept = share < 1 ? -cairn_expm1(m * cairn_log1p(-share)) : 1;
    return phi * cairn_pow(below, m) * kept;
}

/* From 10 below 0 to 10 above r/2 (where the tail's integrand peaks) or above 0. */
static double range_part_of(range_part part, double r, double k)
{
    double step = fmin(0.25, 0.5 / sqrt(k)), sum = 0;
    /* beyond 100 the normal density is 0 */
    double high = part == RANGE_LOWER ? 10 + fmin(r, 20) : 10 + fmin(r, 200) / 2;
    for (double z = -10; z <= high; z += step) sum += range_integrand(part, z, r, k - 1);
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

/* Where the integrand is largest, to within a step: it has one peak. The search starts where a
 * range far out still has a chance that is not 0. */
static double find_peak(const studentized *q, double step, double *height)
{
    double at = q->part != RANGE_LOWER && q->x > 30 ? cairn_log(30 / q->x) : 0, direction = 1;
    *height = deviation_integrand(q, at);
    for (double stride = 16 * step; stride >= step; stride /= 4)
        for (int turns = 0; turns < 2; direction = -direction, turns++)
            for (;;) {
                double next = deviation_integrand(q, at + direction * stride);
                if (!(next > *height)) break;
                *height = next;
                at += direction * stride;
            }
    return at;
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

static double averaged(range_part part, double x, double k, double df)
{
    if (df >= 1e12) return range_part_of(part, x, k); /* s differs from 1 by less than rounding */
    double half = df / 2, height;
    studentized q = {part, x, k, df,
                     cairn_log(2.0) + cairn_log(half) / 2 - log_root_2pi -
                         cairn_stirling_error(half)};
    double step = fmin(0.09, 0.6 / sqrt(2 * (df + k)));
    double peak = find_peak(&q, step, &height);
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

double cairn_studentized_lower(double x, double groups, double df)
{
    if (!is_valid(groups, df) || isnan(x)) return NAN;
    if (!(x > 0)) return 0;
    double lower = isfinite(x) ? averaged(RANGE_LOWER, x, groups, df) : 1;
    return lower < 0.75 ? lower : 1 - cairn_studentized_upper(x, groups, df);
}

double cairn_studentized_upper(double x, double groups, double df)
{
    if (!is_valid(groups, df) || isnan(x)) return NAN;
    if (!(x > 0)) return 1;
    double upper = isfinite(x) ? averaged(RANGE_UPPER, x, groups, df) : 0;
    return upper < 0.75 ? upper : 1 - averaged(RANGE_LOWER, x, groups, df);
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
