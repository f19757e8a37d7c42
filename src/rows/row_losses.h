/* SPDX-License-Identifier: MIT */
/* What rows cost by their scores: the losses behind linear models. A new one is a struct with what
 * it knows of the rows and a function `rows` (scored.h); one score needs no more. */
#ifndef CAIRN_ROWS_ROW_LOSSES_H
#define CAIRN_ROWS_ROW_LOSSES_H

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

/* The logistic loss as rows want it; `classes` is borrowed. */
cairn_row_loss cairn_classes_row_loss(const cairn_classes_loss *classes);

/* Half the squared difference from a number, one score. */
typedef struct cairn_squares_loss {
    double *targets; /* of each row, less the shift */
    double *weights; /* of each row */
    double shift;    /* the mean, when it is taken out: the squares lose no digits to it */
    double total;    /* sum of weights */
    double spread;   /* Σ w (target - mean)² */
} cairn_squares_loss;

/* Scratch memory of now; fails when no row has a positive weight, or a target is not finite. */
CAIRN_CHECKED cairn_status cairn_squares_open(cairn_context *ctx, cairn_squares_loss *out,
                                              const cairn_view *view, bool centred);
cairn_row_loss cairn_squares_row_loss(const cairn_squares_loss *squares);

/* Scores of one row become probabilities of the classes with a score, in place. Returns the loss
 * -ln p(answer); *margin is the score of the answer less the best other one. Safe for any finite
 * score. */
double cairn_softmax(double *scores, size_t n_scores, bool pinned, size_t answer, double *margin);
/* The probabilities alone, as if the answer were the first class: their bits depend on it. */
void cairn_softmax_shares(double *scores, size_t n_scores, bool pinned);

#endif
