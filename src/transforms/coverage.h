/* SPDX-License-Identifier: MIT */
/* A number column as a ranker of two classes: its coverage curve, the thresholds at the corners of
 * its upper and lower hull, and the picture of both. */
#ifndef CAIRN_TRANSFORMS_COVERAGE_H
#define CAIRN_TRANSFORMS_COVERAGE_H

#include "draw/figure.h"
#include "stats/ranking.h"
#include "transforms/cuts.h"

/* A threshold: rows with x > cut on one side, the rest on the other. */
typedef struct cairn_corner {
    double cut;
    bool below;       /* the cut itself belongs to the lower side */
    double tp, fp;    /* positives and negatives above it */
    bool upper;       /* on the upper hull (positive above), else on the lower (positive below) */
    const char *name; /* "upper hull", "lower hull", "mean", "median" */
} cairn_corner;

typedef struct cairn_feature_coverage {
    cairn_ranking ranking, upper, lower; /* highest value first */
    cairn_corner *thresholds;            /* hull corners in descending order of the cut, then the
                                            mean and the median */
    size_t n_corners, n;
} cairn_feature_coverage;

/* All memory is scratch. `class` is the positive one. */
CAIRN_CHECKED cairn_status cairn_coverage_make(cairn_context *ctx, cairn_feature_coverage *out,
                                               const cairn_sorted *sorted, int32_t class);

/* Curve, hulls, corners with their thresholds, mean and median split, and the chosen threshold
 * (NULL = none). The caller frees the figure. */
CAIRN_CHECKED cairn_status cairn_coverage_figure(cairn_context *ctx, cairn_figure **out,
                                                 const cairn_feature_coverage *coverage,
                                                 const char *column, const char *positive,
                                                 const cairn_corner *chosen);

#endif
