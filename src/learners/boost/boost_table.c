/* SPDX-License-Identifier: MIT */
/* The nodes of all trees of a sum as a table, and what the columns gained. */
#include "base/memory.h"
#include "learners/boost/boost.h"
#include "learners/tree/show/node_lines.h"
#include "model/learned.h"
#include "report/table_rows.h"
#include "rows/matrix.h"
#include <math.h>

typedef struct writing {
    cairn_ledger *out;
    const cairn_job *job;
    const cairn_boost_model *m;
    const char *const *names;   /* n_columns */
    const cairn_field **fields; /* n_columns; NULL = an item of a bag */
    uint8_t *sides;             /* n_sets: the sets in bytes */
    cairn_node_stack stack;
} writing;

/* How a branch of a node is written down; 0 is the left one. */
static cairn_node_branch branch_of(const writing *w, size_t i, size_t b)
{
    const cairn_boost_node *node = &w->m->nodes[i];
    bool cut = node->set < 0;
    cairn_node_branch out = {.number = b + 1,
                             .field = w->fields[node->column],
                             .name = w->names[node->column],
                             .sign = cut ? (b ? ">" : "<=") : "in",
                             .bound = cut ? w->m->cuts[i] : NAN,
                             .is_cut = cut,
                             .level = -1};
    if (cut && w->m->is_number[node->column] == 2) out.level = (int32_t)out.bound;
    if (!cut) {
        out.sides = w->sides + node->set + 1;
        out.n_sides = (size_t)w->m->sets[node->set];
        out.side = (uint8_t)(b + 1);
    }
    return out;
}

/* A child waits; 0 is the left one. */
static void push_child(writing *w, size_t i, size_t b, size_t number, size_t depth)
{
    const cairn_boost_node *node = &w->m->nodes[i];
    cairn_node_push(
        w->out, &w->stack,
        (cairn_node_waiting){b ? node->right : node->left, number, depth + 1, branch_of(w, i, b)});
}

/* The class whose score the tree adds to; NULL = it adds to the number. */
static const char *class_of(const writing *w, size_t tree)
{
    const cairn_boost_model *m = w->m;
    if (!m->n_classes) return NULL;
    if (m->n_outputs == 1) return cairn_learned_class(w->job, m->positive);
    return cairn_learned_class(w->job, (int64_t)(tree % m->n_outputs));
}

/* Depth first, the left branch before the right. */
static void write_tree(writing *w, size_t tree)
{
    const cairn_boost_model *m = w->m;
    w->stack.n = 0;
    cairn_node_push(w->out, &w->stack, (cairn_node_waiting){.reference = m->roots[tree]});
    for (size_t number = 1; w->stack.n && !w->out->status; number++) {
        cairn_node_waiting at = w->stack.list[--w->stack.n];
        cairn_node_line line = cairn_node_line_of(&at, tree + 1, number);
        line.answer = class_of(w, tree);
        if (at.reference < 0) {
            line.value = m->values[~at.reference];
        } else {
            size_t i = (size_t)at.reference;
            line.column = w->names[m->nodes[i].column];
            line.threshold = m->nodes[i].set < 0 ? m->cuts[i] : NAN;
            line.usual = m->nodes[i].missing_right ? 2 : 1;
            push_child(w, i, 1, number, at.depth);
            push_child(w, i, 0, number, at.depth);
        }
        cairn_node_line_write(w->out, &line);
    }
}

/* What the columns are called. */
static cairn_status name_columns(writing *w)
{
    const cairn_field *field;
    size_t c = 0;
    CHECK(cairn_term_names(w->out->ctx, &w->names, w->job->schema));
    CHECK(SCRATCH(w->out->ctx, &w->fields, w->m->n_columns + 1));
    for (size_t at = 0; (field = cairn_schema_next_feature(w->job->schema, &at));)
        if (field->kind != CAIRN_BAG) w->fields[c++] = field;
    return SCRATCH(w->out->ctx, &w->sides, w->m->n_sets + 1);
}

static void write_nodes(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_boost_model *m = model;
    writing w = {.out = out, .job = job, .m = m};
    cairn_node_lines_begin(out, job, "", 0);
    cairn_ledger_failed(out, name_columns(&w));
    for (size_t i = 0; !out->status && i < m->n_sets; i++) w.sides[i] = (uint8_t)m->sets[i];
    for (size_t t = 0; t < m->n_trees && !out->status; t++) write_tree(&w, t);
    cairn_node_stack_clear(&w.stack);
}

/* What the sums begin with, one row per score. */
static void write_start(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_boost_model *m = model;
    writing w = {.out = out, .job = job, .m = m};
    cairn_ledger_columns(out, "ln", "class", "start");
    for (size_t k = 0; k < m->n_outputs; k++) cairn_ledger_cells(out, class_of(&w, k), m->start[k]);
}

static bool has_importance(const void *model, const cairn_job *job)
{
    (void)model;
    return job->history;
}

static void write_importance(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_boost_history *history = job->history;
    const char *const *names = NULL;
    (void)model;
    cairn_ledger_columns(out, "tnn", "column", "gain", "splits");
    cairn_ledger_failed(out, cairn_term_names(out->ctx, &names, job->schema));
    for (size_t c = 0; !out->status && c < history->n_columns; c++)
        cairn_ledger_cells(out, names[c], history->gains[c], history->splits[c]);
}

const cairn_learned cairn_boost_tables[] = {
    CAIRN_NODES(write_nodes),
    CAIRN_LEARNED("start", "score, and what its sum begins with", write_start),
    CAIRN_LEARNED("importance", "column, and what its splits gained", write_importance,
                  .has = has_importance),
    CAIRN_LEARNED_END};
