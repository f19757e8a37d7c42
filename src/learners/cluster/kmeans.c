/* SPDX-License-Identifier: MIT */
/* k-means: k centres such that the rows are near to them.
 *
 * Problem: minimise the within sum of squares sum_i w_i |x_i - c(i)|^2, where c(i) is the centre
 * nearest to row i. Exact answers are out of reach for many rows; the method finds a local minimum.
 *
 * Method (Lloyd):
 * 1. First centres are drawn or given.
 * 2. Every row is assigned to its nearest centre.
 * 3. Every centre moves to the mean of its rows; then 2 again, until no row changes its cluster,
 *    the centres move less than the tolerance, or max-iter updates were made. An assignment always
 *    comes last, and the sum of squares told is that of the assignment to the final centres.
 * 4. Several random starts are made and the best one is kept (the first of equal ones).
 *
 * Ties go to the first centre, or to the last if asked. A cluster that loses all its rows gets the
 * row farthest from its centre, keeps its place, or is dropped.
 *
 * Cost: at most n k d per round; memory n codes (and n numbers with bounds) and partial sums, the
 * table is never copied.
 *
 * Sources: Lloyd, Least squares quantization in PCM (1982); Arthur and Vassilvitskii, k-means++
 * (2007); Hamerly, Making k-means even faster (2010). */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "learners/cluster/kmeans.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

static const cairn_choice ties[] = {
    {"first", CAIRN_KMEANS_FIRST, "a row as near to several centres goes to the first of them"},
    {"last", CAIRN_KMEANS_LAST, "to the last"},
    {0},
};

static const cairn_choice empties[] = {
    {"reseed", CAIRN_KMEANS_RESEED, "its centre becomes the row farthest from its own centre"},
    {"keep", CAIRN_KMEANS_KEEP, "its centre stays where it is"},
    {"drop", CAIRN_KMEANS_DROP, "there is one cluster less"},
    {0},
};

static const cairn_choice signs[] = {
    {"first", 0, "the first component that is not 0 is positive"},
    {"largest", 1, "the largest component is positive"},
    {0},
};

static const cairn_choice methods[] = {
    {"auto", CAIRN_KMEANS_AUTO,
     "plain while many rows move, then bounds if there are many centres"},
    {"plain", CAIRN_KMEANS_PLAIN, "every row looks at every centre"},
    {"bounds", CAIRN_KMEANS_BOUNDS, "rows that cannot change their centre do not look"},
    {0},
};

static const cairn_param kmeans_params[] = {
    CAIRN_PARAM(cairn_kmeans_params, clusters, NULL, "[1,inf)", "number of clusters"),
    CAIRN_PARAM(cairn_kmeans_params, init, "plusplus", NULL,
                "first centres: plusplus (far rows are likelier), random (rows), first (the first "
                "rows), mean (overall mean and noise), pc (intervals of the first principal "
                "component), partition (random groups), or a file with one row per centre"),
    CAIRN_PARAM_AS(cairn_kmeans_params, given, CAIRN_TYPE_LIST, NULL,
                   "cluster numbers of all rows: start from this partition and say whether it is "
                   "stationary"),
    CAIRN_PARAM(cairn_kmeans_params, starts, "10", "[1,10000]",
                "random starts, the best is kept; starts that are not random are made once"),
    CAIRN_PARAM(cairn_kmeans_params, max_iter, "300", "[0,inf)", "most centre updates of a start"),
    CAIRN_PARAM(cairn_kmeans_params, tolerance, "0", "[0,inf)",
                "stop when the squared moves of the centres add up to at most this times the mean "
                "variance of the columns; 0 means until no row changes"),
    CAIRN_PARAM_CHOICE(cairn_kmeans_params, tie, "first", ties, "where a tied row goes"),
    CAIRN_PARAM_CHOICE(cairn_kmeans_params, empty, "reseed", empties,
                       "what happens to a cluster that has lost all its rows"),
    CAIRN_PARAM_CHOICE(cairn_kmeans_params, sign, "first", signs,
                       "direction of the principal component of --init pc"),
    CAIRN_PARAM_CHOICE(cairn_kmeans_params, method, "auto", methods,
                       "how nearest centres are found; the answer is the same"),
    CAIRN_PARAM(cairn_kmeans_params, exact, "no", NULL,
                "try all partitions instead (tiny data only) and give the best"),
    CAIRN_PARAM_END,
};

