/* SPDX-License-Identifier: MIT */
/* The agglomerative method, whatever the linkage:
 *
 * 1. Every cluster has a bound and a neighbour (hierarchy_join.h); the rows of all leaves are
 *    looked at once for these.
 * 2. The least bound whose neighbour still lives is the next pair. Bounds that are lower or equal
 *    but whose neighbour is gone are looked up first, and, since that is done on all threads, some
 *    that are a little higher with them.
 * 3. The pair is joined. A cluster that is nearer to the new one than its bound gets the new one
 *    for a neighbour, which only centroids and medians can bring about; all other bounds hold,
 *    since the new cluster is no nearer than the nearer of its parts.
 *
 * So the merges come in the order of the plain method, which looks at all pairs for every merge. A
 * pair ties with another when their values differ by no more than a part in 1e12: then the one of
 * the first cluster goes first, and of its partners the first (or with the list of clusters read
 * from its end: the last of the last); new clusters stand at the end of the list.
 *
 * Cost: about n row look-ups of n values for most data, n^3 in the worst case. */
#include "base/memory.h"
#include "learners/cluster/hierarchy_join.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

enum {
    MOST_BATCH = 64, /* slots that are looked at before the next pair is joined ... */
    TOGETHER = 4     /* ... so few by a worker that all have about as much to do */
};
_Static_assert((int)TOGETHER <= (int)CAIRN_QUERIES, "rows that are made together");

static cairn_joining joining_of(cairn_linkage linkage)
{
    switch (linkage) {
    case CAIRN_LINKAGE_SINGLE: return CAIRN_JOIN_LEAST;
    case CAIRN_LINKAGE_COMPLETE: return CAIRN_JOIN_MOST;
    case CAIRN_LINKAGE_WARD: return CAIRN_JOIN_WARD;
    default: return CAIRN_JOIN_MEAN;
    }
}

cairn_status cairn_joiner_make(cairn_context *ctx, cairn_joiner *out, cairn_dendrogram *tree,
                               const cairn_hierarchy_params *params)
{
    size_t n = tree->n_leaves, workers = (size_t)cairn_workers(ctx);
    cairn_linkage linkage = (cairn_linkage)params->linkage;
    *out = (cairn_joiner){.tree = tree,
                          .linkage = linkage,
                          .joining = joining_of(linkage),
                          .squared = linkage >= CAIRN_LINKAGE_CENTROID,
                          .last = params->tie == CAIRN_HIERARCHY_LAST,
                          .reverses =
                              linkage == CAIRN_LINKAGE_CENTROID || linkage == CAIRN_LINKAGE_MEDIAN,
                          .n = n,
                          .width = n,
                          .live = n,
                          .reach = 0.01,
                          .keep_all = 256e6,
                          .work = 4};
    CHECK(SCRATCH_RAW(ctx, &out->ids, n));
    CHECK(SCRATCH_RAW(ctx, &out->sizes, n));
    CHECK(SCRATCH_RAW(ctx, &out->bounds, n));
    CHECK(SCRATCH_RAW(ctx, &out->nearest, n));
    CHECK(SCRATCH_RAW(ctx, &out->slots, 2 * n));
    CHECK(SCRATCH_RAW(ctx, &out->found, cairn_product(workers, n)));
    CHECK(SCRATCH_RAW(ctx, &out->batch, n));
    CHECK(SCRATCH_RAW(ctx, &out->spare, n));
    for (size_t i = 0; i < n; i++) {
        out->ids[i] = out->slots[i] = (uint32_t)i;
        out->sizes[i] = cairn_dendrogram_size(tree, i);
        out->bounds[i] = 0;
        out->nearest[i] = (uint32_t)i;
    }
    return CAIRN_OK;
}

const double *cairn_joiner_row(cairn_joiner *j, size_t slot, int worker)
{
    const double *row;
    uint32_t which = (uint32_t)slot;
    j->source->rows(j, &which, 1, worker, &row);
    return row;
}

/* Whether the bound of the slot is the value of a pair that is there. */
static bool is_exact(const cairn_joiner *j, size_t slot)
{
    uint32_t id = j->nearest[slot];
    return id != j->ids[slot] && j->slots[id] != CAIRN_NO_SLOT;
}

/* Of some slots the one whose cluster comes first, or last. */
static size_t choose(const cairn_joiner *j, const uint32_t *found, size_t n)
{
    size_t best = found[0];
    for (size_t i = 1; i < n; i++)
        if (j->last ? j->ids[found[i]] > j->ids[best] : j->ids[found[i]] < j->ids[best])
            best = found[i];
    return best;
}

size_t cairn_find_tied(uint32_t *found, const double *values, size_t n, double least)
{
    return cairn_find_at_most(found, values, n, least + cairn_tied_values * least);
}

