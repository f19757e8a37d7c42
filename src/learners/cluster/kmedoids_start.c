/* SPDX-License-Identifier: MIT */
/* The first medoids: built one after the other, drawn, the first rows, named rows, or those of a
 * given partition.
 *
 * build takes the row of the least summed distance, then again and again the row that lowers the
 * cost most. What a row is worth only falls as medoids are added, so its last known worth is a
 * bound: rows are looked at again in the order of their bounds, until no bound is as large as the
 * best worth found. The answer is that of looking at all of them.
 *
 * Random starts use one stream of random numbers per start. plusplus draws a row with a chance
 * proportional to its weight times its squared distance to the nearest medoid so far. */
#include "base/memory.h"
#include "base/text.h"
#include "entry/entry.h"
#include "kernels/kernels.h"
#include "kernels/medoid_scan.h"
#include "learners/cluster/given_clusters.h"
#include "learners/cluster/kmedoids.h"
#include "parallel/parallel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The state of k-medoids: distances between the rows, the medoids, and for every row the nearest
 * and the next of them. */

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
    double *buffer;   /* per worker: k x BLOCK distances */
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
    double *buffer = w->buffer + (size_t)worker * m->k * BLOCK, *near = m->near;
    (void)block;
    if (!x->lines)
        cairn_distances_alone(x->rows, m->rows, m->k, x->rows, begin, end - begin, buffer, BLOCK,
                              w->letters + (size_t)worker * w->n_letters);
    for (size_t i = begin; i < end; i++) near[i] = INFINITY;
    for (size_t i = begin; !w->cost_only && i < end; i++) {
        m->next[i] = INFINITY;
        m->nearest[i] = m->second[i] = -1;
    }
    for (size_t c = 0; c < m->k; c++) {
        const double *line = x->lines ? x->lines[m->rows[c]] + begin : buffer + c * BLOCK;
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
    work.n_letters = cairn_distance_buffer(m->x->rows, m->x->rows);
    CHECK(SCRATCH_RAW(ctx, &work.buffer, cairn_product(workers * BLOCK, m->k)));
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

enum { LOOKED_AT = 64, CANDIDATES = 4 };

/* -- build -- */

typedef struct build_work {
    const cairn_medoid_rows *x;
    const double *near;    /* n: distance to the nearest medoid so far; NULL = there is none */
    const uint32_t *which; /* rows that are looked at; NULL = the first ones */
    double *worth;         /* n; -INFINITY of those that are medoids */
} build_work;

/* What the cost falls by with one more medoid; without any, the negative sum of distances. */
static double worth_of(const build_work *w, const double *line)
{
    const cairn_medoid_rows *x = w->x;
    if (w->near) return cairn_falls_sum(w->near, line, x->weights, x->n);
    return -(x->weights ? cairn_dot(line, x->weights, x->n) : cairn_sum(line, x->n));
}

static void worth_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const build_work *w = data;
    (void)block, (void)worker;
    for (size_t at = begin; at < end; at++) {
        size_t row = w->which ? w->which[at] : at;
        if (w->worth[row] == -INFINITY) continue;
        w->worth[row] = worth_of(w, w->x->lines[row]);
    }
}

static cairn_status look_at(cairn_context *ctx, build_work *w, const uint32_t *which, size_t n)
{
    w->which = which;
    return cairn_blocks_sized(ctx, n, CANDIDATES, (double)n * (double)w->x->n, worth_block, w);
}

typedef struct bound {
    double worth;
    uint32_t row;
} bound;

/* The largest bound first; rows in their order. */
static int compare_bounds(const void *a, const void *b)
{
    const bound *x = a, *y = b;
    if (x->worth != y->worth) return x->worth > y->worth ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Of the rows looked at the first of the best ones. */
static size_t best_worth(const double *worth, const bound *bounds, size_t n)
{
    double most = -INFINITY;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < n; i++) most = fmax(most, worth[bounds[i].row]);
    for (size_t i = 0; i < n; i++)
        if (cairn_medoids_tie(worth[bounds[i].row], most, fabs(most)) && bounds[i].row < best)
            best = bounds[i].row;
    return best;
}

/* The next medoid: rows are looked at anew while their bound may be the best. With `all` (for the
 * steps) every row is. */
