/* SPDX-License-Identifier: MIT */
/* Trees of clusters: made of joins, checked, kept, put in order and cut. */
#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sort_by.h"
#include "data/column.h"
#include "data/encoding.h"
#include "parallel/sort.h"
#include "stats/dendrogram.h"
#include "stats/dendrogram_forms.h"
#include "stats/distance.h"
#include "stats/newick_format.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
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

double cairn_dendrogram_coefficient(const cairn_dendrogram *tree)
{
    double top = cairn_dendrogram_top(tree), sum = 0;
    if (!(top > 0)) return NAN;
    for (size_t i = 0; i + 1 < tree->n_leaves; i++) {
        const cairn_merge *m = &tree->merges[i];
        int leaves = (m->left < tree->n_leaves) + (m->right < tree->n_leaves);
        sum += leaves * (1 - m->height / top);
    }
    return sum / (double)tree->n_leaves;
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
    CHECK(NEW_EACH(ctx, n, &out->left, &out->right, &out->heights));
    for (size_t i = 0; i < n; i++) {
        out->left[i] = (int32_t)tree->merges[i].left;
        out->right[i] = (int32_t)tree->merges[i].right;
        out->heights[i] = tree->merges[i].height;
    }
    return CAIRN_OK;
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
    for (size_t i = 0; i + 1 < tree->n_leaves; i++)
        tree->merges[i] = (cairn_merge){.left = (uint32_t)columns.left[i],
                                        .right = (uint32_t)columns.right[i],
                                        .height = columns.heights[i]};
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
    CHECK(SCRATCH_RAW_EACH(ctx, n, &keys, &order, &parents, &clusters));
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
    CHECK(SCRATCH_RAW_EACH(ctx, n, &out->codes, &out->nodes));
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW_EACH(ctx, 2 * n, &tops, &numbers));
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

