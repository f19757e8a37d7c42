/* SPDX-License-Identifier: MIT */
/* The passes over a line of distances that k-medoids takes: conventions as in kernels.h. */
#ifndef CAIRN_KERNELS_MEDOID_SCAN_H
#define CAIRN_KERNELS_MEDOID_SCAN_H

#include <stddef.h>
#include <stdint.h>

/* Numbers that `out` of cairn_where_less has room for beyond n. */
enum { CAIRN_WHERE_MORE = 8 };
/* out = every i < n with a[i] < b[i], rising; returns how many. What is behind them in the room is
 * spoilt. */
size_t cairn_where_less(uint32_t *out, const double *a, const double *b, size_t n);

/* Sum of weights[i] max(0, from[i] - to[i]); weights NULL = all 1. */
double cairn_falls_sum(const double *from, const double *to, const double *weights, size_t n);

#endif
