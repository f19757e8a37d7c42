/* SPDX-License-Identifier: MIT */
/* Trees that are asked about one row, or about a few.
 *
 * A node is 16 bytes. Children of a cut lie side by side and a leaf leads to itself, so a step of
 * the walk is a comparison and an addition without a branch, and as many steps as the tree is deep
 * need no look whether a leaf is reached: nothing is guessed wrong, and while the memory of one
 * walk is waited for, the next ones move: those of other trees, or of other rows. Levels, sets of
 * levels and branches for missing cells look their child up in a table. Where a missing cell leaves
 * the way open, the row is asked as programs that are exported do it, with surrogates and shares.
 */
#include "base/memory.h"
#include "learners/tree/tree_lower.h"
#include "predict/plan.h"
#include <math.h>
#include <string.h>

enum { LANES = 8 };
/* Trees up to this depth are walked in as many steps; deeper ones in runs of so many steps. */
enum { EVEN_DEPTH = 16, RUN = 4 };
/* Nodes that a processor keeps near. Of more the learner answers many rows sooner: it sorts them,
 * so that rows that go the same way come one after the other. */
enum { NEAR_NODES = 1 << 18 };
/* Bits of `test`, below the number of the input, counted from the step's first slot. A leaf has
 * none, a plain cut the first. */
enum { CUT = 1, MISSING_LEFT = 2, BY_CUT = 4, BY_LEVEL = 8, BY_TABLE = 16, TEST_BITS = 5 };
static const uint32_t OPEN = UINT32_MAX; /* a child that only the exported form can find */

typedef struct quick_node {
    union {
        double cut;    /* of a table: how many levels it has */
        double value;  /* of a leaf of a tree with one output */
        uint64_t leaf; /* of another leaf: its row of values, or its vote; of a single tree the
                          label is in the upper half */
    };
    uint32_t child; /* the left one, the right one is next; the first entry of `ways`; of a leaf:
                       itself */
    uint32_t test;
} quick_node;

/* Two steps at once of a single tree that only cuts: a cut and the cuts of its two children, which
 * are all asked, so that the memory of a row is waited for half as often. A leaf leads to itself;
 * no number is above its first two cuts, NaN, and in the place of the third is what quick_node
 * calls `leaf`. */
typedef struct pair_node {
    double cuts[2];
    union {
        double third;
        uint64_t leaf;
    };
    uint32_t inputs[3]; /* of the cuts */
    uint32_t child;     /* the first of four that lie side by side, from left to right */
} pair_node;

/* What a leaf adds to the sums. */
typedef enum leaf_kind {
    LEAF_ROW,  /* a row of values */
    LEAF_ONE,  /* a value of one output */
    LEAF_VOTE, /* a vote */
} leaf_kind;

typedef struct quick_trees {
    size_t n_trees, width; /* outputs */
    leaf_kind leaves;
    bool only_cuts;
    bool single;          /* one tree, whose leaf is the answer */
    bool averaged;        /* a forest: sums are divided, the largest is the class */
    int32_t out;          /* the first slot that is written */
    const double *values; /* rows of `width` */
    const int32_t *labels;
    const double *start; /* width; NULL = zeros */
    quick_node *nodes;
    pair_node *pairs;  /* NULL = the tree is not single, or does not only cut */
    uint32_t *roots;   /* n_trees */
    uint32_t *depths;  /* n_trees */
    uint32_t *deepest; /* of LANES trees that go down together */
    uint32_t *outputs; /* n_trees: LEAF_ONE */
    uint32_t *ways;
    size_t first, end; /* inputs that cuts ask for are among these */
    bool open;         /* a missing cell in one of them may leave the way open */
} quick_trees;

/* -- walking -- */

/* The child of a cut, or a leaf itself, of a row without missing cells. */
static inline uint32_t step_complete(const quick_node *node, double x)
{
    return node->child + (node->test & CUT & (uint32_t)(x > node->cut));
}

/* The same of any row. */
static inline uint32_t step_cut(const quick_node *node, double x)
{
    uint32_t missing = (uint32_t)(x != x) & ~(node->test >> 1);
    return node->child + (node->test & CUT & ((uint32_t)(x > node->cut) | missing));
}

/* The child of a node of any kind. */
static inline uint32_t step_any(const quick_trees *q, const quick_node *node, double x)
{
    if (node->test & CUT) return step_cut(node, x);
    const uint32_t *ways = q->ways + node->child;
    if (node->test & BY_TABLE) {
        uint32_t n = (uint32_t)node->cut;
        return x >= 0 && x < n ? ways[(uint32_t)x] : ways[n];
    }
    if (isnan(x)) return ways[2];
    return ways[node->test & BY_CUT ? !(x <= node->cut) : x != node->cut];
}

