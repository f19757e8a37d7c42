/* SPDX-License-Identifier: MIT */
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
#include "base/memory.h"
#include "kernels/kernels.h"
#include "kernels/products.h"
#include "learners/neighbours/search.h"
#include "parallel/parallel.h"
#include <float.h>
#include <math.h>

enum { QUERIES = 256, POINTS = 1024, SAMPLE = 512, CONVERT = 256, MANY_QUERIES = 4096 };
static const double smallest = 1e-9, largest = 1e9, rounding = 0x1p-24;

typedef struct products_run {
    const cairn_context *ctx;
    const cairn_search_run *run;
    size_t n, d, k, room;
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
    float *product; /* product_room: what a matrix product works in */
    size_t product_room;
    uint32_t *below; /* POINTS */
    float *nearest;  /* QUERIES x k: the smallest values, a heap */
    float *values;   /* QUERIES x room: candidates */
    uint32_t *rows;  /* QUERIES x room */
} products_run;

/* One query's candidates. */
typedef struct candidates {
    size_t k, room, n, n_nearest;
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
    float *out = p->points ? p->points + begin * p->d : p->block + (size_t)worker * POINTS * p->d;
    convert_rows(p, out, places + begin * p->d, p->lengths + begin, end - begin);
    for (size_t i = begin; i < end; i++) p->norms[i] = (float)(p->lengths[i] * p->lengths[i]);
}

/* Points first .. first+n-1 as floats. */
static const float *block_of(const products_run *p, size_t first, size_t n, int worker)
{
    if (p->points) return p->points + first * p->d;
    const double *places = p->run->search->points->places + first * p->d;
    float *out = p->block + (size_t)worker * POINTS * p->d;
    for (size_t i = 0; i < n; i++)
        for (size_t t = 0; t < p->d; t++)
            out[i * p->d + t] = (float)(places[i * p->d + t] - p->centre[t]);
    return out;
}

/* Any centre will do; the mean of some points keeps the numbers small. */
static void find_centre(products_run *p)
{
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
        CHECK(SCRATCH_RAW(ctx, &p->block, cairn_product(workers * POINTS, p->d)));
    CHECK(SCRATCH_RAW_EACH(ctx, p->n, &p->norms, &p->lengths));
    CHECK(SCRATCH_RAW(ctx, &p->queries, cairn_product(workers * QUERIES, p->d)));
    CHECK(SCRATCH_RAW(ctx, &p->dots, workers * QUERIES * POINTS));
    p->product_room = cairn_matmul_floats_room(QUERIES, POINTS, p->d);
    CHECK(SCRATCH_RAW(ctx, &p->product, cairn_product(workers, p->product_room)));
    CHECK(SCRATCH_RAW(ctx, &p->below, workers * POINTS));
    CHECK(SCRATCH_RAW(ctx, &p->nearest, cairn_product(workers * QUERIES, p->k)));
    CHECK(SCRATCH_RAW_EACH(ctx, cairn_product(workers * QUERIES, p->room), &p->values, &p->rows));
    find_centre(p);
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
    double row = rounding * both + 2 * sqrt(d) * shift;
    double error = 2 * row * both + row * row + 2 * (d + 2) * rounding * length * far +
                   6 * rounding * (far * far + 2 * length * far);
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
    if (n > c->room / 2) c->slack = INFINITY;
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
        if (c->n == c->room) compress(c);
        if (isinf(c->slack)) return;
        if (!(value <= limit_of(c))) continue;
        keep_nearest(c, value);
        c->values[c->n] = value;
        c->rows[c->n++] = (uint32_t)(first + at);
    }
}

/* The exact order of the candidates decides. */
static void settle(const products_run *p, candidates *c, size_t query, int worker)
{
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

/* Approximate products sort out candidates for a block of queries at a time; settle() then
 * measures exactly, so the result has no rounding of floats. */
static void search_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const products_run *p = data;
    size_t n = end - begin, at = (size_t)worker * QUERIES;
    float *queries = p->queries + at * p->d, *dots = p->dots + at * POINTS;
    uint32_t *below = p->below + (size_t)worker * POINTS;
    double lengths[QUERIES];
    candidates all[QUERIES];
    convert_rows(p, queries, p->run->queries->places + begin * p->d, lengths, n);
    for (size_t q = 0; q < n; q++)
        all[q] = (candidates){.k = p->k,
                              .room = p->room,
                              .nearest = p->nearest + (at + q) * p->k,
                              .values = p->values + (at + q) * p->room,
                              .rows = p->rows + (at + q) * p->room,
                              .slack = slack_of(p, lengths[q])};
    for (size_t first = 0; first < p->n; first += POINTS) {
        size_t points = p->n - first < POINTS ? p->n - first : POINTS;
        if (cairn_is_cancelled(p->ctx)) return;
        cairn_row_products_floats(dots, POINTS, queries, n, block_of(p, first, points, worker),
                                  points, p->d, p->product + (size_t)worker * p->product_room);
        for (size_t q = 0; q < n; q++)
            if (!isinf(all[q].slack))
                gather(p, &all[q], dots + q * POINTS, first, points, below,
                       p->run->own ? begin + q : SIZE_MAX);
    }
    for (size_t q = 0; q < n; q++) settle(p, &all[q], begin + q, worker);
}

cairn_status cairn_search_by_products(cairn_context *ctx, const cairn_search_run *run)
{
    const cairn_points *points = run->search->points;
    products_run p = {.ctx = ctx, .run = run, .n = points->n, .d = points->width, .k = run->out->k};
    cairn_status status;
    p.room = 4 * p.k + 256;
    TRY(prepare(ctx, &p));
    if (!(p.farthest >= smallest && p.farthest <= largest)) p.farthest = INFINITY;
    TRY(cairn_blocks(ctx, run->queries->n, QUERIES, search_block, &p));
done:
    cairn_free(p.points);
    return status;
}
