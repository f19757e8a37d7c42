/* SPDX-License-Identifier: MIT */
/* Choosing how to search, and the search that compares every query with every point. */
#include "base/memory.h"
#include "base/functions.h"
#include "kernels/kernels.h"
#include "kernels/products.h"
#include "learners/neighbours/search.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Nearest bags: the inner products of a query with all points are added up item by item, from lists
 * of the points that have the item, so that what two rows do not share costs nothing. Products are
 * added in the order of the items, as they are for a single pair. */

enum { ITEMS_QUERIES = 8 };

/* The rows that have each item, in order, so that a query meets only rows with which it shares an
 * item. */
static cairn_status cairn_postings_make(cairn_context *ctx, cairn_postings *out,
                                        const cairn_points *points)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_postings_clear) cairn_postings p = {0};
    size_t *next, n_cells = points->begins[points->n];
    CHECK(NEW(ctx, &p.begins, points->n_items + 1));
    CHECK(NEW_RAW_EACH(ctx, n_cells, &p.rows, &p.amounts));
    CHECK(SCRATCH(ctx, &next, points->n_items));
    for (size_t at = 0; at < n_cells; at++) p.begins[points->items[at] + 1]++;
    for (size_t item = 0; item < points->n_items; item++) {
        p.begins[item + 1] += p.begins[item];
        next[item] = p.begins[item];
    }
    for (size_t i = 0; i < points->n; i++)
        for (size_t at = points->begins[i]; at < points->begins[i + 1]; at++) {
            size_t place = next[points->items[at]]++;
            p.rows[place] = (uint32_t)i;
            p.amounts[place] = points->amounts[at];
        }
    *out = p;
    memset(&p, 0, sizeof p);
    return CAIRN_OK;
}

void cairn_postings_clear(cairn_postings *postings)
{
    FREE_EACH(postings->begins, postings->rows, postings->amounts);
    *postings = (cairn_postings){0};
}

typedef struct items_run {
    const cairn_search_run *run;
    double *products; /* per worker: n */
} items_run;

/* Points that share no item keep product 0 and yet are offered, since some distances of such
 * pairs are finite. */
static void search_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const items_run *r = data;
    const cairn_neighbour_search *s = r->run->search;
    const cairn_points *queries = r->run->queries, *points = s->points;
    const cairn_metric *metric = s->metric;
    double *products = r->products + (size_t)worker * points->n;
    for (size_t q = begin; q < end; q++) {
        cairn_best best = cairn_search_best(r->run, q);
        memset(products, 0, points->n * sizeof *products);
        for (size_t at = queries->begins[q]; at < queries->begins[q + 1]; at++) {
            size_t item = (size_t)queries->items[at];
            double amount = queries->amounts[at];
            for (size_t i = s->postings.begins[item]; i < s->postings.begins[item + 1]; i++)
                products[s->postings.rows[i]] += amount * s->postings.amounts[i];
        }
        for (size_t j = 0; j < points->n; j++) {
            if (r->run->own && j == q) continue;
            double order = metric->distance->of_product(metric, products[j], queries->squares[q],
                                                        points->squares[j]);
            if (cairn_best_wants(&best, order, (uint32_t)j))
                cairn_best_add(&best, order, (uint32_t)j);
        }
        r->run->out->found[q] = (uint32_t)best.n;
    }
}

/* All points within a radius of each query.
 *
 * Distances grow with orders, so a radius is turned into the largest order that is still within it
 * and no root is taken while searching. A tree is gone down wherever a box or ball comes near
 * enough; otherwise every query is compared with every point. */

enum { RADIUS_QUERIES = 16, RADIUS_POINTS = 256 };
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
    int32_t *buffer; /* per worker */
    size_t buffer_size;
} within_run;

/* Compare a query with points begin .. end-1. */
static void radius_compare(const within_run *run, size_t query, size_t begin, size_t end,
                           int worker)
{
    const cairn_neighbour_search *s = run->search;
    const double *given = s->columns ? run->queries->places + query * run->queries->width : NULL;
    int32_t *buffer = run->buffer ? run->buffer + (size_t)worker * run->buffer_size : NULL;
    for (size_t j = begin; j < end; j++) {
        double order =
            given ? given[s->columns[j]]
                  : cairn_metric_order(s->metric, run->queries, query, s->points, j, buffer);
        if (order <= run->reach) run->reached(run->data, query, (uint32_t)j, order, worker);
    }
}

