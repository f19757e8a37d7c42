/* SPDX-License-Identifier: MIT */
/* Numbers as text. Reading takes the first way that is certainly right:
 *
 * 1. Up to 19 digits are gathered in an integer; when it is below 2^53 and the power of ten is at
 *    most 22, one multiplication or division is exact. That covers nearly all data.
 * 2. Otherwise the integer is multiplied by a 128-bit power of five that is too small by less than
 *    one unit. The true product lies in a known interval; unless that interval touches the middle
 *    between two doubles, the nearest double is known. Digits after the 19th widen the interval.
 * 3. The rest (about one in 10^20, exact ties, subnormal numbers) goes through the C library.
 *
 * Writing goes the second way backwards: the number times a power of ten, of which so many digits
 * are left in front of the point, lies in a known interval, and unless that touches the middle
 * between two such integers the digits are known. The shortest form tries m / 10^k for small k
 * first, which is exact for the numbers that people write, and 15, 16 and 17 digits after that. */
#include "base/number.h"
#include "base/functions.h"
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 wide;

static const double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* 5^r for r below COARSE_STEP. */
static const uint64_t fine_powers[] = {UINT64_C(1),
                                       UINT64_C(5),
                                       UINT64_C(25),
                                       UINT64_C(125),
                                       UINT64_C(625),
                                       UINT64_C(3125),
                                       UINT64_C(15625),
                                       UINT64_C(78125),
                                       UINT64_C(390625),
                                       UINT64_C(1953125),
                                       UINT64_C(9765625),
                                       UINT64_C(48828125),
                                       UINT64_C(244140625),
                                       UINT64_C(1220703125),
                                       UINT64_C(6103515625),
                                       UINT64_C(30517578125),
                                       UINT64_C(152587890625),
                                       UINT64_C(762939453125),
                                       UINT64_C(3814697265625),
                                       UINT64_C(19073486328125),
                                       UINT64_C(95367431640625),
                                       UINT64_C(476837158203125),
                                       UINT64_C(2384185791015625),
                                       UINT64_C(11920928955078125),
                                       UINT64_C(59604644775390625),
                                       UINT64_C(298023223876953125),
                                       UINT64_C(1490116119384765625)};

/* The first 128 bits of 5^(COARSE_STEP * k), cut off, for k = -13 ... 12. */
static const struct {
    uint64_t high, low;
} coarse_powers[] = {
    {UINT64_C(0x8049a4ac0c5811ae), UINT64_C(0x205b896d777d6278)},
    {UINT64_C(0xcf42894a5dce35ea), UINT64_C(0x52064cac828675b9)},
    {UINT64_C(0xa76c582338ed2621), UINT64_C(0xaf2af2b80af6f24e)},
    {UINT64_C(0x873e4f75e2224e68), UINT64_C(0x5a7744a6e804a291)},
    {UINT64_C(0xda7f5bf590966848), UINT64_C(0xaf39a475506a899e)},
    {UINT64_C(0xb080392cc4349dec), UINT64_C(0xbd8d794d96aacfb3)},
    {UINT64_C(0x8e938662882af53e), UINT64_C(0x547eb47b7282ee9c)},
    {UINT64_C(0xe65829b3046b0afa), UINT64_C(0x0cb4a5a3112a5112)},
    {UINT64_C(0xba121a4650e4ddeb), UINT64_C(0x92f34d62616ce413)},
    {UINT64_C(0x964e858c91ba2655), UINT64_C(0x3a6a07f8d510f86f)},
    {UINT64_C(0xf2d56790ab41c2a2), UINT64_C(0xfae27299423fb9c3)},
    {UINT64_C(0xc428d05aa4751e4c), UINT64_C(0xaa97e14c3c26b886)},
    {UINT64_C(0x9e74d1b791e07e48), UINT64_C(0x775ea264cf55347d)},
    {UINT64_C(0x8000000000000000), UINT64_C(0x0000000000000000)},
    {UINT64_C(0xcecb8f27f4200f3a), UINT64_C(0x0000000000000000)},
    {UINT64_C(0xa70c3c40a64e6c51), UINT64_C(0x999090b65f67d924)},
    {UINT64_C(0x86f0ac99b4e8dafd), UINT64_C(0x69a028bb3ded71a3)},
    {UINT64_C(0xda01ee641a708de9), UINT64_C(0xe80e6f4820cc9495)},
    {UINT64_C(0xb01ae745b101e9e4), UINT64_C(0x5ec05dcff72e7f8f)},
    {UINT64_C(0x8e41ade9fbebc27d), UINT64_C(0x14588f13be847307)},
    {UINT64_C(0xe5d3ef282a242e81), UINT64_C(0x8f1668c8a86da5fa)},
    {UINT64_C(0xb9a74a0637ce2ee1), UINT64_C(0x6d953e2bd7173692)},
    {UINT64_C(0x95f83d0a1fb69cd9), UINT64_C(0x4abdaf101564f98e)},
    {UINT64_C(0xf24a01a73cf2dccf), UINT64_C(0xbc633b39673c8cec)},
    {UINT64_C(0xc3b8358109e84f07), UINT64_C(0x0a862f80ec4700c8)},
    {UINT64_C(0x9e19db92b4e31ba9), UINT64_C(0x6c07a2c26a8346d1)},
};

