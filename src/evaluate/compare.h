/* SPDX-License-Identifier: MIT */
/* Contests: several learners on one table, on the same splits. */
#ifndef CAIRN_EVALUATE_COMPARE_H
#define CAIRN_EVALUATE_COMPARE_H

#include "evaluate/measure.h"

typedef struct cairn_contestant {
    const char *name;           /* as the user wrote it, for tables */
    const cairn_params *params; /* of the learner */
} cairn_contestant;

typedef struct cairn_contest {
    const char *data; /* name of the table, borrowed */
    const cairn_contestant *learners;
    size_t n_learners;
    const cairn_measure *measure;
    cairn_evaluation *evaluations; /* n_learners */
    double *overall;               /* n_learners: the measure over all held-out predictions */
    double *splits;                /* n_learners x n_splits */
    cairn_model_size *sizes;       /* n_learners: of models fitted to all rows */
    double share;                  /* test rows / training rows of a split */
    size_t n_splits;
} cairn_contest;

/* Owned arrays, freed by cairn_contest_clear. The measure is the task's usual one when NULL. */
CAIRN_CHECKED cairn_status cairn_contest_run(cairn_context *ctx, cairn_contest *out,
                                             const cairn_contestant *learners, size_t n,
                                             const char *data, const cairn_table *table,
                                             const cairn_evaluate_options *options,
                                             const char *measure);
void cairn_contest_clear(cairn_contest *contest);

/* The table of learners, then all pairs with their tests at the level alpha. */
CAIRN_CHECKED cairn_status cairn_contest_report(cairn_context *ctx, cairn_report *out,
                                                const cairn_contest *contest, double alpha,
                                                const char *prefix);

#endif
