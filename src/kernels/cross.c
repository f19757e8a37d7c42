/* SPDX-License-Identifier: MIT */
/* Products of the columns or rows of blocks, on one thread: names for the shapes that learners have
 * over the one product of products.h. */
#include "kernels/kernels.h"
#include "kernels/products.h"

void cairn_cross_add(double *out, size_t out_stride, const double *a, const double *b,
                     size_t stride, size_t n, size_t n_a, size_t n_b, double *buffer)
{
    cairn_matmul p = {.m = n_a, .n = n_b, .k = n, .a = a, .b = b, .c = out, .alpha = 1};
    p.a_i = p.b_j = 1, p.a_k = p.b_k = stride, p.c_i = out_stride;
    p.upper = a == b && n_a == n_b;
    cairn_matmul_alone(&p, buffer);
}

void cairn_transposed_product_add(double *out, size_t out_stride, const double *a, size_t a_stride,
                                  const double *b, size_t b_stride, size_t n, size_t n_a,
                                  size_t n_b, double *buffer)
{
    cairn_matmul p = {.m = n_a, .n = n_b, .k = n, .a = a, .b = b, .c = out, .alpha = 1};
    p.a_i = p.b_j = 1, p.a_k = a_stride, p.b_k = b_stride, p.c_i = out_stride;
    cairn_matmul_alone(&p, buffer);
}

void cairn_cross_floats(float *out, size_t out_stride, const float *a, const float *b,
                        size_t stride, size_t n, size_t n_a, size_t n_b, float *buffer)
{
    cairn_matmul_floats p = {.m = n_a, .n = n_b, .k = n, .a = a, .b = b, .c = out, .alpha = 1};
    p.a_i = p.b_j = 1, p.a_k = p.b_k = stride, p.c_i = out_stride;
    p.upper = a == b && n_a == n_b, p.set = true;
    cairn_matmul_floats_alone(&p, buffer);
}

void cairn_row_products_floats(float *out, size_t out_stride, const float *a, size_t n_a,
                               const float *b, size_t n_b, size_t n, float *buffer)
{
    cairn_matmul_floats p = {.m = n_a, .n = n_b, .k = n, .a = a, .b = b, .c = out, .alpha = 1};
    p.a_i = p.b_j = n, p.a_k = p.b_k = 1, p.c_i = out_stride, p.set = true;
    cairn_matmul_floats_alone(&p, buffer);
}

void cairn_rows_product(double *out, size_t out_stride, const double *x, size_t stride, size_t n,
                        size_t n_columns, const double *w, size_t w_stride, size_t n_out,
                        double *buffer)
{
    cairn_matmul p = {.m = n, .n = n_out, .k = n_columns, .a = x, .b = w, .c = out, .alpha = 1};
    p.a_i = stride, p.a_k = 1, p.b_k = w_stride, p.b_j = 1, p.c_i = out_stride, p.set = true;
    cairn_matmul_alone(&p, buffer);
}

cairn_status cairn_multiply(cairn_context *ctx, double *out, const double *a,
                            cairn_transposed a_transposed, const double *b,
                            cairn_transposed b_transposed, size_t n_rows, size_t n_inner,
                            size_t n_columns)
{
    cairn_matmul p = {.m = n_rows, .n = n_columns, .k = n_inner, .a = a, .b = b, .c = out};
    p.a_i = a_transposed ? 1 : n_inner, p.a_k = a_transposed ? n_rows : 1;
    p.b_k = b_transposed ? 1 : n_columns, p.b_j = b_transposed ? n_inner : 1;
    p.c_i = n_columns, p.alpha = 1, p.set = true;
    return cairn_matmul_run(ctx, &p);
}
