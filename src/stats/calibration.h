/* SPDX-License-Identifier: MIT */
/* Maps from a score (or a feature used as one) to the probability of the positive class.
 *
 *     isotonic   the share of positives of each hull segment; between the last score of one segment
 *                and the first of the next a straight line, or a step in the middle
 *     logistic   LR = exp(gamma (d - d0)), p = LR / (LR + 1 / clr): from the class means and one
 *                common variance, gamma = (mean+ - mean-) / variance, d0 their midpoint
 *     platt      p = 1 / (1 + exp(-(a s + b))) by maximum likelihood
 *     beta       log-odds a ln s - b ln(1-s) + c for scores in 0 .. 1 by maximum likelihood with
 *                a, b >= 0; scores nearer to 0 or 1 than 1e-15 are taken as that far away */
#ifndef CAIRN_STATS_CALIBRATION_H
#define CAIRN_STATS_CALIBRATION_H

#include "base/archive.h"
#include "stats/ranking.h"

typedef enum cairn_calibration_kind {
    CAIRN_CALIBRATE_ISOTONIC,
    CAIRN_CALIBRATE_LOGISTIC,
    CAIRN_CALIBRATE_PLATT,
    CAIRN_CALIBRATE_BETA
} cairn_calibration_kind;

typedef struct cairn_calibration_options {
    cairn_calibration_kind kind;
    bool steps;          /* isotonic: steps in place of lines between plateaus */
    bool laplace;        /* isotonic: (n+ + 1) / (n + 2) in place of n+ / n; platt, beta: targets
                          * (N+ + 1) / (N+ + 2) and 1 / (N- + 2) in place of 1 and 0 */
    bool keep_collinear; /* isotonic: segments with the same share stay apart */
    bool falling;        /* isotonic: the share of positives falls as the score rises */
    bool unbiased;       /* logistic: common variance divides by n - 2 in place of n */
    double class_ratio;  /* logistic: clr = positives / negatives to assume; 0 = 1 */
} cairn_calibration_options;

typedef struct cairn_calibration {
    cairn_calibration_options options;
    /* isotonic: n pieces in ascending order of score, value[i] on low[i] .. high[i]. Owned. */
    size_t n;
    double *low, *high, *value;
    double gamma, centre; /* logistic */
    double positive_mean, negative_mean, variance;
    double a, b, c;        /* platt, beta */
    double log_likelihood; /* platt, beta: of the classes, natural logarithm */
} cairn_calibration;

/* Fit to scores with classes (1, 0, else left out) and weights (NULL = 1). Fails when a class has
 * no rows, when the scores do not vary within the classes (logistic), when some lie outside 0 .. 1
 * (beta), and with CAIRN_NO_SOLUTION when the scores separate the classes so that no curve is the
 * most likely (platt, beta without `laplace`). */
CAIRN_CHECKED cairn_status cairn_calibration_fit(cairn_context *ctx, cairn_calibration *out,
                                                 const cairn_calibration_options *options,
                                                 const double *scores, const int8_t *classes,
                                                 const double *weights, size_t n);
/* The same from a ranking that is already there. */
CAIRN_CHECKED cairn_status cairn_calibration_fit_ranking(cairn_context *ctx, cairn_calibration *out,
                                                         const cairn_calibration_options *options,
                                                         const cairn_ranking *ranking);
/* Probability of the positive class; NaN for NaN. */
double cairn_calibration_apply(const cairn_calibration *calibration, double score);
/* The score whose probability is `p`, 0 < p < 1: of a plateau its middle; NaN when no score has it.
 */
double cairn_calibration_threshold(const cairn_calibration *calibration, double p);
/* Everything that `apply` needs, and what describes the map. */
CAIRN_CHECKED cairn_status cairn_calibration_archive(cairn_archive *archive,
                                                     cairn_calibration *calibration);
void cairn_calibration_clear(cairn_calibration *calibration);

#endif
