/* SPDX-License-Identifier: MIT */
/* Frequency tables and peaks. */
#include "stats/frequency.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

enum { MOST_BINS = 100000 };

const cairn_choice cairn_closed_sides[] = {
    {"left", 0, "[a,b): an edge belongs to the bin on its right"},
    {"right", 1, "(a,b]: an edge belongs to the bin on its left"},
    {NULL, 0, NULL},
};

const cairn_choice cairn_bin_rules[] = {
    {"sturges", CAIRN_BINS_STURGES, "log2 n, rounded up, and one"},
    {"scott", CAIRN_BINS_SCOTT, "width 3.49 sd / n^(1/3)"},
    {"freedman", CAIRN_BINS_FREEDMAN, "width 2 IQR / n^(1/3)"},
    {"sqrt", CAIRN_BINS_SQRT, "the square root of n, rounded up"},
    {"rice", CAIRN_BINS_RICE, "2 n^(1/3), rounded up"},
    {NULL, 0, NULL},
};

const cairn_param cairn_bin_params[] = {
    CAIRN_PARAM_AS(cairn_bin_options, cuts, CAIRN_TYPE_LIST, NULL,
                   "edges of the bins, ascending, such as 0,10,20,50"),
    CAIRN_PARAM(cairn_bin_options, bin_width, "0", "[0,inf)",
                "width of the bins; 0 = by their number", .when = "!cuts", .was = "width"),
    CAIRN_PARAM(cairn_bin_options, start, NULL, NULL,
                "an edge of the bins; a multiple of the width if not given", .when = "bin_width"),
    CAIRN_PARAM(cairn_bin_options, bins, "0", "[0,100000]",
                "number of bins from the least to the largest value; 0 = by the rule",
                .when = "!cuts,!bin_width"),
    CAIRN_PARAM_CHOICE(cairn_bin_options, bin_rule, "sturges", cairn_bin_rules,
                       "how the number of bins is found", .when = "!cuts,!bin_width,!bins"),
    CAIRN_PARAM_CHOICE(cairn_bin_options, closed, "left", cairn_closed_sides,
                       "which end belongs to a bin"),
    CAIRN_PARAM_END,
};

/* Least and largest finite value; false when there is none. */
static bool finite_range(const cairn_sample *sample, double *low, double *high)
{
    size_t first = cairn_sample_place(sample, -INFINITY, true);
    size_t end = cairn_sample_place(sample, INFINITY, false);
    if (first >= end) return false;
    *low = sample->values[first];
    *high = sample->values[end - 1];
    return true;
}

cairn_status cairn_bins_equal(cairn_context *ctx, cairn_bins *out, double low, double high,
                              size_t n)
{
    CHECK(SCRATCH(ctx, &out->edges, n + 1));
    out->n = n;
    for (size_t i = 0; i <= n; i++) {
        double share = (double)i / (double)n;
        out->edges[i] = low * (1 - share) + high * share;
    }
    out->edges[0] = low;
    out->edges[n] = high;
    return CAIRN_OK;
}

static cairn_status bins_of_cuts(cairn_context *ctx, cairn_bins *out, const char *cuts)
{
    size_t n;
    CHECK(cairn_list_numbers(ctx, "cuts", cuts, &out->edges, &n));
    if (n < 2) return cairn_fail(ctx, CAIRN_USAGE, "{cuts} needs two edges or more");
    for (size_t i = 0; i < n; i++) {
        if (isnan(out->edges[i]))
            return cairn_fail(ctx, CAIRN_USAGE, "{cuts}: edge %zu is not a number", i + 1);
        if (i && out->edges[i] <= out->edges[i - 1])
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{cuts} must ascend, but edge %zu does not lie above edge %zu", i + 1,
                              i);
    }
    out->n = n - 1;
    return CAIRN_OK;
}

