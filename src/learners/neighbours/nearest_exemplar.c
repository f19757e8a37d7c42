/* SPDX-License-Identifier: MIT */
/* The nearest exemplar: every class is stood for by one place or row, and a new row gets the class
 * whose exemplar is nearest.
 *
 * 1. The exemplar of a class is the mean of its rows (least squared distances), their geometric
 *    median (least distances), the medoid (the row with the least total distance to the others, by
 *    any distance or a given matrix), or a row of a file.
 * 2. The distance learns what it has to (ranges, a covariance) from all training rows.
 * 3. The score of a class is minus the distance from its exemplar; of equally near ones, within a
 *    part in 1e12, the first class is taken. A row that cannot be compared has no answer.
 *
 * With two classes, means and the Euclidean distance this is the basic linear classifier: the plane
 * halfway between the means. Row weights count as so many equal rows. Cost: one pass for means; for
 * medoids all pairs of each class. Predicting: one distance per class.
 *
 * Sources: Flach, Machine Learning (2012), section 8.3; Tibshirani and others, Diagnosis of
 * multiple cancer types by shrunken centroids of gene expression (2002). */
#include "model/kept_parts.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/column.h"
#include "learners/neighbours/exemplars_lower.h"
#include "learners/neighbours/knn.h"
#include "learners/neighbours/nearest_exemplar.h"
#include "model/learned.h"
#include "model/by_distance.h"
#include "model/chain.h"
#include "report/table_rows.h"
#include "rows/medoid.h"
#include "rows/used.h"
#include "stats/geometric_median.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BY_MEAN, BY_MEDIAN, BY_MEDOID, BY_FILE };
enum { SHOWN_COLUMNS = 8, STEP_ROWS = 5, PART_ROWS = 16384 };

typedef struct exemplar_params {
    int exemplar;
    const char *distance;
    const char *exemplars;
} exemplar_params;

static const cairn_choice kinds[] = {
    {"mean", BY_MEAN, "the mean of the rows of the class; number columns"},
    {"median", BY_MEDIAN, "their geometric median; number columns"},
    {"medoid", BY_MEDOID, "the row with the least total distance to the others of its class"},
    {"file", BY_FILE, "a row of the file of --exemplars"},
    {0},
};

static const cairn_param exemplar_table[] = {
    CAIRN_PARAM_CHOICE(exemplar_params, exemplar, "mean", kinds, "what stands for a class",
                       .often = true),
    CAIRN_DISTANCE_PARAM(exemplar_params),
    CAIRN_PARAM_AS(exemplar_params, exemplars, CAIRN_TYPE_FILE, NULL,
                   "a table with the columns of the data and the class of each exemplar; a class "
                   "may have several",
                   .when = "exemplar=file"),
    CAIRN_PARAM_END,
};

typedef struct exemplar_model {
    size_t n, n_columns;
    int32_t *codes;           /* n: classes, rising unless they come from a file */
    double *counts;           /* n: weight of the rows of the class; 0 = from a file */
    double *values;           /* n x n_columns: their numbers; NULL = not all columns are numbers */
    cairn_distance_rows rows; /* the exemplars */
} exemplar_model;

cairn_exemplar_places cairn_nearest_exemplar_places(const void *model)
{
    const exemplar_model *m = model;
    return (cairn_exemplar_places){m->n, m->n_columns, m->values, m->codes};
}

static bool makes_places(const exemplar_params *p)
{
    return p->exemplar == BY_MEAN || p->exemplar == BY_MEDIAN;
}

static cairn_status exemplar_check(cairn_context *ctx, const void *values)
{
    const exemplar_params *p = values;
    CHECK(cairn_metric_check(ctx, cairn_say(ctx, "{distance}"), p->distance));
    const cairn_distance *d = cairn_distance_named(p->distance);
    if (makes_places(p) && !(d->takes & CAIRN_DISTANCE_NUMBERS))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{exemplar %s}: only numbers have one, and the %s distance takes none; "
                          "{exemplar medoid} takes any rows",
                          p->exemplar == BY_MEAN ? "mean" : "median", p->distance);
    if (p->exemplar == BY_FILE && !p->exemplars)
        return cairn_fail(ctx, CAIRN_USAGE, "{exemplar file} needs {exemplars FILE}");
    return CAIRN_OK;
}

