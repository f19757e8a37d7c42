/* SPDX-License-Identifier: MIT */
/* Decomposition: sequential minimal optimisation (SMO, smo) within working sets.
 *
 * The push on variable v is rest_v = b_v - (Kβ)_v; raising β_v gains with rest_v + up_v and
 * lowering it with -(rest_v + low_v), where up and low are 0 or the width of the kink at β = 0, and
 * infinite where a bound forbids it. A working set has the variables that push hardest, half of
 * them new and half from the set before. Within it a step raises the variable i with the largest
 * push upwards and lowers the j with the largest promise d² / (K_ii + K_jj - 2 K_ij), until the
 * largest push upwards is near the smallest push downwards; then the pushes on all variables are
 * brought up to date. The end is where the two are within the tolerance for all of them.
 *
 * So rows of K are made many at once, by products, and each is read once for a working set. Those
 * made last are kept. What is kept never decides which variables are taken, so memory and threads
 * do not show in the result.
 *
 * Shrinking sets variables aside whose pushes are beyond both ends; rows that are kept lose their
 * columns. Their pushes are made anew at the end, from the rows of all β that are not 0, and the
 * work goes on with all variables if some should not have gone. Joachims, Making large-scale SVM
 * learning practical (1998); Fan, Chen and Lin, Working set selection using second order
 * information (2005). */
#include "base/functions.h"
#include "base/memory.h"
#include "kernels/pair_scan.h"
#include "parallel/parallel.h"
#include "solve/constrained.h"
#include "solve/pairs.h"
#include "solve/row_cache.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Problems of pairs.h of few variables, solved by an active set: exact but for rounding.
 *
 * Without a width the numbers of the program are the β themselves. With one, |β| is no quadratic
 * function: then β = α - α' with two numbers that are not negative, of which one is 0 in the
 * end. */

typedef struct program {
    cairn_box_program box;
    cairn_wide *x;    /* box.n: β, or α and then α'; or the changes of them */
    cairn_quad *from; /* box.n: what they are changes of */
    bool twice;
} program;

static size_t exact_point_of(const cairn_pairs *p, size_t v)
{
    return v < p->n_points ? v : v - p->n_points;
}

/* Variable and sign of number k of the program. */
static size_t variable(const cairn_pairs *p, size_t k, double *sign)
{
    *sign = k < p->n ? 1 : -1;
    return k < p->n ? k : k - p->n;
}

/* The bounds of number k itself. */
static double lower_of(const cairn_pairs *p, const program *own, size_t k)
{
    return own->twice ? 0 : p->lower[k];
}

static double upper_of(const cairn_pairs *p, size_t k)
{
    double sign;
    size_t v = variable(p, k, &sign);
    return sign > 0 ? p->upper[v] : -p->lower[v];
}

/* Bounds, signs and sums of the program's numbers, and where they start: at β where the slopes
 * there, by `rest`, are known, else at 0. */
static cairn_status set_numbers(cairn_context *ctx, program *out, const cairn_pairs *p,
                                const cairn_quad *beta, const cairn_quad *rest)
{
    size_t n = out->box.n, *groups;
    cairn_wide *gradient, *lower, *upper;
    double *factors, sign;
    CHECK(SCRATCH_EACH(ctx, n, &out->x, &out->from, &gradient, &lower, &upper, &factors, &groups));
    for (size_t k = 0; k < n; k++) {
        size_t v = variable(p, k, &sign);
        cairn_quad start = out->twice && sign * beta[v] < 0 ? 0 : sign * beta[v];
        if (rest) out->from[k] = start;
        gradient[k] = p->width - sign * (rest ? (cairn_wide)rest[v] : p->linear[v]);
        lower[k] = (cairn_wide)(lower_of(p, out, k) - out->from[k]);
        upper[k] = (cairn_wide)(upper_of(p, k) - out->from[k]);
        factors[k] = sign;
        groups[k] = p->split && v >= p->split;
        out->x[k] = rest ? 0 : (cairn_wide)start;
    }
    out->box.gradient = gradient;
    out->box.lower = lower;
    out->box.upper = upper;
    out->box.factors = factors;
    out->box.groups = groups;
    return CAIRN_OK;
}

