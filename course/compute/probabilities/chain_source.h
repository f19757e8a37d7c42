/* SPDX-License-Identifier: MIT */
/* A Markov chain for calculators: typed, read from its text form, learned from sequences, or of a
 * saved model. One of an order above 1 becomes a chain over contexts. */
#ifndef CAIRN_COMPUTE_PROBABILITIES_CHAIN_SOURCE_H
#define CAIRN_COMPUTE_PROBABILITIES_CHAIN_SOURCE_H

#include "data/table.h"
#include "learners/sequence/markov.h"
#include "model/model.h"

/* A group of parameters. */
typedef struct cairn_markov_source {
    const char *states, *transitions, *start; /* typed */
    const char *given, *given_file;           /* in the text form */
    const char *sequences, *column;           /* to learn from: typed, or a column */
    int chain_order;                          /* of what is typed or learned */
    const char *of_class; /* whose chain of a saved model; NULL = the only one */
    cairn_markov_option option;
} cairn_markov_source;
extern const cairn_param cairn_markov_source_params[];

typedef struct cairn_markov {
    cairn_hmm model;                /* owned; states are the symbols, or contexts of several */
    cairn_markov_counts counts;     /* order 1: scratch; NULL = it was not learned */
    const cairn_markov_model *high; /* NULL = states are the symbols; else the chain of higher order
                                       of which these are contexts ... */
    size_t class;                   /* ... and its class */
    cairn_markov_contexts contexts; /* owned; without their chain, which is `model` */
    cairn_markov_model own;         /* owned: what `high` is, unless it is of a saved model */
    bool counted;                   /* `high` has counts */
    size_t n_sequences, n_empty;
} cairn_markov;

CAIRN_CHECKED cairn_status cairn_markov_read(cairn_context *ctx, cairn_markov *out,
                                             const cairn_markov_source *source,
                                             const cairn_table *table, const cairn_model *model);
void cairn_markov_clear(cairn_markov *chain);

/* The steps of a typed sequence as codes of these names, scratch; one that is not there fails with
 * the nearest name. `option` begins the message. */
CAIRN_CHECKED cairn_status cairn_markov_states(cairn_context *ctx, const cairn_map *names,
                                               const char *option, const char *text, size_t length,
                                               int32_t **out, size_t *n);

#endif
