/* SPDX-License-Identifier: MIT */
/* Rows of distances between clusters: made of places, joined and searched. As in kernels.h: plain
 * pointers, one thread, and the same bits at every level. */
#ifndef CAIRN_KERNELS_LINKAGE_H
#define CAIRN_KERNELS_LINKAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Places of points in tiles of CAIRN_TILE: coordinate t of point j. Behind the last point a tile is
 * filled up with zeros, and rows that are made of places have room for whole tiles. */
enum { CAIRN_TILE = 32, CAIRN_QUERIES = 8 };
static inline size_t cairn_tile_at(size_t n_columns, size_t point, size_t t)
{
    return (point / CAIRN_TILE * n_columns + t) * CAIRN_TILE + point % CAIRN_TILE;
}
static inline size_t cairn_tiled(size_t n)
{
    return (n + CAIRN_TILE - 1) / CAIRN_TILE * CAIRN_TILE;
}
/* out[q][j] = sum over t of (coordinate t of point j - queries[q][t])^2, one after the other, for
 * up to CAIRN_QUERIES queries and n points, a whole number of tiles. */
void cairn_squares_to(double *const *out, const double *tiles, const double *queries,
                      size_t n_queries, size_t n_columns, size_t n);
/* The same with the roots of the sums. */
void cairn_distances_to(double *const *out, const double *tiles, const double *queries,
                        size_t n_queries, size_t n_columns, size_t n);
/* out[q][k] = the least of the sums over t of (coordinate t - queries[q][t])^2 of the points of
 * tile k, about: sums are of floats. n is a whole number of tiles; at most CAIRN_QUERIES. */
void cairn_least_of_tiles(float *const *out, const float *tiles, const float *queries,
                          size_t n_queries, size_t n_columns, size_t n);
/* The points j, rising, of n in tiles of floats whose sum over t of (coordinate t - query[t])^2 is
 * at most limits[j], about: sums are of floats. n is a whole number of tiles. Returns how many. */
size_t cairn_find_near(uint32_t *out, const float *tiles, const float *query, const float *limits,
                       size_t n_columns, size_t n);
/* x[j] = sqrt(x[j]) */
void cairn_square_roots(double *x, size_t n);
/* x[j] = x[j] * 2 own sizes[j] / (own + sizes[j]): squared distances of centroids as Ward's. */
void cairn_ward_squares(double *x, const double *sizes, double own, size_t n);

/* The least of n numbers, infinite when there are none; NaN is passed over. */
double cairn_least(const double *x, size_t n);
/* The indices j, rising, with x[j] <= limit; returns how many. */
size_t cairn_find_at_most(uint32_t *out, const double *x, size_t n, double limit);
/* The indices j, rising, with x[j] <= (1 + slack) y[j] where x[j] is finite; how many. */
size_t cairn_find_not_above(uint32_t *out, const double *x, const double *y, size_t n,
                            double slack);
/* Where x[j] < best[j]: best[j] = x[j], from[j] = number. Returns the least of best. */
double cairn_take_nearer(double *best, double *from, const double *x, double number, size_t n);

/* How the distance to a joined cluster follows from those to its parts: values are squared for
 * Ward, centroids and medians. */
typedef enum cairn_joining {
    CAIRN_JOIN_LEAST,
    CAIRN_JOIN_MOST,
    CAIRN_JOIN_MEAN, /* max(0, a x + (1 - a) y + shift) */
    CAIRN_JOIN_WARD  /* a and b are the sizes of the parts, shift the value between them */
} cairn_joining;
/* Joins of columns, one after the other. Borrowed. */
typedef struct cairn_column_joins {
    cairn_joining joining;
    bool shifted;      /* MEAN: some shift is not 0 */
    uint32_t *columns; /* 2 per join: of the parts; the joined cluster has the first */
    double *a, *shift; /* MEAN: b is 1 - a */
    double *b;         /* WARD */
} cairn_column_joins;
/* Row x of the first part and row y of the second become that of the joined cluster, in x, by join
 * number `at`; WARD needs the sizes of the clusters in the columns. */
void cairn_join_rows(double *x, const double *y, const cairn_column_joins *joins, size_t at,
                     const double *sizes, size_t n);
/* The row (n) of a cluster of size `own` after the joins begin .. end-1 of other clusters: the
 * columns that are gone are infinite. The bits are those of the rows that were joined. */
void cairn_join_columns(double *row, const cairn_column_joins *joins, size_t begin, size_t end,
                        double own, size_t n);

/* Points in layers, by which values of points become values of their clusters: layer k has a point
 * of each of the first clusters, in their order, as many as it is long. Borrowed. */
typedef struct cairn_layers {
    size_t n_layers;
    uint32_t *starts; /* n_layers + 1: the first point of each; their lengths fall */
    double *shares;   /* of the points, layer after layer: what one counts in its cluster's mean */
} cairn_layers;
/* out[c] = the mean, the largest or the least (MEAN, MOST, LEAST) over the points of cluster c, of
 * which x has the values of points begin .. end-1; `layer` is that of the first, and 0 if begin is.
 * Returns the layer of point `end`. */
size_t cairn_join_layers(double *out, const double *x, size_t begin, size_t end,
                         const cairn_layers *layers, size_t layer, cairn_joining joining);

#endif
