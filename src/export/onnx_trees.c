/* SPDX-License-Identifier: MIT */
/* Trees in ONNX, exact in double: the tree operator of ONNX answers in float, so each tree answers
 * the number of its leaf (exact below 2^24), and what the leaf says is gathered in double.
 *
 * Tests of sets of levels, of a branch per level, and with surrogates become columns of their own
 * in
 * front of the operator. Where a missing cell leaves the way open, all leaves that a row can reach
 * are averaged; the operator cannot do this. Then the graph asks whether a cell of the batch is
 * missing, and if so works out the share of every leaf, depth by depth: the share of a node is that
 * of its parent times that of the branch. */
#include "base/number.h"
#include "export/onnx.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 2000, MOST_OPEN = 200000, EXACT = 1 << 24 };

/* How a branch is taken: the column is compared with the cut. */
typedef enum branch_test { AT_MOST, ABOVE, BELOW, FROM_ON, IS, IS_NOT, NEVER } branch_test;

/* A branch of a node: its test, the child behind it (-1 = the node itself answers), and the share
 * that it gets where the column is missing. */
typedef struct branch {
    int32_t column;
    branch_test test;
    double cut, missing;
    int32_t child;
} branch;

typedef struct wood {
    const cairn_operation *op;
    cairn_onnx_graph *g;
    const int32_t *nodes, *links;
    int32_t *columns; /* of the nodes: what they test among all columns */
    bool any_open;    /* some missing cell leaves the way open */
    int all;          /* the columns, with those that were made */
    int strays;       /* 1 where a level has no branch and no other way either; 0 = none can be */
    size_t n_nodes, n_branches;
    branch *branches; /* of all nodes, one after the other */
    size_t *starts;   /* n_nodes + 1 places there */
} wood;

static int ask(const wood *w, const char *op, int a, int b)
{
    return cairn_onnx_two(w->g, op, a, b);
}

static int32_t fan(const wood *w, size_t node)
{
    return w->nodes[4 * node + 1] == 3 ? (int32_t)w->op->numbers[0][node] : 2;
}

static bool has_surrogates(const wood *w, size_t node)
{
    const int32_t *starts = w->op->codes[5];
    return starts && starts[node + 1] > starts[node];
}

/* -- columns in front of the trees -- */

/* A value of a level: the branch that takes it, -1 = none does. */
static int32_t side_of_level(const wood *w, int test, double with, int32_t level)
{
    const int32_t *set = w->op->codes[7];
    if (test == 3) return level < (int32_t)with ? level : -1;
    set += (size_t)with;
    return level < set[0] ? set[1 + level] - 1 : -1;
}

static int32_t levels_of(const wood *w, int test, double with)
{
    return test == 3 ? (int32_t)with : w->op->codes[7][(size_t)with];
}

/* The branch as a column, missing where none takes the level. A level whose branch leads nowhere
 * goes the usual way, or is a stray: -1. */
static int level_column(wood *w, int32_t column, int test, double with, ptrdiff_t node)
{
    cairn_onnx_graph *g = w->g;
    int32_t n = levels_of(w, test, with);
    double *table;
    if (!ONNX_ROOM(w->g, &table, (size_t)n + 1)) return g->zeros;
    table[n] = NAN;
    for (int32_t l = 0; l < n; l++) {
        int32_t side = side_of_level(w, test, with, l);
        table[l] = side < 0 ? NAN : side;
        if (node < 0 || side < 0) continue;
        if (w->links[w->nodes[4 * node + 2] + side] >= 0) continue;
        int32_t usual = w->op->codes[4] ? w->op->codes[4][node] : -1;
        bool led = usual >= 0 && w->links[w->nodes[4 * node + 2] + usual] >= 0;
        table[l] = led ? usual : -1;
    }
    int x = cairn_onnx_slots(g, w->op->in + column, 1), all = cairn_onnx_number(g, n);
    int known =
        ask(w, "And", ask(w, "GreaterOrEqual", x, cairn_onnx_number(g, 0)), ask(w, "Less", x, all));
    static const int64_t flat[] = {-1};
    int at = cairn_onnx_cast(g, cairn_onnx_where(g, known, x, all), ONNX_INT64);
    return cairn_onnx_gather(g, cairn_onnx_numbers(g, table, (size_t)n + 1, 1),
                             cairn_onnx_shaped(g, at, flat, 1), 0);
}

/* The side of a test of two branches as a column: 0, 1 or missing. */
static int side_column(wood *w, int32_t column, int test, double with)
{
    static const char *const tests[] = {"LessOrEqual", "Less", "Equal"};
    cairn_onnx_graph *g = w->g;
    if (test > 2) return level_column(w, column, test, with, -1);
    int x = cairn_onnx_slots(g, w->op->in + column, 1);
    int left = ask(w, tests[test], x, cairn_onnx_number(g, with));
    int side = cairn_onnx_where(g, left, cairn_onnx_number(g, 0), cairn_onnx_number(g, 1));
    return cairn_onnx_where(g, cairn_onnx_one(g, "IsNaN", x), x, side);
}

