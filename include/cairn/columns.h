/* SPDX-License-Identifier: MIT */
/* Columns of the caller's memory: tables made of arrays, copied or lent, and everything that a
 * column holds, read by kind.
 *
 * What is refused at the door, with CAIRN_BAD_DATA and a message that names column, row and value:
 * a name that is empty, not UTF-8 or taken; text that is not UTF-8; an infinite number; a code or
 * item that has no name; starts that do not ascend. A call that fails leaves the table as it was.
 *
 * Lent memory is read where it lies and never written to. It must stay as it is until it is
 * released: tables, models and Arrow arrays share columns, so that may be long after
 * cairn_table_free(). From the call on, `release` is called with `owner` exactly once, by whichever
 * thread lets go last; when the call fails, or had to copy, it is called before the call returns.
 * `release` may be NULL for memory that is never given back. */
#ifndef CAIRN_COLUMNS_H
#define CAIRN_COLUMNS_H

#include "cairn/matrix.h"
#include "cairn/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Takes lent memory back. It must not call functions of the library on the table it came from. */
typedef void (*cairn_release_function)(void *owner);

/* -- tables of a matrix -- */

/* A table with a number column for each column of the matrix, whose numbers are copied (NaN =
 * missing). `names` has one name per column; NULL means x1, x2 and so on. The caller frees *out. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_from_matrix(cairn_context *ctx, cairn_table **out,
                                                             const cairn_matrix *matrix,
                                                             const char *const *names);

/* A table of a matrix as by cairn_table_from_matrix, without copying where the numbers are doubles
 * at their natural alignment and those of a column lie side by side (row_stride 8, as in
 * CAIRN_MATRIX_COLUMNS); any other matrix is copied and released before the call returns. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_lend_matrix(cairn_context *ctx, cairn_table **out,
                                                             const cairn_matrix *matrix,
                                                             const char *const *names,
                                                             cairn_release_function release,
                                                             void *owner);

/* -- columns that are lent -- */

/* Add a column of n_rows numbers, NaN = missing, that is not copied. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_lend_numbers(cairn_context *ctx,
                                                              cairn_table *table, const char *name,
                                                              const double *numbers,
                                                              cairn_release_function release,
                                                              void *owner);

/* Add a column of n_rows codes, 0 to n_levels - 1 or -1 = missing, that is not copied; the names of
 * the levels are. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_lend_codes(
    cairn_context *ctx, cairn_table *table, const char *name, const int32_t *codes,
    const char *const *level_names, size_t n_levels, cairn_release_function release, void *owner);

/* -- columns that are copied; cairn/table.h has numbers, times, levels and zero-ended texts -- */

/* Add levels whose order means something, given from low to high. They count as declared: a level
 * that no row has stays. Codes are as for cairn_table_add_levels. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_add_ordered(cairn_context *ctx, cairn_table *table,
                                                             const char *name, const int32_t *codes,
                                                             const char *const *level_names,
                                                             size_t n_levels);

/* Add texts of known lengths, which need no zero byte at the end and may hold some; a NULL is a
 * missing cell. `lengths` NULL means that every text ends with a zero byte. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_add_texts_sized(cairn_context *ctx,
                                                                 cairn_table *table,
                                                                 const char *name,
                                                                 const char *const *texts,
                                                                 const size_t *lengths);

/* Add bags, sparse rows in the compressed form: row i has the items number starts[i] to
 * starts[i + 1] - 1 of `items`, in any order, and as much of each as `values` says (NULL = 1 of
 * each). `starts` has n_rows + 1 entries, the first of which need not be 0; an item is the number
 * of its name. Amounts of an item that stands twice in a row are added, amounts of 0 left out.
 * `missing` has one truth value per row; NULL means that no cell is missing. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_add_bags(cairn_context *ctx, cairn_table *table,
                                                          const char *name, const size_t *starts,
                                                          const int32_t *items,
                                                          const double *values,
                                                          const char *const *item_names,
                                                          size_t n_items, const bool *missing);

/* Add sequences: row i is items[starts[i]] to items[starts[i + 1] - 1] in this order, -1 = an item
 * that is not known. Everything else is as for bags. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_add_sequences(
    cairn_context *ctx, cairn_table *table, const char *name, const size_t *starts,
    const int32_t *items, const char *const *item_names, size_t n_items, const bool *missing);

/* Add series: row i is numbers[starts[i]] to numbers[starts[i + 1] - 1], NaN = a missing number.
 * `starts` and `missing` are as for bags. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_add_series(cairn_context *ctx, cairn_table *table,
                                                            const char *name, const size_t *starts,
                                                            const double *numbers,
                                                            const bool *missing);

/* -- reading; what is borrowed lives as long as the table and the column in it -- */

/* The seconds since 1970-01-01 UTC of a column of times, NaN = missing; NULL when it is of another
 * kind. Borrowed, n_rows of them. */
CAIRN_API const double *cairn_table_times(const cairn_table *table, size_t column);

/* A cell of a text column: its bytes, which do not end with a zero byte, and in *length how many
 * there are. NULL, and a length of 0, when the cell is missing, there is no such cell, or the
 * column is of another kind. Borrowed. */
CAIRN_API const char *cairn_table_text(const cairn_table *table, size_t column, size_t row,
                                       size_t *length);

/* A cell of bags or sequences: the numbers of its items (ascending in a bag; in a sequence in their
 * order, -1 = not known), in *n how many there are, and in *values, which may be NULL, the amounts
 * of a bag; NULL there means 1 of each. NULL, and an n of 0, when the cell is missing, there is no
 * such cell, or the column is of another kind. Borrowed. */
CAIRN_API const int32_t *cairn_table_items(const cairn_table *table, size_t column, size_t row,
                                           size_t *n, const double **values);

/* A cell of series: its numbers, NaN = missing, and in *n how many there are. NULL, and an n of 0,
 * when the cell is missing, there is no such cell, or the column is of another kind. Borrowed. */
CAIRN_API const double *cairn_table_series(const cairn_table *table, size_t column, size_t row,
                                           size_t *n);

/* Where the cells of a column of texts, bags, sequences or series begin: n_rows + 1 offsets into
 * bytes, items or numbers, which lie behind one another in the order of the rows. NULL when it is
 * of another kind. Borrowed. */
CAIRN_API const size_t *cairn_table_starts(const cairn_table *table, size_t column);

/* How many items a column of bags or sequences knows; 0 when it is of another kind. */
CAIRN_API size_t cairn_table_item_count(const cairn_table *table, size_t column);

/* The name of an item; NULL when there is no such item. Borrowed. */
CAIRN_API const char *cairn_table_item(const cairn_table *table, size_t column, size_t item);

/* The code of a level, or the number of an item, by its name of `length` bytes; -1 when the column
 * has none of that name. */
CAIRN_API int32_t cairn_table_code(const cairn_table *table, size_t column, const char *name,
                                   size_t length);

/* Whether a cell is missing. A cell that there is not is. */
CAIRN_API bool cairn_table_is_missing(const cairn_table *table, size_t column, size_t row);

/* How many cells of a column are missing. */
CAIRN_API size_t cairn_table_missing_count(const cairn_table *table, size_t column);

/* Whether the order of a column's levels means something: low to high. */
CAIRN_API bool cairn_table_is_ordered(const cairn_table *table, size_t column);

/* Whether the levels of a column were declared, so that they may include some that no row has and
 * stay when rows are filtered. */
CAIRN_API bool cairn_table_is_declared(const cairn_table *table, size_t column);

#ifdef __cplusplus
}
#endif
#endif
