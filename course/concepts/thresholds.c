/* SPDX-License-Identifier: MIT */
/* Thresholds on a line: between the largest point of one class and the smallest of the other. */
#include "concepts/shapes.h"

#include <math.h>

void cairn_thresholds_find(cairn_thresholds *out, const cairn_labelled *points, size_t column,
                           cairn_side side)
{
    bool upwards = side == CAIRN_SIDE_AT_LEAST || side == CAIRN_SIDE_ABOVE;
    bool strict = side == CAIRN_SIDE_ABOVE || side == CAIRN_SIDE_BELOW;
    double low = -INFINITY, high = INFINITY;
    *out = (cairn_thresholds){.negative = SIZE_MAX, .positive = SIZE_MAX};
    for (size_t i = 0; i < points->n; i++) {
        double x = points->x[i * points->d + column];
        bool right = points->positive[i] == upwards; /* belongs at the right of m */
        size_t *mark = points->positive[i] ? &out->positive : &out->negative;
        if (right ? x < high : x > low) {
            *(right ? &high : &low) = x;
            *mark = i;
        }
    }
    /* m itself is positive for >= and <=: it may then be the nearest positive point, and else the
     * nearest negative one */
    out->low = low;
    out->high = high;
    out->low_open = isinf(low) || upwards != strict;
    out->high_open = isinf(high) || upwards == strict;
    out->empty = !(low < high);
}

int cairn_thresholds_decide(const cairn_thresholds *t, cairn_side side, double x, double *share)
{
    bool upwards = side == CAIRN_SIDE_AT_LEAST || side == CAIRN_SIDE_ABOVE;
    double right = (x - t->low) / (t->high - t->low); /* thresholds left of x */
    *share = NAN;
    if (t->empty) return -1;
    if (x >= t->high || x <= t->low) {
        bool yes = (x >= t->high) == upwards;
        *share = yes;
        return yes;
    }
    if (isfinite(t->low) && isfinite(t->high)) *share = upwards ? right : 1 - right;
    return -1;
}
