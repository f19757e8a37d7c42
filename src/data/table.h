/* SPDX-License-Identifier: MIT */
/* The inside of a table. Columns are shared between tables by counting their holders and are
 * constant once they are in a table: a transform makes a new table that shares what it leaves
 * alone. */
#ifndef CAIRN_DATA_TABLE_H
#define CAIRN_DATA_TABLE_H

#include "base/map.h"
#include "base/memory.h"
#include "cairn/table.h"
#include "data/time.h"

typedef struct cairn_column {
    int holders; /* atomic */
    cairn_kind kind;
    size_t n_rows;
    size_t n_missing;
    double *numbers; /* NUMBER, TIME: n_rows */
    int32_t *codes;  /* LEVEL: n_rows */
    cairn_map names; /* LEVEL: level names; BAG, SEQUENCE: item names */
    bool ordered;    /* LEVEL: the order of the names means something */
    bool declared;   /* LEVEL: the names were declared and may include values that do not occur;
                        TEXT: somebody said that it is text */
    size_t *starts;  /* TEXT: n_rows + 1 offsets into bytes; BAG, SEQUENCE: into items; SERIES: into
                        amounts */
    char *bytes;     /* TEXT: all cells, not zero-ended */
    uint8_t *absent; /* TEXT, BAG, SEQUENCE, SERIES: n_rows, 1 = missing; NULL when none is */
    int32_t *items;  /* BAG: item numbers, ascending in a row; SEQUENCE: in order, -1 = unknown */
    double *amounts; /* BAG: one per item; NULL = all 1. SERIES: its numbers, NaN = missing */
    char pattern[CAIRN_TIME_PATTERN]; /* TIME: how it is written; "" = each as it needs */
    /* When set, `numbers` and `codes` lie in memory of somebody else's, who is told with `owner`
     * when the column goes. */
    void (*release)(void *owner);
    void *owner;
} cairn_column;

/* Who gave a column its role. */
typedef enum cairn_chosen {
    CAIRN_ROLE_OPEN, /* nobody */
    CAIRN_ROLE_SAID, /* the user, the caller, or what is known of built-in data */
    CAIRN_ROLE_FOUND /* the library, by the look of the column (data/row_names.h) */
} cairn_chosen;

typedef struct cairn_slot {
    char *name;
    cairn_role role;
    cairn_chosen chosen;
    cairn_column *column;
} cairn_slot;

struct cairn_table {
    uint32_t mark; /* CAIRN_TABLE_MARK until it is freed */
    size_t n_rows;
    size_t n_columns;
    size_t capacity;
    cairn_slot *slots;
    uint64_t *places; /* n_places, columns by name (data/table_index.h): 0 = free, else column + 1
                         and above it half of the name's hash */
    size_t n_places;  /* a power of 2, or 0 while there are few columns */
    char *source;     /* the file's name, for messages; may be NULL */
    size_t n_skipped; /* rows of the file that were left out, since --where keeps none of them */
    int shape;        /* cairn_shape (data/shape.h): what the numbers are */
    bool own_units;   /* its columns are to be compared as they are: what nobody asked for is not
                         standardised */
    const struct cairn_data_format *format; /* that it was read as; NULL = of no file */
};

/* A debug build stops where a table is used that was freed. */
#define CAIRN_TABLE_MARK 0x7ab1e00du
#ifdef CAIRN_DEBUG
#include <assert.h>
#define CAIRN_ALIVE(table) assert((table)->mark == CAIRN_TABLE_MARK)
#else
#define CAIRN_ALIVE(table) ((void)0)
#endif

/* A zeroed column with one holder. */
CAIRN_CHECKED cairn_status cairn_column_new(cairn_context *ctx, cairn_column **out, cairn_kind kind,
                                            size_t n_rows);
cairn_column *cairn_column_hold(cairn_column *column);
void cairn_column_drop(cairn_column *column); /* NULL is accepted */
CAIRN_CAN_OWN(cairn_column_drop, cairn_column)
CAIRN_CAN_OWN(cairn_table_free, cairn_table)
/* Set n_missing from the values. */
void cairn_column_count_missing(cairn_column *column);
bool cairn_column_is_missing(const cairn_column *column, size_t row);

