/* SPDX-License-Identifier: MIT */
/* Summary statistics. The mean is corrected by the mean of the differences to it, the moments are
 * sums of powers of those differences: no sum of squares is taken from another. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "parallel/sort.h"
#include "stats/quantile.h"
#include "stats/summary.h"

#include <float.h>
#include <math.h>

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

/* The value of rank ceil(rank), and the one after it when `rank` is whole. */
static double value_at(const ranked *r, double rank, double *next)
{
    if (r->weights) {
        /* The value on whose stretch (rank - 1, rank] lies, and the next one that has weight
         * when `rank` is its very end; otherwise *next is the same value. */
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
    double whole = ceil(fmin(fmax(rank, 1), r->total));
    size_t i = (size_t)whole - 1;
    *next = whole == rank && i + 1 < r->n ? r->sorted[i + 1] : r->sorted[i];
    return r->sorted[i];
}

/* On the line between the ranks around the place. */
static double line_at(const ranked *r, double place)
{
    place = fmin(fmax(place, 1), r->total);
    if (r->weights) {
        /* The mean of the step function over (place - 1, place]. */
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

const cairn_choice cairn_divisors[] = {
    {"n-1", CAIRN_DIVISOR_N_1, "of a sample: unbiased"},
    {"n", CAIRN_DIVISOR_N, "of the rows themselves"},
    {NULL, 0, NULL},
};

static bool in_part(cairn_part part, size_t i)
{
    return !part.codes || part.codes[i] == part.group;
}

/* Sorted values with their weights; rows of weight 0 are no part of the sample. `size` is at least
 * the number of rows, for weights that sum to less. */
static cairn_status weighted_sample(cairn_context *ctx, cairn_sample *out, const double *values,
                                    const double *weights, size_t n, cairn_part part)
{
    uint64_t *order;
    uint32_t *rows;
    double *kept;
    size_t m = 0;
    CHECK(SCRATCH_RAW_EACH(ctx, n, &out->values, &out->weights));
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    CHECK(SCRATCH_RAW_EACH(ctx, n, &order, &rows, &kept));
    for (size_t i = 0; i < n; i++) {
        if (!in_part(part, i) || isnan(values[i]) || !(weights[i] > 0)) continue;
        kept[m] = values[i];
        rows[m++] = (uint32_t)i;
    }
    CHECK(cairn_sort_order(ctx, order, kept, m));
    for (size_t i = 0; i < m; i++) {
        out->values[i] = kept[order[i]];
        out->weights[i] = weights[rows[order[i]]];
    }
    out->n = m;
    out->total = cairn_sum(out->weights, m);
    out->size = fmax(out->total, (double)m);
    cairn_scratch_release(ctx, mark);
    return CAIRN_OK;
}

cairn_status cairn_sample_make(cairn_context *ctx, cairn_sample *out, const double *values,
                               const double *weights, size_t n, cairn_part part)
{
    size_t m = 0;
    *out = (cairn_sample){0};
    if (weights) return weighted_sample(ctx, out, values, weights, n, part);
    CHECK(SCRATCH_RAW(ctx, &out->values, n));
    for (size_t i = 0; i < n; i++)
        if (in_part(part, i) && !isnan(values[i])) out->values[m++] = values[i];
    out->n = m;
    out->total = out->size = (double)m;
    return cairn_sort_numbers(ctx, out->values, m);
}

double cairn_sample_quantile(const cairn_sample *sample, double p, cairn_quantile_rule rule)
{
    return cairn_weighted_quantile(sample->values, sample->weights, sample->n, p, rule);
}

size_t cairn_sample_place(const cairn_sample *sample, double x, bool or_equal)
{
    size_t low = 0, high = sample->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        double value = sample->values[middle];
        if (value < x || (or_equal && value == x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double share_of_first(const cairn_sample *sample, size_t n)
{
    if (!sample->n) return NAN;
    if (!sample->weights) return (double)n / (double)sample->n;
    return n == sample->n ? 1 : cairn_sum(sample->weights, n) / sample->total;
}

double cairn_sample_share(const cairn_sample *sample, double x)
{
    return isnan(x) ? NAN : share_of_first(sample, cairn_sample_place(sample, x, true));
}

double cairn_sample_share_below(const cairn_sample *sample, double x)
{
    return isnan(x) ? NAN : share_of_first(sample, cairn_sample_place(sample, x, false));
}

static double run_weight(const cairn_sample *sample, size_t begin, size_t *end)
{
    double weight = 0;
    size_t i = begin;
    for (; i < sample->n && sample->values[i] == sample->values[begin]; i++)
        weight += sample->weights ? sample->weights[i] : 1;
    *end = i;
    return weight;
}

size_t cairn_sample_modes(const cairn_sample *sample, double *out, size_t buffer, double *weight)
{
    double best = 0;
    size_t n = 0;
    for (size_t i = 0, end; i < sample->n; i = end) {
        double here = run_weight(sample, i, &end);
        bool same = fabs(here - best) <= 1e-12 * best;
        if (here <= best && !same) continue;
        if (!same) {
            best = here;
            n = 0;
        }
        if (n < buffer) out[n] = sample->values[i];
        n++;
    }
    if (weight) *weight = best;
    return n;
}

/* Sums of w d, w d^2, w d^3, w d^4 for d = x - centre. */
static void power_sums(double sums[4], const cairn_sample *sample, double centre)
{
    enum { BLOCK = 4096 };
    for (int k = 0; k < 4; k++) sums[k] = 0;
    for (size_t begin = 0; begin < sample->n; begin += BLOCK) {
        size_t end = begin + BLOCK < sample->n ? begin + BLOCK : sample->n;
        double part[4] = {0};
        for (size_t i = begin; i < end; i++) {
            double d = sample->values[i] - centre, w = sample->weights ? sample->weights[i] : 1;
            part[0] += w * d;
            part[1] += w * d * d;
            part[2] += w * (d * d) * d;
            part[3] += w * (d * d) * (d * d);
        }
        for (int k = 0; k < 4; k++) sums[k] += part[k];
    }
}

/* Mean and central moments. A spread of nothing but rounding counts as none. */
static void set_moments(cairn_summary *out, const cairn_sample *sample, cairn_divisor divisor)
{
    double sums[4], total = sample->total;
    out->sum = sample->weights ? cairn_dot(sample->values, sample->weights, sample->n)
                               : cairn_sum(sample->values, sample->n);
    out->mean = out->sum / total;
    power_sums(sums, sample, out->mean);
    double shift = sums[0] / total;
    if (isfinite(shift)) {
        out->mean += shift;
        out->mean = fmin(fmax(out->mean, out->min), out->max);
    }
    if (out->min == out->max) {
        out->mean = out->min;
        out->variance = sample->size > 1 || divisor == CAIRN_DIVISOR_N ? 0 : NAN;
        out->m2 = out->m3 = out->m4 = 0;
        return;
    }
    power_sums(sums, sample, out->mean);
    /* the mean is rounded: what the powers owe to its last bit comes off */
    double d = sums[0] / total, s2 = sums[1] / total, s3 = sums[2] / total, s4 = sums[3] / total;
    if (!isfinite(d)) d = 0;
    out->m2 = s2 - d * d;
    out->m3 = s3 - 3 * d * s2 + 2 * d * d * d;
    out->m4 = s4 - 4 * d * s3 + 6 * d * d * s2 - 3 * d * d * d * d;
    out->variance = divisor == CAIRN_DIVISOR_N ? out->m2 : out->m2 * out->n / (out->n - 1);
    out->skewness = out->m3 / (out->m2 * sqrt(out->m2));
    out->kurtosis = out->m4 / (out->m2 * out->m2);
}

/* Distinct values, modes and whether all are whole, in one walk. */
static void set_runs(cairn_summary *out, const cairn_sample *sample)
{
    size_t n = 0;
    out->whole = true;
    for (size_t i = 0, end; i < sample->n; i = end) {
        double value = sample->values[i], here = run_weight(sample, i, &end);
        out->n_distinct++;
        out->whole &= value == floor(value);
        bool same = fabs(here - out->mode_weight) <= 1e-12 * out->mode_weight;
        if (here <= out->mode_weight && !same) continue;
        if (!same) {
            out->mode_weight = here;
            n = 0;
        }
        if (n < CAIRN_SUMMARY_MODES) out->modes[n] = value;
        n++;
    }
    for (size_t k = n; k < CAIRN_SUMMARY_MODES; k++) out->modes[k] = NAN;
    out->n_modes = (double)n;
}

void cairn_summarise(cairn_summary *out, const cairn_sample *sample, cairn_divisor divisor,
                     cairn_quantile_rule rule)
{
    *out = (cairn_summary){.mean = NAN,
                           .min = NAN,
                           .max = NAN,
                           .range = NAN,
                           .midrange = NAN,
                           .median = NAN,
                           .q1 = NAN,
                           .q3 = NAN,
                           .iqr = NAN,
                           .variance = NAN,
                           .sd = NAN,
                           .m2 = NAN,
                           .m3 = NAN,
                           .m4 = NAN,
                           .skewness = NAN,
                           .kurtosis = NAN,
                           .excess = NAN,
                           .modes = {NAN, NAN, NAN}};
    if (!sample->n) return;
    out->n = sample->size;
    out->min = sample->values[0];
    out->max = sample->values[sample->n - 1];
    out->range = out->max - out->min;
    out->midrange = out->min / 2 + out->max / 2;
    out->q1 = cairn_sample_quantile(sample, 0.25, rule);
    out->median = cairn_sample_quantile(sample, 0.5, rule);
    out->q3 = cairn_sample_quantile(sample, 0.75, rule);
    out->iqr = out->q3 - out->q1;
    set_moments(out, sample, divisor);
    out->sd = sqrt(out->variance);
    out->excess = out->kurtosis - 3;
    set_runs(out, sample);
}
