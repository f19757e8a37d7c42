/* SPDX-License-Identifier: MIT */
/* Typed vectors, points and planes, and labelled points of a table, for the calculators of
 * geometry. */
#ifndef CAIRN_TYPED_VECTORS_H
#define CAIRN_TYPED_VECTORS_H

#include "typed/concept_data.h"

typedef struct cairn_vectors {
    const char **names; /* n */
    double *values;     /* n x width */
    size_t n, width;
} cairn_vectors;

/* "x=-1,2,3;y=2,0,-1" or, without names, "-1,2,3;2,0,-1": those are called `prefix` and a number.
 * All are equally long and finite. `option` is the name for messages. Scratch. */
CAIRN_CHECKED cairn_status cairn_read_vectors(cairn_context *ctx, cairn_vectors *out,
                                              const char *option, const char *text,
                                              const char *prefix);

/* Rows of a table as points; those with a class, where there is a target. */
typedef struct cairn_class_points {
    cairn_vectors points;
    const char **columns;  /* names of the coordinates */
    cairn_classes classes; /* codes of the points; none (n = 0) without a target */
    size_t n_left_out;     /* rows without a class */
    size_t n_other;        /* features that are no numbers: left out */
} cairn_class_points;

/* A missing or infinite cell fails; `classes` asks for a target. `what` is the command. Scratch. */
CAIRN_CHECKED cairn_status cairn_class_points_read(cairn_context *ctx, cairn_class_points *out,
                                                   const cairn_table *table, bool classes,
                                                   const char *what);

/* A hyperplane w·x + constant = 0 as it is typed: w, then the constant. */
static inline const double *cairn_plane(const cairn_vectors *planes, size_t k)
{
    return planes->values + k * planes->width;
}
/* Planes of a parameter that may be given several times, as lines or separated by semicolons; none
 * for NULL. Scratch. */
CAIRN_CHECKED cairn_status cairn_planes_read(cairn_context *ctx, cairn_vectors *out,
                                             const char *option, const char *lines,
                                             const char *prefix);
/* w·x + constant of a plane at a point of p coordinates. */
double cairn_plane_value(const double *plane, const double *point, size_t p);
/* ‖w‖. */
double cairn_plane_norm(const double *plane, size_t p);
/* Fails where a plane has not p + 1 coefficients, or has no direction. */
CAIRN_CHECKED cairn_status cairn_planes_check(cairn_context *ctx, const cairn_vectors *planes,
                                              size_t p, const char *option);
/* "5·x + 2·y − 535 = 0" with at most six digits. */
void cairn_add_plane(cairn_text *text, const double *plane, const char *const *columns, size_t p);
/* Names of coordinates of typed points: x, y; x1, x2, x3 ... Scratch. */
CAIRN_CHECKED cairn_status cairn_coordinate_names(cairn_context *ctx, const char ***out, size_t p);

#endif
