/* SPDX-License-Identifier: MIT */
/* Markov models with named states: a chain, whose states are seen, or a hidden Markov model, of
 * which only what the states give off is seen: symbols, or vectors of numbers by a normal density.
 * And their text form:
 *
 *     # two coins behind a curtain
 *     states  fair loaded
 *     symbols H T
 *     start   0.6 0.4
 *     from fair    0.7 0.3
 *     from loaded  0.4 0.6
 *     emit fair    0.5 0.5
 *     emit loaded  0.8 0.2
 *
 * A semicolon ends a line, too. Names with blanks stand in double quotes; 1/3 is a number. Without
 * `start` all states are equally probable at first. Numbers in place of symbols: a line `mean
 * STATE x y` and a line `covariance STATE` with as many numbers (variances) or their square. */
#ifndef CAIRN_LEARNERS_SEQUENCE_HMM_H
#define CAIRN_LEARNERS_SEQUENCE_HMM_H

#include "base/map.h"
#include "base/random.h"
#include "base/text.h"

enum { CAIRN_MOST_STATES = 4096 };

typedef struct cairn_hmm {
    size_t n_states;
    size_t n_symbols;          /* 0 = a chain, or numbers are given off */
    size_t n_numbers;          /* length of the vectors; 0 = a chain, or symbols are given off */
    cairn_map states, symbols; /* names */
    cairn_map columns;         /* names of the numbers; empty = they have none */
    double *start;             /* n_states: pi */
    double *move;              /* n_states x n_states: a_ij, from row to column */
    double *emit;              /* n_states x n_symbols: b_j(k) */
    double *mean;              /* n_states x n_numbers */
    double *covariance;        /* n_states x n_numbers x n_numbers */
} cairn_hmm;

/* Zeroed arrays of these sizes in an empty model, whose names the caller fills. */
CAIRN_CHECKED cairn_status cairn_hmm_make(cairn_context *ctx, cairn_hmm *out, size_t n_states,
                                          size_t n_symbols, size_t n_numbers);
void cairn_hmm_clear(cairn_hmm *model);

/* How many of its numbers may be chosen freely: rows of probabilities sum to 1, and where nothing
 * varies together covariances are variances. */
double cairn_hmm_free(const cairn_hmm *model);

/* The next name in [at, end): in double quotes, or up to a blank or comma. Returns what is behind
 * it, NULL at the end. */
typedef struct cairn_name {
    const char *at;
    size_t length;
} cairn_name;
const char *cairn_next_name(const char *at, const char *end, cairn_name *out);

/* Read the text form; `where` begins messages, which name the line. What it gives is checked. */
CAIRN_CHECKED cairn_status cairn_hmm_read(cairn_context *ctx, cairn_hmm *out, const char *where,
                                          const char *text, size_t length);
/* Fails when a probability is none, or when those of a row do not sum to 1, with row and sum. */
CAIRN_CHECKED cairn_status cairn_hmm_check(cairn_context *ctx, const cairn_hmm *model,
                                           const char *where);
/* The text form, which reads back as the same numbers. */
void cairn_hmm_write(cairn_text *out, const cairn_hmm *model);

/* Index of the first share of n that reaches a random number below their sum. */
size_t cairn_hmm_pick(cairn_random *random, const double *shares, size_t n);
/* n steps of the model's story: states, and what they give off, symbols or numbers (n x
 * n_numbers), whichever it has; `symbols` and `numbers` may be NULL. */
CAIRN_CHECKED cairn_status cairn_hmm_sample(cairn_context *ctx, const cairn_hmm *model,
                                            cairn_random *random, size_t n, int32_t *states,
                                            int32_t *symbols, double *numbers);

#endif
