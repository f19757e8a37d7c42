/* SPDX-License-Identifier: MIT */
/* A matrix as a product of three: R (n x m) ~ left (n x g) diag(weights) right (g x m). */
#ifndef CAIRN_STATS_FACTORS_H
#define CAIRN_STATS_FACTORS_H

#include "solve/certificate.h"
#include "solve/progress.h"

typedef enum cairn_factor_kind {
    CAIRN_FACTORS_SVD,         /* singular vectors and values: the least error of all */
    CAIRN_FACTORS_NONNEGATIVE, /* no negative numbers; largest entry of every factor is 1 */
    CAIRN_FACTORS_BOOLEAN      /* left and right hold 0 and 1 only, weights are not negative */
} cairn_factor_kind;

typedef struct cairn_factor_options {
    cairn_factor_kind kind;
    size_t g;         /* 0 = the rank, for SVD only */
    size_t starts;    /* random starts beside the fixed ones */
    size_t max_iter;  /* rounds of a start */
    double tolerance; /* stop when a round lowers the error by less than this share of all */
    uint64_t seed;
} cairn_factor_options;

typedef struct cairn_factors {
    cairn_factor_kind kind;
    size_t n, m, g;
    double *left, *weights, *right; /* n x g, g, g x m */
    double error;                   /* sum of squared differences from R */
    double total;                   /* sum of squares of R */
    double *singular;               /* min(n, m): singular values of R */
    size_t rank;                    /* singular values above rounding */
    double rise; /* largest rise of the error from a round to the next: 0 but for rounding */
    bool converged;
    size_t iterations, n_starts, best_start; /* of the start that was best, from 1 */
} cairn_factors;

/* Find the factors of a row-major n x m matrix of finite numbers; all from scratch. Parts are
 * ordered by the length of what they contribute, falling. The same seed gives the same factors. */
CAIRN_CHECKED cairn_status cairn_factors_find(cairn_context *ctx, cairn_factors *out,
                                              const double *r, size_t n, size_t m,
                                              const cairn_factor_options *options);

/* Judge given factors: fills product (n x m, scratch), error, total (when r is not NULL), singular
 * values and rank of r, or of the product without it. */
CAIRN_CHECKED cairn_status cairn_factors_judge(cairn_context *ctx, cairn_factors *factors,
                                               double **product, const double *r);

/* Proofs of factors of r that were found: singular vectors and values fulfil their equations; the
 * error of the others never rose and is what it is said to be; told, but not judged, how far
 * non-negative ones are from where no number of the left factor would change. */
CAIRN_CHECKED cairn_status cairn_factors_prove(cairn_context *ctx, cairn_certificate *out,
                                               const cairn_factors *factors, const double *r);

/* The left factor of one new row, given weights and right factor (g x m). `buffer` has 2 * g + g *
 * g numbers. */
void cairn_factors_row(double *out, cairn_factor_kind kind, const double *row,
                       const double *weights, const double *right, size_t g, size_t m,
                       double *buffer);

/* -- for factors.c: the Boolean search -- */

/* The course of one start: its errors are not kept. */
static inline cairn_progress cairn_factors_progress(const cairn_factor_options *options)
{
    return (cairn_progress){.most = options->max_iter, .tolerance = options->tolerance, .keep = 1};
}
CAIRN_CHECKED cairn_status cairn_boolean_factors(cairn_context *ctx, cairn_factors *out,
                                                 const double *r,
                                                 const cairn_factor_options *options);
/* The best 0/1 choice of weighted rows for each of n rows: out (n x g) minimises
 * |r_i - sum_k out_ik w_k right_k|. All 2^g choices are tried for g <= 10, else one at a time is
 * changed while that helps, from what `out` holds. */
void cairn_boolean_rows(double *out, const double *r, size_t r_row, size_t r_column, size_t n,
                        size_t m, const double *weights, const double *right, size_t right_row,
                        size_t right_column, size_t g, double *buffer);

#endif
