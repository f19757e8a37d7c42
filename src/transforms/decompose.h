/* SPDX-License-Identifier: MIT */
/* Matrix decomposition as a transform, and what the calculator takes from it. */
#ifndef CAIRN_TRANSFORMS_DECOMPOSE_H
#define CAIRN_TRANSFORMS_DECOMPOSE_H

#include "model/learner.h"
#include "stats/factors.h"

typedef struct cairn_decompose_params {
    int parts, method; /* method: cairn_factor_kind */
    const char *columns;
    int starts, max_iter;
    double tolerance;
} cairn_decompose_params;

extern const cairn_param cairn_decompose_param_table[];

/* The number columns of a view as a row-major matrix. Scratch. */
typedef struct cairn_decompose_matrix {
    size_t n, m;
    double *r;          /* n x m */
    const char **names; /* m */
} cairn_decompose_matrix;

/* Missing, infinite and (unless the method is svd) negative cells are refused with row, column and
 * value. */
CAIRN_CHECKED cairn_status cairn_decompose_read(cairn_context *ctx, cairn_decompose_matrix *out,
                                                const cairn_view *view, const char *columns,
                                                int method);
/* Factors that are proved, or it fails. */
CAIRN_CHECKED cairn_status cairn_decompose_find(cairn_context *ctx, cairn_factors *out,
                                                const cairn_decompose_matrix *matrix,
                                                const cairn_decompose_params *params,
                                                cairn_certificate *certificate);

#endif
