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
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "kernels/medoid_scan.h"
#include "learners/cluster/kmedoids.h"
#include "learners/neighbours/exemplars_lower.h"
#include "model/by_distance.h"
#include "model/kept_parts.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include "rows/used.h"
#include "stats/memberships.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* k-medoids as a program: the nearest of the medoids, which are a table. */

static cairn_status cairn_kmedoids_lower(const void *model, const cairn_job *job,
                                         cairn_program *out)
{
    const cairn_kmedoids_model *m = model;
    int32_t *codes;
    (void)job;
    if (m->rows.given)
        return cairn_program_refuse(out,
                                    "its rows are distances, and there are no columns to read");
    CHECK(SCRATCH_RAW(out->ctx, &codes, m->n_clusters));
    for (size_t c = 0; c < m->n_clusters; c++) codes[c] = (int32_t)c;
    return cairn_nearest_lower(&m->rows.metric, &m->rows.points, codes, m->n_clusters, out);
}

/* The best medoids of a few rows, by trying all sets of k of them: rows rise within a set, and what
 * a set of fewer rows leaves between every row and the nearest of them is handed on. */

static const double MOST_WORK = 2e9;

typedef struct search {
    cairn_context *ctx;
    const cairn_medoid_rows *x;
    size_t k;
    uint32_t *rows;  /* k: the set so far */
    uint32_t *found; /* k: the best set */
    double *near;    /* (k + 1) x n: distance to the nearest of the first so many rows of the set */
    double best, optima;
    uint64_t steps;
    cairn_kmedoids_steps *shown;
} search;

/* A whole set; equally good ones are counted and the first of them is kept. */
static void judge(search *s)
{
    const double *near = s->near + s->k * s->x->n;
    double cost = 0;
    for (size_t i = 0; i < s->x->n; i++) cost += cairn_medoid_weight(s->x, i) * near[i];
    cairn_kmedoids_show_set(s->shown, s->x, s->rows, s->k, cost);
    if (isfinite(s->best) && cairn_medoids_tie(cost, s->best, s->best)) {
        s->optima++;
        return;
    }
    if (!(cost < s->best)) return;
    s->best = cost;
    s->optima = 1;
    memcpy(s->found, s->rows, s->k * sizeof *s->found);
}

/* Row number `depth` of the set is one from `from` on. */
static cairn_status extend(search *s, size_t depth, size_t from)
{
    size_t n = s->x->n;
    const double *before = s->near + depth * n;
    double *near = s->near + (depth + 1) * n;
    if (depth == s->k) {
        judge(s);
        return ++s->steps % 4096 ? CAIRN_OK : cairn_tick(s->ctx, "all sets", 0, 1);
    }
    for (size_t row = from; row + (s->k - depth) <= n; row++) {
        const double *line = s->x->lines[row];
        s->rows[depth] = (uint32_t)row;
        for (size_t i = 0; i < n; i++) near[i] = fmin(before[i], line[i]);
        CHECK(extend(s, depth + 1, row + 1));
    }
    return CAIRN_OK;
}

/* The number of sets is counted before the search: beyond the limit the program would seem to
 * hang. */
static cairn_status check_sets(cairn_context *ctx, size_t n, size_t k, double *sets)
{
    char count[CAIRN_NUMBER_SIZE];
    *sets = 1;
    for (size_t c = 0; c < k; c++) *sets = *sets * (double)(n - c) / (double)(c + 1);
    *sets = floor(*sets + 0.5);
    if (*sets * (double)n <= MOST_WORK && k <= 64) return CAIRN_OK;
    cairn_number_format(count, *sets, 3);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "{exact} would try %s sets of %zu medoids among %zu rows, which takes too "
                      "long; leave it out or use fewer rows",
                      count, k, n);
}

