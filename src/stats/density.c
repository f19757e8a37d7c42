/* SPDX-License-Identifier: MIT */
/* Kernel densities: f(x) = 1 / (W h) sum w k((x - x_i) / h). The values are sorted, so each point
 * visits only those that its kernel reaches. */
#include "stats/density.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "stats/distributions.h"

#include <math.h>

enum { MOST_DIRECT = 20000, PLACES_PER_BANDWIDTH = 64, MOST_PLACES = 1 << 16 };

const cairn_choice cairn_density_kernels[] = {
    {"normal", CAIRN_DENSITY_NORMAL, "the normal density"},
    {"epanechnikov", CAIRN_DENSITY_EPANECHNIKOV, "a parabola"},
    {"triangular", CAIRN_DENSITY_TRIANGULAR, "a triangle"},
    {"uniform", CAIRN_DENSITY_UNIFORM, "a box"},
    {NULL, 0, NULL},
};

const cairn_choice cairn_bandwidth_rules[] = {
    {"silverman", CAIRN_BANDWIDTH_SILVERMAN, "0.9 min(sd, IQR/1.349) n^(-1/5)"},
    {"normal", CAIRN_BANDWIDTH_NORMAL, "sd (4/(3n))^(1/5), the best for a normal"},
    {"scott", CAIRN_BANDWIDTH_SCOTT, "sd n^(-1/5)"},
    {NULL, 0, NULL},
};

const cairn_param cairn_density_params[] = {
    CAIRN_PARAM_CHOICE(cairn_density_options, kernel, "normal", cairn_density_kernels,
                       "shape of the kernel, scaled to the variance 1"),
    CAIRN_PARAM(cairn_density_options, bandwidth, "0", "[0,inf)",
                "standard deviation of the kernel; 0 = by the rule"),
    CAIRN_PARAM_CHOICE(cairn_density_options, bandwidth_rule, "silverman", cairn_bandwidth_rules,
                       "how the bandwidth is found", .when = "!bandwidth"),
    CAIRN_PARAM_END,
};

double cairn_bandwidth(const cairn_sample *sample, const cairn_density_options *options)
{
    cairn_summary s;
    if (!sample->n) return NAN;
    if (options->bandwidth > 0) return options->bandwidth;
    cairn_summarise(&s, sample, CAIRN_DIVISOR_N_1, CAIRN_QUANTILE_LINEAR);
    double spread = s.sd, width;
    if (options->bandwidth_rule == CAIRN_BANDWIDTH_SILVERMAN && s.iqr > 0)
        spread = fmin(spread, s.iqr / 1.349);
    if (options->bandwidth_rule == CAIRN_BANDWIDTH_NORMAL)
        width = spread * cairn_pow(4 / (3 * s.n), 0.2);
    else if (options->bandwidth_rule == CAIRN_BANDWIDTH_SCOTT)
        width = spread * cairn_pow(s.n, -0.2);
    else
        width = 0.9 * spread * cairn_pow(s.n, -0.2);
    return width > 0 && isfinite(width) ? width : NAN;
}

cairn_status cairn_bandwidth_get(cairn_context *ctx, double *out, const cairn_sample *sample,
                                 const cairn_density_options *options, const char *name)
{
    char value[CAIRN_NUMBER_SIZE];
    *out = cairn_bandwidth(sample, options);
    if (!isnan(*out)) return CAIRN_OK;
    cairn_number_format(value, sample->n ? sample->values[0] : NAN, 6);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%s: %s %s, and without a spread there is no bandwidth to be found; "
                      "{bandwidth X} gives one",
                      name ? name : "the numbers",
                      sample->n == 1 ? "the only value is" : "all values are", value);
}

/* How far a kernel of bandwidth 1 reaches. */
static double reach_of(cairn_density_kernel kernel)
{
    switch (kernel) {
    case CAIRN_DENSITY_EPANECHNIKOV: return sqrt(5);
    case CAIRN_DENSITY_TRIANGULAR: return sqrt(6);
    case CAIRN_DENSITY_UNIFORM: return sqrt(3);
    case CAIRN_DENSITY_NORMAL: break;
    }
    return 9; /* the density beyond is below 1e-17 of the peak */
}

