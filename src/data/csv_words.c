/* SPDX-License-Identifier: MIT */
/* Words of a CSV file: from the lists of the chunks to columns.
 *
 *  1. A chunk numbers the words of a column by their text. When most of the first of them are new
 *     ones, it gives that up and lays the others behind each other: looking up what does not repeat
 *     costs more than keeping it.
 *  2. A column is of texts when it has more different ones than a column of levels may have. That
 *     is proved without comparing any: words with different hashes are different. Where it cannot
 *     be proved so, the words are numbered after all, and counted.
 *  3. Texts are copied chunk by chunk; levels are joined in the order of the chunks, so that codes
 *     do not depend on the threads. */
#include "base/hash.h"
#include "base/memory.h"
#include "data/cell.h"
#include "data/column.h"
#include "data/csv.h"
#include "data/table_limits.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

enum {
    FEW_WORDS = 1024,   /* so many are numbered before a chunk gives that up */
    BITS_PER_WORD = 16, /* of the set of hashes: few of them share a bit */
};

/* -- words of a chunk -- */

static cairn_csv_words *words_of(const cairn_csv_reader *reader, size_t chunk, size_t word)
{
    return &reader->words[chunk * reader->n_words + word];
}

/* Take the words from the next row on as they come, with room for about all of them. */
static cairn_status begin_plain(cairn_context *ctx, cairn_csv_words *words,
                                const cairn_csv_chunk *chunk, size_t row)
{
    size_t seen = row + 1 - chunk->first_row, left = chunk->n_rows - seen;
    words->is_plain = true;
    words->plain_from = row + 1;
    return GROW(ctx, &words->bytes, &words->capacity,
                words->n_bytes + (words->map.n_bytes / seen + 2) * left);
}

/* A limit is met before memory is taken for what would pass it. */
cairn_status cairn_csv_add_word(cairn_context *ctx, const cairn_csv_reader *reader, size_t chunk,
                                size_t column, size_t row, const cairn_csv_cell *cell,
                                int32_t *code)
{
    cairn_csv_words *words = words_of(reader, chunk, reader->word_of[column]);
    const char *text = cell->text, *name = cairn_map_key(&reader->names, column);
    size_t length = cell->length, index;
    *code = -1;
    if (cell->doubled) { /* without its doubled quotes, where the next plain word goes */
        CHECK(GROW(ctx, &words->bytes, &words->capacity, words->n_bytes + length));
        length = cairn_csv_unquote(cell, words->bytes + words->n_bytes);
        text = words->bytes + words->n_bytes;
    }
    if (length == 0 ||
        (length <= reader->longest_mark && cairn_cell_is_missing(&reader->marks, text, length)))
        return CAIRN_OK;
    CHECK(cairn_cell_allowed(ctx, length, reader->source.name, row, name));
    if (words->is_plain) {
        if (length > INT32_MAX) return cairn_fail(ctx, CAIRN_NO_MEMORY, "a cell of 2 GB or more");
        if (!cell->doubled) {
            CHECK(GROW(ctx, &words->bytes, &words->capacity, words->n_bytes + length));
            memcpy(words->bytes + words->n_bytes, text, length);
        }
        words->n_bytes += length;
        *code = (int32_t)length;
        return CAIRN_OK;
    }
    CHECK(cairn_map_add(ctx, &words->map, text, length, &index));
    *code = (int32_t)index;
    size_t n = words->map.n;
    if (reader->declared[column] == CAIRN_LEVEL)
        return cairn_levels_allowed(ctx, n, reader->source.name, name);
    const cairn_csv_chunk *of = &reader->chunks[chunk];
    if (n >= FEW_WORDS && 2 * n > row + 1 - of->first_row) return begin_plain(ctx, words, of, row);
    return CAIRN_OK;
}

/* The row from which on the words of a chunk are plain, or its end. */
static size_t plain_from(const cairn_csv_words *words, const cairn_csv_chunk *chunk)
{
    return words->is_plain ? words->plain_from : chunk->first_row + chunk->n_rows;
}

static void clear_words(cairn_csv_words *words)
{
    cairn_map_clear(&words->map);
    cairn_free(words->bytes);
    *words = (cairn_csv_words){0};
}

void cairn_csv_clear_words(cairn_csv_reader *reader)
{
    for (size_t i = 0; reader->words && i < reader->n_chunks * reader->n_words; i++)
        clear_words(&reader->words[i]);
    cairn_free(reader->words);
    reader->words = NULL;
}

