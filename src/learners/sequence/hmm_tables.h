/* SPDX-License-Identifier: MIT */
/* One sequence and a hidden Markov model, as on the board: every table whole, one number after the
 * other. For calculators, explanations and tests; hmm_expect.h has the passes for many and long
 * sequences. */
#ifndef CAIRN_LEARNERS_SEQUENCE_HMM_TABLES_H
#define CAIRN_LEARNERS_SEQUENCE_HMM_TABLES_H

#include "learners/sequence/hmm_vectors.h"

/* What is seen of a sequence: symbols (-1 = missing), or vectors of numbers (NaN = missing). */
typedef struct cairn_hmm_seen {
    size_t n;
    const int32_t *symbols; /* n; NULL = numbers */
    const double *numbers;  /* n x n_numbers */
} cairn_hmm_seen;

/* ln b_j of a step for every state: 0 where nothing is seen. */
void cairn_hmm_step_logs(double *out, const cairn_hmm *model, const cairn_hmm_normals *normals,
                         const cairn_hmm_seen *seen, size_t step, cairn_hmm_filling *room);

/* ln P(step | steps before it) of every step, which add up to ln P(sequence); -inf from the step on
 * that nothing leads to. Two rows of the forward table are all that is kept. */
CAIRN_CHECKED cairn_status cairn_hmm_foretell(cairn_context *ctx, double *out,
                                              const cairn_hmm *model, const cairn_hmm_seen *seen);

/* All arrays are scratch, n_steps x n_states unless said otherwise. */
typedef struct cairn_hmm_tables {
    size_t n_steps, n_states;
    double *logs;     /* ln b_j(o_t) */
    double *alpha;    /* forward, divided by its sum in each step */
    double *scale;    /* n_steps: ln of those sums */
    double *beta;     /* backward, divided by the same sums */
    double *gamma;    /* P(state at t | sequence) */
    double *delta;    /* ln of the most probable path that ends so */
    int32_t *from;    /* the state before on that path; -1 = none */
    int32_t *path;    /* n_steps: Viterbi; -1 = the sequence is impossible */
    int32_t *decoded; /* n_steps: the most probable state of each step */
    double log_p, log_path;
    size_t impossible; /* the step that nothing leads to; n_steps = none */
} cairn_hmm_tables;

CAIRN_CHECKED cairn_status cairn_hmm_tables_make(cairn_context *ctx, cairn_hmm_tables *out,
                                                 const cairn_hmm *model,
                                                 const cairn_hmm_seen *seen);
/* ξ: P(i at step t and j at the next one | sequence). */
double cairn_hmm_tables_xi(const cairn_hmm_tables *tables, const cairn_hmm *model, size_t t,
                           size_t i, size_t j);

#endif
