/* SPDX-License-Identifier: MIT */
/* Every kernel against the plain loop in long double, on shapes around the vector and tile sizes,
 * at addresses that are not aligned. Run once per variant, chosen through the environment. */
#include "support/digest.h"
#include "support/unit.h"
#include "kernels/bits.h"
#include "kernels/kernels.h"
#include "kernels/level.h"
#include "kernels/medoid_scan.h"
#include "kernels/products.h"
#include "kernels/steps.h"
#include <math.h>
#include <stdlib.h>

static const size_t sizes[] = {0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 33, 64, 65, 100, 257, 1003};

enum { N_SIZES = sizeof sizes / sizeof *sizes, GUARD = 3 };

static const double guard = -1234.5;

static uint64_t number_state = 88172645463325252u;

/* Numbers of mixed size and sign. */
static double draw(void)
{
    number_state ^= number_state << 13;
    number_state ^= number_state >> 7;
    number_state ^= number_state << 17;
    double u = (double)(number_state >> 11) * 0x1p-53;
    return (u - 0.4) * (number_state & 64 ? 100 : 1);
}

static size_t draw_below(size_t n)
{
    draw();
    return (size_t)(number_state >> 20) % n;
}

/* n drawn numbers at an address that is only a double's, with guards behind them. */
static double *numbers(size_t n)
{
    double *block = malloc((n + 1 + GUARD) * sizeof *block);
    assert_non_null(block);
    for (size_t i = 0; i < n + 1; i++) block[i] = draw();
    for (size_t i = 0; i < GUARD; i++) block[n + 1 + i] = guard;
    return block + 1;
}

/* Room for a kernel, whose size depends on the level: what is drawn later must not. */
static double *buffer_of(size_t n)
{
    uint64_t before = number_state;
    double *block = numbers(n);
    number_state = before;
    return block;
}

static double *zeros(size_t n)
{
    double *block = numbers(n);
    for (size_t i = 0; i < n; i++) block[i] = 0;
    return block;
}

static void drop(double *block, size_t n)
{
    for (size_t i = 0; i < GUARD; i++) assert_true(block[n + i] == guard);
    free(block - 1);
}

static uint64_t seen = DIGEST_START; /* of all numbers that kernels gave */

/* |got - sum| within rounding of the sum of absolute values. */
static void assert_near(double got, long double sum, long double absolute)
{
    long double error = fabsl((long double)got - sum);
    seen = digest_add(seen, &got, sizeof got);
    if (!(error <= 4e-15L * absolute + 1e-300L))
        fail_msg("got %.17g, wanted %.17Lg, error %Lg of %Lg", got, sum, error, absolute);
}

static void test_level__is_what_the_environment_says(void **state)
{
    (void)state;
    const char *wanted = getenv("CAIRN_KERNELS");
    const char *name = cairn_kernel_level_name();
    assert_true(!strcmp(name, "generic") || !strcmp(name, "avx2") || !strcmp(name, "avx512"));
    if (wanted && !strcmp(wanted, "generic")) assert_string_equal(name, "generic");
    if (wanted && !strcmp(wanted, "avx2")) assert_int_not_equal(cairn_kernel_level(), CAIRN_AVX512);
    assert_string_equal(name, cairn_kernel_level_name());
}

static void test_vector__sums_match_the_plain_loops(void **state)
{
    (void)state;
    for (size_t s = 0; s < N_SIZES; s++) {
        size_t n = sizes[s];
        double *a = numbers(n), *b = numbers(n);
        long double dot = 0, dot_size = 0, sum = 0, sum_size = 0, distance = 0;
        for (size_t i = 0; i < n; i++) {
            long double product = (long double)a[i] * b[i], difference = (long double)a[i] - b[i];
            dot += product, dot_size += fabsl(product);
            sum += a[i], sum_size += fabsl((long double)a[i]);
            distance += difference * difference;
        }
        assert_near(cairn_dot(a, b, n), dot, dot_size);
        assert_near(cairn_sum(a, n), sum, sum_size);
        assert_near(cairn_squared_distance(a, b, n), distance, distance);
        drop(a, n), drop(b, n);
    }
}

static void test_vector__axpy_rounds_alike_at_every_place(void **state)
{
    (void)state;
    for (size_t s = 0; s < N_SIZES; s++) {
        size_t n = sizes[s];
        double *x = numbers(n), *y = numbers(n), *before = numbers(n), one;
        memcpy(before, y, n * sizeof *y);
        cairn_axpy(y, 0.3, x, n);
        for (size_t i = 0; i < n; i++) {
            assert_near(y[i], 0.3L * x[i] + before[i], 100);
            one = before[i];
            cairn_axpy(&one, 0.3, &x[i], 1);
            assert_true(one == y[i]);
        }
        drop(x, n), drop(y, n), drop(before, n);
    }
}