/* The leaf of one tree; OPEN when only the exported form can find it. */
static inline uint32_t walk_one(const quick_trees *q, uint32_t at, const double *x)
{
    for (uint32_t test; (test = q->nodes[at].test) != 0;) {
        at = step_any(q, &q->nodes[at], x[test >> TEST_BITS]);
        if (at == OPEN) return OPEN;
    }
    return at;
}

static inline uint32_t step_down(const quick_node *nodes, uint32_t at, const double *x)
{
    return step_complete(&nodes[at], x[nodes[at].test >> TEST_BITS]);
}

/* The leaf of one tree that only cuts, of a row without missing cells. */
static inline uint32_t walk_cuts(const quick_node *nodes, uint32_t at, const double *x,
                                 uint32_t depth)
{
    if (depth <= EVEN_DEPTH) {
        for (uint32_t d = 0; d < depth; d++) at = step_down(nodes, at, x);
        return at;
    }
    do
        for (int d = 0; d < RUN; d++) at = step_down(nodes, at, x);
    while (nodes[at].test);
    return at;
}

/* So many steps of LANES walks that each have their own row. */
static inline void step_lanes(const quick_node *nodes, uint32_t at[LANES],
                              const double *const x[LANES], uint32_t n)
{
    for (uint32_t d = 0; d < n; d++)
        for (int l = 0; l < LANES; l++) at[l] = step_down(nodes, at[l], x[l]);
}

/* LANES walks go down together until all of them stand. */
static inline void walk_lanes(const quick_node *nodes, uint32_t at[LANES],
                              const double *const x[LANES], uint32_t depth)
{
    uint32_t open = depth;
    if (depth <= EVEN_DEPTH) step_lanes(nodes, at, x, depth);
    while (depth > EVEN_DEPTH && open) {
        step_lanes(nodes, at, x, RUN);
        open = 0;
        for (int l = 0; l < LANES; l++) open |= nodes[at[l]].test;
    }
}

/* The leaves of trees t .. t + n - 1; false when one of them is OPEN. `complete`: only cuts are
 * asked, and no cell is missing. */
static inline bool find_leaves(const quick_trees *q, size_t t, size_t n, const double *x,
                               bool complete, uint32_t at[LANES])
{
    const double *const same[LANES] = {x, x, x, x, x, x, x, x};
    for (size_t l = 0; l < n; l++) at[l] = q->roots[t + l];
    if (complete && n == LANES) {
        walk_lanes(q->nodes, at, same, q->deepest[t / LANES]);
        return true;
    }
    for (size_t l = 0; l < n; l++) {
        at[l] = complete ? walk_cuts(q->nodes, at[l], x, q->depths[t + l]) : walk_one(q, at[l], x);
        if (at[l] == OPEN) return false;
    }
    return true;
}

/* The leaves of n rows in tree t, all of whose cells are there; false when one of them is OPEN. */
static inline bool find_leaves_of(const quick_trees *q, size_t t, const cairn_row_block *rows,
                                  size_t first, size_t n, uint32_t at[LANES])
{
    const double *x[LANES];
    for (size_t l = 0; l < n; l++) {
        at[l] = q->roots[t];
        x[l] = rows->x + (ptrdiff_t)(first + l) * rows->x_step;
    }
    if (q->only_cuts && n == LANES) {
        walk_lanes(q->nodes, at, x, q->depths[t]);
        return true;
    }
    for (size_t l = 0; l < n; l++) {
        at[l] = q->only_cuts ? walk_cuts(q->nodes, at[l], x[l], q->depths[t])
                             : walk_one(q, at[l], x[l]);
        if (at[l] == OPEN) return false;
    }
    return true;
}

/* -- answers -- */

static inline void add_leaf(const quick_trees *q, size_t t, uint32_t leaf, double *sums)
{
    const quick_node *node = &q->nodes[leaf];
    if (q->leaves == LEAF_ONE) {
        sums[q->outputs[t]] += node->value;
    } else if (q->leaves == LEAF_VOTE) {
        sums[node->leaf] += 1;
    } else {
        const double *values = q->values + node->leaf * q->width;
        for (size_t k = 0; k < q->width; k++) sums[k] += values[k];
    }
}

/* The mean over the trees, and the class of the largest. */
static void finish_average(const quick_trees *q, double *sums, bool classes)
{
    size_t best = 0;
    for (size_t k = 1; k < q->width; k++)
        if (sums[k] > sums[best]) best = k;
    for (size_t k = 0; k < q->width; k++) sums[k] /= (double)q->n_trees;
    if (classes) sums[q->width] = (double)best;
}