/* -- fitting -- */

/* Bounds pay once fewer than one row in so many changes its cluster in a round. */
enum { QUIET = 48 };

/* What one start came to. */
typedef struct outcome {
    size_t iterations;
    bool converged;
    size_t emptied;
    double *history; /* CAIRN_KMEANS_HISTORY */
    size_t n_history;
} outcome;

/* Each empty cluster's centre becomes the row farthest from all centres that are in use; rows that
 * coincide with centres are no help, then the centre stays. Returns how many found a new place. */
static size_t reseed(cairn_kmeans_run *run, double *squares, double *row)
{
    const cairn_kmeans_data *data = run->data;
    size_t d = data->d, moved = 0;
    for (size_t i = 0; i < data->n; i++) {
        cairn_kmeans_row(data, i, row);
        squares[i] = cairn_squared_distance(row, run->centres + (size_t)run->assign[i] * d, d);
    }
    for (size_t c = 0; c < run->k; c++) {
        size_t best = data->n;
        if (run->sizes[c] > 0) continue;
        for (size_t i = 0; i < data->n; i++)
            if (cairn_view_weight(data->view, i) > 0 && squares[i] > 0 &&
                (best == data->n || squares[i] > squares[best]))
                best = i;
        if (best == data->n) break;
        cairn_kmeans_row(data, best, run->centres + c * d);
        moved++;
        for (size_t i = 0; i < data->n; i++) {
            cairn_kmeans_row(data, i, row);
            squares[i] = fmin(squares[i], cairn_squared_distance(row, run->centres + c * d, d));
        }
    }
    return moved;
}

/* Take the clusters without rows out. */
static void drop_empty(cairn_kmeans_run *run, int32_t *numbers)
{
    size_t d = run->data->d, k = 0;
    for (size_t c = 0; c < run->k; c++) {
        numbers[c] = run->sizes[c] > 0 ? (int32_t)k : -1;
        if (numbers[c] < 0) continue;
        memmove(run->centres + k * d, run->centres + c * d, d * sizeof *run->centres);
        run->sizes[k++] = run->sizes[c];
    }
    for (size_t i = 0; i < run->data->n; i++) run->assign[i] = numbers[run->assign[i]];
    run->k = k;
    run->partial_size = k * (d + 2) + 1;
    run->fresh = true;
}

/* Move the centres; *changed is set when an empty cluster was given another place. */
static cairn_status move_centres(cairn_context *ctx, cairn_kmeans_run *run, int empty_rule,
                                 outcome *o, bool *changed)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    size_t empty;
    double *squares, *row;
    int32_t *numbers;
    cairn_status status = CAIRN_OK;
    *changed = false;
    cairn_kmeans_move(run, &empty);
    if (!empty) return status;
    o->emptied += empty;
    TRY(SCRATCH(ctx, &row, run->data->d));
    if (empty_rule == CAIRN_KMEANS_RESEED) {
        TRY(SCRATCH_RAW(ctx, &squares, run->data->n));
        *changed = reseed(run, squares, row) > 0;
    } else if (empty_rule == CAIRN_KMEANS_DROP) {
        TRY(SCRATCH(ctx, &numbers, run->k));
        drop_empty(run, numbers);
    }
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

static double squared_moves(const double *a, const double *b, size_t n)
{
    return cairn_squared_distance(a, b, n);
}

/* The sums of squares of bounded rounds are rounded differently in their last digits; the final
 * ones are made as the plain search makes them. */
static cairn_status finish_bounds(cairn_context *ctx, cairn_kmeans_run *run, outcome *o)
{
    cairn_status status = CAIRN_OK;
    if (!run->bounded) return status;
    run->bounded = false;
    TRY(cairn_kmeans_assign(ctx, run));
    o->history[o->n_history - 1] = run->inertia;
done:
    return status;
}

