/* SPDX-License-Identifier: MIT */
/* Codes of the rows in lanes.
 *
 * A lane is a byte of every row. Most columns have one of their own. Columns of few codes, of which
 * indicator tables have many, share one: its codes stand for the combinations of theirs that occur,
 * of which there may be 256. Sums over the rows are taken per combination, and those of a column
 * are found from them, so that forty indicators cost as much as one column.
 *
 * Codes are there twice: lane by lane to divide rows by a column, and in panels row by row to add
 * them up. Level columns of more than 255 levels have an array of their own. */
#include "base/memory.h"
#include "learners/boost/boost.h"
#include "parallel/parallel.h"
#include <string.h>

enum { CODES = CAIRN_BOOST_CODES, MOST_SHARED = 16, BLOCK = 1024, TRANSPOSED = 1 << 11 };

/* While lanes are filled. */
typedef struct filling {
    cairn_context *ctx;
    cairn_boost_work *work;
    const uint8_t **codes; /* of every lane */
    size_t n;
    uint8_t *column;   /* n rows: codes of a column that wants to share a lane */
    uint8_t *lane;     /* n rows: the lane that takes more columns */
    uint32_t open;     /* its number; UINT32_MAX = none */
    uint32_t n_shared; /* combinations in it */
} filling;

/* -- lanes -- */

/* Codes of a column that wants to share a lane, or has too many for one. */
static void copy_codes(const cairn_boost_work *work, size_t c, uint8_t *bytes, uint32_t *quads)
{
    uint32_t rows[BLOCK], codes[BLOCK];
    if (bytes && c >= work->n_dense) {
        memcpy(bytes, work->items.columns[c - work->n_dense].codes, work->n);
        return;
    }
    for (size_t begin = 0; begin < work->n; begin += BLOCK) {
        size_t n = work->n - begin < BLOCK ? work->n - begin : BLOCK;
        for (size_t i = 0; i < n; i++) rows[i] = (uint32_t)(begin + i);
        cairn_binned_gather(work->data, c, rows, n, codes);
        for (size_t i = 0; i < n; i++) {
            if (bytes)
                bytes[begin + i] = (uint8_t)codes[i];
            else if (quads)
                quads[begin + i] = codes[i];
        }
    }
}

/* A new lane, which takes more columns when its codes are to be shared. */
static cairn_status open_lane(filling *f, cairn_boost_column *column, bool shared)
{
    cairn_boost_work *work = f->work;
    column->lane = (uint32_t)work->n_lanes++;
    if (!shared) return CAIRN_OK;
    f->open = column->lane;
    f->n_shared = 1;
    CHECK(SCRATCH(f->ctx, &f->lane, f->n));
    f->codes[f->open] = f->lane;
    return CAIRN_OK;
}

/* Number the combinations of the codes of the open lane and of the column; 0 = too many. */
static uint32_t number_pairs(const filling *f, uint16_t *pairs, size_t n_codes)
{
    const uint8_t *lane = f->lane;
    uint32_t n = 0;
    memset(pairs, 0, f->n_shared * n_codes * sizeof *pairs);
    for (size_t i = 0; i < f->n; i++) pairs[lane[i] * n_codes + f->column[i]] = 1;
    for (size_t p = 0; p < f->n_shared * n_codes; p++) n += pairs[p];
    if (n > CODES) return 0;
    n = 0;
    for (size_t p = 0; p < f->n_shared * n_codes; p++)
        if (pairs[p]) pairs[p] = (uint16_t)n++;
    return n;
}

/* The column becomes a part of the open lane: what its codes, and those of the columns that are
 * there, mean by the new combinations. */
static void join(filling *f, size_t c, const uint16_t *pairs, size_t n_codes)
{
    cairn_boost_work *work = f->work;
    uint8_t *lane = f->lane, old[CODES] = {0}, part[CODES];
    for (size_t i = 0; i < f->n; i++) {
        uint16_t to = pairs[lane[i] * n_codes + f->column[i]];
        work->columns[c].part[to] = f->column[i];
        old[to] = lane[i];
        lane[i] = (uint8_t)to;
    }
    for (size_t b = 0; b < c; b++) {
        cairn_boost_column *column = &work->columns[b];
        if (!column->part || column->lane != f->open) continue;
        memcpy(part, column->part, CODES);
        for (size_t v = 0; v < CODES; v++) column->part[v] = part[old[v]];
    }
    work->columns[c].lane = f->open;
}

/* Where the codes of a column go: few of them into a lane that others share, at most 255 into one
 * of their own, more into an array. */
static cairn_status take_column(filling *f, size_t c, const cairn_binned_column *from)
{
    cairn_boost_work *work = f->work;
    cairn_boost_column *to = &work->columns[c];
    *to = (cairn_boost_column){.is_number = from->is_number,
                               .n_codes = from->n_codes,
                               .values = from->values,
                               .highs = from->highs,
                               .order = work->n_orders,
                               .list = CAIRN_BOOST_NONE};
    if (!from->is_number) work->n_orders += (size_t)from->n_codes + 1;
    if (from->n_codes <= MOST_SHARED) {
        /* A column of few codes goes into the open lane, or opens another one when that has too
         * many. */
        cairn_boost_column *column = &f->work->columns[c];
        size_t n_codes = (size_t)column->n_codes + 1;
        uint16_t pairs[CODES * (MOST_SHARED + 1)];
        CHECK(SCRATCH(f->ctx, &column->part, CODES));
        copy_codes(f->work, c, f->column, NULL);
        uint32_t n = f->open == UINT32_MAX ? 0 : number_pairs(f, pairs, n_codes);
        if (!n) {
            CHECK(open_lane(f, column, true));
            n = number_pairs(f, pairs, n_codes);
        }
        join(f, c, pairs, n_codes);
        f->work->lane_codes[f->open] = f->n_shared = n;
        return CAIRN_OK;
    }
    if (from->n_codes < CODES) {
        CHECK(open_lane(f, to, false));
        f->codes[to->lane] = from->codes;
        return CAIRN_OK;
    }
    CHECK(SCRATCH_RAW(f->ctx, &to->quads, f->n));
    copy_codes(work, c, NULL, to->quads);
    return CAIRN_OK;
}

