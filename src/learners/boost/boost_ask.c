/* SPDX-License-Identifier: MIT */
/* Asking boosted trees.
 *
 * A block of rows becomes a matrix of numbers and level codes, small enough to stay in the cache;
 * then one tree after the other is asked about all of its rows. Before that the trees are brought
 * into a form in which a step needs no branch: children lie side by side, a leaf leads to itself,
 * and several rows go down together until all of them stand. Trees that divide levels into sets are
 * walked row by row. */
#include "base/memory.h"
#include "learners/boost/boost.h"
#include "parallel/parallel.h"
#include <math.h>

enum { BLOCK = 128, LANES = 8 };

/* -- trees as steps -- */

/* Bits of `test`, below the column: where a missing cell goes. A leaf has neither. */
enum { MISSING_RIGHT = 1, MISSING_LEFT = 2, TEST_BITS = 2 };

typedef struct step {
    double cut;     /* of a leaf: its value */
    uint32_t child; /* the left one, the right one is next; of a leaf: itself */
    uint32_t test;
} step;

typedef struct stepped {
    const cairn_boost_model *model;
    step *steps;     /* the roots of all trees, then pairs of children */
    uint8_t *walked; /* n_trees: 1 = row by row */
} stepped;

/* What is known of a node before its turn: it comes behind its parent. */
typedef struct place {
    uint32_t step, tree;
} place;

/* A reference at a step: a leaf is written, a node waits for its turn. */
static void put(stepped *s, place *places, int32_t reference, place at)
{
    if (reference < 0)
        s->steps[at.step] = (step){s->model->values[~reference], at.step, 0};
    else
        places[reference] = at;
}

/* All trees as steps. A node comes behind its parent, so its place is known when it is met. */
static cairn_status make_steps(cairn_context *ctx, stepped *s, const cairn_boost_model *m)
{
    place *places;
    uint32_t n = (uint32_t)m->n_trees;
    s->model = m;
    CHECK(SCRATCH_RAW(ctx, &s->steps, m->n_trees + 2 * m->n_nodes));
    CHECK(SCRATCH(ctx, &s->walked, m->n_trees));
    CHECK(SCRATCH_RAW(ctx, &places, m->n_nodes));
    for (uint32_t t = 0; t < m->n_trees; t++) put(s, places, m->roots[t], (place){t, t});
    for (size_t i = 0; i < m->n_nodes; i++, n += 2) {
        const cairn_boost_node *node = &m->nodes[i];
        uint32_t missing = node->missing_right ? MISSING_RIGHT : MISSING_LEFT;
        place at = places[i];
        s->steps[at.step] = (step){m->cuts[i], n, (uint32_t)node->column << TEST_BITS | missing};
        if (node->set >= 0) s->walked[at.tree] = 1;
        put(s, places, node->left, (place){n, at.tree});
        put(s, places, node->right, (place){n + 1, at.tree});
    }
    return CAIRN_OK;
}

/* LANES rows go down a tree together; what they reach is added to their sums. */
static void add_lanes(const step *steps, uint32_t root, const double *cells, size_t d, double *sums)
{
    uint32_t at[LANES], open = steps[root].test;
    for (int l = 0; l < LANES; l++) at[l] = root;
    while (open) {
        open = 0;
        for (int l = 0; l < LANES; l++) {
            const step *here = &steps[at[l]];
            double x = cells[(size_t)l * d + (here->test >> TEST_BITS)];
            uint32_t right = ((here->test & MISSING_RIGHT) & (uint32_t) !(x <= here->cut)) |
                             ((here->test >> 1 & 1) & (uint32_t)(x > here->cut));
            at[l] = here->child + right;
            open |= steps[at[l]].test;
        }
    }
    for (int l = 0; l < LANES; l++) sums[l] += steps[at[l]].cut;
}

/* -- row by row -- */

/* The value of the leaf that a row reaches. */
static double leaf_value(const cairn_boost_model *m, int32_t at, const double *row)
{
    while (at >= 0) {
        const cairn_boost_node *node = &m->nodes[at];
        double x = row[node->column];
        bool right = node->missing_right;
        if (node->set < 0) {
            if (!isnan(x)) right = x > m->cuts[at];
        } else if (x < m->sets[node->set]) {
            int32_t side = m->sets[(size_t)node->set + 1 + (size_t)x];
            if (side) right = side == 2;
        }
        at = right ? node->right : node->left;
    }
    return m->values[~at];
}

/* -- blocks of rows -- */

/* Cells of n rows of the table, row by row; levels by their codes, NaN = missing. */
static void take_cells(const cairn_boost_model *m, const cairn_view *view, const uint32_t *rows,
                       double *cells, size_t n)
{
    size_t d = m->n_columns;
    for (size_t c = 0; c < d; c++) {
        const cairn_column *column = view->features[c];
        for (size_t i = 0; i < n; i++) {
            double *cell = &cells[i * d + c];
            if (!column->codes)
                *cell = column->numbers[rows[i]];
            else
                *cell = column->codes[rows[i]] < 0 ? NAN : column->codes[rows[i]];
        }
    }
}

static void add_tree(const stepped *s, size_t t, const double *cells, size_t n, double *sums)
{
    const cairn_boost_model *m = s->model;
    size_t d = m->n_columns, i = 0;
    if (!s->walked[t])
        for (; i + LANES <= n; i += LANES)
            add_lanes(s->steps, (uint32_t)t, cells + i * d, d, sums + i);
    for (; i < n; i++) sums[i] += leaf_value(m, m->roots[t], cells + i * d);
}