/* Means need numbers that are there; everything else is for the chain to turn into such. */
static unsigned exemplar_accepts(const void *params)
{
    const exemplar_params *p = params;
    unsigned accepts = cairn_distance_accepts(p->distance);
    unsigned rows_only = CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING | CAIRN_ACCEPTS_TEXTS |
                         CAIRN_ACCEPTS_SEQUENCES | CAIRN_ACCEPTS_BAGS | CAIRN_ACCEPTS_DISTANCES;
    if (p->exemplar == BY_FILE) return accepts & ~(unsigned)CAIRN_ACCEPTS_DISTANCES;
    return makes_places(p) ? accepts & ~rows_only : accepts;
}

/* -- the rows of the classes -- */

/* Rows of the view, class by class. */
typedef struct class_rows {
    size_t n;        /* classes that occur */
    int32_t *codes;  /* n */
    size_t *begins;  /* n + 1 */
    uint32_t *rows;  /* all rows of the view */
    double *weights; /* of these */
} class_rows;

/* -- places -- */

/* The numbers of a class, side by side. */
static cairn_status gather(cairn_context *ctx, double **out, const cairn_view *view,
                           const class_rows *classes, size_t k)
{
    size_t n = classes->begins[k + 1] - classes->begins[k], width = view->n_features;
    CHECK(SCRATCH_RAW(ctx, out, cairn_product(n, width)));
    for (size_t i = 0; i < n; i++) {
        size_t row = cairn_view_row(view, classes->rows[classes->begins[k] + i]);
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        for (size_t j = 0; j < width; j++) (*out)[i * width + j] = view->features[j]->numbers[row];
    }
    return CAIRN_OK;
}

/* Mean or geometric median of every class into `values`. */
static cairn_status find_places(cairn_context *ctx, exemplar_model *m, const cairn_view *view,
                                const class_rows *classes, bool median,
                                cairn_certificate *certificate)
{
    size_t width = view->n_features;
    CHECK(NEW(ctx, &m->values, cairn_product(m->n, width)));
    for (size_t k = 0; k < m->n; k++) {
        SCOPED_SCRATCH(ctx);
        const double *weights = classes->weights + classes->begins[k];
        size_t n = classes->begins[k + 1] - classes->begins[k];
        cairn_median_path how = {.converged = true};
        double *rows;
        CHECK(gather(ctx, &rows, view, classes, k));
        if (median)
            CHECK(cairn_geometric_median(ctx, m->values + k * width, &how, rows, weights, n, width,
                                         0));
        else
            cairn_mean_place(m->values + k * width, rows, weights, n, width);
        if (median)
            cairn_certify(certificate, CAIRN_PROOF_GRADIENT,
                          cairn_median_pull(m->values + k * width, rows, weights, n, width), 1e-6);
        if (!how.converged)
            cairn_warn(ctx, "the geometric median of class %d is not settled after %zu iterations",
                       m->codes[k] + 1, how.iterations);
    }
    return CAIRN_OK;
}

