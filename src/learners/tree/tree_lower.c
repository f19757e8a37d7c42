/* SPDX-License-Identifier: MIT */
/* A tree as an operation: nodes as they are, a row of values for every leaf. What smoothing makes
 * of the counts is in the values. */
#include "learners/tree/tree_lower.h"
#include "base/memory.h"
#include "learners/tree/tree.h"
#include <math.h>
#include <string.h>

/* -- shared with forests -- */

cairn_status cairn_trees_work(cairn_program *p, cairn_operation *op)
{
    size_t n = op->n_codes[CAIRN_TREES_NODES] / 4, most = 1, *needs;
    CHECK(SCRATCH(p->ctx, &needs, n + 1));
    for (size_t i = n; i-- > 0;) {
        const int32_t *node = op->codes[CAIRN_TREES_NODES] + 4 * i;
        size_t waiting = 0;
        needs[i] = 1;
        size_t branches = node[0] < 0                     ? 0
                          : node[1] == CAIRN_LOWER_LEVELS ? (size_t)op->numbers[0][i]
                                                          : 2;
        for (size_t b = branches; b-- > 0;) { /* the last ones wait while the first is walked */
            int32_t child = op->codes[CAIRN_TREES_LINKS][(size_t)node[2] + b];
            if (child < 0) continue;
            if (needs[child] + waiting > needs[i]) needs[i] = needs[child] + waiting;
            waiting++;
        }
        if (branches) { /* a missing cell may go on behind any link */
            int32_t other = op->codes[CAIRN_TREES_LINKS][(size_t)node[2] + branches];
            if (other >= 0 && needs[other] > needs[i]) needs[i] = needs[other];
        }
        if (waiting > needs[i]) needs[i] = waiting;
        if (needs[i] > most) most = needs[i];
    }
    cairn_op_work(p, op, (size_t)op->sizes[CAIRN_TREES_WIDTH] + 2 * most + 2);
    return CAIRN_OK;
}

cairn_status cairn_trees_choice(cairn_program *p, cairn_operation *op, size_t n, double tie)
{
    int32_t *order;
    double *choice;
    CHECK(cairn_op_codes(p, op, CAIRN_TREES_ORDER, n, &order));
    CHECK(cairn_op_numbers(p, op, CAIRN_TREES_CHOICE, 2 * n + 1, &choice));
    for (size_t k = 0; k < n; k++) {
        order[k] = (int32_t)k;
        choice[n + k] = 1;
    }
    choice[2 * n] = tie;
    op->sizes[CAIRN_TREES_CHOOSES] = 1;
    return CAIRN_OK;
}

/* -- nodes -- */

typedef struct lowering {
    cairn_program *p;
    const cairn_tree_model *tree;
    cairn_operation *op;
    size_t *set_starts; /* n_sets: places of sets in the table, + 1; 0 = not there yet */
    int32_t *sets;
    size_t n_sets;
} lowering;

/* A set of levels in the table: how many, then their sides. */
static double set_place(lowering *w, int32_t first, uint32_t n)
{
    size_t at = w->n_sets;
    if (w->set_starts[first]) return (double)(w->set_starts[first] - 1);
    w->set_starts[first] = at + 1;
    w->sets[w->n_sets++] = (int32_t)n;
    for (uint32_t l = 0; l < n; l++) w->sets[w->n_sets++] = w->tree->sets[(size_t)first + l];
    return (double)at;
}

static int32_t lowered_test(const cairn_tree_model *tree, int test)
{
    switch (test) {
    case CAIRN_TEST_LEVEL: return CAIRN_LOWER_LEVEL;
    case CAIRN_TEST_LEVELS: return CAIRN_LOWER_LEVELS;
    case CAIRN_TEST_SET: return CAIRN_LOWER_SET;
    default: return tree->cut_form == CAIRN_TREE_LT ? CAIRN_LOWER_BELOW : CAIRN_LOWER_AT_MOST;
    }
}

/* What the test of a node compares with. */
static double lowered_cut(lowering *w, const cairn_tree_node *node)
{
    switch (node->test) {
    case CAIRN_TEST_LEVEL: return node->level;
    case CAIRN_TEST_LEVELS: return node->n_branches;
    case CAIRN_TEST_SET: return set_place(w, node->level, node->n_levels);
    default: return node->cut;
    }
}

