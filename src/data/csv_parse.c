/* SPDX-License-Identifier: MIT */
/* Cells of a CSV file into columns.
 *
 * Every chunk is one task. Numbers go through a small tile of rows into the final columns, whose
 * place is known because the rows were counted before; words go into the chunk's own lists
 * (csv_words.c).
 * Columns that looked like numbers in the first lines and are not are read in a second pass. */
#include "base/memory.h"
#include "base/text.h"
#include "data/cell.h"
#include "data/column.h"
#include "data/csv.h"
#include "data/encoding.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* -- numbers -- */

static const double tens[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
static const uint32_t whole_tens[] = {1,      10,      100,      1000,     10000,
                                      100000, 1000000, 10000000, 100000000};

/* The digits at `at`, up to eight of them, at once: the bytes are turned into values, those that
 * are no digits are shifted out, and pairs, fours and eights are joined by multiplication. */
static inline uint32_t eight_digits(const char *at, unsigned *n)
{
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    uint64_t values = bytes ^ UINT64_C(0x3030303030303030);
    uint64_t others =
        ((values + UINT64_C(0x7676767676767676)) | values) & UINT64_C(0x8080808080808080);
    if (others) {
        *n = (unsigned)__builtin_ctzll(others) / 8;
        if (*n == 0) return 0;
        values <<= 64 - 8 * *n;
    } else {
        *n = 8;
    }
    uint64_t pairs = (values * 10 + (values >> 8)) & UINT64_C(0x00FF00FF00FF00FF);
    uint64_t fours = (pairs * 100 + (pairs >> 16)) & UINT64_C(0x0000FFFF0000FFFF);
    return (uint32_t)(fours * 10000 + (fours >> 32));
}

/* A plain number of at most eight digits before and eight after the point, which is exact: an
 * integer below 2^53 divided by a power of ten that is a double itself. NULL for anything else. */
static inline const char *short_number(const char *at, double *out)
{
    unsigned n, n_fraction;
    bool negative = *at == '-';
    at += negative;
    uint64_t value = eight_digits(at, &n);
    if (n == 0) return NULL;
    at += n;
    double number = (double)value;
    if (*at == '.') {
        uint64_t fraction = eight_digits(at + 1, &n_fraction);
        value = value * whole_tens[n_fraction] + fraction;
        if (value >> 53) return NULL;
        at += 1 + n_fraction;
        number = (double)value / tens[n_fraction];
    }
    *out = negative ? -number : number;
    return at;
}

/* -- words -- */

/* Short words that were just seen: a column of levels has few of them. */
typedef struct recent_word {
    uint64_t bytes; /* the word, filled with zeros */
    uint32_t length;
    int32_t code; /* -1 = a mark of a missing cell */
} recent_word;

enum { RECENT = 16, RECENT_BITS = 4 };

/* The word's first eight bytes; bytes after it may be read and are cleared. */
static inline uint64_t short_word(const char *text, size_t length)
{
    uint64_t bytes;
    memcpy(&bytes, text, sizeof bytes);
    if (length == 0) return 0;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return bytes >> (64 - 8 * length);
#else
    return bytes << (64 - 8 * length);
#endif
}

static inline recent_word *recent_place(recent_word *recent, uint64_t bytes)
{
    return &recent[bytes * UINT64_C(0x9E3779B97F4A7C15) >> (64 - RECENT_BITS)];
}

/* The next separator or end of a row; bytes behind it may be read. */
static inline const char *word_end(const char *at, char separator, char eol)
{
#if defined(__SSE2__)
    const __m128i wanted = _mm_set1_epi8(separator), end = _mm_set1_epi8(eol);
    for (;; at += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)at);
        int found = _mm_movemask_epi8(
            _mm_or_si128(_mm_cmpeq_epi8(bytes, wanted), _mm_cmpeq_epi8(bytes, end)));
        if (found) return at + __builtin_ctz((unsigned)found);
    }
#else
    while (*at != separator && *at != eol) at++;
    return at;
#endif
}

/* A cell that needs no care, without blanks around it or with a quote at either end and maybe
 * doubled ones between them. Where its row or the next cell begins; NULL for others. */
