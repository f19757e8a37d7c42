/* SPDX-License-Identifier: MIT */
/* Kernel k-means: k clusters in the space whose inner product the kernel is.
 *
 * Method:
 * 1. A first partition is drawn or given.
 * 2. Every row goes to the cluster that is nearest. average: the mean of its distances
 *    √(k(x,x) - 2 k(x,y) + k(y,y)) to the members y, itself among them, is least. mean: the squared
 *    distance to the mean of the members in that space, k(x,x) - 2/W Σ w k(x,y) + 1/W² ΣΣ w w'
 *    k(y,y'), is least: k-means, with the linear kernel.
 * 3. All rows at once; then 2 again, until no row changes its cluster or max-iter rounds were made.
 * 4. Several random starts are made and the one of the least cost is kept (the first of equal
 *    ones): the sum of what 2 compares, of every row and its own cluster.
 *
 * A row as near to several clusters, to a part in 1e12, stays in its own if that is one of them,
 * else it goes to the first. Only mean is sure to end; average may go in circles, which max-iter
 * ends. A squared distance below 0, which only a kernel that is none can have, counts as 0.
 *
 * Cost: n² kernel values for a first partition, then n for each row that moved; memory the rows and
 * n k numbers: kernel values are not kept. A new row is compared with all rows.
 *
 * Sources: Schölkopf, Smola and Müller, Nonlinear component analysis as a kernel eigenvalue problem
 * (1998); Dhillon, Guan and Kulis, Kernel k-means: spectral clustering and normalized cuts
 * (2004). */
#include "base/memory.h"
#include "base/random.h"
#include "kernels/kernels.h"
#include "kernels/linkage.h"
#include "learners/cluster/course_report.h"
#include "learners/cluster/given_clusters.h"
#include "learners/cluster/kernel_kmeans.h"
#include "learners/kernel/kernel_method.h"
#include "parallel/parallel.h"
#include "report/document.h"
#include "report/table_rows.h"
#include "rows/matrix.h"
#include "rows/used.h"
#include "stats/memberships.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Kernel k-means as a program: the nearest mean in the space of the kernel. What is compared,
 * k(x,x) - 2/W Σ w k(x,y) + c, is least where 2/W Σ w k(x,y) - c is largest: a kernel score. */

static cairn_status cairn_kernel_kmeans_lower(const void *model, const cairn_job *job,
                                              cairn_program *out)
{
    const cairn_kernel_kmeans_model *m = model;
    size_t k = m->n_clusters, n = m->rows.n;
    double *coefficients, *constants;
    int32_t first;
    (void)job;
    if (!m->mean)
        return cairn_program_refuse(out,
                                    "average distances to all rows are computed by Cairn only; %s "
                                    "compares with means",
                                    cairn_say(out->ctx, "{assign mean}"));
    CHECK(SCRATCH(out->ctx, &coefficients, cairn_product(k, n)));
    CHECK(SCRATCH(out->ctx, &constants, k));
    for (size_t c = 0; c < k; c++) constants[c] = m->sizes[c] > 0 ? -m->constants[c] : -DBL_MAX;
    for (size_t i = 0; i < n; i++)
        coefficients[(size_t)m->codes[i] * n + i] = 2 * m->weights[i] / m->sizes[m->codes[i]];
    CHECK(cairn_kernel_lower(out, &m->kernel, &m->rows, coefficients, k, constants, &first));
    return cairn_lower_largest(out, first, k, &out->answer.code);
}

/* What kernel k-means shows: the clusters, the starts, and round by round how far every row is from
 * every cluster. */

enum { SHOWN_ROWS = 50, SHOWN_CLUSTERS = 20 };

/* -- rounds -- */

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

static void cairn_kernel_kmeans_show_round(cairn_report *out, const cairn_kernel_kmeans_run *run,
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
                         const cairn_kernel_kmeans_history *a)
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
                          const cairn_kernel_kmeans_history *history)
{
    double weight = 0;
    for (size_t c = 0; c < m->n_clusters; c++) weight += m->sizes[c];
    cairn_report_table_of(out, "Clusters", 200, "rrr", "cluster", "size", "share");
    if (history) cairn_report_column(out, "cost", 'r');
    for (size_t c = 0; c < m->n_clusters; c++) {
        cairn_report_cells(out, "- cluster$1.size -:3", c + 1, m->sizes[c], m->sizes[c] / weight);
        if (history)
            cairn_report_cell_number(out, history->within[c], 0, "cluster%zu.within", c + 1);
    }
    cairn_report_table_end(out);
}

/* Empty clusters, clusters lost on the way and ties: each is told only where it occurs. */
static void show_warnings(cairn_report *out, const cairn_kernel_kmeans_model *m,
                          const cairn_kernel_kmeans_history *a)
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

/* The scores and where the rows go; `number` is that of the round, from 1. */
static void cairn_kernel_kmeans_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_kernel_kmeans_model *m = model;
    const cairn_kernel_kmeans_history *history = job->history;
    if (!out) return;
    SCOPED_SCRATCH(out->ctx);
    cairn_report_heading(out, 2, "Kernel k-means");
    cairn_kernel_show(out, &m->kernel, m->rows.n_terms);
    cairn_report_word(out, "rows go to the cluster of the least",
                      m->mean ? "distance to its mean" : "average distance to its members", "rule");
    if (history) show_outcome(out, m, history);
    show_clusters(out, m, history);
    cairn_report_value(out, "rows kept", (double)m->rows.n, "rows");
    if (!history) return;
    cairn_show_starts(out, "Starts", "start", history->costs, history->n_starts, history->best);
    show_warnings(out, m, history);
    for (size_t i = 0; i < history->n_kept; i++)
        cairn_report_hidden(out, history->kept[i] + 1.0, "assign.%zu", i + 1);
    cairn_draw_costs(out, "Cost by rounds", "rounds", "cost", history->values, history->n_values);
}

