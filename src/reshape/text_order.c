/* SPDX-License-Identifier: MIT */
/* Texts by the order of their bytes.
 *
 * Texts that agree in their first bytes are sorted by the next eight of them as numbers of 64 bits,
 * after what all of them have in common. What is left are runs that agree in those, too: short ones
 * are sorted by insertion, longer ones in the same way by the bytes after that, many side by side,
 * and a very long one by all threads. Equal texts keep their order. */
#include "base/memory.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include "reshape/text_keys.h"

#include <string.h>

enum {
    SHORT_RUN = 24,     /* sorted by insertion */
    LONG_RUN = 1 << 16, /* sorted by all threads */
    BLOCK = 1 << 15,
    RUNS = 1 << 9, /* texts of runs that are one task, about */
};

typedef struct text_run { /* of texts that agree in their first bytes */
    size_t begin, end;
} text_run;

typedef struct text_sort {
    const cairn_texts *texts;
    uint32_t *rows; /* in the order so far */
    size_t skip;    /* bytes in which all of a run agree */
    uint64_t *keys, *items;
    size_t *common, *shortest, *longest; /* per block */
    text_run *runs;
    size_t runs_capacity;
    const size_t *tasks; /* the first run of each task, and their number */
} text_sort;

/* Bytes that two texts have in common, at most `most`; `from` of them are known. */
static size_t common_bytes(const char *a, const char *b, size_t from, size_t most)
{
    while (from + 8 <= most) {
        uint64_t x, y;
        memcpy(&x, a + from, 8);
        memcpy(&y, b + from, 8);
        if (x != y) break;
        from += 8;
    }
    while (from < most && a[from] == b[from]) from++;
    return from;
}

static void find_common(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const text_sort *s = data;
    const char *first, *bytes;
    size_t common = cairn_texts_get(s->texts, s->rows[0], &first), shortest = SIZE_MAX, longest = 0;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        size_t n = cairn_texts_get(s->texts, s->rows[i], &bytes);
        if (common > s->skip) common = common_bytes(first, bytes, s->skip, n < common ? n : common);
        shortest = n < shortest ? n : shortest;
        longest = n > longest ? n : longest;
    }
    s->common[block] = common;
    s->shortest[block] = shortest;
    s->longest[block] = longest;
}

