/* SPDX-License-Identifier: MIT */
/* The agglomerative method, whatever the linkage:
 *
 * 1. Every cluster has a bound and a neighbour (hierarchy.h); the rows of all leaves are
 *    looked at once for these.
 * 2. The least bound whose neighbour still lives is the next pair. Bounds that are lower or equal
 *    but whose neighbour is gone are looked up first, and, since that is done on all threads, some
 *    that are a little higher with them.
 * 3. The pair is joined. A cluster that is nearer to the new one than its bound gets the new one
 *    for a neighbour, which only centroids and medians can bring about; all other bounds hold,
 *    since the new cluster is no nearer than the nearer of its parts.
 *
 * So the merges come in the order of the plain method, which looks at all pairs for every merge. A
 * pair ties with another when their values differ by no more than a part in 1e12: then the one of
 * the first cluster goes first, and of its partners the first (or with the list of clusters read
 * from its end: the last of the last); new clusters stand at the end of the list.
 *
 * Cost: about n row look-ups of n values for most data, n^3 in the worst case. */
#include "learners/cluster/hierarchy.h"

#include "base/memory.h"
#include "kernels/kernels.h"
#include "parallel/parallel.h"

#include <math.h>
#include <string.h>

/* Values tie when they differ by no more than this part of them. */
static const double tied_values = 1e-12;

/* Places of rows in tiles. */
typedef struct tiled_places {
    size_t n_columns;
    double *tiles;   /* n_columns x cairn_tiled(n) */
    double *queries; /* workers x CAIRN_QUERIES x n_columns */
} tiled_places;

/* Which points are in which cluster, once slots have been packed: rows of leaves that are measured
 * later get values of the clusters at once. */
typedef struct cluster_points {
    cairn_layers layers;
    uint32_t *points;                  /* n: layer after layer */
    uint32_t *slots;                   /* n: of a point */
    double *halves;                    /* n: what a point counts in a mean of means */
    uint32_t *roots, *counts, *sorted; /* n */
    double *parts;                     /* n */
} cluster_points;

typedef struct epoch {
    size_t n_joins; /* when it ended, of all */
    size_t n_kept;
    uint32_t *kept; /* n_kept: slots that went on */
} epoch;

typedef struct kept_row {
    double *values; /* NULL = not kept */
    uint32_t epoch;
    uint32_t joined; /* joins that it knows */
} kept_row;

struct stored_rows {
    const cairn_hierarchy_data *data;
    tiled_places places; /* Euclidean distances are made of these */
    bool by_places;
    bool layered; /* rows of leaves have the values of clusters; else those of all leaves */
    cluster_points points;
    kept_row *rows;  /* width */
    kept_row *moved; /* n */
    double **free;   /* rows that are not in use */
    size_t n_free;
    double **slabs; /* blocks of rows */
    size_t n_slabs, buffer_slabs;
    cairn_column_joins joins; /* n - 1 */
    size_t n_joins;
    epoch *epochs;
    size_t n_epochs, buffer_epochs;
    double *passing;  /* workers x CAIRN_QUERIES x row: rows that are not kept */
    double *measured; /* workers x CAIRN_QUERIES x row: values of all leaves */
    double *spare;    /* workers x row */
    size_t row;       /* room of a row of all leaves */
    int32_t *buffer;  /* workers x n_buffer */
    size_t n_buffer;
};

/* Rows of distances of any kind. The state is the caller's to clear. */
typedef struct stored_rows stored_rows;
/* Places as floats in tiles, moved and scaled to [-1, 1]; what fills up the last tile is farther
 * from any than these are from each other. */
typedef struct float_places {
    size_t n_columns;
    double scale;    /* what a place is divided by */
    double doubt;    /* by which a distance of scaled floats may err, and ... */
    double rounding; /* ... the factor by which its square may */
    float *tiles;    /* n_columns x cairn_tiled(n) */
} float_places;

/* The points of clusters in layers: the first point of every cluster, then the second of those that
 * have two, and so on. With the clusters in the order of falling numbers of points a layer is the
 * beginning of the list of clusters, so values of points are added up to values of clusters side by
 * side. */

/* Scratch. */
static cairn_status cluster_points_make(cairn_context *ctx, cluster_points *out, size_t n)
{
    *out = (cluster_points){0};
    CHECK(SCRATCH_RAW(ctx, &out->layers.starts, n + 2));
    CHECK(SCRATCH_RAW_EACH(ctx, n, &out->layers.shares, &out->points, &out->slots, &out->halves,
                           &out->roots, &out->counts, &out->sorted, &out->parts));
    for (size_t i = 0; i < n; i++) {
        out->slots[i] = (uint32_t)i;
        out->halves[i] = 1;
    }
    return CAIRN_OK;
}

/* Where the cluster of a slot is after the joins, and what it counts there in a mean of means: from
 * the last join to the first, so that what a part went into is known. */
static void follow_joins(cluster_points *p, const cairn_column_joins *joins, size_t begin,
                         size_t end, size_t width)
{
    for (size_t s = 0; s < width; s++) {
        p->roots[s] = (uint32_t)s;
        p->parts[s] = 1;
    }
    for (size_t i = end; i-- > begin;) {
        uint32_t kept = joins->columns[2 * i], gone = joins->columns[2 * i + 1];
        p->roots[gone] = p->roots[kept];
        p->parts[gone] = p->parts[kept] * (1 - joins->a[i]);
        p->parts[kept] *= joins->a[i];
    }
}

static void count_points(cluster_points *p, size_t n)
{
    memset(p->counts, 0, n * sizeof *p->counts);
    for (size_t i = 0; i < n; i++) {
        uint32_t slot = p->slots[i];
        p->halves[i] *= p->parts[slot];
        p->slots[i] = p->roots[slot];
        p->counts[p->roots[slot]]++;
    }
}

/* After the joins begin .. end-1: `from` (live), the slots that stay, are put in the order of
 * falling numbers of points. */