/* The rounds of kernel k-means: sums of a partition, scores, the next partition. */

enum { MOVED_SHARE = 4 }; /* sums are mended when fewer than one row in so many moved */

static cairn_status cairn_kernel_kmeans_run_make(cairn_context *ctx, cairn_kernel_kmeans_run *run)
{
    size_t n = run->n, k = run->k;
    CHECK(SCRATCH_RAW_EACH(ctx, n, &run->codes, &run->before, &run->summed));
    CHECK(SCRATCH_RAW_EACH(ctx, cairn_product(n, k), &run->sums, &run->scores));
    CHECK(SCRATCH_EACH(ctx, k, &run->sizes, &run->constants));
    return SCRATCH(ctx, &run->values, CAIRN_KERNEL_HISTORY);
}

/* -- measuring -- */

static cairn_cluster_sums sums_of(const cairn_kernel_kmeans_run *run)
{
    return (cairn_cluster_sums){.kernel = run->kernel,
                                .asked = run->rows,
                                .asked_diagonal = run->diagonal,
                                .members = run->rows,
                                .diagonal = run->diagonal,
                                .codes = run->codes,
                                .weights = run->weights,
                                .k = run->k,
                                .distances = !run->mean};
}

/* Only rows that moved change the sums: they are put together and compared with all. */
static cairn_status sum_moved(cairn_context *ctx, cairn_kernel_kmeans_run *run, size_t n_moved)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_kernel_rows_clear) cairn_kernel_rows part = {0};
    cairn_cluster_sums c = sums_of(run);
    uint32_t *which;
    int32_t *codes, *less;
    double *weights, *diagonal;
    size_t at = 0;
    CHECK(SCRATCH_RAW_EACH(ctx, n_moved, &which, &codes, &less, &weights, &diagonal));
    for (size_t i = 0; i < run->n; i++) {
        if (run->codes[i] == run->summed[i]) continue;
        which[at] = (uint32_t)i;
        codes[at] = run->codes[i];
        less[at] = run->summed[i];
        weights[at] = run->weights[i];
        diagonal[at++] = run->diagonal[i];
    }
    CHECK(cairn_kernel_rows_keep(ctx, &part, run->rows, which, n_moved));
    c.members = &part;
    c.codes = codes;
    c.less = less;
    c.weights = weights;
    c.diagonal = diagonal;
    return cairn_cluster_sums_add(ctx, &c, run->view, run->sums);
}

/* Sums, sizes, constants, scores and cost of the partition. With `fresh`, from nothing. */
static cairn_status cairn_kernel_kmeans_measure(cairn_context *ctx, cairn_kernel_kmeans_run *run,
                                                bool fresh)
{
    size_t moved = 0;
    for (size_t i = 0; i < run->n; i++) moved += run->codes[i] != run->summed[i];
    if (fresh || moved > run->n / MOVED_SHARE) {
        /* The sums again from nothing. */
        cairn_cluster_sums c = sums_of(run);
        memset(run->sums, 0, run->n * run->k * sizeof *run->sums);
        CHECK(cairn_cluster_sums_add(ctx, &c, run->view, run->sums));
    } else if (moved)
        CHECK(sum_moved(ctx, run, moved));
    memcpy(run->summed, run->codes, run->n * sizeof *run->codes);
    /* Sizes, the means' squared lengths, and every row's scores with the cost of the partition. */
    size_t n = run->n, k = run->k;
    memset(run->sizes, 0, k * sizeof *run->sizes);
    memset(run->constants, 0, k * sizeof *run->constants);
    for (size_t i = 0; i < n; i++) {
        run->sizes[run->codes[i]] += run->weights[i];
        run->constants[run->codes[i]] += run->weights[i] * run->sums[i * k + (size_t)run->codes[i]];
    }
    for (size_t c = 0; c < k; c++)
        run->constants[c] =
            run->sizes[c] > 0 ? run->constants[c] / run->sizes[c] / run->sizes[c] : 0;
    run->cost = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < k; c++)
            run->scores[i * k + c] =
                cairn_cluster_score(run->sums[i * k + c], run->sizes[c], run->diagonal[i],
                                    run->mean ? &run->constants[c] : NULL);
        run->cost += run->weights[i] * run->scores[i * k + (size_t)run->codes[i]];
    }
    return CAIRN_OK;
}

/* -- the next partition -- */

/* Whether two scores of row i differ by no more than rounding. */
static bool is_tie(const cairn_kernel_kmeans_run *run, size_t i, double a, double b)
{
    double size = run->mean ? fabs(run->diagonal[i]) + fabs(a) : fabs(a);
    return fabs(a - b) <= 1e-12 * size;
}

/* Rows as near to another cluster as to their own. */
static size_t cairn_kernel_kmeans_ties(const cairn_kernel_kmeans_run *run)
{
    size_t ties = 0;
    for (size_t i = 0; i < run->n; i++) {
        const double *scores = run->scores + i * run->k, own = scores[run->codes[i]];
        bool tied = false;
        for (size_t c = 0; c < run->k; c++)
            tied |= (int32_t)c != run->codes[i] && is_tie(run, i, own, scores[c]);
        ties += tied;
    }
    return ties;
}

/* A cluster without rows gets the row that is farthest from its own, of those that are not alone;
 * where all are on theirs, it stays empty. */
