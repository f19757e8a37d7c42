/* SPDX-License-Identifier: MIT */
/* Saving and loading forests.
 *
 * Nodes follow each other in depth-first order, so the file needs no references: a byte per node
 * says which of its children are leaves, and the next node is the first child that is none.
 * Columns, ranks and leaves take 1, 2 or 4 bytes each, as the largest of them needs. Reading goes
 * over the nodes once, with a stack of the places that wait for a child; every number is
 * checked. */
#include "learners/forest/forest.h"
#include <math.h>
#include <string.h>

/* Parts of the byte of a node. */
enum { LEFT_LEAF = 1, RIGHT_LEAF = 2, IS_LEVEL = 4, IS_WIDE = 8, USUAL_RIGHT = 16 };
/* Kinds of links. */
enum { LINK_NODE, LINK_LEAF, LINK_NONE };

/* All trees one after the other. */
typedef struct forest_arrays {
    int32_t *nodes, *links, *mixed, *shares, *means, *depths; /* per tree: how many */
    uint8_t *roots;                                           /* per tree: the root is a leaf */
    size_t n_nodes, n_links, n_wide, n_leaves, n_mixed, n_shares, n_means;
    int32_t column_width, rank_width, leaf_width;
    uint8_t *shape, *columns, *ranks; /* n_nodes */
    uint8_t *kinds;                   /* n_links */
    int32_t *branches;                /* n_wide */
    uint8_t *leaves;                  /* n_leaves */
    double *parts, *link_parts;
    int32_t *sizes, *classes; /* n_mixed, n_shares */
    double *weights, *values; /* n_shares, n_means */
} forest_arrays;

/* Reading may stop anywhere in a damaged file; all that was not read is NULL and may be freed. */
static void free_arrays(forest_arrays *a)
{
    cairn_free(a->nodes);
    cairn_free(a->links);
    cairn_free(a->mixed);
    cairn_free(a->shares);
    cairn_free(a->means);
    cairn_free(a->depths);
    cairn_free(a->roots);
    cairn_free(a->shape);
    cairn_free(a->columns);
    cairn_free(a->ranks);
    cairn_free(a->kinds);
    cairn_free(a->branches);
    cairn_free(a->leaves);
    cairn_free(a->parts);
    cairn_free(a->link_parts);
    cairn_free(a->sizes);
    cairn_free(a->classes);
    cairn_free(a->weights);
    cairn_free(a->values);
}

static int32_t width_of(uint64_t most)
{
    return most < 256 ? 1 : most < 65536 ? 2 : 4;
}

static void put(uint8_t *bytes, size_t i, int32_t width, uint32_t value)
{
    for (int32_t b = 0; b < width; b++)
        bytes[i * (size_t)width + (size_t)b] = (uint8_t)(value >> 8 * b);
}

static uint32_t get(const uint8_t *bytes, size_t i, int32_t width)
{
    uint32_t value = 0;
    for (int32_t b = 0; b < width; b++)
        value |= (uint32_t)bytes[i * (size_t)width + (size_t)b] << 8 * b;
    return value;
}

/* -- writing -- */

static bool is_leaf(uint32_t reference)
{
    return reference != CAIRN_FOREST_NONE && (reference & CAIRN_FOREST_LEAF);
}

static void count_leaf(forest_arrays *a, uint32_t reference, uint32_t *most)
{
    if (!is_leaf(reference)) return;
    a->n_leaves++;
    if ((reference & ~CAIRN_FOREST_LEAF) > *most) *most = reference & ~CAIRN_FOREST_LEAF;
}