/* A merge goes when it is too high or one of its parts is gone. */
cairn_status cairn_dendrogram_cut_height(cairn_context *ctx, cairn_cut *out,
                                         const cairn_dendrogram *tree, double height)
{
    size_t n = tree->n_leaves;
    bool *undone;
    *out = (cairn_cut){.height = height};
    /* Whether the tree can be cut there. */
    double top = cairn_dendrogram_top(tree);
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

/* -- leaves of the clusters of a tree, and the heights at which pairs of them are joined -- */

const char *cairn_leaf_name(const cairn_dendrogram *tree, size_t leaf, char buffer[CAIRN_LEAF_NAME])
{
    if (tree->names) return tree->names[leaf];
    snprintf(buffer, CAIRN_LEAF_NAME, "%zu", leaf + 1);
    return buffer;
}

/* Where a cluster begins follows from the whole that it is a part of: merges from the root down. */
cairn_status cairn_leaf_sets_make(cairn_context *ctx, cairn_leaf_sets *out,
                                  const cairn_dendrogram *tree)
{
    size_t n = tree->n_leaves;
    CHECK(SCRATCH_RAW(ctx, &out->order, n));
    CHECK(SCRATCH_EACH(ctx, 2 * n, &out->first, &out->count));
    for (size_t i = 0; i < n; i++) out->count[i] = 1;
    for (size_t i = 0; i + 1 < n; i++)
        out->count[n + i] = out->count[tree->merges[i].left] + out->count[tree->merges[i].right];
    for (size_t i = n - 1; i-- > 0;) {
        const cairn_merge *m = &tree->merges[i];
        out->first[m->left] = out->first[n + i];
        out->first[m->right] = out->first[n + i] + out->count[m->left];
    }
    for (size_t i = 0; i < n; i++) out->order[out->first[i]] = (uint32_t)i;
    return CAIRN_OK;
}

static bool is_before(const void *a, const void *b, const void *data)
{
    (void)data;
    return *(const uint32_t *)a < *(const uint32_t *)b;
}

cairn_status cairn_leaf_set_text(cairn_context *ctx, cairn_text *out, const cairn_dendrogram *tree,
                                 const cairn_leaf_sets *sets, size_t cluster, size_t most)
{
    SCOPED_SCRATCH(ctx);
    size_t n = sets->count[cluster], shown = n <= most ? n : most;
    char buffer[CAIRN_LEAF_NAME];
    uint32_t *members;
    CHECK(SCRATCH_RAW(ctx, &members, n));
    memcpy(members, sets->order + sets->first[cluster], n * sizeof *members);
    CHECK(cairn_sort_by(ctx, members, n, sizeof *members, is_before, NULL));
    cairn_text_add_char(out, '{');
    for (size_t i = 0; i < shown; i++)
        cairn_text_addf(out, "%s%s", i ? ", " : "", cairn_leaf_name(tree, members[i], buffer));
    if (shown < n) cairn_text_addf(out, "%s… %zu more", shown ? ", " : "", n - shown);
    cairn_text_add_char(out, '}');
    return cairn_text_status(out);
}

/* -- cophenetic distances -- */

cairn_status cairn_cophenetic(cairn_context *ctx, const cairn_dendrogram *tree, double *out)
{
    SCOPED_SCRATCH(ctx);
    cairn_leaf_sets sets;
    size_t n = tree->n_leaves;
    CHECK(cairn_leaf_sets_make(ctx, &sets, tree));
    for (size_t k = 0; k + 1 < n; k++) {
        const cairn_merge *m = &tree->merges[k];
        const uint32_t *left = sets.order + sets.first[m->left];
        const uint32_t *right = sets.order + sets.first[m->right];
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        for (size_t a = 0; a < sets.count[m->left]; a++)
            for (size_t b = 0; b < sets.count[m->right]; b++) {
                size_t i = left[a], j = right[b];
                out[i < j ? cairn_pair_at(n, i, j) : cairn_pair_at(n, j, i)] = m->height;
            }
    }
    return CAIRN_OK;
}

/* Numbers are taken relative to the largest, so that their squares stay finite. */
double cairn_cophenetic_correlation(const double *a, const double *b, size_t n)
{
    double mean_a = 0, mean_b = 0, most_a = 0, most_b = 0, aa = 0, bb = 0, ab = 0;
    for (size_t i = 0; i < n; i++) {
        most_a = fmax(most_a, fabs(a[i]));
        most_b = fmax(most_b, fabs(b[i]));
    }
    if (!(most_a > 0) || !(most_b > 0)) return NAN;
    for (size_t i = 0; i < n; i++) {
        mean_a += (a[i] / most_a - mean_a) / (double)(i + 1);
        mean_b += (b[i] / most_b - mean_b) / (double)(i + 1);
    }
    for (size_t i = 0; i < n; i++) {
        double x = a[i] / most_a - mean_a, y = b[i] / most_b - mean_b;
        aa += x * x;
        bb += y * y;
        ab += x * y;
    }
    double tiny = 1e-24 * (double)n;
    return aa > tiny && bb > tiny ? ab / sqrt(aa * bb) : NAN;
}

/* -- trees as tables of merges, and the format of files that hold a Newick tree -- */

bool cairn_is_merge_table(const cairn_table *table)
{
    ptrdiff_t height = cairn_table_find(table, "height");
    return cairn_table_find(table, "left") >= 0 && cairn_table_find(table, "right") >= 0 &&
           height >= 0 && table->slots[height].column->kind == CAIRN_NUMBER;
}

/* -- from a table -- */

/* Names of leaves and clusters, and the cluster of the tree that each stands for now. Clusters are
 * numbered as merges with their top bit set until the number of leaves is known. */
typedef struct merge_names {
    cairn_context *ctx;
    const cairn_table *table;
    cairn_map names;
    uint32_t *stands; /* per name */
    size_t stands_capacity;
    uint32_t *leaves; /* per leaf: its name */
    size_t n_leaves, leaves_capacity;
    uint32_t *parents; /* per leaf: the way to the leaf that stands for its cluster */
    size_t parents_capacity;
    uint32_t *clusters; /* per leaf that stands for a cluster */
    size_t clusters_capacity;
    bool named; /* there is a column of cluster names */
} merge_names;

static const uint32_t is_merge = UINT32_C(1) << 31;

static void clear_names(merge_names *m)
{
    cairn_map_clear(&m->names);
    cairn_free(m->stands);
    cairn_free(m->leaves);
    cairn_free(m->parents);
    cairn_free(m->clusters);
}

static cairn_status read_cell(merge_names *m, const char *column, size_t row, size_t *name,
                              bool *is_new)
{
    size_t at, n = m->names.n;
    CHECK(cairn_table_get(m->ctx, m->table, column, &at));
    const cairn_column *cells = m->table->slots[at].column;
    char *text;
    if (cairn_column_is_missing(cells, row))
        return cairn_fail(m->ctx, CAIRN_BAD_DATA, "row %zu has no cell in column '%s'", row + 1,
                          column);
    size_t length = cairn_column_cell(cells, row, NULL, 0);
    CHECK(SCRATCH(m->ctx, &text, length + 1));
    cairn_column_cell(cells, row, text, length + 1);
    CHECK(cairn_map_add(m->ctx, &m->names, text, length, name));
    CHECK(GROW(m->ctx, &m->stands, &m->stands_capacity, m->names.n));
    *is_new = m->names.n > n;
    return CAIRN_OK;
}

static uint32_t top_of(merge_names *m, uint32_t leaf)
{
    while (m->parents[leaf] != leaf) leaf = m->parents[leaf] = m->parents[m->parents[leaf]];
    return leaf;
}

/* The cluster that a cell names; `leaf` stands for it among the leaves. */
static cairn_status read_part(merge_names *m, const char *column, size_t row, uint32_t *cluster,
                              uint32_t *leaf)
{
    size_t name;
    bool is_new;
    CHECK(read_cell(m, column, row, &name, &is_new));
    if (is_new) {
        size_t n = m->n_leaves;
        if (n >= is_merge - 1)
            return cairn_fail(m->ctx, CAIRN_BAD_DATA, "there are too many leaves");
        CHECK(GROW(m->ctx, &m->leaves, &m->leaves_capacity, n + 1));
        CHECK(GROW(m->ctx, &m->parents, &m->parents_capacity, n + 1));
        CHECK(GROW(m->ctx, &m->clusters, &m->clusters_capacity, n + 1));
        m->leaves[n] = (uint32_t)name;
        m->parents[n] = m->clusters[n] = m->stands[name] = (uint32_t)n;
        m->n_leaves++;
    }
    *leaf = top_of(m, m->stands[name]);
    *cluster = m->clusters[*leaf];
    return CAIRN_OK;
}

static cairn_status name_cluster(merge_names *m, size_t row, uint32_t leaf)
{
    size_t name;
    bool is_new;
    CHECK(read_cell(m, "cluster", row, &name, &is_new));
    if (!is_new)
        return cairn_fail(m->ctx, CAIRN_BAD_DATA,
                          "row %zu: the name '%s' of this cluster stands for another one before",
                          row + 1, cairn_map_key(&m->names, name));
    m->stands[name] = leaf;
    return CAIRN_OK;
}

/* The new cluster goes on under the leaf of its left part; no cluster is merged with itself. */
static cairn_status read_merge(merge_names *m, size_t row, double height, cairn_merge *out)
{
    SCOPED_SCRATCH(m->ctx);
    uint32_t left, right;
    if (!isfinite(height))
        return cairn_fail(m->ctx, CAIRN_BAD_DATA, "row %zu has no height", row + 1);
    CHECK(read_part(m, "left", row, &out->left, &left));
    CHECK(read_part(m, "right", row, &out->right, &right));
    if (left == right)
        return cairn_fail(m->ctx, CAIRN_BAD_DATA,
                          "row %zu: '%s' is merged with a part of itself; what was merged before "
                          "is one cluster",
                          row + 1, cairn_map_key(&m->names, m->leaves[left]));
    out->height = height;
    m->parents[right] = left;
    m->clusters[left] = is_merge | (uint32_t)row;
    if (m->named) CHECK(name_cluster(m, row, left));
    return CAIRN_OK;
}

/* Rows must leave a single cluster: one merge fewer than leaves. */
static cairn_status check_joined(merge_names *m, size_t n_rows)
{
    if (m->n_leaves == n_rows + 1) return CAIRN_OK;
    uint32_t first = top_of(m, 0), other = 1;
    while (other < m->n_leaves && top_of(m, other) == first) other++;
    return cairn_fail(m->ctx, CAIRN_BAD_DATA,
                      "%zu merges of %zu leaves leave %zu clusters apart ('%s' and '%s' are not "
                      "joined); a tree has one merge fewer than leaves",
                      n_rows, m->n_leaves, m->n_leaves - n_rows,
                      cairn_map_key(&m->names, m->leaves[0]),
                      other < m->n_leaves ? cairn_map_key(&m->names, m->leaves[other]) : "?");
}

static uint32_t settled(uint32_t cluster, size_t n_leaves)
{
    return cluster & is_merge ? (uint32_t)(n_leaves + (cluster & ~is_merge)) : cluster;
}

/* Give the leaves the numbers of their places side by side, and the names. */
static cairn_status number_leaves(merge_names *m, cairn_dendrogram *tree)
{
    SCOPED_SCRATCH(m->ctx);
    size_t n = tree->n_leaves;
    uint32_t *order, *place;
    CHECK(SCRATCH_EACH(m->ctx, n, &order, &place));
    CHECK(cairn_dendrogram_order(m->ctx, tree, order));
    for (size_t i = 0; i < n; i++) place[order[i]] = (uint32_t)i;
    for (size_t i = 0; i + 1 < n; i++) {
        uint32_t *parts[] = {&tree->merges[i].left, &tree->merges[i].right};
        for (int k = 0; k < 2; k++)
            if (*parts[k] < n) *parts[k] = place[*parts[k]];
    }
    CHECK(NEW(m->ctx, &tree->names, n));
    for (size_t i = 0; i < n; i++) {
        const char *name = cairn_map_key(&m->names, m->leaves[order[i]]);
        CHECK(cairn_copy_text(m->ctx, &tree->names[i], name, strlen(name)));
    }
    return CAIRN_OK;
}

cairn_status cairn_dendrogram_of_table(cairn_context *ctx, cairn_dendrogram *out,
                                       const cairn_table *table)
{
    SCOPED(clear_names)
    merge_names m = {.ctx = ctx, .table = table, .named = cairn_table_find(table, "cluster") >= 0};
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    size_t n = table->n_rows, at;
    CHECK(cairn_table_get(ctx, table, "height", &at));
    const double *heights = table->slots[at].column->numbers;
    if (!heights) return cairn_fail(ctx, CAIRN_BAD_DATA, "column 'height' does not hold numbers");
    if (n == 0) return cairn_fail(ctx, CAIRN_BAD_DATA, "there are no merges");
    CHECK(cairn_dendrogram_new(ctx, &tree, n + 1));
    for (size_t i = 0; i < n; i++) CHECK(read_merge(&m, i, heights[i], &tree.merges[i]));
    CHECK(check_joined(&m, n));
    for (size_t i = 0; i < n; i++) {
        tree.merges[i].left = settled(tree.merges[i].left, n + 1);
        tree.merges[i].right = settled(tree.merges[i].right, n + 1);
    }
    CHECK(cairn_dendrogram_complete(ctx, &tree));
    CHECK(number_leaves(&m, &tree));
    *out = tree;
    tree = (cairn_dendrogram){0};
    return CAIRN_OK;
}

/* -- to a table -- */

/* What clusters are called: # and the number of the merge, with more # where leaves are called
 * so. */
static size_t count_marks(const cairn_dendrogram *tree)
{
    size_t most = 0;
    for (size_t i = 0; tree->names && i < tree->n_leaves; i++) {
        size_t marks = strspn(tree->names[i], "#");
        if (marks > most) most = marks;
    }
    return most + 1;
}

static cairn_status name_part(cairn_context *ctx, const char **out, const cairn_dendrogram *tree,
                              size_t cluster, size_t marks)
{
    char *buffer;
    if (cluster < tree->n_leaves && tree->names) {
        *out = tree->names[cluster];
        return CAIRN_OK;
    }
    CHECK(SCRATCH(ctx, &buffer, marks + CAIRN_LEAF_NAME));
    if (cluster >= tree->n_leaves) {
        memset(buffer, '#', marks);
        snprintf(buffer + marks, CAIRN_LEAF_NAME, "%zu", cluster - tree->n_leaves + 1);
    } else {
        (void)cairn_leaf_name(tree, cluster, buffer);
    }
    *out = buffer;
    return CAIRN_OK;
}

cairn_status cairn_dendrogram_to_table(cairn_context *ctx, cairn_table **out,
                                       const cairn_dendrogram *tree)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *made = NULL;
    size_t n = tree->n_leaves - 1, marks = count_marks(tree);
    const char **texts[3];
    double *heights, *sizes;
    for (int k = 0; k < 3; k++) CHECK(SCRATCH(ctx, &texts[k], n + 1));
    CHECK(SCRATCH_EACH(ctx, n + 1, &heights, &sizes));
    for (size_t i = 0; i < n; i++) {
        const cairn_merge *m = &tree->merges[i];
        CHECK(name_part(ctx, &texts[0][i], tree, n + 1 + i, marks));
        CHECK(name_part(ctx, &texts[1][i], tree, m->left, marks));
        CHECK(name_part(ctx, &texts[2][i], tree, m->right, marks));
        heights[i] = m->height;
        sizes[i] = m->size;
    }
    CHECK(cairn_table_new(ctx, &made, n));
    CHECK(cairn_table_add_texts(ctx, made, "cluster", texts[0]));
    CHECK(cairn_table_add_texts(ctx, made, "left", texts[1]));
    CHECK(cairn_table_add_texts(ctx, made, "right", texts[2]));
    CHECK(cairn_table_put_numbers(ctx, made, "height", heights));
    CHECK(cairn_table_put_numbers(ctx, made, "size", sizes));
    *out = TAKE(made);
    return CAIRN_OK;
}

