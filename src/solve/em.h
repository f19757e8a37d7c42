/* SPDX-License-Identifier: MIT */
/* Expectation and maximisation in turn, from one beginning or several: a model fills in the two
 * steps, the driver does the rest. The log-likelihood (with the logarithm of a prior, where there
 * is one) never falls from one iteration to the next; where it does, the run ends there and says
 * so. */
#ifndef CAIRN_SOLVE_EM_H
#define CAIRN_SOLVE_EM_H

#include "solve/certificate.h"
#include "solve/progress.h"

typedef struct cairn_em {
    size_t n_starts; /* at least 1 */
    void *data;      /* of the functions */
    /* First parameters of a start, from 0. */
    cairn_status (*begin)(cairn_context *ctx, void *data, size_t start);
    /* What is hidden, given the parameters, and the log-likelihood of what is seen. */
    cairn_status (*expect)(cairn_context *ctx, void *data, double *log_likelihood);
    /* The parameters that are best for what `expect` found. */
    cairn_status (*maximise)(cairn_context *ctx, void *data);
    /* The run that has just ended is the best so far: put its parameters aside. */
    void (*keep)(void *data, size_t start);
    /* The largest change of a parameter in the last M step, in units of which one is much: where
     * this is there, a run ends when it is at most the tolerance. NULL = by the log-likelihood. */
    double (*change)(const void *data);
    /* After every E step, for those who show the work; NULL = nobody looks. */
    void (*watch)(void *data, size_t start, size_t iteration, double log_likelihood);
    /* The log-likelihood may fall on its way, as where rows are taken one by one: an iteration is
     * worth what it changes, and a fall is no failure. */
    bool may_fall;
} cairn_em;

typedef struct cairn_em_result {
    size_t best_start;     /* n_starts when no start had a likelihood */
    double log_likelihood; /* of the best start at its end */
    double largest_fall;   /* of a log-likelihood, over all starts; 0 = none beyond rounding */
    bool may_fall;         /* as the model said */
} cairn_em_result;

/* All starts; `progress` becomes the course of the best, whose history is of log-likelihoods. It
 * ends when an iteration gains no more than tolerance times the log-likelihood's size, or by the
 * change of the parameters. Of equal starts (within 1e-12) the first is best. */
CAIRN_CHECKED cairn_status cairn_em_run(cairn_context *ctx, cairn_em_result *out,
                                        const cairn_em *em, cairn_progress *progress);

/* A log-likelihood that was worked out from an answer alone, by other code than the E step, and the
 * sum of the sizes of its terms, which rounding grows with: ln p has an error of a last digit of 1
 * or of its own, so that each term counts as 1 more. */
typedef struct cairn_em_again {
    double log_likelihood, size;
    double rounding; /* what part of the size rounding may be; 0 = 1e-9 */
} cairn_em_again;
/* Proofs of a run: no log-likelihood fell, and the last is that of the answer. */
void cairn_em_certify(cairn_certificate *c, const cairn_em_result *result,
                      const cairn_progress *progress, const cairn_em_again *again);

#endif