static void radius_compare_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const within_run *run = data;
    size_t n = run->search->points->n;
    for (size_t first = 0; first < n; first += RADIUS_POINTS)
        for (size_t i = begin; i < end; i++)
            radius_compare(run, run->which ? run->which[i] : i, first,
                           first + RADIUS_POINTS < n ? first + RADIUS_POINTS : n, worker);
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
                      .buffer_size = cairn_metric_buffer(queries, search->points)};
    CHECK(SCRATCH(ctx, &run.buffer, cairn_product((size_t)cairn_workers(ctx), run.buffer_size)));
    if (has_tree(search)) {
        uint64_t *order;
        CHECK(cairn_tree_order(ctx, search, queries, which, n, &order));
        run.order = order;
        return cairn_blocks_sized(ctx, n, RADIUS_QUERIES, (double)n * 2000, descend_block, &run);
    }
    double work =
        (double)n * (double)search->points->n * (double)(queries->width + queries->longest + 1);
    return cairn_blocks_sized(ctx, n, RADIUS_QUERIES, work, radius_compare_block, &run);
}

void cairn_search_within_one(const cairn_neighbour_search *search, const cairn_points *queries,
                             size_t query, double reach, int32_t *buffer, cairn_reached reached,
                             void *data)
{
    within_run run = {.search = search,
                      .queries = queries,
                      .reach = reach,
                      .reached = reached,
                      .data = data,
                      .buffer = buffer};
    if (has_tree(search))
        cairn_tree_within(search, queries, query, reach, 0, reached, data);
    else
        radius_compare(&run, query, 0, search->points->n, 0);
}

/* Nearest points by matrix products: |x - y|^2 = |x|^2 - 2 x.y + |y|^2.
 *
 * The products of a block of queries with a block of points come from one matrix product of floats.
 * They are approximate, by at most a bound e that is worked out below, so with A the k-th smallest
 * approximate value the true neighbours are among the points whose value is at most A + 2e. Those
 * few are compared again in double, and the answer is exact.
 *
 * The bound. With u = 2^-24, N = |x| + max |y|, d columns, and numbers moved to a common centre:
 *   rounding to float, and the error of the move, change a row by at most r = u N + 2 sqrt(d) c,
 *   which changes a squared distance by at most 2 r N + r^2;
 *   a product of d terms is off by at most (d + 2) u |x| |y| in any order of addition, twice;
 *   the sum |y|^2 - 2 x.y is rounded a few times more.
 * The points are rounded once for many queries, which takes half the memory of the points again,
 * and block by block for few of them, or when there is no room for all.
 *
 * A query with more candidates than there is room for (very many equal distances), or far out of
 * the range of floats, is compared with all points in double. */

enum {
    PRODUCTS_QUERIES = 256,
    PRODUCTS_POINTS = 1024,
    SAMPLE = 512,
    CONVERT = 256,
    MANY_QUERIES = 4096
};
static const double smallest = 1e-9, largest = 1e9, float_rounding = 0x1p-24;

typedef struct products_run {
    const cairn_context *ctx;
    const cairn_search_run *run;
    size_t n, d, k, buffer;
    double *centre;  /* d */
    double farthest; /* largest |y| */
    double shift;    /* error of moving a number to the centre */
    float *points;   /* n x d; NULL = a block of them is made when it is needed */
    float *norms;    /* n: |y|^2 */
    double *lengths; /* n */
    /* per worker */
    float *queries; /* QUERIES x d */
    float *block;   /* POINTS x d, or nothing */
    float *dots;    /* QUERIES x POINTS */
    float *product; /* product_buffer: what a matrix product works in */
    size_t product_buffer;
    uint32_t *below; /* POINTS */
    float *nearest;  /* QUERIES x k: the smallest values, a heap */
    float *values;   /* QUERIES x room: candidates */
    uint32_t *rows;  /* QUERIES x room */
} products_run;

/* One query's candidates. */
typedef struct candidates {
    size_t k, buffer, n, n_nearest;
    float *nearest, *values;
    uint32_t *rows;
    double slack; /* 2e; infinite = compare with all */
} candidates;

/* -- points as floats -- */

static void convert_rows(const products_run *p, float *out, const double *places, double *length,
                         size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double *place = places + i * p->d;
        double sum = 0;
        for (size_t t = 0; t < p->d; t++) {
            float x = (float)(place[t] - p->centre[t]);
            out[i * p->d + t] = x;
            sum += (double)x * x;
        }
        length[i] = sqrt(sum);
    }
}

