/* SPDX-License-Identifier: MIT */
/* What a model of dense regions tells and draws of itself. */
#include "learners/cluster/dbscan.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHOWN_CLUSTERS = 50, SHOWN_ROWS = 20, LISTED_NOISE = 40, CIRCLES = 40, CORNERS = 48 };

/* -- words and tables -- */

/* The history may be missing: then the model knows its core points only. */
static void show_outcome(cairn_report *out, const cairn_dbscan_model *m, const cairn_job *job)
{
    const cairn_dbscan_params *p = job->params;
    const cairn_dbscan_history *s = job->history;
    cairn_report_value(out, "eps", m->eps, "eps");
    cairn_report_value(out, "min-points", p->min_points, "min_points");
    cairn_report_value(out, "clusters", (double)m->n_clusters, "clusters");
    cairn_report_value(out, "core points", (double)m->n_cores, "core");
    if (!s) return;
    cairn_report_value(out, "border points", (double)s->n_border, "border");
    if (s->n_tied)
        cairn_report_value(out, "border points near several clusters", (double)s->n_tied, "tied");
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
                          const cairn_dbscan_history *s)
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
    for (size_t c = 0; c < m->n_clusters; c++)
        cairn_report_cells(out, "- cluster$1.size -:3 cluster$1.core", c + 1, s->sizes[c],
                           s->sizes[c] / total, s->cores[c]);
    cairn_report_table_end(out);
    if (m->n_clusters == 1 && s->n_noise == 0)
        cairn_report_note(out, "All rows are in one cluster. A smaller {eps} or a larger "
                               "{min-points} would find gaps.");
}

