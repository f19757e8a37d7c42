/* SPDX-License-Identifier: MIT */
/* Steps of the most probable path at one level: eight states j at a time. The next delta needs only
 * the largest; which state it comes from is found beside, off the chain of steps that wait for each
 * other. */

typedef uint16_t NAMED(shorts) __attribute__((vector_size(2 * LANES)));
typedef uint16_t NAMED(loose_shorts) __attribute__((vector_size(2 * LANES), aligned(2), may_alias));

KERNEL vec NAMED(larger)(vec a, vec b)
{
#if LANES == 4
    return _mm256_max_pd(a, b);
#elif LANES == 8
    return _mm512_max_pd(a, b);
#else
    return where_less(a, b, b, a);
#endif
}

/* The largest of delta[i] + move[i][j], four i at a time */
KERNEL vec NAMED(largest)(const double *delta, const double *move, size_t m)
{
    vec best = splat(-INFINITY);
    for (size_t i = 0; i < m; i += 4) {
        vec a = splat(delta[i]) + LOAD(move + i * m);
        vec b = splat(delta[i + 1]) + LOAD(move + (i + 1) * m);
        vec c = splat(delta[i + 2]) + LOAD(move + (i + 2) * m);
        vec d = splat(delta[i + 3]) + LOAD(move + (i + 3) * m);
        best = NAMED(larger)(best, NAMED(larger)(NAMED(larger)(a, b), NAMED(larger)(c, d)));
    }
    return best;
}

/* The first i that comes within the tolerance of it; 0 where all are -inf */
KERNEL void NAMED(put_first)(uint16_t *from, const double *delta, const double *move, size_t m,
                             vec best)
{
    vec bar = best - splat(within);
    words found = (words)splat(0);
#pragma GCC unroll 4
    for (size_t i = m; i-- > 0;) {
        vec x = splat(delta[i]) + LOAD(move + i * m);
        words here = (words)splat(0) + (long long)i;
        found = (words)where_less(x, bar, (vec)found, (vec)here);
    }
    *(NAMED(loose_shorts) *)from = __builtin_convertvector(found, NAMED(shorts));
}

/* Of eight states: all sums stay in registers. */
KERNEL void NAMED(step_eight)(double *restrict next, uint16_t *restrict from,
                              const double *restrict delta, const double *restrict move,
                              const double *restrict seen)
{
    EACH_PART(p)
    {
        const size_t at = (size_t)p * LANES;
        vec x[8], bar, best;
        words found = (words)splat(0) + 7;
#pragma GCC unroll 8
        for (size_t i = 0; i < 8; i++) x[i] = splat(delta[i]) + LOAD(move + i * 8 + at);
        best = NAMED(larger)(NAMED(larger)(NAMED(larger)(x[0], x[1]), NAMED(larger)(x[2], x[3])),
                             NAMED(larger)(NAMED(larger)(x[4], x[5]), NAMED(larger)(x[6], x[7])));
        STORE(next + at, best + LOAD(seen + at));
        bar = best - splat(within);
#pragma GCC unroll 8
        for (size_t i = 7; i-- > 0;)
            found = (words)where_less(x[i], bar, (vec)found, (vec)((words)splat(0) + (long long)i));
        *(NAMED(loose_shorts) *)(from + at) = __builtin_convertvector(found, NAMED(shorts));
    }
}

KERNEL void NAMED(step_many)(double *restrict next, uint16_t *restrict from,
                             const double *restrict delta, const double *restrict move,
                             const double *restrict seen, size_t m)
{
    for (size_t j = 0; j < m; j += LANES) {
        vec best = NAMED(largest)(delta, move + j, m);
        NAMED(put_first)(from + j, delta, move + j, m, best);
        STORE(next + j, seen ? best + LOAD(seen + j) : best);
    }
}

static TARGET void NAMED(best_path_steps)(double *restrict delta, uint16_t *restrict from,
                                          const double *restrict move, const double *restrict rows,
                                          const int32_t *restrict at, size_t m, size_t steps)
{
    static const double nothing[8] = {0};
    double *now = delta, *next = delta + m;
    for (size_t t = 0; t < steps; t++) {
        const double *seen = at[t] < 0 ? NULL : rows + (size_t)at[t] * m;
        if (m == 8)
            NAMED(step_eight)(next, from + t * 8, now, move, seen ? seen : nothing);
        else
            NAMED(step_many)(next, from + t * m, now, move, seen, m);
        double *swap = now;
        now = next;
        next = swap;
        if (t % LEVEL_EVERY == LEVEL_EVERY - 1) level_out(now, m);
    }
    if (now != delta) memcpy(delta, now, m * sizeof *delta);
}
