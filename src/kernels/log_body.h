/* SPDX-License-Identifier: MIT */
/* The natural logarithm in every lane: x = 2^k m with m about 1, f = m - 1, s = f / (2 + f), and
 * ln(1 + f) = 2 artanh s = f - (f^2 / 2 - s (f^2 / 2 + s^2 q(s^2))). As exp_body.h, it gives the
 * same bits at every level; below one unit of the last digit. */

KERNEL vec NAMED(log_vec)(vec x)
{
    static const REAL q[] = {LOG_Q}; /* highest power first */
    const WORD one = (WORD)BIAS << FRACTION, fraction = ((WORD)1 << FRACTION) - 1;
    const vec zero = SPLAT(0), rise = SPLAT((WORD)1 << (FRACTION + 2));
    /* denormal numbers are made larger; what lies at 0 or below is mended at the end */
    words tiny = x < SPLAT(SMALLEST);
    vec y = NAMED(where)(tiny, x * rise, x);

    words bits = (words)y + (one - LOG_START);
    words whole = (words)((uwords)bits >> FRACTION) | ((WORD)(BIAS + FRACTION) << FRACTION);
    vec k = (vec)whole - SPLAT((REAL)((WORD)1 << FRACTION) + BIAS);
    k -= NAMED(where)(tiny, SPLAT(FRACTION + 2), zero);
    vec f = (vec)((bits & fraction) + LOG_START) - SPLAT(1);

    vec s = f / (SPLAT(2) + f), z = s * s, half = SPLAT(0.5) * f * f, sum = SPLAT(q[0]);
    UNROLL
    for (size_t i = 1; i < sizeof q / sizeof *q; i++) sum = FUSE(sum, z, SPLAT(q[i]));
    vec low = FUSE(s, FUSE(z, sum, half), k * SPLAT(LN2_LOW));
    vec result = FUSE(k, SPLAT(LN2_HIGH), f - (half - low));

    vec infinite = SPLAT(__builtin_inf());
    result = NAMED(where)(x == infinite, infinite, result);
    result = NAMED(where)(x == zero, zero - infinite, result);
    result = NAMED(where)(x < zero, SPLAT(__builtin_nan("")), result);
    return NAMED(where)((x < zero) | (x >= zero), result, x); /* a NaN passes */
}
