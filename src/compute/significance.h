/* SPDX-License-Identifier: MIT */
/* What the calculators of tests share. */
#ifndef CAIRN_COMPUTE_SIGNIFICANCE_H
#define CAIRN_COMPUTE_SIGNIFICANCE_H

#include "base/number.h"
#include "compute/compute.h"
#include "stats/significance.h"

extern const cairn_choice cairn_exactness_choices[];

/* Results of several learners side by side: the number features of a table. */
typedef struct cairn_results {
    size_t n, k;        /* rows (folds, data sets), columns (learners) */
    double *values;     /* n x k, row-major */
    const char **names; /* k */
} cairn_results;

/* Fails when there are fewer than `least` number columns, or a missing or infinite cell. Scratch. */
CAIRN_CHECKED cairn_status cairn_results_of(cairn_context *ctx, cairn_results *out,
                                            const cairn_table *table, size_t least);
/* Differences that are typed, or those of the two number columns of a table (a single column holds
 * the differences themselves). Scratch. */
CAIRN_CHECKED cairn_status cairn_differences_of(cairn_context *ctx, double **out, size_t *n,
                                                const char *typed, const cairn_table *table);
/* "significant at 0.05" or not, with the value `name` = yes or no. */
void cairn_report_verdict(cairn_report *out, double p, double alpha, const char *name);

#endif
