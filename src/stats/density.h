/* SPDX-License-Identifier: MIT */
/* Densities on a grid: of a sample by a kernel, and of known distributions and their mixtures. */
#ifndef CAIRN_STATS_DENSITY_H
#define CAIRN_STATS_DENSITY_H

#include "stats/summary.h"

/* Kernels are scaled to the variance 1, so one bandwidth means the same smoothing for all. */
typedef enum cairn_density_kernel {
    CAIRN_DENSITY_NORMAL,
    CAIRN_DENSITY_EPANECHNIKOV,
    CAIRN_DENSITY_TRIANGULAR,
    CAIRN_DENSITY_UNIFORM
} cairn_density_kernel;
extern const cairn_choice cairn_density_kernels[];

typedef enum cairn_bandwidth_rule {
    CAIRN_BANDWIDTH_SILVERMAN, /* 0.9 min(sd, IQR / 1.349) n^(-1/5) */
    CAIRN_BANDWIDTH_NORMAL,    /* sd (4 / (3 n))^(1/5): best for a normal */
    CAIRN_BANDWIDTH_SCOTT      /* sd n^(-1/5) */
} cairn_bandwidth_rule;
extern const cairn_choice cairn_bandwidth_rules[];

typedef struct cairn_density_options {
    int kernel, bandwidth_rule;
    double bandwidth; /* 0 = by the rule */
} cairn_density_options;
/* Parameters --kernel, --bandwidth, --bandwidth-rule. */
extern const cairn_param cairn_density_params[];

/* The bandwidth for a sample; NaN when it is empty or, without a given one, when its values are all
 * equal: a spread that is not there says nothing. */
double cairn_bandwidth(const cairn_sample *sample, const cairn_density_options *options);
/* The same, or a failure that says what to do; `name` is that of the column. */
CAIRN_CHECKED cairn_status cairn_bandwidth_get(cairn_context *ctx, double *out,
                                               const cairn_sample *sample,
                                               const cairn_density_options *options,
                                               const char *name);

/* The density of a sample at m points (ascending). Beyond some ten thousand values these are first
 * put on a fine grid, each shared by the two places around it, which changes the density by less
 * than a hundred thousandth of its height. Infinite values do not count. */
CAIRN_CHECKED cairn_status cairn_density_at(cairn_context *ctx, double *out,
                                            const cairn_sample *sample, double bandwidth,
                                            cairn_density_kernel kernel, const double *points,
                                            size_t m);

/* m equally spaced points from below the least to above the largest value by `reach` bandwidths. */
void cairn_density_grid(double *points, size_t m, const cairn_sample *sample, double bandwidth,
                        double reach);

/* A mixture of normal densities: weights (which sum to 1), means and standard deviations. */
typedef struct cairn_normal_mixture {
    size_t n;
    double *weights, *means, *sds;
} cairn_normal_mixture;
double cairn_mixture_density(const cairn_normal_mixture *mixture, double x);
/* The derivative of the density. */
double cairn_mixture_slope(const cairn_normal_mixture *mixture, double x);

#endif
