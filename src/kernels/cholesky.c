/* SPDX-License-Identifier: MIT */
/* Cholesky factor of a large matrix, in place and on all threads.
 *
 * By blocks of rows: the block on the diagonal is factored alone; the rows to its right become
 * R_kk'^-1 A, columns side by side; and what lies below them loses their products. The last part
 * is nearly all of the work and a product of matrices. Blocks depend on n only. */
#include "base/memory.h"
#include "kernels/kernels.h"
#include "kernels/linalg.h"
#include "kernels/products.h"
#include "parallel/parallel.h"
#include <string.h>

enum {
    BLOCK = 256,  /* rows factored at a time */
    STRIP = 32,   /* of them solved by hand at a time */
    COLUMNS = 256 /* to their right that a task takes */
};

typedef struct panel {
    double *a; /* the block on the diagonal, factored */
    size_t n, lead;
    double *buffers;
    size_t buffer;
} panel;

/* Rows [s, s + m) of the columns x, once the rows above are solved: what these give is taken off,
 * then the triangle is solved row by row. */
static void solve_strip(const panel *p, double *x, size_t n_columns, size_t s, size_t m,
                        double *buffer)
{
    size_t lead = p->lead;
    cairn_matmul product = {.m = m, .n = n_columns, .k = s, .alpha = -1};
    product.a = p->a + s, product.a_i = 1, product.a_k = lead;
    product.b = x, product.b_k = lead, product.b_j = 1;
    product.c = x + s * lead, product.c_i = lead;
    if (s) cairn_matmul_alone(&product, buffer);
    for (size_t i = s; i < s + m; i++) {
        double *row = x + i * lead, over = p->a[i * lead + i];
        for (size_t k = s; k < i; k++)
            cairn_axpy(row, -p->a[k * lead + i], x + k * lead, n_columns);
        for (size_t j = 0; j < n_columns; j++) row[j] /= over;
    }
}

static void solve_columns(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const panel *p = data;
    for (size_t s = 0; s < p->n; s += STRIP)
        solve_strip(p, p->a + p->n + begin, end - begin, s, p->n - s < STRIP ? p->n - s : STRIP,
                    p->buffers + (size_t)worker * p->buffer);
}

/* The block on the diagonal by itself, without gaps between its rows. */
static cairn_status factor_block(cairn_context *ctx, double *a, size_t lead, size_t n,
                                 double *square, size_t *pivot)
{
    double condition;
    for (size_t i = 0; i < n; i++) memcpy(square + i * n, a + i * lead, n * sizeof *a);
    CHECK(cairn_cholesky(ctx, square, n, &condition, pivot));
    for (size_t i = 0; i < n && *pivot == n; i++)
        memcpy(a + i * lead + i, square + i * n + i, (n - i) * sizeof *a);
    return CAIRN_OK;
}

cairn_status cairn_cholesky_large(cairn_context *ctx, double *a, size_t n, size_t *pivot)
{
    SCOPED_SCRATCH(ctx);
    panel p = {.lead = n, .buffer = cairn_matmul_buffer(STRIP, COLUMNS, BLOCK)};
    size_t found;
    double *square;
    CHECK(SCRATCH_RAW(ctx, &square, BLOCK * BLOCK));
    CHECK(SCRATCH_RAW(ctx, &p.buffers, cairn_product((size_t)cairn_workers(ctx), p.buffer)));
    *pivot = n;
    for (size_t at = 0; at < n; at += BLOCK) {
        size_t m = n - at < BLOCK ? n - at : BLOCK, rest = n - at - m;
        p.a = a + at * n + at;
        p.n = m;
        CHECK(factor_block(ctx, p.a, n, m, square, &found));
        if (found < m) {
            *pivot = at + found;
            return CAIRN_OK;
        }
        if (!rest) return CAIRN_OK;
        double work = (double)m * (double)m * (double)rest;
        CHECK(cairn_blocks_sized(ctx, rest, COLUMNS, work, solve_columns, &p));
        cairn_matmul below = {.m = rest, .n = rest, .k = m, .alpha = -1, .upper = true};
        below.a = below.b = p.a + m;
        below.a_i = below.b_j = 1;
        below.a_k = below.b_k = below.c_i = n;
        below.c = p.a + m * n + m;
        CHECK(cairn_matmul_run(ctx, &below));
        CHECK(cairn_tick(ctx, "factoring", (double)at, (double)n));
    }
    return CAIRN_OK;
}
