/* SPDX-License-Identifier: MIT */
/* Growing text, and small helpers on strings. Bytes are UTF-8.
 *
 * A cairn_text remembers its first failure and ignores what is added afterwards, so a caller
 * checks once, at the end: `return cairn_text_status(&text)`. `bytes` always ends with a zero
 * byte once something was added; use cairn_text_string() to be safe. */
#ifndef CAIRN_BASE_TEXT_H
#define CAIRN_BASE_TEXT_H

#include "base/context.h"
#include <stdarg.h>

typedef struct cairn_text {
    cairn_context *ctx;
    char *bytes;
    size_t length;
    size_t capacity;
    cairn_status status;
} cairn_text;

/* An empty text; free it with cairn_text_clear. */
cairn_text cairn_text_start(cairn_context *ctx);
void cairn_text_clear(cairn_text *text);

/* Add to the end; does nothing once the text has failed. */
void cairn_text_add(cairn_text *text, const char *string);
void cairn_text_add_bytes(cairn_text *text, const char *bytes, size_t length);
void cairn_text_add_char(cairn_text *text, char c);
void cairn_text_add_repeat(cairn_text *text, char c, size_t times);
CAIRN_PRINTF(2, 3) void cairn_text_addf(cairn_text *text, const char *format, ...);
void cairn_text_addv(cairn_text *text, const char *format, va_list arguments);
/* The same for a format with marks of parameters (base/context.h). */
CAIRN_PRINTF(2, 3) void cairn_text_sayf(cairn_text *text, const char *format, ...);
CAIRN_PRINTF(2, 0)
void cairn_text_sayv(cairn_text *text, const char *format, va_list arguments);

/* Room for n more bytes behind the text, NULL once anything failed. Who fills it raises `length`
 * and ends the text with a zero byte if somebody is to see it as a string. */
char *cairn_text_buffer(cairn_text *text, size_t n);

/* The number as cairn_number_format writes it. */
void cairn_text_add_number(cairn_text *text, double number, int digits);

/* JSON string with quotes and escapes; invalid UTF-8 becomes U+FFFD. */
void cairn_text_add_json(cairn_text *text, const char *string);

/* The text with & < > " ' replaced by entities. */
void cairn_text_add_html(cairn_text *text, const char *string);
/* A cell of a CSV file, in quotes where it must be. */
void cairn_text_add_csv(cairn_text *text, const char *string);
/* Inside a string or a comment of C: what could end either, or turn the line around, is written as
 * an octal number. */
void cairn_text_add_c(cairn_text *text, const char *string);

/* The text so far, "" when there is none. Borrowed until the next change. */
const char *cairn_text_string(const cairn_text *text);
CAIRN_CHECKED cairn_status cairn_text_status(const cairn_text *text);

/* Hand the bytes to the caller (freed with cairn_free) and leave the text empty. */
CAIRN_CHECKED cairn_status cairn_text_take(cairn_text *text, char **out);

bool cairn_same(const char *a, const char *b); /* NULL-safe equality */
bool cairn_starts_with(const char *text, const char *prefix);
bool cairn_ends_with(const char *text, const char *suffix);

/* Number of terminal cells that UTF-8 text takes (wide letters 2, combining marks 0). */
size_t cairn_text_width(const char *text);

/* Length in bytes of the letter that `text` begins with (not at its end), and the cells it takes. A
 * byte that is not UTF-8 is a letter of one cell. */
size_t cairn_text_letter(const char *text, size_t *cells);

/* Two lines that show a place in a text of one line: what stands around byte `at`, and a mark below
 * it. For messages about something that was typed. */
void cairn_text_add_place(cairn_text *out, const char *line, size_t length, size_t at);

/* Fail with CAIRN_USAGE and a message that ends with the place in what was typed. */
CAIRN_PRINTF(4, 5)
CAIRN_CHECKED cairn_status cairn_fail_place(cairn_context *ctx, const char *text, size_t at,
                                            const char *format, ...);
/* The same with any status and one line of a longer text. */
CAIRN_CHECKED cairn_status cairn_fail_placev(cairn_context *ctx, cairn_status failure,
                                             const char *line, size_t length, size_t at,
                                             const char *format, va_list arguments);

/* Byte offset of the first invalid UTF-8 sequence, or `length` when all is valid. */
size_t cairn_utf8_check(const char *bytes, size_t length);

enum { CAIRN_SHOWN_SIZE = 8 };

/* How the letter at `at` (`left` bytes, at least one) reaches a terminal, a figure or a comment of
 * a program, in `out`, zero-ended: as it is, or as \x1b or \u202e where it is a control letter (C0,
 * DEL, C1), turns the direction of writing or ends a line; a byte that is not UTF-8 as U+FFFD.
 * Returns the bytes that it takes. Who wants line ends and tabs as they are looks before. */
size_t cairn_letter_shown(char out[CAIRN_SHOWN_SIZE], const char *at, size_t left);
/* Add text so; line ends and tabs stay. */
void cairn_text_add_shown(cairn_text *text, const char *bytes, size_t length);

/* The letters in small or capital form, one by one; bytes that are not UTF-8 stay. `out` has room
 * for twice the length; returns the bytes written. */
size_t cairn_text_case(char *out, const char *text, size_t length, bool upper);

/* Edits (insert, delete, replace, swap neighbours) between two words; SIZE_MAX where one has more
 * than 64 letters. */
size_t cairn_word_edits(const char *a, const char *b);

/* The candidate nearest to `word` if it is a plausible slip of the pen (at most a third of the
 * letters differ, or one is a prefix of the other), else NULL. `candidate(i, data)` gives NULL at
 * the end. */
const char *cairn_nearest_word(const char *word,
                               const char *(*candidate)(size_t i, const void *data),
                               const void *data);

#endif
