/* SPDX-License-Identifier: MIT */
/* Steps of stochastic solvers, in single precision unless said otherwise, number by number: every
 * operation is rounded by itself, so the bits are the same at every level. `g` is the direction in
 * which the error falls. */
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
typedef struct cairn_adam {
    double eta, slow, quick;
} cairn_adam;
/* Of step t, from 1. */
cairn_adam cairn_adam_at(double eta, size_t t);
void cairn_adam_step(float *w, float *first, float *second, const float *g, size_t n,
                     const cairn_adam *adam);
/* The same in double precision. */
void cairn_adam_step_doubles(double *w, double *first, double *second, const double *g, size_t n,
                             const cairn_adam *adam);

#endif