static void cluster_points_pack(cluster_points *points, const cairn_joiner *j,
                                const cairn_column_joins *joins, size_t begin, size_t end,
                                uint32_t *from)
{
    follow_joins(points, joins, begin, end, j->width);
    count_points(points, j->n);
    /* Slots by falling numbers of points, those of as many in their order; lengths of layers go
     * to starts[1 ..], of which one more than there are is 0. */
    size_t n = j->live;
    uint32_t *lengths = points->layers.starts + 1, most = 0;
    for (size_t c = 0; c < n; c++)
        most = points->counts[from[c]] > most ? points->counts[from[c]] : most;
    memset(lengths, 0, (most + 1) * sizeof *lengths);
    for (size_t c = 0; c < n; c++) lengths[points->counts[from[c]] - 1]++;
    for (size_t k = most; k-- > 1;) lengths[k - 1] += lengths[k];
    points->layers.n_layers = most;
    memcpy(points->roots, lengths + 1, most * sizeof *lengths); /* more points have so many */
    for (size_t c = 0; c < n; c++)
        points->sorted[points->roots[points->counts[from[c]] - 1]++] = from[c];
    memcpy(from, points->sorted, n * sizeof *from);
    /* Every point in its layer. */
    uint32_t *to = points->roots, *seen = points->counts, *starts = points->layers.starts;
    bool by_size = j->linkage == CAIRN_LINKAGE_AVERAGE;
    starts[0] = 0;
    for (size_t k = 0; k < points->layers.n_layers; k++) starts[k + 1] += starts[k];
    for (size_t c = 0; c < j->live; c++) to[from[c]] = (uint32_t)c;
    memset(seen, 0, j->live * sizeof *seen);
    for (size_t i = 0; i < j->n; i++) {
        double size = j->sizes[points->slots[i]];
        uint32_t slot = to[points->slots[i]], at = starts[seen[slot]++] + slot;
        points->slots[i] = slot;
        points->points[at] = (uint32_t)i;
        points->layers.shares[at] =
            by_size ? cairn_dendrogram_size(j->tree, i) / size : points->halves[i];
    }
}

/* The nearest leaf of every leaf, of Euclidean distances.
 *
 * Distances are first measured in floats, of places that are moved and scaled to [-1, 1], and of
 * each tile of leaves only the least is kept. The true distance differs from that of floats by no
 * more than a limit allows for, so the few tiles that come that near to the least of all hold the
 * nearest leaf and all that tie with it, and only these are measured exactly.
 *
 * Cost: n^2 distances of floats. */

/* -- places as floats -- */

