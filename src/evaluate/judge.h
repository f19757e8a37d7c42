/* SPDX-License-Identifier: MIT */
/* Parts of the judgement of held-out predictions. */
#ifndef CAIRN_EVALUATE_JUDGE_H
#define CAIRN_EVALUATE_JUDGE_H

#include "evaluate/evaluate.h"
#include "stats/errors.h"
#include "stats/intervals.h"
#include "stats/ranking.h"

/* What costs are about. */
typedef struct cairn_judged_classes {
    cairn_task task;
    const char *target;
    const cairn_map *classes;
    int32_t positive;
} cairn_judged_classes;
/* The matrix that was given, or the one that the costs of the two errors make (scratch); NULL = no
 * costs were given. Fails where they do not suit the task or the classes. */
CAIRN_CHECKED cairn_status cairn_cost_matrix(cairn_context *ctx, const double **out,
                                             const cairn_judge_options *options,
                                             const cairn_judged_classes *of);
/* The same of an evaluation. */
CAIRN_CHECKED cairn_status cairn_evaluation_costs(cairn_context *ctx, const double **out,
                                                  const cairn_evaluation *e,
                                                  const cairn_judge_options *options);

/* Mean squared error of the means of the training rows, over the rows that got an answer. */
double cairn_baseline_mse(const cairn_judged *judged, const double *baseline);
/* Student's t over the squared errors; `rows` are the independent ones among them. */
cairn_interval cairn_mse_interval(const cairn_errors *errors, double rows, double level);
/* The mean over the splits of what the training rows give; NaN where they were not judged. */
double cairn_training_mean(const cairn_evaluation *e);

/* Whether all rows of a split have the same scores, in each of several splits: what is pooled then
 * ranks the splits and not the rows. */
bool cairn_ranks_splits(const cairn_evaluation *evaluation);

#endif
