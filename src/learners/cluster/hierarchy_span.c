/* SPDX-License-Identifier: MIT */
/* Single linkage of many rows: the merges are the edges of a minimum spanning tree, the shortest
 * first. The tree grows from the first row, always by the row that is nearest to it (Prim), so that
 * one row of distances is in memory at a time. Of rows that are as near as each other the one that
 * stands first in the working order is taken.
 *
 * Cost: n^2 distances; memory a few numbers per row. Places with Euclidean distances have a quicker
 * way (hierarchy_span_places.c). */
#include "base/memory.h"
#include "learners/cluster/hierarchy_join.h"
#include <math.h>

typedef struct span {
    const cairn_hierarchy_data *data;
    size_t n_left;
    uint32_t *left;  /* rows that are not in the tree */
    double *best;    /* their distance to the nearest row of the tree ... */
    double *from;    /* ... which is this one */
    double *values;  /* to the row that came last */
    double *whole;   /* n: the same to all rows */
    uint32_t *found; /* n: those with the least value */
} span;

static cairn_status make_span(cairn_context *ctx, span *s, const cairn_hierarchy_data *data)
{
    size_t n = data->n;
    *s = (span){.data = data, .n_left = n};
    CHECK(SCRATCH_RAW(ctx, &s->left, n));
    CHECK(SCRATCH_RAW(ctx, &s->found, n));
    CHECK(SCRATCH_RAW(ctx, &s->best, n));
    CHECK(SCRATCH_RAW(ctx, &s->from, n));
    CHECK(SCRATCH_RAW(ctx, &s->values, n));
    CHECK(SCRATCH_RAW(ctx, &s->whole, n));
    for (size_t i = 0; i < n; i++) {
        s->left[i] = (uint32_t)i;
        s->best[i] = INFINITY;
        s->from[i] = 0;
    }
    return CAIRN_OK;
}

/* Take the row at `at` into the tree: the last of those that are left takes its place. */
static uint32_t take_row(span *s, size_t at)
{
    uint32_t row = s->left[at];
    size_t end = --s->n_left;
    s->left[at] = s->left[end];
    s->best[at] = s->best[end];
    s->from[at] = s->from[end];
    return row;
}

/* The distances of the row that came last to those that are left. */
static cairn_status measure(cairn_context *ctx, span *s, uint32_t row)
{
    const cairn_distance_rows *rows = s->data->rows;
    CHECK(cairn_distances_block(ctx, rows, &row, 1, rows, 0, rows->n, s->whole, rows->n));
    for (size_t i = 0; i < s->n_left; i++) s->values[i] = s->whole[s->left[i]];
    return CAIRN_OK;
}

cairn_status cairn_hierarchy_span(cairn_context *ctx, cairn_dendrogram *tree,
                                  const cairn_hierarchy_data *data)
{
    SCOPED_SCRATCH(ctx);
    cairn_join *joins;
    span s;
    if (cairn_hierarchy_has_places(data->rows)) return cairn_hierarchy_span_places(ctx, tree, data);
    CHECK(make_span(ctx, &s, data));
    CHECK(SCRATCH_RAW(ctx, &joins, data->n));
    uint32_t row = take_row(&s, 0);
    for (size_t i = 0; i + 1 < data->n; i++) {
        CHECK(cairn_tick(ctx, "spanning tree", (double)i, (double)data->n));
        CHECK(measure(ctx, &s, row));
        double least = cairn_take_nearer(s.best, s.from, s.values, row, s.n_left);
        if (!(least < INFINITY))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "some rows have no distance to others; fill missing cells "
                              "({missing}) or leave such rows out");
        (void)cairn_find_at_most(s.found, s.best, s.n_left, least);
        size_t at = s.found[0];
        joins[i] = (cairn_join){.a = (uint32_t)s.from[at], .b = s.left[at], .height = least};
        row = take_row(&s, at);
    }
    return cairn_dendrogram_of_joins(ctx, tree, joins);
}
