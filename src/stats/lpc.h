/* SPDX-License-Identifier: MIT */
/* Linear predictive coding: a sample of a signal as a weighted sum of those before it. */
#ifndef CAIRN_STATS_LPC_H
#define CAIRN_STATS_LPC_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cairn_lpc_settings {
    size_t order;    /* samples before that a sample is predicted from */
    bool hamming;    /* fade the ends of the frame out */
    double emphasis; /* x[n] - emphasis * x[n-1] takes the place of x[n]; 0 = none */
} cairn_lpc_settings;

/* A frame of n samples made ready: emphasis, then window. `first` is the sample before the frame,
 * or 0. */
void cairn_lpc_prepare(double *out, const double *samples, size_t n, double first,
                       const cairn_lpc_settings *settings);

/* r[k] = sum of x[i] x[i-k], k = 0 .. order. */
void cairn_autocorrelation(double *r, const double *x, size_t n, size_t order);

/* The weights a[0..order-1] (of x[n-1], x[n-2], ...) that predict best in the mean square, by the
 * recursion of Levinson and Durbin. `reflections` (order) and `errors` (order + 1: energy that is
 * left after each step) may be NULL; `a` must not overlap. Gives the energy that is left; a silent
 * frame has weights 0. A frame that is predicted without error stops the recursion: later weights
 * are 0. `spare` has room for order numbers. */
double cairn_levinson(const double *r, size_t order, double *a, double *reflections, double *errors,
                      double *spare);

#endif