/* The side of a node as its surrogates say it where its own cell is missing. */
static int surrogate_column(wood *w, size_t node)
{
    cairn_onnx_graph *g = w->g;
    const int32_t *starts = w->op->codes[5];
    int side = side_column(w, w->nodes[4 * node], w->nodes[4 * node + 1], w->op->numbers[0][node]);
    for (int32_t i = starts[node]; i < starts[node + 1]; i++) {
        const int32_t *s = w->op->codes[6] + 3 * (size_t)i;
        int other = side_column(w, s[0], s[1], w->op->numbers[3][i]);
        if (s[2]) other = ask(w, "Sub", cairn_onnx_number(g, 1), other);
        side = cairn_onnx_where(g, cairn_onnx_one(g, "IsNaN", side), other, side);
    }
    return side;
}

/* Whether the node needs a column of its own. */
static bool needs_column(const wood *w, size_t node)
{
    return w->nodes[4 * node] >= 0 && (w->nodes[4 * node + 1] > 2 || has_surrogates(w, node));
}

/* Equal sets of levels share their column. */
static bool same_column(const wood *w, size_t a, size_t b)
{
    const int32_t *x = w->nodes + 4 * a, *y = w->nodes + 4 * b, *sets = w->op->codes[7];
    if (x[0] != y[0] || x[1] != 4 || y[1] != 4) return false;
    if (has_surrogates(w, a) || has_surrogates(w, b)) return false;
    const int32_t *s = sets + (size_t)w->op->numbers[0][a];
    const int32_t *t = sets + (size_t)w->op->numbers[0][b];
    return s[0] == t[0] && memcmp(s, t, ((size_t)s[0] + 1) * sizeof *s) == 0;
}

static void make_columns(wood *w)
{
    cairn_onnx_graph *g = w->g;
    int *made, strays = 0;
    size_t n_made = 1, *owner;
    if (!ONNX_ROOM(w->g, &made, w->n_nodes + 2) || !ONNX_ROOM(w->g, &owner, w->n_nodes + 2)) return;
    made[0] = w->op->n_in ? cairn_onnx_inputs(g, w->op) : g->zeros;
    size_t first = w->op->n_in ? w->op->n_in : 1;
    for (size_t i = 0; i < w->n_nodes; i++) {
        size_t at = 1;
        w->columns[i] = w->nodes[4 * i];
        if (!needs_column(w, i)) continue;
        enum { LOOK_BACK = 64 };
        for (at = n_made > LOOK_BACK ? n_made - LOOK_BACK : 1; at < n_made; at++)
            if (same_column(w, owner[at], i)) break;
        if (at == n_made) {
            owner[n_made] = i;
            made[n_made++] = has_surrogates(w, i)
                                 ? surrogate_column(w, i)
                                 : level_column(w, w->nodes[4 * i], w->nodes[4 * i + 1],
                                                w->op->numbers[0][i], (ptrdiff_t)i);
            if (w->nodes[4 * i + 1] == 3) strays = 1;
        }
        w->columns[i] = (int32_t)(first + at - 1);
    }
    w->all = cairn_onnx_join(g, made, n_made, 1);
    w->strays = strays;
}

/* -- branches -- */

static void put_branch(wood *w, size_t node, branch_test test, double cut, double missing,
                       int32_t child)
{
    w->branches[w->n_branches++] = (branch){w->columns[node], test, cut, missing, child};
}

/* Where a row goes whose cell is missing: to a child, or nowhere (-1). */
static int32_t child_if_missing(const wood *w, size_t node)
{
    const int32_t *links = w->links + w->nodes[4 * node + 2], n = fan(w, node);
    int32_t usual = w->op->codes[4] ? w->op->codes[4][node] : -1;
    if (links[n] >= 0) return links[n];
    return usual < 0 ? -1 : links[usual];
}

/* The branches of a node: those of its test, one for missing cells that have a child of their own,
 * and the node itself where nothing is behind any of them. */
static void put_branches(wood *w, size_t node)
{
    static const branch_test tests[][2] = {{AT_MOST, ABOVE}, {BELOW, FROM_ON}, {IS, IS_NOT}};
    const int32_t *links = w->links + w->nodes[4 * node + 2], n = fan(w, node);
    const double *parts = w->op->numbers[1] ? w->op->numbers[1] + w->nodes[4 * node + 2] : NULL;
    int32_t lost = child_if_missing(w, node), test = w->nodes[4 * node + 1];
    bool own = has_surrogates(w, node) || test == 4, led = false;
    double total = 0;
    w->any_open |= lost < 0;
    for (int32_t b = 0; parts && b < n; b++) total += parts[b];
    for (int32_t b = 0; b < n; b++) {
        double share = 0;
        if (lost < 0 && parts && links[b] >= 0 && parts[b] > 0)
            share = w->op->sizes[5] ? parts[b] : parts[b] / total;
        else if (lost >= 0 && links[b] == lost && !led)
            share = 1;
        led |= share > 0;
        if (own)
            put_branch(w, node, b ? ABOVE : AT_MOST, 0.5, share, links[b]);
        else if (test == 3)
            put_branch(w, node, IS, b, share, links[b]);
        else
            put_branch(w, node, tests[test][b], w->op->numbers[0][node], share, links[b]);
    }
    if (!led) put_branch(w, node, NEVER, 0, 1, lost);
}