static void convert_points(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    products_run *p = data;
    const double *places = p->run->search->points->places;
    float *out =
        p->points ? p->points + begin * p->d : p->block + (size_t)worker * PRODUCTS_POINTS * p->d;
    convert_rows(p, out, places + begin * p->d, p->lengths + begin, end - begin);
    for (size_t i = begin; i < end; i++) p->norms[i] = (float)(p->lengths[i] * p->lengths[i]);
}

/* Points first .. first+n-1 as floats. */
static const float *block_of(const products_run *p, size_t first, size_t n, int worker)
{
    if (p->points) return p->points + first * p->d;
    const double *places = p->run->search->points->places + first * p->d;
    float *out = p->block + (size_t)worker * PRODUCTS_POINTS * p->d;
    for (size_t i = 0; i < n; i++)
        for (size_t t = 0; t < p->d; t++)
            out[i * p->d + t] = (float)(places[i * p->d + t] - p->centre[t]);
    return out;
}

/* All points are turned into floats once where memory allows it and the queries are worth it;
 * else block by block, at every block of queries. */
static cairn_status prepare(cairn_context *ctx, products_run *p)
{
    size_t workers = (size_t)cairn_workers(ctx);
    CHECK(SCRATCH(ctx, &p->centre, p->d));
    double bytes = 5.0 * (double)p->n * (double)p->d;
    bool all = p->run->queries->n >= MANY_QUERIES && bytes < (double)cairn_memory_available(ctx);
    if (all)
        CHECK(NEW_RAW(ctx, &p->points, cairn_product(p->n, p->d)));
    else
        CHECK(SCRATCH_RAW(ctx, &p->block, cairn_product(workers * PRODUCTS_POINTS, p->d)));
    CHECK(SCRATCH_RAW_EACH(ctx, p->n, &p->norms, &p->lengths));
    CHECK(SCRATCH_RAW(ctx, &p->queries, cairn_product(workers * PRODUCTS_QUERIES, p->d)));
    CHECK(SCRATCH_RAW(ctx, &p->dots, workers * PRODUCTS_QUERIES * PRODUCTS_POINTS));
    p->product_buffer = cairn_matmul_floats_buffer(PRODUCTS_QUERIES, PRODUCTS_POINTS, p->d);
    CHECK(SCRATCH_RAW(ctx, &p->product, cairn_product(workers, p->product_buffer)));
    CHECK(SCRATCH_RAW(ctx, &p->below, workers * PRODUCTS_POINTS));
    CHECK(SCRATCH_RAW(ctx, &p->nearest, cairn_product(workers * PRODUCTS_QUERIES, p->k)));
    CHECK(SCRATCH_RAW_EACH(ctx, cairn_product(workers * PRODUCTS_QUERIES, p->buffer), &p->values,
                           &p->rows));
    /* Any centre will do; the mean of some points keeps the numbers small. */
    const double *places = p->run->search->points->places;
    size_t step = p->n / SAMPLE + 1, n = 0;
    double most = 0;
    for (size_t i = 0; i < p->n; i += step, n++)
        for (size_t t = 0; t < p->d; t++) p->centre[t] += places[i * p->d + t];
    for (size_t t = 0; t < p->d; t++) {
        p->centre[t] /= (double)n;
        most = fmax(most, fabs(p->centre[t]));
    }
    p->shift = most;
    CHECK(cairn_blocks(ctx, p->n, CONVERT, convert_points, p));
    for (size_t i = 0; i < p->n; i++) p->farthest = fmax(p->farthest, p->lengths[i]);
    p->shift = 0x1p-52 * (p->shift + p->farthest);
    return CAIRN_OK;
}

/* Twice the bound of the error; infinite when floats will not do. */
static double slack_of(const products_run *p, double length)
{
    double d = (double)p->d, far = p->farthest;
    if (!(length <= largest)) return INFINITY;
    double both = length + far, shift = p->shift + 0x1p-52 * length;
    double row = float_rounding * both + 2 * sqrt(d) * shift;
    double error = 2 * row * both + row * row + 2 * (d + 2) * float_rounding * length * far +
                   6 * float_rounding * (far * far + 2 * length * far);
    return error < INFINITY ? 2.02 * error : INFINITY;
}

/* -- candidates -- */

