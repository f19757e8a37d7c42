/* SPDX-License-Identifier: MIT */
/* Quantiles of sorted numbers. Every rule is a place among the ranks 1 .. n, a real number, and a
 * way to read the values at a place that is not whole:
 *
 *     place = n p + shift + slope p      (kept within 1 .. n)
 *
 * where the line rules read between the two ranks around it, and the others round it.
 *
 * Weighted, the values become a step function: value i stands on a stretch as long as its weight.
 * Reading at a place is the mean of the step function over a stretch of length 1 that ends there,
 * which for whole weights is the same line between two ranks.
 *
 * Source: Hyndman and Fan, Sample Quantiles in Statistical Packages, 1996, whose nine definitions
 * these are, with three that round the seventh. */
#include "stats/quantile.h"

#include <float.h>
#include <math.h>

const cairn_choice cairn_quantile_rules[] = {
    {"linear", CAIRN_QUANTILE_LINEAR, "on the line through (i/(n-1), x[i]), i = 0 .. n-1"},
    {"inverse", CAIRN_QUANTILE_INVERSE, "the least x with P(X <= x) >= p"},
    {"averaged", CAIRN_QUANTILE_AVERAGED, "the same, between two values where P(X <= x) = p"},
    {"nearest", CAIRN_QUANTILE_NEAREST, "the value of rank n p rounded, halves to even"},
    {"hazen", CAIRN_QUANTILE_HAZEN, "on the line through ((i+1/2)/n, x[i])"},
    {"weibull", CAIRN_QUANTILE_WEIBULL, "on the line through ((i+1)/(n+1), x[i])"},
    {"median-unbiased", CAIRN_QUANTILE_MEDIAN_UNBIASED,
     "on the line through ((i+2/3)/(n+1/3), x[i])"},
    {"lower", CAIRN_QUANTILE_LOWER, "the value at or below the linear place"},
    {"higher", CAIRN_QUANTILE_HIGHER, "the value at or above the linear place"},
    {"midpoint", CAIRN_QUANTILE_MIDPOINT, "the mean of lower and higher"},
    {"interpolated", CAIRN_QUANTILE_INTERPOLATED, "on the line through ((i+1)/n, x[i])"},
    {"normal-unbiased", CAIRN_QUANTILE_NORMAL_UNBIASED,
     "on the line through ((i+5/8)/(n+1/4), x[i])"},
    {NULL, 0, NULL},
};

const char *cairn_quantile_rule_name(cairn_quantile_rule rule)
{
    for (size_t i = 0; cairn_quantile_rules[i].name; i++)
        if (cairn_quantile_rules[i].value == (int)rule) return cairn_quantile_rules[i].name;
    return "";
}

/* The place of p among ranks 1 .. n (n real when there are weights), not yet kept within them. */
static double place_of(double n, double p, cairn_quantile_rule rule)
{
    switch (rule) {
    case CAIRN_QUANTILE_INVERSE:
    case CAIRN_QUANTILE_AVERAGED:
    case CAIRN_QUANTILE_NEAREST:
    case CAIRN_QUANTILE_INTERPOLATED: return n * p;
    case CAIRN_QUANTILE_HAZEN: return n * p + 0.5;
    case CAIRN_QUANTILE_WEIBULL: return (n + 1) * p;
    case CAIRN_QUANTILE_MEDIAN_UNBIASED: return (n + 1.0 / 3) * p + 1.0 / 3;
    case CAIRN_QUANTILE_NORMAL_UNBIASED: return (n + 0.25) * p + 0.375;
    case CAIRN_QUANTILE_LINEAR:
    case CAIRN_QUANTILE_LOWER:
    case CAIRN_QUANTILE_HIGHER:
    case CAIRN_QUANTILE_MIDPOINT: break;
    }
    return (n - 1) * p + 1;
}

/* A place that is whole but for the rounding of p and of the product becomes whole. */
static double snap(double place)
{
    double whole = nearbyint(place);
    return fabs(place - whole) <= 8 * DBL_EPSILON * (fabs(place) + 1) ? whole : place;
}

static double between(double low, double high, double share)
{
    if (low == high || share <= 0) return low;
    if (share >= 1) return high;
    bool too_far = isfinite(low) && isfinite(high) && isinf(high - low);
    return too_far ? (1 - share) * low + share * high : low + share * (high - low);
}

/* Values at ranks 1 .. n, plain or weighted. */
typedef struct ranked {
    const double *sorted, *weights;
    size_t n;
    double total; /* number of ranks: n, or the sum of weights over `unit` */
    double unit;  /* weight that makes one rank */
} ranked;

