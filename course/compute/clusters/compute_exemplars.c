/* SPDX-License-Identifier: MIT */
/* cairn compute exemplars: which place, and which row, stands for a set of rows.
 *
 * The mean has the least sum of squared Euclidean distances, the geometric median the least sum of
 * distances; both may lie where no row is. The medoid is the row with the least sum of distances to
 * the others, by any distance or a given matrix; of equal ones the first, and all are reported. */
#include "typed/compared.h"
#include "typed/shown.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/shape.h"
#include "draw/figure.h"
#include "rows/medoid.h"
#include "solve/certificate.h"
#include "stats/geometric_median.h"
#include "stats/summary.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_COLUMNS = 6, /* whose numbers are shown */
    MOST_NAMED = 200, /* rows whose totals are named values */
    MOST_WORKED = 8,  /* rows whose totals are written out */
    MOST_PATH = 10,   /* places on the way to the median */
    MOST_GROUPS = 100,
    MOST_DRAWN = 2000
};

typedef struct exemplars_params {
    cairn_compared_options compared;
    const char *distance;
} exemplars_params;

static const char *const usual = "squared\neuclidean\nmanhattan";

static const cairn_param exemplars_table[] = {
    CAIRN_PARAM_GROUP(exemplars_params, compared, cairn_compared_group),
    {.name = "distance",
     .names = "distance",
     .type = CAIRN_TYPE_SPEC,
     .offset = offsetof(exemplars_params, distance),
     .help = "by which medoids are found (cairn list distances); squared, euclidean and manhattan "
             "if not given",
     .often = true,
     .repeated = true},
    CAIRN_PARAM_END,
};

static cairn_status exemplars_check(cairn_context *ctx, const void *values)
{
    const exemplars_params *p = values;
    const char *const *list;
    CHECK(cairn_list_lines(ctx, p->distance, &list));
    for (size_t i = 0; list[i]; i++)
        CHECK(cairn_metric_check(ctx, cairn_say(ctx, "{distance}"), list[i]));
    return CAIRN_OK;
}

/* The medoid of a group by one distance. */
typedef struct medoid {
    double *totals; /* n */
    size_t at, tied;
} medoid;

typedef struct group {
    const char *name;   /* NULL = all rows */
    const char *prefix; /* of its values */
    uint32_t *rows;     /* n, of the view */
    size_t n;
    double *weights; /* n */
    double *places;  /* n x width; NULL = the rows are no places */
    double *mean, *median;
    double mean_total;
    cairn_median_path how;
    medoid *medoids; /* n_specs */
} group;

typedef struct exemplars {
    cairn_compared compared;
    const char *const *specs;
    size_t n_specs;
    bool given, numbers;
    group *groups;
    size_t n_groups;
    cairn_certificate certificate; /* of the medians */
} exemplars;

static void exemplars_clear(exemplars *e)
{
    cairn_compared_clear(&e->compared);
}

/* -- groups -- */

static cairn_status make_group(cairn_context *ctx, exemplars *e, int32_t code)
{
    const cairn_view *view = &e->compared.view;
    group *g = &e->groups[e->n_groups];
    CHECK(SCRATCH_EACH(ctx, view->rows.n + 1, &g->rows, &g->weights));
    for (size_t i = 0; i < view->rows.n; i++) {
        if (code >= 0 && view->target->codes[i] != code) continue;
        g->weights[g->n] = cairn_view_weight(view, i);
        g->rows[g->n++] = (uint32_t)i;
    }
    double total = 0;
    for (size_t i = 0; i < g->n; i++) total += g->weights[i];
    if (g->n && total > 0) e->n_groups++;
    return CAIRN_OK;
}

