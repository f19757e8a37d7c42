/* SPDX-License-Identifier: MIT */
/* What one pass over a column tells: see cairn_look_at. */
#include "kernels/kernels.h"
#include <math.h>

#define KERNEL_BODY "kernels/look_body.h"
#include "kernels/each_level.h"

void cairn_look_at(cairn_look *out, const double *x, size_t n)
{
    CHOOSE(look)(out, x, n);
}
