/* SPDX-License-Identifier: MIT */
/* Quantiles of sorted numbers. With n values x[0] <= ... <= x[n-1] and a probability p: */
#ifndef CAIRN_STATS_QUANTILE_H
#define CAIRN_STATS_QUANTILE_H

#include <stddef.h>

typedef enum cairn_quantile_rule {
    CAIRN_QUANTILE_LINEAR,          /* on the line through (i / (n-1), x[i]) */
    CAIRN_QUANTILE_INVERSE,         /* the least x with P(X <= x) >= p */
    CAIRN_QUANTILE_AVERAGED,        /* the same, the mean of two neighbours where P(X <= x) = p */
    CAIRN_QUANTILE_NEAREST,         /* x at rank n p rounded, halves to even */
    CAIRN_QUANTILE_HAZEN,           /* on the line through ((i + 1/2) / n, x[i]) */
    CAIRN_QUANTILE_WEIBULL,         /* on the line through ((i + 1) / (n + 1), x[i]) */
    CAIRN_QUANTILE_MEDIAN_UNBIASED, /* on the line through ((i + 2/3) / (n + 1/3), x[i]) */
    CAIRN_QUANTILE_LOWER,           /* x at or below the linear place */
    CAIRN_QUANTILE_HIGHER           /* x at or above the linear place */
} cairn_quantile_rule;

/* NaN when n is 0 or p is outside 0 .. 1. */
double cairn_quantile(const double *sorted, size_t n, double p, cairn_quantile_rule rule);
/* With weights: equal to the rule on rows repeated weight times where the weights are whole; for
 * others the natural continuation. NULL weights = all 1. */
double cairn_weighted_quantile(const double *sorted, const double *weights, size_t n, double p,
                               cairn_quantile_rule rule);

#endif
