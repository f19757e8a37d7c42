/* SPDX-License-Identifier: MIT */
/* Number columns that say how much of an item of a bag each row has. Most rows have nothing of
 * most items, so only what rows have is kept: the columns of a bag take the memory of the bag.
 *
 * Such a column has no `numbers`. It lives only between the transforms of a model and its learner
 * (model/chain.c), where whoever reads it knows of it; everybody else gets the numbers. */
#ifndef CAIRN_DATA_ITEM_COLUMNS_H
#define CAIRN_DATA_ITEM_COLUMNS_H

#include "data/table.h"

/* What a learner accepts, beside CAIRN_ACCEPTS_... of model/learner.h: such columns. */
enum { CAIRN_ACCEPTS_ITEMS = 1 << 22 };

typedef struct cairn_item_block cairn_item_block;
/* What the rows have: 0 where a row is not listed. */
typedef struct cairn_item_cells {
    const uint32_t *rows; /* n, ascending */
    const double *amounts;
    size_t n;
    cairn_item_block *block; /* which they lie in */
} cairn_item_cells;

/* Columns of n items of a bag, of which item i is column places[i], -1 = none. *made is false, and
 * nothing is made, where a row has no bag or an amount is no number: then cells are missing. The
 * caller drops the columns. */
CAIRN_CHECKED cairn_status cairn_item_columns_new(cairn_context *ctx, cairn_column **out,
                                                  bool *made, const cairn_column *bag,
                                                  const int32_t *places, size_t n);
/* NULL = its numbers are there. */
const cairn_item_cells *cairn_column_items(const cairn_column *column);
double cairn_item_number(const cairn_item_cells *cells, size_t row);

/* The number of a row, of either kind of column. */
static inline double cairn_column_number(const cairn_column *column, size_t row)
{
    return column->numbers ? column->numbers[row]
                           : cairn_item_number(cairn_column_items(column), row);
}

/* All such columns of a table that nobody else has get their numbers. */
CAIRN_CHECKED cairn_status cairn_table_settle_items(cairn_context *ctx, cairn_table *table);

#endif
