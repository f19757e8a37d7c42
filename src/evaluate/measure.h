/* SPDX-License-Identifier: MIT */
/* Measures: one number for held-out predictions, as records. */
#ifndef CAIRN_EVALUATE_MEASURE_H
#define CAIRN_EVALUATE_MEASURE_H

#include "evaluate/evaluate.h"

typedef struct cairn_measure {
    cairn_entry entry; /* kind CAIRN_ENTRY_MEASURE */
    cairn_task task;   /* what it judges */
    bool lower_better;
    bool is_share;     /* its values lie between 0 and 1 */
    bool at_most_one;  /* they have no such lower limit */
    bool needs_scores; /* the learner must give scores */
    /* Of predictions begin .. end-1; NaN where it is not defined. */
    cairn_status (*value)(cairn_context *ctx, double *out, const cairn_evaluation *e, size_t begin,
                          size_t end);
} cairn_measure;

/* Squared errors of probabilities are half the squared distance; a probability of 0 for what
 * happened, which would cost infinitely much in the log loss, is taken as the least chance. */
#define CAIRN_BRIER_FACTOR 0.5
#define CAIRN_LEAST_CHANCE 1e-15

/* Whether `answers` (predictions or baseline) have row i right: no answer never is, not even where
 * the class is one that the model does not know. */
static inline bool cairn_is_right(const cairn_evaluation *e, const int32_t *answers, size_t i)
{
    return answers[i] >= 0 && answers[i] == e->actual[i];
}

/* Share by weight of rows begin .. end-1 that `answers` have right. */
double cairn_share_right(const cairn_evaluation *e, const int32_t *answers, size_t begin,
                         size_t end);

/* Weights of a class: rows that have it, rows said to have it, rows rightly said so. */
typedef struct cairn_class_counts {
    double actual, predicted, right;
} cairn_class_counts;
/* Of every class over rows begin .. end-1. Scratch. */
CAIRN_CHECKED cairn_status cairn_count_classes(cairn_context *ctx, cairn_class_counts **out,
                                               const cairn_evaluation *e, size_t begin, size_t end);

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

/* Test rows over training rows of the first split. */
double cairn_split_share(const cairn_evaluation *e);
/* `splits` (n_splits) gets the values of the splits; NULL = not wanted. */
CAIRN_CHECKED cairn_status cairn_measure_all(cairn_context *ctx, cairn_measured *out,
                                             const cairn_measure *measure,
                                             const cairn_evaluation *e, double *splits);
/* Accuracy or mean squared error of the training rows in the measure's own terms (error, rmse), or
 * as it is; mean and deviation over the splits. NaN when they were not judged. */
cairn_measured cairn_measured_training(const cairn_evaluation *e, const cairn_measure *measure);
/* The same of the answer that looks at no feature. */
double cairn_measured_baseline(const cairn_evaluation *e, const cairn_measure *measure);

#endif
