/* SPDX-License-Identifier: MIT */
/* Products of a single row, or of a few, with the bits that products of many rows have. */
#ifndef CAIRN_KERNELS_ROW_PRODUCT_H
#define CAIRN_KERNELS_ROW_PRODUCT_H

#include <stddef.h>

/* out[k] = sum_j x[j] w[j][k], summed as products.h sums: the bits are those of cairn_rows_product
 * for such a row, whatever the rows around it are. w is n_columns x n_out without gaps. */
typedef void (*cairn_row_product)(double *out, const double *x, size_t n_columns, const double *w,
                                  size_t n_out);
/* The one for results of n_out numbers on this machine: asked for once, called for many rows. */
cairn_row_product cairn_row_product_for(size_t n_out);

/* Rows that lie `x_step` numbers apart, and what is made of them `out_step` apart. */
typedef struct cairn_few_rows {
    const double *x;
    ptrdiff_t x_step;
    double *out;
    size_t out_step;
    size_t n;
} cairn_few_rows;

/* The same for some rows, several of which are summed at a time: a sum waits for its last term, and
 * while it does the others go on. */
typedef void (*cairn_few_rows_product)(const cairn_few_rows *rows, size_t n_columns,
                                       const double *w, size_t n_out);
cairn_few_rows_product cairn_few_rows_product_for(size_t n_out);

#endif