/* Sizes of the arrays and widths of their items. */
static void measure(forest_arrays *a, const cairn_forest_model *forest)
{
    uint32_t leaf = 0, rank = 0;
    for (size_t t = 0; t < forest->n_trees; t++) {
        const cairn_forest_tree *tree = &forest->trees[t];
        a->n_nodes += tree->n_nodes;
        a->n_links += tree->n_links;
        a->n_mixed += tree->n_mixed;
        a->n_shares += tree->n_shares;
        a->n_means += tree->n_means;
        count_leaf(a, tree->root, &leaf);
        for (size_t i = 0; i < tree->n_nodes; i++) {
            cairn_forest_node node = cairn_forest_node_at(tree, i);
            if (node.rank > rank) rank = node.rank;
            if (node.test & CAIRN_FOREST_WIDE) {
                a->n_wide++;
                continue;
            }
            count_leaf(a, node.left, &leaf);
            count_leaf(a, node.right, &leaf);
        }
        for (size_t j = 0; j < tree->n_links; j++) count_leaf(a, tree->links[j], &leaf);
    }
    a->column_width = width_of(forest->n_columns);
    a->rank_width = width_of(rank);
    a->leaf_width = width_of(leaf);
}

/* Sizes come from counting the forest beforehand; widths are the least that its largest column,
 * rank and leaf need. */
static cairn_status allocate(cairn_context *ctx, forest_arrays *a, const cairn_forest_model *forest)
{
    size_t n = forest->n_trees;
    CHECK(NEW_EACH(ctx, n, &a->nodes, &a->links, &a->mixed, &a->shares, &a->means, &a->depths,
                   &a->roots));
    CHECK(NEW(ctx, &a->shape, a->n_nodes));
    CHECK(NEW(ctx, &a->columns, a->n_nodes * (size_t)a->column_width));
    CHECK(NEW(ctx, &a->ranks, a->n_nodes * (size_t)a->rank_width));
    CHECK(NEW(ctx, &a->kinds, a->n_links));
    CHECK(NEW(ctx, &a->branches, a->n_wide));
    CHECK(NEW(ctx, &a->leaves, a->n_leaves * (size_t)a->leaf_width));
    if (forest->missing == CAIRN_TREE_WEIGHTS) {
        CHECK(NEW(ctx, &a->parts, a->n_nodes));
        CHECK(NEW(ctx, &a->link_parts, a->n_links));
    }
    CHECK(NEW(ctx, &a->sizes, a->n_mixed));
    CHECK(NEW_EACH(ctx, a->n_shares, &a->classes, &a->weights));
    return NEW(ctx, &a->values, a->n_means);
}

/* How far the arrays are filled or read. */
typedef struct places {
    size_t node, link, wide, leaf, mixed, share, mean;
} places;

static void put_leaf(forest_arrays *a, places *at, uint32_t reference)
{
    put(a->leaves, at->leaf++, a->leaf_width, reference & ~CAIRN_FOREST_LEAF);
}

/* Trees share the arrays of the file, so `at` carries the place in each of them from tree to
 * tree. */
static void put_tree(forest_arrays *a, places *at, const cairn_forest_tree *tree, size_t t)
{
    a->nodes[t] = (int32_t)tree->n_nodes;
    a->links[t] = (int32_t)tree->n_links;
    a->mixed[t] = (int32_t)tree->n_mixed;
    a->shares[t] = (int32_t)tree->n_shares;
    a->means[t] = (int32_t)tree->n_means;
    a->depths[t] = tree->depth;
    a->roots[t] = is_leaf(tree->root);
    if (is_leaf(tree->root)) put_leaf(a, at, tree->root);
    if (tree->parts) memcpy(a->parts + at->node, tree->parts, tree->n_nodes * sizeof *a->parts);
    if (tree->link_parts)
        memcpy(a->link_parts + at->link, tree->link_parts, tree->n_links * sizeof *a->parts);
    for (size_t i = 0; i < tree->n_nodes; i++) {
        cairn_forest_node node = cairn_forest_node_at(tree, i);
        /* A byte of bits says what the node is and which children are leaves; that is all
         * get_node needs to build the tree again. */
        uint8_t shape = 0;
        put(a->columns, at->node, a->column_width, node.test & CAIRN_FOREST_COLUMN);
        put(a->ranks, at->node, a->rank_width, node.rank);
        if (node.test & CAIRN_FOREST_LEVEL) shape |= IS_LEVEL;
        if (node.test & CAIRN_FOREST_RIGHT) shape |= USUAL_RIGHT;
        if (node.test & CAIRN_FOREST_WIDE) {
            shape |= IS_WIDE;
            a->branches[at->wide++] = (int32_t)node.right;
            for (size_t b = 0; b <= node.right; b++) {
                uint32_t child = tree->links[node.left + b];
                a->kinds[at->link++] = child == CAIRN_FOREST_NONE ? LINK_NONE
                                       : is_leaf(child)           ? LINK_LEAF
                                                                  : LINK_NODE;
                if (is_leaf(child)) put_leaf(a, at, child);
            }
        } else {
            if (is_leaf(node.left)) put_leaf(a, at, node.left);
            if (is_leaf(node.right)) put_leaf(a, at, node.right);
            shape |= (is_leaf(node.left) ? LEFT_LEAF : 0) | (is_leaf(node.right) ? RIGHT_LEAF : 0);
        }
        a->shape[at->node++] = shape;
    }
    for (size_t j = 0; j < tree->n_mixed; j++)
        a->sizes[at->mixed++] = (int32_t)(tree->mixed_starts[j + 1] - tree->mixed_starts[j]);
    for (size_t j = 0; j < tree->n_shares; j++) {
        a->classes[at->share] = tree->mixed_classes[j];
        a->weights[at->share++] = tree->mixed_shares[j];
    }
    for (size_t j = 0; j < tree->n_means; j++) a->values[at->mean++] = tree->means[j];
}

