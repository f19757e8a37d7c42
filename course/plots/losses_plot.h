/* SPDX-License-Identifier: MIT */
/* Curves of functions that evaluation speaks of: losses against the margin. */
#ifndef CAIRN_PLOTS_LOSSES_PLOT_H
#define CAIRN_PLOTS_LOSSES_PLOT_H

#include "draw/figure.h"

/* All margin losses from z = low to high. */
CAIRN_CHECKED cairn_status cairn_plot_losses(cairn_context *ctx, cairn_figure **out,
                                             double log_base, double low, double high);

#endif
