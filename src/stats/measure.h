/* SPDX-License-Identifier: MIT */
/* Measures: one number for predictions beside the truth, as records. */
#ifndef CAIRN_STATS_MEASURE_H
#define CAIRN_STATS_MEASURE_H

#include "cairn/model.h"
#include "entry/entry.h"
#include "stats/judged.h"

typedef struct cairn_measure {
    cairn_entry entry; /* kind CAIRN_ENTRY_MEASURE */
    cairn_task task;   /* what it judges */
    bool lower_better;
    bool is_share;      /* its values lie between 0 and 1 */
    bool at_most_one;   /* they have no such lower limit */
    bool needs_scores;  /* the learner must give scores */
    bool ranks;         /* it compares the scores of different rows */
    bool needs_classes; /* CLUSTER: beside a labelling that is known */
    bool of_density;    /* CLUSTER: how probable the model makes the rows, if it says that */
    bool of_pairs;      /* CLUSTER: it compares every row with every other one, and of many rows
                           only a sample (CAIRN_MOST_PAIRED) */
    /* NaN where it is not defined. */
    cairn_status (*value)(cairn_context *ctx, double *out, const cairn_judged *judged);
} cairn_measure;

/* Squared errors of probabilities are half the squared distance; a probability of 0 for what
 * happened, which would cost infinitely much in the log loss, is taken as the least chance. */
#define CAIRN_BRIER_FACTOR 0.5
#define CAIRN_LEAST_CHANCE 1e-15

/* The usual measure of a task: accuracy, mean squared error or silhouette. Its name is the
 * name of the value in reports. */
const cairn_measure *cairn_measure_usual(cairn_task task);

/* Accuracy or mean squared error, as the rows are classes or numbers; NaN without weight. */
double cairn_judged_usual(const cairn_judged *judged);

#endif
