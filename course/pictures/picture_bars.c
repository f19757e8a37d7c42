/* SPDX-License-Identifier: MIT */
/* cairn draw bars: how often each level occurs, side by side for the classes, or the values of a
 * number column with a bar per row. */
#include "pictures/picture.h"

#include "base/memory.h"

#include <math.h>

typedef struct bars_params {
    const char *column, *colour, *amount;
} bars_params;

static const cairn_param bars_table[] = {
    CAIRN_PARAM_AS(bars_params, column, CAIRN_TYPE_COLUMNS, NULL,
                   "level column with the names of the bars; the target or the first level column "
                   "if not given"),
    CAIRN_PARAM_AS(bars_params, amount, CAIRN_TYPE_COLUMNS, NULL,
                   "number column to sum up as height; rows are counted if not given",
                   .was = "height"),
    CAIRN_PARAM_AS(bars_params, colour, CAIRN_TYPE_COLUMNS, NULL,
                   "level column: bars side by side for its levels, or none; the target if not "
                   "given"),
    CAIRN_PARAM_END,
};

/* The column of the bars: as named, else the target, else the first level column. */
static cairn_status find_column(cairn_context *ctx, size_t *out, const cairn_table *table,
                                const char *name)
{
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    if (name) {
        cairn_status status = cairn_table_get(ctx, table, name, out);
        if (status) return status;
        if (table->slots[*out].column->kind == CAIRN_LEVEL) return CAIRN_OK;
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{column}: '%s' holds no levels; draw a histogram of it, or take its "
                          "values as levels with {kinds \"%s=level\"}",
                          name, name);
    }
    if (target >= 0 && table->slots[target].column->kind == CAIRN_LEVEL) {
        *out = (size_t)target;
        return CAIRN_OK;
    }
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->slots[i].column->kind == CAIRN_LEVEL) {
            *out = i;
            return CAIRN_OK;
        }
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%s has no column of levels",
                      table->source ? table->source : "the table");
}

/* Counts rows by level, or sums a column of amounts; colouring by the same column as the bars would
 * split nothing and is dropped. */
static cairn_status bars_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const bars_params *p = job->params;
    const cairn_table *table = job->table;
    cairn_groups groups;
    const double *amounts = NULL;
    const char **names;
    size_t at, height = 0;
    CHECK(find_column(ctx, &at, table, p->column));
    if (p->amount) {
        CHECK(cairn_picture_numbers(ctx, &height, table, "amount", p->amount, 0));
        amounts = cairn_table_numbers(table, height);
    }
    CHECK(cairn_picture_groups(ctx, &groups, table, p->colour));
    const cairn_column *column = table->slots[at].column;
    if (groups.codes == column->codes) groups = (cairn_groups){0};
    CHECK(SCRATCH(ctx, &names, column->names.n + 1));
    for (size_t i = 0; i < column->names.n; i++) names[i] = cairn_map_key(&column->names, i);
    CHECK(cairn_picture_new(ctx, out, "bars", table, "%s of each %s",
                            amounts ? table->slots[height].name : "Rows", table->slots[at].name));
    cairn_picture_legend(*out, &groups);
    cairn_figure_axes(*out, table->slots[at].name, amounts ? table->slots[height].name : "rows");
    for (size_t g = 0; g < (groups.n ? groups.n : 1); g++) {
        double *heights;
        CHECK(SCRATCH(ctx, &heights, column->names.n + 1));
        for (size_t i = 0; i < table->n_rows; i++) {
            double amount = amounts ? amounts[i] : 1;
            if (column->codes[i] < 0 || isnan(amount)) continue;
            if (groups.n && groups.codes[i] != (int32_t)g) continue;
            heights[column->codes[i]] += amount;
        }
        cairn_figure_bars(*out, groups.n ? groups.names[g] : NULL, names, heights, column->names.n);
        if (groups.n) cairn_figure_in_group(*out, (int32_t)g);
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_bars = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "bars",
                .also = "bar chart, bar plot, counts of levels",
                .title = "How often each level occurs",
                .summary =
                    "One bar per level of a column: the number of rows, or the sum of a number "
                    "column; bars side by side for the classes of the target.",
                .example = "cairn draw bars @weather --column outlook",
                .params = bars_table,
                .params_size = sizeof(bars_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = bars_draw,
};
