/* SPDX-License-Identifier: MIT */
/* Kernel values of many rows for one type, by products of matrices; included by kernel_block.c and
 * kernel_block_floats.c, so it has no guard. The includer defines REAL, PRODUCT (the product of
 * that type) and ROWS_OF, NORMS_OF (where rows have their numbers). */

#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)

/* Chosen rows of a, m of them: where they lie when they are the first ones, else copied to
 * `buffer`, their squared lengths behind them. */
static const REAL *gather(const cairn_kernel_rows *a, const uint32_t *which, size_t m, REAL *buffer,
                          const REAL **norms)
{
    size_t width = a->n_terms;
    *norms = a->NORMS_OF;
    if (!which) return a->ROWS_OF;
    REAL *lengths = buffer + m * width;
    for (size_t r = 0; r < m; r++) {
        memcpy(buffer + r * width, a->ROWS_OF + which[r] * width, width * sizeof *buffer);
        lengths[r] = a->NORMS_OF[which[r]];
    }
    *norms = lengths;
    return buffer;
}

static PRODUCT product_of(const cairn_kernel *kernel, const REAL *a, const REAL *norms, size_t m,
                          const cairn_kernel_rows *b, size_t first, size_t n, REAL *out,
                          size_t stride)
{
    cairn_kernel_finish finish = cairn_kernel_finish_of(kernel);
    size_t width = b->n_terms;
    PRODUCT p = {.m = m, .n = n, .k = width, .a = a, .a_i = width, .a_k = 1, .c = out};
    p.b = b->ROWS_OF + first * width;
    p.b_k = 1;
    p.b_j = width;
    p.c_i = stride;
    p.alpha = 1;
    p.set = true;
    p.finish = finish.finish;
    p.gamma = (REAL)finish.gamma;
    p.shift = (REAL)finish.shift;
    p.degree = finish.degree;
    p.a_norms = norms;
    p.b_norms = b->NORMS_OF + first;
    return p;
}

static cairn_status run_product(cairn_context *ctx, const cairn_kernel *kernel,
                                const cairn_kernel_rows *a, const uint32_t *which, size_t m,
                                const cairn_kernel_rows *b, size_t first, size_t n, REAL *out,
                                size_t stride)
{
    SCOPED_SCRATCH(ctx);
    REAL *buffer = NULL;
    const REAL *norms;
    if (which) CHECK(SCRATCH_RAW(ctx, &buffer, cairn_product(m, a->n_terms + 1)));
    const REAL *chosen = gather(a, which, m, buffer, &norms);
    PRODUCT p = product_of(kernel, chosen, norms, m, b, first, n, out, stride);
    return JOIN(PRODUCT, run)(ctx, &p);
}

static void run_product_alone(const cairn_kernel *kernel, const cairn_kernel_rows *a,
                              const uint32_t *which, size_t m, const cairn_kernel_rows *b,
                              size_t first, size_t n, REAL *out, size_t stride, REAL *buffer)
{
    const REAL *norms, *chosen = gather(a, which, m, buffer, &norms);
    PRODUCT p = product_of(kernel, chosen, norms, m, b, first, n, out, stride);
    JOIN(PRODUCT, alone)(&p, buffer + m * (a->n_terms + 1));
}

static size_t product_buffer(const cairn_kernel_rows *a, size_t m, size_t n)
{
    return cairn_product(m, a->n_terms + 1) + JOIN(PRODUCT, buffer)(m, n, a->n_terms);
}
