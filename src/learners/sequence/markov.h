/* SPDX-License-Identifier: MIT */
/* One Markov chain of any order for each class. */
#ifndef CAIRN_LEARNERS_SEQUENCE_MARKOV_H
#define CAIRN_LEARNERS_SEQUENCE_MARKOV_H

#include "learners/sequence/markov_chain.h"
#include "model/learner.h"

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
/* The chains as a program; refused where steps stand in sequences. */
CAIRN_CHECKED cairn_status cairn_markov_lower(const void *model, const cairn_job *job,
                                              cairn_program *out);
void cairn_markov_describe(cairn_report *out, const void *model, const cairn_job *job);
void cairn_markov_show(cairn_report *steps, const cairn_markov_model *model, const cairn_job *job);
CAIRN_CHECKED cairn_status cairn_markov_sample(cairn_context *ctx, cairn_table *out,
                                               const void *model, const cairn_job *job,
                                               cairn_random *random);
void cairn_markov_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);

extern const cairn_learned cairn_markov_tables[];

#endif
