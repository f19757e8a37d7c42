/* SPDX-License-Identifier: MIT */
/* What answers cost, as a user writes it: a table of numbers in the order of the classes, or by
 * name. */
#ifndef CAIRN_STATS_COST_MATRIX_H
#define CAIRN_STATS_COST_MATRIX_H

#include "base/map.h"

/* Costs of k classes (k x k, rows actual, columns predicted; scratch) from "0,5;1,0", whose rows
 * and columns are in the order of `classes`, or from "no>yes=1;yes>no=5": ACTUAL>PREDICTED=COST,
 * where a wrong answer that is not named costs 1 and a right one 0. With `classes` NULL only the
 * form is checked, and *out is left alone. Costs are finite and not negative. */
CAIRN_CHECKED cairn_status cairn_costs_read(cairn_context *ctx, double **out, const char *text,
                                            const cairn_map *classes);

#endif
