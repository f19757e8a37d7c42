/* SPDX-License-Identifier: MIT */
/* Confidence intervals for a proportion: `successes` of n trials, at a level such as 0.95. n = 0
 * gives 0 .. 1. Counts out of range, or a level outside 0 < level < 1, give NaN. */
#ifndef CAIRN_STATS_INTERVALS_H
#define CAIRN_STATS_INTERVALS_H

#include "report/report.h"

typedef struct cairn_interval {
    double low, high;
} cairn_interval;

/* Wilson's score interval: the proportions that a normal test would not reject. Counts need not be
 * whole. */
cairn_interval cairn_wilson_interval(double successes, double n, double level);

/* The exact interval of Clopper and Pearson: covers at least with the given level, for any n. */
cairn_interval cairn_exact_interval(double successes, double n, double level);
/* The interval of a share of n rows that reports show: normal where that is close enough, exact
 * (binomial) below 30 rows and where n share (1 - share) < 5. Gives the word for it. */
const char *cairn_share_interval(double share, double n, double level, cairn_interval *out);

/* "label: low to high (95%, how)" with the values NAME.low and NAME.high. */
void cairn_report_interval(cairn_report *out, cairn_interval interval, double level,
                           const char *how, const char *name);

#endif
