/* SPDX-License-Identifier: MIT */
/* Filtering a table by a condition, and computing a column of it. */
#include "data/column.h"
#include "data/shape.h"
#include "base/call.h"
#include "data/expression_node.h"

#include <math.h>
#include <string.h>

/* Levels that no row has any more are forgotten, unless they were declared: a class that was
 * filtered out is no class. The column is new, nobody else holds it. */
static cairn_status drop_unused(cairn_context *ctx, cairn_column *column)
{
    cairn_status status;
    cairn_map names = {0};
    int32_t *codes;
    size_t n = column->names.n, index;
    if (column->kind != CAIRN_LEVEL || column->declared) return CAIRN_OK;
    TRY(SCRATCH(ctx, &codes, n + 1));
    for (size_t i = 0; i < column->n_rows; i++)
        if (column->codes[i] >= 0) codes[column->codes[i]] = 1;
    for (size_t i = 0; i < n; i++) {
        if (!codes[i]) continue;
        TRY(cairn_map_add(ctx, &names, cairn_map_key(&column->names, i), column->names.lengths[i],
                          &index));
        codes[i] = (int32_t)index;
    }
    for (size_t i = 0; i < column->n_rows; i++)
        if (column->codes[i] >= 0) column->codes[i] = codes[column->codes[i]];
    cairn_map_clear(&column->names);
    column->names = names;
    return CAIRN_OK;
done:
    cairn_map_clear(&names);
    return status;
}

static cairn_status want_condition(cairn_context *ctx, const cairn_expression *e)
{
    if (cairn_expression_type(e) == CAIRN_VALUE_TRUTH) return CAIRN_OK;
    return cairn_fail_place(ctx, e->text, 0,
                            "this is a %s, but a condition is needed, such as x > 0",
                            cairn_expression_type(e) == CAIRN_VALUE_TEXT ? "text" : "number");
}

cairn_status cairn_table_where(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                               const char *condition, cairn_filtered *filtered)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    OWNED(cairn_table_free) cairn_table *kept = NULL;
    cairn_faults faults = {0};
    cairn_filtered found = {0};
    double *truths;
    uint32_t *rows;
    CHECK(cairn_expression_new(ctx, &e, condition, table));
    CHECK(want_condition(ctx, e));
    CHECK(SCRATCH_RAW_EACH(ctx, table->n_rows + 1, &truths, &rows));
    CHECK(cairn_expression_numbers(ctx, e, truths, &faults));
    for (size_t i = 0; i < table->n_rows; i++) {
        if (truths[i] == 1) rows[found.n_kept++] = (uint32_t)i;
        found.n_undecided += isnan(truths[i]);
    }
    found.n_dropped = table->n_rows - found.n_kept + table->n_skipped;
    cairn_faults_warn(ctx, condition, &faults);
    if (found.n_dropped)
        CHECK(cairn_table_take_rows(ctx, &kept, table, rows, found.n_kept));
    else
        CHECK(cairn_table_share(ctx, &kept, table));
    /* Counts stay counts with fewer rows; a square matrix does not stay one. */
    if (table->shape == CAIRN_SHAPE_COUNTS) kept->shape = table->shape;
    for (size_t i = 0; found.n_dropped && i < kept->n_columns; i++)
        CHECK(drop_unused(ctx, kept->slots[i].column));
    if (filtered) *filtered = found;
    *out = TAKE(kept);
    return CAIRN_OK;
}

cairn_status cairn_table_filter(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                const char *condition)
{
    PUBLIC_CALL(ctx);
    return cairn_table_where(ctx, out, table, condition, NULL);
}

cairn_status cairn_table_compute(cairn_context *ctx, cairn_table *table, const char *name,
                                 const char *expression)
{
    PUBLIC_CALL(ctx);
    OWNED(cairn_expression_free) cairn_expression *e = NULL;
    cairn_column *column = NULL;
    cairn_faults faults = {0};
    ptrdiff_t at = cairn_table_find(table, name);
    CHECK(cairn_expression_new(ctx, &e, expression, table));
    cairn_expression_salt(e, name);
    CHECK(cairn_expression_column(ctx, e, &column, &faults));
    cairn_faults_warn(ctx, name, &faults);
    if (at >= 0)
        cairn_table_replace_column(table, (size_t)at, column);
    else
        CHECK(cairn_table_add_column(ctx, table, name, CAIRN_FEATURE, column));
    return CAIRN_OK;
}
