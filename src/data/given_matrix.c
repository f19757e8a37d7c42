/* SPDX-License-Identifier: MIT */
/* Matrices of callers. */
#include "data/given_matrix.h"
#include "base/options.h"
#include <string.h>

cairn_status cairn_matrix_take(cairn_context *ctx, cairn_matrix *out, const cairn_matrix *given)
{
    cairn_matrix own = {.size = sizeof own};
    if (!given) return cairn_fail(ctx, CAIRN_USAGE, "there is no matrix");
    if (!given->size)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the size of a cairn_matrix is 0; begin it with CAIRN_MATRIX_ROWS or "
                          "CAIRN_MATRIX_COLUMNS, or set it to sizeof(cairn_matrix)");
    CHECK(cairn_options_take(ctx, &own, sizeof own, given, "cairn_matrix"));
    if (own.type != CAIRN_FLOAT64 && own.type != CAIRN_FLOAT32)
        return cairn_fail(ctx, CAIRN_USAGE, "there is no type %d of a matrix's numbers",
                          (int)own.type);
    if (!own.data && own.n_rows && own.n_columns)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "a matrix of %zu x %zu has no numbers: its data is NULL", own.n_rows,
                          own.n_columns);
    *out = own;
    return CAIRN_OK;
}

/* Numbers are copied byte by byte, since strides of any size may take them off their alignment. */
#define READER(NAME, TYPE)                                                                         \
    static void NAME(double *out, const char *in, ptrdiff_t stride, size_t n)                      \
    {                                                                                              \
        for (size_t i = 0; i < n; i++, in += stride) {                                             \
            TYPE number;                                                                           \
            memcpy(&number, in, sizeof number);                                                    \
            out[i] = (double)number;                                                               \
        }                                                                                          \
    }
READER(read_float64, double)
READER(read_float32, float)

void cairn_matrix_read(const cairn_matrix *matrix, size_t column, size_t first, size_t n,
                       double *out)
{
    const char *from = cairn_matrix_at(matrix, first, column);
    if (matrix->type == CAIRN_FLOAT32)
        read_float32(out, from, matrix->row_stride, n);
    else if (matrix->row_stride == (ptrdiff_t)sizeof *out)
        memcpy(out, from, n * sizeof *out);
    else
        read_float64(out, from, matrix->row_stride, n);
}
