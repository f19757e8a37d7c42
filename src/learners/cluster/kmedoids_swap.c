/* SPDX-License-Identifier: MIT */
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
#include "base/memory.h"
#include "kernels/medoid_scan.h"
#include "learners/cluster/kmedoids.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

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

/* The only medoid: there is no next one. */
static double weigh_alone(const cairn_medoids *m, const double *line)
{
    double change = 0;
    for (size_t i = 0; i < m->x->n; i++)
        change += cairn_medoid_weight(m->x, i) * (line[i] - m->near[i]);
    return change;
}

static void weigh_candidate(const swap_work *w, size_t row, size_t at, double *changes,
                            uint32_t *passing)
{
    const cairn_medoids *m = w->m;
    size_t best = 0;
    w->best[at] = INFINITY;
    if (w->medoid[row]) return;
    if (m->k == 1)
        changes[0] = weigh_alone(m, m->x->lines[row]);
    else
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

cairn_status cairn_kmedoids_pam(cairn_context *ctx, cairn_medoids *m, cairn_kmedoids_course *course,
                                cairn_kmedoids_steps *steps)
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
