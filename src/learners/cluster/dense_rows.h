/* SPDX-License-Identifier: MIT */
/* What clustering by density works with: rows that are measured or given as distances, a search
 * over them, and their weights. Shared by the learners `dbscan`, `optics` and `hdbscan`. */
#ifndef CAIRN_LEARNERS_CLUSTER_DENSE_ROWS_H
#define CAIRN_LEARNERS_CLUSTER_DENSE_ROWS_H

#include "learners/neighbours/search.h"
#include "model/learner.h"
#include "rows/distances.h"

/* Owned; it must not be moved, since the search points into it. */
typedef struct cairn_density {
    size_t n;
    cairn_distance_rows rows;
    cairn_neighbour_search search; /* measured; method AUTO = there is none yet */
    double *weights;               /* n, above 0; NULL = all 1 */
    double total;                  /* weight of all rows */
    uint32_t *at; /* n: which row of the view it was opened with; NULL = the same */
} cairn_density;

/* Rows of weight 0 are left out. There is no search yet. */
CAIRN_CHECKED cairn_status cairn_density_open(cairn_context *ctx, cairn_density *out,
                                              const cairn_view *view, const char *distance);
/* Make the search, unless there is one or distances are given. */
CAIRN_CHECKED cairn_status cairn_density_search(cairn_context *ctx, cairn_density *density);
void cairn_density_clear(cairn_density *density);

static inline double cairn_density_weight(const cairn_density *density, size_t row)
{
    return density->weights ? density->weights[row] : 1;
}

/* Row of the view that it was opened with. */
static inline size_t cairn_density_at(const cairn_density *density, size_t row)
{
    return density->at ? density->at[row] : row;
}

/* The search of rows within a radius (cairn_search_reach and those below it) among these rows,
 * whether they are measured or given. Make the search before. */
double cairn_density_reach(const cairn_density *density, double radius, bool open);
/* The distance that an order stands for. */
double cairn_density_value(const cairn_density *density, double order);
CAIRN_CHECKED cairn_status cairn_density_within(cairn_context *ctx, const cairn_density *density,
                                                const uint32_t *which, size_t n, double reach,
                                                cairn_reached reached, void *data);
/* One row, on the calling thread; `buffer` has cairn_distance_buffer numbers. */
void cairn_density_within_one(const cairn_density *density, size_t row, double reach,
                              int32_t *buffer, cairn_reached reached, void *data);

/* out (n): the distance within which a row has rows of the weight `enough`, itself among them;
 * infinite where all rows together have less. */
CAIRN_CHECKED cairn_status cairn_density_core_distances(cairn_context *ctx, cairn_density *density,
                                                        double enough, double *out);

/* What the certificate (NULL = nobody asks) is to know of core distances, of which those beyond
 * `most` are infinite. */
CAIRN_CHECKED cairn_status cairn_density_prove_cores(cairn_context *ctx, cairn_certificate *out,
                                                     const cairn_density *density, double enough,
                                                     double most, const double *core);

/* Where the curve of the rows' numbers, the largest first, bends most: the number that lies
 * farthest below the chord from the first to the last finite one, and how much weight comes before
 * it. NaN where none is finite. */
CAIRN_CHECKED cairn_status cairn_density_knee(cairn_context *ctx, const cairn_density *density,
                                              const double *numbers, double *knee, double *at);

/* The k nearest of some kept rows, or all when they are fewer, to every row of the view; of equally
 * near ones the first. Cleared by the caller. */
CAIRN_CHECKED cairn_status cairn_density_nearest(cairn_context *ctx,
                                                 const cairn_distance_rows *kept,
                                                 const cairn_view *view, size_t k,
                                                 cairn_neighbours *out);

/* -- what is shown -- */

enum {
    CAIRN_DENSITY_SAMPLE = 1000
}; /* most rows of a picture, and most that are told one by one */

/* Some rows in the plane of the first two number columns, for pictures. Owned. */
typedef struct cairn_density_sample {
    size_t n, n_columns; /* columns: 0 (no picture), 1 or 2 */
    int32_t columns[2];  /* features */
    double *places;      /* n x n_columns */
    int32_t *clusters;   /* n; -1 = none */
    int32_t *rows;       /* n: rows of the table, from 0 */
} cairn_density_sample;

/* A cell with a number that may be infinite, which is written as a sign; `name` NULL = none. */
CAIRN_PRINTF(3, 4)
void cairn_density_cell(cairn_report *out, double value, const char *name, ...);

/* Every row when there are few, else rows that are spread evenly. */
CAIRN_CHECKED cairn_status cairn_density_sample_keep(cairn_context *ctx, cairn_density_sample *out,
                                                     const cairn_density *density,
                                                     const cairn_view *view,
                                                     const int32_t *clusters);
extern const cairn_kept cairn_density_sample_keeps[];
/* A figure with the axes of the sample and nothing in it; *out NULL where there is no picture. */
CAIRN_CHECKED cairn_status cairn_density_figure(cairn_context *ctx, cairn_figure **out,
                                                const cairn_density_sample *sample,
                                                const cairn_job *job, const char *name,
                                                const char *title);
/* The sample's rows as points of the groups (one per row, -1 = grey). */
CAIRN_CHECKED cairn_status cairn_density_points(cairn_context *ctx, cairn_figure *figure,
                                                const cairn_density_sample *sample,
                                                const int32_t *groups, const char *const *names,
                                                size_t n_groups);
/* The whole picture: rows by their clusters, noise in grey. */
CAIRN_CHECKED cairn_status cairn_density_clusters_figure(cairn_context *ctx, cairn_figure **out,
                                                         const cairn_density_sample *sample,
                                                         size_t n_clusters, const cairn_job *job);

#endif
