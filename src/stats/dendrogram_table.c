/* SPDX-License-Identifier: MIT */
/* Trees as tables of merges, and the format of files that hold a Newick tree. */
#include "base/map.h"
#include "base/memory.h"
#include "data/column.h"
#include "data/encoding.h"
#include "stats/dendrogram_forms.h"
#include "stats/newick_format.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

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

static cairn_status add_leaf(merge_names *m, size_t name)
{
    size_t n = m->n_leaves;
    if (n >= is_merge - 1) return cairn_fail(m->ctx, CAIRN_BAD_DATA, "there are too many leaves");
    CHECK(GROW(m->ctx, &m->leaves, &m->leaves_capacity, n + 1));
    CHECK(GROW(m->ctx, &m->parents, &m->parents_capacity, n + 1));
    CHECK(GROW(m->ctx, &m->clusters, &m->clusters_capacity, n + 1));
    m->leaves[n] = (uint32_t)name;
    m->parents[n] = m->clusters[n] = m->stands[name] = (uint32_t)n;
    m->n_leaves++;
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
    if (is_new) CHECK(add_leaf(m, name));
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
    CHECK(SCRATCH(m->ctx, &order, n));
    CHECK(SCRATCH(m->ctx, &place, n));
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
    char *room;
    if (cluster < tree->n_leaves && tree->names) {
        *out = tree->names[cluster];
        return CAIRN_OK;
    }
    CHECK(SCRATCH(ctx, &room, marks + CAIRN_LEAF_NAME));
    if (cluster >= tree->n_leaves) {
        memset(room, '#', marks);
        snprintf(room + marks, CAIRN_LEAF_NAME, "%zu", cluster - tree->n_leaves + 1);
    } else {
        (void)cairn_leaf_name(tree, cluster, room);
    }
    *out = room;
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
    CHECK(SCRATCH(ctx, &heights, n + 1));
    CHECK(SCRATCH(ctx, &sizes, n + 1));
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
