/* SPDX-License-Identifier: MIT */
/* Concepts over numbers that are shapes: half-lines, boxes with sides along the axes, discs. For
 * each: what is left of the class after labelled points. All memory is scratch unless a clear
 * function is named. */
#ifndef CAIRN_CONCEPTS_SHAPES_H
#define CAIRN_CONCEPTS_SHAPES_H

#include "base/context.h"

/* How many largest boxes, and corners of a region of centres, are looked for unless the caller says
 * otherwise: n of them take up to n² steps. */
enum { CAIRN_BOXES_MOST = 20000, CAIRN_CORNERS_MOST = 5000 };

typedef struct cairn_labelled {
    const double *x; /* n x d */
    size_t n, d;
    const uint8_t *positive; /* n */
} cairn_labelled;

/* -- half-lines: the points on one side of m are positive -- */

typedef enum cairn_side {
    CAIRN_SIDE_AT_LEAST, /* x >= m */
    CAIRN_SIDE_ABOVE,    /* x > m */
    CAIRN_SIDE_AT_MOST,  /* x <= m */
    CAIRN_SIDE_BELOW     /* x < m */
} cairn_side;

typedef struct cairn_thresholds {
    double low, high; /* bounds of m, infinite without one */
    bool low_open, high_open;
    bool empty;
    size_t negative, positive; /* the points that set the bounds; SIZE_MAX = none */
} cairn_thresholds;

/* Column `column` of the points. */
void cairn_thresholds_find(cairn_thresholds *out, const cairn_labelled *points, size_t column,
                           cairn_side side);
/* 1 all thresholds say yes, 0 all say no, -1 they disagree; `share` is that of those for yes, NaN
 * when it has no meaning. */
int cairn_thresholds_decide(const cairn_thresholds *t, cairn_side side, double x, double *share);

/* -- boxes: low and high of each column, 2 d numbers -- */

typedef struct cairn_boxes {
    double *sides; /* n x 2 d */
    size_t n, capacity, width;
} cairn_boxes;

/* Free the sides; the list is empty afterwards. */
void cairn_boxes_clear(cairn_boxes *boxes);
/* The smallest closed box with all positives; false when there is none. */
bool cairn_box_tightest(double *out, const cairn_labelled *points);
bool cairn_box_holds(const double *box, size_t d, const double *x, bool closed);
/* Whether the open (or closed) box a lies in the box b. */
bool cairn_box_within(const double *a, const double *b, size_t d);
/* All open boxes without a negative point that hold the closed box `tightest` (NULL = any) and lie
 * in no other such box, in the order of their sides. More than `limit` at a time fail. */
CAIRN_CHECKED cairn_status cairn_boxes_largest(cairn_context *ctx, cairn_boxes *out,
                                               const cairn_labelled *points, const double *tightest,
                                               size_t limit);
/* The positive point, in their order, at which the tightest box took in this point. */
size_t cairn_box_blame(const cairn_labelled *points, size_t negative);

/* -- discs of the plane -- */

typedef struct cairn_centres {
    double *x, *y; /* corners, against the clock, the lowest (then leftmost) first */
    size_t n;
    bool unbounded, empty;
    size_t positive, negative; /* when empty: the first row at which nothing was left, and the row
                                  of the other class that it met there */
} cairn_centres;

/* The open polygon of the points that are nearer to every positive than to any negative. Corners of
 * an unbounded region that lie at infinity are left out. A region with more than `limit` corners
 * fails. */
CAIRN_CHECKED cairn_status cairn_centres_find(cairn_context *ctx, cairn_centres *out,
                                              const cairn_labelled *points, size_t limit);

typedef struct cairn_disc {
    double x, y, radius;
} cairn_disc;

/* The smallest disc with all positives; the radius is NaN when there is none. */
CAIRN_CHECKED cairn_status cairn_disc_smallest(cairn_context *ctx, cairn_disc *out,
                                               const cairn_labelled *points);
/* Distance of the farthest positive and of the nearest negative point (inf without one). */
void cairn_disc_radii(const cairn_labelled *points, double x, double y, double *low, double *high);

#endif