/* Rounds from the run's centres to the end. */
static cairn_status iterate(cairn_context *ctx, cairn_kmeans_run *run,
                            const cairn_kmeans_params *params, cairn_report *steps, outcome *o)
{
    const cairn_kmeans_data *data = run->data;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    double *old, enough = params->tolerance * data->total / data->weight / (double)data->d;
    cairn_status status;
    TRY(SCRATCH(ctx, &old, run->k * data->d));
    memset(run->assign, -1, data->n * sizeof *run->assign);
    run->bounded = params->method == CAIRN_KMEANS_BOUNDS;
    run->fresh = true;
    for (;;) {
        TRY(cairn_kmeans_assign(ctx, run));
        if (o->n_history < CAIRN_KMEANS_HISTORY) o->history[o->n_history++] = run->inertia;
        if (steps) TRY(cairn_kmeans_show_round(ctx, steps, run, o->iterations + 1));
        if (o->converged || (o->iterations > 0 && run->changes == 0)) {
            o->converged = true;
            break;
        }
        if (o->iterations == (size_t)params->max_iter) break;
        bool changed;
        size_t k = run->k;
        memcpy(old, run->centres, k * data->d * sizeof *old);
        TRY(move_centres(ctx, run, params->empty, o, &changed));
        o->iterations++;
        if (run->can_bound && run->changes < data->n / QUIET) run->bounded = true;
        if (params->tolerance > 0 && !changed && run->k == k)
            o->converged = squared_moves(old, run->centres, k * data->d) <= enough;
        TRY(cairn_tick(ctx, "k-means", (double)o->iterations, (double)params->max_iter));
    }
    TRY(finish_bounds(ctx, run, o));
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

static cairn_status check_clusters(cairn_context *ctx, const cairn_job *job)
{
    const cairn_kmeans_params *params = job->params;
    const cairn_view *view = job->view;
    size_t used = 0, k = (size_t)params->clusters;
    for (size_t i = 0; i < view->rows.n; i++) used += cairn_view_weight(view, i) > 0;
    if (k > used)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%zu clusters cannot be made of %zu row%s; --clusters must be at most "
                          "%zu here",
                          k, used, used == 1 ? "" : "s", used);
    return cairn_memory_check(
        ctx, (double)view->rows.n * 12 + 8.0 * 70 * (double)k * (double)(view->n_features + 2),
        "k-means", "use fewer clusters or raise --memory");
}