static inline const char *plain_word(const char *at, const char *end, char separator, char eol,
                                     cairn_csv_cell *cell)
{
    *cell = (cairn_csv_cell){.text = at};
    if (*at == '"') {
        const char *quote = at;
        for (cell->text++;; cell->doubled = true) {
            quote = memchr(quote + 1, '"', (size_t)(end - quote - 1));
            if (!quote) return NULL;
            if (*++quote != '"') break;
        }
        cell->length = (size_t)(quote - 1 - cell->text);
        if (*quote == '\r' && eol == '\n' && quote[1] == eol) quote++;
        return *quote == separator || *quote == eol ? quote : NULL;
    }
    if (*at == ' ' || *at == '\t') return NULL;
    const char *after = word_end(at, separator, eol), *stop = after;
    if (eol == '\n' && *after == eol && stop > at && stop[-1] == '\r') stop--;
    if (stop > at && (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '\r')) return NULL;
    cell->length = (size_t)(stop - at);
    return after;
}

/* -- one chunk -- */

typedef struct chunk_task {
    cairn_context *ctx;
    const cairn_csv_reader *reader;
    const cairn_csv_chunk *chunk;
    size_t number;     /* of the chunk */
    const char *bytes; /* of the chunk; every row ends with eol */
    const char *end;
    bool simple_numbers; /* numbers may be read without looking for marks and blanks */
    double *tile;        /* tile_rows x n_columns */
    size_t tile_rows;
    unsigned char *flags;         /* n_columns */
    uint32_t *n_missing;          /* n_columns */
    cairn_time_form *forms;       /* n_columns */
    const cairn_csv_words *words; /* n_words */
    recent_word *recent;          /* n_words x RECENT */
} chunk_task;

static size_t offset_of(const chunk_task *t, const char *at)
{
    return t->chunk->begin + (size_t)(at - t->bytes);
}

/* Whether two lines run together, because a carriage return alone stands between them. */
static bool holds_lone_return(const cairn_csv_dialect *dialect, const char *row, const char *end)
{
    if (dialect->eol != '\n') return false;
    const char *found = memchr(row, '\r', (size_t)(end - row));
    return found && found + 1 < end && found[1] != '\n';
}

/* Counts the cells of the row again to tell how many there are, and names mixed line ends apart,
 * since these look like ragged rows and have another remedy. */
static cairn_status refuse_ragged(const chunk_task *t, const char *row)
{
    const cairn_csv_reader *reader = t->reader;
    cairn_csv_cell cell = {0};
    const char *at = row;
    size_t n = 0;
    for (; !cell.last; n++) at = cairn_csv_take(&reader->dialect, at, t->end, &cell);
    if (holds_lone_return(&reader->dialect, row, at))
        return cairn_csv_refuse(t->ctx, reader, offset_of(t, row), SIZE_MAX,
                                "%zu cells where %zu are expected: a carriage return stands within "
                                "the line, where other lines end with a line feed; end all lines "
                                "in the same way",
                                n, reader->n_columns);
    return cairn_csv_refuse(
        t->ctx, reader, offset_of(t, row), SIZE_MAX,
        "%zu %s where %zu %s expected; add or remove separators ('%s'), or "
        "quote cells that hold one; {bad-lines skip} leaves such lines out%s",
        n, n == 1 ? "cell" : "cells", reader->n_columns, reader->n_columns == 1 ? "is" : "are",
        reader->dialect.blanks              ? "blank"
        : reader->dialect.separator == '\t' ? "tab"
                                            : (char[]){reader->dialect.separator, 0},
        cairn_say(t->ctx, n < reader->n_columns ? ", {bad-lines pad} fills them up" : ""));
}

static cairn_status refuse_cell(const chunk_task *t, size_t column, const cairn_csv_cell *cell)
{
    int shown = (int)(cell->length < 60 ? cell->length : 60);
    size_t offset = offset_of(t, cell->text);
    if (cell->broken)
        return cairn_csv_refuse(t->ctx, t->reader, offset, column,
                                "text follows the closing quote of '%.*s'; double quotes that "
                                "belong to the text",
                                shown, cell->text);
    return cairn_csv_refuse(t->ctx, t->reader, offset, column,
                            "'%.*s' is not a number, but the column was declared to hold numbers; "
                            "correct the cell or change {kinds}",
                            shown, cell->text);
}

/* Words of up to eight bytes are compared as one integer with those seen lately, which saves most
 * lookups in columns of few levels; once the words of a column are taken as they come, there is
 * nothing to look up. */
