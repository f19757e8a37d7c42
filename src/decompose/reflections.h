/* SPDX-License-Identifier: MIT */
/* Householder reflections H = I - tau v v', one and many of them. */
#ifndef CAIRN_DECOMPOSE_REFLECTIONS_H
#define CAIRN_DECOMPOSE_REFLECTIONS_H

#include "base/context.h"

/* The length of n numbers, right where squares would overflow or vanish. */
double cairn_length(const double *x, size_t n);

/* The reflection that turns (*first, x), with n numbers in x, into (b, 0, ..., 0): tau is returned,
 * *first becomes b and x the rest of v, which begins with 1. */
double cairn_reflection(double *first, double *x, size_t n);

/* `count` reflections of vectors of `length` numbers: v of number k has its 1 at k + offset, zeros
 * before it and in row k of `v`, rows `lead` apart, what follows it. */
typedef struct cairn_reflections {
    const double *v, *taus;
    size_t lead, count, length, offset;
} cairn_reflections;

/* Each of the n_rows vectors z at `rows`, `lead` apart, becomes H_0 H_1 ... z, or, transposed,
 * ... H_1 H_0 z. Many are taken in blocks, H_0 ... H_k = I - V'TV (Schreiber & Van Loan 1989). */
CAIRN_CHECKED cairn_status cairn_reflect_rows(cairn_context *ctx, const cairn_reflections *r,
                                              double *rows, size_t lead, size_t n_rows,
                                              bool transposed);

/* QR of a matrix by columns of n_rows numbers, in place: R above, reflections below; `taus` has
 * min(n_rows, n_columns) numbers. */
CAIRN_CHECKED cairn_status cairn_qr_factor(cairn_context *ctx, double *x, double *taus,
                                           size_t n_rows, size_t n_columns);
/* The same with the longest column that is left put first each time; order[j] is the column that
 * came to place j. */
CAIRN_CHECKED cairn_status cairn_qr_factor_pivoted(cairn_context *ctx, double *x, double *taus,
                                                   size_t *order, size_t n_rows, size_t n_columns);
/* The reflections of either. */
cairn_reflections cairn_qr_reflections(const double *x, const double *taus, size_t n_rows,
                                       size_t n_columns);

#endif
