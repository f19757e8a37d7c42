/* SPDX-License-Identifier: MIT */
/* The k nearest of a set of points, or all within a radius, exactly, by brute force or by a tree.
 *
 * Whatever the method and the number of threads, the answer is the same: the k points of least
 * order (cairn_metric_order), of equally near ones those that come first; or all points that are
 * not farther than the radius. */
#ifndef CAIRN_LEARNERS_SEARCH_H
#define CAIRN_LEARNERS_SEARCH_H

#include "stats/distance.h"

typedef enum cairn_search_method {
    CAIRN_SEARCH_AUTO,
    CAIRN_SEARCH_BRUTE, /* all points; by matrix products where the distance allows it */
    CAIRN_SEARCH_KD,    /* a binary tree of boxes */
    CAIRN_SEARCH_BALL   /* a binary tree of balls */
} cairn_search_method;

/* A balanced binary tree over points: node 0 is the root, the children of node i are 2i+1 and 2i+2;
 * every leaf holds at most `leaf` points. */
typedef struct cairn_point_tree {
    size_t n_nodes, n_leaves, depth, leaf;
    bool balls;
    double *bounds; /* n_nodes x 2 width: lows, then highs; or centre, then the radius */
    double *blocks; /* n_leaves x width x leaf: a leaf's points by columns; what is empty is inf */
    uint32_t *rows; /* n_leaves x leaf: which points */
    uint32_t *counts; /* n_leaves */
} cairn_point_tree;

/* Points of bags by their items: which points have the item, and how much of it. */
typedef struct cairn_postings {
    size_t *begins; /* n_items + 1 */
    uint32_t *rows;
    double *amounts;
} cairn_postings;

typedef struct cairn_neighbour_search {
    const cairn_metric *metric; /* borrowed */
    const cairn_points *points; /* borrowed */
    /* Distances that were given: point j of the set is number columns[j] of a query's numbers. NULL
     * = they are computed. */
    const uint32_t *columns;
    cairn_search_method method;
    cairn_point_tree tree;
    cairn_postings postings; /* bags */
} cairn_neighbour_search;

/* Nearest points of each query. Owned by the caller. */
typedef struct cairn_neighbours {
    size_t n, k;
    uint32_t *rows;    /* n x k, the nearest first */
    double *distances; /* n x k */
    uint32_t *found;   /* n: how many there are; fewer than k when a query is not comparable */
} cairn_neighbours;

/* AUTO chooses by shape, and by a search of some of the points where the shape does not tell: many
 * columns may lie near few dimensions. A method that the distance does not allow fails
 * (CAIRN_USAGE). `columns` as above. */
CAIRN_CHECKED cairn_status cairn_search_make(cairn_context *ctx, cairn_neighbour_search *out,
                                             const cairn_metric *metric, const cairn_points *points,
                                             const uint32_t *columns, cairn_search_method method);
void cairn_search_clear(cairn_neighbour_search *search);
/* Whether AUTO has to probe these points to choose. */
bool cairn_search_probes(const cairn_neighbour_search *search);
/* What it does, in words: "kd tree, 1024 leaves". */
void cairn_search_words(const cairn_neighbour_search *search, char *out, size_t size);

/* The k nearest points of every query. With `own`, query i is point i and leaves itself out. A
 * distance that overflows fails (CAIRN_BAD_DATA). */
CAIRN_CHECKED cairn_status cairn_search_nearest(cairn_context *ctx,
                                                const cairn_neighbour_search *search,
                                                const cairn_points *queries, size_t k, bool own,
                                                cairn_neighbours *out);
void cairn_neighbours_clear(cairn_neighbours *neighbours);

/* -- all points within a radius -- */

/* The largest order of a point within the radius by this metric (NULL = distances that are given);
 * -1 when there can be none. A distance that
 * differs from the radius by rounding only (a part in 1e12) is equal to it: within, unless `open`
 * asks for less than the radius. */
