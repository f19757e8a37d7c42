/* SPDX-License-Identifier: MIT */
/* Products of the columns of wide blocks. A block against itself needs only the upper triangle of
 * its products; the rest of the square is then left alone. */
#include "kernels/kernels.h"
#include "kernels/level.h"
#include <cblas.h>
#include <string.h>

void cairn_cross_add(double *out, size_t out_stride, const double *a, const double *b,
                     size_t stride, size_t n, size_t n_a, size_t n_b)
{
    cairn_kernels_init();
    if (n == 0 || n_a == 0 || n_b == 0) return;
    if (a == b && n_a == n_b)
        cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, (int)n_a, (int)n, 1, a, (int)stride, 1,
                    out, (int)out_stride);
    else
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)n_a, (int)n_b, (int)n, 1, a,
                    (int)stride, b, (int)stride, 1, out, (int)out_stride);
}

void cairn_row_products_floats(float *out, size_t out_stride, const float *a, size_t n_a,
                               const float *b, size_t n_b, size_t n)
{
    cairn_kernels_init();
    if (n == 0 || n_a == 0 || n_b == 0) return;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)n_a, (int)n_b, (int)n, 1, a, (int)n,
                b, (int)n, 0, out, (int)out_stride);
}

void cairn_cross_floats(float *out, size_t out_stride, const float *a, const float *b,
                        size_t stride, size_t n, size_t n_a, size_t n_b)
{
    cairn_kernels_init();
    if (n == 0 || n_a == 0 || n_b == 0) return;
    if (a == b && n_a == n_b)
        cblas_ssyrk(CblasRowMajor, CblasUpper, CblasTrans, (int)n_a, (int)n, 1, a, (int)stride, 0,
                    out, (int)out_stride);
    else
        cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)n_a, (int)n_b, (int)n, 1, a,
                    (int)stride, b, (int)stride, 0, out, (int)out_stride);
}

void cairn_rows_product(double *out, size_t out_stride, const double *x, size_t stride, size_t n,
                        size_t n_columns, const double *w, size_t w_stride, size_t n_out)
{
    cairn_kernels_init();
    if (n == 0 || n_out == 0) return;
    if (n_columns == 0) {
        for (size_t i = 0; i < n; i++) memset(out + i * out_stride, 0, n_out * sizeof *out);
        return;
    }
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)n_out, (int)n_columns, 1, x,
                (int)stride, w, (int)w_stride, 0, out, (int)out_stride);
}

void cairn_turned_product_add(double *out, size_t out_stride, const double *a, size_t a_stride,
                              const double *b, size_t b_stride, size_t n, size_t n_a, size_t n_b)
{
    cairn_kernels_init();
    if (n == 0 || n_a == 0 || n_b == 0) return;
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)n_a, (int)n_b, (int)n, 1, a,
                (int)a_stride, b, (int)b_stride, 1, out, (int)out_stride);
}
