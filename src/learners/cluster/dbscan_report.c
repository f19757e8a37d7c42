/* SPDX-License-Identifier: MIT */
/* What a model of dense regions tells and draws of itself. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/text.h"
#include "learners/cluster/dbscan.h"
#include <math.h>

enum { SHOWN_CLUSTERS = 50, SHOWN_ROWS = 20, LISTED_NOISE = 40, CIRCLES = 40, CORNERS = 48 };

/* -- words and tables -- */

/* The account may be missing: then the model knows its core points only. */
static void show_outcome(cairn_report *out, const cairn_dbscan_model *m, const cairn_job *job)
{
    const cairn_dbscan_params *p = job->params;
    const cairn_dbscan_account *s = job->account;
    cairn_report_value(out, "eps", m->eps, "eps");
    cairn_report_value(out, "min-points", p->min_points, "min_points");
    cairn_report_value(out, "clusters", (double)m->n_clusters, "clusters");
    cairn_report_value(out, "core points", (double)m->n_cores, "core");
    if (!s) return;
    cairn_report_value(out, "border points", (double)s->n_border, "border");
    cairn_report_value(out, "noise", (double)s->n_noise, "noise");
    cairn_report_value(out, "share of noise", (double)s->n_noise / (double)s->n_rows,
                       "noise_share");
    if (s->chosen)
        cairn_report_note(out,
                          "{eps} was not given: it was chosen where the sorted distances to the "
                          "neighbour number %d bend most. 'cairn draw k-distances DATA {min-points "
                          "%d} {distance %s} {with standardise}' shows them; without {with} "
                          "those in the units of the columns, as after {scale none}.",
                          p->min_points, p->min_points, p->distance);
}

/* A clustering of one cluster, or of none, says little, and is told with what would change it. */
static void show_clusters(cairn_report *out, const cairn_dbscan_model *m,
                          const cairn_dbscan_account *s)
{
    double total = 0;
    if (m->n_clusters == 0) {
        cairn_report_note(out,
                          "All rows are noise: no row has enough neighbours. A larger {eps} or "
                          "a smaller {min-points} makes clusters.");
        return;
    }
    for (size_t c = 0; c < m->n_clusters; c++) total += s->sizes[c];
    cairn_report_table_of(out, "Clusters", SHOWN_CLUSTERS, "rrrr", "cluster", "size",
                          s->n_noise ? "share without noise" : "share", "core points");
    for (size_t c = 0; c < m->n_clusters; c++) {
        cairn_report_cellf(out, "%zu", c + 1);
        cairn_report_cell_number(out, s->sizes[c], 0, "cluster%zu.size", c + 1);
        cairn_report_cell_number(out, s->sizes[c] / total, 3, NULL);
        cairn_report_cell_number(out, s->cores[c], 0, "cluster%zu.core", c + 1);
    }
    cairn_report_table_end(out);
    if (m->n_clusters == 1 && s->n_noise == 0)
        cairn_report_note(out, "All rows are in one cluster. A smaller {eps} or a larger "
                               "{min-points} would find gaps.");
}

/* Rows one by one, with what lies around them; of few rows only. */
static void show_rows(cairn_report *out, const cairn_dbscan_account *s)
{
    if (s->n_kept == 0) return;
    cairn_report_table_of(out, "Rows", SHOWN_ROWS, "rrll", "row", "within eps", "kind", "cluster");
    for (size_t i = 0; i < s->n_kept; i++) {
        size_t row = (size_t)s->sample.rows[i] + 1;
        int32_t cluster = s->sample.clusters[i];
        cairn_report_cellf(out, "%zu", row);
        cairn_report_cell_number(out, s->counts[i], 0, "neighbours.%zu", row);
        cairn_report_cell_word(out, cairn_dbscan_kind_name((cairn_dbscan_kind)s->kinds[i]),
                               "kind.%zu", row);
        cairn_report_hidden(out, cluster + 1.0, "assign.%zu", row);
        if (cluster >= 0)
            cairn_report_cellf(out, "%d", cluster + 1);
        else
            cairn_report_cell(out, "none");
    }
    cairn_report_table_end(out);
    for (size_t i = 0; i < s->n_kept; i++)
        cairn_report_hidden(out, s->sample.rows[s->visits[i]] + 1.0, "visit.%zu", i + 1);
}

/* Which rows are noise, the first of many. */
static void show_noise(cairn_report *out, const cairn_dbscan_account *s)
{
    size_t n = 0;
    if (s->n_kept == 0 || s->n_noise == 0) return;
    SCOPED(cairn_text_clear) cairn_text list = cairn_text_start(cairn_report_context(out));
    for (size_t i = 0; i < s->n_kept; i++) {
        if (s->kinds[i] != CAIRN_DBSCAN_NOISE || n++ >= LISTED_NOISE) continue;
        cairn_text_addf(&list, "%s%d", n > 1 ? ", " : "", s->sample.rows[i] + 1);
    }
    if (n > LISTED_NOISE) cairn_text_addf(&list, ", and %zu more", n - LISTED_NOISE);
    cairn_report_word(out, "rows of noise", cairn_text_string(&list), "noise_rows");
    cairn_report_failed(out, cairn_text_status(&list));
}

