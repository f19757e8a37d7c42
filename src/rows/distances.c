/* SPDX-License-Identifier: MIT */
/* Rows that only their distances are needed of. Measured ones are points (stats/distance.h); of a
 * matrix that is exactly symmetric, the column of a row is its row, so that nothing is copied. */
#include "base/call.h"
#include "base/memory.h"
#include "base/number.h"
#include "cairn/learned.h"
#include "data/column.h"
#include "data/shape.h"
#include "parallel/parallel.h"
#include "rows/distances.h"
#include "rows/medoid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_ROWS = 64 };

void cairn_distance_rows_clear(cairn_distance_rows *rows)
{
    if (!rows->borrowed) cairn_metric_clear(&rows->metric);
    cairn_points_clear(&rows->points);
    FREE_EACH(rows->numbers, rows->rows, rows->values);
    *rows = (cairn_distance_rows){0};
}

/* -- what is given -- */

cairn_status cairn_given_square(cairn_context *ctx, const cairn_view *view)
{
    if (view->n_features == view->table->n_rows) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "a matrix of distances has a column for every row, but there are %zu "
                      "columns and %zu rows; leave other columns out with {ignore}, and use no "
                      "transforms",
                      view->n_features, view->table->n_rows);
}

cairn_status cairn_given_rows(cairn_context *ctx, double **out, const cairn_view *view)
{
    OWNED(cairn_free) double *values = NULL;
    size_t width = view->n_features;
    CHECK(NEW_RAW(ctx, &values, cairn_product(view->rows.n, width)));
    cairn_view_block(view, 0, view->rows.n, values);
    for (size_t i = 0; i < view->rows.n * width; i++)
        if (values[i] < 0) {
            char value[CAIRN_NUMBER_SIZE];
            cairn_number_format(value, values[i], CAIRN_SHORTEST);
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "row %zu, column '%s': %s is negative: not a distance",
                              cairn_view_row(view, i / width) + 1, view->names[i % width], value);
        }
    *out = TAKE(values);
    return CAIRN_OK;
}

/* Column j and row j are the same numbers. Tiles keep both in the cache. */
static bool is_symmetric(const cairn_view *view)
{
    enum { SIDE = 64 };
    size_t n = view->n_features;
    for (size_t top = 0; top < n; top += SIDE)
        for (size_t left = 0; left <= top; left += SIDE)
            for (size_t i = top; i < n && i < top + SIDE; i++)
                for (size_t j = left; j < i && j < left + SIDE; j++)
                    if (view->features[j]->numbers[i] != view->features[i]->numbers[j])
                        return false;
    return true;
}

/* A matrix whose halves differ by rounding has the mean of both, as it was checked
 * (cairn_matrix_of_table). */
static cairn_status copy_given(cairn_context *ctx, cairn_distance_rows *out, const cairn_view *view)
{
    size_t width = out->width;
    CHECK(NEW_RAW(ctx, &out->values, cairn_product(out->n, width)));
    for (size_t i = 0; i < out->n; i++) {
        size_t row = cairn_view_row(view, i);
        double *to = out->values + i * width;
        for (size_t j = 0; j < width; j++) {
            double a = view->features[j < row ? j : row]->numbers[j < row ? row : j];
            double b = view->features[j < row ? row : j]->numbers[j < row ? j : row];
            to[j] = a + (b - a) / 2;
        }
        out->rows[i] = to;
    }
    return CAIRN_OK;
}

static cairn_status take_given(cairn_context *ctx, cairn_distance_rows *out, const cairn_view *view)
{
    CHECK(cairn_given_square(ctx, view));
    out->given = true;
    out->width = view->n_features;
    CHECK(NEW_RAW(ctx, &out->rows, out->n));
    if (!is_symmetric(view)) return copy_given(ctx, out, view);
    for (size_t i = 0; i < out->n; i++) out->rows[i] = view->features[out->numbers[i]]->numbers;
    return CAIRN_OK;
}

/* -- opening -- */

static cairn_status number_rows(cairn_context *ctx, cairn_distance_rows *out,
                                const cairn_view *view)
{
    CHECK(NEW_RAW(ctx, &out->numbers, out->n));
    for (size_t i = 0; i < out->n; i++) out->numbers[i] = (uint32_t)cairn_view_row(view, i);
    return CAIRN_OK;
}

