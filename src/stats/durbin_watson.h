/* SPDX-License-Identifier: MIT */
/* The distribution of the Durbin-Watson statistic of least squares with independent normal
 * errors. */
#ifndef CAIRN_STATS_DURBIN_WATSON_H
#define CAIRN_STATS_DURBIN_WATSON_H

#include "base/context.h"

/* *out = P(DW <= d) for the rows x (n x k, the constant among the columns): small where
 * neighbouring errors are alike. *exact is false where a normal approximation was taken, for very
 * many numbers. NaN without degrees of freedom. */
CAIRN_CHECKED cairn_status cairn_durbin_watson_below(cairn_context *ctx, double *out, bool *exact,
                                                     const double *x, size_t n, size_t k, double d);

#endif
