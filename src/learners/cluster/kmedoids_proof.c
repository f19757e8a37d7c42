/* SPDX-License-Identifier: MIT */
/* The proof of k-medoids: no swap of a medoid and another row lowers the cost. With the distances
 * n1 and n2 of a row to its nearest and next medoid, and d to a candidate, the cost after medoid m
 * made room is Σ w min(d, n1), and for the rows of m min(d, n2) in place of min(d, n1): one line of
 * distances, measured anew, answers for all medoids. All rows are candidates where they are few
 * (n² up to MOST_PAIRS), else rows that are spread evenly.
 *
 * The methods pam, eager and exact promise it. Medoids that move within their clusters (alternate)
 * or are those of samples do not: there it is told, of a tenth as many candidates, and not
 * judged. */
#include "base/memory.h"
#include "learners/cluster/kmedoids.h"
#include "parallel/parallel.h"
#include <math.h>

enum { LINES = 16 };
static const double MOST_PAIRS = 2e7;

typedef struct proving {
    const cairn_medoids *m;
    double *near, *next; /* n */
    int32_t *nearest;    /* n */
    double *lines;       /* LINES x n */
    double *moved;       /* LINES x k */
    double *costs;       /* LINES: the least cost of a candidate */
    double cost;
    double pairs; /* distances that may be measured */
} proving;

/* The nearest two medoids of every row. */
static cairn_status look_around(cairn_context *ctx, proving *p)
{
    const cairn_medoids *m = p->m;
    size_t n = m->x->n;
    for (size_t i = 0; i < n; i++) p->near[i] = p->next[i] = INFINITY;
    for (size_t c = 0; c < m->k; c++) {
        CHECK(
            cairn_distances_block(ctx, m->x->rows, m->rows + c, 1, m->x->rows, 0, n, p->lines, n));
        for (size_t i = 0; i < n; i++) {
            double d = p->lines[i];
            bool first = d < p->near[i];
            if (first) p->nearest[i] = (int32_t)c;
            p->next[i] = first ? p->near[i] : fmin(p->next[i], d);
            if (first) p->near[i] = d;
        }
    }
    for (size_t i = 0; i < n; i++) p->cost += cairn_medoid_weight(m->x, i) * p->near[i];
    return CAIRN_OK;
}

/* The least cost of the swaps that bring each candidate in. */
static void weigh_lines(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const proving *p = data;
    size_t n = p->m->x->n, k = p->m->k;
    (void)block, (void)worker;
    for (size_t l = begin; l < end; l++) {
        const double *line = p->lines + l * n;
        double with = 0, *moved = p->moved + l * k;
        for (size_t c = 0; c < k; c++) moved[c] = 0;
        for (size_t i = 0; i < n; i++) {
            double w = cairn_medoid_weight(p->m->x, i), kept = fmin(line[i], p->near[i]);
            with += w * kept;
            moved[p->nearest[i]] += w * (fmin(line[i], p->next[i]) - kept);
        }
        p->costs[l] = INFINITY;
        for (size_t c = 0; c < k; c++) p->costs[l] = fmin(p->costs[l], with + moved[c]);
    }
}

/* What the best of the swaps would gain. */
static cairn_status best_gain(cairn_context *ctx, proving *p, double *out)
{
    size_t n = p->m->x->n, every = 1 + (size_t)((double)n * (double)n / p->pairs);
    uint32_t which[LINES];
    *out = 0;
    for (size_t i = 0; i < n;) {
        size_t some = 0;
        for (; i < n && some < LINES; i += every) which[some++] = (uint32_t)i;
        CHECK(cairn_distances_block(ctx, p->m->x->rows, which, some, p->m->x->rows, 0, n, p->lines,
                                    n));
        CHECK(cairn_blocks_sized(ctx, some, 1, (double)some * (double)n, weigh_lines, p));
        for (size_t l = 0; l < some; l++) *out = fmax(*out, p->cost - p->costs[l]);
    }
    return CAIRN_OK;
}

cairn_status cairn_kmedoids_prove(cairn_context *ctx, cairn_certificate *out,
                                  const cairn_medoids *m, int method, bool converged)
{
    SCOPED_SCRATCH(ctx);
    bool promised = method != CAIRN_KMEDOIDS_ALTERNATE && method != CAIRN_KMEDOIDS_SAMPLE;
    proving p = {.m = m, .pairs = promised ? MOST_PAIRS : MOST_PAIRS / 10};
    size_t n = m->x->n;
    double gain, bound = promised ? 1e-10 : INFINITY;
    if (!out) return CAIRN_OK;
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &p.near, &p.next));
    CHECK(SCRATCH(ctx, &p.nearest, n + 1));
    CHECK(SCRATCH_RAW(ctx, &p.lines, cairn_product(LINES, n) + 1));
    CHECK(SCRATCH_RAW(ctx, &p.moved, cairn_product(LINES, m->k)));
    CHECK(SCRATCH_RAW(ctx, &p.costs, LINES));
    CHECK(look_around(ctx, &p));
    CHECK(best_gain(ctx, &p, &gain));
    gain = fmax(gain, fabs(p.cost - m->cost));
    cairn_certify(out, CAIRN_PROOF_SWAP, gain > 0 ? gain / p.cost : 0, bound);
    out->limited |= promised && !converged;
    out->remedy = "raise {max-iter}";
    return CAIRN_OK;
}
