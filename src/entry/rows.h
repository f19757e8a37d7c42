/* SPDX-License-Identifier: MIT */
/* A walk over the flat rows of an entry, groups expanded, in one go: cairn_params_row begins anew
 * for each. */
#ifndef CAIRN_ENTRY_ROWS_H
#define CAIRN_ENTRY_ROWS_H

#include "entry/entry.h"

typedef struct cairn_row_walk {
    const cairn_param *next[CAIRN_MOST_NESTING + 1]; /* in each of the groups that it is in */
    size_t offset[CAIRN_MOST_NESTING + 1];
    int depth;
} cairn_row_walk;

cairn_row_walk cairn_rows_of(const cairn_entry *entry);
/* The next row and the offset of its field (may be NULL); NULL at the end. */
const cairn_param *cairn_next_row(cairn_row_walk *walk, size_t *offset);

#endif
