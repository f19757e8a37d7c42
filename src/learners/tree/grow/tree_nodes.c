/* SPDX-License-Identifier: MIT */
/* Trees as arrays of nodes: copying, cutting back, saving and loading.
 *
 * Nodes are in depth-first order. So the nodes below one node follow it without a gap, a child
 * always has a larger number than its parent, and a file that keeps to both can hold no cycle. */
#include "learners/tree/grow/grow.h"
#include "data/item_columns.h"
#include <math.h>
#include <string.h>

void cairn_tree_clear(cairn_tree_model *tree)
{
    FREE_EACH(tree->nodes, tree->links, tree->classes, tree->weights, tree->sets, tree->surrogates,
              tree->means, tree->example);
    cairn_map_clear(&tree->examples);
    FREE_EACH(tree->is_number, tree->regressors, tree->slopes, tree->centres);
    *tree = (cairn_tree_model){0};
}

int32_t cairn_tree_depths(const cairn_tree_model *tree, int32_t *depths)
{
    int32_t most = 0;
    for (size_t i = 0; i < tree->n_nodes; i++) {
        int32_t parent = tree->nodes[i].parent;
        depths[i] = parent < 0 ? 0 : depths[parent] + 1;
        if (depths[i] > most) most = depths[i];
    }
    return most;
}

size_t cairn_tree_leaves(const cairn_tree_model *tree)
{
    size_t n = 0;
    for (size_t i = 0; i < tree->n_nodes; i++) n += tree->nodes[i].column < 0;
    return n;
}

/* -- copying -- */

cairn_status cairn_tree_add_set(cairn_context *ctx, cairn_tree_model *tree, const uint8_t *sides,
                                size_t n, int32_t *place)
{
    if (n > INT32_MAX - tree->n_sets)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the sets of levels of the tree have more than two thousand million "
                          "entries; limit it with {max-depth}, {min-rows} or {max-leaves}");
    CHECK(GROW(ctx, &tree->sets, &tree->sets_capacity, tree->n_sets + n));
    memcpy(tree->sets + tree->n_sets, sides, n);
    *place = (int32_t)tree->n_sets;
    tree->n_sets += n;
    return CAIRN_OK;
}

cairn_status cairn_tree_take_extras(cairn_context *ctx, cairn_tree_model *tree,
                                    const cairn_tree_model *from, cairn_tree_node *node)
{
    uint32_t first = node->surrogates;
    node->surrogates = (uint32_t)tree->n_surrogates;
    if (node->column < 0) node->n_surrogates = 0;
    if (node->column >= 0 && node->test == CAIRN_TEST_SET)
        CHECK(
            cairn_tree_add_set(ctx, tree, from->sets + node->level, node->n_levels, &node->level));
    if (node->n_surrogates == 0) return CAIRN_OK;
    CHECK(GROW(ctx, &tree->surrogates, &tree->surrogates_capacity,
               tree->n_surrogates + node->n_surrogates));
    for (size_t i = 0; i < node->n_surrogates; i++) {
        cairn_surrogate s = from->surrogates[first + i];
        if (s.test == CAIRN_TEST_SET)
            CHECK(cairn_tree_add_set(ctx, tree, from->sets + s.level, s.n_levels, &s.level));
        tree->surrogates[tree->n_surrogates++] = s;
    }
    return CAIRN_OK;
}

/* Numbers of nodes in the copy are shifted, and everything that a node points to by place
 * (links, counts, sets, means) is taken along. */
