/* SPDX-License-Identifier: MIT */
/* Tables: columns of numbers, levels, text, bags, sequences, times and series, each with a role. */
#ifndef CAIRN_TABLE_H
#define CAIRN_TABLE_H

#include "cairn/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows and named columns, which tables share and nobody changes: two threads may read one table. */
typedef struct cairn_table cairn_table;

struct cairn_schema;

/* What the cells of a column are. New ones are added at the end. */
typedef enum cairn_kind {
    CAIRN_NUMBER,   /* double, NaN = missing */
    CAIRN_LEVEL,    /* one of a list of names, code -1 = missing */
    CAIRN_TEXT,     /* free text */
    CAIRN_BAG,      /* a sparse vector with item names */
    CAIRN_SEQUENCE, /* a run of items */
    CAIRN_TIME,     /* seconds since 1970-01-01 UTC, NaN = missing */
    CAIRN_SERIES    /* a run of numbers, NaN = missing */
} cairn_kind;

/* What a column is for. New ones are added at the end. */
typedef enum cairn_role {
    CAIRN_FEATURE, /* learned from */
    CAIRN_TARGET,  /* predicted */
    CAIRN_WEIGHT,  /* how much a row counts */
    CAIRN_ID,      /* names the row */
    CAIRN_GROUP,   /* rows of one group are held out together */
    CAIRN_IGNORED  /* kept and not looked at */
} cairn_role;

/* What becomes of lines of a CSV file that have too few or too many cells. */
typedef enum cairn_bad_lines {
    CAIRN_BAD_LINES_FAIL, /* reading fails with the line's number */
    CAIRN_BAD_LINES_SKIP, /* they are left out; the log tells how many and which come first */
    CAIRN_BAD_LINES_PAD   /* cells that a short line lacks are missing; a long line still fails */
} cairn_bad_lines;

/* How to read a data file. Text fields may be NULL: the default. */
typedef struct cairn_read_options {
    size_t size;             /* sizeof(cairn_read_options) */
    const char *format;      /* "csv", "arff", "libsvm" ... ('cairn list formats' has all);
                              NULL = by the file's name and content */
    char separator;          /* of CSV cells; 0 = found from the first lines */
    char decimal;            /* decimal mark; 0 = '.' */
    int header;              /* 1 = first line has names, 0 = none, -1 = found */
    bool transpose;          /* columns are in lines */
    const char *missing;     /* comma-separated marks of missing cells, beside "?", "NA", "" ... */
    const char *encoding;    /* NULL = UTF-8 */
    const char *kinds;       /* "col=level,size=ordered(low,high),when=time(%d.%m.%Y)" */
    const char *time_format; /* how times are written, beside 2026-11-15 14:30:05: "%d.%m.%Y" */
    bool only_marks; /* of the usual marks only "?" and the empty cell count: NA is a value */
    const struct cairn_schema *expected; /* columns of a model; cairn_model_reading() sets it */
    size_t skip;                         /* lines before the header that are no part of the table */
    const char *comment; /* lines that begin with this mark are left out; at most 7 bytes */
    char thousands;      /* between the thousands of a number, as in 1,234,567; 0 = nothing */
    int bad_lines;       /* cairn_bad_lines */
    const char *sheet;   /* of a workbook: its name or number; NULL = the first */
    const struct cairn_wanted *wanted; /* what a command uses of the table; commands set it */
} cairn_read_options;

#define CAIRN_READ_OPTIONS_INIT                                                                    \
    {                                                                                              \
        sizeof(cairn_read_options), NULL, 0, 0, -1, false, NULL, NULL, NULL, NULL, false, NULL, 0, \
            NULL, 0, 0, NULL, NULL                                                                 \
    }

/* Read a table from a path, "-" (standard input), "@name" (built-in data) or a database
 * ("sqlite:FILE?query=SQL", "duckdb:FILE?query=SQL", "postgres://USER@HOST/DB?table=NAME").
 * `options` NULL means the defaults. The caller frees *out. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_read(cairn_context *ctx, cairn_table **out,
                                                      const char *path,
                                                      const cairn_read_options *options);

/* Read a table from the bytes of a file in memory, as if it were the file `name`; they are not
 * kept. The caller frees *out. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_read_memory(cairn_context *ctx, cairn_table **out,
                                                             const char *name, const void *bytes,
                                                             size_t length,
                                                             const cairn_read_options *options);

/* Say what the numbers of a table are: "table" (one row per case), "distances" or "gram" (a square
 * matrix over cases, which is checked) or "counts" (how often row and column occurred together;
 * *table is replaced by one with a weighted row per cell). */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_as(cairn_context *ctx, cairn_table **table,
                                                    const char *shape);

/* Write a table to a path, "-" (standard output) or a database, where none is replaced; `format`
 * ("csv", "arff", "xlsx" ...) NULL = by the name, csv where that names none. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_write(cairn_context *ctx, const cairn_table *table,
                                                       const char *path, const char *format);

/* A table of `n_rows` rows (at most 4,294,967,294) and no columns, to be filled by the functions
 * below. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_new(cairn_context *ctx, cairn_table **out,
                                                     size_t n_rows);
/* Free a table; NULL is accepted. Columns that other tables, models or Arrow arrays share live on.
 * Using the table afterwards is undefined; a debug build stops with an assertion. */
CAIRN_API void cairn_table_free(cairn_table *table);