static cairn_status fill_empty(cairn_context *ctx, cairn_kernel_kmeans_run *run)
{
    SCOPED_SCRATCH(ctx);
    size_t *rows;
    CHECK(SCRATCH(ctx, &rows, run->k));
    for (size_t i = 0; i < run->n; i++) rows[run->codes[i]]++;
    for (size_t c = 0; c < run->k; c++) {
        size_t far = run->n;
        double most = 0;
        if (rows[c]) continue;
        for (size_t i = 0; i < run->n; i++) {
            double score = run->scores[i * run->k + (size_t)run->codes[i]];
            if (rows[run->codes[i]] < 2 || !(score > most) || isinf(score)) continue;
            most = score;
            far = i;
        }
        if (far == run->n) break;
        rows[run->codes[far]]--;
        rows[c]++;
        run->codes[far] = (int32_t)c;
        run->reseeded++;
    }
    return CAIRN_OK;
}

static cairn_status next_partition(cairn_context *ctx, cairn_kernel_kmeans_run *run)
{
    const cairn_kernel_kmeans_params *p = run->job->params;
    memcpy(run->before, run->codes, run->n * sizeof *run->codes);
    for (size_t i = 0; i < run->n; i++) {
        /* The nearest cluster: its own where that is one of them, else the first. */
        const double *scores = run->scores + i * run->k;
        size_t best = 0, own = (size_t)run->codes[i];
        for (size_t c = 1; c < run->k; c++)
            if (scores[c] < scores[best] && !is_tie(run, i, scores[best], scores[c])) best = c;
        run->codes[i] = (int32_t)(is_tie(run, i, scores[best], scores[own]) ? own : best);
    }
    if (p->empty == CAIRN_KERNEL_RESEED) CHECK(fill_empty(ctx, run));
    run->changes = 0;
    for (size_t i = 0; i < run->n; i++) run->changes += run->codes[i] != run->before[i];
    return CAIRN_OK;
}

/* -- first partitions -- */

/* Groups drawn at random; one row of each first, so that none is empty. */
static cairn_status start_random(cairn_context *ctx, cairn_kernel_kmeans_run *run,
                                 cairn_random *random)
{
    SCOPED_SCRATCH(ctx);
    size_t *order;
    CHECK(SCRATCH_RAW(ctx, &order, run->n));
    for (size_t i = 0; i < run->n; i++) order[i] = i;
    cairn_random_shuffle(random, order, run->n);
    for (size_t i = 0; i < run->n; i++)
        run->codes[order[i]] = (int32_t)(i < run->k ? i : cairn_random_below(random, run->k));
    return CAIRN_OK;
}

/* A row drawn with a chance proportional to its weight times its squared distance `far`. */
static size_t draw_far(const cairn_kernel_kmeans_run *run, const double *far, cairn_random *random)
{
    double total = 0;
    size_t last = 0;
    for (size_t i = 0; i < run->n; i++) total += run->weights[i] * far[i];
    if (!(total > 0)) return cairn_random_below(random, run->n);
    double at = cairn_random_uniform(random) * total;
    for (size_t i = 0; i < run->n; i++) {
        double share = run->weights[i] * far[i];
        if (!(share > 0)) continue;
        last = i;
        if (at < share) return i;
        at -= share;
    }
    return last;
}

/* Rows far from one another in the space of the kernel, and every row to the nearest of them. */
static cairn_status start_plusplus(cairn_context *ctx, cairn_kernel_kmeans_run *run,
                                   cairn_random *random)
{
    SCOPED_SCRATCH(ctx);
    double *far, *line;
    CHECK(SCRATCH_RAW_EACH(ctx, run->n, &far, &line));
    for (size_t i = 0; i < run->n; i++) far[i] = 1;
    for (size_t c = 0; c < run->k; c++) {
        uint32_t row = (uint32_t)draw_far(run, far, random);
        CHECK(cairn_kernel_block(ctx, run->kernel, run->rows, &row, 1, run->rows, 0, run->n, line,
                                 run->n));
        for (size_t i = 0; i < run->n; i++) {
            double square = fmax(0, run->diagonal[i] - 2 * line[i] + run->diagonal[row]);
            if (c && !(square < far[i])) continue;
            far[i] = square;
            run->codes[i] = (int32_t)c;
        }
    }
    return CAIRN_OK;
}

/* A given partition must name rows for every cluster; otherwise the number of the start decides
 * the random numbers, so that starts do not depend on each other. */
static cairn_status first_partition(cairn_context *ctx, cairn_kernel_kmeans_run *run, size_t start)
{
    const cairn_kernel_kmeans_params *p = run->job->params;
    cairn_random random;
    cairn_random_start(&random, cairn_context_seed(ctx), start);
    if (!p->given)
        return (p->init == CAIRN_KERNEL_RANDOM ? start_random : start_plusplus)(ctx, run, &random);
    SCOPED_SCRATCH(ctx);
    int32_t *groups;
    CHECK(cairn_given_used(ctx, &groups, run->job->view, run->k, p->given));
    memcpy(run->codes, groups, run->n * sizeof *groups);
    for (size_t c = 0; c < run->k; c++) {
        bool found = false;
        for (size_t i = 0; i < run->n; i++) found |= groups[i] == (int32_t)c;
        if (!found)
            return cairn_fail(ctx, CAIRN_BAD_DATA, "{given} puts no row in cluster %zu", c + 1);
    }
    return CAIRN_OK;
}

