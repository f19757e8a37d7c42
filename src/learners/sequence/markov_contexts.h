/* SPDX-License-Identifier: MIT */
/* A chain of any order as one of order 1, whose states are contexts: what the last steps were. At
 * the beginning of a sequence contexts are shorter; these are left for ever. */
#ifndef CAIRN_LEARNERS_SEQUENCE_MARKOV_CONTEXTS_H
#define CAIRN_LEARNERS_SEQUENCE_MARKOV_CONTEXTS_H

#include "learners/sequence/markov.h"

typedef struct cairn_markov_contexts {
    cairn_hmm chain;  /* owned; states are called "rain dry", shorter ones "start rain" */
    int32_t *last;    /* owned, n_states: the last step, a symbol of the model */
    bool *shorter;    /* owned, n_states */
    size_t *contexts; /* owned, n_states: which context of the model it is */
} cairn_markov_contexts;

/* Contexts that the chain of a class can come to, in their order in the model, the shorter ones
 * first; of order 0 and 1 a state for each symbol. Fails where there are more than
 * CAIRN_MOST_STATES. */
CAIRN_CHECKED cairn_status cairn_markov_expand(cairn_context *ctx, cairn_markov_contexts *out,
                                               const cairn_markov_model *model, size_t class);
void cairn_markov_contexts_clear(cairn_markov_contexts *contexts);

/* P(symbol | context) of a class. */
double cairn_markov_share(const cairn_markov_model *model, size_t class, size_t context,
                          size_t symbol);
/* The context after a symbol. */
size_t cairn_markov_after(const cairn_markov_model *model, size_t context, size_t symbol);

#endif