/* -- pictures -- */

static cairn_status draw_clusters(cairn_context *ctx, cairn_figure **out, const void *model,
                                  const cairn_job *job)
{
    const cairn_dbscan_account *s = job->account;
    *out = NULL;
    if (!s) return CAIRN_OK;
    return cairn_density_clusters_figure(ctx, out, &s->sample,
                                         ((const cairn_dbscan_model *)model)->n_clusters, job);
}

/* The neighbourhood is a circle in the picture when distances are those of the picture. */
static bool has_circles(const cairn_dbscan_model *m, const cairn_dbscan_account *s)
{
    return !m->cores.given && m->cores.points.width == 2 && s->sample.n_columns == 2 &&
           m->cores.metric.family == CAIRN_BY_SQUARES && !m->cores.metric.distance->place &&
           s->n_core <= CIRCLES;
}

static void draw_circles(cairn_figure *figure, const cairn_dbscan_model *m,
                         const cairn_dbscan_account *s)
{
    double x[CORNERS + 1], y[CORNERS + 1];
    for (size_t i = 0; i < s->n_kept; i++) {
        if (s->kinds[i] != CAIRN_DBSCAN_CORE) continue;
        for (size_t t = 0; t <= CORNERS; t++) {
            double angle = 2 * M_PI * (double)t / CORNERS;
            x[t] = s->sample.places[2 * i] + m->eps * cairn_cos(angle);
            y[t] = s->sample.places[2 * i + 1] + m->eps * cairn_sin(angle);
        }
        cairn_figure_faint(figure, x, y, CORNERS + 1);
    }
}

/* Core, border and noise, and the neighbourhoods of the core points where they are few. */
static cairn_status draw_kinds(cairn_context *ctx, cairn_figure **out, const void *model,
                               const cairn_job *job)
{
    static const char *const kinds[] = {"core", "border", "noise"};
    const cairn_dbscan_model *m = model;
    const cairn_dbscan_account *s = job->account;
    *out = NULL;
    if (!s || s->n_kept == 0) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    bool circles = has_circles(m, s);
    CHECK(cairn_density_figure(ctx, out, &s->sample, job, "kinds",
                               circles ? "Core, border and noise; circles of radius eps"
                                       : "Core, border and noise"));
    if (!*out) return CAIRN_OK;
    if (circles) {
        cairn_figure_equal_axes(*out);
        draw_circles(*out, m, s);
    }
    return cairn_density_points(ctx, *out, &s->sample, s->kinds, kinds, 3);
}

const cairn_model_figure cairn_dbscan_figures[] = {
    {"clusters", draw_clusters, false},
    {"kinds", draw_kinds, false},
    {0},
};

/* -- the description -- */

void cairn_dbscan_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_dbscan_model *m = model;
    const cairn_dbscan_account *s = job->account;
    cairn_context *ctx = cairn_report_context(out);
    if (!out) return;
    cairn_report_heading(out, 2, "DBSCAN");
    show_outcome(out, m, job);
    if (!s) return;
    show_noise(out, s);
    show_clusters(out, m, s);
    show_rows(out, s);
    for (const cairn_model_figure *f = cairn_dbscan_figures; f->name; f++) {
        cairn_figure *figure = NULL;
        cairn_status made = f->make(ctx, &figure, model, job);
        cairn_describe_figure(out, made, &figure, false);
    }
}

/* The nearest core point, and whether it is near enough. */
void cairn_dbscan_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    const cairn_dbscan_model *m = model;
    cairn_context *ctx = cairn_report_context(out);
    uint32_t index = (uint32_t)cairn_view_row(job->view, row);
    if (!ctx) return;
    SCOPED(cairn_neighbours_clear) cairn_neighbours near = {0};
    cairn_view one = *job->view;
    one.rows = (cairn_rows){&index, 1, NULL};
    cairn_status status = cairn_density_nearest(ctx, &m->cores, &one, 1, &near);
    cairn_report_failed(out, status);
    if (status) return;
    if (!near.found[0]) {
        cairn_report_paragraph(out, "It cannot be compared with any core point.");
        return;
    }
    size_t nearest = near.rows[0];
    cairn_report_value(out, "nearest core point", m->cores.numbers[nearest] + 1.0, "core");
    cairn_report_value(out, "its distance", near.distances[0], "distance");
    cairn_report_value(out, "its cluster", m->clusters[nearest] + 1.0, "core_cluster");
    cairn_report_value(out, "eps", m->eps, "eps");
    cairn_report_paragraph(out, "A row is in the cluster of its nearest core point when that is "
                                "within eps; otherwise it is noise.");
}
