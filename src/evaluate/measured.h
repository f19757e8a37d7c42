/* SPDX-License-Identifier: MIT */
/* Measures over all held-out predictions and over the splits. */
#ifndef CAIRN_EVALUATE_MEASURED_H
#define CAIRN_EVALUATE_MEASURED_H

#include "evaluate/evaluate.h"
#include "stats/measure.h"

/* The measure of that name, or the usual one of the task (accuracy, mse) for NULL. Fails when it
 * does not suit the task or needs scores that are not there. */
CAIRN_CHECKED cairn_status cairn_measure_get(cairn_context *ctx, const cairn_measure **out,
                                             const char *name, const cairn_evaluation *e);
/* One value per split (e->n_splits; NaN for an empty one). */
CAIRN_CHECKED cairn_status cairn_measure_splits(cairn_context *ctx, const cairn_measure *measure,
                                                const cairn_evaluation *e, double *out);

/* A measure over all held-out predictions and over the splits. */
typedef struct cairn_measured {
    double value;     /* over all predictions */
    double mean, sd;  /* over the splits where it is defined; sd by n - 1 */
    double low, high; /* interval of `value`: as wide as that of the mean, by Student's t with the
                         correction for the overlap of training sets; of a single split or a given
                         model by samples of the rows (bootstrap) */
} cairn_measured;

/* `splits` (n_splits) gets the values of the splits; NULL = not wanted. */
CAIRN_CHECKED cairn_status cairn_measure_all(cairn_context *ctx, cairn_measured *out,
                                             const cairn_measure *measure,
                                             const cairn_evaluation *e, double *splits);
/* Accuracy or mean squared error of the training rows in the measure's own terms (error, rmse), or
 * as it is; mean and deviation over the splits. NaN when they were not judged. */
cairn_measured cairn_measured_training(const cairn_evaluation *e, const cairn_measure *measure);
/* The same of the answer that looks at no feature. */
double cairn_measured_baseline(const cairn_evaluation *e, const cairn_measure *measure);

/* Number, mean and deviation of the values, `stride` apart, of the splits that have one. */
typedef struct cairn_over_splits {
    double n, mean, sd;
} cairn_over_splits;
cairn_over_splits cairn_look_over(const double *values, size_t stride, size_t n_splits);

#endif
