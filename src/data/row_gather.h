/* SPDX-License-Identifier: MIT */
/* Rows that come one by one into columns whose kinds are found from their cells: what databases and
 * JSON give. A cell says what it is; a column that gets texts among its numbers holds words. */
#ifndef CAIRN_DATA_ROW_GATHER_H
#define CAIRN_DATA_ROW_GATHER_H

#include "base/map.h"
#include "data/digits.h"
#include "data/source_module.h"
#include "data/table.h"

typedef enum cairn_gather_mode {
    CAIRN_GATHER_NUMBERS,
    CAIRN_GATHER_TIMES,
    CAIRN_GATHER_WORDS,
    CAIRN_GATHER_TRUTHS,
    CAIRN_GATHER_LEVELS,
    CAIRN_GATHER_ITEMS
} cairn_gather_mode;

typedef struct cairn_gather_column {
    cairn_gather_mode mode;
    bool seen;       /* a cell that is not missing */
    size_t n_rows;   /* cells so far; those that lack are missing */
    double *numbers; /* NUMBERS, TIMES */
    size_t numbers_capacity;
    int32_t *codes; /* WORDS, TRUTHS, LEVELS */
    size_t codes_capacity;
    cairn_map words; /* WORDS, TRUTHS, LEVELS; ITEMS: names of the items */
    cairn_time_form form;
    size_t n_rounded; /* integers beyond 2^53 */
    cairn_lost_digits lost;
    int32_t *items; /* ITEMS: of all cells, in order */
    size_t n_items, items_capacity;
    size_t *ends; /* ITEMS: where the items of each cell end */
    size_t ends_capacity;
    uint8_t *absent; /* ITEMS */
    size_t absent_capacity;
} cairn_gather_column;

/* Begin with { .ctx, .shown }. */
typedef struct cairn_gather {
    cairn_context *ctx;
    const char *shown;    /* the source, for messages */
    bool texts_are_texts; /* a column of texts that look like numbers does not hold numbers */
    cairn_status status;  /* of what went wrong in here */
    cairn_map names;
    cairn_gather_column *columns;
    size_t n_columns, columns_capacity, n_rows;
    cairn_map marks; /* of missing cells, when some were given */
    bool has_marks;
    void *foreign; /* counts what the source itself holds, while it is read */
} cairn_gather;

/* Free what was gathered; not to be used afterwards. */
void cairn_gather_clear(cairn_gather *gather);

/* The names of all columns, then the cells of row after row; false when something went wrong, which
 * `status` tells. As a cairn_source_job wants them. */
bool cairn_gather_names(void *gather, const char *const *names, size_t n);
bool cairn_gather_levels(void *gather, size_t column, const char *const *names, size_t n);
bool cairn_gather_row(void *gather, const cairn_source_cell *cells);

/* For rows that bring their columns with them: the column of that name, made when it is new, with
 * missing cells up to this row; a cell of the row under way; the end of the row, where columns that
 * got no cell have a missing one. */
CAIRN_CHECKED cairn_status cairn_gather_column_of(cairn_gather *gather, const char *name,
                                                  size_t length, size_t *out);
CAIRN_CHECKED cairn_status cairn_gather_cell(cairn_gather *gather, size_t column,
                                             const cairn_source_cell *cell);
/* An item of the list that is the cell of this row; the cell is begun by the first call with text
 * NULL. */
CAIRN_CHECKED cairn_status cairn_gather_item(cairn_gather *gather, size_t column, const char *text,
                                             size_t length);
CAIRN_CHECKED cairn_status cairn_gather_end_row(cairn_gather *gather);

/* The table; kinds are found as `options` (in full) wish. */
CAIRN_CHECKED cairn_status cairn_gather_table(cairn_gather *gather, cairn_table **out,
                                              const cairn_read_options *options);

#endif
