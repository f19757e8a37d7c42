/* SPDX-License-Identifier: MIT */
/* Pictures of margins over two features: points of classes, boundaries, the bounds of the street
 * between the classes, perpendiculars, slacks, marked points and class means. */
#ifndef CAIRN_PLOTS_MARGIN_PLOT_H
#define CAIRN_PLOTS_MARGIN_PLOT_H

#include "draw/figure.h"

/* What is in the picture; all borrowed. */
typedef struct cairn_margin_scene {
    const double *points; /* n x stride; the first two are drawn, with stride 1 at height 0 */
    size_t n, stride;
    const int32_t *groups; /* n */
    const char *const *group_names;
    size_t n_groups;
    const char *x, *y; /* titles of the axes */
    const double
        *plane; /* the frame holds its line, and where it has ±1; NULL = the points alone */
    double low[2], high[2]; /* these are filled by cairn_margin_start */
    bool equal;             /* axes */
} cairn_margin_scene;

/* A figure with the points; one unit is as long on both axes where their ranges allow it. */
CAIRN_CHECKED cairn_status cairn_margin_start(cairn_context *ctx, cairn_figure **out,
                                              cairn_margin_scene *scene, const char *name,
                                              const char *title);
/* The line plane[0] x + plane[1] y + plane[2] = 0, through the whole picture, and behind it, dashed
 * in its colour, the bounds of its street, where the plane has the values `level` and -`level`. */
void cairn_margin_line(cairn_figure *figure, const cairn_margin_scene *scene, const double *plane,
                       const char *label);
void cairn_margin_street(cairn_figure *figure, const cairn_margin_scene *scene, const double *plane,
                         double level, const char *label);
/* From the point to where the plane has that level, at a right angle. */
void cairn_margin_perpendicular(cairn_figure *figure, const cairn_margin_scene *scene,
                                const double *plane, double level, size_t point);
/* A ring around the point, with its name beside it. */
void cairn_margin_ring(cairn_figure *figure, const cairn_margin_scene *scene, size_t point,
                       const char *name);
/* An asterisk at the mean of each class of several points. */
CAIRN_CHECKED cairn_status cairn_margin_means(cairn_context *ctx, cairn_figure *figure,
                                              const cairn_margin_scene *scene);

#endif