static void test_row_dots__match_the_plain_sums(void **state)
{
    (void)state;
    static const size_t heights[] = {0, 1, 3, 4, 5, 9};
    for (size_t h = 0; h < 6; h++)
        for (size_t p = 0; p < 40; p++) {
            size_t n = heights[h], stride = p + h % 3;
            double *x = numbers(n * stride), *w = numbers(p), *out = zeros(n), alone;
            cairn_row_dots(out, x, stride, n, p, w, 0.5);
            for (size_t i = 0; i < n; i++) {
                long double sum = 0.5L, size = 0.5L;
                for (size_t j = 0; j < p; j++) {
                    long double t = (long double)x[i * stride + j] * w[j];
                    sum += t, size += fabsl(t);
                }
                assert_near(out[i], sum, size);
                cairn_row_dots(&alone, x + i * stride, stride, 1, p, w, 0.5);
                assert_true(alone == out[i]);
            }
            drop(x, n * stride), drop(w, p), drop(out, n);
        }
}

static void test_gather__takes_the_rows(void **state)
{
    (void)state;
    double *column = numbers(50), *out = zeros(100);
    uint32_t rows[100];
    for (size_t i = 0; i < 100; i++) rows[i] = (uint32_t)draw_below(50);
    cairn_gather(out, column, rows, 100);
    for (size_t i = 0; i < 100; i++) assert_true(out[i] == column[rows[i]]);
    drop(column, 50), drop(out, 100);
}

static void check_pack(size_t n, size_t p, size_t gap, const uint32_t *rows, size_t first)
{
    const double *columns[40];
    double *kept[40], *out = zeros(n * (p + gap));
    for (size_t j = 0; j < p; j++) columns[j] = kept[j] = numbers(300);
    cairn_pack_rows(out, p + gap, columns, p, rows, first, n);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < p; j++)
            assert_true(out[i * (p + gap) + j] == columns[j][rows ? rows[i] : first + i]);
        for (size_t j = p; j < p + gap; j++) assert_true(out[i * (p + gap) + j] == 0);
    }
    for (size_t j = 0; j < p; j++) drop(kept[j], 300);
    drop(out, n * (p + gap));
}

static void test_pack__turns_columns_into_rows(void **state)
{
    (void)state;
    static const size_t widths[] = {0, 1, 2, 3, 4, 7, 8, 9, 16, 19, 33};
    static const size_t heights[] = {0, 1, 3, 8, 13, 64, 257};
    uint32_t rows[300];
    for (size_t i = 0; i < 300; i++) rows[i] = (uint32_t)draw_below(300);
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++)
        for (size_t j = 0; j < sizeof widths / sizeof *widths; j++) {
            check_pack(heights[i], widths[j], 0, NULL, 5);
            check_pack(heights[i], widths[j], 3, NULL, 0);
            check_pack(heights[i], widths[j], 1, rows, 0);
        }
}

static void test_standardise__shifts_and_scales(void **state)
{
    (void)state;
    for (size_t p = 1; p < 20; p++) {
        size_t n = 7, stride = p + 2;
        double *x = numbers(n * stride), *before = numbers(n * stride);
        double *shift = numbers(p), *scale = numbers(p);
        for (int form = 0; form < 4; form++) {
            const double *s = form & 1 ? shift : NULL, *f = form & 2 ? scale : NULL;
            memcpy(before, x, n * stride * sizeof *x);
            cairn_standardise_rows(x, stride, n, p, s, f);
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; j < stride; j++) {
                    double old = before[i * stride + j];
                    double wanted = j < p ? (old - (s ? s[j] : 0)) * (f ? f[j] : 1) : old;
                    assert_true(x[i * stride + j] == wanted);
                }
        }
        drop(x, n * stride), drop(before, n * stride), drop(shift, p), drop(scale, p);
    }
}

static void check_gram(size_t n, size_t p, size_t gap, bool weighted)
{
    size_t stride = p + gap;
    double *x = numbers(n * stride), *y = numbers(n), *w = numbers(n);
    double *gram = zeros(p * p), *moment = zeros(p);
    for (size_t i = 0; i < n; i++) w[i] = fabs(w[i]);
    for (size_t j = 0; j < p; j++)
        for (size_t k = 0; k < j; k++) gram[j * p + k] = guard;
    cairn_gram_add(gram, moment, x, stride, y, weighted ? w : NULL, n, p);
    for (size_t j = 0; j < p; j++) {
        long double sum = 0, size = 0;
        for (size_t i = 0; i < n; i++) {
            long double t = (long double)x[i * stride + j] * y[i] * (weighted ? w[i] : 1);
            sum += t, size += fabsl(t);
        }
        assert_near(moment[j], sum, size);
        for (size_t k = 0; k < j; k++) assert_true(gram[j * p + k] == guard);
        for (size_t k = j; k < p; k++) {
            sum = size = 0;
            for (size_t i = 0; i < n; i++) {
                long double t = (long double)x[i * stride + j] * x[i * stride + k];
                t *= weighted ? w[i] : 1;
                sum += t, size += fabsl(t);
            }
            assert_near(gram[j * p + k], sum, size);
        }
    }
    drop(x, n * stride), drop(y, n), drop(w, n), drop(gram, p * p), drop(moment, p);
}

