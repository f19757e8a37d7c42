/* SPDX-License-Identifier: MIT */
/* Assigning rows to their nearest centres, the inner loop of k-means and its relatives.
 *
 * Distances are sums of squared differences, never |x|^2 - 2xc + |c|^2: on processors with two
 * vector pipes the subtraction is nearly free, no digits are lost to cancellation, and centres at
 * the same distance tie exactly. So do centres whose squared distances differ by a part in 1e12:
 * such a difference is rounding in the numbers that were given. */
#include "kernels/kernels.h"
#include <math.h>
#include <stdbool.h>

/* A centre is nearer when its squared distance is below this part of the best. */
static const double NEARER = 1 - 1e-12;

enum { FEW_COLUMNS = 64 };

#define KERNEL_BODY "kernels/nearest_body.h"
#include "kernels/each_level.h"

void cairn_nearest_centres(int32_t *nearest, double *distances, const double *x, size_t stride,
                           size_t n, size_t n_columns, const double *centres, size_t n_centres)
{
    if (n_columns <= FEW_COLUMNS)
        CHOOSE(nearest_few)(nearest, distances, x, stride, n, n_columns, centres, n_centres);
    else
        CHOOSE(nearest_many)(nearest, distances, NULL, x, stride, n, n_columns, centres, n_centres);
}

typedef void (*two_function)(int32_t *nearest, double *distances, double *seconds, const double *x,
                             size_t stride, size_t n, size_t n_columns, const double *centres,
                             size_t n_centres);

void cairn_nearest_two_centres(int32_t *nearest, double *distances, double *seconds,
                               const double *x, size_t stride, size_t n, size_t n_columns,
                               const double *centres, size_t n_centres)
{
    two_function function =
        n_columns <= FEW_COLUMNS ? CHOOSE(nearest_two_few) : CHOOSE(nearest_many);
    function(nearest, distances, seconds, x, stride, n, n_columns, centres, n_centres);
}

void cairn_centre_sums_add(double *sums, double *weights, const double *x, size_t stride, size_t n,
                           size_t n_columns, const int32_t *nearest, const double *w)
{
    CHOOSE(centre_sums)(sums, weights, x, stride, n, n_columns, nearest, w);
}