/* Names of the groups, and what their values begin with. */
static cairn_status make_groups(cairn_context *ctx, exemplars *e)
{
    const cairn_column *target = e->compared.view.target;
    bool levels = target && target->kind == CAIRN_LEVEL;
    size_t n = levels ? target->names.n : 1;
    if (n > MOST_GROUPS)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the target has %zu groups; at most %d are shown", n,
                          MOST_GROUPS);
    CHECK(SCRATCH(ctx, &e->groups, n + 1));
    for (size_t k = 0; k < n; k++) {
        size_t before = e->n_groups;
        CHECK(make_group(ctx, e, levels ? (int32_t)k : -1));
        if (levels && e->n_groups > before)
            e->groups[before].name = cairn_map_key(&target->names, k);
    }
    if (e->n_groups == 0) return cairn_fail(ctx, CAIRN_BAD_DATA, "no row has a weight above 0");
    return CAIRN_OK;
}

/* Mean and median of the group, where rows are places. */
static cairn_status find_centres(cairn_context *ctx, exemplars *e, group *g)
{
    size_t width = e->compared.view.n_features;
    const cairn_view *view = &e->compared.view;
    CHECK(SCRATCH(ctx, &g->places, cairn_product(g->n, width)));
    CHECK(SCRATCH_EACH(ctx, width, &g->mean, &g->median));
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < width; j++)
            g->places[i * width + j] = view->features[j]->numbers[g->rows[i]];
    cairn_mean_place(g->mean, g->places, g->weights, g->n, width);
    g->mean_total = cairn_total_distance(g->mean, g->places, g->weights, g->n, width);
    CHECK(cairn_geometric_median(ctx, g->median, &g->how, g->places, g->weights, g->n, width,
                                 MOST_PATH));
    cairn_certify(&e->certificate, CAIRN_PROOF_GRADIENT,
                  cairn_median_pull(g->median, g->places, g->weights, g->n, width), 1e-6);
    e->certificate.limited |= !g->how.converged;
    return CAIRN_OK;
}

static cairn_status find_medoids(cairn_context *ctx, exemplars *e, size_t s)
{
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows rows = {0};
    CHECK(cairn_distance_rows_open(ctx, &rows, &e->compared.view,
                                   e->given ? "euclidean" : e->specs[s]));
    for (size_t k = 0; k < e->n_groups; k++) {
        group *g = &e->groups[k];
        medoid *m = &g->medoids[s];
        CHECK(SCRATCH(ctx, &m->totals, g->n));
        CHECK(cairn_distance_totals(ctx, m->totals, &rows, g->rows, g->n, g->weights));
        m->at = cairn_least_total(m->totals, g->weights, g->n, &m->tied);
    }
    return CAIRN_OK;
}

/* Numbers that are there: only such rows have a mean. */
static bool are_places(const cairn_view *view)
{
    for (size_t j = 0; j < view->n_features; j++) {
        if (view->features[j]->kind != CAIRN_NUMBER) return false;
        for (size_t i = 0; i < view->rows.n; i++)
            if (!isfinite(view->features[j]->numbers[i])) return false;
    }
    return true;
}

/* A matrix of distances is taken as it is and has no means; of rows, every distance that is named
 * chooses its own medoids. */
static cairn_status find_exemplars(cairn_context *ctx, exemplars *e, const cairn_compute_job *job)
{
    const exemplars_params *p = job->params;
    CHECK(cairn_compared_read(ctx, &e->compared, &p->compared, job->table, job->what));
    e->given = e->compared.table->shape == CAIRN_SHAPE_DISTANCES;
    e->numbers = !e->given && are_places(&e->compared.view);
    static const char *const of_matrix[] = {"given", NULL};
    if (e->given && p->distance)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{distance}: the table is a matrix of distances, which are taken as they "
                          "are; leave it out");
    CHECK(cairn_list_lines(ctx, p->distance ? p->distance : usual, &e->specs));
    if (e->given) e->specs = of_matrix;
    while (e->specs[e->n_specs]) e->n_specs++;
    CHECK(make_groups(ctx, e));
    for (size_t k = 0; k < e->n_groups; k++) {
        CHECK(SCRATCH(ctx, &e->groups[k].medoids, e->n_specs));
        if (e->numbers) CHECK(find_centres(ctx, e, &e->groups[k]));
    }
    CHECK(cairn_certificate_judge(ctx, &e->certificate, job->what));
    for (size_t s = 0; s < e->n_specs; s++) CHECK(find_medoids(ctx, e, s));
    return CAIRN_OK;
}

