/* SPDX-License-Identifier: MIT */
/* Normal log densities of vectors of which some numbers may be missing, as on the board: the
 * covariance of the numbers that are there is factored, L L', and L y = x − mean solved. For proofs
 * (solve/certificate.h), which must not use the code of what they prove. */
#ifndef CAIRN_STATS_PLAIN_NORMAL_H
#define CAIRN_STATS_PLAIN_NORMAL_H

#include "base/context.h"

typedef struct cairn_plain_normal {
    size_t d, n;   /* numbers of a vector, and how many are there */
    size_t *at;    /* n: which */
    double *lower; /* n x n; a diagonal covariance: n, roots of the variances */
    double *y;     /* d */
    double log_root;
    double least; /* of all factored so far: the least part of a variance that the numbers before
                     leave open; rounding grows with its inverse */
    bool diagonal;
} cairn_plain_normal;

/* Scratch. */
CAIRN_CHECKED cairn_status cairn_plain_normal_make(cairn_context *ctx, cairn_plain_normal *out,
                                                   size_t d, bool diagonal);
/* For vectors of which the same is there as of x (NULL = all); the covariance is d x d, or d
 * variances. */
void cairn_plain_normal_set(cairn_plain_normal *p, const double *covariance, const double *x);
/* y (p->y), and the logarithm of the density of what is there; 0 where nothing is. */
double cairn_plain_normal_log(const cairn_plain_normal *p, const double *x, const double *mean);

/* What is rounding in log-likelihoods by n such densities about these means (n x d; NULL = near 0),
 * as a part of them: it grows with the condition of the covariances, and with places that are far
 * from 0 beside the deviations. Infinite where hardly a digit is left. */
double cairn_plain_normal_rounding(const cairn_plain_normal *laws, const double *means, size_t n);

/* ln Σ exp of n numbers, which are replaced by their shares in it; -inf where all are. */
double cairn_plain_shares(double *logs, size_t n);

#endif