static cairn_status cairn_kmedoids_exact(cairn_context *ctx, cairn_medoids *m,
                                         cairn_kmedoids_history *history,
                                         cairn_kmedoids_steps *steps)
{
    SCOPED_SCRATCH(ctx);
    size_t n = m->x->n;
    search s = {.ctx = ctx, .x = m->x, .k = m->k, .best = INFINITY, .shown = steps};
    CHECK(check_sets(ctx, n, m->k, &history->sets));
    CHECK(SCRATCH_EACH(ctx, m->k, &s.rows, &s.found));
    CHECK(SCRATCH_RAW(ctx, &s.near, cairn_product(m->k + 1, n)));
    for (size_t i = 0; i < n; i++) s.near[i] = INFINITY;
    cairn_report_step_begin(steps->out, "All sets of medoids");
    cairn_report_formula(steps->out, "Q = Σ distance of a row to the nearest medoid");
    cairn_report_table_of(steps->out, "Cost of every set", 0, "lr", "medoids (rows)", "Q");
    CHECK(extend(&s, 0, 0));
    cairn_report_table_end(steps->out);
    cairn_report_step_end(steps->out);
    memcpy(m->rows, s.found, m->k * sizeof *m->rows);
    history->optima = s.optima;
    return cairn_medoids_assign(ctx, m);
}

/* k-medoids of many rows by samples.
 *
 * 1. Some rows are drawn, each as likely as any other, and their medoids are found by build and
 *    eager swaps.
 * 2. All rows are assigned to these medoids: the cost is that of all rows.
 * 3. The next sample has the best medoids so far among its rows. The best of all samples is kept.
 *
 * Memory: the distances within a sample, and a few numbers per row.
 *
 * Source: Kaufman and Rousseeuw, Finding groups in data (1990), CLARA. */

/* Rows of a sample. */
static size_t cairn_kmedoids_sample_size(const cairn_kmedoids_params *params, size_t n)
{
    size_t k = (size_t)params->clusters;
    size_t wanted = params->sample_size > 0 ? (size_t)params->sample_size : 200 + 20 * k;
    if (wanted < k) wanted = k;
    return wanted < n ? wanted : n;
}

static int compare_rows(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* `size` different rows, rising; the medoids of *best are among them. `order` holds all rows and is
 * only rearranged. */
static void draw_sample(uint32_t *sample, size_t size, uint32_t *order, size_t n,
                        const cairn_medoids *best, cairn_random *random)
{
    size_t taken = 0;
    for (size_t c = 0; best && c < best->k && taken < size; c++) sample[taken++] = best->rows[c];
    for (size_t i = 0; taken < size && i < n; i++) {
        size_t at = i + cairn_random_below(random, n - i);
        uint32_t row = order[at];
        bool known = false;
        order[at] = order[i];
        order[i] = row;
        for (size_t c = 0; best && c < best->k; c++) known |= best->rows[c] == row;
        if (!known) sample[taken++] = row;
    }
    qsort(sample, size, sizeof *sample, compare_rows);
}

/* The medoids of a sample, as rows of all. */
static cairn_status medoids_of_sample(cairn_context *ctx, cairn_medoids *m, const uint32_t *sample,
                                      size_t size, size_t most)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows part = {0};
    OWNED(cairn_free) double *owned = NULL;
    cairn_view view = {.rows = {.n = size}};
    cairn_medoid_rows x = {.view = &view, .rows = &part, .n = size};
    cairn_kmedoids_course course = {.most = most};
    cairn_kmedoids_steps quiet = {0};
    cairn_medoids within;
    double *weights;
    uint32_t *numbers;
    CHECK(cairn_distance_rows_keep(ctx, &part, m->x->rows, sample, size));
    CHECK(SCRATCH_RAW_EACH(ctx, size, &weights, &numbers));
    for (size_t i = 0; i < size; i++) {
        weights[i] = cairn_medoid_weight(m->x, sample[i]);
        numbers[i] = (uint32_t)cairn_view_row(m->x->view, sample[i]);
    }
    view.rows.indices = numbers;
    if (m->x->weights) x.weights = weights;
    CHECK(cairn_medoid_lines(ctx, &x, m->x->rows, sample, &owned));
    CHECK(cairn_medoids_make(ctx, &within, &x, m->k));
    CHECK(cairn_kmedoids_build(ctx, &within, &quiet));
    CHECK(cairn_medoids_assign(ctx, &within));
    CHECK(cairn_kmedoids_eager(ctx, &within, &course, &quiet));
    for (size_t c = 0; c < m->k; c++) m->rows[c] = sample[within.rows[c]];
    return CAIRN_OK;
}

static void show_sample(cairn_report *out, size_t number, double cost, bool best)
{
    if (!out) return;
    if (best) cairn_report_row_mark(out);
    cairn_report_cells(out, "- sample$1.cost", number, cost, best ? "best so far" : "");
}

