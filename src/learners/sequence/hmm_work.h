/* SPDX-License-Identifier: MIT */
/* An iteration of Baum and Welch as on the board: where the expected counts come from, what they
 * add up to, and the parameters that they become. */
#ifndef CAIRN_LEARNERS_SEQUENCE_HMM_WORK_H
#define CAIRN_LEARNERS_SEQUENCE_HMM_WORK_H

#include "learners/sequence/hmm_sums.h"
#include "learners/sequence/hmm_tables.h"
#include "report/report.h"

/* After an E step, before the M step. All borrowed. */
typedef struct cairn_hmm_moment {
    const cairn_hmm *model;
    const cairn_hmm_sums *sums; /* of all sequences */
    cairn_hmm_floor floor;
    double smooth;       /* added to every count of moves and symbols */
    cairn_hmm_seen seen; /* a sequence whose γ and ξ are written out ... */
    size_t number;       /* ... which is the n-th, of so many */
    size_t n_sequences;
    size_t start, iteration; /* from 0 */
    double log;              /* ln P of all sequences */
    bool last;               /* there is no M step any more */
} cairn_hmm_moment;

/* γ and ξ of the sequence, the expected counts, and the shares, means and covariances that come
 * next. Models of many states, symbols or numbers are left out. Names begin with `prefix`:
 * "gamma.1.S", "xi.1.S.T", "count.start.S", "count.move.S.T", "count.emit.S.O", "count.S". */
void cairn_hmm_work(cairn_report *out, const cairn_hmm_moment *moment, const char *prefix);

#endif