static inline cairn_status store_word(chunk_task *t, size_t column, size_t row,
                                      const cairn_csv_cell *cell)
{
    const cairn_csv_reader *reader = t->reader;
    size_t word = reader->word_of[column], length = cell->length;
    int32_t *to = reader->columns[column]->codes + row;
    if (length > 8 || cell->doubled || t->words[word].is_plain) {
        cairn_status status = cairn_csv_add_word(t->ctx, reader, t->number, column, row, cell, to);
        t->n_missing[column] += *to < 0;
        return status;
    }
    uint64_t bytes = short_word(cell->text, length);
    recent_word *place = recent_place(t->recent + word * RECENT, bytes);
    if (place->bytes != bytes || place->length != length + 1) {
        cairn_status status = cairn_csv_add_word(t->ctx, reader, t->number, column, row, cell, to);
        if (status) return status;
        *place = (recent_word){bytes, (uint32_t)length + 1, *to}; /* 0 = free, hence + 1 */
    }
    *to = place->code;
    t->n_missing[column] += *to < 0;
    return CAIRN_OK;
}

/* A cell that the fast way does not know: missing, long, with a suffix, quoted, or no number. */
static cairn_status store_number(chunk_task *t, size_t column, double *out,
                                 const cairn_csv_cell *cell)
{
    const cairn_csv_reader *reader = t->reader;
    *out = NAN;
    if (cairn_cell_is_missing(&reader->marks, cell->text, cell->length)) {
        t->n_missing[column]++;
        return CAIRN_OK;
    }
    if (cairn_csv_number(&reader->dialect, cell->text, cell->length, out)) {
        if (reader->modes[column] == CAIRN_CSV_NUMBER &&
            cairn_cell_is_code(cell->text, cell->length))
            t->flags[column] |= CAIRN_CSV_SAW_TEXT; /* read again as it is written */
        return CAIRN_OK;
    }
    if (cairn_cell_is_infinite(cell->text, cell->length)) {
        *out = INFINITY;
        t->flags[column] |= CAIRN_CSV_SAW_INFINITE;
        return CAIRN_OK;
    }
    *out = NAN;
    t->flags[column] |= CAIRN_CSV_SAW_TEXT;
    return reader->modes[column] == CAIRN_CSV_DECLARED ? refuse_cell(t, column, cell) : CAIRN_OK;
}

/* Times are tried before the marks of missing cells, because most cells are times, unless a mark
 * could be read as one. Undeclared columns only note the failure and are read again as words. */
static cairn_status store_time(chunk_task *t, size_t column, double *out,
                               const cairn_csv_cell *cell)
{
    const cairn_csv_reader *reader = t->reader;
    const char *pattern = reader->patterns[column], *why = NULL;
    if (!reader->time_is_mark &&
        cairn_time_parse(cell->text, cell->length, pattern, out, &t->forms[column], &why))
        return CAIRN_OK;
    if (cairn_cell_is_missing(&reader->marks, cell->text, cell->length)) {
        *out = NAN;
        t->n_missing[column]++;
        return CAIRN_OK;
    }
    if (!why && cairn_time_parse(cell->text, cell->length, pattern, out, &t->forms[column], &why))
        return CAIRN_OK;
    *out = NAN;
    t->flags[column] |= CAIRN_CSV_SAW_TEXT;
    if (reader->modes[column] != CAIRN_CSV_DECLARED_TIME) return CAIRN_OK;
    return cairn_csv_refuse(t->ctx, reader, offset_of(t, cell->text), column,
                            "'%.*s' is not a time, but the column was declared to hold times: %s; "
                            "correct the cell, or tell how times are written or another kind with "
                            "{kinds}",
                            (int)(cell->length < 60 ? cell->length : 60), cell->text,
                            cairn_say(t->ctx, why));
}

/* One cell the general way; *at moves behind it. */
static cairn_status take_cell(chunk_task *t, const char **at, size_t column, size_t row,
                              double *out, bool *last)
{
    cairn_csv_cell cell;
    *at = cairn_csv_take(&t->reader->dialect, *at, t->end, &cell);
    *last = cell.last;
    if (cell.broken) return refuse_cell(t, column, &cell);
    switch (t->reader->modes[column]) {
    case CAIRN_CSV_NUMBER:
    case CAIRN_CSV_DECLARED: return store_number(t, column, out, &cell);
    case CAIRN_CSV_TIME:
    case CAIRN_CSV_DECLARED_TIME: return store_time(t, column, out, &cell);
    case CAIRN_CSV_WORDS: return store_word(t, column, row, &cell);
    default: return CAIRN_OK;
    }
}

