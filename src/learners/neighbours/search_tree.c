/* SPDX-License-Identifier: MIT */
/* Trees of points: boxes (kd) or balls around ever smaller halves of the points.
 *
 * Building: a node's points are halved at the median of the column in which they reach farthest,
 * until a leaf holds at most CAIRN_LEAF of them. Cost: n log(n / leaf). The first levels are worked
 * on node by node side by side, then whole subtrees. Where points have the same number in that
 * column, either side may get them: the answers do not depend on it.
 *
 * Searching: nearer child first; a node is passed over when its box or ball is farther away than
 * the k-th best point so far. Bounds and the values of a leaf are computed quickly and allowed some
 * rounding; a point that comes within it is compared again in the way of brute force, so that the
 * answer is the same to the last bit. */
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "learners/neighbours/search.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include <math.h>
#include <string.h>

enum { TOP_LEVELS = 6, DEEPEST = 64, QUERIES = 64 };
static const double slack = 1e-10, least = 1e-300;

/* -- building -- */

/* While the tree is built a point is a record: its numbers, then which one it is. Records are moved
 * as a whole, so that every node reads its points in one go. */
typedef struct build {
    cairn_point_tree *tree;
    const cairn_metric *metric;
    const cairn_points *points;
    size_t size;     /* of a record: width + 1 */
    double *records; /* n x size */
    double *extents; /* per worker: 2 width */
    size_t level;    /* of the tasks */
} build;

typedef struct range {
    size_t begin, end;
} range;

static range left_half(range r)
{
    return (range){r.begin, r.begin + (r.end - r.begin + 1) / 2};
}

static range right_half(range r)
{
    return (range){r.begin + (r.end - r.begin + 1) / 2, r.end};
}

/* The points of node number `at` of a level, counted from the left. */
static range range_of(size_t n, size_t level, size_t at)
{
    range r = {0, n};
    for (size_t bit = level; bit-- > 0;) r = at >> bit & 1 ? right_half(r) : left_half(r);
    return r;
}

static void exchange(double *a, double *b, size_t size)
{
    for (size_t t = 0; t < size; t++) {
        double swap = a[t];
        a[t] = b[t];
        b[t] = swap;
    }
}

/* A key that about as large a share of the n keys is below as `middle` of n; from a sample that is
 * spread evenly. */
static double pivot_of(const double *keys, size_t n, size_t size, size_t middle)
{
    enum { FEW = 9, MANY = 63 };
    double sample[MANY];
    size_t n_sample = n > 4096 ? MANY : FEW, step = n / n_sample * size;
    for (size_t i = 0; i < n_sample; i++) {
        double key = keys[i * step];
        size_t at = i;
        for (; at > 0 && sample[at - 1] > key; at--) sample[at] = sample[at - 1];
        sample[at] = key;
    }
    size_t at = (size_t)((double)middle / (double)n * (double)n_sample);
    return sample[at < 1 ? 1 : at > n_sample - 2 ? n_sample - 2 : at];
}

/* Move keys that are at least the pivot behind those that are at most the pivot, for as long as
 * there are many between *begin and *last: records that stand on the wrong side are noted in runs,
 * without branches that depend on the keys, and then exchanged. */
static void part_runs(double *records, size_t size, size_t column, double pivot, size_t *begin,
                      size_t *last)
{
    enum { RUN = 64 };
    unsigned char left[RUN], right[RUN];
    size_t n_left = 0, n_right = 0, from_left = 0, from_right = 0, i = *begin, j = *last;
    while (j - i >= 2 * RUN) {
        const double *up = records + i * size + column, *down = records + j * size + column;
        if (from_left == n_left) {
            n_left = from_left = 0;
            for (size_t t = 0; t < RUN; t++) {
                left[n_left] = (unsigned char)t;
                n_left += up[t * size] >= pivot;
            }
        }
        if (from_right == n_right) {
            n_right = from_right = 0;
            for (size_t t = 0; t < RUN; t++) {
                right[n_right] = (unsigned char)t;
                n_right += *(down - t * size) <= pivot;
            }
        }
        for (; from_left < n_left && from_right < n_right; from_left++, from_right++)
            exchange(records + (i + left[from_left]) * size,
                     records + (j - right[from_right]) * size, size);
        if (from_left == n_left) i += RUN;
        if (from_right == n_right) j -= RUN;
    }
    *begin = i;
    *last = j;
}

