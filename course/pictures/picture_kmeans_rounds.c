/* SPDX-License-Identifier: MIT */
/* cairn draw kmeans-rounds: k-means in the plane, a panel for every round.
 *
 * A panel has the rows coloured by the centre that they are nearest to before it moves, and the
 * lines between the cells of the centres: dashed where these were (squares), solid where they go.
 * With `rescaling` it is two panels instead: where k-means ends in the units of the columns, and
 * where it ends when they are standardised, drawn in the same units. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "base/number.h"
#include "learners/cluster/kmeans.h"
#include "plots/voronoi.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CENTRES = 50, MOST_POINTS = 20000 };

typedef struct rounds_params {
    const char *x, *y, *init;
    int clusters, rounds;
    bool scale, rescaling;
} rounds_params;

static const cairn_param rounds_table[] = {
    CAIRN_PARAM(rounds_params, clusters, "2", "[1,50]", "number of clusters", .often = true),
    CAIRN_PARAM(rounds_params, init, "first", NULL,
                "first centres: first, random, plusplus, mean, pc, partition, or a file (see cairn "
                "help kmeans)",
                .often = true),
    CAIRN_PARAM(rounds_params, rounds, "6", "[1,30]", "most panels", .when = "!rescaling",
                .often = true),
    CAIRN_PARAM(rounds_params, scale, "no", NULL, "standardise the two columns first",
                .when = "!rescaling", .often = true),
    CAIRN_PARAM(rounds_params, rescaling, "no", NULL,
                "where it ends before and after the columns are standardised", .often = true),
    CAIRN_PARAM_AS(rounds_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the horizontal axis; the first number column if not given"),
    CAIRN_PARAM_AS(rounds_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the vertical axis; the second number column if not given"),
    CAIRN_PARAM_END,
};

/* Rows in the plane, and the units in which they are compared. */
typedef struct plane {
    const rounds_params *p;
    const char *names[2];
    size_t n;
    double *raw[2]; /* n */
    double shift[2], unit[2];
    cairn_table *table; /* owned: the rows in these units */
    cairn_view view;
    cairn_params *settings; /* owned: of k-means */
    cairn_kmeans_data data;
    cairn_kmeans_run run;
} plane;

static void clear_plane(plane *p)
{
    cairn_table_free(p->table);
    cairn_params_free(p->settings);
}

/* -- reading -- */

/* Rows that have both numbers. */
static cairn_status read_rows(cairn_context *ctx, plane *p, const cairn_table *table)
{
    const rounds_params *params = p->p;
    size_t columns[2];
    CHECK(cairn_picture_pair(ctx, columns, table, params->x, params->y));
    for (size_t j = 0; j < 2; j++) {
        p->names[j] = table->slots[columns[j]].name;
        CHECK(SCRATCH_RAW(ctx, &p->raw[j], table->n_rows + 1));
    }
    const double *x = cairn_table_numbers(table, columns[0]);
    const double *y = cairn_table_numbers(table, columns[1]);
    for (size_t i = 0; i < table->n_rows; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i])) continue;
        p->raw[0][p->n] = x[i];
        p->raw[1][p->n++] = y[i];
    }
    if (p->n < (size_t)params->clusters)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%d clusters cannot be made of %zu row%s; {clusters} must be at most "
                          "%zu here",
                          params->clusters, p->n, p->n == 1 ? "" : "s", p->n);
    if (p->n > MOST_POINTS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "a picture of %zu rows in every panel is too large; {where} takes some "
                          "of them, at most %d",
                          p->n, MOST_POINTS);
    return CAIRN_OK;
}

