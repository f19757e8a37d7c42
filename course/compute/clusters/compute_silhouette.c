/* SPDX-License-Identifier: MIT */
/* cairn compute silhouette: how well every row lies in its cluster.
 *
 * a is the mean distance of a row to the others of its cluster, b the least of its mean distances
 * to the rows of another one, and s = (b - a) / max(a, b). */
#include "typed/labelled_rows.h"

#include "base/memory.h"
#include "base/text.h"
#include "model/judged_clusters.h"
#include "plots/silhouette_plot.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_NAMED = 2000, MOST_WORKED = 12, MOST_TERMS = 10, MOST_NEGATIVE = 30 };

typedef struct silhouette_params {
    cairn_labelled_options labelled;
    const char *distance;
    bool self, squared;
    int sample;
} silhouette_params;

static const cairn_param silhouette_table[] = {
    CAIRN_PARAM_GROUP(silhouette_params, labelled, cairn_labelled_group),
    CAIRN_PARAM_AS(silhouette_params, distance, CAIRN_TYPE_SPEC, NULL,
                   "what rows are compared by ('cairn list distances'); euclidean, or gower where "
                   "columns are levels or lack cells, or edit for texts",
                   .names = "distance", .often = true),
    CAIRN_PARAM(silhouette_params, self, "no", NULL,
                "count the row itself among those of its cluster, at distance 0", .often = true),
    CAIRN_PARAM(silhouette_params, squared, "no", NULL, "take the squares of the distances",
                .often = true),
    CAIRN_PARAM(silhouette_params, sample, "0", "[0,inf)",
                "only so many rows, drawn with the seed, each compared with all rows; 0 = all rows",
                .often = true),
    CAIRN_PARAM_END,
};

/* Rows, where they lie, and their silhouettes. */
typedef struct silhouette_work {
    const silhouette_params *p;
    cairn_labelled_rows rows;
    cairn_row_space space;
    cairn_judged judged;
    cairn_silhouettes s;
    int32_t *clusters; /* of the rows of s */
} silhouette_work;

static void clear_work(silhouette_work *w)
{
    cairn_row_space_clear(&w->space);
    cairn_labelled_rows_clear(&w->rows);
}

/* -- the calculation -- */

static cairn_status check_values(cairn_context *ctx, const silhouette_work *w,
                                 const cairn_compute_job *job)
{
    if (w->s.n_used < 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "'%s' needs two clusters, to compare the distances to them; all rows are "
                          "in one (%s)",
                          job->what, w->rows.by);
    for (size_t i = 0; i < w->s.n; i++)
        if (!isfinite(w->s.values[i]))
            return cairn_fail(
                ctx, CAIRN_BAD_DATA,
                "row %zu cannot be compared with the rows of any other cluster: there is "
                "no column in which both are known; fill its cells, or leave it out",
                cairn_view_row(&w->rows.view, w->s.rows[i]) + 1);
    return CAIRN_OK;
}

/* Columns that no distance takes are refused, and so is a table of nothing but clusters. */
static cairn_status work_out(cairn_context *ctx, silhouette_work *w, const cairn_compute_job *job)
{
    const silhouette_params *p = w->p = job->params;
    const cairn_view *view = &w->rows.view;
    cairn_silhouette_options options = {.self = p->self,
                                        .squared = p->squared,
                                        .sample = p->sample ? (size_t)p->sample : SIZE_MAX,
                                        .against_all = true};
    double *weights = NULL;
    CHECK(cairn_labelled_rows_read(ctx, &w->rows, &p->labelled, job));
    CHECK(cairn_row_space_of(ctx, &w->space, view, p->distance, true));
    if (!w->space.distance)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "no distance takes all these columns; {features} chooses some of them");
    if (!w->space.space.metric && !w->space.space.given)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "'%s' compares rows by their columns, and besides the clusters there is "
                          "none",
                          job->what);
    if (cairn_view_is_weighted(view)) {
        CHECK(SCRATCH_RAW(ctx, &weights, view->rows.n + 1));
        cairn_view_weights(view, 0, view->rows.n, weights);
    }
    w->judged = (cairn_judged){.n = view->rows.n,
                               .weights = weights,
                               .n_answers = w->rows.n_clusters,
                               .positive = -1,
                               .predicted = w->rows.codes,
                               .space = &w->space.space};
    CHECK(cairn_silhouettes_of(ctx, &w->s, &w->judged, &options));
    CHECK(check_values(ctx, w, job));
    CHECK(SCRATCH_RAW(ctx, &w->clusters, w->s.n + 1));
    for (size_t i = 0; i < w->s.n; i++) w->clusters[i] = w->rows.codes[w->s.rows[i]];
    return CAIRN_OK;
}