/* The best of several samples' medoids for all rows; no lines needed. */
static cairn_status cairn_kmedoids_sampled(cairn_context *ctx, cairn_medoids *m,
                                           const cairn_kmedoids_params *params,
                                           cairn_kmedoids_history *history, cairn_report *steps)
{
    SCOPED_SCRATCH(ctx);
    size_t n = m->x->n, size = cairn_kmedoids_sample_size(params, n);
    cairn_medoids best;
    uint32_t *sample, *order;
    CHECK(cairn_medoids_make(ctx, &best, m->x, m->k));
    CHECK(SCRATCH_RAW(ctx, &sample, size));
    CHECK(SCRATCH_RAW(ctx, &order, n));
    for (size_t i = 0; i < n; i++) order[i] = (uint32_t)i;
    best.cost = INFINITY;
    history->sample = (double)size;
    cairn_report_step_begin(steps, "Medoids of samples of %zu rows, judged by all rows", size);
    cairn_report_table_of(steps, "Samples", 0, "rrl", "sample", "cost of all rows", "");
    for (size_t s = 0; s < history->n_starts; s++) {
        cairn_random random;
        cairn_random_start(&random, cairn_context_seed(ctx), s);
        draw_sample(sample, size, order, n, s ? &best : NULL, &random);
        CHECK(medoids_of_sample(ctx, m, sample, size, (size_t)params->max_iter));
        CHECK(cairn_medoids_cost(ctx, m));
        history->costs[s] = m->cost;
        show_sample(steps, s + 1, m->cost, m->cost < best.cost);
        CHECK(cairn_tick(ctx, "samples", (double)(s + 1), (double)history->n_starts));
        if (!(m->cost < best.cost)) continue;
        history->best = (int32_t)s;
        best.cost = m->cost;
        memcpy(best.rows, m->rows, m->k * sizeof *m->rows);
    }
    cairn_report_table_end(steps);
    cairn_report_step_end(steps);
    memcpy(m->rows, best.rows, m->k * sizeof *m->rows);
    history->converged = true;
    return cairn_medoids_assign(ctx, m);
}

/* Alternating k-medoids: every row goes to its nearest medoid, then the member of a cluster with
 * the least summed distance to the others is its medoid, until no medoid changes.
 *
 * A round costs the squared sizes of the clusters. The medoid stays where it is as good as another
 * member; of others that are as good the first is taken. A cluster without rows (a row like its
 * medoid is another medoid) gets the row that is farthest from its own medoid, if one is not on
 * it. */

enum { MEMBERS = 8 };

/* -- sums of distances -- */

typedef struct sum_work {
    const cairn_medoid_rows *x;
    const cairn_distance_rows *part; /* the members alone, when there are no lines */
    const uint32_t *members;
    const double *weights; /* of the members; NULL = all 1 */
    size_t n;
    double *sums;
    double *buffer; /* per worker: n distances */
    int32_t *letters;
    size_t n_letters;
} sum_work;

static void sum_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const sum_work *w = data;
    double *line = w->buffer + (size_t)worker * w->n;
    (void)block;
    for (size_t a = begin; a < end; a++) {
        double sum = 0;
        if (w->part)
            cairn_distances_alone(w->x->rows, w->members + a, 1, w->part, 0, w->n, line, w->n,
                                  w->letters + (size_t)worker * w->n_letters);
        else
            for (size_t b = 0; b < w->n; b++) line[b] = w->x->lines[w->members[a]][w->members[b]];
        for (size_t b = 0; b < w->n; b++) sum += w->weights ? w->weights[b] * line[b] : line[b];
        w->sums[a] = sum;
    }
}

/* Without lines the members are put together first, so that distances come in blocks. */
static cairn_status sum_members(cairn_context *ctx, sum_work *w)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows part = {0};
    size_t workers = (size_t)cairn_workers(ctx);
    double *weights, each = w->x->lines ? 2 : 40;
    if (!w->x->lines) {
        CHECK(cairn_distance_rows_keep(ctx, &part, w->x->rows, w->members, w->n));
        w->part = &part;
        w->n_letters = cairn_distance_buffer(w->x->rows, &part);
    }
    CHECK(SCRATCH_RAW(ctx, &w->buffer, cairn_product(workers, w->n)));
    CHECK(SCRATCH_RAW(ctx, &w->letters, cairn_product(workers, w->n_letters)));
    CHECK(SCRATCH_RAW(ctx, &weights, w->n));
    for (size_t a = 0; a < w->n; a++) weights[a] = cairn_medoid_weight(w->x, w->members[a]);
    if (w->x->weights) w->weights = weights;
    cairn_status status =
        cairn_blocks_sized(ctx, w->n, MEMBERS, each * (double)w->n * (double)w->n, sum_block, w);
    w->part = NULL;
    w->weights = NULL;
    return status;
}