/* Means of the columns, and the largest distance from them in a column. */
static cairn_status scale_places(cairn_context *ctx, float_places *out, const double *places,
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

/* Scratch. */
static cairn_status float_places_make(cairn_context *ctx, float_places *out,
                                      const cairn_distance_rows *rows)
{
    const double *places = rows->points.places;
    size_t d = rows->points.width, n = rows->n;
    double *means;
    enum { FAR = 8 };
    *out = (float_places){.n_columns = d};
    CHECK(scale_places(ctx, out, places, n, &means));
    CHECK(SCRATCH_RAW(ctx, &out->tiles, cairn_product(cairn_tiled(n), d) + 1));
    for (size_t i = 0; i < cairn_tiled(n); i++)
        for (size_t t = 0; t < d; t++)
            out->tiles[cairn_tile_at(d, i, t)] =
                i < n ? (float)((places[i * d + t] - means[t]) / out->scale) : FAR;
    return CAIRN_OK;
}

/* Whether squares of distances are numbers that floats can stand for. */
static bool float_places_serve(const float_places *places)
{
    return places->scale > 1e-140 && places->scale < 1e140;
}

/* No square of floats above it belongs to a distance that is not above this one. */
static float float_limit(const float_places *places, double distance)
{
    double d = distance / places->scale + places->doubt, limit = d * d * places->rounding;
    return limit < 1e30 ? (float)limit : INFINITY;
}

/* What the true distance is not above, of a square of floats. */
static double float_most(const float_places *places, float square)
{
    return (sqrt((double)square * places->rounding) + places->doubt) * places->scale;
}

/* -- nearest leaves -- */

typedef struct nearest_leaves {
    cairn_joiner *joiner;
    const double *places; /* n x n_columns */
    const tiled_places *exact;
    const float_places *floats;
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
    double most = fmin(cairn_least(values, CAIRN_TILE), float_most(s->floats, low));
    float limit = float_limit(s->floats, most * (1 + ALSO_TIED * tied_values));
    for (size_t k = 0; k < s->n_tiles; k++) {
        if (!(leasts[k] <= limit) || k == own) continue;
        measure_tile(s, leaf, k, values + n * CAIRN_TILE);
        near[n++] = (uint32_t)k;
    }
    return n;
}

/* Which of n values are as near as the least of them, into `found`; returns how many. */
static size_t find_tied(uint32_t *found, const double *values, size_t n, double least)
{
    return cairn_find_at_most(found, values, n, least + tied_values * least);
}

/* Bound and neighbour of a leaf. */
static void find_nearest(const nearest_leaves *s, size_t leaf, float *leasts, int worker)
{
    cairn_joiner *j = s->joiner;
    size_t buffer = s->n_tiles * CAIRN_TILE;
    double *values = s->values + (size_t)worker * buffer;
    uint32_t *near = s->near + (size_t)worker * s->n_tiles,
             *tied = s->tied + (size_t)worker * buffer;
    size_t n = measure_near(s, leaf, leasts, values, near) * CAIRN_TILE;
    double least = cairn_least(values, n);
    uint32_t best = CAIRN_NO_SLOT;
    j->bounds[leaf] = least;
    j->nearest[leaf] = (uint32_t)leaf;
    if (!(least < INFINITY)) return;
    size_t n_tied = find_tied(tied, values, n, least);
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

/* Bounds and neighbours of all leaves, as their whole rows give them. */
static cairn_status cairn_nearest_leaves(cairn_context *ctx, cairn_joiner *j,
                                         const cairn_distance_rows *rows, const tiled_places *exact,
                                         const float_places *floats)
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

/* Ward's method, centroids and medians of Euclidean distances: a centre stands for a cluster, so no
 * distance is stored and memory grows with the rows. */

typedef struct centre_rows {
    tiled_places centres; /* a slot is a point */
    double *rows;         /* workers x CAIRN_QUERIES x row */
    size_t row;
} centre_rows;

bool cairn_hierarchy_has_places(const cairn_distance_rows *rows)
{
    return !rows->given && rows->metric.family == CAIRN_BY_SQUARES &&
           cairn_metric_value(&rows->metric, 4) == 2 && !rows->points.n_items &&
           !rows->points.n_texts;
}

/* The points in another order: point i is row order[i], or row i without an order. */
static void tiled_places_fill(tiled_places *tiles, const cairn_distance_rows *rows,
                              const uint32_t *order)
{
    size_t d = tiles->n_columns;
    for (size_t i = 0; i < rows->n; i++) {
        const double *place = rows->points.places + (order ? order[i] : i) * d;
        for (size_t t = 0; t < d; t++) tiles->tiles[cairn_tile_at(d, i, t)] = place[t];
    }
}

/* Scratch. */
static cairn_status tiled_places_make(cairn_context *ctx, tiled_places *out,
                                      const cairn_distance_rows *rows)
{
    size_t d = rows->points.width, n = rows->n, workers = (size_t)cairn_workers(ctx);
    *out = (tiled_places){.n_columns = d};
    CHECK(SCRATCH(ctx, &out->tiles, cairn_product(cairn_tiled(n), d) + 1));
    CHECK(SCRATCH_RAW(ctx, &out->queries, workers * CAIRN_QUERIES * d + 1));
    tiled_places_fill(out, rows, NULL);
    return CAIRN_OK;
}

/* Squared distances of some points to the first `width`. */
static void tiled_squares(const tiled_places *tiles, double *const *out, const uint32_t *points,
                          size_t n, size_t width, int worker)
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
    tiled_squares(&s->centres, rows, slots, n, j->width, worker);
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
    CHECK(tiled_places_make(ctx, &s->centres, data->rows));
    CHECK(SCRATCH_RAW(ctx, &s->rows, cairn_product(workers * CAIRN_QUERIES, s->row)));
    j->source = &centre_source;
    j->state = s;
    j->work = 1 + (double)s->centres.n_columns;
    return CAIRN_OK;
}

/* Rows of distances between clusters, for any distance.
 *
 * The row of a leaf is measured when it is first looked at, and kept once it is to be looked at
 * again; that of a joined cluster takes the place of one of its parts'. Joins of other clusters are
 * listed, and a row goes through the list when it is looked at: all that it needs is in the row
 * itself, so nothing is ever written across rows, and memory is read side by side. From time to
 * time the slots without a cluster are left out (an epoch ends); a row does that, too, when it is
 * looked at. A leaf that is measured later gets the means, the largest or the least of the points
 * of every cluster at once, so that its row is no longer than the others.
 *
 * Memory: at most n rows of n numbers, about a quarter of that for most data, since a join frees a
 * row, and many leaves are joined before all are looked at. */

/* -- rows of leaves -- */

static void square(double *row, size_t n)
{
    for (size_t i = 0; i < n; i++) row[i] *= row[i];
}

/* Ward's distance of two leaves of other weights than 1 is that of so many equal rows. */
static void weigh(const stored_rows *s, double *row, size_t leaf, size_t n)
{
    const double *weights = s->data->weights;
    if (weights) cairn_ward_squares(row, weights, weights[leaf], n);
}

/* The distances of leaves that are no plain sums of squares, to all leaves. */
static void measure_others(const cairn_joiner *j, double *const *rows, const uint32_t *leaves,
                           size_t n, int worker)
{
    const stored_rows *s = j->state;
    const cairn_distance_rows *from = s->data->rows;
    for (size_t q = 0; q < n; q++) {
        cairn_distances_alone(from, leaves + q, 1, from, 0, j->n, rows[q], j->n,
                              s->buffer + (size_t)worker * s->n_buffer);
        if (j->squared) square(rows[q], j->n);
    }
}

/* The places of some leaves. */
static const double *place_queries(const stored_rows *s, const uint32_t *leaves, size_t n,
                                   int worker)
{
    size_t d = s->places.n_columns;
    double *queries = s->places.queries + (size_t)worker * CAIRN_QUERIES * d;
    for (size_t q = 0; q < n; q++)
        memcpy(queries + q * d, s->data->rows->points.places + leaves[q] * d, d * sizeof *queries);
    return queries;
}

/* Values to clusters, of leaves that have places: so few points at a time that what is measured
 * stays near. */
static void join_places(const cairn_joiner *j, double *const *rows, const uint32_t *leaves,
                        size_t n, int worker)
{
    enum { POINTS = 1024 };
    const stored_rows *s = j->state;
    const double *queries = place_queries(s, leaves, n, worker);
    size_t d = s->places.n_columns, layer = 0, next = 0;
    double *some[CAIRN_QUERIES];
    for (size_t q = 0; q < n; q++)
        some[q] = s->measured + ((size_t)worker * CAIRN_QUERIES + q) * s->row;
    for (size_t begin = 0; begin < j->n; begin += POINTS, layer = next) {
        size_t end = j->n - begin < POINTS ? j->n : begin + POINTS;
        cairn_distances_to(some, s->places.tiles + begin * d, queries, n, d,
                           cairn_tiled(end - begin));
        for (size_t q = 0; q < n; q++)
            next = cairn_join_layers(rows[q], some[q], begin, end, &s->points.layers, layer,
                                     j->joining);
    }
}

/* The same of leaves with any distance. */
static void join_others(const cairn_joiner *j, double *const *rows, const uint32_t *leaves,
                        size_t n, int worker)
{
    const stored_rows *s = j->state;
    double *all = s->measured + (size_t)worker * CAIRN_QUERIES * s->row;
    double *sorted = s->spare + (size_t)worker * s->row;
    for (size_t q = 0; q < n; q++) {
        measure_others(j, &all, leaves + q, 1, worker);
        cairn_gather(sorted, all, s->points.points, j->n);
        cairn_join_layers(rows[q], sorted, 0, j->n, &s->points.layers, 0, j->joining);
    }
}

/* Rows of leaves as they are when this epoch begins. */
static void make_rows(const cairn_joiner *j, double *const *rows, const uint32_t *leaves, size_t n,
                      int worker)
{
    const stored_rows *s = j->state;
    if (!s->layered || s->n_epochs == 0) {
        /* The values of some leaves to all leaves. */
        if (!s->by_places)
            measure_others(j, rows, leaves, n, worker);
        else
            (j->squared ? cairn_squares_to : cairn_distances_to)(
                rows, s->places.tiles, place_queries(s, leaves, n, worker), n, s->places.n_columns,
                cairn_tiled(j->n));
        for (size_t q = 0; q < n; q++) {
            if (j->linkage == CAIRN_LINKAGE_WARD) weigh(s, rows[q], leaves[q], j->n);
            rows[q][leaves[q]] = INFINITY;
        }
        return;
    }
    (s->by_places ? join_places : join_others)(j, rows, leaves, n, worker);
    for (size_t q = 0; q < n; q++) rows[q][s->points.slots[leaves[q]]] = INFINITY;
}

/* -- joins -- */

/* The row after the joins up to number `end`; `own` is the size of its cluster. */
static void learn_joins(const cairn_joiner *j, kept_row *row, size_t end, double own, size_t n)
{
    const stored_rows *s = j->state;
    cairn_join_columns(row->values, &s->joins, row->joined, end, own, n);
    row->joined = (uint32_t)end;
}

static void catch_up(const cairn_joiner *j, kept_row *row, double own, int worker)
{
    const stored_rows *s = j->state;
    double *spare = s->spare + (size_t)worker * s->row;
    for (; row->epoch < s->n_epochs; row->epoch++) {
        const epoch *e = s->epochs + row->epoch;
        learn_joins(j, row, e->n_joins, own, row->epoch ? e[-1].n_kept : j->n);
        cairn_gather(spare, row->values, e->kept, e->n_kept);
        memcpy(row->values, spare, e->n_kept * sizeof *spare);
    }
    learn_joins(j, row, s->n_joins, own, j->width);
}

/* Rows that are kept catch up with the joins; those of leaves that are not are measured first, in
 * their own room if they have been given some. */
static void stored_make(cairn_joiner *j, const uint32_t *slots, size_t n, int worker,
                        const double **out)
{
    stored_rows *s = j->state;
    kept_row passing[CAIRN_QUERIES] = {0}, *rows[CAIRN_QUERIES];
    double *fresh[CAIRN_QUERIES];
    uint32_t leaves[CAIRN_QUERIES];
    size_t n_fresh = 0;
    for (size_t q = 0; q < n; q++) {
        rows[q] = s->rows[slots[q]].values ? &s->rows[slots[q]] : &passing[q];
        if (rows[q]->values && rows[q]->epoch != CAIRN_NO_SLOT) continue;
        if (!rows[q]->values)
            rows[q]->values = s->passing + ((size_t)worker * CAIRN_QUERIES + q) * s->row;
        *rows[q] = (kept_row){.values = rows[q]->values};
        if (s->layered) {
            /* A row as it is when this epoch begins. */
            kept_row *row = rows[q];
            row->epoch = (uint32_t)s->n_epochs;
            row->joined = s->n_epochs ? (uint32_t)s->epochs[s->n_epochs - 1].n_joins : 0;
        }
        fresh[n_fresh] = rows[q]->values;
        leaves[n_fresh++] = j->ids[slots[q]];
    }
    if (n_fresh) make_rows(j, fresh, leaves, n_fresh, worker);
    for (size_t q = 0; q < n; q++) {
        catch_up(j, rows[q], j->sizes[slots[q]], worker);
        out[q] = rows[q]->values;
    }
}

static bool stored_kept(const cairn_joiner *j, size_t slot)
{
    const stored_rows *s = j->state;
    return s->rows[slot].values != NULL;
}

/* A block of rows that are not in use, each as long as a row is by now. */
static cairn_status add_slab(cairn_context *ctx, stored_rows *s)
{
    enum { SLAB = 1 << 22 }; /* numbers */
    bool shorter = s->layered && s->n_epochs;
    size_t row = shorter ? cairn_tiled(s->epochs[s->n_epochs - 1].n_kept) : s->row;
    size_t n = row < SLAB / 2 ? SLAB / row : 1;
    double *slab;
    if (n > s->data->n) n = s->data->n;
    CHECK(GROW(ctx, &s->slabs, &s->buffer_slabs, s->n_slabs + 1));
    CHECK(NEW_RAW(ctx, &slab, cairn_product(n, row)));
    s->slabs[s->n_slabs++] = slab;
    for (size_t i = n; i-- > 0;) s->free[s->n_free++] = slab + i * row;
    return CAIRN_OK;
}

/* Room for a row, from those that joins have freed if there is one. Its epoch says that nothing is
 * in it yet. */
static cairn_status stored_keep(cairn_context *ctx, cairn_joiner *j, size_t slot)
{
    stored_rows *s = j->state;
    kept_row *row = s->rows + slot;
    if (row->values) return CAIRN_OK;
    if (s->n_free == 0) CHECK(add_slab(ctx, s));
    *row = (kept_row){.values = s->free[--s->n_free], .epoch = CAIRN_NO_SLOT};
    return CAIRN_OK;
}

const double *cairn_joiner_row(cairn_joiner *j, size_t slot, int worker)
{
    const double *row;
    uint32_t which = (uint32_t)slot;
    j->source->rows(j, &which, 1, worker, &row);
    return row;
}

static double stored_between(cairn_joiner *j, size_t a, size_t b)
{
    const stored_rows *s = j->state;
    return s->rows[a].values ? cairn_joiner_row(j, a, 0)[b] : cairn_joiner_row(j, b, 0)[a];
}

/* Note the join of slots x and y, whose value is `between`. */
static void note_join(const cairn_joiner *j, cairn_column_joins *joins, size_t at, size_t x,
                      size_t y, double between)
{
    double a = j->sizes[x], b = j->sizes[y];
    bool by_size = j->linkage == CAIRN_LINKAGE_AVERAGE || j->linkage == CAIRN_LINKAGE_CENTROID;
    joins->columns[2 * at] = (uint32_t)x;
    joins->columns[2 * at + 1] = (uint32_t)y;
    joins->a[at] = by_size ? a / (a + b) : 0.5;
    joins->shift[at] = joins->shifted ? -joins->a[at] * (1 - joins->a[at]) * between : 0;
    if (j->joining != CAIRN_JOIN_WARD) return;
    joins->a[at] = a;
    joins->b[at] = b;
    joins->shift[at] = between;
}

static cairn_status stored_join(cairn_context *ctx, cairn_joiner *j, size_t a, size_t b,
                                size_t *into)
{
    stored_rows *s = j->state;
    size_t x = s->rows[a].values || !s->rows[b].values ? a : b, y = x == a ? b : a;
    CHECK(stored_keep(ctx, j, x));
    (void)cairn_joiner_row(j, x, 0);
    const double *other = cairn_joiner_row(j, y, 0);
    double *row = s->rows[x].values;
    note_join(j, &s->joins, s->n_joins, x, y, row[y]);
    cairn_join_rows(row, other, &s->joins, s->n_joins++, j->sizes, j->width);
    row[x] = row[y] = INFINITY;
    s->rows[x].joined = (uint32_t)s->n_joins;
    if (s->rows[y].values) s->free[s->n_free++] = s->rows[y].values;
    s->rows[y].values = NULL;
    *into = x;
    return CAIRN_OK;
}

static cairn_status stored_pack(cairn_context *ctx, cairn_joiner *j, uint32_t *from)
{
    stored_rows *s = j->state;
    CHECK(GROW(ctx, &s->epochs, &s->buffer_epochs, s->n_epochs + 1));
    epoch *e = s->epochs + s->n_epochs;
    size_t before = s->n_epochs ? e[-1].n_joins : 0;
    *e = (epoch){.n_joins = s->n_joins, .n_kept = j->live};
    CHECK(NEW_RAW(ctx, &e->kept, j->live));
    s->n_epochs++;
    if (s->layered) {
        cluster_points_pack(&s->points, j, &s->joins, before, s->n_joins, from);
        if (s->by_places) tiled_places_fill(&s->places, s->data->rows, s->points.points);
    }
    memcpy(e->kept, from, j->live * sizeof *from);
    /* Rows of the slots that stay. */
    size_t n = j->live;
    for (size_t i = 0; i < n; i++) s->moved[i] = s->rows[from[i]];
    memcpy(s->rows, s->moved, n * sizeof *s->rows);
    return CAIRN_OK;
}

static const cairn_join_source stored_source = {
    .rows = stored_make,
    .keep = stored_keep,
    .kept = stored_kept,
    .between = stored_between,
    .join = stored_join,
    .pack = stored_pack,
};

/* -- opening -- */

/* Rows that cannot be compared have no place in a tree. */
static cairn_status check_pairs(cairn_context *ctx, const stored_rows *s)
{
    const cairn_distance_rows *rows = s->data->rows;
    if (rows->given || s->by_places || !(rows->metric.distance->takes & CAIRN_DISTANCE_MISSING))
        return CAIRN_OK;
    for (size_t i = 0; i < rows->n; i++)
        for (size_t k = 0; k < i; k++)
            if (isnan(cairn_distance_pair(rows, k, rows, i, s->buffer)))
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "rows %lu and %lu have no column in which both are known, so "
                                  "they have no distance; fill missing cells ({missing}) or leave "
                                  "such rows out",
                                  (unsigned long)rows->numbers[k] + 1,
                                  (unsigned long)rows->numbers[i] + 1);
    return CAIRN_OK;
}

