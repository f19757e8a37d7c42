/* SPDX-License-Identifier: MIT */
/* Tridiagonal and bidiagonal matrices by division, and the equation that joins two halves. No
 * number of either matrix is above about 1. */
#ifndef CAIRN_DECOMPOSE_DIVIDE_H
#define CAIRN_DECOMPOSE_DIVIDE_H

#include "base/context.h"

/* Eigenvalues of T into d, rising, and the vectors of the last n_vectors of them into the last rows
 * of z (n x n), whose others are useless then. e, with room for n numbers, is destroyed. */
CAIRN_CHECKED cairn_status cairn_tridiagonal_divide(cairn_context *ctx, double *d, double *e,
                                                    double *z, size_t n, size_t n_vectors);

/* B = U S V' of an upper bidiagonal n x n matrix: S into d, rising; vectors into the rows of u
 * (n x n) and the first n rows of v (n + 1 x n + 1, whose last row and column are to be ignored).
 * e, with room for n numbers, is destroyed. */
CAIRN_CHECKED cairn_status cairn_bidiagonal_divide(cairn_context *ctx, double *d, double *e,
                                                   double *u, double *v, size_t n);

/* The same of n x (n + 1) for few numbers, by QR steps: u and v are what they are to be multiplied
 * with, rows u_lead and v_lead apart; v has n + 1 rows, the last of which becomes what B makes 0.
 * */
CAIRN_CHECKED cairn_status cairn_bidiagonal_qr(cairn_context *ctx, double *d, double *e, size_t n,
                                               double *u, size_t u_lead, double *v, size_t v_lead);

/* 1 + rho sum_j z_j^2 / (p_j - x) = 0, with n poles p that rise: p_j = d_j, or d_j^2. */
typedef struct cairn_secular {
    const double *d, *squares; /* squares: z_j^2, of which none is 0 */
    double rho;                /* above 0 */
    size_t n;
    bool squared;
} cairn_secular;

/* Root i, between pole i and the next one: pole `*origin` plus the number returned. gaps[j] is p_j
 * less the root, right to a few rounding errors though the two be near. */
double cairn_secular_root(const cairn_secular *s, size_t i, double *gaps, size_t *origin);

/* The z that has exactly these roots: squares[j], from rows gaps of all n roots, n apart. With it
 * vectors are orthogonal though the roots be rounded (Gu & Eisenstat 1994). */
void cairn_secular_weights(const cairn_secular *s, const double *gaps, double *squares);

#endif
