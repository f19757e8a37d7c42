/* SPDX-License-Identifier: MIT */
/* Sorting keys of 64 bits by their digits.
 *
 *  1. The bits in which the keys differ at all are found; what is above and below is the same in
 *     all of them and is not looked at again.
 *  2. The top digits of 8 bits, as many as tell most of n random keys apart, are sorted from the
 *     lowest to the highest of them: count the digits of every block of keys, add up to the places
 *     where each block's keys of each digit begin, move. Blocks count and move side by side.
 *  3. What is left are runs of keys that agree in those digits. Each is sorted by itself, a short
 *     one by insertion, a long one by the remaining digits. A run belongs to the block that it
 *     begins in.
 *
 * All steps keep equal keys in order, so the result does not depend on blocks or threads. */
#include "parallel/sort.h"

#include "base/memory.h"
#include "parallel/parallel.h"

#include <string.h>

enum {
    DIGIT = 8,
    DIGITS = 1 << DIGIT,
    SPARE_BITS = 7,        /* digits tell keys apart when they have this many bits over log2 n */
    SHORT_RUN = 40,        /* sorted by insertion */
    LEAST_BLOCK = 1 << 15, /* keys of a block, and at most so many blocks: */
    MOST_BLOCKS = 64,
};

typedef struct sort_work {
    uint64_t *keys, *items;             /* where they are; items may be NULL */
    uint64_t *other_keys, *other_items; /* where they go */
    size_t n, block_size;
    size_t (*places)[DIGITS]; /* per block: first counts, then where the next key goes */
    uint64_t *differing;      /* per block: bits in which its keys differ from the first one */
    uint64_t first;
    int shift;   /* of the digit at hand, or of the top digits as a whole */
    int low_bit; /* the lowest that differs */
} sort_work;

static size_t block_size_for(size_t n)
{
    size_t size = n / MOST_BLOCKS + 1;
    return size < LEAST_BLOCK ? LEAST_BLOCK : size;
}

static void find_differing(void *data, size_t block, size_t begin, size_t end, int worker)
{
    sort_work *w = data;
    uint64_t differing = 0;
    (void)worker;
    for (size_t i = begin; i < end; i++) differing |= w->keys[i] ^ w->first;
    w->differing[block] = differing;
}

static void count_digits(void *data, size_t block, size_t begin, size_t end, int worker)
{
    sort_work *w = data;
    size_t *counts = w->places[block];
    const uint64_t *keys = w->keys;
    (void)worker;
    memset(counts, 0, sizeof w->places[block]);
    for (size_t i = begin; i < end; i++) counts[keys[i] >> w->shift & (DIGITS - 1)]++;
}

/* A pass of radix sort; each block has places of its own, counted before, so that blocks move at
 * the same time and equal keys keep their order. */
static void move_keys(void *data, size_t block, size_t begin, size_t end, int worker)
{
    sort_work *w = data;
    size_t *places = w->places[block];
    const uint64_t *keys = w->keys, *items = w->items;
    uint64_t *to = w->other_keys, *items_to = w->other_items;
    const int shift = w->shift;
    (void)worker;
    if (!items) {
        for (size_t i = begin; i < end; i++)
            to[places[keys[i] >> shift & (DIGITS - 1)]++] = keys[i];
        return;
    }
    for (size_t i = begin; i < end; i++) {
        size_t place = places[keys[i] >> shift & (DIGITS - 1)]++;
        to[place] = keys[i];
        items_to[place] = items[i];
    }
}

/* Steps of one pass over n keys: short ones are not worth waking threads for. */
static double pass_work(size_t n)
{
    return 2 * (double)n;
}

/* From counts to places. False when all keys have the same digit. */
static bool counts_to_places(sort_work *w, size_t n_blocks)
{
    size_t place = 0;
    for (size_t d = 0; d < DIGITS; d++) {
        size_t before = place;
        for (size_t b = 0; b < n_blocks; b++) {
            size_t count = w->places[b][d];
            w->places[b][d] = place;
            place += count;
        }
        if (place - before == w->n) return false;
    }
    return true;
}

