/* SPDX-License-Identifier: MIT */
/* Held-out predictions against what is true: made data keeps the chances of the classes, or the
 * value before the noise, beside its rows. */
#ifndef CAIRN_EVALUATE_TRUTH_H
#define CAIRN_EVALUATE_TRUTH_H

#include "evaluate/evaluate.h"
#include "report/report.h"

/* Give the columns that hold the truth (a list of names) the role ignored, so that nothing is
 * learned from them. */
CAIRN_CHECKED cairn_status cairn_truth_hide(cairn_context *ctx, cairn_table *table,
                                            const char *list);
/* True error and Bayes error of the predictions beside the error that was counted. `list` names the
 * chances of the classes in their order, or one column with the true value of a number. */
CAIRN_CHECKED cairn_status cairn_truth_report(cairn_context *ctx, cairn_report *out,
                                              const cairn_evaluation *evaluation,
                                              const cairn_table *table, const char *list);

#endif
