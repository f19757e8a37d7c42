/* SPDX-License-Identifier: MIT */
/* Lines of text by cells, not bytes: wide letters take two, combining marks none. */
#include "report/wrap.h"
#include <string.h>

enum { LEAST_LINE = 10 };

/* Bytes of a valid UTF-8 sequence by its first byte. */
static size_t sequence_size(char first)
{
    unsigned char c = (unsigned char)first;
    return c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
}

void cairn_text_add_clean(cairn_text *out, const char *text, bool keep_lines)
{
    char shown[CAIRN_SHOWN_SIZE];
    for (size_t left = strlen(text), step; left; text += step, left -= step) {
        step = cairn_letter_shown(shown, text, left);
        if (*text == '\n')
            cairn_text_add_char(out, keep_lines ? '\n' : ' ');
        else if (*text == '\t')
            cairn_text_add_char(out, ' ');
        else if (*text != '\r' || text[1] != '\n')
            cairn_text_add(out, shown);
    }
}

static size_t sequence_width(const char *at, size_t size)
{
    if (size == 1) return 1;
    char letter[5] = {0};
    memcpy(letter, at, size);
    return cairn_text_width(letter);
}

size_t cairn_letter_size(const char *at, size_t *width)
{
    size_t size = sequence_size(*at);
    *width = sequence_width(at, size);
    while (at[size]) {
        size_t next = sequence_size(at[size]);
        if (next == 1 || sequence_width(at + size, next) > 0) break;
        size += next;
    }
    return size;
}

size_t cairn_clean_width(const char *text, size_t length)
{
    size_t width = 0, step;
    for (const char *at = text; at < text + length; width += step)
        at += cairn_letter_size(at, &step);
    return width;
}

/* Give back a line without the blanks at its end. */
static bool give_line(const char *start, const char *end, const char **line, size_t *length)
{
    while (end > start && end[-1] == ' ') end--;
    *line = start;
    *length = (size_t)(end - start);
    return true;
}

/* Where a word that is too long for a line is best broken: behind the last mark that joins its
 * parts, as in petal_width, or where the line ends. */
static const char *joint_before(const char *start, const char *end)
{
    for (const char *at = end; at > start + 1; at--)
        if (strchr(CAIRN_JOINTS, at[-1]) && at < end) return at;
    return end;
}

bool cairn_wrap_next(const char **at, size_t width, const char **line, size_t *length)
{
    const char *start = *at, *p = start, *best = NULL; /* best: where the line may end */
    size_t used = 0;
    bool after_wide = false;
    if (!*start) return false;
    for (;;) {
        if (!*p || *p == '\n') {
            *at = *p ? p + 1 : p;
            return give_line(start, p, line, length);
        }
        size_t cells, size = cairn_letter_size(p, &cells);
        bool wide = cells > 1;
        if (p > start && (*p == ' ' || wide || after_wide)) best = p;
        if (used + cells > width && p > start && *p != ' ') break;
        used += cells;
        after_wide = wide;
        p += size;
    }
    if (!best) best = joint_before(start, p);
    const char *next = best;
    while (*next == ' ') next++;
    *at = *next == '\n' ? next + 1 : next;
    return give_line(start, best, line, length);
}

size_t cairn_text_add_cut(cairn_text *out, const char *text, size_t width)
{
    size_t used = 0, fits = 0, length = strlen(text), whole = cairn_clean_width(text, length);
    if (whole <= width) {
        cairn_text_add_bytes(out, text, length);
        return whole;
    }
    while (text[fits]) {
        size_t cells, size = cairn_letter_size(text + fits, &cells);
        if (used + cells + 1 > width) break;
        used += cells;
        fits += size;
    }
    cairn_text_add_bytes(out, text, fits);
    cairn_text_add(out, "…");
    return used + 1;
}

void cairn_text_add_wrapped(cairn_text *out, const char *text, size_t width, const char *first,
                            const char *rest)
{
    size_t taken = cairn_text_width(first), taken_rest = cairn_text_width(rest);
    size_t buffer = width < taken + LEAST_LINE ? LEAST_LINE : width - taken;
    size_t buffer_rest = width < taken_rest + LEAST_LINE ? LEAST_LINE : width - taken_rest;
    const char *line, *before = first;
    size_t length;
    if (!*text) cairn_text_addf(out, "%s\n", first);
    while (cairn_wrap_next(&text, buffer, &line, &length)) {
        cairn_text_add(out, before);
        cairn_text_add_bytes(out, line, length);
        cairn_text_add_char(out, '\n');
        before = rest;
        buffer = buffer_rest;
    }
}
