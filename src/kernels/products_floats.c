/* SPDX-License-Identifier: MIT */
/* Products of floats: product_body.h for every level, product_driver.h around it. */
#define PRODUCT cairn_matmul_floats
#include "kernels/real_float.h"
#include "kernels/product_levels.h"
#include "kernels/product_driver.h"
