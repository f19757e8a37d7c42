/* SPDX-License-Identifier: MIT */
/* Parts of the judgement of held-out predictions. */
#ifndef CAIRN_EVALUATE_JUDGE_H
#define CAIRN_EVALUATE_JUDGE_H

#include "evaluate/evaluate.h"
#include "stats/intervals.h"

/* What scores say about classes: probabilities, rankings, operating points, pictures. */
CAIRN_CHECKED cairn_status cairn_judge_scores(cairn_context *ctx, cairn_report *out,
                                              const cairn_evaluation *e,
                                              const cairn_judge_options *options);
/* What errors cost, when costs are given. */
CAIRN_CHECKED cairn_status cairn_judge_costs(cairn_context *ctx, cairn_report *out,
                                             const cairn_evaluation *e,
                                             const cairn_judge_options *options);
/* "label: low to high (95%, how)" with the values NAME.low and NAME.high. */
void cairn_report_interval(cairn_report *out, cairn_interval interval, double level,
                           const char *how, const char *name);

#endif
