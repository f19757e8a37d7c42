/* SPDX-License-Identifier: MIT */
/* The condensed tree of HDBSCAN: the tree of single linkage, from the root down, in which a split
 * counts only when at least two parts have the least size; smaller parts are rows that leave.
 *
 * Merges of one height are one merge of several parts, so that the result does not depend on which
 * of several shortest spanning trees was found. A row of weight w is w rows in the same place,
 * which hang together down to their core distance. */
#include "base/memory.h"
#include "learners/cluster/hdbscan.h"
#include <math.h>

/* -- condensing -- */

typedef struct condensing {
    cairn_condensed *out;
    const cairn_dendrogram *tree;
    const double *core;
    double least;
    size_t room;     /* for clusters */
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
    CHECK(GROW(ctx, &out->clusters, &c->room, out->n_clusters + 1));
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

/* The largest death of every subtree. */
static void find_peaks(cairn_condensed *tree)
{
    for (size_t i = tree->n_clusters; i-- > 0;) {
        cairn_dense_cluster *cluster = &tree->clusters[i];
        cluster->peak = fmax(cluster->peak, cluster->death);
        if (cluster->parent >= 0) {
            double *above = &tree->clusters[cluster->parent].peak;
            *above = fmax(*above, cluster->peak);
        }
    }
}

cairn_status cairn_condense(cairn_context *ctx, cairn_condensed *out, const cairn_dendrogram *tree,
                            const double *core, double min_size)
{
    SCOPED_SCRATCH(ctx);
    cairn_condensed made = {.n_rows = tree->n_leaves};
    SCOPED_KEPT(cairn_condensed_keeps, &made);
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
    find_peaks(&made);
    *out = made;
    made = (cairn_condensed){0};
    return CAIRN_OK;
}

/* -- choosing -- */

/* From the leaves up: a cluster is worth its own stability or those of its parts, whichever is
 * more; of equals the cluster itself. The root is never chosen. */
static void weigh(cairn_condensed *tree, double *parts)
{
    for (size_t i = tree->n_clusters; i-- > 1;) {
        cairn_dense_cluster *cluster = &tree->clusters[i];
        cluster->below = parts[i] > cluster->stability ? parts[i] : cluster->stability;
        parts[cluster->parent] += cluster->below;
    }
    tree->clusters[0].below = parts[0];
}

/* label 0 for what is chosen: the uppermost clusters that are worth more than their parts, or the
 * leaves. */
static void choose(cairn_condensed *tree, const double *parts, cairn_hdbscan_select how)
{
    for (size_t i = 1; i < tree->n_clusters; i++) {
        cairn_dense_cluster *cluster = &tree->clusters[i];
        bool inside = cairn_condensed_chosen(tree, cluster->parent) >= 0;
        bool good = how == CAIRN_HDBSCAN_LEAF
                        ? cluster->leaf
                        : !inside && (cluster->leaf || !(parts[i] > cluster->stability));
        cluster->label = good ? 0 : -1;
    }
}

/* Numbers in the order of the first rows. */
static cairn_status number_chosen(cairn_context *ctx, cairn_condensed *tree)
{
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

/* Whether nothing splits and all rows leave at one density: then they are one cluster, the only
 * case in which that is the root. */
static bool is_even(const cairn_condensed *tree, double min_size)
{
    if (tree->n_clusters > 1 || tree->clusters[0].size < min_size * (1 - 1e-12)) return false;
    for (size_t i = 1; i < tree->n_rows; i++)
        if (tree->lambdas[i] != tree->lambdas[0]) return false;
    return true;
}

cairn_status cairn_condensed_select(cairn_context *ctx, cairn_condensed *tree,
                                    cairn_hdbscan_select how, double min_size)
{
    SCOPED_SCRATCH(ctx);
    double *parts;
    CHECK(SCRATCH(ctx, &parts, tree->n_clusters));
    for (size_t i = 0; i < tree->n_clusters; i++) tree->clusters[i].label = -1;
    weigh(tree, parts);
    choose(tree, parts, how);
    if (is_even(tree, min_size)) tree->clusters[0].label = 0;
    return number_chosen(ctx, tree);
}

int32_t cairn_condensed_chosen(const cairn_condensed *tree, int32_t at)
{
    while (at >= 0 && tree->clusters[at].label < 0) at = tree->clusters[at].parent;
    return at;
}

double cairn_condensed_probability(const cairn_condensed *tree, int32_t chosen, double lambda)
{
    double death = tree->clusters[chosen].death;
    if (!(death > 0) || isinf(lambda) || lambda >= death) return 1;
    return lambda / death;
}

double cairn_condensed_outlier(const cairn_condensed *tree, size_t row)
{
    double peak = tree->clusters[tree->leaves[row]].peak, lambda = tree->lambdas[row];
    if (!(peak > 0) || lambda >= peak) return 0;
    return 1 - lambda / peak;
}

/* -- keeping -- */

/* Every cluster but the root stands behind its parent. */
static cairn_status check_tree(cairn_archive *a, const void *kept, const void *around)
{
    const cairn_condensed *tree = kept;
    (void)around;
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

const cairn_kept cairn_condensed_keeps[] = {
    KEEP_SIZE(cairn_condensed, n_rows, UINT32_MAX),
    KEEP_SIZE(cairn_condensed, n_clusters, INT32_MAX, .name = "tree_clusters", .within = "2*n_rows",
              .why = "its tree has more clusters than rows"),
    KEEP_SIZE(cairn_condensed, n_labels, INT32_MAX),
    KEEP_CODES(cairn_condensed, leaves, "n_rows", 0, "n_clusters",
               "row # is in no cluster of the tree"),
    KEEP_ARRAYS(cairn_condensed, "n_rows", lambdas),
    KEEP_PARTS(cairn_condensed, clusters, "n_clusters", .rows = cluster_keeps),
    KEEP_CHECK(check_tree),
    KEEP_END,
};
