/* SPDX-License-Identifier: MIT */
/* Products of doubles: product_body.h for every level, product_driver.h around it. */
#define PRODUCT   cairn_matmul
#define REAL      double
#define WORD      int64_t
#define ONE_FMA   __builtin_fma
#define SOFT_FMA  soft_fma
#define SUFFIX    pd
#define LANES_128 2
#define LANES_256 4
#define LANES_512 8
#define FRACTION  52
#define BIAS      1023
#define SHIFTER   0x1.8p52
#define LOG2_E    0x1.71547652b82fep+0
#define LN2_HIGH  0x1.62e42fefa39efp-1
#define LN2_LOW   0x1.abc9e3b39803fp-56
#define EXP_LOW   -746
#define EXP_HIGH  710
#define EXP_Q                                                                                      \
    0x1.1f731ea5352cap-29, 0x1.af4e196027428p-26, 0x1.27e4db57442fbp-22, 0x1.71de021a90822p-19,    \
        0x1.a01a01a6dcaffp-16, 0x1.a01a01abef415p-13, 0x1.6c16c16c162ccp-10, 0x1.11111111100cep-7, \
        0x1.5555555555556p-5, 0x1.5555555555557p-3, 0x1p-1
#include "kernels/product_levels.h"
#include "kernels/product_driver.h"
