/* SPDX-License-Identifier: MIT */
/* Parts of the judgement of held-out predictions. */
#ifndef CAIRN_EVALUATE_JUDGE_H
#define CAIRN_EVALUATE_JUDGE_H

#include "evaluate/evaluate.h"
#include "stats/intervals.h"
#include "stats/ranking.h"

/* What scores say about classes: probabilities, rankings, operating points, pictures. */
CAIRN_CHECKED cairn_status cairn_judge_scores(cairn_context *ctx, cairn_report *out,
                                              const cairn_evaluation *e,
                                              const cairn_judge_options *options);
/* Whether there are scores and every row has them. */
bool cairn_scores_usable(const cairn_evaluation *e);
/* Whether the scores are shares: between 0 and 1 and summing to 1. */
bool cairn_scores_are_probabilities(const cairn_evaluation *e);
/* Rows begin .. end-1 in the order of the score of one class, which are its own and which not.
 * Scratch. */
CAIRN_CHECKED cairn_status cairn_rank_class(cairn_context *ctx, cairn_ranking *out,
                                            const cairn_evaluation *e, size_t begin, size_t end,
                                            size_t class);

typedef struct cairn_cost {
    double total, mean;
    double error;    /* share of the most that these rows can cost */
    double baseline; /* mean cost of the majority class */
} cairn_cost;
/* What the answers cost; no answer costs as much as the worst one. Fails when --costs is not of the
 * size of the classes. False in *known: no costs were given. */
CAIRN_CHECKED cairn_status cairn_cost_of(cairn_context *ctx, cairn_cost *out, bool *known,
                                         const cairn_evaluation *e,
                                         const cairn_judge_options *options);
/* Whether costs that were given suit the task and the classes. */
CAIRN_CHECKED cairn_status cairn_check_costs(cairn_context *ctx, const cairn_evaluation *e,
                                             const cairn_judge_options *options);
/* What errors cost, when costs are given. */
CAIRN_CHECKED cairn_status cairn_judge_costs(cairn_context *ctx, cairn_report *out,
                                             const cairn_evaluation *e,
                                             const cairn_judge_options *options);
/* "label: low to high (95%, how)" with the values NAME.low and NAME.high. */
void cairn_report_interval(cairn_report *out, cairn_interval interval, double level,
                           const char *how, const char *name);

#endif
