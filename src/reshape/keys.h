/* SPDX-License-Identifier: MIT */
/* Keys of rows: the cells of some columns as whole numbers, equal for equal keys, and the groups
 * that they make. Rows are those of one table, or of two, the second behind the first. */
#ifndef CAIRN_RESHAPE_KEYS_H
#define CAIRN_RESHAPE_KEYS_H

#include "data/column.h"

/* One key column; its code grows with the value, and missing has the highest. */
typedef enum cairn_coder_form {
    CAIRN_CODER_WHOLE, /* numbers, all whole: the distance from the least */
    CAIRN_CODER_REAL,  /* other numbers: cairn_order_key */
    CAIRN_CODER_LEVEL, /* codes, or their places */
    CAIRN_CODER_IDS    /* a number per row */
} cairn_coder_form;

typedef struct cairn_coder {
    cairn_coder_form form;
    const cairn_column *sides[2]; /* of the first and the second table; [1] NULL = only one table */
    double least, most;           /* WHOLE */
    const uint32_t *places[2];    /* LEVEL: place of each code; NULL = the code itself */
    uint32_t *ids;                /* IDS: of all rows; scratch */
    uint32_t *order;              /* of texts: the rows in order; NULL = not known; scratch */
    uint64_t span;                /* codes are below; 0 = any 64 bits */
    bool descending;              /* high values have low codes; missing stays highest */
} cairn_coder;

/* The cells of a column as they are (`sides[1]` NULL), or of two that belong together. What it
 * holds comes from scratch. */
CAIRN_CHECKED cairn_status cairn_coder_start(cairn_context *ctx, cairn_coder *out,
                                             const cairn_column *first, const cairn_column *second);
/* The same of one column, levels and texts in the order in which a user wants them: declared, or by
 * name. `alone` when rows are only ordered by this column, upwards: then texts get no codes. */
CAIRN_CHECKED cairn_status cairn_coder_order(cairn_context *ctx, cairn_coder *out,
                                             const cairn_column *column, bool alone);
/* Whether the codes of the run fit into 64 bits, and the product of their spans (0 = 2^64). */
bool cairn_coders_fit(const cairn_coder *coders, size_t n, uint64_t *span);
/* Codes of rows [begin, end), the first coder's the most significant. */
void cairn_coders_fill(const cairn_coder *coders, size_t n, size_t begin, size_t end,
                       uint64_t *out);
size_t cairn_coder_rows(const cairn_coder *coder); /* of both tables */

/* Rows by their keys: equal keys, equal codes; scratch. */
typedef struct cairn_row_codes {
    uint32_t *codes; /* n */
    size_t n;
    size_t n_codes; /* codes are below; not all of them need occur */
} cairn_row_codes;

enum { CAIRN_NO_CODE = UINT32_MAX }; /* of a row whose missing key equals no other */

CAIRN_CHECKED cairn_status cairn_code_rows(cairn_context *ctx, cairn_row_codes *out,
                                           cairn_coder *coders, size_t n_coders);

/* Groups of rows with equal keys, numbered by their first rows; scratch. */
typedef struct cairn_row_groups {
    uint32_t *group_of; /* n */
    uint32_t *first;    /* n_groups: first row */
    size_t n, n_groups;
} cairn_row_groups;

/* By the columns of a table; none put all rows into one group. */
CAIRN_CHECKED cairn_status cairn_group_rows(cairn_context *ctx, cairn_row_groups *out,
                                            const cairn_table *table, const size_t *columns,
                                            size_t n_columns);

/* Rows by code: those of code c are order[starts[c]] .. order[starts[c + 1] - 1], ascending;
 * rows of CAIRN_NO_CODE are left out. Scratch. */
typedef struct cairn_row_lists {
    uint32_t *order;
    uint32_t *starts; /* n_codes + 1 */
} cairn_row_lists;

CAIRN_CHECKED cairn_status cairn_list_rows(cairn_context *ctx, cairn_row_lists *out,
                                           const uint32_t *codes, size_t n, size_t n_codes);

/* -- what the steps share -- */

/* Counts of blocks and parts (blocks x parts) become places: part by part, in a part block by
 * block. begins (n_parts + 1): where the parts begin, and the end. */
void cairn_place_parts(size_t *places, size_t *begins, size_t n_parts, size_t n_blocks);

/* The columns of a comma-separated list, or the one whose name is the whole text; naming one twice
 * fails. Scratch. */
CAIRN_CHECKED cairn_status cairn_pick_columns(cairn_context *ctx, size_t **out, size_t *n,
                                              const cairn_table *table, const char *list);
/* The rows of a table in the order of coders; scratch. */
CAIRN_CHECKED cairn_status cairn_order_rows(cairn_context *ctx, uint32_t **out,
                                            const cairn_coder *coders, size_t n_coders, size_t n);
/* Columns behind each other as one: of the same kind, level and text together being text. `names`
 * are for messages. Bags and sequences fail. */
CAIRN_CHECKED cairn_status cairn_column_stack(cairn_context *ctx, cairn_column **out,
                                              cairn_column *const *columns,
                                              const char *const *names, size_t n);
/* Bytes of a row of the table on the average. */
double cairn_table_row_bytes(const cairn_table *table);

#endif