/* Rearrange so that no key (number `column` of a record) before `middle` is larger than one from
 * there on. */
static void select_middle(double *records, size_t size, size_t column, range r, size_t middle)
{
    while (r.end - r.begin > 9) {
        const double *keys = records + column;
        double pivot = pivot_of(keys + r.begin * size, r.end - r.begin, size, middle - r.begin);
        size_t i = r.begin, j = r.end - 1;
        part_runs(records, size, column, pivot, &i, &j);
        for (;;) {
            while (keys[i * size] < pivot) i++;
            while (keys[j * size] > pivot) j--;
            if (i >= j) break;
            exchange(records + i++ * size, records + j-- * size, size);
        }
        /* begin .. i-1 are at most the pivot, i .. end-1 at least */
        if (middle == i) return;
        r = middle < i ? (range){r.begin, i} : (range){i, r.end};
    }
    for (size_t i = r.begin + 1; i < r.end; i++)
        for (size_t at = i;
             at > r.begin && records[(at - 1) * size + column] > records[at * size + column]; at--)
            exchange(records + (at - 1) * size, records + at * size, size);
}

/* Lows and highs of the node's points; the widest column. */
static size_t measure(const build *b, range r, double *extent)
{
    size_t width = b->points->width, widest = 0;
    double *low = extent, *high = extent + width;
    memcpy(low, b->records + r.begin * b->size, width * sizeof *low);
    memcpy(high, low, width * sizeof *high);
    for (size_t i = r.begin + 1; i < r.end; i++) {
        const double *place = b->records + i * b->size;
        for (size_t t = 0; t < width; t++) {
            low[t] = place[t] < low[t] ? place[t] : low[t];
            high[t] = place[t] > high[t] ? place[t] : high[t];
        }
    }
    for (size_t t = 1; t < width; t++)
        if (high[t] - low[t] > high[widest] - low[widest]) widest = t;
    return widest;
}

static uint32_t row_of(const build *b, size_t i)
{
    return (uint32_t)b->records[i * b->size + b->points->width];
}

/* Bound the node; halve its points unless it is a leaf. `extent` has room for 2 width numbers. */
static void make_node(const build *b, size_t node, range r, bool leaf, double *extent)
{
    double *bound = b->tree->bounds + node * 2 * b->points->width;
    size_t widest = measure(b, r, b->tree->balls ? extent : bound);
    if (b->tree->balls) {
        /* The ball around the middle of the box. */
        size_t width = b->points->width;
        double most = 0;
        cairn_points centre = {.n = 1, .width = width, .places = bound};
        for (size_t t = 0; t < width; t++)
            bound[t] = extent[t] + (extent[width + t] - extent[t]) / 2;
        for (size_t i = r.begin; i < r.end; i++)
            most = fmax(most,
                        cairn_metric_order(b->metric, &centre, 0, b->points, row_of(b, i), NULL));
        bound[width] = b->metric->family == CAIRN_BY_SQUARES ? sqrt(most) : most;
    }
    if (!leaf) select_middle(b->records, b->size, widest, r, left_half(r).end);
}

/* A leaf that is not full ends in points at infinity, which are near to nothing. */
static void make_subtree(const build *b, size_t level, size_t at, range r, double *extent)
{
    size_t node = ((size_t)1 << level) - 1 + at;
    bool leaf = level == b->tree->depth;
    make_node(b, node, r, leaf, extent);
    if (leaf) {
        size_t width = b->points->width, n = r.end - r.begin;
        double *block = b->tree->blocks + at * width * CAIRN_LEAF;
        uint32_t *rows = b->tree->rows + at * CAIRN_LEAF;
        b->tree->counts[at] = (uint32_t)n;
        for (size_t l = 0; l < CAIRN_LEAF; l++) {
            const double *record = b->records + (r.begin + l) * b->size;
            rows[l] = l < n ? row_of(b, r.begin + l) : 0;
            for (size_t t = 0; t < width; t++)
                block[t * CAIRN_LEAF + l] = l < n ? record[t] : INFINITY;
        }
        return;
    }
    make_subtree(b, level + 1, 2 * at, left_half(r), extent);
    make_subtree(b, level + 1, 2 * at + 1, right_half(r), extent);
}