double cairn_search_reach(const cairn_metric *metric, double radius, bool open);

/* Takes a point that is within reach of a query. All points of a query come from one worker, one
 * after the other, in an order that depends on the method only. */
typedef void (*cairn_reached)(void *data, size_t query, uint32_t row, double order, int worker);

/* Every point within reach of the queries which[0] .. which[n-1] (NULL = the first n), each query
 * itself among them where it is a point. A query that cannot be compared reaches nothing. */
CAIRN_CHECKED cairn_status cairn_search_within(cairn_context *ctx,
                                               const cairn_neighbour_search *search,
                                               const cairn_points *queries, const uint32_t *which,
                                               size_t n, double reach, cairn_reached reached,
                                               void *data);
/* The same for one query on the calling thread, as its worker 0; `buffer` as cairn_metric_order. */
void cairn_search_within_one(const cairn_neighbour_search *search, const cairn_points *queries,
                             size_t query, double reach, int32_t *buffer, cairn_reached reached,
                             void *data);

/* -- between the parts of the search -- */

/* The best so far of one query: a heap with the farthest first. */
typedef struct cairn_best {
    size_t k, n;
    double *orders;
    uint32_t *rows;
} cairn_best;

/* Whether a point of this order would be among the best. */
static inline bool cairn_best_wants(const cairn_best *best, double order, uint32_t row)
{
    if (best->n < best->k) return order == order;
    return order < best->orders[0] || (order == best->orders[0] && row < best->rows[0]);
}
void cairn_best_add(cairn_best *best, double order, uint32_t row);

typedef struct cairn_search_run {
    const cairn_neighbour_search *search;
    const cairn_points *queries;
    bool own;
    cairn_neighbours *out; /* distances are orders until the end */
    int32_t *buffer;       /* per worker */
    size_t buffer_size;
} cairn_search_run;

/* The place of a query's k best in the results, empty. */
cairn_best cairn_search_best(const cairn_search_run *run, size_t query);
/* Compare the query with all points. */
void cairn_search_all(const cairn_search_run *run, size_t query, int worker, cairn_best *best);

/* The points that have each item, in order of the points; cleared by the caller. The searches
 * fill run->out: by items, by products, or down a tree that was built of boxes or of balls. */
void cairn_postings_clear(cairn_postings *postings);
CAIRN_CHECKED cairn_status cairn_tree_build(cairn_context *ctx, cairn_point_tree *out,
                                            const cairn_metric *metric, const cairn_points *points,
                                            bool balls);
CAIRN_CHECKED cairn_status cairn_tree_search(cairn_context *ctx, const cairn_search_run *run);
/* order[i] (n): queries (as in cairn_search_within) such that those that lie near each other follow
 * each other. Scratch. */
CAIRN_CHECKED cairn_status cairn_tree_order(cairn_context *ctx,
                                            const cairn_neighbour_search *search,
                                            const cairn_points *queries, const uint32_t *which,
                                            size_t n, uint64_t **out);
/* Leaves that a search for a few nearest looks into, on average over queries that are spread evenly
 * over the points of the tree. */
double cairn_tree_visits(const cairn_neighbour_search *search, size_t n_queries);
/* Least order that a point below the node may have from the query, but for rounding (a part in
 * 1e10). */
double cairn_tree_bound(const cairn_neighbour_search *search, size_t node, const double *query);
/* orders (CAIRN_LEAF) of the points of a leaf from a query, and a bit for each whose order is there
 * and may be at most the limit. */
uint32_t cairn_tree_leaf(const cairn_neighbour_search *search, const cairn_points *queries,
                         size_t query, size_t leaf, double limit, double *orders);
/* Down the tree to all points within reach. */
void cairn_tree_within(const cairn_neighbour_search *search, const cairn_points *queries,
                       size_t query, double reach, int worker, cairn_reached reached, void *data);

#endif