/* Whether a cell is missing among those that cuts ask for, or between them. */
static bool any_missing(const quick_trees *q, const double *x)
{
    int missing = 0;
    for (size_t i = q->first; i < q->end; i++) missing |= x[i] != x[i];
    return missing;
}

/* -- one tree -- */

static inline void put_label(const quick_trees *q, uint64_t leaf, double *v)
{
    v[q->out + (int32_t)q->width] = (int32_t)(leaf >> 32);
}

/* The values and the label of a leaf. */
static inline void put_leaf_values(const quick_trees *q, uint64_t leaf, double *v)
{
    const double *values = q->values + (uint32_t)leaf * q->width;
    for (size_t k = 0; k < q->width; k++) v[(size_t)q->out + k] = values[k];
    if (q->labels) put_label(q, leaf, v);
}

static bool run_tree(const cairn_row_plan_step *step, const double *x, double *v)
{
    const quick_trees *q = step->own;
    bool missing = any_missing(q, x);
    uint32_t at = OPEN;
    if (q->only_cuts && !missing)
        at = walk_cuts(q->nodes, q->roots[0], x, q->depths[0]);
    else if (!missing || !q->open)
        at = walk_one(q, q->roots[0], x);
    if (at == OPEN)
        cairn_ready_op_run(step->ready, v);
    else
        put_leaf_values(q, q->nodes[at].leaf, v);
    return true;
}

/* The leaf of a complete row in a tree that only cuts. */
static inline uint64_t walk_pairs(const quick_trees *q, const double *x)
{
    const pair_node *pairs = q->pairs;
    uint32_t at = 0, depth = q->depths[0], d = 0;
    do {
        const pair_node *p = &pairs[at];
        uint32_t first = x[p->inputs[0]] > p->cuts[0];
        uint32_t left = x[p->inputs[1]] > p->cuts[1], right = x[p->inputs[2]] > p->third;
        /* a choice that no compiler makes a branch of */
        at = p->child + 2 * first + (left ^ (first & (left ^ right)));
        d += 2;
    } while (d < depth && (depth <= EVEN_DEPTH || pairs[at].child != at));
    return pairs[at].leaf;
}

/* The leaf of a complete row; false when it is OPEN. */
static inline bool find_leaf(const quick_trees *q, const double *x, uint64_t *leaf)
{
    if (q->pairs) {
        *leaf = walk_pairs(q, x);
        return true;
    }
    uint32_t at = walk_one(q, q->roots[0], x);
    if (at == OPEN) return false;
    *leaf = q->nodes[at].leaf;
    return true;
}

static bool quick_tree(const cairn_row_plan_step *step, const double *x, double *v)
{
    const quick_trees *q = step->own;
    uint64_t leaf;
    if (!find_leaf(q, x, &leaf)) return false;
    put_leaf_values(q, leaf, v);
    return true;
}

static bool quick_label(const cairn_row_plan_step *step, const double *x, double *v)
{
    const quick_trees *q = step->own;
    uint64_t leaf;
    if (!find_leaf(q, x, &leaf)) return false;
    put_label(q, leaf, v);
    return true;
}

/* Complete rows that go down together; `put` writes what a leaf says. */
static inline bool tree_all(const quick_trees *q, const cairn_row_block *rows,
                            void (*put)(const quick_trees *, uint64_t, double *))
{
    uint32_t at[LANES];
    for (size_t r = 0, n; r < rows->n; r += n) {
        n = rows->n - r < LANES ? rows->n - r : LANES;
        if (!find_leaves_of(q, 0, rows, r, n, at)) return false;
        for (size_t l = 0; l < n; l++)
            put(q, q->nodes[at[l]].leaf, rows->v + (r + l) * rows->width);
    }
    return true;
}

static bool quick_tree_all(const cairn_row_plan_step *step, const cairn_row_block *rows)
{
    return tree_all(step->own, rows, put_leaf_values);
}

static bool quick_label_all(const cairn_row_plan_step *step, const cairn_row_block *rows)
{
    return tree_all(step->own, rows, put_label);
}

/* -- several trees -- */

static inline void start_sums(const quick_trees *q, double *sums)
{
    for (size_t k = 0; k < q->width; k++) sums[k] = q->start ? q->start[k] : 0;
}