/* Everything that a run of k-means needs, with the first centres. */
static cairn_status open_run(cairn_context *ctx, plane *p, bool scaled)
{
    char clusters[16];
    double *column;
    /* The units of the columns, or their deviations from the mean. */
    for (size_t j = 0; j < 2; j++) {
        double mean = 0, square = 0;
        for (size_t i = 0; i < p->n; i++) mean += p->raw[j][i] / (double)p->n;
        for (size_t i = 0; i < p->n; i++)
            square += (p->raw[j][i] - mean) * (p->raw[j][i] - mean) / (double)p->n;
        p->shift[j] = scaled ? mean : 0;
        p->unit[j] = scaled && square > 0 ? sqrt(square) : 1;
    }
    snprintf(clusters, sizeof clusters, "%d", p->p->clusters);
    CHECK(cairn_params_new(ctx, &p->settings, "kmeans"));
    CHECK(cairn_params_set(ctx, p->settings, "clusters", clusters));
    CHECK(cairn_params_set(ctx, p->settings, "init", p->p->init));
    CHECK(cairn_kmeans_check(ctx, p->settings->values));
    CHECK(SCRATCH_RAW(ctx, &column, p->n + 1));
    CHECK(cairn_table_new(ctx, &p->table, p->n));
    for (size_t j = 0; j < 2; j++) {
        for (size_t i = 0; i < p->n; i++) column[i] = (p->raw[j][i] - p->shift[j]) / p->unit[j];
        CHECK(cairn_table_put_numbers(ctx, p->table, p->names[j], column));
    }
    CHECK(cairn_view_make(ctx, &p->view, p->table, cairn_all_rows(p->table)));
    const cairn_kmeans_params *settings = p->settings->values;
    size_t k = (size_t)settings->clusters;
    CHECK(cairn_kmeans_data_make(ctx, &p->data, &p->view, k, false));
    CHECK(cairn_kmeans_run_make(ctx, &p->run, &p->data, k, settings));
    return cairn_kmeans_start(ctx, p->run.centres, &p->data, k, settings, 0, NULL);
}

/* -- drawing -- */

static double in_data(const plane *p, size_t j, double z)
{
    return p->shift[j] + z * p->unit[j];
}

/* A box around all rows, with a margin, in the units of the run. */
static cairn_plane_box box_of(const plane *p)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t j = 0; j < 2; j++) {
        for (size_t i = 0; i < p->n; i++) {
            double z = (p->raw[j][i] - p->shift[j]) / p->unit[j];
            low[j] = fmin(low[j], z);
            high[j] = fmax(high[j], z);
        }
        double margin = high[j] > low[j] ? 0.06 * (high[j] - low[j]) : 1;
        low[j] -= margin, high[j] += margin;
    }
    return (cairn_plane_box){low[0], high[0], low[1], high[1]};
}

/* The lines between the cells of these centres. */
static cairn_status draw_lines(cairn_context *ctx, cairn_figure *figure, const plane *p,
                               const double *centres, bool old)
{
    cairn_convex cells[MOST_CENTRES];
    cairn_plane_box box = box_of(p);
    cairn_strokes edges;
    size_t k = p->run.k;
    if (k < 2) return CAIRN_OK;
    CHECK(cairn_voronoi_cells(ctx, cells, centres, k, &box));
    CHECK(cairn_voronoi_edges(ctx, &edges, cells, k));
    for (size_t i = 0; i < edges.n; i++) {
        edges.x[i] = in_data(p, 0, edges.x[i]);
        edges.y[i] = in_data(p, 1, edges.y[i]);
    }
    if (old)
        cairn_figure_dashed(figure, NULL, edges.x, edges.y, edges.n);
    else
        cairn_figure_thick(figure, NULL, edges.x, edges.y, edges.n);
    return CAIRN_OK;
}

static void mark_centres(cairn_figure *figure, const plane *p, const double *centres, bool old)
{
    for (size_t c = 0; c < p->run.k; c++) {
        double x = in_data(p, 0, centres[2 * c]), y = in_data(p, 1, centres[2 * c + 1]);
        if (old)
            cairn_figure_square(figure, NULL, x, y);
        else
            cairn_figure_mark(figure, NULL, x, y);
    }
}

static cairn_status begin_panel(cairn_context *ctx, cairn_figure **out, const plane *p,
                                const char *title)
{
    cairn_plane_box box = box_of(p);
    CHECK(cairn_figure_new(ctx, out, "round", title));
    cairn_figure_size(*out, 340, 270);
    cairn_figure_axes(*out, p->names[0], p->names[1]);
    cairn_figure_x_range(*out, in_data(p, 0, box.low_x), in_data(p, 0, box.high_x));
    cairn_figure_y_range(*out, in_data(p, 1, box.low_y), in_data(p, 1, box.high_y));
    cairn_figure_points(*out, p->raw[0], p->raw[1], p->run.assign, p->n, NULL, 0);
    return CAIRN_OK;
}

