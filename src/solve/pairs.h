/* SPDX-License-Identifier: MIT */
/* Quadratic functions of many numbers in a box whose sum is fixed, two numbers at a time: what the
 * dual problems of support vector machines are.
 *
 *     minimise ½ β'Kβ - b'β + w Σ|β_v|   where lower_v <= β_v <= upper_v and Σ β stays as it is
 *
 * Classification has β = y α, b = y and w = 0; regression β = α - α', b the target and w the width
 * of the tube; a single class b = 0. With two groups of variables, the first `split` and the
 * others, the sum of each group stays as it is: the ν forms. The matrix is never whole in memory:
 * rows come from a function, several at once, and the last ones asked for are kept. */
#ifndef CAIRN_SOLVE_PAIRS_H
#define CAIRN_SOLVE_PAIRS_H

#include "base/context.h"

/* Rows of the matrix K over points. */
typedef struct cairn_pair_rows {
    void *data;
    /* Rows are made of these columns from now on: n points, rising. */
    cairn_status (*columns)(cairn_context *ctx, void *data, const uint32_t *points, size_t n);
    /* Rows of m points, `stride` numbers apart. A number's bits depend on its row and column
     * alone. */
    cairn_status (*rows)(cairn_context *ctx, void *data, const uint32_t *points, size_t m,
                         float *out, size_t stride);
    /* Kβ over all points with all digits of the matrix, which rows of floats lack: the pushes are
     * made anew by it before the end is believed. NULL = the rows are all there is. */
    cairn_status (*products)(cairn_context *ctx, void *data, const double *beta, double *out);
} cairn_pair_rows;

/* What the end looks like in a group: the sum's multiplier lies between top and bottom. */
typedef struct cairn_pair_group {
    double top, bottom; /* largest push upwards, smallest push downwards */
    double middle;      /* mean of the push over free variables, else middle of top and bottom */
    size_t n_free;      /* neither at a bound nor, with a width, at 0 */
} cairn_pair_group;

typedef struct cairn_pairs {
    const char *what;                     /* for the progress bar; NULL = it is not shown */
    size_t n, n_points;                   /* variables; variable v is of point v, or v - n_points */
    size_t split;                         /* variables of the first group; 0 = all are in one */
    const double *linear, *lower, *upper; /* n; 0 lies between lower and upper */
    double width;
    const double *diagonal; /* n_points */
    cairn_pair_rows rows;
    size_t cache;     /* bytes for rows that are kept */
    double tolerance; /* of top - bottom */
    double share;     /* of the value that the duality gap may be, or the tolerance is lowered; 0 =
                         it may be anything */
    size_t most;      /* steps */
    bool shrink;      /* set variables aside that are likely to stay at their bounds */
    double *beta;     /* n: the start, and the end */
    double *rest;     /* n: b - Kβ at the end */
    cairn_pair_group groups[2];
    double value, gap;
    size_t steps, n_made; /* rows that were made */
    bool converged;
} cairn_pairs;

/* Fails when memory is short or somebody cancels; not converging is told by `converged` and
 * `gap`. */
CAIRN_CHECKED cairn_status cairn_pairs_solve(cairn_context *ctx, cairn_pairs *pairs);

#endif