/* What the leaves say is added up in the order of the trees; false when one is OPEN. */
static inline bool sum_trees(const cairn_row_plan_step *step, const double *x, double *v,
                             bool complete)
{
    const quick_trees *q = step->own;
    double *sums = v + q->out;
    uint32_t at[LANES];
    start_sums(q, sums);
    for (size_t t = 0, n; t < q->n_trees; t += n) {
        n = q->n_trees - t < LANES ? q->n_trees - t : LANES;
        if (!find_leaves(q, t, n, x, complete, at)) return false;
        for (size_t l = 0; l < n; l++) add_leaf(q, t + l, at[l], sums);
    }
    if (q->averaged) finish_average(q, sums, step->op->n_out > q->width);
    return true;
}

static bool run_trees(const cairn_row_plan_step *step, const double *x, double *v)
{
    const quick_trees *q = step->own;
    bool missing = any_missing(q, x);
    bool found = (!missing || !q->open) && sum_trees(step, x, v, q->only_cuts && !missing);
    if (!found) cairn_ready_op_run(step->ready, v);
    return true;
}

static bool quick_trees_one(const cairn_row_plan_step *step, const double *x, double *v)
{
    const quick_trees *q = step->own;
    return sum_trees(step, x, v, q->only_cuts);
}

/* Complete rows, all of them through one tree before the next: its nodes stay near. */
static bool quick_trees_all(const cairn_row_plan_step *step, const cairn_row_block *rows)
{
    const quick_trees *q = step->own;
    double *sums = rows->v + q->out;
    uint32_t at[LANES];
    for (size_t r = 0; r < rows->n; r++) start_sums(q, sums + r * rows->width);
    for (size_t t = 0; t < q->n_trees; t++)
        for (size_t r = 0, n; r < rows->n; r += n) {
            n = rows->n - r < LANES ? rows->n - r : LANES;
            if (!find_leaves_of(q, t, rows, r, n, at)) return false;
            for (size_t l = 0; l < n; l++) add_leaf(q, t, at[l], sums + (r + l) * rows->width);
        }
    for (size_t r = 0; q->averaged && r < rows->n; r++)
        finish_average(q, sums + r * rows->width, step->op->n_out > q->width);
    return true;
}

/* Rows that may have missing cells: all as complete ones where none has. */
static bool run_all(const cairn_row_plan_step *step, const cairn_row_block *rows)
{
    const quick_trees *q = step->own;
    bool missing = false;
    for (size_t r = 0; r < rows->n && !missing; r++)
        missing = any_missing(q, rows->x + (ptrdiff_t)r * rows->x_step);
    if (!missing && step->complete.all(step, rows)) return true;
    for (size_t r = 0; r < rows->n; r++) {
        const double *x = rows->x + (ptrdiff_t)r * rows->x_step;
        (void)step->any.one(step, x, rows->v + r * rows->width);
    }
    return true;
}

/* -- making -- */

typedef struct making {
    cairn_context *ctx;
    const cairn_operation *op;
    quick_trees *q;
    quick_node *nodes;
    size_t n_nodes, most_nodes;
    size_t n_ways, ways_capacity;
    int32_t base; /* the first slot among the inputs */
    bool fails;   /* it has no such form */
} making;

/* Which node of the operation goes to which place. */
typedef struct pending {
    int32_t node;
    uint32_t place, tree, depth;
} pending;

static const int32_t *node_at(const making *m, int32_t node)
{
    return m->op->codes[CAIRN_TREES_NODES] + 4 * (size_t)node;
}

/* The input that a node asks for, as `test` holds it. */
static uint32_t input_of(const making *m, int32_t node)
{
    return (uint32_t)(m->op->in[node_at(m, node)[0]] - m->base) << TEST_BITS;
}

static int32_t branches_of(const making *m, int32_t node)
{
    const int32_t *n = node_at(m, node);
    return n[1] == CAIRN_LOWER_LEVELS ? (int32_t)m->op->numbers[CAIRN_TREES_CUTS][node] : 2;
}

/* Where a row goes that finds no child: the link of missing cells or the usual one; -1 = open. */
static int32_t other_child(const making *m, int32_t node)
{
    const cairn_operation *op = m->op;
    const int32_t *starts = op->codes[CAIRN_TREES_SURROGATE_STARTS];
    const int32_t *usual = op->codes[CAIRN_TREES_USUAL];
    if (starts && starts[node + 1] > starts[node]) return -1;
    if (!usual || usual[node] < 0) return -1;
    return op->codes[CAIRN_TREES_LINKS][node_at(m, node)[2] + usual[node]];
}

static int32_t missing_child(const making *m, int32_t node)
{
    int32_t child = m->op->codes[CAIRN_TREES_LINKS][node_at(m, node)[2] + branches_of(m, node)];
    return child >= 0 ? child : other_child(m, node);
}

