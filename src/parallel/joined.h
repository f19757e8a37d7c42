/* SPDX-License-Identifier: MIT */
/* Sets that are joined by several workers at once (union-find). Which items end up together does
 * not depend on the order of the joins, and a set is known by its smallest item, so the result is
 * the same for any number of threads. */
#ifndef CAIRN_PARALLEL_JOINED_H
#define CAIRN_PARALLEL_JOINED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every item alone. */
void cairn_joined_start(uint32_t *parents, size_t n);
/* The smallest item of the set, as far as it has been joined. */
uint32_t cairn_joined_find(uint32_t *parents, uint32_t item);
/* Returns whether the two were apart. */
bool cairn_joined_join(uint32_t *parents, uint32_t a, uint32_t b);

#endif
