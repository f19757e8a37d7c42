/* SPDX-License-Identifier: MIT */
/* Numbers that are none: NaN, which is a missing value, and infinite ones, which no table has. */
#ifndef CAIRN_DATA_ODD_NUMBERS_H
#define CAIRN_DATA_ODD_NUMBERS_H

#include "data/table.h"

typedef struct cairn_odd_numbers {
    size_t n_missing, n_infinite;
} cairn_odd_numbers;

cairn_odd_numbers cairn_count_odd(const double *numbers, size_t n);

/* "column 'x', row 3: the number is -inf; ..." (CAIRN_BAD_DATA), of the first infinite one;
 * `first` rows stand before these numbers. */
CAIRN_CHECKED cairn_status cairn_refuse_infinite(cairn_context *ctx, const char *column,
                                                 const double *numbers, size_t first);
/* Say that whole numbers of the column were no doubles. */
void cairn_warn_rounded(cairn_context *ctx, const char *column);

/* The number of missing ones in *n_missing; fails when one is infinite. */
CAIRN_CHECKED cairn_status cairn_numbers_allowed(cairn_context *ctx, const char *column,
                                                 const double *numbers, size_t n,
                                                 size_t *n_missing);

/* The rule of every writer: what is written is finite or missing. Fails (CAIRN_BAD_DATA) with the
 * place, column and row of the first infinite number, of a series or a bag, too. No table that was
 * read or handed in has one, so it was computed. */
CAIRN_CHECKED cairn_status cairn_table_finite(cairn_context *ctx, const cairn_table *table,
                                              const char *path);

#endif
