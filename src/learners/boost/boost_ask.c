/* SPDX-License-Identifier: MIT */
/* Asking boosted trees. A block of rows becomes a matrix of numbers and level codes, small enough
 * to stay in the cache; then one tree after the other is asked about all of its rows. */
#include "base/memory.h"
#include "learners/boost/boost.h"
#include "parallel/parallel.h"
#include <math.h>

enum { BLOCK = 512 };

typedef struct asking {
    const cairn_boost_model *model;
    const cairn_view *view;
    cairn_prediction *out;
    double **cells;   /* per worker: BLOCK x n_columns, NaN = missing */
    double **sums;    /* per worker: n_outputs x BLOCK */
    double **answers; /* per worker: n_classes */
} asking;

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

/* Codes and scores, or the number, of row i from its sums. */
static void answer_row(const asking *a, size_t i, const double *sums, double *shares)
{
    const cairn_boost_model *m = a->model;
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

/* Start and trees of n rows, output by output, `step` apart. */
static void add_up(const cairn_boost_model *m, const double *cells, size_t n, double *sums,
                   size_t step)
{
    size_t k = m->n_outputs;
    for (size_t o = 0; o < k; o++)
        for (size_t i = 0; i < n; i++) sums[o * step + i] = m->start[o];
    for (size_t t = 0; t < m->n_trees; t++) {
        double *to = sums + t % k * step;
        for (size_t i = 0; i < n; i++)
            to[i] += leaf_value(m, m->roots[t], cells + i * m->n_columns);
    }
}

static void ask_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const asking *a = data;
    const cairn_boost_model *m = a->model;
    double *sums = a->sums[worker];
    size_t n = end - begin;
    uint32_t rows[BLOCK];
    (void)block;
    for (size_t i = 0; i < n; i++) rows[i] = (uint32_t)cairn_view_row(a->view, begin + i);
    take_cells(m, a->view, rows, a->cells[worker], n);
    add_up(m, a->cells[worker], n, sums, BLOCK);
    for (size_t i = 0; i < n; i++) answer_row(a, begin + i, sums + i, a->answers[worker]);
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

cairn_status cairn_boost_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                 const cairn_job *job)
{
    const cairn_boost_model *m = model;
    asking a = {.model = m, .view = job->view, .out = out};
    size_t workers = (size_t)cairn_workers(ctx);
    CHECK(check_columns(ctx, m, job->view));
    CHECK(SCRATCH(ctx, &a.cells, workers));
    CHECK(SCRATCH(ctx, &a.sums, workers));
    CHECK(SCRATCH(ctx, &a.answers, workers));
    for (size_t w = 0; w < workers; w++) {
        CHECK(SCRATCH_RAW(ctx, &a.cells[w], cairn_product(BLOCK, m->n_columns)));
        CHECK(SCRATCH_RAW(ctx, &a.sums[w], BLOCK * m->n_outputs));
        CHECK(SCRATCH_RAW(ctx, &a.answers[w], m->n_classes + 1));
    }
    CHECK(cairn_blocks_sized(ctx, out->n_rows, BLOCK,
                             20 * (double)out->n_rows * (double)(m->n_trees + m->n_columns),
                             ask_block, &a));
    out->codes_set = m->n_classes > 0;
    return CAIRN_OK;
}

typedef struct summing {
    const cairn_boost_model *model;
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
    take_cells(s->model, s->view, s->rows + begin, s->cells[worker], end - begin);
    add_up(s->model, s->cells[worker], end - begin, s->sums + begin, s->n);
}

cairn_status cairn_boost_sums(cairn_context *ctx, const cairn_boost_model *m,
                              const cairn_view *view, const uint32_t *rows, size_t n, double *sums)
{
    SCOPED_SCRATCH(ctx);
    summing s = {m, view, rows, sums, n, NULL};
    size_t workers = (size_t)cairn_workers(ctx);
    CHECK(check_columns(ctx, m, view));
    CHECK(SCRATCH(ctx, &s.cells, workers));
    for (size_t w = 0; w < workers; w++)
        CHECK(SCRATCH_RAW(ctx, &s.cells[w], cairn_product(BLOCK, m->n_columns)));
    return cairn_blocks_sized(ctx, n, BLOCK, 20 * (double)n * (double)(m->n_trees + m->n_columns),
                              sum_block, &s);
}