/* The value on whose stretch (rank - 1, rank] lies, and the next one that has weight when `rank` is
 * its very end; otherwise *next is the same value. */
static double weighted_at(const ranked *r, double rank, double *next)
{
    double end = 0, found = NAN;
    bool at_end = false;
    for (size_t i = 0; i < r->n; i++) {
        if (!(r->weights[i] > 0)) continue;
        if (at_end) return *next = r->sorted[i], found;
        end += r->weights[i] / r->unit;
        *next = found = r->sorted[i];
        double gap = 8 * DBL_EPSILON * (double)r->n * (fabs(rank) + 1);
        if (end < rank - gap) continue;
        if (end > rank + gap) return found;
        at_end = true;
    }
    return found;
}

/* The value of rank ceil(rank), and the one after it when `rank` is whole. */
static double value_at(const ranked *r, double rank, double *next)
{
    if (r->weights) return weighted_at(r, rank, next);
    double whole = ceil(fmin(fmax(rank, 1), r->total));
    size_t i = (size_t)whole - 1;
    *next = whole == rank && i + 1 < r->n ? r->sorted[i + 1] : r->sorted[i];
    return r->sorted[i];
}

/* The mean of the step function over (place - 1, place]. */
static double weighted_line(const ranked *r, double place)
{
    double from = place - 1, end = 0, sum = 0, covered = 0, last = NAN;
    for (size_t i = 0; i < r->n && end < place; i++) {
        if (!(r->weights[i] > 0)) continue;
        double start = end;
        end += r->weights[i] / r->unit;
        double part = fmin(end, place) - fmax(start, from);
        if (part <= 8 * DBL_EPSILON * (place + 1)) continue;
        if (covered == 0) last = r->sorted[i];
        sum += part * (r->sorted[i] - last);
        covered += part;
    }
    return covered > 0 && sum != 0 ? last + sum / covered : last;
}

/* On the line between the ranks around the place. */
static double line_at(const ranked *r, double place)
{
    place = fmin(fmax(place, 1), r->total);
    if (r->weights) return weighted_line(r, place);
    size_t below = (size_t)place - 1;
    if (below + 1 >= r->n) return r->sorted[r->n - 1];
    return between(r->sorted[below], r->sorted[below + 1], place - (double)(below + 1));
}

/* Rules that take a value of the sample or a midpoint are told apart here; all others interpolate
 * on a line and differ in the place alone. */
static double read_at(const ranked *r, double place, cairn_quantile_rule rule)
{
    double next = NAN, low;
    switch (rule) {
    case CAIRN_QUANTILE_INVERSE: return value_at(r, place, &next);
    case CAIRN_QUANTILE_AVERAGED:
        low = value_at(r, place, &next);
        return place < DBL_EPSILON ? low : between(low, next, 0.5);
    case CAIRN_QUANTILE_NEAREST: return value_at(r, fmax(nearbyint(place), 1), &next);
    case CAIRN_QUANTILE_LOWER: return value_at(r, floor(place), &next);
    case CAIRN_QUANTILE_HIGHER: return value_at(r, ceil(place), &next);
    case CAIRN_QUANTILE_MIDPOINT:
        low = value_at(r, floor(place), &next);
        return between(low, value_at(r, ceil(place), &next), 0.5);
    case CAIRN_QUANTILE_LINEAR:
    case CAIRN_QUANTILE_HAZEN:
    case CAIRN_QUANTILE_WEIBULL:
    case CAIRN_QUANTILE_MEDIAN_UNBIASED:
    case CAIRN_QUANTILE_INTERPOLATED:
    case CAIRN_QUANTILE_NORMAL_UNBIASED: break;
    }
    return line_at(r, place);
}

double cairn_weighted_quantile(const double *sorted, const double *weights, size_t n, double p,
                               cairn_quantile_rule rule)
{
    ranked r = {sorted, weights, n, (double)n, 1};
    if (!(p >= 0 && p <= 1)) return NAN;
    if (weights) {
        double sum = 0, count = 0;
        for (size_t i = 0; i < n; i++) {
            sum += weights[i] > 0 ? weights[i] : 0;
            count += weights[i] > 0;
        }
        if (!(sum > 0) || isinf(sum)) return NAN;
        r.unit = fmin(1, sum / count);
        r.total = snap(sum / r.unit);
    }
    if (n == 0) return NAN;
    return read_at(&r, snap(place_of(r.total, p, rule)), rule);
}

double cairn_quantile(const double *sorted, size_t n, double p, cairn_quantile_rule rule)
{
    return cairn_weighted_quantile(sorted, NULL, n, p, rule);
}
