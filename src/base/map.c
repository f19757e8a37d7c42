/* SPDX-License-Identifier: MIT */
/* Strings numbered in order of arrival: open addressing over indices, hashes by xxhash. */
#include "base/map.h"
#include "base/memory.h"
#include <string.h>
#include <xxhash.h>

void cairn_map_clear(cairn_map *map)
{
    cairn_free(map->bytes);
    cairn_free(map->starts);
    cairn_free(map->lengths);
    cairn_free(map->hashes);
    cairn_free(map->slots);
    *map = (cairn_map){0};
}

const char *cairn_map_key(const cairn_map *map, size_t i)
{
    return map->bytes + map->starts[i];
}

/* The slot of the key, or the free slot where it belongs. */
static size_t find_slot(const cairn_map *map, uint64_t hash, const char *key, size_t length)
{
    size_t slot = (size_t)hash & (map->n_slots - 1);
    for (;; slot = (slot + 1) & (map->n_slots - 1)) {
        uint32_t entry = map->slots[slot];
        if (!entry) return slot;
        size_t i = entry - 1;
        if (map->hashes[i] == hash && map->lengths[i] == length &&
            memcmp(map->bytes + map->starts[i], key, length) == 0)
            return slot;
    }
}

int64_t cairn_map_find(const cairn_map *map, const char *key, size_t length)
{
    if (!map->n_slots) return -1;
    size_t slot = find_slot(map, XXH3_64bits(key, length), key, length);
    return (int64_t)map->slots[slot] - 1;
}

static cairn_status grow_slots(cairn_context *ctx, cairn_map *map)
{
    uint32_t *slots;
    size_t n = map->n_slots ? map->n_slots * 2 : 16;
    cairn_status status = NEW(ctx, &slots, n);
    if (status) return status;
    for (size_t i = 0; i < map->n; i++) {
        size_t slot = (size_t)map->hashes[i] & (n - 1);
        while (slots[slot]) slot = (slot + 1) & (n - 1);
        slots[slot] = (uint32_t)i + 1;
    }
    cairn_free(map->slots);
    map->slots = slots;
    map->n_slots = n;
    return CAIRN_OK;
}

cairn_status cairn_map_add(cairn_context *ctx, cairn_map *map, const char *key, size_t length,
                           size_t *index)
{
    cairn_status status = CAIRN_OK;
    uint64_t hash = XXH3_64bits(key, length);
    if (map->n_slots) {
        uint32_t entry = map->slots[find_slot(map, hash, key, length)];
        if (entry) {
            *index = entry - 1;
            return CAIRN_OK;
        }
    }
    if (map->n >= UINT32_MAX - 1 || length > UINT32_MAX)
        return cairn_fail(ctx, CAIRN_NO_MEMORY, "more than four thousand million distinct values");
    if ((map->n + 1) * 4 > map->n_slots * 3) TRY(grow_slots(ctx, map));
    TRY(GROW(ctx, &map->bytes, &map->bytes_capacity, map->n_bytes + length + 1));
    TRY(GROW(ctx, &map->starts, &map->starts_capacity, map->n + 1));
    TRY(GROW(ctx, &map->lengths, &map->lengths_capacity, map->n + 1));
    TRY(GROW(ctx, &map->hashes, &map->hashes_capacity, map->n + 1));
    size_t slot = find_slot(map, hash, key, length);
    if (length) memcpy(map->bytes + map->n_bytes, key, length);
    map->bytes[map->n_bytes + length] = 0;
    map->starts[map->n] = map->n_bytes;
    map->lengths[map->n] = (uint32_t)length;
    map->hashes[map->n] = hash;
    map->n_bytes += length + 1;
    *index = map->n++;
    map->slots[slot] = (uint32_t)map->n;
done:
    return status;
}
