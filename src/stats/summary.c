/* SPDX-License-Identifier: MIT */
/* Summary statistics. The mean is corrected by the mean of the differences to it, the moments are
 * sums of powers of those differences: no sum of squares is taken from another. */
#include "stats/summary.h"

#include "base/memory.h"
#include "kernels/kernels.h"
#include "parallel/sort.h"

#include <math.h>

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
    CHECK(SCRATCH_RAW(ctx, &out->values, n));
    CHECK(SCRATCH_RAW(ctx, &out->weights, n));
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    CHECK(SCRATCH_RAW(ctx, &order, n));
    CHECK(SCRATCH_RAW(ctx, &rows, n));
    CHECK(SCRATCH_RAW(ctx, &kept, n));
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

size_t cairn_sample_modes(const cairn_sample *sample, double *out, size_t room, double *weight)
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
        if (n < room) out[n] = sample->values[i];
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
