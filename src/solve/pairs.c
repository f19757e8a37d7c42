/* SPDX-License-Identifier: MIT */
/* Sequential minimal optimisation with the pair that promises most.
 *
 * The push on variable v is rest_v = b_v - (Kβ)_v; raising β_v gains with rest_v + up_v and
 * lowering it with -(rest_v + low_v), where up and low are 0 or the width of the kink at β = 0, and
 * infinite where a bound forbids it. A step raises the variable i with the largest push upwards
 * and lowers the j with the largest promise d² / (K_ii + K_jj - 2 K_ij), until the largest push
 * upwards is within the tolerance of the smallest push downwards.
 *
 * Rows of K that are missing are made in blocks: beside the one that is needed those of the
 * variables that push hardest, which are likely to come next. What is kept and what is made ahead
 * never decides which pair is taken, so memory and threads do not show in the result.
 *
 * Shrinking sets variables aside whose pushes are beyond both ends; rows that are kept lose their
 * columns. Their pushes are made anew at the end, from the rows of all β that are not 0, and the
 * work goes on with all variables if some should not have gone. Fan, Chen and Lin, Working set
 * selection using second order information (2005). */
#include "solve/pairs.h"
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/pair_scan.h"
#include "solve/row_cache.h"
#include <math.h>
#include <string.h>

enum {
    BATCH = 28, /* rows that are made at once */
    SHRINK_STEPS = 1000,
    TICK_STEPS = 64
};
#define LEAST_BEND 1e-12f

typedef struct work {
    cairn_pairs *p;
    size_t n;         /* active variables, in their order */
    size_t split;     /* active ones of the first group */
    uint32_t *active; /* which they are */
    double *rest;
    float *up, *low, *diagonal;
    bool twice; /* two variables for each point: rows serve both halves */
    cairn_row_cache cache;
    float *made;      /* BATCH rows */
    uint32_t *wanted; /* BATCH points */
    double *urgency;  /* of them */
    uint32_t *list;
    cairn_pair_ends ends[2];
    size_t n_groups, group; /* the one with the larger gap */
    double gap;
    bool stuck; /* a step was lost in rounding */
} work;

static size_t group_first(const work *w, size_t g)
{
    return g ? w->split : 0;
}

static size_t group_size(const work *w, size_t g)
{
    return w->n_groups == 1 ? w->n : g ? w->n - w->split : w->split;
}

static size_t point_of(const work *w, size_t v)
{
    return v < w->p->n_points ? v : v - w->p->n_points;
}

/* Which ways the k-th active variable can go, and what the kink costs. */
static void set_ends(work *w, size_t k)
{
    size_t v = w->active[k];
    double beta = w->p->beta[v];
    float width = (float)w->p->width;
    w->up[k] = beta < w->p->upper[v] ? (beta < 0 ? width : -width) : -INFINITY;
    w->low[k] = beta > w->p->lower[v] ? (beta > 0 ? -width : width) : INFINITY;
}

/* -- passes -- */

/* All pushes after β_i rose and β_j fell by `by`, whose rows are a and b, and the new ends. */
static void move_all(work *w, const float *a, const float *b, double by)
{
    w->gap = -INFINITY;
    for (size_t g = 0; g < w->n_groups; g++) {
        size_t first = group_first(w, g), at = w->twice ? 0 : first;
        cairn_pair_ends *ends = &w->ends[g];
        cairn_pair_move(ends, w->rest + first, a + at, b + at, by, w->up + first, w->low + first,
                        group_size(w, g));
        ends->first += first, ends->last += first;
        if (ends->top - ends->bottom > w->gap) w->gap = ends->top - ends->bottom, w->group = g;
    }
}

/* The same without a move; any numbers will do as rows. */
static void look_all(work *w)
{
    move_all(w, w->diagonal, w->diagonal, 0);
}

static size_t find_partner(const work *w, size_t i, const float *row)
{
    size_t first = group_first(w, w->group), n = group_size(w, w->group);
    const cairn_pair_ends *ends = &w->ends[w->group];
    size_t found =
        cairn_pair_partner(w->rest + first, w->low + first, row + (w->twice ? 0 : first),
                           w->diagonal + first, ends->top, w->diagonal[i], LEAST_BEND, n);
    return found < n ? first + found : ends->last;
}

/* -- rows -- */

/* Keep the BATCH - 1 most urgent of those that came: a heap with the least urgent on top, behind
 * the row that is needed. */
