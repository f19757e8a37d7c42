/* SPDX-License-Identifier: MIT */
/* Sorting on all threads of the context: stable, ascending, the same result for any number of
 * threads, and no input is much slower than another. */
#ifndef CAIRN_PARALLEL_SORT_H
#define CAIRN_PARALLEL_SORT_H

#include "base/context.h"

/* The whole number whose order is that of the doubles: -inf, negative, 0 (-0 is 0), positive, inf,
 * NaN. */
static inline uint64_t cairn_order_key(double number)
{
    union {
        double number;
        uint64_t bits;
    } u = {.number = number + 0.0};
    return number != number ? UINT64_MAX : u.bits ^ (-(u.bits >> 63) | 1ULL << 63);
}

/* The double that a key stands for; not for the key of NaN. */
static inline double cairn_order_number(uint64_t key)
{
    union {
        uint64_t bits;
        double number;
    } u = {.bits = key ^ (((key >> 63) - 1) | 1ULL << 63)};
    return u.number;
}

/* Sort n keys; `items` (NULL = none) move with their keys, equal keys keep their order. Needs as
 * much scratch as keys and items take and gives it back. */
CAIRN_CHECKED cairn_status cairn_sort_keys(cairn_context *ctx, uint64_t *keys, uint64_t *items,
                                           size_t n);

/* Sort numbers in place; NaN last. */
CAIRN_CHECKED cairn_status cairn_sort_numbers(cairn_context *ctx, double *numbers, size_t n);

/* The positions of the numbers in ascending order, equal ones as they stand, NaN last. */
CAIRN_CHECKED cairn_status cairn_sort_order(cairn_context *ctx, uint64_t *order,
                                            const double *numbers, size_t n);

#endif
