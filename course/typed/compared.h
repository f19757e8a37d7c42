/* SPDX-License-Identifier: MIT */
/* Rows that are compared with each other, for the calculators about distances: typed points, or the
 * rows of a table, which may be a matrix of distances. */
#ifndef CAIRN_TYPED_COMPARED_H
#define CAIRN_TYPED_COMPARED_H

#include "data/view.h"
#include "rows/distances.h"
#include "model/calculator.h"

/* A group of parameters. */
typedef struct cairn_compared_options {
    const char *points;             /* typed */
    const char *with;               /* transforms, lines */
    const cairn_params *transforms; /* what they stand for */
} cairn_compared_options;
extern const cairn_param cairn_compared_group[];

typedef struct cairn_compared {
    cairn_table *table; /* owned */
    cairn_view view;    /* scratch */
    const char **names; /* of the rows: typed, of an id column, of the columns of a matrix, or their
                           numbers; scratch */
} cairn_compared;

/* `table` is the job's, NULL when points are typed; `what` is the command. */
CAIRN_CHECKED cairn_status cairn_compared_read(cairn_context *ctx, cairn_compared *out,
                                               const cairn_compared_options *options,
                                               const cairn_table *table, const char *what);
void cairn_compared_clear(cairn_compared *compared);

/* How columns were taken: "in their own units" unless transforms came first. */
const char *cairn_compared_units(const cairn_compared *compared,
                                 const cairn_compared_options *options);

/* Fails unless the view has two number columns, and nothing else. `what` is the command. */
CAIRN_CHECKED cairn_status cairn_compared_plane(cairn_context *ctx, const cairn_compared *compared,
                                                const char *what);

#endif
