/* SPDX-License-Identifier: MIT */
/* One pass over numbers: sum, extent and what is left of them beyond whole numbers. */

#define PIECES 2

static TARGET void NAMED(look)(cairn_look *restrict out, const double *restrict x, size_t n)
{
    /* adding and taking away 1.5 * 2^52 rounds to the nearest whole number */
    const vec round = splat(6755399441055744.0);
    eight sum[PIECES], low[PIECES], high[PIECES], rest[PIECES];
    size_t i = 0;
#pragma GCC unroll 2
    for (int g = 0; g < PIECES; g++) {
        sum[g] = rest[g] = eight_of(0);
        low[g] = eight_of(HUGE_VAL), high[g] = eight_of(-HUGE_VAL);
    }
    for (; i + PIECES * 8 <= n; i += PIECES * 8)
#pragma GCC unroll 2
        for (int g = 0; g < PIECES; g++) EACH_PART(p)
            {
                vec v = LOAD(x + i + g * 8 + p * LANES), d = v - ((v + round) - round);
                sum[g].part[p] += v;
                low[g].part[p] = where_less(v, low[g].part[p], v, low[g].part[p]);
                high[g].part[p] = where_less(high[g].part[p], v, v, high[g].part[p]);
                rest[g].part[p] = multiply_add(d, d, rest[g].part[p]);
            }
    *out = (cairn_look){eight_sum(eight_add(sum[0], sum[1])), HUGE_VAL, -HUGE_VAL,
                        eight_sum(eight_add(rest[0], rest[1]))};
    for (int g = 0; g < PIECES; g++) EACH_PART(p)
    for (int l = 0; l < LANES; l++) {
        if (low[g].part[p][l] < out->low) out->low = low[g].part[p][l];
        if (high[g].part[p][l] > out->high) out->high = high[g].part[p][l];
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
