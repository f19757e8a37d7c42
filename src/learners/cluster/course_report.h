/* SPDX-License-Identifier: MIT */
/* How the cost of a clustering came down: by starts and by rounds. */
#ifndef CAIRN_LEARNERS_COURSE_REPORT_H
#define CAIRN_LEARNERS_COURSE_REPORT_H

#include "report/report.h"

/* A table of the costs of n starts or samples (`word`), the best of which is marked: values
 * startS.cost, best_start. Nothing of a single one. */
void cairn_show_starts(cairn_report *out, const char *title, const char *word, const double *costs,
                       size_t n, int32_t best);
/* A figure `cost` of n costs over what they are counted by. Nothing of a single one. */
void cairn_draw_costs(cairn_report *out, const char *title, const char *counted, const char *cost,
                      const double *costs, size_t n);

#endif
