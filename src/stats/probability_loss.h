/* SPDX-License-Identifier: MIT */
/* How good predicted probabilities are: squared error (Brier), cross-entropy (log loss), and the
 * split of the squared error into calibration and refinement. */
#ifndef CAIRN_STATS_PROBABILITY_LOSS_H
#define CAIRN_STATS_PROBABILITY_LOSS_H

#include "base/context.h"

/* Squared distance of the vector p (k classes) from the one that is certain of `actual`, times
 * `factor`: 1/2 makes it (p - I)^2 for two classes, 1 is the sum that is usual elsewhere. */
double cairn_squared_loss(const double *p, size_t k, size_t actual, double factor);
/* - log p[actual] to the given base (2, e, 10); p below `least` is taken as that, 0 = inf at 0. */
double cairn_log_loss(const double *p, size_t actual, double log_base, double least);

/* A segment: rows with the same predicted vector. */
typedef struct cairn_probability_segment {
    const double *predicted; /* k probabilities */
    const double *counts;    /* k weights of the classes in the segment */
} cairn_probability_segment;

/* For a segment of weight |S| with shares q of the classes: squared error = factor |S| (sum (p -
 * q)^2 + sum q (1 - q)), the first part calibration, the second refinement loss. */
typedef struct cairn_segment_loss {
    double weight, squared, calibration, refinement;
} cairn_segment_loss;

cairn_segment_loss cairn_segment_loss_of(const cairn_probability_segment *segment, size_t k,
                                         double factor);

/* Over a test set: means per row, and the decomposition over rows with equal vectors. */
typedef struct cairn_probability_quality {
    double weight;
    double squared;                 /* mean squared error: Brier score */
    double log_loss;                /* mean */
    double calibration, refinement; /* of `squared`, means too */
    size_t n_segments;
    size_t n_impossible;                 /* rows whose class was given the probability 0 */
    cairn_probability_segment *segments; /* n_segments, largest p[0] first. Scratch. */
} cairn_probability_quality;

/* p is n x k row-major; rows with a class outside 0 .. k-1 are left out. weights NULL = 1. A row
 * with a missing probability fails. */
CAIRN_CHECKED cairn_status cairn_probability_quality_of(
    cairn_context *ctx, cairn_probability_quality *out, const double *p, const int32_t *actual,
    const double *weights, size_t n, size_t k, double factor, double log_base, double least);

#endif
