/* SPDX-License-Identifier: MIT */
/* Reports of tests over ranks, shared by `compare` and `compute friedman`. */
#ifndef CAIRN_PLOTS_RANK_REPORT_H
#define CAIRN_PLOTS_RANK_REPORT_H

#include "report/report.h"
#include "stats/significance.h"

/* Results of several learners side by side. */
typedef struct cairn_results {
    size_t n, k;        /* rows (folds, data sets), columns (learners) */
    double *values;     /* n x k, row-major */
    const char **names; /* k */
    const char **rows;  /* n names; NULL = numbers */
} cairn_results;

/* Average ranks of k learners over n data sets. */
typedef struct cairn_rank_comparison {
    size_t n, k;
    const char **names;
    double *averages;
    double alpha;
    double own_q;   /* a multiplier of the user's own; NaN = none */
    size_t control; /* the learner that the others are compared with */
} cairn_rank_comparison;

/* The results with their ranks in brackets and the average ranks. */
void cairn_report_ranks(cairn_report *out, const cairn_results *r, const double *ranks,
                        const double *averages);
void cairn_report_friedman(cairn_report *out, const cairn_friedman *f, double alpha);
/* Nemenyi, Bonferroni and Dunn, the groups that cannot be told apart. */
CAIRN_CHECKED cairn_status cairn_report_rank_pairs(cairn_context *ctx, cairn_report *out,
                                                   const cairn_rank_comparison *c);
/* "significant at 0.05" or not, with the value `name` = yes or no. */
void cairn_report_verdict(cairn_report *out, double p, double alpha, const char *name);

#endif
