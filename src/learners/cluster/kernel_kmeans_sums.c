/* SPDX-License-Identifier: MIT */
/* Sums over the members of clusters, of kernels or of distances: kernel values are made in tiles
 * and never all of them at once. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "kernels/linkage.h"
#include "learners/cluster/kernel_kmeans.h"
#include "parallel/parallel.h"
#include <math.h>

enum { ASKED = 64, MEMBERS = 512 };

typedef struct sum_work {
    const cairn_cluster_sums *c;
    double *sums;
    size_t room; /* numbers of a worker */
    double *rooms;
} sum_work;

/* Kernels of one row with some members to distances, in place. */
static void to_distances(const cairn_cluster_sums *c, double *values, double own, size_t first,
                         size_t n)
{
    for (size_t j = 0; j < n; j++) {
        double square = own - 2 * values[j] + c->diagonal[first + j];
        values[j] = square > 0 ? square : 0;
    }
    cairn_square_roots(values, n);
}

/* Members of a cluster lie together, so that they are added up by vectors. */
static void add_row(const cairn_cluster_sums *c, const double *values, size_t first, size_t n,
                    double *sums)
{
    const int32_t *codes = c->codes + first, *less = c->less ? c->less + first : NULL;
    for (size_t j = 0, end; j < n; j = end) {
        for (end = j + 1; end < n && codes[end] == codes[j] && (!less || less[end] == less[j]);)
            end++;
        double sum = cairn_dot(c->weights + first + j, values + j, end - j);
        if (codes[j] >= 0) sums[codes[j]] += sum;
        if (less && less[j] >= 0) sums[less[j]] -= sum;
    }
}

static void sum_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const sum_work *w = data;
    const cairn_cluster_sums *c = w->c;
    double *values = w->rooms + (size_t)worker * w->room, *room = values + ASKED * MEMBERS;
    uint32_t which[ASKED];
    (void)block;
    for (size_t i = begin; i < end; i++) which[i - begin] = (uint32_t)i;
    for (size_t first = 0; first < c->members->n; first += MEMBERS) {
        size_t n = c->members->n - first < MEMBERS ? c->members->n - first : MEMBERS;
        cairn_kernel_block_alone(c->kernel, c->asked, which, end - begin, c->members, first, n,
                                 values, MEMBERS, room);
        for (size_t i = begin; i < end; i++) {
            double *line = values + (i - begin) * MEMBERS;
            if (c->distances) to_distances(c, line, c->asked_diagonal[i], first, n);
            add_row(c, line, first, n, w->sums + i * c->k);
        }
    }
}

/* Which pair of clusters a member is added to and taken from, as one number. */
static size_t group_of(const cairn_cluster_sums *c, size_t i)
{
    size_t to = (size_t)(c->codes[i] + 1), from = c->less ? (size_t)(c->less[i] + 1) : 0;
    return to * (c->less ? c->k + 1 : 1) + from;
}

/* The members' places in the order of their groups, each group in its own order. */
static cairn_status order_members(cairn_context *ctx, const cairn_cluster_sums *c, uint32_t *order)
{
    size_t n = c->members->n, n_groups = (c->k + 1) * (c->less ? c->k + 1 : 1), *starts;
    CHECK(SCRATCH(ctx, &starts, n_groups + 1));
    for (size_t i = 0; i < n; i++) starts[group_of(c, i) + 1]++;
    for (size_t g = 0; g < n_groups; g++) starts[g + 1] += starts[g];
    for (size_t i = 0; i < n; i++) order[starts[group_of(c, i)]++] = (uint32_t)i;
    return CAIRN_OK;
}

/* The members in that order, with what belongs to them; *part owns their rows, the rest is
 * scratch. */
static cairn_status gather_members(cairn_context *ctx, cairn_cluster_sums *c,
                                   cairn_kernel_rows *part)
{
    size_t n = c->members->n;
    uint32_t *order;
    int32_t *codes, *less;
    double *weights, *diagonal;
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &order, &codes, &less, &weights, &diagonal));
    CHECK(order_members(ctx, c, order));
    for (size_t i = 0; i < n; i++) {
        codes[i] = c->codes[order[i]];
        less[i] = c->less ? c->less[order[i]] : -1;
        weights[i] = c->weights[order[i]];
        diagonal[i] = c->diagonal[order[i]];
    }
    CHECK(cairn_kernel_rows_keep(ctx, part, c->members, order, n));
    c->members = part;
    c->codes = codes;
    c->less = c->less ? less : NULL;
    c->weights = weights;
    c->diagonal = diagonal;
    return CAIRN_OK;
}

cairn_status cairn_cluster_sums_add(cairn_context *ctx, const cairn_cluster_sums *given,
                                    const cairn_view *view, double *sums)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_kernel_rows_clear) cairn_kernel_rows part = {0};
    cairn_cluster_sums c = *given;
    sum_work w = {.c = &c, .sums = sums};
    size_t n = c.asked->n;
    CHECK(gather_members(ctx, &c, &part));
    w.room = ASKED * MEMBERS + cairn_kernel_room(c.kernel, c.asked, ASKED, c.members, MEMBERS);
    CHECK(SCRATCH_RAW(ctx, &w.rooms, cairn_product((size_t)cairn_workers(ctx), w.room)));
    CHECK(
        cairn_blocks_sized(ctx, n, ASKED, 10.0 * (double)n * (double)c.members->n, sum_block, &w));
    for (size_t i = 0; i < n * c.k; i++)
        if (!isfinite(sums[i]))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the kernel overflows for row %zu; rescale the columns, or take a "
                              "lower {degree} or a smaller {factor}",
                              cairn_view_row(view, i / c.k) + 1);
    return CAIRN_OK;
}

double cairn_cluster_score(double sum, double size, double own, const double *constant)
{
    if (!(size > 0)) return INFINITY;
    return constant ? own - 2 * sum / size + *constant : sum / size;
}
