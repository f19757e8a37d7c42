/* SPDX-License-Identifier: MIT */
/* HDBSCAN: dense regions of all densities at once, without an eps.
 *
 * 1. The core distance of a row is the radius within which it has enough rows (min-points, itself
 *    counted); the mutual reachability of two rows is max(core(a), core(b), d(a, b)).
 * 2. Single linkage by mutual reachability: a shortest spanning tree, its edges from the shortest.
 * 3. From the root down, a split counts when at least two parts have min-size rows; rows of smaller
 *    parts leave. That is the condensed tree; density is lambda = 1 / distance.
 * 4. The stability of a cluster is the sum over its rows of how much density they stay in it for.
 *    Chosen are the clusters, none inside another, whose stabilities add up to most (excess of
 *    mass), or those that are never split (leaf). Rows in none of them are noise.
 *
 * Weights count as repeated rows. A new row goes where the row of training that it is nearest to by
 * mutual reachability is, if it is dense enough there. A row's outlier score (GLOSH) is 1 -
 * lambda / the largest lambda of the cluster that it leaves.
 *
 * Cost: by a tree of boxes some n log n in few columns, all pairs of distances otherwise; memory n.
 *
 * Sources: Campello, Moulavi, Zimek and Sander, Hierarchical density estimates for data clustering,
 * visualization, and outlier detection (2015); McInnes, Healy and Astels, hdbscan (2017). */
#include "learners/cluster/hdbscan.h"
#include "model/kept_parts.h"

#include "base/memory.h"
#include "kernels/kernels.h"
#include "learners/cluster/hierarchy.h"
#include "model/by_distance.h"
#include "parallel/joined.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>

typedef enum hdbscan_select { HDBSCAN_MASS, HDBSCAN_LEAF } hdbscan_select;

typedef struct cairn_hdbscan_params {
    int min_size;
    int min_points; /* 0 = min_size */
    const char *distance;
    int select;
} cairn_hdbscan_params;

typedef struct cairn_hdbscan_history {
    double *sizes;  /* n_labels: weight */
    size_t n_noise; /* rows */
    cairn_density_sample sample;
} cairn_hdbscan_history;

/* Spanning trees by Prim's method: row by row, always the one that is nearest to the tree. Cost:
 * all pairs of distances, memory n. Used where no tree of boxes helps. */

typedef struct growing {
    const cairn_density *density;
    const double *core;
    double *distances; /* n: from the row that was taken last */
    double *nearest;   /* n: to the tree; of rows in it -1 */
    uint32_t *from;    /* n */
} growing;

/* Look at all rows from `row`; the nearest to the tree, the first of equals; UINT32_MAX when one
 * cannot be compared. */
static uint32_t look_from(growing *g, uint32_t row, int32_t *buffer)
{
    size_t n = g->density->n, best = n;
    cairn_distances_alone(&g->density->rows, &row, 1, &g->density->rows, 0, n, g->distances, n,
                          buffer);
    for (size_t j = 0; j < n; j++) {
        if (g->nearest[j] < 0) continue;
        double far = fmax(g->core[row], g->core[j]);
        if (isnan(g->distances[j])) return UINT32_MAX;
        if (g->distances[j] > far) far = g->distances[j];
        if (far < g->nearest[j]) g->nearest[j] = far, g->from[j] = row;
        if (best == n || g->nearest[j] < g->nearest[best]) best = j;
    }
    return (uint32_t)best;
}

/* Rows that cannot be compared would leave the tree in pieces: they are refused. */
static cairn_status by_prim(cairn_context *ctx, const cairn_density *density, const double *core,
                            cairn_join *joins)
{
    SCOPED_SCRATCH(ctx);
    size_t n = density->n;
    growing g = {.density = density, .core = core};
    int32_t *buffer;
    uint32_t row = 0;
    CHECK(SCRATCH_EACH(ctx, n, &g.distances, &g.nearest, &g.from));
    CHECK(SCRATCH(ctx, &buffer, cairn_distance_buffer(&density->rows, &density->rows)));
    for (size_t j = 0; j < n; j++) g.nearest[j] = INFINITY;
    for (size_t i = 0; i + 1 < n; i++) {
        g.nearest[row] = -1;
        uint32_t next = look_from(&g, row, buffer);
        if (next == UINT32_MAX)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "row %zu cannot be compared with every other row: cells are missing; "
                              "{missing impute} fills them",
                              density->rows.numbers[row] + (size_t)1);
        joins[i] = (cairn_join){g.from[next], next, g.nearest[next]};
        row = next;
        if (i % 64 == 0) CHECK(cairn_tick(ctx, "spanning tree", (double)i, (double)n));
    }
    return CAIRN_OK;
}

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

/* What row found may be the nearest of its component so far. */
static void offer(forest *f, uint32_t row)
{
    uint32_t part = f->parts[row];
    if (f->found[row] == UINT32_MAX || !(f->lengths[row] < f->best[part])) return;
    f->best[part] = f->lengths[row];
    f->best_row[part] = row;
}

enum { BATCH = 1024, GROWTH = 4, ROWS = 32, DEEPEST = 64 };

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
            /* Only a row that is nearer than all before takes their place, so ties go to the
             * first found. */
            size_t leaf = node - first;
            const uint32_t *rows = s->tree.rows + leaf * s->tree.leaf;
            double orders[CAIRN_LEAF];
            uint32_t near =
                cairn_tree_leaf(s, &f->density->rows.points, l->row, leaf, l->limit, orders);
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

cairn_status cairn_spanning_tree(cairn_context *ctx, const cairn_density *density,
                                 const double *core, cairn_join *joins)
{
    if (!density->rows.given && density->search.method == CAIRN_SEARCH_KD) {
        /* The method for few columns, by a tree of boxes that the search has. */
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
                return cairn_fail(ctx, CAIRN_INTERNAL, "a spanning tree of %zu rows stopped at %zu",
                                  n, done);
            done += added;
            CHECK(cairn_tick(ctx, "spanning tree", (double)done, (double)n));
        }
        return CAIRN_OK;
    }
    return by_prim(ctx, density, core, joins);
}

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