/* -- reading -- */

typedef struct reader {
    cairn_archive *archive;
    const forest_arrays *a;
    const cairn_forest_model *forest;
    cairn_forest_tree *tree;
    places at, end;     /* `end`: of the tree being read (nodes and links), of the arrays (rest) */
    uint32_t **waiting; /* places of references that wait for a node */
    size_t n_waiting;
} reader;

static cairn_status get_leaf(reader *r, uint32_t *out)
{
    const cairn_forest_tree *tree = r->tree;
    size_t k = r->forest->n_classes;
    if (r->at.leaf >= r->a->n_leaves)
        return cairn_archive_damaged(r->archive, "the forest has too few leaves");
    uint32_t value = get(r->a->leaves, r->at.leaf++, r->a->leaf_width);
    if (value >= (k ? k + tree->n_mixed : tree->n_means))
        return cairn_archive_damaged(r->archive, "a leaf of the forest has an impossible answer");
    r->tree->n_leaves++;
    *out = CAIRN_FOREST_LEAF | value;
    return CAIRN_OK;
}

/* Children of a node with links; the waiting ones in reverse order, so that the first is on top. */
static cairn_status get_links(reader *r, cairn_forest_node *node, size_t *links)
{
    size_t n, first = *links, children = 0;
    bool per_level = !r->forest->is_number[node->test & CAIRN_FOREST_COLUMN] &&
                     !(node->test & CAIRN_FOREST_LEVEL);
    if (r->at.wide >= r->a->n_wide || r->a->branches[r->at.wide] < 1)
        return cairn_archive_damaged(r->archive, "a node of the forest has impossible branches");
    n = (size_t)r->a->branches[r->at.wide++];
    if (n + 1 > r->tree->n_links - first || (!per_level && n != 2) ||
        (per_level && node->rank >= n))
        return cairn_archive_damaged(r->archive, "a node of the forest has impossible branches");
    for (size_t b = 0; b <= n; b++) {
        uint8_t kind = r->a->kinds[r->at.link++];
        uint32_t *link = &r->tree->links[first + b];
        if (kind > LINK_NONE || (kind == LINK_NONE && !per_level))
            return cairn_archive_damaged(r->archive, "a node of the forest has impossible links");
        *link = CAIRN_FOREST_NONE;
        if (kind == LINK_LEAF) CHECK(get_leaf(r, link));
        if (kind == LINK_NODE) *link = 0;
        children += kind != LINK_NONE;
    }
    if (children == 0 || (per_level && r->forest->missing != CAIRN_TREE_WEIGHTS &&
                          r->tree->links[first + node->rank] == CAIRN_FOREST_NONE))
        return cairn_archive_damaged(r->archive, "a node of the forest has no child");
    for (size_t b = n + 1; b-- > 0;)
        if (r->tree->links[first + b] == 0) r->waiting[r->n_waiting++] = &r->tree->links[first + b];
    node->left = (uint32_t)first;
    node->right = (uint32_t)n;
    *links += n + 1;
    return CAIRN_OK;
}

