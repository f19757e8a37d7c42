/* SPDX-License-Identifier: MIT */
/* Functions on text values. */
#include "data/expression_node.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

int cairn_slice_compare(cairn_slice a, cairn_slice b)
{
    size_t n = a.length < b.length ? a.length : b.length;
    int order = n ? memcmp(a.bytes, b.bytes, n) : 0;
    if (order) return order;
    return (a.length > b.length) - (a.length < b.length);
}

bool cairn_slice_contains(cairn_slice text, cairn_slice part)
{
    if (part.length == 0) return true;
    return memmem(text.bytes, text.length, part.bytes, part.length) != NULL;
}

/* Bytes of the letter at the start of a text that is not empty; a text need not end with a zero. */
static size_t letter_bytes(cairn_slice text)
{
    size_t n = 1;
    while (n < text.length && n < 4 && ((unsigned char)text.bytes[n] & 0xC0) == 0x80) n++;
    return n;
}

static cairn_slice without(cairn_slice text, size_t bytes)
{
    return (cairn_slice){text.bytes + bytes, text.length - bytes};
}

/* Whether the letter is in the set "[a-cx]" at the start of the pattern; *length becomes the bytes
 * of the set, 0 when it is not closed. */
static bool in_set(cairn_slice pattern, cairn_slice letter, size_t *length)
{
    cairn_slice rest = without(pattern, 1);
    bool negated = rest.length && (*rest.bytes == '!' || *rest.bytes == '^'), found = false;
    if (negated) rest = without(rest, 1);
    for (bool first = true; rest.length && (first || *rest.bytes != ']'); first = false) {
        cairn_slice low = {rest.bytes, letter_bytes(rest)}, high = low;
        rest = without(rest, low.length);
        if (rest.length > 1 && *rest.bytes == '-' && rest.bytes[1] != ']') {
            rest = without(rest, 1);
            high = (cairn_slice){rest.bytes, letter_bytes(rest)};
            rest = without(rest, high.length);
        }
        found |= cairn_slice_compare(low, letter) <= 0 && cairn_slice_compare(letter, high) <= 0;
    }
    *length = rest.length ? pattern.length - rest.length + 1 : 0;
    return found != negated;
}

/* Whether the first letter of the text fits the first piece of the pattern, and how many bytes the
 * two take. */
static bool fits_one(cairn_slice text, cairn_slice pattern, size_t *of_text, size_t *of_pattern)
{
    cairn_slice letter = {text.bytes, letter_bytes(text)};
    *of_text = letter.length;
    *of_pattern = 1;
    if (*pattern.bytes == '?') return true;
    if (*pattern.bytes == '[') {
        bool found = in_set(pattern, letter, of_pattern);
        if (*of_pattern) return found;
        *of_pattern = 1; /* a bracket that is not closed stands for itself */
    }
    *of_text = 1;
    return *text.bytes == *pattern.bytes;
}

/* The star that was met last is enough to come back to, so the time is at most length times
 * length. */
bool cairn_slice_matches(cairn_slice text, cairn_slice pattern)
{
    cairn_slice star_text = {0}, star_pattern = {0};
    size_t of_text, of_pattern;
    for (;;) {
        if (pattern.length && *pattern.bytes == '*') {
            pattern = star_pattern = without(pattern, 1);
            star_text = text;
        } else if (text.length && pattern.length &&
                   fits_one(text, pattern, &of_text, &of_pattern)) {
            text = without(text, of_text);
            pattern = without(pattern, of_pattern);
        } else if (!text.length && !pattern.length) {
            return true;
        } else {
            if (!star_pattern.bytes || !star_text.length) return false;
            text = star_text = without(star_text, letter_bytes(star_text));
            pattern = star_pattern;
        }
    }
}

double cairn_slice_letters(cairn_slice text)
{
    double n = 0;
    for (; text.length; n++) text = without(text, letter_bytes(text));
    return n;
}

cairn_slice cairn_slice_trim(cairn_slice text)
{
    while (text.length && strchr(" \t\r\n", *text.bytes) && *text.bytes) text = without(text, 1);
    while (text.length && text.bytes[text.length - 1] &&
           strchr(" \t\r\n", text.bytes[text.length - 1]))
        text.length--;
    return text;
}

cairn_slice cairn_slice_part(cairn_slice text, double from, double n)
{
    cairn_slice out;
    if (isnan(from) || isnan(n)) return (cairn_slice){0};
    double last = from + n; /* letters before `from` take up room, as if the text began earlier */
    double at = 1;
    while (text.length && at < from) text = without(text, letter_bytes(text)), at++;
    for (out = (cairn_slice){text.bytes, 0}; text.length && at < last; at++) {
        size_t bytes = letter_bytes(text);
        text = without(text, bytes);
        out.length += bytes;
    }
    return out;
}

cairn_status cairn_slice_case(cairn_context *ctx, cairn_slice *out, cairn_slice text, bool upper)
{
    char *bytes;
    CHECK(SCRATCH_RAW(ctx, &bytes, cairn_product(text.length, 2) + 1));
    *out = (cairn_slice){bytes, cairn_text_case(bytes, text.bytes, text.length, upper)};
    return CAIRN_OK;
}

cairn_status cairn_slice_replace(cairn_context *ctx, cairn_slice *out, cairn_slice text,
                                 cairn_slice old, cairn_slice new)
{
    size_t n = 0, length = 0;
    char *bytes;
    *out = text;
    if (old.length == 0 || !cairn_slice_contains(text, old)) return CAIRN_OK;
    for (size_t i = 0; i + old.length <= text.length;)
        if (memcmp(text.bytes + i, old.bytes, old.length) == 0)
            n++, i += old.length;
        else
            i++;
    CHECK(SCRATCH_RAW(ctx, &bytes, text.length + cairn_product(n, new.length) + 1));
    for (size_t i = 0; i < text.length;) {
        if (i + old.length <= text.length && memcmp(text.bytes + i, old.bytes, old.length) == 0) {
            if (new.length) memcpy(bytes + length, new.bytes, new.length);
            length += new.length;
            i += old.length;
        } else {
            bytes[length++] = text.bytes[i++];
        }
    }
    *out = (cairn_slice){bytes, length};
    return CAIRN_OK;
}

cairn_status cairn_slice_join(cairn_context *ctx, cairn_slice *out, cairn_slice a, cairn_slice b)
{
    char *bytes;
    CHECK(SCRATCH_RAW(ctx, &bytes, a.length + b.length + 1));
    if (a.length) memcpy(bytes, a.bytes, a.length);
    if (b.length) memcpy(bytes + a.length, b.bytes, b.length);
    *out = (cairn_slice){bytes, a.length + b.length};
    return CAIRN_OK;
}

cairn_status cairn_slice_number(cairn_context *ctx, cairn_slice *out, double number)
{
    char *bytes;
    CHECK(SCRATCH_RAW(ctx, &bytes, CAIRN_NUMBER_SIZE));
    *out = (cairn_slice){bytes, cairn_number_format(bytes, number, CAIRN_SHORTEST)};
    return CAIRN_OK;
}

double cairn_slice_truth(cairn_slice text)
{
    static const struct {
        const char *word;
        int value;
    } words[] = {{"yes", 1}, {"true", 1}, {"1", 1}, {"no", 0}, {"false", 0}, {"0", 0}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i].word), same = 0;
        if (n != text.length) continue;
        while (same < n && (text.bytes[same] | 32) == (words[i].word[same] | 32)) same++;
        if (same == n) return words[i].value;
    }
    return NAN;
}
