/* SPDX-License-Identifier: MIT */
/* Spanning trees by Boruvka's method over a tree of boxes: in every round each component of the
 * forest is joined with the one that is nearest to it.
 *
 * A row looks for the nearest row of another component, down the tree of boxes; boxes whose rows
 * are all of its own component are passed over. What it found stays the nearest as long as that row
 * is in another component, and is never farther in a later round, so most rows need not look again.
 * Rows look in batches that grow, those of small core distance first: what a batch found bounds the
 * search of the next ones.
 *
 * Of equally near rows any may be found, but always the same: batches are fixed, and within one
 * rows look independently. Any choice gives a shortest tree, since joins that would close a circle
 * are left out, and all shortest trees have the same lengths. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "learners/cluster/spanning.h"
#include "parallel/joined.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include <math.h>

enum { BATCH = 1024, GROWTH = 4, ROWS = 32, DEEPEST = 64 };

typedef struct forest {
    const cairn_density *density;
    const double *core;
    bool squares;         /* an order is the square of the distance */
    uint32_t *sets;       /* n: union-find */
    uint32_t *parts;      /* n: component */
    uint32_t *node_parts; /* of the boxes: the component of all rows, UINT32_MAX = several */
    double *node_cores;   /* of the boxes: least core distance */
    uint64_t *order;      /* n: rows by core distance */
    uint32_t *found;      /* n: the nearest row of another component; UINT32_MAX = none */
    double *lengths;      /* n: how far it is, or what nothing else can be nearer than */
    double *best;         /* n, by component: nearest so far */
    uint32_t *best_row;   /* n, by component: the row that found it */
    size_t begin;         /* of the batch */
} forest;

/* -- boxes -- */

/* Components and least core distances of all boxes, from the leaves up. */
static void label_boxes(forest *f)
{
    const cairn_point_tree *tree = &f->density->search.tree;
    size_t first = tree->n_leaves - 1;
    for (size_t l = 0; l < tree->n_leaves; l++) {
        const uint32_t *rows = tree->rows + l * tree->leaf;
        uint32_t part = tree->counts[l] ? f->parts[rows[0]] : UINT32_MAX;
        double core = INFINITY;
        for (size_t i = 0; i < tree->counts[l]; i++) {
            if (f->parts[rows[i]] != part) part = UINT32_MAX;
            core = fmin(core, f->core[rows[i]]);
        }
        f->node_parts[first + l] = part;
        f->node_cores[first + l] = core;
    }
    for (size_t node = first; node-- > 0;) {
        uint32_t left = f->node_parts[2 * node + 1], right = f->node_parts[2 * node + 2];
        f->node_parts[node] = left == right ? left : UINT32_MAX;
        f->node_cores[node] = fmin(f->node_cores[2 * node + 1], f->node_cores[2 * node + 2]);
    }
}

/* -- looking -- */

typedef struct look {
    size_t row;
    uint32_t found;
    double length; /* nothing so far is nearer */
    double limit;  /* the order that belongs to it, and a little more */
} look;

static void set_length(const forest *f, look *l, double length)
{
    l->length = length;
    l->limit = (f->squares ? length * length : length) * (1 + 1e-9);
}

/* Only a row that is nearer than all before takes their place, so ties go to the first found. */
static void look_in_leaf(const forest *f, size_t leaf, look *l)
{
    const cairn_neighbour_search *s = &f->density->search;
    const uint32_t *rows = s->tree.rows + leaf * s->tree.leaf;
    double orders[CAIRN_LEAF];
    uint32_t near = cairn_tree_leaf(s, &f->density->rows.points, l->row, leaf, l->limit, orders);
    for (; near; near &= near - 1) {
        int at = __builtin_ctz(near);
        uint32_t row = rows[at];
        if (f->parts[row] == f->parts[l->row]) continue;
        double length = cairn_metric_value(s->metric, orders[at]);
        length = fmax(length, fmax(f->core[l->row], f->core[row]));
        if (!(length < l->length)) continue;
        l->found = row;
        set_length(f, l, length);
    }
}

/* Whether a box may hold a row of another component that is nearer. */
static bool may_be_nearer(const forest *f, size_t node, double bound, const look *l)
{
    return f->node_parts[node] != f->parts[l->row] && f->node_cores[node] < l->length &&
           bound <= l->limit;
}

