/* SPDX-License-Identifier: MIT */
/* A view is what a learner eats: a table, a set of its rows with weights, and the columns by role.
 *
 * A row set is a list of row numbers (repeats allowed, as in a bootstrap sample) or all rows. A
 * fold, a bag, a boosting round is a new row set on the same table. "Row i" of a view is the i-th
 * of its set. Views are plain structs that borrow everything; reading them cannot fail and is safe
 * from several threads. */
#ifndef CAIRN_DATA_VIEW_H
#define CAIRN_DATA_VIEW_H

#include "data/table.h"

typedef struct cairn_rows {
    const uint32_t *indices; /* NULL = rows 0 .. n-1 */
    size_t n;
    const double *weights; /* n factors on top of the weight column; NULL = all 1 */
} cairn_rows;

typedef struct cairn_view {
    const cairn_table *table;
    cairn_rows rows;
    size_t n_features;
    const cairn_column **features; /* n_features columns */
    const char **names;            /* n_features names */
    const cairn_column *target;    /* NULL when there is none */
    const char *target_name;
    const double *row_weights; /* the weight column, indexed by table row; NULL = all 1 */
} cairn_view;

/* All rows of the table; arrays come from the context's scratch. Negative or infinite weights
 * fail. */
CAIRN_CHECKED cairn_status cairn_view_make(cairn_context *ctx, cairn_view *out,
                                           const cairn_table *table, cairn_rows rows);
/* Fails where a column cannot be the weights of rows. */
CAIRN_CHECKED cairn_status cairn_check_weights(cairn_context *ctx, const cairn_slot *slot);
cairn_rows cairn_all_rows(const cairn_table *table);
/* Rows of a table of n_rows that a user names by number, from 1, such as "11-15,20", in the order
 * of the list; scratch. The caller puts the name of the option in front of the message. */
CAIRN_CHECKED cairn_status cairn_row_list(cairn_context *ctx, uint32_t **out, size_t *n,
                                          const char *list, size_t n_rows);

/* Table row of row i. */
static inline size_t cairn_view_row(const cairn_view *view, size_t i)
{
    return view->rows.indices ? view->rows.indices[i] : i;
}

/* Weight of row i. */
static inline double cairn_view_weight(const cairn_view *view, size_t i)
{
    double weight = view->rows.weights ? view->rows.weights[i] : 1;
    return view->row_weights ? weight * view->row_weights[cairn_view_row(view, i)] : weight;
}

/* Whether a column only names its rows: levels, another one in each of at least five rows. */
CAIRN_CHECKED cairn_status cairn_view_is_name(cairn_context *ctx, const cairn_view *view,
                                              const cairn_column *column, bool *out);

/* Whether any row has a weight other than 1. */
bool cairn_view_is_weighted(const cairn_view *view);

/* The features of rows first .. first+n-1 as a row-major n x n_features matrix; every feature must
 * be a number column. */
void cairn_view_block(const cairn_view *view, size_t first, size_t n, double *out);
/* Fails (CAIRN_BAD_DATA) on a cell that is missing or infinite, with what to do about it; `who` has
 * no use for such cells. */
CAIRN_CHECKED cairn_status cairn_need_finite(cairn_context *ctx, const char *who,
                                             const char *column, size_t row, double value);
/* A sequence: the codes of its items in order, -1 = an item that the schema does not know. */
typedef struct cairn_sequence {
    const int32_t *items;
    size_t n;
    bool missing; /* the cell; then there are no items */
} cairn_sequence;

/* The sequences of a feature, or of the target, in those rows; the column must be of that kind.
 * Items are those of the table, not copied. */
void cairn_view_sequences(const cairn_view *view, size_t feature, size_t first, size_t n,
                          cairn_sequence *out);
void cairn_view_target_sequences(const cairn_view *view, size_t first, size_t n,
                                 cairn_sequence *out);
/* A series: its numbers in order, NaN = missing. */
typedef struct cairn_number_series {
    const double *values;
    size_t n;
    bool missing; /* the cell; then there are no numbers */
} cairn_number_series;

/* The series of a feature in those rows; the column must be of that kind. Several of them are a
 * vector for every step, as long as they are equally long (cairn_view_check_steps). Numbers are
 * those of the table, not copied. */
void cairn_view_series(const cairn_view *view, size_t feature, size_t first, size_t n,
                       cairn_number_series *out);
/* The feature that has the steps: the first of sequences, without one the first of series, -1 =
 * there is none. */
ptrdiff_t cairn_view_steps(const cairn_view *view);
/* How many items or numbers row i has in a feature of sequences or series. */
size_t cairn_view_n_steps(const cairn_view *view, size_t feature, size_t i);
/* Fails with row and columns where the sequences and series of a row are not equally long. */
CAIRN_CHECKED cairn_status cairn_view_check_steps(cairn_context *ctx, const cairn_view *view);
/* The first feature of the kind, -1 = there is none. */
ptrdiff_t cairn_view_first(const cairn_view *view, cairn_kind kind);

/* Target numbers, target codes and weights of those rows. */
void cairn_view_target_numbers(const cairn_view *view, size_t first, size_t n, double *out);
void cairn_view_target_codes(const cairn_view *view, size_t first, size_t n, int32_t *out);
void cairn_view_weights(const cairn_view *view, size_t first, size_t n, double *out);

#endif
