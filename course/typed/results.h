/* SPDX-License-Identifier: MIT */
/* What the calculators of tests share. */
#ifndef CAIRN_TYPED_RESULTS_H
#define CAIRN_TYPED_RESULTS_H

#include "base/number.h"
#include "model/calculator.h"
#include "plots/rank_report.h"

extern const cairn_choice cairn_exactness_choices[];

/* Fails when there are fewer than `least` number columns, or a missing or infinite cell.
 * Scratch. */
CAIRN_CHECKED cairn_status cairn_results_of(cairn_context *ctx, cairn_results *out,
                                            const cairn_table *table, size_t least);
/* Differences that are typed, or those of the two number columns of a table (a single column holds
 * the differences themselves). Scratch. */
CAIRN_CHECKED cairn_status cairn_differences_of(cairn_context *ctx, double **out, size_t *n,
                                                const char *typed, const cairn_table *table);

#endif
