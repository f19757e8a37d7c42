/* SPDX-License-Identifier: MIT */
/* A forest as one operation. Inner nodes of all trees come first, tree by tree; behind them the
 * leaves: one for every class, then the mixed ones, or one for every mean. */
#include "base/memory.h"
#include "learners/forest/forest.h"
#include "learners/tree/tree_lower.h"

typedef struct lowering {
    cairn_program *p;
    const cairn_forest_model *forest;
    cairn_operation *op;
    size_t n_inner, n_leaves, n_links;
    size_t inner, leaf; /* of the tree at hand: its first inner node, and its first leaf */
    int32_t *nodes, *links, *usual;
    double *cuts, *parts;
} lowering;

/* The node that a reference names. */
static int32_t node_of(const lowering *w, uint32_t reference)
{
    size_t k = w->forest->n_classes, value = reference & ~CAIRN_FOREST_LEAF;
    if (reference == CAIRN_FOREST_NONE) return -1;
    if (!(reference & CAIRN_FOREST_LEAF)) return (int32_t)(w->inner + reference);
    if (value < k) return (int32_t)(w->n_inner + value);
    return (int32_t)(w->n_inner + w->leaf + value - k);
}

static void count_all(lowering *w)
{
    w->n_leaves = w->forest->n_classes;
    for (size_t t = 0; t < w->forest->n_trees; t++) {
        const cairn_forest_tree *tree = &w->forest->trees[t];
        w->n_inner += tree->n_nodes;
        w->n_leaves += w->forest->n_classes ? tree->n_mixed : tree->n_means;
        for (size_t i = 0; i < tree->n_nodes; i++) {
            cairn_forest_node node = cairn_forest_node_at(tree, i);
            w->n_links += (node.test & CAIRN_FOREST_WIDE ? node.right : 2) + 1;
        }
    }
}

static cairn_status make_buffer(lowering *w)
{
    size_t n = w->n_inner + w->n_leaves;
    CHECK(cairn_op_codes(w->p, w->op, CAIRN_TREES_NODES, 4 * n, &w->nodes));
    CHECK(cairn_op_codes(w->p, w->op, CAIRN_TREES_LINKS, w->n_links, &w->links));
    CHECK(cairn_op_codes(w->p, w->op, CAIRN_TREES_USUAL, n, &w->usual));
    CHECK(cairn_op_numbers(w->p, w->op, CAIRN_TREES_CUTS, n, &w->cuts));
    CHECK(cairn_op_numbers(w->p, w->op, CAIRN_TREES_PARTS, w->n_links, &w->parts));
    for (size_t i = 0; i < n; i++) {
        bool leaf = i >= w->n_inner;
        w->nodes[4 * i] = w->usual[i] = w->nodes[4 * i + 3] = -1;
        if (leaf) w->nodes[4 * i + 3] = (int32_t)(i - w->n_inner);
    }
    return CAIRN_OK;
}

/* Links and shares of a node; a level without a branch goes where missing cells go. Returns how
 * many links there are. */
static size_t lower_links(const lowering *w, const cairn_forest_tree *tree, size_t i, size_t at)
{
    cairn_forest_node node = cairn_forest_node_at(tree, i);
    if (!(node.test & CAIRN_FOREST_WIDE)) {
        w->links[at] = node_of(w, node.left);
        w->links[at + 1] = node_of(w, node.right);
        w->links[at + 2] = -1;
        if (tree->parts) {
            w->parts[at] = tree->parts[i];
            w->parts[at + 1] = 1 - tree->parts[i];
        }
        return 3;
    }
    int32_t missing = node_of(w, tree->links[node.left + node.right]);
    for (size_t b = 0; b <= node.right; b++) {
        int32_t child = node_of(w, tree->links[node.left + b]);
        w->links[at + b] = child < 0 ? missing : child;
        if (tree->link_parts && b < node.right && child >= 0)
            w->parts[at + b] = tree->link_parts[node.left + b];
    }
    return node.right + 1;
}