/* -- the format -- */

/* A complete tree: a leaf (node >= 0) or merge -1 - node. */
typedef struct subtree {
    int64_t node;
    double height, steps; /* by lengths, and by counting */
    double length;        /* of the branch above it */
} subtree;

/* A merge as it was read; its height by lengths and by counting. */
typedef struct draft {
    int64_t left, right;
    double height, steps;
} draft;

typedef struct reader {
    cairn_context *ctx;
    const char *name, *text;
    size_t at, length;
    subtree *pile;
    size_t n_pile, pile_capacity;
    size_t *open; /* where the trees of each open bracket begin on the pile */
    size_t n_open, open_capacity;
    draft *drafts;
    size_t n_drafts, drafts_capacity;
    cairn_map leaves;
    cairn_text word; /* the name that was read last */
    size_t n_lengths, n_without, without_at;
    cairn_newick_notes notes;
} reader;

static void clear_reader(reader *r)
{
    cairn_free(r->pile);
    cairn_free(r->open);
    cairn_free(r->drafts);
    cairn_map_clear(&r->leaves);
    cairn_text_clear(&r->word);
}

/* Fail with the line that the place is in. */
CAIRN_PRINTF(3, 4)
static cairn_status refuse(const reader *r, size_t at, const char *format, ...)
{
    size_t line = 1, begin = 0, end;
    va_list arguments;
    for (size_t i = 0; i < at && i < r->length; i++) {
        if (r->text[i] != '\n') continue;
        line++;
        begin = i + 1;
    }
    for (end = begin; end < r->length && r->text[end] != '\n'; end++) continue;
    va_start(arguments, format);
    cairn_status status = cairn_fail_placev(r->ctx, CAIRN_BAD_DATA, r->text + begin, end - begin,
                                            at - begin, format, arguments);
    va_end(arguments);
    if (status == CAIRN_BAD_DATA)
        cairn_message_prefix(r->ctx, "%s, line %zu, column %zu", r->name, line, at - begin + 1);
    return status;
}