cairn_status cairn_medoid_of(cairn_context *ctx, const cairn_medoid_rows *x,
                             const uint32_t *members, size_t n, uint32_t keep, double *sums,
                             size_t *out)
{
    sum_work work = {.x = x, .members = members, .n = n, .sums = sums};
    size_t best = 0;
    CHECK(sum_members(ctx, &work));
    for (size_t a = 1; a < n; a++)
        if (sums[a] < sums[best] && !cairn_medoids_tie(sums[a], sums[best], sums[best])) best = a;
    for (size_t a = 0; a < n; a++)
        if (members[a] == keep && cairn_medoids_tie(sums[a], sums[best], sums[best])) best = a;
    *out = best;
    return CAIRN_OK;
}

/* -- rounds -- */

/* The row farthest from its medoid; n when all rows are on theirs. */
static size_t farthest_row(const cairn_medoids *m)
{
    size_t far = m->x->n;
    for (size_t i = 0; i < m->x->n; i++)
        if (m->near[i] > 0 && (far == m->x->n || m->near[i] > m->near[far])) far = i;
    return far;
}

/* With or without lines. */
static cairn_status cairn_kmedoids_alternate(cairn_context *ctx, cairn_medoids *m,
                                             cairn_kmedoids_course *course,
                                             cairn_kmedoids_steps *steps)
{
    SCOPED_SCRATCH(ctx);
    uint32_t *members;
    double *sums, before = INFINITY;
    CHECK(SCRATCH_RAW_EACH(ctx, m->x->n, &members, &sums));
    course->ties = NAN;
    while (!course->converged && course->iterations < course->most) {
        bool moved;
        /* Every medoid to the best member of its cluster; whether one changed. */
        size_t round = course->iterations + 1;
        moved = false;
        for (size_t c = 0; c < m->k; c++) {
            size_t n = 0, at = 0, row = m->rows[c];
            for (size_t i = 0; i < m->x->n; i++)
                if (m->nearest[i] == (int32_t)c) members[n++] = (uint32_t)i;
            if (n) {
                CHECK(cairn_medoid_of(ctx, m->x, members, n, m->rows[c], sums, &at));
                row = members[at];
                cairn_kmedoids_show_sums(steps, m, round, c, sums, members, n, at);
            } else if (farthest_row(m) < m->x->n) {
                row = farthest_row(m);
                m->near[row] = 0; /* not for a second empty cluster */
            }
            moved |= row != m->rows[c];
            m->rows[c] = (uint32_t)row;
            CHECK(cairn_tick(ctx, NULL, 0, 0));
        }
        CHECK(cairn_medoids_assign(ctx, m));
        course->converged = !moved || !(m->cost < before);
        if (!moved) break;
        before = m->cost;
        course->iterations++;
        cairn_kmedoids_note(course, m->cost);
        cairn_kmedoids_show_state(steps, m, "Assign every row to its nearest medoid");
        CHECK(cairn_tick(ctx, "rounds", (double)course->iterations, (double)course->most));
    }
    return CAIRN_OK;
}

/* Swaps of a medoid and another row.
 *
 * With row c as a further medoid, every row that is nearer to c than to its own medoid gains; and
 * taking medoid m away costs its rows what their next medoid, or c, is farther. So one look at the
 * distances of c gives the change of the cost for all k medoids that could make room for it
 * (Schubert and Rousseeuw, Fast and eager k-medoids clustering, 2021): a round of all swaps takes n
 * times n steps, not k times as many.
 *
 * pam: the best of all swaps is made, until none improves the cost by more than a part in 1e12; of
 * equally good ones the first, by candidate and then by medoid. eager: candidates are looked at in
 * turn, and the best swap of a candidate is made as soon as it improves; it ends when all n in turn
 * gave nothing. In the end no swap improves in either. */

enum { FEWEST = 8, MOST = 128, CANDIDATES = 8 };

