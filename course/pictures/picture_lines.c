/* SPDX-License-Identifier: MIT */
/* cairn draw lines: number columns as lines over another, in the order of its values. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "resample/resample.h"

#include <math.h>
#include <stdlib.h>

enum { LOG_NONE, LOG_X, LOG_Y, LOG_BOTH };
enum { BEST_HIGH, BEST_LOW };

typedef struct lines_params {
    const char *x, *y, *turning, *low, *high;
    int best, log;
} lines_params;

static const cairn_choice log_choices[] = {
    {"none", LOG_NONE, "both axes are linear"},
    {"x", LOG_X, "the horizontal axis, as for a range of lambda or C"},
    {"y", LOG_Y, "the vertical axis"},
    {"both", LOG_BOTH, "both axes"},
    {NULL, 0, NULL},
};

static const cairn_choice best_choices[] = {
    {"high", BEST_HIGH, "the largest value, as of an accuracy"},
    {"low", BEST_LOW, "the smallest value, as of an error"},
    {NULL, 0, NULL},
};

static const cairn_param lines_table[] = {
    CAIRN_PARAM_AS(lines_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the horizontal axis; the first column of times "
                   "if not given, else the number of the row"),
    CAIRN_PARAM_AS(lines_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "columns to draw, separated by commas; all number columns if not given"),
    CAIRN_PARAM_AS(lines_params, turning, CAIRN_TYPE_COLUMNS, NULL,
                   "mark where this column is best: the turning point of a sweep"),
    CAIRN_PARAM_CHOICE(lines_params, best, "high", best_choices, "what is best", .when = "turning"),
    CAIRN_PARAM_AS(lines_params, low, CAIRN_TYPE_COLUMNS, NULL,
                   "column with the lower end of a band, such as an interval", .when = "high"),
    CAIRN_PARAM_AS(lines_params, high, CAIRN_TYPE_COLUMNS, NULL, "column with its upper end",
                   .when = "low"),
    CAIRN_PARAM_CHOICE(lines_params, log, "none", log_choices, "which axes are logarithmic"),
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
    point *points;
    CHECK(SCRATCH_RAW(ctx, &points, table->n_rows));
    *n = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        double at = x ? x[i] : (double)(i + 1);
        if (!isnan(at)) points[(*n)++] = (point){at, i};
    }
    qsort(points, *n, sizeof *points, by_x);
    *out = points;
    return CAIRN_OK;
}

static cairn_status add_line(cairn_context *ctx, cairn_figure *figure, const cairn_table *table,
                             size_t column, const point *points, size_t n)
{
    const double *numbers = cairn_table_numbers(table, column);
    double *x, *y;
    CHECK(SCRATCH_RAW_EACH(ctx, n, &x, &y));
    for (size_t i = 0; i < n; i++) {
        x[i] = points[i].x;
        y[i] = numbers[points[i].row];
    }
    cairn_figure_line(figure, table->slots[column].name, x, y, n);
    return CAIRN_OK;
}

/* The band between two columns. */
static cairn_status add_band(cairn_context *ctx, cairn_figure *figure, const cairn_table *table,
                             const lines_params *p, const point *points, size_t n)
{
    size_t low, high;
    double *x, *a, *b;
    CHECK(cairn_picture_numbers(ctx, &low, table, "low", p->low, 0));
    CHECK(cairn_picture_numbers(ctx, &high, table, "high", p->high, 0));
    CHECK(SCRATCH_RAW_EACH(ctx, n, &x, &a, &b));
    for (size_t i = 0; i < n; i++) {
        x[i] = points[i].x;
        a[i] = cairn_table_numbers(table, low)[points[i].row];
        b[i] = cairn_table_numbers(table, high)[points[i].row];
    }
    cairn_figure_band(figure, NULL, x, a, b, n);
    return CAIRN_OK;
}

