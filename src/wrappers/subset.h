/* SPDX-License-Identifier: MIT */
/* How well a learner does with some of the features: models are fitted on training parts of the
 * rows and judged on the rest. */
#ifndef CAIRN_WRAPPERS_SUBSET_H
#define CAIRN_WRAPPERS_SUBSET_H

#include "stats/measure.h"
#include "wrappers/parts.h"

/* The errors to choose from, and with them the names that `select` has for the measures. */
extern const cairn_choice cairn_subset_errors[];

/* All memory is scratch but `table` and `params`, which cairn_subset_clear frees. */
typedef struct cairn_subset {
    const cairn_job *job;
    cairn_table *table;     /* of the job, with the columns that no learner can use turned off */
    const size_t *features; /* n: table columns to choose among */
    size_t n;
    cairn_params *params;         /* the learner's */
    const cairn_measure *measure; /* what is to be small, or 1 less it where more is better */
    cairn_fit_options fit;
    cairn_inner_split *splits;
    size_t n_splits;
    double fits; /* models that were trained */
} cairn_subset;

/* `learner` NULL = linear for numbers, tree for classes. `error` is a value of cairn_subset_errors.
 * Validation rows are `rows`, table rows from 1 as in "11-15,20", or split by the resampling `by`.
 * */
CAIRN_CHECKED cairn_status cairn_subset_start(cairn_context *ctx, cairn_subset *out,
                                              const cairn_job *job, const size_t *features,
                                              size_t n, const cairn_params *learner, int error,
                                              const char *by, const char *rows);
void cairn_subset_clear(cairn_subset *subset);

/* Errors of n_sets sets, side by side; `sets` is n_sets x subset->n of 1 (in) and 0 (out). The
 * empty set is the mean or the majority of the training rows. */
CAIRN_CHECKED cairn_status cairn_subset_errors_of(cairn_context *ctx, cairn_subset *subset,
                                                  const uint8_t *sets, size_t n_sets,
                                                  double *errors);

#endif
