/* SPDX-License-Identifier: MIT */
/* The curves of impurities over the share of one of two classes, and the chord that shows what a
 * split leaves of the impurity. */
#ifndef CAIRN_PLOTS_IMPURITY_PLOT_H
#define CAIRN_PLOTS_IMPURITY_PLOT_H

#include "draw/figure.h"
#include "stats/impurity.h"

enum { CAIRN_N_IMPURITIES = 4 };

typedef struct cairn_impurity_curve {
    const char *name, *title, *formula;
    cairn_impurity kind;
} cairn_impurity_curve;
extern const cairn_impurity_curve cairn_impurity_curves[CAIRN_N_IMPURITIES];

/* The impurity of two classes where the first has the share p. */
double cairn_impurity_at(cairn_impurity kind, double p);

/* Curves of the chosen measures (in the order of cairn_impurity_curves; the entropy is halved when
 * there are others, so that all meet at one half). With n_parts > 0, rows of two counts, the parts
 * are points of every curve, their chord is read at the share of the whole, and what the split
 * gains is the distance from there to the curve. */
CAIRN_CHECKED cairn_status cairn_impurity_figure(cairn_context *ctx, cairn_figure **out,
                                                 const bool chosen[CAIRN_N_IMPURITIES],
                                                 const double *parts, size_t n_parts);

#endif
