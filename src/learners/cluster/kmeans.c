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
 * Centres whose squared distances differ by no more than a part in 1e12 are as near as each other;
 * such ties are counted, and go to the first centre, or to the last if asked. A cluster that loses
 * all its rows gets the row farthest from its centre, keeps its place, or is dropped.
 *
 * Spherical: rows and centres have the length 1, so that |x - c|^2 = 2 - 2 cos(x, c); a centre is
 * the direction of the sum of its rows. A row of zeros has none and is as near to all centres.
 *
 * New rows go to their nearest centre. Their memberships go by 1 / |x - c|^2 (stats/memberships.h).
 *
 * Cost: at most n k d per round; memory n codes (and n numbers with bounds) and partial sums, the
 * table is never copied.
 *
 * Sources: Lloyd, Least squares quantization in PCM (1982); Arthur and Vassilvitskii, k-means++
 * (2007); Hamerly, Making k-means even faster (2010). */
#include "base/memory.h"
#include "base/number.h"
#include "kernels/kernels.h"
#include "learners/cluster/given_clusters.h"
#include "learners/cluster/kmeans.h"
#include "report/table_rows.h"
#include "stats/memberships.h"
#include "transforms/computing.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* k-means as a program: the nearest centre, of a row that is brought to the length 1
 * first in the spherical form. */

/* The model as a program (model/program.h). */
static cairn_status cairn_kmeans_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_kmeans_model *m = model;
    const cairn_kmeans_params *params = job->params;
    int32_t *in, first;
    size_t n;
    cairn_operation *op;
    CHECK(cairn_program_features(out, &in, &n));
    if (params->form == CAIRN_KMEANS_SPHERICAL) {
        CHECK(cairn_lower_unit(out, CAIRN_NORM_L2, in, n, &first));
        for (size_t j = 0; j < n; j++) in[j] = first + (int32_t)j;
    }
    CHECK(cairn_program_add(out, CAIRN_OP_NEAREST, in, n, 2, &op));
    op->sizes[0] = (int32_t)m->n_clusters;
    op->sizes[1] = m->tie == CAIRN_KMEANS_LAST;
    CHECK(cairn_op_copy_numbers(out, op, 0, m->centres, cairn_product(m->n_clusters, n)));
    out->answer.code = op->out;
    return CAIRN_OK;
}

/* k-means row by row (MacQueen, 1967): a row moves its nearest centre towards itself, by less the
 * more rows the centre has taken, so that a centre is the mean of its start and of the rows that
 * it took. Rows come once in their order (online) or are drawn again and again (random); a weight
 * counts as so many equal rows at once. The centre that a start gives counts as one row. */

enum { MOST_SHOWN = 20 }; /* rows in the steps */

/* Centres that rows are drawn for never come to rest: this part of the mean variance is enough
 * where no tolerance is given. */
static const double LEAST_TOLERANCE = 1e-4;

/* Streams of random numbers beside those of the starts. */
static const uint64_t STREAMS = UINT64_C(1) << 32;

typedef struct online {
    cairn_kmeans_run *run;
    double *taken; /* k: weight that each centre stands for */
    double *row;   /* d */
    cairn_report *steps;
} online;

/* Row i moves its nearest centre; returns which. */
static size_t take_row(const online *o, size_t i)
{
    cairn_kmeans_run *run = o->run;
    size_t d = run->data->d;
    double weight = cairn_view_weight(run->data->view, i), square;
    int32_t nearest;
    cairn_kmeans_row(run->data, i, o->row);
    cairn_kmeans_order(run->ordered, run->centres, run->k, d, run->last);
    cairn_kmeans_nearest(&nearest, &square, o->row, 1, d, run->ordered, run->k, run->last);
    double *centre = run->centres + (size_t)nearest * d;
    o->taken[nearest] += weight;
    if (weight > 0)
        for (size_t j = 0; j < d; j++)
            centre[j] += weight / o->taken[nearest] * (o->row[j] - centre[j]);
    cairn_kmeans_to_sphere(run->data, centre, 1);
    return (size_t)nearest;
}

static void begin_table(const online *o, const cairn_view *view)
{
    cairn_report_step_begin(o->steps, "One row after the other");
    cairn_report_formula(o->steps, "n := n + w,  c := c + w/n · (x − c)");
    cairn_report_table_of(o->steps, "The first rows", 0, "rrr", "row", "nearest centre", "n");
    for (size_t j = 0; j < view->n_features; j++)
        cairn_report_column(o->steps, view->names[j], 'r');
}

/* As many rows as there are. */
static cairn_status run_epoch(cairn_context *ctx, const online *o, cairn_random *random, bool show)
{
    const cairn_kmeans_data *data = o->run->data;
    if (show) begin_table(o, data->view);
    for (size_t t = 0; t < data->n; t++) {
        size_t i = random ? (size_t)cairn_random_below(random, data->n) : t;
        size_t c = take_row(o, i);
        if (t % 4096 == 0) CHECK(cairn_tick(ctx, NULL, 0, 0));
        if (show && t < MOST_SHOWN) {
            size_t number = t + 1;
            size_t d = o->run->data->d;
            const cairn_view *view = o->run->data->view;
            cairn_report_prefix(o->steps, "update%zu", number);
            cairn_report_cells(o->steps, "- @.centre @.n", cairn_view_row(view, i) + 1,
                               (double)(c + 1), o->taken[c]);
            for (size_t j = 0; j < d; j++)
                cairn_report_cell_number(o->steps, o->run->centres[c * d + j], 0, "update%zu.%s",
                                         number, cairn_report_key(o->steps, view->names[j]));
        }
    }
    if (show) {
        cairn_report_table_end(o->steps);
        cairn_report_step_end(o->steps);
    }
    return CAIRN_OK;
}

