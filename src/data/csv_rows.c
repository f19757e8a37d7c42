/* SPDX-License-Identifier: MIT */
/* Where the rows of a CSV file are.
 *
 * The file is cut into chunks of fixed size; a row belongs to the chunk in which it begins. All
 * chunks are scanned side by side, 64 bytes at a time. A file without quotes has a row after every
 * line feed; one with quotes after every line feed that stands behind an even number of them, as
 * long as each quote that opens a cell, or goes on after a doubled one, stands right behind a
 * separator, a line feed or a quote. Whether a chunk begins inside a cell is known once those
 * before
 * it are scanned, so it is scanned for both. Where quotes stand elsewhere, blanks separate, or
 * comments or bad lines are left out, the rows are found one after the other. */
#include "base/memory.h"
#include "base/text.h"
#include "data/csv.h"
#include "parallel/parallel.h"
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Bit i of a mask stands for byte i of 64. */
typedef struct byte_masks {
    uint64_t eol, returns, quotes, separators, zeros, high;
} byte_masks;

#if defined(__SSE2__)
static uint64_t mask_equal(const __m128i parts[4], char c)
{
    __m128i wanted = _mm_set1_epi8(c);
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++)
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(parts[i], wanted)) << 16 * i;
    return mask;
}

static inline byte_masks masks_of(const char *bytes, char eol, char separator)
{
    __m128i parts[4];
    uint64_t high = 0;
    for (int i = 0; i < 4; i++) {
        parts[i] = _mm_loadu_si128((const __m128i *)(bytes + 16 * i));
        high |= (uint64_t)(uint32_t)_mm_movemask_epi8(parts[i]) << 16 * i;
    }
    uint64_t quotes = mask_equal(parts, '"');
    return (byte_masks){mask_equal(parts, eol),
                        mask_equal(parts, '\r'),
                        quotes,
                        quotes ? mask_equal(parts, separator) : 0,
                        mask_equal(parts, 0),
                        high};
}
#else
static inline byte_masks masks_of(const char *bytes, char eol, char separator)
{
    byte_masks m = {0};
    for (int i = 0; i < 64; i++) {
        m.eol |= (uint64_t)(bytes[i] == eol) << i;
        m.returns |= (uint64_t)(bytes[i] == '\r') << i;
        m.quotes |= (uint64_t)(bytes[i] == '"') << i;
        m.separators |= (uint64_t)(bytes[i] == separator) << i;
        m.zeros |= (uint64_t)(bytes[i] == 0) << i;
        m.high |= (uint64_t)((unsigned char)bytes[i] >> 7) << i;
    }
    return m;
}
#endif

/* What one chunk of bytes holds if it begins outside of quotes, or inside of them. */
typedef struct sided_scan {
    size_t first; /* offset of the first row that begins here, SIZE_MAX = none */
    size_t n_rows;
    bool odd_quotes; /* one opens where no cell begins */
} sided_scan;

typedef struct chunk_scan {
    sided_scan sides[2]; /* outside, inside */
    size_t n_quotes;
    bool has_high;
    size_t zero_at; /* offset of the first zero byte, SIZE_MAX = none */
} chunk_scan;

typedef struct row_scan {
    const cairn_csv_reader *reader;
    chunk_scan *chunks;
} row_scan;

/* Bits that have an odd number of set bits at and below them. */
static inline uint64_t odd_below(uint64_t bits)
{
    for (int by = 1; by < 64; by *= 2) bits ^= bits << by;
    return bits;
}

/* Scan n bytes that begin at offset `begin`; they are preceded by one byte and followed by two (or
 * by zeros at the end of the file). */
