/* SPDX-License-Identifier: MIT */
/* The spanning tree of places with Euclidean distances (hierarchy_span.c says what for).
 *
 * Whether a row of the tree brings one that is left nearer is first asked in floats
 * (hierarchy_nearest.c): the answer errs by less than the limit allows for, so that the
 * few that pass are all that need be measured exactly. The nearest of a tile of rows is kept, so
 * that the nearest of all is found among these.
 *
 * Cost: n^2 / 2 distances of floats; memory a few numbers and the places per row. */
#include "base/memory.h"
#include "learners/cluster/hierarchy_join.h"
#include <math.h>
#include <string.h>

typedef struct place_span {
    const double *places; /* n x d */
    size_t d, n_left;
    cairn_float_places floats; /* of the rows that are left */
    float *query;              /* d */
    float *limits;             /* tiled(n): squares of floats above it are no nearer than `best` */
    double *best;              /* tiled(n): squared distance to the nearest row of the tree ... */
    uint32_t *from;            /* n: ... which is this one */
    uint32_t *left;            /* n: rows that are not in the tree */
    uint32_t *found;           /* tiled(n) */
    double *nearest;           /* per tile: the least of best */
} place_span;

static cairn_status make_places(cairn_context *ctx, place_span *s, const cairn_hierarchy_data *data)
{
    size_t n = data->n, d = data->rows->points.width, tiled = cairn_tiled(n);
    *s = (place_span){.places = data->rows->points.places, .d = d, .n_left = n};
    CHECK(cairn_float_places_make(ctx, &s->floats, data->rows));
    CHECK(SCRATCH(ctx, &s->query, d + 1));
    CHECK(SCRATCH_RAW(ctx, &s->limits, tiled));
    CHECK(SCRATCH_RAW(ctx, &s->best, tiled));
    CHECK(SCRATCH(ctx, &s->from, n));
    CHECK(SCRATCH_RAW(ctx, &s->left, n));
    CHECK(SCRATCH_RAW(ctx, &s->found, tiled));
    CHECK(SCRATCH_RAW(ctx, &s->nearest, tiled / CAIRN_TILE + 1));
    for (size_t i = 0; i < tiled; i++) {
        s->best[i] = INFINITY;
        s->limits[i] = i < n ? INFINITY : -1;
        s->nearest[i / CAIRN_TILE] = INFINITY;
    }
    for (size_t i = 0; i < n; i++) s->left[i] = (uint32_t)i;
    return CAIRN_OK;
}

static void renew_tile(place_span *s, size_t tile)
{
    s->nearest[tile] = cairn_least(s->best + tile * CAIRN_TILE, CAIRN_TILE);
}

/* Take the row at `at` into the tree: the last of those that are left takes its place. */
static uint32_t take_place(place_span *s, size_t at)
{
    uint32_t row = s->left[at];
    size_t end = --s->n_left;
    float *tiles = s->floats.tiles;
    for (size_t t = 0; t < s->d; t++) {
        s->query[t] = tiles[cairn_tile_at(s->d, at, t)];
        tiles[cairn_tile_at(s->d, at, t)] = tiles[cairn_tile_at(s->d, end, t)];
    }
    s->left[at] = s->left[end];
    s->from[at] = s->from[end];
    s->best[at] = s->best[end];
    s->limits[at] = s->limits[end];
    s->best[end] = INFINITY;
    s->limits[end] = -1;
    renew_tile(s, at / CAIRN_TILE);
    renew_tile(s, end / CAIRN_TILE);
    return row;
}

static double squared_apart(const place_span *s, uint32_t a, uint32_t b)
{
    const double *x = s->places + (size_t)a * s->d, *y = s->places + (size_t)b * s->d;
    double sum = 0;
    for (size_t t = 0; t < s->d; t++) sum += (x[t] - y[t]) * (x[t] - y[t]);
    return sum;
}

/* Rows that are left learn of the row that came last. */
static void spread(place_span *s, uint32_t row)
{
    size_t n = cairn_find_near(s->found, s->floats.tiles, s->query, s->limits, s->d,
                               cairn_tiled(s->n_left));
    for (size_t i = 0; i < n; i++) {
        size_t at = s->found[i];
        double square = squared_apart(s, row, s->left[at]);
        if (!(square < s->best[at])) continue;
        s->best[at] = square;
        s->from[at] = row;
        s->limits[at] = cairn_float_limit(&s->floats, sqrt(square));
        if (square < s->nearest[at / CAIRN_TILE]) s->nearest[at / CAIRN_TILE] = square;
    }
}

static size_t nearest_place(const place_span *s)
{
    size_t n_tiles = cairn_tiled(s->n_left) / CAIRN_TILE, tile = 0, at;
    double least = cairn_least(s->nearest, n_tiles);
    while (tile + 1 < n_tiles && s->nearest[tile] != least) tile++;
    for (at = tile * CAIRN_TILE; at + 1 < s->n_left && s->best[at] != least;) at++;
    return at;
}

cairn_status cairn_hierarchy_span_places(cairn_context *ctx, cairn_dendrogram *tree,
                                         const cairn_hierarchy_data *data)
{
    enum { TICK = 32 };
    SCOPED_SCRATCH(ctx);
    cairn_join *joins;
    place_span s;
    CHECK(make_places(ctx, &s, data));
    CHECK(SCRATCH_RAW(ctx, &joins, data->n));
    uint32_t row = take_place(&s, 0);
    for (size_t i = 0; i + 1 < data->n; i++) {
        if (i % TICK == 0) CHECK(cairn_tick(ctx, "spanning tree", (double)i, (double)data->n));
        spread(&s, row);
        size_t at = nearest_place(&s);
        joins[i] = (cairn_join){.a = s.from[at], .b = s.left[at], .height = sqrt(s.best[at])};
        row = take_place(&s, at);
    }
    return cairn_dendrogram_of_joins(ctx, tree, joins);
}
