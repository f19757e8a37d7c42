/* SPDX-License-Identifier: MIT */
/* Clusters that are joined, pair by pair, until one is left: what the agglomerative methods of the
 * learner `hierarchy` share.
 *
 * A cluster lies in a slot. For every slot a bound is kept that no other cluster is nearer than,
 * and a cluster at that distance: as long as that one lives, the bound is the distance itself. A
 * row of distances is made only for clusters whose neighbour is gone when their bound is about the
 * least of all. Where rows come from is a record: stored rows that learn of joins when they are
 * looked at, or places of centres. Values are squared distances for Ward, centroids and medians. */
#ifndef CAIRN_LEARNERS_HIERARCHY_JOIN_H
#define CAIRN_LEARNERS_HIERARCHY_JOIN_H

#include "kernels/linkage.h"
#include "learners/cluster/hierarchy.h"
#include "rows/distances.h"

typedef struct cairn_joiner cairn_joiner;

typedef struct cairn_join_source {
    /* out (n, at most CAIRN_QUERIES): the values of the slots' clusters to all slots, infinite for
     * themselves and for slots without a cluster. Valid until the worker's next call. Any number of
     * workers, each for other slots. */
    void (*rows)(cairn_joiner *joiner, const uint32_t *slots, size_t n, int worker,
                 const double **out);
    /* Room for that row, so that it stays. NULL = rows do not stay. */
    cairn_status (*keep)(cairn_context *ctx, cairn_joiner *joiner, size_t slot);
    bool (*kept)(const cairn_joiner *joiner, size_t slot);
    /* The value of a pair. */
    double (*between)(cairn_joiner *joiner, size_t a, size_t b);
    /* Put both into one of the two slots, which is *into; the sizes are still the parts'. */
    cairn_status (*join)(cairn_context *ctx, cairn_joiner *joiner, size_t a, size_t b,
                         size_t *into);
    /* The cluster of one slot goes to another; NULL = slots without a cluster stay until `pack`. */
    void (*move)(cairn_joiner *joiner, size_t from, size_t to);
    /* Slots with a cluster move together: `from` (live), which may be put in another order. */
    cairn_status (*pack)(cairn_context *ctx, cairn_joiner *joiner, uint32_t *from);
} cairn_join_source;

struct cairn_joiner {
    const cairn_join_source *source;
    void *state; /* the source's */
    cairn_dendrogram *tree;
    cairn_linkage linkage;
    cairn_joining joining;
    bool squared;      /* values are squares of heights */
    bool last;         /* ties go to the last pair */
    bool reverses;     /* a joined cluster may be nearer than its parts */
    size_t n;          /* leaves */
    size_t width;      /* slots in use */
    size_t live;       /* clusters */
    size_t made;       /* merges */
    uint32_t *ids;     /* width: number of the cluster in the tree */
    double *sizes;     /* width: 0 without a cluster */
    double *bounds;    /* width: infinite without one */
    uint32_t *nearest; /* width: a cluster at that value, or one that is gone */
    uint32_t *slots;   /* 2 n: where a cluster lies */
    uint32_t *found;   /* workers x n */
    uint32_t *batch;   /* slots that are looked at together */
    double reach;      /* how far above the least bound they are taken */
    double work;       /* about how much a row costs, in elementary steps per slot */
    double *spare;     /* n */
    double keep_all;   /* up to so many bytes rows of all leaves are measured once and kept */
    size_t n_tied;     /* merges with another pair as near */
    size_t n_others;   /* the last merge: slots of such pairs, beside its own */
    /* Bounds and neighbours of all leaves; NULL = their rows are looked at. */
    cairn_status (*start)(cairn_context *ctx, cairn_joiner *joiner);
    /* Before every merge; NULL = nobody looks on. */
    cairn_status (*watch)(cairn_context *ctx, cairn_joiner *joiner, size_t a, size_t b, void *data);
    void *watcher;
};

/* Values tie when they differ by no more than this part of them. */
static const double cairn_tied_values = 1e-12;

enum {
    CAIRN_NO_SLOT = UINT32_MAX,
    CAIRN_COUNTED_TIES = 512 /* up to so many leaves all ties are looked up and counted */
};

/* Leaves of the tree in slots of their own; the caller sets source and state. Scratch. */
CAIRN_CHECKED cairn_status cairn_joiner_make(cairn_context *ctx, cairn_joiner *out,
                                             cairn_dendrogram *tree,
                                             const cairn_hierarchy_params *params);
/* All merges. */
CAIRN_CHECKED cairn_status cairn_joiner_run(cairn_context *ctx, cairn_joiner *joiner);
/* Bounds and neighbours of all leaves from their rows. */
CAIRN_CHECKED cairn_status cairn_joiner_look(cairn_context *ctx, cairn_joiner *joiner);
/* One row. */
const double *cairn_joiner_row(cairn_joiner *joiner, size_t slot, int worker);
/* Which of n values are as near as the least of them, into `found`; returns how many. */
size_t cairn_find_tied(uint32_t *found, const double *values, size_t n, double least);