/* The next node is the child that has waited least, which is depth-first order; tests that the
 * columns cannot have are refused. */
static cairn_status get_node(reader *r, size_t i, size_t *links)
{
    const cairn_forest_model *forest = r->forest;
    cairn_forest_node *node = &r->tree->nodes[i];
    uint32_t column = get(r->a->columns, r->at.node, r->a->column_width);
    uint8_t shape = r->a->shape[r->at.node];
    node->rank = get(r->a->ranks, r->at.node++, r->a->rank_width);
    if (column >= forest->n_columns || column > CAIRN_FOREST_COLUMN)
        return cairn_archive_damaged(r->archive, "the forest tests a column that is not there");
    bool number = forest->is_number[column], level = shape & IS_LEVEL, wide = shape & IS_WIDE;
    if ((number && level) || (!number && !level && !wide) ||
        (number && node->rank >= forest->cut_starts[column + 1] - forest->cut_starts[column]) ||
        r->n_waiting == 0)
        return cairn_archive_damaged(r->archive, "a node of the forest has an impossible test");
    node->test = column | (level ? CAIRN_FOREST_LEVEL : 0) | (wide ? CAIRN_FOREST_WIDE : 0) |
                 (shape & USUAL_RIGHT ? CAIRN_FOREST_RIGHT : 0);
    *r->waiting[--r->n_waiting] = (uint32_t)i;
    if (wide) return get_links(r, node, links);
    if (shape & LEFT_LEAF) CHECK(get_leaf(r, &node->left));
    if (shape & RIGHT_LEAF)
        CHECK(get_leaf(r, &node->right));
    else
        r->waiting[r->n_waiting++] = &node->right;
    if (!(shape & LEFT_LEAF)) r->waiting[r->n_waiting++] = &node->left;
    return CAIRN_OK;
}

/* Prediction adds up shares without looking, so classes and shares are checked when they are
 * read. */
static cairn_status get_mixed(reader *r)
{
    cairn_forest_tree *tree = r->tree;
    cairn_context *ctx = cairn_archive_context(r->archive);
    size_t shares = 0;
    CHECK(NEW(ctx, &tree->mixed_starts, tree->n_mixed + 1));
    CHECK(NEW_EACH(ctx, tree->n_shares, &tree->mixed_classes, &tree->mixed_shares));
    for (size_t j = 0; j < tree->n_mixed; j++) {
        int32_t size = r->a->sizes[r->at.mixed++];
        if (size < 1 || (size_t)size > tree->n_shares - shares)
            CHECK(cairn_archive_damaged(r->archive, "a mixed leaf of the forest has no classes"));
        shares += (size_t)size;
        tree->mixed_starts[j + 1] = (uint32_t)shares;
    }
    if (shares != tree->n_shares)
        CHECK(cairn_archive_damaged(r->archive, "the mixed leaves of a tree do not fit together"));
    for (size_t j = 0; j < shares; j++) {
        tree->mixed_classes[j] = r->a->classes[r->at.share];
        tree->mixed_shares[j] = r->a->weights[r->at.share++];
        if (tree->mixed_classes[j] < 0 || tree->mixed_classes[j] >= (int64_t)r->forest->n_classes ||
            !(tree->mixed_shares[j] >= 0) || tree->mixed_shares[j] > 1)
            CHECK(cairn_archive_damaged(r->archive, "a mixed leaf of the forest is impossible"));
    }
    return CAIRN_OK;
}