cairn_status cairn_distance_rows_open(cairn_context *ctx, cairn_distance_rows *out,
                                      const cairn_view *view, const char *spec)
{
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows rows = {.n = view->rows.n};
    bool given = view->table->shape == CAIRN_SHAPE_DISTANCES;
    if (given && strcmp(spec, "euclidean") != 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{distance %s}: the table is a matrix of distances, which are taken as "
                          "they are; leave {distance} out, or read a table of rows {as table}",
                          spec);
    CHECK(number_rows(ctx, &rows, view));
    if (given) {
        CHECK(take_given(ctx, &rows, view));
    } else {
        CHECK(cairn_metric_open(ctx, &rows.metric, cairn_say(ctx, "{distance}"), spec));
        CHECK(cairn_metric_learn(ctx, &rows.metric, view));
        CHECK(cairn_metric_points(ctx, &rows.metric, &rows.points, view, NULL));
    }
    *out = rows;
    memset(&rows, 0, sizeof rows);
    return CAIRN_OK;
}

cairn_status cairn_distance_rows_like(cairn_context *ctx, cairn_distance_rows *out,
                                      const cairn_distance_rows *like, const cairn_view *view)
{
    SCOPED(cairn_distance_rows_clear)
    cairn_distance_rows rows = {.n = view->rows.n, .given = like->given, .width = like->width};
    CHECK(number_rows(ctx, &rows, view));
    if (like->given) {
        CHECK(cairn_given_rows(ctx, &rows.values, view));
        CHECK(NEW_RAW(ctx, &rows.rows, rows.n));
        for (size_t i = 0; i < rows.n; i++) rows.rows[i] = rows.values + i * rows.width;
    } else {
        rows.metric = like->metric;
        rows.borrowed = true;
        CHECK(cairn_metric_points(ctx, &rows.metric, &rows.points, view, NULL));
    }
    *out = rows;
    memset(&rows, 0, sizeof rows);
    return CAIRN_OK;
}

/* -- keeping -- */

cairn_status cairn_distance_rows_keep(cairn_context *ctx, cairn_distance_rows *out,
                                      const cairn_distance_rows *from, const uint32_t *which,
                                      size_t n)
{
    SCOPED(cairn_distance_rows_clear)
    cairn_distance_rows rows = {.n = n, .given = from->given, .width = from->width};
    CHECK(NEW_RAW(ctx, &rows.numbers, n));
    for (size_t i = 0; i < n; i++) rows.numbers[i] = from->numbers[which[i]];
    if (!from->given) {
        CHECK(cairn_metric_copy(ctx, &rows.metric, &from->metric));
        CHECK(cairn_points_take(ctx, &rows.points, &from->points, which, n));
    }
    *out = rows;
    memset(&rows, 0, sizeof rows);
    return CAIRN_OK;
}

cairn_status cairn_distance_rows_archive(cairn_archive *a, cairn_distance_rows *rows)
{
    CHECK(cairn_archive_size(a, "n", &rows->n, UINT32_MAX));
    CHECK(cairn_archive_bool(a, "given", &rows->given));
    CHECK(cairn_archive_ints(a, "numbers", (int32_t **)&rows->numbers, rows->n));
    if (rows->given) {
        CHECK(cairn_archive_size(a, "width", &rows->width, UINT32_MAX));
        for (size_t i = 0; i < rows->n; i++)
            if (rows->numbers[i] >= rows->width)
                CHECK(cairn_archive_damaged(a, "row %zu has no column of distances", i + 1));
        return CAIRN_OK;
    }
    CHECK(cairn_metric_archive(a, &rows->metric));
    CHECK(cairn_points_archive(a, &rows->points));
    if (rows->points.n != rows->n)
        CHECK(
            cairn_archive_damaged(a, "there are %zu rows and %zu points", rows->n, rows->points.n));
    return cairn_points_check(a, &rows->metric, &rows->points);
}

cairn_status cairn_distance_rows_check(cairn_archive *a, const cairn_distance_rows *rows,
                                       size_t n_columns, const char *spec)
{
    if ((rows->given ? rows->width : rows->metric.n_columns) != n_columns)
        return cairn_archive_damaged(a, "its rows have other columns than its data");
    if (!rows->given && strcmp(rows->metric.spec, spec) != 0)
        return cairn_archive_damaged(a, "it has two distances");
    return CAIRN_OK;
}

/* -- distances -- */

size_t cairn_distance_buffer(const cairn_distance_rows *a, const cairn_distance_rows *b)
{
    return a->given ? 1 : cairn_metric_buffer(&a->points, &b->points);
}