/* -- rounds -- */

/* The condensed tree of HDBSCAN: the tree of single linkage, from the root down, in which a split
 * counts only when at least two parts have the least size; smaller parts are rows that leave.
 *
 * Merges of one height are one merge of several parts, so that the result does not depend on which
 * of several shortest spanning trees was found. A row of weight w is w rows in the same place,
 * which hang together down to their core distance. */

static void condensed_clear(cairn_condensed *tree)
{
    FREE_EACH(tree->clusters, tree->leaves, tree->lambdas);
    *tree = (cairn_condensed){0};
}

/* -- condensing -- */

typedef struct condensing {
    cairn_condensed *out;
    const cairn_dendrogram *tree;
    const double *core;
    double least;
    size_t buffer;   /* for clusters */
    uint32_t *nodes; /* of the tree that wait */
    int32_t *owners; /* ... and the clusters that they are in */
    size_t n_waiting;
    uint32_t *parts; /* of one split */
    uint32_t *stack; /* to walk down from a part */
} condensing;

static double lambda_of(double distance)
{
    return distance > 0 ? 1 / distance : INFINITY;
}

static bool is_leaf(const condensing *c, uint32_t node)
{
    return node < c->tree->n_leaves;
}

static double height_of(const condensing *c, uint32_t node)
{
    return is_leaf(c, node) ? 0 : c->tree->merges[node - c->tree->n_leaves].height;
}

static cairn_status add_cluster(cairn_context *ctx, condensing *c, int32_t parent, double birth,
                                double size)
{
    cairn_condensed *out = c->out;
    CHECK(GROW(ctx, &out->clusters, &c->buffer, out->n_clusters + 1));
    out->clusters[out->n_clusters++] = (cairn_dense_cluster){
        .parent = parent, .birth = birth, .size = size, .label = -1, .leaf = true};
    return CAIRN_OK;
}

static void wait_for(condensing *c, uint32_t node, int32_t owner)
{
    c->nodes[c->n_waiting] = node;
    c->owners[c->n_waiting++] = owner;
}

/* All rows below a node leave the cluster. */
static void leave(condensing *c, uint32_t node, int32_t owner, double lambda)
{
    size_t n = 0;
    cairn_dense_cluster *cluster = &c->out->clusters[owner];
    c->stack[n++] = node;
    while (n > 0) {
        uint32_t at = c->stack[--n];
        if (is_leaf(c, at)) {
            c->out->leaves[at] = owner;
            c->out->lambdas[at] = lambda;
            double gained = lambda - cluster->birth;
            if (gained > 0) cluster->stability += cairn_dendrogram_size(c->tree, at) * gained;
            cluster->death = fmax(cluster->death, lambda);
            continue;
        }
        const cairn_merge *merge = &c->tree->merges[at - c->tree->n_leaves];
        c->stack[n++] = merge->left, c->stack[n++] = merge->right;
    }
}

/* The parts of a node: those that are lower. */
static size_t split(const condensing *c, uint32_t node)
{
    double height = height_of(c, node);
    size_t n = 0, waiting = 0;
    c->stack[waiting++] = node;
    while (waiting > 0) {
        uint32_t at = c->stack[--waiting];
        if (at != node && (is_leaf(c, at) || height_of(c, at) < height)) {
            c->parts[n++] = at;
            continue;
        }
        const cairn_merge *merge = &c->tree->merges[at - c->tree->n_leaves];
        c->stack[waiting++] = merge->right, c->stack[waiting++] = merge->left;
    }
    return n;
}

/* Whether a part is large enough to be a cluster, or to stay one; a single row only while its
 * copies hang together. */
static bool is_large(const condensing *c, uint32_t part, double height)
{
    return cairn_dendrogram_size(c->tree, part) >= c->least * (1 - 1e-12) &&
           (!is_leaf(c, part) || c->core[part] < height);
}

/* One node: its large parts go on, as clusters of their own if there are several; rows of small
 * parts leave. */
static cairn_status condense_node(cairn_context *ctx, condensing *c, uint32_t node, int32_t owner)
{
    if (is_leaf(c, node)) {
        leave(c, node, owner, lambda_of(c->core[node]));
        return CAIRN_OK;
    }
    double height = height_of(c, node), lambda = lambda_of(height);
    size_t n = split(c, node), large = 0;
    for (size_t i = 0; i < n; i++) large += is_large(c, c->parts[i], height);
    for (size_t i = 0; i < n; i++) {
        double size = cairn_dendrogram_size(c->tree, c->parts[i]);
        if (!is_large(c, c->parts[i], height)) {
            leave(c, c->parts[i], owner, lambda);
        } else if (large == 1) {
            wait_for(c, c->parts[i], owner);
        } else {
            cairn_dense_cluster *cluster = &c->out->clusters[owner];
            if (lambda > cluster->birth) cluster->stability += size * (lambda - cluster->birth);
            cluster->death = fmax(cluster->death, lambda);
            cluster->leaf = false;
            wait_for(c, c->parts[i], (int32_t)c->out->n_clusters);
            CHECK(add_cluster(ctx, c, owner, lambda, size));
        }
    }
    return CAIRN_OK;
}

/* The tree of single linkage without its small branches. `core` (one per row) says until when a row
 * of great weight hangs together with itself. */
