/* SPDX-License-Identifier: MIT */
/* Elementary functions in long double, rounded to double at the end. exp, log and log2, which loops
 * call, have a quick form in double: the leading part of the result is exact, the rest is small,
 * and one addition rounds their sum. */
#include "base/functions.h"
#include "base/functions_tables.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef long double wide;

static const wide ln_2 = 0.693147180559945309417232L, pi = 3.14159265358979323846264L;

#define POLYNOMIAL(series, x) polynomial(series, sizeof(series) / sizeof *(series), x)

static inline wide polynomial(const wide *series, size_t n, wide x)
{
    wide sum = series[0];
    for (size_t i = 1; i < n; i++) sum = sum * x + series[i];
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
    static const wide series[] = {1.0L / 40320, 1.0L / 5040, 1.0L / 720, 1.0L / 120,
                                  1.0L / 24,    1.0L / 6,    0.5L,       1.0L};
    return POLYNOMIAL(series, r) * r;
}

/* e^x 2^n for |x| at most 11000 and |n| at most 5000: x = k ln 2 / 32 + r. The high part of
 * ln 2 / 32 has 45 bits, so that its product with k is exact. */
static wide exp_wide(wide x, int n)
{
    const wide high = 0x162e42fefa39p-50L, low = 0xef35793c7673007ep-114L;
    int k = (int)lrint((double)x * 46.166241308446828384);
    wide r = (x - k * high) - k * low, start = powers[k & 31], e = start + start * exp_rest(r);
    n += k >> 5;
    for (; n > 1000; n -= 1000) e *= 0x1p1000L;
    for (; n < -1000; n += 1000) e *= 0x1p-1000L;
    return e * (wide)power_of_two(n);
}

static wide held(wide x, wide most)
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
    return isnan(x) ? x : (double)exp_wide(held(x, 2000), 0);
}

double cairn_exp2(double x)
{
    if (isnan(x)) return x;
    double near = (double)held(x, 2000);
    int whole = (int)lrint(near);
    return (double)exp_wide((near - whole) * ln_2, whole);
}

static wide expm1_wide(wide x)
{
    return fabsl(x) < 0.0108L ? exp_rest(x) : exp_wide(x, 0) - 1;
}

double cairn_expm1(double x)
{
    return isnan(x) || x == 0 ? x : (double)expm1_wide(held(x, 2000));
}

double cairn_sinh(double x)
{
    if (isnan(x) || x == 0) return x;
    wide rest = expm1_wide(fabsl(held(x, 2000))), half = (rest + rest / (rest + 1)) / 2;
    return copysign((double)half, x);
}

double cairn_cosh(double x)
{
    if (isnan(x)) return x;
    wide e = exp_wide(fabsl(held(x, 2000)), 0);
    return (double)((e + 1 / e) / 2);
}

double cairn_tanh(double x)
{
    if (isnan(x) || x == 0) return x;
    wide rest = expm1_wide(2 * fabsl(held(x, 50)));
    return copysign((double)(rest / (rest + 2)), x);
}

/* -- logarithms -- */

/* ln(1 + r) for |r| up to 1 / 128 */
static inline wide log_rest(wide r)
{
    static const wide series[] = {1.0L / 9,  -1.0L / 8, 1.0L / 7,  -1.0L / 6, 1.0L / 5,
                                  -1.0L / 4, 1.0L / 3,  -1.0L / 2, 1.0L};
    return POLYNOMIAL(series, r) * r;
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
    if (x < 0x1p-900L) x *= 0x1p200L, *k = -200;
    if (x > 0x1p900L) x *= 0x1p-200L, *k = 200;
    parted p = part((double)x);
    *k += p.k;
    wide m = x * power_of_two(-p.k);
    return logarithms[p.i] + log_rest((m - middles[p.i]) * inverses[p.i]);
}

/* Where ln 2's high part has 50 bits, its product with k is exact. */
static wide log_wide(wide x)
{
    int k;
    wide of_m = log_parts(x, &k);
    return k * 0x2c5c85fdf473dp-50L + (of_m + k * 0xe6af278ece600fccp-114L);
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
    return is_usual(x, &instead) ? (double)log_wide(x) : instead;
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
    wide of_m = log_parts(x, &k);
    return (double)(k + of_m / ln_2);
}

double cairn_log10(double x)
{
    double instead;
    return is_usual(x, &instead) ? (double)(log_wide(x) * 0.434294481903251827651129L) : instead;
}

/* u = 1 + x, rounded, and what rounding took: the derivative 1 / u puts it back. */
static wide log1p_wide(wide x)
{
    wide u = 1 + x;
    return log_wide(u) + (x - (u - 1)) / u;
}

double cairn_log1p(double x)
{
    double instead, u = 1 + x;
    if (is_quick(u) && fabs(x) < 0x1p50) return quick_ln(u, (x - (u - 1)) / u);
    if (x == 0) return x;
    if (!is_usual(u, &instead)) return instead;
    return (double)log1p_wide(x);
}

/* x^y = 2^(k y) m^y; the product k y is exact, so that powers of two are, too. */
static double usual_power(double x, double y)
{
    int k;
    wide of_m = log_parts(x, &k), bits = (k + of_m / ln_2) * y;
    if (fabsl(bits) > 2000) return bits > 0 ? HUGE_VAL : 0;
    wide twos = (wide)k * y;
    int whole = (int)lrintl(twos);
    return (double)exp_wide(y * of_m + (twos - whole) * ln_2, whole);
}