double cairn_distance_pair(const cairn_distance_rows *a, size_t i, const cairn_distance_rows *b,
                           size_t j, int32_t *buffer)
{
    if (a->given) return a->rows[i][b->numbers[j]];
    return cairn_metric_value(&a->metric,
                              cairn_metric_order(&a->metric, &a->points, i, &b->points, j, buffer));
}

void cairn_distances_alone(const cairn_distance_rows *a, const uint32_t *which, size_t m,
                           const cairn_distance_rows *b, size_t first, size_t n, double *out,
                           size_t stride, int32_t *buffer)
{
    if (!a->given) {
        cairn_metric_block(&a->metric, &a->points, which, m, &b->points, first, n, out, stride,
                           buffer);
        return;
    }
    for (size_t r = 0; r < m; r++) {
        const double *row = a->rows[which ? which[r] : r];
        const uint32_t *columns = b->numbers + first;
        for (size_t j = 0; j < n; j++) out[r * stride + j] = row[columns[j]];
    }
}

typedef struct block_work {
    const cairn_distance_rows *a, *b;
    const uint32_t *which; /* m; NULL = rows 0, 1, ... */
    size_t m, first, n, stride, width;
    double *out;
    int32_t *buffer; /* per worker */
    size_t buffer_size;
} block_work;

/* A block is some of the rows against some of the columns: either may be few. */
static void fill_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const block_work *w = data;
    size_t across = cairn_block_count(w->n, w->width), row = block / across * BLOCK_ROWS;
    size_t column = block % across * w->width;
    size_t m = w->m - row < BLOCK_ROWS ? w->m - row : BLOCK_ROWS;
    size_t n = w->n - column < w->width ? w->n - column : w->width;
    uint32_t rows[BLOCK_ROWS];
    (void)begin, (void)end;
    for (size_t r = 0; r < m; r++) rows[r] = w->which ? w->which[row + r] : (uint32_t)(row + r);
    cairn_distances_alone(w->a, rows, m, w->b, w->first + column, n,
                          w->out + row * w->stride + column, w->stride,
                          w->buffer + (size_t)worker * w->buffer_size);
}

static double work_of_pair(const cairn_distance_rows *rows)
{
    const cairn_points *points = &rows->points;
    size_t steps = points->width + points->longest + points->n_items / 8 + 1;
    return (double)steps;
}

enum { ROWS = 32, COLUMNS = 256 };

cairn_status cairn_distances_block(cairn_context *ctx, const cairn_distance_rows *a,
                                   const uint32_t *which, size_t m, const cairn_distance_rows *b,
                                   size_t first, size_t n, double *out, size_t stride)
{
    enum { PART_COLUMNS = 2048 };
    SCOPED_SCRATCH(ctx);
    block_work work = {.a = a,
                       .b = b,
                       .which = which,
                       .m = m,
                       .first = first,
                       .n = n,
                       .stride = stride,
                       .width = PART_COLUMNS,
                       .out = out,
                       .buffer_size = cairn_distance_buffer(a, b)};
    size_t blocks = cairn_block_count(m, BLOCK_ROWS) * cairn_block_count(n, PART_COLUMNS);
    CHECK(SCRATCH(ctx, &work.buffer, cairn_product((size_t)cairn_workers(ctx), work.buffer_size)));
    return cairn_blocks_sized(ctx, blocks, 1, (double)m * (double)n * work_of_pair(a), fill_block,
                              &work);
}

/* -- all pairs -- */

/* Sums of numbers that are there are numbers; other distances may have no value. */
static cairn_status check_pairs(cairn_context *ctx, const cairn_distance_rows *rows,
                                const double *out)
{
    bool plain = rows->points.width && rows->metric.family != CAIRN_BY_PAIRS;
    size_t n = rows->points.n * rows->points.width, at = 0;
    while (plain && at < n && isfinite(rows->points.places[at])) at++;
    if (plain && at == n) return CAIRN_OK;
    at = 0;
    for (size_t i = 0; i < rows->n; i++)
        for (size_t j = i + 1; j < rows->n; j++, at++)
            if (!isfinite(out[at])) {
                return cairn_fail(
                    ctx, CAIRN_BAD_DATA,
                    "rows %u and %u have no %s distance, because there is no column in which both "
                    "are known; fill missing cells with {missing}, or leave such rows out",
                    rows->numbers[i] + 1, rows->numbers[j] + 1, rows->metric.spec);
            }
    return CAIRN_OK;
}