/* Sums that were mended are made anew before the end, so that rounding decides nothing. */
static cairn_status cairn_kernel_kmeans_go(cairn_context *ctx, cairn_kernel_kmeans_run *run,
                                           size_t start, cairn_report *steps)
{
    const cairn_kernel_kmeans_params *p = run->job->params;
    bool fresh = true;
    run->iterations = run->reseeded = run->n_values = 0;
    run->converged = false;
    CHECK(first_partition(ctx, run, start));
    if (steps) {
        cairn_report_step_begin(steps, "The first partition");
        cairn_report_table_of(steps, "Clusters of the rows", SHOWN_ROWS, "rr", "row", "cluster");
        for (size_t i = 0; i < run->n && i <= SHOWN_ROWS; i++) {
            size_t number = cairn_view_row(run->view, i) + 1;
            cairn_report_cells(steps, "- iteration0.assign.$1", number, run->codes[i] + 1.0);
        }
        cairn_report_table_end(steps);
        cairn_report_step_end(steps);
    }
    CHECK(cairn_kernel_kmeans_measure(ctx, run, true));
    while (!run->converged && run->iterations < (size_t)p->max_iter) {
        if (run->n_values < CAIRN_KERNEL_HISTORY) run->values[run->n_values++] = run->cost;
        CHECK(next_partition(ctx, run));
        if (run->changes == 0 && !fresh) {
            CHECK(cairn_kernel_kmeans_measure(ctx, run, true));
            fresh = true;
            CHECK(next_partition(ctx, run));
        }
        run->iterations++;
        run->converged = run->changes == 0;
        cairn_kernel_kmeans_show_round(steps, run, run->iterations);
        if (run->converged) break;
        fresh = run->changes > run->n / MOVED_SHARE;
        CHECK(cairn_kernel_kmeans_measure(ctx, run, false));
        CHECK(cairn_tick(ctx, "kernel k-means", (double)run->iterations, (double)p->max_iter));
    }
    return fresh ? CAIRN_OK : cairn_kernel_kmeans_measure(ctx, run, true);
}

/* Sums over the members of clusters, of kernels or of distances: kernel values are made in tiles
 * and never all of them at once. */

enum { SUMS_ASKED = 64, MEMBERS = 512 };

typedef struct sum_work {
    const cairn_cluster_sums *c;
    double *sums;
    size_t buffer; /* numbers of a worker */
    double *buffers;
} sum_work;

/* Kernels of one row with some members to distances, in place. */
static void to_distances(const cairn_cluster_sums *c, double *values, double own, size_t first,
                         size_t n)
{
    for (size_t j = 0; j < n; j++) {
        double square = own - 2 * values[j] + c->diagonal[first + j];
        values[j] = square > 0 ? square : 0;
    }
    cairn_square_roots(values, n);
}

/* Members of a cluster lie together, so that they are added up by vectors. */
static void add_row(const cairn_cluster_sums *c, const double *values, size_t first, size_t n,
                    double *sums)
{
    const int32_t *codes = c->codes + first, *less = c->less ? c->less + first : NULL;
    for (size_t j = 0, end; j < n; j = end) {
        for (end = j + 1; end < n && codes[end] == codes[j] && (!less || less[end] == less[j]);)
            end++;
        double sum = cairn_dot(c->weights + first + j, values + j, end - j);
        if (codes[j] >= 0) sums[codes[j]] += sum;
        if (less && less[j] >= 0) sums[less[j]] -= sum;
    }
}

static void sum_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const sum_work *w = data;
    const cairn_cluster_sums *c = w->c;
    double *values = w->buffers + (size_t)worker * w->buffer,
           *buffer = values + SUMS_ASKED * MEMBERS;
    uint32_t which[SUMS_ASKED];
    (void)block;
    for (size_t i = begin; i < end; i++) which[i - begin] = (uint32_t)i;
    for (size_t first = 0; first < c->members->n; first += MEMBERS) {
        size_t n = c->members->n - first < MEMBERS ? c->members->n - first : MEMBERS;
        cairn_kernel_block_alone(c->kernel, c->asked, which, end - begin, c->members, first, n,
                                 values, MEMBERS, buffer);
        for (size_t i = begin; i < end; i++) {
            double *line = values + (i - begin) * MEMBERS;
            if (c->distances) to_distances(c, line, c->asked_diagonal[i], first, n);
            add_row(c, line, first, n, w->sums + i * c->k);
        }
    }
}

/* Which pair of clusters a member is added to and taken from, as one number. */
static size_t group_of(const cairn_cluster_sums *c, size_t i)
{
    size_t to = (size_t)(c->codes[i] + 1), from = c->less ? (size_t)(c->less[i] + 1) : 0;
    return to * (c->less ? c->k + 1 : 1) + from;
}

/* The members' places in the order of their groups, each group in its own order. */
static cairn_status order_members(cairn_context *ctx, const cairn_cluster_sums *c, uint32_t *order)
{
    size_t n = c->members->n, n_groups = (c->k + 1) * (c->less ? c->k + 1 : 1), *starts;
    CHECK(SCRATCH(ctx, &starts, n_groups + 1));
    for (size_t i = 0; i < n; i++) starts[group_of(c, i) + 1]++;
    for (size_t g = 0; g < n_groups; g++) starts[g + 1] += starts[g];
    for (size_t i = 0; i < n; i++) order[starts[group_of(c, i)]++] = (uint32_t)i;
    return CAIRN_OK;
}

/* The members in that order, with what belongs to them; *part owns their rows, the rest is
 * scratch. */