/* A table of the places under the names of the view's columns. */
static cairn_status table_of_places(cairn_context *ctx, cairn_table **out, const cairn_view *view,
                                    const double *values, size_t n)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    double *column;
    CHECK(SCRATCH(ctx, &column, n + 1));
    CHECK(cairn_table_new(ctx, &table, n));
    for (size_t j = 0; j < view->n_features; j++) {
        for (size_t k = 0; k < n; k++) column[k] = values[k * view->n_features + j];
        CHECK(cairn_table_put_numbers(ctx, table, view->names[j], column));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

/* The rows of a table become the exemplars; the distance learns from the training rows. */
static cairn_status take_table(cairn_context *ctx, exemplar_model *m, const cairn_view *training,
                               const cairn_table *table, const char *spec)
{
    cairn_view view;
    cairn_distance_rows *rows = &m->rows;
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    rows->n = view.rows.n;
    CHECK(NEW(ctx, &rows->numbers, rows->n));
    CHECK(cairn_metric_open(ctx, &rows->metric, cairn_say(ctx, "{distance}"), spec));
    CHECK(cairn_metric_learn(ctx, &rows->metric, training));
    return cairn_metric_points(ctx, &rows->metric, &rows->points, &view, NULL);
}

static cairn_status fit_places(cairn_context *ctx, exemplar_model *m, const cairn_job *job,
                               const cairn_view *view, const class_rows *classes)
{
    const exemplar_params *p = job->params;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(find_places(ctx, m, view, classes, p->exemplar == BY_MEDIAN, job->certificate));
    CHECK(table_of_places(ctx, &table, view, m->values, m->n));
    return take_table(ctx, m, view, table, p->distance);
}

/* -- rows -- */

static bool are_numbers(const cairn_view *view)
{
    for (size_t j = 0; j < view->n_features; j++)
        if (view->features[j]->kind != CAIRN_NUMBER) return false;
    return true;
}

/* What the exemplars' rows hold, for the description. */
static cairn_status keep_values(cairn_context *ctx, exemplar_model *m, const cairn_view *view,
                                const uint32_t *rows)
{
    size_t width = view->n_features;
    if (m->rows.given || !are_numbers(view)) return CAIRN_OK;
    CHECK(NEW(ctx, &m->values, cairn_product(m->n, width)));
    for (size_t k = 0; k < m->n; k++) cairn_view_block(view, rows[k], 1, m->values + k * width);
    return CAIRN_OK;
}

/* Totals are those within a class; of equal ones the first row is taken. */
static cairn_status fit_medoids(cairn_context *ctx, exemplar_model *m, const cairn_job *job,
                                const cairn_view *view, const class_rows *classes)
{
    const exemplar_params *p = job->params;
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows all = {0};
    uint32_t *chosen;
    CHECK(cairn_distance_rows_open(ctx, &all, view, p->distance));
    CHECK(SCRATCH(ctx, &chosen, m->n));
    for (size_t k = 0; k < m->n; k++) {
        SCOPED_SCRATCH(ctx);
        const double *weights = classes->weights + classes->begins[k];
        const uint32_t *rows = classes->rows + classes->begins[k];
        size_t n = classes->begins[k + 1] - classes->begins[k], tied;
        double *totals;
        CHECK(SCRATCH(ctx, &totals, n));
        CHECK(cairn_distance_totals(ctx, totals, &all, rows, n, weights));
        chosen[k] = rows[cairn_least_total(totals, weights, n, &tied)];
    }
    CHECK(cairn_distance_rows_keep(ctx, &m->rows, &all, chosen, m->n));
    return keep_values(ctx, m, view, chosen);
}

/* -- a file -- */

/* The file holds raw rows, which pass the chain as new rows do. */
static cairn_status fit_file(cairn_context *ctx, exemplar_model *m, const cairn_job *job,
                             const cairn_view *view)
{
    const exemplar_params *p = job->params;
    OWNED(cairn_table_free) cairn_table *raw = NULL;
    OWNED(cairn_table_free) cairn_table *matched = NULL;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_match match = {.first_field = -1};
    CHECK(cairn_table_read(ctx, &raw, p->exemplars, NULL));
    if (raw->n_rows == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s has no rows, so no exemplars", p->exemplars);
    /* Codes of the classes that the file names. */
    const char *path = p->exemplars;
    ptrdiff_t target = cairn_schema_role(job->schema, CAIRN_TARGET);
    const cairn_field *field = &job->schema->fields[target];
    ptrdiff_t at = cairn_table_find(raw, field->name);
    if (at < 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: there is no column '%s' with the classes", path,
                          field->name);
    m->n = raw->n_rows;
    CHECK(NEW_EACH(ctx, m->n, &m->codes, &m->counts));
    for (size_t i = 0; i < m->n; i++) {
        char name[256];
        (void)cairn_table_cell(raw, (size_t)at, i, name, sizeof name);
        m->codes[i] = -1;
        for (size_t c = 0; c < field->names.n; c++)
            if (strcmp(cairn_map_key(&field->names, c), name) == 0) m->codes[i] = (int32_t)c;
        if (m->codes[i] < 0)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "%s: column '%s', row %zu: '%s' is no class of the training rows",
                              path, field->name, i + 1, name);
    }
    const cairn_schema *schema = job->model ? &job->model->schema : job->schema;
    CHECK(cairn_schema_match(ctx, &matched, schema, raw, false, &match));
    if (job->model)
        CHECK(cairn_chain_apply(ctx, job->model, &table, matched));
    else
        table = TAKE(matched);
    CHECK(take_table(ctx, m, view, table, p->distance));
    cairn_view rows;
    uint32_t *all;
    CHECK(cairn_view_make(ctx, &rows, table, cairn_all_rows(table)));
    CHECK(SCRATCH(ctx, &all, m->n));
    for (size_t k = 0; k < m->n; k++) all[k] = (uint32_t)k;
    return keep_values(ctx, m, &rows, all);
}

/* -- answering -- */

typedef struct answer {
    int32_t nearest, next; /* exemplars; -1 = none */
} answer;

static answer find_nearest(const double *distances, size_t n)
{
    answer a = {-1, -1};
    for (size_t k = 0; k < n; k++) {
        if (isnan(distances[k])) continue;
        if (a.nearest < 0 || distances[k] < distances[a.nearest] * (1 - 1e-12))
            a.next = a.nearest, a.nearest = (int32_t)k;
        else if (a.next < 0 || distances[k] < distances[a.next] * (1 - 1e-12))
            a.next = (int32_t)k;
    }
    return a;
}

/* -- steps -- */

static const cairn_field *class_field(const cairn_job *job)
{
    return &job->schema->fields[cairn_schema_role(job->schema, CAIRN_TARGET)];
}

static const char *class_name(const cairn_job *job, int32_t code)
{
    return code < 0 ? "?" : cairn_map_key(&class_field(job)->names, (size_t)code);
}

static const char *column_name(const cairn_job *job, size_t j)
{
    for (size_t i = 0; i < job->schema->n_fields; i++)
        if (job->schema->fields[i].role == CAIRN_FEATURE && j-- == 0)
            return job->schema->fields[i].name;
    return "?";
}

/* How each exemplar came about, in the units that the learner sees. */
static void show_making(cairn_report *out, const exemplar_model *m, const cairn_job *job)
{
    const exemplar_params *p = job->params;
    static const char *const formulas[] = {
        [BY_MEAN] = "µ_c = Σ w·x / Σ w over the rows of class c",
        [BY_MEDIAN] = "m_c = the place with the least Σ w·|x − m| over the rows of class c",
        [BY_MEDOID] = "the row x of class c with the least Σ w·d(x, y) over the rows y of class c",
        [BY_FILE] = "the rows of the file",
    };
    cairn_report_step_begin(out, "The exemplars");
    cairn_report_formula(out, "%s", formulas[p->exemplar]);
    cairn_report_table_of(out, "Exemplars", 0, "lr", "class", "weight");
    size_t shown = m->values && m->n_columns <= SHOWN_COLUMNS ? m->n_columns : 0;
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, column_name(job, j), 'r');
    for (size_t k = 0; k < m->n; k++) {
        cairn_report_cells(out, NULL, class_name(job, m->codes[k]), m->counts[k]);
        for (size_t j = 0; j < shown; j++)
            cairn_report_cell_number(out, m->values[k * m->n_columns + j], 0, NULL);
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* The first rows with their distances from all exemplars. */
static cairn_status show_rows(cairn_context *ctx, const exemplar_model *m, const cairn_job *job,
                              const cairn_view *view)
{
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows queries = {0};
    cairn_report *out = job->steps;
    cairn_view few = *view;
    double *d;
    size_t n = view->rows.n < STEP_ROWS ? view->rows.n : STEP_ROWS;
    few.rows.n = n;
    CHECK(cairn_distance_rows_like(ctx, &queries, &m->rows, &few));
    CHECK(SCRATCH(ctx, &d, cairn_product(n, m->n)));
    CHECK(cairn_distances_block(ctx, &queries, NULL, n, &m->rows, 0, m->n, d, m->n));
    cairn_report_step_begin(out, "Distances of the first rows from the exemplars");
    if (!m->rows.given) cairn_report_formula(out, "%s", m->rows.metric.distance->formula);
    cairn_report_table_of(out, "Distances; the nearest exemplar has the row", 0, "r", "row");
    for (size_t k = 0; k < m->n; k++) cairn_report_column(out, class_name(job, m->codes[k]), 'r');
    cairn_report_columns(out, "ll", "nearest", "is");
    for (size_t i = 0; i < n; i++) {
        answer a = find_nearest(d + i * m->n, m->n);
        size_t row = cairn_view_row(view, i);
        cairn_report_cellf(out, "%zu", row + 1);
        for (size_t k = 0; k < m->n; k++)
            cairn_report_cell_number(out, d[i * m->n + k], 0, "row%zu.distance%zu", row + 1, k + 1);
        cairn_report_cell_word(out, class_name(job, a.nearest < 0 ? -1 : m->codes[a.nearest]),
                               "row%zu.nearest", row + 1);
        cairn_report_cell(out, class_name(job, view->target->codes[row]));
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* Steps show how the exemplars came about and what the first rows are told. */
static cairn_status exemplar_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const exemplar_params *p = job->params;
    exemplar_model *m = model;
    cairn_view view;
    class_rows classes = {0};
    CHECK(cairn_view_used(ctx, &view, job->view));
    m->n_columns = view.n_features;
    if (p->exemplar == BY_FILE) {
        CHECK(fit_file(ctx, m, job, &view));
    } else {
        /* Classes that no row has get no exemplar. */
        size_t at = 0;
        CHECK(SCRATCH_EACH(ctx, job->n_classes + 1, &classes.codes, &classes.begins));
        CHECK(SCRATCH_EACH(ctx, view.rows.n, &classes.rows, &classes.weights));
        for (size_t c = 0; c < job->n_classes; c++) {
            size_t before = at;
            for (size_t i = 0; i < view.rows.n; i++) {
                if (view.target->codes[cairn_view_row(&view, i)] != (int32_t)c) continue;
                classes.weights[at] = cairn_view_weight(&view, i);
                classes.rows[at++] = (uint32_t)i;
            }
            if (at == before) continue;
            classes.codes[classes.n++] = (int32_t)c;
            classes.begins[classes.n] = at;
        }
        m->n = classes.n;
        CHECK(NEW_EACH(ctx, m->n, &m->codes, &m->counts));
        for (size_t k = 0; k < m->n; k++) {
            m->codes[k] = classes.codes[k];
            for (size_t i = classes.begins[k]; i < classes.begins[k + 1]; i++)
                m->counts[k] += classes.weights[i];
        }
        CHECK(p->exemplar == BY_MEDOID ? fit_medoids(ctx, m, job, &view, &classes)
                                       : fit_places(ctx, m, job, &view, &classes));
    }
    if (!job->steps) return CAIRN_OK;
    show_making(job->steps, m, job);
    return show_rows(ctx, m, job, &view);
}

/* -- predicting -- */

typedef struct extra {
    double *distance, *margin;
    int32_t *next;
} extra;

/* A class with several exemplars has the score of the nearest of them. */
static void score_row(double *scores, const exemplar_model *m, size_t n_classes,
                      const double *distances)
{
    for (size_t c = 0; c < n_classes; c++) scores[c] = -INFINITY;
    for (size_t k = 0; k < m->n; k++)
        if (-distances[k] > scores[m->codes[k]]) scores[m->codes[k]] = -distances[k];
}

static void answer_row(cairn_prediction *out, const extra *more, const exemplar_model *m,
                       const cairn_job *job, size_t row, const double *distances)
{
    answer a = find_nearest(distances, m->n);
    if (out->codes) out->codes[row] = a.nearest < 0 ? -1 : m->codes[a.nearest];
    if (out->scores) score_row(out->scores + row * job->n_classes, m, job->n_classes, distances);
    if (!more->distance) return;
    more->distance[row] = a.nearest < 0 ? NAN : distances[a.nearest];
    more->margin[row] = a.next < 0 ? NAN : distances[a.next] - distances[a.nearest];
    more->next[row] = a.next < 0 ? -1 : m->codes[a.next];
}

static cairn_status answer_part(cairn_context *ctx, cairn_prediction *out, const extra *more,
                                const exemplar_model *m, const cairn_job *job, size_t first)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows queries = {0};
    cairn_view part = *job->view;
    size_t left = part.rows.n - first, n = left < PART_ROWS ? left : PART_ROWS;
    uint32_t *indices;
    double *distances;
    CHECK(SCRATCH_RAW(ctx, &indices, n));
    CHECK(SCRATCH_RAW(ctx, &distances, cairn_product(n, m->n)));
    for (size_t i = 0; i < n; i++) indices[i] = (uint32_t)cairn_view_row(job->view, first + i);
    part.rows = (cairn_rows){.indices = indices, .n = n};
    CHECK(cairn_distance_rows_like(ctx, &queries, &m->rows, &part));
    CHECK(cairn_distances_block(ctx, &queries, NULL, n, &m->rows, 0, m->n, distances, m->n));
    for (size_t i = 0; i < n; i++) answer_row(out, more, m, job, first + i, distances + i * m->n);
    return CAIRN_OK;
}

static cairn_status add_extra(cairn_context *ctx, cairn_table *to, const extra *more,
                              const cairn_job *job)
{
    const char **names;
    CHECK(SCRATCH(ctx, &names, job->n_classes + 1));
    for (size_t c = 0; c < job->n_classes; c++) names[c] = class_name(job, (int32_t)c);
    CHECK(cairn_table_put_numbers(ctx, to, "distance", more->distance));
    CHECK(cairn_table_add_levels(ctx, to, "next", more->next, names, job->n_classes));
    return cairn_table_put_numbers(ctx, to, "margin", more->margin);
}

static cairn_status exemplar_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                     const cairn_job *job)
{
    const exemplar_model *m = model;
    size_t n = job->view->rows.n;
    extra more = {0};
    if (out->extra) {
        CHECK(SCRATCH_EACH(ctx, n, &more.distance, &more.margin, &more.next));
    }
    for (size_t first = 0; first < n; first += PART_ROWS)
        CHECK(answer_part(ctx, out, &more, m, job, first));
    out->codes_set = true;
    return out->extra ? add_extra(ctx, out->extra, &more, job) : CAIRN_OK;
}

/* The class alone: scores are left to the library. */
static cairn_status exemplar_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const exemplar_model *m = model;
    cairn_exemplars rows = {
        .metric = &m->rows.metric,
        .points = &m->rows.points,
        .neighbours = 1,
        .n_classes = job->n_classes,
        .codes = m->codes,
        .weighting = CAIRN_KNN_EQUAL,
        .tie = CAIRN_KNN_FIRST,
        .width = NAN,
    };
    if (m->rows.given)
        return cairn_program_refuse(out,
                                    "its rows are distances, and there are no columns to read");
    CHECK(cairn_exemplars_lower(&rows, out));
    out->answer.scores = -1;
    return CAIRN_OK;
}