enum { COARSE_STEP = 27, LEAST_POWER = -13 * COARSE_STEP, MOST_POWER = 13 * COARSE_STEP - 1 };

/* The upper half of a 256-bit product. */
static wide high_product(wide a, wide b)
{
    wide a1 = a >> 64, a0 = (uint64_t)a, b1 = b >> 64, b0 = (uint64_t)b;
    wide first = a1 * b0 + (a0 * b0 >> 64);
    wide second = a0 * b1 + (uint64_t)first;
    return a1 * b1 + (first >> 64) + (second >> 64);
}

static int leading_zeros(wide x)
{
    uint64_t high = (uint64_t)(x >> 64);
    return high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)x);
}

/* digits * 10^power for digits > 0, or false when this way cannot tell. */
static bool scale_by_power(uint64_t digits, int64_t power, double *out)
{
    if (power < LEAST_POWER || power > MOST_POWER) return false;
    int step = ((int)power - LEAST_POWER) / COARSE_STEP;
    int five = COARSE_STEP * step + LEAST_POWER; /* 5^power = 5^five * 5^(power - five) */
    wide exact = (wide)digits * fine_powers[(int)power - five];
    int shift = leading_zeros(exact);
    wide coarse = (wide)coarse_powers[step].high << 64 | coarse_powers[step].low;
    wide product = high_product(exact << shift, coarse); /* the true one is less than 2 above */
    int drop = 75 - leading_zeros(product);              /* leaves 53 bits */
    wide half = (wide)1 << (drop - 1), rest = product & ((half << 1) - 1);
    if (rest == half || rest == half - 1) return false;
    uint64_t mantissa = (uint64_t)(product >> drop) + (rest > half);
    /* floor(five * log2(5)) - 127 is the exponent of the coarse power */
    int exponent = (int)power + (int)((int64_t)five * 152170 >> 16) - 127 + 128 - shift + drop + 52;
    if (exponent < -1022 || exponent >= 1023) return false;
    /* a mantissa that was rounded up to 2^53 carries into the exponent, as it should */
    uint64_t bits = ((uint64_t)(exponent + 1023) << 52) + (mantissa - (UINT64_C(1) << 52));
    memcpy(out, &bits, sizeof bits);
    return true;
}

enum { KEPT_DIGITS = 780 }; /* 767 decide any halfway case */

/* The slow and always correct way: the digits without a point and their power of ten, so that no
 * locale matters. Digits beyond those that can decide count as one more digit that is not zero. */
