/* SPDX-License-Identifier: MIT */
/* Text in other encodings, through iconv, in parts. */
#include "data/encoding.h"
#include "base/memory.h"
#include <errno.h>
#include <iconv.h>
#include <string.h>
#include <strings.h>

bool cairn_encoding_is_utf8(const char *encoding)
{
    return !encoding || strcasecmp(encoding, "utf-8") == 0 || strcasecmp(encoding, "utf8") == 0;
}

/* Letters of Windows' own where Latin-1 has control characters: the euro sign, curved quotes. */
static bool is_windows_letter(unsigned char c)
{
    return c >= 0x80 && c < 0xA0 && c != 0x81 && c != 0x8D && c != 0x8F && c != 0x90 && c != 0x9D;
}

const char *cairn_encoding_guess(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (is_windows_letter((unsigned char)bytes[i])) return "cp1252";
    return "latin1";
}

static bool is_latin1(const char *encoding)
{
    static const char *const names[] = {"latin1", "latin-1", "iso-8859-1", "iso8859-1", "l1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(encoding, names[i]) == 0) return true;
    return false;
}

typedef struct decoder {
    iconv_t converter;
    const char *encoding;
    char raw[1 << 15]; /* bytes that are not converted yet */
    size_t n_raw;
    char *out;
    size_t n, capacity;
    bool latin1;
    size_t n_windows;      /* bytes that only Windows has letters for */
    unsigned char windows; /* the first of them */
} decoder;

/* Convert what is there; a letter that is cut at the end waits for the rest. */
static cairn_status convert_part(cairn_context *ctx, decoder *d, const char *name, bool last)
{
    char *from = d->raw;
    while (d->n_raw) {
        CHECK(GROW(ctx, &d->out, &d->capacity, d->n + 4 * d->n_raw + 16));
        char *to = d->out + d->n;
        size_t buffer = d->capacity - d->n - 1;
        size_t code = iconv(d->converter, &from, &d->n_raw, &to, &buffer);
        d->n = (size_t)(to - d->out);
        if (code != (size_t)-1 || errno == E2BIG) continue;
        if (errno == EINVAL && !last) break;
        unsigned char byte = (unsigned char)*from;
        size_t line = 1;
        for (size_t i = 0; i < d->n; i++) line += d->out[i] == '\n';
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "%s, line %zu: byte 0x%02X is not text in the encoding %s; check {encoding}", name,
            line, byte, d->encoding);
    }
    memmove(d->raw, from, d->n_raw);
    return CAIRN_OK;
}

/* Bytes that are control characters in Latin-1 and letters in the encoding of Windows are counted
 * on the way: they are a sign that the wrong one was named. */
static cairn_status decode_all(cairn_context *ctx, decoder *d, cairn_input *input)
{
    size_t got;
    CHECK(GROW(ctx, &d->out, &d->capacity, 16));
    do {
        CHECK(cairn_input_read(ctx, input, d->raw + d->n_raw, sizeof d->raw - d->n_raw, &got));
        size_t from = d->n_raw;
        for (size_t i = from; d->latin1 && i < from + got; i++)
            if (is_windows_letter((unsigned char)d->raw[i]) && d->n_windows++ == 0)
                d->windows = (unsigned char)d->raw[i];
        d->n_raw += got;
        CHECK(convert_part(ctx, d, cairn_input_name(input), got == 0));
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    } while (got);
    d->out[d->n] = 0;
    if (d->n_windows)
        cairn_warn(
            ctx,
            "%s: %zu byte%s such as 0x%02X %s in %s, but letters or signs (the euro sign) in "
            "files of Windows; {encoding cp1252} reads those",
            cairn_input_name(input), d->n_windows, d->n_windows == 1 ? "" : "s", d->windows,
            d->n_windows == 1 ? "is a control character" : "are control characters", d->encoding);
    return CAIRN_OK;
}

cairn_status cairn_encoding_read(cairn_context *ctx, cairn_input *input, const char *encoding,
                                 char **out, size_t *length)
{
    cairn_status status;
    decoder *d = NULL;
    iconv_t converter = iconv_open("UTF-8", encoding);
    if (converter == (iconv_t)-1)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{encoding}: there is no encoding '%s'; usual ones are utf-8, cp1252 "
                          "(Windows), latin1 and utf-16",
                          encoding);
    TRY(NEW(ctx, &d, 1));
    d->converter = converter;
    d->encoding = encoding;
    d->latin1 = is_latin1(encoding);
    TRY(decode_all(ctx, d, input));
    *out = d->out;
    *length = d->n;
    d->out = NULL;
done:
    iconv_close(converter);
    if (d) cairn_free(d->out);
    cairn_free(d);
    return status;
}
