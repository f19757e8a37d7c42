/* SPDX-License-Identifier: MIT */
/* Rankings: what scores say about two classes, before any threshold is chosen.
 *
 * A ranking is a list of segments, best score first; a segment holds the weights of positives and
 * negatives that have the same score. Its coverage curve runs from (0,0) through the running sums
 * (negatives, positives); a tie is one diagonal piece. */
#ifndef CAIRN_STATS_RANKING_H
#define CAIRN_STATS_RANKING_H

#include "base/context.h"

typedef struct cairn_segment {
    double score;     /* shared by its rows; of a hull segment: the highest score in it */
    double low_score; /* the lowest score in it; differs from `score` only in hulls */
    double positives, negatives;
} cairn_segment;

typedef struct cairn_ranking {
    cairn_segment *segments; /* descending scores */
    size_t n;
    double positives, negatives; /* totals */
} cairn_ranking;

/* From n scores, the class of each (1 positive, 0 negative, anything else: left out) and weights
 * (NULL = all 1; rows of weight 0 are left out). Equal scores share a segment. Memory is scratch; a
 * score that is not a number, or a weight that is negative or not a number, fails with its
 * position. Uses the context's threads; same bits for any number of them. */
CAIRN_CHECKED cairn_status cairn_ranking_make(cairn_context *ctx, cairn_ranking *out,
                                              const double *scores, const int8_t *classes,
                                              const double *weights, size_t n);
/* Area under the normalised curve: 1 - (wrong pairs + half the ties) / (positives * negatives).
 * NaN when a class is empty. */
double cairn_ranking_auc(const cairn_ranking *ranking);

/* Pairs of a positive and a negative: ranked wrongly, and tied. */
typedef struct cairn_ranking_pairs {
    double wrong, tied;
} cairn_ranking_pairs;
cairn_ranking_pairs cairn_ranking_count_pairs(const cairn_ranking *ranking);

/* The upper convex hull: neighbouring segments pooled until the share of positives falls from each
 * to the next (pool adjacent violators). `keep_collinear` leaves neighbours with the same share
 * apart. Memory is scratch. */
CAIRN_CHECKED cairn_status cairn_ranking_hull(cairn_context *ctx, cairn_ranking *out,
                                              const cairn_ranking *ranking, bool keep_collinear);
/* The same, one segment after the other, for those who show the work: told of every comparison of
 * the last pooled segment with the next one, and whether they are pooled. */
typedef void (*cairn_pool_watch)(void *data, const cairn_segment *last, const cairn_segment *next,
                                 bool pooled);
CAIRN_CHECKED cairn_status cairn_ranking_hull_watched(cairn_context *ctx, cairn_ranking *out,
                                                      const cairn_ranking *ranking,
                                                      bool keep_collinear, cairn_pool_watch watch,
                                                      void *data);
/* The lower hull: pooled until the share of positives rises from each segment to the next. */
CAIRN_CHECKED cairn_status cairn_ranking_lower_hull(cairn_context *ctx, cairn_ranking *out,
                                                    const cairn_ranking *ranking,
                                                    bool keep_collinear);

#endif
