/* SPDX-License-Identifier: MIT */
/* Trees packed for walking, whatever learner grew them.
 *
 * A node is 16 bytes. Children of a cut lie side by side and a leaf leads to itself, so a step of
 * the walk is a comparison and an addition without a branch, and as many steps as the tree is deep
 * need no look whether a leaf is reached: nothing is guessed wrong, and while the memory of one
 * walk is waited for, the next ones move: those of other trees, or of other rows. Levels, sets of
 * levels and branches for missing cells look their child up in a table. Where a missing cell leaves
 * the way open, whoever asks has another way to the answer.
 *
 * The walks are here and not in packed.c, so that they become part of what asks. */
#ifndef CAIRN_LEARNERS_TREE_PACKED_H
#define CAIRN_LEARNERS_TREE_PACKED_H

#include "base/context.h"
#include <math.h>

enum { PACKED_LANES = 8 };
/* Trees up to this depth are walked in as many steps; deeper ones in runs of so many steps. */
enum { PACKED_EVEN_DEPTH = 16, PACKED_RUN = 4 };
/* Bits of `test`, below the number of the input, counted from the step's first slot. A leaf has
 * none, a plain cut the first. */
enum {
    PACKED_CUT = 1,
    PACKED_MISSING_LEFT = 2,
    PACKED_BY_CUT = 4,
    PACKED_BY_LEVEL = 8,
    PACKED_BY_TABLE = 16,
    PACKED_TEST_BITS = 5
};
/* A child that cannot be told. */
#define PACKED_OPEN UINT32_MAX

typedef struct cairn_packed_node {
    union {
        double cut;    /* of a table: how many levels it has */
        double value;  /* of a leaf of a tree with one output */
        uint64_t leaf; /* of another leaf: its row of values, or its vote; of a single tree the
                          label is in the upper half */
    };
    uint32_t child; /* the left one, the right one is next; the first entry of `ways`; of a leaf:
                       itself */
    uint32_t test;
} cairn_packed_node;

/* Two steps at once of a single tree that only cuts: a cut and the cuts of its two children, which
 * are all asked, so that the memory of a row is waited for half as often. A leaf leads to itself;
 * no number is above its first two cuts, NaN, and in the place of the third is what
 * cairn_packed_node calls `leaf`. */
typedef struct cairn_packed_pair {
    double cuts[2];
    union {
        double third;
        uint64_t leaf;
    };
    uint32_t inputs[3]; /* of the cuts */
    uint32_t child;     /* the first of four that lie side by side, from left to right */
} cairn_packed_pair;

/* What a leaf adds to the sums. */
typedef enum cairn_packed_leaves {
    PACKED_LEAF_ROW,  /* a row of values */
    PACKED_LEAF_ONE,  /* a value of one output */
    PACKED_LEAF_VOTE, /* a vote */
} cairn_packed_leaves;

typedef struct cairn_packed {
    size_t n_trees, width; /* outputs */
    cairn_packed_leaves leaves;
    bool only_cuts;
    uint8_t *uneven;      /* n_trees: 1 = this tree does not only cut */
    bool single;          /* one tree, whose leaf is the answer */
    const double *values; /* rows of `width` */
    const int32_t *labels;
    const double *start; /* width; NULL = zeros */
    cairn_packed_node *nodes;
    cairn_packed_pair *pairs; /* NULL = the tree is not single, or does not only cut */
    uint32_t *roots;          /* n_trees */
    uint32_t *depths;         /* n_trees */
    uint32_t *deepest;        /* of PACKED_LANES trees that go down together */
    uint32_t *outputs;        /* n_trees: PACKED_LEAF_ONE */
    uint32_t *ways;
    size_t n_nodes;
    int32_t base;      /* the first of the inputs, which are counted from it */
    size_t first, end; /* inputs that cuts ask for are among these */
    bool open;         /* a missing cell in one of them may leave the way open */
} cairn_packed;

