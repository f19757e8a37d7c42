/* SPDX-License-Identifier: MIT */
/* The parts of impute: what fills a column, what the nearest rows say, and training rows that are
 * left out or repeated. */
#ifndef CAIRN_TRANSFORMS_IMPUTE_H
#define CAIRN_TRANSFORMS_IMPUTE_H

#include "transforms/columns.h"

typedef enum cairn_impute_method {
    CAIRN_FILL_AUTO,    /* numbers as `numbers` says, levels as `levels` says */
    CAIRN_FILL_MODE,    /* the most common value, of numbers too */
    CAIRN_FILL_VALUE,   /* a given one */
    CAIRN_FILL_NEAREST, /* what the nearest rows have */
    CAIRN_FILL_CLASS,   /* mean or mode of the row's class */
    CAIRN_FILL_DELETE,  /* the row is left out */
    CAIRN_FILL_EVERY,   /* one row for each value */
    CAIRN_FILL_MEAN,    /* numbers: the mean; levels as `levels` says */
    CAIRN_FILL_MEDIAN,  /* numbers: the median; levels as `levels` says */
    CAIRN_FILL_NEW      /* levels: one of their own; numbers as `numbers` says */
} cairn_impute_method;

typedef enum cairn_impute_distance {
    CAIRN_DISTANCE_GOWER,
    CAIRN_DISTANCE_EUCLIDEAN
} cairn_impute_distance;

typedef struct cairn_impute_params {
    const char *columns, *value;
    int method;   /* cairn_impute_method */
    int numbers;  /* number_fill */
    int levels;   /* level_fill */
    int t;        /* neighbours */
    int distance; /* cairn_impute_distance */
    bool share;   /* every: the copies of a row share its weight */
} cairn_impute_params;

/* Rows to borrow from: the columns that distances are measured over, number by number. A level is
 * its code. Owned. */
typedef struct cairn_donors {
    cairn_map names;   /* of the columns */
    cairn_map *levels; /* names.n: level names; empty for numbers */
    uint8_t *kinds;    /* names.n: donor_kind */
    double *scales;    /* names.n: Gower: range of the column, at least a tiny number */
    size_t n_rows;
    double *values;  /* names.n x n_rows, NaN = missing */
    double *weights; /* n_rows */
} cairn_donors;

/* Keep the number and level columns of all rows that have a weight, into zeroed donors. */
CAIRN_CHECKED cairn_status cairn_donors_keep(cairn_context *ctx, cairn_donors *out,
                                             const cairn_view *view);
/* Fill the missing cells of the named columns of a table that nobody else has; `fallback` says what
 * a cell becomes when no row can be compared: one number or level code (of the donors) each. */
CAIRN_CHECKED cairn_status cairn_donors_fill(cairn_context *ctx, const cairn_donors *donors,
                                             const cairn_impute_params *p, const cairn_map *columns,
                                             const double *fallback, cairn_table *table);
/* With steps: the nearest rows of every cell of a few rows that is filled; rows[i] is the number of
 * row i of the table among all. */
CAIRN_CHECKED cairn_status cairn_donors_show(cairn_context *ctx, cairn_report *out,
                                             const cairn_donors *donors,
                                             const cairn_impute_params *p, const cairn_map *columns,
                                             const cairn_table *table, const uint32_t *rows);
extern const cairn_kept cairn_donors_keeps[];

#endif
