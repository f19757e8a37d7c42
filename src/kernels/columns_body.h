/* SPDX-License-Identifier: MIT */
/* Matrix times vector for columns stored one after the other, and the rotation of two vectors.
 * Memory sets the pace here, so * and + stay apart: no level needs fma and even SSE2 gives the same
 * bits. Sums along a column always run in EIGHT lanes, lane by lane, joined in one order at the
 * end. */

#define PARTS             (8 / LANES)
#define KERNEL            static inline __attribute__((always_inline)) UNCHECKED TARGET
#define vec               NAMED(vec)
#define LOAD(pointer)     ((vec)(*(const NAMED(loose) *)(pointer)))
#define STORE(pointer, v) (*(NAMED(loose) *)(pointer) = (v))

typedef double vec __attribute__((vector_size(8 * LANES)));
typedef double NAMED(loose) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

KERNEL double NAMED(join)(const double s[8])
{
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* For `columns` columns a[c * lda]: y += sum_c s[c] a_c (if y) and t[c] = a_c . x (if x); the two
 * together are a symmetric product's work, with the matrix read once. */
KERNEL void NAMED(sweep)(double *restrict y, double *restrict t, const double *restrict a,
                         size_t lda, const double *restrict s, const double *restrict x, size_t n,
                         const int columns, const bool axpy, const bool dot)
{
    vec sum[4][PARTS];
    double lane[4][8];
    size_t i = 0;
    UNROLL
    for (int c = 0; c < columns; c++) UNROLL
    for (int p = 0; p < PARTS; p++) sum[c][p] = (vec){0};
    for (; i + 8 <= n; i += 8) {
        UNROLL
        for (int p = 0; p < PARTS; p++) {
            size_t at = i + (size_t)p * LANES;
            vec yy = axpy ? LOAD(y + at) : (vec){0}, xx = dot ? LOAD(x + at) : (vec){0};
            UNROLL
            for (int c = 0; c < columns; c++) {
                vec aa = LOAD(a + (size_t)c * lda + at);
                if (axpy) yy = yy + s[c] * aa;
                if (dot) sum[c][p] = sum[c][p] + aa * xx;
            }
            if (axpy) STORE(y + at, yy);
        }
    }
    UNROLL
    for (int c = 0; c < columns && dot; c++) UNROLL
    for (int p = 0; p < PARTS; p++) STORE(lane[c] + p * LANES, sum[c][p]);
    for (size_t l = 0; i < n; i++, l++) {
        double yy = axpy ? y[i] : 0;
        for (int c = 0; c < columns; c++) {
            double aa = a[(size_t)c * lda + i];
            if (axpy) yy = yy + s[c] * aa;
            if (dot) lane[c][l] += aa * x[i];
        }
        if (axpy) y[i] = yy;
    }
    for (int c = 0; c < columns && dot; c++) t[c] = NAMED(join)(lane[c]);
}

#define SWEEP(name, columns, axpy, dot)                                                            \
    static UNCHECKED TARGET void NAMED(name)(double *y, double *t, const double *a, size_t lda,    \
                                             const double *s, const double *x, size_t n)           \
    {                                                                                              \
        NAMED(sweep)(y, t, a, lda, s, x, n, columns, axpy, dot);                                   \
    }
SWEEP(axpy_4, 4, true, false)
SWEEP(axpy_1, 1, true, false)
SWEEP(dot_4, 4, false, true)
SWEEP(dot_1, 1, false, true)
SWEEP(both_4, 4, true, true)
SWEEP(both_1, 1, true, true)

static UNCHECKED TARGET void NAMED(rotate)(double *restrict x, double *restrict y, double c,
                                           double s, size_t n)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        vec xx = LOAD(x + i), yy = LOAD(y + i);
        STORE(x + i, c * xx + s * yy);
        STORE(y + i, c * yy - s * xx);
    }
    for (; i < n; i++) {
        double xx = x[i], yy = y[i];
        x[i] = c * xx + s * yy;
        y[i] = c * yy - s * xx;
    }
}

static const column_kernels NAMED(columns) = {{NAMED(axpy_1), NAMED(axpy_4)},
                                              {NAMED(dot_1), NAMED(dot_4)},
                                              {NAMED(both_1), NAMED(both_4)},
                                              NAMED(rotate)};

#undef SWEEP
#undef STORE
#undef LOAD
#undef vec
#undef KERNEL
#undef PARTS
