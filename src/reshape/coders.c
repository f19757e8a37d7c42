/* SPDX-License-Identifier: MIT */
/* Cells of key columns as whole numbers. Numbers that are all whole and levels have few codes, so
 * that several columns fit into one number of 64 bits; other numbers have all 64. Texts, bags and
 * sequences are numbered in the order of arrival. */
#include "reshape/keys.h"

#include "base/number.h"
#include "base/sort_by.h"
#include "base/text.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include "reshape/text_keys.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 1 << 16 };

static const double whole_limit = 4503599627370496.0; /* 2^52 */

size_t cairn_coder_rows(const cairn_coder *coder)
{
    return coder->sides[0]->n_rows + (coder->sides[1] ? coder->sides[1]->n_rows : 0);
}

/* -- numbers -- */

typedef struct number_range {
    const double *numbers;
    double *least, *most; /* per block; least = NaN: one that is not whole */
} number_range;

static void find_range(void *data, size_t block, size_t begin, size_t end, int worker)
{
    number_range *r = data;
    double least = INFINITY, most = -INFINITY;
    bool whole = true;
    (void)worker;
    for (size_t i = begin; whole && i < end; i++) {
        double x = r->numbers[i];
        if (x != x) continue;
        whole = x >= -whole_limit && x <= whole_limit && x == (double)(int64_t)x;
        if (x < least) least = x;
        if (x > most) most = x;
    }
    r->least[block] = whole ? least : NAN;
    r->most[block] = most;
}

/* Widen the coder's range by one column; the form becomes REAL when a number is not whole. */
static cairn_status add_range(cairn_context *ctx, cairn_coder *coder, const cairn_column *column)
{
    number_range r = {.numbers = column->numbers};
    size_t n_blocks = cairn_block_count(column->n_rows, BLOCK);
    CHECK(SCRATCH_EACH(ctx, n_blocks + 1, &r.least, &r.most));
    CHECK(cairn_blocks_sized(ctx, column->n_rows, BLOCK, (double)column->n_rows, find_range, &r));
    for (size_t b = 0; b < n_blocks; b++) {
        if (isnan(r.least[b])) coder->form = CAIRN_CODER_REAL;
        if (r.least[b] < coder->least) coder->least = r.least[b];
        if (r.most[b] > coder->most) coder->most = r.most[b];
    }
    return CAIRN_OK;
}

/* -- levels and texts -- */

/* Levels keep their codes; those of a second column get the codes of their names in the first, new
 * names the numbers behind them. */
static cairn_status start_levels(cairn_context *ctx, cairn_coder *coder)
{
    const cairn_map *names = &coder->sides[0]->names;
    uint32_t *places;
    size_t n = names->n;
    coder->form = CAIRN_CODER_LEVEL;
    if (coder->sides[1]) {
        const cairn_map *others = &coder->sides[1]->names;
        CHECK(SCRATCH(ctx, &places, others->n + 1));
        for (size_t i = 0; i < others->n; i++) {
            int64_t at = cairn_map_find(names, cairn_map_key(others, i), others->lengths[i]);
            places[i] = (uint32_t)(at < 0 ? (int64_t)n++ : at);
        }
        coder->places[1] = places;
    }
    coder->span = n + 1;
    return CAIRN_OK;
}

/* The bytes that tell a bag or sequence from others: its items and amounts. */
static cairn_status item_bytes(cairn_text *buffer, const cairn_column *column, size_t row)
{
    size_t begin = column->starts[row], n = column->starts[row + 1] - begin;
    buffer->length = 0;
    if (n && column->items)
        cairn_text_add_bytes(buffer, (const char *)(column->items + begin), n * sizeof(int32_t));
    if (n && column->amounts)
        cairn_text_add_bytes(buffer, (const char *)(column->amounts + begin), n * sizeof(double));
    return cairn_text_status(buffer);
}

/* Number the cells of one side; missing ones get UINT32_MAX for now. */
static cairn_status number_items(cairn_context *ctx, cairn_map *seen, uint32_t *ids,
                                 const cairn_column *column)
{
    SCOPED(cairn_text_clear) cairn_text buffer = cairn_text_start(ctx);
    size_t index;
    for (size_t i = 0; i < column->n_rows; i++) {
        ids[i] = UINT32_MAX;
        if (cairn_column_is_missing(column, i)) continue;
        CHECK(item_bytes(&buffer, column, i));
        CHECK(cairn_map_add(ctx, seen, cairn_text_string(&buffer), buffer.length, &index));
        ids[i] = (uint32_t)index;
    }
    return CAIRN_OK;
}

