/* SPDX-License-Identifier: MIT */
/* Choosing how to search, and the search that compares every query with every point. */
#include "learners/neighbours/search.h"
#include "base/memory.h"
#include "parallel/parallel.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    QUERIES = 16,         /* of a block: they share the points that are in the cache */
    POINTS = 256,         /* compared with a block of queries at a time */
    FEW_POINTS = 400,     /* no tree pays below */
    KD_COLUMNS = 12,      /* boxes say much up to about so many dimensions */
    BALL_COLUMNS = 24,    /* balls a little longer, if there are many points */
    MANY_POINTS = 20000,  /* ... this many */
    KD_SQUARES = 7,       /* where products are the other way, boxes must be better */
    KD_SQUARES_MANY = 10, /* ... with very many points */
    VERY_MANY_POINTS = 200000,
    PRODUCT_COLUMNS = 4,
    PRODUCT_QUERIES = 16
};
static const double product_work = 1e6;

/* -- the best so far -- */

static bool farther(const cairn_best *best, size_t a, size_t b)
{
    return best->orders[a] > best->orders[b] ||
           (best->orders[a] == best->orders[b] && best->rows[a] > best->rows[b]);
}

static void exchange(cairn_best *best, size_t a, size_t b)
{
    double order = best->orders[a];
    uint32_t row = best->rows[a];
    best->orders[a] = best->orders[b], best->rows[a] = best->rows[b];
    best->orders[b] = order, best->rows[b] = row;
}

/* Item `at` moves down to its place among the first n. */
static void sink(cairn_best *best, size_t at, size_t n)
{
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= n) return;
        if (child + 1 < n && farther(best, child + 1, child)) child++;
        if (!farther(best, child, at)) return;
        exchange(best, at, child);
        at = child;
    }
}

void cairn_best_add(cairn_best *best, double order, uint32_t row)
{
    if (best->n == best->k) {
        best->orders[0] = order, best->rows[0] = row;
        sink(best, 0, best->n);
        return;
    }
    size_t at = best->n++;
    best->orders[at] = order, best->rows[at] = row;
    for (; at > 0 && farther(best, at, (at - 1) / 2); at = (at - 1) / 2)
        exchange(best, at, (at - 1) / 2);
}

/* The nearest first. */
static void sort_best(cairn_best *best)
{
    for (size_t n = best->n; n > 1; n--) {
        exchange(best, 0, n - 1);
        sink(best, 0, n - 1);
    }
}

cairn_best cairn_search_best(const cairn_search_run *run, size_t query)
{
    size_t k = run->out->k;
    return (cairn_best){
        .k = k, .orders = run->out->distances + query * k, .rows = run->out->rows + query * k};
}

/* -- all points -- */

/* Compare a query with points begin .. end-1. */
static void compare(const cairn_search_run *run, size_t query, size_t begin, size_t end,
                    int32_t *room, cairn_best *best)
{
    const cairn_neighbour_search *s = run->search;
    const double *given =
        run->queries->places ? run->queries->places + query * run->queries->width : NULL;
    for (size_t j = begin; j < end; j++) {
        if (run->own && j == query) continue;
        double order = s->columns && given
                           ? given[s->columns[j]]
                           : cairn_metric_order(s->metric, run->queries, query, s->points, j, room);
        if (cairn_best_wants(best, order, (uint32_t)j)) cairn_best_add(best, order, (uint32_t)j);
    }
}

void cairn_search_all(const cairn_search_run *run, size_t query, int worker, cairn_best *best)
{
    compare(run, query, 0, run->search->points->n, run->room + (size_t)worker * run->room_size,
            best);
}

static void compare_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const cairn_search_run *run = data;
    size_t n = run->search->points->n;
    int32_t *room = run->room + (size_t)worker * run->room_size;
    cairn_best best[QUERIES];
    for (size_t q = begin; q < end; q++) best[q - begin] = cairn_search_best(run, q);
    for (size_t first = 0; first < n; first += POINTS)
        for (size_t q = begin; q < end; q++)
            compare(run, q, first, first + POINTS < n ? first + POINTS : n, room, &best[q - begin]);
    for (size_t q = begin; q < end; q++) run->out->found[q] = (uint32_t)best[q - begin].n;
}

static cairn_status search_pairs(cairn_context *ctx, cairn_search_run *run)
{
    double work = (double)run->queries->n * (double)run->search->points->n *
                  (double)(run->queries->width + run->queries->longest + 1);
    return cairn_blocks_sized(ctx, run->queries->n, QUERIES, work, compare_block, run);
}

