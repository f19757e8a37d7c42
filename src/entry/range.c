/* SPDX-License-Identifier: MIT */
/* Ranges of parameters, and values just outside them for the refusal tests. */
#include "entry/range.h"
#include "base/number.h"
#include "entry/entry.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

bool cairn_range_parse(const char *text, cairn_range *out)
{
    size_t length = strlen(text);
    const char *comma = strchr(text, ',');
    if (length < 5 || !comma || !strchr("[(", text[0]) || !strchr("])", text[length - 1]))
        return false;
    const char *high = comma + 1;
    out->low_open = text[0] == '(';
    out->high_open = text[length - 1] == ')';
    return cairn_number_parse(text + 1, (size_t)(comma - text - 1), &out->low) &&
           cairn_number_parse(high, (size_t)(text + length - 1 - high), &out->high) &&
           out->low <= out->high;
}

bool cairn_range_contains(const cairn_range *range, double value)
{
    return (range->low_open ? value > range->low : value >= range->low) &&
           (range->high_open ? value < range->high : value <= range->high);
}

bool cairn_range_bad_value(const char *text, char *out, size_t size)
{
    cairn_range range;
    char number[CAIRN_NUMBER_SIZE];
    if (!text || !cairn_range_parse(text, &range)) return false;
    double bad;
    if (isfinite(range.low))
        bad = range.low_open ? range.low : range.low - 1;
    else
        bad = range.high_open ? range.high : range.high + 1;
    if (!isfinite(bad)) return false;
    size_t length = cairn_number_format(number, bad, CAIRN_SHORTEST);
    if (length >= size) return false;
    memcpy(out, number, length + 1);
    return true;
}

enum { LEAST_PERCENT = 5 }; /* below it is hardly meant */

void cairn_range_hint(char out[CAIRN_HINT], const char *range, double number)
{
    cairn_range r;
    char whole[CAIRN_NUMBER_SIZE], share[CAIRN_NUMBER_SIZE];
    bool fits = range && cairn_range_parse(range, &r) && r.high == 1 && r.low >= 0 &&
                number >= LEAST_PERCENT && number <= 100 && cairn_range_contains(&r, number / 100);
    out[0] = 0;
    if (!fits) return;
    cairn_number_format(whole, number, 10);
    cairn_number_format(share, number / 100, 10);
    snprintf(out, CAIRN_HINT, "; %s per cent are written %s%% or %s", whole, whole, share);
}