static void node_task(void *data, size_t at, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end;
    const build *b = data;
    double *extent = b->extents + (size_t)worker * 2 * b->points->width;
    make_node(b, ((size_t)1 << b->level) - 1 + at, range_of(b->points->n, b->level, at), false,
              extent);
}

static void subtree_task(void *data, size_t at, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end;
    const build *b = data;
    double *extent = b->extents + (size_t)worker * 2 * b->points->width;
    make_subtree(b, b->level, at, range_of(b->points->n, b->level, at), extent);
}

static void copy_records(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const build *b = data;
    size_t width = b->points->width;
    for (size_t i = begin; i < end; i++) {
        double *record = b->records + i * b->size;
        for (size_t t = 0; t < width; t++) record[t] = b->points->places[i * width + t];
        record[width] = (double)i;
    }
}

static cairn_status grow_tree(cairn_context *ctx, build *b)
{
    size_t n = b->points->n, width = b->points->width;
    double work = (double)n * (double)(width + 8) * 8;
    b->size = width + 1;
    CHECK(SCRATCH_RAW(ctx, &b->records, cairn_product(n, b->size)));
    CHECK(SCRATCH_RAW(ctx, &b->extents, cairn_product((size_t)cairn_workers(ctx), 2 * width)));
    CHECK(cairn_blocks_sized(ctx, n, 4096, work, copy_records, b));
    for (; b->level < TOP_LEVELS && b->level < b->tree->depth; b->level++)
        CHECK(cairn_blocks_sized(ctx, (size_t)1 << b->level, 1, work, node_task, b));
    return cairn_blocks_sized(ctx, (size_t)1 << b->level, 1, work, subtree_task, b);
}

cairn_status cairn_tree_build(cairn_context *ctx, cairn_point_tree *out, const cairn_metric *metric,
                              const cairn_points *points, bool balls)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_point_tree tree = {.balls = balls, .leaf = CAIRN_LEAF};
    build b = {.tree = &tree, .metric = metric, .points = points};
    cairn_status status;
    while (points->n > (size_t)CAIRN_LEAF << tree.depth) tree.depth++;
    tree.n_leaves = (size_t)1 << tree.depth;
    tree.n_nodes = 2 * tree.n_leaves - 1;
    TRY(NEW_RAW(ctx, &tree.bounds, cairn_product(tree.n_nodes, 2 * points->width)));
    TRY(NEW_RAW(ctx, &tree.blocks, cairn_product(tree.n_leaves * CAIRN_LEAF, points->width)));
    TRY(NEW_RAW(ctx, &tree.rows, tree.n_leaves * CAIRN_LEAF));
    TRY(NEW_RAW(ctx, &tree.counts, tree.n_leaves));
    TRY(grow_tree(ctx, &b));
    *out = tree;
    tree = (cairn_point_tree){0};
done:
    FREE_EACH(tree.bounds, tree.blocks, tree.rows, tree.counts);
    cairn_scratch_release(ctx, mark);
    return status;
}

/* -- searching -- */

/* Two numbers side by side, which every processor has. */
typedef double pair __attribute__((vector_size(16)));
typedef double loose_pair __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t pair_mask __attribute__((vector_size(16)));

static inline pair above_zero(pair x)
{
    return (pair)((pair_mask)x & (x > 0));
}

/* How far a query is outside of a box in two columns; it is beyond one side of it at most. */
static inline pair gaps_of(const double *bound, const double *query, size_t width)
{
    pair q = *(const loose_pair *)query;
    return above_zero(*(const loose_pair *)bound - q) +
           above_zero(q - *(const loose_pair *)(bound + width));
}

static inline double gap_of(const double *bound, const double *query, size_t width)
{
    double below = *bound - *query, above = *query - bound[width];
    return (below > 0 ? below : 0) + (above > 0 ? above : 0);
}

static double box_absolutes(const double *bound, const double *query, size_t width)
{
    double sum = 0;
    for (size_t t = 0; t < width; t++) sum += gap_of(bound + t, query + t, width);
    return sum;
}

