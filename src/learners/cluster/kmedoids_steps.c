/* SPDX-License-Identifier: MIT */
/* The work of k-medoids: what first medoids are worth, tables of distances, the cost of every
 * swap. Rows are named by their numbers in the table. */
#include "base/memory.h"
#include "learners/cluster/course_report.h"
#include "learners/cluster/kmedoids.h"
#include "model/chain.h"
#include "report/document.h"
#include "report/table_rows.h"
#include <math.h>
#include <stdio.h>

/* What k-medoids tells: the clusters with their medoids, the starts, the course of the cost, and
 * how far a row is from every medoid. */

enum { REPORT_SHOWN_COLUMNS = 10, SHOWN_CLUSTERS = 200 };

/* -- the description -- */

static const cairn_field *feature_at(const cairn_schema *schema, size_t j)
{
    for (size_t i = 0; i < schema->n_fields; i++)
        if (schema->fields[i].role == CAIRN_FEATURE && j-- == 0) return &schema->fields[i];
    return NULL;
}

/* A model without its history knows only which rows the medoids were. */
static void show_clusters(cairn_report *out, const cairn_kmedoids_model *m, const cairn_job *job)
{
    const cairn_kmedoids_history *history = job->history;
    size_t columns = history ? history->n_values : 0, shown = columns;
    double weight = 0;
    if (shown > REPORT_SHOWN_COLUMNS) shown = REPORT_SHOWN_COLUMNS;
    for (size_t c = 0; history && c < m->n_clusters; c++) weight += history->sizes[c];
    cairn_report_table_of(out, "Clusters", SHOWN_CLUSTERS, "rr", "cluster", "medoid (row)");
    if (history)
        cairn_report_columns(out, "rrrrr", "size", "share", "sum of distances", "mean", "largest");
    for (size_t j = 0; j < shown; j++) {
        const cairn_field *field = feature_at(job->schema, j);
        cairn_report_column(out, field ? field->name : "?",
                            field && field->kind == CAIRN_LEVEL ? 'l' : 'r');
    }
    for (size_t c = 0; c < m->n_clusters; c++) {
        cairn_report_cells(out, "- cluster$1.medoid", c + 1, (double)m->numbers[c] + 1);
        if (history) {
            cairn_report_prefix(out, "cluster%zu", c + 1);
            cairn_report_cells(out, "@.size -:3 @.within @.mean @.widest", history->sizes[c],
                               history->sizes[c] / weight, history->within[c],
                               history->sizes[c] > 0 ? history->within[c] / history->sizes[c] : NAN,
                               history->widest[c]);
        }
        for (size_t j = 0; j < shown; j++) {
            /* A cell of a medoid in the units of the data, or the name of its level. */
            const cairn_field *field = feature_at(job->schema, j);
            double x = history->values[c * history->n_values + j];
            const char *key = field ? cairn_report_key(out, field->name) : "";
            if (field && field->kind == CAIRN_LEVEL) {
                bool known = x >= 0 && x < (double)field->names.n;
                cairn_report_cell_word(out,
                                       known ? cairn_map_key(&field->names, (size_t)x) : "missing",
                                       "medoid%zu.%s", c + 1, key);
                continue;
            }
            if (field && job->described) (void)cairn_chain_restore(job->described, field->name, &x);
            cairn_report_cell_number(out, x, 0, "medoid%zu.%s", c + 1, key);
        }
    }
    cairn_report_table_end(out);
    if (columns > shown)
        cairn_report_paragraph(out, "The medoids have %zu columns; the first %zu are shown.",
                               columns, shown);
}

static const char *const endings[] = {
    [CAIRN_KMEDOIDS_PAM] = "No swap of a medoid and another row lowers the cost.",
    [CAIRN_KMEDOIDS_EAGER] = "No swap of a medoid and another row lowers the cost.",
    [CAIRN_KMEDOIDS_ALTERNATE] = "Every medoid is the best member of its cluster; a swap with a "
                                 "row of another cluster may still lower the cost.",
    [CAIRN_KMEDOIDS_SAMPLE] = "The medoids are those of a sample of the rows, the best of several "
                              "by the cost of all rows; others may do better.",
    [CAIRN_KMEDOIDS_EXACT] = "No other set of medoids has a lower cost.",
};

