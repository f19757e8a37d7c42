/* SPDX-License-Identifier: MIT */
/* The columns of a table by name. Every change of names keeps the index in step, so that looking up
 * writes nothing and may be done by several threads. Tables of few columns have none. */
#ifndef CAIRN_DATA_TABLE_INDEX_H
#define CAIRN_DATA_TABLE_INDEX_H

#include "data/table.h"

/* Index the columns anew after their names or places have changed. */
void cairn_table_index_again(cairn_table *table);

/* The one check of names that come in from memory: UTF-8, not empty (or NULL), not taken.
 * CAIRN_BAD_DATA. */
CAIRN_CHECKED cairn_status cairn_table_name_allowed(cairn_context *ctx, const cairn_table *table,
                                                    const char *name);

#endif
