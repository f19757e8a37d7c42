/* SPDX-License-Identifier: MIT */
/* What k-means shows: the clusters with their centres, the starts, a picture, and round by round
 * the table of distances. */
#include "base/memory.h"
#include "base/number.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "learners/cluster/kmeans.h"
#include "model/chain.h"
#include "report/document.h"
#include "report/table_rows.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEP_ROWS = 50, STEP_CENTRES = 20, SHOWN_COLUMNS = 10, COMPONENT_COLUMNS = 300 };

static const char *feature_name(const cairn_schema *schema, size_t j)
{
    for (size_t i = 0; i < schema->n_fields; i++)
        if (schema->fields[i].role == CAIRN_FEATURE && j-- == 0) return schema->fields[i].name;
    return "?";
}

/* -- rounds -- */

/* Distances of one row to all centres; marks the row when the nearest is not alone. */
static void show_row(cairn_report *out, const cairn_kmeans_run *run, size_t i, size_t round,
                     double *row)
{
    size_t d = run->data->d, number = cairn_view_row(run->data->view, i) + 1, ties = 0;
    const double *own = run->centres + (size_t)run->assign[i] * d;
    cairn_kmeans_row(run->data, i, row);
    double best = cairn_squared_distance(row, own, d);
    cairn_report_cellf(out, "%zu", number);
    for (size_t c = 0; c < run->k; c++) {
        double square = cairn_squared_distance(row, run->centres + c * d, d);
        ties += cairn_kmeans_is_tie(square, best);
        if (c < STEP_CENTRES)
            cairn_report_cell_number(out, sqrt(square), 0, "iteration%zu.distance.%zu.%zu", round,
                                     number, c + 1);
    }
    cairn_report_cell_number(out, sqrt(best), 0, "iteration%zu.minimum.%zu", round, number);
    cairn_report_cell_number(out, run->assign[i] + 1.0, 0, "iteration%zu.assign.%zu", round,
                             number);
    if (ties > 1) cairn_report_hidden(out, (double)ties, "iteration%zu.tied.%zu", round, number);
    cairn_report_cell(out, ties > 1 ? "yes" : "no");
}

static void show_distances(cairn_report *out, const cairn_kmeans_run *run, size_t round,
                           double *row)
{
    cairn_report_table_of(out, "Distances", STEP_ROWS, "r", "row");
    for (size_t c = 0; c < run->k && c < STEP_CENTRES; c++) {
        char head[32];
        snprintf(head, sizeof head, "to centre %zu", c + 1);
        cairn_report_column(out, head, 'r');
    }
    cairn_report_columns(out, "rrl", "minimum", "cluster", "tie");
    for (size_t i = 0; i < run->data->n && i < STEP_ROWS; i++) show_row(out, run, i, round, row);
    cairn_report_table_end(out);
    if (run->data->n > STEP_ROWS)
        cairn_report_paragraph(out, "and %zu more row%s", run->data->n - STEP_ROWS,
                               run->data->n - STEP_ROWS == 1 ? "" : "s");
}

void cairn_kmeans_show_centres(cairn_report *out, const cairn_kmeans_run *run, const char *prefix)
{
    size_t d = run->data->d, shown = d < SHOWN_COLUMNS ? d : SHOWN_COLUMNS;
    cairn_report_table_of(out, "Centres", STEP_ROWS, "r", "centre");
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, run->data->view->names[j], 'r');
    for (size_t c = 0; c < run->k; c++) {
        cairn_report_cellf(out, "%zu", c + 1);
        for (size_t j = 0; j < shown; j++)
            cairn_report_cell_number(out, run->centres[c * d + j], 0, "%s.centre.%zu.%s", prefix,
                                     c + 1, cairn_report_key(out, run->data->view->names[j]));
    }
    cairn_report_table_end(out);
}

static void show_sizes(cairn_report *out, const cairn_kmeans_run *run, size_t round)
{
    cairn_report_table_of(out, "Clusters of this round", STEP_ROWS, "rrr", "cluster", "size",
                          "within sum of squares");
    for (size_t c = 0; c < run->k; c++) {
        cairn_report_prefix(out, "iteration%zu", round);
        cairn_report_cells(out, "- @.size.$1 @.within.$1", c + 1, run->sizes[c], run->within[c]);
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "within sum of squares, all clusters", run->inertia, "iteration%zu.sse",
                       round);
}

