/* SPDX-License-Identifier: MIT */
/* Vectors of one level; included by each_level.h once per level, so it has no guard. */

typedef double vec __attribute__((vector_size(8 * LANES)));
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

/* a * b + c, rounded once where the level has the instruction */
KERNEL vec multiply_add(vec a, vec b, vec c)
{
#if LANES == 2
    return a * b + c;
#elif LANES == 4
    return _mm256_fmadd_pd(a, b, c);
#else
    return _mm512_fmadd_pd(a, b, c);
#endif
}

/* Sum of the lanes, always in the same order: halves are added until one number is left. */
KERNEL double add_lanes(vec v)
{
#if LANES == 2
    return v[0] + v[1];
#elif LANES == 4
    return (v[0] + v[2]) + (v[1] + v[3]);
#else
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
#endif
}

/* In every lane: a < b ? x : y */
KERNEL vec where_less(vec a, vec b, vec x, vec y)
{
#if LANES == 2
    vec r;
    for (int i = 0; i < LANES; i++) r[i] = a[i] < b[i] ? x[i] : y[i];
    return r;
#elif LANES == 4
    return _mm256_blendv_pd(y, x, _mm256_cmp_pd(a, b, _CMP_LT_OQ));
#else
    return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(a, b, _CMP_LT_OQ), y, x);
#endif
}
