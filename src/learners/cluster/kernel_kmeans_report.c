/* SPDX-License-Identifier: MIT */
/* What kernel k-means shows: the clusters, the starts, and round by round how far every row is from
 * every cluster. */
#include "base/memory.h"
#include "learners/cluster/course_report.h"
#include "learners/cluster/kernel_kmeans.h"
#include "learners/kernel/kernel_method.h"
#include "report/document.h"
#include <stdio.h>

enum { SHOWN_ROWS = 50, SHOWN_CLUSTERS = 20 };

/* -- rounds -- */

void cairn_kernel_kmeans_show_start(cairn_report *out, const cairn_kernel_kmeans_run *run)
{
    if (!out) return;
    cairn_report_step_begin(out, "The first partition");
    cairn_report_table_of(out, "Clusters of the rows", SHOWN_ROWS, "rr", "row", "cluster");
    for (size_t i = 0; i < run->n && i <= SHOWN_ROWS; i++) {
        size_t number = cairn_view_row(run->view, i) + 1;
        cairn_report_cellf(out, "%zu", number);
        cairn_report_cell_number(out, run->codes[i] + 1.0, 0, "iteration0.assign.%zu", number);
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* Where row i is, how far it is from every cluster, and where it goes. */
static void show_row(cairn_report *out, const cairn_kernel_kmeans_run *run, size_t i, size_t number)
{
    size_t row = cairn_view_row(run->view, i) + 1;
    bool moves = run->codes[i] != run->before[i];
    if (moves) cairn_report_row_mark(out);
    cairn_report_cellf(out, "%zu", row);
    for (size_t c = 0; c < run->k && c < SHOWN_CLUSTERS; c++)
        cairn_report_cell_number(out, run->scores[i * run->k + c], 0,
                                 "iteration%zu.distance.%zu.%zu", number, row, c + 1);
    cairn_report_cellf(out, "%d", run->before[i] + 1);
    cairn_report_cell_number(out, run->codes[i] + 1.0, 0, "iteration%zu.assign.%zu", number, row);
    cairn_report_cell(out, moves ? "moves" : "");
}

static void show_rule(cairn_report *out, const cairn_kernel_kmeans_run *run, size_t number)
{
    if (run->mean)
        cairn_report_formula(out, "distance² to the mean of C = k(x,x) − 2/|C| Σ k(x,y) + 1/|C|² "
                                  "ΣΣ k(y,y')");
    else
        cairn_report_formula(out, "distance to C = 1/|C| Σ √(k(x,x) − 2 k(x,y) + k(y,y)), x among "
                                  "the members y of its own cluster");
    cairn_report_table_of(out, "Clusters before", SHOWN_CLUSTERS, "rr", "cluster", "size");
    if (run->mean) cairn_report_column(out, "1/|C|² ΣΣ k(y,y')", 'r');
    for (size_t c = 0; c < run->k; c++) {
        cairn_report_cellf(out, "%zu", c + 1);
        cairn_report_cell_number(out, run->sizes[c], 0, "iteration%zu.size.%zu", number, c + 1);
        if (run->mean)
            cairn_report_cell_number(out, run->constants[c], 0, "iteration%zu.length.%zu", number,
                                     c + 1);
    }
    cairn_report_table_end(out);
}

void cairn_kernel_kmeans_show_round(cairn_report *out, const cairn_kernel_kmeans_run *run,
                                    size_t number)
{
    if (!out) return;
    cairn_report_step_begin(out, "Iteration %zu: every row to the nearest cluster", number);
    show_rule(out, run, number);
    cairn_report_table_of(out, run->mean ? "Squared distances" : "Average distances", SHOWN_ROWS,
                          "r", "row");
    for (size_t c = 0; c < run->k && c < SHOWN_CLUSTERS; c++) {
        char head[40];
        snprintf(head, sizeof head, "to cluster %zu", c + 1);
        cairn_report_column(out, head, 'r');
    }
    cairn_report_columns(out, "rrl", "was in", "goes to", "");
    for (size_t i = 0; i < run->n && i < SHOWN_ROWS; i++) show_row(out, run, i, number);
    cairn_report_table_end(out);
    if (run->n > SHOWN_ROWS)
        cairn_report_paragraph(out, "and %zu more row%s", run->n - SHOWN_ROWS,
                               run->n - SHOWN_ROWS == 1 ? "" : "s");
    cairn_report_value(out, "cost of the partition before", run->cost, "iteration%zu.cost", number);
    cairn_report_value(out, "rows that move", (double)run->changes, "iteration%zu.changes", number);
    cairn_report_step_end(out);
}

/* -- the description -- */

static void show_outcome(cairn_report *out, const cairn_kernel_kmeans_model *m,
                         const cairn_kernel_kmeans_account *a)
{
    cairn_report_value(
        out, m->mean ? "cost (squared distances to the means)" : "cost (average distances)",
        a->cost, "cost");
    cairn_report_value(out, "rounds", (double)a->iterations, "iterations");
    cairn_report_word(out, "converged", a->converged ? "yes" : "no", "converged");
    if (!a->converged)
        cairn_report_note(out,
                          "Rows were still moving after %lld rounds%s; raise {max-iter} to let "
                          "them go on.",
                          (long long)a->iterations,
                          m->mean ? "" : ", perhaps in circles, as average distances allow");
}

static void show_clusters(cairn_report *out, const cairn_kernel_kmeans_model *m,
                          const cairn_kernel_kmeans_account *account)
{
    double weight = 0;
    for (size_t c = 0; c < m->n_clusters; c++) weight += m->sizes[c];
    cairn_report_table_of(out, "Clusters", 200, "rrr", "cluster", "size", "share");
    if (account) cairn_report_column(out, "cost", 'r');
    for (size_t c = 0; c < m->n_clusters; c++) {
        cairn_report_cellf(out, "%zu", c + 1);
        cairn_report_cell_number(out, m->sizes[c], 0, "cluster%zu.size", c + 1);
        cairn_report_cell_number(out, m->sizes[c] / weight, 3, NULL);
        if (account)
            cairn_report_cell_number(out, account->within[c], 0, "cluster%zu.within", c + 1);
    }
    cairn_report_table_end(out);
}

static void show_warnings(cairn_report *out, const cairn_kernel_kmeans_model *m,
                          const cairn_kernel_kmeans_account *a)
{
    size_t empty = 0;
    for (size_t c = 0; c < m->n_clusters; c++) empty += !(m->sizes[c] > 0);
    cairn_report_hidden(out, (double)empty, "empty");
    if (empty)
        cairn_report_note(out,
                          "%zu of the clusters %s no rows: there may be fewer different rows "
                          "than clusters.",
                          empty, empty == 1 ? "has" : "have");
    if (a->reseeded > 0)
        cairn_report_note(out,
                          "%lld time%s a cluster lost all its rows on the way ({empty} says what "
                          "happens then).",
                          (long long)a->reseeded, a->reseeded == 1 ? "" : "s");
    cairn_report_hidden(out, (double)a->tied, "tied");
    if (a->tied > 0)
        cairn_report_note(out, "%lld row%s as near to another cluster and stay%s.",
                          (long long)a->tied, a->tied == 1 ? " is" : "s are",
                          a->tied == 1 ? "s" : "");
}

void cairn_kernel_kmeans_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_kernel_kmeans_model *m = model;
    const cairn_kernel_kmeans_account *account = job->account;
    if (!out) return;
    SCOPED_SCRATCH(out->ctx);
    cairn_report_heading(out, 2, "Kernel k-means");
    cairn_kernel_show(out, &m->kernel, m->rows.n_terms);
    cairn_report_word(out, "rows go to the cluster of the least",
                      m->mean ? "distance to its mean" : "average distance to its members", "rule");
    if (account) show_outcome(out, m, account);
    show_clusters(out, m, account);
    cairn_report_value(out, "rows kept", (double)m->rows.n, "rows");
    if (!account) return;
    cairn_show_starts(out, "Starts", "start", account->costs, account->n_starts, account->best);
    show_warnings(out, m, account);
    for (size_t i = 0; i < account->n_kept; i++)
        cairn_report_hidden(out, account->kept[i] + 1.0, "assign.%zu", i + 1);
    cairn_draw_costs(out, "Cost by rounds", "rounds", "cost", account->history, account->n_history);
}
