/* SPDX-License-Identifier: MIT */
/* Tables of some rows each from one input of CSV, or of JSON objects in lines.
 *
 * The buffer holds the header and behind it the bytes that were read and not yet handed out. A
 * table is read from the header and whole rows; what follows them moves up behind the header. */
#include "data/chunks.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/cell.h"
#include "data/csv.h"
#include "data/encoding.h"
#include "data/format_json.h"
#include "data/table_limits.h"
#include <string.h>

enum { FIRST_BYTES = 1 << 18, MORE_BYTES = 1 << 20 };

struct cairn_chunks {
    cairn_input *input;
    cairn_read_options options;
    cairn_csv_dialect dialect;
    char *bytes;
    size_t length, capacity;
    size_t header;   /* bytes of the header, byte order mark and all */
    size_t n_rows;   /* handed out */
    bool ended;      /* there are no more bytes */
    bool json;       /* lines of objects: no dialect and no header */
    size_t n_lines;  /* of objects, handed out */
    cairn_map names; /* of the columns that objects had so far */
};

/* Read up to `wanted` more bytes. */
static cairn_status fill(cairn_context *ctx, cairn_chunks *chunks, size_t wanted)
{
    while (wanted > 0 && !chunks->ended) {
        size_t got;
        CHECK(GROW(ctx, &chunks->bytes, &chunks->capacity,
                   chunks->length + wanted + CAIRN_CSV_PADDING));
        CHECK(cairn_input_read(ctx, chunks->input, chunks->bytes + chunks->length, wanted, &got));
        chunks->length += got;
        chunks->ended = got == 0;
        wanted -= got;
    }
    if (chunks->bytes) memset(chunks->bytes + chunks->length, 0, CAIRN_CSV_PADDING);
    return CAIRN_OK;
}

/* Only formats of one row a line can be read in pieces, and only when no option needs the whole
 * file first. */
static cairn_status check_format(cairn_context *ctx, cairn_chunks *chunks)
{
    const cairn_data_format *format;
    if (chunks->options.format)
        CHECK(cairn_format_get(ctx, &format, chunks->options.format));
    else
        CHECK(cairn_format_detect(ctx, &format, chunks->input));
    chunks->json = format == &cairn_ndjson_format;
    if (format != &cairn_csv_format && format != &cairn_tsv_format && !chunks->json)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s: only csv, tsv and ndjson are read chunk by chunk, not %s; leave out "
                          "{chunk}",
                          cairn_input_name(chunks->input), format->entry.name);
    if (chunks->options.transpose || !cairn_encoding_is_utf8(chunks->options.encoding))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s: {transpose} and {encoding} need the whole file; leave out {chunk}",
                          cairn_input_name(chunks->input));
    if (format == &cairn_tsv_format && !chunks->options.separator) chunks->options.separator = '\t';
    return CAIRN_OK;
}

static size_t count_lines(const cairn_chunks *chunks)
{
    size_t n = 0;
    for (size_t i = 0; i < chunks->length; i++) n += chunks->bytes[i] == '\n';
    return n;
}

/* Dialect and header, which are given to every table that is read from now on. */
static cairn_status find_head(cairn_context *ctx, cairn_chunks *chunks)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    const char *name = cairn_input_name(chunks->input);
    cairn_csv_reader reader = {.source = {.name = name, .file = -1}};
    TRY(fill(ctx, chunks, FIRST_BYTES));
    while (!chunks->ended && count_lines(chunks) <= chunks->options.skip)
        TRY(fill(ctx, chunks, MORE_BYTES));
    if (!chunks->length)
        TRY(cairn_fail(ctx, CAIRN_BAD_DATA,
                       "%s: the file is empty; write a table to it or name another file", name));
    reader.source.memory = chunks->bytes;
    reader.source.length = chunks->length;
    TRY(cairn_cell_marks(ctx, &reader.marks, chunks->options.missing, chunks->options.only_marks));
    TRY(cairn_csv_read_head(ctx, &reader, &chunks->options));
    chunks->dialect = reader.dialect;
    chunks->header = reader.data_from;
    chunks->options.header = reader.has_header;
    chunks->options.separator = reader.dialect.separator;
done:
    cairn_map_clear(&reader.marks);
    cairn_map_clear(&reader.names);
    cairn_scratch_release(ctx, mark);
    return status;
}

cairn_status cairn_chunks_open(cairn_context *ctx, cairn_chunks **out, cairn_input *input,
                               const cairn_read_options *options)
{
    cairn_status status;
    cairn_chunks *chunks = NULL;
    status = NEW(ctx, &chunks, 1);
    if (status) {
        cairn_input_close(input);
        return status;
    }
    chunks->input = input;
    TRY(cairn_read_options_full(ctx, &chunks->options, options));
    TRY(check_format(ctx, chunks));
    if (!chunks->json) TRY(find_head(ctx, chunks));
    *out = chunks;
    return CAIRN_OK;
done:
    cairn_chunks_close(chunks);
    return status;
}

void cairn_chunks_expect(cairn_chunks *chunks, const struct cairn_schema *schema)
{
    chunks->options.expected = schema;
}

/* A line that does not end is read in ever larger pieces: searched a few times only. */
static cairn_status fill_behind(cairn_context *ctx, cairn_chunks *chunks, size_t pending)
{
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    return fill(ctx, chunks, pending > MORE_BYTES ? pending : MORE_BYTES);
}