static cairn_status check_memory(cairn_context *ctx, size_t n)
{
    return cairn_distances_fit(
        ctx, n, 8,
        cairn_say(ctx, "{linkage single}, and of Euclidean distances ward, centroid and median, "
                       "need memory for the rows only, or take a sample of the rows"));
}

/* Whether the bound of the slot is the value of a pair that is there. */
static bool is_exact(const cairn_joiner *j, size_t slot)
{
    uint32_t id = j->nearest[slot];
    return id != j->ids[slot] && j->slots[id] != CAIRN_NO_SLOT;
}

/* Of some slots the one whose cluster comes first, or last. */
static size_t choose(const cairn_joiner *j, const uint32_t *found, size_t n)
{
    size_t best = found[0];
    for (size_t i = 1; i < n; i++)
        if (j->last ? j->ids[found[i]] > j->ids[best] : j->ids[found[i]] < j->ids[best])
            best = found[i];
    return best;
}

/* Bound and neighbour of a slot from its row. */
static void look_up(cairn_joiner *j, size_t slot, const double *row, int worker)
{
    uint32_t *found = j->found + (size_t)worker * j->n;
    double least = cairn_least(row, j->width);
    j->bounds[slot] = least;
    j->nearest[slot] = j->ids[slot];
    if (!(least < INFINITY)) return;
    size_t n = find_tied(found, row, j->width, least);
    j->nearest[slot] = j->ids[choose(j, found, n)];
}

