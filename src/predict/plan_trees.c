/* SPDX-License-Identifier: MIT */
/* Trees that are asked about one row, or about a few, in their packed form
 * (learners/tree/packed.h). Where a missing cell leaves the way open, the row is asked as programs
 * that are exported do it, with surrogates and shares. */
#include "learners/tree/packed.h"
#include "learners/tree/tree_lower.h"
#include "predict/plan.h"
#include <math.h>

/* Nodes that a processor keeps near. Of more the learner answers many rows sooner: it sorts them,
 * so that rows that go the same way come one after the other. */
enum { NEAR_NODES = 1 << 18 };
enum { LANES = PACKED_LANES, EVEN_DEPTH = PACKED_EVEN_DEPTH };

/* Whether the sums are divided by the trees, and the largest is the class: a forest. */
static inline bool is_averaged(const cairn_row_plan_step *step)
{
    return step->op->sizes[CAIRN_TREES_FOREST];
}

/* -- one tree -- */

static inline void put_label(const cairn_packed *q, uint64_t leaf, double *out)
{
    out[q->width] = (int32_t)(leaf >> 32);
}

/* The values and the label of a leaf. */
static inline void put_leaf_values(const cairn_packed *q, uint64_t leaf, double *out)
{
    const double *values = q->values + (uint32_t)leaf * q->width;
    for (size_t k = 0; k < q->width; k++) out[k] = values[k];
    if (q->labels) put_label(q, leaf, out);
}

static bool run_tree(const cairn_row_plan_step *step, const double *x, double *v)
{
    const cairn_packed *q = step->own;
    bool missing = packed_any_missing(q, x);
    uint32_t at = PACKED_OPEN;
    if (q->only_cuts && !missing)
        at = packed_walk_cuts(q->nodes, q->roots[0], x, q->depths[0], true);
    else if (!missing || !q->open)
        at = packed_walk_one(q, q->roots[0], x);
    if (at == PACKED_OPEN)
        cairn_ready_op_run(step->ready, v);
    else
        put_leaf_values(q, q->nodes[at].leaf, v + step->out);
    return true;
}

/* The leaf of a complete row in a tree that only cuts. */
static inline uint64_t walk_pairs(const cairn_packed *q, const double *x)
{
    const cairn_packed_pair *pairs = q->pairs;
    uint32_t at = 0, depth = q->depths[0], d = 0;
    do {
        const cairn_packed_pair *p = &pairs[at];
        uint32_t first = x[p->inputs[0]] > p->cuts[0];
        uint32_t left = x[p->inputs[1]] > p->cuts[1], right = x[p->inputs[2]] > p->third;
        /* a choice that no compiler makes a branch of */
        at = p->child + 2 * first + (left ^ (first & (left ^ right)));
        d += 2;
    } while (d < depth && (depth <= EVEN_DEPTH || pairs[at].child != at));
    return pairs[at].leaf;
}

/* The leaf of a complete row; false when it is PACKED_OPEN. */
static inline bool find_leaf(const cairn_packed *q, const double *x, uint64_t *leaf)
{
    if (q->pairs) {
        *leaf = walk_pairs(q, x);
        return true;
    }
    uint32_t at = packed_walk_one(q, q->roots[0], x);
    if (at == PACKED_OPEN) return false;
    *leaf = q->nodes[at].leaf;
    return true;
}

static bool quick_tree(const cairn_row_plan_step *step, const double *x, double *v)
{
    const cairn_packed *q = step->own;
    uint64_t leaf;
    if (!find_leaf(q, x, &leaf)) return false;
    put_leaf_values(q, leaf, v + step->out);
    return true;
}

static bool quick_label(const cairn_row_plan_step *step, const double *x, double *v)
{
    const cairn_packed *q = step->own;
    uint64_t leaf;
    if (!find_leaf(q, x, &leaf)) return false;
    put_label(q, leaf, v + step->out);
    return true;
}

/* Complete rows that go down together; `put` writes what a leaf says. */
static inline bool tree_all(const cairn_row_plan_step *step, const cairn_row_block *rows,
                            void (*put)(const cairn_packed *, uint64_t, double *))
{
    const cairn_packed *q = step->own;
    const cairn_packed_rows all = {.x = rows->x, .x_step = rows->x_step};
    uint32_t at[LANES];
    for (size_t r = 0, n; r < rows->n; r += n) {
        n = rows->n - r < LANES ? rows->n - r : LANES;
        if (!packed_leaves_of(q, 0, &all, r, n, true, at)) return false;
        for (size_t l = 0; l < n; l++)
            put(q, q->nodes[at[l]].leaf, rows->v + (r + l) * rows->width + step->out);
    }
    return true;
}

static bool quick_tree_all(const cairn_row_plan_step *step, const cairn_row_block *rows)
{
    return tree_all(step, rows, put_leaf_values);
}

static bool quick_label_all(const cairn_row_plan_step *step, const cairn_row_block *rows)
{
    return tree_all(step, rows, put_label);
}

/* -- several trees -- */

/* The mean over the trees, and the class of the largest. */
static void finish_average(const cairn_packed *q, double *sums, bool classes)
{
    size_t best = 0;
    for (size_t k = 1; k < q->width; k++)
        if (sums[k] > sums[best]) best = k;
    for (size_t k = 0; k < q->width; k++) sums[k] /= (double)q->n_trees;
    if (classes) sums[q->width] = (double)best;
}