static cairn_status gather_members(cairn_context *ctx, cairn_cluster_sums *c,
                                   cairn_kernel_rows *part)
{
    size_t n = c->members->n;
    uint32_t *order;
    int32_t *codes, *less;
    double *weights, *diagonal;
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &order, &codes, &less, &weights, &diagonal));
    CHECK(order_members(ctx, c, order));
    for (size_t i = 0; i < n; i++) {
        codes[i] = c->codes[order[i]];
        less[i] = c->less ? c->less[order[i]] : -1;
        weights[i] = c->weights[order[i]];
        diagonal[i] = c->diagonal[order[i]];
    }
    CHECK(cairn_kernel_rows_keep(ctx, part, c->members, order, n));
    c->members = part;
    c->codes = codes;
    c->less = c->less ? less : NULL;
    c->weights = weights;
    c->diagonal = diagonal;
    return CAIRN_OK;
}

cairn_status cairn_cluster_sums_add(cairn_context *ctx, const cairn_cluster_sums *given,
                                    const cairn_view *view, double *sums)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_kernel_rows_clear) cairn_kernel_rows part = {0};
    cairn_cluster_sums c = *given;
    sum_work w = {.c = &c, .sums = sums};
    size_t n = c.asked->n;
    CHECK(gather_members(ctx, &c, &part));
    w.buffer = SUMS_ASKED * MEMBERS +
               cairn_kernel_buffer(c.kernel, c.asked, SUMS_ASKED, c.members, MEMBERS);
    CHECK(SCRATCH_RAW(ctx, &w.buffers, cairn_product((size_t)cairn_workers(ctx), w.buffer)));
    CHECK(cairn_blocks_sized(ctx, n, SUMS_ASKED, 10.0 * (double)n * (double)c.members->n, sum_block,
                             &w));
    for (size_t i = 0; i < n * c.k; i++)
        if (!isfinite(sums[i]))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the kernel overflows for row %zu; rescale the columns, or take a "
                              "lower {degree} or a smaller {factor}",
                              cairn_view_row(view, i / c.k) + 1);
    return CAIRN_OK;
}

double cairn_cluster_score(double sum, double size, double own, const double *constant)
{
    if (!(size > 0)) return INFINITY;
    return constant ? own - 2 * sum / size + *constant : sum / size;
}

enum { ASKED = 4096 };

static const cairn_choice rules[] = {
    {"average", CAIRN_KERNEL_AVERAGE, "the average distance to the members, itself among them"},
    {"mean", CAIRN_KERNEL_MEAN, "the distance to the mean of the members in the kernel's space"},
    {0},
};
static const cairn_choice inits[] = {
    {"random", CAIRN_KERNEL_RANDOM, "random groups"},
    {"plusplus", CAIRN_KERNEL_PLUSPLUS,
     "rows far from one another, and every row to the nearest of them"},
    {0},
};
static const cairn_choice empties[] = {
    {"reseed", CAIRN_KERNEL_RESEED, "it gets the row that is farthest from its own cluster"},
    {"drop", CAIRN_KERNEL_DROP, "there is one cluster less"},
    {0},
};

static const cairn_param kernel_kmeans_params[] = {
    CAIRN_PARAM(cairn_kernel_kmeans_params, clusters, NULL, "[1,inf)", "number of clusters",
                .often = true),
    CAIRN_PARAM_CHOICE(cairn_kernel_kmeans_params, assign, "average", rules,
                       "what is least of the cluster that a row goes to", .often = true),
    CAIRN_PARAM_CHOICE(cairn_kernel_kmeans_params, init, "random", inits, "the first partition",
                       .when = "!given"),
    CAIRN_PARAM_AS(cairn_kernel_kmeans_params, given, CAIRN_TYPE_LIST, NULL,
                   "cluster numbers of all rows: start from this partition", .often = true),
    CAIRN_PARAM(cairn_kernel_kmeans_params, starts, "10", "[1,10000]",
                "random starts, the best is kept", .when = "!given", .often = true),
    CAIRN_PARAM(cairn_kernel_kmeans_params, max_iter, "300", "[0,inf)", "most rounds of a start"),
    CAIRN_PARAM_CHOICE(cairn_kernel_kmeans_params, empty, "reseed", empties,
                       "what happens to a cluster that has lost all its rows"),
    CAIRN_KERNEL(cairn_kernel_kmeans_params),
    CAIRN_PARAM_END,
};

/* -- fitting -- */

static cairn_status check_clusters(cairn_context *ctx, const cairn_kernel_kmeans_params *p,
                                   const cairn_view *view)
{
    size_t n = view->rows.n, k = (size_t)p->clusters;
    if (k > n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%zu clusters cannot be made of %zu row%s; {clusters} must be at most "
                          "%zu here",
                          k, n, n == 1 ? "" : "s", n);
    return cairn_memory_check(ctx, 16.0 * (double)n * (double)(k + view->n_features + 4),
                              "kernel k-means",
                              cairn_say(ctx, "use fewer rows or clusters, or raise {memory}"));
}

static cairn_status open_rows(cairn_context *ctx, cairn_kernel_kmeans_model *m,
                              const cairn_job *job, cairn_view *view)
{
    const cairn_kernel_kmeans_params *p = job->params;
    size_t n_dense, n_terms;
    cairn_terms_count(job->schema, &n_dense, &n_terms);
    CHECK(cairn_view_used(ctx, view, job->view));
    CHECK(check_clusters(ctx, p, view));
    size_t n = view->rows.n;
    m->mean = p->assign == CAIRN_KERNEL_MEAN;
    m->kernel = cairn_kernel_of(&p->kernel, n_terms);
    CHECK(cairn_kernel_rows_open(ctx, &m->rows, &m->kernel, view, &(cairn_kernel_options){0}));
    CHECK(NEW_RAW_EACH(ctx, n, &m->weights, &m->diagonal));
    cairn_view_weights(view, 0, n, m->weights);
    return cairn_kernel_diagonal(ctx, &m->kernel, &m->rows, m->diagonal);
}

