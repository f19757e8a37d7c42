/* SPDX-License-Identifier: MIT */
/* What a cell of text means. */
#include "data/cell.h"
#include "base/memory.h"
#include "base/number.h"
#include "entry/entry.h"
#include <math.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

void cairn_cell_trim(const char **text, size_t *length)
{
    while (*length && is_blank(**text)) {
        (*text)++;
        (*length)--;
    }
    while (*length && is_blank((*text)[*length - 1])) (*length)--;
}

/* The power of ten that a suffix stands for, 0 when it is none. */
static int suffix_power(char c)
{
    switch (c) {
    case 'k':
    case 'K': return 3;
    case 'M': return 6;
    case 'G': return 9;
    case 'T': return 12;
    case '%': return -2;
    default: return 0;
    }
}

/* The digits with a point as decimal mark and the suffix as an exponent, so that one correctly
 * rounded conversion does it. */
static bool parse_rewritten(const char *text, size_t length, char decimal, int power, double *out)
{
    static const char *const exponents[] = {"e-2", "", "e3", "e6", "e9", "e12"};
    char buffer[400];
    if (length + 8 > sizeof buffer) return false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.' && decimal != '.') return false;
        if (power && (text[i] == 'e' || text[i] == 'E')) return false;
        buffer[i] = text[i] == decimal ? '.' : text[i];
    }
    const char *exponent = exponents[power < 0 ? 0 : power / 3 + 1];
    memcpy(buffer + length, exponent, strlen(exponent));
    length += strlen(exponent);
    return cairn_number_scan(buffer, buffer + length, out) == buffer + length;
}

bool cairn_cell_number(const char *text, size_t length, char decimal, double *out)
{
    cairn_cell_trim(&text, &length);
    if (!length) return false;
    if (decimal == '.' && cairn_number_scan(text, text + length, out) == text + length)
        return isfinite(*out);
    int power = suffix_power(text[length - 1]);
    if (power) length--;
    return (power || decimal != '.') && length &&
           parse_rewritten(text, length, decimal, power, out) && isfinite(*out);
}

/* Bytes of the mark between thousands at the beginning of a text, 0 when there is none. */
static size_t mark_length(const char *text, size_t length, char thousands)
{
    static const char no_break[] = "\xC2\xA0", narrow[] = "\xE2\x80\xAF", curved[] = "\xE2\x80\x99";
    if (length && *text == thousands) return 1;
    if (thousands == ' ' && length >= 2 && memcmp(text, no_break, 2) == 0) return 2;
    if (length < 3) return 0;
    if (thousands == ' ' && memcmp(text, narrow, 3) == 0) return 3;
    return thousands == '\'' && memcmp(text, curved, 3) == 0 ? 3 : 0;
}

static size_t count_digits(const char *text, size_t length)
{
    size_t n = 0;
    while (n < length && text[n] >= '0' && text[n] <= '9') n++;
    return n;
}

bool cairn_cell_grouped(const char *text, size_t length, char decimal, char thousands, double *out)
{
    char plain[64];
    size_t n = 0, at = 0, mark, digits;
    cairn_cell_trim(&text, &length);
    if (length >= sizeof plain) return false;
    if (length && (*text == '-' || *text == '+')) plain[n++] = text[at++];
    digits = count_digits(text + at, length - at);
    if (digits < 1 || digits > 3) return false;
    memcpy(plain + n, text + at, digits);
    n += digits;
    at += digits;
    if (!mark_length(text + at, length - at, thousands)) return false;
    while ((mark = mark_length(text + at, length - at, thousands)) > 0) {
        at += mark;
        if (count_digits(text + at, length - at) != 3) return false;
        memcpy(plain + n, text + at, 3);
        n += 3;
        at += 3;
    }
    memcpy(plain + n, text + at, length - at);
    return cairn_cell_number(plain, n + length - at, decimal, out);
}

bool cairn_cell_is_code(const char *text, size_t length)
{
    static const char largest[] = "9007199254740992"; /* 2^53 */
    const size_t n = sizeof largest - 1;
    cairn_cell_trim(&text, &length);
    for (size_t i = 0; i < length; i++)
        if (text[i] < '0' || text[i] > '9') return false;
    if (length > 1 && text[0] == '0') return true;
    return length > n || (length == n && memcmp(text, largest, n) > 0);
}

bool cairn_cell_is_infinite(const char *text, size_t length)
{
    double number;
    cairn_cell_trim(&text, &length);
    return cairn_number_parse(text, length, &number) && isinf(number);
}

static cairn_status add_mark(cairn_context *ctx, cairn_map *marks, const char *mark)
{
    size_t index;
    return cairn_map_add(ctx, marks, mark, strlen(mark), &index);
}

cairn_status cairn_cell_marks(cairn_context *ctx, cairn_map *out, const char *list, bool only)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_map_clear) cairn_map marks = {0};
    char **items;
    size_t n;
    CHECK(add_mark(ctx, &marks, ""));
    CHECK(add_mark(ctx, &marks, "?"));
    if (list) {
        CHECK(cairn_list_split(ctx, list, &items, &n));
        for (size_t i = 0; i < n; i++) CHECK(add_mark(ctx, &marks, items[i]));
    }
    if (!only) {
        /* "None" and "-" are not here: both are common values of categories. */
        static const char *const usual[] = {"NA",  "N/A", "n/a",  "#N/A", "NaN",
                                            "nan", "NAN", "null", "NULL"};
        for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
            CHECK(add_mark(ctx, &marks, usual[i]));
    }
    *out = marks;
    marks = (cairn_map){0};
    return CAIRN_OK;
}

bool cairn_cell_is_missing(const cairn_map *marks, const char *text, size_t length)
{
    return length == 0 || cairn_map_find(marks, text, length) >= 0;
}