static void make_branches(wood *w)
{
    size_t most = 0;
    for (size_t i = 0; i < w->n_nodes; i++)
        if (w->nodes[4 * i] >= 0) most += (size_t)fan(w, i) + 2;
    if (!ONNX_ROOM(w->g, &w->branches, most + 1) || !ONNX_ROOM(w->g, &w->starts, w->n_nodes + 1))
        return;
    for (size_t i = 0; i < w->n_nodes; i++) {
        w->starts[i] = w->n_branches;
        if (w->nodes[4 * i] >= 0) put_branches(w, i);
    }
    w->starts[w->n_nodes] = w->n_branches;
}

/* -- the operator for trees -- */

/* Its attributes while they are gathered; a node of ours may become several of the operator's. */
typedef struct ensemble {
    wood *w;
    int64_t tree, fresh;
    int64_t *trees, *ids, *columns, *yes, *no, *lost_is_yes, *leaf_trees, *leaf_ids, *leaf_targets;
    const char **modes;
    double *cuts, *leaf_rows;
    size_t n, n_leaves, capacity;
} ensemble;

static bool grow_ensemble(ensemble *e)
{
    size_t capacity = e->capacity;
    cairn_context *ctx = e->w->g->nodes.ctx;
    size_t needed = (e->n > e->n_leaves ? e->n : e->n_leaves) + 1;
    if (needed <= capacity) return true;
    int64_t **wholes[] = {&e->trees,       &e->ids,        &e->columns,  &e->yes,         &e->no,
                          &e->lost_is_yes, &e->leaf_trees, &e->leaf_ids, &e->leaf_targets};
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
        capacity = e->capacity;
        if (!cairn_onnx_good(e->w->g, GROW(ctx, wholes[i], &capacity, needed))) return false;
    }
    capacity = e->capacity;
    if (!cairn_onnx_good(e->w->g, GROW(ctx, &e->modes, &capacity, needed))) return false;
    capacity = e->capacity;
    if (!cairn_onnx_good(e->w->g, GROW(ctx, &e->cuts, &capacity, needed))) return false;
    capacity = e->capacity;
    if (!cairn_onnx_good(e->w->g, GROW(ctx, &e->leaf_rows, &capacity, needed))) return false;
    e->capacity = capacity;
    return true;
}

static void clear_ensemble(ensemble *e)
{
    int64_t *wholes[] = {e->trees,       e->ids,        e->columns,  e->yes,         e->no,
                         e->lost_is_yes, e->leaf_trees, e->leaf_ids, e->leaf_targets};
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) cairn_free(wholes[i]);
    cairn_free(e->modes);
    cairn_free(e->cuts);
    cairn_free(e->leaf_rows);
}

/* One more node of the operator's; returns its place. */
static size_t put_node(ensemble *e, const char *mode, int32_t column, double cut, bool lost_is_yes)
{
    if (!grow_ensemble(e)) return 0;
    size_t at = e->n++;
    e->trees[at] = e->tree;
    e->ids[at] = e->fresh++;
    e->columns[at] = column < 0 ? 0 : column;
    e->modes[at] = mode;
    e->cuts[at] = cut;
    e->lost_is_yes[at] = lost_is_yes;
    e->yes[at] = e->no[at] = 0;
    return at;
}

static size_t put_tree(ensemble *e, int32_t node, int depth);

static size_t put_leaf(ensemble *e, int32_t node)
{
    size_t at = put_node(e, "LEAF", 0, 0, false);
    int32_t row = node < 0 ? 0 : e->w->nodes[4 * (size_t)node + 3];
    if (e->w->g->nodes.status != CAIRN_OK || !grow_ensemble(e)) return at;
    e->leaf_trees[e->n_leaves] = e->tree;
    e->leaf_ids[e->n_leaves] = e->ids[at];
    e->leaf_targets[e->n_leaves] = e->tree;
    e->leaf_rows[e->n_leaves++] = row < 0 ? 0 : row;
    return at;
}

/* A test with what is behind yes and no; the children are written after it. */
static size_t put_test(ensemble *e, const branch *b, bool lost_is_yes, int32_t yes, int32_t no,
                       int depth)
{
    static const char *const modes[] = {"BRANCH_LEQ", "BRANCH_GT",  "BRANCH_LT", "BRANCH_GTE",
                                        "BRANCH_EQ",  "BRANCH_NEQ", "BRANCH_LEQ"};
    size_t at = put_node(e, modes[b->test], b->column, b->cut, lost_is_yes);
    size_t left = put_tree(e, yes, depth), right = put_tree(e, no, depth);
    if (e->w->g->nodes.status != CAIRN_OK) return at;
    e->yes[at] = e->ids[left];
    e->no[at] = e->ids[right];
    return at;
}

