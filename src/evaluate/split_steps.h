/* SPDX-License-Identifier: MIT */
/* The work behind an estimate: what every split tests and how the splits are averaged. */
#ifndef CAIRN_EVALUATE_SPLIT_STEPS_H
#define CAIRN_EVALUATE_SPLIT_STEPS_H

#include "evaluate/evaluate.h"
#include "report/report.h"

/* The splits with their counts, the value of each and the averages with the numbers put in:
 * accuracy, or mean squared error. With `rows`, small tables have the numbers of the tested rows,
 * too. Names begin with `prefix`, which is empty or ends with a dot. */
void cairn_steps_splits(cairn_report *out, const cairn_evaluation *e, bool rows,
                        const char *prefix);

#endif