static void show_outcome(cairn_report *out, const cairn_kmedoids_history *a)
{
    bool swaps = a->method != CAIRN_KMEDOIDS_ALTERNATE;
    cairn_report_word(out, "method", cairn_kmedoids_method_name(a->method), "method");
    cairn_report_value(out, "cost (sum of distances to medoids)", a->cost, "cost");
    if (a->method == CAIRN_KMEDOIDS_EXACT) {
        cairn_report_value(out, "sets of medoids tried", a->sets, "exact.sets");
        cairn_report_value(out, "of them the best", a->optima, "exact.optima");
    } else if (a->method == CAIRN_KMEDOIDS_SAMPLE) {
        cairn_report_value(out, "rows of a sample", a->sample, "sample_size");
    } else {
        cairn_report_value(out, swaps ? "swaps" : "moves of the medoids", (double)a->iterations,
                           "iterations");
        cairn_report_word(out, "converged", a->converged ? "yes" : "no", "converged");
    }
    if (a->converged && a->method > CAIRN_KMEDOIDS_AUTO && a->method <= CAIRN_KMEDOIDS_EXACT)
        cairn_report_paragraph(out, "%s", endings[a->method]);
    else if (!a->converged)
        cairn_report_note(out, "It ended after %lld %s; raise {max-iter} to let it go on.",
                          (long long)a->iterations, swaps ? "swaps" : "rounds");
}

/* Clusters without rows, rows between two medoids, and swaps that were as good. */
static void show_warnings(cairn_report *out, const cairn_kmedoids_history *a, size_t n_clusters)
{
    size_t empty = 0;
    for (size_t c = 0; c < n_clusters; c++) empty += !(a->sizes[c] > 0);
    if (empty)
        cairn_report_note(out,
                          "%zu of the clusters %s no rows: there are fewer different rows than "
                          "clusters.",
                          empty, empty == 1 ? "has" : "have");
    cairn_report_hidden(out, (double)empty, "empty");
    if (a->tied > 0)
        cairn_report_note(out, "%lld row%s as near to another medoid and go%s to the first.",
                          (long long)a->tied, a->tied == 1 ? " is" : "s are",
                          a->tied == 1 ? "es" : "");
    cairn_report_hidden(out, (double)a->tied, "tied");
    if (a->ties > 0 && a->ties < 1e15)
        cairn_report_note(out,
                          "%zu time%s another swap was as good as the one that was made, the "
                          "first of them.",
                          (size_t)a->ties, a->ties == 1 ? "" : "s");
    if (a->optima > 1 && a->optima < 1e15)
        cairn_report_note(out, "%zu sets of medoids have this cost; the first is given.",
                          (size_t)a->optima);
}

void cairn_kmedoids_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_kmedoids_model *m = model;
    const cairn_kmedoids_history *history = job->history;
    if (!out) return;
    SCOPED_SCRATCH(out->ctx);
    cairn_report_heading(out, 2, "k-medoids");
    if (history) show_outcome(out, history);
    show_clusters(out, m, job);
    if (!history) return;
    bool sample = history->method == CAIRN_KMEDOIDS_SAMPLE;
    bool swaps = history->method != CAIRN_KMEDOIDS_ALTERNATE;
    cairn_show_starts(out, sample ? "Samples" : "Starts", sample ? "sample" : "start",
                      history->costs, history->n_starts, history->best);
    show_warnings(out, history, m->n_clusters);
    for (size_t i = 0; i < history->n_kept; i++)
        cairn_report_hidden(out, history->kept[i] + 1.0, "assign.%zu", i + 1);
    cairn_draw_costs(out, swaps ? "Cost by swaps" : "Cost by moves of the medoids",
                     swaps ? "swaps" : "moves", "sum of distances to medoids", history->course,
                     history->n_course);
}

/* -- one row -- */

/* The nearest medoid is marked, the first of equals; a missing distance is never nearest if
 * another is known. */