/* -- describing -- */

/* Numbers are in the units of the data, where the chain can say them. */
static void exemplar_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const exemplar_model *m = model;
    const exemplar_params *p = job->params;
    static const char *const words[] = {"means", "geometric medians", "medoids", "from a file"};
    bool numbered = p->exemplar == BY_MEDOID, restored = false;
    size_t shown = m->values && m->n_columns <= SHOWN_COLUMNS ? m->n_columns : 0;
    cairn_report_word(out, "exemplars", words[p->exemplar], "exemplars");
    cairn_report_word(out, "distance", m->rows.given ? "given" : m->rows.metric.spec, "distance");
    cairn_report_table_of(out, "Exemplars", 0, "l", "class");
    if (p->exemplar != BY_FILE) cairn_report_column(out, "weight", 'r');
    if (numbered) cairn_report_column(out, "row", 'r');
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, column_name(job, j), 'r');
    for (size_t k = 0; k < m->n; k++) {
        const char *key = cairn_report_key(out, class_name(job, m->codes[k]));
        cairn_report_cell(out, class_name(job, m->codes[k]));
        if (p->exemplar != BY_FILE)
            cairn_report_cell_number(out, m->counts[k], 0, "exemplar.%s.weight", key);
        if (numbered)
            cairn_report_cell_number(out, (double)m->rows.numbers[k] + 1, 0, "exemplar.%s.row",
                                     key);
        for (size_t j = 0, at = 0; m->values && j < m->n_columns; j++) {
            double x = m->values[k * m->n_columns + j];
            const char *name = cairn_schema_next_name(job->schema, &at);
            const char *column = cairn_report_key(out, name);
            if (job->described) restored |= cairn_chain_restore(job->described, name, &x);
            if (j < shown)
                cairn_report_cell_number(out, x, 0, "exemplar.%s.%s", key, column);
            else
                cairn_report_hidden(out, x, "exemplar.%s.%s", key, column);
        }
    }
    cairn_report_table_end(out);
    if (restored)
        cairn_report_paragraph(out, "They are in the units of the data; distances are measured "
                                    "after the transforms.");
}

