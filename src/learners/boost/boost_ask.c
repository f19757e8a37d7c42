/* SPDX-License-Identifier: MIT */
/* Asking boosted trees.
 *
 * A block of rows becomes a matrix of numbers and level codes of the columns that are tested, small
 * enough to stay in the cache; then one tree after the other is asked about all of its rows. Items
 * of bags are 0 in it but for what rows hold, which is taken out again afterwards. Before that the
 * trees are brought into a form in which a step needs no branch: children lie side by side, a leaf
 * leads to itself, and several rows go down together until all of them stand. Trees that divide
 * levels into sets are walked row by row. */
#include "base/memory.h"
#include "learners/boost/boost.h"
#include "parallel/parallel.h"
#include <math.h>

enum { BLOCK = 128, LANES = 8, BLOCK_CELLS = 1 << 15 };

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
    uint32_t *slots; /* n_columns: which cell of a row it is; CAIRN_BOOST_NONE = no tree tests it */
    size_t n_slots;  /* cells of a row */
    const cairn_column **columns;    /* n_dense */
    const cairn_column **bags;       /* n_bags */
    size_t n_dense, n_bags, *firsts; /* n_bags + 1: the first column of each */
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
static cairn_status make_steps(cairn_context *ctx, stepped *s)
{
    const cairn_boost_model *m = s->model;
    place *places;
    uint32_t n = (uint32_t)m->n_trees;
    CHECK(SCRATCH_RAW(ctx, &s->steps, m->n_trees + 2 * m->n_nodes));
    CHECK(SCRATCH(ctx, &s->walked, m->n_trees));
    CHECK(SCRATCH_RAW(ctx, &places, m->n_nodes));
    for (uint32_t t = 0; t < m->n_trees; t++) put(s, places, m->roots[t], (place){t, t});
    for (size_t i = 0; i < m->n_nodes; i++, n += 2) {
        const cairn_boost_node *node = &m->nodes[i];
        uint32_t missing = node->missing_right ? MISSING_RIGHT : MISSING_LEFT;
        place at = places[i];
        s->steps[at.step] = (step){m->cuts[i], n, s->slots[node->column] << TEST_BITS | missing};
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
static double leaf_value(const stepped *s, int32_t at, const double *row)
{
    const cairn_boost_model *m = s->model;
    while (at >= 0) {
        const cairn_boost_node *node = &m->nodes[at];
        double x = row[s->slots[node->column]];
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

/* -- columns -- */

/* Cells are for columns that some tree tests. */
static cairn_status number_cells(cairn_context *ctx, stepped *s)
{
    const cairn_boost_model *m = s->model;
    CHECK(SCRATCH_RAW(ctx, &s->slots, m->n_columns));
    for (size_t c = 0; c < m->n_columns; c++) s->slots[c] = CAIRN_BOOST_NONE;
    for (size_t i = 0; i < m->n_nodes; i++) s->slots[m->nodes[i].column] = 0;
    for (size_t c = 0; c < m->n_columns; c++)
        if (s->slots[c] != CAIRN_BOOST_NONE) s->slots[c] = (uint32_t)s->n_slots++;
    return CAIRN_OK;
}

/* -- blocks of rows -- */

/* What a row holds of a bag, or 0 in its place. */
static void put_items(const stepped *s, size_t b, size_t row, double *cells, bool zeros)
{
    const cairn_column *bag = s->bags[b];
    const uint32_t *slots = s->slots + s->firsts[b];
    size_t n = s->firsts[b + 1] - s->firsts[b];
    if (bag->absent && bag->absent[row]) {
        for (size_t k = 0; k < n; k++)
            if (slots[k] != CAIRN_BOOST_NONE) cells[slots[k]] = zeros ? 0 : NAN;
        return;
    }
    for (size_t e = bag->starts[row]; e < bag->starts[row + 1]; e++) {
        size_t k = (size_t)bag->items[e];
        if (k >= n || slots[k] == CAIRN_BOOST_NONE) continue;
        cells[slots[k]] = zeros ? 0 : bag->amounts ? bag->amounts[e] : 1;
    }
}

/* Cells of n rows of the table, row by row; levels by their codes, NaN = missing. Those of items
 * are 0 before, and drop_cells makes them so again. */
static void take_cells(const stepped *s, const uint32_t *rows, double *cells, size_t n)
{
    for (size_t c = 0; c < s->n_dense; c++)
        if (s->slots[c] != CAIRN_BOOST_NONE) {
            const cairn_column *column = s->columns[c];
            size_t d = s->n_slots;
            double *to = cells + s->slots[c];
            for (size_t i = 0; i < n; i++)
                if (!column->codes)
                    to[i * d] = column->numbers[rows[i]];
                else
                    to[i * d] = column->codes[rows[i]] < 0 ? NAN : column->codes[rows[i]];
        }
    for (size_t b = 0; b < s->n_bags; b++)
        for (size_t i = 0; i < n; i++) put_items(s, b, rows[i], cells + i * s->n_slots, false);
}

static void drop_cells(const stepped *s, const uint32_t *rows, double *cells, size_t n)
{
    for (size_t b = 0; b < s->n_bags; b++)
        for (size_t i = 0; i < n; i++) put_items(s, b, rows[i], cells + i * s->n_slots, true);
}

static void add_tree(const stepped *s, size_t t, const double *cells, size_t n, double *sums)
{
    const cairn_boost_model *m = s->model;
    size_t d = s->n_slots, i = 0;
    if (!s->walked[t])
        for (; i + LANES <= n; i += LANES)
            add_lanes(s->steps, (uint32_t)t, cells + i * d, d, sums + i);
    for (; i < n; i++) sums[i] += leaf_value(s, m->roots[t], cells + i * d);
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

/* The trees for the columns of a job. */
static cairn_status prepare(cairn_context *ctx, stepped *s, const cairn_boost_model *m,
                            const cairn_job *job)
{
    s->model = m;
    /* The columns of the view, those of the schema of the model being in the same order. */
    const cairn_view *view = job->view;
    size_t at = 0, n = 0;
    CHECK(SCRATCH_EACH(ctx, view->n_features + 1, &s->columns, &s->bags, &s->firsts));
    for (size_t j = 0; j < view->n_features; j++)
        if (view->features[j]->kind != CAIRN_BAG) s->columns[s->n_dense++] = view->features[j];
    s->firsts[0] = n = s->n_dense;
    for (size_t j = 0; j < view->n_features; j++) {
        const cairn_field *field = cairn_schema_next_feature(job->schema, &at);
        if (!field || view->features[j]->kind != CAIRN_BAG) continue;
        n += field->names.n;
        s->bags[s->n_bags] = view->features[j];
        s->firsts[++s->n_bags] = n;
    }
    if (n != s->model->n_columns)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the trees were grown on %zu columns, not on %zu",
                          s->model->n_columns, n);
    for (size_t c = 0; c < s->n_dense; c++)
        if (s->columns[c]->kind != (s->model->is_number[c] == 1 ? CAIRN_NUMBER : CAIRN_LEVEL))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "column %zu is of another kind than in the trees", c + 1);
    CHECK(number_cells(ctx, s));
    return make_steps(ctx, s);
}

/* Rows of a block: fewer when they are wide. */
static size_t block_rows(const stepped *s)
{
    size_t rows = BLOCK_CELLS / (s->n_slots + 1) / LANES * LANES;
    return rows < 2 * LANES ? 2 * LANES : rows > BLOCK ? BLOCK : rows;
}

/* Room for the cells of a block, for every worker. */
static cairn_status make_cells(cairn_context *ctx, double ***out, const stepped *s)
{
    size_t workers = (size_t)cairn_workers(ctx);
    CHECK(SCRATCH(ctx, out, workers));
    for (size_t w = 0; w < workers; w++)
        CHECK(SCRATCH(ctx, &(*out)[w], cairn_product(block_rows(s), s->n_slots)));
    return CAIRN_OK;
}

static double work_of(const stepped *s, size_t n)
{
    return 20 * (double)n * (double)(s->model->n_trees + s->n_slots);
}

/* -- answers -- */

typedef struct asking {
    stepped trees;
    const cairn_view *view;
    cairn_prediction *out;
    double **cells;   /* per worker: block_rows x n_slots */
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
    take_cells(&a->trees, rows, cells, n);
    add_up(&a->trees, cells, n, sums, BLOCK);
    drop_cells(&a->trees, rows, cells, n);
    for (size_t i = 0; i < n; i++) answer_row(a, begin + i, sums + i, a->answers[worker]);
}

cairn_status cairn_boost_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                 const cairn_job *job)
{
    const cairn_boost_model *m = model;
    asking a = {.view = job->view, .out = out};
    size_t workers = (size_t)cairn_workers(ctx);
    CHECK(prepare(ctx, &a.trees, m, job));
    CHECK(make_cells(ctx, &a.cells, &a.trees));
    CHECK(SCRATCH_EACH(ctx, workers, &a.sums, &a.answers));
    for (size_t w = 0; w < workers; w++) {
        CHECK(SCRATCH_RAW(ctx, &a.sums[w], cairn_product(BLOCK, m->n_outputs)));
        CHECK(SCRATCH_RAW(ctx, &a.answers[w], m->n_classes + 1));
    }
    CHECK(cairn_blocks_sized(ctx, out->n_rows, block_rows(&a.trees), work_of(&a.trees, out->n_rows),
                             ask_block, &a));
    out->codes_set = m->n_classes > 0;
    return CAIRN_OK;
}

/* -- sums alone -- */

typedef struct summing {
    stepped trees;
    const uint32_t *rows;
    double *sums;
    size_t n;
    double **cells; /* per worker */
} summing;

static void sum_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const summing *s = data;
    double *cells = s->cells[worker];
    (void)block;
    take_cells(&s->trees, s->rows + begin, cells, end - begin);
    add_up(&s->trees, cells, end - begin, s->sums + begin, s->n);
    drop_cells(&s->trees, s->rows + begin, cells, end - begin);
}

cairn_status cairn_boost_sums(cairn_context *ctx, const cairn_boost_model *m, const cairn_job *job,
                              const uint32_t *rows, size_t n, double *sums)
{
    SCOPED_SCRATCH(ctx);
    summing s = {.rows = rows, .sums = sums, .n = n};
    CHECK(prepare(ctx, &s.trees, m, job));
    CHECK(make_cells(ctx, &s.cells, &s.trees));
    return cairn_blocks_sized(ctx, n, block_rows(&s.trees), work_of(&s.trees, n), sum_block, &s);
}