cairn_status cairn_kmeans_show_round(cairn_context *ctx, cairn_report *out,
                                     const cairn_kmeans_run *run, size_t round)
{
    SCOPED_SCRATCH(ctx);
    double *row;
    char prefix[40];
    CHECK(SCRATCH(ctx, &row, run->data->d));
    snprintf(prefix, sizeof prefix, "iteration%zu", round);
    cairn_report_step_begin(out, "Iteration %zu: assign every row to its nearest centre", round);
    if (run->data->spherical && round == 1)
        cairn_report_formula(out,
                             "rows and centres have the length 1:  ‖x − c‖² = 2 − 2 cos(x, c)");
    cairn_kmeans_show_centres(out, run, prefix);
    show_distances(out, run, round, row);
    show_sizes(out, run, round);
    if (round == 1)
        cairn_report_paragraph(out, "Now each centre moves to the mean of its rows.");
    else if (run->changes == 0)
        cairn_report_paragraph(out, "No row went to another cluster.");
    else
        cairn_report_paragraph(out, "%zu row%s went to another cluster; the centres move again.",
                               run->changes, run->changes == 1 ? "" : "s");
    cairn_report_hidden(out, round == 1 ? NAN : (double)run->changes, "iteration%zu.changes",
                        round);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* -- the picture -- */

/* The first two principal components of the sample, 2 x d. */
static cairn_status two_components(cairn_context *ctx, double *out, double *mean,
                                   const double *rows, size_t n, size_t d)
{
    double *gram, *values, *vectors, *row;
    CHECK(SCRATCH_EACH(ctx, d * d, &gram, &vectors));
    CHECK(SCRATCH_EACH(ctx, d, &values, &row));
    for (size_t i = 0; i < n; i++) cairn_axpy(mean, 1 / (double)n, rows + i * d, d);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < d; j++) row[j] = rows[i * d + j] - mean[j];
        for (size_t j = 0; j < d; j++) cairn_axpy(gram + j * d + j, row[j], row + j, d - j);
    }
    CHECK(cairn_symmetric_eigen(ctx, values, vectors, gram, d));
    memcpy(out, vectors, 2 * d * sizeof *out);
    return CAIRN_OK;
}

/* Where a row stands: one column against its cluster, two columns, or two components. */
static void place_row(double *place, const double *row, size_t d, int32_t group,
                      const double *components, const double *mean)
{
    place[0] = row[0];
    place[1] = d > 1 ? row[1] : group + 1.0;
    if (!components) return;
    place[0] = place[1] = 0;
    for (size_t j = 0; j < d; j++) {
        place[0] += components[j] * (row[j] - mean[j]);
        place[1] += components[d + j] * (row[j] - mean[j]);
    }
}

cairn_status cairn_kmeans_keep_picture(cairn_context *ctx, cairn_kmeans_history *m,
                                       const cairn_kmeans_run *run)
{
    const cairn_kmeans_data *data = run->data;
    size_t d = data->d, step = (data->n + CAIRN_KMEANS_SAMPLE - 1) / CAIRN_KMEANS_SAMPLE;
    size_t n = (data->n + step - 1) / step;
    SCOPED_SCRATCH(ctx);
    double *rows, *components, *mean;
    m->components = d > 2 && d <= COMPONENT_COLUMNS;
    CHECK(NEW(ctx, &m->picture, 2 * (n + run->k)));
    CHECK(NEW(ctx, &m->groups, n));
    CHECK(SCRATCH(ctx, &rows, cairn_product(n, d)));
    CHECK(SCRATCH(ctx, &components, 2 * d));
    CHECK(SCRATCH(ctx, &mean, d));
    for (size_t i = 0; i < n; i++) cairn_kmeans_row(data, i * step, rows + i * d);
    if (m->components) CHECK(two_components(ctx, components, mean, rows, n, d));
    const double *used = m->components ? components : NULL;
    for (size_t i = 0; i < n; i++) {
        m->groups[i] = run->assign[i * step];
        place_row(m->picture + 2 * i, rows + i * d, d, m->groups[i], used, mean);
    }
    for (size_t c = 0; c < run->k; c++)
        place_row(m->picture + 2 * (n + c), run->centres + c * d, d, (int32_t)c, used, mean);
    m->n_sample = n;
    return CAIRN_OK;
}

/* "cluster 1", "cluster 2" ... for the legend. */
static cairn_status cluster_names(cairn_context *ctx, const char ***out, size_t k)
{
    enum { SIZE = 32 };
    char *text;
    const char **names;
    CHECK(SCRATCH(ctx, &names, k));
    CHECK(SCRATCH(ctx, &text, k * SIZE));
    for (size_t c = 0; c < k; c++) {
        snprintf(text + c * SIZE, SIZE, "cluster %zu", c + 1);
        names[c] = text + c * SIZE;
    }
    *out = names;
    return CAIRN_OK;
}