static cairn_status append_node(cairn_context *ctx, cairn_tree_model *tree,
                                const cairn_tree_model *from, size_t i, int32_t shift)
{
    cairn_tree_node node = from->nodes[i];
    size_t n_links = node.column < 0 ? 0 : (size_t)node.n_branches + 1;
    if (from->n_sets || from->n_surrogates) CHECK(cairn_tree_take_extras(ctx, tree, from, &node));
    CHECK(GROW(ctx, &tree->nodes, &tree->nodes_capacity, tree->n_nodes + 1));
    CHECK(GROW(ctx, &tree->links, &tree->links_capacity, tree->n_links + n_links));
    CHECK(GROW(ctx, &tree->classes, &tree->classes_capacity, tree->n_counts + node.n_counts));
    CHECK(GROW(ctx, &tree->weights, &tree->weights_capacity, tree->n_counts + node.n_counts));
    for (size_t b = 0; b < n_links; b++) {
        int32_t child = from->links[node.links + b];
        tree->links[tree->n_links + b] = child < 0 ? -1 : child + shift;
    }
    for (size_t j = 0; j < node.n_counts; j++) {
        tree->classes[tree->n_counts + j] = from->classes[node.counts + j];
        tree->weights[tree->n_counts + j] = from->weights[node.counts + j];
    }
    if (from->n_means) {
        size_t k = tree->n_means = from->n_means;
        CHECK(GROW(ctx, &tree->means, &tree->means_capacity, (tree->n_nodes + 1) * k));
        memcpy(tree->means + tree->n_nodes * k, from->means + i * k, k * sizeof *tree->means);
    }
    node.links = (uint32_t)tree->n_links;
    node.counts = (uint32_t)tree->n_counts;
    if (node.parent >= 0) node.parent += shift;
    tree->nodes[tree->n_nodes++] = node;
    tree->n_links += n_links;
    tree->n_counts += node.n_counts;
    return CAIRN_OK;
}

cairn_status cairn_tree_append(cairn_context *ctx, cairn_tree_model *tree,
                               const cairn_tree_model *from, size_t first, size_t n)
{
    int32_t shift = (int32_t)tree->n_nodes - (int32_t)first;
    if (tree->n_nodes + n > INT32_MAX / 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the tree has more than a thousand million nodes; limit it with "
                          "{max-depth}, {min-rows} or {max-leaves}");
    for (size_t i = first; i < first + n; i++) CHECK(append_node(ctx, tree, from, i, shift));
    return CAIRN_OK;
}

/* -- cutting back -- */

/* New number of every node that stays, -1 for the others. */
static void number_kept(const cairn_tree_model *tree, const uint8_t *marks, int32_t *moved)
{
    int32_t next = 0;
    for (size_t i = 0; i < tree->n_nodes; i++) {
        int32_t parent = tree->nodes[i].parent;
        bool gone = parent >= 0 && (moved[parent] < 0 || marks[parent]);
        moved[i] = gone ? -1 : next++;
    }
}

void cairn_tree_replace(cairn_tree_model *tree, cairn_tree_model *nodes)
{
    nodes->n_columns = tree->n_columns;
    nodes->n_classes = tree->n_classes;
    nodes->n_means = tree->n_means;
    nodes->is_number = tree->is_number;
    nodes->cut_form = tree->cut_form;
    nodes->missing = tree->missing;
    tree->is_number = NULL;
    cairn_tree_clear(tree);
    *tree = *nodes;
    *nodes = (cairn_tree_model){0};
}

cairn_status cairn_tree_cut_back(cairn_context *ctx, cairn_tree_model *tree, const uint8_t *marks,
                                 cairn_leaf_reason reason)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_tree_clear) cairn_tree_model kept = {0};
    int32_t *moved = NULL;
    CHECK(SCRATCH(ctx, &moved, tree->n_nodes));
    number_kept(tree, marks, moved);
    for (size_t i = 0; i < tree->n_nodes; i++) {
        cairn_tree_node *node = &tree->nodes[i];
        if (moved[i] < 0) continue;
        if (marks[i] && node->column >= 0) {
            node->column = -1;
            node->test = CAIRN_TEST_NONE;
            node->n_branches = 0;
            node->gain = 0;
            node->reason = (uint8_t)reason;
        }
        CHECK(append_node(ctx, &kept, tree, i, 0));
        cairn_tree_node *to = &kept.nodes[kept.n_nodes - 1];
        to->parent = node->parent < 0 ? -1 : moved[node->parent];
    }
    for (size_t b = 0; b < kept.n_links; b++)
        if (kept.links[b] >= 0) kept.links[b] = moved[kept.links[b]];
    cairn_tree_replace(tree, &kept);
    return CAIRN_OK;
}

/* Whether splitting node a comes before splitting node b: the larger total gain, then the lower
 * number. */
static bool comes_before(const cairn_tree_model *tree, int32_t a, int32_t b)
{
    double gain_a = tree->nodes[a].gain * tree->nodes[a].weight;
    double gain_b = tree->nodes[b].gain * tree->nodes[b].weight;
    return gain_a != gain_b ? gain_a > gain_b : a < b;
}