static void test_gram__matches_the_plain_sums(void **state)
{
    (void)state;
    static const size_t widths[] = {0, 1, 2, 3, 8, 15, 16, 17, 18, 23, 24, 31, 32, 33, 50, 67};
    static const size_t heights[] = {0, 1, 2, 31, 64, 129, 300};
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++)
        for (size_t j = 0; j < sizeof widths / sizeof *widths; j++) {
            check_gram(heights[i], widths[j], 0, false);
            check_gram(heights[i], widths[j], 5, true);
        }
}

static void test_gram__adds_to_what_is_there(void **state)
{
    (void)state;
    double x[6] = {1, 2, 3, 4, 5, 6}, gram[4] = {100, 200, 300, 400};
    cairn_gram_add(gram, NULL, x, 2, NULL, NULL, 3, 2);
    assert_true(gram[0] == 135 && gram[1] == 244 && gram[2] == 300 && gram[3] == 456);
    cairn_mirror_upper(gram, 2);
    assert_true(gram[2] == 244);
}

static void check_nearest(size_t n, size_t d, size_t k, size_t gap)
{
    size_t stride = d + gap;
    double *x = numbers(n * stride), *centres = numbers(k * d), *distances = zeros(n);
    int32_t *nearest = malloc((n + 1) * sizeof *nearest), alone;
    cairn_nearest_centres(nearest, distances, x, stride, n, d, centres, k);
    for (size_t i = 0; i < n; i++) {
        long double best = HUGE_VALL, next = HUGE_VALL, chosen = 0;
        double distance, second;
        assert_in_range(nearest[i], 0, k - 1);
        for (size_t c = 0; c < k; c++) {
            long double sum = 0;
            for (size_t t = 0; t < d; t++) {
                long double difference = (long double)x[i * stride + t] - centres[c * d + t];
                sum += difference * difference;
            }
            if (sum < next) next = sum < best ? best : sum;
            if (sum < best) best = sum;
            if ((int32_t)c == nearest[i]) chosen = sum;
        }
        assert_near((double)chosen, best, best);
        assert_near(distances[i], best, best);
        cairn_nearest_centres(&alone, &distance, x + i * stride, stride, 1, d, centres, k);
        assert_true(alone == nearest[i] && distance == distances[i]);
        cairn_nearest_two_centres(&alone, &distance, &second, x + i * stride, stride, 1, d, centres,
                                  k);
        assert_true(alone == nearest[i] && distance == distances[i]);
        if (k > 1)
            assert_near(second, next, next);
        else
            assert_true(isinf(second));
    }
    free(nearest);
    drop(x, n * stride), drop(centres, k * d), drop(distances, n);
}

static void test_nearest__matches_the_plain_search(void **state)
{
    (void)state;
    static const size_t columns[] = {0, 1, 2, 3, 7, 8, 9, 16, 17, 63, 64, 65, 70, 130};
    static const size_t rows[] = {0, 1, 5, 31, 32, 33, 70};
    static const size_t centres[] = {1, 2, 3, 4, 5, 9, 20};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t j = 0; j < sizeof columns / sizeof *columns; j++)
            for (size_t c = 0; c < sizeof centres / sizeof *centres; c++)
                check_nearest(rows[i], columns[j], centres[c], (i + j + c) % 3);
}

/* Rows half way between centres, and centres given twice: the first one wins exactly. */
static void test_nearest__ties_go_to_the_first(void **state)
{
    (void)state;
    static const size_t columns[] = {1, 3, 16, 64, 65, 100};
    for (size_t s = 0; s < sizeof columns / sizeof *columns; s++) {
        size_t d = columns[s], k = 9;
        double *centres = numbers(k * d), *x = numbers(40 * d);
        int32_t nearest[40];
        for (size_t c = 5; c < k; c++)
            memcpy(centres + c * d, centres + (c - 4) * d, d * sizeof *centres);
        cairn_nearest_centres(nearest, NULL, x, d, 40, d, centres, k);
        for (size_t i = 0; i < 40; i++) assert_in_range(nearest[i], 0, 4);
        for (size_t t = 0; t < d; t++) {
            for (size_t c = 0; c < k; c++) centres[c * d + t] = c == 3 || c == 6 ? 2 : 100;
            centres[3 * d + t] = 4;
            for (size_t i = 0; i < 40; i++) x[i * d + t] = 3;
        }
        cairn_nearest_centres(nearest, NULL, x, d, 40, d, centres, k);
        for (size_t i = 0; i < 40; i++) assert_int_equal(nearest[i], 3);
        drop(centres, k * d), drop(x, 40 * d);
    }
}

static void test_nearest__survives_numbers_that_are_not_finite(void **state)
{
    (void)state;
    static const size_t columns[] = {2, 70};
    for (size_t s = 0; s < 2; s++) {
        size_t d = columns[s];
        double *centres = numbers(3 * d), *x = numbers(4 * d);
        int32_t nearest[4] = {-9, -9, -9, -9};
        x[0] = NAN, x[d] = INFINITY, centres[1] = NAN;
        cairn_nearest_centres(nearest, NULL, x, d, 4, d, centres, 3);
        assert_int_equal(nearest[0], 0);
        for (size_t i = 0; i < 4; i++) assert_in_range(nearest[i], 0, 2);
        drop(centres, 3 * d), drop(x, 4 * d);
    }
}

