/* SPDX-License-Identifier: MIT */
/* Trees of clusters: made of joins, checked, kept, put in order and cut. */
#include "stats/dendrogram.h"
#include "base/memory.h"
#include "base/number.h"
#include "parallel/sort.h"
#include <math.h>
#include <string.h>

static const size_t most_leaves = (size_t)1 << 31;

cairn_status cairn_dendrogram_new(cairn_context *ctx, cairn_dendrogram *out, size_t n_leaves)
{
    *out = (cairn_dendrogram){.n_leaves = n_leaves};
    if (n_leaves > most_leaves)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "a tree of %zu leaves is too large; at most %zu",
                          n_leaves, most_leaves);
    return NEW(ctx, &out->merges, n_leaves - 1);
}

void cairn_dendrogram_clear(cairn_dendrogram *tree)
{
    for (size_t i = 0; tree->names && i < tree->n_leaves; i++) cairn_free(tree->names[i]);
    cairn_free(tree->names);
    cairn_free(tree->weights);
    cairn_free(tree->merges);
    *tree = (cairn_dendrogram){0};
}

double cairn_dendrogram_size(const cairn_dendrogram *tree, size_t cluster)
{
    if (cluster >= tree->n_leaves) return tree->merges[cluster - tree->n_leaves].size;
    return tree->weights ? tree->weights[cluster] : 1;
}

double cairn_dendrogram_height(const cairn_dendrogram *tree, size_t cluster)
{
    return cluster >= tree->n_leaves ? tree->merges[cluster - tree->n_leaves].height : 0;
}

double cairn_dendrogram_top(const cairn_dendrogram *tree)
{
    double top = tree->n_leaves > 1 ? tree->merges[0].height : 0;
    for (size_t i = 1; i + 1 < tree->n_leaves; i++) top = fmax(top, tree->merges[i].height);
    return top;
}

bool cairn_height_falls(double below, double height)
{
    return height < below - 1e-12 * fabs(below);
}

bool cairn_dendrogram_inverted(const cairn_dendrogram *tree, size_t merge)
{
    const cairn_merge *m = tree->merges + merge;
    size_t parts[] = {m->left, m->right};
    for (size_t i = 0; i < 2; i++)
        if (parts[i] >= tree->n_leaves &&
            cairn_height_falls(cairn_dendrogram_height(tree, parts[i]), m->height))
            return true;
    return false;
}

size_t cairn_dendrogram_inversions(const cairn_dendrogram *tree)
{
    size_t count = 0;
    for (size_t i = 0; i + 1 < tree->n_leaves; i++) count += cairn_dendrogram_inverted(tree, i);
    return count;
}

/* -- checking and keeping -- */

/* Take a part of a merge, which must exist and be free. */
static cairn_status take_part(cairn_context *ctx, bool *taken, size_t n_leaves, size_t merge,
                              uint32_t part)
{
    if (part >= n_leaves + merge)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "merge %zu joins cluster %lu, which does not exist",
                          merge + 1, (unsigned long)part + 1);
    if (taken[part])
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "merge %zu joins cluster %lu, which has been merged before", merge + 1,
                          (unsigned long)part + 1);
    taken[part] = true;
    return CAIRN_OK;
}

cairn_status cairn_dendrogram_complete(cairn_context *ctx, cairn_dendrogram *tree)
{
    SCOPED_SCRATCH(ctx);
    bool *taken;
    CHECK(SCRATCH(ctx, &taken, 2 * tree->n_leaves));
    for (size_t i = 0; i + 1 < tree->n_leaves; i++) {
        cairn_merge *m = tree->merges + i;
        if (!isfinite(m->height))
            return cairn_fail(ctx, CAIRN_BAD_DATA, "the height of merge %zu is not a finite number",
                              i + 1);
        CHECK(take_part(ctx, taken, tree->n_leaves, i, m->left));
        CHECK(take_part(ctx, taken, tree->n_leaves, i, m->right));
        m->size = cairn_dendrogram_size(tree, m->left) + cairn_dendrogram_size(tree, m->right);
    }
    return CAIRN_OK;
}

static cairn_status archive_weights(cairn_archive *a, cairn_dendrogram *tree)
{
    bool weighted = tree->weights != NULL;
    CHECK(cairn_archive_bool(a, "weighted", &weighted));
    if (!weighted) return CAIRN_OK;
    CHECK(cairn_archive_reals(a, "weights", &tree->weights, tree->n_leaves));
    for (size_t i = 0; i < tree->n_leaves; i++)
        if (!(tree->weights[i] >= 0) || !isfinite(tree->weights[i]))
            CHECK(cairn_archive_damaged(a, "leaf %zu has no weight", i + 1));
    return CAIRN_OK;
}

