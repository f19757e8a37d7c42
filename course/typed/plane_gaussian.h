/* SPDX-License-Identifier: MIT */
/* A Gaussian of two numbers, as it is typed: means of x and y, sds of x and y, correlation. */
#ifndef CAIRN_TYPED_PLANE_GAUSSIAN_H
#define CAIRN_TYPED_PLANE_GAUSSIAN_H

#include "base/context.h"

typedef struct cairn_plane_gaussian {
    double x, y;       /* mean */
    double xx, xy, yy; /* covariance */
} cairn_plane_gaussian;

/* From "0,0,1,1,0.8"; sds are positive and the correlation lies between -1 and 1. */
CAIRN_CHECKED cairn_status cairn_plane_gaussian_read(cairn_context *ctx, cairn_plane_gaussian *out,
                                                     const char *text);
/* The logarithm of the density. */
double cairn_plane_gaussian_log_density(const cairn_plane_gaussian *gaussian, double x, double y);

#endif
