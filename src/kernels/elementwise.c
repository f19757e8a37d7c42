/* SPDX-License-Identifier: MIT */
/* exp, ln, tanh and softmax of doubles. */
#include "kernels/real_double.h"
#include "kernels/curves_levels.h"

void cairn_exp_each(double *out, const double *x, size_t n)
{
    chosen()->exp_each(out, x, n);
}

void cairn_log_each(double *out, const double *x, size_t n)
{
    chosen()->log_each(out, x, n);
}

void cairn_tanh_each(double *out, const double *x, size_t n)
{
    chosen()->tanh_each(out, x, n);
}

void cairn_softmax_rows(double *x, double *logs, size_t stride, size_t n, size_t n_columns)
{
    softmax_rows(x, logs, stride, n, n_columns);
}