/* Add a column of numbers, NaN = missing; the values (n_rows of them) are copied. The name must be
 * UTF-8, not empty and not taken, and the numbers must not be infinite: else CAIRN_BAD_DATA, and
 * the table stays as it was. cairn/columns.h adds the other kinds, and columns that are lent. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_add_numbers(cairn_context *ctx, cairn_table *table,
                                                             const char *name,
                                                             const double *numbers);
/* Add times in seconds since 1970-01-01 UTC, NaN = missing, as numbers are added. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_add_times(cairn_context *ctx, cairn_table *table,
                                                           const char *name, const double *seconds);
/* Add levels: one code per row, 0 to n_levels - 1, or below 0 = missing; the names of the levels
 * must differ. Codes and names are copied. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_add_levels(cairn_context *ctx, cairn_table *table,
                                                            const char *name, const int32_t *codes,
                                                            const char *const *level_names,
                                                            size_t n_levels);
/* Add zero-ended texts, NULL = missing, which are copied. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_add_texts(cairn_context *ctx, cairn_table *table,
                                                           const char *name,
                                                           const char *const *texts);

/* How many rows and columns a table has. */
CAIRN_API size_t cairn_table_rows(const cairn_table *table);
CAIRN_API size_t cairn_table_columns(const cairn_table *table);

/* Number of the column of that name, from 0; -1 when there is none. */
CAIRN_API ptrdiff_t cairn_table_find(const cairn_table *table, const char *name);
/* The name of a column; NULL when there are fewer columns. Borrowed. */
CAIRN_API const char *cairn_table_name(const cairn_table *table, size_t column);
/* The kind of a column; CAIRN_NUMBER when there are fewer columns. */
CAIRN_API cairn_kind cairn_table_kind(const cairn_table *table, size_t column);
/* The role of a column; CAIRN_FEATURE when there are fewer columns. */
CAIRN_API cairn_role cairn_table_role(const cairn_table *table, size_t column);
/* Give the column of that name a role. A name that there is not fails with CAIRN_USAGE. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_set_role(cairn_context *ctx, cairn_table *table,
                                                          const char *column, cairn_role role);

/* The numbers of a column of numbers or times, NaN = missing; NULL when it is of another kind.
 * Borrowed, one for each row. cairn/columns.h reads the other kinds. */
CAIRN_API const double *cairn_table_numbers(const cairn_table *table, size_t column);
/* The codes of a column of levels, -1 = missing; NULL when it is of another kind. Borrowed, one for
 * each row. */
CAIRN_API const int32_t *cairn_table_codes(const cairn_table *table, size_t column);
/* How many levels a column has; 0 when it is of another kind. */
CAIRN_API size_t cairn_table_level_count(const cairn_table *table, size_t column);
/* The name of the level of that code; NULL when there is none. Borrowed. */
CAIRN_API const char *cairn_table_level(const cairn_table *table, size_t column, size_t code);

/* Give a column another name, which must be UTF-8, not empty and not taken (CAIRN_BAD_DATA). */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_rename(cairn_context *ctx, cairn_table *table,
                                                        const char *column, const char *name);

/* Take a column out of a table; those behind it move up. To drop many, select the others. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_drop(cairn_context *ctx, cairn_table *table,
                                                      const char *column);

/* A new table of the named columns in this order, which it shares with the old one. A name that
 * there is not, or that is given twice, fails with CAIRN_USAGE. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_select(cairn_context *ctx, cairn_table **out,
                                                        const cairn_table *table,
                                                        const char *const *columns, size_t n);

/* A new table of the same columns, which it shares: nothing is copied but names and roles. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_copy(cairn_context *ctx, cairn_table **out,
                                                      const cairn_table *table);

/* A new table of `n` rows by their numbers from 0, in this order, repeats allowed. Levels stay,
 * also those that no row has any more. A number beyond the last row fails with CAIRN_USAGE. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_take(cairn_context *ctx, cairn_table **out,
                                                      const cairn_table *table, const size_t *rows,
                                                      size_t n);

/* A new table of the rows for which the condition holds ("age >= 18 and sex = \"female\""); the
 * language is that of `--where`. A condition that is missing does not hold. Levels that no row has
 * any more are dropped, unless they were declared. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_filter(cairn_context *ctx, cairn_table **out,
                                                        const cairn_table *table,
                                                        const char *condition);

/* Compute a column from the others ("(x - 1)^2"), as a new feature or in place of the column of
 * that name, whose role stays. Conditions become levels no and yes. What has no value (a division
 * by zero) is missing, and the log is told how often. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_compute(cairn_context *ctx, cairn_table *table,
                                                         const char *name, const char *expression);

/* Draw rows from a known distribution by the context's seed, as `cairn compute generate` does.
 * `shape` is "formula", "clouds", "blobs", "rings", "moons", "spirals", "xor", "classify" or
 * "regress"; `settings` are its options, "rows=500,means=[0,0;3,3],sd=1" (NULL = the defaults). The
 * target has its role; what is true about a row (the value before the noise, the chances of the
 * classes) is in columns that are ignored. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_generate(cairn_context *ctx, cairn_table **out,
                                                          const char *shape, const char *settings);

/* The cell as text, written to `out` of `size` bytes (cut if longer); returns the whole length. */
CAIRN_API size_t cairn_table_cell(const cairn_table *table, size_t column, size_t row, char *out,
                                  size_t size);

#ifdef __cplusplus
}
#endif
#endif