/* Rows one by one, with what lies around them; of few rows only. */
static void show_rows(cairn_report *out, const cairn_dbscan_history *s)
{
    if (s->n_kept == 0) return;
    cairn_report_table_of(out, "Rows", SHOWN_ROWS, "rrll", "row", "within eps", "kind", "cluster");
    for (size_t i = 0; i < s->n_kept; i++) {
        size_t row = (size_t)s->sample.rows[i] + 1;
        int32_t cluster = s->sample.clusters[i];
        cairn_report_cells(out, "- neighbours.$1 kind.$1", row, s->counts[i],
                           cairn_dbscan_kind_name((cairn_dbscan_kind)s->kinds[i]));
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

/* Border rows that belong to another cluster as well as to theirs, the first of many. */
static void show_ties(cairn_report *out, const cairn_dbscan_history *s)
{
    size_t n = 0;
    if (s->n_tied == 0) return;
    SCOPED(cairn_text_clear) cairn_text list = cairn_text_start(cairn_report_context(out));
    for (size_t i = 0; s->seconds && i < s->n_kept; i++) {
        if (s->seconds[i] < 0) continue;
        cairn_report_hidden(out, s->seconds[i] + 1.0, "second.%d", s->sample.rows[i] + 1);
        if (n++ < LISTED_NOISE)
            cairn_text_addf(&list, "%s%d (%d or %d)", n > 1 ? ", " : ": ", s->sample.rows[i] + 1,
                            s->sample.clusters[i] + 1, s->seconds[i] + 1);
    }
    if (n > LISTED_NOISE) cairn_text_addf(&list, ", and %zu more", n - LISTED_NOISE);
    cairn_report_note(
        out,
        "Ties: %zu border %s near core points of several clusters and %s to the first "
        "of them, which depends on the order of the rows%s.",
        s->n_tied, s->n_tied == 1 ? "row is" : "rows are", s->n_tied == 1 ? "goes" : "go",
        cairn_text_string(&list));
    cairn_report_failed(out, cairn_text_status(&list));
}

/* Which rows are noise, the first of many. */
static void show_noise(cairn_report *out, const cairn_dbscan_history *s)
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
    const cairn_dbscan_history *s = job->history;
    *out = NULL;
    if (!s) return CAIRN_OK;
    return cairn_density_clusters_figure(ctx, out, &s->sample,
                                         ((const cairn_dbscan_model *)model)->n_clusters, job);
}

/* Core, border and noise, and the neighbourhoods of the core points where they are few. */
static cairn_status draw_kinds(cairn_context *ctx, cairn_figure **out, const void *model,
                               const cairn_job *job)
{
    static const char *const kinds[] = {"core", "border", "noise"};
    const cairn_dbscan_model *m = model;
    const cairn_dbscan_history *s = job->history;
    *out = NULL;
    if (!s || s->n_kept == 0) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    /* The neighbourhood is a circle in the picture when distances are those of the picture. */
    bool circles = !m->cores.given && m->cores.points.width == 2 && s->sample.n_columns == 2 &&
                   m->cores.metric.family == CAIRN_BY_SQUARES && !m->cores.metric.distance->place &&
                   s->n_core <= CIRCLES;
    CHECK(cairn_density_figure(ctx, out, &s->sample, job, "kinds",
                               circles ? "Core, border and noise; circles of radius eps"
                                       : "Core, border and noise"));
    if (!*out) return CAIRN_OK;
    if (circles) {
        cairn_figure_equal_axes(*out);
        cairn_figure *figure = *out;
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
    const cairn_dbscan_history *s = job->history;
    cairn_context *ctx = cairn_report_context(out);
    if (!out) return;
    cairn_report_heading(out, 2, "DBSCAN");
    show_outcome(out, m, job);
    if (!s) return;
    show_noise(out, s);
    show_ties(out, s);
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

/* DBSCAN as it is done by hand: neighbourhoods, the visits with their queue, and the question
 * whether one row can be reached from another. */

enum { LISTED = 24, REPORTED_ROWS = 200 };

/* -- one neighbourhood -- */

/* What is found around a row; room for all rows. */
typedef struct around {
    size_t n;
    uint32_t *rows;
    double *orders; /* by row */
    int32_t *buffer;
} around;

static cairn_status around_make(cairn_context *ctx, around *out, const cairn_density *density)
{
    *out = (around){0};
    CHECK(SCRATCH_EACH(ctx, density->n + 1, &out->rows, &out->orders));
    return SCRATCH(ctx, &out->buffer, cairn_distance_buffer(&density->rows, &density->rows));
}

static void note_row(void *data, size_t query, uint32_t row, double order, int worker)
{
    (void)query, (void)worker;
    around *a = data;
    a->rows[a->n++] = row;
    a->orders[row] = order;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The rows within reach, the row itself among them, in their order. */
static void look_around(around *a, const cairn_density *density, const cairn_dbscan_clusters *c,
                        size_t row)
{
    a->n = 0;
    cairn_density_within_one(density, row, c->reach, a->buffer, note_row, a);
    qsort(a->rows, a->n, sizeof *a->rows, by_number);
}

static size_t number_of(const cairn_density *density, size_t row)
{
    return density->rows.numbers[row] + (size_t)1;
}

/* "4, 7, 8" of some rows, the first of many. */
static void add_rows(cairn_text *text, const cairn_density *density, const uint32_t *rows, size_t n)
{
    for (size_t i = 0; i < n && i < LISTED; i++)
        cairn_text_addf(text, "%s%zu", i ? ", " : "", number_of(density, rows[i]));
    if (n > LISTED) cairn_text_addf(text, ", and %zu more", n - LISTED);
}

/* -- the visits -- */

typedef struct visiting {
    const cairn_density *density;
    const cairn_dbscan_clusters *clusters;
    around near;
    unsigned char *seen; /* n: visited, or waiting in the queue */
    int32_t *labels;     /* n: cluster so far, -1 = none */
    uint32_t *queue;     /* n */
    size_t first, last;  /* of the queue */
    int32_t *visits;
    size_t n_visits;
    int32_t n_clusters;
    cairn_report *steps;
} visiting;

/* The neighbours of a core point join its cluster; those that were not seen wait for a visit. */
static void expand(visiting *v, int32_t cluster)
{
    for (size_t i = 0; i < v->near.n; i++) {
        uint32_t row = v->near.rows[i];
        if (v->labels[row] < 0) v->labels[row] = cluster;
        if (v->seen[row]) continue;
        v->seen[row] = 1;
        v->queue[v->last++] = row;
    }
}

/* The queue is that after the visit, as it stands on the board when the next row is taken. */
static void tell_visit(visiting *v, size_t row, bool first)
{
    cairn_report *out = v->steps;
    bool core = v->clusters->core[row];
    if (!out) return;
    cairn_text near = cairn_text_start(cairn_report_context(out));
    cairn_text queue = cairn_text_start(cairn_report_context(out));
    add_rows(&near, v->density, v->near.rows, v->near.n);
    add_rows(&queue, v->density, v->queue + v->first, v->last - v->first);
    cairn_report_cells(out, "- - - -:6", v->n_visits, number_of(v->density, row),
                       cairn_text_string(&near), v->clusters->counts[row]);
    if (core)
        cairn_report_cellf(out, first ? "core: cluster %d begins" : "core: cluster %d grows",
                           v->labels[row] + 1);
    else if (v->labels[row] >= 0)
        cairn_report_cellf(out, "border of cluster %d", v->labels[row] + 1);
    else
        cairn_report_cell(out, "noise for now");
    cairn_report_cell(out, v->last > v->first ? cairn_text_string(&queue) : "empty");
    cairn_report_failed(out, cairn_text_status(&near));
    cairn_report_failed(out, cairn_text_status(&queue));
    cairn_text_clear(&near);
    cairn_text_clear(&queue);
}

static void visit_row(visiting *v, size_t row, bool first)
{
    bool core = v->clusters->core[row];
    look_around(&v->near, v->density, v->clusters, row);
    if (v->visits) v->visits[v->n_visits] = (int32_t)row;
    v->n_visits++;
    v->seen[row] = 1;
    if (core && first) v->labels[row] = v->n_clusters++;
    if (core) expand(v, v->labels[row]);
    tell_visit(v, row, first);
}

cairn_status cairn_dbscan_visit(cairn_context *ctx, const cairn_density *density,
                                const cairn_dbscan_clusters *clusters, int32_t *visits,
                                cairn_report *steps)
{
    SCOPED_SCRATCH(ctx);
    visiting v = {.density = density, .clusters = clusters, .visits = visits, .steps = steps};
    size_t n = v.density->n;
    CHECK(around_make(ctx, &v.near, v.density));
    CHECK(SCRATCH_EACH(ctx, n + 1, &v.seen, &v.labels, &v.queue));
    for (size_t i = 0; i < n; i++) v.labels[i] = -1;
    for (size_t i = 0; i < density->n; i++) {
        if (v.seen[i]) continue;
        visit_row(&v, i, true);
        while (v.first < v.last) visit_row(&v, v.queue[v.first++], false);
        v.first = v.last = 0;
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    return CAIRN_OK;
}

/* -- the steps -- */

/* Every row with its neighbours and how far they are: what decides about its kind. */
static cairn_status show_neighbourhoods(cairn_context *ctx, const cairn_density *density,
                                        const cairn_dbscan_clusters *c,
                                        const cairn_dbscan_options *options, cairn_report *out)
{
    around near;
    bool strict = options->rule == CAIRN_DBSCAN_SEED;
    char eps[CAIRN_NUMBER_SIZE];
    cairn_number_format(eps, options->eps, 6);
    SCOPED_SCRATCH(ctx);
    CHECK(around_make(ctx, &near, density));
    cairn_report_step_begin(out, "Neighbourhoods");
    cairn_report_formula(out, "N(p) = { q : d(p, q) %s %s },  p is a core point when |N(p)| %s %d",
                         strict ? "<" : "≤", eps, strict ? ">" : "≥", (int)options->min_points);
    cairn_report_table_of(out, NULL, REPORTED_ROWS, "rlrl", "row p", "N(p), with distances",
                          "|N(p)|", "core");
    for (size_t i = 0; i < density->n; i++) {
        cairn_text list = cairn_text_start(ctx);
        look_around(&near, density, c, i);
        for (size_t j = 0; j < near.n && j < LISTED; j++) {
            cairn_text_addf(&list, "%s%zu", j ? ", " : "", number_of(density, near.rows[j]));
            if (near.rows[j] == i) continue;
            cairn_text_add(&list, " (");
            cairn_text_add_number(&list, cairn_density_value(density, near.orders[near.rows[j]]),
                                  4);
            cairn_text_add(&list, ")");
        }
        if (near.n > LISTED) cairn_text_addf(&list, ", and %zu more", near.n - LISTED);
        cairn_report_cells(out, "- - -:6", number_of(density, i), cairn_text_string(&list),
                           c->counts[i], c->core[i] ? "yes" : "no");
        cairn_report_failed(out, cairn_text_status(&list));
        cairn_text_clear(&list);
    }
    cairn_report_table_end(out);
    if (density->weights)
        cairn_report_paragraph(out, "|N(p)| is the weight of the rows of N(p): a row of weight 2 "
                                    "counts as two rows.");
    cairn_report_step_end(out);
    return CAIRN_OK;
}

static cairn_status show_visits(cairn_context *ctx, const cairn_density *density,
                                const cairn_dbscan_clusters *c, cairn_report *out)
{
    cairn_report_step_begin(out, "Visits");
    cairn_report_paragraph(
        out,
        "Rows are visited in their order. A core point begins a cluster: its neighbours join "
        "and wait in the queue; of those, core points add their own neighbours, and the others "
        "are the border. When the queue is empty, the next row follows.");
    cairn_report_table_of(out, NULL, REPORTED_ROWS, "rrlrll", "visit", "row p", "N(p)", "|N(p)|",
                          "what it is", "queue afterwards");
    CHECK(cairn_dbscan_visit(ctx, density, c, NULL, out));
    cairn_report_table_end(out);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* A row that was noise when it was visited may have become the border of a later cluster. */
static void show_result(const cairn_density *density, const cairn_dbscan_clusters *c,
                        cairn_report *out)
{
    cairn_report_step_begin(out, "Clusters");
    cairn_report_table_of(out, NULL, REPORTED_ROWS, "rll", "row", "kind", "cluster");
    for (size_t i = 0; i < c->n; i++) {
        cairn_report_cells(out, NULL, number_of(density, i),
                           cairn_dbscan_kind_name(cairn_dbscan_kind_of(c, i)));
        if (c->clusters[i] >= 0)
            cairn_report_cellf(out, "%d", c->clusters[i] + 1);
        else
            cairn_report_cell(out, "none");
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* -- reachability -- */

typedef struct found_chain {
    size_t from, to;
    size_t n;       /* rows of the chain; 0 = there is none */
    uint32_t *rows; /* from ... to */
} found_chain;

/* The shortest chain, breadth first: only core points lead on; of equally short ones the one over
 * the first rows. */
static cairn_status find_chain(cairn_context *ctx, const cairn_density *density,
                               const cairn_dbscan_clusters *c, found_chain *chain)
{
    around near;
    uint32_t *queue, *before, n = 0;
    CHECK(around_make(ctx, &near, density));
    CHECK(SCRATCH_EACH(ctx, density->n + 1, &queue, &before, &chain->rows));
    for (size_t i = 0; i < density->n; i++) before[i] = UINT32_MAX;
    before[chain->from] = (uint32_t)chain->from;
    queue[n++] = (uint32_t)chain->from;
    for (uint32_t at = 0; at < n && before[chain->to] == UINT32_MAX; at++) {
        if (!c->core[queue[at]]) continue;
        look_around(&near, density, c, queue[at]);
        for (size_t j = 0; j < near.n; j++) {
            if (before[near.rows[j]] != UINT32_MAX) continue;
            before[near.rows[j]] = queue[at];
            queue[n++] = near.rows[j];
        }
    }
    chain->n = 0;
    if (before[chain->to] == UINT32_MAX || !c->core[chain->from]) return CAIRN_OK;
    for (size_t row = chain->to; row != chain->from; row = before[row]) chain->n++;
    chain->n++;
    size_t row = chain->to;
    for (size_t i = chain->n; i-- > 0; row = before[row]) chain->rows[i] = (uint32_t)row;
    return CAIRN_OK;
}

/* Each step of the chain is an arrow. */
static cairn_status draw_chain(cairn_context *ctx, cairn_report *out, const cairn_density *density,
                               const cairn_dbscan_clusters *c, const found_chain *chain,
                               const cairn_job *job)
{
    static const char *const kinds[] = {"core", "border", "noise"};
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    cairn_density_sample s = {0};
    SCOPED_KEPT(cairn_density_sample_keeps, &s);
    int32_t *groups;
    double x[2], y[2];
    if (density->n > CAIRN_DENSITY_SAMPLE) return CAIRN_OK;
    CHECK(cairn_density_sample_keep(ctx, &s, density, job->view, c->clusters));
    if (s.n_columns < 2) return CAIRN_OK;
    CHECK(cairn_density_figure(ctx, &figure, &s, job, "chain", "Reached step by step"));
    if (!figure) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &groups, s.n));
    for (size_t i = 0; i < s.n; i++) groups[i] = (int32_t)cairn_dbscan_kind_of(c, i);
    for (size_t i = 0; i + 1 < chain->n; i++) {
        for (size_t t = 0; t < 2; t++) {
            x[t] = s.places[2 * chain->rows[i + t]];
            y[t] = s.places[2 * chain->rows[i + t] + 1];
        }
        cairn_figure_arrow(figure, NULL, x, y, 2);
    }
    CHECK(cairn_density_points(ctx, figure, &s, groups, kinds, 3));
    cairn_report_figure(out, TAKE(figure));
    return CAIRN_OK;
}

/* When there is no chain, the reason is told: a row that leads nowhere, or a gap. */
static cairn_status show_chain(cairn_context *ctx, cairn_report *out, const cairn_density *density,
                               const cairn_dbscan_clusters *c, const found_chain *chain,
                               size_t number)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    size_t from = number_of(density, chain->from), to = number_of(density, chain->to);
    for (size_t i = 0; i < chain->n; i++)
        cairn_text_addf(&text, "%s%zu", i ? " → " : "", number_of(density, chain->rows[i]));
    bool direct = chain->n == 2;
    cairn_report_word(out, "reachable", chain->n ? "yes" : "no", "query%zu.reachable", number);
    cairn_report_word(out, "directly", direct ? "yes" : "no", "query%zu.direct", number);
    if (chain->n) {
        cairn_report_value(out, "steps", (double)chain->n - 1, "query%zu.steps", number);
        cairn_report_word(out, "chain", cairn_text_string(&text), "query%zu.chain", number);
    } else if (!c->core[chain->from]) {
        cairn_report_paragraph(out, "Row %zu is no core point: nothing is reached from it.", from);
    } else {
        cairn_report_paragraph(out, "No chain of core points leads from row %zu to row %zu.", from,
                               to);
    }
    return cairn_text_status(&text);
}

/* Row `number` of the table (from 1) among the rows of the density. */
static cairn_status find_row(cairn_context *ctx, const cairn_density *density, double number,
                             size_t *out)
{
    for (size_t i = 0; i < density->n; i++)
        if ((double)number_of(density, i) == number) {
            *out = i;
            return CAIRN_OK;
        }
    char text[CAIRN_NUMBER_SIZE];
    cairn_number_format(text, number, CAIRN_SHORTEST);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "{query}: there is no row %s among the %zu that are clustered; rows are "
                      "counted from 1",
                      text, density->n);
}

/* Rows of the questions are those of the table, counted from 1. */
static cairn_status show_queries(cairn_context *ctx, const cairn_density *density,
                                 const cairn_dbscan_clusters *c, const cairn_job *job)
{
    const cairn_dbscan_params *p = job->params;
    double *pairs;
    size_t n, width;
    CHECK(cairn_read_matrix(ctx, cairn_say(ctx, "{query}"), p->query, &pairs, &n, &width));
    if (width != 2)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{query} has pairs of rows such as \"4,1;7,2\", and '%s' has %zu in a "
                          "group",
                          p->query, width);
    for (size_t q = 0; q < n; q++) {
        found_chain chain = {0};
        CHECK(find_row(ctx, density, pairs[2 * q], &chain.from));
        CHECK(find_row(ctx, density, pairs[2 * q + 1], &chain.to));
        CHECK(find_chain(ctx, density, c, &chain));
        cairn_report_step_begin(job->steps, "Is row %zu reachable from row %zu?",
                                number_of(density, chain.to), number_of(density, chain.from));
        CHECK(show_chain(ctx, job->steps, density, c, &chain, q + 1));
        if (chain.n > 1) CHECK(draw_chain(ctx, job->steps, density, c, &chain, job));
        cairn_report_step_end(job->steps);
    }
    return CAIRN_OK;
}

cairn_status cairn_dbscan_steps(cairn_context *ctx, cairn_density *density,
                                const cairn_dbscan_clusters *clusters,
                                const cairn_dbscan_options *options, const cairn_job *job)
{
    const cairn_dbscan_params *p = job->params;
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_density_search(ctx, density));
    if (clusters->counts) {
        CHECK(show_neighbourhoods(ctx, density, clusters, options, job->steps));
        CHECK(show_visits(ctx, density, clusters, job->steps));
        show_result(density, clusters, job->steps);
    } else {
        cairn_report_paragraph(
            job->steps,
            "%zu rows are too many to show their visits one by one; up to %d are "
            "shown.",
            density->n, CAIRN_DENSITY_SAMPLE);
    }
    return p->query ? show_queries(ctx, density, clusters, job) : CAIRN_OK;
}
