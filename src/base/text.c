/* SPDX-License-Identifier: MIT */
/* Growing text with one sticky failure, escapes, widths and the nearest-word search. */
#include "base/text.h"
#include "base/memory.h"
#include "base/number.h"
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

cairn_text cairn_text_start(cairn_context *ctx)
{
    return (cairn_text){.ctx = ctx};
}

void cairn_text_clear(cairn_text *text)
{
    cairn_free(text->bytes);
    *text = (cairn_text){.ctx = text->ctx};
}

/* Room for `extra` more bytes and the final zero; false once anything failed. */
static bool reserve(cairn_text *text, size_t extra)
{
    if (text->status) return false;
    if (text->length + extra + 1 <= text->capacity) return true;
    text->status = GROW(text->ctx, &text->bytes, &text->capacity, text->length + extra + 1);
    return text->status == CAIRN_OK;
}

char *cairn_text_buffer(cairn_text *text, size_t n)
{
    return reserve(text, n) ? text->bytes + text->length : NULL;
}

void cairn_text_add_bytes(cairn_text *text, const char *bytes, size_t length)
{
    if (!reserve(text, length)) return;
    if (length) memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = 0;
}

void cairn_text_add(cairn_text *text, const char *string)
{
    cairn_text_add_bytes(text, string, strlen(string));
}

void cairn_text_add_char(cairn_text *text, char c)
{
    cairn_text_add_bytes(text, &c, 1);
}

void cairn_text_add_repeat(cairn_text *text, char c, size_t times)
{
    if (!reserve(text, times)) return;
    memset(text->bytes + text->length, c, times);
    text->length += times;
    text->bytes[text->length] = 0;
}