static void test_centre_sums__add_in_row_order(void **state)
{
    (void)state;
    static const size_t columns[] = {1, 2, 5, 8, 16, 19};
    for (size_t s = 0; s < sizeof columns / sizeof *columns; s++) {
        size_t d = columns[s], n = 50, k = 4;
        double *x = numbers(n * d), *w = numbers(n);
        int32_t nearest[50];
        for (size_t i = 0; i < n; i++) nearest[i] = (int32_t)draw_below(k + 1) - 1;
        for (int weighted = 0; weighted < 2; weighted++) {
            double *sums = zeros(k * d), *weights = zeros(k);
            cairn_centre_sums_add(sums, weights, x, d, n, d, nearest, weighted ? w : NULL);
            for (size_t c = 0; c < k; c++) {
                long double total = 0;
                for (size_t i = 0; i < n; i++)
                    if (nearest[i] == (int32_t)c) total += weighted ? w[i] : 1;
                assert_near(weights[c], total, 1000);
                for (size_t t = 0; t < d; t++) {
                    long double sum = 0, size = 1;
                    for (size_t i = 0; i < n; i++) {
                        if (nearest[i] != (int32_t)c) continue;
                        long double term = (long double)x[i * d + t] * (weighted ? w[i] : 1);
                        sum += term, size += fabsl(term);
                    }
                    assert_near(sums[c * d + t], sum, size);
                }
            }
            drop(sums, k * d), drop(weights, k);
        }
        drop(x, n * d), drop(w, n);
    }
}

static void test_look__matches_the_plain_loop(void **state)
{
    (void)state;
    for (size_t s = 0; s < N_SIZES; s++) {
        size_t n = sizes[s];
        double *x = numbers(n), low = HUGE_VAL, high = -HUGE_VAL;
        long double sum = 0, size = 1;
        cairn_look look;
        for (size_t i = 0; i < n; i++) {
            sum += x[i], size += fabsl((long double)x[i]);
            low = x[i] < low ? x[i] : low, high = x[i] > high ? x[i] : high;
        }
        cairn_look_at(&look, x, n);
        assert_near(look.sum, sum, size);
        assert_true(look.low == low && look.high == high);
        assert_true(n == 0 ? look.rest == 0 : look.rest > 0);
        for (size_t i = 0; i < n; i++) x[i] = floor(x[i]);
        cairn_look_at(&look, x, n);
        assert_true(look.rest == 0);
        if (n) {
            x[n / 2] = NAN;
            cairn_look_at(&look, x, n);
            assert_true(isnan(look.sum));
        }
        drop(x, n);
    }
}

static void test_cross__matches_the_plain_sums(void **state)
{
    (void)state;
    enum { ROWS = 37, WIDTH = 50, A = 9, B = 14 };
    double *x = numbers(ROWS * WIDTH), *out = zeros(A * B);
    float floats[ROWS * WIDTH], exact[A * B];
    for (size_t i = 0; i < ROWS * WIDTH; i++) floats[i] = (float)(i * 7919 % 255);
    size_t buffer_size = cairn_matmul_buffer(B, B, ROWS);
    double *buffer = buffer_of(buffer_size);
    float *float_buffer = malloc(cairn_matmul_floats_buffer(A, B, ROWS) * sizeof *float_buffer);
    assert_non_null(float_buffer);
    cairn_cross_add(out, B, x, x + 20, WIDTH, ROWS, A, B, buffer);
    cairn_cross_floats(exact, B, floats, floats + 20, WIDTH, ROWS, A, B, float_buffer);
    free(float_buffer);
    for (size_t a = 0; a < A; a++)
        for (size_t b = 0; b < B; b++) {
            long double sum = 0, size = 1, whole = 0;
            for (size_t i = 0; i < ROWS; i++) {
                long double term = (long double)x[i * WIDTH + a] * x[i * WIDTH + 20 + b];
                sum += term, size += fabsl(term);
                whole += (long double)floats[i * WIDTH + a] * floats[i * WIDTH + 20 + b];
            }
            assert_near(out[a * B + b], sum, size);
            assert_true((long double)exact[a * B + b] == whole);
        }
    /* a block against itself: the upper triangle, added to what is there */
    for (size_t i = 0; i < A * B; i++) out[i] = 1;
    cairn_cross_add(out, A, x, x, WIDTH, ROWS, A, A, buffer);
    drop(buffer, buffer_size);
    for (size_t a = 0; a < A; a++)
        for (size_t b = 0; b < A; b++) {
            long double sum = 1, size = 1;
            for (size_t i = 0; b >= a && i < ROWS; i++) {
                long double term = (long double)x[i * WIDTH + a] * x[i * WIDTH + b];
                sum += term, size += fabsl(term);
            }
            assert_near(out[a * A + b], sum, size);
        }
    drop(x, ROWS * WIDTH), drop(out, A * B);
}