/* Two columns are drawn as they are, more by their first two principal components; the picture
 * holds a sample of the rows, and then the centres. */
static cairn_status draw_clusters(cairn_report *out, const cairn_kmeans_model *m,
                                  const cairn_job *job)
{
    const cairn_kmeans_history *history = job->history;
    size_t n = history->n_sample, d = m->n_columns;
    double *x, *y;
    const char **names;
    cairn_figure *figure = NULL;
    CHECK(SCRATCH_EACH(out->ctx, n, &x, &y));
    CHECK(cluster_names(out->ctx, &names, m->n_clusters));
    for (size_t i = 0; i < n; i++)
        x[i] = history->picture[2 * i], y[i] = history->picture[2 * i + 1];
    CHECK(cairn_figure_new(out->ctx, &figure, "clusters", "Clusters and their centres"));
    if (history->components)
        cairn_figure_axes(figure, "first principal component", "second principal component");
    else
        cairn_figure_axes(figure, feature_name(job->schema, 0),
                          d > 1 ? feature_name(job->schema, 1) : "cluster");
    cairn_figure_points(figure, x, y, history->groups, n, names, m->n_clusters);
    for (size_t c = 0; c < m->n_clusters && c < 200; c++)
        cairn_figure_mark(figure, c ? NULL : "centre", history->picture[2 * (n + c)],
                          history->picture[2 * (n + c) + 1]);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status draw_history(cairn_report *out, const cairn_kmeans_history *m)
{
    double *x;
    cairn_figure *figure = NULL;
    CHECK(SCRATCH(out->ctx, &x, m->n_values));
    for (size_t i = 0; i < m->n_values; i++) x[i] = (double)i;
    CHECK(
        cairn_figure_new(out->ctx, &figure, "inertia", "Within sum of squares by centre updates"));
    cairn_figure_axes(figure, "centre updates", "within sum of squares");
    cairn_figure_line(figure, NULL, x, m->values, m->n_values);
    cairn_figure_points(figure, x, m->values, NULL, m->n_values, NULL, 0);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

/* -- the description -- */

/* Sizes and sums of squares are known only with the history of the fit; a loaded model shows its
 * centres alone. All centres are named, shown or not. */
static void show_clusters(cairn_report *out, const cairn_kmeans_model *m, const cairn_job *job)
{
    const cairn_kmeans_history *history = job->history;
    size_t d = m->n_columns, shown = d < SHOWN_COLUMNS ? d : SHOWN_COLUMNS;
    double weight = 0;
    for (size_t c = 0; history && c < m->n_clusters; c++) weight += history->sizes[c];
    cairn_report_table_of(out, "Clusters", 200, "r", "cluster");
    if (history) {
        cairn_report_columns(out, "rrr", "size", "share", "within");
    }
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, feature_name(job->schema, j), 'r');
    for (size_t c = 0; c < m->n_clusters; c++) {
        cairn_report_cellf(out, "%zu", c + 1);
        if (history) {
            /* What the training rows say of cluster c. */
            cairn_report_prefix(out, "cluster%zu", c + 1);
            cairn_report_cells(out, "@.size -:3 @.within", history->sizes[c],
                               history->sizes[c] / weight, history->within[c]);
        }
        for (size_t j = 0, at = 0; j < d; j++) {
            const char *key = cairn_report_key(out, cairn_schema_next_name(job->schema, &at));
            double x = m->centres[c * d + j];
            if (j < shown)
                cairn_report_cell_number(out, x, 0, "centre%zu.%s", c + 1, key);
            else
                cairn_report_hidden(out, x, "centre%zu.%s", c + 1, key);
        }
    }
    cairn_report_table_end(out);
    if (d > shown)
        cairn_report_paragraph(out, "The centres have %zu columns; the first %zu are shown.", d,
                               shown);
}

/* The centres as the data would have them, where a transform changed the units. */
static void show_centres_in_units(cairn_report *out, const cairn_kmeans_model *m,
                                  const cairn_job *job)
{
    size_t d = m->n_columns, shown = d < SHOWN_COLUMNS ? d : SHOWN_COLUMNS;
    bool changed = false;
    double x = 0;
    for (size_t j = 0, at = 0; job->described && j < d; j++)
        changed |=
            cairn_chain_restore(job->described, cairn_schema_next_name(job->schema, &at), &x);
    if (!changed) return;
    cairn_report_table_of(out, "Centres in the units of the data", 200, "r", "cluster");
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, feature_name(job->schema, j), 'r');
    for (size_t c = 0; c < m->n_clusters; c++) {
        cairn_report_cellf(out, "%zu", c + 1);
        for (size_t j = 0, at = 0; j < d; j++) {
            const char *name = cairn_schema_next_name(job->schema, &at);
            const char *key = cairn_report_key(out, name);
            x = m->centres[c * d + j];
            (void)cairn_chain_restore(job->described, name, &x);
            if (j < shown)
                cairn_report_cell_number(out, x, 6, "data.centre%zu.%s", c + 1, key);
            else
                cairn_report_hidden(out, x, "data.centre%zu.%s", c + 1, key);
        }
    }
    cairn_report_table_end(out);
}

