/* SPDX-License-Identifier: MIT */
/* k-means by batches of rows (after Sculley, Web-scale k-means clustering, 2010).
 *
 * A batch of rows is assigned to the nearest centres; then every centre becomes the mean of all
 * rows that it ever took: n := n + |B|, c := c + (Σ x − |B| c) / n. Fitting draws the rows of a
 * batch with repeats; a pass is as many rows as there are. It ends when the centres moved little in
 * a pass. One look at all rows comes last.
 *
 * A fitted model takes more rows in the same way, batch after batch in their order, from the sizes
 * that its account has; so a stream can be followed. What is told of it afterwards is that of the
 * rows in the clusters that they were put in: they are not looked at again. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "learners/cluster/kmeans.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_BATCHES = 5 };

/* As for rows that are drawn one by one. */
static const double LEAST_TOLERANCE = 1e-4;
static const uint64_t STREAMS = UINT64_C(1) << 33;

typedef struct batching {
    cairn_kmeans_run *run;
    size_t size;     /* rows of a batch */
    double *taken;   /* k: weight that each centre stands for */
    uint32_t *rows;  /* size: of the table */
    double *factors; /* size: weights of these rows on top of the weight column */
    int32_t *assign; /* size */
    cairn_report *steps;
    size_t n_shown;
} batching;

static cairn_status make_batching(cairn_context *ctx, batching *b, cairn_kmeans_run *run,
                                  size_t size, cairn_report *steps)
{
    *b = (batching){.run = run, .steps = steps};
    b->size = size < run->data->n ? size : run->data->n;
    CHECK(SCRATCH(ctx, &b->taken, run->k));
    CHECK(SCRATCH_RAW_EACH(ctx, b->size + 1, &b->rows, &b->factors));
    return SCRATCH_RAW(ctx, &b->assign, b->size + 1);
}

static void put_row(batching *b, size_t at, size_t i)
{
    const cairn_view *view = b->run->data->view;
    b->rows[at] = (uint32_t)cairn_view_row(view, i);
    b->factors[at] = view->rows.weights ? view->rows.weights[i] : 1;
}

/* The first batches are shown; the others would say the same. */
static void show_batch(batching *b, double inertia)
{
    char prefix[40];
    const cairn_kmeans_run *run = b->run;
    if (!b->steps || b->n_shown == SHOWN_BATCHES) return;
    snprintf(prefix, sizeof prefix, "batch%zu", ++b->n_shown);
    cairn_report_step_begin(b->steps, "Batch %zu", b->n_shown);
    cairn_report_formula(b->steps, "n := n + |B|,  c := c + (Σ x − |B| c) / n");
    cairn_report_table_of(b->steps, "Rows of the batch", 0, "rrr", "centre", "|B|", "n");
    for (size_t c = 0; c < run->k; c++) {
        cairn_report_cellf(b->steps, "%zu", c + 1);
        cairn_report_cell_number(b->steps, run->sizes[c], 0, "%s.size.%zu", prefix, c + 1);
        cairn_report_cell_number(b->steps, b->taken[c], 0, "%s.n.%zu", prefix, c + 1);
    }
    cairn_report_table_end(b->steps);
    cairn_report_value(b->steps, "squared distances from the centres before", inertia, "%s.sse",
                       prefix);
    cairn_kmeans_show_centres(b->steps, run, prefix);
    cairn_report_step_end(b->steps);
}

/* Assign the first n rows of the batch: sums, sizes and within of the run are theirs. */
static cairn_status assign_batch(cairn_context *ctx, const batching *b, size_t n, double *inertia)
{
    SCOPED_SCRATCH(ctx);
    cairn_kmeans_data data = *b->run->data;
    cairn_kmeans_run part = *b->run;
    cairn_view view;
    CHECK(cairn_matrix_part(ctx, &data.x, &view, &b->run->data->x, b->rows, n));
    view.rows.weights = b->factors;
    data.view = &view;
    data.n = n;
    part.data = &data;
    part.assign = b->assign;
    part.bounded = false;
    memset(part.assign, -1, n * sizeof *part.assign);
    CHECK(cairn_kmeans_assign(ctx, &part));
    *inertia = part.inertia;
    return CAIRN_OK;
}

/* Every centre that took rows becomes the mean of all that it ever took. */
static void move_centres(batching *b)
{
    cairn_kmeans_run *run = b->run;
    size_t d = run->data->d;
    for (size_t c = 0; c < run->k; c++) {
        double *centre = run->centres + c * d;
        if (!(run->sizes[c] > 0)) continue;
        b->taken[c] += run->sizes[c];
        for (size_t j = 0; j < d; j++)
            centre[j] += (run->sums[c * d + j] - run->sizes[c] * centre[j]) / b->taken[c];
        cairn_kmeans_to_sphere(run->data, centre, 1);
    }
}

