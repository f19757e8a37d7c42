/* SPDX-License-Identifier: MIT */
/* Least squares of several targets on the same rows, W = (X'X)⁻¹ X'T: one pass for the cross
 * products, one factorisation for all of them. */
#ifndef CAIRN_LEARNERS_LEAST_SQUARES_H
#define CAIRN_LEARNERS_LEAST_SQUARES_H

#include "data/view.h"

typedef struct cairn_least_squares {
    size_t n_terms, n_targets;
    double total;     /* sum of weights */
    size_t rank;      /* of the terms; below n_terms the solution of least norm is given */
    double condition; /* estimate for columns of length 1 */
    double *weights;  /* (n_terms + 1) x n_targets in own units, the constants last */
    double *means;    /* n_terms */
    double *squares;  /* n_targets: sums of squared residuals */
} cairn_least_squares;

/* `targets` has the view's rows of each target one after the other: n_targets x rows, finite and
 * near 1 in size. Without an intercept the constants are 0. Scratch memory of now. Fails when no
 * row has a positive weight, or a feature is not finite. */
CAIRN_CHECKED cairn_status cairn_least_squares_fit(cairn_context *ctx, cairn_least_squares *out,
                                                   const cairn_view *view, const double *targets,
                                                   size_t n_targets, bool intercept);

#endif