/* How the given partition stands: its sum of squares, and rows nearer to another centre. */
static cairn_status judge_given(cairn_context *ctx, cairn_kmeans_model *m,
                                const cairn_kmeans_run *run, const char *given)
{
    const cairn_kmeans_data *data = run->data;
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    size_t d = data->d;
    int32_t *groups;
    double *row;
    cairn_status status;
    m->given_within = 0;
    TRY(cairn_kmeans_given(ctx, &groups, data, run->k, given));
    TRY(SCRATCH(ctx, &row, d));
    for (size_t i = 0; i < data->n; i++) {
        double w = cairn_view_weight(data->view, i);
        cairn_kmeans_row(data, i, row);
        double own = cairn_squared_distance(row, run->centres + (size_t)groups[i] * d, d);
        bool nearer = false;
        for (size_t c = 0; c < run->k; c++)
            nearer |= cairn_squared_distance(row, run->centres + c * d, d) < own * (1 - 1e-12);
        m->given_within += w * own;
        m->given_moves += nearer && w > 0;
    }
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

/* One start; `best` (k x d) and the model's record are replaced if it is the best so far. */
static cairn_status try_start(cairn_context *ctx, cairn_kmeans_model *m, cairn_kmeans_run *run,
                              const cairn_kmeans_params *params, size_t start, outcome *o,
                              double *best)
{
    cairn_status status;
    size_t d = run->data->d;
    *o = (outcome){.history = o->history};
    run->k = (size_t)params->clusters;
    run->partial_size = run->k * (d + 2) + 1;
    TRY(cairn_kmeans_start(ctx, run->centres, run->data, run->k, params, start, NULL));
    if (params->given && start == 0) TRY(judge_given(ctx, m, run, params->given));
    TRY(iterate(ctx, run, params, NULL, o));
    m->start_inertia[start] = run->inertia;
    if (start > 0 && !(run->inertia < m->start_inertia[m->best_start])) goto done;
    m->best_start = (int32_t)start;
    m->n_clusters = run->k;
    m->iterations = (int64_t)o->iterations;
    m->converged = o->converged;
    m->reseeded = (int64_t)o->emptied;
    m->n_history = o->n_history;
    memcpy(m->history, o->history, o->n_history * sizeof *o->history);
    memcpy(best, run->centres, run->k * d * sizeof *best);
done:
    return status;
}

static cairn_status keep_result(cairn_context *ctx, cairn_kmeans_model *m,
                                const cairn_kmeans_run *run)
{
    enum { KEPT_ROWS = 200 };
    const cairn_kmeans_data *data = run->data;
    size_t k = m->n_clusters = run->k, d = m->n_columns = data->d;
    CHECK(NEW(ctx, &m->centres, k * d));
    CHECK(NEW(ctx, &m->sizes, k));
    CHECK(NEW(ctx, &m->within, k));
    memcpy(m->centres, run->centres, k * d * sizeof *m->centres);
    memcpy(m->sizes, run->sizes, k * sizeof *m->sizes);
    memcpy(m->within, run->within, k * sizeof *m->within);
    m->inertia = run->inertia;
    m->total = data->total;
    m->tie = run->last ? CAIRN_KMEANS_LAST : CAIRN_KMEANS_FIRST;
    CHECK(NEW(ctx, &m->kept, data->n <= KEPT_ROWS ? data->n : 0));
    m->n_kept = data->n <= KEPT_ROWS ? data->n : 0;
    memcpy(m->kept, run->assign, m->n_kept * sizeof *m->kept);
    return cairn_kmeans_keep_picture(ctx, m, run);
}

/* All starts, then the best one again: its last assignment, or all of it when it is to be shown. */
static cairn_status run_starts(cairn_context *ctx, cairn_kmeans_model *m, cairn_kmeans_run *run,
                               const cairn_job *job)
{
    const cairn_kmeans_params *params = job->params;
    size_t d = run->data->d, k = run->k;
    outcome o = {0};
    double *best;
    m->n_starts = cairn_kmeans_start_is_random(params) ? (size_t)params->starts : 1;
    CHECK(NEW(ctx, &m->start_inertia, m->n_starts));
    CHECK(NEW(ctx, &m->history, CAIRN_KMEANS_HISTORY));
    CHECK(SCRATCH(ctx, &best, k * d));
    CHECK(SCRATCH(ctx, &o.history, CAIRN_KMEANS_HISTORY));
    for (size_t s = 0; s < m->n_starts; s++) CHECK(try_start(ctx, m, run, params, s, &o, best));
    if (job->steps) {
        o = (outcome){.history = o.history};
        run->k = k;
        run->partial_size = k * (d + 2) + 1;
        CHECK(cairn_kmeans_start(ctx, run->centres, run->data, k, params, (size_t)m->best_start,
                                 job->steps));
        CHECK(iterate(ctx, run, params, job->steps, &o));
    } else if (m->n_starts > 1) {
        run->k = m->n_clusters;
        run->partial_size = run->k * (d + 2) + 1;
        memcpy(run->centres, best, run->k * d * sizeof *best);
        run->bounded = false;
        CHECK(cairn_kmeans_assign(ctx, run));
    }
    return CAIRN_OK;
}

static cairn_status run_exact(cairn_context *ctx, cairn_kmeans_model *m, cairn_kmeans_run *run,
                              const cairn_job *job)
{
    run->bounded = false;
    CHECK(cairn_kmeans_exact(ctx, run->data, run->k, run->centres, &m->partitions, &m->optima));
    CHECK(cairn_kmeans_assign(ctx, run));
    m->converged = true;
    CHECK(NEW(ctx, &m->start_inertia, 0));
    CHECK(NEW(ctx, &m->history, 0));
    if (job->steps) CHECK(cairn_kmeans_show_round(ctx, job->steps, run, 1));
    return CAIRN_OK;
}

static cairn_status kmeans_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const cairn_kmeans_params *params = job->params;
    cairn_kmeans_model *m = model;
    cairn_kmeans_data data;
    cairn_kmeans_run run;
    size_t k = (size_t)params->clusters;

    m->given_within = NAN;
    CHECK(check_clusters(ctx, job));
    CHECK(cairn_kmeans_data_make(ctx, &data, job->view, k));
    CHECK(cairn_kmeans_run_make(ctx, &run, &data, k, params));
    if (params->exact)
        CHECK(run_exact(ctx, m, &run, job));
    else
        CHECK(run_starts(ctx, m, &run, job));
    return keep_result(ctx, m, &run);
}