/* Past blanks and comments, which may hold comments. */
static cairn_status skip(reader *r)
{
    size_t depth = 0, begin = 0;
    for (; r->at < r->length; r->at++) {
        char c = r->text[r->at];
        if (c == '[' && depth++ == 0) begin = r->at;
        if (depth == 0 && !strchr(" \t\r\n\v\f", c)) return CAIRN_OK;
        if (c == 0) return refuse(r, r->at, "a zero byte in the tree");
        if (c == ']' && depth) depth--;
    }
    if (depth) return refuse(r, begin, "this comment has no end; a ] is missing");
    return CAIRN_OK;
}

static char next(const reader *r)
{
    return r->at < r->length ? r->text[r->at] : 0;
}

static cairn_status read_quoted(reader *r)
{
    size_t begin = r->at++;
    for (; r->at < r->length; r->at++) {
        char c = r->text[r->at];
        if (c == '\'' && (r->at + 1 == r->length || r->text[r->at + 1] != '\'')) {
            r->at++;
            return CAIRN_OK;
        }
        if (c == 0) return refuse(r, r->at, "a zero byte in the tree");
        if (c == '\'') r->at++;
        cairn_text_add_char(&r->word, c);
    }
    return refuse(r, begin, "this name has no end; a ' is missing");
}