static cairn_status get_parts(reader *r)
{
    cairn_forest_tree *tree = r->tree;
    cairn_context *ctx = cairn_archive_context(r->archive);
    const double *parts = r->a->parts + r->at.node, *link_parts = r->a->link_parts + r->at.link;
    CHECK(NEW(ctx, &tree->parts, tree->n_nodes));
    if (tree->n_links) CHECK(NEW(ctx, &tree->link_parts, tree->n_links));
    for (size_t i = 0; i < tree->n_nodes; i++)
        if (!((tree->parts[i] = parts[i]) >= 0 && parts[i] <= 1))
            CHECK(cairn_archive_damaged(r->archive, "a share of the forest is impossible"));
    for (size_t j = 0; j < tree->n_links; j++)
        if (!((tree->link_parts[j] = link_parts[j]) >= 0 && link_parts[j] <= 1))
            CHECK(cairn_archive_damaged(r->archive, "a share of the forest is impossible"));
    return CAIRN_OK;
}

/* Every node must have been waited for and all links used: then the nodes make one tree without
 * a cycle. */
static cairn_status get_tree(reader *r, size_t t)
{
    cairn_context *ctx = cairn_archive_context(r->archive);
    const forest_arrays *a = r->a;
    cairn_forest_tree *tree = r->tree = &r->forest->trees[t];
    size_t links = 0;
    tree->n_nodes = (size_t)a->nodes[t];
    tree->n_links = (size_t)a->links[t];
    tree->n_mixed = (size_t)a->mixed[t];
    tree->n_shares = (size_t)a->shares[t];
    tree->n_means = (size_t)a->means[t];
    tree->depth = a->depths[t];
    if (tree->n_mixed) CHECK(get_mixed(r));
    CHECK(NEW(ctx, &tree->means, tree->n_means));
    for (size_t j = 0; j < tree->n_means; j++) {
        tree->means[j] = a->values[r->at.mean++];
        if (!isfinite(tree->means[j]))
            CHECK(cairn_archive_damaged(r->archive, "a leaf of the forest has no number"));
    }
    CHECK(NEW(ctx, &tree->nodes, tree->n_nodes));
    if (tree->n_links) CHECK(NEW(ctx, &tree->links, tree->n_links));
    if (r->forest->missing == CAIRN_TREE_WEIGHTS) CHECK(get_parts(r));
    r->n_waiting = 0;
    if (a->roots[t])
        CHECK(get_leaf(r, &tree->root));
    else
        r->waiting[r->n_waiting++] = &tree->root;
    for (size_t i = 0; i < tree->n_nodes; i++) CHECK(get_node(r, i, &links));
    if (r->n_waiting || links != tree->n_links)
        CHECK(
            cairn_archive_damaged(r->archive, "the nodes of tree %zu do not fit together", t + 1));
    return cairn_forest_settle(ctx, tree, r->forest->n_columns);
}

/* Sums of the sizes of the trees, which must be those of the arrays. */
static cairn_status check_sizes(cairn_archive *archive, const forest_arrays *a, size_t n_trees)
{
    places sum = {0};
    for (size_t t = 0; t < n_trees; t++) {
        if (a->nodes[t] < 0 || a->links[t] < 0 || a->mixed[t] < 0 || a->shares[t] < 0 ||
            a->means[t] < 0 || a->depths[t] < 0)
            return cairn_archive_damaged(archive, "tree %zu has impossible sizes", t + 1);
        sum.node += (size_t)a->nodes[t];
        sum.link += (size_t)a->links[t];
        sum.mixed += (size_t)a->mixed[t];
        sum.share += (size_t)a->shares[t];
        sum.mean += (size_t)a->means[t];
    }
    if (sum.node != a->n_nodes || sum.link != a->n_links || sum.mixed != a->n_mixed ||
        sum.share != a->n_shares || sum.mean != a->n_means)
        return cairn_archive_damaged(archive, "the sizes of the trees do not fit together");
    return CAIRN_OK;
}

