/* SPDX-License-Identifier: MIT */
/* Symmetric tridiagonal matrices: made of a symmetric matrix, and their eigenvalues. */
#ifndef CAIRN_DECOMPOSE_TRIDIAGONAL_H
#define CAIRN_DECOMPOSE_TRIDIAGONAL_H

#include "decompose/reflections.h"

/* T = Q'AQ of the upper triangle of A, by rows, in place: d has its n diagonal numbers, e the n - 1
 * beside them, and room for one more; Q is the product of the n - 1 reflections that the rows of
 * `a` and `taus` hold. */
CAIRN_CHECKED cairn_status cairn_tridiagonalise(cairn_context *ctx, double *a, double *taus,
                                                double *d, double *e, size_t n);

/* Eigenvalues of T into d, rising, by implicit QL steps; e, with room for n numbers, is
 * destroyed. Each turn is done to the
 * rows of z, `lead` apart and `width` long, too. No number of T is above about 1. */
CAIRN_CHECKED cairn_status cairn_tridiagonal_ql(cairn_context *ctx, double *d, double *e, size_t n,
                                                double *z, size_t lead, size_t width);

#endif
