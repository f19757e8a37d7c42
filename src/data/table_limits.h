/* SPDX-License-Identifier: MIT */
/* Where tables meet the limits of their context. Readers that know the number of columns before
 * they have them ask beforehand; every table that was read is looked at as a whole. */
#ifndef CAIRN_DATA_TABLE_LIMITS_H
#define CAIRN_DATA_TABLE_LIMITS_H

#include "base/limits.h"
#include "data/table.h"

/* Fails when a table may not have n columns. `source` is the file for the message, may be NULL. */
CAIRN_CHECKED cairn_status cairn_columns_allowed(cairn_context *ctx, size_t n, const char *source);

/* Fails when a column may not have n levels. */
CAIRN_CHECKED cairn_status cairn_levels_allowed(cairn_context *ctx, size_t n, const char *source,
                                                const char *column);

/* Fails when a cell of that length is too long. `row` is from 0. */
CAIRN_CHECKED cairn_status cairn_cell_allowed(cairn_context *ctx, size_t length, const char *source,
                                              size_t row, const char *column);

/* Fails when a column has too many levels, or a cell or the name of an item is too long. */
CAIRN_CHECKED cairn_status cairn_table_allowed(cairn_context *ctx, const cairn_table *table);

#endif
