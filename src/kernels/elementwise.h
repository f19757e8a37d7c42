/* SPDX-License-Identifier: MIT */
/* exp, ln and tanh of many numbers, and what is made of them, with the same bits at every level;
 * conventions as in kernels.h. exp and ln are right to one unit of the last digit, tanh to 2.5;
 * special values (zeros, infinities, NaN, denormal numbers, overflow) give what C99 says. A
 * number's result does not depend on its place. One number at a time: base/functions.h. */
#ifndef CAIRN_KERNELS_ELEMENTWISE_H
#define CAIRN_KERNELS_ELEMENTWISE_H

#include <stddef.h>

/* `out` may be `x`. */
void cairn_exp_each(double *out, const double *x, size_t n);
void cairn_log_each(double *out, const double *x, size_t n);
void cairn_tanh_each(double *out, const double *x, size_t n);
void cairn_exp_each_floats(float *out, const float *x, size_t n);
void cairn_log_each_floats(float *out, const float *x, size_t n);
void cairn_tanh_each_floats(float *out, const float *x, size_t n);

/* Every row of scores becomes probabilities: exp(x[j]) / sum_k exp(x[k]), without overflow.
 * logs[i], where logs is not NULL, becomes ln sum_k exp(x[i][k]). A row needs one finite score at
 * least and none that is +infinite; else its probabilities are NaN. */
void cairn_softmax_rows(double *x, double *logs, size_t stride, size_t n, size_t n_columns);
void cairn_softmax_rows_floats(float *x, float *logs, size_t stride, size_t n, size_t n_columns);

#endif
