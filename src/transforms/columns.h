/* SPDX-License-Identifier: MIT */
/* What transforms share: choosing columns, making new ones. */
#ifndef CAIRN_TRANSFORMS_COLUMNS_H
#define CAIRN_TRANSFORMS_COLUMNS_H

#include "model/learner.h"
#include "rows/moments.h"

/* Fail: no class has this name; the message lists the classes. */
CAIRN_CHECKED cairn_status cairn_no_class(cairn_context *ctx, const char *transform,
                                          const cairn_map *classes, const char *name);

/* The features of the view that a transform works on, as indices into view->features: those named
 * in `list` (NULL = all that `fits` accepts). A named column that does not exist, does not fit
 * or is named twice fails, so that one name stands for one column; when none is left a warning says
 * so. `wanted` is "a number column" or the like. Memory is scratch. */
CAIRN_CHECKED cairn_status cairn_choose_features(cairn_context *ctx, const cairn_view *view,
                                                 const char *transform, const char *list,
                                                 bool (*fits)(const cairn_column *column),
                                                 const char *wanted, size_t **out, size_t *n);

/* A column to be transformed is of the kind that was fitted; only a damaged model says
 * otherwise. */
CAIRN_CHECKED cairn_status cairn_expect_kind(cairn_context *ctx, const cairn_slot *slot,
                                             cairn_kind kind);

/* The column of that name, looked for from *at on and then from the start; *at becomes its number.
 * Names that come in the table's order are found at once, so a loop over all is not quadratic. */
CAIRN_CHECKED cairn_status cairn_next_column(cairn_context *ctx, const cairn_table *table,
                                             const char *name, size_t *at);

/* A new table in which the used columns (one flag per column of `table`) are replaced by n new
 * features, which stand where the first used one stood and are called prefix1, prefix2 ... (with
 * _2, _3 ... behind it when a column that stays has the name). Columns that are not used are
 * shared. Taken columns become NULL in `columns`, also on failure. */
CAIRN_CHECKED cairn_status cairn_put_columns(cairn_context *ctx, cairn_table **out,
                                             const cairn_table *table, const uint8_t *used,
                                             const char *prefix, cairn_column **columns, size_t n);

/* The numbers of the named columns of a table, in order; from scratch. */
CAIRN_CHECKED cairn_status cairn_find_numbers(cairn_context *ctx, const double ***out,
                                              const cairn_table *table, const cairn_map *names);

/* A table that shares all columns but the named ones (NULL = none). */
CAIRN_CHECKED cairn_status cairn_table_without(cairn_context *ctx, cairn_table **out,
                                               const cairn_table *table, const cairn_map *names);

/* The numbers of the view's rows in ascending order with their weights (NULL = all 1); missing
 * cells and rows of weight 0 are left out. Memory is scratch. */
CAIRN_CHECKED cairn_status cairn_sorted_numbers(cairn_context *ctx, const cairn_view *view,
                                                const double *numbers, double **sorted,
                                                double **weights, size_t *n);

/* A copy of a bag whose amounts can be written to; they are there even when all are 1. */
CAIRN_CHECKED cairn_status cairn_bag_copy(cairn_context *ctx, cairn_column **out,
                                          const cairn_column *from);

/* What cairn_choose_features takes as `fits`. */
bool cairn_fits_any(const cairn_column *column);
bool cairn_fits_number(const cairn_column *column);
bool cairn_fits_level(const cairn_column *column);
bool cairn_fits_number_or_level(const cairn_column *column);

/* New number columns that are filled side by side and then put into a table. */
typedef struct cairn_made_numbers {
    size_t n;
    cairn_column **columns; /* n; NULL once they belong to a table */
    double **numbers;       /* n: where their cells go */
} cairn_made_numbers;

/* The arrays are scratch. Clear it also after a failure. */
CAIRN_CHECKED cairn_status cairn_numbers_make(cairn_context *ctx, cairn_made_numbers *out, size_t n,
                                              size_t n_rows);
/* Column k becomes a feature of the table. */
CAIRN_CHECKED cairn_status cairn_numbers_give(cairn_context *ctx, cairn_made_numbers *made,
                                              size_t k, cairn_table *table, const char *name);
void cairn_numbers_clear(cairn_made_numbers *made);

/* Add a column, which passes over also on failure, as a feature; the name is cleared. */
CAIRN_CHECKED cairn_status cairn_add_made(cairn_context *ctx, cairn_table *table, cairn_text *name,
                                          cairn_column *column);

/* Among the steps: what of the first new columns the rows of the view have, as values
 * TRANSFORM.rowN.NAME; `skip` letters of the names are left out there. */
void cairn_show_made(cairn_report *out, const char *transform, const cairn_view *view,
                     const cairn_table *made, size_t skip);

/* The names of features of the view, in their order, added to a map. */
CAIRN_CHECKED cairn_status cairn_keep_names(cairn_context *ctx, cairn_map *out,
                                            const cairn_view *view, const size_t *chosen, size_t n);

/* Adds what a transform makes of a table to `out`, whose rows are those of the table. */
typedef cairn_status (*cairn_column_adder)(cairn_context *ctx, cairn_table *out, const void *state,
                                           const void *params, const cairn_table *table);
/* A copy of the table without the named columns (NULL = with all), and what `add` adds; nothing is
 * added when there are no names to work on. */
CAIRN_CHECKED cairn_status cairn_columns_replaced(cairn_context *ctx, cairn_table **out,
                                                  const cairn_map *names, bool keep,
                                                  cairn_column_adder add, const void *state,
                                                  const void *params, const cairn_table *table);

/* A table of n directions: their number and value, under these heads, and their part of every named
 * column (n x names.n). */
void cairn_directions_write(struct cairn_ledger *out, const char *const heads[2],
                            const cairn_map *names, const double *values, const double *vectors,
                            size_t n);

#endif
