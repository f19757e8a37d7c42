/* SPDX-License-Identifier: MIT */
/* The table "nodes" of trees, forests and sums of trees: a row for each node, and in it the branch
 * that leads there and the test that goes on from there. */
#ifndef CAIRN_LEARNERS_TREE_NODE_LINES_H
#define CAIRN_LEARNERS_TREE_NODE_LINES_H

#include "data/ledger.h"
#include "model/learner.h"

/* How a node is reached from its parent. */
typedef struct cairn_node_branch {
    size_t number;            /* among the branches of the parent, from 1; 0 = the node is a root */
    const cairn_field *field; /* the column that the parent tests */
    const char *name;         /* of an item of a bag, which has no field; NULL = the field's */
    const char *sign;         /* "<=", ">", "=", "!=", "in", or "missing" */
    double bound;             /* of a cut */
    bool is_cut;              /* else `levels` says which */
    const uint8_t *sides;     /* per level of the column: `side` = it goes this way */
    uint8_t side;
    size_t n_sides;
    int32_t level; /* instead of sides: this level; -1 = none */
} cairn_node_branch;

typedef struct cairn_node_line {
    size_t tree, node, parent; /* from 1; parent 0 = none */
    size_t depth;              /* of the root 0 */
    cairn_node_branch branch;
    const char *column;    /* of its own test; NULL = a leaf */
    double threshold;      /* of a cut; else NaN */
    size_t usual;          /* branch that missing cells take; 0 = several of them, or no test */
    double rows, gain;     /* weight, and what its test gained; NaN = not known */
    const char *answer;    /* class; NULL = it answers a number */
    double value;          /* that number, or the score that it adds; NaN = none */
    const double *classes; /* n_classes: weight or share of each; NULL = missing */
    size_t n_classes;
} cairn_node_line;

/* Columns; each of n classes (or clusters) has one, `head` ("rows", "share") standing before its
 * name: "rows(yes)". */
void cairn_node_lines_begin(cairn_ledger *out, const cairn_job *job, const char *head, size_t n);
void cairn_node_line_write(cairn_ledger *out, const cairn_node_line *line);

/* Nodes of a tree that is walked depth first: those that wait to be written. */
typedef struct cairn_node_waiting {
    int64_t reference;    /* what the tree calls it */
    size_t parent, depth; /* number of the parent, from 1 */
    cairn_node_branch branch;
} cairn_node_waiting;

typedef struct cairn_node_stack {
    cairn_node_waiting *list; /* n; owned */
    size_t n, capacity;
} cairn_node_stack;

void cairn_node_stack_clear(cairn_node_stack *stack);
/* Let a node wait; nothing once the ledger has failed. */
void cairn_node_push(cairn_ledger *out, cairn_node_stack *stack, cairn_node_waiting next);
/* The line of a node that has waited, with all that it does not know missing. */
cairn_node_line cairn_node_line_of(const cairn_node_waiting *at, size_t tree, size_t node);

/* Name of a feature; NULL where there is none. */
const char *cairn_node_feature(const cairn_job *job, int64_t column);

#define CAIRN_NODES(WRITE)                                                                         \
    CAIRN_LEARNED("nodes", "node of a tree: the branch to it, and its own test or answer", WRITE)

#endif