/* -- words of a column -- */

typedef struct word_column {
    const cairn_csv_reader *reader;
    size_t column, word;
    int32_t *codes;     /* of the rows */
    cairn_column *text; /* that is being made */
    size_t *bytes;      /* n_chunks + 1: of each chunk's texts, then where they begin */
} word_column;

/* Number the plain words of a chunk, too. */
static cairn_status number_plain(cairn_context *ctx, void *data, size_t c)
{
    const word_column *w = data;
    const cairn_csv_chunk *chunk = &w->reader->chunks[c];
    cairn_csv_words *words = words_of(w->reader, c, w->word);
    const char *at = words->bytes;
    if (!words->is_plain) return CAIRN_OK;
    for (size_t i = words->plain_from; i < chunk->first_row + chunk->n_rows; i++) {
        size_t index, length = (size_t)w->codes[i];
        if (w->codes[i] < 0) continue;
        CHECK(cairn_map_add(ctx, &words->map, at, length, &index));
        at += length;
        w->codes[i] = (int32_t)index;
    }
    words->is_plain = false;
    cairn_free(words->bytes);
    words->bytes = NULL;
    words->n_bytes = words->capacity = 0;
    return CAIRN_OK;
}

static cairn_status number_all(cairn_context *ctx, word_column *w)
{
    return cairn_tasks_sized(ctx, w->reader->n_chunks, 16 * (double)w->reader->n_rows, number_plain,
                             w);
}

/* Join the lists of one column and translate its codes from those of the chunks. */
static cairn_status join_words(cairn_context *ctx, const word_column *w, cairn_column *column)
{
    const cairn_csv_reader *reader = w->reader;
    const char *name = cairn_map_key(&reader->names, w->column);
    int32_t *codes;
    for (size_t c = 0; c < reader->n_chunks; c++) {
        SCOPED_SCRATCH(ctx);
        const cairn_map *words = &words_of(reader, c, w->word)->map;
        const cairn_csv_chunk *chunk = &reader->chunks[c];
        CHECK(SCRATCH_RAW(ctx, &codes, words->n));
        for (size_t i = 0; i < words->n; i++) {
            size_t code;
            CHECK(cairn_map_add(ctx, &column->names, cairn_map_key(words, i), words->lengths[i],
                                &code));
            codes[i] = (int32_t)code;
        }
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        CHECK(cairn_levels_allowed(ctx, column->names.n, reader->source.name, name));
        int32_t *cells = column->codes + chunk->first_row;
        for (size_t i = 0; i < chunk->n_rows; i++)
            if (cells[i] >= 0) cells[i] = codes[cells[i]];
    }
    return CAIRN_OK;
}

/* -- texts -- */

static cairn_status count_text(cairn_context *ctx, void *data, size_t c)
{
    const word_column *w = data;
    const cairn_csv_words *words = words_of(w->reader, c, w->word);
    const cairn_csv_chunk *chunk = &w->reader->chunks[c];
    size_t total = words->n_bytes, end = plain_from(words, chunk);
    (void)ctx;
    for (size_t i = chunk->first_row; i < end; i++)
        if (w->codes[i] >= 0) total += words->map.lengths[w->codes[i]];
    w->bytes[c] = total;
    return CAIRN_OK;
}

/* Numbered words are spelt out, plain ones are there already. */
static cairn_status copy_text(cairn_context *ctx, void *data, size_t c)
{
    const word_column *w = data;
    const cairn_csv_words *words = words_of(w->reader, c, w->word);
    const cairn_csv_chunk *chunk = &w->reader->chunks[c];
    cairn_column *text = w->text;
    size_t at = w->bytes[c], end = plain_from(words, chunk), i = chunk->first_row;
    (void)ctx;
    for (; i < end; i++) {
        int32_t code = w->codes[i];
        text->starts[i] = at;
        if (code < 0) {
            text->absent[i] = 1;
            continue;
        }
        memcpy(text->bytes + at, cairn_map_key(&words->map, (size_t)code),
               words->map.lengths[code]);
        at += words->map.lengths[code];
    }
    if (words->n_bytes) memcpy(text->bytes + at, words->bytes, words->n_bytes);
    for (end = chunk->first_row + chunk->n_rows; i < end; i++) {
        text->starts[i] = at;
        if (w->codes[i] < 0)
            text->absent[i] = 1;
        else
            at += (size_t)w->codes[i];
    }
    return CAIRN_OK;
}

