/* SPDX-License-Identifier: MIT */
/* What transforms of level columns share: a state of columns with their levels, new codes for the
 * levels of a column at hand, and what the target says of each level. */
#ifndef CAIRN_TRANSFORMS_LEVELS_H
#define CAIRN_TRANSFORMS_LEVELS_H

#include "transforms/columns.h"

typedef struct cairn_levelled {
    cairn_map names;   /* of the columns */
    cairn_map *levels; /* names.n */
} cairn_levelled;

/* Room for at most n columns. */
CAIRN_CHECKED cairn_status cairn_levelled_new(cairn_context *ctx, cairn_levelled *s, size_t n);
/* The next column; *out is its empty map of levels. */
CAIRN_CHECKED cairn_status cairn_levelled_add(cairn_context *ctx, cairn_levelled *s,
                                              const char *name, cairn_map **out);
extern const cairn_kept cairn_levelled_keeps[];

/* For each code of the column its place among `levels`, -1 = not there. Memory is scratch. */
CAIRN_CHECKED cairn_status cairn_level_places(cairn_context *ctx, int32_t **out,
                                              const cairn_map *levels, const cairn_column *column);

/* A level column whose code c becomes places[c] among `levels`; -1 is missing. */
CAIRN_CHECKED cairn_status cairn_relevel(cairn_context *ctx, cairn_column **out,
                                         const cairn_column *from, const cairn_map *levels,
                                         const int32_t *places, bool ordered);

/* What the target says of the levels of a feature, over the rows where both are there: weight, and
 * share of the positive class (or mean of a number target), NaN for a level without rows. Fails
 * when the target has neither two classes nor numbers. Arrays of names.n come from scratch. */
CAIRN_CHECKED cairn_status cairn_level_shares(cairn_context *ctx, const cairn_job *job,
                                              const char *transform, size_t feature,
                                              double **weights, double **shares);
/* The codes 0 .. n-1 in ascending order of values, NaN last, equal ones as they stand. */
CAIRN_CHECKED cairn_status cairn_level_order(cairn_context *ctx, const double *values, size_t n,
                                             size_t **out);
/* Weight of every level over the view's rows; scratch. */
CAIRN_CHECKED cairn_status cairn_level_weights(cairn_context *ctx, const cairn_view *view,
                                               const cairn_column *column, double **out);
/* "share of yes" or "mean of price": what cairn_level_shares gives. */
void cairn_share_name(const cairn_job *job, char *out, size_t size);

/* A row for each level of each column. For the record of a transform whose state is a
 * cairn_levelled. */
void cairn_levelled_write(struct cairn_ledger *out, const void *state, const cairn_job *job);

#endif