/* No row can be nearer than the own core distance: when one is as near, the search is over. */
static void look_around(const forest *f, look *l)
{
    const cairn_neighbour_search *s = &f->density->search;
    const double *place = f->density->rows.points.places + l->row * s->points->width;
    size_t waiting[DEEPEST + 1], n = 0, first = s->tree.n_leaves - 1;
    double bounds[DEEPEST + 1];
    waiting[n] = 0, bounds[n++] = 0;
    while (n > 0 && l->length > f->core[l->row]) {
        size_t node = waiting[--n];
        if (!may_be_nearer(f, node, bounds[n], l)) continue;
        if (node >= first) {
            look_in_leaf(f, node - first, l);
            continue;
        }
        double left = cairn_tree_bound(s, 2 * node + 1, place);
        double right = cairn_tree_bound(s, 2 * node + 2, place);
        size_t far = left <= right ? 2 * node + 2 : 2 * node + 1;
        waiting[n] = far, bounds[n++] = left <= right ? right : left;
        waiting[n] = left <= right ? 2 * node + 1 : 2 * node + 2;
        bounds[n++] = left <= right ? left : right;
    }
}

static void look_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const forest *f = data;
    for (size_t i = begin; i < end; i++) {
        size_t row = f->order[f->begin + i];
        double best = f->best[f->parts[row]];
        if (f->found[row] != UINT32_MAX || !(f->lengths[row] < best)) continue;
        look l = {.row = row, .found = UINT32_MAX};
        set_length(f, &l, best);
        look_around(f, &l);
        f->found[row] = l.found;
        f->lengths[row] = l.length;
    }
}

/* What row found may be the nearest of its component so far. */
static void offer(forest *f, uint32_t row)
{
    uint32_t part = f->parts[row];
    if (f->found[row] == UINT32_MAX || !(f->lengths[row] < f->best[part])) return;
    f->best[part] = f->lengths[row];
    f->best_row[part] = row;
}

static cairn_status look_all(cairn_context *ctx, forest *f)
{
    size_t n = f->density->n;
    for (uint32_t i = 0; i < n; i++) {
        f->best[i] = INFINITY, f->best_row[i] = UINT32_MAX;
        if (f->found[i] != UINT32_MAX && f->parts[f->found[i]] == f->parts[i])
            f->found[i] = UINT32_MAX;
    }
    for (uint32_t i = 0; i < n; i++) offer(f, i);
    f->begin = 0;
    for (size_t size = BATCH, m; f->begin < n; f->begin += m, size *= GROWTH) {
        m = n - f->begin < size ? n - f->begin : size;
        CHECK(cairn_blocks_sized(ctx, m, ROWS, (double)m * 500, look_block, f));
        for (size_t i = 0; i < m; i++) offer(f, (uint32_t)f->order[f->begin + i]);
    }
    return CAIRN_OK;
}

/* -- rounds -- */

/* Join every component with its nearest; returns how many joins were added. */
static size_t join_parts(forest *f, cairn_join *joins)
{
    size_t n = f->density->n, added = 0;
    for (size_t part = 0; part < n; part++) {
        uint32_t row = f->best_row[part];
        if (row == UINT32_MAX || !cairn_joined_join(f->sets, row, f->found[row])) continue;
        joins[added++] = (cairn_join){row, f->found[row], f->lengths[row]};
    }
    for (uint32_t i = 0; i < n; i++) f->parts[i] = cairn_joined_find(f->sets, i);
    return added;
}

/* Every row alone; nothing is nearer to it than its core distance. */
static cairn_status start(cairn_context *ctx, forest *f)
{
    const cairn_point_tree *tree = &f->density->search.tree;
    size_t n = f->density->n;
    CHECK(SCRATCH_RAW_EACH(ctx, n, &f->sets, &f->parts));
    CHECK(SCRATCH_RAW_EACH(ctx, tree->n_nodes, &f->node_parts, &f->node_cores));
    CHECK(SCRATCH_RAW_EACH(ctx, n, &f->order, &f->found, &f->lengths, &f->best, &f->best_row));
    CHECK(cairn_sort_order(ctx, f->order, f->core, n));
    cairn_joined_start(f->sets, n);
    cairn_joined_start(f->parts, n);
    for (size_t i = 0; i < n; i++) f->found[i] = UINT32_MAX, f->lengths[i] = f->core[i];
    return CAIRN_OK;
}

cairn_status cairn_spanning_by_tree(cairn_context *ctx, const cairn_density *density,
                                    const double *core, cairn_join *joins)
{
    SCOPED_SCRATCH(ctx);
    forest f = {.density = density, .core = core};
    size_t done = 0, n = density->n;
    f.squares = cairn_metric_value(&density->rows.metric, 4) == 2;
    CHECK(start(ctx, &f));
    while (done + 1 < n) {
        label_boxes(&f);
        CHECK(look_all(ctx, &f));
        size_t added = join_parts(&f, joins + done);
        if (added == 0)
            return cairn_fail(ctx, CAIRN_INTERNAL, "a spanning tree of %zu rows stopped at %zu", n,
                              done);
        done += added;
        CHECK(cairn_tick(ctx, "spanning tree", (double)done, (double)n));
    }
    return CAIRN_OK;
}
