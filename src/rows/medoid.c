/* SPDX-License-Identifier: MIT */
/* Totals of distances, tile by tile: every row adds up its distances in the order of the others, so
 * the number of threads does not show. */
#include "rows/medoid.h"
#include "parallel/parallel.h"
#include <math.h>

enum { ROWS = 32, COLUMNS = 256 };

typedef struct totals_work {
    const cairn_distance_rows *rows, *others; /* others: the rows of the list, side by side */
    const uint32_t *which;
    size_t n;
    const double *weights;
    double *out, *tiles; /* tiles: workers x ROWS x COLUMNS */
    int32_t *room;
    size_t room_size;
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
                              w->room + (size_t)worker * w->room_size);
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
                        .room_size = cairn_distance_room(rows, rows)};
    if (which) {
        CHECK(cairn_distance_rows_keep(ctx, &some, rows, which, n));
        work.others = &some;
    }
    CHECK(SCRATCH(ctx, &work.room, cairn_product(workers, work.room_size)));
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
