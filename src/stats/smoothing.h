/* SPDX-License-Identifier: MIT */
/* Probabilities from counts: the one option for all places where counts become probabilities.
 *
 *     none       n_i / n
 *     laplace    (n_i + 1) / (n + k)                 k values or classes
 *     lambda:X   (n_i + X) / (n + X k)
 *     m:X        (n_i + X p_i) / (n + X)             p_i = 1 / k, or the given prior
 *     bits       (n_i + 1) / (n + 2)                 one pseudo-case with the bit, one without */
#ifndef CAIRN_STATS_SMOOTHING_H
#define CAIRN_STATS_SMOOTHING_H

#include "entry/entry.h"

typedef enum cairn_smoothing_kind {
    CAIRN_SMOOTH_NONE,
    CAIRN_SMOOTH_LAPLACE,
    CAIRN_SMOOTH_LAMBDA,
    CAIRN_SMOOTH_M,
    CAIRN_SMOOTH_BITS
} cairn_smoothing_kind;

typedef struct cairn_smoothing {
    cairn_smoothing_kind kind;
    double amount; /* lambda or m */
} cairn_smoothing;

/* The option, for CAIRN_PARAM_GROUP(S, smoothing, cairn_smoothing_group). */
typedef struct cairn_smoothing_option {
    const char *smooth;
} cairn_smoothing_option;
extern const cairn_param cairn_smoothing_group[];

/* Read "none", "laplace", "lambda:0.5", "m:10" or "bits"; NULL is none. Fails with CAIRN_USAGE. */
CAIRN_CHECKED cairn_status cairn_smoothing_read(cairn_context *ctx, cairn_smoothing *out,
                                                const char *text);
/* The probability of value i of n_values from its count and the total; prior NULL = uniform. NaN
 * for 0/0. */
double cairn_smoothed(cairn_smoothing smoothing, double count, double total, size_t n_values,
                      const double *prior, size_t i);
/* All of them from n counts. `out` may be `counts`. */
void cairn_smooth_counts(double *out, cairn_smoothing smoothing, const double *counts, size_t n,
                         const double *prior);

#endif