static void write_exemplars(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const exemplar_model *m = model;
    bool numbered = ((const exemplar_params *)job->params)->exemplar == BY_MEDOID;
    cairn_ledger_columns(out, "lnn", "class", "weight", "row");
    if (m->values) cairn_learned_features(out, job, m->n_columns, false);
    for (size_t k = 0; k < m->n; k++) {
        cairn_ledger_cells(out, cairn_learned_class(job, m->codes[k]), m->counts[k],
                           numbered ? (double)m->rows.numbers[k] + 1 : NAN);
        if (m->values)
            cairn_learned_place(out, job, m->values + k * m->n_columns, m->n_columns, false);
    }
}

static const cairn_learned exemplar_tables[] = {
    CAIRN_LEARNED("centres", "exemplar of a class, in the units of the data", write_exemplars),
    CAIRN_LEARNED_END};

/* -- keeping -- */

static const cairn_kept exemplar_keeps[] = {
    KEEP_SIZE(exemplar_model, n, UINT32_MAX),
    KEEP_SIZE(exemplar_model, n_columns, UINT32_MAX),
    KEEP_FLAG(exemplar_model, values, "has_values"),
    KEEP_ARRAYS(exemplar_model, "n", codes, counts),
    KEEP_ARRAY(exemplar_model, values, "n*n_columns", .when = "has_values"),
    KEEP_PART(exemplar_model, rows, .part = &cairn_kept_distance_rows),
    KEEP_END,
};

