/* SPDX-License-Identifier: MIT */
/* The first lines of a CSV file: what separates cells, whether there is a header, how the columns
 * are called, and a first guess of what they hold.
 *
 * Separator: of comma, semicolon, tab and bar the one that occurs equally often in each of the
 * first lines, most often first; otherwise blanks if the number of words is the same in each line.
 * Header: the first line is one when some column has text there and only numbers or times below;
 * it is none when it holds a number or a time; in a table of text it is one unless one of its
 * cells comes again in the same column of the first hundred rows. */
#include "base/memory.h"
#include "base/text.h"
#include "data/cell.h"
#include "data/column.h"
#include "data/csv.h"
#include "data/encoding.h"
#include "data/table_limits.h"
#include "data/schema.h"
#include <string.h>

enum { HEAD_BYTES = 1 << 16, SAMPLE_ROWS = 100, SEPARATOR_LINES = 20 };

/* The beginning of the file. */
typedef struct csv_head {
    char *at;
    const char *end;
    bool whole;                   /* there is no more in the file */
    size_t rows[SAMPLE_ROWS + 1]; /* offsets from `at` of rows that are not empty; one more: end */
    size_t n_rows;
} csv_head;

/* Move the start of the table behind so many lines. */
static cairn_status skip_lines(cairn_context *ctx, cairn_csv_source *source, char *bytes, size_t n,
                               size_t wanted)
{
    size_t left = wanted, part = n;
    char eol = memchr(bytes, '\n', n) || !memchr(bytes, '\r', n) ? '\n' : '\r';
    for (size_t from = 0; left && part; from += part) {
        part = source->length - from < HEAD_BYTES ? source->length - from : HEAD_BYTES;
        CHECK(cairn_csv_fetch(ctx, source, from, part, bytes));
        for (size_t i = 0; i < part && left; i++) {
            if (bytes[i] != eol) continue;
            source->start = from + i + 1;
            left--;
        }
        CHECK(cairn_tick(ctx, NULL, 0, 0));
    }
    if (!left && source->start < source->length) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%s: the file has no line behind the %zu that {skip} leaves out; skip fewer",
                      source->name, wanted);
}

/* The first byte of the table: behind a byte order mark and the lines to skip. */
static cairn_status find_start(cairn_context *ctx, cairn_csv_source *source, size_t skip)
{
    char *bytes;
    size_t size = source->length < HEAD_BYTES ? source->length : HEAD_BYTES;
    CHECK(SCRATCH_RAW(ctx, &bytes, size + CAIRN_CSV_PADDING));
    CHECK(cairn_csv_fetch(ctx, source, 0, size, bytes));
    const unsigned char *b = (const unsigned char *)bytes;
    if (size >= 2 && ((b[0] == 0xFF && b[1] == 0xFE) || (b[0] == 0xFE && b[1] == 0xFF)))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: the file is in UTF-16; read it with {encoding utf-16}",
                          source->name);
    source->start = size >= 3 && memcmp(b, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return skip ? skip_lines(ctx, source, bytes, size, skip) : CAIRN_OK;
}

static cairn_status fetch_head(cairn_context *ctx, cairn_csv_reader *reader, csv_head *head,
                               size_t size)
{
    cairn_csv_source *source = &reader->source;
    size_t left = source->length - source->start;
    head->whole = size >= left;
    if (head->whole) size = left;
    CHECK(SCRATCH_RAW(ctx, &head->at, size + CAIRN_CSV_PADDING));
    CHECK(cairn_csv_fetch(ctx, source, source->start, size, head->at));
    head->end = head->at + size;
    return CAIRN_OK;
}

/* -- separator -- */

static const char candidates[] = {',', ';', '\t', '|'};
enum { N_CANDIDATES = 4, BLANKS = 4, N_COUNTS = 5 };

/* Count every candidate in one line, outside quotes; returns the next line. */
static const char *count_candidates(const char *at, const char *end, char eol, int *counts)
{
    bool quoted = false, in_blanks = true;
    char before = ',';
    int words = 0;
    memset(counts, 0, N_COUNTS * sizeof *counts);
    for (; at < end && (quoted || *at != eol); at++) {
        bool blank = *at == ' ' || *at == '\t' || *at == '\r';
        if (*at == '"' && quoted && at + 1 < end && at[1] == '"')
            at++; /* a quote that belongs to the cell */
        else if (*at == '"' && quoted)
            quoted = false;
        else if (*at == '"' && (memchr(candidates, before, N_CANDIDATES) || before == ' '))
            quoted = true;
        if (!quoted)
            for (int c = 0; c < N_CANDIDATES; c++) counts[c] += *at == candidates[c];
        if (!blank && in_blanks && !(quoted && *at != '"')) words++;
        in_blanks = blank && !quoted;
        before = *at;
    }
    counts[BLANKS] = words - 1;
    return at < end ? at + 1 : end;
}

