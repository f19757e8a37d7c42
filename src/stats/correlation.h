/* SPDX-License-Identifier: MIT */
/* Covariances and correlations of number columns, over the rows where both of a pair have a finite
 * value. */
#ifndef CAIRN_STATS_CORRELATION_H
#define CAIRN_STATS_CORRELATION_H

#include "base/context.h"

typedef struct cairn_correlations {
    double *correlation; /* n x n, NaN where a column does not vary */
    double *covariance;  /* n x n, divided by the weight of the rows */
    double *weight;      /* n x n, of the rows that both columns have */
    size_t n;
} cairn_correlations;

/* Pearson's, weighted (NULL = all 1), of n columns with n_rows numbers. Memory is scratch. Uses the
 * context's threads; same bits for any number of them. */
CAIRN_CHECKED cairn_status cairn_correlations_make(cairn_context *ctx, cairn_correlations *out,
                                                   const double *const *columns, size_t n,
                                                   size_t n_rows, const double *weights);

/* Spearman's: the correlation of mid-ranks, which are taken anew for each pair that lacks values.
 * Weights count rows, they do not change ranks. */
CAIRN_CHECKED cairn_status cairn_rank_correlations(cairn_context *ctx, cairn_correlations *out,
                                                   const double *const *columns, size_t n,
                                                   size_t n_rows, const double *weights);

/* P of a correlation at least as far from 0 among n rows of independent normals (Student's t). */
double cairn_correlation_p(double r, double n);

#endif
