/* SPDX-License-Identifier: MIT */
/* Trees that are asked about one row.
 *
 * A node is 16 bytes. Children of a cut lie side by side and a leaf leads to itself, so a step of
 * the walk is a comparison and an addition without a branch, and several trees go down together:
 * while the memory of one is waited for, the others move. Levels, sets of levels and branches for
 * missing cells look their child up in a table. Where a missing cell leaves the way open, the row
 * is asked as programs that are exported do it, with surrogates and shares. */
#include "base/memory.h"
#include "learners/tree/tree_lower.h"
#include "predict/plan.h"
#include <math.h>
#include <string.h>

enum { LANES = 8 };
/* Bits of `test`, below the slot. A leaf has none, a plain cut the first. */
enum { CUT = 1, MISSING_LEFT = 2, BY_CUT = 4, BY_LEVEL = 8, BY_TABLE = 16, TEST_BITS = 5 };
static const uint32_t OPEN = UINT32_MAX; /* a child that only the exported form can find */

typedef struct quick_node {
    union {
        double cut;    /* of a table: how many levels it has */
        double value;  /* of a leaf of a tree with one output */
        uint64_t leaf; /* of another leaf: its row of values, or its vote */
    };
    uint32_t child; /* the left one, the right one is next; the first entry of `ways`; of a leaf:
                       itself */
    uint32_t test;
} quick_node;

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
    bool averaged;        /* a forest: sums are divided, the largest is the class */
    int32_t out;          /* the first slot that is written */
    const double *values; /* rows of `width` */
    const int32_t *labels;
    const double *start; /* width; NULL = zeros */
    quick_node *nodes;
    uint32_t *roots;   /* n_trees */
    uint32_t *outputs; /* n_trees: LEAF_ONE */
    uint32_t *ways;
    size_t first, end; /* slots that cuts ask for are among these */
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
static inline uint32_t walk_one(const quick_trees *q, uint32_t at, const double *v)
{
    for (uint32_t test; (test = q->nodes[at].test) != 0;) {
        at = step_any(q, &q->nodes[at], v[test >> TEST_BITS]);
        if (at == OPEN) return OPEN;
    }
    return at;
}

/* The same for cuts alone and a row without missing cells. */
static inline uint32_t walk_cuts(const quick_node *nodes, uint32_t at, const double *v)
{
    for (uint32_t test; (test = nodes[at].test) != 0;)
        at = step_complete(&nodes[at], v[test >> TEST_BITS]);
    return at;
}

/* LANES trees go down together until all of them stand. */
static inline void walk_lanes(const quick_node *nodes, uint32_t at[LANES], const double *v)
{
    uint32_t open;
    do {
        open = 0;
        for (int l = 0; l < LANES; l++) {
            const quick_node *node = &nodes[at[l]];
            at[l] = step_complete(node, v[node->test >> TEST_BITS]);
            open |= nodes[at[l]].test;
        }
    } while (open);
}

/* The leaves of trees t .. t + n - 1; false when one of them is OPEN. `complete`: only cuts are
 * asked, and no cell is missing. */
