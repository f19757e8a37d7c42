/* SPDX-License-Identifier: MIT */
/* Pictures of a path over the strength of a penalty: the coefficients, and the error of held-out
 * rows. The strength is on a logarithmic axis, since only its order of magnitude matters; one of 0
 * is left out. */
#ifndef CAIRN_LEARNERS_PATH_FIGURES_H
#define CAIRN_LEARNERS_PATH_FIGURES_H

#include "base/context.h"
#include "draw/figure.h"

/* n_lines coefficients over n falling strengths; `values` is n x n_lines. A rule stands at `used`
 * unless it is not above 0. */
typedef struct cairn_path_lines {
    size_t n, n_lines;
    const double *strengths, *values;
    const char *const *names;
    const char *title, *y_title;
    double used;
} cairn_path_lines;
CAIRN_CHECKED cairn_status cairn_path_figure(cairn_context *ctx, cairn_figure **out,
                                             const cairn_path_lines *lines);

/* What held-out rows lose at each strength, with a band of one standard error, which shows how many
 * strengths are as good as the chosen one. */
typedef struct cairn_validation_curve {
    size_t n, chosen;
    const double *strengths, *means, *errors;
    const char *title, *y_title;
} cairn_validation_curve;
CAIRN_CHECKED cairn_status cairn_validation_figure(cairn_context *ctx, cairn_figure **out,
                                                   const cairn_validation_curve *curve);

#endif