/* The C library answers where the answer is exact by definition (NaN, zeros, infinities). */
double cairn_pow(double x, double y)
{
    if (!(fabs(x) > 0 && fabs(x) < HUGE_VAL && fabs(y) > 0 && fabs(y) < HUGE_VAL)) return pow(x, y);
    if (x > 0) return usual_power(x, y);
    if (y != floor(y)) return NAN;
    double size = usual_power(-x, y);
    return fmod(y, 2) == 0 ? size : -size;
}

double cairn_cbrt(double x)
{
    if (!(fabs(x) > 0 && fabs(x) < HUGE_VAL)) return x;
    return copysign((double)exp_wide(log_wide(fabs(x)) / 3, 0), x);
}

/* -- angles -- */

/* The C library's long double sine is one for all processors. */
double cairn_sin(double x)
{
    return x == 0 ? x : (double)sinl(x);
}

double cairn_cos(double x)
{
    return (double)cosl(x);
}

double cairn_tan(double x)
{
    return x == 0 ? x : (double)tanl(x);
}

/* Of 0 <= x: atan x = atan c + atan((x - c) / (1 + x c)). */
static wide atan_wide(wide x)
{
    static const wide series[] = {-1.0L / 11, 1.0L / 9, -1.0L / 7, 1.0L / 5, -1.0L / 3};
    if (x > 1) return pi / 2 - atan_wide(1 / x);
    int i = (int)(x * 32 + 0.5L);
    wide c = i / 32.0L, z = (x - c) / (1 + x * c), square = z * z;
    return angles[i] + (z + z * square * POLYNOMIAL(series, square));
}

double cairn_atan(double x)
{
    return isnan(x) || x == 0 ? x : copysign((double)atan_wide(fabs(x)), x);
}

double cairn_atan2(double y, double x)
{
    if (isnan(x) || isnan(y)) return x + y;
    wide size_x = fabs(x), size_y = fabs(y), angle;
    if (y == 0)
        angle = 0;
    else if (isinf(x) && isinf(y))
        angle = pi / 4;
    else if (size_y > size_x)
        angle = pi / 2 - atan_wide(size_x / size_y);
    else
        angle = atan_wide(size_y / size_x);
    return copysign((double)(signbit(x) ? pi - angle : angle), y);
}

double cairn_asin(double x)
{
    if (isnan(x) || x == 0) return x;
    if (fabs(x) > 1) return NAN;
    wide size = fabs(x);
    if (size == 1) return copysign((double)(pi / 2), x);
    return copysign((double)atan_wide(size / sqrtl((1 - size) * (1 + size))), x);
}

double cairn_acos(double x)
{
    if (isnan(x)) return x;
    if (fabs(x) > 1) return NAN;
    if (x == -1) return (double)pi;
    return (double)(2 * atan_wide(sqrtl((1 - (wide)x) / (1 + (wide)x))));
}

double cairn_hypot(double x, double y)
{
    if (isinf(x) || isinf(y)) return HUGE_VAL;
    return (double)sqrtl((wide)x * x + (wide)y * y);
}

/* -- of distributions -- */

/* Of x from 1/2 on: exp(-x^2) times a smooth function of x, in three pieces. */
static wide erfc_wide(wide x)
{
    wide smooth;
    if (x < 1.5L)
        smooth = POLYNOMIAL(erfc_1, 2 * (x - 1));
    else if (x < 4)
        smooth = POLYNOMIAL(erfc_2, (x - 2.75L) * 0.8L);
    else
        smooth = POLYNOMIAL(erfc_3, 32 / (x * x) - 1) / x;
    return smooth * exp_wide(-x * x, 0);
}

static wide erf_near_0(wide x)
{
    return x * POLYNOMIAL(erf_small, x * x);
}

double cairn_erf(double x)
{
    if (isnan(x) || x == 0) return x;
    wide size = fabs(x);
    wide part = size < 0.5L ? erf_near_0(size) : size > 7 ? 1 : 1 - erfc_wide(size);
    return copysign((double)part, x);
}

double cairn_erfc(double x)
{
    if (isnan(x)) return x;
    if (fabs(x) < 0.5) return (double)(1 - erf_near_0(x));
    wide tail = fabs(x) > 30 ? 0 : erfc_wide(fabs(x));
    return (double)(x < 0 ? 2 - tail : tail);
}

/* Of x > 0. Near 1 and 2, where it is 0, a series; elsewhere Stirling's formula from 16 on, to
 * which gamma(x) = gamma(x + n) / (x (x + 1) ... (x + n - 1)) leads. */
static wide lgamma_wide(wide x)
{
    if (fabsl(x - 1) <= 0.25L) return (x - 1) * POLYNOMIAL(gamma_near_1, x - 1);
    if (fabsl(x - 2) <= 0.25L) return (x - 2) * POLYNOMIAL(gamma_near_1, x - 2) + log1p_wide(x - 2);
    wide product = 1;
    for (; x < 16; x++) product *= x;
    wide inverse = 1 / x, log_x = log_wide(x);
    wide sum = 0.918938533204672741780330L + POLYNOMIAL(stirling, inverse * inverse) * inverse;
    return ((x - 0.5L) * log_x - x + sum) - log_wide(product);
}

double cairn_lgamma(double x)
{
    if (!(fabs(x) < HUGE_VAL)) return x * x;
    if (x == 1 || x == 2) return 0;
    if (x > 0) return x < 0x1p-70 ? (double)-log_wide(x) : (double)lgamma_wide(x);
    if (x == floor(x)) return HUGE_VAL;
    /* gamma(x) gamma(1 - x) = pi / sin(pi x) */
    wide sine = fabsl(sinl(pi * (x - nearbyintl(x))));
    return (double)(log_wide(pi / sine) - lgamma_wide(1 - (wide)x));
}
