/* SPDX-License-Identifier: MIT */
/* Voronoi cells in the plane: which point is nearest, and, of second order, which is the next. A
 * cell begins as a box and is cut by the bisector with every other point. */
#ifndef CAIRN_PLOTS_VORONOI_H
#define CAIRN_PLOTS_VORONOI_H

#include "base/context.h"

/* A convex part of the plane, its corners counter-clockwise. Scratch. */
typedef struct cairn_convex {
    size_t n;        /* 0 = nothing is left of it */
    double *x, *y;   /* n */
    int32_t *beside; /* n: which point's cell lies beyond the edge that begins in the corner; -1 =
                        what it was cut out of */
    size_t buffer;   /* for so many corners; as many more behind them are worked in */
} cairn_convex;

/* left, right, bottom, top */
typedef struct cairn_plane_box {
    double low_x, high_x, low_y, high_y;
} cairn_plane_box;

/* The box as a shape that up to `cuts` lines can cut. */
CAIRN_CHECKED cairn_status cairn_convex_box(cairn_context *ctx, cairn_convex *out,
                                            const cairn_plane_box *box, size_t cuts);
/* A copy that up to `cuts` more lines can cut. */
CAIRN_CHECKED cairn_status cairn_convex_copy(cairn_context *ctx, cairn_convex *out,
                                             const cairn_convex *from, size_t cuts);
/* Leave only what is nearer to a than to b (both of two numbers); `beside` marks the new edge. */
void cairn_convex_cut(cairn_convex *convex, const double *a, const double *b, int32_t beside);
double cairn_convex_area(const cairn_convex *convex);

/* cells[i] = the places of the box that are nearest to point i of n (n x 2 numbers); of equal
 * points the first has the cell. */
CAIRN_CHECKED cairn_status cairn_voronoi_cells(cairn_context *ctx, cairn_convex *cells,
                                               const double *points, size_t n,
                                               const cairn_plane_box *box);
/* parts[j] = the places of point i's cell to which point j is the next; none of i itself and of
 * points at the same place. */
CAIRN_CHECKED cairn_status cairn_voronoi_next(cairn_context *ctx, cairn_convex *parts,
                                              const cairn_convex *cell, size_t i,
                                              const double *points, size_t n);

/* A line of many strokes, with NaN between them. Scratch. */
typedef struct cairn_strokes {
    size_t n;
    double *x, *y;
} cairn_strokes;
/* The edges between cells, each once; what the cells were cut out of has none. */
CAIRN_CHECKED cairn_status cairn_voronoi_edges(cairn_context *ctx, cairn_strokes *out,
                                               const cairn_convex *cells, size_t n);

#endif
