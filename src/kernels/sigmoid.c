/* SPDX-License-Identifier: MIT */
/* Probabilities, residuals and losses of two classes from scores. */
#include "kernels/kernels.h"
#include "base/functions.h"

#define KERNEL_BODY "kernels/sigmoid_body.h"
#include "kernels/each_level.h"

/* -ln p is ln(1 + e^-|a|) and, for rows on the wrong side, |a|. The factors 1 + e^-|a|, from 1 to
 * 2, are multiplied and their logarithm is taken once; 512 of them cannot overflow. */
enum { TOGETHER = 512 };

void cairn_sigmoids(double *rest, double *curve, cairn_sigmoid_sums *sums, const double *a,
                    const double *signs, size_t n, double sure)
{
    for (size_t i = 0; i < n; i += TOGETHER) {
        size_t some = n - i < TOGETHER ? n - i : TOGETHER;
        CHOOSE(sigmoids)(rest + i, curve + i, sums, a + i, signs + i, some, sure);
    }
}