/* The best of the candidates whose count is the same in every line; -1 = none. */
static int steady_candidate(int (*counts)[N_COUNTS], int n_lines, char decimal)
{
    int best = -1;
    for (int c = 0; c < N_COUNTS; c++) {
        bool steady = counts[0][c] > 0 && !(c < N_CANDIDATES && candidates[c] == decimal);
        for (int i = 1; i < n_lines; i++) steady = steady && counts[i][c] == counts[0][c];
        if (!steady || (c == BLANKS && best >= 0)) continue;
        if (best < 0 || counts[0][c] > counts[0][best]) best = c;
    }
    return best;
}

/* In a file with broken rows: the candidate that the first line has most of. */
static int frequent_candidate(int (*counts)[N_COUNTS], int n_lines, char decimal)
{
    int best = -1, most = 0;
    for (int c = 0; c < N_CANDIDATES; c++) {
        int lines = 0;
        if (candidates[c] == decimal || counts[0][c] == 0) continue;
        for (int i = 0; i < n_lines; i++) lines += counts[i][c] > 0;
        if (lines * 2 < n_lines || counts[0][c] <= most) continue;
        best = c;
        most = counts[0][c];
    }
    return best;
}

/* Counts candidates in the first complete lines and prefers one that occurs equally often in each;
 * comments do not count, as they may hold anything. */
static void find_separator(cairn_csv_dialect *dialect, const csv_head *head)
{
    int counts[SEPARATOR_LINES][N_COUNTS];
    int n = 0;
    for (const char *at = head->at; at < head->end && n < SEPARATOR_LINES;) {
        if (cairn_csv_is_comment(dialect, at, head->end)) {
            bool broken;
            at = cairn_csv_row_end(dialect, at, head->end, &broken);
            continue;
        }
        const char *next = count_candidates(at, head->end, dialect->eol, counts[n]);
        bool complete = next < head->end || next[-1] == dialect->eol || head->whole;
        if (complete && counts[n][BLANKS] >= 0) n++;
        at = next;
    }
    int best = n ? steady_candidate(counts, n, dialect->decimal) : -1;
    if (best < 0 && n) best = frequent_candidate(counts, n, dialect->decimal);
    dialect->blanks = best == BLANKS;
    dialect->separator = best < 0 ? ',' : best == BLANKS ? ' ' : candidates[best];
    if (best < 0 && dialect->decimal == ',') dialect->separator = ';';
}

/* -- rows of the sample -- */

/* Find the rows that are whole; false when more bytes are needed to have two. */
static bool find_sample(const cairn_csv_dialect *dialect, csv_head *head)
{
    const char *at = head->at;
    head->n_rows = 0;
    while (at < head->end && head->n_rows < SAMPLE_ROWS) {
        bool broken;
        const char *next = cairn_csv_row_end(dialect, at, head->end, &broken);
        if (next == head->end && next[-1] != dialect->eol && !head->whole) break;
        if (broken && !head->whole) break;
        if (!cairn_csv_is_empty_row(dialect, at, next))
            head->rows[head->n_rows++] = (size_t)(at - head->at);
        at = next;
    }
    head->rows[head->n_rows] = (size_t)(at - head->at);
    return head->whole || head->n_rows >= 2;
}

/* Looks at twice as many bytes until a sample of whole rows is in them, since a quoted cell may be
 * long; what the user gave is not guessed. */