/* Where trees come from: tables as those of CAIRN_OP_TREES (tree_lower.h). */
typedef struct cairn_packed_source {
    size_t n_trees, n_nodes, n_links, n_labels, n_in, width;
    bool single; /* of one tree, whose leaf is the answer */
    bool votes;
    bool in_turn; /* tree t adds to output t % width alone, and a row of values is one number */
    const int32_t *in;    /* n_in: the input that is a column; -1 = no test asks for it */
    const int32_t *roots; /* n_trees */
    const int32_t *nodes, *links, *labels, *usual, *surrogate_starts, *sets;
    const double *cuts, *values;
    const double *start; /* width: what sums begin with; NULL = zeros */
} cairn_packed_source;

/* *out is NULL where the trees have no such form. What it has of the source must stay. */
CAIRN_CHECKED cairn_status cairn_packed_make(cairn_context *ctx, cairn_packed **out,
                                             const cairn_packed_source *source);
void cairn_packed_free(cairn_packed *trees);
CAIRN_CAN_OWN(cairn_packed_free, cairn_packed)

/* Rows that are asked together. */
typedef struct cairn_packed_rows {
    const double *x;  /* inputs of the first row */
    ptrdiff_t x_step; /* numbers from there to the next row */
    size_t n;
    bool complete; /* no cell is missing that a cut asks for */
} cairn_packed_rows;

/* The sums of rows, `step` apart, outputs `output_step` apart. All rows go through one tree before
 * the next: its nodes stay near. False when a leaf cannot be told. */
bool cairn_packed_sum(const cairn_packed *q, const cairn_packed_rows *rows, double *sums,
                      size_t step, size_t output_step);

/* -- walking -- */

/* The child of a cut, or a leaf itself, of a row without missing cells. */
static inline uint32_t packed_step_complete(const cairn_packed_node *node, double x)
{
    return node->child + (node->test & PACKED_CUT & (uint32_t)(x > node->cut));
}

/* The same of any row. */
static inline uint32_t packed_step_cut(const cairn_packed_node *node, double x)
{
    uint32_t missing = (uint32_t)(x != x) & ~(node->test >> 1);
    return node->child + (node->test & PACKED_CUT & ((uint32_t)(x > node->cut) | missing));
}

/* The child of a node of any kind. */
static inline uint32_t packed_step_any(const cairn_packed *q, const cairn_packed_node *node,
                                       double x)
{
    if (node->test & PACKED_CUT) return packed_step_cut(node, x);
    const uint32_t *ways = q->ways + node->child;
    if (node->test & PACKED_BY_TABLE) {
        uint32_t n = (uint32_t)node->cut;
        return x >= 0 && x < n ? ways[(uint32_t)x] : ways[n];
    }
    if (isnan(x)) return ways[2];
    return ways[node->test & PACKED_BY_CUT ? !(x <= node->cut) : x != node->cut];
}

/* The leaf of one tree; PACKED_OPEN when only the exported form can find it. */
static inline uint32_t packed_walk_one(const cairn_packed *q, uint32_t at, const double *x)
{
    for (uint32_t test; (test = q->nodes[at].test) != 0;) {
        at = packed_step_any(q, &q->nodes[at], x[test >> PACKED_TEST_BITS]);
        if (at == PACKED_OPEN) return PACKED_OPEN;
    }
    return at;
}

static inline uint32_t packed_step_down(const cairn_packed_node *nodes, uint32_t at,
                                        const double *x, bool complete)
{
    const cairn_packed_node *node = &nodes[at];
    double cell = x[node->test >> PACKED_TEST_BITS];
    return complete ? packed_step_complete(node, cell) : packed_step_cut(node, cell);
}

