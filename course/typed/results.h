/* SPDX-License-Identifier: MIT */
/* What the calculators of tests share. */
#ifndef CAIRN_TYPED_RESULTS_H
#define CAIRN_TYPED_RESULTS_H

#include "base/number.h"
#include "model/calculator.h"
#include "plots/rank_report.h"

extern const cairn_choice cairn_exactness_choices[];

/* What number columns hold. */
enum { CAIRN_COLUMNS_AUTO, CAIRN_COLUMNS_RESULTS, CAIRN_COLUMNS_DIFFERENCES };
extern const cairn_choice cairn_columns_choices[];
/* Whether the columns are differences already, by the choice or by their names; a warning says what
 * was recognised. */
bool cairn_are_differences(cairn_context *ctx, const cairn_results *results, int columns);

/* A count that was typed, of n: whole, or below 1 and taken as a rate, which a warning says.
 * Another one that is not whole fails. */
CAIRN_CHECKED cairn_status cairn_typed_count(cairn_context *ctx, double *count, const char *option,
                                             double n);

/* Columns of ranks beside results are left out with a warning. Fails when there are fewer than
 * `least` number columns, or a missing or infinite cell. Scratch. */
CAIRN_CHECKED cairn_status cairn_results_of(cairn_context *ctx, cairn_results *out,
                                            const cairn_table *table, size_t least);
/* Differences that are typed, or those of the two number columns of a table (a single column holds
 * the differences themselves). Scratch. */
CAIRN_CHECKED cairn_status cairn_differences_of(cairn_context *ctx, double **out, size_t *n,
                                                const char *typed, const cairn_table *table);

#endif
