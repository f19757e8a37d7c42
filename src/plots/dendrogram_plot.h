/* SPDX-License-Identifier: MIT */
/* Dendrograms as figures, for models, calculators and pictures. */
#ifndef CAIRN_PLOTS_DENDROGRAM_PLOT_H
#define CAIRN_PLOTS_DENDROGRAM_PLOT_H

#include "draw/dendroplot.h"
#include "entry/entry.h"
#include "stats/dendrogram.h"

/* What the axis of heights shows. */
typedef enum cairn_height_axis {
    CAIRN_AXIS_AUTO, /* heights; levels where sets are written at the merges */
    CAIRN_AXIS_HEIGHTS,
    CAIRN_AXIS_LEVELS, /* merges one step apart, with their heights beside them */
    CAIRN_AXIS_NONE
} cairn_height_axis;

/* A group of parameters. */
typedef struct cairn_dendrogram_look {
    int root; /* cairn_root_side */
    bool sets;
    int axis;
    int most;
} cairn_dendrogram_look;
extern const cairn_param cairn_dendrogram_look_group[];
#define CAIRN_DENDROGRAM_LOOK_INIT                                                                 \
    {                                                                                              \
        .root = CAIRN_ROOT_LEFT, .most = 40                                                        \
    }

/* The tree with at most look->most branches: subtrees that are not shown are triangles with the
 * number of their leaves. `cut` (NULL = none) colours its clusters and is drawn as a line where one
 * divides the merges that it undoes from the others. `height` is the title of the axis (NULL =
 * height). */
CAIRN_CHECKED cairn_status cairn_dendrogram_figure(cairn_context *ctx, cairn_figure **out,
                                                   const cairn_dendrogram *tree,
                                                   const cairn_dendrogram_look *look,
                                                   const cairn_cut *cut, const char *title,
                                                   const char *height);

#endif