static cairn_status make_text(cairn_context *ctx, word_column *w, size_t n_missing,
                              cairn_column **out)
{
    SCOPED_SCRATCH(ctx);
    const cairn_csv_reader *reader = w->reader;
    OWNED(cairn_column_drop) cairn_column *text = NULL;
    size_t at = 0, n = reader->n_chunks, n_rows = reader->n_rows;
    CHECK(SCRATCH(ctx, &w->bytes, n + 1));
    CHECK(cairn_tasks_sized(ctx, n, (double)n_rows, count_text, w));
    for (size_t c = 0; c <= n; c++) { /* w->bytes[n] is 0 */
        size_t bytes = w->bytes[c];
        w->bytes[c] = at;
        at += bytes;
    }
    CHECK(cairn_column_new(ctx, &text, CAIRN_TEXT, n_rows));
    CHECK(NEW_RAW(ctx, &text->bytes, at));
    cairn_expect_dense(text->bytes);
    if (n_missing) CHECK(NEW(ctx, &text->absent, n_rows));
    text->n_missing = n_missing;
    text->starts[n_rows] = at;
    w->text = text;
    CHECK(cairn_tasks_sized(ctx, n, 4 * (double)n_rows, copy_text, w));
    *out = TAKE(text);
    return CAIRN_OK;
}

/* -- times -- */

/* Every text of a column as a time; false in *all when one is none. `pattern` NULL = as usual. */
static cairn_status words_to_times(cairn_context *ctx, const word_column *w, const char *pattern,
                                   cairn_column *to, bool *all)
{
    cairn_time_form form = 0;
    double *times;
    *all = true;
    for (size_t c = 0; c < w->reader->n_chunks && *all; c++) {
        SCOPED_SCRATCH(ctx);
        const cairn_map *words = &words_of(w->reader, c, w->word)->map;
        const cairn_csv_chunk *chunk = &w->reader->chunks[c];
        CHECK(SCRATCH_RAW(ctx, &times, words->n));
        *all = cairn_words_to_times(words, pattern, times, &form);
        for (size_t i = chunk->first_row; *all && i < chunk->first_row + chunk->n_rows; i++)
            to->numbers[i] = w->codes[i] < 0 ? NAN : times[w->codes[i]];
    }
    if (pattern)
        memcpy(to->pattern, pattern, strlen(pattern) + 1);
    else
        cairn_time_form_pattern(to->pattern, form);
    return CAIRN_OK;
}

/* Whether the first text of a column is a time: then it is worth trying all. */
static bool begins_with_time(const word_column *w, const char *pattern)
{
    double time;
    for (size_t c = 0; c < w->reader->n_chunks; c++) {
        const cairn_map *words = &words_of(w->reader, c, w->word)->map;
        if (words->n)
            return cairn_time_parse(cairn_map_key(words, 0), words->lengths[0], pattern, &time,
                                    NULL, NULL);
    }
    return false;
}

/* A time column in place of one of words, when all of them are times; *out stays NULL else. */
static cairn_status try_times(cairn_context *ctx, word_column *w, cairn_column **out)
{
    OWNED(cairn_column_drop) cairn_column *times = NULL;
    const char *time_format = w->reader->time_format;
    bool all = false;
    for (int way = 0; way < (time_format ? 2 : 1) && !all; way++) {
        const char *pattern = way ? time_format : NULL;
        if (!begins_with_time(w, pattern)) continue;
        CHECK(number_all(ctx, w));
        if (!times) CHECK(cairn_column_new(ctx, &times, CAIRN_TIME, w->reader->n_rows));
        CHECK(words_to_times(ctx, w, pattern, times, &all));
    }
    if (all) *out = TAKE(times);
    return CAIRN_OK;
}

/* -- what a column is -- */

/* The bits of a set of hashes: how many are set is less than how many different words there are. */
typedef struct hash_set {
    uint64_t *bits, mask;
    size_t n;
} hash_set;

static void add_hash(hash_set *set, const char *text, size_t length)
{
    uint64_t hash = cairn_hash(text, length, 0) & set->mask;
    uint64_t *bits = &set->bits[hash / 64], bit = UINT64_C(1) << hash % 64;
    set->n += !(*bits & bit);
    *bits |= bit;
}

