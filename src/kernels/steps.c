/* SPDX-License-Identifier: MIT */
#include "kernels/steps.h"
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

void cairn_adam_step(float *w, float *first, float *second, const float *g, size_t n, float eta,
                     float slow, float quick)
{
    CHOOSE(adam)(w, first, second, g, n, eta / slow, 1 / quick);
}
