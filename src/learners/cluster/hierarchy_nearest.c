/* SPDX-License-Identifier: MIT */
/* The nearest leaf of every leaf, of Euclidean distances.
 *
 * Distances are first measured in floats, of places that are moved and scaled to [-1, 1], and of
 * each tile of leaves only the least is kept. The true distance differs from that of floats by no
 * more than a limit allows for, so the few tiles that come that near to the least of all hold the
 * nearest leaf and all that tie with it, and only these are measured exactly.
 *
 * Cost: n^2 distances of floats. */
#include "base/memory.h"
#include "learners/cluster/hierarchy_join.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

/* -- places as floats -- */

/* Means of the columns, and the largest distance from them in a column. */
static cairn_status scale_places(cairn_context *ctx, cairn_float_places *out, const double *places,
                                 size_t n, double **means)
{
    size_t d = out->n_columns;
    double most = 0;
    CHECK(SCRATCH(ctx, means, d + 1));
    for (size_t i = 0; i < n; i++)
        for (size_t t = 0; t < d; t++) (*means)[t] += places[i * d + t] / (double)n;
    for (size_t i = 0; i < n; i++)
        for (size_t t = 0; t < d; t++) most = fmax(most, fabs(places[i * d + t] - (*means)[t]));
    out->scale = most > 0 ? most : 1;
    out->doubt = 4 * 0x1p-23 * sqrt((double)d);
    out->rounding = 1 + 2 * ((double)d + 8) * 0x1p-23;
    return CAIRN_OK;
}

cairn_status cairn_float_places_make(cairn_context *ctx, cairn_float_places *out,
                                     const cairn_distance_rows *rows)
{
    const double *places = rows->points.places;
    size_t d = rows->points.width, n = rows->n;
    double *means;
    enum { FAR = 8 };
    *out = (cairn_float_places){.n_columns = d};
    CHECK(scale_places(ctx, out, places, n, &means));
    CHECK(SCRATCH_RAW(ctx, &out->tiles, cairn_product(cairn_tiled(n), d) + 1));
    for (size_t i = 0; i < cairn_tiled(n); i++)
        for (size_t t = 0; t < d; t++)
            out->tiles[cairn_tile_at(d, i, t)] =
                i < n ? (float)((places[i * d + t] - means[t]) / out->scale) : FAR;
    return CAIRN_OK;
}

bool cairn_float_places_serve(const cairn_float_places *places)
{
    return places->scale > 1e-140 && places->scale < 1e140;
}

float cairn_float_limit(const cairn_float_places *places, double distance)
{
    double d = distance / places->scale + places->doubt, limit = d * d * places->rounding;
    return limit < 1e30 ? (float)limit : INFINITY;
}

double cairn_float_most(const cairn_float_places *places, float square)
{
    return (sqrt((double)square * places->rounding) + places->doubt) * places->scale;
}

/* -- nearest leaves -- */

typedef struct nearest_leaves {
    cairn_joiner *joiner;
    const double *places; /* n x n_columns */
    const cairn_tiled_places *exact;
    const cairn_float_places *floats;
    size_t n_tiles;
    float *queries; /* workers x CAIRN_QUERIES x n_columns */
    float *leasts;  /* workers x CAIRN_QUERIES x n_tiles */
    double *values; /* workers x tiled(n): exact distances to the leaves of some tiles ... */
    uint32_t *near; /* workers x n_tiles: ... which are these */
    uint32_t *tied; /* workers x tiled(n) */
} nearest_leaves;

/* Exact distances of a leaf to those of a tile: infinite to itself and behind the last leaf. */
static void measure_tile(const nearest_leaves *s, size_t leaf, size_t tile, double *out)
{
    size_t d = s->exact->n_columns, n = s->joiner->n, first = tile * CAIRN_TILE;
    cairn_distances_to(&out, s->exact->tiles + first * d, s->places + leaf * d, 1, d, CAIRN_TILE);
    if (leaf / CAIRN_TILE == tile) out[leaf % CAIRN_TILE] = INFINITY;
    for (size_t i = n; i < first + CAIRN_TILE; i++) out[i - first] = INFINITY;
}

/* Measure the tiles that may hold the nearest leaf, or one that ties with it; how many there are.
 * Its own tile, where floats see the leaf itself, is the first. */
