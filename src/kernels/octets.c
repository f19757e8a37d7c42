/* SPDX-License-Identifier: MIT */
/* Passes over eight sequences of hidden states. */
#include "kernels/octets.h"
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define KERNEL_BODY "kernels/octets_body.h"
#include "kernels/each_level.h"

void cairn_octet_forward(double *alpha, double *factors, cairn_octet_scale *scale,
                         const double *first, const double *b, const double *move,
                         const double *lengths, size_t n, size_t steps)
{
    CHOOSE(octet_forward)(alpha, factors, scale, first, b, move, lengths, n, steps);
}

void cairn_octet_transfer(double *rows, cairn_octet_scale *scales, const double *b,
                          const double *move, const double *lengths, size_t n, size_t steps,
                          double *buffer)
{
    CHOOSE(octet_transfer)(rows, scales, b, move, lengths, n, steps, buffer);
}

void cairn_octet_backward(double *gamma, double *sums, const cairn_octet_pass *pass, size_t n,
                          size_t steps)
{
    CHOOSE(octet_backward)(gamma, sums, pass, n, steps);
}

void cairn_octet_normal_logs(double *out, const double *x, const double *means,
                             const double *whites, const double *constants, size_t n, size_t d,
                             size_t steps)
{
    CHOOSE(octet_normal_logs)(out, x, means, whites, constants, n, d, steps);
}

void cairn_octet_less_top(double *b, double *tops, size_t n, size_t steps)
{
    CHOOSE(octet_less_top)(b, tops, n, steps);
}

void cairn_octet_moments_add(double *sums, const double *gamma, const double *x, size_t n, size_t d,
                             size_t steps)
{
    CHOOSE(octet_moments_add)(sums, gamma, x, n, d, steps);
}
