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
#include "learners/cluster/kernel_kmeans.h"
#include "learners/kernel/kernel_method.h"
#include "rows/matrix.h"
#include "rows/used.h"
#include "stats/memberships.h"
#include <math.h>
#include <string.h>

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
    CHECK(cairn_kernel_rows_open(ctx, &m->rows, &m->kernel, view, &(cairn_kernel_wish){0}));
    CHECK(NEW_RAW_EACH(ctx, n, &m->weights, &m->diagonal));
    cairn_view_weights(view, 0, n, m->weights);
    return cairn_kernel_diagonal(ctx, &m->kernel, &m->rows, m->diagonal);
}

static void keep_course(cairn_kernel_kmeans_account *account, const cairn_kernel_kmeans_run *run,
                        size_t start)
{
    account->best = (int32_t)start;
    account->iterations = (int64_t)run->iterations;
    account->converged = run->converged;
    account->reseeded = (int64_t)run->reseeded;
    account->n_history = run->n_history;
    memcpy(account->history, run->history, run->n_history * sizeof *run->history);
}

/* All starts; the run ends with the best one, which is gone through again to be shown. */
static cairn_status run_starts(cairn_context *ctx, cairn_kernel_kmeans_run *run,
                               cairn_kernel_kmeans_account *account)
{
    const cairn_kernel_kmeans_params *p = run->job->params;
    cairn_report *steps = run->job->steps;
    int32_t *best;
    double least = INFINITY;
    account->n_starts = p->given || run->k == 1 ? 1 : (size_t)p->starts;
    CHECK(NEW(ctx, &account->costs, account->n_starts));
    CHECK(NEW(ctx, &account->history, CAIRN_KERNEL_HISTORY));
    CHECK(SCRATCH_RAW(ctx, &best, run->n));
    for (size_t s = 0; s < account->n_starts; s++) {
        CHECK(cairn_kernel_kmeans_go(ctx, run, s, account->n_starts == 1 ? steps : NULL));
        account->costs[s] = run->cost;
        if (!(run->cost < least)) continue;
        least = run->cost;
        keep_course(account, run, s);
        memcpy(best, run->codes, run->n * sizeof *best);
    }
    if (account->n_starts == 1) return CAIRN_OK;
    if (steps) return cairn_kernel_kmeans_go(ctx, run, (size_t)account->best, steps);
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

static const cairn_kept account_keeps[] = {
    KEEP_ARRAYS(cairn_kernel_kmeans_account, "n_clusters", within),
    KEEP(cairn_kernel_kmeans_account, cost, iterations, converged, reseeded, tied),
    KEEP_SIZE(cairn_kernel_kmeans_account, n_starts, 1 << 20),
    KEEP_ARRAYS(cairn_kernel_kmeans_account, "n_starts", costs),
    KEEP(cairn_kernel_kmeans_account, best),
    KEEP_SIZE(cairn_kernel_kmeans_account, n_history, CAIRN_KERNEL_HISTORY),
    KEEP_ARRAYS(cairn_kernel_kmeans_account, "n_history", history),
    KEEP_SIZE(cairn_kernel_kmeans_account, n_kept, CAIRN_KERNEL_KEPT),
    KEEP_ARRAYS(cairn_kernel_kmeans_account, "n_kept", kept),
    KEEP_END,
};

static cairn_status kernel_kmeans_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const cairn_kernel_kmeans_params *p = job->params;
    cairn_kernel_kmeans_model *m = model;
    cairn_kernel_kmeans_account own = {0};
    SCOPED_KEPT(account_keeps, &own);
    cairn_kernel_kmeans_account *account = job->account ? job->account : &own;
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
    CHECK(run_starts(ctx, &run, account));
    CHECK(cairn_kernel_kmeans_prove(ctx, job->certificate, &run, account->converged));
    CHECK(keep_partition(ctx, m, &run, &account->within));
    account->cost = run.cost;
    account->tied = (int64_t)cairn_kernel_kmeans_ties(&run);
    account->n_kept = job->view->rows.n == run.n && run.n <= CAIRN_KERNEL_KEPT ? run.n : 0;
    CHECK(NEW(ctx, &account->kept, account->n_kept));
    memcpy(account->kept, m->codes, account->n_kept * sizeof *account->kept);
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
    CHECK(
        cairn_kernel_rows_open(ctx, &asked, &kernel, part, &(cairn_kernel_wish){.like = &m->rows}));
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
        cairn_report_cellf(out, "%zu", c + 1);
        cairn_report_cell_number(out, scores[c], 6, "distance.%zu", c + 1);
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

static const cairn_account kernel_kmeans_account = {
    .size = sizeof(cairn_kernel_kmeans_account),
    .keeps = account_keeps,
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
    .account = &kernel_kmeans_account,
    .keeps = kernel_kmeans_keeps,
    .parameters = "rows.n",
    .grows = true,
    .check = kernel_kmeans_check_model,
    .clusters = kernel_kmeans_clusters,
};
