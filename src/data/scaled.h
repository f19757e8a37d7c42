/* SPDX-License-Identifier: MIT */
/* Number columns on another scale that are worked out where they are read. A copy of a large table
 * that is read once or twice costs more than that: most of it is new memory.
 *
 * Such a column has no `numbers`. It lives only between the transforms and the learner of a model
 * that is being fitted (model/chain.c), where whoever reads it knows of it; everybody else gets the
 * numbers. */
#ifndef CAIRN_DATA_SCALED_H
#define CAIRN_DATA_SCALED_H

#include "data/table.h"

/* What a learner accepts, beside CAIRN_ACCEPTS_... of model/learner.h: such columns, which it reads
 * as rows of a matrix in their own units (cairn_matrix_rows) and in no other way. */
enum { CAIRN_ACCEPTS_SCALED = 1 << 20 };

/* x' = factor (x part - centre) / spread, cut off at low and high. */
typedef struct cairn_scaled {
    cairn_column *from; /* held */
    double part, centre, spread, factor, low, high;
} cairn_scaled;

/* A column of numbers as `how` says, of how->from, which it holds. */
CAIRN_CHECKED cairn_status cairn_scaled_new(cairn_context *ctx, cairn_column **out,
                                            const cairn_scaled *how);
/* NULL = its numbers are there. */
const cairn_scaled *cairn_column_scaled(const cairn_column *column);
/* n numbers on the new scale. */
void cairn_scaled_numbers(const cairn_scaled *how, const double *restrict from, size_t n,
                          double *restrict to);
/* All such columns of a table that nobody else has get their numbers; on all threads. */
CAIRN_CHECKED cairn_status cairn_table_settle(cairn_context *ctx, cairn_table *table);

#endif
