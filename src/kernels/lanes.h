/* SPDX-License-Identifier: MIT */
/* A sparse row against eight vectors of weights that lie side by side: conventions as in kernels.h.
 */
#ifndef CAIRN_KERNELS_LANES_H
#define CAIRN_KERNELS_LANES_H

#include <stddef.h>
#include <stdint.h>

enum { CAIRN_LANES = 8 };

/* out[l] = sum_e values[e] w[items[e]][l] over n entries, and w[items[e]][l] += values[e] by[l]. */
void cairn_lanes_dot(double *out, const int32_t *items, const double *values, size_t n,
                     const double *w);
void cairn_lanes_add(double *w, const int32_t *items, const double *values, size_t n,
                     const double *by);

#endif
