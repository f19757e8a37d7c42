/* SPDX-License-Identifier: MIT */
/* k-medoids: k of the rows such that the rows are near to them, by any distance.
 *
 * Problem: minimise Q = sum_i w_i d(x_i, m(i)), where m(i) is the medoid nearest to row i. Exact
 * answers are out of reach for many rows; the method finds a set of medoids that no swap of one of
 * them for another row improves.
 *
 * Method:
 * 1. First medoids are built, drawn or given (kmedoids_start.c).
 * 2. pam and eager: medoids are swapped for other rows while that lowers Q (kmedoids_swap.c).
 *    alternate: rows are assigned, and medoids moved within their clusters (kmedoids_alternate.c).
 * 3. Several random starts are made and the best one is kept (the first of equal ones).
 * Very many rows: 1 and 2 on samples, judged by all rows (kmedoids_sample.c).
 *
 * A row as near to several medoids, to a part in 1e12, goes to the first. Rows of weight 0 are left
 * out; a weight counts as so many equal rows.
 *
 * Cost: pam and eager about n² per round, and n² numbers of memory; alternate the squared sizes of
 * the clusters; samples n k.
 *
 * Sources: Kaufman and Rousseeuw, Finding groups in data (1990); Schubert and Rousseeuw, Fast and
 * eager k-medoids clustering (2021). */
#include "model/kept_parts.h"
#include "base/memory.h"
#include "base/text.h"
#include "learners/cluster/kmedoids.h"
#include "model/by_distance.h"
#include "rows/used.h"
#include "stats/memberships.h"
#include <math.h>
#include <string.h>

enum { PAM_ROWS = 2000, MOST_ROWS = 20000, ASKED = 4096 };

static const cairn_choice methods[] = {
    {"auto", CAIRN_KMEDOIDS_AUTO,
     "pam up to 2000 rows, eager up to 20000, sample for more or when all distances do not fit "
     "into memory"},
    {"pam", CAIRN_KMEDOIDS_PAM, "the best swap of a medoid and another row, until none improves"},
    {"eager", CAIRN_KMEDOIDS_EAGER,
     "rows in turn, each swapped with the medoid that it improves most as soon as it improves; it "
     "ends where no swap improves, too"},
    {"alternate", CAIRN_KMEDOIDS_ALTERNATE,
     "assign the rows, then take the member of least summed distance"},
    {"sample", CAIRN_KMEDOIDS_SAMPLE,
     "eager within samples, the best for all rows is kept, as CLARA does"},
    {0},
};

static const cairn_param kmedoids_params[] = {
    CAIRN_PARAM(cairn_kmedoids_params, clusters, NULL, "[1,inf)", "number of clusters",
                .often = true),
    CAIRN_DISTANCE_PARAM(cairn_kmedoids_params),
    CAIRN_PARAM_CHOICE(cairn_kmedoids_params, method, "auto", methods, "how medoids are found",
                       .when = "!exact", .often = true),
    CAIRN_PARAM(cairn_kmedoids_params, init, "build", NULL,
                "first medoids: build (one after the other, each the best), plusplus (far rows are "
                "likelier), random (rows), first (the first rows), or row numbers such as 1,17,40",
                .when = "!given,!exact,!method=sample", .often = true),
    CAIRN_PARAM_AS(cairn_kmedoids_params, given, CAIRN_TYPE_LIST, NULL,
                   "cluster numbers of all rows: start from the medoids of this partition",
                   .when = "!exact,!method=sample"),
    CAIRN_PARAM(cairn_kmedoids_params, starts, "10", "[1,10000]", "random starts, the best is kept",
                .when = "init=plusplus|random,!given,!exact,!method=sample"),
    CAIRN_PARAM(cairn_kmedoids_params, max_iter, "100000", "[0,inf)",
                "most swaps, or rounds of alternate, of a start", .when = "!exact"),
    CAIRN_PARAM(cairn_kmedoids_params, samples, "5", "[1,10000]", "samples that are drawn",
                .when = "method=sample|auto,!exact"),
    CAIRN_PARAM(cairn_kmedoids_params, sample_size, "0", "[0,20000]",
                "rows of a sample; 0 = 200 and 20 for each cluster",
                .when = "method=sample|auto,!exact"),
    CAIRN_PARAM(cairn_kmedoids_params, exact, "no", NULL,
                "try all sets of medoids instead (tiny data only) and give the best"),
    CAIRN_PARAM_END,
};