/* -- predicting -- */

typedef struct prediction_run {
    const cairn_kmeans_model *m;
    const cairn_view *view;
    double *ordered;
    double *buffers; /* a worker's block of rows */
    double *squares; /* a worker's block of squared distances */
    int32_t *nearest;
    int32_t *codes;   /* NULL = not wanted */
    double *distance; /* NULL = not wanted */
} prediction_run;

enum { PREDICT_ROWS = 256 };

static void predict_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const prediction_run *run = data;
    const cairn_kmeans_model *m = run->m;
    size_t n = end - begin, at = (size_t)worker * PREDICT_ROWS;
    double *rows = run->buffers + at * m->n_columns, *squares = run->squares + at;
    int32_t *nearest = run->nearest + at;
    (void)block;
    cairn_view_block(run->view, begin, n, rows);
    cairn_kmeans_nearest(nearest, squares, rows, n, m->n_columns, run->ordered, m->n_clusters,
                         m->tie == CAIRN_KMEANS_LAST);
    if (run->codes) memcpy(run->codes + begin, nearest, n * sizeof *nearest);
    for (size_t i = 0; run->distance && i < n; i++) run->distance[begin + i] = sqrt(squares[i]);
}

static cairn_status kmeans_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                   const cairn_job *job)
{
    const cairn_kmeans_model *m = model;
    prediction_run run = {.m = m, .view = job->view, .codes = out->codes};
    size_t room = (size_t)cairn_workers(ctx) * PREDICT_ROWS, d = m->n_columns;
    if (job->view->n_features != d)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the model has %zu columns, the data %zu", d,
                          job->view->n_features);
    CHECK(SCRATCH(ctx, &run.ordered, cairn_product(m->n_clusters, d)));
    CHECK(SCRATCH_RAW(ctx, &run.buffers, cairn_product(room, d)));
    CHECK(SCRATCH_RAW(ctx, &run.squares, room));
    CHECK(SCRATCH_RAW(ctx, &run.nearest, room));
    if (out->extra) CHECK(SCRATCH(ctx, &run.distance, job->view->rows.n));
    cairn_kmeans_order(run.ordered, m->centres, m->n_clusters, d, m->tie == CAIRN_KMEANS_LAST);
    CHECK(cairn_blocks(ctx, job->view->rows.n, PREDICT_ROWS, predict_block, &run));
    out->codes_set = true;
    out->n_classes = m->n_clusters;
    if (out->extra) CHECK(cairn_table_add_numbers(ctx, out->extra, "distance", run.distance));
    return CAIRN_OK;
}

/* -- keeping -- */

/* The picture and the kept rows; codes of a file must name clusters. */
static cairn_status archive_rows(cairn_archive *a, cairn_kmeans_model *m)
{
    CHECK(cairn_archive_size(a, "n_kept", &m->n_kept, 1 << 20));
    CHECK(cairn_archive_ints(a, "kept", &m->kept, m->n_kept));
    CHECK(cairn_archive_size(a, "n_sample", &m->n_sample, CAIRN_KMEANS_SAMPLE));
    CHECK(cairn_archive_reals(a, "picture", &m->picture, 2 * (m->n_sample + m->n_clusters)));
    CHECK(cairn_archive_ints(a, "groups", &m->groups, m->n_sample));
    CHECK(cairn_archive_bool(a, "components", &m->components));
    for (size_t i = 0; i < m->n_sample; i++)
        if (m->groups[i] < 0 || (size_t)m->groups[i] >= m->n_clusters)
            CHECK(cairn_archive_damaged(a, "row %zu is in cluster %d of %zu", i + 1,
                                        m->groups[i] + 1, m->n_clusters));
    return CAIRN_OK;
}

