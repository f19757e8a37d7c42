/* SPDX-License-Identifier: MIT */
/* What Baum and Welch count, as it is expected of hidden states or known, and the model that it
 * makes. */
#ifndef CAIRN_LEARNERS_SEQUENCE_HMM_SUMS_H
#define CAIRN_LEARNERS_SEQUENCE_HMM_SUMS_H

#include "learners/sequence/hmm.h"

typedef struct cairn_hmm_sums {
    double *start;  /* n_states: sequences that begin there */
    double *move;   /* n_states x n_states */
    double *emit;   /* n_symbols x n_states: steps that give the symbol off */
    double *normal; /* n_states x (1 + d + d (d + 1) / 2): weight, sums and upper triangle of the
                       products of x - shift */
    const double *shift; /* d: subtracted from vectors, for the digits; NULL = zeros */
    size_t size;         /* of all together, which begin at `start` */
} cairn_hmm_sums;

/* Zeroed, of scratch. */
CAIRN_CHECKED cairn_status cairn_hmm_sums_make(cairn_context *ctx, cairn_hmm_sums *out,
                                               const cairn_hmm *model);
/* How many numbers they are, and where each part of them lies in `numbers`. */
size_t cairn_hmm_sums_size(const cairn_hmm *model);
cairn_hmm_sums cairn_hmm_sums_at(const cairn_hmm *model, double *numbers);

/* How covariances are made of the sums. */
typedef struct cairn_hmm_floor {
    const double *variances; /* d: no variance, in whatever direction, is smaller than what these
                                give there; NULL = they may vanish */
    bool diagonal;           /* covariances between different numbers are 0 */
} cairn_hmm_floor;

typedef struct cairn_hmm_gaps {
    size_t unvisited; /* states of which nothing was counted */
    size_t floored;   /* states whose covariance met the floor */
} cairn_hmm_gaps;

/* Shares of the sums: start, moves and what is given off. A row of which nothing was counted stays
 * as it is in the model. `more` is added to every count of moves and symbols. */
CAIRN_CHECKED cairn_status cairn_hmm_maximise(cairn_context *ctx, cairn_hmm *model,
                                              const cairn_hmm_sums *sums, double more,
                                              const cairn_hmm_floor *floor, cairn_hmm_gaps *gaps);

#endif
