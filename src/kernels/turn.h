/* SPDX-License-Identifier: MIT */
/* turn_square transposes LANES vectors of LANES numbers in registers, turn_rows some rows; for
 * bodies (each_level.h), so it has no guard. */

KERNEL void NAMED(turn_square)(vec v[LANES])
{
#if LANES == 2
    vec a = {v[0][0], v[1][0]}, b = {v[0][1], v[1][1]};
    v[0] = a, v[1] = b;
#elif LANES == 4
    vec a = _mm256_unpacklo_pd(v[0], v[1]), b = _mm256_unpackhi_pd(v[0], v[1]);
    vec c = _mm256_unpacklo_pd(v[2], v[3]), d = _mm256_unpackhi_pd(v[2], v[3]);
    v[0] = _mm256_permute2f128_pd(a, c, 0x20);
    v[1] = _mm256_permute2f128_pd(b, d, 0x20);
    v[2] = _mm256_permute2f128_pd(a, c, 0x31);
    v[3] = _mm256_permute2f128_pd(b, d, 0x31);
#else
    /* pairs within 128 bits, then quarters, then halves */
    vec a[8], b[8];
#pragma GCC unroll 4
    for (int i = 0; i < 8; i += 2) {
        a[i] = _mm512_unpacklo_pd(v[i], v[i + 1]);
        a[i + 1] = _mm512_unpackhi_pd(v[i], v[i + 1]);
    }
#pragma GCC unroll 2
    for (int i = 0; i < 8; i += 4)
#pragma GCC unroll 2
        for (int j = 0; j < 2; j++) {
            b[i + j] = _mm512_shuffle_f64x2(a[i + j], a[i + j + 2], 0x88);
            b[i + j + 2] = _mm512_shuffle_f64x2(a[i + j], a[i + j + 2], 0xDD);
        }
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        v[i] = _mm512_shuffle_f64x2(b[i], b[i + 4], 0x88);
        v[i + 4] = _mm512_shuffle_f64x2(b[i], b[i + 4], 0xDD);
    }
#endif
}

/* turned[t][l] = x[l][t] for `rows` rows, a multiple of LANES; rows beyond n repeat the last. */
KERNEL void NAMED(turn_rows)(double *restrict transposed, const double *restrict x, size_t stride,
                             size_t n, size_t n_columns, const size_t rows)
{
    if (n >= rows) {
        for (size_t g = 0; g < rows; g += LANES) {
            const double *from = x + g * stride;
            size_t t = 0;
            for (; t + LANES <= n_columns; t += LANES) {
                vec square[LANES];
#pragma GCC unroll 8
                for (size_t l = 0; l < LANES; l++) square[l] = LOAD(from + l * stride + t);
                NAMED(turn_square)(square);
#pragma GCC unroll 8
                for (size_t l = 0; l < LANES; l++)
                    STORE(transposed + (t + l) * rows + g, square[l]);
            }
            for (; t < n_columns; t++)
                for (size_t l = 0; l < LANES; l++)
                    transposed[t * rows + g + l] = from[l * stride + t];
        }
        return;
    }
    for (size_t l = 0; l < rows; l++) {
        const double *from = x + (l < n ? l : n - 1) * stride;
        for (size_t t = 0; t < n_columns; t++) transposed[t * rows + l] = from[t];
    }
}