static void scan_bytes(chunk_scan *out, const cairn_csv_dialect *d, const char *bytes, size_t n,
                       size_t begin)
{
    uint64_t eol_carry = bytes[-1] == d->eol;
    uint64_t opener_carry = eol_carry | (bytes[-1] == '"') | (bytes[-1] == d->separator);
    uint64_t within = 0; /* all bits set inside quotes, when the chunk begins outside */
    for (size_t at = 0; at < n; at += 64) {
        byte_masks m = masks_of(bytes + at, d->eol, d->separator);
        uint64_t valid = n - at >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << (n - at)) - 1;
        uint64_t starts = ((m.eol << 1) | eol_carry) & valid;
        uint64_t next_eol = (m.eol >> 1) | ((uint64_t)(bytes[at + 64] == d->eol) << 63);
        uint64_t empty = m.eol | (m.returns & next_eol);
        uint64_t quotes = m.quotes & valid, through = odd_below(quotes) ^ within;
        uint64_t inside = through ^ quotes; /* of the byte before */
        uint64_t openers = ((m.eol | m.quotes | m.separators) << 1) | opener_carry;
        for (int side = 0; side < 2; side++, inside = ~inside) {
            sided_scan *scan = &out->sides[side];
            uint64_t begins = starts & ~inside;
            if (begins && scan->first == SIZE_MAX)
                scan->first = begin + at + (size_t)__builtin_ctzll(begins);
            scan->n_rows += (size_t)__builtin_popcountll(begins & ~empty);
            scan->odd_quotes |= (quotes & ~inside & ~openers) != 0;
        }
        out->n_quotes += (size_t)__builtin_popcountll(quotes);
        out->has_high |= (m.high & valid) != 0;
        if ((m.zeros & valid) && out->zero_at == SIZE_MAX)
            out->zero_at = begin + at + (size_t)__builtin_ctzll(m.zeros & valid);
        eol_carry = m.eol >> 63;
        /* without quotes separators were not looked for, and a quote may follow in the next part */
        opener_carry = eol_carry | m.quotes >> 63 | (bytes[at + 63] == d->separator);
        within = (uint64_t)((int64_t)through >> 63);
    }
}

/* Takes a byte before the chunk and two behind it along, so that a row which begins at an edge is
 * counted once, and not at all when it is empty. */
static cairn_status scan_chunk(cairn_context *ctx, void *data, size_t i)
{
    row_scan *scan = data;
    const cairn_csv_reader *reader = scan->reader;
    const cairn_csv_source *source = &reader->source;
    char eol = reader->dialect.eol;
    char *buffer;
    size_t begin = reader->data_from + i * CAIRN_CSV_CHUNK;
    size_t left = source->length - begin;
    size_t n = left < CAIRN_CSV_CHUNK ? left : CAIRN_CSV_CHUNK;
    CHECK(SCRATCH_RAW(ctx, &buffer, n + 3 + CAIRN_CSV_PADDING));
    size_t more = left - n < 2 ? left - n : 2;
    size_t before = begin > 0;
    CHECK(cairn_csv_fetch(ctx, source, begin - before, n + before + more, buffer + 1 - before));
    if (i == 0) buffer[0] = eol; /* the very first byte begins a row */
    scan_bytes(&scan->chunks[i], &reader->dialect, buffer + 1, n, begin);
    return CAIRN_OK;
}

/* A last line that holds only a carriage return is empty, though no line feed follows. */
static bool ends_with_lone_return(const cairn_csv_reader *reader, const char *tail, size_t n)
{
    char eol = reader->dialect.eol;
    return eol == '\n' && n >= 1 && tail[n - 1] == '\r' && (n == 1 || tail[n - 2] == eol);
}

/* Turn the scans into chunks whose ranges follow each other; false when quotes stand where that
 * needs a closer look. */
static bool join_scans(cairn_csv_reader *reader, const chunk_scan *scans, size_t n)
{
    size_t row = 0, end = reader->source.length, n_quotes = 0;
    for (size_t i = 0; i < n; i++) {
        const sided_scan *scan = &scans[i].sides[n_quotes % 2];
        n_quotes += scans[i].n_quotes;
        if (scan->odd_quotes) return false;
        if (scan->first == SIZE_MAX) {
            if (reader->n_chunks)
                reader->chunks[reader->n_chunks - 1].has_high |= scans[i].has_high;
            continue;
        }
        cairn_csv_chunk *chunk = &reader->chunks[reader->n_chunks++];
        *chunk = (cairn_csv_chunk){.begin = scan->first,
                                   .end = end,
                                   .n_rows = scan->n_rows,
                                   .first_row = row,
                                   .has_high = scans[i].has_high};
        if (reader->n_chunks > 1) {
            chunk[-1].end = chunk->begin;
            chunk[-1].has_high |= chunk->has_high; /* its last row may reach into this chunk */
        }
        row += scan->n_rows;
    }
    reader->n_rows = row;
    return n_quotes % 2 == 0;
}

/* -- with quotes -- */

/* A quote that is not closed within so many bytes never will be. */
enum { LONGEST_QUOTE = 1 << 28 };

