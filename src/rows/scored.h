/* SPDX-License-Identifier: MIT */
/* Objectives of models whose scores are linear: the sum over the rows of a loss of the scores
 * a_k = w_k·z, plus a ridge. A loss says what a row costs; everything else is the same for least
 * squares, logistic, softmax, Poisson regression and whatever has slopes and curvatures.
 *
 * Weights of all scores lie together, term by term: theta[term * stride + score]. */
#ifndef CAIRN_ROWS_SCORED_H
#define CAIRN_ROWS_SCORED_H

#include "rows/matrix.h"
#include "solve/objective.h"

/* What rows cost by their scores. All arrays are n x stride with `n_scores` of each row in use;
 * losses, slopes and curvatures count the weight of the row. */
typedef struct cairn_row_loss {
    size_t n_scores;
    size_t n_counts; /* numbers that are added up beside the loss */
    const void *data;
    /* Rows first .. first + n - 1: add to `sums` (loss, counts),
     * write the slopes by the scores, and into `kept` what the next two need. `kept` and `slopes`
     * do not overlap `scores`. */
    void (*rows)(const void *data, size_t first, size_t n, const double *scores, size_t stride,
                 double *kept, double *slopes, double *sums);
    /* out = the rows' matrices of second derivatives times u; and entry (k, l) of these matrices.
     * NULL for one score whose `kept` is its curvature. */
    void (*bend)(const void *data, size_t first, size_t n, const double *kept, const double *u,
                 size_t stride, double *out);
    void (*curve)(const void *data, size_t first, size_t n, const double *kept, size_t stride,
                  size_t k, size_t l, double *out);
} cairn_row_loss;

enum { CAIRN_SCORED_COUNTS = 4 }; /* most counts of a loss */

typedef struct cairn_scored {
    cairn_row_matrix *matrix;
    const cairn_row_loss *loss;
    size_t stride;
    double *ridges;       /* width: factors of theta²/2 for every score of the term */
    const uint8_t *fixed; /* width: 1 = the term keeps its weight; NULL = none does */
    /* of the last look */
    double sum;                         /* of the losses, without the ridge */
    double counts[CAIRN_SCORED_COUNTS]; /* the loss's */
    size_t products;                    /* passes over the rows */
    /* inside */
    const double *theta;
    bool slopes, curves; /* wanted of the pass */
    size_t head, n_pairs;
    struct cairn_scored_sparse *sparse;
} cairn_scored;

/* Room for each row of a piece that the matrix must have; numbers of the sum with a Hessian. */
size_t cairn_scored_buffer(size_t n_scores);
size_t cairn_scored_sum(size_t width, size_t n_scores);
/* Scores of a row with gaps, where the matrix has tiles. */
size_t cairn_scored_stride(size_t n_scores, bool tiles);

/* An objective with `look` for Newton's method, and with the rest too for conjugate gradients when
 * the matrix has tiles. The matrix has ones or not, no target. Ridges start at 0. */
CAIRN_CHECKED cairn_status cairn_scored_open(cairn_context *ctx, cairn_scored *out,
                                             cairn_objective *objective, cairn_row_matrix *matrix,
                                             const cairn_row_loss *loss);
/* Σ ridge θ²/2; adds its part to the gradient unless that is NULL. */
double cairn_scored_ridge(const cairn_scored *scored, const double *theta, double *gradient);

/* -- for scored.c: the part that works on tiles -- */
CAIRN_CHECKED cairn_status cairn_scored_sparse_open(cairn_context *ctx, cairn_scored *scored,
                                                    cairn_objective *objective);

#endif