/* A name into `word`, which stays empty where there is none. */
static cairn_status read_name(reader *r)
{
    cairn_text_clear(&r->word);
    CHECK(skip(r));
    size_t begin = r->at;
    if (next(r) == '\'')
        CHECK(read_quoted(r));
    else
        while (r->at < r->length && r->text[r->at] &&
               !strchr("()[]:;,' \t\r\n\v\f", r->text[r->at]))
            cairn_text_add_char(&r->word, r->text[r->at++]);
    CHECK(cairn_text_status(&r->word));
    if (cairn_utf8_check(cairn_text_string(&r->word), r->word.length) < r->word.length)
        return refuse(r, begin, "this name is not UTF-8");
    return skip(r);
}

/* A leaf without a name is called by its number; two leaves of one name are refused. */
static cairn_status add_named_leaf(reader *r)
{
    size_t begin, index, n = r->leaves.n;
    char number[32];
    CHECK(skip(r));
    begin = r->at;
    CHECK(read_name(r));
    if (r->word.length == 0) {
        snprintf(number, sizeof number, "leaf %zu", n + 1);
        cairn_text_add(&r->word, number);
        r->notes.n_unnamed++;
        CHECK(cairn_text_status(&r->word));
    }
    CHECK(cairn_map_add(r->ctx, &r->leaves, r->word.bytes, r->word.length, &index));
    if (index < n)
        return refuse(r, begin, "two leaves are called '%s'; names of leaves must differ",
                      cairn_text_string(&r->word));
    CHECK(GROW(r->ctx, &r->pile, &r->pile_capacity, r->n_pile + 1));
    r->pile[r->n_pile++] = (subtree){.node = (int64_t)n};
    return CAIRN_OK;
}

/* Brackets that open, then a leaf. */
static cairn_status read_first(reader *r)
{
    CHECK(skip(r));
    while (next(r) == '(') {
        CHECK(GROW(r->ctx, &r->open, &r->open_capacity, r->n_open + 1));
        r->open[r->n_open++] = r->n_pile;
        r->at++;
        CHECK(skip(r));
    }
    return add_named_leaf(r);
}

/* What stands behind a subtree: the name of an inner node is of no use here, the length is. */
static cairn_status read_length(reader *r, subtree *tree)
{
    double length;
    CHECK(skip(r));
    if (next(r) != ':') {
        if (r->n_without++ == 0) r->without_at = r->at;
        return CAIRN_OK;
    }
    r->at++;
    CHECK(skip(r));
    const char *end = cairn_number_scan(r->text + r->at, r->text + r->length, &length);
    if (!end) return refuse(r, r->at, "the length of a branch is expected here");
    if (!isfinite(length)) return refuse(r, r->at, "this length is too large");
    r->at = (size_t)(end - r->text);
    tree->length += length;
    r->n_lengths++;
    return skip(r);
}