/* A walk over the bytes of the file through a sliding buffer. */
typedef struct row_walk {
    cairn_context *ctx;
    cairn_csv_reader *reader;
    char *buffer;
    size_t capacity;
    size_t offset; /* of buffer[0] in the file */
    size_t n;      /* bytes in the buffer */
    size_t at;     /* place in the buffer */
} row_walk;

/* Keep what is not walked over yet and fetch more; false in *more at the end of the file. */
static cairn_status walk_on(row_walk *w, bool *more)
{
    size_t kept = w->n - w->at, next = w->offset + w->n;
    size_t left = w->reader->source.length - next;
    *more = left > 0;
    if (!left) return CAIRN_OK;
    CHECK(cairn_tick(w->ctx, NULL, 0, 0));
    if (kept) memmove(w->buffer, w->buffer + w->at, kept);
    w->offset += w->at;
    w->at = 0;
    /* A long row is walked over again: its buffer doubles, so that this happens rarely. */
    size_t wanted = kept > CAIRN_CSV_CHUNK ? kept : CAIRN_CSV_CHUNK;
    size_t part = wanted < left ? wanted : left;
    CHECK(GROW(w->ctx, &w->buffer, &w->capacity, kept + part + CAIRN_CSV_PADDING));
    CHECK(cairn_csv_fetch(w->ctx, &w->reader->source, next, part, w->buffer + kept));
    w->n = kept + part;
    return CAIRN_OK;
}

static cairn_status refuse_open_quote(cairn_context *ctx, const cairn_csv_reader *reader,
                                      size_t row_at, const char *row, const char *end)
{
    cairn_csv_cell cell = {0};
    size_t column = 0;
    for (const char *at = row; !cell.last; column++)
        at = cairn_csv_take(&reader->dialect, at, end, &cell);
    size_t offset = row_at + (size_t)(cell.text - row);
    return cairn_csv_refuse(ctx, reader, offset, column - 1,
                            "a quote begins here and is never closed; close it, or double quotes "
                            "that belong to the text");
}

/* Note a row that begins at `offset` in the chunk where it belongs. */
static void note_row(cairn_csv_reader *reader, size_t offset, size_t next, bool empty)
{
    size_t number = (offset - reader->data_from) / CAIRN_CSV_CHUNK, n = reader->n_chunks;
    cairn_csv_chunk *chunks = reader->chunks;
    if (n == 0 || (chunks[n - 1].begin - reader->data_from) / CAIRN_CSV_CHUNK != number) {
        chunks[n++] =
            (cairn_csv_chunk){.begin = offset, .first_row = reader->n_rows, .has_high = true};
        reader->n_chunks = n;
    }
    chunks[n - 1].end = next;
    chunks[n - 1].n_rows += !empty;
    reader->n_rows += !empty;
}

static void note_bad(cairn_csv_reader *reader, size_t offset)
{
    if (reader->n_bad < sizeof reader->bad_at / sizeof *reader->bad_at)
        reader->bad_at[reader->n_bad] = offset;
    reader->n_bad++;
}

/* For files in which a line need not be a row: only a walk from the start can tell whether a line
 * end is within quotes. Rows of the wrong width are noted where these are allowed. */
static cairn_status walk_rows(row_walk *w)
{
    cairn_csv_reader *reader = w->reader;
    const cairn_csv_dialect *dialect = &reader->dialect;
    bool more;
    CHECK(walk_on(w, &more));
    while (w->at < w->n || more) {
        bool broken;
        const char *row = w->buffer + w->at, *end = w->buffer + w->n;
        const char *next = cairn_csv_row_end(dialect, row, end, &broken);
        /* The bytes may end inside a row, or between a quote and its double. */
        if (next == end) {
            bool too_long = broken && end - row > LONGEST_QUOTE;
            if (!too_long) CHECK(walk_on(w, &more));
            if (more && !too_long) continue;
        }
        if (broken) return refuse_open_quote(w->ctx, reader, w->offset + w->at, row, end);
        if (w->at == w->n) break;
        bool empty = cairn_csv_is_empty_row(dialect, row, next);
        bool bad = !empty && dialect->bad && cairn_csv_is_bad_row(dialect, row, next);
        if (bad) note_bad(reader, w->offset + w->at);
        note_row(reader, w->offset + w->at, w->offset + (size_t)(next - w->buffer),
                 empty || (bad && dialect->bad == CAIRN_BAD_LINES_SKIP));
        w->at = (size_t)(next - w->buffer);
    }
    return CAIRN_OK;
}