/* -- choosing -- */

static bool can_tree(const cairn_metric *metric, bool balls)
{
    if (metric->family == CAIRN_BY_PAIRS || metric->offsets) return false;
    return !balls || metric->family != CAIRN_BY_POWERS || metric->power >= 1;
}

static cairn_search_method choose(const cairn_metric *metric, const cairn_points *points)
{
    size_t n = points->n, width = points->width;
    if (n < FEW_POINTS || width == 0) return CAIRN_SEARCH_BRUTE;
    if (metric->family == CAIRN_BY_SQUARES && can_tree(metric, false)) {
        bool narrow = width <= KD_SQUARES || (width <= KD_SQUARES_MANY && n >= VERY_MANY_POINTS);
        return narrow ? CAIRN_SEARCH_KD : CAIRN_SEARCH_BRUTE;
    }
    if (can_tree(metric, false) && width <= KD_COLUMNS) return CAIRN_SEARCH_KD;
    if (can_tree(metric, true) && width <= BALL_COLUMNS && n >= MANY_POINTS)
        return CAIRN_SEARCH_BALL;
    return CAIRN_SEARCH_BRUTE;
}

cairn_status cairn_search_make(cairn_context *ctx, cairn_neighbour_search *out,
                               const cairn_metric *metric, const cairn_points *points,
                               const uint32_t *columns, cairn_search_method method)
{
    cairn_neighbour_search s = {
        .metric = metric, .points = points, .columns = columns, .method = method};
    bool balls = method == CAIRN_SEARCH_BALL;
    if (columns) {
        if (method == CAIRN_SEARCH_KD || balls)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{method %s} needs the points themselves, not their distances; leave "
                              "it out",
                              balls ? "ball" : "kd");
        s.method = CAIRN_SEARCH_BRUTE;
    } else if (method == CAIRN_SEARCH_AUTO) {
        s.method = choose(metric, points);
    } else if (method != CAIRN_SEARCH_BRUTE && !can_tree(metric, balls)) {
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "{method %s} cannot be used with the distance %s%s, which is not a sum or "
            "maximum over columns%s; {method brute} can",
            balls ? "ball" : "kd", metric->spec, metric->offsets ? " of bags" : "",
            balls ? " that keeps the triangle inequality" : "");
    }
    if (s.method == CAIRN_SEARCH_KD || s.method == CAIRN_SEARCH_BALL)
        CHECK(cairn_tree_build(ctx, &s.tree, metric, points, s.method == CAIRN_SEARCH_BALL));
    if (!columns && points->n_items) CHECK(cairn_postings_make(ctx, &s.postings, points));
    *out = s;
    return CAIRN_OK;
}

void cairn_search_clear(cairn_neighbour_search *search)
{
    cairn_free(search->tree.bounds);
    cairn_free(search->tree.blocks);
    cairn_free(search->tree.rows);
    cairn_free(search->tree.counts);
    cairn_postings_clear(&search->postings);
    *search = (cairn_neighbour_search){0};
}

void cairn_search_words(const cairn_neighbour_search *search, char *out, size_t size)
{
    const cairn_point_tree *tree = &search->tree;
    switch (search->method) {
    case CAIRN_SEARCH_KD:
    case CAIRN_SEARCH_BALL:
        snprintf(out, size, "%s tree of %zu leaves, %zu levels",
                 search->method == CAIRN_SEARCH_KD ? "kd" : "ball", tree->n_leaves, tree->depth);
        break;
    default:
        snprintf(out, size, "%s",
                 search->columns           ? "given distances"
                 : search->postings.begins ? "brute force over the items of bags"
                                           : "brute force");
        break;
    }
}

/* -- searching -- */

void cairn_neighbours_clear(cairn_neighbours *neighbours)
{
    cairn_free(neighbours->rows);
    cairn_free(neighbours->distances);
    cairn_free(neighbours->found);
    *neighbours = (cairn_neighbours){0};
}

/* Distances that differ by rounding only are equal: 0.1 and 0.3 are as far from 0.2. */
static const double tie_tolerance = 1e-12;

/* Equal distances become the same number, and of rows that are equally far the first comes first. A
 * few more neighbours than are wanted were looked for, so that the rule holds at the end, too. */