static void heap_push(const cairn_tree_model *tree, int32_t *heap, size_t *n, int32_t node)
{
    size_t at = (*n)++;
    for (; at > 0 && comes_before(tree, node, heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = node;
}

static int32_t heap_pop(const cairn_tree_model *tree, int32_t *heap, size_t *n)
{
    int32_t top = heap[0], last = heap[--*n];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < *n; at = child) {
        if (child + 1 < *n && comes_before(tree, heap[child + 1], heap[child])) child++;
        if (!comes_before(tree, heap[child], last)) break;
        heap[at] = heap[child];
    }
    heap[at] = last;
    return top;
}

static size_t count_children(const cairn_tree_model *tree, const cairn_tree_node *node)
{
    size_t n = 0;
    for (size_t b = 0; b <= (size_t)node->n_branches; b++) n += tree->links[node->links + b] >= 0;
    return n;
}

cairn_status cairn_tree_limit(cairn_context *ctx, cairn_tree_model *tree, size_t most)
{
    SCOPED_SCRATCH(ctx);
    size_t n_heap = 0, leaves = 1;
    int32_t *heap = NULL;
    uint8_t *marks = NULL;
    CHECK(SCRATCH_EACH(ctx, tree->n_nodes, &heap, &marks));
    memset(marks, 1, tree->n_nodes);
    if (tree->nodes[0].column >= 0) heap_push(tree, heap, &n_heap, 0);
    while (n_heap > 0) {
        int32_t at = heap_pop(tree, heap, &n_heap);
        const cairn_tree_node *node = &tree->nodes[at];
        size_t more = count_children(tree, node) - 1;
        if (leaves + more > most) continue;
        leaves += more;
        marks[at] = 0;
        for (size_t b = 0; b <= (size_t)node->n_branches; b++) {
            int32_t child = tree->links[node->links + b];
            if (child >= 0 && tree->nodes[child].column >= 0) heap_push(tree, heap, &n_heap, child);
        }
    }
    for (size_t i = 0; i < tree->n_nodes; i++)
        if (tree->nodes[i].column < 0) marks[i] = 0;
    return cairn_tree_cut_back(ctx, tree, marks, CAIRN_LEAF_MAX_LEAVES);
}

/* -- saving and loading -- */

/* Nodes as arrays, one per field: what the file holds. */
typedef struct node_arrays {
    int32_t *column, *label, *level, *n_branches, *usual, *n_counts;
    uint8_t *test, *reason, *digits;
    double *cut, *weight, *mean, *gain, *error;
} node_arrays;

/* A file holds one array per field and not records, so that its bytes depend on no layout of a
 * struct and later fields can be added. */
static cairn_status split_nodes(cairn_context *ctx, node_arrays *a, const cairn_tree_model *tree)
{
    size_t n = tree->n_nodes;
    CHECK(NEW_EACH(ctx, n, &a->column, &a->label, &a->level, &a->n_branches, &a->usual,
                   &a->n_counts, &a->test, &a->reason, &a->digits, &a->cut, &a->weight, &a->mean,
                   &a->gain, &a->error));
    for (size_t i = 0; i < n; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        a->column[i] = node->column;
        a->label[i] = node->label;
        a->level[i] = node->level;
        a->n_branches[i] = node->n_branches;
        a->usual[i] = node->usual;
        a->n_counts[i] = (int32_t)node->n_counts;
        a->test[i] = node->test;
        a->reason[i] = node->reason;
        a->digits[i] = node->digits;
        a->cut[i] = node->cut;
        a->weight[i] = node->weight;
        a->mean[i] = node->mean;
        a->gain[i] = node->gain;
        a->error[i] = node->error;
    }
    return CAIRN_OK;
}

static void free_arrays(node_arrays *a)
{
    FREE_EACH(a->column, a->label, a->level, a->n_branches, a->usual, a->n_counts, a->test,
              a->reason, a->digits, a->cut, a->weight, a->mean, a->gain, a->error);
}

static cairn_status archive_arrays(cairn_archive *archive, node_arrays *a, size_t n)
{
    CHECK(cairn_archive_ints(archive, "node.column", &a->column, n));
    CHECK(cairn_archive_ints(archive, "node.label", &a->label, n));
    CHECK(cairn_archive_ints(archive, "node.level", &a->level, n));
    CHECK(cairn_archive_ints(archive, "node.branches", &a->n_branches, n));
    CHECK(cairn_archive_ints(archive, "node.usual", &a->usual, n));
    CHECK(cairn_archive_ints(archive, "node.counts", &a->n_counts, n));
    CHECK(cairn_archive_bytes(archive, "node.test", &a->test, n));
    CHECK(cairn_archive_bytes(archive, "node.reason", &a->reason, n));
    if (cairn_archive_version(archive) >= 19)
        CHECK(cairn_archive_bytes(archive, "node.digits", &a->digits, n));
    CHECK(cairn_archive_reals(archive, "node.cut", &a->cut, n));
    CHECK(cairn_archive_reals(archive, "node.weight", &a->weight, n));
    CHECK(cairn_archive_reals(archive, "node.mean", &a->mean, n));
    CHECK(cairn_archive_reals(archive, "node.gain", &a->gain, n));
    return cairn_archive_reals(archive, "node.error", &a->error, n);
}

/* One node from the arrays, checked by itself; *links and *counts are the places used so far. */
static cairn_status join_node(cairn_archive *archive, cairn_tree_model *tree, const node_arrays *a,
                              size_t i, size_t *links, size_t *counts)
{
    size_t classes = tree->n_classes;
    bool inner = a->column[i] >= 0;
    if (a->column[i] < -1 || a->column[i] >= (int64_t)tree->n_columns)
        return cairn_archive_damaged(archive, "node %zu tests a column that is not there", i + 1);
    if (a->label[i] < -1 || a->label[i] >= (int64_t)classes || (classes && a->label[i] < 0))
        return cairn_archive_damaged(archive, "node %zu has an impossible class", i + 1);
    if (inner != (a->test[i] != CAIRN_TEST_NONE) || a->test[i] > CAIRN_TEST_SET ||
        a->reason[i] >= CAIRN_LEAF_REASONS || (a->digits && a->digits[i] > 17) ||
        (inner && (a->test[i] == CAIRN_TEST_CUT) != (tree->is_number[a->column[i]] > 0)))
        return cairn_archive_damaged(archive, "node %zu has an impossible test", i + 1);
    size_t n_links = inner ? (size_t)a->n_branches[i] + 1 : 0;
    if (a->n_branches[i] < 0 || (inner && a->n_branches[i] < 1) ||
        (inner && a->test[i] != CAIRN_TEST_LEVELS && a->n_branches[i] != 2) ||
        n_links > tree->n_links - *links || a->usual[i] < 0 ||
        (inner && a->usual[i] >= a->n_branches[i]))
        return cairn_archive_damaged(archive, "node %zu has impossible branches", i + 1);
    if (a->n_counts[i] < 0 || (size_t)a->n_counts[i] > tree->n_counts - *counts)
        return cairn_archive_damaged(archive, "node %zu has impossible class counts", i + 1);
    if (!(a->weight[i] >= 0) || !isfinite(a->weight[i]))
        return cairn_archive_damaged(archive, "node %zu has an impossible weight", i + 1);
    tree->nodes[i] = (cairn_tree_node){.column = a->column[i],
                                       .label = a->label[i],
                                       .level = a->level[i],
                                       .n_branches = a->n_branches[i],
                                       .usual = a->usual[i],
                                       .parent = -1,
                                       .used_above = -1,
                                       .n_counts = (uint32_t)a->n_counts[i],
                                       .test = a->test[i],
                                       .reason = a->reason[i],
                                       .digits = a->digits ? a->digits[i] : 0,
                                       .cut = a->cut[i],
                                       .weight = a->weight[i],
                                       .mean = a->mean[i],
                                       .gain = a->gain[i],
                                       .error = a->error[i],
                                       .links = (uint32_t)*links,
                                       .counts = (uint32_t)*counts};
    *links += n_links;
    *counts += tree->nodes[i].n_counts;
    return CAIRN_OK;
}

/* Every node but the root is the child of exactly one node before it. */
static cairn_status check_links(cairn_archive *archive, cairn_tree_model *tree)
{
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        size_t children = 0;
        if (i > 0 && node->parent < 0)
            return cairn_archive_damaged(archive, "node %zu has no parent", i + 1);
        for (size_t b = 0; node->column >= 0 && b <= (size_t)node->n_branches; b++) {
            int32_t child = tree->links[node->links + b];
            if (child == -1) continue;
            if (child <= (int64_t)i || child >= (int64_t)tree->n_nodes ||
                tree->nodes[child].parent >= 0)
                return cairn_archive_damaged(archive, "node %zu has an impossible child", i + 1);
            tree->nodes[child].parent = (int32_t)i;
            children++;
        }
        if (node->column >= 0 && children == 0)
            return cairn_archive_damaged(archive, "node %zu has a test but no child", i + 1);
    }
    return CAIRN_OK;
}