/* From the last start at or below the least value until the largest has a bin. */
static cairn_status bins_of_width(cairn_context *ctx, cairn_bins *out, double low, double high,
                                  double width, double start)
{
    double from =
        isnan(start) ? floor(low / width) * width : start + floor((low - start) / width) * width;
    if (out->closed_right && from == low && isnan(start)) from -= width;
    double n = floor((high - from) / width + 1e-9) + 1;
    if (out->closed_right) n = ceil((high - from) / width - 1e-9);
    if (n < 1) n = 1;
    if (!isfinite(from) || !(n <= MOST_BINS)) {
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "that would be more than %d bins; give a larger {bin-width}", MOST_BINS);
    }
    CHECK(SCRATCH(ctx, &out->edges, (size_t)n + 1));
    out->n = (size_t)n;
    double first = nearbyint((isnan(start) ? from : from - start) / width);
    for (size_t i = 0; i <= out->n; i++)
        out->edges[i] = (isnan(start) ? 0 : start) + (first + (double)i) * width;
    return CAIRN_OK;
}

static double count_by_rule(int rule, const cairn_sample *sample, double low, double high)
{
    double n = fmax(sample->size, 1), width = 0;
    cairn_summary s;
    if (rule == CAIRN_BINS_SQRT) return ceil(sqrt(n));
    if (rule == CAIRN_BINS_RICE) return ceil(2 * cairn_cbrt(n) - 1e-9);
    if (rule == CAIRN_BINS_SCOTT || rule == CAIRN_BINS_FREEDMAN) {
        cairn_summarise(&s, sample, CAIRN_DIVISOR_N_1, CAIRN_QUANTILE_LINEAR);
        width = (rule == CAIRN_BINS_SCOTT ? 3.49 * s.sd : 2 * s.iqr) / cairn_cbrt(n);
    }
    if (width > 0 && isfinite(width)) return fmin(ceil((high - low) / width), 1000);
    return ceil(cairn_log2(n) - 1e-9) + 1;
}

cairn_status cairn_bins_make(cairn_context *ctx, cairn_bins *out, const cairn_bin_options *options,
                             const cairn_sample *sample)
{
    double low, high;
    *out = (cairn_bins){.closed_right = options->closed == 1};
    if (options->cuts) return bins_of_cuts(ctx, out, options->cuts);
    if (!finite_range(sample, &low, &high))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "there are no finite values to count");
    if (options->bin_width > 0) {
        double start = NAN;
        if (options->start &&
            (!cairn_number_parse(options->start, strlen(options->start), &start) ||
             !isfinite(start)))
            return cairn_fail(ctx, CAIRN_USAGE, "{start} must be a number, not '%s'",
                              options->start);
        return bins_of_width(ctx, out, low, high, options->bin_width, start);
    }
    double n =
        options->bins > 0 ? options->bins : count_by_rule(options->bin_rule, sample, low, high);
    if (low == high) {
        double reach = fmax(fabs(low) / 2, 0.5);
        low -= reach;
        high += reach;
    }
    return cairn_bins_equal(ctx, out, low, high, (size_t)fmax(n, 1));
}

/* Whether all finite values are whole, and there is more than one. */
static bool all_whole(const cairn_sample *sample, double low, double high)
{
    if (!(high > low) || fabs(low) > 1e15 || fabs(high) > 1e15) return false;
    for (size_t i = 0; i < sample->n; i++)
        if (isfinite(sample->values[i]) && sample->values[i] != floor(sample->values[i]))
            return false;
    return true;
}

cairn_status cairn_bins_show(cairn_context *ctx, cairn_bins *out, const cairn_bin_options *options,
                             const cairn_sample *sample)
{
    double low, high;
    if (options->cuts || options->bin_width > 0 || options->bins > 0 ||
        !finite_range(sample, &low, &high) || !all_whole(sample, low, high))
        return cairn_bins_make(ctx, out, options, sample);
    double n = count_by_rule(options->bin_rule, sample, low, high);
    double width = fmax(1, round((high - low + 1) / n)), count = ceil((high - low + 1) / width);
    *out = (cairn_bins){.closed_right = options->closed == 1};
    return cairn_bins_equal(ctx, out, low - 0.5, low - 0.5 + width * count, (size_t)count);
}

