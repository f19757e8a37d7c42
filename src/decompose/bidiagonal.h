/* SPDX-License-Identifier: MIT */
/* Bidiagonal form of a square matrix. */
#ifndef CAIRN_DECOMPOSE_BIDIAGONAL_H
#define CAIRN_DECOMPOSE_BIDIAGONAL_H

#include "decompose/reflections.h"

/* B = Q'AP, upper bidiagonal, of an n x n matrix by rows, which is destroyed: d has its diagonal, e
 * the n - 1 numbers above it. Q is the product of the n reflections in the rows of `left` with
 * left_taus, P that of the n - 1 in the rows of `right`, whose vectors begin one place later. */
typedef struct cairn_bidiagonal {
    double *a, *left, *right;               /* n x n each */
    double *left_taus, *right_taus, *d, *e; /* n each */
    size_t n;
} cairn_bidiagonal;
CAIRN_CHECKED cairn_status cairn_bidiagonalise(cairn_context *ctx, const cairn_bidiagonal *b);

#endif