/* Keep the k smallest values, the largest of them first. */
static void keep_nearest(candidates *c, float value)
{
    size_t at, n = c->n_nearest;
    float *heap = c->nearest;
    if (n < c->k) {
        for (at = c->n_nearest++; at > 0 && heap[(at - 1) / 2] < value; at = (at - 1) / 2)
            heap[at] = heap[(at - 1) / 2];
        heap[at] = value;
        return;
    }
    if (!(value < heap[0])) return;
    for (at = 0; 2 * at + 1 < n;) {
        size_t child = 2 * at + 1;
        if (child + 1 < n && heap[child + 1] > heap[child]) child++;
        if (!(heap[child] > value)) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = value;
}

/* No true neighbour has a larger value. Rounded up. */
static float limit_of(const candidates *c)
{
    if (c->n_nearest < c->k) return INFINITY;
    double limit = (double)c->nearest[0] + c->slack;
    float rounded = (float)limit;
    return (double)rounded < limit ? nextafterf(rounded, INFINITY) : rounded;
}

/* Leave out candidates beyond the limit; those that are left may be too many. */
static void compress(candidates *c)
{
    float limit = limit_of(c);
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++) {
        if (!(c->values[i] <= limit)) continue;
        c->values[n] = c->values[i];
        c->rows[n++] = c->rows[i];
    }
    c->n = n;
    if (n > c->buffer / 2) c->slack = INFINITY;
}

/* Points first .. of a block whose products with the query are in `dots`. */
static void gather(const products_run *p, candidates *c, const float *dots, size_t first, size_t n,
                   uint32_t *below, size_t own)
{
    size_t found = cairn_find_below(below, dots, p->norms + first, n, limit_of(c));
    for (size_t i = 0; i < found; i++) {
        size_t at = below[i];
        float value = p->norms[first + at] - 2 * dots[at];
        if (first + at == own) continue;
        if (c->n == c->buffer) compress(c);
        if (isinf(c->slack)) return;
        if (!(value <= limit_of(c))) continue;
        keep_nearest(c, value);
        c->values[c->n] = value;
        c->rows[c->n++] = (uint32_t)(first + at);
    }
}

/* Approximate products sort out candidates for a block of queries at a time; settle() then
 * measures exactly, so the result has no rounding of floats. */
static void products_search_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const products_run *p = data;
    size_t n = end - begin, at = (size_t)worker * PRODUCTS_QUERIES;
    float *queries = p->queries + at * p->d, *dots = p->dots + at * PRODUCTS_POINTS;
    uint32_t *below = p->below + (size_t)worker * PRODUCTS_POINTS;
    double lengths[PRODUCTS_QUERIES];
    candidates all[PRODUCTS_QUERIES];
    convert_rows(p, queries, p->run->queries->places + begin * p->d, lengths, n);
    for (size_t q = 0; q < n; q++)
        all[q] = (candidates){.k = p->k,
                              .buffer = p->buffer,
                              .nearest = p->nearest + (at + q) * p->k,
                              .values = p->values + (at + q) * p->buffer,
                              .rows = p->rows + (at + q) * p->buffer,
                              .slack = slack_of(p, lengths[q])};
    for (size_t first = 0; first < p->n; first += PRODUCTS_POINTS) {
        size_t points = p->n - first < PRODUCTS_POINTS ? p->n - first : PRODUCTS_POINTS;
        if (cairn_is_cancelled(p->ctx)) return;
        cairn_row_products_floats(dots, PRODUCTS_POINTS, queries, n,
                                  block_of(p, first, points, worker), points, p->d,
                                  p->product + (size_t)worker * p->product_buffer);
        for (size_t q = 0; q < n; q++)
            if (!isinf(all[q].slack))
                gather(p, &all[q], dots + q * PRODUCTS_POINTS, first, points, below,
                       p->run->own ? begin + q : SIZE_MAX);
    }
    for (size_t q = 0; q < n; q++) {
        /* The exact order of the candidates decides. */
        candidates *c = &all[q];
        size_t query = begin + q;
        const cairn_search_run *run = p->run;
        const cairn_neighbour_search *s = run->search;
        cairn_best best = cairn_search_best(run, query);
        float limit = limit_of(c);
        if (isinf(c->slack)) {
            cairn_search_all(run, query, worker, &best);
        } else {
            for (size_t i = 0; i < c->n; i++) {
                if (!(c->values[i] <= limit)) continue;
                double order =
                    cairn_metric_order(s->metric, run->queries, query, s->points, c->rows[i], NULL);
                if (cairn_best_wants(&best, order, c->rows[i]))
                    cairn_best_add(&best, order, c->rows[i]);
            }
        }
        run->out->found[query] = (uint32_t)best.n;
    }
}

