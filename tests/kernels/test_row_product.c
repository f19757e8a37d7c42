/* SPDX-License-Identifier: MIT */
/* The product of one row has the bits that it has among many rows. */
#include "kernels/row_product.h"
#include "kernels/kernels.h"
#include "kernels/products.h"
#include "support/unit.h"
#include <math.h>

enum { MOST_COLUMNS = 900, MOST_OUT = 21, ROWS = 21 };

static double bumpy(size_t i)
{
    return sin((double)i * 1.7) * 3 + cos((double)(i * i % 977));
}

static void test_row_product__bits_are_those_of_many_rows(void **state)
{
    static const size_t columns[] = {0, 1, 2, 7, 28, 54, 416, 417, 784, 900};
    static double x[ROWS * MOST_COLUMNS], w[MOST_COLUMNS * MOST_OUT], all[ROWS * MOST_OUT];
    double out[MOST_OUT], few[ROWS * (MOST_OUT + 1)];
    (void)state;
    for (size_t i = 0; i < ROWS * MOST_COLUMNS; i++) x[i] = bumpy(i);
    for (size_t i = 0; i < MOST_COLUMNS * MOST_OUT; i++) w[i] = bumpy(7 * i + 3);
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        for (size_t k = 1; k <= MOST_OUT; k++) {
            size_t d = columns[c];
            double *buffer = test_malloc(cairn_matmul_buffer(ROWS, k, d) * sizeof *buffer);
            cairn_rows_product(all, k, x, d, ROWS, d, w, k, k, buffer);
            for (size_t i = 0; i < ROWS; i++) {
                cairn_row_product_for(k)(out, x + i * d, d, w, k);
                assert_memory_equal(out, all + i * k, k * sizeof *out);
            }
            /* the same rows from the last to the first, with gaps behind the results */
            cairn_few_rows rows = {.x = x + (ROWS - 1) * d,
                                   .x_step = -(ptrdiff_t)d,
                                   .out = few,
                                   .out_step = k + 1,
                                   .n = ROWS};
            cairn_few_rows_product_for(k)(&rows, d, w, k);
            for (size_t i = 0; i < ROWS; i++)
                assert_memory_equal(few + i * (k + 1), all + (ROWS - 1 - i) * k, k * sizeof *out);
            test_free(buffer);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row_product__bits_are_those_of_many_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