/* Some slots of the batch, which are few enough to be measured together. */
static void look_up_batch(void *data, size_t block, size_t begin, size_t end, int worker)
{
    cairn_joiner *j = data;
    const double *rows[CAIRN_QUERIES];
    (void)block;
    j->source->rows(j, j->batch + begin, end - begin, worker, rows);
    for (size_t i = begin; i < end; i++)
        if (!is_exact(j, j->batch[i])) look_up(j, j->batch[i], rows[i - begin], worker);
}

/* Bounds and neighbours of all leaves from their rows. */
static cairn_status joiner_look(cairn_context *ctx, cairn_joiner *j)
{
    for (size_t i = 0; i < j->n; i++) j->batch[i] = (uint32_t)i;
    return cairn_blocks_sized(ctx, j->n, CAIRN_QUERIES, (double)j->n * (double)j->n * j->work,
                              look_up_batch, j);
}

/* Nearest leaves of all leaves, without their rows where floats can tell which. */
static cairn_status start_leaves(cairn_context *ctx, cairn_joiner *j)
{
    SCOPED_SCRATCH(ctx);
    const stored_rows *s = j->state;
    float_places floats;
    CHECK(float_places_make(ctx, &floats, s->data->rows));
    if (!float_places_serve(&floats)) return joiner_look(ctx, j);
    return cairn_nearest_leaves(ctx, j, s->data->rows, &s->places, &floats);
}

/* Room for what every worker makes, and for rows. */
static cairn_status make_buffer(cairn_context *ctx, const cairn_joiner *j, stored_rows *s)
{
    size_t n = j->n, workers = (size_t)cairn_workers(ctx);
    CHECK(SCRATCH_EACH(ctx, n, &s->rows, &s->moved));
    CHECK(SCRATCH(ctx, &s->free, 2 * n));
    s->joins = (cairn_column_joins){.joining = j->joining,
                                    .shifted = j->linkage == CAIRN_LINKAGE_CENTROID ||
                                               j->linkage == CAIRN_LINKAGE_MEDIAN};
    CHECK(SCRATCH_RAW(ctx, &s->joins.columns, 2 * j->n));
    CHECK(SCRATCH_RAW_EACH(ctx, j->n, &s->joins.a, &s->joins.shift));
    if (j->joining == CAIRN_JOIN_WARD) CHECK(SCRATCH_RAW(ctx, &s->joins.b, j->n));
    CHECK(SCRATCH_RAW_EACH(ctx, cairn_product(workers * CAIRN_QUERIES, s->row), &s->passing,
                           &s->measured));
    CHECK(SCRATCH_RAW(ctx, &s->spare, cairn_product(workers, s->row)));
    CHECK(SCRATCH_RAW(ctx, &s->buffer, cairn_product(workers, s->n_buffer) + 1));
    return CAIRN_OK;
}