/* Put the column (whose holder passes to the table, also on failure) at the end. A name that is
 * already there fails. */
CAIRN_CHECKED cairn_status cairn_table_add_column(cairn_context *ctx, cairn_table *table,
                                                  const char *name, cairn_role role,
                                                  cairn_column *column);
/* Add numbers that the library has computed, which may be infinite; else as
 * cairn_table_add_numbers, the door for those of others. */
CAIRN_CHECKED cairn_status cairn_table_put_numbers(cairn_context *ctx, cairn_table *table,
                                                   const char *name, const double *numbers);
/* The name of the file that a table was made of goes over to a new one. */
CAIRN_CHECKED cairn_status cairn_table_copy_source(cairn_context *ctx, cairn_table *to,
                                                   const cairn_table *from);
/* A new table with the same columns (shared) and roles. */
CAIRN_CHECKED cairn_status cairn_table_share(cairn_context *ctx, cairn_table **out,
                                             const cairn_table *table);
/* Change one column in place of another (roles and name stay); the holder passes over. */
void cairn_table_replace_column(cairn_table *table, size_t i, cairn_column *column);
/* A factor per row goes into the weight column, which is made if there is none. */
CAIRN_CHECKED cairn_status cairn_table_multiply_weights(cairn_context *ctx, cairn_table *table,
                                                        const double *factors);
void cairn_table_remove_column(cairn_table *table, size_t i);
/* To remove many: take each out, which leaves a gap where nothing may look, and close the gaps. */
void cairn_table_take_out(cairn_table *table, size_t i);
void cairn_table_close_gaps(cairn_table *table);
/* A new table of the given rows (copied). */
CAIRN_CHECKED cairn_status cairn_table_take_rows(cairn_context *ctx, cairn_table **out,
                                                 const cairn_table *table, const uint32_t *rows,
                                                 size_t n);

/* "there is no column 'specis' in iris.csv; did you mean 'species'?" (CAIRN_USAGE) */
CAIRN_CHECKED cairn_status cairn_table_get(cairn_context *ctx, const cairn_table *table,
                                           const char *name, size_t *out);
/* Give a role to every column of a comma-separated list. */
CAIRN_CHECKED cairn_status cairn_table_set_roles(cairn_context *ctx, cairn_table *table,
                                                 const char *columns, cairn_role role);
/* First column of a role, or -1. */
ptrdiff_t cairn_table_role_column(const cairn_table *table, cairn_role role);
size_t cairn_table_role_count(const cairn_table *table, cairn_role role);
/* Of several targets: leave one, the others being ignored; or put one in front of the others. */
void cairn_table_only_target(cairn_table *table, size_t column);
void cairn_table_lead_target(cairn_table *table, size_t column);

/* Change the kind of a column ("col=level"): number <-> level <-> text <-> time; a cell that
 * does not fit fails with its row and value. */
CAIRN_CHECKED cairn_status cairn_table_change_kind(cairn_context *ctx, cairn_table *table,
                                                   size_t column, cairn_kind kind);
/* `time_format` is the pattern of columns that are declared as time without one; may be NULL. */
CAIRN_CHECKED cairn_status cairn_table_apply_kinds(cairn_context *ctx, cairn_table *table,
                                                   const char *kinds, const char *time_format);

const char *cairn_kind_name(cairn_kind kind);                           /* "number" */
const char *cairn_kind_plural(cairn_kind kind);                         /* "numbers" */
const char *cairn_role_name(cairn_role role);                           /* "feature" */
const char *cairn_level_name(const cairn_column *column, int32_t code); /* "?" for missing */

/* Hash of shape and contents: provenance. */
uint64_t cairn_table_hash(const cairn_table *table);
/* The same with the columns side by side; fails only when cancelled. */
CAIRN_CHECKED cairn_status cairn_table_hash_parallel(cairn_context *ctx, const cairn_table *table,
                                                     uint64_t *out);
/* Bytes held by the columns. */
size_t cairn_table_bytes(const cairn_table *table);

/* -- built-in data -- */
/* The i-th name with its title, NULL at the end. */
const char *cairn_builtin_name(size_t i, const char **title);
CAIRN_CHECKED cairn_status cairn_builtin_read(cairn_context *ctx, cairn_table **out,
                                              const char *name);

#endif
