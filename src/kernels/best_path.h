/* SPDX-License-Identifier: MIT */
/* The most probable path through hidden states: conventions as in kernels.h. */
#ifndef CAIRN_KERNELS_BEST_PATH_H
#define CAIRN_KERNELS_BEST_PATH_H

#include <stddef.h>
#include <stdint.h>

/* One step after another, `steps` of them: in `delta` (2 m numbers, of which the first m
 * count; m is a multiple of 8) each state j gets the largest delta[i] + move[i][j] of the m
 * states i (m x m logarithms, -inf where there is no state), and from[t][j] the first i that
 * is within 1e-12 of it; then rows[at[t]][j] is added, logarithms of what is seen (m numbers
 * in a row; at[t] < 0 adds nothing). Now and then the largest is taken off all of delta. */
void cairn_best_path_steps(double *delta, uint16_t *from, const double *move, const double *rows,
                           const int32_t *at, size_t m, size_t steps);

#endif
