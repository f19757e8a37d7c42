/* SPDX-License-Identifier: MIT */
/* What a point of coverage space is worth. A point (n, p) stands for the covered positives p and
 * negatives n out of all: a rule, a literal, a subgroup, one side of a split. */
#ifndef CAIRN_STATS_ISOMETRIC_H
#define CAIRN_STATS_ISOMETRIC_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cairn_isometric {
    const char *name;  /* "laplace"; NULL ends the list */
    const char *title; /* "Laplace-corrected precision" */
    bool least;        /* the smaller the better */
    double (*value)(double p, double n, double positives, double negatives);
} cairn_isometric;

/* accuracy, recall (average), precision, laplace, f; impurities of what is covered: entropy, gini,
 * sqrtgini, minority; what an impurity falls by when covered and other rows are parted: gain,
 * gini-gain, sqrtgini-gain, minority-gain. */
extern const cairn_isometric cairn_isometrics[];
/* NULL = there is none of that name. */
const cairn_isometric *cairn_isometric_find(const char *name);

/* A measure in a box of so many positives and negatives, `p` and `n` scaled to it: a function of
 * the plane (x = negatives, y = positives). */
typedef struct cairn_isometric_plane {
    const cairn_isometric *measure;
    double positives, negatives;
    double per_x, per_y; /* negatives and positives for one unit of the axes */
} cairn_isometric_plane;
double cairn_isometric_at(const void *plane, double x, double y);

#endif
