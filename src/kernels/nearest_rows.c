/* SPDX-License-Identifier: MIT */
/* The nearest row of a block for each row of another: blocks of squared distances from products, of
 * which only the smallest of a row is kept, so that the matrix of all distances never exists. */
#include "kernels/products.h"
#include "parallel/parallel.h"
#include "base/memory.h"
#include <math.h>

enum { ROWS = 64, COLUMNS = 1024 };

typedef struct search {
    const double *a, *b, *a_norms, *b_norms;
    size_t n, k, buffer, block; /* numbers of a worker's room; of a block of distances */
    double *buffers;            /* per worker: block, then room */
    size_t *nearest;
    double *distances;
} search;

static void keep_smallest(const search *s, size_t row, const double *found, size_t first, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        if (!(found[j] < s->distances[row])) continue;
        s->distances[row] = found[j];
        s->nearest[row] = first + j;
    }
}

static void search_rows(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const search *s = data;
    double *found = s->buffers + (size_t)worker * (s->block + s->buffer);
    for (size_t i = begin; i < end; i++) s->distances[i] = INFINITY, s->nearest[i] = 0;
    for (size_t first = 0; first < s->n; first += COLUMNS) {
        size_t n = s->n - first < COLUMNS ? s->n - first : COLUMNS;
        cairn_matmul p = {.m = end - begin, .n = n, .k = s->k, .alpha = 1, .set = true};
        p.a = s->a + begin * s->k, p.a_i = s->k, p.a_k = 1;
        p.b = s->b + first * s->k, p.b_k = 1, p.b_j = s->k;
        p.c = found, p.c_i = n, p.finish = CAIRN_FINISH_DISTANCE;
        p.a_norms = s->a_norms + begin, p.b_norms = s->b_norms + first;
        cairn_matmul_alone(&p, found + s->block);
        for (size_t i = begin; i < end; i++) keep_smallest(s, i, found + (i - begin) * n, first, n);
    }
}

cairn_status cairn_nearest_rows(cairn_context *ctx, size_t *nearest, double *distances,
                                const double *a, size_t m, const double *b, size_t n, size_t k)
{
    SCOPED_SCRATCH(ctx);
    size_t workers = (size_t)cairn_workers(ctx);
    double *a_norms, *b_norms;
    search s = {.a = a, .b = b, .n = n, .k = k, .nearest = nearest, .distances = distances};
    s.buffer = cairn_matmul_buffer(ROWS, COLUMNS, k);
    s.block = ROWS * (n < COLUMNS ? n : COLUMNS);
    CHECK(SCRATCH_RAW(ctx, &a_norms, m));
    CHECK(SCRATCH_RAW(ctx, &b_norms, n));
    CHECK(SCRATCH_RAW(ctx, &s.buffers, cairn_product(workers, s.block + s.buffer)));
    cairn_matmul_norms(a_norms, a, m, k);
    cairn_matmul_norms(b_norms, b, n, k);
    s.a_norms = a_norms, s.b_norms = b_norms;
    return cairn_blocks(ctx, m, ROWS, search_rows, &s);
}
