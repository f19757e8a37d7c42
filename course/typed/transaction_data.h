/* SPDX-License-Identifier: MIT */
/* What the calculators of item sets and association rules share. */
#ifndef CAIRN_TYPED_TRANSACTION_DATA_H
#define CAIRN_TYPED_TRANSACTION_DATA_H

#include "entry/entry.h"
#include "items/items.h"
#include <stddef.h>

#define CAIRN_SUPPORT_HELP                                                                         \
    "least support: a share of the transactions below 1, a number of them from 1 on"

#define CAIRN_PRESENT_HELP                                                                         \
    "a level such as yes: rows that have it in a column hold the item of the column's name, and "  \
    "no other cell of a level column is an item"

extern const cairn_choice cairn_miner_choices[];

/* The row of --with in the table of a struct that has the fields `with` and `transforms`. */
#define CAIRN_ITEMS_WITH(S)                                                                        \
    CAIRN_PARAM_TRANSFORMS(                                                                        \
        S, "a transform that makes items of the columns, such as bins (ranges of numbers) "        \
           "or bag (words of texts); may be given several times, in order")

/* The table that the transforms of --with make of it; NULL when there are none. */
CAIRN_CHECKED cairn_status cairn_items_transform(cairn_context *ctx, cairn_table **out,
                                                 const cairn_table *table,
                                                 const cairn_params *transforms);

/* Transactions of a table, with --present and --with, which may be NULL; without a table it
 * fails. */
CAIRN_CHECKED cairn_status cairn_read_present(cairn_context *ctx, cairn_transactions *out,
                                              const cairn_table *table, const char *present,
                                              const cairn_params *transforms);
/* --support as a number of transactions. */
CAIRN_CHECKED cairn_status cairn_support_count(cairn_context *ctx, uint64_t *out, double support,
                                               uint64_t total);
/* What to put between items in a text so that it can be taken apart again: `usual`, or when a name
 * holds that, another one that no name holds. */
const char *cairn_item_separator(const cairn_transactions *t, const char *usual);
/* Note that the column that is the target, if there is one, gives no items. */
void cairn_note_target_items(cairn_report *out, const cairn_table *table);
void cairn_show_transactions(cairn_report *out, const cairn_transactions *t, uint64_t support,
                             const char *prefix);

#endif
