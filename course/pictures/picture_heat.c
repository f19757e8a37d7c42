/* SPDX-License-Identifier: MIT */
/* cairn draw heat: a table of numbers as a coloured grid. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "base/number.h"

typedef struct heat_params {
    const char *columns;
} heat_params;

static const cairn_param heat_table[] = {
    CAIRN_PARAM_AS(heat_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the number columns to draw; all if not given"),
    CAIRN_PARAM_END,
};

/* The number columns that are drawn. */
static cairn_status choose_columns(cairn_context *ctx, size_t **out, size_t *n,
                                   const cairn_table *table, const char *wanted)
{
    char **names;
    size_t n_names;
    *n = 0;
    CHECK(SCRATCH(ctx, out, table->n_columns + 1));
    if (!wanted) {
        for (size_t c = 0; c < table->n_columns; c++)
            if (cairn_table_numbers(table, c) && table->slots[c].role != CAIRN_ID)
                (*out)[(*n)++] = c;
    } else {
        CHECK(cairn_list_split(ctx, wanted, &names, &n_names));
        for (size_t i = 0; i < n_names && i < table->n_columns; i++)
            CHECK(cairn_picture_numbers(ctx, &(*out)[(*n)++], table, "columns", names[i], 0));
    }
    if (*n == 0 || table->n_rows == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s has no numbers to draw",
                          table->source ? table->source : "the table");
    return CAIRN_OK;
}

/* Names of the rows: the id column, or the first level column, or numbers. */
static cairn_status row_names(cairn_context *ctx, const char ***out, const cairn_table *table)
{
    ptrdiff_t id = cairn_table_role_column(table, CAIRN_ID);
    for (size_t c = 0; c < table->n_columns && id < 0; c++)
        if (table->slots[c].column->kind == CAIRN_LEVEL) id = (ptrdiff_t)c;
    CHECK(SCRATCH(ctx, out, table->n_rows));
    for (size_t r = 0; r < table->n_rows; r++) {
        char *name;
        size_t length = id < 0 ? 0 : cairn_table_cell(table, (size_t)id, r, NULL, 0);
        CHECK(SCRATCH(ctx, &name, length + CAIRN_NUMBER_SIZE));
        if (id < 0)
            cairn_number_format(name, (double)(r + 1), 0);
        else
            cairn_table_cell(table, (size_t)id, r, name, length + 1);
        (*out)[r] = name;
    }
    return CAIRN_OK;
}

static cairn_status heat_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const heat_params *p = job->params;
    const cairn_table *table = job->table;
    size_t *columns, n;
    double *values;
    const char **names, **heads;
    CHECK(choose_columns(ctx, &columns, &n, table, p->columns));
    CHECK(row_names(ctx, &names, table));
    CHECK(SCRATCH(ctx, &heads, n));
    CHECK(SCRATCH(ctx, &values, cairn_product(n, table->n_rows)));
    for (size_t c = 0; c < n; c++) {
        const double *numbers = cairn_table_numbers(table, columns[c]);
        heads[c] = table->slots[columns[c]].name;
        for (size_t r = 0; r < table->n_rows; r++) values[r * n + c] = numbers[r];
    }
    CHECK(cairn_picture_new(ctx, out, "heat", table, "Numbers as colours"));
    cairn_figure_heat(*out, values, names, table->n_rows, heads, n);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_heat = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "heat",
                .also = "heat map, heatmap, correlation matrix",
                .title = "Table of numbers as a coloured grid",
                .summary =
                    "Every number of a table as a coloured cell, with its value where there is "
                    "room: for Gram matrices, distances, correlations, counts. More than a "
                    "hundred rows or columns are drawn as means of blocks.",
                .references =
                    "Wilkinson, Friendly: The History of the Cluster Heat Map, The American "
                    "Statistician 63, 2009",
                .example = "cairn draw heat @confusion-pets",
                .params = heat_table,
                .params_size = sizeof(heat_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = heat_draw,
};