static cairn_status archive_course(cairn_archive *a, cairn_kmeans_model *m)
{
    CHECK(cairn_archive_int64(a, "iterations", &m->iterations));
    CHECK(cairn_archive_bool(a, "converged", &m->converged));
    CHECK(cairn_archive_int64(a, "reseeded", &m->reseeded));
    CHECK(cairn_archive_size(a, "n_starts", &m->n_starts, 1 << 20));
    CHECK(cairn_archive_reals(a, "start_inertia", &m->start_inertia, m->n_starts));
    CHECK(cairn_archive_int(a, "best_start", &m->best_start));
    CHECK(cairn_archive_size(a, "n_history", &m->n_history, CAIRN_KMEANS_HISTORY));
    CHECK(cairn_archive_reals(a, "history", &m->history, m->n_history));
    CHECK(cairn_archive_real(a, "partitions", &m->partitions));
    CHECK(cairn_archive_real(a, "optima", &m->optima));
    CHECK(cairn_archive_real(a, "given_within", &m->given_within));
    return cairn_archive_int64(a, "given_moves", &m->given_moves);
}

static cairn_status kmeans_archive(cairn_archive *a, void *model)
{
    cairn_kmeans_model *m = model;
    CHECK(cairn_archive_size(a, "n_clusters", &m->n_clusters, INT32_MAX));
    CHECK(cairn_archive_size(a, "n_columns", &m->n_columns, UINT32_MAX));
    if (m->n_clusters == 0) CHECK(cairn_archive_damaged(a, "there are no clusters"));
    CHECK(
        cairn_archive_reals(a, "centres", &m->centres, cairn_product(m->n_clusters, m->n_columns)));
    CHECK(cairn_archive_reals(a, "sizes", &m->sizes, m->n_clusters));
    CHECK(cairn_archive_reals(a, "within", &m->within, m->n_clusters));
    CHECK(cairn_archive_real(a, "inertia", &m->inertia));
    CHECK(cairn_archive_real(a, "total", &m->total));
    CHECK(cairn_archive_int(a, "tie", &m->tie));
    CHECK(archive_course(a, m));
    return archive_rows(a, m);
}

static cairn_status kmeans_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    return cairn_check_columns(a, job, ((const cairn_kmeans_model *)model)->n_columns);
}

static void kmeans_clear(void *model)
{
    cairn_kmeans_model *m = model;
    cairn_free(m->centres);
    cairn_free(m->sizes);
    cairn_free(m->within);
    cairn_free(m->start_inertia);
    cairn_free(m->history);
    cairn_free(m->kept);
    cairn_free(m->picture);
    cairn_free(m->groups);
    *m = (cairn_kmeans_model){0};
}

static cairn_model_size kmeans_size(const void *model)
{
    const cairn_kmeans_model *m = model;
    return (cairn_model_size){.parameters = (double)m->n_clusters * (double)m->n_columns};
}

static const cairn_output kmeans_outputs[] = {
    {"distance", "distance to the centre of the cluster"},
    {0},
};

const cairn_learner cairn_kmeans = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "kmeans",
            .title = "k-means clustering",
            .summary =
                "Puts the rows into k clusters around centres, so that the squared Euclidean "
                "distances to the centres add up to little. It alternates between assigning every "
                "row to its nearest centre and moving the centres to the means of their rows; the "
                "best of several starts is kept. Columns count by their scale: standardise them "
                "(--with standardise) when their units differ.",
            .references = "Lloyd, Least squares quantization in PCM, IEEE Transactions on "
                          "Information Theory 28 (1982); Arthur and Vassilvitskii, k-means++: the "
                          "advantages of careful seeding (2007)",
            .example = "cairn fit kmeans @iris --ignore species --clusters 3",
            .params = kmeans_params,
            .params_size = sizeof(cairn_kmeans_params),
            .check = cairn_kmeans_check,
        },
    .tasks = CAIRN_CLUSTER,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_USES_DISTANCES,
    .traits = CAIRN_PREDICTIVE | CAIRN_UNSUPERVISED | CAIRN_GEOMETRIC | CAIRN_GROUPING,
    .model_size = sizeof(cairn_kmeans_model),
    .outputs = kmeans_outputs,
    .fit = kmeans_fit,
    .predict = kmeans_predict,
    .describe = cairn_kmeans_describe,
    .explain = cairn_kmeans_explain,
    .archive = kmeans_archive,
    .check = kmeans_check,
    .clear = kmeans_clear,
    .size = kmeans_size,
};
