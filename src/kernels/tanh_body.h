/* SPDX-License-Identifier: MIT */
/* tanh in every lane: e / (e + 2) with e = exp(2 |x|) - 1, which is 2^n p + (2^n - 1) with
 * p = exp(r) - 1 by exp_body.h's polynomial. Within 2.5 units of the last digit. */

KERNEL vec NAMED(tanh_vec)(vec x)
{
    static const REAL q[] = {EXP_Q}; /* highest power first */
    const words sign = (words)SPLAT(-0.0);
    vec size = (vec)((words)x & ~sign);
    size = NAMED(where)(size > SPLAT(TANH_FLAT), SPLAT(TANH_FLAT), size);

    vec twice = size + size, n = FUSE(twice, SPLAT(LOG2_E), SPLAT(SHIFTER)) - SPLAT(SHIFTER);
    vec r = FUSE(n, SPLAT(-LN2_HIGH), twice);
    r = FUSE(n, SPLAT(-LN2_LOW), r);
    vec sum = SPLAT(q[0]);
    UNROLL
    for (size_t i = 1; i < sizeof q / sizeof *q; i++) sum = FUSE(sum, r, SPLAT(q[i]));
    vec power = NAMED(power_of_two)(n);
    vec e = FUSE(FUSE(r * r, sum, r), power, power - SPLAT(1));
    return (vec)((words)(e / (e + SPLAT(2))) | ((words)x & sign));
}
