/* SPDX-License-Identifier: MIT */
/* A map of rows: places such that similar rows lie close together. Shared by the calculator and the
 * picture. */
#ifndef CAIRN_COMPUTE_MATRICES_ROWMAP_H
#define CAIRN_COMPUTE_MATRICES_ROWMAP_H

#include "data/view.h"
#include "draw/figure.h"
#include "entry/entry.h"
#include "stats/scaling.h"

typedef struct cairn_rowmap_params {
    const char *distance; /* a spec */
    int sign;             /* cairn_sign */
    bool scale;
    const char *label, *colour;
} cairn_rowmap_params;

extern const cairn_param cairn_rowmap_table[];

typedef struct cairn_rowmap {
    size_t n;
    const char **names;    /* n: what the rows are called */
    const double *given;   /* n x n distances */
    double *centred;       /* n x n; NULL unless asked for */
    const char *distance;  /* name of the distance; "given" or "of the Gram matrix" */
    const int32_t *groups; /* n; NULL = all alike */
    const char **group_names;
    size_t n_groups;
    cairn_scaling s;
} cairn_rowmap;

/* From a table of rows, distances or a Gram matrix (table->shape). All from scratch. */
CAIRN_CHECKED cairn_status cairn_rowmap_make(cairn_context *ctx, cairn_rowmap *out,
                                             const cairn_table *table,
                                             const cairn_rowmap_params *params, size_t n_dimensions,
                                             bool centred);

/* Labelled points of the first two dimensions, coloured by group. */
CAIRN_CHECKED cairn_status cairn_rowmap_figure(cairn_context *ctx, cairn_figure **out,
                                               const cairn_rowmap *map, const char *title);

#endif
