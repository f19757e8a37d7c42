/* SPDX-License-Identifier: MIT */
/* The driver of expectation and maximisation. */
#include "solve/em.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* The E step, and the log-likelihood shown to who watches; NaN counts as impossible. */
static cairn_status expect(cairn_context *ctx, const cairn_em *em, size_t start, size_t iteration,
                           double *log_likelihood)
{
    CHECK(em->expect(ctx, em->data, log_likelihood));
    if (isnan(*log_likelihood)) *log_likelihood = -INFINITY;
    if (em->watch) em->watch(em->data, start, iteration, *log_likelihood);
    return CAIRN_OK;
}

/* One start until it has converged; *log_likelihood is -inf for one that had to be given up. */
static cairn_status run_start(cairn_context *ctx, const cairn_em *em, size_t start,
                              cairn_progress *p, double *log_likelihood, double *largest_fall)
{
    double now;
    CHECK(em->begin(ctx, em->data, start));
    CHECK(expect(ctx, em, start, 0, log_likelihood));
    CHECK(cairn_progress_start(ctx, p, *log_likelihood));
    while (cairn_progress_goes_on(p) && *log_likelihood > -INFINITY) {
        CHECK(em->maximise(ctx, em->data));
        CHECK(expect(ctx, em, start, p->iterations + 1, &now));
        double gain = now - *log_likelihood, size = fabs(*log_likelihood);
        bool fell = gain < -64 * DBL_EPSILON * fmax(1, size);
        if (fell && em->may_fall)
            gain = -gain, fell = false;
        else if (fell)
            *largest_fall = fmax(*largest_fall, -gain);
        *log_likelihood = now;
        if (em->change && !fell) gain = em->change(em->data), size = 1;
        CHECK(cairn_progress_next(ctx, p, now, gain, size));
    }
    return CAIRN_OK;
}

/* The course of the best start so far; its history keeps its own room. */
static void keep_course(cairn_progress *best, const cairn_progress *run)
{
    double *values = best->values;
    *best = *run;
    best->values = values;
    memcpy(values, run->values, run->n_values * sizeof *values);
}

cairn_status cairn_em_run(cairn_context *ctx, cairn_em_result *out, const cairn_em *em,
                          cairn_progress *progress)
{
    cairn_progress run = *progress;
    cairn_em_result result = {em->n_starts, -INFINITY, 0, em->may_fall};
    double log_likelihood;
    CHECK(cairn_progress_start(ctx, progress, -INFINITY));
    run.values = NULL;
    run.buffer = 0;
    for (size_t start = 0; start < em->n_starts; start++) {
        CHECK(run_start(ctx, em, start, &run, &log_likelihood, &result.largest_fall));
        double least = 1e-12 * fabs(result.log_likelihood);
        if (!(log_likelihood > -INFINITY)) continue;
        if (result.best_start < em->n_starts && !(log_likelihood > result.log_likelihood + least))
            continue;
        result.best_start = start;
        result.log_likelihood = log_likelihood;
        keep_course(progress, &run);
        em->keep(em->data, start);
    }
    *out = result;
    return CAIRN_OK;
}

void cairn_em_certify(cairn_certificate *c, const cairn_em_result *result,
                      const cairn_progress *progress, const cairn_em_again *again)
{
    double bound = again->rounding > 0 ? again->rounding : 1e-9;
    double size = fmax(1, again->size), fall = result->largest_fall, apart = 0;
    for (size_t i = 1; i < progress->n_values && !result->may_fall; i++)
        fall = fmax(fall, progress->values[i - 1] - progress->values[i]);
    if (again->log_likelihood != result->log_likelihood) /* both may be infinite */
        apart = fabs(again->log_likelihood - result->log_likelihood) / size;
    cairn_certify(c, CAIRN_PROOF_FALL, fall / size, bound);
    cairn_certify(c, CAIRN_PROOF_FALL, apart, bound);
}
