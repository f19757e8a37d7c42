/* SPDX-License-Identifier: MIT */
/* Building bag columns row by row: item numbers in any order, repeats allowed. */
#ifndef CAIRN_DATA_BAG_H
#define CAIRN_DATA_BAG_H

#include "data/column.h"

typedef struct cairn_bag_builder {
    cairn_map names; /* of the items */
    int32_t *codes;  /* item number + 1 of names that are small whole numbers, 0 = not seen yet */
    size_t codes_capacity;
    int32_t *items;
    double *amounts; /* NULL until an amount other than 1 was added */
    size_t n_items, items_capacity, amounts_capacity;
    size_t *starts; /* of the rows that were begun */
    size_t n_rows, starts_capacity;
} cairn_bag_builder;

/* Free what was collected; the builder is empty and can be used again. */
void cairn_bag_clear(cairn_bag_builder *bag);
/* The items that follow belong to a new row. */
CAIRN_CHECKED cairn_status cairn_bag_begin_row(cairn_context *ctx, cairn_bag_builder *bag);
CAIRN_CHECKED cairn_status cairn_bag_add(cairn_context *ctx, cairn_bag_builder *bag,
                                         const char *name, size_t length, double amount);
/* A column of what was added, the items of a row ascending, amounts of repeated items added up and
 * amounts of 0 left out. Names that are all numbers are put in ascending order. The builder is
 * cleared, also on failure. */
CAIRN_CHECKED cairn_status cairn_bag_finish(cairn_context *ctx, cairn_column **out,
                                            cairn_bag_builder *bag);

/* Make a bag column of one whose items are in any order, as cairn_bag_finish does; names stay as
 * they are. */
CAIRN_CHECKED cairn_status cairn_bag_tidy(cairn_context *ctx, cairn_column *bag);

#endif
