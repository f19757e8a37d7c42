/* SPDX-License-Identifier: MIT */
#include "kernels/steps.h"
#include "base/functions.h"
#include <stdint.h>

#define KERNEL_BODY "kernels/steps_body.h"
#include "kernels/each_level.h"

void cairn_plain_step(float *w, const float *g, size_t n, float eta)
{
    CHOOSE(plain)(w, g, n, eta);
}

void cairn_momentum_step(float *w, float *u, const float *g, size_t n, float eta, float mu,
                         int ahead)
{
    if (ahead)
        CHOOSE(nesterov)(w, u, g, n, eta, mu);
    else
        CHOOSE(momentum)(w, u, g, n, eta, mu);
}

cairn_adam cairn_adam_at(double eta, size_t t)
{
    return (cairn_adam){eta, 1 - cairn_pow(0.9, (double)t), 1 - cairn_pow(0.999, (double)t)};
}

void cairn_adam_step(float *w, float *first, float *second, const float *g, size_t n,
                     const cairn_adam *adam)
{
    CHOOSE(adam)
    (w, first, second, g, n, (float)adam->eta / (float)adam->slow, 1 / (float)adam->quick);
}

void cairn_adam_step_doubles(double *w, double *first, double *second, const double *g, size_t n,
                             const cairn_adam *adam)
{
    CHOOSE(adam_doubles)(w, first, second, g, n, adam->eta, adam->slow, adam->quick);
}
