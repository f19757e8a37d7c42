/* SPDX-License-Identifier: MIT */
/* A distance of two rows with the numbers put in. */
#ifndef CAIRN_COMPUTE_DISTANCE_STEPS_H
#define CAIRN_COMPUTE_DISTANCE_STEPS_H

#include "data/view.h"
#include "report/report.h"
#include "stats/distance.h"

typedef struct cairn_distance_work {
    const cairn_metric *metric;
    const cairn_view *a, *b; /* as they are: not scaled */
    size_t i, j;             /* row of a, row of b */
    const char *name, *other;
    const double *weights; /* of the columns; NULL = all 1 */
    double value;
} cairn_distance_work;

/* "d(A, B) = √((0 − 1)² + (0 − 1)²) = √(1 + 1) = 1.41421" for whatever distance it is. */
void cairn_work_distance(cairn_report *out, const cairn_distance_work *work);

#endif
