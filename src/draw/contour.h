/* SPDX-License-Identifier: MIT */
/* Lines on which a function that is known on a grid has a given value. */
#ifndef CAIRN_DRAW_CONTOUR_H
#define CAIRN_DRAW_CONTOUR_H

#include "draw/figure.h"

typedef struct cairn_contour_grid {
    const double *values; /* ny rows of nx; NaN = no line goes there */
    size_t nx, ny;
    double x, y, dx, dy; /* the first place, and the steps between neighbours */
} cairn_contour_grid;

/* The lines of one level, as one curve whose pieces are separated by NaN. Scratch. */
typedef struct cairn_contour {
    double *x, *y;
    size_t n;
} cairn_contour;

CAIRN_CHECKED cairn_status cairn_contour_trace(cairn_context *ctx, cairn_contour *out,
                                               const cairn_contour_grid *grid, double level);

/* Add the lines of one to those of all, separated by NaN; scratch. */
CAIRN_CHECKED cairn_status cairn_contour_join(cairn_context *ctx, cairn_contour *all,
                                              const cairn_contour *one);

/* A function of the plane at (x, y); NaN where it has no value. */
typedef double (*cairn_plane_function)(const void *data, double x, double y);
/* Its values over the box from (0, 0) to (right, top), in scratch memory; the least and the
 * greatest go to low and high. */
CAIRN_CHECKED cairn_status cairn_contour_sample(cairn_context *ctx, cairn_contour_grid *out,
                                                cairn_plane_function function, const void *data,
                                                double right, double top, double *low,
                                                double *high);
/* n levels between two values, denser near the lower one, where bowls are flat. */
void cairn_contour_levels(double *levels, size_t n, double low, double high);
/* The lines of several levels as one line of the figure, thin and grey when label is NULL. */
CAIRN_CHECKED cairn_status cairn_contour_add(cairn_context *ctx, cairn_figure *figure,
                                             const char *label, const cairn_contour_grid *grid,
                                             const double *levels, size_t n);

#endif
