/* SPDX-License-Identifier: MIT */
/* Sums over the members of clusters, of kernels or of distances: kernel values are made in tiles
 * and never all of them at once. */
#include "base/memory.h"
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
        values[j] = sqrt(square > 0 ? square : 0);
    }
}

static void add_row(const cairn_cluster_sums *c, const double *values, size_t first, size_t n,
                    double *sums)
{
    for (size_t j = 0; j < n; j++) {
        double value = c->weights[first + j] * values[j];
        int32_t code = c->codes[first + j];
        if (code >= 0) sums[code] += value;
        if (c->less && c->less[first + j] >= 0) sums[c->less[first + j]] -= value;
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

cairn_status cairn_cluster_sums_add(cairn_context *ctx, const cairn_cluster_sums *c,
                                    const cairn_view *view, double *sums)
{
    SCOPED_SCRATCH(ctx);
    sum_work w = {.c = c, .sums = sums};
    size_t n = c->asked->n;
    w.room = ASKED * MEMBERS + cairn_kernel_room(c->kernel, c->asked, ASKED, c->members, MEMBERS);
    CHECK(SCRATCH_RAW(ctx, &w.rooms, cairn_product((size_t)cairn_workers(ctx), w.room)));
    CHECK(
        cairn_blocks_sized(ctx, n, ASKED, 10.0 * (double)n * (double)c->members->n, sum_block, &w));
    for (size_t i = 0; i < n * c->k; i++)
        if (!isfinite(sums[i]))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the kernel overflows for row %zu; rescale the columns, or take a "
                              "lower {degree} or a smaller {factor}",
                              cairn_view_row(view, i / c->k) + 1);
    return CAIRN_OK;
}

double cairn_cluster_score(double sum, double size, double own, const double *constant)
{
    if (!(size > 0)) return INFINITY;
    return constant ? own - 2 * sum / size + *constant : sum / size;
}