static cairn_status join_nodes(cairn_archive *archive, cairn_tree_model *tree,
                               const node_arrays *arrays)
{
    size_t links = 0, counts = 0;
    if (tree->n_nodes == 0) return cairn_archive_damaged(archive, "the tree has no nodes");
    CHECK(NEW(cairn_archive_context(archive), &tree->nodes, tree->n_nodes));
    for (size_t i = 0; i < tree->n_nodes; i++)
        CHECK(join_node(archive, tree, arrays, i, &links, &counts));
    if (links != tree->n_links || counts != tree->n_counts)
        return cairn_archive_damaged(archive, "the tree's arrays do not fit together");
    CHECK(check_links(archive, tree));
    for (size_t j = 0; j < tree->n_counts; j++)
        if (tree->classes[j] < 0 || tree->classes[j] >= (int64_t)tree->n_classes ||
            !(tree->weights[j] > 0) || !isfinite(tree->weights[j]))
            return cairn_archive_damaged(archive, "class count %zu is impossible", j + 1);
    return CAIRN_OK;
}

/* Linear models of the leaves, since version 4; *linear gets that of each node. The file calls
 * them planes. */
static cairn_status archive_linear(cairn_archive *archive, cairn_tree_model *tree, int32_t **linear)
{
    if (cairn_archive_version(archive) < 4) return CAIRN_OK;
    CHECK(cairn_archive_size(archive, "planes", &tree->n_linear, tree->n_nodes));
    if (tree->n_linear == 0) return CAIRN_OK;
    CHECK(cairn_archive_size(archive, "regressors", &tree->n_regressors, tree->n_columns));
    if (!cairn_archive_reading(archive)) {
        CHECK(NEW(cairn_archive_context(archive), linear, tree->n_nodes));
        for (size_t i = 0; i < tree->n_nodes; i++) (*linear)[i] = tree->nodes[i].linear;
    }
    CHECK(cairn_archive_ints(archive, "node.plane", linear, tree->n_nodes));
    CHECK(cairn_archive_ints(archive, "regressor", &tree->regressors, tree->n_regressors));
    CHECK(
        cairn_archive_reals(archive, "slope", &tree->slopes, tree->n_linear * tree->n_regressors));
    return cairn_archive_reals(archive, "centre", &tree->centres,
                               tree->n_linear * tree->n_regressors);
}

