/* SPDX-License-Identifier: MIT */
/* Strings numbered in order of arrival: open addressing over indices, hashes by xxhash. A slot
 * holds half of the hash beside the index, so that a look-up goes to memory elsewhere only for
 * the key it finds. */
#define XXH_INLINE_ALL /* most keys are short: the call would cost as much as the work */
#include "base/map.h"
#include "base/memory.h"
#include <string.h>
#include <xxhash.h>

void cairn_map_clear(cairn_map *map)
{
    FREE_EACH(map->bytes, map->starts, map->lengths, map->slots);
    *map = (cairn_map){0};
}

const char *cairn_map_key(const cairn_map *map, size_t i)
{
    return map->bytes + map->starts[i];
}

/* The upper half of a slot. */
static uint64_t tag_of(uint64_t hash)
{
    return hash & ~(uint64_t)UINT32_MAX;
}

static size_t index_of(uint64_t slot)
{
    return (size_t)(slot & UINT32_MAX) - 1;
}

/* The slot of the key, or the free slot where it belongs. */
static size_t find_slot(const cairn_map *map, uint64_t hash, const char *key, size_t length)
{
    size_t slot = (size_t)hash & (map->n_slots - 1);
    for (;; slot = (slot + 1) & (map->n_slots - 1)) {
        uint64_t entry = map->slots[slot];
        if (!entry) return slot;
        if (tag_of(entry) != tag_of(hash)) continue;
        size_t i = index_of(entry);
        if (map->lengths[i] == length && memcmp(map->bytes + map->starts[i], key, length) == 0)
            return slot;
    }
}

int64_t cairn_map_find(const cairn_map *map, const char *key, size_t length)
{
    if (!map->n_slots) return -1;
    uint64_t entry = map->slots[find_slot(map, XXH3_64bits(key, length), key, length)];
    return entry ? (int64_t)index_of(entry) : -1;
}

static cairn_status grow_slots(cairn_context *ctx, cairn_map *map)
{
    uint64_t *slots;
    size_t n = map->n_slots ? map->n_slots * 2 : 16;
    cairn_status status = NEW(ctx, &slots, n);
    if (status) return status;
    for (size_t i = 0; i < map->n; i++) {
        uint64_t hash = XXH3_64bits(map->bytes + map->starts[i], map->lengths[i]);
        size_t slot = (size_t)hash & (n - 1);
        while (slots[slot]) slot = (slot + 1) & (n - 1);
        slots[slot] = tag_of(hash) | (i + 1);
    }
    cairn_free(map->slots);
    map->slots = slots;
    map->n_slots = n;
    return CAIRN_OK;
}

cairn_status cairn_map_add(cairn_context *ctx, cairn_map *map, const char *key, size_t length,
                           size_t *index)
{
    uint64_t hash = XXH3_64bits(key, length);
    if (map->n_slots) {
        uint64_t entry = map->slots[find_slot(map, hash, key, length)];
        if (entry) {
            *index = index_of(entry);
            return CAIRN_OK;
        }
    }
    if (map->n >= UINT32_MAX - 1 || length > UINT32_MAX)
        return cairn_fail(ctx, CAIRN_NO_MEMORY, "more than four thousand million distinct values");
    if ((map->n + 1) * 4 > map->n_slots * 3) CHECK(grow_slots(ctx, map));
    CHECK(GROW(ctx, &map->bytes, &map->bytes_capacity, map->n_bytes + length + 1));
    CHECK(GROW(ctx, &map->starts, &map->starts_capacity, map->n + 1));
    CHECK(GROW(ctx, &map->lengths, &map->lengths_capacity, map->n + 1));
    size_t slot = find_slot(map, hash, key, length);
    if (length) memcpy(map->bytes + map->n_bytes, key, length);
    map->bytes[map->n_bytes + length] = 0;
    map->starts[map->n] = map->n_bytes;
    map->lengths[map->n] = (uint32_t)length;
    map->n_bytes += length + 1;
    *index = map->n++;
    map->slots[slot] = tag_of(hash) | map->n;
    return CAIRN_OK;
}
