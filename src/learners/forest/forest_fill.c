/* SPDX-License-Identifier: MIT */
/* Filling missing cells by proximities.
 *
 * 1. Every missing cell gets the median (the most frequent level) of its column.
 * 2. A forest is grown on the filled rows. A missing number becomes the mean of the known cells of
 *    the column, weighted by the proximity of their rows to its row; a missing level becomes the
 *    one with the largest sum of proximities, the first of equal ones. A row that is near to no row
 *    with a known cell keeps what it has.
 * 3. Step 2 is repeated: better cells give better proximities. */
#include "learners/forest/forest.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include "stats/quantile.h"
#include <math.h>
#include <string.h>

typedef struct filling {
    const cairn_forest_growth *growth; /* of the forest that was asked for */
    cairn_table *table;                /* a copy whose cells are filled */
    cairn_view view;                   /* of the copy */
    const cairn_view *given;           /* of the original */
    const cairn_proximities *p;
    const cairn_binned *data;  /* of the forest of this round */
    uint32_t **counts, **near; /* per worker */
    double **sums;             /* per worker: levels */
    size_t n_levels;
} filling;

/* -- the first values -- */

/* A copy of the table whose features have no missing cell, and a view of it. */
static cairn_status start_filling(cairn_context *ctx, filling *work)
{
    const cairn_table *table = work->given->table;
    uint32_t *rows = NULL;
    double *space = NULL;
    CHECK(SCRATCH_RAW_EACH(ctx, table->n_rows, &rows, &space));
    for (size_t i = 0; i < table->n_rows; i++) rows[i] = (uint32_t)i;
    CHECK(cairn_table_take_rows(ctx, &work->table, table, rows, table->n_rows));
    CHECK(cairn_view_make(ctx, &work->view, work->table, work->given->rows));
    for (size_t s = 0; s < work->table->n_columns; s++) {
        cairn_column *column = work->table->slots[s].column;
        if (work->table->slots[s].role != CAIRN_FEATURE || column->n_missing == 0) continue;
        if (column->kind == CAIRN_LEVEL) {
            size_t *counts = NULL, best = 0;
            CHECK(SCRATCH(ctx, &counts, column->names.n + 1));
            for (size_t i = 0; i < column->n_rows; i++)
                if (column->codes[i] >= 0) counts[column->codes[i]]++;
            for (size_t v = 1; v < column->names.n; v++)
                if (counts[v] > counts[best]) best = v;
            for (size_t i = 0; column->names.n && i < column->n_rows; i++)
                if (column->codes[i] < 0) column->codes[i] = (int32_t)best;
        } else {
            size_t m = 0;
            for (size_t i = 0; i < column->n_rows; i++)
                if (!isnan(column->numbers[i])) space[m++] = column->numbers[i];
            CHECK(cairn_sort_numbers(ctx, space, m));
            double median = m ? cairn_quantile(space, m, 0.5, CAIRN_QUANTILE_LINEAR) : 0;
            for (size_t i = 0; i < column->n_rows; i++)
                if (isnan(column->numbers[i])) column->numbers[i] = median;
        }
    }
    return CAIRN_OK;
}

/* -- one round -- */

/* Cells of one row from its neighbours; known cells of the original only. */
static void fill_row(const filling *work, size_t i, const uint32_t *counts, const uint32_t *near,
                     size_t n_near, double *sums)
{
    size_t row = work->data->table_rows[i];
    for (size_t c = 0; c < work->given->n_features; c++) {
        const cairn_column *given = work->given->features[c];
        /* The column of the copy that is feature c. */
        cairn_column *filled = (cairn_column *)work->view.features[c];
        double sum = 0, weight = 0;
        size_t best = 0;
        if (!cairn_column_is_missing(given, row)) continue;
        if (given->kind == CAIRN_LEVEL) memset(sums, 0, given->names.n * sizeof *sums);
        for (size_t j = 0; j < n_near; j++) {
            size_t other = work->data->table_rows[near[j]];
            if (near[j] == i || cairn_column_is_missing(given, other)) continue;
            weight += counts[near[j]];
            if (given->kind == CAIRN_LEVEL)
                sums[given->codes[other]] += counts[near[j]];
            else
                sum += counts[near[j]] * given->numbers[other];
        }
        if (!(weight > 0)) continue;
        if (given->kind != CAIRN_LEVEL) {
            filled->numbers[row] = sum / weight;
            continue;
        }
        for (size_t v = 1; v < given->names.n; v++)
            if (sums[v] > sums[best]) best = v;
        filled->codes[row] = (int32_t)best;
    }
}

