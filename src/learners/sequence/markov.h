/* SPDX-License-Identifier: MIT */
/* One Markov chain of any order for each class. */
#ifndef CAIRN_LEARNERS_SEQUENCE_MARKOV_H
#define CAIRN_LEARNERS_SEQUENCE_MARKOV_H

#include "learners/sequence/hmm.h"
#include "model/learner.h"
#include "report/report.h"
#include "solve/certificate.h"
#include "stats/smoothing.h"

/* What a Markov chain with visible states does: its counts, the distribution a step later, and the
 * classes of states that it does not leave again. A chain is a cairn_hmm that gives nothing off. */

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

/* Where a chain ends up that is stopped as soon as it comes to one of some states: `goal` has the
 * number of a goal (below n_goals) for each of these states, and -1 for all others. For every state
 * i, reached[i * n_goals + g] is the probability that goal g is the first to be come to, and
 * steps[i] the mean number of steps until one is, infinite where it may be that none is. */
CAIRN_CHECKED cairn_status cairn_markov_passage(cairn_context *ctx, const cairn_hmm *chain,
                                                const int32_t *goal, size_t n_goals,
                                                double *reached, double *steps);

/* A chain of any order as one of order 1, whose states are contexts: what the last steps were. At
 * the beginning of a sequence contexts are shorter; these are left for ever. */

typedef struct cairn_markov_contexts {
    cairn_hmm chain;  /* owned; states are called "rain dry", shorter ones "start rain" */
    int32_t *last;    /* owned, n_states: the last step, a symbol of the model */
    bool *shorter;    /* owned, n_states */
    size_t *contexts; /* owned, n_states: which context of the model it is */
} cairn_markov_contexts;

/* A context is what the last `order` steps were, as digits to the base of n_symbols + 1; the digit
 * n_symbols is "before the beginning". */
typedef struct cairn_markov_model {
    int32_t order;
    cairn_map symbols;
    size_t n_symbols, n_classes, n_contexts;
    double *weights; /* n_classes: rows of each class */
    double *counts;  /* n_classes x n_contexts x n_symbols */
    uint8_t *seen;   /* n_contexts: reached in some sequence, also at its end */
    int32_t smoothing, unvisited;
    double amount; /* of the smoothing */
    double *logs;  /* like counts: ln P(symbol | context, class); made from them */
} cairn_markov_model;

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

/* -- one Markov chain of any order for each class -- */

/* Order and smoothing as the options say. */
CAIRN_CHECKED cairn_status cairn_markov_choose(cairn_context *ctx, cairn_markov_model *model,
                                               int order, const cairn_markov_option *option);
/* Room for the counts, once order, symbols and classes are known; fails where that is too much. */
CAIRN_CHECKED cairn_status cairn_markov_make(cairn_context *ctx, cairn_markov_model *model);
/* Count a sequence of a class; an item below 0 is not known. */
void cairn_markov_add(cairn_markov_model *model, size_t class, const int32_t *items, size_t n,
                      double weight);
void cairn_markov_model_clear(void *model);

/* The steps of the rows of a view: of its column of sequences, or of its columns of levels, from
 * left to right, where it has none of sequences. Scratch. */
typedef struct cairn_markov_steps {
    const cairn_view *view;
    ptrdiff_t sequence;  /* feature; -1 = levels */
    int32_t **symbol_of; /* n_features: symbol of each code; NULL = no step */
    int32_t *row;        /* room for the longest row */
} cairn_markov_steps;

/* Symbols that are not in the map are added to it if `grow`, else they are -1. */
CAIRN_CHECKED cairn_status cairn_markov_open(cairn_context *ctx, cairn_markov_steps *out,
                                             const cairn_view *view, cairn_map *symbols, bool grow);
/* Warn where the cells of a column of levels look like sequences that were not declared: at least
 * half of its names have several words. */
void cairn_markov_warn_words(cairn_context *ctx, const char *name, const cairn_column *column);
/* The symbols of row i into steps->row, -1 = unknown; returns how many. */
size_t cairn_markov_row(const cairn_markov_steps *steps, size_t i);

/* A walk through contexts. */
typedef struct cairn_markov_walk {
    size_t context;
    int32_t unknown; /* so many of the last steps are not known */
} cairn_markov_walk;
cairn_markov_walk cairn_markov_begin(const cairn_markov_model *model);
/* Go on to the symbol; returns the context that it followed, SIZE_MAX where it or the context is
 * not known. */
size_t cairn_markov_go(const cairn_markov_model *model, cairn_markov_walk *walk, int32_t symbol);

/* The logarithms from the counts; a context that was seen and is never left in a class fails where
 * the model says so. `job` has the names of classes. */
CAIRN_CHECKED cairn_status cairn_markov_finish(cairn_context *ctx, cairn_markov_model *model,
                                               const cairn_job *job);
/* The name of a context, "rain, dry", or "start" before the first step. */
void cairn_markov_name(cairn_text *out, const cairn_markov_model *model, size_t context);
/* The name of a class; "chain" where one is learned from all rows. */
const char *cairn_markov_class(const cairn_job *job, size_t class);

/* How many probabilities may be chosen freely: those after every context that was seen sum to 1. */
double cairn_markov_free(const cairn_markov_model *model);

/* The text form of chains of order 0 and 1, one after the other under comments. */
extern const cairn_export_form cairn_markov_forms[];
void cairn_markov_describe(cairn_report *out, const void *model, const cairn_job *job);
void cairn_markov_show(cairn_report *steps, const cairn_markov_model *model, const cairn_job *job);
void cairn_markov_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);

extern const cairn_learned cairn_markov_tables[];

#endif
