/* SPDX-License-Identifier: MIT */
/* Texts by numbers, equal ones by the same.
 *
 *  1. Each text becomes a key of 128 bits: up to 15 bytes are the key themselves, so that most keys
 *     are compared without looking at the texts again; longer ones are hashed.
 *  2. Keys are distributed by their hash into parts that fit into the cache, block after block, and
 *     each part numbers its own; long texts whose hashes agree are compared byte by byte.
 *  3. The numbers of the parts are made numbers in the order of arrival.
 *
 * Blocks and parts are fixed by the number of texts, so nothing depends on threads. */
#include "base/hash.h"
#include "base/memory.h"
#include "parallel/parallel.h"
#include "reshape/keys.h"
#include "reshape/text_keys.h"

#include <string.h>

enum {
    BLOCK = 1 << 16,      /* texts that are distributed together */
    PART_TEXTS = 1 << 14, /* of a part, about */
    MOST_PARTS = 1 << 9,
    SHORT = 15, /* bytes of a text that is its own key */
    LONG_MARK = 255,
};

typedef struct text_key {
    uint64_t low, high; /* the highest byte is the length of a short text, else LONG_MARK */
} text_key;

typedef struct numbering {
    const cairn_texts *sides;
    size_t n;
    int part_shift; /* of a hash */
    size_t n_parts;
    size_t *places;  /* blocks x parts: counts, then where the next text of the part goes */
    size_t *begins;  /* n_parts + 1 */
    text_key *keys;  /* n, by part */
    uint32_t *rows;  /* n, by part */
    uint32_t *codes; /* n: by row */
} numbering;

cairn_texts cairn_texts_of(const cairn_column *column)
{
    if (column->kind == CAIRN_LEVEL)
        return (cairn_texts){.n = column->n_rows,
                             .bytes = column->names.bytes,
                             .starts = column->names.starts,
                             .lengths = column->names.lengths,
                             .codes = column->codes};
    return (cairn_texts){.n = column->n_rows,
                         .bytes = column->bytes,
                         .starts = column->starts,
                         .absent = column->absent};
}

cairn_texts cairn_texts_of_names(const cairn_map *names)
{
    return (cairn_texts){
        .n = names->n, .bytes = names->bytes, .starts = names->starts, .lengths = names->lengths};
}

/* The text of a row of both sides. */
static size_t text_of(const numbering *w, size_t row, const char **bytes)
{
    size_t first = w->sides[0].n;
    return row < first ? cairn_texts_get(&w->sides[0], row, bytes)
                       : cairn_texts_get(&w->sides[1], row - first, bytes);
}

/* Up to 7 bytes as a whole number, the others 0; loads overlap, and none passes the end. */
static inline uint64_t few_bytes(const char *at, size_t n)
{
    uint32_t low, high;
    if (n >= 4) {
        memcpy(&low, at, 4);
        memcpy(&high, at + n - 4, 4);
        return low | (uint64_t)high << 8 * (n - 4);
    }
    uint64_t bytes = 0;
    for (size_t i = 0; i < n; i++) bytes |= (uint64_t)(unsigned char)at[i] << 8 * i;
    return bytes;
}

static inline text_key key_of(const char *at, size_t n)
{
    text_key key = {0};
    if (n > SHORT) {
        cairn_wide_hash hash = cairn_hash_wide(at, n);
        return (text_key){hash.low, hash.high | (uint64_t)LONG_MARK << 56};
    }
    if (n >= 8) {
        memcpy(&key.low, at, 8);
        key.high = few_bytes(at + 8, n - 8);
    } else {
        key.low = few_bytes(at, n);
    }
    key.high |= (uint64_t)n << 56;
    return key;
}

static inline uint64_t hash_of(text_key key)
{
    uint64_t hash = (key.low ^ (key.high * UINT64_C(0x9e3779b97f4a7c15)));
    hash ^= hash >> 32;
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
    return hash * UINT64_C(0xbf58476d1ce4e5b9);
}

/* Texts of a block: counted by part, or moved there. */
static inline void walk_block(const numbering *w, size_t block, size_t begin, size_t end, bool move)
{
    size_t *places = w->places + block * w->n_parts, first = w->sides[0].n;
    for (size_t i = begin; i < end; i++) {
        const cairn_texts *texts = i < first ? &w->sides[0] : &w->sides[1];
        size_t at = i < first ? i : i - first;
        const char *bytes;
        if (cairn_texts_missing(texts, at)) continue;
        size_t length = cairn_texts_get(texts, at, &bytes);
        text_key key = key_of(bytes, length);
        size_t place = places[hash_of(key) >> w->part_shift]++;
        if (!move) continue;
        w->keys[place] = key;
        w->rows[place] = (uint32_t)i;
    }
}