/* Bags and sequences, numbered in the order of arrival. */
static cairn_status start_items(cairn_context *ctx, cairn_coder *coder)
{
    SCOPED(cairn_map_clear) cairn_map seen = {0};
    size_t n = cairn_coder_rows(coder), at = 0;
    CHECK(SCRATCH_RAW(ctx, &coder->ids, n + 1));
    for (int side = 0; side < 2 && coder->sides[side]; side++) {
        CHECK(number_items(ctx, &seen, coder->ids + at, coder->sides[side]));
        at += coder->sides[side]->n_rows;
    }
    for (size_t i = 0; i < n; i++)
        if (coder->ids[i] == UINT32_MAX) coder->ids[i] = (uint32_t)seen.n;
    coder->span = seen.n + 1;
    return CAIRN_OK;
}

/* Cells that are numbered by their bytes in the order of arrival. */
static cairn_status start_cells(cairn_context *ctx, cairn_coder *coder)
{
    const cairn_column *const *sides = coder->sides;
    cairn_texts texts[2];
    size_t n_ids;
    coder->form = CAIRN_CODER_IDS;
    if (cairn_kind_is_many(sides[0]->kind)) return start_items(ctx, coder);
    for (int side = 0; side < 2 && sides[side]; side++) texts[side] = cairn_texts_of(sides[side]);
    CHECK(cairn_number_texts(ctx, &coder->ids, &n_ids, texts, sides[1] ? 2 : 1));
    coder->span = n_ids + 1;
    return CAIRN_OK;
}

/* The place of every name when they are sorted by their bytes; scratch. */
static cairn_status places_by_name(cairn_context *ctx, uint32_t **out, const cairn_map *names)
{
    const cairn_texts texts = cairn_texts_of_names(names);
    uint32_t *order;
    size_t n;
    CHECK(cairn_order_texts(ctx, &order, &texts));
    return cairn_rank_texts(ctx, out, &n, &texts, order);
}

cairn_status cairn_coder_start(cairn_context *ctx, cairn_coder *out, const cairn_column *first,
                               const cairn_column *second)
{
    *out = (cairn_coder){.sides = {first, second}};
    if (first->numbers) {
        out->form = CAIRN_CODER_WHOLE;
        out->least = INFINITY;
        out->most = -INFINITY;
        for (int side = 0; side < 2 && out->form == CAIRN_CODER_WHOLE; side++)
            if (out->sides[side]) CHECK(add_range(ctx, out, out->sides[side]));
        if (out->form == CAIRN_CODER_REAL) return CAIRN_OK;
        if (out->least > out->most) out->least = out->most = 0; /* all are missing */
        out->span = (uint64_t)(out->most - out->least) + 2;
        return CAIRN_OK;
    }
    if (first->kind == CAIRN_LEVEL && (!second || second->kind == CAIRN_LEVEL))
        return start_levels(ctx, out);
    return start_cells(ctx, out);
}

static bool before_by_number(const void *a, const void *b, const void *data)
{
    const double *values = data;
    return values[*(const uint32_t *)a] < values[*(const uint32_t *)b];
}

/* The places of names that are all numbers, by their values; *out stays NULL when one is none. */
static cairn_status places_by_number(cairn_context *ctx, uint32_t **out, const cairn_map *names)
{
    uint32_t *order, *places;
    double *values;
    CHECK(SCRATCH_RAW(ctx, &values, names->n + 1));
    for (size_t i = 0; i < names->n; i++)
        if (!cairn_number_parse(cairn_map_key(names, i), names->lengths[i], &values[i]))
            return CAIRN_OK;
    CHECK(SCRATCH_RAW_EACH(ctx, names->n + 1, &places, &order));
    for (size_t i = 0; i < names->n; i++) order[i] = (uint32_t)i;
    CHECK(cairn_sort_by(ctx, order, names->n, sizeof *order, before_by_number, values));
    for (size_t i = 0; i < names->n; i++) places[order[i]] = (uint32_t)i;
    *out = places;
    return CAIRN_OK;
}

