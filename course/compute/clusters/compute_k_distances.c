/* SPDX-License-Identifier: MIT */
/* cairn compute k-distances, cairn draw k-distances: how far the neighbour number k of every row
 * is, sorted: where the curve bends, dense regions end, and that is an eps for dbscan. */
#include "base/memory.h"
#include "learners/cluster/dense_rows.h"
#include "parallel/sort.h"
#include "typed/compared.h"
#include "report/table_rows.h"
#include <math.h>
#include <stdio.h>

enum { SHOWN_ROWS = 20, WORKED_ROWS = 12 };

typedef struct k_distances_params {
    cairn_compared_options compared;
    int min_points;
    const char *distance;
} k_distances_params;

static const cairn_param k_distances_table[] = {
    CAIRN_PARAM_GROUP(k_distances_params, compared, cairn_compared_group),
    CAIRN_PARAM(k_distances_params, min_points, "5", "[1,inf)",
                "k: rows within the distance, the row itself among them, as for dbscan",
                .often = true),
    CAIRN_DISTANCE_PARAM(k_distances_params),
    CAIRN_PARAM_END,
};

static cairn_status k_distances_check(cairn_context *ctx, const void *values)
{
    const k_distances_params *p = values;
    return cairn_metric_check(ctx, cairn_say(ctx, "{distance}"), p->distance);
}

/* -- the work -- */

typedef struct k_work {
    cairn_compared compared;
    cairn_density density;
    double *distances; /* n: of the rows */
    uint64_t *order;   /* n: rows, the farthest neighbour first */
    double knee, before;
    size_t finite;
} k_work;

static void clear_work(k_work *w)
{
    cairn_density_clear(&w->density);
    cairn_compared_clear(&w->compared);
}

static cairn_status work_out(cairn_context *ctx, k_work *w, const cairn_compute_job *job)
{
    const k_distances_params *p = job->params;
    double *falling;
    CHECK(cairn_compared_read(ctx, &w->compared, &p->compared, job->table, job->what));
    CHECK(cairn_density_open(ctx, &w->density, &w->compared.view, p->distance));
    size_t n = w->density.n;
    CHECK(SCRATCH_EACH(ctx, n + 1, &w->distances, &w->order, &falling));
    CHECK(cairn_density_core_distances(ctx, &w->density, p->min_points, w->distances));
    CHECK(cairn_density_knee(ctx, &w->density, w->distances, &w->knee, &w->before));
    for (size_t i = 0; i < n; i++) {
        w->finite += isfinite(w->distances[i]);
        falling[i] = -w->distances[i];
    }
    return cairn_sort_order(ctx, w->order, falling, n);
}

static size_t number_of(const k_work *w, size_t row)
{
    return w->density.rows.numbers[row] + (size_t)1;
}

/* -- the report -- */

