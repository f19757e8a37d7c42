/* SPDX-License-Identifier: MIT */
/* Whether weights of linear scores are the least of a sum of losses: the slopes of the sum by every
 * weight must be 0 there. One pass over the rows, by code that no solver uses, for proofs of
 * answers (solve/certificate.h).
 *
 * The slope by weight t of score k is Σ_i w_i s_ik z_it + ridge θ, s the slope of the row's loss by
 * its score. It is told beside its size, |z_t| |s_k| + |ridge θ|, the lengths of what it is the
 * product of, and beside what rounding may leave of it: that of the scores and of the sums. */
#ifndef CAIRN_ROWS_SLOPES_H
#define CAIRN_ROWS_SLOPES_H

#include "rows/matrix.h"
#include "solve/certificate.h"

typedef struct cairn_slopes {
    const cairn_view *view;
    const double *row_weights; /* of the view's rows; NULL = the view's own */
    size_t n_scores;
    const double *weights; /* (n_terms + 1) x n_scores in own units, the constants last */
    bool constant;         /* the constants are free: the slopes by them are 0, too */
    const double
        *centres; /* n_terms: scores are the constants and weights·(x - centre); NULL = 0 */
    const double *ridges; /* n_terms + 1: factors of weight²/2 in own units; NULL = none */
    const double *lassos; /* n_terms + 1: of |weight| likewise; such a slope may be up to the
                              factor where the weight is 0, and is the factor elsewhere */
    const uint8_t *fixed; /* n_terms: 1 = the weight was not chosen; NULL = all were */
    /* Of n rows and their scores (n x n_scores): slopes of the losses without the rows' weights,
     * curvatures, and the size of the numbers whose difference a slope is, all n x n_scores. */
    void (*rows)(const void *data, size_t first, size_t n, const double *scores, double *slopes,
                 double *bends, double *sizes);
    const void *data;
    double unit; /* slopes are so many times those of the loss; 0 = 1 */
} cairn_slopes;

/* Slopes in the units of z, their sizes, and what of them rounding may be; all (n_terms + 1) x
 * n_scores, the constants last. scales (n_terms) NULL or: z is (x - something) times this. */
CAIRN_CHECKED cairn_status cairn_slopes_of(cairn_context *ctx, const cairn_slopes *s,
                                           double *slopes, double *sizes, double *noise,
                                           double *scales);
/* The largest |slope| / size of all weights is a proof; `bound` of the size, and rounding, may be
 * left. Where the constants are not free they are left out, and so are fixed terms. NULL = nobody
 * asks. */
CAIRN_CHECKED cairn_status cairn_slopes_certify(cairn_context *ctx, cairn_certificate *c,
                                                cairn_proof proof, const cairn_slopes *s,
                                                double bound);

/* Squared losses (score - target)²/2, for `rows`: `targets` has the view's rows for every score one
 * after the other; `unit` brings them near 1. */
typedef struct cairn_slopes_squares {
    const double *targets;
    size_t n_rows, n_scores;
    double unit;
} cairn_slopes_squares;
void cairn_slopes_squares_rows(const void *data, size_t first, size_t n, const double *scores,
                               double *slopes, double *bends, double *sizes);
/* The whole proof for weights (n_terms + 1 in own units) of the view's target. */
CAIRN_CHECKED cairn_status cairn_slopes_certify_squares(cairn_context *ctx, cairn_certificate *c,
                                                        const cairn_slopes *like, double bound);
/* What of least squares by factors of a matrix is left but for rounding. */
#define CAIRN_SLOPES_DIRECT 1e-9
/* The power of two that brings numbers up to `most` near 1. */
double cairn_slopes_unit(double most);

#endif
