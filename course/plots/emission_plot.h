/* SPDX-License-Identifier: MIT */
/* What the states of a hidden Markov model give off: stacked bars of symbols, urns with balls, or
 * normal densities. */
#ifndef CAIRN_PLOTS_EMISSION_PLOT_H
#define CAIRN_PLOTS_EMISSION_PLOT_H

#include "draw/figure.h"

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

#endif