static cairn_status find_dialect(cairn_context *ctx, cairn_csv_reader *reader, csv_head *head,
                                 const cairn_read_options *options)
{
    cairn_csv_dialect *dialect = &reader->dialect;
    /* What the caller says of the dialect. */
    const char *comment = options->comment ? options->comment : "";
    dialect->decimal = options->decimal;
    dialect->thousands = options->thousands;
    dialect->bad = (cairn_bad_lines)options->bad_lines;
    dialect->n_comment = strlen(comment);
    if (dialect->n_comment >= sizeof dialect->comment || strpbrk(comment, "\"\r\n"))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{comment} must be at most %zu bytes without quotes, such as # or //, "
                          "not '%s'",
                          sizeof dialect->comment - 1, comment);
    memcpy(dialect->comment, comment, dialect->n_comment);
    if (dialect->thousands && dialect->thousands == dialect->decimal)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "{thousands} and the decimal mark are both '%c'; say {decimal %c} as well",
            dialect->decimal, dialect->decimal == '.' ? ',' : '.');
    CHECK(find_start(ctx, &reader->source, options->skip));
    for (size_t size = HEAD_BYTES;; size *= 2) {
        CHECK(fetch_head(ctx, reader, head, size));
        size_t n = (size_t)(head->end - head->at);
        bool feeds = memchr(head->at, '\n', n) != NULL;
        dialect->eol = feeds || !memchr(head->at, '\r', n) ? '\n' : '\r';
        bool has_line = feeds || head->whole;
        const char *zero = memchr(head->at, 0, (size_t)(head->end - head->at));
        if (zero)
            return cairn_csv_refuse_zero(ctx, reader,
                                         reader->source.start + (size_t)(zero - head->at));
        if (!has_line) continue;
        if (options->separator) {
            dialect->separator = options->separator;
            dialect->blanks = options->separator == ' ';
        } else {
            find_separator(dialect, head);
        }
        if (find_sample(dialect, head)) break;
    }
    if (head->n_rows == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: the file is empty; write a table to it or name another file",
                          reader->source.name);
    if (dialect->separator == dialect->decimal && options->separator)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s: the separator and the decimal mark are both '%c'; choose another "
                          "{separator}",
                          reader->source.name, dialect->decimal);
    return CAIRN_OK;
}

cairn_status cairn_csv_find_dialect(cairn_context *ctx, cairn_csv_reader *reader,
                                    const cairn_read_options *options)
{
    csv_head *head;
    cairn_status status = SCRATCH(ctx, &head, 1);
    return status ? status : find_dialect(ctx, reader, head, options);
}

/* -- what the cells of the sample are -- */

enum { SAMPLE_MISSING, SAMPLE_NUMBER, SAMPLE_INFINITE, SAMPLE_TIME, SAMPLE_PATTERN, SAMPLE_TEXT };

static int class_of(const cairn_csv_reader *reader, const cairn_csv_cell *cell)
{
    const char *text = cell->text;
    size_t length = cell->length;
    double number;
    if (cairn_cell_is_missing(&reader->marks, text, length)) return SAMPLE_MISSING;
    if (cairn_csv_number(&reader->dialect, text, length, &number)) return SAMPLE_NUMBER;
    if (cairn_cell_is_infinite(text, length)) return SAMPLE_INFINITE;
    if (cairn_time_parse(text, length, NULL, &number, NULL, NULL)) return SAMPLE_TIME;
    if (reader->time_format &&
        cairn_time_parse(text, length, reader->time_format, &number, NULL, NULL))
        return SAMPLE_PATTERN;
    return SAMPLE_TEXT;
}

static size_t count_cells(const cairn_csv_reader *reader, const csv_head *head, size_t row)
{
    const char *at = head->at + head->rows[row], *end = head->at + head->rows[row + 1];
    cairn_csv_cell cell = {0};
    size_t n = 0;
    for (; !cell.last; n++) at = cairn_csv_take(&reader->dialect, at, end, &cell);
    return n;
}

/* What was seen of a column in the first line and below. */
typedef struct column_sample {
    cairn_csv_cell first;
    int first_class;
    size_t n_numbers, n_times, n_by_pattern, n_texts; /* below the first line */
    size_t n_years;                                   /* numbers below that may be years */
    const char *way; /* in which all texts below are times, as nothing else is; or NULL */
    bool recurs;     /* the first cell comes again */
} column_sample;

static bool is_year(const cairn_csv_cell *cell)
{
    const char *text = cell->text;
    size_t length = cell->length;
    cairn_cell_trim(&text, &length);
    for (size_t i = 0; i < length; i++)
        if (text[i] < '0' || text[i] > '9') return false;
    return length == 4 &&
           (memcmp(text, "18", 2) == 0 || memcmp(text, "19", 2) == 0 || memcmp(text, "20", 2) == 0);
}

/* The first row is kept apart, because it may be the header: whether its cells are of another class
 * than those below them decides that later. */