/* Rows of distances of any kind. The state is the caller's to clear. */
typedef struct cairn_stored_rows cairn_stored_rows;
CAIRN_CHECKED cairn_status cairn_stored_rows_open(cairn_context *ctx, cairn_joiner *joiner,
                                                  const cairn_hierarchy_data *data);
void cairn_stored_rows_close(cairn_joiner *joiner);

/* Places of rows in tiles. */
typedef struct cairn_tiled_places {
    size_t n_columns;
    double *tiles;   /* n_columns x cairn_tiled(n) */
    double *queries; /* workers x CAIRN_QUERIES x n_columns */
} cairn_tiled_places;
/* Whether the distance is the Euclidean one of places, so that centres stand for clusters. */
bool cairn_hierarchy_has_places(const cairn_distance_rows *rows);
/* Scratch. */
CAIRN_CHECKED cairn_status cairn_tiled_places_make(cairn_context *ctx, cairn_tiled_places *out,
                                                   const cairn_distance_rows *rows);
/* The points in another order: point i is row order[i], or row i without an order. */
void cairn_tiled_places_fill(cairn_tiled_places *tiles, const cairn_distance_rows *rows,
                             const uint32_t *order);
/* Squared distances of some points to the first `width`. */
void cairn_tiled_squares(const cairn_tiled_places *tiles, double *const *out,
                         const uint32_t *points, size_t n, size_t width, int worker);
/* Places as floats in tiles, moved and scaled to [-1, 1]; what fills up the last tile is farther
 * from any than these are from each other. */
typedef struct cairn_float_places {
    size_t n_columns;
    double scale;    /* what a place is divided by */
    double doubt;    /* by which a distance of scaled floats may err, and ... */
    double rounding; /* ... the factor by which its square may */
    float *tiles;    /* n_columns x cairn_tiled(n) */
} cairn_float_places;
/* Scratch. */
CAIRN_CHECKED cairn_status cairn_float_places_make(cairn_context *ctx, cairn_float_places *out,
                                                   const cairn_distance_rows *rows);
/* Whether squares of distances are numbers that floats can stand for. */
bool cairn_float_places_serve(const cairn_float_places *places);
/* No square of floats above it belongs to a distance that is not above this one. */
float cairn_float_limit(const cairn_float_places *places, double distance);
/* What the true distance is not above, of a square of floats. */
double cairn_float_most(const cairn_float_places *places, float square);

/* Bounds and neighbours of all leaves, as their whole rows give them. */
CAIRN_CHECKED cairn_status cairn_nearest_leaves(cairn_context *ctx, cairn_joiner *joiner,
                                                const cairn_distance_rows *rows,
                                                const cairn_tiled_places *exact,
                                                const cairn_float_places *floats);

/* Which points are in which cluster, once slots have been packed: rows of leaves that are measured
 * later get values of the clusters at once. */
typedef struct cairn_cluster_points {
    cairn_layers layers;
    uint32_t *points;                  /* n: layer after layer */
    uint32_t *slots;                   /* n: of a point */
    double *halves;                    /* n: what a point counts in a mean of means */
    uint32_t *roots, *counts, *sorted; /* n */
    double *parts;                     /* n */
} cairn_cluster_points;
/* Scratch. */
CAIRN_CHECKED cairn_status cairn_cluster_points_make(cairn_context *ctx, cairn_cluster_points *out,
                                                     size_t n);
/* After the joins begin .. end-1: `from` (live), the slots that stay, are put in the order of
 * falling numbers of points. */
void cairn_cluster_points_pack(cairn_cluster_points *points, const cairn_joiner *joiner,
                               const cairn_column_joins *joins, size_t begin, size_t end,
                               uint32_t *from);

/* Centres of clusters for Ward, centroids and medians. Scratch. */
CAIRN_CHECKED cairn_status cairn_centre_rows_open(cairn_context *ctx, cairn_joiner *joiner,
                                                  const cairn_hierarchy_data *data);

/* Shows every merge of few clusters among the steps. Scratch. */
CAIRN_CHECKED cairn_status cairn_hierarchy_watch(cairn_context *ctx, cairn_joiner *joiner,
                                                 cairn_report *steps);

/* Single linkage by a minimum spanning tree, in memory that grows with the rows; the second where
 * the rows have places. */
CAIRN_CHECKED cairn_status cairn_hierarchy_span(cairn_context *ctx, cairn_dendrogram *tree,
                                                const cairn_hierarchy_data *data);
CAIRN_CHECKED cairn_status cairn_hierarchy_span_places(cairn_context *ctx, cairn_dendrogram *tree,
                                                       const cairn_hierarchy_data *data);

#endif
