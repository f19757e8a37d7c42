/* SPDX-License-Identifier: MIT */
/* What rows cost by their scores: the losses behind linear models. */
#ifndef CAIRN_ROWS_LOSSES_H
#define CAIRN_ROWS_LOSSES_H

#include "rows/scored.h"

/* Cross-entropy of classes: p_k ∝ exp(a_k); when the last class is pinned, its score is 0 and it is
 * not among the scores. Two classes have one score, the positive class's. */
typedef struct cairn_classes_loss {
    size_t n_classes, n_scores;
    bool pinned;
    const int32_t *answers; /* class of each row */
    const double *weights;  /* of each row */
    const double *signs;    /* one score and all weights 1: 1 = class 0, -1 = class 1; else NULL */
} cairn_classes_loss;

/* Places in the counts of the loss: weight of the rows on the right side, of those that are not
 * surely there (a margin above 1e-6). */
enum { CAIRN_COUNT_RIGHT, CAIRN_COUNT_UNSURE };

cairn_row_loss cairn_classes_row_loss(const cairn_classes_loss *classes);

/* Scores of one row become probabilities of the classes with a score, in place. Returns the loss
 * -ln p(answer); *margin is the score of the answer less the best other one. Safe for any finite
 * score. */
double cairn_softmax(double *scores, size_t n_scores, bool pinned, size_t answer, double *margin);

#endif
