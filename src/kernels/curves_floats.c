/* SPDX-License-Identifier: MIT */
/* exp, ln, tanh and softmax of floats. */
#include "kernels/real_float.h"
#include "kernels/curves_levels.h"

void cairn_exp_each_floats(float *out, const float *x, size_t n)
{
    chosen()->exp_each(out, x, n);
}

void cairn_log_each_floats(float *out, const float *x, size_t n)
{
    chosen()->log_each(out, x, n);
}

void cairn_tanh_each_floats(float *out, const float *x, size_t n)
{
    chosen()->tanh_each(out, x, n);
}

void cairn_softmax_rows_floats(float *x, float *logs, size_t stride, size_t n, size_t n_columns)
{
    softmax_rows(x, logs, stride, n, n_columns);
}