/* -- showing -- */

static const char *row_name(const exemplars *e, const group *g, size_t i)
{
    return e->compared.names[g->rows[i]];
}

static size_t shown_columns(const exemplars *e)
{
    size_t n = e->compared.view.n_features;
    return e->numbers && n <= MOST_COLUMNS ? n : 0;
}

static void show_place(cairn_report *out, const exemplars *e, const group *g, const double *place,
                       const char *what)
{
    size_t width = e->compared.view.n_features, shown = shown_columns(e);
    for (size_t j = 0; j < width; j++) {
        const char *key = cairn_report_key(out, e->compared.view.names[j]);
        if (j < shown)
            cairn_report_cell_number(out, place[j], 0, "%s%s.%s", g->prefix, what, key);
        else
            cairn_report_hidden(out, place[j], "%s%s.%s", g->prefix, what, key);
    }
}

/* The row that was chosen, its numbers, its total, and the rows that tie with it. */
static void show_medoid(cairn_report *out, const exemplars *e, const group *g, size_t s)
{
    const medoid *m = &g->medoids[s];
    const char *spec = cairn_report_key(out, e->specs[s]);
    size_t width = e->compared.view.n_features, shown = shown_columns(e);
    SCOPED(cairn_text_clear) cairn_text ties = cairn_text_start(cairn_report_context(out));
    for (size_t i = 0; m->tied > 1 && i < g->n; i++)
        if (g->weights[i] > 0 && m->totals[i] <= m->totals[m->at] * (1 + 1e-12)) {
            if (ties.length) cairn_text_add(&ties, ", ");
            if (ties.length < 60)
                cairn_text_add(&ties, row_name(e, g, i));
            else
                break;
        }
    cairn_report_cellf(out, "medoid: row %s", row_name(e, g, m->at));
    const double *place = g->places ? g->places + m->at * width : NULL;
    cairn_report_cells(out, NULL, e->specs[s], cairn_cell_row(place, shown));
    cairn_report_hidden_word(out, row_name(e, g, m->at), "%s%s.medoid", g->prefix, spec);
    cairn_report_hidden(out, (double)m->tied, "%s%s.tied", g->prefix, spec);
    cairn_report_cell_number(out, m->totals[m->at], 0, "%s%s.least", g->prefix, spec);
    cairn_report_cell(out, cairn_text_string(&ties));
    cairn_report_failed(out, cairn_text_status(&ties));
}

/* One line for each exemplar; the places come first, as they need not be rows. */
static void show_group(cairn_report *out, const exemplars *e, const group *g)
{
    size_t shown = shown_columns(e);
    cairn_report_table_of(out, "Exemplars", 0, "ll", "exemplar", "least by");
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, e->compared.view.names[j], 'r');
    cairn_report_columns(out, "rl", "total", "tied rows");
    if (e->numbers) {
        cairn_report_cells(out, NULL, "mean", "squared, any place");
        show_place(out, e, g, g->mean, "mean");
        cairn_report_cells(out, NULL, "", "", "geometric median", "euclidean, any place");
        show_place(out, e, g, g->median, "median");
        cairn_report_cell_number(out, g->how.total, 0, "%smedian.total", g->prefix);
        cairn_report_cell(out, "");
    }
    for (size_t s = 0; s < e->n_specs; s++) show_medoid(out, e, g, s);
    if (!e->numbers) return;
    cairn_report_value(out, "Euclidean distances from the mean, in all", g->mean_total,
                       "%smean.total", g->prefix);
    cairn_report_hidden(out, (double)g->how.iterations, "%smedian.iterations", g->prefix);
    if (g->how.at >= 0)
        cairn_report_paragraph(out, "The geometric median is row %s.",
                               row_name(e, g, (size_t)g->how.at));
    if (!g->how.converged)
        cairn_report_note(out, "The geometric median is not settled after %zu iterations.",
                          g->how.iterations);
}

/* -- steps -- */

