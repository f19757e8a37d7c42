/* SPDX-License-Identifier: MIT */
/* Hidden Markov models and their tables in reports. */
#ifndef CAIRN_LEARNERS_SEQUENCE_HMM_REPORT_H
#define CAIRN_LEARNERS_SEQUENCE_HMM_REPORT_H

#include "learners/sequence/hmm_tables.h"
#include "report/report.h"

/* Start, moves and what is given off, as tables; names of values begin with `prefix`: "start.S",
 * "move.S.S", "emit.S.O", "mean.S.1", "covariance.S.1.1". */
void cairn_hmm_report_model(cairn_report *out, const cairn_hmm *model, const char *prefix);

/* One sequence: forward, backward, posterior and Viterbi tables with the decisions, its probability
 * and logarithm. With `steps` the first of each are worked out. Names begin with `prefix`. */
void cairn_hmm_report_tables(cairn_report *out, const cairn_hmm *model, const cairn_hmm_seen *seen,
                             const cairn_hmm_tables *tables, const char *prefix, bool steps);

/* What a step of the sequence gives off, as a word. */
void cairn_hmm_name_step(cairn_text *out, const cairn_hmm *model, const cairn_hmm_seen *seen,
                         size_t step);

#endif
