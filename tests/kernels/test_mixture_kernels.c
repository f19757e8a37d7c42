/* SPDX-License-Identifier: MIT */
/* Components of a mixture against plain loops, to the last bit where sums have one order. Run once
 * per variant, chosen through the environment. */
#include "support/unit.h"
#include "kernels/lane_rows.h"
#include <math.h>

enum { STRIDE = 96, MOST_D = 9, MOST_K = 11, WIDTH = 12 };

static uint64_t state_of_numbers = 88172645463325252u;

static double draw(void)
{
    state_of_numbers ^= state_of_numbers << 13;
    state_of_numbers ^= state_of_numbers >> 7;
    state_of_numbers ^= state_of_numbers << 17;
    return (double)(state_of_numbers >> 11) * 0x1p-52 - 1;
}

static void fill(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = draw();
}

static void test_mixture_kernels__standardise_any_count(void **state)
{
    double x[70], z[71];
    (void)state;
    fill(x, 70);
    for (size_t n = 0; n <= 70; n++) {
        z[n] = -7;
        cairn_standardise_column(z, x, n, 0.25, 3);
        for (size_t i = 0; i < n; i++) assert_true(z[i] == (x[i] - 0.25) * 3);
        assert_true(z[n] == -7);
    }
}

static void test_mixture_kernels__columns_without_covariances(void **state)
{
    double z[MOST_D * STRIDE], starts[MOST_K], rates[MOST_K * MOST_D], shifts[MOST_K * MOST_D];
    double out[MOST_K * STRIDE];
    (void)state;
    fill(z, MOST_D * STRIDE), fill(starts, MOST_K);
    fill(rates, MOST_K * MOST_D), fill(shifts, MOST_K * MOST_D);
    for (size_t k = 0; k <= MOST_K; k++)
        for (size_t d = 0; d <= MOST_D; d += 3) {
            size_t n = CAIRN_COMPONENT_ROWS * (1 + k % 3);
            cairn_component_columns(out, z, STRIDE, n, d, k, starts, rates, shifts);
            for (size_t c = 0; c < k; c++)
                for (size_t i = 0; i < n; i++) {
                    double sum = starts[c];
                    for (size_t j = 0; j < d; j++) {
                        double y = fma(z[j * STRIDE + i], rates[c * d + j], shifts[c * d + j]);
                        sum = fma(-y, y, sum);
                    }
                    assert_true(out[c * STRIDE + i] == sum);
                }
        }
}

static void test_mixture_kernels__triangles(void **state)
{
    double z[MOST_D * STRIDE], out[STRIDE], factor[MOST_D * WIDTH], shifts[WIDTH];
    (void)state;
    fill(z, MOST_D * STRIDE);
    for (size_t d = 0; d <= MOST_D; d++) {
        size_t n = CAIRN_COMPONENT_ROWS * (1 + d % 3);
        size_t width = (d + CAIRN_COMPONENT_TILE - 1) / CAIRN_COMPONENT_TILE * CAIRN_COMPONENT_TILE;
        fill(factor, MOST_D * WIDTH), fill(shifts, WIDTH);
        for (size_t j = 0; j < width; j++)
            for (size_t l = 0; l < d; l++)
                if (l > j || j >= d) factor[l * width + j] = 0;
        for (size_t j = d; j < width; j++) shifts[j] = 0;
        cairn_component_triangle(out, z, STRIDE, n, d, 1.5, factor, width, shifts);
        for (size_t i = 0; i < n; i++) {
            double sum = 1.5;
            for (size_t j = 0; j < d; j++) {
                double y = shifts[j];
                for (size_t l = 0; l <= j; l++)
                    y = fma(z[l * STRIDE + i], factor[l * width + j], y);
                sum = fma(-y, y, sum);
            }
            assert_true(out[i] == sum);
        }
    }
}

static void test_mixture_kernels__shares_add_up_to_the_weight(void **state)
{
    double x[MOST_K * STRIDE], given[MOST_K * STRIDE], logs[STRIDE], w[STRIDE], buffer[2 * STRIDE];
    (void)state;
    fill(w, STRIDE);
    for (size_t k = 1; k <= MOST_K; k++) {
        fill(given, MOST_K * STRIDE);
        for (size_t i = 0; i < MOST_K * STRIDE; i++) given[i] *= 2000; /* exp alone has no end */
        if (k > 1) given[0] = -INFINITY;
        for (size_t i = 0; i < MOST_K * STRIDE; i++) x[i] = given[i];
        cairn_component_shares(x, logs, STRIDE, STRIDE, k, k % 2 ? w : NULL, buffer);
        for (size_t i = 0; i < STRIDE; i++) {
            long double most = -INFINITY, sum = 0;
            for (size_t c = 0; c < k; c++) most = fmaxl(most, given[c * STRIDE + i]);
            for (size_t c = 0; c < k; c++) sum += expl(given[c * STRIDE + i] - most);
            assert_true(fabs(logs[i] - (double)(most + logl(sum))) <= 1e-11);
            for (size_t c = 0; c < k; c++) {
                double share = (double)(expl(given[c * STRIDE + i] - most) / sum);
                assert_true(fabs(x[c * STRIDE + i] - share * (k % 2 ? w[i] : 1)) <= 1e-14);
            }
        }
    }
}

/* Number i is added in lane i modulo 8, and the lanes by halves. */
static double lanes_sum(const double *r, const double *a, const double *b, size_t n)
{
    double lane[8] = {0};
    for (size_t i = 0; i < n; i++) lane[i % 8] = fma(r[i], a[i] * b[i], lane[i % 8]);
    for (size_t l = 0; l < 4; l++) lane[l] += lane[l + 4];
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

static void test_mixture_kernels__sums_of_pairs(void **state)
{
    double z[MOST_D * STRIDE], r[MOST_K * STRIDE], sums[MOST_K * MOST_D + 1];
    size_t left[MOST_D], right[MOST_D];
    (void)state;
    fill(z, MOST_D * STRIDE), fill(r, MOST_K * STRIDE);
    for (size_t p = 0; p < MOST_D; p++) left[p] = p * 5 % MOST_D, right[p] = p;
    for (size_t k = 0; k <= MOST_K; k++)
        for (size_t n_pairs = 0; n_pairs <= MOST_D; n_pairs++) {
            size_t n = CAIRN_COMPONENT_ROWS * (k % 4 < 3 ? k % 4 : 3);
            for (size_t i = 0; i <= k * n_pairs; i++) sums[i] = 2;
            cairn_component_sums(sums, r, z, STRIDE, n, k, left, right, n_pairs);
            for (size_t c = 0; c < k; c++)
                for (size_t p = 0; p < n_pairs; p++) {
                    const double *a = z + left[p] * STRIDE, *b = z + right[p] * STRIDE;
                    assert_true(sums[c * n_pairs + p] == 2 + lanes_sum(r + c * STRIDE, a, b, n));
                }
            assert_true(sums[k * n_pairs] == 2);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mixture_kernels__standardise_any_count),
        cmocka_unit_test(test_mixture_kernels__columns_without_covariances),
        cmocka_unit_test(test_mixture_kernels__triangles),
        cmocka_unit_test(test_mixture_kernels__shares_add_up_to_the_weight),
        cmocka_unit_test(test_mixture_kernels__sums_of_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