/* The cut as "at most": below a number is at most the one before it. */
static double cut_of(const making *m, int32_t node)
{
    double cut = m->op->numbers[CAIRN_TREES_CUTS][node];
    return node_at(m, node)[1] == CAIRN_LOWER_BELOW ? nextafter(cut, -INFINITY) : cut;
}

/* So many places side by side; more than there are links are a sign of trees that share nodes. */
static uint32_t take_places(making *m, size_t n)
{
    uint32_t first = (uint32_t)m->n_nodes;
    if (m->n_nodes + n > m->most_nodes) m->fails = true;
    if (!m->fails) m->n_nodes += n;
    return first;
}

static cairn_status take_ways(making *m, size_t n, uint32_t **out, uint32_t *first)
{
    CHECK(GROW(m->ctx, &m->q->ways, &m->ways_capacity, m->n_ways + n));
    *first = (uint32_t)m->n_ways;
    *out = m->q->ways + m->n_ways;
    m->n_ways += n;
    return CAIRN_OK;
}

/* A cut whose missing cells go to one of its two children, or leave the way open. */
static bool is_plain_cut(const making *m, int32_t node)
{
    const int32_t *n = node_at(m, node), *links = m->op->codes[CAIRN_TREES_LINKS] + n[2];
    int32_t missing = missing_child(m, node);
    return n[1] <= CAIRN_LOWER_BELOW && links[0] >= 0 && links[1] >= 0 &&
           (missing < 0 || missing == links[0] || missing == links[1]);
}

/* Children of a node get places: one for each branch that is there, and one for missing cells
 * where that is none of them. Returns how many were put on the stack. */
static size_t place_children(making *m, const pending *at, pending *stack, uint32_t *ways,
                             uint32_t *missing)
{
    const int32_t *links = m->op->codes[CAIRN_TREES_LINKS] + node_at(m, at->node)[2];
    int32_t n = branches_of(m, at->node), other = missing_child(m, at->node);
    int32_t instead = other_child(m, at->node);
    size_t pushed = 0;
    *missing = OPEN;
    for (int32_t b = 0; b <= n; b++) {
        int32_t child = b < n ? links[b] : other;
        uint32_t place = OPEN;
        for (int32_t before = 0; before < b && b == n && place == OPEN; before++)
            if (links[before] == child && child >= 0) place = ways[before];
        if (child >= 0 && place == OPEN) {
            place = take_places(m, 1);
            if (m->fails) return 0;
            stack[pushed++] = (pending){child, place, at->tree, at->depth + 1};
        }
        if (b < n)
            ways[b] = place;
        else
            *missing = place;
    }
    uint32_t way = OPEN; /* of a branch that has no child: as if the cell told nothing */
    for (int32_t b = 0; b < n && instead >= 0 && way == OPEN; b++)
        if (links[b] == instead) way = ways[b];
    for (int32_t b = 0; b < n; b++)
        if (ways[b] == OPEN) ways[b] = way;
    return pushed;
}

/* A branch per level, or sets of levels: the child of every level, then that of missing cells. */
static cairn_status put_table(making *m, const pending *at, const uint32_t *children,
                              uint32_t missing)
{
    const int32_t *node = node_at(m, at->node);
    bool set = node[1] == CAIRN_LOWER_SET;
    double with = m->op->numbers[CAIRN_TREES_CUTS][at->node];
    const int32_t *sides = set ? m->op->codes[CAIRN_TREES_SETS] + (size_t)with : NULL;
    uint32_t n = set ? (uint32_t)sides[0] : (uint32_t)with, *ways, first;
    CHECK(take_ways(m, (size_t)n + 1, &ways, &first));
    for (uint32_t l = 0; l < n; l++) {
        int32_t side = set ? sides[1 + l] - 1 : (int32_t)l;
        ways[l] = side < 0 ? missing : children[side];
    }
    ways[n] = missing;
    m->nodes[at->place] =
        (quick_node){.cut = n, .child = first, .test = input_of(m, at->node) | BY_TABLE};
    return CAIRN_OK;
}

/* The two children of a plain cut lie side by side. */
static size_t put_cut(making *m, const pending *at, pending *stack)
{
    const int32_t *node = node_at(m, at->node);
    const int32_t *links = m->op->codes[CAIRN_TREES_LINKS] + node[2];
    int32_t missing = missing_child(m, at->node);
    uint32_t first = take_places(m, 2), test = input_of(m, at->node);
    size_t input = test >> TEST_BITS;
    if (m->fails) return 0;
    m->q->open |= missing < 0;
    if (input < m->q->first) m->q->first = input;
    if (input >= m->q->end) m->q->end = input + 1;
    m->nodes[at->place] =
        (quick_node){.cut = cut_of(m, at->node),
                     .child = first,
                     .test = test | (missing == links[1] ? CUT : CUT | MISSING_LEFT)};
    stack[0] = (pending){links[1], first + 1, at->tree, at->depth + 1};
    stack[1] = (pending){links[0], first, at->tree, at->depth + 1};
    return 2;
}

