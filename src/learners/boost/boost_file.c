/* SPDX-License-Identifier: MIT */
/* Boosted trees in a file. What is read is checked: children come behind their parents, so that
 * every walk ends, and whatever a node names is there. */
#include "base/memory.h"
#include "learners/boost/boost.h"
#include "rows/matrix.h"
#include <math.h>

static cairn_status check_sizes(cairn_archive *a, const cairn_boost_model *m)
{
    bool classes = m->loss == CAIRN_BOOST_LOGISTIC || m->loss == CAIRN_BOOST_SOFTMAX;
    size_t outputs = m->loss == CAIRN_BOOST_SOFTMAX ? m->n_classes : 1;
    if (m->loss <= CAIRN_BOOST_AUTO || m->loss > CAIRN_BOOST_SOFTMAX ||
        classes != (m->n_classes > 0) || m->n_outputs != outputs || m->n_trees % outputs)
        return cairn_archive_damaged(a, "the outputs of the trees do not fit the loss");
    if (m->loss == CAIRN_BOOST_LOGISTIC &&
        (m->n_classes != 2 || m->positive < 0 || m->positive > 1))
        return cairn_archive_damaged(a, "the positive class is none of two");
    return CAIRN_OK;
}

/* A child is a later node or a leaf. */
static bool is_child(const cairn_boost_model *m, int64_t reference, int64_t above)
{
    return reference < 0 ? ~reference < (int64_t)m->n_leaves
                         : reference > above && reference < (int64_t)m->n_nodes;
}

static bool is_set(const cairn_boost_model *m, int64_t at)
{
    if (at < 0 || at >= (int64_t)m->n_sets || m->sets[at] < 0 ||
        at + m->sets[at] >= (int64_t)m->n_sets)
        return false;
    for (int32_t v = 1; v <= m->sets[at]; v++)
        if (m->sets[at + v] < 0 || m->sets[at + v] > 2) return false;
    return true;
}

/* Every node and every leaf hangs at one place: the trees are trees, and have nothing in common. */
static cairn_status check_links(cairn_archive *a, const cairn_boost_model *m)
{
    cairn_context *ctx = cairn_archive_context(a);
    SCOPED_SCRATCH(ctx);
    uint8_t *met;
    size_t n = m->n_nodes + m->n_leaves, links = m->n_trees + 2 * m->n_nodes;
    if (links != n) return cairn_archive_damaged(a, "the trees have nodes that nothing leads to");
    CHECK(SCRATCH(ctx, &met, n));
    for (size_t i = 0; i < links; i++) {
        size_t of = i < m->n_trees ? 0 : (i - m->n_trees) / 2;
        int32_t to = i < m->n_trees              ? m->roots[i]
                     : (i - m->n_trees) % 2 == 0 ? m->nodes[of].left
                                                 : m->nodes[of].right;
        if (met[to < 0 ? m->n_nodes + (size_t)~to : (size_t)to]++)
            return cairn_archive_damaged(a, "two branches of the trees meet");
    }
    return CAIRN_OK;
}

static bool is_node(const cairn_boost_model *m, size_t i)
{
    const cairn_boost_node *node = &m->nodes[i];
    return node->column >= 0 && (size_t)node->column < m->n_columns &&
           is_child(m, node->left, (int64_t)i) && is_child(m, node->right, (int64_t)i) &&
           node->missing_right >= 0 && node->missing_right <= 1 && !isnan(m->cuts[i]) &&
           (m->is_number[node->column] ? node->set == -1 : is_set(m, node->set));
}

static cairn_status check_nodes(cairn_archive *a, const cairn_boost_model *m)
{
    for (size_t t = 0; t < m->n_trees; t++)
        if (!is_child(m, m->roots[t], -1))
            return cairn_archive_damaged(a, "tree %zu has no root", t + 1);
    for (size_t i = 0; i < m->n_nodes; i++)
        if (!is_node(m, i))
            return cairn_archive_damaged(a, "node %zu of the trees is wrong", i + 1);
    for (size_t i = 0; i < m->n_leaves; i++)
        if (!isfinite(m->values[i]))
            return cairn_archive_damaged(a, "leaf %zu of the trees is no number", i + 1);
    return check_links(a, m);
}

