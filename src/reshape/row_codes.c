/* SPDX-License-Identifier: MIT */
/* Rows by their keys.
 *
 *  1. As many key columns as fit are packed into one number of 64 bits per row, which is computed
 *     where it is needed and never kept for all rows.
 *  2. Where these numbers are hardly more than there are rows, they are the codes. Else rows are
 *     distributed by the hash of their number into parts that fit into the cache, block after
 *     block, and each part numbers its own by a hash table of its own; a part's codes begin where
 *     its rows begin.
 *  3. What does not fit into 64 bits is coded in turn: the codes so far are one more key column.
 *
 * Blocks and parts are fixed by the number of rows, so nothing depends on threads. */
#include "base/memory.h"
#include "parallel/parallel.h"
#include "reshape/keys.h"

#include <string.h>

enum {
    PIECE = 1024,        /* rows whose numbers are computed at a time */
    BLOCK = 1 << 16,     /* rows that are distributed together */
    PART_ROWS = 1 << 15, /* of a part, about */
    MOST_PARTS = 1 << 9,
    FEW_CODES = 1 << 16, /* so many codes are never hashed */
    CODES_PER_ROW = 2,   /* nor are so many times the rows */
};

typedef struct coding {
    const cairn_coder *coders;
    size_t n_coders, n;
    uint32_t *codes; /* n */
    int part_shift;  /* of a hash */
    size_t n_parts;
    size_t *places; /* blocks x parts: counts, then where the next row of the part goes */
    size_t *begins; /* n_parts + 1 */
    uint64_t *keys; /* n, by part */
    uint32_t *rows; /* n, by part */
} coding;

void cairn_place_parts(size_t *places, size_t *begins, size_t n_parts, size_t n_blocks)
{
    size_t place = 0;
    for (size_t p = 0; p < n_parts; p++) {
        begins[p] = place;
        for (size_t b = 0; b < n_blocks; b++) {
            size_t count = places[b * n_parts + p];
            places[b * n_parts + p] = place;
            place += count;
        }
    }
    begins[n_parts] = place;
}

static uint64_t mix(uint64_t key)
{
    key ^= key >> 32;
    key *= 0x9e3779b97f4a7c15u;
    key ^= key >> 29;
    return key * 0xbf58476d1ce4e5b9u;
}

static void narrow_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const coding *w = data;
    uint64_t keys[PIECE];
    (void)block, (void)worker;
    for (size_t from = begin; from < end; from += PIECE) {
        size_t n = end - from < PIECE ? end - from : PIECE;
        cairn_coders_fill(w->coders, w->n_coders, from, from + n, keys);
        for (size_t i = 0; i < n; i++) w->codes[from + i] = (uint32_t)keys[i];
    }
}

static void count_parts(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const coding *w = data;
    size_t *counts = w->places + block * w->n_parts;
    uint64_t keys[PIECE];
    (void)worker;
    for (size_t from = begin; from < end; from += PIECE) {
        size_t n = end - from < PIECE ? end - from : PIECE;
        cairn_coders_fill(w->coders, w->n_coders, from, from + n, keys);
        for (size_t i = 0; i < n; i++) counts[mix(keys[i]) >> w->part_shift]++;
    }
}

static void move_to_parts(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const coding *w = data;
    size_t *places = w->places + block * w->n_parts;
    uint64_t keys[PIECE];
    (void)worker;
    for (size_t from = begin; from < end; from += PIECE) {
        size_t n = end - from < PIECE ? end - from : PIECE;
        cairn_coders_fill(w->coders, w->n_coders, from, from + n, keys);
        for (size_t i = 0; i < n; i++) {
            size_t place = places[mix(keys[i]) >> w->part_shift]++;
            w->keys[place] = keys[i];
            w->rows[place] = (uint32_t)(from + i);
        }
    }
}

/* Number the keys of one part: a slot holds the place of the first row of its key, plus one. */
static cairn_status code_part(cairn_context *ctx, void *data, size_t part)
{
    const coding *w = data;
    size_t begin = w->begins[part], end = w->begins[part + 1], n_slots = 16;
    SCOPED_SCRATCH(ctx);
    uint32_t *slots, *numbers, n_codes = 0;
    while (n_slots < 2 * (end - begin)) n_slots *= 2;
    CHECK(SCRATCH(ctx, &slots, n_slots));
    CHECK(SCRATCH_RAW(ctx, &numbers, end - begin));
    for (size_t i = begin; i < end; i++) {
        size_t at = mix(w->keys[i]) & (n_slots - 1);
        while (slots[at] && w->keys[begin + slots[at] - 1] != w->keys[i])
            at = (at + 1) & (n_slots - 1);
        if (!slots[at]) {
            slots[at] = (uint32_t)(i - begin) + 1;
            numbers[i - begin] = n_codes++;
        }
        w->codes[w->rows[i]] = (uint32_t)begin + numbers[slots[at] - 1];
    }
    return CAIRN_OK;
}