/* Rows one by one, from the run's centres to the end; `steps` may be NULL. */
static cairn_status cairn_kmeans_online(cairn_context *ctx, cairn_kmeans_run *run,
                                        const cairn_kmeans_params *params, size_t start,
                                        cairn_report *steps, cairn_progress *p)
{
    size_t d = run->data->d;
    double tolerance = fmax(params->tolerance, LEAST_TOLERANCE);
    double enough = tolerance * run->data->total / run->data->weight / (double)d;
    online o = {.run = run, .steps = steps};
    cairn_random random;
    bool drawn = params->protocol == CAIRN_PROTOCOL_RANDOM;
    CHECK(SCRATCH(ctx, &o.taken, run->k));
    CHECK(SCRATCH(ctx, &o.row, d));
    for (size_t c = 0; c < run->k; c++) o.taken[c] = 1;
    cairn_random_start(&random, cairn_context_seed(ctx), STREAMS + start);
    memset(run->assign, -1, run->data->n * sizeof *run->assign);
    run->bounded = false;
    CHECK(cairn_kmeans_assign(ctx, run));
    CHECK(cairn_progress_start(ctx, p, run->inertia));
    while (cairn_progress_goes_on(p)) {
        memcpy(run->before, run->centres, run->k * d * sizeof *run->before);
        CHECK(run_epoch(ctx, &o, drawn ? &random : NULL, steps && p->iterations == 0));
        double moved = cairn_squared_distance(run->before, run->centres, run->k * d);
        CHECK(cairn_kmeans_assign(ctx, run));
        bool ends = !drawn || moved <= enough; /* online, every row comes once */
        CHECK(cairn_progress_next(ctx, p, run->inertia, ends ? 0 : INFINITY, 0));
    }
    return CAIRN_OK;
}

/* The best partition of a few rows, by trying all of them.
 *
 * Rows are placed one after the other: into one of the clusters that have rows, or into the next
 * new one, so that every partition comes up once. Adding row x of weight w to a cluster of weight W
 * and mean m raises its sum of squares by wW/(w+W) |x - m|^2; a branch that is already worse than
 * the best partition so far is left. */

static const double MOST_PARTITIONS = 2e7;
enum { MOST_ROWS = 1000 };

typedef struct search {
    cairn_context *ctx;
    size_t n, k, d;
    double *rows;    /* n x d */
    double *weights; /* n */
    double *means;   /* k x d */
    double *sizes;   /* k */
    double *saved;   /* n x d: the mean before the row at this depth came */
    double best;
    double optima;
    double *centres; /* k x d: of the best */
    uint64_t steps;
    cairn_status status;
} search;

static void place(search *s, size_t depth, size_t used, double sum);

/* Try row `depth` in cluster c and go on. */
static void try_cluster(search *s, size_t depth, size_t c, size_t used, double sum)
{
    double *mean = s->means + c * s->d, *saved = s->saved + depth * s->d, w = s->weights[depth];
    const double *row = s->rows + depth * s->d;
    double size = s->sizes[c], more = 0;
    if (size > 0) more = w * size / (w + size) * cairn_squared_distance(row, mean, s->d);
    memcpy(saved, mean, s->d * sizeof *mean);
    for (size_t j = 0; j < s->d; j++)
        mean[j] = size > 0 ? mean[j] + (row[j] - mean[j]) * (w / (w + size)) : row[j];
    s->sizes[c] = size + w;
    place(s, depth + 1, c == used ? used + 1 : used, sum + more);
    s->sizes[c] = size;
    memcpy(mean, saved, s->d * sizeof *mean);
}

static void place(search *s, size_t depth, size_t used, double sum)
{
    double slack = 1e-9 * s->best;
    if (s->status != CAIRN_OK || s->n - depth < s->k - used || sum > s->best + slack) return;
    if (depth == s->n) {
        s->optima = sum < s->best - slack || isinf(s->best) ? 1 : s->optima + 1;
        if (sum < s->best) {
            s->best = sum;
            memcpy(s->centres, s->means, s->k * s->d * sizeof *s->centres);
        }
        return;
    }
    if (++s->steps % 65536 == 0) s->status = cairn_tick(s->ctx, "all partitions", 0, 1);
    for (size_t c = 0; c < used; c++) try_cluster(s, depth, c, used, sum);
    if (used < s->k) try_cluster(s, depth, used, used, sum);
}

/* The number of partitions grows so fast that it is counted before the search; beyond the limit
 * the program would seem to hang. */
static cairn_status check_size(cairn_context *ctx, const cairn_kmeans_data *data, size_t k,
                               double *partitions)
{
    double *row;
    char count[CAIRN_NUMBER_SIZE];
    cairn_status status;
    *partitions = INFINITY;
    if (data->n_used <= MOST_ROWS) {
        TRY(SCRATCH(ctx, &row, k + 1));
        /* Number of partitions of n things into k groups; huge ones become infinite. */
        size_t n = data->n_used;
        memset(row, 0, (k + 1) * sizeof *row);
        row[0] = 1;
        for (size_t i = 1; i <= n; i++) {
            for (size_t j = k; j > 0; j--) row[j] = (double)j * row[j] + row[j - 1];
            row[0] = 0;
        }
        *partitions = row[k];
    }
    if (*partitions <= MOST_PARTITIONS) return CAIRN_OK;
    cairn_number_format(count, *partitions, 3);
    status =
        cairn_fail(ctx, CAIRN_BAD_DATA,
                   "{exact} would try %s%s partitions of %zu rows into %zu clusters, more than "
                   "20 million; leave it out or use fewer rows",
                   isinf(*partitions) ? "" : "about ", isinf(*partitions) ? "far too many" : count,
                   data->n_used, k);
done:
    return status;
}