/* Leaves alone have linear models, over number columns. */
static cairn_status check_linear(cairn_archive *archive, cairn_tree_model *tree,
                                 const int32_t *linear)
{
    for (size_t i = 0; linear && i < tree->n_nodes; i++) {
        if (linear[i] < 0 || linear[i] > (int64_t)tree->n_linear ||
            (linear[i] > 0 && (tree->nodes[i].column >= 0 || tree->n_classes > 0)))
            return cairn_archive_damaged(archive, "node %zu has an impossible linear model", i + 1);
        tree->nodes[i].linear = linear[i];
    }
    for (size_t j = 0; j < tree->n_regressors; j++)
        if (tree->regressors[j] < 0 || tree->regressors[j] >= (int64_t)tree->n_columns ||
            tree->is_number[tree->regressors[j]] != 1)
            return cairn_archive_damaged(archive, "a linear model uses a column that is no number");
    for (size_t j = 0; j < tree->n_linear * tree->n_regressors; j++)
        if (!isfinite(tree->slopes[j]) || !isfinite(tree->centres[j]))
            return cairn_archive_damaged(archive, "a slope is not a number");
    return CAIRN_OK;
}

/* Sets of levels and surrogates, since version 5. */
typedef struct extra_arrays {
    int32_t *n_levels, *n_surrogates; /* n_nodes */
    int32_t *column, *level, *levels; /* n_surrogates */
    uint8_t *test, *flipped;
    double *cut, *agreement;
} extra_arrays;

static void free_extras(extra_arrays *a)
{
    FREE_EACH(a->n_levels, a->n_surrogates, a->column, a->level, a->levels, a->test, a->flipped,
              a->cut, a->agreement);
}

/* Sets of levels and surrogates as arrays for the file; they came with a later format and stand
 * apart from the fields of a node. */
