/* SPDX-License-Identifier: MIT */
/* Passes over a line of distances at one level. */

/* Of LANES numbers from i on: those that are less, behind `found` others. */
KERNEL size_t NAMED(add_less)(uint32_t *out, size_t found, const double *a, const double *b,
                              size_t i)
{
#if LANES == 8
    __mmask8 less = _mm512_cmp_pd_mask(LOAD(a + i), LOAD(b + i), _CMP_LT_OQ);
    __m256i at = _mm256_add_epi32(_mm256_set1_epi32((int)(uint32_t)i),
                                  _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
    _mm256_storeu_si256((__m256i *)(void *)(out + found), _mm256_maskz_compress_epi32(less, at));
    return found + (size_t)__builtin_popcount(less);
#elif LANES == 4
    int less = _mm256_movemask_pd(_mm256_cmp_pd(LOAD(a + i), LOAD(b + i), _CMP_LT_OQ));
    for (; less; less &= less - 1) out[found++] = (uint32_t)i + (uint32_t)__builtin_ctz(less);
    return found;
#else
    for (size_t l = 0; l < LANES; l++) {
        out[found] = (uint32_t)(i + l);
        found += a[i + l] < b[i + l];
    }
    return found;
#endif
}

static TARGET size_t NAMED(where_all_less)(uint32_t *restrict out, const double *restrict a,
                                           const double *restrict b, size_t n)
{
    size_t found = 0, i = 0;
    for (; i + LANES <= n; i += LANES) found = NAMED(add_less)(out, found, a, b, i);
    for (; i < n; i++) {
        out[found] = (uint32_t)i;
        found += a[i] < b[i];
    }
    return found;
}

/* max(0, from - to), times a weight, of eight numbers, added to a sum. */
KERNEL eight NAMED(add_falls)(eight sum, eight from, eight to, const eight *weights)
{
    EACH_PART(p)
    {
        vec fall = where_less(to.part[p], from.part[p], from.part[p] - to.part[p], splat(0));
        sum.part[p] =
            weights ? multiply_add(weights->part[p], fall, sum.part[p]) : sum.part[p] + fall;
    }
    return sum;
}

static TARGET double NAMED(falls_sum)(const double *restrict from, const double *restrict to,
                                      const double *restrict weights, size_t n)
{
    eight sums[2] = {eight_of(0), eight_of(0)}, w;
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
#pragma GCC unroll 2
        for (size_t g = 0; g < 2; g++) {
            const double *x = from + i + 8 * g, *y = to + i + 8 * g;
            if (weights) w = eight_at(weights + i + 8 * g);
            sums[g] = NAMED(add_falls)(sums[g], eight_at(x), eight_at(y), weights ? &w : NULL);
        }
    for (size_t left; i < n; i += left) {
        left = n - i < 8 ? n - i : 8;
        if (weights) w = left < 8 ? eight_some(weights + i, left) : eight_at(weights + i);
        sums[0] = NAMED(add_falls)(
            sums[0], left < 8 ? eight_some(from + i, left) : eight_at(from + i),
            left < 8 ? eight_some(to + i, left) : eight_at(to + i), weights ? &w : NULL);
    }
    return eight_sum(eight_add(sums[0], sums[1]));
}