typedef struct swap_work {
    const cairn_medoids *m;
    bool *medoid;      /* n: whether the row is one */
    size_t first;      /* of the candidates that are looked at */
    double *changes;   /* per worker: k */
    uint32_t *passing; /* per worker: n and some more */
    double *best;      /* per candidate: the least change of the cost */
    int32_t *out;      /* per candidate: the medoid that goes */
    double *costs;     /* n x k: the cost of every swap, for the steps; NULL = not wanted */
} swap_work;

/* changes[c] = what the cost changes by when the row with that line takes the place of c. Most rows
 * are farther from it than from their next medoid, and change nothing. */
static void weigh(const cairn_medoids *m, const double *line, double *changes, uint32_t *passing)
{
    size_t found = cairn_where_less(passing, line, m->next, m->x->n);
    double gain = 0;
    memcpy(changes, m->losses, m->k * sizeof *changes);
    for (size_t p = 0; p < found; p++) {
        size_t i = passing[p];
        double d = line[i], w = cairn_medoid_weight(m->x, i);
        if (d < m->near[i]) {
            gain += w * (d - m->near[i]);
            changes[m->nearest[i]] += w * (m->near[i] - m->next[i]);
        } else {
            changes[m->nearest[i]] += w * (d - m->next[i]);
        }
    }
    for (size_t c = 0; c < m->k; c++) changes[c] += gain;
}

/* The medoid whose place the row best takes; the first among equals. A row that is a medoid
 * already is no candidate. */
static void weigh_candidate(const swap_work *w, size_t row, size_t at, double *changes,
                            uint32_t *passing)
{
    const cairn_medoids *m = w->m;
    size_t best = 0;
    w->best[at] = INFINITY;
    if (w->medoid[row]) return;
    if (m->k == 1) {
        /* The only medoid: there is no next one. */
        const double *line = m->x->lines[row];
        double change = 0;
        for (size_t i = 0; i < m->x->n; i++)
            change += cairn_medoid_weight(m->x, i) * (line[i] - m->near[i]);
        changes[0] = change;
    } else
        weigh(m, m->x->lines[row], changes, passing);
    for (size_t c = 1; c < m->k; c++)
        if (changes[c] < changes[best] && !cairn_medoids_tie(changes[c], changes[best], m->cost))
            best = c;
    w->best[at] = changes[best];
    w->out[at] = (int32_t)best;
    for (size_t c = 0; w->costs && c < m->k; c++) w->costs[row * m->k + c] = m->cost + changes[c];
}

static void weigh_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const swap_work *w = data;
    double *changes = w->changes + (size_t)worker * w->m->k;
    uint32_t *passing = w->passing + (size_t)worker * (w->m->x->n + CAIRN_WHERE_MORE);
    (void)block;
    for (size_t at = begin; at < end; at++) weigh_candidate(w, w->first + at, at, changes, passing);
}

static cairn_status make_work(cairn_context *ctx, swap_work *w, const cairn_medoids *m)
{
    size_t workers = (size_t)cairn_workers(ctx), n = m->x->n;
    *w = (swap_work){.m = m};
    CHECK(SCRATCH(ctx, &w->medoid, n + 1));
    CHECK(SCRATCH_RAW(ctx, &w->changes, cairn_product(workers, m->k)));
    CHECK(SCRATCH_RAW(ctx, &w->passing, cairn_product(workers, n + CAIRN_WHERE_MORE)));
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &w->best, &w->out));
    for (size_t c = 0; c < m->k; c++) w->medoid[m->rows[c]] = true;
    return CAIRN_OK;
}

/* Candidates first .. first+n-1. */
static cairn_status weigh_rows(cairn_context *ctx, swap_work *w, size_t first, size_t n)
{
    w->first = first;
    return cairn_blocks_sized(ctx, n, CANDIDATES, 2.0 * (double)n * (double)w->m->x->n, weigh_block,
                              w);
}

static void make_swap(swap_work *w, cairn_medoids *m, size_t out, size_t in)
{
    w->medoid[m->rows[out]] = false;
    w->medoid[in] = true;
    cairn_medoids_swap(m, out, in);
}

/* -- the best swap -- */

/* The first of the best candidates; n when none improves. *ties are the other candidates that are
 * as good. */
