/* SPDX-License-Identifier: MIT */
/* The points of clusters in layers: the first point of every cluster, then the second of those that
 * have two, and so on. With the clusters in the order of falling numbers of points a layer is the
 * beginning of the list of clusters, so values of points are added up to values of clusters side by
 * side. */
#include "base/memory.h"
#include "learners/cluster/hierarchy_join.h"
#include <string.h>

cairn_status cairn_cluster_points_make(cairn_context *ctx, cairn_cluster_points *out, size_t n)
{
    *out = (cairn_cluster_points){0};
    CHECK(SCRATCH_RAW(ctx, &out->layers.starts, n + 2));
    CHECK(SCRATCH_RAW(ctx, &out->layers.shares, n));
    CHECK(SCRATCH_RAW(ctx, &out->points, n));
    CHECK(SCRATCH_RAW(ctx, &out->slots, n));
    CHECK(SCRATCH_RAW(ctx, &out->halves, n));
    CHECK(SCRATCH_RAW(ctx, &out->roots, n));
    CHECK(SCRATCH_RAW(ctx, &out->counts, n));
    CHECK(SCRATCH_RAW(ctx, &out->sorted, n));
    CHECK(SCRATCH_RAW(ctx, &out->parts, n));
    for (size_t i = 0; i < n; i++) {
        out->slots[i] = (uint32_t)i;
        out->halves[i] = 1;
    }
    return CAIRN_OK;
}

/* Where the cluster of a slot is after the joins, and what it counts there in a mean of means: from
 * the last join to the first, so that what a part went into is known. */
static void follow_joins(cairn_cluster_points *p, const cairn_column_joins *joins, size_t begin,
                         size_t end, size_t width)
{
    for (size_t s = 0; s < width; s++) {
        p->roots[s] = (uint32_t)s;
        p->parts[s] = 1;
    }
    for (size_t i = end; i-- > begin;) {
        uint32_t kept = joins->columns[2 * i], gone = joins->columns[2 * i + 1];
        p->roots[gone] = p->roots[kept];
        p->parts[gone] = p->parts[kept] * (1 - joins->a[i]);
        p->parts[kept] *= joins->a[i];
    }
}

static void count_points(cairn_cluster_points *p, size_t n)
{
    memset(p->counts, 0, n * sizeof *p->counts);
    for (size_t i = 0; i < n; i++) {
        uint32_t slot = p->slots[i];
        p->halves[i] *= p->parts[slot];
        p->slots[i] = p->roots[slot];
        p->counts[p->roots[slot]]++;
    }
}

/* Slots by falling numbers of points, those of as many in their order; lengths of layers go to
 * starts[1 ..], of which one more than there are is 0. */
static void sort_slots(cairn_cluster_points *p, uint32_t *from, size_t n)
{
    uint32_t *lengths = p->layers.starts + 1, most = 0;
    for (size_t c = 0; c < n; c++) most = p->counts[from[c]] > most ? p->counts[from[c]] : most;
    memset(lengths, 0, (most + 1) * sizeof *lengths);
    for (size_t c = 0; c < n; c++) lengths[p->counts[from[c]] - 1]++;
    for (size_t k = most; k-- > 1;) lengths[k - 1] += lengths[k];
    p->layers.n_layers = most;
    memcpy(p->roots, lengths + 1, most * sizeof *lengths); /* more points have so many */
    for (size_t c = 0; c < n; c++) p->sorted[p->roots[p->counts[from[c]] - 1]++] = from[c];
    memcpy(from, p->sorted, n * sizeof *from);
}

/* Every point in its layer. */
static void fill_layers(cairn_cluster_points *p, const cairn_joiner *j, const uint32_t *from)
{
    uint32_t *to = p->roots, *seen = p->counts, *starts = p->layers.starts;
    bool by_size = j->linkage == CAIRN_LINKAGE_AVERAGE;
    starts[0] = 0;
    for (size_t k = 0; k < p->layers.n_layers; k++) starts[k + 1] += starts[k];
    for (size_t c = 0; c < j->live; c++) to[from[c]] = (uint32_t)c;
    memset(seen, 0, j->live * sizeof *seen);
    for (size_t i = 0; i < j->n; i++) {
        double size = j->sizes[p->slots[i]];
        uint32_t slot = to[p->slots[i]], at = starts[seen[slot]++] + slot;
        p->slots[i] = slot;
        p->points[at] = (uint32_t)i;
        p->layers.shares[at] = by_size ? cairn_dendrogram_size(j->tree, i) / size : p->halves[i];
    }
}

void cairn_cluster_points_pack(cairn_cluster_points *points, const cairn_joiner *j,
                               const cairn_column_joins *joins, size_t begin, size_t end,
                               uint32_t *from)
{
    follow_joins(points, joins, begin, end, j->width);
    count_points(points, j->n);
    sort_slots(points, from, j->live);
    fill_layers(points, j, from);
}