static cairn_status split_extras(cairn_context *ctx, extra_arrays *a, const cairn_tree_model *tree)
{
    size_t n = tree->n_surrogates;
    CHECK(NEW_EACH(ctx, tree->n_nodes, &a->n_levels, &a->n_surrogates));
    CHECK(NEW_EACH(ctx, n, &a->column, &a->level, &a->levels, &a->test, &a->flipped, &a->cut,
                   &a->agreement));
    for (size_t i = 0; i < tree->n_nodes; i++) {
        a->n_levels[i] = (int32_t)tree->nodes[i].n_levels;
        a->n_surrogates[i] = tree->nodes[i].n_surrogates;
    }
    for (size_t i = 0; i < n; i++) {
        const cairn_surrogate *s = &tree->surrogates[i];
        a->column[i] = s->column;
        a->level[i] = s->level;
        a->levels[i] = (int32_t)s->n_levels;
        a->test[i] = s->test;
        a->flipped[i] = s->flipped;
        a->cut[i] = s->cut;
        a->agreement[i] = s->agreement;
    }
    return CAIRN_OK;
}

/* Files before format 5 know neither sets nor surrogates; trees without any write the two
 * numbers only. */
static cairn_status archive_extras(cairn_archive *archive, cairn_tree_model *tree, extra_arrays *a)
{
    if (cairn_archive_version(archive) < 5) return CAIRN_OK;
    CHECK(cairn_archive_size(archive, "sets", &tree->n_sets, INT32_MAX));
    CHECK(cairn_archive_size(archive, "surrogates", &tree->n_surrogates, INT32_MAX));
    if (tree->n_sets == 0 && tree->n_surrogates == 0) return CAIRN_OK;
    size_t n = tree->n_surrogates;
    if (!cairn_archive_reading(archive))
        CHECK(split_extras(cairn_archive_context(archive), a, tree));
    CHECK(cairn_archive_bytes(archive, "set", &tree->sets, tree->n_sets));
    CHECK(cairn_archive_ints(archive, "node.levels", &a->n_levels, tree->n_nodes));
    CHECK(cairn_archive_ints(archive, "node.surrogates", &a->n_surrogates, tree->n_nodes));
    CHECK(cairn_archive_ints(archive, "surrogate.column", &a->column, n));
    CHECK(cairn_archive_ints(archive, "surrogate.level", &a->level, n));
    CHECK(cairn_archive_ints(archive, "surrogate.levels", &a->levels, n));
    CHECK(cairn_archive_bytes(archive, "surrogate.test", &a->test, n));
    CHECK(cairn_archive_bytes(archive, "surrogate.flipped", &a->flipped, n));
    CHECK(cairn_archive_reals(archive, "surrogate.cut", &a->cut, n));
    return cairn_archive_reals(archive, "surrogate.agreement", &a->agreement, n);
}

static bool is_set(const cairn_tree_model *tree, int32_t level, int32_t n)
{
    return level >= 0 && n >= 0 && (size_t)level + (size_t)n <= tree->n_sets;
}

/* One surrogate from the arrays, checked by itself. */
static bool join_surrogate(cairn_tree_model *tree, const extra_arrays *a, size_t i)
{
    if (a->column[i] < 0 || a->column[i] >= (int64_t)tree->n_columns) return false;
    bool cut = tree->is_number[a->column[i]] > 0;
    if (a->test[i] != (cut ? CAIRN_TEST_CUT : CAIRN_TEST_SET) || a->flipped[i] > 1 ||
        (!cut && !is_set(tree, a->level[i], a->levels[i])))
        return false;
    tree->surrogates[i] = (cairn_surrogate){.cut = a->cut[i],
                                            .agreement = a->agreement[i],
                                            .column = a->column[i],
                                            .level = a->level[i],
                                            .n_levels = (uint32_t)a->levels[i],
                                            .test = a->test[i],
                                            .flipped = a->flipped[i]};
    return true;
}

/* Nothing in a file is trusted: sets and surrogates must lie within their arrays, as prediction
 * follows them without looking. */