/* -- the report -- */

static size_t row_number(const silhouette_work *w, size_t i)
{
    return cairn_view_row(&w->rows.view, w->s.rows[i]) + 1;
}

/* Squared distances and the row itself are named only where they are asked for. */
static void show_facts(cairn_report *out, const silhouette_work *w)
{
    const cairn_silhouettes *s = &w->s;
    cairn_report_word(out, "clusters by", w->rows.by, "by");
    cairn_report_word(out, "distance", w->space.distance, "distance");
    if (!w->space.space.given)
        cairn_report_word(out, "columns",
                          w->rows.model ? "as the model compares them" : "in their own units",
                          "units");
    if (w->p->squared) cairn_report_word(out, "squared", "yes", "squared");
    if (w->p->self) cairn_report_word(out, "the row itself counts", "yes", "self");
    cairn_report_value(out, "rows", (double)w->judged.n, "rows");
    if (s->n < w->judged.n) cairn_report_value(out, "of them judged", (double)s->n, "judged");
    if (w->rows.n_without)
        cairn_report_value(out, "rows in no cluster, left out", (double)w->rows.n_without,
                           "left_out");
    cairn_report_value(out, "clusters", (double)s->n_used, "clusters");
    cairn_report_value(out, "mean silhouette", s->mean, "silhouette");
    cairn_report_value(out, "rows with a negative one", (double)s->n_negative, "negative");
}

/* Size, mean, least value and negative ones of each cluster. */
static cairn_status show_clusters(cairn_context *ctx, cairn_report *out, const silhouette_work *w)
{
    const cairn_silhouettes *s = &w->s;
    size_t *rows, *negative;
    double *least;
    CHECK(SCRATCH_EACH(ctx, s->n_clusters + 1, &rows, &negative));
    CHECK(SCRATCH_RAW(ctx, &least, s->n_clusters + 1));
    for (size_t c = 0; c < s->n_clusters; c++) least[c] = INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        rows[w->clusters[i]]++;
        negative[w->clusters[i]] += s->values[i] < 0;
        least[w->clusters[i]] = fmin(least[w->clusters[i]], s->values[i]);
    }
    cairn_report_table_of(out, "Clusters", 0, "lrrrr", "cluster", "rows", "mean", "least",
                          "negative");
    for (size_t c = 0; c < s->n_clusters; c++) {
        if (!rows[c]) continue;
        cairn_report_cells(out,
                           "- cluster.$1.rows cluster.$1.mean cluster.$1.least cluster.$1.negative",
                           w->rows.names[c], rows[c], s->means[c], least[c], negative[c]);
    }
    return CAIRN_OK;
}

static void show_row(cairn_report *out, const silhouette_work *w, size_t i)
{
    const cairn_silhouettes *s = &w->s;
    size_t row = row_number(w, i);
    cairn_report_cells(out, NULL, row, w->rows.names[w->clusters[i]]);
    if (s->n > MOST_NAMED) {
        cairn_report_cells(out, NULL, s->own[i], s->other[i], w->rows.names[s->neighbours[i]],
                           s->values[i]);
        return;
    }
    cairn_report_prefix(out, "row%zu", row);
    cairn_report_cells(out, "@.a @.b @.nearest @.s", s->own[i], s->other[i],
                       w->rows.names[s->neighbours[i]], s->values[i]);
}