/* Sums and squares about shifts, class by class. */
static void test_classes__moments_match_the_plain_sums(void **state)
{
    (void)state;
    enum { ROWS = 37, CLASSES = 3 };
    for (size_t s = 0; s < N_SIZES && sizes[s] <= 100; s++) {
        size_t p = sizes[s], size = CLASSES * p;
        double *x = numbers(ROWS * p), *w = numbers(ROWS), *shift = numbers(size);
        double *sums = zeros(size), *squares = zeros(size);
        int32_t classes[ROWS];
        for (int i = 0; i < ROWS; i++) classes[i] = (int32_t)draw_below(CLASSES + 1) - 1;
        for (int i = 0; i < ROWS; i++) w[i] = fabs(w[i]);
        cairn_class_moments_add(sums, squares, x, p, ROWS, p, classes, w, shift);
        for (size_t j = 0; j < size; j++) {
            long double sum = 0, square = 0, size_of = 0;
            for (size_t i = 0; i < ROWS; i++) {
                if (classes[i] != (int32_t)(j / p)) continue;
                long double d = (long double)x[i * p + j % p] - shift[j];
                sum += w[i] * d, square += w[i] * d * d, size_of += fabsl(w[i] * d);
            }
            assert_near(sums[j], sum, size_of);
            assert_near(squares[j], square, square);
        }
        drop(x, ROWS * p), drop(w, ROWS), drop(shift, size), drop(sums, size), drop(squares, size);
    }
}

static void test_classes__normal_logs_match_the_plain_sums(void **state)
{
    (void)state;
    enum { COLUMNS = 5 };
    for (size_t s = 0; s < N_SIZES; s++) {
        size_t n = sizes[s];
        double *x = numbers(COLUMNS * (n + 1)), *out = zeros(n), *one = zeros(1);
        double means[COLUMNS], rates[COLUMNS];
        const double *columns[COLUMNS];
        for (size_t j = 0; j < COLUMNS; j++) {
            columns[j] = x + j * (n + 1);
            means[j] = draw(), rates[j] = fabs(draw());
        }
        cairn_normal_logs(out, columns, 1, n, COLUMNS, means, rates);
        for (size_t i = 0; i < n; i++) {
            long double sum = 0;
            for (size_t j = 0; j < COLUMNS; j++) {
                long double d = ((long double)columns[j][i + 1] - means[j]) * rates[j];
                sum -= d * d;
            }
            assert_near(out[i], sum, -sum);
            cairn_normal_logs(one, columns, i + 1, 1, COLUMNS, means, rates);
            assert_true(one[0] == out[i]); /* whatever the neighbours */
        }
        drop(x, COLUMNS * (n + 1)), drop(out, n), drop(one, 1);
    }
}

static void test_densities__plane_scores_match_the_plain_sums(void **state)
{
    (void)state;
    enum { COLUMNS = 20, CLASSES = 3 };
    for (size_t s = 0; s < N_SIZES; s++)
        for (size_t p = 0; p < COLUMNS; p++) {
            size_t n = sizes[s];
            double *x = numbers(COLUMNS * (n + 1)), *planes = numbers((p + 1) * CLASSES);
            double *out = zeros(CLASSES * n), one[CLASSES], centre[COLUMNS];
            const double *columns[COLUMNS];
            for (size_t j = 0; j < COLUMNS; j++) columns[j] = x + j * (n + 1), centre[j] = draw();
            cairn_plane_scores(out, n, columns, 1, n, p, centre, planes, CLASSES);
            for (size_t i = 0; i < n; i++) {
                cairn_plane_scores(one, 1, columns, i + 1, 1, p, centre, planes, CLASSES);
                for (size_t c = 0; c < CLASSES; c++) {
                    long double sum = planes[p * CLASSES + c], size = fabsl(sum);
                    for (size_t j = 0; j < p; j++) {
                        long double z = (long double)columns[j][i + 1] - centre[j];
                        sum += z * planes[j * CLASSES + c];
                        size += fabsl(z * planes[j * CLASSES + c]);
                    }
                    assert_near(out[c * n + i], sum, size);
                    assert_true(one[c] == out[c * n + i]); /* whatever the neighbours */
                }
            }
            drop(x, COLUMNS * (n + 1)), drop(planes, (p + 1) * CLASSES), drop(out, CLASSES * n);
        }
}

static void test_densities__normal_squares_match_the_plain_sums(void **state)
{
    (void)state;
    enum { COLUMNS = 20, ROWS = 64 };
    for (size_t p = 0; p < COLUMNS; p++) {
        double *z = numbers(p * ROWS), *factor = numbers(p * p), *out = zeros(ROWS);
        double offset[COLUMNS];
        for (size_t i = 0; i < p * p; i++)
            if (i / p > i % p) factor[i] = 0;
        for (size_t j = 0; j < p; j++) offset[j] = draw();
        cairn_normal_squares(out, z, ROWS, p, factor, offset);
        for (size_t i = 0; i < ROWS; i++) {
            long double sum = 0, size = 0;
            for (size_t j = 0; j < p; j++) {
                long double y = -offset[j], of = fabsl(y);
                for (size_t k = 0; k <= j; k++) {
                    y += (long double)z[k * ROWS + i] * factor[k * p + j];
                    of += fabsl((long double)z[k * ROWS + i] * factor[k * p + j]);
                }
                sum += y * y, size += of * of;
            }
            assert_near(out[i], sum, size);
        }
        drop(z, p * ROWS), drop(factor, p * p), drop(out, ROWS);
    }
}