/* The trees since the bracket was opened become one. */
static cairn_status close_bracket(reader *r)
{
    size_t first = r->open[--r->n_open], n = r->n_pile - first;
    subtree *parts = r->pile + first, joined;
    r->n_pile = first + 1;
    r->notes.n_single += n == 1;
    r->notes.n_many += n > 2;
    if (n == 1) return CAIRN_OK; /* its length is added to the next one */
    /* How high the branches of a bracket lead, and whether they lead equally high. */
    double low = INFINITY;
    joined = (subtree){.height = -INFINITY};
    for (size_t i = 0; i < n; i++) {
        double height = parts[i].height + parts[i].length;
        low = fmin(low, height);
        joined.height = fmax(joined.height, height);
        joined.steps = fmax(joined.steps, parts[i].steps + 1);
    }
    r->notes.uneven = fmax(r->notes.uneven, joined.height - low);
    if (!isfinite(joined.height))
        return refuse(r, r->at - 1, "the lengths below this bracket add up to too much");
    joined.node = parts[0].node;
    for (size_t i = 1; i < n; i++) {
        CHECK(GROW(r->ctx, &r->drafts, &r->drafts_capacity, r->n_drafts + 1));
        r->drafts[r->n_drafts++] = (draft){joined.node, parts[i].node, joined.height, joined.steps};
        joined.node = -(int64_t)r->n_drafts;
    }
    parts[0] = joined;
    return CAIRN_OK;
}

/* What follows a complete subtree: a comma, closing brackets, the end. */
static cairn_status read_rest(reader *r, bool *ended)
{
    for (;;) {
        if (r->n_open || next(r) == ':') CHECK(read_length(r, &r->pile[r->n_pile - 1]));
        char c = next(r);
        if (c == ';' && r->n_open)
            return refuse(r, r->at, "the tree ends here, but %zu bracket%s still open", r->n_open,
                          r->n_open == 1 ? " is" : "s are");
        if ((c == ')' || c == ',') && !r->n_open)
            return refuse(r, r->at, "no bracket is open here; a ; ends the tree");
        if (c != ')' && c != ',' && c != ';')
            return refuse(r, r->at, "%s",
                          r->at >= r->length ? "the tree has no end; a ; is missing"
                                             : "expected is , ) ; or : and a length; names with "
                                               "blanks stand in single quotes");
        r->at++;
        *ended = c == ';';
        if (c != ')') return CAIRN_OK;
        CHECK(close_bracket(r));
        CHECK(read_name(r));
    }
}

static cairn_status read_tree(reader *r)
{
    bool ended = false;
    if (r->length >= 3 && memcmp(r->text, "\xEF\xBB\xBF", 3) == 0) r->at = 3;
    CHECK(skip(r));
    if (r->at == r->length) return refuse(r, r->at, "there is no tree");
    while (!ended) {
        CHECK(cairn_tick(r->ctx, NULL, 0, 0));
        CHECK(read_first(r));
        CHECK(read_rest(r, &ended));
    }
    CHECK(skip(r));
    if (r->at < r->length) return refuse(r, r->at, "something follows the tree; one tree is read");
    if (r->n_lengths && r->n_without)
        return refuse(r, r->without_at,
                      "a branch without a length where others have one; give all of them or none");
    return CAIRN_OK;
}

/* Merges are put in the order of their heights, what they join first: the key is the highest merge
 * below or at it, equals stay as they were read, parts before the whole. */
typedef struct ranked {
    double key;
    size_t draft;
} ranked;

static cairn_status copy_names(cairn_context *ctx, cairn_dendrogram *tree, const cairn_map *names)
{
    CHECK(NEW(ctx, &tree->names, tree->n_leaves));
    for (size_t i = 0; names->lengths && i < tree->n_leaves; i++)
        CHECK(cairn_copy_text(ctx, &tree->names[i], cairn_map_key(names, i), names->lengths[i]));
    return CAIRN_OK;
}

static double part_key(const ranked *order, int64_t node)
{
    return node < 0 ? order[-1 - node].key : -INFINITY;
}

static bool is_lower(const void *a, const void *b, const void *data)
{
    (void)data;
    return ((const ranked *)a)->key < ((const ranked *)b)->key;
}

static cairn_status order_drafts(const reader *r, ranked **out)
{
    CHECK(SCRATCH(r->ctx, out, r->n_drafts + 1));
    for (size_t i = 0; i < r->n_drafts; i++) {
        const draft *d = &r->drafts[i];
        double height = r->notes.no_lengths ? d->steps : d->height;
        double below = fmax(part_key(*out, d->left), part_key(*out, d->right));
        (*out)[i] = (ranked){fmax(height, below), i};
    }
    return cairn_sort_by(r->ctx, *out, r->n_drafts, sizeof **out, is_lower, NULL);
}

/* Merges stand in the order of their heights, which are counted in steps where the text has no
 * lengths. */
