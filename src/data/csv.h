/* SPDX-License-Identifier: MIT */
/* The inside of the CSV reader. See format_csv.c for the way through it. */
#ifndef CAIRN_DATA_CSV_H
#define CAIRN_DATA_CSV_H

#include "data/format.h"

/* How cells and rows are told apart. */
typedef struct cairn_csv_dialect {
    char separator;
    bool blanks; /* any run of blanks and tabs separates; `separator` is ' ' */
    char eol;    /* last byte of a row: '\n', or '\r' in files that have no other */
    char decimal;
    char thousands;   /* stands between the thousands of a number; 0 = nothing does */
    char comment[8];  /* lines that begin so are no rows */
    size_t n_comment; /* bytes of it, 0 = there is none */
    cairn_bad_lines bad;
    size_t n_cells; /* of a row, once known */
} cairn_csv_dialect;

/* Where bytes come from: any part may be fetched, by several threads at once. */
typedef struct cairn_csv_source {
    const char *name;
    int file;           /* -1 = memory */
    const char *memory; /* length bytes */
    size_t length;
    size_t start; /* first byte after a byte order mark and lines to skip */
} cairn_csv_source;

enum {
    CAIRN_CSV_CHUNK = 1 << 20, /* fixed, so that results do not depend on the threads */
    CAIRN_CSV_PADDING = 64     /* bytes that may be read past the end of fetched ones */
};

/* Rows that begin in one chunk of the file. */
typedef struct cairn_csv_chunk {
    size_t begin;     /* offset of the first such row */
    size_t end;       /* offset after the last one */
    size_t n_rows;    /* rows that are not empty lines */
    size_t first_row; /* number of the first in the table */
    bool has_high;    /* bytes above 127 occur */
} cairn_csv_chunk;

/* What a column is read as. */
typedef enum cairn_csv_mode {
    CAIRN_CSV_NUMBER,   /* a cell that is no number is noted: the column is read again */
    CAIRN_CSV_DECLARED, /* a cell that is no number is an error */
    CAIRN_CSV_TIME,     /* a cell that is no time is noted: the column is read again */
    CAIRN_CSV_DECLARED_TIME,
    CAIRN_CSV_WORDS, /* cells are numbered by their text */
    CAIRN_CSV_SKIP
} cairn_csv_mode;

enum { CAIRN_CSV_SAW_TEXT = 1, CAIRN_CSV_SAW_INFINITE = 2 };

/* The words of one column in one chunk. Those that repeat are numbered by their text; once most of
 * them turn out to be new ones, the rest are laid behind each other as they come, and the codes of
 * their rows are their lengths. */
typedef struct cairn_csv_words {
    cairn_map map;     /* of the rows before `plain_from`, in order of arrival */
    bool is_plain;     /* there are rows from `plain_from` on */
    size_t plain_from; /* a row of the table */
    char *bytes;       /* of those rows' words */
    size_t n_bytes, capacity;
} cairn_csv_words;

typedef struct cairn_csv_reader {
    cairn_csv_source source;
    cairn_csv_dialect dialect;
    cairn_map marks;     /* of missing cells */
    size_t longest_mark; /* bytes of the longest: what is longer need not be looked up */
    bool number_is_mark; /* one of them, such as -999, looks like a number */
    bool time_is_mark;   /* or, such as 1900-01-01, like a time */
    bool has_header;
    size_t n_columns;
    cairn_map names;  /* of the columns, unique */
    size_t data_from; /* offset of the first row after the header */
    double row_bytes; /* of the first rows, on average */
    cairn_csv_chunk *chunks;
    size_t n_chunks;
    size_t n_rows;
    size_t longest;          /* bytes of the longest chunk */
    unsigned char *modes;    /* n_columns: cairn_csv_mode */
    signed char *declared;   /* n_columns: the kind from --kinds, -1 = found */
    const char **patterns;   /* n_columns: of times; NULL = as usual */
    const char *time_format; /* a pattern to try where the usual way fails; may be NULL */
    cairn_column **columns;  /* n_columns; NULL while not read */
    /* Results of reading, n_chunks x n_columns. */
    unsigned char *flags;
    uint32_t *n_missing;
    cairn_time_form *forms;
    cairn_csv_words *words; /* n_chunks x n_words */
    size_t *word_of;        /* n_columns: place among the word columns */
    size_t n_words;
    bool quiet_padding; /* rows that are filled up are as they should be */
    size_t n_bad;       /* rows that were left out or filled up */
    size_t bad_at[3];   /* offsets of the first of them */
} cairn_csv_reader;

/* -- csv_source.c -- */
/* `length` bytes at `offset` into `buffer` (which has room for CAIRN_CSV_PADDING more; they are
 * set to zero). */
CAIRN_CHECKED cairn_status cairn_csv_fetch(cairn_context *ctx, const cairn_csv_source *source,
                                           size_t offset, size_t length, char *buffer);
/* The number of the line that holds `offset`, from 1. */
CAIRN_CHECKED cairn_status cairn_csv_line(cairn_context *ctx, const cairn_csv_reader *reader,
                                          size_t offset, size_t *line);
/* Fail with "file, line 12, column 'x': ..."; `column` SIZE_MAX leaves the column out. */
CAIRN_PRINTF(5, 6)
cairn_status cairn_csv_refuse(cairn_context *ctx, const cairn_csv_reader *reader, size_t offset,
                              size_t column, const char *format, ...);

