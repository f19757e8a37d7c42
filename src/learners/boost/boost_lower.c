/* SPDX-License-Identifier: MIT */
/* Boosted trees as operations: all trees as one, whose leaves are added up, then the start, and
 * what makes an answer of the sums. Inner nodes come first, leaves behind them. */
#include "base/memory.h"
#include "learners/boost/boost.h"
#include "learners/tree/tree_lower.h"
#include <string.h>

typedef struct lowering {
    cairn_program *p;
    const cairn_boost_model *m;
    cairn_operation *op;
} lowering;

static int32_t node_of(const cairn_boost_model *m, int32_t reference)
{
    return reference >= 0 ? reference : (int32_t)m->n_nodes + ~reference;
}

void cairn_boost_pack(const cairn_boost_model *m, const cairn_boost_arrays *to)
{
    for (size_t t = 0; t < m->n_trees; t++) to->roots[t] = node_of(m, m->roots[t]);
    for (size_t i = 0; i < m->n_nodes; i++) {
        const cairn_boost_node *node = &m->nodes[i];
        to->nodes[4 * i] = node->column;
        to->nodes[4 * i + 1] = node->set < 0 ? CAIRN_LOWER_AT_MOST : CAIRN_LOWER_SET;
        to->nodes[4 * i + 2] = (int32_t)(3 * i);
        to->nodes[4 * i + 3] = -1;
        to->cuts[i] = node->set < 0 ? m->cuts[i] : node->set;
        to->links[3 * i] = node_of(m, node->left);
        to->links[3 * i + 1] = node_of(m, node->right);
        to->links[3 * i + 2] = -1;
        to->usual[i] = node->missing_right;
    }
    for (size_t i = m->n_nodes; i < m->n_nodes + m->n_leaves; i++) {
        to->nodes[4 * i] = to->usual[i] = -1;
        to->nodes[4 * i + 3] = (int32_t)(i - m->n_nodes);
    }
}

/* Tests, children and where missing cells go. */
static cairn_status lower_nodes(const lowering *w)
{
    const cairn_boost_model *m = w->m;
    size_t n = m->n_nodes + m->n_leaves;
    cairn_boost_arrays to;
    double *parts;
    CHECK(cairn_op_codes(w->p, w->op, CAIRN_TREES_ROOTS, m->n_trees, &to.roots));
    CHECK(cairn_op_codes(w->p, w->op, CAIRN_TREES_NODES, 4 * n, &to.nodes));
    CHECK(cairn_op_codes(w->p, w->op, CAIRN_TREES_LINKS, 3 * m->n_nodes, &to.links));
    CHECK(cairn_op_codes(w->p, w->op, CAIRN_TREES_USUAL, n, &to.usual));
    CHECK(cairn_op_copy_codes(w->p, w->op, CAIRN_TREES_SETS, m->sets, m->n_sets));
    CHECK(cairn_op_numbers(w->p, w->op, CAIRN_TREES_CUTS, n, &to.cuts));
    CHECK(cairn_op_numbers(w->p, w->op, CAIRN_TREES_PARTS, 3 * m->n_nodes, &parts));
    cairn_boost_pack(m, &to);
    return CAIRN_OK;
}

/* The first leaf of a tree, which is the one on the left; leaves of a tree follow each other. */
static size_t first_leaf(const cairn_boost_model *m, size_t tree)
{
    if (tree == m->n_trees) return m->n_leaves;
    int32_t at = m->roots[tree];
    while (at >= 0) at = m->nodes[at].left;
    return (size_t)~at;
}

/* The trees; without one their sums are 0. */
static cairn_status lower_trees(lowering *w, int32_t *out)
{
    size_t n;
    int32_t *in;
    CHECK(cairn_program_terms(w->p, &in, &n));
    CHECK(cairn_program_add(w->p, CAIRN_OP_TREES, in, n, w->m->n_outputs, &w->op));
    w->op->sizes[CAIRN_TREES_N] = (int32_t)w->m->n_trees;
    w->op->sizes[CAIRN_TREES_WIDTH] = (int32_t)w->m->n_outputs;
    CHECK(lower_nodes(w));
    /* A leaf adds to one output only, that of its tree. */
    const cairn_boost_model *m = w->m;
    size_t k = m->n_outputs;
    double *values;
    CHECK(
        cairn_op_numbers(w->p, w->op, CAIRN_TREES_VALUES, cairn_product(m->n_leaves, k), &values));
    for (size_t t = 0; t < m->n_trees; t++)
        for (size_t l = first_leaf(m, t), end = first_leaf(m, t + 1); l < end; l++)
            values[l * k + t % k] = m->values[l];
    CHECK(cairn_trees_work(w->p, w->op));
    *out = w->op->out;
    return CAIRN_OK;
}

/* exp of the sum: the rate of counts. */
static cairn_status lower_rate(cairn_program *p, int32_t sum)
{
    int32_t function = 0;
    cairn_operation *op;
    while (strcmp(cairn_formula_functions[function], "exp") != 0) function++;
    const int32_t codes[] = {CAIRN_DO_SLOT, 0, CAIRN_DO_ONE + function, 1, CAIRN_DO_WRITE, 0};
    CHECK(cairn_program_add(p, CAIRN_OP_COMPUTE, &sum, 1, 1, &op));
    op->sizes[0] = 3;
    CHECK(cairn_op_copy_codes(p, op, 0, codes, 6));
    CHECK(cairn_op_copy_numbers(p, op, 0, NULL, 0));
    cairn_op_work(p, op, 2);
    p->answer.number = op->out;
    return CAIRN_OK;
}

cairn_status cairn_boost_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_boost_model *m = model;
    lowering w = {.p = out, .m = m};
    size_t k = m->n_outputs;
    int32_t firsts[2], sums, *in;
    cairn_operation *op;
    CHECK(cairn_lower_constants(out, m->start, k, &firsts[0]));
    CHECK(lower_trees(&w, &firsts[1]));
    CHECK(cairn_lower_sum(out, firsts, 2, k, &sums));
    if (!m->n_classes && m->loss != CAIRN_BOOST_POISSON) {
        out->answer.number = sums;
        return CAIRN_OK;
    }
    if (!m->n_classes) return lower_rate(out, sums);
    CHECK(SCRATCH(out->ctx, &in, k + 1));
    for (size_t l = 0; l < k; l++) in[l] = sums + (int32_t)l;
    bool two = m->loss == CAIRN_BOOST_LOGISTIC;
    CHECK(cairn_program_add(out, two ? CAIRN_OP_LOGISTIC : CAIRN_OP_SOFTMAX, in, k, job->n_classes,
                            &op));
    int32_t *places;
    CHECK(cairn_op_codes(out, op, 0, m->n_classes, &places));
    for (size_t l = 0; l < m->n_classes; l++) places[l] = (int32_t)l;
    if (two) {
        places[0] = m->positive;
        places[1] = 1 - m->positive;
    }
    out->answer.scores = op->out;
    return CAIRN_OK;
}
