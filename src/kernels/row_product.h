/* SPDX-License-Identifier: MIT */
/* Products of a single row, with the bits that products of many rows have. */
#ifndef CAIRN_KERNELS_ROW_PRODUCT_H
#define CAIRN_KERNELS_ROW_PRODUCT_H

#include <stddef.h>

/* out[k] = sum_j x[j] w[j][k], summed as products.h sums: the bits are those of cairn_rows_product
 * for such a row, whatever the rows around it are. w is n_columns x n_out without gaps. */
typedef void (*cairn_row_product)(double *out, const double *x, size_t n_columns, const double *w,
                                  size_t n_out);
/* The one for results of n_out numbers on this machine: asked for once, called for many rows. */
cairn_row_product cairn_row_product_for(size_t n_out);

#endif
