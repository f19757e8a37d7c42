/* SPDX-License-Identifier: MIT */
/* Kernel values of many rows in single precision. Rows that are held in double are compared in
 * double, and their values rounded. */
#include "rows/kernel.h"
#include "base/memory.h"
#include <string.h>

#define REAL     float
#define PRODUCT  cairn_matmul_floats
#define ROWS_OF  floats
#define NORMS_OF floats_norms
#include "rows/kernel_block_body.h"

static void round_rows(const double *from, size_t m, size_t n, float *out, size_t stride)
{
    for (size_t r = 0; r < m; r++)
        for (size_t j = 0; j < n; j++) out[r * stride + j] = (float)from[r * n + j];
}

cairn_status cairn_kernel_block_floats(cairn_context *ctx, const cairn_kernel *kernel,
                                       const cairn_kernel_rows *a, const uint32_t *which, size_t m,
                                       const cairn_kernel_rows *b, size_t first, size_t n,
                                       float *out, size_t stride)
{
    if (a->layout == CAIRN_KERNEL_FLOATS)
        return run_product(ctx, kernel, a, which, m, b, first, n, out, stride);
    SCOPED_SCRATCH(ctx);
    double *values;
    CHECK(SCRATCH_RAW(ctx, &values, cairn_product(m, n)));
    CHECK(cairn_kernel_block(ctx, kernel, a, which, m, b, first, n, values, n));
    round_rows(values, m, n, out, stride);
    return CAIRN_OK;
}

void cairn_kernel_block_alone_floats(const cairn_kernel *kernel, const cairn_kernel_rows *a,
                                     const uint32_t *which, size_t m, const cairn_kernel_rows *b,
                                     size_t first, size_t n, float *out, size_t stride,
                                     float *buffer)
{
    if (a->layout == CAIRN_KERNEL_FLOATS) {
        run_product_alone(kernel, a, which, m, b, first, n, out, stride, buffer);
        return;
    }
    double *values = (double *)(void *)buffer;
    cairn_kernel_block_alone(kernel, a, which, m, b, first, n, values, n, values + m * n);
    round_rows(values, m, n, out, stride);
}

size_t cairn_kernel_buffer_floats(const cairn_kernel *kernel, const cairn_kernel_rows *a, size_t m,
                                  const cairn_kernel_rows *b, size_t n)
{
    if (a->layout == CAIRN_KERNEL_FLOATS) return product_buffer(a, m, n);
    return 2 * (cairn_product(m, n) + cairn_kernel_buffer(kernel, a, m, b, n));
}