/* The best of all partitions of the rows into k clusters. */
static cairn_status cairn_kmeans_exact(cairn_context *ctx, const cairn_kmeans_data *data, size_t k,
                                       double *centres, double *partitions, double *optima)
{
    search s = {.ctx = ctx, .k = k, .d = data->d, .n = data->n_used, .centres = centres};
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    size_t at = 0;
    cairn_status status;
    TRY(check_size(ctx, data, k, partitions));
    TRY(SCRATCH(ctx, &s.rows, s.n * s.d));
    TRY(SCRATCH(ctx, &s.weights, s.n));
    TRY(SCRATCH(ctx, &s.means, k * s.d));
    TRY(SCRATCH(ctx, &s.sizes, k));
    TRY(SCRATCH(ctx, &s.saved, s.n * s.d));
    for (size_t i = 0; i < data->n; i++) {
        double w = cairn_view_weight(data->view, i);
        if (!(w > 0)) continue;
        cairn_kmeans_row(data, i, s.rows + at * s.d);
        s.weights[at++] = w;
    }
    s.best = INFINITY;
    place(&s, 0, 0, 0);
    *optima = s.optima;
    TRY(s.status);
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

/* k-means by batches of rows (after Sculley, Web-scale k-means clustering, 2010).
 *
 * A batch of rows is assigned to the nearest centres; then every centre becomes the mean of all
 * rows that it ever took: n := n + |B|, c := c + (Σ x − |B| c) / n. Fitting draws the rows of a
 * batch with repeats; a pass is as many rows as there are. It ends when the centres moved little in
 * a pass. One look at all rows comes last.
 *
 * A fitted model takes more rows in the same way, batch after batch in their order, from the sizes
 * that its history has; so a stream can be followed. What is told of it afterwards is that of the
 * rows in the clusters that they were put in: they are not looked at again. */

enum { SHOWN_BATCHES = 5 };

/* As for rows that are drawn one by one. */
static const double BATCHES_LEAST_TOLERANCE = 1e-4;
static const uint64_t BATCHES_STREAMS = UINT64_C(1) << 33;

typedef struct batching {
    cairn_kmeans_run *run;
    size_t size;     /* rows of a batch */
    double *taken;   /* k: weight that each centre stands for */
    uint32_t *rows;  /* size: of the table */
    double *factors; /* size: weights of these rows on top of the weight column */
    int32_t *assign; /* size */
    cairn_report *steps;
    size_t n_shown;
} batching;

static cairn_status make_batching(cairn_context *ctx, batching *b, cairn_kmeans_run *run,
                                  size_t size, cairn_report *steps)
{
    *b = (batching){.run = run, .steps = steps};
    b->size = size < run->data->n ? size : run->data->n;
    CHECK(SCRATCH(ctx, &b->taken, run->k));
    CHECK(SCRATCH_RAW_EACH(ctx, b->size + 1, &b->rows, &b->factors));
    return SCRATCH_RAW(ctx, &b->assign, b->size + 1);
}

static void put_row(batching *b, size_t at, size_t i)
{
    const cairn_view *view = b->run->data->view;
    b->rows[at] = (uint32_t)cairn_view_row(view, i);
    b->factors[at] = view->rows.weights ? view->rows.weights[i] : 1;
}

/* The first batches are shown; the others would say the same. */
static void show_batch(batching *b, double inertia)
{
    char prefix[40];
    const cairn_kmeans_run *run = b->run;
    if (!b->steps || b->n_shown == SHOWN_BATCHES) return;
    snprintf(prefix, sizeof prefix, "batch%zu", ++b->n_shown);
    cairn_report_step_begin(b->steps, "Batch %zu", b->n_shown);
    cairn_report_formula(b->steps, "n := n + |B|,  c := c + (Σ x − |B| c) / n");
    cairn_report_table_of(b->steps, "Rows of the batch", 0, "rrr", "centre", "|B|", "n");
    for (size_t c = 0; c < run->k; c++) {
        cairn_report_prefix(b->steps, "%s", prefix);
        cairn_report_cells(b->steps, "- @.size.$1 @.n.$1", c + 1, run->sizes[c], b->taken[c]);
    }
    cairn_report_table_end(b->steps);
    cairn_report_value(b->steps, "squared distances from the centres before", inertia, "%s.sse",
                       prefix);
    cairn_kmeans_show_centres(b->steps, run, prefix);
    cairn_report_step_end(b->steps);
}

/* Assign the first n rows of the batch: sums, sizes and within of the run are theirs. */
static cairn_status assign_batch(cairn_context *ctx, const batching *b, size_t n, double *inertia)
{
    SCOPED_SCRATCH(ctx);
    cairn_kmeans_data data = *b->run->data;
    cairn_kmeans_run part = *b->run;
    cairn_view view;
    CHECK(cairn_matrix_part(ctx, &data.x, &view, &b->run->data->x, b->rows, n));
    view.rows.weights = b->factors;
    data.view = &view;
    data.n = n;
    part.data = &data;
    part.assign = b->assign;
    part.bounded = false;
    memset(part.assign, -1, n * sizeof *part.assign);
    CHECK(cairn_kmeans_assign(ctx, &part));
    *inertia = part.inertia;
    return CAIRN_OK;
}

/* Every centre that took rows becomes the mean of all that it ever took. */
static void batches_move_centres(batching *b)
{
    cairn_kmeans_run *run = b->run;
    size_t d = run->data->d;
    for (size_t c = 0; c < run->k; c++) {
        double *centre = run->centres + c * d;
        if (!(run->sizes[c] > 0)) continue;
        b->taken[c] += run->sizes[c];
        for (size_t j = 0; j < d; j++)
            centre[j] += (run->sums[c * d + j] - run->sizes[c] * centre[j]) / b->taken[c];
        cairn_kmeans_to_sphere(run->data, centre, 1);
    }
}

/* Batches of drawn rows, likewise. */
static cairn_status cairn_kmeans_batches(cairn_context *ctx, cairn_kmeans_run *run,
                                         const cairn_kmeans_params *params, size_t start,
                                         cairn_report *steps, cairn_progress *p)
{
    const cairn_kmeans_data *data = run->data;
    size_t d = data->d;
    double tolerance = fmax(params->tolerance, BATCHES_LEAST_TOLERANCE), mean;
    double enough = tolerance * data->total / data->weight / (double)d;
    batching b;
    cairn_random random;
    CHECK(make_batching(ctx, &b, run, (size_t)params->batch_size, steps));
    cairn_random_start(&random, cairn_context_seed(ctx), BATCHES_STREAMS + start);
    memset(run->assign, -1, data->n * sizeof *run->assign);
    run->bounded = false;
    CHECK(cairn_progress_start(ctx, p, data->total));
    while (cairn_progress_goes_on(p)) {
        memcpy(run->before, run->centres, run->k * d * sizeof *run->before);
        /* As many drawn rows as there are; *inertia is the mean square of the drawn rows when
         * they came. */
        size_t n = b.run->data->n;
        double inertia = 0, weight = 0;
        for (size_t done = 0; done < n; done += b.size) {
            double square;
            for (size_t i = 0; i < b.size; i++)
                put_row(&b, i, (size_t)cairn_random_below(&random, n));
            CHECK(assign_batch(ctx, &b, b.size, &square));
            for (size_t c = 0; c < b.run->k; c++) weight += b.run->sizes[c];
            inertia += square;
            batches_move_centres(&b);
            show_batch(&b, square);
            CHECK(cairn_tick(ctx, NULL, 0, 0));
        }
        mean = weight > 0 ? inertia / weight : 0;
        double moved = cairn_squared_distance(run->before, run->centres, run->k * d);
        CHECK(cairn_progress_next(ctx, p, mean * data->weight, moved <= enough ? 0 : INFINITY, 0));
    }
    CHECK(cairn_kmeans_assign(ctx, run));
    p->values[p->n_values - 1] = run->inertia;
    return CAIRN_OK;
}

/* -- more rows for a fitted model -- */

/* Sums of squares of the clusters with the rows of a batch: Σ ‖x − c‖² about the new centres, which
 * are means; or 2 n − 2 c · Σ x where all have the length 1. `old` are the centres before. */
static void add_within(const batching *b, cairn_kmeans_history *history, const double *old)
{
    const cairn_kmeans_run *run = b->run;
    size_t d = run->data->d;
    for (size_t c = 0; c < run->k; c++) {
        const double *from = old + c * d, *to = run->centres + c * d;
        double before = history->sizes[c], n = b->taken[c];
        double within = history->within[c] + run->within[c];
        if (run->data->spherical) {
            double along = (before - history->within[c] / 2) * cairn_dot(from, to, d);
            within = 2 * n - 2 * (along + cairn_dot(run->sums + c * d, to, d));
        } else {
            within -= n * cairn_squared_distance(from, to, d);
        }
        history->within[c] = fmax(within, 0);
        history->sizes[c] = n;
    }
}

/* What the history says of all rows follows from the clusters; what it says of single rows is over.
 */
static cairn_status close_history(cairn_context *ctx, cairn_kmeans_history *history,
                                  const cairn_kmeans_run *run)
{
    size_t d = run->data->d;
    double *mean, weight = 0, *places;
    CHECK(SCRATCH(ctx, &mean, d));
    CHECK(NEW(ctx, &places, 2 * run->k));
    cairn_free(history->picture);
    history->picture = places;
    history->n_sample = history->n_kept = 0;
    history->tied = -1;
    history->inertia = 0;
    for (size_t c = 0; c < run->k; c++) {
        history->inertia += history->within[c];
        weight += history->sizes[c];
        cairn_axpy(mean, history->sizes[c], run->centres + c * d, d);
    }
    for (size_t j = 0; j < d; j++) mean[j] /= weight;
    history->total = history->inertia;
    for (size_t c = 0; c < run->k; c++)
        history->total += history->sizes[c] * cairn_squared_distance(run->centres + c * d, mean, d);
    return CAIRN_OK;
}

/* All new rows in batches of their order. */
static cairn_status take_rows(cairn_context *ctx, batching *b, cairn_kmeans_history *history)
{
    cairn_kmeans_run *run = b->run;
    size_t n = run->data->n, d = run->data->d;
    memcpy(b->taken, history->sizes, run->k * sizeof *b->taken);
    for (size_t first = 0; first < n; first += b->size) {
        size_t m = n - first < b->size ? n - first : b->size;
        double inertia;
        for (size_t i = 0; i < m; i++) put_row(b, i, first + i);
        memcpy(run->before, run->centres, run->k * d * sizeof *run->before);
        CHECK(assign_batch(ctx, b, m, &inertia));
        batches_move_centres(b);
        add_within(b, history, run->before);
        show_batch(b, inertia);
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    return close_history(ctx, history, run);
}

/* More rows move the centres from where they are. */
static cairn_status cairn_kmeans_update(cairn_context *ctx, void *model, const cairn_job *job)
{
    const cairn_kmeans_params *params = job->params;
    cairn_kmeans_model *m = model;
    cairn_kmeans_data data;
    cairn_kmeans_run run;
    batching b;
    if (!job->history)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the model does not say how many rows its clusters have, and so not how "
                          "far more rows move them; fit it again");
    CHECK(cairn_kmeans_data_make(ctx, &data, job->view, m->n_clusters,
                                 params->form == CAIRN_KMEANS_SPHERICAL));
    CHECK(cairn_kmeans_run_make(ctx, &run, &data, m->n_clusters, params));
    memcpy(run.centres, m->centres, run.k * data.d * sizeof *run.centres);
    size_t size = params->protocol == CAIRN_KMEANS_MINI_BATCH ? (size_t)params->batch_size
                  : params->protocol == CAIRN_PROTOCOL_BATCH  ? data.n
                                                              : 1;
    CHECK(make_batching(ctx, &b, &run, size, job->steps));
    CHECK(take_rows(ctx, &b, job->history));
    memcpy(m->centres, run.centres, run.k * data.d * sizeof *m->centres);
    return CAIRN_OK;
}

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

static const cairn_choice protocols[] = {
    {"batch", CAIRN_PROTOCOL_BATCH, "all rows, round after round"},
    {"random", CAIRN_PROTOCOL_RANDOM, "one row, drawn with repeats"},
    {"online", CAIRN_PROTOCOL_ONLINE, "one row, each once in its order"},
    {"mini-batch", CAIRN_KMEANS_MINI_BATCH, "some rows, drawn with repeats"},
    {0},
};

static const cairn_choice forms[] = {
    {"euclidean", CAIRN_KMEANS_EUCLIDEAN, "squared distances from means"},
    {"spherical", CAIRN_KMEANS_SPHERICAL,
     "rows and centres are brought to the length 1, so that angles count (cosine)"},
    {0},
};

static const cairn_param kmeans_params[] = {
    CAIRN_PARAM(cairn_kmeans_params, clusters, NULL, "[1,inf)", "number of clusters",
                .often = true),
    CAIRN_PARAM(
        cairn_kmeans_params, init, "plusplus", NULL,
        "first centres: plusplus (far rows are likelier), random (rows), first (the first "
        "rows), mean (overall mean and noise), pc (intervals of the first principal "
        "component), partition (random groups), the centres themselves, such as 1,1;5,4 (of "
        "one column 2,16,38), or a file with one row per centre",
        .when = "!given,!exact", .often = true),
    CAIRN_PARAM_AS(cairn_kmeans_params, given, CAIRN_TYPE_LIST, NULL,
                   "cluster numbers of all rows: start from this partition and say whether it is "
                   "stationary",
                   .often = true),
    CAIRN_PARAM(cairn_kmeans_params, starts, "10", "[1,10000]", "random starts, the best is kept",
                .when = "init=plusplus|random|mean|partition,!given,!exact", .often = true),
    CAIRN_PARAM(cairn_kmeans_params, max_iter, "300", "[0,inf)", "most centre updates of a start",
                .when = "!exact", .often = true),
    CAIRN_PARAM(cairn_kmeans_params, tolerance, "0", "[0,inf)",
                "stop when the squared moves of the centres add up to at most this times the mean "
                "variance of the columns; 0 means until no row changes",
                .when = "!exact"),
    CAIRN_PARAM_CHOICE(cairn_kmeans_params, tie, "first", ties, "where a tied row goes"),
    CAIRN_PARAM_CHOICE(cairn_kmeans_params, empty, "reseed", empties,
                       "what happens to a cluster that has lost all its rows",
                       .when = "protocol=batch,!exact"),
    CAIRN_PARAM_CHOICE(cairn_kmeans_params, sign, "first", signs,
                       "direction of the principal component", .when = "init=pc"),
    CAIRN_PARAM_CHOICE(cairn_kmeans_params, method, "auto", methods,
                       "how nearest centres are found; the answer is the same",
                       .when = "protocol=batch,!exact"),
    CAIRN_PARAM_CHOICE(cairn_kmeans_params, protocol, "batch", protocols,
                       "which rows are taken before centres move", .when = "!exact"),
    CAIRN_PARAM(cairn_kmeans_params, batch_size, "1024", "[1,inf)",
                "rows that are drawn before centres move", .when = "protocol=mini-batch"),
    CAIRN_PARAM_CHOICE(cairn_kmeans_params, form, "euclidean", forms, "what makes rows alike",
                       .often = true),
    CAIRN_PARAM(cairn_kmeans_params, exact, "no", NULL,
                "try all partitions instead (tiny data only) and give the best",
                .when = "form=euclidean"),
    CAIRN_PARAM_END,
};

/* -- keeping -- */

static const cairn_kept clusters_keeps[] = {
    KEEP_ARRAYS(cairn_kmeans_history, "n_clusters", sizes, within),
    KEEP(cairn_kmeans_history, inertia, total),
    KEEP_END,
};

static const cairn_kept course_keeps[] = {
    KEEP(cairn_kmeans_history, iterations, converged, reseeded),
    KEEP_SIZE(cairn_kmeans_history, n_starts, 1 << 20),
    KEEP_ARRAYS(cairn_kmeans_history, "n_starts", start_inertia),
    KEEP(cairn_kmeans_history, best_start),
    KEEP_SIZE(cairn_kmeans_history, n_values, CAIRN_KMEANS_HISTORY, .name = "n_history"),
    KEEP_ARRAY(cairn_kmeans_history, values, "n_values", .name = "history"),
    KEEP(cairn_kmeans_history, partitions, optima, given_within, given_moves),
    KEEP_AS(cairn_kmeans_history, tied, .since = 9, .absent = -1),
    KEEP_SIZE(cairn_kmeans_history, n_kept, 1 << 20),
    KEEP_ARRAYS(cairn_kmeans_history, "n_kept", kept),
    KEEP_SIZE(cairn_kmeans_history, n_sample, CAIRN_KMEANS_SAMPLE),
    KEEP_ARRAYS(cairn_kmeans_history, "2*n_sample+2*n_clusters", picture),
    KEEP_CODES(cairn_kmeans_history, groups, "n_sample", 0, "n_clusters",
               "row # is in cluster @ of ~"),
    KEEP(cairn_kmeans_history, components),
    KEEP_END,
};

static const cairn_kept history_keeps[] = {KEEP_HERE(clusters_keeps), KEEP_HERE(course_keeps),
                                           KEEP_END};

static const cairn_kept kmeans_keeps[] = {
    KEEP_SIZE(cairn_kmeans_model, n_clusters, INT32_MAX, .least = 1,
              .why = "there are no clusters"),
    KEEP_SIZE(cairn_kmeans_model, n_columns, UINT32_MAX),
    KEEP_ARRAYS(cairn_kmeans_model, "n_clusters*n_columns", centres),
    KEEP_HISTORY(clusters_keeps),
    KEEP(cairn_kmeans_model, tie),
    KEEP_HISTORY(course_keeps),
    KEEP_END,
};

static const cairn_history kmeans_history = {
    .size = sizeof(cairn_kmeans_history),
    .keeps = history_keeps,
};

/* -- fitting -- */

/* Bounds pay once fewer than one row in so many changes its cluster in a round. */
enum { QUIET = 48 };

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

/* Move the centres; *changed is set when an empty cluster was given another place. */
static cairn_status move_centres(cairn_context *ctx, cairn_kmeans_run *run, int empty_rule,
                                 size_t *emptied, bool *changed)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    size_t empty;
    double *squares, *row;
    int32_t *numbers;
    cairn_status status = CAIRN_OK;
    *changed = false;
    cairn_kmeans_move(run, &empty);
    if (!empty) return status;
    *emptied += empty;
    TRY(SCRATCH(ctx, &row, run->data->d));
    if (empty_rule == CAIRN_KMEANS_RESEED) {
        TRY(SCRATCH_RAW(ctx, &squares, run->data->n));
        *changed = reseed(run, squares, row) > 0;
    } else if (empty_rule == CAIRN_KMEANS_DROP) {
        TRY(SCRATCH(ctx, &numbers, run->k));
        /* Take the clusters without rows out. */
        size_t d = run->data->d, k = 0;
        for (size_t c = 0; c < run->k; c++) {
            numbers[c] = run->sizes[c] > 0 ? (int32_t)k : -1;
            if (numbers[c] < 0) continue;
            memmove(run->centres + k * d, run->centres + c * d, d * sizeof *run->centres);
            run->sizes[k++] = run->sizes[c];
        }
        for (size_t i = 0; i < run->data->n; i++) run->assign[i] = numbers[run->assign[i]];
        cairn_kmeans_resize(run, k);
        run->fresh = true;
    }
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

/* Every row to its nearest centre, shown if asked. */
static cairn_status assign(cairn_context *ctx, cairn_kmeans_run *run, cairn_report *steps,
                           size_t round)
{
    CHECK(cairn_kmeans_assign(ctx, run));
    return steps ? cairn_kmeans_show_round(ctx, steps, run, round) : CAIRN_OK;
}

/* Rounds from the run's centres to the end. */
static cairn_status iterate(cairn_context *ctx, cairn_kmeans_run *run,
                            const cairn_kmeans_params *params, size_t start, cairn_report *steps,
                            cairn_progress *p, size_t *emptied)
{
    const cairn_kmeans_data *data = run->data;
    *emptied = 0;
    if (params->protocol == CAIRN_KMEANS_MINI_BATCH)
        return cairn_kmeans_batches(ctx, run, params, start, steps, p);
    if (params->protocol != CAIRN_PROTOCOL_BATCH)
        return cairn_kmeans_online(ctx, run, params, start, steps, p);
    double enough = params->tolerance * data->total / data->weight / (double)data->d;
    memset(run->assign, -1, data->n * sizeof *run->assign);
    run->bounded = params->method == CAIRN_KMEANS_BOUNDS;
    run->fresh = true;
    CHECK(assign(ctx, run, steps, 1));
    CHECK(cairn_progress_start(ctx, p, run->inertia));
    while (cairn_progress_goes_on(p)) {
        bool changed;
        size_t k = run->k;
        memcpy(run->before, run->centres, k * data->d * sizeof *run->before);
        CHECK(move_centres(ctx, run, params->empty, emptied, &changed));
        if (run->can_bound && run->changes < data->n / QUIET) run->bounded = true;
        bool still = params->tolerance > 0 && !changed && run->k == k &&
                     cairn_squared_distance(run->before, run->centres, k * data->d) <= enough;
        CHECK(assign(ctx, run, steps, p->iterations + 2));
        double left = still || run->changes == 0 ? 0 : INFINITY;
        CHECK(cairn_progress_next(ctx, p, run->inertia, left, 0));
    }
    /* The sums of squares of bounded rounds are rounded differently in their last digits; the
     * final ones are made as the plain search makes them. */
    if (!run->bounded) return CAIRN_OK;
    run->bounded = false;
    CHECK(cairn_kmeans_assign(ctx, run));
    p->values[p->n_values - 1] = run->inertia;
    return CAIRN_OK;
}

static cairn_status check_clusters(cairn_context *ctx, const cairn_job *job)
{
    const cairn_kmeans_params *params = job->params;
    const cairn_view *view = job->view;
    size_t used = 0, k = (size_t)params->clusters;
    for (size_t i = 0; i < view->rows.n; i++) used += cairn_view_weight(view, i) > 0;
    if (k > used)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%zu clusters cannot be made of %zu row%s; {clusters} must be at most "
                          "%zu here",
                          k, used, used == 1 ? "" : "s", used);
    return cairn_memory_check(
        ctx, (double)view->rows.n * 12 + 8.0 * 70 * (double)k * (double)(view->n_features + 2),
        "k-means", cairn_say(ctx, "use fewer clusters or raise {memory}"));
}

