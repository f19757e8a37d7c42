/* SPDX-License-Identifier: MIT */
/* What bodies that are compiled for two types want to know of double: the type, its vectors, and
 * the constants of exp_body.h, log_body.h and tanh_body.h. Polynomials run through Chebyshev
 * points, highest power first. One type per file. */
#ifndef CAIRN_KERNELS_REAL_DOUBLE_H
#define CAIRN_KERNELS_REAL_DOUBLE_H

#define REAL      double
#define WORD      int64_t
#define UWORD     uint64_t
#define ONE_FMA   __builtin_fma
#define ONE_ROOT  __builtin_sqrt
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
#define LOG_Q                                                                                      \
    0x1.2b584aae78a57p-3, 0x1.39fe606542ddep-3, 0x1.7462b4ab2ef6bp-3, 0x1.c71c62e5800a1p-3,        \
        0x1.2492492df148dp-2, 0x1.99999999952e2p-2, 0x1.5555555555558p-1
#define LOG_START 0x3fe6a09e667f3bcdLL /* the bits of sqrt(1 / 2), rounded */
#define SMALLEST  0x1p-1022
#define TANH_FLAT 20 /* tanh is 1 from here on */

#endif