static void sample_columns(const cairn_csv_reader *reader, const csv_head *head,
                           column_sample *samples)
{
    for (size_t row = 0; row < head->n_rows; row++) {
        const char *at = head->at + head->rows[row], *end = head->at + head->rows[row + 1];
        cairn_csv_cell cell = {0};
        for (size_t j = 0; j < reader->n_columns && !cell.last; j++) {
            at = cairn_csv_take(&reader->dialect, at, end, &cell);
            column_sample *sample = &samples[j];
            int class = class_of(reader, &cell);
            if (row == 0) {
                sample->first = cell;
                sample->first_class = class;
                continue;
            }
            sample->n_numbers += class == SAMPLE_NUMBER;
            sample->n_years += class == SAMPLE_NUMBER && is_year(&cell);
            sample->n_times += class == SAMPLE_TIME;
            sample->n_by_pattern += class == SAMPLE_PATTERN;
            if (class == SAMPLE_TEXT && (sample->n_texts++ == 0 || sample->way))
                sample->way = cairn_csv_way(&cell, sample->way);
            if (cell.length == sample->first.length && cell.length &&
                memcmp(cell.text, sample->first.text, cell.length) == 0)
                sample->recurs = true;
        }
    }
}

/* Columns of such times are columns of times, unless something else is among them. */
static void settle_ways(column_sample *samples, size_t n_columns)
{
    for (size_t j = 0; j < n_columns; j++) {
        column_sample *s = &samples[j];
        if (s->n_numbers || s->n_times || s->n_by_pattern) s->way = NULL;
        if (!s->way) continue;
        s->n_by_pattern = s->n_texts;
        s->n_texts = 0;
        if (s->first_class == SAMPLE_TEXT && cairn_csv_way(&s->first, s->way))
            s->first_class = SAMPLE_PATTERN;
    }
}

/* In a table of text it is a guess that there is no header, unless all of the first line comes
 * again: say why. */
static void tell_no_header(cairn_context *ctx, const cairn_csv_reader *reader,
                           const column_sample *samples)
{
    const column_sample *again = NULL;
    size_t n_again = 0;
    for (size_t j = 0; j < reader->n_columns; j++) {
        if (samples[j].first_class != SAMPLE_TEXT && samples[j].first_class != SAMPLE_MISSING)
            return;
        if (samples[j].recurs && n_again++ == 0) again = &samples[j];
    }
    if (!again || n_again == reader->n_columns) return;
    cairn_warn(ctx,
               "%s: the first line is taken as data, since '%.*s' comes again below it; {header "
               "yes} takes it as the names of the columns, {header no} keeps this quiet",
               reader->source.name, (int)(again->first.length < 60 ? again->first.length : 60),
               again->first.text);
}

/* "country,2019,2020": a first line of words that do not come again and of years above columns of
 * other numbers. */
static bool names_years(const column_sample *samples, size_t n_columns)
{
    size_t n_years = 0, n_words = 0;
    for (size_t j = 0; j < n_columns; j++) {
        const column_sample *s = &samples[j];
        bool year = s->first_class == SAMPLE_NUMBER && is_year(&s->first);
        if (s->first_class != SAMPLE_TEXT && !year) return false;
        if (s->first_class == SAMPLE_TEXT && s->recurs) return false;
        if (year && (s->n_texts || !s->n_numbers || 2 * s->n_years > s->n_numbers)) return false;
        n_years += year;
        n_words += s->first_class == SAMPLE_TEXT;
    }
    return n_years && n_words;
}

/* ",1,2,3" above rows that begin with names or numbers of their own: nothing in the corner, then
 * the places in order. */
static bool names_places(const cairn_csv_reader *reader, const column_sample *samples)
{
    const column_sample *corner = &samples[0];
    size_t length = corner->first.length;
    const char *text = corner->first.text;
    double number, first = -1;
    if (length) cairn_cell_trim(&text, &length);
    if (length || reader->n_columns < 3 || !(corner->n_numbers + corner->n_texts)) return false;
    for (size_t j = 1; j < reader->n_columns; j++) {
        const cairn_csv_cell *cell = &samples[j].first;
        if (!cairn_csv_number(&reader->dialect, cell->text, cell->length, &number)) return false;
        if (j == 1) first = number;
        if (first != (first == 0 ? 0 : 1) || number != first + (double)(j - 1)) return false;
    }
    return true;
}

