/* SPDX-License-Identifier: MIT */
/* Columns that name or number the rows: what learns from them learns nothing about new rows. */
#ifndef CAIRN_DATA_ROW_NAMES_H
#define CAIRN_DATA_ROW_NAMES_H

#include "data/table.h"

/* How sure it must be that a column names the rows. */
typedef enum cairn_row_names {
    CAIRN_NAMED_CLEARLY,  /* whole numbers that all differ, under a name such as "id" or "no.", or
                            that count 1, 2, ..., n under one such as "student" */
    CAIRN_NAMED_BY_WORDS, /* also a first column of levels that all differ */
    CAIRN_NAMED_LIKELY    /* also a first column that counts 1, 2, ..., n or has another level in
                            every row, unless its name is that of a quantity or a variable; of
                            fewer than five rows its name must say so */
} cairn_row_names;

/* Whether the column seems to name the rows. */
CAIRN_CHECKED cairn_status cairn_column_names_rows(cairn_context *ctx, const cairn_table *table,
                                                   size_t column, cairn_row_names sure, bool *out);

/* Whether a name of a column has this word (small letters) among its words. */
bool cairn_name_says(const char *name, const char *word);

/* Give features of that kind the role of names, with a warning that says how to learn from them. A
 * role that somebody gave stays, and so do the features when no other is left. Where few rows leave
 * it open, the column stays a feature, with a warning that says how to leave it out. */
CAIRN_CHECKED cairn_status cairn_table_name_rows(cairn_context *ctx, cairn_table *table,
                                                 cairn_row_names sure);

/* What a row of a table is called: its cell of the first id column, or in a matrix of distances the
 * name of its column. NULL: rows have no names. Scratch. */
CAIRN_CHECKED cairn_status cairn_row_name(cairn_context *ctx, const char **out,
                                          const cairn_table *table, size_t row);

#endif