static cairn_status condense(cairn_context *ctx, cairn_condensed *out, const cairn_dendrogram *tree,
                             const double *core, double min_size)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(condensed_clear) cairn_condensed made = {.n_rows = tree->n_leaves};
    size_t n = tree->n_leaves;
    condensing c = {.out = &made, .tree = tree, .core = core, .least = min_size};
    uint32_t root = (uint32_t)(n > 1 ? 2 * n - 2 : 0);
    CHECK(NEW_EACH(ctx, n, &made.leaves, &made.lambdas));
    CHECK(SCRATCH_EACH(ctx, n + 1, &c.nodes, &c.owners, &c.parts));
    CHECK(SCRATCH(ctx, &c.stack, 2 * n + 1));
    CHECK(add_cluster(ctx, &c, -1, 0, cairn_dendrogram_size(tree, root)));
    wait_for(&c, root, 0);
    for (size_t done = 0; c.n_waiting > 0; done++) {
        c.n_waiting--;
        CHECK(condense_node(ctx, &c, c.nodes[c.n_waiting], c.owners[c.n_waiting]));
        if (done % 1024 == 0) CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    /* The largest death of every subtree. */
    for (size_t i = made.n_clusters; i-- > 0;) {
        cairn_dense_cluster *cluster = &made.clusters[i];
        cluster->peak = fmax(cluster->peak, cluster->death);
        if (cluster->parent >= 0) {
            double *above = &made.clusters[cluster->parent].peak;
            *above = fmax(*above, cluster->peak);
        }
    }
    *out = made;
    made = (cairn_condensed){0};
    return CAIRN_OK;
}

/* -- choosing -- */

/* The chosen cluster that cluster `at` is in, itself or one above it; -1 = none. */
static int32_t condensed_chosen(const cairn_condensed *tree, int32_t at)
{
    while (at >= 0 && tree->clusters[at].label < 0) at = tree->clusters[at].parent;
    return at;
}

/* Whether nothing splits and all rows leave at one density: then they are one cluster, the only
 * case in which that is the root. */
static bool is_even(const cairn_condensed *tree, double min_size)
{
    if (tree->n_clusters > 1 || tree->clusters[0].size < min_size * (1 - 1e-12)) return false;
    for (size_t i = 1; i < tree->n_rows; i++)
        if (tree->lambdas[i] != tree->lambdas[0]) return false;
    return true;
}

/* Choose clusters and number them by their first rows. Rows of one density are one cluster. */
static cairn_status condensed_select(cairn_context *ctx, cairn_condensed *tree, hdbscan_select how,
                                     double min_size)
{
    SCOPED_SCRATCH(ctx);
    double *parts;
    CHECK(SCRATCH(ctx, &parts, tree->n_clusters));
    for (size_t i = 0; i < tree->n_clusters; i++) tree->clusters[i].label = -1;
    /* From the leaves up: a cluster is worth its own stability or those of its parts, whichever
     * is more; of equals the cluster itself. The root is never chosen. */
    for (size_t i = tree->n_clusters; i-- > 1;) {
        cairn_dense_cluster *cluster = &tree->clusters[i];
        cluster->below = parts[i] > cluster->stability ? parts[i] : cluster->stability;
        parts[cluster->parent] += cluster->below;
    }
    tree->clusters[0].below = parts[0];
    /* label 0 for what is chosen: the uppermost clusters that are worth more than their parts,
     * or the leaves. */
    for (size_t i = 1; i < tree->n_clusters; i++) {
        cairn_dense_cluster *cluster = &tree->clusters[i];
        bool inside = condensed_chosen(tree, cluster->parent) >= 0;
        bool good = how == HDBSCAN_LEAF
                        ? cluster->leaf
                        : !inside && (cluster->leaf || !(parts[i] > cluster->stability));
        cluster->label = good ? 0 : -1;
    }
    if (is_even(tree, min_size)) tree->clusters[0].label = 0;
    /* Numbers in the order of the first rows. */
    bool *seen;
    int32_t next = 0;
    CHECK(SCRATCH(ctx, &seen, tree->n_clusters));
    for (size_t row = 0; row < tree->n_rows; row++) {
        int32_t at = tree->leaves[row];
        while (at >= 0 && tree->clusters[at].label < 0) at = tree->clusters[at].parent;
        if (at < 0 || seen[at]) continue;
        seen[at] = true;
        tree->clusters[at].label = next++;
    }
    tree->n_labels = (size_t)next;
    return CAIRN_OK;
}

/* How surely something that leaves at lambda is in a chosen cluster: its share of the death. */
static double condensed_probability(const cairn_condensed *tree, int32_t chosen, double lambda)
{
    double death = tree->clusters[chosen].death;
    if (!(death > 0) || isinf(lambda) || lambda >= death) return 1;
    return lambda / death;
}

/* 1 - lambda / peak: how much less dense a row is than the densest of its surroundings. */
static double condensed_outlier(const cairn_condensed *tree, size_t row)
{
    double peak = tree->clusters[tree->leaves[row]].peak, lambda = tree->lambdas[row];
    if (!(peak > 0) || lambda >= peak) return 0;
    return 1 - lambda / peak;
}

/* -- keeping -- */

/* A cluster comes after the one that it is a part of. */
static cairn_status check_tree(cairn_archive *a, const void *kept, const void *around)
{
    (void)around;
    const cairn_condensed *tree = kept;
    for (size_t i = 0; i < tree->n_clusters; i++) {
        const cairn_dense_cluster *c = &tree->clusters[i];
        if (c->parent >= (int64_t)i || (i == 0 ? c->parent != -1 : c->parent < 0) ||
            c->label < -1 || c->label >= (int64_t)tree->n_labels)
            return cairn_archive_damaged(a, "cluster %zu of the tree is in no place", i + 1);
    }
    return CAIRN_OK;
}

static const cairn_kept cluster_keeps[] = {
    KEEP(cairn_dense_cluster, parent, birth, death, size, stability, below, peak, label, leaf),
    KEEP_END,
};

