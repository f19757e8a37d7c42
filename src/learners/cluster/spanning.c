/* SPDX-License-Identifier: MIT */
/* Spanning trees by Prim's method: row by row, always the one that is nearest to the tree. Cost:
 * all pairs of distances, memory n. Used where no tree of boxes helps. */
#include "learners/cluster/spanning.h"
#include "base/memory.h"
#include <math.h>

typedef struct growing {
    const cairn_density *density;
    const double *core;
    double *distances; /* n: from the row that was taken last */
    double *nearest;   /* n: to the tree; of rows in it -1 */
    uint32_t *from;    /* n */
} growing;

/* Look at all rows from `row`; the nearest to the tree, the first of equals; UINT32_MAX when one
 * cannot be compared. */
static uint32_t look_from(growing *g, uint32_t row, int32_t *room)
{
    size_t n = g->density->n, best = n;
    cairn_distances_alone(&g->density->rows, &row, 1, &g->density->rows, 0, n, g->distances, n,
                          room);
    for (size_t j = 0; j < n; j++) {
        if (g->nearest[j] < 0) continue;
        double far = fmax(g->core[row], g->core[j]);
        if (isnan(g->distances[j])) return UINT32_MAX;
        if (g->distances[j] > far) far = g->distances[j];
        if (far < g->nearest[j]) g->nearest[j] = far, g->from[j] = row;
        if (best == n || g->nearest[j] < g->nearest[best]) best = j;
    }
    return (uint32_t)best;
}

/* Rows that cannot be compared would leave the tree in pieces: they are refused. */
static cairn_status by_prim(cairn_context *ctx, const cairn_density *density, const double *core,
                            cairn_join *joins)
{
    SCOPED_SCRATCH(ctx);
    size_t n = density->n;
    growing g = {.density = density, .core = core};
    int32_t *room;
    uint32_t row = 0;
    CHECK(SCRATCH_EACH(ctx, n, &g.distances, &g.nearest, &g.from));
    CHECK(SCRATCH(ctx, &room, cairn_distance_room(&density->rows, &density->rows)));
    for (size_t j = 0; j < n; j++) g.nearest[j] = INFINITY;
    for (size_t i = 0; i + 1 < n; i++) {
        g.nearest[row] = -1;
        uint32_t next = look_from(&g, row, room);
        if (next == UINT32_MAX)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "row %zu cannot be compared with every other row: cells are missing; "
                              "{missing impute} fills them",
                              density->rows.numbers[row] + (size_t)1);
        joins[i] = (cairn_join){g.from[next], next, g.nearest[next]};
        row = next;
        if (i % 64 == 0) CHECK(cairn_tick(ctx, "spanning tree", (double)i, (double)n));
    }
    return CAIRN_OK;
}

cairn_status cairn_spanning_tree(cairn_context *ctx, const cairn_density *density,
                                 const double *core, cairn_join *joins)
{
    if (!density->rows.given && density->search.method == CAIRN_SEARCH_KD)
        return cairn_spanning_by_tree(ctx, density, core, joins);
    return by_prim(ctx, density, core, joins);
}
