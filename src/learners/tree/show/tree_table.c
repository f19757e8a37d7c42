/* SPDX-License-Identifier: MIT */
/* Trees as tables: their nodes, and the equations of linear leaves. */
#include "learners/tree/show/node_lines.h"
#include "model/learned.h"
#include "learners/tree/show/tree_show.h"
#include "report/table_rows.h"
#include <math.h>

/* The level at or below a cut of ordered levels; -1 where a file says what is none. */
static int32_t level_at(const cairn_field *field, double cut)
{
    return cut >= 0 && cut < (double)field->names.n ? (int32_t)cut : -1;
}

/* How the node is reached from its parent. */
static cairn_node_branch branch_to(const cairn_tree_model *tree, size_t i, const cairn_job *job)
{
    const cairn_tree_node *parent = &tree->nodes[tree->nodes[i].parent];
    size_t b = cairn_tree_branch_to(tree, i);
    cairn_node_branch out = {.number = b + 1,
                             .field = cairn_schema_feature(job->schema, (size_t)parent->column),
                             .bound = parent->cut,
                             .is_cut = parent->test == CAIRN_TEST_CUT,
                             .level = -1};
    bool ordered = out.is_cut && tree->is_number[parent->column] == 2;
    if (b >= (size_t)parent->n_branches) {
        out.sign = "missing";
        return out;
    }
    out.sign = cairn_tree_sign(tree, parent, b);
    if (parent->test == CAIRN_TEST_LEVELS) out.level = (int32_t)b;
    if (parent->test == CAIRN_TEST_LEVEL) out.level = parent->level;
    if (ordered) out.level = level_at(out.field, parent->cut);
    if (parent->test == CAIRN_TEST_SET) {
        out.sides = tree->sets + parent->level;
        out.side = (uint8_t)(b + 1);
        out.n_sides = parent->n_levels;
    }
    return out;
}

/* The branch that missing cells take, from 1; 0 = all. A branch of their own is the last. */
static size_t usual_of(const cairn_tree_model *tree, const cairn_tree_node *node)
{
    if (node->column < 0) return 0;
    if (tree->links[node->links + (size_t)node->n_branches] >= 0)
        return (size_t)node->n_branches + 1;
    if (tree->missing == CAIRN_TREE_WEIGHTS) return 0;
    return node->usual >= 0 && node->usual < node->n_branches ? (size_t)node->usual + 1 : 0;
}

static size_t depth_of(const cairn_tree_model *tree, size_t i)
{
    size_t depth = 0;
    for (; tree->nodes[i].parent >= 0; depth++) i = (size_t)tree->nodes[i].parent;
    return depth;
}

/* A tree of means has a value for each node, and neither an answer nor rows of classes. */
static void write_nodes(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_tree_model *tree = model;
    bool classes = tree->n_classes && !tree->n_means;
    size_t n = classes ? tree->n_classes : 0;
    double *counts = NULL;
    cairn_node_lines_begin(out, job, "rows", n);
    cairn_ledger_failed(out, SCRATCH(out->ctx, &counts, n + 1));
    for (size_t i = 0; i < tree->n_nodes && !out->status; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        bool leaf = node->column < 0, cut = node->test == CAIRN_TEST_CUT;
        for (size_t l = 0; l < n; l++) counts[l] = 0;
        for (size_t k = 0; classes && k < node->n_counts; k++)
            counts[tree->classes[node->counts + k]] = tree->weights[node->counts + k];
        cairn_node_line line = {.tree = 1,
                                .node = i + 1,
                                .parent = (size_t)(node->parent + 1),
                                .depth = depth_of(tree, i),
                                .column = leaf ? NULL : cairn_node_feature(job, node->column),
                                .threshold = !leaf && cut ? node->cut : NAN,
                                .usual = usual_of(tree, node),
                                .rows = node->weight,
                                .gain = leaf ? NAN : node->gain,
                                .answer = classes ? cairn_learned_class(job, node->label) : NULL,
                                .value = classes ? NAN : node->mean,
                                .classes = counts,
                                .n_classes = n};
        if (node->parent >= 0) line.branch = branch_to(tree, i, job);
        cairn_node_line_write(out, &line);
    }
}

static bool has_equations(const void *model, const cairn_job *job)
{
    (void)job;
    return ((const cairn_tree_model *)model)->n_linear > 0;
}

static void write_equations(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_tree_model *tree = model;
    cairn_ledger_columns(out, "ntn", "node", "term", "coefficient");
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const cairn_tree_node *node = &tree->nodes[i];
        if (node->column >= 0 || !node->linear) continue;
        const double *slopes = tree->slopes + (size_t)(node->linear - 1) * tree->n_regressors;
        for (size_t k = 0; k <= tree->n_regressors; k++) {
            bool last = k == tree->n_regressors;
            cairn_ledger_cells(out, (double)i + 1,
                               last ? "(intercept)" : cairn_node_feature(job, tree->regressors[k]),
                               last ? cairn_linear_leaf_constant(tree, node) : slopes[k]);
        }
    }
}

const cairn_learned cairn_tree_tables[] = {CAIRN_NODES(write_nodes),
                                           CAIRN_LEARNED("equations",
                                                         "term of the linear model of a leaf",
                                                         write_equations, .has = has_equations),
                                           CAIRN_LEARNED_END};
