/* SPDX-License-Identifier: MIT */
/* Targets that are asked about in another way than they are written: one class of interest against
 * all others, and cells that hold several labels. */
#ifndef CAIRN_DATA_TARGET_LABELS_H
#define CAIRN_DATA_TARGET_LABELS_H

#include "data/table.h"

/* The name of all other values, as in --kinds "town=level(Oslo,*)". */
#define CAIRN_OTHERS "*"

/* The column becomes `level` against the rest, which is called CAIRN_OTHERS: a schema that is made
 * of it takes every other value of new data for the rest, too. A level that no row has is refused
 * unless `part` says that more rows follow. */
CAIRN_CHECKED cairn_status cairn_table_against_rest(cairn_context *ctx, cairn_table *table,
                                                    size_t column, const char *level, bool part);

/* Part the labels of a column: its cells are cut at `mark`, blanks around a label do not count, and
 * a bag's items are labels as they are (mark may be NULL then). For every label there is a new
 * target, named COLUMN=LABEL, with the levels no and yes, in order of first appearance; the column
 * itself is ignored from now on. A missing cell makes all of them missing; a cell with nothing but
 * marks has no label. With `known` (may be NULL) its keys are the labels, and others that are met
 * go into *unknown (NULL with NULL). */
typedef struct cairn_unknown_labels {
    size_t n;
    bool *rows; /* one per row: it has such a label; scratch */
} cairn_unknown_labels;
CAIRN_CHECKED cairn_status cairn_labels_split(cairn_context *ctx, cairn_table *table, size_t column,
                                              const char *mark, const cairn_map *known,
                                              cairn_unknown_labels *unknown);

/* The label of a target that cairn_labels_split made of the column. */
const char *cairn_label_name(const char *target, const char *column);

#endif