/* All starts; the run ends with the best one, which is gone through again to be shown. */
static cairn_status run_starts(cairn_context *ctx, cairn_kernel_kmeans_run *run,
                               cairn_kernel_kmeans_history *history)
{
    const cairn_kernel_kmeans_params *p = run->job->params;
    cairn_report *steps = run->job->steps;
    int32_t *best;
    double least = INFINITY;
    history->n_starts = p->given || run->k == 1 ? 1 : (size_t)p->starts;
    CHECK(NEW(ctx, &history->costs, history->n_starts));
    CHECK(NEW(ctx, &history->values, CAIRN_KERNEL_HISTORY));
    CHECK(SCRATCH_RAW(ctx, &best, run->n));
    for (size_t s = 0; s < history->n_starts; s++) {
        CHECK(cairn_kernel_kmeans_go(ctx, run, s, history->n_starts == 1 ? steps : NULL));
        history->costs[s] = run->cost;
        if (!(run->cost < least)) continue;
        least = run->cost;
        history->best = (int32_t)s;
        history->iterations = (int64_t)run->iterations;
        history->converged = run->converged;
        history->reseeded = (int64_t)run->reseeded;
        history->n_values = run->n_values;
        memcpy(history->values, run->values, run->n_values * sizeof *run->values);
        memcpy(best, run->codes, run->n * sizeof *best);
    }
    if (history->n_starts == 1) return CAIRN_OK;
    if (steps) return cairn_kernel_kmeans_go(ctx, run, (size_t)history->best, steps);
    memcpy(run->codes, best, run->n * sizeof *best);
    return cairn_kernel_kmeans_measure(ctx, run, true);
}

/* Clusters without rows are taken out, or kept with a size of 0. */
static cairn_status keep_partition(cairn_context *ctx, cairn_kernel_kmeans_model *m,
                                   const cairn_kernel_kmeans_run *run, double **within)
{
    const cairn_kernel_kmeans_params *p = run->job->params;
    bool drop = p->empty == CAIRN_KERNEL_DROP;
    int32_t *numbers;
    size_t k = 0;
    CHECK(SCRATCH(ctx, &numbers, run->k));
    CHECK(NEW_EACH(ctx, run->k, &m->sizes, &m->constants, within));
    CHECK(NEW_RAW(ctx, &m->codes, run->n));
    for (size_t c = 0; c < run->k; c++) {
        if (drop && !(run->sizes[c] > 0)) continue;
        m->sizes[k] = run->sizes[c];
        m->constants[k] = run->constants[c];
        numbers[c] = (int32_t)k++;
    }
    m->n_clusters = k;
    for (size_t i = 0; i < run->n; i++) {
        size_t own = (size_t)run->codes[i];
        m->codes[i] = numbers[own];
        (*within)[numbers[own]] += run->weights[i] * run->scores[i * run->k + own];
    }
    return CAIRN_OK;
}

/* Every row of the job's view that has weight; the others have no cluster of their own. */
static void label_rows(const cairn_job *job, const cairn_kernel_kmeans_model *m)
{
    size_t at = 0;
    for (size_t i = 0; job->fitted && i < job->view->rows.n; i++)
        if (cairn_view_weight(job->view, i) > 0) job->fitted[i] = m->codes[at++];
}

static cairn_status show_gram(cairn_context *ctx, const cairn_kernel_kmeans_model *m,
                              cairn_report *steps)
{
    enum { SHOWN = 12 };
    SCOPED_SCRATCH(ctx);
    double *gram;
    size_t n = m->rows.n;
    if (!steps || n > SHOWN) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &gram, n * n));
    CHECK(cairn_kernel_gram(ctx, &m->kernel, &m->rows, false, gram));
    cairn_kernel_show_gram(steps, &m->kernel, gram, n, false);
    return CAIRN_OK;
}

static const cairn_kept history_keeps[] = {
    KEEP_ARRAYS(cairn_kernel_kmeans_history, "n_clusters", within),
    KEEP(cairn_kernel_kmeans_history, cost, iterations, converged, reseeded, tied),
    KEEP_SIZE(cairn_kernel_kmeans_history, n_starts, 1 << 20),
    KEEP_ARRAYS(cairn_kernel_kmeans_history, "n_starts", costs),
    KEEP(cairn_kernel_kmeans_history, best),
    KEEP_SIZE(cairn_kernel_kmeans_history, n_values, CAIRN_KERNEL_HISTORY, .name = "n_history"),
    KEEP_ARRAY(cairn_kernel_kmeans_history, values, "n_values", .name = "history"),
    KEEP_SIZE(cairn_kernel_kmeans_history, n_kept, CAIRN_KERNEL_KEPT),
    KEEP_ARRAYS(cairn_kernel_kmeans_history, "n_kept", kept),
    KEEP_END,
};

