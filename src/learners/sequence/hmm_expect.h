/* SPDX-License-Identifier: MIT */
/* Likelihoods, posteriors, expected counts and most probable paths of many sequences, which may be
 * millions of steps long.
 *
 * Long sequences are cut into chunks, and eight chunks go through their steps side by side
 * (kernels/octets.h), groups of eight over all threads. What a chunk needs of its neighbours, the
 * forward numbers at its beginning and the backward numbers at its end, comes first: each chunk's
 * product of matrices, made in the same way, takes it over in one step. Chunks do not depend on the
 * number of threads. */
#ifndef CAIRN_LEARNERS_SEQUENCE_HMM_EXPECT_H
#define CAIRN_LEARNERS_SEQUENCE_HMM_EXPECT_H

#include "learners/sequence/hmm_sums.h"
#include "learners/sequence/hmm_tables.h"

/* Sequences one behind the other. */
typedef struct cairn_hmm_data {
    size_t n;               /* sequences */
    const size_t *begins;   /* n + 1: steps before each */
    const int32_t *symbols; /* of all steps, -1 = missing; NULL = numbers */
    const double *numbers;  /* steps x d; NaN = missing */
    const double *weights;  /* n; NULL = ones */
} cairn_hmm_data;

/* One sequence of them. */
cairn_hmm_seen cairn_hmm_sequence(const cairn_hmm_data *data, size_t d, size_t i);

/* Room and order of work for models of one shape; all of scratch. */
typedef struct cairn_hmm_plan cairn_hmm_plan;
CAIRN_CHECKED cairn_status cairn_hmm_plan_make(cairn_context *ctx, cairn_hmm_plan **out,
                                               const cairn_hmm *model, const cairn_hmm_data *data);

/* What is wanted; NULL = not. */
typedef struct cairn_hmm_wanted {
    double *logs;         /* n: ln P of each sequence; -inf = impossible */
    cairn_hmm_sums *sums; /* expected counts, in place of what was there; of weighted
                             sequences */
    double *gamma;        /* steps x n_states: posteriors */
} cairn_hmm_wanted;

CAIRN_CHECKED cairn_status cairn_hmm_expect(cairn_context *ctx, const cairn_hmm_wanted *out,
                                            cairn_hmm_plan *plan, const cairn_hmm *model,
                                            const cairn_hmm_data *data);

/* Viterbi: the states of all steps, -1 in sequences that are impossible; logs (n, may be NULL) of
 * the paths together with their sequences. Of equal paths the one whose last state, and then the
 * one before, ... is the first. */
CAIRN_CHECKED cairn_status cairn_hmm_paths(cairn_context *ctx, int32_t *states, double *logs,
                                           const cairn_hmm *model, const cairn_hmm_data *data);

#endif
