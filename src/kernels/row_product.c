/* SPDX-License-Identifier: MIT */
/* Products of a single row: no packing, no room, the sums of products.h. */
#include "kernels/row_product.h"
#include "kernels/product_panel.h"
#include <stdint.h>

#define KERNEL_BODY "kernels/row_product_body.h"
#include "kernels/each_level.h"

void cairn_row_product(double *out, const double *x, size_t n_columns, const double *w,
                       size_t n_out)
{
    if (n_out == 1)
        *out = CHOOSE(row_product_one)(x, n_columns, w);
    else
        CHOOSE(row_product)(out, x, n_columns, w, n_out);
}
