/* SPDX-License-Identifier: MIT */
/* Hidden Markov models from sequences: by Baum and Welch where states are hidden, by counting where
 * they are known. */
#ifndef CAIRN_LEARNERS_SEQUENCE_HMM_LEARN_H
#define CAIRN_LEARNERS_SEQUENCE_HMM_LEARN_H

#include "learners/sequence/hmm_expect.h"
#include "learners/sequence/hmm_work.h"
#include "solve/em.h"

typedef struct cairn_hmm_options {
    size_t starts;
    bool given;    /* begin with what is in the model, and only once */
    size_t stream; /* of random numbers */
    double smooth; /* added to every count of moves and symbols */
    double floor;  /* least variance, as a part of that of all numbers */
    bool diagonal; /* numbers of a step do not vary together */
    /* After every E step; NULL = nobody looks. */
    void (*watch)(void *data, size_t start, size_t iteration, double log);
    /* When all is learned: the first so many iterations of the start that is kept, once more. */
    void (*show)(void *data, const cairn_hmm_moment *moment);
    size_t shown;
    void *data;
    cairn_certificate *certificate; /* NULL = nobody asks */
} cairn_hmm_options;

typedef struct cairn_hmm_course {
    double log_likelihood; /* with the logarithm of the prior that `smooth` is */
    size_t best_start;
    size_t floored; /* states whose covariance met the floor at the end */
} cairn_hmm_course;

/* Baum and Welch into a model whose room is made: the best of several starts; `progress` becomes
 * its course. Fails where a sequence is impossible under a given start, and where numbers are
 * too large to have a variance. */
CAIRN_CHECKED cairn_status cairn_hmm_learn(cairn_context *ctx, cairn_hmm *model,
                                           const cairn_hmm_data *data,
                                           const cairn_hmm_options *options,
                                           cairn_progress *progress, cairn_hmm_course *out);

/* ln of the likelihood of all sequences, with the prior that `smooth` is, as proofs work it out. */
CAIRN_CHECKED cairn_status cairn_hmm_again(cairn_context *ctx, cairn_em_again *out,
                                           const cairn_hmm *model, const cairn_hmm_data *data,
                                           double smooth);

/* Shares of counts, or means and covariances, where the state of every step is known (-1 = not). Of
 * the options `smooth`, `floor` and `diagonal` count. */
CAIRN_CHECKED cairn_status cairn_hmm_count(cairn_context *ctx, cairn_hmm *model,
                                           const cairn_hmm_data *data, const int32_t *states,
                                           const cairn_hmm_options *options, cairn_hmm_sums *sums);

/* States that are all alike: for a model of which nothing is known. */
void cairn_hmm_even(cairn_hmm *model);

#endif
