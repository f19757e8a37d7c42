/* SPDX-License-Identifier: MIT */
/* A lane is a row of b: GROUP vectors of them are turned into columns on the stack, and every row
 * of the other block goes over them with its numbers spread over the lanes. What cairn_dot adds in
 * eight lanes (and in four such sums, of 32 columns and more) are eight sums of their own here,
 * which are added in the same order at the end. */

#include "kernels/turn.h"

#if LANES == 8
#define GROUP 2
#else
#define GROUP 1
#endif
#define GROUP_ROWS (GROUP * LANES)
#define PLAIN      4 /* vectors of rows, where a pair has one sum only */
#define PLAIN_ROWS (PLAIN * LANES)

KERNEL vec NAMED(pair_root)(vec v)
{
#if LANES == 8
    return _mm512_sqrt_pd(v);
#elif LANES == 4
    return _mm256_sqrt_pd(v);
#else
    return (vec){sqrt(v[0]), sqrt(v[1])};
#endif
}

/* Of the lanes, the first n; the others belong to no row. */
KERNEL void NAMED(store_pairs)(double *to, size_t n, vec v, const int root)
{
    if (root) v = NAMED(pair_root)(v);
    if (n >= LANES)
        STORE(to, v);
    else
        store_some(to, n, v);
}

KERNEL vec NAMED(pair_step)(vec sum, vec x, vec y, const cairn_pairing pairing)
{
    vec d = x - y;
    if (pairing == CAIRN_PAIR_PRODUCTS) return multiply_add(x, y, sum);
    if (pairing == CAIRN_PAIR_SQUARES) return multiply_add(d, d, sum);
    return sum + without_sign(d);
}

/* The eight sums of columns `from`, `from` + `step`, ... , each with the seven after it. */
KERNEL void NAMED(add_columns)(vec sum[8][GROUP], const double *restrict transposed,
                               const double *restrict row, size_t from, size_t end, size_t step,
                               const cairn_pairing pairing)
{
    for (size_t t = from; t < end; t += step) {
        if (t + 8 <= end) {
#pragma GCC unroll 8
            for (size_t l = 0; l < 8; l++) {
                vec x = splat(row[t + l]);
#pragma GCC unroll 2
                for (size_t g = 0; g < GROUP; g++) {
                    vec y = LOAD(transposed + (t + l) * GROUP_ROWS + g * LANES);
                    sum[l][g] = NAMED(pair_step)(sum[l][g], x, y, pairing);
                }
            }
            continue;
        }
#pragma GCC unroll 8
        for (size_t l = 0; l < 8; l++) {
            if (t + l >= end) break;
            vec x = splat(row[t + l]);
#pragma GCC unroll 2
            for (size_t g = 0; g < GROUP; g++) {
                vec y = LOAD(transposed + (t + l) * GROUP_ROWS + g * LANES);
                sum[l][g] = NAMED(pair_step)(sum[l][g], x, y, pairing);
            }
        }
    }
}

KERNEL void NAMED(start_sums)(vec sum[8][GROUP])
{
#pragma GCC unroll 8
    for (int l = 0; l < 8; l++)
#pragma GCC unroll 2
        for (int g = 0; g < GROUP; g++) sum[l][g] = splat(0);
}

KERNEL void NAMED(join_sums)(vec sum[8][GROUP], vec other[8][GROUP])
{
    for (int l = 0; l < 8; l++)
        for (int g = 0; g < GROUP; g++) sum[l][g] += other[l][g];
}

/* Rows of 32 columns and more: the sums of every fourth run of eight, and with the first of them
 * what is left at the end. */
KERNEL void NAMED(add_quarters)(vec sum[8][GROUP], const double *restrict transposed,
                                const double *restrict row, size_t n, const cairn_pairing pairing)
{
    size_t whole = n / 32 * 32;
    vec next[8][GROUP], far[8][GROUP];
    NAMED(add_columns)(sum, transposed, row, 0, whole, 32, pairing);
    NAMED(add_columns)(sum, transposed, row, whole, n, 8, pairing);
    NAMED(start_sums)(next);
    NAMED(add_columns)(next, transposed, row, 8, whole, 32, pairing);
    NAMED(join_sums)(sum, next);
    NAMED(start_sums)(far);
    NAMED(add_columns)(far, transposed, row, 16, whole, 32, pairing);
    NAMED(start_sums)(next);
    NAMED(add_columns)(next, transposed, row, 24, whole, 32, pairing);
    NAMED(join_sums)(far, next);
    NAMED(join_sums)(sum, far);
}