cairn_status cairn_distances_condensed(cairn_context *ctx, const cairn_distance_rows *rows,
                                       double *out)
{
    size_t at = 0;
    if (!rows->given) {
        CHECK(cairn_metric_condensed(ctx, &rows->metric, &rows->points, out));
        return check_pairs(ctx, rows, out);
    }
    for (size_t i = 0; i < rows->n; i++)
        for (size_t j = i + 1; j < rows->n; j++) out[at++] = rows->rows[i][rows->numbers[j]];
    return CAIRN_OK;
}

cairn_status cairn_distances_fit(cairn_context *ctx, size_t n, double bytes, const char *remedy)
{
    char what[64];
    snprintf(what, sizeof what, "keeping the distances of %zu rows", n);
    return cairn_memory_check(ctx, bytes * (double)n * ((double)n - 1) / 2, what, remedy);
}

/* The distances between all rows of a table, as a table: see cairn/learned.h. */

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

/* Totals of distances, tile by tile: every row adds up its distances in the order of the others, so
 * the number of threads does not show. */

typedef struct totals_work {
    const cairn_distance_rows *rows, *others; /* others: the rows of the list, side by side */
    const uint32_t *which;
    size_t n;
    const double *weights;
    double *out, *tiles; /* tiles: workers x ROWS x COLUMNS */
    int32_t *buffer;
    size_t buffer_size;
} totals_work;

/* Some rows against all others, a tile of columns at a time. */
static void add_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const totals_work *w = data;
    double *tile = w->tiles + (size_t)worker * ROWS * COLUMNS;
    uint32_t chosen[ROWS];
    (void)block;
    for (size_t r = begin; r < end; r++) {
        chosen[r - begin] = w->which ? w->which[r] : (uint32_t)r;
        w->out[r] = 0;
    }
    for (size_t first = 0; first < w->n; first += COLUMNS) {
        size_t n = w->n - first < COLUMNS ? w->n - first : COLUMNS;
        cairn_distances_alone(w->rows, chosen, end - begin, w->others, first, n, tile, COLUMNS,
                              w->buffer + (size_t)worker * w->buffer_size);
        for (size_t r = begin; r < end; r++)
            for (size_t j = 0; j < n; j++)
                w->out[r] +=
                    (w->weights ? w->weights[first + j] : 1) * tile[(r - begin) * COLUMNS + j];
    }
}

static cairn_status find_unknown(cairn_context *ctx, const cairn_distance_rows *rows,
                                 const double *totals, const uint32_t *which, size_t n)
{
    for (size_t r = 0; r < n; r++)
        if (isnan(totals[r]))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "row %u cannot be compared with all others by the %s distance, "
                              "because there is no column in which both are known; fill missing "
                              "cells with {missing}, or leave such rows out",
                              rows->numbers[which ? which[r] : r] + 1, rows->metric.spec);
    return CAIRN_OK;
}

cairn_status cairn_distance_totals(cairn_context *ctx, double *out, const cairn_distance_rows *rows,
                                   const uint32_t *which, size_t n, const double *weights)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows some = {0};
    size_t workers = (size_t)cairn_workers(ctx);
    totals_work work = {.rows = rows,
                        .others = rows,
                        .which = which,
                        .n = n,
                        .weights = weights,
                        .out = out,
                        .buffer_size = cairn_distance_buffer(rows, rows)};
    if (which) {
        CHECK(cairn_distance_rows_keep(ctx, &some, rows, which, n));
        work.others = &some;
    }
    CHECK(SCRATCH(ctx, &work.buffer, cairn_product(workers, work.buffer_size)));
    CHECK(SCRATCH_RAW(ctx, &work.tiles, workers * ROWS * COLUMNS));
    double size = (double)n * (double)n * (double)(rows->points.width + rows->points.longest + 1);
    CHECK(cairn_blocks_sized(ctx, n, ROWS, size, add_block, &work));
    return find_unknown(ctx, rows, out, which, n);
}

size_t cairn_least_total(const double *totals, const double *weights, size_t n, size_t *tied)
{
    size_t best = SIZE_MAX;
    *tied = 0;
    for (size_t i = 0; i < n; i++)
        if ((!weights || weights[i] > 0) &&
            (best == SIZE_MAX || totals[i] < totals[best] * (1 - 1e-12)))
            best = i;
    for (size_t i = 0; best < n && i < n; i++)
        *tied += (!weights || weights[i] > 0) && totals[i] <= totals[best] * (1 + 1e-12);
    return best;
}
