/* SPDX-License-Identifier: MIT */
/* The distances between all rows of a table, as a table: see cairn/learned.h. */
#include "base/call.h"
#include "base/memory.h"
#include "cairn/learned.h"
#include "data/column.h"
#include "data/shape.h"
#include "rows/distances.h"
#include <stdio.h>
#include <string.h>

/* A column for each row, whose numbers are the rows of a matrix that is the same both ways. */
static cairn_status add_rows(cairn_context *ctx, cairn_table *table, const double *all, size_t n)
{
    char name[32];
    for (size_t i = 0; i < n; i++) {
        cairn_column *column;
        CHECK(cairn_column_new(ctx, &column, CAIRN_NUMBER, n));
        memcpy(column->numbers, all + i * n, n * sizeof *all);
        cairn_column_count_missing(column);
        snprintf(name, sizeof name, "row%zu", i + 1);
        CHECK(cairn_table_append(ctx, table, name, CAIRN_FEATURE, column));
    }
    return CAIRN_OK;
}

cairn_status cairn_table_distances(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                   const char *distance)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows rows = {0};
    OWNED(cairn_table_free) cairn_table *made = NULL;
    size_t n = cairn_table_rows(table);
    cairn_view view;
    double *all;
    CHECK(cairn_metric_check(ctx, "distance", distance ? distance : "euclidean"));
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    CHECK(cairn_distance_rows_open(ctx, &rows, &view, distance ? distance : "euclidean"));
    CHECK(cairn_distances_fit(ctx, n, 32, "ask for fewer rows"));
    CHECK(SCRATCH(ctx, &all, cairn_product(n, n) + 1));
    CHECK(cairn_distances_block(ctx, &rows, NULL, n, &rows, 0, n, all, n));
    CHECK(cairn_table_new(ctx, &made, n));
    CHECK(add_rows(ctx, made, all, n));
    made->shape = CAIRN_SHAPE_DISTANCES;
    *out = TAKE(made);
    return CAIRN_OK;
}
