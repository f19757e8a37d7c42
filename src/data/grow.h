/* SPDX-License-Identifier: MIT */
/* A column that grows cell by cell, for readers that do not know the number of rows beforehand.
 * The kind is number, time, level or text. */
#ifndef CAIRN_DATA_GROW_H
#define CAIRN_DATA_GROW_H

#include "data/table.h"

typedef struct cairn_grow_column {
    char *name;
    cairn_kind kind;
    cairn_role role;
    bool declared, ordered; /* LEVEL: `names` is complete; its order means something */
    cairn_map names;        /* LEVEL */
    size_t n_rows;
    double *numbers;
    int32_t *codes;
    size_t *starts; /* TEXT */
    char *bytes;
    size_t n_bytes;
    uint8_t *absent;                  /* TEXT: n_rows */
    char pattern[CAIRN_TIME_PATTERN]; /* TIME: how it is written; "" = as its cells need */
    size_t numbers_capacity, codes_capacity, starts_capacity, bytes_capacity, absent_capacity;
} cairn_grow_column;

/* Free everything, the name included. */
void cairn_grow_clear(cairn_grow_column *column);
/* Add one cell; it must be of the column's kind, which is not checked. A text is copied. */
CAIRN_CHECKED cairn_status cairn_grow_missing(cairn_context *ctx, cairn_grow_column *column);
CAIRN_CHECKED cairn_status cairn_grow_number(cairn_context *ctx, cairn_grow_column *column,
                                             double number);
CAIRN_CHECKED cairn_status cairn_grow_code(cairn_context *ctx, cairn_grow_column *column,
                                           int32_t code);
CAIRN_CHECKED cairn_status cairn_grow_text(cairn_context *ctx, cairn_grow_column *column,
                                           const char *text, size_t length);
/* Put the column at the end of a table of as many rows; it is cleared, also on failure. */
CAIRN_CHECKED cairn_status cairn_grow_finish(cairn_context *ctx, cairn_table *table,
                                             cairn_grow_column *column);

#endif
