/* SPDX-License-Identifier: MIT */
/* What bodies that are compiled for two types want to know of float: the type, its vectors, and the
 * constants of exp_body.h, log_body.h and tanh_body.h. Polynomials run through Chebyshev points,
 * highest power first. One type per file. */
#ifndef CAIRN_KERNELS_REAL_FLOAT_H
#define CAIRN_KERNELS_REAL_FLOAT_H

#define REAL      float
#define WORD      int32_t
#define UWORD     uint32_t
#define ONE_FMA   __builtin_fmaf
#define ONE_ROOT  __builtin_sqrtf
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
#define LOG_Q                                                                                      \
    0x1.ddced80000000p-3f, 0x1.245c440000000p-2f, 0x1.9999ec0000000p-2f, 0x1.5555560000000p-1f
#define LOG_START 0x3f3504f3 /* the bits of sqrt(1 / 2), rounded */
#define SMALLEST  0x1p-126f
#define TANH_FLAT 10 /* tanh is 1 from here on */

#endif