/* Sums of a leaf are those of the plain loops, to the last bit. */
static void test_leaf__sums_are_those_of_plain_loops(void **state)
{
    (void)state;
    for (size_t d = 1; d <= 9; d += 2) {
        double points[9 * CAIRN_LEAF], query[9], sums[CAIRN_LEAF];
        for (size_t i = 0; i < d * CAIRN_LEAF; i++) points[i] = sin((double)i * 1.7) * 3;
        for (size_t t = 0; t < d; t++) query[t] = cos((double)t * 2.3);
        for (int way = CAIRN_SUM_SQUARES; way <= CAIRN_SUM_LARGEST; way++) {
            uint32_t bits = cairn_leaf_sums(sums, points, query, d, 4.5, (cairn_summing)way);
            for (size_t l = 0; l < CAIRN_LEAF; l++) {
                double sum = 0;
                for (size_t t = 0; t < d; t++) {
                    double gap = fabs(points[t * CAIRN_LEAF + l] - query[t]);
                    if (way == CAIRN_SUM_SQUARES) sum += gap * gap;
                    if (way == CAIRN_SUM_ABSOLUTES) sum += gap;
                    if (way == CAIRN_SUM_LARGEST && gap > sum) sum = gap;
                }
                assert_true(sums[l] == sum);
                assert_int_equal(bits >> l & 1, sum <= 4.5);
            }
        }
    }
}

static void test_vector__distances_match_the_plain_loops(void **state)
{
    (void)state;
    for (size_t n = 0; n < 70; n++) {
        double a[70], b[70], sum = 0, most = 0;
        for (size_t i = 0; i < n; i++) {
            a[i] = sin((double)(i * n)) * 5, b[i] = cos((double)i);
            sum += fabs(a[i] - b[i]);
            most = fmax(most, fabs(a[i] - b[i]));
        }
        assert_true(fabs(cairn_absolute_distance(a, b, n) - sum) <= 1e-12 * (1 + sum));
        assert_true(cairn_largest_distance(a, b, n) == most);
        if (n == 0) continue;
        b[n / 2] = INFINITY;
        assert_true(isinf(cairn_largest_distance(a, b, n)));
        b[n - 1] = NAN;
        assert_true(isnan(cairn_largest_distance(a, b, n)));
        assert_true(isnan(cairn_absolute_distance(a, b, n)));
    }
}

static void test_row_products__match_the_plain_sums(void **state)
{
    (void)state;
    enum { A = 7, B = 70, N = 19, BUFFER = 80 };
    float a[A * N], b[B * N], out[A * BUFFER], norms[B];
    uint32_t below[B];
    for (size_t i = 0; i < A * N; i++) a[i] = (float)sin((double)i);
    for (size_t i = 0; i < B * N; i++) b[i] = (float)cos((double)i * 1.3);
    float *buffer = malloc(cairn_matmul_floats_buffer(A, B, N) * sizeof *buffer);
    assert_non_null(buffer);
    cairn_row_products_floats(out, BUFFER, a, A, b, B, N, buffer);
    free(buffer);
    for (size_t j = 0; j < B; j++) norms[j] = (float)(j % 5);
    for (size_t i = 0; i < A; i++) {
        size_t found = cairn_find_below(below, out + i * BUFFER, norms, B, 1.5f), at = 0;
        for (size_t j = 0; j < B; j++) {
            double sum = 0;
            for (size_t t = 0; t < N; t++) sum += (double)a[i * N + t] * b[j * N + t];
            assert_true(fabs(out[i * BUFFER + j] - sum) < 1e-5);
            if (norms[j] - 2 * out[i * BUFFER + j] > 1.5f) continue;
            assert_true(at < found);
            assert_int_equal(below[at++], j);
        }
        assert_int_equal(at, found);
    }
}

static void test_products__match_the_plain_sums(void **state)
{
    enum { N = 17, P = 9, K = 5 };
    (void)state;
    double *x = numbers(N * (P + 2)), *w = numbers(P * (K + 1)), *out = zeros(N * K);
    double *transposed = zeros(P * K);
    size_t buffer_size = cairn_matmul_buffer(N, K, N);
    double *buffer = buffer_of(buffer_size);
    cairn_rows_product(out, K, x, P + 2, N, P, w, K + 1, K, buffer);
    cairn_transposed_product_add(transposed, K, x, P + 2, out, K, N, P, K, buffer);
    drop(buffer, buffer_size);
    for (size_t i = 0; i < N * K; i++) {
        long double sum = 0, absolute = 0;
        for (size_t j = 0; j < P; j++) {
            long double term = (long double)x[i / K * (P + 2) + j] * w[j * (K + 1) + i % K];
            sum += term, absolute += fabsl(term);
        }
        assert_near(out[i], sum, absolute);
    }
    for (size_t j = 0; j < P * K; j++) {
        long double sum = 0, absolute = 0;
        for (size_t i = 0; i < N; i++) {
            long double term = (long double)x[i * (P + 2) + j / K] * out[i * K + j % K];
            sum += term, absolute += fabsl(term);
        }
        assert_near(transposed[j], sum, absolute);
    }
    drop(x, N * (P + 2)), drop(w, P * (K + 1)), drop(out, N * K), drop(transposed, P * K);
}

