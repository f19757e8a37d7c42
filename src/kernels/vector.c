/* SPDX-License-Identifier: MIT */
/* Sums, products and distances of plain vectors. */
#include "kernels/kernels.h"
#include <math.h>

#define KERNEL_BODY "kernels/vector_body.h"
#include "kernels/each_level.h"

double cairn_dot(const double *a, const double *b, size_t n)
{
    return CHOOSE(dot)(a, b, n);
}

double cairn_sum(const double *a, size_t n)
{
    return CHOOSE(sum)(a, n);
}

double cairn_absolute_distance(const double *a, const double *b, size_t n)
{
    return CHOOSE(absolute_distance)(a, b, n);
}

double cairn_largest_distance(const double *a, const double *b, size_t n)
{
    return CHOOSE(largest_distance)(a, b, n);
}

double cairn_squared_distance(const double *a, const double *b, size_t n)
{
    return CHOOSE(squared_distance)(a, b, n);
}

void cairn_axpy(double *y, double factor, const double *x, size_t n)
{
    CHOOSE(axpy)(y, factor, x, n);
}

void cairn_row_dots(double *out, const double *x, size_t stride, size_t n, size_t n_columns,
                    const double *w, double start)
{
    CHOOSE(row_dots)(out, x, stride, n, n_columns, w, start);
}