/* The leaf of one tree that only cuts. */
static inline uint32_t packed_walk_cuts(const cairn_packed_node *nodes, uint32_t at,
                                        const double *x, uint32_t depth, bool complete)
{
    if (depth <= PACKED_EVEN_DEPTH) {
        for (uint32_t d = 0; d < depth; d++) at = packed_step_down(nodes, at, x, complete);
        return at;
    }
    do
        for (int d = 0; d < PACKED_RUN; d++) at = packed_step_down(nodes, at, x, complete);
    while (nodes[at].test);
    return at;
}

/* So many steps of walks that each have their own row. */
static inline void packed_step_lanes(const cairn_packed_node *nodes, uint32_t at[PACKED_LANES],
                                     const double *const x[PACKED_LANES], uint32_t n, bool complete)
{
    for (uint32_t d = 0; d < n; d++)
        for (int l = 0; l < PACKED_LANES; l++)
            at[l] = packed_step_down(nodes, at[l], x[l], complete);
}

/* Walks go down together until all of them stand. */
static inline void packed_walk_lanes(const cairn_packed_node *nodes, uint32_t at[PACKED_LANES],
                                     const double *const x[PACKED_LANES], uint32_t depth,
                                     bool complete)
{
    uint32_t open = depth;
    if (depth <= PACKED_EVEN_DEPTH) packed_step_lanes(nodes, at, x, depth, complete);
    while (depth > PACKED_EVEN_DEPTH && open) {
        packed_step_lanes(nodes, at, x, PACKED_RUN, complete);
        open = 0;
        for (int l = 0; l < PACKED_LANES; l++) open |= nodes[at[l]].test;
    }
}

/* The leaves of n walks, each from its root at[l] with its row x[l]; false when one is OPEN.
 * `even`:
 * they meet only cuts, which know where the row goes; the deepest ends after so many steps. */
static inline bool packed_leaves(const cairn_packed *q, uint32_t at[PACKED_LANES],
                                 const double *const x[PACKED_LANES], size_t n, uint32_t depth,
                                 bool even, bool complete)
{
    if (even && n == PACKED_LANES) {
        packed_walk_lanes(q->nodes, at, x, depth, complete);
        return true;
    }
    for (size_t l = 0; l < n; l++) {
        at[l] = even ? packed_walk_cuts(q->nodes, at[l], x[l], depth, complete)
                     : packed_walk_one(q, at[l], x[l]);
        if (at[l] == PACKED_OPEN) return false;
    }
    return true;
}

/* The same of rows first .. first + n - 1 in tree t. */
static inline bool packed_leaves_of(const cairn_packed *q, size_t t, const cairn_packed_rows *rows,
                                    size_t first, size_t n, bool complete,
                                    uint32_t at[PACKED_LANES])
{
    const double *x[PACKED_LANES];
    for (size_t l = 0; l < n; l++) {
        at[l] = q->roots[t];
        x[l] = rows->x + (ptrdiff_t)(first + l) * rows->x_step;
    }
    return packed_leaves(q, at, x, n, q->depths[t], !q->uneven[t] && (complete || !q->open),
                         complete);
}

/* -- answers -- */

static inline void packed_add_leaf(const cairn_packed *q, size_t t, uint32_t leaf, double *sums,
                                   size_t output_step)
{
    const cairn_packed_node *node = &q->nodes[leaf];
    if (q->leaves == PACKED_LEAF_ONE) {
        sums[q->outputs[t] * output_step] += node->value;
    } else if (q->leaves == PACKED_LEAF_VOTE) {
        sums[node->leaf * output_step] += 1;
    } else {
        const double *values = q->values + node->leaf * q->width;
        for (size_t k = 0; k < q->width; k++) sums[k * output_step] += values[k];
    }
}

/* Whether a cell is missing among those that cuts ask for, or between them. */
static inline bool packed_any_missing(const cairn_packed *q, const double *x)
{
    int missing = 0;
    for (size_t i = q->first; i < q->end; i++) missing |= x[i] != x[i];
    return missing;
}

#endif
