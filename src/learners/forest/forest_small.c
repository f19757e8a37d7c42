/* SPDX-License-Identifier: MIT */
/* Trees of a forest at rest: 8 bytes per inner node.
 *
 * Nodes stand in depth-first order, so the first child that is an inner node stands right behind
 * its parent, and one reference, to the other child, is enough. When both children are leaves,
 * their two answers share it. Column and rank share one word as long as they fit (1024 columns,
 * 65536 cuts in a column); otherwise the ranks have an array of their own. The large form (16
 * bytes, both references) is what trees are made, read and changed in. */
#include "learners/forest/forest.h"

static bool is_wide(const cairn_forest_node *node)
{
    return node->test & CAIRN_FOREST_WIDE;
}

static bool has_two_leaves(const cairn_forest_node *node)
{
    return !is_wide(node) && (node->left & node->right & CAIRN_FOREST_LEAF);
}

/* Whether the answers of two leaves fit in one reference. */
static bool fit_together(const cairn_forest_node *node)
{
    return ((node->left | node->right) & ~CAIRN_FOREST_LEAF) <= CAIRN_SMALL_ANSWER;
}

/* How many pairs the tree needs, and whether its ranks need an array. */
static cairn_status measure(cairn_context *ctx, cairn_forest_tree *tree, size_t n_columns,
                            bool *ranks_apart)
{
    uint32_t most = 0;
    tree->n_pairs = 0;
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const cairn_forest_node *node = &tree->nodes[i];
        if (node->rank > most) most = node->rank;
        tree->n_pairs += is_wide(node) || (has_two_leaves(node) && !fit_together(node));
    }
    if (n_columns > (size_t)CAIRN_SMALL_TEST + 1)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "a forest takes at most %zu columns, not %zu",
                          (size_t)CAIRN_SMALL_TEST + 1, n_columns);
    *ranks_apart =
        most > CAIRN_SMALL_RANK || n_columns > (CAIRN_SMALL_TEST >> CAIRN_SMALL_COLUMN_SHIFT) + 1;
    return CAIRN_OK;
}

/* Flags that both forms have. */
static const struct {
    uint32_t large, small;
} flags[] = {
    {CAIRN_FOREST_WIDE, CAIRN_SMALL_WIDE},
    {CAIRN_FOREST_LEVEL, CAIRN_SMALL_LEVEL},
    {CAIRN_FOREST_RIGHT, CAIRN_SMALL_RIGHT},
};

static uint32_t small_test(const cairn_forest_node *node, bool with_rank)
{
    uint32_t column = node->test & CAIRN_FOREST_COLUMN, test = column;
    if (with_rank) test = column << CAIRN_SMALL_COLUMN_SHIFT | node->rank;
    for (size_t f = 0; f < 3; f++)
        if (node->test & flags[f].large) test |= flags[f].small;
    return test;
}

/* Chooses among the forms that fit into 8 bytes; what fits in none is put apart as a pair. */
static cairn_forest_small small_of(cairn_forest_tree *tree, size_t i, uint32_t *pairs)
{
    const cairn_forest_node *node = &tree->nodes[i];
    cairn_forest_small small = {.test = small_test(node, !tree->ranks)};
    if (has_two_leaves(node)) small.test |= CAIRN_SMALL_BOTH;
    if (has_two_leaves(node) && fit_together(node)) {
        small.other = CAIRN_FOREST_LEAF |
                      (node->right & CAIRN_SMALL_ANSWER) << CAIRN_SMALL_ANSWER_BITS |
                      (node->left & CAIRN_SMALL_ANSWER);
    } else if (has_two_leaves(node) || is_wide(node)) {
        small.test |= CAIRN_SMALL_APART;
        small.other = CAIRN_FOREST_LEAF | *pairs;
        tree->pairs[(*pairs)++] = (cairn_forest_pair){node->left, node->right};
    } else if (node->left & CAIRN_FOREST_LEAF) {
        small.test |= CAIRN_SMALL_SWAP;
        small.other = node->left;
    } else {
        small.other = node->right;
    }
    return small;
}

cairn_status cairn_forest_settle(cairn_context *ctx, cairn_forest_tree *tree, size_t n_columns)
{
    uint32_t pairs = 0;
    bool ranks_apart;
    CHECK(measure(ctx, tree, n_columns, &ranks_apart));
    CHECK(NEW_RAW(ctx, &tree->small, tree->n_nodes));
    if (tree->n_pairs) CHECK(NEW_RAW(ctx, &tree->pairs, tree->n_pairs));
    if (ranks_apart) CHECK(NEW_RAW(ctx, &tree->ranks, tree->n_nodes));
    for (size_t i = 0; i < tree->n_nodes; i++) {
        tree->small[i] = small_of(tree, i, &pairs);
        if (tree->ranks) tree->ranks[i] = tree->nodes[i].rank;
    }
    cairn_free(tree->nodes);
    tree->nodes = NULL;
    return CAIRN_OK;
}

cairn_status cairn_forest_spread(cairn_context *ctx, cairn_forest_tree *tree)
{
    cairn_forest_node *nodes = NULL;
    CHECK(NEW_RAW(ctx, &nodes, tree->n_nodes));
    for (size_t i = 0; i < tree->n_nodes; i++) nodes[i] = cairn_forest_node_at(tree, i);
    FREE_EACH(tree->small, tree->pairs, tree->ranks);
    tree->small = NULL;
    tree->pairs = NULL;
    tree->ranks = NULL;
    tree->nodes = nodes;
    return CAIRN_OK;
}

uint32_t cairn_forest_answer(const cairn_forest_tree *tree, cairn_forest_small node, bool right)
{
    if (node.test & CAIRN_SMALL_APART) return cairn_small_apart(tree, node.other, right);
    return cairn_small_answer(node.other, right);
}

cairn_forest_node cairn_forest_node_at(const cairn_forest_tree *tree, size_t i)
{
    if (tree->nodes) return tree->nodes[i];
    cairn_forest_small small = tree->small[i];
    bool swap = small.test & CAIRN_SMALL_SWAP;
    cairn_forest_node node = {.test = cairn_small_column(tree, i),
                              .rank = cairn_small_rank(tree, i)};
    for (size_t f = 0; f < 3; f++)
        if (small.test & flags[f].small) node.test |= flags[f].large;
    if (small.test & (CAIRN_SMALL_BOTH | CAIRN_SMALL_WIDE)) {
        node.left = cairn_forest_answer(tree, small, false);
        node.right = cairn_forest_answer(tree, small, true);
    } else {
        node.left = swap ? small.other : (uint32_t)i + 1;
        node.right = swap ? (uint32_t)i + 1 : small.other;
    }
    return node;
}
