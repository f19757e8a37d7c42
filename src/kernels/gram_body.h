/* SPDX-License-Identifier: MIT */
/* The share of some rows in X'WX, in tiles of TILE_ROWS x (1 or 2 vectors) of the result that stay
 * in registers while the rows pass by. Tiles start on the diagonal; the last ones of a row or a
 * column of tiles are moved back to end with the matrix, and what they compute twice is not
 * stored. n_columns is at least 2 * LANES here. */

#if LANES == 2
#define TILE_ROWS 3
#elif LANES == 4
#define TILE_ROWS 6
#else
#define TILE_ROWS 8
#endif

/* One tile: tile[a][b] = sum over rows of w x[i + a] x[j + b], b over `vectors` vectors. */
KERNEL void NAMED(gram_tile)(double *restrict tile, const double *restrict left,
                             const double *restrict right, const double *restrict w, size_t stride,
                             size_t n, const int vectors)
{
    vec sum[TILE_ROWS][2];
#pragma GCC unroll 8
    for (int a = 0; a < TILE_ROWS; a++) sum[a][0] = sum[a][1] = splat(0);
    for (size_t r = 0; r < n; r++, left += stride, right += stride) {
        vec r0 = LOAD(right), r1 = vectors == 2 ? LOAD(right + LANES) : r0;
        if (w) {
            vec weight = splat(w[r]);
            r0 *= weight, r1 *= weight;
        }
#pragma GCC unroll 8
        for (int a = 0; a < TILE_ROWS; a++) {
            vec l = splat(left[a]);
            sum[a][0] = multiply_add(l, r0, sum[a][0]);
            if (vectors == 2) sum[a][1] = multiply_add(l, r1, sum[a][1]);
        }
    }
#pragma GCC unroll 8
    for (int a = 0; a < TILE_ROWS; a++)
#pragma GCC unroll 2
        for (int b = 0; b < vectors; b++) STORE(tile + (a * 2 + b) * LANES, sum[a][b]);
}

static TARGET void NAMED(gram_tile_1)(double *tile, const double *left, const double *right,
                                      const double *w, size_t stride, size_t n)
{
    if (w)
        NAMED(gram_tile)(tile, left, right, w, stride, n, 1);
    else
        NAMED(gram_tile)(tile, left, right, NULL, stride, n, 1);
}

static TARGET void NAMED(gram_tile_2)(double *tile, const double *left, const double *right,
                                      const double *w, size_t stride, size_t n)
{
    if (w)
        NAMED(gram_tile)(tile, left, right, w, stride, n, 2);
    else
        NAMED(gram_tile)(tile, left, right, NULL, stride, n, 2);
}

static TARGET void NAMED(gram)(double *restrict gram, const double *restrict x, size_t stride,
                               const double *restrict w, size_t n, size_t p)
{
    double tile[TILE_ROWS * 2 * LANES];
    for (size_t i = 0; i < p; i += TILE_ROWS) {
        size_t at_i = i + TILE_ROWS <= p ? i : p - TILE_ROWS;
        for (size_t j = i; j < p;) {
            size_t width = p - j > LANES ? 2 * LANES : LANES;
            size_t at_j = j + width <= p ? j : p - width;
            if (width == LANES)
                NAMED(gram_tile_1)(tile, x + at_i, x + at_j, w, stride, n);
            else
                NAMED(gram_tile_2)(tile, x + at_i, x + at_j, w, stride, n);
            for (size_t a = i - at_i; a < TILE_ROWS; a++)
                for (size_t b = j - at_j; b < width; b++)
                    if (at_j + b >= at_i + a)
                        gram[(at_i + a) * p + at_j + b] += tile[a * 2 * LANES + b];
            j += width;
        }
    }
}

/* The share of a vector of columns, or of the last `some` of them: even rows and odd rows. */
KERNEL void NAMED(moment_columns)(double *restrict moment, const double *restrict x, size_t stride,
                                  const double *restrict y, const double *restrict w, size_t n,
                                  const int whole, size_t some)
{
#define COLUMNS(at) (whole ? LOAD(at) : load_some(at, some))
    vec even = splat(0), odd = even;
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        double a = w ? w[i] * y[i] : y[i], b = w ? w[i + 1] * y[i + 1] : y[i + 1];
        even = multiply_add(splat(a), COLUMNS(x + i * stride), even);
        odd = multiply_add(splat(b), COLUMNS(x + (i + 1) * stride), odd);
    }
    if (i < n) even = multiply_add(splat(w ? w[i] * y[i] : y[i]), COLUMNS(x + i * stride), even);
    if (whole)
        STORE(moment, LOAD(moment) + (even + odd));
    else
        store_some(moment, some, load_some(moment, some) + (even + odd));
#undef COLUMNS
}

static TARGET void NAMED(moment)(double *restrict moment, const double *restrict x, size_t stride,
                                 const double *restrict y, const double *restrict w, size_t n,
                                 size_t p)
{
    size_t j = 0;
    for (; j + LANES <= p; j += LANES)
        NAMED(moment_columns)(moment + j, x + j, stride, y, w, n, 1, 0);
    if (j < p) NAMED(moment_columns)(moment + j, x + j, stride, y, w, n, 0, p - j);
}

#undef TILE_ROWS
