/* SPDX-License-Identifier: MIT */
/* The state of k-medoids: distances between the rows, the medoids, and for every row the nearest
 * and the next of them. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "learners/cluster/kmedoids.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

enum { BLOCK = 512 };

/* -- all distances -- */

/* Whether the distances of a row lie in the order of the rows. */
static bool can_borrow(const cairn_distance_rows *rows)
{
    if (!rows->given || !rows->rows || rows->n != rows->width) return false;
    for (size_t i = 0; i < rows->n; i++)
        if (rows->numbers[i] != i) return false;
    return true;
}

typedef struct check_work {
    const cairn_medoid_rows *x;
    size_t *bad; /* per row: the first that it cannot be compared with, n = none */
} check_work;

static void check_lines(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const check_work *w = data;
    size_t n = w->x->n;
    (void)block, (void)worker;
    for (size_t i = begin; i < end; i++) {
        const double *line = w->x->lines[i];
        double sum = 0;
        w->bad[i] = n;
        for (size_t j = 0; j < n; j++) sum += line[j] * 0;
        for (size_t j = 0; sum != 0 && j < n && w->bad[i] == n; j++)
            if (!isfinite(line[j])) w->bad[i] = j;
    }
}

/* Swaps compare sums of distances: one that is no number would spoil all of them. */
static cairn_status need_finite(cairn_context *ctx, const cairn_medoid_rows *x)
{
    SCOPED_SCRATCH(ctx);
    check_work work = {.x = x};
    CHECK(SCRATCH_RAW(ctx, &work.bad, x->n + 1));
    CHECK(cairn_blocks_sized(ctx, x->n, 16, (double)x->n * (double)x->n, check_lines, &work));
    for (size_t i = 0; i < x->n; i++)
        if (work.bad[i] < x->n)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "rows %zu and %zu cannot be compared: %s; fill missing cells ({with "
                              "impute}) or leave the rows out",
                              cairn_view_row(x->view, i) + 1,
                              cairn_view_row(x->view, work.bad[i]) + 1,
                              isnan(x->lines[i][work.bad[i]]) ? "no cell is there in both"
                                                              : "their distance is infinite");
    return CAIRN_OK;
}

cairn_status cairn_medoid_lines(cairn_context *ctx, cairn_medoid_rows *x,
                                const cairn_distance_rows *from, const uint32_t *which,
                                double **owned)
{
    size_t n = x->n;
    CHECK(SCRATCH_RAW(ctx, &x->lines, n + 1));
    if (!which && can_borrow(from)) {
        for (size_t i = 0; i < n; i++) x->lines[i] = from->rows[i];
        return CAIRN_OK;
    }
    CHECK(NEW_RAW(ctx, owned, cairn_product(n, n)));
    cairn_expect_dense(*owned);
    CHECK(cairn_distances_block(ctx, from, which, n, x->rows, 0, n, *owned, n));
    for (size_t i = 0; i < n; i++) x->lines[i] = *owned + i * n;
    return need_finite(ctx, x);
}

/* -- nearest and next -- */

cairn_status cairn_medoids_make(cairn_context *ctx, cairn_medoids *out, const cairn_medoid_rows *x,
                                size_t k)
{
    *out = (cairn_medoids){.x = x, .k = k};
    CHECK(SCRATCH_EACH(ctx, k, &out->rows, &out->losses));
    CHECK(SCRATCH_RAW_EACH(ctx, x->n + 1, &out->nearest, &out->second, &out->near));
    return SCRATCH_RAW(ctx, &out->next, x->n + 1);
}

typedef struct assign_work {
    cairn_medoids *m;
    bool cost_only;   /* nothing but the nearest distances is wanted */
    double *room;     /* per worker: k x BLOCK distances */
    int32_t *letters; /* per worker: for distances */
    size_t n_letters;
} assign_work;

/* Some rows against medoid c, after those before it: nearer by more than a part in 1e12, or
 * next. */
static void sweep(cairn_medoids *m, size_t begin, size_t n, int32_t c, const double *distances)
{
    double *near = m->near + begin, *next = m->next + begin;
    int32_t *nearest = m->nearest + begin, *second = m->second + begin;
    for (size_t i = 0; i < n; i++) {
        double d = distances[i];
        bool first = d < near[i] * (1 - 1e-12), other = d < next[i];
        next[i] = first ? near[i] : other ? d : next[i];
        second[i] = first ? nearest[i] : other ? c : second[i];
        near[i] = first ? d : near[i];
        nearest[i] = first ? c : nearest[i];
    }
}

/* Blocks are small enough for the distances to stay in the cache. A row that cannot be compared
 * with any medoid is infinitely far. */