static bool has_header(const cairn_csv_reader *reader, const column_sample *samples)
{
    size_t n_columns = reader->n_columns;
    if (names_years(samples, n_columns) || names_places(reader, samples)) return true;
    bool any_number = false, recurs = false;
    for (size_t j = 0; j < n_columns; j++) {
        bool text = samples[j].first_class == SAMPLE_TEXT;
        size_t n_known = samples[j].n_numbers + samples[j].n_times + samples[j].n_by_pattern;
        if (text && n_known && !samples[j].n_texts) return true;
        any_number = any_number || samples[j].first_class == SAMPLE_NUMBER ||
                     samples[j].first_class == SAMPLE_TIME ||
                     samples[j].first_class == SAMPLE_PATTERN;
        recurs = recurs || (text && samples[j].recurs);
    }
    return !any_number && !recurs;
}

/* -- tables whose features stand in lines -- */

/* What lines hold behind their first cell. */
typedef struct line_kinds {
    size_t n_numbers, n_words; /* lines of one kind */
    bool head_words;           /* the first line is one of words */
    bool repeats;              /* and a word comes twice in it */
} line_kinds;

enum { MOST_COMPARED = 64 }; /* cells of the first line */

static bool same_cell(const cairn_csv_cell *a, const cairn_csv_cell *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* One line; false when it holds both, or begins with no name of its own. */
static bool take_line(const cairn_csv_reader *reader, const csv_head *head, size_t row,
                      cairn_csv_cell *firsts, line_kinds *out)
{
    const char *at = head->at + head->rows[row], *end = head->at + head->rows[row + 1];
    cairn_csv_cell cell = {0}, seen[MOST_COMPARED];
    size_t n_numbers = 0, n_words = 0;
    for (size_t j = 0; j < reader->n_columns && !cell.last; j++) {
        at = cairn_csv_take(&reader->dialect, at, end, &cell);
        int class = class_of(reader, &cell);
        if (j == 0) {
            if (class != SAMPLE_TEXT) return false;
            for (size_t i = 0; i < row; i++)
                if (same_cell(&firsts[i], &cell)) return false;
            firsts[row] = cell;
            continue;
        }
        n_numbers += class == SAMPLE_NUMBER;
        n_words += class == SAMPLE_TEXT;
        for (size_t k = 1; row == 0 && class == SAMPLE_TEXT && k < j && k < MOST_COMPARED; k++)
            out->repeats |= same_cell(&seen[k], &cell);
        if (j < MOST_COMPARED) seen[j] = cell;
    }
    out->head_words |= row == 0 && n_words;
    out->n_numbers += n_numbers && !n_words;
    out->n_words += n_words && !n_numbers;
    return !(n_numbers && n_words);
}

/* Lines of one kind each that begin with names: where columns hold several kinds, or the first line
 * repeats itself, the lines are features. Where all hold numbers they may be rows as well. */
static void tell_sideways(cairn_context *ctx, const cairn_csv_reader *reader, const csv_head *head)
{
    cairn_csv_cell firsts[SAMPLE_ROWS];
    line_kinds lines = {0};
    if (reader->n_columns < 3 || head->n_rows < 2 || head->n_rows == SAMPLE_ROWS) return;
    for (size_t row = 0; row < head->n_rows; row++)
        if (!take_line(reader, head, row, firsts, &lines)) return;
    bool mixed = lines.n_numbers && lines.n_words && (lines.n_words > 1 || !lines.head_words);
    mixed |= lines.repeats;
    bool open = !lines.n_words && lines.n_numbers > 1 && !reader->has_header;
    if (mixed)
        cairn_warn(ctx,
                   "%s: the features seem to stand in lines, since every line begins with a name "
                   "and holds one kind of values; {transpose} takes lines as columns",
                   reader->source.name);
    else if (open)
        cairn_warn(ctx,
                   "%s: the first line is taken as data, and every line as a row that begins with "
                   "its name; {transpose} takes lines as columns, {header yes} the first as "
                   "their names, {header no} keeps this quiet",
                   reader->source.name);
}

/* Whether the first line names every column that a model learned from. */
static cairn_status names_features(cairn_context *ctx, const cairn_schema *schema,
                                   const column_sample *samples, size_t n_columns, bool *out)
{
    SCOPED(cairn_map_clear) cairn_map names = {0};
    size_t at, n = 0;
    *out = false;
    if (!schema) return CAIRN_OK;
    for (size_t j = 0; j < n_columns; j++)
        CHECK(cairn_map_add(ctx, &names, samples[j].first.text, samples[j].first.length, &at));
    for (size_t i = 0; i < schema->n_fields; i++) {
        const char *name = schema->fields[i].name;
        if (schema->fields[i].role != CAIRN_FEATURE) continue;
        if (cairn_map_find(&names, name, strlen(name)) < 0) return CAIRN_OK;
        n++;
    }
    *out = n > 0;
    return CAIRN_OK;
}

/* -- names -- */

/* Names come from the header, trimmed and without quotes; columns without a name are called
 * column1, column2 and so on by their place. */
static cairn_status name_columns(cairn_context *ctx, cairn_csv_reader *reader, const csv_head *head,
                                 const column_sample *samples)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    CHECK(cairn_columns_allowed(ctx, reader->n_columns, reader->source.name));
    for (size_t j = 0; j < reader->n_columns; j++) {
        const cairn_csv_cell *cell = &samples[j].first;
        text.length = 0;
        if (reader->has_header && cell->broken)
            CHECK(cairn_csv_refuse(ctx, reader, reader->source.start, SIZE_MAX,
                                   "the quote of header cell %zu is not closed properly", j + 1));
        if (reader->has_header) {
            cairn_text_add_repeat(&text, ' ', cell->length);
            CHECK(cairn_text_status(&text));
            if (cell->length) text.length = cairn_csv_unquote(cell, text.bytes);
        }
        const char *name = text.bytes;
        size_t length = text.length;
        if (length) cairn_cell_trim(&name, &length);
        if (length == 0) {
            text.length = 0;
            cairn_text_addf(&text, "column%zu", j + 1);
            CHECK(cairn_text_status(&text));
            name = text.bytes;
            length = text.length;
        }
        if (cairn_utf8_check(name, length) < length)
            CHECK(cairn_csv_refuse(ctx, reader, reader->source.start, SIZE_MAX,
                                   "the name of column %zu is not UTF-8; give the file's encoding, "
                                   "such as {encoding %s}",
                                   j + 1,
                                   cairn_encoding_guess(head->at, (size_t)(head->end - head->at))));
        CHECK(cairn_name_column(ctx, &reader->names, name, length, reader->source.name));
    }
    return CAIRN_OK;
}

