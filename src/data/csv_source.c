/* SPDX-License-Identifier: MIT */
/* Bytes of a CSV file, and messages that name the place in it. */
#include "base/memory.h"
#include "base/text.h"
#include "data/csv.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

cairn_status cairn_csv_fetch(cairn_context *ctx, const cairn_csv_source *source, size_t offset,
                             size_t length, char *buffer)
{
    size_t n = 0;
    memset(buffer + length, 0, CAIRN_CSV_PADDING);
    if (source->file < 0) {
        if (length) memcpy(buffer, source->memory + offset, length);
        return CAIRN_OK;
    }
    while (n < length) {
        ssize_t got = pread(source->file, buffer + n, length - n, (off_t)(offset + n));
        if (got > 0) {
            n += (size_t)got;
        } else if (got == 0) {
            return cairn_fail(ctx, CAIRN_FILE_ERROR,
                              "%s: the file became shorter while it was read", source->name);
        } else if (errno != EINTR) {
            return cairn_fail(ctx, CAIRN_FILE_ERROR, "%s: cannot read: %s", source->name,
                              strerror(errno));
        } else if (cairn_is_cancelled(ctx)) {
            return cairn_fail(ctx, CAIRN_CANCELLED, "interrupted");
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_csv_line(cairn_context *ctx, const cairn_csv_reader *reader, size_t offset,
                            size_t *line)
{
    SCOPED_SCRATCH(ctx);
    char *buffer;
    enum { PART = 1 << 16 };
    CHECK(SCRATCH_RAW(ctx, &buffer, (offset < PART ? offset : PART) + CAIRN_CSV_PADDING));
    *line = 1;
    for (size_t at = 0; at < offset; at += PART) {
        size_t n = offset - at < PART ? offset - at : PART;
        CHECK(cairn_csv_fetch(ctx, &reader->source, at, n, buffer));
        for (size_t i = 0; i < n; i++) *line += buffer[i] == reader->dialect.eol;
    }
    return CAIRN_OK;
}

cairn_status cairn_csv_refuse(cairn_context *ctx, const cairn_csv_reader *reader, size_t offset,
                              size_t column, const char *format, ...)
{
    size_t line;
    cairn_status status = cairn_csv_line(ctx, reader, offset, &line);
    if (status) return status;
    cairn_text text = cairn_text_start(ctx);
    cairn_text_addf(&text, "%s, line %zu", reader->source.name, line);
    if (column < reader->names.n)
        cairn_text_addf(&text, ", column '%s'", cairn_map_key(&reader->names, column));
    cairn_text_add(&text, ": ");
    va_list arguments;
    va_start(arguments, format);
    cairn_text_sayv(&text, format, arguments);
    va_end(arguments);
    status = cairn_text_status(&text);
    if (!status) status = cairn_fail(ctx, CAIRN_BAD_DATA, "%s", cairn_text_string(&text));
    cairn_text_clear(&text);
    return status;
}

cairn_status cairn_csv_refuse_zero(cairn_context *ctx, const cairn_csv_reader *reader,
                                   size_t offset)
{
    return cairn_csv_refuse(ctx, reader, offset, SIZE_MAX,
                            "a zero byte, which no text file holds; is this another kind of file? "
                            "(see {input-format} and {encoding})");
}