static cairn_status kernel_kmeans_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const cairn_kernel_kmeans_params *p = job->params;
    cairn_kernel_kmeans_model *m = model;
    cairn_kernel_kmeans_history own = {0};
    SCOPED_KEPT(history_keeps, &own);
    cairn_kernel_kmeans_history *history = job->history ? job->history : &own;
    cairn_view view;
    CHECK(open_rows(ctx, m, job, &view));
    CHECK(show_gram(ctx, m, job->steps));
    cairn_kernel_kmeans_run run = {
        .job = job,
        .view = &view,
        .kernel = &m->kernel,
        .rows = &m->rows,
        .n = m->rows.n,
        .k = (size_t)p->clusters,
        .mean = m->mean,
        .weights = m->weights,
        .diagonal = m->diagonal,
    };
    CHECK(cairn_kernel_kmeans_run_make(ctx, &run));
    CHECK(run_starts(ctx, &run, history));
    CHECK(cairn_kernel_kmeans_prove(ctx, job->certificate, &run, history->converged));
    CHECK(keep_partition(ctx, m, &run, &history->within));
    history->cost = run.cost;
    history->tied = (int64_t)cairn_kernel_kmeans_ties(&run);
    history->n_kept = job->view->rows.n == run.n && run.n <= CAIRN_KERNEL_KEPT ? run.n : 0;
    CHECK(NEW(ctx, &history->kept, history->n_kept));
    memcpy(history->kept, m->codes, history->n_kept * sizeof *history->kept);
    label_rows(job, m);
    return CAIRN_OK;
}

/* -- predicting -- */

/* Scores of some rows (n x k), which `part` holds. */
static cairn_status score_part(cairn_context *ctx, const cairn_kernel_kmeans_model *m,
                               const cairn_view *part, double *scores)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_kernel_rows_clear) cairn_kernel_rows asked = {0};
    cairn_kernel kernel = m->kernel;
    size_t n = part->rows.n, k = m->n_clusters;
    double *own;
    CHECK(cairn_kernel_rows_open(ctx, &asked, &kernel, part,
                                 &(cairn_kernel_options){.like = &m->rows}));
    CHECK(SCRATCH(ctx, &own, n + 1));
    if (asked.layout != CAIRN_KERNEL_VALUES)
        CHECK(cairn_kernel_diagonal(ctx, &kernel, &asked, own));
    else if (!m->mean)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the average distance of a new row to a cluster needs its kernel with "
                          "itself, which a matrix of kernels with the training rows has not; fit "
                          "with {assign mean}");
    cairn_cluster_sums c = {.kernel = &kernel,
                            .asked = &asked,
                            .asked_diagonal = own,
                            .members = &m->rows,
                            .diagonal = m->diagonal,
                            .codes = m->codes,
                            .weights = m->weights,
                            .k = k,
                            .distances = !m->mean};
    memset(scores, 0, n * k * sizeof *scores);
    CHECK(cairn_cluster_sums_add(ctx, &c, part, scores));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++)
            scores[i * k + j] = cairn_cluster_score(scores[i * k + j], m->sizes[j], own[i],
                                                    m->mean ? &m->constants[j] : NULL);
    return CAIRN_OK;
}

/* The first of the nearest clusters. */
static size_t nearest_of(const double *scores, size_t k)
{
    size_t best = 0;
    for (size_t c = 1; c < k; c++)
        if (scores[c] < scores[best] && scores[best] - scores[c] > 1e-12 * fabs(scores[best]))
            best = c;
    return best;
}

/* Memberships by the squared distances, which are not known of new rows of a given matrix. */
static void member_row(double *out, const double *scores, const cairn_kernel_kmeans_model *m)
{
    bool known = m->rows.layout != CAIRN_KERNEL_VALUES;
    for (size_t c = 0; c < m->n_clusters; c++)
        out[c] = !known ? NAN : m->mean ? fmax(scores[c], 0) : scores[c] * scores[c];
    cairn_memberships_fuzzy(out, out, m->n_clusters, 2);
}

