/* SPDX-License-Identifier: MIT */
/* Rows of a square matrix that is too large to be kept: those that were asked for last. All rows
 * have the same columns, which may become fewer. */
#ifndef CAIRN_SOLVE_ROW_CACHE_H
#define CAIRN_SOLVE_ROW_CACHE_H

#include "base/context.h"

typedef struct cairn_row_cache {
    size_t room;          /* numbers in all */
    size_t width;         /* numbers of a row */
    size_t n_slots, used; /* rows that there is room for, slots that hold one */
    size_t most;          /* slots at any width */
    float *rows;
    uint32_t *slot_of; /* of a row; CAIRN_NO_SLOT = not here */
    uint32_t *row_of;  /* of a slot */
    uint32_t *newer, *older;
    uint32_t newest, oldest;
    size_t n; /* rows of the matrix */
} cairn_row_cache;

enum { CAIRN_LEAST_CACHED = 64 }; /* rows that there is room for, whatever was asked */
#define CAIRN_NO_SLOT UINT32_MAX

/* For n rows of n columns, in at most so many bytes; what it owns is freed by _close. */
CAIRN_CHECKED cairn_status cairn_row_cache_open(cairn_context *ctx, cairn_row_cache *out, size_t n,
                                                size_t bytes);
void cairn_row_cache_close(cairn_row_cache *cache);
/* The row, which is now the last asked for; NULL when it is not here. */
const float *cairn_row_cache_find(cairn_row_cache *cache, size_t row);
/* Room for a row that is not here, in place of the one that nobody asked for longest. */
float *cairn_row_cache_take(cairn_row_cache *cache, size_t row);
/* Of every row only the columns `keep`, rising, stay. */
void cairn_row_cache_narrow(cairn_row_cache *cache, const uint32_t *keep, size_t n);
/* No row is here; those that come have so many columns. */
void cairn_row_cache_forget(cairn_row_cache *cache, size_t width);

#endif
