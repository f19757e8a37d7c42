/* SPDX-License-Identifier: MIT */
/* Numbers of twice the digits: the sum of two doubles, of which the second is at most half a unit
 * of the last digit of the first (Dekker 1971; Knuth, The Art of Computer Programming, 4.2.2). Only
 * additions, products, quotients and roots of doubles, so that the bits are the same on every
 * machine, which those of a long double are not. Sums and products are right to some 2^-102 of the
 * result, quotients and roots to some 2^-100; numbers whose products overflow or fall below 2^-960
 * are not for them. */
#ifndef CAIRN_BASE_PAIR_H
#define CAIRN_BASE_PAIR_H

#include <math.h>

typedef struct cairn_pair {
    double high, low;
} cairn_pair;

static inline cairn_pair cairn_pair_of(double x)
{
    return (cairn_pair){x, 0};
}

/* a + b, exact; |a| is at least |b| */
static inline cairn_pair cairn_pair_join(double a, double b)
{
    double sum = a + b;
    return (cairn_pair){sum, b - (sum - a)};
}

/* a + b, exact */
static inline cairn_pair cairn_pair_sum(double a, double b)
{
    double sum = a + b, of_b = sum - a;
    return (cairn_pair){sum, (a - (sum - of_b)) + (b - of_b)};
}

/* a b, exact: by halves of 26 digits, whose products are */
static inline cairn_pair cairn_pair_product(double a, double b)
{
    const double cut = 0x1.0000002p+27;
    double a_high = cut * a - (cut * a - a), a_low = a - a_high;
    double b_high = cut * b - (cut * b - b), b_low = b - b_high, product = a * b;
    double rest = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    return (cairn_pair){product, rest};
}

static inline cairn_pair cairn_pair_minus(cairn_pair a)
{
    return (cairn_pair){-a.high, -a.low};
}

static inline cairn_pair cairn_pair_add(cairn_pair a, cairn_pair b)
{
    cairn_pair high = cairn_pair_sum(a.high, b.high), low = cairn_pair_sum(a.low, b.low);
    high = cairn_pair_join(high.high, high.low + low.high);
    return cairn_pair_join(high.high, high.low + low.low);
}

static inline cairn_pair cairn_pair_plus(cairn_pair a, double b)
{
    cairn_pair sum = cairn_pair_sum(a.high, b);
    return cairn_pair_join(sum.high, sum.low + a.low);
}

static inline cairn_pair cairn_pair_less(cairn_pair a, cairn_pair b)
{
    return cairn_pair_add(a, cairn_pair_minus(b));
}

static inline cairn_pair cairn_pair_times(cairn_pair a, cairn_pair b)
{
    cairn_pair p = cairn_pair_product(a.high, b.high);
    return cairn_pair_join(p.high, p.low + (a.high * b.low + a.low * b.high));
}

static inline cairn_pair cairn_pair_scaled(cairn_pair a, double b)
{
    cairn_pair p = cairn_pair_product(a.high, b);
    return cairn_pair_join(p.high, p.low + a.low * b);
}

static inline cairn_pair cairn_pair_over(cairn_pair a, cairn_pair b)
{
    double first = a.high / b.high;
    cairn_pair rest = cairn_pair_less(a, cairn_pair_scaled(b, first));
    double second = rest.high / b.high;
    rest = cairn_pair_less(rest, cairn_pair_scaled(b, second));
    return cairn_pair_plus(cairn_pair_join(first, second), rest.high / b.high);
}

static inline cairn_pair cairn_pair_root(cairn_pair a)
{
    double first = sqrt(a.high);
    if (!(first > 0)) return cairn_pair_of(first);
    cairn_pair rest = cairn_pair_less(a, cairn_pair_product(first, first));
    return cairn_pair_join(first, rest.high / (2 * first));
}

/* Times a power of two */
static inline cairn_pair cairn_pair_shift(cairn_pair a, double power)
{
    return (cairn_pair){a.high * power, a.low * power};
}

#endif
