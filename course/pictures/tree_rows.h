/* SPDX-License-Identifier: MIT */
/* The rows of a table in the nodes of a tree: their names, by class or not, and small tables. */
#ifndef CAIRN_PICTURES_TREE_ROWS_H
#define CAIRN_PICTURES_TREE_ROWS_H

#include "base/text.h"
#include "learners/tree/grow/grow.h"
#include "model/model.h"

typedef struct cairn_tree_rows {
    const cairn_table *table;
    const cairn_tree_model *tree;
    const uint32_t *ends; /* per row: the node where it ends */
    ptrdiff_t target;     /* column of the table; -1 = it has none */
} cairn_tree_rows;

/* Send the rows of a raw table down the tree of a model. Scratch. */
CAIRN_CHECKED cairn_status cairn_tree_rows_find(cairn_context *ctx, cairn_tree_rows *out,
                                                const cairn_model *model, const cairn_table *table);
/* Names of the rows that reach a node, some to a line: its id, or the number of the row. */
void cairn_tree_rows_add(cairn_text *text, const cairn_tree_rows *rows, size_t node);
/* The same with a line per class: its sign (the positive class is `positive`, -1 = none), or its
 * name, which comes from the schema of the model. */
void cairn_tree_rows_add_signed(cairn_text *text, const cairn_tree_rows *rows, size_t node,
                                const cairn_schema *schema, int32_t positive);
/* The rows as lines of a table with its head, at most `most` of them. */
void cairn_tree_rows_add_table(cairn_text *text, const cairn_tree_rows *rows, size_t node,
                               size_t most);

#endif
