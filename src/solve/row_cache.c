/* SPDX-License-Identifier: MIT */
/* Rows of a matrix, the last that were made. */
#include "solve/row_cache.h"
#include "base/memory.h"
#include <string.h>

static void set_width(cairn_row_cache *cache, size_t width)
{
    cache->width = width;
    cache->n_slots = width ? cache->buffer / width : cache->n;
    if (cache->n_slots > cache->n) cache->n_slots = cache->n;
}

cairn_status cairn_row_cache_open(cairn_context *ctx, cairn_row_cache *out, size_t n, size_t bytes,
                                  size_t least)
{
    size_t whole = cairn_product(n, n), few = cairn_product(n, least);
    *out = (cairn_row_cache){.n = n};
    out->buffer = bytes / sizeof(float) < few ? few : bytes / sizeof(float);
    if (out->buffer > whole) out->buffer = whole;
    CHECK(NEW_RAW(ctx, &out->rows, out->buffer));
    cairn_expect_dense(out->rows);
    CHECK(NEW_RAW_EACH(ctx, n, &out->slot_of, &out->row_of));
    cairn_row_cache_forget(out, n);
    return CAIRN_OK;
}

void cairn_row_cache_close(cairn_row_cache *cache)
{
    cairn_free(cache->rows);
    cairn_free(cache->slot_of);
    cairn_free(cache->row_of);
    *cache = (cairn_row_cache){0};
}

void cairn_row_cache_forget(cairn_row_cache *cache, size_t width)
{
    set_width(cache, width);
    cache->next = 0;
    for (size_t i = 0; i < cache->n; i++) cache->slot_of[i] = cache->row_of[i] = CAIRN_NO_SLOT;
}

const float *cairn_row_cache_find(const cairn_row_cache *cache, size_t row)
{
    uint32_t slot = cache->slot_of[row];
    return slot == CAIRN_NO_SLOT ? NULL : cache->rows + slot * cache->width;
}

size_t cairn_row_cache_clear(cairn_row_cache *cache, size_t m)
{
    if (cache->next + m > cache->n_slots) cache->next = 0;
    for (size_t slot = cache->next; slot < cache->next + m; slot++) {
        uint32_t row = cache->row_of[slot];
        if (row != CAIRN_NO_SLOT) cache->slot_of[row] = CAIRN_NO_SLOT;
        cache->row_of[slot] = CAIRN_NO_SLOT;
    }
    return cache->next;
}

void cairn_row_cache_put(cairn_row_cache *cache, size_t slot, const uint32_t *rows, size_t m)
{
    for (size_t r = 0; r < m; r++) {
        cache->slot_of[rows[r]] = (uint32_t)(slot + r);
        cache->row_of[slot + r] = rows[r];
    }
    cache->next = slot + m;
}

void cairn_row_cache_narrow(cairn_row_cache *cache, const uint32_t *keep, size_t n)
{
    for (size_t slot = 0; slot < cache->n_slots; slot++) {
        const float *from = cache->rows + slot * cache->width;
        float *to = cache->rows + slot * n;
        if (cache->row_of[slot] == CAIRN_NO_SLOT) continue;
        for (size_t j = 0; j < n; j++) to[j] = from[keep[j]];
    }
    set_width(cache, n);
}