static cairn_status explain_row(cairn_context *ctx, cairn_report *out,
                                const cairn_kmedoids_model *m, const cairn_job *job, size_t row)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows asked = {0};
    uint32_t which = (uint32_t)row;
    size_t k = m->n_clusters, best = 0;
    double *distances;
    CHECK(SCRATCH_RAW(ctx, &distances, k));
    CHECK(cairn_distance_rows_like(ctx, &asked, &m->rows, job->view));
    CHECK(cairn_distances_block(ctx, &asked, &which, 1, &m->rows, 0, k, distances, k));
    for (size_t c = 1; c < k; c++)
        if (distances[c] < distances[best] * (1 - 1e-12) || isnan(distances[best])) best = c;
    cairn_report_table_of(out, "Distances to the medoids", 0, "rrr", "cluster", "medoid (row)",
                          "distance");
    for (size_t c = 0; c < k; c++) {
        if (c == best) cairn_report_row_mark(out);
        cairn_report_cells(out, "- - distance.$1:6", c + 1, (size_t)m->numbers[c] + 1,
                           distances[c]);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

void cairn_kmedoids_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    cairn_context *ctx = cairn_report_context(out);
    if (ctx) cairn_report_failed(out, explain_row(ctx, out, model, job, row));
}

enum { SHOWN_ROWS = 50, SHOWN_MEDOIDS = 20, SHOWN_COLUMNS = 10 };

static size_t number_of(const cairn_medoid_rows *x, size_t i)
{
    return cairn_view_row(x->view, i) + 1;
}

/* -- the state -- */

/* Where the medoids are, by the number columns. */
static void show_medoids(cairn_kmedoids_steps *steps, const cairn_medoids *m)
{
    const cairn_view *view = m->x->view;
    cairn_report *out = steps->out;
    size_t n = steps->n_states,
           shown = view->n_features < SHOWN_COLUMNS ? view->n_features : SHOWN_COLUMNS;
    if (m->x->rows->given) shown = 0;
    cairn_report_table_of(out, "Medoids", 0, "rr", "medoid", "row");
    for (size_t j = 0; j < shown; j++)
        if (view->features[j]->kind == CAIRN_NUMBER) cairn_report_column(out, view->names[j], 'r');
    for (size_t c = 0; c < m->k; c++) {
        size_t row = cairn_view_row(view, m->rows[c]);
        cairn_report_cellf(out, "%zu", c + 1);
        cairn_report_cell_number(out, (double)row + 1, 0, "state%zu.medoid%zu", n, c + 1);
        for (size_t j = 0; j < shown; j++)
            if (view->features[j]->kind == CAIRN_NUMBER)
                cairn_report_cell_number(out, view->features[j]->numbers[row], 0,
                                         "state%zu.medoid%zu.%s", n, c + 1,
                                         cairn_report_key(out, view->names[j]));
    }
    cairn_report_table_end(out);
}

/* One row of the table of distances, of which only the least is known when there are no lines; a
 * row as near to two medoids is marked. */
static void show_row(cairn_kmedoids_steps *steps, const cairn_medoids *m, size_t i)
{
    cairn_report *out = steps->out;
    size_t n = steps->n_states, number = number_of(m->x, i), ties = 0;
    cairn_report_cellf(out, "%zu", number);
    for (size_t c = 0; m->x->lines && c < m->k; c++) {
        double d = m->x->lines[m->rows[c]][i];
        ties += cairn_medoids_tie(d, m->near[i], m->near[i]);
        if (c < SHOWN_MEDOIDS)
            cairn_report_cell_number(out, d, 0, "state%zu.distance.%zu.%zu", n, number, c + 1);
    }
    cairn_report_cell_number(out, m->near[i], 0, "state%zu.minimum.%zu", n, number);
    cairn_report_cell_number(out, m->nearest[i] + 1.0, 0, "state%zu.cluster.%zu", n, number);
    cairn_report_cell(out, ties > 1 ? "tie" : "");
}

void cairn_kmedoids_show_state(cairn_kmedoids_steps *steps, const cairn_medoids *m,
                               const char *title)
{
    cairn_report *out = steps->out;
    if (!out) return;
    cairn_report_step_begin(out, "%s", title);
    show_medoids(steps, m);
    cairn_report_table_of(out, "Distances", SHOWN_ROWS, "r", "row");
    for (size_t c = 0; m->x->lines && c < m->k && c < SHOWN_MEDOIDS; c++) {
        char head[40];
        snprintf(head, sizeof head, "to medoid %zu", c + 1);
        cairn_report_column(out, head, 'r');
    }
    cairn_report_columns(out, "rrl", "minimum", "cluster", "");
    for (size_t i = 0; i < m->x->n && i < SHOWN_ROWS; i++) show_row(steps, m, i);
    cairn_report_table_end(out);
    if (m->x->n > SHOWN_ROWS)
        cairn_report_paragraph(out, "and %zu more row%s", m->x->n - SHOWN_ROWS,
                               m->x->n - SHOWN_ROWS == 1 ? "" : "s");
    if (m->x->n <= SHOWN_ROWS && !m->x->weights)
        cairn_report_worked_sum(out, "Q", "#", m->near, 1, m->x->n, m->cost);
    cairn_report_value(out, m->x->weights ? "Q = Σ weight · minimum" : "Q = Σ minimum", m->cost,
                       "state%zu.q", steps->n_states);
    cairn_report_step_end(out);
    steps->n_states++;
}