const char *cairn_kmedoids_method_name(int method)
{
    for (const cairn_choice *c = methods; c->name; c++)
        if (c->value == method) return c->name;
    return "exact";
}

static cairn_status kmedoids_check(cairn_context *ctx, const void *values)
{
    const cairn_kmedoids_params *p = values;
    CHECK(cairn_metric_check(ctx, cairn_say(ctx, "{distance}"), p->distance));
    return cairn_kmedoids_check_start(ctx, p);
}

static unsigned kmedoids_accepts(const void *params)
{
    return cairn_distance_accepts(((const cairn_kmedoids_params *)params)->distance);
}

/* -- fitting -- */

void cairn_kmedoids_note(cairn_kmedoids_course *course, double cost)
{
    if (course->history && course->n_history < CAIRN_KMEDOIDS_HISTORY)
        course->history[course->n_history++] = cost;
}

typedef struct fitting {
    const cairn_job *job;
    cairn_view view; /* rows that have weight */
    cairn_distance_rows rows;
    cairn_medoid_rows x;
    double *owned; /* all distances, unless they are borrowed */
    int method;
} fitting;

static void clear_fitting(fitting *f)
{
    cairn_distance_rows_clear(&f->rows);
    cairn_free(f->owned);
}

/* Without a method of the user's own the number of rows decides, so that the answer is the same
 * everywhere; and memory, where there is too little. */
static int choose_method(cairn_context *ctx, const cairn_kmedoids_params *p, size_t n, bool given)
{
    double bytes = 8.0 * (double)n * (double)n;
    if (p->exact) return CAIRN_KMEDOIDS_EXACT;
    if (p->method != CAIRN_KMEDOIDS_AUTO) return p->method;
    if (n > MOST_ROWS) return CAIRN_KMEDOIDS_SAMPLE;
    if (!given && bytes > 0.9 * (double)cairn_memory_available(ctx)) {
        cairn_warn(ctx,
                   "there is no memory for the distances of all pairs of %zu rows: medoids are "
                   "those of samples ({method}); raise {memory} for better ones",
                   n);
        return CAIRN_KMEDOIDS_SAMPLE;
    }
    return n <= PAM_ROWS ? CAIRN_KMEDOIDS_PAM : CAIRN_KMEDOIDS_EAGER;
}

static cairn_status check_clusters(cairn_context *ctx, const cairn_kmedoids_params *p, size_t n)
{
    if ((size_t)p->clusters <= n) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%d medoids cannot be found among %zu row%s; {clusters} must be at most %zu "
                      "here",
                      p->clusters, n, n == 1 ? "" : "s", n);
}

/* All distances are held but for samples; alternate does without where there is no room. */
static cairn_status hold_distances(cairn_context *ctx, fitting *f)
{
    const cairn_kmedoids_params *p = f->job->params;
    size_t n = f->x.n;
    bool needed =
        f->method != CAIRN_KMEDOIDS_ALTERNATE || (!p->given && cairn_same(p->init, "build"));
    if (f->method == CAIRN_KMEDOIDS_SAMPLE) return CAIRN_OK;
    if (!needed &&
        (n > MOST_ROWS || 8.0 * (double)n * (double)n > 0.9 * (double)cairn_memory_available(ctx)))
        return CAIRN_OK;
    if (!f->rows.given)
        CHECK(cairn_distances_fit(
            ctx, n, 16, cairn_say(ctx, "{method sample} needs little memory, or raise {memory}")));
    return cairn_medoid_lines(ctx, &f->x, &f->rows, NULL, &f->owned);
}