static cairn_status next_medoid(cairn_context *ctx, build_work *w, bound *bounds, uint32_t *which,
                                bool all, size_t *out)
{
    size_t n = w->x->n, seen = 0;
    double most = -INFINITY;
    for (size_t i = 0; i < n; i++) bounds[i] = (bound){w->worth[i], (uint32_t)i};
    qsort(bounds, n, sizeof *bounds, compare_bounds);
    while (seen < n && (all || bounds[seen].worth >= most - 1e-9 * fabs(most))) {
        size_t some = n - seen < LOOKED_AT ? n - seen : LOOKED_AT;
        for (size_t i = 0; i < some; i++) which[i] = bounds[seen + i].row;
        CHECK(look_at(ctx, w, which, some));
        for (size_t i = 0; i < some; i++) most = fmax(most, w->worth[which[i]]);
        seen += some;
    }
    *out = best_worth(w->worth, bounds, seen);
    return CAIRN_OK;
}

/* Medoid number c is that row, which is never looked at again. */
static void take_medoid(cairn_medoids *m, size_t c, size_t row, double *near, double *worth)
{
    const double *line = m->x->lines[row];
    m->rows[c] = (uint32_t)row;
    for (size_t i = 0; i < m->x->n; i++) near[i] = c == 0 ? line[i] : fmin(near[i], line[i]);
    worth[row] = -INFINITY;
}

cairn_status cairn_kmedoids_build(cairn_context *ctx, cairn_medoids *m, cairn_kmedoids_steps *steps)
{
    SCOPED_SCRATCH(ctx);
    size_t n = m->x->n, row;
    bool all = steps && steps->out;
    build_work w = {.x = m->x};
    double *near;
    bound *bounds;
    uint32_t *which;
    CHECK(SCRATCH(ctx, &w.worth, n));
    CHECK(SCRATCH_RAW_EACH(ctx, n, &near, &bounds));
    CHECK(SCRATCH_RAW(ctx, &which, LOOKED_AT));
    CHECK(look_at(ctx, &w, NULL, n));
    for (size_t c = 0; c < m->k; c++) {
        if (c == 1) CHECK(look_at(ctx, &w, NULL, n));
        CHECK(next_medoid(ctx, &w, bounds, which, all, &row));
        if (all) cairn_kmedoids_show_build(steps, m, c, w.worth, row);
        take_medoid(m, c, row, near, w.worth);
        w.near = near;
        CHECK(cairn_tick(ctx, "first medoids", (double)c, (double)m->k));
    }
    return CAIRN_OK;
}

/* -- drawn rows -- */

static cairn_status start_rows(cairn_context *ctx, cairn_medoids *m, cairn_random *random)
{
    uint32_t *rows;
    CHECK(SCRATCH_RAW(ctx, &rows, m->x->n));
    for (size_t i = 0; i < m->x->n; i++) rows[i] = (uint32_t)i;
    for (size_t c = 0; c < m->k; c++) {
        size_t at = random ? c + cairn_random_below(random, m->x->n - c) : c;
        uint32_t row = rows[at];
        rows[at] = rows[c];
        m->rows[c] = rows[c] = row;
    }
    return CAIRN_OK;
}

/* A row drawn with a chance proportional to `shares`; where all are 0, one that is no medoid. */
static size_t draw_row(const cairn_medoids *m, size_t c, const double *shares, cairn_random *random)
{
    size_t n = m->x->n, last = 0;
    double total = 0;
    for (size_t i = 0; i < n; i++) total += shares[i];
    double at = cairn_random_uniform(random) * total;
    for (size_t i = 0; total > 0 && i < n; i++) {
        if (!(shares[i] > 0)) continue;
        last = i;
        if (at < shares[i]) return i;
        at -= shares[i];
    }
    if (total > 0) return last;
    last = cairn_random_below(random, n);
    for (size_t b = 0; n > 0 && b < c;)
        if (m->rows[b] == last) {
            last = (last + 1) % n;
            b = 0;
        } else {
            b++;
        }
    return last;
}

/* Medoids drawn so far are assigned anew for each: one line of distances is all that it takes. */
static cairn_status start_plusplus(cairn_context *ctx, cairn_medoids *m, cairn_random *random)
{
    const cairn_medoid_rows *x = m->x;
    double *near, *line, *shares;
    CHECK(SCRATCH_RAW_EACH(ctx, x->n, &near, &line, &shares));
    for (size_t c = 0; c < m->k; c++) {
        for (size_t i = 0; i < x->n; i++)
            shares[i] = cairn_medoid_weight(x, i) * (c ? near[i] * near[i] : 1);
        m->rows[c] = (uint32_t)draw_row(m, c, shares, random);
        CHECK(cairn_distances_block(ctx, x->rows, m->rows + c, 1, x->rows, 0, x->n, line, x->n));
        for (size_t i = 0; i < x->n; i++) near[i] = c ? fmin(near[i], line[i]) : line[i];
    }
    return CAIRN_OK;
}

