/* SPDX-License-Identifier: MIT */
/* The logistic function of many scores, with all that a pass of Newton's method needs of it. */

typedef uint64_t NAMED(whole) __attribute__((vector_size(8 * LANES)));

/* e^x for -700 <= x <= 0, right to about one unit of the last digit: x = n ln 2 + r with |r| at
 * most ln 2 / 2, the series of e^r, and n put into the exponent. Adding 1.5 * 2^52 leaves n,
 * rounded, in the last bits. */
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
    NAMED(whole) bits = ((NAMED(whole))t << 52) + ((NAMED(whole))splat(1));
    return sum * (vec)bits;
}

static TARGET void NAMED(sigmoids)(double *rest, double *restrict curve,
                                   cairn_sigmoid_sums *restrict sums, const double *a,
                                   const double *restrict signs, size_t n, double sure)
{
    vec product = splat(1), loss = splat(0), right = loss, wrong = loss;
    vec least = splat(sums->least), most = splat(sums->most), zero = splat(0), one = splat(1);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        vec x = LOAD(a + i), sign = LOAD(signs + i), margin = x * sign;
        vec size = where_less(x, zero, x, zero - x);
        vec e = NAMED(exp_below)(where_less(size, splat(-700), splat(-700), size));
        vec share = one / (one + e);
        vec p = where_less(x, zero, e, one) * share;
        STORE(rest + i, p - (sign + one) * splat(0.5));
        STORE(curve + i, e * share * share);
        product *= one + e;
        loss += where_less(margin, zero, zero - margin, zero);
        right += where_less(zero, margin, one, zero);
        wrong += where_less(splat(sure), margin, zero, one);
        least = where_less(margin, least, margin, least);
        most = where_less(most, margin, margin, most);
        /* a score that is no number must not get lost */
        loss += margin * zero;
    }
    double all = 1;
    for (int l = 0; l < LANES; l++) {
        all *= product[l];
        sums->least = least[l] < sums->least ? least[l] : sums->least;
        sums->most = most[l] > sums->most ? most[l] : sums->most;
    }
    for (; i < n; i++) {
        double margin = a[i] * signs[i], e = exp(a[i] < 0 ? a[i] : -a[i]), share = 1 / (1 + e);
        rest[i] = (a[i] < 0 ? e : 1) * share - (signs[i] + 1) * 0.5;
        curve[i] = e * share * share;
        all *= 1 + e;
        sums->loss += margin < 0 ? -margin : margin * 0;
        sums->right += margin > 0;
        sums->wrong += !(margin > sure);
        sums->least = margin < sums->least ? margin : sums->least;
        sums->most = margin > sums->most ? margin : sums->most;
    }
    sums->loss += add_lanes(loss) + log(all);
    sums->right += add_lanes(right);
    sums->wrong += add_lanes(wrong);
}