/* What the leaves say is added up in the order of the trees; false when one is OPEN. */
static inline bool sum_trees(const cairn_row_plan_step *step, const double *x, double *v, bool even,
                             bool complete)
{
    const cairn_packed *q = step->own;
    double *sums = v + step->out;
    const double *const same[LANES] = {x, x, x, x, x, x, x, x};
    uint32_t at[LANES];
    for (size_t k = 0; k < q->width; k++) sums[k] = q->start ? q->start[k] : 0;
    for (size_t t = 0, n; t < q->n_trees; t += n) {
        n = q->n_trees - t < LANES ? q->n_trees - t : LANES;
        for (size_t l = 0; l < n; l++) at[l] = q->roots[t + l];
        if (!packed_leaves(q, at, same, n, q->deepest[t / LANES], even, complete)) return false;
        for (size_t l = 0; l < n; l++) packed_add_leaf(q, t + l, at[l], sums, 1);
    }
    if (is_averaged(step)) finish_average(q, sums, step->op->n_out > q->width);
    return true;
}

static bool run_trees(const cairn_row_plan_step *step, const double *x, double *v)
{
    const cairn_packed *q = step->own;
    bool found;
    if (!packed_any_missing(q, x))
        found = sum_trees(step, x, v, q->only_cuts, true);
    else
        found = !q->open && sum_trees(step, x, v, q->only_cuts, false);
    if (!found) cairn_ready_op_run(step->ready, v);
    return true;
}

static bool quick_trees_one(const cairn_row_plan_step *step, const double *x, double *v)
{
    const cairn_packed *q = step->own;
    return sum_trees(step, x, v, q->only_cuts, true);
}

static bool sum_all(const cairn_row_plan_step *step, const cairn_row_block *rows, bool complete)
{
    const cairn_packed *q = step->own;
    const cairn_packed_rows all = {rows->x, rows->x_step, rows->n, complete};
    double *sums = rows->v + step->out;
    if (!cairn_packed_sum(q, &all, sums, rows->width, 1)) return false;
    for (size_t r = 0; is_averaged(step) && r < rows->n; r++)
        finish_average(q, sums + r * rows->width, step->op->n_out > q->width);
    return true;
}

static bool quick_trees_all(const cairn_row_plan_step *step, const cairn_row_block *rows)
{
    return sum_all(step, rows, true);
}

/* Rows that may have missing cells: all as complete ones where none has, and together where every
 * test knows where such a cell goes. */
static bool run_all(const cairn_row_plan_step *step, const cairn_row_block *rows)
{
    const cairn_packed *q = step->own;
    bool missing = false;
    for (size_t r = 0; r < rows->n && !missing; r++)
        missing = packed_any_missing(q, rows->x + (ptrdiff_t)r * rows->x_step);
    if (!missing && step->complete.all(step, rows)) return true;
    if (missing && !q->open && !q->single && sum_all(step, rows, false)) return true;
    for (size_t r = 0; r < rows->n; r++) {
        const double *x = rows->x + (ptrdiff_t)r * rows->x_step;
        (void)step->any.one(step, x, rows->v + r * rows->width);
    }
    return true;
}

/* -- making -- */

static void free_trees(void *own)
{
    cairn_packed_free(own);
}

cairn_status cairn_row_plan_trees(cairn_context *ctx, cairn_row_plan_step *step,
                                  const double *start, int32_t out)
{
    const cairn_operation *op = step->op;
    OWNED(cairn_packed_free) cairn_packed *q = NULL;
    bool single = op->sizes[CAIRN_TREES_N] == 1 && !is_averaged(step) && !start;
    const cairn_packed_source source = {.n_trees = (size_t)op->sizes[CAIRN_TREES_N],
                                        .n_nodes = op->n_codes[CAIRN_TREES_NODES] / 4,
                                        .n_links = op->n_codes[CAIRN_TREES_LINKS],
                                        .n_labels = op->n_codes[CAIRN_TREES_LABELS],
                                        .n_in = op->n_in,
                                        .width = (size_t)op->sizes[CAIRN_TREES_WIDTH],
                                        .single = single,
                                        .votes = op->sizes[CAIRN_TREES_VOTES],
                                        .in = op->in,
                                        .roots = op->codes[CAIRN_TREES_ROOTS],
                                        .nodes = op->codes[CAIRN_TREES_NODES],
                                        .links = op->codes[CAIRN_TREES_LINKS],
                                        .labels = op->codes[CAIRN_TREES_LABELS],
                                        .usual = op->codes[CAIRN_TREES_USUAL],
                                        .surrogate_starts = op->codes[CAIRN_TREES_SURROGATE_STARTS],
                                        .sets = op->codes[CAIRN_TREES_SETS],
                                        .cuts = op->numbers[CAIRN_TREES_CUTS],
                                        .values = op->numbers[CAIRN_TREES_VALUES],
                                        .start = start};
    if (op->codes[CAIRN_TREES_LINEAR]) return CAIRN_OK;
    CHECK(cairn_packed_make(ctx, &q, &source));
    if (!q || (start && q->open)) return CAIRN_OK;
    step->heavy = q->n_nodes > NEAR_NODES;
    step->reads_x = true;
    step->from = q->base;
    step->out = out;
    step->any.one = single ? run_tree : run_trees;
    step->any.all = run_all;
    step->complete.one = single ? quick_tree : quick_trees_one;
    step->complete.all = single ? quick_tree_all : quick_trees_all;
    if (single && q->labels && op->n_out == q->width + 1)
        step->complete_code = (cairn_row_form){quick_label, quick_label_all};
    step->own = TAKE(q);
    step->clear = free_trees;
    return CAIRN_OK;
}