/* Items with codes for all rows are columns as others are; the rest of those that can be tested are
 * the lists, in their order. */
static cairn_status take_items(filling *f)
{
    cairn_boost_work *work = f->work;
    const cairn_boost_items *items = &work->items;
    uint32_t list = 0, bag = 0;
    for (size_t l = 0; l < items->n_live; l++) {
        uint32_t item = items->live[l];
        const cairn_binned_column *from = &items->columns[item];
        cairn_boost_column *to = &work->columns[work->n_dense + item];
        while (item >= items->firsts[bag + 1]) bag++;
        if (from->codes)
            CHECK(take_column(f, work->n_dense + item, from));
        else
            *to = (cairn_boost_column){.is_number = true,
                                       .n_codes = from->n_codes,
                                       .values = from->values,
                                       .highs = from->highs,
                                       .list = list++};
        to->zero = items->zeros[item];
        to->bag = bag;
    }
    return CAIRN_OK;
}

/* -- row by row -- */

static void turn_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const filling *f = data;
    (void)block, (void)worker;
    for (size_t p = 0; p < f->work->n_panels; p++) {
        const cairn_boost_panel *panel = &f->work->panels[p];
        for (size_t l = 0; l < panel->width; l++) {
            const uint8_t *from = f->codes[panel->first + l];
            uint8_t *to = panel->codes + l;
            for (size_t i = begin; i < end; i++) to[i * panel->width] = from[i];
        }
    }
}

/* Whether all codes of a lane have few rows. */
static bool fits_words(const filling *f, size_t lane)
{
    uint32_t counts[CODES] = {0};
    for (size_t i = 0; i < f->n; i++) counts[f->codes[lane][i]]++;
    for (size_t v = 0; v < CODES; v++)
        if (counts[v] > CAIRN_BOOST_WORD_ROWS) return false;
    return true;
}

/* Panels of about the same width. */
static cairn_status make_panels(filling *f)
{
    cairn_boost_work *work = f->work;
    size_t n = (work->n_lanes + CAIRN_BOOST_PANEL - 1) / CAIRN_BOOST_PANEL, lane = 0;
    work->n_panels = n;
    CHECK(SCRATCH(f->ctx, &work->panels, n));
    CHECK(NEW_RAW(f->ctx, &work->codes, cairn_product(f->n, work->n_lanes)));
    cairn_expect_dense(work->codes);
    for (size_t p = 0; p < n; p++) {
        cairn_boost_panel *panel = &work->panels[p];
        panel->first = lane;
        panel->width = (work->n_lanes - lane + (n - p) - 1) / (n - p);
        panel->codes = work->codes + f->n * lane;
        panel->fits = true;
        for (size_t end = lane + panel->width; lane < end; lane++)
            panel->fits = panel->fits && fits_words(f, lane);
    }
    return cairn_blocks(f->ctx, f->n, TRANSPOSED, turn_block, f);
}

/* Items may have none. */
static bool has_lane(const cairn_boost_work *work, size_t c)
{
    if (c < work->n_dense) return !work->columns[c].quads;
    return work->items.alive[c - work->n_dense] && work->columns[c].list == CAIRN_BOOST_NONE;
}

/* Where the codes of every column lie, and its bins. */
static void place_columns(cairn_boost_work *work, const uint8_t *const *codes)
{
    work->n_bins = work->n_lanes * CODES;
    for (size_t c = 0; c < work->n_columns; c++) {
        cairn_boost_column *column = &work->columns[c];
        if (!has_lane(work, c) && !column->quads) continue;
        column->first = column->quads ? work->n_bins : (size_t)column->lane * CODES;
        if (column->quads)
            work->n_bins += (size_t)column->n_codes + 1;
        else
            column->codes = codes[column->lane];
    }
}

cairn_status cairn_boost_take_columns(cairn_context *ctx, cairn_boost_work *work)
{
    CHECK(cairn_boost_make_items(ctx, work));
    work->n_columns = work->n_dense + work->items.n;
    filling f = {.ctx = ctx, .work = work, .n = work->n, .open = UINT32_MAX};
    CHECK(SCRATCH_EACH(ctx, work->n_columns, &work->columns, &work->lane_codes, &f.codes));
    CHECK(SCRATCH_RAW(ctx, &f.column, work->n));
    for (size_t c = 0; c < work->n_dense; c++) CHECK(take_column(&f, c, &work->data->columns[c]));
    CHECK(take_items(&f));
    place_columns(work, f.codes);
    CHECK(cairn_boost_place_items(ctx, work));
    return make_panels(&f);
}
