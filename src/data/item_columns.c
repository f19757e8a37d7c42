/* SPDX-License-Identifier: MIT */
/* Columns of items: see item_columns.h. */
#include "data/item_columns.h"
#include "base/memory.h"
#include "data/column.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The cells of all columns of a bag, item by item; it goes with the last of the columns. */
struct cairn_item_block {
    int holders; /* atomic */
    uint32_t *rows;
    double *amounts;
    cairn_item_cells *cells; /* per column */
};

static void drop_block(cairn_item_block *block)
{
    if (!block || __atomic_sub_fetch(&block->holders, 1, __ATOMIC_ACQ_REL) > 0) return;
    FREE_EACH(block->rows, block->amounts, block->cells, block);
}

CAIRN_CAN_OWN(drop_block, cairn_item_block)

static void release_items(void *owner)
{
    drop_block(((cairn_item_cells *)owner)->block);
}

/* Whether every cell is known. */
static bool is_complete(const cairn_column *bag)
{
    for (size_t i = 0; bag->absent && i < bag->n_rows; i++)
        if (bag->absent[i]) return false;
    for (size_t at = 0; bag->amounts && at < bag->starts[bag->n_rows]; at++)
        if (isnan(bag->amounts[at])) return false;
    return true;
}

/* The lists of all columns; filled row by row, so they ascend. */
static cairn_status list_cells(cairn_context *ctx, cairn_item_block *block, const cairn_column *bag,
                               const int32_t *places, size_t n)
{
    size_t total = 0, *firsts;
    CHECK(SCRATCH(ctx, &firsts, n + 1));
    CHECK(NEW(ctx, &block->cells, n));
    for (size_t at = 0; at < bag->starts[bag->n_rows]; at++)
        if (places[bag->items[at]] >= 0) firsts[places[bag->items[at]]]++;
    for (size_t k = 0; k < n; k++) {
        size_t count = firsts[k];
        firsts[k] = total;
        total += count;
    }
    CHECK(NEW_RAW_EACH(ctx, total + 1, &block->rows, &block->amounts));
    for (size_t k = 0; k < n; k++)
        block->cells[k] =
            (cairn_item_cells){block->rows + firsts[k], block->amounts + firsts[k], .block = block};
    for (size_t i = 0; i < bag->n_rows; i++) {
        if (i % 64 == 0) CHECK(cairn_tick(ctx, NULL, 0, 0));
        for (size_t at = bag->starts[i]; at < bag->starts[i + 1]; at++) {
            int32_t place = places[bag->items[at]];
            if (place < 0) continue;
            size_t to = firsts[place] + block->cells[place].n++;
            block->rows[to] = (uint32_t)i;
            block->amounts[to] = bag->amounts ? bag->amounts[at] : 1;
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_item_columns_new(cairn_context *ctx, cairn_column **out, bool *made,
                                    const cairn_column *bag, const int32_t *places, size_t n)
{
    SCOPED_SCRATCH(ctx);
    OWNED(drop_block) cairn_item_block *block = NULL;
    *made = is_complete(bag);
    if (!*made) return CAIRN_OK;
    CHECK(NEW(ctx, &block, 1));
    block->holders = 1;
    CHECK(list_cells(ctx, block, bag, places, n));
    for (size_t k = 0; k < n; k++) {
        CHECK(NEW(ctx, &out[k], 1));
        block->holders++;
        *out[k] = (cairn_column){.holders = 1,
                                 .kind = CAIRN_NUMBER,
                                 .n_rows = bag->n_rows,
                                 .release = release_items,
                                 .owner = &block->cells[k]};
    }
    return CAIRN_OK;
}

const cairn_item_cells *cairn_column_items(const cairn_column *column)
{
    return column->release == release_items ? column->owner : NULL;
}

double cairn_item_number(const cairn_item_cells *cells, size_t row)
{
    size_t low = 0, high = cells->n;
    while (low < high) {
        size_t at = low + (high - low) / 2;
        if (cells->rows[at] < row)
            low = at + 1;
        else
            high = at;
    }
    return low < cells->n && cells->rows[low] == row ? cells->amounts[low] : 0;
}

cairn_status cairn_table_settle_items(cairn_context *ctx, cairn_table *table)
{
    SCOPED_SCRATCH(ctx);
    size_t n = 0, *places;
    cairn_column **to;
    char what[128];
    cairn_status status = CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &places, table->n_columns + 1));
    for (size_t i = 0; i < table->n_columns; i++)
        if (cairn_column_items(table->slots[i].column)) places[n++] = i;
    if (!n) return CAIRN_OK;
    (void)snprintf(what, sizeof what, "making %zu columns of levels and items", n);
    CHECK(cairn_memory_check(
        ctx, 8.0 * (double)n * (double)table->n_rows, what,
        cairn_say(ctx, "leave columns with many levels out with {ignore}, or group them")));
    CHECK(SCRATCH(ctx, &to, n));
    CHECK(cairn_columns_new(ctx, to, n, table->n_rows, false));
    for (size_t k = 0; k < n && !status; k++) {
        const cairn_item_cells *cells = cairn_column_items(table->slots[places[k]].column);
        for (size_t at = 0; at < cells->n; at++)
            to[k]->numbers[cells->rows[at]] = cells->amounts[at];
        cairn_table_replace_column(table, places[k], to[k]);
        to[k] = NULL;
        if (k % 64 == 0) status = cairn_tick(ctx, NULL, 0, 0);
    }
    for (size_t k = 0; k < n; k++) cairn_column_drop(to[k]);
    return status;
}
