/* SPDX-License-Identifier: MIT */
/* What a Markov chain with visible states does: its counts, the distribution a step later, and the
 * classes of states that it does not leave again. A chain is a cairn_hmm that gives nothing off. */
#ifndef CAIRN_LEARNERS_SEQUENCE_MARKOV_CHAIN_H
#define CAIRN_LEARNERS_SEQUENCE_MARKOV_CHAIN_H

#include "learners/sequence/hmm.h"
#include "report/report.h"
#include "solve/certificate.h"
#include "stats/smoothing.h"

/* What becomes of a state that is never left in the sequences that a chain is learned from. */
typedef enum cairn_unvisited {
    CAIRN_UNVISITED_ERROR,
    CAIRN_UNVISITED_UNIFORM,
    CAIRN_UNVISITED_SMOOTH
} cairn_unvisited;

/* The options of learning, a group of parameters. */
typedef struct cairn_markov_option {
    cairn_smoothing_option smoothing;
    int unvisited;
} cairn_markov_option;
extern const cairn_param cairn_markov_params[];
extern const cairn_choice cairn_unvisited_choices[];

/* Scratch. */
typedef struct cairn_markov_counts {
    double *start; /* n_states: sequences that begin there */
    double *move;  /* n_states x n_states */
} cairn_markov_counts;

/* Add a sequence; a code below 0 is no state, and no move leads there or from there. */
void cairn_markov_count(cairn_markov_counts *counts, size_t n_states, const int32_t *items,
                        size_t n, double weight);
/* How the options smooth: what they say, or one more of each for {unvisited smooth}. */
CAIRN_CHECKED cairn_status cairn_markov_smoothing(cairn_context *ctx, cairn_smoothing *out,
                                                  const cairn_markov_option *option);
/* The share of counts[at] among n counts as on the board, with what smoothing adds:
 * (3 + 1) / (5 + 2·1). */
void cairn_markov_show_share(cairn_report *out, const char *label, cairn_smoothing smoothing,
                             const double *counts, size_t n, size_t at, double share);
/* Start and moves of a chain, whose names and arrays are there, from counts. */
CAIRN_CHECKED cairn_status cairn_markov_fit(cairn_context *ctx, cairn_hmm *chain,
                                            const cairn_markov_counts *counts,
                                            const cairn_markov_option *option);

/* The distribution one step after `now`. */
void cairn_markov_step(const cairn_hmm *chain, const double *now, double *next);

/* Classes of states that lead to each other and to no others. Scratch. */
enum { CAIRN_PASSING = -1 };
typedef struct cairn_closed_classes {
    size_t n;
    int32_t *of;    /* n_states: its class, or CAIRN_PASSING: it is left for ever at some time */
    size_t *period; /* n: the class is visited in turns of so many steps */
    double *shares; /* n_states: stationary distribution of its class; 0 of passing states */
} cairn_closed_classes;
CAIRN_CHECKED cairn_status cairn_markov_closed(cairn_context *ctx, const cairn_hmm *chain,
                                               cairn_closed_classes *out);
/* The proof of stationary distributions: what a step changes of them, as a part of the state's
 * share and what comes in. */
void cairn_markov_prove(cairn_certificate *out, const cairn_hmm *chain,
                        const cairn_closed_classes *classes);

#endif