/* In one dimension clusters are intervals: halfway between neighbouring centres the next begins. */
static cairn_status show_boundaries(cairn_report *out, const cairn_kmeans_model *m)
{
    double *sorted;
    if (m->n_columns != 1 || m->n_clusters < 2) return CAIRN_OK;
    CHECK(SCRATCH(out->ctx, &sorted, m->n_clusters));
    for (size_t c = 0; c < m->n_clusters; c++) {
        size_t at = c;
        for (; at > 0 && sorted[at - 1] > m->centres[c]; at--) sorted[at] = sorted[at - 1];
        sorted[at] = m->centres[c];
    }
    for (size_t c = 1; c < m->n_clusters && c <= STEP_ROWS; c++)
        cairn_report_value(out, "boundary halfway between centres",
                           sorted[c - 1] + (sorted[c] - sorted[c - 1]) / 2, "boundary.%zu", c);
    return CAIRN_OK;
}

static void show_starts(cairn_report *out, const cairn_kmeans_history *m)
{
    if (m->n_starts < 2) return;
    cairn_report_table_of(out, "Starts", 20, "rr", "start", "within sum of squares");
    for (size_t s = 0; s < m->n_starts; s++) {
        if ((int32_t)s == m->best_start) cairn_report_row_mark(out);
        cairn_report_cells(out, "- start$1.inertia", s + 1, m->start_inertia[s]);
    }
    cairn_report_table_end(out);
    cairn_report_hidden(out, m->best_start + 1.0, "best_start");
}

/* The number of rounds is one more than that of updates, since the last assignment finds that
 * nothing moves. */
static void show_outcome(cairn_report *out, const cairn_kmeans_history *m, size_t k,
                         const cairn_kmeans_params *params)
{
    double between = cairn_number_left(m->total - m->inertia, m->total), weight = 0;
    for (size_t c = 0; c < k; c++) weight += m->sizes[c];
    cairn_report_value(out, "within sum of squares", m->inertia, "inertia");
    if (params->form == CAIRN_KMEANS_SPHERICAL) {
        cairn_report_value(out, "mean cosine to the centre", 1 - m->inertia / weight / 2,
                           "mean_cosine");
    } else {
        cairn_report_value(out, "total sum of squares", m->total, "total_ss");
        cairn_report_value(out, "between clusters", between, "between_ss");
        cairn_report_value(out, "share explained", m->total > 0 ? between / m->total : NAN,
                           "explained");
    }
    if (m->partitions > 0) {
        cairn_report_value(out, "partitions tried or ruled out", m->partitions, "exact.partitions");
        cairn_report_value(out, "of them the best", m->optima, "exact.optima");
        return;
    }
    cairn_report_value(out, "centre updates", (double)m->iterations, "iterations");
    cairn_report_value(out, "rounds of assignment", (double)m->iterations + 1, "rounds");
    cairn_report_word(out, "converged", m->converged ? "yes" : "no", "converged");
    if (!m->converged)
        cairn_report_note(out,
                          "The centres were still moving after %lld updates; raise {max-iter} "
                          "to let them settle.",
                          (long long)m->iterations);
}

/* What makes a result doubtful: clusters that lost their rows, rows between two centres, a given
 * partition that is no resting place. */