static cairn_status open_rows(cairn_context *ctx, fitting *f)
{
    const cairn_kmedoids_params *p = f->job->params;
    double *weights;
    CHECK(cairn_view_used(ctx, &f->view, f->job->view));
    size_t n = f->view.rows.n;
    CHECK(check_clusters(ctx, p, n));
    CHECK(cairn_distance_rows_open(ctx, &f->rows, &f->view, p->distance));
    f->x = (cairn_medoid_rows){.view = &f->view, .all = f->job->view, .rows = &f->rows, .n = n};
    if (cairn_view_is_weighted(&f->view)) {
        CHECK(SCRATCH_RAW(ctx, &weights, n));
        cairn_view_weights(&f->view, 0, n, weights);
        f->x.weights = weights;
    }
    f->method = choose_method(ctx, p, n, f->rows.given);
    return hold_distances(ctx, f);
}

/* From the first medoids of a start to the end. */
static cairn_status run_start(cairn_context *ctx, const fitting *f, cairn_medoids *m, size_t start,
                              cairn_kmedoids_course *course, cairn_kmedoids_steps *steps)
{
    const cairn_kmedoids_params *p = f->job->params;
    *course = (cairn_kmedoids_course){.most = (size_t)p->max_iter, .history = course->history};
    CHECK(cairn_kmedoids_start(ctx, m, p, start, steps));
    CHECK(cairn_medoids_assign(ctx, m));
    cairn_kmedoids_note(course, m->cost);
    cairn_kmedoids_show_state(steps, m, "Assign every row to its nearest medoid");
    if (f->method == CAIRN_KMEDOIDS_ALTERNATE)
        return cairn_kmedoids_alternate(ctx, m, course, steps);
    return (f->method == CAIRN_KMEDOIDS_PAM ? cairn_kmedoids_pam
                                            : cairn_kmedoids_eager)(ctx, m, course, steps);
}

static void keep_course(cairn_kmedoids_account *account, const cairn_kmedoids_course *course)
{
    account->iterations = (int64_t)course->iterations;
    account->converged = course->converged;
    account->ties = course->ties;
    account->n_history = course->n_history;
    memcpy(account->history, course->history, course->n_history * sizeof *course->history);
}

/* All starts; the steps are those of the best one, which is run again to show them. */
static cairn_status run_starts(cairn_context *ctx, const fitting *f, cairn_medoids *m,
                               cairn_kmedoids_account *account)
{
    cairn_kmedoids_steps quiet = {0}, shown = {.out = f->job->steps};
    cairn_kmedoids_course course = {0};
    uint32_t *best;
    double least = INFINITY;
    CHECK(SCRATCH_RAW(ctx, &best, m->k));
    CHECK(SCRATCH(ctx, &course.history, CAIRN_KMEDOIDS_HISTORY));
    for (size_t s = 0; s < account->n_starts; s++) {
        bool show = account->n_starts == 1;
        CHECK(run_start(ctx, f, m, s, &course, show ? &shown : &quiet));
        account->costs[s] = m->cost;
        if (!(m->cost < least)) continue;
        least = m->cost;
        account->best = (int32_t)s;
        keep_course(account, &course);
        memcpy(best, m->rows, m->k * sizeof *best);
    }
    if (account->n_starts > 1 && shown.out)
        CHECK(run_start(ctx, f, m, (size_t)account->best, &course, &shown));
    memcpy(m->rows, best, m->k * sizeof *best);
    return cairn_medoids_assign(ctx, m);
}

static cairn_status run_method(cairn_context *ctx, const fitting *f, cairn_medoids *m,
                               cairn_kmedoids_account *account)
{
    const cairn_kmedoids_params *p = f->job->params;
    cairn_kmedoids_steps steps = {.out = f->job->steps};
    bool sample = f->method == CAIRN_KMEDOIDS_SAMPLE, exact = f->method == CAIRN_KMEDOIDS_EXACT;
    account->method = f->method;
    account->n_starts = sample                        ? (size_t)p->samples
                        : exact                       ? 0
                        : cairn_kmedoids_is_random(p) ? (size_t)p->starts
                                                      : 1;
    CHECK(NEW(ctx, &account->costs, account->n_starts));
    CHECK(NEW(ctx, &account->history, CAIRN_KMEDOIDS_HISTORY));
    if (sample) return cairn_kmedoids_sampled(ctx, m, p, account, f->job->steps);
    if (!exact) return run_starts(ctx, f, m, account);
    account->converged = true;
    CHECK(cairn_kmedoids_exact(ctx, m, account, &steps));
    cairn_kmedoids_show_state(&steps, m, "The rows around the best medoids");
    return CAIRN_OK;
}

