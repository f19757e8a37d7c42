/* SPDX-License-Identifier: MIT */
/* Some columns of a matrix against one vector, which is half of the work of every decomposition by
 * reflections. Column c begins at a + c * lead and has n numbers side by side; rows of a row-major
 * matrix will do as well. Products that are added are not fused; bits do not depend on the level.
 * The matrices and vectors of a call do not overlap. */
#ifndef CAIRN_KERNELS_MANY_COLUMNS_H
#define CAIRN_KERNELS_MANY_COLUMNS_H

#include <stddef.h>

/* out[c] = a_c . x */
void cairn_columns_dot(double *out, const double *a, size_t lead, const double *x, size_t n,
                       size_t n_columns);

/* y += sum over c of s[c] a_c */
void cairn_columns_add(double *y, const double *a, size_t lead, const double *s, size_t n,
                       size_t n_columns);

/* out = A x for rows [from, to) of the upper triangle of a symmetric n x n matrix with rows of
 * `lead` numbers and what mirrors them: the sum over all ranges is the whole product. */
void cairn_symmetric_times(double *out, const double *a, size_t lead, const double *x, size_t n,
                           size_t from, size_t to);

/* (x, y) = (c x + s y, c y - s x), n numbers each */
void cairn_rotate(double *x, double *y, double c, double s, size_t n);

#endif
