/* SPDX-License-Identifier: MIT */
/* Decimals of Arrow as doubles, each rounded once.
 *
 * Whole numbers below 2^53 and powers of ten up to 10^22 are doubles themselves, so one division or
 * product of the two gives the nearest one; prices are of this kind. All else is written out and
 * read as text is. */
#include "data/arrow_decimal.h"
#include "base/number.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST_WORDS = 8, MOST_SCALE = 1000, EXACT_POWER = 22, DIGITS_AT_ONCE = 9 };

static const double powers[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static bool known_width(int64_t bits, int64_t digits)
{
    return (bits == 32 && digits <= 9) || (bits == 64 && digits <= 18) ||
           (bits == 128 && digits <= 38) || (bits == 256 && digits <= 76);
}

bool cairn_decimal_format(const char *format, cairn_decimal *out)
{
    int64_t parts[3] = {0, 0, 128};
    size_t n = 0;
    if (strncmp(format, "d:", 2)) return false;
    for (const char *at = format + 2, *end;; at = end + 1) {
        end = at + strcspn(at, ",");
        if (n == 3 || !cairn_integer_parse(at, (size_t)(end - at), &parts[n])) return false;
        n++;
        if (!*end) break;
    }
    if (n < 2 || parts[0] < 1 || !known_width(parts[2], parts[0]) || parts[1] < -MOST_SCALE ||
        parts[1] > MOST_SCALE)
        return false;
    *out = (cairn_decimal){(int)parts[0], (int)parts[1], (size_t)parts[2] / 8};
    return true;
}

/* The words of a number without its sign, the least first; true when it is negative. */
static bool magnitude(uint32_t words[MOST_WORDS], const void *number, size_t width)
{
    size_t n = width / sizeof *words;
    memcpy(words, number, width);
    if (!(words[n - 1] >> 31)) return false;
    uint64_t carry = 1;
    for (size_t i = 0; i < n; i++) {
        carry += (uint32_t)~words[i];
        words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return true;
}

static bool is_zero(const uint32_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (words[i]) return false;
    return true;
}

/* Divide by 10^9 in place; the remainder has the last nine digits. */
static uint32_t last_digits(uint32_t words[MOST_WORDS], size_t n)
{
    uint64_t rest = 0;
    for (size_t i = n; i-- > 0;) {
        rest = rest << 32 | words[i];
        words[i] = (uint32_t)(rest / 1000000000);
        rest %= 1000000000;
    }
    return (uint32_t)rest;
}

/* Whether a whole number is a double as it stands: what counts of it has at most 53 bits. */
static bool is_double(const uint32_t words[MOST_WORDS], size_t n)
{
    enum { KEPT = 53, WORD = 32 };
    size_t first = 0, last = 0;
    for (size_t bit = 0; bit < n * WORD; bit++) {
        if (!(words[bit / WORD] >> bit % WORD & 1)) continue;
        if (!last) first = bit;
        last = bit + 1;
    }
    return last - first <= KEPT;
}

/* Whether the shortest text of a double has the same digits. */
static bool keeps_digits(double number, const char *digits, size_t n)
{
    char text[CAIRN_NUMBER_SIZE];
    size_t length = cairn_number_format(text, number, CAIRN_SHORTEST), k = 0;
    for (size_t i = 0; i < length && text[i] != 'e'; i++) {
        if (text[i] < '0' || text[i] > '9' || (text[i] == '0' && k == 0)) continue;
        if (k < n ? text[i] != digits[k] : text[i] != '0') return false;
        k++;
    }
    return k >= n;
}

/* The digits as a number with a point. */
static void tell_loss(cairn_decimal_loss *loss, const char *digits, size_t n, int scale,
                      bool negative, double number)
{
    size_t at = 0, point = scale > 0 && (size_t)scale < n ? n - (size_t)scale : n;
    *loss = (cairn_decimal_loss){.number = number};
    if (negative) loss->text[at++] = '-';
    for (size_t i = 0; i < n; i++) {
        if (i == point) loss->text[at++] = '.';
        loss->text[at++] = digits[i];
    }
    if (scale < 0 || (size_t)scale >= n)
        snprintf(loss->text + at, sizeof loss->text - at, "e%d", -scale);
}

/* By way of text, which is rounded once whatever its length. */
static bool read_long(const cairn_decimal *decimal, uint32_t words[MOST_WORDS], bool negative,
                      double *out, cairn_decimal_loss *loss)
{
    enum { BUFFER = 128, KEPT = 15 }; /* 256 bits are 78 digits: nine groups, a sign, an exponent */
    char text[BUFFER];
    size_t n = decimal->width / sizeof *words, at = BUFFER - 8, end = at;
    bool exact = decimal->scale == 0 && is_double(words, n);
    int exponent = snprintf(text + end, BUFFER - end, "e%d", -decimal->scale);
    while (!is_zero(words, n)) {
        uint32_t group = last_digits(words, n);
        for (int i = 0; i < DIGITS_AT_ONCE; i++, group /= 10) text[--at] = (char)('0' + group % 10);
    }
    while (at < end && text[at] == '0') at++;
    size_t first = at, counted = end - at;
    if (counted > (size_t)decimal->digits) return false;
    if (at == end) text[--at] = '0';
    if (negative) text[--at] = '-';
    if (!cairn_number_parse(text + at, end - at + (size_t)exponent, out)) return false;
    while (counted && text[first + counted - 1] == '0') counted--;
    if (counted > KEPT && (int)counted > loss->digits && !exact &&
        !keeps_digits(*out, text + first, counted)) {
        tell_loss(loss, text + first, end - first, decimal->scale, negative, *out);
        loss->digits = (int)counted;
    }
    return true;
}

bool cairn_decimal_read(const cairn_decimal *decimal, const void *number, double *out,
                        cairn_decimal_loss *loss)
{
    uint32_t words[MOST_WORDS] = {0};
    bool negative = magnitude(words, number, decimal->width);
    int digits = decimal->digits < EXACT_POWER ? decimal->digits : EXACT_POWER;
    double size = (double)((uint64_t)words[1] << 32 | words[0]);
    if (!is_zero(words + 2, MOST_WORDS - 2) || size > 9007199254740992.0 ||
        (size >= 1e15 && decimal->scale) || size >= powers[digits] ||
        decimal->scale > EXACT_POWER || decimal->scale < -EXACT_POWER)
        return read_long(decimal, words, negative, out, loss);
    size = decimal->scale < 0 ? size * powers[-decimal->scale] : size / powers[decimal->scale];
    *out = negative ? -size : size;
    return true;
}

void cairn_decimal_warn(cairn_context *ctx, const char *column, const cairn_decimal_loss *loss)
{
    enum { KEPT = 15 };
    char number[CAIRN_NUMBER_SIZE];
    if (!loss->digits) return;
    cairn_number_format(number, loss->number, CAIRN_SHORTEST);
    cairn_warn(ctx,
               "column '%s': decimals of up to %d digits became the nearest doubles, which keep %d "
               "for sure: up to %d are lost (%s is read as %s); as text they stay whole",
               column, loss->digits, KEPT, loss->digits - KEPT, loss->text, number);
}
