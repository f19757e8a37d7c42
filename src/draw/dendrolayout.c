/* SPDX-License-Identifier: MIT */
/* Ends stand side by side in the order in which a walk from the root meets them, so that no lines
 * cross; a join stands in the middle of the two lines that it joins. */
#include "draw/dendrolayout.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/sort_by.h"
#include <math.h>

/* The ends from the root on, the left part of a join first. */
static cairn_status order_ends(cairn_context *ctx, cairn_dendro_layout *o)
{
    const cairn_branch *branches = o->tree->branches;
    int *stack;
    size_t depth = 0;
    CHECK(SCRATCH_RAW(ctx, &stack, o->n + 1));
    CHECK(SCRATCH_RAW(ctx, &o->ends, o->n));
    stack[depth++] = (int)o->n - 1;
    while (depth) {
        int at = stack[--depth];
        if (branches[at].left < 0) {
            o->ends[o->n_ends++] = at;
            continue;
        }
        stack[depth++] = branches[at].right;
        stack[depth++] = branches[at].left;
    }
    return CAIRN_OK;
}

static void place_ends(cairn_dendro_layout *o)
{
    for (size_t k = 0; k < o->n_ends; k++) {
        int at = o->ends[k];
        /* Triangles grow slowly with what they stand for: a thousand leaves take the room of
         * four. */
        const cairn_branch *end = &o->tree->branches[at];
        double buffer = end->size > 1 ? fmin(1.5 + 0.25 * cairn_log2(end->size), 4) : 1;
        o->first[at] = o->width;
        o->place[at] = o->width + buffer / 2;
        o->end[at] = o->width += buffer;
    }
}

static bool is_lower(const void *a, const void *b, const void *data)
{
    (void)data;
    return *(const double *)a < *(const double *)b;
}

static cairn_status find_levels(cairn_context *ctx, cairn_dendro_layout *o)
{
    size_t n = 0;
    CHECK(SCRATCH_RAW(ctx, &o->levels, o->n));
    for (size_t i = 0; i < o->n; i++) {
        const cairn_branch *b = &o->tree->branches[i];
        if (b->left >= 0 || b->size > 1) o->levels[n++] = b->height;
    }
    CHECK(cairn_sort_by(ctx, o->levels, n, sizeof *o->levels, is_lower, NULL));
    for (size_t i = 0; i < n; i++)
        if (o->n_levels == 0 || o->levels[i] > o->levels[o->n_levels - 1])
            o->levels[o->n_levels++] = o->levels[i];
    return CAIRN_OK;
}

cairn_status cairn_dendro_place(cairn_context *ctx, cairn_dendro_layout *out,
                                const cairn_dendro *tree)
{
    *out = (cairn_dendro_layout){.tree = tree, .n = tree->n};
    CHECK(SCRATCH_EACH(ctx, out->n, &out->place, &out->first, &out->end));
    CHECK(order_ends(ctx, out));
    place_ends(out);
    for (size_t i = 0; i < out->n; i++) {
        const cairn_branch *b = &out->tree->branches[i];
        out->low = fmin(out->low, b->height);
        out->high = fmax(out->high, b->height);
        if (b->left < 0) continue;
        out->place[i] = (out->place[b->left] + out->place[b->right]) / 2;
        out->first[i] = fmin(out->first[b->left], out->first[b->right]);
        out->end[i] = fmax(out->end[b->left], out->end[b->right]);
    }
    return find_levels(ctx, out);
}

double cairn_dendro_rank(const cairn_dendro_layout *o, double height)
{
    size_t below = 0;
    if (o->n_levels == 0) return 0;
    while (below < o->n_levels && o->levels[below] <= height) below++;
    if (below == o->n_levels) return (double)below + (height > o->levels[below - 1] ? 0.5 : 0);
    double from = below ? o->levels[below - 1] : fmin(0, o->low), to = o->levels[below];
    return (double)below + (to > from ? fmax(height - from, 0) / (to - from) : 0);
}