static size_t best_candidate(const swap_work *w, size_t *ties)
{
    const cairn_medoids *m = w->m;
    size_t n = m->x->n, best = 0;
    *ties = 0;
    for (size_t i = 1; i < n; i++)
        if (w->best[i] < w->best[best] && !cairn_medoids_tie(w->best[i], w->best[best], m->cost))
            best = i;
    if (!(w->best[best] < 0) || cairn_medoids_tie(w->best[best], 0, m->cost)) return n;
    for (size_t i = 0; i < n; i++)
        *ties += i != best && cairn_medoids_tie(w->best[i], w->best[best], m->cost);
    return best;
}

/* The best swap of all is made until none lowers the cost or the rounds are used up. */
static cairn_status cairn_kmedoids_pam(cairn_context *ctx, cairn_medoids *m,
                                       cairn_kmedoids_course *course, cairn_kmedoids_steps *steps)
{
    enum { SHOWN = 1000000 };
    SCOPED_SCRATCH(ctx);
    swap_work work;
    size_t n = m->x->n, ties;
    CHECK(make_work(ctx, &work, m));
    if (steps->out && (double)n * (double)m->k <= SHOWN)
        CHECK(SCRATCH_RAW(ctx, &work.costs, n * m->k));
    while (!course->converged && course->iterations < course->most) {
        for (size_t i = 0; work.costs && i < n * m->k; i++) work.costs[i] = NAN;
        CHECK(weigh_rows(ctx, &work, 0, n));
        size_t in = best_candidate(&work, &ties), out = in < n ? (size_t)work.out[in] : 0;
        if (work.costs)
            cairn_kmedoids_show_swaps(steps, m, course->iterations + 1, work.costs, out, in, ties);
        course->converged = in == n;
        if (course->converged) break;
        make_swap(&work, m, out, in);
        course->ties += (double)ties;
        course->iterations++;
        cairn_kmedoids_note(course, m->cost);
        cairn_kmedoids_show_state(steps, m, "The rows around the new medoids");
        CHECK(cairn_tick(ctx, "swaps", (double)course->iterations, (double)course->most));
    }
    return CAIRN_OK;
}

/* -- the first swap -- */

/* The first candidate of those looked at whose swap improves; `n` when there is none. */
static size_t first_candidate(const swap_work *w, size_t n)
{
    double least = 1e-12 * w->m->cost;
    size_t at = 0;
    while (at < n && !(w->best[at] < -least)) at++;
    return at;
}

/* Several candidates are looked at side by side, more while nothing improves; those behind a swap
 * are looked at again, so that the number of threads does not matter. */
cairn_status cairn_kmedoids_eager(cairn_context *ctx, cairn_medoids *m,
                                  cairn_kmedoids_course *course, cairn_kmedoids_steps *steps)
{
    SCOPED_SCRATCH(ctx);
    swap_work work;
    size_t n = m->x->n, row = 0, quiet = 0, wide = FEWEST;
    CHECK(make_work(ctx, &work, m));
    course->ties = NAN;
    cairn_kmedoids_trace_begin(steps);
    while (quiet < n && course->iterations < course->most) {
        size_t some = n - row < wide ? n - row : wide;
        CHECK(weigh_rows(ctx, &work, row, some));
        size_t at = first_candidate(&work, some);
        quiet += at;
        row = (row + at) % n;
        wide = wide < MOST ? 2 * wide : MOST;
        if (at == some) continue;
        cairn_kmedoids_trace_swap(steps, m, course->iterations + 1, (size_t)work.out[at], row,
                                  work.best[at]);
        make_swap(&work, m, (size_t)work.out[at], row);
        quiet = 0;
        wide = FEWEST;
        row = (row + 1) % n;
        course->iterations++;
        cairn_kmedoids_note(course, m->cost);
        CHECK(cairn_tick(ctx, "swaps", (double)course->iterations, 0));
    }
    course->converged = quiet >= n;
    cairn_kmedoids_trace_end(steps);
    cairn_kmedoids_show_state(steps, m, "After the last swap");
    return CAIRN_OK;
}

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
    if (course->course && course->n_course < CAIRN_KMEDOIDS_HISTORY)
        course->course[course->n_course++] = cost;
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

