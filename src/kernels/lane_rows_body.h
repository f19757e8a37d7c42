/* SPDX-License-Identifier: MIT */
/* Components of a mixture at one level. Tiles of components (or columns) times STEPS vectors of
 * rows keep their sums in registers. Nothing is added across lanes but the sums over rows, which
 * run in eight lanes. */

#if LANES == 8
#define STEPS      4
#define SUM_TILE   5
#define PAIR_TILE  4
#define SHARE_TILE 5
#elif LANES == 4
#define STEPS      2
#define SUM_TILE   2
#define PAIR_TILE  2
#define SHARE_TILE 5
#else
#define STEPS      2
#define SUM_TILE   2
#define PAIR_TILE  2
#define SHARE_TILE 5
#endif

static TARGET void NAMED(standardise)(double *z, const double *x, size_t n, double shift,
                                      double scale)
{
    vec away = splat(shift), by = splat(scale);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        __builtin_prefetch(x + i + n, 0, 2);
        STORE(z + i, (LOAD(x + i) - away) * by);
    }
    if (i < n) store_some(z + i, n - i, (load_some(x + i, n - i) - away) * by);
}

/* -- densities -- */

/* `tile` components over all rows. */
KERNEL void NAMED(columns_tile)(double *restrict out, const double *restrict z, size_t stride,
                                size_t n, size_t d, const double *restrict starts,
                                const double *restrict rates, const double *restrict shifts,
                                const int tile)
{
    for (size_t i = 0; i < n; i += STEPS * LANES) {
        vec sum[SHARE_TILE][STEPS];
#pragma GCC unroll 8
        for (int c = 0; c < tile; c++)
#pragma GCC unroll 4
            for (int s = 0; s < STEPS; s++) sum[c][s] = splat(starts[c]);
        for (size_t j = 0; j < d; j++) {
            const double *from = z + j * stride + i;
#pragma GCC unroll 8
            for (int c = 0; c < tile; c++) {
                vec rate = splat(rates[(size_t)c * d + j]),
                    shift = splat(shifts[(size_t)c * d + j]);
#pragma GCC unroll 4
                for (int s = 0; s < STEPS; s++) {
                    vec y = multiply_add(LOAD(from + s * LANES), rate, shift);
                    sum[c][s] = multiply_add(-y, y, sum[c][s]);
                }
            }
        }
#pragma GCC unroll 8
        for (int c = 0; c < tile; c++)
#pragma GCC unroll 4
            for (int s = 0; s < STEPS; s++)
                STORE(out + (size_t)c * stride + i + s * LANES, sum[c][s]);
    }
}

static TARGET void NAMED(component_columns)(double *out, const double *z, size_t stride, size_t n,
                                            size_t d, size_t k, const double *starts,
                                            const double *rates, const double *shifts)
{
#define TILE(tile)                                                                                 \
    NAMED(columns_tile)                                                                            \
    (out + c * stride, z, stride, n, d, starts + c, rates + c * d, shifts + c * d, tile)
    size_t c = 0;
    for (; c + 5 <= k; c += 5) TILE(5);
    if (k - c == 4) TILE(4);
    if (k - c == 3) TILE(3);
    if (k - c == 2) TILE(2);
    if (k - c == 1) TILE(1);
#undef TILE
}

/* Four columns of the triangle at a time: column j ends with row j. */
static TARGET void NAMED(component_triangle)(double *restrict out, const double *restrict z,
                                             size_t stride, size_t n, size_t d, double start,
                                             const double *restrict factor, size_t width,
                                             const double *restrict shifts)
{
    for (size_t i = 0; i < n; i += STEPS * LANES) {
        vec total[STEPS];
#pragma GCC unroll 4
        for (int s = 0; s < STEPS; s++) total[s] = splat(start);
        for (size_t j = 0; j < width; j += 4) {
            vec sum[4][STEPS];
            size_t end = j + 4 < d ? j + 4 : d;
#pragma GCC unroll 4
            for (int t = 0; t < 4; t++)
#pragma GCC unroll 4
                for (int s = 0; s < STEPS; s++) sum[t][s] = splat(shifts[j + (size_t)t]);
            for (size_t l = 0; l < end; l++) {
                const double *from = z + l * stride + i, *by = factor + l * width + j;
#pragma GCC unroll 4
                for (int t = 0; t < 4; t++) {
                    vec factors = splat(by[t]);
#pragma GCC unroll 4
                    for (int s = 0; s < STEPS; s++)
                        sum[t][s] = multiply_add(LOAD(from + s * LANES), factors, sum[t][s]);
                }
            }
#pragma GCC unroll 4
            for (int t = 0; t < 4; t++)
#pragma GCC unroll 4
                for (int s = 0; s < STEPS; s++)
                    total[s] = multiply_add(-sum[t][s], sum[t][s], total[s]);
        }
#pragma GCC unroll 4
        for (int s = 0; s < STEPS; s++) STORE(out + i + s * LANES, total[s]);
    }
}