/* The cells from `first` on that a short row lacks. */
static void pad_row(chunk_task *t, size_t first, size_t row, double *numbers)
{
    const cairn_csv_reader *reader = t->reader;
    for (size_t j = first; j < reader->n_columns; j++) {
        if (reader->modes[j] == CAIRN_CSV_SKIP) continue;
        if (reader->modes[j] == CAIRN_CSV_WORDS)
            reader->columns[j]->codes[row] = -1;
        else
            numbers[j] = NAN;
        t->n_missing[j]++;
    }
}

/* One row; `numbers` is its line of the tile. */
static cairn_status parse_row(chunk_task *t, const char **next, size_t row, double *numbers)
{
    const cairn_csv_dialect *dialect = &t->reader->dialect;
    const unsigned char *modes = t->reader->modes;
    const char separator = dialect->separator, eol = dialect->eol;
    const bool simple = t->simple_numbers;
    const size_t n = t->reader->n_columns;
    const char *at = *next;
    bool last = false;
    for (size_t j = 0; j < n; j++) {
        if (last && dialect->bad == CAIRN_BAD_LINES_PAD) {
            pad_row(t, j, row, numbers);
            break;
        }
        if (last) return refuse_ragged(t, *next);
        if (simple && modes[j] <= CAIRN_CSV_DECLARED) {
            unsigned digit = (unsigned char)(*at - '0');
            if (digit < 10 && at[1] == separator) { /* counts and indicators */
                numbers[j] = digit;
                at += 2;
                continue;
            }
            bool code = digit == 0 && (unsigned char)(at[1] - '0') < 10; /* 02134 */
            const char *after = code ? NULL : short_number(at, &numbers[j]);
            if (after && *after == separator) {
                at = after + 1;
                continue;
            }
            if (after && *after == eol) {
                at = after + 1;
                last = true;
                continue;
            }
        }
        if (modes[j] >= CAIRN_CSV_WORDS && !dialect->blanks) {
            cairn_csv_cell cell;
            const char *after = plain_word(at, t->end, separator, eol, &cell);
            if (after) {
                if (modes[j] == CAIRN_CSV_WORDS) {
                    cairn_status status = store_word(t, j, row, &cell);
                    if (status) return status;
                }
                last = *after == eol;
                at = after + 1;
                continue;
            }
        }
        cairn_status status = take_cell(t, &at, j, row, &numbers[j], &last);
        if (status) return status;
    }
    if (!last) return refuse_ragged(t, *next);
    *next = at;
    return CAIRN_OK;
}

/* Move the rows of the tile to their columns. */
static void empty_tile(const chunk_task *t, size_t first_row, size_t n_rows)
{
    const cairn_csv_reader *reader = t->reader;
    size_t width = reader->n_columns;
    for (size_t j = 0; j < width; j++) {
        if (reader->modes[j] >= CAIRN_CSV_WORDS) continue;
        double *to = reader->columns[j]->numbers + first_row;
        const double *from = t->tile + j;
        for (size_t i = 0; i < n_rows; i++) to[i] = from[i * width];
    }
}

/* Numbers of a row go into the tile side by side and from there to the columns, so that memory is
 * written in runs and not one number at a time. */
static cairn_status parse_rows(chunk_task *t)
{
    const size_t width = t->reader->n_columns;
    size_t row = t->chunk->first_row, in_tile = 0;
    size_t last_row = row + t->chunk->n_rows;
    for (const char *at = t->bytes; row < last_row;) {
        if (!cairn_csv_is_row(&t->reader->dialect, at, t->end)) {
            bool broken;
            at = cairn_csv_row_end(&t->reader->dialect, at, t->end, &broken);
            continue;
        }
        cairn_status status = parse_row(t, &at, row, t->tile + in_tile * width);
        if (status) return status;
        row++;
        if (++in_tile == t->tile_rows || row == last_row) {
            empty_tile(t, row - in_tile, in_tile);
            in_tile = 0;
        }
    }
    return CAIRN_OK;
}

