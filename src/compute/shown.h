/* SPDX-License-Identifier: MIT */
/* Parts of reports and pictures that calculators share. */
#ifndef CAIRN_COMPUTE_SHOWN_H
#define CAIRN_COMPUTE_SHOWN_H

#include "data/table.h"
#include "report/report.h"

/* Begin a table called "WHAT at the level 95%"; the caller adds columns and rows. */
void cairn_begin_intervals(cairn_report *out, const char *what, double level);
/* What a table is called beside others: "results/tree.csv" is "tree". Scratch. */
CAIRN_CHECKED cairn_status cairn_source_name(cairn_context *ctx, const char **out,
                                             const cairn_table *table);

#endif