static cairn_status set_hessian(cairn_context *ctx, program *out, const cairn_pairs *p,
                                const cairn_wide *gram)
{
    size_t n = out->box.n;
    cairn_wide *hessian;
    double one, other;
    CHECK(SCRATCH_RAW(ctx, &hessian, cairn_product(n, n)));
    for (size_t k = 0; k < n; k++)
        for (size_t l = 0; l < n; l++) {
            size_t a = variable(p, k, &one), b = variable(p, l, &other);
            hessian[k * n + l] =
                one * other * gram[exact_point_of(p, a) * p->n_points + exact_point_of(p, b)];
        }
    out->box.hessian = hessian;
    return CAIRN_OK;
}

/* Number k, at a bound exactly where its change is. */
static cairn_quad number_of(const cairn_pairs *p, const program *from, size_t k)
{
    if (from->x[k] <= from->box.lower[k]) return lower_of(p, from, k);
    if (from->x[k] >= from->box.upper[k]) return upper_of(p, k);
    return from->from[k] + from->x[k];
}

/* β, the rest b - Kβ and what free variables there are. */
static void read_back(cairn_pairs *p, const program *from, const cairn_wide *gram,
                      const cairn_quad *rest, cairn_quad *beta)
{
    p->groups[0].n_free = p->groups[1].n_free = 0;
    for (size_t v = 0; v < p->n; v++) {
        beta[v] = number_of(p, from, v) - (from->twice ? number_of(p, from, p->n + v) : 0);
        p->beta[v] = (double)beta[v];
        bool inside = p->beta[v] > p->lower[v] && p->beta[v] < p->upper[v];
        if (inside && (!from->twice || beta[v] != 0)) p->groups[p->split && v >= p->split].n_free++;
    }
    for (size_t v = 0; v < p->n; v++) {
        cairn_wide left = rest ? (cairn_wide)rest[v] : p->linear[v];
        for (size_t u = 0; u < p->n; u++)
            left -= gram[exact_point_of(p, v) * p->n_points + exact_point_of(p, u)] *
                    (from->x[u] - (from->twice ? from->x[p->n + u] : 0));
        p->rest[v] = (double)left;
    }
}

cairn_status cairn_pairs_refine(cairn_context *ctx, cairn_pairs *p, const cairn_wide *gram,
                                const cairn_quad *rest, cairn_ending *ending, cairn_quad *beta)
{
    program own = {.twice = p->width > 0};
    cairn_box_answer answer;
    SCOPED_SCRATCH(ctx);
    own.box.n = own.twice ? 2 * p->n : p->n;
    own.box.n_groups = p->split ? 2 : 1;
    CHECK(set_numbers(ctx, &own, p, beta, rest));
    CHECK(set_hessian(ctx, &own, p, gram));
    CHECK(cairn_active_set(ctx, &answer, own.x, &own.box));
    *ending = answer.ending;
    read_back(p, &own, gram, rest, beta);
    for (size_t g = 0; g < own.box.n_groups; g++) {
        p->groups[g].top = answer.low[g];
        p->groups[g].bottom = answer.high[g];
        p->groups[g].middle = answer.multipliers[g];
    }
    p->value = answer.value;
    p->gap = 0;
    p->steps = answer.steps;
    p->converged = answer.ending == CAIRN_ENDING_OPTIMAL;
    return CAIRN_OK;
}

cairn_status cairn_pairs_exact(cairn_context *ctx, cairn_pairs *p, const cairn_wide *gram,
                               cairn_ending *ending, cairn_quad *beta)
{
    SCOPED_SCRATCH(ctx);
    if (!beta) CHECK(SCRATCH_RAW(ctx, &beta, p->n + 1));
    for (size_t v = 0; v < p->n; v++) beta[v] = p->beta[v];
    return cairn_pairs_refine(ctx, p, gram, NULL, ending, beta);
}