static void show_warnings(cairn_report *out, const cairn_kmeans_history *m, size_t n_clusters)
{
    size_t empty = 0;
    for (size_t c = 0; c < n_clusters; c++) empty += !(m->sizes[c] > 0);
    if (m->reseeded > 0)
        cairn_report_note(out,
                          "%lld time%s a cluster lost all its rows on the way ({empty} says "
                          "what happens then).",
                          (long long)m->reseeded, m->reseeded == 1 ? "" : "s");
    if (empty)
        cairn_report_note(out,
                          "%zu of the clusters %s no rows: there may be fewer different "
                          "rows than clusters.",
                          empty, empty == 1 ? "has" : "have");
    cairn_report_hidden(out, (double)empty, "empty");
    if (m->tied > 0)
        cairn_report_note(out,
                          "%lld row%s as near to another centre (within a part in 1e12 of the "
                          "squared distance); {tie} says where they go.",
                          (long long)m->tied, m->tied == 1 ? " is" : "s are");
    if (m->tied >= 0) cairn_report_hidden(out, (double)m->tied, "tied");
    if (isnan(m->given_within)) return;
    cairn_report_heading(out, 3, "The given partition");
    cairn_report_value(out, "within sum of squares", m->given_within, "given.within");
    cairn_report_word(out, "stationary", m->given_moves ? "no" : "yes", "given.stationary");
    cairn_report_value(out, "rows nearer to another centre", (double)m->given_moves, "given.moves");
}

/* Which columns decide between the nearest centre and the next: the difference of the squared
 * distances, column by column. */
static void explain_columns(cairn_report *out, const cairn_kmeans_model *m, const cairn_job *job,
                            const double *row, size_t first, size_t second)
{
    const double *a = m->centres + first * m->n_columns, *b = m->centres + second * m->n_columns;
    char title[120];
    snprintf(title, sizeof title, "Cluster %zu rather than %zu: (x − c%zu)² − (x − c%zu)²",
             first + 1, second + 1, second + 1, first + 1);
    cairn_report_table_of(out, title, 0, "lrr", "column", "value", "difference");
    for (size_t j = 0; j < m->n_columns; j++) {
        const char *name = job->view->names[j];
        double far = row[j] - b[j], near = row[j] - a[j];
        cairn_report_cells(out, "- -:6 $1:6", name, row[j], far * far - near * near);
    }
    cairn_report_table_end(out);
}

void cairn_kmeans_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    const cairn_kmeans_model *m = model;
    cairn_context *ctx = cairn_report_context(out);
    size_t first = 0, second = 0, d = m->n_columns, k = m->n_clusters;
    double *x, *squares;
    cairn_row_matrix rows;
    cairn_status status;
    if (!ctx) return;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    TRY(SCRATCH(ctx, &x, d + 1));
    TRY(SCRATCH(ctx, &squares, k + 1));
    const cairn_kmeans_params *params = job->params;
    TRY(cairn_matrix_open(
        ctx, &rows, job->view,
        &(cairn_matrix_options){.n_terms = d, .unit = params->form == CAIRN_KMEANS_SPHERICAL}));
    cairn_matrix_rows(&rows, row, 1, x);
    for (size_t c = 0; c < k; c++)
        for (size_t j = 0; j < d; j++)
            squares[c] += (x[j] - m->centres[c * d + j]) * (x[j] - m->centres[c * d + j]);
    for (size_t c = 1; c < k; c++)
        if (cairn_kmeans_is_tie(squares[c], squares[first]) ? m->tie == CAIRN_KMEANS_LAST
                                                            : squares[c] < squares[first])
            first = c;
    second = first == 0 && k > 1;
    for (size_t c = 0; c < k; c++)
        if (c != first && squares[c] < squares[second]) second = c;
    cairn_report_table_of(out, "Distances to the centres", 0, "rr", "cluster", "distance");
    for (size_t c = 0; c < k; c++) {
        if (c == first) cairn_report_row_mark(out);
        cairn_report_cells(out, "- distance.$1:6", c + 1, sqrt(squares[c]));
    }
    cairn_report_table_end(out);
    if (k > 1) explain_columns(out, m, job, x, first, second);
done:
    cairn_report_failed(out, status);
    cairn_scratch_release(ctx, mark);
}

void cairn_kmeans_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_kmeans_model *m = model;
    const cairn_kmeans_history *history = job->history;
    if (!out) return;
    cairn_scratch_mark mark = cairn_scratch_now(out->ctx);
    cairn_status status = CAIRN_OK;
    cairn_report_heading(out, 2, "k-means");
    if (history) show_outcome(out, history, m->n_clusters, job->params);
    show_clusters(out, m, job);
    show_centres_in_units(out, m, job);
    TRY(show_boundaries(out, m));
    if (!history) goto done;
    show_starts(out, history);
    show_warnings(out, history, m->n_clusters);
    for (size_t i = 0; i < history->n_kept; i++)
        cairn_report_hidden(out, history->kept[i] + 1.0, "assign.%zu", i + 1);
    if (history->n_sample > 1) TRY(draw_clusters(out, m, job));
    if (history->n_values > 1) TRY(draw_history(out, history));
done:
    if (out->status == CAIRN_OK) out->status = status;
    cairn_scratch_release(out->ctx, mark);
}