/* -- keeping what came of it -- */

static cairn_status keep_medoids(cairn_context *ctx, cairn_kmedoids_model *model, const fitting *f,
                                 const cairn_medoids *m)
{
    model->n_clusters = m->k;
    CHECK(NEW_RAW(ctx, &model->numbers, m->k));
    for (size_t c = 0; c < m->k; c++)
        model->numbers[c] = (uint32_t)cairn_view_row(&f->view, m->rows[c]);
    return cairn_distance_rows_keep(ctx, &model->rows, &f->rows, m->rows, m->k);
}

/* Numbers and codes of the medoids' cells, to show them. */
static cairn_status keep_values(cairn_context *ctx, cairn_kmedoids_account *account,
                                const fitting *f, const cairn_medoids *m)
{
    const cairn_view *view = &f->view;
    bool shown = !f->rows.given;
    for (size_t j = 0; j < view->n_features; j++)
        shown &= view->features[j]->kind == CAIRN_NUMBER || view->features[j]->kind == CAIRN_LEVEL;
    account->n_values = shown ? view->n_features : 0;
    CHECK(NEW_RAW(ctx, &account->values, cairn_product(m->k, account->n_values)));
    for (size_t c = 0; c < m->k; c++)
        for (size_t j = 0; j < account->n_values; j++) {
            const cairn_column *column = view->features[j];
            size_t row = cairn_view_row(view, m->rows[c]);
            bool number = column->kind == CAIRN_NUMBER;
            double x = number ? column->numbers[row] : (double)column->codes[row];
            account->values[c * account->n_values + j] = !number && x < 0 ? NAN : x;
        }
    return CAIRN_OK;
}

static cairn_status keep_account(cairn_context *ctx, cairn_kmedoids_account *account,
                                 const fitting *f, const cairn_medoids *m)
{
    size_t n = f->x.n;
    CHECK(NEW_EACH(ctx, m->k, &account->sizes, &account->within, &account->widest));
    account->cost = m->cost;
    for (size_t i = 0; i < n; i++) {
        double w = cairn_medoid_weight(&f->x, i);
        size_t c = (size_t)m->nearest[i];
        account->sizes[c] += w;
        account->within[c] += w * m->near[i];
        account->widest[c] = fmax(account->widest[c], m->near[i]);
        account->tied += cairn_medoids_tie(m->near[i], m->next[i], m->near[i]);
    }
    account->n_kept = f->job->view->rows.n == n && n <= CAIRN_KMEDOIDS_KEPT ? n : 0;
    CHECK(NEW(ctx, &account->kept, account->n_kept));
    memcpy(account->kept, m->nearest, account->n_kept * sizeof *account->kept);
    return keep_values(ctx, account, f, m);
}

static const cairn_kept account_keeps[] = {
    KEEP(cairn_kmedoids_account, method),
    KEEP_ARRAYS(cairn_kmedoids_account, "n_clusters", sizes, within, widest),
    KEEP(cairn_kmedoids_account, cost, iterations, converged, tied, ties, sets, optima, sample),
    KEEP_SIZE(cairn_kmedoids_account, n_starts, 1 << 20),
    KEEP_ARRAYS(cairn_kmedoids_account, "n_starts", costs),
    KEEP(cairn_kmedoids_account, best),
    KEEP_SIZE(cairn_kmedoids_account, n_history, CAIRN_KMEDOIDS_HISTORY),
    KEEP_ARRAYS(cairn_kmedoids_account, "n_history", history),
    KEEP_SIZE(cairn_kmedoids_account, n_values, UINT32_MAX),
    KEEP_ARRAYS(cairn_kmedoids_account, "n_clusters*n_values", values),
    KEEP_SIZE(cairn_kmedoids_account, n_kept, CAIRN_KMEDOIDS_KEPT),
    KEEP_CODES(cairn_kmedoids_account, kept, "n_kept", 0, "n_clusters", "row # is in no cluster"),
    KEEP_END,
};

