/* SPDX-License-Identifier: MIT */
/* Products of doubles: product_body.h for every level, product_driver.h around it. */
#define PRODUCT cairn_matmul
#include "kernels/real_double.h"
#include "kernels/product_levels.h"
#include "kernels/product_driver.h"
