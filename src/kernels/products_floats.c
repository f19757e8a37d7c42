/* SPDX-License-Identifier: MIT */
/* Products of floats: product_body.h for every level, product_driver.h around it. */
#define PRODUCT   cairn_matmul_floats
#define REAL      float
#define WORD      int32_t
#define ONE_FMA   __builtin_fmaf
#define SOFT_FMA  soft_fma_floats
#define SUFFIX    ps
#define LANES_128 4
#define LANES_256 8
#define LANES_512 16
#define FRACTION  23
#define BIAS      127
#define SHIFTER   0x1.8p23f
#define LOG2_E    0x1.715476p+0f
#define LN2_HIGH  0x1.62e43p-1f
#define LN2_LOW   -0x1.05c61p-29f
#define EXP_LOW   -104
#define EXP_HIGH  89
#define EXP_Q                                                                                      \
    0x1.a12528p-13f, 0x1.6d4362p-10f, 0x1.1110e0p-7f, 0x1.5554e8p-5f, 0x1.555556p-3f, 0x1p-1f
#include "kernels/product_levels.h"
#include "kernels/product_driver.h"