/* A branch for each level: is it this one, or one of the others? */
static size_t put_levels(ensemble *e, const branch *b, size_t n, int depth)
{
    if (n == 1) return put_tree(e, b->child, depth);
    size_t at = put_node(e, "BRANCH_EQ", b->column, b->cut, b->missing > 0);
    size_t yes = put_tree(e, b->child, depth), no = put_levels(e, b + 1, n - 1, depth + 1);
    if (e->w->g->nodes.status != CAIRN_OK) return at;
    e->yes[at] = e->ids[yes];
    e->no[at] = e->ids[no];
    return at;
}

/* The node and all below it; returns its place in the attributes. */
static size_t put_tree(ensemble *e, int32_t node, int depth)
{
    wood *w = e->w;
    if (w->g->nodes.status != CAIRN_OK) return 0;
    if (depth > DEEPEST)
        w->g->nodes.status = cairn_program_refuse(
            w->g->program, "a tree is deeper than %d, which ONNX is not written for", DEEPEST);
    if (node < 0 || w->nodes[4 * (size_t)node] < 0) return put_leaf(e, node);
    const branch *b = w->branches + w->starts[node];
    size_t n = w->starts[node + 1] - w->starts[node], whole = n;
    while (n > 0 && b[n - 1].test == NEVER) n--;
    if (n < whole && b[n].child >= 0) {
        /* missing cells have a child of their own: every number is at most infinite */
        branch known = {b->column, AT_MOST, INFINITY, 0, 0};
        size_t at = put_node(e, "BRANCH_LEQ", known.column, known.cut, false);
        size_t yes = b->test == IS && n != 2
                         ? put_levels(e, b, n, depth + 1)
                         : put_test(e, b, false, b[0].child, b[1].child, depth + 1);
        size_t no = put_tree(e, b[n].child, depth + 1);
        if (w->g->nodes.status != CAIRN_OK) return at;
        e->yes[at] = e->ids[yes];
        e->no[at] = e->ids[no];
        return at;
    }
    if (w->nodes[4 * (size_t)node + 1] == 3 && !has_surrogates(w, (size_t)node))
        return put_levels(e, b, n, depth + 1);
    return put_test(e, b, b[0].missing > b[1].missing, b[0].child, b[1].child, depth + 1);
}

/* Rows of `values` that the trees answer, rows x trees. */
static int ask_ensemble(wood *w)
{
    cairn_onnx_graph *g = w->g;
    ensemble e = {.w = w};
    int out = g->zeros;
    for (int32_t t = 0; t < w->op->sizes[0]; t++) {
        e.tree = t;
        e.fresh = 0;
        (void)put_tree(&e, w->op->codes[0][t], 0);
    }
    if (g->nodes.status == CAIRN_OK) {
        cairn_text a = cairn_text_start(g->nodes.ctx);
        cairn_onnx_attribute_ints(&a, "nodes_treeids", e.trees, e.n);
        cairn_onnx_attribute_ints(&a, "nodes_nodeids", e.ids, e.n);
        cairn_onnx_attribute_ints(&a, "nodes_featureids", e.columns, e.n);
        cairn_onnx_attribute_texts(&a, "nodes_modes", e.modes, e.n);
        cairn_onnx_attribute_doubles(&a, "nodes_values_as_tensor", e.cuts, e.n);
        cairn_onnx_attribute_ints(&a, "nodes_truenodeids", e.yes, e.n);
        cairn_onnx_attribute_ints(&a, "nodes_falsenodeids", e.no, e.n);
        cairn_onnx_attribute_ints(&a, "nodes_missing_value_tracks_true", e.lost_is_yes, e.n);
        cairn_onnx_attribute_ints(&a, "target_treeids", e.leaf_trees, e.n_leaves);
        cairn_onnx_attribute_ints(&a, "target_nodeids", e.leaf_ids, e.n_leaves);
        cairn_onnx_attribute_ints(&a, "target_ids", e.leaf_targets, e.n_leaves);
        cairn_onnx_attribute_doubles(&a, "target_weights_as_tensor", e.leaf_rows, e.n_leaves);
        cairn_onnx_attribute_int(&a, "n_targets", w->op->sizes[0]);
        cairn_onnx_attribute_text(&a, "aggregate_function", "SUM");
        cairn_onnx_attribute_text(&a, "post_transform", "NONE");
        out = cairn_onnx_cast(g, cairn_onnx_node(g, "TreeEnsembleRegressor", &a, 1, w->all),
                              ONNX_INT64);
    }
    clear_ensemble(&e);
    return out;
}

/* -- what leaves say -- */

static int numbers_of_codes(wood *w, const int32_t *codes, size_t n)
{
    double *numbers;
    if (!ONNX_ROOM(w->g, &numbers, n + 1)) return w->g->zeros;
    for (size_t i = 0; i < n; i++) numbers[i] = codes[i];
    return cairn_onnx_numbers(w->g, numbers, 0, n);
}