/* The test of a node, and what it compares with. */
static void lower_test(const lowering *w, const cairn_forest_node *node, size_t to)
{
    const cairn_forest_model *forest = w->forest;
    size_t column = node->test & CAIRN_FOREST_COLUMN;
    bool several = forest->missing == CAIRN_TREE_WEIGHTS, wide = node->test & CAIRN_FOREST_WIDE;
    w->nodes[4 * to] = (int32_t)column;
    if (forest->is_number[column]) {
        w->nodes[4 * to + 1] =
            forest->cut_form == CAIRN_TREE_LT ? CAIRN_LOWER_BELOW : CAIRN_LOWER_AT_MOST;
        w->cuts[to] = forest->cuts[forest->cut_starts[column] + node->rank];
    } else if (node->test & CAIRN_FOREST_LEVEL) {
        w->nodes[4 * to + 1] = CAIRN_LOWER_LEVEL;
        w->cuts[to] = node->rank;
    } else {
        w->nodes[4 * to + 1] = CAIRN_LOWER_LEVELS;
        w->cuts[to] = node->right;
        if (!several) w->usual[to] = (int32_t)node->rank;
    }
    if (!several && !wide) w->usual[to] = (node->test & CAIRN_FOREST_RIGHT) != 0;
}

/* Counts leaves and links on the way, since references in the program are to places in the whole
 * forest and not in a tree. */
static cairn_status lower_nodes(lowering *w)
{
    const cairn_forest_model *forest = w->forest;
    size_t links = 0;
    int32_t *roots;
    CHECK(cairn_op_codes(w->p, w->op, CAIRN_TREES_ROOTS, forest->n_trees, &roots));
    w->leaf = forest->n_classes;
    for (size_t t = 0; t < forest->n_trees; t++) {
        const cairn_forest_tree *tree = &forest->trees[t];
        roots[t] = node_of(w, tree->root);
        for (size_t i = 0; i < tree->n_nodes; i++) {
            cairn_forest_node node = cairn_forest_node_at(tree, i);
            lower_test(w, &node, w->inner + i);
            w->nodes[4 * (w->inner + i) + 2] = (int32_t)links;
            links += lower_links(w, tree, i, links);
        }
        w->inner += tree->n_nodes;
        w->leaf += forest->n_classes ? tree->n_mixed : tree->n_means;
    }
    return CAIRN_OK;
}

/* Values and labels of the leaves, in the order of their nodes. */
static cairn_status lower_leaves(lowering *w)
{
    const cairn_forest_model *forest = w->forest;
    size_t k = forest->n_classes, at = k;
    int32_t *labels = NULL;
    double *values;
    CHECK(cairn_op_numbers(w->p, w->op, CAIRN_TREES_VALUES, cairn_product(w->n_leaves, k ? k : 1),
                           &values));
    if (k) CHECK(cairn_op_codes(w->p, w->op, CAIRN_TREES_LABELS, w->n_leaves, &labels));
    for (size_t l = 0; l < k; l++) {
        values[l * k + l] = 1;
        labels[l] = (int32_t)l;
    }
    for (size_t t = 0; t < forest->n_trees; t++) {
        const cairn_forest_tree *tree = &forest->trees[t];
        for (size_t i = 0; !k && i < tree->n_means; i++) values[at++] = tree->means[i];
        for (size_t i = 0; k && i < tree->n_mixed; i++, at++) {
            labels[at] = tree->mixed_classes[tree->mixed_starts[i]];
            for (uint32_t j = tree->mixed_starts[i]; j < tree->mixed_starts[i + 1]; j++)
                values[at * k + (size_t)tree->mixed_classes[j]] = tree->mixed_shares[j];
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_forest_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_forest_model *forest = model;
    lowering w = {.p = out, .forest = forest};
    size_t k = forest->n_classes, n;
    int32_t *in;
    CHECK(cairn_program_features(out, &in, &n));
    CHECK(cairn_program_add(out, CAIRN_OP_TREES, in, n, k ? k + 1 : 1, &w.op));
    w.op->sizes[CAIRN_TREES_N] = (int32_t)forest->n_trees;
    w.op->sizes[CAIRN_TREES_WIDTH] = (int32_t)(k ? k : 1);
    w.op->sizes[CAIRN_TREES_VOTES] = k && forest->combine == CAIRN_FOREST_VOTES;
    w.op->sizes[CAIRN_TREES_FOREST] = 1;
    count_all(&w);
    CHECK(make_buffer(&w));
    CHECK(lower_nodes(&w));
    CHECK(lower_leaves(&w));
    CHECK(cairn_trees_work(out, w.op));
    if (!k) {
        out->answer.number = w.op->out;
        return CAIRN_OK;
    }
    CHECK(cairn_trees_choice(out, w.op, k, 0));
    if (job->task == CAIRN_CLASSIFY) out->answer.scores = w.op->out;
    out->answer.code = w.op->out + (int32_t)k;
    return CAIRN_OK;
}