/* A ring and a line where the column is best; of equal values the first, which is the simpler
 * setting in a sweep. */
static cairn_status mark_turning(cairn_context *ctx, cairn_figure *figure, const cairn_table *table,
                                 const lines_params *p, const point *points, size_t n)
{
    size_t column, best = n;
    CHECK(cairn_picture_numbers(ctx, &column, table, "turning", p->turning, 0));
    const double *y = cairn_table_numbers(table, column);
    for (size_t i = 0; i < n; i++) {
        double here = y[points[i].row], there = best < n ? y[points[best].row] : NAN;
        if (isnan(here)) continue;
        if (best == n || (p->best == BEST_HIGH ? here > there : here < there)) best = i;
    }
    if (best == n)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "{turning}: '%s' has no values", p->turning);
    cairn_figure_rule_x(figure, "turning point", points[best].x);
    cairn_figure_mark(figure, p->best == BEST_HIGH ? "largest value" : "smallest value",
                      points[best].x, y[points[best].row]);
    return CAIRN_OK;
}

/* Points are joined in order of x, whatever the order of rows; without x the row's number is it.
 * The band lies below the lines. */
static cairn_status lines_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const lines_params *p = job->params;
    const cairn_table *table = job->table;
    const double *x = NULL;
    point *points;
    ptrdiff_t time = p->x ? -1 : cairn_time_column(table);
    size_t at = 0, n;
    if (p->x) CHECK(cairn_picture_numbers(ctx, &at, table, "x", p->x, 0));
    if (time >= 0) at = (size_t)time;
    if (p->x || time >= 0) x = cairn_table_numbers(table, at);
    CHECK(order_rows(ctx, &points, &n, table, x));
    CHECK(cairn_picture_new(ctx, out, "lines", table, x ? "Columns over %s" : "Columns row by row",
                            table->slots[at].name));
    cairn_figure_axes(*out, x ? table->slots[at].name : "row", NULL);
    cairn_figure_scales(*out,
                        p->log == LOG_X || p->log == LOG_BOTH ? CAIRN_SCALE_LOG
                        : x                                   ? cairn_picture_scale(table, at)
                                                              : CAIRN_SCALE_LINEAR,
                        p->log == LOG_Y || p->log == LOG_BOTH ? CAIRN_SCALE_LOG
                                                              : CAIRN_SCALE_LINEAR);
    if (p->low || p->high) CHECK(add_band(ctx, *out, table, p, points, n));
    if (p->y) {
        cairn_figure *figure = *out;
        const char *list = p->y;
        char **names;
        size_t n_names, column;
        CHECK(cairn_list_split(ctx, list, &names, &n_names));
        for (size_t i = 0; i < n_names; i++) {
            CHECK(cairn_picture_numbers(ctx, &column, table, "y", names[i], 0));
            CHECK(add_line(ctx, figure, table, column, points, n));
        }
    } else {
        cairn_figure *figure = *out;
        for (size_t i = 0; i < table->n_columns; i++) {
            const double *numbers = cairn_table_numbers(table, i);
            cairn_role role = table->slots[i].role;
            if (!numbers || numbers == x || role == CAIRN_IGNORED || role == CAIRN_ID) continue;
            CHECK(add_line(ctx, figure, table, i, points, n));
        }
    }
    if (p->turning) CHECK(mark_turning(ctx, *out, table, p, points, n));
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_lines = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "lines",
                .also = "line chart, line plot, learning curve, time series plot, curve",
                .title = "Columns as lines",
                .summary =
                    "Number columns drawn as lines over another number column, over the first "
                    "column of times, or else over the number of the row: error per epoch, "
                    "accuracy over a parameter, paths of "
                    "coefficients. Missing cells interrupt a line; a turning point can be "
                    "marked, axes can be logarithmic.",
                .example = "cairn draw lines @wave",
                .params = lines_table,
                .params_size = sizeof(lines_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = lines_draw,
};
