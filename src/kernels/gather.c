/* SPDX-License-Identifier: MIT */
/* Moving numbers from the table's columns into row-major blocks. */
#include "kernels/kernels.h"

#define KERNEL_BODY "kernels/gather_body.h"
#include "kernels/each_level.h"

void cairn_gather(double *restrict out, const double *restrict column,
                  const uint32_t *restrict rows, size_t n)
{
    for (size_t i = 0; i < n; i++) out[i] = column[rows[i]];
}

void cairn_pack_rows(double *out, size_t stride, const double *const *columns, size_t n_columns,
                     const uint32_t *rows, size_t first, size_t n)
{
    if (rows)
        CHOOSE(pack_chosen)(out, stride, columns, n_columns, rows, n);
    else
        CHOOSE(pack_range)(out, stride, columns, n_columns, first, n);
}

void cairn_standardise_rows(double *out, size_t stride, size_t n, size_t n_columns,
                            const double *shift, const double *scale)
{
    CHOOSE(standardise)(out, stride, n, n_columns, shift, scale);
}
