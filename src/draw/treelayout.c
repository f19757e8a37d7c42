/* SPDX-License-Identifier: MIT */
/* Tidy layout of a tree with boxes of any width, after Reingold and Tilford.
 *
 * From the leaves up, every subtree becomes a rigid piece with a left and a right contour (the
 * extreme places per level, relative to its root). The pieces of one parent are pushed together
 * twice: once packed to the left, once to the right. Both keep all distances and take the same
 * room, so their average does too, and it spreads small subtrees evenly between large ones. The
 * parent goes over the middle of its first and last child. Cost: n times the depth. */
#include "draw/treelayout.h"
#include "base/memory.h"
#include <math.h>

typedef struct piece {
    double *left, *right; /* n_levels contours, relative to the root's middle */
    size_t n_levels;
    double offset; /* of the root's middle from its parent's */
    int first_child, next;
    size_t n_children;
} piece;

/* Least distance from a contour to a piece that stands right of it. */
static double push_right(const double *right, size_t n_right, const piece *p, double gap)
{
    double place = -INFINITY;
    for (size_t d = 0; d < n_right && d < p->n_levels; d++)
        place = fmax(place, right[d] - p->left[d] + gap);
    return place;
}

static double push_left(const double *left, size_t n_left, const piece *p, double gap)
{
    double place = INFINITY;
    for (size_t d = 0; d < n_left && d < p->n_levels; d++)
        place = fmin(place, left[d] - p->right[d] - gap);
    return place;
}

/* Room that the pieces of one parent share while they are packed. */
typedef struct packing {
    int *children;
    double *from_left, *from_right, *contour;
} packing;

/* Packs subtrees once from the left and once from the right and takes the mean, so that the tree of
 * a mirrored input is the mirrored tree. */
static void pack_children(piece *pieces, const packing *pack, size_t n, double gap)
{
    size_t n_levels = 0;
    for (size_t j = 0; j < n; j++) {
        const piece *p = &pieces[pack->children[j]];
        double at = j ? push_right(pack->contour, n_levels, p, gap) : 0;
        for (size_t d = 0; d < p->n_levels; d++) {
            double edge = at + p->right[d];
            pack->contour[d] = d < n_levels ? fmax(pack->contour[d], edge) : edge;
        }
        if (p->n_levels > n_levels) n_levels = p->n_levels;
        pack->from_left[j] = at;
    }
    double end = pack->from_left[n - 1];
    n_levels = 0;
    for (size_t j = n; j-- > 0;) {
        const piece *p = &pieces[pack->children[j]];
        double at = j + 1 < n ? push_left(pack->contour, n_levels, p, gap) : end;
        for (size_t d = 0; d < p->n_levels; d++) {
            double edge = at + p->left[d];
            pack->contour[d] = d < n_levels ? fmin(pack->contour[d], edge) : edge;
        }
        if (p->n_levels > n_levels) n_levels = p->n_levels;
        pack->from_right[j] = at;
    }
    double first = (pack->from_left[0] + pack->from_right[0]) / 2;
    double middle = (first + end) / 2;
    for (size_t j = 0; j < n; j++)
        pieces[pack->children[j]].offset = (pack->from_left[j] + pack->from_right[j]) / 2 - middle;
}

/* Contours of a node over those of its children, which are in place. */
static cairn_status join_contours(cairn_context *ctx, piece *pieces, size_t i, double width,
                                  const packing *pack)
{
    piece *p = &pieces[i];
    size_t n = p->n_children;
    p->n_levels = 1;
    for (size_t j = 0; j < n; j++) {
        size_t below = pieces[pack->children[j]].n_levels;
        if (below + 1 > p->n_levels) p->n_levels = below + 1;
    }
    CHECK(SCRATCH_RAW_EACH(ctx, p->n_levels, &p->left, &p->right));
    for (size_t d = 0; d < p->n_levels; d++) {
        p->left[d] = d ? INFINITY : -width / 2;
        p->right[d] = d ? -INFINITY : width / 2;
    }
    for (size_t j = 0; j < n; j++) {
        const piece *child = &pieces[pack->children[j]];
        for (size_t d = 0; d < child->n_levels; d++) {
            p->left[d + 1] = fmin(p->left[d + 1], child->offset + child->left[d]);
            p->right[d + 1] = fmax(p->right[d + 1], child->offset + child->right[d]);
        }
    }
    return CAIRN_OK;
}

/* Absolute places from the root down. */
static cairn_status place_nodes(cairn_context *ctx, cairn_layout_node *nodes, const piece *pieces,
                                size_t n, double level_gap, double *width, double *height)
{
    double low = 0, high = 0, *level, *top;
    CHECK(SCRATCH_EACH(ctx, n + 1, &level, &top));
    int deepest = 0;
    for (size_t i = 0; i < n; i++) {
        cairn_layout_node *node = &nodes[i];
        node->depth = i ? nodes[node->parent].depth + 1 : 0;
        node->x = i ? nodes[node->parent].x + pieces[i].offset : 0;
        low = fmin(low, node->x - node->width / 2);
        high = fmax(high, node->x + node->width / 2);
        level[node->depth] = fmax(level[node->depth], node->height);
        if (node->depth > deepest) deepest = node->depth;
    }
    for (int d = 1; d <= deepest; d++) top[d] = top[d - 1] + level[d - 1] + level_gap;
    for (size_t i = 0; i < n; i++) {
        nodes[i].x -= low;
        nodes[i].y = top[nodes[i].depth];
    }
    *width = high - low;
    *height = n ? top[deepest] + level[deepest] : 0;
    return CAIRN_OK;
}

cairn_status cairn_tree_layout(cairn_context *ctx, cairn_layout_node *nodes, size_t n, double gap,
                               double level_gap, double *width, double *height)
{
    piece *pieces;
    packing pack;
    CHECK(SCRATCH(ctx, &pieces, n));
    CHECK(
        SCRATCH_RAW_EACH(ctx, n, &pack.children, &pack.from_left, &pack.from_right, &pack.contour));
    for (size_t i = 0; i < n; i++) pieces[i].first_child = -1;
    for (size_t i = n; i-- > 1;) {
        piece *parent = &pieces[nodes[i].parent];
        pieces[i].next = parent->first_child;
        parent->first_child = (int)i;
        parent->n_children++;
    }
    for (size_t i = n; i-- > 0;) {
        size_t k = 0;
        for (int c = pieces[i].first_child; c >= 0; c = pieces[c].next) pack.children[k++] = c;
        if (k) pack_children(pieces, &pack, k, gap);
        CHECK(join_contours(ctx, pieces, i, nodes[i].width, &pack));
    }
    return place_nodes(ctx, nodes, pieces, n, level_gap, width, height);
}