static void count_parts(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)worker;
    walk_block(data, block, begin, end, false);
}

static void move_to_parts(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)worker;
    walk_block(data, block, begin, end, true);
}

static bool same_text(const numbering *w, size_t a, size_t b)
{
    const char *bytes_a, *bytes_b;
    text_key x = w->keys[a], y = w->keys[b];
    if (x.low != y.low || x.high != y.high) return false;
    if (x.high >> 56 != LONG_MARK) return true;
    size_t n = text_of(w, w->rows[a], &bytes_a);
    return n == text_of(w, w->rows[b], &bytes_b) && memcmp(bytes_a, bytes_b, n) == 0;
}

/* The code of a text is the place of the first like it. */
static cairn_status code_part(cairn_context *ctx, void *data, size_t part)
{
    const numbering *w = data;
    SCOPED_SCRATCH(ctx);
    size_t begin = w->begins[part], end = w->begins[part + 1], n_slots = 16;
    uint32_t *slots; /* place in the part, plus one */
    while (n_slots < 2 * (end - begin)) n_slots *= 2;
    CHECK(SCRATCH(ctx, &slots, n_slots));
    for (size_t i = begin; i < end; i++) {
        size_t at = hash_of(w->keys[i]) & (n_slots - 1);
        while (slots[at] && !same_text(w, begin + slots[at] - 1, i)) at = (at + 1) & (n_slots - 1);
        if (!slots[at]) slots[at] = (uint32_t)(i - begin) + 1;
        w->codes[w->rows[i]] = (uint32_t)(begin + slots[at] - 1);
    }
    return CAIRN_OK;
}

/* Numbers in the order of arrival in place of the codes. */
static cairn_status number_by_arrival(cairn_context *ctx, const numbering *w, size_t n_present,
                                      size_t *n_ids)
{
    SCOPED_SCRATCH(ctx);
    uint32_t *ids, n = 0;
    CHECK(SCRATCH_RAW(ctx, &ids, n_present + 1));
    memset(ids, 0xff, n_present * sizeof *ids);
    for (size_t i = 0; i < w->n; i++) {
        if (w->codes[i] == UINT32_MAX) continue;
        uint32_t *id = &ids[w->codes[i]];
        if (*id == UINT32_MAX) *id = n++;
        w->codes[i] = *id;
    }
    for (size_t i = 0; n_present < w->n && i < w->n; i++)
        if (w->codes[i] == UINT32_MAX) w->codes[i] = n;
    *n_ids = n;
    return CAIRN_OK;
}

cairn_status cairn_number_texts(cairn_context *ctx, uint32_t **ids, size_t *n_ids,
                                const cairn_texts *sides, size_t n_sides)
{
    numbering w = {.sides = sides, .n = sides[0].n, .n_parts = 2, .part_shift = 63};
    if (n_sides > 1) w.n += sides[1].n;
    CHECK(SCRATCH_RAW(ctx, &w.codes, w.n + 1));
    *ids = w.codes;
    SCOPED_SCRATCH(ctx);
    double work = 8 * (double)w.n;
    while (w.n_parts < MOST_PARTS && w.n / w.n_parts > PART_TEXTS) {
        w.n_parts *= 2;
        w.part_shift--;
    }
    size_t n_blocks = cairn_block_count(w.n, BLOCK);
    CHECK(SCRATCH(ctx, &w.places, w.n_parts * n_blocks + 1));
    CHECK(SCRATCH(ctx, &w.begins, w.n_parts + 1));
    CHECK(SCRATCH_RAW(ctx, &w.keys, w.n + 1));
    CHECK(SCRATCH_RAW(ctx, &w.rows, w.n + 1));
    memset(w.codes, 0xff, w.n * sizeof *w.codes);
    CHECK(cairn_blocks_sized(ctx, w.n, BLOCK, work, count_parts, &w));
    cairn_place_parts(w.places, w.begins, w.n_parts, n_blocks);
    CHECK(cairn_blocks_sized(ctx, w.n, BLOCK, work, move_to_parts, &w));
    CHECK(cairn_tasks_sized(ctx, w.n_parts, work, code_part, &w));
    return number_by_arrival(ctx, &w, w.begins[w.n_parts], n_ids);
}
