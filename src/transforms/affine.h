/* SPDX-License-Identifier: MIT */
/* What scaling transforms share: x' = factor (x - centre) / spread for some number columns, with
 * centres and spreads from the training rows, and an end of the scale on either side. */
#ifndef CAIRN_TRANSFORMS_AFFINE_H
#define CAIRN_TRANSFORMS_AFFINE_H

#include "transforms/columns.h"

typedef struct cairn_affine {
    cairn_map names; /* of the columns */
    double *centres; /* names.n */
    double *spreads; /* names.n; never 0: a constant column has 1 */
} cairn_affine;

/* What all columns have in common. */
typedef struct cairn_affine_scale {
    double factor;
    double low, high; /* results beyond are cut off */
} cairn_affine_scale;

/* Room for n columns. */
CAIRN_CHECKED cairn_status cairn_affine_new(cairn_context *ctx, cairn_affine *affine, size_t n);
CAIRN_CHECKED cairn_status cairn_affine_add(cairn_context *ctx, cairn_affine *affine,
                                            const char *name, double centre, double spread);
/* Replace the columns of a table that nobody else has; on all threads. */
CAIRN_CHECKED cairn_status cairn_affine_apply(cairn_context *ctx, const cairn_affine *affine,
                                              cairn_affine_scale scale, cairn_table *table);
/* A table with the columns replaced; `promised`: their numbers are worked out where they are read
 * (data/scaled.h). */
CAIRN_CHECKED cairn_status cairn_affine_table(cairn_context *ctx, cairn_table **out,
                                              const cairn_affine *affine, cairn_affine_scale scale,
                                              const cairn_table *table, bool promised);
/* The same as an operation on a row. */
CAIRN_CHECKED cairn_status cairn_affine_lower(cairn_program *program, const cairn_affine *affine,
                                              cairn_affine_scale scale);
/* A result of the column, unless it was cut off, as it was before; whether the column is there. */
bool cairn_affine_restore(const cairn_affine *affine, double factor, const char *column,
                          double *value);
/* The names under which centres and spreads are kept are the owner's. */
#define CAIRN_AFFINE_KEEPS(CENTRES, SPREADS)                                                       \
    {                                                                                              \
        KEEP(cairn_affine, names), KEEP_ARRAY(cairn_affine, centres, "names", .name = CENTRES),    \
            KEEP_ARRAY(cairn_affine, spreads, "names", .name = SPREADS), KEEP_END                  \
    }

/* The deviation of moments that divides by n or n - 1; 0 for what is constant but for rounding. */
double cairn_deviation(const cairn_moments *moments, bool less_one);

/* A row for each column: what is taken off, and what it is divided by. */
void cairn_affine_write(struct cairn_ledger *out, const cairn_affine *s);

#endif