enum {
    LEAST_SET = 64, /* variables of a working set */
    MOST_SET = 512,
    SHARE_OF_ALL = 4,  /* ... and no more than so much of all variables */
    BATCH = 128,       /* rows that are made at once when pushes are made anew */
    SHRINK_SETS = 200, /* working sets between looks for idle variables */
    TICK_STEPS = 1024,
    UPDATE_BLOCK = 4096, /* variables whose pushes are brought up to date at a time */
    MOST_REFINES = 30
};
#define LEAST_BEND 1e-12f
#define SET_SHARE  0.1 /* of the gap that is left within a working set */

/* A small problem of its own: the variables of the working set, by number. */
typedef struct set {
    size_t n, split;    /* variables; those of the first group */
    uint32_t *members;  /* n places among the active variables, rising */
    uint32_t *queue;    /* the same in the order in which they came */
    uint32_t *missing;  /* points whose rows are not here */
    float *matrix;      /* n x n */
    double *rest, *was; /* pushes; β at the start */
    float *up, *low, *diagonal;
    const float **rows; /* of those that moved */
    double *by;         /* how far they did */
    size_t n_moved;
} set;

typedef struct work {
    cairn_pairs *p;
    size_t n;         /* active variables, in their order */
    size_t split;     /* active ones of the first group */
    uint32_t *active; /* which they are */
    double *rest;
    float *up, *low, *diagonal;
    bool twice; /* two variables for each point: rows serve both halves */
    cairn_row_cache cache;
    float *made; /* BATCH rows */
    uint32_t *list;
    bool *chosen; /* active variables of the working set */
    size_t most;  /* variables of a working set */
    set set;
    double *keys; /* of those that are on offer */
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

/* Which ways a variable can go, and what the kink costs. */
static void set_ends(const cairn_pairs *p, size_t v, float *up, float *low)
{
    double beta = p->beta[v];
    float width = (float)p->width;
    *up = beta < p->upper[v] ? (beta < 0 ? width : -width) : -INFINITY;
    *low = beta > p->lower[v] ? (beta > 0 ? -width : width) : INFINITY;
}

/* The ends over all active variables. */
static void look_all(work *w)
{
    w->gap = -INFINITY;
    for (size_t g = 0; g < w->n_groups; g++) {
        size_t first = group_first(w, g);
        cairn_pair_ends *ends = &w->ends[g];
        cairn_pair_move(ends, w->rest + first, w->diagonal + first, w->diagonal + first, 0,
                        w->up + first, w->low + first, group_size(w, g));
        if (ends->top - ends->bottom > w->gap) w->gap = ends->top - ends->bottom, w->group = g;
    }
}

/* -- choosing a working set -- */

/* Keep the `most` of those on offer with the largest keys: a heap with the smallest on top. */
static void offer(uint32_t *heap, double *keys, size_t *n, size_t most, uint32_t item, double key)
{
    size_t at = 0;
    if (*n < most) {
        at = (*n)++;
        for (; at && keys[(at - 1) / 2] > key; at = (at - 1) / 2)
            heap[at] = heap[(at - 1) / 2], keys[at] = keys[(at - 1) / 2];
    } else {
        while (2 * at + 1 < most) {
            size_t child = 2 * at + 1;
            if (child + 1 < most && keys[child + 1] < keys[child]) child++;
            if (!(keys[child] < key)) break;
            heap[at] = heap[child], keys[at] = keys[child];
            at = child;
        }
    }
    heap[at] = item, keys[at] = key;
}

/* Add up to `most` variables of a group that push hardest one way against the other end, and are
 * not in the set. */
static void add_pushing(work *w, size_t g, bool upwards, size_t most)
{
    const cairn_pair_ends *ends = &w->ends[g];
    size_t n = 0, first = group_first(w, g), last = first + group_size(w, g);
    uint32_t *heap = w->set.queue + w->set.n;
    for (size_t k = first; k < last && most; k++) {
        double key = upwards ? w->rest[k] + (double)w->up[k] - ends->bottom
                             : ends->top - (w->rest[k] + (double)w->low[k]);
        if (!(key > 0) || (n == most && !(key > w->keys[0])) || w->chosen[k]) continue;
        offer(heap, w->keys, &n, most, (uint32_t)k, key);
    }
    for (size_t i = 0; i < n; i++) w->chosen[heap[i]] = true;
    w->set.n += n;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The last half of the set before stays, and those that push hardest come, as many each way. */
static void choose_set(work *w)
{
    set *s = &w->set;
    size_t keep = s->n < w->most / 2 ? s->n : w->most / 2, new = w->most - keep;
    memmove(s->queue, s->queue + s->n - keep, keep * sizeof *s->queue);
    memset(w->chosen, 0, w->n * sizeof *w->chosen);
    for (size_t i = 0; i < keep; i++) w->chosen[s->queue[i]] = true;
    s->n = keep;
    for (size_t g = 0; g < w->n_groups; g++) {
        add_pushing(w, g, true, new / 2 / w->n_groups);
        add_pushing(w, g, false, new / 2 / w->n_groups);
    }
    memcpy(s->members, s->queue, s->n * sizeof *s->members);
    qsort(s->members, s->n, sizeof *s->members, by_number);
    s->split = 0;
    while (w->n_groups == 2 && s->split < s->n && s->members[s->split] < w->split) s->split++;
}

/* -- rows -- */

static size_t list_missing(work *w)
{
    set *s = &w->set;
    size_t m = 0;
    for (size_t i = 0; i < s->n; i++) {
        size_t point = point_of(w, w->active[s->members[i]]);
        if (cairn_row_cache_find(&w->cache, point)) continue;
        bool again = false; /* both variables of the point are members */
        for (size_t r = 0; w->twice && r < m && !again; r++) again = s->missing[r] == point;
        if (!again) s->missing[m++] = (uint32_t)point;
    }
    return m;
}

static const float *row_of(const work *w, size_t member)
{
    return cairn_row_cache_find(&w->cache, point_of(w, w->active[w->set.members[member]]));
}

/* The small problem: its matrix, pushes and ends. */
static void open_set(work *w)
{
    set *s = &w->set;
    for (size_t i = 0; i < s->n; i++) {
        const float *row = row_of(w, i);
        size_t k = s->members[i];
        for (size_t j = 0; j < s->n; j++) {
            size_t other = s->members[j];
            s->matrix[i * s->n + j] = row[w->twice ? point_of(w, other) : other];
        }
        s->rest[i] = w->rest[k];
        s->up[i] = w->up[k], s->low[i] = w->low[k];
        s->diagonal[i] = w->diagonal[k];
        s->was[i] = w->p->beta[w->active[k]];
    }
}

/* -- steps within a working set -- */

/* How far β may rise or fall before it meets a bound or the kink at 0. */
static double rise_end(const cairn_pairs *p, size_t v)
{
    return p->beta[v] < 0 && p->upper[v] > 0 ? 0 : p->upper[v];
}

static double fall_end(const cairn_pairs *p, size_t v)
{
    return p->beta[v] > 0 && p->lower[v] < 0 ? 0 : p->lower[v];
}

/* Raise member i and lower member j as far as they gain by it; returns how far. */
static double take_step(work *w, size_t i, size_t j)
{
    cairn_pairs *p = w->p;
    set *s = &w->set;
    size_t vi = w->active[s->members[i]], vj = w->active[s->members[j]];
    double top = rise_end(p, vi), bottom = fall_end(p, vj);
    double was_i = p->beta[vi], was_j = p->beta[vj], buffer_i = top - was_i,
           buffer_j = was_j - bottom;
    float bend = s->diagonal[i] + s->diagonal[j] - 2 * s->matrix[i * s->n + j];
    double push = s->rest[i] + (double)s->up[i] - (s->rest[j] + (double)s->low[j]);
    double by = push / (double)(bend > LEAST_BEND ? bend : LEAST_BEND);
    if (by > buffer_i) by = buffer_i;
    if (by > buffer_j) by = buffer_j;
    p->beta[vi] = by >= buffer_i ? top : was_i + by;
    p->beta[vj] = by >= buffer_j ? bottom : was_j - by;
    w->stuck = p->beta[vi] == was_i && p->beta[vj] == was_j;
    set_ends(p, vi, &s->up[i], &s->low[i]);
    set_ends(p, vj, &s->up[j], &s->low[j]);
    return by;
}

typedef struct set_ends_of {
    cairn_pair_ends ends;
    size_t first, n; /* members of the group */
    double gap;
} set_ends_of;

/* All pushes within the set after member i rose and member j fell, and the group with the largest
 * gap. */
static set_ends_of move_set(work *w, const float *a, const float *b, double by)
{
    set *s = &w->set;
    set_ends_of best = {.gap = -INFINITY};
    for (size_t g = 0; g < w->n_groups; g++) {
        set_ends_of now = {.first = g ? s->split : 0};
        now.n = w->n_groups == 1 ? s->n : g ? s->n - s->split : s->split;
        cairn_pair_move(&now.ends, s->rest + now.first, a + now.first, b + now.first, by,
                        s->up + now.first, s->low + now.first, now.n);
        now.gap = now.ends.top - now.ends.bottom;
        if (now.gap > best.gap) best = now;
    }
    return best;
}

/* The partner of member i that promises most. */
static size_t find_partner(const set *s, const set_ends_of *now, size_t i)
{
    size_t first = now->first;
    size_t found =
        cairn_pair_partner(s->rest + first, s->low + first, s->matrix + i * s->n + first,
                           s->diagonal + first, now->ends.top, s->diagonal[i], LEAST_BEND, now->n);
    return first + (found < now->n ? found : now->ends.last);
}

/* Steps until little of the gap is left within the set. */
static cairn_status solve_set(cairn_context *ctx, work *w)
{
    cairn_pairs *p = w->p;
    set *s = &w->set;
    double enough = fmax(p->tolerance * 0.5, w->gap * SET_SHARE);
    size_t first = p->steps, most = 20 * s->n;
    set_ends_of now = move_set(w, s->diagonal, s->diagonal, 0);
    while (now.gap > enough && !w->stuck && p->steps < p->most && p->steps - first < most) {
        size_t i = now.first + now.ends.first, j = find_partner(s, &now, i);
        double by = take_step(w, i, j);
        now = move_set(w, s->matrix + i * s->n, s->matrix + j * s->n, by);
        if (++p->steps % TICK_STEPS == 0) CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    return CAIRN_OK;
}

/* -- all pushes brought up to date -- */

static void update_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const work *w = data;
    const set *s = &w->set;
    size_t columns = w->cache.width;
    (void)block, (void)worker;
    cairn_rows_take(w->rest + begin, s->rows, s->by, s->n_moved, begin, end - begin);
    if (w->twice)
        cairn_rows_take(w->rest + columns + begin, s->rows, s->by, s->n_moved, begin, end - begin);
}

static cairn_status update_all(cairn_context *ctx, work *w)
{
    set *s = &w->set;
    s->n_moved = 0;
    for (size_t i = 0; i < s->n; i++) {
        size_t k = s->members[i], v = w->active[k];
        double by = w->p->beta[v] - s->was[i];
        w->up[k] = s->up[i], w->low[k] = s->low[i];
        if (by == 0) continue;
        s->rows[s->n_moved] = row_of(w, i);
        s->by[s->n_moved++] = by;
    }
    CHECK(cairn_blocks_sized(ctx, w->cache.width, UPDATE_BLOCK,
                             (double)w->cache.width * (double)s->n_moved, update_block, w));
    look_all(w);
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
    w->set.n = 0;
    CHECK(set_columns(ctx, w));
    look_all(w);
    return CAIRN_OK;
}

/* rest -= the rows of all β that are not 0, over the n columns that are set, for the variables
 * `which`. Rows are made BATCH at a time and taken in order. */
static cairn_status take_away(cairn_context *ctx, work *w, const uint32_t *which, size_t n)
{
    cairn_pairs *p = w->p;
    uint32_t points[BATCH];
    size_t columns = w->twice ? p->n_points : n;
    for (size_t v = 0; v < p->n;) {
        size_t m = 0;
        for (; v < p->n && m < BATCH; v++)
            if (p->beta[v] != 0) w->list[m++] = (uint32_t)v;
        for (size_t r = 0; r < m; r++) points[r] = (uint32_t)point_of(w, w->list[r]);
        if (m == 0) break;
        CHECK(p->rows.rows(ctx, p->rows.data, points, m, w->made, columns));
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
        set_ends(p, v, &w->up[v], &w->low[v]);
    }
    w->set.n = 0;
    cairn_row_cache_forget(&w->cache, w->twice ? p->n_points : w->n);
    CHECK(set_columns(ctx, w));
    look_all(w);
    return CAIRN_OK;
}

/* -- the whole -- */

/* Room for working sets. */
static cairn_status open_members(cairn_context *ctx, work *w)
{
    set *s = &w->set;
    size_t most = w->n / SHARE_OF_ALL;
    most = most < LEAST_SET ? LEAST_SET : most > MOST_SET ? MOST_SET : most / 4 * 4;
    w->most = most;
    CHECK(SCRATCH_RAW_EACH(ctx, most, &w->keys, &s->members, &s->queue, &s->missing));
    CHECK(SCRATCH_RAW(ctx, &s->matrix, most * most));
    CHECK(SCRATCH_RAW_EACH(ctx, most, &s->rest, &s->was, &s->up, &s->low, &s->diagonal, &s->rows));
    return SCRATCH_RAW(ctx, &s->by, most);
}

/* A start other than 0 is taken from the slopes before the first step. */
static cairn_status open_work(cairn_context *ctx, work *w, cairn_pairs *p)
{
    bool any = false;
    *w = (work){.p = p, .n = p->n, .split = p->split, .n_groups = p->split ? 2 : 1};
    w->twice = p->n > p->n_points;
    CHECK(SCRATCH_RAW_EACH(ctx, p->n + 1, &w->active, &w->rest, &w->up, &w->low, &w->diagonal));
    CHECK(SCRATCH_RAW(ctx, &w->list, p->n + BATCH));
    CHECK(SCRATCH_RAW(ctx, &w->made, cairn_product(BATCH, p->n_points)));
    CHECK(SCRATCH_RAW(ctx, &w->chosen, p->n + 1));
    CHECK(open_members(ctx, w));
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
        set_ends(p, v, &w->up[v], &w->low[v]);
    }
    CHECK(cairn_row_cache_open(ctx, &w->cache, p->n_points, p->cache, w->most));
    look_all(w);
    return CAIRN_OK;
}

/* How far on the way from the first gap to the tolerance, by orders of magnitude. */
static double share_done(const cairn_pairs *p, double first, double gap)
{
    double whole = cairn_log(first / p->tolerance), left = cairn_log(gap / p->tolerance);
    return whole > 0 && left > 0 ? 1 - left / whole : 0;
}

/* The pushes of all variables from the products with all digits: what single precision has left is
 * gone with the next steps, as those of a refinement. */
static cairn_status refine(cairn_context *ctx, work *w)
{
    cairn_pairs *p = w->p;
    double *beta, *products;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &beta, p->n_points + 1));
    CHECK(SCRATCH_RAW(ctx, &products, p->n_points + 1));
    for (size_t v = 0; v < p->n; v++) beta[point_of(w, v)] += p->beta[v];
    CHECK(p->rows.products(ctx, p->rows.data, beta, products));
    for (size_t v = 0; v < p->n; v++) w->rest[v] = p->linear[v] - products[point_of(w, v)];
    look_all(w);
    return CAIRN_OK;
}