/* Rows without weight are no candidates for medoids, so there may be too few of the others. */
static cairn_status open_rows(cairn_context *ctx, fitting *f)
{
    const cairn_kmedoids_params *p = f->job->params;
    double *weights;
    CHECK(cairn_view_used(ctx, &f->view, f->job->view));
    size_t n = f->view.rows.n;
    if (!((size_t)p->clusters <= n)) {
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "%d medoids cannot be found among %zu row%s; {clusters} must be at most %zu "
            "here",
            p->clusters, n, n == 1 ? "" : "s", n);
    }
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
    *course = (cairn_kmedoids_course){.most = (size_t)p->max_iter, .course = course->course};
    CHECK(cairn_kmedoids_start(ctx, m, p, start, steps));
    CHECK(cairn_medoids_assign(ctx, m));
    cairn_kmedoids_note(course, m->cost);
    cairn_kmedoids_show_state(steps, m, "Assign every row to its nearest medoid");
    if (f->method == CAIRN_KMEDOIDS_ALTERNATE)
        return cairn_kmedoids_alternate(ctx, m, course, steps);
    return (f->method == CAIRN_KMEDOIDS_PAM ? cairn_kmedoids_pam
                                            : cairn_kmedoids_eager)(ctx, m, course, steps);
}

/* All starts; the steps are those of the best one, which is run again to show them. */
static cairn_status run_starts(cairn_context *ctx, const fitting *f, cairn_medoids *m,
                               cairn_kmedoids_history *history)
{
    cairn_kmedoids_steps quiet = {0}, shown = {.out = f->job->steps};
    cairn_kmedoids_course course = {0};
    uint32_t *best;
    double least = INFINITY;
    CHECK(SCRATCH_RAW(ctx, &best, m->k));
    CHECK(SCRATCH(ctx, &course.course, CAIRN_KMEDOIDS_HISTORY));
    for (size_t s = 0; s < history->n_starts; s++) {
        bool show = history->n_starts == 1;
        CHECK(run_start(ctx, f, m, s, &course, show ? &shown : &quiet));
        history->costs[s] = m->cost;
        if (!(m->cost < least)) continue;
        least = m->cost;
        history->best = (int32_t)s;
        history->iterations = (int64_t)course.iterations;
        history->converged = course.converged;
        history->ties = course.ties;
        history->n_course = course.n_course;
        memcpy(history->course, course.course, course.n_course * sizeof *course.course);
        memcpy(best, m->rows, m->k * sizeof *best);
    }
    if (history->n_starts > 1 && shown.out)
        CHECK(run_start(ctx, f, m, (size_t)history->best, &course, &shown));
    memcpy(m->rows, best, m->k * sizeof *best);
    return cairn_medoids_assign(ctx, m);
}

/* Only a random beginning is worth several starts; the exact search has none and always
 * converges. */
