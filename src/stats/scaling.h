/* SPDX-License-Identifier: MIT */
/* Classical multidimensional scaling: places for rows of which only the distances are known. */
#ifndef CAIRN_STATS_SCALING_H
#define CAIRN_STATS_SCALING_H

#include "stats/components.h"

typedef struct cairn_scaling {
    size_t n, n_dimensions;
    /* n eigenvalues, falling; negative ones say that no space has such distances */
    double *values;
    double *places; /* n_dimensions x n: coordinate k of every row */
    /* root of sum (d - distance of the places)^2 / sum d^2; undefined when all d are 0 */
    double stress;
    double goodness;     /* eigenvalues of the dimensions over all positive ones */
    double goodness_all; /* over the absolute values of all */
    size_t n_negative;   /* eigenvalues below 0 by more than rounding */
} cairn_scaling;

/* b := -1/2 of the squares, with row means and column means taken off and the mean of all put back:
 * the inner products of the places. In place. */
void cairn_double_centre(double *squares, size_t n);

/* From distances (n x n, symmetric). Dimensions whose eigenvalue is not positive are 0. All from
 * scratch. `centred` (NULL = not wanted) gets the doubly centred matrix. */
CAIRN_CHECKED cairn_status cairn_classical_scaling(cairn_context *ctx, cairn_scaling *out,
                                                   const double *distances, size_t n,
                                                   size_t n_dimensions, cairn_sign sign,
                                                   double **centred);

/* Distances from inner products: d^2 = k_ii + k_jj - 2 k_ij, 0 where rounding makes it negative;
 * fails when it is negative by more, which no Gram matrix has. */
CAIRN_CHECKED cairn_status cairn_distances_of_gram(cairn_context *ctx, double *out,
                                                   const double *gram, size_t n);

#endif
