/* SPDX-License-Identifier: MIT */
/* Ward's method, centroids and medians of Euclidean distances: a centre stands for a cluster, so no
 * distance is stored and memory grows with the rows. */
#include "base/memory.h"
#include "learners/cluster/hierarchy_join.h"
#include "parallel/parallel.h"
#include <math.h>

typedef struct centre_rows {
    cairn_tiled_places centres; /* a slot is a point */
    double *rows;               /* workers x CAIRN_QUERIES x row */
    size_t row;
} centre_rows;

bool cairn_hierarchy_has_places(const cairn_distance_rows *rows)
{
    return !rows->given && rows->metric.family == CAIRN_BY_SQUARES &&
           cairn_metric_value(&rows->metric, 4) == 2 && !rows->points.n_items &&
           !rows->points.n_texts;
}

cairn_status cairn_tiled_places_make(cairn_context *ctx, cairn_tiled_places *out,
                                     const cairn_distance_rows *rows)
{
    size_t d = rows->points.width, n = rows->n, workers = (size_t)cairn_workers(ctx);
    *out = (cairn_tiled_places){.n_columns = d};
    CHECK(SCRATCH(ctx, &out->tiles, cairn_product(cairn_tiled(n), d) + 1));
    CHECK(SCRATCH_RAW(ctx, &out->queries, workers * CAIRN_QUERIES * d + 1));
    cairn_tiled_places_fill(out, rows, NULL);
    return CAIRN_OK;
}

void cairn_tiled_places_fill(cairn_tiled_places *tiles, const cairn_distance_rows *rows,
                             const uint32_t *order)
{
    size_t d = tiles->n_columns;
    for (size_t i = 0; i < rows->n; i++) {
        const double *place = rows->points.places + (order ? order[i] : i) * d;
        for (size_t t = 0; t < d; t++) tiles->tiles[cairn_tile_at(d, i, t)] = place[t];
    }
}

void cairn_tiled_squares(const cairn_tiled_places *tiles, double *const *out,
                         const uint32_t *points, size_t n, size_t width, int worker)
{
    size_t d = tiles->n_columns;
    double *queries = tiles->queries + (size_t)worker * CAIRN_QUERIES * d;
    for (size_t q = 0; q < n; q++)
        for (size_t t = 0; t < d; t++)
            queries[q * d + t] = tiles->tiles[cairn_tile_at(d, points[q], t)];
    cairn_squares_to(out, tiles->tiles, queries, n, d, cairn_tiled(width));
}

static void centre_make(cairn_joiner *j, const uint32_t *slots, size_t n, int worker,
                        const double **out)
{
    const centre_rows *s = j->state;
    double *rows[CAIRN_QUERIES];
    for (size_t q = 0; q < n; q++)
        rows[q] = s->rows + ((size_t)worker * CAIRN_QUERIES + q) * s->row;
    cairn_tiled_squares(&s->centres, rows, slots, n, j->width, worker);
    for (size_t q = 0; q < n; q++) {
        if (j->linkage == CAIRN_LINKAGE_WARD)
            cairn_ward_squares(rows[q], j->sizes, j->sizes[slots[q]], j->width);
        rows[q][slots[q]] = INFINITY;
        out[q] = rows[q];
    }
}

static double centre_between(cairn_joiner *j, size_t a, size_t b)
{
    const centre_rows *s = j->state;
    const double *tiles = s->centres.tiles;
    size_t d = s->centres.n_columns;
    double value = 0, own = j->sizes[a];
    for (size_t t = 0; t < d; t++) {
        double apart = tiles[cairn_tile_at(d, b, t)] - tiles[cairn_tile_at(d, a, t)];
        value += apart * apart;
    }
    if (j->linkage == CAIRN_LINKAGE_WARD) value *= 2 * own * j->sizes[b] / (own + j->sizes[b]);
    return value;
}

static cairn_status centre_join(cairn_context *ctx, cairn_joiner *j, size_t a, size_t b,
                                size_t *into)
{
    const centre_rows *s = j->state;
    size_t d = s->centres.n_columns;
    double sum = j->sizes[a] + j->sizes[b];
    double share = j->linkage == CAIRN_LINKAGE_MEDIAN ? 0.5 : j->sizes[b] / sum;
    (void)ctx;
    for (size_t t = 0; t < d; t++) {
        double *to = s->centres.tiles + cairn_tile_at(d, a, t);
        *to += share * (s->centres.tiles[cairn_tile_at(d, b, t)] - *to);
    }
    *into = a;
    return CAIRN_OK;
}

static void centre_move(cairn_joiner *j, size_t from, size_t to)
{
    const centre_rows *s = j->state;
    size_t d = s->centres.n_columns;
    for (size_t t = 0; t < d; t++)
        s->centres.tiles[cairn_tile_at(d, to, t)] = s->centres.tiles[cairn_tile_at(d, from, t)];
}

static const cairn_join_source centre_source = {
    .rows = centre_make,
    .between = centre_between,
    .join = centre_join,
    .move = centre_move,
};

cairn_status cairn_centre_rows_open(cairn_context *ctx, cairn_joiner *j,
                                    const cairn_hierarchy_data *data)
{
    size_t workers = (size_t)cairn_workers(ctx);
    centre_rows *s;
    CHECK(SCRATCH(ctx, &s, 1));
    s->row = cairn_tiled(data->n);
    CHECK(cairn_tiled_places_make(ctx, &s->centres, data->rows));
    CHECK(SCRATCH_RAW(ctx, &s->rows, cairn_product(workers * CAIRN_QUERIES, s->row)));
    j->source = &centre_source;
    j->state = s;
    j->work = 1 + (double)s->centres.n_columns;
    return CAIRN_OK;
}