static cairn_status build(const reader *r, cairn_dendrogram *tree)
{
    SCOPED_SCRATCH(r->ctx);
    ranked *order;
    uint32_t *number;
    size_t n = r->leaves.n;
    CHECK(cairn_dendrogram_new(r->ctx, tree, n));
    CHECK(copy_names(r->ctx, tree, &r->leaves));
    CHECK(order_drafts(r, &order));
    CHECK(SCRATCH(r->ctx, &number, r->n_drafts + 1));
    for (size_t k = 0; k < r->n_drafts; k++) number[order[k].draft] = (uint32_t)(n + k);
    for (size_t k = 0; k < r->n_drafts; k++) {
        const draft *d = &r->drafts[order[k].draft];
        tree->merges[k] = (cairn_merge){
            .left = d->left < 0 ? number[-1 - d->left] : (uint32_t)d->left,
            .right = d->right < 0 ? number[-1 - d->right] : (uint32_t)d->right,
            .height = r->notes.no_lengths ? d->steps : d->height,
        };
    }
    return cairn_dendrogram_complete(r->ctx, tree);
}

cairn_status cairn_newick_read(cairn_context *ctx, cairn_dendrogram *out, cairn_newick_notes *notes,
                               const char *name, const char *text, size_t length)
{
    SCOPED(clear_reader)
    reader r = {.ctx = ctx, .name = name, .text = text, .length = length};
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    r.word = cairn_text_start(ctx);
    CHECK(read_tree(&r));
    r.notes.no_lengths = r.n_lengths == 0;
    CHECK(build(&r, &tree));
    if (r.notes.no_lengths || r.notes.uneven <= 1e-9 * fabs(cairn_dendrogram_top(&tree)))
        r.notes.uneven = 0;
    *notes = r.notes;
    *out = tree;
    tree = (cairn_dendrogram){0};
    return CAIRN_OK;
}

void cairn_newick_warn(cairn_context *ctx, const cairn_newick_notes *notes, const char *name)
{
    char uneven[CAIRN_NUMBER_SIZE];
    cairn_number_format(uneven, notes->uneven, 6);
    if (notes->no_lengths)
        cairn_warn(ctx, "%s: the tree has no lengths; a merge lies 1 above what it joins", name);
    if (notes->uneven > 0)
        cairn_warn(ctx,
                   "%s: the leaves do not all lie at the same depth (branches of a node differ by "
                   "up to %s); a merge lies as high as its longest way to a leaf",
                   name, uneven);
    if (notes->n_many)
        cairn_warn(ctx,
                   "%s: %zu node%s more than two branches; these are joined one after the other "
                   "at the same height",
                   name, notes->n_many, notes->n_many == 1 ? " has" : "s have");
    if (notes->n_single)
        cairn_warn(ctx, "%s: %zu node%s a single branch; left out, lengths added up", name,
                   notes->n_single, notes->n_single == 1 ? " has" : "s have");
    if (notes->n_unnamed)
        cairn_warn(ctx, "%s: %zu %s no name; called by %s", name, notes->n_unnamed,
                   notes->n_unnamed == 1 ? "leaf has" : "leaves have",
                   notes->n_unnamed == 1 ? "its number" : "their numbers");
}

static cairn_status read_newick(cairn_context *ctx, cairn_table **out, cairn_input *input,
                                const cairn_read_options *options)
{
    SCOPED(cairn_free_owned) char *bytes = NULL;
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    const char *name = cairn_input_name(input);
    cairn_newick_notes notes;
    size_t length;
    if (cairn_encoding_is_utf8(options->encoding))
        CHECK(cairn_input_read_all(ctx, input, &bytes, &length));
    else
        CHECK(cairn_encoding_read(ctx, input, options->encoding, &bytes, &length));
    CHECK(cairn_newick_read(ctx, &tree, &notes, name, bytes, length));
    cairn_newick_warn(ctx, &notes, name);
    if (tree.n_leaves == 1)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: a tree of one leaf ('%s') has no merges", name,
                          tree.names[0]);
    return cairn_dendrogram_to_table(ctx, out, &tree);
}

/* A cluster that is to be written, and what has been written of it: nothing, its left part. */
typedef struct pending {
    uint32_t cluster;
    uint32_t parent;
    int stage;
} pending;

static bool is_plain(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!((*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z') ||
              strchr("._-+#/", *c) || (unsigned char)*c >= 0x80))
            return false;
    return *name != 0;
}

static void add_length(cairn_text *out, const cairn_dendrogram *tree, const pending *p)
{
    if (p->parent == p->cluster) return;
    cairn_text_add_char(out, ':');
    cairn_text_add_number(
        out, cairn_dendrogram_height(tree, p->parent) - cairn_dendrogram_height(tree, p->cluster),
        CAIRN_SHORTEST);
}

