/* SPDX-License-Identifier: MIT */
/* Files of lines: read whole, checked once, so that the parsers need not look for bad bytes. */
#include "data/lines.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/encoding.h"
#include <string.h>

enum { LONGEST_SHOWN = 60 };

void cairn_lines_clear(cairn_lines *lines)
{
    cairn_free(lines->bytes);
    *lines = (cairn_lines){0};
}

const char *cairn_lines_end(const cairn_lines *lines, const char *at)
{
    const char *feed = memchr(at, '\n', (size_t)(lines->end - at));
    return feed ? feed : lines->end;
}

const char *cairn_lines_trim(const char *begin, const char *end)
{
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) end--;
    return end;
}

int cairn_lines_shown(const char *begin, const char *end)
{
    if (end - begin <= LONGEST_SHOWN) return (int)(end - begin);
    int n = LONGEST_SHOWN;
    while (n > 0 && ((unsigned char)begin[n] & 0xC0) == 0x80) n--;
    return n;
}

static size_t line_of(const cairn_lines *lines, const char *at)
{
    size_t line = 1;
    for (const char *c = lines->bytes; c < at; c++) line += *c == '\n';
    return line;
}

cairn_status cairn_lines_refuse(cairn_context *ctx, const cairn_lines *lines, const char *at,
                                const char *column, const char *format, ...)
{
    cairn_text text = cairn_text_start(ctx);
    cairn_text_addf(&text, "%s, line %zu", lines->name, line_of(lines, at));
    if (column) cairn_text_addf(&text, ", column '%s'", column);
    cairn_text_add(&text, ": ");
    va_list arguments;
    va_start(arguments, format);
    cairn_text_sayv(&text, format, arguments);
    va_end(arguments);
    cairn_status status = cairn_text_status(&text);
    if (!status) status = cairn_fail(ctx, CAIRN_BAD_DATA, "%s", cairn_text_string(&text));
    cairn_text_clear(&text);
    return status;
}

/* After this the readers of lines may take the bytes for UTF-8 without zeros, and treat them as
 * strings. */
static cairn_status check_bytes(cairn_context *ctx, const cairn_lines *lines)
{
    size_t length = (size_t)(lines->end - lines->begin);
    if (length == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: the file is empty; write a table to it or name another file",
                          lines->name);
    const char *zero = memchr(lines->begin, 0, length);
    if (zero)
        return cairn_lines_refuse(
            ctx, lines, zero, NULL,
            "there is a zero byte; this is not a text file (see {input-format})");
    size_t bad = cairn_utf8_check(lines->begin, length);
    if (bad < length)
        return cairn_lines_refuse(ctx, lines, lines->begin + bad, NULL,
                                  "byte 0x%02X is not UTF-8; give the file's encoding, such as "
                                  "{encoding %s}",
                                  (unsigned)(unsigned char)lines->begin[bad],
                                  cairn_encoding_guess(lines->begin, length));
    return CAIRN_OK;
}

cairn_status cairn_lines_read(cairn_context *ctx, cairn_lines *out, cairn_input *input,
                              const char *encoding)
{
    cairn_status status;
    cairn_lines lines = {.name = cairn_input_name(input)};
    size_t length;
    if (cairn_encoding_is_utf8(encoding))
        TRY(cairn_input_read_all(ctx, input, &lines.bytes, &length));
    else
        TRY(cairn_encoding_read(ctx, input, encoding, &lines.bytes, &length));
    lines.begin = lines.bytes;
    lines.end = lines.bytes + length;
    if (length >= 3 && memcmp(lines.begin, "\xEF\xBB\xBF", 3) == 0) lines.begin += 3;
    TRY(check_bytes(ctx, &lines));
    *out = lines;
    return CAIRN_OK;
done:
    cairn_lines_clear(&lines);
    return status;
}