static size_t measure_near(const nearest_leaves *s, size_t leaf, float *leasts, double *values,
                           uint32_t *near)
{
    enum { ALSO_TIED = 8 };
    size_t own = leaf / CAIRN_TILE, n = 1;
    float low = INFINITY;
    near[0] = (uint32_t)own;
    measure_tile(s, leaf, own, values);
    leasts[own] = INFINITY;
    for (size_t k = 0; k < s->n_tiles; k++) low = leasts[k] < low ? leasts[k] : low;
    double most = fmin(cairn_least(values, CAIRN_TILE), cairn_float_most(s->floats, low));
    float limit = cairn_float_limit(s->floats, most * (1 + ALSO_TIED * cairn_tied_values));
    for (size_t k = 0; k < s->n_tiles; k++) {
        if (!(leasts[k] <= limit) || k == own) continue;
        measure_tile(s, leaf, k, values + n * CAIRN_TILE);
        near[n++] = (uint32_t)k;
    }
    return n;
}

/* Bound and neighbour of a leaf. */
static void find_nearest(const nearest_leaves *s, size_t leaf, float *leasts, int worker)
{
    cairn_joiner *j = s->joiner;
    size_t room = s->n_tiles * CAIRN_TILE;
    double *values = s->values + (size_t)worker * room;
    uint32_t *near = s->near + (size_t)worker * s->n_tiles, *tied = s->tied + (size_t)worker * room;
    size_t n = measure_near(s, leaf, leasts, values, near) * CAIRN_TILE;
    double least = cairn_least(values, n);
    uint32_t best = CAIRN_NO_SLOT;
    j->bounds[leaf] = least;
    j->nearest[leaf] = (uint32_t)leaf;
    if (!(least < INFINITY)) return;
    size_t n_tied = cairn_find_tied(tied, values, n, least);
    for (size_t i = 0; i < n_tied; i++) {
        uint32_t other = near[tied[i] / CAIRN_TILE] * CAIRN_TILE + tied[i] % CAIRN_TILE;
        if (best == CAIRN_NO_SLOT || (j->last ? other > best : other < best)) best = other;
    }
    j->nearest[leaf] = best;
}

static void find_some(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const nearest_leaves *s = data;
    size_t d = s->floats->n_columns, first = (size_t)worker * CAIRN_QUERIES;
    float *queries = s->queries + first * d, *leasts[CAIRN_QUERIES];
    (void)block;
    for (size_t i = begin; i < end; i++) {
        leasts[i - begin] = s->leasts + (first + i - begin) * s->n_tiles;
        for (size_t t = 0; t < d; t++)
            queries[(i - begin) * d + t] = s->floats->tiles[cairn_tile_at(d, i, t)];
    }
    cairn_least_of_tiles(leasts, s->floats->tiles, queries, end - begin, d,
                         s->n_tiles * CAIRN_TILE);
    for (size_t i = begin; i < end; i++) find_nearest(s, i, leasts[i - begin], worker);
}

cairn_status cairn_nearest_leaves(cairn_context *ctx, cairn_joiner *j,
                                  const cairn_distance_rows *rows, const cairn_tiled_places *exact,
                                  const cairn_float_places *floats)
{
    SCOPED_SCRATCH(ctx);
    size_t n = j->n, workers = (size_t)cairn_workers(ctx), n_tiles = cairn_tiled(n) / CAIRN_TILE;
    nearest_leaves s = {.joiner = j,
                        .places = rows->points.places,
                        .exact = exact,
                        .floats = floats,
                        .n_tiles = n_tiles};
    CHECK(SCRATCH_RAW(ctx, &s.queries, workers * CAIRN_QUERIES * floats->n_columns + 1));
    CHECK(SCRATCH_RAW(ctx, &s.leasts, cairn_product(workers * CAIRN_QUERIES, n_tiles)));
    CHECK(SCRATCH_RAW(ctx, &s.values, cairn_product(workers, cairn_tiled(n))));
    CHECK(SCRATCH_RAW(ctx, &s.near, cairn_product(workers, n_tiles)));
    CHECK(SCRATCH_RAW(ctx, &s.tied, cairn_product(workers, cairn_tiled(n))));
    return cairn_blocks(ctx, n, CAIRN_QUERIES, find_some, &s);
}
