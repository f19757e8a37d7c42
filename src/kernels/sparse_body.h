/* SPDX-License-Identifier: MIT */
/* Products of a sparse matrix by columns with rows of `stride` numbers, a multiple of 4. Up to PART
 * vectors of a row stay in registers; wider rows take several turns. With vectors of 8 the last 4
 * numbers go through one half vector. */

#define PART 6

#if LANES == 8
typedef double NAMED(half) __attribute__((vector_size(32)));
typedef double NAMED(loose_half) __attribute__((vector_size(32), aligned(8), may_alias));
#define LOAD_HALF(pointer)     ((NAMED(half))(*(const NAMED(loose_half) *)(pointer)))
#define STORE_HALF(pointer, v) (*(NAMED(loose_half) *)(pointer) = (v))
#endif

KERNEL void NAMED(times_part)(double *restrict out, size_t stride, const cairn_sparse *s,
                              const double *restrict w, const int full, const int rest)
{
    for (size_t i = 0; i < s->n_items; i++) {
        const double *from = w + (size_t)s->items[i] * stride;
        vec factor[PART];
#pragma GCC unroll 6
        for (int v = 0; v < full; v++) factor[v] = LOAD(from + v * LANES);
#if LANES == 8
        NAMED(half) last = rest ? LOAD_HALF(from + full * LANES) : (NAMED(half)){0};
#else
        (void)rest;
#endif
        for (size_t e = s->starts[i]; e < s->starts[i + 1]; e++) {
            double *to = out + (size_t)s->rows[e] * stride;
            vec x = splat(s->values[e]);
#pragma GCC unroll 6
            for (int v = 0; v < full; v++)
                STORE(to + v * LANES, multiply_add(x, factor[v], LOAD(to + v * LANES)));
#if LANES == 8
            if (rest) {
                NAMED(half) y = _mm256_set1_pd(s->values[e]);
                STORE_HALF(to + full * LANES,
                           _mm256_fmadd_pd(y, last, LOAD_HALF(to + full * LANES)));
            }
#endif
        }
    }
}

KERNEL void NAMED(transposed_part)(double *restrict out, size_t stride, const cairn_sparse *s,
                                   const double *restrict r, const int full, const int rest)
{
    for (size_t i = 0; i < s->n_items; i++) {
        double *to = out + (size_t)s->items[i] * stride;
        vec sum[PART];
#pragma GCC unroll 6
        for (int v = 0; v < full; v++) sum[v] = LOAD(to + v * LANES);
#if LANES == 8
        NAMED(half) last = rest ? LOAD_HALF(to + full * LANES) : (NAMED(half)){0};
#else
        (void)rest;
#endif
        for (size_t e = s->starts[i]; e < s->starts[i + 1]; e++) {
            const double *from = r + (size_t)s->rows[e] * stride;
            vec x = splat(s->values[e]);
#pragma GCC unroll 6
            for (int v = 0; v < full; v++) sum[v] = multiply_add(x, LOAD(from + v * LANES), sum[v]);
#if LANES == 8
            if (rest)
                last = _mm256_fmadd_pd(_mm256_set1_pd(s->values[e]), LOAD_HALF(from + full * LANES),
                                       last);
#endif
        }
#pragma GCC unroll 6
        for (int v = 0; v < full; v++) STORE(to + v * LANES, sum[v]);
#if LANES == 8
        if (rest) STORE_HALF(to + full * LANES, last);
#endif
    }
}

/* The count of vectors must be known where a part is compiled. */
#define WIDTH(part, count)                                                                         \
    case count:                                                                                    \
        if (rest)                                                                                  \
            part(out + at, stride, s, x + at, count, 1);                                           \
        else                                                                                       \
            part(out + at, stride, s, x + at, count, 0);                                           \
        break
#define EACH_WIDTH(part)                                                                           \
    switch (full) {                                                                                \
        WIDTH(part, 0);                                                                            \
        WIDTH(part, 1);                                                                            \
        WIDTH(part, 2);                                                                            \
        WIDTH(part, 3);                                                                            \
        WIDTH(part, 4);                                                                            \
        WIDTH(part, 5);                                                                            \
    default: part(out + at, stride, s, x + at, PART, 0);                                           \
    }

static TARGET void NAMED(sparse_times)(double *out, size_t stride, const cairn_sparse *s,
                                       const double *x)
{
    for (size_t at = 0; at < stride;) {
        size_t full = (stride - at) / LANES;
        if (full > PART) full = PART;
        bool rest = full < PART && (stride - at) % LANES != 0;
        EACH_WIDTH(NAMED(times_part))
        at += full * LANES + (rest ? 4 : 0);
    }
}

static TARGET void NAMED(sparse_transposed)(double *out, size_t stride, const cairn_sparse *s,
                                            const double *x)
{
    for (size_t at = 0; at < stride;) {
        size_t full = (stride - at) / LANES;
        if (full > PART) full = PART;
        bool rest = full < PART && (stride - at) % LANES != 0;
        EACH_WIDTH(NAMED(transposed_part))
        at += full * LANES + (rest ? 4 : 0);
    }
}

#undef WIDTH
#undef EACH_WIDTH
#undef PART
#if LANES == 8
#undef LOAD_HALF
#undef STORE_HALF
#endif
