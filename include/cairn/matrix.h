/* SPDX-License-Identifier: MIT */
/* Matrices of the caller: numbers in memory that the library reads where they lie. */
#ifndef CAIRN_MATRIX_H
#define CAIRN_MATRIX_H

#include "cairn/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the numbers of a matrix are. New ones are added at the end. */
typedef enum cairn_number_type { CAIRN_FLOAT64, CAIRN_FLOAT32 } cairn_number_type;

/* Rows and columns of numbers, NaN = missing. The number of row i and column j lies at
 * (const char *)data + i * row_stride + j * column_stride, in bytes; strides may be negative, and
 * the addresses need no alignment beyond that of the type. `data` is borrowed. */
typedef struct cairn_matrix {
    size_t size; /* sizeof(cairn_matrix) */
    const void *data;
    cairn_number_type type;
    size_t n_rows, n_columns;
    ptrdiff_t row_stride, column_stride;
} cairn_matrix;

/* A matrix of doubles that lies row by row: CAIRN_MATRIX_ROWS(numbers, n_rows, n_columns). */
#define CAIRN_MATRIX_ROWS(DATA, N_ROWS, N_COLUMNS)                                                 \
    {                                                                                              \
        sizeof(cairn_matrix), DATA, CAIRN_FLOAT64, N_ROWS, N_COLUMNS,                              \
            (ptrdiff_t)((N_COLUMNS) * sizeof(double)), (ptrdiff_t)sizeof(double)                   \
    }

/* A matrix of doubles that lies column by column. */
#define CAIRN_MATRIX_COLUMNS(DATA, N_ROWS, N_COLUMNS)                                              \
    {                                                                                              \
        sizeof(cairn_matrix), DATA, CAIRN_FLOAT64, N_ROWS, N_COLUMNS, (ptrdiff_t)sizeof(double),   \
            (ptrdiff_t)((N_ROWS) * sizeof(double))                                                 \
    }

#ifdef __cplusplus
}
#endif
#endif