/* Which cell holds the first byte that is not UTF-8. */
static cairn_status refuse_encoding(const chunk_task *t, const char *bad)
{
    const cairn_csv_dialect *dialect = &t->reader->dialect;
    const char *row = t->bytes, *next = row;
    bool broken;
    while (next <= bad && next < t->end) {
        row = next;
        next = cairn_csv_row_end(dialect, row, t->end, &broken);
    }
    size_t column = 0;
    cairn_csv_cell cell = {0};
    for (const char *at = row; !cell.last; column++) {
        at = cairn_csv_take(dialect, at, t->end, &cell);
        if (at > bad) break;
    }
    return cairn_csv_refuse(t->ctx, t->reader, offset_of(t, bad), column,
                            "byte 0x%02X is not UTF-8; give the file's encoding, such as "
                            "{encoding %s}",
                            (unsigned)(unsigned char)*bad,
                            cairn_encoding_guess(t->bytes, (size_t)(t->end - t->bytes)));
}

static cairn_status fetch_chunk(cairn_context *ctx, chunk_task *t)
{
    const cairn_csv_reader *reader = t->reader;
    size_t length = t->chunk->end - t->chunk->begin;
    char *buffer;
    CHECK(SCRATCH_RAW(ctx, &buffer, reader->longest + 1 + CAIRN_CSV_PADDING));
    CHECK(cairn_csv_fetch(ctx, &reader->source, t->chunk->begin, length, buffer));
    if (length == 0 || buffer[length - 1] != reader->dialect.eol)
        buffer[length++] = reader->dialect.eol;
    t->bytes = buffer;
    t->end = buffer + length;
    if (!t->chunk->has_high) return CAIRN_OK;
    size_t bad = cairn_utf8_check(buffer, length);
    if (bad < length) return refuse_encoding(t, buffer + bad);
    return CAIRN_OK;
}

/* The tile is sized to stay in the cache however wide the rows are; everything that the chunk
 * counts is its own, so chunks need no locks. */
static cairn_status parse_chunk(cairn_context *ctx, void *data, size_t i)
{
    const cairn_csv_reader *reader = data;
    size_t width = reader->n_columns;
    size_t tile_rows = 4096 / width < 4 ? 4 : 4096 / width > 64 ? 64 : 4096 / width;
    chunk_task t = {.ctx = ctx,
                    .reader = reader,
                    .chunk = &reader->chunks[i],
                    .number = i,
                    .simple_numbers = !reader->dialect.blanks && !reader->number_is_mark &&
                                      reader->dialect.decimal == '.',
                    .tile_rows = tile_rows,
                    .flags = reader->flags + i * width,
                    .n_missing = reader->n_missing + i * width,
                    .forms = reader->forms + i * width,
                    .words = reader->words + i * reader->n_words};
    CHECK(fetch_chunk(ctx, &t));
    CHECK(SCRATCH_RAW(ctx, &t.tile, tile_rows * width));
    CHECK(SCRATCH(ctx, &t.recent, reader->n_words * RECENT));
    return parse_rows(&t);
}

/* -- passes -- */

/* Reads all chunks once; counts by chunk are summed and set back to 0, since a second pass may
 * follow for columns that were misjudged. */
static cairn_status run_pass(cairn_context *ctx, cairn_csv_reader *reader)
{
    cairn_status status;
    size_t n = reader->n_columns;
    /* Make the columns of this pass and the places for its results. */
    reader->n_words = 0;
    for (size_t j = 0; j < reader->n_columns; j++) {
        unsigned char mode = reader->modes[j];
        if (mode == CAIRN_CSV_SKIP) continue;
        reader->word_of[j] = reader->n_words;
        reader->n_words += mode == CAIRN_CSV_WORDS;
        TRY(cairn_column_new(ctx, &reader->columns[j],
                             mode == CAIRN_CSV_WORDS      ? CAIRN_LEVEL
                             : mode <= CAIRN_CSV_DECLARED ? CAIRN_NUMBER
                                                          : CAIRN_TIME,
                             reader->n_rows));
    }
    TRY(NEW(ctx, &reader->words, cairn_product(reader->n_chunks, reader->n_words)));
    TRY(cairn_tasks(ctx, reader->n_chunks, parse_chunk, reader));
    for (size_t j = 0; j < n; j++) {
        if (reader->modes[j] == CAIRN_CSV_SKIP) continue;
        reader->columns[j]->n_missing = 0;
        /* How a column of times is written: as declared, or as all its cells were. */
        cairn_column *column = reader->columns[j];
        const char *pattern = reader->patterns[j];
        cairn_time_form form = 0;
        if (reader->modes[j] == CAIRN_CSV_TIME || reader->modes[j] == CAIRN_CSV_DECLARED_TIME) {
            for (size_t c = 0; c < reader->n_chunks; c++)
                form = cairn_time_form_join(form, reader->forms[c * reader->n_columns + j]);
            if (pattern)
                memcpy(column->pattern, pattern, strlen(pattern) + 1);
            else
                cairn_time_form_pattern(column->pattern, form);
        }
        for (size_t c = 0; c < reader->n_chunks; c++) {
            reader->columns[j]->n_missing += reader->n_missing[c * n + j];
            reader->n_missing[c * n + j] = 0;
        }
    }
    TRY(cairn_csv_finish_words(ctx, reader));
done:
    cairn_csv_clear_words(reader);
    return status;
}

