/* SPDX-License-Identifier: MIT */
/* One pass over numbers: sum, extent and what is left of them beyond whole numbers. */

#define PIECES 4

static TARGET void NAMED(look)(cairn_look *restrict out, const double *restrict x, size_t n)
{
    /* adding and taking away 1.5 * 2^52 rounds to the nearest whole number */
    const vec round = splat(6755399441055744.0);
    vec sum[PIECES], low[PIECES], high[PIECES], rest[PIECES];
    size_t i = 0;
#pragma GCC unroll 4
    for (int g = 0; g < PIECES; g++) {
        sum[g] = rest[g] = splat(0);
        low[g] = splat(HUGE_VAL), high[g] = splat(-HUGE_VAL);
    }
    for (; i + PIECES * LANES <= n; i += PIECES * LANES)
#pragma GCC unroll 4
        for (int g = 0; g < PIECES; g++) {
            vec v = LOAD(x + i + g * LANES), d = v - ((v + round) - round);
            sum[g] += v;
            low[g] = where_less(v, low[g], v, low[g]);
            high[g] = where_less(high[g], v, v, high[g]);
            rest[g] = multiply_add(d, d, rest[g]);
        }
    vec all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    vec beyond = (rest[0] + rest[1]) + (rest[2] + rest[3]);
    *out = (cairn_look){add_lanes(all), HUGE_VAL, -HUGE_VAL, add_lanes(beyond)};
    for (int g = 0; g < PIECES; g++)
        for (int l = 0; l < LANES; l++) {
            if (low[g][l] < out->low) out->low = low[g][l];
            if (high[g][l] > out->high) out->high = high[g][l];
        }
    for (; i < n; i++) {
        double d = x[i] - ((x[i] + round[0]) - round[0]);
        out->sum += x[i];
        if (x[i] < out->low) out->low = x[i];
        if (x[i] > out->high) out->high = x[i];
        out->rest += d * d;
    }
}

#undef PIECES