/* -- build -- */

void cairn_kmedoids_show_build(cairn_kmedoids_steps *steps, const cairn_medoids *m, size_t at,
                               const double *worth, size_t chosen)
{
    cairn_report *out = steps->out;
    const char *what = at ? "gain" : "sum";
    if (!out) return;
    cairn_report_step_begin(out, "Build: medoid %zu", at + 1);
    if (at)
        cairn_report_formula(out, "gain(j) = Σ max(0, distance to the nearest medoid − d(i, j))");
    else
        cairn_report_formula(out, "sum(j) = Σ d(i, j)");
    cairn_report_table_of(out, at ? "What each row would lower the cost by" : "Summed distances",
                          SHOWN_ROWS, "rr", "row", what);
    for (size_t i = 0; i < m->x->n; i++) {
        if (worth[i] == -INFINITY) continue;
        if (i == chosen) cairn_report_row_mark(out);
        cairn_report_cellf(out, "%zu", number_of(m->x, i));
        cairn_report_cell_number(out, at ? worth[i] : -worth[i], 0, "build%zu.%s.%zu", at + 1, what,
                                 number_of(m->x, i));
    }
    cairn_report_table_end(out);
    cairn_report_paragraph(out, "Row %zu becomes medoid %zu.", number_of(m->x, chosen), at + 1);
    cairn_report_hidden(out, (double)number_of(m->x, chosen), "build%zu.chosen", at + 1);
    cairn_report_step_end(out);
}

/* -- swaps -- */

/* Q after each swap, a line for each row that is no medoid. */
static void show_costs(cairn_kmedoids_steps *steps, const cairn_medoids *m, size_t number,
                       const double *costs, size_t in)
{
    cairn_report *out = steps->out;
    const cairn_medoid_rows *x = m->x;
    cairn_report_table_of(out, "Q after the swap", SHOWN_ROWS, "r", "row");
    for (size_t c = 0; c < m->k && c < SHOWN_MEDOIDS; c++) {
        char head[60];
        snprintf(head, sizeof head, "for medoid %zu (row %zu)", c + 1, number_of(x, m->rows[c]));
        cairn_report_column(out, head, 'r');
    }
    for (size_t i = 0; i < x->n; i++) {
        if (isnan(costs[i * m->k])) continue;
        if (i == in) cairn_report_row_mark(out);
        cairn_report_cellf(out, "%zu", number_of(x, i));
        for (size_t c = 0; c < m->k && c < SHOWN_MEDOIDS; c++)
            cairn_report_cell_number(out, costs[i * m->k + c], 0, "swap%zu.q.%zu.%zu", number,
                                     number_of(x, m->rows[c]), number_of(x, i));
    }
    cairn_report_table_end(out);
}

/* The number of a row of a swap, and its numbers. */
static void name_row(cairn_report *out, const cairn_medoid_rows *x, size_t i, size_t number,
                     const char *which)
{
    const cairn_view *view = x->view;
    size_t row = cairn_view_row(view, i);
    cairn_report_hidden(out, (double)row + 1, "swap%zu.%s", number, which);
    for (size_t j = 0; !x->rows->given && j < view->n_features && j < SHOWN_COLUMNS; j++)
        if (view->features[j]->kind == CAIRN_NUMBER)
            cairn_report_hidden(out, view->features[j]->numbers[row], "swap%zu.%s.%s", number,
                                which, cairn_report_key(out, view->names[j]));
}

