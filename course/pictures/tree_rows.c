/* SPDX-License-Identifier: MIT */
/* The rows of a table in the nodes of a tree. */
#include "pictures/tree_rows.h"

#include "base/memory.h"
#include "base/number.h"
#include "learners/tree/tree.h"

#include <math.h>
#include <string.h>

enum { ROWS_IN_LINE = 5, MOST_ROWS = 20, MOST_COLUMNS = 10, CELL_SIZE = 64, MOST_CLASSES = 6 };

cairn_status cairn_tree_rows_find(cairn_context *ctx, cairn_tree_rows *out,
                                  const cairn_model *model, const cairn_table *table)
{
    SCOPED(cairn_prediction_clear) cairn_prediction prediction = {0};
    cairn_match match;
    uint32_t *ends;
    size_t at, n = table->n_rows;
    *out = (cairn_tree_rows){.table = table, .tree = model->state};
    const cairn_field *target = cairn_model_target(model);
    out->target = target ? cairn_table_find(table, target->name) : -1;
    CHECK(SCRATCH(ctx, &ends, n + 1));
    CHECK(cairn_model_predict_rows(ctx, &prediction, model, table, cairn_all_rows(table),
                                   (cairn_predict_wants){.extra = true}, &match));
    CHECK(cairn_table_get(ctx, prediction.extra, "leaf", &at));
    const double *leaves = cairn_table_numbers(prediction.extra, at);
    for (size_t i = 0; i < n; i++) ends[i] = (uint32_t)leaves[i] - 1;
    out->ends = ends;
    return CAIRN_OK;
}

/* A row reaches the node where it ends and all above it; those have smaller numbers. */
static bool reaches(const cairn_tree_rows *r, size_t row, size_t node)
{
    size_t at = r->ends[row];
    while (at > node) at = (size_t)r->tree->nodes[at].parent;
    return at == node;
}

static void add_cell(cairn_text *text, const cairn_table *table, size_t column, size_t row)
{
    char cell[CELL_SIZE];
    size_t length = cairn_table_cell(table, column, row, cell, sizeof cell);
    if (cairn_column_is_missing(table->slots[column].column, row))
        cairn_text_add(text, "?");
    else
        cairn_text_add_bytes(text, cell, length < sizeof cell ? length : sizeof cell - 1);
}

static void add_name(cairn_text *text, const cairn_table *table, size_t row)
{
    ptrdiff_t id = cairn_table_role_column(table, CAIRN_ID);
    if (id >= 0)
        add_cell(text, table, (size_t)id, row);
    else
        cairn_text_add_number(text, (double)row + 1, CAIRN_SHORTEST);
}

/* Rows of the node whose code in `column` (NULL = any) is `code`. */
static void add_names(cairn_text *text, const cairn_tree_rows *r, size_t node,
                      const cairn_column *column, int64_t code)
{
    size_t n = 0;
    for (size_t i = 0; i < r->table->n_rows; i++) {
        if ((column && column->codes[i] != code) || !reaches(r, i, node)) continue;
        if (n < MOST_ROWS) {
            cairn_text_add(text, n == 0 ? "" : n % ROWS_IN_LINE ? ", " : ",\n");
            add_name(text, r->table, i);
        }
        n++;
    }
    if (n > MOST_ROWS) cairn_text_addf(text, ",\nand %zu more", n - MOST_ROWS);
    if (n == 0) cairn_text_add(text, "none");
}

void cairn_tree_rows_add(cairn_text *text, const cairn_tree_rows *rows, size_t node)
{
    add_names(text, rows, node, NULL, 0);
}

void cairn_tree_rows_add_signed(cairn_text *text, const cairn_tree_rows *rows, size_t node,
                                const cairn_schema *schema, int32_t positive)
{
    const cairn_column *column = rows->target < 0 ? NULL : rows->table->slots[rows->target].column;
    size_t n = cairn_schema_target(schema)->names.n;
    if (!column || column->kind != CAIRN_LEVEL) {
        cairn_tree_rows_add(text, rows, node);
        return;
    }
    for (size_t i = 0; i < n && i < MOST_CLASSES; i++) {
        bool two = positive >= 0 && n == 2;
        size_t k = two ? (size_t)(i == 0 ? positive : 1 - positive) : i;
        const char *name = cairn_schema_class(schema, (int32_t)k);
        if (i) cairn_text_add_char(text, '\n');
        if (two)
            cairn_text_add(text, i == 0 ? "+ " : "− ");
        else
            cairn_text_addf(text, "%s: ", name);
        add_names(text, rows, node, column, cairn_map_find(&column->names, name, strlen(name)));
    }
    if (n > MOST_CLASSES) cairn_text_addf(text, "\nand %zu more classes", n - MOST_CLASSES);
}

/* One line: the head when row is SIZE_MAX. The target comes last, and of many features the first
 * are shown. */
static void add_line(cairn_text *text, const cairn_tree_rows *r, size_t row)
{
    const cairn_table *table = r->table;
    size_t shown = 0;
    if (row == SIZE_MAX)
        cairn_text_add(text, "row");
    else
        add_name(text, table, row);
    for (int targets = 0; targets < 2; targets++)
        for (size_t c = 0; c < table->n_columns; c++) {
            bool target = (ptrdiff_t)c == r->target;
            if (target != targets || (!target && table->slots[c].role != CAIRN_FEATURE)) continue;
            if (!target && shown++ >= MOST_COLUMNS) continue;
            cairn_text_add_char(text, '\t');
            if (row == SIZE_MAX)
                cairn_text_add(text, table->slots[c].name);
            else
                add_cell(text, table, c, row);
        }
}

void cairn_tree_rows_add_table(cairn_text *text, const cairn_tree_rows *rows, size_t node,
                               size_t most)
{
    size_t n = 0;
    add_line(text, rows, SIZE_MAX);
    for (size_t i = 0; i < rows->table->n_rows; i++) {
        if (!reaches(rows, i, node)) continue;
        if (n++ >= most) continue;
        cairn_text_add_char(text, '\n');
        add_line(text, rows, i);
    }
    if (n > most) cairn_text_addf(text, "\n… and %zu more rows", n - most);
    if (n == 0) cairn_text_add(text, "\nno rows");
}