static double kernel_at(cairn_density_kernel kernel, double u)
{
    double reach = reach_of(kernel), share = u / reach;
    switch (kernel) {
    case CAIRN_DENSITY_EPANECHNIKOV:
        return fabs(share) < 1 ? 0.75 * (1 - share * share) / reach : 0;
    case CAIRN_DENSITY_TRIANGULAR: return fabs(share) < 1 ? (1 - fabs(share)) / reach : 0;
    case CAIRN_DENSITY_UNIFORM: return fabs(share) <= 1 ? 0.5 / reach : 0;
    case CAIRN_DENSITY_NORMAL: break;
    }
    return cairn_normal_density(u);
}

/* The finite part of a sample; its weights, if any, are shared. */
static cairn_sample finite_part(const cairn_sample *sample)
{
    size_t first = cairn_sample_place(sample, -INFINITY, true);
    size_t end = cairn_sample_place(sample, INFINITY, false);
    cairn_sample out = *sample;
    out.values += first;
    out.n = end > first ? end - first : 0;
    if (out.weights) out.weights += first;
    return out;
}

/* The values put on equally spaced places, each shared by the two places around it. */
static cairn_status put_on_places(cairn_context *ctx, cairn_sample *sample, double bandwidth)
{
    double *values, *weights;
    double low = sample->values[0], high = sample->values[sample->n - 1];
    double wanted = ceil((high - low) / bandwidth * PLACES_PER_BANDWIDTH) + 1;
    size_t n = (size_t)fmin(fmax(wanted, 2), MOST_PLACES);
    double step = (high - low) / (double)(n - 1);
    if (!(step > 0)) return CAIRN_OK;
    CHECK(SCRATCH_EACH(ctx, n, &values, &weights));
    for (size_t i = 0; i < n; i++) values[i] = low + (double)i * step;
    for (size_t i = 0; i < sample->n; i++) {
        double at = (sample->values[i] - low) / step, w = sample->weights ? sample->weights[i] : 1;
        size_t below = (size_t)at < n - 2 ? (size_t)at : n - 2;
        weights[below] += w * ((double)below + 1 - at);
        weights[below + 1] += w * (at - (double)below);
    }
    sample->values = values;
    sample->weights = weights;
    sample->n = n;
    return CAIRN_OK;
}

cairn_status cairn_density_at(cairn_context *ctx, double *out, const cairn_sample *sample,
                              double bandwidth, cairn_density_kernel kernel, const double *points,
                              size_t m)
{
    SCOPED_SCRATCH(ctx);
    cairn_sample part = finite_part(sample);
    double total = 0, reach = reach_of(kernel) * bandwidth;
    for (size_t i = 0; i < part.n; i++) total += part.weights ? part.weights[i] : 1;
    if (part.n > MOST_DIRECT) CHECK(put_on_places(ctx, &part, bandwidth));
    for (size_t k = 0; k < m; k++) {
        double sum = 0;
        size_t i = cairn_sample_place(&part, points[k] - reach, false);
        for (; i < part.n && part.values[i] <= points[k] + reach; i++)
            sum += (part.weights ? part.weights[i] : 1) *
                   kernel_at(kernel, (points[k] - part.values[i]) / bandwidth);
        out[k] = part.n ? sum / (total * bandwidth) : NAN;
    }
    return CAIRN_OK;
}

void cairn_density_grid(double *points, size_t m, const cairn_sample *sample, double bandwidth,
                        double reach)
{
    cairn_sample part = finite_part(sample);
    double low = part.n ? part.values[0] - reach * bandwidth : 0;
    double high = part.n ? part.values[part.n - 1] + reach * bandwidth : 1;
    for (size_t i = 0; i < m; i++) {
        double share = (double)i / (double)(m > 1 ? m - 1 : 1);
        points[i] = low * (1 - share) + high * share;
    }
}

double cairn_mixture_density(const cairn_normal_mixture *mixture, double x)
{
    double sum = 0;
    for (size_t i = 0; i < mixture->n; i++)
        sum += mixture->weights[i] *
               cairn_normal_density((x - mixture->means[i]) / mixture->sds[i]) / mixture->sds[i];
    return sum;
}

double cairn_mixture_slope(const cairn_normal_mixture *mixture, double x)
{
    double slope = 0;
    for (size_t i = 0; i < mixture->n; i++) {
        double sd = mixture->sds[i], z = (x - mixture->means[i]) / sd;
        slope -= mixture->weights[i] * z * cairn_normal_density(z) / (sd * sd);
    }
    return slope;
}