/* Codes of a run of columns that fits into 64 bits. */
static cairn_status code_run(cairn_context *ctx, cairn_row_codes *out, const cairn_coder *coders,
                             size_t n_coders, uint64_t span)
{
    size_t n = cairn_coder_rows(&coders[0]);
    coding w = {.coders = coders, .n_coders = n_coders, .n = n};
    bool direct = span && (span <= FEW_CODES || span / CODES_PER_ROW <= n) && span < UINT32_MAX;
    CHECK(SCRATCH_RAW(ctx, &w.codes, n + 1));
    *out = (cairn_row_codes){.codes = w.codes, .n = n, .n_codes = direct ? (size_t)span : n};
    if (direct) return cairn_blocks_sized(ctx, n, BLOCK, 2 * (double)n, narrow_block, &w);
    SCOPED_SCRATCH(ctx);
    double work = 4 * (double)w.n;
    w.n_parts = 2;
    w.part_shift = 63;
    while (w.n_parts < MOST_PARTS && w.n / w.n_parts > PART_ROWS) {
        w.n_parts *= 2;
        w.part_shift--;
    }
    CHECK(SCRATCH(ctx, &w.places, w.n_parts * cairn_block_count(w.n, BLOCK)));
    CHECK(SCRATCH(ctx, &w.begins, w.n_parts + 1));
    CHECK(SCRATCH_RAW_EACH(ctx, w.n, &w.keys, &w.rows));
    CHECK(cairn_blocks_sized(ctx, w.n, BLOCK, work, count_parts, &w));
    cairn_place_parts(w.places, w.begins, w.n_parts, cairn_block_count(w.n, BLOCK));
    CHECK(cairn_blocks_sized(ctx, w.n, BLOCK, work, move_to_parts, &w));
    return cairn_tasks_sized(ctx, w.n_parts, work, code_part, &w);
}

/* A run as one column of codes in the place of its first. */
static cairn_status fold_run(cairn_context *ctx, cairn_coder *coders, size_t n_coders)
{
    cairn_row_codes codes;
    uint64_t span;
    cairn_coders_fit(coders, n_coders, &span);
    CHECK(code_run(ctx, &codes, coders, n_coders, span));
    coders[0] = (cairn_coder){.form = CAIRN_CODER_IDS,
                              .sides = {coders[0].sides[0], coders[0].sides[1]},
                              .ids = codes.codes,
                              .span = codes.n_codes};
    return CAIRN_OK;
}

cairn_status cairn_code_rows(cairn_context *ctx, cairn_row_codes *out, cairn_coder *coders,
                             size_t n_coders)
{
    uint64_t span;
    size_t from = 0, n = 1; /* the run at hand */
    for (size_t next = 1; next < n_coders; next++) {
        if (!cairn_coders_fit(coders + from, n + 1, &span)) {
            CHECK(fold_run(ctx, coders + from, n));
            if (next > from + 1) coders[next - 1] = coders[from];
            from = next - 1;
            n = 1;
            if (!cairn_coders_fit(coders + from, 2, &span)) CHECK(fold_run(ctx, coders + next, 1));
        }
        n++;
    }
    cairn_coders_fit(coders + from, n, &span);
    return code_run(ctx, out, coders + from, n, span);
}

/* -- groups -- */

/* Number the codes by their first rows, in place. */
static cairn_status number_groups(cairn_context *ctx, cairn_row_groups *out,
                                  const cairn_row_codes *codes)
{
    uint32_t *group, *first, n_groups = 0;
    CHECK(SCRATCH_RAW(ctx, &group, codes->n_codes + 1));
    CHECK(SCRATCH_RAW(ctx, &first, (codes->n < codes->n_codes ? codes->n : codes->n_codes) + 1));
    memset(group, 0xff, codes->n_codes * sizeof *group);
    for (size_t i = 0; i < codes->n; i++) {
        uint32_t *of = &group[codes->codes[i]];
        if (*of == UINT32_MAX) {
            first[n_groups] = (uint32_t)i;
            *of = n_groups++;
        }
        codes->codes[i] = *of;
    }
    *out = (cairn_row_groups){codes->codes, first, codes->n, n_groups};
    return CAIRN_OK;
}

cairn_status cairn_group_rows(cairn_context *ctx, cairn_row_groups *out, const cairn_table *table,
                              const size_t *columns, size_t n_columns)
{
    cairn_row_codes codes;
    cairn_coder *coders;
    if (!n_columns) {
        *out = (cairn_row_groups){.n = table->n_rows, .n_groups = 1};
        CHECK(SCRATCH(ctx, &out->first, 1));
        return SCRATCH(ctx, &out->group_of, table->n_rows + 1);
    }
    CHECK(SCRATCH(ctx, &coders, n_columns));
    for (size_t i = 0; i < n_columns; i++)
        CHECK(cairn_coder_start(ctx, &coders[i], table->slots[columns[i]].column, NULL));
    CHECK(cairn_code_rows(ctx, &codes, coders, n_columns));
    return number_groups(ctx, out, &codes);
}

cairn_status cairn_list_rows(cairn_context *ctx, cairn_row_lists *out, const uint32_t *codes,
                             size_t n, size_t n_codes)
{
    uint32_t *starts, *order, place = 0;
    CHECK(SCRATCH(ctx, &starts, n_codes + 2));
    CHECK(SCRATCH_RAW(ctx, &order, n + 1));
    for (size_t i = 0; i < n; i++)
        if (codes[i] != CAIRN_NO_CODE) starts[codes[i] + 1]++;
    for (size_t c = 0; c <= n_codes; c++) { /* starts[c + 1] is where the next row of c goes */
        uint32_t count = starts[c + 1];
        starts[c + 1] = place;
        place += count;
    }
    for (size_t i = 0; i < n; i++)
        if (codes[i] != CAIRN_NO_CODE) order[starts[codes[i] + 1]++] = (uint32_t)i;
    *out = (cairn_row_lists){.order = order, .starts = starts};
    return CAIRN_OK;
}