static cairn_status join_extras(cairn_archive *archive, cairn_tree_model *tree,
                                const extra_arrays *a)
{
    size_t used = 0;
    for (size_t i = 0; i < tree->n_sets; i++)
        if (tree->sets[i] > 2)
            return cairn_archive_damaged(archive, "a set of levels has an impossible side");
    if (tree->n_surrogates)
        CHECK(NEW(cairn_archive_context(archive), &tree->surrogates, tree->n_surrogates));
    for (size_t i = 0; i < tree->n_surrogates; i++)
        if (!join_surrogate(tree, a, i))
            return cairn_archive_damaged(archive, "surrogate %zu is impossible", i + 1);
    for (size_t i = 0; i < tree->n_nodes; i++) {
        cairn_tree_node *node = &tree->nodes[i];
        int32_t n = a->n_surrogates ? a->n_surrogates[i] : 0;
        if (node->test == CAIRN_TEST_SET &&
            (!a->n_levels || !is_set(tree, node->level, a->n_levels[i])))
            return cairn_archive_damaged(archive, "node %zu has an impossible set", i + 1);
        if (n < 0 || n > UINT8_MAX || (size_t)n > tree->n_surrogates - used ||
            (n > 0 && (node->column < 0 || node->n_branches != 2)))
            return cairn_archive_damaged(archive, "node %zu has impossible surrogates", i + 1);
        if (a->n_levels) node->n_levels = (uint32_t)a->n_levels[i];
        node->surrogates = (uint32_t)used;
        node->n_surrogates = (uint8_t)n;
        used += (size_t)n;
    }
    return CAIRN_OK;
}

/* Vectors of the nodes, since version 6. */
static cairn_status archive_means(cairn_archive *archive, cairn_tree_model *tree)
{
    if (cairn_archive_version(archive) < 6) return CAIRN_OK;
    CHECK(cairn_archive_size(archive, "goals", &tree->n_means, INT32_MAX));
    if (tree->n_means)
        CHECK(cairn_archive_reals(archive, "node.means", &tree->means,
                                  cairn_product(tree->n_nodes, tree->n_means)));
    CHECK(cairn_archive_map(archive, "examples", &tree->examples));
    if (tree->examples.n == 0) return CAIRN_OK;
    CHECK(cairn_archive_ints(archive, "node.example", &tree->example, tree->n_nodes));
    for (size_t i = 0; i < tree->n_nodes; i++)
        if (tree->example[i] < -1 || tree->example[i] >= (int64_t)tree->examples.n)
            CHECK(cairn_archive_damaged(archive, "node %zu has an impossible example", i + 1));
    return CAIRN_OK;
}

static cairn_status archive_bins(cairn_archive *archive, cairn_tree_history *history)
{
    CHECK(cairn_archive_int(archive, "bins", &history->bins));
    return history->bins < 0 ? cairn_archive_damaged(archive, "there are no %d bins", history->bins)
                             : CAIRN_OK;
}

cairn_status cairn_tree_archive_history(cairn_archive *archive, void *data, const void *tree)
{
    cairn_tree_history *history = data;
    (void)tree;
    CHECK(archive_bins(archive, history));
    CHECK(cairn_archive_size(archive, "grown.nodes", &history->grown_nodes, INT32_MAX));
    return cairn_archive_size(archive, "grown.leaves", &history->grown_leaves, INT32_MAX);
}

cairn_status cairn_tree_archive(cairn_archive *archive, cairn_tree_model *tree,
                                cairn_tree_history *together)
{
    bool reading = cairn_archive_reading(archive);
    node_arrays arrays = {0};
    extra_arrays extras = {0};
    int32_t *linear = NULL;
    cairn_status status;
    TRY(cairn_archive_size(archive, "columns", &tree->n_columns, INT32_MAX));
    TRY(cairn_archive_size(archive, "classes", &tree->n_classes, INT32_MAX));
    TRY(cairn_archive_int(archive, "cut", &tree->cut_form));
    TRY(cairn_archive_int(archive, "missing", &tree->missing));
    if (together && cairn_archive_version(archive) >= 3) TRY(archive_bins(archive, together));
    TRY(cairn_archive_bytes(archive, "numbers", &tree->is_number, tree->n_columns));
    TRY(cairn_archive_size(archive, "nodes", &tree->n_nodes, INT32_MAX / 2));
    TRY(cairn_archive_size(archive, "links", &tree->n_links, UINT32_MAX));
    TRY(cairn_archive_size(archive, "counts", &tree->n_counts, UINT32_MAX));
    if (!reading) TRY(split_nodes(cairn_archive_context(archive), &arrays, tree));
    TRY(archive_arrays(archive, &arrays, tree->n_nodes));
    TRY(cairn_archive_ints(archive, "link", &tree->links, tree->n_links));
    TRY(cairn_archive_ints(archive, "count.class", &tree->classes, tree->n_counts));
    TRY(cairn_archive_reals(archive, "count.weight", &tree->weights, tree->n_counts));
    TRY(archive_linear(archive, tree, &linear));
    TRY(archive_extras(archive, tree, &extras));
    TRY(archive_means(archive, tree));
    if (!reading) goto done;
    if (tree->cut_form < CAIRN_TREE_MID || tree->cut_form > CAIRN_TREE_LE ||
        tree->missing < CAIRN_TREE_WEIGHTS || tree->missing > CAIRN_TREE_SURROGATE)
        status = cairn_archive_damaged(archive, "the tree has impossible settings");
    else
        status = join_nodes(archive, tree, &arrays);
    if (!status) status = check_linear(archive, tree, linear);
    if (!status) status = join_extras(archive, tree, &extras);
done:
    free_arrays(&arrays);
    free_extras(&extras);
    cairn_free(linear);
    return status;
}