static const cairn_kept condensed_keeps[] = {
    KEEP_SIZE(cairn_condensed, n_rows, UINT32_MAX),
    KEEP_SIZE(cairn_condensed, n_clusters, INT32_MAX, .name = "tree_clusters"),
    KEEP_SIZE(cairn_condensed, n_labels, INT32_MAX),
    KEEP_CODES(cairn_condensed, leaves, "n_rows", 0, "n_clusters",
               "row # is in no cluster of the tree"),
    KEEP_ARRAYS(cairn_condensed, "n_rows", lambdas),
    KEEP_FITS("n_clusters", "2*n_rows", "its tree has more clusters than rows"),
    KEEP_PARTS(cairn_condensed, clusters, "n_clusters", .rows = cluster_keeps),
    KEEP_CHECK(check_tree),
    KEEP_END,
};

/* -- what the condensed tree tells and draws -- */

enum { SHOWN_CLUSTERS = 40, SHOWN_ROWS = 20, SHOWN_OUTLIERS = 10, SHOWN_EDGES = 200, FEW = 12 };

/* -- steps -- */

static size_t number_of(const cairn_density *density, size_t row)
{
    return density->rows.numbers[row] + (size_t)1;
}

/* Core distances of all rows, and mutual reachabilities of few. */
static cairn_status show_distances(cairn_context *ctx, cairn_report *out,
                                   const cairn_density *density, const double *core)
{
    int32_t *buffer;
    const cairn_distance_rows *rows = &density->rows;
    size_t n = density->n;
    bool pairs = n <= FEW;
    CHECK(SCRATCH(ctx, &buffer, cairn_distance_buffer(rows, rows)));
    cairn_report_step_begin(out, "Core distances and mutual reachability");
    cairn_report_formula(out, "m(a, b) = max(core(a), core(b), d(a, b))");
    cairn_report_table_of(out, NULL, 50, "rr", "row", "core");
    for (size_t j = 0; pairs && j < n; j++) {
        char head[32];
        snprintf(head, sizeof head, "m(·, %zu)", number_of(density, j));
        cairn_report_column(out, head, 'r');
    }
    for (size_t i = 0; i < n; i++) {
        cairn_report_cellf(out, "%zu", number_of(density, i));
        cairn_density_cell(out, core[i], NULL);
        for (size_t j = 0; pairs && j < n; j++) {
            double m = fmax(core[i], core[j]), d = cairn_distance_pair(rows, i, rows, j, buffer);
            if (i == j)
                cairn_report_cell(out, "");
            else
                cairn_report_cell_number(out, d > m ? d : m, 4, NULL);
        }
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* The edges from the shortest, in the order in which single linkage merges. */
static cairn_status show_edges(cairn_context *ctx, cairn_report *out, const cairn_density *density,
                               const cairn_join *joins)
{
    size_t n = density->n > 0 ? density->n - 1 : 0;
    double *lengths;
    uint64_t *order;
    CHECK(SCRATCH_EACH(ctx, n + 1, &lengths, &order));
    for (size_t i = 0; i < n; i++) lengths[i] = joins[i].height;
    CHECK(cairn_sort_order(ctx, order, lengths, n));
    cairn_report_step_begin(out, "The shortest tree by mutual reachability");
    cairn_report_table_of(out, NULL, SHOWN_EDGES, "rrrr", "edge", "a", "b", "m(a, b)");
    for (size_t i = 0; i < n; i++) {
        const cairn_join *join = &joins[order[i]];
        cairn_report_cells(out, "- - - edge$1.length:6", i + 1, number_of(density, join->a),
                           number_of(density, join->b), join->height);
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* All nodes are named, also those that are not chosen: the choice can be checked by them. */
static void show_tree(cairn_report *out, const cairn_condensed *tree)
{
    cairn_report_table_of(out, "Condensed tree", SHOWN_CLUSTERS, "rlrrrrl", "node", "part of",
                          "size", "λ of birth", "stability", "best below", "chosen");
    for (size_t i = 0; i < tree->n_clusters; i++) {
        const cairn_dense_cluster *c = &tree->clusters[i];
        if (c->label >= 0) cairn_report_row_mark(out);
        cairn_report_cellf(out, "%zu", i + 1);
        if (c->parent >= 0)
            cairn_report_cellf(out, "%d", c->parent + 1);
        else
            cairn_report_cell(out, "-");
        cairn_report_cell_number(out, c->size, 0, "node%zu.size", i + 1);
        cairn_density_cell(out, c->birth, "node%zu.birth", i + 1);
        cairn_density_cell(out, c->stability, "node%zu.stability", i + 1);
        cairn_density_cell(out, c->below, NULL);
        if (c->label >= 0)
            cairn_report_cellf(out, "cluster %d", c->label + 1);
        else
            cairn_report_cell(out, "no");
    }
    cairn_report_table_end(out);
}

static cairn_status hdbscan_steps(cairn_context *ctx, const cairn_density *density,
                                  const double *core, const cairn_join *joins,
                                  const cairn_condensed *tree, const cairn_job *job)
{
    const cairn_hdbscan_params *p = job->params;
    SCOPED_SCRATCH(ctx);
    CHECK(show_distances(ctx, job->steps, density, core));
    CHECK(show_edges(ctx, job->steps, density, joins));
    cairn_report_step_begin(job->steps, "Splits that leave two parts of at least %d rows",
                            p->min_size);
    cairn_report_formula(job->steps, "stability(C) = Σ over rows of C: λ of leaving − λ of birth, "
                                     "λ = 1 / m");
    show_tree(job->steps, tree);
    cairn_report_paragraph(
        job->steps, p->select == HDBSCAN_MASS
                        ? "From the leaves up, a node is chosen in place of what was chosen "
                          "below it when its own stability is at least as large; the root is "
                          "never chosen."
                        : "Nodes that are never split are chosen.");
    cairn_report_step_end(job->steps);
    return CAIRN_OK;
}

/* -- the description -- */

/* Chosen nodes under the numbers that rows have. */
static void show_clusters(cairn_report *out, const cairn_condensed *tree,
                          const cairn_hdbscan_history *s)
{
    if (tree->n_labels == 0) {
        cairn_report_note(out, "All rows are noise: nowhere do they split into large enough parts. "
                               "A smaller {min-size} or {min-points} may find some.");
        return;
    }
    cairn_report_table_of(out, "Clusters", SHOWN_CLUSTERS, "rrrr", "cluster", "size", "stability",
                          "largest λ");
    for (size_t k = 0; k < tree->n_labels; k++)
        for (size_t i = 0; i < tree->n_clusters; i++) {
            if (tree->clusters[i].label != (int32_t)k) continue;
            cairn_report_cells(out, "- cluster$1.size", k + 1, s->sizes[k]);
            cairn_density_cell(out, tree->clusters[i].stability, "cluster%zu.stability", k + 1);
            cairn_density_cell(out, tree->clusters[i].death, NULL);
        }
    cairn_report_table_end(out);
}

/* Rows one by one, where they are few: cluster, probability, outlier score. */
static void show_rows(cairn_report *out, const cairn_condensed *tree,
                      const cairn_hdbscan_history *s)
{
    if (tree->n_rows > CAIRN_DENSITY_SAMPLE || s->sample.n != tree->n_rows) return;
    cairn_report_table_of(out, "Rows", SHOWN_ROWS, "rlrr", "row", "cluster", "probability",
                          "outlier score");
    for (size_t i = 0; i < tree->n_rows; i++) {
        size_t row = (size_t)s->sample.rows[i] + 1;
        int32_t chosen = condensed_chosen(tree, tree->leaves[i]);
        int32_t label = chosen < 0 ? -1 : tree->clusters[chosen].label;
        double probability = chosen < 0 ? 0 : condensed_probability(tree, chosen, tree->lambdas[i]);
        cairn_report_cellf(out, "%zu", row);
        if (label >= 0)
            cairn_report_cellf(out, "%d", label + 1);
        else
            cairn_report_cell(out, "none");
        cairn_report_hidden(out, label + 1.0, "assign.%zu", row);
        cairn_report_cell_number(out, probability, 4, "probability.%zu", row);
        cairn_report_cell_number(out, condensed_outlier(tree, i), 4, "outlier.%zu", row);
    }
    cairn_report_table_end(out);
}

/* The rows that lie most alone. */
static cairn_status show_outliers(cairn_report *out, cairn_context *ctx,
                                  const cairn_hdbscan_model *m)
{
    const cairn_condensed *tree = &m->tree;
    double *scores;
    uint64_t *order;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_EACH(ctx, tree->n_rows + 1, &scores, &order));
    for (size_t i = 0; i < tree->n_rows; i++) scores[i] = -condensed_outlier(tree, i);
    CHECK(cairn_sort_order(ctx, order, scores, tree->n_rows));
    if (tree->n_rows == 0 || !(scores[order[0]] < 0)) return CAIRN_OK;
    cairn_report_table_of(out, "Largest outlier scores", SHOWN_OUTLIERS, "rr", "row", "score");
    for (size_t i = 0; i < tree->n_rows && i < SHOWN_OUTLIERS; i++) {
        cairn_report_cell_number(out, m->rows.numbers[order[i]] + 1.0, 0, "outlier_row.%zu", i + 1);
        cairn_report_cell_number(out, -scores[order[i]], 4, NULL);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

/* -- pictures -- */

static cairn_status draw_clusters(cairn_context *ctx, cairn_figure **out, const void *model,
                                  const cairn_job *job)
{
    const cairn_hdbscan_history *s = job->history;
    *out = NULL;
    if (!s) return CAIRN_OK;
    return cairn_density_clusters_figure(ctx, out, &s->sample,
                                         ((const cairn_hdbscan_model *)model)->tree.n_labels, job);
}

/* The tallest finite lambda, for what is infinite to stand a little above. */
static double top_of(const cairn_condensed *tree)
{
    double top = 0;
    for (size_t i = 0; i < tree->n_rows; i++)
        if (isfinite(tree->lambdas[i]) && tree->lambdas[i] > top) top = tree->lambdas[i];
    for (size_t i = 0; i < tree->n_clusters; i++)
        if (isfinite(tree->clusters[i].birth)) top = fmax(top, tree->clusters[i].birth);
    return top > 0 ? top : 1;
}

/* A node is as wide at each lambda as it has rows left: steps of a bar that becomes narrower. */
static void draw_node(cairn_figure *figure, const cairn_condensed *tree, size_t node, double middle,
                      double top, const uint64_t *order, double *buffer)
{
    enum { STEPS = 60 };
    const cairn_dense_cluster *c = &tree->clusters[node];
    double death = isfinite(c->death) ? c->death : 1.1 * top;
    double *x = buffer, *y = buffer + 2 * STEPS + 2;
    size_t m = 0, at = 0;
    double left = c->size;
    for (size_t t = 0; t <= STEPS; t++) {
        double lambda = c->birth + (death - c->birth) * (double)t / STEPS;
        for (; at < tree->n_rows && tree->lambdas[order[at]] < lambda; at++)
            if (tree->leaves[order[at]] == (int32_t)node) left -= 1;
        x[m] = middle - fmax(left, 0) / 2, y[m++] = lambda;
    }
    for (size_t t = STEPS + 1; t-- > 0; m++) x[m] = 2 * middle - x[t], y[m] = y[t];
    cairn_figure_side(figure, c->label, c->label >= 0 ? 0.8 : 0.35, x, y, m);
}

/* Nodes as bars that become narrower as rows leave, joined to the node they split from. */
static cairn_status draw_tree(cairn_context *ctx, cairn_figure **out, const void *model,
                              const cairn_job *job)
{
    enum { MOST_NODES = 200 };
    const cairn_condensed *tree = &((const cairn_hdbscan_model *)model)->tree;
    double *middles, *next, *buffer;
    uint64_t *order;
    (void)job;
    *out = NULL;
    if (tree->n_clusters < 2 || tree->n_clusters > MOST_NODES) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_EACH(ctx, tree->n_clusters, &middles, &next));
    CHECK(SCRATCH(ctx, &buffer, 400));
    CHECK(SCRATCH(ctx, &order, tree->n_rows));
    CHECK(cairn_sort_order(ctx, order, tree->lambdas, tree->n_rows));
    /* Where the nodes of the tree stand: the root over all rows from 0 on, parts side by side in
     * the middle of what they split from, which has at least as many rows; a part comes after
     * its parent. */
    for (size_t i = 0; i < tree->n_clusters; i++) next[i] = 0;
    for (size_t i = 1; i < tree->n_clusters; i++)
        next[tree->clusters[i].parent] -= tree->clusters[i].size / 2;
    middles[0] = tree->clusters[0].size / 2;
    for (size_t i = 0; i < tree->n_clusters; i++) {
        const cairn_dense_cluster *c = &tree->clusters[i];
        if (i > 0) middles[i] = next[c->parent] + c->size / 2, next[c->parent] += c->size;
        next[i] += middles[i];
    }
    CHECK(
        cairn_figure_new(ctx, out, "condensed-tree", "Condensed tree; chosen clusters in colour"));
    cairn_figure_axes(*out, "rows", "density λ = 1 / distance");
    cairn_figure_x_range(*out, 0, tree->clusters[0].size);
    cairn_figure_y_range(*out, 0, NAN);
    double top = top_of(tree);
    for (size_t i = 0; i < tree->n_clusters; i++) {
        char label[32];
        draw_node(*out, tree, i, middles[i], top, order, buffer);
        if (tree->clusters[i].label < 0) continue;
        snprintf(label, sizeof label, "%d", tree->clusters[i].label + 1);
        cairn_figure_text(*out, middles[i], fmin(tree->clusters[i].death, 1.1 * top), 'c', label);
    }
    for (size_t i = 1; i < tree->n_clusters; i++) {
        size_t parent = (size_t)tree->clusters[i].parent;
        double birth = isfinite(tree->clusters[i].birth) ? tree->clusters[i].birth : 1.1 * top;
        double death = isfinite(tree->clusters[i].death) ? tree->clusters[i].death : 1.1 * top;
        double x[] = {middles[parent], middles[i], middles[i]}, y[] = {birth, birth, death};
        cairn_figure_guide(*out, x, y, 3);
    }
    return CAIRN_OK;
}

static const cairn_model_figure hdbscan_figures[] = {
    {"condensed-tree", draw_tree, false},
    {"clusters", draw_clusters, false},
    {0},
};

static void hdbscan_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_hdbscan_model *m = model;
    const cairn_hdbscan_history *s = job->history;
    cairn_context *ctx = cairn_report_context(out);
    if (!out) return;
    cairn_report_heading(out, 2, "HDBSCAN");
    cairn_report_value(out, "clusters", (double)m->tree.n_labels, "clusters");
    if (s) cairn_report_value(out, "noise", (double)s->n_noise, "noise");
    if (s) show_clusters(out, &m->tree, s);
    show_tree(out, &m->tree);
    if (s) show_rows(out, &m->tree, s);
    cairn_report_failed(out, show_outliers(out, ctx, m));
    for (const cairn_model_figure *f = hdbscan_figures; f->name; f++) {
        cairn_figure *figure = NULL;
        cairn_status made = f->make(ctx, &figure, model, job);
        cairn_describe_figure(out, made, &figure, false);
    }
}

static const cairn_choice selections[] = {
    {"mass", HDBSCAN_MASS, "clusters whose stabilities add up to most (excess of mass)"},
    {"leaf", HDBSCAN_LEAF, "clusters that are never split: many small ones"},
    {0},
};

static const cairn_param hdbscan_params[] = {
    CAIRN_PARAM(cairn_hdbscan_params, min_size, "5", "[2,inf)", "rows that a cluster must have",
                .often = true),
    CAIRN_PARAM(cairn_hdbscan_params, min_points, "0", "[0,inf)",
                "rows within the core distance, the row itself among them: more of them leave more "
                "rows out as noise; 0 means as many as min-size",
                .often = true),
    CAIRN_DISTANCE_PARAM(cairn_hdbscan_params),
    CAIRN_PARAM_CHOICE(cairn_hdbscan_params, select, "mass", selections,
                       "which clusters of the condensed tree are chosen", .often = true),
    CAIRN_PARAM_END,
};

static cairn_status hdbscan_check(cairn_context *ctx, const void *values)
{
    const cairn_hdbscan_params *p = values;
    return cairn_metric_check(ctx, cairn_say(ctx, "{distance}"), p->distance);
}

static unsigned hdbscan_accepts(const void *params)
{
    return cairn_distance_accepts(((const cairn_hdbscan_params *)params)->distance);
}

/* -- fitting -- */

/* From the shortest tree over linkage to the condensed tree, of which only the last is kept. */
static cairn_status make_tree(cairn_context *ctx, cairn_hdbscan_model *m,
                              const cairn_density *density, const cairn_job *job)
{
    const cairn_hdbscan_params *p = job->params;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram linkage = {0};
    cairn_join *joins;
    size_t n = density->n;
    CHECK(SCRATCH(ctx, &joins, n));
    CHECK(cairn_dendrogram_new(ctx, &linkage, n));
    if (density->weights) {
        CHECK(NEW_RAW(ctx, &linkage.weights, n));
        for (size_t i = 0; i < n; i++) linkage.weights[i] = density->weights[i];
    }
    CHECK(cairn_spanning_tree(ctx, density, m->core, joins));
    CHECK(cairn_dendrogram_of_joins(ctx, &linkage, joins));
    CHECK(cairn_merges_prove(ctx, job->certificate,
                             &(cairn_merges_asked){.tree = &linkage,
                                                   .rows = &density->rows,
                                                   .linkage = CAIRN_LINKAGE_SINGLE,
                                                   .core = m->core}));
    CHECK(condense(ctx, &m->tree, &linkage, m->core, p->min_size));
    CHECK(condensed_select(ctx, &m->tree, (hdbscan_select)p->select, p->min_size));
    return job->steps ? hdbscan_steps(ctx, density, m->core, joins, &m->tree, job) : CAIRN_OK;
}

/* Rows of training, for those to come. */
static cairn_status keep_rows(cairn_context *ctx, cairn_hdbscan_model *m,
                              const cairn_density *density)
{
    SCOPED_SCRATCH(ctx);
    uint32_t *all;
    CHECK(SCRATCH(ctx, &all, density->n + 1));
    for (size_t i = 0; i < density->n; i++) all[i] = (uint32_t)i;
    if (density->weights) {
        CHECK(NEW_RAW(ctx, &m->weights, density->n));
        for (size_t i = 0; i < density->n; i++) m->weights[i] = density->weights[i];
    }
    return cairn_distance_rows_keep(ctx, &m->rows, &density->rows, all, density->n);
}

static cairn_status fill_history(cairn_context *ctx, cairn_hdbscan_history *s,
                                 const cairn_hdbscan_model *m, const cairn_density *density,
                                 const int32_t *labels, const cairn_job *job)
{
    CHECK(NEW(ctx, &s->sizes, m->tree.n_labels));
    for (size_t i = 0; i < density->n; i++) {
        if (labels[i] >= 0) s->sizes[labels[i]] += cairn_density_weight(density, i);
        s->n_noise += labels[i] < 0;
    }
    return cairn_density_sample_keep(ctx, &s->sample, density, job->view, labels);
}

/* No clusters at all is a result that says little; it is a warning, not an error. */
static cairn_status hdbscan_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_hdbscan_model *m = model;
    const cairn_hdbscan_params *p = job->params;
    SCOPED(cairn_density_clear) cairn_density density = {0};
    int32_t *labels;
    CHECK(cairn_density_open(ctx, &density, job->view, p->distance));
    m->enough = p->min_points > 0 ? p->min_points : p->min_size;
    CHECK(SCRATCH(ctx, &labels, density.n + 1));
    CHECK(cairn_density_search(ctx, &density));
    /* A row that has not enough rows around it at any distance: all are as far as the farthest. */
    CHECK(NEW(ctx, &m->core, density.n));
    double enough = m->enough;
    if (enough > density.total) {
        cairn_warn(ctx,
                   "a core distance is that of %d rows, and there are fewer: the farthest row is "
                   "taken; choose a smaller {min-points}",
                   (int)enough);
        m->enough = enough = density.total;
    }
    CHECK(cairn_density_core_distances(ctx, &density, enough, m->core));
    CHECK(cairn_density_prove_cores(ctx, job->certificate, &density, m->enough, INFINITY, m->core));
    CHECK(make_tree(ctx, m, &density, job));
    if (m->tree.n_labels == 0)
        cairn_warn(
            ctx,
            "all rows (%zu) are noise: nowhere do they split into parts of %d rows; choose a "
            "smaller {min-size} or {min-points}",
            density.n, p->min_size);
    for (size_t i = 0; i < density.n; i++) {
        int32_t chosen = condensed_chosen(&m->tree, m->tree.leaves[i]);
        labels[i] = chosen < 0 ? -1 : m->tree.clusters[chosen].label;
        job->fitted[cairn_density_at(&density, i)] = labels[i];
    }
    CHECK(keep_rows(ctx, m, &density));
    return job->history ? fill_history(ctx, job->history, m, &density, labels, job) : CAIRN_OK;
}

/* -- predicting -- */

/* Where a new row would be: beside the row that it is nearest to by mutual reachability. */
typedef struct standing {
    uint32_t beside; /* UINT32_MAX = nowhere */
    double lambda;
} standing;

static standing stand_beside(const cairn_hdbscan_model *m, const uint32_t *rows,
                             const double *distances, size_t n)
{
    standing s = {UINT32_MAX, 0};
    double weight = 1, core = INFINITY, best = INFINITY;
    for (size_t i = 0; i < n && isinf(core); i++) {
        weight += m->weights ? m->weights[rows[i]] : 1;
        if (weight >= m->enough * (1 - 1e-12)) core = distances[i];
    }
    if (m->enough <= 1) core = 0;
    if (isinf(core) && n > 0) core = distances[n - 1];
    for (size_t i = 0; i < n; i++) {
        double far = fmax(core, fmax(m->core[rows[i]], distances[i]));
        if (far < best) best = far, s.beside = rows[i];
    }
    s.lambda = best > 0 ? 1 / best : INFINITY;
    return s;
}

/* Twice as many neighbours are looked at as a core distance has rows: the nearest by mutual
 * reachability is nearly always among them. */
static cairn_status hdbscan_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                    const cairn_job *job)
{
    const cairn_hdbscan_model *m = model;
    SCOPED(cairn_neighbours_clear) cairn_neighbours near = {0};
    size_t n = job->view->rows.n;
    double *probabilities;
    CHECK(SCRATCH(ctx, &probabilities, n + 1));
    CHECK(cairn_density_nearest(ctx, &m->rows, job->view, 2 * (size_t)ceil(m->enough), &near));
    for (size_t i = 0; i < n; i++) {
        standing s =
            stand_beside(m, near.rows + i * near.k, near.distances + i * near.k, near.found[i]);
        /* Up from the cluster of its neighbour to the first that was there at its density. */
        int32_t at = s.beside == UINT32_MAX ? -1 : m->tree.leaves[s.beside];
        while (at > 0 && m->tree.clusters[at].birth > s.lambda) at = m->tree.clusters[at].parent;
        int32_t chosen = condensed_chosen(&m->tree, at);
        if (out->codes) out->codes[i] = chosen < 0 ? -1 : m->tree.clusters[chosen].label;
        probabilities[i] = chosen < 0 ? 0 : condensed_probability(&m->tree, chosen, s.lambda);
    }
    out->codes_set = true;
    out->n_classes = m->tree.n_labels;
    if (!out->extra) return CAIRN_OK;
    return cairn_table_put_numbers(ctx, out->extra, "probability", probabilities);
}

/* -- keeping -- */

/* Everything that predicting looks up is checked: rows, core distances, weights. */
static cairn_status check_rows(cairn_archive *a, const void *kept, const void *around)
{
    (void)around;
    const cairn_hdbscan_model *m = kept;
    if (m->rows.n != m->tree.n_rows || m->tree.n_clusters == 0 ||
        !(m->enough > 0 && m->enough < 1e9))
        return cairn_archive_damaged(a, "its rows do not fit together");
    for (size_t i = 0; i < m->tree.n_rows; i++)
        if (!(m->core[i] >= 0) || (m->weights && !(m->weights[i] > 0)))
            return cairn_archive_damaged(a, "row %zu has no core distance or weight", i + 1);
    return CAIRN_OK;
}

static const cairn_kept hdbscan_keeps[] = {
    KEEP(cairn_hdbscan_model, enough),
    KEEP_PART(cairn_hdbscan_model, tree, .rows = condensed_keeps),
    KEEP_PART(cairn_hdbscan_model, rows, .part = &cairn_kept_distance_rows),
    KEEP_ARRAYS(cairn_hdbscan_model, "tree.n_rows", core),
    KEEP_FLAG(cairn_hdbscan_model, weights, "weighted"),
    KEEP_ARRAY(cairn_hdbscan_model, weights, "tree.n_rows", .when = "weighted"),
    KEEP_CHECK(check_rows),
    KEEP_END,
};

static const cairn_kept history_keeps[] = {
    KEEP_ARRAYS(cairn_hdbscan_history, "tree.n_labels", sizes),
    KEEP_SIZE(cairn_hdbscan_history, n_noise, UINT32_MAX),
    KEEP_PART(cairn_hdbscan_history, sample, .rows = cairn_density_sample_keeps),
    KEEP_END,
};

static const cairn_history hdbscan_history = {
    .size = sizeof(cairn_hdbscan_history),
    .keeps = history_keeps,
};

static cairn_status hdbscan_check_model(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_hdbscan_model *m = model;
    const cairn_hdbscan_params *p = job->params;
    size_t n = 0, at = 0;
    while (cairn_schema_next_feature(job->schema, &at)) n++;
    return cairn_distance_rows_check(a, &m->rows, n, p->distance);
}

static cairn_model_size hdbscan_size(const void *model)
{
    const cairn_hdbscan_model *m = model;
    size_t columns = m->rows.given ? 0 : m->rows.points.width;
    return (cairn_model_size){.parameters = (double)m->tree.n_rows * (double)(columns + 3),
                              .grows = true};
}

static const cairn_output hdbscan_outputs[] = {
    {"probability", "how surely the row is in its cluster: its density as a share of the largest"},
    {0},
};

const cairn_learner cairn_hdbscan = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "hdbscan",
            .also = "hierarchical density-based clustering, condensed tree, GLOSH, outlier scores",
            .title = "HDBSCAN: dense regions of any density",
            .summary =
                "Finds clusters of any shape and of different density, and leaves out noise, "
                "without "
                "a radius: single linkage by mutual reachability, of which only splits into parts "
                "of "
                "min-size rows count, and from that tree the clusters that last longest. Rows have "
                "a "
                "probability of being in their cluster and an outlier score. A new row goes where "
                "the row that it is nearest to by mutual reachability is, if it is dense enough "
                "there.",
            .references = "Campello, Moulavi, Zimek and Sander, Hierarchical density estimates for "
                          "data clustering, visualization, and outlier detection, ACM Transactions "
                          "on Knowledge Discovery from Data 10 (2015)",
            .example = "cairn fit hdbscan @iris --ignore species --min-size 10",
            .params = hdbscan_params,
            .params_size = sizeof(cairn_hdbscan_params),
            .check = hdbscan_check,
        },
    .tasks = CAIRN_CLUSTER,
    .space = "min-size=3,5,10,20",
    .aims = "groups that last over many densities",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_DISTANCES |
               CAIRN_USES_DISTANCES | CAIRN_ACCEPTS_BAGS | CAIRN_WANTS_SCALING,
    .accepts_with = hdbscan_accepts,
    .traits = CAIRN_DESCRIPTIVE | CAIRN_UNSUPERVISED | CAIRN_GEOMETRIC | CAIRN_GROUPING |
              CAIRN_MAY_ABSTAIN,
    .model_size = sizeof(cairn_hdbscan_model),
    .tables = cairn_hdbscan_tables,
    .history = &hdbscan_history,
    .labels_rows = true,
    .sets_codes = true,
    .answers_slowly = true,
    .outputs = hdbscan_outputs,
    .fit = hdbscan_fit,
    .predict = hdbscan_predict,
    .describe = hdbscan_describe,
    .figures = hdbscan_figures,
    .keeps = hdbscan_keeps,
    .check = hdbscan_check_model,
    .size = hdbscan_size,
};