static cairn_status archive_names(cairn_archive *a, cairn_dendrogram *tree)
{
    bool named = tree->names != NULL;
    CHECK(cairn_archive_bool(a, "named", &named));
    if (!named) return CAIRN_OK;
    if (cairn_archive_reading(a))
        CHECK(NEW(cairn_archive_context(a), &tree->names, tree->n_leaves));
    for (size_t i = 0; tree->names && i < tree->n_leaves; i++) {
        CHECK(cairn_archive_text(a, "name", &tree->names[i]));
        if (!tree->names[i]) CHECK(cairn_archive_damaged(a, "leaf %zu has no name", i + 1));
    }
    return CAIRN_OK;
}

/* Merges as arrays of their fields. */
typedef struct merge_columns {
    int32_t *left, *right;
    double *heights;
} merge_columns;

static void clear_columns(merge_columns *c)
{
    cairn_free(c->left);
    cairn_free(c->right);
    cairn_free(c->heights);
}

static cairn_status split_merges(cairn_context *ctx, merge_columns *out,
                                 const cairn_dendrogram *tree)
{
    size_t n = tree->n_leaves - 1;
    CHECK(NEW(ctx, &out->left, n));
    CHECK(NEW(ctx, &out->right, n));
    CHECK(NEW(ctx, &out->heights, n));
    for (size_t i = 0; i < n; i++) {
        out->left[i] = (int32_t)tree->merges[i].left;
        out->right[i] = (int32_t)tree->merges[i].right;
        out->heights[i] = tree->merges[i].height;
    }
    return CAIRN_OK;
}

static void join_merges(cairn_dendrogram *tree, const merge_columns *c)
{
    for (size_t i = 0; i + 1 < tree->n_leaves; i++)
        tree->merges[i] = (cairn_merge){
            .left = (uint32_t)c->left[i], .right = (uint32_t)c->right[i], .height = c->heights[i]};
}

cairn_status cairn_dendrogram_archive(cairn_archive *a, cairn_dendrogram *tree)
{
    SCOPED(clear_columns) merge_columns columns = {0};
    cairn_context *ctx = cairn_archive_context(a);
    bool reading = cairn_archive_reading(a);
    CHECK(cairn_archive_size(a, "leaves", &tree->n_leaves, most_leaves));
    if (tree->n_leaves == 0) CHECK(cairn_archive_damaged(a, "a tree has no leaves"));
    size_t n = tree->n_leaves - 1;
    if (!reading) CHECK(split_merges(ctx, &columns, tree));
    CHECK(cairn_archive_ints(a, "left", &columns.left, n));
    CHECK(cairn_archive_ints(a, "right", &columns.right, n));
    CHECK(cairn_archive_reals(a, "heights", &columns.heights, n));
    CHECK(archive_weights(a, tree));
    CHECK(archive_names(a, tree));
    if (!reading) return CAIRN_OK;
    CHECK(NEW(ctx, &tree->merges, n));
    join_merges(tree, &columns);
    cairn_status status = cairn_dendrogram_complete(ctx, tree);
    if (status != CAIRN_BAD_DATA) return status;
    return cairn_archive_damaged(a, "the merges are no tree");
}

/* -- from joins -- */

/* The leaf that stands for everything joined with `leaf`. */
static uint32_t find_root(uint32_t *parents, uint32_t leaf)
{
    while (parents[leaf] != leaf) {
        parents[leaf] = parents[parents[leaf]];
        leaf = parents[leaf];
    }
    return leaf;
}

cairn_status cairn_dendrogram_of_joins(cairn_context *ctx, cairn_dendrogram *tree,
                                       const cairn_join *joins)
{
    SCOPED_SCRATCH(ctx);
    size_t n = tree->n_leaves;
    uint64_t *keys, *order;
    uint32_t *parents, *clusters;
    CHECK(SCRATCH_RAW(ctx, &keys, n));
    CHECK(SCRATCH_RAW(ctx, &order, n));
    CHECK(SCRATCH_RAW(ctx, &parents, n));
    CHECK(SCRATCH_RAW(ctx, &clusters, n));
    for (size_t i = 0; i < n; i++) parents[i] = clusters[i] = (uint32_t)i;
    for (size_t i = 0; i + 1 < n; i++) {
        keys[i] = cairn_order_key(joins[i].height);
        order[i] = i;
    }
    CHECK(cairn_sort_keys(ctx, keys, order, n - 1));
    for (size_t i = 0; i + 1 < n; i++) {
        const cairn_join *join = joins + order[i];
        uint32_t a = find_root(parents, join->a), b = find_root(parents, join->b);
        uint32_t left = clusters[a], right = clusters[b];
        tree->merges[i] = (cairn_merge){.left = left < right ? left : right,
                                        .right = left < right ? right : left,
                                        .height = join->height};
        parents[b] = a;
        clusters[a] = (uint32_t)(n + i);
    }
    return cairn_dendrogram_complete(ctx, tree);
}

