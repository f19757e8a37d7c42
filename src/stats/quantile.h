/* SPDX-License-Identifier: MIT */
/* Quantiles of sorted numbers, by any of the rules in use. With n values x[0] <= ... <= x[n-1] and
 * a probability p, a rule either picks a value or draws a line through the values, placed at
 * probabilities of its own. A product n p that is whole but for rounding (0.55 * 100) is taken as
 * whole. */
#ifndef CAIRN_STATS_QUANTILE_H
#define CAIRN_STATS_QUANTILE_H

#include "entry/entry.h"

typedef enum cairn_quantile_rule {
    CAIRN_QUANTILE_LINEAR,          /* on the line through (i / (n-1), x[i]) */
    CAIRN_QUANTILE_INVERSE,         /* the least x with P(X <= x) >= p */
    CAIRN_QUANTILE_AVERAGED,        /* the same, the mean of two neighbours where P(X <= x) = p */
    CAIRN_QUANTILE_NEAREST,         /* x at rank n p rounded, halves to even */
    CAIRN_QUANTILE_HAZEN,           /* on the line through ((i + 1/2) / n, x[i]) */
    CAIRN_QUANTILE_WEIBULL,         /* on the line through ((i + 1) / (n + 1), x[i]) */
    CAIRN_QUANTILE_MEDIAN_UNBIASED, /* on the line through ((i + 2/3) / (n + 1/3), x[i]) */
    CAIRN_QUANTILE_LOWER,           /* x at or below the linear place */
    CAIRN_QUANTILE_HIGHER,          /* x at or above the linear place */
    CAIRN_QUANTILE_MIDPOINT,        /* the mean of these two */
    CAIRN_QUANTILE_INTERPOLATED,    /* on the line through ((i + 1) / n, x[i]) */
    CAIRN_QUANTILE_NORMAL_UNBIASED  /* on the line through ((i + 5/8) / (n + 1/4), x[i]) */
} cairn_quantile_rule;

/* The choices of a parameter that selects a rule; the default is "linear". */
extern const cairn_choice cairn_quantile_rules[];
/* The name of a rule: "linear". */
const char *cairn_quantile_rule_name(cairn_quantile_rule rule);

/* NaN when n is 0 or p is outside 0 .. 1. */
double cairn_quantile(const double *sorted, size_t n, double p, cairn_quantile_rule rule);
/* With weights: equal to the rule on rows repeated weight times where the weights are whole. For
 * others the natural continuation: a row fills a stretch as long as its weight, and a value on a
 * line is the mean of a stretch of length 1, or of the mean weight where that is less than 1 (so
 * weights that sum to 1 are as good as any). Rows of weight 0 do not count. NULL weights = all
 * 1. */
double cairn_weighted_quantile(const double *sorted, const double *weights, size_t n, double p,
                               cairn_quantile_rule rule);

#endif
