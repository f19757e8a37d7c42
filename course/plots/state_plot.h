/* SPDX-License-Identifier: MIT */
/* State diagrams: states on a circle, arrows with their probabilities, loops where a state is
 * kept. */
#ifndef CAIRN_PLOTS_STATE_PLOT_H
#define CAIRN_PLOTS_STATE_PLOT_H

#include "draw/figure.h"

enum { CAIRN_MOST_DRAWN_STATES = 16 };

/* `move` is n x n, from row to column; moves of probability 0 are not drawn. At most
 * CAIRN_MOST_DRAWN_STATES. */
CAIRN_CHECKED cairn_status cairn_state_plot(cairn_context *ctx, cairn_figure **out,
                                            const char *name, const char *title,
                                            const char *const *states, const double *move,
                                            size_t n);

#endif