static void begin_rows(cairn_report *out, const char *title, size_t limit)
{
    cairn_report_table_of(out, title, limit, "rlrrlr", "row", "cluster", "a", "b",
                          "nearest other cluster", "s");
}

/* A row that lies nearer to another cluster. */
typedef struct negative_row {
    double value;
    size_t at; /* among the silhouettes */
} negative_row;

static int compare_negative(const void *a, const void *b)
{
    const negative_row *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* The worst first. */
static cairn_status show_negative(cairn_context *ctx, cairn_report *out, const silhouette_work *w)
{
    negative_row *list;
    size_t n = 0;
    if (!w->s.n_negative) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &list, w->s.n_negative));
    for (size_t i = 0; i < w->s.n; i++)
        if (w->s.values[i] < 0) list[n++] = (negative_row){w->s.values[i], i};
    qsort(list, n, sizeof *list, compare_negative);
    begin_rows(out, "Negative: nearer to another cluster than to their own", MOST_NEGATIVE);
    for (size_t k = 0; k < n; k++) show_row(out, w, list[k].at);
    return CAIRN_OK;
}

static void show_notes(cairn_report *out, const silhouette_work *w)
{
    const cairn_silhouettes *s = &w->s;
    size_t alone = 0;
    for (size_t i = 0; i < s->n; i++) alone += isnan(s->own[i]);
    if (alone)
        cairn_report_note(out,
                          "%zu row%s the only one of %s cluster: there is no a, and s is 0 by "
                          "convention.",
                          alone, alone == 1 ? " is" : "s are each", alone == 1 ? "its" : "a");
    if (s->n < w->judged.n)
        cairn_report_note(out,
                          "A sample of %zu of %zu rows, each compared with all of them: their "
                          "values are exact, the means are those of the sample.",
                          s->n, w->judged.n);
}

/* -- the steps -- */

/* The distances of a row to those of a cluster that count, by weight. */
typedef struct cluster_terms {
    double terms[MOST_TERMS]; /* the first of them */
    size_t n;                 /* all */
    double sum, count;
} cluster_terms;

/* Distances that are not known are skipped; the row itself is no term of its own cluster unless
 * {self} says so. */
static cluster_terms gather_terms(const silhouette_work *w, size_t row, size_t c, int32_t *buffer)
{
    cluster_terms t = {0};
    bool own = w->rows.codes[row] == (int32_t)c;
    for (size_t k = 0; k < w->judged.n; k++) {
        double weight = cairn_judged_weight(&w->judged, k);
        if (w->rows.codes[k] != (int32_t)c || !(weight > 0)) continue;
        double d = cairn_judged_distance(&w->judged, row, k, buffer);
        if (isnan(d)) continue;
        if (w->p->squared) d *= d;
        t.sum += weight * d;
        t.count += weight;
        if (k == row && !w->p->self) continue;
        if (t.n < MOST_TERMS) t.terms[t.n] = weight * d;
        t.n++;
    }
    if (own && !w->p->self) t.count--;
    return t;
}

/* The mean distance of row i to a cluster, written out where the terms are few: (3 + 4.24264) / 2 =
 * 3.62132. */
static void work_mean(cairn_report *out, const silhouette_work *w, size_t i, size_t c,
                      int32_t *buffer)
{
    SCOPED(cairn_text_clear) cairn_text line = cairn_text_start(cairn_report_context(out));
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
    double numbers[MOST_TERMS + 2];
    cluster_terms t = gather_terms(w, w->s.rows[i], c, buffer);
    size_t n = 0;
    if (!(t.count > 0)) return;
    if (t.n > 1 && t.n <= MOST_TERMS) {
        for (; n < t.n; n++) numbers[n] = t.terms[n];
        cairn_text_add(&line, "(#");
        for (size_t k = 1; k < n; k++) cairn_text_add(&line, " + #");
        cairn_text_add(&line, ")");
    } else {
        numbers[n++] = t.sum;
        cairn_text_add(&line, "#");
    }
    cairn_text_add(&line, " / # = #");
    numbers[n++] = t.count;
    numbers[n++] = t.sum / t.count;
    if ((size_t)w->clusters[i] == c)
        cairn_text_add(&label, "a");
    else
        cairn_text_addf(&label, "mean distance to cluster %s", w->rows.names[c]);
    cairn_report_worked_numbers(out, cairn_text_string(&label), cairn_text_string(&line), numbers,
                                n);
}

