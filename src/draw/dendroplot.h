/* SPDX-License-Identifier: MIT */
/* Dendrograms as an element of figures: branches that are joined at heights.
 *
 * A reference line of the figure (cairn_figure_rule_y) is a cut across the branches, its y title
 * the title of the axis of heights, its tree groups the legend of the colours. */
#ifndef CAIRN_DRAW_DENDROPLOT_H
#define CAIRN_DRAW_DENDROPLOT_H

#include "draw/figure.h"

typedef enum cairn_root_side {
    CAIRN_ROOT_TOP,
    CAIRN_ROOT_LEFT,
    CAIRN_ROOT_BOTTOM,
    CAIRN_ROOT_RIGHT
} cairn_root_side;

typedef struct cairn_branch {
    int left, right;  /* branches before it that are joined; both -1 = an end */
    double height;    /* where they are joined; of an end with several leaves the top of these */
    double size;      /* of an end: leaves that it stands for; more than 1 are a triangle */
    const char *text; /* the name of an end; what is written at a join, NULL = nothing */
    int32_t group;    /* colour; -1 = none */
} cairn_branch;

typedef struct cairn_dendro_look {
    cairn_root_side root;
    bool ranks;       /* joins stand one step apart, in the order of their heights */
    bool no_axis;     /* no axis of heights */
    const char *note; /* a line below the picture; NULL = none */
} cairn_dendro_look;

/* Make the figure a dendrogram; the last branch is its root. A join that lies below what it joins
 * (an inversion) is drawn so, with dashed lines. */
void cairn_figure_dendrogram(cairn_figure *figure, const cairn_branch *branches, size_t n,
                             const cairn_dendro_look *look);

#endif
