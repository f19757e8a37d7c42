/* SPDX-License-Identifier: MIT */
/* Rows that answer for those near to them, as an operation of a program (model/program.h): the rows
 * are a table. */
#ifndef CAIRN_LEARNERS_EXEMPLARS_LOWER_H
#define CAIRN_LEARNERS_EXEMPLARS_LOWER_H

#include "model/program.h"
#include "stats/distance.h"

/* All borrowed. */
typedef struct cairn_exemplars {
    const cairn_metric *metric;
    const cairn_points *points;
    size_t neighbours;     /* how many of them answer */
    size_t n_classes;      /* 0 = numbers */
    const int32_t *codes;  /* classes: of the rows */
    const double *targets; /* numbers: of the rows */
    const double *weights; /* of the rows; NULL = all 1 */
    int weighting, window; /* how they count by their distance, as in learners/neighbours/knn.h */
    int tie;
    double width;
} cairn_exemplars;

/* Scores and a code, or a number. Refuses a distance that has no closed form. */
CAIRN_CHECKED cairn_status cairn_exemplars_lower(const cairn_exemplars *e, cairn_program *out);
/* The code of the nearest row, of equally near ones of the first: the answer's code alone. */
CAIRN_CHECKED cairn_status cairn_nearest_lower(const cairn_metric *metric,
                                               const cairn_points *points, const int32_t *codes,
                                               size_t n_classes, cairn_program *out);

#endif