/* A column per item with a few rows each; strides of one, of whole and of broken vectors. */
static void test_sparse__products_match_the_plain_sums(void **state)
{
    static const size_t strides[] = {1, 4, 8, 12, 20, 44, 48, 52, 56, 100};
    enum { ITEMS = 23, ROWS = 11 };
    (void)state;
    uint32_t starts[ITEMS + 1] = {0}, rows[ITEMS * ROWS];
    int32_t items[ITEMS];
    for (size_t s = 0; s < sizeof strides / sizeof *strides; s++) {
        size_t stride = strides[s], n = 0;
        for (uint32_t i = 0; i < ITEMS; i++) {
            items[i] = (int32_t)(2 * i + 1);
            for (uint32_t r = 0; r < ROWS; r++)
                if (draw_below(3) == 0) rows[n++] = r;
            starts[i + 1] = (uint32_t)n;
        }
        double *values = numbers(n), *w = numbers(2 * ITEMS * stride), *out = zeros(ROWS * stride);
        double *transposed = zeros(2 * ITEMS * stride);
        cairn_sparse sparse = {ITEMS, items, starts, rows, values};
        cairn_sparse_times(out, stride, &sparse, w);
        cairn_sparse_transposed(transposed, stride, &sparse, out);
        for (size_t k = 0; k < stride; k++) {
            long double sums[ROWS] = {0}, sizes_[ROWS] = {0};
            for (size_t i = 0; i < ITEMS; i++) {
                long double sum = 0, size = 0;
                for (size_t e = starts[i]; e < starts[i + 1]; e++) {
                    long double x = values[e], term = x * w[(size_t)items[i] * stride + k];
                    sums[rows[e]] += term, sizes_[rows[e]] += fabsl(term);
                    term = x * out[rows[e] * stride + k];
                    sum += term, size += fabsl(term);
                }
                assert_near(transposed[(size_t)items[i] * stride + k], sum, size);
                assert_true(transposed[(size_t)(items[i] - 1) * stride + k] == 0);
            }
            for (size_t r = 0; r < ROWS; r++) assert_near(out[r * stride + k], sums[r], sizes_[r]);
        }
        drop(values, n), drop(w, 2 * ITEMS * stride), drop(out, ROWS * stride);
        drop(transposed, 2 * ITEMS * stride);
    }
}

static void test_sigmoids__match_the_plain_loop(void **state)
{
    (void)state;
    for (size_t s = 0; s < N_SIZES; s++) {
        size_t n = sizes[s];
        double *a = numbers(n), *signs = zeros(n), *rest = zeros(n), *curve = zeros(n);
        cairn_sigmoid_sums sums = {.least = INFINITY, .most = -INFINITY};
        long double loss = 0, least = INFINITY, most = -INFINITY;
        double right = 0, wrong = 0;
        for (size_t i = 0; i < n; i++) {
            if (i % 7 == 3) a[i] *= 1e3;
            if (i == 5) a[i] = 1e308;
            signs[i] = draw() > 0 ? 1 : -1;
        }
        cairn_sigmoids(rest, curve, &sums, a, signs, n, 0.5);
        for (size_t i = 0; i < n; i++) {
            long double x = a[i], e = expl(-fabsl(x)), p = (x < 0 ? e : 1) / (1 + e),
                        margin = x * signs[i];
            assert_near(rest[i], p - (signs[i] > 0), 1);
            if (fabs(a[i]) < 700) assert_near(curve[i], e / (1 + e) / (1 + e), e);
            loss += log1pl(e) + (margin < 0 ? -margin : 0);
            right += margin > 0, wrong += margin <= 0.5L;
            least = fminl(least, margin), most = fmaxl(most, margin);
        }
        assert_near(sums.loss, loss, loss + 10);
        assert_true(sums.right == right && sums.wrong == wrong);
        assert_true(n == 0 || (sums.least == least && sums.most == most));
        if (n > 2) {
            a[n / 2] = NAN;
            cairn_sigmoids(a, curve, &sums, a, signs, n, 0.5);
            assert_true(isnan(sums.loss));
        }
        drop(a, n), drop(signs, n), drop(rest, n), drop(curve, n);
    }
}