/* How far the line of each leaf that has one is from its constant, rows x lines. */
static int slopes_of(wood *w)
{
    cairn_onnx_graph *g = w->g;
    const cairn_operation *op = w->op;
    size_t n = (size_t)op->sizes[4], lines = op->n_numbers[5] / n;
    double *turned, *centred;
    int32_t *slots;
    if (!ONNX_ROOM(w->g, &turned, n * lines + 1) || !ONNX_ROOM(w->g, &centred, n * lines + 1) ||
        !ONNX_ROOM(w->g, &slots, n + 1))
        return g->zeros;
    for (size_t l = 0; l < lines; l++)
        for (size_t j = 0; j < n; j++) {
            turned[j * lines + l] = op->numbers[5][l * n + j];
            centred[j * lines + l] = op->numbers[5][l * n + j] * op->numbers[6][l * n + j];
        }
    for (size_t j = 0; j < n; j++) slots[j] = op->in[op->codes[10][j]];
    int x = cairn_onnx_slots(g, slots, n), gone = cairn_onnx_one(g, "IsNaN", x);
    int there = cairn_onnx_cast(g, cairn_onnx_one(g, "Not", gone), ONNX_DOUBLE);
    int known = cairn_onnx_where(g, gone, cairn_onnx_number(g, 0), x);
    return ask(w, "Sub", ask(w, "MatMul", known, cairn_onnx_numbers(g, turned, n, lines)),
               ask(w, "MatMul", there, cairn_onnx_numbers(g, centred, n, lines)));
}

/* Shares of classes by a vote of every tree: rows x trees of labels. */
static int votes_of(wood *w, int labels, size_t k)
{
    cairn_onnx_graph *g = w->g;
    int *counts;
    if (!ONNX_ROOM(w->g, &counts, k + 1)) return labels;
    for (size_t c = 0; c < k; c++) {
        int mine = ask(w, "Equal", labels, cairn_onnx_number(g, (double)c));
        counts[c] = cairn_onnx_along(g, "ReduceSum", cairn_onnx_cast(g, mine, ONNX_DOUBLE));
    }
    return cairn_onnx_join(g, counts, k, 1);
}

/* The answer, from the sums of values and, where there are labels, the label of each tree. */
static int answer_of(wood *w, int sums, int labels)
{
    cairn_onnx_graph *g = w->g;
    size_t k = (size_t)w->op->sizes[1], n = (size_t)w->op->sizes[0];
    int out = w->op->sizes[2] ? votes_of(w, labels, k) : sums, code;
    if (w->op->sizes[5]) {
        code = cairn_onnx_cast(g, cairn_onnx_along(g, "ArgMax", out), ONNX_DOUBLE);
        out = ask(w, "Div", out, cairn_onnx_unfused(g, (double)n));
    } else {
        code = labels ? cairn_onnx_columns(g, labels, n - 1, n) : g->zeros;
    }
    int parts[] = {out, code};
    return w->op->n_out > k ? cairn_onnx_join(g, parts, 2, 1) : out;
}

/* The line of the leaf, where it has one. */
static int add_slopes(wood *w, int values, int rows)
{
    cairn_onnx_graph *g = w->g;
    int line =
        cairn_onnx_gather(g, numbers_of_codes(w, w->op->codes[9], w->op->n_codes[9]), rows, 0);
    int zero = cairn_onnx_number(g, 0), has = ask(w, "Greater", line, zero);
    int at = cairn_onnx_where(g, has, ask(w, "Sub", line, cairn_onnx_number(g, 1)), zero);
    cairn_text along = cairn_text_start(g->nodes.ctx);
    cairn_onnx_attribute_int(&along, "axis", 1);
    int slope = cairn_onnx_node(g, "GatherElements", &along, 2, slopes_of(w),
                                cairn_onnx_cast(g, at, ONNX_INT64));
    slope = cairn_onnx_where(g, has, slope, zero);
    return ask(w, "Add", values, cairn_onnx_along(g, "ReduceSum", slope));
}

static int answer_of_rows(wood *w, int rows)
{
    static const int64_t second[] = {1};
    cairn_onnx_graph *g = w->g;
    const cairn_operation *op = w->op;
    size_t k = (size_t)op->sizes[1];
    int table = cairn_onnx_numbers(g, op->numbers[2], op->n_numbers[2] / (k ? k : 1), k);
    cairn_text along = cairn_text_start(g->nodes.ctx);
    cairn_onnx_attribute_int(&along, "keepdims", 0);
    int each = cairn_onnx_gather(g, table, rows, 0), labels = 0;
    int sums = cairn_onnx_node(g, "ReduceSum", &along, 2, each, cairn_onnx_wholes(g, second, 1));
    if (op->n_codes[9] && op->sizes[4]) sums = add_slopes(w, sums, rows);
    if (op->n_codes[3])
        labels = cairn_onnx_gather(g, numbers_of_codes(w, op->codes[3], op->n_codes[3]), rows, 0);
    return answer_of(w, sums, labels);
}

/* -- all leaves that a row can reach -- */

/* A node that a row can reach; `stays`: it answers itself, as no branch is open. */
typedef struct reach {
    int32_t node;
    bool stays;
} reach;