/* The multiplier of a group's sum. */
static double middle_of(const work *w, size_t g, size_t *n_free)
{
    double sum = 0, top = w->ends[g].top, bottom = w->ends[g].bottom;
    *n_free = 0;
    for (size_t k = group_first(w, g), end = k + group_size(w, g); k < end; k++)
        if (w->up[k] == w->low[k]) sum += w->rest[k] + (double)w->up[k], (*n_free)++;
    if (*n_free) return sum / (double)*n_free;
    return !isfinite(top) ? bottom : !isfinite(bottom) ? top : (top + bottom) / 2;
}

/* The duality gap as a part of the value: what every variable could still gain in its box with the
 * present multipliers of the sums. */
static double relative_gap(const work *w)
{
    const cairn_pairs *p = w->p;
    double sum = 0, value = 0;
    for (size_t g = 0; g < w->n_groups; g++) {
        size_t n_free;
        double middle = middle_of(w, g, &n_free);
        for (size_t v = group_first(w, g), end = v + group_size(w, g); v < end; v++) {
            double push = w->rest[v] - middle, beta = p->beta[v];
            double up = push - p->width, down = -push - p->width;
            double best = up > 0 ? up * p->upper[v] : down > 0 ? down * -p->lower[v] : 0;
            sum += best - beta * push + p->width * fabs(beta);
            value += p->width * fabs(beta) - beta * (p->linear[v] + w->rest[v]) / 2;
        }
    }
    return sum / fabs(value);
}