/* -- shares -- */

/* The largest score of each row, and the scores less it. */
static TARGET void NAMED(lower_scores)(double *restrict x, double *restrict most, size_t stride,
                                       size_t n, size_t k)
{
    for (size_t i = 0; i < n; i += LANES) {
        vec largest = LOAD(x + i);
        for (size_t c = 1; c < k; c++) {
            vec v = LOAD(x + c * stride + i);
            largest = where_less(largest, v, v, largest);
        }
        for (size_t c = 0; c < k; c++) {
            double *at = x + c * stride + i;
            STORE(at, LOAD(at) - largest);
        }
        STORE(most + i, largest);
    }
}

static TARGET void NAMED(share_rows)(double *restrict x, double *restrict sums, size_t stride,
                                     size_t n, size_t k, const double *restrict w)
{
    for (size_t i = 0; i < n; i += LANES) {
        vec sum = LOAD(x + i);
        for (size_t c = 1; c < k; c++) sum += LOAD(x + c * stride + i);
        vec by = (w ? LOAD(w + i) : splat(1)) / sum;
        for (size_t c = 0; c < k; c++) {
            double *at = x + c * stride + i;
            STORE(at, LOAD(at) * by);
        }
        STORE(sums + i, sum);
    }
}

/* -- sums -- */

/* Pairs from `first` on, as many as a tile has, of which the last may be beyond the end: they are
 * those of the last pair again, and are not stored. */
KERNEL void NAMED(sum_tile)(double *restrict sums, const double *restrict r,
                            const double *restrict z, size_t stride, size_t n,
                            const size_t *restrict a, const size_t *restrict b, size_t n_pairs,
                            size_t first, const int tile)
{
    const double *left[PAIR_TILE], *right[PAIR_TILE];
    eight sum[SUM_TILE][PAIR_TILE];
#pragma GCC unroll 4
    for (size_t p = 0; p < PAIR_TILE; p++) {
        size_t at = first + p < n_pairs ? first + p : n_pairs - 1;
        left[p] = z + a[at] * stride, right[p] = z + b[at] * stride;
    }
#pragma GCC unroll 8
    for (int c = 0; c < tile; c++)
#pragma GCC unroll 4
        for (int p = 0; p < PAIR_TILE; p++) sum[c][p] = eight_of(0);
    for (size_t i = 0; i < n; i += 8) {
        eight product[PAIR_TILE];
#pragma GCC unroll 4
        for (int p = 0; p < PAIR_TILE; p++) {
            product[p] = eight_at(left[p] + i);
            eight other = eight_at(right[p] + i);
            EACH_PART(q) product[p].part[q] *= other.part[q];
        }
#pragma GCC unroll 8
        for (int c = 0; c < tile; c++) {
            eight share = eight_at(r + (size_t)c * stride + i);
#pragma GCC unroll 4
            for (int p = 0; p < PAIR_TILE; p++)
                sum[c][p] = eight_multiply_add(share, product[p], sum[c][p]);
        }
    }
#pragma GCC unroll 8
    for (int c = 0; c < tile; c++)
#pragma GCC unroll 4
        for (size_t p = 0; p < PAIR_TILE; p++)
            if (first + p < n_pairs) sums[(size_t)c * n_pairs + first + p] += eight_sum(sum[c][p]);
}

static TARGET void NAMED(component_sums)(double *sums, const double *r, const double *z,
                                         size_t stride, size_t n, size_t k, const size_t *a,
                                         const size_t *b, size_t n_pairs)
{
#define TILE(tile)                                                                                 \
    for (size_t p = 0; p < n_pairs; p += PAIR_TILE)                                                \
    NAMED(sum_tile)(sums + c * n_pairs, r + c * stride, z, stride, n, a, b, n_pairs, p, tile)
    size_t c = 0;
    for (; c + SUM_TILE <= k; c += SUM_TILE) TILE(SUM_TILE);
#if SUM_TILE > 2
    if (k - c == 4) TILE(4);
    if (k - c == 3) TILE(3);
    if (k - c == 2) TILE(2);
#endif
    if (k - c == 1) TILE(1);
#undef TILE
}

#undef STEPS
#undef SUM_TILE
#undef PAIR_TILE
#undef SHARE_TILE