/* Shares of the branches of all nodes of a depth. */
static int branch_shares(wood *w, const branch *const *b, size_t n)
{
    static const char *const tests[] = {"LessOrEqual", "Greater", "Less", "GreaterOrEqual",
                                        "Equal"};
    cairn_onnx_graph *g = w->g;
    int64_t *at;
    double *cuts, *missing, *is;
    int taken = 0;
    if (!ONNX_ROOM(w->g, &at, n) || !ONNX_ROOM(w->g, &cuts, n) || !ONNX_ROOM(w->g, &missing, n) ||
        !ONNX_ROOM(w->g, &is, n))
        return g->zeros;
    for (size_t i = 0; i < n; i++) {
        at[i] = b[i]->column;
        cuts[i] = b[i]->cut;
        missing[i] = b[i]->missing;
    }
    int x = cairn_onnx_gather(g, w->all, cairn_onnx_wholes(g, at, n), 1),
        cut = cairn_onnx_numbers(g, cuts, 0, n);
    for (int test = AT_MOST; test <= IS_NOT; test++) {
        size_t some = 0;
        for (size_t i = 0; i < n; i++) {
            is[i] = (int)b[i]->test == test;
            some += is[i] > 0;
        }
        if (some == 0) continue;
        int y = test == IS_NOT ? cairn_onnx_one(g, "Not", ask(w, "Equal", x, cut))
                               : ask(w, tests[test], x, cut);
        y = ask(w, "And", y,
                ask(w, "Greater", cairn_onnx_numbers(g, is, 0, n), cairn_onnx_number(g, 0)));
        taken = taken ? ask(w, "Or", taken, y) : y;
    }
    int share = taken ? cairn_onnx_cast(g, taken, ONNX_DOUBLE)
                      : cairn_onnx_spread(g, cairn_onnx_number(g, 0), n);
    for (size_t i = 0; i < n; i++) is[i] = w->strays && b[i]->test == IS;
    int open = cairn_onnx_one(g, "IsNaN", x);
    int stray = ask(w, "And", ask(w, "Less", x, cairn_onnx_number(g, 0)),
                    ask(w, "Greater", cairn_onnx_numbers(g, is, 0, n), cairn_onnx_number(g, 0)));
    if (w->strays) open = ask(w, "Or", open, stray);
    return cairn_onnx_where(g, open, cairn_onnx_numbers(g, missing, 0, n), share);
}

/* The place of every node in the order of a walk that takes the first branch first. */
static size_t walk_order(const wood *w, int32_t node, bool stays, int32_t *rows, size_t n, int deep)
{
    if (deep > DEEPEST || w->g->nodes.status != CAIRN_OK) return n;
    if (stays || w->nodes[4 * (size_t)node] < 0) {
        int32_t row = w->nodes[4 * (size_t)node + 3];
        rows[n] = row < 0 ? 0 : row;
        return n + 1;
    }
    for (size_t b = w->starts[node]; b < w->starts[node + 1]; b++)
        if (w->branches[b].child >= 0 || w->branches[b].test == NEVER)
            n = walk_order(w, w->branches[b].child < 0 ? node : w->branches[b].child,
                           w->branches[b].child < 0, rows, n, deep + 1);
    return n;
}

/* How many leaves the walk meets. */
static size_t count_leaves(const wood *w, int32_t node, bool stays, int deep)
{
    size_t n = 0;
    if (deep > DEEPEST || stays || w->nodes[4 * (size_t)node] < 0) return 1;
    for (size_t b = w->starts[node]; b < w->starts[node + 1]; b++)
        if (w->branches[b].child >= 0 || w->branches[b].test == NEVER)
            n += count_leaves(w, w->branches[b].child < 0 ? node : w->branches[b].child,
                              w->branches[b].child < 0, deep + 1);
    return n;
}

/* A node of a depth, with the first of the leaves below it in the order of the walk. */
typedef struct place {
    reach is;
    size_t first;
} place;

/* One step down: shares of the places in `from` become those in `to`, leaves among them. */
static int step_down(wood *w, int shares, const place *from, size_t n_from, place *to, size_t *n_to)
{
    cairn_onnx_graph *g = w->g;
    const branch **b;
    int64_t *parents;
    size_t most = 0, n = 0;
    for (size_t i = 0; i < n_from; i++)
        most += w->starts[from[i].is.node + 1] - w->starts[from[i].is.node];
    if (!ONNX_ROOM(w->g, &b, most + 1) || !ONNX_ROOM(w->g, &parents, most + 1)) return shares;
    for (size_t i = 0; i < n_from; i++) {
        size_t first = from[i].first;
        for (size_t k = w->starts[from[i].is.node]; k < w->starts[from[i].is.node + 1]; k++) {
            const branch *own = &w->branches[k];
            if (own->child < 0 && own->test != NEVER) continue;
            reach next = {own->child < 0 ? from[i].is.node : own->child, own->child < 0};
            b[n] = own;
            parents[n] = (int64_t)i;
            to[n++] = (place){next, first};
            first += count_leaves(w, next.node, next.stays, 0);
        }
    }
    *n_to = n;
    int above = cairn_onnx_gather(g, shares, cairn_onnx_wholes(g, parents, n), 1);
    return ask(w, "Mul", above, branch_shares(w, b, n));
}

