/* SPDX-License-Identifier: MIT */
/* Bodies in space, seen from above at an angle without perspective: faces, lines and dots are
 * projected onto a figure and drawn from the far ones to the near ones, so that those in front hide
 * those behind. Three axes with ticks stand around them. */
#ifndef CAIRN_PLOTS_SCENE_H
#define CAIRN_PLOTS_SCENE_H

#include "draw/figure.h"

enum { CAIRN_MOST_CORNERS = 4 };

typedef struct cairn_scene_piece {
    double corners[CAIRN_MOST_CORNERS][3];
    size_t n; /* 1 a dot, 2 a line, 3 or 4 a face */
    int32_t group;
    double strength, depth;
    size_t number; /* of arrival */
} cairn_scene_piece;

typedef struct cairn_scene {
    double low[3], high[3]; /* what the axes show, low < high */
    double turn, tilt;      /* degrees: about the upright axis, and from the side (0) to above */
    bool equal;             /* one unit is equally long on all axes */
    const char *names[3];
    double width, height;      /* of the figure in points, where texts beside the box have to fit */
    cairn_scene_piece *pieces; /* owned */
    size_t n, capacity;
} cairn_scene;

void cairn_scene_clear(cairn_scene *scene);
/* Make the axes long enough for a point. Begin with an empty range (infinite ends). */
void cairn_scene_include(cairn_scene *scene, const double *at);
/* A piece of one to four corners, as cairn_figure_face; nothing where a number is not finite. */
CAIRN_CHECKED cairn_status cairn_scene_add(cairn_context *ctx, cairn_scene *scene, int32_t group,
                                           double strength, const double (*corners)[3], size_t n);
/* A surface over side x side places, row by row: the higher, the stronger its colour. */
CAIRN_CHECKED cairn_status cairn_scene_surface(cairn_context *ctx, cairn_scene *scene,
                                               const double *x, const double *y, const double *z,
                                               size_t side);
/* The place of a point on the figure. */
void cairn_scene_place(const cairn_scene *scene, const double *at, double *x, double *y);
/* Draw axes and pieces; the figure gets no other axes. */
void cairn_scene_draw(cairn_scene *scene, cairn_figure *figure);

#endif