static void settle_ties(cairn_best *best)
{
    for (size_t i = 0, end; i < best->n; i = end) {
        for (end = i + 1; end < best->n; end++) {
            if (!(best->orders[end] - best->orders[i] <= tie_tolerance * best->orders[end])) break;
            best->orders[end] = best->orders[i];
            for (size_t at = end; at > i && best->rows[at] < best->rows[at - 1]; at--) {
                uint32_t row = best->rows[at];
                best->rows[at] = best->rows[at - 1];
                best->rows[at - 1] = row;
            }
        }
    }
}

/* Sort each query's best and turn orders into distances. */
static void finish_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const cairn_search_run *run = data;
    for (size_t q = begin; q < end; q++) {
        cairn_best best = cairn_search_best(run, q);
        best.n = run->out->found[q];
        sort_best(&best);
        for (size_t i = 0; !run->search->columns && i < best.n; i++)
            best.orders[i] = cairn_metric_value(run->search->metric, best.orders[i]);
        settle_ties(&best);
        for (size_t i = best.n; i < best.k; i++) best.orders[i] = NAN, best.rows[i] = 0;
    }
}

/* Leave the first k of every query. */
static void cut_spare(cairn_neighbours *found, size_t k)
{
    for (size_t q = 0; q < found->n && k < found->k; q++) {
        memmove(found->rows + q * k, found->rows + q * found->k, k * sizeof *found->rows);
        memmove(found->distances + q * k, found->distances + q * found->k,
                k * sizeof *found->distances);
        if (found->found[q] > k) found->found[q] = (uint32_t)k;
    }
    found->k = k;
}

static bool by_products(const cairn_neighbour_search *s, const cairn_points *queries)
{
    return !s->columns && s->metric->family == CAIRN_BY_SQUARES && !s->points->n_items &&
           s->points->width >= PRODUCT_COLUMNS && queries->n >= PRODUCT_QUERIES &&
           (double)queries->n * (double)s->points->n * (double)s->points->width >= product_work;
}

/* The last resort: rows are refused where they are packed, but a distance may still overflow when a
 * query is far out of the ranges of training, or when a file holds what was never fitted. */
static cairn_status check_found(cairn_context *ctx, const cairn_neighbour_search *s,
                                const cairn_neighbours *found)
{
    for (size_t i = 0; i < found->n * found->k; i++)
        if (isinf(found->distances[i]))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "query %zu: its %s distance from a training row is "
                              "beyond all numbers; rescale the columns, or leave the row out",
                              i / found->k + 1, s->columns ? "given" : s->metric->spec);
    return CAIRN_OK;
}

/* The way that was chosen when the search was made; without a tree the points decide. */
static cairn_status search_by_method(cairn_context *ctx, cairn_search_run *run)
{
    const cairn_neighbour_search *s = run->search;
    if (s->method == CAIRN_SEARCH_KD || s->method == CAIRN_SEARCH_BALL)
        return cairn_tree_search(ctx, run);
    if (s->postings.begins) return cairn_search_by_items(ctx, run);
    if (by_products(s, run->queries)) return cairn_search_by_products(ctx, run);
    return search_pairs(ctx, run);
}

cairn_status cairn_search_nearest(cairn_context *ctx, const cairn_neighbour_search *search,
                                  const cairn_points *queries, size_t k, bool own,
                                  cairn_neighbours *out)
{
    enum { SPARE = 2 };
    SCOPED_SCRATCH(ctx);
    size_t wanted = k;
    SCOPED(cairn_neighbours_clear)
    cairn_neighbours found = {.n = queries->n, .k = k += k ? SPARE : 0};
    cairn_search_run run = {.search = search, .queries = queries, .own = own, .out = &found};
    CHECK(NEW_RAW_EACH(ctx, cairn_product(found.n, k), &found.rows, &found.distances));
    CHECK(NEW(ctx, &found.found, found.n));
    run.room_size = cairn_metric_room(queries, search->points);
    CHECK(SCRATCH(ctx, &run.room, (size_t)cairn_workers(ctx) * run.room_size));
    if (k > 0) CHECK(search_by_method(ctx, &run)); /* of no neighbours there is no farthest one */
    CHECK(
        cairn_blocks_sized(ctx, found.n, 256, (double)found.n * (double)k * 8, finish_block, &run));
    cut_spare(&found, wanted);
    CHECK(check_found(ctx, search, &found));
    *out = found;
    found = (cairn_neighbours){0};
    return CAIRN_OK;
}