static void add_hashes(hash_set *set, const word_column *w, size_t c)
{
    const cairn_csv_words *words = words_of(w->reader, c, w->word);
    const cairn_csv_chunk *chunk = &w->reader->chunks[c];
    const char *at = words->bytes;
    for (size_t i = 0; i < words->map.n; i++)
        add_hash(set, cairn_map_key(&words->map, i), words->map.lengths[i]);
    for (size_t i = plain_from(words, chunk); i < chunk->first_row + chunk->n_rows; i++) {
        if (w->codes[i] < 0) continue;
        add_hash(set, at, (size_t)w->codes[i]);
        at += w->codes[i];
    }
}

/* Whether a column surely has more than `most` different words. */
static cairn_status surely_more(cairn_context *ctx, const word_column *w, size_t most, bool *more)
{
    SCOPED_SCRATCH(ctx);
    hash_set set = {.mask = 63};
    while (set.mask / BITS_PER_WORD < most) set.mask = 2 * set.mask + 1;
    CHECK(SCRATCH(ctx, &set.bits, set.mask / 64 + 1));
    for (size_t c = 0; c < w->reader->n_chunks && set.n <= most; c++) {
        add_hashes(&set, w, c);
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    *more = set.n > most;
    return CAIRN_OK;
}

/* Whether a column has more than `most` different words, by comparing all of them. */
static cairn_status really_more(cairn_context *ctx, word_column *w, size_t most, bool *more)
{
    SCOPED(cairn_map_clear) cairn_map seen = {0};
    size_t code;
    CHECK(number_all(ctx, w));
    for (size_t c = 0; c < w->reader->n_chunks && seen.n <= most; c++) {
        const cairn_map *words = &words_of(w->reader, c, w->word)->map;
        for (size_t i = 0; i < words->n && seen.n <= most; i++)
            CHECK(cairn_map_add(ctx, &seen, cairn_map_key(words, i), words->lengths[i], &code));
    }
    *more = seen.n > most;
    return CAIRN_OK;
}

/* Decided before any code is translated. */
static cairn_status has_more(cairn_context *ctx, word_column *w, size_t most, bool *more)
{
    const cairn_csv_reader *reader = w->reader;
    size_t sum = 0;
    for (size_t c = 0; c < reader->n_chunks; c++) {
        const cairn_csv_words *words = words_of(reader, c, w->word);
        const cairn_csv_chunk *chunk = &reader->chunks[c];
        sum += words->map.n + (chunk->first_row + chunk->n_rows - plain_from(words, chunk));
    }
    *more = false;
    if (sum <= most) return CAIRN_OK;
    CHECK(surely_more(ctx, w, most, more));
    return *more ? CAIRN_OK : really_more(ctx, w, most, more);
}

/* Times, if all are; levels, if there are few enough of them or the column was declared so; else
 * text. */
static cairn_status finish_words(cairn_context *ctx, void *data, size_t j)
{
    cairn_csv_reader *reader = data;
    if (reader->modes[j] != CAIRN_CSV_WORDS) return CAIRN_OK;
    cairn_column *column = reader->columns[j], *made = NULL;
    word_column w = {
        .reader = reader, .column = j, .word = reader->word_of[j], .codes = column->codes};
    signed char declared = reader->declared[j];
    bool is_text = declared >= 0 && declared != (signed char)CAIRN_LEVEL;
    if (declared < 0) CHECK(try_times(ctx, &w, &made));
    if (declared < 0 && !made)
        CHECK(has_more(ctx, &w, cairn_most_levels(reader->n_rows), &is_text));
    if (is_text) CHECK(make_text(ctx, &w, column->n_missing, &made));
    if (made) {
        made->n_missing = column->n_missing;
        cairn_column_drop(column);
        reader->columns[j] = made;
    } else {
        CHECK(number_all(ctx, &w));
        CHECK(join_words(ctx, &w, column));
        CHECK(cairn_column_sort_levels(ctx, column));
    }
    for (size_t c = 0; c < reader->n_chunks; c++) clear_words(words_of(reader, c, w.word));
    return CAIRN_OK;
}

/* Side by side; few columns one after the other, the chunks of each side by side. */
cairn_status cairn_csv_finish_words(cairn_context *ctx, cairn_csv_reader *reader)
{
    double work = (double)reader->n_rows * (double)reader->n_words;
    if (reader->n_words >= 2 * (size_t)cairn_workers(ctx))
        return cairn_tasks_sized(ctx, reader->n_columns, work, finish_words, reader);
    for (size_t j = 0; j < reader->n_columns; j++) CHECK(finish_words(ctx, reader, j));
    return CAIRN_OK;
}
