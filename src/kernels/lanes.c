/* SPDX-License-Identifier: MIT */
/* Sparse rows against eight vectors. */
#include "kernels/lanes.h"

#define KERNEL_BODY "kernels/lanes_body.h"
#include "kernels/each_level.h"

void cairn_lanes_dot(double *out, const int32_t *items, const double *values, size_t n,
                     const double *w)
{
    CHOOSE(lanes_dot)(out, items, values, n, w);
}

void cairn_lanes_add(double *w, const int32_t *items, const double *values, size_t n,
                     const double *by)
{
    CHOOSE(lanes_add)(w, items, values, n, by);
}
