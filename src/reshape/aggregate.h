/* SPDX-License-Identifier: MIT */
/* Aggregates: what the rows of a group are summed up by. One record each, in aggregates.c. */
#ifndef CAIRN_RESHAPE_AGGREGATE_H
#define CAIRN_RESHAPE_AGGREGATE_H

#include "data/column.h"

/* A cell of the group that is not missing. */
typedef struct cairn_group_cell {
    double value; /* of a level its code, of a text its number */
    uint32_t row;
} cairn_group_cell;

/* The rows of one group. */
typedef struct cairn_group {
    const cairn_column *column; /* NULL: the aggregate has none */
    const double *weights;      /* of all rows; NULL = all 1 */
    const uint32_t *rows;       /* n, ascending */
    size_t n;
    double parameter;
    cairn_group_cell *cells; /* `sorted` ones: by value, those of equal value by row */
    size_t n_cells;
    double *buffer; /* 2 n */
} cairn_group;

typedef struct cairn_aggregate {
    const char *name;
    const char *help;
    unsigned kinds;  /* 1 << cairn_kind: columns that it takes; 0 = none */
    bool optional;   /* the column may be left out */
    bool parameter;  /* a number follows the column */
    bool ordered;    /* levels must be ordered */
    bool sorted;     /* looks at `cells` */
    bool keeps_time; /* of times it is a time */
    bool share;      /* the number is divided by the sum over all groups */
    double (*number)(const cairn_group *group);
    uint32_t (*row)(const cairn_group *group); /* the row whose cell it is; CAIRN_NO_ROW = none */
} cairn_aggregate;

/* The aggregate of that name, or NULL; number i of all, or NULL at the end. */
const cairn_aggregate *cairn_aggregate_find(const char *name);
const cairn_aggregate *cairn_aggregate_at(size_t i);

/* One aggregate of a table, as asked for. */
typedef struct cairn_aggregate_use {
    const cairn_aggregate *aggregate;
    const char *name; /* of the column that comes out; scratch */
    ptrdiff_t column; /* -1 = none */
    double parameter;
} cairn_aggregate_use;

/* "n=count(), mean(price), p90=quantile(price, 0.9)"; scratch. */
CAIRN_CHECKED cairn_status cairn_aggregates_parse(cairn_context *ctx, cairn_aggregate_use **out,
                                                  size_t *n, const cairn_table *table,
                                                  const char *text);

#endif
