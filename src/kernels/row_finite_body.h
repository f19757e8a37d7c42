/* SPDX-License-Identifier: MIT */
/* 0 times x is 0 or -0 where x is finite, and not a number where it is not. */

static TARGET bool NAMED(row_finite)(const double *x, size_t n)
{
    words odd = {0};
    size_t i = 0;
    _Pragma("GCC unroll 4") for (; i + LANES <= n; i += LANES)
    {
        vec some = LOAD(x + i);
        odd |= (words)(some * splat(0));
    }
    if (i < n) {
        vec some = load_some(x + i, n - i);
        odd |= (words)(some * splat(0));
    }
    odd = (words)without_sign((vec)odd);
#if LANES == 2
    return !(odd[0] | odd[1]);
#elif LANES == 4
    return _mm256_testz_si256((__m256i)odd, (__m256i)odd);
#else
    return !_mm512_test_epi64_mask((__m512i)odd, (__m512i)odd);
#endif
}