static cairn_status get_trees(cairn_archive *archive, const forest_arrays *a,
                              cairn_forest_model *forest)
{
    cairn_context *ctx = cairn_archive_context(archive);
    reader r = {.archive = archive, .a = a, .forest = forest};
    cairn_status status;
    TRY(check_sizes(archive, a, forest->n_trees));
    TRY(NEW(ctx, &forest->trees, forest->n_trees));
    TRY(NEW(ctx, &r.waiting, 2 * a->n_nodes + a->n_links + 2));
    for (size_t t = 0; t < forest->n_trees; t++) TRY(get_tree(&r, t));
    if (r.at.leaf != a->n_leaves || r.at.wide != a->n_wide)
        TRY(cairn_archive_damaged(archive, "the leaves of the forest do not fit together"));
done:
    cairn_free(r.waiting);
    return status;
}

/* -- both -- */

static cairn_status archive_sizes(cairn_archive *archive, forest_arrays *a)
{
    CHECK(cairn_archive_size(archive, "nodes", &a->n_nodes, SIZE_MAX / 64));
    CHECK(cairn_archive_size(archive, "links", &a->n_links, SIZE_MAX / 64));
    CHECK(cairn_archive_size(archive, "wide", &a->n_wide, SIZE_MAX / 64));
    CHECK(cairn_archive_size(archive, "leaves", &a->n_leaves, SIZE_MAX / 64));
    CHECK(cairn_archive_size(archive, "mixed", &a->n_mixed, SIZE_MAX / 64));
    CHECK(cairn_archive_size(archive, "shares", &a->n_shares, SIZE_MAX / 64));
    CHECK(cairn_archive_size(archive, "means", &a->n_means, SIZE_MAX / 64));
    CHECK(cairn_archive_int(archive, "width.column", &a->column_width));
    CHECK(cairn_archive_int(archive, "width.rank", &a->rank_width));
    CHECK(cairn_archive_int(archive, "width.leaf", &a->leaf_width));
    int32_t widths[] = {a->column_width, a->rank_width, a->leaf_width};
    for (size_t i = 0; i < 3; i++)
        if (widths[i] != 1 && widths[i] != 2 && widths[i] != 4)
            CHECK(cairn_archive_damaged(archive, "the forest has an impossible width"));
    return CAIRN_OK;
}

/* The same list writes and reads; names and order are the format of the file. */
static cairn_status archive_arrays(cairn_archive *archive, forest_arrays *a, bool with_parts,
                                   size_t n_trees)
{
    CHECK(cairn_archive_ints(archive, "tree.nodes", &a->nodes, n_trees));
    CHECK(cairn_archive_ints(archive, "tree.links", &a->links, n_trees));
    CHECK(cairn_archive_ints(archive, "tree.mixed", &a->mixed, n_trees));
    CHECK(cairn_archive_ints(archive, "tree.shares", &a->shares, n_trees));
    CHECK(cairn_archive_ints(archive, "tree.means", &a->means, n_trees));
    CHECK(cairn_archive_ints(archive, "tree.depth", &a->depths, n_trees));
    CHECK(cairn_archive_bytes(archive, "tree.root", &a->roots, n_trees));
    CHECK(cairn_archive_bytes(archive, "node.shape", &a->shape, a->n_nodes));
    CHECK(cairn_archive_bytes(archive, "node.column", &a->columns,
                              a->n_nodes * (size_t)a->column_width));
    CHECK(cairn_archive_bytes(archive, "node.rank", &a->ranks, a->n_nodes * (size_t)a->rank_width));
    CHECK(cairn_archive_bytes(archive, "link.kind", &a->kinds, a->n_links));
    CHECK(cairn_archive_ints(archive, "wide.branches", &a->branches, a->n_wide));
    CHECK(cairn_archive_bytes(archive, "leaf", &a->leaves, a->n_leaves * (size_t)a->leaf_width));
    if (with_parts) {
        CHECK(cairn_archive_reals(archive, "node.part", &a->parts, a->n_nodes));
        CHECK(cairn_archive_reals(archive, "link.part", &a->link_parts, a->n_links));
    }
    CHECK(cairn_archive_ints(archive, "mixed.size", &a->sizes, a->n_mixed));
    CHECK(cairn_archive_ints(archive, "mixed.class", &a->classes, a->n_shares));
    CHECK(cairn_archive_reals(archive, "mixed.share", &a->weights, a->n_shares));
    return cairn_archive_reals(archive, "mean", &a->values, a->n_means);
}

