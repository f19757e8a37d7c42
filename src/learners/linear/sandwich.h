/* SPDX-License-Identifier: MIT */
/* Standard errors that do not trust the model's variance: the covariance H⁻¹ M H⁻¹ of weights that
 * minimise a sum over rows, with M from the rows' own slopes (White 1980; MacKinnon and White
 * 1985; Liang and Zeger 1986). */
#ifndef CAIRN_LEARNERS_SANDWICH_H
#define CAIRN_LEARNERS_SANDWICH_H

#include "entry/entry.h"
#include "rows/matrix.h"

typedef enum cairn_error_kind {
    CAIRN_ERRORS_USUAL,
    CAIRN_ERRORS_HC0, /* M = Σ w s² zz' */
    CAIRN_ERRORS_HC1, /* that times n / (n - p) */
    CAIRN_ERRORS_HC2, /* every s² over 1 - h */
    CAIRN_ERRORS_HC3, /* every s² over (1 - h)² */
    CAIRN_ERRORS_GROUPED
} cairn_error_kind;

extern const cairn_choice cairn_errors_choices[];

/* One row of weight 1 each: the slope of its loss by the score, and its curvature. */
typedef struct cairn_row_slopes {
    cairn_row_matrix *x;     /* without a target */
    const double *slopes;    /* n */
    const double *curves;    /* n */
    const double *weights;   /* n */
    const double *inverse;   /* width x width: of the Hessian by the weights of z */
    double total, n_weights; /* n and p of the formulas */
} cairn_row_slopes;

/* out (width x width), for the weights of z. The groups are the levels or numbers of the column of
 * role group in the view's table; fails when there is none, or only one group. *n_groups is their
 * number, 0 for the other kinds. */
CAIRN_CHECKED cairn_status cairn_sandwich(cairn_context *ctx, const cairn_row_slopes *rows,
                                          cairn_error_kind kind, double *out, size_t *n_groups);
/* Leverage w·curve·z'H⁻¹z of every row of weight 1, n numbers. */
CAIRN_CHECKED cairn_status cairn_row_leverages(cairn_context *ctx, const cairn_row_slopes *rows,
                                               double *out);

#endif
