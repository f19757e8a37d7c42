/* SPDX-License-Identifier: MIT */
/* A parent is never larger than its child, so a chain ends at the smallest item; chains are
 * shortened on the way. Only roots are exchanged, and only by compare-and-swap. */
#include "parallel/joined.h"

static uint32_t parent_of(const uint32_t *parents, uint32_t item)
{
    return __atomic_load_n(parents + item, __ATOMIC_RELAXED);
}

void cairn_joined_start(uint32_t *parents, size_t n)
{
    for (size_t i = 0; i < n; i++) parents[i] = (uint32_t)i;
}

uint32_t cairn_joined_find(uint32_t *parents, uint32_t item)
{
    for (uint32_t parent = parent_of(parents, item); parent != item;) {
        uint32_t next = parent_of(parents, parent);
        if (next != parent)
            __atomic_compare_exchange_n(parents + item, &parent, next, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED);
        item = next;
        parent = parent_of(parents, item);
    }
    return item;
}

bool cairn_joined_join(uint32_t *parents, uint32_t a, uint32_t b)
{
    for (;;) {
        a = cairn_joined_find(parents, a);
        b = cairn_joined_find(parents, b);
        if (a == b) return false;
        uint32_t high = a > b ? a : b, low = a > b ? b : a, root = high;
        if (__atomic_compare_exchange_n(parents + high, &root, low, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return true;
    }
}
