/* SPDX-License-Identifier: MIT */
/* The border between the library and the modules of databases: one exported record, found by name
 * in cairn-sqlite.so, cairn-postgres.so and cairn-duckdb.so. A module needs no symbol of the
 * library, allocates nothing that it hands over for good and understands no text: numerals and
 * times go to the library as the database writes them. */
#ifndef CAIRN_DATA_SOURCE_MODULE_H
#define CAIRN_DATA_SOURCE_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Raised whenever this header changes shape. */
#define CAIRN_SOURCE_ABI    UINT32_C(4)
#define CAIRN_SOURCE_SYMBOL "cairn_source_module_record"

typedef enum cairn_source_type {
    CAIRN_SOURCE_NULL,
    CAIRN_SOURCE_INTEGER, /* `integer` */
    CAIRN_SOURCE_REAL,    /* `real` */
    CAIRN_SOURCE_NUMERAL, /* `text`: a number in decimal digits, inf or nan */
    CAIRN_SOURCE_TEXT,    /* `text` */
    CAIRN_SOURCE_TIME,    /* `text`: a date or time as 2026-11-15 14:30:05.123+00 */
    CAIRN_SOURCE_TRUTH,   /* `integer`: 0 or 1 */
    CAIRN_SOURCE_LEVEL,   /* `integer`: which of the levels that were told, from 0 */
    CAIRN_SOURCE_ITEMS,   /* `items`: `length` texts */
    CAIRN_SOURCE_BYTES,   /* what no table can hold */
    /* of columns that are written: their cells are of the type TIME */
    CAIRN_SOURCE_DATE, /* no time of the day */
    CAIRN_SOURCE_ZONED /* in UTC, and says so */
} cairn_source_type;

typedef struct cairn_source_item {
    const char *text; /* NULL = not known */
    size_t length;
} cairn_source_item;

typedef struct cairn_source_cell {
    cairn_source_type type;
    int64_t integer;
    double real;
    const char *text; /* `length` bytes, alive until the next row */
    size_t length;
    const cairn_source_item *items;
} cairn_source_cell;

/* How it ended. */
typedef enum cairn_source_end {
    CAIRN_SOURCE_DONE,
    CAIRN_SOURCE_STOPPED,   /* a function of the library wanted no more */
    CAIRN_SOURCE_CANCELLED, /* somebody pressed Ctrl-C */
    CAIRN_SOURCE_NOT_THERE, /* no file, no server, not let in */
    CAIRN_SOURCE_NO_TABLE,  /* what is there is no database, or nothing that a table holds */
    CAIRN_SOURCE_BAD_QUERY, /* the database did not understand or allow it */
    CAIRN_SOURCE_TAKEN,     /* a table of that name is there */
    CAIRN_SOURCE_BROKEN,    /* it failed on the way */
    CAIRN_SOURCE_NO_MEMORY
} cairn_source_end;

enum { CAIRN_SOURCE_MESSAGE = 1024 };

/* Rows to be read. */
typedef struct cairn_source_job {
    const char *place; /* the file, or the connection */
    const char *query; /* one statement that gives rows */
    size_t memory;     /* most bytes for the module itself; 0 = no limit was set */
    void *data;
    /* The names of the columns come first, then the rows; false stops it. */
    bool (*begin)(void *data, const char *const *names, size_t n);
    /* Between both: the levels of a column that declares them. */
    bool (*levels)(void *data, size_t column, const char *const *names, size_t n);
    bool (*row)(void *data, const cairn_source_cell *cells);
    bool (*is_cancelled)(const void *data);
    /* Where `memory` is a limit: the module holds so many bytes now; how many more it may take, 0
     * when these are too many already. */
    size_t (*holds)(void *data, size_t bytes);
    char message[CAIRN_SOURCE_MESSAGE]; /* what the database said of a failure */
} cairn_source_job;

/* Rows to be written into a new table. */
typedef struct cairn_source_writing {
    const char *place, *table;
    const char *quoted; /* the table in quotes, behind its schema where there are any */
    bool replaces;      /* a table of that name may go */
    size_t n_columns;
    const char *const *names;
    const cairn_source_type *types; /* INTEGER, REAL or NUMERAL, TRUTH, TEXT, DATE, TIME, ZONED,
                                       and ITEMS where the database has lists */
    size_t memory;                  /* as above */
    void *data;
    /* Fills the cells of the next row; false at the end. */
    bool (*next)(void *data, cairn_source_cell *cells);
    /* Asked now and then, and before what was written is made to last. */
    bool (*is_cancelled)(const void *data);
    char message[CAIRN_SOURCE_MESSAGE];
} cairn_source_writing;

typedef struct cairn_source_module {
    uint32_t abi; /* CAIRN_SOURCE_ABI of the header it was built with */
    const char *name;
    bool has_schemas;        /* SCHEMA.TABLE */
    bool has_lists;          /* takes cells of ITEMS */
    bool takes_numerals;     /* takes NUMERAL in place of REAL */
    const char *list_tables; /* a query that gives the names of the tables */
    cairn_source_end (*read)(cairn_source_job *job);
    cairn_source_end (*write)(cairn_source_writing *job); /* NULL = cannot */
} cairn_source_module;

#endif