static cairn_status exemplar_check_model(cairn_archive *a, const void *model, const cairn_job *job)
{
    const exemplar_model *m = model;
    const exemplar_params *p = job->params;
    if (m->rows.n != m->n || m->n == 0)
        return cairn_archive_damaged(a, "its exemplars do not fit together");
    CHECK(cairn_distance_rows_check(a, &m->rows, m->n_columns, p->distance));
    for (size_t k = 0; k < m->n; k++)
        if (m->codes[k] < 0 || (size_t)m->codes[k] >= job->n_classes)
            CHECK(cairn_archive_damaged(a, "exemplar %zu is of a class that there is not", k + 1));
    return CAIRN_OK;
}

static const cairn_output exemplar_outputs[] = {
    {"distance", "from the nearest exemplar"},
    {"next", "class of the next exemplar"},
    {"margin", "how much farther that one is"},
    {0},
};

const cairn_learner cairn_nearest_exemplar = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "nearest-exemplar",
            .also = "nearest centroid, nearest mean, minimum distance classifier, prototype "
                    "classifier, Rocchio, nearest medoid (exemplar=medoid)",
            .title = "Nearest exemplar",
            .summary =
                "Every class is stood for by one exemplar: the mean of its rows, their geometric "
                "median, the medoid, or a row of a file; a row gets the class of the nearest one, "
                "by any distance of 'cairn list distances', and its scores are minus the "
                "distances. With means and the Euclidean distance two classes are divided by the "
                "plane halfway between the means, as by basic-linear. Medoids take levels, texts, "
                "bags, missing cells and a matrix of distances (--as distances), as the distance "
                "does. Columns are standardised first where their scale matters, unless --scale "
                "says otherwise.",
            .references = "Flach, Machine Learning, 2012; Tibshirani and others, Diagnosis of "
                          "multiple cancer types by shrunken centroids of gene expression, PNAS 99 "
                          "(2002)",
            .example = "cairn fit nearest-exemplar @iris --target species",
            .params = exemplar_table,
            .params_size = sizeof(exemplar_params),
            .check = exemplar_check,
        },
    .tasks = CAIRN_CLASSIFY,
    .space = "exemplar=mean,median,medoid",
    .accepts =
        CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_USES_DISTANCES | CAIRN_WANTS_SCALING,
    .accepts_with = exemplar_accepts,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING,
    .model_size = sizeof(exemplar_model),
    .tables = exemplar_tables,
    .gives_scores = true,
    .sets_codes = true,
    .outputs = exemplar_outputs,
    .fit = exemplar_fit,
    .lower = exemplar_lower,
    .predict = exemplar_predict,
    .describe = exemplar_describe,
    .keeps = exemplar_keeps,
    .parameters = "n*n_columns",
    .columns = "n_columns",
    .check = exemplar_check_model,
};