/* Texts in order: numbers of the different ones in that order, or the order alone. */
static cairn_status start_ordered(cairn_context *ctx, cairn_coder *coder, bool alone)
{
    const cairn_texts texts = cairn_texts_of(coder->sides[0]);
    size_t n_ids;
    coder->form = CAIRN_CODER_IDS;
    CHECK(cairn_order_texts(ctx, &coder->order, &texts));
    if (alone) return CAIRN_OK;
    CHECK(cairn_rank_texts(ctx, &coder->ids, &n_ids, &texts, coder->order));
    coder->span = n_ids + 1;
    return CAIRN_OK;
}

cairn_status cairn_coder_order(cairn_context *ctx, cairn_coder *coder, const cairn_column *column,
                               bool alone)
{
    uint32_t *places = NULL;
    if (column->kind == CAIRN_TEXT) {
        *coder = (cairn_coder){.sides = {column}};
        return start_ordered(ctx, coder, alone);
    }
    CHECK(cairn_coder_start(ctx, coder, column, NULL));
    if (coder->form != CAIRN_CODER_LEVEL || column->ordered || column->declared) return CAIRN_OK;
    CHECK(places_by_number(ctx, &places, &column->names));
    if (!places) CHECK(places_by_name(ctx, &places, &column->names));
    coder->places[0] = places;
    return CAIRN_OK;
}

/* -- codes -- */

bool cairn_coders_fit(const cairn_coder *coders, size_t n, uint64_t *span)
{
    uint64_t product = 1;
    *span = 0;
    if (n == 1) {
        *span = coders[0].span;
        return true;
    }
    for (size_t i = 0; i < n; i++)
        if (!coders[i].span || __builtin_mul_overflow(product, coders[i].span, &product))
            return false;
    *span = product;
    return true;
}

static void add_whole(const cairn_coder *c, const double *numbers, size_t n, uint64_t *out)
{
    const uint64_t span = c->span;
    const double from = c->descending ? c->most : c->least, sign = c->descending ? -1 : 1;
    for (size_t i = 0; i < n; i++) {
        double x = numbers[i];
        out[i] = out[i] * span + (x == x ? (uint64_t)(sign * (x - from)) : span - 1);
    }
}

static void add_real(const cairn_coder *c, const double *numbers, size_t n, uint64_t *out)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t key = cairn_order_key(numbers[i]);
        out[i] = c->descending && key != UINT64_MAX ? ~key : key;
    }
}

static void add_level(const cairn_coder *c, const int32_t *codes, const uint32_t *places, size_t n,
                      uint64_t *out)
{
    const uint64_t span = c->span;
    for (size_t i = 0; i < n; i++) {
        uint64_t code = span - 1;
        if (codes[i] >= 0) {
            code = places ? places[codes[i]] : (uint32_t)codes[i];
            if (c->descending) code = span - 2 - code;
        }
        out[i] = out[i] * span + code;
    }
}

static void add_ids(const cairn_coder *c, const uint32_t *ids, size_t n, uint64_t *out)
{
    const uint64_t span = c->span;
    for (size_t i = 0; i < n; i++) {
        uint64_t code = ids[i];
        if (c->descending && code < span - 1) code = span - 2 - code;
        out[i] = out[i] * span + code;
    }
}

/* Rows [begin, end) of one side, whose first row is number `before` of all. */
static void add_side(const cairn_coder *c, int side, size_t before, size_t begin, size_t end,
                     uint64_t *out)
{
    const cairn_column *column = c->sides[side];
    size_t n = end - begin;
    switch (c->form) {
    case CAIRN_CODER_WHOLE: add_whole(c, column->numbers + begin, n, out); break;
    case CAIRN_CODER_REAL: add_real(c, column->numbers + begin, n, out); break;
    case CAIRN_CODER_LEVEL: add_level(c, column->codes + begin, c->places[side], n, out); break;
    case CAIRN_CODER_IDS: add_ids(c, c->ids + before + begin, n, out); break;
    }
}

void cairn_coders_fill(const cairn_coder *coders, size_t n, size_t begin, size_t end, uint64_t *out)
{
    memset(out, 0, (end - begin) * sizeof *out);
    for (size_t k = 0; k < n; k++) {
        size_t first = coders[k].sides[0]->n_rows;
        size_t middle = end < first ? end : begin > first ? begin : first;
        if (begin < middle) add_side(&coders[k], 0, 0, begin, middle, out);
        if (middle < end)
            add_side(&coders[k], 1, first, middle - first, end - first, out + (middle - begin));
    }
}
