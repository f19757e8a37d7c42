/* SPDX-License-Identifier: MIT */
/* Letters to put in, take out or exchange to make one text of another. */
#ifndef CAIRN_STATS_EDIT_DISTANCE_H
#define CAIRN_STATS_EDIT_DISTANCE_H

#include <stddef.h>
#include <stdint.h>

/* Smallest number of letters to put in, take out or exchange. `buffer` has n_b + 1 numbers. */
size_t cairn_edit_distance(const int32_t *a, size_t n_a, const int32_t *b, size_t n_b,
                           int32_t *buffer);

/* Where each letter stands in a text of up to CAIRN_EDIT_LETTERS letters: the same for many others,
 * which are then compared with it. */
enum { CAIRN_EDIT_LETTERS = 64, CAIRN_EDIT_SLOTS = 2 * CAIRN_EDIT_LETTERS };
typedef struct cairn_edit_table {
    int32_t letters[CAIRN_EDIT_SLOTS];
    uint64_t places[CAIRN_EDIT_SLOTS];
} cairn_edit_table;

void cairn_edit_prepare(cairn_edit_table *out, const int32_t *a, size_t n_a);
size_t cairn_edit_prepared(const cairn_edit_table *table, size_t n_a, const int32_t *b, size_t n_b);

#endif
