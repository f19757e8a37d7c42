/* SPDX-License-Identifier: MIT */
/* What the decompositions share: checks, triangular systems, the estimate of a condition. */
#ifndef CAIRN_DECOMPOSE_PARTS_H
#define CAIRN_DECOMPOSE_PARTS_H

#include "base/context.h"

enum {
    CAIRN_DECOMPOSE_LEAF = 32,  /* what is this small is done by hand */
    CAIRN_DECOMPOSE_PANEL = 32, /* reflections that are applied together */
};

/* What may be left out of a matrix whose largest number is about 1. */
#define CAIRN_NEGLIGIBLE 0x1p-58

CAIRN_CHECKED cairn_status cairn_check_finite(cairn_context *ctx, const double *numbers, size_t n);
/* The upper triangle of an n x n matrix. */
CAIRN_CHECKED cairn_status cairn_check_upper(cairn_context *ctx, const double *a, size_t n);

/* The largest absolute value; the power of two above a number (0 for 0), and that where squares of
 * such numbers would overflow or vanish, else 0; numbers times a power of two. */
double cairn_largest(const double *x, size_t n);
int cairn_exponent_of(double x);
int cairn_wild_exponent(double most);
void cairn_scale_by_two(double *x, size_t n, int exponent);

/* A triangular n x n matrix T, element (i, j) at at[i * row + j * column]; one of the steps is 1.
 * `unit`: ones on the diagonal, which is not looked at. */
typedef struct cairn_triangle {
    const double *at;
    size_t n, row, column;
    bool lower, unit;
} cairn_triangle;

cairn_triangle cairn_triangle_turned(cairn_triangle t);

/* Solve T x = b in place for one vector of numbers side by side. */
void cairn_triangle_solve_vector(const cairn_triangle *t, double *x);
/* T X = B in place for the n rows of m numbers at b, `lead` apart: by halves, so that the work is
 * in products, on all threads of the context. */
CAIRN_CHECKED cairn_status cairn_triangle_solve(cairn_context *ctx, const cairn_triangle *t,
                                                double *b, size_t lead, size_t m);

/* x = A^-1 x, or A'^-1 x */
typedef void (*cairn_inverse_times)(const void *data, double *x, bool transposed);
/* About 1 / (|A| |A^-1|) in the 1-norm, at most 1, given |A|: a lower bound of |A^-1| found by four
 * or five solutions, which is seldom too small by more than a factor of 3 (Hager 1984; Higham,
 * Accuracy and Stability of Numerical Algorithms, algorithm 15.1). 0 where it cannot be told. */
CAIRN_CHECKED cairn_status cairn_estimate_condition(cairn_context *ctx, double *condition, size_t n,
                                                    double norm, cairn_inverse_times times,
                                                    const void *data);

#endif