static void offer(work *w, size_t *n, size_t most, uint32_t point, double urgency)
{
    uint32_t *heap = w->wanted + 1;
    double *keys = w->urgency;
    size_t at;
    if (*n < most) {
        at = (*n)++;
        for (; at && keys[(at - 1) / 2] > urgency; at = (at - 1) / 2)
            heap[at] = heap[(at - 1) / 2], keys[at] = keys[(at - 1) / 2];
    } else {
        if (most == 0 || !(urgency > keys[0])) return;
        for (at = 0; 2 * at + 1 < most;) {
            size_t child = 2 * at + 1;
            if (child + 1 < most && keys[child + 1] < keys[child]) child++;
            if (!(keys[child] < urgency)) break;
            heap[at] = heap[child], keys[at] = keys[child];
            at = child;
        }
    }
    heap[at] = point, keys[at] = urgency;
}

/* The row that is needed and those that are likely to be needed next. */
static size_t list_wanted(work *w, size_t needed)
{
    size_t n = 0, most = BATCH - 1;
    if (most + 2 > w->cache.n_slots) most = w->cache.n_slots > 2 ? w->cache.n_slots - 2 : 0;
    w->wanted[0] = (uint32_t)needed;
    for (size_t g = 0; g < w->n_groups; g++) {
        if (w->twice && g != w->group) continue; /* a point is not to come twice */
        const cairn_pair_ends *ends = &w->ends[g];
        size_t last = group_first(w, g) + group_size(w, g);
        for (size_t k = group_first(w, g); k < last; k++) {
            double raise = w->rest[k] + (double)w->up[k] - ends->bottom;
            double fall = ends->top - (w->rest[k] + (double)w->low[k]);
            double urgency = raise > fall ? raise : fall;
            if (!(urgency > 0) || (n == most && !(urgency > w->urgency[0]))) continue;
            size_t point = point_of(w, w->active[k]);
            if (point == needed || w->cache.slot_of[point] != CAIRN_NO_SLOT) continue;
            offer(w, &n, most, (uint32_t)point, urgency);
        }
    }
    return n + 1;
}

/* Row of an active variable, made with others when it is not here. The row that was asked for
 * before stays. */
static cairn_status fetch(cairn_context *ctx, work *w, size_t k, const float **out)
{
    size_t point = point_of(w, w->active[k]), width = w->cache.width;
    *out = cairn_row_cache_find(&w->cache, point);
    if (*out) return CAIRN_OK;
    size_t m = list_wanted(w, point);
    CHECK(w->p->rows.rows(ctx, w->p->rows.data, w->wanted, m, w->made, width));
    w->p->n_made += m;
    for (size_t r = m; r-- > 0;) {
        float *row = cairn_row_cache_take(&w->cache, w->wanted[r]);
        memcpy(row, w->made + r * width, width * sizeof *row);
        if (r == 0) *out = row;
    }
    return CAIRN_OK;
}

/* -- steps -- */

/* How far β may rise or fall before it meets a bound or the kink at 0. */
static double rise_end(const cairn_pairs *p, size_t v)
{
    return p->beta[v] < 0 && p->upper[v] > 0 ? 0 : p->upper[v];
}

static double fall_end(const cairn_pairs *p, size_t v)
{
    return p->beta[v] > 0 && p->lower[v] < 0 ? 0 : p->lower[v];
}

/* Raise i and lower j as far as they gain by it; returns how far. */
static double take_step(work *w, size_t i, size_t j, float together)
{
    cairn_pairs *p = w->p;
    size_t vi = w->active[i], vj = w->active[j];
    double top = rise_end(p, vi), bottom = fall_end(p, vj);
    double room_i = top - p->beta[vi], room_j = p->beta[vj] - bottom;
    float bend = w->diagonal[i] + w->diagonal[j] - 2 * together;
    double push = w->rest[i] + (double)w->up[i] - (w->rest[j] + (double)w->low[j]);
    double by = push / (double)(bend > LEAST_BEND ? bend : LEAST_BEND);
    double was_i = p->beta[vi], was_j = p->beta[vj];
    if (by > room_i) by = room_i;
    if (by > room_j) by = room_j;
    p->beta[vi] = by >= room_i ? top : was_i + by;
    p->beta[vj] = by >= room_j ? bottom : was_j - by;
    w->stuck = p->beta[vi] == was_i && p->beta[vj] == was_j;
    set_ends(w, i);
    set_ends(w, j);
    return by;
}

