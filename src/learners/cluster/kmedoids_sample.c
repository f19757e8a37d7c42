/* SPDX-License-Identifier: MIT */
/* k-medoids of many rows by samples.
 *
 * 1. Some rows are drawn, each as likely as any other, and their medoids are found by build and
 *    eager swaps.
 * 2. All rows are assigned to these medoids: the cost is that of all rows.
 * 3. The next sample has the best medoids so far among its rows. The best of all samples is kept.
 *
 * Memory: the distances within a sample, and a few numbers per row.
 *
 * Source: Kaufman and Rousseeuw, Finding groups in data (1990), CLARA. */
#include "base/memory.h"
#include "learners/cluster/kmedoids.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t cairn_kmedoids_sample_size(const cairn_kmedoids_params *params, size_t n)
{
    size_t k = (size_t)params->clusters;
    size_t wanted = params->sample_size > 0 ? (size_t)params->sample_size : 200 + 20 * k;
    if (wanted < k) wanted = k;
    return wanted < n ? wanted : n;
}

static int compare_rows(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* `size` different rows, rising; the medoids of *best are among them. `order` holds all rows and is
 * only rearranged. */
static void draw_sample(uint32_t *sample, size_t size, uint32_t *order, size_t n,
                        const cairn_medoids *best, cairn_random *random)
{
    size_t taken = 0;
    for (size_t c = 0; best && c < best->k && taken < size; c++) sample[taken++] = best->rows[c];
    for (size_t i = 0; taken < size && i < n; i++) {
        size_t at = i + cairn_random_below(random, n - i);
        uint32_t row = order[at];
        bool known = false;
        order[at] = order[i];
        order[i] = row;
        for (size_t c = 0; best && c < best->k; c++) known |= best->rows[c] == row;
        if (!known) sample[taken++] = row;
    }
    qsort(sample, size, sizeof *sample, compare_rows);
}

/* The medoids of a sample, as rows of all. */
static cairn_status medoids_of_sample(cairn_context *ctx, cairn_medoids *m, const uint32_t *sample,
                                      size_t size, size_t most)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows part = {0};
    OWNED(cairn_free) double *owned = NULL;
    cairn_view view = {.rows = {.n = size}};
    cairn_medoid_rows x = {.view = &view, .rows = &part, .n = size};
    cairn_kmedoids_course course = {.most = most};
    cairn_kmedoids_steps quiet = {0};
    cairn_medoids within;
    double *weights;
    uint32_t *numbers;
    CHECK(cairn_distance_rows_keep(ctx, &part, m->x->rows, sample, size));
    CHECK(SCRATCH_RAW_EACH(ctx, size, &weights, &numbers));
    for (size_t i = 0; i < size; i++) {
        weights[i] = cairn_medoid_weight(m->x, sample[i]);
        numbers[i] = (uint32_t)cairn_view_row(m->x->view, sample[i]);
    }
    view.rows.indices = numbers;
    if (m->x->weights) x.weights = weights;
    CHECK(cairn_medoid_lines(ctx, &x, m->x->rows, sample, &owned));
    CHECK(cairn_medoids_make(ctx, &within, &x, m->k));
    CHECK(cairn_kmedoids_build(ctx, &within, &quiet));
    CHECK(cairn_medoids_assign(ctx, &within));
    CHECK(cairn_kmedoids_eager(ctx, &within, &course, &quiet));
    for (size_t c = 0; c < m->k; c++) m->rows[c] = sample[within.rows[c]];
    return CAIRN_OK;
}

static void show_sample(cairn_report *out, size_t number, double cost, bool best)
{
    if (!out) return;
    if (best) cairn_report_row_mark(out);
    cairn_report_cellf(out, "%zu", number);
    cairn_report_cell_number(out, cost, 0, "sample%zu.cost", number);
    cairn_report_cell(out, best ? "best so far" : "");
}

cairn_status cairn_kmedoids_sampled(cairn_context *ctx, cairn_medoids *m,
                                    const cairn_kmedoids_params *params,
                                    cairn_kmedoids_account *account, cairn_report *steps)
{
    SCOPED_SCRATCH(ctx);
    size_t n = m->x->n, size = cairn_kmedoids_sample_size(params, n);
    cairn_medoids best;
    uint32_t *sample, *order;
    CHECK(cairn_medoids_make(ctx, &best, m->x, m->k));
    CHECK(SCRATCH_RAW(ctx, &sample, size));
    CHECK(SCRATCH_RAW(ctx, &order, n));
    for (size_t i = 0; i < n; i++) order[i] = (uint32_t)i;
    best.cost = INFINITY;
    account->sample = (double)size;
    cairn_report_step_begin(steps, "Medoids of samples of %zu rows, judged by all rows", size);
    cairn_report_table_of(steps, "Samples", 0, "rrl", "sample", "cost of all rows", "");
    for (size_t s = 0; s < account->n_starts; s++) {
        cairn_random random;
        cairn_random_start(&random, cairn_context_seed(ctx), s);
        draw_sample(sample, size, order, n, s ? &best : NULL, &random);
        CHECK(medoids_of_sample(ctx, m, sample, size, (size_t)params->max_iter));
        CHECK(cairn_medoids_cost(ctx, m));
        account->costs[s] = m->cost;
        show_sample(steps, s + 1, m->cost, m->cost < best.cost);
        CHECK(cairn_tick(ctx, "samples", (double)(s + 1), (double)account->n_starts));
        if (!(m->cost < best.cost)) continue;
        account->best = (int32_t)s;
        best.cost = m->cost;
        memcpy(best.rows, m->rows, m->k * sizeof *m->rows);
    }
    cairn_report_table_end(steps);
    cairn_report_step_end(steps);
    memcpy(m->rows, best.rows, m->k * sizeof *m->rows);
    account->converged = true;
    return cairn_medoids_assign(ctx, m);
}
