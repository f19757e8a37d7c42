/* SPDX-License-Identifier: MIT */
/* Scores of rows by classes with normal densities: linear ones, and squared distances in the metric
 * of a covariance. */
#include "kernels/kernels.h"

typedef struct linear {
    double *restrict out;
    size_t stride;
    const double *const *columns;
    size_t first, n, n_columns;
    const double *centre, *planes;
    size_t n_classes;
} linear;

typedef struct distances {
    double *restrict out;
    const double *z;
    size_t n, n_columns;
    const double *factor, *offset;
} distances;

#define KERNEL_BODY "kernels/densities_body.h"
#include "kernels/each_level.h"

void cairn_plane_scores(double *out, size_t stride, const double *const *columns, size_t first,
                        size_t n, size_t n_columns, const double *centre, const double *planes,
                        size_t n_classes)
{
    linear w = {out, stride, columns, first, n, n_columns, centre, planes, n_classes};
    CHOOSE(plane_scores)(&w);
}

void cairn_normal_squares(double *out, const double *z, size_t n, size_t n_columns,
                          const double *factor, const double *offset)
{
    distances w = {out, z, n, n_columns, factor, offset};
    CHOOSE(normal_squares)(&w);
}