static double parse_by_library(const char *text, const char *end, int64_t exponent)
{
    char buffer[KEPT_DIGITS + 40];
    size_t n = 0;
    bool point = false, more = false;
    for (; text < end; text++) {
        if (*text == '.') {
            point = true;
        } else if (n < KEPT_DIGITS) {
            if (n || *text != '0') buffer[n++] = *text;
            exponent -= point;
        } else {
            more = more || *text != '0';
            exponent += !point;
        }
    }
    if (more) {
        buffer[n++] = '1';
        exponent--;
    }
    if (exponent > 100000) exponent = 100000;
    if (exponent < -100000) exponent = -100000;
    snprintf(buffer + n, sizeof buffer - n, "e%d", (int)exponent);
    return strtod(buffer, NULL);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits that continue `value`, which wraps around when there are too many. */
static const char *take_digits(const char *at, const char *end, uint64_t *value)
{
    for (; at < end && is_digit(*at); at++) *value = *value * 10 + (uint64_t)(*at - '0');
    return at;
}

/* An exponent counts only if digits follow the e. */
static const char *take_exponent(const char *at, const char *end, int64_t *exponent)
{
    if (at >= end || (*at != 'e' && *at != 'E')) return at;
    const char *p = at + 1;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    if (p >= end || !is_digit(*p)) return at;
    int64_t value = 0;
    for (; p < end && is_digit(*p); p++)
        if (value < INT64_C(1000000000000000)) value = value * 10 + (*p - '0');
    *exponent = negative ? -value : value;
    return p;
}

/* More than 19 digits: gather the first 19 that count and see whether the others can matter. */
static double parse_long(const char *text, const char *end, int64_t exponent)
{
    uint64_t value = 0;
    int64_t scale = exponent;
    int n = 0;
    bool point = false, cut = false;
    for (const char *at = text; at < end; at++) {
        if (*at == '.') {
            point = true;
        } else if (n < 19) {
            value = value * 10 + (uint64_t)(*at - '0');
            n += value != 0;
            scale -= point;
        } else {
            cut = cut || *at != '0';
            scale += !point;
        }
    }
    double low, high;
    if (value == 0) return 0;
    if (scale_by_power(value, scale, &low) &&
        (!cut || (scale_by_power(value + 1, scale, &high) && low == high)))
        return low;
    return parse_by_library(text, end, exponent);
}

const char *cairn_number_scan(const char *text, const char *end, double *out)
{
    const char *at = text;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    const char *digits = at;
    uint64_t value = 0;
    at = take_digits(at, end, &value);
    ptrdiff_t n = at - digits, places = 0;
    if (at < end && *at == '.') {
        const char *after = take_digits(at + 1, end, &value);
        places = after - at - 1;
        n += places;
        if (n) at = after;
    }
    if (!n) return NULL;
    const char *digits_end = at;
    int64_t exponent = 0;
    at = take_exponent(at, end, &exponent);
    int64_t power = exponent - places;
    double number;
    if (n > 19)
        number = parse_long(digits, digits_end, exponent);
    else if (value < (UINT64_C(1) << 53) && power >= -22 && power <= 22)
        number = power < 0 ? (double)value / powers_of_ten[-power]
                           : (double)value * powers_of_ten[power];
    else if (value == 0)
        number = 0;
    else if (!scale_by_power(value, power, &number))
        number = parse_by_library(digits, digits_end, exponent);
    *out = negative ? -number : number;
    return at;
}

/* Whether `text` is the word, in any case. */
static bool is_word(const char *text, size_t length, const char *word)
{
    if (strlen(word) != length) return false;
    for (size_t i = 0; i < length; i++)
        if ((text[i] | 0x20) != word[i]) return false;
    return true;
}

bool cairn_number_parse(const char *text, size_t length, double *out)
{
    const char *end = text + length;
    if (cairn_number_scan(text, end, out) == end && length) return true;
    bool negative = length && text[0] == '-';
    size_t skip = length && (text[0] == '-' || text[0] == '+');
    if (is_word(text + skip, length - skip, "inf") ||
        is_word(text + skip, length - skip, "infinity"))
        *out = negative ? -INFINITY : INFINITY;
    else if (is_word(text + skip, length - skip, "nan"))
        *out = NAN;
    else
        return false;
    return true;
}

bool cairn_integer_parse(const char *text, size_t length, int64_t *out)
{
    size_t at = 0;
    bool negative = length && text[0] == '-';
    if (length && (text[0] == '-' || text[0] == '+')) at = 1;
    if (at == length) return false;
    int64_t value = 0;
    for (; at < length; at++) {
        if (!is_digit(text[at])) return false;
        if (__builtin_mul_overflow(value, 10, &value)) return false;
        int digit = text[at] - '0';
        if (__builtin_add_overflow(value, negative ? -digit : digit, &value)) return false;
    }
    *out = value;
    return true;
}

/* The locale may print a comma; nothing here may. */
static size_t with_point(char *out, int length)
{
    const char *point = localeconv()->decimal_point;
    if (point[0] == '.' && !point[1]) return (size_t)length;
    char *at = strstr(out, point);
    if (!at) return (size_t)length;
    size_t width = strlen(point);
    *at = '.';
    memmove(at + 1, at + width, strlen(at + width) + 1);
    return strlen(out);
}

/* Whole numbers up to 2^53 are most of what is printed. */
static size_t format_integer(char out[CAIRN_NUMBER_SIZE], int64_t number)
{
    char reversed[24];
    size_t n = 0, at = 0;
    uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do reversed[n++] = (char)('0' + left % 10);
    while (left /= 10);
    if (number < 0) out[at++] = '-';
    while (n) out[at++] = reversed[--n];
    out[at] = 0;
    return at;
}

/* The first `digits` decimal digits of a positive normal number, rounded: number is about
 * *out * 10^*power. False when this way cannot tell. */
static bool decimal_digits(double number, int digits, uint64_t *out, int *power)
{
    static const uint64_t limits[] = {1,
                                      10,
                                      100,
                                      1000,
                                      10000,
                                      100000,
                                      1000000,
                                      10000000,
                                      100000000,
                                      1000000000,
                                      10000000000,
                                      100000000000,
                                      1000000000000,
                                      10000000000000,
                                      100000000000000,
                                      1000000000000000,
                                      10000000000000000,
                                      100000000000000000};
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    int binary = (int)(bits >> 52) - 1075;
    if (binary == -1075 || binary > 2046 - 1075) return false;
    uint64_t mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    int tenth = (binary + 52) * 78913 >> 18; /* floor of log10 of its power of two */
    for (int more = 0; more < 2; more++, tenth++) {
        int ten = digits - 1 - tenth, step = (ten - LEAST_POWER) / COARSE_STEP;
        int five = COARSE_STEP * step + LEAST_POWER;
        wide exact = (wide)mantissa * fine_powers[ten - five];
        int shift = leading_zeros(exact);
        wide coarse = (wide)coarse_powers[step].high << 64 | coarse_powers[step].low;
        wide product = high_product(exact << shift, coarse); /* the true one is less than 2 above */
        int drop = shift - 1 - binary - ten - (int)((int64_t)five * 152170 >> 16);
        if (drop < 1 || drop > 127) return false;
        wide half = (wide)1 << (drop - 1), rest = product & ((half << 1) - 1);
        uint64_t whole = (uint64_t)(product >> drop);
        if (whole >= limits[digits]) continue; /* one digit too many */
        if (rest == half || rest == half - 1) return false;
        *out = whole + (rest > half);
        *power = -ten;
        return *out >= limits[digits - 1];
    }
    return false;
}

/* Digits times a power of ten as "%.*g" with `precision` writes them. */
static size_t format_digits(char out[CAIRN_NUMBER_SIZE], bool negative, uint64_t value, int power,
                            int precision)
{
    char digits[CAIRN_NUMBER_SIZE];
    size_t at = 0, n;
    for (; value % 10 == 0; power++) value /= 10;
    n = format_integer(digits, (int64_t)value);
    int first = power + (int)n - 1; /* power of the first digit */
    if (negative) out[at++] = '-';
    if (first < -4 || first >= precision) {
        out[at++] = digits[0];
        if (n > 1) out[at++] = '.';
        memcpy(out + at, digits + 1, n - 1);
        at += n - 1;
        out[at++] = 'e';
        out[at++] = first < 0 ? '-' : '+';
        if (abs(first) < 10) out[at++] = '0';
        return at + format_integer(out + at, abs(first));
    }
    if (first < 0) {
        memcpy(out + at, "0.000", (size_t)(1 - first));
        at += (size_t)(1 - first);
    }
    for (size_t i = 0; i < n; i++) {
        if (i && (int)i == first + 1) out[at++] = '.';
        out[at++] = digits[i];
    }
    for (; power > 0; power--) out[at++] = '0';
    out[at] = 0;
    return at;
}

static size_t format_plain(char out[CAIRN_NUMBER_SIZE], double number, int digits)
{
    uint64_t value;
    int power;
    if (decimal_digits(fabs(number), digits, &value, &power))
        return format_digits(out, number < 0, value, power, digits);
    return with_point(out, snprintf(out, CAIRN_NUMBER_SIZE, "%.*g", digits, number));
}

/* A whole number with its last `places` digits behind a point; 1 <= places <= 19. */
static size_t format_places(char out[CAIRN_NUMBER_SIZE], int64_t number, int places)
{
    char digits[CAIRN_NUMBER_SIZE];
    size_t at = 0, n = format_integer(digits, number < 0 ? -number : number);
    size_t whole = n > (size_t)places ? n - (size_t)places : 0;
    if (number < 0) out[at++] = '-';
    memcpy(out + at, digits, whole);
    at += whole;
    if (!whole) out[at++] = '0';
    out[at++] = '.';
    for (size_t zeros = (size_t)places - (n - whole); zeros; zeros--) out[at++] = '0';
    memcpy(out + at, digits + whole, n - whole + 1);
    return at + n - whole;
}

/* Numbers of few places and at most 15 digits; 0 when this is not one. Two such decimals never read
 * as the same double, so the first that reads back right is what 15 digits would say. */
static size_t format_short(char out[CAIRN_NUMBER_SIZE], double number)
{
    enum { FEW = 3 };
    if (!(fabs(number) >= 1e-4 && fabs(number) < 1e15)) return 0;
    for (int places = 0; places <= FEW; places++) {
        double whole = nearbyint(number * powers_of_ten[places]);
        if (fabs(whole) >= 1e15) return 0;
        if (whole / powers_of_ten[places] == number)
            return places ? format_places(out, (int64_t)whole, places)
                          : format_integer(out, (int64_t)whole);
    }
    return 0;
}

static size_t format_shortest(char out[CAIRN_NUMBER_SIZE], double number)
{
    size_t length = format_short(out, number);
    if (length) return length;
    for (int digits = fabs(number) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        double back;
        uint64_t value;
        int power;
        if (decimal_digits(fabs(number), digits, &value, &power) &&
            scale_by_power(value, power, &back)) {
            if (back != fabs(number)) continue;
            return format_digits(out, number < 0, value, power, digits);
        }
        length = format_plain(out, number, digits);
        if (cairn_number_parse(out, length, &back) && back == number) break;
    }
    return length;
}

size_t cairn_number_format(char out[CAIRN_NUMBER_SIZE], double number, int digits)
{
    if (isnan(number)) return (size_t)snprintf(out, CAIRN_NUMBER_SIZE, "nan");
    if (isinf(number)) return (size_t)snprintf(out, CAIRN_NUMBER_SIZE, number > 0 ? "inf" : "-inf");
    if (number == 0) number = 0; /* no minus */
    if (digits <= 0) return number == 0 ? format_integer(out, 0) : format_shortest(out, number);
    if (digits <= 15 && fabs(number) < powers_of_ten[digits] && number == floor(number))
        return format_integer(out, (int64_t)number);
    return format_plain(out, number, digits < 17 ? digits : 17);
}

size_t cairn_number_fixed(char out[CAIRN_NUMBER_SIZE], double number, int decimals)
{
    if (!isfinite(number) || fabs(number) >= 1e16) return cairn_number_format(out, number, 6);
    if (decimals > 20) decimals = 20; /* what there is room for, and more than a double holds */
    size_t length = with_point(out, snprintf(out, CAIRN_NUMBER_SIZE, "%.*f", decimals, number));
    if (out[0] != '-') return length;
    for (const char *p = out + 1; *p; p++)
        if (*p != '0' && *p != '.') return length;
    memmove(out, out + 1, length); /* no -0.00 */
    return length - 1;
}

/* `number` rounded to `digits` (at most 15) significant decimal digits, where it is so near to such
 * a number that the digits are certain: then a whole number divided by a power of ten, both exact,
 * is the double nearest to it. False when they are not. */
static bool round_to_digits(double number, int digits, double *out)
{
    double size = fabs(number);
    if (!(size >= 1e-6 && size < 1e6)) return false;
    int decimals = digits - 1 - (int)floor(cairn_log10(size)); /* 6 .. 18 for 12 digits */
    if (decimals < 0 || decimals > 22) return false;
    double scaled = number * powers_of_ten[decimals], whole = rint(scaled);
    if (fabs(scaled - whole) > 1e-3) return false;
    *out = whole / powers_of_ten[decimals];
    return true;
}

double cairn_number_left(double left, double of)
{
    static const double SUMS = 1e-13; /* of some hundred numbers each last place is in doubt */
    return fabs(left) < SUMS * fabs(of) ? 0 : left;
}

double cairn_number_between(double a, double b)
{
    enum { DIGITS = 12 };
    double middle = a / 2 + b / 2, rounded;
    char digits[CAIRN_NUMBER_SIZE];
    if (!(middle > a && middle < b)) return a;
    if (fabs(a + b) < 1e11 && a + b == rint(a + b)) return middle; /* it has few digits */
    if (round_to_digits(middle, DIGITS, &rounded) && rounded > a && rounded < b) return rounded;
    size_t length = cairn_number_format(digits, middle, DIGITS);
    bool fits = cairn_number_parse(digits, length, &rounded) && rounded > a && rounded < b;
    return fits ? rounded : middle;
}

bool cairn_size_parse(const char *text, size_t *out)
{
    double number;
    const char *end = text + strlen(text);
    const char *at = cairn_number_scan(text, end, &number);
    static const char units[] = "KMGT";
    if (!at || !(number >= 0)) return false;
    const char *unit = *at ? strchr(units, *at & ~0x20) : NULL;
    if (unit && *unit) {
        for (const char *u = units; u <= unit; u++) number *= 1024;
        at++;
        if (*at == 'i') at++;
    }
    if (*at == 'B' || *at == 'b') at++;
    if (*at || number >= 9e18) return false;
    *out = (size_t)number;
    return true;
}

void cairn_size_format(char out[CAIRN_NUMBER_SIZE], double bytes)
{
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
    size_t unit = 0;
    while (bytes >= 1024 && unit < 4) {
        bytes /= 1024;
        unit++;
    }
    char number[CAIRN_NUMBER_SIZE];
    cairn_number_fixed(number, bytes, unit == 0 ? 0 : 1);
    snprintf(out, CAIRN_NUMBER_SIZE, "%.20s %s", number, units[unit]);
}