/* Least order that a point in the box may have, given the gaps in every column: four sums side by
 * side, as one after the other each would wait for the one before. */
static double box_squares(const double *bound, const double *query, size_t width)
{
    pair first = {0}, second = {0}, gap;
    double rest = 0;
    size_t t = 0;
    for (; t + 4 <= width; t += 4) {
        gap = gaps_of(bound + t, query + t, width);
        first += gap * gap;
        gap = gaps_of(bound + t + 2, query + t + 2, width);
        second += gap * gap;
    }
    if (t + 2 <= width) {
        gap = gaps_of(bound + t, query + t, width);
        first += gap * gap;
        t += 2;
    }
    if (t < width) {
        rest = gap_of(bound + t, query + t, width);
        rest *= rest;
    }
    first += second;
    return rest + first[0] + first[1];
}

static double box_largest(const double *bound, const double *query, size_t width)
{
    double largest = 0;
    for (size_t t = 0; t < width; t++) {
        double gap = gap_of(bound + t, query + t, width);
        largest = gap > largest ? gap : largest;
    }
    return largest;
}

static double box_powers(const double *bound, const double *query, size_t width, double power)
{
    double largest = box_largest(bound, query, width), sum = 0;
    if (!(largest > 0)) return largest;
    for (size_t t = 0; t < width; t++) {
        double below = bound[t] - query[t], above = query[t] - bound[width + t];
        sum += cairn_pow(fmax(fmax(below, above), 0) / largest, power);
    }
    return largest * cairn_pow(sum, 1 / power);
}

static double box_bound(const cairn_metric *metric, const double *bound, const double *query,
                        size_t width)
{
    switch (metric->family) {
    case CAIRN_BY_SQUARES: return box_squares(bound, query, width);
    case CAIRN_BY_ABSOLUTES: return box_absolutes(bound, query, width);
    case CAIRN_BY_LARGEST: return box_largest(bound, query, width);
    default: return box_powers(bound, query, width, metric->power);
    }
}

/* The same for a ball: the distance of its centre less its radius, and a little less for
 * rounding. */
static double ball_bound(const cairn_metric *metric, const double *bound, const double *query,
                         size_t width)
{
    cairn_points centre = {.n = 1, .width = width, .places = (double *)bound};
    cairn_points point = {.n = 1, .width = width, .places = (double *)query};
    double sum = cairn_metric_order(metric, &point, 0, &centre, 0, NULL);
    bool squares = metric->family == CAIRN_BY_SQUARES;
    double away = squares ? sqrt(sum) : sum;
    double rest = away - bound[width] - slack * (away + bound[width]);
    if (!(rest > 0)) return 0;
    return squares ? rest * rest : rest;
}

double cairn_tree_bound(const cairn_neighbour_search *s, size_t node, const double *query)
{
    size_t width = s->points->width;
    const double *bound = s->tree.bounds + node * 2 * width;
    return s->tree.balls ? ball_bound(s->metric, bound, query, width)
                         : box_bound(s->metric, bound, query, width);
}

/* What is farther than this cannot be among the best, whatever the rounding. */
static double limit_of(const cairn_best *best)
{
    return best->n < best->k ? INFINITY : best->orders[0] * (1 + slack) + least;
}

/* Sums by the kernel are the true order only for some metrics and few columns; else they only
 * sort out, and the distance is measured in the usual order. */
static bool sums_are_orders(const cairn_neighbour_search *s)
{
    cairn_metric_family family = s->metric->family;
    return family == CAIRN_BY_LARGEST ||
           (family != CAIRN_BY_POWERS && s->points->width <= CAIRN_FEW_COLUMNS);
}

