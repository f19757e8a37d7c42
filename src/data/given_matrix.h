/* SPDX-License-Identifier: MIT */
/* A matrix of the caller, checked and read: what every function that takes a cairn_matrix does. */
#ifndef CAIRN_DATA_GIVEN_MATRIX_H
#define CAIRN_DATA_GIVEN_MATRIX_H

#include "base/context.h"
#include "cairn/matrix.h"

/* Take the caller's struct, of any version; a type that there is not, or data that are missing,
 * fail with CAIRN_USAGE. */
CAIRN_CHECKED cairn_status cairn_matrix_take(cairn_context *ctx, cairn_matrix *out,
                                             const cairn_matrix *given);

/* Where the number of a row and column lies. */
static inline const char *cairn_matrix_at(const cairn_matrix *matrix, size_t row, size_t column)
{
    return (const char *)matrix->data + (ptrdiff_t)row * matrix->row_stride +
           (ptrdiff_t)column * matrix->column_stride;
}

/* n numbers of a column, from row `first` on, as doubles. */
void cairn_matrix_read(const cairn_matrix *matrix, size_t column, size_t first, size_t n,
                       double *out);

#endif
