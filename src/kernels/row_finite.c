/* SPDX-License-Identifier: MIT */
/* Whether all numbers of a row are finite: in a vector at a time, as it is asked for every row. */
#include "kernels/row_finite.h"
#include <stdint.h>
#include <string.h>

#define KERNEL_BODY "kernels/row_finite_body.h"
#include "kernels/each_level.h"

cairn_row_finite cairn_row_finite_check(void)
{
    return CHOOSE(row_finite);
}