/* The shares of all leaves of a tree in the order in which the library looks at them, and the rows
 * of `values` that they have. */
static int leaf_shares(wood *w, int32_t root, int32_t *rows, size_t *n_leaves)
{
    cairn_onnx_graph *g = w->g;
    size_t total = count_leaves(w, root, false, 0), n = 1, n_parts = 0, placed = 0;
    place *from, *to;
    int *parts;
    int64_t *order, *kept;
    *n_leaves = walk_order(w, root, false, rows, 0, 0);
    if (!ONNX_ROOM(w->g, &from, total + 1) || !ONNX_ROOM(w->g, &to, total + 1) ||
        !ONNX_ROOM(w->g, &parts, DEEPEST + 2) || !ONNX_ROOM(w->g, &order, total + 1) ||
        !ONNX_ROOM(w->g, &kept, total + 1))
        return g->zeros;
    from[0] = (place){{root, false}, 0};
    int shares = ask(w, "Add", g->zeros, cairn_onnx_number(g, 1));
    for (int deep = 0; n > 0 && deep <= DEEPEST && g->nodes.status == CAIRN_OK; deep++) {
        size_t inner = 0, leaves = 0;
        int64_t *stay;
        if (!ONNX_ROOM(w->g, &stay, n + 1)) break;
        for (size_t i = 0; i < n; i++) {
            bool leaf = from[i].is.stays || w->nodes[4 * (size_t)from[i].is.node] < 0;
            if (leaf) {
                order[from[i].first] = (int64_t)placed++;
                kept[leaves++] = (int64_t)i;
            } else {
                stay[inner] = (int64_t)i;
                from[inner++] = from[i];
            }
        }
        if (leaves)
            parts[n_parts++] = cairn_onnx_gather(g, shares, cairn_onnx_wholes(g, kept, leaves), 1);
        if (inner == 0) break;
        if (leaves) shares = cairn_onnx_gather(g, shares, cairn_onnx_wholes(g, stay, inner), 1);
        shares = step_down(w, shares, from, inner, to, &n);
        place *swap = from;
        from = to;
        to = swap;
    }
    if (g->nodes.status != CAIRN_OK) return g->zeros;
    int all = cairn_onnx_join(g, parts, n_parts, 1);
    return cairn_onnx_gather(g, all, cairn_onnx_wholes(g, order, total), 1);
}

/* The class of averaged shares, as tree_choose of runtime.h says. */
static int chosen_of(wood *w, int sums)
{
    cairn_onnx_graph *g = w->g;
    size_t k = (size_t)w->op->sizes[1];
    const double *choice = w->op->numbers[4];
    int best = 0, most = 0, tie = cairn_onnx_number(g, choice[2 * k]);
    for (size_t i = 0; i < k; i++) {
        size_t c = (size_t)w->op->codes[8][i];
        int y =
            ask(w, "Sub", cairn_onnx_columns(g, sums, c, c + 1), cairn_onnx_number(g, choice[c]));
        y = ask(w, "Mul", y, cairn_onnx_number(g, choice[k + c]));
        int class = ask(w, "Add", g->zeros, cairn_onnx_number(g, (double)c));
        int more = i ? ask(w, "Greater", y, ask(w, "Add", most, tie)) : 0;
        best = i ? cairn_onnx_where(g, more, class, best) : class;
        most = i ? cairn_onnx_where(g, more, y, most) : y;
    }
    return best;
}

/* Values and label of one tree, from the shares of its leaves. */
static int answer_of_tree(wood *w, int32_t root, int *label)
{
    cairn_onnx_graph *g = w->g;
    const cairn_operation *op = w->op;
    size_t k = (size_t)op->sizes[1], n = count_leaves(w, root, false, 0);
    int32_t *rows;
    double *values, *labels, *lines;
    if (!ONNX_ROOM(w->g, &rows, n + 1) || !ONNX_ROOM(w->g, &values, n * k + 1) ||
        !ONNX_ROOM(w->g, &labels, n + 1))
        return g->zeros;
    int shares = leaf_shares(w, root, rows, &n);
    if (g->nodes.status != CAIRN_OK) return g->zeros;
    for (size_t i = 0; i < n; i++)
        memcpy(values + i * k, op->numbers[2] + (size_t)rows[i] * k, k * sizeof *values);
    int sums = ask(w, "MatMul", shares, cairn_onnx_numbers(g, values, n, k));
    if (op->n_codes[9] && op->sizes[4]) {
        size_t n_lines = op->n_numbers[5] / (size_t)op->sizes[4];
        if (!ONNX_ROOM(w->g, &lines, n * n_lines + 1)) return sums;
        for (size_t i = 0; i < n; i++) {
            int32_t line = op->codes[9][rows[i]];
            if (line > 0) lines[i * n_lines + (size_t)line - 1] = 1;
        }
        int of = ask(w, "MatMul", shares, cairn_onnx_numbers(g, lines, n, n_lines));
        sums =
            ask(w, "Add", sums, cairn_onnx_along(g, "ReduceSum", ask(w, "Mul", of, slopes_of(w))));
    }
    if (!op->n_codes[3]) return sums;
    for (size_t i = 0; i < n; i++) labels[i] = op->codes[3][rows[i]];
    static const int64_t flat[] = {-1};
    int best = cairn_onnx_shaped(g, cairn_onnx_along(g, "ArgMax", shares), flat, 1);
    *label = cairn_onnx_gather(g, cairn_onnx_numbers(g, labels, n, 1), best, 0);
    if (op->sizes[3]) {
        int most = cairn_onnx_along(g, "ReduceMax", shares);
        int several = ask(w, "And", ask(w, "Less", most, cairn_onnx_number(g, 1)),
                          ask(w, "GreaterOrEqual", *label, cairn_onnx_number(g, 0)));
        *label = cairn_onnx_where(g, several, chosen_of(w, sums), *label);
    }
    return sums;
}

