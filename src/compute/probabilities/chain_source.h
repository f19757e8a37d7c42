/* SPDX-License-Identifier: MIT */
/* A Markov chain for calculators: typed, read from its text form, or learned from sequences. */
#ifndef CAIRN_COMPUTE_PROBABILITIES_CHAIN_SOURCE_H
#define CAIRN_COMPUTE_PROBABILITIES_CHAIN_SOURCE_H

#include "data/table.h"
#include "learners/sequence/markov_chain.h"

/* A group of parameters. */
typedef struct cairn_markov_source {
    const char *states, *transitions, *start; /* typed */
    const char *given, *given_file;           /* in the text form */
    const char *sequences, *column;           /* to learn from: typed, or a column */
    cairn_markov_option option;
} cairn_markov_source;
extern const cairn_param cairn_markov_source_params[];

typedef struct cairn_markov {
    cairn_hmm model;            /* owned */
    cairn_markov_counts counts; /* scratch; NULL = it was not learned */
    size_t n_sequences, n_empty;
} cairn_markov;

CAIRN_CHECKED cairn_status cairn_markov_read(cairn_context *ctx, cairn_markov *out,
                                             const cairn_markov_source *source,
                                             const cairn_table *table);
void cairn_markov_clear(cairn_markov *chain);

/* The states of a typed sequence, scratch; one that the chain does not have fails with the nearest
 * name. `option` begins the message. */
CAIRN_CHECKED cairn_status cairn_markov_states(cairn_context *ctx, const cairn_hmm *chain,
                                               const char *option, const char *text, size_t length,
                                               int32_t **out, size_t *n);

#endif
