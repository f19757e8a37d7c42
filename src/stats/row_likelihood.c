/* SPDX-License-Identifier: MIT */
/* How probable a model makes rows, most of all such as it has not seen: the mean logarithm of one,
 *
 *     Σ w ln f(row) / Σ w
 *
 * and of rows that are made of steps what a step is as good as chosen from,
 *
 *     exp(−Σ w ln P(row) / Σ w steps)
 *
 * A row whose logarithm is not known is left out; one that is impossible makes the mean −inf. */
#include "stats/measure.h"

#include "base/functions.h"

static const cairn_param no_params[] = {CAIRN_PARAM_END};

/* Sums by weight over the rows whose logarithm is known. */
typedef struct likelihood_sums {
    double logs, rows, steps;
} likelihood_sums;

static likelihood_sums sum_logs(const cairn_judged *j)
{
    likelihood_sums sums = {0};
    for (size_t i = 0; j->logs && i < j->n; i++) {
        double weight = cairn_judged_weight(j, i);
        if (isnan(j->logs[i]) || !(weight > 0)) continue;
        sums.logs += weight * j->logs[i];
        sums.rows += weight;
        if (j->steps) sums.steps += weight * j->steps[i];
    }
    return sums;
}

static cairn_status log_likelihood(cairn_context *ctx, double *out, const cairn_judged *j)
{
    likelihood_sums sums = sum_logs(j);
    (void)ctx;
    *out = sums.rows > 0 ? sums.logs / sums.rows : NAN;
    return CAIRN_OK;
}

static cairn_status perplexity(cairn_context *ctx, double *out, const cairn_judged *j)
{
    likelihood_sums sums = sum_logs(j);
    (void)ctx;
    *out = sums.steps > 0 ? cairn_exp(-sums.logs / sums.steps) : NAN;
    return CAIRN_OK;
}

const cairn_measure cairn_measure_log_likelihood = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "log-likelihood",
              .also = "held-out likelihood, test likelihood, log density, predictive density",
              .title = "Mean log-likelihood of a row",
              .summary =
                  "The mean of the natural logarithm of what the model says of a row: its "
                  "probability, or its density in the units of the columns. Of rows that were held "
                  "out it compares models of one table, also with different numbers of clusters "
                  "or states. Undefined for learners that have no density.",
              .references = "Bishop: Pattern Recognition and Machine Learning, 2006",
              .example = "cairn evaluate mixture @iris --ignore species --components 3 --by cv:5 "
                         "--measure log-likelihood",
              .params = no_params},
    .task = CAIRN_CLUSTER,
    .of_density = true,
    .value = log_likelihood,
};

const cairn_measure cairn_measure_perplexity = {
    .entry = {.kind = CAIRN_ENTRY_MEASURE,
              .name = "perplexity",
              .also = "branching factor, cross-entropy of sequences",
              .title = "Perplexity of a step",
              .summary =
                  "exp of minus the log-likelihood of the rows over the number of their steps: a "
                  "step is as hard to foresee as one of so many equally probable states. Of models "
                  "of sequences.",
              .references = "Jelinek, Mercer, Bahl and Baker: Perplexity, a measure of the "
                            "difficulty of speech recognition tasks, 1977",
              .example = "cairn evaluate markov-chain @coins --measure perplexity",
              .params = no_params},
    .task = CAIRN_CLUSTER,
    .lower_better = true,
    .of_density = true,
    .value = perplexity,
};