static void assign_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const assign_work *w = data;
    cairn_medoids *m = w->m;
    const cairn_medoid_rows *x = m->x;
    double *room = w->room + (size_t)worker * m->k * BLOCK, *near = m->near;
    (void)block;
    if (!x->lines)
        cairn_distances_alone(x->rows, m->rows, m->k, x->rows, begin, end - begin, room, BLOCK,
                              w->letters + (size_t)worker * w->n_letters);
    for (size_t i = begin; i < end; i++) near[i] = INFINITY;
    for (size_t i = begin; !w->cost_only && i < end; i++) {
        m->next[i] = INFINITY;
        m->nearest[i] = m->second[i] = -1;
    }
    for (size_t c = 0; c < m->k; c++) {
        const double *line = x->lines ? x->lines[m->rows[c]] + begin : room + c * BLOCK;
        if (!w->cost_only)
            sweep(m, begin, end - begin, (int32_t)c, line);
        else
            for (size_t i = begin; i < end; i++)
                near[i] = line[i - begin] < near[i] ? line[i - begin] : near[i];
    }
}

static double sum_of(const cairn_medoid_rows *x, const double *distances)
{
    return x->weights ? cairn_dot(distances, x->weights, x->n) : cairn_sum(distances, x->n);
}

/* The cost, and what it rises by without each of the medoids, summed in the order of the rows. */
static void add_up(cairn_medoids *m)
{
    const cairn_medoid_rows *x = m->x;
    m->cost = sum_of(x, m->near);
    memset(m->losses, 0, m->k * sizeof *m->losses);
    for (size_t i = 0; i < x->n; i++)
        m->losses[m->nearest[i]] += cairn_medoid_weight(x, i) * (m->next[i] - m->near[i]);
}

static cairn_status measure(cairn_context *ctx, cairn_medoids *m, bool cost_only)
{
    SCOPED_SCRATCH(ctx);
    assign_work work = {.m = m, .cost_only = cost_only};
    size_t workers = (size_t)cairn_workers(ctx), n = m->x->n;
    work.n_letters = cairn_distance_room(m->x->rows, m->x->rows);
    CHECK(SCRATCH_RAW(ctx, &work.room, cairn_product(workers * BLOCK, m->k)));
    CHECK(SCRATCH_RAW(ctx, &work.letters, cairn_product(workers, work.n_letters)));
    CHECK(cairn_blocks_sized(ctx, n, BLOCK, (double)n * (double)m->k * 4, assign_block, &work));
    m->cost = sum_of(m->x, m->near);
    for (size_t i = 0; !isfinite(m->cost) && i < n; i++)
        if (!isfinite(m->near[i]))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "row %zu cannot be compared with any medoid; fill missing cells "
                              "({with impute}) or leave the row out",
                              cairn_view_row(m->x->view, i) + 1);
    return CAIRN_OK;
}

cairn_status cairn_medoids_cost(cairn_context *ctx, cairn_medoids *m)
{
    return measure(ctx, m, true);
}

cairn_status cairn_medoids_assign(cairn_context *ctx, cairn_medoids *m)
{
    CHECK(measure(ctx, m, false));
    add_up(m);
    return CAIRN_OK;
}

/* -- swapping -- */

/* The nearest medoid of row i but `not`. */
static void find_second(cairn_medoids *m, size_t i, int32_t not )
{
    m->second[i] = -1;
    m->next[i] = INFINITY;
    for (size_t c = 0; c < m->k; c++) {
        double d = m->x->lines[m->rows[c]][i];
        if ((int32_t)c == not || !(d < m->next[i])) continue;
        m->second[i] = (int32_t)c;
        m->next[i] = d;
    }
}

/* Row i, whose distance to the new medoid number `slot` is d. */
static void update_row(cairn_medoids *m, size_t i, int32_t slot, double d)
{
    if (m->nearest[i] == slot) {
        if (d < m->next[i]) {
            m->near[i] = d;
            return;
        }
        m->nearest[i] = m->second[i];
        m->near[i] = m->next[i];
        find_second(m, i, m->nearest[i]);
    } else if (d < m->near[i]) {
        m->second[i] = m->nearest[i];
        m->next[i] = m->near[i];
        m->nearest[i] = slot;
        m->near[i] = d;
    } else if (m->second[i] == slot) {
        if (d < m->next[i])
            m->next[i] = d;
        else
            find_second(m, i, m->nearest[i]);
    } else if (d < m->next[i]) {
        m->second[i] = slot;
        m->next[i] = d;
    }
}

void cairn_medoids_swap(cairn_medoids *m, size_t out, size_t in)
{
    const double *line = m->x->lines[in];
    m->rows[out] = (uint32_t)in;
    for (size_t i = 0; i < m->x->n; i++) update_row(m, i, (int32_t)out, line[i]);
    add_up(m);
}
