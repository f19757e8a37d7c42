/* SPDX-License-Identifier: MIT */
/* Kernel values of many rows in double. */
#include "rows/kernel.h"
#include "base/memory.h"
#include "parallel/parallel.h"
#include <string.h>

#define REAL     double
#define PRODUCT  cairn_matmul
#define ROWS_OF  dense
#define NORMS_OF norms
#include "rows/kernel_block_body.h"

enum { CHUNK = 256 }; /* rows of b that a task compares with one row of a */

typedef struct pairs {
    const cairn_kernel *kernel;
    const cairn_kernel_rows *a, *b;
    const uint32_t *which;
    size_t first, n, stride, n_chunks, buffer;
    double *out, *buffers;
} pairs;

static void pairs_task(void *data, size_t task, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end;
    const pairs *p = data;
    size_t r = task / p->n_chunks, from = task % p->n_chunks * CHUNK;
    size_t n = p->n - from < CHUNK ? p->n - from : CHUNK;
    cairn_kernel_pairs(p->kernel, p->a, p->which ? p->which[r] : r, p->b, p->first + from, n,
                       p->out + r * p->stride + from, p->buffers + (size_t)worker * p->buffer);
}

cairn_status cairn_kernel_block(cairn_context *ctx, const cairn_kernel *kernel,
                                const cairn_kernel_rows *a, const uint32_t *which, size_t m,
                                const cairn_kernel_rows *b, size_t first, size_t n, double *out,
                                size_t stride)
{
    if (cairn_kernel_by_product(kernel, a))
        return run_product(ctx, kernel, a, which, m, b, first, n, out, stride);
    SCOPED_SCRATCH(ctx);
    pairs p = {.kernel = kernel, .a = a, .b = b, .which = which, .first = first, .n = n};
    p.stride = stride;
    p.out = out;
    p.n_chunks = cairn_block_count(n, CHUNK);
    p.buffer = cairn_kernel_pairs_buffer(kernel, a, b);
    CHECK(SCRATCH_RAW(ctx, &p.buffers, cairn_product((size_t)cairn_workers(ctx), p.buffer)));
    return cairn_blocks_sized(ctx, cairn_product(m, p.n_chunks), 1, 20.0 * (double)m * (double)n,
                              pairs_task, &p);
}

void cairn_kernel_block_alone(const cairn_kernel *kernel, const cairn_kernel_rows *a,
                              const uint32_t *which, size_t m, const cairn_kernel_rows *b,
                              size_t first, size_t n, double *out, size_t stride, double *buffer)
{
    if (cairn_kernel_by_product(kernel, a)) {
        run_product_alone(kernel, a, which, m, b, first, n, out, stride, buffer);
        return;
    }
    for (size_t r = 0; r < m; r++)
        cairn_kernel_pairs(kernel, a, which ? which[r] : r, b, first, n, out + r * stride, buffer);
}

size_t cairn_kernel_buffer(const cairn_kernel *kernel, const cairn_kernel_rows *a, size_t m,
                           const cairn_kernel_rows *b, size_t n)
{
    if (cairn_kernel_by_product(kernel, a)) return product_buffer(a, m, n);
    return cairn_kernel_pairs_buffer(kernel, a, b);
}
