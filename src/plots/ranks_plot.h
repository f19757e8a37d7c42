/* SPDX-License-Identifier: MIT */
/* The critical difference diagram: average ranks on a line, what cannot be told apart joined. */
#ifndef CAIRN_PLOTS_RANKS_PLOT_H
#define CAIRN_PLOTS_RANKS_PLOT_H

#include "draw/figure.h"
#include "plots/rank_report.h"

/* Nemenyi: a bar of the critical difference above the line and bars under it that join groups. With
 * `control`, Bonferroni and Dunn: the reach of the critical difference to both sides of it. */
CAIRN_CHECKED cairn_status cairn_plot_ranks(cairn_context *ctx, cairn_figure **out,
                                            const cairn_rank_comparison *c, double critical,
                                            bool control);

#endif