cairn_status cairn_boost_archive(cairn_archive *a, void *model)
{
    cairn_boost_model *m = model;
    CHECK(cairn_archive_size(a, "n_columns", &m->n_columns, CAIRN_BOOST_MOST));
    CHECK(cairn_archive_size(a, "n_classes", &m->n_classes, INT32_MAX));
    CHECK(cairn_archive_size(a, "n_outputs", &m->n_outputs, INT32_MAX));
    CHECK(cairn_archive_int(a, "loss", &m->loss));
    CHECK(cairn_archive_int(a, "positive", &m->positive));
    CHECK(cairn_archive_size(a, "n_trees", &m->n_trees, CAIRN_BOOST_MOST));
    CHECK(cairn_archive_size(a, "n_nodes", &m->n_nodes, CAIRN_BOOST_MOST));
    CHECK(cairn_archive_size(a, "n_leaves", &m->n_leaves, CAIRN_BOOST_MOST));
    CHECK(cairn_archive_size(a, "n_sets", &m->n_sets, INT32_MAX));
    if (cairn_archive_reading(a)) CHECK(check_sizes(a, m));
    CHECK(cairn_archive_bytes(a, "is_number", &m->is_number, m->n_columns));
    CHECK(cairn_archive_reals(a, "start", &m->start, m->n_outputs));
    CHECK(cairn_archive_ints(a, "roots", &m->roots, m->n_trees));
    int32_t *nodes = (int32_t *)m->nodes;
    cairn_status status =
        cairn_archive_ints(a, "nodes", &nodes, CAIRN_BOOST_NODE_INTS * m->n_nodes);
    m->nodes = (cairn_boost_node *)nodes;
    CHECK(status);
    CHECK(cairn_archive_reals(a, "cuts", &m->cuts, m->n_nodes));
    CHECK(cairn_archive_reals(a, "values", &m->values, m->n_leaves));
    CHECK(cairn_archive_ints(a, "sets", &m->sets, m->n_sets));
    if (!cairn_archive_reading(a)) return CAIRN_OK;
    for (size_t k = 0; k < m->n_outputs; k++)
        if (!isfinite(m->start[k])) return cairn_archive_damaged(a, "the start is no number");
    m->roots_buffer = m->n_trees;
    m->nodes_buffer = m->cuts_buffer = m->n_nodes;
    m->leaves_buffer = m->n_leaves;
    m->sets_buffer = m->n_sets;
    return check_nodes(a, m);
}

cairn_status cairn_boost_archive_history(cairn_archive *a, void *history, const void *model)
{
    cairn_boost_history *s = history;
    bool held = s->held;
    (void)model;
    CHECK(cairn_archive_size(a, "n_rounds", &s->n_rounds, INT32_MAX));
    CHECK(cairn_archive_size(a, "kept", &s->kept, s->n_rounds));
    CHECK(cairn_archive_real(a, "n_held", &s->n_held));
    CHECK(cairn_archive_bool(a, "judged", &held));
    CHECK(cairn_archive_reals(a, "curve", &s->curve, s->n_rounds + 1));
    if (held) CHECK(cairn_archive_reals(a, "held", &s->held, s->n_rounds + 1));
    CHECK(cairn_archive_size(a, "n_columns", &s->n_columns, INT32_MAX));
    if (cairn_archive_reading(a) && s->n_columns != ((const cairn_boost_model *)model)->n_columns)
        return cairn_archive_damaged(a, "the importance is of other columns");
    CHECK(cairn_archive_reals(a, "gains", &s->gains, s->n_columns));
    CHECK(cairn_archive_reals(a, "splits", &s->splits, s->n_columns));
    s->curve_buffer = s->n_rounds + 1;
    s->held_buffer = s->held ? s->n_rounds + 1 : 0;
    return CAIRN_OK;
}

/* Whether every set of a column has no more levels than the column. */
static bool knows_levels(const cairn_boost_model *m, size_t column, size_t n_levels)
{
    for (size_t i = 0; i < m->n_nodes; i++)
        if (m->nodes[i].set >= 0 && (size_t)m->nodes[i].column == column &&
            (size_t)m->sets[m->nodes[i].set] > n_levels)
            return false;
    return true;
}

cairn_status cairn_boost_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_boost_model *m = model;
    if (m->n_classes != (job->task == CAIRN_CLASSIFY ? job->n_classes : 0))
        return cairn_archive_damaged(a, "the trees have other classes than the target");
    CHECK(cairn_terms_check(a, job->schema, m->n_columns));
    size_t i = 0;
    const cairn_field *field;
    for (size_t at = 0; (field = cairn_schema_next_feature(job->schema, &at));) {
        if (field->kind == CAIRN_BAG) continue;
        if (field->kind != (m->is_number[i] == 1 ? CAIRN_NUMBER : CAIRN_LEVEL))
            return cairn_archive_damaged(a, "column %zu of the trees is of another kind", i + 1);
        if (!m->is_number[i] && !knows_levels(m, i, field->names.n))
            return cairn_archive_damaged(a, "column %zu of the trees has other levels", i + 1);
        i++;
    }
    for (; i < m->n_columns; i++)
        if (m->is_number[i] != 1)
            return cairn_archive_damaged(a, "column %zu of the trees is of another kind", i + 1);
    return CAIRN_OK;
}

void cairn_boost_clear(void *model)
{
    cairn_boost_model *m = model;
    FREE_EACH(m->is_number, m->start, m->roots, m->nodes, m->cuts, m->values, m->sets);
    *m = (cairn_boost_model){0};
}

void cairn_boost_clear_history(void *history)
{
    cairn_boost_history *s = history;
    FREE_EACH(s->curve, s->held, s->gains, s->splits);
    *s = (cairn_boost_history){0};
}