/* Column by column; weights that are all 1 are left out. */
static void work_mean(cairn_report *out, const exemplars *e, const group *g)
{
    size_t width = e->compared.view.n_features;
    double *terms, total = 0;
    cairn_context *ctx = cairn_report_context(out);
    cairn_status status = SCRATCH(ctx, &terms, 2 * g->n);
    cairn_report_failed(out, status);
    if (status) return;
    cairn_report_step_begin(out, "The mean");
    cairn_report_formula(out, "µ = Σ w·x / Σ w");
    for (size_t i = 0; i < g->n; i++) total += g->weights[i];
    for (size_t j = 0; j < width && j < MOST_COLUMNS; j++) {
        double sum = 0;
        bool plain = true;
        for (size_t i = 0; i < g->n; i++) {
            terms[2 * i] = g->weights[i];
            terms[2 * i + 1] = g->places[i * width + j];
            sum += terms[2 * i] * terms[2 * i + 1];
            plain = plain && g->weights[i] == 1;
        }
        for (size_t i = 0; plain && i < g->n; i++) terms[i] = g->places[i * width + j];
        cairn_report_worked_sum(out, e->compared.view.names[j], plain ? "#" : "#·#", terms,
                                plain ? 1 : 2, g->n, sum);
        cairn_report_worked(out, "  divided", "# / # = #", sum, total, g->mean[j]);
    }
    cairn_report_step_end(out);
}

/* The first places on the way, with the sum of the distances from each. */
static void work_median(cairn_report *out, const exemplars *e, const group *g)
{
    size_t width = e->compared.view.n_features, shown = shown_columns(e);
    cairn_report_step_begin(out, "The geometric median");
    cairn_report_formula(out, "m ← Σ w·x/|x − m| / Σ w/|x − m|, from the mean on");
    cairn_report_table_of(out, "The first places", 0, "r", "round");
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, e->compared.view.names[j], 'r');
    cairn_report_column(out, "Σ w·|x − m|", 'r');
    for (size_t k = 0; k < g->how.n_kept; k++) {
        const double *place = g->how.path + k * width;
        cairn_report_prefix(out, "%smedian.path", g->prefix);
        cairn_report_cells(out, "- - @$1.total", k, cairn_cell_row(place, shown),
                           cairn_total_distance(place, g->places, g->weights, g->n, width));
    }
    cairn_report_paragraph(out, "It is settled after %zu rounds.", g->how.iterations);
    cairn_report_step_end(out);
}

