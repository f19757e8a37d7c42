/* SPDX-License-Identifier: MIT */
/* Errors of predicted numbers. Rows in which either number is missing are left out. */
#ifndef CAIRN_STATS_ERRORS_H
#define CAIRN_STATS_ERRORS_H

#include <stddef.h>

typedef struct cairn_errors {
    size_t n;             /* rows that count */
    double weight;        /* their total weight */
    double sse, half_sse; /* sum of squared errors, and half of it */
    double mse, rmse;     /* by the total weight */
    double mae;           /* mean absolute error, in the units of the target ... */
    double mae_percent;   /* ... and in per cent of the target's range */
    double largest;       /* largest absolute error */
    double bias;          /* mean of predicted - actual */
    double relative;      /* mean of |error| / |actual|; undefined when an actual is 0 */
    double r2;            /* 1 - sse / squared distances from the mean */
    double range;         /* of the actual numbers */
    double mse_error, mae_error, bias_error; /* standard errors of these means */
    double mse_deviation;                    /* of the squared errors, by the total weight */
} cairn_errors;

/* weights NULL = all 1. */
void cairn_errors_of(cairn_errors *out, const double *actual, const double *predicted,
                     const double *weights, size_t n);

#endif