KERNEL void NAMED(pair_sums)(double *const *restrict out, const double *const *restrict rows,
                             size_t m, const double *restrict b, size_t n, size_t width,
                             const int root, const cairn_pairing pairing)
{
    double transposed[TRANSPOSED_COLUMNS * GROUP_ROWS] __attribute__((aligned(64)));
    for (size_t j = 0; j < n; j += GROUP_ROWS) {
        NAMED(turn_rows)(transposed, b + j * width, width, n - j, width, GROUP_ROWS);
        for (size_t r = 0; r < m; r++) {
            vec s[8][GROUP];
            NAMED(start_sums)(s);
            if (width < 32)
                NAMED(add_columns)(s, transposed, rows[r], 0, width, 8, pairing);
            else
                NAMED(add_quarters)(s, transposed, rows[r], width, pairing);
#pragma GCC unroll 2
            for (size_t g = 0; g < GROUP; g++) {
                vec even = (s[0][g] + s[4][g]) + (s[2][g] + s[6][g]);
                vec odd = (s[1][g] + s[5][g]) + (s[3][g] + s[7][g]);
                size_t at = j + g * LANES;
                if (at < n) NAMED(store_pairs)(out[r] + at, n - at, even + odd, root);
            }
        }
    }
}

static TARGET void NAMED(pair_squares)(double *const *out, const double *const *rows, size_t m,
                                       const double *b, size_t n, size_t width, const int root)
{
    NAMED(pair_sums)(out, rows, m, b, n, width, root, CAIRN_PAIR_SQUARES);
}

static TARGET void NAMED(pair_absolutes)(double *const *out, const double *const *rows, size_t m,
                                         const double *b, size_t n, size_t width, const int root)
{
    NAMED(pair_sums)(out, rows, m, b, n, width, root, CAIRN_PAIR_ABSOLUTES);
}

static TARGET void NAMED(pair_products)(double *const *out, const double *const *rows, size_t m,
                                        const double *b, size_t n, size_t width, const int root)
{
    NAMED(pair_sums)(out, rows, m, b, n, width, root, CAIRN_PAIR_PRODUCTS);
}

/* Few columns, one after the other and not fused, as a plain loop adds them. */
KERNEL void NAMED(plain_sums)(double *const *restrict out, const double *const *restrict rows,
                              size_t m, const double *restrict b, size_t n, size_t width,
                              const int root, const cairn_pairing pairing)
{
    double transposed[CAIRN_PAIR_PLAIN * PLAIN_ROWS] __attribute__((aligned(64)));
    for (size_t j = 0; j < n; j += PLAIN_ROWS) {
        NAMED(turn_rows)(transposed, b + j * width, width, n - j, width, PLAIN_ROWS);
        for (size_t r = 0; r < m; r++) {
            vec sum[PLAIN];
#pragma GCC unroll 4
            for (int g = 0; g < PLAIN; g++) sum[g] = splat(0);
            for (size_t t = 0; t < width; t++) {
                vec x = splat(rows[r][t]);
#pragma GCC unroll 4
                for (size_t g = 0; g < PLAIN; g++) {
                    vec d = x - LOAD(transposed + t * PLAIN_ROWS + g * LANES);
                    sum[g] += pairing == CAIRN_PAIR_SQUARES ? d * d : without_sign(d);
                }
            }
#pragma GCC unroll 4
            for (size_t g = 0; g < PLAIN; g++) {
                size_t at = j + g * LANES;
                if (at < n) NAMED(store_pairs)(out[r] + at, n - at, sum[g], root);
            }
        }
    }
}

static TARGET void NAMED(plain_squares)(double *const *out, const double *const *rows, size_t m,
                                        const double *b, size_t n, size_t width, const int root)
{
    NAMED(plain_sums)(out, rows, m, b, n, width, root, CAIRN_PAIR_SQUARES);
}

static TARGET void NAMED(plain_absolutes)(double *const *out, const double *const *rows, size_t m,
                                          const double *b, size_t n, size_t width, const int root)
{
    NAMED(plain_sums)(out, rows, m, b, n, width, root, CAIRN_PAIR_ABSOLUTES);
}

/* What is not a number is never larger, so it is added up by itself: d - d is 0 of every other
 * number but the infinite ones, which a row of places does not hold. */
static TARGET void NAMED(pair_largest)(double *const *restrict out,
                                       const double *const *restrict rows, size_t m,
                                       const double *restrict b, size_t n, size_t width,
                                       const int root)
{
    double transposed[TRANSPOSED_COLUMNS * GROUP_ROWS] __attribute__((aligned(64)));
    for (size_t j = 0; j < n; j += GROUP_ROWS) {
        NAMED(turn_rows)(transposed, b + j * width, width, n - j, width, GROUP_ROWS);
        for (size_t r = 0; r < m; r++)
#pragma GCC unroll 2
            for (size_t g = 0; g < GROUP; g++) {
                vec most = splat(0), none = splat(0);
                size_t at = j + g * LANES;
                for (size_t t = 0; t < width; t++) {
                    vec y = LOAD(transposed + t * GROUP_ROWS + g * LANES);
                    vec d = without_sign(splat(rows[r][t]) - y);
                    most = where_less(most, d, d, most);
                    none += where_less(d, splat(HUGE_VAL), splat(0), d * splat(0));
                }
                if (at < n) NAMED(store_pairs)(out[r] + at, n - at, most + none, root);
            }
    }
}

#undef GROUP
#undef GROUP_ROWS
#undef PLAIN
#undef PLAIN_ROWS