uint32_t cairn_tree_leaf(const cairn_neighbour_search *s, const cairn_points *queries, size_t query,
                         size_t leaf, double limit, double *orders)
{
    const uint32_t *rows = s->tree.rows + leaf * CAIRN_LEAF;
    const double *place = queries->places + query * s->points->width;
    /* Sums of the points of a leaf, and a bit for each that may be near enough. */
    uint32_t near;
    static const cairn_summing ways[] = {[CAIRN_BY_SQUARES] = CAIRN_SUM_SQUARES,
                                         [CAIRN_BY_ABSOLUTES] = CAIRN_SUM_ABSOLUTES,
                                         [CAIRN_BY_LARGEST] = CAIRN_SUM_LARGEST};
    size_t width = s->points->width, n = s->tree.counts[leaf];
    uint32_t there = n == 32 ? UINT32_MAX : ((uint32_t)1 << n) - 1;
    if (s->metric->family == CAIRN_BY_POWERS)
        near = there;
    else
        near = there & cairn_leaf_sums(orders, s->tree.blocks + leaf * width * CAIRN_LEAF, place,
                                       width, limit, ways[s->metric->family]);
    if (sums_are_orders(s)) return near;
    for (uint32_t bits = near; bits; bits &= bits - 1) {
        int at = __builtin_ctz(bits);
        orders[at] = cairn_metric_order(s->metric, queries, query, s->points, rows[at], NULL);
    }
    return near;
}

static void visit_leaf(const cairn_search_run *run, size_t leaf, size_t query, cairn_best *best)
{
    const cairn_neighbour_search *s = run->search;
    const uint32_t *rows = s->tree.rows + leaf * CAIRN_LEAF;
    double orders[CAIRN_LEAF];
    uint32_t near = cairn_tree_leaf(s, run->queries, query, leaf, limit_of(best), orders);
    for (; near; near &= near - 1) {
        int at = __builtin_ctz(near);
        uint32_t row = rows[at];
        if (run->own && row == query) continue;
        if (cairn_best_wants(best, orders[at], row)) cairn_best_add(best, orders[at], row);
    }
}

/* The nearer child is gone down at once and the other waits with its bound, which is looked at
 * again when the best have come closer. Returns how many leaves were looked into. */
static size_t search_query(const cairn_search_run *run, size_t query, cairn_best *best)
{
    struct {
        size_t node;
        double bound;
    } waiting[DEEPEST + 1];
    const cairn_neighbour_search *s = run->search;
    const double *place = run->queries->places + query * s->points->width;
    size_t n = 1, first_leaf = s->tree.n_leaves - 1, visits = 0;
    waiting[0].node = 0, waiting[0].bound = 0;
    while (n > 0) {
        size_t node = waiting[--n].node;
        if (waiting[n].bound > limit_of(best)) continue;
        while (node < first_leaf) {
            size_t near = 2 * node + 1, far = 2 * node + 2;
            double near_bound = cairn_tree_bound(s, near, place),
                   far_bound = cairn_tree_bound(s, far, place);
            if (far_bound < near_bound) {
                size_t swap = near;
                double swapped = near_bound;
                near = far;
                far = swap, far_bound = swapped;
            }
            if (!(far_bound > limit_of(best)))
                waiting[n].node = far, waiting[n++].bound = far_bound;
            node = near;
        }
        visit_leaf(run, node - first_leaf, query, best);
        visits++;
    }
    return visits;
}

double cairn_tree_visits(const cairn_neighbour_search *s, size_t n_queries)
{
    enum { NEAREST = 8 };
    double orders[NEAREST], visits = 0;
    uint32_t rows[NEAREST];
    const cairn_search_run run = {.search = s, .queries = s->points, .own = true};
    for (size_t q = 0; q < n_queries; q++) {
        cairn_best best = {.k = NEAREST, .orders = orders, .rows = rows};
        visits += (double)search_query(&run, q * s->points->n / n_queries, &best);
    }
    return visits / (double)n_queries;
}

/* -- all within reach -- */

static double reach_limit(double reach)
{
    return reach * (1 + slack) + least;
}