static void swap_sides(sort_work *w)
{
    uint64_t *keys = w->keys, *items = w->items;
    w->keys = w->other_keys;
    w->items = w->other_items;
    w->other_keys = keys;
    w->other_items = items;
}

static void insert_run(uint64_t *keys, uint64_t *items, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t key = keys[i], item = items ? items[i] : 0;
        size_t j = i;
        for (; j > 0 && keys[j - 1] > key; j--) {
            keys[j] = keys[j - 1];
            if (items) items[j] = items[j - 1];
        }
        keys[j] = key;
        if (items) items[j] = item;
    }
}

/* A long run by the digits from low_bit to below shift, on the calling thread. */
static void sort_run(const sort_work *w, size_t begin, size_t n)
{
    size_t places[1][DIGITS];
    sort_work run = {.keys = w->keys + begin,
                     .items = w->items ? w->items + begin : NULL,
                     .other_keys = w->other_keys + begin,
                     .other_items = w->items ? w->other_items + begin : NULL,
                     .n = n,
                     .block_size = n,
                     .places = places};
    for (run.shift = w->low_bit; run.shift < w->shift; run.shift += DIGIT) {
        count_digits(&run, 0, 0, n, 0);
        if (!counts_to_places(&run, 1)) continue;
        move_keys(&run, 0, 0, n, 0);
        swap_sides(&run);
    }
    if (run.keys == w->keys + begin) return;
    memcpy(w->keys + begin, run.keys, n * sizeof *run.keys);
    if (w->items) memcpy(w->items + begin, run.items, n * sizeof *run.items);
}

/* Where the first run begins in a block; its end when none does. */
static void find_first_run(void *data, size_t block, size_t begin, size_t end, int worker)
{
    sort_work *w = data;
    const uint64_t *keys = w->keys;
    size_t i = begin;
    (void)worker;
    if (begin > 0)
        while (i < end && keys[i] >> w->shift == keys[begin - 1] >> w->shift) i++;
    w->places[block][0] = i;
}

/* Where the runs that begin in a block end: before the first run of a later one. Nobody looks at
 * keys that another thread may be sorting. */
static size_t end_of_runs(const sort_work *w, size_t block)
{
    size_t n_blocks = cairn_block_count(w->n, w->block_size);
    for (size_t b = block + 1; b < n_blocks; b++) {
        size_t end = (b + 1) * w->block_size;
        if (w->places[b][0] < (end < w->n ? end : w->n)) return w->places[b][0];
    }
    return w->n;
}

/* The runs that begin in a block. */
static void finish_runs(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const sort_work *w = data;
    const uint64_t *keys = w->keys;
    size_t i = w->places[block][0], limit;
    (void)begin;
    (void)worker;
    if (i >= end) return;
    limit = end_of_runs(w, block);
    while (i < limit) {
        uint64_t top = keys[i] >> w->shift;
        size_t stop = i + 1;
        while (stop < limit && keys[stop] >> w->shift == top) stop++;
        if (stop - i > SHORT_RUN)
            sort_run(w, i, stop - i);
        else if (stop - i > 1)
            insert_run(w->keys + i, w->items ? w->items + i : NULL, stop - i);
        i = stop;
    }
}

static void copy_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    sort_work *w = data;
    (void)block;
    (void)worker;
    memcpy(w->other_keys + begin, w->keys + begin, (end - begin) * sizeof *w->keys);
    if (w->items)
        memcpy(w->other_items + begin, w->items + begin, (end - begin) * sizeof *w->items);
}

static int bit_length(uint64_t number)
{
    return number ? 64 - __builtin_clzll(number) : 0;
}

