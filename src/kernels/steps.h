/* SPDX-License-Identifier: MIT */
/* Steps of stochastic solvers in single precision, number by number: every operation is rounded by
 * itself, so the bits are the same at every level. `g` is the direction in which the error falls.
 */
#ifndef CAIRN_KERNELS_STEPS_H
#define CAIRN_KERNELS_STEPS_H

#include <stddef.h>

/* w += η g */
void cairn_plain_step(float *w, const float *g, size_t n, float eta);
/* u = μ u + η g, w += u; with `ahead` (Nesterov) w += μ u + η g. */
void cairn_momentum_step(float *w, float *u, const float *g, size_t n, float eta, float mu,
                         int ahead);
/* Adam with the usual rates of forgetting, 0.9 and 0.999: `slow` and `quick` are what the sums of
 * slopes and of their squares are divided by, 1 − 0.9ᵗ and 1 − 0.999ᵗ. */
void cairn_adam_step(float *w, float *first, float *second, const float *g, size_t n, float eta,
                     float slow, float quick);

#endif