static cairn_status cairn_search_by_products(cairn_context *ctx, const cairn_search_run *run)
{
    const cairn_points *points = run->search->points;
    products_run p = {.ctx = ctx, .run = run, .n = points->n, .d = points->width, .k = run->out->k};
    cairn_status status;
    p.buffer = 4 * p.k + 256;
    TRY(prepare(ctx, &p));
    if (!(p.farthest >= smallest && p.farthest <= largest)) p.farthest = INFINITY;
    TRY(cairn_blocks(ctx, run->queries->n, PRODUCTS_QUERIES, products_search_block, &p));
done:
    cairn_free(p.points);
    return status;
}

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
    PRODUCT_QUERIES = 16,
    PROBE_LEAST = 4096, /* fewer points are compared sooner than probed */
    PROBE_POINTS = 16384,
    PROBE_RATIO = 4, /* of the larger sample to the smaller one */
    PROBE_QUERIES = 64,
    PROBE_COLUMNS = 128
};
static const double product_work = 1e6;
/* Shares of the points that a tree may look at and still be the quicker way, of squares times the
 * columns: a product costs about the same for any number of them, a look down a tree does not. */
static const double WORTH_SQUARES = 0.6, WORTH_OTHERS = 0.3;

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

cairn_best cairn_search_best(const cairn_search_run *run, size_t query)
{
    size_t k = run->out->k;
    return (cairn_best){
        .k = k, .orders = run->out->distances + query * k, .rows = run->out->rows + query * k};
}

/* -- all points -- */

/* Compare a query with points begin .. end-1. */
static void compare(const cairn_search_run *run, size_t query, size_t begin, size_t end,
                    int32_t *buffer, cairn_best *best)
{
    const cairn_neighbour_search *s = run->search;
    const double *given =
        run->queries->places ? run->queries->places + query * run->queries->width : NULL;
    for (size_t j = begin; j < end; j++) {
        if (run->own && j == query) continue;
        double order = s->columns && given ? given[s->columns[j]]
                                           : cairn_metric_order(s->metric, run->queries, query,
                                                                s->points, j, buffer);
        if (cairn_best_wants(best, order, (uint32_t)j)) cairn_best_add(best, order, (uint32_t)j);
    }
}

void cairn_search_all(const cairn_search_run *run, size_t query, int worker, cairn_best *best)
{
    compare(run, query, 0, run->search->points->n, run->buffer + (size_t)worker * run->buffer_size,
            best);
}

static void compare_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const cairn_search_run *run = data;
    size_t n = run->search->points->n;
    int32_t *buffer = run->buffer + (size_t)worker * run->buffer_size;
    cairn_best best[QUERIES];
    for (size_t q = begin; q < end; q++) best[q - begin] = cairn_search_best(run, q);
    for (size_t first = 0; first < n; first += POINTS)
        for (size_t q = begin; q < end; q++)
            compare(run, q, first, first + POINTS < n ? first + POINTS : n, buffer,
                    &best[q - begin]);
    for (size_t q = begin; q < end; q++) run->out->found[q] = (uint32_t)best[q - begin].n;
}

/* -- choosing -- */

static bool can_tree(const cairn_metric *metric, bool balls)
{
    if (metric->family == CAIRN_BY_PAIRS || metric->offsets) return false;
    return !balls || metric->family != CAIRN_BY_POWERS || metric->power >= 1;
}

/* Leaves that a search among n points that are spread evenly over all looks into. */
static cairn_status visits_among(cairn_context *ctx, const cairn_metric *metric,
                                 const cairn_points *points, size_t n, double *visits)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_search_clear) cairn_neighbour_search s = {.metric = metric};
    size_t width = points->width;
    cairn_points sample = {.n = n, .width = width};
    CHECK(SCRATCH_RAW(ctx, &sample.places, cairn_product(n, width)));
    for (size_t i = 0; i < n; i++)
        memcpy(sample.places + i * width, points->places + i * points->n / n * width,
               width * sizeof *sample.places);
    s.points = &sample;
    CHECK(cairn_tree_build(ctx, &s.tree, metric, &sample, false));
    *visits = cairn_tree_visits(&s, PROBE_QUERIES);
    return CAIRN_OK;
}