/* -- kinds -- */

static const char *candidate_name(size_t i, const void *data)
{
    const cairn_csv_reader *reader = data;
    return i < reader->names.n ? cairn_map_key(&reader->names, i) : NULL;
}

/* Kinds that the user declares overrule the sample, and cells that do not fit are refused instead
 * of changing the kind of the column. */
static cairn_status apply_declared(cairn_context *ctx, cairn_csv_reader *reader, const char *kinds)
{
    cairn_kind_choice *choices;
    size_t n;
    CHECK(cairn_kinds_split(ctx, kinds, &choices, &n));
    for (size_t i = 0; i < n; i++) {
        const char *name = choices[i].column;
        int64_t j = cairn_map_find(&reader->names, name, strlen(name));
        if (j < 0) {
            const char *near = cairn_nearest_word(name, candidate_name, reader);
            return cairn_fail(ctx, CAIRN_USAGE, "there is no column '%s' in %s%s%s%s", name,
                              reader->source.name, near ? "; did you mean '" : "", near ? near : "",
                              near ? "'?" : "");
        }
        reader->declared[j] = (signed char)choices[i].kind;
        reader->modes[j] = choices[i].kind == CAIRN_NUMBER ? CAIRN_CSV_DECLARED
                           : choices[i].kind == CAIRN_TIME ? CAIRN_CSV_DECLARED_TIME
                                                           : CAIRN_CSV_WORDS;
        if (choices[i].kind == CAIRN_TIME)
            reader->patterns[j] = choices[i].pattern ? choices[i].pattern : reader->time_format;
    }
    return CAIRN_OK;
}

/* Columns of a model are read as it knows them. A time that does not fit the model's pattern is
 * looked at as in any file. */