cairn_status cairn_stored_rows_open(cairn_context *ctx, cairn_joiner *j,
                                    const cairn_hierarchy_data *data)
{
    size_t n = data->n;
    stored_rows *s;
    CHECK(check_memory(ctx, n));
    CHECK(SCRATCH(ctx, &s, 1));
    j->source = &stored_source;
    j->state = s;
    s->data = data;
    s->by_places = cairn_hierarchy_has_places(data->rows);
    s->n_buffer = cairn_distance_buffer(data->rows, data->rows);
    s->row = cairn_tiled(n);
    if (s->by_places) CHECK(tiled_places_make(ctx, &s->places, data->rows));
    CHECK(make_buffer(ctx, j, s));
    CHECK(check_pairs(ctx, s));
    double bytes = (double)n * (double)s->row * sizeof(double);
    if (bytes <= j->keep_all && bytes < 0.5 * (double)cairn_memory_available(ctx)) {
        for (size_t i = 0; i < n; i++) CHECK(stored_keep(ctx, j, i));
        return CAIRN_OK;
    }
    s->layered = !j->squared;
    if (s->layered) CHECK(cluster_points_make(ctx, &s->points, n));
    if (s->layered && s->by_places) j->start = start_leaves;
    return CAIRN_OK;
}

void cairn_stored_rows_close(cairn_joiner *j)
{
    stored_rows *s = j->source == &stored_source ? j->state : NULL;
    if (!s) return;
    for (size_t i = 0; i < s->n_slabs; i++) cairn_free(s->slabs[i]);
    for (size_t i = 0; i < s->n_epochs; i++) cairn_free(s->epochs[i].kept);
    FREE_EACH(s->slabs, s->epochs);
    j->state = NULL;
    j->source = NULL;
}

enum {
    MOST_BATCH = 64, /* slots that are looked at before the next pair is joined ... */
    TOGETHER = 4     /* ... so few by a worker that all have about as much to do */
};

_Static_assert((int)TOGETHER <= (int)CAIRN_QUERIES, "rows that are made together");

static cairn_joining joining_of(cairn_linkage linkage)
{
    switch (linkage) {
    case CAIRN_LINKAGE_SINGLE: return CAIRN_JOIN_LEAST;
    case CAIRN_LINKAGE_COMPLETE: return CAIRN_JOIN_MOST;
    case CAIRN_LINKAGE_WARD: return CAIRN_JOIN_WARD;
    default: return CAIRN_JOIN_MEAN;
    }
}

cairn_status cairn_joiner_make(cairn_context *ctx, cairn_joiner *out, cairn_dendrogram *tree,
                               const cairn_hierarchy_params *params)
{
    size_t n = tree->n_leaves, workers = (size_t)cairn_workers(ctx);
    cairn_linkage linkage = (cairn_linkage)params->linkage;
    *out = (cairn_joiner){.tree = tree,
                          .linkage = linkage,
                          .joining = joining_of(linkage),
                          .squared = linkage >= CAIRN_LINKAGE_CENTROID,
                          .last = params->tie == CAIRN_HIERARCHY_LAST,
                          .reverses =
                              linkage == CAIRN_LINKAGE_CENTROID || linkage == CAIRN_LINKAGE_MEDIAN,
                          .n = n,
                          .width = n,
                          .live = n,
                          .reach = 0.01,
                          .keep_all = 256e6,
                          .work = 4};
    CHECK(SCRATCH_RAW_EACH(ctx, n, &out->ids, &out->sizes, &out->bounds, &out->nearest));
    CHECK(SCRATCH_RAW(ctx, &out->slots, 2 * n));
    CHECK(SCRATCH_RAW(ctx, &out->found, cairn_product(workers, n)));
    CHECK(SCRATCH_RAW_EACH(ctx, n, &out->batch, &out->spare));
    for (size_t i = 0; i < n; i++) {
        out->ids[i] = out->slots[i] = (uint32_t)i;
        out->sizes[i] = cairn_dendrogram_size(tree, i);
        out->bounds[i] = 0;
        out->nearest[i] = (uint32_t)i;
    }
    return CAIRN_OK;
}

/* Look up the slots that must be (already in the batch), and others that will have to be soon. Of
 * very many that are as near as each other a merge makes most unsure again, so these wait. */
static cairn_status look_ahead(cairn_context *ctx, cairn_joiner *j, double least, size_t n)
{
    size_t must = n;
    size_t n_near = cairn_find_at_most(j->found, j->bounds, j->width, least * (1 + j->reach));
    if (n_near > 4 * MOST_BATCH) n_near = 0;
    for (size_t i = 0; i < n_near && n < MOST_BATCH + must; i++) {
        size_t slot = j->found[i];
        bool listed = false;
        if (is_exact(j, slot) && (!j->source->kept || j->source->kept(j, slot))) continue;
        for (size_t k = 0; k < must; k++) listed |= j->batch[k] == slot;
        if (!listed) j->batch[n++] = (uint32_t)slot;
    }
    if (n >= MOST_BATCH || n_near == 0)
        j->reach = fmax(0.75 * j->reach, 1e-6);
    else if (n < MOST_BATCH / 4)
        j->reach *= 1.25;
    double work = (double)n * (double)j->width * j->work;
    for (size_t i = 0; j->source->keep && i < n; i++) CHECK(j->source->keep(ctx, j, j->batch[i]));
    return cairn_blocks_sized(ctx, n, TOGETHER, work, look_up_batch, j);
}

/* Rows of a pair that are not there yet are made beside others that will be needed soon. */
static cairn_status fetch_pair(cairn_context *ctx, cairn_joiner *j, double least, size_t a,
                               size_t b)
{
    size_t n = 0;
    if (!j->source->kept) return CAIRN_OK;
    if (!j->source->kept(j, a)) j->batch[n++] = (uint32_t)a;
    if (!j->source->kept(j, b)) j->batch[n++] = (uint32_t)b;
    return n ? look_ahead(ctx, j, least, n) : CAIRN_OK;
}