/* Every node has a row of values: one that no branch can be followed from answers for itself. */
static cairn_status lower_nodes(lowering *w)
{
    const cairn_tree_model *tree = w->tree;
    int32_t *nodes, *usual = NULL;
    double *cuts, *parts;
    CHECK(cairn_op_codes(w->p, w->op, CAIRN_TREES_NODES, 4 * tree->n_nodes, &nodes));
    CHECK(cairn_op_copy_codes(w->p, w->op, CAIRN_TREES_LINKS, tree->links, tree->n_links));
    CHECK(cairn_op_numbers(w->p, w->op, CAIRN_TREES_CUTS, tree->n_nodes, &cuts));
    CHECK(cairn_op_numbers(w->p, w->op, CAIRN_TREES_PARTS, tree->n_links, &parts));
    if (tree->missing >= CAIRN_TREE_MODE)
        CHECK(cairn_op_codes(w->p, w->op, CAIRN_TREES_USUAL, tree->n_nodes, &usual));
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        bool leaf = node->column < 0;
        nodes[4 * i] = leaf ? -1 : node->column;
        nodes[4 * i + 1] = leaf ? 0 : lowered_test(tree, node->test);
        nodes[4 * i + 2] = leaf ? 0 : (int32_t)node->links;
        nodes[4 * i + 3] = (int32_t)i;
        cuts[i] = leaf ? 0 : lowered_cut(w, node);
        if (!leaf) {
            /* Weights of the branches, for rows that go down all of them. */
            for (uint32_t b = 0; b < (uint32_t)node->n_branches; b++) {
                int32_t child = w->tree->links[node->links + b];
                if (child >= 0) parts[node->links + b] = w->tree->nodes[child].weight;
            }
        }
        if (usual) usual[i] = leaf ? -1 : node->usual;
    }
    return CAIRN_OK;
}

/* Surrogates matter only to trees that ask them for a missing cell; others are exported without. */
static cairn_status lower_surrogates(lowering *w)
{
    const cairn_tree_model *tree = w->tree;
    int32_t *starts, *surrogates;
    double *cuts;
    size_t n = 0;
    if (!tree->n_surrogates || tree->missing < CAIRN_TREE_MODE) return CAIRN_OK;
    CHECK(cairn_op_codes(w->p, w->op, CAIRN_TREES_SURROGATE_STARTS, tree->n_nodes + 1, &starts));
    CHECK(cairn_op_codes(w->p, w->op, CAIRN_TREES_SURROGATES, 3 * tree->n_surrogates, &surrogates));
    CHECK(cairn_op_numbers(w->p, w->op, CAIRN_TREES_SURROGATE_CUTS, tree->n_surrogates, &cuts));
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        for (size_t k = 0; node->column >= 0 && k < node->n_surrogates; k++, n++) {
            const cairn_surrogate *s = &tree->surrogates[node->surrogates + k];
            surrogates[3 * n] = s->column;
            surrogates[3 * n + 1] = lowered_test(tree, s->test);
            surrogates[3 * n + 2] = s->flipped;
            cuts[n] = s->test == CAIRN_TEST_SET ? set_place(w, s->level, s->n_levels) : s->cut;
        }
        starts[i + 1] = (int32_t)n;
    }
    return CAIRN_OK;
}

/* -- answers -- */

/* Summed as predicting does: what a class without rows gets, and the rest. */
static void lower_shares(const cairn_tree_model *tree, size_t i, cairn_smoothing smoothing,
                         double *shares)
{
    /* A branch without rows, or with too few, has the class shares of the node above. */
    const cairn_tree_node *node = &tree->nodes[i];
    if (node->reason == CAIRN_LEAF_SENT_UP && node->column < 0) node = &tree->nodes[node->parent];
    while (node->n_counts == 0 && node->parent >= 0) node = &tree->nodes[node->parent];
    size_t k = tree->n_classes;
    double total = 0, nothing = 0;
    for (size_t j = 0; j < node->n_counts; j++) total += tree->weights[node->counts + j];
    if (smoothing.kind != CAIRN_SMOOTH_NONE)
        nothing = cairn_smoothed(smoothing, 0, total, k, NULL, 0);
    for (size_t l = 0; l < k; l++) shares[l] = nothing;
    for (size_t j = 0; j < node->n_counts; j++)
        shares[tree->classes[node->counts + j]] +=
            cairn_smoothed(smoothing, tree->weights[node->counts + j], total, k, NULL, 0) - nothing;
}

/* Every node gets values, not only leaves, since a row with a missing cell may end at an inner
 * node; label -2 stands for a leaf that refuses to answer. */
static cairn_status lower_values(lowering *w, cairn_smoothing smoothing)
{
    const cairn_tree_model *tree = w->tree;
    size_t k = tree->n_classes;
    int32_t *labels;
    double *values;
    CHECK(cairn_op_numbers(w->p, w->op, CAIRN_TREES_VALUES, cairn_product(tree->n_nodes, k ? k : 1),
                           &values));
    for (size_t i = 0; !k && i < tree->n_nodes; i++) values[i] = tree->nodes[i].mean;
    if (!k) return CAIRN_OK;
    CHECK(cairn_op_codes(w->p, w->op, CAIRN_TREES_LABELS, tree->n_nodes, &labels));
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        bool rejected = node->column < 0 && node->reason == CAIRN_LEAF_REJECTED;
        labels[i] = rejected ? -2 : node->label;
        lower_shares(tree, i, smoothing, values + i * k);
    }
    return CAIRN_OK;
}

