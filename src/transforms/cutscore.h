/* SPDX-License-Identifier: MIT */
/* How good it is to part a set of rows in two, by the counts of the classes: the scores of
 * stats/impurity.h for two parts, one at a time, for searches over millions of cuts. */
#ifndef CAIRN_TRANSFORMS_CUTSCORE_H
#define CAIRN_TRANSFORMS_CUTSCORE_H

#include "data/view.h"
#include "entry/entry.h"

typedef enum cairn_cut_score {
    CAIRN_CUT_GAIN,
    CAIRN_CUT_RATIO,
    CAIRN_CUT_GINI,
    CAIRN_CUT_MINORITY,
    CAIRN_CUT_SQRT_GINI,
    CAIRN_CUT_CHI2,
    CAIRN_CUT_BERNOULLI
} cairn_cut_score;

/* Scores that differ by less are equal, relative to 1 or the score; less than this is 0. */
#define CAIRN_CUT_TIE 1e-12

extern const cairn_choice cairn_cut_scores[];
/* The name of the choice; `score` must be one of them. */
const char *cairn_cut_score_name(int score);

/* Score of the part with counts `left` (sum nl) against the rest of `all` (sum n); 0 < nl < n.
 * `logs` is NULL or from cairn_cut_logs, and then counts are whole. */
double cairn_cut_score_of(int score, const double *left, const double *all, size_t n_classes,
                          double nl, double n, const double *logs);

/* c log2 c for every whole c up to the rows of the view, since most of the time would go into
 * logarithms otherwise; NULL when rows have weights. Memory is scratch. */
CAIRN_CHECKED cairn_status cairn_cut_logs(cairn_context *ctx, const double **out,
                                          const cairn_view *view);

#endif
