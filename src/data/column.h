/* SPDX-License-Identifier: MIT */
/* What src/data does with single columns, beyond table.h. */
#ifndef CAIRN_DATA_COLUMN_H
#define CAIRN_DATA_COLUMN_H

#include "data/table.h"

/* A copy of the given rows. */
CAIRN_CHECKED cairn_status cairn_column_take(cairn_context *ctx, cairn_column **out,
                                             const cairn_column *column, const uint32_t *rows,
                                             size_t n);
/* Make a text, bag or sequence cell missing. */
CAIRN_CHECKED cairn_status cairn_column_mark_absent(cairn_context *ctx, cairn_column *column,
                                                    size_t row);
/* The cell as text: see cairn_table_cell. */
size_t cairn_column_cell(const cairn_column *column, size_t row, char *out, size_t size);
uint64_t cairn_column_hash(const cairn_column *column, uint64_t seed);
size_t cairn_column_bytes(const cairn_column *column);
/* Bytes of one unit that `starts` counts: a letter or an item. */
size_t cairn_column_width(const cairn_column *column);

/* The same keys in the same order. */
CAIRN_CHECKED cairn_status cairn_map_copy(cairn_context *ctx, cairn_map *out, const cairn_map *map);

/* -- changing the kind -- */

/* How cells become another kind: a new column. `what` names the column and the file in messages;
 * `names` (may be NULL) gives the codes of levels, new values are then refused. */
CAIRN_CHECKED cairn_status cairn_column_convert(cairn_context *ctx, cairn_column **out,
                                                const cairn_column *column, cairn_kind kind,
                                                const char *name, const char *source);
/* The kind of that name ("number"), -1 when there is none. */
int cairn_kind_find(const char *name);

/* Put the levels into this order; names that are not listed follow in their old order. */
CAIRN_CHECKED cairn_status cairn_column_declare(cairn_context *ctx, cairn_column *column,
                                                const char *const *names, size_t n);
/* Levels that are all numbers are put in ascending order; others stay as they were first seen. */
CAIRN_CHECKED cairn_status cairn_column_sort_levels(cairn_context *ctx, cairn_column *column);

#endif
