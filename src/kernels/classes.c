/* SPDX-License-Identifier: MIT */
/* Sums per class, and how likely rows are under a normal density per class and column: the inner
 * loops of Gaussian naive Bayes. */
#include "kernels/kernels.h"

#define KERNEL_BODY "kernels/classes_body.h"
#include "kernels/each_level.h"

void cairn_class_moments_add(double *sums, double *squares, const double *x, size_t stride,
                             size_t n, size_t n_columns, const int32_t *classes, const double *w,
                             const double *shift)
{
    CHOOSE(class_moments)(sums, squares, x, stride, n, n_columns, classes, w, shift);
}

void cairn_normal_logs(double *out, const double *const *columns, size_t first, size_t n,
                       size_t n_columns, const double *means, const double *rates)
{
    CHOOSE(normal_logs)(out, columns, first, n, n_columns, means, rates);
}
