/* SPDX-License-Identifier: MIT */
/* Rows of a square matrix that is too large to be kept: those that were made last, in a ring. All
 * rows have the same columns, which may become fewer. */
#ifndef CAIRN_SOLVE_ROW_CACHE_H
#define CAIRN_SOLVE_ROW_CACHE_H

#include "base/context.h"

typedef struct cairn_row_cache {
    size_t n;       /* rows of the matrix */
    size_t buffer;  /* numbers in all */
    size_t width;   /* numbers of a row */
    size_t n_slots; /* rows that there is room for */
    size_t next;    /* slot that is filled next */
    float *rows;
    uint32_t *slot_of; /* n; CAIRN_NO_SLOT = not here */
    uint32_t *row_of;  /* n slots; CAIRN_NO_SLOT = empty */
} cairn_row_cache;

#define CAIRN_NO_SLOT UINT32_MAX

/* For n rows of n columns, in about so many bytes, and at least `least` rows; what it owns is freed
 * by _close. */
CAIRN_CHECKED cairn_status cairn_row_cache_open(cairn_context *ctx, cairn_row_cache *out, size_t n,
                                                size_t bytes, size_t least);
void cairn_row_cache_close(cairn_row_cache *cache);
/* The row; NULL when it is not here. */
const float *cairn_row_cache_find(const cairn_row_cache *cache, size_t row);
/* Room for m rows beside each other, where the oldest were: their slots are empty now, and m is at
 * most n_slots. */
size_t cairn_row_cache_clear(cairn_row_cache *cache, size_t m);
/* The rows are in the slots from `slot` on. */
void cairn_row_cache_put(cairn_row_cache *cache, size_t slot, const uint32_t *rows, size_t m);
/* Of every row only the columns `keep`, rising, stay. */
void cairn_row_cache_narrow(cairn_row_cache *cache, const uint32_t *keep, size_t n);
/* No row is here; those that come have so many columns. */
void cairn_row_cache_forget(cairn_row_cache *cache, size_t width);

#endif