/* -- from outside -- */

/* Row numbers of the table, from 1, each of them among the rows that are clustered. */
static cairn_status start_named(cairn_context *ctx, cairn_medoids *m, const char *list)
{
    const cairn_view *view = m->x->view;
    uint32_t *rows;
    size_t n, found;
    cairn_status status = cairn_row_list(ctx, &rows, &n, list, view->table->n_rows);
    if (status) {
        cairn_message_prefix(ctx, "{init}");
        return status;
    }
    if (n != m->k)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "{init} names %zu row%s for %zu medoids", n,
                          n == 1 ? "" : "s", m->k);
    for (size_t c = 0; c < n; c++) {
        for (found = 0; found < m->x->n && cairn_view_row(view, found) != rows[c];) found++;
        if (found == m->x->n)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "{init}: row %zu is not among the rows with weight",
                              (size_t)rows[c] + 1);
        for (size_t b = 0; b < c; b++)
            if (rows[b] == rows[c])
                return cairn_fail(ctx, CAIRN_BAD_DATA, "{init}: row %zu is named twice",
                                  (size_t)rows[c] + 1);
        m->rows[c] = (uint32_t)found;
    }
    return CAIRN_OK;
}

/* The medoid of every given cluster. */
static cairn_status start_given(cairn_context *ctx, cairn_medoids *m, const char *given)
{
    size_t n = m->x->n, at;
    int32_t *groups;
    uint32_t *members;
    double *sums;
    CHECK(cairn_given_used(ctx, &groups, m->x->all, m->k, given));
    CHECK(SCRATCH_RAW_EACH(ctx, n, &members, &sums));
    for (size_t c = 0; c < m->k; c++) {
        size_t size = 0;
        for (size_t i = 0; i < n; i++)
            if (groups[i] == (int32_t)c) members[size++] = (uint32_t)i;
        if (!size)
            return cairn_fail(ctx, CAIRN_BAD_DATA, "{given} puts no row in cluster %zu", c + 1);
        CHECK(cairn_medoid_of(ctx, m->x, members, size, UINT32_MAX, sums, &at));
        m->rows[c] = members[at];
    }
    return CAIRN_OK;
}

static const char *start_word(size_t i, const void *data)
{
    static const char *const words[] = {"build", "plusplus", "random", "first"};
    (void)data;
    return i < sizeof words / sizeof *words ? words[i] : NULL;
}

static bool is_word(const char *text)
{
    const char *word;
    for (size_t i = 0; (word = start_word(i, NULL)); i++)
        if (cairn_same(text, word)) return true;
    return false;
}

cairn_status cairn_kmedoids_check_start(cairn_context *ctx, const cairn_kmedoids_params *params)
{
    const char *init = params->init;
    if (is_word(init) || (*init >= '0' && *init <= '9') || *init == '(') return CAIRN_OK;
    const char *near = cairn_nearest_word(init, start_word, NULL);
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{init}: '%s' is neither a way to start (build, plusplus, random, first) nor "
                      "a list of row numbers%s%s%s",
                      init, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

bool cairn_kmedoids_is_random(const cairn_kmedoids_params *params)
{
    return !params->given &&
           (cairn_same(params->init, "plusplus") || cairn_same(params->init, "random"));
}

cairn_status cairn_kmedoids_start(cairn_context *ctx, cairn_medoids *m,
                                  const cairn_kmedoids_params *params, size_t start,
                                  cairn_kmedoids_steps *steps)
{
    SCOPED_SCRATCH(ctx);
    const char *init = params->init;
    cairn_random random;
    cairn_random_start(&random, cairn_context_seed(ctx), start);
    if (params->given) return start_given(ctx, m, params->given);
    if (cairn_same(init, "plusplus")) return start_plusplus(ctx, m, &random);
    if (cairn_same(init, "random")) return start_rows(ctx, m, &random);
    if (cairn_same(init, "first")) return start_rows(ctx, m, NULL);
    if (cairn_same(init, "build")) return cairn_kmedoids_build(ctx, m, steps);
    return start_named(ctx, m, init);
}
