/* SPDX-License-Identifier: MIT */
/* Parting the rows that a learner or transform was given once more, into rows to train on and rows
 * to judge by: inner resampling. */
#ifndef CAIRN_WRAPPERS_PARTS_H
#define CAIRN_WRAPPERS_PARTS_H

#include "resample/resample.h"
#include "model/model.h"

typedef struct cairn_inner_split {
    cairn_rows train, test; /* rows of the table, with the weights of the view */
} cairn_inner_split;

/* The splits of the resampling `by` over the rows of the view. `table` is a share of the view's
 * table that may be changed (its group column becomes levels); `who` begins the messages.
 * Scratch. */
CAIRN_CHECKED cairn_status cairn_split_view(cairn_context *ctx, cairn_inner_split **out, size_t *n,
                                            const cairn_view *view, cairn_table *table,
                                            const char *by, const char *who);

#endif
