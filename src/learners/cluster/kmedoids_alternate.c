/* SPDX-License-Identifier: MIT */
/* Alternating k-medoids: every row goes to its nearest medoid, then the member of a cluster with
 * the least summed distance to the others is its medoid, until no medoid changes.
 *
 * A round costs the squared sizes of the clusters. The medoid stays where it is as good as another
 * member; of others that are as good the first is taken. A cluster without rows (a row like its
 * medoid is another medoid) gets the row that is farthest from its own medoid, if one is not on
 * it. */
#include "base/memory.h"
#include "learners/cluster/kmedoids.h"
#include "parallel/parallel.h"
#include <math.h>

enum { MEMBERS = 8 };

/* -- sums of distances -- */

typedef struct sum_work {
    const cairn_medoid_rows *x;
    const cairn_distance_rows *part; /* the members alone, when there are no lines */
    const uint32_t *members;
    const double *weights; /* of the members; NULL = all 1 */
    size_t n;
    double *sums;
    double *room; /* per worker: n distances */
    int32_t *letters;
    size_t n_letters;
} sum_work;

static void sum_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const sum_work *w = data;
    double *line = w->room + (size_t)worker * w->n;
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
        w->n_letters = cairn_distance_room(w->x->rows, &part);
    }
    CHECK(SCRATCH_RAW(ctx, &w->room, cairn_product(workers, w->n)));
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

/* Every medoid to the best member of its cluster; whether one changed. */
static cairn_status move_medoids(cairn_context *ctx, cairn_medoids *m, size_t round,
                                 uint32_t *members, double *sums, cairn_kmedoids_steps *steps,
                                 bool *moved)
{
    *moved = false;
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
        *moved |= row != m->rows[c];
        m->rows[c] = (uint32_t)row;
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    return CAIRN_OK;
}

cairn_status cairn_kmedoids_alternate(cairn_context *ctx, cairn_medoids *m,
                                      cairn_kmedoids_course *course, cairn_kmedoids_steps *steps)
{
    SCOPED_SCRATCH(ctx);
    uint32_t *members;
    double *sums, before = INFINITY;
    CHECK(SCRATCH_RAW_EACH(ctx, m->x->n, &members, &sums));
    course->ties = NAN;
    while (!course->converged && course->iterations < course->most) {
        bool moved;
        CHECK(move_medoids(ctx, m, course->iterations + 1, members, sums, steps, &moved));
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
