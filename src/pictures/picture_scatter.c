/* SPDX-License-Identifier: MIT */
/* cairn draw scatter: two number columns against each other, coloured by a level column. */
#include "pictures/picture.h"

typedef struct scatter_params {
    const char *x, *y, *colour;
} scatter_params;

static const cairn_param scatter_table[] = {
    CAIRN_PARAM_AS(scatter_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the horizontal axis; the first number column if not given"),
    CAIRN_PARAM_AS(scatter_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the vertical axis; the second number column if not given"),
    CAIRN_PARAM_AS(scatter_params, colour, CAIRN_TYPE_COLUMNS, NULL,
                   "level column that chooses the colours, or none; the target if not given"),
    CAIRN_PARAM_END,
};

static cairn_status scatter_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    const scatter_params *p = job->params;
    const cairn_table *table = job->table;
    cairn_groups groups;
    size_t x, y;
    CHECK(cairn_picture_numbers(ctx, &x, table, "x", p->x, 0));
    CHECK(cairn_picture_numbers(ctx, &y, table, "y", p->y, p->x ? 0 : 1));
    if (!p->y && x == y) CHECK(cairn_picture_numbers(ctx, &y, table, "y", NULL, 1));
    CHECK(cairn_picture_groups(ctx, &groups, table, p->colour));
    CHECK(cairn_figure_new(ctx, out, "scatter", table->source));
    cairn_figure_axes(*out, table->slots[x].name, table->slots[y].name);
    cairn_figure_scales(*out, cairn_picture_scale(table, x), cairn_picture_scale(table, y));
    cairn_figure_points(*out, cairn_table_numbers(table, x), cairn_table_numbers(table, y),
                        groups.codes, table->n_rows, groups.names, groups.n);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_scatter = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "scatter",
                .also = "scatter plot, scatterplot, x against y",
                .title = "Two columns against each other",
                .summary =
                    "One point per row, two number columns as its place, the levels of a third "
                    "(the target unless --colour names another) as colour and mark.",
                .example = "cairn draw scatter @iris --x petal_length --y petal_width",
                .params = scatter_table,
                .params_size = sizeof(scatter_params)},
    .arguments = "DATA",
    .needs_data = true,
    .draw = scatter_draw,
};