static cairn_status step(cairn_context *ctx, work *w)
{
    size_t i = w->ends[w->group].first;
    const float *a, *b;
    CHECK(fetch(ctx, w, i, &a));
    size_t j = find_partner(w, i, a);
    CHECK(fetch(ctx, w, j, &b));
    a = cairn_row_cache_find(&w->cache, point_of(w, w->active[i]));
    size_t column = w->twice ? point_of(w, w->active[j]) : j;
    move_all(w, a, b, take_step(w, i, j, a[column]));
    w->p->steps++;
    return CAIRN_OK;
}

/* -- shrinking -- */

/* The columns of the active variables; with two variables for each point all of them. */
static cairn_status set_columns(cairn_context *ctx, const work *w)
{
    size_t n = w->twice ? w->p->n_points : w->n;
    return w->p->rows.columns(ctx, w->p->rows.data, w->active, n);
}

/* Whether a variable pushes neither up nor down against any other. */
static bool is_idle(const work *w, size_t k, size_t g)
{
    const cairn_pair_ends *ends = &w->ends[g];
    return w->rest[k] + (double)w->up[k] < ends->bottom &&
           w->rest[k] + (double)w->low[k] > ends->top;
}

/* Set idle variables aside, if they are many enough to pay for the new columns. */
static cairn_status shrink(cairn_context *ctx, work *w)
{
    size_t n = 0, n_first = 0;
    for (size_t k = 0; k < w->n; k++) {
        size_t g = w->n_groups == 2 && k >= w->split;
        if (is_idle(w, k, g)) continue;
        w->list[n++] = (uint32_t)k;
        n_first += g == 0;
    }
    if (n > w->n - w->n / 4) return CAIRN_OK;
    cairn_row_cache_narrow(&w->cache, w->list, n);
    for (size_t k = 0; k < n; k++) {
        size_t from = w->list[k];
        w->active[k] = w->active[from];
        w->rest[k] = w->rest[from];
        w->up[k] = w->up[from], w->low[k] = w->low[from];
        w->diagonal[k] = w->diagonal[from];
    }
    w->n = n;
    w->split = w->n_groups == 2 ? n_first : 0;
    CHECK(set_columns(ctx, w));
    look_all(w);
    return CAIRN_OK;
}

/* rest -= the rows of all β that are not 0, over the n columns that are set, for the variables
 * `which`. Rows are made BATCH at a time and taken in order. */
static cairn_status take_away(cairn_context *ctx, work *w, const uint32_t *which, size_t n)
{
    cairn_pairs *p = w->p;
    size_t columns = w->twice ? p->n_points : n;
    for (size_t v = 0; v < p->n;) {
        size_t m = 0;
        for (; v < p->n && m < BATCH; v++)
            if (p->beta[v] != 0) w->list[m++] = (uint32_t)v;
        for (size_t r = 0; r < m; r++) w->wanted[r] = (uint32_t)point_of(w, w->list[r]);
        if (m == 0) break;
        CHECK(p->rows.rows(ctx, p->rows.data, w->wanted, m, w->made, columns));
        p->n_made += m;
        for (size_t r = 0; r < m; r++)
            for (size_t k = 0; k < n; k++)
                p->rest[which[k]] -= p->beta[w->list[r]] *
                                     (double)w->made[r * columns + (w->twice ? k % columns : k)];
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    return CAIRN_OK;
}

/* Every variable is active again; pushes of those that were not are made anew. */
static cairn_status unshrink(cairn_context *ctx, work *w)
{
    cairn_pairs *p = w->p;
    size_t n = 0;
    uint32_t *gone;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_RAW(ctx, &gone, p->n + 1));
    for (size_t v = 0, k = 0; v < p->n; v++)
        if (k < w->n && w->active[k] == v)
            p->rest[v] = w->rest[k++];
        else
            p->rest[gone[n++] = (uint32_t)v] = p->linear[v];
    CHECK(p->rows.columns(ctx, p->rows.data, gone, n));
    CHECK(take_away(ctx, w, gone, n));
    w->n = p->n;
    w->split = p->split;
    for (size_t v = 0; v < p->n; v++) {
        w->active[v] = (uint32_t)v;
        w->rest[v] = p->rest[v];
        w->diagonal[v] = (float)p->diagonal[point_of(w, v)];
        set_ends(w, v);
    }
    cairn_row_cache_forget(&w->cache, w->n);
    CHECK(set_columns(ctx, w));
    look_all(w);
    return CAIRN_OK;
}

/* -- the whole -- */