/* One node, whose children are put on the stack. Returns how many in *pushed. */
static cairn_status put_node(making *m, const pending *at, pending *stack, uint32_t *children,
                             size_t *pushed)
{
    const int32_t *node = node_at(m, at->node);
    uint32_t missing;
    *pushed = 0;
    if (node[0] < 0) {
        /* A leaf leads to itself. */
        quick_node *to = &m->nodes[at->place];
        int32_t row = node_at(m, at->node)[3];
        *to = (quick_node){.leaf = (uint64_t)row, .child = at->place};
        if (m->q->leaves == LEAF_ONE)
            to->value = m->op->numbers[CAIRN_TREES_VALUES]
                                      [(size_t)row * m->q->width + m->q->outputs[at->tree]];
        if (m->q->leaves == LEAF_VOTE) to->leaf = (uint64_t)m->op->codes[CAIRN_TREES_LABELS][row];
        if (m->q->single && m->q->labels) to->leaf |= (uint64_t)(uint32_t)m->q->labels[row] << 32;
        if (at->depth > m->q->depths[at->tree]) m->q->depths[at->tree] = at->depth;
        return CAIRN_OK;
    }
    if (is_plain_cut(m, at->node)) {
        *pushed = put_cut(m, at, stack);
        return CAIRN_OK;
    }
    m->q->only_cuts = false;
    *pushed = place_children(m, at, stack, children, &missing);
    if (m->fails) return CAIRN_OK;
    if (node[1] == CAIRN_LOWER_LEVELS || node[1] == CAIRN_LOWER_SET)
        return put_table(m, at, children, missing);
    /* A cut or a level with a way of its own for missing cells. */
    uint32_t *ways, first;
    CHECK(take_ways(m, 3, &ways, &first));
    ways[0] = children[0];
    ways[1] = children[1];
    ways[2] = missing;
    m->nodes[at->place] = (quick_node){.cut = cut_of(m, at->node),
                                       .child = first,
                                       .test = input_of(m, at->node) |
                                               (node[1] == CAIRN_LOWER_LEVEL ? BY_LEVEL : BY_CUT)};
    return CAIRN_OK;
}

/* The most children that a node has, for the room of a stack. */
static size_t most_branches(const making *m)
{
    size_t most = 2;
    for (size_t i = 0; i < m->op->n_codes[CAIRN_TREES_NODES] / 4; i++)
        if (node_at(m, (int32_t)i)[0] >= 0 && (size_t)branches_of(m, (int32_t)i) > most)
            most = (size_t)branches_of(m, (int32_t)i);
    return most + 1;
}

/* All trees, each from its root down, the left child first. */
static cairn_status put_trees(making *m)
{
    size_t n = 0, capacity = 0, wide = most_branches(m), pushed;
    OWNED(cairn_free) pending *stack = NULL;
    OWNED(cairn_free) uint32_t *children = NULL;
    CHECK(NEW(m->ctx, &children, wide));
    for (size_t t = 0; t < m->q->n_trees && !m->fails; t++) {
        CHECK(GROW(m->ctx, &stack, &capacity, n + 1));
        m->q->roots[t] = take_places(m, 1);
        stack[n++] = (pending){m->op->codes[CAIRN_TREES_ROOTS][t], m->q->roots[t], (uint32_t)t, 0};
        while (n > 0 && !m->fails) {
            CHECK(GROW(m->ctx, &stack, &capacity, n + wide));
            pending at = stack[--n];
            CHECK(put_node(m, &at, stack + n, children, &pushed));
            n += pushed;
        }
        uint32_t *deepest = &m->q->deepest[t / LANES];
        if (m->q->depths[t] > *deepest) *deepest = m->q->depths[t];
    }
    return CAIRN_OK;
}

/* -- two steps at once -- */

static pair_node leaf_pair(const quick_node *leaf, uint32_t place)
{
    return (pair_node){.cuts = {NAN, NAN}, .leaf = leaf->leaf, .child = place};
}

/* The pair of the node `at`, whose four grandchildren get the places from `child` on and are put on
 * the stack, the last first. A child that is a leaf stands for its own children. */
