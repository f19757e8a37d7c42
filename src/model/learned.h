/* SPDX-License-Identifier: MIT */
/* What models know, as tables: the pieces behind cairn/learned.h. */
#ifndef CAIRN_MODEL_LEARNED_H
#define CAIRN_MODEL_LEARNED_H

#include "cairn/learned.h"
#include "data/ledger.h"
#include "model/model.h"

/* The tables that every model has: their writers get the cairn_model in place of a learner's. */
extern const cairn_learned cairn_learned_common[];

/* The i-th model inside a wrapper; NULL at the end. */
const cairn_model *cairn_model_member(const cairn_model *model, size_t i);

/* -- pieces of tables that learners share -- */

/* Columns of the rows that follow, one per feature of the job's schema: numbers, and levels where
 * `levels` is set. `n` is how many there are. */
void cairn_learned_features(cairn_ledger *out, const cairn_job *job, size_t n, bool levels);
/* Their cells: numbers in the units of the data, where the chain can say them; codes of levels. */
void cairn_learned_place(cairn_ledger *out, const cairn_job *job, const double *values, size_t n,
                         bool levels);
/* Name of a class of the target; NULL where there is none. */
const char *cairn_learned_class(const cairn_job *job, int64_t class);

#endif
