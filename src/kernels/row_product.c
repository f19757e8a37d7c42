/* SPDX-License-Identifier: MIT */
/* Products of a single row, or of a few: no packing, no room, the sums of products.h. */
#include "kernels/row_product.h"
#include "kernels/product_panel.h"
#include <stdint.h>

/* Rows that are summed at a time: of one result each, and of several. */
enum { ROWS_OF_ONE = 8, ROWS_OF_MANY = 4 };

/* The panel of so many terms; where there is but one, without a division. */
static inline size_t row_panel(size_t n_columns)
{
    return n_columns <= MAX_PANEL ? MAX_PANEL : panel_of(n_columns);
}

#define KERNEL_BODY "kernels/row_product_body.h"
#include "kernels/each_level.h"

cairn_row_product cairn_row_product_for(size_t n_out)
{
    return n_out == 1 ? CHOOSE(row_product_one) : CHOOSE(row_product);
}

cairn_few_rows_product cairn_few_rows_product_for(size_t n_out)
{
    return n_out == 1 ? CHOOSE(few_rows_one) : CHOOSE(few_rows);
}