static void put_pair(making *m, const pending *at, uint32_t child, pending *stack)
{
    const quick_node *top = &m->nodes[at->node];
    pair_node *to = &m->q->pairs[at->place];
    *to = (pair_node){.cuts = {top->cut, NAN}, .third = NAN, .child = child};
    to->inputs[0] = top->test >> TEST_BITS;
    for (uint32_t side = 0; side < 2; side++) {
        const quick_node *below = &m->nodes[top->child + side];
        *(side ? &to->third : &to->cuts[1]) = below->test ? below->cut : NAN;
        to->inputs[1 + side] = below->test >> TEST_BITS;
        for (uint32_t i = 0; i < 2; i++)
            stack[3 - (2 * side + i)] =
                (pending){.node = (int32_t)(below->test ? below->child + i : top->child + side),
                          .place = child + 2 * side + i};
    }
}

/* The pairs of a single tree that only cuts, from its root down. */
static cairn_status put_pairs(making *m)
{
    size_t n = 0, n_pairs = 1, capacity = 0, buffer = 0;
    OWNED(cairn_free) pending *stack = NULL;
    if (!m->q->single || !m->q->only_cuts || m->n_nodes > INT32_MAX / 4) return CAIRN_OK;
    CHECK(GROW(m->ctx, &stack, &capacity, 1));
    stack[n++] = (pending){.node = (int32_t)m->q->roots[0]};
    while (n > 0) {
        pending at = stack[--n];
        CHECK(GROW(m->ctx, &m->q->pairs, &buffer, n_pairs + 4));
        if (!m->nodes[at.node].test) {
            m->q->pairs[at.place] = leaf_pair(&m->nodes[at.node], at.place);
            continue;
        }
        CHECK(GROW(m->ctx, &stack, &capacity, n + 4));
        put_pair(m, &at, (uint32_t)n_pairs, stack + n);
        n_pairs += 4;
        n += 4;
    }
    return CAIRN_OK;
}

/* -- leaves -- */

/* The only output that a row of values adds to: width = none, width + 1 = there are several. */
static size_t only_output(const making *m, int32_t row, size_t known)
{
    size_t width = m->q->width;
    const double *values = m->op->numbers[CAIRN_TREES_VALUES] + (size_t)row * width;
    for (size_t k = 0; k < width; k++) {
        if (values[k] == 0 || k == known) continue;
        known = known == width ? k : width + 1;
    }
    return known;
}

/* The only output that the leaves below a node add to; a tree whose nodes are shared has none. */
static cairn_status output_below(making *m, int32_t root, pending **stack, size_t *capacity,
                                 size_t *out)
{
    const int32_t *links = m->op->codes[CAIRN_TREES_LINKS];
    size_t n = 0, visits = 0, width = m->q->width;
    CHECK(GROW(m->ctx, stack, capacity, 1));
    (*stack)[n++].node = root;
    for (*out = width; n > 0 && *out <= width;) {
        int32_t at = (*stack)[--n].node;
        const int32_t *node = node_at(m, at);
        if (node[0] < 0) {
            *out = only_output(m, node[3], *out);
            continue;
        }
        if (++visits > m->op->n_codes[CAIRN_TREES_NODES]) *out = width + 1;
        CHECK(GROW(m->ctx, stack, capacity, n + (size_t)branches_of(m, at) + 1));
        for (int32_t b = 0; b <= branches_of(m, at); b++)
            if (links[node[2] + b] >= 0) (*stack)[n++].node = links[node[2] + b];
    }
    return CAIRN_OK;
}

/* Whether the leaves of every tree add to one output of it alone, as in boosting. */
static cairn_status find_outputs(making *m, bool *out)
{
    OWNED(cairn_free) pending *stack = NULL;
    size_t capacity = 0, only, width = m->q->width;
    *out = true;
    for (size_t t = 0; t < m->q->n_trees && *out; t++) {
        CHECK(output_below(m, m->op->codes[CAIRN_TREES_ROOTS][t], &stack, &capacity, &only));
        *out = only <= width;
        m->q->outputs[t] = (uint32_t)(only < width ? only : 0);
    }
    return CAIRN_OK;
}

static cairn_status choose_leaves(making *m)
{
    const cairn_operation *op = m->op;
    bool one;
    m->q->leaves = LEAF_ROW;
    if (op->sizes[CAIRN_TREES_VOTES]) {
        m->q->leaves = LEAF_VOTE;
        for (size_t i = 0; i < op->n_codes[CAIRN_TREES_LABELS]; i++) {
            int32_t label = op->codes[CAIRN_TREES_LABELS][i];
            m->fails |= label < 0 || (size_t)label >= m->q->width;
        }
        return CAIRN_OK;
    }
    if (m->q->n_trees < 2 && !m->q->start) return CAIRN_OK;
    CHECK(find_outputs(m, &one));
    if (one) m->q->leaves = LEAF_ONE;
    return CAIRN_OK;
}