static cairn_status lower_linear(lowering *w)
{
    const cairn_tree_model *tree = w->tree;
    size_t n = cairn_product(tree->n_linear, tree->n_regressors);
    int32_t *models;
    if (!tree->n_linear) return CAIRN_OK;
    w->op->sizes[CAIRN_TREES_N_REGRESSORS] = (int32_t)tree->n_regressors;
    CHECK(cairn_op_codes(w->p, w->op, CAIRN_TREES_LINEAR, tree->n_nodes, &models));
    for (size_t i = 0; i < tree->n_nodes; i++) models[i] = tree->nodes[i].linear;
    CHECK(cairn_op_copy_codes(w->p, w->op, CAIRN_TREES_REGRESSORS, tree->regressors,
                              tree->n_regressors));
    CHECK(cairn_op_copy_numbers(w->p, w->op, CAIRN_TREES_SLOPES, tree->slopes, n));
    return cairn_op_copy_numbers(w->p, w->op, CAIRN_TREES_CENTRES, tree->centres, n);
}

/* How averaged shares become a class: what the rule compares is a line in each share. */
static cairn_status lower_choice(lowering *w, const cairn_leaf_params *leaves, int32_t positive)
{
    const cairn_tree_model *tree = w->tree;
    size_t k = tree->n_classes;
    double *prior;
    CHECK(cairn_trees_choice(w->p, w->op, k, CAIRN_TREE_TIE));
    double *minus = w->op->numbers[CAIRN_TREES_CHOICE], *times = minus + k;
    int32_t *order = w->op->codes[CAIRN_TREES_ORDER];
    CHECK(SCRATCH(w->p->ctx, &prior, k + 1));
    cairn_tree_shares(tree, 0, prior);
    for (size_t l = 0; leaves->leaf_label != CAIRN_LEAF_BY_MAJORITY && l < k; l++) {
        minus[l] = prior[l];
        if (leaves->leaf_label == CAIRN_LEAF_BY_RELATIVE)
            times[l] = prior[l] > 0 ? 1 / prior[l] : NAN;
    }
    if (leaves->leaf_label == CAIRN_LEAF_BY_MAJORITY && leaves->label_cost != 1 && positive >= 0) {
        times[positive] = leaves->label_cost;
        order[0] = 1 - positive;
        order[1] = positive;
    }
    return CAIRN_OK;
}

/* Nodes, surrogates and sets of the tree; values and answers are still to come. */
static cairn_status lower_tree(lowering *w, size_t n_out, size_t width)
{
    cairn_program *p = w->p;
    int32_t *in;
    size_t n;
    CHECK(cairn_program_features(p, &in, &n));
    CHECK(cairn_program_add(p, CAIRN_OP_TREES, in, n, n_out, &w->op));
    w->op->sizes[CAIRN_TREES_N] = 1;
    w->op->sizes[CAIRN_TREES_WIDTH] = (int32_t)width;
    CHECK(cairn_op_codes(p, w->op, CAIRN_TREES_ROOTS, 1, &in));
    CHECK(SCRATCH(p->ctx, &w->set_starts, w->tree->n_sets + 1));
    CHECK(SCRATCH(p->ctx, &w->sets, 2 * w->tree->n_sets + 1));
    CHECK(lower_nodes(w));
    CHECK(lower_surrogates(w));
    CHECK(cairn_op_copy_codes(p, w->op, CAIRN_TREES_SETS, w->sets, w->n_sets));
    return cairn_trees_work(p, w->op);
}

cairn_status cairn_tree_lower_with(const cairn_tree_model *tree, const cairn_job *job,
                                   const cairn_leaf_params *leaves, const char *smooth,
                                   cairn_program *out)
{
    lowering w = {.p = out, .tree = tree};
    size_t k = tree->n_classes;
    cairn_smoothing smoothing;
    if (tree->n_means)
        return cairn_program_refuse(out, "it answers several targets at once; fit multi-target");
    CHECK(cairn_smoothing_read(out->ctx, &smoothing, smooth));
    CHECK(lower_tree(&w, k ? k + 1 : 1, k ? k : 1));
    CHECK(lower_values(&w, smoothing));
    CHECK(lower_linear(&w));
    if (!k) {
        out->answer.number = w.op->out;
        return CAIRN_OK;
    }
    CHECK(lower_choice(&w, leaves, job->positive));
    out->answer.scores = w.op->out;
    out->answer.code = w.op->out + (int32_t)k;
    return CAIRN_OK;
}

cairn_status cairn_clustering_tree_lower(const void *model, const cairn_job *job,
                                         cairn_program *out)
{
    const cairn_tree_model *tree = model;
    lowering w = {.p = out, .tree = tree};
    int32_t *labels, next = 0;
    double *values;
    (void)job;
    CHECK(lower_tree(&w, 2, 1));
    CHECK(cairn_op_numbers(out, w.op, CAIRN_TREES_VALUES, tree->n_nodes, &values));
    CHECK(cairn_op_codes(out, w.op, CAIRN_TREES_LABELS, tree->n_nodes, &labels));
    for (size_t i = 0; i < tree->n_nodes; i++) labels[i] = tree->nodes[i].column < 0 ? next++ : -1;
    out->answer.code = w.op->out + 1;
    return CAIRN_OK;
}
