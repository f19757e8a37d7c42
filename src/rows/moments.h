/* SPDX-License-Identifier: MIT */
/* Moments and means of number columns over the rows of a view. */
#ifndef CAIRN_ROWS_MOMENTS_H
#define CAIRN_ROWS_MOMENTS_H

#include "data/view.h"

typedef struct cairn_moments {
    double weight; /* of the cells that are not missing */
    double mean;
    double squares; /* weighted sum of squared deviations from the mean, each over `unit` */
    double unit;    /* 1 unless the squares would leave the range of numbers */
    double low, high;
} cairn_moments;

/* Moments of number column `feature` over the view's rows: two passes in fixed blocks. */
CAIRN_CHECKED cairn_status cairn_column_moments(cairn_context *ctx, const cairn_view *view,
                                                size_t feature, cairn_moments *out);

/* The same of numbers that are not a feature, such as the target's; one per table row. */
CAIRN_CHECKED cairn_status cairn_number_moments(cairn_context *ctx, const cairn_view *view,
                                                const double *numbers, cairn_moments *out);

/* Means only, of n features side by side, in one pass; NaN when all cells are missing and for
 * columns that are not of numbers. */
CAIRN_CHECKED cairn_status cairn_column_means(cairn_context *ctx, const cairn_view *view,
                                              const size_t *features, size_t n, double *means);

#endif