/* The distances from a row to all rows, sorted; the one at place k counts. */
static cairn_status work_row(cairn_context *ctx, cairn_report *out, const k_work *w, size_t row,
                             int k)
{
    const cairn_distance_rows *rows = &w->density.rows;
    SCOPED_SCRATCH(ctx);
    double *all;
    uint64_t *order;
    int32_t *buffer;
    CHECK(SCRATCH_EACH(ctx, rows->n + 1, &all, &order));
    CHECK(SCRATCH(ctx, &buffer, cairn_distance_buffer(rows, rows)));
    for (size_t j = 0; j < rows->n; j++) all[j] = cairn_distance_pair(rows, row, rows, j, buffer);
    CHECK(cairn_sort_order(ctx, order, all, rows->n));
    cairn_report_step_begin(out, "Row %zu", number_of(w, row));
    cairn_report_table_of(out, NULL, 30, "rrr", "place", "row", "distance");
    for (size_t i = 0; i < rows->n && i <= (size_t)k; i++) {
        if (i + 1 == (size_t)k) cairn_report_row_mark(out);
        cairn_report_cells(out, NULL, i + 1, number_of(w, order[i]), all[order[i]]);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* All rows as a table, in their order. */
static cairn_status make_result(cairn_context *ctx, cairn_table **out, const k_work *w)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    double *rows;
    CHECK(SCRATCH_RAW(ctx, &rows, w->density.n + 1));
    for (size_t i = 0; i < w->density.n; i++) rows[i] = (double)number_of(w, i);
    CHECK(cairn_table_new(ctx, &made, w->density.n));
    CHECK(cairn_table_put_numbers(ctx, made, "row", rows));
    CHECK(cairn_table_put_numbers(ctx, made, "distance", w->distances));
    *out = TAKE(made);
    return CAIRN_OK;
}

/* The falling curve of what is finite, and the eps at its bend. */
static cairn_status draw_curve(cairn_context *ctx, cairn_figure **out, const k_work *w,
                               const cairn_compute_job *job)
{
    const k_distances_params *p = job->params;
    char title[120];
    double *x, *y;
    size_t n = 0;
    CHECK(SCRATCH_EACH(ctx, w->density.n + 1, &x, &y));
    for (size_t i = 0; i < w->density.n; i++) {
        double distance = w->distances[w->order[i]];
        if (!isfinite(distance)) continue;
        x[n] = (double)i + 1, y[n++] = distance;
    }
    snprintf(title, sizeof title, "Distance within which a row has %d rows, itself counted",
             p->min_points);
    CHECK(cairn_figure_new(ctx, out, "k-distances", title));
    cairn_figure_axes(*out, "rows, the farthest first", "distance");
    cairn_figure_y_range(*out, 0, NAN);
    cairn_figure_line(*out, NULL, x, y, n);
    if (w->knee > 0) cairn_figure_rule_y(*out, "eps at the bend", w->knee);
    return CAIRN_OK;
}

/* Too few rows for k have no such distance; everything else follows from the sorted list. */
static cairn_status k_distances_report(cairn_context *ctx, cairn_report *out, const k_work *w,
                                       const cairn_compute_job *job)
{
    const k_distances_params *p = job->params;
    cairn_figure *figure = NULL;
    cairn_report_heading(out, 1, "Distances to the neighbour number %d", p->min_points);
    for (size_t i = 0; job->steps && i < w->density.n && i < WORKED_ROWS; i++)
        CHECK(work_row(ctx, out, w, i, p->min_points));
    cairn_report_value(out, "rows", (double)w->density.n, "rows");
    cairn_report_word(out, "columns were taken", cairn_compared_units(&w->compared, &p->compared),
                      "units");
    cairn_report_value(out, "eps at the bend", w->knee, "knee");
    cairn_report_value(out, "rows before it", w->before, "before");
    if (w->finite < w->density.n)
        cairn_report_note(out,
                          "%zu row%s no %d rows around at any distance; choose a smaller "
                          "{min-points}.",
                          w->density.n - w->finite,
                          w->density.n - w->finite == 1 ? " has" : "s have", p->min_points);
    /* What share of rows has its neighbour within what distance: core points for that eps. */
    static const int shares[] = {50, 75, 90, 95, 99, 100};
    cairn_report_table_of(out, "Rows that would be core points", 0, "rr", "share of rows, %",
                          "eps at least");
    for (size_t s = 0; s < sizeof shares / sizeof *shares; s++) {
        size_t least = (w->density.n * (size_t)shares[s] + 99) / 100;
        double eps = least ? w->distances[w->order[w->density.n - least]] : NAN;
        cairn_report_cellf(out, "%d", shares[s]);
        cairn_density_cell(out, eps, "share%d", shares[s]);
    }
    bool named = w->density.n <= CAIRN_DENSITY_SAMPLE;
    cairn_report_table_of(out, "Rows, the farthest first", SHOWN_ROWS, "rrr", "place", "row",
                          "distance");
    for (size_t i = 0; i < w->density.n && (named || i <= SHOWN_ROWS); i++) {
        size_t row = number_of(w, w->order[i]);
        cairn_report_cells(out, NULL, i + 1, row);
        cairn_density_cell(out, w->distances[w->order[i]], named ? "distance.%zu" : NULL, row);
    }
    if (w->finite > 1) {
        CHECK(draw_curve(ctx, &figure, w, job));
        cairn_report_figure(out, figure);
    }
    return job->result ? make_result(ctx, job->result, w) : CAIRN_OK;
}

static cairn_status k_distances_run(cairn_context *ctx, cairn_report *out,
                                    const cairn_compute_job *job)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(clear_work) k_work w = {0};
    CHECK(work_out(ctx, &w, job));
    return k_distances_report(ctx, out, &w, job);
}

static cairn_status k_distances_draw(cairn_context *ctx, cairn_figure **out,
                                     const cairn_compute_job *job)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(clear_work) k_work w = {0};
    CHECK(work_out(ctx, &w, job));
    return draw_curve(ctx, out, &w, job);
}

const cairn_calculator cairn_compute_k_distances = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "k-distances",
              .also = "k-distance plot, choosing eps, knee, core distances",
              .title = "Distances to the neighbour number k, for choosing eps",
              .summary =
                  "The distance within which every row has min-points rows, itself counted, sorted "
                  "from the largest: rows of dense regions have small ones, and where the curve "
                  "bends is an eps for dbscan. The table says how many rows would be core points "
                  "for which eps. Columns are taken as they are; dbscan standardises them unless "
                  "told otherwise, which is --with scale here.",
              .references = "Ester, Kriegel, Sander and Xu, A density-based algorithm for "
                            "discovering clusters (1996)",
              .example = "cairn compute k-distances @iris --ignore species --with scale",
              .params = k_distances_table,
              .params_size = sizeof(k_distances_params),
              .check = k_distances_check},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "k-distances",
                .also = "k-distance plot, choosing eps, knee",
                .title = "Distances to the neighbour number k, sorted",
                .summary = "The distance within which every row has min-points rows, from the "
                           "largest to the smallest, with the eps at which the curve bends most.",
                .references = "Ester, Kriegel, Sander and Xu, A density-based algorithm for "
                              "discovering clusters (1996)",
                .example = "cairn draw k-distances @iris --ignore species --with scale",
                .params = k_distances_table,
                .params_size = sizeof(k_distances_params),
                .check = k_distances_check},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = k_distances_run,
    .draw = k_distances_draw,
};
