/* SPDX-License-Identifier: MIT */
/* The logistic function of many scores, with all that a pass of Newton's method needs of it. */

/* e^x for -700 <= x <= 0, right to about one unit of the last digit: x = n ln 2 + r with |r| at
 * most ln 2 / 2, the series of e^r, and n put into the exponent. Adding 1.5 * 2^52 leaves n,
 * rounded, in the last bits. exp_body.h's takes any x, which costs a fifth more here. */
KERNEL vec NAMED(exp_below)(vec x)
{
    static const double series[] = {
        1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
        1.0 / 5040,       1.0 / 720,       1.0 / 120,      1.0 / 24,      1.0 / 6,      0.5};
    vec magic = splat(0x1.8p52), t = multiply_add(x, splat(0x1.71547652b82fep0), magic);
    vec n = t - magic, r = multiply_add(n, splat(-0x1.62e42feep-1), x);
    r = multiply_add(n, splat(-0x1.a39ef35793c76p-33), r);
    vec sum = splat(series[0]);
#pragma GCC unroll 12
    for (int i = 1; i < 12; i++) sum = multiply_add(sum, r, splat(series[i]));
    sum = multiply_add(multiply_add(sum, r, splat(1)), r, splat(1));
    words bits = ((words)t << 52) + (words)splat(1);
    return sum * (vec)bits;
}

/* Sums of one call, in eight lanes. */
typedef struct NAMED(tally) {
    eight product, loss, right, wrong, least, most;
} NAMED(tally);

/* A vector of rows, into the lanes of part p. */
KERNEL void NAMED(sigmoid_rows)(NAMED(tally) *restrict t, int p, vec x, vec sign, double sure,
                                vec *rest, vec *curve)
{
    vec zero = splat(0), one = splat(1), margin = x * sign;
    vec size = where_less(x, zero, x, zero - x), far = splat(-700);
    vec e = NAMED(exp_below)(where_less(size, far, far, size)), share = one / (one + e);
    *rest = where_less(x, zero, e, one) * share - (sign + one) * splat(0.5);
    *curve = e * share * share;
    t->product.part[p] *= one + e;
    t->loss.part[p] += where_less(margin, zero, zero - margin, zero);
    t->right.part[p] += where_less(zero, margin, one, zero);
    t->wrong.part[p] += where_less(splat(sure), margin, zero, one);
    t->least.part[p] = where_less(margin, t->least.part[p], margin, t->least.part[p]);
    t->most.part[p] = where_less(t->most.part[p], margin, margin, t->most.part[p]);
    /* a score that is no number must not get lost */
    t->loss.part[p] += margin * zero;
}

/* What lane l of part p has gathered. */
KERNEL void NAMED(add_lane)(cairn_sigmoid_sums *sums, double *product, const NAMED(tally) * t,
                            int p, int l)
{
    double least = t->least.part[p][l], most = t->most.part[p][l];
    *product *= t->product.part[p][l];
    sums->loss += t->loss.part[p][l];
    sums->right += t->right.part[p][l];
    sums->wrong += t->wrong.part[p][l];
    sums->least = least < sums->least ? least : sums->least;
    sums->most = most > sums->most ? most : sums->most;
}

static TARGET void NAMED(sigmoids)(double *rest, double *restrict curve,
                                   cairn_sigmoid_sums *restrict sums, const double *a,
                                   const double *restrict signs, size_t n, double sure)
{
    const NAMED(tally) none = {eight_of(1), eight_of(0),           eight_of(0),
                               eight_of(0), eight_of(sums->least), eight_of(sums->most)};
    NAMED(tally) t = none;
    double product = 1;
    vec r, c;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) EACH_PART(p)
        {
            size_t at = i + (size_t)p * LANES;
            NAMED(sigmoid_rows)(&t, p, LOAD(a + at), LOAD(signs + at), sure, &r, &c);
            STORE(rest + at, r);
            STORE(curve + at, c);
        }
    EACH_PART(p)
    for (int l = 0; l < LANES; l++) NAMED(add_lane)(sums, &product, &t, p, l);
    for (; i < n; i++) {
        NAMED(tally) one = none;
        NAMED(sigmoid_rows)(&one, 0, splat(a[i]), splat(signs[i]), sure, &r, &c);
        rest[i] = r[0], curve[i] = c[0];
        NAMED(add_lane)(sums, &product, &one, 0, 0);
    }
    sums->loss += cairn_log(product);
}
