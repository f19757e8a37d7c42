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
#include "base/memory.h"
#include "kernels/kernels.h"
#include "learners/neighbours/search.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

enum { TOP_LEVELS = 6, DEEPEST = 64, QUERIES = 64 };
static const double slack = 1e-10, least = 1e-300;

/* -- building -- */

typedef struct item {
    double key;
    uint32_t row;
} item;

typedef struct build {
    cairn_point_tree *tree;
    const cairn_metric *metric;
    const cairn_points *points;
    item *items;     /* n */
    double *extents; /* per node of the first levels and per task: 2 width */
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

static double middle_of_three(double a, double b, double c)
{
    if (a < b) return b < c ? b : a < c ? c : a;
    return a < c ? a : b < c ? c : b;
}

/* The middle of nine keys spread over the range. */
static double pivot_of(const item *items, size_t begin, size_t end)
{
    double m[3];
    size_t step = (end - begin) / 9;
    for (size_t g = 0; g < 3; g++) {
        const item *at = items + begin + 3 * g * step;
        m[g] = middle_of_three(at[0].key, at[step].key, at[2 * step].key);
    }
    return middle_of_three(m[0], m[1], m[2]);
}

/* Rearrange so that no key before `middle` is larger than one from there on. */
static void select_middle(item *items, size_t begin, size_t end, size_t middle)
{
    while (end - begin > 9) {
        double pivot = pivot_of(items, begin, end);
        size_t i = begin, j = end - 1;
        for (;;) {
            while (items[i].key < pivot) i++;
            while (items[j].key > pivot) j--;
            if (i >= j) break;
            item swap = items[i];
            items[i++] = items[j];
            items[j--] = swap;
        }
        /* begin .. i-1 are at most the pivot, i .. end-1 at least */
        if (middle < i)
            end = i;
        else if (middle > i)
            begin = i;
        else
            return;
    }
    for (size_t i = begin + 1; i < end; i++) {
        item moved = items[i];
        size_t at = i;
        for (; at > begin && items[at - 1].key > moved.key; at--) items[at] = items[at - 1];
        items[at] = moved;
    }
}

/* Lows and highs of the node's points; the widest column. */
static size_t measure(const build *b, range r, double *extent)
{
    size_t width = b->points->width, widest = 0;
    double *low = extent, *high = extent + width;
    for (size_t t = 0; t < width; t++) low[t] = INFINITY, high[t] = -INFINITY;
    for (size_t i = r.begin; i < r.end; i++) {
        const double *place = b->points->places + b->items[i].row * width;
        for (size_t t = 0; t < width; t++) {
            low[t] = place[t] < low[t] ? place[t] : low[t];
            high[t] = place[t] > high[t] ? place[t] : high[t];
        }
    }
    for (size_t t = 1; t < width; t++)
        if (high[t] - low[t] > high[widest] - low[widest]) widest = t;
    return widest;
}

/* The ball around the middle of the box. */
static void bound_ball(const build *b, range r, const double *extent, double *bound)
{
    size_t width = b->points->width;
    double most = 0;
    cairn_points centre = {.n = 1, .width = width, .places = bound};
    for (size_t t = 0; t < width; t++) bound[t] = extent[t] + (extent[width + t] - extent[t]) / 2;
    for (size_t i = r.begin; i < r.end; i++)
        most =
            fmax(most, cairn_metric_order(b->metric, &centre, 0, b->points, b->items[i].row, NULL));
    bound[width] = b->metric->family == CAIRN_BY_SQUARES  ? sqrt(most)
                   : b->metric->family == CAIRN_BY_POWERS ? pow(most, 1 / b->metric->power)
                                                          : most;
}

/* Bound the node; halve its points unless it is a leaf. `extent` has room for 2 width numbers. */
static void make_node(const build *b, size_t node, range r, bool leaf, double *extent)
{
    size_t width = b->points->width;
    double *bound = b->tree->bounds + node * 2 * width;
    size_t widest = measure(b, r, b->tree->balls ? extent : bound);
    if (b->tree->balls) bound_ball(b, r, extent, bound);
    if (leaf) return;
    for (size_t i = r.begin; i < r.end; i++)
        b->items[i].key = b->points->places[b->items[i].row * width + widest];
    select_middle(b->items, r.begin, r.end, left_half(r).end);
}

static void fill_leaf(const build *b, size_t leaf, range r)
{
    size_t width = b->points->width, n = r.end - r.begin;
    double *block = b->tree->blocks + leaf * width * CAIRN_LEAF;
    uint32_t *rows = b->tree->rows + leaf * CAIRN_LEAF;
    b->tree->counts[leaf] = (uint32_t)n;
    for (size_t l = 0; l < CAIRN_LEAF; l++) {
        rows[l] = l < n ? b->items[r.begin + l].row : 0;
        for (size_t t = 0; t < width; t++)
            block[t * CAIRN_LEAF + l] = l < n ? b->points->places[rows[l] * width + t] : INFINITY;
    }
}

static void make_subtree(const build *b, size_t level, size_t at, range r, double *extent)
{
    size_t node = ((size_t)1 << level) - 1 + at;
    bool leaf = level == b->tree->depth;
    make_node(b, node, r, leaf, extent);
    if (leaf) {
        fill_leaf(b, at, r);
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

cairn_status cairn_tree_build(cairn_context *ctx, cairn_point_tree *out, const cairn_metric *metric,
                              const cairn_points *points, bool balls)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_point_tree tree = {.balls = balls, .leaf = CAIRN_LEAF};
    build b = {.tree = &tree, .metric = metric, .points = points};
    double work = (double)points->n * (double)(points->width + 8) * 8;
    cairn_status status;
    while (points->n > (size_t)CAIRN_LEAF << tree.depth) tree.depth++;
    tree.n_leaves = (size_t)1 << tree.depth;
    tree.n_nodes = 2 * tree.n_leaves - 1;
    TRY(NEW_RAW(ctx, &tree.bounds, cairn_product(tree.n_nodes, 2 * points->width)));
    TRY(NEW_RAW(ctx, &tree.blocks, cairn_product(tree.n_leaves * CAIRN_LEAF, points->width)));
    TRY(NEW_RAW(ctx, &tree.rows, tree.n_leaves * CAIRN_LEAF));
    TRY(NEW_RAW(ctx, &tree.counts, tree.n_leaves));
    TRY(SCRATCH_RAW(ctx, &b.items, points->n));
    TRY(SCRATCH_RAW(ctx, &b.extents, cairn_product((size_t)cairn_workers(ctx), 2 * points->width)));
    for (size_t i = 0; i < points->n; i++) b.items[i].row = (uint32_t)i;
    for (; b.level < TOP_LEVELS && b.level < tree.depth; b.level++)
        TRY(cairn_blocks_sized(ctx, (size_t)1 << b.level, 1, work, node_task, &b));
    TRY(cairn_blocks_sized(ctx, (size_t)1 << b.level, 1, work, subtree_task, &b));
    *out = tree;
    tree = (cairn_point_tree){0};
done:
    cairn_free(tree.bounds);
    cairn_free(tree.blocks);
    cairn_free(tree.rows);
    cairn_free(tree.counts);
    cairn_scratch_release(ctx, mark);
    return status;
}

/* -- searching -- */

/* Least order that a point in the box may have. */
static double box_bound(const cairn_metric *metric, const double *bound, const double *query,
                        size_t width)
{
    double sum = 0;
    for (size_t t = 0; t < width; t++) {
        double below = bound[t] - query[t], above = query[t] - bound[width + t];
        double gap = below > above ? below : above;
        gap = gap > 0 ? gap : 0;
        switch (metric->family) {
        case CAIRN_BY_SQUARES: sum += gap * gap; break;
        case CAIRN_BY_ABSOLUTES: sum += gap; break;
        case CAIRN_BY_LARGEST: sum = gap > sum ? gap : sum; break;
        default: sum += pow(gap, metric->power); break;
        }
    }
    return sum;
}

/* The same for a ball: the distance of its centre less its radius, and a little less for
 * rounding. */
static double ball_bound(const cairn_metric *metric, const double *bound, const double *query,
                         size_t width)
{
    double sum = 0;
    for (size_t t = 0; t < width; t++) {
        double gap = fabs(query[t] - bound[t]);
        switch (metric->family) {
        case CAIRN_BY_SQUARES: sum += gap * gap; break;
        case CAIRN_BY_ABSOLUTES: sum += gap; break;
        case CAIRN_BY_LARGEST: sum = gap > sum ? gap : sum; break;
        default: sum += pow(gap, metric->power); break;
        }
    }
    bool squares = metric->family == CAIRN_BY_SQUARES, powers = metric->family == CAIRN_BY_POWERS;
    double away = squares ? sqrt(sum) : powers ? pow(sum, 1 / metric->power) : sum;
    double rest = away - bound[width] - slack * (away + bound[width]);
    if (!(rest > 0)) return 0;
    return squares ? rest * rest : powers ? pow(rest, metric->power) : rest;
}

static double node_bound(const cairn_search *s, size_t node, const double *query)
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

static unsigned within(const cairn_search *s, const double *block, const double *query,
                       double limit)
{
    static const cairn_summing sums[] = {[CAIRN_BY_SQUARES] = CAIRN_SUM_SQUARES,
                                         [CAIRN_BY_ABSOLUTES] = CAIRN_SUM_ABSOLUTES,
                                         [CAIRN_BY_LARGEST] = CAIRN_SUM_LARGEST};
    if (s->metric->family == CAIRN_BY_POWERS) return (1u << CAIRN_LEAF) - 1;
    return cairn_leaf_within(block, query, s->points->width, limit, sums[s->metric->family]);
}

static void visit_leaf(const cairn_search_run *run, size_t leaf, size_t query, cairn_best *best)
{
    const cairn_search *s = run->search;
    const cairn_points *points = s->points;
    const uint32_t *rows = s->tree.rows + leaf * CAIRN_LEAF;
    const double *place = run->queries->places + query * points->width;
    unsigned mask =
        within(s, s->tree.blocks + leaf * points->width * CAIRN_LEAF, place, limit_of(best));
    mask &= (1u << s->tree.counts[leaf]) - 1;
    for (; mask; mask &= mask - 1) {
        uint32_t row = rows[__builtin_ctz(mask)];
        if (run->own && row == query) continue;
        double order = cairn_metric_order(s->metric, run->queries, query, points, row, NULL);
        if (cairn_best_wants(best, order, row)) cairn_best_add(best, order, row);
    }
}

static void search_query(const cairn_search_run *run, size_t query, cairn_best *best)
{
    struct {
        size_t node;
        double bound;
    } waiting[DEEPEST + 1];
    const cairn_search *s = run->search;
    const double *place = run->queries->places + query * s->points->width;
    size_t n = 1, first_leaf = s->tree.n_leaves - 1;
    waiting[0].node = 0, waiting[0].bound = 0;
    while (n > 0) {
        size_t node = waiting[--n].node;
        if (waiting[n].bound > limit_of(best)) continue;
        while (node < first_leaf) {
            size_t near = 2 * node + 1, far = 2 * node + 2;
            double near_bound = node_bound(s, near, place), far_bound = node_bound(s, far, place);
            if (far_bound < near_bound) {
                size_t swap = near;
                double swapped = near_bound;
                near = far, near_bound = far_bound;
                far = swap, far_bound = swapped;
            }
            if (!(far_bound > limit_of(best)))
                waiting[n].node = far, waiting[n++].bound = far_bound;
            node = near;
        }
        visit_leaf(run, node - first_leaf, query, best);
    }
}

static void search_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const cairn_search_run *run = data;
    size_t width = run->search->points->width;
    for (size_t q = begin; q < end; q++) {
        cairn_best best = cairn_search_best(run, q);
        bool known = true;
        for (size_t t = 0; t < width; t++) known &= !isnan(run->queries->places[q * width + t]);
        if (known) search_query(run, q, &best);
        run->out->found[q] = (uint32_t)best.n;
    }
}

cairn_status cairn_tree_search(cairn_context *ctx, const cairn_search_run *run)
{
    double work = (double)run->queries->n * 2000;
    return cairn_blocks_sized(ctx, run->queries->n, QUERIES, work, search_block, (void *)run);
}
