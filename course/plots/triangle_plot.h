/* SPDX-License-Identifier: MIT */
/* The probability triangle: vectors of three classes as points of an equilateral triangle. */
#ifndef CAIRN_PLOTS_TRIANGLE_PLOT_H
#define CAIRN_PLOTS_TRIANGLE_PLOT_H

#include "draw/figure.h"

/* p is n x 3 (rows are normalised to sum 1), coloured by class (-1 = grey). Decision lines for
 * equal weights are dashed; those for `weights` (NULL = none) are solid. Some thousand rows are
 * drawn. */
CAIRN_CHECKED cairn_status cairn_plot_triangle(cairn_context *ctx, cairn_figure **out,
                                               const double *p, const int32_t *classes, size_t n,
                                               const char *const *names, const double *weights);

#endif