/* Bound and neighbour of a slot from its row. */
static void look_up(cairn_joiner *j, size_t slot, const double *row, int worker)
{
    uint32_t *found = j->found + (size_t)worker * j->n;
    double least = cairn_least(row, j->width);
    j->bounds[slot] = least;
    j->nearest[slot] = j->ids[slot];
    if (!(least < INFINITY)) return;
    size_t n = cairn_find_tied(found, row, j->width, least);
    j->nearest[slot] = j->ids[choose(j, found, n)];
}

/* Some slots of the batch, which are few enough to be measured together. */
static void look_up_batch(void *data, size_t block, size_t begin, size_t end, int worker)
{
    cairn_joiner *j = data;
    const double *rows[CAIRN_QUERIES];
    (void)block;
    j->source->rows(j, j->batch + begin, end - begin, worker, rows);
    for (size_t i = begin; i < end; i++)
        if (!is_exact(j, j->batch[i])) look_up(j, j->batch[i], rows[i - begin], worker);
}

static cairn_status run_batch(cairn_context *ctx, cairn_joiner *j, size_t n)
{
    double work = (double)n * (double)j->width * j->work;
    for (size_t i = 0; j->source->keep && i < n; i++) CHECK(j->source->keep(ctx, j, j->batch[i]));
    return cairn_blocks_sized(ctx, n, TOGETHER, work, look_up_batch, j);
}

/* Look up the slots that must be (already in the batch), and others that will have to be soon. Of
 * very many that are as near as each other a merge makes most unsure again, so these wait. */
static cairn_status look_ahead(cairn_context *ctx, cairn_joiner *j, double least, size_t n)
{
    size_t must = n;
    size_t n_near = cairn_find_at_most(j->found, j->bounds, j->width, least * (1 + j->reach));
    if (n_near > 4 * MOST_BATCH) n_near = 0;
    for (size_t i = 0; i < n_near && n < MOST_BATCH + must; i++) {
        size_t slot = j->found[i];
        bool listed = false;
        if (is_exact(j, slot) && (!j->source->kept || j->source->kept(j, slot))) continue;
        for (size_t k = 0; k < must; k++) listed |= j->batch[k] == slot;
        if (!listed) j->batch[n++] = (uint32_t)slot;
    }
    if (n >= MOST_BATCH || n_near == 0)
        j->reach = fmax(0.75 * j->reach, 1e-6);
    else if (n < MOST_BATCH / 4)
        j->reach *= 1.25;
    return run_batch(ctx, j, n);
}

/* The slots whose bound must be made sure of before the next pair is known, into the batch: of many
 * rows only the one that would be chosen and one with the least bound. */
static size_t list_unsure(cairn_joiner *j, size_t n_found, double least, size_t chosen)
{
    size_t n = 0;
    bool small = j->n <= CAIRN_COUNTED_TIES, seen = false;
    for (size_t i = 0; i < n_found; i++) {
        size_t slot = j->found[i];
        bool lowest = !seen && j->bounds[slot] <= least;
        seen |= lowest;
        if ((small || slot == chosen || lowest) && !is_exact(j, slot))
            j->batch[n++] = (uint32_t)slot;
    }
    return n;
}

/* Rows of a pair that are not there yet are made beside others that will be needed soon. */
static cairn_status fetch_pair(cairn_context *ctx, cairn_joiner *j, double least, size_t a,
                               size_t b)
{
    size_t n = 0;
    if (!j->source->kept) return CAIRN_OK;
    if (!j->source->kept(j, a)) j->batch[n++] = (uint32_t)a;
    if (!j->source->kept(j, b)) j->batch[n++] = (uint32_t)b;
    return n ? look_ahead(ctx, j, least, n) : CAIRN_OK;
}

/* The next pair: the first of those with the least value. */
static cairn_status find_pair(cairn_context *ctx, cairn_joiner *j, size_t *a, size_t *b)
{
    for (;;) {
        double least = cairn_least(j->bounds, j->width);
        if (!(least < INFINITY))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "distances between clusters are too large for a number; scale the "
                              "columns, or divide them by a power of ten");
        size_t n_found = cairn_find_tied(j->found, j->bounds, j->width, least);
        size_t chosen = choose(j, j->found, n_found);
        size_t unsure = list_unsure(j, n_found, least, chosen);
        if (!unsure) {
            *a = chosen;
            *b = j->slots[j->nearest[chosen]];
            j->n_others = 0;
            for (size_t i = 0; i < n_found; i++)
                j->n_others += j->found[i] != *a && j->found[i] != *b && is_exact(j, j->found[i]);
            return fetch_pair(ctx, j, least, *a, *b);
        }
        CHECK(look_ahead(ctx, j, least, unsure));
    }
}

/* Clusters that are nearer to the new one than to any other get it for a neighbour. One that is as
 * near to it as to another keeps what it has: the new cluster is the last of the list. */
