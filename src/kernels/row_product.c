/* SPDX-License-Identifier: MIT */
/* Products of a single row: no packing, no room, the sums of products.h. */
#include "kernels/row_product.h"
#include "kernels/product_panel.h"
#include <stdint.h>

#define KERNEL_BODY "kernels/row_product_body.h"
#include "kernels/each_level.h"

cairn_row_product cairn_row_product_for(size_t n_out)
{
    return n_out == 1 ? CHOOSE(row_product_one) : CHOOSE(row_product);
}