void cairn_kmedoids_show_swaps(cairn_kmedoids_steps *steps, const cairn_medoids *m, size_t number,
                               const double *costs, size_t out_at, size_t in, size_t ties)
{
    cairn_report *out = steps->out;
    const cairn_medoid_rows *x = m->x;
    if (!out) return;
    cairn_report_step_begin(out, "Swap %zu: every medoid against every other row", number);
    show_costs(steps, m, number, costs, in);
    if (in == x->n) {
        cairn_report_paragraph(out, "No swap lowers the cost; it stays.");
        cairn_report_value(out, "Q", m->cost, "swap%zu.stays", number);
        cairn_report_step_end(out);
        return;
    }
    double after = costs[in * m->k + out_at];
    cairn_report_paragraph(out, "The best one: row %zu takes the place of row %zu.",
                           number_of(x, in), number_of(x, m->rows[out_at]));
    cairn_report_worked(out, "improvement", "# − # = #", m->cost, after, m->cost - after);
    if (ties)
        cairn_report_paragraph(out, "%zu other row%s as good; the first is taken.", ties,
                               ties == 1 ? " is" : "s are");
    name_row(out, x, m->rows[out_at], number, "out");
    name_row(out, x, in, number, "in");
    cairn_report_hidden(out, m->cost - after, "swap%zu.improvement", number);
    cairn_report_hidden(out, (double)ties, "swap%zu.ties", number);
    cairn_report_step_end(out);
}

void cairn_kmedoids_trace_begin(cairn_kmedoids_steps *steps)
{
    if (!steps->out) return;
    cairn_report_step_begin(steps->out, "Rows in turn: each is swapped with the medoid that it "
                                        "improves most, as soon as it improves");
    cairn_report_table_of(steps->out, "Swaps", SHOWN_ROWS, "rrrrr", "swap", "out (row)", "in (row)",
                          "improvement", "Q");
}

void cairn_kmedoids_trace_swap(cairn_kmedoids_steps *steps, const cairn_medoids *m, size_t number,
                               size_t out_at, size_t in, double change)
{
    cairn_report *out = steps->out;
    if (!out) return;
    cairn_report_cells(out, "- swap$1.out swap$1.in swap$1.improvement", number,
                       (double)number_of(m->x, m->rows[out_at]), (double)number_of(m->x, in),
                       -change, m->cost + change);
}

void cairn_kmedoids_trace_end(cairn_kmedoids_steps *steps)
{
    if (!steps->out) return;
    cairn_report_table_end(steps->out);
    cairn_report_paragraph(steps->out, "All rows in turn improve nothing more.");
    cairn_report_step_end(steps->out);
}

/* -- alternating -- */

void cairn_kmedoids_show_sums(cairn_kmedoids_steps *steps, const cairn_medoids *m, size_t round,
                              size_t cluster, const double *sums, const uint32_t *members, size_t n,
                              size_t chosen)
{
    cairn_report *out = steps->out;
    if (!out) return;
    cairn_report_step_begin(out, "Round %zu: the medoid of cluster %zu", round, cluster + 1);
    cairn_report_table_of(out, "Summed distances to the members", SHOWN_ROWS, "rr", "row", "sum");
    for (size_t a = 0; a < n; a++) {
        if (a == chosen) cairn_report_row_mark(out);
        cairn_report_cellf(out, "%zu", number_of(m->x, members[a]));
        cairn_report_cell_number(out, sums[a], 0, "round%zu.sum.%zu", round,
                                 number_of(m->x, members[a]));
    }
    cairn_report_table_end(out);
    cairn_report_hidden(out, (double)number_of(m->x, members[chosen]), "round%zu.medoid.%zu", round,
                        cluster + 1);
    cairn_report_step_end(out);
}

/* -- all sets -- */

void cairn_kmedoids_show_set(cairn_kmedoids_steps *steps, const cairn_medoid_rows *x,
                             const uint32_t *rows, size_t k, double cost)
{
    cairn_report *out = steps->out;
    char set[256];
    size_t length = 0;
    if (!out || !cairn_report_row_wanted(out)) return;
    for (size_t c = 0; c < k && length + 24 < sizeof set; c++)
        length += (size_t)snprintf(set + length, sizeof set - length, "%s%zu", c ? "-" : "",
                                   number_of(x, rows[c]));
    cairn_report_cell(out, set);
    cairn_report_cell_number(out, cost, 0, "set.%s.q", set);
}