static void offer(cairn_joiner *j, size_t into, const double *row)
{
    uint32_t id = j->ids[into];
    size_t n = cairn_find_not_above(j->found, row, j->bounds, j->width, cairn_tied_values);
    for (size_t i = 0; i < n; i++) {
        size_t slot = j->found[i];
        double value = row[slot], bound = j->bounds[slot];
        if (slot == into) continue;
        if (j->last || value < bound - cairn_tied_values * bound) j->nearest[slot] = id;
        if (value < bound) j->bounds[slot] = value;
    }
}

/* A slot without a cluster is filled by the last one, or waits. Returns where `into` is now. */
static size_t vacate(cairn_joiner *j, size_t gone, size_t into)
{
    size_t end = j->width - 1;
    j->ids[gone] = CAIRN_NO_SLOT;
    j->sizes[gone] = 0;
    j->bounds[gone] = INFINITY;
    if (!j->source->move) return into;
    j->width--;
    if (gone == end) return into;
    j->source->move(j, end, gone);
    j->ids[gone] = j->ids[end];
    j->sizes[gone] = j->sizes[end];
    j->bounds[gone] = j->bounds[end];
    j->nearest[gone] = j->nearest[end];
    j->slots[j->ids[gone]] = (uint32_t)gone;
    return into == end ? gone : into;
}

/* Join two slots: the merge is noted, the new cluster has the next number. */
static cairn_status join_pair(cairn_context *ctx, cairn_joiner *j, size_t a, size_t b)
{
    double value = j->source->between(j, a, b), size = j->sizes[a] + j->sizes[b];
    uint32_t first = j->ids[a] < j->ids[b] ? j->ids[a] : j->ids[b];
    uint32_t second = j->ids[a] < j->ids[b] ? j->ids[b] : j->ids[a];
    uint32_t id = (uint32_t)(j->n + j->made);
    size_t into;
    CHECK(j->source->join(ctx, j, a, b, &into));
    j->tree->merges[j->made++] = (cairn_merge){
        .left = first, .right = second, .height = j->squared ? sqrt(value) : value, .size = size};
    j->n_tied += j->n_others > 0;
    j->slots[first] = j->slots[second] = CAIRN_NO_SLOT;
    j->ids[into] = j->nearest[into] = id;
    j->sizes[into] = size;
    j->slots[id] = (uint32_t)into;
    j->live--;
    into = vacate(j, into == a ? b : a, into);
    if (j->live == 1) return CAIRN_OK;
    const double *row = cairn_joiner_row(j, into, 0);
    look_up(j, into, row, 0);
    if (j->last || j->reverses) offer(j, into, row);
    return CAIRN_OK;
}

static void reorder_numbers(double *values, const uint32_t *from, size_t n, double *room)
{
    for (size_t i = 0; i < n; i++) room[i] = values[from[i]];
    memcpy(values, room, n * sizeof *values);
}

static void reorder_ids(uint32_t *values, const uint32_t *from, size_t n, uint32_t *room)
{
    for (size_t i = 0; i < n; i++) room[i] = values[from[i]];
    memcpy(values, room, n * sizeof *values);
}

/* Leave out slots without a cluster once they are many. */
static cairn_status pack(cairn_context *ctx, cairn_joiner *j)
{
    enum { FEW = 64 };
    size_t n = 0;
    if (!j->source->pack || j->width <= FEW || j->live > j->width / 5 * 4) return CAIRN_OK;
    for (size_t s = 0; s < j->width; s++)
        if (j->ids[s] != CAIRN_NO_SLOT) j->batch[n++] = (uint32_t)s;
    CHECK(j->source->pack(ctx, j, j->batch));
    reorder_ids(j->ids, j->batch, n, j->found);
    reorder_ids(j->nearest, j->batch, n, j->found);
    reorder_numbers(j->sizes, j->batch, n, j->spare);
    reorder_numbers(j->bounds, j->batch, n, j->spare);
    for (size_t s = 0; s < n; s++) j->slots[j->ids[s]] = (uint32_t)s;
    j->width = n;
    return CAIRN_OK;
}

cairn_status cairn_joiner_look(cairn_context *ctx, cairn_joiner *j)
{
    for (size_t i = 0; i < j->n; i++) j->batch[i] = (uint32_t)i;
    return cairn_blocks_sized(ctx, j->n, CAIRN_QUERIES, (double)j->n * (double)j->n * j->work,
                              look_up_batch, j);
}

cairn_status cairn_joiner_run(cairn_context *ctx, cairn_joiner *j)
{
    enum { TICK = 32 };
    CHECK(j->start ? j->start(ctx, j) : cairn_joiner_look(ctx, j));
    while (j->live > 1) {
        size_t a, b;
        if (j->made % TICK == 0)
            CHECK(cairn_tick(ctx, "joining clusters", (double)j->made, (double)j->n));
        CHECK(find_pair(ctx, j, &a, &b));
        if (j->watch) CHECK(j->watch(ctx, j, a, b, j->watcher));
        CHECK(join_pair(ctx, j, a, b));
        CHECK(pack(ctx, j));
    }
    return CAIRN_OK;
}
