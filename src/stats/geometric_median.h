/* SPDX-License-Identifier: MIT */
/* The point with the least sum of distances to others. */
#ifndef CAIRN_STATS_GEOMETRIC_MEDIAN_H
#define CAIRN_STATS_GEOMETRIC_MEDIAN_H

#include "base/context.h"

typedef struct cairn_median_path {
    size_t iterations;
    bool converged;
    ptrdiff_t at;  /* the row that it is, -1 = none */
    double total;  /* weighted sum of the distances from it */
    size_t n_kept; /* places on the way, the first is the mean */
    double *path;  /* n_kept x width; scratch, NULL = not wanted */
} cairn_median_path;

/* out (width) = the geometric median of n rows (n x width, no gaps) with weights (NULL = ones), by
 * Weiszfeld's iteration from the mean, which also moves off a row where it must not stay. With
 * `keep` the first so many places are kept. n is at least 1. */
CAIRN_CHECKED cairn_status cairn_geometric_median(cairn_context *ctx, double *out,
                                                  cairn_median_path *how, const double *rows,
                                                  const double *weights, size_t n, size_t width,
                                                  size_t keep);
/* The proof of a median: what is left of the pull of all rows on it when those that lie on it hold
 * against it, as a part of their weight; 0 for the median. */
double cairn_median_pull(const double *place, const double *rows, const double *weights, size_t n,
                         size_t width);
/* Weighted mean of the rows, and the weighted sum of their Euclidean distances from a place. */
void cairn_mean_place(double *out, const double *rows, const double *weights, size_t n,
                      size_t width);
double cairn_total_distance(const double *place, const double *rows, const double *weights,
                            size_t n, size_t width);

#endif