/* The totals of the first rows as sums of their distances. */
static cairn_status work_totals(cairn_context *ctx, cairn_report *out, const exemplars *e,
                                const group *g, size_t s)
{
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows rows = {0};
    double *terms;
    int32_t *buffer;
    CHECK(cairn_distance_rows_open(ctx, &rows, &e->compared.view,
                                   e->given ? "euclidean" : e->specs[s]));
    CHECK(SCRATCH(ctx, &terms, g->n));
    CHECK(SCRATCH(ctx, &buffer, cairn_distance_buffer(&rows, &rows)));
    cairn_report_step_begin(out, "Totals by the distance %s", e->specs[s]);
    if (!e->given) cairn_report_formula(out, "%s", rows.metric.distance->formula);
    for (size_t i = 0; i < g->n && i < MOST_WORKED; i++) {
        SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
        for (size_t j = 0; j < g->n; j++)
            terms[j] =
                g->weights[j] * cairn_distance_pair(&rows, g->rows[i], &rows, g->rows[j], buffer);
        cairn_text_addf(&label, "Σ d(%s, ·)", row_name(e, g, i));
        CHECK(cairn_text_status(&label));
        cairn_report_worked_sum(out, cairn_text_string(&label), "#", terms, 1, g->n,
                                g->medoids[s].totals[i]);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* -- the picture -- */

/* The medians of both columns: the place with the least total of Manhattan distances. Scratch. */
static cairn_status column_medians(cairn_context *ctx, double out[2], const group *g)
{
    double *values;
    CHECK(SCRATCH_RAW(ctx, &values, g->n + 1));
    for (size_t j = 0; j < 2; j++) {
        cairn_sample sample;
        for (size_t i = 0; i < g->n; i++) values[i] = g->places[2 * i + j];
        CHECK(cairn_sample_make(ctx, &sample, values, g->weights, g->n, (cairn_part){NULL, 0}));
        out[j] = cairn_sample_quantile(&sample, 0.5, CAIRN_QUANTILE_MIDPOINT);
    }
    return CAIRN_OK;
}

/* By one distance: the place with the least total, where it is known, and the medoid. */
static cairn_status draw_panel(cairn_context *ctx, cairn_figure **out, const exemplars *e, size_t s,
                               const int32_t *codes, const char *const *names)
{
    OWNED(cairn_figure_free) cairn_figure *panel = NULL;
    const cairn_view *view = &e->compared.view;
    bool grouped = e->groups[0].name;
    CHECK(cairn_figure_new(ctx, &panel, "exemplars", e->specs[s]));
    cairn_figure_size(panel, 320, 300);
    cairn_figure_axes(panel, view->names[0], view->names[1]);
    cairn_figure_equal_axes(panel);
    cairn_figure_points(panel, view->features[0]->numbers, view->features[1]->numbers,
                        grouped ? codes : NULL, view->rows.n, grouped ? names : NULL,
                        grouped ? e->n_groups : 0);
    /* Mark what has the least total distance of all places, where it is known. */
    const char *spec = e->specs[s];
    for (size_t k = 0; k < e->n_groups; k++) {
        const group *g = &e->groups[k];
        double medians[2];
        if (strcmp(spec, "squared") == 0)
            cairn_figure_mark(panel, k ? NULL : "mean", g->mean[0], g->mean[1]);
        if (strcmp(spec, "euclidean") == 0)
            cairn_figure_mark(panel, k ? NULL : "geometric median", g->median[0], g->median[1]);
        if (strcmp(spec, "manhattan") != 0) continue;
        CHECK(column_medians(ctx, medians, g));
        cairn_figure_mark(panel, k ? NULL : "column medians", medians[0], medians[1]);
    }
    for (size_t k = 0; k < e->n_groups; k++) {
        const group *g = &e->groups[k];
        const double *place = g->places + 2 * g->medoids[s].at;
        cairn_figure_square(panel, k ? NULL : "medoid", place[0], place[1]);
    }
    *out = TAKE(panel);
    return CAIRN_OK;
}

/* A panel for each distance. */
static cairn_status draw_exemplars(cairn_context *ctx, cairn_figure **out, const exemplars *e)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    size_t n = e->compared.view.rows.n;
    int32_t *codes;
    const char **names;
    CHECK(cairn_figure_new(ctx, &figure, "exemplars", "Exemplars by several distances"));
    CHECK(SCRATCH(ctx, &codes, n));
    CHECK(SCRATCH(ctx, &names, e->n_groups + 1));
    for (size_t i = 0; i < n; i++) codes[i] = -1;
    for (size_t k = 0; k < e->n_groups; k++) {
        names[k] = e->groups[k].name;
        for (size_t i = 0; i < e->groups[k].n; i++) codes[e->groups[k].rows[i]] = (int32_t)k;
    }
    for (size_t s = 0; s < e->n_specs; s++) {
        cairn_figure *panel = NULL;
        CHECK(draw_panel(ctx, &panel, e, s, codes, names));
        cairn_figure_panel(figure, panel);
    }
    cairn_figure_columns(figure, 3);
    *out = TAKE(figure);
    return CAIRN_OK;
}

static cairn_status exemplars_draw(cairn_context *ctx, cairn_figure **out,
                                   const cairn_compute_job *job)
{
    SCOPED(exemplars_clear) exemplars e = {0};
    CHECK(find_exemplars(ctx, &e, job));
    CHECK(cairn_compared_plane(ctx, &e.compared, job->what));
    return draw_exemplars(ctx, out, &e);
}

/* -- running -- */

/* Groups one after the other, each with its steps and tables. */
static cairn_status exemplars_run(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job)
{
    SCOPED(exemplars_clear) exemplars e = {0};
    CHECK(find_exemplars(ctx, &e, job));
    cairn_report_heading(out, 1, "Exemplars of %s",
                         job->table && job->table->source ? job->table->source : "points");
    if (!e.numbers && !e.given)
        cairn_report_note(out, "Not all columns are numbers that are there, so the rows have no "
                               "mean and no geometric median; medoids need distances only.");
    for (size_t k = 0; k < e.n_groups; k++) {
        group *g = &e.groups[k];
        CHECK(cairn_value_prefix(ctx, &g->prefix, out, g->name));
        if (g->name) cairn_report_heading(out, 2, "%s", g->name);
        cairn_report_value(out, "rows", (double)g->n, "%srows", g->prefix);
        if (job->steps) {
            if (e.numbers) work_mean(out, &e, g);
            if (e.numbers) work_median(out, &e, g);
            for (size_t s = 0; s < e.n_specs; s++) CHECK(work_totals(ctx, out, &e, g, s));
        }
        show_group(out, &e, g);
        /* Rows that are a medoid by one of the distances are marked. */
        cairn_report_table_of(out, "Total distance of each row from the others", 0, "l", "row");
        for (size_t s = 0; s < e.n_specs; s++) cairn_report_column(out, e.specs[s], 'r');
        for (size_t i = 0; i < g->n; i++) {
            bool named = i < MOST_NAMED;
            if (!named && !cairn_report_row_wanted(out)) break;
            bool best = false;
            for (size_t s = 0; s < e.n_specs; s++) best = best || g->medoids[s].at == i;
            if (best) cairn_report_row_mark(out);
            cairn_report_cell(out, row_name(&e, g, i));
            for (size_t s = 0; s < e.n_specs; s++)
                if (named)
                    cairn_report_cell_number(out, g->medoids[s].totals[i], 0, "%s%s.total.%s",
                                             g->prefix, cairn_report_key(out, e.specs[s]),
                                             cairn_report_key(out, row_name(&e, g, i)));
                else
                    cairn_report_cell_number(out, g->medoids[s].totals[i], 0, NULL);
        }
    }
    cairn_certificate_report(out, &e.certificate);
    if (e.numbers && e.compared.view.n_features == 2 && e.compared.view.rows.n <= MOST_DRAWN) {
        cairn_figure *figure = NULL;
        CHECK(draw_exemplars(ctx, &figure, &e));
        cairn_report_page_figure(out, figure);
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_exemplars = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "exemplars",
              .also = "medoid, geometric median, centroid, mean of points, Weiszfeld, Fermat point",
              .title = "Mean, geometric median and medoids of rows",
              .summary =
                  "What stands for a set of rows: the mean (least squared distances), the "
                  "geometric median (least distances, by Weiszfeld's iteration), and the medoid, "
                  "the row with the least total distance to the others by any distances or a given "
                  "matrix, with the totals of all rows and the rows that tie. With a target of "
                  "levels for each group by itself; weights count as so many equal rows.",
              .references = "Flach, Machine Learning, 2012; Vardi and Zhang, The multivariate "
                            "L1-median and associated data depth, PNAS 97 (2000)",
              .example = "cairn compute exemplars --points '0,3;3,3;3,0;-2,-4;-4,-2' --steps",
              .params = exemplars_table,
              .params_size = sizeof(exemplars_params),
              .check = exemplars_check},
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "exemplars",
         .also = "centroids and medoids",
         .title = "Mean, geometric median and medoids of rows",
         .summary =
             "The rows of two columns, a panel for each distance: the place with the "
             "least total (mean, geometric median, medians of the columns) and the medoid of "
             "each group.",
         .references = "Flach, Machine Learning, 2012",
         .example = "cairn draw exemplars @iris --features petal_length,petal_width "
                    "--target species",
         .params = exemplars_table,
         .params_size = sizeof(exemplars_params),
         .check = exemplars_check},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = exemplars_run,
    .draw = exemplars_draw,
};
