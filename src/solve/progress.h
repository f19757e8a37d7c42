/* SPDX-License-Identifier: MIT */
/* The course of an iteration: how far it may go, when it is good enough, what it went through.
 *
 *     cairn_progress p = {.what = "Newton", .most = 100, .tolerance = 1e-8};
 *     TRY(cairn_progress_start(ctx, &p, value));
 *     while (cairn_progress_goes_on(&p)) {
 *         ... one iteration ...
 *         TRY(cairn_progress_next(ctx, &p, value, expected, fabs(value)));
 *     }
 */
#ifndef CAIRN_SOLVE_PROGRESS_H
#define CAIRN_SOLVE_PROGRESS_H

#include "base/context.h"

typedef struct cairn_progress {
    /* what is asked for */
    const char *what; /* name of the iteration for the progress bar; NULL = it is not shown */
    size_t most;      /* iterations */
    double tolerance; /* it ends when an iteration is worth no more than this part of the size */
    double size;      /* of what the value is a sum of, where that cancels; else 0 */
    size_t patience;  /* rounds without a better number for held-out rows; 0 = for ever */
    size_t keep;      /* most numbers of the history; 0 = one for every iteration */
    /* what came of it */
    size_t iterations;
    bool converged;
    double expected; /* what the last iteration was worth, or expected to be */
    double *values;  /* n_history numbers, scratch: at the start and after each iteration */
    size_t n_values;
    size_t buffer;
    double best_held; /* least number of held-out rows */
    size_t best_iteration;
} cairn_progress;

/* Begin, with the first number of the history, for which the scratch memory of now gives room. What
 * was asked for stays; a second start uses the same room. */
CAIRN_CHECKED cairn_status cairn_progress_start(cairn_context *ctx, cairn_progress *p,
                                                double value);
static inline bool cairn_progress_goes_on(const cairn_progress *p)
{
    return p->iterations < p->most && !p->converged;
}
/* One more iteration, which ended at `value` and was worth `expected`; it has converged when that
 * is at most tolerance times `size` (NaN leaves the question to the caller). Fails when
 * cancelled. */
CAIRN_CHECKED cairn_status cairn_progress_next(cairn_context *ctx, cairn_progress *p, double value,
                                               double expected, double size);
/* Early stopping: a number for held-out rows, the less the better. True when it is the best so
 * far; after `patience` rounds without a better one the iteration has converged. */
bool cairn_progress_held(cairn_progress *p, double held);

#endif