/* Fail because of the zero byte at `offset`, which means that this is no text file. */
CAIRN_CHECKED cairn_status cairn_csv_refuse_zero(cairn_context *ctx, const cairn_csv_reader *reader,
                                                 size_t offset);

/* -- csv_cell.c -- */
/* One cell, as it lies in the bytes. */
typedef struct cairn_csv_cell {
    const char *text; /* trimmed, without its quotes */
    size_t length;
    bool quoted;
    bool doubled; /* holds doubled quotes */
    bool broken;  /* the quote has no end, or text follows it */
    bool last;    /* the row ends after it */
} cairn_csv_cell;

/* Take the cell at `at`, in a row that ends with eol before `end`; returns where the next cell or
 * row begins. */
const char *cairn_csv_take(const cairn_csv_dialect *dialect, const char *at, const char *end,
                           cairn_csv_cell *cell);
/* Copy without doubled quotes; returns the length. */
size_t cairn_csv_unquote(const cairn_csv_cell *cell, char *out);
/* Where the row at `at` ends (after its eol), or `end` when it has none; *broken tells of a quote
 * that is not closed. */
const char *cairn_csv_row_end(const cairn_csv_dialect *dialect, const char *at, const char *end,
                              bool *broken);
/* Nothing but blanks, or a comment. */
bool cairn_csv_is_empty_row(const cairn_csv_dialect *dialect, const char *at, const char *end);
bool cairn_csv_is_comment(const cairn_csv_dialect *dialect, const char *at, const char *end);
/* Whether the row at `at` has other than n_cells cells, or a quote that is not closed properly. */
bool cairn_csv_is_bad_row(const cairn_csv_dialect *dialect, const char *at, const char *end);
/* Whether it is a row of the table: neither empty nor, where those are left out, a bad one. */
bool cairn_csv_is_row(const cairn_csv_dialect *dialect, const char *at, const char *end);
/* cairn_cell_number with the marks of the dialect. */
bool cairn_csv_number(const cairn_csv_dialect *dialect, const char *text, size_t length,
                      double *out);

/* -- csv_head.c: dialect, header, names, first guess of kinds -- */
CAIRN_CHECKED cairn_status cairn_csv_read_head(cairn_context *ctx, cairn_csv_reader *reader,
                                               const cairn_read_options *options);

/* The dialect alone. */
CAIRN_CHECKED cairn_status cairn_csv_find_dialect(cairn_context *ctx, cairn_csv_reader *reader,
                                                  const cairn_read_options *options);

/* -- format_csv.c: lines that are in memory; rows that end early are as they should be -- */
CAIRN_CHECKED cairn_status cairn_csv_read_lines(cairn_context *ctx, cairn_table **out,
                                                const char *name, const char *bytes, size_t length,
                                                const cairn_read_options *options);

/* -- csv_transpose.c: lines become columns; the result has tabs between quoted cells -- */
CAIRN_CHECKED cairn_status cairn_csv_transpose(cairn_context *ctx, cairn_csv_reader *reader,
                                               char **out, size_t *length);

/* -- csv_rows.c: chunks and their rows; warns of those that were left out or filled up -- */
CAIRN_CHECKED cairn_status cairn_csv_find_rows(cairn_context *ctx, cairn_csv_reader *reader);

/* -- csv_parse.c: cells into columns -- */
CAIRN_CHECKED cairn_status cairn_csv_parse(cairn_context *ctx, cairn_csv_reader *reader);

/* -- csv_words.c: what the chunks found in columns of words -- */
/* Add the word of a row; *code is that of its text or its length, -1 = a mark of a missing cell. */
CAIRN_CHECKED cairn_status cairn_csv_add_word(cairn_context *ctx, const cairn_csv_reader *reader,
                                              size_t chunk, size_t column, size_t row,
                                              const cairn_csv_cell *cell, int32_t *code);
/* Columns of words become times, levels or texts. */
CAIRN_CHECKED cairn_status cairn_csv_finish_words(cairn_context *ctx, cairn_csv_reader *reader);
void cairn_csv_clear_words(cairn_csv_reader *reader);

/* -- csv_hint.c: tell of a column that other reading options would make numbers or times -- */
void cairn_csv_hint(cairn_context *ctx, const cairn_csv_reader *reader, size_t column);
/* The pattern by which a cell is a time and can be nothing else, Oct 11 2002 or 14:30, or NULL;
 * only `pattern` is tried where it is given. */
const char *cairn_csv_way(const cairn_csv_cell *cell, const char *pattern);
/* Tell of a column that was taken as times for such a pattern. */
void cairn_csv_tell_way(cairn_context *ctx, const cairn_csv_reader *reader, size_t column);

/* -- csv_odd.c: warn of the few cells for which a column does not hold numbers or times, of
 * --time-format that fits none, and give hints -- */
CAIRN_CHECKED cairn_status cairn_csv_tell_odd(cairn_context *ctx, const cairn_csv_reader *reader);

/* -- csv_write.c -- */
/* A header and all rows; numbers in their shortest spelling that reads back, quotes where they are
 * needed. */
/* Names that a reader would change are refused; values that it takes for missing cells warn. Sheets
 * are read as text files are. */
CAIRN_CHECKED cairn_status cairn_csv_check(cairn_context *ctx, const cairn_table *table);
CAIRN_CHECKED cairn_status cairn_csv_write(cairn_context *ctx, const cairn_table *table,
                                           cairn_output_file *file, char separator);

#endif