static unsigned char flags_of(const cairn_csv_reader *reader, size_t column)
{
    unsigned char flags = 0;
    for (size_t c = 0; c < reader->n_chunks; c++)
        flags |= reader->flags[c * reader->n_columns + column];
    return flags;
}

/* Choose the columns that must be read again; how many there are. */
static size_t choose_again(cairn_csv_reader *reader)
{
    size_t n = 0;
    for (size_t j = 0; j < reader->n_columns; j++) {
        bool found = reader->modes[j] == CAIRN_CSV_NUMBER || reader->modes[j] == CAIRN_CSV_TIME;
        bool again = found && (flags_of(reader, j) & CAIRN_CSV_SAW_TEXT);
        reader->modes[j] = again ? CAIRN_CSV_WORDS : CAIRN_CSV_SKIP;
        if (!again) continue;
        n++;
        cairn_column_drop(reader->columns[j]);
        reader->columns[j] = NULL;
    }
    return n;
}

/* Find the place of a row again and refuse the cell there. */
static cairn_status refuse_infinite(cairn_context *ctx, const cairn_csv_reader *reader,
                                    size_t column, size_t row)
{
    size_t c = 0;
    while (c + 1 < reader->n_chunks && reader->chunks[c + 1].first_row <= row) c++;
    chunk_task t = {.ctx = ctx, .reader = reader, .chunk = &reader->chunks[c]};
    const cairn_csv_dialect *dialect = &reader->dialect;
    CHECK(fetch_chunk(ctx, &t));
    const char *at = t.bytes;
    for (size_t left = row - t.chunk->first_row;;) {
        bool broken;
        if (cairn_csv_is_row(dialect, at, t.end) && left-- == 0) break;
        at = cairn_csv_row_end(dialect, at, t.end, &broken);
    }
    cairn_csv_cell cell;
    for (size_t j = 0; j <= column; j++) at = cairn_csv_take(dialect, at, t.end, &cell);
    return cairn_csv_refuse(ctx, reader, offset_of(&t, cell.text), column,
                            "'%.*s' is not a finite number; correct it, write ? for a missing "
                            "value, or give the column another kind with {kinds}",
                            (int)(cell.length < 60 ? cell.length : 60), cell.text);
    return CAIRN_OK;
}

cairn_status cairn_csv_parse(cairn_context *ctx, cairn_csv_reader *reader)
{
    size_t results = cairn_product(reader->n_chunks, reader->n_columns);
    CHECK(SCRATCH_EACH(ctx, reader->n_columns, &reader->columns, &reader->word_of));
    CHECK(SCRATCH_EACH(ctx, results, &reader->flags, &reader->n_missing, &reader->forms));
    CHECK(run_pass(ctx, reader));
    if (choose_again(reader)) CHECK(run_pass(ctx, reader));
    for (size_t j = 0; j < reader->n_columns; j++) {
        const double *numbers = reader->columns[j]->numbers;
        if (!numbers || !(flags_of(reader, j) & CAIRN_CSV_SAW_INFINITE)) continue;
        for (size_t i = 0; i < reader->n_rows; i++)
            if (isinf(numbers[i])) return refuse_infinite(ctx, reader, j, i);
    }
    return CAIRN_OK;
}