static int answer_of_shares(wood *w)
{
    cairn_onnx_graph *g = w->g;
    size_t n = (size_t)w->op->sizes[0];
    int *labels, sums = 0;
    if (!ONNX_ROOM(w->g, &labels, n + 1)) return g->zeros;
    for (size_t t = 0; t < n && g->nodes.status == CAIRN_OK; t++) {
        int own = answer_of_tree(w, w->op->codes[0][t], &labels[t]);
        sums = t ? ask(w, "Add", sums, own) : own;
    }
    return answer_of(w, sums, w->op->n_codes[3] ? cairn_onnx_join(g, labels, n, 1) : 0);
}

/* -- the operation -- */

/* A graph inside an If: what `answer` writes into it. */
static void put_side(wood *w, cairn_text *attributes, const char *name, bool of_shares)
{
    cairn_onnx_graph *g = w->g;
    cairn_text outer = g->nodes, attribute = cairn_text_start(outer.ctx);
    g->nodes = cairn_text_start(outer.ctx);
    cairn_onnx_put_text(&g->nodes, 2, name);
    int out = of_shares ? answer_of_shares(w) : answer_of_rows(w, ask_ensemble(w));
    char said[32];
    (void)snprintf(said, sizeof said, "%s_%d", name, out);
    cairn_onnx_name(g, out, said);
    cairn_onnx_value(g, true, said, ONNX_DOUBLE, (int64_t)w->op->n_out);
    cairn_onnx_put_text(&attribute, 1, name);
    cairn_onnx_put_number(&attribute, 20, 5);
    cairn_text inner = g->nodes;
    g->nodes = outer;
    if (inner.status != CAIRN_OK) g->nodes.status = inner.status;
    cairn_onnx_put_message(&attribute, 6, &inner);
    cairn_onnx_put_message(attributes, 5, &attribute);
}

int cairn_onnx_trees(cairn_onnx_graph *g, const cairn_operation *op)
{
    wood w = {.op = op,
              .g = g,
              .nodes = op->codes[1],
              .links = op->codes[2],
              .n_nodes = op->n_codes[1] / 4};
    if (!ONNX_ROOM(g, &w.columns, w.n_nodes + 1)) return g->zeros;
    if (op->n_numbers[2] / ((size_t)op->sizes[1] + !op->sizes[1]) >= EXACT)
        g->nodes.status = cairn_program_refuse(
            g->program, "its trees have more than %d leaves, which ONNX cannot number", EXACT);
    make_columns(&w);
    make_branches(&w);
    if (g->nodes.status != CAIRN_OK) return g->zeros;
    if (!w.any_open && !w.strays) return answer_of_rows(&w, ask_ensemble(&w));
    if (w.n_nodes > MOST_OPEN)
        g->nodes.status = cairn_program_refuse(
            g->program,
            "a missing cell may go down all branches of its %zu nodes, which is not "
            "written for so many; fit so that missing cells go one way "
            "(missing-in-model=branch), or export to c, py or js",
            w.n_nodes);
    cairn_text sides = cairn_text_start(g->nodes.ctx);
    int open = cairn_onnx_one(g, "IsNaN", w.all);
    if (w.strays) open = ask(&w, "Or", open, ask(&w, "Equal", w.all, cairn_onnx_number(g, -1)));
    static const int64_t none[] = {0}, flat[] = {-1};
    int any = cairn_onnx_shaped(g, cairn_onnx_cast(g, open, ONNX_DOUBLE), flat, 1);
    cairn_text along = cairn_text_start(g->nodes.ctx);
    cairn_onnx_attribute_ints(&along, "axes", none, 1);
    cairn_onnx_attribute_int(&along, "keepdims", 1);
    any = ask(&w, "Greater", cairn_onnx_node(g, "ReduceMax", &along, 1, any),
              cairn_onnx_number(g, 0));
    put_side(&w, &sides, "then_branch", true);
    put_side(&w, &sides, "else_branch", false);
    return cairn_onnx_node(g, "If", &sides, 1, any);
}
