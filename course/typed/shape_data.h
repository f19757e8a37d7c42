/* SPDX-License-Identifier: MIT */
/* Labelled points for the calculators about thresholds, boxes and discs. */
#ifndef CAIRN_TYPED_SHAPE_DATA_H
#define CAIRN_TYPED_SHAPE_DATA_H

#include "model/calculator.h"
#include "concepts/shapes.h"

typedef struct cairn_shape_data {
    cairn_labelled points; /* rows with a class */
    const char **columns;  /* d names */
    const char **names;    /* of the rows */
    const char *positive, *target;
    size_t n_left_out; /* rows without a class */
} cairn_shape_data;

/* The number columns of the table, or those of a comma-separated list; others are left out. A
 * missing cell fails. `d` 0 = any number of columns, else just so many. Scratch. */
CAIRN_CHECKED cairn_status cairn_shape_data_read(cairn_context *ctx, cairn_shape_data *out,
                                                 const cairn_table *table, size_t d,
                                                 const char *positive, const char *what);
/* A figure with the two classes as points of columns 0 and 1 (all at height 0 when there is one
 * column only). */
CAIRN_CHECKED cairn_status cairn_shape_figure(cairn_context *ctx, cairn_figure **out,
                                              const cairn_shape_data *data, const char *name,
                                              const char *title);
/* Lowest and highest value of a column with some room at both ends. */
void cairn_shape_range(const cairn_shape_data *data, size_t column, double *low, double *high);

#endif