/* One round: the rows by the old centres, and where the centres go. */
static cairn_status draw_round(cairn_context *ctx, cairn_figure *all, plane *p, size_t round)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    char title[80], sum[CAIRN_NUMBER_SIZE];
    size_t empty;
    cairn_number_format(sum, p->run.inertia, 5);
    snprintf(title, sizeof title, "Round %zu: sum of squares %s", round, sum);
    memcpy(p->run.before, p->run.centres, p->run.k * 2 * sizeof *p->run.before);
    cairn_kmeans_move(&p->run, &empty);
    CHECK(begin_panel(ctx, &figure, p, title));
    bool moved = memcmp(p->run.before, p->run.centres, p->run.k * 2 * sizeof *p->run.before) != 0;
    if (moved) {
        CHECK(draw_lines(ctx, figure, p, p->run.before, true));
        mark_centres(figure, p, p->run.before, true);
    }
    CHECK(draw_lines(ctx, figure, p, p->run.centres, false));
    mark_centres(figure, p, p->run.centres, false);
    cairn_figure_panel(all, TAKE(figure));
    return CAIRN_OK;
}

/* Where it ends in these units. */
static cairn_status draw_end(cairn_context *ctx, cairn_figure *all, const plane *rows, bool scaled)
{
    SCOPED(clear_plane) plane p = *rows;
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    size_t empty;
    CHECK(open_run(ctx, &p, scaled));
    for (size_t round = 0; round < 300; round++) {
        CHECK(cairn_kmeans_assign(ctx, &p.run));
        if (p.run.changes == 0) break;
        cairn_kmeans_move(&p.run, &empty);
    }
    CHECK(begin_panel(ctx, &figure, &p, scaled ? "Columns standardised" : "Columns as they are"));
    CHECK(draw_lines(ctx, figure, &p, p.run.centres, false));
    mark_centres(figure, &p, p.run.centres, false);
    cairn_figure_panel(all, TAKE(figure));
    return CAIRN_OK;
}

/* Either the two ends, before and after rescaling, or the rounds of one run up to the first in
 * which no row moves. */
static cairn_status rounds_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    SCOPED(clear_plane) plane p = {.p = job->params};
    OWNED(cairn_figure_free) cairn_figure *all = NULL;
    CHECK(read_rows(ctx, &p, job->table));
    CHECK(cairn_figure_new(ctx, &all, "kmeans-rounds",
                           p.p->rescaling
                               ? "k-means before and after rescaling"
                               : "k-means: dashed before the centres move, solid after"));
    cairn_figure_columns(all, p.p->rescaling ? 2 : 3);
    if (p.p->rescaling) {
        CHECK(draw_end(ctx, all, &p, false));
        CHECK(draw_end(ctx, all, &p, true));
    } else {
        CHECK(open_run(ctx, &p, p.p->scale));
        for (size_t round = 1; round <= (size_t)p.p->rounds; round++) {
            CHECK(cairn_kmeans_assign(ctx, &p.run));
            CHECK(draw_round(ctx, all, &p, round));
            if (p.run.changes == 0) break;
        }
    }
    *out = TAKE(all);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_kmeans_rounds = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "kmeans-rounds",
                .also = "k-means iterations, Voronoi lines, moving centres, Lloyd algorithm",
                .title = "k-means round by round",
                .summary = "k-means on two columns, a panel for every round: the rows coloured by "
                           "their centre, the lines between the cells of the centres dashed before "
                           "and solid after they move. With --rescaling where it ends before and "
                           "after the columns are standardised.",
                .references = "Lloyd, Least squares quantization in PCM, IEEE Transactions on "
                              "Information Theory 28 (1982)",
                .example = "cairn draw kmeans-rounds @kmeans-seven --clusters 2 --out rounds.svg",
                .params = rounds_table,
                .params_size = sizeof(rounds_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .draw = rounds_draw,
};