static void work_row(cairn_report *out, const silhouette_work *w, size_t i, int32_t *buffer)
{
    const cairn_silhouettes *s = &w->s;
    size_t own = (size_t)w->clusters[i];
    cairn_report_step_begin(out, "Row %zu, in cluster %s", row_number(w, i), w->rows.names[own]);
    work_mean(out, w, i, own, buffer);
    for (size_t c = 0; c < s->n_clusters; c++)
        if (c != own) work_mean(out, w, i, c, buffer);
    if (isnan(s->own[i]))
        cairn_report_paragraph(out, "The row is alone in its cluster, so that s = 0.");
    else
        cairn_report_worked(out, "s", "(b − a) / max(a, b) = (# − #) / # = #", s->other[i],
                            s->own[i], fmax(s->own[i], s->other[i]), s->values[i]);
    cairn_report_step_end(out);
}

static cairn_status show_work(cairn_context *ctx, cairn_report *out, const silhouette_work *w)
{
    const cairn_points *points = w->space.space.points;
    int32_t *buffer;
    CHECK(SCRATCH(ctx, &buffer, (points ? cairn_metric_buffer(points, points) : 0) + 1));
    cairn_report_formula(out,
                         "a = mean distance to the %s of the cluster,   b = least mean distance "
                         "to another cluster,   s = (b − a) / max(a, b)",
                         w->p->self ? "rows" : "other rows");
    for (size_t i = 0; i < w->s.n && i < MOST_WORKED; i++) work_row(out, w, i, buffer);
    if (w->s.n > MOST_WORKED) cairn_report_paragraph(out, "The other rows go the same way.");
    return CAIRN_OK;
}

/* -- the table for a file, and the picture -- */

/* Only rows that were judged are written, by their numbers in the table. */
static cairn_status make_result(cairn_context *ctx, cairn_table **out, const silhouette_work *w)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    const cairn_silhouettes *s = &w->s;
    double *rows;
    CHECK(SCRATCH_RAW(ctx, &rows, s->n + 1));
    for (size_t i = 0; i < s->n; i++) rows[i] = (double)row_number(w, i);
    CHECK(cairn_table_new(ctx, &made, s->n));
    CHECK(cairn_table_put_numbers(ctx, made, "row", rows));
    CHECK(cairn_table_add_levels(ctx, made, "cluster", w->clusters, w->rows.names,
                                 w->rows.n_clusters));
    CHECK(cairn_table_put_numbers(ctx, made, "a", s->own));
    CHECK(cairn_table_put_numbers(ctx, made, "b", s->other));
    CHECK(cairn_table_add_levels(ctx, made, "nearest", s->neighbours, w->rows.names,
                                 w->rows.n_clusters));
    CHECK(cairn_table_put_numbers(ctx, made, "s", s->values));
    *out = TAKE(made);
    return CAIRN_OK;
}

static cairn_status draw_silhouettes(cairn_context *ctx, cairn_figure **out,
                                     const silhouette_work *w, const cairn_table *table)
{
    enum { SIZE = 24 };
    const char **names;
    char *texts, title[200], left_out[80] = "";
    CHECK(SCRATCH(ctx, &names, w->s.n + 1));
    CHECK(SCRATCH(ctx, &texts, cairn_product(w->s.n + 1, SIZE)));
    for (size_t i = 0; i < w->s.n; i++) {
        snprintf(texts + i * SIZE, SIZE, "%zu", row_number(w, i));
        names[i] = texts + i * SIZE;
    }
    if (w->rows.n_without)
        snprintf(left_out, sizeof left_out, ", without %zu row%s in no cluster", w->rows.n_without,
                 w->rows.n_without == 1 ? "" : "s");
    snprintf(title, sizeof title, "Silhouettes of %.100s%s",
             table->source ? table->source : "the table", left_out);
    return cairn_silhouette_plot(ctx, out, &w->s, w->clusters, w->rows.names, names, title);
}