static cairn_status run_method(cairn_context *ctx, const fitting *f, cairn_medoids *m,
                               cairn_kmedoids_history *history)
{
    const cairn_kmedoids_params *p = f->job->params;
    cairn_kmedoids_steps steps = {.out = f->job->steps};
    bool sample = f->method == CAIRN_KMEDOIDS_SAMPLE, exact = f->method == CAIRN_KMEDOIDS_EXACT;
    history->method = f->method;
    history->n_starts = sample                        ? (size_t)p->samples
                        : exact                       ? 0
                        : cairn_kmedoids_is_random(p) ? (size_t)p->starts
                                                      : 1;
    CHECK(NEW(ctx, &history->costs, history->n_starts));
    CHECK(NEW(ctx, &history->course, CAIRN_KMEDOIDS_HISTORY));
    if (sample) return cairn_kmedoids_sampled(ctx, m, p, history, f->job->steps);
    if (!exact) return run_starts(ctx, f, m, history);
    history->converged = true;
    CHECK(cairn_kmedoids_exact(ctx, m, history, &steps));
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
static cairn_status keep_values(cairn_context *ctx, cairn_kmedoids_history *history,
                                const fitting *f, const cairn_medoids *m)
{
    const cairn_view *view = &f->view;
    bool shown = !f->rows.given;
    for (size_t j = 0; j < view->n_features; j++)
        shown &= view->features[j]->kind == CAIRN_NUMBER || view->features[j]->kind == CAIRN_LEVEL;
    history->n_values = shown ? view->n_features : 0;
    CHECK(NEW_RAW(ctx, &history->values, cairn_product(m->k, history->n_values)));
    for (size_t c = 0; c < m->k; c++)
        for (size_t j = 0; j < history->n_values; j++) {
            const cairn_column *column = view->features[j];
            size_t row = cairn_view_row(view, m->rows[c]);
            bool number = column->kind == CAIRN_NUMBER;
            double x = number ? column->numbers[row] : (double)column->codes[row];
            history->values[c * history->n_values + j] = !number && x < 0 ? NAN : x;
        }
    return CAIRN_OK;
}

static cairn_status keep_history(cairn_context *ctx, cairn_kmedoids_history *history,
                                 const fitting *f, const cairn_medoids *m)
{
    size_t n = f->x.n;
    CHECK(NEW_EACH(ctx, m->k, &history->sizes, &history->within, &history->widest));
    history->cost = m->cost;
    for (size_t i = 0; i < n; i++) {
        double w = cairn_medoid_weight(&f->x, i);
        size_t c = (size_t)m->nearest[i];
        history->sizes[c] += w;
        history->within[c] += w * m->near[i];
        history->widest[c] = fmax(history->widest[c], m->near[i]);
        history->tied += cairn_medoids_tie(m->near[i], m->next[i], m->near[i]);
    }
    history->n_kept = f->job->view->rows.n == n && n <= CAIRN_KMEDOIDS_KEPT ? n : 0;
    CHECK(NEW(ctx, &history->kept, history->n_kept));
    memcpy(history->kept, m->nearest, history->n_kept * sizeof *history->kept);
    return keep_values(ctx, history, f, m);
}

static const cairn_kept history_keeps[] = {
    KEEP(cairn_kmedoids_history, method),
    KEEP_ARRAYS(cairn_kmedoids_history, "n_clusters", sizes, within, widest),
    KEEP(cairn_kmedoids_history, cost, iterations, converged, tied, ties, sets, optima, sample),
    KEEP_SIZE(cairn_kmedoids_history, n_starts, 1 << 20),
    KEEP_ARRAYS(cairn_kmedoids_history, "n_starts", costs),
    KEEP(cairn_kmedoids_history, best),
    KEEP_SIZE(cairn_kmedoids_history, n_course, CAIRN_KMEDOIDS_HISTORY, .name = "n_history"),
    KEEP_ARRAY(cairn_kmedoids_history, course, "n_course", .name = "history"),
    KEEP_SIZE(cairn_kmedoids_history, n_values, UINT32_MAX),
    KEEP_ARRAYS(cairn_kmedoids_history, "n_clusters*n_values", values),
    KEEP_SIZE(cairn_kmedoids_history, n_kept, CAIRN_KMEDOIDS_KEPT),
    KEEP_CODES(cairn_kmedoids_history, kept, "n_kept", 0, "n_clusters", "row # is in no cluster"),
    KEEP_END,
};

static cairn_status kmedoids_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const cairn_kmedoids_params *p = job->params;
    cairn_kmedoids_history own = {0};
    SCOPED_KEPT(history_keeps, &own);
    cairn_kmedoids_history *history = job->history ? job->history : &own;
    SCOPED(clear_fitting) fitting f = {.job = job};
    cairn_medoids m;
    history->ties = NAN;
    CHECK(open_rows(ctx, &f));
    CHECK(cairn_medoids_make(ctx, &m, &f.x, (size_t)p->clusters));
    CHECK(run_method(ctx, &f, &m, history));
    CHECK(cairn_kmedoids_prove(ctx, job->certificate, &m, f.method, history->converged));
    CHECK(keep_medoids(ctx, model, &f, &m));
    return job->history ? keep_history(ctx, history, &f, &m) : CAIRN_OK;
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

static const cairn_history kmedoids_history = {
    .size = sizeof(cairn_kmedoids_history),
    .keeps = history_keeps,
};

static cairn_status kmedoids_check_model(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_kmedoids_model *m = model;
    const cairn_kmedoids_params *p = job->params;
    const cairn_kmedoids_history *history = job->history;
    size_t columns = m->rows.given ? m->rows.width : m->rows.metric.n_columns;
    CHECK(cairn_check_columns(a, job, columns));
    if (history && history->n_values) CHECK(cairn_check_columns(a, job, history->n_values));
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
    .space = "clusters=2:8",
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
    .history = &kmedoids_history,
    .keeps = kmedoids_keeps,
    .parameters = "n_clusters",
    .check = kmedoids_check_model,
    .clusters = kmedoids_clusters,
};
