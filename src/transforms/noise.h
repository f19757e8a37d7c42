/* SPDX-License-Identifier: MIT */
/* Disturbed cells: what noise, jitter and blank share. */
#ifndef CAIRN_TRANSFORMS_NOISE_H
#define CAIRN_TRANSFORMS_NOISE_H

#include "transforms/columns.h"

typedef struct cairn_noise_params {
    const char *columns;
    double sd;
    bool relative;
    double levels; /* share of the cells of level columns that are drawn anew */
} cairn_noise_params;

extern const cairn_param cairn_noise_param_table[];

typedef struct cairn_noise_state {
    cairn_map names;
    double *deviations; /* names.n + 1: of the noise; of a level column the share of cells */
} cairn_noise_state;

/* The parameters begin with cairn_noise_params. */
CAIRN_CHECKED cairn_status cairn_noise_fit(cairn_context *ctx, void *state, const cairn_job *job,
                                           const char *transform);
/* Disturb rows `first` and on of the named columns, which become columns of the table's own. */
CAIRN_CHECKED cairn_status cairn_noise_add(cairn_context *ctx, cairn_table *table,
                                           const cairn_noise_state *state, size_t first,
                                           uint64_t salt);
/* The deviations as values NAME.COLUMN.sd. */
void cairn_noise_show(cairn_report *out, const cairn_noise_state *state, const char *name);
extern const cairn_kept cairn_noise_keeps[];

/* A copy of column `at` that can be written to, put in its place. */
CAIRN_CHECKED cairn_status cairn_own_column(cairn_context *ctx, cairn_table *table, size_t at,
                                            cairn_column **out);

/* -- which rows are disturbed -- */
typedef enum cairn_spoiled { CAIRN_SPOIL_TRAIN, CAIRN_SPOIL_NEW, CAIRN_SPOIL_ALL } cairn_spoiled;
extern const cairn_choice cairn_spoiled_choices[];
cairn_acting cairn_spoiled_acting(int rows); /* cairn_spoiled */
const char *cairn_spoiled_words(int rows);   /* a sentence for reports */

#endif