/* What share of the points a tree would look at. Points that lie near few dimensions look into ever
 * fewer of the leaves as they become more, others into nearly all: the leaves of two samples tell
 * how they grow, and so about how many there are among all. */
static cairn_status probe(cairn_context *ctx, const cairn_metric *metric,
                          const cairn_points *points, double *share)
{
    size_t many = points->n < PROBE_POINTS ? points->n : PROBE_POINTS, few = many / PROBE_RATIO;
    double of_few, of_many;
    CHECK(visits_among(ctx, metric, points, few, &of_few));
    CHECK(visits_among(ctx, metric, points, many, &of_many));
    double power = cairn_log(of_many / of_few) / cairn_log(PROBE_RATIO);
    double visits = of_many * cairn_pow((double)points->n / (double)many, fmin(power, 1));
    *share = fmin(1, visits * CAIRN_LEAF / (double)points->n);
    return CAIRN_OK;
}

/* Whether boxes pay by the number of columns alone. */
static bool is_narrow(const cairn_neighbour_search *s)
{
    size_t width = s->points->width;
    if (s->metric->family != CAIRN_BY_SQUARES) return width <= KD_COLUMNS;
    return width <= KD_SQUARES || (width <= KD_SQUARES_MANY && s->points->n >= VERY_MANY_POINTS);
}

bool cairn_search_probes(const cairn_neighbour_search *s)
{
    return !s->columns && can_tree(s->metric, false) && s->points->n >= PROBE_LEAST &&
           s->points->width <= PROBE_COLUMNS && !s->points->n_items && !is_narrow(s);
}

static cairn_status choose(cairn_context *ctx, cairn_neighbour_search *s)
{
    const cairn_metric *metric = s->metric;
    size_t n = s->points->n, width = s->points->width;
    bool squares = metric->family == CAIRN_BY_SQUARES, tree = can_tree(metric, false);
    s->method = CAIRN_SEARCH_BRUTE;
    if (n < FEW_POINTS || width == 0 || !tree) return CAIRN_OK;
    if (is_narrow(s)) {
        s->method = CAIRN_SEARCH_KD;
    } else if (cairn_search_probes(s)) {
        double share;
        CHECK(probe(ctx, metric, s->points, &share));
        bool worth = squares ? share * (double)width <= WORTH_SQUARES : share <= WORTH_OTHERS;
        if (worth) s->method = CAIRN_SEARCH_KD;
    }
    if (s->method == CAIRN_SEARCH_BRUTE && !squares && can_tree(metric, true) &&
        width <= BALL_COLUMNS && n >= MANY_POINTS)
        s->method = CAIRN_SEARCH_BALL;
    return CAIRN_OK;
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
        CHECK(choose(ctx, &s));
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
    FREE_EACH(search->tree.bounds, search->tree.blocks, search->tree.rows, search->tree.counts);
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
    FREE_EACH(neighbours->rows, neighbours->distances, neighbours->found);
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
        /* The nearest first. */
        for (size_t n = best.n; n > 1; n--) {
            exchange(&best, 0, n - 1);
            sink(&best, 0, n - 1);
        }
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
    if (s->postings.begins) {
        items_run r = {.run = run};
        size_t n = run->search->points->n;
        double work = (double)run->queries->n * (double)n * 4;
        CHECK(SCRATCH_RAW(ctx, &r.products, cairn_product((size_t)cairn_workers(ctx), n)));
        return cairn_blocks_sized(ctx, run->queries->n, ITEMS_QUERIES, work, search_block, &r);
    }
    if (by_products(s, run->queries)) return cairn_search_by_products(ctx, run);
    double work = (double)run->queries->n * (double)run->search->points->n *
                  (double)(run->queries->width + run->queries->longest + 1);
    return cairn_blocks_sized(ctx, run->queries->n, QUERIES, work, compare_block, run);
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
    run.buffer_size = cairn_metric_buffer(queries, search->points);
    CHECK(SCRATCH(ctx, &run.buffer, (size_t)cairn_workers(ctx) * run.buffer_size));
    if (k > 0) CHECK(search_by_method(ctx, &run)); /* of no neighbours there is no farthest one */
    CHECK(
        cairn_blocks_sized(ctx, found.n, 256, (double)found.n * (double)k * 8, finish_block, &run));
    cut_spare(&found, wanted);
    CHECK(check_found(ctx, search, &found));
    *out = found;
    found = (cairn_neighbours){0};
    return CAIRN_OK;
}