/* The eight bytes after the common ones, 0 behind the end of a text. */
static void fill_keys(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const text_sort *s = data;
    (void)block, (void)worker;
    for (size_t i = begin; i < end; i++) {
        const char *bytes;
        size_t length = cairn_texts_get(s->texts, s->rows[i], &bytes);
        size_t n = length - s->skip < 8 ? length - s->skip : 8;
        uint64_t key = 0;
        if (n == 8) {
            memcpy(&key, bytes + s->skip, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            key = __builtin_bswap64(key);
#endif
        } else {
            for (size_t k = 0; k < n; k++)
                key |= (uint64_t)(unsigned char)bytes[s->skip + k] << 8 * (7 - k);
        }
        s->keys[i] = key;
        s->items[i] = s->rows[i];
    }
}

static bool text_before(const cairn_texts *texts, uint32_t a, uint32_t b, size_t skip)
{
    const char *bytes_a, *bytes_b;
    size_t n_a = cairn_texts_get(texts, a, &bytes_a), n_b = cairn_texts_get(texts, b, &bytes_b);
    size_t least = n_a < n_b ? n_a : n_b;
    int order = least > skip ? memcmp(bytes_a + skip, bytes_b + skip, least - skip) : 0;
    return order < 0 || (order == 0 && n_a < n_b);
}

static void insert_run(const cairn_texts *texts, uint32_t *rows, size_t n, size_t skip)
{
    for (size_t i = 1; i < n; i++) {
        uint32_t row = rows[i];
        size_t at = i;
        for (; at > 0 && text_before(texts, row, rows[at - 1], skip); at--) rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

/* Among texts that agree in the next eight bytes, or in zeros behind their ends, those that end
 * there come first, the shorter before the longer; where the others begin. */
static cairn_status ended_first(cairn_context *ctx, const text_sort *s, uint32_t *rows, size_t n,
                                size_t *rest)
{
    SCOPED_SCRATCH(ctx);
    uint64_t *keys, *items;
    const char *bytes;
    const size_t most = s->skip + 9;
    size_t longer = 0;
    bool in_order = true;
    CHECK(SCRATCH_RAW_EACH(ctx, n, &keys, &items));
    for (size_t i = 0; i < n; i++) {
        size_t length = cairn_texts_get(s->texts, rows[i], &bytes);
        keys[i] = length < most ? length : most;
        items[i] = rows[i];
        longer += length >= most;
        in_order = in_order && (i == 0 || keys[i - 1] <= keys[i]);
    }
    *rest = n - longer;
    if (in_order) return CAIRN_OK;
    CHECK(cairn_sort_keys(ctx, keys, items, n));
    for (size_t i = 0; i < n; i++) rows[i] = (uint32_t)items[i];
    return CAIRN_OK;
}

static cairn_status sort_run(cairn_context *ctx, const cairn_texts *texts, uint32_t *rows, size_t n,
                             size_t skip);

/* A run whose texts agree in the eight bytes after s->skip. */
static cairn_status sort_further(cairn_context *ctx, const text_sort *s, text_run run)
{
    uint32_t *rows = s->rows + run.begin;
    size_t n = run.end - run.begin, rest;
    if (n <= SHORT_RUN) {
        insert_run(s->texts, rows, n, s->skip);
        return CAIRN_OK;
    }
    CHECK(ended_first(ctx, s, rows, n, &rest));
    return sort_run(ctx, s->texts, rows + rest, n - rest, s->skip + 8);
}

static cairn_status sort_task(cairn_context *ctx, void *data, size_t task)
{
    const text_sort *s = data;
    for (size_t i = s->tasks[task]; i < s->tasks[task + 1]; i++)
        CHECK(sort_further(ctx, s, s->runs[i]));
    return CAIRN_OK;
}

/* Runs of equal keys, those of LONG_RUN left out, and what of them is one task. */
static cairn_status find_runs(cairn_context *ctx, text_sort *s, size_t n, size_t *n_tasks)
{
    size_t *tasks, n_runs = 0, in_task = 0;
    CHECK(SCRATCH_RAW(ctx, &tasks, n / RUNS + 3));
    *n_tasks = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && s->keys[end] == s->keys[i];) end++;
        if (end - i < 2 || end - i >= LONG_RUN) continue;
        if (in_task == 0) tasks[(*n_tasks)++] = n_runs;
        CHECK(GROW(ctx, &s->runs, &s->runs_capacity, n_runs + 1));
        s->runs[n_runs++] = (text_run){i, end};
        in_task += end - i;
        if (in_task >= RUNS) in_task = 0;
    }
    tasks[*n_tasks] = n_runs;
    s->tasks = tasks;
    return CAIRN_OK;
}

static void clear_runs(text_sort *s)
{
    cairn_free(s->runs);
}

/* Texts that agree in their first `skip` bytes. */
static cairn_status sort_run(cairn_context *ctx, const cairn_texts *texts, uint32_t *rows, size_t n,
                             size_t skip)
{
    if (n <= SHORT_RUN) {
        insert_run(texts, rows, n, skip);
        return CAIRN_OK;
    }
    SCOPED_SCRATCH(ctx);
    SCOPED(clear_runs) text_sort s = {.texts = texts, .rows = rows, .skip = skip};
    size_t n_blocks = cairn_block_count(n, BLOCK), n_tasks;
    size_t common = SIZE_MAX, shortest = SIZE_MAX, longest = 0;
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    CHECK(SCRATCH_RAW_EACH(ctx, n_blocks, &s.common, &s.shortest, &s.longest));
    CHECK(SCRATCH_RAW_EACH(ctx, n, &s.keys, &s.items));
    CHECK(cairn_blocks_sized(ctx, n, BLOCK, 4 * (double)n, find_common, &s));
    for (size_t b = 0; b < n_blocks; b++) {
        if (s.common[b] < common) common = s.common[b];
        if (s.shortest[b] < shortest) shortest = s.shortest[b];
        if (s.longest[b] > longest) longest = s.longest[b];
    }
    s.skip = common;
    CHECK(cairn_blocks_sized(ctx, n, BLOCK, 4 * (double)n, fill_keys, &s));
    CHECK(cairn_sort_keys(ctx, s.keys, s.items, n));
    for (size_t i = 0; i < n; i++) rows[i] = (uint32_t)s.items[i];
    if (shortest == longest && longest <= common + 8) return CAIRN_OK; /* the keys told all */
    CHECK(find_runs(ctx, &s, n, &n_tasks));
    CHECK(cairn_tasks_sized(ctx, n_tasks, 8 * (double)n, sort_task, &s));
    for (size_t i = 0, end; n >= LONG_RUN && i < n; i = end) {
        for (end = i + 1; end < n && s.keys[end] == s.keys[i];) end++;
        if (end - i >= LONG_RUN) CHECK(sort_further(ctx, &s, (text_run){i, end}));
    }
    return CAIRN_OK;
}

cairn_status cairn_order_texts(cairn_context *ctx, uint32_t **order, const cairn_texts *texts)
{
    uint32_t *rows;
    size_t n = 0, at;
    CHECK(SCRATCH_RAW(ctx, &rows, texts->n + 1));
    for (size_t i = 0; i < texts->n; i++) n += !cairn_texts_missing(texts, i);
    at = n;
    n = 0;
    for (size_t i = 0; i < texts->n; i++)
        rows[cairn_texts_missing(texts, i) ? at++ : n++] = (uint32_t)i;
    *order = rows;
    return sort_run(ctx, texts, rows, n, 0);
}

cairn_status cairn_rank_texts(cairn_context *ctx, uint32_t **ranks, size_t *n_ids,
                              const cairn_texts *texts, const uint32_t *order)
{
    uint32_t *of, rank = 0;
    const char *before = NULL, *bytes;
    size_t i = 0, n_before = 0;
    CHECK(SCRATCH_RAW(ctx, &of, texts->n + 1));
    for (; i < texts->n && !cairn_texts_missing(texts, order[i]); i++) {
        size_t n = cairn_texts_get(texts, order[i], &bytes);
        rank += i && (n != n_before || (n && memcmp(before, bytes, n) != 0));
        of[order[i]] = rank;
        before = bytes;
        n_before = n;
    }
    *n_ids = i ? (size_t)rank + 1 : 0;
    for (; i < texts->n; i++) of[order[i]] = (uint32_t)*n_ids;
    *ranks = of;
    return CAIRN_OK;
}
