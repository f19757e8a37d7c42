/* SPDX-License-Identifier: MIT */
/* The least value of a function of a few numbers whose slope nobody knows. */
#ifndef CAIRN_SOLVE_DOWNHILL_H
#define CAIRN_SOLVE_DOWNHILL_H

#include "solve/progress.h"

typedef struct cairn_valley {
    size_t n; /* numbers: at least 1 */
    void *data;
    /* The value at x; where there is none (NaN) or it is infinite, nothing is looked for. */
    cairn_status (*value)(cairn_context *ctx, void *data, const double *x, double *out);
} cairn_valley;

/* The method of Nelder and Mead from x, where the value must be finite, begun anew where it ends
 * until that is worth nothing; *value is that of the end. It has converged when the simplex is no
 * larger than progress->tolerance times x. */
CAIRN_CHECKED cairn_status cairn_downhill(cairn_context *ctx, const cairn_valley *f, double *x,
                                          double *value, cairn_progress *progress);

#endif
