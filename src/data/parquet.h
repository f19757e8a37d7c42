/* SPDX-License-Identifier: MIT */
/* The inside of the format `parquet`. Names and numbers are those of parquet.thrift.
 *
 *     file     PAR1, column chunks, the foot (FileMetaData), its length, PAR1
 *     chunk    the pages of one column of one group of rows: a dictionary perhaps, then data
 *     page     a head (PageHeader), then levels and values, packed or not */
#ifndef CAIRN_DATA_PARQUET_H
#define CAIRN_DATA_PARQUET_H

#include "base/file.h"
#include "data/arrow_decimal.h"
#include "data/arrow_notes.h"
#include "data/thrift.h"

typedef enum cairn_parquet_type {
    CAIRN_PARQUET_BOOLEAN,
    CAIRN_PARQUET_INT32,
    CAIRN_PARQUET_INT64,
    CAIRN_PARQUET_INT96,
    CAIRN_PARQUET_FLOAT,
    CAIRN_PARQUET_DOUBLE,
    CAIRN_PARQUET_BYTE_ARRAY,
    CAIRN_PARQUET_FIXED
} cairn_parquet_type;

/* A column of the file, which is a leaf of its schema. */
typedef struct cairn_parquet_column {
    char *name; /* with dots between the names of groups */
    cairn_parquet_type type;
    size_t width;        /* bytes of a value of fixed length */
    int definition;      /* the level at which there is a value */
    int list_definition; /* the level at which a list has an element; 0 = the column is no list */
    char format[48];     /* of the Arrow array that its cells become; of a list, of its items */
    const char *refused; /* why it cannot be read, with the remedy; NULL = it can */
    bool whole;          /* groups that are skipped are read, too: what the cells are is decided by
                          * all of them */
} cairn_parquet_column;

/* What a file says of the values in a chunk: the least and the greatest as they are stored, NULL =
 * not said, and how many are missing, -1 = not said. */
typedef struct cairn_parquet_range {
    const uint8_t *least, *most;
    size_t least_bytes, most_bytes;
    int64_t missing;
} cairn_parquet_range;

/* Where the cells of a column in a group of rows lie. */
typedef struct cairn_parquet_chunk {
    int64_t data, dictionary; /* places of the first pages; dictionary 0 = there is none */
    int64_t bytes, values;
    int codec;
    cairn_parquet_range range;
} cairn_parquet_chunk;

typedef struct cairn_parquet_group {
    size_t rows;
    bool skipped; /* no row of it is wanted */
} cairn_parquet_group;

typedef struct cairn_parquet_file {
    const char *name;
    const uint8_t *bytes;
    size_t length;
    cairn_parquet_column *columns;
    size_t n_columns, columns_capacity;
    cairn_parquet_group *groups;
    cairn_parquet_chunk *chunks; /* group by group, n_columns each */
    size_t n_groups, groups_capacity, chunks_capacity;
    cairn_arrow_pair *notes; /* "cairn.KEY:COLUMN" and its value, in the bytes of the file */
    size_t n_notes, notes_capacity;
} cairn_parquet_file;

/* Read the foot into a file that has its name and bytes; the file is cleared by the caller. */
CAIRN_CHECKED cairn_status cairn_parquet_foot(cairn_context *ctx, cairn_parquet_file *file);
void cairn_parquet_clear(cairn_parquet_file *file);
/* Leave out the columns that are not used. */
void cairn_parquet_narrow(cairn_parquet_file *file, const bool *used);

/* Whether a group of rows is read for column j. */
static inline bool cairn_parquet_reads(const cairn_parquet_file *file, size_t j, size_t group)
{
    return file->columns[j].whole || !file->groups[group].skipped;
}

/* -- groups by what is said of them -- */

/* Skip the groups in which no row can be one for which the condition holds. What is said of the
 * values is trusted where no value is read; what contradicts itself is refused. */
CAIRN_CHECKED cairn_status cairn_parquet_skip(cairn_context *ctx, cairn_parquet_file *file,
                                              const char *condition);
/* Compare what is said of the columns of a condition with the cells that were read; the columns are
 * those of the file. */
CAIRN_CHECKED cairn_status cairn_parquet_check_said(cairn_context *ctx,
                                                    const cairn_parquet_file *file,
                                                    const char *condition,
                                                    cairn_column *const *columns);
/* The least and the greatest number or time of a chunk as they are read; *said is false when they
 * are not there. */
CAIRN_CHECKED cairn_status cairn_parquet_said_numbers(cairn_context *ctx,
                                                      const cairn_parquet_file *file, size_t j,
                                                      size_t group, double range[2], bool *said);
/* "FILE: the Parquet data are damaged: column 'x', row group 3: WHAT; write the file again" */
CAIRN_CHECKED cairn_status cairn_parquet_damaged(cairn_context *ctx, const cairn_parquet_file *file,
                                                 size_t j, size_t group, const char *what);

/* Whether the cells of column j are numbers of a dictionary of texts in all groups. */
CAIRN_CHECKED cairn_status cairn_parquet_is_coded(cairn_context *ctx,
                                                  const cairn_parquet_file *file, size_t j,
                                                  bool *coded);

/* Whether the cells of a column are numbers or times, and no lists. */
bool cairn_parquet_is_number(const cairn_parquet_column *column);

/* Some groups of such a column, from row `row` of the table on, and what was met there. */
typedef struct cairn_parquet_part {
    size_t column, first, n_groups, row;
    size_t n_missing;
    bool rounded; /* whole numbers beyond 2^53 */
    cairn_decimal_loss loss;
} cairn_parquet_part;
CAIRN_CHECKED cairn_status cairn_parquet_numbers(cairn_context *ctx, const cairn_parquet_file *file,
                                                 cairn_parquet_part *part, double *numbers);

/* The codes and the names of a column of levels as long as the table, from a column that is coded;
 * names of groups that are skipped are among them. */
CAIRN_CHECKED cairn_status cairn_parquet_codes(cairn_context *ctx, const cairn_parquet_file *file,
                                               size_t j, cairn_column *column);

/* Any other column as an array of n_rows. */
CAIRN_CHECKED cairn_status cairn_parquet_array(cairn_context *ctx, const cairn_parquet_file *file,
                                               size_t j, bool coded, size_t n_rows,
                                               struct ArrowArray *array);

CAIRN_CHECKED cairn_status cairn_parquet_write(cairn_context *ctx, const cairn_table *table,
                                               cairn_output_file *file);

#endif
