/* SPDX-License-Identifier: MIT */
/* The rounds of kernel k-means: sums of a partition, scores, the next partition. */
#include "base/memory.h"
#include "base/random.h"
#include "learners/cluster/given_clusters.h"
#include "learners/cluster/kernel_kmeans.h"
#include <math.h>
#include <string.h>

enum { MOVED_SHARE = 4 }; /* sums are mended when fewer than one row in so many moved */

cairn_status cairn_kernel_kmeans_run_make(cairn_context *ctx, cairn_kernel_kmeans_run *run)
{
    size_t n = run->n, k = run->k;
    CHECK(SCRATCH_RAW_EACH(ctx, n, &run->codes, &run->before, &run->summed));
    CHECK(SCRATCH_RAW_EACH(ctx, cairn_product(n, k), &run->sums, &run->scores));
    CHECK(SCRATCH_EACH(ctx, k, &run->sizes, &run->constants));
    return SCRATCH(ctx, &run->history, CAIRN_KERNEL_HISTORY);
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

/* The sums again from nothing. */
static cairn_status sum_all(cairn_context *ctx, cairn_kernel_kmeans_run *run)
{
    cairn_cluster_sums c = sums_of(run);
    memset(run->sums, 0, run->n * run->k * sizeof *run->sums);
    return cairn_cluster_sums_add(ctx, &c, run->view, run->sums);
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

/* Sizes, the means' squared lengths, and every row's scores with the cost of the partition. */
static void score_rows(cairn_kernel_kmeans_run *run)
{
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
}

cairn_status cairn_kernel_kmeans_measure(cairn_context *ctx, cairn_kernel_kmeans_run *run,
                                         bool fresh)
{
    size_t moved = 0;
    for (size_t i = 0; i < run->n; i++) moved += run->codes[i] != run->summed[i];
    if (fresh || moved > run->n / MOVED_SHARE)
        CHECK(sum_all(ctx, run));
    else if (moved)
        CHECK(sum_moved(ctx, run, moved));
    memcpy(run->summed, run->codes, run->n * sizeof *run->codes);
    score_rows(run);
    return CAIRN_OK;
}

/* -- the next partition -- */

/* Whether two scores of row i differ by no more than rounding. */
static bool is_tie(const cairn_kernel_kmeans_run *run, size_t i, double a, double b)
{
    double size = run->mean ? fabs(run->diagonal[i]) + fabs(a) : fabs(a);
    return fabs(a - b) <= 1e-12 * size;
}

/* The nearest cluster: its own where that is one of them, else the first. */
static int32_t nearest_cluster(const cairn_kernel_kmeans_run *run, size_t i)
{
    const double *scores = run->scores + i * run->k;
    size_t best = 0, own = (size_t)run->codes[i];
    for (size_t c = 1; c < run->k; c++)
        if (scores[c] < scores[best] && !is_tie(run, i, scores[best], scores[c])) best = c;
    return (int32_t)(is_tie(run, i, scores[best], scores[own]) ? own : best);
}

size_t cairn_kernel_kmeans_ties(const cairn_kernel_kmeans_run *run)
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
    for (size_t i = 0; i < run->n; i++) run->codes[i] = nearest_cluster(run, i);
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
cairn_status cairn_kernel_kmeans_go(cairn_context *ctx, cairn_kernel_kmeans_run *run, size_t start,
                                    cairn_report *steps)
{
    const cairn_kernel_kmeans_params *p = run->job->params;
    bool fresh = true;
    run->iterations = run->reseeded = run->n_history = 0;
    run->converged = false;
    CHECK(first_partition(ctx, run, start));
    cairn_kernel_kmeans_show_start(steps, run);
    CHECK(cairn_kernel_kmeans_measure(ctx, run, true));
    while (!run->converged && run->iterations < (size_t)p->max_iter) {
        if (run->n_history < CAIRN_KERNEL_HISTORY) run->history[run->n_history++] = run->cost;
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
