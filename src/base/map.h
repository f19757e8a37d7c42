/* SPDX-License-Identifier: MIT */
/* A set of strings that numbers them 0, 1, 2 ... in order of arrival: the dictionary of level
 * columns, of items, and of every look-up by name. Keys may hold any bytes but are also ended with
 * a zero byte. A zeroed cairn_map is empty. */
#ifndef CAIRN_BASE_MAP_H
#define CAIRN_BASE_MAP_H

#include "base/context.h"

typedef struct cairn_map {
    size_t n;    /* number of keys */
    char *bytes; /* all keys, each ended with a zero byte */
    size_t n_bytes, bytes_capacity;
    size_t *starts;    /* n offsets into bytes */
    uint32_t *lengths; /* n lengths */
    size_t starts_capacity, lengths_capacity;
    uint64_t *slots; /* n_slots: 0 = free, else index + 1 and above it half of the key's hash */
    size_t n_slots;
} cairn_map;

/* Free the keys; the map is empty and can be used again. */
void cairn_map_clear(cairn_map *map);

/* Index of the key, or -1. */
int64_t cairn_map_find(const cairn_map *map, const char *key, size_t length);

/* Index of the key, added if new. */
CAIRN_CHECKED cairn_status cairn_map_add(cairn_context *ctx, cairn_map *map, const char *key,
                                         size_t length, size_t *index);

/* The same keys in the same order. */
CAIRN_CHECKED cairn_status cairn_map_copy(cairn_context *ctx, cairn_map *out, const cairn_map *map);

/* Key number i, zero-ended. Borrowed until the next add. */
const char *cairn_map_key(const cairn_map *map, size_t i);

#endif
