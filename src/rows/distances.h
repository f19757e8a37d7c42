/* SPDX-License-Identifier: MIT */
/* The rows of a view and the distances between them, measured by any distance of the registry or
 * given as a matrix: what every method works with that needs distances only.
 *
 *     CHECK(cairn_distance_rows_open(ctx, &rows, view, p->distance));
 *     CHECK(cairn_distances_condensed(ctx, &rows, out));                   all pairs, or
 *     CHECK(cairn_distances_block(ctx, &rows, which, m, &rows, 0, rows.n, out, rows.n));
 *     CHECK(cairn_distance_rows_keep(ctx, &model->rows, &rows, which, k)); the exemplars
 *     CHECK(cairn_distance_rows_like(ctx, &queries, &model->rows, view));  predicting
 *
 * A value has the bits of cairn_metric_value(cairn_metric_order()), whatever the number of threads,
 * the processor and the rows that are asked for together; d(x, y) = d(y, x) to the last bit. */
#ifndef CAIRN_ROWS_DISTANCES_H
#define CAIRN_ROWS_DISTANCES_H

#include "stats/distance.h"

/* Owned, but what is given may be lent by the view that it was opened with, which must then live as
 * long. */
typedef struct cairn_distance_rows {
    size_t n;
    bool given;          /* the table is a matrix of distances */
    cairn_metric metric; /* measured */
    bool borrowed;       /* ... the metric is that of other rows */
    cairn_points points; /* measured */
    size_t width;        /* given: columns, one per row of the training table */
    uint32_t *numbers;   /* n: which row of its table it is, from 0; given: also the column that
                            holds the distances to it */
    const double **rows; /* given: n, the `width` distances of a row; NULL for rows that were kept
                            or read, which can only be compared with */
    double *values;      /* given: n x width, where they are not lent */
} cairn_distance_rows;

/* The row of a parameter table; the struct has a field `const char *distance`, and the entry's
 * check calls cairn_metric_check. */
#define CAIRN_DISTANCE_PARAM(S)                                                                    \
    CAIRN_PARAM_AS(S, distance, CAIRN_TYPE_SPEC, "euclidean",                                      \
                   "how rows are compared, such as minkowski:p=3, mahalanobis or gower (cairn "    \
                   "list distances)",                                                              \
                   .often = true, .names = "distance")

/* Rows of the view in its order (weights are the caller's affair). A table of shape distances is
 * taken as given; then a spec other than euclidean fails (CAIRN_USAGE). */
CAIRN_CHECKED cairn_status cairn_distance_rows_open(cairn_context *ctx, cairn_distance_rows *out,
                                                    const cairn_view *view, const char *spec);
/* New rows, to be compared with `like`, which must live as long; given: their distances to the
 * training rows, not negative. */
CAIRN_CHECKED cairn_status cairn_distance_rows_like(cairn_context *ctx, cairn_distance_rows *out,
                                                    const cairn_distance_rows *like,
                                                    const cairn_view *view);
/* Some of the rows, for a model; given: only which ones they are. */
CAIRN_CHECKED cairn_status cairn_distance_rows_keep(cairn_context *ctx, cairn_distance_rows *out,
                                                    const cairn_distance_rows *from,
                                                    const uint32_t *which, size_t n);
/* Of rows that were kept. */
CAIRN_CHECKED cairn_status cairn_distance_rows_archive(cairn_archive *archive,
                                                       cairn_distance_rows *rows);
/* For `check` of a learner: whether they have the columns of the schema and the parameters'
 * distance. */
CAIRN_CHECKED cairn_status cairn_distance_rows_check(cairn_archive *archive,
                                                     const cairn_distance_rows *rows,
                                                     size_t n_columns, const char *spec);
void cairn_distance_rows_clear(cairn_distance_rows *rows);

/* -- distances -- */

/* d(row i of a, row j of b); NaN when they cannot be compared. `buffer`: cairn_distance_buffer
 * numbers. */
double cairn_distance_pair(const cairn_distance_rows *a, size_t i, const cairn_distance_rows *b,
                           size_t j, int32_t *buffer);
size_t cairn_distance_buffer(const cairn_distance_rows *a, const cairn_distance_rows *b);

/* out[r * stride + j] = d(row which[r] of a, row first + j of b), r < m, j < n; `which` NULL = rows
 * 0 .. m-1. _block: on all threads. _alone: on the calling thread. */
CAIRN_CHECKED cairn_status cairn_distances_block(cairn_context *ctx, const cairn_distance_rows *a,
                                                 const uint32_t *which, size_t m,
                                                 const cairn_distance_rows *b, size_t first,
                                                 size_t n, double *out, size_t stride);
void cairn_distances_alone(const cairn_distance_rows *a, const uint32_t *which, size_t m,
                           const cairn_distance_rows *b, size_t first, size_t n, double *out,
                           size_t stride, int32_t *buffer);

/* All pairs i < j, n (n - 1) / 2 numbers in the order of cairn_pair_at. Fails naming the two rows
 * when a pair cannot be compared. */
CAIRN_CHECKED cairn_status cairn_distances_condensed(cairn_context *ctx,
                                                     const cairn_distance_rows *rows, double *out);
/* Fails, as cairn_memory_check, when all pairs of n rows, so many bytes each, do not fit: with the
 * estimate and the remedy, a clause such as "{method sample} needs less". */
CAIRN_CHECKED cairn_status cairn_distances_fit(cairn_context *ctx, size_t n, double bytes,
                                               const char *remedy);

/* -- what is given -- */

/* Fails unless the view has a column for every row of its table, which only a matrix of distances
 * that no transform has touched has. */
CAIRN_CHECKED cairn_status cairn_given_square(cairn_context *ctx, const cairn_view *view);
/* *out (n x n_features, NEW) = the distances of the view's rows; fails when one is negative. */
CAIRN_CHECKED cairn_status cairn_given_rows(cairn_context *ctx, double **out,
                                            const cairn_view *view);

#endif