static cairn_status silhouette_report(cairn_context *ctx, cairn_report *out,
                                      const silhouette_work *w, const cairn_compute_job *job)
{
    cairn_figure *figure = NULL;
    cairn_report_heading(out, 1, "Silhouettes of %s",
                         job->table->source ? job->table->source : "the table");
    if (job->steps) CHECK(show_work(ctx, out, w));
    show_facts(out, w);
    CHECK(show_clusters(ctx, out, w));
    CHECK(show_negative(ctx, out, w));
    begin_rows(out, "Rows", 0);
    for (size_t i = 0; i < w->s.n && (w->s.n <= MOST_NAMED || cairn_report_row_wanted(out)); i++)
        show_row(out, w, i);
    show_notes(out, w);
    CHECK(draw_silhouettes(ctx, &figure, w, job->table));
    cairn_report_page_figure(out, figure);
    if (job->result) CHECK(make_result(ctx, job->result, w));
    return CAIRN_OK;
}

static cairn_status silhouette_run(cairn_context *ctx, cairn_report *out,
                                   const cairn_compute_job *job)
{
    SCOPED(clear_work) silhouette_work w = {0};
    CHECK(work_out(ctx, &w, job));
    return silhouette_report(ctx, out, &w, job);
}

static cairn_status silhouette_draw(cairn_context *ctx, cairn_figure **out,
                                    const cairn_compute_job *job)
{
    SCOPED(clear_work) silhouette_work w = {0};
    CHECK(work_out(ctx, &w, job));
    return draw_silhouettes(ctx, out, &w, job->table);
}

static cairn_status silhouette_check(cairn_context *ctx, const void *values)
{
    const silhouette_params *p = values;
    if (!p->distance) return CAIRN_OK;
    return cairn_metric_check(ctx, cairn_say(ctx, "{distance}"), p->distance);
}

const cairn_calculator cairn_compute_silhouette = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "silhouette",
              .also = "silhouettes, silhouette width, silhouette coefficient, cluster validity",
              .title = "Silhouettes of clusters",
              .summary =
                  "Of every row the mean distance a to the others of its cluster, the mean "
                  "distance b to the nearest other cluster, and s = (b - a) / max(a, b): 1 is far "
                  "from the others, below 0 nearer to another cluster than to its own. Means of "
                  "clusters and of all rows, and the negative ones. The clusters are those of a "
                  "column, of a model that stands before the data (then in the columns as the "
                  "model sees them), or typed; distances may be given (--as distances). --out "
                  "FILE.csv writes all rows.",
              .references = "Rousseeuw: Silhouettes, 1987; Flach: Machine Learning, 2012",
              .example = "cairn compute silhouette @iris --target species",
              .params = silhouette_table,
              .params_size = sizeof(silhouette_params),
              .check = silhouette_check},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "silhouettes",
                .also = "silhouette plot, silhouette width",
                .title = "Silhouettes of clusters",
                .summary =
                    "A bar for the silhouette of every row, sorted within clusters, the mean of "
                    "each cluster as a thick line and that of all rows as a dashed one; bars to "
                    "the left are rows nearer to another cluster.",
                .references = "Rousseeuw: Silhouettes, 1987; Flach: Machine Learning, 2012",
                .example = "cairn draw silhouettes @iris --target species",
                .params = silhouette_table,
                .params_size = sizeof(silhouette_params),
                .check = silhouette_check},
    .arguments = "[MODEL] DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .takes_model = true,
    .run = silhouette_run,
    .draw = silhouette_draw,
};
