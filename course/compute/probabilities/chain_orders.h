/* SPDX-License-Identifier: MIT */
/* What 'cairn compute chain' tells of chains of higher order: the table of contexts, distributions
 * of the last step from those of contexts, factors of sequences and steps at random. */
#ifndef CAIRN_COMPUTE_PROBABILITIES_CHAIN_ORDERS_H
#define CAIRN_COMPUTE_PROBABILITIES_CHAIN_ORDERS_H

#include "compute/probabilities/chain_source.h"

/* Order, numbers of states and contexts, and P(state | context): "next.CONTEXT.STATE". */
void cairn_chain_show_contexts(cairn_report *out, const cairn_markov *chain);

/* The distribution of the last step, n_symbols, from that of the contexts. */
void cairn_chain_last(const cairn_markov *chain, const double *contexts, double *out);
/* How it comes about, as a step of the work: P(rain) = P(rain rain) + P(dry rain) = 0.2 + 0.1. */
CAIRN_CHECKED cairn_status cairn_chain_work_last(cairn_context *ctx, cairn_report *out,
                                                 const cairn_markov *chain, const double *contexts,
                                                 const char *letter);

/* The long run of every state: its share, how long it lasts when it is come to, and after how long
 * it comes back: "stationary.STATE", "run.STATE", "return.STATE". */
CAIRN_CHECKED cairn_status cairn_chain_show_last_run(cairn_context *ctx, cairn_report *out,
                                                     const cairn_markov *chain,
                                                     const cairn_closed_classes *closed);

/* A factor of a sequence of symbols: its name, P(dry | rain rain), and its value. `context` goes on
 * to that of the next step; it begins with that of the model before the first. */
double cairn_chain_factor(const cairn_markov *chain, size_t *context, int32_t symbol,
                          cairn_text *name);

/* n steps at random. */
CAIRN_CHECKED cairn_status cairn_chain_walk(cairn_context *ctx, const cairn_markov *chain,
                                            int32_t *steps, size_t n);

#endif