/* Cuts of every column, ascending. */
static cairn_status archive_cuts(cairn_archive *archive, cairn_forest_model *forest)
{
    bool reading = cairn_archive_reading(archive);
    OWNED(cairn_free) int32_t *counts = NULL;
    size_t n = reading ? 0 : forest->cut_starts[forest->n_columns];
    cairn_context *ctx = cairn_archive_context(archive);
    if (!reading) {
        CHECK(NEW(ctx, &counts, forest->n_columns));
        for (size_t c = 0; c < forest->n_columns; c++)
            counts[c] = (int32_t)(forest->cut_starts[c + 1] - forest->cut_starts[c]);
    }
    CHECK(cairn_archive_size(archive, "cuts", &n, UINT32_MAX));
    CHECK(cairn_archive_ints(archive, "cut.count", &counts, forest->n_columns));
    CHECK(cairn_archive_reals(archive, "cut", &forest->cuts, n));
    if (!reading) return CAIRN_OK;
    CHECK(NEW(ctx, &forest->cut_starts, forest->n_columns + 1));
    size_t sum = 0;
    for (size_t c = 0; c < forest->n_columns; c++) {
        if (counts[c] < 0 || (size_t)counts[c] > n - sum)
            CHECK(cairn_archive_damaged(archive, "column %zu has impossible cuts", c + 1));
        sum += (size_t)counts[c];
        forest->cut_starts[c + 1] = (uint32_t)sum;
    }
    if (sum != n) CHECK(cairn_archive_damaged(archive, "the cuts do not fit together"));
    return CAIRN_OK;
}

/* The history is optional: what was not asked for when the forest was grown is not in the file. */
static cairn_status archive_oob(cairn_archive *archive, cairn_forest_history *history,
                                const cairn_forest_model *forest)
{
    cairn_forest_oob *oob = &history->oob;
    size_t k = forest->n_classes;
    bool impurity = history->impurity, permutation = history->permutation;
    CHECK(cairn_archive_bool(archive, "oob", &oob->known));
    if (oob->known) {
        CHECK(cairn_archive_real(archive, "oob.weight", &oob->weight));
        CHECK(cairn_archive_real(archive, "oob.error", &oob->error));
        CHECK(cairn_archive_real(archive, "oob.low", &oob->low));
        CHECK(cairn_archive_real(archive, "oob.high", &oob->high));
        CHECK(cairn_archive_real(archive, "oob.r2", &oob->r2));
        CHECK(cairn_archive_reals(archive, "oob.curve", &oob->curve, forest->n_trees));
        if (k && (cairn_archive_version(archive) < 16 || k <= CAIRN_FOREST_MATRIX))
            CHECK(cairn_archive_reals(archive, "oob.matrix", &oob->matrix, cairn_product(k, k)));
    }
    CHECK(cairn_archive_bool(archive, "impurity", &impurity));
    if (impurity)
        CHECK(cairn_archive_reals(archive, "importance", &history->impurity, forest->n_columns));
    CHECK(cairn_archive_bool(archive, "permutation", &permutation));
    if (permutation) {
        CHECK(cairn_archive_reals(archive, "rise", &history->permutation, forest->n_columns));
        CHECK(cairn_archive_reals(archive, "rise.error", &history->permutation_se,
                                  forest->n_columns));
    }
    if (permutation && !impurity)
        CHECK(cairn_archive_damaged(archive, "the forest has only half of the importance"));
    return CAIRN_OK;
}

