/* SPDX-License-Identifier: MIT */
/* Sorting by a comparison: stable, the same on every machine, and no input is much slower than
 * another. Numbers and keys are sorted on all threads by parallel/sort.h. */
#ifndef CAIRN_BASE_SORT_BY_H
#define CAIRN_BASE_SORT_BY_H

#include "base/context.h"

/* Whether a must stand before b; false for equals. `data` is what the sort was given. */
typedef bool (*cairn_before)(const void *a, const void *b, const void *data);

/* Sort n items of `size` bytes; equals keep their order. `buffer` is as large as the items. */
void cairn_sort_in(void *items, void *buffer, size_t n, size_t size, cairn_before before,
                   const void *data);
/* The same with room from scratch, which is given back. */
CAIRN_CHECKED cairn_status cairn_sort_by(cairn_context *ctx, void *items, size_t n, size_t size,
                                         cairn_before before, const void *data);

/* For qsort: numbers that ascend, none of them NaN. */
int cairn_by_number(const void *a, const void *b);

#endif