/* Whether the tolerance was lowered, since the gap asks for it, or the margin of two groups: it is
 * half of what their multipliers are apart, and may be small. */
static bool lower_tolerance(const work *w)
{
    cairn_pairs *p = w->p;
    size_t n_free;
    double gap = p->share > 0 ? relative_gap(w) : 0, margin = INFINITY;
    if (p->share > 0 && w->n_groups == 2 && !w->twice)
        margin = fabs(middle_of(w, 0, &n_free) - middle_of(w, 1, &n_free)) / 2;
    if ((!(gap > p->share) || isinf(gap)) && !(w->gap > p->share * margin)) return false;
    p->tolerance = fmin(p->tolerance, w->gap) / 16;
    return p->tolerance > 0;
}

/* Working sets until the gap is closed, for all variables and with all digits. */
static cairn_status run(cairn_context *ctx, work *w)
{
    cairn_pairs *p = w->p;
    double first = w->gap;
    size_t patience = SHRINK_SETS, until_shrink = patience, refines = 0;
    while (p->steps < p->most) {
        if (!(w->gap > p->tolerance) || w->stuck) {
            if (w->n == p->n) {
                bool stuck = w->stuck;
                double was = w->gap;
                if (refines++ == MOST_REFINES) break;
                if (p->rows.products) CHECK(refine(ctx, w));
                w->stuck = false;
                if (stuck ? !(w->gap > 2 * was) : !(w->gap > p->tolerance) && !lower_tolerance(w))
                    break;
                continue;
            }
            w->stuck = false;
            CHECK(unshrink(ctx, w));
            until_shrink = patience *= 4; /* some should have stayed: not so soon again */
            continue;
        }
        /* One working set. */
        choose_set(w);
        /* Rows of all members: room for the new ones may cost some of the others theirs. */
        set *s = &w->set;
        size_t slot = 0, m = list_missing(w);
        for (size_t before = 0; m > before;) {
            before = m;
            slot = cairn_row_cache_clear(&w->cache, m);
            m = list_missing(w);
        }
        if (m != 0) {
            CHECK(w->p->rows.rows(ctx, w->p->rows.data, s->missing, m,
                                  w->cache.rows + slot * w->cache.width, w->cache.width));
            w->p->n_made += m;
            cairn_row_cache_put(&w->cache, slot, s->missing, m);
        }
        open_set(w);
        CHECK(solve_set(ctx, w));
        CHECK(update_all(ctx, w));
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
        *group = (cairn_pair_group){.top = w->ends[g].top, .bottom = w->ends[g].bottom};
        group->middle = middle_of(w, g, &group->n_free);
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