/* Files before version 7 have outliers without classes: those are not known then. */
static cairn_status archive_extras(cairn_archive *archive, cairn_forest_history *history,
                                   const cairn_forest_model *forest)
{
    cairn_forest_extras *x = &history->extras;
    size_t cells;
    CHECK(cairn_archive_size(archive, "outliers", &x->n_outliers, INT32_MAX));
    CHECK(cairn_archive_ints(archive, "outlier.row", &x->outlier_rows, x->n_outliers));
    CHECK(cairn_archive_reals(archive, "outlier.score", &x->outlier_scores, x->n_outliers));
    bool known = x->outlier_classes; /* not in a model that came from an older file */
    if (!(cairn_archive_version(archive) < 7)) {
        CHECK(cairn_archive_bool(archive, "outlier.classes", &known));
        if (known)
            CHECK(cairn_archive_ints(archive, "outlier.class", &x->outlier_classes, x->n_outliers));
        for (size_t i = 0; known && i < x->n_outliers; i++)
            if (x->outlier_classes[i] < 0 || (size_t)x->outlier_classes[i] >= forest->n_classes)
                CHECK(cairn_archive_damaged(archive, "outlier %zu has no class", i + 1));
    }
    CHECK(cairn_archive_size(archive, "filled", &x->n_filled, SIZE_MAX));
    CHECK(cairn_archive_size(archive, "prototypes", &x->n_prototypes, INT32_MAX));
    if (x->n_prototypes && x->n_prototypes != forest->n_classes)
        CHECK(cairn_archive_damaged(archive, "the forest has prototypes of other classes"));
    cells = cairn_product(3 * x->n_prototypes, forest->n_columns);
    CHECK(cairn_archive_ints(archive, "prototype.rows", &x->prototype_size, x->n_prototypes));
    return cairn_archive_reals(archive, "prototype", &x->prototypes, cells);
}

cairn_status cairn_forest_archive_history(cairn_archive *archive, void *history, const void *model)
{
    CHECK(archive_oob(archive, history, model));
    return archive_extras(archive, history, model);
}

/* Settings decide how nodes are read and walked, so they come first and are checked. */
static cairn_status archive_head(cairn_archive *archive, cairn_forest_model *forest)
{
    CHECK(cairn_archive_size(archive, "columns", &forest->n_columns, CAIRN_FOREST_COLUMN));
    CHECK(cairn_archive_size(archive, "classes", &forest->n_classes, INT32_MAX / 2));
    CHECK(cairn_archive_size(archive, "trees", &forest->n_trees, INT32_MAX));
    CHECK(cairn_archive_int(archive, "cut.form", &forest->cut_form));
    CHECK(cairn_archive_int(archive, "missing", &forest->missing));
    CHECK(cairn_archive_int(archive, "combine", &forest->combine));
    CHECK(cairn_archive_size(archive, "drawn", &forest->drawn, SIZE_MAX));
    CHECK(cairn_archive_real(archive, "low", &forest->low));
    CHECK(cairn_archive_real(archive, "high", &forest->high));
    CHECK(cairn_archive_bytes(archive, "numbers", &forest->is_number, forest->n_columns));
    if (forest->cut_form < CAIRN_TREE_MID || forest->cut_form > CAIRN_TREE_LE ||
        forest->missing < CAIRN_TREE_WEIGHTS || forest->missing > CAIRN_TREE_CLASS_MODE ||
        forest->combine < CAIRN_FOREST_VOTES || forest->combine > CAIRN_FOREST_SHARES ||
        forest->n_trees == 0)
        CHECK(cairn_archive_damaged(archive, "the forest has impossible settings"));
    return CAIRN_OK;
}

cairn_status cairn_forest_archive(cairn_archive *archive, cairn_forest_model *forest)
{
    bool reading = cairn_archive_reading(archive);
    forest_arrays arrays = {0};
    places at = {0};
    cairn_status status;
    TRY(archive_head(archive, forest));
    TRY(archive_cuts(archive, forest));
    if (!reading) {
        measure(&arrays, forest);
        TRY(allocate(cairn_archive_context(archive), &arrays, forest));
        for (size_t t = 0; t < forest->n_trees; t++) put_tree(&arrays, &at, &forest->trees[t], t);
    }
    TRY(archive_sizes(archive, &arrays));
    TRY(archive_arrays(archive, &arrays, forest->missing == CAIRN_TREE_WEIGHTS, forest->n_trees));
    if (reading) TRY(get_trees(archive, &arrays, forest));
done:
    free_arrays(&arrays);
    return status;
}
