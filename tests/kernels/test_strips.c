/* SPDX-License-Identifier: MIT */
/* Strips are another place for the operands of a product: every number must be the product's, to
 * the last bit, for heights, widths and lengths of sums around the edges of tiles and panels. */
#include "support/unit.h"
#include "base/memory.h"
#include "base/random.h"
#include "kernels/products.h"
#include "kernels/strips.h"
#include <string.h>

typedef struct shape {
    size_t m, n_in, width, n;
} shape;

static const shape shapes[] = {
    {1, 1, 16, 1},   {2, 3, 16, 16},    {13, 31, 32, 17},  {14, 784, 32, 32}, {15, 417, 32, 31},
    {29, 5, 16, 10}, {128, 60, 32, 32}, {417, 29, 32, 20}, {450, 7, 16, 9},   {3, 0, 32, 4},
    {0, 4, 16, 4},   {6, 14, 32, 8},    {128, 833, 32, 5},
};

static float *draw(cairn_context *ctx, cairn_random *random, size_t n)
{
    float *out;
    assert_ok(ctx, SCRATCH(ctx, &out, n + 64));
    for (size_t i = 0; i < n; i++) out[i] = (float)(cairn_random_uniform(random) - 0.5);
    return out;
}

/* Rows of the data in another order than that of their memory. */
static const float **scatter(cairn_context *ctx, const float *x, size_t m, size_t n_in)
{
    const float **rows;
    assert_ok(ctx, SCRATCH(ctx, &rows, m + 1));
    for (size_t i = 0; i < m; i++) rows[i] = x + (m - 1 - i) * n_in;
    return rows;
}

/* m rows of n_in numbers as the pointers have them. */
static float *gather(cairn_context *ctx, const float **rows, size_t m, size_t n_in)
{
    float *out;
    assert_ok(ctx, SCRATCH(ctx, &out, m * n_in + 1));
    for (size_t i = 0; i < m; i++) memcpy(out + i * n_in, rows[i], n_in * sizeof *out);
    return out;
}

static void test_strip_nets__are_those_of_the_product(void **state)
{
    cairn_context *ctx = *state;
    cairn_random random;
    cairn_random_start(&random, 1, 0);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const shape *at = &shapes[s];
        size_t step = at->n + 3, size = at->m * step;
        cairn_strip strip = {at->width, at->n, at->n_in};
        float *w = draw(ctx, &random, at->n_in * at->width), *nets = draw(ctx, &random, size);
        const float **rows = scatter(ctx, draw(ctx, &random, at->m * at->n_in), at->m, at->n_in);
        float *wanted;
        assert_ok(ctx, SCRATCH(ctx, &wanted, size + 1));
        memcpy(wanted, nets, size * sizeof *nets);
        cairn_matmul_floats product = {.m = at->m, .n = at->n, .k = at->n_in, .alpha = 1};
        product.a = gather(ctx, rows, at->m, at->n_in);
        product.a_i = at->n_in, product.a_k = 1;
        product.b = w, product.b_k = at->width, product.b_j = 1;
        product.c = wanted, product.c_i = step;
        assert_ok(ctx, cairn_matmul_floats_run(ctx, &product));
        cairn_strip_nets(&strip, w, rows, at->m, nets, step);
        assert_memory_equal(nets, wanted, size * sizeof *nets);
    }
}

/* Inputs [from, to) of all; nodes that there are not have no slope. */
static void check_slopes(cairn_context *ctx, const shape *at, const float **rows,
                         const float *deltas, size_t from, size_t to)
{
    cairn_strip strip = {at->width, at->n, at->n_in};
    size_t n = to - from, size = n * at->width;
    float *slopes, *wanted;
    assert_ok(ctx, SCRATCH(ctx, &slopes, size + 1));
    assert_ok(ctx, SCRATCH(ctx, &wanted, size + 1));
    memset(slopes, 0xff, size * sizeof *slopes);
    cairn_matmul_floats product = {.m = n, .n = at->n, .k = at->m, .alpha = 1, .set = true};
    product.a = gather(ctx, rows, at->m, at->n_in) + from;
    product.a_i = 1, product.a_k = at->n_in;
    product.b = deltas, product.b_k = at->width, product.b_j = 1;
    product.c = wanted, product.c_i = at->width;
    assert_ok(ctx, cairn_matmul_floats_run(ctx, &product));
    cairn_strip_slopes(&strip, rows, at->m, from, to, deltas, slopes);
    assert_memory_equal(slopes, wanted, size * sizeof *slopes);
}

static void test_strip_slopes__are_those_of_the_product(void **state)
{
    cairn_context *ctx = *state;
    cairn_random random;
    cairn_random_start(&random, 2, 0);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const shape *at = &shapes[s];
        const float **rows = scatter(ctx, draw(ctx, &random, at->m * at->n_in), at->m, at->n_in);
        float *deltas = draw(ctx, &random, at->m * at->width);
        for (size_t i = 0; i < at->m * at->width; i++)
            if (i % at->width >= at->n) deltas[i] = 0;
        check_slopes(ctx, at, rows, deltas, 0, at->n_in);
        check_slopes(ctx, at, rows, deltas, at->n_in / 3, at->n_in - at->n_in / 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_strip_nets__are_those_of_the_product),
        context_test(test_strip_slopes__are_those_of_the_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