/* The next pair: the first of those with the least value. */
static cairn_status find_pair(cairn_context *ctx, cairn_joiner *j, size_t *a, size_t *b)
{
    for (;;) {
        double least = cairn_least(j->bounds, j->width);
        if (!(least < INFINITY))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "distances between clusters are too large for a number; scale the "
                              "columns, or divide them by a power of ten");
        size_t n_found = find_tied(j->found, j->bounds, j->width, least);
        size_t chosen = choose(j, j->found, n_found);
        /* The slots whose bound must be made sure of before the next pair is known, into the
         * batch: of many rows only the one that would be chosen and one with the least bound. */
        size_t unsure = 0;
        bool small = j->n <= CAIRN_COUNTED_TIES, seen = false;
        for (size_t i = 0; i < n_found; i++) {
            size_t slot = j->found[i];
            bool lowest = !seen && j->bounds[slot] <= least;
            seen |= lowest;
            if ((small || slot == chosen || lowest) && !is_exact(j, slot))
                j->batch[unsure++] = (uint32_t)slot;
        }
        if (!unsure) {
            *a = chosen;
            *b = j->slots[j->nearest[chosen]];
            j->n_others = 0;
            for (size_t i = 0; i < n_found; i++)
                j->n_others += j->found[i] != *a && j->found[i] != *b && is_exact(j, j->found[i]);
            return fetch_pair(ctx, j, least, *a, *b);
        }
        CHECK(look_ahead(ctx, j, least, unsure));
    }
}

/* Clusters that are nearer to the new one than to any other get it for a neighbour. One that is as
 * near to it as to another keeps what it has: the new cluster is the last of the list. */
static void offer(cairn_joiner *j, size_t into, const double *row)
{
    uint32_t id = j->ids[into];
    size_t n = cairn_find_not_above(j->found, row, j->bounds, j->width, tied_values);
    for (size_t i = 0; i < n; i++) {
        size_t slot = j->found[i];
        double value = row[slot], bound = j->bounds[slot];
        if (slot == into) continue;
        if (j->last || value < bound - tied_values * bound) j->nearest[slot] = id;
        if (value < bound) j->bounds[slot] = value;
    }
}

/* A slot without a cluster is filled by the last one, or waits. Returns where `into` is now. */
static size_t vacate(cairn_joiner *j, size_t gone, size_t into)
{
    size_t end = j->width - 1;
    j->ids[gone] = CAIRN_NO_SLOT;
    j->sizes[gone] = 0;
    j->bounds[gone] = INFINITY;
    if (!j->source->move) return into;
    j->width--;
    if (gone == end) return into;
    j->source->move(j, end, gone);
    j->ids[gone] = j->ids[end];
    j->sizes[gone] = j->sizes[end];
    j->bounds[gone] = j->bounds[end];
    j->nearest[gone] = j->nearest[end];
    j->slots[j->ids[gone]] = (uint32_t)gone;
    return into == end ? gone : into;
}

/* Join two slots: the merge is noted, the new cluster has the next number. */
static cairn_status join_pair(cairn_context *ctx, cairn_joiner *j, size_t a, size_t b)
{
    double value = j->source->between(j, a, b), size = j->sizes[a] + j->sizes[b];
    uint32_t first = j->ids[a] < j->ids[b] ? j->ids[a] : j->ids[b];
    uint32_t second = j->ids[a] < j->ids[b] ? j->ids[b] : j->ids[a];
    uint32_t id = (uint32_t)(j->n + j->made);
    size_t into;
    CHECK(j->source->join(ctx, j, a, b, &into));
    j->tree->merges[j->made++] = (cairn_merge){
        .left = first, .right = second, .height = j->squared ? sqrt(value) : value, .size = size};
    j->n_tied += j->n_others > 0;
    j->slots[first] = j->slots[second] = CAIRN_NO_SLOT;
    j->ids[into] = j->nearest[into] = id;
    j->sizes[into] = size;
    j->slots[id] = (uint32_t)into;
    j->live--;
    into = vacate(j, into == a ? b : a, into);
    if (j->live == 1) return CAIRN_OK;
    const double *row = cairn_joiner_row(j, into, 0);
    look_up(j, into, row, 0);
    if (j->last || j->reverses) offer(j, into, row);
    return CAIRN_OK;
}

static void reorder_numbers(double *values, const uint32_t *from, size_t n, double *buffer)
{
    for (size_t i = 0; i < n; i++) buffer[i] = values[from[i]];
    memcpy(values, buffer, n * sizeof *values);
}

static void reorder_ids(uint32_t *values, const uint32_t *from, size_t n, uint32_t *buffer)
{
    for (size_t i = 0; i < n; i++) buffer[i] = values[from[i]];
    memcpy(values, buffer, n * sizeof *values);
}

/* Leave out slots without a cluster once they are many. */
static cairn_status pack(cairn_context *ctx, cairn_joiner *j)
{
    enum { FEW = 64 };
    size_t n = 0;
    if (!j->source->pack || j->width <= FEW || j->live > j->width / 5 * 4) return CAIRN_OK;
    for (size_t s = 0; s < j->width; s++)
        if (j->ids[s] != CAIRN_NO_SLOT) j->batch[n++] = (uint32_t)s;
    CHECK(j->source->pack(ctx, j, j->batch));
    reorder_ids(j->ids, j->batch, n, j->found);
    reorder_ids(j->nearest, j->batch, n, j->found);
    reorder_numbers(j->sizes, j->batch, n, j->spare);
    reorder_numbers(j->bounds, j->batch, n, j->spare);
    for (size_t s = 0; s < n; s++) j->slots[j->ids[s]] = (uint32_t)s;
    j->width = n;
    return CAIRN_OK;
}

cairn_status cairn_joiner_run(cairn_context *ctx, cairn_joiner *j)
{
    enum { TICK = 32 };
    CHECK(j->start ? j->start(ctx, j) : joiner_look(ctx, j));
    while (j->live > 1) {
        size_t a, b;
        if (j->made % TICK == 0)
            CHECK(cairn_tick(ctx, "joining clusters", (double)j->made, (double)j->n));
        CHECK(find_pair(ctx, j, &a, &b));
        if (j->watch) CHECK(j->watch(ctx, j, a, b, j->watcher));
        CHECK(join_pair(ctx, j, a, b));
        CHECK(pack(ctx, j));
    }
    return CAIRN_OK;
}