static cairn_status apply_expected(cairn_context *ctx, cairn_csv_reader *reader,
                                   const cairn_schema *schema)
{
    cairn_expected *expected;
    CHECK(cairn_schema_expect(ctx, &expected, schema, &reader->names));
    for (size_t j = 0; j < reader->n_columns; j++) {
        if (expected[j].kind == CAIRN_TIME && !reader->time_format) {
            reader->modes[j] = CAIRN_CSV_TIME;
            reader->patterns[j] = expected[j].pattern;
        } else if (expected[j].kind == CAIRN_LEVEL || expected[j].kind == CAIRN_TEXT) {
            reader->modes[j] = CAIRN_CSV_WORDS;
            reader->declared[j] = (signed char)expected[j].kind;
        }
    }
    return CAIRN_OK;
}

/* What a column seems to hold. Infinite numbers are read as numbers, to be refused by name. */
static cairn_csv_mode guess_mode(const cairn_csv_reader *reader, const column_sample *sample,
                                 const char **pattern)
{
    size_t n_times = sample->n_times, n_by_pattern = sample->n_by_pattern;
    size_t n_texts = sample->n_texts, n_numbers = sample->n_numbers;
    if (!reader->has_header) {
        n_times += sample->first_class == SAMPLE_TIME;
        n_by_pattern += sample->first_class == SAMPLE_PATTERN;
        n_texts += sample->first_class == SAMPLE_TEXT;
        n_numbers += sample->first_class == SAMPLE_NUMBER;
    }
    *pattern = NULL;
    if (n_texts) return CAIRN_CSV_WORDS;
    if (!n_times && !n_by_pattern) return CAIRN_CSV_NUMBER;
    if (n_numbers || (n_times && n_by_pattern)) return CAIRN_CSV_WORDS;
    if (n_by_pattern) *pattern = sample->way ? sample->way : reader->time_format;
    return CAIRN_CSV_TIME;
}

static cairn_status guess_modes(cairn_context *ctx, cairn_csv_reader *reader,
                                const column_sample *samples, const cairn_read_options *options)
{
    CHECK(
        SCRATCH_EACH(ctx, reader->n_columns, &reader->modes, &reader->declared, &reader->patterns));
    for (size_t j = 0; j < reader->n_columns; j++) {
        reader->modes[j] = (unsigned char)guess_mode(reader, &samples[j], &reader->patterns[j]);
        reader->declared[j] = -1;
    }
    if (options->expected) CHECK(apply_expected(ctx, reader, options->expected));
    if (options->kinds) CHECK(apply_declared(ctx, reader, options->kinds));
    return CAIRN_OK;
}

cairn_status cairn_csv_read_head(cairn_context *ctx, cairn_csv_reader *reader,
                                 const cairn_read_options *options)
{
    csv_head *head;
    column_sample *samples;
    reader->time_format = options->time_format;
    if (options->time_format) CHECK(cairn_time_check_pattern(ctx, options->time_format));
    CHECK(SCRATCH(ctx, &head, 1));
    CHECK(find_dialect(ctx, reader, head, options));
    reader->n_columns = reader->dialect.n_cells = count_cells(reader, head, 0);
    CHECK(SCRATCH(ctx, &samples, reader->n_columns));
    sample_columns(reader, head, samples);
    settle_ways(samples, reader->n_columns);
    reader->has_header = options->header >= 0 ? options->header > 0 : has_header(reader, samples);
    if (options->header < 0 && !reader->has_header)
        CHECK(names_features(ctx, options->expected, samples, reader->n_columns,
                             &reader->has_header));
    if (options->header < 0 && !reader->has_header) tell_no_header(ctx, reader, samples);
    if (options->header < 0 && names_years(samples, reader->n_columns))
        cairn_warn(ctx,
                   "%s: the first line is taken as the names of the columns, since its numbers "
                   "seem to be years; {header no} takes it as data, {header yes} keeps this quiet",
                   reader->source.name);
    if (options->header < 0 && names_places(reader, samples))
        cairn_warn(ctx,
                   "%s: the first line is taken as the names of the columns, since its first cell "
                   "is empty and the others count them; {header no} takes it as data, {header yes} "
                   "keeps this quiet",
                   reader->source.name);
    if (options->header < 0 && !options->transpose && !options->expected)
        tell_sideways(ctx, reader, head);
    CHECK(name_columns(ctx, reader, head, samples));
    CHECK(guess_modes(ctx, reader, samples, options));
    size_t first = reader->has_header ? 1 : 0, n = head->n_rows - first;
    reader->data_from = reader->source.start + head->rows[first];
    if (n) reader->row_bytes = (double)(head->rows[head->n_rows] - head->rows[first]) / (double)n;
    return CAIRN_OK;
}