void cairn_text_addv(cairn_text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    char small[256];
    int length = vsnprintf(small, sizeof small, format, arguments);
    if (length >= 0 && (size_t)length < sizeof small) {
        cairn_text_add_bytes(text, small, (size_t)length);
    } else if (length >= 0 && reserve(text, (size_t)length)) {
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void cairn_text_sayv(cairn_text *text, const char *format, va_list arguments)
{
    char said[CAIRN_MESSAGE_SIZE];
    format = cairn_format_said(text->ctx, said, sizeof said, format);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* the literal with its marks written out */
    cairn_text_addv(text, format, arguments);
#pragma GCC diagnostic pop
}

void cairn_text_sayf(cairn_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cairn_text_sayv(text, format, arguments);
    va_end(arguments);
}

void cairn_text_addf(cairn_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cairn_text_addv(text, format, arguments);
    va_end(arguments);
}

void cairn_text_add_number(cairn_text *text, double number, int digits)
{
    char buffer[CAIRN_NUMBER_SIZE];
    cairn_text_add_bytes(text, buffer, cairn_number_format(buffer, number, digits));
}

/* Bytes of the UTF-8 sequence at `at`; 0 when it is none. */
static size_t sequence_size(const char *at, size_t left)
{
    unsigned char c = (unsigned char)*at;
    size_t size = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    return size <= left && cairn_utf8_check(at, size) == size ? size : 0;
}

/* The letter when it must not be shown as it is, else 0: C0, DEL, C1, marks and embeddings that
 * turn the direction of writing (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), line
 * ends (U+2028, U+2029). */
static unsigned hidden_letter(const unsigned char *c, size_t size)
{
    unsigned letter = size == 1   ? c[0]
                      : size == 2 ? (c[0] & 0x1Fu) << 6 | (c[1] & 0x3Fu)
                      : size == 3 ? (c[0] & 0x0Fu) << 12 | (c[1] & 0x3Fu) << 6 | (c[2] & 0x3Fu)
                                  : 0;
    bool control = letter < 0x20 || (letter >= 0x7F && letter < 0xA0);
    bool turns = letter == 0x61C || letter == 0x200E || letter == 0x200F ||
                 (letter >= 0x2028 && letter <= 0x202E) || (letter >= 0x2066 && letter <= 0x2069);
    return size < 4 && (control || turns) ? letter : 0;
}

size_t cairn_letter_shown(char out[CAIRN_SHOWN_SIZE], const char *at, size_t left)
{
    size_t size = sequence_size(at, left);
    unsigned hidden = size ? hidden_letter((const unsigned char *)at, size) : 0;
    if (size == 0) {
        memcpy(out, "\xEF\xBF\xBD", 4);
        return 1;
    }
    memcpy(out, at, size);
    out[size] = 0;
    if (hidden) snprintf(out, CAIRN_SHOWN_SIZE, hidden < 0x80 ? "\\x%02x" : "\\u%04x", hidden);
    return size;
}

void cairn_text_add_shown(cairn_text *text, const char *bytes, size_t length)
{
    char shown[CAIRN_SHOWN_SIZE];
    for (size_t at = 0, step; at < length; at += step) {
        step = cairn_letter_shown(shown, bytes + at, length - at);
        bool stays = bytes[at] == '\n' || bytes[at] == '\t';
        cairn_text_add_bytes(text, stays ? bytes + at : shown, stays ? 1 : strlen(shown));
    }
}

static void add_json_char(cairn_text *text, unsigned char c)
{
    switch (c) {
    case '"': cairn_text_add(text, "\\\""); break;
    case '\\': cairn_text_add(text, "\\\\"); break;
    case '\n': cairn_text_add(text, "\\n"); break;
    case '\r': cairn_text_add(text, "\\r"); break;
    case '\t': cairn_text_add(text, "\\t"); break;
    default:
        if (c < 0x20 || c == 0x7F)
            cairn_text_addf(text, "\\u%04x", c);
        else
            cairn_text_add_char(text, (char)c);
    }
}

void cairn_text_add_json(cairn_text *text, const char *string)
{
    size_t length = strlen(string), at = 0;
    cairn_text_add_char(text, '"');
    while (at < length) {
        size_t valid = at + cairn_utf8_check(string + at, length - at);
        while (at < valid) {
            char shown[CAIRN_SHOWN_SIZE];
            size_t step = cairn_letter_shown(shown, string + at, valid - at);
            if (step > 1)
                cairn_text_add(text, shown); /* an escape is one of JSON as well */
            else
                add_json_char(text, (unsigned char)string[at]);
            at += step;
        }
        if (at < length) {
            cairn_text_add(text, "\xEF\xBF\xBD");
            at++;
        }
    }
    cairn_text_add_char(text, '"');
}

void cairn_text_add_html(cairn_text *text, const char *string)
{
    for (; *string; string++) switch (*string) {
        case '&': cairn_text_add(text, "&amp;"); break;
        case '<': cairn_text_add(text, "&lt;"); break;
        case '>': cairn_text_add(text, "&gt;"); break;
        case '"': cairn_text_add(text, "&quot;"); break;
        case '\'': cairn_text_add(text, "&#39;"); break;
        default: cairn_text_add_char(text, *string);
        }
}

void cairn_text_add_csv(cairn_text *text, const char *string)
{
    if (!strpbrk(string, ",\"\r\n")) {
        cairn_text_add(text, string);
        return;
    }
    cairn_text_add_char(text, '"');
    for (; *string; string++) {
        if (*string == '"') cairn_text_add_char(text, '"');
        cairn_text_add_char(text, *string);
    }
    cairn_text_add_char(text, '"');
}

void cairn_text_add_c(cairn_text *text, const char *string)
{
    for (; *string; string++) {
        unsigned char c = (unsigned char)*string;
        if (c < 32 || c > 126 || strchr("\"\\?*/", c))
            cairn_text_addf(text, "\\%03o", c);
        else
            cairn_text_add_char(text, (char)c);
    }
}

const char *cairn_text_string(const cairn_text *text)
{
    return text->bytes ? text->bytes : "";
}

cairn_status cairn_text_status(const cairn_text *text)
{
    return text->status;
}

cairn_status cairn_text_take(cairn_text *text, char **out)
{
    cairn_text_add_bytes(text, "", 0);
    cairn_status status = text->status;
    if (status == CAIRN_OK) {
        *out = text->bytes;
        text->bytes = NULL;
    }
    cairn_text_clear(text);
    return status;
}

bool cairn_same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool cairn_starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool cairn_ends_with(const char *text, const char *suffix)
{
    size_t n = strlen(text), m = strlen(suffix);
    return n >= m && strcmp(text + n - m, suffix) == 0;
}

size_t cairn_text_letter(const char *text, size_t *cells)
{
    utf8proc_int32_t letter;
    utf8proc_ssize_t length = utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &letter);
    *cells = length > 0 ? (size_t)utf8proc_charwidth(letter) : 1;
    return length > 0 ? (size_t)length : 1;
}

size_t cairn_text_width(const char *text)
{
    size_t width = 0, cells;
    while (*text) {
        text += cairn_text_letter(text, &cells);
        width += cells;
    }
    return width;
}

/* Length of the valid sequence that starts at `at`, or 0. */
static size_t sequence_length(const unsigned char *at, size_t left)
{
    unsigned char c = at[0];
    if (c < 0x80) return 1;
    size_t n = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : 2;
    if (c < 0xC2 || c > 0xF4 || left < n) return 0;
    for (size_t i = 1; i < n; i++)
        if ((at[i] & 0xC0) != 0x80) return 0;
    if (c == 0xE0 && at[1] < 0xA0) return 0; /* overlong */
    if (c == 0xED && at[1] > 0x9F) return 0; /* surrogates */
    if (c == 0xF0 && at[1] < 0x90) return 0; /* overlong */
    if (c == 0xF4 && at[1] > 0x8F) return 0; /* beyond U+10FFFF */
    return n;
}

size_t cairn_text_case(char *out, const char *text, size_t length, bool upper)
{
    size_t n = 0;
    for (size_t i = 0; i < length;) {
        utf8proc_int32_t letter;
        utf8proc_ssize_t taken = utf8proc_iterate((const utf8proc_uint8_t *)text + i,
                                                  (utf8proc_ssize_t)(length - i), &letter);
        if (taken <= 0) {
            out[n++] = text[i++];
            continue;
        }
        letter = upper ? utf8proc_toupper(letter) : utf8proc_tolower(letter);
        n += (size_t)utf8proc_encode_char(letter, (utf8proc_uint8_t *)out + n);
        i += (size_t)taken;
    }
    return n;
}

size_t cairn_utf8_check(const char *bytes, size_t length)
{
    const unsigned char *at = (const unsigned char *)bytes;
    size_t i = 0;
    while (i < length) {
        uint64_t eight;
        if (length - i >= 8) {
            memcpy(&eight, at + i, 8);
            if (!(eight & 0x8080808080808080u)) {
                i += 8;
                continue;
            }
        }
        size_t step = sequence_length(at + i, length - i);
        if (!step) return i;
        i += step;
    }
    return length;
}

/* -- places -- */

/* Letters around a mistake that a message shows: what one side leaves the other may have. */
enum { SHOWN_LETTERS = 76, SHOWN_AFTER = 26 };

static size_t back_one(const char *text, size_t at)
{
    do at--;
    while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80);
    return at;
}