static cairn_status find_rows_in_order(cairn_context *ctx, cairn_csv_reader *reader)
{
    row_walk walk = {.ctx = ctx, .reader = reader, .offset = reader->data_from};
    reader->n_chunks = 0;
    reader->n_rows = 0;
    cairn_status status = walk_rows(&walk);
    cairn_free(walk.buffer);
    return status;
}

/* -- both -- */

static cairn_status scan_all(cairn_context *ctx, cairn_csv_reader *reader, chunk_scan *scans,
                             size_t n)
{
    row_scan scan = {reader, scans};
    for (size_t i = 0; i < n; i++)
        scans[i] =
            (chunk_scan){.sides = {{.first = SIZE_MAX}, {.first = SIZE_MAX}}, .zero_at = SIZE_MAX};
    CHECK(cairn_tasks(ctx, n, scan_chunk, &scan));
    for (size_t i = 0; i < n; i++) {
        if (scans[i].zero_at != SIZE_MAX)
            return cairn_csv_refuse_zero(ctx, reader, scans[i].zero_at);
    }
    return CAIRN_OK;
}

static cairn_status drop_lone_return(cairn_context *ctx, cairn_csv_reader *reader)
{
    char tail[2 + CAIRN_CSV_PADDING];
    size_t left = reader->source.length - reader->data_from, n = left < 2 ? left : 2;
    if (!reader->n_chunks) return CAIRN_OK;
    cairn_status status = cairn_csv_fetch(ctx, &reader->source, reader->source.length - n, n, tail);
    if (!status && n && ends_with_lone_return(reader, tail, n)) {
        reader->chunks[reader->n_chunks - 1].n_rows--;
        reader->n_rows--;
    }
    return status;
}

/* How many lines were bad, and the first of them. */
static cairn_status tell_bad(cairn_context *ctx, const cairn_csv_reader *reader)
{
    cairn_text lines = cairn_text_start(ctx);
    cairn_status status = CAIRN_OK;
    size_t n = reader->n_bad, most = sizeof reader->bad_at / sizeof *reader->bad_at;
    for (size_t i = 0; i < n && i < most; i++) {
        size_t line;
        TRY(cairn_csv_line(ctx, reader, reader->bad_at[i], &line));
        cairn_text_addf(&lines, "%s%zu", i ? ", " : "", line);
    }
    if (n > most) cairn_text_add(&lines, " ...");
    TRY(cairn_text_status(&lines));
    bool skipped = reader->dialect.bad == CAIRN_BAD_LINES_SKIP;
    cairn_warn(ctx, "%s: %zu line%s %s %zu cells and %s (line%s %s)", reader->source.name, n,
               n == 1 ? "" : "s", n == 1 ? "does not have" : "do not have", reader->n_columns,
               skipped  ? n == 1 ? "is left out" : "are left out"
               : n == 1 ? "is filled up with missing ones"
                        : "are filled up with missing ones",
               n == 1 ? "" : "s", cairn_text_string(&lines));
done:
    cairn_text_clear(&lines);
    return status;
}

cairn_status cairn_csv_find_rows(cairn_context *ctx, cairn_csv_reader *reader)
{
    size_t bytes = reader->source.length - reader->data_from;
    size_t n = cairn_block_count(bytes, CAIRN_CSV_CHUNK);
    chunk_scan *scans;
    CHECK(SCRATCH_RAW(ctx, &scans, n));
    CHECK(SCRATCH(ctx, &reader->chunks, n));
    CHECK(scan_all(ctx, reader, scans, n));
    const cairn_csv_dialect *dialect = &reader->dialect;
    bool lines = !dialect->blanks && !dialect->n_comment && !dialect->bad;
    if (lines && join_scans(reader, scans, n)) {
        CHECK(drop_lone_return(ctx, reader));
    } else {
        CHECK(find_rows_in_order(ctx, reader));
        if (reader->n_bad && !reader->quiet_padding) CHECK(tell_bad(ctx, reader));
    }
    for (size_t i = 0; i < reader->n_chunks; i++) {
        size_t length = reader->chunks[i].end - reader->chunks[i].begin;
        if (length > reader->longest) reader->longest = length;
    }
    return CAIRN_OK;
}