ptrdiff_t cairn_bins_find(const cairn_bins *bins, double x)
{
    const double *edges = bins->edges;
    size_t low = 0, high = bins->n;
    if (!(x >= edges[0] && x <= edges[bins->n])) return -1;
    while (low + 1 < high) { /* the bin is among low .. high-1 */
        size_t middle = low + (high - low) / 2;
        if (x > edges[middle] || (x == edges[middle] && !bins->closed_right))
            low = middle;
        else
            high = middle;
    }
    return (ptrdiff_t)low;
}

double cairn_bins_count(double *counts, const cairn_bins *bins, const cairn_sample *sample)
{
    double outside = 0;
    for (size_t b = 0; b < bins->n; b++) counts[b] = 0;
    for (size_t i = 0; i < sample->n; i++) {
        double weight = sample->weights ? sample->weights[i] : 1;
        ptrdiff_t bin = cairn_bins_find(bins, sample->values[i]);
        if (bin >= 0)
            counts[bin] += weight;
        else
            outside += weight;
    }
    return outside;
}

/* The lowest stretch between two peaks; the first when there are several. */
static cairn_peak valley_between(const double *heights, size_t after, size_t before)
{
    size_t lowest = after + 1, last;
    for (size_t i = after + 1; i < before; i++)
        if (heights[i] < heights[lowest]) lowest = i;
    for (last = lowest; last + 1 < before && heights[last + 1] == heights[lowest];) last++;
    return (cairn_peak){lowest, last, heights[lowest]};
}

/* Of two neighbouring peaks with too shallow a valley between them the lower goes, the least
 * prominent first. */
static size_t drop_shallow(cairn_peak *peaks, cairn_peak *valleys, size_t n, double prominence)
{
    for (; n > 1; n--) {
        size_t worst = 0;
        double least = INFINITY;
        for (size_t i = 0; i + 1 < n; i++) {
            double rise = fmin(peaks[i].height, peaks[i + 1].height) - valleys[i].height;
            if (rise < least) {
                least = rise;
                worst = i;
            }
        }
        if (least > prominence) break;
        /* Take out peak `gone` of n; the valleys on its sides become one, the deeper of them. */
        size_t gone = peaks[worst].height < peaks[worst + 1].height ? worst : worst + 1;
        size_t merged = gone > 0 ? gone - 1 : 0;
        if (gone > 0 && gone + 1 < n && valleys[gone].height >= valleys[gone - 1].height)
            merged = gone;
        for (size_t i = gone; i + 1 < n; i++) peaks[i] = peaks[i + 1];
        for (size_t i = merged; i + 2 < n; i++) valleys[i] = valleys[i + 1];
    }
    return n;
}

size_t cairn_find_peaks(cairn_peak *peaks, cairn_peak *valleys, const double *heights, size_t n,
                        double prominence)
{
    /* Every level stretch that is higher than its neighbours. */
    size_t found = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && heights[end] == heights[i];) end++;
        bool rises = i == 0 ? heights[i] > 0 : heights[i - 1] < heights[i];
        bool falls = end == n ? heights[i] > 0 : heights[end] < heights[i];
        if (rises && falls) peaks[found++] = (cairn_peak){i, end - 1, heights[i]};
    }
    for (size_t i = 0; i + 1 < found; i++)
        valleys[i] = valley_between(heights, peaks[i].last, peaks[i + 1].first);
    return prominence > 0 ? drop_shallow(peaks, valleys, found, prominence) : found;
}

const char *cairn_modality_name(size_t n_peaks)
{
    static const char *const names[] = {"no peak", "unimodal", "bimodal"};
    return n_peaks < 3 ? names[n_peaks] : "multimodal";
}
