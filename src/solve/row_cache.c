/* SPDX-License-Identifier: MIT */
/* Rows of a matrix, the last asked for: slots in a list by age. */
#include "solve/row_cache.h"
#include "base/memory.h"
#include <string.h>

static void set_width(cairn_row_cache *cache, size_t width)
{
    cache->width = width;
    cache->n_slots = width ? cache->room / width : cache->most;
    if (cache->n_slots > cache->most) cache->n_slots = cache->most;
}

cairn_status cairn_row_cache_open(cairn_context *ctx, cairn_row_cache *out, size_t n, size_t bytes)
{
    size_t whole = cairn_product(n, n), least = cairn_product(n, CAIRN_LEAST_CACHED);
    *out = (cairn_row_cache){.n = n, .most = n};
    out->room = bytes / sizeof(float) < least ? least : bytes / sizeof(float);
    if (out->room > whole) out->room = whole;
    CHECK(NEW_RAW(ctx, &out->rows, out->room));
    cairn_expect_dense(out->rows);
    CHECK(NEW_RAW(ctx, &out->slot_of, n));
    CHECK(NEW_RAW(ctx, &out->row_of, n));
    CHECK(NEW_RAW(ctx, &out->newer, n));
    CHECK(NEW_RAW(ctx, &out->older, n));
    cairn_row_cache_forget(out, n);
    return CAIRN_OK;
}

void cairn_row_cache_close(cairn_row_cache *cache)
{
    cairn_free(cache->rows);
    cairn_free(cache->slot_of);
    cairn_free(cache->row_of);
    cairn_free(cache->newer);
    cairn_free(cache->older);
    *cache = (cairn_row_cache){0};
}

void cairn_row_cache_forget(cairn_row_cache *cache, size_t width)
{
    set_width(cache, width);
    cache->used = 0;
    cache->newest = cache->oldest = CAIRN_NO_SLOT;
    for (size_t i = 0; i < cache->n; i++) cache->slot_of[i] = CAIRN_NO_SLOT;
}

static void unlink_slot(cairn_row_cache *cache, uint32_t slot)
{
    uint32_t newer = cache->newer[slot], older = cache->older[slot];
    if (newer == CAIRN_NO_SLOT)
        cache->newest = older;
    else
        cache->older[newer] = older;
    if (older == CAIRN_NO_SLOT)
        cache->oldest = newer;
    else
        cache->newer[older] = newer;
}

static void link_newest(cairn_row_cache *cache, uint32_t slot)
{
    cache->newer[slot] = CAIRN_NO_SLOT;
    cache->older[slot] = cache->newest;
    if (cache->newest == CAIRN_NO_SLOT)
        cache->oldest = slot;
    else
        cache->newer[cache->newest] = slot;
    cache->newest = slot;
}

const float *cairn_row_cache_find(cairn_row_cache *cache, size_t row)
{
    uint32_t slot = cache->slot_of[row];
    if (slot == CAIRN_NO_SLOT) return NULL;
    if (slot != cache->newest) {
        unlink_slot(cache, slot);
        link_newest(cache, slot);
    }
    return cache->rows + slot * cache->width;
}

float *cairn_row_cache_take(cairn_row_cache *cache, size_t row)
{
    uint32_t slot = (uint32_t)cache->used;
    if (cache->used < cache->n_slots) {
        cache->used++;
    } else {
        slot = cache->oldest;
        unlink_slot(cache, slot);
        cache->slot_of[cache->row_of[slot]] = CAIRN_NO_SLOT;
    }
    cache->slot_of[row] = slot;
    cache->row_of[slot] = (uint32_t)row;
    link_newest(cache, slot);
    return cache->rows + slot * cache->width;
}

void cairn_row_cache_narrow(cairn_row_cache *cache, const uint32_t *keep, size_t n)
{
    for (size_t slot = 0; slot < cache->used; slot++) {
        const float *from = cache->rows + slot * cache->width;
        float *to = cache->rows + slot * n;
        for (size_t j = 0; j < n; j++) to[j] = from[keep[j]];
    }
    set_width(cache, n);
}