static cairn_status kmedoids_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const cairn_kmedoids_params *p = job->params;
    cairn_kmedoids_account own = {0};
    SCOPED_KEPT(account_keeps, &own);
    cairn_kmedoids_account *account = job->account ? job->account : &own;
    SCOPED(clear_fitting) fitting f = {.job = job};
    cairn_medoids m;
    account->ties = NAN;
    CHECK(open_rows(ctx, &f));
    CHECK(cairn_medoids_make(ctx, &m, &f.x, (size_t)p->clusters));
    CHECK(run_method(ctx, &f, &m, account));
    CHECK(cairn_kmedoids_prove(ctx, job->certificate, &m, f.method, account->converged));
    CHECK(keep_medoids(ctx, model, &f, &m));
    return job->account ? keep_account(ctx, account, &f, &m) : CAIRN_OK;
}

/* -- predicting -- */

/* What is told of a row beside its cluster; NaN where it cannot be compared. */
typedef struct answers {
    double *distance, *next, *next_distance; /* n; NULL = not wanted */
} answers;

/* Memberships by the squared distances; none where a distance is not known. */
static void member_row(double *scores, const double *distances, size_t k)
{
    for (size_t c = 0; c < k; c++) scores[c] = distances[c] * distances[c];
    cairn_memberships_fuzzy(scores, scores, k, 2);
}

/* The first of the nearest medoids, and the nearest of the others. */
static void answer_row(cairn_prediction *out, const answers *a, size_t row, const double *distances,
                       size_t k)
{
    size_t best = k, other = k;
    for (size_t c = 0; c < k; c++)
        if (!isnan(distances[c]) && (best == k || distances[c] < distances[best] * (1 - 1e-12)))
            best = c;
    for (size_t c = 0; c < k; c++)
        if (c != best && !isnan(distances[c]) && (other == k || distances[c] < distances[other]))
            other = c;
    if (out->codes) out->codes[row] = best < k ? (int32_t)best : -1;
    if (out->scores) member_row(out->scores + row * k, distances, k);
    if (!a->distance) return;
    a->distance[row] = best < k ? distances[best] : NAN;
    a->next[row] = other < k ? (double)other + 1 : NAN;
    a->next_distance[row] = other < k ? distances[other] : NAN;
}

static cairn_status answer_all(cairn_context *ctx, cairn_prediction *out, const answers *a,
                               const cairn_kmedoids_model *m, const cairn_distance_rows *asked)
{
    SCOPED_SCRATCH(ctx);
    size_t k = m->n_clusters, n = asked->n;
    uint32_t *which;
    double *distances;
    CHECK(SCRATCH_RAW(ctx, &which, ASKED));
    CHECK(SCRATCH_RAW(ctx, &distances, cairn_product(ASKED, k)));
    for (size_t first = 0; first < n; first += ASKED) {
        size_t some = n - first < ASKED ? n - first : ASKED;
        for (size_t i = 0; i < some; i++) which[i] = (uint32_t)(first + i);
        CHECK(cairn_distances_block(ctx, asked, which, some, &m->rows, 0, k, distances, k));
        for (size_t i = 0; i < some; i++) answer_row(out, a, first + i, distances + i * k, k);
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    return CAIRN_OK;
}

static cairn_status kmedoids_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                     const cairn_job *job)
{
    const cairn_kmedoids_model *m = model;
    size_t n = job->view->rows.n;
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows asked = {0};
    answers a = {0};
    CHECK(cairn_distance_rows_like(ctx, &asked, &m->rows, job->view));
    if (out->extra) {
        CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &a.distance, &a.next, &a.next_distance));
    }
    CHECK(answer_all(ctx, out, &a, m, &asked));
    out->codes_set = true;
    out->n_classes = m->n_clusters;
    if (!out->extra) return CAIRN_OK;
    CHECK(cairn_table_put_numbers(ctx, out->extra, "distance", a.distance));
    CHECK(cairn_table_put_numbers(ctx, out->extra, "next", a.next));
    return cairn_table_put_numbers(ctx, out->extra, "next_distance", a.next_distance);
}