/* NaN is never less, and falls by nothing. */
static void test_medoid_scan__matches_the_plain_loops(void **state)
{
    (void)state;
    for (size_t s = 0; s < N_SIZES; s++) {
        size_t n = sizes[s], at = 0;
        double *a = numbers(n), *b = numbers(n), *w = numbers(n);
        uint32_t *out = malloc((n + CAIRN_WHERE_MORE) * sizeof *out);
        long double sum = 0, weighted = 0, size = 0;
        if (n > 4) a[n / 3] = b[n / 3], a[n / 2] = NAN;
        for (size_t i = 0; i < n; i++) {
            long double fall = b[i] > a[i] ? (long double)b[i] - a[i] : 0;
            sum += fall;
            weighted += w[i] * fall, size += fabsl(w[i] * fall);
        }
        assert_near(cairn_falls_sum(b, a, NULL, n), sum, sum);
        assert_near(cairn_falls_sum(b, a, w, n), weighted, size);
        size_t found = cairn_where_less(out, a, b, n);
        for (size_t i = 0; i < n; i++)
            if (a[i] < b[i]) assert_int_equal(out[at++], i);
        assert_int_equal(found, at);
        free(out);
        drop(a, n), drop(b, n), drop(w, n);
    }
}

static void test_bits__count_what_is_common(void **state)
{
    enum { MOST = 1003 };
    static uint64_t a[MOST], b[MOST];
    (void)state;
    for (size_t i = 0; i < MOST; i++) {
        draw();
        a[i] = i % 7 == 3 ? UINT64_MAX : number_state;
        draw();
        b[i] = i % 5 == 3 ? UINT64_MAX : number_state;
    }
    for (size_t s = 0; s < N_SIZES; s++)
        for (size_t first = 0; first < 2 && first <= MOST - sizes[s]; first++) {
            uint64_t count = 0;
            for (size_t i = first; i < first + sizes[s]; i++)
                for (int bit = 0; bit < 64; bit++) count += (a[i] & b[i]) >> bit & 1;
            assert_int_equal(cairn_bits_common(a + first, b + first, sizes[s]), count);
        }
}

/* The second of two steps by the formulas, from means of 0: 0.09 g₁ + 0.1 g₂ and so on. */
static void test_adam__steps_are_those_of_the_formulas(void **state)
{
    (void)state;
    for (size_t s = 0; s < N_SIZES; s++) {
        size_t n = sizes[s];
        double *g[2] = {numbers(n), numbers(n)}, *w = numbers(n), *before = numbers(n);
        double *first = zeros(n), *second = zeros(n);
        for (size_t i = 0; i < n; i++) before[i] = w[i];
        for (size_t t = 0; t < 2; t++) {
            cairn_adam adam = cairn_adam_at(0.01, t + 1);
            cairn_adam_step_doubles(w, first, second, g[t], n, &adam);
        }
        for (size_t i = 0; i < n; i++) {
            long double a = g[0][i], b = g[1][i], one = a == 0 ? 0 : 0.01L * a / (fabsl(a) + 1e-8L);
            long double m = (0.09L * a + 0.1L * b) / 0.19L;
            long double v = (0.000999L * a * a + 0.001L * b * b) / 0.001999L;
            long double two = 0.01L * m / (sqrtl(v) + 1e-8L);
            assert_true(fabsl(w[i] - before[i] - one - two) <= 1e-14L * (1 + fabsl(before[i])));
        }
        drop(w, n), drop(first, n), drop(second, n);
        drop(before, n), drop(g[0], n), drop(g[1], n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_level__is_what_the_environment_says),
        cmocka_unit_test(test_vector__sums_match_the_plain_loops),
        cmocka_unit_test(test_vector__axpy_rounds_alike_at_every_place),
        cmocka_unit_test(test_row_dots__match_the_plain_sums),
        cmocka_unit_test(test_gather__takes_the_rows),
        cmocka_unit_test(test_pack__turns_columns_into_rows),
        cmocka_unit_test(test_standardise__shifts_and_scales),
        cmocka_unit_test(test_gram__matches_the_plain_sums),
        cmocka_unit_test(test_gram__adds_to_what_is_there),
        cmocka_unit_test(test_look__matches_the_plain_loop),
        cmocka_unit_test(test_bits__count_what_is_common),
        cmocka_unit_test(test_cross__matches_the_plain_sums),
        cmocka_unit_test(test_nearest__matches_the_plain_search),
        cmocka_unit_test(test_nearest__ties_go_to_the_first),
        cmocka_unit_test(test_nearest__survives_numbers_that_are_not_finite),
        cmocka_unit_test(test_centre_sums__add_in_row_order),
        cmocka_unit_test(test_leaf__sums_are_those_of_plain_loops),
        cmocka_unit_test(test_vector__distances_match_the_plain_loops),
        cmocka_unit_test(test_row_products__match_the_plain_sums),
        cmocka_unit_test(test_classes__moments_match_the_plain_sums),
        cmocka_unit_test(test_classes__normal_logs_match_the_plain_sums),
        cmocka_unit_test(test_densities__plane_scores_match_the_plain_sums),
        cmocka_unit_test(test_densities__normal_squares_match_the_plain_sums),
        cmocka_unit_test(test_products__match_the_plain_sums),
        cmocka_unit_test(test_sparse__products_match_the_plain_sums),
        cmocka_unit_test(test_sigmoids__match_the_plain_loop),
        cmocka_unit_test(test_adam__steps_are_those_of_the_formulas),
        cmocka_unit_test(test_medoid_scan__matches_the_plain_loops),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    digest_write("kernels", "all", seen);
    return failed;
}
