/* SPDX-License-Identifier: MIT */
/* Distributions of error: what many splits say together, and how the sizes of the training and the
 * test part trade off. */
#ifndef CAIRN_EVALUATE_SPREAD_H
#define CAIRN_EVALUATE_SPREAD_H

#include "evaluate/evaluate.h"

/* How the training sets of cross-validation overlap; histogram, mean, deviation and bias when there
 * are many splits; nothing for a given model. */
CAIRN_CHECKED cairn_status cairn_spread_report(cairn_context *ctx, cairn_report *out,
                                               const cairn_evaluation *e);

/* Repeated hold-out with each of the shares ("0.1,0.3,0.5") to test on: mean, deviation and bias of
 * the estimates beside the sizes. */
CAIRN_CHECKED cairn_status cairn_tradeoff_report(cairn_context *ctx, cairn_report *out,
                                                 const cairn_params *params,
                                                 const cairn_table *table, const char *shares,
                                                 size_t runs, const cairn_evaluate_how *options);

/* A visit that lists the rows of every split, for small tables. */
typedef struct cairn_sample_list {
    size_t n;             /* splits */
    char **train, **test; /* n: row numbers; NULL = too many to list */
} cairn_sample_list;

/* The list must stay until the evaluation has ended; the caller clears it. Reporting says so
 * where there were too many rows or splits to list. */
cairn_split_visit cairn_samples_visit(cairn_sample_list *list);
void cairn_samples_report(cairn_report *out, const cairn_sample_list *list);
void cairn_samples_clear(cairn_sample_list *list);

#endif