void cairn_text_add_place(cairn_text *out, const char *line, size_t length, size_t at)
{
    size_t from = at, to = at, cells;
    int shown = 0;
    for (; to < length && shown < SHOWN_AFTER; shown++) to += cairn_text_letter(line + to, &cells);
    for (; from > 0 && shown < SHOWN_LETTERS; shown++) from = back_one(line, from);
    for (; to < length && shown < SHOWN_LETTERS; shown++)
        to += cairn_text_letter(line + to, &cells);
    cairn_text_add(out, from > 0 ? "\n    ..." : "\n    ");
    size_t before = from > 0 ? 7 : 4;
    for (size_t i = from; i < to;) {
        size_t n = cairn_text_letter(line + i, &cells);
        bool control = (unsigned char)line[i] < 32 || line[i] == 127;
        cairn_text_add_bytes(out, control ? " " : line + i, control ? 1 : n);
        if (i < at) before += control ? 1 : cells;
        i += n;
    }
    cairn_text_add(out, to < length ? "...\n" : "\n");
    cairn_text_add_repeat(out, ' ', before);
    cairn_text_add_char(out, '^');
}

cairn_status cairn_fail_placev(cairn_context *ctx, cairn_status failure, const char *line,
                               size_t length, size_t at, const char *format, va_list arguments)
{
    cairn_text message = cairn_text_start(ctx);
    cairn_text_sayv(&message, format, arguments);
    cairn_text_add_place(&message, line, length, at);
    cairn_status status = cairn_text_status(&message);
    if (status == CAIRN_OK) status = cairn_fail(ctx, failure, "%s", cairn_text_string(&message));
    cairn_text_clear(&message);
    return status;
}

cairn_status cairn_fail_place(cairn_context *ctx, const char *text, size_t at, const char *format,
                              ...)
{
    va_list arguments;
    va_start(arguments, format);
    cairn_status status =
        cairn_fail_placev(ctx, CAIRN_USAGE, text, strlen(text), at, format, arguments);
    va_end(arguments);
    return status;
}

/* -- words that are near -- */

enum { LONGEST_WORD = 64 };

size_t cairn_word_edits(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST_WORD || m > LONGEST_WORD) return SIZE_MAX;
    size_t rows[3][LONGEST_WORD + 1];
    for (size_t j = 0; j <= m; j++) rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = rows[i % 3], *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = before[j - 1] + (a[i - 1] != b[j - 1]);
            if (before[j] + 1 < best) best = before[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && earlier[j - 2] + 1 < best) best = earlier[j - 2] + 1;
            now[j] = best;
        }
    }
    return rows[n % 3][m];
}

static char small_letter(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

static bool is_same_but_case(const char *a, const char *b)
{
    while (*a && small_letter(*a) == small_letter(*b)) a++, b++;
    return !*a && !*b;
}

const char *cairn_nearest_word(const char *word,
                               const char *(*candidate)(size_t i, const void *data),
                               const void *data)
{
    const char *nearest = NULL, *other;
    size_t length = strlen(word), least = length / 3 + 1;
    if (length == 0) return NULL;
    for (size_t i = 0; (other = candidate(i, data)); i++) {
        size_t distance = cairn_word_edits(word, other);
        bool prefix = length >= 3 && (cairn_starts_with(other, word) ||
                                      (strlen(other) >= 3 && cairn_starts_with(word, other)));
        if (prefix && distance > 1) distance = 1;
        if (is_same_but_case(word, other)) distance = 0;
        /* at the limit half of a short word is wrong, or less of a long one */
        bool still = 2 * distance < length || (2 * distance == length && length <= 4);
        if (distance < least || (distance == least && !nearest && still)) {
            least = distance;
            nearest = other;
        }
    }
    return nearest;
}
