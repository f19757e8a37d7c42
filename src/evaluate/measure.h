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
    bool needs_scores; /* the learner must give scores */
    /* Of predictions begin .. end-1; NaN where it is not defined. */
    cairn_status (*value)(cairn_context *ctx, double *out, const cairn_evaluation *e, size_t begin,
                          size_t end);
} cairn_measure;

/* The measure of that name, or the usual one of the task (accuracy, mse) for NULL. Fails when it
 * does not suit the task or needs scores that are not there. */
CAIRN_CHECKED cairn_status cairn_measure_get(cairn_context *ctx, const cairn_measure **out,
                                             const char *name, const cairn_evaluation *e);
/* One value per split (e->n_splits; NaN for an empty one). */
CAIRN_CHECKED cairn_status cairn_measure_splits(cairn_context *ctx, const cairn_measure *measure,
                                                const cairn_evaluation *e, double *out);

#endif