/* The spanning tree of places with Euclidean distances.
 *
 * Whether a row of the tree brings one that is left nearer is first asked in floats
 * (nearest leaves, above): the answer errs by less than the limit allows for, so that the
 * few that pass are all that need be measured exactly. The nearest of a tile of rows is kept, so
 * that the nearest of all is found among these.
 *
 * Cost: n^2 / 2 distances of floats; memory a few numbers and the places per row. */

typedef struct place_span {
    const double *places; /* n x d */
    size_t d, n_left;
    float_places floats; /* of the rows that are left */
    float *query;        /* d */
    float *limits;       /* tiled(n): squares of floats above it are no nearer than `best` */
    double *best;        /* tiled(n): squared distance to the nearest row of the tree ... */
    uint32_t *from;      /* n: ... which is this one */
    uint32_t *left;      /* n: rows that are not in the tree */
    uint32_t *found;     /* tiled(n) */
    double *nearest;     /* per tile: the least of best */
} place_span;

static cairn_status make_places(cairn_context *ctx, place_span *s, const cairn_hierarchy_data *data)
{
    size_t n = data->n, d = data->rows->points.width, tiled = cairn_tiled(n);
    *s = (place_span){.places = data->rows->points.places, .d = d, .n_left = n};
    CHECK(float_places_make(ctx, &s->floats, data->rows));
    CHECK(SCRATCH(ctx, &s->query, d + 1));
    CHECK(SCRATCH_RAW_EACH(ctx, tiled, &s->limits, &s->best));
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

/* Rows that are left learn of the row that came last. */
static void spread(place_span *s, uint32_t row)
{
    size_t n = cairn_find_near(s->found, s->floats.tiles, s->query, s->limits, s->d,
                               cairn_tiled(s->n_left));
    for (size_t i = 0; i < n; i++) {
        size_t at = s->found[i];
        uint32_t b = s->left[at];
        const double *x = s->places + (size_t)row * s->d, *y = s->places + (size_t)b * s->d;
        double square = 0;
        for (size_t t = 0; t < s->d; t++) square += (x[t] - y[t]) * (x[t] - y[t]);
        if (!(square < s->best[at])) continue;
        s->best[at] = square;
        s->from[at] = row;
        s->limits[at] = float_limit(&s->floats, sqrt(square));
        if (square < s->nearest[at / CAIRN_TILE]) s->nearest[at / CAIRN_TILE] = square;
    }
}

/* The minimum spanning tree, grown from the first row: its edges in order of length are the
 * merges of single linkage. */
static cairn_status span_places(cairn_context *ctx, cairn_dendrogram *tree,
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
        size_t n_tiles = cairn_tiled(s.n_left) / CAIRN_TILE, tile = 0, at;
        double least = cairn_least(s.nearest, n_tiles);
        while (tile + 1 < n_tiles && s.nearest[tile] != least) tile++;
        for (at = tile * CAIRN_TILE; at + 1 < s.n_left && s.best[at] != least;) at++;
        joins[i] = (cairn_join){.a = s.from[at], .b = s.left[at], .height = sqrt(s.best[at])};
        row = take_place(&s, at);
    }
    return cairn_dendrogram_of_joins(ctx, tree, joins);
}

/* Single linkage of many rows: the merges are the edges of a minimum spanning tree, the shortest
 * first. The tree grows from the first row, always by the row that is nearest to it (Prim), so that
 * one row of distances is in memory at a time. Of rows that are as near as each other the one that
 * stands first in the working order is taken.
 *
 * Cost: n^2 distances; memory a few numbers per row. Places with Euclidean distances have a quicker
 * way. */

typedef struct span {
    const cairn_hierarchy_data *data;
    size_t n_left;
    uint32_t *left;  /* rows that are not in the tree */
    double *best;    /* their distance to the nearest row of the tree ... */
    double *from;    /* ... which is this one */
    double *values;  /* to the row that came last */
    double *whole;   /* n: the same to all rows */
    uint32_t *found; /* n: those with the least value */
} span;

static cairn_status make_span(cairn_context *ctx, span *s, const cairn_hierarchy_data *data)
{
    size_t n = data->n;
    *s = (span){.data = data, .n_left = n};
    CHECK(SCRATCH_RAW_EACH(ctx, n, &s->left, &s->found, &s->best, &s->from, &s->values, &s->whole));
    for (size_t i = 0; i < n; i++) {
        s->left[i] = (uint32_t)i;
        s->best[i] = INFINITY;
        s->from[i] = 0;
    }
    return CAIRN_OK;
}

/* Take the row at `at` into the tree: the last of those that are left takes its place. */
static uint32_t take_row(span *s, size_t at)
{
    uint32_t row = s->left[at];
    size_t end = --s->n_left;
    s->left[at] = s->left[end];
    s->best[at] = s->best[end];
    s->from[at] = s->from[end];
    return row;
}

/* The distances of the row that came last to those that are left. */
static cairn_status measure(cairn_context *ctx, span *s, uint32_t row)
{
    const cairn_distance_rows *rows = s->data->rows;
    CHECK(cairn_distances_block(ctx, rows, &row, 1, rows, 0, rows->n, s->whole, rows->n));
    for (size_t i = 0; i < s->n_left; i++) s->values[i] = s->whole[s->left[i]];
    return CAIRN_OK;
}

cairn_status cairn_hierarchy_span(cairn_context *ctx, cairn_dendrogram *tree,
                                  const cairn_hierarchy_data *data)
{
    SCOPED_SCRATCH(ctx);
    cairn_join *joins;
    span s;
    if (cairn_hierarchy_has_places(data->rows)) return span_places(ctx, tree, data);
    CHECK(make_span(ctx, &s, data));
    CHECK(SCRATCH_RAW(ctx, &joins, data->n));
    uint32_t row = take_row(&s, 0);
    for (size_t i = 0; i + 1 < data->n; i++) {
        CHECK(cairn_tick(ctx, "spanning tree", (double)i, (double)data->n));
        CHECK(measure(ctx, &s, row));
        double least = cairn_take_nearer(s.best, s.from, s.values, row, s.n_left);
        if (!(least < INFINITY))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "some rows have no distance to others; fill missing cells "
                              "({missing}) or leave such rows out");
        (void)cairn_find_at_most(s.found, s.best, s.n_left, least);
        size_t at = s.found[0];
        joins[i] = (cairn_join){.a = (uint32_t)s.from[at], .b = s.left[at], .height = least};
        row = take_row(&s, at);
    }
    return cairn_dendrogram_of_joins(ctx, tree, joins);
}