/* -- the whole -- */

/* The first slot among the inputs, and how many there are from there to the last. */
static size_t span_inputs(making *m)
{
    const cairn_operation *op = m->op;
    int32_t last = op->n_in ? op->in[0] : 0;
    m->base = last;
    for (size_t i = 0; i < op->n_in; i++) {
        m->base = op->in[i] < m->base ? op->in[i] : m->base;
        last = op->in[i] > last ? op->in[i] : last;
    }
    return (size_t)(last - m->base) + 1;
}

/* `fails` says that packed nodes cannot hold the trees, for which another plan is then needed. */
static cairn_status make_trees(making *m)
{
    const cairn_operation *op = m->op;
    size_t n_inner = 0, n_trees = m->q->n_trees;
    for (size_t i = 0; i < op->n_codes[CAIRN_TREES_NODES] / 4; i++) {
        const int32_t *node = node_at(m, (int32_t)i);
        n_inner += node[0] >= 0;
        m->fails |= node[0] >= 0 && node[1] == CAIRN_LOWER_BELOW &&
                    op->numbers[CAIRN_TREES_CUTS][i] == -INFINITY;
    }
    m->most_nodes = n_trees + op->n_codes[CAIRN_TREES_LINKS];
    m->fails |= op->codes[CAIRN_TREES_LINEAR] || span_inputs(m) >> (32 - TEST_BITS) ||
                m->most_nodes >= OPEN || n_inner == 0;
    if (m->fails) return CAIRN_OK;
    CHECK(NEW_EACH(m->ctx, n_trees, &m->q->roots, &m->q->depths));
    CHECK(NEW(m->ctx, &m->q->deepest, n_trees / LANES + 1));
    CHECK(NEW(m->ctx, &m->q->outputs, n_trees));
    CHECK(NEW_RAW(m->ctx, &m->nodes, m->most_nodes));
    m->q->nodes = m->nodes;
    CHECK(choose_leaves(m));
    if (!m->fails) CHECK(put_trees(m));
    if (m->fails) return CAIRN_OK;
    if (m->q->first > m->q->end) m->q->first = m->q->end;
    CHECK(put_pairs(m));
    return RESIZE(m->ctx, &m->q->nodes, m->n_nodes);
}

static void clear_trees(void *own)
{
    quick_trees *q = own;
    if (!q) return;
    cairn_free(q->nodes);
    cairn_free(q->pairs);
    cairn_free(q->roots);
    cairn_free(q->depths);
    cairn_free(q->deepest);
    cairn_free(q->outputs);
    cairn_free(q->ways);
    cairn_free(q);
}

cairn_status cairn_row_plan_trees(cairn_context *ctx, cairn_row_plan_step *step,
                                  const double *start, int32_t out)
{
    const cairn_operation *op = step->op;
    making m = {.ctx = ctx, .op = op};
    CHECK(NEW(ctx, &m.q, 1));
    *m.q = (quick_trees){.n_trees = (size_t)op->sizes[CAIRN_TREES_N],
                         .width = (size_t)op->sizes[CAIRN_TREES_WIDTH],
                         .only_cuts = true,
                         .first = SIZE_MAX,
                         .averaged = op->sizes[CAIRN_TREES_FOREST],
                         .out = out,
                         .values = op->numbers[CAIRN_TREES_VALUES],
                         .labels = op->codes[CAIRN_TREES_LABELS],
                         .start = start};
    m.q->single = m.q->n_trees == 1 && !m.q->averaged && !start;
    cairn_status status = make_trees(&m);
    if (status || m.fails || (start && m.q->open)) {
        clear_trees(m.q);
        return status;
    }
    step->own = m.q;
    step->clear = clear_trees;
    step->heavy = m.n_nodes > NEAR_NODES;
    step->reads_x = true;
    step->from = m.base;
    step->out = out;
    bool single = m.q->single;
    step->any.one = single ? run_tree : run_trees;
    step->any.all = run_all;
    step->complete.one = single ? quick_tree : quick_trees_one;
    step->complete.all = single ? quick_tree_all : quick_trees_all;
    if (!single || !m.q->labels || op->n_out != m.q->width + 1) return CAIRN_OK;
    step->complete_code = (cairn_row_form){quick_label, quick_label_all};
    return CAIRN_OK;
}
