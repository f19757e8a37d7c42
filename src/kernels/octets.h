/* SPDX-License-Identifier: MIT */
/* Eight sequences of hidden states side by side, one in each lane: conventions as in kernels.h. An
 * array [steps][n][8] holds for every step and every state the numbers of the eight. A sequence
 * that is shorter than the others (`lengths`) changes nothing in what it returns behind its end. */
#ifndef CAIRN_KERNELS_OCTETS_H
#define CAIRN_KERNELS_OCTETS_H

#include <stddef.h>
#include <stdint.h>

/* What a forward pass multiplied by, as powers of 2, which are exact, and what it ends with: the
 * sequence's probability is sum · 2^exponent. */
typedef struct cairn_octet_scale {
    double sum[8]; /* of the last alpha; 0 = the sequence is impossible */
    int64_t exponent[8];
} cairn_octet_scale;

/* alpha[t][j] = b[t][j] factor[t] sum_i alpha[t - 1][i] move[i][j], where first[j] (n x 8)
 * stands for the sum over i at the first step. The factors (steps x 8) are powers of 2 that
 * keep the sum over j near 1. */
void cairn_octet_forward(double *alpha, double *factors, cairn_octet_scale *scale,
                         const double *first, const double *b, const double *move,
                         const double *lengths, size_t n, size_t steps);

/* The same from each of the n states in turn, for which only the end is kept: rows (n x n x 8) are
 * the last alphas, scales (n) what they were multiplied by. room: 2 n x n x 8. */
void cairn_octet_transfer(double *rows, cairn_octet_scale *scales, const double *b,
                          const double *move, const double *lengths, size_t n, size_t steps,
                          double *buffer);

/* What a backward pass needs. */
typedef struct cairn_octet_pass {
    const double *alpha, *factors, *b; /* of the forward pass */
    const double *move, *lengths;
    const double *before; /* n x 8: alpha of the step before the first; zeros = there is none */
    const double *last;   /* n x 8: beta of the last step */
    double *buffer;       /* 2 n x 8 */
} cairn_octet_pass;

/* beta[t][i] = sum_j move[i][j] w[j], where w[j] = b[t + 1][j] beta[t + 1][j] factor[t + 1], and
 * gamma[t][i] = alpha[t][i] beta[t][i]. sums (n x n x 8): sums[i][j] += alpha[t - 1][i] w[j], to
 * which the factor move[i][j] is missing; NULL = they are not wanted. */
void cairn_octet_backward(double *gamma, double *sums, const cairn_octet_pass *pass, size_t n,
                          size_t steps);

/* out[t][i] = constants[i] - |W_i (x[t] - mean_i)|² / 2 for n states; x is steps x d x 8, W_i the
 * lower triangle of whites[i] (d x d). */
void cairn_octet_normal_logs(double *out, const double *x, const double *means,
                             const double *whites, const double *constants, size_t n, size_t d,
                             size_t steps);
/* Each b[t][j] less the largest over j, which goes into tops (steps x 8); one that is -inf counts
 * as 0. */
void cairn_octet_less_top(double *b, double *tops, size_t n, size_t steps);
/* sums[i] += sum_t gamma[t][i] (1, x, upper triangle of x x'): n x (1 + d + d (d + 1) / 2) x 8. */
void cairn_octet_moments_add(double *sums, const double *gamma, const double *x, size_t n, size_t d,
                             size_t steps);

#endif