/* How the given partition stands: its sum of squares, and rows nearer to another centre. */
static cairn_status judge_given(cairn_context *ctx, cairn_kmeans_history *m,
                                const cairn_kmeans_run *run, const char *given)
{
    const cairn_kmeans_data *data = run->data;
    SCOPED_SCRATCH(ctx);
    size_t d = data->d;
    int32_t *groups;
    double *row;
    m->given_within = 0;
    CHECK(cairn_given_clusters(ctx, &groups, data->n, run->k, given));
    CHECK(SCRATCH(ctx, &row, d));
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
    return CAIRN_OK;
}

/* One start; `best` (k x d) and the history are replaced if it is the best so far. */
static cairn_status try_start(cairn_context *ctx, cairn_kmeans_history *history,
                              cairn_kmeans_run *run, const cairn_kmeans_params *params,
                              size_t start, cairn_progress *p, double *best, size_t *k)
{
    size_t d = run->data->d, emptied;
    cairn_kmeans_resize(run, (size_t)params->clusters);
    CHECK(cairn_kmeans_start(ctx, run->centres, run->data, run->k, params, start, NULL));
    if (params->given && start == 0) CHECK(judge_given(ctx, history, run, params->given));
    CHECK(iterate(ctx, run, params, start, NULL, p, &emptied));
    history->start_inertia[start] = run->inertia;
    if (start > 0 && !(run->inertia < history->start_inertia[history->best_start])) return CAIRN_OK;
    history->best_start = (int32_t)start;
    history->iterations = (int64_t)p->iterations;
    history->converged = p->converged;
    history->reseeded = (int64_t)emptied;
    history->n_values = p->n_values;
    memcpy(history->values, p->values, p->n_values * sizeof *p->values);
    *k = run->k;
    memcpy(best, run->centres, run->k * d * sizeof *best);
    return CAIRN_OK;
}

