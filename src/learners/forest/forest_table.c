/* SPDX-License-Identifier: MIT */
/* The nodes of all trees of a forest as a table. */
#include "base/memory.h"
#include "learners/forest/forest.h"
#include "learners/tree/show/node_lines.h"
#include "model/learned.h"
#include "report/table_rows.h"
#include <math.h>

typedef struct writing {
    cairn_ledger *out;
    const cairn_job *job;
    const cairn_forest_model *forest;
    const cairn_forest_tree *tree;
    size_t number;  /* of the tree */
    double *shares; /* n_classes; NULL = numbers */
    cairn_node_stack stack;
} writing;

static double cut_of(const writing *w, const cairn_forest_node *node)
{
    size_t c = node->test & CAIRN_FOREST_COLUMN;
    return w->forest->is_number[c] ? w->forest->cuts[w->forest->cut_starts[c] + node->rank] : NAN;
}

/* How branch b of a node is written down. */
static cairn_node_branch branch_of(const writing *w, const cairn_forest_node *node, size_t b)
{
    size_t c = node->test & CAIRN_FOREST_COLUMN;
    bool below = w->forest->cut_form == CAIRN_TREE_LT, one = node->test & CAIRN_FOREST_LEVEL;
    cairn_node_branch out = {.number = b + 1,
                             .field = cairn_schema_feature(w->job->schema, c),
                             .bound = cut_of(w, node),
                             .is_cut = w->forest->is_number[c],
                             .level = -1};
    if ((node->test & CAIRN_FOREST_WIDE) && b == node->right) {
        out.sign = "missing";
    } else if (out.is_cut) {
        out.sign = b ? (below ? ">=" : ">") : (below ? "<" : "<=");
        if (w->forest->is_number[c] == 2) out.level = (int32_t)out.bound;
    } else {
        out.sign = one && b ? "!=" : "=";
        out.level = (int32_t)(one ? node->rank : b);
    }
    return out;
}

/* What a leaf answers. */
static void add_leaf(writing *w, uint32_t leaf, cairn_node_line *line)
{
    size_t value = leaf & ~CAIRN_FOREST_LEAF, k = w->forest->n_classes;
    const cairn_forest_tree *tree = w->tree;
    if (!k) {
        line->value = tree->means[value];
        return;
    }
    for (size_t l = 0; l < k; l++) w->shares[l] = value == l;
    if (value >= k) {
        uint32_t first = tree->mixed_starts[value - k], end = tree->mixed_starts[value - k + 1];
        value = (size_t)tree->mixed_classes[first];
        for (uint32_t i = first; i < end; i++)
            w->shares[tree->mixed_classes[i]] = tree->mixed_shares[i];
    }
    line->answer = cairn_learned_class(w->job, (int64_t)value);
    if (!line->answer) line->value = (double)value + 1; /* a cluster */
    line->classes = w->shares;
}

/* The children wait with the first on top, so that nodes come depth first. */
static void push_children(writing *w, const cairn_forest_node *node, size_t number, size_t depth)
{
    bool wide = node->test & CAIRN_FOREST_WIDE;
    for (size_t b = wide ? (size_t)node->right + 1 : 2; b-- > 0;) {
        uint32_t child = wide ? w->tree->links[node->left + b] : b ? node->right : node->left;
        if (child != CAIRN_FOREST_NONE)
            cairn_node_push(w->out, &w->stack,
                            (cairn_node_waiting){child, number, depth + 1, branch_of(w, node, b)});
    }
}

/* Where missing cells go at a test, from 1; 0 = down all branches. */
static size_t usual_of(const writing *w, const cairn_forest_node *node)
{
    bool wide = node->test & CAIRN_FOREST_WIDE;
    if (wide && w->tree->links[node->left + node->right] != CAIRN_FOREST_NONE)
        return (size_t)node->right + 1;
    if (w->forest->missing == CAIRN_TREE_WEIGHTS) return 0;
    return wide ? (size_t)node->rank + 1 : node->test & CAIRN_FOREST_RIGHT ? 2 : 1;
}

static void write_tree(writing *w)
{
    w->stack.n = 0;
    cairn_node_push(w->out, &w->stack, (cairn_node_waiting){.reference = w->tree->root});
    for (size_t number = 1; w->stack.n && !w->out->status; number++) {
        cairn_node_waiting at = w->stack.list[--w->stack.n];
        cairn_node_line line = cairn_node_line_of(&at, w->number, number);
        uint32_t reference = (uint32_t)at.reference;
        line.n_classes = w->forest->n_classes;
        if (reference & CAIRN_FOREST_LEAF) {
            add_leaf(w, reference, &line);
        } else {
            cairn_forest_node node = cairn_forest_node_at(w->tree, reference);
            line.column = cairn_node_feature(w->job, node.test & CAIRN_FOREST_COLUMN);
            line.threshold = cut_of(w, &node);
            line.usual = usual_of(w, &node);
            push_children(w, &node, number, at.depth);
        }
        cairn_node_line_write(w->out, &line);
    }
}

void cairn_forest_write_nodes(cairn_ledger *out, const cairn_forest_model *forest,
                              const cairn_job *job)
{
    writing w = {.out = out, .job = job, .forest = forest};
    cairn_node_lines_begin(out, job, "share", forest->n_classes);
    cairn_ledger_failed(out, SCRATCH(out->ctx, &w.shares, forest->n_classes + 1));
    for (size_t t = 0; t < forest->n_trees && !out->status; t++) {
        w.number = t + 1;
        w.tree = &forest->trees[t];
        write_tree(&w);
    }
    cairn_node_stack_clear(&w.stack);
}

static void write_nodes(cairn_ledger *out, const void *model, const cairn_job *job)
{
    cairn_forest_write_nodes(out, model, job);
}

static bool has_importance(const void *model, const cairn_job *job)
{
    const cairn_forest_history *history = job->history;
    (void)model;
    return history && history->impurity;
}

static void write_importance(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_forest_history *history = job->history;
    const cairn_forest_model *forest = model;
    cairn_ledger_columns(out, "tnnn", "column", "impurity", "permutation", "error");
    for (size_t c = 0; c < forest->n_columns; c++)
        cairn_ledger_cells(out, cairn_node_feature(job, (int64_t)c), history->impurity[c],
                           history->permutation ? history->permutation[c] : NAN,
                           history->permutation_se ? history->permutation_se[c] : NAN);
}

const cairn_learned cairn_forest_tables[] = {
    CAIRN_NODES(write_nodes),
    CAIRN_LEARNED("importance", "column, and how much the trees gain by it", write_importance,
                  .has = has_importance),
    CAIRN_LEARNED_END};
