/* SPDX-License-Identifier: MIT */
/* Hidden Markov models that were learned and saved, for calculators and pictures. */
#ifndef CAIRN_COMPUTE_PROBABILITIES_HMM_SOURCE_H
#define CAIRN_COMPUTE_PROBABILITIES_HMM_SOURCE_H

#include "learners/sequence/hmm.h"
#include "model/model.h"

/* How many hidden Markov models a model has: one, or one for each class. Fails for one of another
 * learner. */
CAIRN_CHECKED cairn_status cairn_hmm_saved_count(cairn_context *ctx, const cairn_model *model,
                                                 size_t *n);
/* A copy of the i-th, with the names of its columns; *name becomes its class, NULL = it is the only
 * one. */
CAIRN_CHECKED cairn_status cairn_hmm_saved(cairn_context *ctx, cairn_hmm *out,
                                           const cairn_model *model, size_t i, const char **name);
/* A copy of the only one. */
CAIRN_CHECKED cairn_status cairn_hmm_saved_alone(cairn_context *ctx, cairn_hmm *out,
                                                 const cairn_model *model);

#endif
