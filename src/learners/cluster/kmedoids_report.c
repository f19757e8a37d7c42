/* SPDX-License-Identifier: MIT */
/* What k-medoids tells: the clusters with their medoids, the starts, the course of the cost, and
 * how far a row is from every medoid. */
#include "base/memory.h"
#include "learners/cluster/course_report.h"
#include "learners/cluster/kmedoids.h"
#include "model/chain.h"
#include "report/document.h"
#include <math.h>

enum { SHOWN_COLUMNS = 10, SHOWN_CLUSTERS = 200 };

/* -- the description -- */

static const cairn_field *feature_at(const cairn_schema *schema, size_t j)
{
    for (size_t i = 0; i < schema->n_fields; i++)
        if (schema->fields[i].role == CAIRN_FEATURE && j-- == 0) return &schema->fields[i];
    return NULL;
}

/* A cell of a medoid in the units of the data, or the name of its level. */
static void show_value(cairn_report *out, const cairn_kmedoids_account *account,
                       const cairn_job *job, size_t c, size_t j)
{
    const cairn_field *field = feature_at(job->schema, j);
    double x = account->values[c * account->n_values + j];
    const char *key = field ? cairn_report_key(out, field->name) : "";
    if (field && field->kind == CAIRN_LEVEL) {
        bool known = x >= 0 && x < (double)field->names.n;
        cairn_report_cell_word(out, known ? cairn_map_key(&field->names, (size_t)x) : "missing",
                               "medoid%zu.%s", c + 1, key);
        return;
    }
    if (field && job->described) (void)cairn_chain_restore(job->described, field->name, &x);
    cairn_report_cell_number(out, x, 0, "medoid%zu.%s", c + 1, key);
}

static void show_sizes(cairn_report *out, const cairn_kmedoids_account *account, size_t c,
                       double weight)
{
    cairn_report_cell_number(out, account->sizes[c], 0, "cluster%zu.size", c + 1);
    cairn_report_cell_number(out, account->sizes[c] / weight, 3, NULL);
    cairn_report_cell_number(out, account->within[c], 0, "cluster%zu.within", c + 1);
    cairn_report_cell_number(out,
                             account->sizes[c] > 0 ? account->within[c] / account->sizes[c] : NAN,
                             0, "cluster%zu.mean", c + 1);
    cairn_report_cell_number(out, account->widest[c], 0, "cluster%zu.widest", c + 1);
}

/* A model without its account knows only which rows the medoids were. */
static void show_clusters(cairn_report *out, const cairn_kmedoids_model *m, const cairn_job *job)
{
    const cairn_kmedoids_account *account = job->account;
    size_t columns = account ? account->n_values : 0, shown = columns;
    double weight = 0;
    if (shown > SHOWN_COLUMNS) shown = SHOWN_COLUMNS;
    for (size_t c = 0; account && c < m->n_clusters; c++) weight += account->sizes[c];
    cairn_report_table_of(out, "Clusters", SHOWN_CLUSTERS, "rr", "cluster", "medoid (row)");
    if (account)
        cairn_report_columns(out, "rrrrr", "size", "share", "sum of distances", "mean", "largest");
    for (size_t j = 0; j < shown; j++) {
        const cairn_field *field = feature_at(job->schema, j);
        cairn_report_column(out, field ? field->name : "?",
                            field && field->kind == CAIRN_LEVEL ? 'l' : 'r');
    }
    for (size_t c = 0; c < m->n_clusters; c++) {
        cairn_report_cellf(out, "%zu", c + 1);
        cairn_report_cell_number(out, (double)m->numbers[c] + 1, 0, "cluster%zu.medoid", c + 1);
        if (account) show_sizes(out, account, c, weight);
        for (size_t j = 0; j < shown; j++) show_value(out, account, job, c, j);
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

static void show_outcome(cairn_report *out, const cairn_kmedoids_account *a)
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
static void show_warnings(cairn_report *out, const cairn_kmedoids_account *a, size_t n_clusters)
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
    const cairn_kmedoids_account *account = job->account;
    if (!out) return;
    SCOPED_SCRATCH(out->ctx);
    cairn_report_heading(out, 2, "k-medoids");
    if (account) show_outcome(out, account);
    show_clusters(out, m, job);
    if (!account) return;
    bool sample = account->method == CAIRN_KMEDOIDS_SAMPLE;
    bool swaps = account->method != CAIRN_KMEDOIDS_ALTERNATE;
    cairn_show_starts(out, sample ? "Samples" : "Starts", sample ? "sample" : "start",
                      account->costs, account->n_starts, account->best);
    show_warnings(out, account, m->n_clusters);
    for (size_t i = 0; i < account->n_kept; i++)
        cairn_report_hidden(out, account->kept[i] + 1.0, "assign.%zu", i + 1);
    cairn_draw_costs(out, swaps ? "Cost by swaps" : "Cost by moves of the medoids",
                     swaps ? "swaps" : "moves", "sum of distances to medoids", account->history,
                     account->n_history);
}

/* -- one row -- */

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
        cairn_report_cellf(out, "%zu", c + 1);
        cairn_report_cellf(out, "%zu", (size_t)m->numbers[c] + 1);
        cairn_report_cell_number(out, distances[c], 6, "distance.%zu", c + 1);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

void cairn_kmedoids_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    cairn_context *ctx = cairn_report_context(out);
    if (ctx) cairn_report_failed(out, explain_row(ctx, out, model, job, row));
}
