/* SPDX-License-Identifier: MIT */
/* Numbers as text. Reading: up to 19 digits are gathered in an integer; when the integer is below
 * 2^53 and the power of ten is at most 22, one multiplication or division is exact, which covers
 * nearly all data. The rest goes through the C library with the decimal point put right. */
#include "base/number.h"
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

enum { LONGEST_NUMBER = 800 };

/* The slow and always correct way; cuts numbers of more than 790 digits, which changes nothing
 * that a double can show except in constructed halfway cases. */
static double parse_by_library(const char *text, size_t length)
{
    char buffer[LONGEST_NUMBER + 40];
    const char *point = localeconv()->decimal_point;
    size_t n = 0;
    for (size_t i = 0; i < length && n < LONGEST_NUMBER; i++) {
        if (text[i] == '.')
            for (const char *p = point; *p; p++) buffer[n++] = *p;
        else
            buffer[n++] = text[i];
    }
    buffer[n] = 0;
    return strtod(buffer, NULL);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Where a number ends and what it is made of. */
typedef struct digit_run {
    uint64_t value; /* the first 19 significant digits */
    int n;          /* significant digits seen */
    int64_t scale;  /* power of ten of value */
    bool any;
} digit_run;

static const char *take_digits(const char *at, const char *end, digit_run *d, bool fraction)
{
    for (; at < end && is_digit(*at); at++) {
        d->any = true;
        if (d->n < 19) {
            d->value = d->value * 10 + (uint64_t)(*at - '0');
            if (d->value) d->n++;
            d->scale -= fraction;
        } else {
            d->n++;
            d->scale += !fraction;
        }
    }
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
        if (value < 100000) value = value * 10 + (*p - '0');
    *exponent = negative ? -value : value;
    return p;
}

const char *cairn_number_scan(const char *text, const char *end, double *out)
{
    const char *at = text;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    digit_run d = {0};
    at = take_digits(at, end, &d, false);
    if (at < end && *at == '.') {
        const char *after = take_digits(at + 1, end, &d, true);
        if (d.any) at = after;
    }
    if (!d.any) return NULL;
    int64_t exponent = 0;
    at = take_exponent(at, end, &exponent);
    int64_t scale = d.scale + exponent;
    double value;
    if (d.value == 0)
        value = 0;
    else if (d.n <= 19 && d.value < (UINT64_C(1) << 53) && scale >= -22 && scale <= 22)
        value = scale < 0 ? (double)d.value / powers_of_ten[-scale]
                          : (double)d.value * powers_of_ten[scale];
    else {
        *out = parse_by_library(text, (size_t)(at - text));
        return at;
    }
    *out = negative ? -value : value;
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

static size_t format_plain(char out[CAIRN_NUMBER_SIZE], double number, int digits)
{
    return with_point(out, snprintf(out, CAIRN_NUMBER_SIZE, "%.*g", digits, number));
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

static size_t format_shortest(char out[CAIRN_NUMBER_SIZE], double number)
{
    size_t length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        double back;
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
    bool whole = fabs(number) < 9007199254740992.0 && number == floor(number);
    if (digits <= 0) {
        if (whole && fabs(number) < 1e15) return format_integer(out, (int64_t)number);
        return format_shortest(out, number);
    }
    if (whole && digits <= 15 && fabs(number) < powers_of_ten[digits])
        return format_integer(out, (int64_t)number);
    return format_plain(out, number, digits);
}

size_t cairn_number_fixed(char out[CAIRN_NUMBER_SIZE], double number, int decimals)
{
    if (!isfinite(number) || fabs(number) >= 1e16) return cairn_number_format(out, number, 6);
    size_t length = with_point(out, snprintf(out, CAIRN_NUMBER_SIZE, "%.*f", decimals, number));
    if (out[0] != '-') return length;
    for (const char *p = out + 1; *p; p++)
        if (*p != '0' && *p != '.') return length;
    memmove(out, out + 1, length); /* no -0.00 */
    return length - 1;
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
