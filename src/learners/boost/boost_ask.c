/* SPDX-License-Identifier: MIT */
/* Asking boosted trees.
 *
 * A block of rows becomes a matrix of numbers and level codes of the columns that are tested, small
 * enough to stay in the cache; then one tree after the other is asked about all of its rows, in the
 * form that all trees are walked in (learners/tree/packed.h). Items of bags are 0 in the matrix but
 * for what rows hold, which is taken out again afterwards. */
#include "base/memory.h"
#include "learners/boost/boost.h"
#include "learners/tree/packed.h"
#include "parallel/parallel.h"
#include <math.h>

enum { BLOCK = 128, LANES = PACKED_LANES, BLOCK_CELLS = 1 << 15 };

typedef struct packing {
    const cairn_boost_model *model;
    cairn_packed *trees;          /* owned */
    int32_t *slots;               /* n_columns: which cell of a row it is; -1 = no tree tests it */
    size_t n_slots;               /* cells of a row */
    const cairn_column **columns; /* n_dense */
    const cairn_column **bags;    /* n_bags */
    size_t n_dense, n_bags, *firsts; /* n_bags + 1: the first column of each */
} packing;

static void clear_packing(packing *s)
{
    cairn_packed_free(s->trees);
}

/* All trees packed, their tests reading the cells of a row; the tables that they are packed from
 * are scratch. */
static cairn_status pack_trees(cairn_context *ctx, packing *s)
{
    const cairn_boost_model *m = s->model;
    size_t n = m->n_nodes + m->n_leaves;
    cairn_boost_arrays arrays;
    CHECK(SCRATCH(ctx, &arrays.roots, m->n_trees));
    CHECK(SCRATCH(ctx, &arrays.nodes, 4 * n));
    CHECK(SCRATCH(ctx, &arrays.links, 3 * m->n_nodes));
    CHECK(SCRATCH_EACH(ctx, n, &arrays.usual, &arrays.cuts));
    cairn_boost_pack(m, &arrays);
    const cairn_packed_source source = {.n_trees = m->n_trees,
                                        .n_nodes = n,
                                        .n_links = 3 * m->n_nodes,
                                        .n_in = m->n_columns,
                                        .width = m->n_outputs,
                                        .in_turn = true,
                                        .in = s->slots,
                                        .roots = arrays.roots,
                                        .nodes = arrays.nodes,
                                        .links = arrays.links,
                                        .usual = arrays.usual,
                                        .sets = m->sets,
                                        .cuts = arrays.cuts,
                                        .values = m->values,
                                        .start = m->start};
    CHECK(cairn_packed_make(ctx, &s->trees, &source));
    return s->trees ? CAIRN_OK : cairn_fail(ctx, CAIRN_BAD_DATA, "the trees test too many columns");
}

/* -- columns -- */

/* Cells are for columns that some tree tests; others share the first, which no test reads for
 * them. */
static cairn_status number_cells(cairn_context *ctx, packing *s)
{
    const cairn_boost_model *m = s->model;
    CHECK(SCRATCH_RAW(ctx, &s->slots, m->n_columns));
    for (size_t c = 0; c < m->n_columns; c++) s->slots[c] = -1;
    for (size_t i = 0; i < m->n_nodes; i++) s->slots[m->nodes[i].column] = 0;
    for (size_t c = 0; c < m->n_columns; c++)
        if (s->slots[c] >= 0) s->slots[c] = (int32_t)s->n_slots++;
    return CAIRN_OK;
}

/* -- blocks of rows -- */

/* What a row holds of a bag, or 0 in its place. */
static void put_items(const packing *s, size_t b, size_t row, double *cells, bool zeros)
{
    const cairn_column *bag = s->bags[b];
    const int32_t *slots = s->slots + s->firsts[b];
    size_t n = s->firsts[b + 1] - s->firsts[b];
    if (bag->absent && bag->absent[row]) {
        for (size_t k = 0; k < n; k++)
            if (slots[k] >= 0) cells[slots[k]] = zeros ? 0 : NAN;
        return;
    }
    for (size_t e = bag->starts[row]; e < bag->starts[row + 1]; e++) {
        size_t k = (size_t)bag->items[e];
        if (k >= n || slots[k] < 0) continue;
        cells[slots[k]] = zeros ? 0 : bag->amounts ? bag->amounts[e] : 1;
    }
}

/* Cells of n rows of the table, row by row; levels by their codes, NaN = missing. Those of items
 * are 0 before, and drop_cells makes them so again. */
