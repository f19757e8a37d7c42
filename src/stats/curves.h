/* SPDX-License-Identifier: MIT */
/* What can be read off a ranking: split points, operating points, expected accuracy, lift.
 *
 * A ranking of k segments has k + 1 split points: split s says that the first s segments are
 * positive. */
#ifndef CAIRN_STATS_CURVES_H
#define CAIRN_STATS_CURVES_H

#include "stats/intervals.h"
#include "stats/ranking.h"

/* The score between segment `split` - 1 and `split`: the middle; inf before the first and -inf
 * after the last. */
double cairn_split_threshold(const cairn_ranking *ranking, size_t split);

/* Weight of an error on a positive (fn) and on a negative (fp), per row of this ranking. */
typedef struct cairn_operating_context {
    double positive, negative;
} cairn_operating_context;

/* From costs of both errors (1, 1 = plain accuracy) and the ratio positives : negatives where the
 * classifier will be used (0 = as in the ranking). */
cairn_operating_context cairn_operating_context_of(const cairn_ranking *ranking, double cost_fn,
                                                   double cost_fp, double class_ratio);
/* Slope of lines of equal cost in ROC space: (negative * negatives) / (positive * positives). */
double cairn_isometric_slope(const cairn_ranking *ranking, cairn_operating_context context);

typedef struct cairn_curve_split {
    size_t split;
    double tp, fp;
    double threshold;
    double value; /* weighted accuracy: (positive tp + negative tn) over its largest value */
} cairn_curve_split;

/* Split s. */
cairn_curve_split cairn_split_at(const cairn_ranking *ranking, cairn_operating_context context,
                                 size_t s);
/* All splits of the highest weighted accuracy (equal to 1e-12), in order. Memory is scratch. */
CAIRN_CHECKED cairn_status cairn_best_splits(cairn_context *ctx, cairn_curve_split **out, size_t *n,
                                             const cairn_ranking *ranking,
                                             cairn_operating_context context);
/* The split whose ROC point is nearest to (0,1), and the one with the largest tpr - fpr; of equal
 * ones the first. NaN values when a class is empty. */
cairn_curve_split cairn_nearest_split(const cairn_ranking *ranking);
cairn_curve_split cairn_youden_split(const cairn_ranking *ranking);

/* The usual numbers of a ranking, read together on all threads: what the functions here and in
 * ranking.h give one by one. */
typedef struct cairn_ranking_reading {
    cairn_ranking_pairs pairs;
    double auc, average_precision;
    cairn_curve_split nearest, youden;
} cairn_ranking_reading;
CAIRN_CHECKED cairn_status cairn_ranking_read(cairn_context *ctx, cairn_ranking_reading *out,
                                              const cairn_ranking *ranking);

/* Interval of the area by DeLong's variance; where that is 0, at the areas 0 and 1, the score
 * interval of Newcombe. `repeats` is the weight in the ranking of what counts as one independent
 * row (1 = weights are rows). NaN without two rows of either class. */
cairn_interval cairn_auc_interval(const cairn_ranking *ranking, double auc, double repeats,
                                  double level);
/* Whose interval it is. */
const char *cairn_auc_interval_name(double auc);

/* Two scores of the same rows: the difference of their areas, tested by DeLong's covariance. */
typedef struct cairn_auc_difference {
    double difference; /* area of a less that of b */
    double error;      /* its standard error */
    double z, p;       /* two-sided; NaN where the error is 0 */
    cairn_interval interval;
} cairn_auc_difference;
/* n scores of either, classes and weights as in cairn_ranking_make. Rows of weight 0 and of no
 * class are left out. */
CAIRN_CHECKED cairn_status cairn_auc_difference_of(cairn_context *ctx, cairn_auc_difference *out,
                                                   const double *a, const double *b,
                                                   const int8_t *classes, const double *weights,
                                                   size_t n, double level);

/* Mean accuracy over the n + 1 ways to cut n rows in two, ties in random order. */
double cairn_expected_accuracy(const cairn_ranking *ranking);

/* Positives among the best `share` (0 .. 1) of all rows; a segment is cut proportionally. */
double cairn_positives_in_best(const cairn_ranking *ranking, double share);

/* Area under the precision-recall curve as average precision: sum of precision times rise of
 * recall over the split points. NaN without positives. */
double cairn_average_precision(const cairn_ranking *ranking);

/* Whether the normalised curve of a lies nowhere below that of b and somewhere above it. */
bool cairn_curve_dominates(const cairn_ranking *a, const cairn_ranking *b);

/* Points of the curve for drawing and listing: at most `most` of them, the ends always, evenly
 * spread over the segments. x = negatives, y = positives (running sums), `at` = split. Scratch. */
CAIRN_CHECKED cairn_status cairn_curve_points(cairn_context *ctx, double **x, double **y,
                                              size_t **at, size_t *n, const cairn_ranking *ranking,
                                              size_t most);

#endif
