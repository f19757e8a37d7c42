/* SPDX-License-Identifier: MIT */
/* State diagrams: states on a circle, arrows with their probabilities, loops where a state is
 * kept. */
#ifndef CAIRN_PLOTS_CHAIN_PLOT_H
#define CAIRN_PLOTS_CHAIN_PLOT_H

#include "draw/figure.h"

enum { CAIRN_MOST_DRAWN_STATES = 16 };

/* `move` is n x n, from row to column; moves of probability 0 are not drawn. At most
 * CAIRN_MOST_DRAWN_STATES. */
CAIRN_CHECKED cairn_status cairn_state_plot(cairn_context *ctx, cairn_figure **out,
                                            const char *name, const char *title,
                                            const char *const *states, const double *move,
                                            size_t n);

/* What the states of a hidden Markov model give off: stacked bars of symbols, urns with balls, or
 * normal densities. */

typedef struct cairn_emissions {
    size_t n_states, n_symbols, n_numbers;    /* symbols or numbers, the other is 0 */
    const char *const *states, *const *names; /* names: of the symbols */
    const char *const *columns;               /* names of the numbers; NULL = they have none */
    const double *emit;                       /* n_states x n_symbols */
    const double *mean, *covariance;          /* n_states x n_numbers (x n_numbers) */
} cairn_emissions;

CAIRN_CHECKED cairn_status cairn_emission_bars(cairn_context *ctx, cairn_figure **out,
                                               const cairn_emissions *emissions);
/* Ten balls in each urn, shared out by the probabilities: the largest remainders get the rest. */
CAIRN_CHECKED cairn_status cairn_emission_urns(cairn_context *ctx, cairn_figure **out,
                                               const cairn_emissions *emissions);
/* Curves of one number; of more, the first two: means, and ellipses one deviation around them. */
CAIRN_CHECKED cairn_status cairn_emission_normals(cairn_context *ctx, cairn_figure **out,
                                                  const cairn_emissions *emissions);

/* The trellis of a hidden Markov model: a column of states for every step, the best way into each
 * of them, and the most probable path. */

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