static cairn_status keep_centres(cairn_context *ctx, cairn_kmeans_model *m,
                                 const cairn_kmeans_run *run)
{
    const cairn_kmeans_data *data = run->data;
    size_t k = m->n_clusters = run->k, d = m->n_columns = data->d;
    m->tie = run->last ? CAIRN_KMEANS_LAST : CAIRN_KMEANS_FIRST;
    CHECK(NEW(ctx, &m->centres, k * d));
    /* A mean that is nothing beside the numbers of its column is 0 but for rounding. */
    for (size_t i = 0; i < k * d; i++) {
        double mean = data->mean[i % d], square = mean * mean + data->spread[i % d] / data->weight;
        m->centres[i] = cairn_number_left(run->centres[i], sqrt(square));
    }
    return CAIRN_OK;
}

static cairn_status keep_history(cairn_context *ctx, cairn_kmeans_history *history,
                                 const cairn_kmeans_run *run)
{
    enum { KEPT_ROWS = 200 };
    const cairn_kmeans_data *data = run->data;
    size_t k = run->k;
    CHECK(NEW_EACH(ctx, k, &history->sizes, &history->within));
    memcpy(history->sizes, run->sizes, k * sizeof *history->sizes);
    memcpy(history->within, run->within, k * sizeof *history->within);
    history->inertia = run->inertia;
    history->total = data->total;
    CHECK(cairn_kmeans_count_ties(ctx, run, &history->tied));
    CHECK(NEW(ctx, &history->kept, data->n <= KEPT_ROWS ? data->n : 0));
    history->n_kept = data->n <= KEPT_ROWS ? data->n : 0;
    memcpy(history->kept, run->assign, history->n_kept * sizeof *history->kept);
    return cairn_kmeans_keep_picture(ctx, history, run);
}

