/* SPDX-License-Identifier: MIT */
/* The passes over all variables that a step of solve/pairs.c takes: conventions as in
 * kernels.h. What a pass picks is the first of the best, at every level. */
#ifndef CAIRN_KERNELS_PAIR_SCAN_H
#define CAIRN_KERNELS_PAIR_SCAN_H

#include <stddef.h>

/* The largest rest[v] + up[v] and the smallest rest[v] + low[v] of a pass, and where they are. */
typedef struct cairn_pair_ends {
    double top, bottom; /* -inf and inf where there is none */
    size_t first, last;
} cairn_pair_ends;

/* rest[v] -= by (a[v] - b[v]) for n variables, and the ends of what comes out. */
void cairn_pair_move(cairn_pair_ends *out, double *rest, const float *a, const float *b, double by,
                     const float *up, const float *low, size_t n);

/* The v with the largest gain d² / max(tau, own + diagonal[v] - 2 row[v]) among those with a
 * positive d = top - rest[v] - low[v]; n where there is none. */
size_t cairn_pair_partner(const double *rest, const float *low, const float *row,
                          const float *diagonal, double top, float own, float tau, size_t n);

/* rest[v] -= sum_r by[r] rows[r][first + v] for n numbers, rows in order. */
void cairn_rows_take(double *rest, const float *const *rows, const double *by, size_t n_rows,
                     size_t first, size_t n);

#endif