static inline bool find_leaves(const quick_trees *q, size_t t, size_t n, const double *v,
                               bool complete, uint32_t at[LANES])
{
    for (size_t l = 0; l < n; l++) at[l] = q->roots[t + l];
    if (complete && n == LANES) {
        walk_lanes(q->nodes, at, v);
        return true;
    }
    for (size_t l = 0; l < n; l++) {
        at[l] = complete ? walk_cuts(q->nodes, at[l], v) : walk_one(q, at[l], v);
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
static bool any_missing(const quick_trees *q, const double *v)
{
    int missing = 0;
    for (size_t i = q->first; i < q->end; i++) missing |= v[i] != v[i];
    return missing;
}

/* The values and the label of a leaf. */
static inline void put_leaf_values(const quick_trees *q, uint32_t at, double *v)
{
    uint64_t leaf = q->nodes[at].leaf;
    memcpy(v + q->out, q->values + leaf * q->width, q->width * sizeof *v);
    if (q->labels) v[q->out + (int32_t)q->width] = q->labels[leaf];
}

/* One tree. */
static void run_tree(const cairn_row_plan_step *step, double *v)
{
    const quick_trees *q = step->own;
    bool missing = any_missing(q, v);
    uint32_t at = OPEN;
    if (q->only_cuts && !missing)
        at = walk_cuts(q->nodes, q->roots[0], v);
    else if (!missing || !q->open)
        at = walk_one(q, q->roots[0], v);
    if (at == OPEN) {
        cairn_ready_op_run(step->ready, v);
        return;
    }
    put_leaf_values(q, at, v);
}

/* One tree and LANES rows that go down together, where none of them has a missing cell. */
static void run_tree_lanes(const cairn_row_plan_step *step, double *v, size_t width)
{
    const quick_trees *q = step->own;
    uint32_t at[LANES], open;
    for (int l = 0; l < LANES; l++) at[l] = q->roots[0];
    do {
        open = 0;
        for (int l = 0; l < LANES; l++) {
            const quick_node *node = &q->nodes[at[l]];
            at[l] = step_complete(node, v[(size_t)l * width + (node->test >> TEST_BITS)]);
            open |= q->nodes[at[l]].test;
        }
    } while (open);
    for (int l = 0; l < LANES; l++) put_leaf_values(q, at[l], v + (size_t)l * width);
}

static void run_tree_all(const cairn_row_plan_step *step, double *v, size_t width, size_t n)
{
    const quick_trees *q = step->own;
    for (size_t r = 0; r < n;) {
        bool plain = q->only_cuts && n - r >= LANES;
        for (size_t l = 0; plain && l < LANES; l++) plain = !any_missing(q, v + (r + l) * width);
        if (plain)
            run_tree_lanes(step, v + r * width, width);
        else
            run_tree(step, v + r * width);
        r += plain ? LANES : 1;
    }
}

/* Several trees: what their leaves say is added up in the order of the trees. */
static void run_trees(const cairn_row_plan_step *step, double *v)
{
    const quick_trees *q = step->own;
    double *sums = v + q->out;
    uint32_t at[LANES];
    bool missing = any_missing(q, v), found = !missing || !q->open;
    for (size_t k = 0; k < q->width; k++) sums[k] = q->start ? q->start[k] : 0;
    for (size_t t = 0, n; found && t < q->n_trees; t += n) {
        n = q->n_trees - t < LANES ? q->n_trees - t : LANES;
        found = find_leaves(q, t, n, v, q->only_cuts && !missing, at);
        for (size_t l = 0; found && l < n; l++) add_leaf(q, t + l, at[l], sums);
    }
    if (!found)
        cairn_ready_op_run(step->ready, v);
    else if (q->averaged)
        finish_average(q, sums, step->op->n_out > q->width);
}

/* -- making -- */

typedef struct making {
    cairn_context *ctx;
    const cairn_operation *op;
    quick_trees *q;
    quick_node *nodes;
    size_t n_nodes, most_nodes;
    size_t n_ways, ways_capacity;
    size_t n_slots;
    bool fails; /* it has no such form */
} making;

/* Which node of the operation goes to which place. */
typedef struct pending {
    int32_t node;
    uint32_t place, tree;
} pending;

static const int32_t *node_at(const making *m, int32_t node)
{
    return m->op->codes[CAIRN_TREES_NODES] + 4 * (size_t)node;
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

/* A leaf leads to itself. */
static void put_leaf(making *m, const pending *at)
{
    quick_node *to = &m->nodes[at->place];
    int32_t row = node_at(m, at->node)[3];
    *to = (quick_node){.leaf = (uint64_t)row, .child = at->place};
    if (m->q->leaves == LEAF_ONE)
        to->value =
            m->op->numbers[CAIRN_TREES_VALUES][(size_t)row * m->q->width + m->q->outputs[at->tree]];
    if (m->q->leaves == LEAF_VOTE) to->leaf = (uint64_t)m->op->codes[CAIRN_TREES_LABELS][row];
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
            stack[pushed++] = (pending){child, place, at->tree};
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
    m->nodes[at->place] = (quick_node){
        .cut = n, .child = first, .test = (uint32_t)m->op->in[node[0]] << TEST_BITS | BY_TABLE};
    return CAIRN_OK;
}

/* A cut or a level with a way of its own for missing cells. */
static cairn_status put_three(making *m, const pending *at, const uint32_t *children,
                              uint32_t missing)
{
    const int32_t *node = node_at(m, at->node);
    uint32_t *ways, first;
    CHECK(take_ways(m, 3, &ways, &first));
    ways[0] = children[0];
    ways[1] = children[1];
    ways[2] = missing;
    m->nodes[at->place] = (quick_node){.cut = cut_of(m, at->node),
                                       .child = first,
                                       .test = (uint32_t)m->op->in[node[0]] << TEST_BITS |
                                               (node[1] == CAIRN_LOWER_LEVEL ? BY_LEVEL : BY_CUT)};
    return CAIRN_OK;
}

/* The two children of a plain cut lie side by side. */
static size_t put_cut(making *m, const pending *at, pending *stack)
{
    const int32_t *node = node_at(m, at->node);
    const int32_t *links = m->op->codes[CAIRN_TREES_LINKS] + node[2];
    int32_t missing = missing_child(m, at->node), slot = m->op->in[node[0]];
    uint32_t first = take_places(m, 2);
    if (m->fails) return 0;
    m->q->open |= missing < 0;
    if ((size_t)slot < m->q->first) m->q->first = (size_t)slot;
    if ((size_t)slot >= m->q->end) m->q->end = (size_t)slot + 1;
    m->nodes[at->place] = (quick_node){.cut = cut_of(m, at->node),
                                       .child = first,
                                       .test = (uint32_t)slot << TEST_BITS |
                                               (missing == links[1] ? CUT : CUT | MISSING_LEFT)};
    stack[0] = (pending){links[1], first + 1, at->tree};
    stack[1] = (pending){links[0], first, at->tree};
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
        put_leaf(m, at);
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
    return put_three(m, at, children, missing);
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
        stack[n++] = (pending){m->op->codes[CAIRN_TREES_ROOTS][t], m->q->roots[t], (uint32_t)t};
        while (n > 0 && !m->fails) {
            CHECK(GROW(m->ctx, &stack, &capacity, n + wide));
            pending at = stack[--n];
            CHECK(put_node(m, &at, stack + n, children, &pushed));
            n += pushed;
        }
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
    for (size_t i = 0; i < op->n_in; i++)
        if ((size_t)op->in[i] >= m->n_slots) m->n_slots = (size_t)op->in[i] + 1;
    m->most_nodes = n_trees + op->n_codes[CAIRN_TREES_LINKS];
    m->fails |= op->codes[CAIRN_TREES_LINEAR] || m->n_slots >> (32 - TEST_BITS) ||
                m->most_nodes >= OPEN || n_inner == 0;
    if (m->fails) return CAIRN_OK;
    CHECK(NEW(m->ctx, &m->q->roots, n_trees));
    CHECK(NEW(m->ctx, &m->q->outputs, n_trees));
    CHECK(NEW_RAW(m->ctx, &m->nodes, m->most_nodes));
    m->q->nodes = m->nodes;
    CHECK(choose_leaves(m));
    if (!m->fails) CHECK(put_trees(m));
    if (m->fails) return CAIRN_OK;
    if (m->q->first > m->q->end) m->q->first = m->q->end;
    return RESIZE(m->ctx, &m->q->nodes, m->n_nodes);
}

static void clear_trees(void *own)
{
    quick_trees *q = own;
    if (!q) return;
    cairn_free(q->nodes);
    cairn_free(q->roots);
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
    cairn_status status = make_trees(&m);
    if (status || m.fails || (start && m.q->open)) {
        clear_trees(m.q);
        return status;
    }
    step->own = m.q;
    step->clear = clear_trees;
    bool one = m.q->n_trees == 1 && !m.q->averaged && !start;
    step->run = one ? run_tree : run_trees;
    if (one) step->run_all = run_tree_all;
    return CAIRN_OK;
}