/* All starts, then the best one again: its last assignment, or all of it when it is to be shown. */
static cairn_status run_starts(cairn_context *ctx, cairn_kmeans_history *history,
                               cairn_kmeans_run *run, const cairn_job *job)
{
    const cairn_kmeans_params *params = job->params;
    size_t d = run->data->d, k = run->k, best_k = k, emptied;
    cairn_progress p = {.what = "k-means", .most = (size_t)params->max_iter};
    double *best;
    p.keep = CAIRN_KMEANS_HISTORY;
    history->n_starts = cairn_kmeans_start_is_random(params) ? (size_t)params->starts : 1;
    CHECK(NEW(ctx, &history->start_inertia, history->n_starts));
    CHECK(NEW(ctx, &history->values, CAIRN_KMEANS_HISTORY));
    CHECK(SCRATCH(ctx, &best, k * d));
    for (size_t s = 0; s < history->n_starts; s++)
        CHECK(try_start(ctx, history, run, params, s, &p, best, &best_k));
    if (job->steps) {
        cairn_kmeans_resize(run, k);
        CHECK(cairn_kmeans_start(ctx, run->centres, run->data, k, params,
                                 (size_t)history->best_start, job->steps));
        return iterate(ctx, run, params, (size_t)history->best_start, job->steps, &p, &emptied);
    }
    if (history->n_starts == 1) return CAIRN_OK;
    cairn_kmeans_resize(run, best_k);
    memcpy(run->centres, best, best_k * d * sizeof *best);
    run->bounded = false;
    return cairn_kmeans_assign(ctx, run);
}