/* -- order and cuts -- */

cairn_status cairn_dendrogram_order(cairn_context *ctx, const cairn_dendrogram *tree,
                                    uint32_t *order)
{
    SCOPED_SCRATCH(ctx);
    uint32_t *stack;
    size_t depth = 0, filled = 0, n = tree->n_leaves;
    CHECK(SCRATCH_RAW(ctx, &stack, n + 1));
    stack[depth++] = (uint32_t)(2 * n - 2);
    while (depth > 0) {
        uint32_t cluster = stack[--depth];
        if (cluster < n) {
            order[filled++] = cluster;
            continue;
        }
        stack[depth++] = tree->merges[cluster - n].right;
        stack[depth++] = tree->merges[cluster - n].left;
    }
    return CAIRN_OK;
}

/* The clusters that are left where the merges that are `undone` (n_leaves - 1) are: a merge above
 * one of these must be undone, too. Codes go down from the tops to the leaves. */
static cairn_status partition(cairn_context *ctx, cairn_cut *out, const cairn_dendrogram *tree,
                              const bool *undone)
{
    size_t n = tree->n_leaves;
    uint32_t *tops, *numbers;
    CHECK(SCRATCH_RAW(ctx, &out->codes, n));
    CHECK(SCRATCH_RAW(ctx, &out->nodes, n));
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &tops, 2 * n));
    CHECK(SCRATCH_RAW(ctx, &numbers, 2 * n));
    for (size_t c = 0; c < 2 * n - 1; c++) tops[c] = (uint32_t)c;
    memset(numbers, 0xff, 2 * n * sizeof *numbers);
    for (size_t i = n - 1; i-- > 0;) {
        if (undone[i]) continue;
        tops[tree->merges[i].left] = tops[tree->merges[i].right] = tops[n + i];
    }
    out->n_clusters = 0;
    for (size_t leaf = 0; leaf < n; leaf++) {
        uint32_t *number = numbers + tops[leaf];
        if (*number == UINT32_MAX) {
            out->nodes[out->n_clusters] = tops[leaf];
            *number = (uint32_t)out->n_clusters++;
        }
        out->codes[leaf] = (int32_t)*number;
    }
    return CAIRN_OK;
}

/* The height of a cut by number is a short number between the merges that are kept and those that
 * are undone, where there is room; it cuts the same clusters. */
cairn_status cairn_dendrogram_cut_number(cairn_context *ctx, cairn_cut *out,
                                         const cairn_dendrogram *tree, size_t k)
{
    size_t n = tree->n_leaves;
    double above = INFINITY;
    bool *undone;
    *out = (cairn_cut){0};
    if (k == 0 || k > n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%zu clusters cannot be made of %zu row%s; {clusters} must be 1 to %zu "
                          "here",
                          k, n, n == 1 ? "" : "s", n);
    CHECK(SCRATCH(ctx, &undone, n));
    for (size_t i = 0; i + 1 < n; i++) {
        undone[i] = i >= n - k;
        if (undone[i])
            above = fmin(above, tree->merges[i].height);
        else
            out->height = fmax(out->height, tree->merges[i].height);
    }
    if (isfinite(above) && above > out->height)
        out->height = cairn_number_between(out->height, above);
    return partition(ctx, out, tree, undone);
}

/* Whether the tree can be cut there. */
static cairn_status check_height(cairn_context *ctx, double height, double top)
{
    char cut[CAIRN_NUMBER_SIZE], root[CAIRN_NUMBER_SIZE];
    cairn_number_format(cut, height, CAIRN_SHORTEST);
    cairn_number_format(root, top, 10);
    if (!(height >= 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "{height} is %s; a tree is cut at 0 or above", cut);
    if (height > top)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the cut at {height} %s lies above the root of the tree, which is at %s: "
                          "everything would be one cluster; choose a height below the root's",
                          cut, root);
    return CAIRN_OK;
}

/* A merge goes when it is too high or one of its parts is gone. */
cairn_status cairn_dendrogram_cut_height(cairn_context *ctx, cairn_cut *out,
                                         const cairn_dendrogram *tree, double height)
{
    size_t n = tree->n_leaves;
    bool *undone;
    *out = (cairn_cut){.height = height};
    CHECK(check_height(ctx, height, cairn_dendrogram_top(tree)));
    CHECK(SCRATCH(ctx, &undone, n));
    for (size_t i = 0; i + 1 < n; i++) {
        const cairn_merge *m = tree->merges + i;
        bool parts =
            (m->left >= n && undone[m->left - n]) || (m->right >= n && undone[m->right - n]);
        undone[i] = parts || m->height > height;
        out->n_hidden += undone[i] && !(m->height > height);
    }
    return partition(ctx, out, tree, undone);
}