/* -- the file -- */

static const cairn_kept kmedoids_keeps[] = {
    KEEP_SIZE(cairn_kmedoids_model, n_clusters, INT32_MAX),
    KEEP_ARRAYS(cairn_kmedoids_model, "n_clusters", numbers),
    KEEP_PART(cairn_kmedoids_model, rows, .part = &cairn_kept_distance_rows),
    KEEP_COUNT(cairn_kmedoids_model, rows.n),
    KEEP_SAME("n_clusters", "rows.n", "there are $ clusters and ~ medoids"),
    KEEP_FITS("1", "n_clusters", "there are ~ clusters and ~ medoids"),
    KEEP_END,
};

static const cairn_account kmedoids_account = {
    .size = sizeof(cairn_kmedoids_account),
    .keeps = account_keeps,
};

static cairn_status kmedoids_check_model(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_kmedoids_model *m = model;
    const cairn_kmedoids_params *p = job->params;
    const cairn_kmedoids_account *account = job->account;
    size_t columns = m->rows.given ? m->rows.width : m->rows.metric.n_columns;
    CHECK(cairn_check_columns(a, job, columns));
    if (account && account->n_values) CHECK(cairn_check_columns(a, job, account->n_values));
    return cairn_distance_rows_check(a, &m->rows, columns, p->distance);
}

static size_t kmedoids_clusters(const void *model)
{
    return ((const cairn_kmedoids_model *)model)->n_clusters;
}

static const cairn_output kmedoids_outputs[] = {
    {"distance", "distance to the medoid of the cluster"},
    {"next", "the cluster whose medoid is next"},
    {"next_distance", "the distance to that one"},
    {0},
};

const cairn_learner cairn_kmedoids = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "kmedoids",
            .also = "k-medoids, PAM, partitioning around medoids, CLARA, FasterPAM, exemplars, "
                    "k-medians",
            .title = "k-medoids clustering",
            .summary =
                "Puts the rows into k clusters around medoids, which are rows themselves, so that "
                "the distances to the medoids add up to little. Any distance of 'cairn list "
                "distances' will do, or a matrix of distances (--as distances); gower takes levels "
                "and missing cells. Medoids are swapped for other rows until no swap improves "
                "(PAM), or moved within their clusters (--method alternate). New rows go to the "
                "nearest medoid; scores are memberships in proportion to 1 / d², d being the "
                "distance to a medoid. Columns are standardised first where their scale matters, "
                "unless "
                "--scale says otherwise.",
            .references = "Kaufman and Rousseeuw, Finding groups in data (1990); Schubert and "
                          "Rousseeuw, Fast and eager k-medoids clustering, Information Systems 101 "
                          "(2021)",
            .example = "cairn fit kmedoids @iris --ignore species --clusters 3",
            .params = kmedoids_params,
            .params_size = sizeof(cairn_kmedoids_params),
            .check = kmedoids_check,
        },
    .tasks = CAIRN_CLUSTER,
    .aims = "sum of the distances to the medoids",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_DISTANCES |
               CAIRN_USES_DISTANCES | CAIRN_ACCEPTS_BAGS | CAIRN_WANTS_SCALING,
    .accepts_with = kmedoids_accepts,
    .traits = CAIRN_PREDICTIVE | CAIRN_UNSUPERVISED | CAIRN_GEOMETRIC | CAIRN_GROUPING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_kmedoids_model),
    .tables = cairn_kmedoids_tables,
    .gives_scores = true,
    .sets_codes = true,
    .outputs = kmedoids_outputs,
    .fit = kmedoids_fit,
    .lower = cairn_kmedoids_lower,
    .predict = kmedoids_predict,
    .describe = cairn_kmedoids_describe,
    .explain = cairn_kmedoids_explain,
    .account = &kmedoids_account,
    .keeps = kmedoids_keeps,
    .parameters = "n_clusters",
    .check = kmedoids_check_model,
    .clusters = kmedoids_clusters,
};
