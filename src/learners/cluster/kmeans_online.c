/* SPDX-License-Identifier: MIT */
/* k-means row by row (MacQueen, 1967): a row moves its nearest centre towards itself, by less the
 * more rows the centre has taken, so that a centre is the mean of its start and of the rows that
 * it took. Rows come once in their order (online) or are drawn again and again (random); a weight
 * counts as so many equal rows at once. The centre that a start gives counts as one row. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "learners/cluster/kmeans.h"
#include <math.h>
#include <string.h>

enum { MOST_SHOWN = 20 }; /* rows in the steps */

/* Centres that rows are drawn for never come to rest: this part of the mean variance is enough
 * where no tolerance is given. */
static const double LEAST_TOLERANCE = 1e-4;

/* Streams of random numbers beside those of the starts. */
static const uint64_t STREAMS = UINT64_C(1) << 32;

typedef struct online {
    cairn_kmeans_run *run;
    double *taken; /* k: weight that each centre stands for */
    double *row;   /* d */
    cairn_report *steps;
} online;

/* Row i moves its nearest centre; returns which. */
static size_t take_row(const online *o, size_t i)
{
    cairn_kmeans_run *run = o->run;
    size_t d = run->data->d;
    double weight = cairn_view_weight(run->data->view, i), square;
    int32_t nearest;
    cairn_kmeans_row(run->data, i, o->row);
    cairn_kmeans_order(run->ordered, run->centres, run->k, d, run->last);
    cairn_kmeans_nearest(&nearest, &square, o->row, 1, d, run->ordered, run->k, run->last);
    double *centre = run->centres + (size_t)nearest * d;
    o->taken[nearest] += weight;
    if (weight > 0)
        for (size_t j = 0; j < d; j++)
            centre[j] += weight / o->taken[nearest] * (o->row[j] - centre[j]);
    cairn_kmeans_to_sphere(run->data, centre, 1);
    return (size_t)nearest;
}

static void begin_table(const online *o, const cairn_view *view)
{
    cairn_report_step_begin(o->steps, "One row after the other");
    cairn_report_formula(o->steps, "n := n + w,  c := c + w/n · (x − c)");
    cairn_report_table_of(o->steps, "The first rows", 0, "rrr", "row", "nearest centre", "n");
    for (size_t j = 0; j < view->n_features; j++)
        cairn_report_column(o->steps, view->names[j], 'r');
}

static void show_row(const online *o, size_t number, size_t i, size_t c)
{
    size_t d = o->run->data->d;
    const cairn_view *view = o->run->data->view;
    cairn_report_cellf(o->steps, "%zu", cairn_view_row(view, i) + 1);
    cairn_report_cell_number(o->steps, (double)(c + 1), 0, "update%zu.centre", number);
    cairn_report_cell_number(o->steps, o->taken[c], 0, "update%zu.n", number);
    for (size_t j = 0; j < d; j++)
        cairn_report_cell_number(o->steps, o->run->centres[c * d + j], 0, "update%zu.%s", number,
                                 cairn_report_key(o->steps, view->names[j]));
}

/* As many rows as there are. */
static cairn_status run_epoch(cairn_context *ctx, const online *o, cairn_random *random, bool show)
{
    const cairn_kmeans_data *data = o->run->data;
    if (show) begin_table(o, data->view);
    for (size_t t = 0; t < data->n; t++) {
        size_t i = random ? (size_t)cairn_random_below(random, data->n) : t;
        size_t c = take_row(o, i);
        if (t % 4096 == 0) CHECK(cairn_tick(ctx, NULL, 0, 0));
        if (show && t < MOST_SHOWN) show_row(o, t + 1, i, c);
    }
    if (show) {
        cairn_report_table_end(o->steps);
        cairn_report_step_end(o->steps);
    }
    return CAIRN_OK;
}

cairn_status cairn_kmeans_online(cairn_context *ctx, cairn_kmeans_run *run,
                                 const cairn_kmeans_params *params, size_t start,
                                 cairn_report *steps, cairn_progress *p)
{
    size_t d = run->data->d;
    double tolerance = fmax(params->tolerance, LEAST_TOLERANCE);
    double enough = tolerance * run->data->total / run->data->weight / (double)d;
    online o = {.run = run, .steps = steps};
    cairn_random random;
    bool drawn = params->protocol == CAIRN_PROTOCOL_RANDOM;
    CHECK(SCRATCH(ctx, &o.taken, run->k));
    CHECK(SCRATCH(ctx, &o.row, d));
    for (size_t c = 0; c < run->k; c++) o.taken[c] = 1;
    cairn_random_start(&random, cairn_context_seed(ctx), STREAMS + start);
    memset(run->assign, -1, run->data->n * sizeof *run->assign);
    run->bounded = false;
    CHECK(cairn_kmeans_assign(ctx, run));
    CHECK(cairn_progress_start(ctx, p, run->inertia));
    while (cairn_progress_goes_on(p)) {
        memcpy(run->before, run->centres, run->k * d * sizeof *run->before);
        CHECK(run_epoch(ctx, &o, drawn ? &random : NULL, steps && p->iterations == 0));
        double moved = cairn_squared_distance(run->before, run->centres, run->k * d);
        CHECK(cairn_kmeans_assign(ctx, run));
        bool ends = !drawn || moved <= enough; /* online, every row comes once */
        CHECK(cairn_progress_next(ctx, p, run->inertia, ends ? 0 : INFINITY, 0));
    }
    return CAIRN_OK;
}