/* As many drawn rows as there are; *inertia is the mean square of the drawn rows when they came. */
static cairn_status run_pass(cairn_context *ctx, batching *b, cairn_random *random, double *mean)
{
    size_t n = b->run->data->n;
    double inertia = 0, weight = 0;
    for (size_t done = 0; done < n; done += b->size) {
        double square;
        for (size_t i = 0; i < b->size; i++) put_row(b, i, (size_t)cairn_random_below(random, n));
        CHECK(assign_batch(ctx, b, b->size, &square));
        for (size_t c = 0; c < b->run->k; c++) weight += b->run->sizes[c];
        inertia += square;
        move_centres(b);
        show_batch(b, square);
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    *mean = weight > 0 ? inertia / weight : 0;
    return CAIRN_OK;
}

cairn_status cairn_kmeans_batches(cairn_context *ctx, cairn_kmeans_run *run,
                                  const cairn_kmeans_params *params, size_t start,
                                  cairn_report *steps, cairn_progress *p)
{
    const cairn_kmeans_data *data = run->data;
    size_t d = data->d;
    double tolerance = fmax(params->tolerance, LEAST_TOLERANCE), mean;
    double enough = tolerance * data->total / data->weight / (double)d;
    batching b;
    cairn_random random;
    CHECK(make_batching(ctx, &b, run, (size_t)params->batch_size, steps));
    cairn_random_start(&random, cairn_context_seed(ctx), STREAMS + start);
    memset(run->assign, -1, data->n * sizeof *run->assign);
    run->bounded = false;
    CHECK(cairn_progress_start(ctx, p, data->total));
    while (cairn_progress_goes_on(p)) {
        memcpy(run->before, run->centres, run->k * d * sizeof *run->before);
        CHECK(run_pass(ctx, &b, &random, &mean));
        double moved = cairn_squared_distance(run->before, run->centres, run->k * d);
        CHECK(cairn_progress_next(ctx, p, mean * data->weight, moved <= enough ? 0 : INFINITY, 0));
    }
    CHECK(cairn_kmeans_assign(ctx, run));
    p->history[p->n_history - 1] = run->inertia;
    return CAIRN_OK;
}

/* -- more rows for a fitted model -- */

/* Sums of squares of the clusters with the rows of a batch: Σ ‖x − c‖² about the new centres, which
 * are means; or 2 n − 2 c · Σ x where all have the length 1. `old` are the centres before. */
static void add_within(const batching *b, cairn_kmeans_account *account, const double *old)
{
    const cairn_kmeans_run *run = b->run;
    size_t d = run->data->d;
    for (size_t c = 0; c < run->k; c++) {
        const double *from = old + c * d, *to = run->centres + c * d;
        double before = account->sizes[c], n = b->taken[c];
        double within = account->within[c] + run->within[c];
        if (run->data->spherical) {
            double along = (before - account->within[c] / 2) * cairn_dot(from, to, d);
            within = 2 * n - 2 * (along + cairn_dot(run->sums + c * d, to, d));
        } else {
            within -= n * cairn_squared_distance(from, to, d);
        }
        account->within[c] = fmax(within, 0);
        account->sizes[c] = n;
    }
}

/* What the account says of all rows follows from the clusters; what it says of single rows is over.
 */
static cairn_status close_account(cairn_context *ctx, cairn_kmeans_account *account,
                                  const cairn_kmeans_run *run)
{
    size_t d = run->data->d;
    double *mean, weight = 0, *places;
    CHECK(SCRATCH(ctx, &mean, d));
    CHECK(NEW(ctx, &places, 2 * run->k));
    cairn_free(account->picture);
    account->picture = places;
    account->n_sample = account->n_kept = 0;
    account->tied = -1;
    account->inertia = 0;
    for (size_t c = 0; c < run->k; c++) {
        account->inertia += account->within[c];
        weight += account->sizes[c];
        cairn_axpy(mean, account->sizes[c], run->centres + c * d, d);
    }
    for (size_t j = 0; j < d; j++) mean[j] /= weight;
    account->total = account->inertia;
    for (size_t c = 0; c < run->k; c++)
        account->total += account->sizes[c] * cairn_squared_distance(run->centres + c * d, mean, d);
    return CAIRN_OK;
}

/* All new rows in batches of their order. */
static cairn_status take_rows(cairn_context *ctx, batching *b, cairn_kmeans_account *account)
{
    cairn_kmeans_run *run = b->run;
    size_t n = run->data->n, d = run->data->d;
    memcpy(b->taken, account->sizes, run->k * sizeof *b->taken);
    for (size_t first = 0; first < n; first += b->size) {
        size_t m = n - first < b->size ? n - first : b->size;
        double inertia;
        for (size_t i = 0; i < m; i++) put_row(b, i, first + i);
        memcpy(run->before, run->centres, run->k * d * sizeof *run->before);
        CHECK(assign_batch(ctx, b, m, &inertia));
        move_centres(b);
        add_within(b, account, run->before);
        show_batch(b, inertia);
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    return close_account(ctx, account, run);
}

cairn_status cairn_kmeans_update(cairn_context *ctx, void *model, const cairn_job *job)
{
    const cairn_kmeans_params *params = job->params;
    cairn_kmeans_model *m = model;
    cairn_kmeans_data data;
    cairn_kmeans_run run;
    batching b;
    if (!job->account)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the model does not say how many rows its clusters have, and so not how "
                          "far more rows move them; fit it again");
    CHECK(cairn_kmeans_data_make(ctx, &data, job->view, m->n_clusters,
                                 params->form == CAIRN_KMEANS_SPHERICAL));
    CHECK(cairn_kmeans_run_make(ctx, &run, &data, m->n_clusters, params));
    memcpy(run.centres, m->centres, run.k * data.d * sizeof *run.centres);
    size_t size = params->protocol == CAIRN_KMEANS_MINI_BATCH ? (size_t)params->batch_size
                  : params->protocol == CAIRN_PROTOCOL_BATCH  ? data.n
                                                              : 1;
    CHECK(make_batching(ctx, &b, &run, size, job->steps));
    CHECK(take_rows(ctx, &b, job->account));
    memcpy(m->centres, run.centres, run.k * data.d * sizeof *m->centres);
    return CAIRN_OK;
}
