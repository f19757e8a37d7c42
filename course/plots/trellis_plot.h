/* SPDX-License-Identifier: MIT */
/* The trellis of a hidden Markov model: a column of states for every step, the best way into each
 * of them, and the most probable path. */
#ifndef CAIRN_PLOTS_TRELLIS_PLOT_H
#define CAIRN_PLOTS_TRELLIS_PLOT_H

#include "draw/figure.h"

enum { CAIRN_MOST_TRELLIS_STEPS = 30, CAIRN_MOST_TRELLIS_STATES = 12 };

typedef struct cairn_trellis {
    size_t n_steps, n_states;
    const char *const *states;
    const char *const *seen; /* n_steps: what is seen */
    const double *delta;     /* n_steps x n_states: ln of the best path that ends so */
    const int32_t *from;     /* like delta: the state before on that path; -1 = none */
    const int32_t *path;     /* n_steps; -1 = there is none */
} cairn_trellis;

/* Fails when there are too many steps or states to draw. */
CAIRN_CHECKED cairn_status cairn_trellis_plot(cairn_context *ctx, cairn_figure **out,
                                              const cairn_trellis *trellis);

#endif