void cairn_tree_within(const cairn_neighbour_search *s, const cairn_points *queries, size_t query,
                       double reach, int worker, cairn_reached reached, void *data)
{
    size_t waiting[DEEPEST + 1], n = 0, first_leaf = s->tree.n_leaves - 1;
    const double *place = queries->places + query * s->points->width;
    for (size_t t = 0; t < s->points->width; t++)
        if (isnan(place[t])) return;
    waiting[n++] = 0;
    while (n > 0) {
        size_t node = waiting[--n];
        if (cairn_tree_bound(s, node, place) > reach_limit(reach)) continue;
        if (node < first_leaf)
            waiting[n++] = 2 * node + 2, waiting[n++] = 2 * node + 1;
        else {
            size_t leaf = node - first_leaf;
            const uint32_t *rows = s->tree.rows + leaf * CAIRN_LEAF;
            double orders[CAIRN_LEAF];
            uint32_t near = cairn_tree_leaf(s, queries, query, leaf, reach_limit(reach), orders);
            for (; near; near &= near - 1) {
                int at = __builtin_ctz(near);
                if (orders[at] <= reach) reached(data, query, rows[at], orders[at], worker);
            }
        }
    }
}

/* -- the order of the queries -- */

/* Queries that lie near each other follow each other, so that they find the nodes they need in the
 * cache: by the bits of their first columns in turn. */
enum { KEY_COLUMNS = 3, KEY_BITS = 10 };

typedef struct ordered_queries {
    const cairn_points *queries;
    const uint32_t *which; /* NULL = all */
    double low[KEY_COLUMNS], scale[KEY_COLUMNS];
    size_t columns;
    uint64_t *keys, *order; /* one per query */
} ordered_queries;

static void make_keys(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const ordered_queries *o = data;
    size_t width = o->queries->width;
    for (size_t i = begin; i < end; i++) {
        size_t q = o->which ? o->which[i] : i;
        uint64_t key = 0;
        for (size_t t = 0; t < o->columns; t++) {
            double at = (o->queries->places[q * width + t] - o->low[t]) * o->scale[t];
            uint64_t cell = at > 0 ? at < (1 << KEY_BITS) ? (uint64_t)at : (1 << KEY_BITS) - 1 : 0;
            for (size_t bit = 0; bit < KEY_BITS; bit++)
                key |= (cell >> bit & 1) << (bit * KEY_COLUMNS + t);
        }
        o->keys[i] = key;
        o->order[i] = q;
    }
}

cairn_status cairn_tree_order(cairn_context *ctx, const cairn_neighbour_search *search,
                              const cairn_points *queries, const uint32_t *which, size_t n,
                              uint64_t **out)
{
    const cairn_point_tree *tree = &search->tree;
    size_t width = queries->width;
    ordered_queries ordered = {.queries = queries, .which = which}, *o = &ordered;
    CHECK(SCRATCH_RAW_EACH(ctx, n, &o->keys, &o->order));
    o->columns = width < KEY_COLUMNS ? width : KEY_COLUMNS;
    for (size_t t = 0; t < o->columns; t++) {
        double low = tree->balls ? tree->bounds[t] - tree->bounds[width] : tree->bounds[t];
        double high = tree->balls ? tree->bounds[t] + tree->bounds[width] : tree->bounds[width + t];
        o->low[t] = low;
        o->scale[t] = high > low ? (1 << KEY_BITS) / (high - low) : 0;
    }
    CHECK(cairn_blocks_sized(ctx, n, 4096, (double)n * 50, make_keys, o));
    CHECK(cairn_sort_keys(ctx, o->keys, o->order, n));
    *out = o->order;
    return CAIRN_OK;
}

typedef struct ordered_run {
    const cairn_search_run *run;
    uint64_t *order; /* one per query */
} ordered_run;

static void search_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const ordered_run *o = data;
    const cairn_search_run *run = o->run;
    size_t width = run->search->points->width;
    for (size_t i = begin; i < end; i++) {
        size_t q = o->order[i];
        cairn_best best = cairn_search_best(run, q);
        bool known = true;
        for (size_t t = 0; t < width; t++) known &= !isnan(run->queries->places[q * width + t]);
        if (known) (void)search_query(run, q, &best);
        run->out->found[q] = (uint32_t)best.n;
    }
}

cairn_status cairn_tree_search(cairn_context *ctx, const cairn_search_run *run)
{
    SCOPED_SCRATCH(ctx);
    ordered_run o = {.run = run};
    size_t n = run->queries->n;
    CHECK(cairn_tree_order(ctx, run->search, run->queries, NULL, n, &o.order));
    return cairn_blocks_sized(ctx, n, QUERIES, (double)n * 2000, search_block, &o);
}