static cairn_status open_work(cairn_context *ctx, work *w, cairn_pairs *p)
{
    bool any = false;
    *w = (work){.p = p, .n = p->n, .split = p->split, .n_groups = p->split ? 2 : 1};
    w->twice = p->n > p->n_points;
    CHECK(SCRATCH_RAW(ctx, &w->active, p->n + 1));
    CHECK(SCRATCH_RAW(ctx, &w->rest, p->n + 1));
    CHECK(SCRATCH_RAW(ctx, &w->up, p->n + 1));
    CHECK(SCRATCH_RAW(ctx, &w->low, p->n + 1));
    CHECK(SCRATCH_RAW(ctx, &w->diagonal, p->n + 1));
    CHECK(SCRATCH_RAW(ctx, &w->list, p->n + BATCH));
    CHECK(SCRATCH_RAW(ctx, &w->made, cairn_product(BATCH, p->n_points)));
    CHECK(SCRATCH_RAW(ctx, &w->wanted, BATCH));
    CHECK(SCRATCH_RAW(ctx, &w->urgency, BATCH));
    for (size_t v = 0; v < p->n; v++) {
        w->active[v] = (uint32_t)v;
        w->diagonal[v] = (float)p->diagonal[point_of(w, v)];
        p->rest[v] = p->linear[v];
        any = any || p->beta[v] != 0;
    }
    CHECK(set_columns(ctx, w));
    if (any) CHECK(take_away(ctx, w, w->active, p->n));
    for (size_t v = 0; v < p->n; v++) {
        w->rest[v] = p->rest[v];
        set_ends(w, v);
    }
    CHECK(cairn_row_cache_open(ctx, &w->cache, p->n_points, p->cache));
    look_all(w);
    return CAIRN_OK;
}

/* How far on the way from the first gap to the tolerance, by orders of magnitude. */
static double share_done(const cairn_pairs *p, double first, double gap)
{
    double whole = cairn_log(first / p->tolerance), left = cairn_log(gap / p->tolerance);
    return whole > 0 && left > 0 ? 1 - left / whole : 0;
}

static cairn_status run(cairn_context *ctx, work *w)
{
    cairn_pairs *p = w->p;
    double first = w->gap;
    size_t patience = SHRINK_STEPS, until_shrink = patience;
    while (p->steps < p->most && !w->stuck) {
        if (!(w->gap > p->tolerance)) {
            if (w->n == p->n) break;
            CHECK(unshrink(ctx, w));
            until_shrink = patience *= 4; /* some should have stayed: not so soon again */
            continue;
        }
        CHECK(step(ctx, w));
        if (p->steps % TICK_STEPS == 0)
            CHECK(cairn_tick(ctx, p->what, share_done(p, first, w->gap), 1));
        if (p->shrink && !w->twice && --until_shrink == 0) {
            CHECK(shrink(ctx, w));
            until_shrink = patience;
        }
    }
    return CAIRN_OK;
}

/* Multipliers of the sums and the value of the function, with all variables active. */
static void sum_up(const work *w)
{
    cairn_pairs *p = w->p;
    p->gap = w->gap;
    p->converged = !(w->gap > p->tolerance);
    for (size_t g = 0; g < w->n_groups; g++) {
        cairn_pair_group *group = &p->groups[g];
        double sum = 0;
        *group = (cairn_pair_group){.top = w->ends[g].top, .bottom = w->ends[g].bottom};
        for (size_t k = group_first(w, g), end = k + group_size(w, g); k < end; k++)
            if (w->up[k] == w->low[k]) sum += w->rest[k] + (double)w->up[k], group->n_free++;
        group->middle = group->n_free              ? sum / (double)group->n_free
                        : !isfinite(group->top)    ? group->bottom
                        : !isfinite(group->bottom) ? group->top
                                                   : (group->top + group->bottom) / 2;
    }
    p->value = 0;
    for (size_t v = 0; v < p->n; v++) {
        p->rest[v] = w->rest[v];
        p->value += p->width * fabs(p->beta[v]) - p->beta[v] * (p->linear[v] + p->rest[v]) / 2;
    }
}

cairn_status cairn_pairs_solve(cairn_context *ctx, cairn_pairs *pairs)
{
    SCOPED_SCRATCH(ctx);
    work w = {0};
    cairn_status status;
    pairs->steps = pairs->n_made = 0;
    TRY(open_work(ctx, &w, pairs));
    TRY(run(ctx, &w));
    if (w.n < pairs->n) TRY(unshrink(ctx, &w));
    sum_up(&w);
done:
    cairn_row_cache_close(&w.cache);
    return status;
}
