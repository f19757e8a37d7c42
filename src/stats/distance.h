/* SPDX-License-Identifier: MIT */
/* Distances between the rows of a view, as a matrix. */
#ifndef CAIRN_STATS_DISTANCE_H
#define CAIRN_STATS_DISTANCE_H

#include "data/view.h"

typedef enum cairn_distance {
    CAIRN_EUCLIDEAN, /* root of the sum of squared differences */
    CAIRN_MANHATTAN, /* sum of absolute differences */
    CAIRN_CHEBYSHEV, /* largest absolute difference */
    CAIRN_HAMMING,   /* number of cells that differ; any kind of column */
    CAIRN_JACCARD,   /* 1 - both / either, of numbers that are not 0; 0 between empty rows */
    CAIRN_COSINE,    /* 1 - cosine of the angle; 1 where a row is all 0, 0 between two such */
    CAIRN_GOWER      /* mean of |difference| / range for numbers and 0 or 1 for levels, over the
                        columns that both rows have; 0 when there is none */
} cairn_distance;

const char *cairn_distance_name(cairn_distance distance);

/* out (n x n) of the view's features and rows. `scales` (one per feature, NULL = ones) divide
 * number columns; Gower takes ranges instead. Only Hamming and Gower take level columns, and only
 * Gower takes missing cells: anything else fails naming column and row. */
CAIRN_CHECKED cairn_status cairn_distance_matrix(cairn_context *ctx, double *out,
                                                 const cairn_view *view, cairn_distance distance,
                                                 const double *scales);

#endif
