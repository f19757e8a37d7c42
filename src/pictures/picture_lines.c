/* SPDX-License-Identifier: MIT */
/* cairn draw lines: number columns as lines over another, in the order of its values. */
#include "pictures/picture.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct lines_params {
    const char *x, *y;
} lines_params;

static const cairn_param lines_table[] = {
    CAIRN_PARAM_AS(lines_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the horizontal axis; the number of the row if not given"),
    CAIRN_PARAM_AS(lines_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "columns to draw, separated by commas; all number columns if not given"),
    CAIRN_PARAM_END,
};

typedef struct point {
    double x;
    size_t row;
} point;

static int by_x(const void *a, const void *b)
{
    const point *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

/* Rows in the order of x; rows without x are left out. */
static cairn_status order_rows(cairn_context *ctx, point **out, size_t *n, const cairn_table *table,
                               const double *x)
{
    cairn_status status;
    point *points;
    TRY(SCRATCH_RAW(ctx, &points, table->n_rows));
    *n = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        double at = x ? x[i] : (double)(i + 1);
        if (!isnan(at)) points[(*n)++] = (point){at, i};
    }
    qsort(points, *n, sizeof *points, by_x);
    *out = points;
done:
    return status;
}

static cairn_status add_line(cairn_context *ctx, cairn_figure *figure, const cairn_table *table,
                             size_t column, const point *points, size_t n)
{
    cairn_status status;
    const double *numbers = cairn_table_numbers(table, column);
    double *x, *y;
    TRY(SCRATCH_RAW(ctx, &x, n));
    TRY(SCRATCH_RAW(ctx, &y, n));
    for (size_t i = 0; i < n; i++) {
        x[i] = points[i].x;
        y[i] = numbers[points[i].row];
    }
    cairn_figure_line(figure, table->slots[column].name, x, y, n);
done:
    return status;
}

static cairn_status add_named(cairn_context *ctx, cairn_figure *figure, const cairn_table *table,
                              const char *list, const point *points, size_t n)
{
    cairn_status status;
    char **names;
    size_t n_names, column;
    TRY(cairn_list_split(ctx, list, &names, &n_names));
    for (size_t i = 0; i < n_names; i++) {
        TRY(cairn_picture_numbers(ctx, &column, table, "y", names[i], 0));
        TRY(add_line(ctx, figure, table, column, points, n));
    }
done:
    return status;
}

static cairn_status add_all(cairn_context *ctx, cairn_figure *figure, const cairn_table *table,
                            const double *x, const point *points, size_t n)
{
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < table->n_columns; i++) {
        const double *numbers = cairn_table_numbers(table, i);
        if (!numbers || numbers == x || table->slots[i].role == CAIRN_IGNORED) continue;
        TRY(add_line(ctx, figure, table, i, points, n));
    }
done:
    return status;
}

static cairn_status lines_draw(cairn_context *ctx, cairn_figure **out, const cairn_picture_job *job)
{
    const lines_params *p = job->params;
    const cairn_table *table = job->table;
    const double *x = NULL;
    point *points;
    size_t at = 0, n;
    cairn_status status;
    if (p->x) {
        TRY(cairn_picture_numbers(ctx, &at, table, "x", p->x, 0));
        x = cairn_table_numbers(table, at);
    }
    TRY(order_rows(ctx, &points, &n, table, x));
    TRY(cairn_figure_new(ctx, out, "lines", table->source));
    cairn_figure_axes(*out, x ? table->slots[at].name : "row", NULL);
    if (p->y)
        TRY(add_named(ctx, *out, table, p->y, points, n));
    else
        TRY(add_all(ctx, *out, table, x, points, n));
done:
    return status;
}

const cairn_picture cairn_picture_lines = {
    .entry = {.kind = CAIRN_ENTRY_PICTURE,
              .name = "lines",
              .title = "Columns as lines",
              .summary = "Number columns drawn as lines over another number column, or over the "
                         "number of the row; missing cells interrupt a line.",
              .example = "cairn draw lines @wave",
              .params = lines_table,
              .params_size = sizeof(lines_params)},
    .arguments = "DATA",
    .needs_table = true,
    .draw = lines_draw,
};
