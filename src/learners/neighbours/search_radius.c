/* SPDX-License-Identifier: MIT */
/* All points within a radius of each query.
 *
 * Distances grow with orders, so a radius is turned into the largest order that is still within it
 * and no root is taken while searching. A tree is gone down wherever a box or ball comes near
 * enough; otherwise every query is compared with every point. */
#include "base/memory.h"
#include "learners/neighbours/search.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include <math.h>

enum { QUERIES = 16, POINTS = 256 };
static const double rounding = 1e-12;

/* -- the reach -- */

static double value_of(const cairn_metric *metric, double order)
{
    return metric ? cairn_metric_value(metric, order) : order;
}

double cairn_search_reach(const cairn_metric *metric, double radius, bool open)
{
    double limit = radius * (open ? 1 - rounding : 1 + rounding);
    uint64_t low = cairn_order_key(0), high = cairn_order_key(INFINITY);
    if (!(value_of(metric, 0) <= limit) || (open && !(value_of(metric, 0) < limit))) return -1;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        double value = value_of(metric, cairn_order_number(middle));
        if (open ? value < limit : value <= limit)
            low = middle;
        else
            high = middle;
    }
    return cairn_order_number(low);
}

/* -- visiting -- */

typedef struct within_run {
    const cairn_neighbour_search *search;
    const cairn_points *queries;
    const uint32_t *which; /* NULL = the first n */
    const uint64_t *order; /* trees: the queries in the order in which they are taken */
    double reach;
    cairn_reached reached;
    void *data;
    int32_t *room; /* per worker */
    size_t room_size;
} within_run;

/* Compare a query with points begin .. end-1. */
static void compare(const within_run *run, size_t query, size_t begin, size_t end, int worker)
{
    const cairn_neighbour_search *s = run->search;
    const double *given = s->columns ? run->queries->places + query * run->queries->width : NULL;
    int32_t *room = run->room ? run->room + (size_t)worker * run->room_size : NULL;
    for (size_t j = begin; j < end; j++) {
        double order = given
                           ? given[s->columns[j]]
                           : cairn_metric_order(s->metric, run->queries, query, s->points, j, room);
        if (order <= run->reach) run->reached(run->data, query, (uint32_t)j, order, worker);
    }
}

static void compare_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const within_run *run = data;
    size_t n = run->search->points->n;
    for (size_t first = 0; first < n; first += POINTS)
        for (size_t i = begin; i < end; i++)
            compare(run, run->which ? run->which[i] : i, first,
                    first + POINTS < n ? first + POINTS : n, worker);
}

static void descend_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const within_run *run = data;
    for (size_t i = begin; i < end; i++)
        cairn_tree_within(run->search, run->queries, run->order[i], run->reach, worker,
                          run->reached, run->data);
}

static bool has_tree(const cairn_neighbour_search *search)
{
    return search->method == CAIRN_SEARCH_KD || search->method == CAIRN_SEARCH_BALL;
}

cairn_status cairn_search_within(cairn_context *ctx, const cairn_neighbour_search *search,
                                 const cairn_points *queries, const uint32_t *which, size_t n,
                                 double reach, cairn_reached reached, void *data)
{
    SCOPED_SCRATCH(ctx);
    within_run run = {.search = search,
                      .queries = queries,
                      .which = which,
                      .reach = reach,
                      .reached = reached,
                      .data = data,
                      .room_size = cairn_metric_room(queries, search->points)};
    CHECK(SCRATCH(ctx, &run.room, cairn_product((size_t)cairn_workers(ctx), run.room_size)));
    if (has_tree(search)) {
        uint64_t *order;
        CHECK(cairn_tree_order(ctx, search, queries, which, n, &order));
        run.order = order;
        return cairn_blocks_sized(ctx, n, QUERIES, (double)n * 2000, descend_block, &run);
    }
    double work =
        (double)n * (double)search->points->n * (double)(queries->width + queries->longest + 1);
    return cairn_blocks_sized(ctx, n, QUERIES, work, compare_block, &run);
}

void cairn_search_within_one(const cairn_neighbour_search *search, const cairn_points *queries,
                             size_t query, double reach, int32_t *room, cairn_reached reached,
                             void *data)
{
    within_run run = {.search = search,
                      .queries = queries,
                      .reach = reach,
                      .reached = reached,
                      .data = data,
                      .room = room};
    if (has_tree(search))
        cairn_tree_within(search, queries, query, reach, 0, reached, data);
    else
        compare(&run, query, 0, search->points->n, 0);
}