static void take_cells(const packing *s, const uint32_t *rows, double *cells, size_t n)
{
    for (size_t c = 0; c < s->n_dense; c++)
        if (s->slots[c] >= 0) {
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

static void drop_cells(const packing *s, const uint32_t *rows, double *cells, size_t n)
{
    for (size_t b = 0; b < s->n_bags; b++)
        for (size_t i = 0; i < n; i++) put_items(s, b, rows[i], cells + i * s->n_slots, true);
}

/* Start and trees of n rows, output by output, `width` apart. */
static void add_up(const packing *s, const double *cells, size_t n, double *sums, size_t width)
{
    cairn_packed_rows rows = {cells, (ptrdiff_t)s->n_slots, n, true};
    for (size_t i = 0; i < n && rows.complete; i++)
        rows.complete = !packed_any_missing(s->trees, cells + i * s->n_slots);
    (void)cairn_packed_sum(s->trees, &rows, sums, 1, width); /* no test leaves the way open */
}

/* The trees for the columns of a job. */
static cairn_status prepare(cairn_context *ctx, packing *s, const cairn_boost_model *m,
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
    return pack_trees(ctx, s);
}

/* Rows of a block: fewer when they are wide. */
static size_t block_rows(const packing *s)
{
    size_t rows = BLOCK_CELLS / (s->n_slots + 1) / LANES * LANES;
    return rows < 2 * LANES ? 2 * LANES : rows > BLOCK ? BLOCK : rows;
}

/* Room for the cells of a block, for every worker. */
static cairn_status make_cells(cairn_context *ctx, double ***out, const packing *s)
{
    size_t workers = (size_t)cairn_workers(ctx);
    CHECK(SCRATCH(ctx, out, workers));
    for (size_t w = 0; w < workers; w++)
        CHECK(SCRATCH(ctx, &(*out)[w], cairn_product(block_rows(s), s->n_slots)));
    return CAIRN_OK;
}

static double work_of(const packing *s, size_t n)
{
    return 20 * (double)n * (double)(s->model->n_trees + s->n_slots);
}

/* -- answers -- */

typedef struct asking {
    const packing *trees;
    const cairn_view *view;
    cairn_prediction *out;
    double **cells;   /* per worker: block_rows x n_slots */
    double **sums;    /* per worker: n_outputs x BLOCK */
    double **answers; /* per worker: n_classes */
} asking;

/* Codes and scores, or the number, of row i from its sums. */
static void answer_row(const asking *a, size_t i, const double *sums, double *shares)
{
    const cairn_boost_model *m = a->trees->model;
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
    take_cells(a->trees, rows, cells, n);
    add_up(a->trees, cells, n, sums, BLOCK);
    drop_cells(a->trees, rows, cells, n);
    for (size_t i = 0; i < n; i++) answer_row(a, begin + i, sums + i, a->answers[worker]);
}

cairn_status cairn_boost_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                 const cairn_job *job)
{
    const cairn_boost_model *m = model;
    SCOPED(clear_packing) packing trees = {0};
    asking a = {.trees = &trees, .view = job->view, .out = out};
    size_t workers = (size_t)cairn_workers(ctx);
    CHECK(prepare(ctx, &trees, m, job));
    CHECK(make_cells(ctx, &a.cells, &trees));
    CHECK(SCRATCH_EACH(ctx, workers, &a.sums, &a.answers));
    for (size_t w = 0; w < workers; w++) {
        CHECK(SCRATCH_RAW(ctx, &a.sums[w], cairn_product(BLOCK, m->n_outputs)));
        CHECK(SCRATCH_RAW(ctx, &a.answers[w], m->n_classes + 1));
    }
    CHECK(cairn_blocks_sized(ctx, out->n_rows, block_rows(&trees), work_of(&trees, out->n_rows),
                             ask_block, &a));
    out->codes_set = m->n_classes > 0;
    return CAIRN_OK;
}

/* -- sums alone -- */

typedef struct summing {
    const packing *trees;
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
    take_cells(s->trees, s->rows + begin, cells, end - begin);
    add_up(s->trees, cells, end - begin, s->sums + begin, s->n);
    drop_cells(s->trees, s->rows + begin, cells, end - begin);
}

cairn_status cairn_boost_sums(cairn_context *ctx, const cairn_boost_model *m, const cairn_job *job,
                              const uint32_t *rows, size_t n, double *sums)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(clear_packing) packing trees = {0};
    summing s = {.trees = &trees, .rows = rows, .sums = sums, .n = n};
    CHECK(prepare(ctx, &trees, m, job));
    CHECK(make_cells(ctx, &s.cells, &trees));
    return cairn_blocks_sized(ctx, n, block_rows(&trees), work_of(&trees, n), sum_block, &s);
}