/* All passes; the keys end up on one of the two sides. */
static cairn_status sort_sides(cairn_context *ctx, sort_work *w)
{
    size_t n_blocks = cairn_block_count(w->n, w->block_size);
    uint64_t differing = 0;
    w->first = w->keys[0];
    CHECK(cairn_blocks_sized(ctx, w->n, w->block_size, pass_work(w->n), find_differing, w));
    for (size_t b = 0; b < n_blocks; b++) differing |= w->differing[b];
    if (!differing) return CAIRN_OK;
    w->low_bit = __builtin_ctzll(differing);
    int width = bit_length(differing) - w->low_bit;
    int wanted = bit_length(w->n) + SPARE_BITS;
    int digits = ((width < wanted ? width : wanted) + DIGIT - 1) / DIGIT;
    int lowest = bit_length(differing) - digits * DIGIT;
    if (lowest < 0) lowest = 0;
    for (int d = 0; d < digits; d++) {
        w->shift = lowest + d * DIGIT;
        CHECK(cairn_blocks_sized(ctx, w->n, w->block_size, pass_work(w->n), count_digits, w));
        if (!counts_to_places(w, cairn_block_count(w->n, w->block_size))) continue;
        CHECK(cairn_blocks_sized(ctx, w->n, w->block_size, pass_work(w->n), move_keys, w));
        swap_sides(w);
    }
    w->shift = lowest;
    if (lowest > w->low_bit) {
        CHECK(cairn_blocks_sized(ctx, w->n, w->block_size, pass_work(w->n), find_first_run, w));
        CHECK(cairn_blocks_sized(ctx, w->n, w->block_size, pass_work(w->n), finish_runs, w));
    }
    return CAIRN_OK;
}

cairn_status cairn_sort_keys(cairn_context *ctx, uint64_t *keys, uint64_t *items, size_t n)
{
    SCOPED_SCRATCH(ctx);
    sort_work w = {.keys = keys, .items = items, .n = n, .block_size = block_size_for(n)};
    size_t n_blocks = cairn_block_count(n, w.block_size);
    if (n <= SHORT_RUN) {
        insert_run(keys, items, n);
        return CAIRN_OK;
    }
    CHECK(SCRATCH_RAW(ctx, &w.other_keys, n));
    if (items) CHECK(SCRATCH_RAW(ctx, &w.other_items, n));
    CHECK(SCRATCH_RAW(ctx, &w.places, n_blocks));
    CHECK(SCRATCH(ctx, &w.differing, n_blocks));
    CHECK(sort_sides(ctx, &w));
    if (w.keys != keys)
        CHECK(cairn_blocks_sized(ctx, n, w.block_size, pass_work(n), copy_block, &w));
    return CAIRN_OK;
}

typedef struct key_work {
    const double *numbers;
    double *numbers_out;
    uint64_t *keys, *order;
} key_work;

static void make_keys(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const key_work *w = data;
    (void)block;
    (void)worker;
    for (size_t i = begin; i < end; i++) w->keys[i] = cairn_order_key(w->numbers[i]);
    if (w->order)
        for (size_t i = begin; i < end; i++) w->order[i] = i;
}

static void make_numbers(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const key_work *w = data;
    (void)block;
    (void)worker;
    for (size_t i = begin; i < end; i++)
        w->numbers_out[i] =
            w->keys[i] == UINT64_MAX ? __builtin_nan("") : cairn_order_number(w->keys[i]);
}

cairn_status cairn_sort_numbers(cairn_context *ctx, double *numbers, size_t n)
{
    SCOPED_SCRATCH(ctx);
    key_work w = {.numbers = numbers, .numbers_out = numbers};
    CHECK(SCRATCH_RAW(ctx, &w.keys, n));
    CHECK(cairn_blocks_sized(ctx, n, LEAST_BLOCK, pass_work(n), make_keys, &w));
    CHECK(cairn_sort_keys(ctx, w.keys, NULL, n));
    return cairn_blocks_sized(ctx, n, LEAST_BLOCK, pass_work(n), make_numbers, &w);
}

cairn_status cairn_sort_order(cairn_context *ctx, uint64_t *order, const double *numbers, size_t n)
{
    SCOPED_SCRATCH(ctx);
    key_work w = {.numbers = numbers, .order = order};
    CHECK(SCRATCH_RAW(ctx, &w.keys, n));
    CHECK(cairn_blocks_sized(ctx, n, LEAST_BLOCK, pass_work(n), make_keys, &w));
    return cairn_sort_keys(ctx, w.keys, order, n);
}
