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

#endif
