/* SPDX-License-Identifier: MIT */
/* Elementary functions in pairs of doubles, rounded to double at the end. exp, log and log2, which
 * loops call, have a quick form in double: the leading part of the result is exact, the rest is
 * small, and one addition rounds their sum. Later terms of series are small, too: plain doubles do
 * for them. */
#include "base/functions.h"
#include "base/functions_tables.h"
#include "base/pair.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef cairn_pair wide;

static const wide ln_2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
static const wide over_ln_2 = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
static const wide pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const wide half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const wide one = {1, 0};

/* A series with its highest power first, of which the first `plain` numbers are doubles in effect.
 * */
#define POLYNOMIAL(series, plain, x) polynomial(series, sizeof(series) / sizeof *(series), plain, x)

static wide polynomial(const wide *series, size_t n, size_t plain, wide x)
{
    double start = series[0].high;
    for (size_t i = 1; i < plain; i++) start = start * x.high + series[i].high;
    wide sum = cairn_pair_of(start);
    for (size_t i = plain; i < n; i++) sum = cairn_pair_add(cairn_pair_times(sum, x), series[i]);
    return sum;
}

/* -- exponentials -- */

static double power_of_two(int n) /* of normal range */
{
    uint64_t bits = (uint64_t)(n + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* e^r - 1 for |r| up to ln 2 / 64, and somewhat beyond */
static inline wide exp_rest(wide r)
{
    double x = r.high, square = x * x;
    double later =
        square * x *
        (1.0 / 6 +
         x * (1.0 / 24 + x * (1.0 / 120 + x * (1.0 / 720 + x * (1.0 / 5040 + x * (1.0 / 40320))))));
    wide half = cairn_pair_shift(cairn_pair_times(r, r), 0.5);
    return cairn_pair_add(r, cairn_pair_plus(half, later));
}

/* e^x 2^*n for |x| at most 11000: x = k ln 2 / 32 + r. The high part of ln 2 / 32 has 36 bits, so
 * that its product with k is exact. */
static wide exp_parts(wide x, int *n)
{
    const wide low = {0x1.cf79abc9e3b3ap-45, -0x1.ff0342542fc33p-99};
    int k = (int)lrint(x.high * 46.166241308446828384);
    wide r = cairn_pair_less(cairn_pair_plus(x, -k * 0x1.62e42fefap-6), cairn_pair_scaled(low, k));
    wide start = powers[k & 31];
    *n += k >> 5;
    return cairn_pair_add(start, cairn_pair_times(start, exp_rest(r)));
}

static wide exp_wide(wide x, int n)
{
    wide e = exp_parts(x, &n);
    for (; n > 1000; n -= 1000) e = cairn_pair_shift(e, 0x1p1000);
    for (; n < -1000; n += 1000) e = cairn_pair_shift(e, 0x1p-1000);
    return cairn_pair_shift(e, power_of_two(n));
}

/* The same, rounded once where the result has fewer digits than others: in units of its last digit,
 * beside a number of which that is the last digit, too. */
static double exp_rounded(wide x, int n)
{
    const double large = 0x1p52;
    wide e = exp_parts(x, &n);
    if (n >= -1022) return ldexp(e.high, n);
    if (n < -1080) return 0;
    return ldexp(cairn_pair_plus(cairn_pair_shift(e, power_of_two(n + 1074)), large).high - large,
                 -1074);
}

static double held(double x, double most)
{
    return x > most ? most : x < -most ? -most : x;
}

double cairn_exp(double x)
{
    if (fabs(x) < 700) {
        /* e^x for |x| at most 700: x = k ln 2 / 128 + r; k times the high part, of 34 bits, is
         * exact. */
        int k = (int)lrint(x * 0x1.71547652b82fep+7);
        double r = (x - k * 0x1.62e42fef8p-8) - k * 0x1.1cf79abc9e3b4p-43, square = r * r;
        const struct quick_power *p = &quick_powers[k & 127];
        double small = p->rest + r + square * (0.5 + r * (1.0 / 6)) +
                       square * square * (1.0 / 24 + r * (1.0 / 120));
        return (p->power + p->power * small) * power_of_two(k >> 7);
    }
    return isnan(x) ? x : exp_rounded(cairn_pair_of(held(x, 2000)), 0);
}

double cairn_exp2(double x)
{
    if (isnan(x)) return x;
    double near = held(x, 2000);
    int whole = (int)lrint(near);
    return exp_rounded(cairn_pair_scaled(ln_2, near - whole), whole);
}

/* Of x at most 720, where e^x is no infinity. */
static wide expm1_wide(double x)
{
    wide wider = cairn_pair_of(x);
    return fabs(x) < 0.0108 ? exp_rest(wider) : cairn_pair_plus(exp_wide(wider, 0), -1);
}

double cairn_expm1(double x)
{
    if (isnan(x) || x == 0) return x;
    return x > 705 ? cairn_exp(x) : expm1_wide(held(x, 705)).high;
}

/* Halves of e^x where that itself overflows. */
static double half_exp(double x)
{
    return isinf(x) || x > 2000 ? HUGE_VAL : exp_rounded(cairn_pair_of(x), -1);
}

double cairn_sinh(double x)
{
    if (isnan(x) || x == 0) return x;
    if (fabs(x) > 40) return copysign(half_exp(fabs(x)), x);
    wide rest = expm1_wide(fabs(x));
    wide sum = cairn_pair_add(rest, cairn_pair_over(rest, cairn_pair_plus(rest, 1)));
    return copysign(sum.high / 2, x);
}

double cairn_cosh(double x)
{
    if (isnan(x)) return x;
    if (fabs(x) > 40) return half_exp(fabs(x));
    wide e = exp_wide(cairn_pair_of(fabs(x)), 0);
    return cairn_pair_add(e, cairn_pair_over(one, e)).high / 2;
}

double cairn_tanh(double x)
{
    if (isnan(x) || x == 0) return x;
    wide rest = expm1_wide(2 * fabs(held(x, 50)));
    return copysign(cairn_pair_over(rest, cairn_pair_plus(rest, 2)).high, x);
}

/* -- logarithms -- */

/* ln(1 + r) for |r| up to 1 / 128 */
static inline wide log_rest(wide r)
{
    double x = r.high, square = x * x;
    double later =
        square * x *
        (1.0 / 3 +
         x * (-1.0 / 4 +
              x * (1.0 / 5 + x * (-1.0 / 6 + x * (1.0 / 7 + x * (-1.0 / 8 + x * (1.0 / 9)))))));
    wide half = cairn_pair_shift(cairn_pair_times(r, r), -0.5);
    return cairn_pair_add(r, cairn_pair_plus(half, later));
}

/* A positive number of normal range as 2^k m, 0.6875 <= m < 1.375; m lies in part i of that range,
 * with the middle c = middles[i]. */
typedef struct parted {
    int k;
    size_t i;
    double m;
} parted;

static inline parted part(double x)
{
    const uint64_t start = UINT64_C(0x3fe6) << 48, exponent = UINT64_C(0xfff) << 52;
    uint64_t bits;
    parted p;
    memcpy(&bits, &x, sizeof bits);
    uint64_t beyond = bits - start;
    p.k = (int)((int64_t)beyond >> 52);
    p.i = beyond >> 45 & 127;
    bits -= beyond & exponent;
    memcpy(&p.m, &bits, sizeof p.m);
    return p;
}

/* ln m of x = 2^k m; x is positive, finite and of double's range. m = c (1 + r). */
static wide log_parts(wide x, int *k)
{
    *k = 0;
    if (x.high < 0x1p-900) x = cairn_pair_shift(x, 0x1p200), *k = -200;
    if (x.high > 0x1p900) x = cairn_pair_shift(x, 0x1p-200), *k = 200;
    parted p = part(x.high);
    *k += p.k;
    wide m = cairn_pair_shift(x, power_of_two(-p.k));
    wide r = cairn_pair_times(cairn_pair_plus(m, -middles[p.i]), inverses[p.i]);
    return cairn_pair_add(logarithms[p.i], log_rest(r));
}

/* Where ln 2's high part has 42 bits, its product with k is exact. */
static wide log_wide(wide x)
{
    const wide low = {0x1.ef35793c7673p-45, 0x1.f97b57a079a19p-103};
    int k;
    wide of_m = log_parts(x, &k);
    return cairn_pair_plus(cairn_pair_add(of_m, cairn_pair_scaled(low, k)), k * 0x1.62e42fefa38p-1);
}

/* Whether x has a finite logarithm; if not, what it is instead. */
static int is_usual(double x, double *instead)
{
    if (x > 0 && x < HUGE_VAL) return 1;
    *instead = x == 0 ? -HUGE_VAL : x > 0 || isnan(x) ? x : NAN;
    return 0;
}

/* Whether the quick forms are good enough: not near 1, where a logarithm is small. */
static int is_quick(double x)
{
    return (x < 0.96875 || x > 1.03125) && x > 0x1p-900 && x < 0x1p900;
}

/* ln(1 + r) - r for |r| up to 1 / 128 */
static inline double quick_log_rest(double r)
{
    double square = r * r;
    return square * (-0.5 + r * (1.0 / 3) + square * (-0.25 + r * (1.0 / 5)) +
                     square * square * (-1.0 / 6 + r * (1.0 / 7)));
}

/* high + low + rest, where high is exact and above low in size; rounded once but for rest. */
static inline double join(double high, double low, double rest)
{
    double sum = high + low;
    return sum + (((high - sum) + low) + rest);
}

/* ln x + more, where `more` is small beside it */
static double quick_ln(double x, double more)
{
    parted p = part(x);
    const struct quick_log *c = &quick_logs[p.i];
    double r = (p.m - middles[p.i]) * c->inverse, high = p.k * 0x1.62e42fefa38p-1 + c->ln;
    return join(high, r, quick_log_rest(r) + (c->ln_rest + p.k * 0x1.ef35793c76730p-45 + more));
}

double cairn_log(double x)
{
    double instead;
    if (is_quick(x)) return quick_ln(x, 0);
    return is_usual(x, &instead) ? log_wide(cairn_pair_of(x)).high : instead;
}

double cairn_log2(double x)
{
    double instead;
    int k;
    if (is_quick(x)) {
        /* As quick_ln; r / ln 2 as an exact product of leading digits and a rest. */
        const double scale = 0x1.71547652b82fep+0, scale_high = 0x1.71547650p+0,
                     scale_low = 0x1.5c17f0bbbe880p-31;
        parted p = part(x);
        const struct quick_log *c = &quick_logs[p.i];
        double r = (p.m - middles[p.i]) * c->inverse, r_high = (float)r, r_low = r - r_high;
        double rest = (quick_log_rest(r) + r_low) * scale + r_high * scale_low + c->log2_rest;
        return join(p.k + c->log2, r_high * scale_high, rest);
    }
    if (!is_usual(x, &instead)) return instead;
    wide of_m = log_parts(cairn_pair_of(x), &k);
    return cairn_pair_plus(cairn_pair_times(of_m, over_ln_2), k).high;
}

double cairn_log10(double x)
{
    const wide over_ln_10 = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
    double instead;
    if (!is_usual(x, &instead)) return instead;
    return cairn_pair_times(log_wide(cairn_pair_of(x)), over_ln_10).high;
}

double cairn_log1p(double x)
{
    double instead, u = 1 + x;
    if (is_quick(u) && fabs(x) < 0x1p50) return quick_ln(u, (x - (u - 1)) / u);
    if (x == 0) return x;
    if (!is_usual(u, &instead)) return instead;
    return log_wide(cairn_pair_sum(1, x)).high;
}

/* x^y = 2^(k y) m^y; the product k y is exact, so that powers of two are, too. */
static double usual_power(double x, double y)
{
    int k;
    wide of_m = log_parts(cairn_pair_of(x), &k);
    double bits = (k + of_m.high * over_ln_2.high) * y;
    if (!(fabs(bits) <= 2000)) return bits > 0 ? HUGE_VAL : 0;
    wide twos = cairn_pair_product(k, y);
    int whole = (int)lrint(twos.high);
    wide rest = cairn_pair_times(cairn_pair_plus(twos, -whole), ln_2);
    return exp_rounded(cairn_pair_add(cairn_pair_scaled(of_m, y), rest), whole);
}

/* Where x or y is 0, infinite or missing. */
static double unusual_power(double x, double y)
{
    if (y == 0 || x == 1) return 1;
    if (isnan(x) || isnan(y)) return NAN;
    if (isinf(y)) return fabs(x) == 1 ? 1 : (fabs(x) > 1) == (y > 0) ? HUGE_VAL : 0;
    double size = (x == 0) == (y > 0) ? 0 : HUGE_VAL; /* of 0 or an infinity */
    return signbit(x) && fabs(fmod(y, 2)) == 1 ? -size : size;
}

double cairn_pow(double x, double y)
{
    if (!(fabs(x) > 0 && fabs(x) < HUGE_VAL && fabs(y) > 0 && fabs(y) < HUGE_VAL))
        return unusual_power(x, y);
    if (x == 1) return 1;
    if (x > 0) return usual_power(x, y);
    if (y != floor(y)) return NAN;
    double size = x == -1 ? 1 : usual_power(-x, y);
    return fmod(y, 2) == 0 ? size : -size;
}

double cairn_cbrt(double x)
{
    const wide third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
    if (!(fabs(x) > 0 && fabs(x) < HUGE_VAL)) return x;
    wide part = cairn_pair_times(log_wide(cairn_pair_of(fabs(x))), third);
    return copysign(exp_wide(part, 0).high, x);
}

/* -- angles -- */

/* Bits [bit, bit + 64) of 2 / pi, the first bit after the point being bit 0; before it are zeros.
 * */
static uint64_t bits_of_inverse(int bit)
{
    size_t word = (size_t)(bit + 64) / 64, shift = (size_t)(bit + 64) % 64;
    uint64_t high = two_over_pi[word] << shift;
    return shift ? high | two_over_pi[word + 1] >> (64 - shift) : high;
}

/* A fraction of four words, the first the highest, as a number. */
static wide fraction(const uint64_t f[4])
{
    size_t first = 0;
    while (first < 3 && f[first] == 0) first++;
    wide sum = {0, 0};
    double place = 0x1p-32; /* of the upper half of a word */
    for (size_t i = 0; i < first; i++) place *= 0x1p-64;
    for (size_t i = first; i < 4; i++, place *= 0x1p-64) {
        sum = cairn_pair_plus(sum, (double)(f[i] >> 32) * place);
        sum = cairn_pair_plus(sum, (double)(f[i] & 0xffffffff) * place * 0x1p-32);
    }
    return sum;
}

/* x = quarter pi / 2 + r, |r| at most pi / 4, for 1/2 <= x < inf: x 2 / pi in whole numbers, m 2^e
 * times 256 bits of 2 / pi from the first that matters, since multiples of 4 turns do not (Payne &
 * Hanek 1983). */
static wide reduce(double x, unsigned *quarter)
{
    int e;
    uint64_t m = (uint64_t)ldexp(frexp(x, &e), 53), product[4], carry = 0;
    e -= 53;
    for (int i = 4; i-- > 0;) {
        unsigned __int128 part = (unsigned __int128)m * bits_of_inverse(e - 2 + 64 * i) + carry;
        product[i] = (uint64_t)part;
        carry = (uint64_t)(part >> 64);
    }
    *quarter = (unsigned)(product[0] >> 62);
    for (size_t i = 0; i < 4; i++)
        product[i] = product[i] << 2 | (i < 3 ? product[i + 1] >> 62 : 0);
    bool beyond = product[0] >> 63;
    for (size_t i = 0; beyond && i < 4; i++) product[i] = ~product[i]; /* less than one bit off */
    *quarter += beyond;
    wide r = cairn_pair_times(fraction(product), half_pi);
    return beyond ? cairn_pair_minus(r) : r;
}

/* sin r and cos r for |r| up to pi / 4 and somewhat beyond */
static wide sine(wide r)
{
    const wide third = {0x1.5555555555555p-3, 0x1.5555555555555p-57};
    const wide fifth = {0x1.1111111111111p-7, 0x1.1111111111111p-63};
    wide square = cairn_pair_times(r, r);
    double z = square.high;
    double later =
        z * (-1.0 / 5040 +
             z * (1.0 / 362880 +
                  z * (-1.0 / 39916800 +
                       z * (1.0 / 6227020800 +
                            z * (-1.0 / 1307674368000 +
                                 z * (1.0 / 355687428096000 - z * (1.0 / 121645100408832000)))))));
    wide sum = cairn_pair_less(cairn_pair_times(square, cairn_pair_plus(fifth, later)), third);
    return cairn_pair_add(r, cairn_pair_times(cairn_pair_times(r, square), sum));
}

static wide cosine(wide r)
{
    const wide fourth = {0x1.5555555555555p-5, 0x1.5555555555555p-59};
    wide square = cairn_pair_times(r, r);
    double z = square.high;
    double later =
        z * (-1.0 / 720 +
             z * (1.0 / 40320 +
                  z * (-1.0 / 3628800 +
                       z * (1.0 / 479001600 + z * (-1.0 / 87178291200 +
                                                   z * (1.0 / 20922789888000 +
                                                        z * (-1.0 / 6402373705728000 +
                                                             z * (1.0 / 2432902008176640000))))))));
    wide sum = cairn_pair_times(square, cairn_pair_plus(fourth, later));
    return cairn_pair_plus(cairn_pair_times(square, cairn_pair_plus(sum, -0.5)), 1);
}

/* The sine of x >= 0 and `ahead` quarters of a turn. */
static wide turned_sine(double x, unsigned ahead)
{
    unsigned quarter = 0;
    wide r = x < 0.5 ? cairn_pair_of(x) : reduce(x, &quarter);
    quarter += ahead;
    wide size = quarter & 1 ? cosine(r) : sine(r);
    return quarter & 2 ? cairn_pair_minus(size) : size;
}

double cairn_sin(double x)
{
    if (isnan(x) || isinf(x)) return NAN;
    if (fabs(x) < 0x1p-27) return x; /* the next term is below half of the last digit */
    double size = turned_sine(fabs(x), 0).high;
    return x < 0 ? -size : size;
}

double cairn_cos(double x)
{
    return isnan(x) || isinf(x) ? NAN : turned_sine(fabs(x), 1).high;
}

double cairn_tan(double x)
{
    if (isnan(x) || isinf(x)) return NAN;
    if (fabs(x) < 0x1p-27) return x;
    unsigned quarter = 0;
    wide r = fabs(x) < 0.5 ? cairn_pair_of(fabs(x)) : reduce(fabs(x), &quarter);
    wide up = sine(r), down = cosine(r);
    double size = quarter & 1 ? -cairn_pair_over(down, up).high : cairn_pair_over(up, down).high;
    return x < 0 ? -size : size;
}

/* Of 0 <= x: atan x = atan c + atan((x - c) / (1 + x c)). */
static wide atan_wide(wide x)
{
    if (x.high > 1) return cairn_pair_less(half_pi, atan_wide(cairn_pair_over(one, x)));
    int i = (int)(x.high * 32 + 0.5);
    double c = i / 32.0;
    wide below = cairn_pair_plus(cairn_pair_scaled(x, c), 1);
    wide z = cairn_pair_over(cairn_pair_plus(x, -c), below);
    double square = z.high * z.high;
    double later =
        z.high * square *
        (-1.0 / 3 +
         square * (1.0 / 5 + square * (-1.0 / 7 + square * (1.0 / 9 + square * (-1.0 / 11)))));
    return cairn_pair_add(angles[i], cairn_pair_plus(z, later));
}

double cairn_atan(double x)
{
    if (isnan(x) || fabs(x) < 0x1p-30) return x;
    wide angle = fabs(x) < 0x1p60 ? atan_wide(cairn_pair_of(fabs(x))) : half_pi;
    return copysign(angle.high, x);
}

/* Of positive numbers; a quotient that is no usual number is next to 0. */
static wide angle_of(double y, double x)
{
    if (y > x) return cairn_pair_less(half_pi, angle_of(x, y));
    double quotient = y / x;
    if (quotient < 0x1p-60) return cairn_pair_of(quotient);
    int by;
    (void)frexp(x, &by);
    return atan_wide(cairn_pair_over(cairn_pair_of(ldexp(y, -by)), cairn_pair_of(ldexp(x, -by))));
}

double cairn_atan2(double y, double x)
{
    if (isnan(x) || isnan(y)) return x + y;
    wide angle = {0, 0};
    if (y != 0)
        angle = isinf(x) && isinf(y) ? cairn_pair_shift(half_pi, 0.5) : angle_of(fabs(y), fabs(x));
    return copysign(signbit(x) ? cairn_pair_less(pi, angle).high : angle.high, y);
}

double cairn_asin(double x)
{
    if (isnan(x) || fabs(x) < 0x1p-30) return x;
    if (fabs(x) > 1) return NAN;
    double size = fabs(x);
    if (size == 1) return copysign(half_pi.high, x);
    wide square = cairn_pair_times(cairn_pair_sum(1, -size), cairn_pair_sum(1, size));
    wide tangent = cairn_pair_over(cairn_pair_of(size), cairn_pair_root(square));
    return copysign(atan_wide(tangent).high, x);
}

double cairn_acos(double x)
{
    if (isnan(x)) return x;
    if (fabs(x) > 1) return NAN;
    if (x == 1) return 0;
    if (x == -1) return pi.high;
    wide square = cairn_pair_over(cairn_pair_sum(1, -x), cairn_pair_sum(1, x));
    return 2 * atan_wide(cairn_pair_root(square)).high;
}

double cairn_hypot(double x, double y)
{
    if (isinf(x) || isinf(y)) return HUGE_VAL;
    if (isnan(x) || isnan(y)) return x + y;
    double most = fmax(fabs(x), fabs(y)), least = fmin(fabs(x), fabs(y));
    if (least == 0) return most;
    int by;
    (void)frexp(most, &by);
    most = ldexp(most, -by), least = ldexp(least, -by);
    if (least < 0x1p-60) least = 0;
    wide square = cairn_pair_add(cairn_pair_product(most, most), cairn_pair_product(least, least));
    return ldexp(cairn_pair_root(square).high, by);
}

/* -- of distributions -- */

/* Of x from 1/2 on: exp(-x^2) times a smooth function of x, in three pieces. */
static wide erfc_wide(double x)
{
    wide smooth, square = cairn_pair_product(x, x);
    if (x < 1.5) {
        smooth = POLYNOMIAL(erfc_1, 13, cairn_pair_of(2 * (x - 1)));
    } else if (x < 4) {
        smooth =
            POLYNOMIAL(erfc_2, 16, cairn_pair_over(cairn_pair_of(x - 2.75), cairn_pair_of(1.25)));
    } else {
        wide place = cairn_pair_plus(cairn_pair_over(cairn_pair_of(32), square), -1);
        smooth = cairn_pair_over(POLYNOMIAL(erfc_3, 15, place), cairn_pair_of(x));
    }
    return cairn_pair_times(smooth, exp_wide(cairn_pair_minus(square), 0));
}

static wide erf_near_0(double x)
{
    return cairn_pair_scaled(POLYNOMIAL(erf_small, 11, cairn_pair_product(x, x)), x);
}

double cairn_erf(double x)
{
    if (isnan(x) || x == 0) return x;
    double size = fabs(x);
    if (size > 7) return copysign(1, x);
    if (size < 0x1p-200) return x * erf_small[15].high;
    wide part = size < 0.5 ? erf_near_0(size) : cairn_pair_less(one, erfc_wide(size));
    return copysign(part.high, x);
}

double cairn_erfc(double x)
{
    if (isnan(x)) return x;
    if (fabs(x) < 0x1p-200) return 1;
    if (fabs(x) < 0.5) return cairn_pair_less(one, erf_near_0(x)).high;
    wide tail = fabs(x) > 30 ? cairn_pair_of(0) : erfc_wide(fabs(x));
    return x < 0 ? cairn_pair_less(cairn_pair_of(2), tail).high : tail.high;
}

/* Of x > 0, of usual size. Near 1 and 2, where it is 0, a series; elsewhere Stirling's formula from
 * 16 on, to which gamma(x) = gamma(x + n) / (x (x + 1) ... (x + n - 1)) leads. */
static wide lgamma_wide(wide x)
{
    const wide half_ln_2_pi = {0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55};
    wide off = cairn_pair_plus(x, -1), product = one;
    if (fabs(off.high) <= 0.25) return cairn_pair_times(off, POLYNOMIAL(gamma_near_1, 21, off));
    off = cairn_pair_plus(x, -2);
    if (fabs(off.high) <= 0.25)
        return cairn_pair_add(cairn_pair_times(off, POLYNOMIAL(gamma_near_1, 21, off)),
                              log_wide(cairn_pair_plus(off, 1)));
    for (; x.high < 16; x = cairn_pair_plus(x, 1)) product = cairn_pair_times(product, x);
    wide inverse = cairn_pair_over(one, x), square = cairn_pair_times(inverse, inverse);
    wide sum = cairn_pair_times(POLYNOMIAL(stirling, 6, square), inverse);
    sum = cairn_pair_less(cairn_pair_add(sum, half_ln_2_pi), x);
    sum = cairn_pair_add(sum, cairn_pair_times(cairn_pair_plus(x, -0.5), log_wide(x)));
    return cairn_pair_less(sum, log_wide(product));
}

/* x (ln x - 1), beside which the rest is nothing, where pairs would overflow */
static double lgamma_huge(double x)
{
    return x > 0x1p1014 ? HUGE_VAL : x * (cairn_log(x) - 1);
}

/* |sin(pi x)|, x no whole number */
static wide sine_of_turns(double x)
{
    double off = fabs(x - floor(x + 0.5));
    if (off <= 0.25) return sine(cairn_pair_scaled(pi, off));
    return cosine(cairn_pair_scaled(pi, 0.5 - off));
}

double cairn_lgamma(double x)
{
    if (!(fabs(x) < HUGE_VAL)) return x * x;
    if (x == 1 || x == 2) return 0;
    if (x > 0x1p900) return lgamma_huge(x);
    if (x > 0) return x < 0x1p-70 ? -cairn_log(x) : lgamma_wide(cairn_pair_of(x)).high;
    if (x == floor(x)) return HUGE_VAL;
    if (x > -0x1p-70) return -cairn_log(-x);
    /* gamma(x) gamma(1 - x) = pi / sin(pi x) */
    wide size = log_wide(cairn_pair_over(pi, sine_of_turns(x)));
    return cairn_pair_less(size, lgamma_wide(cairn_pair_sum(1, -x))).high;
}