/* One step on the way through the tree; returns the new depth of the pile. */
static size_t write_step(cairn_text *out, const cairn_dendrogram *tree, pending *pile, size_t depth)
{
    static const char marks[] = {'(', ',', ')'};
    char buffer[CAIRN_LEAF_NAME];
    pending *p = &pile[depth - 1];
    if (p->cluster < tree->n_leaves) {
        const char *name = cairn_leaf_name(tree, p->cluster, buffer);
        if (is_plain(name)) {
            cairn_text_add(out, name);
        } else {
            cairn_text_add_char(out, '\'');
            for (const char *c = name; *c; c++) {
                if (*c == '\'') cairn_text_add_char(out, '\'');
                cairn_text_add_char(out, *c);
            }
            cairn_text_add_char(out, '\'');
        }
        add_length(out, tree, p);
        return depth - 1;
    }
    const cairn_merge *m = &tree->merges[p->cluster - tree->n_leaves];
    cairn_text_add_char(out, marks[p->stage]);
    if (p->stage == 2) {
        add_length(out, tree, p);
        return depth - 1;
    }
    pile[depth] = (pending){p->stage ? m->right : m->left, p->cluster, 0};
    p->stage++;
    return depth + 1;
}

void cairn_newick_write(cairn_text *out, const cairn_dendrogram *tree)
{
    cairn_scratch_mark mark = cairn_scratch_now(out->ctx);
    pending *pile;
    size_t depth = 1;
    cairn_status status = SCRATCH(out->ctx, &pile, tree->n_leaves + 1);
    if (status) {
        if (!out->status) out->status = status;
        return;
    }
    uint32_t root = (uint32_t)(2 * tree->n_leaves - 2);
    pile[0] = (pending){root, root, 0};
    while (depth && !out->status) depth = write_step(out, tree, pile, depth);
    cairn_text_add(out, ";\n");
    cairn_scratch_release(out->ctx, mark);
}

static cairn_status write_newick(cairn_context *ctx, const cairn_table *table,
                                 cairn_output_file *file)
{
    SCOPED(cairn_dendrogram_clear) cairn_dendrogram tree = {0};
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    if (!cairn_is_merge_table(table))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "newick holds a tree: a table of merges, with the columns left, right "
                          "and height; cairn compute dendrogram makes one");
    CHECK(cairn_dendrogram_of_table(ctx, &tree, table));
    cairn_newick_write(&text, &tree);
    CHECK(cairn_text_status(&text));
    return cairn_output_write(ctx, file, cairn_text_string(&text), text.length);
}

const cairn_data_format cairn_newick_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "newick",
            .also = "New Hampshire tree, phylogeny, phylogenetic tree, nwk",
            .title = "Newick tree",
            .summary =
                "A tree of clusters in brackets, with the length of each branch behind a colon: "
                "((a:1,b:1):2,c:3); It is read as a table of merges: cluster, left, right, height "
                "and size. Names may stand in single quotes, comments in [ ]. A merge lies as high "
                "as its longest way to a leaf; without lengths, 1 above what it joins.",
            .example = "cairn convert tree.nwk merges.csv",
        },
    .extensions = "nwk newick tree tre nhx",
    .read = read_newick,
    .write = write_newick,
};

/* Newick: a tree is a leaf, or trees in brackets with commas between them, each followed by a name
 * and, after a colon, the length of the branch that leads to it; a semicolon ends it.
 *
 * The text is read in one pass without recursion: trees that are complete wait on a pile until the
 * bracket closes that holds them. A node lies as high as the longest way from it to a leaf; where a
 * text has no lengths, one above the highest of what it joins. */

/* -- writing -- */

void cairn_dendrogram_json(cairn_text *out, const cairn_dendrogram *tree)
{
    char buffer[CAIRN_LEAF_NAME];
    cairn_text_add(out, "{\"leaves\":[");
    for (size_t i = 0; i < tree->n_leaves; i++) {
        if (i) cairn_text_add_char(out, ',');
        cairn_text_add_json(out, cairn_leaf_name(tree, i, buffer));
    }
    cairn_text_add(out, "],\"weights\":");
    cairn_text_add(out, tree->weights ? "[" : "null");
    for (size_t i = 0; tree->weights && i < tree->n_leaves; i++) {
        if (i) cairn_text_add_char(out, ',');
        cairn_text_add_number(out, tree->weights[i], CAIRN_SHORTEST);
    }
    cairn_text_add(out, tree->weights ? "],\"merges\":[" : ",\"merges\":[");
    for (size_t i = 0; i + 1 < tree->n_leaves; i++) {
        const cairn_merge *m = &tree->merges[i];
        cairn_text_addf(out, "%s\n{\"left\":%lu,\"right\":%lu,\"height\":", i ? "," : "",
                        (unsigned long)m->left, (unsigned long)m->right);
        cairn_text_add_number(out, m->height, CAIRN_SHORTEST);
        cairn_text_add(out, ",\"size\":");
        cairn_text_add_number(out, m->size, CAIRN_SHORTEST);
        cairn_text_add_char(out, '}');
    }
    cairn_text_add(out, "]}\n");
}