/* -- the way of a row -- */

/* The side of a cell in a cut or a set; -1 = missing, or a level that the node has not seen. */
static int side_of(const cairn_tree_model *tree, cairn_test test, double cut, int32_t level,
                   uint32_t n_levels, const cairn_column *column, size_t row)
{
    if (test == CAIRN_TEST_CUT) {
        double x = column->kind != CAIRN_LEVEL ? cairn_column_number(column, row)
                   : column->codes[row] < 0    ? NAN
                                               : column->codes[row];
        if (isnan(x)) return -1;
        return tree->cut_form == CAIRN_TREE_LT ? !(x < cut) : !(x <= cut);
    }
    int32_t code = column->codes[row];
    return code < 0 || code >= (int64_t)n_levels ? -1 : (int)tree->sets[level + code] - 1;
}

size_t cairn_tree_link(const cairn_tree_model *tree, const cairn_tree_node *node,
                       const cairn_column *column, size_t row)
{
    if (node->test == CAIRN_TEST_CUT || node->test == CAIRN_TEST_SET) {
        int side = side_of(tree, (cairn_test)node->test, node->cut, node->level, node->n_levels,
                           column, row);
        return side < 0 ? (size_t)node->n_branches : (size_t)side;
    }
    int32_t code = column->codes[row];
    if (code < 0) return (size_t)node->n_branches;
    if (node->test == CAIRN_TEST_LEVEL) return code != node->level;
    return code < node->n_branches ? (size_t)code : (size_t)node->n_branches;
}

size_t cairn_tree_way(const cairn_tree_model *tree, const cairn_tree_node *node,
                      const cairn_column *const *features, size_t row, size_t *surrogate)
{
    size_t link = cairn_tree_link(tree, node, features[node->column], row);
    if (surrogate) *surrogate = 0;
    if (tree->links[node->links + link] >= 0 || tree->missing < CAIRN_TREE_MODE) return link;
    for (size_t i = 0; i < node->n_surrogates; i++) {
        const cairn_surrogate *s = &tree->surrogates[node->surrogates + i];
        int side = side_of(tree, (cairn_test)s->test, s->cut, s->level, s->n_levels,
                           features[s->column], row);
        if (side < 0) continue;
        if (surrogate) *surrogate = i + 1;
        return (size_t)(side ^ s->flipped);
    }
    return (size_t)node->usual;
}

double cairn_tree_value(const cairn_tree_model *tree, size_t at,
                        const cairn_column *const *features, size_t row)
{
    const cairn_tree_node *node = &tree->nodes[at];
    double value = node->mean;
    if (node->linear == 0) return value;
    size_t from = (size_t)(node->linear - 1) * tree->n_regressors;
    for (size_t j = 0; j < tree->n_regressors; j++) {
        double x = features[tree->regressors[j]]->numbers[row];
        if (!isnan(x)) value += tree->slopes[from + j] * (x - tree->centres[from + j]);
    }
    return value;
}

double cairn_linear_leaf_constant(const cairn_tree_model *tree, const cairn_tree_node *node)
{
    size_t from = (size_t)(node->linear - 1) * tree->n_regressors;
    double constant = node->mean;
    for (size_t j = 0; j < tree->n_regressors; j++)
        constant -= tree->slopes[from + j] * tree->centres[from + j];
    return constant;
}
