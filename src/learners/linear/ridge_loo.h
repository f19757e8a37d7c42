/* SPDX-License-Identifier: MIT */
/* Leaving each row out of a ridge regression, for many strengths at once. */
#ifndef CAIRN_LEARNERS_RIDGE_LOO_H
#define CAIRN_LEARNERS_RIDGE_LOO_H

#include "rows/row_losses.h"

typedef struct cairn_ridge_rows {
    const cairn_view *view;
    cairn_units units; /* in which the quadratic function was summed */
    bool ones;         /* there is a constant */
    const cairn_squares_loss *squares;
    const cairn_quadratic *quadratic; /* of the rows' squares, without a ridge */
    bool free;                        /* the constant is not penalised */
    const double *lambdas;
    size_t n_lambdas;
} cairn_ridge_rows;

/* The mean squared error of rows that are left out, one at a time (of a row of weight w one of its
 * w copies), and its standard error, for each strength. Infinite where a row alone determines a
 * coefficient. Fails where the squares of the columns in their own units are no numbers. */
CAIRN_CHECKED cairn_status cairn_ridge_loo(cairn_context *ctx, const cairn_ridge_rows *rows,
                                           double *means, double *errors);

#endif
