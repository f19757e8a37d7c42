/* SPDX-License-Identifier: MIT */
/* A lane is a point; all points of a leaf are worked on together and nothing is added across
 * lanes. */

#define LEAF_VECTORS (CAIRN_LEAF / 2 / LANES)

KERNEL uint32_t NAMED(lanes_within)(vec v, double limit)
{
#if LANES == 8
    return _mm512_cmp_pd_mask(v, splat(limit), _CMP_LE_OQ);
#elif LANES == 4
    return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(v, splat(limit), _CMP_LE_OQ));
#else
    uint32_t mask = 0;
    for (int l = 0; l < LANES; l++) mask |= (uint32_t)(v[l] <= limit) << l;
    return mask;
#endif
}

/* The leaf in two halves, so that the sums stay in registers. */
KERNEL uint32_t NAMED(leaf)(double *restrict sums, const double *restrict points,
                            const double *restrict query, size_t n_columns, double limit,
                            const cairn_summing summing)
{
    vec zero = splat(0);
    uint32_t mask = 0;
    for (int half = 0; half < CAIRN_LEAF; half += CAIRN_LEAF / 2) {
        vec sum[LEAF_VECTORS];
#pragma GCC unroll 8
        for (int g = 0; g < LEAF_VECTORS; g++) sum[g] = zero;
        for (size_t t = 0; t < n_columns; t++) {
            vec q = splat(query[t]);
#pragma GCC unroll 8
            for (int g = 0; g < LEAF_VECTORS; g++) {
                vec d = LOAD(points + t * CAIRN_LEAF + half + g * LANES) - q;
                if (summing != CAIRN_SUM_SQUARES) d = where_less(d, zero, -d, d);
                if (summing == CAIRN_SUM_SQUARES)
                    sum[g] += d * d; /* not fused, as in a plain loop */
                else if (summing == CAIRN_SUM_ABSOLUTES)
                    sum[g] += d;
                else
                    sum[g] = where_less(sum[g], d, d, sum[g]);
            }
        }
#pragma GCC unroll 8
        for (int g = 0; g < LEAF_VECTORS; g++) {
            STORE(sums + half + g * LANES, sum[g]);
            mask |= NAMED(lanes_within)(sum[g], limit) << (half + g * LANES);
        }
    }
    return mask;
}

static TARGET uint32_t NAMED(leaf_squares)(double *sums, const double *points, const double *query,
                                           size_t n_columns, double limit)
{
    return NAMED(leaf)(sums, points, query, n_columns, limit, CAIRN_SUM_SQUARES);
}

static TARGET uint32_t NAMED(leaf_absolutes)(double *sums, const double *points,
                                             const double *query, size_t n_columns, double limit)
{
    return NAMED(leaf)(sums, points, query, n_columns, limit, CAIRN_SUM_ABSOLUTES);
}

static TARGET uint32_t NAMED(leaf_largest)(double *sums, const double *points, const double *query,
                                           size_t n_columns, double limit)
{
    return NAMED(leaf)(sums, points, query, n_columns, limit, CAIRN_SUM_LARGEST);
}

/* Most runs of numbers hold none that is small enough and are passed over as a whole. */
static TARGET size_t NAMED(find_below)(uint32_t *restrict out, const float *restrict dots,
                                       const float *restrict norms, size_t n, float limit)
{
    enum { RUN = 32 };
    size_t found = 0, i = 0;
    for (; i + RUN <= n; i += RUN) {
        int any = 0;
        for (int l = 0; l < RUN; l++) any |= norms[i + l] - 2 * dots[i + l] <= limit;
        for (size_t l = 0; any && l < RUN; l++)
            if (norms[i + l] - 2 * dots[i + l] <= limit) out[found++] = (uint32_t)(i + l);
    }
    for (; i < n; i++)
        if (norms[i] - 2 * dots[i] <= limit) out[found++] = (uint32_t)i;
    return found;
}

#undef LEAF_VECTORS