static cairn_status run_exact(cairn_context *ctx, cairn_kmeans_history *history,
                              cairn_kmeans_run *run, const cairn_job *job)
{
    run->bounded = false;
    CHECK(cairn_kmeans_exact(ctx, run->data, run->k, run->centres, &history->partitions,
                             &history->optima));
    CHECK(assign(ctx, run, job->steps, 1));
    history->converged = true;
    CHECK(NEW(ctx, &history->start_inertia, 0));
    return NEW(ctx, &history->values, 0);
}

static cairn_status kmeans_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const cairn_kmeans_params *params = job->params;
    cairn_kmeans_history own = {0};
    SCOPED_KEPT(history_keeps, &own);
    cairn_kmeans_history *history = job->history ? job->history : &own;
    cairn_kmeans_data data;
    cairn_kmeans_run run;
    size_t k = (size_t)params->clusters;
    history->given_within = NAN;
    CHECK(check_clusters(ctx, job));
    CHECK(cairn_kmeans_data_make(ctx, &data, job->view, k, params->form == CAIRN_KMEANS_SPHERICAL));
    CHECK(cairn_kmeans_run_make(ctx, &run, &data, k, params));
    CHECK((params->exact ? run_exact : run_starts)(ctx, history, &run, job));
    CHECK(cairn_kmeans_prove(ctx, job->certificate, &run, params, history->converged));
    CHECK(keep_centres(ctx, model, &run));
    if (job->history) CHECK(keep_history(ctx, history, &run));
    return CAIRN_OK;
}

