/* SPDX-License-Identifier: MIT */
/* The passes of k-medoids over a line of distances. */
#include "kernels/medoid_scan.h"

#define KERNEL_BODY "kernels/medoid_scan_body.h"
#include "kernels/each_level.h"

size_t cairn_where_less(uint32_t *out, const double *a, const double *b, size_t n)
{
    return CHOOSE(where_all_less)(out, a, b, n);
}

double cairn_falls_sum(const double *from, const double *to, const double *weights, size_t n)
{
    return CHOOSE(falls_sum)(from, to, weights, n);
}