static bool lacks_cell(const filling *work, size_t i)
{
    size_t row = work->data->table_rows[i];
    for (size_t c = 0; c < work->given->n_features; c++)
        if (work->given->features[c]->n_missing &&
            cairn_column_is_missing(work->given->features[c], row))
            return true;
    return false;
}

static void fill_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const filling *work = data;
    uint32_t *counts = work->counts[worker], *near = work->near[worker];
    (void)block;
    for (size_t i = begin; i < end; i++) {
        if (!lacks_cell(work, i)) continue;
        size_t n_near = cairn_proximities_of(work->p, i, counts, near);
        fill_row(work, i, counts, near, n_near, work->sums[worker]);
        for (size_t j = 0; j < n_near; j++) counts[near[j]] = 0;
    }
}

/* Grows a new forest on the rows as filled so far, without steps of its own; every round uses
 * another seed. */
static cairn_status fill_round(cairn_context *ctx, filling *work, uint64_t seed)
{
    SCOPED_SCRATCH(ctx);
    cairn_job job = *work->growth->job;
    cairn_forest_growth growth;
    SCOPED(cairn_forest_clear) cairn_forest_model forest = {0};
    SCOPED(cairn_binned_clear) cairn_binned data = {0};
    cairn_proximities p;
    size_t workers = (size_t)cairn_workers(ctx);
    job.view = &work->view;
    job.steps = NULL;
    CHECK(cairn_forest_raise(ctx, &growth, &data, &forest, NULL, &job, work->growth->params, seed));
    CHECK(cairn_proximities_make(ctx, &p, &forest, &data));
    work->p = &p;
    work->data = &data;
    CHECK(SCRATCH_EACH(ctx, workers, &work->counts, &work->near, &work->sums));
    for (size_t w = 0; w < workers; w++) {
        CHECK(SCRATCH(ctx, &work->counts[w], data.n_rows));
        CHECK(SCRATCH(ctx, &work->near[w], data.n_rows + 1));
        CHECK(SCRATCH(ctx, &work->sums[w], work->n_levels));
    }
    return cairn_blocks(ctx, data.n_rows, 256, fill_block, work);
}

cairn_status cairn_forest_fill(cairn_context *ctx, const cairn_forest_growth *growth)
{
    filling work = {.growth = growth, .given = growth->job->view, .n_levels = 1};
    cairn_forest_extras *extras = &growth->history->extras;
    cairn_status status;
    for (size_t c = 0; c < work.given->n_features; c++) {
        extras->n_filled += work.given->features[c]->n_missing;
        if (work.given->features[c]->names.n > work.n_levels)
            work.n_levels = work.given->features[c]->names.n;
    }
    TRY(start_filling(ctx, &work));
    for (int round = 1; extras->n_filled && round <= growth->params->fill_rounds; round++)
        TRY(fill_round(ctx, &work, growth->seed + (uint64_t)round));
    for (size_t s = 0; s < work.table->n_columns; s++)
        cairn_column_count_missing(work.table->slots[s].column);
    TRY(cairn_table_write(ctx, work.table, growth->params->filled_file, NULL));
done:
    cairn_table_free(work.table);
    return status;
}
