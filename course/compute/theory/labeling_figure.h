/* SPDX-License-Identifier: MIT */
/* Labelings of a few points as panels: for the calculator and for the picture of that. */
#ifndef CAIRN_COMPUTE_THEORY_LABELING_FIGURE_H
#define CAIRN_COMPUTE_THEORY_LABELING_FIGURE_H

#include "compute/theory/dichotomies.h"
#include "draw/figure.h"

enum { CAIRN_MOST_LABELLED_POINTS = 64 };

/* Where the points stand: on their line, in their plane, or else around a circle. Scratch. */
typedef struct cairn_labeling_places {
    double *x, *y;
    size_t n;
    double low[2], high[2]; /* the frame */
    bool line, plane;
    size_t lines; /* most lines of words below a panel */
} cairn_labeling_places;

/* n points around a circle, for instances that have no places of their own. */
CAIRN_CHECKED cairn_status cairn_labeling_around(cairn_context *ctx, cairn_labeling_places *out,
                                                 size_t n);
/* A panel with the points in their frame, those with label 0 hollow when there are two labels. */
CAIRN_CHECKED cairn_status cairn_labeling_panel(cairn_context *ctx, cairn_figure **out,
                                                const cairn_labeling_places *p, const char *title,
                                                const int *labels, bool two);

typedef enum cairn_labelings_shown {
    CAIRN_LABELINGS_ALL,
    CAIRN_LABELINGS_POSSIBLE,
    CAIRN_LABELINGS_IMPOSSIBLE
} cairn_labelings_shown;

/* One labeling. */
CAIRN_CHECKED cairn_status cairn_labeling_figure(cairn_context *ctx, cairn_figure **out,
                                                 const cairn_instances *at, const int *labels);
/* Those of all `total` labelings that are wanted; none is drawn when there is none or there are
 * more than `most`, but `shown` tells how many. */
CAIRN_CHECKED cairn_status cairn_labelings_figure(cairn_context *ctx, cairn_figure **out,
                                                  const cairn_instances *at, size_t total,
                                                  cairn_labelings_shown which, size_t most,
                                                  size_t *shown);

#endif
