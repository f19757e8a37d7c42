/* SPDX-License-Identifier: MIT */
#include "typed/compared.h"
#include "data/column.h"
#include "data/shape.h"
#include "model/chain.h"
#include "typed/vectors.h"
#include <string.h>

const cairn_param cairn_compared_group[] = {
    CAIRN_PARAM(cairn_compared_options, points, NULL, NULL,
                "the points, such as A=0,0;B=1,1; without names they are p1, p2, ...; else they "
                "are the rows of DATA",
                .often = true),
    CAIRN_PARAM_TRANSFORMS(
        cairn_compared_options,
        "transforms of the columns before rows are compared, such as scale or indicators; in "
        "order"),
    CAIRN_PARAM_END,
};

void cairn_compared_clear(cairn_compared *compared)
{
    cairn_table_free(compared->table);
    *compared = (cairn_compared){0};
}

/* The typed points as a table with their names in an id column. */
static cairn_status table_of_points(cairn_context *ctx, cairn_table **out, const char *text)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_vectors v;
    const char **columns;
    double *column;
    CHECK(cairn_read_vectors(ctx, &v, "points", text, "p"));
    CHECK(cairn_coordinate_names(ctx, &columns, v.width));
    CHECK(SCRATCH(ctx, &column, v.n + 1));
    CHECK(cairn_table_new(ctx, &table, v.n));
    for (size_t j = 0; j < v.width; j++) {
        for (size_t i = 0; i < v.n; i++) column[i] = v.values[i * v.width + j];
        CHECK(cairn_table_put_numbers(ctx, table, columns[j], column));
    }
    CHECK(cairn_table_add_texts(ctx, table, "point", v.names));
    CHECK(cairn_table_set_role(ctx, table, "point", CAIRN_ID));
    *out = TAKE(table);
    return CAIRN_OK;
}

cairn_status cairn_compared_read(cairn_context *ctx, cairn_compared *out,
                                 const cairn_compared_options *options, const cairn_table *table,
                                 const char *what)
{
    SCOPED(cairn_compared_clear) cairn_compared c = {0};
    OWNED(cairn_table_free) cairn_table *raw = NULL;
    if (!options->points == !table)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' takes either typed {points 'A=0,0;B=1,1'} or a table", what);
    if (options->points)
        CHECK(table_of_points(ctx, &raw, options->points));
    else
        CHECK(cairn_table_share(ctx, &raw, table));
    if (options->transforms)
        CHECK(cairn_transforms_run(ctx, &c.table, raw, options->transforms, NULL));
    else
        c.table = TAKE(raw);
    CHECK(cairn_view_make(ctx, &c.view, c.table, cairn_all_rows(c.table)));
    if (c.view.n_features == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "'%s': no column is left to compare rows by; name them with {features}",
                          what);
    bool matrix = c.table->shape == CAIRN_SHAPE_DISTANCES;
    if (matrix && cairn_table_role_column(c.table, CAIRN_ID) < 0)
        c.names = c.view.names;
    else
        CHECK(cairn_row_names(ctx, c.table, &c.names));
    *out = c;
    memset(&c, 0, sizeof c);
    return CAIRN_OK;
}

cairn_status cairn_compared_plane(cairn_context *ctx, const cairn_compared *c, const char *what)
{
    const cairn_view *view = &c->view;
    for (size_t j = 0; j < view->n_features; j++)
        if (view->features[j]->kind != CAIRN_NUMBER || view->n_features != 2 ||
            c->table->shape == CAIRN_SHAPE_DISTANCES)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "'%s' needs two number columns, and there are %zu column%s%s; choose "
                              "two with {features}, or take {with pca:2}",
                              what, view->n_features, view->n_features == 1 ? "" : "s",
                              view->n_features == 2 ? " that are not both numbers" : "");
    for (size_t j = 0; j < 2; j++)
        for (size_t i = 0; i < view->rows.n; i++)
            CHECK(cairn_need_finite(ctx, what, view->names[j], i, view->features[j]->numbers[i]));
    return CAIRN_OK;
}

const char *cairn_compared_units(const cairn_compared *compared,
                                 const cairn_compared_options *options)
{
    if (compared->table->shape == CAIRN_SHAPE_DISTANCES) return "as distances";
    return options->with ? "after the transforms" : "in their own units";
}