/* Where the first n_rows rows behind the header end. More is read as it is needed; fewer rows are
 * found only at the end of the input. */
static cairn_status find_rows(cairn_context *ctx, cairn_chunks *chunks, size_t n_rows, size_t *end,
                              size_t *found)
{
    size_t at = chunks->header, n = 0;
    while (n < n_rows) {
        bool broken = false;
        const char *from = chunks->bytes + at, *stop = chunks->bytes + chunks->length;
        const char *next =
            from < stop ? cairn_csv_row_end(&chunks->dialect, from, stop, &broken) : stop;
        bool whole = from < stop && next[-1] == chunks->dialect.eol && !broken;
        if (!whole && !chunks->ended) {
            CHECK(fill_behind(ctx, chunks, (size_t)(stop - from)));
            continue;
        }
        if (from == stop) break;
        n += cairn_csv_is_row(&chunks->dialect, from, next);
        at = (size_t)(next - chunks->bytes);
    }
    *end = at;
    *found = n;
    return CAIRN_OK;
}

/* The next objects as a table; NULL behind the last. */
static cairn_status next_objects(cairn_context *ctx, cairn_chunks *chunks, size_t n_rows,
                                 cairn_table **out)
{
    cairn_status status;
    const char *name = cairn_input_name(chunks->input);
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_table *table = NULL;
    size_t end, n_lines, bom;
    /* The same for objects, one in a line. */
    size_t at = 0, n = 0;
    n_lines = 0;
    while (n < n_rows) {
        size_t left = chunks->length - at;
        const char *from = left ? chunks->bytes + at : "";
        const char *eol = left ? memchr(from, '\n', left) : NULL;
        if (!eol && !chunks->ended) {
            TRY(fill_behind(ctx, chunks, left));
            continue;
        }
        if (!left) break;
        size_t length = eol ? (size_t)(eol + 1 - from) : left;
        for (size_t i = 0, counted = n; i < length && n == counted; i++)
            n += !strchr(" \t\r\n", from[i]) || !from[i];
        at += length;
        ++n_lines;
    }
    end = n ? at : 0;
    if (end == 0 && chunks->n_rows) goto done;
    bom = !chunks->n_lines && chunks->length >= 3 && memcmp(chunks->bytes, "\xEF\xBB\xBF", 3) == 0
              ? 3
              : 0;
    if (end) end -= bom;
    TRY(cairn_ndjson_read(ctx, &table, name, end ? chunks->bytes + bom : "", end,
                          chunks->n_lines + 1, &chunks->options, &chunks->names));
    table->format = &cairn_ndjson_format;
    TRY(cairn_copy_text(ctx, &table->source, name, strlen(name)));
    TRY(cairn_table_apply_kinds(ctx, table, chunks->options.kinds, chunks->options.time_format));
    TRY(cairn_table_allowed(ctx, table));
    end += bom;
    memmove(chunks->bytes, chunks->bytes + end, chunks->length - end);
    chunks->length -= end;
    chunks->n_lines += n_lines;
    chunks->n_rows += table->n_rows;
    *out = table;
    table = NULL;
done:
    cairn_table_free(table);
    cairn_scratch_release(ctx, mark);
    return status;
}

/* The reader finds out anew how lines end: a chunk in which that is not what it is in the others
 * has not the rows that were counted. */
static cairn_status check_rows(cairn_context *ctx, const cairn_chunks *chunks,
                               const cairn_table *table, size_t n)
{
    bool skips = chunks->options.bad_lines == CAIRN_BAD_LINES_SKIP;
    if (table->n_rows == n || (skips && table->n_rows < n)) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%s: of rows %zu to %zu some end with a carriage return and others with a "
                      "line feed; end all lines in the same way",
                      cairn_input_name(chunks->input), chunks->n_rows + 1, chunks->n_rows + n);
}

cairn_status cairn_chunks_next(cairn_context *ctx, cairn_chunks *chunks, size_t n_rows,
                               cairn_table **out)
{
    cairn_status status;
    const char *name = cairn_input_name(chunks->input);
    OWNED(cairn_table_free) cairn_table *table = NULL;
    size_t end, n;
    *out = NULL;
    if (chunks->json) return next_objects(ctx, chunks, n_rows, out);
    CHECK(find_rows(ctx, chunks, n_rows, &end, &n));
    if (n == 0 && chunks->n_rows) return CAIRN_OK;
    status = cairn_table_read_memory(ctx, &table, name, chunks->bytes, end, &chunks->options);
    if (status && chunks->n_rows)
        cairn_message_prefix(ctx, "in the chunk of rows %zu to %zu", chunks->n_rows + 1,
                             chunks->n_rows + n);
    CHECK(status);
    CHECK(check_rows(ctx, chunks, table, n));
    memmove(chunks->bytes + chunks->header, chunks->bytes + end, chunks->length - end);
    chunks->length -= end - chunks->header;
    chunks->n_rows += n;
    *out = TAKE(table);
    return CAIRN_OK;
}

size_t cairn_chunks_rows(const cairn_chunks *chunks)
{
    return chunks->n_rows;
}

void cairn_chunks_close(cairn_chunks *chunks)
{
    if (!chunks) return;
    cairn_input_close(chunks->input);
    cairn_map_clear(&chunks->names);
    FREE_EACH(chunks->bytes, chunks);
}
