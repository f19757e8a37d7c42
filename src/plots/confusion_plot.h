/* SPDX-License-Identifier: MIT */
/* Coloured grids: confusion tables, and the grid of pairs of a positive and a negative. */
#ifndef CAIRN_PLOTS_CONFUSION_PLOT_H
#define CAIRN_PLOTS_CONFUSION_PLOT_H

#include "draw/figure.h"
#include "stats/ranking.h"

/* Heat map of an n x n table, rows actual, with the numbers in the cells. */
CAIRN_CHECKED cairn_status cairn_plot_confusion(cairn_context *ctx, cairn_figure **out,
                                                const double *cells, const char *const *names,
                                                size_t n);

/* Positives (rows) against negatives (columns), best first: 0 right, 1 wrong, 0.5 tied. Weights are
 * rounded to rows; at most some hundred of each class are drawn. */
CAIRN_CHECKED cairn_status cairn_plot_pairs(cairn_context *ctx, cairn_figure **out,
                                            const cairn_ranking *ranking);

#endif
