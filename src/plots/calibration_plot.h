/* SPDX-License-Identifier: MIT */
/* Figures of probabilities: reliability diagrams and calibration maps. */
#ifndef CAIRN_PLOTS_CALIBRATION_PLOT_H
#define CAIRN_PLOTS_CALIBRATION_PLOT_H

#include "draw/figure.h"
#include "stats/calibration.h"

/* Share of a class against its predicted probability in equally wide bins; p is n x k, a line per
 * class, or only for class `only` (-1 = all): of two classes the other one mirrors it. `names` (k)
 * may be NULL. */
CAIRN_CHECKED cairn_status cairn_plot_reliability(cairn_context *ctx, cairn_figure **out,
                                                  const double *p, const int32_t *classes,
                                                  const double *weights, size_t n, size_t k,
                                                  const char *const *names, int32_t only,
                                                  size_t bins);

/* One line of a diagram with several: n probabilities and whether what they are of happened. */
typedef struct cairn_reliability {
    const double *p;
    const int32_t *happened; /* 1 yes, 0 no, -1 = unknown: left out */
    const double *weights;   /* NULL = all 1 */
    size_t n;
    const char *name;
} cairn_reliability;
CAIRN_CHECKED cairn_status cairn_plot_reliabilities(cairn_context *ctx, cairn_figure **out,
                                                    const cairn_reliability *lines, size_t n_lines,
                                                    const char *share, size_t bins);

typedef struct cairn_calibration_curve {
    const cairn_calibration *calibration;
    const char *name;
} cairn_calibration_curve;

/* Probability against score for several maps of one ranking, with the rows as points at 0 and 1
 * (drawn up to some hundred) and, where it exists, a line at the threshold of each map. */
CAIRN_CHECKED cairn_status cairn_plot_calibration(cairn_context *ctx, cairn_figure **out,
                                                  const cairn_calibration_curve *curves, size_t n,
                                                  const cairn_ranking *ranking, const char *score,
                                                  bool thresholds);

#endif
