/* SPDX-License-Identifier: MIT */
/* Strings numbered in order of arrival: open addressing over indices, hashes by xxhash. A slot
 * holds half of the hash beside the index, so that a look-up goes to memory elsewhere only for
 * the key it finds; its place follows from that half, so that growing looks at no key. */
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

static size_t first_slot(const cairn_map *map, uint64_t hash)
{
    return (size_t)(hash >> 32) & (map->n_slots - 1);
}

static size_t next_slot(const cairn_map *map, size_t slot)
{
    return (slot + 1) & (map->n_slots - 1);
}

/* The slot of the key, or the free slot where it belongs. */
static size_t find_slot(const cairn_map *map, uint64_t hash, const char *key, size_t length)
{
    size_t slot = first_slot(map, hash);
    for (;; slot = next_slot(map, slot)) {
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

/* Entries are moved in the order of their slots: those that share a place stay in some order, and
 * none depends on which. */
static cairn_status grow_slots(cairn_context *ctx, cairn_map *map)
{
    uint64_t *slots;
    size_t n_old = map->n_slots, n = n_old ? n_old * 2 : 16;
    CHECK(NEW(ctx, &slots, n));
    uint64_t *old = map->slots;
    map->slots = slots;
    map->n_slots = n;
    for (size_t i = 0; i < n_old; i++) {
        if (!old[i]) continue;
        size_t slot = first_slot(map, old[i]);
        while (slots[slot]) slot = next_slot(map, slot);
        slots[slot] = old[i];
    }
    cairn_free(old);
    return CAIRN_OK;
}

cairn_status cairn_map_add(cairn_context *ctx, cairn_map *map, const char *key, size_t length,
                           size_t *index)
{
    uint64_t hash = XXH3_64bits(key, length);
    size_t slot = 0;
    if (map->n_slots) {
        slot = find_slot(map, hash, key, length);
        if (map->slots[slot]) {
            *index = index_of(map->slots[slot]);
            return CAIRN_OK;
        }
    }
    if (map->n >= UINT32_MAX - 1 || length > UINT32_MAX)
        return cairn_fail(ctx, CAIRN_NO_MEMORY, "more than four thousand million distinct values");
    if ((map->n + 1) * 4 > map->n_slots * 3) {
        CHECK(grow_slots(ctx, map));
        slot = find_slot(map, hash, key, length);
    }
    CHECK(GROW(ctx, &map->bytes, &map->bytes_capacity, map->n_bytes + length + 1));
    CHECK(GROW(ctx, &map->starts, &map->starts_capacity, map->n + 1));
    CHECK(GROW(ctx, &map->lengths, &map->lengths_capacity, map->n + 1));
    if (length) memcpy(map->bytes + map->n_bytes, key, length);
    map->bytes[map->n_bytes + length] = 0;
    map->starts[map->n] = map->n_bytes;
    map->lengths[map->n] = (uint32_t)length;
    map->n_bytes += length + 1;
    *index = map->n++;
    map->slots[slot] = tag_of(hash) | map->n;
    return CAIRN_OK;
}

cairn_status cairn_map_copy(cairn_context *ctx, cairn_map *out, const cairn_map *map)
{
    SCOPED(cairn_map_clear) cairn_map copy = {.n = map->n, .n_bytes = map->n_bytes};
    if (map->n) {
        copy.bytes_capacity = map->n_bytes;
        copy.starts_capacity = copy.lengths_capacity = map->n;
        copy.n_slots = map->n_slots;
        CHECK(NEW_RAW(ctx, &copy.bytes, map->n_bytes));
        CHECK(NEW_RAW(ctx, &copy.starts, map->n));
        CHECK(NEW_RAW(ctx, &copy.lengths, map->n));
        CHECK(NEW_RAW(ctx, &copy.slots, map->n_slots));
        memcpy(copy.bytes, map->bytes, map->n_bytes);
        memcpy(copy.starts, map->starts, map->n * sizeof *map->starts);
        memcpy(copy.lengths, map->lengths, map->n * sizeof *map->lengths);
        memcpy(copy.slots, map->slots, map->n_slots * sizeof *map->slots);
    }
    *out = copy;
    copy = (cairn_map){0};
    return CAIRN_OK;
}
