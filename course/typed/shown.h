/* SPDX-License-Identifier: MIT */
/* Parts of reports and pictures that calculators share. */
#ifndef CAIRN_TYPED_SHOWN_H
#define CAIRN_TYPED_SHOWN_H

#include "data/table.h"
#include "entry/entry.h"
#include "report/table_rows.h"
#include "stats/quantile.h"
#include "stats/summary.h"

/* Begin a table called "WHAT at the level 95%"; the caller adds columns and rows. */
void cairn_begin_intervals(cairn_report *out, const char *what, double level);
/* What a table is called beside others: "results/tree.csv" is "tree". Scratch. */
CAIRN_CHECKED cairn_status cairn_source_name(cairn_context *ctx, const char **out,
                                             const cairn_table *table);

/* The first rows of a table that was made, each cell with a name: row1.x1. */
void cairn_show_first_rows(cairn_report *out, const cairn_table *table);

/* What names of values about a group begin with: "NAME.", or nothing for NULL. Scratch. */
CAIRN_CHECKED cairn_status cairn_value_prefix(cairn_context *ctx, const char **out,
                                              cairn_report *report, const char *name);

/* A table of quantiles for the numbers of a parameter, shares of `whole` (1 or 100), each with the
 * value NAME.i. */
typedef struct cairn_quantile_table {
    const char *title, *column, *name;
    const cairn_list *numbers;
    double whole;
    cairn_quantile_rule rule;
} cairn_quantile_table;
void cairn_show_quantiles(cairn_report *out, const cairn_sample *sample,
                          const cairn_quantile_table *table);

/* Fails unless both axes of a plane begin below their ends, which are finite; they are the
 * parameters {low}, {high}, {y-low} and {y-high}. */
CAIRN_CHECKED cairn_status cairn_check_ends(cairn_context *ctx, const double *low,
                                            const double *high);

#endif