/* -- predicting -- */

typedef struct prediction_run {
    const cairn_kmeans_model *m;
    double *ordered;
    int32_t *codes;   /* NULL = not wanted */
    double *distance; /* NULL = not wanted */
    double *scores;   /* n x n_clusters; NULL = not wanted */
} prediction_run;

/* Memberships of one row; of a tie the first centre has no more than the others. */
static void score_row(const cairn_kmeans_model *m, const double *row, double *scores)
{
    for (size_t c = 0; c < m->n_clusters; c++)
        scores[c] = cairn_squared_distance(row, m->centres + c * m->n_columns, m->n_columns);
    cairn_memberships_fuzzy(scores, scores, m->n_clusters, 2);
}

static void predict_piece(void *data, const cairn_piece *piece, double *sums)
{
    const prediction_run *run = data;
    const cairn_kmeans_model *m = run->m;
    double squares[CAIRN_PIECE_ROWS];
    int32_t nearest[CAIRN_PIECE_ROWS];
    size_t n = piece->n;
    (void)sums;
    cairn_kmeans_nearest(nearest, squares, piece->z, n, m->n_columns, run->ordered, m->n_clusters,
                         m->tie == CAIRN_KMEANS_LAST);
    if (run->codes) memcpy(run->codes + piece->first, nearest, n * sizeof *nearest);
    for (size_t i = 0; run->distance && i < n; i++)
        run->distance[piece->first + i] = sqrt(squares[i]);
    for (size_t i = 0; run->scores && i < n; i++)
        score_row(m, piece->z + i * m->n_columns, run->scores + (piece->first + i) * m->n_clusters);
}

/* Codes, distances and memberships in one pass over the rows, as they are wanted. */
static cairn_status kmeans_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                   const cairn_job *job)
{
    const cairn_kmeans_params *params = job->params;
    const cairn_kmeans_model *m = model;
    prediction_run run = {.m = m, .codes = out->codes, .scores = out->scores};
    cairn_row_sum sum = {.piece = predict_piece, .data = &run};
    cairn_matrix_options options = {.n_terms = m->n_columns,
                                    .unit = params->form == CAIRN_KMEANS_SPHERICAL};
    size_t d = m->n_columns;
    cairn_row_matrix x;
    CHECK(cairn_matrix_open(ctx, &x, job->view, &options));
    CHECK(SCRATCH(ctx, &run.ordered, cairn_product(m->n_clusters, d)));
    if (out->extra) CHECK(SCRATCH(ctx, &run.distance, job->view->rows.n));
    cairn_kmeans_order(run.ordered, m->centres, m->n_clusters, d, m->tie == CAIRN_KMEANS_LAST);
    CHECK(cairn_matrix_sum(ctx, &x, &sum, NULL));
    out->codes_set = true;
    out->n_classes = m->n_clusters;
    if (out->extra) CHECK(cairn_table_put_numbers(ctx, out->extra, "distance", run.distance));
    return CAIRN_OK;
}

static const cairn_output kmeans_outputs[] = {
    {"distance", "distance to the centre of the cluster"},
    {0},
};

static size_t kmeans_clusters(const void *model)
{
    return ((const cairn_kmeans_model *)model)->n_clusters;
}

/* Centres from a file are in the units of the data, which must stay; so must the angles between
 * rows. */
static unsigned kmeans_accepts(const void *params)
{
    const cairn_kmeans_params *p = params;
    unsigned accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_USES_DISTANCES;
    bool own = cairn_kmeans_start_is_file(params) || p->form == CAIRN_KMEANS_SPHERICAL;
    return own ? accepts : accepts | CAIRN_WANTS_SCALING;
}

const cairn_learner cairn_kmeans = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "kmeans",
            .also = "k-means, Lloyd algorithm, k-means++, mini-batch k-means, spherical k-means, "
                    "SimpleKMeans, MiniBatchKMeans (protocol=mini-batch)",
            .about = "initial choice of cluster centres, initial centres, stationary points of "
                     "clustering",
            .title = "k-means clustering",
            .summary =
                "Puts the rows into k clusters around centres, so that the squared Euclidean "
                "distances to the centres add up to little. It alternates between assigning every "
                "row to its nearest centre and moving the centres to the means of their rows; the "
                "best of several starts is kept. Columns are standardised first unless --scale "
                "says otherwise, the first centres come from a file, in its units, or the form is "
                "spherical. Scores are memberships in proportion to 1 / d², d being the distance "
                "to a centre.",
            .references = "Lloyd, Least squares quantization in PCM, IEEE Transactions on "
                          "Information Theory 28 (1982); Arthur and Vassilvitskii, k-means++: the "
                          "advantages of careful seeding (2007)",
            .example = "cairn fit kmeans @iris --ignore species --clusters 3",
            .params = kmeans_params,
            .params_size = sizeof(cairn_kmeans_params),
            .check = cairn_kmeans_check,
        },
    .tasks = CAIRN_CLUSTER,
    .space = "clusters=2:8",
    .accepts =
        CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_USES_DISTANCES | CAIRN_WANTS_SCALING,
    .accepts_with = kmeans_accepts,
    .traits = CAIRN_PREDICTIVE | CAIRN_UNSUPERVISED | CAIRN_GEOMETRIC | CAIRN_GROUPING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_kmeans_model),
    .tables = cairn_kmeans_tables,
    .gives_scores = true,
    .sets_codes = true,
    .clusters = kmeans_clusters,
    .outputs = kmeans_outputs,
    .fit = kmeans_fit,
    .update = cairn_kmeans_update,
    .lower = cairn_kmeans_lower,
    .predict = kmeans_predict,
    .describe = cairn_kmeans_describe,
    .explain = cairn_kmeans_explain,
    .history = &kmeans_history,
    .keeps = kmeans_keeps,
    .parameters = "n_clusters*n_columns",
    .columns = "n_columns",
};