/* Of new rows of a given matrix no distance is known: their own kernel value is not in it. */
static cairn_status kernel_kmeans_predict(cairn_context *ctx, cairn_prediction *out,
                                          const void *model, const cairn_job *job)
{
    const cairn_kernel_kmeans_model *m = model;
    size_t n = job->view->rows.n, k = m->n_clusters;
    double *scores, *distance;
    uint32_t *rows;
    CHECK(SCRATCH_RAW(ctx, &scores, cairn_product(ASKED, k)));
    CHECK(SCRATCH_RAW(ctx, &rows, ASKED));
    CHECK(SCRATCH_RAW(ctx, &distance, n + 1));
    for (size_t first = 0; first < n; first += ASKED) {
        cairn_view part = *job->view;
        size_t some = n - first < ASKED ? n - first : ASKED;
        for (size_t i = 0; i < some; i++) rows[i] = (uint32_t)cairn_view_row(job->view, first + i);
        part.rows = (cairn_rows){.indices = rows, .n = some};
        CHECK(score_part(ctx, m, &part, scores));
        for (size_t i = 0; i < some; i++) {
            size_t best = nearest_of(scores + i * k, k);
            double score = scores[i * k + best];
            if (out->codes) out->codes[first + i] = (int32_t)best;
            if (out->scores) member_row(out->scores + (first + i) * k, scores + i * k, m);
            distance[first + i] = m->mean ? sqrt(score > 0 ? score : 0) : score;
        }
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    out->codes_set = true;
    out->n_classes = k;
    if (!out->extra) return CAIRN_OK;
    if (m->rows.layout == CAIRN_KERNEL_VALUES)
        for (size_t i = 0; i < n; i++) distance[i] = NAN;
    return cairn_table_put_numbers(ctx, out->extra, "distance", distance);
}

/* Marks the cluster that prediction gives: both take the first among the nearest. */
static cairn_status explain_row(cairn_context *ctx, cairn_report *out,
                                const cairn_kernel_kmeans_model *m, const cairn_job *job,
                                size_t row)
{
    SCOPED_SCRATCH(ctx);
    cairn_view part = *job->view;
    uint32_t number = (uint32_t)cairn_view_row(job->view, row);
    double *scores;
    part.rows = (cairn_rows){.indices = &number, .n = 1};
    CHECK(SCRATCH_RAW(ctx, &scores, m->n_clusters));
    CHECK(score_part(ctx, m, &part, scores));
    size_t best = nearest_of(scores, m->n_clusters);
    cairn_report_table_of(out,
                          m->mean ? "Squared distances to the means of the clusters"
                                  : "Average distances to the members of the clusters",
                          0, "rr", "cluster", "distance");
    for (size_t c = 0; c < m->n_clusters; c++) {
        if (c == best) cairn_report_row_mark(out);
        cairn_report_cells(out, "- distance.$1:6", c + 1, scores[c]);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}

static void kernel_kmeans_explain(cairn_report *out, const void *model, const cairn_job *job,
                                  size_t row)
{
    cairn_context *ctx = cairn_report_context(out);
    if (ctx) cairn_report_failed(out, explain_row(ctx, out, model, job, row));
}

/* -- the file -- */

static cairn_status archive_rows(cairn_archive *a, void *model, const void *around)
{
    cairn_kernel_kmeans_model *m = model;
    (void)around;
    CHECK(cairn_kernel_archive(a, &m->kernel));
    return cairn_kernel_rows_archive(a, &m->kernel, &m->rows);
}

static void clear_rows(void *model)
{
    cairn_kernel_rows_clear(&((cairn_kernel_kmeans_model *)model)->rows);
}

static const cairn_kept kernel_kmeans_keeps[] = {
    KEEP_BY(archive_rows, .clear = clear_rows),
    KEEP_COUNT(cairn_kernel_kmeans_model, rows.n),
    KEEP_SIZE(cairn_kernel_kmeans_model, n_clusters, INT32_MAX, .least = 1,
              .why = "there are no clusters"),
    KEEP(cairn_kernel_kmeans_model, mean),
    KEEP_CODES(cairn_kernel_kmeans_model, codes, "rows.n", 0, "n_clusters",
               "row # is in no cluster"),
    KEEP_ARRAYS(cairn_kernel_kmeans_model, "rows.n", weights, diagonal),
    KEEP_ARRAYS(cairn_kernel_kmeans_model, "n_clusters", sizes, constants),
    KEEP_END,
};

static const cairn_history kernel_kmeans_history = {
    .size = sizeof(cairn_kernel_kmeans_history),
    .keeps = history_keeps,
};

static cairn_status kernel_kmeans_check_model(cairn_archive *a, const void *model,
                                              const cairn_job *job)
{
    return cairn_kernel_rows_check(a, job, &((const cairn_kernel_kmeans_model *)model)->rows);
}

static size_t kernel_kmeans_clusters(const void *model)
{
    return ((const cairn_kernel_kmeans_model *)model)->n_clusters;
}

static unsigned kernel_kmeans_accepts(const void *params)
{
    return cairn_kernel_accepts(&((const cairn_kernel_kmeans_params *)params)->kernel);
}

static cairn_status kernel_kmeans_check(cairn_context *ctx, const void *values)
{
    return cairn_kernel_check(ctx, &((const cairn_kernel_kmeans_params *)values)->kernel);
}

static const cairn_output kernel_kmeans_outputs[] = {
    {"distance", "average distance to the cluster, or distance to its mean, in the kernel's space"},
    {0},
};

const cairn_learner cairn_kernel_kmeans = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "kernel-kmeans",
            .also = "kernel k-means, kernelised k-means",
            .title = "Kernel k-means clustering",
            .summary =
                "Puts the rows into k clusters in the space whose inner product the kernel is, so "
                "that clusters need not be round in the space of the columns. A row goes to the "
                "cluster with the smallest average distance to its members (itself included), or, "
                "with --assign mean, to the one whose mean in that space is nearest, which is "
                "k-means with the linear kernel. All rows are kept; new rows are assigned by the "
                "same rule; scores are memberships in proportion to 1 / d². Columns are "
                "standardised first unless --scale says otherwise; --as gram takes a matrix of "
                "kernel values.",
            .references = "Schölkopf, Smola and Müller, Nonlinear component analysis as a kernel "
                          "eigenvalue problem (1998); Dhillon, Guan and Kulis, Kernel k-means: "
                          "spectral clustering and normalized cuts (2004)",
            .example = "cairn fit kernel-kmeans @iris --ignore species --clusters 3 --gamma 0.5",
            .params = kernel_kmeans_params,
            .params_size = sizeof(cairn_kernel_kmeans_params),
            .check = kernel_kmeans_check,
        },
    .tasks = CAIRN_CLUSTER,
    .space = "clusters=2:6",
    .aims = "squared distances in the space of the kernel",
    .accepts = CAIRN_KERNEL_ACCEPTS,
    .accepts_with = kernel_kmeans_accepts,
    .traits = CAIRN_PREDICTIVE | CAIRN_UNSUPERVISED | CAIRN_GEOMETRIC | CAIRN_GROUPING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_kernel_kmeans_model),
    .tables = cairn_kernel_kmeans_tables,
    .gives_scores = true,
    .sets_codes = true,
    .labels_rows = true,
    .answers_slowly = true,
    .outputs = kernel_kmeans_outputs,
    .fit = kernel_kmeans_fit,
    .lower = cairn_kernel_kmeans_lower,
    .predict = kernel_kmeans_predict,
    .describe = cairn_kernel_kmeans_describe,
    .explain = kernel_kmeans_explain,
    .history = &kernel_kmeans_history,
    .keeps = kernel_kmeans_keeps,
    .parameters = "rows.n",
    .grows = true,
    .check = kernel_kmeans_check_model,
    .clusters = kernel_kmeans_clusters,
};