/* Start and trees of n rows, output by output, `width` apart. */
static void add_up(const stepped *s, const double *cells, size_t n, double *sums, size_t width)
{
    const cairn_boost_model *m = s->model;
    for (size_t o = 0; o < m->n_outputs; o++)
        for (size_t i = 0; i < n; i++) sums[o * width + i] = m->start[o];
    for (size_t t = 0; m->n_outputs && t < m->n_trees; t++)
        add_tree(s, t, cells, n, sums + t % m->n_outputs * width);
}

/* Room for the cells of a block, for every worker. */
static cairn_status make_cells(cairn_context *ctx, double ***out, size_t n_columns)
{
    size_t workers = (size_t)cairn_workers(ctx);
    CHECK(SCRATCH(ctx, out, workers));
    for (size_t w = 0; w < workers; w++)
        CHECK(SCRATCH_RAW(ctx, &(*out)[w], cairn_product(BLOCK, n_columns)));
    return CAIRN_OK;
}

static double work_of(const cairn_boost_model *m, size_t n)
{
    return 20 * (double)n * (double)(m->n_trees + m->n_columns);
}

static cairn_status check_columns(cairn_context *ctx, const cairn_boost_model *m,
                                  const cairn_view *view)
{
    if (view->n_features != m->n_columns)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the trees were grown on %zu columns, not on %zu",
                          m->n_columns, view->n_features);
    for (size_t c = 0; c < m->n_columns; c++)
        if (view->features[c]->kind != (m->is_number[c] == 1 ? CAIRN_NUMBER : CAIRN_LEVEL))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "column '%s' is of another kind than in the trees", view->names[c]);
    return CAIRN_OK;
}

/* -- answers -- */

typedef struct asking {
    stepped trees;
    const cairn_view *view;
    cairn_prediction *out;
    double **cells;   /* per worker: BLOCK x n_columns */
    double **sums;    /* per worker: n_outputs x BLOCK */
    double **answers; /* per worker: n_classes */
} asking;

/* Codes and scores, or the number, of row i from its sums. */
static void answer_row(const asking *a, size_t i, const double *sums, double *shares)
{
    const cairn_boost_model *m = a->trees.model;
    cairn_prediction *out = a->out;
    size_t k = m->n_classes, best = 0;
    if (!k) {
        cairn_boost_answer(m, sums, BLOCK, &out->numbers[i]);
        return;
    }
    cairn_boost_answer(m, sums, BLOCK, shares);
    for (size_t l = 1; l < k; l++)
        if (shares[l] > shares[best]) best = l;
    if (out->codes) out->codes[i] = (int32_t)best;
    for (size_t l = 0; out->scores && l < k; l++) out->scores[i * k + l] = shares[l];
}

static void ask_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const asking *a = data;
    double *cells = a->cells[worker], *sums = a->sums[worker];
    size_t n = end - begin;
    uint32_t rows[BLOCK];
    (void)block;
    for (size_t i = 0; i < n; i++) rows[i] = (uint32_t)cairn_view_row(a->view, begin + i);
    take_cells(a->trees.model, a->view, rows, cells, n);
    add_up(&a->trees, cells, n, sums, BLOCK);
    for (size_t i = 0; i < n; i++) answer_row(a, begin + i, sums + i, a->answers[worker]);
}

cairn_status cairn_boost_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                 const cairn_job *job)
{
    const cairn_boost_model *m = model;
    asking a = {.view = job->view, .out = out};
    size_t workers = (size_t)cairn_workers(ctx);
    CHECK(check_columns(ctx, m, job->view));
    CHECK(make_steps(ctx, &a.trees, m));
    CHECK(make_cells(ctx, &a.cells, m->n_columns));
    CHECK(SCRATCH(ctx, &a.sums, workers));
    CHECK(SCRATCH(ctx, &a.answers, workers));
    for (size_t w = 0; w < workers; w++) {
        CHECK(SCRATCH_RAW(ctx, &a.sums[w], cairn_product(BLOCK, m->n_outputs)));
        CHECK(SCRATCH_RAW(ctx, &a.answers[w], m->n_classes + 1));
    }
    CHECK(cairn_blocks_sized(ctx, out->n_rows, BLOCK, work_of(m, out->n_rows), ask_block, &a));
    out->codes_set = m->n_classes > 0;
    return CAIRN_OK;
}

/* -- sums alone -- */

typedef struct summing {
    stepped trees;
    const cairn_view *view;
    const uint32_t *rows;
    double *sums;
    size_t n;
    double **cells; /* per worker */
} summing;

static void sum_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const summing *s = data;
    (void)block;
    take_cells(s->trees.model, s->view, s->rows + begin, s->cells[worker], end - begin);
    add_up(&s->trees, s->cells[worker], end - begin, s->sums + begin, s->n);
}

cairn_status cairn_boost_sums(cairn_context *ctx, const cairn_boost_model *m,
                              const cairn_view *view, const uint32_t *rows, size_t n, double *sums)
{
    SCOPED_SCRATCH(ctx);
    summing s = {.view = view, .rows = rows, .sums = sums, .n = n};
    CHECK(check_columns(ctx, m, view));
    CHECK(make_steps(ctx, &s.trees, m));
    CHECK(make_cells(ctx, &s.cells, m->n_columns));
    return cairn_blocks_sized(ctx, n, BLOCK, work_of(m, n), sum_block, &s);
}
