/* SPDX-License-Identifier: MIT */
/* What the distributions are made of: tails of the gamma and the beta distribution with small
 * relative error even where they are tiny, and a root finder. For src/stats only. */
#ifndef CAIRN_STATS_SPECIAL_H
#define CAIRN_STATS_SPECIAL_H

#include <stdbool.h>

/* A distribution cut in two at some point: the tail that was computed directly, as a logarithm, so
 * that it cannot underflow. The other one is what is left of 1. */
typedef struct cairn_tail {
    double log_value;
    bool is_upper;    /* which side was computed */
    double log_slope; /* log of the density with respect to log x (gamma) or log(x/(1-x)) (beta) */
} cairn_tail;

/* The probability of one side, and its logarithm. */
double cairn_tail_value(cairn_tail tail, bool upper);
double cairn_tail_log(cairn_tail tail, bool upper);

/* Gamma distribution of the given shape and scale 1, cut at x; both positive and finite. */
cairn_tail cairn_gamma_tail(double x, double shape);

/* Beta distribution cut at x; y = 1 - x and excess = a - (a + b) x are given too because the caller
 * often knows them to more digits than x can hold. All but excess are positive. */
cairn_tail cairn_beta_tail(double x, double y, double a, double b, double excess);

/* a - (a + b) x with one rounding error, not four. */
double cairn_beta_excess(double x, double a, double b);

/* log(1 + u) - u for u > -1 */
double cairn_log1p_minus(double u);

/* Error of Stirling's formula: log Gamma(z + 1) - (z + 1/2) log z + z - log(2 pi)/2, z > 0. */
double cairn_stirling_error(double z);

/* Deviance x log(x / mean) - x + mean, given x - mean as well; x, mean > 0. */
double cairn_deviance(double x, double mean, double difference);

/* Integral of exp(exponent(s)) over 0 .. limit (which may be infinite), where exponent(0) = 0 and
 * the exponent falls to -infinity smoothly, without a sharper bend than it has near 0. `scale` is a
 * guess of the width within a few powers of ten. */
double cairn_integrate_decay(double (*exponent)(double s, const void *data), const void *data,
                             double scale, double limit);

/* The root of a function that increases and is concave or convex; `start` may be far from it.
 * `function` gives the value and the slope at z. */
double cairn_find_root(void (*function)(double z, double *value, double *slope, const void *data),
                       const void *data, double start);

#endif
