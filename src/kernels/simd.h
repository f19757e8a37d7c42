/* SPDX-License-Identifier: MIT */
/* Vectors of one level; included by each_level.h once per level, so it has no guard. */

typedef double vec __attribute__((vector_size(8 * LANES)));
typedef long long words __attribute__((vector_size(8 * LANES)));
/* the same in memory: any double's address will do, and it may overlay arrays of double */
typedef double NAMED(loose_vec) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

KERNEL vec splat(double x)
{
#if LANES == 2
    return (vec){x, x};
#elif LANES == 4
    return (vec){x, x, x, x};
#else
    return (vec){x, x, x, x, x, x, x, x};
#endif
}

/* a * b + c, rounded once at every level */
KERNEL vec multiply_add(vec a, vec b, vec c)
{
#if LANES == 4
    return _mm256_fmadd_pd(a, b, c);
#elif LANES == 8
    return _mm512_fmadd_pd(a, b, c);
#elif defined(__x86_64__)
    return soft_fma(a, b, c);
#else
    return (vec){__builtin_fma(a[0], b[0], c[0]), __builtin_fma(a[1], b[1], c[1])};
#endif
}

/* the same of single numbers, for what is left at the end of a row */
KERNEL double multiply_add_one(double a, double b, double c)
{
#if LANES == 2 && defined(__x86_64__)
    return soft_fma((vec){a, a}, (vec){b, b}, (vec){c, c})[0];
#else
    return __builtin_fma(a, b, c);
#endif
}

#if LANES == 4
/* all bits set in the first n lanes */
KERNEL __m256i NAMED(first_lanes)(size_t n)
{
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)n), _mm256_set_epi64x(3, 2, 1, 0));
}
#endif

/* The first n numbers, fewer than LANES, and zeros; nothing behind them is read. */
KERNEL vec load_some(const double *from, size_t n)
{
#if LANES == 2
    return (vec){n ? from[0] : 0, 0};
#elif LANES == 4
    return _mm256_maskload_pd(from, NAMED(first_lanes)(n));
#else
    return _mm512_maskz_loadu_pd((__mmask8)((1u << n) - 1), from);
#endif
}

KERNEL void store_some(double *to, size_t n, vec v)
{
#if LANES == 2
    if (n) to[0] = v[0];
#elif LANES == 4
    _mm256_maskstore_pd(to, NAMED(first_lanes)(n), v);
#else
    _mm512_mask_storeu_pd(to, (__mmask8)((1u << n) - 1), v);
#endif
}

/* In every lane: a < b ? x : y */
KERNEL vec where_less(vec a, vec b, vec x, vec y)
{
#if LANES == 2
    words less = a < b;
    return (vec)(((words)x & less) | ((words)y & ~less));
#elif LANES == 4
    return _mm256_blendv_pd(y, x, _mm256_cmp_pd(a, b, _CMP_LT_OQ));
#else
    return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(a, b, _CMP_LT_OQ), y, x);
#endif
}

KERNEL vec without_sign(vec v)
{
    return (vec)((words)v & 0x7fffffffffffffff);
}

/* Eight numbers, in as many vectors as the level needs: sums over numbers that lie side by side
 * run in eight lanes at every level, number i in lane i modulo 8, so that the bits are the same. */
#define PARTS (8 / LANES)
typedef struct eight {
    vec part[PARTS];
} eight;

KERNEL eight eight_of(double x)
{
    eight e;
    EACH_PART(p) e.part[p] = splat(x);
    return e;
}

KERNEL eight eight_at(const double *from)
{
    eight e;
    EACH_PART(p) e.part[p] = LOAD(from + p * LANES);
    return e;
}

/* The first n numbers, fewer than 8, and zeros. */
KERNEL eight eight_some(const double *from, size_t n)
{
    eight e;
    EACH_PART(p)
    {
        size_t before = (size_t)p * LANES;
        e.part[p] = n >= before + LANES ? LOAD(from + before)
                    : n > before        ? load_some(from + before, n - before)
                                        : splat(0);
    }
    return e;
}

KERNEL eight eight_add(eight a, eight b)
{
    EACH_PART(p) a.part[p] += b.part[p];
    return a;
}

KERNEL eight eight_subtract(eight a, eight b)
{
    EACH_PART(p) a.part[p] -= b.part[p];
    return a;
}

KERNEL eight eight_multiply_add(eight a, eight b, eight c)
{
    EACH_PART(p) c.part[p] = multiply_add(a.part[p], b.part[p], c.part[p]);
    return c;
}

/* The sum of eight lanes: halves are added until one number is left. */
KERNEL double eight_sum(eight e)
{
#if LANES == 2
    vec two = (e.part[0] + e.part[2]) + (e.part[1] + e.part[3]);
    return two[0] + two[1];
#else
#if LANES == 4
    __m256d four = e.part[0] + e.part[1];
#else
    __m256d four = _mm512_castpd512_pd256(e.part[0]) + _mm512_extractf64x4_pd(e.part[0], 1);
#endif
    __m128d two = _mm256_castpd256_pd128(four) + _mm256_extractf128_pd(four, 1);
    return two[0] + two[1];
#endif
}
